"""The static picture of the dependence explorer: sound, bounded, with every number as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pdp_widgets.publish.dependence_wording import DependenceCase, knowing, lead
from pdp_widgets.publish.wording import plain

SHARED = Path(__file__).parents[1] / "data" / "dependence-lead-cases.json"
CASES = json.loads(SHARED.read_text(encoding="utf-8"))["cases"]
_SAID = ("text", "roles", "known_words")


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_the_lead_reads_as_in_the_browser(case: dict[str, Any]) -> None:
    given = {key: value for key, value in case.items() if key not in _SAID}
    told = DependenceCase(**{**given, "known": tuple(case["known"])})
    parts = lead(told)
    assert plain(parts) == case["text"]
    assert [role for _, role in parts if role] == case["roles"]
    assert knowing(told) == case["known_words"]
