"""The mutual information of a stream and its releases: the mean of what the worst case bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.leakage.sequence.about import as_steps
from pdp_widgets.leakage.sequence.batched_stream import as_released
from pdp_widgets.leakage.sequence.release_levels import Level, Step, release_levels
from pdp_widgets.leakage.sequence.stream_source import source_of
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.immutable import ReadOnlyArrays

__all__ = [
    "SequenceInformation",
    "information_of",
    "sequence_mutual_information",
]


@dataclass(frozen=True, eq=False)
class SequenceInformation(EqualByFields, ReadOnlyArrays):
    """The mutual information of data and releases, in nats.

    Parameters
    ----------
    per_step
        What the release of each step adds, given the releases before it, shape (steps,).

    Notes
    -----
    It adds up over the steps. It is never above the leakage of the stream, and a bound on it bounds no worst
    case.

    Examples
    --------
    >>> float(SequenceInformation(np.array([0.25, 0.125])))
    0.375
    """

    per_step: NDArray[np.float64]

    @property
    def total(self) -> float:
        """Of all steps."""
        return float(self.per_step.sum())

    def __float__(self) -> float:
        return self.total


def sequence_mutual_information(
    chain: Any, mechanism: Step | Sequence[Step], steps: int, *, progress: ProgressHook | None = None
) -> SequenceInformation:
    """Return the exact mutual information of a stream and its releases.

    Parameters
    ----------
    chain
        A `MarkovChain`, a `HistorySource`, or a pair of a start law and a transition matrix.
    mechanism
        A mechanism, a function from a belief to a matrix, or one of them for each step; or a `BatchRelease`.
    steps
        Number of steps.
    progress
        Told the share done; what it raises cancels.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
    >>> chain = ([0.5, 0.5], [[0.8, 0.2], [0.2, 0.8]])
    >>> found = sequence_mutual_information(chain, ConditionalResponse(1.0), 4)
    >>> round(found.total, 6), found.per_step.round(3).tolist()
    (0.802725, [0.216, 0.199, 0.195, 0.194])
    """
    source, mechanism, length = as_released(source_of(chain), mechanism, as_steps(steps))
    levels = release_levels(source, mechanism, length, progress=progress)
    found = np.array([information_of(level) for level in levels])
    found.setflags(write=False)
    return SequenceInformation(found)


def information_of(level: Level) -> float:
    """Return what the releases of one step say about its symbol on average, given the releases before it."""
    weights = level.beliefs[:, :, None] * level.matrices
    mean = (weights * np.where(weights > 0, level.ratios, 0.0)).sum(axis=(1, 2))
    return max(0.0, float(level.chance @ mean))
