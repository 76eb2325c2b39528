"""A large graph in a few numbers: what a browser shows of it instead of all its values."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.leakage.adversary import column, layers
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.models.amount import SHARE, at_most
from pdp_widgets.widgets.graph_search import PAGE, Search
from pdp_widgets.widgets.wire import label_texts

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Bins of the common axis.
BINS = 80
_QUARTERS = (0.25, 0.5, 0.75)


class LayerOrder:
    """Columns of node arrays in order of how many tuples are known, the weakest adversaries first."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.known = (n - layers(n)).astype(np.uint8)
        self.columns = np.argsort(self.known, kind="stable").astype(np.int32)
        self.starts = np.searchsorted(self.known[self.columns], np.arange(n))
        self.ends = np.append(self.starts[1:], self.known.size)

    def bins(self, row: Floats, low: float, per_nat: float, most: int, first: float = 0.0) -> Integers:
        """Return the bin of each value of one attacked tuple, counted through all layers."""
        at = np.minimum(((row - low) * per_nat + first).astype(np.int32), most - 1)
        at += self.known.astype(np.int32) * most
        return np.asarray(at)


@dataclass(frozen=True, eq=False)
class Layer:
    """The adversaries who do not know a certain number of tuples."""

    unknown: int
    count: int
    determined: int
    counts: Integers
    quartiles: tuple[float, ...]
    lows: Floats
    highs: Floats
    target: int
    column: int

    def times(self, factor: float) -> Layer:
        """Return the layer of a graph in which every leakage is `factor` times what it is here."""
        quartiles = tuple(value * factor for value in self.quartiles)
        # Where all are determined the extremes are infinite, for a factor of 0 as well.
        lows = np.where(np.isfinite(self.lows), self.lows * factor if factor else 0.0, self.lows)
        highs = np.where(np.isfinite(self.highs), self.highs * factor if factor else 0.0, self.highs)
        return replace(self, quartiles=quartiles, lows=lows, highs=highs)


def layers_of(
    graph: WeightedHierarchicalGraph, domain: tuple[float, float], order: LayerOrder
) -> tuple[Layer, ...]:
    """Return the layers of a graph, the weakest adversaries first."""
    n, exact = graph.n_tuples, graph.exact
    fixed = graph.determined if graph.determined.any() else None
    low, high = domain
    counts = np.zeros((n, BINS), dtype=np.int64)
    lows, highs = np.empty((n, n)), np.empty((n, n))
    best = np.full(n, -np.inf)
    where = np.zeros((n, 2), dtype=np.int64)
    for i in range(n):
        at = order.bins(exact[i], low, BINS / (high - low), BINS)
        ordered = exact[i].take(order.columns)
        smallest = ordered
        if fixed is not None:
            at = at[~fixed[i]]
            closed = fixed[i].take(order.columns)
            smallest, ordered = np.where(closed, np.inf, ordered), np.where(closed, -np.inf, ordered)
        counts += np.bincount(at, minlength=n * BINS).reshape(n, BINS)
        lows[:, i] = np.minimum.reduceat(smallest, order.starts)
        highs[:, i] = np.maximum.reduceat(ordered, order.starts)
        for k in np.flatnonzero(highs[:, i] > best).tolist():
            best[k] = highs[k, i]
            part = ordered[order.starts[k] : order.ends[k]]
            where[k] = i, order.columns[order.starts[k] + int(np.argmax(part))]
    sizes = (n * (order.ends - order.starts)).tolist()
    return tuple(
        Layer(
            n - k,
            sizes[k],
            sizes[k] - int(counts[k].sum()),
            counts[k],
            _quartiles(exact, fixed, order.columns[order.starts[k] : order.ends[k]]),
            lows[k],
            highs[k],
            int(where[k, 0]),
            int(where[k, 1]),
        )
        for k in range(n)
    )


def _quartiles(
    exact: Floats, fixed: NDArray[np.bool_] | None, columns: NDArray[np.int32]
) -> tuple[float, ...]:
    values = exact.take(columns, axis=1).ravel()
    if fixed is not None:
        values = values[~fixed.take(columns, axis=1).ravel()]
    if not values.size:
        return ()
    return tuple(np.quantile(values, _QUARTERS, overwrite_input=True).tolist())


_REMEMBERED = 4
#: A shorter scale of colours has no places for them any more; from so many steps on they are not told apart.
_SHORTEST, _MOST_STEPS = 2.0**-1000, 2.0**40


def magnitude_domain(values: Iterable[float], promise: float) -> tuple[float, float]:
    """Return the ends of the colour scale in nats: multiples of half the promise around the data."""
    # So colours stay put while a number is dragged.
    finite = [float(v) for v in values if not math.isnan(v)]
    step = max(promise / 2, _SHORTEST) if promise > 0 and math.isfinite(promise) else 0.5
    if not finite:
        return 0.0, step
    least, most = min(finite), max(finite)
    if not most / step < _MOST_STEPS:
        return 0.0, most
    low = max(0.0, math.floor(least / step - 1e-9) * step)
    high = math.ceil(most / step + 1e-9) * step
    if not math.isfinite(high):
        return 0.0, most
    return low, high if high > low else low + step


def probability_end(largest: float) -> float:
    """Return where an axis of probabilities ends: 1, or the least of .5, .2, .1 and so on that is enough."""
    # So small deltas are told apart, and colours stay put while a number is dragged.
    ends = (step * 10.0**-power for power in range(1, 7) for step in (5.0, 2.0, 1.0))
    return min((end for end in ends if largest <= end), default=1.0)


def measure_state(graph: WeightedHierarchicalGraph) -> dict[str, Any]:
    """Return what the numbers of a graph are, where they are no leakages."""
    measure = graph.measure
    return {} if measure.is_leakage else {"measure": {"name": measure.name, "epsilon": measure.epsilon}}


def bound_of(graph: WeightedHierarchicalGraph) -> float:
    """Return a bound for every adversary: the graph's own, else Eq. 17, which holds for every table."""
    return graph.n_tuples * graph.promise if graph.group_bound is None else graph.group_bound


def paper_error(graph: WeightedHierarchicalGraph, rows: Any = slice(None)) -> Floats:
    """Return the paper's estimate minus the exact value; 0 where only rounding parts them or none is open."""
    assert graph.paper is not None
    error = np.subtract(graph.paper[rows], graph.exact[rows])
    # Exponents are as large as the bound for all, and each costs a share of its size. As in graph/data.ts.
    same = (np.abs(error) <= SHARE * bound_of(graph)) | graph.determined[rows]
    return np.where(same, 0.0, error)


@dataclass(frozen=True, eq=False)
class Page:
    """One page of the table."""

    count: int
    first: int
    flats: tuple[int, ...]


class GraphDigest:
    """A graph with what is computed once for all questions about it."""

    # Work is done one attacked tuple at a time, so that beside the graph only temporary arrays of one lattice
    # are held; ordering takes one more array of all that fit the search.

    def __init__(self, graph: WeightedHierarchicalGraph) -> None:
        self.graph = graph
        self.n = graph.n_tuples
        self.width = 1 << (self.n - 1)
        self._order = LayerOrder(self.n)
        self._known = self._order.known
        self._some_determined = bool(graph.determined.any())
        self._last: tuple[Any, Page] | None = None
        # The same questions come again and again.
        self._counts: dict[float, int] = {}
        self._places: dict[Any, int | None] = {}

    # The whole

    @cached_property
    def domain(self) -> tuple[float, float]:
        """Ends of the common axis: multiples of half the promise around what can be learnt, in nats."""
        measure = self.graph.measure
        if not measure.is_leakage:
            return 0.0, probability_end(float(self.graph.exact.max()) if measure.name == "delta" else 1.0)
        free = ~self.graph.determined if self._some_determined else True
        if self._some_determined and self.graph.determined.all():
            return magnitude_domain((), self.graph.promise)
        exact = self.graph.exact
        ends = exact.min(where=free, initial=np.inf), exact.max(where=free, initial=-np.inf)
        return magnitude_domain(map(float, ends), self.graph.promise)

    @cached_property
    def largest(self) -> tuple[int, int]:
        """Target and column of the adversary who learns most; among equals the first who knows least."""
        exact = self.graph.exact
        tops = exact.max(axis=1)
        least = float(tops.max()) - 1e-12 * max(1.0, float(tops.max()))
        target = int(np.argmax(tops >= least))
        near = np.flatnonzero(exact[target] >= least)
        return target, int(near[np.argmin(self._known[near])])

    def prepare(self, progress: ProgressHook | None = None) -> None:
        """Compute now what every question needs."""
        tell = progress or (lambda share: None)
        for name, share in (("largest", 0.1), ("layers", 0.8), ("apart", 1.0)):
            getattr(self, name)
            tell(share)

    def times(self, factor: float, graph: WeightedHierarchicalGraph) -> GraphDigest:
        """Return the digest of a graph in which every leakage is `factor` times what it is here."""
        made = copy.copy(self)
        made.graph = graph
        made._counts = {}
        low, high = self.domain
        # An axis needs a length: for a factor of 0 it is made anew.
        if factor > 0 and high * factor > low * factor:
            kept = {
                "domain": (low * factor, high * factor),
                "layers": tuple(e.times(factor) for e in self.layers),
            }
            # Order stays; but who is above a line that is set does not.
            made._last = self._last if self._last is not None and self._last[0][1] is None else None
            made._places = {asked: place for asked, place in self._places.items() if asked[2] is None}
            vars(made).update(kept)
        else:
            made._last, made._places = None, {}
            for name in ("domain", "layers", "largest"):
                vars(made).pop(name, None)
        return made

    def above(self, line: float) -> int:
        """Count the adversaries who learn more than `line` nats, rounding aside."""
        if line not in self._counts:
            _make_room(self._counts)
            self._counts[line] = int(np.count_nonzero(self.graph.exact > at_most(line)))
        return self._counts[line]

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """Distributions by layer, the weakest adversaries first."""
        return layers_of(self.graph, self.domain, self._order)

    @cached_property
    def apart(self) -> tuple[int, int] | None:
        """How often the paper's estimate is too low and too high, where the graph has it."""
        if self.graph.paper is None:
            return None
        low = high = 0
        for i in range(self.n):
            error = self._error(i)
            low += int(np.count_nonzero(error < 0))
            high += int(np.count_nonzero(error > 0))
        return low, high

    # The table

    def _error(self, target: int) -> Floats:
        """Return the paper's estimate minus the exact value, 0 where neither is more."""
        return paper_error(self.graph, target)

    def _fitting(self, search: Search, line: float) -> Iterator[tuple[int, NDArray[np.bool_] | None]]:
        """Yield the attacked tuples that fit, each with its columns that fit; None for all of them."""
        by_paper = search.only != "all" and self.graph.paper is not None
        plain = not (search.above or search.by_known or by_paper)
        for i in range(self.n):
            if i in search.knows or search.about not in (None, i):
                continue
            if plain:
                yield i, None
                continue
            fits = search.columns(self.n, i, self._known)
            assert fits is not None
            if search.above:
                fits &= self.graph.exact[i] > at_most(line)
            if by_paper:
                error = self._error(i)
                fits &= error < 0 if search.only == "low" else error > 0
            yield i, fits

    def _keys(self, search: Search, target: int) -> NDArray[Any]:
        """Return what the table is sorted by, in increasing order, for one lattice."""
        if search.by == "about":
            keys = np.full(self.width, target, dtype=np.int8)
        elif search.by == "known":
            keys = self._known.astype(np.int8)
        elif search.by == "difference" and self.graph.paper is not None:
            keys = np.abs(self._error(target))
        else:
            keys = self.graph.exact[target]
        return -keys if search.down else keys

    def page(self, search: Search, line: float | None = None) -> Page:
        """Return one page of the adversaries that fit a search."""
        line = self.graph.promise if line is None else line
        asked = (search, line if search.above else None)
        if self._last is None or self._last[0] != asked:
            self._last = asked, self._page(search, line)
        return self._last[1]

    def _page(self, search: Search, line: float) -> Page:
        small = search.by in ("about", "known")
        buffer = np.empty(self.graph.exact.size, dtype=np.int8 if small else np.float64)
        count = 0
        for i, fits in self._fitting(search, line):
            keys = self._keys(search, i)
            chosen = keys if fits is None else keys[fits]
            buffer[count : count + chosen.size] = chosen
            count += chosen.size
        if not count:
            return Page(0, 0, ())
        first = min(search.first, (count - 1) // PAGE * PAGE)
        last = min(first + PAGE, count) - 1
        keys = buffer[:count]
        # No full sort: the keys at both ends of the page say which adversaries stand on it.
        keys.partition((first, last))
        head, tail = keys[first], keys[last]
        skip = first - int(np.count_nonzero(keys[:first] < head))
        at_head: list[int] = []
        between: list[tuple[Any, int]] = []
        at_tail: list[int] = []
        size = last - first + 1
        for i, fits in self._fitting(search, line):
            row = self._keys(search, i)
            inside = (row >= head) & (row <= tail)
            if fits is not None:
                inside &= fits
            if not inside.any():
                continue
            columns = np.flatnonzero(inside)
            values = row[columns]
            base = i * self.width
            equal = columns[values == head]
            at_head += (equal[max(0, skip) : max(0, skip) + size - len(at_head)] + base).tolist()
            skip -= equal.size
            if tail != head:
                at_tail += (columns[values == tail][: size - len(at_tail)] + base).tolist()
                middle = (values > head) & (values < tail)
                between += zip(values[middle].tolist(), (columns[middle] + base).tolist(), strict=True)
        flats = [*at_head, *(flat for _, flat in sorted(between)), *at_tail][:size]
        return Page(count, first, tuple(flats))

    def place(self, search: Search, flat: int, line: float | None = None) -> int | None:
        """Return the place of an adversary among all that fit a search, from 0, or None."""
        line = self.graph.promise if line is None else line
        # The page does not matter, nor does the line where nobody has to be above it.
        asked = (replace(search, first=0), flat, line if search.above else None)
        if asked not in self._places:
            _make_room(self._places)
            self._places[asked] = self._place(search, flat, line)
        return self._places[asked]

    def _place(self, search: Search, flat: int, line: float) -> int | None:
        target, c = divmod(flat, self.width)
        key = self._keys(search, target)[c]
        before, there = 0, False
        for i, fits in self._fitting(search, line):
            row = self._keys(search, i)
            ahead = row < key
            if i < target:
                ahead = row <= key
            elif i == target:
                ahead[:c] |= row[:c] == key
                there = fits is None or bool(fits[c])
            before += int(np.count_nonzero(ahead if fits is None else ahead & fits))
        return before if there else None

    # One adversary

    def neighbours(self, target: int, known: tuple[int, ...]) -> list[int]:
        """Return the flat numbers of adversaries who know one tuple less or more, in order of that tuple."""
        c = column(self.n, target, known)
        base = target * self.width
        return [base + (c ^ (1 << bit)) for bit in range(self.n - 1)]

    def values(self, flats: list[int]) -> dict[str, Any]:
        """Return adversaries as columns: flat numbers, exact leakage, estimate and whether determined."""
        graph = self.graph
        exact, determined = graph.exact.ravel(), graph.determined.ravel()
        return {
            "flats": flats,
            "exact": [float(exact[flat]) for flat in flats],
            "paper": None if graph.paper is None else [float(graph.paper.ravel()[flat]) for flat in flats],
            "determined": [flat for flat in flats if determined[flat]],
        }


def _make_room(answers: dict[Any, Any]) -> None:
    if len(answers) >= _REMEMBERED:
        answers.pop(next(iter(answers)))


def digest_state(
    digest: GraphDigest,
    target: int,
    known: tuple[int, ...],
    search: Search,
    threshold: float | None,
) -> dict[str, Any]:
    """Return what a browser shows of a large graph: less than 20 kB, whatever its size."""
    graph, n, width = digest.graph, digest.n, digest.width
    line = graph.promise if threshold is None else threshold
    page = digest.page(search, line)
    chosen = target * width + column(n, target, known)
    largest = digest.largest[0] * width + digest.largest[1]
    tops = [layer.target * width + layer.column for layer in digest.layers]
    drawn = [chosen, *digest.neighbours(target, known), largest, *tops, *page.flats]
    return {
        "names": label_texts(graph.names),
        "promise": graph.promise,
        "domain": digest.domain,
        "largest": largest,
        "group_bound": bound_of(graph),
        **measure_state(graph),
        "apart": digest.apart,
        "layers": [
            {
                "unknown": layer.unknown,
                "count": layer.count,
                "determined": layer.determined,
                "counts": layer.counts.tolist(),
                "quartiles": layer.quartiles,
                "range": _range(layer.lows.min(), layer.highs.max()),
                "own": _range(layer.lows[target], layer.highs[target]),
                "top": top,
            }
            for layer, top in zip(digest.layers, tops, strict=True)
        ],
        "above_promise": digest.above(graph.promise),
        "threshold": threshold,
        "above": digest.above(line),
        "chosen": {"target": target, "known": known, "rank": digest.place(Search(), chosen)},
        "search": {**search.state(), "first": page.first},
        "count": page.count,
        "rows": page.flats,
        "place": digest.place(search, chosen, line),
        "values": digest.values(sorted(set(drawn))),
    }


def _range(low: float, high: float) -> tuple[float, float] | None:
    return (float(low), float(high)) if low <= high else None
