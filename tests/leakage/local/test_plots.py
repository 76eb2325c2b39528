"""Figures of local privacy hold the numbers they are about."""

import math

import bqplot
import numpy as np
import pytest

from pdp_widgets.errors import DomainError
from pdp_widgets.leakage.local.comparison_plane import comparison_plane
from pdp_widgets.leakage.local.leakage_curve import leakage_curve
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.utility import compare_utility
from pdp_widgets.mechanisms.local.randomised_response import GRR
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.counts import titanic


def test_the_heat_map_has_sources_down_and_secrets_across():
    analysis = LocalAnalysis(titanic(), "GRR", 1.0)
    figure = analysis.plot()
    colours = np.array(figure.marks[0].color)
    assert (np.diag(colours) == 0).all()
    off = ~np.eye(4, dtype=bool)
    assert (colours[off] == analysis.matrix[off]).all()
    labels = figure.marks[1]
    shown = {(y, x): text for x, y, text in zip(labels.x, labels.y, labels.text, strict=True)}
    assert shown["class", "sex"] == f"{analysis.matrix[0, 1]:.2f}"
    assert [shown[name, name] for name in analysis.names] == ["–"] * 4
    assert len(shown) == 16
    assert [axis.label for axis in figure.axes] == ["secret", "source"]


def test_many_attributes_and_infinite_leakages_have_a_heat_map():
    codes = np.random.default_rng(1).integers(0, 2, (50, 20))
    assert len(LocalAnalysis(AttributeTable(codes, [2] * 20), "GRR", 1.0).plot().marks) == 1
    endless = LocalAnalysis(np.eye(2) / 2, "GRR", math.inf).plot()
    assert list(endless.marks[1].text) == ["–", "inf", "inf", "–"]


@pytest.mark.parametrize(("table", "lines"), [([[0.5, 0.5], [0.1, 0.9]], 3), ([[1.0, 0.0], [0.2, 0.8]], 2)])
def test_a_curve_with_its_limits(table, lines):
    curve = leakage_curve(table, GRR(1.0), [0.0, 1.0, 2.0, 4.0, math.inf])
    figure = curve.plot()
    assert figure.marks[0].x.tolist() == [0.0, 1.0, 2.0, 4.0]
    assert figure.marks[0].y.tolist() == curve.values[:4].tolist()
    assert len(figure.marks) == lines
    if lines == 3:
        assert set(figure.marks[2].y) == {curve.saturation}


def texts(marks):
    return [text for mark in marks if isinstance(mark, bqplot.Label) for text in mark.text]


def scatters(marks):
    return [mark for mark in marks if isinstance(mark, bqplot.Scatter)]


def test_planes_have_a_point_for_each_way():
    plane = comparison_plane(titanic(), 1.0)
    marks = plane.plot().marks
    (points,) = scatters(marks)
    assert list(points.x) == [point.under for point in plane.points]
    assert list(points.y) == [point.over for point in plane.points]
    assert all(point.name in ", ".join(texts(marks)) for point in plane.points)
    comparison = compare_utility(titanic(), 1.0)
    for error, value in (("frequency", "frequency_nmse"), ("0-1", "error01")):
        marks = comparison.plot(error).marks
        for mark, output in zip(scatters(marks), ("raw", "inferred"), strict=True):
            wanted = [p for p in comparison.points if p.output == output]
            assert list(mark.y) == [getattr(p, value) for p in wanted]
            assert list(mark.x) == [p.normalised for p in wanted]
            assert mark.labels == [output]
        named = [name for text in texts(marks) for name in text.split(", ")]
        # A report that is a symbol is its own guess: both points lie in one place, and the name stands once.
        once = {"GRR", "EXP"}
        counts = {name: named.count(name) for name in {p.mechanism.name for p in comparison.points}}
        assert {name: counts[name] for name in once} == dict.fromkeys(once, 1)
        assert all(1 <= count <= 2 for count in counts.values())
        assert counts["OUE"] == 2
        assert len(named) == sum(counts.values())
    with pytest.raises(DomainError, match="error is 'mean'"):
        comparison.plot("mean")


def test_nothing_to_draw():
    nothing = compare_utility(titanic().table, 1.0, ["GRR"])
    assert nothing.plot().marks == []
    assert len(scatters(nothing.plot("0-1").marks)) == 2
