"""The lanes of a stream as a figure of their own: as many steps as there is room for, an axis and a key."""

from __future__ import annotations

import math
from collections.abc import Callable

from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.publish.formatting import probability
from pdp_widgets.publish.labels import clean, fit, width
from pdp_widgets.publish.palette import hexadecimal, viridis
from pdp_widgets.publish.stream_belief_picture import SHADES, has_rows, valid_beliefs
from pdp_widgets.publish.stream_edits import edits
from pdp_widgets.publish.stream_lane_marks import has_squares
from pdp_widgets.publish.stream_lanes_picture import lanes_panel
from pdp_widgets.publish.stream_window import StreamWindow
from pdp_widgets.publish.stream_wording import StreamCase
from pdp_widgets.publish.svg import Svg, number

__all__ = ["axis_places", "lanes_figure", "steps_in"]

#: The narrowest step that can be told from its neighbours, px, and the fewest places of a figure.
_NARROWEST, _FEWEST = 2.5, 20
_SIZE, _LINE = 11.0, 17.0
#: Draws a sign at a place and returns how wide it is.
_Sign = Callable[[Svg, float, float], float]


def steps_in(run: StreamRun, case: StreamCase, w: float) -> StreamWindow:
    """Return the last steps of a run for a figure: all of them where each is wide enough to be seen."""
    left, right = StreamWindow(run, case).ends(w)
    most = max(_FEWEST, int((right - left) / _NARROWEST))
    return StreamWindow(run, case, min(max(run.steps, _FEWEST), most))


def lanes_figure(svg: Svg, run: StreamRun, case: StreamCase, w: float) -> float:
    """Draw all mechanisms step by step; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    run, case
        The run, and the same in words.
    w
        Room in px.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> from pdp_widgets.publish.save import figure
    >>> made = figure(StreamRun.of(MarkovChain.symmetric(0.9), 0.5, "grr", 80, seed=1), "lanes")
    >>> ">80<" in made.svg
    True
    """
    shown = steps_in(run, case, w)
    bottom = lanes_panel(svg, shown, w)
    return _key(svg, shown, w, _axis(svg, shown, w, bottom))


def axis_places(shown: StreamWindow, w: float) -> dict[int, float]:
    """Return the steps that have a number below the lanes, and where its middle stands, px.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> from pdp_widgets.publish.stream_snapshot import stream_case
    >>> run = StreamRun.of(MarkovChain.symmetric(0.9), 0.5, "grr", 80, seed=1)
    >>> list(axis_places(steps_in(run, stream_case(run), 400.0), 400.0))
    [1, 10, 20, 30, 40, 50, 60, 70, 80]
    """
    first, last = shown.first + 1, shown.first + shown.last
    # The first and the last number stand at the ends of the axis; the others keep apart from them.
    wide = width(f"{last:,}") + 12
    every = next(e for e in _rounds() if e * shown.pitch(w) >= wide)
    between = (step for step in range(first + 1, last) if step % every == 0)
    places = {step: shown.x(step + 0.5, w) for step in (first, *between, last)}
    return {
        step: x
        for step, x in places.items()
        if step in (first, last) or min(x - places[first], places[last] - x) >= wide
    }


def _axis(svg: Svg, shown: StreamWindow, w: float, foot: float) -> float:
    """Number the steps below the lanes; return the last baseline."""
    y = foot + 16
    svg.text(0, y, "step", fill="ink2")
    places = axis_places(shown, w)
    for step, x in places.items():
        svg.text(x, y, f"{step:,}", anchor="middle", fill="ink2")
    svg.path("".join(f"M{number(x)} {number(foot + 1)}v4" for x in places.values()), stroke="line2")
    if shown.first:
        y += _LINE
        said = f"the last {shown.steps:,} of {shown.run.steps:,} steps"
        svg.text(w, y, said, anchor="end", fill="ink2", size=_SIZE)
    return y


def _rounds() -> list[int]:
    return [digit * 10**power for power in range(7) for digit in (1, 2, 5)]


def _key(svg: Svg, shown: StreamWindow, w: float, y: float) -> float:
    """Say what every sign means, in as many lines as it takes; return the height taken."""
    y, x = y + _LINE + 5, 0.0
    for sign, words in _signs(svg, shown, w):
        wide = sign(Svg(svg.sheet), 0.0, 0.0) + 6
        said = fit(words, w - wide, _SIZE)
        whole = wide + width(said, _SIZE)
        if x and x + whole > w:
            x, y = 0.0, y + _LINE
        sign(svg, x, y)
        svg.text(x + wide, y, said, fill="ink2", size=_SIZE)
        x += whole + 16
    return y + 4


def _signs(svg: Svg, shown: StreamWindow, w: float) -> list[tuple[_Sign, str]]:
    """Return the signs that the picture has and what they mean."""
    chain = shown.run.script.segments[0].chain
    names = [clean(state) for state in (chain.states[0], chain.states[-1])]
    lanes, found = shown.lanes, []
    if chain.n == 2 and has_squares(shown, w):
        found += [(_square(True), names[1]), (_square(False), names[0])]
    elif chain.n > 1:
        found.append((_level, f"lowest: {fit(names[0], 90, _SIZE)}, highest: {fit(names[1], 90, _SIZE)}"))
    symbols = shown.record.symbols
    if any((lane.released != symbols).any() for lane in lanes):
        found.append((_stroke("ink", 9.0, 2.0, -1.0), "wrong release"))
        if not has_squares(shown, w) and svg.sheet.detail:
            found.append((_stroke("ink2", 8.0, 5.0, -4.0, 0.35), "what was true"))
    if has_rows(svg, shown):
        found.append((_shades, "belief from 0 to 1"))
    bands = valid_beliefs(shown) if chain.n == 2 and "crr" in shown.keys else []
    if bands:
        edge = bands[-1][2]
        words = f"CRR keeps its promise: {probability(edge)} to {probability(1 - edge)}"
        found.append((_band, words))
    found.append((_box("promise", 0.42), "leakage"))
    if any(lane.over.any() for lane in lanes):
        found.append((_box("over", 1.0), "over the promise"))
    if any(math.isfinite(float(p)) for p in shown.record.promise):
        found.append((_dashes("promise", "4 3"), "promise"))
    if shown.edits:
        last = edits(shown.run.script, shown.run.steps + 1)[-1]
        found.append((_edit, f"{last.after} from step {last.step:,}"))
    return found


def _square(filled: bool) -> _Sign:
    def draw(svg: Svg, x: float, y: float) -> float:
        svg.rect(x, y - 8, 8, 8, fill="ink2")
        if not filled:
            svg.rect(x + 1, y - 7, 6, 6, fill="bg")
        return 8.0

    return draw


def _stroke(colour: str, wide: float, tall: float, up: float, opacity: float = 1.0) -> _Sign:
    def draw(svg: Svg, x: float, y: float) -> float:
        svg.path(
            f"M{number(x)} {number(y + up)}h{number(wide)}",
            stroke=colour,
            stroke_width=tall,
            **({"stroke_opacity": opacity} if opacity < 1 else {}),
        )
        return wide

    return draw


def _box(colour: str, opacity: float) -> _Sign:
    return _stroke(colour, 12.0, 9.0, -4.0, opacity)


def _band(svg: Svg, x: float, y: float) -> float:
    wide = _box("promise", 0.1)(svg, x, y)
    edges = "".join(f"M{number(x)} {number(y + up)}h{number(wide)}" for up in (-8.5, 0.5))
    svg.path(edges, stroke="promise", stroke_dasharray="2 2")
    return wide


def _dashes(colour: str, dashes: str) -> _Sign:
    def draw(svg: Svg, x: float, y: float) -> float:
        svg.path(f"M{number(x)} {number(y - 4)}h25", stroke=colour, stroke_width=1.5, stroke_dasharray=dashes)
        return 25.0

    return draw


def _level(svg: Svg, x: float, y: float) -> float:
    svg.path(
        f"M{number(x)} {number(y - 1)}h6M{number(x + 6)} {number(y - 8)}h6", stroke="ink", stroke_width=4
    )
    return 12.0


def _shades(svg: Svg, x: float, y: float) -> float:
    for level in range(SHADES):
        shade = (level + 0.5) / SHADES
        colours = (hexadecimal(viridis(shade, False)), hexadecimal(viridis(shade, True)))
        svg.path(f"M{number(x + 7 * level)} {number(y - 4)}h7", stroke=colours, stroke_width=9)
    return 7.0 * SHADES


def _edit(svg: Svg, x: float, y: float) -> float:
    svg.path(f"M{number(x + 2)} {number(y - 11)}v13", stroke="ink", stroke_dasharray="2 3")
    return 4.0
