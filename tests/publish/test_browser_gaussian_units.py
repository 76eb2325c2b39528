"""The browser's Gaussian leakages keep the digits that Python's keep, in any units."""

from __future__ import annotations

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pdp_widgets import GaussianExplorer
from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
from pdp_widgets.models.gaussian_model import GaussianModel
from tests.leakage.test_gaussian_units import models
from tests.publish.browser_numbers import answers
from tests.publish.test_browser_numbers import _followed


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


def test_a_page_refuses_what_python_refuses_in_the_same_words():
    model = GaussianModel([0, 1], [[1, 0.5], [0.5, 1]], names=["Ann", "Bob"])
    wrong = [
        {"weights": np.array([1.0, 1e200]).tobytes(), "query": "weights"},
        {"max_change": 1e305},
        {"scale": 1e-310},
        {"scale": 1e308},
        {"cov": np.array([1, 0, 0, 1e-305]).tobytes()},
        {"cov": np.array([1, 0.5, 0.5, -1e-12]).tobytes()},
        {"cov": np.array([1e20, 0, 0, -1]).tobytes(), "scale": 1e-310},
    ]
    runs = [_followed(GaussianExplorer(model), iter([request, {"threshold": 0.5}])) for request in wrong]
    found = answers([["gaussianViews", *first, sent] for first, sent, _ in runs])
    for pages, (_, _, views) in zip(found, runs, strict=True):
        for page, view in zip(pages, views, strict=True):
            assert view["fault"] is not None
            assert page["fault"]["text"] == view["fault"]["text"]
            assert page["fault"]["where"] == view["fault"]["where"]
            assert page["current"] == view["current"] is False
            assert page["results"]["weights"] == list(view["results"]["weights"])
