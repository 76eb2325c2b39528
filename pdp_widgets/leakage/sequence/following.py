"""Releases of many users step by step, with the belief of the adversary about each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.following_conditional import follow_conditional, has_closed_recursion
from pdp_widgets.leakage.sequence.likelihoods import refuse_impossible
from pdp_widgets.mechanisms.sequence.log_lift import lift_of
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.mechanisms.sequence.temporal_response import TemporalResponse
from pdp_widgets.models.markov_chain import MarkovChain

__all__ = ["Followed", "follow", "room_for_beliefs"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Beliefs that are held at once while leakages are found: they fit into the cache.
_HELD = 1 << 15


@dataclass(frozen=True, eq=False)
class Followed:
    """What happened to some users, one row for each step.

    Parameters
    ----------
    released
        Released symbols, shape (steps, users).
    leakage
        What each release could say at most about the symbol, given those before, in nats; (steps, users).
    log_probability
        Log probability of all releases of a user.
    last
        Belief about the symbol after the last one, shape (users, n).
    """

    released: Integers
    leakage: Floats
    log_probability: Floats
    last: Floats


def follow(
    chain: MarkovChain,
    mechanism: SequenceMechanism,
    symbols: Integers,
    uniforms: Floats,
    *,
    beliefs: Floats | None = None,
) -> Followed:
    """Release streams symbol by symbol.

    Parameters
    ----------
    chain
        The model of the adversary.
    mechanism
        Rule of every step.
    symbols
        True symbols, shape (steps, users).
    uniforms
        Numbers in [0, 1) that decide, shape (steps, users).
    beliefs
        Where the belief before each release is written, shape (steps, users, n), as of `room_for_beliefs`;
        None where nobody wants them.

    Raises
    ------
    ModelMismatch
        A release has probability 0 under the model: the data are not from the chain.

    Examples
    --------
    >>> from pdp_widgets import ConditionalResponse
    >>> chain = MarkovChain.symmetric(0.8)
    >>> beliefs = np.empty((2, 1, 2))
    >>> symbols, uniforms = np.array([[0], [1]]), np.array([[0.1], [0.9]])
    >>> done = follow(chain, ConditionalResponse(1.0), symbols, uniforms, beliefs=beliefs)
    >>> done.released[:, 0].tolist(), beliefs[1, 0].round(4).tolist()
    ([0, 1], [0.6896, 0.3104])
    """
    if has_closed_recursion(chain, mechanism):
        released, leakage, totals, last = follow_conditional(
            chain, mechanism.epsilon, symbols, uniforms, beliefs
        )
        return Followed(released, leakage, np.log(totals).sum(axis=0), last)
    return _follow_any(chain, mechanism, symbols, uniforms, beliefs)


def room_for_beliefs(chain: MarkovChain, mechanism: SequenceMechanism, steps: int, users: int) -> Floats:
    """Return an array for beliefs, shape (steps, users, n), that lies in memory as it is written.

    Examples
    --------
    >>> from pdp_widgets import ConditionalResponse
    >>> room_for_beliefs(MarkovChain.symmetric(0.8), ConditionalResponse(1.0), 4, 3).shape
    (4, 3, 2)
    """
    if has_closed_recursion(chain, mechanism):
        return np.empty((steps, chain.n, users)).transpose(0, 2, 1)
    return np.empty((steps, users, chain.n))


def _follow_any(
    chain: MarkovChain,
    mechanism: SequenceMechanism,
    symbols: Integers,
    uniforms: Floats,
    beliefs: Floats | None,
) -> Followed:
    steps, users = symbols.shape
    n = chain.n
    released = np.empty((steps, users), dtype=np.int64)
    leakage = np.empty((steps, users))
    totals = np.ones((steps, users))
    filtered = _filter_for(chain, mechanism, users)
    # Leakages are found for many steps together: each call has a price of its own.
    held = np.empty((max(1, min(steps, _HELD // max(1, users * n))), users, n))
    begun = 0
    for step in range(steps):
        held[step - begun] = filtered.belief
        if beliefs is not None:
            beliefs[step] = filtered.belief
        released[step], totals[step] = filtered.release(symbols[step], uniforms[step], step)
        if filtered.leakage is not None:
            leakage[step] = filtered.leakage
            begun = step + 1
        elif step + 1 - begun == len(held) or step + 1 == steps:
            part = held[: step + 1 - begun].reshape(-1, n)
            leakage[begun : step + 1] = mechanism.lifts(part).reshape(-1, users)
            begun = step + 1
    return Followed(released, leakage, np.log(totals).sum(axis=0), filtered.belief)


class _Answers:
    """What a mechanism that looks at the current symbol releases."""

    def __init__(self, mechanism: SequenceMechanism) -> None:
        self.mechanism = mechanism

    def __call__(
        self, symbols: Integers, belief: Floats, pairs: Floats | None, uniforms: Floats
    ) -> tuple[Integers, Floats, Floats | None]:
        """Return what is released, its likelihoods, and its leakage if not found for many together."""
        if self.mechanism.found_slowly:
            return self.mechanism.release_with_lifts(symbols, belief, uniforms)
        released = self.mechanism.release(symbols, belief, uniforms)
        return released, self.mechanism.likelihoods(released, belief), None


class _AnswersAfter(_Answers):
    """What a mechanism that looks at the symbol before too releases."""

    mechanism: TemporalResponse

    def __init__(self, mechanism: TemporalResponse, n: int) -> None:
        super().__init__(mechanism)
        self._first = mechanism.given(None)
        self._tables = np.stack([mechanism.given(symbol) for symbol in range(n)])
        self._before: Integers | None = None

    def __call__(
        self, symbols: Integers, belief: Floats, pairs: Floats | None, uniforms: Floats
    ) -> tuple[Integers, Floats, Floats | None]:
        before = self._before
        released = self.mechanism.release(symbols, belief, uniforms, before)
        if before is None:
            likelihoods = self._first[:, released].T
            leakage = lift_of(self._first, belief)[0]
        elif self.mechanism.previous_is == "released":
            matrices = self._tables[before]
            likelihoods = matrices[np.arange(len(symbols)), :, released]
            leakage = lift_of(matrices, belief)[0]
        else:
            # Symbol before and symbol together are what a release depends on.
            assert pairs is not None
            n = len(self._first)
            likelihoods = self._tables[:, :, released].transpose(2, 0, 1)
            leakage = lift_of(self._tables.reshape(n * n, n), pairs.reshape(-1, n * n))[0]
        self._before = released if self.mechanism.previous_is == "released" else symbols
        return released, likelihoods, leakage


class _Filter:
    """Beliefs of users for a chain of first order and a mechanism that forgets the true symbol before."""

    def __init__(self, chain: MarkovChain, answers: _Answers, users: int) -> None:
        self.chain, self.answers = chain, answers
        self.belief = np.tile(chain.start, (users, 1))
        self.leakage: Floats | None = None
        self._ones = np.ones(chain.n)

    def release(self, symbols: Integers, uniforms: Floats, step: int) -> tuple[Integers, Floats]:
        """Return what is released and how probable it was; go on to the next step."""
        released, likelihoods, self.leakage = self.answers(symbols, self.belief, None, uniforms)
        weights = likelihoods * self.belief
        # Sums by a product: numpy adds up short rows one by one.
        total = weights @ self._ones
        refuse_impossible(total, step + 1, released)
        coming = weights @ self.chain.transitions
        self.belief = coming / (coming @ self._ones)[:, None]
        return released, np.asarray(total)


class _PairFilter(_Filter):
    """The same with the law of the last two symbols: for second order, and for what looks at both."""

    def __init__(self, chain: MarkovChain, answers: _Answers, users: int) -> None:
        super().__init__(chain, answers, users)
        self._pairs: Floats | None = None

    def release(self, symbols: Integers, uniforms: Floats, step: int) -> tuple[Integers, Floats]:
        chain, pairs = self.chain, self._pairs
        released, likelihoods, self.leakage = self.answers(symbols, self.belief, pairs, uniforms)
        if pairs is None:
            weights = likelihoods * self.belief
            early = chain.transitions if chain.early is None else chain.early
            coming = weights[:, :, None] * early
        else:
            weights = pairs * (likelihoods if likelihoods.ndim == 3 else likelihoods[:, None, :])
            if chain.order == 2:
                coming = np.einsum("uij,ijk->ujk", weights, chain.transitions)
            else:
                coming = weights.sum(axis=1)[:, :, None] * chain.transitions
        total = weights.reshape(len(weights), -1).sum(axis=1)
        refuse_impossible(total, step + 1, released)
        self._pairs = coming / coming.sum(axis=(1, 2))[:, None, None]
        self.belief = self._pairs.sum(axis=1)
        return released, np.asarray(total)


def _filter_for(chain: MarkovChain, mechanism: SequenceMechanism, users: int) -> _Filter:
    looks = isinstance(mechanism, TemporalResponse)
    answers = _AnswersAfter(mechanism, chain.n) if looks else _Answers(mechanism)  # type: ignore[arg-type]
    paired = chain.order == 2 or mechanism.previous_is == "true"
    return (_PairFilter if paired else _Filter)(chain, answers, users)
