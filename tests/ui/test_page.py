"""A published page, opened from the disk with no network: right numbers, and alive under a person's hands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pdp_widgets import (
    CovarianceEditor,
    GaussianAnalysis,
    GaussianExplorer,
    GaussianModel,
    HistogramQuery,
    JointDistribution,
    JointTable,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    PriorExplorer,
    VectorLaplaceMechanism,
    WHGGraph,
    lsat6,
)
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis
from pdp_widgets.leakage.target_leakage import rounded_up
from pdp_widgets.publish import Axis, Chart, Series, charts_snapshot
from pdp_widgets.publish.page import html
from pdp_widgets.publish.page_state import VIEW_TYPE
from pdp_widgets.widgets import prior_state
from tests.publish.notebooks import code, markdown, notebook, output, run, shown
from tests.publish.test_browser_large import table
from tests.ui import axe

CLOSE = 1e-9
PAIR = JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"])
# What a page does wrong is written down before its own script runs.
WITNESS = """
window.violations = [];
window.views = [];
document.addEventListener("securitypolicyviolation", (e) => violations.push(e.violatedDirective));
document.addEventListener("pdp:change", (e) => views.push(e.detail));
"""
HIDE = """
new MutationObserver((_, observer) => {
    if (!document.body) return;
    document.body.style.display = "none";
    observer.disconnect();
}).observe(document, { childList: true, subtree: true });
"""
AUDIT = """async (rules) => {
    const only = rules && { runOnly: rules };
    const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false, ...only });
    return violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html.slice(0, 200)).join(" | "));
}"""
NUMBERS = """(path) => {
    const bytes = path.reduce((at, name) => at[name], window.views.at(-1));
    return [...new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))];
}"""


class Opened:
    """A page in the browser, and what went wrong there."""

    def __init__(self, browser: Browser, path: Path, **context: Any) -> None:
        self.errors: list[str] = []
        self.context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **context})
        self.context.set_offline(True)
        self.page: Page = self.context.new_page()
        self.page.add_init_script(WITNESS)
        self.page.on("pageerror", lambda error: self.errors.append(f"page: {error}"))
        self.page.on("console", lambda message: self.errors.append(f"console: {message.text}"))
        self.page.on("request", self._asked)
        self.page.goto(path.as_uri())

    def _asked(self, request: Any) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            self.errors.append(f"request: {request.url}")

    def slot(self, k: int = 0) -> Locator:
        """Return the place of a widget."""
        return self.page.locator(".pdp-slot").nth(k)

    def root(self, k: int = 0) -> Locator:
        """Return the live widget."""
        return self.slot(k).locator(".pdp")

    def numbers(self, *path: str) -> np.ndarray[Any, Any]:
        """Return an array of the last view that the page computed."""
        return np.array(self.page.evaluate(NUMBERS, list(path)))

    def changes(self) -> int:
        """Return how often something was computed."""
        return int(self.page.evaluate("() => window.views.length"))

    def wait_for(self, count: int) -> None:
        """Wait until that many views were computed."""
        self.page.wait_for_function("(count) => window.views.length >= count", arg=count)

    def close(self) -> None:
        """Close it; nothing may have gone wrong."""
        self.errors += self.page.evaluate("() => window.violations ?? []")
        self.context.close()
        assert self.errors == []


@pytest.fixture
def opened(chromium: Browser, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Publish a source, or open the page there is."""
    pages: list[Opened] = []

    def open_one(source: Any, **context: Any) -> Opened:
        ready = isinstance(source, Path) and source.suffix == ".html"
        path = source if ready else html(source, tmp_path / f"{len(pages)}.html")
        pages.append(Opened(chromium, path, **context))
        return pages[-1]

    yield open_one
    for each in pages:
        each.close()


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the first notebook."""
    return html(run("01-prior-knowledge")[0], tmp_path_factory.mktemp("page") / "first.html")


def type_into(shown_: Opened, root: Locator, row: str, text: str) -> None:
    root.get_by_role("gridcell", name=re.compile(f"^{re.escape(row)}: ")).first.click()
    before = shown_.changes()
    shown_.page.keyboard.type(text)
    shown_.page.keyboard.press("Enter")
    shown_.wait_for(before + 1)


def press(shown_: Opened, at: Locator, *keys: str) -> None:
    before = shown_.changes()
    at.focus()
    for key in keys:
        shown_.page.keyboard.press(key)
    shown_.wait_for(before + 1)


def leakages(joint: JointDistribution, scale: float) -> np.ndarray[Any, Any]:
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), scale)).exact.ravel()


def test_the_first_notebook_is_read_and_used_without_kernel_and_network(opened, first):
    page = opened(first)
    joint = lsat6()
    expect(page.page.get_by_role("heading", level=1)).to_have_text(
        "What does a noisy score say about one answer?"
    )
    expect(page.page.locator(".pdp-slot[data-live]")).to_have_count(2)
    lead = page.root().locator(".px-lead")
    expect(lead).to_contain_text(f"{leakages(joint, 1).max():.3f}")
    expect(page.root(1).locator(".px-lead")).to_contain_text("1.809")
    expect(page.slot().locator("figure")).to_be_hidden()
    expect(page.slot().locator(".pdp-note")).to_contain_text("It has no kernel")

    # What the kernel answers late: the least scale is computed here. The interval was computed when the
    # notebook was saved, and belongs to what stood there then.
    facts = page.root().locator(".px-facts")
    enough = page.root().get_by_role(
        "button", name="no adversary learns more than 1.000 nats: set this scale"
    )
    expect(enough).to_have_text("1.48")
    expect(facts).to_contain_text("1.24 to 1.82")
    # It is set once, and the goal stays; another one is looked for here too.
    release = page.root().get_by_role("region", name="Release")
    enough.click()
    page.wait_for(1)
    expect(release.locator(".px-reached")).to_be_visible()
    assert page.numbers("results", "graph", "exact").max() <= 1
    goal = release.get_by_label("What every adversary may learn at most, nats")
    expect(goal).to_have_value("1.00")
    goal.fill("0.5")
    press(page, goal, "Enter")
    least = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1)).calibrate(0.5).scale
    expect(release.locator(".px-goal button")).to_have_text(rounded_up(least, 3))
    page.page.keyboard.press("Control+Z")
    page.page.keyboard.press("Control+Z")
    expect(release.get_by_label("Scale λ as a number")).to_have_value("1.00")
    # Of another table than the saved one, or the same anew, only a kernel has it; the page says so.
    expect(facts).to_contain_text("needs a kernel")

    # A cell by typing: the others make room as they do in Python, and every adversary is computed anew.
    row = ", ".join(f"{name} = 1" for name in joint.names)
    type_into(page, page.root(), row, "0.2")
    table = JointTable(joint)
    table.set_cell([1] * 5, 0.2)
    np.testing.assert_allclose(
        page.numbers("table", "entries"), table.value.table.ravel(), rtol=0, atol=1e-15
    )
    exact = leakages(table.value, 1)
    np.testing.assert_allclose(page.numbers("results", "graph", "exact"), exact, rtol=0, atol=CLOSE)
    expect(lead).to_contain_text(f"{exact.max():.3f}")

    # The scale by the keyboard.
    press(page, page.root().get_by_role("slider", name="Laplace noise, scale λ"), "End")
    exact = leakages(table.value, 10)
    np.testing.assert_allclose(page.numbers("results", "graph", "exact"), exact, rtol=0, atol=CLOSE)
    expect(lead).to_contain_text("scale 10.0")
    # Back over both steps, to the very numbers that were published.
    press(page, page.root().get_by_role("slider", name="Laplace noise, scale λ"), "Control+z")
    press(page, page.root().get_by_role("gridcell").first, "Control+z")
    np.testing.assert_array_equal(page.numbers("table", "entries"), joint.table.ravel())
    np.testing.assert_allclose(
        page.numbers("results", "graph", "exact"), leakages(joint, 1), rtol=0, atol=CLOSE
    )

    # The other explorer is another one.
    expect(page.root(1).locator(".px-lead")).to_contain_text("1.809")
    press(page, page.root(1).get_by_role("slider", name="Laplace noise, scale λ"), "Home")
    expect(page.root(1).locator(".px-lead")).to_contain_text("scale 0.10")
    expect(lead).to_contain_text("scale 1.00")


def test_everyone_can_be_chosen_and_every_convention_and_query(opened, first):
    page = opened(first)
    root = page.root()
    joint = lsat6()
    root.get_by_role("button", name="item 4, known").click()
    page.wait_for(1)
    value = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1)).exact[0, 4]
    expect(root.locator(".px-big")).to_contain_text(f"{value:.3f}")
    before = page.changes()
    root.get_by_text("worst case", exact=True).click()
    page.wait_for(before + 1)
    worst = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), convention="sup").exact.ravel()
    np.testing.assert_allclose(page.numbers("results", "graph", "exact"), worst, rtol=0, atol=CLOSE)
    before = page.changes()
    root.get_by_role("combobox", name="Query").select_option(label="Mean")
    page.wait_for(before + 1)
    mean = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.mean(joint), 1), convention="sup").exact.ravel()
    np.testing.assert_allclose(page.numbers("results", "graph", "exact"), mean, rtol=0, atol=CLOSE)


def test_a_query_that_was_given_in_python_is_asked_here_too(opened):
    joint = JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"], domains=[("yes", "no")] * 2)
    query = LinearQuery([[0, 2], [0, 0.5]], name="points")
    page = opened(PriorExplorer(joint, query=query))
    press(page, page.root().get_by_role("slider", name="Laplace noise, scale λ"), "Home")
    exact = PriorAnalysis(joint, LaplaceMechanism(query, 0.1)).exact.ravel()
    np.testing.assert_allclose(page.numbers("results", "graph", "exact"), exact, rtol=0, atol=CLOSE)


@pytest.mark.parametrize("cancelled", [False, True])
def test_results_of_other_values_say_so_where_only_a_kernel_computes(opened, monkeypatch, cancelled):
    monkeypatch.setattr(prior_state, "LONG", -1.0)
    explorer = PriorExplorer(table(15))
    largest = explorer.results.largest.value
    explorer._receive({"origin": "a view", "seq": 1, "base": explorer._view["since"], "scale": 2.0})
    if cancelled:
        explorer._core.stop(explorer._view["running"]["number"])
        explorer._show()
    assert (explorer._view["stopped"] is not None) is cancelled
    page = opened(explorer)
    root = page.root()
    said = "Results belong to the values as last computed (scale 1.00)."
    expect(root.locator(".px-lead")).to_contain_text(said)
    audit = root.locator(".px-audit")
    expect(audit).to_contain_text(f"{largest:.3f}")
    expect(audit.locator(".px-stale")).to_have_text(said)
    expect(root.locator(".px-why")).to_have_text("It was not computed for these values.")
    # Nobody could do what was given up.
    expect(root.get_by_role("button", name="Compute")).to_have_count(0)


def test_without_scripts_the_picture_stands_with_its_numbers(opened, first):
    page = opened(first, java_script_enabled=False)
    picture = page.slot().locator("figure img").first
    expect(picture).to_be_visible()
    expect(page.root()).to_have_count(0)
    said = page.slot().inner_text()
    assert "1.493" in said
    assert "Where scripts may run, the explorer itself stands here." in said
    assert "{" not in said


def test_on_paper_stands_the_picture_until_something_was_changed(opened, first):
    page = opened(first)
    page.page.emulate_media(media="print")
    expect(page.slot().locator("figure img").first).to_be_visible()
    expect(page.root()).to_be_hidden()
    page.page.emulate_media(media="screen")
    press(page, page.root().get_by_role("slider", name="Laplace noise, scale λ"), "End")
    page.page.emulate_media(media="print")
    expect(page.slot().locator("figure")).to_be_hidden()
    expect(page.root().locator(".px-lead")).to_contain_text("scale 10.0")


@pytest.mark.parametrize(("width", "scheme"), [(1200, "dark"), (500, "light")])
def test_w25_w26_w29_it_fits_is_legible_and_has_its_size_once_it_is_seen(opened, width, scheme):
    words = markdown(
        "# One\n\nA [link](other.html), `code`, **more**.\n\n> said\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    )
    frame = output({"text/html": lsat6().to_dataframe().head(2).to_html(), "text/plain": "frame"})
    source = notebook(
        words, code("def f(x):  # one\n    return 'a' + str(1)", frame, *shown(PriorExplorer(PAIR)))
    )
    page = opened(source, viewport={"width": width, "height": 900}, color_scheme=scheme)
    assert page.root().evaluate("root => root.dataset.dark === undefined") is (scheme == "light")
    assert page.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    before = page.root().bounding_box()
    page.page.evaluate(axe.source())
    assert page.page.evaluate(AUDIT) == []
    # Drawn while it was hidden.
    page.page.add_init_script(HIDE)
    page.page.reload()
    expect(page.page.locator(".pdp-slot[data-live]")).to_have_count(1)
    assert page.root().bounding_box() is None
    page.page.evaluate("() => { document.body.style.display = ''; }")
    expect(page.root().locator(".px-lead")).to_be_visible()
    assert before is not None
    page.page.wait_for_function(
        """([root, width, height]) => {
            const box = root.getBoundingClientRect();
            return box.width === width && Math.abs(box.height - height) < 2;
        }""",
        arg=[page.root().element_handle(), before["width"], before["height"]],
    )


def test_letters_of_a_chart_do_not_shrink_with_the_screen(opened):
    chart = Chart("Halves", [Series("half", [0, 1], [0, 0.5])], Axis("x"), Axis("y"))
    alone, beside = (output(charts_snapshot([chart] * wide)._repr_mimebundle_()) for wide in (1, 2))
    source = notebook(markdown("# Halves"), code("c", alone), code("d", beside))
    page = opened(source, viewport={"width": 420, "height": 900})
    figures = page.page.locator("figure")
    assert [one.locator("img").count() for one in figures.all()] == [1, 2]

    def widths() -> list[float]:
        return [one.locator("img").first.bounding_box()["width"] for one in figures.all()]

    assert widths() == [620, 484]
    assert [one.bounding_box()["width"] for one in figures.all()] == [400, 400]
    assert page.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    # By the keyboard it is scrolled too.
    page.page.evaluate(axe.source())
    assert page.page.evaluate(AUDIT, ["scrollable-region-focusable"]) == []
    page.page.set_viewport_size({"width": 1300, "height": 900})
    assert widths() == [620, 484]


def test_the_published_picture_can_be_saved_until_something_was_changed(opened):
    explorer = PriorExplorer(lsat6().marginal(["item 1", "item 2"]))
    page = opened(explorer)
    with page.page.expect_download() as waiting:
        page.page.get_by_role("button", name=re.compile("picture")).click()
    assert waiting.value.suggested_filename == "prior-knowledge.svg"
    saved = Path(waiting.value.path()).read_text(encoding="utf-8")
    drawings = re.findall(r'src="(data:image/svg[^"]+)"', explorer.snapshot().html)
    assert re.findall(r'href="([^"]+)"', saved) == drawings
    press(page, page.root().get_by_role("slider", name="Laplace noise, scale λ"), "End")
    button = page.page.get_by_role("button", name=re.compile("picture"))
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(button).to_have_attribute("title", re.compile("off, it needs a running kernel"))


def test_gaussian_data_and_their_matrix_are_edited(opened):
    model = GaussianModel([5, 4, 4.5], [[1.4, 0.6, 0.3], [0.6, 1, 0.4], [0.3, 0.4, 1]], names=["A", "B", "C"])
    page = opened(
        notebook(code("1", *shown(GaussianExplorer(model))), code("2", *shown(CovarianceEditor(model))))
    )
    expect(page.page.locator(".pdp-slot[data-live]")).to_have_count(2)
    changed = np.array(model.cov)
    changed[0, 1] = changed[1, 0] = -0.5
    for k in (0, 1):
        page.root(k).get_by_role("gridcell", name="covariance of A and B").first.click()
        before = page.changes()
        page.page.keyboard.type("-0,5")
        page.page.keyboard.press("Enter")
        page.wait_for(before + 1)
        np.testing.assert_array_equal(page.numbers("matrix", "cov"), changed.ravel())
        if k == 0:
            exact = GaussianAnalysis(GaussianModel(model.mean, changed, model.names)).exact.ravel()
            np.testing.assert_allclose(page.numbers("results", "graph", "exact"), exact, rtol=0, atol=CLOSE)
    before = page.changes()
    page.root(1).get_by_role("gridcell", name="covariance of A and B").first.click()
    page.page.keyboard.type("-3")
    page.page.keyboard.press("Enter")
    page.wait_for(before + 1)
    page.root(1).get_by_role("button", name="Nearest valid").click()
    page.wait_for(before + 2)
    assert np.linalg.eigvalsh(page.numbers("matrix", "cov").reshape(3, 3))[0] > -1e-9


def test_a_graph_is_chosen_from_and_a_table_edited(opened):
    joint = lsat6().marginal(["item 1", "item 2", "item 3"])
    analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))
    page = opened(notebook(code("1", *shown(WHGGraph(analysis))), code("2", *shown(JointTable(joint)))))
    page.root().get_by_role("button", name="about item 2, knows item 1 and item 3").click()
    page.wait_for(1)
    assert page.page.evaluate("() => [views.at(-1).target, views.at(-1).known]") == [1, [0, 2]]
    type_into(page, page.root(1), "item 1 = 0, item 2 = 0, item 3 = 0", "0.5")
    table = JointTable(joint)
    table.set_cell([0, 0, 0], 0.5)
    np.testing.assert_allclose(
        page.numbers("table", "entries"), table.value.table.ravel(), rtol=0, atol=1e-15
    )


def test_a_state_that_was_saved_without_a_later_part_comes_alive(opened):
    bundle = PriorExplorer(PAIR, scale=2).saved_outputs()
    del bundle[VIEW_TYPE]["traits"]["_view"]["goal"]
    page = opened(notebook(code("1", output(bundle))))
    expect(page.page.locator(".pdp-slot[data-live]")).to_have_count(1)
    press(page, page.root().get_by_role("slider", name="Laplace noise, scale λ"), "End")
    # What was promised when it was made is what is aimed at.
    assert page.page.evaluate("() => views.at(-1).goal") == 0.5


def test_gaussian_data_saved_without_a_later_part_come_alive(opened):
    """Before there was a goal, the results said which scale keeps the promise, and nothing what is kept."""
    model = GaussianModel([5, 4], [[1, 0.5], [0.5, 1]], names=["A", "B"])
    bundle = GaussianExplorer(model, scale=2).saved_outputs()
    view = bundle[VIEW_TYPE]["traits"]["_view"]
    del view["goal"], view["kept"]
    view["results"] |= {"enough": 3.0}
    view["results"]["chosen"] |= {"keeps": 3.0}
    page = opened(notebook(code("1", output(bundle))))
    expect(page.page.locator(".pdp-slot[data-live]")).to_have_count(1)
    release = page.root().get_by_role("region", name="Release")
    goal = release.get_by_label("What every adversary may learn at most, nats")
    # What was promised when it was made is what is aimed at.
    expect(goal).to_have_value("0.50")
    enough = release.locator(".px-enough button")
    expect(enough).to_have_text("3.00")
    enough.click()
    page.wait_for(1)
    expect(release.locator(".px-reached")).to_be_visible()
    assert page.page.evaluate("() => [views.at(-1).goal, views.at(-1).scale]") == [0.5, 3]
    goal.fill("0,25")
    press(page, goal, "Enter")
    expect(enough).to_have_text("6.00")
    assert page.page.evaluate("() => views.at(-1).goal") == 0.25
    page.page.keyboard.press("Control+Z")
    expect(goal).to_have_value("0.50")


def test_what_needs_a_kernel_is_off_and_says_so(opened):
    many = JointDistribution(np.full((2,) * 15, 2.0**-15))
    page = opened(PriorExplorer(many))
    note = page.slot().locator(".pdp-note")
    expect(note).to_contain_text("This page has no kernel, and editing is off.")
    expect(note).to_contain_text("up to 14 tuples and 16,384 cells")
    expect(page.root().get_by_label("Scale λ as a number")).to_be_disabled()
    expect(page.root().locator(".px-lead")).to_contain_text("1.000")
    # What is there can be looked at.
    expect(page.root().get_by_role("button", name="What is this?")).to_be_enabled()
    assert page.changes() == 0


def test_a_whole_histogram_is_used_like_one_number(opened):
    joint = lsat6()
    bins = HistogramQuery.of_labels(joint)
    page = opened(PriorExplorer(joint, query="histogram"))
    root = page.root()
    lead = root.locator(".px-lead")
    expect(lead).to_contain_text("promises that no tuple leaks more than 2.000 nats")
    first = HistogramAnalysis(joint, VectorLaplaceMechanism(bins, 1))
    expect(lead).to_contain_text(f"{first.largest.value:.3f}")
    # Another adversary, with what each count alone would say and where both say most.
    root.get_by_role("button", name="item 4, known").click()
    page.wait_for(1)
    expect(root.locator(".px-big")).to_contain_text(f"{first.exact[0, column(5, 0, [3])]:.3f}")
    found = first.release("item 1", ["item 4"])
    facts = root.locator(".px-facts")
    expect(facts).to_contain_text(f"r = ({found.r[0]:g}, {found.r[1]:g})")
    # Edits are computed too.
    row = ", ".join(f"{name} = 1" for name in joint.names)
    type_into(page, root, row, "0.2")
    press(page, root.get_by_role("slider", name="Laplace noise, scale λ"), "End")
    table_ = JointTable(joint)
    table_.set_cell([1] * 5, 0.2)
    wide = HistogramAnalysis(table_.value, VectorLaplaceMechanism(bins, 10))
    np.testing.assert_allclose(
        page.numbers("results", "graph", "exact"), wide.exact.ravel(), rtol=0, atol=CLOSE
    )
    # From the menu it is one query among others, and back.
    before = page.changes()
    root.get_by_role("combobox", name="Query").select_option(label="Sum")
    page.wait_for(before + 1)
    np.testing.assert_allclose(
        page.numbers("results", "graph", "exact"), leakages(table_.value, 10), rtol=0, atol=CLOSE
    )
    root.get_by_role("combobox", name="Query").select_option(label="Whole histogram")
    page.wait_for(before + 2)
    np.testing.assert_allclose(
        page.numbers("results", "graph", "exact"), wide.exact.ravel(), rtol=0, atol=CLOSE
    )
    # The paper has no estimate for it, and the page says so.
    root.get_by_label("paper’s estimate").click()
    expect(root.locator(".line:visible").first).to_contain_text("for a whole histogram it has no estimate")


def test_a_histogram_of_very_many_combinations_is_shown_as_it_was_published(opened):
    joint = JointDistribution.independent([[0.4, 0.3, 0.2, 0.1]] * 6)
    page = opened(PriorExplorer(joint, query=HistogramQuery.of_labels(joint)))
    expect(page.slot().locator(".pdp-note")).to_contain_text("Its query takes so many values")
    expect(page.root().locator(".px-lead")).to_contain_text("2.000 nats")
    expect(page.root().get_by_role("button", name="x2, known")).to_be_disabled()


def test_a_large_table_is_looked_at_from_all_sides_with_what_is_embedded(opened):
    joint = table(12)
    page = opened(PriorExplorer(joint))
    root = page.root()
    exact = leakages(joint, 1).reshape(12, -1)
    expect(page.slot().locator(".pdp-note")).to_contain_text("What you change is computed in this page.")
    expect(root.get_by_text("Too many cells to edit here.")).to_be_visible()
    expect(
        root.get_by_role("button", name=re.compile("no adversary learns more than 1.000 nats"))
    ).to_be_visible()
    # One of the adversaries that were on no screen of Python's.
    root.get_by_label("Who knows").fill("q1, q2, not q3")
    page.page.keyboard.press("Enter")
    page.wait_for(1)
    fits = [
        [k & 3 == 3 and not k & 4 for k in range(2048)] if target > 2 else [False] * 2048
        for target in range(12)
    ]
    top = np.where(fits, exact, -1).max()
    before = page.changes()
    root.locator(".lg-page .lg-row[data-node]:visible").first.click()
    page.wait_for(before + 1)
    expect(root.locator(".px-big").first).to_contain_text(f"{top:.3f}")
    before = page.changes()
    press(page, root.get_by_role("slider", name="Laplace noise, scale λ"), "End")
    page.wait_for(before + 1)
    expect(root.locator(".px-lead")).to_contain_text(f"{leakages(joint, 10).max():.3f}")
    before = page.changes()
    root.get_by_label("paper’s estimate").check()
    page.wait_for(before + 1)
    low, high = page.page.evaluate("() => views.at(-1).results.digest.apart")
    analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 10))
    assert (low, high) == (analysis.too_low, analysis.too_high)


def test_a_large_graph_is_chosen_from_with_what_is_embedded(opened):
    graph = GaussianAnalysis(GaussianModel.equicorrelated(12, 0.2)).graph()
    page = opened(WHGGraph(graph))
    root = page.root()
    root.get_by_label("Unknown", exact=True).select_option("3")
    page.wait_for(1)
    expect(root.get_by_text("660 of 24,576 adversaries")).to_be_visible()
    root.locator(".lg-page .lg-row[data-node]:visible").nth(2).click()
    page.wait_for(2)
    target, known = page.page.evaluate("() => [views.at(-1).target, views.at(-1).known]")
    assert len(known) == 9
    value = graph.exact[target, column(12, target, known)]
    expect(root.locator(".lg-node[aria-pressed=true]")).to_contain_text(f"{value:.3f}")


def test_w36_hostile_labels_and_words_stay_text(opened):
    bad = '</script><img src="data:," onerror="window.bad = 1">'
    joint = JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=[bad, "b"], domains=[(bad, "1"), ("<!--", "2")])
    words = f"# {bad}\n\n<script>window.bad = 1</script>{bad} [x](javascript:window.bad=1)"
    page = opened(
        notebook(
            markdown(words),
            code("x = 1  # </script>" + bad, *shown(PriorExplorer(joint, query="count:<!--"))),
        )
    )
    expect(page.root().locator(".px-lead")).to_be_visible()
    assert page.page.evaluate("() => window.bad") is None
    assert page.root().locator("img").count() == 0
    expect(page.root().get_by_text(bad[:20]).first).to_be_attached()


def test_a_state_that_cannot_be_drawn_keeps_its_picture(opened, tmp_path):
    path = html(JointTable(lsat6().marginal(["item 1", "item 2"])), tmp_path / "good.html")
    text = path.read_text(encoding="utf-8")
    block = re.search(r'<script type="application/json">(.*?)</script>', text)
    assert block
    state = json.loads(block[1])
    other = tmp_path / "other.html"
    other.write_text(text.replace(block[1], json.dumps({**state, "module": "from later"})), encoding="utf-8")
    page = opened(other)
    # That of a table is a table.
    expect(page.slot().locator("figure table").first).to_be_visible()
    expect(page.slot().locator(".pdp-note")).to_contain_text('does not know the widget "from later"')
    assert len(page.errors) == 1
    page.errors.clear()
