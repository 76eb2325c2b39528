"""Markov quilts: tuples around one that say little about it, and the noise that hides the rest.

A quilt Q of tuple i splits the others into those near i, its component without Q, and those beyond, which are
independent of x_i once x_Q is known. What x_Q says about x_i is the influence e; noise of scale
S(near) / (epsilon - e) hides the near ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import BUDGET, POSITIVE, as_size
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import ChainError, DomainError, LimitError, Where
from pdp_widgets.leakage.networks.influence import SOURCE, influence_of, is_chain, line_ratios
from pdp_widgets.leakage.networks.wasserstein import as_class
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.value import About, Leakage
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.chain_checks import as_laws
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import as_choice, short
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.models.names import positions_of
from pdp_widgets.models.networks.elimination import (
    component_of,
)
from pdp_widgets.models.networks.network import Network

__all__ = [
    "ApproximateQuilts",
    "MarkovQuilt",
    "MarkovQuiltMechanism",
    "approximate_quilts",
    "markov_quilts",
]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Scales that differ by less are equal.
_ROUNDING = 1e-9
#: A rate below this is none.
_NO_RATE = 1e-12


@dataclass(frozen=True)
class MarkovQuilt:
    """The best quilt of one tuple.

    Parameters
    ----------
    target
        The tuple.
    quilt
        Names of the quilt; none where the whole component counts as near.
    near
        Names of the near tuples, the target among them.
    influence
        What the quilt says about the target, in nats, exact.
    reach
        By how much the near tuples move the query, in its units.
    scale
        Scale of the noise: reach / (epsilon - influence).

    Examples
    --------
    >>> from pdp_widgets import LinearQuery
    >>> from pdp_widgets.networks import BayesianNetwork
    >>> net = BayesianNetwork.chain([[0.6, 0.4], [0.4, 0.6]], 9)
    >>> best = markov_quilts(net, LinearQuery.sum(net), 1.0).quilts[0]
    >>> best.quilt, len(best.near), round(best.influence, 4)
    (('step 2',), 1, 0.4055)
    """

    target: str
    quilt: tuple[str, ...]
    near: tuple[str, ...]
    influence: float
    reach: float
    scale: float


@dataclass(frozen=True, eq=False, repr=False)
class MarkovQuiltMechanism(EqualByFields, ReadOnlyArrays, NumberTable):
    """Laplace noise by the best quilt of every tuple; made by `markov_quilts`.

    Parameters
    ----------
    quilts
        The best quilt of each tuple.
    epsilon
        The promise in nats.
    convention
        ``"possible"`` or ``"printed"``.
    left_out
        Quilts whose influence has too large a table, in words; the scale is valid without them.

    Examples
    --------
    >>> from pdp_widgets import LinearQuery
    >>> from pdp_widgets.networks import BayesianNetwork
    >>> net = BayesianNetwork.chain([[0.6, 0.4], [0.4, 0.6]], 9)
    >>> found = markov_quilts(net, LinearQuery.sum(net), 1.0)
    >>> round(found.scale, 4), round(found.stacked([4.0, 4.0])[0], 4)
    (3.5718, 0.9055)
    """

    quilts: tuple[MarkovQuilt, ...]
    epsilon: float
    convention: str = "possible"
    left_out: tuple[str, ...] = ()

    @property
    def scale(self) -> float:
        """Scale of the Laplace noise; it keeps epsilon against those who know nothing, and the model."""
        return max((one.scale for one in self.quilts), default=0.0)

    def stacked(self, scales: Sequence[float]) -> tuple[float, ...]:
        """Return for each tuple what several releases of these scales say to who knows nothing, a bound.

        The quilt of a tuple is the same for all of them, so that its influence counts once.
        """
        inverse = sum(1.0 / POSITIVE.take(one, "scales") for one in scales)
        return tuple(one.influence + one.reach * inverse for one in self.quilts)

    def beyond(self, target: str) -> Leakage:
        """Return a bound for who knows any tuples that are not near: epsilon and the influence once more."""
        found = next((one for one in self.quilts if one.target == target), None)
        if found is None:
            raise DomainError(f"There is no tuple named {short(target)}.", Where("parameter", name="target"))
        about = About(found.target, tuple((name, None) for name in found.quilt))
        return Leakage(self.epsilon + found.influence, "bound", about, "sup", source=SOURCE)

    def _numbers(self) -> Numbers:
        rows = self.quilts
        columns = {
            "tuple": np.array([one.target for one in rows]),
            "quilt": [one.quilt for one in rows],
            "near": np.array([len(one.near) for one in rows]),
            "influence": np.array([one.influence for one in rows]),
            "scale": np.array([one.scale for one in rows]),
        }
        status = "exact" if self.convention == "possible" else "as printed"
        return Numbers(
            columns,
            {"tuple": "text", "quilt": "names", "near": "count", "influence": "nats", "scale": "upper"},
            {"unit": "nats", "status": {"influence": status, "scale": "bound"}, "source": SOURCE},
            (
                f"scale {self.scale:.6g} keeps {self.epsilon:g} nats against those who know nothing; who "
                "knows near tuples may learn more",
                *self.left_out,
            ),
        )


def markov_quilts(
    networks: Network | Iterable[Network],
    query: LinearQuery,
    epsilon: float,
    family: str | Sequence[Sequence[Iterable[str | int]]] | None = None,
    *,
    convention: str = "possible",
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> MarkovQuiltMechanism:
    """Return the Markov quilt mechanism for a network, or for a class of them, with exact influences.

    Parameters
    ----------
    networks
        The model, or all models that a class has: for each quilt the largest influence counts.
    query
        An additive query.
    epsilon
        The promise in nats.
    family
        ``"intervals"``, for a line of tuples: one or two tuples around the target, which is the default
        there. ``"balls"``: all tuples at one distance in the graph, the default elsewhere. Or a list of
        quilts for each tuple.
    convention
        ``"possible"``: over labels of the quilt that can occur. ``"printed"``, for intervals in a chain: over
        all labels of the tuple on the left, as the paper and its script do; never less.
    limit, progress
        As for `NetworkAnalysis`.

    Raises
    ------
    DomainError
        There is no such family or convention, or it does not fit the network.

    Notes
    -----
    Song, Wang and Chaudhuri (2017), Algorithms 2 and 3, with all tuples of a chain: their script leaves out
    the first and the last. Tuples that contribute nothing count too, since they can be inferred.

    Examples
    --------
    >>> from pdp_widgets import LinearQuery
    >>> from pdp_widgets.networks import BayesianNetwork
    >>> net = BayesianNetwork.chain([[0.9, 0.1], [0.4, 0.6]], 100, start=[1, 0])
    >>> query = LinearQuery.sum(net)
    >>> printed = markov_quilts(net, query, 1.0, convention="printed")
    >>> round(markov_quilts(net, query, 1.0).scale, 4), round(printed.scale, 4)
    (12.9341, 13.0219)
    """
    level, models = BUDGET.take(epsilon, "epsilon"), as_class(networks)
    as_choice(convention, "convention", ("possible", "printed"))
    for one in models:
        query.check_fits(one)
    line = all(one.is_path for one in models)
    chosen = ("intervals" if line else "balls") if family is None else family
    if isinstance(chosen, str):
        as_choice(chosen, "family", ("intervals", "balls"))
    if chosen == "intervals" and not line:
        raise DomainError(
            "The network is no line of tuples in their order; take the family 'balls', or give quilts.",
            Where("parameter", name="family"),
        )
    if convention == "printed" and not (chosen == "intervals" and all(map(is_chain, models))):
        raise DomainError(
            "The printed convention is for intervals in a chain, each tuple the parent of the next.",
            Where("parameter", name="convention"),
        )
    n = models[0].n_tuples
    hook = timed(progress, limit, "The quilts", "Take fewer tuples.")
    told = Progress(hook, n)
    if chosen == "intervals":
        found = _of_intervals(models, query, level, convention == "printed", told)
        left_out: tuple[str, ...] = ()
    else:
        found, left_out = _of_sets(models, query, level, None if chosen == "balls" else chosen, told)
    told.finish()
    return MarkovQuiltMechanism(tuple(found), level, convention, left_out)


def _of_sets(
    models: Sequence[Network], query: LinearQuery, epsilon: float, family: Any, told: Progress
) -> tuple[list[MarkovQuilt], tuple[str, ...]]:
    """Return the best quilt of every tuple among balls or given sets, and the quilts that were left out."""
    first, reach = models[0], query.local_sensitivities
    if family is not None and len(list(family)) != first.n_tuples:
        raise DomainError(
            f"There are {len(list(family))} lists of quilts for {first.n_tuples} tuples; give one for each.",
            Where("parameter", name="family"),
        )
    # Near a tuple in one of the models is near in the class.
    graph = [frozenset().union(*(one.graph[j] for one in models)) for j in range(first.n_tuples)]
    found, left_out = [], []
    for i in range(first.n_tuples):
        whole = component_of(graph, i)
        best = _quilt(first, i, (), whole, 0.0, reach, epsilon)
        sets = (
            _balls(graph, i) if family is None else [positions_of(q, first.names, "tuple") for q in family[i]]
        )
        for quilt in sets:
            if i in quilt:
                raise DomainError(f"{short(first.names[i])} is in its own quilt.", Where("axis", axis=i))
            near = component_of(graph, i, set(quilt))
            try:
                influence = max(influence_of(one, i, sorted(quilt)) for one in models)
            except LimitError as fault:
                left_out.append(f"left out: {fault.plain}")
                continue
            if influence < epsilon:
                one = _quilt(first, i, quilt, near, influence, reach, epsilon)
                best = min(best, one, key=lambda q: q.scale)
            told.wait()
        found.append(best)
        told.step()
    return found, tuple(left_out)


def _quilt(
    network: Network,
    i: int,
    quilt: Sequence[int],
    near: Iterable[int],
    influence: float,
    reach: Floats,
    epsilon: float,
) -> MarkovQuilt:
    members, names = sorted(near), network.names
    moved = float(reach[members].sum())
    named = tuple(names[j] for j in quilt)
    near_names = tuple(names[j] for j in members)
    return MarkovQuilt(names[i], named, near_names, influence, moved, moved / (epsilon - influence))


def _balls(graph: Sequence[frozenset[int]], i: int) -> list[list[int]]:
    """Return the tuples at each distance from one, 1, 2 and so on."""
    seen, ring, found = {i}, {i}, []
    while ring := {k for j in ring for k in graph[j]} - seen:
        found.append(sorted(ring))
        seen |= ring
    return found


def _of_intervals(
    models: Sequence[Network], query: LinearQuery, epsilon: float, printed: bool, told: Progress
) -> list[MarkovQuilt]:
    """Return the best quilt of one or two tuples around each tuple of a line."""
    n, reach = models[0].n_tuples, query.local_sensitivities
    total = np.concatenate([[0.0], np.cumsum(reach)])
    sides = [line_ratios(one, printed, told) for one in models]
    found = []
    for i in range(n):
        line = _Intervals([(left[i], right[i]) for left, right in sides], total, i, epsilon)
        before, after = line.candidates()
        scales, influence = line.scales(before[:, None], after[None, :])
        at = np.unravel_index(int(scales.argmin()), scales.shape)
        a, b = int(before[at[0]]), int(after[at[1]])
        quilt = [*([i - a] if a else []), *([i + b] if b else [])]
        near = range(int(line.begins[a]), int(line.ends[b]))
        found.append(_quilt(models[0], i, quilt, near, float(influence[at]), reach, epsilon))
        told.step()
    return found


class _Intervals:
    """The quilts of one tuple of a line: none on a side (0), or the tuple a steps before, b steps after."""

    def __init__(
        self, around: Sequence[tuple[Floats, Floats]], total: Floats, i: int, epsilon: float
    ) -> None:
        n = len(total) - 1
        self._around, self._total, self._i, self._epsilon = around, total, i, epsilon
        #: Where the near tuples begin and end.
        self.begins = np.array([0, *range(i, 0, -1)])
        self.ends = np.array([n, *range(i + 1, n)])

    def scales(self, before: Integers, after: Integers) -> tuple[Floats, Floats]:
        """Return the scales of quilts, infinite where they are not enough, and what they say."""
        moved = self._total[self.ends[after]] - self._total[self.begins[before]]
        return self._scales(moved, before, after)

    def _scales(self, moved: Floats, before: Any, after: Any) -> tuple[Floats, Floats]:
        influence = np.zeros(moved.shape)
        for left, right in self._around:
            for s, t in np.ndindex(left.shape[1:]):
                np.maximum(influence, left[before, s, t] + right[after, s, t], out=influence)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(influence < self._epsilon, moved / (self._epsilon - influence), inf), influence

    def candidates(self) -> tuple[Integers, Integers]:
        """Return the tuples of both sides that can be in the best quilt.

        A quilt moves and says at least as much as either side of it. What exceeds the best quilt of tuples
        that are equally far does not count.
        """
        total, i = self._total, self._i
        before, after = np.arange(len(self.begins)), np.arange(len(self.ends))
        steps = np.arange(max(len(before), len(after)))
        equal = np.minimum(steps, before[-1]), np.minimum(steps, after[-1])
        enough = float(self.scales(*equal)[0].min()) * (1 + _ROUNDING)
        left = self._scales(total[i + 1] - total[self.begins], before, 0)[0]
        right = self._scales(total[self.ends] - total[i], 0, after)[0]
        return np.flatnonzero(left <= enough), np.flatnonzero(right <= enough)


@dataclass(frozen=True)
class ApproximateQuilts:
    """The approximate Markov quilt mechanism for a chain; made by `approximate_quilts`.

    Parameters
    ----------
    scale
        Scale of the Laplace noise for contributions that move the query by 1 at most; it keeps epsilon
        against those who know nothing, whatever law the chain starts from.
    epsilon
        The promise in nats.
    pi_min
        Smallest stationary probability.
    rate
        How fast the start is forgotten, per step.

    Examples
    --------
    >>> found = approximate_quilts([[0.9, 0.1], [0.4, 0.6]], 100, 1.0)
    >>> round(found.pi_min, 12), round(found.rate, 12)
    (0.2, 0.5)
    """

    scale: float
    epsilon: float
    pi_min: float
    rate: float


def approximate_quilts(
    chain: MarkovChain | ArrayLike | None,
    steps: int,
    epsilon: float,
    *,
    sensitivity: float = 1.0,
    pi_min: float | None = None,
    rate: float | None = None,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> ApproximateQuilts:
    """Return the approximate Markov quilt mechanism: a bound on influences in place of the exact ones.

    Parameters
    ----------
    chain
        A chain of first order, or its transitions; None where ``pi_min`` and ``rate`` are given.
    steps
        Number of tuples.
    epsilon
        The promise in nats.
    sensitivity
        Largest local sensitivity, by which the scale is multiplied.
    pi_min, rate
        Smallest stationary probability, and rate; without them those of the chain.
    limit, progress
        As for `NetworkAnalysis.node`.

    Raises
    ------
    ChainError
        The stationary law is not unique, has zeros, or the chain is periodic: it has no rate.

    Notes
    -----
    Song, Wang and Chaudhuri (2017), Algorithm 4. The rate of a reversible chain is 1 minus its second largest
    eigenvalue modulus, of another half of that of the chain followed by its reversal. Their script takes the
    second largest modulus below 1, which drops -1 and a second 1 in silence.

    Examples
    --------
    >>> round(approximate_quilts([[0.9, 0.1], [0.4, 0.6]], 100, 1.0).scale, 4)
    23.506
    """
    level, n = BUDGET.take(epsilon, "epsilon"), as_size(steps, "steps", 1, 1_000_000)
    moved = POSITIVE.take(sensitivity, "sensitivity")
    if pi_min is None or rate is None:
        if chain is None:
            raise ChainError("Give a chain, or pi_min and rate.", Where("parameter", name="chain"))
        least, speed = _least_and_rate(chain)
    else:
        least, speed = POSITIVE.take(pi_min, "pi_min"), POSITIVE.take(rate, "rate")
    far = np.arange(1, n, dtype=np.float64)
    # exp(-rate t) / pi_min against 1, on a side with two factors before and one after.
    share = np.exp(-speed * far) / least
    with np.errstate(divide="ignore", invalid="ignore"):
        side = np.where(share < 1, np.log1p(share) - np.log1p(-share), inf)
    told = Progress(timed(progress, limit, "The approximate quilts", "Take fewer steps."))
    best = _largest_least(side, level, told)
    told.finish()
    return ApproximateQuilts(best * moved, level, least, speed)


def _largest_least(side: Floats, epsilon: float, told: Progress) -> float:
    """Return the largest over all tuples of the least scale of their quilts.

    ``side`` is what the tuple 1, 2, ... steps after says; that before says twice as much. A tuple needs no
    more than a scale s if near + s influence <= s epsilon for one of its quilts. The left side is a sum of
    one part for each side, so that the least of all tuples are found by cumulative minima. From there on by
    the steps of Dinkelbach (1967): of the tuple that needs most, the scale is found in the same way.
    """
    far = np.arange(1.0, len(side) + 1)

    def parts(scale: float, factor: float) -> Floats:
        """Return the least part of a side of 0, 1, ... tuples."""
        best = np.minimum.accumulate(far + factor * scale * side)
        return np.asarray(np.minimum(np.append(inf, best), np.append(far, len(side) + 1)))

    def least(i: int) -> float:
        """Return the least scale of a tuple with i before it, from above."""
        distances = [np.append(one, len(one) + 1) for one in (far[:i], far[: len(side) - i])]
        says = [np.append(2 * side[:i], 0.0), np.append(side[: len(side) - i], 0.0)]
        scale, lower = inf, (len(side) + 1) / epsilon
        while lower < scale:
            scale = lower
            at = [int((near + scale * one).argmin()) for near, one in zip(distances, says, strict=True)]
            near = sum(float(one[k]) for one, k in zip(distances, at, strict=True)) - 1
            said = sum(float(one[k]) for one, k in zip(says, at, strict=True))
            lower = near / (epsilon - said)
            told.wait()
        return scale

    scale, larger = 0.0, least(len(side) // 2)
    while larger > scale:
        scale = larger
        needs = parts(scale, 2) + parts(scale, 1)[::-1]
        larger = least(int(needs.argmax()))
        told.wait()
    return scale


def _least_and_rate(chain: Any) -> tuple[float, float]:
    if isinstance(chain, MarkovChain):
        if chain.order != 1:
            raise ChainError(
                "The chain is of second order; take chain.pairs.", Where("parameter", name="chain")
            )
        moves = chain.transitions
    else:
        moves = as_laws(chain, "transitions", "chain")
    law = MarkovChain(moves).stationary
    least = float(law.min())
    if not least > 0:
        raise ChainError(
            "A state does not occur in the long run, so that the approximate quilts have no bound; take the "
            "exact ones.",
            Where("parameter", name="chain"),
        )
    flow = law[:, None] * moves
    reversal = flow.T / law[:, None]
    reversible = bool(np.allclose(flow, flow.T, rtol=0, atol=1e-12))
    whole = moves if reversible else moves @ reversal
    moduli = np.sort(np.abs(np.linalg.eigvals(whole)))[::-1]
    second = float(moduli[1]) if len(moduli) > 1 else 0.0
    rate = (1 - second) if reversible else (1 - second) / 2
    if rate <= _NO_RATE:
        raise ChainError(
            "The chain is periodic, or falls into parts: its start is never forgotten, so that it has no "
            "rate. Take the exact quilts.",
            Where("parameter", name="chain"),
        )
    return least, rate
