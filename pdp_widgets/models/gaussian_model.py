"""Tuples with a joint normal distribution."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.chart import Cells, number
from pdp_widgets.core.checks import number_or_nan
from pdp_widgets.core.converters import as_generator
from pdp_widgets.core.results import Figures, Result, drawer
from pdp_widgets.errors import (
    DomainError,
    FewRecordsWarning,
    InstanceError,
    LimitError,
    TableError,
    Where,
    warn_caller,
)
from pdp_widgets.models.covariance import equicorrelation, from_correlation, to_correlation
from pdp_widgets.models.covariance_matrix import SMALLEST, Regression, as_vector
from pdp_widgets.models.labels import short, shown
from pdp_widgets.models.moments import Moments
from pdp_widgets.models.pandas_frames import square
from pdp_widgets.models.sums import MomentSums

__all__ = ["GaussianModel", "fitted"]

Floats = NDArray[np.float64]

_MOST_SAMPLED = 1 << 27
#: A weight that is larger leaves no room for sums.
_LARGEST_WEIGHT = 1e300


class GaussianModel(Moments, Result):
    """Mean and covariance of n tuples with a joint normal distribution.

    The object is immutable. The covariance may be singular.

    Parameters
    ----------
    mean
        One number for each tuple; None for 0.
    cov
        Covariance matrix, shape (n, n): symmetric and positive semi-definite within 1e-9.
    names
        One distinct name for each tuple; without it ``x1``, ``x2``, ...
    title
        A short text for pictures.
    unit
        Unit of the tuples, for pictures.

    Raises
    ------
    TableError
        The covariance is not square, not finite, not symmetric, or not positive semi-definite.
    DomainError
        A mean is not finite, their number is not that of the tuples, or a name is missing or used twice.

    Notes
    -----
    Li, Ren, Yang and Yang, "Impact of Prior Knowledge and Data Correlation on Privacy Leakage: A Unified
    Analysis", Section VI: their Sigma holds covariances.

    Its figure is ``"matrix"``, the heat map; ``save(..., weights=)`` writes one for each tuple below it.

    Examples
    --------
    >>> model = GaussianModel([5, 4], [[1.44, 0.6], [0.6, 1]], names=["flat A", "flat B"])
    >>> model.correlation.round(12).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    >>> model.standard_deviations.tolist()
    [1.2, 1.0]
    """

    __slots__ = ()

    def __init__(
        self,
        mean: ArrayLike | None,
        cov: ArrayLike,
        names: Iterable[str] | None = None,
        *,
        title: str | None = "",
        unit: str | None = "",
    ) -> None:
        self._begin()
        self._set(mean, cov, names, title, unit, None)

    @classmethod
    def from_dataframe(
        cls,
        frame: Any,
        columns: Sequence[str] | None = None,
        *,
        title: str | None = "",
        unit: str | None = "",
        weight: str | None = None,
    ) -> GaussianModel:
        """Return the model with the sample mean and covariance of a data frame of any library.

        Parameters
        ----------
        frame
            One record a row, at least two rows of numbers: a pandas, polars or arrow table, a dict of lists,
            a lazy frame, whose columns are collected, or the path of files, which are read part by part.
        columns
            Columns that become tuples, in this order; without it all.
        title, unit
            As for the class.
        weight
            Name of the column of counts, where a row stands for several records; without it each row counts
            once.

        Raises
        ------
        DomainError
            A column does not exist or has a value that is missing or no finite number.
        TableError
            There are fewer than two records, or columns of unequal length; or a count is no whole number.

        Warns
        -----
        CountColumnWarning
            A column looks like counts of rows and becomes a tuple; name it as ``weight``, or give
            ``columns``.
        FewRecordsWarning
            There are no more records than columns: the covariance is singular, and the exact leakages of
            those who know much are those of the sample.

        Notes
        -----
        The covariance is the unbiased one: sums of products divided by the number of records less one.

        Examples
        --------
        >>> model = GaussianModel.from_dataframe({"a": [1, 2, 3], "b": [2, 4, 6]})
        >>> model.mean.tolist(), model.cov.tolist(), model.records
        ([2.0, 4.0], [[1.0, 2.0], [2.0, 4.0]], 3)
        >>> GaussianModel.from_dataframe({"a": [1, 3], "n": [2, 2]}, weight="n").mean.tolist()
        [2.0]
        """
        from pdp_widgets.models.attribute_codes import whole_weights
        from pdp_widgets.models.file_counts import read_batches
        from pdp_widgets.models.frame_remarks import warn_of_counts
        from pdp_widgets.models.frames import check_lengths, columns_of, named_by, number_columns

        weight = named_by(frame, "weight", weight)
        read = columns if columns is None or weight is None else [*columns, weight]
        of_file = isinstance(frame, str | PathLike)
        sums = MomentSums.of(np.zeros((0, 0)))
        names: list[str] = []
        for batch in read_batches(frame, read, limit=60.0) if of_file else [frame]:
            numbers, names = number_columns(batch, columns, weight)
            counts = None
            if weight is not None:
                counts = whole_weights(columns_of(batch, [weight])[0], weight, "Give whole counts.")
                check_lengths([names[0], weight], [numbers, counts])
            elif columns is None and not sums.records:
                # Whether rows of a file are different is judged by the first of them.
                named = list(zip(names, numbers.T, strict=True))
                warn_of_counts(named, "a tuple", "weight={!r}", "name the tuples: columns=[...]")
            sums = sums.merged(MomentSums.of(numbers, counts))
        return fitted(sums, names, title, unit)

    @classmethod
    def from_correlation(
        cls,
        correlation: ArrayLike,
        standard_deviations: ArrayLike = 1.0,
        mean: ArrayLike | None = None,
        names: Iterable[str] | None = None,
        *,
        title: str | None = "",
        unit: str | None = "",
    ) -> GaussianModel:
        """Return the model with given correlations and standard deviations.

        Parameters
        ----------
        correlation
            Shape (n, n), 1 on the diagonal.
        standard_deviations
            One number, or one for each tuple; 0 or more.
        mean, names, title, unit
            As for the class.

        Examples
        --------
        >>> GaussianModel.from_correlation([[1, 0.5], [0.5, 1]], [2, 1]).cov.tolist()
        [[4.0, 1.0], [1.0, 1.0]]
        """
        listed = names if names is None or isinstance(names, str) else list(names)
        return cls(
            mean,
            from_correlation(correlation, standard_deviations, listed),
            listed,
            title=title,
            unit=unit,
        )

    @classmethod
    def equicorrelated(
        cls,
        n: int,
        rho: float,
        variance: float = 1.0,
        mean: ArrayLike | None = None,
        names: Iterable[str] | None = None,
        *,
        title: str | None = "",
        unit: str | None = "",
    ) -> GaussianModel:
        """Return n tuples of one variance, every two with correlation rho.

        Raises
        ------
        DomainError
            rho is not from -1 / (n - 1) to 1: such correlations do not exist.

        Examples
        --------
        >>> GaussianModel.equicorrelated(3, -0.5, variance=2).cov.tolist()
        [[2.0, -1.0, -1.0], [-1.0, 2.0, -1.0], [-1.0, -1.0, 2.0]]
        """
        size = float(as_vector(variance, ["all tuples"], "variance", least=0.0)[0])
        matrix = equicorrelation(n, rho) * size
        return cls(mean, matrix, names, title=title, unit=unit)

    def marginal(self, tuples: Iterable[str | int]) -> GaussianModel:
        """Return the model of some tuples, in the given order.

        Examples
        --------
        >>> model = GaussianModel(None, [[1, 0, 0.5], [0, 2, 0], [0.5, 0, 3]])
        >>> model.marginal(["x3", "x1"]).cov.tolist()
        [[3.0, 0.5], [0.5, 1.0]]
        """
        axes = self.axes(tuples)
        return self._build(
            self._mean[axes],
            self._cov[np.ix_(axes, axes)],
            [self._names[j] for j in axes],
            self._title,
            self._unit,
            self._records,
        )

    def reorder(self, tuples: Iterable[str | int]) -> GaussianModel:
        """Return the same model with its tuples in another order."""
        axes = self.axes(tuples)
        if len(axes) != self.n_tuples:
            raise DomainError(
                f"Name all {self.n_tuples} tuples to reorder them.", Where("parameter", name="tuples")
            )
        return self.marginal(axes)

    def condition(self, known: Mapping[Any, Any]) -> GaussianModel:
        """Return the model of the other tuples, given the values of some.

        Parameters
        ----------
        known
            Values by tuple name or position.

        Raises
        ------
        DomainError
            No tuple would remain, a tuple is named twice, or a value is no finite number.
        InstanceError
            The values cannot occur together.

        Examples
        --------
        >>> given = GaussianModel(None, [[1, 0.5], [0.5, 1]]).condition({"x2": 2.0})
        >>> given.mean.tolist(), given.cov.tolist()
        ([1.0], [[0.75]])
        """
        if not isinstance(known, Mapping):
            raise DomainError(
                f"The known values are {shown(known)}; give them as {{tuple: value}}.",
                Where("parameter", name="known"),
            )
        axes = self.axes(known) if known else []
        rest = [j for j in range(self.n_tuples) if j not in axes]
        if not rest:
            raise DomainError(
                "No tuple is left; give values of fewer tuples.", Where("parameter", name="known")
            )
        found = Regression(self._cov, axes)
        deviations = self.deviations(axes, list(known.values()), found)
        left = found.residual[np.ix_(rest, rest)]
        none = np.diag(left) < SMALLEST
        left[none, :] = left[:, none] = 0.0
        return self._build(
            (self._mean + found.coefficients @ deviations)[rest],
            left,
            [self._names[j] for j in rest],
            self._title,
            self._unit,
            None,
        )

    def deviations(self, axes: Sequence[int], values: Sequence[Any], prediction: Regression) -> Floats:
        """Return how far values of some tuples are from their means, after checking that they can occur.

        Parameters
        ----------
        axes, values
            Positions of the tuples and one value for each.
        prediction
            The regression on these tuples.

        Raises
        ------
        DomainError
            A value is no finite number.
        InstanceError
            The values have density 0: the covariance of these tuples is singular and does not allow them.
        """
        names = [self._names[j] for j in axes]
        listed = as_vector(values, names, "value") if names else np.zeros(0)
        found = listed - self._mean[list(axes)]
        if not prediction.can_occur(found):
            text = ", ".join(
                f"{short(name)} = {value:.6g}" for name, value in zip(names, listed, strict=True)
            )
            raise InstanceError(
                f"The known values {text} cannot occur together: the covariance fixes one by the others, or "
                "one has variance 0 and another mean.",
                Where("parameter", name="known"),
            )
        return found

    def sample(self, size: int = 1, rng: np.random.Generator | int | None = None) -> Floats:
        """Return random rows, shape (size, n).

        Parameters
        ----------
        size
            Number of rows.
        rng
            Generator or seed; without it fresh randomness.

        Raises
        ------
        DomainError
            The size is no whole number, 0 or more, or rng is no seed.
        LimitError
            The rows would take more than 1 GB.

        Examples
        --------
        >>> GaussianModel([1, 2], [[1, 1], [1, 1]]).sample(3, rng=7).shape
        (3, 2)
        """
        size = as_size(size, "size", 0, error=DomainError, subject="The number of rows")
        numbers = size * self.n_tuples
        if numbers > _MOST_SAMPLED:
            raise LimitError(
                f"The number of rows is {shown(size)}; at most {_MOST_SAMPLED // self.n_tuples:,} rows "
                f"of {self.n_tuples} tuples (1.1 GB) are drawn at once.",
                Where("parameter", name="size"),
            )
        correlation, deviations = to_correlation(self._cov)
        values, vectors = np.linalg.eigh(correlation)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        normal = as_generator(rng).standard_normal((size, self.n_tuples))
        return np.asarray(self._mean + (normal @ root.T) * deviations)

    def _figures(self, weights: Sequence[float] | None = None) -> Figures:
        return {"matrix": lambda: self.cells(weights)}

    def cells(self, weights: Sequence[float] | None = None) -> Cells:
        """Return the covariances as a picture declares them, see `pdp_widgets.core.chart.Cells`.

        Parameters
        ----------
        weights
            One for each tuple, told below.

        Raises
        ------
        DomainError
            The weights are no list of numbers, one for each tuple.

        Examples
        --------
        >>> GaussianModel([0, 1], [[1, 0.5], [0.5, 2]]).cells().texts
        (('1', '0.5'), ('0.5', '2'))
        """
        notes = []
        if self._mean.any():
            means = zip(self._names, self._mean.tolist(), strict=True)
            notes.append(f"Means: {', '.join(f'{name} {number(mean, 4)}' for name, mean in means)}.")
        if weights is not None:
            told = zip(self._names, _as_weights(weights, self.n_tuples), strict=True)
            notes.append(f"Weights: {', '.join(f'{name} {number(weight, 4)}' for name, weight in told)}.")
        square_unit = f", {self._unit}²" if self._unit.strip() else ""
        return Cells(
            "Covariance matrix",
            self._names,
            self._names,
            self._cov,
            texts=[[number(value, 3) for value in row] for row in self._cov.tolist()],
            key=f"covariance{square_unit}",
            signed=True,
            note=" ".join(notes),
        )

    def to_dataframe(self) -> Any:
        """Return the covariances as a pandas data frame, tuples down and across; its ``attrs`` hold the mean.

        Examples
        --------
        >>> GaussianModel([0, 1], [[1, 0.5], [0.5, 2]]).to_dataframe().values.tolist()
        [[1.0, 0.5], [0.5, 2.0]]
        """
        return square(self._cov, self._names, mean=self._mean.tolist())

    def to_latex(
        self, *, correlation: bool = False, caption: str | None = None, label: str | None = None
    ) -> str:
        """Return the covariances as a LaTeX table for the package booktabs.

        Parameters
        ----------
        correlation
            List correlations in place of covariances.
        caption, label
            Make it a floating table. The caption is LaTeX and goes in as it is.
        """
        made = drawer("latex").table(self, correlation=correlation, caption=caption, label=label)
        return str(made)


def _as_weights(weights: Any, n: int) -> tuple[float, ...]:
    """Return weights, one for each tuple, or raise DomainError."""
    where = Where("parameter", name="weights")
    # The order of a set is that of nobody, and keys are no weights.
    ordered = not isinstance(weights, str | bytes | bytearray | memoryview | set | frozenset | dict)
    try:
        listed = tuple(weights) if ordered else None
    except TypeError:
        listed = None
    if listed is None:
        raise DomainError(
            f"The weights are {shown(weights)}; give a list of numbers, one for each tuple.", where
        )
    found = tuple(map(number_or_nan, listed))
    for given, weight in zip(listed, found, strict=True):
        if not abs(weight) <= _LARGEST_WEIGHT:
            raise DomainError(
                f"A weight is {shown(given)}; give finite numbers, at most {_LARGEST_WEIGHT:g} in size.",
                where,
            )
    if len(found) != n:
        raise DomainError(f"There are {len(found)} weights for {n} tuples; give one for each.", where)
    return found


def fitted(sums: MomentSums, names: Sequence[str], title: str | None, unit: str | None) -> GaussianModel:
    """Return the model with the mean and the unbiased covariance of records."""
    records = sums.records
    if records < 2:
        raise TableError(
            f"The data frame has {'one row' if records else 'no rows'}; a covariance needs at least two.",
            Where("table"),
        )
    if records <= len(names):
        warn_caller(
            f"{records} records of {len(names)} columns: the fitted covariance is singular in any case, and "
            "some tuples read as fixed by others. Take more records or fewer columns.",
            FewRecordsWarning,
        )
    return GaussianModel._build(sums.mean, sums.products / (records - 1), names, title, unit, records)
