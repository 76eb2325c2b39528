"""From the rows of a group to the leakages of its targets (section 3.3, steps 4 and 5)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.prior.grouped_layout import Floats, Workspace

__all__ = ["ratio_extremes", "write_leakages"]

#: Outputs worked on at a time: the products of one block stay in the cache.
BLOCK_OUTPUTS = 20

working_arrays = Workspace()


@lru_cache(maxsize=8)
def leave_one_out(g: int) -> Floats:
    """Return the 0/1 matrix from the rows of a group to (label, target, known ones among the others).

    The first half of the rows has the target at its other label, the second half at the actual one.

    Parameters
    ----------
    g
        Size of the group.

    Returns
    -------
    matrix
        Shape ``(g * 2**g, 2**g)``.

    Examples
    --------
    >>> leave_one_out(1).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    rows = np.arange(1 << g)
    known = np.arange(1 << (g - 1))
    matrix = np.zeros((2, g, len(known), len(rows)))
    for target in range(g):
        others = rows & ((1 << target) - 1) | rows >> (target + 1) << target
        agrees = (others[None, :] & known[:, None]) == known[:, None]
        for actual in (0, 1):
            matrix[actual, target] = agrees & ((rows >> target & 1) == actual)
    # Column order: BLAS takes a matrix from the left faster this way.
    flat: Floats = np.asfortranarray(matrix.reshape(g << g, 1 << g))
    flat.flags.writeable = False
    return flat


def ratio_extremes(densities: Floats, g: int) -> tuple[Floats, Floats, Floats]:
    """Sum the other tuples of the group in or out, divide, and reduce over the outputs.

    The ratio is that of the other label over the actual label of the target.

    Parameters
    ----------
    densities
        Shape ``(outputs, 2**g, states)``: unnormalised densities on the rows of a group of g tuples, bit b
        of the row is 1 where tuple b has its actual value.
    g
        Size of the group.

    Returns
    -------
    largest, smallest, last
        Shape ``(g * 2**(g - 1), states)``: target, known ones among the other tuples of the group; the
        extreme ratios over all outputs and the ratio at the last output. Working arrays.

    Examples
    --------
    >>> import numpy as np
    >>> largest, _, _ = ratio_extremes(np.array([[[1.0], [2.0], [3.0], [4.0]]]), 2)
    >>> largest[:, 0].tolist()
    [0.6666666666666666, 0.75, 0.42857142857142855, 0.5]
    """
    matrix = leave_one_out(g)
    outputs, _, states = densities.shape
    half = len(matrix) // 2
    ratios = working_arrays.take("ratios", outputs, half, states)
    for first in range(0, outputs, BLOCK_OUTPUTS):
        block = densities[first : first + BLOCK_OUTPUTS]
        both = working_arrays.take("both", len(block), 2 * half, states)
        np.matmul(matrix, block, out=both)
        np.divide(both[:, :half], both[:, half:], out=ratios[first : first + BLOCK_OUTPUTS])
    largest, smallest = working_arrays.take("extremes", 2, half, states)
    np.maximum.reduce(ratios, axis=0, out=largest)
    np.minimum.reduce(ratios, axis=0, out=smallest)
    return largest, smallest, ratios[-1]


def write_leakages(
    largest: Floats, smallest: Floats, prior: Floats, values: Floats, determined: NDArray[np.bool_]
) -> None:
    """Turn extreme ratios into leakages, one logarithm per node.

    A ratio is the unnormalised density of the other label over that of the actual label; dividing by the
    ratio of the prior weights normalises both at once.

    Parameters
    ----------
    largest, smallest
        Extreme ratios over all outputs, at least and at most ``prior``. Overwritten.
    prior
        Ratio of the prior weights; 0 means that the other label is impossible. Overwritten.
    values, determined
        Views that receive the leakages in nats and the flags; same shape.
    """
    impossible = prior == 0.0
    determined[...] = impossible
    if impossible.any():
        # The label is impossible at every output, so the extremes are 0 too: 1 / 1 gives leakage 0.
        prior += impossible
        largest += impossible
        smallest += impossible
    np.divide(largest, prior, out=largest)
    np.divide(prior, smallest, out=smallest)
    np.maximum(largest, smallest, out=largest)
    np.log(largest, out=largest)
    values[...] = largest
