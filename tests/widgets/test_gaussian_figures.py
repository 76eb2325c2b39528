"""bqplot figures of Gaussian data: the numbers in them are those of the results."""

from __future__ import annotations

import numpy as np
import pytest

from pdp_widgets import DomainError, GaussianAnalysis, GaussianModel
from pdp_widgets.leakage.gaussian.comparison import Comparison


@pytest.fixture
def analysis() -> GaussianAnalysis:
    return GaussianAnalysis(
        GaussianModel([5, 4, 6], [[1.44, 0.6, -0.59], [0.6, 1, -0.21], [-0.59, -0.21, 1.96]]), [1, 1, -1]
    )


def test_one_adversary_between_its_limits(analysis: GaussianAnalysis) -> None:
    adversary = analysis.adversary(1)
    figure = analysis.plot(1)
    seen = Comparison(adversary)
    lower, upper, promise, _, *pieces, bottom, limit = figure.marks
    assert (lower.labels, upper.labels) == (["if x2 is 4"], ["if x2 is 5"])
    assert np.array_equal(np.stack([lower.y, upper.y]), seen.densities(lower.x))
    assert promise.y.tolist() == [analysis.promise] * 2
    assert limit.y.tolist() == [seen.limit] * 2 == (-bottom.y).tolist()
    assert limit.labels == [f"limit ±{seen.limit:.4g} nats, never attained"]
    # Told apart by their dashes too.
    assert limit.line_style != promise.line_style != "solid"
    curve = np.concatenate([mark.y for mark in pieces])
    assert np.abs(curve).max() < seen.limit
    thick = np.concatenate([mark.y for mark in pieces if mark.stroke_width > 3])
    assert np.abs(thick).max() > analysis.promise
    ratio = limit.scales["y"]
    density = lower.scales["y"]
    zero = -density.min / (density.max - density.min)
    assert zero > (seen.limit - ratio.min) / (ratio.max - ratio.min)
    assert figure.title == "About x2, knowing none"


def test_the_strongest_attains_and_the_determined_has_nothing_to_show(analysis: GaussianAnalysis) -> None:
    assert analysis.plot("x2", ["x1", "x3"]).marks[-1].labels == ["limit ±1 nats, attained"]
    fixed = GaussianAnalysis(GaussianModel(None, [[1, 1], [1, 1]]))
    figure = fixed.plot("x1", "x2")
    assert figure.marks == []
    assert figure.title == "About x1, knowing x2: determined, nothing is left to learn"
    with pytest.raises(DomainError, match="Name the target"):
        fixed.plot(known=["x2"])


def test_every_adversary_has_a_mark(analysis: GaussianAnalysis) -> None:
    promise, below, above = analysis.plot().marks
    assert promise.labels == ["promise M/λ"]
    assert sorted(np.concatenate([below.y, above.y])) == sorted(analysis.exact.ravel())
    assert len(above.y) == analysis.above_promise
