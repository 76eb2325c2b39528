"""Results on streams as a person meets them: printed, as tables and as pictures."""

import math
import pickle

import numpy as np
import pytest

from pdp_widgets import DomainError, MarkovChain, compose
from pdp_widgets.streams import batch_errors


@pytest.fixture
def batches():
    return batch_errors(MarkovChain.symmetric(0.9), 1.0, [3, 1, 2], steps=12, users=2, rng=1)


def test_bounds_are_one_row_each():
    found = compose(0.1, 200, delta=1e-5)
    frame = found.to_dataframe()
    assert frame["bound"].tolist()[:2] == ["linear", "advanced"]
    # Theorems 1 and 2, by hand.
    spread = math.sqrt(2 * 200 * math.log(1e5)) * 0.1
    by_hand = [20.0, 200 * 0.1 * math.tanh(0.05) + spread, 200 * 0.1 * math.expm1(0.1) + spread]
    assert frame["leakage"].tolist()[:3] == pytest.approx(by_hand)
    assert frame["delta"].tolist() == [0.0, 1e-5, 1e-5, 1e-5]
    assert frame["status"].tolist() == ["bound", "bound", "as printed", "as printed"]
    assert frame.attrs["unit"] == "nats"
    # A bound that is rounded is rounded up.
    assert "advanced & 7.786 &" in found.to_latex()
    assert found == pickle.loads(pickle.dumps(found))
    assert hash(found) == hash(compose(0.1, 200, delta=1e-5))


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (compose(0.1, 200), "Composition(200 steps, delta=1e-05, linear 20 nats, advanced 7.78531 nats)"),
        (compose(2.0, 4, unit="batch"), "Composition(4 batches, delta=1e-05, linear 8 nats, "),
        (compose([0.5]), "Composition(the one step, delta=1e-05, linear 0.5 nats, "),
    ],
)
def test_many_steps_are_one_line(found, said):
    assert repr(found).startswith(said)
    assert len(repr(found)) < 110


def test_batches_are_drawn_by_size(batches):
    errors, leaks = batches._figures()["curves"]()
    assert (errors.title, leaks.title) == ("Error of a symbol", "What a batch leaks")
    assert errors.x.label == "steps in a batch, ε = 1 a step"
    order = np.argsort(batches.sizes)
    (mean,) = errors.series
    assert mean.x.tolist() == [1, 2, 3]
    assert errors.y.label == "mean distance a step, an estimate"
    assert errors.note == "Means of drawn releases, with their standard errors."
    assert np.array_equal(mean.y, batches.errors[order])
    assert np.array_equal(mean.high, mean.y + batches.standard_errors[order])
    budget, seen = leaks.series
    assert (seen.name, budget.y.tolist()) == ("largest seen, a lower bound", [1, 2, 3])
    assert np.array_equal(seen.y, batches.leakages[order])
    with pytest.raises(DomainError, match="'errors' or 'leakages'"):
        batches.plot("leakage")
