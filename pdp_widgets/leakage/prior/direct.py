"""Exact leakage of all adversaries who know values of one row, for any domains, in its direct form.

For one release r let G(x) = P(x) exp(-|r - f(x)| / scale). For a target, every other axis is taken from its
labels to two states: *known* (the slice at the instance) and *unknown* (the sum over all labels). The entry
at label v of the target is then proportional to the density of r given v and the known values, and the same
transform of P gives the factor. All targets are served by divide and conquer over the axes: n log2 n axis
passes instead of n (n - 1).

Only non-negative numbers are added, so the relative accuracy is that of a few roundings. Where exp(-|r - f| /
scale) would underflow, the same transforms run on logarithms; where it hardly differs from 1, on the
difference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import Progress, ProgressHook
from pdp_widgets.leakage.prior.releases import Centres, centres_of
from pdp_widgets.leakage.wide_noise import log_shares

__all__ = ["all_adversaries", "over_releases"]

Floats = NDArray[np.float64]

# Numbers in flight for one block of releases: small enough to stay in the processor's cache.
_BLOCK = 1 << 17


def _two_states(array: Floats, axis: int, position: int, add: Callable[..., Floats]) -> Floats:
    """Take one axis from its labels to the states unknown (0: sum) and known (1: slice)."""
    shape = list(array.shape)
    shape[axis] = 2
    made = np.empty(shape)
    unknown = [slice(None)] * array.ndim
    unknown[axis] = slice(0, 1)
    known = [slice(None)] * array.ndim
    known[axis] = slice(1, 2)
    add(array, axis=axis, keepdims=True, out=made[tuple(unknown)])
    source = [slice(None)] * array.ndim
    source[axis] = slice(position, position + 1)
    made[tuple(known)] = array[tuple(source)]
    return made


def _leaves(
    array: Floats, targets: list[int], instance: Sequence[int], add: Callable[..., Floats]
) -> Iterator[tuple[int, Floats]]:
    """Yield for every target the array whose other axes have two states; axis 0 counts releases."""
    if len(targets) == 1:
        yield targets[0], array
        return
    half = len(targets) // 2
    for kept, gone in ((targets[:half], targets[half:]), (targets[half:], targets[:half])):
        part = array
        for j in gone:
            part = _two_states(part, j + 1, instance[j], add)
        yield from _leaves(part, kept, instance, add)


def _columns(array: Floats) -> Floats:
    """Flatten the two-state axes behind axis 0 so that the first of them is the lowest bit of the column."""
    return np.asarray(array.transpose(0, *range(array.ndim - 1, 0, -1)).reshape(array.shape[0], -1))


def _by_label(array: Floats, target: int) -> Floats:
    """Return shape (labels of the target, releases, columns)."""
    moved = np.moveaxis(array, target + 1, 0)
    return np.stack([_columns(part) for part in moved])


def all_adversaries(
    table: Floats,
    contributions: Sequence[Floats],
    scale: float,
    instance_positions: Sequence[int],
    progress: ProgressHook | None = None,
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return exact leakage in nats and whether the target is determined, as node arrays (n, 2**(n-1))."""
    return over_releases(table, centres_of(table, contributions, scale), instance_positions, progress)


def over_releases(
    table: Floats, centres: Centres, instance_positions: Sequence[int], progress: ProgressHook | None = None
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the same for a release that is given by its centres, of one number or of several."""
    n = table.ndim
    values = np.zeros((n, 1 << (n - 1)))
    determined = np.zeros((n, 1 << (n - 1)), dtype=bool)
    logarithms = centres.logarithms
    with np.errstate(divide="ignore"):
        base = np.log(table) if logarithms else table
    add: Callable[..., Floats] = np.logaddexp.reduce if logarithms else np.add.reduce

    possible: dict[int, NDArray[np.bool_]] = {}
    factors: dict[int, Floats] = {}
    for i, leaf in _leaves(base[np.newaxis], list(range(n)), instance_positions, add):
        z = _by_label(leaf, i)
        possible[i] = np.isfinite(z) if logarithms else z > 0
        # An impossible label takes part in neither extreme: give it a factor that cannot disturb.
        factors[i] = np.where(possible[i], z, 0.0 if logarithms else 1.0)
        determined[i] = possible[i][:, 0].sum(axis=0) < 2

    step = max(1, _BLOCK // table.size)
    counted = Progress(progress, n * math.ceil(centres.releases / step))
    for start in range(0, centres.releases, step):
        if centres.wide:
            weighted = base[np.newaxis] * centres.falls(start, start + step)
        else:
            distance = centres.distances(start, start + step)
            weighted = base[np.newaxis] - distance if logarithms else base[np.newaxis] * np.exp(-distance)
        for i, leaf in _leaves(weighted, list(range(n)), instance_positions, add):
            densities = _by_label(leaf, i)
            if logarithms or centres.wide:
                if logarithms:
                    densities -= factors[i]
                else:
                    densities = log_shares(densities / factors[i], centres.reach)
                highest = np.where(possible[i], densities, -np.inf).max(axis=0)
                lowest = np.where(possible[i], densities, np.inf).min(axis=0)
                gain = np.subtract(highest, lowest, out=np.zeros_like(highest), where=~determined[i])
            else:
                densities /= factors[i]
                highest = densities.max(axis=0)
                lowest = np.where(possible[i], densities, np.inf).min(axis=0)
                gain = np.divide(highest, lowest, out=np.ones_like(highest), where=~determined[i])
            np.maximum(values[i], gain.max(axis=0), out=values[i])
            counted.step()
    if centres.wide:
        values *= centres.reach
    elif not logarithms:
        values = np.log(np.maximum(values, 1.0))
    values[determined] = 0.0
    counted.finish()
    return values, determined
