"""Exact leakage of every adversary of a binary table, grouped form of section 3.3.

The paper is "Impact of Prior Knowledge and Data Correlation on Privacy Leakage: A Unified Analysis"; the
leakage is its Eq. 2 with the known values taken from one row (convention ``instance``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.progress import Progress, ProgressHook
from pdp_widgets.errors import InstanceError, TableError, Where
from pdp_widgets.leakage.prior import grouped_lattice, grouped_layout
from pdp_widgets.leakage.prior.grouped_lattice import all_on_lattice, find_lattice
from pdp_widgets.leakage.prior.grouped_layout import (
    Floats,
    Group,
    Workspace,
    agreement,
    groups,
    ratio_extremes,
    relabel,
    subset_sums,
    write_leakages,
)
from pdp_widgets.leakage.prior.releases import needs_logarithms
from pdp_widgets.leakage.threads import Team
from pdp_widgets.leakage.wide_noise import WIDE

__all__ = ["all_adversaries", "all_at_outputs", "applies", "distinct_outputs"]

#: Numbers in flight for one block of outputs (2 MB), and the most outputs of a block.
BLOCK_NUMBERS = 1 << 18
BLOCK_OUTPUTS = 16

working_arrays = Workspace()


def distinct_outputs(query_values: Floats) -> Floats:
    """Sort the values of the query and merge those that differ by rounding only."""
    ordered = np.sort(query_values)
    tolerance = 1e-13 * (ordered[-1] - ordered[0])
    return ordered[np.concatenate(([True], np.diff(ordered) > tolerance))]


def all_at_outputs(
    flat: Floats,
    query_values: Floats,
    outputs: Floats,
    scale: float,
    values: Floats,
    determined: NDArray[np.bool_],
    progress: Progress | None = None,
    threads: int = 1,
) -> None:
    """Compute the leakage of all adversaries from the densities at given outputs."""
    progress = progress or Progress(None)
    n = len(values)
    block = max(1, min(BLOCK_OUTPUTS, BLOCK_NUMBERS >> n, len(outputs)))
    parts = groups(n)
    progress.expect(len(parts) * math.ceil(len(outputs) / block))
    extremes = [_extremes(flat.reshape(1, -1), group) for group in parts]
    # The prior ratio lies between the extremes, so it is a neutral start for both.
    priors = [extreme[:, 2].copy() for extreme in extremes]

    def reach(group: Group, extreme: Floats, weighted: Floats) -> None:
        found = _extremes(weighted, group)
        np.maximum(extreme[:, 0], found[:, 0], out=extreme[:, 0])
        np.minimum(extreme[:, 1], found[:, 1], out=extreme[:, 1])

    with Team(threads) as team:
        for start in range(0, len(outputs), block):
            chosen = outputs[start : start + block, None]
            weighted = working_arrays.take("weighted", len(chosen), flat.size)
            np.subtract(chosen, query_values, out=weighted)
            np.abs(weighted, out=weighted)
            np.multiply(weighted, -1.0 / scale, out=weighted)
            np.exp(weighted, out=weighted)
            np.multiply(weighted, flat, out=weighted)
            each = zip(parts, extremes, strict=True)
            team.run([partial(reach, group, extreme, weighted) for group, extreme in each], progress.step)
    for group, extreme, prior in zip(parts, extremes, priors, strict=True):
        for state in range(len(extreme)):
            place = group.place(values, state)
            write_leakages(
                extreme[state, 0].reshape(place.shape),
                extreme[state, 1].reshape(place.shape),
                prior[state].reshape(place.shape),
                place,
                group.place(determined, state),
            )


def _extremes(weighted: Floats, group: Group) -> Floats:
    """Return largest, smallest and last ratio over the outputs."""
    summed = _sum_outside(weighted, group)
    extremes = np.empty((len(summed), 3, group.size << (group.size - 1), 1 << len(group.low)))
    for densities, found in zip(summed, extremes, strict=True):
        found[0], found[1], found[2] = ratio_extremes(densities, group.size)
    return extremes


def _sum_outside(weighted: Floats, group: Group) -> Floats:
    """Sum out the tuples outside the group."""
    outputs = len(weighted)
    states, rows, low = 1 << len(group.high), 1 << group.size, 1 << len(group.low)
    source = working_arrays.take("source", states, outputs, rows, low)
    for position in range(outputs):
        group.arrange(weighted[position], source[:, position])
    summed = working_arrays.take("summed", states, outputs, rows, low)
    np.matmul(source.reshape(-1, low), agreement(len(group.low)), out=summed.reshape(-1, low))
    for bit in range(len(group.high)):
        halves = summed.reshape(states >> (bit + 1), 2, -1)
        np.add(halves[:, 0], halves[:, 1], out=halves[:, 0])
    return summed


#: Longest query range, in steps, for which sorting into grades beats weighting every row.
LONGEST_RANGE = 64

#: Largest change of a leakage, in nats, that may come from moving contributions onto a lattice.
LATTICE_ACCURACY = 5e-13


def applies(table: Floats, contributions: Sequence[ArrayLike], scale: float) -> bool:
    """Tell whether the grouped form is right for this input."""
    binary = table.ndim > 0 and table.shape == (2,) * table.ndim
    reach = sum(float(np.ptp(np.asarray(y, dtype=np.float64))) for y in contributions) / scale
    # The direct form has all digits of leakages that are next to nothing.
    return binary and not 0 < reach < WIDE and not needs_logarithms(table, contributions, scale)


def all_adversaries(
    table: Floats,
    contributions: Sequence[ArrayLike],
    scale: float,
    instance_positions: Sequence[int],
    progress: ProgressHook | None = None,
    threads: int = 1,
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return exact leakages of a binary table in nats (Eq. 2), and whether targets are determined."""
    # Node arrays (n, 2**(n - 1)); determined: the known values leave one label only. Time O(R n log n 2^n)
    # for R values of the query; agrees with the direct form to about 1e-14. The caller checks `applies`
    # first: otherwise weights may underflow.
    n = table.ndim
    if n == 0 or table.shape != (2,) * n:
        raise TableError(
            f"The table has shape {table.shape}; the grouped form needs two labels in every tuple.",
            Where("table"),
        )
    instance = tuple(map(int, instance_positions))
    if not table[instance] > 0.0:
        raise InstanceError(
            f"The actual row (label positions {instance}) has probability 0; choose a row that can occur.",
            Where("row", index=instance),
        )
    flat = relabel(table, instance)
    pairs = [np.asarray(y, dtype=float) for y in contributions]
    differences = tuple(float(y[1 - x] - y[x]) for y, x in zip(pairs, instance, strict=True))
    values = np.empty((n, 1 << (n - 1)))
    determined = np.empty(values.shape, dtype=bool)
    lattice = find_lattice(tuple(map(abs, differences)))
    counted = Progress(None if progress is None else _apart(progress))
    with _short_buffer():
        if lattice is None or 2 * lattice.error > LATTICE_ACCURACY * scale:
            query_values = subset_sums(np.array(differences))
            outputs = distinct_outputs(query_values)
            all_at_outputs(flat, query_values, outputs, scale, values, determined, counted, threads)
        else:
            steps = tuple(
                multiple if difference > 0 else -multiple
                for multiple, difference in zip(lattice.multiples, differences, strict=True)
            )
            if lattice.range <= LONGEST_RANGE:
                all_on_lattice(flat, steps, lattice.step / scale, values, determined, counted, threads)
            else:
                grades = subset_sums(np.array(steps)).astype(float)
                outputs = np.unique(grades)
                all_at_outputs(
                    flat, grades, outputs, scale / lattice.step, values, determined, counted, threads
                )
    counted.finish()
    return values, determined


def _apart(hook: ProgressHook) -> ProgressHook:
    """Let the hook answer messages that ask for another computation, without losing the working arrays."""

    def call(share: float) -> None:
        with (
            grouped_lattice.working_arrays.set_aside(),
            working_arrays.set_aside(),
            grouped_layout.working_arrays.set_aside(),
        ):
            hook(share)

    return call


@contextmanager
def _short_buffer() -> Iterator[None]:
    """Keep numpy from copying short runs through its buffer; the old size returns even after an error."""
    # The size belongs to the current context, so other threads are not touched.
    before = np.setbufsize(64)
    try:
        with np.errstate(divide="raise", invalid="raise", over="raise", under="ignore"):
            yield
    finally:
        np.setbufsize(before)
