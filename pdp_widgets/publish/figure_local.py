"""Figures of local privacy for papers: the heat map of all pairs, and one pair in full."""

from __future__ import annotations

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.local_heat_picture import heat_cells, heat_key, heat_least, named_heads
from pdp_widgets.publish.local_pair_picture import curve_panel, rows_panel
from pdp_widgets.publish.local_panels import mechanism_words
from pdp_widgets.publish.local_snapshot import largest_pair, local_case
from pdp_widgets.publish.local_wording import LocalCase, budget
from pdp_widgets.publish.svg import Svg

__all__ = ["about", "chosen_case", "curve_panel", "matrix", "matrix_least", "rows_panel"]


def chosen_case(
    analysis: LocalAnalysis, source: tuple[str | int, ...], secret: str | int | None
) -> LocalCase | None:
    """Return the pair that is drawn: the one asked for, or the one that leaks most; None without any.

    Parameters
    ----------
    analysis
        The results.
    source
        One attribute by name or position, or none.
    secret
        Likewise, or None.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> chosen_case(LocalAnalysis(titanic(), "GRR", 1.0), (), None).source
    'class'
    """
    if secret is None and not source:
        pair = largest_pair(analysis)
    elif secret is None or len(source) != 1:
        raise DomainError(
            "A pair is one source and one secret; give both, or none.", Where("parameter", name="source")
        )
    else:
        pair = analysis.pair_positions(source[0], secret)
    return None if pair is None else local_case(analysis, None, pair)


def about(analysis: LocalAnalysis) -> str:
    """Say what the numbers of an analysis hold for."""
    seen = "raw reports" if analysis.output == "raw" else "symbols inferred from the reports, one attack"
    one = analysis.mechanisms[0]
    return f"Exact leakage in nats of {seen}: {mechanism_words(one)}, ε = {budget(one.epsilon)}."


def matrix_least(analysis: LocalAnalysis) -> float:
    """Return the room that the heat map needs, px."""
    return heat_least(analysis)


def matrix(svg: Svg, analysis: LocalAnalysis, case: LocalCase | None, w: float) -> float:
    """Draw the heat map with its key; return the height taken."""
    what = "report" if analysis.output == "raw" else "guess"
    y = panel(svg, w, f"What one {what} leaks about another attribute")
    pair = None if case is None else analysis.pair_positions(case.source, case.secret)
    y = heat_cells(svg, analysis, None, w, y, named_heads(analysis, w))
    return heat_key(svg, analysis, pair, w, y + 14)
