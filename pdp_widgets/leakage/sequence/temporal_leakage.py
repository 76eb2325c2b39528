"""What is learned about one event from all releases of a stream, when each is locally private by itself.

Temporal privacy leakage is a comparator: it states what is lost of a promise for one event when its
neighbours in time are reported too, and the adversary knows how the data move (Cao, Yoshikawa, Xiao, Xiong).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import EPSILON, as_size
from pdp_widgets.core.converters import array_of, as_sizes, plain_numbers, refuse_masked
from pdp_widgets.core.progress import Progress, ProgressHook, refuse_beyond, timed
from pdp_widgets.errors import ChainError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.leakage.sequence.step_leakage import AboutSteps, as_steps, stream_leakage
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays

Floats = NDArray[np.float64]
_SOURCE = "Cao, Yoshikawa, Xiao and Xiong, temporal privacy leakage"


@dataclass(frozen=True, eq=False, repr=False)
class TemporalLeakage(EqualByFields, ReadOnlyArrays, NumberTable):
    """What all releases say about each single event.

    Its tables have one step a row.

    Parameters
    ----------
    budgets
        The promise of every release by itself (local differential privacy), in nats, shape (steps,).
    backward
        What the releases up to each step say about that step, shape (steps,).
    forward
        What the releases from each step on say about that step, shape (steps,).

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> from pdp_widgets.streams import temporal_leakage
    >>> found = temporal_leakage(MarkovChain.symmetric(0.8), 0.5, 3)
    >>> found.backward.round(3).tolist(), found.forward.round(3).tolist()
    ([0.5, 0.796, 0.962], [0.962, 0.796, 0.5])
    """

    budgets: Floats
    backward: Floats
    forward: Floats

    @property
    def epsilon(self) -> float:
        """The largest promise of a release."""
        return float(self.budgets.max(initial=0.0))

    @property
    def total(self) -> Floats:
        """What all releases say about each step, shape (steps,); the release of the step counts once."""
        return self._from_both(self.backward, self.forward)

    def _from_both(self, backward: Floats, forward: Floats) -> Floats:
        """Return what both sides say, with the release of the step once."""
        return backward + forward - np.where(np.isinf(self.budgets), 0.0, self.budgets)

    @property
    def largest(self) -> Leakage:
        """The largest of them."""
        steps = len(self.backward)
        return stream_leakage(float(self.total.max(initial=0.0)), "bound", steps, _SOURCE)

    def windows(self, width: int) -> Floats:
        """Return what all releases say about each ``width`` steps in a row, a bound, shape (windows,).

        A width of 1 is `total`. Where it is not below the number of steps there is one window, all steps, and
        it is the sum of all budgets: who looks for the whole stream gains nothing by correlations.

        Examples
        --------
        >>> found = temporal_leakage([[0.8, 0.2], [0.2, 0.8]], 0.5, 4)
        >>> found.windows(2).round(4).tolist(), found.windows(9).tolist()
        ([1.462, 1.5921, 1.462], [2.0])
        """
        many, steps = as_size(width, "width", 1, error=ChainError), len(self.backward)
        if many >= steps:
            return np.array([self.budgets.sum()] if steps else [])
        if many == 1:
            return self.total
        spent = np.concatenate([[0.0], np.cumsum(self.budgets)])
        with np.errstate(invalid="ignore"):
            before, after = self.backward - self.budgets, self.forward - self.budgets
            found = before[: steps - many + 1] + (spent[many:] - spent[:-many]) + after[many - 1 :]
        # Where a budget is infinite differences of sums mean nothing, and so is the window.
        return np.where(np.isnan(found), np.inf, found)

    def window(self, width: int) -> Leakage:
        """Return the largest leakage about ``width`` steps in a row."""
        value = float(self.windows(width).max(initial=0.0))
        return stream_leakage(value, "bound", min(width, len(self.backward)), _SOURCE)

    def _numbers(self) -> Numbers:
        columns = {
            "step": np.arange(1, len(self.backward) + 1),
            "backward": self.backward,
            "forward": self.forward,
            "total": self.total,
        }
        status = dict.fromkeys(("backward", "forward", "total"), "bound")
        alike = bool((self.budgets == self.epsilon).all())
        if not alike:
            columns["budget"] = self.budgets
        return Numbers(
            columns,
            {"step": "count", "backward": "bound", "forward": "bound", "total": "bound"},
            {"unit": "nats", "status": status, "source": _SOURCE, "epsilon": self.epsilon},
            (f"each release promises {epsilon_words(self.epsilon)}{'' if alike else ' at most'}",),
        )


def temporal_leakage(
    forward: ArrayLike,
    epsilon: float | ArrayLike,
    steps: int | None = None,
    backward: ArrayLike | None = None,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> TemporalLeakage:
    """Return what all releases of a stream say about each single event.

    Parameters
    ----------
    forward
        Transition matrix, or a first-order `MarkovChain`; or a matrix for each step but the first.
    epsilon
        The promise of every release by itself, in nats: one for all, or one for each step. 0 is no release.
    steps
        Number of steps; it may be left out where ``epsilon`` has one for each.
    backward
        Pr(X_{t-1} | X_t), one matrix for all steps, or one for each step but the first. Without it the one
        that follows from the chain at each step; a matrix alone is taken for a chain that starts from its
        stationary law.
    limit
        Seconds: refuse what would take longer by an estimate, and end what does; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.

    Returns
    -------
    TemporalLeakage
        Bounds that hold for every mechanism with this promise; randomised response of two symbols under a
        symmetric chain reaches them.

    Raises
    ------
    ChainError
        A matrix is no law, the chain is of second order, or numbers of steps differ.
    LimitError
        It would take longer than the limit, or does.

    Notes
    -----
    Time O(steps n**3) for n symbols.

    Examples
    --------
    >>> found = temporal_leakage([[0.8, 0.2], [0.2, 0.8]], 0.5, 4)
    >>> found.total.round(4).tolist()
    [1.0499, 1.258, 1.258, 1.0499]
    """
    budgets = as_budgets(epsilon, steps)
    length = len(budgets)
    aheads, backs = both_ways(forward, backward, length)
    n = len(aheads[0])
    each = n**3
    seconds = 2 * (each * _SECONDS_OF_ALL + length * (each * _SECONDS_OF_BEST + n * _SECONDS_A_ROW))
    work, instead = f"The leakage of {n:,} symbols over {length:,} steps", "Take fewer steps or symbols."
    refuse_beyond(limit, seconds, work, instead)
    told = Progress(timed(progress, limit, work, instead), 2 * length)
    past, future = budgets.copy(), budgets.copy()
    behind, before = _Carried(), _Carried()
    for t, back in enumerate(islice(backs, max(0, length - 1)), 1):
        past[t] = behind.leakage(back, past[t - 1], told) + budgets[t]
    for t in range(length - 1, 0, -1):
        future[t - 1] = before.leakage(aheads[(t - 1) % len(aheads)], future[t], told) + budgets[t - 1]
    told.finish()
    return TemporalLeakage(budgets, past, future)


def as_budgets(epsilon: Any, steps: Any) -> Floats:
    """Return one budget for each step, or raise an error where their number is not that of the steps."""
    if array_of(epsilon).ndim == 0 and not isinstance(epsilon, str | bytes):
        if steps is None:
            raise ChainError(
                "Give the number of steps, or a budget for each.", Where("parameter", name="steps")
            )
        return np.full(as_steps(steps), EPSILON.take(epsilon, "epsilon"))
    found = as_sizes(epsilon, "epsilon")
    if found.ndim != 1 or (steps is not None and len(found) != as_steps(steps)):
        raise ChainError(
            f"There are budgets of the shape {found.shape} for {steps} steps; give one for each step.",
            Where("parameter", name="epsilon"),
        )
    return np.array(found)


@overload
def carried_leakage(transitions: ArrayLike, alpha: float) -> float: ...


@overload
def carried_leakage(transitions: ArrayLike, alpha: Sequence[float] | Floats) -> Floats: ...


def carried_leakage(transitions: ArrayLike, alpha: Any) -> float | Floats:
    """Return how much of a leakage about one step is a leakage about its neighbour.

    Parameters
    ----------
    transitions
        Laws of the neighbour, one row a symbol.
    alpha
        The leakage in nats, 0 or more, or several: they share one sort of the symbols.

    Examples
    --------
    >>> carried_leakage([[0.8, 0.2], [0.2, 0.8]], [0.5, 5.0]).round(4).tolist()
    [0.296, 1.3614]
    """
    rows = _rows(transitions, "transitions", square=False)
    if array_of(alpha).ndim == 0:
        return _Carried().leakage(rows, alpha)
    levels = as_sizes(alpha, "alpha")
    found = np.zeros(levels.shape)
    for first in rows:
        more, less = _sums_of(first, rows)
        for at in np.ndindex(levels.shape):
            level = float(levels[at])
            if level > 0:
                value = float((_weighted(more, level) - _weighted(less, level)).max())
                found[at] = max(float(found[at]), min(level, value))
    return found


# Measured for 50 to 300 symbols: all pairs of rows with their best sets, all against one bound, and a call.
_SECONDS_OF_ALL, _SECONDS_OF_BEST, _SECONDS_A_ROW = 1.2e-7, 1.5e-9, 1.5e-5
# Up to here exp(alpha) is an ordinary float.
_ORDINARY = 500.0
# A pair of rows is looked at again unless it stays so far below the best one.
_SHARE_BELOW, _BELOW, _NOTHING = 1e-9, 1e-12, 1e-13


class _Carried:
    """Leakages that go from one step to the next, over and over: the best pair of rows is mostly the last."""

    def __init__(self) -> None:
        self._best: tuple[int, int] | None = None

    def leakage(self, rows: Floats, alpha: float, told: Progress | None = None) -> float:
        """Return how much of a leakage is carried over by transitions."""
        # The largest log (Q (e^alpha - 1) + 1) / (D (e^alpha - 1) + 1), where Q and D are what two rows give
        # to a set of symbols. The best set has the symbols with the largest ratios of the two rows: there are
        # as many sets to try as symbols.
        told = told or Progress(None)
        value = 0.0
        if alpha > 0 and len(rows) > 1:
            value = min(alpha, max(0.0, self._largest(rows, alpha, told)))
        told.step()
        return value

    def _largest(self, rows: Floats, alpha: float, told: Progress) -> float:
        best, value = self._best, 0.0
        if best is not None and max(best) < len(rows):
            value = float(_carried_by(rows[best[0]], rows[best[1] : best[1] + 1], alpha)[0])
        # Sets that give more than a ratio r have sum(max(first - r other, 0)) >= (r - 1) / (e^alpha - 1).
        known = value > 0.0 and alpha < _ORDINARY
        above = max(math.expm1(value) * (1 - _SHARE_BELOW) - _BELOW, _NOTHING) if known else 0.0
        least = above / math.expm1(alpha) if known else 0.0
        lowered, work, ones = (1 + above) * rows, np.empty_like(rows), np.ones(rows.shape[1])
        for number, first in enumerate(rows):
            others = np.arange(len(rows))
            if known:
                np.subtract(first, lowered, out=work)
                np.maximum(work, 0.0, out=work)
                others = np.flatnonzero(work @ ones >= least)
                if not len(others):
                    continue
            found = _carried_by(first, rows[others], alpha)
            at = int(found.argmax())
            if best is None or found[at] > value:
                best, value = (number, int(others[at])), float(found[at])
            told.wait()
        self._best = best
        return value


def _carried_by(first: Floats, others: Floats, alpha: float) -> Floats:
    """Return what a row and each of some others carry over."""
    more, less = _sums_of(first, others)
    # In logarithms: exp(-alpha) may be too small for a float, and decides where a row gives nothing.
    return np.asarray((_weighted(more, alpha) - _weighted(less, alpha)).max(axis=1))


def _sums_of(first: Floats, others: Floats) -> tuple[Floats, Floats]:
    """Return what a row and each of some others give to the sets that may be best for the two."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratios = np.where(others > 0, first / others, np.where(first > 0, np.inf, 0.0))
    order = np.argsort(-ratios, axis=1, kind="stable")
    more = np.cumsum(first[order], axis=1)
    less = np.cumsum(np.take_along_axis(others, order, axis=1), axis=1)
    return np.minimum(more, 1.0), np.minimum(less, 1.0)


def _weighted(share: Floats, alpha: float) -> Floats:
    """Return the logarithm of share + exp(-alpha) (1 - share)."""
    if alpha < 0.5:
        return np.asarray(np.log1p(share * math.expm1(alpha)) - alpha)
    with np.errstate(divide="ignore"):
        return np.asarray(np.logaddexp(np.log(share), np.log1p(-share) - alpha))


def temporal_limit(
    forward: ArrayLike,
    epsilon: float,
    backward: ArrayLike | None = None,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> Leakage:
    """Return what all releases of a stream say about one event at most, however long the stream is.

    Parameters
    ----------
    forward
        Transition matrix, or a first-order `MarkovChain` that starts from its stationary law.
    epsilon
        The promise of every release by itself, in nats.
    backward
        Pr(X_{t-1} | X_t); without it that of the chain in its stationary law.
    limit, progress
        As for `temporal_leakage`.

    Returns
    -------
    Leakage
        The least number that `temporal_leakage` does not pass for any number of steps, computed in closed
        form; infinite where there is none. As a bound it holds for every mechanism with this promise.

    Raises
    ------
    ChainError
        A matrix is no law, or the chain starts elsewhere and ``backward`` is not given.
    LimitError
        It would take longer than the limit, or does.

    Notes
    -----
    With Q and D what two rows give to a set of symbols, and x = e^alpha, one step more makes of x at most
    ``e^epsilon (Q (x - 1) + 1) / (D (x - 1) + 1)``. It grows up to the one positive root of a quadratic, and
    without end where D = 0 and Q is at least e^-epsilon. The largest root of all sets is the limit.

    Examples
    --------
    >>> print(temporal_limit([[0.8, 0.2], [0.2, 0.8]], 0.5))
    1.77749 nats (bound): any number of steps
    >>> temporal_limit([[0.8, 0.2], [0.0, 1.0]], 1.0).value
    inf
    """
    level = EPSILON.take(epsilon, "epsilon")
    if backward is None:
        chain, law = _with_start(forward)
        if not np.allclose(law @ chain, law, rtol=0, atol=1e-9):
            raise ChainError(
                "The chain does not start from its stationary law, so that its reversal changes from step to "
                "step; give backward, or the transitions alone.",
                Where("parameter", name="backward"),
            )
    aheads, backs = both_ways(forward, backward, 2)
    ahead = aheads[0]
    n = len(ahead)
    work = f"The limit for {n:,} symbols"
    refuse_beyond(limit, 2 * n**3 * _SECONDS_OF_ALL, work, "Take fewer symbols.")
    told = Progress(timed(progress, limit, work, "Take fewer symbols."), 2 * n)
    value = sum(carried_for_ever(rows, level, told) for rows in (ahead, next(backs)))
    told.finish()
    value = value if math.isinf(value) else value - level
    about = AboutSteps("any number of steps", unit="step")
    return Leakage(value, "bound", about, "sup", source=_SOURCE, limit=True)


def carried_for_ever(rows: Floats, epsilon: float, told: Progress) -> float:
    """Return the limit of the leakage that grows by what one step carries and the promise."""
    if epsilon == 0 or len(rows) < 2:
        return epsilon
    kept, low = -math.expm1(-epsilon), math.exp(-epsilon)
    largest = 0.0
    for first in rows:
        q, d = _sums_of(first, rows)
        # The root is e^epsilon (1 + grown), grown = (root of (p^2 + gain) - p) / 2 d, both ways without
        # cancellation.
        gain = 4 * d * kept * np.maximum(q - d, 0.0)
        p = low + d * (1 + kept) - q
        root = np.sqrt(p**2 + gain)
        with np.errstate(divide="ignore", invalid="ignore"):
            grown = np.where(p > 0, 2 * kept * np.maximum(q - d, 0.0) / (root + p), (root - p) / (2 * d))
        # Nothing is given to the set by the second row, and enough by the first.
        grown = np.where((d == 0) & (p <= 0), np.inf, np.where(q > d, grown, 0.0))
        largest = max(largest, float(grown.max()))
        told.step()
    return epsilon + math.log1p(largest)


def both_ways(forward: Any, backward: Any, steps: int) -> tuple[list[Floats], Iterator[Floats]]:
    """Return the transitions, one or one for each step but the first, and those of the reversed chain."""
    ahead = _several(forward, "forward", steps)
    if backward is not None:
        backs = _several(backward, "backward", steps)
        if ahead is None:
            ahead = [_matrix(forward)]
        return ahead, cycle([_rows(backward, "backward")] if backs is None else backs)
    if ahead is not None:
        raise ChainError(
            "Matrices that differ have no stationary law to be reversed by; give backward too.",
            Where("parameter", name="backward"),
        )
    chain, law = _with_start(forward)
    return [chain], _reversed(chain, law)


def _several(given: Any, name: str, steps: int) -> list[Floats] | None:
    """Return a matrix for each step but the first; None where there is one for all."""
    listed = isinstance(given, list | tuple) and len(given) > 0 and array_of(given[0]).ndim == 2
    if not listed and getattr(given, "ndim", 0) != 3:
        return None
    if len(given) != steps - 1:
        raise ChainError(
            f"{name} has {len(given)} matrices for {steps} steps; give one for each step but the first.",
            Where("parameter", name=name),
        )
    return [_rows(one, name) for one in given]


def _reversed(ahead: Floats, law: Floats) -> Iterator[Floats]:
    """Give the transitions of the reversed chain from one step after the other."""
    while True:
        pairs = law[:, None] * ahead
        law = pairs.sum(axis=0)
        # A symbol that cannot occur has no past to be told from.
        yield (pairs[:, law > 0] / law[law > 0]).T


def _with_start(forward: Any) -> tuple[Floats, Floats]:
    """Return transitions and the law of the first step: of a matrix alone the stationary one."""
    if not hasattr(forward, "transitions"):
        from pdp_widgets.models.markov_chain import MarkovChain

        forward = MarkovChain(_rows(forward, "forward"))
    return _matrix(forward), np.asarray(forward.start, dtype=np.float64)


def _matrix(forward: Any) -> Floats:
    if not hasattr(forward, "transitions"):
        return _rows(forward, "forward")
    if forward.order != 1:
        raise ChainError(
            "The chain is of second order; temporal privacy leakage is defined for first order.",
            Where("parameter", name="forward"),
        )
    return np.asarray(forward.transitions, dtype=np.float64)


def _rows(matrix: Any, name: str, *, square: bool = True) -> Floats:
    where = Where("parameter", name=name)
    refuse_masked(matrix, name)
    try:
        rows = plain_numbers(matrix)
    except (TypeError, ValueError, OverflowError):
        raise ChainError(f"{name} is no matrix of numbers.", where) from None
    if rows.ndim != 2 or rows.size == 0 or (square and rows.shape[0] != rows.shape[1]):
        wanted = "square, " if square else ""
        raise ChainError(f"{name} has shape {rows.shape}; it is {wanted}one row for each symbol.", where)
    if not ((rows >= 0) & (rows <= 2)).all() or (abs(rows.sum(axis=1) - 1) > 1e-8).any():
        raise ChainError(f"{name} has a row that is no law: entries are 0 or more and sum to 1.", where)
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))
