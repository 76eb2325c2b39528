"""The reference cases on streams: all of them pass, and a wrong number in any of them fails."""

import copy
import json
from importlib.resources import files

import pytest

from pdp_widgets.verify import verify
from pdp_widgets.verify.formats import kinds_of

FORMAT = "sip-vectors/1"


@pytest.fixture(scope="module")
def document():
    return json.loads(files("pdp_widgets").joinpath("data/vectors/sip.json").read_text(encoding="utf-8"))


def changed(document, kind, change):
    """The first case of a kind with something changed."""
    case = copy.deepcopy(next(c for c in document["cases"] if c["kind"] == kind))
    change(case)
    return verify([{"format": document["format"], "cases": [case]}])


def test_all_shipped_cases_pass(document):
    report = verify([document])
    assert report.failures == []
    assert str(report) == "99 of 99 cases pass"
    assert {case["kind"] for case in document["cases"]} == {kind for kind, _ in kinds_of(FORMAT)}


@pytest.mark.parametrize("kind", sorted(kind for kind, _ in kinds_of(FORMAT)))
def test_a_wrong_number_fails(document, kind):
    def numbers(value, path=()):
        """Every place of a number, the first of a list standing for all."""
        if isinstance(value, dict):
            for key, part in value.items():
                yield from numbers(part, (*path, key))
        elif isinstance(value, list):
            yield from numbers(value[0], (*path, 0))
        elif not isinstance(value, bool | str):
            yield path

    case = next(c for c in document["cases"] if c["kind"] == kind)
    places = list(numbers(case["expected"]))
    assert places
    for path in places:

        def wrong(found, path=path):
            value = found["expected"]
            for key in path[:-1]:
                value = value[key]
            value[path[-1]] += 1

        report = changed(document, kind, wrong)
        assert len(report.failures) == 1, path
        assert "expected" in report.failures[0]


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("crr", "is_eps_private"),
        ("sip_vs_ldp", "sip_le_ldp"),
        ("sip_vs_ldp", "ldp_le_2sip"),
        ("lp_optimum", "crr_is_valid"),
        ("batch_optimum", "crr_is_valid"),
    ],
)
def test_a_wrong_verdict_fails(document, kind, key):
    def turned(case):
        case["expected"][key] = not case["expected"][key]

    assert key in changed(document, kind, turned).failures[0]


@pytest.mark.parametrize(("kind", "regime"), [("binary_optimum", "capped"), ("crr_balanced", "pool")])
def test_a_wrong_regime_fails(document, kind, regime):
    report = changed(document, kind, lambda case: case["expected"].update(regime=regime))
    assert f"expected '{regime}'" in report.failures[0]


@pytest.mark.parametrize(
    ("mechanism", "message"),
    [
        ({"name": "xyz", "eps": 1.0}, "BudgetError: There is no mechanism 'xyz'"),
        ({"name": "crr", "eps": -1.0}, "BudgetError: epsilon is -1"),
        ({"name": "crr"}, "a mechanism is an object with name and eps"),
        ("crr", "a mechanism is an object with name and eps"),
    ],
)
def test_mechanisms_that_are_none_fail_their_case(document, mechanism, message):
    report = changed(document, "sequence_leakage", lambda case: case["input"].update(mechanism=mechanism))
    assert message in report.failures[0]


def test_infinity_is_written_as_the_format_says(document):
    report = changed(document, "lip_leakage", lambda case: case["expected"].update(leakage="inf"))
    assert "expected inf, got 1.45" in report.failures[0]
    report = changed(document, "lip_leakage", lambda case: case["expected"].update(leakage="-inf"))
    assert "expected -inf, got 1.45" in report.failures[0]
