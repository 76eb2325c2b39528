"""What an adversary believes about the next batch of symbols, batch by batch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.likelihoods import MOST_NUMBERS, as_likelihood, column_of, refuse_impossible
from pdp_widgets.models.batches import pattern_count
from pdp_widgets.models.chain_parameters import as_count
from pdp_widgets.models.given_chain import as_chain
from pdp_widgets.models.immutable import ReadOnlyAgain
from pdp_widgets.models.markov_chain import MarkovChain

__all__ = ["BatchBelief"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class BatchBelief(ReadOnlyAgain):
    """The belief of an adversary about the patterns of the next batch.

    Only the law of the last symbol (second order: of the last two) is carried from batch to batch, so a step
    takes n^w w operations and not the square of that.

    Parameters
    ----------
    chain
        The model of the stream.
    size
        Symbols of the batch that comes next.
    predictive
        Law of its patterns, shape (n^size,) or (users, n^size), numbered as by `batch_index`.
    posterior
        Law of the patterns of the batch before, given its release too; None before the first.
    log_probability
        Log probability of all releases so far.
    released
        How many batches were released.

    Notes
    -----
    Jiang, Li and Tandon, Equation 29 with window 1. As printed the transition stands outside the sum over the
    old batch, which makes batches independent; here it is inside.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> belief = BatchBelief.before(MarkovChain.symmetric(0.9), 2)
    >>> belief.predictive.round(12).tolist()
    [0.45, 0.05, 0.05, 0.45]
    >>> belief.after([[0.7, 0.1, 0.1, 0.1]] * 4, 0).predictive.round(12).tolist()
    [0.45, 0.05, 0.05, 0.45]
    """

    chain: MarkovChain
    size: int
    predictive: Floats
    posterior: Floats | None = None
    log_probability: Any = 0.0
    released: int = 0
    #: Second order: law of the symbol before the batch and of its pattern.
    _joined: Floats | None = field(default=None)

    @classmethod
    def before(cls, chain: MarkovChain, size: int, users: int | None = None) -> BatchBelief:
        """Return the belief before the first release.

        Parameters
        ----------
        chain
            The model of the stream.
        size
            Symbols of the first batch.
        users
            How many streams are followed at once; without it one.
        """
        law = as_chain(chain).start
        patterns_of_one = pattern_count(chain.n, size)
        if users is not None:
            law = np.tile(law, (as_count(users, "users", most=MOST_NUMBERS // patterns_of_one), 1))
        if chain.order == 1 or size == 1:
            patterns = _extended(law, chain, 1, size)
        else:
            assert chain.early is not None
            patterns = _extended(law[..., None] * chain.early, chain, 2, size)
        logs: Any = 0.0 if users is None else np.zeros(len(law))
        flat = patterns.reshape(*law.shape[:-1], patterns_of_one)
        return cls(chain, int(size), _read_only(flat), None, logs)

    def after(self, channel: Any, released: Any, size: int | None = None) -> BatchBelief:
        """Return the belief about the next batch after the release of this one.

        Parameters
        ----------
        channel
            The mechanism at this batch: a `StepChannel`, or a matrix with one row for each pattern; with
            users in front for one matrix each.
        released
            Number of the released pattern, for every user where there are users.
        size
            Symbols of the batch that comes next; without it as many as this one has.

        Raises
        ------
        ModelMismatch
            The release has probability 0 under the model.
        """
        column = column_of(channel, released, self.predictive.shape[-1], self._users, 1)
        return self._updated(column, released, size)

    def after_likelihood(self, likelihood: Any, size: int | None = None) -> BatchBelief:
        """Return the next belief, given by how likely each pattern makes the release.

        Examples
        --------
        >>> belief = BatchBelief.before(MarkovChain.symmetric(0.9), 2)
        >>> belief.after_likelihood([0.0, 1.0, 0.0, 1.0], size=1).predictive.round(12).tolist()
        [0.1, 0.9]
        """
        column = as_likelihood(likelihood, self.predictive.shape[-1:], self._users)
        return self._updated(column, None, size)

    @property
    def _users(self) -> tuple[int, ...]:
        return self.predictive.shape[:-1]

    def _updated(self, likelihood: Floats, released: Any, size: int | None) -> BatchBelief:
        chain, n = self.chain, self.chain.n
        coming = self.size if size is None else int(size)
        pattern_count(n, coming)
        joined = self._joined
        if joined is None:
            weights = self.predictive * likelihood
            total = weights.sum(axis=-1)
        else:
            joined = joined * likelihood[..., None, :]
            total = joined.sum(axis=(-2, -1))
        refuse_impossible(total, self.released + 1, released)
        if joined is None:
            posterior = weights / total[..., None]
        else:
            joined = joined / total[..., None, None]
            posterior = joined.sum(axis=-2)
        lead = self._lead(posterior, joined)
        lead = lead / lead.sum(axis=tuple(range(len(self._users), lead.ndim)), keepdims=True)
        if chain.order == 1:
            kept = None
            flat = _extended(lead, chain, 1, coming).reshape(*self._users, -1)
        else:
            kept = _extended(lead, chain, 2, coming + 1).reshape(*self._users, n, -1)
            flat = kept.sum(axis=-2)
        logs = self.log_probability + np.log(total)
        return BatchBelief(
            chain,
            coming,
            _read_only(flat),
            _read_only(posterior),
            logs if self._users else float(logs),
            self.released + 1,
            kept,
        )

    def _lead(self, posterior: Floats, joined: Floats | None) -> Floats:
        """Return the law of the first symbol to come; second order: with the last one before it in front."""
        chain, n, users = self.chain, self.chain.n, self._users
        if chain.order == 1:
            last = posterior.reshape(*users, -1, n).sum(axis=-2)
            return np.asarray(last @ chain.transitions)
        assert chain.early is not None
        if self.size >= 2:
            two = posterior.reshape(*users, -1, n, n).sum(axis=-3)
        elif joined is not None:
            two = joined
        else:
            return np.asarray(posterior[..., None] * chain.early)
        return np.asarray(np.einsum("...ij,ijk->...jk", two, chain.transitions))

    def __repr__(self) -> str:
        users = f"{self._users[0]:,} users, " if self._users else ""
        return (
            f"BatchBelief({users}{self.chain.n} symbol{'s'[: self.chain.n != 1]}, next batch of {self.size}, "
            f"{self.released:,} batches released)"
        )


def _extended(law: Floats, chain: MarkovChain, have: int, want: int) -> Floats:
    """Return the law of more symbols from that of the first ones, one axis for each."""
    for _ in range(want - have):
        law = law[..., None] * chain.transitions
    return law


def _read_only(array: Floats) -> Floats:
    array = array.view()
    array.flags.writeable = False
    return array
