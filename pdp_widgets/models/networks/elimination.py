"""Eliminating tuples from a product of tables, with polynomials in place of numbers where a sum is followed.

A message is an array over the labels of its scope and, last, over coefficients: that of z^k belongs to the
partial sum k. Only sums of products of non-negative numbers are made. After every product and every sum a
message is divided by its largest entry, and an entry that the zeros of the tables allow must not have become
so small that digits are lost: then all is done again in logarithms.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError, Where

__all__ = [
    "LOGS",
    "NUMBERS",
    "POSSIBLE",
    "Arithmetic",
    "Factor",
    "Graph",
    "Message",
    "Underflow",
    "component_of",
    "convolved",
    "eliminated",
    "in_logs_too",
    "messages_of",
    "product",
    "shifted",
    "summed",
    "tree_messages",
]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
#: Whole numbers, one for each label: which power of z a tuple contributes.
Powers: TypeAlias = NDArray[np.int64]
#: A scope in ascending order and a table with one axis for each tuple of it.
Factor: TypeAlias = tuple[tuple[int, ...], Floats]
#: Neighbours of every tuple.
Graph: TypeAlias = Sequence[frozenset[int]]
Found = TypeVar("Found")

#: Share of the largest entry below which an entry may have lost digits.
_LEAST_SHARE = 1e-50
#: Numbers of one message: half a gigabyte.
_MOST_NUMBERS = 1 << 26


class Underflow(ArithmeticError):
    """Doubles lose what must not be lost; the same in logarithms does not."""


@dataclass(frozen=True)
class Arithmetic:
    """What stands for product, sum, one and zero."""

    multiply: Any
    add: Any
    one: Any
    zero: Any


NUMBERS = Arithmetic(np.multiply, np.add, 1.0, 0.0)
LOGS = Arithmetic(np.add, np.logaddexp, 0.0, -np.inf)
POSSIBLE = Arithmetic(np.logical_and, np.logical_or, True, False)


def in_logs_too(compute: Callable[[Arithmetic], Found]) -> Found:
    """Return what is computed with doubles or, where they lose digits, with logarithms."""
    try:
        return compute(NUMBERS)
    except Underflow:
        return compute(LOGS)


@dataclass(frozen=True, eq=False)
class Message:
    """An array over the labels of some tuples, in ascending order, and coefficients.

    ``possible`` says what the zeros of the tables allow. Where ``exact``, that of every coefficient; else of
    sums over coefficients, and None where all are. Logarithms, and truth values, show it themselves.
    """

    scope: tuple[int, ...]
    values: NDArray[Any]
    possible: Booleans | None = None
    exact: bool = False

    def sliced(self, known: Mapping[int, int]) -> Message:
        """Return the message at known labels."""
        if known.keys().isdisjoint(self.scope):
            return self
        at = tuple(known.get(j, slice(None)) for j in self.scope)
        kept = tuple(j for j in self.scope if j not in known)
        possible = None if self.possible is None else self.possible[at]
        return Message(kept, self.values[at], possible, self.exact)

    def allowed(self) -> Booleans:
        """Return what the zeros of the tables allow: every coefficient where exact, else with one for all."""
        if self.possible is not None:
            return self.possible
        found = self.values if self.values.dtype == bool else self.values > -np.inf
        return np.asarray(found if self.exact else found.any(axis=-1, keepdims=True))


def messages_of(factors: Iterable[Factor], ring: Arithmetic, *, exact: bool = False) -> list[Message]:
    """Return tables as messages; ``exact`` follows every coefficient."""
    made = []
    for scope, table in factors:
        values, possible = table[..., None], table[..., None] > 0
        if ring is LOGS:
            with np.errstate(divide="ignore"):
                made.append(Message(scope, np.log(values), None, exact))
        elif ring is POSSIBLE:
            made.append(Message(scope, possible))
        else:
            made.append(Message(scope, values, possible if exact or not possible.all() else None, exact))
    return made


def _checked(message: Message, ring: Arithmetic) -> Message:
    """Return a message over its largest entry, or raise Underflow where it may have lost digits."""
    values, possible = message.values, message.possible
    if ring is POSSIBLE:
        return message
    largest = values.max()
    if ring is LOGS:
        return replace(message, values=values - largest) if largest > -np.inf else message
    if possible is not None and not possible.any():
        return message
    if not largest > 0:
        raise Underflow
    values = values / largest
    sums = values.sum(axis=-1) if values.shape[-1] > 1 else values[..., 0]
    least = sums.min() if possible is None else sums.min(where=possible.any(axis=-1), initial=1.0)
    if least < _LEAST_SHARE:
        raise Underflow
    return replace(message, values=values)


def convolved(a: NDArray[Any], b: NDArray[Any], ring: Arithmetic) -> NDArray[Any]:
    """Return the product of two arrays of polynomials, whose other axes fit each other."""
    if a.shape[-1] < b.shape[-1]:
        a, b = b, a
    few, many = b.shape[-1], a.shape[-1]
    shape = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    rows = prod(shape)
    if rows * (few + many) > _MOST_NUMBERS:
        raise LimitError(
            f"Polynomials of {rows:,} combinations of labels and {few + many - 1:,} query values would take "
            f"{8e-9 * rows * (few + many):.1f} GB. Round the contributions, so that they have fewer steps, "
            "or let more tuples be known.",
            Where("table"),
        )
    if few == 1:
        return np.asarray(ring.multiply(a, b))
    out = np.full((*shape, few + many - 1), ring.zero, dtype=a.dtype)
    if ring is not LOGS and rows < few:
        # Row by row numpy's own convolution is faster; of truth values it counts the ways.
        flat, left = out.reshape(rows, -1), np.broadcast_to(a, (*shape, many)).reshape(rows, many)
        right = np.broadcast_to(b, (*shape, few)).reshape(rows, few)
        for row in range(rows):
            ways = np.convolve(left[row].astype(np.float64), right[row].astype(np.float64))
            flat[row] = ways if ring is NUMBERS else ways > 0.5
        return out
    for k in range(few):
        part = out[..., k : k + many]
        ring.add(part, ring.multiply(a, b[..., k : k + 1]), out=part)
    return out


def _aligned(values: NDArray[Any], scope: Sequence[int], wanted: Sequence[int]) -> NDArray[Any]:
    """Return values with an axis of length 1 for each tuple that is not in their scope."""
    sizes = dict(zip(scope, values.shape, strict=False))
    return values.reshape(*(sizes.get(j, 1) for j in wanted), values.shape[-1])


def product(a: Message, b: Message, ring: Arithmetic) -> Message:
    """Return the product of two messages."""
    scope = tuple(sorted({*a.scope, *b.scope}))
    values = convolved(_aligned(a.values, a.scope, scope), _aligned(b.values, b.scope, scope), ring)
    possible = None
    if a.possible is not None or b.possible is not None:
        one, two = (_aligned(m.allowed(), m.scope, scope) for m in (a, b))
        possible = convolved(one, two, POSSIBLE)
        possible = np.broadcast_to(possible, (*values.shape[:-1], possible.shape[-1]))
    return _checked(Message(scope, values, possible, a.exact), ring)


def shifted(message: Message, tuple_: int, powers: Powers, ring: Arithmetic) -> Message:
    """Return a message times z to the power of what a tuple of its scope contributes."""
    most = int(powers.max())
    if not most or ring is POSSIBLE:
        return message
    axis = message.scope.index(tuple_)

    def moved(array: NDArray[Any], zero: Any) -> NDArray[Any]:
        many = array.shape[-1]
        out = np.full((*array.shape[:-1], many + most), zero, dtype=array.dtype)
        there, here = np.moveaxis(out, axis, 0), np.moveaxis(array, axis, 0)
        for label, power in enumerate(powers.tolist()):
            there[label, ..., power : power + many] = here[label]
        return out

    possible = message.possible
    if message.exact and possible is not None:
        possible = moved(possible, False)
    return Message(message.scope, moved(message.values, ring.zero), possible, message.exact)


def summed(message: Message, tuple_: int, ring: Arithmetic) -> Message:
    """Return a message summed over the labels of a tuple."""
    axis = message.scope.index(tuple_)
    scope = tuple(j for j in message.scope if j != tuple_)
    possible = None if message.possible is None else np.asarray(message.possible.any(axis=axis))
    values = ring.add.reduce(message.values, axis=axis)
    return _checked(Message(scope, values, possible, message.exact), ring)


def eliminated(
    messages: Iterable[Message],
    keep: Collection[int],
    graph: Graph,
    ring: Arithmetic,
    powers: Sequence[Powers] | None = None,
    told: Callable[[], None] | None = None,
) -> Message:
    """Return the product of messages, summed over all tuples that are not kept.

    Parameters
    ----------
    messages
        Tables at the known labels; known tuples are in no scope any more.
    keep
        Tuples that stay.
    graph
        Neighbours of every tuple.
    ring
        The arithmetic.
    powers
        What every tuple contributes by label; without it no sum is followed. Those of the kept tuples stay
        out of it.
    told
        Called after each tuple.
    """
    pool = dict(enumerate(messages))
    of: dict[int, set[int]] = defaultdict(set)
    for number, message in pool.items():
        for j in message.scope:
            of[j].add(number)
    for number, j in enumerate(elimination_order(graph, of.keys(), keep), len(pool)):
        numbers = of.pop(j)
        parts = sorted((pool.pop(at) for at in numbers), key=lambda m: m.values.size)
        for part in parts:
            for other in part.scope:
                if other != j:
                    of[other] -= numbers
        whole = _product_of(parts, ring)
        if powers is not None:
            whole = shifted(whole, j, powers[j], ring)
        pool[number] = summed(whole, j, ring)
        for other in pool[number].scope:
            of[other].add(number)
        if told is not None:
            told()
    left = sorted(pool.values(), key=lambda m: m.values.size)
    return _product_of(left, ring) if left else Message((), np.full(1, ring.one))


def _product_of(parts: Sequence[Message], ring: Arithmetic) -> Message:
    whole = parts[0]
    for part in parts[1:]:
        whole = product(whole, part, ring)
    return whole


def elimination_order(graph: Graph, tuples: Collection[int], keep: Collection[int]) -> list[int]:
    """Return tuples in the order in which they are eliminated: least fill, fewest neighbours, first."""
    inside = set(tuples)
    near = {j: set(graph[j] & inside) for j in inside}
    order: list[int] = []
    goes = inside.difference(keep)
    # Ends of trees first: they join nobody, and nothing has to be counted for them.
    ends = [j for j in sorted(goes, reverse=True) if len(near[j]) < 2]
    heap: list[tuple[int, int, int]] = []
    stale = set(goes)
    gone: set[int] = set()
    while len(order) < len(goes):
        if ends:
            j = ends.pop()
            if j in gone:
                continue
        else:
            for k in stale - gone:
                heapq.heappush(heap, (_fill(near, k), len(near[k]), k))
            stale.clear()
            fill, degree, j = heapq.heappop(heap)
            if j in gone or degree != len(near[j]) or fill != _fill(near, j):
                continue
        order.append(j)
        gone.add(j)
        around = near.pop(j)
        for k in around:
            others = near[k]
            others.discard(j)
            more = around - others - {k}
            if more:
                others |= more
                # A new pair of neighbours is one pair less to join for those who have both.
                stale |= others
            stale.add(k)
        stale &= goes
        ends.extend(k for k in around if k in goes and len(near[k]) < 2)
    return order


def _fill(near: Mapping[int, set[int]], j: int) -> int:
    around = near[j]
    joined = sum(len(near[k] & around) for k in around)
    return (len(around) * (len(around) - 1) - joined) // 2


def component_of(graph: Graph, start: int, without: Collection[int] = ()) -> set[int]:
    """Return the tuples that are joined to one by tuples that are not left out."""
    found, ahead = {start}, [start]
    while ahead:
        for k in graph[ahead.pop()]:
            if k not in found and k not in without:
                found.add(k)
                ahead.append(k)
    return found


def tree_messages(
    own: Sequence[Message],
    pairs: Mapping[tuple[int, int], Message],
    graph: Graph,
    ring: Arithmetic,
    powers: Sequence[Powers],
) -> dict[tuple[int, int], Message]:
    """Return all messages of a forest, by sender and receiver, in one pass to the roots and one back.

    Parameters
    ----------
    own
        Product of the tables of every tuple alone.
    pairs
        Product of the tables of every two neighbours, by their positions in ascending order.
    graph, ring, powers
        As for `eliminated`.
    """
    sent: dict[tuple[int, int], Message] = {}

    def send(j: int, p: int, whole: Message) -> None:
        there = product(shifted(whole, j, powers[j], ring), pairs[min(j, p), max(j, p)], ring)
        sent[j, p] = summed(there, j, ring)

    parent: dict[int, int] = {}
    order: list[int] = []
    for root in range(len(graph)):
        if root in parent:
            continue
        parent[root] = -1
        order.append(root)
        for j in iter_from(order, len(order) - 1):
            for k in sorted(graph[j]):
                if k not in parent:
                    parent[k] = j
                    order.append(k)
    for j in reversed(order):
        if parent[j] >= 0:
            send(j, parent[j], _product_of([own[j], *(sent[k, j] for k in graph[j] if k != parent[j])], ring))
    for j in order:
        around = sorted(graph[j])
        after: list[Message | None] = [None]
        for k in reversed(around[1:]):
            last = after[-1]
            after.append(sent[k, j] if last is None else product(sent[k, j], last, ring))
        before = own[j]
        for k in around:
            rest = after.pop()
            if k != parent[j]:
                send(j, k, before if rest is None else product(before, rest, ring))
            before = product(before, sent[k, j], ring) if k != around[-1] else before
    return sent


def iter_from(order: list[int], start: int) -> Iterable[int]:
    """Give the entries of a list that grows meanwhile."""
    while start < len(order):
        yield order[start]
        start += 1
