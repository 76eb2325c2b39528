"""The static picture of the explorer of inferred locations."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import numpy as np

from pdp_widgets.leakage.inference.attack_results import AttackResults
from pdp_widgets.publish.attack_curves_picture import budget_rows, budget_table, error_panel, leaked_panel
from pdp_widgets.publish.attack_map_picture import CAPTION, belief_map, map_frame, map_key
from pdp_widgets.publish.attack_panels import adversary_rows, audit_strip, release_rows, settings_panel
from pdp_widgets.publish.attack_score_picture import BITS_SAY, draws_in_words, mass_panel, score_panel
from pdp_widgets.publish.attack_wording import (
    AttackCase,
    amount,
    audit,
    bits,
    centres,
    km,
    lead,
    limit_name,
    user_name,
)
from pdp_widgets.publish.formatting import count, fixed, probability
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import clean
from pdp_widgets.publish.lead_picture import lead_lines
from pdp_widgets.publish.scene import WIDTH, Page, computed_on, within_limit
from pdp_widgets.publish.snapshot import Snapshot, table
from pdp_widgets.publish.svg import Span, Svg
from pdp_widgets.publish.wording import plain

__all__ = ["attack_snapshot", "maps_panel"]

_LEFT, _MAPS, _GAP = 192.0, 544.0, 24.0
#: Cells that are listed for each belief, the likeliest.
_LISTED = 8
#: Bytes: four maps and two charts.
_LIMIT = 25_000


def attack_snapshot(solved: AttackResults, *, day: date | None = None) -> Snapshot:
    """Return the static picture of an attack on places.

    Parameters
    ----------
    solved
        The numbers; means over all users and over many draws as far as they are there.
    day
        Date of computation; without it today.

    Returns
    -------
    Snapshot
        Picture, HTML figure and plain text of the same numbers.

    Examples
    --------
    >>> from pdp_widgets import InferenceAttack, synthetic_network
    >>> from pdp_widgets.leakage.inference.attack_results import AttackInputs
    >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4, epsilon=0.1)
    >>> shot = attack_snapshot(AttackResults(AttackInputs(1, "lpm", 0.1, "local", 19, 10.0, 1.0, 1), attack))
    >>> shot.text.splitlines()[1]
    'Means over all users are not computed. Budget ε/ln 2 0.144 bits, no guarantee.'
    """
    attack = solved.attack
    first = lead(AttackCase.of(attack))
    foot = f"{computed_on(day)} Shown: {clean(user_name(attack.victim))}, draw {attack.draw:,} of the noise."
    svg = within_limit(lambda detail: _draw(solved, foot, detail), _LIMIT)
    details = _settings(solved) + _scores(solved) + _beliefs(solved) + _budgets(solved)
    return Snapshot(svg, f"{plain(first)}\n{audit(solved)}", foot, _summary(solved), details)


def _draw(solved: AttackResults, foot: str, detail: int) -> str:
    attack = solved.attack
    page = Page(detail=detail)
    north, east = attack.network.size_km
    about = [count(attack.network.n, "user"), f"{fixed(east, 0)} × {fixed(north, 0)} km"]
    about.append(centres(attack.clusters.k))
    title = attack.network.title
    page.header("Location inference", ", ".join([title, *about] if title else about))
    page.y = lead_lines(page.svg, lead(AttackCase.of(attack)), page.y, WIDTH - 60) + 14
    right = WIDTH - _LEFT - _MAPS - 2 * _GAP
    settings, maps, score = (page.piece() for _ in range(3))
    heights = [
        settings_panel(settings, solved, _LEFT),
        maps_panel(maps, solved, _MAPS),
        score_panel(score, solved, right),
    ]
    mass = page.piece()
    below = mass_panel(mass, solved, right)
    places = (0.0, _LEFT + _GAP, WIDTH - right)
    for piece, x in zip((settings, maps, score), places, strict=True):
        page.svg.put(piece, x, page.y)
    page.svg.put(mass, WIDTH - right, page.y + heights[2] + 10)
    page.y += max(heights[0], heights[1], heights[2] + 10 + below) + 18
    room = (WIDTH - _LEFT - 2 * _GAP) / 2
    _row(
        page,
        [
            (lambda svg: budget_table(svg, solved, _LEFT), 0.0),
            (lambda svg: leaked_panel(svg, solved, room), _LEFT + _GAP),
            (lambda svg: error_panel(svg, solved, room), WIDTH - room),
        ],
    )
    strip = page.piece()
    tall = audit_strip(strip, solved, WIDTH)
    page.svg.put(strip, 0, page.y)
    page.y += tall + 6
    page.lines(foot, WIDTH, most=3)
    return page.finish("Location inference: what is believed before and after a release")


def _row(page: Page, pieces: list[tuple[Callable[[Svg], float], float]]) -> None:
    """Draw panels side by side and go on below the tallest."""
    most = 0.0
    for draw, x in pieces:
        piece = page.piece()
        most = max(most, draw(piece))
        page.svg.put(piece, x, page.y)
    page.y += most + 18


def maps_panel(svg: Svg, solved: AttackResults, w: float, rim: float = 0.0) -> float:
    """Draw the four maps, before and after by attack, with their key; return the height taken.

    Nothing is beside a figure of its own: it keeps a rim for the marks of places at the edge.
    """
    attack = solved.attack
    side = attack.grid
    y = panel(svg, w, "Where is the victim?", f"probability per cell, {side} × {side}", right="north is up")
    room = (w - _GAP) / 2 - rim
    step = room + _GAP
    briefly = room < 235
    for k, words in enumerate(
        ("all others alike", "friends weighted")
        if briefly
        else ("all other users alike", "cells near friends weighted")
    ):
        heading: list[Span] = [(f"Attack {k + 1}", {"weight": 600}), (f" {words}", {"fill": "ink2"})]
        svg.spans(rim + k * step, y + 12, heading)
    y += 18
    tall = map_frame(attack, room).height + CAPTION
    for row in range(2):
        for k in range(2):
            piece = Svg(svg.sheet)
            belief_map(piece, attack, k + 1, row == 1, room)
            svg.put(piece, rim + k * step, y)
        y += tall + 4
    key = Svg(svg.sheet)
    height = map_key(key, attack, w)
    svg.put(key, 0, y + 8)
    return y + 8 + height


def _summary(solved: AttackResults) -> str:
    """Return the main numbers as an HTML table."""
    attack, means = solved.attack, solved.means
    one, two = attack.attack_1, attack.attack_2
    rows = [
        ["As printed, bits", bits(one.leaked_bits), bits(two.leaked_bits)],
        ["Prior gap, bits", bits(one.prior_gap_bits), bits(two.prior_gap_bits)],
        ["Release adds, bits", bits(one.incremental_bits), bits(two.incremental_bits)],
        ["Error after the release, km", km(one.error_km), km(two.error_km)],
    ]
    if means is not None:
        pairs = (
            ("as printed", means.leaked_bits),
            ("prior gap", means.prior_gap_bits),
            ("release adds", means.incremental_bits),
        )
        many = count(means.users, "user")
        rows += [[f"Mean of {many}: {name}, bits", *map(bits, pair.tolist())] for name, pair in pairs]
        rows.append([f"Mean of {many}: error, km", *map(km, means.error_km.tolist())])
    rows.append(
        [
            f"{limit_name(attack).capitalize()} ε/ln 2, bits",
            bits(attack.epsilon_bits),
            bits(attack.epsilon_bits),
        ]
    )
    name = f"Where is {clean(user_name(attack.victim))}? Two attacks on noisy cluster centres"
    return table(name, ["what", "attack 1", "attack 2"], rows)


def _settings(solved: AttackResults) -> str:
    rows = [*release_rows(solved.attack), *adversary_rows(solved.attack, solved.inputs.known)]
    return table("Release and adversary", ["what", "value"], [list(row) for row in rows])


def _scores(solved: AttackResults) -> str:
    attack, drawn = solved.attack, solved.drawn
    one, two = attack.attack_1, attack.attack_2
    h0 = bits(one.score.h0_bits)
    rows = [
        ["Entropy H₀, all alike, bits", h0, h0],
        ["Entropy before, bits", bits(one.score.before_bits), bits(two.score.before_bits)],
        ["Entropy after, bits", bits(one.score.after_bits), bits(two.score.after_bits)],
        ["Error before, km", km(one.error_before_km), km(two.error_before_km)],
        ["Error after, km", km(one.error_km), km(two.error_km)],
        ["Mass on the true cell before", probability(one.mass_before), probability(two.mass_before)],
        ["Mass on the true cell after", probability(one.mass), probability(two.mass)],
    ]
    if drawn is not None:
        rows.append([f"Error after, {drawn.draws:,} draws, km", *map(km, drawn.mean_error_km.tolist())])
    notes = " ".join(filter(None, (draws_in_words(solved), BITS_SAY)))
    return table(f"This victim and this draw of the noise. {notes}", ["what", "attack 1", "attack 2"], rows)


def _beliefs(solved: AttackResults) -> str:
    """Return the likeliest cells of every map, and where the truth is."""
    attack, side = solved.attack, solved.attack.grid
    found = ""
    for k, one in enumerate((attack.attack_1, attack.attack_2)):
        order = np.lexsort((np.arange(side**2), -one.posterior))[:_LISTED].tolist()
        cells = [*order, *(cell for cell in (attack.true_cell,) if cell not in order)]
        rows = [
            [
                f"{cell % side + 1} east, {cell // side + 1} north"
                + (", the truth" * (cell == attack.true_cell)),
                probability(float(one.prior[cell])),
                probability(float(one.posterior[cell])),
            ]
            for cell in cells
        ]
        found += table(
            f"Attack {k + 1}: the likeliest cells after the release", ["cell", "before", "after"], rows
        )
    return found


def _budgets(solved: AttackResults) -> str:
    curves = solved.curves
    found = ""
    rows = [
        [amount(row.epsilon), bits(row.printed), bits(row.adds), bits(row.bound)]
        for row in budget_rows(solved)
    ]
    if rows:
        found += table(
            "Attack 2 by ε, bits, mean of all users",
            ["ε", "printed", "adds", limit_name(solved.attack)],
            rows,
        )
    if curves is not None:
        rows = [
            [amount(epsilon), bits(float(adds)), km(float(first)), km(float(second))]
            for epsilon, adds, first, second in zip(
                curves.epsilons.tolist(), curves.incremental_bits[0], *curves.error_km, strict=True
            )
        ]
        head = ["ε", "attack 1 adds, bits", "attack 1 error, km", "attack 2 error, km"]
        found += table(f"Means of {count(curves.users, 'user')} by ε", head, rows)
    return found
