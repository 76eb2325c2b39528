"""Which labels a count counts: by a predicate, by name, or in an interval."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from pdp_widgets.core.converters import as_flag
from pdp_widgets.errors import QueryError, Where
from pdp_widgets.models.labels import Label, in_quotes, short, shown
from pdp_widgets.models.names import NamedAxes

__all__ = ["Counted", "chosen", "count_name", "distinct_labels", "in_interval", "interval_name"]

#: For every tuple and every label of its domain, whether it is counted.
Counted: TypeAlias = list[list[bool]]

_WHAT = Where("parameter", name="what")
_LISTED = 3


def distinct_labels(distribution: NamedAxes) -> tuple[Label, ...]:
    """Return the labels of all tuples, each once, in order of first appearance."""
    return tuple(dict.fromkeys(label for domain in distribution.domains for label in domain))


def chosen(distribution: NamedAxes, what: Any) -> Counted:
    """Return which labels are counted."""
    if not isinstance(what, Mapping):
        return _of_tuples(distribution, range(distribution.n_tuples), what)
    if not what:
        raise QueryError("No tuple is named; give {tuple: label} for at least one.", _WHAT)
    counted: Counted = [[False] * len(domain) for domain in distribution.domains]
    for axis, one in distribution.by_axis(what, "counted").items():
        if isinstance(one, Mapping):
            raise QueryError(
                f"What counts of {short(distribution.names[axis])} is {shown(one)}; give a predicate, "
                "a label or a list of labels.",
                Where("axis", axis=axis),
            )
        counted[axis] = _of_tuples(distribution, [axis], one)[0]
    return counted


def _of_tuples(distribution: NamedAxes, axes: Iterable[int], what: Any) -> Counted:
    axes = list(axes)
    if callable(what):
        return [
            [_holds(what, label, distribution.names[axis], axis) for label in distribution.domains[axis]]
            for axis in axes
        ]
    wanted = _as_labels(what)
    possible = dict.fromkeys(label for axis in axes for label in distribution.domains[axis])
    for label in wanted:
        if not isinstance(label, Hashable) or label not in possible:
            listed = ", ".join(shown(v) for v in list(possible)[:12])
            more = ", ..." if len(possible) > 12 else ""
            owner = short(distribution.names[axes[0]]) if len(axes) == 1 else "any tuple"
            raise QueryError(
                f"{shown(label)} is not a label of {owner}; the labels are {listed}{more}.",
                _WHAT if len(axes) > 1 else Where("axis", axis=axes[0]),
            )
    return [[label in wanted for label in distribution.domains[axis]] for axis in axes]


def _as_labels(what: Any) -> list[Any]:
    if isinstance(what, np.ndarray):
        what = what.tolist()
    if isinstance(what, np.generic):
        what = what.item()
    if isinstance(what, str | bool | int | float):
        return [what]
    if isinstance(what, bytes) or not isinstance(what, Iterable):
        raise QueryError(
            f"What to count is {shown(what)}; give a predicate such as lambda v: v > 65, a label, a list of "
            "labels, or {tuple: label}.",
            _WHAT,
        )
    labels = list(what)
    if any(callable(label) for label in labels):
        raise QueryError("A list holds a predicate; give {tuple: predicate} for one in each tuple.", _WHAT)
    if not labels:
        raise QueryError("No label is named; name at least one to count.", _WHAT)
    return labels


def _holds(predicate: Callable[[Any], Any], label: Label, name: str, axis: int) -> bool:
    demand = "it must return true or false for every label."
    at = f"the label {short(label)} of {short(name)}"
    try:
        found = predicate(label)
    except Exception as fault:
        raise QueryError(
            f"The predicate fails at {at} ({type(fault).__name__}: {short(str(fault))}); {demand}",
            Where("axis", axis=axis),
        ) from fault
    if not isinstance(found, bool | np.bool_):
        raise QueryError(f"The predicate returns {shown(found)} at {at}; {demand}", Where("axis", axis=axis))
    return bool(found)


def _edge(value: Any, name: str) -> float | int:
    """Return an edge of an interval as it is: integers of any size compare exactly."""
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, np.longdouble):
        plain = float(plain)
    if isinstance(plain, bool) or not isinstance(plain, int | float) or plain != plain:
        raise QueryError(
            f"The edge of a bin is {shown(value)}; it must be a number.", Where("parameter", name=name)
        )
    return plain


def in_interval(distribution: NamedAxes, low: Any, high: Any, closed: bool) -> Counted:
    """Return which labels lie in [low, high), or in [low, high] when closed."""
    start, stop, closed = _edge(low, "low"), _edge(high, "high"), as_flag(closed, "closed")
    if not start < stop:
        raise QueryError(
            f"The bin runs from {short(start)} to {short(stop)}; the first edge must be below the second.",
            Where("parameter", name="high"),
        )
    counted: Counted = []
    for axis, domain in enumerate(distribution.domains):
        row = []
        for label in domain:
            if isinstance(label, str):
                raise QueryError(
                    f"The label {short(label)} of {short(distribution.names[axis])} is text and lies in no "
                    "interval; name the labels to count: LinearQuery.count(distribution, [label, ...]).",
                    Where("axis", axis=axis),
                )
            row.append(start <= label < stop or (closed and label == stop))
        counted.append(row)
    return counted


def interval_name(low: Any, high: Any, closed: bool) -> str:
    """Return what the count of an interval is called."""
    start, stop = (
        short(_edge(v, "edge")).replace("inf", "∞") if v in (np.inf, -np.inf) else short(_edge(v, "edge"))
        for v in (low, high)
    )
    return f"count in [{start}, {stop}{']' if closed else ')'}"


def count_name(distribution: NamedAxes, counted: Counted) -> str:
    """Return what a count is called, by the labels it counts."""
    state: dict[Label, bool] = {}
    for domain, row in zip(distribution.domains, counted, strict=True):
        for label, holds in zip(domain, row, strict=True):
            if state.setdefault(label, holds) != holds:
                # The same label counts in one tuple and not in another: its name alone would mislead.
                return "count of chosen labels"
    labels = [label for label, holds in state.items() if holds]
    if not labels:
        return "count of no label"
    if len(labels) > _LISTED:
        return f"count of {len(labels)} labels"
    *most, last = [in_quotes(str(label), short(label)) if label != "" else shown(label) for label in labels]
    listed = f"{', '.join(most)} and {last}" if most else last
    if all(isinstance(label, str) and any(map(str.isalpha, label)) for label in labels):
        return f"count of {listed}"
    return f"count of {'labels' if most else 'label'} {listed}"
