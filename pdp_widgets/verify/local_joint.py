"""Cases on all reports of a record together, and on budgets that keep them within a limit."""

from __future__ import annotations

from typing import Any

from pdp_widgets.leakage.local.budget_calibration import calibrate_budget
from pdp_widgets.leakage.local.joint_privacy_loss import joint_privacy_loss
from pdp_widgets.leakage.local.printed_algorithm import printed_calibration
from pdp_widgets.mechanisms.local.any_mechanism import AnyMechanism
from pdp_widgets.mechanisms.local.randomised_response import GRR
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds
from pdp_widgets.verify.local_inputs import joint_of, local_mechanism

__all__ = ["KINDS"]


def _tpl(data: Input) -> dict[str, Any]:
    joint, target = joint_of(data), data["target"]
    mechanisms = [local_mechanism(one) for one in data["mechanisms"]]
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
    joint, budget = joint_of(data), data["budget"]
    return {
        "eps_pairwise_generic": calibrate_budget(joint, budget, AnyMechanism(1.0), method="pairwise").epsilon,
        "eps_spl": calibrate_budget(joint, budget, method="spl").epsilon,
        "eps_joint_GRR": calibrate_budget(joint, budget, GRR(1.0), method="joint").epsilon,
        "printed_algorithm3_step0.01": printed_calibration(joint, budget, 0.01)[0],
    }


KINDS: Kinds = {("tpl", None): _tpl, ("calibration", None): _calibration}
