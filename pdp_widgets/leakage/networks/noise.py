"""Mechanisms beside each other: the scale each asks for, for whom it keeps the promise, and what leaks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import nats, number
from pdp_widgets.core.progress import Progress
from pdp_widgets.errors import ChainError
from pdp_widgets.leakage.networks.influence import is_chain
from pdp_widgets.leakage.networks.laws import Lattice
from pdp_widgets.leakage.networks.quilts import approximate_quilts, markov_quilts
from pdp_widgets.leakage.networks.scales import (
    KnowingNone,
    group_reach,
    least_scale,
    noiseless_of_anyone,
    scale_against_anyone,
)
from pdp_widgets.leakage.networks.values import EXACT_SOURCE, worst_leakage
from pdp_widgets.leakage.networks.wasserstein import wasserstein_distances
from pdp_widgets.leakage.networks.worst import Search
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.prior.calibration import NoiseErrors
from pdp_widgets.leakage.target_leakage import scale_for
from pdp_widgets.leakage.value import About, Leakage
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.networks.bayesian_network import BayesianNetwork
from pdp_widgets.models.networks.network import Network

__all__ = ["NoiseRow", "NoiseSearch", "NoiseTable"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NoiseRow(NoiseErrors):
    """One mechanism: its scale, for whom it keeps the promise, and what leaks at it.

    Parameters
    ----------
    scale
        Scale of the Laplace noise in units of the query; 0 for no noise.
    name
        ``"entry"``, ``"group"``, ``"approximate quilts"``, ``"quilts"``, ``"quilts as printed"``,
        ``"wasserstein"``, ``"least"`` or ``"least for anyone"``.
    keeps
        For whom it keeps the promise, in words.
    none
        Largest exact leakage to those who know nothing.
    anyone
        Largest leakage to anyone, exact or with the interval it lies in; None where it was not asked for.

    Examples
    --------
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery
    >>> from pdp_widgets.networks import BayesianNetwork, NetworkAnalysis
    >>> net = BayesianNetwork.chain([[0.8, 0.2], [0.2, 0.8]], 5)
    >>> analysis = NetworkAnalysis(net, LaplaceMechanism(LinearQuery.sum(net), 1))
    >>> row = analysis.least_scale(1.0)
    >>> round(row.scale, 4), row.keeps
    (2.8846, 'those who know nothing')
    """

    scale: float
    name: str
    keeps: str
    none: Leakage
    anyone: Leakage | None


@dataclass(frozen=True, repr=False)
class NoiseTable(NumberTable):
    """Mechanisms beside each other; prints as a table.

    Parameters
    ----------
    epsilon
        The promise in nats.
    rows
        One row a mechanism.
    left_out
        Why a mechanism has no row, in words.

    Examples
    --------
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery
    >>> from pdp_widgets.networks import BayesianNetwork, NetworkAnalysis
    >>> net = BayesianNetwork.chain([[0.8, 0.2], [0.2, 0.8]], 5)
    >>> analysis = NetworkAnalysis(net, LaplaceMechanism(LinearQuery.sum(net), 1))
    >>> table = analysis.compare_noise(1.0, anyone=False)
    >>> table["group"].scale, table["entry"].none.value > 1.0
    (5.0, True)
    """

    epsilon: float
    rows: tuple[NoiseRow, ...]
    left_out: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> NoiseRow:
        """Return the row of one mechanism."""
        found = next((row for row in self.rows if row.name == name), None)
        if found is None:
            raise KeyError(
                f"There is no row {name!r}; the rows are {', '.join(row.name for row in self.rows)}."
            )
        return found

    def _numbers(self) -> Numbers:
        rows = self.rows
        columns: dict[str, Any] = {
            "mechanism": [row.name for row in rows],
            "scale": np.array([row.scale for row in rows]),
            "expected_absolute_error": np.array([row.expected_absolute_error for row in rows]),
            "knowing_none": np.array([row.none.value for row in rows]),
        }
        written: dict[str, Any] = {"mechanism": "text", "scale": "upper", "knowing_none": "nats"}
        status = {"knowing_none": "exact"}
        if all(row.anyone is not None for row in rows):
            columns["anyone"] = np.array([row.anyone.value for row in rows if row.anyone is not None])
            written["anyone"], status["anyone"] = "bound", "bound"
            if all(row.anyone.status == "exact" for row in rows if row.anyone is not None):
                status["anyone"] = "exact"
        columns["keeps"] = [row.keeps for row in rows]
        about = {"unit": "nats", "status": status, "source": EXACT_SOURCE, "epsilon": self.epsilon}
        return Numbers(columns, {**written, "keeps": "text"}, about, self.left_out)

    def __repr__(self) -> str:
        head = ("mechanism", "scale = mean |error|", "none learn", "anyone learns", "keeps the promise for")
        body = []
        for row in self.rows:
            cells = [self._marked(one) for one in (row.none, row.anyone)]
            body.append((row.name, number(row.scale, 5), *cells, row.keeps))
        widths = [max(len(line[k]) for line in (head, *body)) for k in range(len(head))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in (head, *body)
        ]
        return "\n".join(
            [f"Noise for at most {nats(self.epsilon)} (* more than that)", *lines, *self.left_out]
        )

    def _marked(self, leakage: Leakage | None) -> str:
        if leakage is None:
            return "not computed"
        value = number(leakage.value, 5) if leakage.interval is None else f"at most {leakage.value:.5g}"
        return f"{value}{' *' * (leakage.value > self.epsilon * (1 + 1e-9))}"


class NoiseSearch:
    """The scales of all mechanisms for one network, query and promise."""

    def __init__(
        self, network: Network, query: LinearQuery, lattice: Lattice, epsilon: float, told: Progress
    ) -> None:
        self._network, self._query, self._lattice = network, query, lattice
        self._epsilon, self._told = epsilon, told
        # Refused where scales would leave the floats.
        scale_for(group_reach(network, lattice), epsilon, "epsilon")
        self._none = KnowingNone(network, lattice, range(network.n_tuples), told)
        self._search = Search(network, lattice, 1.0, network.possible, None, told)

    def row(self, name: str, scale: float, keeps: str, anyone: bool) -> NoiseRow:
        """Return what leaks at a scale."""
        network, worst = self._network, None
        if scale == 0:
            none = Leakage(
                self._none.noiseless(), "exact", About("any tuple"), "sup", source="query without noise"
            )
            if anyone:
                worst = replace(none, value=noiseless_of_anyone(network, self._lattice))
            return NoiseRow(scale, name, keeps, none, worst)
        ratios = self._none.ratios(scale)
        i = max(range(len(ratios)), key=lambda j: ratios[j].value)
        none = Leakage(ratios[i].value, "exact", About(network.names[i]), "instance", source=EXACT_SOURCE)
        if anyone:
            targets = range(network.n_tuples)
            self._search.at(scale)
            found = self._search.cases(targets)
            top = max(targets, key=lambda j: found[j].upper)
            lower = max(one.lower for one in found)
            worst = worst_leakage(network, top, replace(found[top], lower=lower), "sup")
        return NoiseRow(scale, name, keeps, none, worst)

    def least(self, anyone: bool, with_anyone: bool) -> NoiseRow:
        """Return the least scale against those who know nothing, or against anyone."""
        exact = True
        if anyone:
            scale, exact = scale_against_anyone(self._search, self._epsilon)
        else:
            scale = self._least_of_none()
        keeps = "everyone" if anyone else _KNOWING_NONE
        keeps += "" if exact else "; enough, and perhaps not the least"
        return self.row("least for anyone" if anyone else "least", scale, keeps, with_anyone)

    def _least_of_none(self) -> float:
        group = group_reach(self._network, self._lattice) / self._epsilon
        if group == 0 or self._none.noiseless() <= self._epsilon:
            return 0.0
        return least_scale(lambda s: max(one.value for one in self._none.ratios(s)) > self._epsilon, group)

    def table(self, anyone: bool) -> NoiseTable:
        """Return all mechanisms, with what anyone learns where that is asked for."""
        network, query, epsilon = self._network, self._query, self._epsilon
        most = query.global_sensitivity
        group = group_reach(network, self._lattice)
        rows = [
            self.row("entry", most / epsilon, "independent tuples; those who know all others", anyone),
            self.row("group", group / epsilon, "everyone", anyone),
        ]
        left_out: list[str] = []
        # Parts of one computation: its own clock asks whether to go on.
        clock: dict[str, Any] = {"limit": inf, "progress": lambda _: self._told.wait()}
        moves = _one_move(network)
        if moves is not None and most > 0:
            try:
                scale = approximate_quilts(moves, network.n_tuples, epsilon, sensitivity=most, **clock).scale
                rows.append(self.row("approximate quilts", scale, _KNOWING_NONE, anyone))
            except ChainError as fault:
                left_out.append(f"approximate quilts: left out. {fault.plain}")
        quilts = markov_quilts(network, query, epsilon, **clock)
        distance = float(wasserstein_distances(self._none).max())
        rows.append(self.row("quilts", quilts.scale, _KNOWING_NONE, anyone))
        if is_chain(network) and network.n_tuples > 1:
            printed = markov_quilts(network, query, epsilon, convention="printed", **clock).scale
            if printed > quilts.scale * (1 + 1e-9):
                rows.append(self.row("quilts as printed", printed, _KNOWING_NONE, anyone))
        rows += [
            self.row("wasserstein", distance / epsilon, _KNOWING_NONE, anyone),
            self.least(anyone=False, with_anyone=anyone),
        ]
        if anyone:
            rows.append(self.least(anyone=True, with_anyone=True))
        return NoiseTable(epsilon, tuple(rows), (*left_out, *quilts.left_out))


_KNOWING_NONE = "those who know nothing"


def _one_move(network: Network) -> Floats | None:
    """Return the matrix of a chain whose steps are all alike, else None."""
    if not isinstance(network, BayesianNetwork) or not is_chain(network) or network.n_tuples < 2:
        return None
    moves = network.tables[1:]
    return moves[0] if all(np.array_equal(one, moves[0]) for one in moves) else None
