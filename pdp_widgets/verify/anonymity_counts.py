"""Cases on counts of selected records: Theorem 1, exact, corrected and as printed."""

from __future__ import annotations

import math
from typing import Any

from pdp_widgets.leakage.noiseless.count_bounds import count_bound, count_bound_epsilon
from pdp_widgets.leakage.noiseless.count_printed import count_printed, count_printed_epsilon
from pdp_widgets.leakage.noiseless.count_slack import count_epsilon, count_slack
from pdp_widgets.leakage.noiseless.sampled_groups import sampled_groups_slack
from pdp_widgets.leakage.noiseless.set_release import set_release_slack
from pdp_widgets.mechanisms.anonymity.selected_count import SelectedCount
from pdp_widgets.verify.anonymity_inputs import or_none, refusing, slack_of
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds

__all__ = ["KINDS"]


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


def _printed(data: Input) -> dict[str, Any]:
    return slack_of(count_printed(data["n"], data["k"], data["p"], data["eps"], data["reading"]))


def _printed_epsilon(data: Input) -> dict[str, Any]:
    found = count_printed_epsilon(
        data["n"], data["k"], data["p"], data["delta"], data["reading"], factor2=data["factor2"]
    )
    return {
        "epsilon": or_none(found.epsilon),
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


KINDS: Kinds = {
    ("t1_exact", None): refusing(_exact),
    ("t1_exact_epsilon", None): refusing(_exact_epsilon),
    ("t1_delta_corrected", None): refusing(_corrected),
    ("t1_epsilon_corrected", None): refusing(_corrected_epsilon),
    ("t1_delta_printed", None): refusing(_printed),
    ("t1_epsilon_printed", None): refusing(_printed_epsilon),
    ("t1_set_release", None): refusing(_set_release),
    ("sampling_sound", None): refusing(_sampling),
}
