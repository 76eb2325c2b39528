"""What is measured on: random tables, contributions and covariance matrices, the same in every run."""

from __future__ import annotations

import numpy as np

from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["Problem", "analysed", "contributions", "gaussian", "problem", "sizes", "table_and_row"]

#: Table, contributions, scale, and the label positions of the row whose values are known.
Problem = tuple[np.ndarray, list[np.ndarray], float, tuple[int, ...]]


def sizes(wanted: tuple[int, ...], largest: int) -> list[int]:
    """Return the sizes up to the largest one asked for."""
    return [n for n in wanted if n <= largest]


def table_and_row(n: int) -> tuple[np.ndarray, tuple[int, ...]]:
    """Return a random binary table, every probability positive, and its most probable row."""
    table = np.random.default_rng(n).dirichlet(np.ones(2**n)).reshape((2,) * n)
    return table, tuple(int(x) for x in np.unravel_index(table.argmax(), table.shape))


def contributions(n: int, kind: str = "0/1") -> list[np.ndarray]:
    """Return contributions on the unit lattice, on a wider one, or on none."""
    steps = {
        "0/1": [1.0] * n,
        "0.1 to 0.5": [0.1 * (1 + j % 5) for j in range(n)],
        "square roots": [(j + 1) ** 0.5 for j in range(n)],
    }[kind]
    return [np.array([0.0, step]) for step in steps]


def problem(n: int, kind: str = "0/1") -> Problem:
    """Return all that a leakage depends on."""
    table, row = table_and_row(n)
    return table, contributions(n, kind), 1.0, row


def analysed(n: int) -> tuple[JointDistribution, LaplaceMechanism]:
    """Return the same as values of the library, contributions 0 and 1."""
    joint = JointDistribution(table_and_row(n)[0])
    return joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0)


def gaussian(n: int) -> GaussianModel:
    """Return Gaussian data with a random covariance matrix of full rank."""
    factor = np.random.default_rng(n).normal(size=(n, n))
    return GaussianModel(None, factor @ factor.T / n + 0.1 * np.eye(n))
