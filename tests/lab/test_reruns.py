"""Runs in a row of one notebook in JupyterLab: what is seen after each, what is left, what the file holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.lab.conftest import Lab

CELLS = (
    "import pdp_widgets as pdp\njoint = pdp.lsat6().marginal(['item 1', 'item 2', 'item 5'])",
    "explorer = pdp.PriorExplorer(joint)\nexplorer",
    "pdp.JointTable(joint)",
    "explorer.graph",
)
SHOWN = (1, 2, 3)
LOOKED_AT = 10
ALL = 50


@dataclass
class Runs:
    """What was found after the runs."""

    comms: list[int] = field(default_factory=list)
    models: list[int] = field(default_factory=list)
    looks: list[list[str]] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    stated: dict[str, Any] = field(default_factory=dict)
    live: int = 0


COMMS = """async panel => {
    const kernel = panel.context.sessionContext.session.kernel;
    const said = await kernel.requestCommInfo({ target_name: 'jupyter.widget' });
    return Object.keys(said.content.comms).length;
}"""
# Every comm of the page is a model of the widget manager.
MODELS = "panel => panel.context.sessionContext.session.kernel._comms.size"
# What stands in each output area: nothing, an apology, or a view with its numbers.
LOOK = """async (panel, cells) => {
    const seen = [];
    for (const index of cells) {
        const area = panel.content.widgets[index].outputArea.node;
        area.scrollIntoView();
        const end = Date.now() + 10000;
        let said = 'blank';
        while (said !== 'drawn' && Date.now() < end) {
            const views = [...area.querySelectorAll('.pdp')].filter(view => view.clientHeight > 100);
            const text = area.innerText;
            if (/model not found|Error/.test(text)) said = text;
            else if (views.length === 1 && /[01][.][0-9]{3}/.test(views[0].innerText)) said = 'drawn';
            if (said !== 'drawn') await new Promise(done => setTimeout(done, 20));
        }
        const stills = [...area.querySelectorAll('.pdp-static')].filter(still => still.clientHeight > 0);
        seen.push(stills.length ? 'a picture beside the view' : said);
    }
    return seen;
}"""


def count(lab: Lab, script: str, before: list[int]) -> None:
    """Add how many there are; what another run replaced may take a moment to close."""
    found = lab.ask(script)
    for _ in range(300):
        if not before or found == before[0]:
            break
        lab.page.wait_for_timeout(100)
        found = lab.ask(script)
    before.append(found)


@pytest.fixture(scope="module")
def runs(at_desk: Callable[[], AbstractContextManager[Lab]]) -> Iterator[Runs]:
    """Run the notebook again and again."""
    found = Runs()
    with at_desk() as lab:
        file = lab.write_notebook("again.ipynb", *CELLS)
        lab.show("again.ipynb")
        for _ in range(LOOKED_AT):
            lab.run_all()
            found.looks.append(lab.ask(LOOK, SHOWN))
            count(lab, COMMS, found.comms)
            count(lab, MODELS, found.models)
            if not found.sizes:
                lab.save()
                found.sizes.append(file.stat().st_size)
        # The rest as an impatient hand does it: the next run is asked for before the last has ended.
        lab.ask("panel => { panel.content.activeCellIndex = 2; }")
        for _ in range(ALL - LOOKED_AT):
            lab.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-cell'); }")
        lab.wait_until_idle()
        found.looks.append(lab.ask(LOOK, SHOWN))
        count(lab, COMMS, found.comms)
        count(lab, MODELS, found.models)
        lab.save()
        found.sizes.append(file.stat().st_size)
        # With the state of the widgets, for those who ask JupyterLab to save it.
        lab.command("@jupyter-widgets/jupyterlab-manager:saveWidgetState")
        lab.save()
        lab.command("@jupyter-widgets/jupyterlab-manager:saveWidgetState")
        found.stated = json.loads(file.read_text())["metadata"].get("widgets", {})
        found.live = found.comms[-1]
        lab.overlook_replaced_models()
    return found


def test_w02_no_run_leaves_a_blank_cell_or_a_model_not_found(runs: Runs) -> None:
    assert runs.looks == [["drawn"] * len(SHOWN)] * (LOOKED_AT + 1)


def test_w16_the_number_of_comms_stays_at_both_ends(runs: Runs) -> None:
    assert runs.comms[0] > 0
    assert runs.comms == [runs.comms[0]] * (LOOKED_AT + 1)
    assert runs.models == [runs.models[0]] * (LOOKED_AT + 1)


def test_w06_the_file_does_not_grow_with_the_runs(runs: Runs) -> None:
    first, last = runs.sizes
    # Prompt numbers have one figure more.
    assert abs(last - first) < 200
    assert last < 200_000


def test_w06_with_widget_state_the_file_holds_the_live_models_only(runs: Runs) -> None:
    (stated,) = runs.stated.values()
    assert len(stated["state"]) == runs.live
