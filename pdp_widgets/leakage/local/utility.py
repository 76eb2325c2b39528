"""What mechanisms leak against how well frequencies and symbols can be told from their reports."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.chart import Axis, Chart, Series, Shape, nats
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.core.results import Figures, Result, plotted
from pdp_widgets.errors import BudgetError, DomainError, TableError, Where
from pdp_widgets.leakage.local.comparison_plane import nmse_of_leakages
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.mechanism_reading import PAPER, as_mechanism
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.leakage.sweeps import as_executor, in_parts, swept
from pdp_widgets.leakage.value import Output
from pdp_widgets.mechanisms.local.frequency_estimation import expected_nmse
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.mechanism_by_name import BY_KEY, LOCAL_MECHANISMS
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import as_choice, how_many

__all__ = ["UtilityComparison", "UtilityPoint", "compare_utility"]

Floats = NDArray[np.float64]

_NAMES = tuple(one.key for one in LOCAL_MECHANISMS if one.compared)
#: What goes up in its figures, by name: the field of a point, and its words.
_ERRORS = {
    "frequency": ("frequency_nmse", "expected NMSE of frequencies"),
    "0-1": ("error01", "expected 0-1 error of a guess"),
}
#: What is seen, by output: its words and its shape.
_SHAPES: tuple[tuple[Output, str, Shape], ...] = (
    ("raw", "raw reports", "disc"),
    ("inferred", "guesses", "ring"),
)


@dataclass(frozen=True)
class UtilityPoint:
    """One mechanism, read in one way.

    Parameters
    ----------
    mechanism
        The mechanism.
    output
        ``"raw"`` or ``"inferred"``.
    total
        Sum of all leakages (TCPL) in nats.
    normalised
        The same over that of the worst mechanism with the budget (Eq. 22); NaN where nothing leaks.
    leakage_nmse
        Squared difference from the worst mechanism's leakages over the sum of their squares (Eq. 29).
    frequency_nmse
        Expected squared error of all estimated shares over the sum of the squared shares (Eq. 23); NaN
        without a number of records, and where nothing can be estimated.
    error01
        Probability that the guess of a symbol is wrong, mean over the attributes (Eq. 24).
    """

    mechanism: LocalMechanism
    output: Output
    total: float
    normalised: float
    leakage_nmse: float
    frequency_nmse: float
    error01: float


@dataclass(frozen=True)
class UtilityComparison(Result, NumberTable):
    """Mechanisms by what they leak and by how useful they are.

    Its tables have one mechanism and one reading a row.

    Parameters
    ----------
    epsilon
        The budget of every attribute.
    reference
        Sum of the leakages of the worst mechanism with this budget, in nats.
    points
        Every mechanism, raw and inferred.

    Notes
    -----
    Figures have the leakage across and an error up: ``"frequency"``, for which a number of records is needed,
    and ``"0-1"``.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> found = compare_utility(titanic(), 1.0)
    >>> {p.mechanism.name: round(p.normalised, 3) for p in found.points if p.output == "raw"}["OUE"]
    1.0
    """

    epsilon: float
    reference: float
    points: tuple[UtilityPoint, ...]

    def _numbers(self) -> Numbers:
        columns = {
            "mechanism": [point.mechanism.name for point in self.points],
            "output": [point.output for point in self.points],
            "TCPL": [point.total for point in self.points],
            "normalised TCPL": [point.normalised for point in self.points],
            "leakage NMSE": [point.leakage_nmse for point in self.points],
            "frequency NMSE": [point.frequency_nmse for point in self.points],
            "0-1 error": [point.error01 for point in self.points],
        }
        return Numbers(
            columns,
            {
                "mechanism": "text",
                "output": "text",
                "TCPL": "nats",
                "normalised TCPL": "number",
                "leakage NMSE": "number",
                "frequency NMSE": "number",
                "0-1 error": "number",
            },
            {
                "unit": "nats",
                "source": f"{PAPER}, Eq. 22 to 24 and 29",
                "epsilon": self.epsilon,
                "status": {"TCPL": "exact"},
            },
            (
                f"{epsilon_words(self.epsilon)}; the worst mechanism leaks {nats(self.reference)} in all",
                "errors are expected ones",
            ),
        )

    def plot(self, error: str = "frequency") -> Any:
        """Return a bqplot figure: normalised leakage across, error up.

        Parameters
        ----------
        error
            ``"frequency"`` or ``"0-1"``.
        """
        as_choice(error, "error", _ERRORS)
        drawn = self._figures()
        if error not in drawn:
            raise DomainError(
                "No mechanism has an expected error of frequencies without a number of records; give "
                "records=, or draw the error '0-1'.",
                Where("parameter", name="error"),
            )
        return plotted(drawn[error]())

    def _figures(self) -> Figures:
        found = {name: partial(self._chart, *of) for name, of in _ERRORS.items() if self._has(of[0])}
        if not found and self.reference == 0:
            raise DomainError(
                f"Nothing leaks with {epsilon_words(self.epsilon)}, so there are no shares of a leakage to "
                "draw; give a larger budget, or data that are correlated.",
                Where("parameter", name="epsilon"),
            )
        if not found:
            raise DomainError(
                "No mechanism has a leakage and an error that can be drawn; give others, or a number of "
                "records.",
                Where("parameter", name="mechanisms"),
            )
        return found

    def _has(self, error: str) -> bool:
        return any(np.isfinite(one.normalised) and np.isfinite(getattr(one, error)) for one in self.points)

    def _chart(self, error: str, up: str) -> Chart:
        series, named = [], set()
        for output, name, shape in _SHAPES:
            points = [one for one in self.points if one.output == output]
            places = [(one.normalised, getattr(one, error)) for one in points]
            # Where its reports and its guesses lie in one place, a mechanism is named once.
            keys = [(one.mechanism.name, *np.round(at, 9)) for one, at in zip(points, places, strict=True)]
            labels = ["" if key in named else key[0] for key in keys]
            named.update(keys)
            if points:
                x, y = zip(*places, strict=True)
                every = [one.mechanism.name for one in points]
                drawn = Series(name, x, y, "dots", labels=labels, shape=shape)
                series.append(drawn.telling(labels=every))
        return Chart(
            f"Leakage and error, {epsilon_words(self.epsilon)}",
            series,
            Axis("total leakage, share of the worst mechanism's", low=0.0),
            Axis(up, low=0.0),
            note="Leakages and expected errors are exact for this table; guesses leak no more than reports.",
        )


def compare_utility(
    data: AttributeTable | JointDistribution | LocalAnalysis | ArrayLike,
    epsilon: float = 1.0,
    mechanisms: LocalMechanism | str | Iterable[LocalMechanism | str] = _NAMES,
    *,
    records: int | None = None,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
) -> UtilityComparison:
    """Return what mechanisms leak, raw and inferred, and how useful their reports are.

    Parameters
    ----------
    data
        Records, a joint distribution, an array, or an analysis of one of them.
    epsilon
        The budget of every attribute, in nats.
    mechanisms
        Mechanisms, which keep their own budget, or names of some, which get this one; one or several. RAPPOR
        by name has the paper's parameters, and its own budget of 0.537 nats.
    records
        How many people report; without it as many as there are, and no expected errors for probabilities.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.
    executor
        Whose workers take some of the mechanisms, as for `pdp_widgets.prior.leakage_intervals`.

    Raises
    ------
    LimitError
        It takes longer than the limit.

    Notes
    -----
    Raw leakages of OUE, SUE, BLH, OLH and SHE are those of the worst mechanism. The paper ranks mechanisms by
    their inferred leakages, and the order is another one there.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> found = compare_utility(titanic(), 1.0, ["GRR", "OUE"])
    >>> [(p.mechanism.name, p.output, round(p.normalised, 2)) for p in found.points]
    [('GRR', 'raw', 0.98), ('GRR', 'inferred', 0.98), ('OUE', 'raw', 1.0), ('OUE', 'inferred', 0.48)]
    """
    analysis = data if isinstance(data, LocalAnalysis) else LocalAnalysis(data, "generic", 1.0)
    reference = analysis.read_as("raw").released_by("generic", epsilon)
    people, workers = _records(records, analysis), as_executor(executor)
    made = []
    for given in [mechanisms] if isinstance(mechanisms, str | LocalMechanism) else mechanisms:
        row = BY_KEY.get(given) if isinstance(given, str) else None
        if row is not None and row.compared:
            made.append(row.made(epsilon))
        else:
            made.append(as_mechanism(given, epsilon if isinstance(given, str) else None))
    work = f"The comparison of {how_many(len(made), 'mechanism')}"
    told = Progress(timed(progress, limit, work, "Take fewer mechanisms or attributes."), len(made))
    of_mechanisms = partial(_points, analysis, reference, people)
    points = [one for some in swept(of_mechanisms, in_parts(made, workers), workers, told) for one in some]
    told.finish()
    return UtilityComparison(float(epsilon), reference.total, tuple(points))


def _points(
    analysis: LocalAnalysis,
    reference: LocalAnalysis,
    people: list[int] | None,
    mechanisms: list[LocalMechanism],
    told: Progress,
) -> list[UtilityPoint]:
    """Return how some mechanisms compare, each read in all the ways it can be."""
    points = []
    for mechanism in mechanisms:
        frequency, wrong = _frequency_nmse(mechanism, analysis, people), _error01(mechanism, analysis)
        for output in _outputs(mechanism):
            found = reference.released_by(mechanism).read_as(output)
            points.append(
                UtilityPoint(
                    mechanism,
                    output,
                    found.total,
                    _share(found.matrix, reference.matrix),
                    nmse_of_leakages(found.matrix, reference.matrix),
                    frequency,
                    wrong,
                )
            )
            told.wait()
        told.step()
    return points


def _share(leakages: Floats, reference: Floats) -> float:
    """Return one sum over the other (Eq. 22); NaN where nothing leaks or both are infinite."""
    most = float(reference.max(initial=0.0))
    if most == np.inf:
        return 0.0 if np.isfinite(leakages).all() else float("nan")
    # In shares of the largest: sums of huge ones would leave the floats.
    if most <= 0:
        return float("nan")
    # RAPPOR, which has its own budget, leaks any number of times as much as a tiny one lets others.
    with np.errstate(over="ignore"):
        return float((leakages / most).sum() / (reference / most).sum())


def _outputs(mechanism: LocalMechanism) -> tuple[Output, ...]:
    try:
        mechanism.inferred(2)
    except (BudgetError, TableError, ValueError):
        return ("raw",)
    return ("raw", "inferred")


def _records(records: int | None, analysis: LocalAnalysis) -> list[int] | None:
    """Return the number of reports of every attribute, or None where it is not known."""
    tables = analysis.tables
    if records is None:
        if not tables.counted:
            return None
        return [int(np.trace(tables.table(a, a))) for a in range(tables.n)]
    return [as_size(records, "records", 1, error=TableError, subject="The number of records")] * tables.n


def _frequency_nmse(mechanism: LocalMechanism, analysis: LocalAnalysis, people: list[int] | None) -> float:
    if people is None or len(_outputs(mechanism)) == 1 or 0 in people:
        return float("nan")
    shares = [analysis.tables.marginal(a) for a in range(analysis.tables.n)]
    variances = [mechanism.variance(f, len(f), n) for f, n in zip(shares, people, strict=True)]
    return expected_nmse(np.concatenate(variances), np.concatenate(shares))


def _error01(mechanism: LocalMechanism, analysis: LocalAnalysis) -> float:
    if len(_outputs(mechanism)) == 1:
        return float("nan")
    return float(np.mean([mechanism.inferred(k).error01 for k in analysis.tables.sizes.tolist()]))
