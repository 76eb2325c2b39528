"""Adversaries who know some of the other tuples: every set of them, and the one who learns most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.dependent.about import SOURCE
from pdp_widgets.leakage.dependent.conditional_outputs import ConditionalOutputs
from pdp_widgets.leakage.dependent.tuple_leakage import largest_leakage, leakage_of
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.joint_query import as_joint_query
from pdp_widgets.mechanisms.laplace import as_scale
from pdp_widgets.models.given_joint import as_sparse_joint
from pdp_widgets.models.sparse_joint import SparseJoint

__all__ = ["KnownSets", "check_known_sets", "every_known_set", "most_known", "worst_adversary"]

Floats = NDArray[np.float64]

#: Sets of known tuples, times rows, that are gone through; a minute or so.
_MOST_WORK = 1 << 26
_TIE = 1e-12


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
    >>> from pdp_widgets.models.dependent_examples import xor_bits
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
            {"target": "text", "known": "text", "leakage": "nats"},
            {"unit": "nats", "source": SOURCE, "status": {"leakage": "exact"}},
            order=tuple(sorted(range(len(rows)), key=lambda k: -amounts[k])),
        )


def every_known_set(joint: Any, query: Any, scale: float) -> KnownSets:
    """Return what a release leaks about every tuple to whoever knows whichever set of the others.

    Parameters
    ----------
    joint, query, scale
        As for `dependent_leakage`.

    Raises
    ------
    LimitError
        There are too many sets.

    Examples
    --------
    >>> from pdp_widgets.models.dependent_examples import identical_tuples
    >>> [float(leakage) for leakage in every_known_set(identical_tuples(2), "sum", 1.0).leakages[0]]
    [2.0, 0.0]
    """
    rows = as_sparse_joint(joint)
    found: list[list[Leakage]] = [[] for _ in range(rows.n)]
    for about, peaks in _all_peaks(rows, query, scale):
        found[peaks.target].append(leakage_of(rows, about, peaks))
    return KnownSets(rows.tuples, tuple(map(tuple, found)))


def worst_adversary(joint: Any, query: Any, scale: float) -> Leakage:
    """Return the largest leakage about any tuple, over all sets of known others and their values.

    Parameters
    ----------
    joint, query, scale
        As for `dependent_leakage`.

    Returns
    -------
    leakage
        Among equal ones that of the smaller set; ``attained`` has the known values.

    Raises
    ------
    LimitError
        There are too many sets.

    Examples
    --------
    >>> from pdp_widgets.models.dependent_examples import covered_shift
    >>> worst = worst_adversary(covered_shift(), "sum", 1.189395)
    >>> print(worst, worst.attained.known)
    1.59532 nats (exact): Cy, knowing Ben (('Ben', 0),)
    """
    rows = as_sparse_joint(joint)
    best: Leakage | None = None
    for about, peaks in _all_peaks(rows, query, scale):
        largest = float(peaks.values.max())
        if best is None or largest > float(best) + _TIE * max(1.0, float(best)):
            best = leakage_of(rows, about, peaks)
    assert best is not None
    return best


def most_known(joint: SparseJoint, query: Any, scale: float) -> float:
    """Return the largest leakage about any tuple over all sets of known others, in nats, as a number alone.

    Examples
    --------
    >>> from pdp_widgets.models.dependent_examples import xor_bits
    >>> most_known(xor_bits(), "sum", 1.0)
    2.0
    """
    return max(float(peaks.values.max()) for _, peaks in _all_peaks(joint, query, scale))


def check_known_sets(joint: SparseJoint) -> None:
    """Raise LimitError where the sets of tuples that may be known are too many to go through.

    Examples
    --------
    >>> from pdp_widgets.models.dependent_examples import identical_tuples
    >>> check_known_sets(identical_tuples(3))
    """
    rows = int((joint.probabilities > 0).sum())
    if joint.n > 24 or (1 << joint.n) * rows * joint.n > _MOST_WORK:
        raise LimitError(
            f"{joint.n} tuples have {1 << joint.n:,} sets that may be known, of {rows:,} rows "
            "each, too many to go through; take the tuples of one block.",
            Where("parameter", name="joint"),
        )


def _all_peaks(joint: SparseJoint, query: Any, scale: float) -> Iterator[Any]:
    """Give what every set of known tuples tells about every other tuple, smaller sets first."""
    outputs, size = as_joint_query(query, joint).outputs(joint), as_scale(scale)
    check_known_sets(joint)
    seen = ConditionalOutputs.of(joint, outputs)
    for many in range(joint.n):
        for known in combinations(range(joint.n), many):
            about = seen.knowing(known)
            for peaks in about.peaks([j for j in range(joint.n) if j not in known], size):
                yield about, peaks


def _largest(leakages: tuple[Leakage, ...]) -> Leakage:
    top = float(largest_leakage(leakages))
    return next(one for one in leakages if float(one) >= top - _TIE * max(1.0, top))
