"""Nothing meets, nothing is cut: texts of all widgets, wide and narrow, with fonts as they come."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from pdp_widgets import JointDistribution, JointTable, PriorExplorer, WHGGraph, lsat6
from tests.ui.bridge import Bridge

SCRIPT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")


def joint(n: int) -> JointDistribution:
    """Return answers of the test takers, or as many made-up tuples with names as long."""
    if n <= 5:
        return lsat6().marginal(list(lsat6().names[:n]))
    table = np.random.default_rng(n).dirichlet(np.ones(2**n)).reshape((2,) * n)
    return JointDistribution(table, names=[f"item {k + 1}" for k in range(n)])


def test_texts_do_not_meet_and_are_not_cut(bridge: Bridge) -> None:
    for n in (2, 3, 5, 7, 10):
        explorer = PriorExplorer(joint(n), show_paper=True)
        for widget in (explorer, WHGGraph(explorer.results, show_paper=True), JointTable(explorer.value)):
            for width in (1100, 700, 500, 420, 360):
                case = f"{n} tuples, {type(widget).__name__}, {width} px"
                bridge.page.set_viewport_size({"width": width + 32, "height": 900})
                view = bridge.show(widget, bridge.container(f"width: {width}px"))
                bridge.settle()
                across = view.root.evaluate("el => el.scrollWidth - el.clientWidth")
                assert across <= 1, f"{case}: {across} px too wide"
                # The line about the data may end in an ellipsis; its title has the rest. So may a list of
                # known tuples in a narrow table.
                ends = r"cut: (LSAT section 6|item 1, item 2, item 3, item 4)"
                ends += r"|cut: \d+(, \d+){3,}$" if width < 480 else ""
                assert [line for line in view.root.evaluate(SCRIPT) if not re.match(ends, line)] == [], case
                view.remove()


def test_what_meets_or_is_cut_is_found(bridge: Bridge) -> None:
    view = bridge.show(JointTable(joint(3)), bridge.container("width: 700px"))
    head = view.root.get_by_role("heading", name="Joint distribution")
    head.evaluate("el => { el.style.marginRight = '-60px' }")
    assert any(line.startswith("meet: Joint distribution") for line in view.root.evaluate(SCRIPT))
    head.evaluate("el => { el.style.cssText = 'width: 40px; overflow: hidden; white-space: nowrap' }")
    assert "cut: Joint distribution" in view.root.evaluate(SCRIPT)
