"""What a noisy release leaks about each of several dependent tuples, exactly."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import SCALE
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.dependent.conditional_outputs import ConditionalOutputs, GroupPeaks
from pdp_widgets.leakage.dependent.known_tuples import (
    SOURCE,
    AttainedAt,
    determined_leakage,
    known_tuples,
    tuple_leakage,
)
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.sweeps import as_executor, swept
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.joint_query import as_joint_query
from pdp_widgets.models.sparse_joint import SparseJoint, as_sparse_joint

_TIE = 1e-12


def dependent_leakage(
    joint: Any, query: Any, scale: float, known: Iterable[str | int] = ()
) -> tuple[Leakage, ...]:
    """Return what a release with Laplace noise leaks about every tuple, to an adversary who knows its law.

    It is the largest log ratio of the densities of an output given two values of the tuple, the others
    averaged out by the joint distribution. It differs from the loss of differential privacy, which holds all
    others fixed, in both directions.

    Parameters
    ----------
    joint
        A `SparseJoint` or a `JointDistribution`.
    query
        ``"sum"``, ``"mean"``, ``"identity"``, ``"count:VALUE"``, one weight for each tuple, or a query.
    scale
        Of the noise of every number; positive and finite.
    known
        Tuples that are known beside the law; the largest leakage over their values is given. A tuple is
        taken out of its own known ones.

    Returns
    -------
    leakages
        One for each tuple, with the pair of values and the output where it is attained.

    Raises
    ------
    LimitError
        The outputs span a grid of more than 2,000,000 points.

    Notes
    -----
    Liu, Chakraborty and Mittal, Definition 4, read as an average over the tuples that are not known. The
    supremum is attained on the grid of all coordinates of outputs.

    Examples
    --------
    >>> from pdp_widgets import SparseJoint, dependent_leakage
    >>> xor = SparseJoint([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]], [0.25] * 4)
    >>> print(dependent_leakage(xor, "sum", 1.0)[0])
    1.43378 nats (exact): x1, knowing none
    >>> print(dependent_leakage(xor, "sum", 1.0, known=["x2"])[0])
    2 nats (exact): x1, knowing x2
    """
    rows = as_sparse_joint(joint)
    outputs = as_joint_query(query, rows).outputs(rows)
    size = SCALE.take(scale, "scale")
    given = list(known_tuples(rows, known))
    seen = ConditionalOutputs.of(rows, outputs)
    found: list[Leakage | None] = [None] * rows.n
    # Those who are not known share one set of known tuples; every other tuple has a set of its own.
    shared = [j for j in range(rows.n) if j not in given]
    for targets, others in [(shared, given), *(([j], [k for k in given if k != j]) for j in given)]:
        about = seen.knowing(others)
        for peaks in about.peaks(targets, size):
            found[peaks.target] = leakage_of(rows, about, peaks)
    return tuple(one for one in found if one is not None)


def leakage_values(joint: SparseJoint, outputs: np.ndarray[Any, Any], scale: float) -> np.ndarray[Any, Any]:
    """Return what a release leaks about every tuple to an adversary who knows none, as numbers."""
    peaks = ConditionalOutputs.of(joint, outputs).peaks(range(joint.n), scale)
    return np.array([float(one.values[0]) for one in peaks])


def leakage_of(joint: SparseJoint, about: ConditionalOutputs, peaks: GroupPeaks) -> Leakage:
    """Return the largest leakage about one tuple over the values of the known ones, as a value."""
    top = float(peaks.values.max())
    # Of combinations that are equal but for rounding the first is named, among those that leave two values.
    near = peaks.values >= top - _TIE * max(1.0, top)
    group = int(((peaks.more >= 0) & near).argmax())
    name, domain = joint.tuples[peaks.target], joint.domains[peaks.target]
    names = [joint.tuples[k] for k in about.known]
    if (peaks.more < 0).all():
        return determined_leakage(name, [(known, None) for known in names])
    row = about.codes[about.first_rows[group]]
    values: Any = tuple(
        (known, joint.domains[k][row[k]]) for known, k in zip(names, about.known, strict=True)
    )
    at, last = int(peaks.at[group]), about.last
    ends = about.outputs.shape[1] == 1
    pair: Any = (domain[int(peaks.more[group])], domain[int(peaks.less[group])])
    output = about.output(at, group)
    attained = AttainedAt(
        output[0], "<=" if ends and at == 0 else ">=" if ends and at == last else "=", pair, values, output
    )
    return tuple_leakage(top, name, [(known, None) for known in names], attained)


def largest_leakage(leakages: Iterable[Leakage]) -> Leakage:
    """Return the largest of several leakages, the first among equal ones."""
    return max(leakages, key=float)


Floats = NDArray[np.float64]

Found = TypeVar("Found")

#: Sets of known tuples in one part of a sweep, at most.
_SETS_TOGETHER = 1024
#: Sets of known tuples, times rows, that are gone through; a minute or so.
_MOST_WORK = 1 << 26


@dataclass(frozen=True)
class KnownSets(NumberTable):
    """What adversaries learn about every tuple, each knowing one set of other tuples.

    Parameters
    ----------
    names
        Names of the tuples.
    leakages
        By tuple: one leakage for each set, the empty one first, then by size.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import xor_bits
    >>> found = every_known_set(xor_bits(), "sum", 1.0)
    >>> [round(float(leakage), 4) for leakage in found.leakages[0]]
    [1.4338, 2.0, 2.0, 0.0]
    >>> print(found.worst)
    2 nats (exact): x1, knowing x2
    """

    names: tuple[str, ...]
    leakages: tuple[tuple[Leakage, ...], ...]

    @property
    def worst_of_each(self) -> tuple[Leakage, ...]:
        """The largest leakage about every tuple; among equal ones that of the smaller set."""
        return tuple(_largest(leakages) for leakages in self.leakages)

    @property
    def worst(self) -> Leakage:
        """The largest of all."""
        return _largest(self.worst_of_each)

    def _numbers(self) -> Numbers:
        rows = [(name, one) for name, each in zip(self.names, self.leakages, strict=True) for one in each]
        amounts = [float(one) for _, one in rows]
        return Numbers(
            {
                "target": [name for name, _ in rows],
                "known": [", ".join(known for known, _ in one.about.known) for _, one in rows],
                "leakage": amounts,
                "determined": [one.determined for _, one in rows],
            },
            {"target": "text", "known": "names", "leakage": "nats"},
            {"unit": "nats", "source": SOURCE, "status": {"leakage": "exact"}},
            order=tuple(sorted(range(len(rows)), key=lambda k: -amounts[k])),
        )


def every_known_set(
    joint: Any,
    query: Any,
    scale: float,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
) -> KnownSets:
    """Return what a release leaks about every tuple to adversaries who know any set of the others.

    Parameters
    ----------
    joint, query, scale
        As for `dependent_leakage`.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.
    executor
        Whose workers go through some of the sets, as for `pdp_widgets.prior.leakage_intervals`.

    Raises
    ------
    LimitError
        There are too many sets, or they take longer than the limit.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import identical_tuples
    >>> [float(leakage) for leakage in every_known_set(identical_tuples(2), "sum", 1.0).leakages[0]]
    [2.0, 0.0]
    """
    rows = as_sparse_joint(joint)
    found: list[list[Leakage]] = [[] for _ in range(rows.n)]
    of_sets = partial(_leakages, rows)
    for part in _over_known_sets(rows, query, scale, of_sets, limit, progress, executor):
        for target, leakage in part:
            found[target].append(leakage)
    return KnownSets(rows.tuples, tuple(map(tuple, found)))


def worst_adversary(
    joint: Any,
    query: Any,
    scale: float,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
) -> Leakage:
    """Return the largest leakage about any tuple, over all sets of known others and their values.

    Parameters
    ----------
    joint, query, scale
        As for `dependent_leakage`.
    limit, progress, executor
        As for `every_known_set`.

    Returns
    -------
    leakage
        Among equal ones that of the smaller set; ``attained`` has the known values.

    Raises
    ------
    LimitError
        There are too many sets, or they take longer than the limit.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import covered_shift
    >>> worst = worst_adversary(covered_shift(), "sum", 1.189395)
    >>> print(worst, worst.attained.known)
    1.59532 nats (exact): Cy, knowing Ben (('Ben', 0),)
    """
    rows = as_sparse_joint(joint)
    parts = _over_known_sets(rows, query, scale, _largest_of_each, limit, progress, executor)
    best, at = -math.inf, 0
    for place, value in enumerate(np.concatenate(parts).ravel().tolist()):
        if value > best + _TIE * max(1.0, best):
            best, at = value, place
    known = next(islice(_known_sets(rows.n), at // rows.n, None))
    about = ConditionalOutputs.of(rows, as_joint_query(query, rows).outputs(rows)).knowing(known)
    found = {peaks.target: peaks for peaks in _peaks(about, SCALE.take(scale, "scale"))}
    return leakage_of(rows, about, found[at % rows.n])


def most_known(joint: SparseJoint, query: Any, scale: float, progress: ProgressHook | None = None) -> float:
    """Return the largest leakage about any tuple over all sets of known others, in nats."""
    parts = _over_known_sets(joint, query, scale, _largest_of_each, math.inf, progress, None)
    return max(float(part.max()) for part in parts)


def check_known_sets(joint: SparseJoint) -> None:
    """Raise LimitError where the sets of tuples that may be known are too many to go through."""
    rows = int((joint.probabilities > 0).sum())
    if joint.n > 24 or (1 << joint.n) * rows * joint.n > _MOST_WORK:
        raise LimitError(
            f"{joint.n} tuples have {1 << joint.n:,} sets that may be known, of {rows:,} rows "
            "each, too many to go through; take the tuples of one block.",
            Where("parameter", name="joint"),
        )


def _known_sets(n: int) -> Iterator[tuple[int, ...]]:
    """Give the sets of tuples that may be known, smaller ones first."""
    return (known for many in range(n) for known in combinations(range(n), many))


def _over_known_sets(
    joint: SparseJoint,
    query: Any,
    scale: float,
    function: Callable[..., Found],
    limit: float,
    progress: ProgressHook | None,
    executor: Executor | None,
) -> list[Found]:
    """Return what a function finds about the sets of known tuples, in parts and in their order."""
    outputs, size = as_joint_query(query, joint).outputs(joint), SCALE.take(scale, "scale")
    workers = as_executor(executor)
    check_known_sets(joint)
    hook = timed(progress, limit, f"All known sets of {joint.n} tuples", "Take the tuples of one block.")
    told, sets = Progress(hook, (1 << joint.n) - 1), _known_sets(joint.n)
    together = max(1, min(_SETS_TOGETHER, told.steps >> 5))
    # There may be a million: they are made when they are looked at.
    parts = iter(lambda: list(islice(sets, together)), [])
    seen = ConditionalOutputs.of(joint, outputs)
    found = swept(partial(function, seen, size), parts, workers, told)
    told.finish()
    return found


def _peaks(about: ConditionalOutputs, scale: float) -> list[GroupPeaks]:
    """Return what one set of known tuples tells about every other tuple."""
    return about.peaks([j for j in range(len(about.sizes)) if j not in about.known], scale)


def _leakages(
    joint: SparseJoint,
    seen: ConditionalOutputs,
    scale: float,
    sets: Sequence[tuple[int, ...]],
    told: Progress,
) -> list[tuple[int, Leakage]]:
    """Return every leakage about every tuple that is not known, with its position."""
    found = []
    for known in sets:
        about = seen.knowing(known)
        found += [(peaks.target, leakage_of(joint, about, peaks)) for peaks in _peaks(about, scale)]
        told.step()
    return found


def _largest_of_each(
    seen: ConditionalOutputs, scale: float, sets: Sequence[tuple[int, ...]], told: Progress
) -> Floats:
    """Return the largest leakage for some sets about each tuple, shape (sets, n), minus infinity if known."""
    found = np.full((len(sets), len(seen.sizes)), -np.inf)
    for row, known in zip(found, sets, strict=True):
        for peaks in _peaks(seen.knowing(known), scale):
            row[peaks.target] = peaks.values.max()
        told.step()
    return found


def _largest(leakages: tuple[Leakage, ...]) -> Leakage:
    top = float(largest_leakage(leakages))
    return next(one for one in leakages if float(one) >= top - _TIE * max(1.0, top))
