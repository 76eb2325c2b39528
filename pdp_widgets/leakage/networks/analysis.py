"""What every adversary learns about tuples of a network from one noisy number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf, prod
from typing import Any

import numpy as np

from pdp_widgets.core.amounts import BUDGET, INNER, as_size
from pdp_widgets.core.chart import Chart, number
from pdp_widgets.core.converters import as_flag, as_generator
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.core.results import Figures, Result
from pdp_widgets.errors import AdversaryError, InstanceError, LimitError, TableError, Where
from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.networks.laws import Lattice, Ratio, Rows, densities, largest_ratio, law_of
from pdp_widgets.leakage.networks.noise import NoiseRow, NoiseSearch, NoiseTable
from pdp_widgets.leakage.networks.scales import KnowingNone
from pdp_widgets.leakage.networks.tree_bounds import tree_upper
from pdp_widgets.leakage.networks.values import (
    EXACT_SOURCE,
    MOST_DRAWN,
    WORST_SOURCE,
    AboutNetwork,
    DominatingAdversary,
    QueryLaw,
    tuples_chart,
    worst_leakage,
)
from pdp_widgets.leakage.networks.worst import (
    Worst,
    adversaries_that_matter,
    dominating,
    tree_bounds,
    worst_cases,
)
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.value import About, Attained, Leakage, check_convention
from pdp_widgets.mechanisms.laplace import LaplaceMechanism, as_laplace
from pdp_widgets.models.labels import as_choice
from pdp_widgets.models.networks.bayesian_network import BayesianNetwork
from pdp_widgets.models.networks.elimination import Arithmetic, in_logs_too
from pdp_widgets.models.networks.network import Network

__all__ = ["NetworkAnalysis"]

#: Combinations of known values that are gone through.
_MOST_VALUES = 4096


class NetworkAnalysis(Result, NumberTable):
    """Exact leakage in large structured models, without a joint table.

    Parameters
    ----------
    network
        A `BayesianNetwork` or `MarkovNetwork`.
    mechanism
        The release: an additive query with Laplace noise, or with whole-number noise of a
        `GeometricMechanism`, which leaks the same.

    Raises
    ------
    QueryError
        The contributions do not fit the network.
    LimitError
        The query has more than 20,000 steps.

    Notes
    -----
    The law of the query given a label and known values comes from variable elimination with polynomial
    messages. Who learns most is mostly neither who knows nothing nor who knows all the others: `worst` finds
    him. Its table and its figure, ``"tuples"``, say what those learn who know nothing, and what nobody
    exceeds.

    Examples
    --------
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery
    >>> from pdp_widgets.networks import BayesianNetwork, NetworkAnalysis
    >>> net = BayesianNetwork.chain([[0.9, 0.1], [0.1, 0.9]], 100)
    >>> analysis = NetworkAnalysis(net, LaplaceMechanism(LinearQuery.sum(net), 1))
    >>> print(analysis.node("step 50"))
    4.49945 nats (exact): step 50, knowing none
    >>> found = analysis.worst("step 50")
    >>> round(found.value, 4), [name for name, _ in found.about.known]
    (5.2207, ['step 44', 'step 56'])
    """

    def __init__(self, network: Network, mechanism: LaplaceMechanism) -> None:
        if not isinstance(network, Network):
            raise TypeError(
                f"The network is a {type(network).__name__}; give a BayesianNetwork, such as "
                "BayesianNetwork.chain(chain, 100), or a MarkovNetwork."
            )
        self._network, self._mechanism = network, as_laplace(mechanism)
        mechanism.query.check_fits(network)
        self._lattice = Lattice.of(mechanism.query)

    @property
    def network(self) -> Network:
        """The model."""
        return self._network

    @property
    def mechanism(self) -> LaplaceMechanism:
        """The release."""
        return self._mechanism

    @property
    def promise(self) -> float:
        """What differential privacy promises for one tuple: GS / scale, in nats."""
        return self._mechanism.promise

    @property
    def _decay(self) -> float:
        return self._lattice.step / self._mechanism.scale

    def _targets(self, targets: Iterable[str | int] | None) -> list[int]:
        return list(range(self._network.n_tuples)) if targets is None else self._network.axes(targets)

    def _told(self, progress: ProgressHook | None, limit: float, steps: int, work: str) -> Progress:
        return Progress(timed(progress, limit, work, "Take fewer tuples."), max(1, steps))

    # One adversary

    def law(
        self,
        target: str | int,
        known: Mapping[Any, Any] | None = None,
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> QueryLaw:
        """Return the laws of the query given each label of a tuple, and known labels.

        Parameters
        ----------
        target, known
            One adversary, as for `node` with values.
        limit, progress
            As for `node`.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery
        >>> from pdp_widgets.networks import BayesianNetwork, NetworkAnalysis
        >>> net = BayesianNetwork.chain([[0.9, 0.1], [0.4, 0.6]], 3)
        >>> law = NetworkAnalysis(net, LaplaceMechanism(LinearQuery.sum(net), 1)).law("step 2", {"step 1": 1})
        >>> law.values.tolist(), law.probabilities.round(3).tolist()
        ([1.0, 2.0, 3.0], [[0.9, 0.1, 0.0], [0.0, 0.4, 0.6]])
        """
        adversary = Adversary.of(self._network, target, () if known is None else list(known))
        evidence = self._network.as_known({} if known is None else known)
        told = self._told(progress, limit, 1, "The law")
        rows = in_logs_too(
            lambda ring: law_of(
                self._network, self._lattice, adversary.target, evidence, ring, exact=True, told=told
            )
        )
        told.finish()
        assert rows.reached is not None
        reached = rows.reached[rows.feasible].any(axis=0)
        domain = self._network.domains[adversary.target]
        return QueryLaw(
            tuple(domain[int(v)] for v in np.flatnonzero(rows.feasible)),
            np.asarray(self._lattice.least + self._lattice.step * (np.flatnonzero(reached) + rows.first)),
            np.exp(rows.logs[rows.feasible][:, reached]),
        )

    def _ratio(self, target: int, known: Mapping[int, int], told: Progress) -> tuple[Ratio, Rows]:
        def compute(ring: Arithmetic) -> tuple[Ratio, Rows]:
            rows = law_of(self._network, self._lattice, target, known, ring, told=told)
            return largest_ratio(
                densities(rows.values, self._decay, ring, rows.feasible), rows.feasible
            ), rows

        return in_logs_too(compute)

    def node(
        self,
        target: str | int,
        known: Mapping[Any, Any] | Iterable[str | int] = (),
        *,
        convention: str | None = None,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> Leakage:
        """Return the exact leakage about one tuple to one adversary.

        Parameters
        ----------
        target
            The attacked tuple.
        known
            Labels by tuple; or tuples alone, for the largest leakage over all their values that can occur.
        convention
            ``"instance"`` for the first, ``"sup"`` for the second; it follows from ``known``.
        limit
            Seconds, after which it is ended; ``math.inf`` for no limit.
        progress
            Called now and then with the share done, at last with 1.0. What it raises cancels.

        Raises
        ------
        AdversaryError
            The target is known, or a tuple does not exist or is known twice.
        InstanceError
            The known values cannot occur, or a label is none of its tuple's.
        LimitError
            The known tuples have more than 4,096 combinations of values that can occur.
        """
        given = known if isinstance(known, Mapping) else None
        adversary = Adversary.of(self._network, target, list(known) if given is not None else known)
        asked = convention or ("sup" if given is None and adversary.known else "instance")
        check_convention(asked)
        if asked == "instance" and given is None and adversary.known:
            raise AdversaryError(
                "Tuples are known without their values; give {tuple: label}, or convention 'sup'.",
                Where("parameter", name="known"),
            )
        if asked == "sup" and given:
            raise AdversaryError(
                "Known tuples come with values, and convention 'sup' goes through all; name them alone.",
                Where("parameter", name="known"),
            )
        names, domains = self._network.names, self._network.domains
        told = self._told(progress, limit, 1, "The leakage")
        if asked == "instance":
            evidence = self._network.as_known(given or {})
            listed: Iterable[dict[int, int]] = [evidence]
        else:
            listed = self._values_of(adversary.known, told)
        best: tuple[Ratio, Rows, dict[int, int]] | None = None
        for values in listed:
            ratio, rows = self._ratio(adversary.target, values, told)
            better = best is None or ratio.value > best[0].value
            if better or (best is not None and best[1].determined and not rows.determined):
                best = ratio, rows, values
            told.wait()
        assert best is not None
        told.finish()
        ratio, rows, values = best
        found = tuple((names[k], domains[k][values[k]]) for k in adversary.known)
        stated = found if asked == "instance" else tuple((name, None) for name, _ in found)
        leakage = self._leakage(adversary.target, ratio, rows, asked)
        attained = leakage.attained
        if attained is not None and asked == "sup":
            attained = replace(attained, known=found)
        return replace(leakage, about=About(names[adversary.target], stated), attained=attained)

    def _leakage(self, target: int, ratio: Ratio, rows: Rows, convention: str = "instance") -> Leakage:
        name, domain = self._network.names[target], self._network.domains[target]
        attained = None
        if not rows.determined:
            pair = domain[ratio.more], domain[ratio.less]
            side: Any = "<=" if ratio.steps == 0 else ">=" if ratio.steps == rows.values.shape[1] - 1 else "="
            attained = Attained(self._lattice.value(ratio.steps + rows.first), side, pair)
        return Leakage(
            ratio.value,
            "exact",
            About(name),
            convention,  # type: ignore[arg-type]
            attained=attained,
            source=EXACT_SOURCE,
            determined=rows.determined,
        )

    def _values_of(self, known: Sequence[int], told: Progress) -> Iterator[dict[int, int]]:
        """Give all values of known tuples that can occur, or raise LimitError where they are too many."""
        network = self._network
        found: list[dict[int, int]] = [{}]
        ahead = sorted(known, key=lambda k: network.shape[k])
        while ahead:
            block = [ahead.pop(0)]
            while ahead and prod(network.shape[k] for k in (*block, ahead[0])) <= _MOST_VALUES:
                block.append(ahead.pop(0))
            block.sort()
            longer: list[dict[int, int]] = []
            for values in found:
                table = network.possible_table(block, values)
                longer += [values | dict(zip(block, one, strict=True)) for one in np.argwhere(table).tolist()]
                if len(longer) > _MOST_VALUES:
                    whole = prod(network.shape[k] for k in known)
                    raise LimitError(
                        f"The known tuples have {whole:,} combinations of values, of which more than "
                        f"{_MOST_VALUES:,} can occur; at most so many are gone through. Give their values, "
                        "or ask for the worst adversary, which needs no such list.",
                        Where("parameter", name="known"),
                    )
                told.wait()
            found = longer
        yield from found

    def nodes(
        self,
        targets: Iterable[str | int] | None = None,
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> tuple[Leakage, ...]:
        """Return the exact leakage about each of some tuples, or of all, to those who know nothing.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery
        >>> from pdp_widgets.networks import BayesianNetwork, NetworkAnalysis
        >>> net = BayesianNetwork.chain([[0.6, 0.4], [0.4, 0.6]], 4)
        >>> found = NetworkAnalysis(net, LaplaceMechanism(LinearQuery.sum(net), 1)).nodes()
        >>> [round(one.value, 4) for one in found]
        [1.2176, 1.3989, 1.3989, 1.2176]
        """
        listed = self._targets(targets)
        told = self._told(progress, limit, len(listed), "The leakages")
        none = KnowingNone(self._network, self._lattice, listed, told)
        found = none.ratios(self._mechanism.scale)
        rows = none.any_rows()
        told.finish()
        return tuple(
            self._leakage(i, ratio, rows[k]) for k, (i, ratio) in enumerate(zip(listed, found, strict=True))
        )

    # All adversaries

    def dominating(self, target: str | int, known: Iterable[str | int] = ()) -> DominatingAdversary:
        """Return who learns at least as much as an adversary: all beyond the known tuples does not matter."""
        adversary = Adversary.of(self._network, target, known)
        sets = dominating(self._network.graph, adversary.target, adversary.known)
        return DominatingAdversary(*(tuple(self._network.names[j] for j in sorted(one)) for one in sets))

    def adversaries_that_matter(self) -> tuple[int | None, ...]:
        """Return for each tuple how many sets of unknown tuples matter.

        Of a tree the number is exact however large it is. In other networks the sets are gone through one by
        one, and it is None where there are more than a million.
        """
        return tuple(adversaries_that_matter(self._network))

    def worst(
        self,
        target: str | int,
        *,
        instance: Sequence[Any] | None = None,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> Leakage:
        """Return the largest leakage about one tuple over all known sets and all their values.

        Parameters
        ----------
        target
            The tuple.
        instance
            One row of labels that can occur; without it all values that can occur are considered.
        limit, progress
            As for `node`.

        Returns
        -------
        Leakage
            Exact, about the adversary who learns it; or a bound, with the interval from what the best
            adversary found learns to what nobody exceeds.

        Notes
        -----
        Chains, and trees whose branches have at most 200,000 options, are exact; so are other networks with
        at most 200,000 connected sets and labels beside them.
        """
        return self.worst_cases([target], instance=instance, limit=limit, progress=progress)[0]

    def worst_cases(
        self,
        targets: Iterable[str | int] | None = None,
        *,
        instance: Sequence[Any] | None = None,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> tuple[Leakage, ...]:
        """Return `worst` of each of some tuples, or of all of them."""
        listed = self._targets(targets)
        told = self._told(progress, limit, len(listed), "The search for the worst adversaries")
        row = None if instance is None else self._row(instance)
        allowed = self._network.possible
        if row is not None:
            allowed = tuple(np.arange(size) == p for size, p in zip(self._network.shape, row, strict=True))
        scale = self._mechanism.scale
        found = worst_cases(self._network, self._lattice, scale, listed, allowed, row, told)
        told.finish()
        convention = "sup" if row is None else "instance"
        return tuple(
            worst_leakage(self._network, i, one, convention) for i, one in zip(listed, found, strict=True)
        )

    def _row(self, instance: Sequence[Any]) -> tuple[int, ...]:
        row = self._network.position(instance)
        if not self._network.can_occur(dict(enumerate(row))):
            raise InstanceError(
                "The row has probability 0; give one that can occur.", Where("row", index=row)
            )
        return row

    def bounds(
        self,
        target: str | int,
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> tuple[Leakage, Leakage]:
        """Return what single branches of a tree say about the worst adversary: a lower and an upper bound.

        Parameters
        ----------
        target
            The tuple.
        limit, progress
            As for `node`.

        Raises
        ------
        LimitError
            The network is no tree, or a branch has more than 200,000 options.
        """
        i = Adversary.of(self._network, target).target
        tree = self._network.is_tree
        scale = self._mechanism.scale
        told = self._told(progress, limit, 1, "The search for bounds")
        possible = self._network.possible
        found = tree_bounds(self._network, self._lattice, scale, i, possible, told) if tree else None
        told.finish()
        if found is None:
            raise LimitError(
                "Bounds from branches are for trees with at most 200,000 options a branch; take worst.",
                Where("parameter", name="target"),
            )
        below = worst_leakage(self._network, i, Worst(found.lower, found.lower, found.chosen), "sup")
        return replace(below, status="lower bound"), self._bound(i, found.upper)

    def upper_bound(
        self,
        target: str | int,
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> Leakage:
        """Return a bound for anyone in one pass: sharper for trees of two labels, else the group bound.

        Parameters
        ----------
        target
            The tuple.
        limit, progress
            As for `node`.
        """
        return self.upper_bounds([target], limit=limit, progress=progress)[0]

    def upper_bounds(
        self,
        targets: Iterable[str | int] | None = None,
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> tuple[Leakage, ...]:
        """Return `upper_bound` of each of some tuples, or of all of them, in one pass."""
        network, powers, listed = self._network, self._lattice.powers, self._targets(targets)
        told = self._told(progress, limit, 1, "The bounds")
        if network.is_tree and max(network.shape) < 3:
            found = tree_upper(network, self._lattice, self._decay, listed, told)
        else:
            reach = {
                j: self._decay * sum(int(powers[k].max()) for k in members)
                for members in network.components
                for j in members
            }
            found = [reach[j] for j in listed]
        told.finish()
        return tuple(self._bound(j, value) for j, value in zip(listed, found, strict=True))

    def _bound(self, target: int, value: float) -> Leakage:
        about = AboutNetwork(self._network.names[target])
        return Leakage(value, "bound", about, "sup", source=WORST_SOURCE)

    # Noise

    def least_scale(
        self,
        epsilon: float,
        adversaries: str = "none",
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> NoiseRow:
        """Return the least scale of noise at which nobody of some adversaries learns more than epsilon.

        Parameters
        ----------
        epsilon
            The promise in nats.
        adversaries
            ``"none"``: those who know nothing. ``"all"``: anyone, whatever he knows.
        limit, progress
            As for `node`.
        """
        level = BUDGET.take(epsilon, "epsilon")
        whom = as_choice(adversaries, "adversaries", ("none", "all"))
        told = self._told(progress, limit, self._network.n_tuples, "The search for the least scale")
        search = NoiseSearch(self._network, self._mechanism.query, self._lattice, level, told)
        row = search.least(whom == "all", with_anyone=whom == "all")
        told.finish()
        return row

    def compare_noise(
        self,
        epsilon: float,
        *,
        anyone: bool = True,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> NoiseTable:
        """Return the scales of all mechanisms for one promise, with what leaks at each and to whom.

        Parameters
        ----------
        epsilon
            The promise in nats.
        anyone
            Whether the worst adversary is found at each scale, and the least scale against anyone.
        limit, progress
            As for `node`.

        Returns
        -------
        NoiseTable
            Rows ``"entry"`` (plain differential privacy), ``"group"``, ``"approximate quilts"`` for chains
            whose steps are alike, ``"quilts"`` and, where a chain's paper prints another scale, ``"quilts as
            printed"``, ``"wasserstein"`` without a floor, ``"least"`` and ``"least for anyone"``.

        Notes
        -----
        Song, Wang and Chaudhuri (2017) promise against adversaries who know nothing but the model.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery
        >>> from pdp_widgets.networks import BayesianNetwork, NetworkAnalysis
        >>> net = BayesianNetwork.chain([[0.8, 0.2], [0.2, 0.8]], 5)
        >>> table = NetworkAnalysis(net, LaplaceMechanism(LinearQuery.sum(net), 1)).compare_noise(1.0)
        >>> [(row.name, round(row.scale, 4), round(row.none.value, 4)) for row in table.rows]
        ... # doctest: +NORMALIZE_WHITESPACE
        [('entry', 1.0, 2.6625), ('group', 5.0, 0.5816), ('approximate quilts', 5.0, 0.5816),
         ('quilts', 5.0, 0.5816), ('wasserstein', 4.0, 0.7254), ('least', 2.8846, 1.0),
         ('least for anyone', 2.8846, 1.0)]
        """
        level = BUDGET.take(epsilon, "epsilon")
        told = self._told(progress, limit, 8 * self._network.n_tuples, "The comparison of noise")
        found = NoiseSearch(self._network, self._mechanism.query, self._lattice, level, told).table(
            as_flag(anyone, "anyone")
        )
        told.finish()
        return found

    # Uncertainty

    def interval(
        self,
        target: str | int,
        known: Mapping[Any, Any] | None = None,
        *,
        level: float = 0.95,
        draws: int = 200,
        rng: np.random.Generator | int | None = None,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> Leakage:
        """Return the leakage as an estimate, with the interval of networks that the records make plausible.

        Parameters
        ----------
        target, known
            One adversary, as for `node`.
        level
            Share of the drawn networks that lie within the interval.
        draws
            Networks that are drawn: the tree stays, its tables come from a Dirichlet law.
        rng
            Generator or seed; without it fresh randomness.
        limit, progress
            As for `node`.

        Raises
        ------
        TableError
            The network was not learned from records.
        """
        share, many = INNER.take(level, "level"), as_size(draws, "draws", 2, 1_000_000)
        network = self._network
        if not isinstance(network, BayesianNetwork):
            raise TableError("The network was not learned from records.", Where("table"))
        told = self._told(progress, limit, many, "The interval")
        given = {} if known is None else known
        # All of it keeps one time.
        clock: dict[str, Any] = {"limit": inf, "progress": lambda _: told.wait()}
        found = self.node(target, given, **clock)
        generator = as_generator(rng)
        values, gone = [], 0
        for _ in range(many):
            drawn = NetworkAnalysis(network.drawn(generator), self._mechanism)
            try:
                values.append(drawn.node(target, given, **clock).value)
            except InstanceError:
                gone += 1
            told.step()
        told.finish()
        if not values:
            raise InstanceError("The known values occur in none of the drawn networks.", Where("row"))
        low, high = np.quantile(values, [(1 - share) / 2, (1 + share) / 2]).tolist()
        source = (
            f"{100 * share:.6g} % interval from {many:,} networks of the same tree, tables drawn by Dirichlet"
        )
        if gone:
            source += f"; the known values cannot occur in {gone:,} of them"
        return replace(found, status="estimate", interval=(low, high), source=source)

    # Shown

    def _figures(self) -> Figures:
        return {"tuples": self._chart}

    def _chart(self) -> Chart:
        """Return what is learned about each tuple; of many, those about which most is learned."""
        found = self.nodes()
        drawn = sorted(sorted(range(len(found)), key=lambda i: -found[i].value)[:MOST_DRAWN])
        none = [found[i] for i in drawn]
        return tuples_chart(none, self.upper_bounds(drawn), self._mechanism, len(found))

    def _numbers(self) -> Numbers:
        columns = {
            "tuple": list(self._network.names),
            "exact": np.array([one.value for one in self.nodes()]),
            "bound": np.array([one.value for one in self.upper_bounds()]),
        }
        return Numbers(
            columns,
            {"tuple": "text", "exact": "nats", "bound": "bound"},
            {"unit": "nats", "status": {"exact": "exact", "bound": "bound"}, "source": EXACT_SOURCE},
            ("exact: to those who know nothing; bound: to anyone",),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NetworkAnalysis):
            return NotImplemented
        return self._network == other._network and self._mechanism == other._mechanism

    def __hash__(self) -> int:
        return hash((self._network, self._mechanism))

    def __reduce__(self) -> tuple[Any, ...]:
        return NetworkAnalysis, (self._network, self._mechanism)

    def __repr__(self) -> str:
        query, scale = self._mechanism.query.name, number(self._mechanism.scale)
        return f"NetworkAnalysis({self._network!r}, {query} with noise of scale {scale})"
