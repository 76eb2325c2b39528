"""Adversaries as a LaTeX table for papers, one a row, those who learn most first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.adversary import known_of, layers
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.models.labels import shown
from pdp_widgets.publish.formatting import bound, count, leakage
from pdp_widgets.publish.latex_text import as_count, escape, maths, tabular

__all__ = ["adversaries_latex"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Column:
    """One column of the table of adversaries: heading, alignment, and what it says of a node."""

    head: str
    align: str


_COLUMNS = {
    "target": _Column("attacked", "l"),
    "known": _Column("known", "l"),
    "layer": _Column("unknown", "r"),
    "exact": _Column("exact (nats)", "r"),
    "paper": _Column("chain rule, as printed (nats)", "r"),
    "group_bound": _Column("group bound (nats)", "r"),
    "determined": _Column("determined", "l"),
}


def adversaries_latex(
    graph: WeightedHierarchicalGraph,
    columns: Sequence[str] | None = None,
    *,
    sort: str | None = "exact",
    most: int | None = 20,
    group_bounds: Floats | None = None,
    note: str = "",
    caption: str | None = None,
    label: str | None = None,
) -> str:
    r"""Return adversaries as a table, one a row, those who learn most first.

    Parameters
    ----------
    graph
        Leakage of every adversary.
    columns
        Some of ``"target"``, ``"known"``, ``"layer"``, ``"exact"``, ``"paper"``, ``"group_bound"`` and
        ``"determined"``, in this order; without it target, known, exact and, where there are, the others in
        nats.
    sort
        A column: amounts descending, names in the order of the tuples. None for the order of the graph.
    most
        Show at most so many adversaries; None for all. A comment above the table says what was left out.
    group_bounds
        Node array in nats, for that column.
    note
        What the numbers hold for, as a comment above the table.
    caption, label
        Make it a floating table. The caption is LaTeX and goes in as it is.

    Raises
    ------
    DomainError
        There is no such column, or there are no numbers for it; ``most`` is no number of rows.

    Examples
    --------
    >>> graph = WeightedHierarchicalGraph(["a", "b"], [[1.5, 1.0], [1.2, 1.0]], promise=1.0)
    >>> print(adversaries_latex(graph, most=2))
    % \usepackage{booktabs}
    % 2 of 4 adversaries, by exact; promise 1.000 nats
    \begin{tabular}{llr}
    \toprule
    attacked & known & exact (nats) \\
    \midrule
    a & none & 1.500 \\
    b & none & 1.200 \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    """
    n = graph.n_tuples
    arrays: dict[str, Any] = {
        "target": np.repeat(np.arange(n), graph.exact.shape[1]),
        "layer": np.tile(layers(n), n),
        "exact": graph.exact.ravel(),
        "determined": graph.determined.ravel(),
        "known": np.tile(layers(n), n),
    }
    if graph.paper is not None:
        arrays["paper"] = graph.paper.ravel()
    if group_bounds is not None:
        arrays["group_bound"] = group_bounds.ravel()
    chosen = _as_columns(columns, arrays)
    if sort is None:
        order = np.arange(graph.exact.size)
    else:
        _as_columns([sort], arrays, "sort")
        key = arrays[sort]
        order = np.argsort(key if sort in ("target", "known") else -key.astype(np.float64), kind="stable")
    shown_rows = order if most is None else order[: as_count(most)]
    names = [escape(name) for name in graph.names]
    width, promise = graph.exact.shape[1], graph.promise

    def cell(column: str, flat: int) -> str:
        target, at = divmod(flat, width)
        if column == "target":
            return str(names[target])
        if column == "known":
            return ", ".join(names[k] for k in known_of(n, target, at)) or "none"
        value = arrays[column][flat]
        if column == "determined":
            return "yes" if value else "no"
        if column == "layer":
            return str(int(value))
        nats = float(value)
        return maths(bound(nats) if column == "group_bound" else leakage(nats, promise))

    rows = [[cell(column, flat) for column in chosen] for flat in shown_rows.tolist()]
    said = f"{len(rows):,} of {count(graph.exact.size, 'adversary', 'adversaries')}"
    by = "" if sort is None else f", by {sort}"
    return tabular(
        "".join(_COLUMNS[column].align for column in chosen),
        [_COLUMNS[column].head for column in chosen],
        [rows],
        caption=caption,
        label=label,
        notes=[f"{said}{by}; promise {leakage(promise)} nats", *([note] if note else [])],
    )


def _as_columns(columns: Any, arrays: dict[str, Any], name: str = "columns") -> list[str]:
    if columns is None:
        return [c for c in ("target", "known", "exact", "paper", "group_bound") if c in arrays]
    listed = [columns] if isinstance(columns, str) else list(columns)
    for column in listed:
        if column not in arrays:
            told = "has no numbers here" if column in _COLUMNS else "does not exist"
            accepted = ", ".join(f'"{c}"' for c in _COLUMNS if c in arrays)
            raise DomainError(
                f"The column {shown(column)} {told}; there is {accepted}.", Where("parameter", name=name)
            )
    if not listed:
        raise DomainError("Name at least one column.", Where("parameter", name=name))
    return listed
