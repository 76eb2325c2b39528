"""What is computed beside the kernel can be waited for, in every explorer."""

from __future__ import annotations

from typing import Any

import pytest

from pdp_widgets import (
    GaussianExplorer,
    GaussianModel,
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    LocalAnalysis,
    LocalExplorer,
    PriorAnalysis,
    PriorExplorer,
    anes96,
)
from pdp_widgets.widgets import gaussian_state, prior_state
from pdp_widgets.widgets.base import LOCK

from .conftest import Ask


def test_results_of_a_prior_explorer(
    joint: JointDistribution, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = PriorExplorer(joint)
    monkeypatch.setattr(prior_state, "seconds_for", lambda *_: 10.0)
    ask(explorer, scale=2.0)
    explorer.wait()
    assert (explorer.busy, explorer.current, explorer.scale) == (False, True, 2.0)
    expected = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 2), explorer.results.instance)
    assert explorer.results == expected
    # There is nothing to wait for.
    explorer.wait()


def test_results_of_a_gaussian_explorer(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = GaussianExplorer(GaussianModel.equicorrelated(3, 0.3))
    monkeypatch.setattr(gaussian_state, "seconds_for", lambda *_: 10.0)
    ask(explorer, scale=2.0)
    explorer.wait()
    assert (explorer.busy, explorer.current, explorer.scale) == (False, True, 2.0)


def test_numbers_of_a_local_explorer_that_come_later(ask: Ask) -> None:
    explorer = LocalExplorer(anes96(), source="party", secret="vote")
    ask(explorer, epsilon=0.5)
    explorer.wait()
    assert not explorer.busy
    late: Any = explorer._core.late
    expected = LocalAnalysis(anes96(), "GRR", 0.5).joint("vote")
    assert late is not None
    assert expected.exact is not None
    assert explorer._view["results"]["totals"] is not None


def test_a_closed_explorer_waits_for_nothing(
    joint: JointDistribution, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = PriorExplorer(joint)
    monkeypatch.setattr(prior_state, "seconds_for", lambda *_: 10.0)
    # What is computed beside is taken under this lock, and would be quick.
    with LOCK:
        ask(explorer, scale=2.0)
        explorer.close()
    explorer.wait()
    assert explorer.results.mechanism.scale == 1.0
