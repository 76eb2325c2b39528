"""Distances between symbols and batches, and what they refuse."""

import math

import numpy as np
import pytest

from pdp_widgets import LimitError, MarkovChain, OptimalResponse, QueryError, TableError
from pdp_widgets.mechanisms.sequence.distances import batch_distance, distance_matrix
from pdp_widgets.streams import Distance, batch_errors, expected_distance


def test_distances_by_name():
    answers = [0, 1, 3]
    assert Distance("hamming").matrix(3).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert Distance("hamming", [0, 0, 1]).matrix(3).tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    assert Distance("absolute", answers).matrix(3)[0].tolist() == [0, 1, 3]
    assert Distance("squared", answers).matrix(3)[0].tolist() == [0, 1, 9]
    assert Distance("histogram", ["a", "b", "a"]).matrix(3)[0].tolist() == [0, 2, 0]
    points = Distance("euclidean", [(0, 0), (3, 4)]).matrix(2)
    assert points.tolist() == [[0, 5], [5, 0]]


def test_cells_of_a_grid():
    cells = Distance("euclidean").matrix(9)
    # Cell ix * 3 + iy: from (0, 0) to (1, 0), (0, 1) and (2, 2).
    assert cells[0, 3] == pytest.approx(1 / 3)
    assert cells[0, 1] == pytest.approx(1 / 3)
    assert cells[0, 8] == pytest.approx(math.sqrt(8) / 3)
    with pytest.raises(QueryError, match="8 symbols are no square grid"):
        Distance("euclidean").matrix(8)


def test_distances_of_batches_are_sums_over_positions():
    rng = np.random.default_rng(2)
    one = rng.random((3, 3))
    many = batch_distance(one, 3, 3)
    for _ in range(50):
        x, y = rng.integers(0, 3, 3), rng.integers(0, 3, 3)
        expected = sum(one[a, b] for a, b in zip(x, y, strict=True))
        assert many[x @ [9, 3, 1], y @ [9, 3, 1]] == pytest.approx(expected)


def test_distances_are_values():
    assert Distance("absolute", [0, 1]) == Distance("absolute", np.array([0.0, 1.0]))
    assert hash(Distance("absolute", [0, 1])) == hash(Distance("absolute", (0.0, 1.0)))
    assert Distance("absolute") != Distance("squared")
    with pytest.raises(ValueError, match="read-only"):
        Distance().matrix(2)[0, 0] = 1
    assert repr(Distance("absolute", [0, 1])) == "Distance(name='absolute', answers=(0.0, 1.0))"


@pytest.mark.parametrize(
    ("name", "answers", "message"),
    [
        ("far", None, "There is no distance 'far'; give one of hamming, absolute, squared"),
        (None, None, "There is no distance None"),
        ("absolute", ["a", "b"], "give a finite number for each symbol"),
        ("absolute", [0, math.nan], "give a finite number for each symbol"),
        ("absolute", [[0, 1]], "give a finite number for each symbol"),
        ("euclidean", [0, 1], r"give a point \(x, y\) for each symbol"),
        ("euclidean", [(0, 1, 2)], r"give a point \(x, y\) for each symbol"),
        ("hamming", [], "no list of classes"),
        ("hamming", "ab", "no list of classes"),
        ("histogram", 3, "no list of classes"),
        ("hamming", [[0], [1]], "no list of classes"),
    ],
)
def test_wrong_distances(name, answers, message):
    with pytest.raises(QueryError, match=message):
        Distance(name, answers)


def test_wrong_sizes():
    with pytest.raises(QueryError, match="The distance has 2 answers and there are 3 symbols"):
        Distance("absolute", [0, 1]).matrix(3)
    with pytest.raises(TableError, match=r"shape \(2, 2\); it must be \(3, 3\)"):
        distance_matrix(np.zeros((2, 2)), 3)
    with pytest.raises(TableError, match=r"The distance from 0 to 1 is inf"):
        distance_matrix([[0, math.inf], [1, 0]], 2)
    with pytest.raises(QueryError, match=r"The distance is \{\}; give one of hamming"):
        distance_matrix({}, 2)
    with pytest.raises(TableError, match=r"channel has the shape \(1, 2\)"):
        expected_distance([[0.5, 0.5]], [0.5, 0.5])


@pytest.mark.parametrize("n", [8193, 10**7, 2**53])
def test_distances_that_would_fill_the_memory_are_refused(n):
    with pytest.raises(LimitError, match="at most 8,192"):
        distance_matrix(None, n)


def test_distances_of_batches_that_would_fill_the_memory_are_refused():
    with pytest.raises(LimitError, match=r"A batch of 14 has 2\^14 patterns; .* at most 8,192"):
        batch_distance(None, 2, 14)
    with pytest.raises(LimitError, match=r"2\^16 patterns"):
        batch_errors(MarkovChain.symmetric(0.9), 1.0, [16], steps=16, users=1, rng=1)


@pytest.mark.parametrize("distance", [[[1, 2], [3]], [[0, 1], 2]])
def test_rows_of_several_lengths_are_no_distances(distance):
    with pytest.raises(QueryError, match="give one of"):
        OptimalResponse(1.0, distance)


@pytest.mark.parametrize("channel", ["x", [[1, 2], [3]], {}, 10**400, object()])
def test_what_is_no_channel_has_no_mean_distance(channel):
    with pytest.raises(TableError, match=r"The channel is .*; give rows of probabilities"):
        expected_distance(channel, [0.5, 0.5])
