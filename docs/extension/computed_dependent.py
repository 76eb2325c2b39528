"""Numbers of the corrections table on dependent tuples that no reference case holds."""

from __future__ import annotations

from math import exp, log, log2

import numpy as np

import pdp_widgets as pdp
from pdp_widgets import examples

__all__ = ["COMPUTED_DEPENDENT"]


def _leaks(key: str) -> float:
    """What leaks in one of the examples in which a rule of the paper fails, for a promise of 1 nat."""
    return float(pdp.dependent.counterexample(key, 1.0).leaks)


def _example_1(scale: float) -> float:
    """Leakage about the first number of Example 1 under noise of this scale."""
    return float(pdp.dependent_leakage(examples.coupled_uniform(0.5, 9), "sum", scale)[0])


def _randomised_bits(values: int, epsilon: float) -> float:
    """Mutual information in bits of a symbol and its randomised response, all symbols alike."""
    kept = exp(epsilon) / (exp(epsilon) + values - 1)
    return log2(values) + kept * log2(kept) + (1 - kept) * log2((1 - kept) / (values - 1))


def _chosen() -> float:
    """Two equal bits, a query on each with scale 1, one of them by a fair coin."""
    two = pdp.SparseJoint([[0, 0], [1, 1]], [0.5, 0.5])
    return max(map(float, pdp.dependent.chosen_release_leakage(two, [[1, 0], [0, 1]], 1.0, [0.5, 0.5])))


def _at_output(output: float) -> float:
    """The log ratio of Eq. 13 at one output for the bits of rho-bits-0.9: given 0, over given 1."""
    near, far = np.exp(-abs(output)), np.exp(-abs(output - 1))
    return float(np.log((0.9 * near + 0.1 * far) / (0.1 * near + 0.9 * far)))


def _simplex(bits: int, epsilon: float) -> float:
    """What exact coefficients leak of the sum of a simplex code."""
    return float(pdp.DependenceAnalysis(examples.simplex_code(bits), "sum", epsilon, "dpm_exact").largest)


def _scale(joint: pdp.SparseJoint, mechanism: str, epsilon: float = 1.0) -> float:
    # The whole table is one block, as the paper takes it.
    report = pdp.dependent.promise_report(joint, "sum", epsilon, [mechanism], [list(range(joint.n))])
    return float(report.scales[0])


def _independent_bits() -> pdp.SparseJoint:
    return examples.agreeing_bits(0.5)


def _lemma_2(mechanism: str) -> float:
    """The budget at which two bits that agree with probability 0.9 are off by 3 with chance 1/20."""
    bits = examples.agreeing_bits(0.9)

    def scale(epsilon: float) -> float:
        return _scale(bits, mechanism, epsilon)

    return float(pdp.dependent.budget_curve({mechanism: scale}, [0.05], alpha=3.0).epsilons[0, 0])


def _over_estimated(by: float) -> float:
    """Leakage of the three bits where coefficients of 0 are taken as a little more."""
    return max(map(float, pdp.dependent_leakage(examples.xor_bits(), "sum", 1 + 2 * by)))


def _five_places() -> list[float]:
    return [0.0, 0.25, 0.5, 0.75, 1.0]


COMPUTED_DEPENDENT = {
    "example-1-right": lambda: _example_1(1 / 2),
    "example-1-literal": lambda: _example_1(2.0),
    "example-1-leaks": lambda: _leaks("example_1"),
    "blocks-of-three": lambda: _leaks("block_size"),
    "cells-one-city": lambda: log2(20 * 20),
    "cells-three-cities": lambda: log2(3 * 20 * 20),
    "randomised-bits": lambda: _randomised_bits(14764, 12.0),
    "hundred-promised": lambda: float(pdp.dependent.counterexample("sequential", 1.0).promised),
    "hundred-leak": lambda: _leaks("sequential"),
    "chosen-release": _chosen,
    "ratio-negative": lambda: _at_output(1.0),
    "ratio-true": lambda: exp(_at_output(0.0)),
    "ratio-nearest": lambda: 0.9 + 0.1 * exp(-1),
    "example-1-eq18": lambda: float(
        pdp.dependent.dependence_coefficients(examples.coupled_uniform(0.5, 129), 1.0, "eq18")[0, 1]
    ),
    "independent-eq18": lambda: _scale(_independent_bits(), "dpm_eq18"),
    "simplex-15": lambda: _simplex(4, 2.0),
    "one-shot": lambda: _leaks("one_shot"),
    "lemma-2-dpm": lambda: _lemma_2("dpm_exact"),
    "lemma-2-baseline": lambda: _lemma_2("baseline"),
    "tail-printed": lambda: 2 * (1 + 1) * exp(-1),
    "tail-right": lambda: pdp.dependent.laplace_accuracy(1.0, 1.0).one_output,
    "over-estimated": lambda: _over_estimated(0.02),
    "within-1000": lambda: 1 - pdp.dependent.laplace_accuracy(1000.0, 6969.0).one_output,
    "friends-by-row-sums": lambda: _scale(pdp.dependent.FriendModel().pair(_five_places()), "dpm_eq18"),
    "bound-at-100th": lambda: 0.01 / log(2),
}
