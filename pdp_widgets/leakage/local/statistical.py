"""Leakage read off counts of secrets and guesses, as the paper's experiments do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import MOST_EXACT, Kind, as_size
from pdp_widgets.core.converters import as_generator
from pdp_widgets.errors import TableError, Where
from pdp_widgets.leakage.local.conditionals import as_table
from pdp_widgets.leakage.local.mechanism_reading import as_mechanism, as_output, log_extremes
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.leakage.local.records import as_two, for_source
from pdp_widgets.leakage.value import AboutSecret, Leakage, Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import as_names, shown

__all__ = [
    "Alpha",
    "SimulatedLeakage",
    "as_alpha",
    "as_whole_counts",
    "log_ratio_of_counts",
    "simulated_leakage",
    "statistical_leakage",
]

Floats = NDArray[np.float64]
Alpha = float | Literal["auto"]

_SOURCE = "Jayawardana, Ulukus, Ding and Thilakarathna, section III"
_ALPHA = Kind("it is a number of records, 0 to 2^53, or 'auto'", 0, MOST_EXACT)


def statistical_leakage(
    counts: AttributeTable | JointDistribution | ArrayLike,
    alpha: Alpha = 0.0,
    *,
    output: Output | None = None,
    names: Sequence[str] | None = None,
    secret: str | int | None = None,
    source: str | int | None = None,
) -> Leakage:
    """Return the largest log ratio within a column of counts: the plug-in estimate of a leakage.

    Parameters
    ----------
    counts
        Records of every secret value (axis 0) and symbol of the source (axis 1); or records (a data frame
        too) or a joint distribution with both attributes.
    alpha
        Added to every cell before rows are normalised; ``"auto"``: 0.5 if a column with records has a zero.
    output
        What the symbols are, which the result then says: ``"inferred"``, guesses from reports, the paper's
        experiments; ``"raw"``, reports; without it those of the records themselves, not randomised.
    names
        Names of secret and source: they choose two attributes of records or of a joint distribution.
    secret, source
        The same one by one, instead of ``names``; of records positions too.

    Returns
    -------
    leakage
        Status ``"estimate"``. It is a maximum of noisy ratios and tends to be too large; a zero cell opposite
        a positive one makes it infinite unless alpha is positive.

    Raises
    ------
    TableError
        A count is negative or not finite, all are 0, or alpha is negative.

    Notes
    -----
    Rows and columns without records are left out first.

    Examples
    --------
    >>> print(statistical_leakage([[30, 50, 20], [60, 25, 15]]))
    0.693147 nats (estimate): secret, from source itself
    >>> print(statistical_leakage([[30, 50, 20], [60, 25, 15]], output="inferred"))
    0.693147 nats (estimate): secret, from the guess of source
    >>> float(statistical_leakage([[30, 50, 0], [60, 25, 15]]))
    inf
    >>> round(float(statistical_leakage([[30, 50, 0], [60, 25, 15]], "auto")), 6)
    3.214531
    """
    numbers, names = as_two(counts, names, secret, source)
    if isinstance(numbers, JointDistribution):
        numbers = numbers.table if numbers.counts is None else numbers.counts
    table = as_table(numbers, "counts", 2)
    attacked, told = as_names(names if names is not None else ("secret", "source"), 2)
    value = float(log_ratio_of_counts(table[None], as_alpha(alpha))[0])
    about = AboutSecret(attacked, sources=(told,), randomised=output is not None)
    if output is not None:
        about = replace(about, output=as_output(output))
    return Leakage(value, "estimate", about, "sup", source=_SOURCE)


def as_alpha(alpha: Any) -> Alpha:
    """Return how much is added to every count, or raise TableError."""
    if isinstance(alpha, str) and alpha == "auto":
        return "auto"
    return _ALPHA.take(alpha, "alpha", TableError)


def log_ratio_of_counts(tables: NDArray[Any], alpha: Alpha = 0.0) -> Floats:
    """Return the largest log ratio within a column for each of many tables with the same margins in use."""
    rows, columns = tables[0].sum(axis=1) > 0, tables[0].sum(axis=0) > 0
    used = tables[:, rows][:, :, columns].astype(np.float64)
    if used.shape[1] < 2:
        return np.zeros(len(used))
    added = np.where((used == 0).any(axis=(1, 2)), 0.5, 0.0)[:, None, None] if alpha == "auto" else alpha
    used = used + added
    # One column for each table and symbol: all of them are alike.
    shares = used / used.sum(axis=2, keepdims=True)
    flat = shares.transpose(1, 0, 2).reshape(used.shape[1], -1)
    found: Floats = log_extremes(flat).reshape(len(used), -1).max(axis=1)
    return found


def as_whole_counts(table: Any, name: str = "table") -> NDArray[np.int64]:
    """Return a table of records, the secret on axis 0, or raise TableError."""
    numbers = table.counts if isinstance(table, JointDistribution) else table
    if isinstance(table, JointDistribution) and numbers is None:
        raise TableError(
            f"The {name} has probabilities; give counts of records, for example by "
            "JointDistribution.from_counts.",
            Where("parameter", name=name),
        )
    found = as_table(numbers, name, 2)
    wrong = (found != np.floor(found)) | (found > MOST_EXACT)
    if wrong.any():
        at = tuple(int(p) for p in np.unravel_index(int(np.argmax(wrong)), found.shape))
        raise TableError(
            f"Entry {at} of the {name} is {found[at]:.6g}; counts are whole numbers.",
            Where("cell", index=at, name=name),
        )
    if found.sum() > MOST_EXACT:
        raise TableError(
            f"The {name} has {found.sum():.3g} records; at most 2^53 are counted.",
            Where("parameter", name=name),
        )
    return found.astype(np.int64)


@dataclass(frozen=True, eq=False)
class SimulatedLeakage(ReadOnlyArrays):
    """A leakage estimated as in the paper's experiments, beside what it estimates.

    Parameters
    ----------
    leakage
        The estimate, with status ``"estimate"``.
    closed_form
        The leakage of the guess under the empirical table: the limit for many repeats.
    counts
        Records by secret value and guessed symbol.
    repeats
        How often every record was perturbed.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.local.unary_encoding import OUE
    >>> found = simulated_leakage([[300, 200], [100, 400]], OUE(1.0), repeats=500, rng=1)
    >>> abs(float(found.leakage) - float(found.closed_form)) < 0.02
    True
    """

    leakage: Leakage
    closed_form: Leakage
    counts: NDArray[np.int64]
    repeats: int

    def __float__(self) -> float:
        return self.leakage.value

    def __str__(self) -> str:
        return f"{self.leakage}; closed form {self.closed_form.value:.6g}"


def simulated_leakage(
    table: AttributeTable | JointDistribution | ArrayLike,
    mechanism: LocalMechanism | str,
    *,
    epsilon: float | None = None,
    repeats: int = 1,
    alpha: Alpha = 0.0,
    rng: np.random.Generator | int | None = None,
    names: Sequence[str] | None = None,
    secret: str | int | None = None,
    source: str | int | None = None,
) -> SimulatedLeakage:
    """Return the leakage of one simulated collection: reports are guessed, counted, and their ratio taken.

    Parameters
    ----------
    table
        Records of every secret value (axis 0) and source symbol (axis 1); or records (a data frame too) or a
        joint distribution with both attributes.
    mechanism, epsilon
        How the source is released: a mechanism, or the name of one and its budget.
    repeats
        Perturb every record so many times. It removes the noise of the perturbation alone: the records stay
        the same few.
    alpha
        As for `statistical_leakage`.
    rng
        Generator or seed.
    names, secret, source
        The two attributes, as for `pair_leakage`.

    Raises
    ------
    TableError
        The table has no counts of records, ``repeats`` is no positive whole number, or there are more than
        2^53 reports.
    BudgetError
        No guess is defined for the mechanism.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> found = simulated_leakage([[150, 100, 50], [50, 100, 150]], GRR(1.0), repeats=50, rng=1)
    >>> round(float(found), 2), round(float(found.closed_form), 2)
    (0.4, 0.37)
    """
    two, named = as_two(table, names, secret, source)
    counts = as_whole_counts(two)
    times, chosen = as_repeats(repeats), for_source(as_mechanism(mechanism, epsilon), two)
    closed = pair_leakage(counts, chosen, "inferred", names=named).leakage
    drawn = guessed_counts(counts, chosen, times, as_generator(rng))
    found = statistical_leakage(drawn, alpha, output="inferred", names=named)
    return SimulatedLeakage(found, closed, drawn, times)


def as_repeats(repeats: Any) -> int:
    """Return how often records are perturbed, or raise TableError."""
    return as_size(repeats, "repeats", 1, error=TableError, subject="The number of repeats")


def guessed_counts(
    counts: NDArray[np.int64], mechanism: LocalMechanism, repeats: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return records by secret value and guessed symbol; guesses of records that agree are drawn at once."""
    records = int(counts.sum())
    if records * repeats > MOST_EXACT:
        raise TableError(
            f"{records:,} records with {shown(repeats)} repeats make more reports than are counted, which is "
            f"2^53; take repeats up to {MOST_EXACT // records:,}.",
            Where("parameter", name="repeats"),
        )
    channel = mechanism.inferred(counts.shape[1]).matrix()
    channel = channel / channel.sum(axis=1, keepdims=True)
    drawn: NDArray[np.int64] = rng.multinomial(counts * repeats, channel).sum(axis=1)
    drawn.setflags(write=False)
    return drawn
