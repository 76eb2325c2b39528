"""Models as LaTeX tables for papers: joint distributions and covariances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from pdp_widgets.core.converters import as_flag
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import written
from pdp_widgets.publish.formatting import (
    count,
    decimals_for,
    entry,
    probability,
    probability_decimals,
    signed_domain,
)
from pdp_widgets.publish.latex_text import Span, as_count, escape, maths, tabular

__all__ = ["covariance_latex", "distribution_latex"]

#: A distribution with more cells is shown by its most likely rows.
_PIVOTED = 256
_ACROSS = 8
_LISTED = 20


def distribution_latex(
    distribution: JointDistribution,
    columns: Iterable[str | int] | None = None,
    *,
    most: int | None = None,
    **floated: Any,
) -> str:
    """Return a joint distribution as a pivoted table with its sums, or its most likely rows."""
    if most is not None or (columns is None and distribution.table.size > _PIVOTED):
        return _most_likely(distribution, _LISTED if most is None else as_count(most), **floated)
    across = _across(distribution, columns)
    down = [j for j in range(distribution.n_tuples) if j not in across]
    shape, names = distribution.shape, distribution.names
    table = distribution.table.transpose([*down, *across])
    decimals = probability_decimals(table.ravel())

    def cell(p: float) -> str:
        return maths(probability(p, decimals))

    def labels(axes: Sequence[int], place: Sequence[int]) -> list[str]:
        return [escape(written(distribution.domains[j][k])) for j, k in zip(axes, place, strict=True)]

    places = list(product(*(range(shape[j]) for j in across)))
    rows: list[list[str]] = []
    before: tuple[int, ...] | None = None
    for line in product(*(range(shape[j]) for j in down)):
        named = labels(down, line)
        # A label is written once for all the rows that share it.
        told = [
            "" if before is not None and before[: a + 1] == line[: a + 1] else text
            for a, text in enumerate(named)
        ]
        values = [cell(float(table[line + place])) for place in places]
        rows.append([*told, *values, *([cell(float(table[line].sum()))] if across else [])])
        before = line
    head = [escape(names[j]) for j in down]
    wide = len(head) + len(places)
    if not across:
        return tabular("l" * len(head) + "r", [*head, "probability"], [rows], **floated)
    sums = [cell(float(p)) for p in table.sum(axis=tuple(range(len(down)))).ravel()]
    return tabular(
        "l" * len(head) + "r" * (len(places) + 1),
        [*head, *(" ".join(labels(across, place)) for place in places), "sum"],
        [rows, [["sum", *[""] * (len(head) - 1), *sums, "1"]]],
        spans=[Span(", ".join(escape(names[j]) for j in across), len(head) + 1, wide)],
        **floated,
    )


def _across(distribution: JointDistribution, columns: Iterable[str | int] | None) -> tuple[int, ...]:
    n, shape = distribution.n_tuples, distribution.shape
    if columns is not None:
        axes = tuple(distribution.axes([columns] if isinstance(columns, str | int) else columns))
        if len(axes) == n and n > 1:
            raise DomainError(
                "All tuples are to stand across; leave at least one for the rows.",
                Where("parameter", name="columns"),
            )
        return axes
    kept = max((k for k in range(n // 2 + 1) if prod(shape[n - k :]) <= _ACROSS), default=0)
    return tuple(range(n - kept, n))


def _most_likely(distribution: JointDistribution, most: int, **floated: Any) -> str:
    entries = distribution.table.ravel()
    decimals = probability_decimals(entries)
    order = np.argsort(-entries, kind="stable")[:most].tolist()
    rows = []
    for flat in order:
        place = np.unravel_index(flat, distribution.shape)
        named = [escape(written(distribution.domains[j][int(p)])) for j, p in enumerate(place)]
        rows.append([*named, maths(probability(float(entries[flat]), decimals))])
    groups = [rows]
    n, rest = distribution.n_tuples, entries.size - len(order)
    if rest:
        left = max(0.0, 1 - float(entries[order].sum()))
        words = rf"\multicolumn{{{n}}}{{l}}{{{count(rest, 'other row')} together}}"
        groups.append([[words, maths(probability(left, decimals))]])
    head = [*(escape(name) for name in distribution.names), "probability"]
    return tabular("l" * n + "r", head, groups, **floated)


def covariance_latex(
    model: GaussianModel,
    *,
    correlation: bool = False,
    **floated: Any,
) -> str:
    """Return the covariances of Gaussian data as a table, with means and standard deviations below."""
    matrix = model.correlation if as_flag(correlation, "correlation") else model.cov
    decimals = 2 if correlation else decimals_for(signed_domain(matrix))
    names, unit = [escape(name) for name in model.names], escape(model.unit)
    one = f" ({unit})" if unit else ""
    power = unit if model.unit.isalpha() else f"({unit})"
    squared = f" ({power}$^{{2}}$)" if unit else ""
    corner = "correlation" if correlation else f"covariance{squared}"
    rows = [
        [name, *(maths(entry(float(v), decimals)) for v in row)]
        for name, row in zip(names, matrix, strict=True)
    ]
    spreads, means = model.standard_deviations, model.mean
    digits = decimals_for(float(max(spreads.max(initial=0.0), np.abs(means).max(initial=0.0))))
    below = [
        [f"mean{one}", *(maths(entry(float(v), digits)) for v in means)],
        [f"standard deviation{one}", *(maths(entry(float(v), digits)) for v in spreads)],
    ]
    return tabular("l" + "r" * len(names), [corner, *names], [rows, below], **floated)
