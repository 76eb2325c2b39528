"""What a local explorer promises about a calibrated budget, and which mechanisms it takes for the same."""

import pytest

from pdp_widgets.leakage.local.joint_privacy_loss import joint_privacy_loss
from pdp_widgets.mechanisms.local.local_hashing import OLH
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.models.joint_examples import identical_attributes
from pdp_widgets.widgets.local_late import LateInputs, late_for
from pdp_widgets.widgets.local_results import LocalInputs, results_for


def inputs(mechanism, output):
    return LocalInputs(identical_attributes(), (0, 1, 2), 0, mechanism, output)


@pytest.mark.parametrize("name", ["GRR", "OUE", "SUE", "BLH", "SHE"])
@pytest.mark.parametrize("output", ["raw", "inferred"])
def test_rows_are_safe_where_what_is_released_stays_within_the_goal(name, output):
    mechanism = mechanism_named(name, 1.0)
    given = inputs(mechanism, output)
    found = late_for(results_for(given), LateInputs(given, 1.0)).calibration
    assert [one.key for one in found] == ["spl", "pairwise", "joint"]
    for one in found:
        leaks = max(
            float(joint_privacy_loss(identical_attributes(), k, mechanism.with_epsilon(one.epsilon)).exact)
            for k in range(3)
        )
        if one.safe:
            assert leaks <= 1 + 1e-9
    assert [one.safe for one in found] == [True, False, output == "raw" or name == "GRR"]


def test_budgets_of_one_mechanism_share_a_calibration():
    first = LateInputs(inputs(OLH(1.0, g=2), "raw"), 1.0)
    table = first.inputs.value
    for other, same in ((OLH(3.0, g=2), True), (OLH(1.0, g=50), False)):
        later = LateInputs(LocalInputs(table, (0, 1, 2), 0, other, "raw"), 1.0)
        assert first.same_calibration(later) is same
