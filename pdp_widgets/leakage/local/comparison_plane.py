"""How far published ways to state leakages lie from the exact ones: below, above, or both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import EPSILON, LIMIT
from pdp_widgets.core.chart import Axis, Chart, Series
from pdp_widgets.core.results import Figures, Result
from pdp_widgets.errors import BudgetError, TableError, Where
from pdp_widgets.leakage.local.association import association
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.mechanism_reading import PAPER
from pdp_widgets.leakage.local.pair_tables import PairTables
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.immutable import ReadOnlyArrays, ReadOnlyMapping
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import as_choice

__all__ = [
    "ComparisonPlane",
    "ComparisonPoint",
    "compare_estimates",
    "comparison_plane",
    "correlations",
    "nmse_of_leakages",
    "symmetrised",
    "threshold_estimate",
]

Floats = NDArray[np.float64]
Region: TypeAlias = Literal["P1", "R1", "R2", "R3"]
Mode: TypeAlias = Literal["component", "edge"]

_TOLERANCE = 1e-9


@dataclass(frozen=True)
class ComparisonPoint:
    """One way to state leakages, by how much it lies below and above the exact ones.

    Parameters
    ----------
    name
        Of the way.
    under, over
        Mean shortfall and mean excess over all ordered pairs, each as a share of the budget (Eq. 21); their
        sum is the mean absolute error.
    """

    name: str
    under: float
    over: float

    @property
    def region(self) -> Region:
        """P1: exact. R1: too low somewhere, never too high. R2: the other way round. R3: both."""
        low, high = self.under > _TOLERANCE, self.over > _TOLERANCE
        if low:
            return "R3" if high else "R1"
        return "R2" if high else "P1"

    def __str__(self) -> str:
        return f"{self.name}: under {self.under:.4g}, over {self.over:.4g} ({self.region})"


@dataclass(frozen=True, eq=False)
class ComparisonPlane(ReadOnlyArrays, Result, NumberTable):
    """The ways of the paper's Fig. 6 beside the exact leakages.

    Its tables have one way a row.

    Parameters
    ----------
    epsilon
        The budget of every attribute.
    reference
        Exact leakages [source, secret] of any mechanism with this budget.
    estimates
        What each way states, by name.
    points
        How far each lies from the reference.
    correlations
        The correlations of label positions that thresholds are applied to.

    Notes
    -----
    Its figure is ``"plane"``: too low across, too high up.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> for point in comparison_plane(titanic(), 1.0).points[:3]:
    ...     print(point)
    GRR-ANL (= ITS): under 0.005828, over 0 (R1)
    EXP-ANL: under 0.1843, over 0 (R1)
    SPL-ANL: under 0, over 0.6592 (R2)
    """

    epsilon: float
    reference: Floats
    estimates: Mapping[str, Floats]
    points: tuple[ComparisonPoint, ...]
    correlations: Floats

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "estimates", ReadOnlyMapping(self.estimates))

    def _numbers(self) -> Numbers:
        columns = {
            "name": [point.name for point in self.points],
            "under": [point.under for point in self.points],
            "over": [point.over for point in self.points],
            "region": [point.region for point in self.points],
        }
        return Numbers(
            columns,
            {"name": "text", "under": "number", "over": "number", "region": "text"},
            {
                "unit": "share of the budget",
                "source": f"{PAPER}, Eq. 21",
                "epsilon": self.epsilon,
                "status": {"under": "exact", "over": "exact"},
            },
            (
                f"mean shortfall and mean excess as shares of the budget, {epsilon_words(self.epsilon)}",
                "against the exact leakages of any mechanism with this budget",
            ),
        )

    def _figures(self) -> Figures:
        return {"plane": self._chart}

    def _chart(self) -> Chart:
        points = self.points
        return Chart(
            f"Stated against exact leakages, {epsilon_words(self.epsilon)}",
            [
                Series(
                    "",
                    [point.under for point in points],
                    [point.over for point in points],
                    "dots",
                    labels=[point.name for point in points],
                )
            ],
            Axis("too low, share of ε", low=0.0),
            Axis("too high, share of ε", low=0.0),
            note="Mean over all ordered pairs; at 0, 0 stands what is exact, on the horizontal axis what is "
            "never too high, on the vertical one what is never too low.",
        )


def compare_estimates(
    name: str, estimate: ArrayLike, reference: ArrayLike, epsilon: float
) -> ComparisonPoint:
    """Return how far stated leakages lie from exact ones (Eq. 21), both of them matrices [source, secret]."""
    # The diagonal does not count.
    stated, exact = _two(estimate, reference)
    epsilon = EPSILON.take(epsilon, "epsilon")
    if not 0 < epsilon < np.inf:
        raise BudgetError(
            f"epsilon is {epsilon:.6g}; shares of the budget need one that is positive and finite.",
            Where("parameter", name="epsilon"),
        )
    n = len(exact)
    # In shares of the budget: sums of huge ones would leave the floats.
    difference = ((stated - exact) / epsilon)[~np.eye(n, dtype=np.bool_)]
    scale = max(1, difference.size)
    return ComparisonPoint(
        name, float(np.maximum(-difference, 0).sum() / scale), float(np.maximum(difference, 0).sum() / scale)
    )


def nmse_of_leakages(estimate: ArrayLike, reference: ArrayLike) -> float:
    """Return the squared error of stated leakages over the sum of the squared exact ones (Eq. 29)."""
    stated, exact = _two(estimate, reference)
    most = float(exact.max(initial=0.0))
    if not 0 < most < np.inf:
        return float("nan")
    # In shares of the largest: squares of huge or tiny ones would leave the floats.
    with np.errstate(over="ignore"):
        return float((((stated - exact) / most) ** 2).sum() / ((exact / most) ** 2).sum())


def _two(estimate: ArrayLike, reference: ArrayLike) -> tuple[Floats, Floats]:
    stated, exact = (np.array(part, dtype=np.float64) for part in (estimate, reference))
    if stated.shape != exact.shape or exact.ndim != 2 or exact.shape[0] != exact.shape[1]:
        raise TableError(
            f"The leakages have the shapes {stated.shape} and {exact.shape}; both are matrices [source, "
            "secret] of the same attributes.",
            Where("parameter", name="estimate"),
        )
    np.fill_diagonal(stated, 0.0)
    np.fill_diagonal(exact, 0.0)
    return stated, exact


def correlations(tables: PairTables) -> Floats:
    """Return Pearson's correlations of the label positions of every two attributes, 0 on the diagonal."""
    # Where labels have no order these are arbitrary.
    found = np.zeros((tables.n, tables.n))
    for a in range(tables.n):
        for b in range(a + 1, tables.n):
            table = tables.table(a, b)
            if table.any():
                found[a, b] = found[b, a] = association(table).correlation
    return found


def threshold_estimate(
    correlation: ArrayLike, threshold: float, epsilon: float, mode: Mode = "component"
) -> Floats:
    """Return the leakages that a graph of correlations states (GRF): the whole budget or nothing."""
    as_choice(mode, "mode", ("component", "edge"))
    linked = np.abs(np.asarray(correlation, dtype=np.float64)) >= LIMIT.take(threshold, "threshold")
    np.fill_diagonal(linked, True)
    if mode == "component":
        for middle in range(len(linked)):
            linked |= linked[:, middle, None] & linked[None, middle]
    found = np.where(linked, EPSILON.take(epsilon, "epsilon"), 0.0)
    np.fill_diagonal(found, 0.0)
    return found


def symmetrised(leakages: ArrayLike) -> Floats:
    """Return the smaller of both directions of every pair: what leaks if leakages were symmetric, at most."""
    stated, _ = _two(leakages, leakages)
    return np.minimum(stated, stated.T)


def comparison_plane(
    data: AttributeTable | JointDistribution | LocalAnalysis | ArrayLike,
    epsilon: float = 1.0,
    *,
    thresholds: float | Iterable[float] = (0.2, 0.4),
    modes: Mode | Iterable[Mode] = ("component", "edge"),
) -> ComparisonPlane:
    """Return published ways to state leakages beside the exact ones.

    Parameters
    ----------
    data
        Records, a joint distribution, an array, or an analysis of one of them.
    epsilon
        The budget of every attribute, positive and finite.
    thresholds, modes
        Of the graphs of correlations, one or several each, see `threshold_estimate`.

    Notes
    -----
    The reference is the exact leakage of the worst mechanism (raw). ``GRR-ANL`` and ``EXP-ANL`` are the exact
    leakages of randomised response and of the exponential mechanism; the paper reports that ITS coincides
    with the first. ``SPL-ANL`` states the whole budget for every pair, and ``GRF(THR)`` is
    `threshold_estimate`. The paper's CBP cannot be rebuilt from what is published: all that is known is that
    it takes leakages to be symmetric. ``symmetrised GRR`` shows what that alone does to GRR-ANL, see
    `symmetrised`; it is not CBP.

    Examples
    --------
    >>> copies = [[0.5, 0.0], [0.0, 0.5]]
    >>> print(comparison_plane(copies, 1.0, thresholds=[0.3], modes=["edge"]).points[-1])
    GRF(0.3, edge): under 0, over 0 (P1)
    """
    given = data if isinstance(data, LocalAnalysis) else LocalAnalysis(data, "generic", 1.0)
    analysis = given.read_as("raw")
    reference = analysis.released_by("generic", epsilon).matrix
    pcc = correlations(analysis.tables)
    whole = np.full_like(reference, epsilon)
    np.fill_diagonal(whole, 0.0)
    randomised = analysis.released_by("GRR", epsilon).matrix
    estimates: dict[str, Floats] = {
        "GRR-ANL (= ITS)": randomised,
        "EXP-ANL": analysis.released_by("EXP", epsilon).matrix,
        "SPL-ANL": whole,
        "symmetrised GRR": symmetrised(randomised),
    }
    kinds = (modes,) if isinstance(modes, str) else tuple(modes)
    for threshold, text in _named_thresholds(thresholds):
        for mode in kinds:
            estimates[f"GRF({text}, {mode})"] = threshold_estimate(pcc, threshold, epsilon, mode)
    points = tuple(compare_estimates(name, one, reference, epsilon) for name, one in estimates.items())
    return ComparisonPlane(float(epsilon), reference, estimates, points, pcc)


def _named_thresholds(thresholds: float | Iterable[float]) -> list[tuple[float, str]]:
    """Return thresholds, each once, with as many digits as tell them apart."""
    if isinstance(thresholds, np.ndarray):
        thresholds = np.atleast_1d(thresholds)
    several = isinstance(thresholds, Iterable) and not isinstance(thresholds, str)
    given: Any = thresholds if several else [thresholds]
    levels = list(dict.fromkeys(LIMIT.take(one, "threshold") for one in given))
    texts = [f"{level:g}" for level in levels]
    return [
        (level, text if texts.count(text) == 1 else repr(level))
        for level, text in zip(levels, texts, strict=True)
    ]
