"""Static pictures: sound, bounded, without scripts, and with every number as text."""

from __future__ import annotations

import base64
import re
from datetime import date
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import Browser

from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6, titanic
from pdp_widgets.leakage.adversary import layers
from pdp_widgets.models.dependence import _pairs
from pdp_widgets.publish import Snapshot, graph_snapshot, prior_snapshot, table_snapshot
from pdp_widgets.publish.formatting import leakage
from pdp_widgets.publish.nodes import Nodes
from pdp_widgets.publish.snapshot import figure_css
from pdp_widgets.publish.table_picture import _most_probable

DAY = date(2026, 11, 28)
LIMIT = 20 * 1024


def random_joint(n: int, seed: int = 0, size: int = 2) -> JointDistribution:
    table = np.random.default_rng(seed).dirichlet(np.full(size**n, 0.5)).reshape((size,) * n)
    return JointDistribution(table / table.sum())


def analysis(joint: JointDistribution, scale: float = 1.0, query: LinearQuery | None = None) -> PriorAnalysis:
    return PriorAnalysis(joint, LaplaceMechanism(query or LinearQuery.sum(joint), scale))


def three() -> PriorAnalysis:
    joint = lsat6().marginal(["item 1", "item 2", "item 5"])
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0), [0, 1, 0])


def hostile() -> PriorAnalysis:
    table = np.random.default_rng(3).dirichlet(np.ones(12)).reshape(2, 3, 2)
    joint = JointDistribution(
        table / table.sum(),
        domains=[["<script>alert(1)</script>", "x" * 10_000], ["שלום", "عمر", "👩‍👩‍👧‍👦"], [True, False]],
        names=['<img src="//evil" onload=x>', "ש" * 10_000, "a\n\x00\u202eb & 'c'"],
        title="]]><foreignObject>" + "t" * 10_000,
    )
    return analysis(joint, query=LinearQuery([[0, 1], [0, 1, 2], [1, 0]], name="<u>" * 999))


def determined() -> PriorAnalysis:
    return analysis(JointDistribution([[0.5, 0.0], [0.0, 0.5]], names=["Ann", "Bob"]))


def titanic_points() -> PriorAnalysis:
    joint = titanic()
    return analysis(joint, query=LinearQuery([np.arange(k) for k in joint.shape], name="points"))


ANALYSES = {
    "three": three,
    "five": lambda: analysis(lsat6()),
    "one": lambda: analysis(lsat6().marginal(["item 1"])),
    "two": lambda: analysis(random_joint(2)),
    "four of three labels": lambda: analysis(random_joint(4, 2, 3)),
    "six": lambda: analysis(random_joint(6)),
    "seven": lambda: analysis(random_joint(7)),
    "eight": lambda: analysis(random_joint(8)),
    "ten": lambda: analysis(random_joint(10)),
    "hostile": hostile,
    "determined": determined,
    "titanic": titanic_points,
    "tiny scale": lambda: analysis(lsat6(), 1e-3),
    "huge scale": lambda: analysis(lsat6(), 5000.0),
    "no effect": lambda: analysis(random_joint(2), query=LinearQuery([[0, 0], [0, 0]])),
    "one label": lambda: analysis(JointDistribution([[0.25, 0.75]])),
}


def words(svg: str) -> str:
    """All text of a picture."""
    return " ".join(ElementTree.fromstring(svg).itertext())


@pytest.mark.parametrize("paper", [False, True])
@pytest.mark.parametrize("name", ANALYSES)
def test_picture_is_sound_and_small(name: str, paper: bool) -> None:
    shot = prior_snapshot(ANALYSES[name](), show_paper=paper, threshold=1.2, day=DAY)
    root = ElementTree.fromstring(shot.svg)
    assert len(shot.svg.encode()) <= LIMIT
    assert len(shot.html.encode()) <= 3 * LIMIT
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {
        "svg",
        "title",
        "style",
        "g",
        "text",
        "tspan",
        "path",
        "rect",
        "circle",
        "linearGradient",
        "stop",
    }
    for element in root.iter():
        assert not any(key.lower().startswith("on") or "href" in key for key in element.attrib)
        for value in element.attrib.values():
            assert "nan" not in value.lower()
            assert "inf" not in value.lower()
    assert not re.search(r"url\((?!#)|@import|javascript:", shot.svg)


@pytest.mark.parametrize("name", ANALYSES)
def test_picture_says_the_lead_the_audit_and_the_date(name: str) -> None:
    shot = prior_snapshot(ANALYSES[name](), show_paper=True, day=DAY)
    shown = re.sub(r"\s+", "", words(shot.svg))
    lead, audit = shot.text.split("\n")
    assert re.sub(r"\s+", "", lead) in shown
    assert "Computed28November2026,pdp_widgets" in shown
    assert audit.startswith("Promise ")


def test_every_number_of_three_items_is_text_in_the_picture() -> None:
    found = three()
    shot = prior_snapshot(found, "item 5", ["item 1"], show_paper=True, day=DAY)
    shown = words(shot.svg)
    for value in np.concatenate([found.exact.ravel(), [found.promise, found.paper.max()]]):
        assert leakage(float(value), found.promise) in shown
    off = np.abs(found.paper - found.exact) > 1e-6
    for value in found.paper[off]:
        assert leakage(float(value), 1.0) in shown
    for p in (
        "0.009",
        "0.588",
        "0.842",
        "0.956",
        "+0.364",
        "+0.028",
        "2.000",
        "r ≥ 2",
        "76 of 1,000 records",
    ):
        assert p in shown, p


def test_lead_of_the_first_example() -> None:
    shot = prior_snapshot(three(), day=DAY)
    assert shot.text.startswith(
        "A noisy sum with Laplace noise of scale 1.00 promises that no tuple leaks more than 1.000 nats. "
        "Someone who knows that item 1 is 0 learns up to 1.398 about item 5: 40 % more than promised.\n"
        "Promise 1.000 nats per tuple. Exact worst 1.398 (item 5, knowing item 1)."
    )


def test_only_the_date_changes_a_picture() -> None:
    first, same = (prior_snapshot(three(), show_paper=True, day=DAY) for _ in range(2))
    later = prior_snapshot(three(), show_paper=True, day=date(2027, 1, 2))
    assert first == same
    assert later.svg.replace("2 January 2027", "28 November 2026") == first.svg


def test_hostile_labels_are_text() -> None:
    shot = prior_snapshot(hostile(), show_paper=True, day=DAY)
    for markup in ("<script", "<img src", "<foreignObject", "<u>"):
        assert markup not in shot.svg
    body = shot.html.replace('<img alt="', "", 1)
    assert "<script" not in body
    assert '<img src="//evil"' not in body
    assert "<u>" not in body
    assert "\x00" not in shot.svg + shot.html + shot.text
    assert "\u202e" not in shot.svg + shot.html + shot.text


def test_figure_carries_the_picture_and_the_rules() -> None:
    shot = prior_snapshot(three(), day=DAY)
    html = shot.to_html("a1-B_2")
    data = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    assert data
    assert base64.b64decode(data[1]).decode() == shot.svg
    assert '<figure class="pdp-static pdps-a1-B_2">' in html
    child = ".jp-OutputArea-child"
    drawn = ".pdpl-a1-B_2:not([data-pdp-apart])"
    assert f"@media screen{{{child}:has(.pdps-a1-B_2):has(~ {child} {drawn}){{display:none}}}}" in html
    assert f"@media print{{{child}:has(.pdps-a1-B_2) ~ {child} .pdpl-a1-B_2{{display:none}}}}" in html
    assert html.count("<table>") >= 4
    assert shot.text.split(":")[0] in html
    assert "pdps-" not in shot.html
    assert "scale 1.00; item 5 attacked, item 1 known" in html.split('alt="')[1].split('"')[0]
    assert "Run the cell again" in html.split("<figcaption>")[1]


@pytest.mark.parametrize("token", ["", "a b", "x{}", "</style>", 'a"b'])
def test_a_token_is_a_plain_name(token: str) -> None:
    with pytest.raises(ValueError, match="letters, digits"):
        figure_css(token)


def test_tables_hold_every_adversary_of_five() -> None:
    html = prior_snapshot(analysis(lsat6()), show_paper=True, day=DAY).html
    table = html.split("Exact leakage of every adversary")[1].split("</table>")[0]
    assert table.count("<tr>") == 81


def test_large_pictures_list_the_extremes_of_every_layer() -> None:
    html = prior_snapshot(analysis(random_joint(8)), day=DAY).html
    table = html.split("Exact leakage by layer")[1].split("</table>")[0]
    assert table.count("<tr>") == 9


def test_bundle_for_a_notebook() -> None:
    shot = table_snapshot(lsat6(), day=DAY)
    bundle = shot._repr_mimebundle_()
    assert bundle == {"text/html": shot.html, "text/plain": shot.text}


@pytest.mark.parametrize(
    "joint", [lsat6(), titanic(), random_joint(1), random_joint(10), random_joint(3, 1, 5)]
)
def test_table_pictures(joint: JointDistribution) -> None:
    shot = table_snapshot(joint, day=DAY)
    ElementTree.fromstring(shot.svg)
    assert len(shot.svg.encode()) <= LIMIT
    assert "Computed 28 November 2026" in words(shot.svg)


@pytest.mark.parametrize("name", ["one", "three", "five", "six", "seven", "ten", "hostile", "determined"])
def test_graph_pictures(name: str) -> None:
    shot: Snapshot = graph_snapshot(ANALYSES[name]().graph(with_paper=True), show_paper=True, day=DAY)
    ElementTree.fromstring(shot.svg)
    assert len(shot.svg.encode()) <= LIMIT
    assert "<script" not in shot.svg


def test_every_picture_of_whole_lattices_has_the_dots_of_its_key() -> None:
    """Five answers with the paper's estimate need less detail; one path of dots is not what they save."""
    shot = prior_snapshot(analysis(lsat6()), show_paper=True, day=DAY)
    assert len(shot.svg.encode()) <= LIMIT
    (dots,) = re.findall(r"\.(\w+)\{stroke-dasharray:0 \d", shot.svg)
    assert re.search(rf'<path [^>]*class="[^"]*\b{dots}\b', shot.svg)


def test_rounding_is_neither_a_leakage_nor_a_wrong_estimate() -> None:
    joint = titanic().marginal(["class", "sex", "survived"])
    query = LinearQuery.count(joint, "yes")
    shot = prior_snapshot(PriorAnalysis(joint, LaplaceMechanism(query, 1.0), convention="sup"), day=DAY)
    assert "e−16" not in shot.svg + shot.to_html("t") + shot.text
    # Beside a contribution of 1e6 exponents cost 1e-10 each, and what is determined says nothing.
    exact = np.array([[1.0, 1.0], [0.0, 1.0]])
    parts = {"names": ("a", "b"), "promise": 1.0, "exact": exact, "target": 0, "known": (), "largest": (0, 0)}
    paper = exact + np.array([[1e-7, -1e-3], [0.5, 0.0]])
    fixed = np.array([[False, False], [True, False]])
    for bound, expected in ((1e3, (1, 0)), (2.0, (1, 1)), (None, (1, 1))):
        nodes = Nodes(**parts, paper=paper, determined=fixed, group_bound=bound)
        assert nodes.differing() == expected
        found = [nodes.node(i, c).differs for i in range(2) for c in range(2)]
        assert (found.count(-1), found.count(1)) == expected
        assert nodes.node(1, 0).differs == 0


def test_a_picture_of_a_million_rows_says_what_plain_counting_says() -> None:
    rng = np.random.default_rng(1)
    joint = JointDistribution.normalised(rng.random((2, 3, 2, 2, 2, 2, 2, 2, 2)).round(2))
    found = analysis(joint)
    nodes = Nodes(joint.names, 1.0, found.exact, 0, (), (0, 0))
    of_layer = layers(joint.n_tuples)
    counts = nodes.by_layer(86.0, 500.0, 5.0)
    low, high = nodes.domain
    for k in range(joint.n_tuples):
        part = found.exact[:, of_layer == joint.n_tuples - k]
        places = np.floor((86 + (part - low) * 414 / (high - low)) / 5).astype(int).ravel()
        assert np.array_equal(counts[k], np.bincount(places, minlength=counts.shape[1]))
        assert (nodes.extremes[0][k].min(), nodes.extremes[1][k].max()) == (part.min(), part.max())
    flat = joint.table.ravel()
    some = _most_probable(flat).tolist()
    assert some == np.argsort(-flat, kind="stable")[: len(some)].tolist()
    for i, j, pair in _pairs(joint.table):
        others = tuple(k for k in range(joint.n_tuples) if k not in (i, j))
        np.testing.assert_allclose(pair, joint.table.sum(axis=others))


def test_a_picture_needs_neither_widgets_nor_plots() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from pdp_widgets import *; from pdp_widgets.publish import prior_snapshot; "
        "j = JointDistribution([[.3,.2],[.2,.3]]); "
        "prior_snapshot(PriorAnalysis(j, LaplaceMechanism(LinearQuery.sum(j), 1))); "
        "print([m for m in ('ipywidgets', 'anywidget', 'bqplot', 'networkx', 'scipy') if m in sys.modules])"
    ).replace(
        "from pdp_widgets import *",
        "from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery, PriorAnalysis",
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_picture_shows_in_either_scheme_and_prints_light(chromium: Browser) -> None:
    """The notebook's own theme decides, whatever the system prefers; paper is always light."""
    page = chromium.new_page(viewport={"width": 640, "height": 600})
    shot = prior_snapshot(three(), day=DAY)

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


def test_text_of_the_picture_stays_inside(chromium: Browser) -> None:
    """No text of any picture runs over its edge in the fonts of this browser."""
    page = chromium.new_page(viewport={"width": 1100, "height": 900})
    for name, make in ANALYSES.items():
        shot = prior_snapshot(make(), show_paper=True, threshold=1.2, day=DAY)
        page.set_content(f"<!doctype html>{shot.svg}")
        over = page.evaluate(
            """() => { const room = document.querySelector("svg").getBoundingClientRect();
              return [...document.querySelectorAll("text")].filter(t => {
                const box = t.getBoundingClientRect();
                return box.right > room.right || box.left < room.left || box.bottom > room.bottom;
              }).map(t => t.textContent); }"""
        )
        assert over == [], name
    page.close()
