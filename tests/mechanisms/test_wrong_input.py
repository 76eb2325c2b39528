"""What queries and mechanisms refuse, and that the message shows the way."""

import re

import numpy as np
import pytest

import pdp_widgets
from pdp_widgets import (
    JointDistribution,
    LaplaceMechanism,
    LimitError,
    LinearQuery,
    PriorAnalysis,
    QueryError,
    ScaleError,
    TableError,
    prior_leakage,
)
from pdp_widgets.prior import PriorAdversary

JOINT = JointDistribution([[0.4, 0.1], [0.2, 0.3]])
QUERY = LinearQuery.sum(JOINT)


def test_text_labels_come_with_a_call_that_works():
    joint = JointDistribution(JOINT.table, [["yes", "no"], [0, 1]], ["smoker", "ill"])
    with pytest.raises(QueryError, match=r"contributions of smoker: yes, no; ill: 0, 1") as caught:
        LinearQuery.sum(joint)
    call = str(caught.value).split("for example ")[1]
    eval(call, {"LinearQuery": LinearQuery}).check_fits(joint)


def test_weights_given_as_contributions():
    with pytest.raises(QueryError, match=r"tuple 0 are not a list but the number 1; .*LinearQuery\.weighted"):
        LinearQuery([1, 2, 3])


@pytest.mark.parametrize("contributions", [None, 5, "ab", {(0, 1)}])
def test_contributions_that_are_no_list(contributions):
    with pytest.raises(QueryError, match="give one list for each tuple"):
        LinearQuery(contributions)


def test_masked_contributions():
    with pytest.raises(TableError, match="entry at 1 of the contributions of tuple 1 is masked"):
        LinearQuery([[0, 1], np.ma.array([0, 1], mask=[0, 1])])


@pytest.mark.parametrize("name", ["\ud800", None, 5])
def test_names_of_queries(name):
    with pytest.raises(QueryError, match="name of the query is"):
        LinearQuery([[0, 1]], name=name)


@pytest.mark.parametrize("weights", ["12", {1, 2}, None, 5])
def test_weights_that_are_no_list(weights):
    with pytest.raises(QueryError, match="weights are not a list of numbers"):
        LinearQuery.weighted(JOINT, weights)


def test_tables_of_values_too_large_to_be_made():
    with pytest.raises(LimitError, match="8,589,934,592 cells"):
        LinearQuery([[0, 1]] * 33).values()
    with pytest.raises(LimitError, match="70 axes"):
        LinearQuery([[0, 1]] * 70).values()


@pytest.mark.parametrize("scale", [np.bool_(True), True, "1", 10**400, None])
def test_scales_of_another_kind(scale):
    with pytest.raises(ScaleError, match="The scale is"):
        LaplaceMechanism(QUERY, scale)


def test_a_budget_is_no_scale():
    said = r"no keyword 'epsilon'; accepted are query, scale\. .*scale = sensitivity / epsilon"
    with pytest.raises(TypeError, match=said):
        LaplaceMechanism(QUERY, epsilon=1)
    for kind in (pdp_widgets.PriorExplorer, pdp_widgets.GaussianExplorer, pdp_widgets.GaussianAnalysis):
        with pytest.raises(TypeError, match=r"no keyword 'epsilon'; .*its scale: scale = sensitivity / eps"):
            kind(None, epsilon=1)
    with pytest.raises(AttributeError, match=r"no attribute 'epsilon'; .*its scale: scale = sensitivity"):
        pdp_widgets.PriorExplorer(pdp_widgets.lsat6()).epsilon = 1
    with pytest.raises(TypeError, match=r"layout\.$"):
        pdp_widgets.JointTable(None, epsilon=1)


@pytest.mark.parametrize(
    ("call", "give"),
    [
        (lambda: LaplaceMechanism("sum", 1), "LinearQuery.sum(model)"),
        (lambda: pdp_widgets.VectorLaplaceMechanism("sum", 1), "HistogramQuery.of_labels(model)"),
        (lambda: pdp_widgets.VectorLaplaceMechanism(["sum"], 1), "LinearQuery.sum(model)"),
        (lambda: pdp_widgets.HistogramQuery("sum"), "HistogramQuery.of_labels(model)"),
        (lambda: pdp_widgets.calibrate(pdp_widgets.lsat6(), "sum", 1.0), "LinearQuery.sum(model)"),
    ],
)
def test_a_name_as_explorers_take_it_is_no_query(call, give):
    with pytest.raises(TypeError, match=rf"'sum'.*; give .*{re.escape(give)}"):
        call()


def test_a_query_or_its_name_is_no_release():
    for wrong in ("sum", QUERY):
        with pytest.raises(TypeError, match=r"mechanism is a .*LaplaceMechanism\(LinearQuery\.sum\(model\)"):
            pdp_widgets.PriorAnalysis(pdp_widgets.lsat6(), wrong)


@pytest.mark.parametrize(
    "call",
    [
        lambda: LinearQuery.sum(None),
        lambda: PriorAnalysis(JOINT.table, LaplaceMechanism(QUERY, 1)),
        lambda: PriorAnalysis(JOINT, 1.0),
        lambda: PriorAdversary(JOINT, None, "x1"),
        lambda: prior_leakage(JOINT.table, LaplaceMechanism(QUERY, 1), "x1"),
        lambda: prior_leakage(JOINT, QUERY, "x1", [], convention="sup"),
    ],
)
def test_arguments_of_another_kind(call):
    with pytest.raises(TypeError, match=r"The (distribution|mechanism) is a .*; give a "):
        call()


def test_values_are_made_once():
    mechanism = LaplaceMechanism(QUERY, 1)
    for made, again in ((QUERY, ([[0, 9]],)), (mechanism, (QUERY, 9))):
        with pytest.raises(AttributeError, match="cannot be changed"):
            made.__init__(*again)
    assert mechanism.scale == 1


def test_priors_are_read_only():
    adversary = PriorAdversary(JOINT, LaplaceMechanism(QUERY, 1), "x1")
    assert not adversary.prior.flags.writeable


def test_dir_lists_public_names_only():
    topics = {"prior", "gaussian", "local", "dependent", "streams", "anonymity", "places", "networks"}
    assert set(dir(pdp_widgets)) == {*pdp_widgets.__all__, *topics, "errors", "examples"}
