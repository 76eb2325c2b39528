"""From the rows of a group to the leakages of its targets (section 3.3, steps 4 and 5)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.prior.grouped_layout import Floats, Workspace

__all__ = ["ratio_extremes", "write_leakages"]

_kept = Workspace()


def ratio_extremes(densities: Floats, largest: Floats, smallest: Floats, last: Floats) -> None:
    """Sum the other tuples of the group in or out, divide, and reduce over the outputs.

    The ratio is that of the other label over the actual label of the target.

    Parameters
    ----------
    densities
        Shape ``(2**g, outputs, states)``: unnormalised densities on the rows of a group of g tuples, bit b
        of the row is 1 where tuple b has its actual value. Overwritten.
    largest, smallest, last
        Shape ``(g, 2**(g - 1), states)``: target, known ones among the other tuples of the group. Receive
        the extreme ratios over all outputs and the ratio at the last output.

    Examples
    --------
    >>> import numpy as np
    >>> largest, smallest, last = np.empty((3, 2, 2, 1))
    >>> ratio_extremes(np.array([1.0, 2.0, 3.0, 4.0]).reshape(4, 1, 1), largest, smallest, last)
    >>> largest[:, :, 0].tolist()
    [[0.6666666666666666, 0.75], [0.42857142857142855, 0.5]]
    """
    _, outputs, states = densities.shape
    g = len(largest)
    block = densities.reshape((2,) * g + (outputs, states))
    _leave_one_out(block, tuple(range(g)), (largest, smallest, last))


def _leave_one_out(block: Floats, pending: tuple[int, ...], results: tuple[Floats, Floats, Floats]) -> None:
    """Divide and conquer: the tuples that are not pending are already known or summed."""
    if len(pending) == 1:
        _divide(block, pending[0], None, results)
    elif len(pending) == 2:
        _divide(block, pending[0], pending[1], results)
        _divide(block, pending[1], pending[0], results)
    else:
        g = block.ndim - 2
        half = len(pending) // 2
        copy = _kept.take(f"copy{len(pending)}", *block.shape)
        copy[...] = block
        for first, second, array in (
            (pending[:half], pending[half:], copy),
            (pending[half:], pending[:half], block),
        ):
            for b in second:
                halves = array.reshape(1 << (g - 1 - b), 2, -1)
                np.add(halves[:, 0], halves[:, 1], out=halves[:, 0])
            _leave_one_out(array, first, results)


def _divide(block: Floats, target: int, partner: int | None, results: tuple[Floats, Floats, Floats]) -> None:
    """Write the ratios of one target; the partner is summed on the way, without changing the block."""
    g = block.ndim - 2
    outputs, states = block.shape[g:]
    block_order, row_order = _orders(g, target, partner)
    labels = block.transpose(block_order)
    ratios = _kept.take("ratios", outputs, *(2,) * (g - 1), states)
    row = ratios.transpose(row_order)
    if partner is None:
        np.divide(labels[0], labels[1], out=row)
    else:
        np.divide(labels[0, 1], labels[1, 1], out=row[1])
        sums = _kept.take("sums", 2, *labels.shape[2:])
        np.add(labels[:, 0], labels[:, 1], out=sums)
        np.divide(sums[0], sums[1], out=row[0])
    ratios = ratios.reshape(outputs, -1, states)
    largest, smallest, last = results
    np.maximum.reduce(ratios, axis=0, out=largest[target])
    np.minimum.reduce(ratios, axis=0, out=smallest[target])
    last[target] = ratios[-1]


@lru_cache(maxsize=128)
def _orders(g: int, target: int, partner: int | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Axis orders that bring target and partner to the front, of the block and of its row of ratios."""
    chosen = [target] if partner is None else [target, partner]
    rest = [b for b in reversed(range(g)) if b not in chosen]
    others = [b for b in reversed(range(g)) if b != target]
    block = [g - 1 - b for b in chosen + rest] + [g, g + 1]
    row = [1 + others.index(b) for b in chosen[1:] + rest] + [0, g]
    return tuple(block), tuple(row)


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
