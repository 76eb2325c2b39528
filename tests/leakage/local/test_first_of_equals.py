"""Of equal worst cases the first in row-major order is named, and infinity equals infinity."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from pdp_widgets import GRR, OUE, SS, JointDistribution, LocalAnalysis, LocalExplorer
from pdp_widgets.leakage.local.first_of_equals import first_place, least_equal
from pdp_widgets.leakage.local.hull import two_level
from pdp_widgets.leakage.local.pair_leakage import PairLeakage, pair_leakage
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism

_BUDGETS = [1e-9, 0.5, 3.0, 650.0, 701.0, 1000.0, 1e308, math.inf]


def _ties(rng: np.random.Generator) -> np.ndarray:
    """A small table whose rows often are alike, or rule each other out."""
    m, t = (int(d) for d in rng.integers(2, 5, 2))
    counts = rng.integers(0, 3, (m, t)) * (rng.random((m, t)) < 0.7)
    counts[rng.integers(m), rng.integers(t)] += 1
    return counts


def _sets(mechanism: LocalMechanism, t: int) -> list[tuple[int, ...]]:
    sizes = {"GRR": [1], "OUE": list(range(1, t)), "SS": [2]}[mechanism.name]
    return [chosen for size in sizes for chosen in combinations(range(t), size)]


def _first(
    counts: np.ndarray, mechanism: LocalMechanism, level: float
) -> tuple[float, tuple[int, int] | None]:
    """The largest leakage and the first pair that reaches it, by trying all pairs and sets."""
    held = np.flatnonzero(counts.sum(axis=1))
    rows = counts[held] / counts[held].sum(axis=1, keepdims=True)
    leaks = {
        (int(held[x]), int(held[y])): max(
            float(two_level(rows[x, list(s)].sum(), rows[y, list(s)].sum(), level))
            for s in _sets(mechanism, counts.shape[1])
        )
        for x in range(len(held))
        for y in range(len(held))
        if x != y
    }
    most = max(leaks.values(), default=0.0)
    if most == 0:
        return 0.0, None
    slack = 0.0 if math.isinf(most) else 1e-12 * (level if level < 1 else max(1.0, most))
    return most, next(pair for pair, leak in leaks.items() if leak == most or leak >= most - slack)


@pytest.mark.parametrize("epsilon", _BUDGETS)
def test_the_first_pair_of_labels_that_reaches_the_largest_is_named(epsilon: float) -> None:
    rng = np.random.default_rng(2)
    several = 0
    for _ in range(25):
        counts = _ties(rng)
        for mechanism in (GRR(epsilon), OUE(epsilon), SS(epsilon, omega=2)):
            if mechanism.name == "SS" and counts.shape[1] < 3:
                continue
            found: PairLeakage = pair_leakage(counts, mechanism)
            most, pair = _first(counts, mechanism, epsilon)
            assert found.value == pytest.approx(most, rel=1e-9)
            if most > 1e-13:
                assert found.pair == pair, (counts.tolist(), mechanism)
                assert found.masses is not None
                reached = float(two_level(*found.masses, epsilon))
                assert reached == most or reached == pytest.approx(most, rel=1e-9)
                several += math.isinf(most)
    assert several > 8 or epsilon < math.inf


def test_of_infinite_leakages_between_attributes_the_first_is_the_largest() -> None:
    three = np.zeros((2, 2, 2))
    three[0, 0, 0] = three[1, 1, 1] = 0.5
    joint = JointDistribution(three, names=["a", "b", "c"])
    analysis = LocalAnalysis(joint, "GRR", math.inf)
    assert np.isinf(analysis.matrix[~np.eye(3, dtype=np.bool_)]).all()
    assert (analysis.largest.about.sources, analysis.largest.about.target) == (("a",), "b")
    explorer = LocalExplorer(joint, "GRR", math.inf)
    assert (explorer.source, explorer.secret) == ("a", "b")
    explorer.close()


def test_entries_that_differ_by_rounding_alone_are_equal() -> None:
    values = np.array([[9.0, 0.1 + 0.2, 0.1], [0.3, 9.0, 0.3 * (1 + 4e-16)], [0.2, 0.3, 9.0]])
    assert first_place(values) == (0, 1)
    assert first_place(np.array([[9.0, 0.3], [0.3 * (1 + 1e-9), 9.0]])) == (1, 0)
    assert first_place(np.zeros((3, 3))) == (0, 1)
    assert 0 < 1 - least_equal(1.0) < 2e-12
    assert least_equal(np.inf) == np.inf
