"""Reports that no memory holds are refused, and budgets at the end of the floats give no warnings."""

import math
import warnings

import numpy as np
import pytest

from pdp_widgets import BLH, GRR, OLH, OUE, SHE, SS, SUE
from pdp_widgets.errors import LimitError

MECHANISMS = [BLH, GRR, OLH, OUE, SHE, SS, SUE]


@pytest.mark.parametrize("kind", MECHANISMS)
def test_any_number_of_symbols_is_released_or_refused(kind):
    # Hashes and single symbols are small; else a number for each symbol would take terabytes.
    if kind in (OUE, SUE, SHE, SS):
        with pytest.raises(LimitError, match="GB; at most 4 GB are made") as caught:
            kind(1.0).release([0, 1, 2], k=10**12, rng=1)
        assert caught.value.where.name == "k"
    else:
        assert kind(1.0).release([0, 1, 2], k=10**12, rng=1).n == 3
    assert kind(1.0).release([0, 1, 2], k=10, rng=1).n == 3


@pytest.mark.parametrize("kind", MECHANISMS)
@pytest.mark.parametrize("epsilon", [5e-324, 1e-310, 1e-308, 1e-300])
def test_the_least_budgets_release_and_count_without_warnings(kind, epsilon):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mechanism = kind(epsilon)
        reports = mechanism.release(np.arange(20) % 4, k=4, rng=1)
        found = mechanism.frequencies(reports)
        mechanism.variance([0.25] * 4, 4, 20)
        assert found.shape == (4,)
        if kind is SHE and math.isinf(mechanism.scale):
            assert np.isnan(found).all()
            assert np.isinf(reports.values).all()
