"""The stream simulator: what can be set, what happens then, and what a browser may ask for."""

from __future__ import annotations

from pdp_widgets import MarkovChain
from pdp_widgets.widgets.stream_simulator import StreamSimulator


def test_the_sketched_stream_breaks_its_promise_where_the_chain_changes() -> None:
    sim = StreamSimulator(MarkovChain.symmetric(0.6), 0.5, rng=10, steps=44)
    assert sim.results.totals("crr").over == 0
    sim.value = MarkovChain.symmetric(0.9)
    sim.run(6)
    totals = sim.results.totals("crr")
    assert (totals.first_over, totals.over) == (45, 6)
    assert sim.results.totals("optimum").over == 0
    assert sim._view["changes"] == [{"step": 45, "before": "stay 0.6", "after": "stay 0.9"}]
    assert "at step 45" in sim.snapshot().text
