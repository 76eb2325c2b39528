"""Several numbers released together."""

import json
import math
from importlib.resources import files
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pdp_widgets import (
    AdversaryError,
    JointDistribution,
    LaplaceMechanism,
    LimitError,
    LinearQuery,
    QueryError,
    ScaleError,
    prior_leakage,
)
from pdp_widgets.leakage.prior import joint_release
from pdp_widgets.leakage.prior.joint_release import joint_leakage
from pdp_widgets.mechanisms.histogram_query import HistogramQuery
from tests.conftest import few
from tests.leakage.prior_reference import known_sets, log_sum

COUNTS = JointDistribution.from_counts([[9, 1, 2], [1, 6, 1], [3, 1, 8]])


def vectors():
    text = files("pdp_widgets").joinpath("data", "vectors", "pdp.json").read_text(encoding="utf-8")
    return [case for case in json.loads(text)["cases"] if case["kind"] == "exact_vector"]


@pytest.mark.parametrize("case", vectors(), ids=lambda case: case["id"])
def test_reference_cases(case):
    data, expected = case["input"], case["expected"]
    joint = JointDistribution.from_counts(data["counts"], data["domains"])
    known = dict(zip(data["known"], data["known_values"], strict=True))
    queries = [LinearQuery(contributions) for contributions in data["contribs"]]
    found = joint_leakage(joint, queries, data["lam"], data["target"], known)
    assert float(found) == pytest.approx(expected["leakage"], abs=case["tol"], rel=case["tol"])
    assert [float(one) for one in found.per_coordinate] == pytest.approx(
        expected["per_coordinate"], abs=case["tol"], rel=case["tol"]
    )


def test_there_are_reference_cases():
    assert vectors()


def log_densities(joint, queries, scale, target, known, r):
    """Log densities of a vector, up to a constant, for every feasible label, by enumeration."""
    terms = {}
    for row in product(*(range(d) for d in joint.shape)):
        if joint.table[row] > 0 and all(row[k] == p for k, p in known.items()):
            distance = sum(
                abs(at - sum(float(y[p]) for y, p in zip(query.contributions, row, strict=True)))
                for query, at in zip(queries, r, strict=True)
            )
            terms.setdefault(row[target], []).append((math.log(joint.table[row]), distance / scale))
    return {v: log_sum([w - d for w, d in rows]) - log_sum([w for w, _ in rows]) for v, rows in terms.items()}


def ratio(*arguments):
    logs = log_densities(*arguments).values()
    return max(logs) - min(logs)


@st.composite
def releases(draw):
    """A table of up to three tuples, up to three queries, a scale, a target and its known positions."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    cells = math.prod(sizes)
    weights = draw(st.lists(st.integers(0, 9), min_size=cells, max_size=cells).filter(any))
    joint = JointDistribution.from_counts(np.reshape(weights, sizes))
    number = st.integers(-2, 2) | st.sampled_from([0.1, 0.2, 0.3])
    queries = [
        LinearQuery([draw(st.lists(number, min_size=d, max_size=d)) for d in sizes])
        for _ in range(draw(st.integers(1, 3)))
    ]
    target = draw(st.integers(0, len(sizes) - 1))
    chosen = draw(st.sampled_from(list(known_sets(len(sizes), target))))
    rows = np.argwhere(joint.table > 0)
    row = rows[draw(st.integers(0, len(rows) - 1))]
    return (
        joint,
        queries,
        draw(st.sampled_from([0.05, 0.7, 1.0, 4.0])),
        target,
        {k: int(row[k]) for k in chosen},
    )


@given(releases(), st.integers(0, 2**32 - 1))
def test_no_release_reveals_more_and_one_reveals_as_much(model, seed):
    joint, queries, scale, target, known = model
    found = joint_leakage(joint, queries, scale, target, known)
    near = 1e-9 * max(1.0, float(found))
    if found.leakage.determined:
        assert (float(found), found.r, found.pair) == (0.0, (), None)
        return
    at = log_densities(joint, queries, scale, target, known, found.r)
    more, less = (joint.label_position(target, label) for label in found.pair)
    assert more != less
    assert at[more] - at[less] == pytest.approx(float(found), abs=near)
    rng = np.random.default_rng(seed)
    low = [query.values().min() - 1 for query in queries]
    high = [query.values().max() + 1 for query in queries]
    for r in rng.uniform(low, high, size=(40, len(queries))):
        assert ratio(joint, queries, scale, target, known, r) <= float(found) + near
    for r in np.add(found.r, rng.normal(size=(20, len(queries))) * 0.1):
        assert ratio(joint, queries, scale, target, known, r) <= float(found) + near


def places(joint, query, known):
    """Values of a query at the rows that agree with the known values."""
    rows = product(*(range(d) for d in joint.shape))
    return {
        sum(float(y[p]) for y, p in zip(query.contributions, row, strict=True))
        for row in rows
        if joint.table[row] > 0 and all(row[k] == p for k, p in known.items())
    }


@given(releases())
def test_all_combinations_of_values_by_enumeration(model):
    joint, queries, scale, target, known = model
    grid = [places(joint, query, known) for query in queries]
    assume(math.prod(map(len, grid)) <= 150)
    largest = max(ratio(joint, queries, scale, target, known, r) for r in product(*grid))
    found = joint_leakage(joint, queries, scale, target, known)
    assert float(found) == pytest.approx(largest, abs=1e-10, rel=1e-10)


@few()
@given(st.lists(st.integers(0, 9), min_size=9, max_size=9), st.sampled_from([0.5, 1.0, 2.0]))
def test_a_fine_grid_beside_the_values_comes_close(weights, scale):
    joint = JointDistribution.from_counts(
        np.reshape([w + (k % 4 == 0) for k, w in enumerate(weights)], (3, 3))
    )
    queries = [LinearQuery.count(joint, 0), LinearQuery.count(joint, 1)]
    found = float(joint_leakage(joint, queries, scale, 0))
    axis = np.arange(-0.05, 2.1, 0.1)
    largest = max(ratio(joint, queries, scale, 0, {}, r) for r in product(axis, axis))
    # Each log density changes by at most distance / scale, and every value is 0.05 away in each coordinate.
    assert found - 2 * 2 * 0.05 / scale - 1e-9 <= largest <= found + 1e-9


@given(releases())
def test_order_and_size_of_numbers(model):
    joint, queries, scale, target, known = model
    found = joint_leakage(joint, queries, scale, target, known)
    for query, one in zip(queries, found.per_coordinate, strict=True):
        assert one == prior_leakage(joint, LaplaceMechanism(query, scale), target, known)
        assert float(one) <= float(found) + 1e-9 * max(1.0, float(found))
    if len(queries) == 1:
        assert float(found) == pytest.approx(float(found.per_coordinate[0]), abs=1e-9, rel=1e-12)
    turned = joint_leakage(joint, queries[::-1], scale, target, known)
    assert float(turned) == pytest.approx(float(found), abs=1e-9, rel=1e-10)
    constant = LinearQuery([np.full(d, 7.0) for d in joint.shape])
    wider = joint_leakage(joint, [constant, *queries], scale, target, known)
    assert float(wider) == pytest.approx(float(found), abs=1e-9, rel=1e-10)
    if wider.r:
        assert wider.r[0] == 7.0 * joint.n_tuples


@given(releases())
def test_logarithms_and_products_agree(model):
    joint, queries, scale, target, known = model
    plain = joint_leakage(joint, queries, scale, target, known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joint_release, "LARGEST_EXPONENT", -1.0)
        logarithmic = joint_leakage(joint, queries, scale, target, known)
    assert float(logarithmic) == pytest.approx(float(plain), abs=1e-9, rel=1e-10)
    assert logarithmic.leakage.determined == plain.leakage.determined


@few()
@given(
    st.lists(st.integers(0, 9), min_size=27, max_size=27).filter(any),
    st.sampled_from([0.1, 1.0, 5.0]),
    st.data(),
)
def test_a_histogram_keeps_its_bound(weights, scale, data):
    joint = JointDistribution.from_counts(np.reshape(weights, (3, 3, 3)))
    target = data.draw(st.integers(0, 2))
    known = data.draw(st.sampled_from(list(known_sets(3, target))))
    found = joint_leakage(joint, HistogramQuery.of_labels(joint), scale, target, known, convention="sup")
    assert float(found.bound) == pytest.approx(2 * (3 - len(known)) / scale)
    assert found.bound.status == "bound"
    assert float(found) <= float(found.bound) * (1 + 1e-12)
    singles = []
    for labels in product(range(3), repeat=len(known)):
        given_ = dict(zip(known, labels, strict=True))
        if joint.table[tuple(given_.get(j, slice(None)) for j in range(3))].any():
            singles.append(joint_leakage(joint, found_queries(joint), scale, target, given_))
    assert float(found) == max(map(float, singles))
    assert found.leakage.determined == all(one.leakage.determined for one in singles)
    for b in range(3):
        assert float(found.per_coordinate[b]) == max(float(one.per_coordinate[b]) for one in singles)


def found_queries(joint):
    return list(HistogramQuery.of_labels(joint))


def test_equal_tuples_attain_the_bound():
    joint = JointDistribution(np.diag([0.5, 0.5]), [["no", "yes"]] * 2)
    found = joint_leakage(joint, HistogramQuery.of_labels(joint), 2.0, "x1")
    assert float(found) == pytest.approx(float(found.bound)) == 2.0


def test_together_can_exceed_the_sum_of_each():
    rng = np.random.default_rng(5)
    excess = []
    for _ in range(200):
        joint = JointDistribution.normalised(rng.dirichlet(np.full(9, 0.3)).reshape(3, 3) + 1e-9)
        found = joint_leakage(joint, HistogramQuery.of_labels(joint), 1.0, 0)
        excess.append(float(found) - sum(map(float, found.per_coordinate)))
    assert max(excess) > 0.05
    assert min(excess) < 0


def test_what_is_said_about_it():
    found = joint_leakage(COUNTS, HistogramQuery.of_labels(COUNTS), 1.0, "x1", {"x2": 0})
    assert (found.leakage.status, found.leakage.convention) == ("exact", "instance")
    assert str(found.leakage.about) == "x1, knowing x2 = 0"
    assert str(found.bound.about) == "x1, knowing x2"
    assert found.known == (("x2", 0),)
    assert float(found) == pytest.approx(2.0)
    worst = joint_leakage(COUNTS, HistogramQuery.of_labels(COUNTS), 1.0, "x1", ["x2"], convention="sup")
    assert worst.leakage.convention == "sup"
    assert str(worst.leakage.about) == "x1, knowing x2"
    assert worst.known[0][0] == "x2"
    assert joint_leakage(COUNTS, [LinearQuery.sum(COUNTS)], 1.0, "x1").bound is None


def test_large_leakage_does_not_underflow():
    joint = JointDistribution([[0.5 - 1e-290, 1e-290], [0, 0.5]])
    queries = [LinearQuery([[0, 5000], [0, 0]]), LinearQuery([[0, 0], [0, 3000]])]
    found = joint_leakage(joint, queries, 1.0, 0)
    logs = log_densities(joint, queries, 1.0, 0, {}, found.r)
    assert float(found) == pytest.approx(
        logs[1] - logs[0] if found.pair[0] == 1 else logs[0] - logs[1], rel=1e-12
    )
    assert float(found) > 5000


def test_far_coordinates_of_one_value_cost_nothing():
    constant = LinearQuery([[1, 1, 1], [0, 0, 0]])
    found = joint_leakage(COUNTS, [constant] * 100, 1.0, 0)
    assert (float(found), found.r) == (0.0, (1.0,) * 100)


@pytest.mark.parametrize("many", [12, 60, 500])
def test_too_many_combinations(many):
    joint = JointDistribution(np.full((2,) * 8, 2.0**-8))
    with pytest.raises(
        LimitError, match=r"9 x 9 x 9 x .* GB and about .* s\. The limit is 1\.07 GB"
    ) as caught:
        joint_leakage(joint, [LinearQuery.sum(joint)] * many, 1.0, 0)
    assert caught.value.where.name == "queries"


def test_the_limit_is_a_choice():
    joint = JointDistribution(np.full((2,) * 4, 2.0**-4))
    histogram = HistogramQuery.of_labels(joint)
    with pytest.raises(LimitError, match="5 x 5 values together"):
        joint_leakage(joint, histogram, 1.0, 0, limit=1e-9)
    with pytest.raises(LimitError, match="x1 has 8 combinations of known values"):
        joint_leakage(joint, histogram, 1.0, 0, [1, 2, 3], convention="sup", limit=1e-9)
    assert float(joint_leakage(joint, histogram, 1.0, 0, [1, 2, 3], convention="sup")) == pytest.approx(2)


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (([], 1.0, 0), {}, QueryError, "no queries"),
        (([LinearQuery([[0, 1]])], 1.0, 0), {}, QueryError, "contributions for 1 tuples"),
        ((HistogramQuery.of_labels(COUNTS), 0, 0), {}, ScaleError, "must be positive"),
        ((HistogramQuery.of_labels(COUNTS), 1.0, "x9"), {}, AdversaryError, "no tuple named x9"),
        (
            (HistogramQuery.of_labels(COUNTS), 1.0, 0, {0: 1}),
            {},
            AdversaryError,
            "attacked and known at once",
        ),
        ((HistogramQuery.of_labels(COUNTS), 1.0, 0, {1: 7}), {}, AdversaryError, "7 is not a label"),
        ((HistogramQuery.of_labels(COUNTS), 1.0, 0, [1]), {}, AdversaryError, "come without values"),
        (
            (HistogramQuery.of_labels(COUNTS), 1.0, 0, {1: 0}),
            {"convention": "sup"},
            AdversaryError,
            "without labels",
        ),
        (
            (HistogramQuery.of_labels(COUNTS), 1.0, 0),
            {"convention": "worst"},
            AdversaryError,
            "'instance' or 'sup'",
        ),
    ],
)
def test_faults(arguments, options, error, message):
    with pytest.raises(error, match=message):
        joint_leakage(COUNTS, *arguments, **options)


def test_arguments_of_another_kind():
    with pytest.raises(TypeError, match="give a JointDistribution"):
        joint_leakage(COUNTS.table, HistogramQuery.of_labels(COUNTS), 1.0, 0)
    with pytest.raises(TypeError, match="give a HistogramQuery"):
        joint_leakage(COUNTS, "histogram", 1.0, 0)
