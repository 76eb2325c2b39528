"""The cases that the browser's own form is tested against are what Python computes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pdp_widgets.leakage.gaussian.release import LaplaceNormal

CASES = json.loads(
    (Path(__file__).parents[1] / "data" / "laplace-normal-cases.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("kind", ["log_density", "log_ratio", "reaches"])
def test_the_cases_are_those_of_python(kind: str) -> None:
    for case in CASES[kind]:
        noise = LaplaceNormal(case["deviation"], case["scale"])
        if kind == "log_density":
            np.testing.assert_allclose(noise.log_density(case["t"]), case["values"], rtol=1e-12)
        elif kind == "log_ratio":
            ratios = noise.log_ratio(case["r"], case["a"], case["b"])
            np.testing.assert_allclose(ratios, case["values"], rtol=1e-12, atol=1e-12)
        else:
            found = noise.reaches(case["level"], case["distance"])
            assert found is None if case["value"] is None else found == pytest.approx(case["value"], rel=1e-9)
