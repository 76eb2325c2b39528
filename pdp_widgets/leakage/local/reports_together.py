"""All reports of a record about one attribute: exact values, and what they lie between."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError
from pdp_widgets.leakage.local.all_subsets import all_subsets
from pdp_widgets.leakage.local.conditionals import Conditionals
from pdp_widgets.leakage.local.joint_contraction import (
    MOST_OUTPUTS,
    joint_log_ratios,
    largest_joint_log_ratio,
)
from pdp_widgets.leakage.local.mechanism_reading import Reading
from pdp_widgets.leakage.local.secret_tables import MOST_CELLS, SecretTables

__all__ = ["as_one_source", "least_together", "together"]

Floats = NDArray[np.float64]


def together(
    tables: SecretTables, readings: Sequence[Reading], own: float, most_outputs: int = MOST_OUTPUTS
) -> tuple[float, float]:
    """Return what all reports say about the secret, and what those of the sources say, exactly.

    Parameters
    ----------
    tables
        The secret and the sources.
    readings
        How the report of each is read, the secret first.
    own
        What the secret's own report says.
    most_outputs
        Refuse more combinations of outputs.

    Raises
    ------
    LimitError
        There are too many combinations of outputs or symbols.

    Notes
    -----
    Given the secret, its own report is independent of the others. Its worst ratio is the same for every pair
    of values, so that both add up; for a given matrix it is not, and the sum is maximised over pairs.

    Examples
    --------
    >>> xor = [[[0.25, 0.0], [0.0, 0.25]], [[0.0, 0.25], [0.25, 0.0]]]
    >>> found = together(SecretTables.of(xor, [0, 1, 2]), [Reading("singletons", 1.0)] * 3, 1.0)
    >>> [round(value, 6) for value in found]
    [1.433781, 0.433781]
    """
    if tables.dense is None:
        raise LimitError(
            f"The joint table of {len(tables.sizes)} attributes has {float(prod(tables.sizes)):.3g} cells "
            f"(limit {MOST_CELLS:,}); take fewer of them as sources, or exact=False for the bounds."
        )
    matrix = readings[0].matrix
    if matrix is None or len(tables.kept) < 2:
        others = largest_joint_log_ratio(tables.dense, readings[1:], most_outputs)
        return own + others, others
    ratios = joint_log_ratios(tables.dense, readings[1:], most_outputs)
    return _with_channel(ratios, matrix[tables.kept]), float(ratios.max(initial=0.0))


def least_together(
    tables: SecretTables, readings: Sequence[Reading], own: float, alone: Sequence[float]
) -> float:
    """Return what the own report and the worst other one say: never more than all together.

    Parameters
    ----------
    tables, readings, own
        As for `together`.
    alone
        What the report of each source says by itself.
    """
    matrix = readings[0].matrix
    if matrix is None or len(tables.kept) < 2:
        return own + max(alone, default=0.0)
    # The worst pair of the own report need not be the worst of another one.
    kept = matrix[tables.kept]
    found = [_with_channel(np.zeros((len(kept), len(kept))), kept), *alone]
    for place, reading in enumerate(readings[1:]):
        try:
            ratios = joint_log_ratios(tables.alone.source(place), [reading])
        except LimitError:
            continue
        found.append(_with_channel(ratios, kept))
    return max(found)


def as_one_source(tables: SecretTables, budget: float) -> float:
    """Return the bound for all sources together: one symbol for each combination that occurs."""
    if len(tables.kept) < 2:
        return 0.0
    return float(all_subsets(Conditionals.of(tables.observed), budget).value[0])


def _with_channel(ratios: Floats, matrix: Floats) -> float:
    """Return the total for a secret released by a matrix: both reports favour one pair at a time."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(matrix)
        own = logs[:, None] - logs[None]
    own[np.isnan(own)] = -np.inf
    total = own.max(axis=2) + ratios
    np.fill_diagonal(total, 0.0)
    return float(total.max())
