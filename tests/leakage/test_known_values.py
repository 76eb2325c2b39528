"""Known tuples with values: honoured where values are asked for, refused where they would be lost."""

import numpy as np
import pytest

from pdp_widgets import (
    AdversaryError,
    DependenceAnalysis,
    DependenceExplorer,
    GaussianAnalysis,
    GaussianModel,
    HistogramQuery,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    VectorLaplaceMechanism,
    WHGGraph,
    dependent_leakage,
    lsat6,
    prior_leakage,
)
from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.prior import HistogramAnalysis, PriorAdversary, joint_leakage, leakage_interval

JOINT = lsat6().marginal(["item 1", "item 2", "item 5"])
QUERY = LinearQuery.sum(JOINT)
RELEASE = LaplaceMechanism(QUERY, 1)
ROW = PriorAnalysis(JOINT, RELEASE, [0, 1, 0])
WORST = PriorAnalysis(JOINT, RELEASE, convention="sup")
#: What draws one adversary when it is told whose.
DRAWN = (
    ROW,
    ROW.graph(),
    GaussianAnalysis(GaussianModel([0, 0, 0], np.eye(3), names=JOINT.names), scale=1),
    HistogramAnalysis(JOINT, VectorLaplaceMechanism(HistogramQuery.of_labels(JOINT), 1)),
)


@pytest.mark.parametrize("analysis", [ROW, WORST], ids=["instance", "sup"])
@pytest.mark.parametrize("known", [{"item 2": "banana"}, {"item 2": 1}])
def test_an_analysis_takes_tuples_without_values(analysis, known):
    for ask in (
        analysis.node,
        analysis.adversary,
        analysis.interval,
        analysis.paper_node,
        analysis.group_bound,
        analysis.complete_path_minimum,
        analysis.intervals(draws=2).node,
        lambda target, known: analysis.joint_leakage([QUERY], target, known),
        lambda target, known: analysis.edge(target, "item 5", known),
        lambda target, known: Adversary.of(JOINT, target, known),
        analysis.graph().node,
        lambda target, known: WHGGraph(analysis.graph(), target=target, known=known),
        *(lambda target, known, of=of: of._figures(target, known)["graph"]() for of in DRAWN),
        *(of.plot for of in DRAWN[::2]),
        lambda _, known: dependent_leakage(JOINT, "sum", 1.0, known),
        lambda _, known: DependenceAnalysis(JOINT, known=known),
        lambda _, known: DependenceExplorer(JOINT, known=known),
    ):
        with pytest.raises(
            AdversaryError, match=r"come with values.*Name the tuples alone, \['item 2'\]"
        ) as caught:
            ask("item 1", known)
        assert caught.value.where.name == "known"


def test_values_count_where_they_are_asked_for():
    known = {"item 2": 0}
    expected = float(prior_leakage(JOINT, RELEASE, "item 1", known))
    assert expected != float(ROW.node("item 1", ["item 2"]))
    assert float(PriorAdversary(JOINT, RELEASE, "item 1", known).leakage) == expected
    assert float(leakage_interval(JOINT, RELEASE, "item 1", known, draws=2)) == expected
    assert float(joint_leakage(JOINT, [QUERY], 1, "item 1", known)) == pytest.approx(expected, rel=1e-12)
    assert str(ROW.calibrate(1, adversaries=("item 1", known)).leakage.about) == "item 1, knowing item 2 = 0"


def test_a_name_alone_is_the_adversary_who_knows_none():
    alone, spelled = (ROW.calibrate(1, adversaries=a) for a in ("item 1", ("item 1", ())))
    assert (alone.scale, str(alone.leakage.about)) == (spelled.scale, "item 1, knowing none")
    assert ROW.calibrate(1, adversaries=["item 1", "item 5"]).scale >= alone.scale
    assert WORST.calibrate(1, adversaries="item 1").scale == pytest.approx(alone.scale)
