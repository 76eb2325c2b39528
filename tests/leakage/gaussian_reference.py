"""Gaussian leakage by plain definitions, for comparison: Theorem 6 in fractions, and quadrature."""

import json
import math
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from scipy.integrate import quad

import pdp_widgets
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.models.gaussian_model import GaussianModel

VECTORS = Path(pdp_widgets.__file__).parent / "data" / "vectors" / "pdp.json"


def cases(kind):
    """Reference cases of one kind that come with the package."""
    document = json.loads(VECTORS.read_text(encoding="utf-8"))
    return [case for case in document["cases"] if case["kind"] == kind]


def known_sets(n, target):
    rest = [j for j in range(n) if j != target]
    return [known for size in range(n) for known in combinations(rest, size)]


def conditional(cov, known):
    """Covariances given the known tuples, in fractions: no rounding.

    The tuples become known one after the other; one left at most 1e-9 of its variance tells nothing more.
    """
    left = [[Fraction(float(value)) for value in row] for row in cov]
    everyone = range(len(left))
    floors = [left[j][j] / 10**9 for j in everyone]
    for k in known:
        if left[k][k] > floors[k]:
            row = left[k]
            left = [[left[i][j] - row[i] * row[j] / row[k] for j in everyone] for i in everyone]
        for j in everyone:
            left[k][j] = left[j][k] = Fraction(0)
    return left


def theorem_6(cov, weights, target, known):
    """Coefficient a_i + mu_0i: covariance of query and target over the target's variance, given the known."""
    left = conditional(cov, known)
    along = sum(Fraction(float(a)) * value for a, value in zip(weights, left[target], strict=True))
    return float(along / left[target][target])


def variance_left(cov, target, known):
    """Share of the target's variance that the known tuples leave."""
    return float(conditional(cov, known)[target][target] / Fraction(float(cov[target][target])))


def nearly_singular(rng, n, rank, left):
    """Model whose tuples are sums of few factors, but for a small variance of their own, and weights."""
    mean, cov, weights = random_model(rng, n, rank)
    return GaussianModel(mean, cov + left * np.eye(n)), weights


def density_by_quadrature(r, centre, deviation, scale):
    """Integral of normal times Laplace, split at the peak of the Laplace density."""

    def product(s):
        return (
            math.exp(-(((s - centre) / deviation) ** 2) / 2 - abs(r - s) / scale)
            / (math.sqrt(2 * math.pi) * deviation)
            / (2 * scale)
        )

    reach = 12 * deviation
    points = sorted({centre - reach, centre, centre + reach, min(max(r, centre - reach), centre + reach)})
    return sum(quad(product, a, b, epsabs=0, epsrel=1e-12, limit=200)[0] for a, b in pairwise(points))


def random_model(rng, n, rank=None):
    """Mean, covariance of the given rank, and weights."""
    factor = rng.normal(size=(rank or n, n))
    return rng.normal(size=n), factor.T @ factor, rng.normal(size=n)


@st.composite
def adversaries(draw, least=1, most=5):
    """Adversaries of random models of full rank."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(least, most))
    mean, cov, weights = random_model(rng, n)
    i = draw(st.integers(0, n - 1))
    known = draw(st.sampled_from(known_sets(n, i)))
    scale, change = draw(st.floats(0.2, 5)), draw(st.floats(0, 5))
    model = GaussianModel(mean, cov)
    return GaussianAdversary(model, i, known, weights=weights, scale=scale, max_change=change)


def adversary_of(data):
    """The adversary of a reference case."""
    return GaussianAdversary(
        GaussianModel(data.get("mean"), data["cov"]),
        data["target"],
        data["known"],
        weights=data.get("weights"),
        scale=data["lam"],
        max_change=data["M"],
    )
