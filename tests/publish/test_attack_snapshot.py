"""The static picture of the explorer of inferred locations: sound, bounded, with every number as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pdp_widgets.publish.attack_wording import AttackCase, lead
from pdp_widgets.publish.wording import plain

SHARED = Path(__file__).parents[1] / "data" / "attack-lead-cases.json"
CASES = json.loads(SHARED.read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_the_lead_reads_as_in_the_browser(case: dict[str, Any]) -> None:
    given = {key: value for key, value in case.items() if key not in ("text", "roles")}
    parts = lead(AttackCase(**{**given, "adds": tuple(case["adds"])}))
    assert plain(parts) == case["text"]
    assert [role for _, role in parts if role] == case["roles"]
