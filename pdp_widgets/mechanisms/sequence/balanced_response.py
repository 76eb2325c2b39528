"""Conditional response that keeps its output law and its bound for every belief."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.mechanisms.sequence.log_lift import (
    Values,
    hold_above_zero,
    kept,
    log_edge,
    log_kept,
    logs_of,
    shared,
    with_common_part,
)
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism

__all__ = ["BalancedResponse"]

_REGIMES = ("crr", "mixed", "pool")
# Most end within ten.
_STEPS = 60


@dataclass(frozen=True, eq=False)
class _Plan:
    """What is done with what is left of the budget: z, by its parts, for each user."""

    # A likely symbol x is kept with probability stay, or changed into a rare one as away says. A rare symbol
    # x is kept with probability own[x]; otherwise a likely symbol is published with the probabilities up, or
    # a rare one with (1 - own[x]) pool.
    rare: NDArray[np.bool_]
    regime: NDArray[np.int64]
    stay: Values
    away: Values
    own: Values
    up: Values
    pool: Values
    #: Logarithms of away and up together, which exclude each other.
    log_moved: Values


@dataclass(frozen=True)
class BalancedResponse(SequenceMechanism):
    """Conditional response where that is private; elsewhere rare symbols are mixed with each other.

    Parameters
    ----------
    epsilon
        The budget of one step in nats, 0 to infinity.

    Notes
    -----
    The released symbols have the law of the belief, always. Regimes: ``"crr"``, no possible symbol is less
    likely than 1 / (1 + exp(epsilon)) and nothing is changed; ``"mixed"``, all such symbols together are not
    more likely than that; ``"pool"``, they are. In the first two no other mechanism with this output law is
    right more often.

    Examples
    --------
    >>> mechanism = BalancedResponse(1.0)
    >>> step = mechanism.channel([0.9, 0.1])
    >>> step.regime, step.leakage, round(step.cost, 4), step.output.round(6).tolist()
    ('mixed', 1.0, 0.1456, [0.9, 0.1])
    >>> [mechanism.channel(b).regime for b in ([0.5, 0.5], [0.5, 0.2, 0.15, 0.15])]
    ['crr', 'pool']
    """

    name: ClassVar[str] = "crr_balanced"
    label: ClassVar[str] = "Balanced response"
    private: ClassVar[bool] = True

    def _plan(self, beliefs: Values, logs: Values) -> _Plan:
        # Beliefs as shares of the edge 1 / K, which may be too small for a float, as may they.
        with np.errstate(over="ignore", invalid="ignore"):
            shares = np.exp(logs - log_edge(self.epsilon))
        rare = (logs > -inf) & (shares < 1 - 1e-9)
        shares = np.where(rare, shares, 0.0)
        many = shares.sum(axis=1)
        rho = np.sum(beliefs, axis=1, where=rare)
        regime = np.where(many == 0, 0, np.where(many <= 1, 1, 2)).astype(np.int64)
        # A likely symbol changes into a rare one, and a rare into a likely, by this share of what that is.
        moved = np.where(regime == 1, (1 - np.minimum(many, 1.0)) / (1 - np.minimum(rho, 0.5)), 0.0)
        pool = np.where((regime == 1)[:, None], shares, 0.0)
        own = np.zeros_like(beliefs)
        pooled = np.flatnonzero(regime == 2)
        if len(pooled):
            own[pooled], pool[pooled] = _pooled(shares[pooled], many[pooled])
        each = moved[:, None] * beliefs
        return _Plan(
            rare,
            regime,
            1 - moved * rho,
            np.where(rare, each, 0.0),
            own,
            np.where(rare, 0.0, each),
            pool,
            logs_of(moved)[:, None] + logs,
        )

    def _of(self, beliefs: Values) -> _Plan:
        return self._plan(beliefs, logs_of(beliefs))

    def _matrices(self, beliefs: Values) -> Values:
        return self._planned(beliefs, self._of(beliefs))

    def _log_matrices(self, beliefs: Values, logs: Values) -> Values:
        plan = self._plan(beliefs, logs)
        identity = np.eye(beliefs.shape[1], dtype=bool)
        moved, pool = plan.log_moved[:, None, :], logs_of(plan.pool)[:, None, :]
        both = plan.rare[:, :, None] == plan.rare[:, None, :]
        rest = np.where(plan.rare[:, :, None], logs_of(1 - plan.own)[:, :, None] + pool, -inf)
        channel = np.where(both, rest, moved)
        own = np.where(plan.rare, plan.own, plan.stay[:, None])
        channel = np.where(identity, np.logaddexp(channel, logs_of(own)[:, :, None]), channel)
        channel = np.where((logs > -inf)[:, :, None], channel, logs[:, None, :])
        return np.logaddexp(-self.epsilon + logs[:, None, :], log_kept(self.epsilon) + channel)

    def _planned(self, beliefs: Values, plan: _Plan) -> Values:
        identity = np.eye(beliefs.shape[1])
        likely = plan.stay[:, None, None] * identity + plan.away[:, None, :]
        rare = (1 - plan.own)[:, :, None] * plan.pool[:, None, :]
        rare = rare + plan.own[:, :, None] * identity + plan.up[:, None, :]
        channel = np.where(plan.rare[:, :, None], rare, likely)
        channel = np.where((beliefs > 0)[:, :, None], channel, beliefs[:, None, :])
        return with_common_part(beliefs, channel, self.epsilon)

    def _one(self, belief: Values, distances: Values) -> tuple[Values, str | None]:
        plan = self._of(belief[None])
        return self._planned(belief[None], plan)[0], _REGIMES[int(plan.regime[0])]

    def _rows(self, symbols: NDArray[np.int64], beliefs: Values) -> Values:
        plan = self._of(beliefs)
        users = np.arange(len(symbols))
        rare = plan.rare[users, symbols]
        own = np.where(rare, plan.own[users, symbols], plan.stay)
        rows = np.where(rare[:, None], (1 - own)[:, None] * plan.pool + plan.up, plan.away)
        rows[users, symbols] += own
        rows = np.where((beliefs[users, symbols] > 0)[:, None], rows, beliefs)
        return self._mixed(beliefs, rows)

    def _mixed(self, beliefs: Values, rows: Values) -> Values:
        result = shared(self.epsilon) * beliefs + kept(self.epsilon) * rows
        return hold_above_zero(result[:, None, :], beliefs, self.epsilon)[:, 0]

    def _likelihoods(self, released: NDArray[np.int64], beliefs: Values) -> Values:
        plan = self._of(beliefs)
        users = np.arange(len(released))
        share = beliefs[users, released]
        pool, up, away = (part[users, released][:, None] for part in (plan.pool, plan.up, plan.away))
        column = np.where(plan.rare, (1 - plan.own) * pool + up, away)
        column[users, released] += np.where(
            plan.rare[users, released], plan.own[users, released], np.where(share > 0, plan.stay, 0.0)
        )
        column = np.where(beliefs > 0, column, share[:, None])
        column = shared(self.epsilon) * share[:, None] + kept(self.epsilon) * column
        return hold_above_zero(column[:, :, None], share[:, None], self.epsilon)[:, :, 0]

    def _lifts(self, beliefs: Values) -> Values:
        high, low = _ratios(self._of(beliefs), beliefs)
        part = kept(self.epsilon)
        up = np.log1p(part * (high - 1))
        # Near 1 the sum is 1 less a little; elsewhere exp(-epsilon) may be too small for a float.
        near = low >= 0.5
        far = np.logaddexp(-self.epsilon, log_kept(self.epsilon) + logs_of(low))
        down = -np.where(near, np.log1p(np.where(near, part * (low - 1), 0.0)), far)
        sides = np.where(beliefs > 0, np.maximum(up, down), 0.0)
        leakage: Values = np.max(sides, axis=1, initial=0.0)
        return leakage


def _ratios(plan: _Plan, beliefs: Values) -> tuple[Values, Values]:
    """Return the largest and the smallest z[x, y] / b[y] of possible symbols x, for each output y."""
    # An output is made by its own symbol, by other likely ones, and by other rare ones.
    likely = (beliefs > 0) & ~plan.rare
    by_own = np.where(plan.rare, plan.own + (1 - plan.own) * plan.pool, plan.stay[:, None])
    high, low = by_own.copy(), by_own
    some = np.count_nonzero(likely, axis=1)[:, None] - likely > 0
    high = np.where(some, np.maximum(high, plan.away), high)
    low = np.where(some, np.minimum(low, plan.away), low)
    some = np.count_nonzero(plan.rare, axis=1)[:, None] - plan.rare > 0
    least, most = _others(plan.own, plan.rare, inf), _others(-plan.own, plan.rare, inf)
    with np.errstate(invalid="ignore"):
        from_rare = (1 - least) * plan.pool + plan.up, (1 + most) * plan.pool + plan.up
    high = np.where(some, np.maximum(high, from_rare[0]), high)
    low = np.where(some, np.minimum(low, from_rare[1]), low)
    share = np.where(beliefs > 0, beliefs, 1.0)
    return high / share, low / share


def _others(values: Values, among: NDArray[np.bool_], nothing: float) -> Values:
    """Return for each symbol the least value of the others among some of them."""
    held = np.where(among, values, nothing)
    if held.shape[1] == 1:
        return np.full_like(held, nothing)
    first, second = np.partition(held, 1, axis=1)[:, :2].T
    # Where the least is attained twice both are the same.
    least: Values = np.where(held == first[:, None], second[:, None], first[:, None])
    return least


def _pooled(rare: Values, mass: Values) -> tuple[Values, Values]:
    """Return how likely each rare symbol is kept, and what is published instead."""

    def gap(size: Values) -> Values:
        total: Values = np.sum(rare * (1 - _kept(rare, size)), axis=1)
        return total - size

    # Shares of the edge 1 / (1 + exp(epsilon)), 0 for symbols that are not rare, with sums above 1.
    low, high = np.ones(len(rare)), mass.copy()
    above, below = gap(low), gap(high)
    # The caps of all symbols cannot be reached: keep less, in proportion.
    scaled = above < 0
    # Regula falsi, halving the weight of an end that stays (Illinois). The lower end always keeps the caps.
    weight_low, weight_high = above.copy(), below.copy()
    moved_low = np.full(len(rare), -1)
    for _ in range(_STEPS):
        open_ = ~scaled & (above > 1e-15 * low) & (high - low > 1e-15 * high)
        if not open_.any():
            break
        spread = np.where(open_, weight_low - weight_high, 1.0)
        middle = np.clip((low * -weight_high + high * weight_low) / spread, low, high)
        middle = np.where(open_, middle, low)
        found = gap(middle)
        fits = found >= 0
        stays = fits == moved_low
        weight_high = np.where(fits, np.where(stays, weight_high / 2, weight_high), found)
        weight_low = np.where(fits, found, np.where(stays, weight_low / 2, weight_low))
        moved_low = np.where(fits, 1, 0)
        above = np.where(open_ & fits, found, above)
        low, high = np.where(open_ & fits, middle, low), np.where(open_ & ~fits, middle, high)
    own = _kept(rare, low)
    held = np.sum(rare * own, axis=1)
    shrink = np.where(scaled & (held > 0), (mass - 1) / np.where(held > 0, held, 1.0), 1.0)
    own = own * shrink[:, None]
    left = rare * (1 - own)
    return own, left / left.sum(axis=1, keepdims=True)


def _kept(rare: Values, size: Values) -> Values:
    """Return the larger root s in [0, 1] of s + (1 - s)^2 b / R = K b from K b and K R."""
    c = rare / size[:, None]
    u = 1 - 2 * c
    q = np.sqrt(np.maximum(1 + 4 * c * (rare - 1), 0.0))
    positive = u > 0
    if positive.all():
        return np.clip(2 * (rare - c) / (u + q), 0.0, 1.0)
    small = 2 * (rare - c) / np.where(positive, u + q, 1.0)
    large = (q - u) / np.where(c > 0, 2 * c, inf)
    return np.clip(np.where(positive, small, large), 0.0, 1.0)
