"""The minimum over complete paths against all permutations, and its relation to Algorithm 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from pdp_widgets.errors import AdversaryError, InstanceError, LimitError
from pdp_widgets.leakage.prior.chain_rule import chain_all
from pdp_widgets.leakage.prior.path_search import complete_path_minimum, path_minimum
from tests.leakage.chain_reference import (
    CONVENTIONS,
    all_gammas,
    column,
    first_layer,
    random_table,
    read_problem,
    reference_cases,
    smallest_path,
)
from tests.leakage.prior_reference import known_sets, models


@pytest.mark.parametrize("case", reference_cases("chain_full_paths"))
def test_reference_cases(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    *problem, convention = read_problem(given)
    got = complete_path_minimum(*problem, given["target"], given["known"], convention)
    assert got == pytest.approx(expected["value"], rel=case["tol"], abs=case["tol"])


@pytest.mark.parametrize("shape", [(2,), (2, 3), (3, 2, 3), (2, 2, 2, 2), (2, 3, 1, 2), (2,) * 5])
@pytest.mark.parametrize("zeros", [0.0, 0.6])
@pytest.mark.parametrize("scale", [0.2, 2.0])
@CONVENTIONS
def test_agrees_with_all_permutations(
    shape: tuple[int, ...], zeros: float, scale: float, convention: str
) -> None:
    table, instance = random_table(shape, seed=len(shape), zeros=zeros)
    rng = np.random.default_rng(3)
    y = [[float(v) for v in rng.integers(-3, 4, d)] for d in shape]
    row = instance if convention == "instance" else None
    gammas, first = all_gammas(table, y, scale, row), first_layer(y, scale)
    for i in range(len(shape)):
        for known in known_sets(len(shape), i):
            got = complete_path_minimum(table, y, scale, row, i, known, convention)
            assert got == pytest.approx(smallest_path(first, gammas, i, known), abs=1e-11)


@given(models(min_tuples=2, max_tuples=4))
@CONVENTIONS
def test_never_above_the_layer_by_layer_minimum(convention: str, model: Any) -> None:
    """Invariant 7: equal for up to 3 tuples."""
    joint, mechanism, row = model
    problem = joint.table, mechanism.query.contributions, mechanism.scale, row
    n = joint.n_tuples
    whole = chain_all(*problem, convention).values
    for i in range(n):
        for known in known_sets(n, i):
            value = whole[i, column(i, known)]
            found = complete_path_minimum(*problem, i, known, convention)
            near = 1e-11 * max(1.0, value)
            assert 0 <= found <= value + near
            if n <= 3:
                assert found == pytest.approx(value, abs=near)


def random_lattice(k: int, spread: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Increments of both signs that turn many values round, and no edge where a tuple is still known."""
    rng = np.random.default_rng(seed)
    increments = np.sort(rng.normal(-0.3, spread, (2, k, 1 << k)), axis=0)
    still_known = np.arange(1 << k) >> np.arange(k)[:, np.newaxis] & 1 == 1
    increments[:, still_known] = np.nan
    increments[:, rng.random(still_known.shape) < 0.1] = np.nan
    return increments[0], increments[1]


def literal_minimum(first: float, low: np.ndarray, high: np.ndarray, s: int) -> float:
    """Follow every path on its own."""
    ends = []
    for p in range(len(low)):
        if s >> p & 1:
            weaker = s ^ 1 << p
            a, b = low[p, weaker], high[p, weaker]
            value = first if np.isnan(a) else max(abs(first + a), abs(first + b))
            ends.append(literal_minimum(value, low, high, weaker))
    return min(ends, default=first)


@pytest.mark.parametrize("k", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("spread", [0.05, 0.4, 3.0])
def test_values_that_turn_round(k: int, spread: float) -> None:
    for seed in range(4):
        low, high = random_lattice(k, spread, seed)
        for first in (0.0, 0.3, 1.0, 20.0):
            expected = literal_minimum(first, low, high, (1 << k) - 1)
            assert path_minimum(first, low, high) == pytest.approx(expected, abs=1e-12)
            both = path_minimum(first, low, low)
            assert both == pytest.approx(literal_minimum(first, low, low, (1 << k) - 1), abs=1e-12)


def test_growing_values_cost_one_number_a_node() -> None:
    """Where no edge turns a value round 14 tuples are forgotten at once: 14! paths, the same sum on each."""
    k = 14
    rng = np.random.default_rng(0)
    each = rng.random(k)
    still_known = np.arange(1 << k) >> np.arange(k)[:, np.newaxis] & 1 == 1
    low = np.where(still_known, np.nan, each[:, np.newaxis])
    assert path_minimum(1.0, low, low) == pytest.approx(1 + each.sum(), rel=1e-13)


@pytest.mark.parametrize("start", [0, 1, 4, 12, 50])
def test_sums_in_another_order_count_as_one_value(start: int) -> None:
    """Steps of tenths, against whole numbers: rounding must not multiply the values, 12! paths or not."""
    k = 12
    steps = [-1, 2, -3, 4] * 3
    reached = {(1 << k) - 1: {start}}
    for s in range((1 << k) - 2, -1, -1):
        sources = [(p, s | 1 << p) for p in range(k) if not s >> p & 1]
        reached[s] = {abs(value + steps[p]) for p, source in sources for value in reached[source]}
    still_known = np.arange(1 << k) >> np.arange(k)[:, np.newaxis] & 1 == 1
    low = np.where(still_known, np.nan, np.array(steps)[:, np.newaxis] / 10)
    assert path_minimum(start / 10, low, low) == pytest.approx(min(reached[0]) / 10, abs=1e-12)


def test_refuses_too_many_values() -> None:
    low, high = random_lattice(12, 0.4, 1)
    with pytest.raises(LimitError, match=r"forget 12 tuples.*10,000,000 different.*80 MB.*about \d+ s"):
        path_minimum(1.0, low, high)


def test_known_tuples_beyond_the_limit_of_the_graph_do_not_matter() -> None:
    """16 tuples, of which 12 are known: the same as the four others at these values."""
    table, _ = random_table((2,) * 16, seed=1)
    y = [[0.0, 1.0 + j / 4] for j in range(16)]
    row = (0, 1) * 8
    known = [j for j in range(16) if j not in (1, 4, 9, 15)]
    got = complete_path_minimum(table, y, 0.5, row, 4, known)
    part = table[tuple(x if j in known else slice(None) for j, x in enumerate(row))]
    kept = [y[j] for j in (1, 4, 9, 15)]
    expected = complete_path_minimum(part / part.sum(), kept, 0.5, (1, 0, 1, 1), 1, [])
    assert got == pytest.approx(expected, abs=1e-12)


def test_short_paths_have_no_choice() -> None:
    """Who knows all is at layer 1, and one forgotten tuple leaves a single path."""
    table, instance = random_table((2,) * 4, seed=2)
    y = [[0.0, 1.0]] * 4
    whole = chain_all(table, y, 1.0, instance).values
    assert complete_path_minimum(table, y, 1.0, instance, 0, (3, 1, 2)) == 1.0
    for known in ((1, 2), (3, 2)):
        assert complete_path_minimum(table, y, 1.0, instance, 0, known) == pytest.approx(
            whole[0, column(0, known)], abs=1e-12
        )


def test_names_the_culprit() -> None:
    table = np.array([[0.5, 0.0], [0.0, 0.5]])
    problem = table, [[0, 1], [0, 1]], 1.0
    for target, known, message in (
        (2, [], "no tuple 2"),
        (-1, [], "no tuple -1"),
        (True, [], "no tuple True"),
        (0, [5], "no tuple 5"),
        (0, [0], "Tuple 0 is attacked and known"),
        (0, [1, 1], "Tuple 1 is named twice"),
    ):
        with pytest.raises(AdversaryError, match=message):
            complete_path_minimum(*problem, (0, 0), target, known)
    with pytest.raises(AdversaryError, match="convention is 'any'"):
        complete_path_minimum(*problem, (0, 0), 0, [], "any")
    with pytest.raises(InstanceError, match="probability 0"):
        complete_path_minimum(*problem, (0, 1), 0, [])
    with pytest.raises(LimitError, match="14 tuples"):
        complete_path_minimum(np.broadcast_to(2.0**-14, (2,) * 14), [[0, 1]] * 14, 1.0, None, 0, [1], "sup")
