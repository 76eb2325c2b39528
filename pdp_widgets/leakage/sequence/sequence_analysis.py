"""What a stream leaks when it is released symbol by symbol: every step, all steps, and bounds on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.leakage.sequence.about import as_steps, stream_leakage
from pdp_widgets.leakage.sequence.batch_source import BatchSource
from pdp_widgets.leakage.sequence.batched_stream import as_released, digits_of, distances_by_step
from pdp_widgets.leakage.sequence.composition import Composition, compose
from pdp_widgets.leakage.sequence.mechanism_words import mechanism_words
from pdp_widgets.leakage.sequence.mutual_information import SequenceInformation
from pdp_widgets.leakage.sequence.pointwise import pointwise_leakages
from pdp_widgets.leakage.sequence.release_levels import MOST_HISTORIES, Step, step_mechanisms
from pdp_widgets.leakage.sequence.sequence_leakage import METHODS, Method, SequenceLeakage, sequence_leakage
from pdp_widgets.leakage.sequence.step_leakages import StepGatherer, StepLeakages
from pdp_widgets.leakage.sequence.stream_source import source_of
from pdp_widgets.leakage.sequence.tails import Tail, tail_of
from pdp_widgets.leakage.sequence.window_source import WindowSource
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.local.parameters import as_delta, as_epsilon
from pdp_widgets.mechanisms.sequence.sequence_by_name import sequence_mechanism_named
from pdp_widgets.mechanisms.sequence.step_channel import within
from pdp_widgets.models.figure_file import FigureParts
from pdp_widgets.models.labels import Label, shown
from pdp_widgets.models.latex_table import LatexTable

__all__ = ["SequenceAnalysis"]

Floats = NDArray[np.float64]

#: A linear program takes milliseconds: so many of them are waited for.
_MOST_PROGRAMS = 4096


class SequenceAnalysis(FigureParts, LatexTable):
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
        self._delta = as_delta(delta)
        # What is no distance is refused now; kept are the arguments, which can be pickled.
        self._given, self._distance = given, distance
        self._distances()
        if method is not None and (not isinstance(method, str) or method not in METHODS):
            raise DomainError(
                f"The method is {shown(method)}; it is one of {', '.join(METHODS)}.",
                Where("parameter", name="method"),
            )
        self._method = method
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

    def compute(self, progress: ProgressHook | None = None) -> SequenceAnalysis:
        """Compute what results rest on now, with progress; otherwise that is done when it is asked for.

        Parameters
        ----------
        progress
            Told the share done; what it raises cancels.
        """
        if self._walked is None:
            gatherer = StepGatherer(self.budgets, self._distances())
            result = sequence_leakage(
                self._source,
                list(self._mechanisms),
                self._n_steps,
                self._method,
                most=self._most_histories,
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

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one step a row.

        Columns with ``so far`` are about the first steps together, up to that one.
        """
        from pdp_widgets.leakage.sequence.sequence_frame import sequence_frame

        return sequence_frame(self, "bound" if self._promise_holds else "as printed")

    def plot(self, part: str = "total") -> Any:
        """Return a bqplot figure by step.

        Parameters
        ----------
        part
            ``"total"``: what all steps so far leak, and the bounds. ``"steps"``: what each step leaks, beside
            its budget.
        """
        from pdp_widgets.widgets.sequence_figures import plot_sequence

        return plot_sequence(self, part)

    def _latex(
        self, columns: Sequence[str] | None, most: int | None, caption: str | None, label: str | None
    ) -> str:
        from pdp_widgets.publish.latex_sequence import sequence_latex

        return sequence_latex(self, columns, most=most, caption=caption, label=label)

    def __repr__(self) -> str:
        symbols = f"{self._source.n} symbol{'s' if self._source.n != 1 else ''}"
        many = "batches" if self._source.unit == "batch" else "steps"
        return f"SequenceAnalysis({symbols}, {self.mechanism_label}, {self._n_steps} {many})"


def _budget(mechanism: Any) -> float:
    """Return the budget of a mechanism, NaN where it has none."""
    budget = getattr(mechanism, "epsilon", None)
    return np.nan if budget is None or budget != budget else as_epsilon(budget, "epsilon of the mechanism")
