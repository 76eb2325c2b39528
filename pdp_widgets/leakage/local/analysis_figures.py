"""What an analysis of local reports shows: all pairs as cells, and one pair in full."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pdp_widgets.core.chart import Axis, Cells, Chart, Drawn, Level, Series, number
from pdp_widgets.core.results import Figures
from pdp_widgets.errors import BudgetError
from pdp_widgets.leakage.local.first_of_equals import first_place
from pdp_widgets.leakage.local.leakage_curve import budget_chart, budget_end
from pdp_widgets.leakage.local.pair_leakage import PairLeakage
from pdp_widgets.leakage.number_table import epsilon_words
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.labels import written

if TYPE_CHECKING:
    from pdp_widgets.leakage.local.local_analysis import LocalAnalysis

__all__ = ["analysis_figures", "conditions"]

#: More different mechanisms than this are counted, not listed.
_MECHANISMS = 3
#: More symbols than this are shown by those that differ most.
_SYMBOLS = 9
#: Budgets of a curve.
_POINTS = 81


def conditions(analysis: LocalAnalysis) -> list[str]:
    """Say what the numbers of an analysis hold for: mechanism and budget, what is seen, what is left out."""
    released: dict[str, list[str]] = {}
    for name, one in zip(analysis.names, analysis.mechanisms, strict=True):
        released.setdefault(f"{one.label}, {epsilon_words(one.epsilon)}", []).append(name)
    if len(released) == 1:
        found = list(released)
    elif len(released) <= _MECHANISMS:
        found = [f"{words} ({', '.join(names)})" for words, names in released.items()]
    else:
        found = [f"{len(released)} mechanisms or budgets"]
    raw = analysis.output == "raw"
    found.append("raw reports, exact" if raw else "guesses from reports, a lower bound for raw reports")
    if analysis.min_count:
        found.append(f"secret values with fewer than {number(analysis.min_count)} records left out")
    return found


def analysis_figures(analysis: LocalAnalysis, pair: tuple[int, int] | None = None) -> Figures:
    """Return what is shown of an analysis, by name."""
    found: dict[str, Callable[[], Drawn]] = {"matrix": partial(_matrix, analysis)}
    if pair is None and len(analysis.names) > 1:
        pair = first_place(analysis.matrix)
    if pair is not None:
        leaks = analysis.pair(*pair)
        # Where nothing leaks, no two values are told apart.
        if leaks.pair is not None and leaks.rows is not None:
            found["rows"] = partial(_rows, analysis, pair, leaks)
        if all(_has_budget(analysis.mechanisms[k]) for k in pair):
            found["curves"] = partial(_curves, analysis, pair)
    return found


def _about(analysis: LocalAnalysis) -> str:
    return f"Leakage in nats: {'; '.join(conditions(analysis))}."


def _matrix(analysis: LocalAnalysis) -> Cells:
    """Return all leakages; what a report says about its own attribute is no leakage between attributes."""
    values = analysis.matrix.copy()
    np.fill_diagonal(values, np.nan)
    sizes = analysis.tables.sizes.tolist()
    promised = max((m.promise(k) for m, k in zip(analysis.mechanisms, sizes, strict=True)), default=0.0)
    raw, fixed = analysis.output == "raw", 0 < promised < math.inf
    return Cells(
        "What one report leaks about another attribute"
        if raw
        else "What a guess from one report says about another attribute",
        analysis.names,
        analysis.names,
        values,
        down="report of" if raw else "guess of",
        across="about the secret",
        key="leakage, nats, up to the promise" if fixed else "leakage, nats",
        # Colours stay as they are as long as the promise does.
        top=promised if fixed else None,
        note=_about(analysis),
    )


def _rows(analysis: LocalAnalysis, pair: tuple[int, int], leaks: PairLeakage) -> Chart:
    """Return how likely every symbol of the source is under the two values told apart, a row for each."""
    assert leaks.pair is not None
    assert leaks.rows is not None
    source, secret = (analysis.names[k] for k in pair)
    symbols = analysis.tables.domains[pair[0]]
    first, second = (np.array(row) for row in leaks.rows)
    worst = np.array([symbol in leaks.symbols for symbol in symbols])
    order = np.sort(np.argsort(-(np.abs(first - second) + worst), kind="stable")[:_SYMBOLS])
    at = np.arange(len(order), dtype=np.float64)
    more, less = (f"if {secret} is {value}" for value in leaks.pair)
    gap = np.full(len(order), np.nan)
    beside = ["favoured by the worst report" if worst[k] else "" for k in order]
    left_out = len(symbols) - len(order)
    few = f" {len(order)} of {len(symbols)} symbols, those that differ most." if left_out else ""
    return Chart(
        f"{source}, by {secret}",
        [
            Series("", np.c_[first[order], second[order], gap], np.c_[at, at, gap], colour="ink2"),
            Series(less, second[order], at, "dots", shape="ring", colour="a"),
            Series(more, first[order], at, "dots", shape="disc", colour="b", labels=beside),
        ],
        Axis(f"chance of each symbol of {source}", low=0.0),
        Axis("", names=tuple(written(symbols[k]) for k in order)),
        note=f"{_worst(leaks, more, less)} {_about(analysis)}{few}",
    )


def _worst(leaks: PairLeakage, more: str, less: str) -> str:
    """Say how far the worst report tells two values of the secret apart."""
    seen = "report" if leaks.output == "raw" else "guess"
    if math.isinf(leaks.value):
        return f"The worst {seen} is only possible {more}, not {less}."
    ratio = math.exp(leaks.value) if leaks.value < 700 else math.inf
    power = number(leaks.value, 3 if ratio < 1e6 else 4)
    times = f"{number(ratio, 4)} = e^{power}" if ratio < 1e6 else f"e^{power}"
    return f"The worst {seen} is {times} times as likely {more} as {less}."


def _curves(analysis: LocalAnalysis, pair: tuple[int, int]) -> Chart:
    """Return both leakages of a pair at every budget, with what each is at most."""
    source, secret = (analysis.names[k] for k in pair)
    epsilon = analysis.mechanisms[pair[0]].epsilon
    end = budget_end(epsilon)
    with np.errstate(over="ignore"):
        levels = np.linspace(0.0, end, _POINTS)
    both = {f"{source} about {secret}": pair, f"{secret} about {source}": pair[::-1]}
    drawn = {name: analysis.curve(*places, levels) for name, places in both.items()}
    here = [Level(epsilon_words(epsilon), epsilon, "x", colour="ink")] if math.isfinite(epsilon) else []
    rows = {name: (found.values, found.saturation) for name, found in drawn.items()}
    return budget_chart("Leakage by budget", levels, rows, here, _about(analysis))


def _has_budget(mechanism: LocalMechanism) -> bool:
    try:
        mechanism.with_epsilon(1.0)
    except BudgetError:
        return False
    return True
