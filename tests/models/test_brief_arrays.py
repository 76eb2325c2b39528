"""Results with many numbers are printed in a few lines."""

import numpy as np
import pytest

import pdp_widgets as pdp


@pytest.fixture(scope="module")
def attack():
    return pdp.InferenceAttack(pdp.synthetic_network(60, rng=1).city("New York"), epsilon=40.0, clusters=4)


def test_long_arrays_are_told_by_shape_and_ends(attack):
    curves = attack.by_epsilon([0.1, *range(1, 20)], draws=1)
    assert "epsilons=<20 numbers, 0.1 to 19>" in repr(curves)
    ends = f"{curves.error_km.min():.4g} to {curves.error_km.max():.4g}"
    assert f"error_km=<2 x 20 numbers, {ends}>" in repr(curves)
    assert "users=19, draws=1, mechanism='lpm'" in repr(curves)


def test_short_arrays_are_written(attack):
    assert "prior_gap=[0.    , 0.2024]" in repr(attack.by_draw(2))


def test_no_result_fills_a_screen(attack):
    bits = pdp.examples.bit_chain(12, 0.9)
    chain = pdp.MarkovChain.symmetric(0.9)
    for found in (
        attack.attack_2,
        attack.all_users(),
        attack.by_draw(30),
        pdp.dependent.promise_report(bits, "sum", 1.0),
        pdp.streams.temporal_leakage(chain, 0.5, 200),
        pdp.streams.batch_errors(chain, 1.0, [1, 2], steps=4, users=1),
    ):
        text = repr(found)
        assert text.startswith(type(found).__name__ + "(")
        assert text.endswith(")")
        assert len(text) < 1000
        assert "\n" not in text


def test_what_was_computed_late_is_not_printed(attack):
    found = attack.attack_2
    before = repr(found)
    assert np.isfinite(found.leaked_bits)
    assert repr(found) == before
