"""Cases on release without noise: slacks of counts and of sums, and groups of tables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pdp_widgets.leakage.noiseless.count_slack import (
    count_bound,
    count_bound_epsilon,
    count_epsilon,
    count_printed,
    count_printed_epsilon,
    count_slack,
)
from pdp_widgets.leakage.noiseless.dependent_bounds import (
    dependent_bound,
    dependent_distance,
    dependent_printed,
)
from pdp_widgets.leakage.noiseless.dependent_slack import WindowChain
from pdp_widgets.leakage.noiseless.gaussian_step import (
    gaussian_delta,
    gaussian_epsilon,
    printed_gaussian_epsilon,
    step_multiplier,
    tail_point,
)
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.leakage.noiseless.record_sum import RecordSum
from pdp_widgets.leakage.noiseless.sampled_groups import sampled_groups_slack, set_release_slack
from pdp_widgets.leakage.noiseless.slack import Slack, epsilons_of
from pdp_widgets.leakage.noiseless.sum_bounds import (
    PrintedSlack,
    normal_distance,
    sum_bound,
    sum_printed,
    sum_printed_aggregate,
    sum_recipe,
)
from pdp_widgets.leakage.noiseless.sum_slack import presence_slack, sum_slack
from pdp_widgets.leakage.noiseless.syntactic_sensitivity import syntactic_sensitivity, syntactic_volumes
from pdp_widgets.mechanisms.anonymity.mondrian import mondrian
from pdp_widgets.mechanisms.anonymity.selected_count import SelectedCount
from pdp_widgets.verify.formats import Input, Kinds, VectorError, refusing


def _law_of(described: Any) -> RecordLaw:
    """Return the law of a record: an object of probabilities by value, a whole number written as text."""
    if not isinstance(described, Mapping):
        raise VectorError("a law is an object of probabilities by value")
    try:
        values = [int(value) for value in described]
    except (TypeError, ValueError):
        raise VectorError("the values of a law are whole numbers, written as text") from None
    return RecordLaw(values, list(described.values()))


def _sum_of(described: Any) -> RecordSum:
    """Return the sum of the records of a case: a list of objects with a law and a count.

    Examples
    --------
    >>> _sum_of([{"law": {"0": 0.5, "1": 0.5}, "count": 100}]).size
    100
    """
    if not isinstance(described, list) or not all(isinstance(part, Mapping) for part in described):
        raise VectorError("records are a list of objects with law and count")
    return RecordSum(tuple((_law_of(part["law"]), part["count"]) for part in described))


def _or_none(value: float) -> float | None:
    """Return a number, or None where there is none."""
    return None if math.isnan(value) else value


def _slack_of(found: Slack) -> dict[str, Any]:
    """Return a slack and what becomes of it."""
    return {"delta": _or_none(found.delta), "status": found.state}


def _release(data: Input) -> SelectedCount:
    return SelectedCount(data["n"], data["k"], data["p"], data["neighbour"], data["release"])


def _exact(data: Input) -> dict[str, Any]:
    return {"delta": count_slack(_release(data), data["eps"]).delta}


def _exact_epsilon(data: Input) -> dict[str, Any]:
    found = count_epsilon(_release(data), data["delta"]).epsilon
    return {"epsilon": found if math.isfinite(found) else None}


def _corrected(data: Input) -> dict[str, Any]:
    n, p, epsilon = data["n"], data["p"], data["eps"]
    return {
        "hoeffding": count_bound(n, p, epsilon, "hoeffding").delta,
        "kl": count_bound(n, p, epsilon, "kl").delta,
        "exact_count": count_slack(SelectedCount(n, 1, p, release="count"), epsilon).delta,
    }


def _corrected_epsilon(data: Input) -> dict[str, Any]:
    found = count_bound_epsilon(data["n"], data["p"], data["delta"])
    return {"epsilon": found.epsilon, "status": found.state}


def _count_printed(data: Input) -> dict[str, Any]:
    return _slack_of(count_printed(data["n"], data["k"], data["p"], data["eps"], data["reading"]))


def _printed_epsilon(data: Input) -> dict[str, Any]:
    found = count_printed_epsilon(
        data["n"], data["k"], data["p"], data["delta"], data["reading"], factor2=data["factor2"]
    )
    return {
        "epsilon": _or_none(found.epsilon),
        "status": found.state,
        "mu": found.mu,
        "domain_minimum": found.domain_minimum,
        "delta_in_domain": found.delta_in_domain,
    }


def _set_release(data: Input) -> dict[str, Any]:
    return {"delta": set_release_slack(data["n"], data["k"], data["p"], data["eps"]).delta}


def _sampling(data: Input) -> dict[str, Any]:
    found = sampled_groups_slack(data["k"], data["beta"], data["eps"])
    return {"delta": found.delta, "argmax_N": found.worst_size}


def _multiplier(data: Input) -> dict[str, Any]:
    found = step_multiplier(data["n_eff"], data["s"], data["k"], data["eps1"], data["B"])
    return {"y": found.y, "c1": found.first, "c2": found.second, "c_prime": found.value}


def _gaussian(data: Input) -> dict[str, Any]:
    return {"delta": float(gaussian_delta(epsilons_of(data["eps"]), data["shift"], data["sigma"])[0])}


def _gaussian_epsilon(data: Input) -> dict[str, Any]:
    slack, shift, sigma = data["delta1"], data["shift"], data["sigma"]
    printed = printed_gaussian_epsilon(slack, shift, sigma).epsilon
    return {
        "y": tail_point(-float(np.log(slack))),
        "epsilon": gaussian_epsilon(slack, shift, sigma).epsilon,
        "epsilon_printed": printed,
        "delta_exact_at_printed": float(gaussian_delta(printed, shift, sigma)),
    }


def _distance(data: Input) -> dict[str, Any]:
    found = normal_distance(_sum_of(data["records"]), data["scale"])
    return {
        "printed": found.printed,
        "corrected": found.bound,
        "exact": found.exact,
        "printed_holds": found.printed_holds,
    }


def _sum_printed(data: Input) -> dict[str, Any]:
    return _as_printed(
        sum_printed(_sum_of(data["records"]), data["s"], data["k"], data["eps1"], data["denominator"])
    )


def _aggregate(data: Input) -> dict[str, Any]:
    return _as_printed(
        sum_printed_aggregate(*(data[name] for name in ("T", "V", "B2", "s", "k", "eps1", "n_eff")))
    )


def _as_printed(found: PrintedSlack) -> dict[str, Any]:
    return {**_slack_of(found), "c_prime": _or_none(found.multiplier), "epsilon": _or_none(found.epsilon)}


def _recipe(data: Input) -> dict[str, Any]:
    found = sum_recipe(_sum_of(data["records"]), data["shift"], data["delta1"], data["events"])
    return {**_slack_of(found.slack), "epsilon": found.slack.epsilon, "L": found.ratio}


def _curve(data: Input) -> dict[str, Any]:
    records, shift, epsilon, events = _sum_of(data["records"]), data["shift"], data["eps"], data["events"]
    bound = sum_bound(records, shift, epsilon, events)
    return {**_slack_of(bound), "exact": sum_slack(records, shift, epsilon, events).delta}


def _sum(data: Input) -> dict[str, Any]:
    shift = data["v"] - data["u"]
    return {"delta": sum_slack(_sum_of(data["records"]), shift, data["eps"], data["events"]).delta}


def _presence(data: Input) -> dict[str, Any]:
    records, target = _sum_of(data["records"]), _law_of(data["target"])
    return {"delta": presence_slack(records, target, data["eps"], data["events"]).delta}


def _dependent_printed(data: Input) -> dict[str, Any]:
    names = ("lambda1", "S3", "R4", "sigma", "n_eff", "eps", "reading", "lambda2")
    return _slack_of(dependent_printed(*(data[name] for name in names)))


def _dependent(data: Input) -> dict[str, Any]:
    size, third, fourth, sigma = (data[name] for name in ("D", "abs3", "m4", "sigma"))
    constant = data["constant"]
    bound = dependent_bound(
        size, third, fourth, sigma, data["shift"], data["eps"], data["events"], constant=constant
    )
    return {**_slack_of(bound), "d_K": dependent_distance(size, third, fourth, sigma, constant)}


def _chain(data: Input) -> dict[str, Any]:
    chain = WindowChain(data["n"], data["m"], data["q"], data["rule"], data["target"])
    found = chain.slack(data["eps"], data["events"], data["model"])
    return {"delta": found.delta, "mean": chain.mean, "variance": chain.variance}


def _mondrian(data: Input) -> dict[str, Any]:
    groups = mondrian(data["rows"], data["k"])
    return {"classes": [list(group) for group in groups], "count": len(groups)}


def _volumes(data: Input) -> dict[str, Any]:
    return {"s": syntactic_volumes(data["volume"], data["neighbours"])}


def _sensitivity(data: Input) -> dict[str, Any]:
    found = syntactic_sensitivity(data["rows"], data["k"], data["volume"], data["additions"])
    return {
        "s": found.largest,
        "per_removal": found.changes.tolist(),
        "per_addition": found.added.tolist(),
    }


_RUNS = {
    "t1_exact": _exact,
    "t1_exact_epsilon": _exact_epsilon,
    "t1_delta_corrected": _corrected,
    "t1_epsilon_corrected": _corrected_epsilon,
    "t1_delta_printed": _count_printed,
    "t1_epsilon_printed": _printed_epsilon,
    "t1_set_release": _set_release,
    "sampling_sound": _sampling,
    "c_prime": _multiplier,
    "gaussian_delta": _gaussian,
    "gaussian_eps_corrected": _gaussian_epsilon,
    "lemma3": _distance,
    "t4_printed": _sum_printed,
    "t4_printed_aggregate": _aggregate,
    "t4_corrected": _recipe,
    "t4_corrected_curve": _curve,
    "sum_exact": _sum,
    "sum_presence_exact": _presence,
    "t5_printed": _dependent_printed,
    "t5_corrected_curve": _dependent,
    "chain_exact": _chain,
    "mondrian": _mondrian,
    "syntactic_volumes": _volumes,
    "syntactic_sensitivity": _sensitivity,
}

KINDS: Kinds = {(kind, None): refusing(run) for kind, run in _RUNS.items()}
