"""The map of an attack on places: the belief in every cell, the victim, the guess and the friends."""

from __future__ import annotations

import math

import numpy as np

from pdp_widgets.leakage.inference.attack_curves import AttackCurves
from pdp_widgets.leakage.inference.attack_result import AttackResult
from pdp_widgets.leakage.inference.drawn_attacks import DrawnAttacks
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.publish.formatting import count, parameter
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import width, wrap
from pdp_widgets.publish.line_chart import Chart, Line
from pdp_widgets.publish.palette import hexadecimal, viridis
from pdp_widgets.publish.svg import Svg, number

__all__ = ["LEAST", "attack_about", "attack_map", "attack_title", "curve_charts", "draw_charts"]

#: Room that a map needs, px.
LEAST = 240.0
_SHADES = 16
#: A map that is much taller than wide is drawn narrower.
_TALLEST = 1.3
_MARK = 4.0


def attack_about(attack: InferenceAttack) -> str:
    """Say what the numbers hold for, in one sentence.

    Examples
    --------
    >>> from pdp_widgets import synthetic_network
    >>> city = synthetic_network(60, rng=1).city("New York")
    >>> attack_about(InferenceAttack(city, 19, clusters=4, sensitivity="unit"))
    '4 noisy cluster centres of 19 users, LPM, ε = 1.00, scale 1.00 in the unit square; 18 users known.'
    """
    network = attack.network
    words = attack.mechanism.upper() if attack.mechanism != "baseline" else "baseline"
    return (
        f"{attack.clusters.k} noisy cluster centres of {network.n:,} users, {words}, "
        f"ε = {parameter(attack.epsilon)}, scale {parameter(attack.scale)} in the unit square; "
        f"{len(attack.known):,} users known."
    )


def attack_title(attack: InferenceAttack, which: int) -> str:
    """Return what a map shows.

    Examples
    --------
    >>> from pdp_widgets import synthetic_network
    >>> city = synthetic_network(60, rng=1).city("New York")
    >>> attack_title(InferenceAttack(city, 19, clusters=4), 1)
    'Attack 1 on user 19'
    """
    return f"Attack {which} on user {attack.victim}"


def attack_map(svg: Svg, attack: InferenceAttack, which: int, w: float) -> float:
    """Draw the belief after the release as a map; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    attack
        The attack.
    which
        1 or 2.
    w
        Room in px, at least `LEAST`.
    """
    result = attack.attack_1 if which == 1 else attack.attack_2
    weighted = (
        "all known users count alike" if which == 1 else f"cells near friends count {attack.weight:.4g} times"
    )
    y = panel(svg, w, attack_title(attack, which), weighted)
    north, east = (max(side, 1e-9) for side in attack.network.size_km)
    wide = min(w, _TALLEST * w * east / north)
    tall = wide * north / east
    _cells(svg, result, attack.grid, wide, tall, y)
    svg.path(f"M.5 {number(y)}h{number(wide - 1)}v{number(tall)}H.5z", stroke="line2")
    points = attack.network.points

    def place(at: np.ndarray) -> tuple[float, float]:
        return float(at[1]) * wide, y + (1 - float(at[0])) * tall

    for friend in points[attack.network.friends(attack.position)]:
        _ring(svg, *place(friend))
    guess = np.array([result.cell // attack.grid + 0.5, result.cell % attack.grid + 0.5]) / attack.grid
    _square(svg, *place(guess))
    _cross(svg, *place(points[attack.position]))
    y += tall + 16
    y = _key(svg, w, y) + 4
    told = (
        f"Guess {result.error_km:.1f} km off, before the release {result.error_before_km:.1f} km. Known "
        f"beforehand {result.prior_gap_bits:.3f} bits, added by the release {result.incremental_bits:.3f}; "
        f"the map is {east:.0f} km wide, north is up."
    )
    for line in wrap(told, w, 12):
        y += 16
        svg.text(0, y, line, fill="ink2")
    return y + 6


def _cells(svg: Svg, result: AttackResult, grid: int, wide: float, tall: float, top: float) -> None:
    """Draw cells whose belief is not 0; those of one shade are one path."""
    # Square roots: small probabilities could not be told from none otherwise.
    shares = np.sqrt(result.posterior / max(float(result.posterior.max()), 1e-300))
    steps = np.ceil(shares * _SHADES).astype(int)
    across, down = wide / grid, tall / grid
    for step in range(1, _SHADES + 1):
        cells = np.flatnonzero(steps == step)
        if not len(cells):
            continue
        colour = hexadecimal(viridis(step / _SHADES, False)), hexadecimal(viridis(step / _SHADES, True))
        data = "".join(
            f"M{number(cell % grid * across)} {number(top + tall - (cell // grid + 1) * down)}"
            f"h{number(across)}v{number(down)}h{number(-across)}z"
            for cell in cells.tolist()
        )
        svg.path(data, fill=colour)


def _cross(svg: Svg, x: float, y: float) -> None:
    r = _MARK + 1
    data = f"M{number(x - r)} {number(y - r)}l{number(2 * r)} {number(2 * r)}m0 {number(-2 * r)}"
    data += f"l{number(-2 * r)} {number(2 * r)}"
    svg.path(data, stroke="bg", stroke_width=5)
    svg.path(data, stroke="over", stroke_width=2.5)


def _square(svg: Svg, x: float, y: float) -> None:
    r = _MARK + 2
    data = f"M{number(x - r)} {number(y - r)}h{number(2 * r)}v{number(2 * r)}h{number(-2 * r)}z"
    svg.path(data, stroke="bg", stroke_width=4)
    svg.path(data, stroke="ink", stroke_width=2)


def _ring(svg: Svg, x: float, y: float) -> None:
    svg.circle(x, y, _MARK, fill="none", stroke="ink", stroke_width=1.5)


def _key(svg: Svg, w: float, y: float) -> float:
    """Draw what the marks are; return where the line ends."""
    x = 0.0
    for name, draw in (("victim", _cross), ("guess", _square), ("friend", _ring)):
        draw(svg, x + 7, y - 4)
        svg.text(x + 18, y, name, fill="ink2")
        x += 34 + width(name)
    left = x
    for k in range(4):
        share = (k + 1) / 4
        colour = hexadecimal(viridis(share, False)), hexadecimal(viridis(share, True))
        svg.rect(left + 12 * k, y - 10, 12, 12, fill=colour)
    if left + 54 + width("likelier") <= w:
        svg.text(left + 54, y, "likelier", fill="ink2")
    return y


def curve_charts(curves: AttackCurves) -> tuple[Chart, ...]:
    """Return the charts of both attacks by budget: information and errors.

    Examples
    --------
    >>> from pdp_widgets import synthetic_network
    >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
    >>> [chart.title for chart in curve_charts(attack.by_epsilon([1.0, 10.0], draws=1))]
    ['Leaked information, mean of 19 users, 1 draw', 'Error of the guess, mean of 19 users, 1 draw']
    """
    at = np.log10(curves.epsilons)
    marks = len(at) == 1
    gap = np.full(len(at), curves.prior_gap_bits[1])
    across = "log10 of the budget ε in nats"
    # Draws are few, and users share each: what looks like an effect may be one draw.
    many = f"{count(curves.users, 'user')}, {count(curves.draws, 'draw')}"
    return (
        Chart(
            f"Leaked information, mean of {many}",
            [
                Line("attack 2, as printed", at, curves.leaked_bits[1], marks=marks),
                Line("attack 2, added", at, curves.incremental_bits[1], marks=marks),
                Line("attack 1", at, curves.leaked_bits[0], marks=marks),
                Line("attack 2 before any release", at, gap, marks=marks),
            ],
            across,
            "information, bits",
        ),
        Chart(
            f"Error of the guess, mean of {many}",
            [
                Line(f"attack {k + 1}", at, np.where(np.isfinite(row), row, math.nan), marks=marks)
                for k, row in enumerate(curves.error_km)
            ],
            across,
            "error, km",
        ),
    )


def draw_charts(drawn: DrawnAttacks) -> tuple[Chart, ...]:
    """Return how errors and information differ from draw to draw: the share of draws up to each number.

    Examples
    --------
    >>> from pdp_widgets import synthetic_network
    >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
    >>> [chart.title for chart in draw_charts(attack.by_draw(3))]
    ['Error of the guess on user 19, 3 draws', 'Information the release adds, 3 draws']
    """
    many = count(drawn.draws, "draw")
    return tuple(
        Chart(
            f"{title}, {many}",
            [_shares(f"attack {k + 1}", row) for k, row in enumerate(rows)],
            across,
            "share of draws up to it",
            y_range=(0.0, 1.0),
        )
        for title, rows, across in (
            (f"Error of the guess on user {drawn.victim}", drawn.error_km, "error, km"),
            ("Information the release adds", drawn.incremental / math.log(2), "information, bits"),
        )
    )


def _shares(name: str, values: np.ndarray) -> Line:
    """Return the share of values up to each, as steps."""
    ends = np.sort(values)
    shares = np.arange(len(ends) + 1) / len(ends)
    return Line(name, np.repeat(ends, 2), np.repeat(shares, 2)[1:-1])
