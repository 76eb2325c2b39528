"""What one report says at every budget: the points that decide are found once."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import EPSILON
from pdp_widgets.core.chart import Axis, Chart, Level, Series, curves, nats
from pdp_widgets.core.converters import MOST_POINTS, array_of, check_many, refuse_masked
from pdp_widgets.core.results import Figures, Result
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.local.hull import Fronts
from pdp_widgets.leakage.local.mechanism_reading import (
    SOURCE,
    Reading,
    as_mechanism,
    as_output,
    best_of,
    read,
)
from pdp_widgets.leakage.local.pair_leakage import Pair, PairLeakage, leakage_of_pair, pair_of
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.value import Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["LeakageCurve", "as_epsilons", "budget_chart", "budget_end", "leakage_curve"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LeakageCurve(ReadOnlyArrays, Result, NumberTable):
    """What the report of one attribute says about another, for several budgets.

    Parameters
    ----------
    pair
        The secret and the source.
    mechanism
        How the source is released; its own budget does not matter.
    output
        ``"raw"`` or ``"inferred"``.
    epsilons
        The budgets, in nats.

    Notes
    -----
    Its figure is ``"curves"``: the leakage by budget, beside the budget itself and the saturation.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> curve = leakage_curve([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]], GRR(1.0), [0.0, 1.0, 1000.0])
    >>> curve.values.round(6).tolist(), round(curve.saturation, 6)
    ([0.0, 0.32472, 0.916291], 0.916291)
    """

    pair: Pair
    mechanism: LocalMechanism
    output: Output
    epsilons: Floats

    @cached_property
    def values(self) -> Floats:
        """The leakages in nats, one for each budget, read-only."""
        found = self.evaluate(self.epsilons)
        found.setflags(write=False)
        return found

    @cached_property
    def saturation(self) -> float:
        """What leaks at an infinite budget, in nats; infinite where nothing bounds it."""
        return float(self.evaluate(np.array([np.inf]))[0])

    @property
    def source(self) -> str:
        """Paper and equation."""
        return SOURCE

    def evaluate(self, epsilons: ArrayLike) -> Floats:
        """Return the leakages at any budgets, without a new search.

        Examples
        --------
        >>> from pdp_widgets.mechanisms.local.unary_encoding import OUE
        >>> leakage_curve([[0.6, 0.4], [0.1, 0.9]], OUE(1.0)).evaluate([1.0, np.inf]).round(6).tolist()
        [0.549948, 1.791759]
        """
        levels = as_epsilons(epsilons)
        readings = [read(self.mechanism.with_epsilon(level), self.pair.k, self.output) for level in levels]
        found = np.zeros(len(readings))
        for kind in ("singletons", "all"):
            at = [i for i, reading in enumerate(readings) if reading.kind == kind]
            if at:
                front = self._symbol_front if kind == "singletons" else self._subset_front
                found[at] = front.values(np.array([readings[i].log_rho for i in at]))
        for i, reading in enumerate(readings):
            if reading.kind in ("exactly", "matrix"):
                found[i] = self._one(reading)
        return found

    def _one(self, reading: Reading) -> float:
        return float(best_of(self.pair.given, [reading]).value[0])

    @cached_property
    def _symbol_front(self) -> Fronts:
        return Fronts.singletons([self.pair.given.source(0)])

    @cached_property
    def _subset_front(self) -> Fronts:
        return Fronts.all_subsets([self.pair.given.source(0)])

    def at(self, epsilon: float) -> PairLeakage:
        """Return the leakage at one budget with its worst case."""
        return leakage_of_pair(self.pair, self.mechanism.with_epsilon(epsilon), self.output)

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one budget a row, in nats.

        Returns
        -------
        frame
            Columns ``epsilon``, ``leakage``, ``source``, ``secret``, ``mechanism`` and ``output``; the
            ``attrs`` say the ``unit``, the ``source``, the ``status`` and the ``saturation``.

        Examples
        --------
        >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
        >>> curve = leakage_curve([[0.6, 0.4], [0.1, 0.9]], GRR(1.0), [0.0, 1.0])
        >>> curve.to_dataframe()[["epsilon", "leakage"]].round(4).values.tolist()
        [[0.0, 0.0], [1.0, 0.5499]]
        """
        return super().to_dataframe()

    def _numbers(self) -> Numbers:
        secret, source = self.pair.names
        seen = "report" if self.output == "raw" else "guess"
        limit = "no limit" if np.isinf(self.saturation) else f"at most {nats(self.saturation)} at any budget"
        return Numbers(
            {
                "epsilon": self.epsilons,
                "leakage": self.values,
                "source": source,
                "secret": secret,
                "mechanism": self.mechanism.name,
                "output": self.output,
            },
            {"epsilon": "parameter", "leakage": "nats"},
            {
                "unit": "nats",
                "source": self.source,
                "status": {"leakage": "exact"},
                "saturation": self.saturation,
            },
            (f"{secret}, from the {seen} of {source} by {self.mechanism.name}", limit),
        )

    def _figures(self) -> Figures:
        return {"curves": self._chart}

    def _chart(self) -> Chart:
        """Return the leakage at every budget, with its limit where that is near."""
        levels, first = np.unique(self.epsilons, return_index=True)
        values = self.values[first]
        if not (np.isfinite(levels) & np.isfinite(values)).any():
            raise DomainError(
                "The curve has no point with a finite budget and leakage; give finite budgets.",
                Where("parameter", name="epsilons"),
            )
        secret, source = self.pair.names
        raw = self.output == "raw"
        seen = "raw reports, exact" if raw else "guesses, a lower bound for raw reports"
        return budget_chart(
            f"What the {'report' if raw else 'guess'} of {source} leaks about {secret}",
            levels,
            {f"{self.mechanism.label}, {seen}": (values, self.saturation)},
            note=f"Leakage with an infinite budget: {nats(self.saturation)}." if levels[-1] == np.inf else "",
        )

    def __repr__(self) -> str:
        secret, source = self.pair.names
        return (
            f"LeakageCurve({source!r} about {secret!r}, {self.mechanism.name}, {self.output}, "
            f"{len(self.epsilons)} budgets)"
        )


def as_epsilons(epsilons: ArrayLike | None, around: float = 1.0) -> Floats:
    """Return checked budgets, read-only; without any, 101 from 0 to five, or to twice one that is larger."""
    if epsilons is None:
        found = np.linspace(0.0, max(5.0, 2 * around) if np.isfinite(around) else 10.0, 101)
    else:
        refuse_masked(epsilons, "epsilons")
        given = np.atleast_1d(array_of(epsilons)).ravel()
        check_many(given.size, MOST_POINTS, "epsilons")
        found = np.array([EPSILON.take(value, "epsilons") for value in given], dtype=np.float64)
    found.setflags(write=False)
    return found


def budget_chart(
    title: str,
    levels: Floats,
    rows: Mapping[str, tuple[Floats, float]],
    here: Sequence[Level] = (),
    note: str = "",
) -> Chart:
    """Return leakages by budget, with the promise, and the limits of those that come near theirs."""
    top = float(max(values[np.isfinite(values)].max(initial=0.0) for values, _ in rows.values()))
    near = {name: limit for name, (_, limit) in rows.items() if limit < 1.5 * max(top, 1e-12)}
    limits = [Level(f"limit, {name}", limit, colour="ink2") for name, limit in near.items()]
    if len(set(near.values())) == 1:
        limits = [Level("limit at a large budget", next(iter(near.values())), colour="ink2")]
    # The promise ends where the leakages do: it is beside the point above. Where nothing leaks it is all.
    reach = min(float(levels[np.isfinite(levels)][-1]), max([top, *near.values()]) or math.inf)
    return Chart(
        title,
        [
            Series("promise ε", [0.0, reach], [0.0, reach], colour="promise", dashes="dashed"),
            *curves(levels, [(name, values) for name, (values, _) in rows.items()]),
        ],
        Axis("budget ε, nats", low=0.0),
        Axis("leakage, nats", low=0.0),
        [*limits, *here],
        note,
    )


def leakage_curve(
    table: AttributeTable | JointDistribution | ArrayLike,
    mechanism: LocalMechanism | str,
    epsilons: ArrayLike | None = None,
    output: Output = "raw",
    *,
    conditional: bool = False,
    min_count: float = 0,
    names: Sequence[str] | None = None,
    secret: str | int | None = None,
    source: str | int | None = None,
    domains: Sequence[Sequence[Any]] | None = None,
) -> LeakageCurve:
    """Return what the report of a source says about a secret, for several budgets.

    Parameters
    ----------
    table, output, conditional, min_count, names, secret, source, domains
        As for `pair_leakage`.
    mechanism
        How the source is released: a mechanism, whose own budget does not matter, or the name of one.
    epsilons
        The budgets; without them 101 from 0 to 5 nats or more.

    Raises
    ------
    BudgetError
        A budget is negative, or the mechanism has none of its own.

    Notes
    -----
    The sorted prefixes of Algorithm 2 do not depend on the budget: one sort serves all.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.local.finite_channel import AnyMechanism
    >>> curve = leakage_curve([[0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4]], AnyMechanism(1.0), [0.5, 1, 2])
    >>> curve.values.round(4).tolist()
    [0.1966, 0.374, 0.7745]
    """
    chosen = as_mechanism(mechanism, any_budget=True)
    pair = pair_of(
        table,
        conditional=conditional,
        min_count=min_count,
        names=names,
        secret=secret,
        source=source,
        domains=domains,
    )
    return LeakageCurve(pair, chosen, as_output(output), as_epsilons(epsilons, chosen.epsilon))


def budget_end(epsilon: float) -> float:
    """Return where an axis of budgets ends that marks one: at 4, or a round number above a larger one."""
    if not math.isfinite(epsilon):
        return 10.0
    if epsilon <= 3.8:
        return 4.0
    # Divided first: the largest floats must not overflow.
    power = 10.0 ** math.floor(math.log10(epsilon) + math.log10(1.05))
    least = epsilon / power * 1.05
    end = next((step * power for step in (1.0, 2.0, 4.0, 5.0, 8.0, 10.0) if step >= least), 10.0 * power)
    return min(end, sys.float_info.max)
