"""Numbers of the corrections table on k-anonymity that no reference case holds."""

from __future__ import annotations

from functools import cache
from math import erfc, exp, log, pi, sqrt

import pdp_widgets as pdp
from pdp_widgets.leakage.noiseless.dependent_bounds import dependent_distance, dependent_printed_epsilon

__all__ = ["COMPUTED_ANONYMITY"]

#: n of the figures, which no caption has.
_N = 10_000


def _exact_at_printed(n: int, k: int, p: float, delta: float, reading: str = "max") -> tuple[float, float]:
    """The epsilon that Theorem 1 (I) prints for a slack, and the exact slack there."""
    epsilon = float(pdp.anonymity.count_printed_epsilon(n, k, p, delta, reading))
    return epsilon, float(pdp.anonymity.count_slack(pdp.SelectedCount(n, k, p), epsilon))


def _cut(n: int, k: int, p: float, epsilon: float) -> float:
    """Exact slack on the outcomes from k on, neighbours one apart."""
    return float(pdp.anonymity.count_slack(pdp.SelectedCount(n, k, p, release="literal"), epsilon))


def _first_condition(c: float) -> float:
    """The left side of the first condition of Lemma 2."""
    return log((2 * c**2 - 1) / (2 * c)) + (4 * c**4 - 4 * c**2 + 1) / (8 * c**2)


def _tail(sigma: float, t: float) -> tuple[float, float]:
    """Right side of Eq. 15 and the chance that it is said to bound."""
    return sigma / sqrt(2 * pi) * exp(-(t**2) / (2 * sigma**2)), erfc(t / sigma / sqrt(2)) / 2


@cache
def _sparse() -> pdp.anonymity.Slack:
    """Theorem 4 for 201 records that are 10 or -10 with 0.0025 each, else 0."""
    return pdp.anonymity.sum_printed([({-10: 0.0025, 0: 0.995, 10: 0.0025}, 201)], 1)


@cache
def _own() -> pdp.anonymity.Slack:
    """Theorem 4 for one record of 10 or -10 among 99 of 0.01 or -0.01."""
    return pdp.anonymity.sum_printed([({-10: 0.5, 10: 0.5}, 1), ({-0.01: 0.5, 0.01: 0.5}, 99)], 20)


def _own_exact() -> float:
    others = [({-0.01: 0.5, 0.01: 0.5}, 99)]
    return float(pdp.anonymity.sum_slack(others, 20, float(_own().epsilon), "halfline"))


def _powers(share: float) -> float:
    return float(pdp.anonymity.sum_printed([({0: 1 - share, 1: share}, 101)], 1, 10, 0.1))


def _factor() -> tuple[float, float]:
    """The factor exp(eps) of Theorem 4 and that of Eq. 24; n = k = 100, s = eps1 = 1, B = 5."""
    c = pdp.anonymity.step_multiplier(100, 1, 100, 1.0).value
    return exp(c / 5), exp(sqrt(log(100)) / 5)


def _raw_moments(least: int, epsilon: float = 0.3) -> float:
    """Theorem 5 for 100 fair bits, with a number added to each."""
    law = pdp.anonymity.RecordLaw([least, least + 1], [0.5, 0.5])
    third, fourth = 100 * law.raw(3), sqrt(100 * law.raw(4))
    return float(pdp.anonymity.dependent_printed(1, third, fourth, sqrt(100 * law.variance), 100, epsilon))


@cache
def _blocks() -> dict[str, float]:
    """Theorem 5 with a share for a size: 100 records of 1 or -1, in blocks of 10 that are equal."""
    others = pdp.anonymity.RecordSum.equal({-10: 0.5, 10: 0.5}, 10)
    sigma = sqrt(others.variance)
    # The printed epsilon of the theorem, at which both slacks are.
    epsilon = dependent_printed_epsilon(1, sigma, 100)
    printed = {
        name: float(pdp.anonymity.dependent_printed(0.1, 0.0, sqrt(100.0), sigma, 100, epsilon, f"T5-{name}"))
        for name in ("statement", "proof")
    }
    return {**printed, "exact": float(pdp.anonymity.sum_slack(others, 1, epsilon, "halfline"))}


def _known(share: float) -> float:
    """Exact epsilon for a slack of 0.01 of the count of 100 fair bits, so many of them known."""
    others = pdp.anonymity.RecordSum.equal({0: 0.5, 1: 0.5}, round(100 * (1 - share)) - 1)
    return float(pdp.anonymity.sum_epsilon(others, 1, 0.01))


def _figure_2b(epsilon: float) -> float:
    return float(pdp.anonymity.dependent_printed(0.2, 5, 1, 50, _N, epsilon, "T5-proof"))


def _fair(epsilon: float) -> float:
    return float(pdp.anonymity.sum_slack(pdp.anonymity.RecordSum.equal({0: 0.5, 1: 0.5}, 100), 1, epsilon))


def _figure_4a(known: float) -> float:
    """Corrected slack of Fig. 4(a) for thresholds, D = 1: what is unknown falls with what is known."""
    unknown, n = 1 - known, _N * (1 - known)
    sigma = sqrt(1000 * unknown)
    epsilon = float(pdp.anonymity.gaussian_epsilon(1 / sqrt(n), 1, sigma))
    distance = dependent_distance(1, 5 * unknown, (5 * unknown) ** 2, sigma)
    assert distance is not None
    return (1 + exp(epsilon)) * distance + 1 / sqrt(n)


COMPUTED_ANONYMITY = {
    "collapse": lambda: float(pdp.anonymity.syntactic_sensitivity([[1]] * 3 + [[5]] * 9, 3)),
    "cut-printed": lambda: float(pdp.anonymity.count_printed(100, 45, 0.5, 2.0)),
    "cut-larger": lambda: _cut(1000, 95, 0.1, 3.0),
    "small-epsilon": lambda: _exact_at_printed(10, 9, 0.95, 0.3152)[0],
    "small-delta": lambda: _exact_at_printed(10, 9, 0.95, 0.3152)[1],
    "switch-epsilon": lambda: _exact_at_printed(200, 40, 0.4, 7.92e-10, "proof")[0],
    "switch-delta": lambda: _exact_at_printed(200, 40, 0.4, 7.92e-10, "proof")[1],
    "tail-claimed": lambda: _tail(0.1, 0.05)[0],
    "tail-true": lambda: _tail(0.1, 0.05)[1],
    "conditional-sum": lambda: 0.5 / (1 - erfc(0.5 / sqrt(2)) / 2),
    "negative-left": lambda: _first_condition(-0.1),
    "negative-right": lambda: log(sqrt(100) / sqrt(2 * pi)),
    "sparse-printed": lambda: float(_sparse()),
    "sparse-epsilon": lambda: float(_sparse().epsilon),
    "powers-least": lambda: 2 * 1.1182,
    "powers-printed": lambda: _powers(0.1),
    "own-printed": lambda: float(_own()),
    "own-epsilon": lambda: float(_own().epsilon),
    "own-exact": _own_exact,
    "factor-right": lambda: _factor()[0],
    "factor-printed": lambda: _factor()[1],
    "raw-bits": lambda: _raw_moments(0),
    "raw-moved": lambda: _raw_moments(10),
    "blocks-statement": lambda: _blocks()["statement"],
    "blocks-proof": lambda: _blocks()["proof"],
    "blocks-exact": lambda: _blocks()["exact"],
    "known-none": lambda: _known(0.0),
    "known-most": lambda: _known(0.9),
    "rise-low": lambda: _figure_2b(0.05),
    "rise-high": lambda: _figure_2b(1.0),
    "fall-low": lambda: _fair(0.05),
    "fall-high": lambda: _fair(1.0),
    "caption-n": lambda: float(pdp.anonymity.sum_printed_aggregate(1, 100, 2500, 4, 10, 0.1, 1_562_500)),
    "whole-table": lambda: sqrt(944),
    "part-one-exact": lambda: float(pdp.anonymity.count_epsilon(pdp.SelectedCount(1000, 50, 0.1), 0.001)),
    "figure-1a": lambda: float(pdp.anonymity.gaussian_epsilon(1 / sqrt(_N), 4, 50)),
    "figure-4a": lambda: _figure_4a(0.1),
}
