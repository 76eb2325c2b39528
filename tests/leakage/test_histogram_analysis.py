"""All adversaries of a whole histogram, against each one asked for by itself."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import (
    AdversaryError,
    HistogramQuery,
    InstanceError,
    JointDistribution,
    LimitError,
    LinearQuery,
    QueryError,
    VectorLaplaceMechanism,
    lsat6,
)
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior import releases
from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis
from pdp_widgets.leakage.prior.joint_release import check_joint_work, joint_exact_all
from pdp_widgets.prior import joint_leakage
from tests.conftest import few
from tests.leakage.prior_reference import known_sets


def table(shape: tuple[int, ...], seed: int, zeros: float = 0.0) -> JointDistribution:
    rng = np.random.default_rng(seed)
    weights = rng.random(shape) ** 3 * (rng.random(shape) >= zeros)
    weights[(0,) * len(shape)] += 0.1
    return JointDistribution.normalised(weights)


def analysed(joint: JointDistribution, scale: float, convention: str = "instance") -> HistogramAnalysis:
    mechanism = VectorLaplaceMechanism(HistogramQuery.of_labels(joint), scale)
    return HistogramAnalysis(joint, mechanism, [d[0] for d in joint.domains], convention)


@few()
@given(
    shape=st.sampled_from([(2,), (2, 3), (2, 2, 2), (3, 2, 3), (1, 3, 2)]),
    seed=st.integers(0, 99),
    zeros=st.sampled_from([0.0, 0.5]),
    scale=st.sampled_from([0.002, 0.5, 3.0]),
    convention=st.sampled_from(["instance", "sup"]),
)
def test_every_adversary_as_asked_alone(
    shape: tuple[int, ...], seed: int, zeros: float, scale: float, convention: str
) -> None:
    joint = table(shape, seed, zeros)
    analysis = analysed(joint, scale, convention)
    n = len(shape)
    for i in range(n):
        for known in map(sorted, known_sets(n, i)):
            asked = known if convention == "sup" else {k: joint.domains[k][0] for k in known}
            alone = joint_leakage(joint, analysis.mechanism.queries, scale, i, asked, convention=convention)
            at = i, column(n, i, known)
            tolerance = 1e-11 * max(1.0, 4 * n / scale)
            assert analysis.exact[at] == pytest.approx(float(alone), abs=tolerance)
            found = analysis.release(i, known)
            assert float(found) == analysis.exact[at]
            assert found.leakage.about == alone.leakage.about
            assert (found.leakage.status, found.leakage.convention) == ("exact", convention)
            assert found.leakage.determined == analysis.determined[at] == alone.leakage.determined
            assert float(found.bound) == pytest.approx(analysis.group_bounds[at])
            assert analysis.exact[at] <= analysis.group_bounds[at] + tolerance
            if found.r and scale > 0.1:
                # The place that is named really has this leakage.
                at_values = dict(analysis.known_positions(i, known))
                labels = {k: joint.domains[k][p] for k, p in at_values.items()}
                there = joint_leakage(joint, analysis.mechanism.queries, scale, i, labels)
                assert float(there) == pytest.approx(analysis.exact[at], abs=tolerance)


def test_logarithms_and_products_agree() -> None:
    joint = table((2, 3, 2), 4, 0.3)
    for convention in ("instance", "sup"):
        plain = analysed(joint, 1.0, convention)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(releases, "needs_logarithms", lambda *_: True)
            logs = analysed(joint, 1.0, convention)
        np.testing.assert_allclose(logs.exact, plain.exact, rtol=0, atol=1e-12)


def test_bins_together_leak_more_than_promised_for_one_count() -> None:
    analysis = analysed(lsat6(), 1.0)
    assert analysis.promise == 2.0
    largest = analysis.largest
    assert (largest.status, largest.unit, largest.convention) == ("exact", "nats", "instance")
    assert "several numbers" in largest.source
    assert float(largest) == analysis.exact.max() > 2.0
    assert analysis.above_promise == np.count_nonzero(analysis.exact > 2.0 + 1e-9)
    graph = analysis.graph()
    assert graph.paper is graph.increments is None
    assert analysis.group_bounds.max() == 10.0 == float(analysis.group_bound(0))
    frame = analysis.to_dataframe()
    assert len(frame) == 80
    assert frame.attrs["status"] == {"exact": "exact", "group_bound": "bound"}
    assert analysis.to_networkx().number_of_nodes() == 80
    assert analysis.plot().axes[1].label == "leakage, nats"


def test_it_is_a_value() -> None:
    analysis = analysed(table((2, 2), 1), 1.0, "sup")
    again = pickle.loads(pickle.dumps(analysis))
    assert again == analysis
    assert hash(again) == hash(analysis)
    assert analysis != analysed(table((2, 2), 1), 1.0)
    for array in (analysis.exact, again.exact, again.determined, again.group_bounds):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    assert "2 bins" in repr(analysis)


def test_what_is_wrong_is_named() -> None:
    joint = table((2, 2), 1)
    mechanism = VectorLaplaceMechanism(HistogramQuery.of_labels(joint), 1.0)
    assert mechanism.query == HistogramQuery.of_labels(joint)
    with pytest.raises(TypeError, match="give a VectorLaplaceMechanism"):
        HistogramAnalysis(joint, "bins")  # type: ignore[arg-type]
    with pytest.raises(AdversaryError, match="convention is 'worst'"):
        HistogramAnalysis(joint, mechanism, convention="worst")
    with pytest.raises(InstanceError):
        HistogramAnalysis(joint, mechanism, [0, 7])
    no_bins = VectorLaplaceMechanism([LinearQuery.sum(joint), LinearQuery.sum(joint)], 1.0)
    with pytest.raises(QueryError, match="no histogram"):
        HistogramAnalysis(joint, no_bins)
    with pytest.raises(QueryError):
        HistogramAnalysis(table((2, 3), 1), mechanism)
    with pytest.raises(AdversaryError):
        HistogramAnalysis(joint, mechanism).node(0, [0])


def test_too_much_is_refused_with_what_it_would_take() -> None:
    joint = table((6,) * 5, 3)
    mechanism = VectorLaplaceMechanism(HistogramQuery.of_labels(joint), 1.0)
    with pytest.raises(
        LimitError, match=r"6 x 6 x 6 x 6 x 6 x 6 = 46,656 combinations of 6 released numbers"
    ):
        joint_exact_all(joint, mechanism, limit=0.5)
    assert check_joint_work(joint, mechanism, limit=math.inf) > 0.5
    many = JointDistribution(np.full(13, 1 / 13))
    bins = VectorLaplaceMechanism(HistogramQuery.of_labels(many), 1.0)
    assert check_joint_work(many, bins) < 1.0
    wide = table((2,) * 16, 1)
    binary = VectorLaplaceMechanism(HistogramQuery.of_labels(wide), 1.0)
    with pytest.raises(LimitError, match="15 tuples"):
        joint_exact_all(wide, binary, convention="sup", limit=1e9)


def test_progress_ends_with_the_whole_and_can_cancel() -> None:
    joint = table((2,) * 6, 2)
    mechanism = VectorLaplaceMechanism(HistogramQuery.of_labels(joint), 1.0)
    told: list[float] = []
    HistogramAnalysis(joint, mechanism, progress=told.append)
    assert told[-1] == 1.0

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        HistogramAnalysis(joint, mechanism, progress=stop)
