"""Cases on the release that costs least: by linear program, for batches, and in closed form."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.mechanisms.sequence.closed_forms import constant_cost
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
from pdp_widgets.mechanisms.sequence.distances import distance_matrix
from pdp_widgets.mechanisms.sequence.optimal_response import OptimalResponse
from pdp_widgets.verify.documents import Input, VectorError
from pdp_widgets.verify.formats import Kinds

__all__ = ["KINDS"]


def _optimum(data: Input) -> dict[str, Any]:
    belief, distance, epsilon = data["b"], data["D"], data["eps"]
    step = OptimalResponse(epsilon, distance).channel(belief)
    if not step.valid:
        raise VectorError(f"the optimum leaks {step.leakage}, more than {epsilon}")
    printed = ConditionalResponse(epsilon)
    found = {
        "cost": step.cost,
        "crr_cost": printed.channel(belief, distance).cost,
        "crr_is_valid": printed.valid(belief),
        "constant_cost": constant_cost(np.array(belief), distance_matrix(distance, len(belief))),
    }
    return found | ({"per_symbol_cost": step.cost / data["w"]} if "w" in data else {})


def _uniform(data: Input) -> dict[str, Any]:
    n, epsilon = data["n"], data["eps"]
    belief = [1 / n] * n
    printed = ConditionalResponse(epsilon).channel(belief)
    return {
        "cost": OptimalResponse(epsilon).channel(belief).cost,
        "crr_cost": printed.cost,
        "crr_leakage": printed.leakage,
    }


KINDS: Kinds = {
    ("lp_optimum", None): _optimum,
    ("batch_optimum", None): _optimum,
    ("uniform_hamming_optimum", None): _uniform,
}
