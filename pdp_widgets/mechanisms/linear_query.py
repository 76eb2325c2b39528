"""Additive queries: what every label of every tuple contributes to the published number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.checks import plain_number
from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import QueryError, Where
from pdp_widgets.mechanisms.label_conditions import chosen, count_name, in_interval, interval_name
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import is_text, short, shown
from pdp_widgets.models.networks.network import Network
from pdp_widgets.models.table_checks import check_cells

__all__ = ["LinearQuery", "as_linear"]


def _example(distribution: JointDistribution | Network) -> str:
    """Return a call that would do: positions as contributions of labels, with the labels in their order."""
    rows = [list(range(len(domain))) for domain in distribution.domains]
    if sum(len(row) for row in rows) > 24:
        return "LinearQuery([[...], ...])"
    labels = "; ".join(
        f"{short(name)}: {', '.join(short(label) for label in domain)}"
        for name, domain in zip(distribution.names, distribution.domains, strict=True)
    )
    return f"LinearQuery({rows})  # contributions of {labels}"


def _label_number(label: Any, axis: int, distribution: JointDistribution | Network) -> float:
    name = distribution.names[axis]
    if isinstance(label, str):
        raise QueryError(
            f"The label {short(label)} of {short(name)} is text and cannot be added; "
            f"give contributions for every label, for example {_example(distribution)}",
            Where("axis", axis=axis),
        )
    try:
        return float(label)
    except OverflowError:
        raise QueryError(
            f"The label {short(label)} of {short(name)} is too large to be added.", Where("axis", axis=axis)
        ) from None


def _check_distribution(value: Any) -> None:
    if not isinstance(value, JointDistribution | Network):
        raise TypeError(
            f"The distribution is a {type(value).__name__}; give a JointDistribution or a network."
        )


class LinearQuery(Immutable):
    """An additive query f(x) = sum over tuples j of y_j(x_j).

    Sum, mean, weighted sum, count of a predicate and one bin of a histogram are all of this form; y_j(v) is
    the *contribution* of label v of tuple j.

    Parameters
    ----------
    contributions
        One list of finite numbers for each tuple, one number for each label, in the order of the domain.
        Equal contributions are allowed.
    name
        Short text for pictures.

    Raises
    ------
    QueryError
        A contribution is not a finite number, or the range of the query is too large to be one.

    Notes
    -----
    Li, Ren, Yang and Yang, Section III: general linear queries. Sensitivities are taken over the declared
    domain, whether or not every label can occur.

    Examples
    --------
    >>> query = LinearQuery([[0, 1], [0, 5]])
    >>> query.local_sensitivities.tolist(), query.global_sensitivity
    ([1.0, 5.0], 5.0)
    >>> query.values().tolist()
    [[0.0, 5.0], [1.0, 6.0]]
    """

    __slots__ = ("_contributions", "_name")

    _contributions: tuple[NDArray[np.float64], ...]
    _name: str

    def __init__(self, contributions: Iterable[ArrayLike], *, name: str = "query") -> None:
        self._begin()
        if isinstance(contributions, str | bytes | set | frozenset) or not isinstance(
            contributions, Iterable
        ):
            raise QueryError(
                f"The contributions are {shown(contributions)}; give one list for each tuple.",
                Where("parameter", name="contributions"),
            )
        if not is_text(name):
            raise QueryError(
                f"The name of the query is {shown(name)}; give text.", Where("parameter", name="name")
            )
        arrays: list[NDArray[np.float64]] = []
        for axis, given in enumerate(contributions):
            if isinstance(given, int | float | np.number):
                raise QueryError(
                    f"The contributions of tuple {axis} are not a list but the number {shown(given)}; give "
                    "one number for each label. For one weight a tuple use "
                    "LinearQuery.weighted(distribution, weights).",
                    Where("axis", axis=axis),
                )
            refuse_masked(given, f"contributions of tuple {axis}")
            try:
                values = plain_numbers(given, flags=True)
            except (TypeError, ValueError, OverflowError):
                values = np.empty(0)
            if values.ndim != 1 or values.size == 0:
                raise QueryError(
                    f"The contributions of tuple {axis} are not a list of numbers; "
                    "give one number for each label.",
                    Where("axis", axis=axis),
                )
            if not np.isfinite(values).all():
                position = int(np.argmin(np.isfinite(values)))
                raise QueryError(
                    f"The contribution of label {position} of tuple {axis} is {values[position]}; "
                    "it must be a finite number.",
                    Where("axis", axis=axis),
                )
            values = values + 0.0
            values.flags.writeable = False
            arrays.append(values)
        if not arrays:
            raise QueryError(
                "There are no contributions; give one list for each tuple.",
                Where("parameter", name="contributions"),
            )
        with np.errstate(over="ignore"):
            reach = float(sum(np.abs(values).max() for values in arrays))
        if not reach < 2.0**1022:
            raise QueryError(
                "The contributions are too large to be added; scale them down.",
                Where("parameter", name="contributions"),
            )
        object.__setattr__(self, "_contributions", tuple(arrays))
        object.__setattr__(self, "_name", str(name))

    @classmethod
    def sum(cls, distribution: JointDistribution | Network) -> LinearQuery:
        """Return the sum of the labels of a distribution.

        Raises
        ------
        QueryError
            A label is text.
        """
        _check_distribution(distribution)
        return cls._of_labels(distribution, [1.0] * distribution.n_tuples, "sum")

    @classmethod
    def mean(cls, distribution: JointDistribution | Network) -> LinearQuery:
        """Return the mean of the labels: contribution ``label / n`` for n tuples.

        Raises
        ------
        QueryError
            A label is text.

        Notes
        -----
        The mean with scale b / n leaks what the sum with scale b leaks.

        Examples
        --------
        >>> joint = JointDistribution([[0.5, 0], [0, 0.5]])
        >>> LinearQuery.mean(joint).contributions[0].tolist()
        [0.0, 0.5]
        """
        _check_distribution(distribution)
        n = distribution.n_tuples
        contributions = [
            [_label_number(label, axis, distribution) / n for label in domain]
            for axis, domain in enumerate(distribution.domains)
        ]
        return cls(contributions, name="mean")

    @classmethod
    def count(
        cls, distribution: JointDistribution | Network, what: Any, *, name: str | None = None
    ) -> LinearQuery:
        """Return the number of tuples with certain labels: contribution 1 for these, 0 for others.

        Parameters
        ----------
        distribution
            Gives the labels, which may be text.
        what
            What is counted: a predicate that is true or false for every label, one label, or a list of
            labels. ``{tuple: one of these}`` counts differently in every tuple, and nothing in tuples that
            are not named.
        name
            Short text for pictures; without it one that lists the labels.

        Raises
        ------
        QueryError
            A label is not one of the table, or the predicate raises or returns neither true nor false.
        DomainError
            A named tuple does not exist.

        Examples
        --------
        >>> joint = JointDistribution([[0.5, 0], [0, 0.5]], [["no", "yes"], [40, 70]], ["smokes", "age"])
        >>> [y.tolist() for y in LinearQuery.count(joint, "yes").contributions]
        [[0.0, 1.0], [0.0, 0.0]]
        >>> LinearQuery.count(joint, {"smokes": "yes", "age": lambda years: years > 65}).name
        'count of labels yes and 70'
        """
        _check_distribution(distribution)
        counted = chosen(distribution, what)
        return cls(counted, name=count_name(distribution, counted) if name is None else name)

    @classmethod
    def bin(
        cls,
        distribution: JointDistribution | Network,
        low: float,
        high: float,
        *,
        closed: bool = False,
        name: str | None = None,
    ) -> LinearQuery:
        """Return one bin of a histogram: the number of tuples whose label is in [low, high).

        A bin of named labels is ``LinearQuery.count(distribution, labels)``.

        Parameters
        ----------
        distribution
            Gives the labels, all of them numbers.
        low, high
            Edges; ``-math.inf`` and ``math.inf`` leave a side open.
        closed
            Count labels equal to ``high`` too, as numpy does in the last bin of a histogram.
        name
            Short text for pictures; without it one with the interval.

        Raises
        ------
        QueryError
            An edge is not a number, ``low`` is not below ``high``, or a label is text.

        Examples
        --------
        >>> joint = JointDistribution([0.25, 0.25, 0.5], [[20, 35, 50]])
        >>> LinearQuery.bin(joint, 20, 50).contributions[0].tolist()
        [1.0, 1.0, 0.0]
        >>> LinearQuery.bin(joint, 20, 50, closed=True).name
        'count in [20, 50]'
        """
        _check_distribution(distribution)
        counted = in_interval(distribution, low, high, closed)
        return cls(counted, name=interval_name(low, high, closed) if name is None else name)

    @classmethod
    def weighted(cls, distribution: JointDistribution | Network, weights: Sequence[float]) -> LinearQuery:
        """Return the weighted sum of the labels: contribution ``weights[j] * label``.

        Raises
        ------
        QueryError
            A weight is not finite, their number is not that of the tuples, or a label is text.

        Examples
        --------
        >>> joint = JointDistribution([[0.5, 0], [0, 0.5]])
        >>> LinearQuery.weighted(joint, [1, -2]).contributions[1].tolist()
        [0.0, -2.0]
        """
        return cls._of_labels(distribution, weights, "weighted sum")

    @classmethod
    def _of_labels(
        cls, distribution: JointDistribution | Network, weights: Sequence[float], name: str
    ) -> LinearQuery:
        _check_distribution(distribution)
        refuse_masked(weights, "weights")
        try:
            if isinstance(weights, str | bytes | set | frozenset):
                raise TypeError
            numbers = [plain_number(w) for w in weights]
        except (TypeError, ValueError, OverflowError):
            raise QueryError(
                "The weights are not a list of numbers.", Where("parameter", name="weights")
            ) from None
        n = distribution.n_tuples
        if len(numbers) != n:
            raise QueryError(
                f"There are {len(numbers)} weights for {n} tuples; give one weight for each tuple.",
                Where("parameter", name="weights"),
            )
        for axis, weight in enumerate(numbers):
            if not np.isfinite(weight):
                raise QueryError(
                    f"The weight of {short(distribution.names[axis])} is {weight}; it must be finite.",
                    Where("axis", axis=axis),
                )
        contributions = [
            [weight * _label_number(label, axis, distribution) for label in domain]
            for axis, (weight, domain) in enumerate(zip(numbers, distribution.domains, strict=True))
        ]
        return cls(contributions, name=name)

    @property
    def contributions(self) -> tuple[NDArray[np.float64], ...]:
        """Contribution of every label of every tuple, read-only."""
        return self._contributions

    @property
    def name(self) -> str:
        """Short text for pictures."""
        return self._name

    @property
    def local_sensitivities(self) -> NDArray[np.float64]:
        """Largest change of the query when one tuple changes, over its declared domain, shape (n,)."""
        return np.array([values.max() - values.min() for values in self._contributions])

    @property
    def global_sensitivity(self) -> float:
        """Largest local sensitivity."""
        return float(self.local_sensitivities.max())

    def values(self) -> NDArray[np.float64]:
        """Return f(x) for every row x, in the shape of the table.

        Raises
        ------
        LimitError
            The table would have too many axes or cells.
        """
        check_cells([values.size for values in self._contributions], "The table of values")
        total = self._contributions[0]
        for values in self._contributions[1:]:
            total = np.add.outer(total, values)
        return np.array(total, dtype=np.float64)

    def check_fits(self, distribution: JointDistribution | Network) -> None:
        """Raise QueryError unless there is one contribution for each label of a distribution."""
        _check_distribution(distribution)
        sizes = tuple(len(values) for values in self._contributions)
        if len(sizes) != distribution.n_tuples:
            raise QueryError(
                f"The query has contributions for {len(sizes)} tuples and the distribution has "
                f"{distribution.n_tuples}; give one list for each tuple.",
                Where("parameter", name="contributions"),
            )
        for axis, (have, want) in enumerate(zip(sizes, distribution.shape, strict=True)):
            if have != want:
                raise QueryError(
                    f"{short(distribution.names[axis])} has {want} labels and {have} contributions; "
                    "give one for each label.",
                    Where("axis", axis=axis),
                )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LinearQuery):
            return NotImplemented
        return (
            self._name == other._name
            and len(self._contributions) == len(other._contributions)
            and all(
                np.array_equal(a, b) for a, b in zip(self._contributions, other._contributions, strict=True)
            )
        )

    def __hash__(self) -> int:
        return hash((self._name, tuple(values.tobytes() for values in self._contributions)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, ([values.tolist() for values in self._contributions], self._name)

    def __repr__(self) -> str:
        listed = ", ".join(
            f"[{', '.join(f'{v:.12g}' for v in values[:6])}{', ...' if len(values) > 6 else ''}]"
            for values in self._contributions[:6]
        )
        more = ", ..." if len(self._contributions) > 6 else ""
        return f"LinearQuery([{listed}{more}], name={self._name!r})"


def as_linear(query: Any, called: str = "The query") -> LinearQuery:
    """Return a query, or raise TypeError; a name of one, as explorers take it, has no model to be about."""
    if isinstance(query, LinearQuery):
        return query
    if isinstance(query, str):
        raise TypeError(
            f"{called} is {shown(query)}, a name as explorers take it; give a LinearQuery, such as "
            "LinearQuery.sum(model)."
        )
    raise TypeError(f"{called} is a {type(query).__name__}; give a LinearQuery.")


def _restore(contributions: list[list[float]], name: str) -> LinearQuery:
    return LinearQuery(contributions, name=name)
