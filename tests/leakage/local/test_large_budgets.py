"""What reports say for budgets from 1e-6 to 1e4, against arithmetic of more than 60 digits."""

from decimal import Decimal
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.local import joint_privacy_loss
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from tests.sixty_digits import exact

BUDGETS = [1e-6, 1e-3, 0.5, 2.0, 12.47, 37.42, 300.0, 701.0, 709.5, 745.5, 1000.0, 1e4]
ROWS = [
    [[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]],
    [[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]],
    [[1 - 1e-9, 5e-10, 5e-10], [0.25, 0.25, 0.5]],
    [[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]],
]
JOINT = np.array([[[0.3, 0.1], [0.05, 0.1]], [[0.0, 0.15], [0.1, 0.2]]])
SINGLE = [(0,), (1,), (2,)]
ALL = [chosen for size in (1, 2, 3) for chosen in combinations(range(3), size)]


def ratio(name, epsilon):
    """How much likelier a report is for a symbol it favours, and the sets of symbols it may favour."""
    e, half = Decimal(epsilon).exp(), (Decimal(epsilon) / 2).exp()
    return (half if name == "EXP" else e), SINGLE if name in ("GRR", "EXP", "SS") else ALL


@exact
def of_rows(rows, rho, sets):
    rows = [[Decimal(p) / sum(map(Decimal, row)) for p in row] for row in rows]
    found = [[1 + (rho - 1) * sum(row[u] for u in chosen) for row in rows] for chosen in sets]
    return float(max(max(one) / min(one) for one in found).ln())


@exact
def inferred_ratio(name, epsilon, k=3):
    """Keep over other of the attack on unary encodings and on hashing into two, by sums over binomials."""

    def mean(j, n, c):
        return sum(Decimal(comb(n, i)) * c**i * (1 - c) ** (n - i) / (j + i) for i in range(n + 1))

    e, half = Decimal(epsilon).exp(), (Decimal(epsilon) / 2).exp()
    if name == "BLH":
        p, p1, q = e / (e + 1), 1 / (e + 1), Decimal("0.5")
    elif name == "SUE":
        p, p1, q = half / (1 + half), 1 / (1 + half), 1 / (1 + half)
    else:
        p, p1, q = Decimal("0.5"), Decimal("0.5"), 1 / (e + 1)
    empty = p1 * (1 - q) ** (k - 1) / k
    keep = p * mean(1, k - 1, q) + empty
    return keep / (q * (p * mean(2, k - 2, q) + p1 * mean(1, k - 2, q)) + empty)


@exact
def jointly(rho):
    columns = [[rho if u == s else Decimal(1) for u in range(2)] for s in range(2)]
    table = [[[Decimal(float(p)) for p in row] for row in part] for part in JOINT]
    laws = [
        [
            sum(part[i][j] * a[i] * b[j] for i, j in product(range(2), repeat=2)) / sum(map(sum, part))
            for a, b in product(columns, repeat=2)
        ]
        for part in table
    ]
    return float(max(max(ys) / min(ys) for ys in zip(*laws, strict=True)).ln())


@pytest.mark.parametrize("epsilon", BUDGETS)
def test_every_mechanism_says_what_sixty_digits_say(epsilon):
    close = {"rel": 1e-11, "abs": 1e-15}
    for rows in ROWS:
        for name in ("GRR", "EXP", "SS", "OUE", "SUE", "OLH", "BLH", "SHE", "generic"):
            found = pair_leakage(np.array(rows), mechanism_named(name, epsilon)).leakage
            right = exact(lambda name=name, rows=rows: of_rows(rows, *ratio(name, epsilon)))()
            assert found.value == pytest.approx(right, **close), name
        for name in ("OUE", "SUE", "BLH"):
            found = pair_leakage(np.array(rows), mechanism_named(name, epsilon), output="inferred").leakage
            assert found.value == pytest.approx(of_rows(rows, inferred_ratio(name, epsilon), SINGLE), **close)
    for name in ("GRR", "EXP"):
        right = exact(lambda name=name: jointly(ratio(name, epsilon)[0]))()
        found = joint_privacy_loss(JOINT, 0, mechanism_named(name, epsilon))
        assert found.others.value == pytest.approx(right, **close)
