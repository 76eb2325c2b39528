"""Numbers of the corrections tables that no reference case holds, computed with the library."""

from __future__ import annotations

import numpy as np

import pdp_widgets as pdp
from extension.computed_anonymity import COMPUTED_ANONYMITY
from extension.computed_dependent import COMPUTED_DEPENDENT
from extension.computed_local import COMPUTED_LOCAL
from extension.computed_sequence import COMPUTED_SEQUENCE
from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.prior.edge_weights import edge

__all__ = ["COMPUTED"]


def _table_two(known: dict[str, int]) -> float:
    """Leakage about x1 in the table of Example 3."""
    joint = pdp.JointDistribution([[0.49, 0.01], [0.01, 0.49]])
    release = pdp.LaplaceMechanism(pdp.LinearQuery.sum(joint), 1.0)
    return float(pdp.prior_leakage(joint, release, "x1", known))


def _mirrored() -> pdp.PriorAnalysis:
    """The table of the case s-over3 with every weight negated."""
    joint = pdp.JointDistribution.from_counts([[[1, 1], [1, 10]], [[1, 3], [2, 1]]])
    query = pdp.LinearQuery.weighted(joint, [-1, -1, -1])
    return pdp.PriorAnalysis(joint, pdp.LaplaceMechanism(query, 1.0), instance=[0, 0, 0])


def _uncorrelated_increment() -> float:
    """The increment of a tuple of three labels whose correlation with the target is exactly 0."""
    joint = pdp.JointDistribution([[0, 0.5, 0], [0.25, 0, 0.25]], [[0, 1], [0, 2, 4]])
    found = edge(joint, pdp.LaplaceMechanism(pdp.LinearQuery.sum(joint), 5.0), 0, 1, {})
    if abs(found.rho or 0.0) > 1e-12:
        raise AssertionError(f"the correlation is {found.rho}, not 0")
    return float(found.gamma[0][2])


def _least_common_correlation() -> float:
    """The least correlation that 15 tuples can have in common; one a little below is refused."""
    least = -1 / 14
    pdp.GaussianModel.equicorrelated(15, least)
    try:
        pdp.GaussianModel.equicorrelated(15, least - 1e-6)
    except PdpError:
        return least
    raise AssertionError("a common correlation below the limit was taken")


def _negative_correlation(known: int) -> float:
    """Leakage about the first of 15 tuples, all correlated by -0.05, to an adversary who knows so many."""
    model = pdp.GaussianModel.equicorrelated(15, -0.05)
    return float(pdp.gaussian_leakage(model, 0, range(1, known + 1)))


def _covariance(with_factor: bool) -> float:
    """Lemma 3's covariance for Table II(a), with or without the factor that is missing in print."""
    joint = pdp.JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    (p_0, p_1), _ = joint.marginals()
    mean = [joint.condition({"x1": label}).table @ np.array([0.0, 1.0]) for label in (0, 1)]
    printed = float(mean[1] - mean[0])
    return printed * float(p_0 * p_1) if with_factor else printed


def _constant_of_corollary_2(divided: bool) -> float:
    """The part of mu_0 that does not depend on x_i, for the case s-cor2; as printed it is not divided."""
    cov = np.array(
        [[2.0, 0.6, -0.3, 0.2], [0.6, 1.5, 0.4, -0.5], [-0.3, 0.4, 1.0, 0.1], [0.2, -0.5, 0.1, 1.2]]
    )
    mean = np.array([1.0, -1.0, 0.5, 2.0])
    slope = cov[0, 1:].sum() / (cov[0, 0] if divided else 1.0)
    return float(mean[1:].sum() - mean[0] * slope)


COMPUTED = {
    "example-3-strong": lambda: _table_two({"x2": 1}),
    "over3-mirrored-paper": lambda: float(_mirrored().paper_node("x1")),
    "over3-mirrored-exact": lambda: float(_mirrored().node("x1")),
    "uncorrelated-increment": _uncorrelated_increment,
    "least-common-correlation": _least_common_correlation,
    "negative-correlation-strongest": lambda: _negative_correlation(14),
    "negative-correlation-weakest": lambda: _negative_correlation(0),
    "lemma-3-printed": lambda: _covariance(with_factor=False),
    "lemma-3": lambda: _covariance(with_factor=True),
    "corollary-2-printed": lambda: _constant_of_corollary_2(divided=False),
    "corollary-2": lambda: _constant_of_corollary_2(divided=True),
    **COMPUTED_ANONYMITY,
    **COMPUTED_DEPENDENT,
    **COMPUTED_LOCAL,
    **COMPUTED_SEQUENCE,
}
