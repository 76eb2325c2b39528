"""Results as LaTeX tables for papers; they need the package booktabs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis
from pdp_widgets.leakage.sequence.step_leakage import delta_words
from pdp_widgets.leakage.sequence.stream_menu import lane_names
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.leakage.target_leakage import rounded_up
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses
from pdp_widgets.models.labels import written
from pdp_widgets.publish.formatting import bound, count, leakage, parameter, probability
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
        notes.append(f"first {rows:,} of {count(there, numbers.noun)}")
    return tabular(
        "".join("l" if kind in ("text", "names") else "r" for kind in kinds.values()),
        [_heading(numbers.heads.get(name, name), kind, said.get(name, "")) for name, kind in kinds.items()],
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
    if kind == "names":
        return escape(value) or "none"
    if kind == "text" or isinstance(value, str):
        # A number here is one of few digits, or a label.
        return escape(f"{value:.6g}" if isinstance(value, float) else value) or written("")
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
    gone = classes.lost
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
    # No `Numbers`: a leakage is written so that it never reads like the target when it is above it.
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
    # No `Numbers`: its columns are the attributes, under a heading of their own.
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
    names, n = analysis.names, len(analysis.names)
    order = sorted(
        ((j, k) for j in range(n) for k in range(n) if j != k), key=lambda p: -float(analysis.matrix[p])
    )[:most]
    pairs = [analysis.pair(*places) for places in order]
    told = [one.pair and " from ".join(map(written, one.pair)) for one in pairs]
    seen = [", ".join(map(written, one.symbols)) or None for one in pairs]
    numbers = _numbered(
        {
            "source": ("source", "text", [names[j] for j, _ in order]),
            "secret": ("secret", "text", [names[k] for _, k in order]),
            "leakage": ("leaks", "nats", [analysis.matrix[j, k] for j, k in order]),
            "mirror": ("mirror", "nats", [analysis.matrix[k, j] for j, k in order]),
            "worst pair": ("worst pair", "text", told),
            "worst report": ("worst report", "text", seen),
        },
        conditions(analysis),
    )
    return _written_out(numbers, columns, most=most, **floated)


def _numbered(
    found: Mapping[str, tuple[str, Written, Any]], notes: Iterable[str], noun: str = "row"
) -> Numbers:
    """Return columns by name, each with its heading, its kind and its values."""
    return Numbers(
        {name: values for name, (_, _, values) in found.items()},
        {name: kind for name, (_, kind, _) in found.items()},
        notes=tuple(notes),
        noun=noun,
        heads={name: head for name, (head, _, _) in found.items()},
    )


@table.register
def _sequence(analysis: SequenceAnalysis, columns: Any = None, **options: Any) -> str:
    """Return what each step and all steps so far leak as a table."""
    steps, result = analysis.steps, analysis.result
    numbers = _numbered(
        {
            "step": ("step", "count", np.arange(1, analysis.n_steps + 1)),
            "promised": ("budget", "nats", steps.promised),
            "leakage": ("leaks at most", "nats", steps.worst),
            "expected": ("on average", "nats", steps.expected),
            "broken": ("chance above budget", "probability", steps.broken),
            "so far": ("all so far", "nats", result.so_far),
            "composed": ("sum so far", "nats", result.composed_so_far),
            "error": ("error", "number", steps.error),
        },
        (
            analysis.mechanism_label,
            f"{analysis.sequence.about}: {leakage(float(analysis.sequence))} nats, exact",
        ),
        "step",
    )
    return _written_out(numbers, columns, **options)


@table.register
def _run(run: StreamRun, columns: Any = None, *, delta: float = 1e-5, **floated: Any) -> str:
    """Return what each mechanism of a run leaked as a table, with what composition allows below."""
    lanes = [run.totals(key) for key in run.mechanisms]
    last = run.record(max(0, run.steps - 1), delta=delta)
    linear, advanced = (float(values[-1]) if run.steps else 0.0 for values in (last.linear, last.advanced))
    numbers = _numbered(
        {
            "mechanism": ("mechanism", "text", [lane_names(key)[1] for key in run.mechanisms]),
            "largest": ("largest step", "nats", [lane.largest for lane in lanes]),
            "over": ("steps over", "count", [lane.over for lane in lanes]),
            "first": ("first", "count", [lane.first_over or "never" for lane in lanes]),
            "sum": ("sum", "nats", [lane.leakage for lane in lanes]),
            "error": ("error", "number", [lane.error / max(1, lane.steps) for lane in lanes]),
            "expected": ("expected", "number", [lane.expected / max(1, lane.steps) for lane in lanes]),
        },
        (
            f"{count(run.steps, 'step')} promise {bound(linear)} nats in all; {bound(advanced)} "
            f"but for δ = {delta_words(delta)}",
        ),
    )
    return _written_out(numbers, columns, **floated)
