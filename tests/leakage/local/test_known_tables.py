"""Published values on the survey that comes with the package, and on the paper's small table."""

import math
from itertools import combinations

import numpy as np
import pytest

from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.models.joint_examples import identical_attributes, parity, two_attributes
from pdp_widgets.models.surveys import anes96


@pytest.fixture(scope="module")
def survey():
    return anes96()


def test_party_and_vote(survey):
    analysis = LocalAnalysis(survey, "generic", 1.0)
    assert analysis.pair("party", "vote").value == pytest.approx(0.811, abs=5e-4)
    assert analysis.pair("vote", "party").value == pytest.approx(0.945, abs=5e-4)
    assert analysis.largest.about.target == "party"


def test_the_printed_sum_is_no_bound_on_real_data(survey):
    """20 of the 105 triples of a secret and two others leak more than Eq. 6 says."""
    analysis = LocalAnalysis(survey, "GRR", 1.0)
    triples = [(k, pair) for k in range(7) for pair in combinations([j for j in range(7) if j != k], 2)]
    found = [analysis.joint(k, pair, exact=True) for k, pair in triples]
    assert len(found) == 105
    assert sum(not one.sum_holds for one in found) == 20
    for one in found:
        assert float(one.lower) <= float(one.exact) <= float(one.joint_bound) <= float(one.composition)


def test_the_papers_two_attributes():
    """Appendix K and Table III, whose printed values are those of a sample."""
    for epsilon, printed in ((0.5, 0.2810), (1.0, 0.6203), (2.0, 1.4340)):
        analysis = LocalAnalysis(two_attributes(), "GRR", epsilon)
        values = sorted(analysis.matrix[[0, 1], [1, 0]])
        assert values[1] == pytest.approx(epsilon, abs=1e-12)
        assert values[0] == pytest.approx(math.log((1 + math.exp(epsilon)) / 2), abs=1e-12)
        assert values[0] == pytest.approx(printed, abs=5e-4)
    (measures,) = LocalAnalysis(two_attributes(), "GRR", 1.0).associations().values()
    assert measures.nmi["joint"] == pytest.approx(0.1649, abs=5e-5)
    assert measures.correlation == pytest.approx(0.357, abs=5e-4)


def test_examples_without_and_with_everything_to_tell():
    assert LocalAnalysis(parity(), "GRR", 1.0).total == 0
    assert np.allclose(LocalAnalysis(identical_attributes(3), "GRR", 1.0).matrix, 1 - np.eye(3))
    assert float(LocalAnalysis(identical_attributes(3), "GRR", 1.0).joint(0).exact) == pytest.approx(3.0)
