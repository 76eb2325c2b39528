"""The static picture of the dependence explorer."""

from __future__ import annotations

from datetime import date

from pdp_widgets.leakage.dependent.dependence_results import COMPARED, DependenceResults
from pdp_widgets.publish.dependence_graph_picture import graph_panel
from pdp_widgets.publish.dependence_pair_picture import pair_panel
from pdp_widgets.publish.dependence_panels import audit_strip, facts, facts_panel, outputs_of, release_panel
from pdp_widgets.publish.dependence_rows_picture import accuracy_panel, chance, rows_panel, scale_words
from pdp_widgets.publish.dependence_shown import KINDS, MECHANISM_NAMES, ShownDependence, dependence_case
from pdp_widgets.publish.dependence_wording import audit, lead, told
from pdp_widgets.publish.formatting import bound, leakage, parameter, probability, tick
from pdp_widgets.publish.labels import clean, fit
from pdp_widgets.publish.lead_picture import lead_lines
from pdp_widgets.publish.scene import WIDTH, Page, computed_on, within_limit
from pdp_widgets.publish.snapshot import Snapshot, table
from pdp_widgets.publish.svg import Svg
from pdp_widgets.publish.wording import Part, plain

__all__ = ["dependence_snapshot"]

_LEFT, _MIDDLE, _RIGHT, _GAP = 264.0, 192.0, 300.0, 24.0
#: Rows of a table for screen readers.
_MOST_ROWS = 200
_HOLDS = {"always": "always", "here": "here", "no": "no"}


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
    at = solved.most if target is None else target
    n = solved.inputs.joint.n
    beside = other if other is not None else next((j for j in range(n) if j != at), None)
    case = dependence_case(solved, noun, subject)
    shown = ShownDependence(solved, at, beside, alpha, paper, case)
    first = lead(case)
    text = f"{plain(first)}\n{audit(case, shown.over, shown.off if paper else None, shown.mean, shown.group)}"
    foot = f"{computed_on(day)} {_foot(shown)}"
    svg = within_limit(lambda detail: _draw(shown, first, foot, detail))
    details = (
        _tuples(shown)
        + _mechanisms(shown)
        + _pair(shown)
        + _coefficients(shown)
        + _facts(shown)
        + _law(shown)
    )
    return Snapshot(svg, text, foot, _summary(shown), details)


def _draw(shown: ShownDependence, first: list[Part], foot: str, detail: int) -> str:
    page = Page(detail=detail)
    page.header("Dependence", shown.solved.inputs.joint.title)
    page.y = lead_lines(page.svg, first, page.y, WIDTH - 60) + 14
    pair, release, graph = (page.piece() for _ in range(3))
    query = clean(shown.solved.inputs.query.name).capitalize()
    heights = [
        pair_panel(pair, shown, _LEFT),
        release_panel(release, shown, query, _MIDDLE),
        graph_panel(graph, shown, WIDTH - _LEFT - _MIDDLE - 2 * _GAP),
    ]
    places = (0.0, _LEFT + _GAP, _LEFT + _MIDDLE + 2 * _GAP)
    _row(page, list(zip((pair, release, graph), places, heights, strict=True)), 20)
    fact, rows, curve = (page.piece() for _ in range(3))
    heights = [
        facts_panel(fact, shown, _LEFT),
        rows_panel(rows, shown, WIDTH - _LEFT - _RIGHT - 2 * _GAP),
        accuracy_panel(curve, shown, _RIGHT),
    ]
    places = (0.0, _LEFT + _GAP, WIDTH - _RIGHT)
    _row(page, list(zip((fact, rows, curve), places, heights, strict=True)), 18)
    strip = page.piece()
    _row(page, [(strip, 0.0, audit_strip(strip, shown, WIDTH))], 6)
    page.lines(foot, WIDTH, most=3)
    return page.finish("Dependent tuples: promised and exact leakage")


def _row(page: Page, pieces: list[tuple[Svg, float, float]], gap: float) -> None:
    """Put pieces side by side and go on below the tallest."""
    for piece, x, _ in pieces:
        page.svg.put(piece, x, page.y)
    page.y += max(height for *_, height in pieces) + gap


def _foot(shown: ShownDependence) -> str:
    inputs = shown.solved.inputs
    return (
        f"Shown: {fit(inputs.query.name, 200)}, {MECHANISM_NAMES[inputs.mechanism]}, "
        f"ε = {parameter(inputs.epsilon)}, σ = {parameter(shown.solved.analysis.scale)}."
    )


def _summary(shown: ShownDependence) -> str:
    solved, case = shown.solved, shown.case
    over = f"{shown.over:,} of {shown.n:,} over the promise" if shown.over else "none over the promise"
    rows = [
        ["Promise", leakage(case.epsilon), f"per {case.noun}"],
        ["Exact worst", case.number, f"about {fit(case.name, 160)}; {over}"],
    ]
    if shown.paper:
        value, low, high = shown.off
        note = f"pairs added up, no bound; too low for {low:,}, too high for {high:,}"
        rows.append(["Paper’s estimate", leakage(value, case.epsilon), note])
    if shown.mean is not None:
        holds = "any block, linear query" if case.knowing == "nobody" else "if nobody is known"
        rows.append(["Mean bound", bound(shown.mean), holds])
    rows.append(["Group bound", bound(shown.group), "any table"])
    rows.append(["Noise scale σ", parameter(solved.analysis.scale), ""])
    return table("Leakage of dependent tuples, nats", ["what", "number", "where"], rows)


def _tuples(shown: ShownDependence) -> str:
    losses, means = shown.solved.analysis.dp_losses, shown.means
    blocks = {j: k + 1 for k, block in enumerate(shown.solved.analysis.blocks) for j in block}
    rows = [
        [
            fit(name, 160),
            str(blocks[j]),
            leakage(float(shown.exact[j]), shown.epsilon),
            leakage(float(shown.printed[j]), shown.epsilon),
            "none" if means is None else bound(float(means[j])),
            leakage(float(losses[j]), shown.epsilon),
            bound(float(shown.solved.groups[j])),
        ]
        for j, name in enumerate(shown.names)
    ]
    mean = "mean bound" if shown.case.knowing == "nobody" else "mean bound if nobody is known"
    head = ["about", "block", "exact", "paper’s estimate", mean, "plain DP loss", "whole block"]
    return table("Promise against truth, nats", head, rows)


def _mechanisms(shown: ShownDependence) -> str:
    solved = shown.solved
    rows = [
        [
            MECHANISM_NAMES[key],
            scale_words(key, solved.scales[place]),
            leakage(solved.largest[place], shown.epsilon),
            probability(chance(solved.scales[place], shown.alpha, solved.analysis.outputs)),
            _HOLDS[solved.holds(place)],
        ]
        for place, key in enumerate(COMPARED)
    ]
    head = ["mechanism", "σ", "worst leak, nats", f"P(|error| > {shown.alpha:g})", "keeps the promise"]
    return table("Mechanisms", head, rows)


def _pair(shown: ShownDependence) -> str:
    joint, other = shown.solved.inputs.joint, shown.other
    if other is None:
        rows = [
            [fit(shown.value(shown.target, k), 160), probability(float(p), 6)]
            for k, p in enumerate(joint.law(shown.target).tolist())
        ]
        return table(
            f"Values of {told(shown.names[shown.target])}", ["value", "probability"], rows[:_MOST_ROWS]
        )
    numbers = joint.pair(shown.target, other)
    if numbers.size > 4 * _MOST_ROWS:
        return ""
    rows = [
        [fit(shown.value(shown.target, k), 160), *(probability(float(p), 6) for p in row)]
        for k, row in enumerate(numbers)
    ]
    names = told(shown.names[shown.target]), told(shown.names[other])
    head = [names[0], *(fit(f"{names[1]} {shown.value(other, k)}", 160) for k in range(numbers.shape[1]))]
    return table(f"Joint probabilities of {names[0]} and {names[1]}", head, rows)


def _coefficients(shown: ShownDependence) -> str:
    rows = [
        [
            f"{fit(shown.names[a], 120)} → {fit(shown.names[b], 120)}",
            *(leakage(float(shown.coefficients[kind][a, b])) for kind in KINDS),
        ]
        for block in shown.blocks
        for a in sorted(block, key=lambda j: j != shown.target)
        for b in block
        if a != b
    ]
    if not rows:
        return ""
    title = f"Coefficient of the second given the first, σ {leakage(shown.solved.analysis.scale)}"
    if len(rows) > _MOST_ROWS:
        title += f"; {_MOST_ROWS} of {len(rows):,} pairs"
    return table(title, ["pair", *KINDS], rows[:_MOST_ROWS])


def _facts(shown: ShownDependence) -> str:
    rows = [[name, value, note] for name, value, note, _ in facts(shown)]
    return table(f"About {told(shown.names[shown.target])}, nats", ["what", "number", "note"], rows)


def _law(shown: ShownDependence) -> str:
    found = outputs_of(shown)
    if found is None:
        return ""
    points, weights = found
    name = told(shown.names[shown.target])
    rows = [
        [tick(round(point, 6)), *(probability(float(p), 6) for p in weights[:, at])]
        for at, point in enumerate(points.tolist())
    ]
    head = ["output", *(fit(f"{name} {shown.value(shown.target, k)}", 160) for k in range(len(weights)))]
    return table("Whole query before noise", head, rows)
