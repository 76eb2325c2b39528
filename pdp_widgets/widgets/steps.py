"""One step at a time: computed aside under one lock, taken by all linked widgets or none, then announced."""

from __future__ import annotations

import copy
import os
import threading
from collections.abc import Callable, Mapping
from typing import Any

from IPython import get_ipython
from ipywidgets.widgets.widget import LoggingHasTraits
from traitlets import Bool, Bunch, Unicode

from pdp_widgets.core.converters import as_flag
from pdp_widgets.errors import PdpError, Where
from pdp_widgets.widgets.wire import fault, fault_of, plainly

#: One lock for all widgets of a process: comm messages may run on a second thread, and two linked widgets
#: with a lock each would wait for each other.
LOCK = threading.RLock()


def _unlocked() -> None:
    """Let a forked process take steps: one that another thread was in does not go on there."""
    lock: Any = LOCK
    if not lock._is_owned():
        lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlocked)


class _Step:
    """The widgets that one step changes, what they were, and what they become."""

    # An interrupt, or the end of memory, may come between any two operations. So all that a step changes is
    # computed aside and stored by plain assignments: until `ready` has set ``after`` the step is undone, from
    # then on it is finished.

    def __init__(self) -> None:
        self.before: dict[Stepwise, tuple[dict[str, Any], bool]] = {}
        self.after: list[tuple[Stepwise, dict[str, Any], dict[str, Any]]] = []
        self.changes: list[tuple[Stepwise, Bunch]] = []
        #: Which callbacks failed, of which widget and in words, and with what.
        self.failures: list[tuple[Stepwise, str, Exception]] = []

    def join(self, widget: Stepwise) -> None:
        """Remember what a widget was."""
        if widget not in self.before:
            names = ("_disabled", "_trouble", *widget._beside_core)
            state = {name: getattr(widget, name) for name in names}
            self.before[widget] = {"_core": copy.copy(widget._core), **state}, widget.busy

    def ready(self, *, view: bool = True) -> None:
        """Compute what all announce and show; what cannot be shown is not taken."""
        after, changes = [], []
        for widget in self.before:
            memory, traits = widget._announced(view=view)
            for name, value in traits.items():
                traits[name] = getattr(type(widget), name)._validate(widget, value)
                change = _change(widget, name, traits[name])
                if change is not None:
                    changes.append((widget, change))
            after.append((widget, memory, traits))
        # The screen first: a callback may take long.
        self.changes = sorted(changes, key=lambda told: told[1].name != "_view")
        self.after = after

    def store(self) -> None:
        """Let all be what they become; once more where that was interrupted."""
        for widget, memory, traits in self.after:
            widget.__dict__.update(memory)
            widget._trait_values.update(traits)

    def undo(self) -> None:
        """Let all be what they were, and what runs beside them too."""
        self.changes = []
        for widget, (state, busy) in self.before.items():
            widget.__dict__.update(state)
            change = _change(widget, "busy", busy)
            widget._trait_values["busy"] = busy
            if change is not None:
                self.changes.append((widget, change))
        for widget in self.before:
            widget._taken()
        self.tell()

    def tell(self) -> None:
        """Tell browsers and observers; what is left, where that was interrupted."""
        while self.changes:
            widget, change = self.changes[0]
            if change.name == "_view":
                # Twice does no harm.
                widget.notify_change(change)
                widget._displayed()
                self.changes.pop(0)
            else:
                # A callback that was interrupted is not called again.
                self.changes.pop(0)
                widget.notify_change(change)


def _change(widget: Stepwise, name: str, new: Any) -> Bunch | None:
    old = widget._trait_values.get(name, getattr(type(widget), name).default_value)
    try:
        equal = bool(old == new)
    except Exception:
        equal = False
    return None if equal else Bunch(name=name, old=old, new=new, owner=widget, type="change")


class _Present(threading.local):
    """The steps that are under way, in each thread, each within a callback of the one before."""

    # None stands for a callback: what it changes is a step of the user's own. Without it, what a step changes
    # in a linked widget belongs to that step. It is set by plain assignments: a context manager of Python's
    # own can be interrupted before it takes anything back. And it is no context variable: a widget is also
    # closed by a collection, and where Python 3.11 collects while it sets one context variable, setting
    # another ends the process.

    steps: tuple[_Step | None, ...] = ()

    def of(self, widget: Stepwise) -> _Step | None:
        """Return the outermost step that changes a widget."""
        return next((step for step in self.steps if step is not None and widget in step.before), None)


_present = _Present()


class Stepwise(LoggingHasTraits):
    """Takes changes as steps."""

    # A step is taken or refused as a whole, with all widgets it is handed on to, whatever ends it: wrong
    # input, an interrupt, the end of memory. A callback of the user's that fails is something else: the step
    # stays, the failure is shown, and raised to the one who took a step from Python.

    disabled = Bool(False)
    error = Unicode(None, allow_none=True, read_only=True)
    busy = Bool(False, read_only=True)
    #: Everything a step may change. Its copy is put back when a step is refused.
    _core: Any = None
    #: Attributes beside the core that a step may set.
    _beside_core: tuple[str, ...] = ()
    _disabled = False
    _trouble: dict[str, Any] | None = None

    # What a widget says about its model

    def _accept(self, patch: Mapping[str, Any]) -> None:
        """Take a step from Python: check, compute, store. Raises and changes nothing when it is wrong."""
        raise NotImplementedError

    def _values(self) -> dict[str, Any]:
        """Return the value of every announced trait; ``busy`` is False where it is not named."""
        raise NotImplementedError

    def _next_view(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return attributes to remember, and what the browser is to show."""
        raise NotImplementedError

    def _displayed(self) -> None:
        """Act on a view that was sent."""

    def _input_fault(self) -> PdpError | None:
        """Return what is wrong with the input that stands in the controls."""
        return None

    def _share(self) -> None:
        """Hand a change on to widgets that show the same value."""

    def _taken(self) -> None:
        """Let what runs beside follow the state: after a step that nobody refused, or one that was undone."""

    # One step

    def _edit(self, patch: Mapping[str, Any]) -> None:
        """Take a step from Python."""

        def change() -> None:
            rest = dict(patch)
            if "disabled" in rest:
                self._disabled = as_flag(rest.pop("disabled"), "disabled")
            if rest:
                self._accept(rest)

        self._step(change)

    def _step(self, change: Callable[[], None], *, browser: bool = False) -> Exception | None:
        """Take a step; one from Python raises what is wrong, one from the browser shows and returns it."""
        with LOCK:
            around = _present.steps
            if around and around[-1] is not None:
                # The step of a linked widget, which takes or refuses it.
                self._change(around[-1], change)
                return None
            step = _Step()
            ending: BaseException | None = None
            try:
                try:
                    _present.steps = (*around, step)
                    self._change(step, change)
                    for widget in step.before:
                        widget._taken()
                    step.ready()
                    step.store()
                    step.tell()
                except BaseException as error:
                    if not step.after:
                        step.undo()
                        return self._refused(step, error, browser=browser)
                    ending = error
                    step.store()
                    step.tell()
                failures = self._blame(step)
            finally:
                _present.steps = around
            if ending is not None and not (browser and isinstance(ending, Exception)):
                self._report_failures(failures)
                raise ending
            if ending is not None:
                self._report(ending, "an edit")
            self._report_failures(failures if browser else failures[1:])
            if failures and not browser:
                raise failures[0][1]
            return None

    def _change(self, step: _Step, change: Callable[[], None]) -> None:
        step.join(self)
        self._trouble = None
        change()
        self._share()

    def _refused(self, step: _Step, error: BaseException, *, browser: bool) -> Exception | None:
        """Raise why a step was not taken, or show it where a browser waits for an answer, and return it."""
        if browser:
            self._show(_trouble=self._own_fault(error))
        self._report_failures([(words, failure) for _, words, failure in step.failures])
        if browser and isinstance(error, Exception):
            return error
        raise error

    def _blame(self, step: _Step) -> list[tuple[str, Exception]]:
        """Show which callbacks failed; return them, unless a step around this one tells them."""
        for widget in {widget: None for widget, _, _ in step.failures if widget is not self}:
            widget._show_failure([(words, e) for who, words, e in step.failures if who is widget])
        failures = [
            (words if widget is self or " of " in words else f"{words} of the linked {widget._called}", e)
            for widget, words, e in step.failures
        ]
        around = _present.of(self)
        if around is not None and around is not step:
            around.failures += [(self, *failure) for failure in failures]
            return []
        if failures:
            count = len(step.failures)
            self._show_failure(failures)
            failures += [(words, e) for _, words, e in step.failures[count:]]
        return failures

    def _show_failure(self, failures: list[tuple[str, Exception]]) -> None:
        words, first = failures[0]
        text = (
            f"Your callback on {words} failed: {_described(first)}. The edit itself was taken; "
            "the next edit that works clears this message."
        )
        self._show(_trouble=fault(text))

    def _show(self, change: Callable[[], object] = lambda: None, *, view: bool = True, **beside: Any) -> None:
        """Announce and show the state, after a change that nobody can refuse and that no other widget has."""
        step = _Step()
        around = _present.steps
        _present.steps = (*around, step)
        try:
            step.join(self)
            self.__dict__.update(beside)
            change()
            step.ready(view=view)
            step.store()
            step.tell()
        except BaseException:
            if step.after:
                step.store()
                step.tell()
            else:
                step.undo()
            raise
        finally:
            _present.steps = around
        self._report_failures([(words, e) for _, words, e in step.failures])

    def _busily(self, work: Callable[[], None]) -> None:
        """Run a computation of a step with ``busy`` set; the end of the step says whether it still is."""
        self.set_trait("busy", True)
        work()

    def _own_fault(self, error: BaseException) -> dict[str, Any]:
        if isinstance(error, PdpError):
            return fault(plainly(error), error.where)
        what = "The computation was interrupted."
        if isinstance(error, Exception):
            self._report(error, "an edit")
            what = f"Something went wrong in this widget: {_described(error)}."
        if isinstance(error, MemoryError):
            what = "There is not enough memory for this."
        return fault(
            f"{what} The last results stay; the next edit that works clears this message.", Where("table")
        )

    def _current_fault(self) -> dict[str, Any] | None:
        return fault_of(self._input_fault()) or self._trouble

    def _announced(self, *, view: bool) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return attributes to remember, and the traits of the state as it is."""
        current = self._current_fault()
        traits = {"busy": False, **self._values(), "disabled": self._disabled}
        traits["error"] = None if current is None else current["text"]
        if not view:
            return {}, traits
        memory, traits["_view"] = self._next_view()
        return memory, traits

    def _notify_observers(self, event: Any) -> None:
        # Each callback of the user's runs inside a step: what it raises is shown, and must not undo the step.
        # A step that the callback itself takes on another widget is the user's own, and raises to the user.
        step, around = _present.of(self), _present.steps
        _present.steps = (*around, None)
        try:
            super()._notify_observers(event)
        except Exception as error:
            if step is None:
                raise
            step.failures.append((self, repr(event["name"]), error))
        finally:
            _present.steps = around

    @property
    def _called(self) -> str:
        return repr(self).strip("<>")

    def _report(self, error: BaseException, what: str) -> None:
        """Write an exception where the user looks for them: the notebook's log, or Python's."""
        shell = get_ipython()
        if shell is not None:
            shell.showtraceback((type(error), error, error.__traceback__))
        else:
            self.log.error("%s: %s raised", type(self).__name__, what, exc_info=error)

    def _report_failures(self, failures: list[tuple[str, Exception]]) -> None:
        for words, failure in failures:
            self._report(failure, f"a callback on {words}")


def _described(error: BaseException) -> str:
    text = str(error).strip()
    kind = type(error).__name__
    return f"{kind}: {text}" if text else kind
