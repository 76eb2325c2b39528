"""bqplot figures: the numbers in them are those of the results."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from pdp_widgets import (
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    PriorAdversary,
    PriorAnalysis,
    PriorExplorer,
)
from pdp_widgets.widgets.figures import plot_adversary, plot_layers


@pytest.fixture
def analysis(joint: JointDistribution) -> PriorAnalysis:
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.5))


def test_every_adversary_has_a_mark_in_its_layer(analysis: PriorAnalysis) -> None:
    figure = plot_layers(analysis, show_paper=True)
    promise, below, above, paper = figure.marks
    assert promise.y.tolist() == [analysis.promise] * 2
    drawn = np.concatenate([below.y, above.y])
    assert sorted(drawn) == sorted(analysis.exact.ravel())
    assert len(above.y) == analysis.above_promise
    assert sorted(paper.y) == sorted(analysis.paper.ravel())
    assert sorted(np.round(np.concatenate([below.x, above.x]))) == [1] * 3 + [2] * 6 + [3] * 3
    assert [axis.label for axis in figure.axes] == [
        "tuples not known, the attacked one included",
        "leakage (nats)",
    ]


def test_one_adversary_has_its_densities_and_its_log_ratio(analysis: PriorAnalysis) -> None:
    adversary = analysis.adversary("Cy", ["Ann"])
    figure = plot_adversary(adversary)
    labels = len(adversary.feasible)
    for mark, label in zip(figure.marks[:labels], adversary.feasible, strict=True):
        assert np.array_equal(mark.y, adversary.density(label, mark.x))
        assert mark.labels == [f"if Cy is {label}"]
    upper, lower, *pieces, peak = figure.marks[labels:]
    assert upper.y.tolist() == [analysis.promise] * 2
    assert lower.y.tolist() == [-analysis.promise] * 2
    assert peak.y.tolist() == [adversary.leakage.value]
    assert peak.x.tolist() == [adversary.leakage.attained.r]
    curve = np.concatenate([mark.y for mark in pieces])
    assert curve.max() == pytest.approx(adversary.leakage.value, abs=1e-12)
    thick = [mark.y for mark in pieces if mark.stroke_width > 3]
    assert bool(thick) == (adversary.leakage.value > analysis.promise)
    # The halves do not touch: 0 of the densities lies above the largest log ratio.
    density, ratio = figure.marks[0].scales["y"], peak.scales["y"]
    zero = -density.min / (density.max - density.min)
    assert zero > (adversary.leakage.value - ratio.min) / (ratio.max - ratio.min)


def test_a_determined_target_has_densities_only() -> None:
    joint = JointDistribution([[0.5, 0], [0, 0.5]])
    adversary = PriorAdversary(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), "x1", {"x2": 0})
    figure = plot_adversary(adversary)
    assert len(figure.marks) == 1
    assert [axis.label for axis in figure.axes] == ["released number r", "density of r"]


def test_results_and_explorers_plot(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint, target="Bob", known=["Cy"])
    title = explorer.plot().title
    known = joint.most_probable()[2]
    assert title == f"About Bob, knowing Cy = {known}"
    assert explorer.results.plot().title == "What every adversary learns"
    assert explorer.results.plot("Bob", ["Cy"]).title == title


def test_bqplot_is_imported_when_a_figure_is_made() -> None:
    imports = "import sys, pdp_widgets.widgets.prior_explorer, pdp_widgets.widgets.figures"
    code = f"{imports}; print('bqplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
