"""What an adversary believes about the current symbol of a stream, release by release."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import as_flag, plain_numbers, refuse_masked
from pdp_widgets.errors import ChainError, DomainError, ModelMismatch, TableError, Where
from pdp_widgets.mechanisms.sequence.log_lift import log_sum, logs_of
from pdp_widgets.mechanisms.sequence.sequence_mechanism import StepChannel
from pdp_widgets.models.chain_checks import as_count
from pdp_widgets.models.immutable import ReadOnlyAgain, ReadOnlyArrays, read_only
from pdp_widgets.models.labels import shown
from pdp_widgets.models.markov_chain import MarkovChain, as_chain

Floats = NDArray[np.float64]

#: Numbers of the beliefs of all users: 1 GB.
MOST_NUMBERS = 1 << 27


def as_likelihood(likelihood: Any, shape: tuple[int, ...], users: tuple[int, ...]) -> Floats:
    """Return likelihoods of what was released, for all users or one for each, or raise TableError."""
    where = Where("parameter", name="likelihood")
    refuse_masked(likelihood, "likelihood")
    try:
        found = plain_numbers(likelihood)
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            f"The likelihood is {shown(likelihood)}; give one probability for each symbol.", where
        ) from None
    if found.shape not in (shape, users + shape):
        raise TableError(
            f"The likelihood has the shape {found.shape}; it must have the shape {shape}"
            f"{f', or {users + shape} with an axis of users' if users else ''}.",
            where,
        )
    # NaN fails both comparisons; a column may be off by rounding.
    if not bool(((found >= 0) & (found <= 1 + 1e-9)).all()):
        raise TableError("The likelihood has an entry that is no probability, from 0 to 1.", where)
    return found


def column_of(channel: Any, released: Any, rows: int, users: tuple[int, ...], axes: int) -> Floats:
    """Return the column of a matrix, or one for each user, that belongs to what was released."""
    where = Where("parameter", name="channel")
    given = channel.matrix if isinstance(channel, StepChannel) else channel
    refuse_masked(given, "channel")
    try:
        matrix = plain_numbers(given)
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            f"The channel is {shown(channel)}; give a matrix with one row for each symbol.", where
        ) from None
    # NaN fails both comparisons; what the column of this release does not show is wrong all the same.
    if not bool(((matrix >= 0) & (matrix <= 1 + 1e-9)).all()):
        raise TableError("The channel has an entry that is no probability, from 0 to 1.", where)
    # Two axes of rows where the mechanism looks at the symbol before too.
    shape = (rows,) * axes
    if matrix.shape[:-1] not in (shape, users + shape):
        raise TableError(
            f"The channel has the shape {matrix.shape}; it needs {rows} row{'s'[: rows != 1]} for "
            f"the {rows} symbol{'s'[: rows != 1]}{' and those before them' if axes == 2 else ''}.",
            where,
        )
    outputs = matrix.shape[-1]
    if not users:
        if not is_whole(released) or not 0 <= released < outputs:
            raise DomainError(
                f"The released symbol is {shown(released)}; it is a position from 0 to {outputs - 1}.",
                Where("parameter", name="released"),
            )
        return as_likelihood(matrix[..., int(released)], shape, users)
    symbols = np.asarray(released)
    if symbols.dtype.kind not in "iu" or symbols.shape != users:
        raise DomainError(
            f"The released symbols have the shape {symbols.shape}; give {users[0]:,} whole numbers, one for "
            "each user.",
            Where("parameter", name="released"),
        )
    wrong = (symbols < 0) | (symbols >= outputs)
    if wrong.any():
        user = int(np.argmax(wrong))
        raise DomainError(
            f"The released symbol of user {user} is {int(symbols[user])}; it is a position from 0 to "
            f"{outputs - 1}.",
            Where("parameter", name="released"),
        )
    if matrix.shape[:-1] == shape:
        picked = np.moveaxis(matrix[..., symbols], -1, 0)
    else:
        index = symbols.reshape(users + (1,) * (axes + 1))
        picked = np.take_along_axis(matrix, index, axis=-1)[..., 0]
    return as_likelihood(picked, shape, users)


def refuse_impossible(totals: Any, step: int, released: Any = None) -> None:
    """Raise ModelMismatch where what was released has probability zero."""
    bad = ~(np.asarray(totals) > 0)
    if not bad.any():
        return
    user = int(np.argmax(bad))
    whose = f" of user {user}" if bad.ndim else ""
    seen = np.asarray(released).reshape(-1)
    what = f"Symbol {int(seen[user])}" if released is not None else "What was released"
    raise ModelMismatch(
        f"{what}{whose} at step {step} has probability 0 under the model: no belief follows from it. "
        "Use the model and the mechanism that made it, or smooth the transitions.",
        Where("parameter", name="released"),
    )


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
        return cls(chain, read_only(np.tile(start, (many, 1))), None, np.zeros(many))

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
            read_only(coming),
            read_only(posterior),
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
    """Return law of the next symbol, of the last one, of both, and the probability of what was released."""
    # predictive is of shape (n,) or (users, n). pairs, the law of the symbol and the one before, is there for
    # second order from the second step on. axes is 2 where the likelihood depends on both.
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


@dataclass(frozen=True, eq=False, repr=False)
class LogStreamBelief(ReadOnlyArrays):
    """The same as `StreamBelief`, held as logarithms.

    It follows beliefs below 1e-308 exactly, such as that of any other state after many releases from a state
    that is never left. It takes about five times as long.

    Parameters
    ----------
    chain
        The model of the stream.
    log_predictive
        Logarithms of the law of the symbol that is released next; ``-inf`` for what cannot be.
    log_posterior
        The same for the symbol released last; None before the first.
    log_probability
        Log probability of all releases so far.
    released
        How many symbols were released.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> belief = LogStreamBelief.before(MarkovChain([[1, 0], [0.5, 0.5]], [0.5, 0.5]))
    >>> for _ in range(1000):
    ...     belief = belief.after([[0.9, 0.1], [0.1, 0.9]], 0)
    >>> belief.log_predictive.round(2).tolist()
    [0.0, -2890.43]
    """

    chain: MarkovChain
    log_predictive: Floats
    log_posterior: Floats | None = None
    log_probability: Any = 0.0
    released: int = 0
    _pairs: Floats | None = field(default=None)

    @classmethod
    def before(cls, chain: MarkovChain, users: int | None = None) -> LogStreamBelief:
        """Return the belief before the first release, as `StreamBelief.before` does."""
        start = logs_of(as_chain(chain).start)
        if users is None:
            return cls(chain, start)
        many = as_count(users, "users", most=MOST_NUMBERS // chain.n)
        return cls(chain, np.tile(start, (many, 1)), None, np.zeros(many))

    @property
    def predictive(self) -> Floats:
        """Law of the symbol that is released next; what is below 1e-308 reads 0."""
        return np.asarray(np.exp(self.log_predictive))

    @property
    def posterior(self) -> Floats | None:
        """Law of the symbol released last; None before the first."""
        return None if self.log_posterior is None else np.asarray(np.exp(self.log_posterior))

    def after(self, channel: Any, released: Any) -> LogStreamBelief:
        """Return the belief after one more release, as `StreamBelief.after` does.

        Raises
        ------
        ModelMismatch
            The release has probability 0 under the model.
        """
        column = column_of(channel, released, self.chain.n, self._users, 1)
        return self._updated(logs_of(column), released)

    def after_likelihood(self, likelihood: Any) -> LogStreamBelief:
        """Return the belief after one more release, as `StreamBelief.after_likelihood` does."""
        return self._updated(logs_of(as_likelihood(likelihood, (self.chain.n,), self._users)), None)

    @property
    def _users(self) -> tuple[int, ...]:
        return self.log_predictive.shape[:-1]

    def _updated(self, likelihood: Floats, released: Any) -> LogStreamBelief:
        chain = self.chain
        pairs: Floats | None = None
        if self._pairs is None:
            weights = self.log_predictive + likelihood
            total = log_sum(weights, (-1,))
            refuse_impossible(np.isfinite(total), self.released + 1, released)
            posterior = weights - total[..., None]
            if chain.order == 1:
                coming = log_sum(posterior[..., :, None] + logs_of(chain.transitions), (-2,))
            else:
                assert chain.early is not None
                pairs = posterior[..., :, None] + logs_of(chain.early)
                coming = log_sum(pairs, (-2,))
        else:
            weights = self._pairs + likelihood[..., None, :]
            total = log_sum(weights, (-2, -1))
            refuse_impossible(np.isfinite(total), self.released + 1, released)
            weights = weights - total[..., None, None]
            posterior = log_sum(weights, (-2,))
            pairs = log_sum(weights[..., None] + logs_of(chain.transitions), (-3,))
            pairs = pairs - log_sum(pairs, (-2, -1))[..., None, None]
            coming = log_sum(pairs, (-2,))
        coming = coming - log_sum(coming, (-1,))[..., None]
        logs = self.log_probability + total
        return LogStreamBelief(
            chain, coming, posterior, logs if self._users else float(logs), self.released + 1, pairs
        )

    def __repr__(self) -> str:
        users = f"{self._users[0]:,} users, " if self._users else ""
        symbols = f"{self.chain.n} symbol{'s'[: self.chain.n != 1]}"
        return f"LogStreamBelief({users}{symbols}, {self.released:,} released)"
