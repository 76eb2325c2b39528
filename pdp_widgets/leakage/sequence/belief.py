"""What an adversary believes about the current symbol of a stream, release by release."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import ChainError, Where
from pdp_widgets.leakage.sequence.likelihoods import MOST_NUMBERS, as_likelihood, column_of, refuse_impossible
from pdp_widgets.models.chain_parameters import as_count
from pdp_widgets.models.given_chain import as_chain
from pdp_widgets.models.given_numbers import as_flag
from pdp_widgets.models.immutable import ReadOnlyAgain
from pdp_widgets.models.markov_chain import MarkovChain

__all__ = ["StreamBelief", "filtered"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class StreamBelief(ReadOnlyAgain):
    """The belief of an adversary who knows the chain, the mechanism and all releases so far.

    It depends on what was released and not on the data, so it may be shown to everybody. `after` returns a
    new belief and leaves this one as it is.

    Parameters
    ----------
    chain
        The model of the stream.
    predictive
        Law of the symbol that is released next, shape (n,), or (users, n).
    posterior
        Law of the symbol that was released last, given that release too; None before the first.
    log_probability
        Log probability of all releases so far, in nats; a number, or one for each user.
    released
        How many symbols were released.

    Notes
    -----
    Jiang, Li and Tandon, Equations 3 and 13, for a source of first or second order and a mechanism that looks
    at the current symbol (second order: or at the one before too) and not at older data. A step takes n^2
    operations, n^3 for second order.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> belief = StreamBelief.before(MarkovChain.symmetric(0.9))
    >>> after = belief.after([[0.8, 0.2], [0.2, 0.8]], 1)
    >>> after.posterior.round(12).tolist(), after.predictive.round(12).tolist()
    ([0.2, 0.8], [0.26, 0.74])
    >>> round(after.log_probability, 4)
    -0.6931
    """

    chain: MarkovChain
    predictive: Floats
    posterior: Floats | None = None
    log_probability: Any = 0.0
    released: int = 0
    #: Second order: law of the last symbol and the one to come, for every user.
    _pairs: Floats | None = field(default=None)

    @classmethod
    def before(cls, chain: MarkovChain, users: int | None = None) -> StreamBelief:
        """Return the belief before the first release.

        Parameters
        ----------
        chain
            The model of the stream.
        users
            How many streams are followed at once; without it one, and arrays have no axis of users.

        Examples
        --------
        >>> StreamBelief.before(MarkovChain.symmetric(0.9), users=2).predictive.tolist()
        [[0.5, 0.5], [0.5, 0.5]]
        """
        start = as_chain(chain).start
        if users is None:
            return cls(chain, start)
        many = as_count(users, "users", most=MOST_NUMBERS // chain.n)
        return cls(chain, _read_only(np.tile(start, (many, 1))), None, np.zeros(many))

    def after(self, channel: Any, released: Any, *, previous: bool = False) -> StreamBelief:
        """Return the belief after one more release.

        Parameters
        ----------
        channel
            The mechanism at this step: a `StepChannel` or a matrix ``a[x, y]``; with users in front for one
            matrix each.
        released
            Position of the released symbol, for every user where there are users.
        previous
            The mechanism looks at the symbol before too, ``a[x before, x, y]``; second order only, and from
            the second step on.

        Raises
        ------
        ModelMismatch
            The release has probability 0 under the model.

        Examples
        --------
        >>> chain = MarkovChain.symmetric(0.9)
        >>> StreamBelief.before(chain).after([[1, 0], [0, 1]], 0).predictive.round(12).tolist()
        [0.9, 0.1]
        """
        axes = self._axes(previous)
        column = column_of(channel, released, self.chain.n, self._users, axes)
        return self._updated(column, axes, released)

    def after_likelihood(self, likelihood: Any, *, previous: bool = False) -> StreamBelief:
        """Return the belief after one more release, given by how likely each true symbol makes it.

        Parameters
        ----------
        likelihood
            Column of the channel, shape (n,) or (users, n).
        previous
            As for `after`: shape (n, n), the symbol before first.

        Examples
        --------
        >>> belief = StreamBelief.before(MarkovChain.symmetric(0.9))
        >>> belief.after_likelihood([0.2, 0.8]).posterior.round(12).tolist()
        [0.2, 0.8]
        """
        axes = self._axes(previous)
        return self._updated(as_likelihood(likelihood, (self.chain.n,) * axes, self._users), axes, None)

    @property
    def _users(self) -> tuple[int, ...]:
        return self.predictive.shape[:-1]

    def _axes(self, previous: bool) -> int:
        if not as_flag(previous, "previous"):
            return 1
        if self._pairs is None:
            raise ChainError(
                "There is no symbol before in this belief: a mechanism that looks at it needs a chain of "
                "second order and a step before.",
                Where("parameter", name="previous"),
            )
        return 2

    def _updated(self, likelihood: Floats, axes: int, released: Any) -> StreamBelief:
        chain = self.chain
        step = self.released + 1
        coming, posterior, pairs, total = filtered(
            chain, self.predictive, self._pairs, likelihood, axes, step, released
        )
        logs = self.log_probability + np.log(total)
        return StreamBelief(
            chain,
            _read_only(coming),
            _read_only(posterior),
            logs if self._users else float(logs),
            step,
            pairs,
        )

    def __repr__(self) -> str:
        users = f"{self._users[0]:,} users, " if self._users else ""
        symbols = f"{self.chain.n} symbol{'s'[: self.chain.n != 1]}"
        return f"StreamBelief({users}{symbols}, {self.released:,} released)"


def filtered(
    chain: MarkovChain,
    predictive: Floats,
    pairs: Floats | None,
    likelihood: Floats,
    axes: int,
    step: int,
    released: Any = None,
) -> tuple[Floats, Floats, Floats | None, Any]:
    """Return law of the next symbol, of the last one, of both, and the probability of what was released.

    Parameters
    ----------
    chain
        The model of the stream.
    predictive
        Law of the symbol before it was released, shape (n,) or (users, n).
    pairs
        Second order from the second step on: law of that symbol and the one before; None otherwise.
    likelihood
        How likely each true symbol makes what was released; unchecked.
    axes
        2 where the likelihood depends on the symbol before too, otherwise 1.
    step, released
        Number of the step and what was released, for the message.

    Raises
    ------
    ModelMismatch
        The release has probability 0 under the model.
    """
    coming: Floats
    if pairs is None:
        weights = predictive * likelihood
        total = weights.sum(axis=-1)
        _refuse(total, step, released)
        posterior = weights / total[..., None]
        if chain.order == 1:
            coming = posterior @ chain.transitions
        else:
            assert chain.early is not None
            pairs = posterior[..., None] * chain.early
            coming = pairs.sum(axis=-2)
    else:
        weights = pairs * (likelihood if axes == 2 else likelihood[..., None, :])
        total = weights.sum(axis=(-2, -1))
        _refuse(total, step, released)
        weights = weights / total[..., None, None]
        posterior = weights.sum(axis=-2)
        pairs = np.einsum("...ij,ijk->...jk", weights, chain.transitions)
        pairs = pairs / pairs.sum(axis=(-2, -1), keepdims=True)
        coming = pairs.sum(axis=-2)
    coming = coming / coming.sum(axis=-1, keepdims=True)
    return coming, posterior, pairs, total


def _refuse(total: Any, step: int, released: Any) -> None:
    # NaN fails the comparison. Words are for what is wrong alone: a step takes microseconds.
    if total.size and not total.min() > 0:
        refuse_impossible(total, step, released)


def _read_only(array: Floats) -> Floats:
    array.flags.writeable = False
    return array
