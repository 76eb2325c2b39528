"""Figures of mechanisms side by side, and of an attack draw by draw: the numbers of the results, named."""

from __future__ import annotations

import numpy as np
import pytest

from pdp_widgets import InferenceAttack, SparseJoint, examples, promise_report, synthetic_network
from pdp_widgets.errors import DomainError
from pdp_widgets.publish.attack_picture import draw_charts
from pdp_widgets.publish.bqplot_marks import can_draw
from pdp_widgets.publish.figure_dependence import promise_chart

from .figure_subjects import texts

REPORTS = {
    "some keep it": lambda: promise_report(examples.bit_chain(4, 0.9), "sum", 1.0),
    "all keep it": lambda: promise_report(SparseJoint([[0], [1]], [0.5, 0.5]), "sum", 0.5),
    "none keeps it": lambda: promise_report(examples.identical_tuples(5), "sum", 0.1, ["lpm"]),
    "no noise at all": lambda: promise_report(SparseJoint([[3, 4]], [1.0]), "sum", 2.0),
    "a tiny budget": lambda: promise_report(examples.bit_chain(3, 0.9), "sum", 1e-9),
    "a large budget": lambda: promise_report(examples.bit_chain(3, 0.9), "sum", 500.0),
}


@pytest.mark.parametrize("name", REPORTS)
def test_mechanisms_stand_where_their_noise_and_leakage_are(name, tmp_path):
    report = REPORTS[name]()
    chart = promise_chart(report)
    found = {point.name: (point.x, point.y) for dots in chart.groups for point in dots.points}
    assert found == {
        key: (scale, leak)
        for key, scale, leak in zip(report.mechanisms, report.scales, report.largest, strict=True)
    }
    keeping = [point.name for dots in chart.groups if dots.name.startswith("keeps") for point in dots.points]
    assert keeping == [key for key, kept in zip(report.mechanisms, report.kept, strict=True) if kept]
    assert chart.level == ("promise", report.epsilon)
    assert chart.ends[1] >= report.epsilon
    for width in ("column", "page"):
        written = texts(report.save(tmp_path / "figure.svg", width=width).read_text(encoding="utf-8"))
        assert [key for key in (*report.mechanisms, "promise") if key not in written] == []
    marks = report.plot().marks
    assert all(can_draw(mark) for mark in marks)
    assert marks[0].y.tolist() == [report.epsilon] * 2
    shown = sum(len(mark.x) for mark in marks if type(mark).__name__ == "Scatter")
    assert shown == len(report.mechanisms)


@pytest.fixture(scope="module")
def attack():
    return InferenceAttack(synthetic_network(60, rng=1).city("New York"), epsilon=40.0, clusters=4)


@pytest.mark.parametrize("draws", [1, 2, 40])
def test_draws_are_counted_up_to_each_number(attack, draws, tmp_path):
    found = attack.by_draw(draws)
    bits = found.incremental / np.log(2)
    for chart, numbers in zip(draw_charts(found), (found.error_km, bits), strict=True):
        for line, row in zip(chart.lines, numbers, strict=True):
            for value in row:
                # To the right of a step all draws up to it are counted.
                assert line.y[line.x <= value][-1] == pytest.approx((row <= value).mean())
            assert (line.y[0], line.y[-1]) == (0.0, 1.0)
    assert f"{draws} draw" in found.save(tmp_path / "draws.svg").read_text(encoding="utf-8")
    error, added = found.plot(), found.plot("added")
    assert (error.axes[0].label, added.axes[0].label) == ("error, km", "information, bits")
    assert error.marks[1].x.tolist() == draw_charts(found)[0].lines[1].x.tolist()
    with pytest.raises(DomainError, match="'error' or 'added'"):
        found.plot("mass")
