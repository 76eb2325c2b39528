"""A joint distribution that is edited as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from traitlets import Bool, Instance

from pdp_widgets.core.converters import as_flag
from pdp_widgets.core.results import Figures
from pdp_widgets.errors import PdpError, TableError, Where
from pdp_widgets.models.editing import is_edited
from pdp_widgets.models.frames import is_frame
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import shown
from pdp_widgets.publish.formatting import count, probability, probability_decimals
from pdp_widgets.publish.labels import listing
from pdp_widgets.widgets.base import LOCK, PdpWidget
from pdp_widgets.widgets.table_edits import TableEdits, labelled

__all__ = ["JointTable", "as_distribution"]


def as_distribution(value: Any) -> JointDistribution:
    """Return the distribution that a value stands for, or raise TypeError naming what is accepted."""
    if isinstance(value, JointDistribution):
        return value
    read = is_frame(value) or isinstance(value, str | PathLike)
    way = "JointDistribution.from_dataframe(value)" if read else "JointDistribution(table)"
    raise TypeError(
        f"The value is a {type(value).__name__}; give a JointDistribution: {way}"
        f"{', with weight= where a column counts the rows' if read else ''}."
    )


class JointTable(PdpWidget):
    """The joint distribution as a table: rows and columns chosen, cells typed, pasted, dragged and locked.

    Parameters
    ----------
    value
        The distribution, at most 2,048 cells.
    keep_sum
        True: an edit rescales the other unlocked cells, so that the sum stays 1. False: the others stay, the
        sum may be off, and the value is the last valid distribution until it is 1 again.
    disabled, layout
        As for every widget.

    Attributes
    ----------
    value
        The last valid `JointDistribution`. Assign another one to show it.
    current
        Whether ``value`` is what stands in the cells.

    Raises
    ------
    LimitError
        The table has too many cells to be shown.

    Examples
    --------
    >>> from pdp_widgets import JointDistribution, JointTable
    >>> table = JointTable(JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"]))
    >>> table.set_cell({"Ann": 0, "Bob": 0}, 0.1)
    >>> table.value.table.round(3).tolist()
    [[0.1, 0.15], [0.15, 0.6]]
    """

    _module = "joint_table"
    _beside_core = ("_fit", "_leader")

    _core: TableEdits
    value = Instance(JointDistribution)
    keep_sum = Bool(True)

    def __init__(
        self,
        value: JointDistribution,
        *,
        keep_sum: bool = True,
        disabled: bool = False,
        layout: Any = None,
    ) -> None:
        self._core = TableEdits(as_distribution(value))
        self._core.keep_sum = as_flag(keep_sum, "keep_sum")
        self._fit: dict[str, list[int]] | None = None
        self._leader: Any = None
        super().__init__(disabled=disabled, layout=layout)

    def _accept(self, patch: Mapping[str, Any]) -> None:
        if "value" in patch:
            self._core.replace(as_distribution(patch["value"]))
        if "keep_sum" in patch:
            self._core.keep_sum = as_flag(patch["keep_sum"], "keep_sum")

    def _answer(self, request: Mapping[str, Any]) -> None:
        self._core.ask(request)

    def _subject(self) -> Any:
        return labelled(self._core.distribution)

    def _values(self) -> dict[str, Any]:
        return {"value": self._core.distribution, "keep_sum": self._core.keep_sum}

    def _shown(self) -> dict[str, Any]:
        return {
            "table": self._core.state(self._disabled),
            "current": self._core.current,
            "fit": self._fit,
        }

    def _input_fault(self) -> PdpError | None:
        return self._core.fault

    def _follow(self, distribution: JointDistribution, known: Iterable[int], row: Iterable[int]) -> None:
        """Show a distribution, with the rows marked that fit the labels of a row at the known tuples."""
        fit = {"known": list(known), "instance": list(row)}
        if fit == self._fit and distribution == self._core.distribution:
            return

        def change() -> None:
            self._fit = fit
            if distribution != self._core.distribution:
                self._core.replace(distribution)

        self._step(change)

    def _share(self) -> None:
        if self._leader is not None:
            self._leader._follow_table(self._core.distribution)

    def _figures(self, core: Any) -> Figures:
        return {"table": core.distribution.cells}

    def _sentence(self, core: TableEdits) -> str:
        found = core.distribution
        row = found.most_probable()
        most = listing(found.names, row)
        chance = probability(found.probability(row), probability_decimals(found.table.ravel()))
        edited = " (edited)" if is_edited(found.title) else ""
        return (
            f"Joint distribution of {listing(found.names)}{edited}: {count(int(found.table.size), 'cell')}. "
            f"Most likely: {most}, probability {chance}."
        )

    @property
    def current(self) -> bool:
        """Whether the value is what stands in the cells."""
        return self._core.current

    @property
    def entries(self) -> NDArray[np.float64]:
        """What stands in the cells, valid or not, in the shape of the table (a copy)."""
        with LOCK:
            return np.array(self._core.entries)

    @property
    def locks(self) -> NDArray[np.bool_]:
        """Which cells are locked, in the shape of the table (a copy)."""
        with LOCK:
            return np.array(self._core.locks)

    def set_cell(self, cell: Mapping[str | int, Any] | Sequence[Any], p: float) -> None:
        """Set the probability of one cell.

        Parameters
        ----------
        cell
            ``{tuple: label}`` with every tuple, or a row of labels.
        p
            Probability, 0 to 1.

        Raises
        ------
        TableError
            In the mode that keeps the sum: the probability is none, or locked cells leave no room for it.
        """
        self._step(lambda: self._core.set_cell(cell, _probability(p)))

    def lock(self, *cells: Any) -> None:
        """Lock cells: edits of others leave them as they are."""
        self._step(lambda: self._core.lock(cells, True))

    def unlock(self, *cells: Any) -> None:
        """Unlock cells; without arguments all of them."""
        self._step(lambda: self._core.lock(cells or self._all_cells(), False))

    def _all_cells(self) -> Iterable[Any]:
        domains = self._core.distribution.domains
        for index in np.ndindex(self._core.distribution.shape):
            yield [domain[p] for domain, p in zip(domains, index, strict=True)]

    def normalise(self) -> None:
        """Rescale the unlocked cells so that the sum is 1.

        Raises
        ------
        TableError
            The unlocked cells are all 0, or the locked ones leave no room.
        """
        self._step(self._core.normalise)

    def independent(self) -> None:
        """Make the tuples independent with the marginals they have."""
        self._step(self._core.independent)

    def load(
        self,
        source: Any,
        columns: Sequence[str] | None = None,
        weight: str | None = None,
        domains: Mapping[str, Iterable[Any]] | None = None,
    ) -> None:
        """Load a distribution, or the records of a data frame.

        Parameters
        ----------
        source
            A `JointDistribution` or a data frame (pandas, polars or arrow).
        columns, weight, domains
            For a data frame, as for `JointDistribution.from_dataframe`.
        """
        if not isinstance(source, JointDistribution):
            source = JointDistribution.from_dataframe(source, columns, weight, domains)
        self._step(lambda: self._core.load(source))

    def set_counts(self, counts: ArrayLike) -> None:
        """Load the relative frequencies of whole numbers, in the shape of the table."""

        def change() -> None:
            now = self._core.distribution
            self._core.load(
                JointDistribution.from_counts(counts, now.domains, now.names, self._core.loaded.title)
            )

        self._step(change)

    def to_dataframe(self) -> Any:
        """Return the last valid distribution as a pandas data frame."""
        return self._core.distribution.to_dataframe()


def _probability(p: Any) -> float:
    try:
        if isinstance(p, str | bytes | bool | np.bool_):
            raise TypeError
        return float(p)
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            f"The probability is {shown(p)}; it must be a number from 0 to 1.", Where("table")
        ) from None
