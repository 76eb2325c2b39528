"""Figures for papers: the right size, whole, legible in grey, the same every time, and safely written."""

from __future__ import annotations

import os
import re
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from pdp_widgets import (
    CovarianceEditor,
    GaussianAnalysis,
    GaussianExplorer,
    GaussianModel,
    JointDistribution,
    JointTable,
    LaplaceMechanism,
    LinearQuery,
    LocalAnalysis,
    PriorAnalysis,
    PriorExplorer,
    WHGGraph,
    compare_noise,
    lsat6,
    titanic,
)
from pdp_widgets.errors import AdversaryError, DomainError, PdpError, TableError, Where
from pdp_widgets.publish import Chart, Line
from pdp_widgets.publish.figure_options import check_dots
from pdp_widgets.publish.figure_page import THEMES
from pdp_widgets.publish.labels import width as text_width
from pdp_widgets.publish.save import figure, save

SVG = "{http://www.w3.org/2000/svg}"
POINTS = 72 / 25.4
HOSTILE = ["<script>alert(1)</script>", "ש" * 500, "a\n\x00\u202eb & 'c'"]


def prior(n: int = 3, scale: float = 1.0) -> PriorAnalysis:
    joint = lsat6()
    joint = joint.marginal(list(joint.names[:n]))
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), scale))


def gaussian(n: int) -> GaussianAnalysis:
    root = np.random.default_rng(n).normal(size=(n, n + 3))
    return GaussianAnalysis(GaussianModel(np.arange(n), root @ root.T / n, unit="kWh"))


def hostile() -> PriorAnalysis:
    joint = JointDistribution(np.full((2, 2, 2), 1 / 8), names=HOSTILE, title="]]><foreignObject>")
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))


def charts() -> list[Chart]:
    x = np.linspace(0, 2, 30)
    return [Chart(name, [Line("sine", x, np.sin(x))], "x", "y") for name in ("first", "second")]


def noise() -> Any:
    joint = lsat6().marginal(["item 1", "item 5"])
    return compare_noise(joint, LinearQuery.sum(joint), 0.7)


FIGURES: dict[str, tuple[Callable[[], Any], str, dict[str, Any]]] = {
    "graph of 1": (lambda: prior(1), "graph", {}),
    "graph of 3": (prior, "graph", {"show_paper": True, "target": "item 1", "known": "item 2"}),
    "graph of 5": (lambda: prior(5), "graph", {"show_paper": True}),
    "graph of 5, long numbers": (lambda: prior(5, 5000.0), "graph", {"threshold": 3e-4}),
    "graph of 7": (lambda: gaussian(7), "graph", {}),
    "graph of 10": (lambda: gaussian(10), "graph", {"target": 0, "known": [1, 2]}),
    "graph of 15": (lambda: gaussian(15), "graph", {}),
    "table": (lsat6, "table", {}),
    "table of an analysis": (hostile, "table", {"target": 0, "known": [1]}),
    "curves": (prior, "curves", {}),
    "belief": (prior, "belief", {}),
    "curves of Gaussian data": (lambda: gaussian(4), "curves", {}),
    "sources": (lambda: gaussian(5), "sources", {}),
    "matrix of 3": (lambda: gaussian(3), "matrix", {}),
    "matrix of 10": (lambda: gaussian(10).model, "heatmap", {"weights": [1.0] * 10}),
    "matrix of 15": (lambda: gaussian(15).model, "matrix", {}),
    "matrix of 40": (lambda: GaussianModel.equicorrelated(40, -0.02), "matrix", {}),
    "noise": (noise, "noise", {}),
    "charts": (charts, "curves", {}),
    "all": (prior, "all", {"show_paper": True}),
    "all of Gaussian data": (lambda: gaussian(4), "all", {}),
    "hostile names": (hostile, "graph", {}),
}


def texts(svg: str) -> str:
    return " ".join("".join(part.itertext()) for part in ElementTree.fromstring(svg).iter(f"{SVG}text"))


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


@pytest.mark.parametrize(
    ("make", "part", "words"),
    [
        (lambda: PriorExplorer(lsat6(), target="item 5", known=["item 1"], show_paper=True), None, "item 5"),
        (lambda: PriorExplorer(lsat6().marginal(["item 1", "item 2"])), "curves", "log ratio"),
        (lambda: GaussianExplorer(GaussianModel.equicorrelated(4, 0.3)), "matrix", "0.30"),
        (lambda: WHGGraph(prior()), None, "unknown"),
        (lambda: JointTable(lsat6()), None, "Joint distribution"),
        (lambda: CovarianceEditor(GaussianModel.equicorrelated(3, 0.3), weights=[2, 7, 1]), None, "weight"),
    ],
)
def test_widgets_save_what_they_show(
    make: Callable[[], Any], part: str | None, words: str, tmp_path: Path
) -> None:
    widget = make()
    assert widget.save(tmp_path / "figure.svg", part) == tmp_path / "figure.svg"
    assert words in texts((tmp_path / "figure.svg").read_text(encoding="utf-8"))


def test_a_widget_saves_the_chosen_adversary(tmp_path: Path) -> None:
    explorer = PriorExplorer(lsat6(), target="item 5", known=["item 1"], show_paper=True, threshold=1.25)
    explorer.save(tmp_path / "explorer.svg")
    analysis = explorer.results
    analysis.save(
        tmp_path / "analysis.svg", target="item 5", known=["item 1"], show_paper=True, threshold=1.25
    )
    assert (tmp_path / "explorer.svg").read_bytes() == (tmp_path / "analysis.svg").read_bytes()
    analysis.save(tmp_path / "other.svg")
    assert (tmp_path / "explorer.svg").read_bytes() != (tmp_path / "other.svg").read_bytes()


def test_an_editor_without_a_matrix_says_so(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no covariance matrix yet"):
        CovarianceEditor().save(tmp_path / "figure.svg")


def test_results_save_themselves(tmp_path: Path) -> None:
    local = LocalAnalysis(titanic(), "GRR", 1.0)
    results = (prior(), prior().graph(), gaussian(3), gaussian(3).model, lsat6(), noise(), local)
    for k, result in enumerate(results):
        assert result.save(str(tmp_path / f"{k}.svg"), width=100, theme="light") == tmp_path / f"{k}.svg"
        assert 'width="100.00mm"' in (tmp_path / f"{k}.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"part": "picture"}, '"graph", "table", "curves", "belief", and "all"'),
        ({"part": 3}, "There is no part 3"),
        ({"width": "wide"}, '"column"'),
        ({"width": float("nan")}, "millimetres from 30"),
        ({"width": True}, "millimetres from 30"),
        ({"width": 40}, "at least 70 mm"),
        ({"theme": "dark"}, '"light" or "print"'),
        ({"dpi": 0}, "from 50 to 2400"),
        ({"known": ["item 1"]}, "Name the target"),
    ],
)
def test_a_wrong_choice_names_what_is_accepted(choice: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(DomainError, match=re.escape(words)) as caught:
        save(prior(), tmp_path / "figure.svg", **choice)
    assert caught.value.where is not None
    assert list(tmp_path.iterdir()) == []


NO_NUMBERS = (float("nan"), float("inf"), -float("inf"), "1", b"1", True, np.True_, [1], 1 + 0j, 10**400)


@pytest.mark.parametrize("wrong", [*NO_NUMBERS, -1], ids=lambda value: repr(value)[:9])
def test_a_threshold_is_a_number_of_nats(tmp_path: Path, wrong: Any) -> None:
    for subject in (prior(), gaussian(3), prior().graph()):
        with pytest.raises(DomainError, match=r"The threshold is .*; give a number of nats, 0 or more"):
            save(subject, tmp_path / "figure.svg", threshold=wrong)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "wrong",
    [[1, value, 1] for value in NO_NUMBERS]
    + [[1, None, 1], [[1], [2], [3]], "abc", "123", b"abc", 5]
    + [[], [1, 2], [1, 2, 3, 4], {1, 2, 3}, {1: 1, 2: 2, 3: 3}],
    ids=lambda value: repr(value)[:14],
)
def test_weights_are_one_number_for_each_tuple(tmp_path: Path, wrong: Any) -> None:
    with pytest.raises(DomainError, match="weight") as caught:
        save(gaussian(3).model, tmp_path / "figure.svg", weights=wrong)
    assert caught.value.where == Where("parameter", name="weights")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [np.int64, np.int16, np.float32, np.float64, np.array])
def test_numbers_of_numpy_are_numbers(tmp_path: Path, kind: Any) -> None:
    model = gaussian(3).model
    plain = save(model, tmp_path / "plain.svg", width=120, weights=[1, 2, 3]).read_bytes()
    assert (
        save(model, tmp_path / "a.svg", width=kind(120), weights=[kind(1), kind(2), 3]).read_bytes() == plain
    )
    assert save(prior(), tmp_path / "b.png", dpi=kind(100), threshold=kind(1)).stat().st_size > 1000


def test_a_picture_of_too_many_dots_says_how_many_it_may_have(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match=r"million dots at 2400 dpi.* Give at most (\d+) dpi") as caught:
        save(prior(), tmp_path / "figure.png", "all", width=1000, dpi=2400)
    most = re.search(r"at most (\d+) dpi", str(caught.value))
    assert most is not None
    check_dots(1000, figure(prior(), "all", width=1000).height, float(most[1]))
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_no_file_can_have_is_refused_by_name(tmp_path: Path) -> None:
    for name in ("a\0b.svg", "a\ud800.svg"):
        with pytest.raises(DomainError, match="give a name that a file can have"):
            save(prior(), tmp_path / name)
    loop = tmp_path / "loop.svg"
    loop.symlink_to(loop)
    for place in (tmp_path / f"{'x' * 300}.svg", loop, Path("/proc/figure.svg")):
        with pytest.raises(OSError, match=re.escape(place.name)) as caught:
            save(prior(), place)
        assert ".tmp" not in str(caught.value)
    assert list(tmp_path.iterdir()) == [loop]


def test_an_adversary_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AdversaryError):
        save(prior(), tmp_path / "figure.svg", target="item 9")
    with pytest.raises(TypeError, match="There is no figure of a dict"):
        save({}, tmp_path / "figure.svg")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = lsat6()
    with pytest.raises(IsADirectoryError, match=r"figure\.svg"):
        table.save(tmp_path)
    with pytest.raises(FileNotFoundError, match="make it first"):
        table.save(tmp_path / "nowhere" / "figure.svg")
    for name in ("figure.bmp", "figure", ".svg"):
        with pytest.raises(DomainError, match=r"\.svg, \.pdf or \.png"):
            table.save(tmp_path / name)
    with pytest.raises(DomainError, match="name of a file"):
        table.save(b"figure.svg")  # type: ignore[arg-type]
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PermissionError, match="cannot be written"):
        table.save(tmp_path / "figure.svg")
    assert list(tmp_path.iterdir()) == []


def test_a_file_appears_whole_or_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, link = tmp_path / "figure.svg", tmp_path / "link.svg"
    place.write_text("old", encoding="utf-8")
    link.symlink_to(place)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(OSError, match="No space"):
            lsat6().save(place)
    assert place.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figure.svg", "link.svg"]
    lsat6().save(str(link))
    assert link.is_symlink()
    assert place.read_text(encoding="utf-8").startswith("<svg")
    lsat6().save(tmp_path / "UPPER.SVG")
    assert (tmp_path / "UPPER.SVG").read_bytes() == place.read_bytes()


def test_a_missing_library_is_named_before_anything_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    for ending, name in ((".pdf", "PDF"), (".png", "PNG")):
        with pytest.raises(ImportError, match=f"{name} need vl-convert-python: pip install"):
            lsat6().save(tmp_path / f"figure{ending}")
    lsat6().save(tmp_path / "figure.svg")
    assert [path.name for path in tmp_path.iterdir()] == ["figure.svg"]


def test_pdf_and_png_have_the_size_on_paper(tmp_path: Path) -> None:
    prior().save(tmp_path / "figure.pdf", show_paper=True)
    document = (tmp_path / "figure.pdf").read_bytes()
    assert document.startswith(b"%PDF-")
    streams = [document]
    for body in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", document, re.DOTALL):
        try:
            streams.append(zlib.decompress(body))
        except zlib.error:
            continue
    inside = b"\n".join(streams)
    box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", inside)
    assert box is not None
    assert float(box[1]) == pytest.approx(86 * POINTS, abs=0.05)
    # Text is text, in a font that travels with the file, and nothing is an image.
    assert re.search(rb"/FontFile[23]?\b", inside)
    assert b"LiberationSans" in inside
    assert b"/Subtype/Image" not in inside.replace(b" ", b"")
    prior().save(tmp_path / "figure.png", dpi=200)
    picture = (tmp_path / "figure.png").read_bytes()
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    across, down = struct.unpack(">II", picture[16:24])
    assert across == pytest.approx(86 / 25.4 * 200, abs=2)
    made = figure(prior())
    assert down == pytest.approx(made.height / 25.4 * 200, abs=2)


def test_what_is_handed_to_the_library_counts_in_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, dict[str, Any]]] = []

    def convert(svg: str, **options: Any) -> bytes:
        seen.append((svg, options))
        return b"drawn"

    stand_in = SimpleNamespace(svg_to_pdf=convert, svg_to_png=convert)
    monkeypatch.setitem(sys.modules, "vl_convert", stand_in)
    lsat6().save(tmp_path / "figure.pdf", width="page")
    lsat6().save(tmp_path / "figure.png", dpi=600)
    assert (tmp_path / "figure.png").read_bytes() == b"drawn"
    (page, nothing), (column, dots) = seen
    assert (nothing, dots) == ({}, {"ppi": 600.0})
    assert f'width="{178 * POINTS:.2f}"' in page
    assert f'width="{86 * POINTS:.2f}"' in column


def test_every_error_of_a_choice_is_one_of_ours() -> None:
    for wrong in ({"width": -1}, {"theme": None}, {"part": "x"}):
        with pytest.raises(PdpError):
            figure(lsat6(), **wrong)
