"""What takes longer than an edit: the scale that reaches the goal for all, and the interval of a sample.

None of it may hold an edit up. It is computed on a thread of its own, without the lock, for the newest
question alone, once the page has asked; an edit meanwhile makes the answer void.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.prior.exact_all import check_work
from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis
from pdp_widgets.widgets.histogram_results import NO_CALIBRATION, NO_INTERVAL, Analysis
from pdp_widgets.widgets.running import Ended, Runner, failure_words, tell
from pdp_widgets.widgets.wire import plainly

_LEVEL = 0.95
#: Seconds that the search for a scale that is enough may take by itself.
_LONGEST = 20.0
#: Seconds that an interval may take for which no page has asked.
_MOMENT = 0.5
#: Intervals of one state must not differ from view to view.
_SEED = 0
_NO_INTERVAL = {"low": None, "high": None, "level": _LEVEL}

_numbers = itertools.count(1)


def new_number() -> int:
    """Return a number that stands for one state of the inputs, and for no other of any widget."""
    return next(_numbers)


@dataclass(frozen=True, eq=False)
class LateQuestion:
    """What is asked about one state."""

    results: Analysis
    target: int
    known: tuple[int, ...]
    goal: float
    enough: int
    sample: int | None

    @property
    def key(self) -> tuple[int, int | None]:
        """What tells this question from others."""
        return self.enough, self.sample


def enough_scale(results: Analysis, goal: float, progress: ProgressHook | None = None) -> dict[str, Any]:
    """Return the least scale at which no adversary learns more than the goal, in nats."""
    # ``scale`` is None when any scale will do, or when there is no answer; ``why`` then tells the reason.
    # What ``progress`` raises cancels.
    from pdp_widgets.leakage.prior.calibration import calibrate
    from pdp_widgets.leakage.prior.chosen_adversaries import SCALES_TRIED

    if isinstance(results, HistogramAnalysis):
        return {"scale": None, "why": NO_CALIBRATION}
    if not results.promise > 0:
        return {"scale": None, "why": None}
    seconds = SCALES_TRIED * check_work(results.distribution, results.mechanism, results.convention, math.inf)
    if seconds > _LONGEST:
        # Nobody asked for it: what takes so long waits until somebody does.
        why = (
            f"Not computed by itself: it takes about {seconds:,.0f} s. You can calibrate the results "
            "in a cell."
        )
        return {"scale": None, "why": why}
    try:
        found = calibrate(
            results.distribution,
            results.mechanism.query,
            goal,
            adversaries="all",
            instance=results.instance,
            convention=results.convention,
            progress=progress,
        )
    except PdpError as fault:
        return {"scale": None, "why": plainly(fault)}
    return {"scale": found.scale or None, "why": None}


def sample_interval(
    results: Analysis, target: int, known: tuple[int, ...], limit: float = 60.0
) -> dict[str, Any]:
    """Return the interval of one adversary's leakage, given that the table is a sample, in nats."""
    # ``low`` and ``high`` are None when there is no answer; ``why`` then tells the reason, which is also that
    # it would take more than ``limit`` seconds.
    from pdp_widgets.leakage.prior.uncertainty import leakage_interval

    if isinstance(results, HistogramAnalysis):
        return _NO_INTERVAL | {"why": NO_INTERVAL}
    try:
        found = leakage_interval(
            results.distribution,
            results.mechanism,
            target,
            known if results.convention == "sup" else {k: results.instance[k] for k in known},
            level=_LEVEL,
            rng=_SEED,
            convention=results.convention,
            limit=limit,
        )
    except PdpError as fault:
        return _NO_INTERVAL | {"why": plainly(fault)}
    if found.interval is None:
        return _NO_INTERVAL | {"why": None}
    low, high = found.interval
    return {"low": float(low), "high": float(high), "level": _LEVEL, "why": None}


def quick_sample(question: LateQuestion) -> dict[str, Any] | None:
    """Return the part of an answer that is the interval of the sample, where that takes but a moment."""
    if question.sample is None:
        return None
    found = sample_interval(question.results, question.target, question.known, _MOMENT)
    return None if found["why"] else {"sample": {"of": question.sample, **found}}


class LateWorker:
    """Answers the newest question on a thread that lives while there is one."""

    # A newer question ends the one that is being answered, and takes its place.

    def __init__(
        self,
        answered: Callable[[LateQuestion, dict[str, Any]], bool],
        failed: Callable[[Exception], object],
    ) -> None:
        self._answered, self._failed = answered, failed
        self._runner = Runner(_ignore, _ignore, self._lost, name="pdp-widgets-late")
        self._key: tuple[int, int | None] | None = None

    def ask(self, question: LateQuestion, *, enough: bool) -> None:
        """Ask, in place of what was asked before; ``enough=False`` when that part is known already."""
        if self._runner.number is not None and self._key == question.key:
            return
        self._key = question.key
        self._runner.start(new_number(), partial(self._answer, question, enough))

    def cancel(self) -> None:
        """End what is being answered."""
        self._runner.cancel()

    def _lost(self, _number: int, error: Exception) -> None:
        self._failed(error)

    def _answer(self, question: LateQuestion, enough: bool, wanted: ProgressHook) -> None:
        results = question.results
        # The chosen adversary first: that number stands closest to where the eyes are.
        if question.sample is not None:
            found = self._found(
                partial(sample_interval, results, question.target, question.known), _NO_INTERVAL
            )
            wanted(0.0)
            if not self._send(question, {"sample": {"of": question.sample, **found}}):
                return
        if enough:
            found = self._found(partial(enough_scale, results, question.goal, wanted), {"scale": None})
            wanted(1.0)
            self._send(question, {"enough": {"of": question.enough, **found}})

    def _found(self, compute: Callable[[], dict[str, Any]], none: dict[str, Any]) -> dict[str, Any]:
        """Return a part of the answer, or why there is none: the page waits for it."""
        try:
            return compute()
        except Ended:
            raise
        except Exception as error:
            tell(self._failed, error)
            return none | {"why": failure_words(error)}

    def _send(self, question: LateQuestion, part: dict[str, Any]) -> bool:
        try:
            return self._answered(question, part)
        except Exception as error:
            tell(self._failed, error)
            return True


def _ignore(*_: Any) -> None:
    """Late numbers tell no share, and each part is sent when it is there."""
