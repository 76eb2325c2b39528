"""All adversaries of a binary table with any contributions (section 3.3, without a lattice).

The same groups as on a lattice, but the table is weighted by the noise first, for a block of outputs at a
time, because the query may take a different value on every row.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.prior.grouped_layout import (
    Floats,
    Group,
    Workspace,
    agreement,
    groups,
)
from pdp_widgets.leakage.prior.grouped_ratios import ratio_extremes, write_leakages
from pdp_widgets.leakage.progress import Progress

__all__ = ["all_at_outputs", "distinct_outputs"]

#: Numbers in flight for one block of outputs (2 MB), and the most outputs of a block.
BLOCK_NUMBERS = 1 << 18
BLOCK_OUTPUTS = 16

working_arrays = Workspace()


def distinct_outputs(query_values: Floats) -> Floats:
    """Sort the values of the query and merge those that differ by rounding only.

    Examples
    --------
    >>> import numpy as np
    >>> distinct_outputs(np.array([0.3, 0.0, 0.1 + 0.2])).tolist()
    [0.0, 0.3]
    """
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
) -> None:
    """Compute the leakage of all adversaries from the densities at given outputs.

    Parameters
    ----------
    flat
        ``2**n`` probabilities; bit j of the index is 1 where tuple j has its actual value.
    query_values
        Value of the query on the same rows.
    outputs
        Every value of the query, each once, increasing.
    scale
        Scale of the noise.
    values, determined
        Shape ``(n, 2**(n - 1))``; receive the leakages in nats and the flags.
    progress
        Told after every group of every block.
    """
    progress = progress or Progress(None)
    n = len(values)
    block = max(1, min(BLOCK_OUTPUTS, BLOCK_NUMBERS >> n, len(outputs)))
    parts = groups(n)
    progress.expect(len(parts) * math.ceil(len(outputs) / block))
    extremes = [_extremes(flat.reshape(1, -1), group) for group in parts]
    # The prior ratio lies between the extremes, so it is a neutral start for both.
    priors = [extreme[:, 2].copy() for extreme in extremes]
    for start in range(0, len(outputs), block):
        chosen = outputs[start : start + block, None]
        weighted = working_arrays.take("weighted", len(chosen), flat.size)
        np.subtract(chosen, query_values, out=weighted)
        np.abs(weighted, out=weighted)
        np.multiply(weighted, -1.0 / scale, out=weighted)
        np.exp(weighted, out=weighted)
        np.multiply(weighted, flat, out=weighted)
        for group, extreme in zip(parts, extremes, strict=True):
            found = _extremes(weighted, group)
            np.maximum(extreme[:, 0], found[:, 0], out=extreme[:, 0])
            np.minimum(extreme[:, 1], found[:, 1], out=extreme[:, 1])
            progress.step()
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
    """Return largest, smallest and last ratio over the outputs.

    Returns
    -------
    extremes
        Shape ``(states of the high tuples, 3, targets and states in the group, states of the low tuples)``.
    """
    summed = _sum_outside(weighted, group)
    extremes = np.empty((len(summed), 3, group.size << (group.size - 1), 1 << len(group.low)))
    for densities, found in zip(summed, extremes, strict=True):
        found[0], found[1], found[2] = ratio_extremes(densities, group.size)
    return extremes


def _sum_outside(weighted: Floats, group: Group) -> Floats:
    """Sum out the tuples outside the group.

    Parameters
    ----------
    weighted
        Shape ``(outputs, 2**n)``.
    group
        The attacked tuples.

    Returns
    -------
    summed
        Shape ``(states of the high tuples, outputs, rows of the group, states of the low tuples)``; a
        working array.
    """
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
