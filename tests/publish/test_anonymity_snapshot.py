"""The static picture of the anonymity explorer: sound, bounded, with every number as text."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from pdp_widgets.publish.anonymity_names import reading_label, release_label
from pdp_widgets.publish.anonymity_numbers import factor_text, percent, slack_text
from pdp_widgets.publish.anonymity_wording import AnonymityCase, knows, lead
from pdp_widgets.publish.wording import plain

SHARED = Path(__file__).parents[1] / "data" / "anonymity-lead-cases.json"
CASES = json.loads(SHARED.read_text(encoding="utf-8"))
_SAID = ("text", "roles", "knows")


def real(value: Any) -> float:
    return math.inf if value == "Infinity" else float(value)


@pytest.mark.parametrize("case", CASES["cases"], ids=range(len(CASES["cases"])))
def test_the_lead_reads_as_in_the_browser(case: dict[str, Any]) -> None:
    given = {key: value for key, value in case.items() if key not in _SAID}
    told = AnonymityCase(**{**given, "epsilon": real(case["epsilon"])})
    parts = lead(told)
    assert plain(parts) == case["text"]
    assert [role for _, role in parts if role] == case["roles"]
    assert plain(knows(told)) == case["knows"]


def test_numbers_and_names_read_as_in_the_browser() -> None:
    for one in CASES["slack"]:
        assert slack_text(real(one["value"]), one["up"]) == one["text"]
    for one in CASES["percent"]:
        assert percent(one["share"]) == one["text"]
    for one in CASES["factor"]:
        assert factor_text(one["epsilon"]) == one["text"]
    for one in CASES["releases"]:
        assert release_label(one["release"], one["secret"]) == one["text"]
    for one in CASES["readings"]:
        assert reading_label(one["reading"], one["level"]) == one["text"]


@pytest.mark.parametrize("power", range(-12, 4))
def test_a_bound_is_never_written_smaller_than_it_is(power: int) -> None:
    for k in range(1, 200):
        value = k * 0.0537 * 10.0**power
        told = slack_text(value, up=True).replace("−", "-").replace(",", "")
        assert value * (1 - 1e-6) <= float(told) <= value * 1.12 + 1e-15
