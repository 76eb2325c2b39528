"""Answers about a large weighted hierarchical graph: what a browser shows instead of all its values."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.publish.layer_counts import LayerOrder
from pdp_widgets.publish.palette import magnitude_domain
from pdp_widgets.publish.rounding import beyond, paper_error
from pdp_widgets.widgets.digest_layers import Layer, layers_of
from pdp_widgets.widgets.graph_search import PAGE, Search

__all__ = ["GraphDigest", "Page"]

Floats = NDArray[np.float64]

_REMEMBERED = 4


@dataclass(frozen=True, eq=False)
class Page:
    """One page of the table.

    Parameters
    ----------
    count
        How many adversaries fit the search.
    first
        Place of the first one shown.
    flats
        Flat numbers ``target * 2**(n-1) + column`` of those shown, in order.
    """

    count: int
    first: int
    flats: tuple[int, ...]


class GraphDigest:
    """A graph with what is computed once for all questions about it.

    Work is done one attacked tuple at a time, so that beside the graph only temporary arrays of one lattice
    are held; ordering takes one more array of all that fit the search.

    Parameters
    ----------
    graph
        Leakage of every adversary.

    Examples
    --------
    >>> graph = WeightedHierarchicalGraph(["a", "b"], [[1.5, 1.0], [1.2, 1.0]], promise=1.0)
    >>> digest = GraphDigest(graph)
    >>> digest.page(Search()).flats
    (0, 2, 1, 3)
    >>> digest.above(1.1)
    2
    """

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
        """Ends of the common axis in nats: multiples of half the promise around what can be learnt."""
        free = ~self.graph.determined if self._some_determined else True
        if self._some_determined and self.graph.determined.all():
            return magnitude_domain((), self.graph.promise)
        exact = self.graph.exact
        ends = exact.min(where=free, initial=np.inf), exact.max(where=free, initial=-np.inf)
        return magnitude_domain(map(float, ends), self.graph.promise)

    @cached_property
    def largest(self) -> tuple[int, int]:
        """Target and column of who learns most; among equals the first target and who knows least."""
        exact = self.graph.exact
        tops = exact.max(axis=1)
        least = float(tops.max()) - 1e-12 * max(1.0, float(tops.max()))
        target = int(np.argmax(tops >= least))
        near = np.flatnonzero(exact[target] >= least)
        return target, int(near[np.argmin(self._known[near])])

    def prepare(self, progress: ProgressHook | None = None) -> None:
        """Compute now what every question needs.

        Parameters
        ----------
        progress
            Called now and then with the share done. What it raises cancels.
        """
        tell = progress or (lambda share: None)
        for name, share in (("largest", 0.1), ("layers", 0.8), ("apart", 1.0)):
            getattr(self, name)
            tell(share)

    def times(self, factor: float, graph: WeightedHierarchicalGraph) -> GraphDigest:
        """Return the digest of a graph in which every leakage is `factor` times what it is here.

        Parameters
        ----------
        factor
            0 or more.
        graph
            That graph, with a promise that many times as large, and without the paper's estimate.
        """
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
            self._counts[line] = int(np.count_nonzero(self.graph.exact > beyond(line)))
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
                fits &= self.graph.exact[i] > beyond(line)
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
        """Return one page of the adversaries that fit a search.

        Parameters
        ----------
        search
            Order, page and filters. Past the end the last page is shown.
        line
            The threshold in nats; without it the promise.
        """
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
        """Return the flat numbers of who knows one tuple less or more, in order of that tuple."""
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
