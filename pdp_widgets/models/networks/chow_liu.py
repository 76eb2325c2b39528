"""The tree that explains records best: Chow and Liu's, with pseudo-records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import NOT_NEGATIVE
from pdp_widgets.errors import FewRecordsWarning, LimitError, TableError, Where, warn_caller
from pdp_widgets.models.distinct_rows import distinct_rows
from pdp_widgets.models.frame_remarks import remark_of_layout, warn_of_tuples
from pdp_widgets.models.frames import found_domain, tuples_of
from pdp_widgets.models.labels import Domain, as_domain

__all__ = ["Learned", "learned_tree", "mutual_information"]

Floats = NDArray[np.float64]
#: Names, labels, positions of parents, tables with own labels last, and the counts behind them.
Learned = tuple[tuple[str, ...], tuple[Domain, ...], list[tuple[int, ...]], list[Floats], list[Floats]]

#: Labels of all tuples together: the table of all pairs has the square of it.
_MOST_LABELS = 8192
#: Records of one step: their labels as zeros and ones are kept at once.
_STEP = 1 << 14
#: Information below this is rounding; informations are compared by so many decimals.
_LEAST, _DECIMALS = 1e-12, 12


def learned_tree(
    frame: Any,
    columns: Sequence[str] | None,
    weight: str | None,
    alpha: float,
    domains: Mapping[str, Iterable[Any]] | None,
) -> Learned:
    """Return the tree of a data frame, see `BayesianNetwork.chow_liu`."""
    pseudo = NOT_NEGATIVE.take(alpha, "alpha", TableError)
    names, given, weight = tuples_of(frame, columns, weight, domains)
    rows = distinct_rows(frame, names, weight)
    if not len(rows.records):
        raise TableError("The data frame has no rows; it needs at least one record.", Where("table"))
    rows.refuse_missing()
    remark_of_layout(frame, columns, weight)
    warn_of_tuples(rows.columns)
    labels = []
    for axis, (name, column) in enumerate(zip(names, rows.columns, strict=True)):
        order = given.get(name, column.chosen_order(None))
        labels.append(
            found_domain(column.labels(), name, axis) if order is None else as_domain(order, axis, name)
        )
    sizes = [len(domain) for domain in labels]
    if sum(sizes) > _MOST_LABELS:
        raise LimitError(
            f"The tuples have {sum(sizes):,} labels together; pairs are counted for at most "
            f"{_MOST_LABELS:,}. Group numbers, or choose fewer columns.",
            Where("parameter", name="columns"),
        )
    weights = np.asarray(rows.weights, dtype=np.float64)
    if not weights.sum() + pseudo > 0:
        raise TableError("All weights are 0; give pseudo-records, or weights that are not.", Where("table"))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    places = [rows.positions(axis, domain) + starts[axis] for axis, domain in enumerate(labels)]
    counts = np.zeros((starts[-1], starts[-1]))
    for begin in range(0, len(weights), _STEP):
        part = slice(begin, begin + _STEP)
        ones = np.zeros((len(weights[part]), starts[-1]))
        for place in places:
            ones[np.arange(len(ones)), place[part]] = 1.0
        counts += (ones * weights[part, None]).T @ ones
    blocks = [slice(a, b) for a, b in pairwise(starts)]
    total = float(weights.sum())

    def pair(i: int, j: int) -> Floats:
        return np.asarray(counts[blocks[i], blocks[j]] + pseudo / (sizes[i] * sizes[j]))

    edges = _edges([[pair(i, j) / (total + pseudo) for j in range(i)] for i in range(len(names))])
    parents, tables, behind = _oriented(len(names), edges), [], []
    for j, above in enumerate(parents):
        alone = np.diagonal(counts[blocks[j], blocks[j]]) + pseudo / sizes[j]
        found = pair(above[0], j) if above else np.asarray(alone)
        sums = found.sum(axis=-1, keepdims=True)
        uniform = np.full_like(found, 1 / sizes[j])
        tables.append(np.where(sums > 0, found / np.where(sums > 0, sums, 1.0), uniform))
        behind.append(found)
    if pseudo == 0 and any((table == 0).any() for table in tables):
        warn_caller(
            "Labels that no record has together cannot occur together in this network, since alpha is 0: "
            "what leaks may be infinite or nothing by chance. Give alpha=1, and do not release the records "
            "that the network was learned from under it.",
            FewRecordsWarning,
        )
    return tuple(names), tuple(labels), parents, tables, behind


def mutual_information(law: Floats) -> float:
    """Return the mutual information of two tuples in nats, from their joint law.

    Examples
    --------
    >>> mutual_information(np.eye(2) / 2)
    0.6931471805599453
    """
    alone = law.sum(axis=1, keepdims=True) * law.sum(axis=0, keepdims=True)
    seen = law > 0
    return float((law[seen] * np.log(law[seen] / alone[seen])).sum())


def _edges(laws: Sequence[Sequence[Floats]]) -> list[tuple[int, int]]:
    """Return the pairs of a tree that share most information, in ascending order."""
    found = [(mutual_information(law), j, i) for i, row in enumerate(laws) for j, law in enumerate(row)]
    group = list(range(len(laws)))

    def head(j: int) -> int:
        while group[j] != j:
            group[j] = group[group[j]]
            j = group[j]
        return j

    kept = []
    for value, i, j in sorted(found, key=lambda one: (-round(one[0], _DECIMALS), one[1], one[2])):
        if value > _LEAST and head(i) != head(j):
            group[head(j)] = head(i)
            kept.append((i, j))
    return sorted(kept)


def _oriented(n: int, edges: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the parents of every tuple: the first of a component has none, the others breadth first."""
    near: list[list[int]] = [[] for _ in range(n)]
    for i, j in edges:
        near[i].append(j)
        near[j].append(i)
    parents: list[tuple[int, ...] | None] = [None] * n
    for root in range(n):
        if parents[root] is not None:
            continue
        parents[root], ahead = (), [root]
        for j in ahead:
            for k in sorted(near[j]):
                if parents[k] is None:
                    parents[k] = (j,)
                    ahead.append(k)
    return [above or () for above in parents]
