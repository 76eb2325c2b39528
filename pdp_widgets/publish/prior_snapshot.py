"""The static picture of the prior-knowledge explorer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from pdp_widgets.leakage.adversary import Adversary, column
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.models.edited_title import is_edited
from pdp_widgets.publish import wording
from pdp_widgets.publish.audit_picture import audit_strip
from pdp_widgets.publish.controls_picture import controls_panel
from pdp_widgets.publish.curves_picture import Curves, curves_panel, curves_tables, posterior_panel, released
from pdp_widgets.publish.facts_picture import facts_panel
from pdp_widgets.publish.formatting import bound, leakage, parameter
from pdp_widgets.publish.graph_picture import graph_panel, graph_tables
from pdp_widgets.publish.labels import isolate, shorten
from pdp_widgets.publish.lead_picture import lead_lines
from pdp_widgets.publish.nodes import Nodes
from pdp_widgets.publish.scene import WIDTH, Page, computed_on, listing, texts, within_limit
from pdp_widgets.publish.snapshot import Snapshot, table
from pdp_widgets.publish.table_picture import table_panel, table_tables

__all__ = ["prior_snapshot"]

_LEFT, _MIDDLE, _GAP, _BELIEF = 264.0, 192.0, 24.0, 212.0
_EDGES_SHOWN = 5


@dataclass(frozen=True, eq=False)
class _Prior:
    """The parts that all panels read."""

    analysis: PriorAnalysis
    nodes: Nodes
    chosen: wording.Case
    largest: wording.Case
    curves: Curves
    group: float


def _prepare(
    analysis: PriorAnalysis,
    target: str | int | None,
    known: Iterable[str | int] | None,
    show_paper: bool,
    threshold: float | None,
    noun: str,
) -> _Prior:
    distribution = analysis.distribution
    n = distribution.n_tuples
    most = analysis.graph().largest
    group = float(analysis.group_bounds.max())
    if target is None:
        adversary = Adversary(most.target, most.known)
    else:
        adversary = Adversary.of(distribution, target, known or ())
    nodes = Nodes(
        names=distribution.names,
        promise=analysis.promise,
        exact=analysis.exact,
        target=adversary.target,
        known=adversary.known,
        largest=(most.target, column(n, most.target, most.known)),
        paper=analysis.paper if show_paper else None,
        determined=analysis.determined if analysis.determined.any() else None,
        increments=analysis.increments if show_paper and n <= _EDGES_SHOWN else None,
        threshold=threshold,
        group_bound=group,
    )
    chosen, largest = (
        wording.Case(
            distribution.names,
            _known_texts(analysis, node.target, node.known),
            node.target,
            node.known,
            node.value,
            noun,
        )
        for node in (nodes.chosen, nodes.most)
    )
    curves = Curves(analysis.adversary(adversary.target, adversary.known), analysis.promise)
    return _Prior(analysis, nodes, chosen, largest, curves, group)


def _known_texts(analysis: PriorAnalysis, target: int, known: tuple[int, ...]) -> tuple[str, ...]:
    """Return the row as text, in the worst case with the values that one adversary knows."""
    row = list(analysis.instance)
    if analysis.convention == "sup":
        for name, label in analysis.adversary(target, known).known.items():
            row[analysis.distribution.axis(name)] = label
    return tuple(texts(row))


def prior_snapshot(
    analysis: PriorAnalysis,
    target: str | int | None = None,
    known: Iterable[str | int] | None = None,
    *,
    show_paper: bool = False,
    threshold: float | None = None,
    noun: str = "tuple",
    day: date | None = None,
) -> Snapshot:
    """Return the static picture of an analysis with one adversary chosen.

    Parameters
    ----------
    analysis
        Exact leakage of every adversary.
    target, known
        The chosen adversary: attacked tuple and known tuples, by name or position. Without a target the
        adversary that learns most.
    show_paper
        Whether the paper's estimate stands beside the exact leakage.
    threshold
        A line in nats to compare with.
    noun
        What one tuple is called in sentences, such as "answer".
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
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery, lsat6
    >>> joint = lsat6().marginal(["item 1", "item 5"])
    >>> shot = prior_snapshot(PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1)))
    >>> shot.text.splitlines()[0][:53]
    'A noisy sum with Laplace noise of scale 1.00 promises'
    >>> shot.svg.count("<script")
    0
    """
    prior = _prepare(analysis, target, known, show_paper, threshold, noun)
    nodes, mechanism = prior.nodes, analysis.mechanism
    lead = wording.lead(mechanism.query.name, mechanism.scale, analysis.promise, prior.largest)
    low, high = nodes.differing()
    paper = None if nodes.paper is None else float(nodes.paper.max())
    audit = wording.audit(analysis.promise, prior.largest, prior.group, paper, low, high, nodes.count)
    text = f"{wording.plain(lead)}\n{audit}"
    if is_edited(analysis.distribution.title):
        text += "\nThe table was edited."
    foot = f"{computed_on(day)} {_shown(prior)}"
    svg = within_limit(lambda detail: _draw(prior, lead, paper, foot, detail))
    details = (
        graph_tables(nodes, prior.chosen.values)
        + table_tables(analysis.distribution)
        + curves_tables(prior.curves)
    )
    return Snapshot(svg, text, foot, _summary(prior, paper, low, high), details)


def _draw(prior: _Prior, lead: list[wording.Part], paper: float | None, foot: str, detail: int) -> str:
    analysis, nodes = prior.analysis, prior.nodes
    page = Page(detail=detail)
    page.header("Prior knowledge", analysis.distribution.title)
    page.y = lead_lines(page.svg, lead, page.y, WIDTH - 60) + 14
    distribution = analysis.distribution
    at = analysis.adversary(nodes.target, nodes.known).known
    axes = {distribution.axis(name): label for name, label in at.items()}
    fitting = {axis: distribution.label_position(axis, label) for axis, label in axes.items()}
    model, controls, graph = page.piece(), page.piece(), page.piece()
    heights = [
        table_panel(model, analysis.distribution, _LEFT, fitting),
        controls_panel(controls, analysis, prior.chosen, _MIDDLE),
        graph_panel(graph, nodes, WIDTH - _LEFT - _MIDDLE - 2 * _GAP, wording.plural(prior.chosen.noun)),
    ]
    for piece, x in ((model, 0.0), (controls, _LEFT + _GAP), (graph, _LEFT + _MIDDLE + 2 * _GAP)):
        page.svg.put(piece, x, page.y)
    page.y += max(heights) + 20
    facts, curves, belief = page.piece(), page.piece(), page.piece()
    middle = WIDTH - _LEFT - _BELIEF - 2 * _GAP
    heights = [
        facts_panel(facts, analysis, nodes, prior.chosen, _LEFT),
        curves_panel(curves, prior.curves, middle),
        posterior_panel(belief, prior.curves, _BELIEF),
    ]
    for piece, x in ((facts, 0.0), (curves, _LEFT + _GAP), (belief, WIDTH - _BELIEF)):
        page.svg.put(piece, x, page.y)
    page.y += max(heights) + 18
    strip = page.piece()
    tall = audit_strip(strip, nodes, prior.largest, prior.group, paper, WIDTH)
    page.svg.put(strip, 0, page.y)
    page.y += tall + 6
    page.lines(foot, WIDTH, most=3)
    return page.finish("Prior knowledge: what leaks")


def _shown(prior: _Prior) -> str:
    """Say which values the picture shows."""
    analysis, case = prior.analysis, prior.chosen
    known = [case.told(j) for j in case.known]
    many = f"{len(known)} {wording.plural(case.noun)}"
    shown = "nothing" if not known else ", ".join(known) if len(known) <= 4 else many
    values = (
        "the worst of all that can occur"
        if analysis.convention == "sup"
        else f"those of the row {listing(case.names, case.values)}"
    )
    return (
        f"Shown: scale {parameter(analysis.mechanism.scale)}; {case.told(case.target)} attacked, {shown} "
        f"known; known values are {values}."
    )


def _summary(prior: _Prior, paper: float | None, low: int, high: int) -> str:
    """Return the main numbers as an HTML table."""
    analysis, nodes = prior.analysis, prior.nodes
    promise, chosen = analysis.promise, nodes.chosen
    rows = [
        ["Promise GS/λ", leakage(promise), f"per {prior.largest.noun}"],
        ["Exact worst", leakage(prior.largest.leakage, promise), wording.short_case(prior.largest)],
    ]
    if paper is not None:
        rows.append(
            [
                "Paper’s estimate",
                leakage(paper, promise),
                wording.agreement(low, high, nodes.count),
            ]
        )
    rows += [
        ["Group bound", bound(prior.group), "safe for any table"],
        [
            wording.heading(prior.chosen),
            "0, determined" if chosen.determined else nodes.number(chosen),
            _where(prior),
        ],
        ["Above the promise", f"{nodes.above(promise):,}", f"of {nodes.count:,} adversaries"],
    ]
    query = isolate(shorten(analysis.mechanism.query.name))
    return table(f"Leakage of a noisy {query}, nats", ["what", "nats", "where"], rows)


def _where(prior: _Prior) -> str:
    attained = prior.curves.adversary.leakage.attained
    if attained is None:
        return "nothing is left to learn"
    more, less = (isolate(shorten(label)) for label in attained.pair)
    return f"attained at {released(attained)}, {more} against {less}"
