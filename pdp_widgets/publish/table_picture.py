"""The panel "Joint distribution": the table or its most likely rows, marginals and correlations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.prior.edge_weights import in_units
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.publish.formatting import count, probability, probability_decimals, signed
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import clean, fit, short_names, width
from pdp_widgets.publish.snapshot import table
from pdp_widgets.publish.svg import Svg, strokes

__all__ = ["correlations", "table_panel", "table_tables"]

_ROW = 24.0
_MOST_ROWS = 10
_FULL_TABLE = 64


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
    heads = []
    for j in rows:
        name = distribution.names[j] if len(rows) < 3 else names[j]
        longest = max(width(t) for t in [*_texts(distribution, j), clean(name)])
        heads.append(min(max(16.0, longest + 10), 64.0))
    cell = (w - sum(heads) - total) / across
    if cell < need:
        heads = [min(h, 30.0) for h in heads]
        cell = (w - sum(heads) - total) / across
    if cell < need:
        return None
    cell = min(cell, 76.0)
    spare = w - sum(heads) - total - cell * across
    if spare > 0:
        heads = [h + spare / len(heads) for h in heads]
    return _Layout(rows, columns, tuple(heads), cell, total)


def table_panel(
    svg: Svg,
    distribution: JointDistribution,
    w: float,
    known: Mapping[int, int] | None = None,
    contributions: Sequence[NDArray[np.float64]] | None = None,
) -> float:
    """Draw the table, marginals and correlations; return the height taken.

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
    contributions
        What every label adds to the query; correlations are those of the contributions.
    """
    top = panel(svg, w, "Joint distribution", right="probabilities")
    decimals = probability_decimals(distribution.table.ravel())
    layout = _layout(distribution, w, decimals)
    if layout is None:
        y = _most_likely(svg, distribution, w, top, decimals, known or {})
    else:
        y = _grid(svg, distribution, w, top, decimals, layout, known or {})
    return _margins(svg, distribution, w, y + 22, contributions)


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
        svg.text(
            middle, y + 12, fit(", ".join(names[j] for j in columns), w - left), anchor="middle", fill="ink2"
        )
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
) -> float:
    """Draw the most likely rows of a table too large to be shown whole."""
    names, _ = short_names(distribution.names)
    entries = distribution.table.ravel()
    order = _most_probable(entries)
    room = w - width("0." + "0" * decimals) - 14
    n = distribution.n_tuples
    pitch = min(62.0, room / n)
    svg.text(0, y + 12, f"the {len(order)} most likely of {count(entries.size, 'row')}", fill="ink2")
    y += 22
    if pitch >= 15:
        for j in range(n):
            whole = width(clean(distribution.names[j])) <= pitch - 3
            name = distribution.names[j] if whole else names[j]
            svg.text(6 + j * pitch, y + 12, fit(name, pitch - 3), fill="ink2")
    svg.line(0, y + 18, w, y + 18, stroke="line2")
    y += 18
    bars, fits = [], []
    for flat in order:
        place = np.unravel_index(int(flat), distribution.shape)
        labels = [clean(distribution.domains[j][int(p)]) for j, p in enumerate(place)]
        if pitch >= 15:
            for j, text in enumerate(labels):
                svg.text(6 + j * pitch, y + 15, fit(text, pitch - 3))
        else:
            svg.text(6, y + 15, fit(" ".join(labels), room))
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
    return _fits(svg, y) if fits else y


def correlations(
    distribution: JointDistribution, contributions: Sequence[NDArray[np.float64]]
) -> list[tuple[int, int, float]]:
    """Return the correlation of the contributions for every pair of tuples that has one.

    Parameters
    ----------
    distribution
        The table.
    contributions
        What every label adds to the query, one array for each tuple.

    Examples
    --------
    >>> import numpy as np
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    >>> [(i, j, round(rho, 3)) for i, j, rho in correlations(joint, [np.array([0.0, 1.0])] * 2)]
    [(0, 1, 0.2)]
    """
    found = []
    for i, j, pair in _pairs(distribution.table):
        x, y = in_units(contributions[i]), in_units(contributions[j])
        px, py = pair.sum(axis=1), pair.sum(axis=0)
        dx, dy = x - px @ x, y - py @ y
        spread = float(np.sqrt((px @ dx**2) * (py @ dy**2)))
        if spread > 1e-15:
            found.append((i, j, float(dx @ pair @ dy) / spread))
    return found


def _pairs(entries: NDArray[np.float64]) -> Iterator[tuple[int, int, NDArray[np.float64]]]:
    """Yield every pair of axes with its marginal; what is summed out once is not summed again."""
    n, tail = entries.ndim, entries
    for i in range(n):
        # Axes of `rest`: i, j and those after.
        rest = tail
        for j in range(i + 1, n):
            yield i, j, rest.reshape(rest.shape[0], rest.shape[1], -1).sum(axis=2)
            rest = rest.sum(axis=1)
        tail = tail.sum(axis=0)


def _most_probable(entries: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return where the most likely rows stand in the flat table, among equals the first ones first."""
    most = min(_MOST_ROWS, entries.size)
    least = np.partition(entries, entries.size - most)[entries.size - most]
    # Those that are as likely as the last one listed are few, or all zero.
    found = np.flatnonzero(entries > least)
    equal = np.flatnonzero(entries == least)[: most - found.size]
    found = np.concatenate([found, equal])
    return np.asarray(found[np.argsort(-entries[found], kind="stable")])


def _marginal(distribution: JointDistribution, j: int) -> tuple[str, float]:
    """Return the label told of one tuple and its probability: the last of two, else the most likely."""
    n = distribution.n_tuples
    marginal = distribution.table.sum(axis=tuple(k for k in range(n) if k != j))
    at = 1 if len(marginal) == 2 else int(np.argmax(marginal))
    return clean(distribution.domains[j][at]), float(marginal[at])


def _margins(
    svg: Svg,
    distribution: JointDistribution,
    w: float,
    y: float,
    contributions: Sequence[NDArray[np.float64]] | None,
) -> float:
    n = distribution.n_tuples
    told = [_marginal(distribution, j) for j in range(min(n, _MOST_ROWS))]
    same = len({label for label, _ in told}) == 1
    half = (w - 20) / 2
    short, _ = short_names(distribution.names)
    detailed = n > 1 and svg.sheet.detail > 0
    pairs = correlations(distribution, contributions) if detailed and contributions is not None else []
    wide = half if pairs else w
    svg.text(0, y, fit(f"P({told[0][0]})" if same else "marginals", wide), fill="ink2")
    foot = y
    names = [
        clean(name) if same else f"{clean(name)} {label}"
        for name, (label, _) in zip(distribution.names, told, strict=False)
    ]
    bars = all(width(name) <= wide - 86 for name in names)
    for j, (text, (_, p)) in enumerate(zip(names, told, strict=True)):
        foot = y + 18 * (j + 1)
        svg.text(0, foot, fit(text, wide - (86 if bars else 44)))
        if bars:
            bar = round(wide - 78)
            svg.line(bar, foot - 4, bar + 36, foot - 4, stroke="line", stroke_width=4)
            svg.line(bar, foot - 4, round(bar + 36 * p), foot - 4, stroke="ink2", stroke_width=4)
        svg.text(wide, foot, probability(p, 3), anchor="end")
    if n > len(told):
        foot += 18
        svg.text(0, foot, f"and {count(n - len(told), 'tuple')} more", fill="ink2")
    if not pairs:
        return foot + 6
    shown = sorted(pairs, key=lambda item: -abs(item[2]))[: max(3, min(5, n))] if len(pairs) > 3 else pairs
    end = next(limit for limit in (0.1, 0.25, 0.5, 1.0, 1.01) if all(abs(r) <= limit for *_, r in shown))
    end = min(end, 1.0)
    left = half + 20
    bars = all(width(f"{short[i]}, {short[j]}") <= 42 for i, j, _ in shown)
    svg.text(left, y, f"correlation, axis ±{end:g}" if bars else "correlation", fill="ink2")
    for k, (i, j, rho) in enumerate(shown):
        line = y + 18 * (k + 1)
        svg.text(left, line, fit(f"{short[i]}, {short[j]}", 42 if bars else 76))
        svg.text(w, line, signed(rho), anchor="end")
        foot = max(foot, line)
        if not bars:
            continue
        middle = left + 60
        svg.line(middle - 16, line - 4, middle + 16, line - 4, stroke="line2")
        svg.line(middle, line - 4, middle + 16 * rho / end, line - 4, stroke="b", stroke_width=5)
    if len(pairs) > len(shown):
        line = y + 18 * (len(shown) + 1)
        svg.text(left, line, f"{len(shown)} largest of {count(len(pairs), 'pair')}", fill="ink2")
        foot = max(foot, line)
    return foot + 6


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
