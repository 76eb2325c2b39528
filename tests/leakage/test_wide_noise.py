"""Leakages under noise that is wide beside all it hides: every digit, however small they are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from itertools import product

import numpy as np
import pytest

from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
from pdp_widgets.leakage.adversary import column, known_of
from pdp_widgets.leakage.wide_noise import WIDE

SCALES = [1e3, 3e4, 1e5, 1e16, 1e300]
LABELS = JointDistribution(
    np.random.default_rng(5).dirichlet(np.ones(18)).reshape(3, 2, 3), [[0, 1, 3], [2, 0], [0, 0.5, 2]]
)
SPARSE = JointDistribution([[[0.5, 0.0], [0.1, 0.1]], [[0.0, 0.2], [0.0, 0.1]]])
TABLES = {"labels": LABELS, "sparse": SPARSE, "binary": lsat6().marginal(["item 1", "item 2", "item 5"])}


def reference(joint: JointDistribution, scale: float, target: int, known: dict[int, int]) -> float | None:
    """Return the leakage with all its digits; None for known values that cannot occur."""
    # Under noise that wide, densities agree in as many digits as the scale has.
    digits = 60 + max(0, math.ceil(math.log10(scale)))
    with localcontext(prec=digits, Emin=MIN_EMIN, Emax=MAX_EMAX):
        rows: dict[int, list[tuple[Decimal, Decimal]]] = {}
        for at in product(*map(range, joint.shape)):
            if joint.table[at] > 0 and all(at[j] == p for j, p in known.items()):
                value = sum(Decimal(float(joint.domains[j][p])) for j, p in enumerate(at))
                rows.setdefault(at[target], []).append((Decimal(float(joint.table[at])), Decimal(value)))
        if not rows:
            return None
        largest = Decimal(0)
        for r in {value for row in rows.values() for _, value in row}:
            densities = [
                sum(p * (-abs(r - value) / Decimal(scale)).exp() for p, value in row) / sum(p for p, _ in row)
                for row in rows.values()
            ]
            largest = max(largest, (max(densities) / min(densities)).ln())
        return float(largest)


def with_reference(analysis: PriorAnalysis) -> Iterator[tuple[int, tuple[int, ...], float, float]]:
    """Yield target and known tuples of every adversary, what is expected, and what the analysis says."""
    joint, scale = analysis.distribution, analysis.mechanism.scale
    n, instance = joint.n_tuples, joint.position(joint.most_probable())
    for target, bits in product(range(n), range(1 << (n - 1))):
        known = known_of(n, target, bits)
        choices = (
            [tuple(instance[j] for j in known)]
            if analysis.convention == "instance"
            else product(*(range(joint.shape[j]) for j in known))
        )
        found = [reference(joint, scale, target, dict(zip(known, at, strict=True))) for at in choices]
        expected = max(value for value in found if value is not None)
        yield target, known, expected, float(analysis.exact[target, column(n, target, known)])


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("made", TABLES)
@pytest.mark.parametrize("convention", ["instance", "sup"])
def test_every_adversary_has_all_digits(made: str, scale: float, convention: str) -> None:
    joint = TABLES[made]
    analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), scale), convention=convention)
    digits = 2e-12 if analysis.group_bounds.max() < WIDE / 2 else 1e-14 / analysis.promise
    for target, known, expected, exact in with_reference(analysis):
        assert exact == pytest.approx(expected, rel=digits, abs=0)
        assert float(analysis.node(target, known)) == pytest.approx(expected, rel=digits, abs=0)


@pytest.mark.parametrize("convention", ["instance", "sup"])
def test_what_is_promised_is_not_exceeded_by_rounding(convention: str) -> None:
    independent = JointDistribution(np.full((2, 2, 2), 1 / 8))
    for scale in SCALES:
        mechanism = LaplaceMechanism(LinearQuery.sum(independent), scale)
        exact = PriorAnalysis(independent, mechanism, convention=convention).exact
        assert np.allclose(exact * scale, 1, rtol=1e-10, atol=0)


@pytest.mark.parametrize("scale", SCALES)
def test_the_curve_of_an_adversary_reaches_its_leakage(scale: float) -> None:
    adversary = PriorAnalysis(LABELS, LaplaceMechanism(LinearQuery.sum(LABELS), scale)).adversary(0, [1])
    attained = adversary.leakage.attained
    assert attained is not None
    value = float(adversary.leakage)
    assert float(adversary.log_ratio(*attained.pair, attained.r)) == pytest.approx(value, rel=1e-10, abs=0)
    curve = adversary.log_ratio(*attained.pair, np.linspace(-1, 9, 50).reshape(5, 10))
    assert curve.shape == (5, 10)
    assert curve.max() <= value * (1 + 1e-9)
    ends = adversary.log_ratio(*attained.pair, [-np.inf, np.inf])
    assert adversary.ends(*attained.pair) == pytest.approx(ends.tolist(), rel=1e-10, abs=1e-12 * value)
