"""A normal shift: its exact slack, the epsilon of the paper's second lemma, and the multiplier c'."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import FINITE, INNER, MOST_EXACT, NOT_NEGATIVE, POSITIVE, as_size
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.noiseless.slack import PAPER, LeastEpsilon, SlackStatus

Floats = NDArray[np.float64]

_SOURCE = f"{PAPER}, Lemma 2"


def tail_point(log_inverse: float) -> float:
    """Return y with ln y + y**2/2 = ln(1/delta1) - ln(2 pi)/2: the normal tail beyond it is below delta1."""
    # In t = 2 ln y the equation is exp(t) + t = const, convex: Newton's steps from the right never overshoot.
    # It is the closed form with Lambert's W, without its overflow.
    level = 2 * log_inverse - math.log(2 * math.pi)
    t = level if level <= 1 else math.log(level)
    for _ in range(100):
        step = (math.exp(t) + t - level) / (math.exp(t) + 1)
        t -= step
        if abs(step) <= 1e-16 * max(1.0, abs(t)):
            break
    return math.exp(t / 2)


@dataclass(frozen=True)
class StepMultiplier:
    """The multiplier c of Lemma 2: the standard deviation over s/eps1 that its two conditions ask for.

    Parameters
    ----------
    y
        Where the normal tail is bounded by delta1.
    first
        The infimum of c above the root of 1/2 for the first condition.
    second
        The infimum for the second condition; 0 without k, infinite for a sum that is certain.
    status
        ``"as printed"``: the conditions are the paper's.
    source
        Paper and lemma.

    Examples
    --------
    >>> step_multiplier(100).value == step_multiplier(100).first
    True
    """

    y: float
    first: float
    second: float
    status: SlackStatus = "as printed"
    source: str = _SOURCE

    @property
    def value(self) -> float:
        """The larger of the two, c': an infimum, as the conditions are strict inequalities."""
        return max(self.first, self.second)


def step_multiplier(
    n_eff: float, s: float = 1.0, k: int | None = None, eps1: float | None = None, B: float | None = None
) -> StepMultiplier:
    """Return the smallest multiplier c' that the conditions of Lemma 2 as printed allow.

    Parameters
    ----------
    n_eff
        Number of records that hide the target, a positive number; delta1 is one over its root.
    s
        The change that is hidden, above 0 where ``k`` is given.
    k
        The group size of the second condition, or None to skip that.
    eps1
        The epsilon in the second condition, or None to take the one that the theorem gives.
    B
        The standard deviation of the sum, needed for that.

    Raises
    ------
    BudgetError
        A number is outside its range, or ``k`` is given with neither ``eps1`` nor ``B``.

    Notes
    -----
    The units of the second condition do not match, and no step of the inequality uses it; it is kept for the
    theorems as printed.

    Examples
    --------
    >>> found = step_multiplier(10_000, 1, 66, 0.1)
    >>> round(found.first, 6), round(found.second, 6)
    (2.56989, 2.578759)
    """
    size = POSITIVE.take(n_eff, "n_eff")
    given_s = FINITE.take(s, "s")
    given_eps1 = None if eps1 is None else POSITIVE.take(eps1, "eps1")
    spread = None if B is None else POSITIVE.take(B, "B")
    return multiplier_of(size, given_s, k, given_eps1, spread)


def multiplier_of(n_eff: float, s: float, k: Any, eps1: float | None, spread: float | None) -> StepMultiplier:
    """Return the multiplier for checked numbers; a standard deviation of 0 asks for an infinite one."""
    y = tail_point(0.5 * math.log(n_eff))
    first = first_multiplier(y)
    if k is None:
        return StepMultiplier(y, first, 0.0)
    group, change = as_size(k, "k", 1, MOST_EXACT), POSITIVE.take(s, "s")
    if eps1 is not None:
        second = math.sqrt(eps1 * (group / change + 0.5))
    elif spread is not None:
        second = (group + change / 2) / spread if spread > 0 else math.inf
    else:
        raise BudgetError(
            "k is given without eps1 and without B; the second condition needs one of them.",
            Where("parameter", name="eps1"),
        )
    return StepMultiplier(y, first, second)


def first_multiplier(y: float) -> float:
    """Return the infimum of c for the first condition: where c - 1/(2c) is the point of the tail."""
    return (y + math.hypot(y, math.sqrt(2))) / 2


def gaussian_delta(epsilon: Any, shift: float, sigma: float) -> Floats:
    """Return the exact slack of a normal law against it shifted, for every epsilon: no bound for a sum."""
    from scipy.special import erfcx, log_ndtr, ndtr

    levels = np.asarray(epsilon, dtype=np.float64)
    moved, spread = abs(FINITE.take(shift, "shift")), NOT_NEGATIVE.take(sigma, "sigma")
    if moved == 0:
        return np.zeros(levels.shape)
    r = moved / spread if spread > 0 else math.inf
    if math.isinf(r):
        return np.ones(levels.shape)
    if r == 0:
        return np.zeros(levels.shape)
    # Phi(r/2 - eps/r) - exp(eps) Phi(-r/2 - eps/r): both terms have the factor exp(-(eps/r - r/2)**2 / 2);
    # what is left is a difference of scaled tails, without a large exponential.
    found = np.empty(levels.shape)
    with np.errstate(over="ignore", under="ignore"):
        low, high = levels / r - r / 2, levels / r + r / 2
        far = low > 0
        root = math.sqrt(2)
        found[far] = 0.5 * np.exp(-(low[far] ** 2) / 2) * (erfcx(low[far] / root) - erfcx(high[far] / root))
        found[~far] = ndtr(-low[~far]) - np.exp(levels[~far] + log_ndtr(-high[~far]))
    return np.maximum(found, 0.0)


def gaussian_epsilon(delta1: float, shift: float, sigma: float) -> LeastEpsilon:
    """Return an epsilon at which a normal shift keeps a slack, by the lemma's argument without its flaw.

    Parameters
    ----------
    delta1
        The slack, strictly between 0 and 1.
    shift, sigma
        As for `gaussian_delta`.

    Notes
    -----
    ``y r + r**2 / 2``: the proof replaces eps1 by 1, which is wrong where the result is above 1; solving for
    it instead is exact.

    Examples
    --------
    >>> found = gaussian_epsilon(0.1, 5, 1)
    >>> round(found.epsilon, 6), found.status
    (19.658269, 'bound')
    """
    slack = INNER.take(delta1, "delta1")
    epsilon = step_epsilon(slack, *_ratio(shift, sigma))
    return LeastEpsilon(epsilon, "bound", "all", slack, _about(shift, sigma), f"{_SOURCE}, corrected")


def printed_gaussian_epsilon(delta1: float, shift: float, sigma: float) -> LeastEpsilon:
    """Return the epsilon of a normal shift as printed: below the truth where it is above 1.

    Parameters
    ----------
    delta1, shift, sigma
        As for `gaussian_epsilon`.

    Examples
    --------
    >>> round(printed_gaussian_epsilon(0.1, 5, 1).epsilon, 6)
    8.610059
    """
    slack = INNER.take(delta1, "delta1")
    moved, ratio = _ratio(shift, sigma)
    epsilon = first_multiplier(tail_point(-math.log(slack))) * ratio if moved else 0.0
    return LeastEpsilon(epsilon, "as printed", "all", slack, _about(shift, sigma), _SOURCE)


def step_epsilon(delta1: float, moved: float, ratio: float) -> float:
    """Return y r + r**2 / 2; 0 without a shift."""
    return tail_point(-math.log(delta1)) * ratio + ratio * ratio / 2 if moved else 0.0


def _ratio(shift: float, sigma: float) -> tuple[float, float]:
    moved, spread = abs(FINITE.take(shift, "shift")), NOT_NEGATIVE.take(sigma, "sigma")
    if moved == 0:
        return 0.0, 0.0
    return moved, moved / spread if spread > 0 else math.inf


def _about(shift: float, sigma: float) -> str:
    spread, moved = float(sigma), abs(float(shift))
    return f"normal law with standard deviation {spread:.6g}, against a shift by {moved:.6g}"
