"""Known values of one row, or the worst of all that can occur."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pdp_widgets import (
    AdversaryError,
    JointDistribution,
    LaplaceMechanism,
    LimitError,
    LinearQuery,
    PriorAnalysis,
    PriorExplorer,
    lsat6,
)
from pdp_widgets.prior import PriorAdversary
from pdp_widgets.widgets import prior_results

from .conftest import Ask


def worst(joint: JointDistribution, scale: float = 1.0) -> PriorAnalysis:
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), scale), convention="sup")


def rows(joint: JointDistribution) -> list[PriorAnalysis]:
    """One analysis for each row that can occur: the worst case is the largest of them."""
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1)
    possible = np.argwhere(joint.table > 0)
    return [
        PriorAnalysis(joint, mechanism, [d[p] for d, p in zip(joint.domains, row, strict=True)])
        for row in possible
    ]


def test_the_worst_case_is_the_largest_over_all_rows(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint, instance=[0, 1, 0])
    assert explorer.convention == "instance"
    ask(explorer, convention="sup")
    assert (explorer.convention, explorer._view["convention"]) == ("sup", "sup")
    assert np.allclose(explorer.results.exact, np.max([a.exact for a in rows(joint)], axis=0), rtol=1e-12)
    assert explorer._view["results"]["convention"] == "sup"
    # The row is kept for the way back.
    assert explorer._view["instance"] == [0, 1, 0]
    ask(explorer, convention="instance")
    assert explorer.instance == (0, 1, 0)
    assert explorer.results == PriorAnalysis(
        joint, LaplaceMechanism(LinearQuery.sum(joint), 1), instance=[0, 1, 0]
    )


def test_the_values_that_leak_most_are_named(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint, target="Cy", known=["Ann", "Bob"], instance=[0, 0, 0], convention="sup")
    for known in (["Ann"], ["Bob"], ["Ann", "Bob"]):
        explorer.known = known
        chosen = explorer._view["results"]["chosen"]
        at = {k: joint.domains[k][chosen["instance"][k]] for k in chosen["known"]}
        mechanism = explorer.results.mechanism
        alone = PriorAdversary(joint, mechanism, "Cy", at)
        assert float(alone.leakage) == pytest.approx(chosen["value"], rel=1e-12)
    largest = explorer._view["results"]["graph"]["largest"]
    row = explorer._view["results"]["largest_instance"]
    at = {k: joint.domains[k][row[k]] for k in largest["known"]}
    top = PriorAdversary(joint, explorer.results.mechanism, largest["target"], at)
    assert float(top.leakage) == pytest.approx(largest["value"], rel=1e-12)


def test_python_sets_it(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint, convention="sup")
    assert explorer.results == worst(joint)
    explorer.scale = 2
    assert explorer.results == worst(joint, 2)
    explorer.convention = "instance"
    assert explorer.results.convention == "instance"
    pair = JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["p", "q"])
    explorer.convention = "sup"
    explorer.value = pair
    assert explorer.results == worst(pair, 2)


TILTED = lsat6().marginal(["item 1", "item 2", "item 5"])


def who_learns_most(explorer: PriorExplorer) -> tuple[str, tuple[str, ...]]:
    about = explorer.results.largest.about
    return about.target, tuple(name for name, _ in about.known)


def test_the_automatic_choice_follows_the_convention(ask: Ask) -> None:
    explorer = PriorExplorer(TILTED, instance=[1, 1, 1])
    first = who_learns_most(explorer)
    assert (explorer.target, explorer.known) == first
    assert explorer._view["automatic"]
    for convention in ("sup", "instance", "sup"):
        ask(explorer, convention=convention)
        assert (explorer.target, explorer.known) == who_learns_most(explorer)
        assert explorer._view["results"]["chosen"]["known"] == explorer._view["known"]
        assert explorer._view["target"] == explorer.value.names.index(explorer.target)
    assert who_learns_most(explorer) != first
    # What one looks at does not jump while cells and noise are edited.
    before = explorer.target, explorer.known
    ask(explorer, scale=0.05)
    assert (explorer.target, explorer.known) == before
    explorer.convention = "instance"
    assert (explorer.target, explorer.known) == who_learns_most(explorer)


def test_a_choice_by_hand_stays(ask: Ask) -> None:
    by_page, in_python, at_opening = (
        PriorExplorer(TILTED, instance=[1, 1, 1]),
        PriorExplorer(TILTED, instance=[1, 1, 1]),
        PriorExplorer(TILTED, target="item 2", known=["item 5"], instance=[1, 1, 1]),
    )
    ask(by_page, target=1, known=[2])
    in_python.target, in_python.known = "item 2", ["item 5"]
    for explorer in (by_page, in_python, at_opening):
        assert not explorer._view["automatic"]
        ask(explorer, convention="sup")
        assert explorer.convention == "sup"
        assert (explorer.target, explorer.known) == ("item 2", ("item 5",))
        explorer.convention = "instance"
        assert (explorer.target, explorer.known) == ("item 2", ("item 5",))
    # Another table is chosen from anew.
    by_page.value = JointDistribution([[0.4, 0.1], [0.1, 0.4]])
    assert by_page._view["automatic"]


@pytest.mark.parametrize("wrong", ["worst", "", None, 1, True])
def test_another_word_is_refused(joint: JointDistribution, ask: Ask, wrong: Any) -> None:
    with pytest.raises(AdversaryError, match="it is 'instance' or 'sup'"):
        PriorExplorer(joint, convention=wrong)
    explorer = PriorExplorer(joint)
    before = explorer.results
    with pytest.raises(AdversaryError, match="it is 'instance' or 'sup'"):
        explorer.convention = wrong
    ask(explorer, convention=wrong)
    assert "convention" in explorer.error
    assert explorer.results is before
    ask(explorer, scale=2.0)
    assert explorer.error is None


def test_in_the_worst_case_an_impossible_row_is_no_fault(ask: Ask) -> None:
    holes = JointDistribution([[0.5, 0.0], [0.2, 0.3]], names=["Ann", "Bob"])
    explorer = PriorExplorer(holes, instance=[0, 0], convention="sup")
    ask(explorer, entries=[0.0, 0.5, 0.2, 0.3])
    assert explorer.error is None
    assert explorer.results == worst(explorer.value)
    ask(explorer, convention="instance")
    assert "Ann = 0, Bob = 0 has probability 0" in explorer.error
    ask(explorer, instance=[0, 1])
    assert explorer.error is None


def test_too_much_work_is_refused_and_the_last_results_stay(
    joint: JointDistribution, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = PriorExplorer(joint)
    before = explorer.results

    def refuse(*_: Any, **more: Any) -> PriorAnalysis:
        raise LimitError("All adversaries of 14 tuples would take 3 GB and 2 minutes.")

    monkeypatch.setattr(prior_results, "PriorAnalysis", refuse)
    ask(explorer, convention="sup")
    assert "3 GB and 2 minutes" in explorer.error
    assert not explorer.current
    assert explorer.results is before
    assert (explorer.convention, explorer._view["convention"]) == ("instance", "sup")
    assert explorer._view["results"]["convention"] == "instance"
    ask(explorer, convention="instance")
    assert explorer.error is None
    assert explorer.current
    with pytest.raises(LimitError, match="3 GB"):
        explorer.convention = "sup"
    assert explorer.error is None
    assert explorer._view["convention"] == "instance"
