"""Leakage of one adversary as an estimate: an interval when the joint distribution came from counts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from itertools import product
from math import prod
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import SECONDS
from pdp_widgets.core.converters import as_generator
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import LimitError, TableError, Where
from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.drawn_tables import BOUNDED, Method, Sampling, blocks, sampling
from pdp_widgets.leakage.prior.exact_node import check_kinds, prior_leakage
from pdp_widgets.leakage.prior.releases import LARGEST_EXPONENT, query_values, snapped
from pdp_widgets.leakage.sweeps import as_executor, swept
from pdp_widgets.leakage.value import Convention, Leakage
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["DrawnLeakage", "largest", "leakage_interval", "quantiles"]

Floats = NDArray[np.float64]
_Drawn: TypeAlias = tuple[Floats, NDArray[np.bool_]]

# Whole tables of up to this many cells are drawn, the same ones as for all adversaries at once.
_MOST_WHOLE = 1 << 10
# Numbers in flight in one block.
_BLOCK = 1 << 20
# The distances between all values of the query are one array.
_MOST_PLACES = 1 << 12
# Work of one combination of known values: a start, on every drawn number, and on every product of densities.
_SECONDS_PER_SLICE = 4e-4
_SECONDS_PER_NUMBER = 6e-8
_SECONDS_PER_PRODUCT = 1e-9
# What comes on top of it: each number that is drawn, and each table.
_SECONDS_PER_DRAWN, _SECONDS_PER_TABLE = 1e-7, 6e-7
# Leakages of all tables are kept and sorted in a few copies.
_BYTES_PER_TABLE = 40
_MOST_BYTES = 1 << 30


class DrawnLeakage:
    """Leakage of one adversary with given known values under many tables at once."""

    # Only cells that agree with the known values matter, joined where label and query value are equal.

    def __init__(
        self, contributions: Sequence[Floats], scale: float, target: int, known: Mapping[int, int]
    ) -> None:
        n = len(contributions)
        rest = [j for j in range(n) if j not in known]
        self.where = (slice(None), *(known.get(j, slice(None)) for j in range(n)))
        self.axis = 1 + rest.index(target)
        values = np.moveaxis(snapped(query_values([contributions[j] for j in rest])), rest.index(target), 0)
        values = values.reshape(len(contributions[target]), -1)
        self.places, index = np.unique(values, return_inverse=True)
        self.index = index.reshape(values.shape)
        self.scale = scale

    def masses(self, tables: Floats) -> Floats:
        """Return Pr(label, value of the query, known values), shape (draws, labels, values)."""
        cells = np.moveaxis(tables[self.where], self.axis, 1)
        cells = cells.reshape(len(tables), self.index.shape[0], -1)
        joined = np.zeros((len(tables), self.index.shape[0], self.places.size))
        for v, index in enumerate(self.index):
            if index.size <= self.places.size:
                # Cells of one label with equal values are rare then; all of them are added one by one.
                for cell, place in enumerate(index):
                    joined[:, v, place] += cells[:, v, cell]
            else:
                member = np.zeros((index.size, self.places.size))
                member[np.arange(index.size), index] = 1.0
                joined[:, v] = cells[:, v] @ member
        return joined

    def leakages(self, tables: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Return the exact leakage under every table, and whether the known values occur in it."""
        return self.leakages_of(self.masses(tables))

    def leakages_of(self, masses: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Return what `leakages` returns, from masses up to one factor for each table."""
        labels = masses.sum(axis=2)
        possible = labels > 0
        found = np.zeros(len(masses))
        some = possible.sum(axis=1) > 1
        if some.any():
            found[some] = self._log_ratio(masses[some], labels[some], possible[some])
        return found, possible.any(axis=1)

    def _log_ratio(self, masses: Floats, labels: Floats, possible: NDArray[np.bool_]) -> Floats:
        distance = np.abs(self.places[:, np.newaxis] - self.places) / self.scale
        smallest = float(np.min(masses, where=masses > 0, initial=1.0))
        with np.errstate(divide="ignore"):
            if distance.max() - np.log(smallest) < LARGEST_EXPONENT:
                logs = np.log(masses @ np.exp(-distance))
            else:
                terms = np.log(masses)
                logs = np.stack([np.logaddexp.reduce(terms - row, axis=2) for row in distance], axis=2)
        logs -= np.log(np.where(possible, labels, 1.0))[..., np.newaxis]
        open_ = possible[..., np.newaxis]
        highest = np.where(open_, logs, -np.inf).max(axis=1, initial=-np.inf)
        lowest = np.where(open_, logs, np.inf).min(axis=1, initial=np.inf)
        return np.asarray(np.maximum((highest - lowest).max(axis=1), 0.0))


def leakage_interval(
    distribution: JointDistribution,
    mechanism: LaplaceMechanism,
    target: str | int,
    known: Mapping[Any, Any] | Iterable[str | int] = (),
    *,
    method: Method = "dirichlet",
    level: float = 0.95,
    draws: int = 1000,
    prior: str | float = BOUNDED,
    zeros: Literal["possible", "structural"] = "possible",
    rng: np.random.Generator | int | None = None,
    convention: Convention = "instance",
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
) -> Leakage:
    """Return the leakage of one adversary as an estimate, with an interval for what the counts leave open.

    Parameters
    ----------
    distribution
        A distribution made from counts.
    mechanism
        The release.
    target
        Name or position of the attacked tuple.
    known
        As for `prior_leakage`: ``{tuple: label}``, or the tuples alone with convention ``"sup"``.
    method, draws, prior, zeros, rng
        As for `drawn_tables`.
    level
        Share of the drawn leakages inside the interval; as many lie below it as above.
    convention
        ``"instance"`` or ``"sup"``.
    limit
        Seconds: refuse what would take longer by an estimate, or more than 1 GB, and end what takes longer;
        ``math.inf`` to go ahead.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.
    executor
        Whose workers look at the tables, which are drawn here, as for `pdp_widgets.prior.leakage_intervals`.

    Returns
    -------
    leakage
        Status ``"estimate"``. The value is the leakage under the empirical table, the interval goes from the
        (1 - level) / 2 quantile of the drawn leakages to the (1 + level) / 2 quantile, in nats; ``source``
        says how it was made. A drawn table in which the known values do not occur is left out, and their
        share named. A label that cannot occur is left out of the leakage, as in every exact result; if one
        label remains, that table counts with leakage 0. ``determined`` is true if the empirical table and
        all drawn ones inside the interval leave nothing to learn.

    Raises
    ------
    TableError
        The distribution does not come from counts, a parameter is not offered, or the known values occur in
        none of the drawn tables.
    LimitError
        The work exceeds the limit.
    AdversaryError, QueryError
        As for `prior_leakage`.

    Notes
    -----
    Leakage is no linear function of the table and cannot be negative: few records tend to make it look larger
    than it is, and the interval may lie above the value, as it does where one label alone has records that
    agree with the known values; ``source`` then says so. What is added to every count decides there, see
    `drawn_tables`.

    A truth on the edge is never inside, whatever the level. Where the attacked tuple does not count itself
    and is independent of the others, 0 leaks and every drawn table leaks a little; ``source`` then says so,
    and an interval near 0 is no evidence of a leak. Where the truth has cells that cannot occur, as those of
    copies, tables drawn with ``zeros="possible"`` have something there and leak less;
    ``zeros="structural"`` leaves such cells empty.

    Beyond 1,024 cells whole tables are not drawn, only what the leakage depends on: cells of one label with
    the same value of the query, joined. Their law is the same, the numbers of a seed are others.

    With ``"dirichlet"`` it is a credible interval; the Bayesian and the classical bootstrap are described by
    D. B. Rubin, "The Bayesian bootstrap" (1981), and B. Efron, "Bootstrap methods: another look at the
    jackknife" (1979).

    Examples
    --------
    >>> from pdp_widgets import LinearQuery, lsat6
    >>> joint = lsat6().marginal(["item 1", "item 5"])
    >>> mechanism = LaplaceMechanism(LinearQuery.sum(joint), scale=1)
    >>> found = leakage_interval(joint, mechanism, "item 1", rng=1)
    >>> found.status, round(found.value, 3), [round(end, 2) for end in found.interval]
    ('estimate', 1.042, [0.97, 1.16])
    >>> found.source.split("; ")[1]
    '95 % interval from 1,000 tables drawn by Dirichlet(counts + 0.5) (jeffreys)'
    """
    how, workers = sampling(distribution, method, level, draws, prior, zeros), as_executor(executor)
    check_kinds(distribution, mechanism)
    exact = prior_leakage(distribution, mechanism, target, known, convention=convention)
    adversary = Adversary.of(distribution, target, list(known) if isinstance(known, Mapping) else known)
    if convention == "sup":
        choices = [range(distribution.shape[k]) for k in adversary.known]
    else:
        labels = {distribution.axis(t): label for t, label in cast(Mapping[Any, Any], known or {}).items()}
        choices = [
            range(p, p + 1) for k in adversary.known for p in [distribution.label_position(k, labels[k])]
        ]
    contributions, scale = mechanism.query.contributions, mechanism.scale
    # What the tuple's own contribution lets through, whatever the others are.
    floor = float(mechanism.query.local_sensitivities[adversary.target]) / scale
    slices = [
        DrawnLeakage(contributions, scale, adversary.target, dict(zip(adversary.known, values, strict=True)))
        for values in product(*choices)
    ]
    cells = distribution.table.size
    drawn = cells if cells <= _MOST_WHOLE else sum(one.index.shape[0] * one.places.size for one in slices)
    _refuse_beyond(SECONDS.take(limit, "limit"), slices, how.draws, drawn)
    hook = timed(progress, limit, f"The interval from {how.draws:,} tables", "Ask for fewer draws.")
    told = Progress(hook, how.draws * len(slices))
    if distribution.table.size > _MOST_WHOLE:
        parts = _joined_draws(slices, distribution, how, rng, workers, told)
    else:
        tables = blocks(distribution, how, rng)
        parts = swept(partial(_of_tables, slices), tables, workers, told, len(slices))
    told.finish()
    found = np.concatenate([values for values, _ in parts])
    occurs = np.concatenate([seen for _, seen in parts])
    low, high, without = quantiles(found, occurs, how.level)
    if without == 1:
        raise TableError(
            f"The known values occur in none of the {how.draws:,} drawn tables; draw more of them, or use "
            "method 'dirichlet'.",
            Where("parameter", name="draws"),
        )
    return replace(
        exact,
        status="estimate",
        interval=(low, high),
        determined=exact.determined and high == 0,
        source=f"{exact.source}; {how.in_words(without, exact.value, low, high, floor)}",
    )


def _refuse_beyond(limit: float, slices: Sequence[DrawnLeakage], draws: int, drawn: int) -> None:
    labels, places = slices[0].index.shape[0], slices[0].places.size
    numbers = float(draws) * labels * places
    each = _SECONDS_PER_SLICE + numbers * (_SECONDS_PER_NUMBER + places * _SECONDS_PER_PRODUCT)
    seconds = len(slices) * each + draws * (_SECONDS_PER_TABLE + drawn * _SECONDS_PER_DRAWN)
    size = float(draws) * _BYTES_PER_TABLE
    if seconds > limit or (size > _MOST_BYTES and not math.isinf(limit)):
        raise LimitError(
            f"{len(slices):,} combination{'s'[: len(slices) > 1]} of known values, {places:,} values of the "
            f"query and {draws:,} tables take about {seconds:,.0f} s and {size / 1e9:,.1f} GB. The limit is "
            f"{limit:g} s and {_MOST_BYTES / 1e9:.1f} GB; ask for fewer draws.",
            Where("parameter", name="draws"),
            call="limit=math.inf goes ahead.",
        )
    if places > _MOST_PLACES:
        raise LimitError(
            f"The query has {places:,} different values for the unknown tuples (limit {_MOST_PLACES:,}); "
            "round its contributions, or take a marginal of fewer tuples.",
            Where("parameter", name="query"),
        )


def _joined_draws(
    slices: Sequence[DrawnLeakage],
    distribution: JointDistribution,
    how: Sampling,
    rng: np.random.Generator | int | None,
    workers: Executor | None,
    told: Progress,
) -> list[_Drawn]:
    """Return largest leakages under drawn tables of which only joined cells are made, block by block."""
    # Sums of cells of a Dirichlet or multinomial table have the law of the table whose parameters are summed.
    assert distribution.counts is not None
    generator = as_generator(rng)
    bootstrap = how.method == "bootstrap"
    weights = distribution.counts if bootstrap else how.parameters(distribution.counts)
    joined = [one.masses(weights[np.newaxis].astype(np.float64))[0] for one in slices]
    flat = np.concatenate([part.ravel() for part in joined])
    total = int(distribution.counts.sum())
    shares = np.append(flat, max(0.0, total - flat.sum())) / total
    step = max(1, _BLOCK // flat.size)

    def parts() -> Iterator[Floats]:
        for start in range(0, how.draws, step):
            many = min(step, how.draws - start)
            if bootstrap:
                drawn = generator.multinomial(total, shares / shares.sum(), size=many)
                yield drawn[:, :-1].astype(np.float64)
            else:
                yield generator.standard_gamma(flat, size=(many, flat.size))

    found = partial(_of_joined, slices, [part.shape for part in joined])
    return swept(found, parts(), workers, told, len(slices))


def _of_joined(
    slices: Sequence[DrawnLeakage], shapes: Sequence[tuple[int, ...]], drawn: Floats, told: Progress
) -> _Drawn:
    """Return what `largest` does from cells that are joined."""
    ends = np.cumsum([prod(shape) for shape in shapes])
    pieces = np.split(drawn, ends[:-1], axis=1)
    shaped = [piece.reshape(len(drawn), *shape) for piece, shape in zip(pieces, shapes, strict=True)]
    found = (one.leakages_of(masses) for one, masses in zip(slices, shaped, strict=True))
    return _largest(_counted(found, len(drawn), told))


def _of_tables(slices: Sequence[DrawnLeakage], tables: Floats, told: Progress) -> _Drawn:
    """Return what `largest` does; every table is a step for each of the known values."""
    return largest(slices, tables, told, len(tables))


def largest(
    slices: Sequence[DrawnLeakage], tables: Floats, told: Progress, steps: int = 0
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the largest leakage over several known values, and whether any of them occurs."""
    found = (one.leakages(tables) for one in slices)
    return _largest(_counted(found, steps, told))


def _counted(parts: Iterable[_Drawn], steps: int, told: Progress) -> Iterator[_Drawn]:
    """Give leakages, each of which counts as some steps."""
    for one in parts:
        told.step(steps)
        yield one


def _largest(
    parts: Iterable[tuple[Floats, NDArray[np.bool_]]],
) -> tuple[Floats, NDArray[np.bool_]]:
    best: Floats | None = None
    occurs: NDArray[np.bool_] | None = None
    for values, seen in parts:
        best = values if best is None else np.maximum(best, values)
        occurs = seen if occurs is None else occurs | seen
    assert best is not None  # there is at least one combination, the empty one
    assert occurs is not None
    return best, occurs


def quantiles(values: Floats, occurs: NDArray[np.bool_], level: float) -> tuple[float, float, float]:
    """Return the ends of the interval, and the share of tables without the known values."""
    if not occurs.any():
        return math.nan, math.nan, 1.0
    low, high = np.quantile(values[occurs], [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high), float(1 - occurs.mean())
