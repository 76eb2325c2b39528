"""A linear classifier whose weights are released with noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import BUDGET, MOST_EXACT, NOT_NEGATIVE, POSITIVE, as_size
from pdp_widgets.core.converters import array_of, as_generator, refuse_masked
from pdp_widgets.errors import DomainError, ScaleError, TableError, Where
from pdp_widgets.mechanisms.applications.clustering import as_points
from pdp_widgets.models.frame_values import is_missing
from pdp_widgets.models.frames import column_names, columns_of, labelled_values
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import short
from pdp_widgets.models.location_patterns import min_max

__all__ = [
    "PrivateClassifier",
    "classifier_scale",
    "encoded_rows",
    "expected_noise",
    "linear_classifier",
    "private_classifier",
    "unit_noise",
]

Floats = NDArray[np.float64]
#: Half the width of the rounded corner of the hinge.
_CORNER = 0.5


@dataclass(frozen=True, eq=False)
class PrivateClassifier(ReadOnlyArrays):
    """A linear classifier with and without noise.

    Parameters
    ----------
    weights
        Without noise (read-only).
    noisy
        With the first draw of noise (read-only).
    scale
        Of the noise: its length has the mean dimension times scale.
    accuracy
        Share of right answers without noise, of records that were not used to find the weights.
    accuracies
        The same for each draw of noise (read-only).

    Examples
    --------
    >>> rows, labels = [[1.0], [0.9], [-1.0], [-0.8]] * 5, [1, 1, -1, -1] * 5
    >>> found = private_classifier(rows, labels, scale=0.001, rng=1)
    >>> found.accuracy, found.mean_accuracy
    (1.0, 1.0)
    """

    weights: Floats
    noisy: Floats
    scale: float
    accuracy: float
    accuracies: Floats

    @property
    def mean_accuracy(self) -> float:
        """Mean share of right answers over draws of noise."""
        return float(self.accuracies.mean())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PrivateClassifier):
            return NotImplemented
        return (
            (self.scale, self.accuracy) == (other.scale, other.accuracy)
            and np.array_equal(self.weights, other.weights)
            and np.array_equal(self.noisy, other.noisy)
            and np.array_equal(self.accuracies, other.accuracies)
        )

    def __hash__(self) -> int:
        return hash((self.scale, self.accuracy, self.accuracies.tobytes()))


def classifier_scale(n: int, regularisation: float, epsilon: float, factor: float = 1.0) -> float:
    """Return the scale of the noise on the weights: factor 2 / (n regularisation epsilon).

    Parameters
    ----------
    n
        Number of records.
    regularisation
        Of the classifier, positive.
    epsilon
        The budget in nats.
    factor
        How many times the noise for independent records. The paper's coefficient of dependence is about
        Laplace noise, and this is not: its use here is the paper's, and is not proved.

    Examples
    --------
    >>> classifier_scale(1000, 0.01, 0.5)
    0.4
    """
    many = as_size(n, "n", 1, MOST_EXACT)
    reg, budget = POSITIVE.take(regularisation, "regularisation"), BUDGET.take(epsilon, "epsilon")
    return POSITIVE.take(factor, "factor") * 2 / (many * reg * budget)


def expected_noise(dimension: int, scale: float) -> float:
    """Return the mean length of the noise: its length has a Gamma law, its direction is uniform."""
    return as_size(dimension, "dimension", 1) * NOT_NEGATIVE.take(scale, "scale", ScaleError)


def unit_noise(draws: int, dimension: int, rng: np.random.Generator | int | None = None) -> Floats:
    """Return noise of scale 1: density proportional to exp(-length), every direction alike."""
    generator = as_generator(rng)
    directions = generator.normal(size=(draws, dimension))
    directions /= np.sqrt((directions**2).sum(axis=1))[:, None]
    found: Floats = directions * generator.gamma(dimension, size=draws)[:, None]
    return found


def encoded_rows(records: Any) -> Floats:
    """Return records as rows of numbers of length 1 at most.

    Parameters
    ----------
    records
        Columns by name, or a data frame. Columns of numbers are scaled to 0 to 1, every value of another
        column becomes a column of its own, and rows longer than 1 are shortened.

    Examples
    --------
    >>> encoded_rows({"age": [20, 60], "sex": ["f", "m"]}).round(3).tolist()
    [[0.0, 1.0, 0.0], [0.707, 0.0, 0.707]]
    """
    names = column_names(records)
    given = zip(names, columns_of(records, names), strict=True)
    columns = {name: labelled_values(column, name)[0] for name, column in given}
    if len({len(values) for values in columns.values()}) != 1 or not all(columns.values()):
        raise TableError(
            f"Columns {', '.join(short(name) for name in list(columns)[:12])} have no rows, or different "
            "numbers of them.",
            Where("parameter", name="records"),
        )
    parts: list[Floats] = []
    for name, values in columns.items():
        gone = next((row for row, value in enumerate(values) if is_missing(value)), None)
        if gone is not None:
            raise TableError(
                f"Column {short(name)}, row {gone} is missing; drop the row, or give it a label of its own.",
                Where("row", index=(gone,), name=name),
            )
        if all(isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in values):
            parts.append(min_max(np.array(values, dtype=float)[:, None]))
            continue
        kinds = sorted(set(map(str, values)))
        parts.append((np.array([str(v) for v in values])[:, None] == np.array(kinds)).astype(np.float64))
    rows = np.concatenate(parts, axis=1)
    found: Floats = rows / np.maximum(1.0, np.sqrt((rows**2).sum(axis=1)))[:, None]
    return found


def linear_classifier(rows: Any, labels: Any, regularisation: float = 0.01) -> Floats:
    """Return the weights of a linear classifier: a hinge with a rounded corner, with L2 regularisation."""
    # The slope of the loss is at most 1 and its objective is strictly convex: the weights are the only ones.
    from scipy.optimize import minimize

    found, signs = as_points(rows, "rows"), _signs(labels, len(rows))
    reg = POSITIVE.take(regularisation, "regularisation")
    signed = found * signs[:, None]

    def objective(weights: Floats) -> tuple[float, Floats]:
        margin = 1 - signed @ weights
        # Zero below -corner, straight above corner, a parabola between.
        bent = np.clip(margin + _CORNER, 0.0, 2 * _CORNER)
        loss = np.where(margin > _CORNER, margin, bent**2 / (4 * _CORNER))
        slope = bent / (2 * _CORNER)
        value = loss.mean() + reg / 2 * weights @ weights
        return float(value), reg * weights - signed.T @ slope / len(signed)

    begin = np.zeros(found.shape[1])
    done = minimize(
        objective, begin, jac=True, method="L-BFGS-B", options={"maxiter": 2000, "ftol": 1e-14, "gtol": 1e-9}
    )
    weights: Floats = np.asarray(done.x, dtype=np.float64)
    return weights


def _signs(labels: Any, n: int) -> Floats:
    refuse_masked(labels, "labels")
    found = array_of(labels)
    if found.shape != (n,) or found.dtype.kind not in "iuf" or not (np.abs(found) == 1).all():
        raise DomainError(
            f"The labels must be 1 or -1, one for each of the {n:,} records.",
            Where("parameter", name="labels"),
        )
    return found.astype(np.float64)


def private_classifier(
    rows: Any,
    labels: Any,
    scale: float,
    regularisation: float = 0.01,
    repeats: int = 50,
    rng: np.random.Generator | int | None = None,
) -> PrivateClassifier:
    """Return a linear classifier with noise on its weights, and how well it serves other records.

    Parameters
    ----------
    rows
        Records of numbers, five or more, of length 1 at most: see `encoded_rows`.
    labels
        1 or -1 for each.
    scale
        Of the noise, such as one of `classifier_scale` for four fifths of the records.
    regularisation
        Of the classifier.
    repeats
        Draws of noise.
    rng
        Generator or seed: of the split into four fifths and a rest, and of the noise.

    Raises
    ------
    TableError
        A record is longer than 1, or there are fewer than five.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> rows = rng.normal(size=(200, 3)) / 6
    >>> labels = np.where(rows[:, 0] > 0, 1, -1)
    >>> found = [private_classifier(rows, labels, scale, rng=2) for scale in (0.001, 10.0)]
    >>> found[0].mean_accuracy > 0.9 > found[1].mean_accuracy
    True
    """
    found, signs = as_points(rows, "rows"), _signs(labels, len(rows))
    sigma, many = NOT_NEGATIVE.take(scale, "scale", ScaleError), as_size(repeats, "repeats", 1, 100_000)
    generator = as_generator(rng)
    where = Where("parameter", name="rows")
    longest = float((found**2).sum(axis=1).max())
    if longest > 1 + 1e-9:
        raise TableError(f"A record has length {np.sqrt(longest):.6g}; at most 1 is due.", where)
    if len(found) < 5:
        raise TableError(f"There are {len(found)} records; four fifths and a rest need five.", where)
    order = generator.permutation(len(found))
    fitted, rest = np.split(order, [len(found) * 4 // 5])
    weights = linear_classifier(found[fitted], signs[fitted], regularisation)
    # Beyond this the noise alone decides, and products would overflow.
    noise = min(sigma, 1e290) * unit_noise(many, found.shape[1], generator)

    def right(given: Floats) -> Floats:
        answers = np.where(found[rest] @ given.T >= 0, 1.0, -1.0)
        shares: Floats = (answers == signs[rest][:, None]).mean(axis=0)
        return shares

    return PrivateClassifier(
        weights, weights + noise[0], sigma, float(right(weights[None])[0]), right(weights + noise)
    )
