"""Leakages with intervals as a figure, a plot and tables: the numbers of the result, and what they are."""

from __future__ import annotations

import re

import numpy as np

from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery, leakage_intervals, lsat6
from pdp_widgets.publish import figure
from pdp_widgets.publish.bqplot_picture import bqplot_snapshot
from pdp_widgets.publish.formatting import leakage


def words(svg):
    return " ".join(re.sub("<[^>]+>", " ", svg).split())


def intervals(joint, **given):
    return leakage_intervals(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), rng=1, draws=50, **given)


def test_those_who_may_learn_most_are_drawn_with_their_numbers():
    found = intervals(lsat6())
    made = figure(found).svg
    top = np.argsort(-found.high.ravel())[:24]
    for flat in top:
        value, low, high = (leakage(float(a.ravel()[flat])) for a in (found.value, found.low, found.high))
        assert f"{value}  ({low} to {high})" in made
    # One disc for each, and one bar with two ends.
    assert made.count("<circle") == 24
    assert "The 24 of 80 adversaries who may learn most." in words(made)
    assert "Bars: 95 % interval from 50 tables drawn by" in words(made)
    assert "<desc>Leakage in nats; 95 % interval from 50 tables drawn by" in made


def test_the_worst_known_values_and_long_names():
    names = ["Partly cloudy with showers in the afternoon", "<b>snow</b>", "x"]
    joint = JointDistribution.from_counts([[[9, 2], [1, 7]], [[2, 4], [8, 1]]], names=names)
    made = figure(intervals(joint, convention="sup")).svg
    assert "Known values: the worst that can occur." in words(made)
    assert "Known tuples by position: 1 Partly cloudy" in words(made)
    # What is known is not cut off with the name.
    assert re.search("Partly [^<]*…, knowing 2, 3", made)
    assert "<b>" not in made
    assert "&lt;b&gt;snow&lt;/b&gt;" in made


def test_an_adversary_without_an_interval_has_a_disc_alone():
    joint = JointDistribution.from_counts([[5, 0], [0, 5]])
    found = intervals(joint, zeros="structural")
    made = figure(found).svg
    bars = int(np.isfinite(found.low).sum())
    assert made.count("<circle") == 4
    assert len(re.findall(r"  \([\d.]+ to [\d.]+\)", made)) == bars


def test_a_plot_has_a_bar_for_each_interval():
    found = intervals(lsat6().marginal(["item 1", "item 2", "item 5"]))
    bars, dots = found.plot().marks
    np.testing.assert_allclose(dots.y, found.value.ravel())
    ends = np.array(bars.y).reshape(-1, 3)
    np.testing.assert_allclose(ends[:, :2], np.column_stack([found.low.ravel(), found.high.ravel()]))
    assert np.isnan(ends[:, 2]).all()
    assert "95 % interval" in bqplot_snapshot(found.plot()).text


def test_the_table_lists_the_largest_first_and_says_that_they_are_estimates():
    found = intervals(lsat6().marginal(["item 1", "item 5"]))
    rows = found.to_latex().split("\\midrule\n")[1].split("\\bottomrule")[0].splitlines()
    values = [float(row.split(" & ")[2]) for row in rows]
    assert values == sorted(values, reverse=True)
    assert r"\multicolumn{5}{l}{\footnotesize estimate}" in found.to_latex()
    assert found.to_dataframe().attrs["status"] == dict.fromkeys(("value", "low", "high"), "estimate")
