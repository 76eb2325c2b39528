"""Notebooks that somebody made to break the publishing: each ends soon, with a page or with one sentence."""

from __future__ import annotations

import base64
import json
import math
import os
import re
import time
import tracemalloc
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from pdp_widgets import JointDistribution, JointTable
from pdp_widgets.publish import __main__ as command
from pdp_widgets.publish.notebook import read_notebook
from pdp_widgets.publish.notebook_pictures import LARGEST_PAGE
from pdp_widgets.publish.page import html
from pdp_widgets.publish.page_state import VIEW_TYPE, PageError, data_block
from pdp_widgets.publish.render import in_tags
from tests.publish.notebooks import code, damaged, markdown, notebook, output, png, saved, shown

PAIR = JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"])
TABLE = code("t", *shown(JointTable(PAIR)))


#: Markdown of which a reader may look at all that follows from each place.
LONG = {
    "formulae": "\\begin{align}\n" * 20_000,
    "formulae that end": "\\begin{align}\n" * 10_000 + "\\end{gather}\n" * 10_000,
    "formulae of paragraphs": "\\begin{align}\n\n" * 20_000,
    "links in brackets": "[[](" * 60_000,
    "open brackets": "[" * 200_000,
    "closed brackets": "[" * 25_000 + "]" * 25_000,
    "sections": "a <![CDATA[" * 60_000,
    "lists": "- a\n" * 50_000,
    "pictures": "![a](" * 50_000,
    "dollars": "$$a\n" * 50_000,
    "emphasis": "**a _b " * 40_000,
}


def page_of(folder: Path, *cells: Any) -> str:
    """Return the page, made within the computing time that a large notebook takes."""
    path = saved(folder / "made.ipynb", *cells, TABLE)
    start = time.process_time()
    page = html(path, folder / "made.html", overwrite=True).read_text(encoding="utf-8")
    assert time.process_time() - start < 10
    return page


@pytest.mark.parametrize(
    "cell",
    [
        markdown("# a" + " " * 20_000 + "x"),
        markdown("#" + "\n" * 20_000 + "x"),
        markdown("# a" + "#" * 20_000 + "x"),
        *(markdown(text) for text in LONG.values()),
        code("x\n" + "\n \n" * 20_000 + "x"),
        code("x\n" + " \n" * 20_000 + '"""' + "\t\n" * 9_000 + "x"),
        code("1", {"output_type": "stream", "text": "\x1b]" * 200_000}),
        code("1", {"output_type": "stream", "text": "\x1b[" + "0" * 1_000_000}),
        code("1", output({"text/html": 'class="' * 100_000, "text/plain": "x"})),
        code("1", output({"text/html": "<b>" + "&lt;" * 300_000})),
        code("1", output({"text/html": "<table>" + "<tr><td>1<td>2<br>" * 50_000})),
    ],
    ids=[
        "spaces",
        "lines",
        "signs",
        *LONG,
        "lines of code",
        "lines of text in code",
        "titles of terminals",
        "colours of terminals",
        "classes",
        "brackets",
        "rows",
    ],
)
def test_long_texts_take_no_longer_than_they_are_long(tmp_path, cell):
    page_of(tmp_path, cell)


@pytest.mark.parametrize("element", ["div", "b", "SPAN class=x", "x-y"])
def test_elements_within_one_another_without_end_are_refused_at_once(tmp_path, element):
    for cell in (
        markdown(f"<{element}>" * 100_000)
        if len(element) < 5
        else markdown("<b>\n\n" * 6_000 + f"<{element}>"),
        code("1", output({"text/html": f"<{element}>" * 100_000})),
    ):
        start = time.process_time()
        with pytest.raises(PageError, match="more than 5,000 elements within one another"):
            page_of(tmp_path, cell)
        assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("# One", "One"),
        ("text\n   #\tOne *two* `three`  ##  \n# Four", "One two three"),
        ("#\n\nText\n\n# One", "One"),
        ("    # code\n#hash\n## Second", "made"),
        ("# ###\n# One", "One"),
        ("# " + "x" * 500, "x" * 200),
    ],
)
def test_the_title_is_the_first_heading_with_words(tmp_path, source, title):
    assert read_notebook(saved(tmp_path / "made.ipynb", markdown(source), TABLE)).title == title


@pytest.mark.parametrize(
    "cell",
    [
        markdown("# a \ud800 b\n\n$\udfff$"),
        code("a = '\ud800'", count=1),
        code("1", {"output_type": "stream", "text": "a\ud83d b"}),
        code("1", output({"text/html": "<p>a\ud800</p>", "text/plain": "x"})),
        code("1", output({"image/svg+xml": "<svg><text>\ud800</text></svg>"})),
        code("1", damaged(JointTable(PAIR), package="\ud800")),
    ],
)
def test_half_a_sign_becomes_the_sign_of_the_unreadable(tmp_path, cell):
    assert "\ufffd" in page_of(tmp_path, cell) or cell["outputs"][0]["data"].get("image/svg+xml")


def test_a_title_with_half_a_sign_is_written(tmp_path):
    page = html(JointTable(PAIR), tmp_path / "made.html", title="a\udcffb")
    assert "<title>a?b</title>" in page.read_text(encoding="utf-8")


def test_a_file_with_a_mark_of_its_encoding_is_read(tmp_path):
    path = saved(tmp_path / "made.ipynb", TABLE)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert html(path, tmp_path / "made.html").stat().st_size > 1_000


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "cp037", "latin-1"]
)
def test_another_encoding_is_named(tmp_path, capsys, encoding):
    path = saved(tmp_path / "made.ipynb", TABLE)
    text = path.read_text(encoding="utf-8").replace("Ann", "Anne-Lyé")
    path.write_bytes(json.dumps(json.loads(text), ensure_ascii=False).encode(encoding))
    told = encoding[:6].upper() if encoding.startswith("utf") else "another encoding"
    with pytest.raises(PageError, match=rf"made\.ipynb is written in {told}; a notebook is read in UTF-8"):
        html(path, tmp_path / "made.html")
    assert command.main([str(path)]) == 1
    assert told in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == ["made.ipynb"]


@pytest.mark.parametrize("data", [b"", b"\0", b"\0" * 8, b"{", b"\xef\xbb\xbf", b'{"a": \0}'])
def test_hardly_anything_is_no_json(tmp_path, data):
    (tmp_path / "made.ipynb").write_bytes(data)
    with pytest.raises(PageError, match="it holds no JSON"):
        html(tmp_path / "made.ipynb", tmp_path / "made.html")


@pytest.mark.parametrize("version", ["4", "", True, 4.0, [4], {}, math.nan])
def test_a_format_that_is_no_whole_number_is_named(tmp_path, version):
    content = notebook(TABLE) | {"nbformat": version}
    with pytest.raises(PageError, match=r"its nbformat is .*, and that is a whole number such as 4\."):
        html(content, tmp_path / "made.html")
    with pytest.raises(PageError, match="notebook format 5; format 4 is read"):
        html(notebook(TABLE) | {"nbformat": 5}, tmp_path / "made.html")


@pytest.mark.parametrize("source", ["# later", "  # a\n\n\t# b", "#", "\n", "#%% "])
def test_a_cell_of_comments_has_nothing_to_run(tmp_path, source):
    assert "<main>" in page_of(tmp_path, code(source, count=None))
    with pytest.raises(PageError, match=r"cell 1 did not run \(`x = 1`\)"):
        page_of(tmp_path, code(f"{source}\nx = 1", count=None))


def test_a_page_through_links_that_lead_to_themselves_is_refused(tmp_path):
    loop = tmp_path / "loop.html"
    loop.symlink_to(loop)
    for overwrite in (True, False):
        with pytest.raises(OSError, match=r"loop\.html"):
            html(JointTable(PAIR), loop, overwrite=overwrite)
    assert loop.is_symlink()


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


VIEW = json.loads(json.dumps(JointTable(PAIR).saved_outputs()[VIEW_TYPE]))["traits"]["_view"]


@pytest.mark.parametrize(
    "change",
    [
        *({"module": module} for module in ("", "nope", "__proto__", "constructor", "toString", None, 5)),
        *({"version": version} for version in (True, 0, -3, 1.0, "1", None, [])),
        *({"traits": {"_view": VIEW | {"x": x}}} for x in (math.nan, math.inf, [-math.inf])),
        *({"traits": {"_view": VIEW, "x": nested(depth)}} for depth in (150, 400)),
        {"traits": {"_view": VIEW | {"x": {"base64": 5}}}},
    ],
    ids=lambda change: repr(change)[:12] + repr(change)[-12:],
)
def test_a_state_that_a_page_could_not_read_is_refused(tmp_path, change):
    with pytest.raises(PageError, match="run the notebook again"):
        page_of(tmp_path, code("1", damaged(JointTable(PAIR), **change)))


def test_what_is_nested_without_end_is_no_notebook(tmp_path):
    for content in ("[" * 100_000, '{"cells": ' + "[" * 700 + "]" * 700 + "}"):
        (tmp_path / "deep.ipynb").write_text(content)
        with pytest.raises(PageError, match="is no notebook"):
            html(tmp_path / "deep.ipynb", tmp_path / "made.html")
    with pytest.raises(PageError, match="is no notebook: it is nested without end"):
        html({"nbformat": 4, "cells": nested(5_000)}, tmp_path / "made.html")


@pytest.mark.parametrize("trace", [5, None, {}, [1, None], "text"])
def test_an_error_without_a_sound_trace_is_told_by_its_name(tmp_path, trace):
    error = {"output_type": "error", "ename": "NameError", "evalue": "gone", "traceback": trace}
    assert "NameError: gone" in page_of(tmp_path, code("1", error, tags=("raises-exception",)))


def test_a_page_replaces_files_only(tmp_path, capsys):
    path = saved(tmp_path / "made.ipynb", TABLE)
    (tmp_path / "folder").mkdir()
    device = tmp_path / "null"
    device.symlink_to("/dev/null")
    for target in (tmp_path / "folder", device, Path(""), Path("/"), Path(".")):
        with pytest.raises(PageError, match="is no name for a page; give that of a file"):
            html(path, target, overwrite=True)
        assert command.main([str(path), "-o", str(target), "--force"]) == 1
    assert device.is_symlink()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder", "made.ipynb", "null"]
    for source in (".", "/", "", ".."):
        assert command.main([source]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 9
    assert all(re.fullmatch(r"pdp_widgets\.publish: .*Nothing was written\.", line) for line in lines)


def test_a_link_stays_one_and_what_it_points_to_is_replaced(tmp_path):
    (tmp_path / "pages").mkdir()
    page, link = tmp_path / "pages" / "page.html", tmp_path / "link.html"
    page.write_text("old")
    link.symlink_to(page)
    assert html(JointTable(PAIR), link, overwrite=True) == link
    assert link.is_symlink()
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    with pytest.raises(FileExistsError):
        html(JointTable(PAIR), link)
    assert [p.name for p in page.parent.iterdir()] == ["page.html"]


def test_a_device_and_a_pipe_are_no_notebook(tmp_path):
    os.mkfifo(tmp_path / "pipe.ipynb")
    for source in ("/dev/zero", tmp_path / "pipe.ipynb"):
        with pytest.raises(PageError, match="is a device or a pipe, which may never end"):
            html(source, tmp_path / "made.html")


def test_what_goes_wrong_in_writing_is_told_of_the_page(tmp_path, capsys):
    path = str(saved(tmp_path / "made.ipynb", TABLE))
    for name in ("no/page.html", "x" * 300, "a\0b.html"):
        assert command.main([path, "-o", str(tmp_path / name)]) == 1
        said = capsys.readouterr().err
        assert repr(str(tmp_path / name))[1:-1] in said
        assert "/." not in said
    longest = "x" * 250 + ".html"
    assert command.main([path, "-o", str(tmp_path / longest)]) == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["made.ipynb", longest]


def test_the_command_counts_what_the_page_shows(tmp_path, capsys):
    bare = output({VIEW_TYPE: TABLE["outputs"][0]["data"][VIEW_TYPE]})
    removed = TABLE | {"metadata": {"tags": ["remove-cell"]}}
    for cells, counted in (([TABLE], "1 widget"), ([code("t", bare)], "1 widget"), ([removed], "no widget")):
        path = str(saved(tmp_path / "made.ipynb", *cells))
        assert command.main([path, "--force"]) == 0
        assert re.search(rf" kB, {counted}\n", capsys.readouterr().out)


def test_a_picture_of_a_notebook_keeps_its_place(tmp_path):
    page = page_of(
        tmp_path, markdown('<img style="max-width:9px;position:fixed" src="data:image/png;base64,AAAA">')
    )
    assert "<img" in page[page.index("<main>") : page.index("<figure")]
    assert "fixed" not in page[page.index("<main>") : page.index("<figure")]


def test_a_notebook_from_memory_is_left_as_it_was():
    content = notebook(markdown("a"), TABLE)
    before = json.dumps(content)
    read_notebook(content)
    assert json.dumps(content) == before


#: No disk has a name like it.
LONG = 300 * "a"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"title": 5}, "The title is 5; give text, or None"),
        ({"title": b"a"}, "The title is b'a'; give text, or None"),
        ({"overwrite": "no"}, "overwrite is 'no'; give True or False"),
        ({"overwrite": None}, "overwrite is None; give True or False"),
        ({"pictures_from": 5}, "5 is no folder"),
        ({"pictures_from": b"."}, "b'.' is no folder"),
        ({"pictures_from": "a\0b"}, "is no folder"),
        ({"pictures_from": "\ud800"}, "is no folder"),
        *(({"path": path}, "is no name for a page") for path in (5, None, b"a.html", "\ud800.html", LONG)),
        *(({"source": source}, "is no name of a file") for source in ("a\0.ipynb", "\ud800.ipynb", LONG)),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_an_argument_that_is_none_is_refused_by_its_name(tmp_path, given, words):
    source = saved(tmp_path / "made.ipynb", TABLE)
    (tmp_path / "made.html").write_text("old")
    given = {"source": source, "path": tmp_path / "made.html", "overwrite": True} | given
    with pytest.raises(PageError, match=re.escape(words)) as caught:
        html(given.pop("source"), given.pop("path"), **given)
    assert caught.value.where is not None
    assert (tmp_path / "made.html").read_text() == "old"


def test_a_class_is_no_widget(tmp_path):
    with pytest.raises(TypeError, match=r"The source is a .*; give an explorer or widget"):
        html(JointTable, tmp_path / "made.html")


def test_a_format_of_many_digits_is_told_in_few(tmp_path):
    with pytest.raises(PageError, match="notebook format an integer of about 5001 digits; format 4 is read"):
        html(notebook(TABLE) | {"nbformat": 10**5000}, tmp_path / "made.html")


def test_code_without_end_is_shown_and_not_coloured(tmp_path):
    page = page_of(tmp_path, code("x = 'a<b'\n" * 100_000))
    assert page.count("x = &#x27;a&lt;b&#x27;") == 100_000


@pytest.mark.parametrize(
    "source", ["a\n" * 40, "a\n" + "\n" * 50 + "b\n", "\n".join("x" + "\n" * k for k in range(60))]
)
def test_code_with_empty_lines_keeps_every_line(tmp_path, source):
    page = page_of(tmp_path, code(source))
    held = re.search(r'aria-label="Code"><code>(.*?)</code>', page, re.DOTALL)[1]
    assert re.sub("<[^>]*>", "", held) == source.strip("\n")


# What asks for more than it brings


def refused(folder: Path, *cells: Any) -> str:
    """Return why there is no page, said before the memory is full."""
    path = saved(folder / "made.ipynb", *cells, TABLE)
    tracemalloc.start()
    try:
        with pytest.raises(PageError) as caught:
            html(path, folder / "refused.html")
        assert tracemalloc.get_traced_memory()[1] < 4 * LARGEST_PAGE
    finally:
        tracemalloc.stop()
    assert not (folder / "refused.html").exists()
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "[a]: <" + "x" * 10_000 + ">\n\n" + "[a] " * 7_000,
        "[a]: b '" + "x" * 20_000 + "'\n\n" + "[c][a] " * 3_500,
        "[a]: data:image/png;base64," + "A" * 1_000_000 + "\n\n" + "![c][a] " * 70,
    ],
    ids=["address", "title", "picture"],
)
def test_what_is_said_once_and_used_often_counts_each_time(tmp_path, text):
    said = refused(tmp_path, markdown("a"), markdown(text))
    assert said.startswith("Markdown cell 2 would make the page larger than 64 MB")


def test_pictures_count_as_often_as_they_are_shown(tmp_path):
    dot = base64.b64decode(png())
    (tmp_path / "large.png").write_bytes(dot + bytes(4_900_000))
    # More than six million signs each.
    assert len(page_of(tmp_path, markdown("![](large.png) " * 2))) > 12_000_000
    assert refused(tmp_path, markdown("![](large.png) " * 12)).startswith(
        "Markdown cell 1 shows the picture large.png, and with it the page would be larger than 64 MB"
    )
    cells = [markdown("![](large.png)")] * 12
    assert refused(tmp_path, markdown("a"), *cells).startswith("Markdown cell 11 shows the picture large.png")


def test_what_came_with_a_cell_counts_as_often_as_it_is_shown(tmp_path):
    held = {"a": {"image/png": base64.b64encode(b"\x89PNG" + bytes(100_000)).decode()}}
    said = refused(tmp_path, markdown("![](attachment:a) " * 2_000, attachments=held))
    assert said.startswith("Markdown cell 1 would make the page larger than 64 MB")


def test_many_large_outputs_are_refused_by_the_cell_that_is_too_much(tmp_path):
    said = output({"text/plain": "<" * 5_000_000})
    assert refused(tmp_path, *(code(str(k), said) for k in range(4))).startswith(
        "Code cell 4 would make the page larger than 64 MB"
    )


# Words that are not laid out are there all the same


def seen(page: str) -> str:
    """Return the words of a page, without what stands between them."""
    return unescape(re.sub("<[^>]*>", "", page))


@pytest.mark.parametrize("levels", [1, 10, 20, 30, 49, 50, 99, 100, 300])
@pytest.mark.parametrize("kind", ["list", "numbers", "quote", "both"])
def test_no_words_vanish_however_deep_they_lie(tmp_path, kind, levels):
    lead = {"list": "{}- ", "numbers": "{}1. ", "quote": "{}> ", "both": "{}> - "}[kind]
    before = {"list": "  ", "numbers": "   ", "quote": "> ", "both": "> - "}[kind]
    text = "".join(f"{lead.format(before * k)}word{k}.\n" for k in range(levels))
    held = seen(page_of(tmp_path, markdown(text + "\nlast.")))
    assert [k for k in range(levels) if f"word{k}." not in held] == []
    assert "last." in held
    deep = {"quote": 99, "both": 34}.get(kind, 50)
    assert ("too deep within one another" in held) == (levels >= deep)


@pytest.mark.parametrize("line", ["word{}, *and* [a link](b.html).\n\n", "word{} of many ", "[word{}\n"])
def test_no_words_vanish_from_a_long_cell(tmp_path, line):
    text = "".join(line.format(k) for k in range(12_000))
    page = page_of(tmp_path, markdown(text))
    assert re.findall(r"word(\d+)", seen(page)) == [str(k) for k in range(12_000)]
    assert page.count("longer than what is laid out here") == 1


def test_a_picture_within_the_words_makes_them_no_longer(tmp_path):
    packed = base64.b64encode(base64.b64decode(png()) + bytes(900_000)).decode()
    page = page_of(tmp_path, markdown(f"# A\n\n![b](data:image/png;base64,{packed})\n\n*after*"))
    assert f'<img src="data:image/png;base64,{packed}" alt="b">' in page
    assert "<em>after</em>" in page


def test_data_of_a_page_end_no_element_and_stay_as_they_are():
    block = data_block({"label": "</script>"})
    assert block == '<script type="application/json">{"label":"\\u003c/script\\u003e"}</script>'
    assert in_tags('<g id="a">id="a"</g>', lambda tag: tag.replace("a", "b")) == '<g id="b">id="a"</g>'
