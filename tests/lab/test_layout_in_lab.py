"""Where JupyterLab puts a view: in other tabs, out of sight, twice, nowhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, expect

from tests.lab.conftest import Lab

MAKE = (
    "import pdp_widgets as pdp\n"
    "explorer = pdp.PriorExplorer(pdp.lsat6().marginal(['item 1', 'item 2', 'item 5']))"
)

# Width of the view, of what its place offers, and of everything drawn to measure in it.
SIZES = """view => {
    const round = node => Math.round(node.getBoundingClientRect().width);
    const place = view.parentElement.clientWidth;
    const drawn = [...view.querySelectorAll('svg, table, section')].filter(node => !node.closest('[hidden]'));
    return { place, view: round(view), height: Math.round(view.clientHeight), drawn: drawn.map(round) };
}"""


def settled_sizes(view: Locator, right: Callable[[dict[str, Any]], bool] | None = None) -> dict[str, Any]:
    """Measure a view once it is right, or once its drawing has come to rest."""
    expect(view.locator(".px-fact")).to_be_visible()
    sizes: dict[str, Any] = {}
    for _ in range(500):
        view.page.wait_for_timeout(60)
        now = view.evaluate(SIZES)
        if right(now) if right else now == sizes:
            return dict(now)
        sizes = now
    raise AssertionError(f"it never came to rest, or never was right: {sizes}")


def scale_of(view: Locator) -> Locator:
    """The number entry of the scale."""
    return view.get_by_label("Scale λ as a number")


def test_explorers_in_a_box_keep_their_distance(desk: Lab) -> None:
    desk.write_notebook(
        "boxes.ipynb",
        MAKE,
        "import ipywidgets\nipywidgets.HBox([explorer.table, explorer.graph])",
        "ipywidgets.VBox([explorer.table, ipywidgets.IntSlider()])",
        "ipywidgets.HBox([explorer.table, explorer.graph], layout={'grid_gap': '7px'})",
    )
    desk.show("boxes.ipynb")
    desk.run_all()
    # As seen: from the end of one child to the beginning of the next.
    gaps = """boxes => boxes.map(box => {
        const [first, second] = [...box.children].map(child => child.getBoundingClientRect());
        return [second.left - first.right, second.top - first.bottom].map(Math.round);
    })"""
    boxes = desk.panel.locator(".widget-box:has(.pdp)")
    expect(boxes).to_have_count(3)
    expect(boxes.locator(".pdp")).to_have_count(5)
    beside, below, own = boxes.evaluate_all(gaps)
    # What ipywidgets puts around its own controls comes on top.
    assert 24 <= beside[0] <= 32
    assert 20 <= below[1] <= 28
    assert 7 <= own[0] <= 15


def test_w17_an_edit_in_one_view_shows_in_the_other(desk: Lab) -> None:
    desk.write_notebook("two.ipynb", MAKE, "explorer")
    desk.show("two.ipynb")
    desk.run_all()
    first = desk.panel.locator(".pdp")
    expect(first).to_be_visible()
    desk.ask("panel => { panel.content.activeCellIndex = 1; }")
    desk.command("notebook:create-output-view")
    other = desk.page.locator(".jp-LinkedOutputView .pdp")
    expect(other).to_be_visible()
    scale_of(first).fill("2")
    scale_of(first).press("Enter")
    expect(other.locator(".px")).to_contain_text("0.500 nats")
    cell = other.locator("td.gr-cell").first
    cell.click()
    cell.press("Enter")
    desk.page.keyboard.type("0.25")
    desk.page.keyboard.press("Enter")
    expect(first.locator("td.gr-cell").first).to_contain_text("0.250")
    desk.page.evaluate("() => document.activeElement.blur()")
    desk.ask(
        """() => {
            for (const widget of [...window.jupyterapp.shell.widgets('main')]) {
                if (widget.node.querySelector('.jp-LinkedOutputView')) widget.dispose();
            }
        }"""
    )
    expect(other).to_have_count(0)
    # One view gone, the other lives, and no picture stands beside it.
    scale_of(first).fill("4")
    scale_of(first).press("Enter")
    expect(first.locator(".px")).to_contain_text("0.250 nats")
    expect(desk.panel.locator(".pdp-static")).to_be_hidden()
    # The promise is the page's own arithmetic; that nothing waits means that Python has answered.
    expect(first.locator(".px-fact")).to_contain_text("Promise0.250")
    desk.wait_until_idle()
    assert desk.value("[explorer.scale, float(explorer.value.table.flat[0])]") == [4.0, 0.25]


def test_beside_the_view_stands_no_picture_and_in_it_no_style_of_the_notebook(desk: Lab) -> None:
    desk.write_notebook("one.ipynb", MAKE, "explorer", "explorer.scale = 2\nexplorer.close()")
    desk.show("one.ipynb")
    desk.run_cell(0)
    desk.run_cell(1)
    output = desk.panel.locator(".jp-CodeCell .jp-OutputArea").nth(1)
    picture = output.locator("figure.pdp-static")
    view = output.locator(".pdp")
    expect(view.locator(".px")).to_be_visible()
    expect(picture).to_be_hidden()
    # JupyterLab floats the terms of a list and gives them a fifth of its width.
    expect(view.locator("dt").first).to_be_visible()
    floats = view.locator("dt, dd").evaluate_all("nodes => nodes.map(node => getComputedStyle(node).float)")
    assert set(floats) == {"none"}
    cut = view.locator("dt").evaluate_all(
        "nodes => nodes.filter(node => node.scrollWidth > node.clientWidth + 1).map(node => node.textContent)"
    )
    assert cut == []
    desk.page.emulate_media(media="print")
    expect(view).to_be_hidden()
    expect(picture).to_be_visible()
    desk.page.emulate_media(media="screen")
    expect(picture).to_be_hidden()
    # The picture returns where the view goes.
    desk.run_cell(2)
    expect(view).to_have_count(0)
    expect(picture).to_be_visible()
    expect(output.locator("figcaption")).to_contain_text("static picture")


def test_w29_drawn_out_of_sight_a_view_has_the_right_size_when_shown(desk: Lab) -> None:
    desk.write_notebook("hidden.ipynb", MAKE, "explorer", "explorer")
    desk.write_notebook("front.ipynb", "1 + 1")
    desk.show("hidden.ipynb")
    desk.run_cell(0)
    # Drawn in the sight of everyone: the size to reach.
    desk.run_cell(1)
    views = desk.panel.locator(".pdp")
    right = settled_sizes(views.first)
    assert right["view"] == right["place"] > 600
    assert len(right["drawn"]) > 8
    # The last cell is drawn with its output collapsed, then shown.
    desk.ask("panel => { panel.content.activeCellIndex = 2; panel.content.activeCell.outputHidden = true; }")
    desk.command("notebook:run-cell")
    desk.wait_until_idle()
    desk.page.wait_for_timeout(300)
    desk.ask("panel => { panel.content.widgets[2].outputHidden = false; }")
    expect(views).to_have_count(2)
    views.last.scroll_into_view_if_needed()
    settled_sizes(views.last, lambda sizes: sizes == right)
    # All is drawn again behind another tab, and while the window gets another size.
    panel = desk.page.evaluate_handle("() => window.jupyterapp.shell.currentWidget")
    desk.show("front.ipynb")
    desk.page.evaluate(
        """async panel => {
            const kernel = panel.context.sessionContext.session.kernel;
            for (const cell of [panel.content.widgets[1], panel.content.widgets[2]]) {
                cell.outputArea.future = kernel.requestExecute(
                    { code: cell.model.sharedModel.getSource() }, true, { cellId: cell.model.id });
                await cell.outputArea.future.done;
            }
        }""",
        panel,
    )
    desk.page.set_viewport_size({"width": 1150, "height": 900})
    desk.page.wait_for_timeout(300)
    desk.page.evaluate("panel => window.jupyterapp.shell.activateById(panel.id)", panel)
    views.first.scroll_into_view_if_needed()
    settled_sizes(
        views.first,
        lambda sizes: max(sizes["drawn"]) <= sizes["view"] == sizes["place"] == right["place"] - 250,
    )
    desk.page.set_viewport_size({"width": 1400, "height": 900})
    desk.page.wait_for_timeout(300)
    settled_sizes(views.first, lambda sizes: sizes == right)


def test_w30_scrolled_out_of_a_windowed_notebook_and_back(desk: Lab) -> None:
    desk.write_notebook(
        "long.ipynb", MAKE, "explorer", *(["print('line\\n' * 40)"] * 30), "explorer.scale = 2"
    )
    desk.show("long.ipynb")
    desk.ask(
        "panel => { panel.content.notebookConfig = "
        "{ ...panel.content.notebookConfig, windowingMode: 'full', overscanCount: 1 }; }"
    )
    desk.run_all()
    attached = "panel => panel.content.widgets[1].node.isConnected"
    for _ in range(2):
        desk.ask("panel => panel.content.scrollToItem(32, 'end')")
        desk.page.wait_for_function(
            "() => !window.jupyterapp.shell.currentWidget.content.widgets[1].node.isConnected"
            " || !window.jupyterapp.shell.currentWidget.content.widgets[1].node.checkVisibility()"
        )
        desk.ask("panel => panel.content.scrollToItem(1, 'start')")
        desk.page.wait_for_function(f"() => ({attached})(window.jupyterapp.shell.currentWidget)")
        view = desk.panel.locator(".pdp")
        expect(view).to_be_visible()
        expect(view.locator(".px")).to_contain_text("0.500 nats")
        sizes = settled_sizes(view)
        assert sizes["view"] == sizes["place"] > 600
        assert sizes["height"] > 400
    # It answers as before.
    scale_of(view).fill("4")
    scale_of(view).press("Enter")
    expect(view.locator(".px")).to_contain_text("0.250 nats")
