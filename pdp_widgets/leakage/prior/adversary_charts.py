"""What one adversary sees, as charts: densities, log ratio, and what is believed before and after."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import Axis, Chart, Series, nats, number
from pdp_widgets.leakage.adversary_figures import densities_chart, ratio_chart
from pdp_widgets.leakage.prior.exact_node import PriorAdversary
from pdp_widgets.models.labels import Label

__all__ = ["belief_chart", "seen_charts"]

#: Releases at which a curve is computed, beside those where it has corners.
_POINTS = 401
#: How far an axis goes beyond the centres, in noise scales.
_REACH = 2.5
#: An axis has ends that are numbers, and so is its length.
_FARTHEST = float(np.finfo(np.float64).max) / 8
#: The labels of more values than a palette has colours: the likeliest ones.
_MOST = 6
_SIDES = {"<=": "≤", ">=": "≥", "=": "="}


def seen_charts(adversary: PriorAdversary, note: str = "") -> tuple[Chart, ...]:
    """Return the densities of the released number and the log ratio of the pair that leaks most."""
    r = _releases(adversary)
    target, attained = adversary.target, adversary.leakage.attained
    known = ", ".join(f"{name} = {label}" for name, label in adversary.known.items()) or "none"
    shown = list(adversary.feasible)
    if len(shown) > _MOST:
        prior = dict(zip(adversary.labels, adversary.prior.tolist(), strict=True))
        pair = () if attained is None else attained.pair
        rest = sorted((one for one in shown if one not in pair), key=lambda one: -prior[one])
        kept = {*pair, *rest[: _MOST - len(pair)]}
        note = f"{note} {_MOST} of {len(shown)} labels are drawn.".strip()
        shown = [one for one in shown if one in kept]
    names = _label_names(adversary)
    densities = [(f"if {target} is {names[label]}", adversary.density(label, r)) for label in shown]
    if attained is None:
        note = f"{target} is {names[adversary.feasible[0]]}: nothing is left to learn. {note}".strip()
    charts = [densities_chart(f"About {target}, knowing {known}", r, densities, note)]
    if attained is not None:
        more, less = attained.pair
        value = adversary.leakage.value
        told = f"{nats(value, 4)} attained, r {_SIDES[attained.side]} {number(attained.r)}"
        marks = [Series(told, [attained.r], [value], "dots", colour="ink", shape="disc")]
        charts.append(
            ratio_chart(
                f"log ratio, {names[more]} over {names[less]}, nats",
                r,
                adversary.log_ratio(more, less, r),
                adversary.mechanism.promise,
                "promise ±GS/λ",
                marks=marks,
            )
        )
    return tuple(charts)


def belief_chart(adversary: PriorAdversary, note: str = "") -> Chart:
    """Return what is believed of the target before a release and after one where the leakage is attained."""
    attained = adversary.leakage.attained
    places = np.arange(len(adversary.labels), dtype=np.float64)
    series = [Series("before", adversary.prior, places, "dots", colour="ink2", shape="ring")]
    if attained is not None:
        after = adversary.posterior(np.array([attained.r]))[0]
        told = f"after r {_SIDES[attained.side]} {number(attained.r)}"
        series.append(Series(told, after, places, "dots", colour="a", shape="disc"))
    names = tuple(_label_names(adversary).values())
    return Chart(
        f"What is believed of {adversary.target}",
        series,
        Axis("probability", 0.0, 1.0),
        Axis(adversary.target, names=names),
        note=note,
    )


def _label_names(adversary: PriorAdversary) -> dict[Label, str]:
    """Return the labels of the target as text, in quotes where a number reads like one of them."""
    plain = Counter(map(str, adversary.labels))
    return {one: str(one) if plain[str(one)] == 1 else repr(one) for one in adversary.labels}


def _releases(adversary: PriorAdversary) -> NDArray[np.float64]:
    """Return releases around all centres, the centres among them."""
    centres = np.unique(np.concatenate([m.centres for m in adversary.mixtures().values()]))
    reach = _REACH * min(adversary.mechanism.scale, _FARTHEST)
    ends = max(-_FARTHEST, centres[0] - reach), min(_FARTHEST, centres[-1] + reach)
    even = np.linspace(*ends, _POINTS)
    return np.unique(np.concatenate([even, centres]))
