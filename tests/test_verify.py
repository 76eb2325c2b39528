"""The verifier: all shipped cases, and that it really fails, skips and refuses where it should."""

import copy
import json
import subprocess
import sys
from importlib.resources import files

import pytest

from pdp_widgets.verify import main, verify
from pdp_widgets.verify.formats import FORMATS, kinds_of

RUN_KINDS = {
    "exact_node (instance)",
    "exact_node (sup)",
    "exact_all (instance)",
    "exact_all (sup)",
    "exact_nodes (instance)",
    "log_ratio",
    "density",
    "posterior",
    "edge",
    "chain_path (instance)",
    "chain_all (instance)",
    "group_bound",
    "counts",
    "error",
}


@pytest.fixture(scope="module")
def document():
    return json.loads(files("pdp_widgets").joinpath("data/vectors/pdp.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def local():
    return json.loads(files("pdp_widgets").joinpath("data/vectors/cpl.json").read_text(encoding="utf-8"))


def named(case):
    convention = case["input"].get("convention")
    return f"{case['kind']} ({convention})" if convention else case["kind"]


def changed(document, kind, change):
    """The first case of a kind with something changed."""
    case = copy.deepcopy(next(c for c in document["cases"] if named(c) == kind))
    change(case)
    return verify([{"format": document["format"], "cases": [case]}])


def test_all_shipped_cases_of_the_kinds_at_hand_pass(document):
    report = verify([document])
    assert report.failures == []
    assert report.passed == report.total == len(document["cases"]) == 107
    assert str(report) == "107 of 107 cases pass"
    assert {named(c) for c in document["cases"]} >= RUN_KINDS


def test_all_shipped_cases_of_local_privacy_pass(local):
    report = verify([local])
    assert report.failures == []
    assert str(report) == "96 of 96 cases pass"
    assert {case["kind"] for case in local["cases"]} == {kind for kind, _ in kinds_of(local["format"])}


@pytest.mark.parametrize("kind", sorted(kind for kind, _ in kinds_of("cpl-vectors/1")))
def test_a_wrong_number_of_local_privacy_fails(local, kind):
    def wrong(value):
        if isinstance(value, dict):
            return {key: wrong(part) for key, part in value.items()}
        if isinstance(value, list):
            return [wrong(part) for part in value]
        return value + 1 if isinstance(value, int | float) else value

    report = changed(local, kind, lambda c: c.update(expected=wrong(c["expected"])))
    assert len(report.failures) == 1
    assert "expected" in report.failures[0]


def test_other_thresholds_of_a_comparison_are_computed(local):
    def threshold(case):
        case["expected"] = {"GRF(0.05,edge)": {"region": "R3"}, "GRF(0.05,component)": {"region": "R2"}}

    def mode(case):
        case["expected"] = {"GRF(0.05,star)": {"region": "R3"}}

    assert str(changed(local, "benchmark", threshold)) == "1 of 1 cases pass"
    assert "GRF(0.05,star) is missing" in changed(local, "benchmark", mode).failures[0]


def test_infinity_is_written_as_the_format_says(document, local):
    report = changed(local, "statistical", lambda c: c["expected"].update(L="inf"))
    assert "expected inf, got 0.69" in report.failures[0]
    report = changed(document, "counts", lambda c: c["expected"].update(nodes="inf"))
    assert "expected 'inf', got 12" in report.failures[0]


@pytest.mark.parametrize(
    ("kind", "mechanism", "message"),
    [
        ("cpl", {"name": "XYZ", "eps": 1.0}, "BudgetError: There is no mechanism 'XYZ'"),
        ("cpl", {"name": "GRR", "eps": -1.0}, "BudgetError: epsilon is -1"),
        ("cpl", {"name": "BLH", "eps": 1.0, "g": 3}, "BLH has two groups"),
        ("channel", {"name": "GRR", "eps": 1.0, "prior": [0.5, 0.5]}, "GRR takes no prior"),
        ("params", {"name": "GRR"}, "GRR has no derived parameters"),
    ],
)
def test_mechanisms_that_are_none_fail_their_case(local, kind, mechanism, message):
    report = changed(local, kind, lambda c: c["input"].update(mechanism=mechanism))
    assert message in report.failures[0]


NUMBER_OF = {
    "exact_node (instance)": "leakage",
    "exact_node (sup)": "leakage",
    "exact_all (instance)": "leakage",
    "exact_all (sup)": "leakage",
    "log_ratio": "plus_inf",
    "edge": "rho",
    "chain_all (instance)": "leakage",
    "group_bound": "loose_bound",
    "counts": "edges",
}


@pytest.mark.parametrize("kind", NUMBER_OF)
def test_a_wrong_number_fails(document, kind):
    report = changed(document, kind, lambda c: c["expected"].update({NUMBER_OF[kind]: 123.0}))
    assert len(report.failures) == 1
    assert "expected 123.0, got" in report.failures[0]


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("density", "density"),
        ("posterior", "gain"),
        ("chain_path (instance)", "values"),
        ("log_ratio", "log_ratio"),
    ],
)
def test_a_wrong_entry_or_length_of_a_list_fails(document, kind, field):
    def entry(case):
        case["expected"][field][-1] += 1e-6

    def length(case):
        case["expected"][field].pop()

    assert len(changed(document, kind, entry).failures) == 1
    assert len(changed(document, kind, length).failures) == 1


def test_chosen_nodes_in_the_worst_case(document):
    def chosen(case):
        nodes = case["expected"]["nodes"][::3]
        case["kind"] = "exact_nodes"
        case["input"]["nodes"] = [node[:2] for node in nodes]
        case["expected"] = {"nodes": nodes}

    def wrong(case):
        chosen(case)
        case["expected"]["nodes"][-1][2] += 1e-6

    assert changed(document, "exact_all (sup)", chosen).passed == 1
    assert "expected" in changed(document, "exact_all (sup)", wrong).failures[0]


@pytest.mark.parametrize("kind", ["exact_all (instance)", "exact_nodes (instance)", "chain_all (instance)"])
def test_nodes_are_a_set(document, kind):
    def reverse(case):
        case["expected"]["nodes"].reverse()

    def part(case):
        del case["expected"]["nodes"][1:]

    def wrong(case):
        case["expected"]["nodes"][-1][-1] += 1e-6

    def foreign(case):
        case["expected"]["nodes"].append([99, [], 1.0])

    assert changed(document, kind, reverse).passed == 1
    assert changed(document, kind, part).passed == 1
    assert len(changed(document, kind, wrong).failures) == 1
    assert "is missing" in changed(document, kind, foreign).failures[0]


def test_a_flag_is_not_a_number(document):
    report = changed(document, "exact_node (instance)", lambda c: c["expected"].update(determined=0))
    assert len(report.failures) == 1
    report = changed(document, "exact_node (instance)", lambda c: c["expected"].update(leakage=True))
    assert len(report.failures) == 1


def test_tolerance_is_relative_above_one(document):
    def near(case):
        case["expected"]["leakage"] *= 1 + 1e-4
        case["tol"] = 1e-3

    def far(case):
        case["expected"]["leakage"] *= 1 + 1e-2
        case["tol"] = 1e-3

    assert changed(document, "exact_all (instance)", near).passed == 1
    assert len(changed(document, "exact_all (instance)", far).failures) == 1


def test_undefined_is_null(document):
    def undefined(case):
        case["expected"]["rho"] = None

    assert "expected None" in changed(document, "edge", undefined).failures[0]


def test_an_expected_field_that_is_not_computed_fails(document):
    report = changed(document, "counts", lambda c: c["expected"].update(colour=1))
    assert "colour is missing" in report.failures[0]


def test_valid_input_where_an_error_is_due_fails(document):
    def heal(case):
        case["input"]["args"]["table"] = [[0.3, 0.2], [0.2, 0.3]]

    assert "no error where one is due" in changed(document, "error", heal).failures[0]


#: What the error cases must raise and where it must point, which the file says in words.
DUE = {
    "s-err-sum": ("TableError", {"kind": "table"}),
    "s-err-negative": ("TableError", {"kind": "cell", "index": [1, 1]}),
    "s-err-nan": ("TableError", {"kind": "cell", "index": [0, 1]}),
    "s-err-shape": ("TableError", {"kind": "axis", "axis": 1}),
    "s-err-lambda-zero": ("ScaleError", {"kind": "parameter", "name": "scale"}),
    "s-err-lambda-neg": ("ScaleError", {"kind": "parameter", "name": "scale"}),
    "s-err-duplicate": ("DomainError", {"kind": "axis", "axis": 0}),
    "s-err-target-known": ("AdversaryError", {"kind": "axis", "axis": 0}),
    "s-err-known-value": ("AdversaryError", {"kind": "axis", "axis": 1}),
    "s-err-zero-event": ("AdversaryError", {"kind": "parameter", "name": "known"}),
    "s-err-instance-zero": ("InstanceError", {"kind": "row", "index": [0, 1]}),
    "s-err-cov-asym": ("TableError", {"kind": "cell"}),
    "s-err-cov-indef": ("TableError", {"kind": "cell"}),
}


def test_the_shipped_errors_are_the_ones_due(document):
    cases = [copy.deepcopy(c) for c in document["cases"] if c["kind"] == "error"]
    assert {c["id"] for c in cases} == set(DUE)
    for case in cases:
        kind, place = DUE[case["id"]]
        case["expected"] |= {"type": kind, "where": place}
    report = verify([{"format": document["format"], "cases": cases}])
    assert (report.passed, report.failures) == (len(DUE), [])


@pytest.mark.parametrize(
    ("due", "message"),
    [
        ({"type": "ScaleError"}, "ScaleError is due, got TableError"),
        ({"where": {"kind": "cell"}}, "an error at {'kind': 'cell'} is due, got {'kind': 'table'}"),
        ({"where": {"name": "scale"}}, "got {'name': None}"),
        ({"type": 3}, "the type of the error is 3; it is text"),
        ({"where": {"colour": 1}}, "it has axis, index, kind, name"),
    ],
)
def test_another_error_than_the_one_due_fails(document, due, message):
    report = changed(document, "error", lambda c: c["expected"].update(due))
    assert message in report.failures[0]


def test_an_error_where_a_number_is_due_fails(document):
    report = changed(document, "exact_node (instance)", lambda c: c["input"].update(lam=-1))
    assert "ScaleError: The scale is -1" in report.failures[0]


def test_a_crash_fails_the_case_alone(document):
    report = changed(document, "exact_node (instance)", lambda c: c["input"].pop("target"))
    assert "unexpected KeyError" in report.failures[0]


def test_what_is_not_offered_is_not_run(document):
    def unknown(case):
        case["kind"] = "exact_colour"

    def convention(case):
        case["input"]["convention"] = "average"

    def error_of_unknown(case):
        case["input"]["call"] = "exact_colour"

    assert str(changed(document, "counts", unknown)) == "0 of 1 cases pass, 1 not run: exact_colour"
    report = changed(document, "exact_all (instance)", convention)
    assert str(report) == "0 of 1 cases pass, 1 not run: exact_all (average)"
    report = changed(document, "error", error_of_unknown)
    assert str(report) == "0 of 1 cases pass, 1 not run: error (exact_colour)"


def test_kinds_are_read_within_their_format(document):
    foreign = {"format": "cpl-vectors/1", "cases": document["cases"][:1]}
    assert str(verify([foreign])) == "0 of 1 cases pass, 1 not run: exact_node"


def test_every_format_has_cases_and_every_kind_shipped_is_offered(document):
    assert all(kinds_of(name) for name in FORMATS)
    shipped = {(c["kind"], c["input"].get("convention")) for c in document["cases"]}
    assert shipped - {("error", None)} <= set(kinds_of(document["format"]))


def test_floats_without_a_json_number(document):
    def infinite(case):
        case["input"]["lam"] = "Infinity"

    assert "ScaleError" in changed(document, "exact_node (instance)", infinite).failures[0]
    report = changed(document, "counts", lambda c: c["expected"].update(nodes="Infinity"))
    assert "expected inf, got 12" in report.failures[0]


COUNTS = {
    "id": "three",
    "kind": "counts",
    "input": {"n": 3},
    "tol": 0,
    "expected": {"nodes": 12, "edges": 12, "layer_sizes": [3, 6, 3]},
}


def one(**changes):
    """A document with one case that passes, but for what is changed."""
    return {"format": "pdp-vectors/1", "cases": [{**COUNTS, **changes}]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"expected": {}}, "nothing is expected"),
        ({"expected": None}, "nothing is expected"),
        ({"expected": "Infinity"}, "nothing is expected"),
        ({"expected": {"colour": 1}}, "colour is missing"),
        ({"expected": {"layer_sizes": []}}, "expected 0 entries"),
        ({"expected": {"nodes": 10**400}}, "expected an integer of about 401 digits, got 12"),
        ({"tol": float("inf")}, "tolerance is inf"),
        ({"tol": float("nan")}, "tolerance is nan"),
        ({"tol": -1}, "tolerance is -1"),
        ({"tol": "Infinity"}, "tolerance is 'Infinity'"),
        ({"tol": []}, "tolerance is []"),
        ({"tol": True}, "tolerance is True"),
        ({"tol": None}, "tolerance is None"),
        ({"kind": []}, "kind is []"),
        ({"kind": None}, "kind is None"),
        ({"input": []}, "it has no input"),
        ({"input": {"n": 100_000_000}}, "at most 1,000"),
        ({"input": {"n": 10**4000}}, "at most 1,000"),
        ({"kind": "exact_all", "input": {"convention": []}}, "convention is []"),
        ({"kind": "error", "input": {}}, "an error case has a call"),
        ({"kind": "error", "input": {"call": "counts", "args": {"n": 0}}, "expected": {}}, "nothing is exp"),
    ],
)
def test_a_case_that_checks_nothing_or_is_malformed_fails(change, message):
    report = verify([one(**change)])
    assert (report.passed, report.total) == (0, 1)
    assert message in report.failures[0]


@pytest.mark.parametrize("case", [1, None, [], "x", {}])
def test_a_case_that_is_none_fails(case):
    report = verify([{"format": "pdp-vectors/1", "cases": [case]}])
    assert (report.passed, len(report.failures)) == (0, 1)


@pytest.mark.parametrize("kind", ["exact_all (instance)", "chain_all (instance)"])
@pytest.mark.parametrize("rows", [[], [[]], [5], [[0, [0, "a"], 1]]])
def test_a_set_of_rows_must_have_some(document, kind, rows):
    report = changed(document, kind, lambda c: c.update(expected={"nodes": rows}))
    assert (report.passed, len(report.failures)) == (0, 1)


class TestCommand:
    def run(self, *arguments):
        return subprocess.run(
            [sys.executable, "-m", "pdp_widgets.verify", *arguments],
            capture_output=True,
            text=True,
            check=False,
        )

    def test_shipped_cases(self):
        done = self.run()
        assert done.returncode == 0
        assert done.stdout == "751 of 751 cases pass\n"
        assert done.stderr == ""

    def test_failing_file(self, tmp_path, document, capsys):
        case = copy.deepcopy(next(c for c in document["cases"] if c["kind"] == "counts"))
        case["expected"]["nodes"] = 5
        file = tmp_path / "wrong.json"
        file.write_text(json.dumps({"format": document["format"], "cases": [case]}), encoding="utf-8")
        assert main([str(file)]) == 1
        lines = capsys.readouterr().out.splitlines()
        assert lines == [f"{case['id']}: nodes: expected 5, got 12", "0 of 1 cases pass"]

    def test_several_files(self, tmp_path, document, capsys):
        file = tmp_path / "one.json"
        case = next(c for c in document["cases"] if c["kind"] == "counts")
        file.write_text(json.dumps({"format": document["format"], "cases": [case]}), encoding="utf-8")
        assert main([str(file), str(file)]) == 0
        assert capsys.readouterr().out == "2 of 2 cases pass\n"

    @pytest.mark.parametrize(
        "text",
        [
            None,
            "",
            "{",
            "[]",
            '{"format": "pdp-vectors/1"}',
            '{"format": "pdp-vectors/1", "cases": []}',
            '{"format": "pdp-vectors/1", "cases": null}',
            '{"format": "pdp-vectors/1", "cases": {"a": 1}}',
            '{"format": "pdp-vectors/1", "cases": "abc"}',
            '{"format": "pdp-vectors/99", "cases": [1]}',
            '{"format": "x", "cases": [{}]}',
            '{"format": 7, "cases": [{}]}',
            '{"format": [], "cases": [{}]}',
            "[" * 100_000,
            '{"n": 1' + "0" * 5000 + "}",
        ],
    )
    def test_unreadable_file(self, tmp_path, capsys, text):
        file = tmp_path / "odd.json"
        if text is not None:
            file.write_text(text, encoding="utf-8")
        assert main([str(file)]) == 2
        assert "cannot be read as a vector file" in capsys.readouterr().err

    @pytest.mark.parametrize("data", [b"\xff\xfe\x00", None])
    def test_what_is_no_text_file(self, tmp_path, capsys, data):
        file = tmp_path / "odd.json"
        if data is None:
            file.mkdir()
        else:
            file.write_bytes(data)
        assert main([str(file)]) == 2
        assert "cannot be read as a vector file" in capsys.readouterr().err

    def test_byte_order_mark(self, tmp_path, capsys):
        file = tmp_path / "marked.json"
        file.write_text("\ufeff" + json.dumps(one()), encoding="utf-8")
        assert main([str(file)]) == 0
        assert capsys.readouterr().out == "1 of 1 cases pass\n"

    def test_cases_not_run_do_not_change_the_exit_status(self, tmp_path, capsys):
        file = tmp_path / "other.json"
        file.write_text(json.dumps(one(kind="exact_colour")), encoding="utf-8")
        assert main([str(file)]) == 0
        assert "1 not run" in capsys.readouterr().out

    def test_help(self, capsys):
        with pytest.raises(SystemExit) as left:
            main(["--help"])
        assert left.value.code == 0
        assert "Exit status" in capsys.readouterr().out
