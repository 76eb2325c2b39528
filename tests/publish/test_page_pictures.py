"""What a page takes in of the files around a notebook: pictures in its folder, whole, small and harmless."""

from __future__ import annotations

import base64
import contextlib
import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any
from xml.etree import ElementTree

import pytest

from pdp_widgets import (
    CovarianceEditor,
    GaussianExplorer,
    GaussianModel,
    JointDistribution,
    JointTable,
    PriorExplorer,
    WHGGraph,
    lsat6,
)
from pdp_widgets.publish import __main__ as command
from pdp_widgets.publish.notebook_clean import clean
from pdp_widgets.publish.notebook_pictures import LARGEST_FILE
from pdp_widgets.publish.page import html
from pdp_widgets.publish.page_state import PageError
from pdp_widgets.publish.svg_clean import SvgError, clean_svg
from tests.publish.notebooks import code, markdown, notebook, output, png, saved, shown

TABLE = code("t", *shown(JointTable(JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"]))))
DOT = base64.b64decode(png())
OPEN = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'


@pytest.fixture(autouse=True)
def hurry() -> Iterator[None]:
    """End a reading that never ends."""

    def late(_: int, __: FrameType | None) -> None:
        raise TimeoutError("It takes too long.")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A folder with a notebook's pictures, below one with others that are none of its business."""
    (tmp_path / "secret.png").write_bytes(DOT)
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "own.png").write_bytes(DOT)
    return tmp_path / "course"


def page_of(folder: Path, *cells: Any, **options: Any) -> str:
    path = saved(folder / "made.ipynb", *cells, TABLE)
    return html(path, folder / "made.html", overwrite=True, **options).read_text(encoding="utf-8")


# Where a file may lie


@pytest.mark.parametrize("kind", ["![x]({})", '<img src="{}" alt="x">', "![x][1]\n\n[1]: {}"])
def test_addresses_that_lead_elsewhere_are_left_out_however_they_are_written(course, kind):
    secret = str(course.parent / "secret.png")
    for address in (
        secret,
        secret.replace("/", "%2F", 1),
        secret.replace("/", "%2f"),
        f"file://{secret}",
        "%2Fdev%2Fzero",
        "/dev/zero",
        "//host/share/x.png",
        "%2F%2Fhost%2Fx.png",
        "%5C%5Chost%5Cx.png",
        "%5Csecret.png",
        "C%3A%5Csecret.png",
        "%43:/secret.png",
        "c:secret.png",
    ):
        page = page_of(course, markdown(kind.format(address)))
        assert png() not in page, address


@pytest.mark.parametrize(
    "address",
    [
        "../secret.png",
        "%2E%2E/secret.png",
        "..%2Fsecret.png",
        "./a/../../secret.png",
        "link.png",
        "out/secret.png",
    ],
)
def test_a_file_outside_the_folder_of_the_notebook_is_refused(course, address):
    (course / "a").mkdir()
    (course / "link.png").symlink_to(course.parent / "secret.png")
    (course / "out").symlink_to(course.parent)
    with pytest.raises(
        PageError, match=r"^Markdown cell 1 shows .* lies outside the folder of .*--pictures-from"
    ):
        page_of(course, markdown(f"![x]({address})"))
    with pytest.raises(PageError, match="Code cell 1 shows the picture"):
        page_of(course, code("1", output({"text/markdown": f"![x]({address})"})))
    assert not (course / "made.html").exists()
    assert png() in page_of(course, markdown(f"![x]({address})"), pictures_from=course.parent)


def test_a_named_folder_opens_itself_and_nothing_above(course):
    (course.parent / "figures").mkdir()
    (course.parent / "figures" / "one.png").write_bytes(DOT)
    figures = course.parent / "figures"
    both = markdown("![x](../figures/one.png) ![y](own.png)")
    assert page_of(course, both, pictures_from=figures).count(png()) == 2
    with pytest.raises(PageError, match="outside the folder"):
        page_of(course, markdown("![x](../secret.png)"), pictures_from=figures)
    # What only begins with the same letters is another folder.
    (course.parent / "course2").mkdir()
    (course.parent / "course2" / "own.png").write_bytes(DOT)
    with pytest.raises(PageError, match="outside the folder"):
        page_of(course, markdown("![x](../course2/own.png)"))
    with pytest.raises(PageError, match=r"gone is no folder; give the one that holds the pictures"):
        page_of(course, both, pictures_from=course / "gone")


def test_a_link_within_the_folder_is_followed(course):
    (course / "again.png").symlink_to("own.png")
    assert png() in page_of(course, markdown("![x](again.png)"))
    (course / "loop.png").symlink_to("loop.png")
    with pytest.raises(PageError, match=r"loop\.png, and no such file can be read"):
        page_of(course, markdown("![x](loop.png)"))


def test_the_command_takes_the_named_folder(course, capsys):
    path = str(saved(course / "made.ipynb", markdown("![x](../secret.png)"), TABLE))
    assert command.main([path]) == 1
    assert "Nothing was written." in capsys.readouterr().err
    assert command.main([path, "--pictures-from", str(course.parent)]) == 0
    assert png() in (course / "made.html").read_text(encoding="utf-8")


def test_a_notebook_from_memory_takes_pictures_from_the_named_folder(course):
    content = notebook(markdown("![x](own.png)"), TABLE)
    with pytest.raises(PageError, match="pictures_from"):
        html(content, course / "made.html")
    page = html(content, course / "made.html", pictures_from=course)
    assert png() in page.read_text(encoding="utf-8")


# What a file may be


def test_what_never_ends_is_not_read(course):
    os.mkfifo(course / "pipe.png")
    (course / "zero.png").symlink_to("/dev/zero")
    for name in ("pipe.png", "zero.png"):
        with pytest.raises(PageError, match="no such file can be read"):
            page_of(course, markdown(f"![x]({name})"), pictures_from="/")


def test_a_file_may_have_so_many_bytes_and_no_more(course):
    (course / "own.png").write_bytes(DOT + bytes(LARGEST_FILE - len(DOT)))
    assert len(page_of(course, markdown("![x](own.png)"))) > LARGEST_FILE
    (course / "own.png").write_bytes(DOT + bytes(LARGEST_FILE - len(DOT) + 1))
    with pytest.raises(PageError, match=r"own\.png, and that file has more than 5 MB"):
        page_of(course, markdown("![x](own.png)"))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"%PDF-1.7",
        b"BM" + bytes(60),
        b"<html><body><svg></svg></body></html>",
        b"<!---->" * 50_000,
        b"<!-- a -->\n" * 50_000 + b"<svg",
        b" " * 1_000_000,
        b"<?a?>" * 100_000,
        b"<!DOCTYPE a>" * 50_000,
        b"<svg" + b" a" * 100_000,
        b"<svg>" + b"<g>" * 200_000,
        b'<?xml version="1.0" encoding="unheard"?><svg/>',
        b'<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg>&b;</svg>',
        b'<!DOCTYPE svg [<!ATTLIST g class CDATA "'
        + b"x" * 100_000
        + b'">]><svg>'
        + b"<g/>" * 20_000
        + b"</svg>",
        b"<!DOCTYPE svg [ ]><svg/>",
        b'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>',
    ],
    ids=lambda data: data[:24].decode(),
)
def test_what_is_no_picture_is_refused_at_once(course, data):
    (course / "own.svg").write_bytes(data)
    with pytest.raises(
        PageError, match=r"own\.svg, and that file is no picture a page can hold: PNG, .* As SVG, "
    ):
        page_of(course, markdown("![x](own.svg)"))


# Drawings

ACTS = [
    "<script>bad()</script>",
    "<script xlink:href='bad.js'/>",
    '<h:script xmlns:h="http://www.w3.org/1999/xhtml">bad()</h:script>',
    "<foreignObject><body xmlns='http://www.w3.org/1999/xhtml' onload='bad()'/></foreignObject>",
    '<rect onclick="bad()" ONLOAD="bad()"/>',
    '<a href="javascript:bad()"><text>x</text></a>',
    '<a xlink:href=" java&#10;script:bad()"><text>x</text></a>',
    '<a id="t"><animate attributeName="href" values="javascript:bad()"/></a>',
    '<set attributeName="onload" to="bad()"/>',
    '<image href="https://bad.example/x.png"/>',
    '<image xlink:href="data:image/svg+xml;base64,bad"/>',
    '<use href="//bad.example/x.svg#a"/>',
    '<style>@import "https://bad.example/x.css"; rect { fill: red }</style>',
    "<style>rect { fill: url(https://bad.example/x) }</style>",
    "<style>a<style>b</style>@import 'http://bad.example'; rect { fill: url(http://bad.example) }</style>",
    "<style>a<g/>@import 'http://bad.example'; rect { fill: url(http://bad.example) }</style>",
    "<style>@im<desc>x</desc>port 'http://bad.example';</style>",
    "<style><style>@import 'http://bad.example';</style></style>",
    "<style><g><style>a</style></g>rect { fill: url(http://bad.example) }</style>",
    "<style>a</style><style>rect { fill: url(http://bad.example) }</style>",
    "<style>@import 'http://bad.example';<script/>@import 'http://bad.example';</style>",
    "<style>rect { fill: src('http://bad.example'); mask: image('http://bad.example') }</style>",
    "<style>rect { fill: u\\72l(https://bad.example/x) }</style>",
    '<rect style="fill:url( &quot;//bad.example/x&quot;)" fill="url(https://bad.example/y)"/>',
    '<g xml:base="https://bad.example/"/>',
    '<rect ev:event="bad()" xmlns:ev="http://www.w3.org/2001/xml-events"/>',
    "<?xml-stylesheet href='https://bad.example/x.css'?>",
    "<handler>bad()</handler><iframe src='https://bad.example'/>",
]


@pytest.mark.parametrize("part", ACTS)
def test_a_drawing_keeps_nothing_that_acts_or_loads(course, part):
    drawing = f"{OPEN}{part}<rect id='kept'/></svg>"
    (course / "own.svg").write_text(drawing)
    encoded = base64.b64encode(drawing.encode()).decode()
    page = page_of(
        course,
        markdown("![x](own.svg)"),
        markdown(f'<img src="data:image/svg+xml;base64,{encoded}">'),
        code("1", output({"image/svg+xml": drawing, "text/plain": "x"})),
        code("2", output({"text/html": f'<p>a <img src="data:image/svg+xml;base64,{encoded}"></p>'})),
    )
    held = [
        base64.b64decode(found).decode() for found in re.findall(r"data:image/svg\+xml;base64,([^\"]+)", page)
    ]
    drawings = [drawing for drawing in held if 'id="kept"' in drawing]
    assert len(drawings) == 4
    for kept in drawings:
        assert not re.search("bad|script|xml-stylesheet|@import|foreign", kept, re.IGNORECASE)
        assert ElementTree.fromstring(kept).tag == "{http://www.w3.org/2000/svg}svg"


def test_the_picture_beside_a_state_is_made_safe_too(tmp_path):
    # The page hands it over when somebody saves the picture, and then it is a file of its own.
    (cell,) = (cell for cell in [TABLE] if cell["outputs"])
    evil = base64.b64encode(f"{OPEN}<script>bad()</script></svg>".encode()).decode()
    figure = f'<figure class="pdp-static"><img src="data:image/svg+xml;base64,{evil}"></figure>'
    data = {**cell["outputs"][0]["data"], "text/html": figure}
    page = html(notebook(code("t", output(data))), tmp_path / "made.html").read_text(encoding="utf-8")
    (held,) = re.findall(r'<figure[^>]*><img src="data:image/svg\+xml;base64,([^"]+)"', page)
    assert "script" not in base64.b64decode(held).decode()


def test_a_drawing_keeps_all_that_draws():
    parts = (
        "<title>a &lt; b</title>"
        '<defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient>'
        '<clipPath id="c"><path d="M0 0L1 1"/></clipPath></defs><style>text{font:700 9px "A&amp;B"}</style>'
        '<g clip-path="url(#c)" fill="url(\'#g\')" style="filter:url(#f)" '
        'xml:space="preserve" aria-label="a\\b">'
        '<use xlink:href="#c" x="1"/><text x="1">é<tspan dy="2"> 1 </tspan></text>'
        f'<image href="data:image/png;base64,{png()}" width="1"/></g>'
    )
    drawing = f'<?xml version="1.0"?><!DOCTYPE svg PUBLIC "a" "http://b">{OPEN}<!-- c -->{parts}</svg>'
    kept = clean_svg(drawing.encode())
    assert ElementTree.canonicalize(kept) == ElementTree.canonicalize(f"{OPEN}{parts}</svg>")
    assert clean_svg(kept.encode()) == kept
    assert clean_svg(drawing.encode("utf-16")) == kept
    # A name of its own for the space of SVG says the same.
    assert clean_svg(b'<s:svg xmlns:s="http://www.w3.org/2000/svg"/>') == clean_svg(b"<svg/>")
    with pytest.raises(SvgError, match="line 1 of it is no sound XML"):
        clean_svg(b"<svg><g></svg>")


def _laughs(name: str, again: str, levels: int = 6, times: int = 10) -> str:
    """Return a drawing of levels, each of which draws the one before many times."""
    parts = [f'<{name} id="p0"><rect width="1" height="1"/></{name}>']
    for level in range(1, levels):
        parts.append(f'<{name} id="p{level}">{again.format(f"#p{level - 1}") * times}</{name}>')
    return f"{OPEN}{''.join(parts)}{again.format(f'#p{levels - 1}')}</svg>"


@pytest.mark.parametrize(
    "drawing",
    [
        _laughs("g", '<use href="{}"/>'),
        _laughs("symbol", '<use xlink:href=" {} "/>'),
        _laughs("pattern", '<rect fill="url({})" width="9" height="9"/>'),
        _laughs("mask", '<rect style="fill:red;mask:url( &quot;{}&quot; )"/>'),
        _laughs("clipPath", '<rect clip-path="url({})"/>', levels=40, times=2),
        f'{OPEN}<g id="a"><use href="#a"/></g></svg>',
        f'{OPEN}<use href="#b"/><g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>',
    ],
)
def test_a_drawing_that_uses_its_own_parts_without_end_is_refused(drawing):
    with pytest.raises(SvgError, match="again and again"):
        clean_svg(drawing.encode())


@pytest.mark.parametrize("chosen", [".c{}", "#o .c{}", "rect", "*", "[class=c{}]", "g > rect.c{}, b"])
def test_a_style_sheet_that_draws_parts_without_end_is_refused(chosen):
    levels, times = 6, 10
    rules = "".join(f"{chosen.format(k)}{{fill:url(#p{k - 1})}}" for k in range(1, levels + 1))
    rect = '<rect class="c{}"/>'
    parts = [f'<pattern id="p{k}">{rect.format(k) * times}</pattern>' for k in range(levels)]
    drawing = f"{OPEN}<style>{rules}</style>{''.join(parts)}{rect.format(levels)}</svg>"
    with pytest.raises(SvgError, match="again and again"):
        clean_svg(drawing.encode())


@pytest.mark.parametrize(
    "drawing",
    [
        # A cloud of points and a line of signs, as matplotlib draws them.
        '<defs><path id="m" d="M0 0"/></defs>'
        + '<use xlink:href="#m" x="1" style="fill: #1f77b4"/>' * 30_000,
        # What other programs write: gradients and clips by their classes.
        "<style>.a{fill:url(#g)}.b,.c{clip-path:url(#k)}</style><g id='all'><linearGradient id='g'><stop/>"
        "</linearGradient><clipPath id='k'><path class='a'/></clipPath>"
        + "<path class='a b'/>" * 5_000
        + "</g>",
        '<g id="top"><a href="#top"><text>up</text></a></g>',
    ],
    ids=["points", "classes", "link"],
)
def test_a_drawing_may_use_its_parts_often(drawing):
    assert clean_svg(f"{OPEN}{drawing}</svg>".encode()).count("<") > 5


@pytest.mark.parametrize(
    "drawing",
    [
        "<style>" + "url(" + " " * 1_000_000 + "x</style>",
        "<style>" + ("url(" + " " * 2_000) * 1_000 + "x</style>",
        f'<g fill="url({" " * 1_000_000}x"/>',
        "<style>" + "@import " * 200_000 + "</style>",
        "<style>" + "a{" * 200_000 + "fill:url(#a)</style>",
        "<style>" + "/*" * 200_000 + "fill:url(#a)</style>",
        "<style>" + ".a{fill:url(#b)}" * 50_000 + "</style>" + '<g class="a" id="b"/>' * 50_000,
        '<g id="a"/>' * 50_000 + '<use href="#a"/>' * 50_000,
        "".join(f'<g id="a{k}"><use href="#a{k + 1}"/></g>' for k in range(50_000)),
    ],
    ids=lambda text: text[:24].strip(),
)
def test_a_drawing_takes_no_longer_than_it_is_long(drawing):
    start = time.process_time()
    with contextlib.suppress(SvgError):
        clean_svg(f"{OPEN}{drawing}</svg>".encode())
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "make",
    [
        lambda: PriorExplorer(lsat6()),
        lambda: JointTable(lsat6()),
        lambda: WHGGraph(PriorExplorer(lsat6()).results),
        lambda: GaussianExplorer(GaussianModel.equicorrelated(4, 0.3)),
        lambda: CovarianceEditor(GaussianModel.equicorrelated(4, 0.3)),
    ],
)
def test_the_pictures_of_this_package_lose_nothing(make):
    drawing = make().snapshot().svg
    address = f"data:image/svg+xml;base64,{base64.b64encode(drawing.encode()).decode()}"
    kept = re.fullmatch(r'<img src="data:image/svg\+xml;base64,([^"]+)">', clean(f'<img src="{address}">'))
    assert kept
    assert ElementTree.canonicalize(base64.b64decode(kept[1])) == ElementTree.canonicalize(drawing)
