"""All that an explorer of a k-anonymous table shows for one set of inputs; fields as in its wire protocol."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import DELTA1
from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.core.results import Figures, Result
from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.leakage.noiseless.anonymity_bounds import axis_of, normal_law, why_no_bound
from pdp_widgets.leakage.noiseless.anonymity_curves import (
    KnownShares,
    PrintedNumber,
    ShownCurve,
    known_shares,
    nothing_known_slack,
    printed_numbers,
    shown_curves,
)
from pdp_widgets.leakage.noiseless.anonymity_figures import (
    ShownClass,
    drawn_columns,
    shares_chart,
    shown_chart,
    shown_classes,
    single_valued,
)
from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs, Released
from pdp_widgets.leakage.noiseless.events import as_events
from pdp_widgets.leakage.noiseless.slack import Events, epsilons_of
from pdp_widgets.leakage.noiseless.sum_bounds import SlackRecipe
from pdp_widgets.leakage.noiseless.syntactic_measures import is_known, l_diversity, t_closeness
from pdp_widgets.leakage.noiseless.syntactic_sensitivity import SyntacticSensitivity
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses

Floats = NDArray[np.float64]

#: Of more records so many are left out, chosen at random.
_MOST_REMOVED, _SAMPLE = 2000, 500
#: Why the exact slack is missing while the rest is there.
_LATER = "the law of this sum takes a while and is not there yet"


@dataclass(frozen=True, eq=False)
class Removals:
    """How the classes change without each record.

    Parameters
    ----------
    found
        The change without each record.
    sampled
        How many were left out, where not all were: the largest is a lower bound then; else None.
    """

    found: SyntacticSensitivity
    sampled: int | None

    @property
    def changes(self) -> Floats:
        """Largest change of the class of another record, shape (n,); NaN where none was left out."""
        return self.found.changes

    @property
    def largest(self) -> float:
        """The largest of these."""
        return self.found.largest

    @property
    def worst(self) -> int | None:
        """Position of the first record with it."""
        return self.found.worst


@dataclass(frozen=True, eq=False, repr=False)
class AnonymityResults(Result):
    """The numbers for one set of inputs.

    Parameters
    ----------
    inputs, analysis
        What they belong to.
    k, epsilon
        As in the inputs.
    achieved, sizes
        Least size of the classes; least and largest.
    classes, classes_in_all
        At most 200 of them, and how many there are.
    suppressed
        Records with a missing quasi-identifier.
    single
        Classes in which everybody has the same secret.
    diversity, closeness
        Distinct l-diversity and t-closeness of the secret; None without one.
    unknown
        Unknown records other than those that move with the target.
    share
        Share of the counted value; None for sums.
    shift
        How much the target moves what is published.
    nothing_known
        Exact slack at epsilon with nothing known; None where it is not computed.
    spread, ratio
        Standard deviation of the unknown sum, and Lyapunov's ratio; None for a sum that is certain.
    axis
        Epsilon of all curves, nats, shape (101,).
    curves
        Exact, bounds, printed.
    printed
        One reading of every theorem that fits, at epsilon.
    known
        Exact slack at epsilon by the share known.
    recipe
        The epsilon and the slack that follow from the chosen slack of the normal step; None where no bound
        holds for the chosen events.
    whole
        Whether the exact slacks are computed: where that takes long, the rest is there before.
    removals
        Changes without each record; None until they are computed, see `anonymity_removals`.

    Notes
    -----
    Figures: ``"curves"``, the slack by epsilon, with the chosen events, and the theorem as printed where it
    is shown; ``"known"``, the slack at epsilon by what is known.
    """

    inputs: AnonymityInputs
    analysis: AnonymityAnalysis
    k: int
    epsilon: float
    achieved: int
    sizes: tuple[int, int]
    classes: tuple[ShownClass, ...]
    classes_in_all: int
    suppressed: int
    single: int
    diversity: int | None
    closeness: float | None
    unknown: int
    share: float | None
    shift: float
    nothing_known: float | None
    spread: float
    ratio: float | None
    axis: Floats
    curves: tuple[ShownCurve, ...]
    printed: tuple[PrintedNumber, ...]
    known: KnownShares
    recipe: SlackRecipe | None
    whole: bool = True
    removals: Removals | None = None

    def _figures(self) -> Figures:
        return {
            "curves": lambda: shown_chart(self.analysis, self.curves, self.axis, self.epsilon),
            "known": lambda: shares_chart(self.analysis, self.known, self.epsilon),
        }

    def __repr__(self) -> str:
        return f"AnonymityResults({self.analysis!r}, epsilon={self.epsilon:.6g})"

    def with_removals(self, removals: Removals | None) -> AnonymityResults:
        """Return the same with the changes without each record."""
        return replace(self, removals=removals)

    @property
    def removable(self) -> bool:
        """Whether enough records are left without one."""
        return self.analysis.classes.published > self.k


def analysis_of(inputs: AnonymityInputs) -> AnonymityAnalysis:
    """Return the analysis of inputs; classes and laws that were found are kept."""
    names = inputs.data.names
    return AnonymityAnalysis(
        inputs.data,
        [names[place] for place in inputs.quasi],
        None if inputs.secret is None else names[inputs.secret],
        inputs.k,
        release=inputs.release,
        n=inputs.n,
        neighbour=inputs.neighbour,
        level=inputs.level,
        known=inputs.known,
        neighbours=inputs.neighbours,
        shift=inputs.shift,
        group_change=inputs.group_change,
        anonymiser=inputs.anonymiser,
    )


def checked_question(inputs: AnonymityInputs) -> tuple[float, Events]:
    """Return the budget and the events that are asked about; what `analysis_of` checks is left to it."""
    epsilon, events = float(epsilons_of(inputs.epsilon)[0]), as_events(inputs.events)
    DELTA1.maybe(inputs.delta1, "delta1")
    return epsilon, events


def anonymity_results(
    inputs: AnonymityInputs, last: AnonymityResults | None = None, *, whole: bool = True
) -> AnonymityResults:
    """Return all that is shown but what takes longer, the changes without each record."""
    analysis = analysis_of(inputs)
    epsilon, events = checked_question(inputs)
    classes = analysis.classes
    drawn = drawn_columns(inputs.quasi, inputs.drawn)
    listed, single, diversity, closeness = _of_classes(classes, inputs.secret, analysis.released, drawn)
    one, axis = analysis.hidden, axis_of(epsilon)
    curves = shown_curves(analysis, inputs, epsilon, axis, None if whole else _LATER)
    normal = normal_law(one, analysis.level)
    same = last is not None and last.inputs.grouped == inputs.grouped
    return AnonymityResults(
        inputs,
        analysis,
        analysis.k,
        epsilon,
        classes.achieved,
        (classes.achieved, int(classes.sizes.max())),
        listed,
        len(classes),
        classes.lost,
        single,
        diversity,
        closeness,
        one.others,
        analysis.share,
        one.moved,
        nothing_known_slack(analysis, epsilon) if whole else None,
        normal.spread,
        normal.ratio,
        axis,
        curves,
        printed_numbers(analysis, inputs, epsilon, curves[0].at),
        known_shares(analysis, epsilon if whole else None),
        None if why_no_bound(one, events) else analysis.recipe(inputs.delta1, events),
        whole,
        last.removals if same and last is not None else None,
    )


def anonymity_removals(inputs: AnonymityInputs, progress: ProgressHook | None = None) -> Removals | None:
    """Return how the classes change without each record; None where too few would be left."""
    names = inputs.data.names
    analysis = AnonymityAnalysis(
        inputs.data,
        [names[place] for place in inputs.quasi],
        k=inputs.k,
        anonymiser=inputs.anonymiser,
        release=inputs.release if inputs.release.startswith("sum:") else None,
        secret=None if inputs.secret is None else names[inputs.secret],
    )
    published = analysis.classes.published
    if published <= analysis.k:
        return None
    # Of many records only some are left out: chosen at random, always the same.
    sample = _SAMPLE if published > _MOST_REMOVED else None
    found = analysis.sensitivity(sample=sample, limit=math.inf, progress=progress)
    return Removals(found, sample)


@lru_cache(maxsize=16)
def _of_classes(
    classes: EquivalenceClasses, secret: int | None, one: Released, drawn: tuple[int, int | None]
) -> tuple[tuple[ShownClass, ...], int, int | None, float | None]:
    listed = shown_classes(classes, secret, one, drawn)
    if secret is None or not is_known(classes, secret):
        return listed, 0, None, None
    least = int(l_diversity(classes, secret).least)
    return listed, sum(single_valued(classes, secret)), least, t_closeness(classes, secret).largest
