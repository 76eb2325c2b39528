"""The anonymity explorer in Python: what it shows, what it hands on, and what stays small."""

import contextlib
import gc
import json
import math
import re
import weakref
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from traitlets import link

from pdp_widgets import PdpError
from pdp_widgets.leakage.noiseless.anonymity_inputs import _classes as classes_of
from pdp_widgets.leakage.noiseless.anonymity_inputs import reading_label
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.models.surveys import clinic
from pdp_widgets.widgets.anonymity_explorer import AnonymityExplorer
from pdp_widgets.widgets.anonymity_menu import release_label
from tests.widgets.anonymity_asked import ask, curve, numbers, people


def test_it_opens_on_the_clinic_with_the_numbers_of_the_sketch():
    explorer = AnonymityExplorer()
    view, results = explorer._view, explorer._view["results"]
    assert [one["name"] for one in view["columns"]] == ["age", "weight", "diabetes"]
    assert (view["quasi"], view["secret"], view["drawn"], view["noun"]) == ([0, 1], 2, [0, 1], "patient")
    assert (view["release"], view["level"], view["known"], view["k"]) == ("count:yes", "III", 0.3, 5)
    assert (results["achieved"], results["sizes"], results["classes_in_all"]) == (5, [5, 13], 14)
    assert (results["single"], results["unknown"], results["share"], results["shift"]) == (8, 69, 0.1, 1)
    assert curve(view, "exact")["at"] == pytest.approx(0.0097963, abs=5e-7)
    assert curve(view, "bound-all")["at"] == pytest.approx(0.17257, abs=5e-6)
    assert curve(view, "bound-events")["at"] == pytest.approx(0.49287, abs=5e-6)
    assert {one["key"]: round(one["delta"], 3) for one in results["printed"]} == {
        "t1:statement": 0.133,
        "t4:sum_of_powers": 9.880,
    }
    assert results["nothing_known"] == pytest.approx(0.0027, abs=5e-5)
    removals = results["removals"]
    assert (removals["largest"], removals["sampled"]) == (8, None)
    counts = np.bincount(numbers(removals["changes"]).astype(int), minlength=9)
    assert counts.tolist() == [0, 26, 0, 0, 1, 0, 13, 55, 5]
    # What was printed is not drawn before somebody asks for it.
    assert (view["printed"], explorer.show_paper) == (False, False)
    assert [one["kind"] for one in results["curves"]] == ["exact", "bound", "bound"]
    explorer.show_paper = True
    (violated,) = curve(explorer._view, "t1:statement")["violated"]
    assert violated[0] == pytest.approx(1.42, abs=0.03)
    assert numbers(results["axis"])[[0, -1]].tolist() == [0.0, 2.5]
    assert (explorer.busy, explorer.current, explorer.error) == (False, True, None)


def test_the_number_of_records_is_an_input_of_its_own():
    explorer = AnonymityExplorer(n=1000)
    explorer.wait()
    assert (explorer.n, explorer._view["n"], explorer.value.records) == (1000, 1000, 100)
    assert (explorer.results.unknown, explorer.results.classes_in_all) == (699, 14)
    explorer.n = np.int64(200)
    assert (explorer.n, type(explorer.n), explorer.results.unknown) == (200, int, 139)
    explorer.n = None
    assert explorer.results.unknown == 69
    view = ask(explorer, n=50.0)
    assert (view["n"], explorer.n, explorer.results.unknown) == (50, 50, 34)
    # A class is no larger than all: whichever of the two was set last is refused.
    view = ask(explorer, n=4)
    assert view["fault"]["text"].startswith("n is 4; give a whole number of records from k = 5")
    assert (view["n"], explorer.n, explorer.results.unknown) == (4, 50, 34)
    view = ask(explorer, n=6, k=7)
    assert view["fault"]["text"].startswith("n is 6")
    assert (explorer.n, explorer.k) == (50, 7)
    view = ask(explorer, n=6, k=5)
    assert view["fault"] is None
    assert (explorer.n, explorer.k) == (6, 5)
    view = ask(explorer, k=7)
    assert view["fault"]["text"].startswith("n is 6")
    assert (explorer.n, explorer.k) == (6, 5)
    for name, value in (("k", 8), ("n", 3), ("n", 2.5), ("n", "6"), ("n", [6])):
        with pytest.raises(PdpError, match="n is "):
            setattr(explorer, name, value)
        assert (explorer.n, explorer.k) == (6, 5)


def test_it_takes_a_data_frame_and_all_columns_but_the_secret():
    frame = people(60, 3)
    explorer = AnonymityExplorer(frame, secret="ill", k=4, known=0.5)
    assert (explorer.quasi, explorer.secret, explorer.k) == (("q0", "q1", "q2"), "ill", 4)
    assert explorer.release == "count:yes"
    assert explorer._view["noun"] == "record"
    plain = AnonymityExplorer({"age": [1, 2, 3, 4, 9], "town": list("abcab")}, k=2, noun="guest")
    assert (plain.quasi, plain.secret, plain.release) == (("age", "town"), None, "sum:age")
    assert plain._view["results"]["diversity"] is None
    assert len(explorer.analysis.classes.to_dataframe()) == 60


def test_who_says_that_records_hang_together_has_an_adversary_who_knows_it():
    assert AnonymityExplorer().level == "III"
    assert AnonymityExplorer(neighbours=3).level == "IV"
    assert AnonymityExplorer(neighbours=3, level="III").level == "III"


def test_another_secret_and_other_columns_bring_their_own_menus():
    explorer = AnonymityExplorer()
    view = ask(explorer, secret=None)
    assert (view["release"], view["secret"]) == ("sum:age", None)
    assert [one["key"] for one in view["releases"]] == ["sum:age", "sum:weight"]
    assert view["reading"] == "t4:sum_of_powers"
    view = ask(explorer, quasi=[0, 2])
    assert (view["drawn"], explorer.quasi) == ([0, 2], ("age", "diabetes"))
    view = ask(explorer, quasi=[1], secret=2)
    # A sum of a column can be published with a secret too.
    assert (view["drawn"], view["release"], view["secret"]) == ([1, None], "sum:age", 2)
    assert [one["label"] for one in view["releases"]][:2] == ["Count, no diabetes", "Count, diabetes"]
    explorer.quasi = ["age", "weight"]
    explorer.secret = "weight"
    assert (explorer.quasi, explorer.secret) == (("age",), "weight")


def test_a_table_of_other_columns_takes_its_place():
    explorer = AnonymityExplorer()
    first = explorer._view["since"]
    explorer.value = people(40)
    assert explorer.noun == "record"
    view = explorer._view
    assert view["since"] > first
    assert (explorer.quasi, explorer.secret) == (("q0", "q1", "ill"), None)
    explorer.value = clinic()
    explorer.quasi = ["weight"]
    explorer.secret = "diabetes"
    explorer.value = clinic().take(range(50))
    assert (explorer.quasi, explorer.secret, explorer._view["records"]) == (("weight",), "diabetes", 50)


def test_all_known_promises_nothing_and_infinite_budgets_are_certainty():
    explorer = AnonymityExplorer(known=1.0)
    view = explorer._view
    assert (view["results"]["unknown"], curve(view, "exact")["at"]) == (0, 1.0)
    assert "hides nobody" in explorer.snapshot().text
    view = ask(explorer, known=0.3, epsilon="Infinity")
    assert (view["fault"], view["epsilon"], view["results"]["epsilon"]) == (None, "Infinity", "Infinity")
    assert 0 < curve(view, "exact")["at"] < 0.001
    assert explorer.epsilon == math.inf


def test_records_that_are_published_have_no_levels_with_dependence():
    explorer = AnonymityExplorer(release="records:yes")
    assert explorer._view["readings"] == []
    assert curve(explorer._view, "exact")["at"] is not None
    view = ask(explorer, level="IV", neighbours=2)
    assert curve(view, "exact")["at"] is None
    assert "depend" in curve(view, "exact")["why"]
    assert (view["fault"], view["readings"]) == (None, [])
    view = ask(explorer, release="count:yes")
    assert (view["fault"], explorer.level, view["reading"]) == (None, "IV", "t1:statement")


def test_a_locked_explorer_takes_nothing_from_a_browser():
    explorer = AnonymityExplorer(disabled=True)
    view = ask(explorer, epsilon=0.1, k=9, secret=None)
    assert (view["disabled"], view["epsilon"], view["k"], view["secret"]) == (True, 1.0, 5, 2)
    explorer.epsilon = 0.5
    assert explorer.results.epsilon == 0.5


def test_an_undo_takes_all_of_an_earlier_state_in_one_request():
    explorer = AnonymityExplorer()
    names = (
        *("quasi", "secret", "k", "release", "neighbour", "group_change", "shift", "level", "known"),
        *("neighbours", "epsilon", "events", "delta1", "printed", "reading"),
    )
    first = {name: explorer._view[name] for name in names}
    ask(explorer, quasi=[1], secret=None, k=3, release="sum:age", level="IV", neighbours=2, printed=False)
    view = ask(explorer, **first)
    assert {name: view[name] for name in names} == first
    assert view["fault"] is None


def size(value):
    if isinstance(value, bytes):
        return len(value)
    if isinstance(value, dict):
        return sum(len(key) + 4 + size(one) for key, one in value.items())
    if isinstance(value, list):
        return sum(1 + size(one) for one in value)
    return len(json.dumps(value))


@pytest.mark.parametrize(
    "make",
    [
        lambda: AnonymityExplorer(people(6000, 12), secret="ill"),
        lambda: AnonymityExplorer(people(2000, 30), secret="ill", k=2),
        lambda: AnonymityExplorer(
            {"é" * 9000: ["🙂" * 500 + str(k % 900) for k in range(2000)], "x": range(2000)}, k=2
        ),
    ],
    ids=["6000 records", "30 columns", "long labels"],
)
def test_the_state_stays_below_200_kB(make):
    explorer = make()
    assert size(explorer._view) < 200_000
    assert len(explorer.snapshot().svg.encode()) < 60_000
    explorer.cancel()


def test_of_many_records_a_sample_travels_with_those_that_classes_name():
    explorer = AnonymityExplorer(people(5000), secret="ill")
    view = explorer._view
    sent = view["sampled"]
    assert 1000 < len(sent) <= 2000
    assert len(numbers(view["columns"][0]["values"])) == len(sent)
    # Of every class that is listed some records are there to be seen, and of all about as many.
    there = [len(set(one["rows"]) & set(sent)) for one in view["results"]["classes"]]
    assert len(there) == 200
    assert min(there) >= 5
    explorer.wait()
    removals = explorer._view["results"]["removals"]
    assert (removals["sampled"], len(numbers(removals["changes"]))) == (500, 500)


def test_counted_records_are_shown_as_those_of_the_table_in_which_all_are_listed():
    frame, counts = people(1200), np.random.default_rng(2).integers(1, 8, 1200)
    views = []
    for data in (
        Microdata({**frame, "n": counts}, weight="n"),
        Microdata(frame.loc[frame.index.repeat(counts)]),
    ):
        # Equal tables have the same classes, which are kept.
        classes_of.cache_clear()
        explorer = AnonymityExplorer(data, secret="ill")
        explorer.wait()
        views.append(explorer._core.state())
    assert views[0] == views[1]


def test_a_hundred_million_counted_records_are_shown():
    frame, counts = people(1200), np.random.default_rng(2).integers(1, 200_000, 1200)
    explorer = AnonymityExplorer(Microdata({**frame, "n": counts}, weight="n"), secret="ill", k=10_000)
    explorer.wait()
    view = explorer._view
    assert view["records"] == counts.sum() > 10**8
    assert size(view) < 200_000
    assert view["results"]["achieved"] >= 10_000
    assert (view["results"]["removals"]["sampled"], curve(view, "exact")["at"]) == (500, None)
    assert f"{counts.sum():,}" in explorer.snapshot().html
    with pytest.raises(PdpError, match="200,001 rows of counted records"):
        explorer.value = Microdata({"age": np.arange(200_001), "n": np.full(200_001, 2)}, weight="n")


def test_labels_are_text_and_missing_values_are_counted():
    frame = pd.DataFrame({"<b>age": [1, 2, 3, 4, None, 6], "s": ["<script>", "x", "x", "x", "x", "x"]})
    explorer = AnonymityExplorer(frame, secret="s", k=2)
    view = explorer._view
    assert (view["results"]["suppressed"], view["columns"][0]["name"]) == (1, "<b>age")
    assert "<script>" in view["columns"][1]["labels"]
    html = explorer.snapshot().html
    assert "<script>" not in html
    assert "<b>age" not in html


def test_nothing_holds_an_explorer_that_nobody_shows():
    explorer = AnonymityExplorer(people(1500), secret="ill")
    ask(explorer, k=6)
    gone = weakref.ref(explorer)
    explorer.close()
    del explorer
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("part", ["curves", "map", "changes", "known", "all", None])
def test_every_part_can_be_saved(tmp_path, part):
    explorer = AnonymityExplorer()
    explorer.wait()
    place = explorer.save(tmp_path / "figure.svg", part, width="page" if part == "all" else "column")
    assert place.read_text(encoding="utf-8").startswith("<svg")


def test_numbers_leave_as_a_table_a_figure_and_latex():
    explorer = AnonymityExplorer(clinic(), ["age", "weight"], "diabetes")
    frame = explorer.to_dataframe()
    assert list(frame.columns) == ["class", "records", "age", "weight", "distinct secrets", "distance"]
    assert frame.equals(explorer.analysis.to_dataframe())
    # The same table: a row for each class.
    assert re.findall(r"^([A-Z]) & ", explorer.to_latex(), re.MULTILINE) == frame["class"].tolist()
    explorer.show_paper = True
    chart = explorer.results._figures()["curves"]()
    assert [line.name for line in chart.series] == [
        "exact, any event",
        "bound: Theorem 6 corrected, thresholds",
        "bound: Theorem 1 corrected, all events",
        "as printed: Theorem 1, statement",
    ]
    assert len({(line.dashes, line.colour) for line in chart.series}) == 4
    assert 10 ** float(chart.series[0].y[40]) == pytest.approx(0.0097963, abs=5e-7)
    assert (chart.levels[0].name, chart.levels[0].along) == ("ε = 1", "x")
    assert explorer.plot().title == chart.title
    assert explorer.analysis.achieved == 5


def test_sums_of_many_values_are_bounded_where_they_have_no_common_step():
    draw = np.random.default_rng(1)
    explorer = AnonymityExplorer({"x": draw.normal(size=200), "y": draw.normal(size=200)})
    view = explorer._view
    exact = curve(view, "exact")
    assert exact["at"] is None
    assert "step" in exact["why"]
    assert view["results"]["nothing_known"] is None
    assert "not computed" in explorer.snapshot().text


def test_the_data_may_be_microdata():
    data = Microdata({"age": [31, 45, 52, 60], "ill": ["no", "yes", "no", "no"]}, title="Four")
    explorer = AnonymityExplorer(data, "age", "ill", 2, known=0)
    assert explorer.value is data
    assert explorer._view["title"] == "Four"


@pytest.mark.parametrize("wrong", [{"epsilon": -1}, {"epsilon": "NaN"}, {"delta1": 2}, {"k": 10**6}])
def test_what_is_wrong_in_one_control_stands_in_the_way_of_nothing_that_takes_long(wrong, monkeypatch):
    from pdp_widgets.widgets import anonymity_solved

    explorer = AnonymityExplorer()
    # As in a table so large that its classes are not made to say how long the rest takes.
    monkeypatch.setattr(anonymity_solved, "seconds_for", lambda wanted, last: 1.0)
    (name,) = wrong
    ask(explorer, **wrong)
    wait_quietly(explorer)
    assert explorer._core.fault.where.name == name
    for asked in ({"n": 1042}, {"known": 0.25, "quasi": [0]}, {"release": "sum:weight"}):
        ask(explorer, **asked)
        wait_quietly(explorer)
        core = explorer._core
        assert (core.fault.where.name, core.asked[name] != getattr(core.inputs, name)) == (name, True)
        for part, value in asked.items():
            assert getattr(core.inputs, part) == (tuple(value) if part == "quasi" else value)
    view = ask(explorer, **{name: getattr(explorer._core.inputs, name)})
    wait_quietly(explorer)
    assert (explorer._view["fault"], explorer.current, view["n"]) == (None, True, 1042)


def wait_quietly(explorer):
    """Wait as a page does: what cannot be computed is said, not raised."""
    while explorer.busy:
        with contextlib.suppress(PdpError):
            explorer.wait()


def test_one_record_is_counted_as_one():
    with pytest.raises(PdpError, match=r"^There is 1 record, fewer than k = 5"):
        AnonymityExplorer({"a": [1], "b": ["x"]}, secret="b")
    with pytest.raises(
        PdpError, match=r"There is 1 record with all quasi-identifiers \(1 has a missing one\)"
    ):
        AnonymityExplorer({"a": [1, None], "b": ["x", "y"]}, secret="b")


def test_two_explorers_are_linked():
    one, two = AnonymityExplorer(), AnonymityExplorer()
    link((one, "epsilon"), (two, "epsilon"))
    link((one, "value"), (two, "value"))
    one.epsilon = 0.5
    assert (two.epsilon, two.results.epsilon) == (0.5, 0.5)
    two.value = clinic().take(range(60))
    assert one.value == two.value
    assert one.results.classes_in_all == two.results.classes_in_all < 14


def test_releases_and_readings_are_named_as_in_the_browser():
    cases = json.loads((Path(__file__).parents[1] / "data" / "anonymity-lead-cases.json").read_text("utf-8"))
    for one in cases["releases"]:
        assert release_label(one["release"], one["secret"]) == one["text"]
    for one in cases["readings"]:
        assert reading_label(one["reading"], one["level"]) == one["text"]
