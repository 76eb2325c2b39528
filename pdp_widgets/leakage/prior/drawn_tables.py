"""Tables that counts make plausible: drawn from the Dirichlet posterior, or from records drawn again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError, TableError, Where
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import shown

__all__ = ["Method", "Sampling", "blocks", "drawn_tables", "sampling"]

Floats = NDArray[np.float64]
Method: TypeAlias = Literal["dirichlet", "bootstrap"]

_PRIORS = {"jeffreys": 0.5, "uniform": 1.0}
_MOST_NUMBERS = 1 << 27
# Numbers in flight in one block of drawn tables.
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Sampling:
    """How tables are drawn and an interval is taken: checked once, named in every result."""

    method: Method
    level: float
    draws: int
    pseudo_count: float
    structural: bool
    words: str

    def in_words(self, without: float) -> str:
        """Say how an interval was made; ``without`` is the share of tables without the known values."""
        percent = f"{100 * self.level:.6g}"
        tail = f"; the known values do not occur in {100 * without:.3g} % of them" if without else ""
        return f"{percent} % interval from {self.draws:,} tables drawn by {self.words}{tail}"


def sampling(
    distribution: JointDistribution,
    method: str,
    level: float,
    draws: int,
    prior: str | float,
    zeros: str,
) -> Sampling:
    """Return the checked parameters of `drawn_tables` and the level of an interval."""
    if not isinstance(distribution, JointDistribution):
        raise TypeError(f"The distribution is a {type(distribution).__name__}; give a JointDistribution.")
    if distribution.counts is None:
        raise TableError(
            "The distribution does not come from counts, so there is nothing to say how uncertain it is; "
            "make it with JointDistribution.from_counts, from_dataframe or read_counts.",
            Where("table"),
        )
    if method not in ("dirichlet", "bootstrap"):
        raise TableError(
            f"The method is {shown(method)}; it is 'dirichlet' or 'bootstrap'.",
            Where("parameter", name="method"),
        )
    if isinstance(level, bool | str) or not isinstance(level, int | float | np.number) or not 0 < level < 1:
        raise TableError(
            f"The level is {shown(level)}; it is a number between 0 and 1.", Where("parameter", name="level")
        )
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or draws < 2:
        raise TableError(
            f"The number of draws is {shown(draws)}; it is a whole number, 2 or more.",
            Where("parameter", name="draws"),
        )
    if zeros not in ("possible", "structural"):
        raise TableError(
            f"zeros is {shown(zeros)}; it is 'possible' (a cell without records may occur) or 'structural' "
            "(it cannot).",
            Where("parameter", name="zeros"),
        )
    pseudo = _PRIORS.get(prior) if isinstance(prior, str) else prior
    if (
        isinstance(pseudo, bool)
        or not isinstance(pseudo, int | float | np.number)
        or not 0 < pseudo < math.inf
    ):
        raise TableError(
            f"The prior is {shown(prior)}; it is 'jeffreys' (1/2), 'uniform' (1) or a positive number added "
            "to every count.",
            Where("parameter", name="prior"),
        )
    if method == "bootstrap":
        words = "bootstrap (records drawn again)"
    else:
        named = f" ({prior})" if isinstance(prior, str) else ""
        kept = ", cells without records kept at 0" if zeros == "structural" else ""
        words = f"Dirichlet(counts + {float(pseudo):g}){named}{kept}"
    return Sampling(
        cast(Method, method), float(level), int(draws), float(pseudo), zeros == "structural", words
    )


def drawn_tables(
    distribution: JointDistribution,
    *,
    method: Method = "dirichlet",
    draws: int = 1000,
    prior: str | float = "jeffreys",
    zeros: Literal["possible", "structural"] = "possible",
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """Return tables that the counts make plausible, shape (draws, labels of tuple 1, ..., of tuple n).

    Parameters
    ----------
    distribution
        A distribution made from counts.
    method
        ``"dirichlet"``: from the posterior Dirichlet(counts + prior). ``"bootstrap"``: as many records drawn
        again, with replacement, from those there are; cells without records stay at 0.
    draws
        How many.
    prior
        ``"jeffreys"`` (1/2), ``"uniform"`` (1), or a positive number added to every count.
    zeros
        ``"possible"``: a cell without records may have a probability all the same. ``"structural"``: it has
        none. With ``"bootstrap"`` it never has.
    rng
        Generator or seed; without it fresh randomness. The same seed draws the same tables.

    Raises
    ------
    TableError
        The distribution does not come from counts, or a parameter is not one of those named here.
    LimitError
        The tables would take more than 1 GB.

    Examples
    --------
    >>> joint = JointDistribution.from_counts([[30, 20], [20, 30]])
    >>> tables = drawn_tables(joint, draws=500, rng=1)
    >>> tables.shape, bool(np.allclose(tables.sum(axis=(1, 2)), 1)), round(float(tables[:, 0, 0].mean()), 2)
    ((500, 2, 2), True, 0.3)
    """
    how = sampling(distribution, method, 0.5, draws, prior, zeros)
    numbers = distribution.table.size * how.draws
    if numbers > _MOST_NUMBERS:
        raise LimitError(
            f"{how.draws:,} tables of {distribution.table.size:,} cells take {8e-9 * numbers:.1f} GB (limit "
            f"{8e-9 * _MOST_NUMBERS:.1f} GB); ask for fewer draws, or take a marginal of fewer tuples.",
            Where("parameter", name="draws"),
        )
    return np.concatenate(list(blocks(distribution, how, rng)))


def blocks(
    distribution: JointDistribution, how: Sampling, rng: np.random.Generator | int | None
) -> Iterator[Floats]:
    """Yield drawn tables in blocks; the tables do not depend on the size of a block."""
    assert distribution.counts is not None
    counts = distribution.counts.ravel()
    generator = np.random.default_rng(rng)
    step = max(1, _BLOCK // counts.size)
    alpha = counts + how.pseudo_count
    if how.structural:
        alpha = np.where(counts > 0, alpha, 0.0)
    total = int(counts.sum())
    shares = counts / total
    for start in range(0, how.draws, step):
        many = min(step, how.draws - start)
        if how.method == "bootstrap":
            drawn = generator.multinomial(total, shares, size=many) / total
        else:
            # Independent gamma variables divided by their sum; a shape of 0 gives 0.
            drawn = generator.standard_gamma(alpha, size=(many, counts.size))
            drawn /= drawn.sum(axis=1, keepdims=True)
        yield drawn.reshape(many, *distribution.shape)
