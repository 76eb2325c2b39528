"""Very large, very small and very uneven input: results stay finite, bounded and consistent."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from pdp_widgets import (
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    ScaleError,
    WeightedHierarchicalGraph,
)
from tests.leakage.prior_reference import known_sets

WEIGHTS = st.sampled_from([0.0, 5e-324, 1e-300, 1e-100, 1e-12, 0.1, 1.0, 1e12, 1e300])
CONTRIBUTIONS = st.sampled_from(
    [0.0, 5e-324, 1e-150, 0.1, 0.2, 0.1 + 0.2, 0.3, 1.0, -1.0, 1e8, 1e8 + 1, -1e150, 1e150]
)
SCALES = st.sampled_from([5e-324, 1e-300, 1e-9, 1e-3, 0.1, 1.0, 1e3, 1e9, 1e300])


@given(
    st.sampled_from([(1,), (2,), (2, 2), (2, 3), (1, 2), (2, 2, 2), (3, 2, 2)]),
    st.data(),
    SCALES,
    st.booleans(),
)
def test_results_are_finite_and_agree(shape, data, scale, offset):
    size = math.prod(shape)
    weights = data.draw(st.lists(WEIGHTS, min_size=size, max_size=size))
    assume(any(weights))
    joint = JointDistribution.normalised(np.reshape(weights, shape))
    query = LinearQuery(
        [np.array(data.draw(st.lists(CONTRIBUTIONS, min_size=d, max_size=d))) + 7 * offset for d in shape]
    )
    try:
        mechanism = LaplaceMechanism(query, scale)
    except ScaleError:
        with np.errstate(over="ignore"):
            assert not np.isfinite(np.float64(query.local_sensitivities.sum()) / np.float64(scale))
        return
    analysis = PriorAnalysis(joint, mechanism)
    assert np.isfinite(analysis.exact).all()
    assert np.isfinite(analysis.paper).all()
    # The common list of releases spans the whole range: a few roundings of range / scale are its accuracy.
    rounding = 1e-14 * float(analysis.group_bounds.max())
    slack = 1e-9 * np.maximum(1.0, analysis.group_bounds) + rounding
    assert (analysis.exact >= 0).all()
    assert (analysis.exact <= analysis.group_bounds + slack).all()
    assert not analysis.exact[analysis.determined].any()
    n = joint.n_tuples
    for i in range(n):
        for known in known_sets(n, i):
            array = analysis.graph().node(i, known)
            one = analysis.adversary(i, known)
            assert array.exact == pytest.approx(one.leakage.value, rel=1e-9, abs=1e-9 + rounding)
            assert array.determined == one.leakage.determined
            assert one.posterior([-1.0, 0.0, 1e300]).sum(axis=-1) == pytest.approx(1.0)
    assert isinstance(analysis.graph(with_paper=True), WeightedHierarchicalGraph)


@given(st.floats(1e-300, 1e300), st.floats(1e-6, 1e6))
@example(1e-300, 1e6)
def test_only_the_ratio_of_contribution_and_scale_counts(unit, promise):
    """Promise and leakage of two correlated tuples in any unit of the query."""
    scale = unit / promise
    assume(0 < scale < 1e300)
    joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery([[0, unit], [0, unit]]), scale))
    plain = PriorAnalysis(joint, LaplaceMechanism(LinearQuery([[0, 1], [0, 1]]), 1 / promise))
    np.testing.assert_allclose(analysis.exact, plain.exact, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(analysis.paper, plain.paper, rtol=1e-9, atol=1e-12)


def test_tenths_give_the_same_as_whole_numbers():
    rng = np.random.default_rng(2)
    joint = JointDistribution.normalised(rng.random((2, 3, 2, 2)))
    tenths = [[0, 0.1], [0.2, 0.3, 0.1 + 0.2 + 0.3], [0.3, 0.1], [0, 0.2]]
    whole = [[0, 1], [2, 3, 6], [3, 1], [0, 2]]
    a = PriorAnalysis(joint, LaplaceMechanism(LinearQuery(tenths), 0.1))
    b = PriorAnalysis(joint, LaplaceMechanism(LinearQuery(whole), 1.0))
    np.testing.assert_allclose(a.exact, b.exact, atol=1e-12)
    np.testing.assert_allclose(a.paper, b.paper, atol=1e-12)
    assert len(a.adversary(0).mixtures()[0].centres) == len(b.adversary(0).mixtures()[0].centres)
