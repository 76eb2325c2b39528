"""Conditional response without beliefs: a draw that looks back at releases, as fast for many symbols."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.converters import as_generator
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import BudgetError, ChainError, Where
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
from pdp_widgets.models.chain_checks import as_count
from pdp_widgets.models.chain_sampling import cumulated, drawn, following
from pdp_widgets.models.labels import how_many, shown
from pdp_widgets.models.markov_chain import MarkovChain, as_chain

Integers = NDArray[np.int64]

#: One after the other: some ten seconds.
_MOST_STEPS = 100_000


def look_back_releases(
    chain: MarkovChain,
    mechanism: ConditionalResponse,
    steps: int,
    users: int = 1,
    rng: np.random.Generator | int | None = None,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> tuple[Integers, Integers]:
    """Return true and released symbols under conditional response, each of shape (users, steps).

    Parameters
    ----------
    chain
        A chain of first order.
    mechanism
        The conditional response, with its budget.
    steps, users
        Length of the streams, and how many.
    rng
        Generator or seed; without it fresh randomness.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.

    Raises
    ------
    ChainError
        The chain is of second order.
    BudgetError
        The mechanism is another one.
    LimitError
        There are too many steps and users, or they take longer than the limit.

    Notes
    -----
    The symbol is kept with probability 1 - w, w = exp(-epsilon). Otherwise J is drawn with
    ``Pr(J = j) = (1 - w) w^j``; a walk of J + 1 steps starts from the release J + 1 steps back, or one of
    k - 1 steps from the start law where there are not so many, and its end is released. The joint law is that
    of `simulate_releases`, and the cost does not grow with the number of symbols. There are no beliefs, so
    leakages cannot be told.

    Examples
    --------
    >>> chain = MarkovChain.symmetric(0.9, 50)
    >>> true, released = look_back_releases(chain, ConditionalResponse(2.0), 100, users=200, rng=1)
    >>> bool((true == released).mean() > 0.8)
    True
    """
    if type(mechanism) is not ConditionalResponse:
        raise BudgetError(
            f"The mechanism is {shown(mechanism)}; looking back is a property of ConditionalResponse alone.",
            Where("parameter", name="mechanism"),
        )
    if as_chain(chain).order != 1:
        raise ChainError(
            "Looking back needs a chain of first order; take chain.pairs or simulate_releases.",
            Where("parameter", name="chain"),
        )
    length, many = as_count(steps, "steps", most=_MOST_STEPS), as_count(users, "users")
    generator = as_generator(rng)
    true = np.ascontiguousarray(chain.simulate(length, many, generator).T)
    released = true.copy()
    keep = -math.expm1(-mechanism.epsilon)
    start, table = cumulated(chain.start), cumulated(chain.transitions)
    work = f"Looking back for {how_many(many, 'user')} and {how_many(length, 'step')}"
    told = Progress(timed(progress, limit, work, "Take fewer users or steps."), length)
    for step in range(length):
        told.step()
        fresh = np.flatnonzero(generator.random(many) >= keep)
        if not len(fresh):
            continue
        back = _looked_back(mechanism.epsilon, generator.random(len(fresh)))
        from_start = back >= step
        walk = np.where(from_start, step, back + 1).astype(np.int64)
        at = np.empty(len(fresh), dtype=np.int64)
        at[from_start] = drawn(start, generator.random(int(from_start.sum())))
        rest = ~from_start
        at[rest] = released[step - walk[rest], fresh[rest]]
        # Longest walks first: those who still walk are always the first ones.
        order = np.argsort(-walk, kind="stable")
        at, left = at[order], walk[order]
        for turn in range(int(left[0])):
            going = int(np.searchsorted(-left, -turn, side="left"))
            at[:going] = following(table, at[:going], generator.random(going))
            told.wait()
        released[step, fresh[order]] = at
    told.finish()
    return true.T, released.T


def _looked_back(epsilon: float, uniforms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return numbers with the law (1 - w) w^j, w = exp(-epsilon); infinite without a budget."""
    if epsilon == 0:
        return np.full(len(uniforms), np.inf)
    return np.asarray(np.floor(-np.log1p(-uniforms) / epsilon))
