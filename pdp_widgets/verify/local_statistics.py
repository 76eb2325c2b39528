"""Cases on association, leakages read off counts, their significance, and the paper's comparisons."""

from __future__ import annotations

import re
from typing import Any

from pdp_widgets.leakage.local.association import association
from pdp_widgets.leakage.local.comparison_plane import (
    compare_estimates,
    comparison_plane,
    nmse_of_leakages,
    threshold_estimate,
)
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.statistical import statistical_leakage
from pdp_widgets.leakage.local.surrogate_test import surrogate_test
from pdp_widgets.leakage.local.utility import compare_utility
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds
from pdp_widgets.verify.inputs import numbers
from pdp_widgets.verify.local_inputs import joint_of

__all__ = ["KINDS"]

_THRESHOLD = re.compile(r"GRF\(([0-9.]+),(component|edge)\)")


def _association(data: Input) -> dict[str, Any]:
    found = association(data["joint"])
    return {
        "mi_nats": found.mutual_information,
        "pcc_codes": found.correlation,
        **{f"nmi_{name}": value for name, value in found.nmi.items()},
    }


def _statistical(data: Input) -> dict[str, Any]:
    return {"L": float(statistical_leakage(data["counts"], data["alpha"]))}


def _surrogate_test(data: Input) -> dict[str, Any]:
    found = surrogate_test(data["counts"], surrogates=data["surrogates"], rng=1)
    return {"L": float(found.leakage), "p_exact": found.p_value}


class _Comparisons(dict[str, Any]):
    """Results in which a key ``GRF(threshold,mode)`` is computed when a case asks for it."""

    def __init__(self, results: dict[str, Any], analysis: LocalAnalysis, epsilon: float) -> None:
        super().__init__(results)
        plane = comparison_plane(analysis, epsilon, thresholds=())
        self._reference, self._correlations = plane.reference, plane.correlations
        self._epsilon = epsilon
        self["reference"], self["pcc"] = numbers(plane.reference), numbers(plane.correlations)
        for point in plane.points:
            self[point.name.split()[0]] = _point(point)

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or (isinstance(key, str) and bool(_THRESHOLD.fullmatch(key)))

    def __missing__(self, key: str) -> Any:
        threshold, mode = _THRESHOLD.fullmatch(key).groups()  # type: ignore[union-attr]
        estimate = threshold_estimate(
            self._correlations, float(threshold), self._epsilon, "edge" if mode == "edge" else "component"
        )
        return _point(compare_estimates(key, estimate, self._reference, self._epsilon))


def _point(point: Any) -> dict[str, Any]:
    return {"under": point.under, "over": point.over, "region": point.region}


def _benchmark(data: Input) -> dict[str, Any]:
    epsilon = data["eps"]
    analysis = LocalAnalysis(joint_of(data), "generic", epsilon)
    utility = compare_utility(analysis, epsilon, ["GRR", "EXP"])
    return _Comparisons(
        {
            "TCPL_star": utility.reference,
            "norm_TCPL": {
                point.mechanism.name: point.normalised for point in utility.points if point.output == "raw"
            },
            "NMSE_CPL_GRR_vs_generic": nmse_of_leakages(
                analysis.released_by("GRR", epsilon).matrix, analysis.matrix
            ),
        },
        analysis,
        epsilon,
    )


KINDS: Kinds = {
    ("association", None): _association,
    ("statistical", None): _statistical,
    ("surrogate_test", None): _surrogate_test,
    ("benchmark", None): _benchmark,
}
