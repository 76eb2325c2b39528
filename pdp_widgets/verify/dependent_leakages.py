"""Cases on dependent tuples: coefficients, exact leakage, and the adversary who knows most."""

from __future__ import annotations

from typing import Any

from pdp_widgets.leakage.dependent.coefficients import dependence_coefficients
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage
from pdp_widgets.verify.dependent_inputs import joint_of, pair_of, query_of
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds

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


KINDS: Kinds = {("rho", None): _coefficients, ("leakage", None): _leakage}
#: What cases at the edge call.
CALLS = {"leakage": _largest}
