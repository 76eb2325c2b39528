"""The browser's Gaussian leakages keep the digits that Python's keep, in any units."""

from __future__ import annotations

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
from pdp_widgets.models.gaussian_model import GaussianModel
from tests.leakage.test_gaussian_units import models
from tests.publish.browser_numbers import answers


@settings(max_examples=4, deadline=None, phases=[Phase.generate])
@given(st.lists(models(), min_size=60, max_size=100))
def test_leakages_in_any_units_are_those_of_python(cases):
    asked = [
        {"cov": cov.ravel(), "weights": weights, "scale": 2.0, "maxChange": 3.0} for cov, weights in cases
    ]
    for (cov, weights), answer in zip(cases, answers([["gaussianLeakages", asked]])[0], strict=True):
        exact, determined = gaussian_exact_all(GaussianModel(None, cov), weights, 2.0, 3.0)
        assert [bool(flag) for flag in answer["determined"]] == determined.ravel().tolist()
        found = np.reshape(answer["exact"], exact.shape)
        assert np.allclose(found, exact, rtol=1e-12, atol=0.0), (cov.tolist(), weights)
