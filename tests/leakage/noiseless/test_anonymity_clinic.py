"""The analysis of the clinic: its numbers are those of the design."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pdp_widgets.leakage.noiseless.anonymity_bounds import axis_of
from pdp_widgets.leakage.noiseless.anonymity_figures import drawn_columns
from pdp_widgets.leakage.noiseless.anonymity_inputs import (
    AnonymityInputs,
)
from pdp_widgets.leakage.noiseless.anonymity_results import anonymity_removals, anonymity_results
from pdp_widgets.models.microdata import Microdata
from tests.leakage.noiseless.anonymity_cases import INPUTS, clinic_analysis

CLINIC = json.loads((Path(__file__).parents[2] / "data" / "anonymity-clinic.json").read_text())


def test_curves_of_the_clinic_are_those_of_the_design():
    found = clinic_analysis()
    axis = np.array(CLINIC["epsilon"])
    assert found.slack(axis).delta.tolist() == pytest.approx(CLINIC["exact"], rel=1e-4)
    assert found.bound(axis, "all").delta.tolist() == pytest.approx(CLINIC["kl"], rel=1e-4)
    assert found.bound(axis).delta.tolist() == pytest.approx(CLINIC["threshold"], rel=1e-4)
    assert found.printed(axis).delta.tolist() == pytest.approx(CLINIC["printed"], rel=1e-4)


def test_numbers_of_the_clinic_are_those_of_the_design():
    found = clinic_analysis()
    assert (found.achieved, len(found.classes), found.unknown, found.share) == (5, 14, 69, 0.1)
    assert round(found.slack(1.0).delta, 4) == 0.0098
    assert round(found.bound(1.0).delta, 3) == 0.493
    assert round(found.bound(1.0, "all").delta, 3) == 0.173
    assert round(found.printed(1.0).delta, 3) == 0.133
    theorem6 = found.printed(1.0, "t4:sum_of_powers")
    assert (round(theorem6.delta, 3), theorem6.state) == (9.880, "vacuous")
    assert round(clinic_analysis(known=0.0).slack(1.0).delta, 4) == 0.0027
    assert [list(group) for group in sorted(found.classes.groups)] == CLINIC["groups"]
    assert found.sensitivity().changes.tolist() == CLINIC["changes"]
    curve = found.known_curve(1.0)
    assert curve.delta[[0, 12]].round(4).tolist() == [0.0027, 0.0098]
    assert float(found.epsilon(found.slack(1.0).delta)) == pytest.approx(1.0, abs=1e-6)


def test_results_are_the_numbers_of_the_design():
    found = anonymity_results(INPUTS)
    named = {one.key: one for one in found.curves}
    assert list(named) == ["exact", "bound-events", "bound-all", "t1:statement"]
    assert found.axis.tolist() == pytest.approx(CLINIC["epsilon"])
    assert named["exact"].delta.tolist() == pytest.approx(CLINIC["exact"], rel=1e-4)
    assert named["bound-events"].drawn.tolist() == pytest.approx(CLINIC["threshold"], rel=1e-4)
    assert [round(one.at, 3) for one in found.curves] == [0.010, 0.493, 0.173, 0.133]
    # The design's curve crosses between 1.4 and 1.425.
    assert named["t1:statement"].violated == ((1.425, 2.5),)
    assert [(one.key, round(one.delta, 3), one.status, one.holds) for one in found.printed] == [
        ("t1:statement", 0.133, "ok", True),
        ("t4:sum_of_powers", 9.880, "vacuous", True),
    ]
    assert (found.k, found.achieved, found.sizes, found.classes_in_all) == (5, 5, (5, 13), 14)
    assert (found.single, found.diversity, round(found.closeness, 3)) == (8, 1, 0.525)
    assert (found.unknown, found.share, found.shift, found.suppressed) == (69, 0.1, 1.0, 0)
    assert round(found.nothing_known, 4) == 0.0027
    assert found.spread == pytest.approx(math.sqrt(69 * 0.09))
    assert [one.letter for one in found.classes] == list("ABCDEFGHIJKLMN")
    assert sum(one.shared == "all no" for one in found.classes) == 8
    assert {one.colour for one in found.classes} <= {0, 1, 2, 3}
    assert found.classes[0].ranges == ("18–42", "46–59")
    assert found.classes[0].box == (18.0, 42.0, 46.0, 59.0)
    removals = anonymity_removals(INPUTS)
    assert removals.changes.tolist() == CLINIC["changes"]
    assert (removals.largest, removals.worst, removals.sampled) == (8.0, CLINIC["changes"].index(8), None)


def test_changes_without_a_record_stay_with_the_same_classes():
    removals = anonymity_removals(INPUTS)
    found = anonymity_results(INPUTS).with_removals(removals)
    assert anonymity_results(replace(INPUTS, epsilon=2.0), found).removals is removals
    assert anonymity_results(replace(INPUTS, k=6), found).removals is None
    assert anonymity_removals(replace(INPUTS, k=100)) is None
    assert not anonymity_results(replace(INPUTS, k=100)).removable


def test_large_tables_name_at_most_200_classes_and_sample_removals(monkeypatch):
    data = Microdata({"age": np.arange(3000) % 997, "ill": ["no", "no", "yes"] * 1000})
    inputs = AnonymityInputs(data, (0,), 1, 3, "count:yes")
    found = anonymity_results(inputs)
    assert len(found.classes) == 200
    assert found.classes_in_all > 200
    assert all(len(one.rows) <= 12 for one in found.classes)
    told = []
    removals = anonymity_removals(inputs, told.append)
    assert removals.sampled == 500
    assert int((~np.isnan(removals.changes)).sum()) == 500
    assert told[-1] == 1.0


def test_one_quasi_identifier_is_drawn_on_a_line():
    found = anonymity_results(replace(INPUTS, quasi=(1,)))
    assert found.classes[0].box[2:] == (0.0, 0.0)
    other = anonymity_results(replace(INPUTS, drawn=(1, 0)))
    assert other.classes[0].box == (46.0, 59.0, 18.0, 42.0)


def test_columns_that_are_not_quasi_identifiers_are_not_drawn():
    assert drawn_columns((3, 1, 2), (2, 1)) == (2, 1)
    assert drawn_columns((3, 1, 2), (4, 1)) == drawn_columns((3, 1, 2), None) == (3, 1)
    assert drawn_columns((3,), None) == (3, None)


def test_the_axis_reaches_beyond_a_large_epsilon():
    assert [axis_of(epsilon)[-1] for epsilon in (1.0, 2.6, 30.0, math.inf)] == [2.5, 5.0, 50.0, 2.5]
