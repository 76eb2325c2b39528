"""What the releases of a stream say about one event exactly, beside the bound for all mechanisms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import SCALE
from pdp_widgets.errors import ChainError, LimitError, QueryError, Where
from pdp_widgets.leakage.sequence.step_leakage import as_steps, stream_leakage
from pdp_widgets.leakage.sequence.temporal_leakage import as_budgets, both_ways
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.markov_chain import MarkovChain, as_chain

__all__ = ["ExactTemporalLeakage", "laplace_stream_leakage", "two_state_leakage"]

Floats = NDArray[np.float64]

#: Outputs that are gone through.
_MOST_OUTPUTS = 200_000
#: Beyond it the digits of a leakage say nothing any more.
_MOST_NATS = 1e15


@dataclass(frozen=True, eq=False, repr=False)
class ExactTemporalLeakage(EqualByFields, ReadOnlyArrays):
    """What all releases say about each event, exactly.

    Parameters
    ----------
    exact
        Leakage about each step in nats, shape (steps,).
    source
        For which releases it holds.

    Examples
    --------
    >>> print(two_state_leakage([[0.8, 0.2], [0.2, 0.8]], 0.5, 3).largest)
    1.09209 nats (exact): all 3 steps
    """

    exact: Floats
    source: str

    @property
    def largest(self) -> Leakage:
        """The largest of them."""
        value = float(self.exact.max(initial=0.0))
        return stream_leakage(value, "exact", len(self.exact), self.source)


def two_state_leakage(
    forward: ArrayLike,
    epsilon: float | ArrayLike,
    steps: int | None = None,
    backward: ArrayLike | None = None,
) -> ExactTemporalLeakage:
    """Return what all releases of a stream of two states say about each event, exactly.

    Parameters
    ----------
    forward, epsilon, steps, backward
        As for `temporal_leakage`; budgets are finite.

    Returns
    -------
    ExactTemporalLeakage
        For releases that reach both likelihood ratios e^epsilon and e^-epsilon: randomised response, or
        Laplace noise of scale 1 / epsilon on states 0 and 1. `temporal_leakage` is never below it, and above
        it where states alternate.

    Raises
    ------
    ChainError
        A matrix is no law of two states, or numbers of steps differ.

    Notes
    -----
    The largest log likelihood ratio for each of the two states is carried from step to step; a ratio r of the
    next step becomes (P00 r + P01) / (P10 r + P11).

    Examples
    --------
    >>> alternating = [[0.1, 0.9], [0.6, 0.4]]
    >>> two_state_leakage(alternating, 0.5, 6, alternating).largest.value.__round__(4)
    1.3492
    """
    budgets = as_budgets(epsilon, steps)
    if not (budgets < _MOST_NATS).all():
        raise ChainError(
            f"A budget is {budgets.max():g}; budgets are below {_MOST_NATS:g} nats here.",
            Where("parameter", name="epsilon"),
        )
    aheads, backs = both_ways(forward, backward, len(budgets))
    if aheads[0].shape[1] != 2:
        raise ChainError(
            f"The chain has {aheads[0].shape[1]} states; this is for two. Take temporal_leakage, a bound.",
            Where("parameter", name="forward"),
        )
    ahead = [aheads[t % len(aheads)] for t in range(len(budgets) - 1)]
    past = _carried(budgets, islice(backs, max(0, len(budgets) - 1)))
    future = _carried(budgets[::-1], reversed(ahead))[::-1]
    found = (past + future).max(axis=1, initial=0.0) - budgets
    return ExactTemporalLeakage(found, "two states, releases that reach both likelihood ratios")


def _carried(budgets: Floats, moves: Iterable[Floats]) -> Floats:
    """Return the largest log ratio in favour of each state at every step, shape (steps, 2)."""
    found = np.zeros((len(budgets), 2))
    if len(budgets):
        found[0] = budgets[0]
    for t, move in enumerate(moves, 1):
        if len(move) < 2:
            # One state alone can occur here.
            found[t] = budgets[t]
            continue
        with np.errstate(divide="ignore"):
            logs = np.log(move)
        ends = np.array([found[t - 1, 0], -found[t - 1, 1]])
        ratio = np.logaddexp(logs[0, 0] + ends, logs[0, 1]) - np.logaddexp(logs[1, 0] + ends, logs[1, 1])
        found[t] = np.array([ratio.max(), -ratio.min()]) + budgets[t]
    return found


def laplace_stream_leakage(chain: MarkovChain, scale: float, steps: int) -> ExactTemporalLeakage:
    """Return what a stream of numbers says about each event, exactly, each released with Laplace noise.

    Parameters
    ----------
    chain
        A chain of first order whose states are numbers.
    scale
        Scale of the noise.
    steps
        Number of steps; states to the power of steps are at most 200,000.

    Raises
    ------
    QueryError
        A state is no number.
    LimitError
        There are too many outputs to go through.

    Notes
    -----
    The largest log likelihood ratio is reached at outputs that are values of states, in every coordinate;
    what comes before an event and what comes after it are independent once it is known.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> chain = MarkovChain([[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6]])
    >>> laplace_stream_leakage(chain, 2.0, 5).exact.round(4).tolist()
    [1.9837, 2.4511, 2.6105, 2.4741, 1.9885]
    """
    walk, width, length = as_chain(chain), SCALE.take(scale, "scale"), as_steps(steps)
    if walk.order != 1:
        raise ChainError(
            "The chain is of second order; take that of its pairs.", Where("parameter", name="chain")
        )
    if any(isinstance(one, str) for one in walk.states):
        raise QueryError(
            "A state is text, and no noise can be added to it.", Where("parameter", name="chain")
        )
    if walk.n > 1 and length * math.log(walk.n) > math.log(_MOST_OUTPUTS) + 1e-9:
        raise LimitError(
            f"{walk.n} states over {length} steps make {float(walk.n) ** length:,.0f} outputs; at most "
            f"{_MOST_OUTPUTS:,} are gone through. Take fewer steps, or temporal_leakage, which is a bound.",
            Where("parameter", name="steps"),
        )
    values = np.array([float(one) for one in walk.states])
    released = -np.abs(values[:, None] - values[None, :]) / width
    laws, moves = walk.laws(length), walk.transitions
    with np.errstate(divide="ignore", invalid="ignore"):
        backs = [np.log((law[:, None] * moves).T / (law @ moves)[:, None]) for law in laws[:-1]]
        ahead = np.log(moves)
    past = list(_sides(released, backs))
    future = list(_sides(released, [ahead] * (length - 1)))[::-1]
    own = np.abs(values[:, None] - values[None, :]) / width
    found = []
    for law, before, after in zip(laws, past, future, strict=True):
        both = (law[:, None] > 0) & (law[None, :] > 0)
        found.append(float(np.where(both, own + before + after, 0.0).max(initial=0.0)))
    return ExactTemporalLeakage(np.array(found), f"Laplace noise of scale {width:g} at every step")


def _sides(released: Floats, moves: Any) -> Iterator[Floats]:
    """Give for every step the largest log ratio of what is released on one side of it, by pair of states."""
    n = len(released)
    likelihood = np.zeros((1, n))
    yield np.zeros((n, n))
    for move in moves:
        # One output more, at each of the states; then the step, to the labels of the next.
        both = (likelihood[:, None, :] + released[None]).reshape(-1, n)
        with np.errstate(invalid="ignore"):
            likelihood = np.logaddexp.reduce(
                both[:, None, :] + np.where(np.isnan(move), -np.inf, move)[None], axis=2
            )
            ratios = likelihood[:, :, None] - likelihood[:, None, :]
        yield np.nan_to_num(ratios, nan=-np.inf, neginf=-np.inf, posinf=np.inf).max(axis=0)
