"""What the network explorer computes: parts by what they depend on, kept where nothing of that changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, prod
from typing import Any

import numpy as np

from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.errors import LimitError, PdpError
from pdp_widgets.leakage.networks.analysis import NetworkAnalysis
from pdp_widgets.leakage.networks.influence import influence_of, line_moves
from pdp_widgets.leakage.networks.quilts import MarkovQuilt, markov_quilts
from pdp_widgets.leakage.networks.wasserstein import longest_arrow
from pdp_widgets.leakage.sequence.temporal_budgets import temporal_budgets
from pdp_widgets.leakage.sequence.temporal_exact import two_state_leakage
from pdp_widgets.leakage.sequence.temporal_leakage import temporal_leakage
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.networks.network import Network

__all__ = [
    "ADVERSARIES",
    "SHOWS",
    "NetworkInputs",
    "NetworkResults",
    "has_steps",
    "results_for",
    "results_state",
    "seconds_for",
]

ADVERSARIES = ("none", "mine", "worst")
SHOWS = ("network", "quilts", "temporal")

#: Combinations of labels beside a tuple that are looked at.
_MOST_BESIDE = 4096
#: Tuples up to which each is asked what it can be beside what is known.
_MOST_ASKED = 60


@dataclass(frozen=True)
class NetworkInputs:
    """What results depend on; tuples and labels by position."""

    network: Network
    query: LinearQuery
    scale: float
    target: int
    #: Known labels by tuple.
    known: tuple[tuple[int, int], ...]
    epsilon: float
    goal: float
    budgets: tuple[float, ...]
    adversary: str
    show: str

    @property
    def analysis(self) -> NetworkAnalysis:
        """The analysis that answers about them."""
        return NetworkAnalysis(self.network, LaplaceMechanism(self.query, self.scale))

    def named(self, but: int | None = None) -> dict[str, Any]:
        """Return the known labels by name, without those of one tuple."""
        names, domains = self.network.names, self.network.domains
        return {names[j]: domains[j][v] for j, v in self.known if j != but}


@dataclass(frozen=True, eq=False)
class NetworkResults:
    """Parts by name, each with what it depends on."""

    inputs: NetworkInputs
    parts: Mapping[str, tuple[Any, Any]]

    @property
    def whole(self) -> bool:
        """Whether all parts are there."""
        return all(name in self.parts for name in _wanted(self.inputs))

    def __getitem__(self, name: str) -> Any:
        """Return a part, or None where it was not asked for."""
        return self.parts[name][1] if name in self.parts else None


def _wanted(
    now: NetworkInputs, quick: bool = False
) -> dict[str, tuple[Any, Callable[[ProgressHook | None], Any]]]:
    """Return the parts of results: on what each depends, and what computes it; or those that come at once."""
    release = now.network, now.query, now.scale
    chosen = *release, now.target, now.known
    promised = now.network, now.query, now.epsilon
    found: dict[str, tuple[Any, Callable[[ProgressHook | None], Any]]] = {
        "none": (release, lambda hook: now.analysis.nodes(progress=hook)),
        "mine": (chosen, lambda hook: now.analysis.node(now.target, now.named(), limit=inf)),
        "law": (chosen, lambda hook: now.analysis.law(now.target, now.named(), limit=inf)),
        "strongest": ((*release, now.target), lambda hook: _strongest(now)),
        "choices": ((now.network, now.known), lambda hook: _choices(now)),
    }
    worst = now.adversary == "worst"
    if quick:
        return found
    if worst:
        found["worst"] = release, lambda hook: now.analysis.worst_cases(limit=inf, progress=hook)
    if now.adversary == "mine":
        found["each"] = (*release, now.known), lambda hook: _each(now)
    if now.show != "temporal":
        found["noise"] = (
            (*promised, worst),
            lambda hook: now.analysis.compare_noise(now.epsilon, anyone=worst, limit=inf, progress=hook),
        )
    if now.show == "quilts":
        found["quilts"] = (
            promised,
            lambda hook: markov_quilts(now.network, now.query, now.epsilon, limit=inf, progress=hook),
        )
        found["curve"] = (*promised, now.target), lambda hook: _curve(now)
    if now.show == "temporal":
        found["temporal"] = (now.network, now.budgets, now.goal), lambda hook: _temporal(now)
    return found


def results_for(
    inputs: NetworkInputs,
    last: NetworkResults | None = None,
    progress: ProgressHook | None = None,
    *,
    quick: bool = False,
) -> NetworkResults:
    """Return results; parts of the last ones that depend on the same are taken over.

    ``quick``: what takes longer is computed by another call; of it only what is there already is in them.
    """
    now, there = _wanted(inputs), {} if last is None else last.parts
    parts = {name: there[name] for name, (on, _) in now.items() if name in there and there[name][0] == on}
    for name, (on, compute) in _wanted(inputs, quick).items():
        if name not in parts:
            parts[name] = on, compute(progress)
    return NetworkResults(inputs, parts)


#: How much longer than a pass over the network each part takes, of a tree and of another network.
_EFFORT = {
    "none": (1, 10),
    "worst": (4, 60),
    "each": (12, 12),
    "noise": (50, 100),
    "quilts": (6, 80),
    "curve": (8, 8),
}


def seconds_for(inputs: NetworkInputs, last: NetworkResults | None = None, *, quick: bool = False) -> float:
    """Return about how long results take where the last ones are there."""
    network = inputs.network
    kind = 0 if network.is_tree else 1
    n, reach = network.n_tuples, float(inputs.query.local_sensitivities.sum())
    one = 1e-6 * n * (min(reach, 20_000.0) + n) * max(network.shape) ** 2
    seconds = 0.01
    for name, (on, _) in _wanted(inputs, quick).items():
        if last is not None and name in last.parts and last.parts[name][0] == on:
            continue
        effort = _EFFORT.get(name, (0.1, 0.3))[kind]
        seconds += one * effort * (10 if name == "noise" and inputs.adversary == "worst" else 1)
    return seconds


def _strongest(now: NetworkInputs) -> float | None:
    """Return what who knows all others learns at most: how far the labels that are left move the query."""
    network, target = now.network, now.target
    near = sorted(network.graph[target])
    if prod(network.shape[j] for j in near) > _MOST_BESIDE:
        return None
    scope = sorted([target, *near])
    left = np.moveaxis(network.possible_table(scope, {}), scope.index(target), -1)
    own = now.query.contributions[target]
    high = np.where(left, own, -inf).max(axis=-1)
    low = np.where(left, own, inf).min(axis=-1)
    return float(np.max(high - low, initial=0.0)) / now.scale


def _each(now: NetworkInputs) -> tuple[Leakage | None, ...]:
    known, analysis = dict(now.known), now.analysis
    return tuple(
        None if j in known else analysis.node(j, now.named(), limit=inf) for j in range(now.network.n_tuples)
    )


def _choices(now: NetworkInputs) -> list[list[bool]]:
    """Return which labels each tuple can have beside the known ones; of a large network beside none."""
    network, known = now.network, dict(now.known)
    free = all((table > 0).all() for _, table in network.factors)
    if free or not known or network.n_tuples > _MOST_ASKED:
        return [one.tolist() for one in network.possible]
    found = []
    for j in range(network.n_tuples):
        others = {k: v for k, v in known.items() if k != j}
        found.append((network.possible_table([j], others) if others else network.possible[j]).tolist())
    return found


def _curve(now: NetworkInputs) -> tuple[list[MarkovQuilt], list[str]]:
    """Return the quilts of all tuples at each distance from the target: the curve of scales has a minimum."""
    network, seen, ring = now.network, {now.target}, {now.target}
    found, left_out = [], []
    while ring := {k for j in ring for k in network.graph[j]} - seen:
        seen |= ring
        try:
            found.append(_at_distance(now, sorted(ring), seen - ring))
        except LimitError as fault:
            left_out.append(fault.plain)
    whole = tuple(network.names[j] for j in sorted(seen))
    reach = float(now.query.local_sensitivities[sorted(seen)].sum())
    found.append(MarkovQuilt(network.names[now.target], (), whole, 0.0, reach, reach / now.epsilon))
    return found, left_out


def _at_distance(now: NetworkInputs, quilt: Sequence[int], near: set[int]) -> MarkovQuilt:
    names, influence = now.network.names, influence_of(now.network, now.target, quilt)
    reach = float(now.query.local_sensitivities[sorted(near)].sum())
    left = now.epsilon - influence
    members = tuple(names[j] for j in sorted(near))
    return MarkovQuilt(
        names[now.target],
        tuple(names[j] for j in quilt),
        members,
        influence,
        reach,
        reach / left if left > 0 else inf,
    )


def _without_gaps(moves: list[Any]) -> list[Any]:
    """Return moves whose rows of labels that cannot occur are like one that can: they then say nothing."""
    filled = []
    for move in moves:
        there = move.sum(axis=1) > 0
        filled.append(np.where(there[:, None], move, move[int(np.argmax(there))]))
    return filled


def has_steps(network: Network) -> bool:
    """Whether the tuples are steps of a stream: a line of at least two, all with as many labels."""
    return network.is_path and network.n_tuples > 1 and len(set(network.shape)) == 1


def _temporal(now: NetworkInputs) -> dict[str, Any] | None:
    """Return what is said about each step when every step is released by itself; None without steps."""
    if not has_steps(now.network):
        return None
    forward, backward = map(_without_gaps, line_moves(now.network)[:2])
    budgets, n = np.array(now.budgets), now.network.n_tuples
    found = temporal_leakage(forward, budgets, n, backward)
    exact = None
    if max(now.network.shape) == 2 and np.isfinite(budgets).all():
        exact = two_state_leakage(forward, budgets, n, backward).exact.tolist()
    plan = None
    if all(np.allclose(one, forward[0], rtol=0, atol=1e-12) for one in forward) and all(
        np.allclose(one, backward[0], rtol=0, atol=1e-12) for one in backward
    ):
        try:
            made = temporal_budgets(forward[0], now.goal, n, backward=backward[0])
            plan = {"constant": float(made.constant), "budgets": made.budgets.tolist()}
        except PdpError:
            # No budget above 0 keeps the target.
            plan = None
    return {
        "budgets": list(now.budgets),
        "backward": found.backward.tolist(),
        "forward": found.forward.tolist(),
        "total": found.total.tolist(),
        "exact": exact,
        "plan": plan,
    }


# As a browser reads them


def results_state(found: NetworkResults) -> dict[str, Any]:
    """Return results as JSON."""
    now, network = found.inputs, found.inputs.network
    inside, beside, rest = _matters(now)
    place = {name: j for j, name in enumerate(network.names)}
    law = found["law"]
    temporal, noise, quilts, curve = (found[name] for name in ("temporal", "noise", "quilts", "curve"))
    return {
        "promise": now.analysis.promise,
        "scale": now.scale,
        "choices": found["choices"],
        "none": [_learned(one) for one in found["none"]],
        "mine": _learned(found["mine"]),
        "each": found["each"] and [one and _learned(one) for one in found["each"]],
        "matters": {"unknown": inside, "boundary": beside, "beyond": rest},
        "strongest": found["strongest"],
        "law": {
            "labels": [network.label_position(now.target, label) for label in law.labels],
            "values": law.values.tolist(),
            "probabilities": law.probabilities.tolist(),
        },
        "arrow": _arrow(now, law),
        "worst": found["worst"] and [_worst(one, network, place) for one in found["worst"]],
        "quilts": quilts
        and {
            "best": [_quilt(one, place) for one in quilts.quilts],
            "curve": [_quilt(one, place) for one in curve[0]],
            "leftOut": list(dict.fromkeys([*quilts.left_out, *curve[1]])),
        },
        "noise": noise
        and {
            "epsilon": noise.epsilon,
            "rows": [
                {
                    "name": row.name,
                    "scale": row.scale,
                    "keeps": row.keeps,
                    "none": float(row.none.value),
                    "anyone": None if row.anyone is None else _between(row.anyone),
                }
                for row in noise.rows
            ],
            "leftOut": list(noise.left_out),
        },
        "temporal": temporal,
    }


def _matters(now: NetworkInputs) -> tuple[list[int], list[int], list[int]]:
    network = now.network
    found = now.analysis.dominating(now.target, [j for j, _ in now.known])
    inside, beside = ([network.axis(name) for name in names] for names in (found.unknown, found.boundary))
    rest = [j for j in range(network.n_tuples) if j not in {*inside, *beside}]
    return inside, beside, rest


def _learned(one: Leakage) -> dict[str, Any]:
    return {"value": float(one.value), "determined": bool(one.determined)}


def _between(one: Leakage) -> dict[str, Any]:
    low, high = one.interval or (one.value, one.value)
    return {"lower": float(low), "upper": float(high), "status": one.status}


def _worst(one: Leakage, network: Network, place: Mapping[str, int]) -> dict[str, Any]:
    about: Any = one.about
    known = [[place[name], network.label_position(place[name], label)] for name, label in about.known]
    return {**_between(one), "unknown": [place[name] for name in about.unknown], "known": known}


def _quilt(one: MarkovQuilt, place: Mapping[str, int]) -> dict[str, Any]:
    return {
        "target": place[one.target],
        "quilt": [place[name] for name in one.quilt],
        "near": [place[name] for name in one.near],
        "influence": one.influence,
        "reach": one.reach,
        "scale": one.scale,
    }


def _arrow(now: NetworkInputs, law: Any) -> dict[str, Any] | None:
    """Return the two labels whose laws are farthest apart, and the longest way that mass must go."""
    with np.errstate(divide="ignore"):
        logs = np.log(law.probabilities)
    best: dict[str, Any] | None = None
    for a, b in combinations(range(len(law.labels)), 2):
        distance, start, end = longest_arrow(law.values, logs[a], logs[b])
        if best is None or distance > best["distance"]:
            pair = [now.network.label_position(now.target, law.labels[k]) for k in (a, b)]
            best = {"distance": distance, "from": start, "to": end, "pair": pair}
    return best
