"""Values that are handed on as a table for papers."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["LatexTable"]


class LatexTable:
    """Base of values that say in ``_latex`` how they are written as a table."""

    __slots__ = ()

    def _latex(
        self, columns: Sequence[str] | None, most: int | None, caption: str | None, label: str | None
    ) -> str:
        """Return the table; the arguments are those of `to_latex`."""
        raise NotImplementedError

    def to_latex(
        self,
        columns: Sequence[str] | None = None,
        *,
        most: int | None = None,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        r"""Return the numbers as a LaTeX table for the package booktabs.

        Parameters
        ----------
        columns
            Some of those of the data frame; without it those that fit on paper.
        most
            List so many of the first rows; without it 20.
        caption, label
            Make it a floating table. The caption is LaTeX and goes in as it is.

        Raises
        ------
        DomainError
            A column does not exist, or ``most`` is no number of rows.

        Examples
        --------
        >>> from pdp_widgets import EquivalenceClasses, LocalAnalysis, titanic
        >>> classes = EquivalenceClasses({"age": [25, 64, 31, 58]}, "age", 2, [[1, 3], [0, 2]])
        >>> classes.to_latex("age", most=1).splitlines()[5]
        '25--31 \\\\'
        >>> LocalAnalysis(titanic(), "GRR", 1.0).to_latex(most=3).count(r"\\")
        6
        """
        return self._latex(columns, most, caption, label)
