"""Numbers of the corrections table on local privacy that no reference case holds."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from math import inf, log

import numpy as np

import pdp_widgets as pdp
from pdp_widgets.examples import identical_attributes, two_attributes

__all__ = ["COMPUTED_LOCAL"]


def _appendix(source: str, secret: str, mechanism: str, epsilon: float, output: str = "raw") -> float:
    """Leakage in the table of Appendix K."""
    found = pdp.LocalAnalysis(two_attributes(), mechanism, epsilon, output=output)
    return float(found.pair(source, secret))


@cache
def _shares() -> dict[tuple[str, str], float]:
    """Leakage of mechanisms in all pairs of the voters, over that of the worst, by name and output."""
    found = pdp.local.compare_utility(pdp.anes96(), 1.0)
    return {(point.mechanism.name, point.output): point.normalised for point in found.points}


def _ratio(output: str) -> float:
    return _shares()["OLH", output] / _shares()["SS", output]


def _too_low() -> float:
    return float(pdp.local.all_reports(pdp.LocalAnalysis(pdp.anes96(), "GRR", 1.0)).too_low.sum())


def _median() -> float:
    """Median of the leakages of all pairs of the voters."""
    matrix = pdp.LocalAnalysis(pdp.anes96(), "GRR", 1.0).matrix
    return float(np.median(matrix[~np.eye(len(matrix), dtype=bool)]))


def _algorithm_1_printed() -> float:
    """Algorithm 1 with rows of the channel in place of columns, for the case cpl-s-033."""
    channel = np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.25, 0.25, 0.5]])
    given = np.array([[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]])
    products = channel @ given.T
    return float(log((products.max(axis=1) / products.min(axis=1)).max()))


def _grr_at_a_half() -> float:
    """GRR at a budget of 1/2 for the rows of the case cpl-s-014."""
    rows = [[0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4]]
    return float(pdp.pair_leakage(rows, pdp.GRR(0.5), conditional=True))


def _printed(data: pdp.JointDistribution) -> float:
    return pdp.local.printed_calibration(data, 1.0)[0]


def _independent() -> pdp.JointDistribution:
    return pdp.JointDistribution.independent([[0.5, 0.5]] * 3)


def _correlations() -> list[float]:
    """Correlations of Appendix K, up to their sign, for every order of the labels of both attributes."""
    table, orders = two_attributes().table, list(permutations(range(4)))
    return [
        abs(pdp.local.association(table[np.ix_(rows, columns)]).correlation)
        for rows in orders
        for columns in orders
    ]


def _replicated() -> float:
    """The p-value of the case cpl-s-077 where every record is there 50 times."""
    return pdp.local.surrogate_test(50 * np.array([[9, 3], [4, 8]]), rng=1).p_value


COMPUTED_LOCAL = {
    "appendix-forward-05": lambda: _appendix("source", "secret", "GRR", 0.5),
    "appendix-reverse-05": lambda: _appendix("secret", "source", "GRR", 0.5),
    "appendix-oue-limit": lambda: _appendix("source", "secret", "OUE", inf, "inferred"),
    "survey-too-low": _too_low,
    "survey-median": _median,
    "survey-raw-grr": lambda: _shares()["GRR", "raw"],
    "survey-raw-oue": lambda: _shares()["OUE", "raw"],
    "survey-inferred-grr": lambda: _shares()["GRR", "inferred"],
    "survey-inferred-oue": lambda: _shares()["OUE", "inferred"],
    "survey-olh-ss-raw": lambda: _ratio("raw"),
    "survey-olh-ss-inferred": lambda: _ratio("inferred"),
    "algorithm-1-printed": _algorithm_1_printed,
    "grr-at-a-half": _grr_at_a_half,
    "printed-copies": lambda: _printed(identical_attributes()),
    "printed-independent": lambda: _printed(_independent()),
    "replicated-p": _replicated,
    "appendix-least-correlation": lambda: min(_correlations()),
    "appendix-largest-correlation": lambda: max(_correlations()),
}
