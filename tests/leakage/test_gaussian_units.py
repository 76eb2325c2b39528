"""Leakages of Gaussian data keep their digits whatever the units of each tuple; exact fractions judge."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.models.gaussian_model import GaussianModel
from tests.leakage.gaussian_reference import conditional, known_sets

whole = st.integers(-3, 3)


@st.composite
def models(draw, most=4):
    """Covariances of whole numbers, singular ones among them, weights, and units far apart."""
    n, rank = draw(st.integers(1, most)), draw(st.integers(1, most))
    rows = [[draw(whole) for _ in range(rank)] for _ in range(n)]
    units = [2.0 ** draw(st.sampled_from([0, 0, 0, 3, -20, 46])) for _ in range(n)]
    cov = [[sum(a * b for a, b in zip(p, q, strict=True)) for q in rows] for p in rows]
    scaled = np.array(cov, dtype=float) * units * np.array(units)[:, None]
    return scaled, [float(draw(whole)) for _ in range(n)]


def exact_value(cov, weights, target, known):
    """The leakage at factor 1, the largest it could be by the spreads in it, and the share of variance left.

    A known tuple is not in it: it must leave no rounding however large it is.
    """
    left = conditional(cov, known)
    own = Fraction(float(cov[target][target]))
    share = left[target][target] / own if own else Fraction(0)
    if share <= Fraction(1, 10**9):
        return 0.0, 0.0, float(share)
    along = sum(Fraction(a) * value for a, value in zip(weights, left[target], strict=True))
    spreads = np.sqrt(np.diag(cov)) * np.abs(weights)
    spreads[list(known)] = 0.0
    size = float(spreads.sum() / np.sqrt(cov[target][target])) / float(share)
    return float(abs(along / left[target][target])), size, float(share)


def check(cov, weights):
    n = len(cov)
    model = GaussianModel(None, cov)
    values, determined = gaussian_exact_all(model, weights)
    for i in range(n):
        for known in known_sets(n, i):
            wanted, size, share = exact_value(cov, weights, i, known)
            c = column(n, i, known)
            assert bool(determined[i, c]) == (share <= 1e-9)
            assert values[i, c] == pytest.approx(wanted, rel=1e-12, abs=1e-13 * size)
            alone = GaussianAdversary(model, i, known, weights=weights)
            assert alone.leakage.value == pytest.approx(wanted, rel=1e-12, abs=1e-13 * size)
            assert alone.determined == (share <= 1e-9)


@given(models())
def test_every_adversary_has_the_leakage_of_exact_fractions(case):
    check(*case)


@given(st.integers(2, 5), st.integers(0, 4), st.sampled_from([1e7, 1e14, 1e20]), st.integers(0, 99))
def test_who_knows_a_tuple_in_large_units_loses_no_digits(n, place, unit, seed):
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(n, n))
    cov = factor.T @ factor + np.eye(n)
    units = np.ones(n)
    units[place % n] = unit
    plain, _ = gaussian_exact_all(GaussianModel(None, cov))
    large, _ = gaussian_exact_all(GaussianModel(None, cov * units * units[:, None]))
    # What one knows in other units is the same knowledge.
    for i in set(range(n)) - {place % n}:
        for known in known_sets(n, i):
            if place % n in known:
                c = column(n, i, known)
                assert large[i, c] == pytest.approx(plain[i, c], rel=1e-12, abs=1e-12)
