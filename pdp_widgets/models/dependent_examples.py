"""Small joint distributions that show what dependence does to the promise of one person's privacy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pdp_widgets.models.chain_parameters import as_count, as_share
from pdp_widgets.models.independent_blocks import product
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.models.table_checks import check_cells

__all__ = [
    "agreeing_bits",
    "bit_chain",
    "coupled_uniform",
    "covered_shift",
    "identical_tuples",
    "mod_three",
    "simplex_code",
    "xor_bits",
]


def identical_tuples(n: int = 5, values: Sequence[Any] = (0, 1)) -> SparseJoint:
    """Return n perfect copies of one value, all values alike.

    Examples
    --------
    >>> identical_tuples(20)
    SparseJoint('20 copies', x1: 2 values, x2: 2 values, x3: 2 values, x4: 2 values, x5: 2 values, \
x6: 2 values, x7: 2 values, x8: 2 values, 12 more, rows=2)
    """
    number = as_count(n, "n", 1, 100_000)
    listed = list(values)
    return SparseJoint(
        [[value] * number for value in listed],
        [1 / len(listed)] * len(listed) if listed else [],
        title=f"{number} copies" if number > 1 else "One value",
    )


def agreeing_bits(p: float = 0.9) -> SparseJoint:
    """Return two fair bits that agree with probability p.

    Examples
    --------
    >>> agreeing_bits(0.75).conditional(0, 1).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    share = as_share(p, "p")
    return SparseJoint(
        [[0, 0], [0, 1], [1, 0], [1, 1]],
        [share / 2, (1 - share) / 2, (1 - share) / 2, share / 2],
        title=f"Two bits that agree with probability {share:g}",
    )


def xor_bits() -> SparseJoint:
    """Return three fair bits of which any one is the exclusive or of the others.

    All pairs are independent: no coefficient of pairs is above 0, and the three are one block.

    Examples
    --------
    >>> xor_bits().codes.tolist()
    [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
    """
    rows = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
    return SparseJoint(rows, [0.25] * 4, title="Three bits, one the XOR of the others")


def simplex_code(k: int = 3) -> SparseJoint:
    """Return the 2^k - 1 bits of a simplex code: all pairs are independent, k bits tell all the others.

    Notes
    -----
    Bit c of word m is the parity of ``m & c``. With k = 2 it is `xor_bits`.

    Examples
    --------
    >>> simplex_code(3).n, len(simplex_code(3).probabilities)
    (7, 8)
    """
    size = as_count(k, "k", 1, 10)
    words, bits = np.arange(1 << size)[:, None], np.arange(1, 1 << size)
    ones = sum((words & bits) >> place & 1 for place in range(size))
    return SparseJoint(
        np.asarray(ones % 2), np.full(1 << size, 0.5**size), title=f"Simplex code of {(1 << size) - 1} bits"
    )


def bit_chain(n: int = 5, stay: float = 0.9) -> SparseJoint:
    """Return a chain of n fair bits, each equal to the one before with probability ``stay``.

    Each depends on all others, however many lie between.

    Examples
    --------
    >>> bit_chain(3, 0.75).probabilities.tolist()
    [0.28125, 0.09375, 0.03125, 0.09375, 0.09375, 0.03125, 0.09375, 0.28125]
    """
    number, share = as_count(n, "n", 1, 20), as_share(stay, "stay")
    check_cells((2,) * number, "The chain")
    bits = np.arange(1 << number)[:, None] >> np.arange(number)[::-1] & 1
    steps = np.where(bits[:, 1:] == bits[:, :-1], share, 1 - share)
    return SparseJoint(
        bits, 0.5 * steps.prod(axis=1), title=f"{number} bits in a chain, each like the last with {share:g}"
    )


def coupled_uniform(c: float = 0.5, points: int = 9) -> SparseJoint:
    """Return x2 = c x1 + (1 - c) u with x1 and u uniform on equally spaced points of [0, 1].

    Parameters
    ----------
    c
        Share of the first in the second, 0 to 1.
    points
        Number of points, 2 to 1,000.

    Notes
    -----
    Example 1 of Liu, Chakraborty and Mittal, on a grid.

    Examples
    --------
    >>> coupled_uniform(0.5, 3).domains[1]
    (0.0, 0.25, 0.5, 0.75, 1.0)
    """
    share, number = as_share(c, "c"), as_count(points, "points", 2, 1000)
    steps = np.arange(number) / (number - 1)
    # Places that are equal on paper may differ in the last digit: one of them stands for all.
    places = (share * steps[:, None] + (1 - share) * steps).ravel()
    _, first, index = np.unique(np.round(places, 12), return_index=True, return_inverse=True)
    second = places[first][index]
    rows = np.stack([np.repeat(steps, number), second], axis=1)
    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    return SparseJoint(distinct, counts / number**2, title=f"x2 = {share:g} x1 + {1 - share:g} u")


def covered_shift() -> SparseJoint:
    """Return six people, at work (1) or not (0): Cy covers when exactly one of Ann and Ben is in.

    Ann is at work with probability 0.6, Ben with 0.5, and Cy does as arranged with probability 0.95. Dia and
    Eli, a couple, agree with probability 0.6. Fay is alone. So there are blocks of three, two and one; and
    Ann is independent of every other person, pair by pair.

    Examples
    --------
    >>> shift = covered_shift()
    >>> shift.tuples, round(float(shift.pair("Ann", "Cy")[1, 1]), 12)
    (('Ann', 'Ben', 'Cy', 'Dia', 'Eli', 'Fay'), 0.3)
    """
    rows, chances = [], []
    for ann in (0, 1):
        for ben in (0, 1):
            for cy in (0, 1):
                kept = 0.95 if cy == ann ^ ben else 0.05
                rows.append([ann, ben, cy])
                chances.append((0.6 if ann else 0.4) * 0.5 * kept)
    shift = SparseJoint(rows, chances, ["Ann", "Ben", "Cy"])
    couple = SparseJoint(agreeing_bits(0.6).support, agreeing_bits(0.6).probabilities, ["Dia", "Eli"])
    alone = SparseJoint([[0], [1]], [0.5, 0.5], ["Fay"])
    return product(shift, couple, alone, title="Who is at work")


def mod_three() -> SparseJoint:
    """Return two independent values, uniform on 0, 1 and 2: their sum modulo 3 says nothing about either.

    Examples
    --------
    >>> mod_three().law(0).round(6).tolist()
    [0.333333, 0.333333, 0.333333]
    """
    rows = [[a, b] for a in range(3) for b in range(3)]
    return SparseJoint(rows, [1 / 9] * 9, title="Two values of 0, 1 and 2")
