"""The reference cases on dependent tuples: all of them pass, and a wrong number in any of them fails."""

import copy
import json
from importlib.resources import files

import pytest

from pdp_widgets.verify import verify
from pdp_widgets.verify.formats import kinds_of

FORMAT = "ddp-vectors/1"


@pytest.fixture(scope="module")
def document():
    return json.loads(files("pdp_widgets").joinpath("data/vectors/ddp.json").read_text(encoding="utf-8"))


def changed(document, kind, change):
    """The first case of a kind with something changed."""
    case = copy.deepcopy(next(c for c in document["cases"] if c["kind"] == kind))
    change(case)
    return verify([{"format": document["format"], "cases": [case]}])


def test_all_shipped_cases_pass(document):
    report = verify([document])
    assert report.failures == []
    assert str(report) == "83 of 83 cases pass"
    assert {case["kind"] for case in document["cases"]} == {kind for kind, _ in kinds_of(FORMAT)}


def places(value, path=()):
    """Every place of a number, the first of a list standing for all."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*path, key))
    elif isinstance(value, list):
        if value:
            yield from places(value[0], (*path, 0))
    elif not isinstance(value, bool | str):
        yield path


MINE = ("rho", "leakage", "worst_adversary", "report", "calibrate")


@pytest.mark.parametrize("kind", MINE)
def test_a_wrong_number_fails(document, kind):
    case = next(c for c in document["cases"] if c["kind"] == kind)
    found = list(places(case["expected"]))
    assert found
    for path in found:

        def wrong(case, path=path):
            value = case["expected"]
            for key in path[:-1]:
                value = value[key]
            value[path[-1]] += 1e-3

        report = changed(document, kind, wrong)
        assert len(report.failures) == 1, path
        assert "expected" in report.failures[0]


def edge(document, name):
    return copy.deepcopy(next(c for c in document["cases"] if c["id"] == name))


def failures(document, case):
    return verify([{"format": document["format"], "cases": [case]}]).failures


def test_edges_are_refused_or_have_a_value(document):
    case = edge(document, "edge-eps-zero")
    case["input"]["args"]["epsilon"] = 2.0
    assert failures(document, case) == ["edge-eps-zero: raises is missing"]
    case = edge(document, "edge-all-constant")
    case["input"]["args"]["ds"] = "nan"
    assert failures(document, case) == ["edge-all-constant: value is missing"]
    case = edge(document, "edge-alpha-zero")
    case["input"]["call"] = "rhubarb"
    assert failures(document, case) == ["edge-alpha-zero: there is no call 'rhubarb'"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"type": "cubic"}, "a query is an object with type linear, identity or table"),
        ("sum", "a query is an object with type linear, identity or table"),
        ({"type": "linear", "coef": [1]}, "QueryError: The weights are [1]"),
        ({"type": "table", "outputs": [1.0]}, "QueryError: The query has 1 outputs"),
    ],
)
def test_queries_that_are_none_fail_their_case(document, query, message):
    report = changed(document, "leakage", lambda case: case["input"].update(query=query))
    assert message in report.failures[0]


def test_a_report_is_about_one_block(document):
    report = changed(document, "report", lambda case: case["input"].update(L=1))
    assert "L is 1; all 2 tuples are one block" in report.failures[0]
