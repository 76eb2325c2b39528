"""Exact leakage of every adversary of a binary table, grouped form of section 3.3.

The paper is "Impact of Prior Knowledge and Data Correlation on Privacy Leakage: A Unified Analysis"; the
leakage is its Eq. 2 with the known values taken from one row (convention ``instance``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import InstanceError, TableError, Where
from pdp_widgets.leakage.prior import grouped_lattice, grouped_outputs, grouped_ratios
from pdp_widgets.leakage.prior.grouped_lattice import all_on_lattice, find_lattice
from pdp_widgets.leakage.prior.grouped_layout import Floats, relabel, subset_sums
from pdp_widgets.leakage.prior.grouped_outputs import all_at_outputs, distinct_outputs
from pdp_widgets.leakage.prior.releases import needs_logarithms
from pdp_widgets.leakage.progress import Progress, ProgressHook
from pdp_widgets.leakage.wide_noise import WIDE

__all__ = ["all_adversaries", "applies"]

#: Longest query range, in steps, for which sorting into grades beats weighting every row.
LONGEST_RANGE = 64

#: Largest change of a leakage, in nats, that may come from moving contributions onto a lattice.
LATTICE_ACCURACY = 5e-13


def applies(table: Floats, contributions: Sequence[ArrayLike], scale: float) -> bool:
    """Tell whether the grouped form is right for this input.

    Parameters
    ----------
    table
        Probabilities, axis j of tuple j.
    contributions
        Contribution of every label, one array per tuple.
    scale
        Scale of the Laplace noise, in units of the query.

    Returns
    -------
    applies
        True if every tuple has two labels, no weight of the noise can underflow, and the noise is not so wide
        that weights can hardly be told from 1.

    Examples
    --------
    >>> import numpy as np
    >>> applies(np.full((2, 2), 0.25), [[0, 1], [0, 1]], 1.0)
    True
    >>> applies(np.full((2, 2), 0.25), [[0, 1], [0, 1]], 0.001)
    False
    """
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
) -> tuple[Floats, NDArray[np.bool_]]:
    """Compute the exact leakage of all ``n * 2**(n - 1)`` adversaries (Eq. 2).

    Parameters
    ----------
    table
        Probabilities of a binary table, shape ``(2,) * n``, axis j of tuple j.
    contributions
        Contribution of every label, one array per tuple, in units of the query.
    scale
        Scale of the Laplace noise, in units of the query.
    instance_positions
        Position of the actual label of each tuple.
    progress
        Called with the share done; what it raises cancels.

    Returns
    -------
    values
        Leakages in nats, shape ``(n, 2**(n - 1))``: row i attacks tuple i; bit p of the column is set if the
        p-th of the other tuples is known.
    determined
        Same shape; True where the known values leave one label only.

    Raises
    ------
    TableError
        The table is not binary.
    InstanceError
        The actual row has probability 0.

    Notes
    -----
    Time O(R n log n 2^n) for R values of the query; agrees with the direct form to about 1e-14. The caller
    checks `applies` first: otherwise weights may underflow.

    Examples
    --------
    Two correlated bits. Knowing the other one, the adversary learns 1 nat, the promise; knowing nothing,
    more than that.

    >>> import numpy as np
    >>> table = np.array([[0.3, 0.2], [0.2, 0.3]])
    >>> values, determined = all_adversaries(table, [[0, 1], [0, 1]], 1.0, (0, 0))
    >>> values.round(4).tolist()
    [[1.1854, 1.0], [1.1854, 1.0]]
    """
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
            all_at_outputs(flat, query_values, outputs, scale, values, determined, counted)
        else:
            steps = tuple(
                multiple if difference > 0 else -multiple
                for multiple, difference in zip(lattice.multiples, differences, strict=True)
            )
            if lattice.range <= LONGEST_RANGE:
                all_on_lattice(flat, steps, lattice.step / scale, values, determined, counted)
            else:
                grades = subset_sums(np.array(steps)).astype(float)
                outputs = np.unique(grades)
                all_at_outputs(flat, grades, outputs, scale / lattice.step, values, determined, counted)
    counted.finish()
    return values, determined


def _apart(hook: ProgressHook) -> ProgressHook:
    """Let the hook answer messages that ask for another computation, without losing the working arrays."""

    def call(share: float) -> None:
        with (
            grouped_lattice.working_arrays.set_aside(),
            grouped_outputs.working_arrays.set_aside(),
            grouped_ratios.working_arrays.set_aside(),
        ):
            hook(share)

    return call


@contextmanager
def _short_buffer() -> Iterator[None]:
    """Keep numpy from copying short runs through its buffer; the old size returns even after an error.

    The size belongs to the current context, so other threads are not touched.
    """
    before = np.setbufsize(64)
    try:
        with np.errstate(divide="raise", invalid="raise", over="raise", under="ignore"):
            yield
    finally:
        np.setbufsize(before)
