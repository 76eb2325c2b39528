"""Drawing states of many users at once, one uniform number for each."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

__all__ = ["cumulated", "drawn", "following", "walked"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: From so many states on, rows are searched and not compared with every entry.
_SEARCHED = 24
#: Below so many users a plain loop is faster than arrays.
_FEW = 12


def cumulated(laws: Floats) -> Floats:
    """Return cumulative probabilities along the last axis, from the last possible state on exactly 1."""
    sums = np.cumsum(laws, axis=-1)
    n = laws.shape[-1]
    last = n - 1 - np.argmax(laws[..., ::-1] > 0, axis=-1)
    sums[np.arange(n) >= last[..., None]] = 1.0
    return np.asarray(np.minimum(sums, 1.0))


def drawn(rows: Floats, uniforms: Floats) -> Integers:
    """Return one state of each row of cumulative probabilities; never one of probability 0."""
    # Rows have shape (users, n), as of `cumulated`, or (n,) for the same row everywhere.
    if rows.ndim == 1:
        return np.searchsorted(rows, uniforms, side="right").astype(np.int64)
    return np.asarray((rows <= uniforms[:, None]).sum(axis=1), dtype=np.int64)


def _searched(table: Floats, at: Integers, uniforms: Floats) -> Integers:
    """Return what `drawn` does for the rows ``table[at]`` by halving, without copying the rows."""
    n = table.shape[1]
    flat, base = table.ravel(), at * n
    low = np.zeros(len(at), dtype=np.int64)
    high = np.full(len(at), n - 1, dtype=np.int64)
    for _ in range(int(n - 1).bit_length()):
        middle = (low + high) // 2
        beyond = flat[base + middle] <= uniforms
        low = np.where(beyond, middle + 1, low)
        high = np.where(beyond, high, middle)
    return low


def following(table: Floats, at: Integers, uniforms: Floats) -> Integers:
    """Return the next state of each user, by cumulative transitions and one number in [0, 1) for each."""
    if table.shape[1] >= _SEARCHED:
        return _searched(table, at, uniforms)
    return drawn(table[at], uniforms)


def walked(first: Integers, table: Floats, uniforms: Floats, *, second: Integers | None = None) -> Integers:
    """Return walks of many users, shape (users, steps) with the given first states."""
    # The table has cumulative transitions, (n, n), or for a chain of second order (n, n, n) by the last two
    # states; uniforms have shape (steps left, users).
    n = table.shape[-1]
    begun = 1 if second is None else 2
    rows = table.reshape(-1, n)
    states = np.empty((len(uniforms) + begun, len(first)), dtype=np.int64)
    states[0] = first
    if second is not None:
        states[1] = second
    if len(first) < _FEW:
        _walk_one_by_one(states, rows, uniforms, n, begun)
        return states.T
    for step, numbers in enumerate(uniforms, start=begun):
        at = states[step - 1] if begun == 1 else states[step - 2] * n + states[step - 1]
        states[step] = following(rows, at, numbers)
    return states.T


def _walk_one_by_one(states: Integers, rows: Floats, uniforms: Floats, n: int, begun: int) -> None:
    listed = rows.tolist()
    for user in range(states.shape[1]):
        old = int(states[0, user]) if begun == 2 else 0
        now = int(states[begun - 1, user])
        found = []
        for number in uniforms[:, user].tolist():
            old, now = now, bisect_right(listed[now if begun == 1 else old * n + now], number)
            found.append(now)
        states[begun:, user] = found
