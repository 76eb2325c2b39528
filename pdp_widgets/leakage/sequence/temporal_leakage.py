"""What is learned about one event from all releases of a stream, when each is locally private by itself.

Temporal privacy leakage is a comparator: it states what is lost of a promise for one event when its
neighbours in time are reported too, and the adversary knows how the data move (Cao, Yoshikawa, Xiao, Xiong).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import ChainError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.leakage.sequence.about import as_steps, stream_leakage
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.local.parameters import as_epsilon
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.given_numbers import plain_numbers, refuse_masked
from pdp_widgets.models.immutable import ReadOnlyArrays

__all__ = ["TemporalLeakage", "carried_leakage", "temporal_leakage"]

Floats = NDArray[np.float64]
_SOURCE = "Cao, Yoshikawa, Xiao and Xiong, temporal privacy leakage"


@dataclass(frozen=True, eq=False, repr=False)
class TemporalLeakage(EqualByFields, ReadOnlyArrays, NumberTable):
    """What all releases say about each single event.

    Its tables have one step a row.

    Parameters
    ----------
    epsilon
        The promise of every release by itself (local differential privacy), in nats.
    backward
        What the releases up to each step say about that step, shape (steps,).
    forward
        What the releases from each step on say about that step, shape (steps,).

    Examples
    --------
    >>> from pdp_widgets import MarkovChain, temporal_leakage
    >>> found = temporal_leakage(MarkovChain.symmetric(0.8), 0.5, 3)
    >>> found.backward.round(3).tolist(), found.forward.round(3).tolist()
    ([0.5, 0.796, 0.962], [0.962, 0.796, 0.5])
    """

    epsilon: float
    backward: Floats
    forward: Floats

    @property
    def total(self) -> Floats:
        """What all releases say about each step, shape (steps,); the release of the step counts once."""
        if math.isinf(self.epsilon):
            return self.backward + self.forward
        return self.backward + self.forward - self.epsilon

    @property
    def largest(self) -> Leakage:
        """The largest of them."""
        steps = len(self.backward)
        return stream_leakage(float(self.total.max(initial=0.0)), "bound", steps, _SOURCE)

    def _numbers(self) -> Numbers:
        columns = {
            "step": np.arange(1, len(self.backward) + 1),
            "backward": self.backward,
            "forward": self.forward,
            "total": self.total,
        }
        status = dict.fromkeys(("backward", "forward", "total"), "bound")
        return Numbers(
            columns,
            {"step": "count", "backward": "bound", "forward": "bound", "total": "bound"},
            {"unit": "nats", "status": status, "source": _SOURCE, "epsilon": self.epsilon},
            (f"each release promises {epsilon_words(self.epsilon)}",),
        )


def temporal_leakage(
    forward: ArrayLike, epsilon: float, steps: int, backward: ArrayLike | None = None
) -> TemporalLeakage:
    """Return what all releases of a stream say about each single event.

    Parameters
    ----------
    forward
        Transition matrix, or a first-order `MarkovChain`.
    epsilon
        The promise of every release by itself, in nats.
    steps
        Number of steps.
    backward
        Pr(X_{t-1} | X_t), one matrix for all steps. Without it the one that follows from the chain at each
        step; a matrix alone is taken for a chain that starts from its stationary law.

    Returns
    -------
    TemporalLeakage
        Bounds that hold for every mechanism with this promise; randomised response of two symbols under a
        symmetric chain reaches them.

    Examples
    --------
    >>> found = temporal_leakage([[0.8, 0.2], [0.2, 0.8]], 0.5, 4)
    >>> found.total.round(4).tolist()
    [1.0499, 1.258, 1.258, 1.0499]
    """
    level, length = as_epsilon(epsilon), as_steps(steps)
    ahead, backs = _both(forward, backward, length)
    past, future = np.full(length, level), np.full(length, level)
    for t in range(1, length):
        past[t] = carried_leakage(backs[t - 1], past[t - 1]) + level
        future[length - 1 - t] = carried_leakage(ahead, future[length - t]) + level
    for found in (past, future):
        found.setflags(write=False)
    return TemporalLeakage(level, past, future)


def carried_leakage(transitions: ArrayLike, alpha: float) -> float:
    """Return how much of a leakage about one step is a leakage about its neighbour.

    Parameters
    ----------
    transitions
        Law of the step for each symbol of its neighbour, one row for each.
    alpha
        The leakage about the step, in nats.

    Notes
    -----
    The largest ``log (Q (e^alpha - 1) + 1) / (D (e^alpha - 1) + 1)``, where Q and D are what two rows give
    to a set of symbols. The best set has the symbols with the largest ratios of the two rows, so that the
    sets to try are as many as the symbols.

    Examples
    --------
    >>> round(carried_leakage([[0.8, 0.2], [0.2, 0.8]], 0.5), 6)
    0.296046
    >>> carried_leakage([[1, 0], [0, 1]], 0.5), carried_leakage([[0.5, 0.5], [0.5, 0.5]], 0.5)
    (0.5, 0.0)
    """
    rows = _rows(transitions, "transitions", square=False)
    if alpha == 0 or len(rows) < 2:
        return 0.0
    low = math.exp(-alpha)
    best = 0.0
    for first in rows:
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(rows > 0, first / rows, np.where(first > 0, np.inf, 0.0))
        order = np.argsort(-ratios, axis=1, kind="stable")
        more = np.cumsum(first[order], axis=1)
        less = np.cumsum(np.take_along_axis(rows, order, axis=1), axis=1)
        upper, lower = more * (1 - low) + low, less * (1 - low) + low
        if low == 0:
            with np.errstate(divide="ignore", invalid="ignore"):
                found = np.where(upper > 0, upper / lower, 0.0).max()
        else:
            found = (upper / lower).max()
        best = max(best, float(found))
    return min(alpha, math.log(best)) if best > 1 else 0.0


def _both(forward: Any, backward: Any, steps: int) -> tuple[Floats, list[Floats]]:
    """Return the transitions, and those of the reversed chain from each step but the first."""
    if backward is not None:
        return _matrix(forward), [_rows(backward, "backward")] * max(0, steps - 1)
    if hasattr(forward, "transitions"):
        chain = forward
    else:
        from pdp_widgets.models.markov_chain import MarkovChain

        chain = MarkovChain(_rows(forward, "forward"))
    ahead, law = _matrix(chain), np.asarray(chain.start, dtype=np.float64)
    backs = []
    for _ in range(steps - 1):
        pairs = law[:, None] * ahead
        law = pairs.sum(axis=0)
        # A symbol that cannot occur has no past to be told from.
        backs.append((pairs[:, law > 0] / law[law > 0]).T)
    return ahead, backs


def _matrix(forward: Any) -> Floats:
    if not hasattr(forward, "transitions"):
        return _rows(forward, "forward")
    if forward.order != 1:
        raise ChainError(
            "The chain is of second order; temporal privacy leakage is defined for first order.",
            Where("parameter", name="forward"),
        )
    return np.asarray(forward.transitions, dtype=np.float64)


def _rows(matrix: Any, name: str, *, square: bool = True) -> Floats:
    where = Where("parameter", name=name)
    refuse_masked(matrix, name)
    try:
        rows = plain_numbers(matrix)
    except (TypeError, ValueError, OverflowError):
        raise ChainError(f"{name} is no matrix of numbers.", where) from None
    if rows.ndim != 2 or rows.size == 0 or (square and rows.shape[0] != rows.shape[1]):
        wanted = "square, " if square else ""
        raise ChainError(f"{name} has shape {rows.shape}; it is {wanted}one row for each symbol.", where)
    if not np.isfinite(rows).all() or (rows < 0).any() or (abs(rows.sum(axis=1) - 1) > 1e-8).any():
        raise ChainError(f"{name} has a row that is no law: entries are 0 or more and sum to 1.", where)
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))
