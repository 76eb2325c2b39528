"""Gaussian leakage by plain definitions, for comparison: Theorem 6 in matrix form, and quadrature."""

import json
import math
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


def theorem_6(cov, weights, target, known):
    """First form of section 8.1: coefficient a_i + mu_0i; Sigma_22 inverted as it is."""
    cov, weights = np.asarray(cov, dtype=float), np.asarray(weights, dtype=float)
    given = [target, *known]
    unknown = [j for j in range(len(weights)) if j not in given]
    b = cov[np.ix_(unknown, given)] @ np.linalg.pinv(cov[np.ix_(given, given)], rcond=1e-9, hermitian=True)
    return weights[target] + float(weights[unknown] @ b[:, 0])


def variance_left(cov, target, known):
    """Share of the target's variance that the known tuples leave."""
    known = list(known)
    c = cov[target, known]
    left = cov[target, target] - c @ np.linalg.pinv(cov[np.ix_(known, known)], rcond=1e-9, hermitian=True) @ c
    return left / cov[target, target]


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
