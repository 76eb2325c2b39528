"""What takes longer than an edit: the scale that keeps the promise for all, and the interval of a sample.

None of it may hold an edit up. It is computed on a thread of its own, without the lock, for the newest
question alone, once the page has asked; an edit meanwhile makes the answer void.
"""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.leakage.prior.exact_all import check_work

__all__ = ["Convention", "LateQuestion", "LateWorker", "new_number"]

Convention: TypeAlias = Literal["instance", "sup"]

_LEVEL = 0.95
#: Scales that are tried for one that is enough, about, and the seconds that this may take.
_SCALES, _LONGEST = 20, 20.0
#: Intervals of one state must not differ from view to view.
_SEED = 0

_numbers = itertools.count(1)


def new_number() -> int:
    """Return a number that stands for one state of the inputs, and for no other of any widget."""
    return next(_numbers)


@dataclass(frozen=True, eq=False)
class LateQuestion:
    """What is asked about one state.

    Parameters
    ----------
    results
        The analysis.
    target, known
        The chosen adversary.
    enough, sample
        Numbers of the state that the answers belong to; ``sample`` is None when the table is no sample.
    """

    results: PriorAnalysis
    target: int
    known: tuple[int, ...]
    enough: int
    sample: int | None

    @property
    def key(self) -> tuple[int, int | None]:
        """What tells this question from others."""
        return self.enough, self.sample


def enough_scale(results: PriorAnalysis) -> dict[str, Any]:
    """Return the least scale at which no adversary learns more than is promised now.

    ``scale`` is None when any scale will do, or when there is no answer; ``why`` then tells the reason.
    """
    from pdp_widgets.leakage.prior.calibration import calibrate

    if not results.promise > 0:
        return {"scale": None, "why": None}
    seconds = _SCALES * check_work(results.distribution, results.mechanism, results.convention, math.inf)
    if seconds > _LONGEST:
        # Nobody asked for it, and it cannot be ended: what takes so long waits until somebody does.
        call = f"explorer.results.calibrate({results.promise:.6g}, limit={math.ceil(seconds / 60) * 60 * 2})"
        why = f"Not computed by itself, since it takes about {seconds:,.0f} s. In Python: {call}."
        return {"scale": None, "why": why}
    try:
        found = calibrate(
            results.distribution,
            results.mechanism.query,
            results.promise,
            adversaries="all",
            instance=results.instance,
            convention=results.convention,
        )
    except PdpError as fault:
        return {"scale": None, "why": str(fault)}
    return {"scale": found.scale or None, "why": None}


def sample_interval(results: PriorAnalysis, target: int, known: tuple[int, ...]) -> dict[str, Any]:
    """Return the interval of one adversary's leakage, given that the table is a sample, in nats.

    ``low`` and ``high`` are None when there is no answer; ``why`` then tells the reason.
    """
    from pdp_widgets.leakage.prior.uncertainty import leakage_interval

    none = {"low": None, "high": None, "level": _LEVEL}
    try:
        found = leakage_interval(
            results.distribution,
            results.mechanism,
            target,
            known if results.convention == "sup" else {k: results.instance[k] for k in known},
            level=_LEVEL,
            rng=_SEED,
            convention=results.convention,
        )
    except PdpError as fault:
        return none | {"why": str(fault)}
    if found.interval is None:
        return none | {"why": None}
    low, high = found.interval
    return {"low": float(low), "high": float(high), "level": _LEVEL, "why": None}


class LateWorker:
    """Answers the newest question on a thread that lives while there is one.

    Parameters
    ----------
    answered
        Called on that thread with a question and a part of the answer, as soon as that part is there:
        ``{"enough": ...}`` or ``{"sample": ...}``. It returns False when the rest is no longer wanted.
    failed
        Called on that thread with the exception of a computation that failed.
    """

    def __init__(
        self,
        answered: Callable[[LateQuestion, dict[str, Any]], bool],
        failed: Callable[[Exception], None],
    ) -> None:
        self._answered, self._failed = answered, failed
        self._guard = threading.Lock()
        self._next: tuple[LateQuestion, bool] | None = None
        self._at: tuple[int, int | None] | None = None
        self._running = False

    def ask(self, question: LateQuestion, *, enough: bool) -> None:
        """Ask, in place of what waits; ``enough=False`` when that part is known already."""
        with self._guard:
            if self._running and self._next is None and self._at == question.key:
                return
            self._next = question, enough
            if self._running:
                return
            self._running = True
        threading.Thread(target=self._run, name="pdp-widgets-late", daemon=True).start()

    def close(self) -> None:
        """Forget what waits."""
        with self._guard:
            self._next = None

    def _run(self) -> None:
        while True:
            with self._guard:
                if self._next is None:
                    self._running, self._at = False, None
                    return
                (question, enough), self._next = self._next, None
                self._at = question.key
            try:
                self._answer(question, enough)
            except Exception as error:
                self._failed(error)

    def _answer(self, question: LateQuestion, enough: bool) -> None:
        # The chosen adversary first: that number stands closest to where the eyes are.
        if question.sample is not None:
            found = sample_interval(question.results, question.target, question.known)
            if not self._answered(question, {"sample": {"of": question.sample, **found}}):
                return
        if enough:
            found = enough_scale(question.results)
            self._answered(question, {"enough": {"of": question.enough, **found}})
