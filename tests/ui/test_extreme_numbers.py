"""Numbers at the ends of the floats in the browser: nothing drawn or written is NaN or undefined."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from pdp_widgets import (
    CovarianceEditor,
    GaussianExplorer,
    GaussianModel,
    JointDistribution,
    LocalExplorer,
    PriorExplorer,
    titanic,
)
from pdp_widgets.errors import PdpError
from tests.ui.bridge import SETTLED, Bridge
from tests.ui.hands import three

#: What no picture holds: within an attribute that places something, and as a word in any other or in a text.
UNSOUND = """(root) => {
    // Most often there is nothing to look for.
    if (!/NaN|Infinity|undefined|null/.test(root.outerHTML)) return [];
    const places = ["d", "points", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "dx", "dy",
        "width", "height", "transform", "viewBox", "style", "offset", "value", "min", "max",
        "aria-valuenow", "aria-valuemin", "aria-valuemax"];
    const inside = /NaN|Infinity|undefined|null/, word = /\\b(NaN|Infinity|undefined|null)\\b/;
    const found = [];
    for (const el of [root, ...root.querySelectorAll("*")]) {
        for (const { name, value } of el.attributes) {
            const wrong = places.includes(name) ? inside : word;
            if (wrong.test(value)) found.push(`${el.tagName} ${name}=${value}`);
        }
        for (const { nodeType, data } of el.childNodes) {
            if (nodeType === Node.TEXT_NODE && word.test(data)) found.push(`${el.tagName}: ${data}`);
        }
    }
    return found;
}"""
UNSOUND_AT_REST = f"async (root) => (await ({SETTLED})(5000)) ?? ({UNSOUND})(root)"

ENDS = (1e308, 1e160, 1e17, 1e-17, 1e-300, 5e-324)
#: Up and down again: what was drawn at one end stands in the controls of the other until the answer comes.
STEPS = (*ENDS, 1e308, 1e-308, 1.0)


def flats(unit: float = 1.0) -> GaussianModel:
    """Three readings of any size."""
    cov = np.array([[1.4, 0.6, 0.3], [0.6, 1, 0.4], [0.3, 0.4, 1]])
    return GaussianModel([5, 4, 4.5], cov * unit)


def labelled(large: float) -> JointDistribution:
    """Two tuples that add a number of any size."""
    return JointDistribution([[0.4, 0.1], [0.1, 0.4]], [[0, large], [0, 1]])


RARE = JointDistribution([[0.5 - 1e-308, 1e-308], [1e-310, 0.5 - 1e-310]])
EXPLORERS: dict[str, Callable[[], Any]] = {
    "prior": lambda: PriorExplorer(three()),
    "worst case": lambda: PriorExplorer(three(), convention="sup", show_paper=True, threshold=1e300),
    "rare cells": lambda: PriorExplorer(RARE),
    "large labels": lambda: PriorExplorer(labelled(1e300), scale=1e300),
    "small labels": lambda: PriorExplorer(labelled(1e-300), scale=1e-300),
    "gaussian": lambda: GaussianExplorer(flats()),
    "large variances": lambda: GaussianExplorer(flats(1e300)),
    "small variances": lambda: GaussianExplorer(flats(1e-300)),
    "both": lambda: GaussianExplorer(GaussianModel([1e150, -1e150], [[1e300, 0], [0, 1]])),
}
SETTINGS = ("scale", "threshold", "goal", "max_change")


@pytest.mark.parametrize("made", EXPLORERS)
def test_nothing_drawn_is_no_number(bridge: Bridge, made: str) -> None:
    explorer = EXPLORERS[made]()
    view = bridge.show(explorer)
    bridge.settle()
    for name in SETTINGS:
        if not explorer.has_trait(name):
            continue
        first, taken = getattr(explorer, name), 0
        for value in (*STEPS, first):
            # What a setting cannot be is refused, and the last good state stays.
            with suppress(PdpError):
                setattr(explorer, name, value)
                taken += 1
            assert view.root.evaluate(UNSOUND_AT_REST) == [], (name, value)
        assert taken > 3, name


#: Where exp(budget) or exp(-budget) leaves the floats, and their ends.
BUDGETS = (1e-9, 700.0, 710.0, 1.7976931348623157e308, np.inf, 5e-324, 0.0, 1.0)
#: Texts below a slider that overlap or leave it, and a number that its entry cuts off.
CROWDED = """(root) => {
    const field = root.querySelector(".px-scale");
    const boxes = [...field.querySelectorAll(".slider-ticks span")].map((el) => el.getBoundingClientRect());
    const track = field.querySelector(".slider").getBoundingClientRect();
    const found = [];
    boxes.forEach((box, k) => {
        if (box.left < track.left - 1 || box.right > track.right + 1) found.push(`tick ${k} is outside`);
        if (k > 0 && box.left < boxes[k - 1].right + 3) found.push(`ticks ${k - 1} and ${k} meet`);
    });
    const input = field.querySelector("input");
    if (input.scrollWidth > input.clientWidth) found.push(`${input.value} is cut off`);
    return found;
}"""


@pytest.mark.parametrize("mechanism", ["GRR", "OUE", "OLH", "SHE", "SS"])
def test_every_mechanism_is_drawn_at_any_budget(bridge: Bridge, mechanism: str) -> None:
    bridge.page.set_viewport_size({"width": 1000, "height": 900})
    explorer = LocalExplorer(titanic().marginal(["class", "survived"]), mechanism)
    view = bridge.show(explorer)
    for output in ("raw", "inferred"):
        explorer.output = output
        for budget in BUDGETS:
            explorer.epsilon = budget
            assert view.root.evaluate(UNSOUND_AT_REST) == [], (output, budget)
            assert view.root.evaluate(CROWDED) == [], (output, budget)


def test_a_matrix_of_any_size_is_drawn(bridge: Bridge) -> None:
    editor = CovarianceEditor(flats())
    view = bridge.show(editor)
    for unit in (1e300, 1e160, 1e-160, 1e-300):
        editor.value = flats(unit)
        assert view.root.evaluate(UNSOUND_AT_REST) == [], unit


def test_the_check_finds_what_it_looks_for(bridge: Bridge) -> None:
    bridge.page.evaluate(
        """() => { document.querySelector("#page").innerHTML =
            '<i x="1Infinity" class="NaNo"></i><b aria-label="r = undefined">Infinity</b>'; }"""
    )
    assert len(bridge.page.locator("#page").evaluate(UNSOUND)) == 3
