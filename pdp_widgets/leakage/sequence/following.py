"""Releases of many users step by step, with the belief of the adversary about each."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import Progress
from pdp_widgets.leakage.sequence.belief import refuse_impossible
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
from pdp_widgets.mechanisms.sequence.log_lift import lift_of
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.mechanisms.sequence.temporal_response import TemporalResponse
from pdp_widgets.models.markov_chain import MarkovChain

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: With every transition above this no belief is ever near the smallest float.
_POSSIBLE = 1e-200
#: Up to here exp(-epsilon) is an ordinary float.
_ORDINARY = 700.0
_ROUNDED = 64


def has_closed_recursion(chain: MarkovChain, mechanism: SequenceMechanism) -> bool:
    """Tell whether `follow_conditional` applies: conditional response, and every transition is possible."""
    return (
        type(mechanism) is ConditionalResponse
        and mechanism.epsilon <= _ORDINARY
        and chain.order == 1
        and chain.n > 1
        and bool(chain.start.min() > _POSSIBLE)
        and bool(chain.transitions.min() > _POSSIBLE)
    )


def follow_conditional(
    chain: MarkovChain,
    epsilon: float,
    symbols: Integers,
    uniforms: Floats,
    beliefs: Floats | None = None,
    told: Progress | None = None,
) -> tuple[Integers, Floats, Floats, Floats]:
    """Return released symbols, leakages, probabilities of the releases, and the last belief."""
    # After the release y the belief about the next symbol is w (b M) + (1 - w) M[y] with w = exp(-epsilon);
    # the release itself has the law b. Users are the last axis here: rows of the few symbols are then long.
    steps, users = symbols.shape
    share, keep = math.exp(-epsilon), -math.expm1(-epsilon)
    mixed, jumps = share * chain.transitions.T, np.ascontiguousarray(keep * chain.transitions.T)
    released = np.empty((steps, users), dtype=np.int64)
    least, totals = np.empty((steps, users)), np.empty((steps, users))
    everybody = np.arange(users)
    belief = np.tile(chain.start[:, None], (1, users))
    told = told or Progress(None)
    for step in range(steps):
        if beliefs is not None:
            beliefs[step] = belief.T
        np.min(belief, axis=0, out=least[step])
        seen = released[step]
        seen[:] = symbols[step]
        fresh = np.flatnonzero(uniforms[step] >= keep)
        if len(fresh):
            # What is left of the uniform number decides the draw.
            rest = (uniforms[step][fresh] - keep) / share
            sums = np.cumsum(belief[:, fresh], axis=0)
            seen[fresh] = np.sum(sums[:-1] <= rest * sums[-1], axis=0)
        totals[step] = belief[seen, everybody]
        belief = mixed @ belief
        belief += jumps.take(seen, axis=1)
        if step % _ROUNDED == _ROUNDED - 1:
            belief /= belief.sum(axis=0)
        told.step()
    # ln(w + (1 - w) / least), without cancellation for small budgets.
    leakage = np.maximum(epsilon, np.log1p(keep * (1 - least) / least)) if steps else least
    return released, leakage, totals, belief.T


#: Seconds of work, at most, that nobody is told about.
_APART = 0.25
#: Seconds that one belief takes at least, where a mechanism is slow.
_LEAST = 1e-3
#: Beliefs that are held at once while leakages are found: they fit into the cache.
_HELD = 1 << 15


@dataclass(frozen=True, eq=False)
class Followed:
    """What happened to some users."""

    released: Integers  # shape (steps, users)
    leakage: Floats  # most a release says of its symbol, given those before, nats; (steps, users)
    log_probability: Floats  # of all releases of a user
    last: Floats  # belief about the symbol after the last one, shape (users, n)


def follow(
    chain: MarkovChain,
    mechanism: SequenceMechanism,
    symbols: Integers,
    uniforms: Floats,
    *,
    beliefs: Floats | None = None,
    told: Progress | None = None,
) -> Followed:
    """Release streams, shape (steps, users), symbol by symbol; fill ``beliefs``, see `room_for_beliefs`."""
    if has_closed_recursion(chain, mechanism):
        released, leakage, totals, last = follow_conditional(
            chain, mechanism.epsilon, symbols, uniforms, beliefs, told
        )
        return Followed(released, leakage, np.log(totals).sum(axis=0), last)
    return _follow_any(chain, mechanism, symbols, uniforms, beliefs, told or Progress(None))


def room_for_beliefs(chain: MarkovChain, mechanism: SequenceMechanism, steps: int, users: int) -> Floats:
    """Return an array for beliefs, shape (steps, users, n), that lies in memory as it is written."""
    if has_closed_recursion(chain, mechanism):
        return np.empty((steps, chain.n, users)).transpose(0, 2, 1)
    return np.empty((steps, users, chain.n))


def _follow_any(
    chain: MarkovChain,
    mechanism: SequenceMechanism,
    symbols: Integers,
    uniforms: Floats,
    beliefs: Floats | None,
    told: Progress,
) -> Followed:
    steps, users = symbols.shape
    n = chain.n
    released = np.empty((steps, users), dtype=np.int64)
    leakage = np.empty((steps, users))
    totals = np.ones((steps, users))
    filtered = _filter_for(chain, mechanism, users, told)
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
        told.step()
    return Followed(released, leakage, np.log(totals).sum(axis=0), filtered.belief)


class _Answers:
    """What a mechanism that looks at the current symbol releases."""

    def __init__(self, mechanism: SequenceMechanism, told: Progress) -> None:
        self.mechanism = mechanism
        self._told = told

    def __call__(
        self, symbols: Integers, belief: Floats, pairs: Floats | None, uniforms: Floats
    ) -> tuple[Integers, Floats, Floats | None]:
        """Return what is released, its likelihoods, and its leakage if not found for many together."""
        if self.mechanism.found_slowly:
            return self._slowly(symbols, belief, uniforms)
        released = self.mechanism.release(symbols, belief, uniforms)
        return released, self.mechanism.likelihoods(released, belief), None

    def _slowly(
        self, symbols: Integers, belief: Floats, uniforms: Floats
    ) -> tuple[Integers, Floats, Floats | None]:
        """Return the same for a few beliefs at a time; users who share one stay together."""
        different, place = np.unique(belief, axis=0, return_inverse=True)
        order = np.argsort(place.reshape(-1), kind="stable")
        seconds = max(self.mechanism.expected_seconds(belief.shape[1]), _LEAST)
        each = max(1, int(_APART / seconds))
        ends = np.searchsorted(place.reshape(-1)[order], np.arange(each, len(different), each))
        released = np.empty(len(symbols), dtype=np.int64)
        likelihoods, leakage = np.empty(belief.shape), np.empty(len(symbols))
        for some in np.split(order, ends):
            released[some], likelihoods[some], leakage[some] = self.mechanism.release_with_lifts(
                symbols[some], belief[some], uniforms[some]
            )
            self._told.wait()
        return released, likelihoods, leakage


class _AnswersAfter(_Answers):
    """What a mechanism that looks at the symbol before too releases."""

    mechanism: TemporalResponse

    def __init__(self, mechanism: TemporalResponse, n: int, told: Progress) -> None:
        super().__init__(mechanism, told)
        self._first = mechanism.given(None)
        self._tables = np.stack([mechanism.given(symbol) for symbol in range(n)])
        self._log_tables = np.stack([mechanism.log_given(symbol) for symbol in range(n)])
        self._before: Integers | None = None

    def __call__(
        self, symbols: Integers, belief: Floats, pairs: Floats | None, uniforms: Floats
    ) -> tuple[Integers, Floats, Floats | None]:
        before = self._before
        released = self.mechanism.release(symbols, belief, uniforms, before)
        if before is None:
            likelihoods = self._first[:, released].T
            leakage = lift_of(self._first, belief, lambda: self.mechanism.log_given(None))[0]
        elif self.mechanism.previous_is == "released":
            matrices = self._tables[before]
            likelihoods = matrices[np.arange(len(symbols)), :, released]
            leakage = lift_of(matrices, belief, lambda: self._log_tables[before])[0]
        else:
            # Symbol before and symbol together are what a release depends on.
            assert pairs is not None
            n = len(self._first)
            likelihoods = self._tables[:, :, released].transpose(2, 0, 1)
            both, logs = (tables.reshape(n * n, n) for tables in (self._tables, self._log_tables))
            leakage = lift_of(both, pairs.reshape(-1, n * n), lambda: logs)[0]
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


def _filter_for(chain: MarkovChain, mechanism: SequenceMechanism, users: int, told: Progress) -> _Filter:
    if isinstance(mechanism, TemporalResponse):
        answers: _Answers = _AnswersAfter(mechanism, chain.n, told)
    else:
        answers = _Answers(mechanism, told)
    paired = chain.order == 2 or mechanism.previous_is == "true"
    return (_PairFilter if paired else _Filter)(chain, answers, users)
