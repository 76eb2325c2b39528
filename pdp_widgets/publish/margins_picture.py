"""Below the table of a joint distribution: marginals, and how strongly pairs of tuples depend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pdp_widgets.models.dependence import Dependence, dependences, strongest
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.publish.formatting import count, probability, signed
from pdp_widgets.publish.labels import clean, fit, short_names, width
from pdp_widgets.publish.svg import Svg

__all__ = ["margins_panel"]

_LINE = 18.0
#: Pairs shown at once, as on screen.
_PAIRS = 5
#: Lines of marginals, and in a picture that must be small.
_MOST, _FEW = 12, 3
#: What a number and a bar take beside a name, and the bar itself, px.
_NUMBER, _BAR, _LONG = 48.0, 38.0, 32.0


@dataclass(frozen=True)
class _Row:
    """A name in two parts, such as tuple and label, and a number."""

    first: str
    joint: str
    second: str
    value: float
    text: str
    signed: bool = False

    @property
    def room(self) -> float:
        """Width of the whole name, px."""
        return width(self.first + self.joint + self.second)

    def name(self, room: float) -> str:
        """Return the name: of two parts that do not fit both are cut, so that each is seen."""
        if self.room <= room or not self.second:
            return fit(self.first + self.joint + self.second, room)
        left = room - width(self.joint)
        second = min(width(self.second), max(left / 2, left - width(self.first)))
        first = fit(self.first, left - second)
        return f"{first}{self.joint}{fit(self.second, second + 0.5)}"


def margins_panel(svg: Svg, distribution: JointDistribution, w: float, y: float, *, numbered: bool) -> float:
    """Draw marginals and the strongest pairs; return where they end, px.

    Parameters
    ----------
    svg
        Where to draw.
    distribution
        The table.
    w
        Room in px.
    y
        Where the first line stands.
    numbered
        Whether a number may stand for a tuple whose name is too long.
    """
    names = [clean(name) for name in distribution.names]
    short, positions = short_names(names)
    pairs: list[Dependence] = []
    if distribution.n_tuples > 1 and svg.sheet.detail > 0:
        pairs = [one for one in dependences(distribution) if math.isfinite(one.value)]
    shown = pairs if len(pairs) <= _PAIRS else strongest(pairs, _PAIRS)
    half = (w - 20) / 2
    most = _MOST if svg.sheet.detail > 0 else _FEW
    head, single, rest = _marginals(distribution, names, most)
    if numbered and any(row.room > half - _NUMBER for row in single):
        head, single, rest = _marginals(distribution, short, most)
    called = names if positions and not numbered else list(short)
    rows = [
        _Row(
            called[one.pair[0]],
            ", ",
            called[one.pair[1]],
            one.value,
            signed(one.value) if one.signed else probability(one.value, 3),
            one.signed,
        )
        for one in shown
    ]
    beside = bool(rows) and max(row.room for row in [*single, *rows]) <= half - _NUMBER
    wide = half if beside else w
    foot = _list(svg, 0, wide, y, head, single, 1.0)
    if rest:
        foot += _LINE
        svg.text(0, foot, rest, fill="ink2")
    if not rows:
        return foot + 6
    left, at = (half + 20, y) if beside else (0.0, foot + 26)
    end = next(
        limit for limit in (0.1, 0.25, 0.5, 1.0) if all(abs(one.value) <= limit for one in rows if one.signed)
    )
    below = at - 26
    for kind, title in ((True, f"correlation (±{end:g})"), (False, "association, 0 to 1")):
        part = [row for row in rows if row.signed is kind]
        if part:
            below = _list(svg, left, wide, below + 26, title, part, end if kind else 1.0)
    if len(pairs) > len(rows):
        below += _LINE
        svg.text(left, below, f"{len(rows)} largest of {count(len(pairs), 'pair')}", fill="ink2")
    return max(foot, below) + 6


def _marginals(
    distribution: JointDistribution, names: Sequence[str], most: int
) -> tuple[str, list[_Row], str]:
    """Return heading, rows and what is left out; one row a tuple where one label says it for all."""
    domains = [[clean(label) for label in domain] for domain in distribution.domains]
    parts = [values.tolist() for values in distribution.marginals()]
    same = all(len(domain) == 2 and domain[1] == domains[0][1] for domain in domains)
    if same:
        rows = [_Row(name, "", "", p[1], probability(p[1], 3)) for name, p in zip(names, parts, strict=True)]
        head = f"P({domains[0][1]})"
    else:
        rows = [
            _Row(name, " ", label, value, probability(value, 3))
            for name, domain, p in zip(names, domains, parts, strict=True)
            for label, value in zip(domain, p, strict=True)
        ]
        head = "marginals"
    left = len(rows) - most
    if left < 2:
        return head, rows, ""
    return head, rows[:most], f"and {count(left, 'tuple' if same else 'label')} more"


def _list(svg: Svg, x: float, w: float, y: float, head: str, rows: Sequence[_Row], end: float) -> float:
    """Draw a heading and rows of name, bar and number; return the last line."""
    svg.text(x, y, fit(head, w), fill="ink2")
    bars = w >= 200 or all(row.room <= w - _NUMBER - _BAR for row in rows)
    left = x + w - _NUMBER - _BAR + 4
    axes, lengths = [], []
    for row in rows:
        y += _LINE
        svg.text(x, y, row.name(w - _NUMBER - (_BAR if bars else 0.0)))
        svg.text(x + w, y, row.text, anchor="end")
        axes.append((left, y - 4))
        start = left + _LONG / 2 * row.signed
        lengths.append((start, y - 4, row.value / end * (left + _LONG - start)))
    if bars:
        kind = rows[0].signed
        plain: dict[str, str | float] = (
            {"stroke": "line2", "stroke_width": 1} if kind else {"stroke": "line", "stroke_width": 4}
        )
        shown: dict[str, str | float] = (
            {"stroke": "b", "stroke_width": 5} if kind else {"stroke": "ink2", "stroke_width": 4}
        )
        svg.path("".join(f"M{ax:g} {ay:g}h{_LONG:g}" for ax, ay in axes), **plain)
        svg.path("".join(f"M{bx:g} {by:g}h{long:.1f}" for bx, by, long in lengths), **shown)
    return y
