"""A weighted hierarchical graph whose edge values are given, as in the paper's simulations (Figs. 4 and 5).

Such a graph need not come from any table of probabilities.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import INNER, as_size
from pdp_widgets.core.chart import nats
from pdp_widgets.core.checks import is_whole, number_or_nan
from pdp_widgets.core.converters import as_floats, as_generator
from pdp_widgets.errors import AdversaryError, DomainError, LimitError, TableError, Where
from pdp_widgets.leakage.adversary import column, known_of, others
from pdp_widgets.leakage.prior.chain_rule import layer_by_layer
from pdp_widgets.leakage.prior.edge_bounds import MOST_NUMBERS
from pdp_widgets.leakage.prior.path_search import FastSearch, checked_node, edges_above, path_minimum, search
from pdp_widgets.leakage.value import About, Leakage, Unit
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import shown

__all__ = ["GivenEdges"]

Floats = NDArray[np.float64]


class GivenEdges(Immutable):
    """Values of layer 1 and increments of all edges, from which the paper's estimates follow.

    The object is immutable.

    Parameters
    ----------
    first
        Values of layer 1 in nats, one for each of the n tuples: what the strongest adversaries learn.
    edges
        Increments in nats: ``(i, j, known, value)`` for every edge into the adversary (i, known) that forgets
        tuple j; or an array of shape (n, 2**(n-1), n), ``[i, c, j]`` with column c as in
        `pdp_widgets.leakage.adversary`, whose other entries are NaN.

    Raises
    ------
    TableError
        A value is not a finite number, a value of layer 1 is negative, or an edge is missing or given twice.
    AdversaryError
        An edge does not exist.
    LimitError
        The edges would take more than 0.8 GB.

    Notes
    -----
    Li, Ren, Yang and Yang, Section VI.

    Examples
    --------
    >>> graph = GivenEdges([1, 1], [(0, 1, [], 0.5), (1, 0, [], -0.25)])
    >>> graph.chain().tolist()
    [[1.5, 1.0], [0.75, 1.0]]
    >>> print(graph.fast().leakage, "|", graph.complete_path_minimum(1))
    1.5 nats (as printed): x1, knowing none | 0.75 nats (as printed): x2, knowing none
    """

    __slots__ = ("_first", "_increments")

    _first: Floats
    # In the order [i, j, c] of the computations.
    _increments: Floats

    def __init__(self, first: ArrayLike, edges: ArrayLike | Iterable[Any]) -> None:
        self._begin()
        values = _checked_first(first)
        n = len(values)
        _refuse_beyond(n)
        is_array = isinstance(edges, np.ndarray) and edges.dtype.kind in "fiu"
        self._keep(values, _from_array(edges, n) if is_array else _from_rows(edges, n))

    def _keep(self, first: Floats, increments: Floats) -> None:
        for slot, array in (("_first", first), ("_increments", increments)):
            # Values that are equal have equal bytes, and so equal hashes: without -0.0.
            array += 0.0
            array.flags.writeable = False
            object.__setattr__(self, slot, array)

    @classmethod
    def beta(
        cls,
        n: int,
        mean: float,
        concentration: float = 10.0,
        *,
        rng: np.random.Generator | int | None = None,
        sign: int = 1,
    ) -> GivenEdges:
        """Return a graph with random increments: the discrete simulation of the paper (Figs. 4 and 5).

        Every increment is drawn from the Beta distribution with parameters mean * concentration and
        (1 - mean) * concentration; layer 1 is 1.

        Parameters
        ----------
        n
            Number of tuples.
        mean
            Mean of the increments' sizes, between 0 and 1.
        concentration
            How close they lie to their mean, above 0. The paper does not give it: the default is a choice.
        rng
            Random generator or seed.
        sign
            1 or -1: sign of all increments.

        Raises
        ------
        DomainError
            A parameter is outside its range.
        LimitError
            The edges would take more than 0.8 GB.

        Examples
        --------
        >>> graph = GivenEdges.beta(5, 0.2, rng=1)
        >>> graph.n_tuples, abs(graph.mean_increment - 0.2) < 0.05
        (5, True)
        """
        n = as_size(n, "n", 1, error=DomainError, subject="The number of tuples")
        _refuse_beyond(n)
        share, close = INNER.take(mean, "mean", DomainError, "The mean"), number_or_nan(concentration)
        if not (share * close > 0 and (1 - share) * close > 0 and close < np.inf):
            raise DomainError(
                f"The concentration is {shown(concentration)}; it is a finite number above 0, large enough "
                "that its products with the mean and with 1 - mean are above 0.",
                Where("parameter", name="concentration"),
            )
        if not is_whole(sign) or sign not in (1, -1):
            raise DomainError(f"The sign is {shown(sign)}; it is 1 or -1.", Where("parameter", name="sign"))
        there = _edge_places(n)
        increments = np.full(there.shape, np.nan)
        generator = as_generator(rng)
        size = int(np.count_nonzero(there))
        increments[there] = int(sign) * generator.beta(share * close, (1 - share) * close, size)
        made = cls.__new__(cls)
        made._keep(np.ones(int(n)), increments)
        return made

    @property
    def status(self) -> Literal["as printed"]:
        """What all values that follow from the edges are: always ``"as printed"``."""
        return "as printed"

    @property
    def unit(self) -> Unit:
        """Unit of layer 1, increments and values: always ``"nats"``."""
        return "nats"

    @property
    def n_tuples(self) -> int:
        """Number of tuples n."""
        return len(self._first)

    @property
    def first(self) -> Floats:
        """Values of layer 1 in nats, shape (n,), read-only."""
        return self._first

    @property
    def increments(self) -> Floats:
        """Increments of the edges, shape (n, 2**(n-1), n), read-only; NaN where there is none."""
        return self._increments.transpose(0, 2, 1)

    @property
    def mean_increment(self) -> float:
        """Mean of all increments, the paper's averCorr where layer 1 is 1; NaN without an edge."""
        return float(np.nanmean(self._increments)) if self.n_tuples > 1 else float("nan")

    def chain(self) -> Floats:
        """Return the values of all adversaries by the full search (Algorithm 1), in nats.

        A node array, read-only: row = attacked tuple, column = bitmask of the known tuples among the others.
        As printed in the paper, as `status` says.
        """
        values = layer_by_layer(self._first, self._increments, self._increments)
        values.flags.writeable = False
        return values

    def fast(self) -> FastSearch:
        """Return the outcome of the fast search (Algorithm 2)."""
        n = self.n_tuples

        def edges_out(target: int, known: tuple[int, ...]) -> list[tuple[int, float, float]]:
            c = column(n, target, known)
            # Without its bit, the column of the adversary who no longer knows tuple j.
            weaker = [c ^ 1 << (j - (j > target)) for j in known]
            values = self._increments[target, known, weaker].tolist()
            return [(j, value, value) for j, value in zip(known, values, strict=True)]

        return search(self._first.tolist(), edges_out)

    def node(self, target: int, known: Iterable[int] = ()) -> Leakage:
        """Return the value of one adversary by the full search (Algorithm 1), as printed.

        Raises
        ------
        AdversaryError
            A tuple does not exist, is known twice, or is both attacked and known.

        Examples
        --------
        >>> print(GivenEdges([1, 1], [(0, 1, [], 0.5), (1, 0, [], -0.25)]).node(0))
        1.5 nats (as printed): x1, knowing none
        """
        i, fixed = checked_node(self.n_tuples, target, known)
        return self._stated(i, fixed, float(self.chain()[i, column(self.n_tuples, i, fixed)]), "Algorithm 1")

    def complete_path_minimum(self, target: int, known: Iterable[int] = ()) -> Leakage:
        """Return the smallest value over all complete paths to one adversary (Theorem 5), as printed.

        Raises
        ------
        AdversaryError
            A tuple does not exist, is known twice, or is both attacked and known.
        LimitError
            The paths reach too many different values; 10 forgotten tuples always pass.
        """
        i, fixed = checked_node(self.n_tuples, target, known)
        increments, _ = edges_above(self._increments, self._increments, i, fixed)
        value = path_minimum(float(self._first[i]), increments, increments)
        return self._stated(i, fixed, value, "Theorem 5, smallest over complete paths")

    def _stated(self, target: int, known: tuple[int, ...], value: float, equation: str) -> Leakage:
        source = f"Li, Ren, Yang and Yang, {equation}"
        return Leakage(value, self.status, About.numbered(target, known), "sup", source=source)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GivenEdges):
            return NotImplemented
        return bool(
            np.array_equal(self._first, other._first)
            and np.array_equal(self._increments, other._increments, equal_nan=True)
        )

    def __hash__(self) -> int:
        return hash((self._first.tobytes(), self._increments.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return GivenEdges, (self._first, np.ascontiguousarray(self.increments))

    def __repr__(self) -> str:
        n = self.n_tuples
        edges = n * (n - 1) << n >> 2
        return f"GivenEdges({n} tuples, {edges:,} edges, mean increment {nats(self.mean_increment)})"


def _refuse_beyond(n: int) -> None:
    numbers = n * n << (min(n, 100) - 1)
    if numbers > MOST_NUMBERS:
        size = f" take {8e-9 * numbers:,.1f} GB" if n < 40 else " are more than any memory holds"
        raise LimitError(
            f"The edges of {shown(int(n))} tuples{size}; given edges are offered up to "
            f"{8e-9 * MOST_NUMBERS:.1f} GB.",
            Where("parameter", name="edges"),
        )


def _checked_first(first: ArrayLike) -> Floats:
    values = as_floats(first, "values of layer 1", TableError)
    if values.ndim != 1 or values.size == 0:
        raise TableError(
            f"The values of layer 1 have shape {values.shape}; give one for each tuple.",
            Where("parameter", name="first"),
        )
    wrong = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
    if wrong.size:
        i = int(wrong[0])
        raise TableError(
            f"The value of layer 1 of tuple {i} is {float(values[i])}; it is a finite number, 0 or more.",
            Where("parameter", name="first"),
        )
    return values


def _edge_places(n: int) -> NDArray[np.bool_]:
    """Tell for every entry [i, j, c] whether it is an edge: j is another tuple that is not known in c."""
    there = np.zeros((n, n, 1 << (n - 1)), dtype=bool)
    columns = np.arange(1 << (n - 1))
    for i in range(n):
        for p, j in enumerate(others(n, i)):
            there[i, j] = columns >> p & 1 == 0
    return there


def _edge_name(i: int, j: int, known: Iterable[int]) -> str:
    listed = ", ".join(map(str, known)) or "none"
    return f"that attacks tuple {i}, forgets {j} and ends knowing {listed}"


def _from_rows(edges: Any, n: int) -> Floats:
    increments = np.full((n, n, 1 << (n - 1)), np.nan)
    if not isinstance(edges, Iterable):
        raise TableError(
            f"The edges are {shown(edges)}; they are a list of (target, forgotten tuple, known tuples, "
            "increment), or an array.",
            Where("parameter", name="edges"),
        )
    for row in edges:
        try:
            i, j, known, value = row
            i, fixed = checked_node(n, i, known)
            j, _ = checked_node(n, j, ())
            if j == i or j in fixed:
                raise AdversaryError(
                    f"it cannot forget tuple {j}, which is {'attacked' if j == i else 'still known'}."
                )
        except AdversaryError as fault:
            raise AdversaryError(
                f"The edge {shown(row)}: {fault}", Where("parameter", name="edges")
            ) from None
        except (TypeError, ValueError):
            raise TableError(
                f"An edge is {shown(row)}; it is (target, forgotten tuple, known tuples, increment).",
                Where("parameter", name="edges"),
            ) from None
        at = i, j, column(n, i, fixed)
        if not np.isfinite(number_or_nan(value)):
            raise TableError(
                f"The edge {_edge_name(i, j, fixed)} is {shown(value)}; it is a finite number.",
                Where("parameter", name="edges"),
            )
        if not np.isnan(increments[at]):
            raise TableError(
                f"The edge {_edge_name(i, j, fixed)} is given twice; give it once.",
                Where("parameter", name="edges"),
            )
        increments[at] = value
    return _without_gaps(increments)


def _from_array(edges: Any, n: int) -> Floats:
    numbers = as_floats(edges, "edges", TableError)
    shape = (n, 1 << (n - 1), n)
    if numbers.shape != shape:
        raise TableError(
            f"The edges have shape {numbers.shape}; for {n} values of layer 1 it must be {shape}.",
            Where("parameter", name="edges"),
        )
    increments = np.ascontiguousarray(numbers.transpose(0, 2, 1))
    increments[np.isnan(increments)] = np.nan
    if np.isinf(increments).any():
        raise TableError("An increment is infinite; it is a finite number.", Where("parameter", name="edges"))
    nowhere = ~np.isnan(increments) & ~_edge_places(n)
    if nowhere.any():
        i, j, c = (int(x) for x in np.argwhere(nowhere)[0])
        raise AdversaryError(
            f"There is no edge {_edge_name(i, j, known_of(n, i, c))}; the entry must be NaN.",
            Where("parameter", name="edges"),
        )
    return _without_gaps(increments)


def _without_gaps(increments: Floats) -> Floats:
    n = len(increments)
    missing = np.isnan(increments) & _edge_places(n)
    if missing.any():
        i, j, c = (int(x) for x in np.argwhere(missing)[0])
        raise TableError(
            f"The edge {_edge_name(i, j, known_of(n, i, c))} is missing "
            f"({np.count_nonzero(missing):,} missing in all); give every edge.",
            Where("parameter", name="edges"),
        )
    return increments
