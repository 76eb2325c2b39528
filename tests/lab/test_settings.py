"""Settings of JupyterLab: documents and widgets of notebooks follow them at once."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import pdp_widgets as pdp

LIMIT = 30_000
TAB = ".jp-MainAreaWidget:not(.lm-mod-hidden) .pdp-Document"
CODE = "import pdp_widgets as pdp\nmine = pdp.PriorExplorer(pdp.lsat6())\nmine"


@pytest.fixture
def form(desk: Any) -> Any:
    """A document, a notebook with a widget, and the settings beside them; as they were afterwards."""
    document = pdp.PriorExplorer(pdp.lsat6()).save(desk.path / "lsat.leakage.json")
    desk.write_notebook("one.ipynb", CODE)
    desk.command("docmanager:open", {"path": f"{desk.folder}/{document.name}"})
    desk.show("one.ipynb")
    desk.run_all()
    desk.command("settingeditor:open", {"query": "Privacy"})
    form = desk.page.locator("form.rjsf")
    field(form, "unit").wait_for(timeout=LIMIT)
    yield form
    front(desk, "Settings")
    desk.page.get_by_role("button", name="Restore to Defaults").click()
    expect(field(form, "unit")).to_have_value("0")


def front(desk: Any, title: str) -> None:
    """Bring a tab to the front by its title."""
    desk.page.locator(".lm-DockPanel-tabBar .lm-TabBar-tab", has_text=title).click()


def field(form: Any, name: str) -> Locator:
    """The control of a setting; JupyterLab's form gives it no label, only an id."""
    return form.locator(f"[id='jp-SettingsEditor-pdp-widgets:preferences_{name}']")


def test_documents_and_widgets_follow_the_settings_at_once(desk, form):
    leads = {
        "lsat": desk.page.locator(f"{TAB} .px-lead"),
        "one.ipynb": desk.page.locator(".jp-Notebook .px-lead"),
    }

    def both(text: str) -> None:
        for title, lead in leads.items():
            front(desk, title)
            expect(lead).to_contain_text(text, timeout=LIMIT)
        front(desk, "Settings")

    both("1.493")
    field(form, "unit").select_option(label="bits")
    both("2.154")
    for title, lead in leads.items():
        front(desk, title)
        expect(lead).to_contain_text("1.443 bits")
    front(desk, "Settings")
    field(form, "decimals").fill("6")
    both("2.154104")
    field(form, "unit").select_option(label="nats")
    both("1.493111")
    # Colours: another band in the key of the graph.
    front(desk, "one.ipynb")
    fill = desk.page.locator(".jp-Notebook svg rect[fill^='rgb']").first
    before = fill.get_attribute("fill", timeout=LIMIT)
    front(desk, "Settings")
    field(form, "palette").select_option(label="greys")
    front(desk, "one.ipynb")
    expect(fill).not_to_have_attribute("fill", before or "")
    # What is asked of every explorer is an edit: Python and the document have it.
    assert desk.value("mine.convention") == "instance"
    front(desk, "Settings")
    field(form, "convention").select_option(label="sup")
    both("2.000000")
    front(desk, "one.ipynb")
    assert desk.value("mine.convention") == "sup"
    front(desk, "lsat")
    assert desk.ask("tab => tab.context.model.dirty")
