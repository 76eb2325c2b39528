"""A Gaussian explorer of more than comes at once: what is computed meanwhile, and what need not be."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from pdp_widgets import GaussianAnalysis, GaussianExplorer, GaussianModel, ScaleError
from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
from pdp_widgets.widgets import gaussian_explorer, gaussian_results, gaussian_state
from pdp_widgets.widgets.computed_beside import LONG
from pdp_widgets.widgets.gaussian_results import GaussianInputs, results_for, seconds_for
from pdp_widgets.widgets.graph_digest import GraphDigest
from pdp_widgets.widgets.graph_search import Search
from pdp_widgets.widgets.wire import float_bytes

from .conftest import Ask
from .test_explorer_late import say, wait


def model(n: int, seed: int = 0) -> GaussianModel:
    root = np.random.default_rng(seed).normal(size=(n, n + 3))
    return GaussianModel(None, root @ root.T / n)


def sent(values: Any) -> memoryview:
    return memoryview(float_bytes(np.asarray(values, dtype=float)))


def same(found: GaussianAnalysis, expected: GaussianAnalysis) -> None:
    assert found == expected
    np.testing.assert_allclose(found.exact, expected.exact, rtol=1e-13)
    assert np.array_equal(found.exact[:, -1], expected.exact[:, -1])
    assert np.array_equal(found.determined, expected.determined)


class Held:
    """Computations that tell half of their way and then wait until they may go on."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.begun: list[GaussianInputs] = []
        self.ended: list[GaussianInputs] = []

    def __call__(self, inputs: GaussianInputs, progress: Callable[[float], None]) -> Any:
        self.begun.append(inputs)
        try:
            while not self.go_on.wait(0.02):
                progress(0.5)
            return results_for(inputs)
        finally:
            self.ended.append(inputs)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """Every computation is a long one and waits."""
    made = Held()
    monkeypatch.setattr(gaussian_state, "LONG", -1.0)
    monkeypatch.setattr(gaussian_explorer, "results_for", made)
    yield made
    made.go_on.set()


def told(explorer: GaussianExplorer) -> Callable[[], bool]:
    return lambda: explorer._progress.get("share") == 0.5


def test_an_edit_that_takes_long_leaves_the_kernel_free(ask: Ask, held: Held) -> None:
    explorer = GaussianExplorer(model(3))
    before = explorer.results
    edited = model(3, 1)
    ask(explorer, cov=sent(edited.cov))
    view = explorer._view
    assert (view["ack"]["seq"], view["current"], view["stopped"]) == (1, True, None)
    assert view["running"] == {"number": explorer._progress["of"], "paper": False}
    assert (explorer.results, explorer.busy, explorer.current) == (before, True, False)
    wait(told(explorer))
    # Other questions are answered meanwhile; another scale and change need no other computation.
    ask(explorer, target=1, known=[0], threshold=2.0)
    for scale in (2.0, 3.0):
        ask(explorer, scale=scale, max_change=0.5)
    assert explorer._view["running"] == view["running"]
    assert (explorer.target, explorer.threshold, explorer.results) == ("x2", 2.0, before)
    held.go_on.set()
    wait(lambda: not explorer.busy)
    same(explorer.results, GaussianAnalysis(edited, None, 3, 0.5))
    assert (explorer.current, explorer._view["running"], len(held.begun)) == (True, None, 1)
    assert explorer._view["results"]["chosen"]["target"] == 1


def test_the_newest_matrix_takes_the_place_of_what_runs(ask: Ask, held: Held) -> None:
    explorer = GaussianExplorer(model(3))
    first = explorer.results
    for seed in (1, 2, 3):
        ask(explorer, cov=sent(model(3, seed).cov))
        wait(lambda: bool(held.begun))
    newest = model(3, 3).cov
    wait(lambda: np.array_equal(held.begun[-1].model.cov, newest))
    # Never two at a time; whether one in between begins depends on how soon the first one ends.
    assert len(held.ended) == len(held.begun) - 1
    ask(explorer, cov=sent(model(3).cov))
    assert (explorer.busy, explorer.current, explorer.results) == (False, True, first)
    wait(lambda: len(held.ended) == len(held.begun))
    assert explorer.results is first


def test_cancelled_results_can_be_asked_for_again(ask: Ask, held: Held) -> None:
    explorer = GaussianExplorer(model(3))
    before = explorer.results
    ask(explorer, cov=sent(model(3, 1).cov), scale=2.0)
    wait(told(explorer))
    say(explorer, {"cancel": -1})
    assert explorer.busy
    say(explorer, {"cancel": explorer._view["running"]["number"]})
    view = explorer._view
    kept = "the matrix before the last edit, scale 1.00"
    assert view["kept"] == kept
    assert view["stopped"] == f"Cancelled. The results belong to the values as last computed ({kept})."
    assert (view["running"], view["current"], explorer.results) == (None, False, before)
    wait(lambda: len(held.ended) == 1)
    # A choice begins nothing anew.
    ask(explorer, known=[1])
    assert explorer._view["stopped"] == view["stopped"]
    held.go_on.set()
    say(explorer, {"resume": True})
    wait(lambda: not explorer.busy)
    assert (explorer.results, explorer._view["stopped"]) == (GaussianAnalysis(model(3, 1), None, 2), None)


def test_other_tuples_are_shown_when_their_results_are_there(ask: Ask, held: Held) -> None:
    explorer = GaussianExplorer(model(3), target="x3", known=["x1"])
    ask(explorer, command="import", names=["p", "q"], **{"import": sent([[1, 0.5], [0.5, 2]])})
    view = explorer._view
    assert (view["matrix"]["names"], view["results"], view["running"]["paper"]) == (["p", "q"], None, False)
    held.go_on.set()
    wait(lambda: not explorer.busy)
    assert explorer._view["results"]["graph"]["names"] == ["p", "q"]
    assert (explorer.target, explorer.known) == ("p", ())


def test_a_step_from_python_is_computed_at_once(ask: Ask, held: Held) -> None:
    explorer = GaussianExplorer(model(3))
    ask(explorer, cov=sent(model(3, 1).cov))
    wait(told(explorer))
    explorer.weights = (1, 2, 3)
    same(explorer.results, GaussianAnalysis(model(3, 1), (1, 2, 3)))
    assert (explorer.busy, explorer.current) == (False, True)
    wait(lambda: len(held.ended) == 1)
    ask(explorer, cov=sent(model(3, 2).cov))
    wait(lambda: len(held.begun) == 2)
    explorer.close()
    wait(lambda: len(held.ended) == 2)


def test_a_failure_is_said_and_the_next_edit_works(
    ask: Ask, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> Any:
        raise MemoryError

    explorer = GaussianExplorer(model(3))
    with monkeypatch.context() as broken:
        broken.setattr(gaussian_explorer, "results_for", fails)
        ask(explorer, weights=sent([1, 1, 2]), query="weights")
        wait(lambda: not explorer.busy)
    words = "The results belong to the values as last computed (the weights before the last edit)."
    assert explorer._view["stopped"] == f"There is not enough memory for this. {words}"
    held.go_on.set()
    ask(explorer, weights=sent([1, 1, 3]))
    wait(lambda: not explorer.busy)
    assert explorer.results.weights == (1, 1, 3)


# Scale and change


@pytest.mark.parametrize("n", [3, 12])
def test_another_scale_or_change_is_no_computation(n: int, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = model(n)
    explorer = GaussianExplorer(wide)
    search = {**Search().state(), "first": 0}
    monkeypatch.setattr(gaussian_results, "gaussian_exact_all", lambda *_, **__: pytest.fail("computed"))
    for scale, change in [(3.0, 1.0), (0.7, 0.3), (0.7, 0.0), (1e-3, 40.0), (1 / 3, 1.0)]:
        ask(explorer, scale=scale, max_change=change)
        fresh = GaussianAnalysis(wide, None, scale, change)
        same(explorer.results, fresh)
        shown = explorer._view["results"]
        assert shown["above_promise"] == fresh.above_promise
        if n > 10:
            digest, expected = explorer._core.view.digest, GraphDigest(fresh.graph())
            assert digest.page(Search()).flats == expected.page(Search()).flats
            assert digest.domain == pytest.approx(expected.domain)
            for found, wanted in zip(digest.layers, expected.layers, strict=True):
                assert np.array_equal(found.counts, wanted.counts)
                assert found.quartiles == pytest.approx(wanted.quartiles)
                np.testing.assert_allclose([found.lows, found.highs], [wanted.lows, wanted.highs])
            ask(explorer, threshold=0.9 * scale, search={**search, "above": True})
            line = explorer._view["results"]["digest"]["above"]
            assert explorer._view["results"]["digest"]["count"] == line == expected.above(0.9 * scale)
            ask(explorer, threshold=None, search=search)
    explorer.scale = 1.0
    assert np.array_equal(explorer.results.exact, GaussianAnalysis(wide).exact)
    with pytest.raises(ScaleError, match="too small"):
        explorer.scale = 1e-320
    assert explorer.scale == 1.0


def test_from_no_change_at_all_the_way_back_needs_no_computation(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = GaussianExplorer(model(4), scale=1e-300, max_change=0.0)
    monkeypatch.setattr(gaussian_results, "gaussian_exact_all", lambda *_, **__: pytest.fail("computed"))
    ask(explorer, scale=0.5, max_change=2.0)
    same(explorer.results, GaussianAnalysis(model(4), None, 0.5, 2.0))


def test_sixteen_tuples_come_at_once_and_more_do_not() -> None:
    assert seconds_for(GaussianInputs(model(16), (1.0,) * 16, 1, 1)) < LONG
    assert seconds_for(GaussianInputs(model(17), (1.0,) * 17, 1, 1)) > LONG


def test_the_share_done_grows_to_the_end_and_the_hook_can_end_it() -> None:
    wide = model(16)
    shares: list[float] = []
    results_for(GaussianInputs(wide, (1.0,) * 16, 1.0, 1.0), shares.append)
    assert shares == sorted(shares)
    assert (shares[-1], len(shares) > 10) == (1.0, True)

    class Enough(Exception):
        pass

    def stop(share: float) -> None:
        raise Enough

    with pytest.raises(Enough):
        gaussian_exact_all(wide, progress=stop)
