"""Leakage of all adversaries as estimates: intervals when the joint distribution came from counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from copy import deepcopy
from functools import partial
from itertools import product
from math import inf, isnan, prod
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import SECONDS
from pdp_widgets.core.chart import Axis, Chart, Series, number
from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import as_generator, refuse_masked
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.core.results import Figures, Result
from pdp_widgets.errors import AdversaryError, LimitError, Where
from pdp_widgets.leakage.adversary import Adversary, column, known_of, listed_tuples
from pdp_widgets.leakage.drawn_tables import BOUNDED, Method, Sampling, drawn_tables, sampling
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.prior.exact_all import instance_positions
from pdp_widgets.leakage.prior.exact_node import PriorAdversary, check_kinds, prior_leakage
from pdp_widgets.leakage.prior.uncertainty import DrawnLeakage, largest, quantiles
from pdp_widgets.leakage.result_frames import node_columns
from pdp_widgets.leakage.sweeps import as_executor, in_parts, swept
from pdp_widgets.leakage.value import About, Convention, Leakage, check_convention
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label

__all__ = ["LeakageIntervals", "leakage_intervals"]

Floats = NDArray[np.float64]

_MOST_TUPLES = 8
#: Adversaries that a figure has room for: those who may learn most.
_MOST_DRAWN = 24
# One adversary with one combination of known values: a start, and the work on every table and every cell.
_SECONDS_PER_COMBINATION = 2e-4
_SECONDS_PER_TABLE = 1e-6
_SECONDS_PER_NUMBER = 6e-9
_SECONDS_PER_DRAWN = 1e-7


class LeakageIntervals(Immutable, Result, NumberTable):
    """Leakage of every adversary under tables that the counts make plausible.

    Made by `leakage_intervals`. Node arrays have shape (n, 2**(n-1)), see `pdp_widgets.leakage.adversary`.

    Parameters
    ----------
    names
        Names of the tuples.
    value, low, high
        Node arrays in nats: leakage under the empirical table, and the ends of the interval (NaN where the
        known values occur in no drawn table).
    without
        Node array: share of drawn tables in which the known values do not occur; they are left out.
    determined
        Node array: the empirical table and the tables inside the interval leave one label.
    known
        Label of every tuple in the row whose values are known, or None with convention ``"sup"``.
    how
        How tables were drawn.

    Examples
    --------
    >>> from pdp_widgets import LinearQuery, lsat6
    >>> joint = lsat6().marginal(["item 1", "item 5"])
    >>> found = leakage_intervals(joint, LaplaceMechanism(LinearQuery.sum(joint), scale=1), rng=1)
    >>> isinstance(found, LeakageIntervals), bool((found.low <= found.high).all())
    (True, True)
    """

    __slots__ = ("_arrays", "_determined", "_how", "_known", "_names")

    _names: tuple[str, ...]
    _arrays: tuple[Floats, Floats, Floats, Floats]
    _determined: NDArray[np.bool_]
    _known: tuple[Label, ...] | None
    _how: Sampling

    def __init__(
        self,
        names: Iterable[str],
        value: ArrayLike,
        low: ArrayLike,
        high: ArrayLike,
        without: ArrayLike,
        determined: ArrayLike,
        known: Iterable[Label] | None,
        how: Sampling,
    ) -> None:
        self._begin()
        for given in (value, low, high, without, determined):
            refuse_masked(given, "leakages")
        arrays = tuple(np.array(a, dtype=np.float64) for a in (value, low, high, without))
        fixed = np.array(determined, dtype=np.bool_)
        for array in (*arrays, fixed):
            array.flags.writeable = False
        for slot, part in (
            ("_names", tuple(names)),
            ("_arrays", arrays),
            ("_determined", fixed),
            ("_known", None if known is None else tuple(known)),
            ("_how", how),
        ):
            object.__setattr__(self, slot, part)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the tuples."""
        return self._names

    @property
    def value(self) -> Floats:
        """Leakage under the empirical table in nats, node array, read-only."""
        return self._arrays[0]

    @property
    def low(self) -> Floats:
        """Lower ends of the intervals in nats, node array, read-only."""
        return self._arrays[1]

    @property
    def high(self) -> Floats:
        """Upper ends of the intervals in nats, node array, read-only."""
        return self._arrays[2]

    @property
    def without(self) -> Floats:
        """Share of drawn tables in which the known values do not occur, node array, read-only."""
        return self._arrays[3]

    @property
    def determined(self) -> NDArray[np.bool_]:
        """Whether nothing is left to learn, in the empirical table and inside the interval, read-only."""
        return self._determined

    @property
    def instance(self) -> tuple[Label, ...] | None:
        """The row whose values are known; None with convention ``"sup"``."""
        return self._known

    @property
    def convention(self) -> Convention:
        """``"instance"`` or ``"sup"``."""
        return "sup" if self._known is None else "instance"

    @property
    def level(self) -> float:
        """Share of the drawn leakages inside an interval."""
        return self._how.level

    @property
    def draws(self) -> int:
        """Number of drawn tables."""
        return self._how.draws

    @property
    def method(self) -> Method:
        """``"dirichlet"`` or ``"bootstrap"``."""
        return self._how.method

    @property
    def how(self) -> str:
        """How the intervals were made, in words."""
        return self._how.in_words(0.0)

    def node(self, target: str | int, known: Iterable[str | int] = ()) -> Leakage:
        """Return one adversary's leakage as an estimate with its interval.

        Raises
        ------
        AdversaryError
            A tuple does not exist, is known twice, or is both attacked and known.
        """
        adversary = Adversary(self._axis(target), tuple(map(self._axis, listed_tuples(known))))
        at = adversary.target, column(len(self._names), adversary.target, adversary.known)
        value, low, high, without = (float(array[at]) for array in self._arrays)
        values = self._known
        return Leakage(
            value=value,
            status="estimate",
            about=About(
                self._names[adversary.target],
                tuple((self._names[k], None if values is None else values[k]) for k in adversary.known),
            ),
            convention=self.convention,
            source=f"Li, Ren, Yang and Yang, Eq. 2; {self._how.in_words(without, value, low, high, inf)}",
            determined=bool(self._determined[at]),
            interval=None if isnan(low) else (low, high),
        )

    def _axis(self, tuple_: str | int) -> int:
        if isinstance(tuple_, str) and tuple_ in self._names:
            return self._names.index(tuple_)
        n = len(self._names)
        if is_whole(tuple_) and 0 <= tuple_ < n:
            return int(tuple_)
        raise AdversaryError(
            f"There is no tuple {tuple_!r}; give a name or a position from 0 to {n - 1}.",
            Where("parameter", name="target"),
        )

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one adversary a row, in nats.

        Columns: ``target``, ``known`` (names joined by a comma), ``layer``, ``value``, ``low``, ``high``,
        ``without`` and ``determined``.
        """
        return super().to_dataframe()

    def _numbers(self) -> Numbers:
        columns = node_columns(
            self._names,
            {
                "value": self.value,
                "low": self.low,
                "high": self.high,
                "without": self.without,
                "determined": self._determined,
            },
        )
        given = "worst known values that can occur"
        if self._known is not None:
            pairs = zip(self._names, self._known, strict=True)
            given = f"known values of the row {', '.join(f'{name} = {label}' for name, label in pairs)}"
        status = dict.fromkeys(("value", "low", "high"), "estimate")
        return Numbers(
            columns,
            {"target": "text", "known": "names", "value": "nats", "low": "nats", "high": "nats"},
            {"unit": "nats", "source": self.how, "status": status},
            (self.how, given),
            tuple(np.argsort(-self.value.ravel(), kind="stable").tolist()),
        )

    def _figures(self) -> Figures:
        return {"intervals": self._chart}

    def _chart(self) -> Chart:
        """Return the estimates of the adversaries who may learn most, with their intervals."""
        values, lows, highs = (array.ravel() for array in (self.value, self.low, self.high))
        order = np.argsort(-np.where(np.isnan(highs), values, highs), kind="stable")
        drawn = order[:_MOST_DRAWN]
        n, wide = self.value.shape
        names = []
        for flat in drawn.tolist():
            target, at = divmod(flat, wide)
            known = ", ".join(self._names[k] for k in known_of(n, target, at)) or "none"
            names.append(f"{self._names[target]}, knowing {known}")
        notes = [f"Discs: from the table of counts. Bars: {self.how}."]
        if drawn.size < order.size:
            notes.append(f"The {drawn.size} of {order.size:,} adversaries who may learn most.")
        places = np.arange(drawn.size, dtype=np.float64)
        return Chart(
            "Leakage as an estimate",
            [
                Series(
                    f"estimate with its {number(100 * self.level)} % interval",
                    values[drawn],
                    places,
                    "dots",
                    low=lows[drawn],
                    high=highs[drawn],
                )
            ],
            Axis("leakage, nats"),
            Axis("", names=tuple(names)),
            note=" ".join(notes),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LeakageIntervals):
            return NotImplemented
        return (
            (self._names, self._known, self._how) == (other._names, other._known, other._how)
            and all(
                np.array_equal(a, b, equal_nan=True) for a, b in zip(self._arrays, other._arrays, strict=True)
            )
            and bool(np.array_equal(self._determined, other._determined))
        )

    def __hash__(self) -> int:
        return hash((self._names, self._known, self._how, self.value.tobytes(), self.high.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._names, *self._arrays, self._determined, self._known, self._how)

    def __repr__(self) -> str:
        return f"LeakageIntervals({', '.join(self._names)}: {self.how})"


def leakage_intervals(
    distribution: JointDistribution,
    mechanism: LaplaceMechanism,
    instance: Sequence[Any] | None = None,
    convention: Convention = "instance",
    *,
    method: Method = "dirichlet",
    level: float = 0.95,
    draws: int = 1000,
    prior: str | float = BOUNDED,
    zeros: Literal["possible", "structural"] = "possible",
    rng: np.random.Generator | int | None = None,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
) -> LeakageIntervals:
    """Return the leakage of every adversary as an estimate, with intervals for what the counts leave open.

    Every table is drawn once and serves all adversaries: with the same seed each of them gets the interval of
    `leakage_interval` (in tables of up to 1,024 cells). The intervals hold for each adversary by itself, not
    for all of them at the same time, and not for a truth on the edge, see `leakage_interval`.

    Parameters
    ----------
    distribution
        A distribution made from counts, of at most 8 tuples.
    mechanism
        The release.
    instance
        One row of labels: the known values are those of this row. Without it the most frequent row.
    convention
        ``"instance"``, or ``"sup"``: the largest leakage over all known values that can occur.
    method, draws, prior, zeros, rng
        As for `drawn_tables`.
    level
        Share of the drawn leakages inside an interval; as many lie below it as above.
    limit
        Seconds: refuse what would take longer by an estimate, and end what does; ``math.inf`` to go ahead.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.
    executor
        Whose workers compute, such as ``ProcessPoolExecutor()``, or what ``client.get_executor()`` of Dask
        returns; without it this process. The numbers do not depend on it. A worker that is lost is an error.

    Raises
    ------
    TableError
        The distribution does not come from counts, or a parameter is not offered.
    InstanceError
        The row is not one of the table or has no records.
    LimitError
        There are more than 8 tuples, or the work exceeds the limit.
    AdversaryError, QueryError
        The convention is not offered; the contributions do not fit the distribution.

    Examples
    --------
    >>> from pdp_widgets import LinearQuery, lsat6
    >>> joint = lsat6().marginal(["item 1", "item 5"])
    >>> found = leakage_intervals(joint, LaplaceMechanism(LinearQuery.sum(joint), scale=1), rng=1)
    >>> found.low.round(2).tolist(), found.high.round(2).tolist()
    ([[0.97, 1.0], [0.98, 1.0]], [[1.16, 1.0], [1.11, 1.0]])
    """
    how, workers = sampling(distribution, method, level, draws, prior, zeros), as_executor(executor)
    check_kinds(distribution, mechanism)
    check_convention(convention)
    row = instance_positions(distribution, instance)
    sup = convention == "sup"
    _refuse_beyond(SECONDS.take(limit, "limit"), distribution.shape, how.draws, sup)
    n = distribution.n_tuples
    draw = partial(drawn_tables, distribution, method=method, draws=draws, prior=prior, zeros=zeros)
    tables = _Tables(draw, as_generator(rng))
    hook = timed(progress, limit, f"The intervals from {how.draws:,} tables", "Ask for fewer draws.")
    nodes = [(i, c) for i in range(n) for c in range(1 << (n - 1))]
    told = Progress(hook, len(nodes))
    found = partial(_of_nodes, distribution, mechanism, row, sup, tables, how.level)
    numbers = np.concatenate(swept(found, in_parts(nodes, workers), workers, told))
    value, low, high, without, determined = numbers.T.reshape(5, n, -1)
    told.finish()
    labels = tuple(d[p] for d, p in zip(distribution.domains, row, strict=True))
    return LeakageIntervals(
        distribution.names, value, low, high, without, determined > 0, None if sup else labels, how
    )


class _Tables:
    """Drawn tables; who sends them sends how they are drawn, for a worker to draw the same ones."""

    def __init__(self, draw: Callable[..., Floats], rng: np.random.Generator) -> None:
        self._draw, self._rng = draw, deepcopy(rng)
        self._drawn: Floats | None = draw(rng=rng)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_drawn": None}

    def drawn(self) -> Floats:
        """Return the tables, shape (draws, labels of tuple 1, ..., of tuple n)."""
        if self._drawn is None:
            self._drawn = self._draw(rng=deepcopy(self._rng))
        return self._drawn


def _of_nodes(
    distribution: JointDistribution,
    mechanism: LaplaceMechanism,
    row: tuple[int, ...],
    sup: bool,
    tables: _Tables,
    level: float,
    nodes: Sequence[tuple[int, int]],
    told: Progress,
) -> Floats:
    """Return value, low, high, share without and whether determined, one adversary a row."""
    found = np.empty((len(nodes), 5))
    contributions, scale = mechanism.query.contributions, mechanism.scale
    for place, (i, c) in enumerate(nodes):
        known = known_of(distribution.n_tuples, i, c)
        choices = [range(distribution.shape[k]) if sup else (row[k],) for k in known]
        slices = [
            DrawnLeakage(contributions, scale, i, dict(zip(known, values, strict=True)))
            for values in product(*choices)
        ]
        exact = (
            prior_leakage(distribution, mechanism, i, known, convention="sup")
            if sup
            else PriorAdversary._at(
                distribution, mechanism, Adversary(i, known), {k: row[k] for k in known}
            ).leakage
        )
        low, high, without = quantiles(*largest(slices, tables.drawn(), told), level)
        found[place] = exact.value, low, high, without, exact.determined and high == 0
        told.step()
    return found


def _refuse_beyond(limit: float, shape: tuple[int, ...], draws: int, sup: bool) -> None:
    n = len(shape)
    if n > _MOST_TUPLES:
        raise LimitError(
            f"{n} tuples have {n << (n - 1):,} adversaries, each to be computed for {draws:,} tables. The "
            f"limit is {_MOST_TUPLES} tuples; take a marginal, or ask leakage_interval for one adversary.",
            Where("parameter", name="distribution"),
        )
    combinations, numbers = 0.0, 0.0
    for i in range(n):
        rest = [d for j, d in enumerate(shape) if j != i]
        combinations += prod(1.0 + (d if sup else 1.0) for d in rest)
        numbers += shape[i] * prod(d + (d if sup else 1.0) for d in rest)
    seconds = combinations * (_SECONDS_PER_COMBINATION + draws * _SECONDS_PER_TABLE)
    cells = prod(shape)
    seconds += draws * (numbers * _SECONDS_PER_NUMBER + cells * _SECONDS_PER_DRAWN)
    if seconds > limit:
        raise LimitError(
            f"{n} tuples with {draws:,} tables take about {seconds:,.0f} s and "
            f"{8e-9 * cells * draws:,.1f} GB. The limit is {limit:g} s; ask for fewer draws.",
            Where("parameter", name="draws"),
            call="limit=math.inf goes ahead.",
        )
