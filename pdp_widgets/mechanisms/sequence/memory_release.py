"""Releases that look at the last true symbols, by any rule, and not at the current one alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import BudgetError, ChainError, Where
from pdp_widgets.mechanisms.local.parameters import as_epsilon, as_size
from pdp_widgets.models.given_numbers import plain_numbers, refuse_masked
from pdp_widgets.models.labels import shown

__all__ = ["MemoryRelease"]

Floats = NDArray[np.float64]
#: From the law of the last symbols to the law of the release for each of them, one axis more.
Rule = Callable[[Floats], ArrayLike]

_LONGEST = 20


@dataclass(frozen=True, init=False)
class MemoryRelease:
    """A release that depends on the last true symbols, and through beliefs on what was released.

    Parameters
    ----------
    rule
        Called at every step with what the adversary believes of the last symbols, an array with one axis for
        each, the current symbol last; returns the law of the release for each of them, an array with one axis
        more. The first steps have fewer symbols behind them, and fewer axes. Or a list of such arrays, by the
        number of symbols, for releases that do not depend on what was released before.
    memory
        How many symbols, the current one included: 1 or more.
    size
        Steps that are released together: with 2 or more, "symbol" above means batch.
    epsilon
        The budget of a step or a batch in nats, where one is promised.
    label
        The rule in words.

    Notes
    -----
    Jiang, Li and Tandon, Section V and Theorem 5: what such a release leaks of the whole past is what it
    leaks of the symbols it looks at. For the error of one step a memory gains nothing; see
    `OptimalResponse`.

    Examples
    --------
    Publish the majority of the last three symbols, and a fair bit now and then:

    >>> tables = []
    >>> for symbols in (1, 2, 3):
    ...     ones = np.indices((2,) * symbols).sum(axis=0)
    ...     most = np.where(2 * ones > symbols, 0.9, np.where(2 * ones < symbols, 0.1, 0.5))
    ...     tables.append(np.stack([1 - most, most], axis=-1))
    >>> from pdp_widgets import MarkovChain, sequence_leakage
    >>> release = MemoryRelease(tables, 3, label="majority")
    >>> print(sequence_leakage(MarkovChain.symmetric(0.7), release, 5).leakage)
    9.58678 nats (exact): all 5 steps
    """

    rule: Any
    memory: int
    size: int
    budget: float | None
    label: str

    def __init__(
        self,
        rule: Rule | Sequence[ArrayLike],
        memory: int,
        *,
        size: int = 1,
        epsilon: float | None = None,
        label: str = "",
    ) -> None:
        object.__setattr__(self, "memory", as_size(memory, "memory", 1, _LONGEST))
        object.__setattr__(self, "size", as_size(size, "size", 1))
        object.__setattr__(self, "budget", None if epsilon is None else as_epsilon(epsilon))
        object.__setattr__(self, "label", label if isinstance(label, str) and label else "rule with memory")
        object.__setattr__(self, "rule", rule if callable(rule) else self._tables(rule))

    @property
    def epsilon(self) -> float:
        """The budget in nats, NaN where none is promised."""
        return math.nan if self.budget is None else self.budget

    def _tables(self, given: Any) -> tuple[Any, ...]:
        where = Where("parameter", name="rule")
        if not isinstance(given, list | tuple) or len(given) != self.memory:
            raise BudgetError(
                f"The rule is {shown(given)}; give a function of a belief, or a list of {self.memory} "
                "arrays: for one symbol, for two, and so on.",
                where,
            )
        refuse_masked(given, "rule")
        try:
            return tuple(_nested(plain_numbers(table).tolist()) for table in given)
        except (TypeError, ValueError, OverflowError):
            raise BudgetError("The rule holds something that is no array of numbers.", where) from None

    def of_patterns(self) -> MemoryRelease:
        """Return the same rule with patterns of batches as its symbols."""
        return MemoryRelease(self.rule, self.memory, epsilon=self.budget, label=self.label)

    def channels(self, beliefs: ArrayLike, counts: Sequence[int]) -> Floats:
        """Return the channels at many beliefs, shape (beliefs, windows, symbols).

        Parameters
        ----------
        beliefs
            Laws of the last symbols, shape (beliefs, windows); the earliest symbol leads.
        counts
            How many symbols there are at each of the last steps, the current one last.

        Raises
        ------
        ChainError
            The rule returns something that is no law for each window.

        Examples
        --------
        >>> flip = [[[0.75, 0.25], [0.25, 0.75]], np.full((2, 2, 2), 0.5)]
        >>> MemoryRelease(flip, 2).channels([[0.5, 0.5]], [2]).tolist()
        [[[0.75, 0.25], [0.25, 0.75]]]
        """
        shape = tuple(counts)
        laws = np.asarray(beliefs, dtype=np.float64)
        found = np.empty((len(laws), laws.shape[1], shape[-1]))
        if not callable(self.rule):
            found[:] = self._checked(self.rule[len(shape) - 1], shape)
            return found
        for place, law in enumerate(laws):
            belief = law.reshape(shape)
            belief.flags.writeable = False
            found[place] = self._checked(self.rule(belief), shape)
        return found

    def _checked(self, given: Any, shape: tuple[int, ...]) -> Floats:
        where = Where("parameter", name="mechanism")
        refuse_masked(given, "answer of the rule")
        try:
            made = plain_numbers(given)
        except (TypeError, ValueError, OverflowError):
            raise ChainError(f"The rule returned {shown(given)}; give an array of numbers.", where) from None
        if made.shape != (*shape, shape[-1]):
            raise ChainError(
                f"The rule returned an array of shape {made.shape} for a belief of shape {shape}; it must be "
                f"{(*shape, shape[-1])}.",
                where,
            )
        if not (made >= 0).all() or not (abs(made.sum(axis=-1) - 1) <= 1e-8).all():
            raise ChainError(
                "The rule returned a row that is no law; entries are 0 or more and sum to 1.", where
            )
        return made.reshape(-1, shape[-1])


def _nested(values: Any) -> Any:
    return tuple(_nested(one) for one in values) if isinstance(values, list) else values
