"""What the report of one attribute says about another: one pair, with the worst case that reaches it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import MIN_COUNT
from pdp_widgets.errors import BudgetError, DomainError, Where
from pdp_widgets.leakage.local.conditionals import Conditionals, conditional_rows
from pdp_widgets.leakage.local.first_of_equals import first_pair_of_values
from pdp_widgets.leakage.local.mechanism_reading import (
    SOURCE,
    as_mechanism,
    as_output,
    best_of,
    finite_channel,
    read,
    worst_symbols,
)
from pdp_widgets.leakage.local.records import as_two
from pdp_widgets.leakage.local.subsets import ordered_pairs
from pdp_widgets.leakage.value import AboutSecret, Leakage, Output
from pdp_widgets.mechanisms.local.finite_channel import AnyMechanism
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label, as_domains, as_names, short

__all__ = [
    "Pair",
    "PairLeakage",
    "delta_of",
    "delta_paper",
    "delta_tight",
    "pair_leakage",
    "pair_of",
    "worst_report_chances",
]

Floats = NDArray[np.float64]

_BLOCK = 1 << 18
# Ties are read as ties though e^L is rounded.
_TIE = 1e-12


def delta_of(mechanism: LocalMechanism) -> float:
    """Return the delta beside what a report says: of any mechanism with one, and of no other."""
    # What is said of a mechanism with a matrix is the largest ratio in it, which holds without a delta.
    return mechanism.delta if isinstance(mechanism, AnyMechanism) else 0.0


def delta_tight(rows: Floats, epsilon: float, delta: float, leakage: float) -> float:
    """Return the least delta' for which "secret to report" is (leakage, delta')-private."""
    # delta' = eta delta with eta = max sum_u (G[x,u] - e^L G[x',u])_+ = (e^L - 1) / (e^epsilon - 1): privacy
    # amplification by subsampling at rate eta. At epsilon = 0 the rate is the largest distance in variation.
    if delta == 0 or len(rows) < 2:
        return 0.0
    if epsilon == 0 or np.isinf(epsilon):
        return min(delta, delta * float(_excesses(rows, leakage).max()))
    # Powers of e are divided by the larger one: they overflow from 710 on.
    rate = np.exp(leakage - epsilon) * np.expm1(-leakage) / np.expm1(-epsilon)
    return min(delta, delta * float(rate))


def delta_paper(rows: Floats, delta: float, leakage: float) -> float:
    """Return the paper's f*: delta times the probability of the favoured set, never below `delta_tight`."""
    # The set holds the symbols u with G[x,u] >= e^L G[x',u], ties included, of the first pair of secret
    # values that is worst: unlike `delta_tight` it depends on ties and on which pair comes first.
    if delta == 0 or len(rows) < 2:
        return 0.0
    first, second = ordered_pairs(len(rows))
    excess = _excesses(rows, leakage)
    place = int(np.argmax(excess >= excess.max() * (1 - _TIE)))
    upper, lower = rows[first[place]], rows[second[place]]
    with np.errstate(over="ignore", invalid="ignore"):
        threshold = np.exp(leakage) * lower
    inside = (upper > 0) & np.where(lower > 0, upper >= threshold * (1 - _TIE), True)
    return min(delta, delta * float(upper[inside].sum()))


def _excesses(rows: Floats, leakage: float) -> Floats:
    """Return sum_u (G[x,u] - e^L G[x',u])_+ of all ordered pairs."""
    first, second = ordered_pairs(len(rows))
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = np.where(rows > 0, np.exp(leakage) * rows, 0.0)
    found = np.empty(len(first))
    step = max(1, _BLOCK // rows.shape[1])
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        found[part] = np.maximum(rows[first[part]] - scaled[second[part]], 0.0).sum(axis=1)
    return found


@dataclass(frozen=True)
class Pair:
    """A secret and a source: names, labels, and what the one says about the other."""

    #: Of the secret and of the source.
    names: tuple[str, str]
    domains: tuple[tuple[Label, ...], tuple[Label, ...]]
    #: Rows P(source symbol | secret value); secret values left out have none.
    given: Conditionals
    #: Records of every secret value, where there are counts.
    supports: tuple[int, ...] | None = None

    @property
    def k(self) -> int:
        """Number of symbols of the source."""
        return len(self.domains[1])


@dataclass(frozen=True)
class PairLeakage:
    """What the report of a source says about a secret, and where it says most.

    Parameters
    ----------
    leakage
        The value with its status, what it is about, and its source.
    mechanism
        How the source is released.
    output
        ``"raw"``: the leakage of what is released. ``"inferred"``: of the symbol guessed from it, which is
        never more; "exact" then refers to this guess.
    pair
        Labels of the secret: the one made more likely, the one made less likely; None where nothing leaks. Of
        several pairs that leak as much, but for rounding, the first in the order of the labels, of the one
        made more likely before the other; an infinite leakage is as much as another infinite one. A page
        without a kernel names the same pair. Only in tables too large for a page, where outputs favour sets,
        it is any of them.
    symbols
        The favoured set S of source symbols that reaches it; empty where nothing leaks, and for a matrix,
        whose outputs have more than two levels.
    rows
        P(source symbol | secret value) for the two labels of the pair.
    supports
        Records of the two labels of the pair, where there are counts.
    masses
        Probability of the favoured set for the two labels of the pair; None where there is no such set.
    reported
        For a matrix, the position of the worst output.
    saturation
        What leaks at an infinite budget, in nats; None for mechanisms without a budget of their own.
    left_out
        Secret values without records, or with fewer than asked for.
    delta_tight, delta_paper
        For the bound over all mechanisms with a delta: the least delta beside the leakage in a promise
        for the secret, and the paper's larger one. The leakage of a mechanism with a matrix, such as
        `DeltaGRR`, is the ratio itself, which holds without a delta.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> found = pair_leakage([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]], GRR(1.0))
    >>> print(found)
    0.32472 nats (exact): secret, from the report of source
    >>> found.pair, found.symbols, round(found.saturation, 6)
    ((0, 1), (0,), 0.916291)
    """

    leakage: Leakage
    mechanism: LocalMechanism
    output: Output
    pair: tuple[Label, Label] | None
    symbols: tuple[Label, ...]
    rows: tuple[tuple[float, ...], tuple[float, ...]] | None = field(repr=False)
    supports: tuple[int, int] | None = None
    masses: tuple[float, float] | None = None
    reported: int | None = None
    saturation: float | None = None
    left_out: tuple[Label, ...] = ()
    delta_tight: float | None = None
    delta_paper: float | None = None

    def __float__(self) -> float:
        return self.leakage.value

    def __str__(self) -> str:
        return str(self.leakage)

    @property
    def value(self) -> float:
        """The leakage in nats."""
        return self.leakage.value

    @property
    def source_name(self) -> str:
        """Name of the reported attribute."""
        assert isinstance(self.leakage.about, AboutSecret)
        return self.leakage.about.sources[0]

    @property
    def secret_name(self) -> str:
        """Name of the attacked attribute."""
        return self.leakage.about.target


def pair_of(
    table: AttributeTable | JointDistribution | ArrayLike,
    *,
    conditional: bool = False,
    min_count: float = 0,
    names: Sequence[str] | None = None,
    secret: str | int | None = None,
    source: str | int | None = None,
    domains: Sequence[Sequence[Any]] | None = None,
) -> Pair:
    """Return a secret and a source, see `pair_leakage`."""
    counts: Any = None
    numbers: Any
    table, names = as_two(table, names, secret, source)
    if isinstance(table, JointDistribution):
        names = table.names if names is None else names
        domains = table.domains if domains is None else domains
        counts = table.counts
        numbers = table.table if counts is None else counts
    else:
        numbers = table
    given = conditional_rows(numbers, conditional=conditional, min_count=_least(min_count, counts, numbers))
    shape = given.rows.shape
    named = as_names(names if names is not None else ("secret", "source"), 2)
    labels = as_domains(domains, shape, named)
    if len(labels) != 2:
        raise DomainError(
            f"The number of domains is {len(labels)}; give the labels of secret and source.",
            Where("parameter", name="domains"),
        )
    for axis in (0, 1):
        if len(labels[axis]) != shape[axis]:
            raise DomainError(
                f"{short(named[axis])} has {len(labels[axis])} labels for {shape[axis]} "
                f"{('rows', 'columns')[axis]}; give one for each.",
                Where("axis", axis=axis),
            )
    return Pair(
        (named[0], named[1]), (labels[0], labels[1]), given, _supports(numbers if not conditional else None)
    )


def _least(min_count: float, counts: Any, numbers: Any) -> float:
    least = MIN_COUNT.take(min_count, "min_count")
    if least > 0 and counts is None and not _whole(numbers):
        raise DomainError(
            "min_count needs records, and the table has probabilities.",
            Where("parameter", name="min_count"),
            call="Give counts, or min_count=0.",
        )
    return least


def _whole(numbers: Any) -> bool:
    try:
        if np.iscomplexobj(numbers):
            return False
        found = np.asarray(numbers, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return False
    return bool(np.isfinite(found).all() and (found == np.floor(found)).all() and (found < 2**53).all())


def _supports(numbers: Any) -> tuple[int, ...] | None:
    if numbers is None or not _whole(numbers):
        return None
    return tuple(int(total) for total in np.asarray(numbers, dtype=np.float64).sum(axis=1))


def pair_leakage(
    table: AttributeTable | JointDistribution | ArrayLike,
    mechanism: LocalMechanism | str,
    output: Output = "raw",
    *,
    epsilon: float | None = None,
    conditional: bool = False,
    min_count: float = 0,
    names: Sequence[str] | None = None,
    secret: str | int | None = None,
    source: str | int | None = None,
    domains: Sequence[Sequence[Any]] | None = None,
) -> PairLeakage:
    """Return what the report of a source says about a secret.

    Parameters
    ----------
    table
        The secret on axis 0, the source on axis 1: probabilities or counts, or a `JointDistribution` of two
        attributes; or records (a data frame too) or a joint distribution of more, and which two of them.
    mechanism
        How the source is released: a mechanism, or the name of one with ``epsilon``.
    output
        ``"raw"``: what is released. ``"inferred"``: the symbol guessed from it, the paper's experiments.
    epsilon
        The budget in nats; needed for a name, and otherwise replacing the mechanism's own.
    conditional
        The rows are P(source symbol | secret value) already, each with sum 1.
    min_count
        Secret values with fewer records are left out: a leakage is a maximum, and rare values decide it.
    names
        Names of secret and source: they choose two attributes of records or of a joint distribution.
    secret, source
        The same one by one, instead of ``names``; of records positions too.
    domains
        Labels of secret and source.

    Raises
    ------
    TableError
        An entry is negative or not finite, all are 0, or a conditional row does not sum to 1.
    BudgetError
        The output is neither, no guess is defined for the mechanism, or it does not go with the number of
        symbols.
    DomainError
        Names or labels do not fit the table.

    Notes
    -----
    Jayawardana, Ulukus, Ding and Thilakarathna, Eq. 3, 7 and 8: the largest ln p(output | x) / p(output | x')
    over outputs and secret values. Outputs with two levels of likelihood are never listed: Algorithm 2 is
    exact for OUE, SUE, BLH, OLH and SHE, and the columns' extremes are for GRR and EXP.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> found = pair_leakage([[30, 50], [60, 25]], GRR(1.0), names=["vote", "party"])
    >>> print(found.leakage)
    0.3204 nats (exact): vote, from the report of party
    >>> found.pair, found.symbols, found.supports
    ((0, 1), (1,), (80, 85))

    >>> from pdp_widgets import titanic
    >>> print(pair_leakage(titanic(), "OUE", epsilon=1.0, secret="sex", source="class"))
    0.537507 nats (exact): sex, from the report of class
    """
    pair = pair_of(
        table,
        conditional=conditional,
        min_count=min_count,
        names=names,
        secret=secret,
        source=source,
        domains=domains,
    )
    chosen = as_mechanism(mechanism, epsilon).for_labels(pair.domains[1], pair.names[1])
    return leakage_of_pair(pair, chosen, as_output(output))


def leakage_of_pair(pair: Pair, mechanism: LocalMechanism, output: Output) -> PairLeakage:
    """Return what `pair_leakage` returns, for a checked pair."""
    reading = read(mechanism, pair.k, output)
    best = best_of(pair.given, [reading])
    value, x, other = float(best.value[0]), int(best.first[0]), int(best.second[0])
    kept = pair.given.kept(0)
    if value > 0:
        places = int(np.searchsorted(kept, x)), int(np.searchsorted(kept, other))
        x, other = kept[list(first_pair_of_values(pair.given.source(0), reading, value, places))].tolist()
    tight, paper = _deltas(pair.given.source(0), mechanism, value)
    about = AboutSecret(pair.names[0], sources=(pair.names[1],), output=output, delta=tight or 0.0)
    leakage = Leakage(value, "exact", about, "sup", source=SOURCE)
    counted = set(kept.tolist())
    labels, symbols = pair.domains
    found = PairLeakage(
        leakage,
        mechanism,
        output,
        None,
        (),
        None,
        saturation=_saturation(pair, mechanism, output),
        left_out=tuple(label for place, label in enumerate(labels) if place not in counted),
        delta_tight=tight,
        delta_paper=paper,
    )
    if value == 0:
        return found
    upper, lower = pair.given.rows[x], pair.given.rows[other]
    inside = worst_symbols(reading, upper, lower, value)
    reported = None
    if reading.matrix is not None:
        reported = finite_channel(pair.given.source(0), reading.matrix)[3]
    return replace(
        found,
        pair=(labels[x], labels[other]),
        symbols=tuple(symbol for symbol, chosen in zip(symbols, inside, strict=True) if chosen),
        rows=(tuple(upper.tolist()), tuple(lower.tolist())),
        supports=None if pair.supports is None else (pair.supports[x], pair.supports[other]),
        reported=reported,
        masses=(float(upper[inside].sum()), float(lower[inside].sum())) if inside.any() else None,
    )


def _saturation(pair: Pair, mechanism: LocalMechanism, output: Output) -> float | None:
    try:
        without_noise = mechanism.with_epsilon(np.inf)
    except BudgetError:
        return None
    return float(best_of(pair.given, [read(without_noise, pair.k, output)]).value[0])


def _deltas(rows: Floats, mechanism: LocalMechanism, value: float) -> tuple[float | None, float | None]:
    """Return both deltas for the bound over all mechanisms with a delta; no others have a promise like it."""
    if not isinstance(mechanism, AnyMechanism):
        return None, None
    delta = delta_of(mechanism)
    return delta_tight(rows, mechanism.epsilon, delta, value), delta_paper(rows, delta, value)


def worst_report_chances(found: PairLeakage, k: int) -> tuple[float, float] | None:
    """Return the chance of the worst report under the more and under the less likely value of the secret."""
    masses, levels = found.masses, _levels(found, k)
    if masses is None or levels is None:
        return None
    inside, outside = levels
    first, second = (inside * mass + outside * max(0.0, 1 - mass) for mass in masses)
    return (first, second) if first > 0 and (second > 0 or outside == 0) else None


def _levels(found: PairLeakage, k: int) -> tuple[float, float] | None:
    """Return the probability of the worst report for a symbol that it favours, and for another one."""
    if found.output == "inferred":
        guess = found.mechanism.inferred(k)
        return guess.keep, guess.other
    return found.mechanism._chances(k, len(found.symbols))
