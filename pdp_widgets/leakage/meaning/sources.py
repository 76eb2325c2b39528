"""The output laws of adversaries of every kind of release: tables, Gaussian data, reports, streams, sums.

A `Case` is one set of values that the adversary may know, with its probability and the laws that follow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import FINITE, as_size
from pdp_widgets.core.converters import as_sizes
from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.errors import AdversaryError, DomainError, LimitError, TableError, Where
from pdp_widgets.leakage.dependent.conditional_outputs import compact, equal_outputs
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.leakage.meaning.laws import ChannelLaws, Laws, as_prior, as_stochastic_rows
from pdp_widgets.leakage.meaning.mixtures import noisy_laws
from pdp_widgets.leakage.meaning.signed_mixtures import spread_noise
from pdp_widgets.leakage.prior.exact_node import PriorAdversary
from pdp_widgets.leakage.sequence.release_levels import Step, release_levels
from pdp_widgets.leakage.sequence.stream_source import StreamSource
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.mechanisms.noise import GaussianNoise, LaplaceNoise, Noise, NoNoise, check_noise
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.sparse_joint import SparseJoint

__all__ = [
    "MOST_OUTPUTS",
    "Case",
    "gaussian_laws",
    "report_laws",
    "row_cases",
    "sequence_laws",
    "stream_laws",
    "sum_laws",
    "table_cases",
    "table_laws",
]

Floats = NDArray[np.float64]

#: Combinations of outputs that are enumerated; more are refused.
MOST_OUTPUTS = 5_000_000
#: Sums of larger values have no nine digits behind the point.
LARGEST_VALUE = 1e6
_INDEPENDENT = 1e-12
_MOST_KNOWN = 1 << 16


@dataclass(frozen=True, eq=False)
class Case:
    """Values the adversary may know, and what they then see."""

    #: Labels of the known tuples by name.
    known: tuple[tuple[str, Any], ...]
    #: Probability of the known values.
    chance: float
    laws: Laws


def _laws_of(one: PriorAdversary, noise: Noise) -> Laws:
    """Return the laws of one adversary of a table, with noise of any kind."""
    found = one.mixtures()
    centres = np.unique(np.concatenate([m.centres for m in found.values()]))
    weights = np.zeros((len(one.labels), len(centres)))
    for label, mixture in found.items():
        weights[one.labels.index(label), np.searchsorted(centres, mixture.centres)] = mixture.weights
    return noisy_laws(noise, centres, weights, one.prior, one.labels)


def table_laws(
    distribution: JointDistribution,
    query: LinearQuery,
    noise: Noise,
    target: str | int,
    known: Mapping[Any, Any] | None = None,
) -> Laws:
    """Return what one adversary of a table sees of a linear query with noise.

    Parameters
    ----------
    distribution, query
        How tuples are correlated, and what is asked of them.
    noise
        Of any kind, see `noise_named`.
    target
        Name or position of the attacked tuple.
    known
        Labels of the known tuples, by name or position.

    Raises
    ------
    AdversaryError
        A tuple does not exist, is known twice or both attacked and known; a known label is not in its domain;
        or the known values have probability 0.
    QueryError
        The query does not fit the distribution, or its values are not whole and the noise is.

    Examples
    --------
    >>> from pdp_widgets import JointDistribution, LinearQuery
    >>> from pdp_widgets.mechanisms.noise import GaussianNoise
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    >>> laws = table_laws(joint, LinearQuery.sum(joint), GaussianNoise(1.0), "x1")
    >>> from pdp_widgets.meaning import Meaning
    >>> print(Meaning(laws).leakage)
    leakage inf nats (exact): the label, knowing none
    """
    return _laws_of(PriorAdversary(distribution, LaplaceMechanism(query, 1.0), target, known), noise)


def table_cases(
    distribution: JointDistribution, query: LinearQuery, noise: Noise, target: int, known: Sequence[int]
) -> Iterator[Case]:
    """Give one case for every combination of known values of a table that can occur."""
    names, domains = distribution.names, distribution.domains
    many = math.prod(len(domains[k]) for k in known)
    if many > _MOST_KNOWN:
        raise LimitError(
            f"There are {many:,} combinations of known values (limit {_MOST_KNOWN:,}); take fewer known "
            "tuples, or an analysis of one row.",
            Where("parameter", name="known"),
        )
    for labels in product(*(domains[k] for k in known)):
        try:
            given = dict(zip(known, labels, strict=True))
            one = PriorAdversary(distribution, LaplaceMechanism(query, 1.0), target, given)
        except AdversaryError:
            continue
        values = tuple((names[k], label) for k, label in given.items())
        yield Case(values, one.support, _laws_of(one, noise))


def row_cases(
    joint: SparseJoint, outputs: Floats, noise: Noise, target: int, known: Sequence[int]
) -> Iterator[Case]:
    """Give one case for every combination of known values of a sparse joint; one output for each row."""
    seen = joint.probabilities > 0
    codes, chances = joint.codes[seen], joint.probabilities[seen]
    groups = compact([(codes[:, k], len(joint.domains[k])) for k in known], len(codes))
    centres, place = equal_outputs(outputs[seen])
    for group in range(int(groups.max()) + 1):
        rows = np.flatnonzero(groups == group)
        weights = np.zeros((len(joint.domains[target]), len(centres)))
        np.add.at(weights, (codes[rows, target], place[rows]), chances[rows])
        prior = weights.sum(axis=1)
        kept = weights.any(axis=0)
        values = tuple((joint.tuples[k], joint.domains[k][int(codes[rows[0], k])]) for k in known)
        laws = noisy_laws(
            noise,
            centres[kept],
            _stochastic(weights[:, kept]),
            prior / prior.sum(),
            joint.domains[target],
        )
        yield Case(values, float(prior.sum()), laws)


def gaussian_laws(one: GaussianAdversary, noise: Noise | None = None, distance: float | None = None) -> Laws:
    """Return what one adversary of Gaussian data sees, for two values of the target.

    Parameters
    ----------
    one
        The adversary.
    noise
        Laplace or normal noise; without it the Laplace noise of the adversary's release.
    distance
        How far apart both values are; without it the largest change.

    Returns
    -------
    laws
        Two rows: of the first value, at 0, and of the other one. They have no prior: the secret is a real
        number.

    Raises
    ------
    DomainError
        The noise is of another kind.

    Examples
    --------
    >>> from pdp_widgets import GaussianModel
    >>> model = GaussianModel(None, [[1, 0.5], [0.5, 1]])
    >>> from pdp_widgets.meaning import Meaning
    >>> print(Meaning(gaussian_laws(GaussianAdversary(model, "x1"))).leakage)
    leakage 1.5 nats (exact): the label, knowing none
    """
    given = LaplaceNoise(one.release.scale) if noise is None else check_noise(noise)
    change = one.release.max_change if distance is None else FINITE.take(distance, "distance", DomainError)
    if not isinstance(given, LaplaceNoise | GaussianNoise):
        raise DomainError(
            f"The noise is {given.name!r}; Gaussian data take 'laplace' or 'gaussian' noise.",
            Where("parameter", name="noise"),
        )
    if one.determined:
        return noisy_laws(given, [0.0], [[1.0]])
    kernel = spread_noise(given, one.sigma0)
    return noisy_laws(kernel, [0.0, one.coefficient * change], np.eye(2), labels=(0.0, change))


def _check_outputs(many: float) -> None:
    if many > MOST_OUTPUTS:
        raise LimitError(
            f"There are {many:.3g} combinations of outputs (limit {MOST_OUTPUTS:,}); take fewer reports, "
            "steps or symbols.",
            Where("parameter", name="channels"),
        )


def _checked_channel(channel: Any, symbols: int, name: str) -> Floats:
    matrix = as_stochastic_rows(channel, name)
    if len(matrix) != symbols:
        raise TableError(f"{name} has {len(matrix)} rows for {symbols} symbols; give one for each.")
    return matrix


def _contracted(rows: Floats, own: Floats | None, place: int, channels: Sequence[Floats | None]) -> Floats:
    """Return the law of all reports given the secret: every source is summed out with its channel.

    Rows have the axes (secret, sources); the secret's own report stands before the sources from ``place``.
    """
    many = len(rows)
    found = rows[:, None]
    for k, channel in enumerate([*channels, None]):
        if k == place and own is not None:
            found = np.einsum("vo...,vy->voy...", found, own)
            found = found.reshape(many, -1, *found.shape[3:])
        if k == len(channels):
            break
        if channel is None:
            found = found.sum(axis=2)
            continue
        found = np.moveaxis(np.tensordot(found, channel, axes=([2], [0])), -1, 2)
        found = found.reshape(many, -1, *found.shape[3:])
    return found.reshape(many, -1)


def report_laws(
    joint: ArrayLike,
    target: int,
    channels: Mapping[int, ArrayLike],
    labels: Sequence[Any] | None = None,
) -> ChannelLaws:
    """Return what the reports of several attributes say together about one of them.

    Parameters
    ----------
    joint
        Probabilities of the attributes, one axis for each.
    target
        The axis of the secret.
    channels
        P(report | symbol) by axis; attributes without one are not reported. The secret's own may be there.
    labels
        Labels of the secret.

    Returns
    -------
    laws
        One output for each combination of reports, axes ascending, the last the fastest.

    Raises
    ------
    TableError
        The table or a channel is no probabilities.
    LimitError
        There are more than 5,000,000 combinations of reports.

    Examples
    --------
    Two bits and their parity: each report alone says nothing.

    >>> flip = [[0.75, 0.25], [0.25, 0.75]]
    >>> laws = report_laws([[[0.25, 0], [0, 0.25]], [[0, 0.25], [0.25, 0]]], 0, {1: flip, 2: flip})
    >>> from pdp_widgets.meaning import Meaning
    >>> round(float(Meaning(laws).leakage), 4), Meaning(laws).compose(1, 0.0, (0, 1)).exact
    (0.5108, False)
    """
    table = as_sizes(joint, "joint", TableError, 0, 2)
    if table.ndim < 2:
        raise TableError("The joint table has fewer than two attributes.", Where("parameter", name="joint"))
    as_prior(table.ravel(), table.size)
    secret = as_size(target, "target", 0, table.ndim - 1)
    checked = {
        as_size(axis, "channels", 0, table.ndim - 1): _checked_channel(
            matrix, table.shape[axis], f"channel {axis}"
        )
        for axis, matrix in channels.items()
    }
    _check_outputs(math.prod(matrix.shape[1] for matrix in checked.values()))
    others = [axis for axis in range(table.ndim) if axis != secret]
    weights = np.moveaxis(table, secret, 0)
    prior = weights.reshape(len(weights), -1).sum(axis=1)
    rows = np.divide(
        weights,
        prior.reshape(-1, *(1,) * len(others)),
        out=np.zeros(weights.shape),
        where=prior.reshape(-1, *(1,) * len(others)) > 0,
    )
    given = [checked.get(axis) for axis in others]

    def single(k: int) -> Floats:
        """Return the law of one source given the secret."""
        return np.asarray(rows.sum(axis=tuple(j + 1 for j in range(len(others)) if j != k)))

    own = checked.get(secret)
    found = ChannelLaws(_contracted(rows, own, secret, given), prior, labels)
    reported = [k for k, channel in enumerate(given) if channel is not None]
    laws_alone = [single(k) @ channel for k, channel in enumerate(given) if channel is not None]
    # The reports in the order of their axes, the secret's own among them.
    alone = laws_alone if own is None else [own, *laws_alone]
    found.parts = tuple(ChannelLaws(_stochastic(part), prior, labels) for part in alone)
    inputs = rows.sum(axis=tuple(k + 1 for k in range(len(others)) if k not in reported))
    apart = [single(k) for k in reported]
    found.independent = tuple(_is_product(inputs[v], [part[v] for part in apart]) for v in found.places)
    return found


def _stochastic(rows: Floats) -> Floats:
    """Return rows that sum to 1 but for rounding as such that do, and rows of zeros as they are."""
    sums = rows.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(rows, sums, out=np.zeros(rows.shape), where=sums > 0))


def _is_product(joint: Floats, parts: Sequence[Floats]) -> bool:
    made = np.ones(())
    for part in parts:
        made = np.multiply.outer(made, part)
    return bool(np.abs(joint - made).max(initial=0.0) < _INDEPENDENT)


def stream_laws(
    initial: ArrayLike,
    transition: ArrayLike,
    channels: Sequence[ArrayLike | None],
    target: int,
    labels: Sequence[Any] | None = None,
) -> ChannelLaws:
    """Return what a stream that is released step by step says about one of its symbols.

    Parameters
    ----------
    initial, transition
        The law of the first symbol, and of each one given that before it.
    channels
        One for each step: P(output | symbol), or None for a step without a release.
    target
        The step of the secret, from 0.
    labels
        Labels of the symbols.

    Returns
    -------
    laws
        One output for each combination of releases, steps ascending, the last the fastest.

    Raises
    ------
    TableError
        A law or a channel is no probabilities.
    LimitError
        There are more than 5,000,000 combinations of releases.

    Examples
    --------
    >>> flip = [[0.75, 0.25], [0.25, 0.75]]
    >>> laws = stream_laws([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]], [flip] * 3, 1)
    >>> from pdp_widgets.meaning import Meaning
    >>> round(float(Meaning(laws).leakage), 4), Meaning(laws).compose(1, 0.0, (0, 1)).exact
    (2.7932, True)
    """
    start = as_prior(initial)
    many = len(start)
    moves = _checked_channel(transition, many, "transition")
    secret = as_size(target, "target", 0, len(channels) - 1)
    each = [
        None if one is None else _checked_channel(one, many, f"channel {step}")
        for step, one in enumerate(channels)
    ]
    found = _followed(start, moves, each, secret)
    prior = found.sum(axis=1)
    prior = prior / prior.sum()
    laws = ChannelLaws(_stochastic(found), prior, labels)
    released = [step for step, one in enumerate(each) if one is not None]
    alone = [[one if k == step else None for k, one in enumerate(each)] for step in released]
    laws.parts = tuple(
        ChannelLaws(_stochastic(_followed(start, moves, one, secret)), prior, labels) for one in alone
    )
    laws.independent = _independent_steps(start, moves, released, secret, len(each), laws.places)
    return laws


def _followed(start: Floats, moves: Floats, channels: Sequence[Floats | None], secret: int) -> Floats:
    """Return the joint law of the secret and the releases, shape (symbols, outputs)."""
    # Axes: the secret (one entry before its step), the releases so far, the symbol.
    found = start[None, None]
    for step, channel in enumerate(channels):
        if step:
            found = found @ moves
        if step == secret:
            found = np.einsum("ox,vx->vox", found[0], np.eye(len(start)))
        if channel is not None:
            _check_outputs(found.shape[1] * channel.shape[1])
            found = np.einsum("vox,xy->voyx", found, channel).reshape(len(found), -1, len(start))
    return np.asarray(found.sum(axis=2))


def _independent_steps(
    start: Floats, moves: Floats, released: Sequence[int], secret: int, steps: int, places: Sequence[int]
) -> tuple[bool, ...]:
    """Return whether the symbols of the released steps are independent given each label of the secret."""
    others = [step for step in released if step != secret]
    before = sum(step < secret for step in others)
    if before <= 1 and len(others) - before <= 1:
        # Past and future of a chain are independent given the present.
        return (True,) * len(places)
    same = np.eye(len(start))
    _check_outputs(float(len(start)) ** len(others))
    joint = _followed(start, moves, [same if k in others else None for k in range(steps)], secret)
    given = _stochastic(joint).reshape(len(start), *(len(start),) * len(others))
    return tuple(
        _is_product(
            given[v],
            [given[v].sum(axis=tuple(j for j in range(len(others)) if j != k)) for k in range(len(others))],
        )
        for v in places
    )


def sequence_laws(
    source: StreamSource,
    mechanisms: Sequence[Step],
    target: int,
    limit: float = math.inf,
    progress: ProgressHook | None = None,
) -> ChannelLaws:
    """Return what a stream of any law, released by mechanisms that follow beliefs, says about one symbol."""
    found, steps = source.start[None, None], len(mechanisms)
    for level in release_levels(
        source, list(mechanisms), steps, merge=False, most=MOST_OUTPUTS, limit=limit, progress=progress
    ):
        if level.step == target:
            own = level.symbols == np.arange(source.count(target))[:, None]
            found = found * own[:, None, :]
        chance = level.matrices[level.parent[:, None], level.rows, level.output[:, None]]
        found = found[:, level.parent] * chance
        if level.step + 1 < steps:
            moved = source.push(found.reshape(-1, found.shape[2]), level.step)
            found = moved.reshape(*found.shape[:2], -1)
    joint = found.sum(axis=2)
    prior = joint.sum(axis=1)
    return ChannelLaws(_stochastic(joint), prior / prior.sum())


def sum_laws(
    own: Sequence[float],
    others: Sequence[Sequence[tuple[float, float]]],
    prior: Any = None,
    labels: Sequence[Any] | None = None,
) -> Laws:
    """Return what a sum without noise says about one summand, the others being independent.

    Parameters
    ----------
    own
        What each label of the target contributes.
    others
        The law of every other summand, as pairs of a value and its probability.
    prior, labels
        How likely the labels are, and what they are called.

    Raises
    ------
    TableError
        A law does not sum to 1, or has a negative probability.

    Examples
    --------
    >>> laws = sum_laws([0, 1], [[(0, 0.7), (1, 0.3)]] * 2)
    >>> from pdp_widgets.meaning import Meaning
    >>> Meaning(laws).delta([0.0, math.inf], (0, 1)).values.round(2).tolist()
    [0.49, 0.49]
    """
    values: Floats = np.zeros(1)
    chances: Floats = np.ones(1)
    for law in others:
        pairs = as_sizes(law, "others", TableError, -LARGEST_VALUE, LARGEST_VALUE)
        if pairs.ndim != 2 or pairs.shape[1:] != (2,):
            raise TableError(
                "A law of others is no list of pairs of a value and its probability.",
                Where("parameter", name="others"),
            )
        as_prior(pairs[:, 1], len(pairs))
        sums = np.add.outer(values, pairs[:, 0]).ravel()
        # Equal sums of decimal numbers differ in their last bits.
        values, index = np.unique(np.round(sums, 9), return_inverse=True)
        chances = np.bincount(index, np.multiply.outer(chances, pairs[:, 1]).ravel()).astype(np.float64)
    added = as_sizes(own, "own", TableError, -LARGEST_VALUE, LARGEST_VALUE).ravel()
    moved = np.round(np.add.outer(added, values), 9)
    centres, place = np.unique(moved, return_inverse=True)
    weights = np.zeros((len(added), len(centres)))
    np.add.at(weights, (np.arange(len(added))[:, None], place.reshape(moved.shape)), chances)
    return noisy_laws(NoNoise(), centres, weights, prior, labels)
