"""Small joint distributions that show what correlation does to local privacy."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.given_numbers import is_whole, plain_number, plain_numbers, refuse_masked
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import shown
from pdp_widgets.models.table_checks import check_cells

__all__ = [
    "chain",
    "collider",
    "conditionally_independent",
    "identical_attributes",
    "parity",
    "two_attributes",
]


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
    number = _whole(bits, "bits", 1, 20)
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
    number = _whole(attributes, "attributes", 2, 20)
    p = _probability(share, "share")
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
    for place, rows in enumerate(channels):
        step = _rows(rows, f"Channel {place}", "channels")
        _check_rows(step, table.shape[-1], f"Channel {place}", "the attribute before")
        check_cells([*table.shape, step.shape[1]], "The joint distribution")
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


def _whole(value: Any, name: str, least: int, most: int) -> int:
    if not is_whole(value) or not least <= value <= most:
        raise TableError(
            f"{name} is {shown(value)}; it must be a whole number from {least} to {most}.",
            Where("parameter", name=name),
        )
    return int(value)


def _probability(value: Any, name: str) -> float:
    try:
        number = float("nan") if isinstance(value, bool) else plain_number(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if isnan(number) or not 0 <= number <= 1:
        raise TableError(
            f"{name} is {shown(value)}; it must be a probability, 0 to 1.", Where("parameter", name=name)
        )
    return number


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
