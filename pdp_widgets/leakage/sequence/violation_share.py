"""How often the printed closed form breaks its own promise along a chain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.leakage.sequence.about import as_steps
from pdp_widgets.leakage.sequence.likelihoods import MOST_NUMBERS
from pdp_widgets.leakage.sequence.release_levels import release_levels
from pdp_widgets.leakage.sequence.stream_source import FirstOrderSource, StreamSource, source_of
from pdp_widgets.mechanisms.local.parameters import as_size
from pdp_widgets.mechanisms.sequence.common_part import kept, shared
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
from pdp_widgets.mechanisms.sequence.inverse_cdf import drawn
from pdp_widgets.mechanisms.sequence.step_channel import within
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.given_numbers import as_generator
from pdp_widgets.models.immutable import ReadOnlyArrays

__all__ = ["ViolationShare", "simulated_violation_share", "violation_share"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ViolationShare(EqualByFields, ReadOnlyArrays, NumberTable):
    """How often conditional response leaks more than its budget.

    Its tables have one step a row.

    Parameters
    ----------
    epsilon
        The budget of every step, in nats.
    per_step
        Probability that it does at each step, shape (steps,).
    leakage
        What each step leaks on average, shape (steps,), in nats.
    status
        ``"exact"``, or ``"estimate"`` from drawn releases.
    error
        Standard error of the share, between people; 0 for exact ones.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain, violation_share
    >>> violation_share(MarkovChain.symmetric(0.6), 0.1, 8).share
    0.0
    """

    epsilon: float
    per_step: Floats
    leakage: Floats
    status: Literal["exact", "estimate"]
    error: float = 0.0

    @property
    def share(self) -> float:
        """Expected share of the steps; 0 without a step."""
        return float(self.per_step.mean()) if self.per_step.size else 0.0

    def __float__(self) -> float:
        return self.share

    def _numbers(self) -> Numbers:
        columns = {
            "step": np.arange(1, len(self.per_step) + 1),
            "chance above budget": self.per_step,
            "mean leakage": self.leakage,
        }
        status = dict.fromkeys(("chance above budget", "mean leakage"), self.status)
        return Numbers(
            columns,
            {"step": "count", "chance above budget": "probability", "mean leakage": "nats"},
            {"unit": "nats", "status": status, "epsilon": self.epsilon},
            (f"conditional response as printed, {epsilon_words(self.epsilon)}",),
        )


def violation_share(
    chain: Any, epsilon: float, steps: int, *, progress: ProgressHook | None = None
) -> ViolationShare:
    """Return how often conditional response leaks more than its budget, exactly.

    Parameters
    ----------
    chain
        A `MarkovChain`, a `HistorySource`, or a pair of a start law and a transition matrix.
    epsilon
        The budget of every step, in nats.
    steps
        Number of steps.
    progress
        Told the share done; what it raises cancels.

    Raises
    ------
    LimitError
        There are too many release histories; see `simulated_violation_share`.

    Examples
    --------
    >>> found = violation_share(([0.05, 0.95], [[0.9, 0.1], [0.1, 0.9]]), 1.0, 6)
    >>> round(found.share, 6), found.per_step.round(3).tolist()
    (0.88302, [1.0, 0.95, 0.872, 0.836, 0.823, 0.817])
    """
    mechanism = ConditionalResponse(epsilon)
    levels = release_levels(source_of(chain), mechanism, steps, progress=progress)
    broken, leakage = [], []
    for level in levels:
        lifts = mechanism.lifts(level.beliefs)
        # Chances of many histories add up to 1 but for rounding.
        broken.append(min(1.0, level.chance @ ~within(lifts, mechanism.epsilon)))
        leakage.append(level.chance @ lifts)
    return ViolationShare(mechanism.epsilon, _sealed(broken), _sealed(leakage), "exact")


def simulated_violation_share(
    chain: Any, epsilon: float, steps: int, users: int = 1000, rng: np.random.Generator | int | None = None
) -> ViolationShare:
    """Return how often conditional response leaks more than its budget, from drawn releases.

    Parameters
    ----------
    chain, epsilon, steps
        As for `violation_share`; of first order.
    users
        Number of people whose releases are drawn.
    rng
        Generator or seed; without it fresh randomness.

    Notes
    -----
    Releases follow the belief itself, so that no data have to be drawn.

    Examples
    --------
    >>> chain = ([0.05, 0.95], [[0.9, 0.1], [0.1, 0.9]])
    >>> found = simulated_violation_share(chain, 1.0, 50, rng=1)
    >>> abs(found.share - 0.82) < 0.02
    True
    """
    source, mechanism = source_of(chain), ConditionalResponse(epsilon)
    if not isinstance(source, FirstOrderSource):
        raise DomainError(
            "The source is not of first order; give a first-order chain.", Where("parameter", name="chain")
        )
    length, people = as_steps(steps), as_size(users, "users", 1, MOST_NUMBERS // source.n)
    generator = as_generator(rng)
    step_on = _closed_recursion(source, mechanism.epsilon)
    beliefs = np.repeat(source.start[None], people, axis=0)
    broken, leakage, seen = [], [], np.zeros(people)
    for _ in range(length):
        lifts = mechanism.lifts(beliefs)
        breaks = ~within(lifts, mechanism.epsilon)
        seen += breaks
        broken.append(breaks.mean())
        leakage.append(lifts.mean())
        beliefs = step_on(beliefs, drawn(beliefs, generator.random(people)))
    error = float(seen.std(ddof=1) / max(1, length) / sqrt(people)) if people > 1 else float("nan")
    return ViolationShare(mechanism.epsilon, _sealed(broken), _sealed(leakage), "estimate", error)


def _closed_recursion(source: StreamSource, epsilon: float) -> Callable[[Floats, NDArray[np.int64]], Floats]:
    """Return the step from beliefs and releases to the next beliefs: posteriors are mixtures here."""
    weight, stays = shared(epsilon), kept(epsilon)

    def step_on(beliefs: Floats, released: NDArray[np.int64]) -> Floats:
        posterior = weight * beliefs
        posterior[np.arange(len(released)), released] += stays
        return source.push(posterior, 0)

    return step_on


def _sealed(values: list[Any]) -> Floats:
    found = np.array(values, dtype=np.float64)
    found.setflags(write=False)
    return found
