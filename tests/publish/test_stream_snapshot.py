"""The picture of a stream: the words shared with the browser, and a sound, small SVG in any case."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from pdp_widgets.publish.stream_wording import ChangeWords, LaneCase, StreamCase, audit, lead
from pdp_widgets.publish.wording import plain

SHARED = Path(__file__).parents[1] / "data" / "stream-lead-cases.json"
CASES = json.loads(SHARED.read_text(encoding="utf-8"))["cases"]


def numbers(given: dict[str, Any]) -> dict[str, Any]:
    return {name: math.inf if value == "Infinity" else value for name, value in given.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][-40:])
def test_the_words_are_those_of_the_browser(case: dict[str, Any]) -> None:
    given = numbers({k: v for k, v in case.items() if k not in ("text", "roles", "audit")})
    given["lanes"] = tuple(LaneCase(**numbers(lane)) for lane in given["lanes"])
    given["change"] = ChangeWords(**given["change"]) if given["change"] else None
    made = StreamCase(**given)
    parts = lead(made)
    assert plain(parts) == case["text"]
    assert [role for _, role in parts if role] == case["roles"]
    assert audit(made) == case["audit"]
