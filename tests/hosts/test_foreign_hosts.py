"""What VS Code and Colab require, on a page that has nothing of Jupyter's.

Neither program runs here. Both import a module from a blob and give it a model, as this page does: no style
sheet of JupyterLab, no module loader, and a policy that allows scripts from a blob only. Every widget in the
colours of every host is in test_every_widget.py.
"""

from __future__ import annotations

import base64
import gzip
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import anywidget._util as anywidget_util
import pytest
from anywidget import AnyWidget
from playwright.sync_api import expect

import pdp_widgets as pdp
from tests.hosts.conftest import ITEMS, ROOT, largest
from tests.ui import bridge as ui_bridge
from tests.ui import conftest as ui_conftest
from tests.ui.bridge import Bridge

STATIC = Path(pdp.__file__).parent / "static"
MODULES = sorted(path.stem for path in (ROOT / "js" / "src" / "widgets").glob("*.ts"))
CONTRAST = (ROOT / "tests" / "ui" / "contrast.js").read_text(encoding="utf-8")
# docs/hosts.md names these.
POLICY = "default-src 'none'; script-src blob:; style-src 'unsafe-inline'; img-src data:"

VIEW = "application/vnd.jupyter.widget-view+json"

# How each host tells its colours: what VS Code writes into the page of a cell's output, what Colab does.
HOSTS: dict[str, dict[str, Any]] = {
    "bare light": {},
    "bare dark": {"system": "dark"},
    "VS Code light": {
        "body": "vscode-light",
        "variables": {"--vscode-editor-background": "#ffffff", "--vscode-foreground": "#616161"},
    },
    "VS Code dark": {
        "body": "vscode-dark",
        "variables": {"--vscode-editor-background": "#1e1e1e", "--vscode-foreground": "#cccccc"},
    },
    "VS Code high contrast": {
        "body": "vscode-high-contrast",
        "variables": {"--vscode-editor-background": "#000000", "--vscode-foreground": "#ffffff"},
    },
    "Colab light": {"theme": "light", "system": "dark"},
    "Colab dark": {"theme": "dark"},
}
DARK = {"bare dark", "VS Code dark", "VS Code high contrast", "Colab dark"}


class BarePage(Bridge):
    """A page without anything of Jupyter's, under the strictest policy that widgets can live with."""

    def _on_request(self, route: Any) -> None:
        if route.request.url != ui_bridge.URL:
            super()._on_request(route)
            return
        body = '<!doctype html><html lang="en"><title>Output</title><main id="page"></main>'
        route.fulfill(content_type="text/html", body=body, headers={"Content-Security-Policy": POLICY})

    def start(self) -> None:
        """Put the host's own script into the page, which the policy would not let a page do itself."""
        script = (Path(ui_bridge.__file__).parent / "host.js").read_text(encoding="utf-8")
        self.page.evaluate(f"() => {{ {script} }}")
        self.page.evaluate(
            """() => {
                window.refused = [];
                document.addEventListener('securitypolicyviolation', event =>
                    refused.push(`${event.violatedDirective}: ${event.blockedURI}`));
            }"""
        )

    def dress(self, *, system: str = "light", theme: str = "", body: str = "", variables: Any = None) -> None:
        """Tell the colours as a host does, and nothing of another host before it."""
        self.page.emulate_media(color_scheme=system)  # type: ignore[arg-type]
        self.page.evaluate(
            """([theme, body, variables]) => {
                document.documentElement.toggleAttribute('theme', Boolean(theme));
                if (theme) document.documentElement.setAttribute('theme', theme);
                document.documentElement.removeAttribute('style');
                document.body.className = body;
                for (const [name, value] of Object.entries(variables)) {
                    document.documentElement.style.setProperty(name, value);
                }
            }""",
            [theme, body, variables or {}],
        )


@pytest.fixture
def bare(open_bridge: Callable[..., Bridge], monkeypatch: pytest.MonkeyPatch) -> BarePage:
    """A bare page connected to the widgets that the test makes."""
    monkeypatch.setattr(ui_conftest, "Bridge", BarePage)
    page = open_bridge()
    assert isinstance(page, BarePage)
    page.start()
    return page


# As Notebook 7 and Voila do: the widget is drawn first, its element comes into the page afterwards.
DRAWN_BEFORE_ATTACHED = """async id => {
    const model = host.models.get(id);
    const url = URL.createObjectURL(new Blob([model.get('_esm')], { type: 'text/javascript' }));
    const widget = (await import(url)).default;
    const el = document.createElement('div');
    el.id = 'late';
    widget.render({ model, el });
    while (!el.querySelector('.pdp')) await new Promise(requestAnimationFrame);
    document.querySelector('#page').append(el);
}"""
# Every text that was fitted into its place, and where the parts of the graph are.
FITTED = """view => [
    ...[...view.querySelectorAll('th, td, .chip, button')].map(part => part.textContent),
    ...[...view.querySelectorAll('svg text, svg rect')].map(part =>
        `${part.textContent} ${part.getAttribute('x')}`),
]"""


def test_w29_drawn_before_it_stands_in_the_page_it_looks_the_same(bare: BarePage) -> None:
    # Wider letters than any that could be meant by chance.
    bare.page.evaluate("() => document.body.style.setProperty('--jp-ui-font-family', 'monospace')")
    explorer = pdp.PriorExplorer(pdp.lsat6().marginal(ITEMS))
    bare.page.evaluate(DRAWN_BEFORE_ATTACHED, explorer.model_id)
    late = bare.page.locator("#late .pdp")
    view = bare.show(explorer)
    bare.settle()
    expect(late.locator(".px-lead")).to_contain_text(largest(1.0))
    right = view.root.evaluate(FITTED)
    assert len(right) > 80
    assert late.evaluate(FITTED) == right


def test_the_policy_of_this_page_refuses_what_it_does_not_name(bare: BarePage) -> None:
    bare.page.evaluate(
        """() => {
            const script = document.createElement('script');
            script.textContent = 'window.ran = true';
            document.body.append(script);
        }"""
    )
    bare.page.wait_for_function("() => window.refused.length > 0")
    assert bare.page.evaluate("() => window.ran") is None
    assert bare.take_errors("Content Security Policy")


@pytest.mark.parametrize("name", MODULES)
def test_a_module_stands_alone(name: str) -> None:
    loader, packed = (STATIC / f"{name}.js").read_text(encoding="utf-8").split("\n//")
    # A host evaluates it before it counts the model as there, and has little patience.
    assert len(loader) < 4_000
    # Its only import is that of the unpacked module from its blob.
    assert len(re.findall(r"\bimport\b", loader)) == loader.count("import(") == 1
    text = gzip.decompress(base64.b64decode(packed)).decode()
    assert len(text) > 20_000
    assert re.findall(r"(?:^|[;}\n])import\s*[\w{\"'*$]|\bimport\s*\(", text) == []
    assert re.findall(r"@jupyter-widgets|@jupyterlab|\brequirejs\b|\brequire\(|\bdefine\(", text) == []
    # Names of XML, which nobody fetches.
    addresses = set(re.findall(r"(?:https?|wss?)://[^\s\"'`)]*", text))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"}
    # Patterns of the picture itself are named by "#".
    assert re.findall(r"@import|url\((?!#)", text) == []
    variables = re.findall(r"var\((--(?:jp|vscode|colab)-[\w-]+)(,?)", text)
    assert len(variables) > 5
    assert [variable for variable, fallback in variables if not fallback] == []


@pytest.fixture
def outputs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """What a cell displays: data and metadata of each output."""
    shown: list[tuple[dict[str, Any], dict[str, Any]]] = []
    monkeypatch.setattr(
        "pdp_widgets.widgets.static_picture.display",
        lambda bundle, **options: shown.append((bundle, options.get("metadata") or {})),
    )
    return shown


def test_in_colab_a_view_says_which_manager_draws_it(
    bare: BarePage, outputs: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Stands for Colab's own module, whatever is asked of it.
    colab = MagicMock()
    monkeypatch.setitem(sys.modules, "google.colab.output", colab)
    try:
        _, told = AnyWidget(_esm="export default {}")._repr_mimebundle_()
        pdp.JointTable(pdp.lsat6().marginal(ITEMS))._ipython_display_()
    finally:
        # anywidget asks once in a process.
        anywidget_util.enable_custom_widget_manager_once.cache_clear()
    colab.enable_custom_widget_manager.assert_called_once_with()
    (_, of_picture), (live, metadata) = outputs
    assert set(live) == {VIEW}
    # What Colab is told of any view of anywidget's it is told of this one, though it is shown another way.
    assert told[VIEW]["colab"]["custom_widget_manager"]
    assert metadata == told
    assert of_picture == {}


@pytest.mark.parametrize("make", [pdp.JointTable, pdp.PriorExplorer])
def test_the_outputs_are_a_picture_with_text_then_a_view(
    make: Callable[..., Any], bare: BarePage, outputs: list[Any]
) -> None:
    widget = make(pdp.lsat6().marginal(ITEMS))
    widget._ipython_display_()
    (still, _), (live, metadata) = outputs
    assert metadata == {}
    assert live == {VIEW: {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}}
    assert {"text/html", "text/plain"} < set(still)
    assert "<script" not in still["text/html"]
    # What anywidget needs of its host: one model by the name of its own module, and the module's text in it.
    # The widget itself is beside it.
    state = widget.get_state()
    assert (state["_model_module"], state["_view_module"]) == ("anywidget", "anywidget")
    built = (STATIC / f"{widget._module}.js").read_text(encoding="utf-8")
    assert f"{state['_esm']}\n//{base64.b64encode(state['_code']).decode()}" == built
