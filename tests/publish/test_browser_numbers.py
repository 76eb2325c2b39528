"""A page without a kernel computes what Python does: leakages, estimates, and whole views after requests."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from pdp_widgets import (
    GaussianExplorer,
    GaussianModel,
    HistogramQuery,
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    PriorExplorer,
)
from pdp_widgets.mechanisms.label_conditions import distinct_labels
from pdp_widgets.widgets.late import enough_scale
from tests.publish.browser_numbers import Comparison, Floats, about_adversary, answers

#: Cells of a table.
_ROOM = (32, 64, 256)


def _sizes(rng: np.random.Generator, most: int) -> list[int]:
    """Return numbers of labels of 1 to `most` tuples, at most 256 cells."""
    room = int(rng.choice(_ROOM))
    sizes = [int(d) for d in rng.integers(1, 5, rng.integers(1, most + 1))]
    while math.prod(sizes) > room:
        sizes[int(np.argmax(sizes))] -= 1
    return sizes


def _table(rng: np.random.Generator, sizes: list[int]) -> np.ndarray:
    p = rng.dirichlet(np.full(math.prod(sizes), rng.choice([0.3, 1.0, 5.0])))
    if rng.random() < 0.6:
        p[rng.random(p.size) < rng.uniform(0, 0.8)] = 0
    p[int(rng.integers(p.size))] += 1e-6
    return (p / p.sum()).reshape(sizes)


def _contributions(rng: np.random.Generator, sizes: list[int]) -> list[list[float]]:
    """Return whole, decimal or any contributions, negative ones among them."""
    step = rng.choice([1.0, 0.1, 0.0])
    return [(rng.integers(-3, 4, d) * step if step else rng.normal(size=d)).tolist() for d in sizes]


def _cases(count: int) -> Iterator[tuple[PriorAnalysis, int, list[int]]]:
    rng = np.random.default_rng(20)
    for case in range(count):
        sizes = _sizes(rng, 8)
        joint = JointDistribution(_table(rng, sizes))
        query = LinearQuery(_contributions(rng, sizes))
        scale = float(rng.choice([1e-3, 0.03, 0.5, 1.0, 3.0, 1e3]))
        flat = int(rng.choice(joint.table.size, p=joint.table.ravel()))
        row = [int(p) for p in np.unravel_index(flat, joint.shape)]
        analysis = PriorAnalysis(joint, LaplaceMechanism(query, scale), row, ("instance", "sup")[case % 2])
        target = int(rng.integers(len(sizes)))
        yield analysis, target, [k for k in range(len(sizes)) if k != target and rng.random() < 0.5]


def _expected(analysis: PriorAnalysis, target: int, known: list[int]) -> dict[str, Any]:
    joint, adversary = analysis.distribution, analysis.adversary(target, known)
    found = adversary.leakage
    attained = None
    if found.attained is not None and not found.determined:
        pair = [joint.label_position(target, label) for label in found.attained.pair]
        attained = {"r": found.attained.r, "side": found.attained.side, "pair": pair}
    positions = (joint.label_position(joint.axis(name), label) for name, label in adversary.known.items())
    return {
        "exact": analysis.exact.ravel(),
        "determined": analysis.determined.ravel().astype(int),
        "chain": {"values": analysis.paper.ravel(), "increments": analysis.increments.ravel()},
        "known": list(positions),
        "node": {
            "value": found.value,
            "determined": found.determined,
            "attained": attained,
            "prior": adversary.prior,
            "support": adversary.support,
        },
        "labels": [
            {
                "label": joint.label_position(target, label),
                "centres": mixture.centres,
                "weights": mixture.weights,
            }
            for label, mixture in adversary.mixtures().items()
        ],
    }


def test_every_adversary_of_150_tables_has_the_numbers_of_python():
    cases = list(_cases(150))
    questions = [about_adversary(*case) for case in cases]
    comparison = Comparison()
    for (analysis, target, known), answer in zip(cases, answers(questions), strict=True):
        comparison.compare(answer, _expected(analysis, target, known))
    assert comparison.wrong == []
    assert comparison.numbers > 100_000
    assert comparison.largest < 1e-10


def _explorer(rng: np.random.Generator, case: int) -> PriorExplorer:
    """Return an explorer of a sample or a table, with labels that are numbers, text or both."""
    sizes = _sizes(rng, 7)
    counts = rng.multinomial(60, rng.dirichlet(np.full(math.prod(sizes), 0.7))).reshape(sizes)
    kinds = [case % 2] * len(sizes) if case % 3 else rng.integers(0, 3, len(sizes)).tolist()
    label = (lambda k: k, lambda k: 0.5 * k - 1, lambda k: f"lab{k}")
    domains = [[label[kind](k) for k in range(d)] for kind, d in zip(kinds, sizes, strict=True)]
    joint = JointDistribution.from_counts(counts, domains)
    if case % 2:
        joint = JointDistribution(joint.table, domains)
    return PriorExplorer(
        joint,
        query="sum" if max(kinds) < 2 else LinearQuery.count(joint, domains[0][0]),
        scale=float(rng.choice([0.01, 0.5, 1.0, 3.0])),
        convention=("instance", "sup")[int(rng.integers(2))],
        show_paper=bool(rng.integers(2)),
    )


def _request(rng: np.random.Generator, view: dict[str, Any], move: int) -> dict[str, Any]:
    """Return what a hand may set, wrong as well as right."""
    shape = [len(labels) for labels in view["table"]["spec"]["labels"]]
    n, size = len(shape), math.prod(shape)
    cells = np.frombuffer(view["table"]["entries"]).copy()
    cell = int(rng.integers(size))
    if move == 0:
        return {"entries": rng.dirichlet(np.ones(size)).tobytes()}
    if move == 1:
        cells[cell] = rng.choice([-0.5, math.nan, 0.7, math.inf])
        return {"entries": cells.tobytes()}
    if move == 2:
        return {"entries": bytes(view["table"]["loaded"])}
    if move == 3:
        return {"scale": [2.0, 0.0, math.nan, 1e-310, 0.3, -1.0][int(rng.integers(6))]}
    if move == 4:
        # Without what a page embeds of it, a histogram needs a kernel.
        here = {choice["key"] for choice in view["query"]["choices"]} - {"weights", "histogram"}
        keys = sorted(here)
        return {"query": str(rng.choice([*keys, "count:9"]))}
    if move == 5 and any(choice["key"] == "weights" for choice in view["query"]["choices"]):
        weights = rng.normal(size=n).tolist()
        weights[int(rng.integers(n))] = float(rng.choice([0.5, -1, 0, math.nan, math.inf, 1e308]))
        return {"query": "weights", "weights": weights}
    if move in (6, 7):
        return {"instance": [int(rng.integers(d)) for d in shape]}
    if move == 8:
        return {"convention": ("instance", "sup")[int(rng.integers(2))]}
    if move in (9, 10):
        known = [k for k in range(n) if rng.random() < 0.5]
        return {"target": int(rng.integers(-1, n + 1)), "known": known}
    if move == 11:
        return {"show_paper": bool(rng.integers(2))}
    if move == 12:
        part = ("threshold", "goal")[int(rng.integers(2))]
        return {part: [None if part == "threshold" else 0.7, 1.5, math.nan, -1.5][int(rng.integers(4))]}
    cells = np.where(np.isfinite(cells), np.abs(cells), 1.0)
    cells[cell] = 0
    cells = cells / cells.sum() if cells.sum() > 0 else cells
    locks = bytes(rng.integers(0, 2, size).tolist())
    pivot = {"rows": list(range(n))[::-1], "columns": [], "keep_sum": False}
    return {"entries": cells.tobytes(), "locks": locks, **pivot}


def _followed(explorer: Any, requests: Iterator[dict[str, Any]]) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the first view, the requests as they were sent, and Python's views after them."""
    first = dict(explorer._view)
    sent, views = [], []
    for seq, request in enumerate(requests, start=1):
        stamped = request | {"origin": "a", "seq": seq, "base": explorer._view["revision"]}
        # As a host delivers it: JSON has words for NaN and the infinities.
        explorer._receive(_on_the_wire(stamped))
        sent.append(stamped)
        views.append(dict(explorer._view))
    explorer.close()
    return [first], sent, views


def _on_the_wire(request: dict[str, Any]) -> dict[str, Any]:
    def word(value: Any) -> Any:
        if isinstance(value, float) and not math.isfinite(value):
            return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return [word(part) for part in value] if isinstance(value, list) else value

    return {name: word(value) for name, value in request.items()}


def _settled(view: dict[str, Any]) -> dict[str, Any]:
    """Return a view without the numbers of late answers: any will do that differ when their subject does."""
    # Sensitivities stand in the protocol, but neither side needs the other's.
    # The values of single edges are Python's alone: a page that computes shows none.
    chosen = {name: part for name, part in view["results"]["chosen"].items() if name != "links"}
    return {name: part for name, part in view.items() if name != "late"} | {
        "results": view["results"] | {"chosen": chosen}
    }


def _changes(views: list[Any], name: str) -> list[bool]:
    numbers = [view["late"][name] for view in views]
    return [now != before for before, now in pairwise(numbers)]


def _with_histograms(
    rng: np.random.Generator, explorer: Any, keys: list[str], moves: list[int]
) -> Iterator[dict[str, Any]]:
    for move in moves:
        asked = {"query": str(rng.choice([*keys, "histogram"]))}
        yield asked if move == 4 else _request(rng, explorer._view, move)


def test_views_of_240_requests_about_histograms_are_those_of_python():
    rng = np.random.default_rng(22)
    runs, embedded = [], []
    for case in range(30):
        explorer = _explorer(rng, case)
        joint = explorer.value
        labels = distinct_labels(joint)
        if case % 3 == 1:
            # Bins of one's own: some labels together, others in none; of the name that all labels have.
            groups = [part for part in (labels[:2], labels[2:3]) if part]
            explorer.query = HistogramQuery.of_labels(joint, groups)
        elif case % 3 == 2:
            explorer.query = "histogram"
        needed = explorer._embedded()
        assert "histogram" in needed["queries"]
        embedded.append(needed["queries"])
        keys = sorted(needed["queries"])
        moves = rng.choice([0, 1, 2, 3, 4, 4, 4, 6, 7, 8, 8, 9, 10, 11, 12, 13], 8).tolist()
        runs.append(_followed(explorer, _with_histograms(rng, explorer, keys, moves)))
    questions = [
        ["priorViews", *first, sent, queries]
        for (first, sent, _), queries in zip(runs, embedded, strict=True)
    ]
    comparison = Comparison()
    faults, binned = set(), 0
    for got, (_, _, views) in zip(answers(questions), runs, strict=True):
        for answer, view in zip(got, views, strict=True):
            comparison.compare(_settled(answer), _settled(view))
            faults.add(view["fault"] and view["fault"]["text"][:16])
            binned += "bins" in view["results"]["chosen"]
    assert comparison.wrong == []
    assert "The paper estima" in faults
    assert binned > 120
    assert comparison.numbers > 10_000


def test_views_of_320_requests_are_those_of_python():
    rng = np.random.default_rng(21)
    runs = []
    for case in range(40):
        explorer = _explorer(rng, case)
        moves = rng.integers(0, 14, 8).tolist()
        runs.append(_followed(explorer, (_request(rng, explorer._view, move) for move in moves)))
    found = answers([["priorViews", *first, sent] for first, sent, _ in runs])
    comparison = Comparison()
    faults = set()
    for got, (first, _, views) in zip(found, runs, strict=True):
        for answer, view in zip(got, views, strict=True):
            comparison.compare(_settled(answer), _settled(view))
            faults.add(view["fault"] and view["fault"]["text"][:16])
            assert (answer["late"]["sample"] is None) == (view["late"]["sample"] is None)
        for name in ("enough", "sample"):
            assert _changes([*first, *got], name) == _changes([*first, *views], name)
    assert comparison.wrong == []
    assert len(faults) > 5
    assert comparison.largest < 1e-10


def test_measures_of_all_adversaries_are_those_of_python():
    rng = np.random.default_rng(23)
    runs, embedded = [], []
    for case in range(16):
        sizes = _sizes(rng, 4)
        joint = JointDistribution(_table(rng, sizes))
        query = LinearQuery(_contributions(rng, sizes))
        convention = ("instance", "sup")[case % 2]
        explorer = PriorExplorer(joint, query, float(rng.choice([0.3, 1.0, 3.0])), convention=convention)
        embedded.append(explorer._embedded()["queries"])
        requests: list[dict[str, Any]] = [
            {"measure": "delta", "threshold": 0.1},
            {"measure_epsilon": 0.3},
            {"measure": "advantage"},
            {"scale": 2.0},
            {"measure": "posterior_vulnerability"},
            {"measure": "delta"},
            {"measure": "leakage"},
        ]
        runs.append(_followed(explorer, iter(requests)))
    questions = [
        ["priorViews", *first, sent, queries]
        for (first, sent, _), queries in zip(runs, embedded, strict=True)
    ]
    found = answers(questions)
    comparison = Comparison()
    for got, (_, _, views) in zip(found, runs, strict=True):
        for answer, view in zip(got, views, strict=True):
            # What takes Python longer than a moment is computed beside.
            if view["running"] is None:
                comparison.compare(_measured(answer), _measured(view))
    assert comparison.wrong == []
    assert comparison.numbers > 2_000


def _measured(view: dict[str, Any]) -> dict[str, Any]:
    """Return what a view shows of the graph."""
    shown = {name: view[name] for name in ("measure", "measure_epsilon", "threshold", "fault")}
    results = {name: view["results"][name] for name in ("graph", "promise", "largest", "above_promise")}
    digest = view["results"]["digest"]
    # A probability at the edge of a bin may fall into either of two by rounding.
    parts = ("promise", "domain", "measure", "values")
    known = digest and {name: digest[name] for name in parts if name in digest}
    return {**shown, **results, "digest": known}


def test_the_scale_that_keeps_the_promise_is_that_of_python():
    rng = np.random.default_rng(22)
    explorers = []
    for case in range(40):
        sizes = _sizes(rng, 5)
        weights = rng.choice([1, 2, 0.5, 0.3, -1], len(sizes)).tolist()
        explorers.append(
            PriorExplorer(
                JointDistribution(_table(rng, sizes)),
                query=weights if case % 3 else "sum",
                scale=float(rng.choice([0.1, 0.5, 1.0, 30.0])),
                convention=("instance", "sup")[case % 2],
            )
        )
    expected = [enough_scale(explorer.results, explorer.goal) for explorer in explorers]
    found = answers([["enough", dict(explorer._view)] for explorer in explorers])
    comparison = Comparison()
    for answer, late in zip(found, expected, strict=True):
        comparison.compare({"scale": answer["scale"], "why": answer["why"]}, late)
    assert comparison.wrong == []
    assert comparison.numbers > 25


# Gaussian data


def _covariance(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return a covariance that is well conditioned, or singular beyond doubt: equal or added tuples."""
    factors = rng.normal(size=(n, n + 3))
    kind = int(rng.integers(4))
    if kind == 1 and n > 1:
        i, j = rng.choice(n, 2, replace=False)
        factors[i] = factors[j] * rng.choice([-1.0, 1.0, 2.0])
    if kind == 2 and n > 2:
        i, j, k = rng.choice(n, 3, replace=False)
        factors[i] = factors[j] + factors[k]
    if kind == 3:
        factors[int(rng.integers(n))] = 0
    if rng.random() < 0.5:
        factors = factors * np.exp2(rng.integers(-6, 7, n))[:, np.newaxis]
    cov = factors @ factors.T
    return cov / 2 + cov.T / 2


def _conditional_variances(cov: np.ndarray) -> np.ndarray:
    """Return every Var(x_i | x_K) / Var(x_i)."""
    n = len(cov)
    own = np.where(np.diag(cov) > 0, np.diag(cov), 1.0)
    stack = [cov]
    for k in range(n):
        stack += [
            c - np.outer(c[:, k], c[k]) / c[k, k] if c[k, k] > 1e-9 * own[k] else c.copy() for c in stack
        ]
    return np.stack([np.diag(c) for c in stack]) / own


def _is_well_posed(cov: np.ndarray) -> bool:
    """Whether no variance is left that is nearly none: there two ways to round give two answers."""
    left = np.abs(_conditional_variances(cov))
    return bool(((left > 1e-4) | (left < 1e-12)).all())


def _gaussian_request(rng: np.random.Generator, view: dict[str, Any], move: int) -> dict[str, Any]:
    matrix = view["matrix"]
    n = len(matrix["names"])
    cov = np.frombuffer(matrix["cov"]).reshape(n, n).copy()
    mean, weights = np.frombuffer(matrix["mean"]).copy(), np.frombuffer(matrix["weights"]).copy()
    if move == 0:
        return {"cov": _covariance(rng, n).tobytes()}
    if move in (1, 2):
        i, j = sorted(rng.integers(0, n, 2).tolist())
        cov[i, j] = rng.choice([0.3, 5, -1, math.nan, 1e305])
        return {"cov": cov.tobytes()}
    if move == 3:
        return {"cov": bytes(matrix["loaded_cov"]), "mean": bytes(matrix["loaded_mean"])}
    if move == 4:
        return {"scale": [2.0, 0.0, math.nan, 0.3, -1.0][int(rng.integers(5))]}
    if move == 5:
        return {"query": ("sum", "mean", "weights")[int(rng.integers(3))]}
    if move == 6:
        weights[int(rng.integers(n))] = rng.choice([0.5, -1, 0, math.nan, 2])
        return {"weights": weights.tobytes()}
    if move == 7:
        return {"max_change": [1.0, 0.0, math.nan, -1.0, 3.0][int(rng.integers(5))]}
    if move == 8:
        mean[int(rng.integers(n))] = rng.choice([1, math.inf, -3.5])
        return {"mean": mean.tobytes()}
    if move in (9, 10):
        known = [k for k in range(n) if rng.random() < 0.5]
        return {"target": int(rng.integers(-1, n + 1)), "known": known}
    goal = [0.7, math.nan, -1.5][int(rng.integers(3))]
    return {
        "correlation": bool(rng.integers(2)),
        "threshold": [None, 0.5][int(rng.integers(2))],
        "goal": goal,
    }


class _GaussianJudge:
    """Rounding is judged by the size of what is rounded: a variance by those it is left of."""

    def __init__(self, view: dict[str, Any]) -> None:
        self.cov = np.frombuffer(view["matrix"]["cov"])
        self.top = float(np.frombuffer(view["results"]["graph"]["exact"]).max())
        sound = np.frombuffer(view["matrix"]["sound"])
        n = len(view["results"]["weights"])
        deviations = np.sqrt(np.diag(sound.reshape(n, n)))
        self.size = float(np.abs(view["results"]["weights"]) @ deviations) or 1.0

    def __call__(self, place: str, answer: Floats, expected: Floats) -> Floats | None:
        if place.endswith("graph.exact"):
            return np.abs(answer - expected) / max(self.top, 1e-300)
        if place.endswith("matrix.smallest"):
            return np.abs(answer - expected) / float(np.abs(self.cov).max())
        if place.endswith("chosen.sigma"):
            return np.abs(answer**2 - expected**2) / self.size**2
        return None


def _fair(view: dict[str, Any], size: float) -> dict[str, Any]:
    """Return a view without what depends on a deviation that is nothing but rounding."""
    results = dict(view["results"])
    chosen = dict(results["chosen"])
    if chosen["sigma"] < 1e-6 * size:
        chosen = {name: part for name, part in chosen.items() if name not in ("limit", "over", "nearly")}
    largest = {name: part for name, part in results["largest"].items() if name != "limit"}
    return view | {"results": results | {"chosen": chosen, "largest": largest}}


def test_views_of_gaussian_data_are_those_of_python():
    rng = np.random.default_rng(23)
    runs = []
    for case in range(30):
        n = int(rng.integers(1, 9))
        explorer = GaussianExplorer(
            GaussianModel(rng.normal(size=n).round(2) if case % 2 else None, _covariance(rng, n)),
            weights=None if case % 3 else rng.normal(size=n).round(1).tolist(),
            query="mean" if case % 3 == 1 else None,
            scale=float(rng.choice([1e-3, 0.5, 1.0, 1e3])),
            max_change=float(rng.choice([0.0, 0.5, 1.0, 2.0])),
        )
        moves = rng.integers(0, 12, 6).tolist()
        runs.append(_followed(explorer, (_gaussian_request(rng, explorer._view, move) for move in moves)))
    found = answers([["gaussianViews", *first, sent] for first, sent, _ in runs])
    compared, largest, wrong, determined = 0, 0.0, [], 0
    for got, (_, _, views) in zip(found, runs, strict=True):
        for answer, view in zip(got, views, strict=True):
            n = len(view["matrix"]["names"])
            if not _is_well_posed(np.frombuffer(view["matrix"]["sound"]).reshape(n, n)):
                continue
            judge = _GaussianJudge(view)
            comparison = Comparison(judge=judge)
            comparison.compare(_fair(answer, judge.size), _fair(view, judge.size))
            compared, largest = compared + 1, max(largest, comparison.largest)
            wrong += comparison.wrong
            determined += view["results"]["graph"]["determined"] is not None
    assert wrong == []
    assert compared > 120
    assert determined > 25
    assert largest < 1e-9


def _to_the_nearest(n: int) -> tuple[list[Any], list[Any], list[Any]]:
    """Return views on the way from a matrix that is none to the nearest valid one."""
    rng = np.random.default_rng(n)
    variances = np.exp2(rng.integers(-2, 3, n))
    deviations = np.sqrt(variances)
    asked = np.triu(rng.uniform(-1.5, 1.5, (n, n)) * np.outer(deviations, deviations), 1) + np.diag(variances)
    asked[0, 1] = 2 * deviations[0] * deviations[1]
    explorer = GaussianExplorer(GaussianModel(None, np.diag(variances)))
    return _followed(explorer, iter([{"cov": asked.tobytes()}, {"command": "nearest"}]))


def test_the_nearest_valid_matrix_is_that_of_python():
    runs = [_to_the_nearest(n) for n in (2, 4, 8)]
    found = answers([["gaussianViews", *first, sent] for first, sent, _ in runs])
    for (invalid, valid), (_, _, views) in zip(found, runs, strict=True):
        assert [view["fault"] is None for view in views] == [False, True]
        largest = float(np.abs(np.frombuffer(views[1]["matrix"]["cov"])).max())

        def judge(place: str, answer: Floats, expected: Floats, size: float = largest) -> Floats:
            return np.abs(answer - expected) / size

        comparison = Comparison(judge=judge)
        comparison.compare(invalid["fault"], views[0]["fault"])
        comparison.compare(valid["matrix"], views[1]["matrix"])
        assert comparison.wrong == []
