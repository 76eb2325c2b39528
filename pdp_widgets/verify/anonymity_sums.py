"""Cases on sums of records and on the steps of their theorems: exact, corrected and as printed."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.leakage.noiseless.dependent_bounds import dependent_bound, dependent_distance
from pdp_widgets.leakage.noiseless.dependent_printed import dependent_printed
from pdp_widgets.leakage.noiseless.gaussian_step import (
    gaussian_delta,
    gaussian_epsilon,
    printed_gaussian_epsilon,
    step_multiplier,
    tail_point,
)
from pdp_widgets.leakage.noiseless.normal_distance import normal_distance
from pdp_widgets.leakage.noiseless.slack import epsilons_of
from pdp_widgets.leakage.noiseless.sum_bounds import sum_bound, sum_recipe
from pdp_widgets.leakage.noiseless.sum_printed import PrintedSlack, sum_printed, sum_printed_aggregate
from pdp_widgets.leakage.noiseless.sum_slack import presence_slack, sum_slack
from pdp_widgets.leakage.noiseless.window_chain import WindowChain
from pdp_widgets.verify.anonymity_inputs import law_of, or_none, refusing, slack_of, sum_of
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds

__all__ = ["KINDS"]


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
    found = normal_distance(sum_of(data["records"]), data["scale"])
    return {
        "printed": found.printed,
        "corrected": found.bound,
        "exact": found.exact,
        "printed_holds": found.printed_holds,
    }


def _printed(data: Input) -> dict[str, Any]:
    return _as_printed(
        sum_printed(sum_of(data["records"]), data["s"], data["k"], data["eps1"], data["denominator"])
    )


def _aggregate(data: Input) -> dict[str, Any]:
    return _as_printed(
        sum_printed_aggregate(*(data[name] for name in ("T", "V", "B2", "s", "k", "eps1", "n_eff")))
    )


def _as_printed(found: PrintedSlack) -> dict[str, Any]:
    return {**slack_of(found), "c_prime": or_none(found.multiplier), "epsilon": or_none(found.epsilon)}


def _recipe(data: Input) -> dict[str, Any]:
    found = sum_recipe(sum_of(data["records"]), data["shift"], data["delta1"], data["events"])
    return {**slack_of(found.slack), "epsilon": found.slack.epsilon, "L": found.ratio}


def _curve(data: Input) -> dict[str, Any]:
    records, shift, epsilon, events = sum_of(data["records"]), data["shift"], data["eps"], data["events"]
    bound = sum_bound(records, shift, epsilon, events)
    return {**slack_of(bound), "exact": sum_slack(records, shift, epsilon, events).delta}


def _sum(data: Input) -> dict[str, Any]:
    shift = data["v"] - data["u"]
    return {"delta": sum_slack(sum_of(data["records"]), shift, data["eps"], data["events"]).delta}


def _presence(data: Input) -> dict[str, Any]:
    records, target = sum_of(data["records"]), law_of(data["target"])
    return {"delta": presence_slack(records, target, data["eps"], data["events"]).delta}


def _dependent_printed(data: Input) -> dict[str, Any]:
    names = ("lambda1", "S3", "R4", "sigma", "n_eff", "eps", "reading", "lambda2")
    return slack_of(dependent_printed(*(data[name] for name in names)))


def _dependent(data: Input) -> dict[str, Any]:
    size, third, fourth, sigma = (data[name] for name in ("D", "abs3", "m4", "sigma"))
    constant = data["constant"]
    bound = dependent_bound(
        size, third, fourth, sigma, data["shift"], data["eps"], data["events"], constant=constant
    )
    return {**slack_of(bound), "d_K": dependent_distance(size, third, fourth, sigma, constant)}


def _chain(data: Input) -> dict[str, Any]:
    chain = WindowChain(data["n"], data["m"], data["q"], data["rule"], data["target"])
    found = chain.slack(data["eps"], data["events"], data["model"])
    return {"delta": found.delta, "mean": chain.mean, "variance": chain.variance}


KINDS: Kinds = {
    ("c_prime", None): refusing(_multiplier),
    ("gaussian_delta", None): refusing(_gaussian),
    ("gaussian_eps_corrected", None): refusing(_gaussian_epsilon),
    ("lemma3", None): refusing(_distance),
    ("t4_printed", None): refusing(_printed),
    ("t4_printed_aggregate", None): refusing(_aggregate),
    ("t4_corrected", None): refusing(_recipe),
    ("t4_corrected_curve", None): refusing(_curve),
    ("sum_exact", None): refusing(_sum),
    ("sum_presence_exact", None): refusing(_presence),
    ("t5_printed", None): refusing(_dependent_printed),
    ("t5_corrected_curve", None): refusing(_dependent),
    ("chain_exact", None): refusing(_chain),
}
