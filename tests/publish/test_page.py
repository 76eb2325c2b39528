"""What a published page is made of, and what no page is made of."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from pdp_widgets import (
    AnonymityExplorer,
    AttackExplorer,
    CovarianceEditor,
    DependenceExplorer,
    GaussianExplorer,
    GaussianModel,
    JointDistribution,
    JointTable,
    LocalExplorer,
    MarkovChain,
    NetworkExplorer,
    PriorExplorer,
    Question,
    StreamSimulator,
    WHGGraph,
    __version__,
    synthetic_network,
)
from pdp_widgets.publish import __main__ as command
from pdp_widgets.publish.notebook_body import NEEDS_KERNEL
from pdp_widgets.publish.notebook_clean import clean
from pdp_widgets.publish.page import html
from pdp_widgets.publish.page_frame import page_script, site_scripts
from pdp_widgets.publish.page_state import MODULES, STATE_VERSION, VIEW_TYPE, PageError
from tests.publish.notebooks import (
    ROOT,
    WIDGET_VIEW,
    code,
    damaged,
    markdown,
    notebook,
    output,
    png,
    run,
    saved,
    shown,
)

PAIR = JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"])
MODEL = GaussianModel.equicorrelated(3, 0.3)
WIDGETS: dict[str, Any] = {
    "joint_table": lambda: JointTable(PAIR),
    "prior_explorer": lambda: PriorExplorer(PAIR),
    "whg_graph": lambda: WHGGraph(PriorExplorer(PAIR).results),
    "covariance_editor": lambda: CovarianceEditor(MODEL),
    "gaussian_explorer": lambda: GaussianExplorer(MODEL),
    "local_explorer": lambda: LocalExplorer(PAIR),
    "dependence_explorer": lambda: DependenceExplorer(PAIR),
    "anonymity_explorer": AnonymityExplorer,
    "attack_explorer": lambda: AttackExplorer(synthetic_network(60, rng=1).city("New York"), clusters=4),
    "network_explorer": NetworkExplorer,
    "stream_simulator": lambda: StreamSimulator(MarkovChain.symmetric(0.9), rng=1),
    "question": lambda: Question.choice("units", "Leakage is measured in:", ["nats", "metres"], "nats"),
}


def visible(page: str) -> str:
    """Return what a page says without scripts, styles and markup."""
    return unescape(re.sub(r"<[^>]*>", " ", re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)))


def scripts(page: str) -> list[str]:
    """Return the scripts of a page that would run."""
    return re.findall(r"<script>(.*?)</script>", page, re.DOTALL)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The page of the first notebook, and the notebook's variables."""
    content, variables = run("01-prior-knowledge")
    path = tmp_path_factory.mktemp("page") / "first.html"
    return html(content, path), variables


def test_w05_the_first_notebook_is_one_small_file_with_its_numbers_as_text(first):
    path, variables = first
    page = path.read_text(encoding="utf-8")
    assert path.stat().st_size < 1_000_000
    assert "<title>What does a noisy score say about one answer?</title>" in page
    assert page.count('<div class="pdp-slot">') == 2
    said = visible(page)
    numbers = {f"{value:.3f}" for value in variables["analysis"].exact.ravel()}
    assert [number for number in numbers if number not in said] == []
    assert "1.49311 nats (exact): item 1, knowing none" in said
    assert "Run the cell again" not in said


def test_w31_the_policy_allows_the_one_script_and_no_address_stands_in_the_page(first):
    page = first[0].read_text(encoding="utf-8")
    (script,) = scripts(page)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    assert policy[1].split("; ") == [
        "default-src 'none'",
        f"script-src 'sha256-{digest}'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert page.index("Content-Security-Policy") < page.index("<style>")
    loads = re.findall(r'\b(?:src|srcset|data|action|poster)="([^"]{0,30})', page.replace(script, ""))
    assert loads
    assert all(address.startswith("data:image/") for address in loads)
    assert "@import" not in page
    assert "url(" not in page.replace(script, "")


@pytest.mark.parametrize("module", WIDGETS)
def test_every_widget_is_published_and_the_page_knows_its_module(module, tmp_path):
    page = html(WIDGETS[module](), tmp_path / "page.html", title="A <title>").read_text(encoding="utf-8")
    (block,) = re.findall(r'<script type="application/json">(.*?)</script>', page)
    assert json.loads(block)["module"] == module
    assert "<h1>A &lt;title&gt;</h1>" in page
    (script,) = scripts(page)
    assert re.findall(r'part\("(\w+_\w+|question)"', script) == [module]
    assert script == page_script({module})


def test_the_page_knows_every_widget_module_there_is():
    there = {path.stem for path in (ROOT / "js" / "src" / "widgets").glob("*.ts")}
    assert there == set(WIDGETS) == MODULES
    joined = (ROOT / "js" / "src" / "page").glob("*.ts")
    assert there == {name for file in joined for name in re.findall(r'join\("(\w+)"', file.read_text())}


def test_a_page_carries_the_code_of_its_widgets_and_of_no_others(tmp_path):
    known = {module: page_script({module}) for module in WIDGETS}
    both = scripts_of(tmp_path, "local_explorer", "joint_table", "local_explorer")[0]
    assert both == scripts_of(tmp_path, "joint_table", "local_explorer")[0]
    # What the two share stands there once.
    assert max(map(len, known.values())) < len(page_script(MODULES)) * 2 / 3
    assert len(both) < len(known["local_explorer"]) + len(known["joint_table"])
    names = re.findall(r'^part\("(\w+)"', both, re.MULTILINE)
    assert len(names) == len(set(names))
    assert names[-1] == "entry"


def test_a_site_gives_a_page_what_its_widgets_need_and_one_more_widget_costs_others_nothing():
    whole = site_scripts(MODULES)
    for module in MODULES:
        own = site_scripts({module})
        first, *others, last = own
        assert (first, last) == ("start", "entry")
        # The same file serves all pages, and stands after those it needs.
        assert own.items() <= whole.items()
        for k, name in enumerate(others):
            assert set(re.findall(r'\brequire\("(\w+)"\)', own[name])) <= set(others[:k])
        assert set(own) & MODULES == {module}
        assert module not in site_scripts(MODULES - {module})
        # Sites and single pages are made of the same parts.
        assert sorted(re.findall(r'part\("(\w+)",', page_script({module}))) == sorted(own.keys() - {"start"})


def scripts_of(folder: Path, *modules: str) -> list[str]:
    source = notebook(*(code("w", *shown(WIDGETS[module]())) for module in modules))
    return scripts(html(source, folder / "page.html", overwrite=True).read_text(encoding="utf-8"))


def test_a_front_end_that_is_not_there_or_older_says_how_to_build_it(monkeypatch, tmp_path):
    with pytest.raises(
        RuntimeError, match=r"no widget 'stream' for pages: it is older\. In a clone, build it with"
    ):
        page_script({"stream", "joint_table"})
    monkeypatch.setattr("pdp_widgets.publish.page_frame._PARTS", tmp_path / "page.json")
    with pytest.raises(RuntimeError, match=r"there is no pdp_widgets/static/page\.json\. In a clone, build"):
        html(JointTable(PAIR), tmp_path / "page.html")


def test_the_same_source_makes_the_same_page(tmp_path):
    one, two = (html(WIDGETS["joint_table"](), tmp_path / name) for name in "ab")
    tokens = re.compile(rb"pdps-\w+")
    assert tokens.sub(b"", one.read_bytes()) == tokens.sub(b"", two.read_bytes())


def test_a_picture_alone_needs_no_script(tmp_path):
    page = html(JointTable(PAIR).snapshot(), tmp_path / "picture.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "script-src 'none'" in page
    assert "0.400" in visible(page)


def test_what_is_no_source_is_refused_by_its_kind(tmp_path):
    with pytest.raises(TypeError, match="is a int; give an explorer or widget"):
        html(3, tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


# The state beside the picture


def test_the_state_is_small_and_leaves_no_trace_of_how_it_came_about():
    graph = WHGGraph(PriorExplorer(PAIR).results)
    before = graph.saved_outputs()
    assert len(json.dumps(before[VIEW_TYPE])) < 1_000
    graph._receive({"origin": "a view", "seq": 1, "target": 1})
    assert graph.saved_outputs() != before
    graph._receive({"origin": "a view", "seq": 2, "target": 0})
    assert graph.saved_outputs() == before
    assert len(json.dumps(PriorExplorer(PAIR).saved_outputs()[VIEW_TYPE])) < 5_000


# Untrusted notebooks


HOSTILE = (
    '<img src=https://example.org/y onerror="bad()"><script>bad()</script>'
    '<b style="x" id="pdp" onclick="bad()">fine</b>'
)


def body_of(tmp_path: Path, *cells: Any) -> str:
    page = html(notebook(*cells, code("t", *shown(JointTable(PAIR)))), tmp_path / "p.html", overwrite=True)
    text = page.read_text(encoding="utf-8")
    return text[text.index("<main>") : text.rindex('<div class="pdp-code">')]


def test_words_and_outputs_bring_no_script_no_handler_and_no_address(tmp_path):
    data = {"text/html": HOSTILE, "text/plain": "plain"}
    body = body_of(
        tmp_path,
        markdown(f"# Title\n\n{HOSTILE}\n\n[go](javascript:bad()) ![far](https://example.org/x.png)"),
        code(
            "x",
            output(data),
            output({"text/html": '<iframe src="https://example.org"></iframe><p>framed</p>'}),
        ),
        code(
            "y", output({"application/javascript": "bad()"}), output({"text/latex": "$x$", "text/plain": "x"})
        ),
    )
    assert "bad()" not in re.sub(r'\bhref="[^"]*"', "", body).replace("javascript:bad()", "")
    for sign in ("<script", "onerror", "onclick", "style=", "id=", "javascript:", "example.org", "<iframe"):
        assert sign not in body.replace("[go](javascript:bad())", ""), sign
    assert "<b>fine</b>" in body
    assert "framed" in body


@pytest.mark.parametrize(
    ("words_", "heading"),
    [
        ("Only words.", "<h1>votes &amp; ages</h1>"),
        ("## More\n\nWords.", "<h1>votes &amp; ages</h1>"),
        ("# Votes\n\n## More", "<h1>Votes</h1>"),
    ],
)
def test_every_page_has_one_top_heading(tmp_path, words_, heading):
    table = JointTable(JointDistribution([0.5, 0.5]))
    source = saved(tmp_path / "votes & ages.ipynb", markdown(words_), code("table", *shown(table)))
    page = html(source, tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<h1") == 1
    assert heading in page
    assert ("<h2>More</h2>" in page) == ("## More" in words_)


def test_what_looks_like_the_place_of_a_widget_is_only_text(tmp_path):
    fake = '<div class="pdp-slot"><figure class="pdp-static pdp-slot">x</figure></div>'
    block = '<script type="application/json">{"version":1,"module":"joint_table","traits":{}}</script>'
    body = body_of(tmp_path, markdown(fake + block), code("x", output({"text/html": f"<p>a</p>{fake}"})))
    assert "pdp-slot" not in body
    assert "application/json" not in body


@pytest.mark.parametrize(
    "picture", [{}, {"text/html": ""}, {"text/html": "<style>p{}</style><figure></figure>"}]
)
def test_a_widget_without_a_picture_says_that_it_is_missing(tmp_path, picture):
    held = JointTable(JointDistribution([0.5, 0.5])).saved_outputs()
    body = body_of(tmp_path, code("x", output({VIEW_TYPE: held[VIEW_TYPE], **picture})))
    # Where scripts draw the widget they hide the figure.
    assert '<div class="pdp-slot"><figure class="pdp-static"><p>The picture of this widget is missing' in body


def test_labels_stay_text_in_picture_and_state(tmp_path):
    bad = '</script><img src=x onerror="bad()">'
    joint = JointDistribution([[0.5, 0], [0, 0.5]], names=[bad, "b"], domains=[(bad, "1"), ("<!--", "2")])
    page = html(JointTable(joint), tmp_path / "p.html").read_text(encoding="utf-8")
    (block,) = re.findall(r'<script type="application/json">(.*?)</script>', page)
    assert "<" not in block
    assert json.loads(block)["traits"]["_view"]["table"]["spec"]["names"][0] == bad
    # No label has become an element: a table of numbers has no drawing.
    assert "<img" not in page[page.index("<figure") : page.index("</figure>")]


@pytest.mark.parametrize(
    ("markup", "kept"),
    [
        ('<a href="data:text/html,x">a</a>', '<a rel="noopener noreferrer">a</a>'),
        ('<a href="02.ipynb#x">a</a>', '<a href="02.ipynb#x" rel="noopener noreferrer">a</a>'),
        ('<img src="data:text/html;base64,AAAA">', "<img>"),
        ('<img src="data:image/png;base64,AAAA" onload="x">', '<img src="data:image/png;base64,AAAA">'),
        ("<style>p{}</style><p>a", "<p>a</p>"),
        ("<svg><script>x</script></svg>a", "a"),
        ("<math><mtext><table><mglyph><style><img src=x onerror=x>", ""),
    ],
)
def test_the_sanitiser_keeps_text_tables_links_and_pictures(markup, kept):
    assert clean(markup) == kept


@pytest.mark.parametrize(
    "address",
    [
        *(
            "data:text/html,x",
            " DATA:text/html,x",
            "da&#9;ta:text/html,x",
            "da&#10;ta:text/html,x",
            "d&#13;ata:x",
        ),
        *(
            "&#1;data:text/html,x",
            "&#31;&#32;data:text/html,x",
            "data&colon;text/html,x",
            "data&#1;:text/html,x",
        ),
        *(
            " JaVaScRiPt:x",
            "java&#9;script:x",
            "java&NewLine;script:x",
            "&#1;javascript:x",
            "vbscript:x",
            "blob:x",
        ),
        *(
            "file:///etc/passwd",
            "&#9;file:///etc/passwd",
            "view-source:x",
            "ftp://host/x",
            "tel:1",
            "about:blank",
        ),
        *("//host/x", "/&#9;/host/x", "\\\\host\\x", "/\\host/x", "\\/host/x", "///host/x", "&#1;//host/x"),
        *("/etc/passwd", "\\etc", "%2Fetc%2Fpasswd", "C:/x", "c:x", "%43:/x", "C%3A%5Cx", "?x", "", "&#9;"),
        *(
            "http:host",
            "https:/host",
            "http:\\\\host",
            "https:///host",
            "http://",
            "http://[",
            "a b:c",
            "&nbsp;data:x",
        ),
    ],
)
def test_a_link_that_leads_anywhere_else_leads_nowhere(address):
    assert clean(f'<a href="{address}">a</a>') == '<a rel="noopener noreferrer">a</a>'


@pytest.mark.parametrize(
    "address",
    [
        *(
            "https://example.org/a?b=c#d",
            "http://example.org",
            "HTTPS://example.org",
            "mailto:a@example.org",
            "#top",
        ),
        *(
            "02.ipynb#x",
            "../b/c.html",
            "./a.html?x=1",
            "a b.html",
            "a%20b.html",
            "a/b:c.html",
            "é.html",
            "#a:b",
        ),
    ],
)
def test_a_link_to_the_web_to_a_place_or_to_a_file_beside_stays(address):
    assert clean(f'<a href=" {address}&#10;">a</a>') == f'<a href="{address}" rel="noopener noreferrer">a</a>'


def test_pictures_tables_and_words_of_outputs_are_shown(tmp_path):
    frame = '<table border="1" class="dataframe"><tr><th>a</th></tr><tr><td>1.5</td></tr></table>'
    attached = markdown("![dot](attachment:dot.png)", attachments={"dot.png": {"image/png": png()}})
    body = body_of(
        tmp_path,
        attached,
        code("1", output({"image/png": png() + "\n", "text/plain": "<Figure>"})),
        code("2", output({"text/html": f"<style>x</style>{frame}", "text/plain": "a"})),
        code("3", {"output_type": "stream", "name": "stdout", "text": ["\x1b[31mred\x1b[0m <b>\n", "next"]}),
        code("4", output({"image/svg+xml": "<svg onload='x'/>", "text/plain": "drawn"})),
        code("5", output({"text/html": "<div></div><script>plot()</script>", "text/plain": "a plot"})),
        code("6", output({WIDGET_VIEW: {"model_id": "x"}, "text/plain": "IntSlider(value=3)"})),
        code("hidden = 1", tags=("remove-input",)),
        code("folded = 1", tags=("hide-input",)),
    )
    assert body.count(f'src="data:image/png;base64,{png()}"') == 2
    assert '<table class="dataframe">' in body
    assert "red &lt;b&gt;\nnext" in body
    assert "data:image/svg+xml;base64," in body
    assert "a plot" in body
    assert "IntSlider" not in body
    assert f'<p class="pdp-note">{NEEDS_KERNEL}</p>' in body
    assert "hidden" not in body
    assert '<details class="pdp-code"><summary>Code</summary>' in body


# Bad input


def refused(tmp_path: Path, content: Any, words: str) -> None:
    """Check the message and the exit status, and that nothing was written."""
    path = tmp_path / "made.ipynb"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    with pytest.raises(PageError, match=words):
        html(path, tmp_path / "made.html")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["made.ipynb"]


def test_no_notebook_is_refused(tmp_path):
    refused(
        tmp_path, "# Notes", r"made\.ipynb is no notebook: it holds no JSON\. Give a file that Jupyter saved"
    )
    refused(tmp_path, [1], "is no notebook: it holds no cells")
    refused(tmp_path, {"nbformat": 4, "cells": "x"}, "is no notebook: it holds no cells")
    refused(tmp_path, {"nbformat": 3, "worksheets": []}, "notebook format 3; format 4 is read")


def test_a_notebook_without_widgets_of_this_package_is_refused(tmp_path):
    foreign = code("1", output({WIDGET_VIEW: {}, "text/plain": "IntSlider()"}))
    refused(
        tmp_path,
        notebook(markdown("# x"), foreign),
        "shows no widget of pdp_widgets, nor a chart of it. Show one as the last line",
    )


def test_a_half_executed_notebook_is_refused_by_its_cells(tmp_path):
    cells = [code("a = 1", count=None), code("PriorExplorer(joint)  # " + "x" * 60, count=None), code("")]
    refused(
        tmp_path, notebook(*cells), "made.ipynb was not run: its code cells have no outputs. Run all cells"
    )
    done = code("t", *shown(JointTable(PAIR)))
    refused(
        tmp_path,
        notebook(done, *cells),
        r"run in part: of its 4 code cells, cells 2, 3 did not run \(`a = 1`\)",
    )
    error = {"output_type": "error", "ename": "NameError", "evalue": "x", "traceback": []}
    refused(tmp_path, notebook(done, code("x", error)), r"code cell 2 ended with NameError \(`x`\)")
    meant = notebook(done, code("x", error, tags=("raises-exception",)))
    assert "NameError" in html(meant, tmp_path / "meant.html").read_text(encoding="utf-8")


def test_w27_a_state_of_a_newer_version_names_both_versions(tmp_path):
    newer = damaged(JointTable(PAIR), version=STATE_VERSION + 1, package="9.1")
    here = re.escape(f"this is pdp_widgets {__version__}")
    words = rf"saved by pdp_widgets 9\.1 \(state {STATE_VERSION + 1}\); {here}"
    refused(tmp_path, notebook(code("t", newer)), words)


@pytest.mark.parametrize(
    "change",
    [{"version": "1"}, {"traits": {}}, {"module": None}, {"traits": {"_view": {"x": {"base64": "?"}}}}],
)
def test_a_damaged_state_is_refused(tmp_path, change):
    refused(tmp_path, notebook(code("t", damaged(JointTable(PAIR), **change))), "run the notebook again")


def test_a_picture_of_an_older_version_is_refused(tmp_path):
    older = {"text/html": JointTable(PAIR).saved_outputs()["text/html"]}
    refused(
        tmp_path, notebook(code("t", output(older))), "saved by an older version of pdp_widgets: code cell 1"
    )


def test_nothing_is_overwritten_unless_asked(tmp_path):
    target = tmp_path / "page.html"
    target.write_text("mine")
    with pytest.raises(FileExistsError, match=r"nothing was written\. Give overwrite=True"):
        html(JointTable(PAIR), target)
    assert target.read_text() == "mine"
    html(JointTable(PAIR), target, overwrite=True)
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")
    path = saved(tmp_path / "made.ipynb", code("t", *shown(JointTable(PAIR))))
    before = path.read_bytes()
    with pytest.raises(PageError, match=r"would replace the notebook made\.ipynb"):
        html(path, path, overwrite=True)
    assert path.read_bytes() == before
    assert {p.name for p in tmp_path.iterdir()} == {"page.html", "made.ipynb"}


# The command line


def test_the_command_writes_the_page_beside_the_notebook(tmp_path, capsys):
    path = saved(tmp_path / "made.ipynb", markdown("# Two *people*"), code("t", *shown(JointTable(PAIR))))
    assert command.main([str(path)]) == 0
    page = tmp_path / "made.html"
    assert re.fullmatch(rf"{re.escape(str(page))}: \d+ kB, 1 widget\n", capsys.readouterr().out)
    assert "<title>Two people</title>" in page.read_text(encoding="utf-8")
    page.write_text("mine")
    assert command.main([str(path)]) == 1
    assert "nothing was written. Give --overwrite to replace it." in capsys.readouterr().err
    assert page.read_text() == "mine"
    assert command.main([str(path), "--force", "--title", "Mine"]) == 0
    assert "<title>Mine</title>" in page.read_text(encoding="utf-8")
    assert command.main([str(path), "-o", str(tmp_path / "other.html")]) == 0


def test_the_command_says_what_is_wrong_and_ends_with_1(tmp_path, capsys):
    def said(*arguments: str) -> str:
        assert command.main(list(arguments)) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("pdp_widgets.publish: ")
        assert err.count("\n") == 1
        return err

    bad = tmp_path / "bad.ipynb"
    bad.write_text("{")
    assert "is no notebook" in said(str(bad))
    assert "No such file or directory. Nothing was written." in said(str(tmp_path / "gone.ipynb"))
    assert "is a folder" in said(str(tmp_path), "-o", str(tmp_path / "x.html"))
    good = saved(tmp_path / "good.ipynb", code("t", *shown(JointTable(PAIR))))
    assert "No such file or directory" in said(str(good), "-o", str(tmp_path / "no" / "folder.html"))


def test_a_wrong_command_line_ends_with_2(capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(["a.ipynb", "b.ipynb"])
    assert ended.value.code == 2
    assert "usage: python -m pdp_widgets.publish" in capsys.readouterr().err


@pytest.mark.parametrize("ending", [".pdf", ".PNG"])
def test_a_page_is_saved_under_no_other_ending(tmp_path, ending):
    with pytest.raises(PageError, match=r"ends in '.*'; a page is saved as \.html"):
        html(JointTable(PAIR), tmp_path / f"page{ending}")
    assert not list(tmp_path.iterdir())
