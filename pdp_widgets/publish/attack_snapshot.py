"""The static picture of the explorer of inferred locations."""

from __future__ import annotations

from datetime import date

from pdp_widgets.leakage.inference.attack_results import AttackResults
from pdp_widgets.publish.attack_picture import attack_map
from pdp_widgets.publish.attack_wording import AttackCase, audit, lead
from pdp_widgets.publish.lead_picture import lead_lines
from pdp_widgets.publish.scene import WIDTH, Page, computed_on, within_limit
from pdp_widgets.publish.snapshot import Snapshot, table
from pdp_widgets.publish.wording import plain

__all__ = ["attack_snapshot"]


def attack_snapshot(solved: AttackResults, *, day: date | None = None) -> Snapshot:
    """Return the static picture of an attack on places.

    Parameters
    ----------
    solved
        The numbers; those over all users as far as they are there.
    day
        Date of computation; without it today.

    Returns
    -------
    Snapshot
        Picture, HTML figure and plain text of the same numbers.
    """
    case = AttackCase.of(solved.attack)
    first = lead(case)
    foot = computed_on(day)

    def draw(detail: int) -> str:
        page = Page(detail=detail)
        page.header("Location inference", solved.attack.network.title)
        page.y = lead_lines(page.svg, first, page.y, WIDTH - 60) + 14
        piece = page.piece()
        tall = attack_map(piece, solved.attack, 2, 480)
        page.svg.put(piece, 0, page.y)
        page.y += tall
        page.lines(foot, WIDTH, most=3)
        return page.finish("Location inference: beliefs before and after a release")

    attack = solved.attack
    rows = [
        [f"attack {k + 1}", f"{one.leaked_bits:.3f}", f"{one.incremental_bits:.3f}", f"{one.error_km:.2f}"]
        for k, one in enumerate((attack.attack_1, attack.attack_2))
    ]
    summary = table("Inference of a place", ["attack", "as printed, bits", "added, bits", "error, km"], rows)
    return Snapshot(within_limit(draw), f"{plain(first)}\n{audit(solved)}", foot, summary, "")
