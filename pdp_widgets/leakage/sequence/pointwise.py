"""Every data sequence against every release sequence of a short stream: the pointwise leakages themselves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.leakage.sequence.about import as_steps
from pdp_widgets.leakage.sequence.batched_stream import as_released
from pdp_widgets.leakage.sequence.release_levels import Step, release_levels
from pdp_widgets.leakage.sequence.stream_source import source_of
from pdp_widgets.mechanisms.local.parameters import as_size
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.immutable import ReadOnlyArrays

__all__ = ["MOST_PAIRS", "PointwiseLeakages", "pointwise_leakages"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Most pairs of a data and a release sequence: two arrays of 32 MB.
MOST_PAIRS = 1 << 22


@dataclass(frozen=True, eq=False)
class PointwiseLeakages(EqualByFields, ReadOnlyArrays, NumberTable):
    """Log ratios of all pairs of sequences of positive probability.

    Parameters
    ----------
    data
        Data sequences of positive probability, shape (X, steps).
    released
        Release sequences of positive probability, shape (Y, steps).
    data_chance
        Pr(x), shape (X,).
    release_chance
        Pr(y), shape (Y,).
    given
        Pr(y | x), shape (X, Y).
    leakage
        log Pr(y | x) / Pr(y) in nats, shape (X, Y); minus infinity where y excludes x.

    Examples
    --------
    >>> from pdp_widgets import ConditionalResponse, MarkovChain, pointwise_leakages
    >>> found = pointwise_leakages(MarkovChain.symmetric(0.5), ConditionalResponse(1.0), 2)
    >>> round(found.upper, 4), round(found.lower, 4), round(found.local_level, 4)
    (0.9798, 2.0, 2.9798)
    """

    data: Ints
    released: Ints
    data_chance: Floats
    release_chance: Floats
    given: Floats
    leakage: Floats

    def _numbers(self) -> Numbers:
        """Return one pair of sequences a row; the symbols are positions, joined by blanks."""
        data, released = (
            [" ".join(map(str, row)) for row in part] for part in (self.data.tolist(), self.released.tolist())
        )
        many, outputs = self.leakage.shape
        return Numbers(
            {
                "data": np.repeat(np.array(data, dtype=object), outputs),
                "released": np.tile(np.array(released, dtype=object), many),
                "chance of data": np.repeat(self.data_chance, outputs),
                "chance of release": np.tile(self.release_chance, many),
                "chance given data": self.given.ravel(),
                "leakage": self.leakage.ravel(),
            },
            {
                "data": "text",
                "released": "text",
                "chance of data": "probability",
                "chance of release": "probability",
                "chance given data": "probability",
                "leakage": "nats",
            },
            {"unit": "nats", "status": {"leakage": "exact"}},
            order=tuple(np.argsort(-np.abs(self.leakage).ravel(), kind="stable")[:1000].tolist()),
        )

    @property
    def upper(self) -> float:
        """The largest log ratio."""
        return max(0.0, float(self.leakage.max(initial=0.0)))

    @property
    def lower(self) -> float:
        """The largest minus log ratio."""
        return max(0.0, -float(self.leakage.min(initial=0.0)))

    @property
    def local_level(self) -> float:
        """The largest log ratio of Pr(y | x) for two data sequences (LDP on sequences that can occur)."""
        if self.leakage.size == 0:
            return 0.0
        return float((self.leakage.max(axis=0) - self.leakage.min(axis=0)).max())

    @property
    def mutual_information(self) -> float:
        """The mean of the log ratios, in nats."""
        weights = self.data_chance[:, None] * self.given
        return max(0.0, float((weights * np.where(weights > 0, self.leakage, 0.0)).sum()))

    @property
    def largest_pair(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """A data and a release sequence whose log ratio is the largest in size."""
        x, y = np.unravel_index(int(np.abs(self.leakage).argmax()), self.leakage.shape)
        return tuple(self.data[x].tolist()), tuple(self.released[y].tolist())


def pointwise_leakages(
    chain: Any,
    mechanism: Step | Sequence[Step],
    steps: int,
    *,
    most_pairs: int = MOST_PAIRS,
    progress: ProgressHook | None = None,
) -> PointwiseLeakages:
    """Return the log ratios of all pairs of a data and a release sequence.

    Parameters
    ----------
    chain
        A `MarkovChain`, a `HistorySource`, or a pair of a start law and a transition matrix.
    mechanism
        A mechanism, a function from a belief to a matrix, or one of them for each step; or a `BatchRelease`.
    steps
        Number of steps.
    most_pairs
        Refuse more pairs.
    progress
        Told the share done; what it raises cancels.

    Raises
    ------
    LimitError
        There are too many pairs.

    Examples
    --------
    >>> flip = lambda belief: np.array([[0.75, 0.25], [0.25, 0.75]])
    >>> found = pointwise_leakages(([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]]), flip, 3)
    >>> found.leakage.shape, found.largest_pair
    ((8, 8), ((0, 0, 0), (1, 1, 1)))
    """
    source, mechanism, length = as_released(source_of(chain), mechanism, as_steps(steps))
    most_pairs = as_size(most_pairs, "most_pairs", 1)
    log_pairs = 2 * sum(math.log(source.count(step)) for step in range(length))
    if log_pairs > math.log(most_pairs) + 1e-9:
        raise LimitError(
            f"{length} steps with {source.n:,} symbols have {source.n:,}^{2 * length} pairs of a data and a "
            f"release sequence (limit {most_pairs:,}); take fewer steps.",
            Where("parameter", name="steps"),
        )
    data, released = np.zeros((1, 0), dtype=np.int64), np.zeros((1, 0), dtype=np.int64)
    state = np.zeros(1, dtype=np.int64)
    data_chance, release_chance = np.ones(1), np.ones(1)
    given, leakage = np.ones((1, 1)), np.zeros((1, 1))
    levels = release_levels(source, mechanism, length, merge=False, most=most_pairs, progress=progress)
    for level in levels:
        if level.step == 0:
            targets, chances = np.arange(source.n)[None], source.start[None]
        else:
            targets, chances = source.successors(level.step - 1)
        row, symbol = np.nonzero(chances[state] > 0)
        data = np.column_stack([data[row], symbol])
        data_chance = data_chance[row] * chances[state[row], symbol]
        state = targets[state[row], symbol]
        node, output = level.parent, level.output
        released = np.column_stack([released[node], output])
        release_chance = release_chance[node] * level.law[node, output]
        at = (node[None, :], level.rows[state][:, None], output[None, :])
        given = given[row][:, node] * level.matrices[at]
        leakage = leakage[row][:, node] + level.ratios[at]
    return PointwiseLeakages(data, released, data_chance, release_chance, given, leakage)
