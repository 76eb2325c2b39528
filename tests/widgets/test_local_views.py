"""The views that the front end is tested with are those that Python sends today."""

from __future__ import annotations

import base64
import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from pdp_widgets.widgets.wire import json_safe

ROOT = Path(__file__).resolve().parents[2]
SAVED = {
    case["name"]: case["view"]
    for case in json.loads((ROOT / "tests/data/local-view-cases.json").read_text(encoding="utf-8"))
}


def script() -> ModuleType:
    path = ROOT / "scripts" / "local_view_cases.py"
    spec = importlib.util.spec_from_file_location("local_view_cases", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def fresh() -> dict[str, Any]:
    made = script()
    return {name: made.encoded(json_safe(view)) for name, view in made.views()}


def same(saved: Any, now: Any, place: str) -> None:
    """Compare two views; the last digits of numbers may differ from machine to machine."""
    if isinstance(saved, dict) and set(saved) == {"base64"}:
        first, second = (base64.b64decode(part["base64"]) for part in (saved, now))
        assert len(first) == len(second), place
        if place.endswith("starts"):
            assert first == second, place
        else:
            np.testing.assert_allclose(
                np.frombuffer(first, "<f8"),
                np.frombuffer(second, "<f8"),
                rtol=1e-9,
                atol=1e-12,
                err_msg=place,
            )
    elif isinstance(saved, dict):
        assert saved.keys() == now.keys(), place
        for key, value in saved.items():
            if not (key == "number" and place.endswith("running")):
                same(value, now[key], f"{place}.{key}")
    elif isinstance(saved, list):
        assert len(saved) == len(now), place
        for number, (one, other) in enumerate(zip(saved, now, strict=True)):
            same(one, other, f"{place}[{number}]")
    elif isinstance(saved, float):
        assert now == pytest.approx(saved, rel=1e-9, abs=1e-12), place
    else:
        assert saved == now, place


@pytest.mark.parametrize("name", SAVED)
def test_a_saved_view_is_what_python_sends(fresh: dict[str, Any], name: str) -> None:
    same(SAVED[name], fresh[name], name)


def test_every_view_is_saved(fresh: dict[str, Any]) -> None:
    assert list(fresh) == list(SAVED)
