"""One axis of nats with promise, exact value, paper's estimate and bound on it."""

from __future__ import annotations

import math

from pdp_widgets.publish.formatting import tick
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.svg import Svg

__all__ = ["nice_step", "numline", "ticks"]

_SHORTEST, _LONGEST = 1e-300, 1e300


def nice_step(span: float, most: int) -> float:
    """Return a round step (1, 2, 2.5 or 5 times a power of ten) that cuts `span` into at most so many parts.

    Examples
    --------
    >>> nice_step(5.0, 5), nice_step(1.1, 5), nice_step(23.0, 4)
    (1.0, 0.25, 10.0)
    """
    if not span > 0:
        return 1.0
    if not _SHORTEST < span < _LONGEST:
        # Multiples of powers of ten may be no numbers there: a share of the span has to do.
        return span / most or span
    power = 10.0 ** math.floor(math.log10(span / most))
    return next(f * power for f in (1, 2, 2.5, 5, 10, 20) if f * power * most >= span * (1 - 1e-9))


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Return round numbers from `low` to `high`.

    Examples
    --------
    >>> ticks(0.0, 2.0, 4)
    [0.0, 0.5, 1.0, 1.5, 2.0]
    """
    step = 2 * nice_step(high / 2 - low / 2, most) if high - low == math.inf else nice_step(high - low, most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    found = (k * step + 0.0 for k in range(first, last + 1))
    return [value for value in found if math.isfinite(value)]


def numline(
    svg: Svg,
    x0: float,
    y: float,
    w: float,
    *,
    promise: float,
    exact: float,
    bound: float,
    paper: float | None = None,
    words: bool = False,
) -> None:
    """Draw the axis from 0 to the bound with all marks.

    Parameters
    ----------
    svg
        Where to draw.
    x0, y
        Left end of the axis, px.
    w
        Room in px.
    promise, exact, bound, paper
        Nats.
    words
        Whether names stand above the marks.
    """
    top = max(promise, exact, bound, paper or 0.0)
    top = top if top > 0 else 1.0

    def x(value: float) -> float:
        return x0 + (w - 12) * (value / top)

    svg.line(x0, y, x(top), y, stroke="line2", stroke_width=1.5)
    found = ticks(0.0, top, 5)
    for value in found:
        svg.line(x(value), y, x(value), y + 5, stroke="line2")
        last = value == found[-1]
        end = last and x(value) > x0 + w - 50
        anchor = "start" if value == 0 else "end" if end else "middle"
        unit = " nats" if last else ""
        svg.text(x(value) + (8 if end else 0), y + 19, tick(value) + unit, anchor=anchor, fill="ink2")
    if exact > promise * (1 + 1e-9):
        svg.line(x(promise), y, x(exact), y, stroke="over", stroke_width=4)
    mark(svg, "promise", x(promise), y, 6)
    if bound > 0:
        mark(svg, "bound", x(bound), y, 5)
    if paper is not None:
        mark(svg, "paper", x(paper), y, 4.5)
    mark(svg, "exact", x(exact), y, 4.5)
    if words:
        _words(svg, x(promise), x(exact), None if paper is None else x(paper), y - 13, x0 + w)


def _words(svg: Svg, promise: float, exact: float, paper: float | None, y: float, end: float) -> None:
    """Name the marks, at most one line each side so that no two words meet."""
    if exact >= promise - 1:
        at = max(exact - 4, promise + 8)
        late = at > end - 40
        svg.text(
            min(promise + 2, end - 42) if late else promise + 2, y, "promise", anchor="end", fill="promise"
        )
        svg.text(end if late else at, y, "exact", weight=600, anchor="end" if late else "start")
    else:
        svg.text(promise - 2, y, "promise", fill="promise")
        svg.text(exact + 4, y, "exact", anchor="end", weight=600)
    if paper is not None and abs(paper - exact) > 1:
        svg.text(paper, y - 15, "paper", anchor="middle", fill="paper")
