"""Input at the ends of what numbers can be: each gives a result or an error that names the culprit."""

import math
import warnings

import pytest

from pdp_widgets import GRR, JointDistribution, surrogate_test
from pdp_widgets.errors import LimitError, ReplicatedRecordsWarning
from pdp_widgets.leakage.local.pair_interval import pair_interval

SMALL = [[9, 3], [4, 8]]


@pytest.mark.parametrize("mechanism", [None, GRR(1.0)])
def test_more_records_than_tables_are_drawn_for_are_refused(mechanism):
    most = [[1 << 28, 1 << 28], [1 << 28, 1 << 28]]
    assert 0 < surrogate_test(most, mechanism, surrogates=5, rng=1).p_value <= 1
    most[0][0] += 1
    with pytest.raises(LimitError, match="counts have 1,073,741,825 records"):
        surrogate_test(most, mechanism, surrogates=5, rng=1)


def test_repeats_count_among_the_records_drawn_for():
    with pytest.warns(ReplicatedRecordsWarning), pytest.raises(LimitError, match="repeats"):
        surrogate_test(SMALL, GRR(1.0), unit="replicate", repeats=1 << 30, surrogates=5, rng=1)


@pytest.mark.parametrize("many", [10**7 + 1, 2**63, 10**400])
def test_too_many_surrogates_are_refused(many):
    with pytest.raises(LimitError, match="number of surrogates"):
        surrogate_test(SMALL, GRR(1.0), surrogates=many, rng=1)


def test_an_interval_of_leakages_that_can_be_infinite():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = pair_interval(
            JointDistribution.from_counts([[5, 0], [0, 1]]),
            GRR(math.inf),
            method="bootstrap",
            draws=200,
            rng=1,
        )
        assert found.interval == (0.0, math.inf)
        mixed = pair_interval(
            JointDistribution.from_counts([[50, 0], [3, 60]]),
            GRR(math.inf),
            method="bootstrap",
            draws=41,
            rng=1,
        )
    low, high = mixed.interval
    assert 0 <= low <= high
