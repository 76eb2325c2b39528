"""One step at a time: checked, shared, shown and announced under one lock; what is wrong changes nothing."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from IPython import get_ipython
from ipywidgets.widgets.widget import LoggingHasTraits
from traitlets import Bool, Unicode

from pdp_widgets.errors import PdpError, Where
from pdp_widgets.models.given_numbers import as_flag
from pdp_widgets.widgets.wire import fault, fault_of

__all__ = ["LOCK", "Stepwise"]

#: One lock for all widgets of a process: comm messages may run on a second thread, and two linked widgets
#: with a lock each would wait for each other.
LOCK = threading.RLock()


class _Sharing(threading.local):
    """Who hands a change on at present, in each thread.

    A callback of the user's that fails meanwhile is told to that widget: it is no refusal of the linked one.
    It is no context variable: a widget is also closed by a collection, and where Python 3.11 collects while
    it sets one context variable, setting another ends the process.
    """

    widget: Stepwise | None = None

    @contextmanager
    def by(self, widget: Stepwise | None) -> Iterator[None]:
        """Let a widget, or nobody, be the one for a while."""
        before, self.widget = self.widget, widget
        try:
            yield
        finally:
            self.widget = before


_sharing = _Sharing()


class Stepwise(LoggingHasTraits):
    """Takes changes as steps.

    A step is taken or refused as a whole, with all widgets it is handed on to. A callback of the user's that
    fails is something else: the step stays, the failure is shown, and raised to who took a step from Python.
    """

    disabled = Bool(False)
    error = Unicode(None, allow_none=True, read_only=True)
    busy = Bool(False, read_only=True)
    #: Everything a step may change. Its copy is put back when a step is refused.
    _core: Any = None
    _depth = 0
    #: Which callbacks failed in this step, in words, and with what.
    _failures: list[tuple[str, BaseException]]
    _trouble: dict[str, Any] | None = None

    # What a widget says about its model

    def _accept(self, patch: Mapping[str, Any]) -> None:
        """Take a step from Python: check, compute, store. Raises and changes nothing when it is wrong."""
        raise NotImplementedError

    def _values(self) -> dict[str, Any]:
        """Return the value of every announced trait; ``busy`` is False where it is not named."""
        raise NotImplementedError

    def _show(self) -> None:
        """Send the whole state to the browser."""
        raise NotImplementedError

    def _input_fault(self) -> PdpError | None:
        """Return what is wrong with the input that stands in the controls."""
        return None

    def _share(self) -> None:
        """Hand a change on to widgets that show the same value."""

    def _taken(self) -> None:
        """Act on a step that nobody refused, before it is shown."""

    # One step

    def _edit(self, patch: Mapping[str, Any]) -> None:
        """Take a step from Python."""

        def change() -> None:
            rest = dict(patch)
            if "disabled" in rest:
                self.set_trait("disabled", as_flag(rest.pop("disabled"), "disabled"))
            if rest:
                self._accept(rest)

        self._step(change)

    def _step(self, change: Callable[[], None], *, browser: bool = False) -> Exception | None:
        """Take a step; one from Python raises what is wrong, one from the browser shows and returns it."""
        refused: Exception | None = None
        with LOCK:
            outermost = self._depth == 0
            trouble, kept, busy = self._trouble, copy.copy(self._core), self.busy
            self._depth += 1
            try:
                if outermost:
                    self._failures = []
                self._trouble = None
                shared = False
                try:
                    change()
                    shared = True
                    self._hand_on()
                    self._taken()
                    # What cannot be shown is not taken: the screen would stay behind what was computed. It is
                    # the last thing that may fail: nothing is sent of a step that is refused.
                    values = self._values()
                    self._show()
                except Exception as error:
                    self._core = kept
                    self.set_trait("busy", busy)
                    if shared:
                        self._take_back()
                        self._taken()
                    if not browser:
                        self._trouble = trouble
                        if outermost:
                            self._report_failures(self._failures)
                        raise
                    refused = error
                    self._trouble = self._own_fault(error)
                    self._show()
                    values = self._values()
                self._announce(values)
                if not outermost or not self._failures:
                    return refused
                words, first = self._failures[0]
                self._trouble = fault(
                    f"Your callback on {words} failed: {_described(first)}. The edit itself was taken; "
                    "the next edit that works clears this message."
                )
                self._show()
                self._announce(self._values())
                failures, self._failures = self._failures, []
            finally:
                self._depth -= 1
            sharer = _sharing.widget
            if sharer is not None:
                mine = f" of the linked {repr(self).strip('<>')}"
                sharer._failures += [(w if " of " in w else w + mine, error) for w, error in failures]
                return refused
            self._report_failures(failures if browser else failures[1:])
        if not browser:
            raise first
        return refused

    def _hand_on(self) -> None:
        with _sharing.by(self):
            self._share()

    def _take_back(self) -> None:
        """Hand the old state on again: one linked widget may have taken what another refused."""
        try:
            self._hand_on()
        except Exception as error:
            self._report(error, "a linked widget")

    def _busily(self, work: Callable[[], None]) -> None:
        """Run a computation of a step with ``busy`` set; the end of the step says whether it still is."""
        self.set_trait("busy", True)
        work()

    def _own_fault(self, error: Exception) -> dict[str, Any]:
        if isinstance(error, PdpError):
            return fault(str(error), error.where)
        self._report(error, "an edit")
        return fault(
            f"Something went wrong in this widget: {_described(error)}. The last results stay; "
            "the next edit that works clears this message.",
            Where("table"),
        )

    def _current_fault(self) -> dict[str, Any] | None:
        return fault_of(self._input_fault()) or self._trouble

    def _announce(self, values: Mapping[str, Any]) -> None:
        current = self._current_fault()
        with self.hold_trait_notifications():
            for name, value in ({"busy": False} | dict(values)).items():
                self.set_trait(name, value)
            self.set_trait("error", None if current is None else current["text"])

    def _notify_observers(self, event: Any) -> None:
        # Each callback of the user's runs inside a step: what it raises is shown, and must not undo the step.
        # A step that the callback itself takes on another widget is the user's own, and raises to the user.
        with _sharing.by(None):
            try:
                super()._notify_observers(event)
            except Exception as error:
                if self._depth == 0:
                    raise
                self._failures.append((repr(event["name"]), error))

    def _report(self, error: BaseException, what: str) -> None:
        """Write an exception where the user looks for them: the notebook's log, or Python's."""
        shell = get_ipython()
        if shell is not None:
            shell.showtraceback((type(error), error, error.__traceback__))
        else:
            self.log.error("%s: %s raised", type(self).__name__, what, exc_info=error)

    def _report_failures(self, failures: list[tuple[str, BaseException]]) -> None:
        for words, failure in failures:
            self._report(failure, f"a callback on {words}")


def _described(error: BaseException) -> str:
    text = str(error).strip()
    kind = type(error).__name__
    return f"{kind}: {text}" if text else kind
