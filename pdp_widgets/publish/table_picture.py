"""The panel "Joint distribution": the table or its most likely rows, marginals and dependence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.publish.formatting import count, probability, probability_decimals
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import clean, fit, short_names, width, wrap
from pdp_widgets.publish.margins_picture import margins_panel
from pdp_widgets.publish.snapshot import table
from pdp_widgets.publish.svg import Svg, strokes

__all__ = ["table_needs", "table_panel", "table_tables"]

_ROW = 24.0
_MOST_ROWS = 10
_FULL_TABLE = 64
#: Columns of short labels stand no further apart, px.
_APART = 62.0
_KEY_LINES = 12


@dataclass(frozen=True)
class _Layout:
    """A pivoted grid that fits: axes and widths in px."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    heads: tuple[float, ...]
    cell: float
    total: float


def _texts(distribution: JointDistribution, axis: int) -> list[str]:
    return [clean(label) for label in distribution.domains[axis]]


def _columns(needs: Sequence[float], room: float, most: float = np.inf) -> list[float]:
    """Return the widths of columns: narrow ones give what they do not need to the others, px.

    Where there is room for all they grow alike, up to `most`.
    """
    enough = sum(needs) <= room
    left, limit = room, most if enough else np.inf
    for k, need in enumerate(sorted(needs, reverse=enough)):
        share = left / (len(needs) - k)
        if need <= share if enough else need >= share:
            limit = min(limit, share)
            break
        left -= need
    return [max(need, limit) if enough else min(need, limit) for need in needs]


def _needs(distribution: JointDistribution, names: Sequence[str]) -> list[float]:
    """Return the room that each tuple's labels in the most likely rows, and its short name, need, px."""
    order = _most_probable(distribution.table.ravel())
    placed = [np.unravel_index(int(flat), distribution.shape) for flat in order]
    found = []
    for j, name in enumerate(names):
        labels = _texts(distribution, j)
        found.append(max(width(name), *(width(labels[int(place[j])]) for place in placed)) + 9)
    return found


def table_needs(distribution: JointDistribution) -> float:
    """Return the room in which the most likely rows have all their labels whole, px.

    Examples
    --------
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]], domains=[("yes", "no"), ("sometimes", "never")])
    >>> round(table_needs(joint))
    146
    """
    decimals = probability_decimals(distribution.table.ravel())
    names, _ = short_names(distribution.names)
    return sum(_needs(distribution, names)) + width("0." + "0" * decimals) + 14


def _layout(distribution: JointDistribution, w: float, decimals: int) -> _Layout | None:
    """Return the grid, last tuples as columns, or None when there is no room for it."""
    n = distribution.n_tuples
    rows, columns = tuple(range(n - n // 2)), tuple(range(n - n // 2, n))
    shape = distribution.shape
    lines = int(np.prod([shape[j] for j in rows]))
    across = int(np.prod([shape[j] for j in columns])) if columns else 1
    if lines > 12 or across > 8:
        return None
    digits = width("0." + "0" * decimals)
    need, total = digits + 9, digits + 10
    names, _ = short_names(distribution.names)
    wanted = []
    for j in rows:
        name = distribution.names[j] if len(rows) < 3 else names[j]
        longest = max(width(t) for t in [*_texts(distribution, j), clean(name)])
        wanted.append(max(16.0, longest + 10))
    heads = [min(want, 64.0) for want in wanted]
    cell = (w - sum(heads) - total) / across
    if cell < need:
        heads = [min(h, 30.0) for h in heads]
        cell = (w - sum(heads) - total) / across
    if cell < need:
        return None
    titles = [
        width(" ".join(labels)) for labels in product(*(_texts(distribution, j) for j in columns)) if labels
    ]
    titled = max([need, *(title + 8 for title in titles)])
    # Cells have what the heads leave, and no less than their own.
    cell = min(cell, max(titled, min(76.0, (w - sum(wanted) - total) / across)))
    spare = w - sum(heads) - total - cell * across
    if spare > 0:
        heads = _columns(wanted, sum(heads) + spare)
    return _Layout(rows, columns, tuple(heads), cell, total)


def table_panel(
    svg: Svg,
    distribution: JointDistribution,
    w: float,
    known: Mapping[int, int] | None = None,
    key: bool = False,
) -> float:
    """Draw the table, marginals and the dependence of pairs; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    distribution
        The table.
    w
        Room in px.
    known
        Label positions of the tuples that the adversary knows: rows that fit carry a bar.
    key
        Say which tuple each number in a heading stands for: nothing else in the figure does.
    """
    top = panel(svg, w, "Joint distribution", right="probabilities")
    decimals = probability_decimals(distribution.table.ravel())
    layout = _layout(distribution, w, decimals)
    if layout is None:
        y, numbered = _most_likely(svg, distribution, w, top, decimals, known or {})
    else:
        y = _grid(svg, distribution, w, top, decimals, layout, known or {})
        numbered = len(layout.rows) > 2
    numbered = numbered and key and short_names(distribution.names)[1]
    y = margins_panel(svg, distribution, w, y + 22, numbered=numbered)
    if numbered:
        # Broken over lines before anything is cut.
        names = ", ".join(f"{j + 1} {fit(name, 2 * w)}" for j, name in enumerate(distribution.names))
        y += 4
        for line in wrap(f"{names}.", w, 12, most=_KEY_LINES):
            svg.text(0, y + 12, line, fill="ink2")
            y += 17
    return y


def _grid(
    svg: Svg,
    distribution: JointDistribution,
    w: float,
    y: float,
    decimals: int,
    layout: _Layout,
    known: Mapping[int, int],
) -> float:
    names, shape, entries = distribution.names, distribution.shape, distribution.table
    short, _ = short_names(names)
    rows, columns = layout.rows, layout.columns
    left = sum(layout.heads)
    across = [tuple(c) for c in product(*(range(shape[j]) for j in columns))]
    middle = left + layout.cell * len(across) / 2
    if columns:
        above = clean(", ".join(names[j] for j in columns))
        if width(above) <= w - left:
            svg.text(middle, y + 12, fit(above, w - left), anchor="middle", fill="ink2")
        else:
            svg.text(w - 2, y + 12, fit(above, w - 4), anchor="end", fill="ink2")
        y += 18
    x = 0.0
    for j, head in zip(rows, layout.heads, strict=True):
        svg.text(x + 7, y + 14, fit(names[j] if len(rows) < 3 else short[j], head - 8), fill="ink2")
        x += head
    for c, place in enumerate(across):
        text = " ".join(clean(distribution.domains[j][p]) for j, p in zip(columns, place, strict=True)) or "P"
        right = left + layout.cell * (c + 1) - 5
        svg.text(right, y + 14, fit(text, layout.cell - 6), anchor="end")
    if columns:
        svg.text(w - 2, y + 14, "sum", anchor="end", fill="ink2")
    y += 20
    svg.line(0, y, w, y, stroke="line2")
    lines = list(product(*(range(shape[j]) for j in rows)))
    peak, bars, fits = float(entries.max()), [], []
    previous: tuple[int, ...] | None = None
    for line in lines:
        x = 0.0
        for a, (j, head) in enumerate(zip(rows, layout.heads, strict=True)):
            if previous is None or previous[: a + 1] != line[: a + 1]:
                svg.text(x + 7, y + 16, fit(distribution.domains[j][line[a]], head - 9))
            x += head
        if any(k in rows for k in known) and all(
            line[rows.index(k)] == v for k, v in known.items() if k in rows
        ):
            fits.append(y)
        for c, place in enumerate(across):
            p = float(entries[line + place])
            right = left + layout.cell * (c + 1)
            tone = {} if p else {"fill": "ink2"}
            svg.text(right - 5, y + 16, probability(p, decimals), anchor="end", **tone)
            long = (layout.cell - 4) * p / peak
            if long >= 0.5:
                bars.append((round(right - layout.cell + 2), y + _ROW - 2, max(1, round(long))))
        if columns:
            shown = probability(float(entries[line].sum()), decimals)
            svg.text(w - 2, y + 16, shown, anchor="end", fill="ink2")
        y += _ROW
        svg.line(left, y, left + layout.cell * len(across), y, stroke="line")
        previous = line
    starts, lengths = [(bx, by) for bx, by, _ in bars], [long for *_, long in bars]
    svg.path(strokes(starts, "h", lengths), stroke="share", stroke_width=3)
    svg.path("".join(f"M1.5 {fy + 1:g}v{_ROW - 2:g}" for fy in fits), stroke="brand", stroke_width=3)
    svg.line(0, y, w, y, stroke="line2")
    if columns:
        svg.text(7, y + 16, "sum", fill="ink2")
        down = entries.sum(axis=tuple(rows))
        for c, place in enumerate(across):
            shown = probability(float(down[place]), decimals)
            svg.text(left + layout.cell * (c + 1) - 5, y + 16, shown, anchor="end", fill="ink2")
        svg.text(w - 2, y + 16, "1", anchor="end", weight=600)
        y += 22
    if fits:
        y = _fits(svg, y)
    return y


def _fits(svg: Svg, y: float) -> float:
    svg.path(f"M1.5 {y + 6:g}v11", stroke="brand", stroke_width=3)
    svg.text(9, y + 16, "rows that fit what the adversary knows", fill="ink2")
    return y + 20


def _most_likely(
    svg: Svg, distribution: JointDistribution, w: float, y: float, decimals: int, known: Mapping[int, int]
) -> tuple[float, bool]:
    """Draw the most likely rows of a table too large to be shown whole; tell if headings are short names."""
    names, _ = short_names(distribution.names)
    entries = distribution.table.ravel()
    order = _most_probable(entries)
    room = w - width("0." + "0" * decimals) - 14
    n = distribution.n_tuples
    placed = [np.unravel_index(int(flat), distribution.shape) for flat in order]
    labels = [_texts(distribution, j) for j in range(n)]
    needs = _needs(distribution, names)
    columns = _columns(needs, room, _APART)
    lefts = [6 + sum(columns[:j]) for j in range(n)]
    apart = room / n >= 15
    # Whole names or short ones, but no mixture.
    wide = [width(clean(name)) for name in distribution.names]
    whole = all(name <= column - 3 for name, column in zip(wide, columns, strict=True))
    svg.text(0, y + 12, f"the {len(order)} most likely of {count(entries.size, 'row')}", fill="ink2")
    y += 22
    if apart:
        for j in range(n):
            name = distribution.names[j] if whole else names[j]
            svg.text(lefts[j], y + 12, fit(name, columns[j] - 3), fill="ink2")
    svg.line(0, y + 18, w, y + 18, stroke="line2")
    y += 18
    bars, fits = [], []
    for flat, place in zip(order, placed, strict=True):
        told = [labels[j][int(p)] for j, p in enumerate(place)]
        if apart:
            for j, text in enumerate(told):
                svg.text(lefts[j], y + 15, fit(text, columns[j] - 3))
        else:
            svg.text(6, y + 15, fit(" ".join(told), room))
        p = float(entries[flat])
        svg.text(w - 2, y + 15, probability(p, decimals), anchor="end")
        bars.append((y + 20, (w - 2) * p / float(entries[order[0]])))
        if known and all(int(place[k]) == v for k, v in known.items()):
            fits.append(y)
        y += 22
    starts, lengths = [(2.0, by) for by, _ in bars], [long for _, long in bars]
    svg.path(strokes(starts, "h", lengths), stroke="share", stroke_width=2)
    svg.path("".join(f"M1.5 {fy + 1:g}v19" for fy in fits), stroke="brand", stroke_width=3)
    rest = entries.size - len(order)
    if rest > 0:
        left = max(0.0, 1 - float(entries[order].sum()))
        svg.text(6, y + 16, f"{count(rest, 'other row')} together", fill="ink2")
        svg.text(w - 2, y + 16, probability(left, decimals), anchor="end", fill="ink2")
        y += 22
    return (_fits(svg, y) if fits else y), apart and not whole


def _most_probable(entries: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return where the most likely rows stand in the flat table, among equals the first ones first."""
    most = min(_MOST_ROWS, entries.size)
    least = np.partition(entries, entries.size - most)[entries.size - most]
    # Those that are as likely as the last one listed are few, or all zero.
    found = np.flatnonzero(entries > least)
    equal = np.flatnonzero(entries == least)[: most - found.size]
    found = np.concatenate([found, equal])
    return np.asarray(found[np.argsort(-entries[found], kind="stable")])


def table_tables(distribution: JointDistribution) -> str:
    """Return the probabilities as HTML: all cells up to 64, else the most likely rows.

    Parameters
    ----------
    distribution
        The table.
    """
    entries = distribution.table.ravel()
    decimals = probability_decimals(entries)
    whole = entries.size <= _FULL_TABLE
    order = range(entries.size) if whole else _most_probable(entries).tolist()
    head = [fit(name, 160) for name in distribution.names] + ["probability"]
    rows = []
    for flat in order:
        place = np.unravel_index(flat, distribution.shape)
        labels = [fit(distribution.domains[j][int(p)], 160) for j, p in enumerate(place)]
        rows.append([*labels, probability(float(entries[flat]), decimals)])
    caption = (
        "Joint distribution" if whole else f"The {len(rows)} most likely of {count(entries.size, 'row')}"
    )
    return table(caption, head, rows)
