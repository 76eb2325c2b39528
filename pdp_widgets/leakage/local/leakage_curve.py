"""What one report says at every budget: the points that decide are found once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.leakage.local.given_mechanisms import as_mechanism
from pdp_widgets.leakage.local.hull import Fronts
from pdp_widgets.leakage.local.mechanism_reading import SOURCE, Reading, as_output, best_of, read
from pdp_widgets.leakage.local.pair_leakage import Pair, PairLeakage, leakage_of_pair, pair_of
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.value import Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.parameters import as_epsilon
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.figure_file import FigureFile
from pdp_widgets.models.given_numbers import refuse_masked
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["LeakageCurve", "as_epsilons", "leakage_curve"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LeakageCurve(ReadOnlyArrays, FigureFile, NumberTable):
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
        limit = (
            "no limit" if np.isinf(self.saturation) else f"at most {self.saturation:.6g} nats at any budget"
        )
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

    def plot(self) -> Any:
        """Return a bqplot figure: leakage by budget, with the promise and the saturation."""
        from pdp_widgets.widgets.local_figures import plot_leakage_curve

        return plot_leakage_curve(self)

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
        given = np.atleast_1d(np.asarray(epsilons, dtype=object)).ravel()
        found = np.array([as_epsilon(value, "epsilons") for value in given], dtype=np.float64)
    found.setflags(write=False)
    return found


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
    >>> from pdp_widgets.mechanisms.local.any_mechanism import AnyMechanism
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
