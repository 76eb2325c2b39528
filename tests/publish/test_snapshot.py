"""Static pictures of widgets: a sentence, drawings as images, tables, plain text, and one sheet."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser

from pdp_widgets import JointTable, lsat6
from pdp_widgets.publish import Snapshot, render
from pdp_widgets.publish.page_state import MODULES
from pdp_widgets.publish.render import EngineError
from pdp_widgets.publish.snapshot import figure_css, snapshot_of
from tests.every_widget import CELLS, printed, setup
from tests.publish.test_render import DRAWN, HOSTILE

DAY = date(2026, 11, 28)
#: What the HTML of each takes at most, kB.
BUDGETS = {
    "question": 2,
    "joint_table": 6,
    "covariance_editor": 6,
    "whg_graph": 13,
    # Two curves say what the leakage means: 6 kB.
    "stream_simulator": 26,
    "prior_explorer": 34,
    "gaussian_explorer": 36,
    "local_explorer": 36,
    "anonymity_explorer": 36,
    "dependence_explorer": 40,
    "attack_explorer": 42,
    "network_explorer": 42,
}


def images(html: str) -> list[str]:
    """Return the drawings of a picture."""
    found = re.findall(r'<img [^>]*src="data:image/svg\+xml;base64,([^"]+)"', html)
    return [base64.b64decode(data).decode() for data in found]


def readable(html: str) -> str:
    """Return the HTML without its images and its style."""
    return re.sub(r"<img [^>]*>|<style>.*?</style>", "", html, flags=re.DOTALL)


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    return setup()


@pytest.fixture(scope="module")
def shots(names: dict[str, Any]) -> Iterator[dict[str, Snapshot]]:
    made = {module: eval(CELLS[module].source, names) for module in sorted(MODULES)}
    for widget in made.values():
        if hasattr(widget, "wait"):
            widget.wait()
    yield {module: widget.snapshot() for module, widget in made.items()}
    for widget in made.values():
        widget.close()


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_picture_says_its_sentence_and_its_numbers_in_words(
    module: str, shots: dict[str, Snapshot], names: dict[str, Any]
) -> None:
    shot = shots[module]
    html = readable(shot.html)
    for line in shot.text.split("\n"):
        assert line[:60].replace("&", "&amp;") in html
    shown = html + "".join(images(shot.html))
    numbers = printed(eval(CELLS[module].numbers, names))
    assert [number for number in numbers if number not in shown] == []
    assert "<table>" in html
    assert "Computed " in html
    assert "pdp_widgets" in shot.caption
    assert len(shot.html.encode()) < 1000 * BUDGETS[module]


@pytest.mark.parametrize("module", sorted(MODULES - {"joint_table", "question"}))
def test_each_drawing_is_an_image_that_brings_its_style(module: str, shots: dict[str, Snapshot]) -> None:
    found = images(shots[module].html)
    assert found
    assert shots[module].html.count("<img ") == len(found)
    for svg in found:
        assert "@media(prefers-color-scheme:dark)" in svg
        assert ElementTree.fromstring(svg).get("width")


def check_sheet(svg: str) -> None:
    """Nothing on a sheet runs, loads or is not a number, and no two parts have one name."""
    root = ElementTree.fromstring(svg)
    names = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(names) == len(set(names))
    for element in root.iter():
        assert element.tag.partition("}")[2] in DRAWN
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert "href" not in name or value.startswith(("#", "data:image/"))
            assert "nan" not in value.lower()


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_sheet_holds_the_sentence_and_every_drawing(module: str, shots: dict[str, Snapshot]) -> None:
    shot = shots[module]
    check_sheet(shot.svg)
    words = re.sub(r"\s+", "", "".join(ElementTree.fromstring(shot.svg).itertext()))
    assert re.sub(r"\s+", "", shot.text.split("\n")[0]) in words
    assert shot.svg.count("<svg ") == len(images(shot.html)) + 1
    # A class means the same as in the drawing that it comes from.
    for name in re.findall(r' class="(\w+)"', shot.svg):
        assert f".{name}{{" in shot.svg


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_labels_are_text(name: str) -> None:
    widget = HOSTILE[name]()
    if hasattr(widget, "wait"):
        widget.wait()
    shot = widget.snapshot()
    check_sheet(shot.svg)
    body = readable(shot.html)
    tags = {re.sub(r' colspan="\d+"', "", tag) for tag in re.findall(r"<[^<>]*>", body)}
    known = ["p", "b", "div", "details", "summary", "figcaption"]
    known += ["table", "caption", "thead", "tbody", "tr", "th", "td"]
    allowed = {f"<{end}{name}>" for name in known for end in ("", "/")}
    assert tags - allowed == {'<figure class="pdp-static">', "</figure>"}
    assert not {"\x00", "\u202e"} & set(body)
    assert len(shot.html.encode()) < 80_000


def test_only_the_date_changes_a_picture(names: dict[str, Any]) -> None:
    state = eval(CELLS["prior_explorer"].source, names)._page_state()
    first, same = (snapshot_of(state, str, day=DAY) for _ in range(2))
    later = snapshot_of(state, str, day=date(2027, 1, 2))
    assert first == same
    assert later.svg.replace("2 January 2027", "28 November 2026") == first.svg


def test_a_figure_carries_the_rules_of_its_live_view() -> None:
    shot = JointTable(lsat6()).snapshot()
    html = shot.to_html("a1-B_2")
    assert '<figure class="pdp-static pdps-a1-B_2">' in html
    child = ".jp-OutputArea-child"
    drawn = ".pdpl-a1-B_2:not([data-pdp-apart])"
    assert f"@media screen{{{child}:has(.pdps-a1-B_2):has(~ {child} {drawn}){{display:none}}}}" in html
    assert f"@media print{{{child}:has(.pdps-a1-B_2) ~ {child} .pdpl-a1-B_2{{display:none}}}}" in html
    assert "pdps-" not in shot.html
    assert "Run the cell again" in html.split("<figcaption>")[1]
    assert shot._repr_mimebundle_() == {"text/html": shot.html, "text/plain": shot.text}


@pytest.mark.parametrize("token", ["", "a b", "x{}", "</style>", 'a"b'])
def test_a_token_is_a_plain_name(token: str) -> None:
    with pytest.raises(ValueError, match="letters, digits"):
        figure_css(token)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_without_an_engine_stand_sentence_numbers_and_why(
    module: str, names: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: Any, **__: Any) -> Any:
        raise EngineError("There is <no> engine.")

    widget = eval(CELLS[module].source, names)
    monkeypatch.setattr("pdp_widgets.publish.snapshot.picture", missing)
    with pytest.warns(RuntimeWarning, match="There is <no> engine"):
        shot = widget.snapshot()
    assert "There is &lt;no&gt; engine." in shot.html
    assert shot.html.count("engine") == 1
    assert "<table>" in shot.html
    assert len(shot.text) > 20
    check_sheet(shot.svg)


def test_the_engine_is_loaded_with_the_first_picture_and_not_before() -> None:
    code = (
        "import sys; from pdp_widgets import JointTable, lsat6; table = JointTable(lsat6()); "
        "print('quickjs' in sys.modules); table.snapshot(); print('quickjs' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_a_picture_that_is_being_drawn_holds_no_edit_up(
    names: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    widget = eval(CELLS["joint_table"].source, names)

    def draw(*_: Any) -> str:
        widget.disabled = True
        raise RuntimeError("enough")

    monkeypatch.setattr(render, "_drawers", [draw])
    with pytest.warns(RuntimeWarning, match="enough"):
        widget.snapshot()
    assert widget.disabled


def test_a_picture_shows_in_either_scheme_and_prints_light(
    chromium: Browser, shots: dict[str, Snapshot]
) -> None:
    """The notebook's own theme decides, whatever the system prefers; paper is always light."""
    page = chromium.new_page(viewport={"width": 640, "height": 600})
    shot = shots["covariance_editor"]

    def corner() -> list[int]:
        data = base64.b64encode(page.locator("img").screenshot()).decode()
        return page.evaluate(
            """async data => {
              const image = new Image(); image.src = "data:image/png;base64," + data; await image.decode();
              const canvas = document.createElement("canvas"); canvas.width = 9; canvas.height = 9;
              const context = canvas.getContext("2d"); context.drawImage(image, 0, 0);
              return [...context.getImageData(4, 4, 1, 1).data].slice(0, 3);
            }""",
            data,
        )

    light, dark = [255, 255, 255], [17, 17, 17]
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, media="screen")
        for theme, expected in (("true", light), ("false", dark)):
            page.set_content(f'<body data-jp-theme-light="{theme}">{shot.to_html("t")}')
            page.wait_for_function("document.images[0].complete && document.images[0].naturalWidth > 0")
            assert corner() == expected
    page.emulate_media(color_scheme="dark", media="print")
    page.wait_for_timeout(100)
    assert corner() == light
    page.close()


def test_text_of_every_drawing_and_sheet_stays_inside(chromium: Browser, shots: dict[str, Snapshot]) -> None:
    """No text runs over an edge in the fonts of this browser."""
    page = chromium.new_page(viewport={"width": 1100, "height": 900})
    for module, shot in shots.items():
        for svg in (*images(shot.html), shot.svg):
            page.set_content(f"<!doctype html>{svg}")
            over = page.evaluate(
                """() => { const room = document.querySelector("svg").getBoundingClientRect();
                  return [...document.querySelectorAll("text")].filter(t => {
                    const box = t.getBoundingClientRect();
                    return box.right > room.right || box.left < room.left || box.bottom > room.bottom;
                  }).map(t => t.textContent); }"""
            )
            assert over == [], module
    page.close()
