"""A channel whose rows are named: every function takes them by name, and refuses names that do not fit."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pdp_widgets import LocalAnalysis, titanic
from pdp_widgets.errors import DomainError
from pdp_widgets.leakage.local.joint_privacy_loss import joint_privacy_loss
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.leakage.local.surrogate_test import pair_interval
from pdp_widgets.local import Channel

CLASS = titanic().domains[0]
ROWS = pd.DataFrame(
    [[0.7, 0.1, 0.2], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8], [0.3, 0.3, 0.4]], index=CLASS, columns=["a", "b", "c"]
)
BIT = Channel([[0.9, 0.1], [0.2, 0.8]])
TWO = titanic().marginal(["survived", "class"])

ROADS: dict[str, Callable[[Channel], Any]] = {
    "mapping": lambda one: LocalAnalysis(TWO, {"survived": BIT, "class": one}).matrix.tolist(),
    "again": lambda one: LocalAnalysis(TWO, "GRR", 1.0).released_by([BIT, one]).matrix.tolist(),
    "joint": lambda one: joint_privacy_loss(TWO, "survived", [BIT, one]).exact,
    "pair": lambda one: pair_leakage(TWO, one).leakage,
    "interval": lambda one: pair_interval(TWO, one, rng=1).interval,
}


@pytest.mark.parametrize("road", ROADS)
def test_rows_are_taken_by_name(road: str) -> None:
    expected = ROADS[road](Channel(ROWS.to_numpy()))
    for order in ([3, 1, 0, 2], [0, 1, 2, 3], [1, 2, 3, 0]):
        assert ROADS[road](Channel(ROWS.iloc[order])) == expected
    # A frame that was given no index has its rows in the order of the labels.
    assert ROADS[road](Channel(ROWS.reset_index(drop=True))) == expected
    with pytest.raises(DomainError, match=r"rows of the channel are named \['1st', 'x', .* of class are"):
        ROADS[road](Channel(ROWS.set_axis(["1st", "x", "3rd", "crew"])))


def test_a_channel_keeps_its_names() -> None:
    turned = Channel(ROWS[::-1])
    assert turned.symbols == tuple(reversed(CLASS))
    assert Channel(ROWS.to_numpy()).symbols is None
    for again in (pickle.loads(pickle.dumps(turned)), copy.deepcopy(turned)):
        assert again == turned
        assert hash(again) == hash(turned)
    assert turned != Channel(ROWS.to_numpy()[::-1])
    assert np.array_equal(turned.for_labels(CLASS, "class").matrix, ROWS)
    with pytest.raises(DomainError, match="rows of the channel"):
        Channel(ROWS.set_axis(["a", "a", "b", "c"]))
