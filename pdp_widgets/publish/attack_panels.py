"""Panels of the picture of inferred places: the release and the adversary as text, and the audit strip."""

from __future__ import annotations

import math

from pdp_widgets.leakage.inference.attack_results import AttackResults
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.publish.attack_map_picture import ESTIMATE
from pdp_widgets.publish.attack_wording import amount, bits, limit_name, user_name
from pdp_widgets.publish.formatting import count, fixed, parameter, scientific, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, width
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.svg import Svg

__all__ = ["adversary_rows", "audit_strip", "release_rows", "settings_panel", "share_words"]

_STRIP = 82.0
_MECHANISMS = {"lpm": "LPM", "dpm": "DPM", "baseline": "baseline"}
_SENSITIVITIES = {
    "unit": "1, as printed",
    "local": "local",
    "fixed_bound": "fixed clusters",
    "worst_case": "worst case",
}


def _small(value: float) -> str:
    """Return a number of the unit square with about four digits."""
    if value != 0 and abs(value) < 1e-3:
        return scientific(value, 2)
    return fixed(value, 5 if value < 0.1 else 4) if abs(value) < 10 else parameter(value)


def release_rows(attack: InferenceAttack) -> list[tuple[str, str]]:
    """Return what was released, as pairs of words.

    Examples
    --------
    >>> from pdp_widgets import synthetic_network
    >>> city = synthetic_network(60, rng=1).city("New York")
    >>> release_rows(InferenceAttack(city, clusters=4, sensitivity="unit"))[:3]
    [('Mechanism', 'LPM'), ('Budget ε, nats', '1'), ('Sensitivity', '1, as printed')]
    """
    rows = [
        ("Mechanism", _MECHANISMS[attack.mechanism]),
        ("Budget ε, nats", amount(attack.epsilon)),
        ("Sensitivity", _SENSITIVITIES[attack.sensitivity]),
        ("It is", "a guarantee" if attack.formal else "no guarantee"),
        ("Sensitivity ΔQ", _small(attack.delta_q)),
    ]
    if attack.factor != 1:
        rows.append(("Times, as users depend", f"× {parameter(attack.factor)}"))
    return [
        *rows,
        ("Noise scale σ", _small(attack.scale)),
        (f"{limit_name(attack).capitalize()} ε/ln 2", f"{bits(attack.epsilon_bits)} bits"),
    ]


def adversary_rows(attack: InferenceAttack, known: float) -> list[tuple[str, str]]:
    """Return who looks for whom, as pairs of words."""
    smoothing = [("Added to each cell", amount(attack.smoothing))] if attack.smoothing > 0 else []
    return [
        ("Victim", f"{user_name(attack.victim)}, {count(len(attack.friends), 'friend')}"),
        ("Friends’ weight (attack 2)", amount(attack.weight)),
        ("Share of others known", f"{amount(round(100 * known, 2))} %"),
        *smoothing,
        ("Noise", f"draw {attack.draw:,}"),
    ]


def settings_panel(svg: Svg, solved: AttackResults, w: float) -> float:
    """Write release and adversary; return the height taken."""
    attack, y = solved.attack, 0.0
    for title, rows in (
        ("Release", release_rows(attack)),
        ("Adversary", adversary_rows(attack, solved.inputs.known)),
    ):
        piece = Svg(svg.sheet)
        at = panel(piece, w, title) + 12
        for name, value in rows:
            left = 0.0
            if name.endswith("ε/ln 2"):
                mark(piece, "promise", 4, at - 4, 4)
                left = 13.0
            piece.text(left, at, name, fill="ink2")
            room = w - width(name) - left - 8
            if width(value, 12, True) <= room:
                piece.text(w, at, value, anchor="end", weight=600)
            else:
                at += 17
                piece.text(w, at, fit(value, w, 12, True), anchor="end", weight=600)
            at += 21
        svg.put(piece, 0, y)
        y += at + 14
    return y


def share_words(gap: float, printed: float) -> str:
    """Say how much of the printed score needed no release.

    Examples
    --------
    >>> share_words(0.768, 1.283), share_words(0.0, 1.0)
    ('60 % of it, no release needed', 'bits, no release needed')
    """
    if not (gap > 0 and printed > 0):
        return "bits, no release needed"
    share = gap / printed
    return (
        "more than all of it" if share > 1 else f"{math.floor(100 * share + 0.5)} % of it, no release needed"
    )


def audit_strip(svg: Svg, solved: AttackResults, w: float) -> float:
    """Draw the printed score of attack 2 over all users, taken apart; return the height taken."""
    svg.rect(0, 0, w, _STRIP, fill="tint")
    svg.path(f"M0 .5H{w:g}M0 {_STRIP - 0.5:g}H{w:g}", stroke="line2")
    means, attack = solved.means, solved.attack
    entropy, limit = attack.attack_1.score.h0_bits, attack.epsilon_bits
    all_there = "bits, no guarantee"
    if attack.formal:
        all_there = f"{'above all' if limit > entropy else 'of'} {fixed(entropy, 2)} bits there are"
    cells: list[tuple[str, str, str, str, str]] = []
    if means is None:
        cells += [(kind, name, "–", "ink", "not computed") for kind, name in _NAMES]
    else:
        printed, gap = float(means.leaked_bits[1]), float(means.prior_gap_bits[1])
        one, two = means.incremental_bits.tolist()
        half = means.half_width[1] / math.log(2)
        interval = "" if math.isnan(half) else f"± {bits(half)} (95 % over draws); "
        cells += [
            (*_NAMES[0], bits(printed), "paper", f"bits, mean of {count(means.users, 'user')}"),
            (*_NAMES[1], bits(gap), "ink", share_words(gap, printed)),
            (*_NAMES[2], bits(two), "ink", f"{interval}attack 1: {bits(one)}"),
        ]
    cells.append(("promise", f"{limit_name(attack).capitalize()} ε/ln 2", bits(limit), "ink", all_there))
    x = 12.0
    for kind, name, value, tone, note in cells:
        _sign(svg, kind, x + 5, 17)
        svg.text(x + 15, 21, name, fill="ink2")
        svg.text(x, 47, value, size=18 if len(value) < 10 else 14, weight=600, fill=tone)
        svg.text(x, 68, fit(note, 240), fill="ink2")
        x += max(min(240.0, width(note)), width(name) + 16, width(value, 18, True)) + 24
    if means is not None and w - x > 150:
        _line(svg, solved, x + 8, w - 60)
    return _STRIP


_NAMES = (
    ("paper", "As printed, attack 2"),
    ("exact", "Known before: prior gap"),
    ("estimate", "The release adds"),
)


def _sign(svg: Svg, kind: str, x: float, y: float) -> None:
    if kind == "estimate":
        svg.circle(x, y, 4, fill="bg", stroke=ESTIMATE, stroke_width=2)
    elif kind == "paper":
        mark(svg, "paper", x, y, 4)
    elif kind == "exact":
        mark(svg, "exact", x, y, 4)
    else:
        mark(svg, "promise", x, y, 4)


def _line(svg: Svg, solved: AttackResults, left: float, right: float) -> None:
    """Draw gap, what is added and their sum on one axis of bits."""
    means = solved.means
    assert means is not None
    numbers = {
        "estimate": max(0.0, float(means.incremental_bits[1])),
        "exact": max(0.0, float(means.prior_gap_bits[1])),
        "paper": max(0.0, float(means.leaked_bits[1])),
    }
    most = max(1e-3, *numbers.values())
    found = ticks(0.0, most, 3)
    step = found[1] - found[0] if len(found) > 1 else most
    top = math.ceil(most / step - 1e-9) * step

    def x(value: float) -> float:
        return left + (right - left) * value / top

    y = 48.0
    svg.line(left, y, right, y, stroke="line2", stroke_width=1.5)
    marks = ticks(0.0, top, 3)
    for value in marks:
        svg.line(x(value), y, x(value), y + 5, stroke="line2")
        words = tick(value) + (" bits" if value == marks[-1] else "")
        svg.text(x(value), y + 19, words, size=11, fill="ink2", anchor="start" if value == 0 else "middle")
    half = means.half_width[1] / math.log(2)
    if not math.isnan(half):
        ends = (max(0.0, numbers["estimate"] - half), min(top, numbers["estimate"] + half))
        svg.line(x(ends[0]), y - 9, x(ends[1]), y - 9, stroke=ESTIMATE, stroke_width=2)
    for kind in ("exact", "estimate", "paper"):
        _sign(svg, kind, x(numbers[kind]), y)
