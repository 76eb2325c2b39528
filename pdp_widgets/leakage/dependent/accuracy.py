"""How far a release with Laplace noise is off: chances of an error, sizes of errors, budgets that suffice."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import BudgetError, ScaleError, Where
from pdp_widgets.mechanisms.laplace import as_scale
from pdp_widgets.mechanisms.local.parameters import as_size
from pdp_widgets.models.given_sizes import as_not_negative, as_positive, as_sizes
from pdp_widgets.models.labels import shown

__all__ = [
    "ERRORS",
    "ErrorKind",
    "LaplaceAccuracy",
    "as_error_kind",
    "as_outputs",
    "chance_of_error",
    "error_at",
    "laplace_accuracy",
    "mean_error",
]

Floats = NDArray[np.float64]

#: ``"one output"``: of one number. ``"sum"``: all errors added up, L1. ``"largest"``: of any output.
ErrorKind: TypeAlias = Literal["one output", "sum", "largest"]
ERRORS: tuple[ErrorKind, ...] = ("one output", "sum", "largest")

#: Released numbers; their harmonic sum takes a second.
_MOST_OUTPUTS = 10_000_000


@dataclass(frozen=True)
class LaplaceAccuracy:
    """The chances that a release is off by alpha or more.

    Parameters
    ----------
    alpha
        Size of the error, 0 or more.
    scale
        Scale of the Laplace noise.
    outputs
        How many numbers are released, each with noise of its own.
    one_output
        Chance that one given output is off by alpha or more: ``exp(-alpha / scale)``, the paper's formula.
    sum
        Chance that the errors of all outputs add up to alpha or more.
    largest
        Chance that some output is off by alpha or more.

    Notes
    -----
    Theorem 10 of the paper applies the first formula to the L1 error of any number of outputs. It is exact
    for one output, and no bound for more.

    Examples
    --------
    >>> found = laplace_accuracy(96, 1.0, outputs=96)
    >>> f"{found.one_output:.3g}", round(found.sum, 3)
    ('2.03e-42', 0.486)
    """

    alpha: float
    scale: float
    outputs: int
    one_output: float
    sum: float
    largest: float

    @property
    def printed_holds(self) -> bool:
        """Whether the printed formula is right for the L1 error: for one output, or alpha 0."""
        return self.outputs == 1 or self.alpha == 0


def laplace_accuracy(alpha: float, scale: float, outputs: int = 1) -> LaplaceAccuracy:
    """Return the chances that a release is off by alpha or more.

    Parameters
    ----------
    alpha
        Size of the error, 0 or more.
    scale
        Scale of the Laplace noise, positive.
    outputs
        How many numbers are released.

    Raises
    ------
    BudgetError
        Alpha is negative or no number, or there is no output.
    ScaleError
        The scale is not a positive finite number.

    Examples
    --------
    >>> found = laplace_accuracy(2.0, 1.5)
    >>> round(found.one_output, 6), found.one_output == found.sum == found.largest
    (0.263597, True)
    >>> laplace_accuracy(0.0, 1.0).sum
    1.0
    """
    error, noise, many = as_not_negative(alpha, "alpha"), as_scale(scale), as_outputs(outputs)
    one, total, most = (float(chance_of_error(error, noise, many, kind)) for kind in ERRORS)
    return LaplaceAccuracy(error, noise, many, one, total, most)


def chance_of_error(
    alpha: ArrayLike, scale: ArrayLike, outputs: int = 1, kind: ErrorKind = "largest"
) -> Floats:
    """Return the chance of an error of alpha or more, for arrays of errors and scales.

    Parameters
    ----------
    alpha
        Sizes of the error, 0 or more; infinity is allowed.
    scale
        Scales of the noise, positive; broadcast with alpha.
    outputs
        How many numbers are released.
    kind
        ``"one output"``, ``"sum"`` (L1) or ``"largest"``; with one output all are the same.

    Examples
    --------
    >>> chance_of_error([0, 1, 2], 1.0).round(4).tolist()
    [1.0, 0.3679, 0.1353]
    >>> chance_of_error(5.0, 1.0, 96, "largest").round(4).tolist()
    0.4774
    """
    many, chosen = as_outputs(outputs), as_error_kind(kind)
    errors = as_sizes(alpha, "alpha")
    scales = _as_scales(scale)
    with np.errstate(over="ignore"):
        return _tail(errors / scales, many, chosen)


def error_at(beta: float, scale: float, outputs: int = 1, kind: ErrorKind = "largest") -> float:
    """Return the error that is reached or passed with a given chance.

    Parameters
    ----------
    beta
        Chance of failure, above 0 and at most 1.
    scale, outputs, kind
        As for `chance_of_error`.

    Examples
    --------
    >>> round(error_at(0.05, 2.0), 4), round(error_at(0.05, 2.0, 12, "sum"), 4)
    (5.9915, 36.415)
    """
    chance, many, chosen = _as_chance(beta), as_outputs(outputs), as_error_kind(kind)
    return as_scale(scale) * _quantile(chance, many, chosen)


def mean_error(scale: ArrayLike, outputs: int = 1, kind: ErrorKind = "largest") -> Floats:
    """Return the expected error.

    Parameters
    ----------
    scale, outputs, kind
        As for `chance_of_error`.

    Notes
    -----
    The scale for one output, outputs times the scale for the sum, and the scale times
    ``1 + 1/2 + ... + 1/outputs`` for the largest: the largest of so many exponential errors.

    Examples
    --------
    >>> [float(mean_error(2.0, 4, kind)) for kind in ("one output", "sum")]
    [2.0, 8.0]
    >>> mean_error(2.0, 4, "largest").round(6).tolist()
    4.166667
    """
    many, chosen = as_outputs(outputs), as_error_kind(kind)
    factor = {"one output": 1.0, "sum": float(many)}.get(chosen)
    if factor is None:
        factor = math.fsum(1 / k for k in range(1, many + 1))
    return factor * _as_scales(scale)


def _tail(at: ArrayLike, outputs: int, kind: ErrorKind) -> Floats:
    """Return the chance of an error of so many scales or more."""
    reached: Floats = np.asarray(at, dtype=np.float64)
    if kind == "one output" or outputs == 1:
        return np.asarray(np.exp(-reached))
    if kind == "sum":
        from scipy.special import gammaincc

        return np.asarray(gammaincc(outputs, reached))
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(outputs * np.log1p(-np.exp(-reached))))


def _quantile(beta: float, outputs: int, kind: ErrorKind) -> float:
    """Return the error in scales whose chance is beta."""
    if kind == "one output" or outputs == 1:
        return -math.log(beta) + 0.0
    if kind == "sum":
        from scipy.special import gammainccinv

        return float(gammainccinv(outputs, beta))
    if beta == 1:
        return 0.0
    return -math.log(-math.expm1(math.log1p(-beta) / outputs))


def as_outputs(outputs: Any) -> int:
    """Return a number of released numbers, 1 or more, or raise BudgetError."""
    return as_size(outputs, "outputs", 1, _MOST_OUTPUTS)


def as_error_kind(kind: Any) -> ErrorKind:
    """Return a kind of error, or raise BudgetError."""
    for known in ERRORS:
        if isinstance(kind, str) and kind == known:
            return known
    raise BudgetError(
        f"The kind of error is {shown(kind)}; it is one of {', '.join(map(repr, ERRORS))}.",
        Where("parameter", name="kind"),
    )


def _as_chance(beta: Any) -> float:
    accepted = "a chance of failure, above 0 and at most 1"
    number = as_positive(beta, "beta", accepted=accepted)
    if number > 1:
        raise BudgetError(f"beta is {number:.12g}; it must be {accepted}.", Where("parameter", name="beta"))
    return number


def _as_scales(scale: ArrayLike) -> Floats:
    numbers = as_sizes(scale, "scale", ScaleError)
    if not ((numbers > 0) & np.isfinite(numbers)).all():
        raise ScaleError(
            "A scale is not positive and finite; no noise has no chance of an error.",
            Where("parameter", name="scale"),
        )
    return numbers
