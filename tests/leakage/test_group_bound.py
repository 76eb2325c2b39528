"""The group bound."""

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pdp_widgets import AdversaryError, JointDistribution, LaplaceMechanism, LinearQuery, exact_all
from pdp_widgets.leakage.adversary import known_of
from pdp_widgets.leakage.prior.group_bound import node_bounds
from pdp_widgets.prior import PriorAdversary, group_bound
from tests.publish.browser_numbers import answers

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


@st.composite
def releases(draw):
    """Tables with zeros, tuples that are copies among them, and scales from tiny to huge."""
    shape = draw(st.sampled_from([(2,), (2, 2), (3, 2), (2, 2, 2), (2, 3, 2)]))
    weights = draw(st.lists(st.sampled_from([0, 1, 1, 2, 7]), min_size=int(np.prod(shape)), max_size=12))
    table = np.resize(np.array(weights, dtype=float), shape)
    if draw(st.booleans()) or not table.any():
        table = np.zeros(shape)
        table[(0,) * len(shape)], table[(1,) * len(shape)] = draw(st.sampled_from([(1, 1), (1, 3), (1, 1e6)]))
    joint = JointDistribution.normalised(table)
    step = draw(st.sampled_from([1.0, 0.1, 1 / 3]))
    query = LinearQuery([step * np.array([draw(st.integers(-3, 3)) for _ in range(d)]) for d in shape])
    scale = draw(st.sampled_from([1e-3, 0.7, 1.0, 1e6, 1e12, 1e15, 1e18, 1e100]))
    return joint, LaplaceMechanism(query, scale)


@given(releases(), st.sampled_from(["instance", "sup"]))
def test_no_exact_leakage_is_above_its_bound_not_even_by_rounding(release, convention):
    joint, mechanism = release
    values, _ = exact_all(joint, mechanism, convention=convention)
    assert (values <= node_bounds(mechanism)).all()
    for i in range(joint.n_tuples):
        for c in range(values.shape[1]):
            known = known_of(joint.n_tuples, i, c)
            bound = group_bound(mechanism, i, known).value
            assert values[i, c] <= bound
            row = joint.most_probable()
            alone = PriorAdversary(joint, mechanism, i, {k: row[k] for k in known}).leakage.value
            assert alone <= bound


@given(
    st.lists(st.lists(st.floats(0.01, 1), min_size=2, max_size=3), min_size=2, max_size=4),
    st.sampled_from([1e-2, 0.3, 1.0, 1e9]),
)
def test_in_the_worst_case_nothing_leaks_where_there_is_nothing(masses, scale):
    # Independent tuples, and the query does not ask for the first one.
    table = np.array(1.0)
    for weights in masses:
        table = np.multiply.outer(table, np.array(weights) / sum(weights))
    joint = JointDistribution.normalised(table)
    query = LinearQuery([[0.0] * d if j == 0 else 0.1 * np.arange(d) for j, d in enumerate(joint.shape)])
    values, _ = exact_all(joint, LaplaceMechanism(query, scale), convention="sup")
    assert values[0].tolist() == [0.0] * values.shape[1]


@settings(max_examples=4, deadline=None, phases=[Phase.generate])
@given(st.lists(st.tuples(releases(), st.booleans()), min_size=30, max_size=50))
def test_neither_is_one_that_a_page_computes(cases):
    asked = [
        [
            "prior",
            {
                "shape": joint.shape,
                "entries": joint.table.ravel(),
                "contributions": [y.tolist() for y in mechanism.query.contributions],
                "scale": mechanism.scale,
            },
            None if worst else joint.position(joint.most_probable()),
            0,
            [],
        ]
        for (joint, mechanism), worst in cases
    ]
    for ((_, mechanism), _), answer in zip(cases, answers(asked), strict=True):
        bounds = node_bounds(mechanism)
        assert (np.reshape(answer["exact"], bounds.shape) <= bounds).all()
        assert answer["node"]["value"] <= bounds[0, 0]
