"""What stands in a covariance matrix while it is edited, valid or not, and the last valid model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.checks import is_whole, plain_number
from pdp_widgets.core.converters import plain_numbers
from pdp_widgets.errors import DomainError, LimitError, PdpError, QueryError, TableError, Where
from pdp_widgets.models.covariance import nearest_covariance
from pdp_widgets.models.covariance_matrix import is_positive_semidefinite, smallest_eigenvalue
from pdp_widgets.models.editing import edited_title
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.labels import short, shown
from pdp_widgets.widgets.wire import float_bytes, floats, label_texts, sent_flag

#: A matrix on screen: up to 12 tuples are read at ease, 20 by scrolling; this many are checked in one frame.
MOST_TUPLES = 40
_KEPT = "The results still belong to the last valid matrix."

Numbers = NDArray[np.float64]


def as_weights(weights: Any, n: int) -> Numbers | None:
    """Return one finite weight for each tuple as a read-only array; None stays."""
    if weights is None:
        return None
    place = Where("parameter", name="weights")
    try:
        made: Numbers = plain_numbers(list(weights))
    except (TypeError, ValueError, OverflowError):
        raise QueryError(
            f"The weights are {shown(weights)}; give one number for each tuple.", place
        ) from None
    if made.shape != (n,):
        raise QueryError(f"There are {made.size} weights for {n} tuples; give one for each.", place)
    if not np.isfinite(made).all():
        j = int(np.flatnonzero(~np.isfinite(made))[0])
        raise QueryError(f"Weight {j} is {made[j]}; give a finite number.", place)
    made.flags.writeable = False
    return made


class CovarianceEdits:
    """Means and covariances under edit, with the weights of a sum beside them."""

    def __init__(self, model: GaussianModel | None = None, weights: Any = None) -> None:
        self.correlation = False
        self.model: GaussianModel | None = None
        self.names: tuple[str, ...] = ()
        self.weights: Numbers | None = None
        self.last_weights: Numbers | None = None
        self.clear()
        if model is not None:
            self.load(model)
        self.set_weights(weights)

    def clear(self) -> None:
        """Begin without a matrix."""
        self.model = None
        self.names, self.title, self.unit = (), "", ""
        self._set(np.zeros((0, 0)), np.zeros(0))
        self._loaded = self.entries, self.mean
        self._known: tuple[GaussianModel, ...] = ()
        self.weights = None
        self.last_weights = None
        self.fault: PdpError | None = None

    def load(self, model: GaussianModel) -> None:
        """Start afresh from a model; weights of another number of tuples become 1."""
        n = len(model.names)
        check_size(n)
        self._open(model.names, model.title, model.unit)
        self._take(model)
        self._loaded = self.entries, self.mean
        self._known = (model,)

    def _open(self, names: Sequence[str], title: str, unit: str) -> None:
        self.names, self.title, self.unit = tuple(names), title, unit
        if self.weights is not None and len(self.weights) != len(self.names):
            self.weights = self.last_weights = np.ones(len(self.names))

    def replace(self, model: GaussianModel | None) -> None:
        """Take another model: as an edit if it has the same tuples, else as a new one."""
        if model is None:
            self.clear()
        elif (self.names, self.unit) == (model.names, model.unit) and model.title in self._titles():
            self._take(model)
        else:
            self.load(model)

    def _titles(self) -> tuple[str, str]:
        return self.title, edited_title(self.title)

    def set_weights(self, weights: Any) -> None:
        """Take weights, or None to show none."""
        if weights is not None and not self.names:
            raise QueryError(
                "There are weights and no matrix yet; give a model first.", Where("parameter", name="weights")
            )
        self.weights = self.last_weights = as_weights(weights, len(self.names))

    def _set(self, entries: Numbers, mean: Numbers) -> None:
        self.entries, self.mean = entries, mean

    def _take(self, model: GaussianModel) -> None:
        self.model = model
        self._set(model.cov, model.mean)
        self.fault = None

    @property
    def current(self) -> bool:
        """Whether the last valid model is what stands in the cells."""
        return self.fault is None

    def put(self, entries: ArrayLike, mean: ArrayLike | None = None) -> None:
        """Put numbers into all cells; if they are no model, ``fault`` says why and the last one stays."""
        n = len(self.names)
        numbers = np.array(entries, dtype=np.float64).reshape(n, n)
        means = self.mean if mean is None else np.array(mean, dtype=np.float64).reshape(n)
        try:
            made = self._made(numbers, means)
        except PdpError as fault:
            self._set(numbers, means)
            self.fault = type(fault)(f"{fault} {_KEPT}", fault.where)
        else:
            self._take(made)

    def _made(self, entries: Numbers, mean: Numbers) -> GaussianModel:
        # Back at numbers that were there it is that model again, whatever else it knows.
        for known in (self.model, *self._known):
            if known is not None and known.names == self.names and _same(known, entries, mean):
                return known
        return GaussianModel(mean, entries, self.names, title=edited_title(self.title), unit=self.unit)

    def bring(self, names: Sequence[str] | None, entries: ArrayLike) -> None:
        """Take a matrix of other tuples, valid or not; the means become 0."""
        numbers = np.array(entries, dtype=np.float64)
        n = len(numbers)
        check_size(n)
        # Names are judged by the model, on numbers that cannot be at fault.
        fresh = GaussianModel(None, np.eye(n), names)
        if fresh.names == self.names:
            self.put(numbers)
            return
        self._open(fresh.names, "", "")
        self._known = ()
        self.put(numbers, np.zeros(n))
        self._loaded = self.entries, self.mean

    def ask(self, request: Mapping[str, Any]) -> None:
        """Take what the hand set in a browser; what the request does not carry stays."""
        n = len(self.names)
        self.correlation = sent_flag(request, "correlation", self.correlation)
        if "weights" in request and self.weights is not None:
            self._ask_weights(floats(request["weights"], n))
        if n and ("cov" in request or "mean" in request):
            entries = floats(request["cov"], n * n) if "cov" in request else self.entries.ravel()
            mean = floats(request["mean"], n) if "mean" in request else self.mean
            matrix = _mirrored(entries.reshape(n, n))
            same = np.array_equal(matrix, self.entries, equal_nan=True)
            if not (same and np.array_equal(mean, self.mean, equal_nan=True)):
                self.put(matrix, mean)
        command = request.get("command", "")
        if command == "nearest":
            self.nearest()
        elif command == "import":
            self._ask_import(request)

    def _ask_weights(self, weights: Numbers) -> None:
        self.weights = weights
        if np.isfinite(weights).all():
            self.last_weights = weights

    def _ask_import(self, request: Mapping[str, Any]) -> None:
        sent = request.get("names")
        data = request.get("import")
        size = 0 if data is None else memoryview(data).nbytes // 8
        n = math.isqrt(size)
        if n * n != size or not isinstance(sent, list) or not all(isinstance(name, str) for name in sent):
            raise TableError("The browser sent no square matrix; reload the page.", Where("table"))
        self.bring(sent or None, _mirrored(floats(data, size).reshape(n, n)))

    def _needed(self) -> int:
        if not self.names:
            raise TableError("There is no matrix yet; give a model first.", Where("table"))
        return len(self.names)

    def position(self, tuple_: Any) -> int:
        """Return the position of a tuple given by name or position."""
        n = self._needed()
        if isinstance(tuple_, str) and tuple_ in self.names:
            return self.names.index(tuple_)
        whole = is_whole(tuple_)
        if whole and 0 <= tuple_ < n:
            return int(tuple_)
        known = ", ".join(short(name) for name in self.names[:12]) + (", ..." if n > 12 else "")
        raise DomainError(
            f"There is no tuple {shown(tuple_)}; give a position from 0 to {n - 1} or a name: {known}.",
            Where("parameter", name="tuple"),
        )

    def set_cell(self, a: Any, b: Any, value: float) -> None:
        """Set the covariance of two tuples, or the variance of one; the mirror follows."""
        i, j = self.position(a), self.position(b)
        entries = np.array(self.entries)
        entries[i, j] = entries[j, i] = _entered(value, "covariance")
        self.put(entries)

    def set_correlation(self, a: Any, b: Any, value: float) -> None:
        """Set the correlation of two tuples; both variances stay."""
        i, j = self.position(a), self.position(b)
        if i == j:
            raise TableError(
                f"The correlation of {short(self.names[i])} with itself is 1; name two tuples.",
                Where("table"),
            )
        spread = self.entries[[i, j], [i, j]]
        if not (spread > 0).all():
            name = short(self.names[(i, j)[int(np.argmin(spread > 0))]])
            raise TableError(
                f"{name} has no variance, so no correlation; set its variance first.", Where("table")
            )
        number = _entered(value, "correlation")
        self.set_cell(i, j, number * math.sqrt(spread[0]) * math.sqrt(spread[1]))

    def set_mean(self, a: Any, value: float) -> None:
        """Set the mean of a tuple."""
        mean = np.array(self.mean)
        mean[self.position(a)] = _entered(value, "mean")
        self.put(self.entries, mean)

    def nearest(self) -> None:
        """Replace the matrix by the nearest valid one."""
        self._needed()
        if self.fault is not None:
            # A negative variance cannot be kept.
            keep = bool((np.diag(self.entries) >= 0).all())
            self.put(nearest_covariance(self.entries, keep_variances=keep, names=self.names))

    def independent(self) -> None:
        """Keep the variances and set all covariances to 0."""
        self._needed()
        self.put(np.diag(np.diag(self.entries)))

    @property
    def smallest_eigenvalue(self) -> float:
        """Of what stands in the cells, 0 where only rounding parts it from that; NaN beside no number."""
        if not self.names or not np.isfinite(self.entries).all():
            return math.nan
        return smallest_eigenvalue(self.entries)

    @property
    def _valid(self) -> bool:
        """Whether the matrix is one; a mean that is no number is another fault."""
        return self.fault is None or (
            bool(np.isfinite(self.entries).all()) and is_positive_semidefinite(self.entries)
        )

    def weights_fault(self) -> PdpError | None:
        """Return what is wrong with the row of weights."""
        if self.weights is None or np.isfinite(self.weights).all():
            return None
        j = int(np.flatnonzero(~np.isfinite(self.weights))[0])
        return QueryError(
            f"The weight of {short(self.names[j])} is {self.weights[j]}; give a finite number. {_KEPT}",
            Where("axis", axis=j),
        )

    def state(self) -> dict[str, Any] | None:
        """Return what the browser shows of the matrix, or None without one."""
        if not self.names:
            return None
        sound = self.model.cov if self.model is not None and self.model.names == self.names else None
        return {
            "title": label_texts([self.title])[0],
            "unit": label_texts([self.unit])[0],
            "names": label_texts(self.names),
            "cov": float_bytes(self.entries),
            "mean": float_bytes(self.mean),
            "weights": None if self.weights is None else float_bytes(self.weights),
            "loaded_cov": float_bytes(self._loaded[0]),
            "loaded_mean": float_bytes(self._loaded[1]),
            "sound": None if sound is None else float_bytes(sound),
            "records": self.model.records if self.current and self.model is not None else None,
            "valid": self._valid,
            "smallest": self.smallest_eigenvalue,
        }


def check_size(n: int) -> None:
    """Raise LimitError for a matrix with too many tuples to be edited on screen."""
    if n > MOST_TUPLES:
        raise LimitError(
            f"The matrix has {n} tuples; one on screen has at most {MOST_TUPLES}. "
            "Show some of the tuples, or compute without a widget.",
            Where("table"),
        )


def _entered(value: Any, what: str) -> float:
    """Return the number given for a cell, any float, or raise TableError."""
    try:
        return plain_number(value)
    except (TypeError, ValueError, OverflowError):
        raise TableError(f"The {what} is {shown(value)}; give a number.", Where("table")) from None


def _same(model: GaussianModel, entries: Numbers, mean: Numbers) -> bool:
    return np.array_equal(model.cov, entries) and np.array_equal(model.mean, mean)


def _mirrored(entries: Numbers) -> Numbers:
    """Return the matrix with what stands above the diagonal on both sides."""
    upper = np.triu(entries)
    below = np.tril(np.ones_like(entries, dtype=bool), -1)
    return np.where(below, upper.T, upper)


def listed(values: Iterable[float] | None) -> tuple[float, ...] | None:
    """Return weights as an observer sees them: plain numbers, or None."""
    return None if values is None else tuple(float(v) for v in values)
