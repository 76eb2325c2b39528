"""How far releases are from the data on average: step by step, and by the size of batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.leakage.sequence.about import as_steps
from pdp_widgets.leakage.sequence.batched_stream import as_released, distances_by_step
from pdp_widgets.leakage.sequence.release_levels import Level, Step, release_levels
from pdp_widgets.leakage.sequence.stream_source import source_of

__all__ = ["error_of", "expected_errors"]

Floats = NDArray[np.float64]


def expected_errors(
    chain: Any,
    mechanism: Step | Sequence[Step],
    steps: int,
    distance: Any = None,
    *,
    progress: ProgressHook | None = None,
) -> Floats:
    """Return the mean distance of release and data at each step, exactly.

    Parameters
    ----------
    chain
        A `MarkovChain`, a `HistorySource`, or a pair of a start law and a transition matrix.
    mechanism
        A mechanism, a function from a belief to a matrix, or one of them for each step; or a `BatchRelease`.
    steps
        Number of steps.
    distance
        A `Distance`, its name, a matrix, or None for 0 or 1; of batches, summed over their steps.
    progress
        Told the share done; what it raises cancels.

    Returns
    -------
    numpy.ndarray
        Shape (steps,); the mean is over data and releases.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
    >>> chain = ([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> expected_errors(chain, ConditionalResponse(1.0), 3).round(4).tolist()
    [0.1839, 0.1369, 0.1188]
    """
    given: Any = mechanism
    source, each, length = as_released(source_of(chain), given, as_steps(steps))
    distances = distances_by_step(source, given, distance)
    levels = release_levels(source, each, length, progress=progress)
    return np.array([error_of(level, distances(level.step)) for level in levels])


def error_of(level: Level, distances: Floats) -> float:
    """Return the mean distance of release and data at one step."""
    costs = (level.beliefs[:, :, None] * level.matrices * distances[level.row_symbols]).sum(axis=(1, 2))
    return float(level.chance @ costs)
