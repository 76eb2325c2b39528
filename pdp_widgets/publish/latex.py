"""Results as LaTeX tables for papers; they need the package booktabs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.adversary import known_of, layers
from pdp_widgets.leakage.local.analysis_figures import conditions
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.number_table import Numbers, NumberTable, Written
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.leakage.prior.noise_comparison import NoiseComparison
from pdp_widgets.leakage.sequence.about import delta_words
from pdp_widgets.leakage.sequence.lane_steps import LaneTotals
from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis
from pdp_widgets.leakage.sequence.stream_menu import lane_names
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.leakage.target_leakage import rounded_up
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses
from pdp_widgets.publish.formatting import bound, count, fixed, leakage, parameter, probability
from pdp_widgets.publish.latex_models import covariance_latex, distribution_latex
from pdp_widgets.publish.latex_text import Span, as_count, chosen_columns, escape, maths, tabular

__all__ = ["table"]

Floats = NDArray[np.float64]

#: More rows than this are not all listed unless asked for; more attributes are listed pair by pair.
_ROWS, _ATTRIBUTES = 20, 12
#: What stands where there is no number.
_NOTHING = "--"
_NUMBERS: dict[Written, Callable[[float], str]] = {
    "count": lambda value: f"{value:,.0f}",
    "parameter": parameter,
    "nats": leakage,
    "bound": bound,
    # The other way round, of a number that is positive.
    "budget": lambda value: bound(-value).removeprefix("−") if value else leakage(value),
    "probability": probability,
    "number": leakage,
    "upper": bound,
}
#: Columns of adversaries: heading and alignment.
_ADVERSARIES = {
    "target": ("attacked", "l"),
    "known": ("known", "l"),
    "layer": ("unknown", "r"),
    "exact": ("exact (nats)", "r"),
    "paper": ("chain rule, as printed (nats)", "r"),
    "group_bound": ("group bound (nats)", "r"),
    "determined": ("determined", "l"),
}
_PAIRS = ("source", "secret", "leakage", "mirror", "worst pair", "worst report")


@singledispatch
def table(result: Any, columns: Iterable[str | int] | None = None, **options: Any) -> str:
    r"""Return a result as a table; the ``to_latex()`` of every result ends here."""
    raise TypeError(f"There is no table of a {type(result).__name__}.")


table.register(distribution_latex)
table.register(covariance_latex)


@table.register
def _numbers(result: NumberTable, columns: Any = None, **options: Any) -> str:
    return _written_out(result._numbers(), columns, **options)


def _written_out(
    numbers: Numbers, columns: Sequence[str] | None, *, most: int | None = None, **floated: Any
) -> str:
    """Return columns as a table: what is exact, a bound or an estimate stands in the headings."""
    chosen = chosen_columns(list(numbers.columns), list(numbers.written) if columns is None else columns)
    lengths = [len(values) for values in numbers.columns.values() if _is_column(values)]
    there = max(lengths, default=1)
    rows = min(there, _ROWS if most is None else as_count(most))
    # Columns that are in data frames alone say nothing of how they are written.
    kinds = {name: numbers.written.get(name, "text") for name in chosen}
    cells = [
        [
            _cell(values[k] if _is_column(values) else values, kinds[name])
            for name, values in ((name, numbers.columns[name]) for name in chosen)
        ]
        for k in (range(there) if numbers.order is None else numbers.order)[:rows]
    ]
    status = numbers.about.get("status", {})
    said = {name: word for name, word in status.items() if name in kinds} if isinstance(status, dict) else {}
    notes = list(numbers.notes)
    if len(said) > 1 and len(set(said.values())) == 1:
        # One word for all of them leaves the headings short.
        notes.append(next(iter(said.values())))
        said = {}
    if rows < there:
        notes.append(f"first {rows:,} of {count(there, 'row')}")
    return tabular(
        "".join("l" if kind == "text" else "r" for kind in kinds.values()),
        [_heading(name, kind, said.get(name, "")) for name, kind in kinds.items()],
        [cells] if cells else [],
        below=notes,
        **floated,
    )


def _is_column(values: Any) -> bool:
    return isinstance(values, np.ndarray | list | tuple)


def _cell(value: Any, kind: Written) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return _NOTHING
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if value == "":
        return "none"
    if kind == "text":
        # A number here is one of few digits, or a label.
        return escape(f"{value:.6g}" if isinstance(value, float) else value)
    number = float(value)
    return maths(_NUMBERS[kind](number) if math.isfinite(number) else leakage(number))


def _heading(name: str, kind: Written, status: str) -> str:
    named, km, _ = name.partition("_km")
    in_nats = kind in ("nats", "bound", "budget") or name == "epsilon"
    unit = " (nats)" if in_nats else " (km)" if km else ""
    # Where the name says it, it is not said again.
    told = f", {status}" if status and status not in name else ""
    return escape(f"{named.replace('_', ' ')}{told}{unit}")


@table.register
def _classes(classes: EquivalenceClasses, columns: Any = None, **options: Any) -> str:
    """Return the released table, one published record a row."""
    data = classes.data
    name = "class"
    while name in data.names:
        name += "_"
    numbers = classes.number[classes.rows].tolist()
    letters, ranges = classes.letters, classes.ranges
    found: dict[str, list[str | None]] = {name: [letters[place] for place in numbers]}
    for column in data.columns:
        if column.name in classes.quasi:
            j = classes.quasi.index(column.name)
            found[column.name] = [ranges[place][j] for place in numbers]
        else:
            values = column.values[classes.rows].tolist()
            found[column.name] = [None if value != value else column.written(value) for value in values]
    gone = len(classes.suppressed)
    note = f"k = {classes.k:,}, {gone:,} record{'s' * (gone != 1)} suppressed"
    return _written_out(Numbers(found, dict.fromkeys(found, "text"), notes=(note,)), columns, **options)


@table.register
def _adversaries(
    graph: WeightedHierarchicalGraph,
    columns: Sequence[str] | None = None,
    *,
    sort: str | None = "exact",
    most: int | None = 20,
    group_bounds: Floats | None = None,
    note: str = "",
    **floated: Any,
) -> str:
    """Return adversaries as a table, one a row, those who learn most first."""
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
    there = [column for column in _ADVERSARIES if column in arrays]
    # In nats all that there is, and whom it is about.
    usual = [column for column in there if column not in ("layer", "determined")]
    chosen = chosen_columns(there, usual if columns is None else columns)
    if sort is None:
        order = np.arange(graph.exact.size)
    else:
        key = arrays[chosen_columns(there, [sort], "sort")[0]]
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
        "".join(_ADVERSARIES[column][1] for column in chosen),
        [_ADVERSARIES[column][0] for column in chosen],
        [rows],
        **floated,
        notes=[f"{said}{by}; promise {leakage(promise)} nats", *([note] if note else [])],
    )


@table.register
def _noise(comparison: NoiseComparison, *, unit: str = "", **floated: Any) -> str:
    """Return a comparison of noise as a table, one rule a row."""
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
        **floated,
        notes=[
            f"at most {leakage(target)} nats: {comparison.adversaries}{comparison.given_words} "
            f"(convention {comparison.convention})",
            *comparison.left_out,
        ],
    )


@table.register
def _local(analysis: LocalAnalysis, columns: Any = None, *, most: int | None = None, **floated: Any) -> str:
    """Return all leakages as a table of sources by secrets, or the largest ones as a list."""
    n = len(analysis.names)
    if columns is not None or most is not None or n > _ATTRIBUTES:
        return _largest(analysis, columns, _ROWS if most is None else as_count(most), **floated)
    names = [escape(name) for name in analysis.names]
    rows = [
        [name, *(_NOTHING if j == k else maths(leakage(float(value))) for k, value in enumerate(row))]
        for j, (name, row) in enumerate(zip(names, analysis.matrix, strict=True))
    ]
    return tabular(
        "l" + "r" * n,
        ["report of" if analysis.output == "raw" else "guess of", *names],
        [rows],
        spans=[Span("about the secret, nats", 2, n + 1)],
        below=conditions(analysis),
        **floated,
    )


def _largest(analysis: LocalAnalysis, columns: Any, most: int, **floated: Any) -> str:
    chosen = chosen_columns(_PAIRS, columns)
    n = len(analysis.names)
    pairs = sorted(
        ((j, k) for j in range(n) for k in range(n) if j != k), key=lambda p: -float(analysis.matrix[p])
    )[:most]
    rows = []
    for j, k in pairs:
        found = analysis.pair(j, k)
        told = "" if found.pair is None else f"{escape(found.pair[0])} from {escape(found.pair[1])}"
        cells = {
            "source": escape(analysis.names[j]),
            "secret": escape(analysis.names[k]),
            "leakage": maths(leakage(float(analysis.matrix[j, k]))),
            "mirror": maths(leakage(float(analysis.matrix[k, j]))),
            "worst pair": told,
            "worst report": ", ".join(escape(symbol) for symbol in found.symbols),
        }
        rows.append([cells[name] for name in chosen])
    heads = {"leakage": "leaks (nats)", "mirror": "mirror (nats)"}
    kinds = "".join("r" if name in heads else "l" for name in chosen)
    named = [heads.get(name, name) for name in chosen]
    return tabular(kinds, named, [rows], below=conditions(analysis), **floated)


@table.register
def _sequence(
    analysis: SequenceAnalysis, columns: Any = None, *, most: int | None = None, **floated: Any
) -> str:
    """Return what each step and all steps so far leak as a table."""
    steps, result = analysis.steps, analysis.result
    written: dict[str, tuple[str, Callable[[int], str]]] = {
        "step": ("step", lambda k: f"{k + 1}"),
        "promised": ("budget (nats)", lambda k: leakage(float(steps.promised[k]))),
        "leakage": ("leaks at most (nats)", lambda k: leakage(float(steps.worst[k]))),
        "expected": ("on average (nats)", lambda k: leakage(float(steps.expected[k]))),
        "broken": ("chance above budget", lambda k: probability(float(steps.broken[k]))),
        "so far": ("all so far (nats)", lambda k: leakage(float(result.so_far[k]))),
        "composed": ("sum so far (nats)", lambda k: leakage(float(result.composed_so_far[k]))),
        "error": ("error", lambda k: fixed(float(steps.error[k]), 3)),
    }
    chosen = chosen_columns(list(written), columns)
    rows = min(analysis.n_steps, _ROWS if most is None else as_count(most))
    cells = [[maths(written[name][1](k)) for name in chosen] for k in range(rows)]
    heads = [written[name][0] for name in chosen]
    lines = [analysis.mechanism_label]
    if rows < analysis.n_steps:
        lines.append(f"first {rows} of {analysis.n_steps:,} steps")
    lines.append(f"{analysis.sequence.about}: {leakage(float(analysis.sequence))} nats, exact")
    return tabular("r" * len(chosen), heads, [cells] if cells else [], below=lines, **floated)


@table.register
def _run(run: StreamRun, columns: Any = None, *, delta: float = 1e-5, **floated: Any) -> str:
    """Return what each mechanism of a run leaked as a table, with what composition allows below."""
    written: dict[str, tuple[str, Callable[[LaneTotals], str]]] = {
        "largest": ("largest step (nats)", lambda lane: leakage(lane.largest)),
        "over": ("steps over", lambda lane: f"{lane.over:,}"),
        "first": ("first", lambda lane: "never" if lane.first_over is None else f"{lane.first_over:,}"),
        "sum": ("sum (nats)", lambda lane: leakage(lane.leakage)),
        "error": ("error", lambda lane: fixed(lane.error / max(1, lane.steps), 3)),
        "expected": ("expected", lambda lane: fixed(lane.expected / max(1, lane.steps), 3)),
    }
    chosen = chosen_columns(["mechanism", *written], columns)
    cells = [
        [
            escape(lane_names(key)[1]) if name == "mechanism" else maths(written[name][1](run.totals(key)))
            for name in chosen
        ]
        for key in run.mechanisms
    ]
    heads = [name if name == "mechanism" else written[name][0] for name in chosen]
    last = run.record(max(0, run.steps - 1), delta=delta)
    linear, advanced = (float(values[-1]) if run.steps else 0.0 for values in (last.linear, last.advanced))
    kinds = "".join("l" if name == "mechanism" else "r" for name in chosen)
    promised = f"{count(run.steps, 'step')} promise {bound(linear)} nats in all; {bound(advanced)} "
    promised += f"but for δ = {delta_words(delta)}"
    return tabular(kinds, heads, [cells], below=[promised], **floated)
