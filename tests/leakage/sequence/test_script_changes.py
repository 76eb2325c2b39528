"""What was edited while a stream ran, in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pdp_widgets import MarkovChain
from pdp_widgets.leakage.sequence.stream_script import Segment, change_words, edits
from pdp_widgets.streams import StreamScript

TWO = MarkovChain.symmetric(0.9, ["dry", "wet"])
THREE = MarkovChain([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]])
SECOND = MarkovChain([[[0.9, 0.1], [0.4, 0.6]], [[0.7, 0.3], [0.2, 0.8]]])


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (TWO, MarkovChain.symmetric(0.6, ["dry", "wet"]), ("stay 0.9", "stay 0.6")),
        (TWO, MarkovChain.binary(0.9, 0.5, states=["dry", "wet"]), ("stay at wet 0.9", "stay at wet 0.5")),
        (
            TWO,
            MarkovChain.binary(0.25, 0.5, states=["dry", "wet"]),
            ("stay at dry 0.9, stay at wet 0.9", "stay at dry 0.25, stay at wet 0.5"),
        ),
        (
            THREE,
            MarkovChain([[0.5, 0.4, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]]),
            ("the old chain", "a chain with 1 other row"),
        ),
        (
            SECOND,
            MarkovChain([[[0.8, 0.2], [0.4, 0.6]], [[0.6, 0.4], [0.2, 0.8]]]),
            ("the old chain", "a chain with 2 other rows"),
        ),
    ],
)
def test_a_change_of_the_chain(before: MarkovChain, after: MarkovChain, words: tuple[str, str]) -> None:
    assert change_words(Segment(1, before, 0.5), Segment(9, after, 0.5)) == words
    both = change_words(Segment(1, before, 0.5), Segment(9, after, 1.25))
    assert both == (f"{words[0]}, ε 0.5", f"{words[1]}, ε 1.25")


#: The page words them too, see js/test/compute/stream-vectors.test.ts.
CASES = json.loads(Path(__file__).parents[2].joinpath("data", "stream-change-cases.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["words"][1])
@pytest.mark.parametrize("numeric", [False, True])
def test_no_number_stands_beside_another(case: dict[str, Any], numeric: bool) -> None:
    states = [int(each) if numeric and each.isdecimal() else each for each in case["states"]]
    before, after = (MarkovChain(case[name], states=states) for name in ("before", "after"))
    assert list(change_words(Segment(1, before, 0.5), Segment(9, after, 0.5))) == case["words"]


def test_edits_stand_in_order_and_up_to_a_step() -> None:
    script = StreamScript.of(TWO, 0.5, seed=0).changed(4, epsilon=1.0).changed(9, epsilon=2.0)
    assert [(each.step, each.after) for each in edits(script, 10)] == [(5, "ε 1"), (10, "ε 2")]
    assert [each.step for each in edits(script, 9)] == [5]
    assert edits(script, 4) == []
