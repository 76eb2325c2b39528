"""One rule says what is rounding: for verdicts, for counts, and for the numbers beside them."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pdp_widgets as pdp
from pdp_widgets.leakage.prior.exact_leakages import exceeds
from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU
from pdp_widgets.mechanisms.sequence.sequence_mechanism import within
from pdp_widgets.models.amount import NOTHING, SHARE, at_most, is_nothing
from pdp_widgets.publish.formatting import leakage

CASES = json.loads((Path(__file__).parents[1] / "data" / "rounding-cases.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['value']} beside {c['line']}, {c['precision']}")
def test_a_case_reads_alike_everywhere(case: dict[str, Any]) -> None:
    value, line, above = float(case["value"]), float(case["line"]), case["above"]
    assert bool(value > at_most(line, precision=case["precision"])) is above
    assert is_nothing(value, line) is case["nothing"]
    assert (leakage(value, line) == "0") is case["nothing"]
    if not case["precision"]:
        assert bool(exceeds(np.array(value), line)) is above


@pytest.mark.parametrize("line", [0.0, 1e-30, 1e-15, 1e-9, 1e-3, 1.0, 40.0, math.inf])
def test_a_step_is_judged_alike_one_by_one_and_in_arrays(line: float) -> None:
    values = [max(line * times, 0) + more for times in (0.5, 1, 1 + 1e-9, 1.1) for more in (0, 4e-16, 2e-14)]
    whole = within(np.array(values), np.full(len(values), line))
    for value, kept in zip(values, whole.tolist(), strict=True):
        assert bool(within(value, line)) is kept
        assert kept is bool(value <= at_most(line, 2 * SHARE, NOTHING))


@pytest.mark.parametrize("key", ["crr_balanced", "crr_shrunk", "crr_trimmed", "grr", "optimum"])
@pytest.mark.parametrize("epsilon", [0.0, 1e-18, 1e-15, 1e-12, 1e-8, 1e-3, 1.0, 20.0])
def test_mechanisms_that_keep_their_budget_keep_it_at_any_size(key: str, epsilon: float) -> None:
    rng = np.random.default_rng(1)
    for n in (2, 3, 5):
        made = STREAM_MENU[key].make(epsilon, pdp.MarkovChain.symmetric(0.8, n))
        for _ in range(5):
            step = made.channel(rng.dirichlet(np.ones(n)))
            assert step.valid
            # A promise of nothing that is kept never stands beside a number that reads more than that.
            if epsilon == 0:
                assert leakage(step.leakage, epsilon) == "0"


def test_nobody_else_says_what_is_nothing() -> None:
    """The number of the rule stands once; elsewhere it is the end of a search or of a sum, not a verdict."""
    root = Path(pdp.__file__).parent
    searches = {"path_search", "exact_sup", "exact_all", "release"}
    searches |= {"calibration", "subsets", "private_classifier", "grouped", "all_adversaries"}
    for place in ("models", "mechanisms", "leakage", "publish", "widgets"):
        for path in (root / place).rglob("*.py"):
            code = re.sub(r'"""(.|\n)*?"""|#.*', "", path.read_text(encoding="utf-8"))
            if re.search(r"\b1e-14\b", code):
                assert path.stem in searches | {"amount"}, path
