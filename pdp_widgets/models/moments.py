"""Mean and covariance of tuples, checked and read-only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.covariance import to_correlation
from pdp_widgets.models.covariance_matrix import as_covariance, as_vector, smallest_eigenvalue
from pdp_widgets.models.labels import as_names, as_title, is_text, short, shown
from pdp_widgets.models.names import NamedTuples

__all__ = ["Moments"]

Floats = NDArray[np.float64]


class Moments(NamedTuples):
    """Names, mean and covariance of n tuples, see `GaussianModel`."""

    __slots__ = ("_cov", "_mean", "_records", "_title", "_unit")

    _cov: Floats
    _mean: Floats
    _title: str
    _unit: str
    _records: int | None

    def _made(self) -> bool:
        return hasattr(self, "_cov")

    def _set(
        self,
        mean: Any,
        cov: Any,
        names: Iterable[str] | None,
        title: str | None,
        unit: str | None,
        records: int | None,
    ) -> None:
        listed = names if names is None or isinstance(names, str) else list(names)
        matrix = as_covariance(cov, listed)
        checked = as_names(listed, matrix.shape[0])
        means = as_vector(0.0 if mean is None else mean, checked, "mean")
        if mean is not None and np.ndim(mean) == 0:
            raise DomainError(
                f"The mean is {shown(mean)}; give one number for each of the {len(checked)} tuples, or None.",
                Where("parameter", name="mean"),
            )
        means.flags.writeable = False
        if unit is not None and not is_text(unit):
            raise DomainError(f"The unit is {shown(unit)}; a unit is text.", Where("parameter", name="unit"))
        for slot, value in (
            ("_names", checked),
            ("_cov", matrix),
            ("_mean", means),
            ("_title", as_title(title)),
            ("_unit", unit or ""),
            ("_records", records),
        ):
            object.__setattr__(self, slot, value)

    @classmethod
    def _build(
        cls,
        mean: Floats,
        cov: Floats,
        names: Iterable[str],
        title: str | None,
        unit: str | None,
        records: int | None,
    ) -> Self:
        made = cls.__new__(cls)
        made._set(mean, cov, names, title, unit, records)
        return made

    @property
    def mean(self) -> Floats:
        """Mean of every tuple, read-only."""
        return self._mean

    @property
    def cov(self) -> Floats:
        """Covariance matrix, exactly symmetric, read-only."""
        return self._cov

    @property
    def title(self) -> str:
        """Short text for pictures."""
        return self._title

    @property
    def unit(self) -> str:
        """Unit of the tuples, for pictures."""
        return self._unit

    @property
    def records(self) -> int | None:
        """Number of records behind mean and covariance, or None when they were given."""
        return self._records

    @property
    def correlation(self) -> Floats:
        """Correlation matrix; a tuple of variance 0 has correlation 0 with all others."""
        return to_correlation(self._cov)[0]

    @property
    def standard_deviations(self) -> Floats:
        """Standard deviation of every tuple."""
        return to_correlation(self._cov)[1]

    @property
    def smallest_eigenvalue(self) -> float:
        """Smallest eigenvalue of the covariance matrix; 0 (within rounding) when it is singular."""
        return smallest_eigenvalue(self._cov)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Moments):
            return NotImplemented
        return (
            self._names == other._names
            and self._title == other._title
            and self._unit == other._unit
            and self._records == other._records
            and bool(np.array_equal(self._mean, other._mean))
            and bool(np.array_equal(self._cov, other._cov))
        )

    def __hash__(self) -> int:
        return hash((self._names, self._title, self._mean.tobytes(), self._cov.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._build, (
            self._mean,
            self._cov,
            self._names,
            self._title,
            self._unit,
            self._records,
        )

    def __repr__(self) -> str:
        title = f"{short(self._title)!r}, " if self._title else ""
        tuples = ", ".join(
            f"{short(name)}: {m:.6g} ± {s:.6g}"
            for name, m, s in zip(self._names, self._mean, self.standard_deviations, strict=True)
        )
        source = "" if self._records is None else f", records={self._records}"
        return f"{type(self).__name__}({title}{tuples}{source})"
