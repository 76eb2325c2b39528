"""A page without a kernel computes what Python does about local privacy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pdp_widgets import AttributeTable, JointDistribution, LocalAnalysis, LocalExplorer, titanic
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.leakage.local.utility import compare_utility
from pdp_widgets.local import all_reports, calibrate_budget
from pdp_widgets.mechanisms.local.finite_channel import Channel
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from tests.publish.browser_numbers import Comparison, answers

#: Name, and parameters beside the budget.
_MECHANISMS: list[tuple[str, dict[str, Any]]] = [
    ("generic", {}),
    ("GRR", {}),
    ("EXP", {}),
    ("OUE", {}),
    ("SUE", {}),
    ("RAPPOR", {"f": 0.5, "p": 0.5, "q": 0.75}),
    ("BLH", {}),
    ("OLH", {}),
    ("OLH", {"g": 3}),
    ("SHE", {}),
    ("SS", {}),
    ("SS", {"omega": 2}),
]
_BUDGETS = [0.0, 1e-9, 0.1, 0.5, 1.0, 3.0, 9.5, 60.0, 700.0, 710.0, 1000.0, math.inf]


def _counts(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    counts = rng.multinomial(int(rng.choice([40, 900])), rng.dirichlet(np.full(math.prod(shape), 0.6)))
    counts[int(rng.integers(counts.size))] += 1
    return counts.reshape(shape)


def test_every_mechanism_at_every_budget_has_the_numbers_of_python():
    rng = np.random.default_rng(5)
    questions: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    for round_ in range(8):
        for name, parameters in _MECHANISMS:
            for epsilon in _BUDGETS:
                shape = tuple(int(d) for d in rng.integers((1, 2), (7, 31 if round_ == 0 else 8)))
                table = _counts(rng, shape)
                output = "inferred" if name != "generic" and rng.random() < 0.5 else "raw"
                least = int(rng.choice([0, 0, 3]))
                mechanism = mechanism_named(name, None if name == "RAPPOR" else epsilon, **parameters)
                found = pair_leakage(table, mechanism, output, min_count=least)
                guess = None
                if name != "generic":
                    made = mechanism.inferred(shape[1])
                    guess = {"keep": made.keep, "other": made.other, "level": made.log_ratio}
                questions.append(
                    {
                        "table": table,
                        "mechanism": {"key": name, "epsilon": mechanism.epsilon, "parameters": parameters},
                        "output": output,
                        "minCount": least,
                    }
                )
                pair = None if found.pair is None else list(found.pair)
                named = {"secret": pair, "symbols": list(found.symbols)}
                expected.append({"value": found.value, "guess": guess, **named})
    comparison = Comparison()
    comparison.compare(answers([["localPairs", questions]])[0], expected)
    assert comparison.wrong == []
    assert comparison.numbers > 3000


def _people(rng: np.random.Generator, labels: tuple[int, int] = (2, 5)) -> AttributeTable:
    sizes = [int(d) for d in rng.integers(*labels, rng.integers(3, 5))]
    base = rng.integers(0, 2, 300)
    codes = np.stack([np.where(rng.random(300) < 0.5, base % k, rng.integers(0, k, 300)) for k in sizes], 1)
    return AttributeTable(codes, domains=[[f"v{label}" for label in range(k)] for k in sizes])


#: Parts of a view that are the page's own, or say the same in other words: reasons, points.
_LEFT_OUT = {"ack", "revision", "since", "disabled", "points", "why", "unit", "delta", "saturates"} | {
    "mass",
    "calibration",
    "probability",
}


def _pruned(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _pruned(part) for name, part in value.items() if name not in _LEFT_OUT}
    if isinstance(value, list | tuple):
        return [_pruned(part) for part in value]
    return value


def _requests(rng: np.random.Generator, n: int) -> list[dict[str, Any]]:
    pair = [int(a) for a in rng.permutation(n)[:2]]
    return [
        {"epsilon": 2.5},
        {"source": pair[0], "secret": pair[1]},
        {"output": "inferred"},
        {"mechanism": "OUE", "parameters": {}},
        {"output": "raw"},
        {"epsilon": -1.0},
        {"mechanism": "SS", "parameters": {"omega": 1}},
        {"epsilon": 0.3},
        {"parameters": {"omega": 99}},
        {"mechanism": "RAPPOR", "parameters": {"f": 0.25, "p": 0.4, "q": 0.7}},
        {"parameters": {"f": 0.25, "p": 0.8, "q": 0.7}},
        {"mechanism": "generic", "parameters": {}},
        {"attributes": [a for a in range(n) if a != pair[0]]},
        {"attributes": []},
        {"attributes": list(range(n))},
        {"min_count": 20.0},
        {"min_count": -1.0},
        {"min_count": 0.0},
        {"example": "xor"},
        {"epsilon": 1.0, "mechanism": "GRR", "parameters": {}},
        {"example": ""},
        {"epsilon": math.inf},
    ]


def _followed(explorer: LocalExplorer, requests: list[dict[str, Any]]) -> tuple[Any, list[Any], list[Any]]:
    first = dict(explorer._view)
    sent, views = [], []
    for seq, request in enumerate(requests, start=1):
        stamped = request | {"origin": "a", "seq": seq, "base": explorer._view["revision"]}
        wire = {key: "Infinity" if value == math.inf else value for key, value in stamped.items()}
        explorer._receive(wire)
        sent.append(wire)
        views.append(dict(explorer._view))
    return first, sent, views


def _channels(rng: np.random.Generator, sizes: list[int]) -> list[dict[str, Any]]:
    """Return what a hand sets of a channel of its own, for one attribute and for all, sound and not."""

    def asked(rows: Any, attribute: int | None, others: str = "GRR", epsilon: Any = 1.0) -> dict[str, Any]:
        matrix = rows if isinstance(rows, list) else rows.tolist()
        own = {"matrix": matrix, "attribute": attribute, "others": others, "epsilon": epsilon}
        return {"mechanism": "channel", "parameters": {"channel": own}}

    def rows(k: int, outputs: int, share: float = 0.0) -> np.ndarray:
        found = rng.dirichlet(np.ones(outputs), k)
        found[rng.random(found.shape) < share] = 0.0
        found[:, 0] += 1 - found.sum(axis=1)
        return found

    place = int(rng.integers(len(sizes)))
    k = sizes[place]
    alike = [a for a, size in enumerate(sizes) if size == k]
    return [
        {"output": "inferred"},
        asked(rows(k, 3), place),
        {"source": place, "secret": (place + 1) % len(sizes)},
        {"source": (place + 1) % len(sizes), "secret": place},
        asked(rows(k, 2, 0.4), place, "OUE", 0.4),
        asked(rows(k, 4), place, "SS", "Infinity"),
        asked(np.ones((k, 1)), place),
        asked(np.full((k, 2), 0.4), place),
        asked([[0.5, 0.5]] * (k - 1) + [[1.5, -0.5]], place),
        asked([[0.5, 0.5]] * (k + 1), place),
        asked(rows(k, 2), place, epsilon=-1.0),
        asked(rows(k + 1, 2), None),
        {"attributes": alike},
        asked(rows(k, 3), None),
        {"attributes": list(range(len(sizes))), "min_count": 15.0},
        {"mechanism": "GRR", "parameters": {}},
    ]


@pytest.mark.parametrize("channels", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_views_after_what_a_hand_sets_are_those_of_python(seed: int, channels: bool):
    rng = np.random.default_rng(seed)
    # Alphabets of one label to four, in any order, in half of the tables.
    explorer = LocalExplorer(_people(rng, (2, 5) if seed < 2 else (1, 5)), noun="person")
    n = len(explorer.value.names)
    embedded = explorer._embedded()
    sizes = [len(domain) for domain in explorer.value.domains]
    first, sent, views = _followed(explorer, _channels(rng, sizes) if channels else _requests(rng, n))
    explorer.close()
    answered = answers([["localViews", first, sent, embedded]])[0]
    for request, answer, view in zip(sent, answered, views, strict=True):
        comparison = Comparison()
        if answer["results"] is not None:
            # A page says that what it cannot compute needs a kernel.
            assert answer["results"]["totals"].pop("kernel") is True
        comparison.compare(_pruned(answer), _pruned(view))
        assert comparison.wrong == [], request


def test_a_page_that_opens_with_a_channel_has_the_budget_of_the_others():
    explorer = LocalExplorer(
        JointDistribution(np.array([[0.4, 0.1], [0.2, 0.3]]), names=["a", "b"]),
        {"a": Channel([[1.0, 0.0], [0.5, 0.5]])},
        3.0,
    )
    embedded = explorer._embedded()
    first, sent, views = _followed(explorer, [{"mechanism": "OUE", "parameters": {}}])
    explorer.close()
    (answer,) = answers([["localViews", first, sent, embedded]])[0]
    assert answer["epsilon"] == views[0]["epsilon"] == 3.0


@pytest.mark.parametrize("varied", [[0, 2], []])
def test_what_all_reports_say_of_one_value_is_no_exact_number(varied: list[int]):
    codes = np.random.default_rng(1).integers(0, 3, (60, 3))
    codes[:, [k for k in range(3) if k not in varied]] = 0
    table = AttributeTable(codes, domains=[["a", "b", "c"]] * 3)
    explorer = LocalExplorer(table, "GRR", budget=1.5)
    embedded = explorer._embedded()
    first, sent, views = _followed(explorer, [{"source": 0, "secret": 1}])
    totals = all_reports(explorer.results)
    explorer.close()
    results = views[0]["results"]
    assert results["totals"]["constant"] == [k for k in range(3) if k not in varied]
    exact = np.frombuffer(results["totals"]["exact"] or np.full(3, np.nan).tobytes())
    assert np.isfinite(exact).nonzero()[0].tolist() == varied
    assert np.frombuffer(results["totals"]["bound"])[1] == totals.exact[1] == 1.0
    assert results["reports"]["exact"] is False
    assert [one["exact"] for one in results["calibration"]["methods"]] == [bool(varied)] * 3
    assert calibrate_budget(table, 1.5, "GRR").leakage.status == ("exact" if varied else "bound")
    shown = LocalExplorer(table, "GRR", 1.0, source=0, secret=1)
    shown.wait()
    shot = shown.snapshot()
    shown.close()
    assert "leak at most 1.000; only one value of x2 counts, so nothing can be learned." in shot.text
    assert "Exact, all three reports: –, only one value." in shot.text
    answer = answers([["localViews", first, sent, embedded]])[0][0]["results"]
    answer["totals"].pop("kernel")
    comparison = Comparison()
    for part in ("totals", "reports"):
        comparison.compare(_pruned(answer[part]), _pruned(results[part]))
    exactly = [[one["exact"] for one in side["calibration"]["methods"]] for side in (answer, results)]
    assert exactly[0] == exactly[1]
    assert comparison.wrong == []


def test_budgets_by_goal_are_those_of_python():
    wholes = [
        titanic(),
        JointDistribution(np.array([0.45, 0, 0, 0.05, 0.2, 0.1, 0.1, 0.1]).reshape(2, 2, 2)),
        JointDistribution(np.array([[[0.4], [0.1]], [[0.2], [0.3]]])),
        JointDistribution(np.array([[0.4, 0.6]])),
    ]
    for whole in wholes:
        for mechanism, output in (("GRR", "raw"), ("OUE", "inferred"), ("generic", "raw"), ("EXP", "raw")):
            explorer = LocalExplorer(whole, mechanism, output=output)
            embedded = explorer._embedded()
            first, sent, views = _followed(explorer, [{"budget": 1.5}])
            explorer.close()
            answer = answers([["localViews", first, sent, embedded]])[0][0]["results"]["calibration"]
            expected = views[0]["results"]["calibration"]
            comparison = Comparison(tolerance=1e-9)
            for part in (answer, expected):
                part.pop("mechanism", None)
            comparison.compare(answer, expected)
            assert comparison.wrong == [], (mechanism, output)


@pytest.mark.parametrize(("seed", "lost"), [(0, 0.1), (1, 0.6)])
def test_where_values_are_missing_all_reports_are_those_of_python(seed: int, lost: float):
    rng = np.random.default_rng(seed)
    people = _people(rng)
    codes = np.array(people.codes)
    codes[rng.random(codes.shape) < lost * (np.arange(codes.shape[1]) > 0)] = -1
    explorer = LocalExplorer(AttributeTable(codes, domains=people.domains), noun="person")
    n = codes.shape[1]
    requests = [
        *[request for request in _requests(rng, n) if "example" not in request],
        {"epsilon": 0.7, "budget": 1.5},
        {"attributes": list(range(n - 1))},
        {"attributes": [0]},
        {"attributes": list(range(1, n)), "min_count": 12.0, "mechanism": "GRR", "parameters": {}},
        {"mechanism": "OUE", "output": "inferred"},
    ]
    embedded = explorer._embedded()
    first, sent, views = _followed(explorer, requests)
    explorer.close()
    assert embedded["gaps"] is not None
    for request, answer, view in zip(
        sent, answers([["localViews", first, sent, embedded]])[0], views, strict=True
    ):
        comparison = Comparison(tolerance=1e-9)
        for side in (answer, view):
            # The page's own word, and what only Python says.
            side["results"]["totals"].pop("kernel", None)
            (side["results"]["calibration"] or {}).pop("mechanism", None)
        comparison.compare(_pruned(answer["results"]["totals"]), _pruned(view["results"]["totals"]))
        comparison.compare(answer["results"]["calibration"], view["results"]["calibration"])
        assert comparison.wrong == [], request


def test_of_equal_worst_cases_both_ends_name_the_first():
    rng = np.random.default_rng(6)
    questions: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    infinite = 0
    for _ in range(30):
        m, t = (int(d) for d in rng.integers(2, 6, 2))
        table = rng.integers(0, 3, (m, t)) * (rng.random((m, t)) < 0.7)
        table[rng.integers(m), rng.integers(t)] += 1
        for name, parameters in (("generic", {}), ("GRR", {}), ("SHE", {}), ("SS", {"omega": 2})):
            for epsilon in (0.5, 3.0, 650.0, 701.0, 1000.0, 1e308, math.inf):
                output = "inferred" if name == "SHE" else "raw"
                mechanism = mechanism_named(name, epsilon, **parameters)
                found = pair_leakage(table, mechanism, output)
                key = {"key": name, "epsilon": epsilon, "parameters": parameters}
                questions.append({"table": table, "mechanism": key, "output": output, "minCount": 0})
                pair = None if found.pair is None else list(found.pair)
                expected.append({"secret": pair, "symbols": list(found.symbols)})
                infinite += math.isinf(found.value)
    found_here = answers([["localPairs", questions]])[0]
    for question, answer, wanted in zip(questions, found_here, expected, strict=True):
        assert {name: answer[name] for name in wanted} == wanted, question
    assert infinite > 50


#: Mechanisms whose raw reports favour any set of symbols.
_ANY_SET = ["OUE", "SUE", "RAPPOR", "BLH", "OLH", "SHE"]
#: RAPPOR's shares do not follow its budget.
_NAMES = ["GRR", "EXP", "OUE", "SUE", "RAPPOR", "BLH", "OLH", "SHE", "SS"]


def _expected_errors(table: AttributeTable, epsilon: float) -> list[dict[str, Any]]:
    points = {p.mechanism.name: p for p in compare_utility(table, epsilon).points if p.output == "raw"}
    assert list(points) == _NAMES
    known = [(points[name].frequency_nmse, points[name].error01) for name in _NAMES]
    # A page has no number where nothing can be told, or where the error is beyond the floats.
    return [{"frequency": f if math.isfinite(f) else None, "error": e} for f, e in known]


@pytest.mark.parametrize("whole", [True, False], ids=["tables", "points"])
@pytest.mark.parametrize("missing", [False, True])
def test_errors_of_estimated_shares_are_those_of_python_at_any_budget(whole: bool, missing: bool):
    table = _people(np.random.default_rng(11))
    if missing:
        codes = np.array(table.codes)
        codes[::3, 1] = -1
        table = AttributeTable(codes, domains=table.domains)
    budgets = [0.0, 1e-300, 1e-9, 0.1, 0.7, 1.0, 3.3, 9.5, 45.0, 700.0, 710.0, 1000.0, 1e308, math.inf]
    explorer = LocalExplorer(table, "SUE")
    embedded = explorer._embedded() if whole else {"blocks": None, "joint": None, "counted": True}
    first, sent, _ = _followed(explorer, [{"epsilon": epsilon} for epsilon in budgets])
    explorer.close()
    for epsilon, answer in zip(budgets, answers([["localViews", first, sent, embedded]])[0], strict=True):
        found = answer["results"]["compared"]
        assert [one["key"] for one in found] == _NAMES
        comparison = Comparison(tolerance=1e-9)
        comparison.compare(
            [{name: one[name] for name in ("frequency", "error")} for one in found],
            _expected_errors(table, epsilon),
        )
        assert comparison.wrong == [], epsilon
        # Points of all sets tell what the mechanisms leak that favour any, and no more.
        told = {one["key"] for one in found if one["raw"] is not None}
        assert told == (set() if epsilon == 0 else set(_NAMES) if whole else set(_ANY_SET)), epsilon


def test_points_of_a_view_give_every_budget():
    rng = np.random.default_rng(9)
    for mechanism, output in (("GRR", "raw"), ("OUE", "raw"), ("SHE", "inferred"), ("OLH", "inferred")):
        explorer = LocalExplorer(_people(rng), mechanism, output=output)
        found = answers([["localMatrices", dict(explorer._view), _BUDGETS]])[0]
        explorer.close()
        for epsilon, matrix in zip(_BUDGETS, found, strict=True):
            expected = LocalAnalysis(explorer.value, mechanism, epsilon, output=output).matrix
            comparison = Comparison()
            comparison.compare(matrix, expected.ravel())
            assert comparison.wrong == [], (mechanism, epsilon)


def test_without_tables_points_answer_for_budgets_and_pairs():
    explorer = LocalExplorer(_people(np.random.default_rng(3)), "GRR")
    steps = [{"epsilon": 2.0}, {"source": 1, "secret": 0}, {"mechanism": "EXP"}, {"mechanism": "OUE"}]
    first, sent, views = _followed(explorer, steps)
    explorer.close()
    nothing = {"blocks": None, "joint": None, "counted": True}
    answered = answers([["localViews", first, sent, nothing]])[0]
    for answer, view in zip(answered[:3], views, strict=False):
        comparison = Comparison()
        for part in ("matrix", "own", "kept", "other"):
            comparison.compare(answer["results"][part], view["results"][part], part)
        pairs = [side["results"]["pair"] for side in (answer, view)]
        comparison.compare(
            *[{k: pair[k] for k in ("source", "secret", "leakage", "mirror")} for pair in pairs]
        )
        assert comparison.wrong == []
    # Other sets are favoured: these points do not tell.
    assert "needs a kernel" in answered[3]["fault"]["text"]
    assert answered[3]["results"]["matrix"] == answered[2]["results"]["matrix"]
