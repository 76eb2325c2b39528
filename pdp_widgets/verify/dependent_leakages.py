"""Cases on dependent tuples: coefficients, exact leakage, and the adversary who knows most."""

from __future__ import annotations

from typing import Any

from pdp_widgets.leakage.dependent.budget import laplace_scale
from pdp_widgets.leakage.dependent.coefficients import dependence_coefficients
from pdp_widgets.leakage.dependent.known_sets import worst_adversary
from pdp_widgets.leakage.dependent.least_scale import least_scale
from pdp_widgets.leakage.dependent.promise_report import promise_report
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage
from pdp_widgets.verify.dependent_inputs import joint_of, pair_of, query_of
from pdp_widgets.verify.documents import Input, VectorError
from pdp_widgets.verify.formats import Kinds
from pdp_widgets.verify.inputs import numbers

__all__ = ["CALLS", "KINDS"]


def _coefficients(data: Input) -> dict[str, Any]:
    joint, scale = pair_of(data), data["sigma"]
    span = float(joint.diameters[1])
    found = {
        f"rho_{kind}": float(dependence_coefficients(joint, scale, kind)[0, 1])
        for kind in ("exact", "mean", "eq18", "eq18_per_term")
    }
    return found | {"delta_d": span, "r": found["rho_exact"] * span / scale}


def _leakage(data: Input) -> dict[str, Any]:
    found = dependent_leakage(joint_of(data), query_of(data["query"]), data["sigma"], data.get("known", ()))
    values = [float(one) for one in found]
    return {"per_tuple": values, "max": max(values)}


def _largest(data: Input) -> float:
    return float(_leakage(data)["max"])


def _worst(data: Input) -> dict[str, Any]:
    return {"max": float(worst_adversary(joint_of(data), query_of(data["query"]), data["sigma"]))}


def _report(data: Input) -> dict[str, Any]:
    joint, epsilon = joint_of(data), data["epsilon"]
    # All tuples are one block here, and L is given apart.
    everyone = [tuple(range(joint.n))]
    if data["L"] != joint.n:
        raise VectorError(f"L is {data['L']}; all {joint.n} tuples are one block in these cases")
    keys = ("lpm", "baseline", "dpm_exact", "dpm_eq18", "dpm_mean")
    found = promise_report(joint, query_of(data["query"]), epsilon, keys, everyone)
    return {
        "delta_q": numbers(found.sensitivities),
        "sigma": dict(zip(keys, numbers(found.scales), strict=True)),
        "leakage": dict(zip(keys, numbers(found.largest), strict=True)),
        "lpm_leakage_per_tuple": numbers(found.of("lpm")),
    }


def _calibrate(data: Input) -> dict[str, Any]:
    found = least_scale(joint_of(data), query_of(data["query"]), data["epsilon"])
    return {"sigma_exact": found.scale, "sigma_with_floor": found.with_floor}


KINDS: Kinds = {
    ("rho", None): _coefficients,
    ("leakage", None): _leakage,
    ("worst_adversary", None): _worst,
    ("report", None): _report,
    ("calibrate", None): _calibrate,
}
#: What cases at the edge call.
CALLS = {
    "leakage": _largest,
    "lpm_sigma": lambda data: laplace_scale(data["delta_q"], data["epsilon"]),
    "dpm_sigma": lambda data: laplace_scale(data["ds"], data["epsilon"]),
}
