"""Figures for papers: the right size, whole, legible in grey, the same every time."""

from __future__ import annotations

import base64
import re
import struct
import zlib
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from pdp_widgets import (
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    compare_noise,
    lsat6,
)
from pdp_widgets.core.chart import Axis, Chart, Series
from pdp_widgets.publish.figures import charts_snapshot, figure
from pdp_widgets.publish.labels import width as text_width
from pdp_widgets.publish.svg_clean import clean_svg
from tests.every_widget import CELLS, setup
from tests.publish.figure_subjects import FIGURES, POINTS, SVG, of, prior, texts


def placed(svg: str) -> list[tuple[float, float, float, str]]:
    """Return left end, right end, baseline and text of every piece of text, in px of the figure."""
    root = ElementTree.fromstring(svg)
    css = " ".join(sheet.text or "" for sheet in root.iter(f"{SVG}style"))
    rules = {
        name: dict(re.findall(r"([\w-]+):([^;]+)", body))
        for name, body in re.findall(r"\.(\w+)\{([^}]+)\}", css)
    }
    found: list[tuple[float, float, float, str]] = []

    def walk(element: ElementTree.Element, x: float, y: float, look: dict[str, str]) -> None:
        for moved in re.findall(r"translate\(([-\d.]+)[ ,]([-\d.]+)\)", element.get("transform", "")):
            x, y = x + float(moved[0]), y + float(moved[1])
        if element.tag == f"{SVG}svg" and element is not root:
            left, top, *_ = (float(v) for v in element.get("viewBox", "0 0 0 0").split())
            x, y = x + float(element.get("x", "0")) - left, y + float(element.get("y", "0")) - top
        own = {name: element.get(name, "") for name in ("font-size", "text-anchor") if element.get(name)}
        look = look | own | rules.get(element.get("class", ""), {})
        if element.tag == f"{SVG}text":
            size = float(look.get("font-size", "12").removesuffix("px"))
            words = "".join(element.itertext())
            # The estimate of widths is on the wide side, above all of letters that are not Latin.
            wide = text_width(words, size) * (0.93 if words.isascii() else 0.8)
            share = {"end": 1.0, "middle": 0.5}.get(look.get("text-anchor", ""), 0.0)
            at = x + float(element.get("x", "0").split()[0]) - share * wide
            found.append((at, at + wide, y + float(element.get("y", "0")), words))
        for child in element:
            walk(child, x, y, look)

    walk(root, 0.0, 0.0, {})
    return found


#: Those whose parts stand otherwise where they have more room.
WIDE = (
    "graph of 5",
    "table of an analysis",
    "curves",
    "matrix of 15",
    "noise",
    "charts",
    "all",
    "hostile names",
)


@pytest.mark.parametrize(
    ("name", "size"), [*((name, "column") for name in FIGURES), *((name, "page") for name in WIDE)]
)
def test_a_figure_is_sound_has_its_size_and_cuts_nothing(name: str, size: str) -> None:
    make, part = FIGURES[name]
    made = figure(make(), part, width=size)
    svg = made.svg
    root = ElementTree.fromstring(svg)
    assert root.get("width") == f"{86 if size == 'column' else 178:.2f}mm"
    across, down = (float(v) for v in root.get("viewBox", "").split()[2:])
    assert float(root.get("height", "").removesuffix("mm")) == pytest.approx(
        made.width * down / across, abs=0.02
    )
    point = made.width * POINTS / across
    # Text of 12 px: 7.2 pt, and never below 6 pt.
    assert 6.0 <= 12 * point <= 7.2 + 1e-3
    assert all(float(v) * point >= 5 for v in re.findall(r"font-size[:=\"]+([\d.]+)", svg))
    for left, right, y, text in placed(svg):
        assert left >= -1, text
        assert right <= across + 1, text
        assert 8 <= y <= down - 1.5, text
    low = svg.lower()
    assert not any(word in low for word in ("<script", "<foreignobject", "href", "@import", "prefers-color"))
    assert re.search(r"url\((?!#)", low) is None
    # Programs for print know no colours by name.
    assert all(map(PLAIN_COLOUR.fullmatch, colours(svg)))


#: Colours that every program for print knows.
PLAIN_COLOUR = re.compile(r"#([\da-f]{3}){1,2}|none|transparent|currentcolor|url\(#\w+\)", re.IGNORECASE)


def colours(svg: str) -> set[str]:
    """Return the colours of attributes and of rules."""
    kinds = "fill|stroke|color|stop-color"
    tags = " ".join(re.findall(r"<[^>]*>", svg))
    rules = " ".join(re.findall(r"<style>(.*?)</style>", svg))
    found = re.findall(rf' (?:{kinds})="([^"]*)"', tags) + re.findall(rf"[;{{](?:{kinds}):([^;}}]*)", rules)
    return {colour.strip() for colour in found}


#: Views that draw more than those of every widget do.
FULL = {
    "voters": "pdp.AnonymityExplorer(pdp.anes96_records())",
    "three states": "pdp.StreamSimulator(pdp.MarkovChain([[0.8, 0.1, 0.1]] * 3), 1.0, steps=20)",
}


def check_png(address: str) -> None:
    """A sound PNG of four bytes for each pixel, which are not all alike."""
    head, _, packed = address.partition(",")
    assert head == "data:image/png;base64"
    content = base64.b64decode(packed)
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    found: dict[bytes, bytes] = {}
    at = 8
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        kind, end = content[at + 4 : at + 8], at + 8 + length
        assert content[end : end + 4] == struct.pack(">I", zlib.crc32(content[at + 4 : end]))
        found[kind] = content[at + 8 : end]
        at = end + 4
    assert [*found] == [b"IHDR", b"IDAT", b"IEND"]
    columns, rows, *form = struct.unpack(">IIBBBBB", found[b"IHDR"])
    assert form == [8, 6, 0, 0, 0]
    lines = np.frombuffer(zlib.decompress(found[b"IDAT"]), np.uint8).reshape(rows, 1 + 4 * columns)
    assert not lines[:, 0].any()
    assert len(np.unique(lines[:, 1:].reshape(-1, 4), axis=0)) > 1


#: A question is words alone.
DRAWN = [name for name in CELLS if name != "question"]


@pytest.mark.parametrize("name", [*DRAWN, *FULL])
def test_programs_for_print_know_all_that_a_widget_draws(name: str, tmp_path: Path) -> None:
    widget = eval(FULL.get(name) or CELLS[name].source, setup())
    for theme in ("print", "light"):
        widget.save(tmp_path / "all.svg", "all", width=260, theme=theme)
        svg = (tmp_path / "all.svg").read_text(encoding="utf-8")
        assert [colour for colour in colours(svg) if not PLAIN_COLOUR.fullmatch(colour)] == []
        images = re.findall(r'<image [^>]*href="([^"]*)"', svg)
        assert len(images) == (2 if name == "three states" else 0)
        for address in images:
            check_png(address)
            assert address in clean_svg(svg.encode())


def test_the_same_input_gives_the_same_bytes_and_no_date() -> None:
    first, second = (figure(of(prior(5), show_paper=True), "all", width="page").svg for _ in range(2))
    assert first == second
    assert "Computed" not in first
    assert "20" + "26" not in re.sub(r'd="[^"]*"', "", first)


def test_numbers_are_written_and_what_they_hold_for_is_said() -> None:
    analysis = prior()
    made = figure(of(analysis, show_paper=True)).svg
    written = texts(made)
    for value in analysis.exact.ravel():
        assert f"{value:.3f}" in written
    description = ElementTree.fromstring(made).find(f"{SVG}desc")
    assert description is not None
    assert "scale 1; known values: those of the row item 1 = 1" in (description.text or "")
    worst = PriorAnalysis(analysis.distribution, analysis.mechanism, convention="sup")
    assert "known values: the worst that can occur" in figure(of(worst)).svg


def test_a_comparison_of_noise_says_what_it_holds_for() -> None:
    joint = lsat6().marginal(["item 1", "item 5"])
    query = LinearQuery.sum(joint)
    found = compare_noise(joint, query, 0.7)
    given = texts(figure(of(found), width="page").svg)
    assert "All 4 adversaries, given the row item 1 1, item 5 1; leakage in nats." in given
    assert all(row.name in given for row in found.rows)
    worst = compare_noise(joint, query, 0.7, convention="sup")
    assert "worst case over all known values" in texts(figure(of(worst), width="page").svg)
    # Adversaries with values of their own hold for these, and no row stands beside them.
    own = compare_noise(joint, query, 0.7, adversaries=("item 1", {"item 5": 0}))
    assert own.given == ()
    assert "given the row" not in texts(figure(of(own)).svg)


#: Names that fit when lines are broken and columns share the room.
SURVEY = ("Uses a password manager", "Has been in a data breach (as far as known)", "Study program", "Place")


def survey() -> PriorAnalysis:
    table = np.arange(1.0, 55).reshape(2, 3, 3, 3) % 7 + 1
    labels = [
        ("yes", "no"),
        ("yes", "no", "don't know"),
        ("Computer science", "Law and public policy", "Business administration"),
        ("never", "sometimes", "always"),
    ]
    joint = JointDistribution(table / table.sum(), domains=labels, names=SURVEY)
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.count(joint, "yes"), 1))


@pytest.mark.parametrize("size", ["column", "page"])
def test_what_is_cut_is_whole_for_those_who_hear_it(size: str) -> None:
    """Titles and notes break into lines; a label that has no room is cut, never the text beside it."""
    for part in ("curves", "belief"):
        made = figure(of(survey(), target=SURVEY[1], known=[SURVEY[0]]), part, width=size)
        assert SURVEY[1] in made.title
        pieces = [text for *_, text in placed(made.svg)]
        assert any(SURVEY[1].split()[0] in text for text in pieces)


def grey(colour: str) -> float:
    """Return the lightness L* of a colour."""
    long = colour if len(colour) == 7 else "#" + "".join(c * 2 for c in colour[1:])
    parts = [int(long[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return float(116 * light ** (1 / 3) - 16 if light > 0.008856 else 903.3 * light)


def test_the_print_theme_survives_grey() -> None:
    curves = figure(of(prior()), "curves", theme="print").svg
    lines = re.findall(r'stroke[:="]+(#[0-9a-f]{3,6})[^>]*?stroke-width[:="]+2', curves)
    tones = sorted({round(grey(colour)) for colour in lines})
    # The two curves that are compared differ by lightness.
    assert max(tones) - min(tones) > 25
    screen = figure(of(prior()), "curves", theme="light").svg
    assert set(re.findall(r"#[0-9a-f]{6}", screen)) != set(re.findall(r"#[0-9a-f]{6}", curves))


#: What a rule for styles, colours or names would match, were it not text.
MARKED = ["background: rural", "var(--ink2)", "url(#a)", ' id="q" class="k0"', "font-family:x", "</style>"]


@pytest.mark.parametrize("theme", ["print", "light"])
def test_names_stay_what_they_are_whatever_they_say(theme: str) -> None:
    joint = JointDistribution(np.full((6, 2), 1 / 12), [MARKED, ["a", "b"]], ["n", "m"])
    chart = Chart(
        "Marked", [Series(name, [0, 1], [k, 1]) for k, name in enumerate(MARKED)], Axis("x"), Axis("y")
    )
    for figures in (of(joint), {"curves": lambda: chart}):
        svg = figure(figures, width="page", theme=theme).svg
        written = texts(svg)
        assert [name for name in MARKED if name.strip() not in written] == []
    told = charts_snapshot([chart, joint.cells()])
    assert [name for name in MARKED if escape(name.strip()) not in told.html] == []
    ElementTree.fromstring(told.svg)
