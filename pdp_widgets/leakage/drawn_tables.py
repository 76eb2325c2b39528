"""Tables that counts make plausible: drawn from the Dirichlet posterior, or from records drawn again.

What is added to every count matters once there are more cells than records: 1/2 in each of 32,768 cells are
16,384 pseudo-records, which drown 5,000 real ones and pull every drawn table towards the uniform one. With
the prior ``"bounded"`` it is min(1/2, sqrt(records) / cells): 1/2 (Jeffreys) while all cells together get no
more than sqrt(records), which is what the minimax estimator of multinomial probabilities under squared error
adds (S. Trybula, "Some problems of simultaneous minimax estimation", Annals of Mathematical Statistics 29,
1958).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import INNER, MOST_EXACT, as_size
from pdp_widgets.core.checks import number_or_nan
from pdp_widgets.core.converters import LARGEST, as_generator
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import LimitError, TableError, Where
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import as_choice, shown

__all__ = ["BOUNDED", "Method", "Sampling", "blocks", "bounded_pseudo_count", "drawn_tables", "sampling"]

Floats = NDArray[np.float64]
Method: TypeAlias = Literal["dirichlet", "bootstrap"]

_PRIORS = {"jeffreys": 0.5, "uniform": 1.0}
BOUNDED = "bounded"
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

    def parameters(self, counts: NDArray[np.int64]) -> Floats:
        """Return the parameters of the Dirichlet law, in the shape of the counts."""
        alpha: Floats = counts.astype(np.float64) + self.pseudo_count
        return np.where(counts > 0, alpha, 0.0) if self.structural else alpha

    def in_words(
        self,
        without: float,
        value: float = 0.0,
        low: float = -math.inf,
        high: float = 0.0,
        floor: float = 0.0,
    ) -> str:
        """Say how an interval was made, and where it leaves out the estimate or the edge."""
        # ``without`` is the share of tables without the known values, ``floor`` what leaks where the data are
        # independent.
        percent = f"{100 * self.level:.6g}"
        tail = f"; the known values do not occur in {100 * without:.3g} % of them" if without else ""
        if low > value or high < value:
            side = "above" if low > value else "below"
            tail += f"; it lies {side} the estimate"
        if floor == 0 < low:
            # A drawn table is independent with probability 0, so that the truth on this edge is never held.
            tail += "; it never contains 0, the leakage of independent data"
        return f"{percent} % interval from {self.draws:,} tables drawn by {self.words}{tail}"


def bounded_pseudo_count(records: int, cells: int) -> float:
    """Return what the prior ``"bounded"`` adds to every count: min(1/2, sqrt(records) / cells)."""
    return min(0.5, math.sqrt(records) / cells)


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
    as_choice(method, "method", ("dirichlet", "bootstrap"), TableError)
    share = INNER.take(level, "level", TableError, "The level")
    many = as_size(draws, "draws", 2, MOST_EXACT, TableError, "The number of draws")
    if not isinstance(zeros, str) or zeros not in ("possible", "structural"):
        raise TableError(
            f"zeros is {shown(zeros)}; it is 'possible' (a cell without records may occur) or 'structural' "
            "(it cannot).",
            Where("parameter", name="zeros"),
        )
    pseudo = _PRIORS.get(prior, math.nan) if isinstance(prior, str) else number_or_nan(prior)
    named = prior
    if isinstance(prior, str) and prior == BOUNDED:
        counts = distribution.counts
        cells = int(np.count_nonzero(counts)) if zeros == "structural" else counts.size
        pseudo = bounded_pseudo_count(int(counts.sum()), cells)
        named = "jeffreys" if pseudo == _PRIORS["jeffreys"] else BOUNDED
    if not 0 < pseudo <= LARGEST:
        raise TableError(
            f"The prior is {shown(prior)}; it is 'bounded' (1/2, all cells together at most the root of the "
            "records), 'jeffreys' (1/2), 'uniform' (1) or a positive number added to every count.",
            Where("parameter", name="prior"),
        )
    if method == "bootstrap":
        words = "bootstrap (records drawn again)"
    else:
        law = f" ({named})" if isinstance(named, str) else ""
        kept = ", cells without records kept at 0" if zeros == "structural" else ""
        words = f"Dirichlet(counts + {pseudo:.4g}){law}{kept}"
    return Sampling(cast(Method, method), share, many, pseudo, zeros == "structural", words)


def drawn_tables(
    distribution: JointDistribution,
    *,
    method: Method = "dirichlet",
    draws: int = 1000,
    prior: str | float = BOUNDED,
    zeros: Literal["possible", "structural"] = "possible",
    rng: np.random.Generator | int | None = None,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
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
        What is added to every count: ``"bounded"``, min(1/2, sqrt(records) / cells), so that all cells
        together get at most sqrt(records), as in the minimax estimator (Trybula, 1958); ``"jeffreys"`` (1/2),
        ``"uniform"`` (1), or a positive number. The first two are the same unless cells outnumber twice the
        root of the records.
    zeros
        ``"possible"``: a cell without records may have a probability all the same. ``"structural"``: it has
        none. With ``"bootstrap"`` it never has.
    rng
        Generator or seed; without it fresh randomness. The same seed draws the same tables.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.

    Raises
    ------
    TableError
        The distribution does not come from counts, or a parameter is not one of those named here.
    LimitError
        The tables would take more than 1 GB, or they take longer than the limit.

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
    told, found = Progress(timed(progress, limit, f"{how.draws:,} tables", "Draw fewer."), how.draws), []
    for block in blocks(distribution, how, rng):
        found.append(block)
        told.step(len(block))
    told.finish()
    return np.concatenate(found)


def blocks(
    distribution: JointDistribution, how: Sampling, rng: np.random.Generator | int | None
) -> Iterator[Floats]:
    """Yield drawn tables in blocks; the tables do not depend on the size of a block."""
    assert distribution.counts is not None
    counts = distribution.counts.ravel()
    generator = as_generator(rng)
    step = max(1, _BLOCK // counts.size)
    alpha = how.parameters(counts)
    total = int(counts.sum())
    shares = counts / total
    for start in range(0, how.draws, step):
        many = min(step, how.draws - start)
        if how.method == "bootstrap":
            drawn = generator.multinomial(total, shares, size=many) / total
        else:
            # Independent gamma variables divided by their sum; a shape of 0 gives 0.
            drawn = generator.standard_gamma(alpha, size=(many, counts.size))
            if alpha.max() > 1e300:
                # Their sum may be no float, that of their shares of the largest is one.
                drawn /= drawn.max(axis=1, keepdims=True)
            drawn /= drawn.sum(axis=1, keepdims=True)
        yield drawn.reshape(many, *distribution.shape)
