"""A page without a kernel computes what Python does about dependent tuples."""

from __future__ import annotations

import base64
import math
import time
from typing import Any

import numpy as np
import pytest

from pdp_widgets import DependenceExplorer, SparseJoint, TableQuery
from pdp_widgets.leakage.dependent.conditional_outputs import SAME, equal_outputs
from pdp_widgets.leakage.graph_measure import GRAPH_MEASURES
from pdp_widgets.models.dependence import independent_blocks, product
from pdp_widgets.widgets.dependence_menu import EXAMPLES
from tests.publish.browser_numbers import Comparison, answers

#: Parts of a view that are the page's own, or that are compared for themselves.
_LEFT_OUT = {"ack", "revision", "since", "disabled", "support", "attained", "values", "worst"}
_BUDGETS = [1.0, 0.3, 2.5, 0.01, 40.0, 1e-7, 900.0]
_WRONG = [0.0, -1.0, math.nan, math.inf, 1e-320]


def _pruned(value: Any, differ: bool) -> Any:
    left_out = _LEFT_OUT | {"points", "weights"} if differ else _LEFT_OUT
    if isinstance(value, dict):
        return {name: _pruned(part, differ) for name, part in value.items() if name not in left_out}
    if isinstance(value, list | tuple):
        return [_pruned(part, differ) for part in value]
    return value


def _bits(rng: np.random.Generator, n: int, rows: int) -> SparseJoint:
    codes = rng.permutation(1 << n)[:rows]
    support = [[int(code >> j & 1) for j in range(n)] for code in sorted(codes.tolist())]
    return SparseJoint(support, rng.dirichlet(np.full(rows, 0.4)), domains=[[0, 1]] * n)


def _numbers(rng: np.random.Generator) -> SparseJoint:
    """Numbers with decimals, some rows of probability 0."""
    sizes = rng.integers(2, 5, 3)
    values = [np.round(rng.normal(0, 3, d), 1) + np.arange(d) * 7 for d in sizes]
    rows = [(a, b, c) for a in range(sizes[0]) for b in range(sizes[1]) for c in range(sizes[2])]
    chances = rng.dirichlet(np.full(len(rows), 0.5)) * (rng.random(len(rows)) < 0.8)
    chances[0] += 0.01
    support = [[float(values[j][k]) for j, k in enumerate(row)] for row in rows]
    return SparseJoint(support, chances / chances.sum(), ["Ann", "Ben", "Cy"], "Three people")


def _vectors(rng: np.random.Generator) -> SparseJoint:
    places: list[Any] = [[0, 0], [3, 4], [1, -2]]
    rows = [[places[a], places[b]] for a in range(3) for b in range(3)]
    return SparseJoint(rows, rng.dirichlet(np.full(9, 0.5)), ["here", "there"])


def _texts(rng: np.random.Generator) -> SparseJoint:
    rows = [[a, b, c] for a in ("no", "yes") for b in ("no", "yes", "may be") for c in ("no", "yes")]
    return SparseJoint(rows, rng.dirichlet(np.full(12, 0.6)), ["a", "b", "c"])


def _blocks(rng: np.random.Generator) -> SparseJoint:
    return product(_bits(rng, 3, 6), _bits(rng, 2, 4), _bits(rng, 1, 2))


def _whole_table(rng: np.random.Generator) -> SparseJoint:
    return _bits(rng, 3, 8)


_MAKERS: list[tuple[str, Any, Any]] = [
    ("bits", lambda rng: _bits(rng, 4, 9), "sum"),
    ("numbers", _numbers, "mean"),
    ("vectors", _vectors, "identity"),
    ("texts", _texts, "count:yes"),
    ("blocks", _blocks, "identity"),
    ("weights", lambda rng: _bits(rng, 3, 8), [2.0, -0.5, 0.1]),
    ("table", _whole_table, TableQuery([0, 1, 1, 3, 0.5, 2, 2, 0], name="any")),
    ("words", _texts, TableQuery([0, 1, 1, 3, 0.5, 2, 2, 0, 4, 1, 1, 2], name="words")),
    ("pairs", _whole_table, TableQuery([[k % 3, k // 2] for k in range(8)], name="two")),
    ("shift", None, "sum"),
]


def _request(rng: np.random.Generator, explorer: DependenceExplorer) -> dict[str, Any]:
    """Return what a hand might set: mostly what makes sense."""
    core = explorer._core
    n, rows = core.value.n, len(core.entries)
    made: dict[str, Any] = {}
    kind = int(rng.integers(12))
    if kind < 3:
        made["epsilon"] = float(rng.choice(_BUDGETS)) if kind else float(rng.choice(_WRONG))
    elif kind == 3:
        made["mechanism"] = str(rng.choice(["lpm", "dpm", "baseline", "calibrated"]))
        made["coefficient"] = str(rng.choice(["exact", "mean", "eq18"]))
    elif kind == 4:
        made["knowing"] = str(rng.choice(["nobody", "worst"]))
    elif kind == 5:
        made["knowing"] = "chosen"
        made["known"] = [int(k) for k in rng.permutation(n)[: int(rng.integers(n + 1))]]
    elif kind == 6:
        made["tuple"] = int(rng.integers(n))
        if n > 1 and rng.random() < 0.6:
            made["other"] = int(rng.integers(n))
    elif kind == 7:
        made["query"] = str(rng.choice([key for key, _ in core.queries]))
    elif kind == 8:
        made["probabilities"] = _edited(rng, core.entries, rows)
    elif kind == 9:
        made["probabilities"] = None
    elif kind == 10:
        made["example"] = str(rng.choice(["", *EXAMPLES]))
    else:
        made = {"alpha": float(rng.choice([0.0, 2.5, 1e3])), "paper": bool(rng.random() < 0.5)}
        if made["paper"]:
            made["measure"] = str(rng.choice(GRAPH_MEASURES))
            made["measure_epsilon"] = None if rng.random() < 0.5 else 0.3
    return made


def _edited(rng: np.random.Generator, entries: np.ndarray, rows: int) -> list[float]:
    if rng.random() < 0.3:
        wrong = np.array(entries)
        wrong[int(rng.integers(rows))] = float(rng.choice([-0.1, math.nan, 0.7, 1e-7]))
        return [float(x) for x in wrong]
    made = rng.dirichlet(np.full(rows, 0.5)) * (rng.random(rows) < 0.9)
    made[0] += 1e-3
    return [float(x) for x in made / made.sum()]


def _followed(explorer: DependenceExplorer, requests: Any) -> tuple[Any, list[Any], list[Any], list[Any]]:
    """Return the first view, the requests as sent, Python's views, and the inputs of their results."""
    first = dict(explorer._view)
    sent, views, inputs = [], [], []
    for seq, request in enumerate(requests, 1):
        made = request(explorer) if callable(request) else request
        stamped = made | {"origin": "a", "seq": seq, "base": explorer._view["revision"]}
        wire = {key: _wire(value) for key, value in stamped.items()}
        explorer._receive(wire)
        end = time.monotonic() + 60
        while explorer._view["running"] is not None and time.monotonic() < end:
            time.sleep(0.01)
        sent.append(wire)
        views.append(dict(explorer._view))
        inputs.append((explorer._core.solved.inputs, explorer._core.solved.analysis.scale))
    return first, sent, views, inputs


def _wire(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return [_wire(part) for part in value] if isinstance(value, list) else value


def _log_ratio(inputs: Any, scale: float, tuple_: int, known: Any, values: Any, attained: Any) -> float:
    """Return the log ratio of the densities of an output for two values, computed row by row."""
    joint = inputs.joint
    outputs = inputs.query.outputs(joint)
    fits = np.ones(len(joint.codes), dtype=bool)
    for k, value in zip(known, values, strict=True):
        fits &= joint.codes[:, k] == value
    exponents = -np.abs(outputs - np.array(attained["output"])).sum(axis=1) / scale
    logs = []
    for value in attained["pair"]:
        rows = fits & (joint.codes[:, tuple_] == value) & (joint.probabilities > 0)
        assert rows.any()
        weights = joint.probabilities[rows] / joint.probabilities[rows].sum()
        top = exponents[rows].max()
        logs.append(top + math.log((weights * np.exp(exponents[rows] - top)).sum()))
    return logs[0] - logs[1]


def _about(value: Any) -> Any:
    return pytest.approx(float(value), rel=1e-9, abs=1e-12)


class _Views:
    """Compares views of a page with those of Python; of equal worst cases each end may name its own."""

    def __init__(self) -> None:
        self.numbers = 0
        self.named = 0

    def compare(self, request: Any, answer: Any, view: Any, inputs: Any) -> None:
        comparison = Comparison(tolerance=1e-9)
        chosen = [{} if one["results"] is None else one["results"]["chosen"] for one in (answer, view)]
        # What is drawn is about the known values that are named.
        differ = chosen[0].get("values") != chosen[1].get("values")
        comparison.compare(*(_pruned(one, differ) for one in (answer, view)))
        assert comparison.wrong == [], (request, answer["fault"], comparison.wrong[:6])
        sent = base64.b64decode(answer["model"]["support"]["base64"])
        assert sent == view["model"]["support"]
        self.numbers += comparison.numbers
        assert (answer["results"] is None) == (view["results"] is None)
        if view["results"] is not None:
            self._chosen(answer["results"]["chosen"], view["results"]["chosen"], *inputs)

    def _chosen(self, answer: Any, view: Any, inputs: Any, scale: float) -> None:
        assert (answer["attained"] is None) == (view["attained"] is None)
        if answer["attained"] != view["attained"] or answer["values"] != view["values"]:
            where = view["tuple"], answer["known"], answer["values"], answer["attained"]
            assert _log_ratio(inputs, scale, *where) == _about(view["leakage"])
        else:
            self.named += 1
        assert (answer["worst"] is None) == (view["worst"] is None)
        if view["worst"] is not None:
            assert float(answer["worst"]["leakage"]) == _about(view["worst"]["leakage"])
            assert answer["worst"]["known"] == view["worst"]["known"]


@pytest.mark.parametrize(("name", "maker", "query"), _MAKERS, ids=[name for name, *_ in _MAKERS])
def test_views_after_what_a_hand_sets_are_those_of_python(name: str, maker: Any, query: Any):
    rng = np.random.default_rng([len(name), 7])
    explorer = DependenceExplorer(None if maker is None else maker(rng), query)
    embedded = explorer._embedded()
    requests = [lambda now: _request(rng, now) for _ in range(15)]
    first, sent, views, inputs = _followed(explorer, requests)
    explorer.close()
    views_here = answers([["dependenceViews", first, sent, embedded]])[0]
    compared = _Views()
    for request, answer, view, known in zip(sent, views_here, views, inputs, strict=True):
        compared.compare(request, answer, view, known)
    assert compared.numbers > 1000
    assert compared.named > 0


def test_outputs_that_differ_by_rounding_are_one_by_the_rule_of_python():
    rng = np.random.default_rng(11)
    columns = [
        factor * (rng.integers(0, 8, 60) / 10 + rng.integers(-4, 4, 60) * share * SAME)
        for factor in (1e-250, 1.0, 1e9)
        for share in (0.1, 0.3, 1.0, 5.0)
    ]
    columns += [
        base + rng.integers(0, 9, 60) * step for base in (2.0**50, 2.0**52 + 9) for step in (0.5, 1.0)
    ]
    found = answers([["dependenceOutputs", [column.tolist() for column in columns]]])[0]
    for column, answer in zip(columns, found, strict=True):
        values, index = equal_outputs(column)
        assert answer == {"points": values.tolist(), "places": index.tolist()}
    assert len({len(one["points"]) for one in found}) > 3


def test_the_least_noise_for_outputs_that_differ_by_rounding_is_that_of_python():
    joint = SparseJoint([[1, 1, 0], [0, 0, 1]], [0.5, 0.5])
    explorer = DependenceExplorer(joint, [0.1, 0.2, 0.3], mechanism="calibrated")
    first, sent, views, inputs = _followed(explorer, [{"epsilon": 0.5}, {"knowing": "worst"}])
    assert views[-1]["results"]["scale"] == 0.6
    assert np.frombuffer(views[-1]["results"]["exact"]).tolist() == [0, 0, 0]
    found = answers([["dependenceViews", first, sent, explorer._embedded()]])[0]
    compared = _Views()
    for request, answer, view, known in zip(sent, found, views, inputs, strict=True):
        compared.compare(request, answer, view, known)


def test_blocks_are_those_of_python_where_values_are_rare_and_rows_are_many():
    rng = np.random.default_rng(3)
    joints = []
    for rare in (1e-9, 1e-13, 1e-200):
        pair = SparseJoint([[0, 0], [1, 1]], [1 - rare, rare])
        joints += [pair, product(pair, _bits(rng, 2, 4), _bits(rng, 1, 2)), product(_bits(rng, 1, 2), pair)]
    joints.append(product(*(_bits(rng, 1, 2) for _ in range(12))))
    tables = [
        {"codes": joint.codes.tolist(), "chances": joint.probabilities.tolist()}
        for joint in joints
        if joint.probabilities.all()
    ]
    assert len(tables) == len(joints)
    found = answers([["dependenceBlocks", tables]])[0]
    expected = [independent_blocks(joint) for joint in joints]
    assert found == [[list(block) for block in one] for one in expected]
    assert [len(one) for one in expected] == [1, 3, 2] * 3 + [12]


@pytest.mark.parametrize(
    ("name", "maker", "query"), [_MAKERS[0], _MAKERS[1], _MAKERS[6]], ids=["bits", "numbers", "table"]
)
def test_budgets_at_the_ends_of_floats_are_answered_as_in_python(name: str, maker: Any, query: Any):
    explorer = DependenceExplorer(maker(np.random.default_rng(len(name))), query)
    embedded = explorer._embedded()
    budgets = [1.7e308, 1e291, 1e289, 1e200, 1e16, 1e-16, 1e-250, 1e-308, 1.0]
    requests = [
        {"mechanism": mechanism, "coefficient": kind, "epsilon": budget}
        for mechanism, kind in (("lpm", "exact"), ("dpm", "eq18"), ("calibrated", "exact"))
        for budget in budgets
    ]
    first, sent, views, inputs = _followed(explorer, requests)
    explorer.close()
    found = answers([["dependenceViews", first, sent, embedded]])[0]
    compared = _Views()
    for request, answer, view, known in zip(sent, found, views, inputs, strict=True):
        compared.compare(request, answer, view, known)
    assert sum(view["fault"] is not None for view in views) >= 6


@pytest.mark.parametrize(
    ("name", "maker", "query"), [_MAKERS[2], _MAKERS[6], _MAKERS[9]], ids=["vectors", "table", "shift"]
)
def test_noise_beyond_numbers_is_refused_in_the_words_of_python(name: str, maker: Any, query: Any):
    """Some mechanisms need noise that no number holds, others do not yet: the one that is chosen is named."""
    explorer = DependenceExplorer(None if maker is None else maker(np.random.default_rng(len(name))), query)
    embedded = explorer._embedded()
    requests = [
        {"mechanism": mechanism, "coefficient": kind, "epsilon": budget}
        for mechanism, kind in (
            ("dpm", "exact"),
            ("dpm", "mean"),
            ("calibrated", "exact"),
            ("baseline", "mean"),
        )
        for budget in (1e-308, 2.3e-308, 3e-308, 6e-309, 1e-307)
    ]
    first, sent, views, _ = _followed(explorer, requests)
    explorer.close()
    found = answers([["dependenceViews", first, sent, embedded]])[0]
    faults = [view["fault"] for view in views]
    assert [answer["fault"] for answer in found] == faults
    assert sum(fault is not None for fault in faults) >= 2
