"""How strongly tuples depend on one another, pair by pair, and which groups of them do not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import DELTA
from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label, as_title, shown
from pdp_widgets.models.sparse_joint import SparseJoint, as_sparse_joint, restored
from pdp_widgets.models.support_rows import check_rows

__all__ = [
    "Dependence",
    "are_refuted",
    "as_blocks",
    "dependences",
    "independent_blocks",
    "product",
    "strongest",
]

Floats = NDArray[np.float64]
#: Pairs that differ by less are as strong as one another: rounding must not sort them.
_APART = 1e-9
#: Codes for each row up to which they are counted and not sorted.
_SPARSE = 16


@dataclass(frozen=True)
class Dependence:
    """How strongly two tuples depend on one another."""

    #: Positions of the two tuples.
    pair: tuple[int, int]
    #: Pearson's correlation where the labels of both are numbers, else Cramér's V, from 0 to 1; NaN where one
    #: of the two has a single value only.
    value: float
    #: Whether the value is a correlation.
    signed: bool


def dependences(distribution: JointDistribution) -> list[Dependence]:
    """Return the dependence of every pair of tuples."""
    # Words have no order and no distance, so a pair with words has no correlation: its Cramér's V is the same
    # in whatever order the labels stand.
    numbers = [_numbers(domain) for domain in distribution.domains]
    found = []
    for i, j, joint in _pairs(distribution.table):
        x, y = numbers[i], numbers[j]
        signed = x is not None and y is not None
        value = _correlation(joint, x, y) if x is not None and y is not None else _cramers_v(joint)
        found.append(Dependence((i, j), value, signed))
    return found


def strongest(pairs: list[Dependence], most: int) -> list[Dependence]:
    """Return the strongest pairs, among equals the first ones first and undefined ones last."""

    def place(one: Dependence) -> tuple[float, tuple[int, int]]:
        size = abs(one.value) if math.isfinite(one.value) else -1.0
        return -round(size / _APART), one.pair

    return sorted(pairs, key=place)[:most]


def _pairs(entries: Floats) -> Iterator[tuple[int, int, Floats]]:
    """Yield every pair of axes with its marginal; what is summed out once is not summed again."""
    n, tail = entries.ndim, entries
    for i in range(n):
        # Axes of `rest`: i, j and those after.
        rest = tail
        for j in range(i + 1, n):
            yield i, j, rest.reshape(rest.shape[0], rest.shape[1], -1).sum(axis=2)
            rest = rest.sum(axis=1)
        tail = tail.sum(axis=0)


def _correlation(joint: Floats, x: Floats, y: Floats) -> float:
    px, py = joint.sum(axis=1), joint.sum(axis=0)
    if np.count_nonzero(px) < 2 or np.count_nonzero(py) < 2:
        return math.nan
    dx, dy = x - px @ x, y - py @ y
    spread = math.sqrt(float(px @ dx**2)) * math.sqrt(float(py @ dy**2))
    return max(-1.0, min(1.0, float(dx @ joint @ dy) / spread)) if spread > 0 else math.nan


def _cramers_v(joint: Floats) -> float:
    """Return Cramér's V over the labels that can occur."""
    px, py = joint.sum(axis=1), joint.sum(axis=0)
    rows, columns = np.flatnonzero(px), np.flatnonzero(py)
    smaller = min(rows.size, columns.size) - 1
    if smaller < 1:
        return math.nan
    # Divided one after the other: a product of two tiny probabilities would be no number.
    left, right = px[rows, None], py[None, columns]
    apart = joint[np.ix_(rows, columns)] - left * right
    chi2 = float(((apart / left) * (apart / right)).sum())
    return min(1.0, math.sqrt(max(0.0, chi2) / smaller))


def _numbers(domain: tuple[Label, ...]) -> Floats | None:
    """Return the labels as numbers of at most 1, where all are numbers; a correlation has no unit."""
    try:
        texts = [str(label) for label in domain]
        # As in the browser, where 1_000 is no number.
        numbers = np.array([math.nan if "_" in text else float(text) for text in texts])
    except ValueError:
        return None
    size = float(np.abs(numbers).max())
    if not math.isfinite(size):
        return None
    return numbers / size if size > 0 else numbers


Integers = NDArray[np.int64]


def independent_blocks(joint: Any, tolerance: float = 1e-12) -> list[tuple[int, ...]]:
    """Return the finest partition of the tuples into blocks that are mutually independent.

    Parameters
    ----------
    joint
        A `SparseJoint` or a `JointDistribution`.
    tolerance
        Largest difference of a probability and the product that it would be under independence, as a share of
        the larger of the two. It leaves room for the rounding of sums, whose terms are all positive.

    Returns
    -------
    blocks
        Positions, each block in ascending order, by first position.

    Notes
    -----
    A block is grown from its first tuple: of the shortest list of others on which it depends, the last one
    belongs to it. So the joint table is tested, never pairs: three bits of which one is the XOR of the others
    are pairwise independent and one block.

    The difference is no absolute one, as 1e-12 of a probability would be: a leakage is a ratio given a value,
    so a value counts in full however rare it is. Two bits that are always equal and 1 with probability 1e-13
    would pass for independent, and the noise for independent tuples leaks twice the promise about them. What
    never happens together has probability 0, which differs from any product.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import covered_shift, xor_bits
    >>> independent_blocks(xor_bits()), independent_blocks(covered_shift())
    ([(0, 1, 2)], [(0, 1, 2), (3, 4), (5,)])
    >>> independent_blocks(SparseJoint([[0, 0], [1, 1]], [1 - 1e-13, 1e-13]))
    [(0, 1)]
    """
    rows = as_sparse_joint(joint)
    limit = DELTA.take(tolerance, "tolerance", DomainError, "The tolerance")
    possible = rows.probabilities > 0
    codes, chances = rows.codes[possible], rows.probabilities[possible] / rows.probabilities.sum()
    # What takes one value only is independent of everything.
    varying = [j for j in range(rows.n) if codes[:, j].min() != codes[:, j].max()]
    blocks: list[tuple[int, ...]] = [(j,) for j in range(rows.n) if j not in varying]
    left = list(varying)
    while left:
        block, rest = [left[0]], left[1:]
        first = _joined(np.zeros_like(codes[:, 0]), codes[:, left[0]])
        while (found := _first_prefix(first, codes, rest, chances, limit)) is not None:
            block.append(rest.pop(found))
            first = _joined(first, codes[:, block[-1]])
        blocks.append(tuple(sorted(block)))
        left = rest
    return sorted(blocks)


def as_blocks(joint: SparseJoint, blocks: Any, tolerance: float = 1e-12) -> list[tuple[int, ...]]:
    """Return given blocks as positions, or where none are given those of the table."""
    if blocks is None:
        return independent_blocks(joint, tolerance)
    where = Where("parameter", name="blocks")
    if isinstance(blocks, str | bytes) or not isinstance(blocks, Sequence):
        raise DomainError(f"The blocks are {shown(blocks)}; give lists of names or positions.", where)
    found = [tuple(sorted(joint.axes(block))) for block in blocks]
    members = sorted(j for block in found for j in block)
    if members != list(range(joint.n)):
        odd = next(j for j in range(joint.n) if members.count(j) != 1)
        many = "no block" if odd not in members else "two blocks"
        raise DomainError(f"{joint.tuples[odd]} is in {many}; each tuple belongs to one.", where)
    return sorted(found)


def are_refuted(joint: SparseJoint, blocks: Sequence[tuple[int, ...]]) -> bool:
    """Tell whether tuples of different given blocks depend on each other by the table."""
    if len(blocks) == 1:
        return False
    whole = [set(block) for block in blocks]
    return not all(any(block >= set(part) for block in whole) for part in independent_blocks(joint))


def product(*joints: Any, title: str | None = None) -> SparseJoint:
    """Return several joint distributions side by side, independent of each other."""
    parts = [as_sparse_joint(joint) for joint in joints]
    if not parts:
        raise TableError(
            "There is no joint distribution; give one or more.", Where("parameter", name="joints")
        )
    names: list[str] = []
    for part in parts:
        plain = part.tuples == tuple(f"x{k + 1}" for k in range(part.n))
        names += [f"x{len(names) + k + 1}" for k in range(part.n)] if plain else part.tuples
    if len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise DomainError(
            f"Two tuples have the name {shown(twice)}; names must differ.", Where("parameter", name="tuples")
        )
    check_rows(prod(len(part.codes) for part in parts))
    codes, chances = parts[0].codes, parts[0].probabilities
    for part in parts[1:]:
        codes = np.concatenate(
            [np.repeat(codes, len(part.codes), axis=0), np.tile(part.codes, (len(codes), 1))], axis=1
        )
        chances = np.outer(chances, part.probabilities).ravel()
    domains = tuple(domain for part in parts for domain in part.domains)
    return restored(codes.copy(), chances / chances.sum(), domains, tuple(names), as_title(title))


def _first_prefix(
    first: Integers, codes: Integers, others: Sequence[int], chances: Floats, limit: float
) -> int | None:
    """Return the place of the last column of the shortest list on which a joint value depends, or None."""
    second = np.zeros_like(first)
    for place, column in enumerate(others):
        second = _joined(second, codes[:, column])
        if _depends(first, second, chances, limit):
            return place
    return None


def _depends(first: Integers, second: Integers, chances: Floats, limit: float) -> bool:
    """Tell whether two joint values depend on each other."""
    one, other = np.bincount(first, chances), np.bincount(second, chances)
    if len(one) * len(other) > len(chances):
        # There are not as many rows as there would be pairs.
        return True
    both = np.bincount(first * len(other) + second, chances, len(one) * len(other))
    if not both.all():
        # Both can happen, and never do together.
        return True
    alone = np.outer(one, other).ravel()
    return bool((np.abs(both - alone) > limit * np.maximum(both, alone)).any())


def _joined(first: Integers, column: Integers) -> Integers:
    """Return one code for each pair of codes, 0, 1, ... without gaps."""
    pairs = first * (int(column.max()) + 1) + column
    top = int(pairs.max()) + 1
    if top > _SPARSE * len(pairs):
        return np.asarray(np.unique(pairs, return_inverse=True)[1].reshape(-1))
    present = np.zeros(top, dtype=np.bool_)
    present[pairs] = True
    return np.asarray((np.cumsum(present) - 1)[pairs])
