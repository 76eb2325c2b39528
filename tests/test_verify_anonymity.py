"""The reference cases on k-anonymity: all of them pass, and a wrong number in any of them fails."""

import copy
import json
import math
from importlib.resources import files

import pytest

from pdp_widgets.verify import verify
from pdp_widgets.verify.compare import decoded
from pdp_widgets.verify.formats import floats_of, kinds_of

FORMAT = "kanon-vectors/1"
DOCUMENT = json.loads(files("pdp_widgets").joinpath("data/vectors/kanon.json").read_text(encoding="utf-8"))
OFFERED = sorted(kind for kind, _ in kinds_of(FORMAT))


def changed(kind, change):
    """The first case of a kind that expects numbers, with something changed."""
    found = (c for c in DOCUMENT["cases"] if c["kind"] == kind and "raises" not in c["expected"])
    case = copy.deepcopy(next(found))
    change(case)
    return verify([{"format": FORMAT, "cases": [case]}])


def test_all_shipped_cases_pass():
    report = verify([DOCUMENT])
    assert report.failures == []
    assert str(report) == "91 of 91 cases pass"
    assert set(OFFERED) == {case["kind"] for case in DOCUMENT["cases"]}


@pytest.mark.parametrize("case", DOCUMENT["cases"], ids=lambda case: f"{case['id']}-{case['kind']}")
def test_numbers_agree_relative_to_themselves(case):
    """Slacks are small: a difference of 1e-9 would hide a tail that is wrong."""
    run, floats = kinds_of(FORMAT)[(case["kind"], None)], floats_of(FORMAT)
    got, expected = run(decoded(case["input"], floats)), decoded(case["expected"], floats)
    for key, value in expected.items():
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            assert got[key] == pytest.approx(value, rel=case["tol"], abs=1e-13), key
        else:
            assert got[key] == value, key


@pytest.mark.parametrize("kind", OFFERED)
def test_a_wrong_number_fails(kind):
    def numbers(value, path=()):
        """Every place of a number, the first of a list standing for all."""
        if isinstance(value, dict):
            for key, part in value.items():
                yield from numbers(part, (*path, key))
        elif isinstance(value, list):
            if value:
                yield from numbers(value[0], (*path, 0))
        elif value is not None and not isinstance(value, bool | str):
            yield path

    case = next(c for c in DOCUMENT["cases"] if c["kind"] == kind and "raises" not in c["expected"])
    places = list(numbers(case["expected"]))
    assert places
    for path in places:

        def wrong(found, path=path):
            value = found["expected"]
            for key in path[:-1]:
                value = value[key]
            value[path[-1]] += 1

        report = changed(kind, wrong)
        assert len(report.failures) == 1, path
        assert "expected" in report.failures[0]


@pytest.mark.parametrize("kind", ["t1_delta_printed", "t1_epsilon_printed", "t4_corrected", "t5_printed"])
def test_a_wrong_status_fails(kind):
    report = changed(kind, lambda case: case["expected"].update(status="perfect"))
    assert "status: expected 'perfect'" in report.failures[0]


@pytest.mark.parametrize(
    ("kind", "key"), [("t1_epsilon_printed", "delta_in_domain"), ("lemma3", "printed_holds")]
)
def test_a_wrong_verdict_fails(kind, key):
    def turned(case):
        case["expected"][key] = not case["expected"][key]

    assert key in changed(kind, turned).failures[0]


@pytest.mark.parametrize("kind", OFFERED)
def test_an_error_is_not_taken_for_a_number_nor_a_number_for_an_error(kind):
    report = changed(kind, lambda case: case.update(expected={"raises": "ValueError"}))
    assert "raises is missing" in report.failures[0]


def test_refused_calls_fail_where_a_number_is_due():
    report = changed("t1_exact", lambda case: case["input"].update(k=10**6))
    assert "delta is missing" in report.failures[0]


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{"law": {"0.5": 1.0}, "count": 1}], "whole numbers, written as text"),
        ([{"law": [1, 2], "count": 1}], "an object of probabilities by value"),
        ({"law": {"0": 1.0}}, "a list of objects with law and count"),
    ],
)
def test_records_that_are_none_fail_their_case(records, message):
    report = changed("sum_exact", lambda case: case["input"].update(records=records))
    assert message in report.failures[0]


def test_infinity_is_written_as_the_format_says():
    report = changed("t1_epsilon_corrected", lambda case: case["expected"].update(epsilon="inf"))
    assert "expected inf, got 0.95" in report.failures[0]
