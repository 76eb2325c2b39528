"""Distributions, noise and covariances as LaTeX tables for papers; they need the package booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.prior.noise_comparison import NoiseComparison
from pdp_widgets.leakage.target_leakage import rounded_up
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.publish.figure_noise import given_words
from pdp_widgets.publish.formatting import (
    count,
    leakage,
    probability,
    probability_decimals,
)
from pdp_widgets.publish.latex_text import Span, as_count, escape, maths, tabular
from pdp_widgets.publish.matrix_picture import decimals_for, entry, signed_domain

__all__ = ["covariance_latex", "distribution_latex", "noise_latex"]

#: A distribution with more cells is shown by its most likely rows.
_PIVOTED = 256
_ACROSS = 8
_LISTED = 20

Floats = NDArray[np.float64]


def distribution_latex(
    distribution: JointDistribution,
    columns: Iterable[str | int] | None = None,
    *,
    most: int | None = None,
    caption: str | None = None,
    label: str | None = None,
) -> str:
    r"""Return a joint distribution as a pivoted table with its sums, or its most likely rows.

    Parameters
    ----------
    distribution
        The table.
    columns
        The tuples whose labels stand across; without it as many of the last as make at most 8 columns.
    most
        List so many most likely rows in place of the pivoted table; beyond 256 cells 20 are listed.
    caption, label
        Make it a floating table. The caption is LaTeX and goes in as it is.

    Raises
    ------
    DomainError
        A tuple does not exist, or all tuples are to stand across; ``most`` is no number of rows.

    Examples
    --------
    >>> print(distribution_latex(JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["Ann", "Bob"])))
    % \usepackage{booktabs}
    \begin{tabular}{lrrr}
    \toprule
     & \multicolumn{2}{c}{Bob} & \\
    \cmidrule(lr){2-3}
    Ann & 0 & 1 & sum \\
    \midrule
    0 & 0.300 & 0.200 & 0.500 \\
    1 & 0.200 & 0.300 & 0.500 \\
    \midrule
    sum & 0.500 & 0.500 & 1 \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    """
    if most is not None or (columns is None and distribution.table.size > _PIVOTED):
        return _most_likely(distribution, _LISTED if most is None else as_count(most), caption, label)
    across = _across(distribution, columns)
    down = [j for j in range(distribution.n_tuples) if j not in across]
    shape, names = distribution.shape, distribution.names
    table = distribution.table.transpose([*down, *across])
    decimals = probability_decimals(table.ravel())

    def cell(p: float) -> str:
        return maths(probability(p, decimals))

    def labels(axes: Sequence[int], place: Sequence[int]) -> list[str]:
        return [escape(distribution.domains[j][k]) for j, k in zip(axes, place, strict=True)]

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
        return tabular("l" * len(head) + "r", [*head, "probability"], [rows], caption=caption, label=label)
    sums = [cell(float(p)) for p in table.sum(axis=tuple(range(len(down)))).ravel()]
    return tabular(
        "l" * len(head) + "r" * (len(places) + 1),
        [*head, *(" ".join(labels(across, place)) for place in places), "sum"],
        [rows, [["sum", *[""] * (len(head) - 1), *sums, "1"]]],
        spans=[Span(", ".join(escape(names[j]) for j in across), len(head) + 1, wide)],
        caption=caption,
        label=label,
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


def _most_likely(distribution: JointDistribution, most: int, caption: Any, label: Any) -> str:
    entries = distribution.table.ravel()
    decimals = probability_decimals(entries)
    order = np.argsort(-entries, kind="stable")[:most].tolist()
    rows = []
    for flat in order:
        place = np.unravel_index(flat, distribution.shape)
        named = [escape(distribution.domains[j][int(p)]) for j, p in enumerate(place)]
        rows.append([*named, maths(probability(float(entries[flat]), decimals))])
    groups = [rows]
    n, rest = distribution.n_tuples, entries.size - len(order)
    if rest:
        left = max(0.0, 1 - float(entries[order].sum()))
        words = rf"\multicolumn{{{n}}}{{l}}{{{count(rest, 'other row')} together}}"
        groups.append([[words, maths(probability(left, decimals))]])
    head = [*(escape(name) for name in distribution.names), "probability"]
    return tabular("l" * n + "r", head, groups, caption=caption, label=label)


def noise_latex(
    comparison: NoiseComparison, *, unit: str = "", caption: str | None = None, label: str | None = None
) -> str:
    r"""Return a comparison of noise as a table, one rule a row.

    Parameters
    ----------
    comparison
        Rules with their scales.
    unit
        Unit of the query, for the heading of the scales.
    caption, label
        Make it a floating table. The caption is LaTeX and goes in as it is.

    Examples
    --------
    >>> from pdp_widgets import LinearQuery, compare_noise
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    >>> print(noise_latex(compare_noise(joint, LinearQuery.sum(joint), 1.0)).splitlines()[6])
    plain DP & 1 & 1.185 & no & promise for one tuple, void for correlated ones \\
    """
    target = comparison.target_leakage
    rows = []
    for row in comparison.rows:
        leaks = row.leakage.value
        # What holds within rounding reads as the target.
        near = row.holds and abs(leaks - target) <= 1e-6 * max(1.0, target)
        rows.append(
            [
                escape(row.name),
                maths(rounded_up(row.scale, 4)),
                maths(leakage(target) if near else leakage(leaks, target)),
                "yes" if row.holds else "no",
                escape(row.guarantee),
            ]
        )
    units = f" ({escape(unit)})" if unit else ""
    return tabular(
        "lrrll",
        ["rule", rf"scale = mean $|$error$|${units}", "leaks (nats)", "holds", "guarantee"],
        [rows],
        caption=caption,
        label=label,
        notes=[
            f"at most {leakage(target)} nats: {comparison.adversaries}{given_words(comparison)} "
            f"(convention {comparison.convention})",
            *comparison.left_out,
        ],
    )


def covariance_latex(
    model: GaussianModel,
    *,
    correlation: bool = False,
    caption: str | None = None,
    label: str | None = None,
) -> str:
    r"""Return the covariances of Gaussian data as a table, with means and standard deviations below.

    Parameters
    ----------
    model
        Means and covariances.
    correlation
        Show correlations in place of covariances.
    caption, label
        Make it a floating table. The caption is LaTeX and goes in as it is.

    Examples
    --------
    >>> model = GaussianModel([5.0, 4.0], [[1.44, 0.6], [0.6, 1.0]], names=["flat A", "flat B"], unit="kWh")
    >>> print(covariance_latex(model))
    % \usepackage{booktabs}
    \begin{tabular}{lrr}
    \toprule
    covariance (kWh$^{2}$) & flat A & flat B \\
    \midrule
    flat A & 1.44 & 0.60 \\
    flat B & 0.60 & 1.00 \\
    \midrule
    mean (kWh) & 5.00 & 4.00 \\
    standard deviation (kWh) & 1.20 & 1.00 \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    """
    matrix = model.correlation if correlation else model.cov
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
    return tabular("l" + "r" * len(names), [corner, *names], [rows, below], caption=caption, label=label)
