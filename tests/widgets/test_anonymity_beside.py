"""What takes the anonymity explorer long is computed beside: awaited, cancelled, asked for again."""

import numpy as np

from pdp_widgets.widgets.anonymity_explorer import AnonymityExplorer
from pdp_widgets.widgets.base import LOCK
from tests.widgets.anonymity_asked import ask, curve, numbers, people


def test_what_takes_long_is_computed_beside_and_the_newest_question_wins():
    explorer = AnonymityExplorer(people(1500), secret="ill")
    explorer.wait()
    view = ask(explorer, k=6)
    assert explorer.busy
    assert (view["results"]["k"], view["results"]["removals"], view["current"]) == (6, None, True)
    first = view["running"]["number"]
    view = ask(explorer, epsilon=0.5)
    assert view["running"]["number"] == first
    view = ask(explorer, k=7)
    assert view["running"]["number"] > first
    explorer._core.take(first, None)
    assert explorer.results.removals is None
    explorer.wait()
    assert (explorer.busy, explorer.current, explorer.k) == (False, True, 7)
    assert explorer._view["results"]["removals"]["largest"] == explorer.results.removals.largest
    kept = explorer.results.removals
    ask(explorer, epsilon=0.7)
    assert explorer.results.removals == kept


def test_a_computation_is_cancelled_and_asked_for_again():
    explorer = AnonymityExplorer(people(1500), secret="ill")
    explorer.wait()
    view = ask(explorer, k=6)
    explorer._handle_custom_msg({"cancel": view["running"]["number"]}, None)
    assert (explorer.busy, explorer.current) == (False, False)
    assert explorer._view["stopped"] == "Cancelled. What changes without each record is missing."
    explorer._handle_custom_msg({"resume": True}, None)
    assert explorer.busy
    explorer.cancel()
    ask(explorer, k=5)
    explorer.wait()
    assert (explorer.current, explorer._view["stopped"]) == (True, None)


def test_a_sum_whose_law_takes_long_is_computed_beside():
    draw = np.random.default_rng(2)
    frame = {f"q{j}": draw.integers(0, 60, 1200) for j in range(2)} | {
        "ill": draw.choice(["no", "yes"], 1200)
    }
    explorer = AnonymityExplorer(frame, secret="ill")
    explorer.wait()
    first = explorer.release
    view = ask(explorer, release="sum:q0")
    assert explorer.busy
    assert (view["release"], view["current"], explorer.results.inputs.release) == ("sum:q0", False, first)
    view = ask(explorer, release=first)
    assert (view["current"], explorer.busy, explorer.results.inputs.release) == (True, False, first)
    explorer.cancel()


def wide(n=900):
    """Return records whose sum has many values: its law takes seconds."""
    draw = np.random.default_rng(4)
    return {"age": draw.integers(18, 120, n), "pay": draw.integers(0, 90, n)}


def test_it_opens_before_the_law_of_a_sum_is_there(monkeypatch):
    from pdp_widgets.widgets import anonymity_solved

    monkeypatch.setattr(anonymity_solved, "PATIENCE", 0.01)
    # What is computed beside is taken under this lock: not before all this is looked at.
    with LOCK:
        explorer = AnonymityExplorer(wide(), release="sum:age", k=4, known=0.31)
        view = explorer._view
        assert (explorer.busy, explorer.current, view["current"]) == (True, False, True)
        assert "not there yet" in curve(view, "exact")["why"]
        assert (view["results"]["achieved"], view["results"]["nothing_known"]) == (4, None)
        assert np.isnan(numbers(view["results"]["known"]["delta"])).all()
        assert "the exact slack is not computed" in explorer.snapshot().text
        explorer.cancel()
        assert explorer._view["stopped"] == "Cancelled. The exact slack is missing."
    # A step meanwhile is awaited too: nothing of what is missing is taken for there.
    view = ask(explorer, epsilon=0.5)
    assert (explorer.busy, view["current"]) == (True, False)
    explorer.cancel()
    explorer._handle_custom_msg({"resume": True}, None)
    assert explorer.busy
    explorer.wait()
    view = explorer._view
    assert (explorer.busy, explorer.current, view["stopped"]) == (False, True, None)
    assert curve(view, "exact")["at"] == explorer.analysis.slack(0.5).delta > 0
    known = numbers(view["results"]["known"]["delta"])
    assert known[-1] == 1.0
    assert np.isfinite(known).all()
    # The second time the laws are there.
    ask(explorer, epsilon=0.7)
    assert not explorer.busy
    assert np.isfinite(numbers(explorer._view["results"]["known"]["delta"])).all()
