"""Results that are tables of numbers: how they are handed to pandas and to LaTeX."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pdp_widgets.core.chart import number
from pdp_widgets.core.results import TableResult
from pdp_widgets.leakage.result_frames import as_dataframe

__all__ = ["NumberTable", "Numbers", "Written", "epsilon_words"]

#: What a column holds: words, names of a set (none where it is empty), a number of things, a parameter, nats,
#: a bound in nats (rounded up), a budget in nats that may be spent (rounded down), a probability, another
#: number, or a bound on one (rounded up).
Written: TypeAlias = Literal[
    "text", "names", "count", "parameter", "nats", "bound", "budget", "probability", "number", "upper"
]


@dataclass(frozen=True, eq=False)
class Numbers:
    """A result as columns of equal length; one value alone is that of all rows."""

    columns: Mapping[str, Any]
    #: What the columns of a printed table hold, in their order; the others are in the data frame alone.
    written: Mapping[str, Written]
    #: The ``attrs`` of the data frame: ``status`` says which columns are exact, a bound or an estimate.
    about: Mapping[str, Any] = field(default_factory=dict)
    #: What the numbers hold for, short lines below a printed table.
    notes: tuple[str, ...] = ()
    #: The rows as a printed table lists them; None as they are.
    order: tuple[int, ...] | None = None
    #: What a row of a printed table is.
    noun: str = "row"
    #: Headings of a printed table, without units, of columns that are not headed by their names.
    heads: Mapping[str, str] = field(default_factory=dict)


def epsilon_words(epsilon: float) -> str:
    """Return a budget as a note gives it."""
    return f"ε = {number(epsilon)}"


class NumberTable(TableResult):
    """Base of results that say in ``_numbers`` what their columns are."""

    __slots__ = ()

    def _numbers(self) -> Numbers:
        raise NotImplementedError

    def to_dataframe(self) -> Any:
        """Return the numbers as a pandas data frame; its ``attrs`` say the unit and the status of columns.

        Raises
        ------
        ImportError
            There is no pandas.
        """
        numbers = self._numbers()
        return as_dataframe(numbers.columns, numbers.about)
