"""The panel of all pairs: a heat map of leakages, all reports together below it, and the colour key."""

from __future__ import annotations

import math

import numpy as np

from pdp_widgets.leakage.local.all_reports import AllReports
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.publish.formatting import bound, leakage, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import clean, fit, width, wrap
from pdp_widgets.publish.local_wording import leaks_heading, verdict
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.palette import Rgb, hexadecimal, ink_on, viridis
from pdp_widgets.publish.svg import Svg, joined, number, strokes

__all__ = ["heat_cells", "heat_key", "heat_least", "heat_panel", "named_heads", "scale_end"]

#: Above this many attributes the cells have no room for numbers.
READ = 12
_SHADES = 24
_HEADS = 110.0
#: The most that rows of many attributes take together so that each has its name, px.
_TALL = 480.0
#: Cells without numbers are no wider, px.
_WIDE = 18.0
#: Cells with numbers in figures give room to long names down to this width, px.
_NUMBER = 56.0


def scale_end(analysis: LocalAnalysis) -> float:
    """Return where the colours end, in nats: the promise, so that they stay put while it does.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> scale_end(LocalAnalysis(titanic(), "GRR", 1.0))
    1.0
    """
    promised = max(
        (m.promise(k) for m, k in zip(analysis.mechanisms, analysis.tables.sizes.tolist(), strict=True)),
        default=0.0,
    )
    if 0 < promised < math.inf:
        return promised
    finite = analysis.matrix[np.isfinite(analysis.matrix)]
    most = float(finite.max(initial=0.0))
    return most if most > 0 else 1.0


def shade(value: float, end: float, steps: int = _SHADES) -> tuple[Rgb, Rgb]:
    """Return the colours of a leakage on a light and on a dark background, of so many on the scale."""
    t = 1.0 if value >= end else round(value / end * steps) / steps
    return viridis(t, False), viridis(t, True)


def _steps(svg: Svg, n: int) -> int:
    """Return how many colours the cells have."""
    if n > READ:
        return (7 if n > 30 else 10, 16, _SHADES)[svg.sheet.detail]
    return 10 if n > 8 and svg.sheet.detail == 0 else _SHADES


def _pair(colours: tuple[Rgb, Rgb]) -> tuple[str, str]:
    return hexadecimal(colours[0]), hexadecimal(colours[1])


def heat_least(analysis: LocalAnalysis) -> float:
    """Return the room that the heat map needs, px."""
    n = len(analysis.names)
    return max(240.0, _heads(analysis) + n * (36.0 if n <= READ else 4.0))


def _heads(analysis: LocalAnalysis) -> float:
    longest = max(width(clean(name), 12, True) for name in [*analysis.names, "paper’s sum"])
    return min(_HEADS, longest + 22)


def _grid(analysis: LocalAnalysis, w: float, heads: float) -> tuple[float, float]:
    """Return the room for names and the width of a cell, px.

    Many cells have whole widths, which take fewer digits; what is left goes to the names.
    """
    n = len(analysis.names)
    cell = (w - heads) / n
    if n <= 8:
        return heads, cell
    cell = min(math.floor(cell), _WIDE) if n > READ else math.floor(cell)
    return (w - n * cell if n <= READ else heads), cell


def named_heads(analysis: LocalAnalysis, w: float) -> float:
    """Return the room for names in which all are whole, as far as the numbers leave it, px."""
    n = len(analysis.names)
    longest = max(width(f"{n} {clean(name)}", 12, True) for name in analysis.names) + 8
    return max(_heads(analysis), min(longest, w - n * (_NUMBER if n <= READ else _WIDE)))


def heat_panel(
    svg: Svg, analysis: LocalAnalysis, totals: AllReports | None, pair: tuple[int, int] | None, w: float
) -> float:
    """Draw the heat map, all reports together, and the key; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    analysis
        Leakages of all pairs.
    totals
        All reports together, or None where they are not there.
    pair
        Positions of source and secret, or None.
    w
        Room in px.
    """
    heading, taken = leaks_heading(analysis.output)
    if width(heading, 13, True) + width(taken) + 12 <= w:
        y = panel(svg, w, heading, taken)
    else:
        y = panel(svg, w, heading) + 14
        svg.text(0, y - 6, taken, fill="ink2")
    if len(analysis.names) < 2:
        svg.text(0, y + 12, "One attribute has no other to leak about.", fill="ink2")
        return y + 24
    y = heat_cells(svg, analysis, pair, w, y)
    if totals is not None and len(analysis.names) <= READ:
        y = _totals(svg, analysis, totals, w, y + 6)
    return heat_key(svg, analysis, pair, w, y + 18)


def heat_cells(
    svg: Svg,
    analysis: LocalAnalysis,
    pair: tuple[int, int] | None,
    w: float,
    y: float,
    heads: float | None = None,
) -> float:
    """Draw names, in a room of `heads` px, and cells; return where they end."""
    n = len(analysis.names)
    heads, cell = _grid(analysis, w, _heads(analysis) if heads is None else heads)
    read = n <= READ
    # Rows with a name are no lower than a line, as long as that is not too tall.
    tall = (40.0 if n <= 5 else 30.0 if n <= 8 else 26.0) if read else max(cell, min(12.0, _TALL / n))
    end = scale_end(analysis)
    names = [clean(name) for name in analysis.names]
    numbered = not read or any(width(name) > cell - 6 for name in names)
    what = "report" if analysis.output == "raw" else "guess"
    if not read:
        y = _numbers(svg, n, pair, heads, cell, y)
        svg.text(0, y - 6, f"{what} of", fill="ink2", size=11)
    if read:
        svg.text(0, y + 26, f"{what} of", fill="ink2", size=11)
        svg.text(heads, y + 8, "about the secret", fill="ink2", size=11)
        for k, name in enumerate(names):
            weight = {"weight": 700} if pair is not None and k == pair[1] else {}
            text = str(k + 1) if numbered else fit(name, cell - 4)
            svg.text(heads + (k + 0.5) * cell, y + 26, text, anchor="middle", **weight)
        y += 34
    step = 1 if read else max(1, math.ceil(11.5 / tall))
    for j, name in enumerate(names):
        if j % step == 0:
            weight = {"weight": 700} if pair is not None and j == pair[0] else {}
            text = f"{j + 1} {name}" if numbered else name
            # Two lines stand in a row before a name is cut.
            fits = tall < 30 or width(text, 12, bool(weight)) <= heads - 6
            lines = [text] if fits else wrap(text, (heads - 6) / (1.07 if weight else 1.0), 12, most=2)
            for k, line in enumerate(lines):
                at = y + j * tall + tall / 2 + 4 + 14 * (k - (len(lines) - 1) / 2)
                svg.text(0, at, fit(line, heads - 6, 12, bool(weight)), **weight)
    _fills(svg, analysis, end, heads, y, cell, tall)
    if read:
        size = 13 if cell >= 52 else 11
        small = n > 8 and svg.sheet.detail == 0
        for j in range(n):
            for k in range(n):
                x, middle = heads + (k + 0.5) * cell, y + (j + 0.5) * tall + 4
                if j == k and small:
                    # Its shade says it.
                    continue
                if j == k:
                    text = f"own: {leakage(float(analysis.dpl[j]))}" if cell >= 78 else "own"
                    svg.text(x, middle, text, anchor="middle", fill="ink2", size=11)
                    continue
                value = float(analysis.matrix[j, k])
                light, dark = shade(value, end, _steps(svg, n))
                text = leakage(value)
                if width(text, size, True) > cell - 4 or small:
                    text = f"{value:.2f}" if value >= 0.005 else "0"
                svg.text(
                    x,
                    middle,
                    text,
                    anchor="middle",
                    weight=600,
                    size=size,
                    fill=(ink_on(light), ink_on(dark)),
                )
    if pair is not None:
        for (j, k), dashes in (((pair[0], pair[1]), ""), ((pair[1], pair[0]), "5 3")):
            box = f"M{joined(heads + k * cell + 1, y + j * tall + 1)}h{number(cell - 3)}v{number(tall - 3)}"
            ring = f"{box}h{number(3 - cell)}z"
            if read:
                svg.path(ring, stroke="bg", stroke_width=5)
            extra: dict[str, str | float] = {"stroke_dasharray": dashes} if dashes else {}
            svg.path(ring, stroke="brand", stroke_width=3 if read else 2, **extra)
    return y + n * tall


def _numbers(svg: Svg, n: int, pair: tuple[int, int] | None, heads: float, cell: float, y: float) -> float:
    """Write numbers of columns above narrow cells, in turns on two lines; return where the cells begin."""
    # Two digits and a gap.
    lines = 1 if cell >= 15 else 2
    step = max(1, math.ceil(14 / (lines * cell)))
    svg.text(heads, y + 8, "about the secret", fill="ink2", size=11)
    for count, k in enumerate(range(0, n, step)):
        weight = {"weight": 700} if pair is not None and k == pair[1] else {}
        at = y + 22 + 12 * (count % lines)
        svg.text(heads + (k + 0.5) * cell, at, str(k + 1), anchor="middle", size=11, **weight)
    return y + 16 + 12 * lines


def _fills(
    svg: Svg, analysis: LocalAnalysis, end: float, left: float, top: float, cell: float, tall: float
) -> None:
    """Draw the cells of every row; neighbours of one shade are one stroke, and the diagonal is hatched."""
    n = len(analysis.names)
    gap = 2 if n <= READ else 0
    steps = _steps(svg, n)
    cells: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    hatch: list[str] = []
    for j in range(n):
        y = top + j * tall + (tall - gap) / 2
        shades = [_pair(shade(float(v), end, steps)) for v in analysis.matrix[j]]
        k = 0
        while k < n:
            run = 1
            if k == j:
                if gap:
                    hatch += _hatched(left + k * cell, top + j * tall, cell - gap, tall - gap)
            else:
                while not gap and k + run < n and k + run != j and shades[k + run] == shades[k]:
                    run += 1
                cells.setdefault(shades[k], []).append((left + k * cell, y, run * cell - gap))
            k += run
    for colour, runs in cells.items():
        starts, lengths = [(x, y) for x, y, _ in runs], [length for *_, length in runs]
        svg.path(strokes(starts, "h", lengths), stroke=colour, stroke_width=tall - gap)
    if svg.sheet.detail > 0:
        svg.path("".join(hatch), stroke="line2")
    elif gap:
        own = [(left + j * cell, top + j * tall + (tall - gap) / 2) for j in range(n)]
        svg.path(strokes(own, "h", cell - gap), stroke="tint", stroke_width=tall - gap)


def _hatched(x: float, y: float, w: float, h: float) -> list[str]:
    """Return slanted strokes that fill a rectangle."""
    found = []
    for step in range(8, int(w + h), 8):
        x0, y0 = (x + step, y) if step < w else (x + w, y + step - w)
        run = min(x0 - x, y + h - y0)
        if run > 0:
            found.append(f"M{joined(x0, y0)}l{joined(-run, run)}")
    return found


def _totals(svg: Svg, analysis: LocalAnalysis, totals: AllReports, w: float, y: float) -> float:
    """Write all reports together and the paper's sum below each column; return the height reached."""
    n = len(analysis.names)
    heads, cell = _grid(analysis, w, _heads(analysis))
    svg.line(0, y, w, y, stroke="line2")
    bounded = bool(np.isnan(totals.exact).all())
    word = {1: "alone", 2: "both"}.get(n, f"all {n}")
    svg.text(0, y + 18, f"{word} ≤" if bounded else word, weight=600)
    svg.text(0, y + 36, "paper’s sum", fill="ink2")
    small = cell < 56
    for k in range(n):
        x = heads + (k + 0.5) * cell
        exact, printed = float(totals.exact[k]), float(totals.pairwise_sum[k])
        size = 11 if small else 13
        text = _bound(float(totals.bound[k]), cell, size) if math.isnan(exact) else leakage(exact)
        if math.isnan(exact) and not bounded:
            text = fit(f"≤ {text}", cell, size, True)
        svg.text(x, y + 18, text, anchor="middle", weight=600, size=size)
        svg.text(x + (0 if small else 7), y + 36, leakage(printed), anchor="middle", fill="ink2", size=11)
        if not math.isnan(exact):
            side = verdict(exact, printed)
            if side and not small:
                mark(svg, "low" if side < 0 else "high", x - 22, y + 32, 6)
            elif side:
                mark(svg, "low" if side < 0 else "high", x, y + 48, 5)
    y += 44 if not small else 58
    for line in wrap(_note(totals), w, 11, most=2):
        y += 14
        svg.text(0, y, line, fill="ink2", size=11)
    return y


def _bound(value: float, room: float, size: float) -> str:
    """Return an upper bound with as many digits as there is room for, rounded up in its last one."""
    text = bound(value)
    for decimals in (2, 1, 0):
        if width(text, size, True) <= room - 2 or not math.isfinite(value) or value >= 1e9:
            break
        text = f"{math.ceil(value * 10**decimals - 1e-9) / 10**decimals:.{decimals}f}"
    return text


def _note(totals: AllReports) -> str:
    if np.isnan(totals.exact).all():
        return "The paper’s pairwise sum is not a bound; the joint bound always holds."
    return "Badge down: the paper’s pairwise sum is too low; up: too high. It is not a bound."


def heat_key(svg: Svg, analysis: LocalAnalysis, pair: tuple[int, int] | None, w: float, y: float) -> float:
    """Draw the colour key with a dot for every pair; return the height reached."""
    end, n = scale_end(analysis), len(analysis.names)
    # A disc at an end of the scale is whole.
    left, right = 6.0, w - 6

    def x(value: float) -> float:
        return left + (right - left) * min(1.0, value / end)

    bar = y + 24
    stops = 5 if svg.sheet.detail == 0 else 12
    svg.gradient(left, bar, right - left, 8, [_pair(shade(end * s / stops, end)) for s in range(stops + 1)])
    off = ~np.eye(n, dtype=np.bool_)
    pitch = (12.0, 4.0, 1.0)[svg.sheet.detail] if n <= READ else 6.0
    places: dict[float, float] = {}
    for value in analysis.matrix[off].tolist():
        places.setdefault(round(x(value) / pitch) * pitch, value)
    dots: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for at, value in sorted(places.items()):
        dots.setdefault(_pair(shade(value, end)), []).append((at, bar - 6))
    round_ends: dict[str, str | float] = {"stroke_linecap": "round"}
    svg.path(
        strokes([(at, bar - 6) for at in sorted(places)], "h", 0.1),
        stroke="ink",
        stroke_width=7.5,
        **round_ends,
    )
    # The colours stand below; a small picture does without them in the dots.
    for colour, starts in dots.items() if svg.sheet.detail else ():
        svg.path(strokes(starts, "h", 0.1), stroke=colour, stroke_width=5.5, **round_ends)
    promised = float(
        max(m.promise(k) for m, k in zip(analysis.mechanisms, analysis.tables.sizes.tolist(), strict=True))
    )
    promise = "promise ∞, beyond the scale" if math.isinf(promised) else f"promise {leakage(promised)}"
    dashes: dict[str, str | float] = {"stroke": "promise", "stroke_width": 2, "stroke_dasharray": "4 3"}
    svg.line(right, y, right, bar + 8, **dashes)
    if pair is not None:
        value, mirror = float(analysis.matrix[pair]), float(analysis.matrix[pair[::-1]])
        apart = abs(x(value) - x(mirror)) > 70
        words = f"{leakage(mirror)} mirror", leakage(value)
        if not apart:
            # There is room for one text.
            words = "", f"{words[1]}, {words[0]}" if value != mirror else words[1]
        for number_, word in zip((mirror, value), words, strict=True):
            svg.circle(
                x(number_), bar - 6, 4.5, fill=_pair(shade(number_, end)), stroke="brand", stroke_width=2.5
            )
            if word:
                half = width(word, 11, True) / 2
                at = min(max(x(number_), half), right - width(promise) - 22 - half)
                bold = 400 if apart and number_ == mirror else 600
                svg.text(at, y + 8, word, anchor="middle", weight=bold, size=11)
    svg.text(right - 6, y + 8, promise, anchor="end", fill="promise", size=11)
    for value in ticks(0.0, end, 4):
        anchor = "start" if value == 0 else "end" if value > 0.95 * end else "middle"
        svg.text(x(value), bar + 22, tick(value), anchor=anchor, fill="ink2", size=11)
    return bar + 26
