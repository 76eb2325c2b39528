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
    """A result as columns of equal length.

    Parameters
    ----------
    columns
        Values by name of the column; one value alone is that of all rows.
    written
        What the columns of a printed table hold, in the order they are printed. The others are in the data
        frame alone.
    about
        What the data frame says of itself, as its ``attrs``. ``status`` says of columns whether they are
        exact, a bound or an estimate; a printed table says that in its headings.
    notes
        What the numbers hold for, short lines below a printed table.
    order
        The rows as a printed table lists them; None as they are.
    noun
        What a row of a printed table is.
    heads
        Headings of a printed table, without units, of columns that are not headed by their names.
    """

    columns: Mapping[str, Any]
    written: Mapping[str, Written]
    about: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    order: tuple[int, ...] | None = None
    noun: str = "row"
    heads: Mapping[str, str] = field(default_factory=dict)


def epsilon_words(epsilon: float) -> str:
    """Return a budget as a note gives it.

    Examples
    --------
    >>> epsilon_words(1.0), epsilon_words(float("inf"))
    ('ε = 1', 'ε = ∞')
    """
    return f"ε = {number(epsilon)}"


class NumberTable(TableResult):
    r"""Base of results that say in ``_numbers`` what their columns are.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> from pdp_widgets.streams import temporal_leakage
    >>> found = temporal_leakage(MarkovChain.symmetric(0.8), 0.5, 2)
    >>> found.to_dataframe().columns.tolist()
    ['step', 'backward', 'forward', 'total']
    >>> print(found.to_latex(["step", "total"]))
    % \usepackage{booktabs}
    \begin{tabular}{rr}
    \toprule
    step & total, bound (nats) \\
    \midrule
    1 & 0.797 \\
    2 & 0.797 \\
    \bottomrule
    \multicolumn{2}{l}{\footnotesize each release promises $\varepsilon$ = 0.5} \\
    \end{tabular}
    <BLANKLINE>
    """

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
