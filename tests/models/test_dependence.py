"""Dependence of pairs: correlations of numbers, associations of words that no order of rows changes."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats.contingency import association

from pdp_widgets import JointDistribution
from pdp_widgets.models.dependence import dependences, strongest


def survey() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    program = rng.choice(["law", "business", "computer science"], 200)
    manager = np.where(rng.random(200) < np.where(program == "law", 0.2, 0.6), "yes", "no")
    return pd.DataFrame(
        {
            "program": program,
            "manager": manager,
            "age": rng.integers(18, 22, 200),
            "term": rng.integers(1, 4, 200),
        }
    )


def named(frame: pd.DataFrame) -> dict[frozenset[str], tuple[float, bool]]:
    joint = JointDistribution.from_dataframe(frame)
    return {
        frozenset(joint.names[j] for j in one.pair): (one.value, one.signed) for one in dependences(joint)
    }


def test_reversed_rows_change_nothing() -> None:
    frame = survey()
    there, back = named(frame), named(frame[::-1])
    assert there.keys() == back.keys()
    for pair, (value, signed) in there.items():
        assert back[pair] == (pytest.approx(value, abs=1e-12), signed)
        assert signed == (pair == {"age", "term"})


def test_words_have_an_association_and_numbers_a_correlation() -> None:
    frame = survey()
    found = named(frame)
    expected = association(pd.crosstab(frame["program"], frame["manager"]).to_numpy(), method="cramer")
    assert found[frozenset({"program", "manager"})][0] == pytest.approx(expected, abs=1e-12)
    rho = frame["age"].corr(frame["term"])
    assert found[frozenset({"age", "term"})][0] == pytest.approx(rho, abs=1e-12)


@pytest.mark.parametrize("labels", [["a", "b", "c"], [0, 1, 2]])
def test_labels_that_cannot_occur_do_not_count(labels: list[str | int]) -> None:
    [one] = dependences(JointDistribution([[0.5, 0], [0, 0.5], [0, 0]], [labels, ["u", "v"]]))
    assert one.value == pytest.approx(1, abs=1e-12)
    [none] = dependences(JointDistribution([[0.5, 0.5], [0, 0], [0, 0]], [labels, ["u", "v"]]))
    assert math.isnan(none.value)
    assert strongest([none, one], 2) == [one, none]


def test_pairs_are_the_same_whatever_the_order_of_rows() -> None:
    frame = survey()[["program", "manager", "term"]]
    there, back = (dependences(JointDistribution.from_dataframe(rows)) for rows in (frame, frame[::-1]))
    assert [(one.pair, one.signed) for one in there] == [(one.pair, one.signed) for one in back]
    assert [one.value for one in there] == pytest.approx([one.value for one in back], abs=1e-12)
    assert not any(one.signed for one in there)
