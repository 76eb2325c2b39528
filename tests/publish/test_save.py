"""Figures are written as files: of widgets and results, safely, and refused in words."""

from __future__ import annotations

import os
import re
import struct
import sys
import zlib
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pdp_widgets import (
    AnonymityExplorer,
    AttackExplorer,
    CovarianceEditor,
    DependenceExplorer,
    GaussianExplorer,
    GaussianModel,
    JointTable,
    LocalAnalysis,
    LocalExplorer,
    MarkovChain,
    PriorExplorer,
    StreamSimulator,
    WHGGraph,
    clinic,
    examples,
    lsat6,
    synthetic_network,
    titanic,
)
from pdp_widgets.errors import AdversaryError, DomainError, PdpError, TableError, Where
from pdp_widgets.publish.figures import figure
from tests.publish.figure_subjects import POINTS, gaussian, noise, of, prior, texts


@pytest.mark.parametrize(
    ("make", "part", "words"),
    [
        (lambda: PriorExplorer(lsat6(), target="item 5", known=["item 1"], show_paper=True), None, "item 5"),
        (lambda: PriorExplorer(lsat6().marginal(["item 1", "item 2"])), "curves", "log ratio"),
        (lambda: PriorExplorer(lsat6()), "table", "item 3, item 4, item 5"),
        (lambda: GaussianExplorer(GaussianModel.equicorrelated(4, 0.3)), "matrix", "0.3"),
        (lambda: WHGGraph(prior()), None, "unknown"),
        (lambda: JointTable(lsat6()), None, "Joint distribution"),
        (
            lambda: CovarianceEditor(GaussianModel.equicorrelated(3, 0.3), weights=[2, 7, 1]),
            None,
            "Weights: x1 2, x2 7",
        ),
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
    drawn = [
        texts((tmp_path / f"{name}.svg").read_text(encoding="utf-8")) for name in ("explorer", "analysis")
    ]
    # The adversary who is chosen has a frame, and the threshold is the one that was set.
    assert all("threshold 1.25" in words for words in drawn)
    analysis.save(tmp_path / "other.svg")
    assert (tmp_path / "analysis.svg").read_bytes() != (tmp_path / "other.svg").read_bytes()


def test_an_editor_without_a_matrix_says_so(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no covariance matrix yet"):
        CovarianceEditor().save(tmp_path / "figure.svg")


def test_results_save_themselves(tmp_path: Path) -> None:
    local = LocalAnalysis(titanic(), "GRR", 1.0)
    results = (prior(), prior().graph(), gaussian(3), gaussian(3).model, lsat6(), noise(), local)
    for k, result in enumerate(results):
        assert result.save(str(tmp_path / f"{k}.svg"), width=100, theme="light") == tmp_path / f"{k}.svg"
        assert 'width="100.00mm"' in (tmp_path / f"{k}.svg").read_text(encoding="utf-8")
        assert "<figure" in result._repr_html_()
        with pytest.raises(
            DomainError, match=rf"{type(result).__name__}\.save has no choice targte=; there is"
        ):
            result.save(tmp_path / "wrong.svg", targte=1)
    with pytest.raises(DomainError, match="show_paper=; there is target=, known=, threshold= to choose"):
        gaussian(3).save(tmp_path / "wrong.svg", show_paper=True)


def test_a_choice_is_found_in_the_help_of_save() -> None:
    results = [prior(), gaussian(3).model, lsat6(), LocalAnalysis(titanic(), "GRR", 1.0)]
    for result in results:
        help_of = f"{type(result).save.__doc__} {type(result).save.__annotations__}"
        for name in signature(type(result)._figures).parameters:
            assert name == "self" or name in help_of


def test_an_explorer_and_its_results_call_one_thing_by_one_name() -> None:
    chain = MarkovChain.symmetric(0.9)
    attacks = AttackExplorer(synthetic_network(60, rng=1).city("New York"), clusters=4)
    voters = AnonymityExplorer(clinic(), ["age", "weight"], "diabetes", k=2)
    shown: list[tuple[Any, list[Any]]] = [
        (explorer := PriorExplorer(lsat6()), [explorer.results, explorer.results.graph()]),
        (flats := GaussianExplorer(GaussianModel.equicorrelated(3, 0.3)), [flats.results]),
        (local := LocalExplorer(titanic()), [local.results]),
        (bits := DependenceExplorer(examples.agreeing_bits(0.9)), [bits.results]),
        (stream := StreamSimulator(chain, 1.0, steps=3), [stream.results]),
        (attacks, [attacks.results, attacks.results.by_epsilon([1.0], draws=1)]),
        (voters, [voters.results, voters.analysis, voters.analysis.sensitivity(), voters.analysis.classes]),
    ]
    for widget, results in shown:
        parts = {*widget._panels, *widget._figures(widget._state())}
        for result in results:
            assert set(result._figures()) <= parts, (widget, result)


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"part": "picture"}, '"graph", "table", "curves", "belief", and "all"'),
        ({"part": 3}, "There is no part 3"),
        ({"width": "wide"}, '"column"'),
        ({"width": float("nan")}, "millimetres from 30"),
        ({"width": True}, "millimetres from 30"),
        ({"width": 40}, "at least 68 mm"),
        ({"theme": "dark"}, "'light' or 'print'"),
        ({"dpi": 0}, "from 50 to 2400"),
        ({"known": ["item 1"]}, "Name the target"),
    ],
)
def test_a_wrong_choice_names_what_is_accepted(choice: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(DomainError, match=re.escape(words)) as caught:
        prior().save(tmp_path / "figure.svg", **choice)
    assert caught.value.where is not None
    assert list(tmp_path.iterdir()) == []


NO_NUMBERS = (float("nan"), float("inf"), -float("inf"), "1", b"1", True, np.True_, [1], 1 + 0j, 10**400)


@pytest.mark.parametrize("wrong", [*NO_NUMBERS, -1], ids=lambda value: repr(value)[:9])
def test_a_threshold_is_a_number_of_nats(tmp_path: Path, wrong: Any) -> None:
    for subject in (prior(), gaussian(3), prior().graph()):
        with pytest.raises(AdversaryError, match=r"The threshold is .*; give a number of nats, 0 or more"):
            subject.save(tmp_path / "figure.svg", threshold=wrong)
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
        gaussian(3).model.save(tmp_path / "figure.svg", weights=wrong)
    assert caught.value.where == Where("parameter", name="weights")
    assert list(tmp_path.iterdir()) == []


def test_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    model = gaussian(3).model
    plain = model.save(tmp_path / "plain.svg", width=120, weights=[1, 2, 3]).read_bytes()
    for kind in (np.int16, np.float32, np.array):
        given = model.save(tmp_path / "a.svg", width=kind(120), weights=[kind(1), kind(2), 3])
        assert given.read_bytes() == plain
        assert prior(1).save(tmp_path / "b.png", dpi=kind(100), threshold=kind(1)).stat().st_size > 1000


def test_a_picture_of_too_many_dots_says_how_many_it_may_have(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match=r"million dots at 2400 dpi.* Give at most (\d+) dpi") as caught:
        prior().save(tmp_path / "figure.png", width=1000, dpi=2400)
    most = re.search(r"at most (\d+) dpi", str(caught.value))
    assert most is not None
    area = 1000 * figure(of(prior()), width=1000).height / 25.4**2
    assert area * float(most[1]) ** 2 <= 250e6 < area * (float(most[1]) + 1) ** 2
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_no_file_can_have_is_refused_by_name(tmp_path: Path) -> None:
    for name in ("a\0b.svg", "a\ud800.svg"):
        with pytest.raises(DomainError, match="give a name that a file can have"):
            prior().save(tmp_path / name)
    loop = tmp_path / "loop.svg"
    loop.symlink_to(loop)
    for place in (tmp_path / f"{'x' * 300}.svg", loop, Path("/proc/figure.svg")):
        with pytest.raises(OSError, match=re.escape(place.name)) as caught:
            prior().save(place)
        assert ".tmp" not in str(caught.value)
        # That nothing can be made in /proc is found out when it is tried.
        assert "cannot be written" in str(caught.value) or place.parent == Path("/proc")
    assert list(tmp_path.iterdir()) == [loop]


def test_an_adversary_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AdversaryError):
        prior().save(tmp_path / "figure.svg", target="item 9")


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
    made = figure(of(prior()))
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
            figure(of(lsat6()), **wrong)
