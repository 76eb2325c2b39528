"""The network explorer without a screen: its inputs, and the results of the last that made sense."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pdp_widgets.core.amounts import EPSILON
from pdp_widgets.errors import AdversaryError, DomainError, LimitError, PdpError, QueryError, Where
from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.labels import shown
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.models.networks.bayesian_network import BayesianNetwork
from pdp_widgets.models.networks.network import Network
from pdp_widgets.widgets.computed_beside import LONG, Awaited, Awaiting
from pdp_widgets.widgets.inputs import Controls, Input
from pdp_widgets.widgets.late import new_number
from pdp_widgets.widgets.network_layout import edges_of, network_layout
from pdp_widgets.widgets.network_results import (
    NetworkInputs,
    NetworkResults,
    results_for,
    results_state,
    seconds_for,
)
from pdp_widgets.widgets.wire import (
    label_texts,
    sent_numbers,
    sent_position,
    sent_positions,
    sent_text,
)

#: Tuples of a network that is drawn, labels that the menu of queries offers, and steps of a chain.
MOST_TUPLES, _MOST_COUNTS, CHAIN_STEPS = 300, 12, 24
#: Tuples of a network that a page computes by itself.
MOST_EMBEDDED = 60
#: Seconds, by their estimate, for which a step from Python waits for its results.
PATIENCE = 1.0
_OWN = "own"


def as_network(value: Any) -> Network:
    """Return the network given in Python; a chain is unrolled to 24 steps, which stand in for none too."""
    if value is None:
        value = MarkovChain.symmetric(0.9)
    if isinstance(value, MarkovChain):
        value = BayesianNetwork.chain(value, CHAIN_STEPS)
    if not isinstance(value, Network):
        raise TypeError(
            f"The value is a {type(value).__name__}; give a BayesianNetwork, for example "
            "BayesianNetwork.from_bif(path), a MarkovNetwork, or a MarkovChain."
        )
    if value.n_tuples > MOST_TUPLES:
        raise LimitError(
            f"The network has {value.n_tuples:,} tuples; at most {MOST_TUPLES} are drawn. NetworkAnalysis "
            "has the same numbers for larger ones.",
            Where("table"),
        )
    return value


def query_choices(network: Network) -> dict[str, str]:
    """Return the queries that are offered, by key: the sum of numbers, and counts of frequent labels."""
    found = {}
    if not any(isinstance(label, str) for domain in network.domains for label in domain):
        found["sum"] = "Sum of all tuples"
    seen: dict[Any, int] = {}
    for domain in network.domains:
        for label in domain:
            seen[label] = seen.get(label, 0) + 1
    for label in sorted(seen, key=lambda one: -seen[one])[:_MOST_COUNTS]:
        found[f"count:{label}"] = f"Number of tuples that are {label}"
    return found


class NetworkState(Controls, Awaiting[NetworkInputs]):
    """Inputs and results of a network explorer."""

    def __init__(
        self,
        declared: Mapping[str, Input[Any]],
        value: Any,
        *,
        query: Any,
        target: Any,
        known: Any,
        budgets: Any,
        **given: Any,
    ) -> None:
        self._declare(declared, given)
        self._open(as_network(value), query)
        self.target, self.known = self._as_adversary(0 if target is None else target, known or {})
        self.budgets = self._as_budgets(budgets)
        inputs = self._made()
        # What every screen needs is there, however long it takes; the rest is awaited.
        self.results = results_for(inputs, quick=True)
        self._solve(inputs, PATIENCE)
        if target is None and not self.known:
            self._open_target()

    def _open(self, network: Network, query: Any) -> None:
        self.network, self.choices = network, query_choices(network)
        self.layout = network_layout(network)
        self._own: LinearQuery | None = None
        self.query, self.key = self._as_query(query)

    def _open_target(self) -> None:
        """Attack the tuple about which most is learned."""
        found = [one.value for one in self.results["none"]]
        self.target = found.index(max(found))
        self._compute(PATIENCE)

    def _put(self, results: NetworkResults) -> None:
        self.results, self.awaited = results, None

    # Inputs that are read with the network

    def _as_query(self, query: Any) -> tuple[LinearQuery, str]:
        """Return a query and its key; None is the first that is offered."""
        if isinstance(query, LinearQuery):
            query.check_fits(self.network)
            named = next((key for key in self.choices if self._named(key) == query), None)
            if named is None:
                self._own = query
            return query, named or _OWN
        key = next(iter(self.choices)) if query is None else query
        if key == _OWN and self._own is not None:
            return self._own, _OWN
        if key not in self.choices:
            few = ", ".join(map(repr, list(self.choices)[:8]))
            raise QueryError(
                f"The query is {shown(key)}; give a LinearQuery, or one of {few}.",
                Where("parameter", name="query"),
            )
        return self._named(key), key

    def _named(self, key: str) -> LinearQuery:
        if key == "sum":
            return LinearQuery.sum(self.network)
        label = next(v for domain in self.network.domains for v in domain if f"count:{v}" == key)
        own = [[float(one == label) for one in domain] for domain in self.network.domains]
        return LinearQuery(own, name=f"number of tuples that are {label}")

    def _as_adversary(self, target: Any, known: Any) -> tuple[int, dict[int, int]]:
        if not isinstance(known, Mapping):
            raise AdversaryError(
                "Known tuples come with their values here: give {tuple: label}.",
                Where("parameter", name="known"),
            )
        chosen = Adversary.of(self.network, target, list(known))
        return chosen.target, self.network.as_known(known)

    def _as_budgets(self, budgets: Any) -> tuple[float, ...]:
        n = self.network.n_tuples
        if budgets is None:
            return (self.asked["epsilon"] / 10,) * n
        listed = [budgets] * n if isinstance(budgets, int | float) else list(budgets)
        if len(listed) != n:
            raise DomainError(
                f"There are {len(listed)} budgets for {n} tuples; give one for each, or one number.",
                Where("parameter", name="budgets"),
            )
        return tuple(EPSILON.take(one, "budgets") for one in listed)

    @property
    def values(self) -> dict[str, Any]:
        """The last inputs that made sense, as Python reads them."""
        now, names, domains = self._last, self.network.names, self.network.domains
        return {
            **self.asked,
            "scale": now.scale,
            "epsilon": now.epsilon,
            "goal": now.goal,
            "value": self.network,
            "query": self.key,
            "target": names[self.target],
            "known": {names[j]: domains[j][v] for j, v in self.known.items()},
            "budgets": tuple(now.budgets),
        }

    @property
    def _last(self) -> NetworkInputs:
        """The last inputs that made sense together: those of what is computed, else of the results."""
        return self.results.inputs if self.running is None else self.running.inputs

    def _made(self, **sound: Any) -> NetworkInputs:
        parts = {name: self.asked[name] for name in ("scale", "epsilon", "goal", "adversary", "show")}
        known = tuple(sorted(self.known.items()))
        return NetworkInputs(
            self.network,
            self.query,
            target=self.target,
            known=known,
            **{**parts, "budgets": self.budgets, **sound},
        )

    # From Python: what is wrong raises, and the caller puts the old state back.

    def accept(self, patch: Mapping[str, Any]) -> None:
        """Take changed inputs."""
        if "value" in patch:
            self._replace(as_network(patch["value"]), patch.get("query"))
        elif "query" in patch:
            self.query, self.key = self._as_query(patch["query"])
        self._take_inputs(patch)
        if "target" in patch or "known" in patch:
            target = patch.get("target", self.target)
            place = self.network.axis(target)
            names, domains = self.network.names, self.network.domains
            kept = {names[j]: domains[j][v] for j, v in self.known.items() if j != place}
            self.target, self.known = self._as_adversary(target, patch.get("known", kept))
        if "budgets" in patch:
            self.budgets = self._as_budgets(patch["budgets"])
        # Another table is seen at once: noise that takes longer follows.
        refused = self._compute(LONG if "value" in patch else PATIENCE, at_once=True)
        if refused is not None:
            raise refused

    def _replace(self, network: Network, query: Any) -> None:
        """Take another network; of the same tuples and labels what was chosen stays."""
        old = self.network
        same = old.names == network.names and old.domains == network.domains
        if same and query is None:
            self.network = network
            if edges_of(old) != edges_of(network):
                self.layout = network_layout(network)
            return
        self._open(network, query)
        self.target, self.known, self.budgets = 0, {}, self._as_budgets(None)

    # From the browser: what is wrong becomes the fault, and the last results stay.

    def ask(self, request: Mapping[str, Any]) -> None:
        """Take what the hand set in a browser; what the request does not carry stays."""
        self._ask_inputs(request)
        n, shape = self.network.n_tuples, self.network.shape
        key = sent_text(request, "query", self.key)
        if key in self.choices or (key == _OWN and self._own is not None):
            self.query, self.key = self._as_query(key)
        target = sent_position(request, "target", self.target)
        listed = sent_positions(request, "known", n, list(self.known))
        values = sent_positions(request, "values", n, list(self.known.values()))
        known = {
            j: v
            for j, v in zip(listed, values, strict=False)
            if 0 <= j < n and 0 <= v < shape[j] and j != target
        }
        if 0 <= target < n:
            self.target, self.known = target, dict(sorted(known.items()))
        self.budgets = tuple(sent_numbers(request, "budgets", n, self.budgets))
        self._compute(LONG)

    # Results

    def _compute(self, patience: float, at_once: bool = False) -> PdpError | None:
        """Bring the results up to date with the last inputs that make sense; return why that fails."""
        faults: list[PdpError] = []
        last = self._last
        sound: dict[str, Any] = {
            name: self._sound(name, getattr(last, name), faults) for name in ("scale", "epsilon", "goal")
        }
        try:
            self._as_budgets(self.budgets)
        except PdpError as fault:
            faults.append(fault)
            sound["budgets"] = last.budgets
        refused: PdpError | None = None
        try:
            self.network.as_known(self.known)
            self._solve(self._made(**sound), patience, at_once)
        except PdpError as fault:
            refused = fault
            faults.append(fault)
        self.fault = faults[0] if faults else None
        return refused

    def _solve(self, wanted: NetworkInputs, patience: float, at_once: bool = False) -> None:
        if wanted == self.results.inputs and self.results.whole:
            self.awaited = None
        elif seconds_for(wanted, self.results) <= patience:
            self._put(results_for(wanted, self.results))
        elif self.running is None or self.running.inputs != wanted:
            self.awaited = Awaited(new_number(), wanted)
            if at_once or seconds_for(wanted, self.results, quick=True) <= LONG:
                # What follows a hand does not wait for what takes longer.
                self.results = results_for(wanted, self.results, quick=True)

    def state(self) -> dict[str, Any]:
        """Return what the browser shows."""
        network = self.network
        return {
            "title": f"{network.n_tuples} tuples",
            "noun": self.asked["noun"],
            **self._network_state(),
            **self.controls,
            "query": self.key,
            "queries": self._offered(),
            "contributions": [one.tolist() for one in self.query.contributions],
            "target": self.target,
            "known": list(self.known),
            "values": list(self.known.values()),
            "budgets": list(self.budgets),
            **self.wait_state,
            "results": results_state(self.results)
            if self.results.inputs.network.names == network.names
            else None,
        }

    def _offered(self) -> list[dict[str, str]]:
        found = {**self.choices, **({} if self._own is None else {_OWN: self._own.name})}
        return [{"key": key, "label": label_texts([label])[0]} for key, label in found.items()]

    def _network_state(self) -> dict[str, Any]:
        network = self.network
        names = label_texts(network.names)
        many = sum(network.shape)
        nodes: list[dict[str, Any]] = [
            {"name": name, "labels": label_texts(domain, count=many)}
            for name, domain in zip(names, network.domains, strict=True)
        ]
        directed = isinstance(network, BayesianNetwork)
        return {"nodes": nodes, "edges": edges_of(network), "directed": directed, "layout": self.layout}

    def embedded(self) -> dict[str, Any]:
        """Return what a page needs to compute: the tables of the network."""
        network = self.network
        if network.n_tuples > MOST_EMBEDDED:
            return {}
        offered = {key: self._named(key) for key in self.choices} | (
            {} if self._own is None else {_OWN: self._own}
        )
        queries = {key: [one.tolist() for one in query.contributions] for key, query in offered.items()}
        if isinstance(network, BayesianNetwork):
            return {
                "queries": queries,
                "parents": [list(above) for above in network.parent_positions],
                "tables": [table.reshape(-1, table.shape[-1]).tolist() for table in network.tables],
            }
        factors = [
            {"scope": list(scope), "table": table.ravel().tolist()} for scope, table in network.factors
        ]
        return {"queries": queries, "factors": factors}
