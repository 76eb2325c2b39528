"""Small joint distributions that show what dependence does to privacy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import PROBABILITY, as_size
from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import ChainError, TableError, Where
from pdp_widgets.models.chain_checks import as_count
from pdp_widgets.models.dependence import product
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import shown
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.models.table_checks import check_cells

__all__ = [
    "agreeing_bits",
    "bit_chain",
    "chain",
    "collider",
    "conditionally_independent",
    "coupled_uniform",
    "covered_shift",
    "identical_attributes",
    "identical_tuples",
    "mod_three",
    "parity",
    "simplex_code",
    "two_attributes",
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
    share = PROBABILITY.take(p, "p", ChainError)
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
    number, share = as_count(n, "n", 1, 20), PROBABILITY.take(stay, "stay", ChainError)
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
    share, number = PROBABILITY.take(c, "c", ChainError), as_count(points, "points", 2, 1000)
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


def two_attributes() -> JointDistribution:
    """Return the published example of a secret and a source with four symbols each.

    Releasing the source leaks all of the budget about the secret, because two of its values never go with the
    same symbol; the other way round less is leaked. Mutual information does not tell the directions apart.

    Notes
    -----
    Appendix K of the paper on correlation-induced leakage under local differential privacy.

    Examples
    --------
    >>> two_attributes().table.tolist()[2]
    [0.1, 0.15, 0.03, 0.02]
    """
    return JointDistribution(
        [[0.2, 0, 0, 0], [0, 0.2, 0, 0], [0.1, 0.15, 0.03, 0.02], [0.1, 0.15, 0.03, 0.02]],
        [range(1, 5), range(1, 5)],
        ["secret", "source"],
        title="Two attributes with four symbols each",
    )


def parity(bits: int = 2) -> JointDistribution:
    """Return fair bits and, last, whether an odd number of them is 1; two bits are XOR.

    Each bit alone says nothing about the parity, all of them together say everything.

    Parameters
    ----------
    bits
        How many bits, 1 to 20.

    Examples
    --------
    >>> parity().names
    ('bit 1', 'bit 2', 'parity')
    >>> parity().probability([1, 1, 0])
    0.25
    """
    number = as_size(bits, "bits", 1, 20, TableError)
    ones = np.indices((2,) * number).sum(axis=0)
    table = np.stack([ones % 2 == 0, ones % 2 == 1], axis=-1) / 2.0**number
    names = [*(f"bit {j + 1}" for j in range(number)), "parity"]
    return JointDistribution(table, None, names, title=f"{number} bits and their parity")


def identical_attributes(attributes: int = 3, share: float = 0.5) -> JointDistribution:
    """Return a binary attribute that is released several times over.

    Parameters
    ----------
    attributes
        How many copies, 2 to 20.
    share
        Probability of 1.

    Examples
    --------
    >>> identical_attributes(2, 0.25).table.tolist()
    [[0.75, 0.0], [0.0, 0.25]]
    """
    number = as_size(attributes, "attributes", 2, 20, TableError)
    p = PROBABILITY.take(share, "share", TableError)
    table = np.zeros((2,) * number)
    table[(0,) * number], table[(1,) * number] = 1 - p, p
    return JointDistribution(table, title=f"{number} copies of one attribute")


def conditionally_independent(secret: ArrayLike, channels: Sequence[ArrayLike]) -> JointDistribution:
    """Return a secret and sources that depend on it and, given it, not on each other.

    Only here is the sum of the leakages of single sources a bound of what they leak together.

    Parameters
    ----------
    secret
        Probability of every value of the secret, the first attribute.
    channels
        For each source the probabilities of its symbols, one row for each value of the secret.

    Examples
    --------
    >>> first, second = [[0.9, 0.1], [0.2, 0.8]], [[0.6, 0.4], [0.3, 0.7]]
    >>> joint = conditionally_independent([0.5, 0.5], [first, second])
    >>> joint.names
    ('secret', 'source 1', 'source 2')
    >>> round(joint.probability([0, 0, 1]), 12)
    0.18
    """
    prior = _rows([secret], "The secret", "secret")[0]
    given = [_rows(rows, f"Channel {place}", "channels") for place, rows in enumerate(channels)]
    for place, rows in enumerate(given):
        _check_rows(rows, prior.size, f"Channel {place}", "the secret")
    check_cells([prior.size, *(rows.shape[1] for rows in given)], "The joint distribution")
    table = prior
    for place, rows in enumerate(given):
        table = table[..., None] * rows.reshape(prior.size, *(1,) * place, rows.shape[1])
    names = ["secret", *(f"source {j + 1}" for j in range(len(given)))]
    return JointDistribution(
        table / table.sum(), None, names, title="Sources that are independent given the secret"
    )


def chain(first: ArrayLike, channels: Sequence[ArrayLike]) -> JointDistribution:
    """Return attributes of which each depends on the one before and on nothing earlier.

    Parameters
    ----------
    first
        Probability of every symbol of the first attribute.
    channels
        For each further attribute the probabilities of its symbols, one row for each symbol of the one
        before.

    Examples
    --------
    >>> chain([0.5, 0.5], [[[0.9, 0.1], [0.1, 0.9]]] * 2).table.round(3).tolist()
    [[[0.405, 0.045], [0.005, 0.045]], [[0.045, 0.005], [0.045, 0.405]]]
    """
    table = _rows([first], "The first attribute", "first")[0]
    steps = [_rows(rows, f"Channel {place}", "channels") for place, rows in enumerate(channels)]
    sizes = [table.size]
    for place, step in enumerate(steps):
        _check_rows(step, sizes[-1], f"Channel {place}", "the attribute before")
        sizes.append(step.shape[1])
    check_cells(sizes, "The joint distribution")
    for step in steps:
        table = table[..., None] * step
    return JointDistribution(table / table.sum(), title="A chain of attributes")


def collider(causes: Sequence[ArrayLike], effect: ArrayLike) -> JointDistribution:
    """Return independent causes and, last, an effect of all of them.

    Knowing the effect makes the causes dependent: what two of them say about a third cannot be added.

    Parameters
    ----------
    causes
        For each cause the probability of every symbol.
    effect
        Probabilities of the symbols of the effect on the last axis, for every combination of the causes.

    Examples
    --------
    >>> joint = collider([[0.5, 0.5], [0.5, 0.5]], [[[1, 0], [0, 1]], [[0, 1], [0, 1]]])
    >>> joint.names
    ('cause 1', 'cause 2', 'effect')
    >>> joint.table.sum(axis=(0, 1)).tolist()
    [0.25, 0.75]
    """
    given = [_rows([cause], f"Cause {place}", "causes")[0] for place, cause in enumerate(causes)]
    if not given:
        raise TableError("There are no causes; give at least one.", Where("parameter", name="causes"))
    refuse_masked(effect, "effect")
    try:
        table = plain_numbers(effect)
    except (TypeError, ValueError, OverflowError):
        table = np.empty(0)
    sizes = tuple(cause.size for cause in given)
    if table.ndim != len(given) + 1 or table.shape[:-1] != sizes or not table.shape[-1]:
        raise TableError(
            f"The effect has the shape {table.shape}; its axes are the causes, {sizes}, and its own symbols.",
            Where("parameter", name="effect"),
        )
    _rows(table.reshape(-1, table.shape[-1]), "The effect", "effect")
    for axis, cause in enumerate(given):
        table = table * cause.reshape(-1, *(1,) * (len(given) - axis))
    names = [*(f"cause {j + 1}" for j in range(len(given))), "effect"]
    return JointDistribution(table / table.sum(), None, names, title="Independent causes of one effect")


def _rows(rows: Any, what: str, name: str) -> NDArray[np.float64]:
    """Return rows of probabilities that sum to 1, or raise TableError."""
    refuse_masked(rows, name)
    try:
        found = plain_numbers(rows)
    except (TypeError, ValueError, OverflowError):
        found = np.empty(0)
    if found.ndim != 2 or not found.size:
        raise TableError(
            f"{what} is {shown(rows)}; give probabilities, all rows of one length.",
            Where("parameter", name=name),
        )
    off = ~(np.isfinite(found) & (found >= 0)).all(axis=1) | (np.abs(found.sum(axis=1) - 1) > 1e-9)
    if off.any():
        row = int(np.argmax(off))
        place = f", row {row}" if len(found) > 1 else ""
        numbers = ", ".join(f"{x:.6g}" for x in found[row, :8])
        raise TableError(
            f"{what}{place} is {numbers}; probabilities are 0 or more and sum to 1.",
            Where("parameter", name=name),
        )
    return found


def _check_rows(rows: NDArray[np.float64], size: int, what: str, of: str) -> None:
    if len(rows) != size:
        raise TableError(
            f"{what} has {len(rows)} rows and {of} has {size} symbols; give one row for each.",
            Where("parameter", name="channels"),
        )
