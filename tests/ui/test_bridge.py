"""The bridge itself: real Python widgets, real modules, one page."""

from __future__ import annotations

import numpy as np
import pytest

from pdp_widgets import JointDistribution, JointTable
from tests.ui.bridge import Bridge


@pytest.fixture
def table(bridge: Bridge) -> JointTable:
    return JointTable(JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"]))


def test_a_widget_is_drawn_and_follows_python(bridge: Bridge, table: JointTable) -> None:
    view = bridge.show(table)
    assert view.root.is_visible()
    table.value = JointDistribution([[0.25, 0.25], [0.25, 0.25]], names=["Ann", "Bob"])
    bridge.settle()
    assert "0.25" in view.root.inner_text()


def test_a_request_of_the_page_reaches_python(bridge: Bridge, table: JointTable) -> None:
    bridge.show(table)
    bridge.page.evaluate(
        """id => {
            const model = host.models.get(id);
            const state = model.get("_view").table;
            const entries = new Float64Array([0.1, 0.2, 0.3, 0.4]);
            model.set("_request", {
                origin: "test", seq: 1, entries: new DataView(entries.buffer), locks: state.locks,
                keep_sum: true, rows: state.rows, columns: state.columns,
            });
            model.save_changes();
        }""",
        table.model_id,
    )
    bridge.settle()
    assert np.array_equal(table.value.table, [[0.1, 0.2], [0.3, 0.4]])
    ack = bridge.page.evaluate("id => host.models.get(id).get('_view').ack", table.model_id)
    assert ack == {"origin": "test", "seq": 1}


def test_errors_of_the_page_are_collected(bridge: Bridge) -> None:
    bridge.page.evaluate("() => console.error('a console error')")
    bridge.page.evaluate("() => { setTimeout(() => { throw new Error('an uncaught error') }, 0) }")
    bridge.page.evaluate("() => fetch('https://example.org/').catch(() => null)")
    bridge.page.wait_for_timeout(50)
    bridge.take_errors("a console error")
    bridge.take_errors("an uncaught error")
    bridge.take_errors("example.org")


def test_errors_of_python_are_collected(bridge: Bridge, table: JointTable) -> None:
    def fail(_change: object) -> None:
        raise ZeroDivisionError("on purpose")

    table.observe(fail, "value")
    test_a_request_of_the_page_reaches_python(bridge, table)
    bridge.take_errors("on purpose")


def test_closing_takes_view_and_listeners(bridge: Bridge, table: JointTable) -> None:
    view = bridge.show(table)
    model_id = table.model_id
    assert bridge.listeners(model_id) > 0
    table.close()
    bridge.settle()
    assert view.el.count() == 0
    assert bridge.listeners(model_id) == 0
    assert bridge.live_comms() == 0
