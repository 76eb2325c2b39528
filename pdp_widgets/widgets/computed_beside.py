"""A widget whose results may take longer than a moment: they are computed beside the kernel's own work."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from traitlets import Dict

from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.core.results import drawer
from pdp_widgets.errors import PdpError
from pdp_widgets.widgets.base import DOCUMENTS, LOCK, PdpWidget
from pdp_widgets.widgets.browser_kernel import beside
from pdp_widgets.widgets.running import Runner, Work, failure_words, weakly
from pdp_widgets.widgets.wire import LONGEST_TEXT


def answer_picture(widget: PdpWidget, content: Any, name: str) -> None:
    """Send the static picture to the view that asked for it; other messages are left alone."""
    if not isinstance(content, dict) or widget._closed or not isinstance(content.get("picture"), str):
        return
    answer: dict[str, Any] = {"asked": content["picture"][:LONGEST_TEXT]}

    def draw() -> None:
        try:
            # As it is: a page does not wait for what is computed.
            answer.update(svg=widget._drawn()[0].svg, name=name)
        except Exception as error:
            answer["fault"] = str(error) or type(error).__name__
            if not isinstance(error, PdpError):
                widget._report(error, "the picture")
        if not widget._closed:
            widget.send({"picture": answer})

    # The thread that was asked answers edits.
    beside(draw, "picture")


#: What takes longer, by its estimate in seconds, is not computed while the browser waits for an answer.
LONG = 0.1
#: Seconds between two reports of the share done.
_PAUSE = 0.1

InputsT = TypeVar("InputsT")


@dataclass(frozen=True, eq=False)
class Awaited(Generic[InputsT]):
    """Results that are asked for and not there."""

    number: int
    inputs: InputsT
    stopped: str = ""
    kept: str = ""
    cost: str = ""


class Awaiting(Generic[InputsT]):
    """Has results, others that are awaited in their place, and what is wrong with the inputs."""

    awaited: Awaited[InputsT] | None = None
    fault: PdpError | None = None
    #: Computes what takes no longer than some seconds; the rest is awaited.
    _compute: Callable[..., Any]
    #: Puts results in the place of the last ones.
    _put: Callable[..., Any]

    @property
    def running(self) -> Awaited[InputsT] | None:
        """What somebody computes, or None."""
        return self.awaited if self.awaited is not None and not self.awaited.stopped else None

    def expected(self, number: int) -> Awaited[InputsT] | None:
        """Return what is awaited under a number; None where something else is by now."""
        now = self.running
        return now if now is not None and now.number == number else None

    @property
    def current(self) -> bool:
        """Whether all results belong to what stands in the controls."""
        return self.fault is None and self.awaited is None

    @property
    def wait_state(self) -> dict[str, Any]:
        """What a browser is told of what is awaited, or was given up."""
        now, running = self.awaited, self.running
        return {
            "current": self.fault is None and (now is None or not now.stopped),
            "running": running and {"number": running.number, "paper": self._of_paper(running.inputs)},
            "stopped": None if now is None else now.stopped or None,
        }

    def _of_paper(self, awaited: InputsT) -> bool:
        """Whether nothing but the paper's estimate is awaited."""
        return False

    def take(self, number: int, found: Any) -> None:
        """Take awaited results, unless others are awaited by now."""
        if self.expected(number) is not None:
            self._put(found)

    def stop(self, number: int, reason: str | PdpError = "Cancelled.") -> None:
        """Give awaited results up: the last ones stay, and the state says what they belong to."""
        now = self.expected(number)
        if now is None:
            return
        if isinstance(reason, PdpError):
            self.awaited, self.fault = None, reason
        else:
            self._leave(now, reason)

    def _leave(self, now: Awaited[InputsT], reason: str) -> None:
        """Say what the last results belong to, since what is awaited was given up."""
        self.awaited = replace(now, stopped=f"{reason} The results belong to the values as last computed.")

    def resume(self) -> None:
        """Ask again for what was given up."""
        if self.awaited is not None and self.awaited.stopped:
            self.awaited = None
            self._compute(LONG)


class ComputedBeside(PdpWidget):
    """An explorer: it computes on a thread of its own what takes long, for the newest edit alone."""

    # Its state takes inputs: ``accept(patch)`` those of Python, ``ask(request)`` those of a browser;
    # ``values`` are the last that made sense, and ``fault`` says what is wrong with those that stand. It says
    # what is awaited: ``running`` is an `Awaited` or None; ``take(number, results)`` puts results in,
    # ``stop(number, reason)`` gives them up, ``resume()`` asks again. A subclass says with `_work` how what
    # is awaited is computed.

    #: File name of the static picture, where a page can ask for it.
    _picture_name: ClassVar[str] = ""
    #: Parts that are widgets of their own, by name; another mapping takes its place where one comes or goes.
    _parts: Mapping[str, Any] = MappingProxyType({})
    _beside_core = ("_parts",)
    _progress = Dict().tag(sync=True)

    def __init__(self, *, disabled: bool = False, layout: Any = None) -> None:
        self._runner = Runner(weakly(self._run_told), weakly(self._run_done), weakly(self._run_failed))
        super().__init__(disabled=disabled, layout=layout)

    @property
    def current(self) -> bool:
        """Whether all results belong to what stands in the controls."""
        return bool(self._core.current)

    def _accept(self, patch: Mapping[str, Any]) -> None:
        self._busily(lambda: self._core.accept(patch))

    def _answer(self, request: Mapping[str, Any]) -> None:
        self._busily(lambda: self._core.ask(request))

    def _values(self) -> dict[str, Any]:
        return {**self._core.values, "busy": self._core.running is not None}

    def _input_fault(self) -> PdpError | None:
        found: PdpError | None = self._core.fault
        return found

    def _work(self, now: Awaited[Any]) -> Work:
        """Return what computes the results that are awaited; it holds no widget."""
        raise NotImplementedError

    def _taken(self) -> None:
        """Compute what is awaited, and nothing else."""
        now = self._core.running
        if now is None:
            self._runner.cancel()
        elif now.number != self._runner.number:
            self.set_trait("_progress", {"of": now.number, "share": 0.0})
            self._runner.start(now.number, self._work(now))

    def _run_told(self, number: int, share: float) -> None:
        with LOCK:
            now = None if self._closed else self._core.running
            if now is not None and now.number == number:
                self.set_trait("_progress", {"of": number, "share": share})

    def _run_done(self, number: int, results: Any) -> None:
        with LOCK:
            if self._closed:
                return
            refused = self._step(partial(self._take, number, results), browser=True)
            if refused is not None:
                self._give_up(number, refused)

    def _run_failed(self, number: int, error: Exception) -> None:
        with LOCK:
            if self._closed:
                return
            if not isinstance(error, PdpError | MemoryError):
                self._report(error, "a computation")
            self._give_up(number, error)

    def _take(self, number: int, results: Any) -> None:
        self._core.take(number, results)

    def _give_up(self, number: int, error: Exception | None = None) -> None:
        """End the wait for a computation; whose results are there says the state."""
        reason: PdpError | str = "Cancelled."
        if error is not None:
            reason = error if isinstance(error, PdpError) else failure_words(error)
        if self._step(lambda: self._core.stop(number, reason), browser=True) is not None:
            # It cannot be shown; but nobody may wait for what nobody computes.
            self._core.stop(number, reason)
            self._step(lambda: None, browser=True)

    def wait(self) -> None:
        """Return when the results belong to what was set last, in Python or in a browser.

        What takes long is computed beside what the kernel does, and ``busy`` is True until it is there. To
        wait is to compute it here, in place of that; `cancel` gives it up.

        Raises
        ------
        PdpError
            It cannot be computed; the last results stay.

        Examples
        --------
        >>> from pdp_widgets import MarkovChain, StreamSimulator
        >>> stream = StreamSimulator(MarkovChain.symmetric(0.9), 0.5, rng=1, steps=2000)
        >>> stream.seed = 7
        >>> stream.wait()
        >>> stream.busy, stream.current, stream.results.steps
        (False, True, 2000)
        """
        while not self._closed and (now := self._core.running) is not None:
            # Here, and not on the other thread: where the kernel runs in a browser there is none, and a
            # callback that asks for results holds the lock which that one needs.
            try:
                self._runner.cancel()
                try:
                    results = self._work(now)(self._teller(now.number))
                except PdpError as error:
                    with LOCK:
                        self._give_up(now.number, error)
                    raise
                self._step(partial(self._take, now.number, results))
            except BaseException:
                # An interrupt ends the wait alone.
                with LOCK:
                    self._taken()
                raise

    def _teller(self, number: int) -> ProgressHook:
        """Return a hook that tells views now and then how far it is."""
        told = time.monotonic()

        def hook(share: float) -> None:
            nonlocal told
            if time.monotonic() - told >= _PAUSE:
                told = time.monotonic()
                self._run_told(number, share)

        return hook

    def report(self, path: str | os.PathLike[str], *, paper: str = "A4") -> Path:
        """Write a report of two printed pages about the last valid state, with the cell that makes it again.

        Parameters
        ----------
        path
            A file ending in ``.html``, which any browser shows and prints on A4 and Letter, or in ``.pdf``;
            it is replaced where it exists.
        paper
            Of a PDF: ``"A4"`` or ``"letter"``.

        Returns
        -------
        Path
            The file: the same bytes for the same state.

        Raises
        ------
        DomainError
            Another ending or paper.
        ImportError
            A PDF needs a Chromium or Chrome on the path.
        OSError
            The place cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> from pdp_widgets import PriorExplorer, lsat6
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     print(PriorExplorer(lsat6()).report(f"{folder}/release.html").name)
        release.html
        """
        core = self._state()
        with LOCK:
            state = self._page_state()
        result, choice = self._reported(core)
        written: Path = drawer("report").report(
            result,
            path,
            paper=paper,
            cell=partial(import_module(DOCUMENTS).python_parts, self),
            state=state,
            **choice,
        )
        return written

    def _reported(self, core: Any) -> tuple[Any, dict[str, Any]]:
        """Return the result that a report is about, and who is looked at closely there."""
        return core.results, {}

    def cancel(self) -> None:
        """End the computation that an edit began, if one runs beside the kernel; the last results stay."""
        with LOCK:
            now = self._core.running
            if now is not None:
                self._step(lambda: self._core.stop(now.number))

    def _handle_custom_msg(self, content: Any, buffers: Any) -> None:
        super()._handle_custom_msg(content, buffers)
        if not isinstance(content, dict) or self._closed:
            return
        with LOCK:
            now = self._core.running
            if "cancel" in content and not self.disabled and now and now.number == content["cancel"]:
                self._give_up(now.number)
            if "resume" in content and not self.disabled:
                self._step(self._core.resume, browser=True)
        if isinstance(content.get("write"), dict):
            import_module(DOCUMENTS).answer_text(self, content["write"])
        if self._picture_name:
            answer_picture(self, content, self._picture_name)

    def _part(self, name: str, make: Callable[[], Any]) -> Any:
        """Return a part as a widget of its own, linked to this explorer; it is made once."""
        with LOCK:
            self._check_open(name)
            if name not in self._parts:
                part = make()
                part._leader = self
                self._parts = {**self._parts, name: part}
            return self._parts[name]

    def _dispose(self) -> None:
        for part in self._parts.values():
            part._leader = None
            # Not close(): this may be a collection, on a thread that must not wait for the lock.
            part._dispose()
        self._parts = {}
        runner = self.__dict__.get("_runner")
        if runner is not None:
            runner.cancel()
        super()._dispose()
