"""How each example is made in which a rule of the paper fails: data, releases, promise and leakage."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from pdp_widgets.leakage.dependent.budget import falling_root, laplace_scale
from pdp_widgets.leakage.dependent.coefficients import dependence_coefficients
from pdp_widgets.leakage.dependent.conditional_outputs import ConditionalOutputs
from pdp_widgets.leakage.dependent.correlated_sensitivity import correlated_sensitivity, pearson_degrees
from pdp_widgets.leakage.dependent.dependent_scale import Mechanism, dependent_scale
from pdp_widgets.leakage.dependent.friend_scale import friend_kappa, friend_scale
from pdp_widgets.leakage.dependent.known_tuples import tuple_leakage
from pdp_widgets.leakage.dependent.mutual_information import tuple_information
from pdp_widgets.leakage.dependent.stacked_releases import repeated_leakage, stacked_leakage
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage, largest_leakage
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.joint_query import TableQuery, as_joint_query
from pdp_widgets.models.friend_model import FriendModel
from pdp_widgets.models.friendship_graph import FriendshipGraph
from pdp_widgets.models.joint_examples import (
    agreeing_bits,
    bit_chain,
    coupled_uniform,
    identical_tuples,
    mod_three,
    simplex_code,
    xor_bits,
)
from pdp_widgets.models.sparse_joint import SparseJoint

_CHAIN = 5


@dataclass(frozen=True)
class Case:
    """The numbers of one example: data, releases, the promise in nats, and what leaks exactly."""

    joint: SparseJoint
    queries: tuple[Any, ...]
    scales: tuple[float, ...]
    promised: float
    leaks: Leakage


def _one(joint: SparseJoint, query: Any, scale: float, promised: float) -> Case:
    leaks = largest_leakage(dependent_leakage(joint, query, scale))
    return Case(joint, (query,), (scale,), promised, leaks)


def xor(epsilon: float) -> Case:
    """Return three bits with exact coefficients, all of which are 0."""
    return _by_pairs(xor_bits(), "sum", epsilon)


def simplex(epsilon: float) -> Case:
    """Return seven bits with exact coefficients, all of which are 0."""
    return _by_pairs(simplex_code(3), "sum", epsilon)


def _by_pairs(joint: SparseJoint, query: Any, epsilon: float, mechanism: Mechanism = "dpm_exact") -> Case:
    return _one(joint, query, dependent_scale(joint, query, epsilon, mechanism), epsilon)


def neighbours(epsilon: float) -> Case:
    """Return a chain of bits with the exact coefficients of neighbours alone."""
    joint = bit_chain(_CHAIN, 0.9)
    joined = np.abs(np.subtract.outer(np.arange(_CHAIN), np.arange(_CHAIN))) <= 1

    def loss(scale: float) -> float:
        found = dependence_coefficients(joint, scale, "exact").values
        return float((found * joined).sum(axis=1).max()) / scale

    scale = falling_root(loss, epsilon, 1 / epsilon, _CHAIN / epsilon)
    return _one(joint, "sum", scale, epsilon)


def block_size(epsilon: float) -> Case:
    """Return a chain of bits with the baseline for blocks of three."""
    return _one(bit_chain(_CHAIN, 0.9), "sum", laplace_scale(3.0, epsilon), epsilon)


def table(epsilon: float) -> Case:
    """Return two numbers that depend on each other through a third, and a query that is not linear."""
    joint, query = _thresholds()
    return _by_pairs(joint, query, epsilon)


def table_eq18(epsilon: float) -> Case:
    """Return the same with the paper's bound on the coefficients."""
    joint, query = _thresholds()
    return _by_pairs(joint, query, epsilon, "dpm_eq18")


def _thresholds() -> tuple[SparseJoint, TableQuery]:
    # Of a fair bit: 0.5, seldom 0; or 0.6, seldom 1. Given the bit the two numbers are independent.
    laws = ({0.5: 0.98, 0.0: 0.02}, {0.6: 0.98, 1.0: 0.02})
    values = (0.0, 0.5, 0.6, 1.0)
    rows = list(itertools.product(values, repeat=2))
    chances = [sum(0.5 * law.get(x, 0.0) * law.get(y, 0.0) for law in laws) for x, y in rows]
    joint = SparseJoint([list(row) for row in rows], chances, title="Two numbers that follow one bit")
    return joint, TableQuery.of(joint, lambda x, y: (x > 0.55) + (y > 0.55), name="count above 0.55")


def one_shot(epsilon: float) -> Case:
    """Return two bits with the coefficient at the scale of plain noise."""
    joint = agreeing_bits(0.9)
    rho = float(dependence_coefficients(joint, 1 / epsilon, "exact")[0, 1])
    return _one(joint, "sum", laplace_scale(1 + rho, epsilon), epsilon)


def example_1(epsilon: float) -> Case:
    """Return the paper's example with the sensitivity that it states."""
    return _one(coupled_uniform(0.5, 9), "sum", laplace_scale(1.5, epsilon), epsilon)


def sequential(epsilon: float) -> Case:
    """Return two bits, one value rare, and a hundred answers to one question."""
    joint = SparseJoint([[0, 0], [1, 0], [1, 1]], [0.01, 0.9801, 0.0099], title="Two bits, mostly 1 and 0")
    scale, times = laplace_scale(10.0, epsilon), 100
    each = float(largest_leakage(dependent_leakage(joint, "sum", scale)))
    leaks = largest_leakage(repeated_leakage(joint, "sum", scale, times))
    return Case(joint, ("sum",) * times, (scale,) * times, times * each, leaks)


def pads(epsilon: float) -> Case:
    """Return two numbers and two sums modulo 3."""
    joint, scale = mod_three(), laplace_scale(0.5, epsilon)
    first = TableQuery.of(joint, lambda a, b: (a + b) % 3, name="x1 + x2 modulo 3")
    second = TableQuery.of(joint, lambda a, b: (a + 2 * b) % 3, name="x1 + 2 x2 modulo 3")
    found = stacked_leakage(joint, [first, second], scale)
    return Case(joint, (first, second), (scale, scale), float(found.sum_of_each), found.together)


def parallel(epsilon: float) -> Case:
    """Return two equal bits and a query on each."""
    joint, scale = identical_tuples(2), laplace_scale(1.0, epsilon)
    queries = ((1.0, 0.0), (0.0, 1.0))
    found = stacked_leakage(joint, queries, scale)
    return Case(joint, queries, (scale, scale), float(found.largest_of_each), found.together)


def modulo(epsilon: float) -> Case:
    """Return a sum modulo 3 without noise, to an adversary who knows the other number."""
    joint = mod_three()
    query = TableQuery.of(joint, lambda a, b: (a + b) % 3, name="x1 + x2 modulo 3")
    seen = ConditionalOutputs.of(joint, as_joint_query(query, joint).outputs(joint))
    promised, known = seen.noiseless(0), seen.knowing([1]).noiseless(0)
    return Case(joint, (query,), (0.0,), promised, tuple_leakage(known, "x1", [("x2", None)]))


def friends(epsilon: float) -> Case:
    """Return five friends in a row with the mean coefficient of friends."""
    model, places, chain = FriendModel(1, 0.05, 3), [0, 1 / 3, 2 / 3, 1], FriendshipGraph.path(_CHAIN)
    scale = friend_scale(model, places, chain, epsilon).scales["dpm_mean"]
    return _one(model.forest(places, chain), "sum", scale, epsilon)


def uniform_places(epsilon: float) -> Case:
    """Return two friends with the exact coefficient, the first place uniform."""
    model, places = FriendModel(), [k / 10 for k in range(11)]
    scale = friend_kappa(model, places, 1, epsilon) / epsilon
    return _one(model.pair(places, [1 / 11] * 11), "sum", scale, epsilon)


def correlation(epsilon: float) -> Case:
    """Return a number and twice its distance from 0, which are not correlated."""
    joint = SparseJoint([[-1, 2], [0, 0], [1, 2]], [0.25, 0.5, 0.25], title="x2 is twice the size of x1")
    found = correlated_sensitivity(pearson_degrees(joint), joint.diameters, epsilon=epsilon)
    return _one(joint, "sum", found.scale, epsilon)


def information(epsilon: float) -> Case:
    """Return twenty copies under plain noise for a tenth of the promise, and what is learnt on average."""
    joint, budget = identical_tuples(20), epsilon / 10
    scale = laplace_scale(1.0, budget)
    mean = tuple_information(joint, "sum", scale, 0)
    return Case(joint, ("sum",), (scale,), budget, tuple_leakage(mean.nats, "x1", source="on average"))
