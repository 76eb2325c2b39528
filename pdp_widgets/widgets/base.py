"""What every widget has: its module, one step at a time, errors on screen, and an end."""

from __future__ import annotations

import base64
import copy
import os
import secrets
import sys
import threading
import weakref
from collections.abc import Mapping
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import anywidget
from ipywidgets import Layout, ValueWidget
from traitlets import Bytes, Dict, TraitType, Unicode, default, observe

from pdp_widgets.core.checks import keywords_of, named_keywords
from pdp_widgets.core.converters import as_flag
from pdp_widgets.core.results import Figures
from pdp_widgets.publish.document import ENDING
from pdp_widgets.publish.figures import Live, save
from pdp_widgets.publish.page_state import VIEW_TYPE, page_state
from pdp_widgets.publish.snapshot import snapshot_of
from pdp_widgets.version import __version__
from pdp_widgets.widgets import lifetime
from pdp_widgets.widgets.browser_kernel import with_nones
from pdp_widgets.widgets.explorer_input import keyword_words, refusal
from pdp_widgets.widgets.inputs import Input
from pdp_widgets.widgets.static_picture import StaticPicture
from pdp_widgets.widgets.steps import LOCK, Stepwise
from pdp_widgets.widgets.wire import is_stamp, json_safe

__all__ = ["LOCK", "PdpWidget"]

_STATIC = Path(__file__).resolve().parent.parent / "static"
#: Named, not imported: it knows all explorers, which are made of what is here.
DOCUMENTS = "pdp_widgets.widgets.document"
_VIEWS_REMEMBERED = 64
_LONGEST_ORIGIN = 64


@cache
def _read_module(path: Path, stamp: int) -> tuple[str, bytes]:
    """Return what a host evaluates at once, and the packed widget that this loads (js/pack.mjs)."""
    loader, _, packed = path.read_text(encoding="utf-8").partition("\n//")
    return loader, base64.b64decode(packed)


class PdpWidget(Stepwise, anywidget.AnyWidget, ValueWidget):
    """Base of the widgets: one value, edited here or in the browser, never half."""

    # Every change is one step, from Python or from the browser: it is checked and computed under one lock,
    # then shown, then announced to observers. A step from Python that is wrong raises and changes nothing. A
    # step from the browser that is wrong is shown in the widget, and the last good state stays.

    _module: ClassVar[str] = ""
    #: Traits that are set as a step: those with a public name that a widget declares.
    _inputs: ClassVar[frozenset[str]] = frozenset({"disabled"})
    #: Those of them that say themselves what they take.
    declared: ClassVar[Mapping[str, Input[Any]]] = {}
    #: For keywords that hold only when the widget is made: what is set afterwards.
    _set_afterwards: ClassVar[Mapping[str, str]] = {}

    #: What a host evaluates before it counts the model as there; it loads the rest.
    _esm = Unicode().tag(sync=True)
    _code = Bytes().tag(sync=True)
    #: The front end draws for a Python of its own version.
    _package = Unicode(__version__).tag(sync=True)
    _view = Dict().tag(sync=True, to_json=with_nones)
    _request = Dict().tag(sync=True, echo_update=False)

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        # A class that somebody derives has traits of its own, which no step knows.
        if "_module" in vars(cls):
            own = {name for name, one in vars(cls).items() if isinstance(one, TraitType) and name[0] != "_"}
            cls._inputs |= own
            cls.declared = {name: one for name, one in vars(cls).items() if isinstance(one, Input)}
        if "__init__" in vars(cls):
            words = cls._unknown_keyword
            cls.__init__ = named_keywords(cls.__init__, words)  # type: ignore[method-assign]

    def __init__(self, *, disabled: bool = False, layout: Any = None) -> None:
        self._revision = 0
        #: What the positions in requests refer to, and the first revision that showed it.
        self._shown_subject: Any = None
        self._shown_since = 0
        self._ack: dict[str, Any] | None = None
        self._newest: dict[str, int] = {}
        self._stamps = threading.Lock()
        self._closed = False
        this = weakref.WeakMethod(self.saved_outputs)
        report = weakref.WeakMethod(self._report)

        def bundle() -> dict[str, str] | None:
            method = this()
            return None if method is None else method()

        def failed(error: Exception) -> None:
            method = report()
            if method is not None:
                method(error, "the static picture")

        self._picture = StaticPicture(bundle, failed)
        self._token = secrets.token_hex(6)
        with LOCK:
            self._disabled = as_flag(disabled, "disabled")
            self._show()
            # Hosts built on ipywidgets put this class on the root of every view: the picture looks for it.
            given: dict[str, Any] = {"_dom_classes": (f"pdpl-{self._token}",)}
            if layout is not None:
                given["layout"] = layout
            super().__init__(**given)
            self._own_layout = None if isinstance(layout, Layout) else self.layout
            self._ready = True

    @classmethod
    def _accepted(cls) -> list[str]:
        return keywords_of(cls)

    def _unknown_keyword(self, name: str) -> str:
        return keyword_words(type(self).__name__, name, self._inputs, self._accepted(), self._set_afterwards)

    @default("_esm")
    def _default_esm(self) -> str:
        return self._front_end()[0]

    @default("_code")
    def _default_code(self) -> bytes:
        return self._front_end()[1]

    def _front_end(self) -> tuple[str, bytes]:
        path = _STATIC / f"{self._module}.js"
        try:
            return _read_module(path, path.stat().st_mtime_ns)
        except FileNotFoundError:
            raise RuntimeError(
                f"{type(self).__name__} has no front end: pdp_widgets/static/{self._module}.js is missing. "
                "In a clone, build it with `npm ci` and `npm run build:widgets` in the folder js."
            ) from None

    # What a subclass says about its model

    def _answer(self, request: Mapping[str, Any]) -> None:
        """Take a step from the browser; wrong input becomes the model's fault, the last good state stays."""
        # The request has the parts that the hand set; the others are as they stand here.
        raise NotImplementedError

    def _subject(self) -> Any:
        """Return the names and labels that positions in a request refer to."""
        raise NotImplementedError

    def _shown(self) -> dict[str, Any]:
        """Return what the browser shows, without revision, since, ack, fault and disabled."""
        raise NotImplementedError

    def _sentence(self, core: Any) -> str:
        """Say what a state is, for a widget without a leading sentence, and where nothing can be drawn."""
        return f"{core.results!r}."

    def _state(self) -> Any:
        """Return the state as it is between two steps."""
        with LOCK:
            return copy.copy(self._core)

    def snapshot(self) -> Any:
        """Return the static picture of the last valid state with its numbers.

        Returns
        -------
        Snapshot
            ``.svg``, ``.html`` and ``.text``, see `pdp_widgets.publish`.
        """
        # What Python has set and is computed beside is waited for, as `results` does.
        self._state()
        return self._drawn()[0]

    def _drawn(self) -> tuple[Any, dict[str, Any]]:
        """Return the static picture as the widget is now, and the state that it is drawn from."""
        with LOCK:
            core, state = copy.copy(self._core), self._page_state()
        # Drawn without the lock: a picture takes longer than an edit, and edits must not wait for it.
        return snapshot_of(state, lambda: self._sentence(core)), state

    def _page_state(self) -> dict[str, Any]:
        """Return what a saved page holds of the widget."""
        traits = {name: getattr(self, name) for name in ("_view", "_late") if self.has_trait(name)}
        return page_state(self._module, traits, json_safe(self._embedded()))

    def saved_outputs(self) -> dict[str, Any]:
        """Return what a notebook keeps of the widget, by media type: what a page without a kernel is made of.

        Returns
        -------
        dict
            The picture with its numbers as ``text/html`` and ``text/plain``, and the state from which the
            widget is drawn again, see `pdp_widgets.publish.page_state`.

        Examples
        --------
        >>> from pdp_widgets import JointDistribution, JointTable
        >>> sorted(JointTable(JointDistribution([[0.4, 0.1], [0.1, 0.4]])).saved_outputs())
        ['application/vnd.pdp-widgets.view+json', 'text/html', 'text/plain']
        """
        shown, state = self._drawn()
        return {"text/html": shown.to_html(self._token), "text/plain": shown.text, VIEW_TYPE: state}

    def save(
        self,
        path: str | os.PathLike[str],
        part: str | None = None,
        *,
        width: str | float = "column",
        theme: str = "print",
        dpi: float = 300,
    ) -> Path:
        """Write a figure of the last valid state, or an explorer as a document; a file is replaced.

        Parameters
        ----------
        path
            Where to; its ending is ``.svg``, ``.pdf`` or ``.png``, or ``.leakage.json`` for a document, which
            `pdp_widgets.open` and JupyterLab open. What follows is of figures alone.
        part
            A panel as the screen shows it, or what its results declare: ``"graph"``, ``"table"``,
            ``"matrix"`` (the heat map), ``"rows"``, ``"tuples"``, ``"curves"``, ``"belief"``, ``"sources"``,
            ``"maps"``, ``"lanes"`` (of a stream) and others, as far as the widget has it, or ``"all"``; a
            wrong name is answered with those there are. Without it what the widget is for: the graph, of a
            table editor the table, the heat map of a local explorer or of covariances, and the lanes of a
            stream.
        width
            ``"column"`` (86 mm), ``"page"`` (178 mm) or millimetres.
        theme
            ``"print"``: colours that stay apart in grey; ``"light"``: those of the screen.
        dpi
            Dots per inch of a PNG.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        DomainError, TableError, OSError, ImportError
            As for `JointDistribution.save`; or there is nothing to draw yet.
        DocumentError
            Only explorers are saved as documents, or something that it was given none can hold.

        Examples
        --------
        >>> import tempfile
        >>> from pdp_widgets import JointTable, lsat6
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     print(JointTable(lsat6()).save(f"{folder}/lsat.svg", width="column").name)
        lsat.svg
        """
        if isinstance(path, str | os.PathLike) and str(path).lower().endswith(ENDING):
            found: Path = import_module(DOCUMENTS).save_document(self, path)
            return found
        core = self._state()
        with LOCK:
            state = self._page_state()
        live = {name: partial(Live, state, panel) for name, panel in self._panels.items()}
        return save({**live, **self._figures(core)}, path, part, width=width, theme=theme, dpi=dpi)

    #: Its panels that are saved as figures: the name of each part, and that of its panel for screen readers.
    _panels: ClassVar[Mapping[str, str]] = {}

    def _figures(self, core: Any) -> Figures:
        """Return what a state declares beside the panels, see `pdp_widgets.core.results.Result`."""
        return {}

    # One step

    def __setattr__(self, name: str, value: Any) -> None:
        if self.__dict__.get("_ready"):
            if name in self._inputs:
                self._edit({name: value})
                return
            if not name.startswith("_") and not hasattr(type(self), name):
                words = refusal(
                    type(self).__name__, name, self._inputs, self._accepted(), self._set_afterwards
                )
                if words:
                    raise AttributeError(words)
        super().__setattr__(name, value)

    def _next_view(self) -> tuple[dict[str, Any], dict[str, Any]]:
        revision, subject = self._revision + 1, self._subject()
        since = self._shown_since if subject == self._shown_subject else revision
        view = {
            "revision": revision,
            "since": since,
            "ack": self._ack,
            "fault": self._current_fault(),
            "disabled": self._disabled,
            **self._shown(),
        }
        memory = {"_revision": revision, "_shown_subject": subject, "_shown_since": since}
        return memory, json_safe(view)

    def _displayed(self) -> None:
        try:
            self._picture.changed()
        except Exception as error:
            self._report(error, "the static picture")

    # Requests of the browser

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take what the browser sends: its requests go one by one, the newest first in line."""
        # What has no public name is Python's to say, but for the classes that hosts put on a view.
        rest = {k: v for k, v in sync_data.items() if not k.startswith("_") or k == "_dom_classes"}
        if rest:
            with LOCK:
                super().set_state(rest)
        request = sync_data.get("_request")
        # What is no request cannot be answered: its sender would not know the answer for its own.
        if isinstance(request, dict) and _is_request(request):
            self._receive(request)

    def _receive(self, request: Mapping[str, Any]) -> None:
        origin, seq = request["origin"], request["seq"]
        with self._stamps:
            # The view that asked last is the last to be forgotten.
            self._newest[origin] = max(seq, self._newest.pop(origin, 0))
            while len(self._newest) > _VIEWS_REMEMBERED:
                self._newest.pop(next(iter(self._newest)))
        with LOCK:
            # A request carries all that its view has not been answered: a newer one replaces it.
            if self._closed or seq < self._newest.get(origin, 0):
                return
            self._ack = {"origin": origin, "seq": seq}
            try:
                # Cells and tuples of a table that is gone would be taken for those of the present one.
                stale = request.get("base", self._revision) < self._shown_since
                if self.disabled or stale:
                    self._show()
                else:
                    self._step(lambda: self._answer(request), browser=True)
            finally:
                # Interrupted before the step began: the page waits for an answer.
                if self._view["ack"] != self._ack:
                    self._show()

    def _handle_custom_msg(self, content: Any, buffers: Any) -> None:
        super()._handle_custom_msg(content, buffers)
        shows = content.get("shows") if isinstance(content, dict) else None
        if isinstance(shows, int):
            with LOCK:
                if not self._closed and shows < self._revision:
                    self.send_state("_view")

    # Display

    def _embedded(self) -> dict[str, Any]:
        """Return what a page without a kernel needs to compute and the view does not say."""
        return {}

    def _ipython_display_(self, **_: Any) -> None:
        cell = lifetime.current_cell()
        if self._closed or self.comm is None:
            self._picture.show(None, cell)
            return
        lifetime.hold(self, cell)
        # anywidget knows what Colab needs to find the view's front end.
        _, metadata = self._repr_mimebundle_() or ({}, {})
        self._picture.show(self.model_id, cell, metadata)

    def _cell_cleared(self, cell: str) -> None:
        self._picture.drop(cell)

    # The end

    @observe("comm")
    def _comm_changed(self, change: Any) -> None:
        super()._comm_changed(change)
        if change["new"] is not None:
            lifetime.loosen(self)

    def close(self) -> None:
        """Close the widget: its views go, its comm closes, and nothing holds the object any more."""
        with LOCK:
            self._dispose()

    def _check_open(self, part: str) -> None:
        """Raise RuntimeError once the widget is closed: a part made then would never be closed with it."""
        if self._closed:
            raise RuntimeError(
                f"This {type(self).__name__} is closed and has no {part} any more; make a new one, or ask "
                f"for the {part} before close()."
            )

    def _dispose(self) -> None:
        if self.__dict__.get("_disposed", "_closed" not in self.__dict__):
            return
        # Whatever ends this, the next call goes on with it.
        self._closed = True
        self._picture.close()
        lifetime.release(self)
        own_layout = self.__dict__.get("_own_layout")
        super().close()
        if own_layout is not None:
            own_layout.close()
        self.unobserve_all()
        self._disposed = True

    def __del__(self) -> None:
        # Nothing else can reach the object now: no lock, since a collection may run on any thread.
        if not sys.is_finalizing():
            self._dispose()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


def _is_request(request: Mapping[str, Any]) -> bool:
    origin = request.get("origin")
    return (
        isinstance(origin, str)
        and len(origin) <= _LONGEST_ORIGIN
        and is_stamp(request.get("seq"))
        and is_stamp(request.get("base", 0))
    )
