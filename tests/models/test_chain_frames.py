"""Chains from data frames: the names of rows and columns decide, not where they stand."""

import numpy as np
import pandas as pd
import pytest

from pdp_widgets import ChainError, MarkovChain, StreamData

DRY = pd.DataFrame([[0.9, 0.1], [0.3, 0.7]], index=["dry", "wet"], columns=["dry", "wet"])
CHAIN = MarkovChain([[0.9, 0.1], [0.3, 0.7]], states=["dry", "wet"])


def test_a_frame_names_the_states():
    assert MarkovChain(DRY) == CHAIN
    assert pd.DataFrame(CHAIN.transitions, CHAIN.states, CHAIN.states).equals(DRY)


@pytest.mark.parametrize("rows", [["dry", "wet"], ["wet", "dry"]])
@pytest.mark.parametrize("columns", [["dry", "wet"], ["wet", "dry"]])
def test_the_order_of_rows_and_columns_is_no_matter(rows, columns):
    chain = MarkovChain(DRY.loc[rows, columns], states=["dry", "wet"])
    assert chain == CHAIN
    alone = MarkovChain(DRY.loc[rows, columns])
    assert alone.states == tuple(rows)
    assert alone.transitions[rows.index("wet"), rows.index("dry")] == 0.3


def test_frequencies_of_pandas_are_those_of_the_chain():
    days = ["well", "ill", "well", "tired", "well", "well", "ill", "tired", "tired", "well"]
    pairs = pd.DataFrame({"day": days[:-1], "next": days[1:]})
    counted = pd.crosstab(pairs["day"], pairs["next"], normalize="index")
    shares = pd.Series(days).value_counts(normalize=True)
    chain = MarkovChain(counted, shares)
    fitted = MarkovChain.from_streams(StreamData([days]), chain.states, smoothing="none")
    assert np.allclose(chain.transitions, fitted.transitions)
    assert [shares[state] for state in chain.states] == pytest.approx(chain.start.tolist())


def test_other_labels_rename_the_states():
    chain = MarkovChain(DRY, states=["sun", "rain"])
    assert (chain.states, chain.transitions.tolist()) == (("sun", "rain"), CHAIN.transitions.tolist())


@pytest.mark.parametrize("frame", [DRY.reset_index(drop=True), DRY.set_axis([0, 1], axis=1)])
def test_a_side_that_is_only_numbered_is_in_the_order_of_the_other(frame):
    assert MarkovChain(frame) == CHAIN
    assert MarkovChain(frame, states=["wet", "dry"]).transitions.tolist() == [[0.7, 0.3], [0.1, 0.9]]


def test_numbered_frames_have_numbered_states():
    assert MarkovChain(pd.DataFrame([[0.9, 0.1], [0.3, 0.7]])).states == (0, 1)
    turned = MarkovChain(pd.DataFrame([[0.1, 0.9], [0.7, 0.3]], columns=[1, 0]), pd.Series([0.2, 0.8]))
    assert (turned.transitions.tolist(), turned.start.tolist()) == (CHAIN.transitions.tolist(), [0.2, 0.8])


@pytest.mark.parametrize(
    ("frame", "start", "culprit"),
    [
        (DRY.set_axis([1, 2]), None, r"rows of the transitions are named \[1, 2\]"),
        (DRY.rename(index={"dry": "fair"}), None, "'fair'"),
        (DRY.rename(index={"dry": "wet"}, columns={"dry": "wet"}), None, "each once"),
        (DRY, pd.Series({"dry": 0.5, "fair": 0.5}), "start law is named by"),
    ],
)
def test_names_that_do_not_fit_are_refused(frame, start, culprit):
    with pytest.raises(ChainError, match=culprit):
        MarkovChain(frame, start)
