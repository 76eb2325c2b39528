"""The widgets share a line with others, as in an HBox, and stay readable in little room."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from pdp_widgets import (
    DependenceExplorer,
    JointDistribution,
    JointTable,
    LinearQuery,
    LocalExplorer,
    PriorExplorer,
    examples,
    lsat6,
    titanic,
)
from tests.ui.bridge import Bridge
from tests.ui.hands import three, type_into

HIDDEN_PAST_THE_EDGE = """root => {
    const scroll = root.querySelector(".gr-scroll");
    return scroll.scrollWidth - scroll.clientWidth;
}"""
CUT = """root => [...root.querySelectorAll(".jt-bars th")]
    .filter(th => th.scrollWidth > th.clientWidth).map(th => th.textContent)"""


def test_a_table_and_a_graph_stand_side_by_side(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    box = bridge.container("")
    views = [bridge.show(explorer.table, box), bridge.show(explorer.graph, box)]
    # A box of widgets holds their elements themselves, without the outputs around them.
    bridge.page.locator(box).evaluate(
        "box => box.replaceChildren(...box.querySelectorAll('.jupyter-widgets'))"
    )
    for width in (1100, 600):
        row = "display: flex; flex-flow: row nowrap; align-items: stretch"
        bridge.restyle(box, f"{row}; width: {width}px")
        bridge.settle()
        boxes: list[Any] = [view.root.bounding_box() for view in views]
        assert all(each["width"] >= min(264, width / 2 - 20) for each in boxes)
        assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"] + 1
        assert boxes[1]["x"] + boxes[1]["width"] <= boxes[0]["x"] + width + 1
        assert sum(each["width"] for each in boxes) >= width * 0.95


def test_an_edit_of_a_narrow_table_hides_no_column_and_brings_no_scrollbar(bridge: Bridge) -> None:
    explorer = PriorExplorer(lsat6())
    view = bridge.show(explorer)
    assert view.root.evaluate(HIDDEN_PAST_THE_EDGE) <= 0
    row = ", ".join(f"item {k} = 1" for k in range(1, 6))
    type_into(bridge, view, row, "0.2987654321")
    assert view.root.evaluate(HIDDEN_PAST_THE_EDGE) <= 0
    type_into(bridge, view, row, "2e-8")
    assert view.root.evaluate(HIDDEN_PAST_THE_EDGE) <= 0
    explorer.value = three()
    bridge.settle()
    type_into(bridge, view, "item 1 = 0, item 2 = 0, item 3 = 0", "0.00001")
    assert view.root.evaluate(HIDDEN_PAST_THE_EDGE) <= 0


def test_names_in_the_summaries_are_whole(bridge: Bridge) -> None:
    table = np.arange(1.0, 13.0).reshape(2, 2, 3)
    people = JointDistribution(
        table / table.sum(),
        names=["smoker", "smoking at home", "occupation"],
        domains=[["no", "yes"], ["no", "yes"], ["clerk", "farmer", "miner"]],
    )
    for make, value in product((JointTable, PriorExplorer), (people, lsat6())):
        numbers = [list(range(m)) for m in value.table.shape]
        kind: Any = make
        view = bridge.show(kind(value) if kind is JointTable else kind(value, LinearQuery(numbers)))
        bridge.settle()
        assert view.root.evaluate(CUT) == []
        view.remove()


COLUMNS = """root => [...root.querySelectorAll(".px-columns, .px-lower > *")]
    .map(part => getComputedStyle(part).gridTemplateColumns)"""


@pytest.mark.parametrize(
    "make", [lambda: DependenceExplorer(examples.agreeing_bits(0.9)), lambda: LocalExplorer(titanic())]
)
def test_an_explorer_keeps_its_columns_when_another_kind_comes(bridge: Bridge, make: Any) -> None:
    # In a notebook the sheets of all widgets hold everywhere, and those that came last hold most.
    view = bridge.show(make())

    def columns() -> list[list[str]]:
        found = []
        for width in (1300, 700):
            bridge.page.set_viewport_size({"width": width, "height": 1000})
            bridge.settle()
            found.append(view.root.evaluate(COLUMNS))
        return found

    alone = columns()
    assert all(len(each) >= 5 for each in alone)
    bridge.show(PriorExplorer(three()))
    assert columns() == alone
