"""Cases on local mechanisms: their channels, parameters and frequency estimates."""

from __future__ import annotations

from typing import Any

from pdp_widgets.mechanisms.local.frequency_estimation import expected_nmse
from pdp_widgets.mechanisms.local.histogram_encoding import SHE
from pdp_widgets.mechanisms.local.local_hashing import OLH
from pdp_widgets.mechanisms.local.subset_selection import SS
from pdp_widgets.mechanisms.local.unary_encoding import RAPPOR
from pdp_widgets.verify.documents import Input, VectorError
from pdp_widgets.verify.formats import Kinds
from pdp_widgets.verify.inputs import numbers
from pdp_widgets.verify.local_inputs import local_mechanism, output_of

__all__ = ["KINDS"]


def _channel(data: Input) -> dict[str, Any]:
    mechanism, k = local_mechanism(data["mechanism"]), data["k"]
    if output_of(data) == "raw":
        return {"P": numbers(mechanism.channel(k))}
    found = mechanism.inferred(k)
    return {
        "keep": found.keep,
        "other": found.other,
        "log_ratio": found.log_ratio,
        "error01": found.error01,
        "P": numbers(found.matrix()),
    }


def _params(data: Input) -> dict[str, Any]:
    name = data["mechanism"]["name"]
    if name == "RAPPOR":
        found = local_mechanism(data["mechanism"])
        assert isinstance(found, RAPPOR)
        return {
            "p_star": found.p_star,
            "q_star": found.q_star,
            "rho": found.ratio(2),
            "eps_one_report": found.promise(2),
            "eps_permanent": found.permanent_epsilon,
            "eps_one_report_max_over_f": found.most_epsilon,
        }
    if name == "SS":
        return {
            "omega_floor": [SS(epsilon).subset_size(k) for k, epsilon in data["cases"]],
            "omega_rint": [SS(epsilon).nearest_subset_size(k) for k, epsilon in data["cases"]],
        }
    if name == "OLH":
        return {"g": [OLH(epsilon).groups for epsilon in data["eps"]]}
    raise VectorError(f"{name} has no derived parameters")


def _frequency(data: Input) -> dict[str, Any]:
    mechanism, k, n = local_mechanism(data["mechanism"]), data["k"], data["n"]
    variances = mechanism.variance(data["frequencies"], k, n)
    found = {"var": numbers(variances), "expected_nmse": expected_nmse(variances, data["frequencies"])}
    if "support_counts" in data:
        found["estimate"] = numbers(mechanism.frequencies(data["support_counts"], k, n))
    if not isinstance(mechanism, SHE):
        rates = mechanism.support(k)
        found |= {"p_star": rates.p, "q_star": rates.q}
    return found


KINDS: Kinds = {
    ("channel", None): _channel,
    ("params", None): _params,
    ("frequency", None): _frequency,
}
