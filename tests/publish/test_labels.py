"""Labels are text: cleaned, bounded, never markup, never turning the words around them."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.publish.labels import clean, fit, graphemes, shorten, width, wrap


@given(st.text(max_size=80), st.floats(20, 200))
def test_any_text_becomes_well_formed_xml_that_fits(text: str, room: float) -> None:
    shown = fit(text, room)
    assert ElementTree.fromstring(f"<text>{escape(shown)}</text>").text == (shown or None)
    assert width(shown) <= room + 1e-9


CASES = json.loads((Path(__file__).parents[1] / "data" / "label-cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES["cases"], ids=range(len(CASES["cases"])))
def test_labels_that_are_too_long_are_cut_as_in_the_browser(case: dict[str, Any]) -> None:
    labels, limit = case["labels"], case["limit"]
    assert [shorten(label, limit, labels) for label in labels] == case["shown"]


@given(st.lists(st.text(max_size=40), min_size=2, max_size=6), st.floats(20, 200))
def test_labels_shown_together_fit_too(labels: list[str], room: float) -> None:
    assert all(width(fit(label, room, among=labels)) <= room + 1e-9 for label in labels)


def test_lone_surrogates_and_controls_cannot_break_a_file() -> None:
    assert clean("a\ud800b\x00c\ufffe") == "a\ufffdb\ufffdc\ufffd"
    clean("\ud800").encode("utf-8")


def test_direction_controls_go_and_right_to_left_text_is_isolated() -> None:
    assert clean("a\u202eb") == "ab"
    assert fit("שלום", 100) == "\u2068שלום\u2069"
    assert fit("ש" * 100, 50).startswith("\u2068")
    assert fit("ש" * 100, 50).endswith("…\u2069")


def test_a_joined_emoji_is_never_split() -> None:
    family = "👩‍👩‍👧‍👦"
    assert graphemes(family * 2) == [family, family]
    assert shorten(family * 30, 5) == family * 4 + "…"


def test_wrap_keeps_every_word_or_says_that_it_cut() -> None:
    words = "one two three four five six"
    assert " ".join(wrap(words, 60, 12, most=9)) == words
    assert wrap(words, 60, 12, most=2)[-1].endswith("…")
