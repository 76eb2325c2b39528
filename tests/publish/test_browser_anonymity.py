"""A page without a kernel computes what Python does about k-anonymity."""

from __future__ import annotations

import math
import sys
import time
from typing import Any

import numpy as np
import pytest

from pdp_widgets import AnonymityExplorer, Microdata
from tests.publish.browser_numbers import Comparison, answers

#: Parts of a view that are the page's own.
_LEFT_OUT = {"ack", "revision", "since", "disabled", "running", "stopped"}
_BUDGETS = [0.0, 0.3, 1.0, 2.5, 2.500001, 7.0, 40.0, 720.0, math.inf]
_WRONG = [-1.0, math.nan, -math.inf]
_KEYS = ["count", "suppressed", "records", "sum"]


def _pruned(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _pruned(part) for name, part in value.items() if name not in _LEFT_OUT}
    if isinstance(value, list | tuple):
        return [_pruned(part) for part in value]
    return value


def _clinic(rng: np.random.Generator) -> AnonymityExplorer:
    return AnonymityExplorer()


def _words(rng: np.random.Generator) -> AnonymityExplorer:
    """Labels in an order and in none, numbers with decimals, and a secret of three values."""
    n = 60
    data = Microdata(
        {
            "size": [str(size) for size in rng.choice(["small", "middle", "large"], n)],
            "town": [str(town) for town in rng.choice(["Ulm", "Bonn", "Kiel", "Trier"], n)],
            "pay": (np.round(rng.gamma(3.0, 10.0, n)) / 2).tolist(),
            "ill": [str(ill) for ill in rng.choice(["no", "cold", "flu"], n, p=[0.6, 0.3, 0.1])],
        },
        orders={"size": ["small", "middle", "large"]},
    )
    return AnonymityExplorer(data, ["size", "pay"], "ill", k=4, noun="person")


def _gaps(rng: np.random.Generator) -> AnonymityExplorer:
    """Missing values among quasi-identifiers, secrets and what is added up; negative numbers."""
    n = 40
    columns: dict[str, list[float | None]] = {
        "a": [float(x) for x in rng.integers(-5, 20, n)],
        "b": [float(x) for x in rng.integers(0, 4, n)],
        "visits": [float(x) for x in rng.integers(0, 3, n)],
    }
    for column in columns.values():
        for row in rng.permutation(n)[:4]:
            column[row] = None
    return AnonymityExplorer(Microdata(columns), ["a", "b"], "visits", k=3)


def _steps(rng: np.random.Generator) -> AnonymityExplorer:
    """Values with no common step, one of them everywhere, and a column of one value."""
    n = 30
    return AnonymityExplorer(
        Microdata({"x": rng.normal(0, 1, n).tolist(), "one": [7.0] * n, "y": rng.integers(1, 3, n).tolist()}),
        ["x", "one"],
        k=2,
    )


def _many(rng: np.random.Generator) -> AnonymityExplorer:
    """Twelve quasi-identifiers."""
    n = 120
    columns = {f"q{j}": rng.integers(0, 3 + 4 * j, n).tolist() for j in range(12)}
    return AnonymityExplorer(
        Microdata({**columns, "s": [str(s) for s in rng.choice(["x", "y"], n)]}), None, "s", k=6
    )


def _unknown(rng: np.random.Generator) -> AnonymityExplorer:
    """Secrets that most records have not: some classes have none; values nearly alike, or large."""
    n = 40
    ill = [str(one) if rng.random() < 0.3 else None for one in rng.choice(["no", "yes", "flu"], n)]
    ill[:3] = ["no", "yes", "flu"]
    near = [1.0, 2.0, 2.0000000001, 1e6 + 0.0001, 0.1 + 0.2, 0.30001]
    return AnonymityExplorer(
        Microdata(
            {
                "age": np.arange(n).tolist(),
                "ill": ill,
                "near": rng.choice(near, n).tolist(),
                "tenths": (rng.integers(0, 30, n) / 10 + 0.2).tolist(),
                "stamp": (1_500_000_000 + rng.integers(0, 9, n)).tolist(),
            }
        ),
        "age",
        "ill",
        k=2,
    )


_MAKERS = [_unknown, _clinic, _words, _gaps, _steps, _many]


def _request(rng: np.random.Generator, explorer: AnonymityExplorer) -> dict[str, Any]:
    """Return what a hand might set: mostly what makes sense."""
    view = explorer._view
    columns = len(view["columns"])
    kind = int(rng.integers(15))
    if kind < 3:
        return {"epsilon": float(rng.choice(_BUDGETS)) if kind else float(rng.choice(_WRONG))}
    if kind == 3:
        return {"k": int(rng.integers(1, 14))}
    if kind == 4:
        return {"k": [0, 2.5, 10_000, math.nan][int(rng.integers(4))]}
    if kind == 5:
        return {"level": str(rng.choice(["I", "II", "III", "IV"]))}
    if kind == 6:
        return {"known": float(rng.choice([0.0, 0.05, 0.31, 0.5, 0.97, 1.0, 1.5, math.nan]))}
    if kind == 7:
        return {"neighbours": [1, 2, 3, 7, 500, 0, 1.5][int(rng.integers(7))]}
    if kind == 8:
        return {"release": str(rng.choice([one["key"] for one in view["releases"]]))}
    if kind == 9:
        return {
            "neighbour": str(rng.choice(["value", "presence"])),
            "events": str(rng.choice(["all", "interval", "halfline"])),
        }
    if kind == 10:
        return {"shift": [None, 1.0, -2.0, 0.5, 0.0, math.inf][int(rng.integers(6))]}
    if kind == 11:
        return {
            "group_change": [1.0, 3.5, 0.0][int(rng.integers(3))],
            "delta1": [None, 0.1, 2.0][int(rng.integers(3))],
        }
    if kind == 12:
        reading = [one["key"] for one in view["readings"]]
        return {
            "printed": bool(rng.random() < 0.8),
            **({"reading": str(rng.choice(reading))} if reading else {}),
        }
    if kind == 13:
        return {"n": [None, 5, 12, 25, 60, 90, 4, 2.5, math.nan, 10**17][int(rng.integers(10))]}
    quasi = sorted(int(j) for j in rng.permutation(columns)[: int(rng.integers(1, columns))])
    others = [j for j in range(columns) if j not in quasi]
    return {"quasi": quasi, "secret": None if rng.random() < 0.3 or not others else int(rng.choice(others))}


def _wire(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _followed(
    explorer: AnonymityExplorer, rng: np.random.Generator, many: int
) -> tuple[Any, list[Any], list[Any]]:
    """Return the first view, the requests as sent, and Python's views with all that takes longer."""
    explorer.wait()
    first = dict(explorer._view)
    sent, views = [], []
    for seq in range(1, many + 1):
        stamped = _request(rng, explorer) | {"origin": "a", "seq": seq, "base": explorer._view["revision"]}
        wire = {key: _wire(value) for key, value in stamped.items()}
        explorer._receive(wire)
        end = time.monotonic() + 60
        while explorer._view["running"] is not None and time.monotonic() < end:
            time.sleep(0.01)
        sent.append(wire)
        views.append(dict(explorer._view))
    return first, sent, views


@pytest.mark.parametrize("maker", _MAKERS, ids=[maker.__name__.strip("_") for maker in _MAKERS])
def test_views_after_what_a_hand_sets_are_those_of_python(maker: Any):
    rng = np.random.default_rng([len(maker.__name__), 11])
    explorer = maker(rng)
    first, sent, views = _followed(explorer, rng, 25)
    explorer.close()
    numbers = 0
    for request, answer, view in zip(sent, answers([["anonymityViews", first, sent]])[0], views, strict=True):
        comparison = Comparison(tolerance=1e-9)
        comparison.compare(_pruned(answer), _pruned(view))
        assert comparison.wrong == [], (request, answer["fault"], view["fault"], comparison.wrong[:6])
        numbers += comparison.numbers
    assert numbers > 3000


def _large(rng: np.random.Generator) -> AnonymityExplorer:
    """More records than a page has, some without a value."""
    n = 5000
    age = rng.integers(18, 90, n).astype(float)
    visits = rng.integers(0, 6, n).astype(float)
    age[rng.permutation(n)[:7]] = visits[rng.permutation(n)[:200]] = math.nan
    data = {
        "age": age.tolist(),
        "town": [str(one) for one in rng.choice(["Ulm", "Bonn", "Kiel"], n)],
        "visits": visits.tolist(),
        "pay": np.round(rng.gamma(3.0, 3.0, n)).tolist(),
        "id": (np.arange(n) + rng.random(n).round(3)).tolist(),
        "ill": [str(one) for one in rng.choice(["no", "cold", "flu"], n, p=[0.8, 0.17, 0.03])],
    }
    return AnonymityExplorer(data, ["age", "town"], "ill", k=20)


_OF_LAWS = ("release", "n", "neighbour", "group_change", "shift", "level", "known", "neighbours", "epsilon")
_OF_CURVES = ("events", "delta1", "printed", "reading")


def test_a_page_without_the_records_computes_what_laws_say(monkeypatch: pytest.MonkeyPatch):
    rng = np.random.default_rng(31)
    explorer = _large(rng)
    explorer.wait()
    laws = explorer._embedded()["laws"]
    assert [one is None for one in laws["columns"]] == [False, True, False, False, True, False]
    assert laws["published"] == 4993
    asked = _request

    def request(rng: np.random.Generator, explorer: AnonymityExplorer) -> dict[str, Any]:
        found = asked(rng, explorer)
        # Numbers of each record are in no law, and of long sums a page says that it leaves them to a kernel.
        if found.get("release") in ("sum:id", "sum:age", "sum:pay") or not set(found) <= {
            *_OF_LAWS,
            *_OF_CURVES,
        }:
            return {"n": [None, 25, 400, 3][int(rng.integers(4))]}
        return found

    monkeypatch.setattr(sys.modules[__name__], "_request", request)
    first, sent, views = _followed(explorer, rng, 30)
    explorer.close()
    numbers = 0
    for wish, answer, view in zip(
        sent, answers([["anonymityViews", first, sent, laws]])[0], views, strict=True
    ):
        # What the members of a class share stays as it was saved.
        pair = [_pruned(one) for one in (answer, view)]
        for one in pair:
            one["results"]["classes"] = [{**each, "shared": ""} for each in one["results"]["classes"]]
        comparison = Comparison(tolerance=1e-9)
        comparison.compare(*pair)
        assert comparison.wrong == [], (wish, answer["fault"], view["fault"], comparison.wrong[:6])
        numbers += comparison.numbers
    assert numbers > 3000
