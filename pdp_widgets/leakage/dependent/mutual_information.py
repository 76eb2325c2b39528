"""How much a noisy number says about a tuple on average, and the bounds on it that hold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import SCALE
from pdp_widgets.core.chart import nats
from pdp_widgets.leakage.dependent.small_delta import ScalarMixtures, scalar_mixtures
from pdp_widgets.leakage.value import About
from pdp_widgets.models.sparse_joint import as_sparse_joint

Floats = NDArray[np.float64]

#: From a point so many scales away on, nothing is left that a double would show.
_FAR = 45.0
#: Nodes of a step of one scale: the integrand has no singularity within 1.57 scales of it.
_NODES = 12
#: Shorter steps need fewer: the error falls with the 2 nodes-th power of the width.
_SHORT, _FEW_NODES = 0.05, 4
_BLOCK = 1 << 20


@dataclass(frozen=True)
class TupleInformation:
    """The mutual information of one tuple and a noisy number.

    Parameters
    ----------
    nats
        The information; ``float`` returns it.
    about
        The tuple. The adversary knows the joint distribution and no tuple.
    scale
        Of the noise.
    leakage
        What the release leaks about the tuple in the worst case, in nats.
    entropy
        Of the tuple before any release, in nats.

    Notes
    -----
    It is a mean over answers, with one prior before and after. A single answer can change an entropy by more
    than the leakage, up or down.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import identical_tuples
    >>> found = tuple_information(identical_tuples(20), "sum", 10.0, 0)
    >>> round(found.bits, 4), round(0.1 / math.log(2), 4), found.leakage
    (0.3574, 0.1443, 2.0)
    """

    nats: float
    about: About
    scale: float
    leakage: float
    entropy: float

    @property
    def bits(self) -> float:
        """The information in bits."""
        return self.nats / math.log(2)

    @property
    def bound(self) -> float:
        """The most that a release of that leakage says on average: leakage tanh(leakage / 2), in nats."""
        return self.leakage * math.tanh(self.leakage / 2)

    def __float__(self) -> float:
        return self.nats

    def __str__(self) -> str:
        return f"{nats(self.nats)} ({self.bits:.6g} bits) on average: {self.about}"


def tuple_information(
    joint: Any, query: Any = "sum", scale: float = 1.0, target: str | int = 0
) -> TupleInformation:
    """Return the mutual information of one tuple and a noisy number, by quadrature to twelve digits.

    Parameters
    ----------
    joint
        A `SparseJoint` or a `JointDistribution`.
    query
        As for `pdp_widgets.mechanisms.joint_query.as_joint_query`; its answer is one number.
    scale
        Of the Laplace noise.
    target
        Name or position of the tuple.

    Raises
    ------
    QueryError
        The answer has several numbers.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import agreeing_bits
    >>> print(tuple_information(agreeing_bits(0.9), "sum", 1.0, "x1"))
    0.202173 nats (0.291674 bits) on average: x1, knowing none
    """
    rows, noise = as_sparse_joint(joint), SCALE.take(scale, "scale")
    mixtures = scalar_mixtures(rows, query, target)
    law = mixtures.law
    return TupleInformation(
        information_in(mixtures, noise),
        About(rows.tuples[rows.axis(target)]),
        noise,
        mixtures.leakage(noise),
        float(-(law @ np.log(law))) + 0.0,
    )


def information_in(mixtures: ScalarMixtures, scale: float) -> float:
    """Return the mutual information of the values and the noisy answers, in nats."""
    left, right = mixtures.log_sides(scale)
    law = mixtures.law
    # Outside of all points the ratio is constant, and what lies there is half of each side.
    total = _mean_log_ratio(law, right[:, :1]) / 2 + _mean_log_ratio(law, left[:, -1:]) / 2
    gaps = np.diff(mixtures.points) / scale
    piece, start, width = _steps(gaps)
    for nodes, chosen in ((_FEW_NODES, width <= _SHORT), (_NODES, width > _SHORT)):
        total += _inside(law, left, right, gaps, (piece[chosen], start[chosen], width[chosen]), nodes) / 2
    return max(0.0, total)


def _inside(
    law: Floats,
    left: Floats,
    right: Floats,
    gaps: Floats,
    steps: tuple[NDArray[np.int64], Floats, Floats],
    order: int,
) -> float:
    """Return the integral over some steps, with so many nodes each."""
    piece, start, width = steps
    nodes, weights = np.polynomial.legendre.leggauss(order)
    block, total = max(1, _BLOCK // (order * len(law))), 0.0
    for first in range(0, len(piece), block):
        k, w = piece[first : first + block], width[first : first + block]
        at = (start[first : first + block, None] + w[:, None] * (nodes + 1) / 2).ravel()
        each = np.repeat(k, order)
        logs = np.logaddexp(left[:, each] - at, right[:, each + 1] + at - gaps[each])
        total += float(_log_ratio_terms(law, logs) @ np.outer(w / 2, weights).ravel())
    return total


def _steps(gaps: Floats) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Return pieces, starts and widths of steps of at most one scale, without the middle of wide gaps."""
    reach = np.minimum(gaps, _FAR)
    many = np.maximum(np.ceil(reach).astype(np.int64), 1)
    piece = np.repeat(np.arange(len(gaps)), many)
    number = np.arange(len(piece)) - np.repeat(np.cumsum(many) - many, many)
    width = (reach / many)[piece]
    start = number * width
    # Beside the right point of a wide gap, what the left one has not covered.
    rest = np.minimum(gaps - reach, _FAR)
    wide = rest > 0
    if not wide.any():
        return piece, start, width
    more = np.maximum(np.ceil(rest[wide]).astype(np.int64), 1)
    again = np.repeat(np.flatnonzero(wide), more)
    place = np.arange(len(again)) - np.repeat(np.cumsum(more) - more, more)
    size = np.repeat(rest[wide] / more, more)
    begin = (gaps - rest)[again] + place * size
    return np.concatenate([piece, again]), np.concatenate([start, begin]), np.concatenate([width, size])


def _mean_log_ratio(law: Floats, logs: Floats) -> float:
    return float(_log_ratio_terms(law, logs).sum())


def _log_ratio_terms(law: Floats, logs: Floats) -> Floats:
    """Return ``sum_a law_a p_a log(p_a / p)`` for every column of log densities."""
    top = logs.max(axis=0)
    shares = np.exp(logs - top)
    mean = law @ shares
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, shares * np.log(shares / mean), 0.0)
    return np.asarray((law @ terms) * np.exp(top))
