"""The static picture of a joint distribution."""

from __future__ import annotations

from datetime import date

from pdp_widgets.models.edited_title import is_edited
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.publish.formatting import count, probability, probability_decimals
from pdp_widgets.publish.scene import Page, computed_on, listing, texts
from pdp_widgets.publish.snapshot import Snapshot, table
from pdp_widgets.publish.table_picture import table_panel, table_tables

__all__ = ["table_snapshot"]

_ROOM = 420.0


def table_snapshot(distribution: JointDistribution, *, day: date | None = None) -> Snapshot:
    """Return the static picture of a joint distribution: the table or its most likely rows, and marginals.

    Parameters
    ----------
    distribution
        The table.
    day
        Date of computation; without it today.

    Examples
    --------
    >>> table_snapshot(JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["Ann", "Bob"])).text
    'Joint distribution of Ann, Bob: 4 cells. Most likely: Ann = 0, Bob = 0, probability 0.300.'
    """
    decimals = probability_decimals(distribution.table.ravel())
    row = distribution.most_probable()
    most = listing(distribution.names, texts(row))
    names = listing(distribution.names)
    chance = probability(distribution.probability(row), decimals)
    cells = count(int(distribution.table.size), "cell")
    edited = " (edited)" if is_edited(distribution.title) else ""
    text = f"Joint distribution of {names}{edited}: {cells}. Most likely: {most}, probability {chance}."
    page = Page(_ROOM)
    if distribution.title:
        page.header("", distribution.title)
    piece = page.piece()
    tall = table_panel(piece, distribution, _ROOM)
    page.svg.put(piece, 0, page.y)
    page.y += tall + 4
    if distribution.records is not None:
        page.lines(f"From {count(distribution.records, 'record')}.", _ROOM)
    foot = computed_on(day)
    page.lines(foot, _ROOM)
    rows = [["Cells", f"{distribution.table.size:,}"], ["Largest", chance]]
    summary = table("Joint distribution", ["what", "number"], rows)
    return Snapshot(page.finish("Joint distribution"), text, foot, summary, table_tables(distribution))
