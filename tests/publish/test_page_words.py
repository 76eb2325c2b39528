"""What the words of a notebook bring to its page: formulae, pictures, links; and pages of charts alone."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pdp_widgets import JointDistribution, JointTable, PriorExplorer
from pdp_widgets.publish import Axis, Chart, Series, charts_snapshot
from pdp_widgets.publish import __main__ as command
from pdp_widgets.publish.notebook_words import FormulaError, mathml, words
from pdp_widgets.publish.page import html
from pdp_widgets.publish.page_state import PageError
from tests.publish.notebooks import ROOT, code, markdown, notebook, output, png, saved, shown

PAIR = JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"])
SVG = '<?xml version="1.0"?>\n<!-- made by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def chart() -> dict[str, Any]:
    """Return the output of a chart: a picture with numbers and no state."""
    half = Chart("Half", [Series("y", [0, 1, 2], [0, 0.5, 1])], Axis("x"), Axis("y"))
    picture = charts_snapshot(half, title="Halves")
    return output(picture._repr_mimebundle_())


def page_of(folder: Path, *cells: Any, **options: Any) -> str:
    path = saved(folder / "made.ipynb", *cells, code("t", *shown(JointTable(PAIR))))
    text = html(path, folder / "made.html", overwrite=True, **options).read_text(encoding="utf-8")
    return text[text.index("<main>") : text.rindex('<div class="pdp-code">')]


# Formulae


def maths(body: str) -> list[ElementTree.Element]:
    """Return the formulae of a page; each of them must be sound XML."""
    # The sign between a function and what it is applied to has a name in HTML only.
    body = body.replace("&ApplyFunction;", "")
    return [ElementTree.fromstring(found) for found in re.findall(r"<math\b.*?</math>", body, re.DOTALL)]


def kinds(formula: ElementTree.Element) -> set[str]:
    return {element.tag.rpartition("}")[2] for element in formula.iter()}


def test_formulae_are_mathml_wherever_they_stand(tmp_path):
    body = page_of(
        tmp_path,
        markdown(
            "Text $\\frac{1}{2}$, $$x^2$$ within, `$code$` and \\$5.\n\n"
            "$$\\sup_r \\log \\frac{p}{q}$$\n\n"
            "\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}\n\n"
            "| $a_1$ |\n|---|\n| 1 |\n\n"
            "[to $n$](02-two-people.ipynb#top) ![a dot, $s$](attachment:my%20dot.png)",
            attachments={"my dot.png": {"image/png": png()}},
        ),
    )
    found = maths(body)
    assert [formula.get("display") for formula in found] == [None, "block", "block", "block", None, None]
    wanted = ["mfrac", "msup", "mfrac", "mtable", "msub", "mi"]
    assert [kind for kind, formula in zip(wanted, found, strict=True) if kind not in kinds(formula)] == []
    assert body.count('<div class="math" tabindex="0"><math') == 2
    assert "<code>$code$</code> and $5." in body
    assert '<a href="02-two-people.ipynb#top" rel="noopener noreferrer">to <math' in body
    assert f'<img src="data:image/png;base64,{png()}" alt="a dot, s">' in body


@pytest.mark.parametrize("latex", [r"\privacy{x}", "x_", "a & b", "{" * 3000, r'\class{x" onload="bad()}{y}'])
def test_a_formula_that_cannot_be_drawn_stays_as_it_was_typed(latex):
    with pytest.raises(FormulaError, match="cannot be drawn: "):
        mathml(latex)
    shown_ = words(f"so ${latex}$ it is")
    assert "<math" not in shown_
    assert re.fullmatch(r"<p>so <code>\$[^<>]*\$</code> it is</p>\n", shown_)


def test_no_text_of_a_formula_is_markup_and_no_attribute_holds_a_formula():
    bad = words(r"$\text{<img src=x onerror=bad()>}$ $\hspace{1em\" onload=\"bad()}$")
    for formula in maths(bad):
        assert kinds(formula) <= {"math", "mtext", "mspace", "mrow", "mo", "mi"}
        assert not {name for element in formula.iter() for name in element.attrib} - {"display", "width"}
    assert "<img" not in bad
    inside = words('<p>a</p><a title="\n\n$x$\n\n" href="b.html">c</a>')
    assert "<math" not in "".join(re.findall(r'="[^"]*"', inside))
    # Nobody can write what stands for a formula while the rest is made safe.
    assert words("$x$ formula0n formula00000000000000000000000000000000n0n").count("<math") == 1


# Pictures that are linked


def test_pictures_beside_the_notebook_become_part_of_the_page(tmp_path):
    (tmp_path / "figures").mkdir()
    dot = base64.b64decode(png())
    (tmp_path / "figures" / "a dot.png").write_bytes(dot)
    (tmp_path / "drawn.svg").write_text(SVG)
    below = tmp_path / "course"
    below.mkdir()
    body = page_of(
        below,
        markdown(
            '![one](../figures/a%20dot.png "A dot") <img src="../drawn.svg?raw=1" alt="two" width="40">\n\n'
            "![far](https://example.org/x.png) ![root](/etc/x.png)"
        ),
        code("1", output({"text/markdown": "![three](../figures/a%20dot.png)"})),
        pictures_from=tmp_path,
    )
    encoded = base64.b64encode(b'<svg xmlns="http://www.w3.org/2000/svg"></svg>').decode()
    assert body.count(f'src="data:image/png;base64,{png()}"') == 2
    assert f'<img src="data:image/svg+xml;base64,{encoded}" alt="two" width="40">' in body
    assert '<img alt="far"> <img alt="root">' in body


@pytest.mark.parametrize(
    ("linked", "words_"),
    [
        (
            "gone.png",
            r"Markdown cell 2 shows the picture gone\.png, and no such file can be read in the folder",
        ),
        ("text.png", r"the picture text\.png, and that file is no picture a page can hold: PNG, JPEG"),
        (".", "the picture ., and no such file can be read"),
        ("a%00b.png", "and no such file can be read"),
    ],
)
def test_a_picture_that_is_missing_is_named_and_nothing_is_written(tmp_path, linked, words_):
    (tmp_path / "text.png").write_text("<html><svg></html>")
    with pytest.raises(PageError, match=words_):
        page_of(tmp_path, markdown("# One"), markdown(f"![x]({linked})"))
    assert not (tmp_path / "made.html").exists()
    assert command.main([str(tmp_path / "made.ipynb")]) == 1


def test_a_notebook_from_memory_has_no_folder(tmp_path):
    content = notebook(markdown("![x](one.png)"), code("t", *shown(JointTable(PAIR))))
    with pytest.raises(PageError, match=r"Markdown cell 1 shows the picture one\.png, .* Give the path"):
        html(content, tmp_path / "made.html")


# Charts


def test_charts_alone_make_a_page_of_pictures(tmp_path, capsys):
    path = saved(tmp_path / "made.ipynb", markdown("# Halves"), code("draw()", chart()))
    assert command.main([str(path)]) == 0
    assert re.search(r"made\.html: \d+ kB, 1 chart\n", capsys.readouterr().out)
    page = (tmp_path / "made.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "script-src 'none'" in page
    assert re.search(r'<figure class="pdp-static">.*<img [^>]*src="data:image/svg', page, re.DOTALL)
    # The numbers stand as text too.
    assert "0.5" in re.sub(r"<[^>]*>", " ", page)


def test_a_chart_does_not_excuse_a_widget_without_its_state(tmp_path):
    older = {"text/html": PriorExplorer(PAIR).saved_outputs()["text/html"]}
    content = notebook(code("1", chart()), code("2", output(older)))
    with pytest.raises(PageError, match="saved by an older version of pdp_widgets: code cell 2"):
        html(content, tmp_path / "made.html")


@pytest.mark.parametrize(
    "foreign",
    [
        {"image/png": png(), "text/plain": "<Figure>"},
        {"text/html": '<p class="pdp-static">text</p>', "text/plain": "text"},
    ],
)
def test_pictures_of_other_packages_do_not_make_a_page(tmp_path, foreign):
    with pytest.raises(PageError, match=r"shows no widget of pdp_widgets, nor a chart of it"):
        html(notebook(code("1", output(foreign))), tmp_path / "made.html")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_every_notebook_of_the_project_is_published_as_it_is_saved(path, tmp_path):
    page = html(path, tmp_path / "page.html")
    assert page.stat().st_size < 1_000_000
    assert '<figure class="pdp-static' in page.read_text(encoding="utf-8")
