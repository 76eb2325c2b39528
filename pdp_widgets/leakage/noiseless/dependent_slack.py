"""Exact slacks where records depend on each other: equal blocks, and a chain of windows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import FINITE, INNER, MOST_EXACT, as_size
from pdp_widgets.errors import AdversaryError, BudgetError, LimitError, Where
from pdp_widgets.leakage.noiseless.dependent_bounds import dependent_bound
from pdp_widgets.leakage.noiseless.events import as_events, event_slack, least_epsilon
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.leakage.noiseless.record_sum import RecordSum
from pdp_widgets.leakage.noiseless.slack import PAPER, LeastEpsilon, Slack, SlackCurve, epsilons_of, told
from pdp_widgets.leakage.noiseless.sum_slack import presence_slack, sum_epsilon, sum_slack
from pdp_widgets.models.immutable import ReadOnlyAgain
from pdp_widgets.models.labels import as_choice

Epsilons = Sequence[float] | NDArray[Any]


@dataclass(frozen=True)
class EqualBlocks:
    """Unknown records in blocks of equal ones; the target's block moves as one.

    Parameters
    ----------
    record
        The law of one record: a RecordLaw, or probabilities by value.
    size
        Number of unknown records outside the target's block; those that fill no block form a smaller one.
    neighbours
        Records of a block, the target's too, 1 or more. With 1 the records are independent.

    Raises
    ------
    TableError
        The law is none.
    BudgetError
        A number is not whole, or outside its range.

    Examples
    --------
    >>> blocks = EqualBlocks({-1: 0.5, 1: 0.5}, 100, 10)
    >>> round(blocks.slack(0.1, 1, events="halfline").delta, 3), blocks.shift
    (0.206, 20.0)
    """

    record: RecordLaw
    size: int
    neighbours: int = 1

    def __post_init__(self) -> None:
        given: Any = self.record
        object.__setattr__(self, "record", RecordLaw.of(given))
        object.__setattr__(self, "size", as_size(self.size, "size", 0, MOST_EXACT))
        object.__setattr__(self, "neighbours", as_size(self.neighbours, "neighbours", 1, MOST_EXACT))

    @cached_property
    def others(self) -> RecordSum:
        """The sum that hides the target's block."""
        return RecordSum.blocks(self.record, self.size, self.neighbours)

    @property
    def shift(self) -> float:
        """How much the target's block moves the sum from one extreme to the other, in units of the values."""
        return self.neighbours * self.record.range

    @overload
    def slack(self, epsilon: float, shift: float | None = ..., events: str = ...) -> Slack: ...

    @overload
    def slack(self, epsilon: Epsilons, shift: float | None = ..., events: str = ...) -> SlackCurve: ...

    def slack(self, epsilon: Any, shift: float | None = None, events: str = "all") -> Any:
        """Return the exact slack of the sum when the target's block changes.

        Parameters
        ----------
        epsilon
            Nats, 0 to infinity; a number, or several.
        shift
            By how much the sum changes; None for the whole range of the block.
        events
            ``"all"``, ``"interval"`` or ``"halfline"``.

        Examples
        --------
        >>> fair = {0: 0.5, 1: 0.5}
        >>> EqualBlocks(fair, 1000, 10).slack(0.5).delta == EqualBlocks(fair, 100).slack(0.5).delta
        True
        """
        moved = self._moved(shift)
        return replace(sum_slack(self.others, moved, epsilon, events), about=self._about(moved))

    def epsilon(self, delta: float, shift: float | None = None, events: str = "all") -> LeastEpsilon:
        """Return the smallest epsilon at which the sum keeps a slack when the target's block changes.

        Parameters
        ----------
        delta
            The slack, strictly between 0 and 1.
        shift, events
            As for `slack`.

        Examples
        --------
        >>> round(EqualBlocks({0: 0.5, 1: 0.5}, 495, 5).epsilon(0.01).epsilon, 6)
        0.266397
        """
        moved = self._moved(shift)
        return replace(sum_epsilon(self.others, moved, delta, events), about=self._about(moved))

    @overload
    def presence(self, epsilon: float, events: str = ...) -> Slack: ...

    @overload
    def presence(self, epsilon: Epsilons, events: str = ...) -> SlackCurve: ...

    def presence(self, epsilon: Any, events: str = "all") -> Any:
        """Return the exact slack of the sum with the target's block against the sum without it.

        Parameters
        ----------
        epsilon, events
            As for `slack`.

        Examples
        --------
        >>> round(EqualBlocks({0: 0.7, 1: 0.3}, 25).presence(0.1).delta, 9)
        0.020167595
        """
        found = presence_slack(self.others, self.record.scaled(self.neighbours), epsilon, events)
        return replace(found, about=f"{self._hidden()} with the target's block, against that without it")

    @overload
    def bound(self, epsilon: float, shift: float | None = ..., events: str = ...) -> Slack: ...

    @overload
    def bound(self, epsilon: Epsilons, shift: float | None = ..., events: str = ...) -> SlackCurve: ...

    def bound(self, epsilon: Any, shift: float | None = None, events: str = "halfline") -> Any:
        """Return the bound for locally dependent records, from the moments of one.

        Parameters
        ----------
        epsilon, shift
            As for `slack`.
        events
            ``"halfline"`` or ``"interval"``.

        Examples
        --------
        >>> EqualBlocks({0: 0.5, 1: 0.5}, 100, 2).bound(0.1).state
        'vacuous'
        """
        moved = self._moved(shift)
        found = dependent_bound(
            self.neighbours,
            self.size * self.record.absolute_third,
            self.size * self.record.central(4),
            math.sqrt(self.others.variance),
            moved,
            epsilon,
            events,
        )
        return replace(found, about=self._about(moved))

    def _moved(self, shift: float | None) -> float:
        return self.shift if shift is None else abs(FINITE.take(shift, "shift"))

    def _hidden(self) -> str:
        blocks = f"{self.others.size:,} blocks" if self.others.size != 1 else "1 block"
        return f"sum of {self.size:,} unknown records in {blocks}"

    def _about(self, moved: float) -> str:
        return f"{self._hidden()}, against the sum {moved:.6g} higher"


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: What a record says of its window: all bits are ones, one is, or their number is odd.
RULES = ("and", "or", "xor")
#: What is compared: the target's record one or zero with all that moves with it, or the sum and one more.
MODELS = ("record", "shift")

_SOURCE = f"{PAPER}, Def. 2 for Theorem 5"
#: Numbers that are held at once and moved in all.
_HELD, _MOVED = 20_000_000, 1_000_000_000


@dataclass(frozen=True)
class WindowChain(ReadOnlyAgain):
    """Records of 0 or 1 in a row, of which each is decided by m + 1 neighbouring independent bits.

    Parameters
    ----------
    n
        Number of records, 1 or more.
    m
        Records further apart than this are independent, 0 or more.
    q
        Probability of a bit being 1, strictly between 0 and 1.
    rule
        ``"and"``: all bits of the window are 1. ``"or"``: one is. ``"xor"``: their number is odd.
    target
        Position of the record that is protected, 0 to n - 1.

    Raises
    ------
    BudgetError
        A number is outside its range, or the rule is unknown.
    LimitError
        The chain is too long for its window.

    Examples
    --------
    >>> chain = WindowChain(40, 1, 0.5, "and", 20)
    >>> round(chain.slack(0.5).delta, 6), round(chain.slack(0.5, model="shift").delta, 6)
    (0.057376, 0.015683)
    >>> chain.neighbours, chain.mean, chain.variance
    (3, 10.0, 12.375)
    """

    n: int
    m: int
    q: float
    rule: str = "and"
    target: int = 0

    def __post_init__(self) -> None:
        n, m = as_size(self.n, "n", 1, MOST_EXACT), as_size(self.m, "m", 0, 20)
        checked = {
            "n": n,
            "m": m,
            "q": INNER.take(self.q, "q"),
            "rule": as_choice(self.rule, "rule", RULES, BudgetError),
            "target": as_size(self.target, "target", 0, n - 1),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        held, moved = n * 2**m, n * n * 2**m
        if held > _HELD or moved > _MOVED:
            raise LimitError(
                f"A chain of {n:,} records with windows of {m + 1} bits holds {held:,} numbers, "
                f"{16 * held / 1e6:,.0f} MB, and moves {moved:.2g}; at most {_HELD:,} are held and "
                f"{_MOVED:.2g} moved, in about ten seconds. Give a shorter chain or window.",
                Where("parameter", name="n"),
            )

    @property
    def neighbours(self) -> int:
        """The largest number of records that one depends on, itself counted."""
        most = min(self.m, self.n - 1)
        return most + 1 + min(self.m, self.n - 1 - most)

    @cached_property
    def law(self) -> Floats:
        """The probabilities of the sum 0, 1, ..., n, read-only."""
        return self._law(None)

    @property
    def mean(self) -> float:
        """The mean of the sum."""
        return float(np.arange(self.n + 1) @ self.law)

    @property
    def variance(self) -> float:
        """The variance of the sum."""
        return float((np.arange(self.n + 1) - self.mean) ** 2 @ self.law)

    def laws(self, model: str = "record") -> tuple[Floats, Floats]:
        """Return the two laws that are compared, on the sums 0, 1, ... of both, read-only.

        Parameters
        ----------
        model
            ``"record"``: the sum given that the target's record is 1, and given that it is 0. ``"shift"``:
            the sum, and the sum plus one, as the paper's proof has it.

        Raises
        ------
        BudgetError
            The model is unknown.

        Examples
        --------
        >>> [law.tolist() for law in WindowChain(2, 0, 0.5).laws()]
        [[0.0, 0.5, 0.5], [0.5, 0.5, 0.0]]
        """
        if as_choice(model, "model", MODELS, BudgetError) == "record":
            return self.given(1), self.given(0)
        pair = np.append(self.law, 0.0), np.insert(self.law, 0, 0.0)
        for law in pair:
            law.setflags(write=False)
        return pair

    def given(self, value: int) -> Floats:
        """Return the probabilities of the sum 0, 1, ..., n, given the value of the target's record.

        Parameters
        ----------
        value
            0 or 1.

        Raises
        ------
        BudgetError
            The value is neither.
        AdversaryError
            The record never has it.
        """
        return self._law(as_size(value, "value", 0, 1))

    @overload
    def slack(self, epsilon: float, events: str = ..., model: str = ...) -> Slack: ...

    @overload
    def slack(
        self, epsilon: Sequence[float] | NDArray[Any], events: str = ..., model: str = ...
    ) -> SlackCurve: ...

    def slack(self, epsilon: Any, events: str = "all", model: str = "record") -> Any:
        """Return the exact slack of the sum.

        Parameters
        ----------
        epsilon
            Nats, 0 to infinity; a number, or several.
        events
            ``"all"``, ``"interval"`` or ``"halfline"``.
        model
            As for `laws`.

        Examples
        --------
        >>> WindowChain(40, 1, 0.5, "and", 20).slack([0.2, 1.0]).delta.round(6).tolist()
        [0.123113, 0.014284]
        """
        chosen, levels = as_events(events), epsilons_of(epsilon)
        found = event_slack(*self.laws(model), levels, chosen)
        return told(epsilon, found, "exact", chosen, self._about(model), _SOURCE)

    def epsilon(self, delta: float, events: str = "all", model: str = "record") -> LeastEpsilon:
        """Return the smallest epsilon at which the sum keeps a slack.

        Parameters
        ----------
        delta
            The slack, strictly between 0 and 1.
        events, model
            As for `slack`.

        Examples
        --------
        >>> round(WindowChain(40, 1, 0.5, "and", 20).epsilon(0.0573764).epsilon, 4)
        0.5
        """
        chosen, slack = as_events(events), INNER.take(delta, "delta")
        found = least_epsilon(*self.laws(model), slack, chosen)
        return LeastEpsilon(found, "exact", chosen, slack, self._about(model), _SOURCE)

    def _about(self, model: str) -> str:
        row = f"sum of {self.n:,} records that each read {self.m + 1} bits"
        return f"{row}, record {self.target} one or zero" if model == "record" else f"{row}, against one more"

    def _law(self, value: int | None) -> Floats:
        """Return the law of the sum, given the value of the target's record or without it."""
        patterns, half = 1 << self.m, 1 << self.m >> 1
        ones = _ones(self.m)
        state = np.zeros((patterns, self.n + 1))
        state[:, 0] = self.q**ones * (1 - self.q) ** (self.m - ones)
        says = _says(self.rule, self.m)
        for i in range(self.n):
            moved = np.zeros((patterns, self.n + 1))
            for bit, chance in enumerate((1 - self.q, self.q)):
                # A window is the old bits and a new one, the last of them; the oldest is forgotten.
                part, said = chance * state[:, : i + 2], says[bit::2]
                if i == self.target and value is not None:
                    part[said != value] = 0.0
                counted = said == 1
                part[counted, 1:] = part[counted, :-1]
                part[counted, 0] = 0.0
                if half:
                    moved[bit::2, : i + 2] = part[:half] + part[half:]
                else:
                    moved[:, : i + 2] += part
            state = moved
        law: Floats = state.sum(axis=0)
        total = float(law.sum())
        if not total > 0:
            raise AdversaryError(
                f"Record {self.target} is never {value} under the rule {self.rule!r}.",
                Where("parameter", name="target"),
            )
        if value is not None:
            law = law / total
        law.setflags(write=False)
        return law


def _ones(bits: int) -> Ints:
    """Return how many ones the numbers below 2**bits have."""
    found = np.zeros(1, dtype=np.int64)
    for _ in range(bits):
        found = np.concatenate([found, found + 1])
    return found


def _says(rule: str, m: int) -> Ints:
    """Return what a record says of every window of m + 1 bits."""
    ones = _ones(m + 1)
    said = {"and": ones == m + 1, "or": ones > 0, "xor": ones % 2 == 1}[rule]
    return np.asarray(said, dtype=np.int64)
