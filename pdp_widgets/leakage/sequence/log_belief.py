"""The belief filter in logarithms, for probabilities too small to be floats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.likelihoods import MOST_NUMBERS, as_likelihood, column_of, refuse_impossible
from pdp_widgets.models.chain_parameters import as_count
from pdp_widgets.models.given_chain import as_chain
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.markov_chain import MarkovChain

__all__ = ["LogStreamBelief"]

Floats = NDArray[np.float64]


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
        start = _logs(as_chain(chain).start)
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
        return self._updated(_logs(column), released)

    def after_likelihood(self, likelihood: Any) -> LogStreamBelief:
        """Return the belief after one more release, as `StreamBelief.after_likelihood` does."""
        return self._updated(_logs(as_likelihood(likelihood, (self.chain.n,), self._users)), None)

    @property
    def _users(self) -> tuple[int, ...]:
        return self.log_predictive.shape[:-1]

    def _updated(self, likelihood: Floats, released: Any) -> LogStreamBelief:
        chain = self.chain
        pairs: Floats | None = None
        if self._pairs is None:
            weights = self.log_predictive + likelihood
            total = _log_sum(weights, (-1,))
            refuse_impossible(np.isfinite(total), self.released + 1, released)
            posterior = weights - total[..., None]
            if chain.order == 1:
                coming = _log_sum(posterior[..., :, None] + _logs(chain.transitions), (-2,))
            else:
                assert chain.early is not None
                pairs = posterior[..., :, None] + _logs(chain.early)
                coming = _log_sum(pairs, (-2,))
        else:
            weights = self._pairs + likelihood[..., None, :]
            total = _log_sum(weights, (-2, -1))
            refuse_impossible(np.isfinite(total), self.released + 1, released)
            weights = weights - total[..., None, None]
            posterior = _log_sum(weights, (-2,))
            pairs = _log_sum(weights[..., None] + _logs(chain.transitions), (-3,))
            pairs = pairs - _log_sum(pairs, (-2, -1))[..., None, None]
            coming = _log_sum(pairs, (-2,))
        coming = coming - _log_sum(coming, (-1,))[..., None]
        logs = self.log_probability + total
        return LogStreamBelief(
            chain, coming, posterior, logs if self._users else float(logs), self.released + 1, pairs
        )

    def __repr__(self) -> str:
        users = f"{self._users[0]:,} users, " if self._users else ""
        symbols = f"{self.chain.n} symbol{'s'[: self.chain.n != 1]}"
        return f"LogStreamBelief({users}{symbols}, {self.released:,} released)"


def _logs(numbers: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(numbers))


def _log_sum(logs: Floats, axes: tuple[int, ...]) -> Floats:
    """Return log of sum of exp along axes; minus infinity where everything is."""
    most = logs.max(axis=axes, keepdims=True)
    # What is impossible throughout stays so: minus infinity less itself would be no number.
    base = np.where(np.isfinite(most), most, 0.0)
    with np.errstate(divide="ignore"):
        sums = np.log(np.exp(logs - base).sum(axis=axes, keepdims=True)) + base
    return np.asarray(sums.squeeze(axis=axes))
