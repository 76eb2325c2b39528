"""Pictures and tables of numbers and labels of any size: drawn without NaN, or refused in words."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import (
    GaussianAnalysis,
    GaussianExplorer,
    GaussianModel,
    JointDistribution,
    JointTable,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    PriorExplorer,
    WeightedHierarchicalGraph,
)
from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.adversary_figures import graph_figure
from pdp_widgets.leakage.prior.edge_weights import correlation
from pdp_widgets.publish.figures import figure
from pdp_widgets.publish.latex_models import distribution_latex
from pdp_widgets.widgets.graph_digest import GraphDigest
from pdp_widgets.widgets.graph_search import Search
from tests.conftest import few
from tests.publish.figure_subjects import of

amounts = st.one_of(
    st.sampled_from([0.0, 5e-324, 1e-310, 1e-200, 1e-20, 0.3, 1.0, 7.0, 1e18, 1e160, 1e300, 1.7e308]),
    st.floats(0, 1.7e308, allow_subnormal=True),
)
signed = st.builds(lambda x, negative: -x if negative else x, amounts, st.booleans())
labels = st.one_of(signed, st.integers(-5, 5), st.sampled_from([10**400, -(10**400), True, "a"]))


def sound(shown) -> None:
    """Nothing in a picture is NaN or infinite."""
    numbers = re.sub(r"<(style|title|text|desc)\b.*?</\1>", "", shown.svg, flags=re.DOTALL)
    assert not re.search(r"[\"' ,-](nan|inf)\b", numbers.lower())


def words_of(function, *given):
    """Return why something is refused, empty when it is not; no other exception may be raised."""
    try:
        function(*given)
    except PdpError as fault:
        return str(fault)
    return ""


@st.composite
def tables(draw):
    domains = [draw(st.lists(labels, min_size=2, max_size=3, unique=True)) for _ in range(2)]
    weights = [[draw(st.sampled_from([0.0, 1e-300, 1.0, 2.0])) for _ in domains[1]] for _ in domains[0]]
    weights[0][0] = 1.0
    return JointDistribution.normalised(weights, domains)


@few()
@given(tables(), st.booleans(), amounts, st.data())
def test_any_labels_can_be_shown(joint, counted, scale, data):
    sound(figure(of(joint)))
    assert "nan" not in distribution_latex(joint).lower()

    def explored():
        label = data.draw(st.sampled_from(joint.domains[0]))
        query = LinearQuery.count(joint, label) if counted else LinearQuery.sum(joint)
        analysis = PriorAnalysis(joint, LaplaceMechanism(query, scale))
        shown(analysis)

    def shown(analysis):
        assert np.isfinite(analysis.exact).all()
        for target in range(joint.n_tuples):
            sound(figure(of(analysis, target=target), "all"))

    refused = words_of(explored)
    reasons = "label .* (is text|too large)|must be positive|too small|too large"
    assert refused == "" or re.search(reasons, refused)


@given(st.lists(signed, min_size=3, max_size=3), st.lists(signed, min_size=3, max_size=3), st.integers(0, 99))
def test_a_correlation_has_no_unit(x, y, seed):
    weights = np.random.default_rng(seed).random((3, 3, 1))
    found = correlation(weights, np.array(x), np.array(y))
    assert found is None or -1 <= found <= 1


@given(st.sampled_from([-1000, -600, 600, 1000]), st.integers(0, 99))
def test_a_correlation_is_the_same_in_every_unit(power, seed):
    rng = np.random.default_rng(seed)
    weights, x, y = rng.random((3, 3, 1)), rng.normal(size=3), rng.normal(size=3)
    assert correlation(weights, x * 2.0**power, y) == correlation(weights, x, y)


@few()
@given(st.lists(st.lists(amounts, min_size=4, max_size=4), min_size=3, max_size=3), amounts)
def test_a_graph_of_any_leakages_is_drawn(exact, promise):
    graph = WeightedHierarchicalGraph(["a", "b", "c"], exact, promise=promise)
    sound(figure({"graph": lambda: graph_figure(graph, None, ())}))
    digest = GraphDigest(graph)
    counts = np.array([layer.counts for layer in digest.layers])
    assert counts.sum() == graph.exact.size
    assert (counts >= 0).all()
    assert digest.page(Search()).count == graph.exact.size


@few()
@given(st.lists(amounts, min_size=1, max_size=3), st.lists(signed, min_size=3, max_size=3), st.floats(-1, 1))
def test_a_matrix_of_any_size_is_drawn(deviations, means, rho):
    n = len(deviations)
    deviations = np.minimum(deviations, 1e150)
    with np.errstate(under="ignore"):
        cov = np.outer(deviations, deviations) * np.where(np.eye(n), 1.0, abs(rho))

    def shown():
        sound(figure({"matrix": GaussianModel(means[:n], cov).cells}))

    refused = words_of(shown)
    assert refused == "" or "must be" in refused


@pytest.mark.parametrize("large", [1e160, 1e300, 10**400, 10**5000], ids=["1e160", "1e300", "400", "5000"])
def test_large_labels_keep_their_correlation_or_are_names(large):
    joint = JointDistribution([[0.4, 0.1], [0.1, 0.4]], [[0, large], [0, 1]])
    text = JointTable(joint).snapshot().html
    assert ("Correlation" in text, "Association" in text) == (large < 1e301, large > 1e301)
    assert "0.600" in text
    assert ("+0.600" in text) == (large < 1e301)
    assert ("integer of about" in text) == (large > 10**1000)


def test_a_leakage_about_a_label_too_long_to_be_written_is_written():
    joint = JointDistribution([[0.4, 0.1], [0.1, 0.4]], [[0, 10**5000], [0, 1]])
    analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.count(joint, 0), 1.0))
    for found in (analysis.largest, analysis.node("x2", ["x1"])):
        assert repr(found).startswith("Leakage(value=")
        assert "inf" not in str(found)
    assert "<an integer of about 5001 digits>" in repr(analysis.node("x1").attained)
    assert repr(analysis.node("x2").attained.pair) in repr(analysis.node("x2"))


#: Attributes that say where something is or how large.
PLACES = {"d", "points", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "width", "height"}
PLACES |= {"transform", "viewBox", "style", "font-size", "offset"}
ENDS = (1e308, 1e301, 1e160, 1e17, 1e-17, 1e-160, 1e-300, 1e-308, 1e-310, 5e-324)
COV = np.array([[1.4, 0.6, 0.3], [0.6, 1, 0.4], [0.3, 0.4, 1]])
RARE = JointDistribution([[0.5 - 1e-308, 1e-308], [1e-310, 0.5 - 1e-310]])


def unsound(svg: str) -> list[str]:
    """Return what is no number: anywhere in places, as a word in other attributes and in texts."""
    found, word = [], r"\b(nan|inf|infinity|undefined|null)\b"
    for element in ElementTree.fromstring(svg).iter():
        for name, value in element.attrib.items():
            if re.search("nan|inf|undefined" if name in PLACES else word, value, re.IGNORECASE):
                found.append(f"{name}={value}")
        found += [text for text in (element.text, element.tail) if re.search(word, text or "", re.IGNORECASE)]
    return found


def labelled(large: float) -> JointDistribution:
    return JointDistribution([[0.4, 0.1], [0.1, 0.4]], [[0, large], [0, 1]])


def prior(joint: JointDistribution, scale: float, **options: Any) -> PriorAnalysis:
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), scale), **options)


RESULTS: dict[str, Callable[[float], Any]] = {
    "prior": lambda scale: prior(labelled(2), scale),
    "worst case": lambda scale: prior(labelled(2), scale, convention="sup"),
    "rare cells": lambda scale: prior(RARE, scale),
    "large labels": lambda scale: prior(labelled(1e300), scale),
    "small labels": lambda scale: prior(labelled(1e-300), scale),
    "gaussian": lambda scale: GaussianAnalysis(GaussianModel([5, 4, 4.5], COV), scale=scale),
    "change": lambda change: GaussianAnalysis(GaussianModel([5, 4, 4.5], COV), max_change=change),
    "large": lambda scale: GaussianAnalysis(GaussianModel([5, 4, 4.5], COV * 1e300), scale=scale),
    "small": lambda scale: GaussianAnalysis(GaussianModel([5, 4, 4.5], COV * 1e-300), scale=scale),
    "small change": lambda change: GaussianAnalysis(
        GaussianModel([5, 4, 4.5], COV * 1e-300), max_change=change
    ),
    "prior explorer": lambda scale: PriorExplorer(labelled(2), scale=scale, show_paper=True, threshold=scale),
    "gaussian explorer": lambda scale: GaussianExplorer(
        GaussianModel([5, 4, 4.5], COV), scale=scale, threshold=scale
    ),
}


@pytest.mark.parametrize("made", RESULTS)
def test_a_picture_of_any_numbers_holds_numbers(made: str) -> None:
    accepted = []
    for size in ENDS:
        with contextlib.suppress(PdpError):
            accepted.append((size, RESULTS[made](size)))
    assert len(accepted) > 2
    for size, result in (accepted[0], accepted[-1]):
        if made.endswith("explorer"):
            pictures = [result.snapshot()]
        else:
            pictures = [figure(of(result, threshold=1e300), "all"), figure(of(result, threshold=1e-300))]
        for picture in pictures:
            assert unsound(picture.svg) == [], size


def test_the_check_finds_what_it_looks_for() -> None:
    found = unsound('<svg><path d="M1,nanL2"/><text id="r = inf" class="inform">Infinity</text></svg>')
    assert len(found) == 3
