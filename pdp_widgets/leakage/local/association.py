"""How strongly two attributes are correlated by common measures, to compare with what leaks.

All of them are the same in both directions, which leakage is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.leakage.local.conditionals import as_table
from pdp_widgets.leakage.local.records import as_two
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.immutable import ReadOnlyMapping
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import as_choice

__all__ = ["Association", "Normalisation", "as_normalisation", "association"]

Floats = NDArray[np.float64]

#: What mutual information is divided by: the joint entropy, or a mean or extreme of the two entropies.
Normalisation: TypeAlias = Literal["joint", "sqrt", "mean", "min", "max"]


@dataclass(frozen=True)
class Association:
    """Measures of association of two attributes.

    Parameters
    ----------
    mutual_information
        In nats.
    nmi
        Mutual information over the joint entropy (``"joint"``), the geometric mean (``"sqrt"``), the mean,
        the smaller or the larger of the two entropies; 0 where that is 0.
    correlation
        Pearson's correlation of the positions 0, 1, ... of the labels. Where labels have no order it is
        arbitrary: other positions give another number.

    Examples
    --------
    >>> found = association([[0.4, 0.1], [0.1, 0.4]])
    >>> round(found.mutual_information, 6), round(found.nmi["joint"], 6), round(found.correlation, 6)
    (0.192745, 0.161489, 0.6)
    """

    mutual_information: float
    nmi: Mapping[Normalisation, float]
    correlation: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "nmi", ReadOnlyMapping(self.nmi))


def as_normalisation(value: Any) -> Normalisation:
    """Return a checked normalisation, or raise DomainError."""
    names: tuple[Normalisation, ...] = get_args(Normalisation)
    return as_choice(value, "nmi", names, noun="normalisation")


def association(
    joint: AttributeTable | JointDistribution | ArrayLike,
    *,
    names: Sequence[str] | None = None,
    secret: str | int | None = None,
    source: str | int | None = None,
) -> Association:
    """Return measures of association of two attributes.

    Parameters
    ----------
    joint
        A table of probabilities or counts, or a `JointDistribution` of two attributes; or records (a data
        frame too) or a joint distribution of more, and which two of them.
    names, secret, source
        The two attributes, as for `pair_leakage`; their order matters for none of the measures.

    Raises
    ------
    TableError
        An entry is negative or not finite, all are 0, or there are not two axes.

    Notes
    -----
    The paper's NMI is the one over the joint entropy. Its correlation takes labels in their listed order.

    Examples
    --------
    >>> association([[0.3, 0.7]]).nmi["joint"]
    0.0
    """
    given, _ = as_two(joint, names, secret, source)
    numbers = given.table if isinstance(given, JointDistribution) else given
    table = as_table(numbers, "joint", 2)
    table = table / table.sum()
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    h_rows, h_columns, h_joint = (_entropy(part) for part in (rows, columns, table))
    # A constant attribute says nothing, and rounding must not say otherwise.
    mi = max(0.0, h_rows + h_columns - h_joint) if min(h_rows, h_columns) > 0 else 0.0
    divisors: dict[Normalisation, float] = {
        "joint": h_joint,
        "sqrt": float(np.sqrt(h_rows * h_columns)),
        "mean": (h_rows + h_columns) / 2,
        "min": min(h_rows, h_columns),
        "max": max(h_rows, h_columns),
    }
    return Association(
        mi,
        {name: mi / divisor if divisor > 0 else 0.0 for name, divisor in divisors.items()},
        _correlation(table, rows, columns),
    )


def _entropy(probabilities: Floats) -> float:
    seen = probabilities[probabilities > 0]
    return max(0.0, float(-(seen * np.log(seen)).sum()))


def _correlation(table: Floats, rows: Floats, columns: Floats) -> float:
    x = np.arange(len(rows)) - rows @ np.arange(len(rows))
    y = np.arange(len(columns)) - columns @ np.arange(len(columns))
    spread = (rows @ x**2) * (columns @ y**2)
    if (rows > 0).sum() < 2 or (columns > 0).sum() < 2 or spread <= 0:
        return 0.0
    return float(np.clip(x @ table @ y / np.sqrt(spread), -1.0, 1.0))
