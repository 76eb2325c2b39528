"""Points that decide what leaks at every budget: computed once, evaluated for any number of budgets.

A set of symbols S favoured by an output has probability A for one secret value and B for the other. What
leaks, (1 + lam A) / (1 + lam B), is largest at a vertex of the upper left convex hull of all points (B, A),
and the points do not depend on the budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.progress import ProgressHook, part

__all__ = ["LARGE", "Front", "Fronts", "two_level", "upper_left_hull"]

Floats = NDArray[np.float64]

# Below, ln(1 + x) of a small x keeps all digits; above LARGE, exp(-budget) underflows.
_SMALL = 0.5
LARGE = 700.0


def two_level(a: ArrayLike, b: ArrayLike, log_rho: ArrayLike) -> Floats:
    """Return ln (1 + (rho - 1) a) / (1 + (rho - 1) b), at least 0 and at most ln rho."""
    first, second, level = (np.asarray(part, dtype=np.float64) for part in (a, b, log_rho))
    forms = _form(level)
    if level.size and (level.ndim == 0 or (forms == forms.flat[0]).all()):
        return _FORMS[int(forms.flat[0])](first, second, level)
    first, second, level, forms = np.broadcast_arrays(first, second, level, forms)
    found = np.zeros(level.shape)
    for number, form in enumerate(_FORMS):
        part = forms == number
        if part.any():
            found[part] = form(first[part], second[part], level[part])
    return found


def _form(level: Floats) -> NDArray[np.int64]:
    return (level >= _SMALL).astype(np.int64) + (level > LARGE) + np.isinf(level)


def _clipped(value: Floats, level: Floats) -> Floats:
    return np.clip(value, 0.0, level)


def _small(a: Floats, b: Floats, level: Floats) -> Floats:
    gain = np.expm1(level)
    return _clipped(np.log1p(gain * a) - np.log1p(gain * b), level)


def _usual(a: Floats, b: Floats, level: Floats) -> Floats:
    low = np.exp(-level)
    upper = np.log(a + low * np.maximum(1.0 - a, 0.0))
    return _clipped(upper - np.log(b + low * np.maximum(1.0 - b, 0.0)), level)


def _large(a: Floats, b: Floats, level: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        upper, lower = (np.logaddexp(np.log(p), np.log(np.maximum(1.0 - p, 0.0)) - level) for p in (a, b))
    return _clipped(upper - lower, level)


def _infinite(a: Floats, b: Floats, level: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.log(a) - np.log(b)
    return np.maximum(np.where(a > 0, value, 0.0), 0.0)


_FORMS = (_small, _usual, _large, _infinite)


Ints = NDArray[np.int64]

# Numbers in flight while points are made.
_BLOCK = 1 << 18
_PRUNINGS = 12


@dataclass(frozen=True, eq=False)
class Front:
    """The points of one table on its hull, with the pair of secret values each belongs to."""

    #: Both increasing.
    a: Floats
    b: Floats
    #: Number of the pair: first * values + second.
    owner: Ints
    #: Number of secret values.
    values: int

    @classmethod
    def of(cls, rows: Floats) -> Front:
        """Return the front of all sets of symbols, for rows P(source | secret value)."""
        fronts = Fronts.all_subsets([rows])
        kept = fronts.a[0] > 0
        return cls(fronts.a[0, kept], fronts.b[0, kept], fronts.owner[0, kept], len(rows))

    def largest(self, log_rho: float) -> tuple[float, int]:
        """Return the largest log ratio and the point that reaches it; without any point 0 and -1."""
        if not self.a.size:
            return 0.0, -1
        found = two_level(self.a, self.b, log_rho)
        place = int(found.argmax())
        return float(found[place]), place

    def pair(self, place: int) -> tuple[int, int]:
        """Return the secret values of a point: the one made more likely, the one made less likely."""
        if place < 0:
            return 0, 0
        first, second = divmod(int(self.owner[place]), self.values)
        return first, second


@dataclass(frozen=True, eq=False)
class Fronts:
    """The fronts of many tables, one row each, filled up with points (0, 0), which leak nothing."""

    #: As for `Front`, shape (tables, points).
    a: Floats
    b: Floats
    owner: Ints

    @classmethod
    def all_subsets(cls, tables: Sequence[Floats], progress: ProgressHook | None = None) -> Fronts:
        """Return the fronts of all sets of symbols; tables of one shape are computed together."""
        work, done = sum(float(len(rows)) * rows.size for rows in tables), 0.0
        by_shape: dict[tuple[int, ...], list[int]] = {}
        for place, rows in enumerate(tables):
            by_shape.setdefault(rows.shape, []).append(place)
        parts: list[tuple[list[int], Fronts]] = []
        for (m, t), places in by_shape.items():
            step = max(1, _BLOCK // max(1, m * m * t))
            for start in range(0, len(places), step):
                chosen = places[start : start + step]
                share = len(chosen) * m * m * t / work if work else 0.0
                hook = part(progress, done, done + share)
                parts.append((chosen, _prefix_fronts(np.stack([tables[p] for p in chosen]), hook)))
                done += share
        return cls._joined(len(tables), parts)

    @classmethod
    def singletons(cls, tables: Sequence[Floats]) -> Fronts:
        """Return the fronts of single symbols: the extremes of every column."""
        parts: list[tuple[list[int], Fronts]] = []
        for place, rows in enumerate(tables):
            if len(rows) < 2:
                continue
            first, second = rows.argmax(axis=0), rows.argmin(axis=0)
            owner = first * len(rows) + second
            made = upper_left_hull(rows.max(axis=0)[None], rows.min(axis=0)[None], owner[None])
            parts.append(([place], made))
        return cls._joined(len(tables), parts)

    @classmethod
    def _joined(cls, tables: int, parts: Sequence[tuple[list[int], Fronts]]) -> Fronts:
        width = max((made.a.shape[1] for _, made in parts), default=0)
        a, b = np.zeros((2, tables, width))
        owner = np.zeros((tables, width), dtype=np.int64)
        for places, made in parts:
            points = made.a.shape[1]
            a[places, :points], b[places, :points], owner[places, :points] = made.a, made.b, made.owner
        return cls(a, b, owner)

    def values(self, log_rho: ArrayLike) -> Floats:
        """Return the leakage of every table at one budget or one for each; of one table at any number."""
        levels = np.asarray(log_rho, dtype=np.float64)
        if not self.a.shape[1]:
            return np.zeros(np.broadcast_shapes((len(self.a),), levels.shape))
        found: Floats = two_level(self.a, self.b, levels[:, None] if levels.ndim else levels).max(axis=1)
        return found


def _prefix_fronts(stack: Floats, progress: ProgressHook | None = None) -> Fronts:
    """Return the fronts of tables of one shape: sorted prefixes of every ordered pair of secret values."""
    tables, m, t = stack.shape
    if m < 2:
        none = np.zeros((tables, 0))
        return Fronts(none, none, none.astype(np.int64))
    step = max(1, _BLOCK // max(1, tables * m * t))
    found: Fronts | None = None
    for start in range(0, m, step):
        a, b, owner = _prefixes(stack, start, step)
        if found is not None:
            if tables == 1:
                # Most points lie below the hull of those before: sort the others only.
                floor_b, floor_a = np.append(0.0, found.b[0]), np.append(0.0, found.a[0])
                above = a > np.interp(b, floor_b, floor_a)
                a, b, owner = a[above][None], b[above][None], owner[above][None]
            a = np.concatenate((found.a, a), axis=1)
            b = np.concatenate((found.b, b), axis=1)
            owner = np.concatenate((found.owner, owner), axis=1)
        found = upper_left_hull(a, b, owner)
        if progress is not None:
            progress(min(1.0, (start + step) / m))
    assert found is not None
    return found


def _prefixes(stack: Floats, start: int, step: int) -> tuple[Floats, Floats, Ints]:
    """Return points and owners of pairs with one of ``step`` first secret values, shape (tables, points)."""
    tables, m, t = stack.shape
    upper, lower = stack[:, start : start + step, None, :], stack[:, None, :, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = upper / lower
    # 0 over 0 adds nothing, wherever it stands.
    ratio[np.isnan(ratio)] = 0.0
    order = np.argsort(np.negative(ratio, out=ratio), axis=-1)[..., : max(1, t - 1)]
    a, b = (
        np.take_along_axis(np.broadcast_to(part, ratio.shape), order, -1).cumsum(axis=-1)
        for part in (upper, lower)
    )
    pairs = a.shape[1] * m
    owner = np.repeat(np.arange(start * m, start * m + pairs), a.shape[-1])
    return a.reshape(tables, -1), b.reshape(tables, -1), np.broadcast_to(owner, (tables, owner.size))


def upper_left_hull(a: Floats, b: Floats, owner: Ints) -> Fronts:
    """Keep, in every row, the points of the upper left hull; a few more may stay, which costs nothing."""
    order = np.lexsort((-a, b), axis=-1)
    a, b = np.take_along_axis(a, order, -1), np.take_along_axis(b, order, -1)
    owner = np.take_along_axis(owner, order, -1)
    # Further right must mean higher: all others are dominated.
    before = np.zeros_like(a)
    np.maximum.accumulate(a[:, :-1], axis=1, out=before[:, 1:])
    a, b, owner = _compact(a, b, owner, a > before)
    for _ in range(_PRUNINGS):
        if a.shape[1] < 3:
            break
        # Points that fill up have a = 0 and stand last.
        real = a[:, 2:] > 0
        run, rise = b[:, 2:] - b[:, :-2], a[:, 2:] - a[:, :-2]
        under = (a[:, 1:-1] - a[:, :-2]) * run <= rise * (b[:, 1:-1] - b[:, :-2])
        keep = a > 0
        keep[:, 1:-1] &= ~(under & real)
        if keep.sum() == (a > 0).sum():
            break
        a, b, owner = _compact(a, b, owner, keep)
    return Fronts(a, b, owner)


def _compact(a: Floats, b: Floats, owner: Ints, keep: NDArray[np.bool_]) -> tuple[Floats, Floats, Ints]:
    """Move the kept points to the front, in their order, and cut what no row needs."""
    width = int(keep.sum(axis=1).max(initial=0))
    order = np.argsort(~keep, axis=1, kind="stable")[:, :width]
    kept = np.take_along_axis(keep, order, 1)
    first, second = (np.where(kept, np.take_along_axis(part, order, 1), 0.0) for part in (a, b))
    return first, second, np.where(kept, np.take_along_axis(owner, order, 1), 0)
