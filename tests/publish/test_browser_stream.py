"""A page without a kernel releases the stream that Python releases."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np
import pytest

from pdp_widgets import MarkovChain
from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU
from pdp_widgets.leakage.sequence.stream_run import StreamRecord
from pdp_widgets.mechanisms.sequence.distances import Distance
from pdp_widgets.mechanisms.sequence.sequence_by_name import sequence_mechanism_named
from pdp_widgets.widgets.stream_held_run import run_for
from pdp_widgets.widgets.stream_state import StreamState
from pdp_widgets.widgets.stream_views import MOST_SHOWN, stream_embedded, stream_view
from pdp_widgets.widgets.wire import fault_of, json_safe
from tests.publish.browser_numbers import Comparison, answers

_SEEDS = [0, 1, 10, 2**31, 2**32 - 1, 2**32, 123_456_789_012_345, 2**53 - 1, 2**53]


def test_random_numbers_are_those_of_numpy_bit_for_bit():
    asked = [{"seed": seed, "first": f, "count": 50} for seed in _SEEDS for f in (0, 1, 77, 199_950)]
    found = answers([["streamRandoms", asked]])[0]
    for question, numbers in zip(asked, found, strict=True):
        bits = np.random.PCG64(question["seed"])
        bits.advance(question["first"])
        assert numbers == np.random.Generator(bits).random(50).tolist(), question


def _beliefs(rng: np.random.Generator) -> list[np.ndarray]:
    found = [np.ones(1), np.array([1.0, 0.0]), np.array([0.5, 0.5]), np.array([0.0, 1e-300, 1.0])]
    for n in (2, 2, 2, 3, 5, 9, 20):
        found += [rng.dirichlet(np.full(n, alpha)) for alpha in (0.05, 0.3, 1.0, 30.0)]
    for belief in found:
        belief[belief < 1e-307] = 0.0
    return [belief / belief.sum() for belief in found]


def test_every_matrix_and_its_leakage_are_those_of_python():
    rng = np.random.default_rng(1)
    questions: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    for key in STREAM_MENU:
        for epsilon in (0.0, 1e-6, 0.05, 0.7, 3.0, 20.0, 37.42, 300.0, 707.3, 709.5, 745.5, 1e4, math.inf):
            for belief in _beliefs(rng):
                few = key in ("mip", "optimum")
                if key == "temporal_safe" or (few and len(belief) > 2):
                    continue
                step = sequence_mechanism_named(key, epsilon).channel(belief)
                questions.append({"key": key, "epsilon": epsilon, "belief": step.belief})
                expected.append({"matrix": step.matrix.ravel(), "leakage": step.leakage})
    comparison = Comparison()
    comparison.compare(answers([["streamMatrices", questions]])[0], expected)
    assert comparison.wrong == []
    assert comparison.numbers > 100_000


def _chain(rng: np.random.Generator, n: int, order: int = 1, zeros: float = 0.0) -> MarkovChain:
    size = (n,) * order
    rows = rng.dirichlet(np.full(n, 0.6), size)
    rows[(rng.random(rows.shape) < zeros) & (rows < rows.max(axis=-1, keepdims=True))] = 0.0
    rows /= rows.sum(axis=-1, keepdims=True)
    early = None if order == 1 else rng.dirichlet(np.ones(n), n)
    return MarkovChain(rows, rng.dirichlet(np.ones(n)), early=early)


def _lanes(rng: np.random.Generator, chain: MarkovChain) -> list[str]:
    able = [
        key
        for key, entry in STREAM_MENU.items()
        if entry.why_not(chain) is None and (key != "optimum" or chain.n < 3)
    ]
    return [str(key) for key in rng.permutation(able)[: int(rng.integers(1, 5))]]


def _distance(rng: np.random.Generator, n: int) -> Any:
    named = ["hamming", "absolute", "squared", "histogram"]
    if rng.random() < 0.3:
        return Distance("absolute", rng.normal(size=n))
    return str(rng.choice([*named, "euclidean"] if math.isqrt(n) ** 2 == n else named))


def _state(rng: np.random.Generator, chain: MarkovChain, steps: int, **given: Any) -> StreamState:
    epsilon = float(rng.choice([0.0, 0.05, 0.3, math.log(2), 1.0, 1.7, 4.0, 12.0, 700.0, math.inf]))
    lanes = _lanes(rng, chain)
    seed = int(rng.integers(2**53))
    return StreamState(chain, epsilon, lanes, steps, 1e-5, _distance(rng, chain.n), seed, **given)


def _record(record: StreamRecord, n: int) -> dict[str, Any]:
    lanes = []
    for lane in record.lanes.values():
        own = lane.belief[np.arange(len(record.symbols)), record.symbols]
        lanes.append(
            {
                "released": lane.released % 65536,
                "belief": (lane.belief if n <= MOST_SHOWN else own).ravel(),
                "least": lane.least,
                "leakage": lane.leakage,
                "over": lane.over.astype(np.int64),
                "sum": lane.total,
                "error": lane.error,
                "expected": lane.expected,
            }
        )
    return {
        "first": record.first,
        "count": len(record.symbols),
        "symbols": record.symbols,
        "promise": record.promise,
        "linear": record.linear,
        "advanced": record.advanced,
        "lanes": lanes,
    }


def _saved(core: StreamState) -> dict[str, Any]:
    view = json_safe(stream_view(core) | {"fault": fault_of(core.fault)})
    return {"view": view, "embedded": json_safe(stream_embedded(core))}


def _edited(rng: np.random.Generator, core: StreamState, times: int) -> None:
    """Change chain and budget at some steps."""
    for _ in range(times):
        core.advance(int(rng.integers(1, 90)))
        if rng.random() < 0.6:
            chain = _chain(rng, core.chain.n, core.chain.order, zeros=0.1)
            core.accept(
                {"value": MarkovChain(chain.transitions, chain.start, core.chain.states, chain.early)}
            )
        if rng.random() < 0.6:
            core.accept({"epsilon": float(rng.choice([0.1, 0.5, 2.0]))})


@pytest.mark.parametrize("order", [1, 2])
def test_whole_runs_are_those_of_python(order: int):
    rng = np.random.default_rng(order)
    questions: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    for round_ in range(24):
        n = int(rng.choice([1, 2, 2, 3, 4, 9, 15])) if order == 1 else int(rng.choice([1, 2, 3, 4]))
        chain = _chain(rng, n, order, zeros=float(rng.choice([0.0, 0.3])))
        if order == 1 and round_ % 4 == 0:
            # All are alike: rounding must not decide.
            chain = MarkovChain.symmetric(float(rng.choice([0.5, 0.6, 0.9, 1.0])), n)
        given: dict[str, Any] = {}
        if round_ % 6 == 5:
            given["data"] = rng.integers(0, n, 400)
        core = _state(rng, chain, int(rng.integers(0, 100)), **given)
        _edited(rng, core, int(rng.integers(0, 4)))
        first = int(rng.integers(0, core.position + 1))
        count = min(core.position + 70, core.script.steps) - first
        run = core.run.extended(first + count)
        questions.append(_saved(core) | {"first": first, "count": count})
        totals = [run.cut(first + count).totals(key) for key in core.lanes]
        expected.append(
            _record(run.record(first, count, delta=core.delta), n)
            | {
                "ended": [run.ended(key) or None for key in core.lanes],
                "totals": [
                    {"largest": one.largest, "over": one.over, "firstOver": one.first_over} for one in totals
                ],
            }
        )
    found = answers([["streamRecords", questions]])[0]
    comparison = Comparison()
    for answer in found:
        answer.pop("budgets")
        answer["totals"] = [
            {name: one[name] for name in ("largest", "over", "firstOver")} for one in answer["totals"]
        ]
    comparison.compare(found, expected)
    assert comparison.wrong == []
    assert comparison.numbers > 20_000


_INTEGERS = ("symbols", "released")


def _plain(view: Any, name: str = "") -> Any:
    """Return a view with its bytes as numbers."""
    if isinstance(view, dict) and set(view) == {"base64"}:
        view = base64.b64decode(view["base64"])
    if isinstance(view, bytes | memoryview):
        kind = "<u2" if name in _INTEGERS else "u1" if name == "over" else "<f8"
        return np.frombuffer(bytes(view), kind).astype(np.float64).tolist()
    if isinstance(view, dict):
        return {key: _plain(part, key) for key, part in view.items()}
    if isinstance(view, list | tuple):
        return [_plain(part, name) for part in view]
    return view


def _request(rng: np.random.Generator, core: StreamState) -> dict[str, Any]:
    """Return what a hand might set, sound or not."""
    n = core.chain.n
    at = int(rng.choice([core.position, core.run.steps, int(rng.integers(0, core.run.steps + 1))]))
    made: dict[str, Any] = {"position": at}
    chain = _chain(rng, n, zeros=0.2)
    bad = np.array(chain.transitions)
    bad[0, 0] += 0.5
    kinds: list[dict[str, Any]] = [
        {"epsilon": float(rng.choice([0.2, 1.0, 2.5, -1.0]))},
        {"epsilon": "Infinity"},
        {"delta": float(rng.choice([1e-3, 0.0, 2.0]))},
        {"seed": int(rng.integers(2**40))},
        {"seed": 1.5},
        {"distance": str(rng.choice(["hamming", "absolute", "nothing"]))},
        {"lanes": _lanes(rng, core.chain)},
        {"lanes": ["crr", "crr"]},
        {"lanes": []},
        {"speed": float(rng.choice([3.0, 1e6]))},
        {"playing": bool(rng.random() < 0.5)},
        {"position": 0},
        {"transitions": chain.transitions.astype("<f8").tobytes()},
        {"transitions": bad.astype("<f8").tobytes()},
        {"start": chain.start.astype("<f8").tobytes()},
        {"start": (2 * chain.start).astype("<f8").tobytes()},
        {},
    ]
    if core.chain.order == 2:
        kinds = [kind for kind in kinds if not {"transitions", "start"} & set(kind)]
    for kind in rng.choice(len(kinds), 2, replace=False):
        made |= kinds[int(kind)]
    return made


@pytest.mark.parametrize("seed", range(5))
def test_views_after_what_a_hand_sets_are_those_of_python(seed: int):
    rng = np.random.default_rng(seed)
    n, order = int(rng.choice([2, 2, 3, 5])), 2 if seed % 4 == 3 else 1
    given = {"data": rng.integers(0, n, 150)} if seed % 5 == 4 else {}
    core = _state(rng, _chain(rng, n, order), int(rng.integers(1, 140)), **given)
    _edited(rng, core, 1)
    saved = _saved(core)
    requests, expected = [], []
    for _ in range(20):
        # A page is ahead by whole blocks, Python by what was asked for.
        core.prepared(core.position, int(rng.integers(0, 30)))
        if rng.random() < 0.7:
            core.shown_elsewhere(core.number, core.run.steps)
        sent = {"shown": core.position, "there": core.run.steps}
        request = _request(rng, core)
        core.ask(request)
        if core.running is not None:
            core.take(core.running.number, run_for(core.running.inputs))
        requests.append(request | sent)
        expected.append(_saved(core)["view"])
    found = answers([["streamViews", saved["view"], requests, saved["embedded"]]])[0]
    assert len({view["run"] for view in expected}) > 5
    numbers: dict[int, int] = {}
    for request, answer, view in zip(requests, found, expected, strict=True):
        comparison = Comparison()
        # Runs are numbered elsewhere too; the same run has the same number.
        assert numbers.setdefault(view["run"], answer["run"]) == answer["run"]
        for side in (answer, view):
            side["run"] = side["window"]["run"] = 0
        comparison.compare(_plain(answer), _plain(view))
        assert comparison.wrong == [], request


def test_what_has_come_from_a_source_is_released_in_a_page_too():
    core = StreamState(MarkovChain.symmetric(0.8, 3), 1.0, ("crr", "crr_balanced"), 0, 1e-5, None, 5)
    core.open_source("a sensor")
    values = [0, 2, 2, 1, 0, 0, 1]
    for value in values:
        core.put_value(value)
    core.prepared(0, 5)
    core.shown_elsewhere(core.number, 5)
    saved = _saved(core)
    assert saved["view"]["source"]["kind"] == "live"
    (found,) = answers([["streamRecords", [saved | {"first": 0, "count": 7}]]])[0]
    assert found["symbols"] == values
    whole = core.run.extended(7).record(0, 7)
    np.testing.assert_allclose(found["lanes"][1]["sum"], whole.lanes["crr_balanced"].total, rtol=1e-12)


def test_chains_that_would_fill_a_page_are_left_out():
    few = StreamState(MarkovChain.symmetric(0.9, 100), 1.0, ("grr",), 1, 1e-5, None, 1)
    assert len(stream_embedded(few)["chains"][0]["transitions"]) == 80_000
    for k in range(1, 40):
        few.accept({"position": k, "value": MarkovChain.symmetric(0.9 - k / 100, 100)})
    assert stream_embedded(few) == {}
    cube = np.full((31, 31, 31), 1 / 31)
    assert stream_embedded(StreamState(MarkovChain(cube), 1.0, ("grr",), 1, 1e-5, None, 1)) == {}
    small = MarkovChain(cube[:30, :30, :30] * 31 / 30)
    assert stream_embedded(StreamState(small, 1.0, ("grr",), 1, 1e-5, None, 1))["chains"][0]["early"]
