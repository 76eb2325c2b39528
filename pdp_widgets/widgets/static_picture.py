"""The picture that stands in a saved notebook before the live view, and is kept current while that lives."""

from __future__ import annotations

import threading
import uuid
import weakref
from collections.abc import Callable
from typing import Any

from IPython.display import display, update_display

from pdp_widgets.widgets.browser_kernel import Pending, later

QUIET = 1.0
_VIEW = "application/vnd.jupyter.widget-view+json"


class StaticPicture:
    """Static outputs of one widget."""

    # Every display is two outputs: the picture under a display id of its own, then the live view without
    # plain text. A style in the picture hides it while the live view is there
    # (`pdp_widgets.publish.snapshot`).

    def __init__(
        self, bundle: Callable[[], dict[str, Any] | None], failed: Callable[[Exception], None]
    ) -> None:
        self._bundle = bundle
        self._failed = failed
        self._cells: dict[str, str | None] = {}
        self._shown: dict[str, Any] | None = None
        self._timer: Pending | None = None
        self._guard = threading.Lock()
        self._drawing = threading.Lock()

    def show(self, model_id: str | None, cell: str | None, metadata: dict[str, Any] | None = None) -> None:
        """Emit the picture and, when there is a live model, its view with what its host must know."""
        display_id = uuid.uuid4().hex
        try:
            bundle = self._bundle()
        except Exception as error:
            # The view does not depend on the picture.
            self._failed(error)
            bundle = None
        if bundle is not None:
            self._shown = bundle
            self._cells[display_id] = cell
            display(bundle, raw=True, display_id=display_id)
        if model_id is not None:
            view = {"version_major": 2, "version_minor": 0, "model_id": model_id}
            display({_VIEW: view}, metadata=metadata, raw=True)

    def drop(self, cell: str) -> None:
        """Forget the displays of a cell whose output is gone."""
        self._cells = {display_id: c for display_id, c in self._cells.items() if c != cell}

    def changed(self) -> None:
        """Refresh every display once nothing has changed for a second."""
        if not self._cells:
            return
        with self._guard:
            if self._timer is not None:
                self._timer.cancel()
            this = weakref.WeakMethod(self.refresh)

            def refresh() -> None:
                method = this()
                if method is not None:
                    method()

            self._timer = later(QUIET, refresh)

    def refresh(self) -> None:
        """Refresh every display now, if the picture has changed."""
        # One after the other: a slow drawing must not arrive after that of a later state.
        with self._drawing:
            try:
                bundle = self._bundle()
                if bundle is None or bundle == self._shown:
                    return
                self._shown = bundle
                for display_id in list(self._cells):
                    update_display(bundle, raw=True, display_id=display_id)
            except Exception as error:
                self._failed(error)

    def close(self) -> None:
        """Stop: no refresh comes after this."""
        with self._guard:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        self._cells = {}
