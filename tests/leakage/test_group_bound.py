"""The group bound."""

import numpy as np
import pytest

from pdp_widgets import AdversaryError, LaplaceMechanism, LinearQuery, group_bound
from pdp_widgets.leakage.adversary import known_of
from pdp_widgets.leakage.prior.group_bound import node_bounds

MECHANISM = LaplaceMechanism(LinearQuery([[0, 1], [0, -4], [0, 0, 2.5]]), 0.5)


def test_sum_of_what_is_not_known():
    found = group_bound(MECHANISM, 0, [1])
    assert (found.value, found.status, found.convention) == (7.0, "bound", "sup")
    assert float(group_bound(MECHANISM, 0, [1], loose=True)) == 16.0
    assert "Eq. 16" in found.source
    assert found.about.target == "x1"


def test_node_array_holds_the_bound_of_every_adversary():
    bounds = node_bounds(MECHANISM)
    for i in range(3):
        for c in range(4):
            assert bounds[i, c] == pytest.approx(float(group_bound(MECHANISM, i, known_of(3, i, c))))
    np.testing.assert_allclose(node_bounds(LaplaceMechanism(LinearQuery([[0, 3]]), 2)), [[1.5]])


@pytest.mark.parametrize(
    ("target", "known", "message"),
    [
        (3, [], "no tuple 3; positions run from 0 to 2"),
        (0, [7], "no tuple 7"),
        (-1, [], "start at 0"),
        (0, [-2], "start at 0"),
        (0, [0], "attacked and known at once"),
        (0, [1, 1], "named twice"),
        ("x1", [], "'x1' is no position.*PriorAnalysis.group_bound by name"),
        (0, ["x2"], "'x2' is no position"),
        (0, "x2", "'x2' is no position"),
        (True, [], "True is no position"),
        (0, [1.5], "1.5 is no position"),
    ],
)
def test_faults(target, known, message):
    with pytest.raises(AdversaryError, match=message):
        group_bound(MECHANISM, target, known)
