"""Results with one value for each tuple, pair, record or column: each is the one that is asked for alone.

Alphabets have different sizes and stand in any order. Whatever can be is held against sums over rows that
share no code with the package.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pdp_widgets as pdp
from pdp_widgets.leakage.adversary import column, known_of
from pdp_widgets.leakage.dependent.stacked_releases import chosen_release_leakage, repeated_leakage
from tests.conftest import few
from tests.leakage import dependent_reference, prior_reference


def alphabets(rng, least=2, most=4):
    return tuple(
        int(size) for size in rng.integers(1 if rng.random() < 0.2 else 2, 5, rng.integers(least, most))
    )


def drawn_table(rng, sizes):
    table = rng.dirichlet(np.full(math.prod(sizes), 0.5)).reshape(sizes)
    table[rng.random(sizes) < 0.2] = 0
    table[(0,) * len(sizes)] += 0.1
    return table / table.sum()


def drawn_rows(rng):
    """Some rows in any order, with a number for every value."""
    table = drawn_table(rng, alphabets(rng))
    values = [
        np.sort(rng.choice([-1.5, 0.0, 0.25, 1.0, 3.0, 4.0], size, replace=False)) for size in table.shape
    ]
    places = rng.permutation(np.argwhere(table > 0))
    rows = [[float(values[j][place]) for j, place in enumerate(row)] for row in places]
    return pdp.SparseJoint(rows, table[tuple(places.T)])


def by_rows(joint, outputs, scale, target, known=()):
    return dependent_reference.leakage(joint.support, outputs, joint.probabilities, scale, target, known)


def sums(joint):
    return [sum(row) for row in joint.support]


def promises(rng):
    joint = drawn_rows(rng)
    found = pdp.dependent.promise_report(joint, "sum", float(rng.uniform(0.3, 3)))
    for scale, row in zip(found.scales, found.leakage, strict=True):
        for j in range(joint.n):
            yield row[j], by_rows(joint, sums(joint), scale, j) if scale else 0.0


def tuples_and_their_known(rng):
    joint, scale = drawn_rows(rng), float(rng.uniform(0.3, 3))
    for size in range(joint.n + 1):
        known = rng.permutation(joint.n)[:size].tolist()
        for query, outputs in (("sum", sums(joint)), ("identity", joint.support)):
            found = pdp.dependent_leakage(joint, query, scale, known)
            seen = pdp.DependenceAnalysis(joint, query, known=known, scale=scale).per_tuple
            for j, one in enumerate(found):
                assert one == seen[j]
                assert one.about.target == joint.tuples[j]
                yield float(one), by_rows(joint, outputs, scale, j, [k for k in known if k != j])


def every_known_set(rng):
    joint, scale = drawn_rows(rng), float(rng.uniform(0.3, 3))
    found = pdp.dependent.every_known_set(joint, "sum", scale)
    for j, leakages in enumerate(found.leakages):
        others = [k for k in range(joint.n) if k != j]
        sets = [known for many in range(joint.n) for known in itertools.combinations(others, many)]
        for known, one in zip(sets, leakages, strict=True):
            assert one.about.target == joint.tuples[j]
            assert [name for name, _ in one.about.known] == [joint.tuples[k] for k in known]
            yield float(one), by_rows(joint, sums(joint), scale, j, known)
    yield float(pdp.dependent.worst_adversary(joint, "sum", scale)), float(found.worst)


def stacks(rng):
    joint, scale = drawn_rows(rng), float(rng.uniform(0.3, 3))
    weights = rng.choice([0, 1, -2], (2, joint.n))
    both = [(weights @ row).tolist() for row in np.array(joint.support)]
    found = pdp.dependent.stacked_leakage(joint, weights.tolist(), scale)
    for j, one in enumerate(found.per_tuple):
        yield float(one), by_rows(joint, both, scale, j)
    twice = repeated_leakage(joint, "sum", scale, 2)
    first = chosen_release_leakage(joint, ["sum", "sum"], scale, [0.5, 0.5])
    for j, (one, other) in enumerate(zip(twice, first, strict=True)):
        yield float(one), by_rows(joint, [(s, s) for s in sums(joint)], scale, j)
        yield float(other), by_rows(joint, sums(joint), scale, j)


def pairs_of_tuples(rng):
    joint, scale = drawn_rows(rng), float(rng.uniform(0.3, 3))
    kinds = ("exact", "mean", "eq18", "eq18_per_term")
    found = [pdp.dependent.dependence_coefficients(joint, scale, kind) for kind in kinds]
    for i, j in itertools.permutations(range(joint.n), 2):
        law = np.zeros((len(joint.domains[i]), len(joint.domains[j])))
        np.add.at(law, (joint.codes[:, i], joint.codes[:, j]), joint.probabilities)
        law = law[law.sum(axis=1) > 0]
        if len(law) < 2:
            # Whoever has one value is told nothing of the other.
            assert not any(matrix[i, j] for matrix in found)
            continue
        law /= law.sum(axis=1, keepdims=True)
        points = [[x] for x in joint.domains[j]]
        bounds = dependent_reference.coefficient_bounds(law.tolist(), points, scale)
        span = float(np.ptp(joint.domains[j]))
        for matrix, bound in zip(found, bounds, strict=True):
            yield matrix[i, j], bound * scale / span if span else 0.0


def tuples_one_at_a_time(rng):
    joint, scale = drawn_rows(rng), float(rng.uniform(0.3, 3))
    if not any(map(np.ptp, joint.domains)):
        return
    together = pdp.dependent.small_delta(joint, "sum", scale, 0.2)
    order = rng.permutation(joint.n).tolist()
    moved = pdp.SparseJoint([[row[j] for j in order] for row in joint.support], joint.probabilities)
    under, again = (pdp.dependent.underestimated(one, "sum", 1.0, 0.8) for one in (joint, moved))
    for place, j in enumerate(order):
        alone = pdp.dependent.small_delta(joint, "sum", scale, 0.2, [j])
        yield together.per_tuple[j], alone.delta
        yield float(under.per_tuple[j]), float(again.per_tuple[place])
        yield (
            pdp.dependent.tuple_information(joint, "sum", scale, j).nats,
            pdp.dependent.tuple_information(moved, "sum", scale, place).nats,
        )
        for kind in ("exact", "mean", "eq18"):
            first, second = (
                pdp.dependent.dependent_sensitivities(one, "sum", scale, kind)[at]
                for one, at in ((joint, j), (moved, place))
            )
            yield first, second


def nodes_of_a_table(rng):
    joint = pdp.JointDistribution(drawn_table(rng, alphabets(rng)))
    query = pdp.LinearQuery([rng.integers(-3, 4, size).tolist() for size in joint.shape])
    mechanism = pdp.LaplaceMechanism(query, float(rng.uniform(0.3, 3)))
    row = (0,) * joint.n_tuples
    for convention in ("instance", "sup"):
        values, determined = pdp.exact_all(
            joint, mechanism, row if convention == "instance" else None, convention
        )
        for i, c in np.ndindex(values.shape):
            known = known_of(joint.n_tuples, i, c)
            seen = itertools.product(*(range(joint.shape[k]) if convention == "sup" else [0] for k in known))
            possible = [dict(zip(known, one, strict=True)) for one in seen]
            possible = [
                one
                for one in possible
                if joint.table[tuple(one.get(k, slice(None)) for k in range(joint.n_tuples))].any()
            ]
            expected = [
                prior_reference.leakage(joint.table, query.contributions, mechanism.scale, i, one)
                for one in possible
            ]
            yield values[i, c], max(value for value, _ in expected)
            yield float(determined[i, c]), float(all(fixed for _, fixed in expected))


def intervals_of_nodes(rng):
    counts = rng.integers(0, 6, alphabets(rng, most=3))
    counts.flat[0] += 3
    joint = pdp.JointDistribution.from_counts(counts)
    query = pdp.LinearQuery([rng.integers(-3, 4, size).tolist() for size in joint.shape])
    mechanism = pdp.LaplaceMechanism(query, 1.0)
    chosen = {"draws": 30, "zeros": "structural", "prior": 1.0}
    found = pdp.prior.leakage_intervals(joint, mechanism, (0,) * joint.n_tuples, rng=7, **chosen)
    for i, c in np.ndindex(found.value.shape):
        known = {k: joint.domains[k][0] for k in known_of(joint.n_tuples, i, c)}
        assert column(joint.n_tuples, i, known) == c
        alone = pdp.prior.leakage_interval(joint, mechanism, i, known, rng=7, **chosen)
        yield from zip(
            (found.value[i, c], found.low[i, c], found.high[i, c]),
            (float(alone), *alone.interval),
            strict=True,
        )


def histograms(rng):
    joint = pdp.JointDistribution(drawn_table(rng, alphabets(rng)))
    queries = [
        pdp.LinearQuery([rng.integers(-2, 3, size).tolist() for size in joint.shape]) for _ in range(2)
    ]
    found = pdp.prior.joint_leakage(joint, queries, 1.5, 0)
    for query, one in zip(queries, found.per_coordinate, strict=True):
        yield float(one), prior_reference.leakage(joint.table, query.contributions, 1.5, 0, {})[0]


def pairs_of_columns(rng):
    table = drawn_table(rng, alphabets(rng))
    analysis = pdp.LocalAnalysis(pdp.JointDistribution(table), "GRR", 1.0)
    swept = analysis.matrices([0.5, 1.0])[1]
    for i, j in itertools.permutations(range(table.ndim), 2):
        law = table.sum(axis=tuple(k for k in range(table.ndim) if k not in (i, j)))
        law = law if i > j else law.T
        yield analysis.matrix[i, j], reported(law, [1.0])
        yield swept[i, j], reported(law, [1.0])
        yield float(pdp.pair_leakage(law, "GRR", epsilon=1.0)), reported(law, [1.0])


def pairs_of_records(rng):
    sizes = alphabets(rng)
    codes = np.column_stack([rng.integers(-1, size, 60) for size in sizes])
    codes[: max(sizes)] = np.arange(max(sizes))[:, None] % sizes
    matrix = pdp.LocalAnalysis(pdp.AttributeTable(codes), "GRR", 1.0).matrix
    for i, j in itertools.permutations(range(len(sizes)), 2):
        both = codes[(codes[:, i] >= 0) & (codes[:, j] >= 0)]
        law = np.zeros((sizes[j], sizes[i]))
        np.add.at(law, (both[:, j], both[:, i]), 1)
        yield matrix[i, j], reported(law, [1.0])


def users_of_a_stream(rng):
    size, steps = int(rng.integers(2, 5)), 4
    chain = pdp.MarkovChain(rng.dirichlet(np.full(size, 0.7), size), rng.dirichlet(np.full(size, 2.0)))
    mechanism = pdp.ConditionalResponse(float(rng.uniform(0.3, 3)))
    found = pdp.streams.simulate_releases(chain, mechanism, steps, 5, rng=int(rng.integers(99)))
    for user, released in enumerate(found.released):
        belief = chain.start
        for step, symbol in enumerate(released):
            matrix = mechanism.channel(belief).matrix
            yield found.leakage[user, step], np.abs(np.log(matrix / (belief @ matrix))).max()
            belief = belief * matrix[:, symbol] @ chain.transitions
            belief = belief / belief.sum()


def reported(law, budgets):
    """What reports of all columns after the first say about the first, by summing over all reports."""
    law = law[law.reshape(len(law), -1).sum(axis=1) > 0]
    chances = law / law.reshape(len(law), -1).sum(axis=1).reshape(-1, *[1] * (law.ndim - 1))
    for axis, budget in enumerate(budgets, start=1):
        size = law.shape[axis]
        channel = (np.ones((size, size)) + (math.exp(budget) - 1) * np.eye(size)) / (
            size - 1 + math.exp(budget)
        )
        chances = np.moveaxis(np.tensordot(chances, channel, (axis, 0)), -1, axis)
    return float(np.log(chances.max(axis=0) / chances.min(axis=0)).max())


def law_of(table, j):
    law = table.sum(axis=tuple(k for k in range(table.ndim) if k != j))
    return law[law > 0]


def all_reports(rng):
    sizes = alphabets(rng)
    table, budgets = drawn_table(rng, sizes), rng.uniform(0.3, 2, len(sizes)).tolist()
    joint = pdp.JointDistribution(table)
    mechanisms = [pdp.GRR(budget) for budget in budgets]
    found = pdp.local.all_reports(pdp.LocalAnalysis(joint, mechanisms))
    for j in range(table.ndim):
        rest = [k for k in range(table.ndim) if k != j]
        others = table.transpose(j, *rest)
        one = pdp.local.joint_privacy_loss(joint, j, mechanisms)
        every = others[..., None] * np.eye(sizes[j]).reshape(sizes[j], *[1] * len(rest), sizes[j])
        expected = reported(every, [*(budgets[k] for k in rest), budgets[j]])
        if len(law_of(table, j)) < 2:
            # One value: nothing can be learned, and what the own report promises is no more than a bound.
            assert (one.exact.status, float(one.lower), j in found.constant) == ("bound", 0.0, True)
            expected = one.dpl
        else:
            assert (one.exact.status, j in found.constant) == ("exact", False)
        yield found.exact[j], expected
        yield float(one.exact), expected
        yield found.pairwise_sum[j], float(one.pairwise_sum)
        yield found.bound[j], float(one.joint_bound)
        if rest:
            yield float(one.others), reported(others, [budgets[k] for k in rest])
        for k, alone in zip(rest, one.pairwise, strict=True):
            pair = table.sum(axis=tuple(m for m in rest if m != k))
            yield float(alone), reported(pair if j < k else pair.T, [budgets[k]])


def nodes_of_a_covariance(rng):
    size = int(rng.integers(2, 5))
    spread = rng.normal(size=(size, size))
    model = pdp.GaussianModel(np.zeros(size), spread @ spread.T + np.eye(size))
    weights = rng.uniform(0.5, 2, size).tolist()
    values, _ = pdp.gaussian.gaussian_exact_all(model, weights)
    for i, c in np.ndindex(values.shape):
        yield values[i, c], float(pdp.gaussian_leakage(model, i, known_of(size, i, c), weights=weights))


KINDS = [
    promises,
    tuples_and_their_known,
    every_known_set,
    stacks,
    pairs_of_tuples,
    tuples_one_at_a_time,
    nodes_of_a_table,
    intervals_of_nodes,
    histograms,
    pairs_of_columns,
    pairs_of_records,
    users_of_a_stream,
    all_reports,
    nodes_of_a_covariance,
]


@pytest.mark.parametrize("kind", KINDS)
@few()
@given(seed=st.integers(0, 2**32 - 1))
def test_each_is_the_one_asked_for_alone(kind, seed):
    for found, expected in kind(np.random.default_rng(seed)):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)
