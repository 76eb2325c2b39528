"""bqplot figures of inferred places: the belief on the map, and both attacks by budget."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.inference.attack_curves import AttackCurves
from pdp_widgets.leakage.inference.drawn_attacks import DrawnAttacks
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.models.labels import shown
from pdp_widgets.publish.attack_picture import draw_charts
from pdp_widgets.publish.formatting import count
from pdp_widgets.widgets.bqplot_parts import (
    LABELS,
    NEUTRAL,
    OVER,
    axes_of,
    chart_figure,
    dots_of,
    figure_of,
    lines_of,
)

__all__ = ["plot_attack", "plot_attack_curves", "plot_draws"]

#: From next to nothing to the likeliest cell; discs in mid tones stand out on all of them.
_HEAT = ["#eef3f8", "#9ac3e2", "#1f5f92"]


def plot_attack(attack: InferenceAttack, which: int = 2) -> Any:
    """Return a map of the belief after the release, with the cells of the victim, the guess and the friends.

    Parameters
    ----------
    attack
        The attack.
    which
        1 or 2.

    Examples
    --------
    >>> from pdp_widgets import InferenceAttack, synthetic_network
    >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
    >>> [mark.labels[0] for mark in plot_attack(attack, 2).marks[1:]]
    ['friends', 'guess', 'victim']
    """
    import bqplot

    if which not in (1, 2) or isinstance(which, bool):
        raise DomainError(f"The attack is {shown(which)}; it is 1 or 2.", Where("parameter", name="attack"))
    result = attack.attack_1 if which == 1 else attack.attack_2
    side = attack.grid
    names = [str(k) for k in range(side)]
    x, y = bqplot.OrdinalScale(domain=names), bqplot.OrdinalScale(domain=names)
    # Square roots: small probabilities would be white otherwise.
    colours = bqplot.ColorScale(colors=_HEAT, min=0.0, max=float(np.sqrt(result.posterior.max())))
    cells = bqplot.GridHeatMap(
        row=names,
        column=names,
        color=np.sqrt(result.posterior).reshape(side, side),
        scales={"row": y, "column": x, "color": colours},
        stroke="#ffffff",
    )
    friends = np.unique(attack.cells[attack.network.friends(attack.position)])
    kinds = (
        (friends, "circle", LABELS[1], "friends"),
        (np.array([result.cell]), "square", LABELS[3], "guess"),
        (np.array([attack.true_cell]), "triangle-up", OVER, "victim"),
    )
    marks = [
        dots_of(x, y, np.array(names)[at % side], np.array(names)[at // side], marker, colour, name)
        for at, marker, colour, name in kinds
        if len(at)
    ]
    title = f"Attack {which} on user {attack.victim}: {result.error_km:.1f} km off"
    axes = axes_of(x, y, "cells from the west", "cells from the south")
    return figure_of(title, [cells, *marks], axes, "top-right", height=440)


def plot_attack_curves(curves: AttackCurves, value: str = "leaked") -> Any:
    """Return a figure of both attacks by budget.

    Parameters
    ----------
    curves
        The means.
    value
        ``"leaked"`` or ``"error"``.

    Examples
    --------
    >>> from pdp_widgets import InferenceAttack, synthetic_network
    >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
    >>> figure = plot_attack_curves(attack.by_epsilon([1.0, 100.0], draws=1))
    >>> [mark.labels[0] for mark in figure.marks][:2]
    ['attack 2, as printed', 'attack 2, added by the release']
    """
    if not isinstance(value, str) or value not in ("leaked", "error"):
        raise DomainError(
            f"The value is {shown(value)}; it is 'leaked' or 'error'.", Where("parameter", name="value")
        )
    at = np.log10(curves.epsilons)
    flat = np.ones(len(at))
    if value == "error":
        lines = [
            ("attack 1", curves.error_km[0], LABELS[0], "solid", 2.5),
            ("attack 2", curves.error_km[1], LABELS[1], "dashed", 2.5),
        ]
        title, up = "How far the guess is off", "error (km)"
    else:
        lines = [
            ("attack 2, as printed", curves.leaked_bits[1], LABELS[1], "solid", 2.5),
            ("attack 2, added by the release", curves.incremental_bits[1], LABELS[2], "dashed", 2.0),
            ("attack 1, as printed and added", curves.leaked_bits[0], LABELS[0], "dotted", 2.0),
            ("attack 2 before any release", flat * curves.prior_gap_bits[1], NEUTRAL, "dash_dotted", 1.5),
        ]
        title, up = "Leaked information", "information (bits)"
    across = "log10 of the budget (nats)"
    many = f"{count(curves.users, 'user')}, {count(curves.draws, 'draw')}"
    return lines_of(lines, at, f"{title}, mean of {many}", across, up)


def plot_draws(drawn: DrawnAttacks, value: str = "error") -> Any:
    """Return a figure of the share of draws up to each error, or up to each gain.

    Parameters
    ----------
    drawn
        Both attacks by draw.
    value
        ``"error"`` or ``"added"``.

    Examples
    --------
    >>> from pdp_widgets import InferenceAttack, synthetic_network
    >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
    >>> [mark.labels[0] for mark in plot_draws(attack.by_draw(3)).marks]
    ['attack 1', 'attack 2']
    """
    if not isinstance(value, str) or value not in ("error", "added"):
        raise DomainError(
            f"The value is {shown(value)}; it is 'error' or 'added'.", Where("parameter", name="value")
        )
    error, added = draw_charts(drawn)
    return chart_figure(error if value == "error" else added)
