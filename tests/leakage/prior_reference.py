"""Slow, plain computations from the definitions, to compare with; and strategies for random models."""

import math
from itertools import product

import numpy as np
from hypothesis import strategies as st

from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery
from pdp_widgets.leakage.prior.edge_bounds import checked_known_values, gamma_bounds


def log_sum(terms):
    top = max(terms)
    return top + math.log(math.fsum(math.exp(t - top) for t in terms))


def densities(table, contributions, scale, target, known, r):
    """Log densities of r, up to a constant, for every feasible label of the target, by enumeration."""
    terms = {}
    for row in product(*(range(d) for d in table.shape)):
        if table[row] > 0 and all(row[k] == p for k, p in known.items()):
            f = math.fsum(float(y[p]) for y, p in zip(contributions, row, strict=True))
            terms.setdefault(row[target], []).append((math.log(table[row]), f))
    return {
        v: log_sum([w - abs(r - f) / scale for w, f in rows]) - log_sum([w for w, _ in rows])
        for v, rows in terms.items()
    }


def leakage(table, contributions, scale, target, known):
    """Exact leakage of one adversary and whether its target is determined, from Eq. 2."""
    places = {
        math.fsum(float(y[p]) for y, p in zip(contributions, row, strict=True))
        for row in product(*(range(d) for d in table.shape))
        if table[row] > 0 and all(row[k] == p for k, p in known.items())
    }
    found = [densities(table, contributions, scale, target, known, r) for r in places]
    if len(found[0]) < 2:
        return 0.0, True
    return max(max(d.values()) - min(d.values()) for d in found), False


def known_sets(n, target):
    rest = [j for j in range(n) if j != target]
    for bits in product([False, True], repeat=n - 1):
        yield tuple(j for j, bit in zip(rest, bits, strict=True) if bit)


CONTRIBUTIONS = st.one_of(
    st.integers(-5, 5).map(float), st.sampled_from([0.1, 0.2, 0.3, 0.7, -0.1, 1 / 3, 1e-3, 12.5])
)
SCALES = st.one_of(st.sampled_from([1.0, 0.25, 3.0]), st.floats(0.05, 50.0))


@st.composite
def models(draw, sizes=None, min_tuples=1, max_tuples=4, contributions=CONTRIBUTIONS, zeros=True):
    """A distribution, a mechanism and a row of positive probability."""
    if sizes is None:
        n = draw(st.integers(min_tuples, max_tuples))
        sizes = draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    cells = math.prod(sizes)
    weights = draw(st.lists(st.integers(0 if zeros else 1, 9), min_size=cells, max_size=cells))
    if not any(weights):
        weights[draw(st.integers(0, cells - 1))] = 1
    joint = JointDistribution.from_counts(np.reshape(weights, sizes))
    query = LinearQuery([draw(st.lists(contributions, min_size=d, max_size=d)) for d in sizes])
    mechanism = LaplaceMechanism(query, draw(SCALES))
    rows = np.argwhere(joint.table > 0)
    row = tuple(int(p) for p in rows[draw(st.integers(0, len(rows) - 1))])
    return joint, mechanism, row


def binary_models(min_tuples=2, max_tuples=4, **options):
    return st.integers(min_tuples, max_tuples).flatmap(lambda n: models(sizes=[2] * n, **options))


def edge_bounds(table, contributions, scale, row, convention="instance"):
    """Smallest and largest increment of every edge, by adversary (i, c) and forgotten tuple j: [i, c, j]."""
    low, high = gamma_bounds(table, contributions, scale, checked_known_values(table, row, convention))
    return low.transpose(0, 2, 1), high.transpose(0, 2, 1)
