"""Write tests/data/local-view-cases.json: views of the local explorer for the tests of its front end.

Run it from the root of the repository after a change of the view: python scripts/local_view_cases.py
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from pdp_widgets import RAPPOR, AttributeTable, anes96, lsat6, titanic
from pdp_widgets.examples import two_attributes
from pdp_widgets.widgets.local_explorer import LocalExplorer
from pdp_widgets.widgets.local_results import LocalValue
from pdp_widgets.widgets.wire import fault_of, json_safe

PATH = Path(__file__).resolve().parent.parent / "tests" / "data" / "local-view-cases.json"


def twelve() -> AttributeTable:
    """Return 600 records of twelve binary attributes, each of which often repeats the one before."""
    rng = np.random.default_rng(12)
    codes = rng.integers(0, 2, (600, 12))
    for column in range(1, 12):
        same = rng.random(600) < 0.7
        codes[same, column] = codes[same, column - 1]
    names = [f"question {place + 1}" for place in range(12)]
    return AttributeTable(codes, names=names, title="Twelve questions")


def with_missing() -> AttributeTable:
    """Return a few records with missing values and a label that never occurs."""
    codes = [[0, 1, 2], [1, -1, 0], [0, 0, 1], [1, 1, -1], [0, 1, 0], [1, 0, 2], [1, 1, 1]]
    return AttributeTable(
        codes, sizes=[2, 3, 3], names=["smokes", "ill", "<b>age</b>"], title="Few & missing"
    )


def views() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a name and a view of each case."""

    def view(value: LocalValue, mechanism: Any = "GRR", epsilon: float | None = 1.0, **more: Any) -> Any:
        ask = more.pop("ask", None)
        state = LocalExplorer(value, mechanism, epsilon, **more)._core
        if ask is not None:
            state.ask(ask)
        rest = {"revision": 1, "since": 1, "ack": None, "fault": fault_of(state.fault), "disabled": False}
        return {**rest, **state.state()}

    yield "titanic", view(titanic(), source="class", secret="survived", noun="person")
    yield "titanic, calibrated", view(titanic(), budget=1.0, min_count=300)
    yield "survey, seven attributes", view(anes96(), source="party", secret="vote")
    yield "survey, unary", view(anes96(), "OUE")
    yield "twelve binary attributes", view(twelve(), "SS")
    yield "one attribute", view(titanic(), attributes=["age"])
    yield "histogram, inferred", view(titanic(), "SHE", output="inferred")
    yield "subsets of two", view(anes96(attributes=["party", "own leaning", "vote"]), "SS", 0.5)
    yield "no noise", view(two_attributes(), "GRR", inf)
    yield "any mechanism with a delta", view(lsat6(), "generic", ask={"parameters": {"delta": 0.01}})
    yield "RAPPOR", view(lsat6(), RAPPOR(0.5, 0.5, 0.75), None)
    yield "missing values", view(with_missing())
    yield "the counterexample", view(titanic(), ask={"example": "xor"})
    yield "a wrong budget", view(titanic(), ask={"epsilon": -1})


def encoded(value: Any) -> Any:
    """Return a view as JSON: bytes in base64."""
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {key: encoded(item) for key, item in value.items()}
    return [encoded(item) for item in value] if isinstance(value, list) else value


def main() -> None:
    """Write the file."""
    cases = [{"name": name, "view": encoded(json_safe(view))} for name, view in views()]
    for case in cases:
        running = case["view"]["running"]
        if running is not None:
            running["number"] = 1
    PATH.write_text(json.dumps(cases, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
