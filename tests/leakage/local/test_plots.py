"""Figures of local privacy hold the numbers they are about."""

import math

import numpy as np
import pytest

from pdp_widgets.errors import DomainError
from pdp_widgets.leakage.local.comparison_plane import comparison_plane
from pdp_widgets.leakage.local.leakage_curve import leakage_curve
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.utility import compare_utility
from pdp_widgets.mechanisms.local.randomised_response import GRR
from pdp_widgets.models.counts import titanic


def test_the_heat_map_has_sources_down_and_secrets_across():
    analysis = LocalAnalysis(titanic(), "GRR", 1.0)
    figure = analysis.plot()
    colours = np.array(figure.marks[0].color)
    assert np.isnan(np.diag(colours)).all()
    off = ~np.eye(4, dtype=bool)
    assert (colours[off] == analysis.matrix[off]).all()
    assert [axis.label for axis in figure.axes] == ["secret", "source", "leakage (nats)"]


@pytest.mark.parametrize(("table", "lines"), [([[0.5, 0.5], [0.1, 0.9]], 3), ([[1.0, 0.0], [0.2, 0.8]], 2)])
def test_a_curve_with_its_limits(table, lines):
    curve = leakage_curve(table, GRR(1.0), [0.0, 1.0, 2.0, 4.0, math.inf])
    figure = curve.plot()
    assert figure.marks[0].x.tolist() == [0.0, 1.0, 2.0, 4.0]
    assert figure.marks[0].y.tolist() == curve.values[:4].tolist()
    assert len(figure.marks) == lines
    if lines == 3:
        assert set(figure.marks[2].y) == {curve.saturation}


def test_planes_have_a_point_for_each_way():
    plane = comparison_plane(titanic(), 1.0)
    marks = plane.plot().marks
    assert [(m.labels[0], m.x[0], m.y[0]) for m in marks] == [(p.name, p.under, p.over) for p in plane.points]
    comparison = compare_utility(titanic(), 1.0)
    for error, value in (("frequency", "frequency_nmse"), ("0-1", "error01")):
        marks = comparison.plot(error).marks
        assert [m.y[0] for m in marks] == [getattr(p, value) for p in comparison.points]
    with pytest.raises(DomainError, match="error is 'mean'"):
        comparison.plot("mean")
