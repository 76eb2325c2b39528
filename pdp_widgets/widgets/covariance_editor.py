"""Means and covariances of Gaussian data that are edited as a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from traitlets import Any as AnyValue
from traitlets import Bool, Instance

from pdp_widgets.core.converters import as_flag
from pdp_widgets.core.results import Figures
from pdp_widgets.errors import PdpError, TableError, Where
from pdp_widgets.models.editing import is_edited
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.labels import shown
from pdp_widgets.publish.formatting import decimals_for, entry, fixed, scientific
from pdp_widgets.publish.labels import listing
from pdp_widgets.widgets.base import LOCK, PdpWidget
from pdp_widgets.widgets.covariance_edits import CovarianceEdits, listed

__all__ = ["CovarianceEditor"]

#: Tuples whose names and spreads a sentence lists.
_MOST_SAID = 12


def _as_model(value: Any) -> GaussianModel | None:
    if value is None or isinstance(value, GaussianModel):
        return value
    raise TypeError(
        f"The value is a {type(value).__name__}; give a GaussianModel, for example "
        "GaussianModel(mean, cov) or GaussianModel.from_dataframe(frame)."
    )


class CovarianceEditor(PdpWidget):
    """A covariance matrix with its means: cells typed, pasted and dragged, the mirror follows.

    While the matrix is not positive semi-definite the editor says which cell is to blame, and ``value`` stays
    the last valid model.

    Parameters
    ----------
    value
        The model, at most 40 tuples. Without one the editor offers two ways to begin.
    weights
        One for each tuple, shown above the matrix and edited there. Without them there is no such row.
    show_correlation
        True: the cells hold correlations, the diagonal is 1, and an edit keeps the variances. False: they
        hold covariances, and an edit of a variance keeps the covariances.
    disabled, layout
        As for every widget.

    Attributes
    ----------
    value
        The last valid `GaussianModel`, or None. Assign another one to show it; weights of another number of
        tuples then become 1.
    current
        Whether ``value`` is what stands in the cells.

    Raises
    ------
    LimitError
        There are too many tuples to be shown.

    Examples
    --------
    >>> from pdp_widgets import CovarianceEditor, GaussianModel
    >>> model = GaussianModel([5.0, 4.0], [[1.44, 0.6], [0.6, 1.0]], names=["flat A", "flat B"])
    >>> editor = CovarianceEditor(model)
    >>> editor.set_cell("flat A", "flat B", 0.3)
    >>> editor.value.cov.tolist()
    [[1.44, 0.3], [0.3, 1.0]]
    >>> editor.set_cell("flat A", "flat B", 1.4)
    >>> editor.current, float(editor.value.cov[0, 1])
    (False, 0.3)
    """

    _module = "covariance_editor"

    _core: CovarianceEdits
    value = Instance(GaussianModel, allow_none=True)
    weights = AnyValue(None, allow_none=True)
    show_correlation = Bool(False)

    def __init__(
        self,
        value: GaussianModel | None = None,
        *,
        weights: Sequence[float] | None = None,
        show_correlation: bool = False,
        disabled: bool = False,
        layout: Any = None,
    ) -> None:
        self._core = CovarianceEdits(_as_model(value), weights)
        self._core.correlation = as_flag(show_correlation, "show_correlation")
        super().__init__(disabled=disabled, layout=layout)

    def _accept(self, patch: Mapping[str, Any]) -> None:
        if "value" in patch:
            self._core.replace(_as_model(patch["value"]))
        if "weights" in patch:
            self._core.set_weights(patch["weights"])
        if "show_correlation" in patch:
            self._core.correlation = as_flag(patch["show_correlation"], "show_correlation")

    def _answer(self, request: Mapping[str, Any]) -> None:
        self._core.ask(request)

    def _subject(self) -> Any:
        return self._core.names

    def _values(self) -> dict[str, Any]:
        core = self._core
        return {
            "value": core.model,
            "weights": listed(core.last_weights),
            "show_correlation": core.correlation,
        }

    def _shown(self) -> dict[str, Any]:
        return {"matrix": self._core.state(), "correlation": self._core.correlation}

    def _input_fault(self) -> PdpError | None:
        return self._core.fault or self._core.weights_fault()

    def _figures(self, core: Any) -> Figures:
        if core.model is None:
            raise TableError("There is no covariance matrix yet; load one first.", Where("table"))
        return {"matrix": partial(core.model.cells, listed(core.last_weights))}

    def _sentence(self, core: CovarianceEdits) -> str:
        model = core.model
        if model is None:
            return "No covariance matrix yet."
        spread = np.sqrt(np.diag(model.cov))
        decimals = decimals_for(float(spread.max(initial=0.0)))
        sizes = ", ".join(entry(float(size), decimals) for size in spread[:_MOST_SAID])
        least = float(model.smallest_eigenvalue)
        ordinary = least == 0 or 5e-4 <= abs(least) < 1e6
        edited = " (edited)" if is_edited(model.title) else ""
        return (
            f"Gaussian data of {listing(model.names, most=_MOST_SAID)}{edited}. Standard deviations {sizes}. "
            f"Smallest eigenvalue {fixed(least, 3) if ordinary else scientific(least, 1)}."
        )

    @property
    def current(self) -> bool:
        """Whether the value is what stands in the cells."""
        return self._core.current

    @property
    def entries(self) -> NDArray[np.float64]:
        """The covariances that stand in the cells, valid or not, n x n (a copy)."""
        with LOCK:
            return np.array(self._core.entries)

    def set_cell(self, a: str | int, b: str | int, value: float) -> None:
        """Set the covariance of two tuples, or with the same tuple twice its variance.

        Parameters
        ----------
        a, b
            Tuples by name or position.
        value
            The covariance. When the matrix is then not valid, ``error`` says so and ``value`` stays.
        """
        self._step(lambda: self._core.set_cell(a, b, _number(value, "covariance")))

    def set_correlation(self, a: str | int, b: str | int, value: float) -> None:
        """Set the correlation of two tuples and keep both variances.

        Raises
        ------
        TableError
            The tuples are the same, or one has no variance.
        """
        self._step(lambda: self._core.set_correlation(a, b, _number(value, "correlation")))

    def set_mean(self, a: str | int, value: float) -> None:
        """Set the mean of a tuple."""
        self._step(lambda: self._core.set_mean(a, _number(value, "mean")))

    def nearest_valid(self) -> None:
        """Replace a matrix that is not valid by the nearest one that is, see `nearest_covariance`."""
        self._step(self._core.nearest)

    def independent(self) -> None:
        """Keep the variances and set all covariances to 0."""
        self._step(self._core.independent)

    def load(self, source: Any) -> None:
        """Load a model, the records of a data frame, or a covariance matrix.

        Parameters
        ----------
        source
            A `GaussianModel`, a data frame (see `GaussianModel.from_dataframe`), or a square array; with as
            many rows as now, names and means stay.
        """
        self._step(lambda: self._core.load(self._model_of(source)))

    def _model_of(self, source: Any) -> GaussianModel:
        if isinstance(source, GaussianModel):
            return source
        if hasattr(source, "columns") or hasattr(source, "__dataframe__"):
            return GaussianModel.from_dataframe(source)
        core = self._core
        if core.names and np.shape(source) == core.entries.shape:
            return GaussianModel(core.mean, source, core.names, title=core.title, unit=core.unit)
        return GaussianModel(None, source)


def _number(value: Any, what: str) -> float:
    try:
        if isinstance(value, str | bytes | bool | np.bool_):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise TableError(f"The {what} is {shown(value)}; give a number.", Where("table")) from None
