"""Labels are text: cleaned, bounded, never markup, never turning the words around them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.publish.labels import clean, fit, graphemes, short_names, shorten, width, wrap
from pdp_widgets.publish.svg import Sheet, Svg, polyline, strokes


@given(st.text(max_size=80), st.floats(20, 200))
def test_any_text_becomes_well_formed_xml_that_fits(text: str, room: float) -> None:
    svg = Svg(Sheet())
    shown = fit(text, room)
    svg.text(0, 0, shown)
    root = ElementTree.fromstring(svg.document(10, 10, clean(text)))
    assert "".join(root.find("{*}text").itertext()) == shown  # type: ignore[union-attr]
    assert width(shown) <= room + 1e-9


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


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["item 1", "item 2"], (("1", "2"), False)),
        (["item 1", "item 12"], (("1", "12"), False)),
        (["x1", "x2"], (("x1", "x2"), False)),
        (["class", "survived"], (("1", "2"), True)),
        (["a very long name"], (("1",), True)),
    ],
)
def test_short_names(names: list[str], short: tuple[tuple[str, ...], bool]) -> None:
    assert short_names(names) == short


def test_wrap_keeps_every_word_or_says_that_it_cut() -> None:
    words = "one two three four five six"
    assert " ".join(wrap(words, 60, 12, most=9)) == words
    assert wrap(words, 60, 12, most=2)[-1].endswith("…")


def test_a_closed_line_keeps_its_corners() -> None:
    assert polyline([(0, 0), (10, 0), (10, 10), (0, 0)]) == "M0 0l10 0 0 10-10-10"


def test_strokes_are_relative() -> None:
    assert strokes([(1, 2), (1, 5)], "h", [3, 4]) == "M1 2h3m-3 3h4"
