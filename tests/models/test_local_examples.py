"""Generated joint distributions have the independences that they are named after."""

import numpy as np
import pytest

from pdp_widgets import LimitError, TableError
from pdp_widgets.models.joint_examples import (
    chain,
    collider,
    conditionally_independent,
    identical_attributes,
    parity,
    two_attributes,
)

FLIP = [[0.9, 0.1], [0.2, 0.8]]
THREE = [[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]]


def information(table, a, b):
    """Mutual information of two axes in nats."""
    rest = tuple(x for x in range(table.ndim) if x not in (a, b))
    joint = table.sum(axis=rest)
    product = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    seen = joint > 0
    return float(np.sum(joint[seen] * np.log(joint[seen] / product[seen])))


def test_two_attributes():
    table = two_attributes().table
    joint = -np.sum(table[table > 0] * np.log(table[table > 0]))
    assert information(table, 0, 1) / joint == pytest.approx(0.16493, abs=5e-6)
    codes = np.arange(4)
    mean = [codes @ table.sum(axis=axis) for axis in (1, 0)]
    variance = [codes**2 @ table.sum(axis=axis) - m**2 for axis, m in zip((1, 0), mean, strict=True)]
    correlation = (codes @ table @ codes - mean[0] * mean[1]) / np.sqrt(np.prod(variance))
    assert correlation == pytest.approx(0.35716, abs=5e-6)
    assert two_attributes().names == ("secret", "source")


@pytest.mark.parametrize("bits", [1, 2, 5])
def test_parity_is_told_by_all_bits_and_by_no_fewer(bits):
    table = parity(bits).table
    assert table.sum() == 1
    for place in np.argwhere(table > 0):
        assert place[:-1].sum() % 2 == place[-1]
    if bits > 1:
        assert all(information(table, bit, bits) == pytest.approx(0, abs=1e-15) for bit in range(bits))


def test_copies():
    table = identical_attributes(4, 0.3).table
    assert table[0, 0, 0, 0] == 0.7
    assert table[1, 1, 1, 1] == 0.3
    assert np.count_nonzero(table) == 2
    assert identical_attributes().names == ("x1", "x2", "x3")


def test_sources_independent_given_the_secret():
    joint = conditionally_independent([0.3, 0.7], [FLIP, THREE, FLIP])
    assert joint.table.shape == (2, 2, 3, 2)
    for secret in range(2):
        given = joint.table[secret] / joint.table[secret].sum()
        expected = np.einsum("a,b,c->abc", FLIP[secret], THREE[secret], FLIP[secret])
        assert given == pytest.approx(expected, abs=1e-15)
    assert joint.table.sum(axis=(1, 2, 3)).tolist() == pytest.approx([0.3, 0.7])
    assert information(joint.table, 1, 2) > 0.01
    assert conditionally_independent([0.5, 0.5], []).names == ("secret",)


def test_chains_forget():
    table = chain([0.4, 0.6], [FLIP, THREE]).table
    for middle in range(2):
        given = table[:, middle] / table[:, middle].sum()
        assert given == pytest.approx(np.outer(given.sum(axis=1), given.sum(axis=0)), abs=1e-15)
    assert 0 < information(table, 0, 2) < information(table, 0, 1)


def test_colliders_have_independent_causes():
    effect = [[[1, 0], [0.5, 0.5]], [[0.2, 0.8], [0, 1]], [[0.3, 0.7], [0.6, 0.4]]]
    table = collider([[0.2, 0.3, 0.5], [0.4, 0.6]], effect).table
    assert table.shape == (3, 2, 2)
    assert information(table, 0, 1) == pytest.approx(0, abs=1e-15)
    assert table.sum(axis=2) == pytest.approx(np.outer([0.2, 0.3, 0.5], [0.4, 0.6]))
    given = table[:, :, 1] / table[:, :, 1].sum()
    assert np.abs(given - np.outer(given.sum(axis=1), given.sum(axis=0))).max() > 0.01


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: parity(0), "bits is 0; it must be a whole number, 1 to 20"),
        (lambda: parity(21), "bits is 21"),
        (lambda: parity(True), "bits is True"),
        (lambda: identical_attributes(1), "attributes is 1"),
        (lambda: identical_attributes(2, 1.5), "share is 1.5; it must be a probability"),
        (lambda: identical_attributes(2, "x"), "share is 'x'"),
        (lambda: conditionally_independent([0.5, 0.4], [FLIP]), "The secret is 0.5, 0.4; probabilities"),
        (
            lambda: conditionally_independent([0.5, 0.5], [[[1, 0]]]),
            "Channel 0 has 1 rows and the secret has 2",
        ),
        (lambda: conditionally_independent("x", [FLIP]), "give probabilities"),
        (lambda: chain([1.0], [FLIP]), "Channel 0 has 2 rows and the attribute before has 1"),
        (lambda: chain([0.5, 0.5], [[[0.5, 0.6], [1, 0]]]), "Channel 0, row 0 is 0.5, 0.6"),
        (lambda: collider([], [1]), "There are no causes"),
        (
            lambda: collider([[0.5, 0.5]], [[1, 0]]),
            r"The effect has the shape \(1, 2\); its axes are the causes",
        ),
        (lambda: collider([[0.5, 0.5]], [[1, 0], [-1, 2]]), "The effect, row 1 is -1, 2"),
        (lambda: collider([[0.5, 0.5]], "x"), "The effect has the shape"),
    ],
)
def test_wrong_parameters(call, message):
    with pytest.raises(TableError, match=message):
        call()


def test_too_large_to_be_made():
    with pytest.raises(LimitError, match="The joint distribution would have"):
        chain([0.5, 0.5], [FLIP] * 40)
    with pytest.raises(LimitError, match="cells"):
        conditionally_independent([0.5, 0.5], [FLIP] * 40)
