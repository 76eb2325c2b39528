"""What a stream leaks when it is released symbol by symbol: every step, all steps, and bounds on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import DELTA, EPSILON, SECONDS, as_size
from pdp_widgets.core.chart import Axis, Chart, curve, curves, parted
from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.core.results import Figures, Reported, Result, TableResult, plotted
from pdp_widgets.errors import ChainError, DomainError, LimitError, Where
from pdp_widgets.leakage.meaning.meaning import Meaning
from pdp_widgets.leakage.meaning.sources import sequence_laws
from pdp_widgets.leakage.result_frames import as_dataframe
from pdp_widgets.leakage.sequence.batched_stream import (
    BatchSource,
    WindowSource,
    as_released,
    digits_of,
    distances_by_step,
)
from pdp_widgets.leakage.sequence.composition import Composition, best_bounds, compose
from pdp_widgets.leakage.sequence.pointwise import Tail, pointwise_leakages, tail_of
from pdp_widgets.leakage.sequence.release_levels import MOST_HISTORIES, Step, step_mechanisms
from pdp_widgets.leakage.sequence.sequence_leakage import METHODS, Method, SequenceLeakage, sequence_leakage
from pdp_widgets.leakage.sequence.step_leakage import as_drawn, as_steps, delta_words, stream_leakage
from pdp_widgets.leakage.sequence.step_leakages import SequenceInformation, StepGatherer, StepLeakages
from pdp_widgets.leakage.sequence.stream_source import source_of
from pdp_widgets.leakage.value import AboutAll, Leakage
from pdp_widgets.mechanisms.sequence.sequence_by_name import sequence_mechanism_named
from pdp_widgets.mechanisms.sequence.sequence_mechanism import within
from pdp_widgets.models.labels import Label, as_choice, how_many


def mechanism_words(mechanisms: Sequence[Step]) -> str:
    """Return the mechanism in words, with its budget where all steps have one."""
    labels = sorted({_mechanism_label(one) for one in mechanisms})
    if len(labels) != 1:
        return f"{len(labels)} mechanisms" if labels else "no release"
    budgets = {getattr(one, "epsilon", None) for one in mechanisms}
    budget = budgets.pop() if len(budgets) == 1 else None
    if budget is None:
        return labels[0]
    return f"{labels[0]}, ε = {'∞' if budget == inf else format(budget, '.6g')}"


def _mechanism_label(mechanism: Step) -> str:
    named = getattr(mechanism, "label", None) or getattr(mechanism, "__name__", None)
    return str(named) if named and str(named) != "<lambda>" else "given channels"


def sequence_frame(analysis: SequenceAnalysis, promised: str) -> Any:
    """Return one row for each step, see `SequenceAnalysis.to_dataframe`."""
    result, steps = analysis.result, analysis.steps
    achieved = best_bounds(result.per_step, analysis.delta)
    columns: dict[str, Any] = {
        "step": np.arange(1, analysis.n_steps + 1),
        "promised": steps.promised,
        "leakage": steps.worst,
        "expected leakage": steps.expected,
        "chance above promise": steps.broken,
        "LDP level": steps.local,
        "error": steps.error,
        "information": steps.information,
        "leakage so far": result.so_far,
        "composed so far": result.composed_so_far,
        "linear so far": achieved["linear"],
        "advanced so far": achieved["advanced"],
        "best so far": achieved["best"],
        "promised so far": np.cumsum(steps.promised),
    }
    exact = ("leakage", "expected leakage", "LDP level", "leakage so far")
    bounds = ("composed so far", "linear so far", "advanced so far", "best so far")
    status = dict.fromkeys(exact, "exact") | dict.fromkeys(bounds, "bound") | {"promised so far": promised}
    attrs = {"unit": "nats", "source": result.leakage.source, "status": status, "delta": analysis.delta}
    return as_dataframe(columns, attrs)


def sequence_figures(analysis: SequenceAnalysis, promised: str) -> Figures:
    """Return the charts of a stream by name: ``total``, ``steps`` and ``errors``."""
    return {
        "total": lambda: _total(analysis, promised),
        "steps": lambda: _each(analysis),
        "errors": lambda: _errors(analysis),
    }


def _total(analysis: SequenceAnalysis, promised: str) -> Chart:
    result, budgets = analysis.result, analysis.budgets
    chosen = as_drawn(analysis.n_steps)
    at, status = chosen + 1, "a bound" if promised == "bound" else promised
    series = [
        curve("exact", at, result.so_far[chosen], "a"),
        curve("sum along the worst releases, a bound", at, result.composed_so_far[chosen], "b", "dotted"),
    ]
    if not np.isfinite(budgets).all():
        series.append(curve(f"sum of budgets, {status}", at, np.cumsum(budgets)[chosen], "promise", "dashed"))
    else:
        bounds = best_bounds(budgets, analysis.delta)
        linear, best = bounds["linear"][chosen], bounds["best"][chosen]
        series.append(curve(f"sum of budgets, {status}", at, linear, "promise", "dashed"))
        if (best < linear - 1e-12).any():
            named = f"but for delta {delta_words(analysis.delta)}, {status}"
            series.append(curve(named, at, best, "promise", "dotted"))
    return Chart(
        f"All {_unit(analysis)} so far: {analysis.mechanism_label}",
        series,
        _across(analysis),
        Axis("leakage, nats", low=0.0),
        note=_about(analysis),
    )


def _each(analysis: SequenceAnalysis) -> Chart:
    steps, chosen = analysis.steps, as_drawn(analysis.n_steps)
    at, worst, budgets = chosen + 1, steps.worst[chosen], steps.promised[chosen]
    series = [
        curve("on average", at, steps.expected[chosen], "b", "dotted"),
        curve("budget", at, budgets, "promise", "dashed"),
    ]
    over = np.isfinite(budgets) & ~within(worst, budgets)
    named = "after the worst releases"
    series += parted(at, worst, over, (named, f"{named}, above the budget"))
    return Chart(
        f"Each {steps.unit}: {analysis.mechanism_label}",
        series,
        _across(analysis),
        Axis("leakage, nats, exact", low=0.0),
        note=_about(analysis),
    )


def _errors(analysis: SequenceAnalysis) -> Chart:
    steps, chosen = analysis.steps, as_drawn(analysis.n_steps)
    return Chart(
        f"Errors: {analysis.mechanism_label}",
        curves(chosen + 1, [("mean distance", steps.error[chosen])]),
        _across(analysis),
        Axis("distance", low=0.0),
        note=_about(analysis),
    )


def _across(analysis: SequenceAnalysis) -> Axis:
    return Axis(analysis.steps.unit, 0.5, analysis.n_steps + 0.5, whole=True)


def _unit(analysis: SequenceAnalysis) -> str:
    return "batches" if analysis.steps.unit == "batch" else "steps"


def _about(analysis: SequenceAnalysis) -> str:
    """Say what the numbers hold for, in one sentence."""
    told = f"{how_many(analysis.n_steps, analysis.steps.unit)}: {analysis.mechanism_label}"
    return f"Leakage in nats of {told}; for the stated law of the stream."


Floats = NDArray[np.float64]

#: A linear program takes milliseconds: so many of them are waited for.
_MOST_PROGRAMS = 4096


class SequenceAnalysis(Result, TableResult, Reported):
    r"""What a stream leaks when it is released symbol by symbol.

    Parameters
    ----------
    chain
        A `MarkovChain`, a `HistorySource`, or a pair of a start law and a transition matrix.
    mechanism
        How each symbol is released: a mechanism, or a list with one for each step. A function from a belief
        to a matrix will do. By key, such as ``"crr_balanced"``, with ``epsilon``. With a `BatchRelease` what
        is said of steps is said of batches, the last of which may be shorter.
    steps
        Number of steps.
    delta
        Probability with which the advanced bounds may be passed.
    epsilon
        The budget of every step, for a mechanism given by its key.
    distance
        What errors are counted in: a `Distance`, its name, a matrix, or None for 0 or 1. Of batches the
        sum over their steps.
    method
        ``"separated"``, ``"tree"`` or ``"enumeration"``; without it the quickest that applies. All are exact.

    Raises
    ------
    LimitError
        When results are asked for: the stream is too long for exact results. ``promised`` is
        there for up to 1,000,000 steps; more are refused at once.

    Notes
    -----
    Leakages are computed from the channels that are used after every possible release, never from budgets.
    They hold for the law of the chain; ``ldp`` is what remains if that law is wrong. For a mechanism that
    looks at the true symbol before too, the leakage of a step is about both symbols.

    Figures: ``"total"``, ``"steps"`` and ``"errors"``. Its LaTeX table has a step a row.

    Examples
    --------
    >>> from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis
    >>> chain = ([0.05, 0.95], [[0.9, 0.1], [0.1, 0.9]])
    >>> printed = SequenceAnalysis(chain, "crr", 4, epsilon=1.0)
    >>> print(printed.sequence, printed.promised.linear, sep="\n")
    5.10795 nats (exact): all 4 steps
    4 nats (as printed): all 4 steps
    >>> printed.steps.worst.round(3).tolist(), printed.keeps_promise
    ([2.566, 1.771, 1.628, 1.59], False)
    >>> SequenceAnalysis(chain, "crr_balanced", 4, epsilon=1.0).keeps_promise
    True
    """

    def __init__(
        self,
        chain: Any,
        mechanism: str | Step | Sequence[Step],
        steps: int,
        delta: float = 1e-5,
        *,
        epsilon: float | None = None,
        distance: Any = None,
        method: Method | None = None,
    ) -> None:
        self._chain = chain
        if isinstance(mechanism, str):
            mechanism = sequence_mechanism_named(mechanism, epsilon)
        elif epsilon is not None:
            raise DomainError(
                "epsilon goes with the key of a mechanism; a mechanism has its own budget.",
                Where("parameter", name="epsilon"),
            )
        given: Any = mechanism
        self._source, each, self._n_steps = as_released(source_of(chain), given, as_steps(steps))
        self._mechanisms = tuple(step_mechanisms(each, self._n_steps))
        self._delta = DELTA.take(delta, "delta")
        # What is no distance is refused now; kept are the arguments, which can be pickled.
        self._given, self._distance = given, distance
        self._distances()
        self._method = None if method is None else as_choice(method, "method", METHODS)
        self._walked: tuple[SequenceLeakage, StepLeakages] | None = None

    def _distances(self) -> Callable[[int], Floats]:
        return distances_by_step(self._source, self._given, self._distance)

    @property
    def chain(self) -> Any:
        """The law of the stream, as it was given."""
        return self._chain

    @property
    def mechanisms(self) -> tuple[Step, ...]:
        """The mechanism of every step."""
        return self._mechanisms

    @property
    def n_steps(self) -> int:
        """Number of steps, or of batches."""
        return self._n_steps

    @property
    def delta(self) -> float:
        """Probability with which the advanced bounds may be passed."""
        return self._delta

    @property
    def budgets(self) -> Floats:
        """The budget of every step in nats, NaN for a mechanism without one."""
        return np.array([_budget(one) for one in self._mechanisms])

    @property
    def mechanism_label(self) -> str:
        """The mechanism in words, with its budget where all steps have one."""
        return mechanism_words(self._mechanisms)

    def compute(self, progress: ProgressHook | None = None, *, limit: float = 60.0) -> SequenceAnalysis:
        """Compute what results rest on now, with progress; otherwise that is done when it is asked for.

        Parameters
        ----------
        progress
            Told the share done; what it raises cancels.
        limit
            Seconds, after which it is ended; ``math.inf`` for no limit.

        Raises
        ------
        LimitError
            There are too many release histories or pairs, or they take longer than the limit.
        """
        limit = SECONDS.take(limit, "limit")
        if self._walked is None:
            gatherer = StepGatherer(self.budgets, self._distances())
            result = sequence_leakage(
                self._source,
                list(self._mechanisms),
                self._n_steps,
                self._method,
                most=self._most_histories,
                limit=limit,
                progress=progress,
                watch=gatherer.watch,
            )
            self._walked = result, gatherer.with_leakages(result)
        return self

    @property
    def _most_histories(self) -> int:
        programs = self._source.n > 2 and any(
            getattr(one, "name", "") == "optimum" for one in self._mechanisms
        )
        return _MOST_PROGRAMS if programs else MOST_HISTORIES

    @property
    def result(self) -> SequenceLeakage:
        """The leakage of the stream with where it is reached and how it was computed."""
        self.compute()
        assert self._walked is not None
        return self._walked[0]

    @property
    def steps(self) -> StepLeakages:
        """What the single steps leak: the worst over the releases before, and the mean."""
        self.compute()
        assert self._walked is not None
        return self._walked[1]

    @property
    def sequence(self) -> Leakage:
        """What all steps leak together (SIL), exact."""
        return self.result.leakage

    @property
    def worst_case(self) -> tuple[tuple[Label, ...], tuple[Label, ...]]:
        """A data and a release sequence that reach the leakage, as labels.

        Examples
        --------
        >>> from pdp_widgets import MarkovChain
        >>> rain = MarkovChain([[0.9, 0.1], [0.3, 0.7]], states=["dry", "wet"])
        >>> SequenceAnalysis(rain, "crr", 2, epsilon=0.5).worst_case
        (('wet', 'wet'), ('wet', 'wet'))
        """
        data, released = self.result.data, self.result.released
        source, n = self._source, self._source.n
        batches = source.source if isinstance(source, WindowSource) else source
        if isinstance(batches, BatchSource):
            n, sizes = batches.step_symbols, [batches.size_of(k) for k in range(len(data))]
            data, released = (digits_of(part, n, sizes) for part in (data, released))
        states = getattr(self._chain, "states", range(n))
        return tuple(states[k] for k in data), tuple(states[k] for k in released)

    @property
    def composed(self) -> Leakage:
        """The largest sum of what the steps leak along one release history."""
        return self.result.composed

    @property
    def method(self) -> Method:
        """How the leakage was computed: ``"separated"``, ``"tree"`` or ``"enumeration"``."""
        return self.result.method

    @cached_property
    def composition(self) -> Composition:
        """Bounds from what each step leaks at most, as achieved."""
        return compose(self.result.per_step.tolist(), delta=self._delta, unit=self._source.unit)

    @cached_property
    def promised(self) -> Composition:
        """What the budgets add up to, for any number of steps.

        The linear and the advanced one are bounds where every step keeps its budget. Where one breaks it, or
        the stream is too long to tell, they are ``as printed``: a claim that need not hold.

        Raises
        ------
        DomainError
            A mechanism has no budget.
        """
        budgets = self.budgets
        if np.isnan(budgets).any():
            raise DomainError(
                "A mechanism has no budget; bounds from what is leaked are in composition.",
                Where("parameter", name="mechanism"),
            )
        found = compose(budgets.tolist(), delta=self._delta, unit=self._source.unit)
        if self._promise_holds:
            return found
        return replace(
            found,
            linear=replace(found.linear, status="as printed"),
            advanced=replace(found.advanced, status="as printed"),
        )

    @property
    def keeps_promise(self) -> bool:
        """Whether no step leaks more than its budget after any release; False without a budget."""
        return bool(within(self.steps.worst, self.budgets).all())

    @property
    def _promise_holds(self) -> bool:
        if all(getattr(one, "private", False) for one in self._mechanisms):
            return True
        try:
            return self.keeps_promise
        except LimitError:
            # Nobody knows: what is not known to hold is no bound.
            return False

    @property
    def ldp(self) -> Leakage:
        """The level of local privacy of all releases, on data that can occur.

        It does not depend on how likely the data are: it survives a wrong chain with the same possible
        sequences, while the mechanism uses this one. ``exact``, or where release histories were merged a
        ``bound``: the sum over the steps.
        """
        level, source = self.result.local_level, "local differential privacy"
        if level is not None:
            return stream_leakage(level, "exact", self._n_steps, source, unit=self._source.unit)
        total = float(self.result.local_per_step.sum())
        return stream_leakage(total, "bound", self._n_steps, source, unit=self._source.unit)

    @property
    def information(self) -> SequenceInformation:
        """The mutual information of data and releases: the mean, where ``sequence`` is the worst case."""
        return SequenceInformation(self.steps.information)

    def tail(self, threshold: float) -> Tail:
        """Return how often all steps together leak more than a threshold in nats, by enumeration.

        Raises
        ------
        LimitError
            There are too many pairs of data and releases.

        Examples
        --------
        >>> chain = ([0.5, 0.5], [[0.8, 0.2], [0.2, 0.8]])
        >>> found = SequenceAnalysis(chain, "binary_optimum", 6, epsilon=0.3).tail(1.1)
        >>> round(found.joint, 6), round(found.worst_one_sided, 6)
        (0.052255, 0.078529)
        """
        return tail_of(self._pairs, threshold)

    @cached_property
    def _pairs(self) -> Any:
        return pointwise_leakages(self._source, list(self._mechanisms), self._n_steps)

    def meaning(self, step: int, *, limit: float = 60.0, progress: ProgressHook | None = None) -> Meaning:
        """Return what all releases together say about the symbol of one step, in every measure.

        Parameters
        ----------
        step
            From 1; of batches the number of one.
        limit, progress
            Seconds after which it is ended, and who is told the share done.

        Raises
        ------
        LimitError
            There are more than 5,000,000 release sequences, or they take longer than the limit.

        Examples
        --------
        >>> from pdp_widgets import MarkovChain
        >>> stream = MarkovChain.symmetric(0.9, start=[0.05, 0.95])
        >>> print(SequenceAnalysis(stream, "crr_balanced", 4, epsilon=1.0).meaning(1).measure("advantage"))
        advantage 0.377122 chance (exact): step 1, from all releases
        """
        target = as_size(step, "step", 1, self._n_steps, ChainError) - 1
        laws = sequence_laws(self._source, self._mechanisms, target, limit, progress)
        return Meaning(laws, AboutAll(f"{self._source.unit} {target + 1}"))

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one step a row.

        Columns with ``so far`` are about the first steps together, up to that one.
        """
        return sequence_frame(self, "bound" if self._promise_holds else "as printed")

    def plot(self, part: str = "total") -> Any:
        """Return a bqplot figure by step.

        Parameters
        ----------
        part
            ``"total"``: what all steps so far leak, and the bounds. ``"steps"``: what each step leaks, beside
            its budget. ``"errors"``: the mean distance of release and data.
        """
        drawn = self._figures()
        return plotted(drawn[as_choice(part, "part", drawn)]())

    def _figures(self) -> Figures:
        return sequence_figures(self, "bound" if self._promise_holds else "as printed")

    def __repr__(self) -> str:
        symbols = f"{self._source.n} symbol{'s' if self._source.n != 1 else ''}"
        many = "batches" if self._source.unit == "batch" else "steps"
        return f"SequenceAnalysis({symbols}, {self.mechanism_label}, {self._n_steps} {many})"


def _budget(mechanism: Any) -> float:
    """Return the budget of a mechanism, NaN where it has none."""
    budget = getattr(mechanism, "epsilon", None)
    return np.nan if budget is None or budget != budget else EPSILON.take(budget, "epsilon of the mechanism")
