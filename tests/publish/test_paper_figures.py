"""Figures for papers: the right size, whole, legible in grey, the same every time."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from pdp_widgets import (
    GaussianAnalysis,
    GaussianModel,
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    LocalAnalysis,
    PriorAnalysis,
    compare_noise,
    lsat6,
)
from pdp_widgets.publish.figure_page import THEMES
from pdp_widgets.publish.labels import width as text_width
from pdp_widgets.publish.save import figure
from tests.publish.figure_subjects import FIGURES, POINTS, SVG, gaussian, prior, texts


def placed(svg: str) -> list[tuple[float, float, float, str]]:
    """Return left end, right end, baseline and text of every piece of text, in px of the figure."""
    root = ElementTree.fromstring(svg)
    css = root.find(f"{SVG}style").text or ""  # type: ignore[union-attr]
    found: list[tuple[float, float, float, str]] = []

    def rule(classes: list[str], prop: str) -> str | None:
        for selectors, body in re.findall(r"([^{}]+)\{([^{}]+)\}", css):
            for name, value in re.findall(r"([\w-]+):([^;]+)", body):
                if name == prop and any(f".{c}" in selectors.split(",") for c in classes):
                    return str(value)
        return None

    def walk(element: ElementTree.Element, x: float, y: float, classes: list[str]) -> None:
        moved = re.fullmatch(r"translate\(([-\d.]+) ([-\d.]+)\)", element.get("transform", ""))
        if moved:
            x, y = x + float(moved[1]), y + float(moved[2])
        own = [*classes, element.get("class")] if element.get("class") else classes
        if element.tag == f"{SVG}text":
            runs: list[tuple[list[float], str, list[str]]] = []
            start = [float(v) for v in element.get("x", "0").split()]
            runs.append((start, element.text or "", own))
            for span in element:
                body, place = "".join(span.itertext()), span.get("x")
                more = [*own, span.get("class")] if span.get("class") else own
                if place is None:
                    runs[-1] = (runs[-1][0], runs[-1][1] + body + (span.tail or ""), runs[-1][2])
                else:
                    runs.append(([float(place)], body + (span.tail or ""), more))
            for places, body, styled in runs:
                pieces = list(body) if len(places) > 1 else [body]
                for at, piece in zip(places, pieces, strict=False):
                    size = float((rule(styled, "font-size") or "12px").removesuffix("px"))
                    # The estimate of widths is on the wide side; what stands in bold is wider by a little.
                    wide = text_width(piece, size) * 0.93
                    anchor = rule(styled, "text-anchor")
                    left = x + at - (wide if anchor == "end" else wide / 2 if anchor == "middle" else 0)
                    found.append((left, left + wide, y + float(element.get("y", "0")), piece))
        else:
            for child in element:
                walk(child, x, y, own)

    walk(root, 0.0, 0.0, [])
    return found


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("size", ["column", "page"])
def test_a_figure_is_sound_has_its_size_and_cuts_nothing(name: str, size: str) -> None:
    make, part, choice = FIGURES[name]
    made = figure(make(), part, width=size, **choice)
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
    assert all(float(v) * point >= 5 for v in re.findall(r"font-size:([\d.]+)px", svg))
    for left, right, y, text in placed(svg):
        assert left >= -1, text
        assert right <= across + 1, text
        assert 8 <= y <= down - 1.5, text
    low = svg.lower()
    assert not any(word in low for word in ("<script", "<foreignobject", "href", "@import", "prefers-color"))
    assert "url(" not in low.replace("url(#m)", "")


def test_the_same_input_gives_the_same_bytes_and_no_date() -> None:
    first, second = (figure(prior(5), "all", width="page", show_paper=True).svg for _ in range(2))
    assert first == second
    assert "Computed" not in first
    assert "20" + "26" not in re.sub(r'd="[^"]*"', "", first)


def test_numbers_are_written_and_what_they_hold_for_is_said() -> None:
    analysis = prior()
    made = figure(analysis, show_paper=True).svg
    written = texts(made)
    for value in analysis.exact.ravel():
        assert f"{value:.3f}" in written
    description = ElementTree.fromstring(made).find(f"{SVG}desc")
    assert description is not None
    assert "scale 1.00" in (description.text or "")
    assert "convention instance" in (description.text or "")
    worst = PriorAnalysis(analysis.distribution, analysis.mechanism, convention="sup")
    assert "convention sup" in figure(worst).svg


def test_a_comparison_of_noise_says_what_it_holds_for_and_cuts_no_promise() -> None:
    joint = lsat6().marginal(["item 1", "item 5"])
    query = LinearQuery.sum(joint)
    given = texts(figure(compare_noise(joint, query, 0.7)).svg)
    assert "All 4 adversaries, given the row item 1 1, item 5 1." in given
    assert "promise for one tuple, void for correlated ones" in given
    worst = texts(figure(compare_noise(joint, query, 0.7, convention="sup")).svg)
    assert "All 4 adversaries, worst case over all known values." in worst
    # Adversaries with values of their own hold for these, and no row stands beside them.
    own = compare_noise(joint, query, 0.7, adversaries=("item 1", {"item 5": 0}))
    assert own.given == ()
    assert "given the row" not in texts(figure(own).svg)


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


@pytest.mark.parametrize("part", ["graph", "table", "curves", "belief"])
@pytest.mark.parametrize("size", ["column", "page"])
def test_long_names_are_broken_before_they_are_cut(part: str, size: str) -> None:
    written = texts(figure(survey(), part, width=size, target=SURVEY[1], known=[SURVEY[0]]).svg)
    assert "…" not in written
    if part in ("graph", "table"):
        key = ", ".join(f"{j + 1} {name}" for j, name in enumerate(SURVEY))
        assert key in written
    if part == "table":
        assert all(label in written for label in ("Business administration", "don't know"))
        pieces = [text for *_, text in placed(figure(survey(), part, width=size).svg)]
        assert [text for text in pieces if text in (*SURVEY, *"1234")] == list("1234")
    if part == "graph":
        assert f"Frame: “{SURVEY[1]}”, knowing “{SURVEY[0]}”," in written


@pytest.mark.parametrize("size", ["column", "page"])
@pytest.mark.parametrize(
    "names", [[f"item {k}" for k in range(1, 6)], [f"a flat in house {k}" for k in "ABCDE"]]
)
def test_a_number_for_a_name_is_told_from_the_number_beside_it(size: str, names: list[str]) -> None:
    table = np.arange(1.0, 33.0).reshape((2,) * 5) % 7 + 1
    joint = JointDistribution(table / table.sum(), names=names)
    drawn = figure(PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1)), width=size).svg
    pieces = [text for *_, text in placed(drawn)]
    assert [text for text in pieces if re.fullmatch(r"\d+ \d+\.\d+", text)] == []
    # Above the small lattices: names where they fit, on lines of their own or not, else numbers and a colon.
    heads = [text for text in pieces if re.match(r"(item|a flat in house|[1-5]:|[A-E]\b)", text)]
    assert len(heads) >= 5


def long_names() -> GaussianAnalysis:
    names = ["Living room, north side", "Heat pump consumption", "Outside air temperature", "Solar roof"]
    return GaussianAnalysis(GaussianModel(None, gaussian(4).model.cov, names=names, unit="kWh"))


@pytest.mark.parametrize("part", ["graph", "matrix", "curves", "sources", "all"])
@pytest.mark.parametrize("size", ["column", "page"])
def test_long_names_of_gaussian_data_are_whole(part: str, size: str) -> None:
    svg = figure(long_names(), part, width=size).svg
    assert "…" not in texts(svg)
    if part == "matrix":
        assert "2 Heat pump consumption" in [text for *_, text in placed(svg)]


@pytest.mark.parametrize("size", ["column", "page"])
def test_long_names_of_attributes_are_whole(size: str) -> None:
    for part in ("matrix", "rows", "curves"):
        written = texts(figure(LocalAnalysis(survey().distribution, "GRR", 1.0), part, width=size).svg)
        assert "…" not in written, part


def test_the_cards_of_a_figure_have_one_form() -> None:
    svg = figure(survey(), target=SURVEY[1]).svg
    cards = [text for *_, text in placed(svg) if re.fullmatch(r"(knows )?[1-4](, [1-4])*", text)]
    assert {"1, 3", "1, 3, 4"} < set(cards)
    assert not any(text.startswith("knows") for text in cards)
    # Three cards side by side have the words, on all of them.
    three = [text for *_, text in placed(figure(prior(3), width="page").svg)]
    assert {"knows 1, 2", "knows 1"} < set(three)


def test_a_table_that_heads_its_columns_with_names_has_no_key() -> None:
    written = texts(figure(survey().distribution.marginal(["Study program", "Place"])).svg)
    assert "Study program" in written
    assert "1 Study program" not in written


def test_the_heat_map_writes_numbers_or_else_the_signs() -> None:
    model = gaussian(4).model
    written = texts(figure(model).svg)
    assert all(f"{abs(value):.2f}" in written for value in model.cov.ravel())
    assert "−" in written
    # Without room for numbers, each cell below zero carries a stroke with a halo, 0.4 cells of 18 px long.
    drawn = figure(GaussianModel.equicorrelated(15, -0.06)).svg
    assert drawn.count("h7.2") == 2 * 15 * 14
    assert "h7.2" not in figure(GaussianModel.equicorrelated(15, 0.06)).svg


def grey(colour: str) -> float:
    """Return the lightness L* of a colour."""
    long = colour if len(colour) == 7 else "#" + "".join(c * 2 for c in colour[1:])
    parts = [int(long[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return float(116 * light ** (1 / 3) - 16 if light > 0.008856 else 903.3 * light)


def test_the_print_theme_survives_grey() -> None:
    tones = {token: grey(colour) for token, colour in THEMES["print"].items()}
    # The two curves that are compared differ by lightness, text and lines stand out from the paper.
    assert abs(tones["a"] - tones["b"]) > 25
    assert all(tones[token] < 45 for token in ("ink", "ink2", "promise", "paper", "over", "brand"))
    assert tones["line"] < 80
    assert THEMES["light"]["ink"] == "#212121"
