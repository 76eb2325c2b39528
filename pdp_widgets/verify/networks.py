"""Cases on networks: laws, adversaries, the scales of mechanisms, and budgets of streams."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from pdp_widgets.errors import FewRecordsWarning
from pdp_widgets.leakage.networks.analysis import NetworkAnalysis
from pdp_widgets.leakage.networks.influence import markov_quilt_influence
from pdp_widgets.leakage.networks.quilts import approximate_quilts, markov_quilts
from pdp_widgets.leakage.networks.wasserstein import wasserstein_infinity, wasserstein_mechanism
from pdp_widgets.leakage.sequence.temporal_budgets import temporal_budgets
from pdp_widgets.leakage.sequence.temporal_exact import laplace_stream_leakage, two_state_leakage
from pdp_widgets.leakage.sequence.temporal_leakage import carried_leakage, temporal_leakage, temporal_limit
from pdp_widgets.mechanisms.laplace import GeometricMechanism, LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.models.networks.bayesian_network import BayesianNetwork
from pdp_widgets.models.networks.chow_liu import mutual_information
from pdp_widgets.models.networks.markov_network import MarkovNetwork
from pdp_widgets.models.networks.network import Network
from pdp_widgets.verify.formats import Input, Kinds, VectorError, numbers

#: The rows of a comparison of noise by the names that cases have for them.
_ROWS = {
    "entry": "entry",
    "group": "group",
    "wasserstein": "wasserstein",
    "quilts": "quilts",
    "least": "least",
    "least_all": "least for anyone",
}


def _chain(given: Input) -> BayesianNetwork:
    start = None if given["start"] == "stationary" else given["start"]
    return BayesianNetwork.chain(given["transitions"], given["n"], start, given.get("states"))


def _network(model: Any) -> Network:
    """Return the network of a case: a chain, parents with tables, factors, or a text in the format BIF."""
    if "bif" in model:
        return BayesianNetwork.from_bif(model["bif"])
    if "chain" in model:
        return _chain(model["chain"])
    if "bn" in model:
        given = model["bn"]
        names = given.get("names", [f"x{j}" for j in range(len(given["parents"]))])
        edges = [(names[p], names[j]) for j, above in enumerate(given["parents"]) for p in above]
        states = dict(zip(names, given["states"], strict=True)) if "states" in given else None
        return BayesianNetwork(edges, dict(zip(names, given["cpt"], strict=True)), states)
    if "mrf" in model:
        given = model["mrf"]
        names = [f"x{j}" for j in range(len(given["cards"]))]
        labels = given.get("states", [range(size) for size in given["cards"]])
        factors = [([names[j] for j in one["scope"]], one["table"]) for one in given["factors"]]
        return MarkovNetwork(factors, dict(zip(names, labels, strict=True)))
    raise VectorError("a model is a chain, a bn, an mrf or a bif")


def _query(data: Input, network: Network) -> LinearQuery:
    given = data.get("contrib", "sum")
    if given == "sum":
        return LinearQuery.sum(network)
    return LinearQuery.count(network, given["count"]) if isinstance(given, dict) else LinearQuery(given)


def _analysis(data: Input, scale: float | None = None) -> NetworkAnalysis:
    network = _network(data["model"])
    kind = GeometricMechanism if data.get("noise") == "geometric" else LaplaceMechanism
    return NetworkAnalysis(network, kind(_query(data, network), data["lam"] if scale is None else scale))


def _known(data: Input) -> dict[int, Any]:
    return dict(zip(data["known"], data["known_values"], strict=True))


def _posterior(data: Input) -> dict[str, Any]:
    return {"table": numbers(_network(data["model"]).posterior(data["targets"], _known(data)).table)}


def _law(data: Input) -> dict[str, Any]:
    found = _analysis(data, 1.0).law(data["target"], _known(data))
    return {
        "labels": list(found.labels),
        "values": numbers(found.values),
        "prob": numbers(found.probabilities),
    }


def _node(data: Input) -> dict[str, Any]:
    known = data["known"] if data["convention"] == "sup" else _known(data)
    found = _analysis(data).node(data["target"], known, convention=data["convention"])
    return {"leakage": found.value, "determined": found.determined}


def _nodes(data: Input) -> dict[str, Any]:
    return {"leakage": [one.value for one in _analysis(data).nodes(data.get("targets"))]}


def _worst(data: Input) -> dict[str, Any]:
    row = data["instance"] if data.get("convention") == "instance" else None
    found = _analysis(data).worst_cases(data.get("targets"), instance=row)
    bounds = [one for one in found if one.status != "exact"]
    if bounds:
        raise VectorError(f"not exact: {bounds[0]}")
    return {"worst": [one.value for one in found]}


def _worst_interval(data: Input) -> dict[str, Any]:
    found = _analysis(data).worst(data["target"])
    lower, upper = found.interval or (found.value, found.value)
    return {"status": found.status, "lower": lower, "upper": upper}


def _branch_bound(data: Input) -> dict[str, Any]:
    lower, upper = _analysis(data).bounds(data["target"])
    return {"lower": lower.value, "upper": upper.value}


def _tree_upper(data: Input) -> dict[str, Any]:
    return {"upper": _analysis(data).upper_bound(data["target"]).value}


def _without_query(data: Input) -> NetworkAnalysis:
    """Return an analysis of a query that nobody adds to: for what the graph alone decides."""
    network = _network(data["model"])
    return NetworkAnalysis(
        network, LaplaceMechanism(LinearQuery([[0.0] * size for size in network.shape]), 1.0)
    )


def _dominating(data: Input) -> dict[str, Any]:
    analysis = _without_query(data)
    found, axes = analysis.dominating(data["target"], data["known"]), analysis.network.axis
    return {
        "unknown": [axes(name) for name in found.unknown],
        "boundary": [axes(name) for name in found.boundary],
        "known": [axes(name) for name in found.known],
    }


def _matter(data: Input) -> dict[str, Any]:
    return {"count": list(_without_query(data).adversaries_that_matter())}


def _distance(data: Input) -> dict[str, Any]:
    return {"distance": wasserstein_infinity(data["mu"], data["nu"])}


def _wasserstein(data: Input) -> dict[str, Any]:
    network = _network(data["model"])
    query = _query(data, network)
    bare, found = (wasserstein_mechanism(network, query, data["eps"], floor=floor) for floor in (False, True))
    return {
        "per_tuple": numbers(found.distances),
        "W": float(found.distances.max()),
        "scale": bare.scale,
        "scale_with_floor": found.scale,
    }


def _influence(data: Input) -> dict[str, Any]:
    network = _network(data["model"])
    found, near = markov_quilt_influence(network, data["target"], data["quilt"])
    return {"influence": found.value, "near": [network.axis(name) for name in near]}


def _quilts_chain(data: Input) -> dict[str, Any]:
    networks = [_chain(one) for one in data["chains"]]
    query = _query(data, networks[0])
    found = markov_quilts(networks, query, data["eps"], convention=data.get("convention", "possible"))
    return {"per_tuple": [one.scale for one in found.quilts], "scale": found.scale}


def _quilts_approx(data: Input) -> dict[str, Any]:
    chain, least, rate = (data.get(key) for key in ("transitions", "pi_min", "rate"))
    found = approximate_quilts(chain, data["n"], data["eps"], pi_min=least, rate=rate)
    return {"scale": found.scale, "pi_min": found.pi_min, "rate": found.rate}


def _quilts_network(data: Input) -> dict[str, Any]:
    network = _network(data["model"])
    found = markov_quilts(network, _query(data, network), data["eps"], data["family"])
    return {"per_tuple": [one.scale for one in found.quilts], "scale": found.scale}


def _scales(data: Input) -> dict[str, Any]:
    anyone = bool(data.get("all_known", False))
    table = _analysis(data, 1.0).compare_noise(data["eps"], anyone=anyone)
    rows = {case: table[name] for case, name in _ROWS.items() if anyone or case != "least_all"}
    found: dict[str, Any] = {
        "scale": {case: row.scale for case, row in rows.items()},
        "leakage": {case: row.none.value for case, row in rows.items()},
    }
    if anyone:
        found["leakage_all"] = {
            case: row.anyone.value for case, row in rows.items() if row.anyone is not None
        }
    return found


def _least_scale(data: Input) -> dict[str, Any]:
    return {"scale": _analysis(data, 1.0).least_scale(data["eps"], data["adversaries"]).scale}


def _carried(data: Input) -> dict[str, Any]:
    return {"carried": numbers(carried_leakage(data["rows"], data["alpha"]))}


def _temporal(data: Input) -> dict[str, Any]:
    found = temporal_leakage(data["forward"], data["budgets"], backward=data["backward"])
    windows = found.windows(data.get("w", 1))
    return {
        "backward": numbers(found.backward),
        "forward": numbers(found.forward),
        "total": numbers(found.total),
        "per_start": numbers(windows),
        "largest": found.window(data.get("w", 1)).value,
    }


def _temporal_limit(data: Input) -> dict[str, Any]:
    # The other side carries nothing where all its rows are alike.
    n = len(data["rows"])
    nothing = np.full((n, n), 1 / n)
    return {"limit": [temporal_limit(data["rows"], epsilon, nothing).value for epsilon in data["eps"]]}


def _temporal_budgets(data: Input) -> dict[str, Any]:
    forward, backward, steps = data["forward"], data["backward"], data.get("steps")
    plan = temporal_budgets(forward, data["target"], steps, width=data.get("w", 1), backward=backward)
    found: dict[str, Any] = {"constant": plan.constant}
    if steps is not None:
        middle = float(plan.budgets[min(1, len(plan.budgets) - 1)])
        total = temporal_leakage(forward, plan.budgets, backward=backward).total
        found |= {"first": plan.first, "middle": middle, "last": plan.last, "total": numbers(total)}
    return found


def _two_states(data: Input) -> dict[str, Any]:
    published = temporal_leakage(data["forward"], data["budgets"], backward=data["backward"])
    found = two_state_leakage(data["forward"], data["budgets"], backward=data["backward"])
    return {"exact": numbers(found.exact), "published": numbers(published.total)}


def _laplace_stream(data: Input) -> dict[str, Any]:
    given = data["model"]["chain"]
    start = None if given["start"] == "stationary" else given["start"]
    chain = MarkovChain(given["transitions"], start, given.get("states"))
    return {"exact": numbers(laplace_stream_leakage(chain, data["lam"], given["n"]).exact)}


def _chow_liu(data: Input) -> dict[str, Any]:
    names = [f"x{j}" for j in range(len(data["cards"]))]
    frame = {name: [row[j] for row in data["records"]] for j, name in enumerate(names)}
    domains = {name: range(size) for name, size in zip(names, data["cards"], strict=True)}
    with warnings.catch_warnings():
        # Labels that are not seen together are what some cases are about.
        warnings.simplefilter("ignore", FewRecordsWarning)
        found = BayesianNetwork.chow_liu(frame, alpha=data["alpha"], domains=domains)
    edges = sorted(sorted(map(found.axis, edge)) for edge in found.edges())
    return {
        "edges": edges,
        "mutual_information": [mutual_information(found.posterior(edge).table) for edge in edges],
        "parents": [list(above) for above in found.parent_positions],
        "cpt": [numbers(table) for table in found.tables],
    }


def _bif(data: Input) -> dict[str, Any]:
    found = BayesianNetwork.from_bif(data["text"])
    return {
        "names": list(found.names),
        "states": [list(domain) for domain in found.domains],
        "parents": [list(above) for above in found.parent_positions],
        "marginals": [numbers(found.marginal(j)) for j in range(found.n_tuples)],
    }


KINDS: Kinds = {
    ("posterior", None): _posterior,
    ("law", None): _law,
    ("node", "instance"): _node,
    ("node", "sup"): _node,
    ("nodes", None): _nodes,
    ("worst", None): _worst,
    ("worst", "sup"): _worst,
    ("worst", "instance"): _worst,
    ("worst_interval", None): _worst_interval,
    ("tree_upper", None): _tree_upper,
    ("branch_bound", None): _branch_bound,
    ("dominating", None): _dominating,
    ("matter", None): _matter,
    ("w_infinity", None): _distance,
    ("wasserstein", None): _wasserstein,
    ("influence", None): _influence,
    ("quilts_chain", None): _quilts_chain,
    ("quilts_chain", "possible"): _quilts_chain,
    ("quilts_chain", "printed"): _quilts_chain,
    ("quilts_approx", None): _quilts_approx,
    ("quilts_network", None): _quilts_network,
    ("scales", None): _scales,
    ("least_scale", None): _least_scale,
    ("carried", None): _carried,
    ("temporal", None): _temporal,
    ("temporal_limit", None): _temporal_limit,
    ("temporal_window", None): _temporal,
    ("temporal_budgets", None): _temporal_budgets,
    ("temporal_exact_binary", None): _two_states,
    ("laplace_stream", None): _laplace_stream,
    ("chow_liu", None): _chow_liu,
    ("bif", None): _bif,
}
