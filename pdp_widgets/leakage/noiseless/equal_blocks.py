"""Dependence at its strongest: records that are equal in blocks, and move as one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

from numpy.typing import NDArray

from pdp_widgets.leakage.noiseless.dependent_bounds import dependent_bound
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.leakage.noiseless.record_sum import RecordSum
from pdp_widgets.leakage.noiseless.slack import LeastEpsilon, Slack, SlackCurve
from pdp_widgets.leakage.noiseless.sum_slack import presence_slack, sum_epsilon, sum_slack
from pdp_widgets.mechanisms.anonymity.parameters import LARGEST_COUNT, as_number
from pdp_widgets.mechanisms.local.parameters import as_size

__all__ = ["EqualBlocks"]

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
        object.__setattr__(self, "size", as_size(self.size, "size", 0, LARGEST_COUNT))
        object.__setattr__(self, "neighbours", as_size(self.neighbours, "neighbours", 1, LARGEST_COUNT))

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
        return self.shift if shift is None else abs(as_number(shift, "shift"))

    def _hidden(self) -> str:
        blocks = f"{self.others.size:,} blocks" if self.others.size != 1 else "1 block"
        return f"sum of {self.size:,} unknown records in {blocks}"

    def _about(self, moved: float) -> str:
        return f"{self._hidden()}, against the sum {moved:.6g} higher"
