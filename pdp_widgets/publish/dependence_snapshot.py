"""The static picture of the dependence explorer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from pdp_widgets.leakage.dependent.dependence_results import COMPARED, DependenceResults
from pdp_widgets.leakage.dependent.dependent_scale import Mechanism
from pdp_widgets.mechanisms.table_query import TableQuery
from pdp_widgets.publish.dependence_picture import dependence_figure
from pdp_widgets.publish.dependence_wording import DependenceCase, audit, lead
from pdp_widgets.publish.formatting import bound, fixed, leakage, parameter, probability
from pdp_widgets.publish.labels import fit
from pdp_widgets.publish.lead_picture import lead_lines
from pdp_widgets.publish.scene import WIDTH, Page, computed_on, within_limit
from pdp_widgets.publish.snapshot import Snapshot, table
from pdp_widgets.publish.wording import above, plain

__all__ = ["dependence_case", "dependence_snapshot"]

_LABELS: dict[Mechanism, str] = {
    "lpm": "LPM",
    "dpm_exact": "DPM exact",
    "calibrated": "calibrated",
    "dpm_mean": "DPM mean",
    "dpm_eq18": "DPM eq18",
    "baseline": "baseline",
}


@dataclass(frozen=True, eq=False)
class _Shown:
    """What all panels read."""

    solved: DependenceResults
    target: int
    other: int | None
    alpha: float
    noun: str
    paper: bool
    case: DependenceCase

    @property
    def over(self) -> int:
        """About how many tuples more leaks than was promised."""
        epsilon = self.solved.inputs.epsilon
        return sum(above(float(one), epsilon) for one in self.solved.per_tuple)

    @property
    def off(self) -> tuple[float, int, int]:
        """The paper's estimate for the tuple that leaks most, and for how many it is too low and too high."""
        pairs = [
            (float(exact), float(paper))
            for exact, paper in zip(self.solved.per_tuple, self.solved.analysis.paper_estimates, strict=True)
        ]
        low = sum(above(exact, paper) for exact, paper in pairs)
        high = sum(above(paper, exact) for exact, paper in pairs)
        return max(pairs, key=lambda pair: pair[0])[1], low, high

    @property
    def mean(self) -> float | None:
        """The largest bound of means; None where the query has none."""
        if isinstance(self.solved.inputs.query, TableQuery):
            return None
        return max(float(one) for one in self.solved.analysis.mean_bounds)


def dependence_case(solved: DependenceResults, noun: str = "tuple", subject: str = "") -> DependenceCase:
    """Return the tuple that leaks most in words.

    Parameters
    ----------
    solved
        The results.
    noun
        What one tuple is called.
    subject
        What is released, to begin a clause; without it by the name of the query.

    Examples
    --------
    >>> from pdp_widgets.leakage.dependent.dependence_results import DependenceInputs, dependence_results
    >>> from pdp_widgets.mechanisms.joint_query import as_joint_query
    >>> from pdp_widgets.models.dependent_examples import xor_bits
    >>> query = as_joint_query("sum", xor_bits())
    >>> dependence_case(dependence_results(DependenceInputs(xor_bits(), query, 1.0, "lpm"))).apart
    True
    """
    inputs, leaks = solved.inputs, [float(one) for one in solved.per_tuple]
    at = int(np.argmax(leaks))
    block = next(block for block in solved.analysis.blocks if at in block)
    others = [j for j in block if j != at]
    ties = solved.analysis.coefficients("exact")[at, others]
    known = tuple(inputs.joint.tuples[k] for k in inputs.seen if k != at)
    return DependenceCase(
        subject or f"the noisy {inputs.query.name}",
        inputs.epsilon,
        inputs.joint.tuples[at],
        leaks[at],
        inputs.joint.n,
        noun,
        inputs.knowing,
        known,
        bool(others) and bool((ties <= 1e-9).all()),
    )


def dependence_snapshot(
    solved: DependenceResults,
    target: int | None = None,
    other: int | None = None,
    *,
    alpha: float = 3.0,
    noun: str = "tuple",
    subject: str = "",
    paper: bool = True,
    day: date | None = None,
) -> Snapshot:
    """Return the static picture of a release about dependent tuples, with one tuple chosen.

    Parameters
    ----------
    solved
        The numbers, see `dependence_results`.
    target, other
        Positions of the chosen tuple and of the one that its table is shown with; without them the tuple
        that leaks most, and the first other one.
    alpha
        An error of this size in the accuracy curve.
    noun
        What one tuple is called.
    subject
        What is released, to begin a clause.
    paper
        Whether the paper's estimates are shown.
    day
        Date of computation; without it today.

    Returns
    -------
    Snapshot
        Picture, HTML figure and plain text of the same numbers.

    Examples
    --------
    >>> from pdp_widgets.leakage.dependent.dependence_results import DependenceInputs, dependence_results
    >>> from pdp_widgets.mechanisms.joint_query import as_joint_query
    >>> from pdp_widgets.models.dependent_examples import xor_bits
    >>> query = as_joint_query("sum", xor_bits())
    >>> shot = dependence_snapshot(dependence_results(DependenceInputs(xor_bits(), query, 1.0, "lpm")))
    >>> shot.text.splitlines()[1].partition(" Paper")[0]
    'Promise 1.000 nats per tuple. Exact worst 1.434 (x1, knowing no other tuple): 3 of 3 over.'
    """
    leaks = [float(one) for one in solved.per_tuple]
    at = int(np.argmax(leaks)) if target is None else target
    case = dependence_case(solved, noun, subject)
    shown = _Shown(solved, at, other, alpha, noun, paper, case)
    first = lead(case)
    group = float(solved.groups.max())
    text = f"{plain(first)}\n{audit(case, shown.over, shown.off if paper else None, shown.mean, group)}"
    foot = computed_on(day)

    def draw(detail: int) -> str:
        page = Page(detail=detail)
        page.header("Dependence", solved.inputs.joint.title)
        page.y = lead_lines(page.svg, first, page.y, WIDTH - 60) + 14
        piece = page.piece()
        tall = dependence_figure(piece, solved.analysis, WIDTH)
        page.svg.put(piece, 0, page.y)
        page.y += tall
        page.lines(foot, WIDTH, most=3)
        return page.finish("Dependent tuples: promised and exact leakage")

    return Snapshot(within_limit(draw), text, foot, _summary(shown), _tuples(shown) + _mechanisms(shown))


def _summary(shown: _Shown) -> str:
    solved, case = shown.solved, shown.case
    rows = [
        ["Promise", leakage(case.epsilon), f"per {case.noun}"],
        ["Exact worst", case.number, f"about {fit(case.name, 160)}"],
    ]
    if shown.paper:
        rows.append(["Paper’s estimate", leakage(shown.off[0], case.epsilon), "pairs added up, no bound"])
    if shown.mean is not None:
        rows.append(["Mean bound", bound(shown.mean), "any block, linear query"])
    rows.append(["Group bound", bound(float(solved.groups.max())), "any table"])
    rows.append(["Noise scale σ", parameter(solved.analysis.scale), ""])
    return table("Leakage of dependent tuples, nats", ["what", "number", "where"], rows)


def _tuples(shown: _Shown) -> str:
    found, proved = shown.solved.analysis, shown.mean is not None
    rows = [
        [
            fit(name, 160),
            leakage(float(exact), found.epsilon),
            leakage(float(printed), found.epsilon),
            bound(float(mean)) if proved else "none",
            leakage(plain_loss, found.epsilon),
        ]
        for name, exact, printed, mean, plain_loss in zip(
            found.joint.tuples,
            shown.solved.per_tuple,
            found.paper_estimates,
            found.mean_bounds,
            found.dp_losses.tolist(),
            strict=True,
        )
    ]
    head = ["about", "exact", "paper’s estimate", "mean bound", "plain DP loss"]
    return table("Promise against truth, nats", head, rows)


def _mechanisms(shown: _Shown) -> str:
    solved = shown.solved
    rows = [
        [
            _LABELS[key],
            fixed(solved.scales[place], 3),
            leakage(solved.largest[place], solved.inputs.epsilon),
            probability(float(np.exp(-shown.alpha / solved.scales[place])) if solved.scales[place] else 0.0),
            {"always": "always", "here": "here", "no": "no"}[solved.holds(place)],
        ]
        for place, key in enumerate(COMPARED)
    ]
    head = ["mechanism", "σ", "worst leak, nats", f"P(|error| > {shown.alpha:g})", "keeps the promise"]
    return table("Mechanisms", head, rows)
