"""A number for every class of a k-anonymous table that says what its secrets show, and the worst of them."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, cast

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.number_table import Numbers, NumberTable, Written
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.figure_file import FigureFile
from pdp_widgets.models.immutable import ReadOnlyArrays

__all__ = ["SyntacticMeasure"]

Floats = NDArray[np.float64]


class SyntacticMeasure(EqualByFields, ReadOnlyArrays, FigureFile, NumberTable):
    """Base of `LDiversity` and `TCloseness`: frozen dataclasses with a number for every class.

    Examples
    --------
    >>> from pdp_widgets import anonymise, clinic, l_diversity
    >>> found = l_diversity(anonymise(clinic(), ["age", "weight"], 5), "diabetes")
    >>> isinstance(found, SyntacticMeasure), float(found), found.unit
    (True, 1.0, 'values')
    """

    #: The letter of the papers, the heading of the column, how it is printed, its unit, and where it is from.
    _letter: ClassVar[str]
    _heading: ClassVar[str]
    _written: ClassVar[Written]
    _unit: ClassVar[str]
    _source: ClassVar[str]

    secret: str
    by_class: Floats
    letters: tuple[str, ...]

    @property
    def _worst(self) -> float:
        """The number of the class that shows most, of those with a value."""
        raise NotImplementedError

    @property
    def _about(self) -> str:
        """Of what the number is, in words."""
        raise NotImplementedError

    @property
    def _further(self) -> dict[str, Any]:
        """What the data frame says of itself beside unit, source and status."""
        return {}

    @property
    def status(self) -> Literal["exact"]:
        """How far the numbers can be trusted."""
        return "exact"

    @property
    def unit(self) -> str:
        """What the numbers are."""
        return self._unit

    @property
    def source(self) -> str:
        """The paper, and where in it."""
        return self._source

    def plot(self) -> Any:
        """Return a bqplot figure: the numbers of all classes."""
        from pdp_widgets.widgets.class_figures import plot_by_class

        return plot_by_class(cast(Any, self))

    def _numbers(self) -> Numbers:
        # Of no values there is no number.
        there = np.flatnonzero(~np.isnan(self.by_class))
        name = self._heading
        return Numbers(
            {"class": [self.letters[place] for place in there], name: self.by_class[there]},
            {"class": "text", name: self._written},
            {"unit": self._unit, "source": self._source, "status": {name: "exact"}, **self._further},
            (self._about,),
        )

    def __float__(self) -> float:
        return self._worst

    def _told(self) -> str:
        """Return the worst number, with its unit where it is none of 0 to 1."""
        unit = self._unit.removesuffix("s") if self._worst == 1 else self._unit
        return f"{self._worst:.6g}" + (f" {unit}" if unit != "probability" else "")

    def __str__(self) -> str:
        return f"{self._letter} = {self._told()} (exact): {self._about}"

    def __repr__(self) -> str:
        classes = len(self.by_class)
        many = f"{classes:,} class{'es' * (classes != 1)}"
        return f"{type(self).__name__}({self._told()}, {self._about}, {many})"
