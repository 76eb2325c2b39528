"""The static picture of the Gaussian explorer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from pdp_widgets.leakage.adversary import Adversary, column, others
from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.models.edited_title import is_edited
from pdp_widgets.publish import gaussian_wording, wording
from pdp_widgets.publish.formatting import change, leakage, parameter
from pdp_widgets.publish.gaussian_curves import curves, curves_tables, sources, sources_table
from pdp_widgets.publish.gaussian_panels import adversary_facts, controls, enough, facts, strip
from pdp_widgets.publish.gaussian_wording import GaussianCase
from pdp_widgets.publish.graph_picture import graph_panel, graph_tables
from pdp_widgets.publish.labels import fit
from pdp_widgets.publish.lead_picture import lead_lines
from pdp_widgets.publish.matrix_picture import matrix_panel, matrix_room, matrix_tables
from pdp_widgets.publish.nodes import Nodes
from pdp_widgets.publish.scene import WIDTH, Page, computed_on, within_limit
from pdp_widgets.publish.snapshot import Snapshot, table
from pdp_widgets.publish.svg import Svg
from pdp_widgets.publish.wording import Part, plain, short_case

__all__ = ["gaussian_snapshot"]

_LEFT, _MIDDLE, _GAP, _SOURCES = 264.0, 192.0, 24.0, 212.0
#: Above this many tuples the matrix needs more than a column.
_NARROW = 5


@dataclass(frozen=True, eq=False)
class _Gaussian:
    """The parts that all panels read."""

    analysis: GaussianAnalysis
    nodes: Nodes
    adversary: GaussianAdversary
    chosen: GaussianCase
    largest: GaussianCase
    goal: float


def _prepare(
    analysis: GaussianAnalysis,
    target: str | int | None,
    known: Iterable[str | int] | None,
    threshold: float | None,
    goal: float | None,
    noun: str,
) -> _Gaussian:
    model = analysis.model
    most = analysis.graph().largest
    if target is None:
        chosen = Adversary(most.target, most.known)
    else:
        chosen = Adversary.of(model, target, known or ())
    nodes = Nodes(
        names=model.names,
        promise=analysis.promise,
        exact=analysis.exact,
        target=chosen.target,
        known=chosen.known,
        largest=(most.target, column(model.n_tuples, most.target, most.known)),
        determined=analysis.determined if analysis.determined.any() else None,
        threshold=threshold,
    )

    def case(adversary: GaussianAdversary, value: float) -> GaussianCase:
        at = adversary.adversary
        return GaussianCase.of(
            model.names, at.target, at.known, value, adversary.is_limit, noun, adversary.determined
        )

    adversary = analysis.adversary(chosen.target, chosen.known)
    worst = analysis.adversary(most.target, most.known)
    if goal is None:
        goal = analysis.promise if analysis.promise > 0 else 1.0
    return _Gaussian(
        analysis, nodes, adversary, case(adversary, nodes.chosen.value), case(worst, nodes.most.value), goal
    )


def gaussian_snapshot(
    analysis: GaussianAnalysis,
    target: str | int | None = None,
    known: Iterable[str | int] | None = None,
    *,
    threshold: float | None = None,
    goal: float | None = None,
    noun: str = "tuple",
    day: date | None = None,
) -> Snapshot:
    """Return the static picture of an analysis of Gaussian data with one adversary chosen.

    Parameters
    ----------
    analysis
        Exact leakage of every adversary.
    target, known
        The chosen adversary: attacked tuple and known tuples, by name or position. Without a target the
        adversary that learns most.
    threshold
        A line in nats to compare with.
    goal
        What all adversaries may learn at most, in nats; the picture says which scale is enough for that.
        Without it what the release promises, or 1 where that is 0.
    noun
        What one tuple is called in sentences, such as "flat".
    day
        Date of computation; without it today.

    Returns
    -------
    Snapshot
        Picture, HTML figure and plain text of the same numbers.

    Raises
    ------
    AdversaryError
        The target or a known tuple does not exist, or the target is among the known.

    Examples
    --------
    >>> from pdp_widgets import GaussianModel
    >>> house = GaussianModel([5, 4], [[1.44, 0.6], [0.6, 1]], names=["flat A", "flat B"], unit="kWh")
    >>> shot = gaussian_snapshot(GaussianAnalysis(house), noun="flat")
    >>> shot.text.splitlines()[1][:57]
    'Promise M/λ 1.000 nats per kWh moved. Exact worst 1.600, '
    """
    shown = _prepare(analysis, target, known, threshold, goal, noun)
    lead = gaussian_wording.lead(
        gaussian_wording.release_name(analysis.weights),
        analysis.scale,
        analysis.max_change,
        analysis.model.unit,
        analysis.promise,
        shown.chosen,
    )
    audit = gaussian_wording.audit(
        analysis.weights,
        analysis.promise,
        analysis.max_change,
        analysis.model.unit,
        shown.largest,
        shown.nodes.count,
    )
    text = f"{plain(lead)}\n{audit}"
    if is_edited(analysis.model.title):
        text += "\nThe matrix was edited."
    foot = f"{computed_on(day)} {_shown(shown)}"
    svg = within_limit(lambda detail: _draw(shown, lead, foot, detail))
    details = (
        matrix_tables(analysis.model)
        + _settings(analysis)
        + _plain_graph(shown)
        + _edges(shown)
        + sources_table(shown.adversary)
        + curves_tables(shown.adversary)
    )
    return Snapshot(svg, text, foot, _summary(shown), details)


def _draw(shown: _Gaussian, lead: list[Part], foot: str, detail: int) -> str:
    page = Page(detail=detail)
    page.header("Prior knowledge, Gaussian data", shown.analysis.model.title)
    page.y = lead_lines(page.svg, lead, page.y, WIDTH - 60) + 14
    beside = shown.nodes.n <= _NARROW
    if beside:
        _columns(page, shown)
    else:
        _bands(page, shown)
    audit = page.piece()
    tall = strip(audit, shown.analysis, shown.largest, WIDTH)
    _row(page, [(audit, 0.0, tall)], 6)
    page.lines(foot, WIDTH, most=3)
    return page.finish("Prior knowledge, Gaussian data: what leaks")


def _columns(page: Page, shown: _Gaussian) -> None:
    """Draw matrix, controls and graph side by side, the chosen case below."""
    analysis = shown.analysis
    matrix, control, graph, fact, curve, source = (page.piece() for _ in range(6))
    heights = [
        matrix_panel(matrix, analysis.model, _LEFT, analysis.weights),
        controls(control, analysis, shown.goal, shown.chosen, _MIDDLE),
        graph_panel(graph, shown.nodes, WIDTH - _LEFT - _MIDDLE - 2 * _GAP),
    ]
    places = (0.0, _LEFT + _GAP, _LEFT + _MIDDLE + 2 * _GAP)
    _row(page, list(zip((matrix, control, graph), places, heights, strict=True)), 20)
    heights = [
        facts(fact, analysis, shown.nodes, shown.chosen, shown.adversary, shown.goal, _LEFT),
        curves(curve, shown.adversary, WIDTH - _LEFT - _SOURCES - 2 * _GAP),
        sources(source, shown.adversary, _SOURCES),
    ]
    places = (0.0, _LEFT + _GAP, WIDTH - _SOURCES)
    _row(page, list(zip((fact, curve, source), places, heights, strict=True)), 18)


def _bands(page: Page, shown: _Gaussian) -> None:
    """Draw a wide matrix beside the controls, then the graph beside the facts, then the curves."""
    analysis = shown.analysis
    matrix, control, graph, fact, curve, source = (page.piece() for _ in range(6))
    left = min(max(matrix_room(analysis.model), WIDTH - _LEFT - _GAP), WIDTH - _MIDDLE - _GAP)
    side = WIDTH - left - _GAP
    heights = [
        matrix_panel(matrix, analysis.model, left, analysis.weights),
        controls(control, analysis, shown.goal, shown.chosen, side),
    ]
    _row(page, [(matrix, 0.0, heights[0]), (control, left + _GAP, heights[1])], 20)
    room = WIDTH - _LEFT - _GAP
    heights = [
        graph_panel(graph, shown.nodes, room),
        facts(fact, analysis, shown.nodes, shown.chosen, shown.adversary, shown.goal, _LEFT),
    ]
    _row(page, [(graph, 0.0, heights[0]), (fact, room + _GAP, heights[1])], 20)
    heights = [curves(curve, shown.adversary, room), sources(source, shown.adversary, _LEFT)]
    _row(page, [(curve, 0.0, heights[0]), (source, room + _GAP, heights[1])], 18)


def _row(page: Page, pieces: list[tuple[Svg, float, float]], gap: float) -> None:
    """Put pieces side by side and go on below the tallest."""
    for piece, x, _ in pieces:
        page.svg.put(piece, x, page.y)
    page.y += max(height for *_, height in pieces) + gap


def _shown(shown: _Gaussian) -> str:
    """Say which values the picture shows."""
    analysis, case = shown.analysis, shown.chosen.case
    known = [case.told(j) for j in case.known]
    names = ", ".join(known) if 0 < len(known) <= 4 else f"{len(known)} tuples" if known else "nothing"
    return (
        f"Shown: scale {parameter(analysis.scale)}, change {parameter(analysis.max_change)}; "
        f"{case.told(case.target)} attacked, {names} known, at the mean."
    )


def _settings(analysis: GaussianAnalysis) -> str:
    model = analysis.model
    rows = [
        [fit(name, 160), f"{weight:.6g}".replace("-", "−"), f"{mean:.6g}".replace("-", "−")]
        for name, weight, mean in zip(model.names, analysis.weights, model.mean.tolist(), strict=True)
    ]
    return table("Weights and means", ["tuple", "weight", "mean"], rows)


def _plain_graph(shown: _Gaussian) -> str:
    return graph_tables(shown.nodes, ("",) * shown.nodes.n)


def _edges(shown: _Gaussian) -> str:
    """Return what one more or one less known tuple changes for the chosen adversary."""
    nodes, chosen = shown.nodes, shown.nodes.chosen
    rows = []
    for j in others(nodes.n, chosen.target):
        there = nodes.node(chosen.target, chosen.column ^ (1 << (j - (j > chosen.target))))
        word = "without" if j in chosen.known else "with"
        value = "0, determined" if there.determined else nodes.number(there)
        rows.append([f"{word} {fit(nodes.names[j], 160)}", value, change(there.value - chosen.value)])
    if not rows:
        return ""
    return table("Neighbours of the chosen adversary", ["known tuples", "exact, nats", "difference"], rows)


def _summary(shown: _Gaussian) -> str:
    """Return the main numbers as an HTML table."""
    analysis, nodes = shown.analysis, shown.nodes
    promise, largest = analysis.promise, shown.largest
    moved = gaussian_wording.moved(analysis.max_change, analysis.model.unit)
    worst = "Exact worst, a limit" if largest.limit else "Exact worst"
    number = leakage(largest.case.leakage, promise)
    least = enough(analysis, largest.case.leakage, shown.goal)
    rows = [
        [gaussian_wording.promise_name(analysis.weights), leakage(promise), moved],
        [worst, number, short_case(largest.case)],
        ["Paper’s Theorem 6", number, "exact for every adversary"],
        ["Bound for any matrix", "∞", "leakage grows with the others’ spread"],
        [f"λ for at most {parameter(shown.goal)} nats for all", least, ""],
        ["Above the promise", f"{nodes.above(promise):,}", f"of {nodes.count:,} adversaries"],
    ]
    chosen = nodes.chosen
    shown_value = "0, determined" if chosen.determined else nodes.number(chosen)
    limit = "a limit, never attained" if shown.chosen.limit else ""
    rows.append([wording.heading(shown.chosen.case), shown_value, limit])
    rows += [list(row) for row in adversary_facts(analysis, shown.adversary, chosen.value, shown.goal)[1:]]
    name = gaussian_wording.release_name(analysis.weights)
    return table(f"Leakage of a noisy {name} of Gaussian data, nats", ["what", "number", "where"], rows)
