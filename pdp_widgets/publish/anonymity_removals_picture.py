"""What changes when one record is left out: a histogram of the largest change in a class."""

from __future__ import annotations

import math

import numpy as np

from pdp_widgets.publish.anonymity_shown import ShownAnonymity
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, wrap
from pdp_widgets.publish.svg import Style, Svg
from pdp_widgets.publish.wording import plural

__all__ = ["change_counts", "removals_panel", "removals_words"]

#: Bars of the histogram.
_BARS = 12


def change_counts(shown: ShownAnonymity) -> list[tuple[str, int, bool]]:
    """Return how many records change a group by how much: the change as text, how many, whether the worst."""
    removals = shown.results.removals
    assert removals is not None
    changes = np.asarray(removals.changes, dtype=np.float64)
    changes = changes[~np.isnan(changes)]
    largest = int(removals.largest)
    step = max(1, math.ceil((largest + 1) / _BARS))
    found = []
    for low in range(0, largest + 1, step):
        high = min(low + step - 1, largest)
        many = int(((changes >= low) & (changes <= high)).sum())
        found.append((f"{low}" if low == high else f"{low}–{high}", many, low <= largest <= high))
    return found


def removals_words(shown: ShownAnonymity) -> str:
    """Say what leaving one record out changes.

    It is the syntactic sensitivity s of the paper, which assumes it to be 1.
    """
    removals = shown.results.removals
    if removals is None:
        return "Not computed."
    largest, noun = int(removals.largest), fit(shown.noun, 160)
    tried = "" if removals.sampled is None else f" Of {removals.sampled:,} tried: a lower bound."
    if largest == 0:
        return f"Leaving one {noun} out changes the size of no other class.{tried}"
    whose = f"{plural(noun)}{'’' if plural(noun).endswith('s') else '’s'}"
    by = f"{largest:,} {noun if largest == 1 else plural(noun)}"
    verdict = (
        " So s = 1 is an assumption, not a property of k-anonymity." if largest > 1 else " Here s = 1 holds."
    )
    return f"Leaving one {noun} out rearranges other {whose} classes, by {by} at worst.{verdict}{tried}"


def removals_panel(svg: Svg, shown: ShownAnonymity, w: float) -> float:
    """Draw by how much a class changes when one record is left out; return the height taken."""
    y = panel(svg, w, f"Take one {fit(shown.noun, 110)} out", "largest change in a class")
    if shown.results.removals is None:
        svg.text(0, y + 14, "not computed", fill="ink2")
        return y + 20
    found = change_counts(shown)
    each = min(36.0, (w - 70) / max(1, len(found)))
    top, foot = y + 16, y + 112
    most = max(1, *(many for _, many, _ in found))
    svg.line(0, foot + 0.5, w, foot + 0.5, stroke="line2")
    for k, (text, many, worst) in enumerate(found):
        x = 4 + each * k
        tall = (foot - top) * many / most
        if many:
            svg.rect(x, foot - tall, each - 10, tall, fill="ink" if worst else "line2")
            svg.text(
                x + (each - 10) / 2,
                foot - tall - 4,
                f"{many:,}",
                anchor="middle",
                weight=600 if worst else 400,
            )
        short = fit(text, each + 4, 11)
        style: dict[str, Style] = {"weight": 600} if worst else {"fill": "ink2"}
        svg.text(x + (each - 10) / 2, foot + 16, short, anchor="middle", size=11, **style)
    x = 4 + each * len(found) - 2
    removals = shown.results.removals
    # Of some records alone the largest is a lower bound.
    sign = "=" if removals.sampled is None else "≥"
    svg.text(x, foot - 6, f"worst, s {sign} {int(removals.largest):,}", weight=600)
    y = foot + 26
    for line in wrap(removals_words(shown), w, 12, most=4):
        y += 16
        svg.text(0, y, line)
    return y + 6
