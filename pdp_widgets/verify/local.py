"""Cases on local privacy: mechanisms, one report, all reports of a record, and the paper's comparisons."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pdp_widgets.leakage.local.association import association
from pdp_widgets.leakage.local.budget_calibration import calibrate_budget
from pdp_widgets.leakage.local.comparison_plane import (
    compare_estimates,
    comparison_plane,
    nmse_of_leakages,
    threshold_estimate,
)
from pdp_widgets.leakage.local.joint_privacy_loss import joint_privacy_loss
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.leakage.local.printed_algorithm import printed_calibration
from pdp_widgets.leakage.local.statistical import statistical_leakage
from pdp_widgets.leakage.local.surrogate_test import surrogate_test
from pdp_widgets.leakage.local.utility import compare_utility
from pdp_widgets.mechanisms.local.finite_channel import AnyMechanism, Channel
from pdp_widgets.mechanisms.local.frequency_estimation import expected_nmse
from pdp_widgets.mechanisms.local.histogram_encoding import SHE
from pdp_widgets.mechanisms.local.local_hashing import OLH
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.mechanisms.local.randomised_response import GRR, SS
from pdp_widgets.mechanisms.local.unary_encoding import RAPPOR
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.verify.formats import Input, Kinds, VectorError, numbers

_NAMES = {"eps": "epsilon", "P": "matrix"}


def _local_mechanism(described: Mapping[str, Any]) -> LocalMechanism:
    """Return the mechanism of a case; a prior makes the guess of a noisy histogram a matrix of its own."""
    parameters = {_NAMES.get(key, key): value for key, value in described.items() if key != "name"}
    name = described["name"]
    if name == "BLH" and parameters.pop("g", 2) != 2:
        raise VectorError("BLH has two groups; g is 2")
    prior = parameters.pop("prior", None)
    made = mechanism_named(name, **parameters)
    if prior is None:
        return made
    if not isinstance(made, SHE):
        raise VectorError(f"{name} takes no prior")
    return Channel(made.attack_with_prior(prior))


def _output_of(data: Input) -> Any:
    """Return which output is read; the guess with a prior is a matrix already."""
    mechanism = data["mechanism"]
    return "raw" if "prior" in mechanism else data.get("output", "raw")


def _joint_of(data: Input) -> JointDistribution:
    """Return the joint distribution of a case."""
    return JointDistribution.normalised(data["joint"])


def _channel(data: Input) -> dict[str, Any]:
    mechanism, k = _local_mechanism(data["mechanism"]), data["k"]
    if _output_of(data) == "raw":
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
        found = _local_mechanism(data["mechanism"])
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
    mechanism, k, n = _local_mechanism(data["mechanism"]), data["k"], data["n"]
    variances = mechanism.variance(data["frequencies"], k, n)
    found = {"var": numbers(variances), "expected_nmse": expected_nmse(variances, data["frequencies"])}
    if "support_counts" in data:
        found["estimate"] = numbers(mechanism.frequencies(data["support_counts"], k, n))
    if not isinstance(mechanism, SHE):
        rates = mechanism.support(k)
        found |= {"p_star": rates.p, "q_star": rates.q}
    return found


def _cpl(data: Input) -> dict[str, Any]:
    mechanism = _local_mechanism(data["mechanism"])
    table, conditional = (data["G"], True) if "G" in data else (data["joint"], False)
    found = pair_leakage(table, mechanism, _output_of(data), conditional=conditional)
    return {"L": float(found), "delta_tight": found.delta_tight, "delta_paper": found.delta_paper}


def _table(data: Input) -> dict[str, Any]:
    table = AttributeTable(data["codes"], data["sizes"]).with_missing(data["missing"])
    return {name: numbers(LocalAnalysis(table, name, data["eps"]).matrix) for name in ("generic", "GRR")}


def _tpl(data: Input) -> dict[str, Any]:
    joint, target = _joint_of(data), data["target"]
    mechanisms = [_local_mechanism(one) for one in data["mechanisms"]]
    found = joint_privacy_loss(joint, target, mechanisms, data.get("output", "raw"))
    assert found.exact is not None
    assert found.others is not None
    others = [axis for axis in range(joint.n_tuples) if axis != target]
    return {
        "TPL": float(found.exact),
        "joint_cpl": float(found.others),
        "dpl": found.dpl,
        "pairwise_cpl": {str(axis): float(one) for axis, one in zip(others, found.pairwise, strict=True)},
        "sum_bound": float(found.pairwise_sum),
    }


def _calibration(data: Input) -> dict[str, Any]:
    joint, budget = _joint_of(data), data["budget"]
    return {
        "eps_pairwise_generic": calibrate_budget(joint, budget, AnyMechanism(1.0), method="pairwise").epsilon,
        "eps_spl": calibrate_budget(joint, budget, method="spl").epsilon,
        "eps_joint_GRR": calibrate_budget(joint, budget, GRR(1.0), method="joint").epsilon,
        "printed_algorithm3_step0.01": printed_calibration(joint, budget, 0.01)[0],
    }


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
    analysis = LocalAnalysis(_joint_of(data), "generic", epsilon)
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
    ("channel", None): _channel,
    ("params", None): _params,
    ("frequency", None): _frequency,
    ("cpl", None): _cpl,
    ("table", None): _table,
    ("tpl", None): _tpl,
    ("calibration", None): _calibration,
    ("association", None): _association,
    ("statistical", None): _statistical,
    ("surrogate_test", None): _surrogate_test,
    ("benchmark", None): _benchmark,
}
