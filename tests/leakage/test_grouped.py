"""The grouped form against an enumeration of the definition (Eq. 2) and the reference cases."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import InstanceError, TableError
from pdp_widgets.leakage.prior import direct, grouped
from pdp_widgets.leakage.prior.grouped import all_adversaries, applies
from pdp_widgets.leakage.prior.grouped_lattice import all_on_lattice, find_lattice
from pdp_widgets.leakage.prior.grouped_layout import Workspace, groups, relabel


def enumerate_all(
    table: np.ndarray, contributions: Sequence[Any], scale: float, instance: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Definition 2.1 row by row: every adversary, every output that is a value of the query."""
    n = table.ndim
    query = sum(np.meshgrid(*[np.asarray(y, float) for y in contributions], indexing="ij"))
    outputs = np.unique(query)[:, None]
    values = np.zeros((n, 2 ** (n - 1)))
    determined = np.zeros(values.shape, dtype=bool)
    for i in range(n):
        others = [j for j in range(n) if j != i]
        for column in range(2 ** (n - 1)):
            known = [j for p, j in enumerate(others) if column >> p & 1]
            rows: list[Any] = [slice(None)] * n
            for j in known:
                rows[j] = slice(instance[j], instance[j] + 1)
            log_densities = []
            for label in (0, 1):
                rows[i] = slice(label, label + 1)
                weights, centres = table[tuple(rows)].ravel(), query[tuple(rows)].ravel()
                if weights.sum() > 0:
                    noise = np.exp(-np.abs(outputs - centres) / scale)
                    log_densities.append(np.log(noise @ (weights / weights.sum())))
            determined[i, column] = len(log_densities) < 2
            if len(log_densities) == 2:
                values[i, column] = np.abs(log_densities[0] - log_densities[1]).max()
    return values, determined


def random_case(n: int, seed: int, zeros: float = 0.0) -> tuple[np.ndarray, tuple[int, ...]]:
    rng = np.random.default_rng(seed)
    table = rng.dirichlet(np.ones(2**n)).reshape((2,) * n)
    table *= rng.random(table.shape) >= zeros
    instance = tuple(int(x) for x in rng.integers(0, 2, n))
    table[instance] += 0.01
    return table / table.sum(), instance


CONTRIBUTIONS = {
    "unit": lambda n: [[0.0, 1.0]] * n,
    "negative integers": lambda n: [[0.0, (-1.0) ** j * (1 + j % 4)] for j in range(n)],
    "tenths": lambda n: [[0.0, 0.1 * (1 + j % 3)] for j in range(n)],
    "offsets": lambda n: [[5.0, 3.0] if j % 2 else [-1.0, 1.0] for j in range(n)],
    "some zero": lambda n: [[1.0, 1.0] if j % 3 == 0 else [0.0, 1.0] for j in range(n)],
    "all zero": lambda n: [[2.0, 2.0]] * n,
    "wide lattice": lambda n: [[0.0, float(j * j + 1)] for j in range(n)],
    "no lattice": lambda n: [[0.0, (j + 1) ** 0.5] for j in range(n)],
}


@pytest.mark.parametrize("contributions", CONTRIBUTIONS.values(), ids=CONTRIBUTIONS.keys())
@pytest.mark.parametrize("n", [1, 2, 3, 6])
@pytest.mark.parametrize("zeros", [0.0, 0.6, 0.95])
def test_agrees_with_the_definition(contributions: Any, n: int, zeros: float) -> None:
    table, instance = random_case(n, seed=n, zeros=zeros)
    y = contributions(n)
    for scale in (0.3, 1.0, 20.0):
        assert applies(table, y, scale)
        values, determined = all_adversaries(table, y, scale, instance)
        expected, expected_determined = enumerate_all(table, y, scale, instance)
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(determined, expected_determined)


@pytest.mark.parametrize("zeros", [0.0, 0.8])
def test_agrees_with_the_definition_with_high_tuples_on_both_sides(zeros: float) -> None:
    # Eleven tuples are the fewest whose middle group has high tuples above it and low tuples below it.
    table, instance = random_case(11, seed=3, zeros=zeros)
    y = [[0.0, 1.0], [0.0, -1.0]] * 5 + [[0.0, 2.0]]
    values, determined = all_adversaries(table, y, 0.7, instance)
    expected, expected_determined = enumerate_all(table, y, 0.7, instance)
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(determined, expected_determined)


@given(
    st.integers(1, 6), st.integers(0, 10**6), st.lists(st.integers(-9, 9), min_size=6, max_size=6), st.data()
)
def test_both_forms_agree(n: int, seed: int, weights: list[int], data: st.DataObject) -> None:
    table, instance = random_case(n, seed, zeros=data.draw(st.sampled_from([0.0, 0.5])))
    steps = tuple(w if x == 0 else -w for w, x in zip(weights, instance, strict=False))
    flat = relabel(table, instance)
    results = []
    for form in ("lattice", "outputs"):
        values = np.empty((n, 2 ** (n - 1)))
        determined = np.empty(values.shape, dtype=bool)
        if form == "lattice":
            all_on_lattice(flat, steps, 0.4, values, determined)
        else:
            query = grouped.subset_sums(np.array(steps)).astype(float)
            outputs = grouped.distinct_outputs(query)
            grouped.all_at_outputs(flat, query, outputs, 2.5, values, determined)
        results.append((values, determined))
    np.testing.assert_allclose(results[0][0], results[1][0], rtol=0, atol=1e-12)
    np.testing.assert_array_equal(results[0][1], results[1][1])


@pytest.mark.parametrize("name", ["unit", "negative integers", "tenths", "no lattice"])
def test_agrees_with_the_direct_form(name: str) -> None:
    n = 8 if name == "no lattice" else 11
    table, instance = random_case(n, seed=21, zeros=0.4)
    y = [np.array(pair) for pair in CONTRIBUTIONS[name](n)]
    values, determined = all_adversaries(table, y, 0.6, instance)
    expected, expected_determined = direct.all_adversaries(table, y, 0.6, instance)
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(determined, expected_determined)


def test_outputs_are_worked_off_in_several_blocks() -> None:
    table, instance = random_case(7, seed=1)
    y = [[0.0, 2.0**-j * 3**0.5 + j] for j in range(7)]
    values, _ = all_adversaries(table, y, 1.0, instance)
    assert grouped.BLOCK_OUTPUTS < 2**7
    np.testing.assert_allclose(values, enumerate_all(table, y, 1.0, instance)[0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("n", [12, 15])
def test_exchangeable_tables_have_a_closed_form(n: int) -> None:
    """Invariant 11: with k known, t ones among them, the leakage depends on (k, t) only."""
    from math import comb

    rng = np.random.default_rng(n)
    weights = rng.random(n + 1)
    ones = np.array([bin(x).count("1") for x in range(2**n)])
    table = (weights[ones] / weights[ones].sum()).reshape((2,) * n)
    instance = tuple(int(x) for x in rng.integers(0, 2, n))
    values, determined = all_adversaries(table, [[0, 1]] * n, 1.0, instance)
    assert not determined.any()

    def closed_form(k: int, t: int) -> float:
        u = n - 1 - k
        log_densities = []
        for v in (0, 1):
            p = np.array([comb(u, m) * weights[t + v + m] for m in range(u + 1)])
            centres = t + v + np.arange(u + 1)
            log_densities.append([np.log(p @ np.exp(-np.abs(r - centres)) / p.sum()) for r in range(n + 1)])
        return float(np.abs(np.subtract(*log_densities)).max())

    for i in (0, n // 2, n - 1):
        others = [j for j in range(n) if j != i]
        columns = np.arange(2 ** (n - 1))
        bits = columns[:, None] >> np.arange(n - 1) & 1
        k, t = bits.sum(1), bits @ np.array([instance[j] for j in others])
        expected = {pair: closed_form(*pair) for pair in set(zip(k.tolist(), t.tolist(), strict=True))}
        np.testing.assert_allclose(
            values[i], [expected[pair] for pair in zip(k.tolist(), t.tolist(), strict=True)], atol=1e-12
        )


def test_independent_tables_keep_the_promise() -> None:
    rng = np.random.default_rng(5)
    table = np.ones(())
    for _ in range(8):
        p = rng.uniform(0.1, 0.9)
        table = np.multiply.outer(table, [p, 1 - p])
    y = [[0.0, 1.0 + j % 2] for j in range(8)]
    values, _ = all_adversaries(table / table.sum(), y, 0.5, (0,) * 8)
    np.testing.assert_allclose(values, [[2.0 * (1 + j % 2)] * 128 for j in range(8)], atol=1e-12)


def reference_cases() -> list[Any]:
    cases = json.loads(files("pdp_widgets").joinpath("data/vectors/pdp.json").read_text())["cases"]
    chosen = []
    for case in cases:
        given_ = case["input"]
        binary = all(len(d) == 2 for d in given_.get("domains", [[]]))
        if case["kind"] in ("exact_all", "exact_nodes") and given_["convention"] == "instance" and binary:
            chosen.append(pytest.param(case, id=case["id"]))
    assert len(chosen) >= 8
    return chosen


def read_model(given_: dict[str, Any]) -> tuple[np.ndarray, list[list[float]], tuple[int, ...]]:
    domains = given_["domains"]
    n = len(domains)
    if "row_weight_by_sum" in given_:
        ones = np.array([bin(x).count("1") for x in range(2**n)])
        table = np.array(given_["row_weight_by_sum"], float)[ones].reshape((2,) * n)
    else:
        table = np.array(given_.get("table", given_.get("counts")), float)
    weights = given_.get("weights", [1] * n)
    y = given_.get("contrib") or [[a * v for v in d] for a, d in zip(weights, domains, strict=True)]
    instance = tuple(d.index(x) for d, x in zip(domains, given_["instance"], strict=True))
    return table / table.sum(), y, instance


@pytest.mark.parametrize("case", reference_cases())
def test_reference_cases(case: dict[str, Any]) -> None:
    table, y, instance = read_model(case["input"])
    if not applies(table, y, case["input"]["lam"]):
        span = sum(abs(float(b) - float(a)) for a, b in y)
        assert span / case["input"]["lam"] - np.log(table[table > 0].min()) > 600
        return
    values, _ = all_adversaries(table, y, case["input"]["lam"], instance)
    for target, known, expected in case["expected"]["nodes"]:
        column = sum(1 << (j if j < target else j - 1) for j in known)
        assert values[target, column] == pytest.approx(expected, rel=case["tol"], abs=case["tol"])


def test_applies_only_to_binary_tables_far_from_underflow() -> None:
    assert not applies(np.full((2, 3), 1 / 6), [[0, 1], [0, 1, 2]], 1.0)
    assert not applies(np.array(1.0), [], 1.0)
    assert not applies(np.full((2, 2), 0.25), [[0, 1], [0, 600]], 1.0)
    tiny = np.array([[1e-60, 0.5], [0.25, 0.25]])
    assert applies(tiny, [[0, 1], [0, 400]], 1.0)
    assert not applies(tiny, [[0, 1], [0, 589]], 1.0)


def test_close_to_underflow_is_exact() -> None:
    table = np.array([[1e-60, 0.5], [0.25, 0.25]])
    y = [[0.0, 1.0], [0.0, 460.0]]
    assert applies(table, y, 1.0)
    values, _ = all_adversaries(table, y, 1.0, (0, 0))
    log_densities = []
    r = np.array([0.0, 1.0, 460.0, 461.0])
    for v in (0, 1):
        terms = np.log(table[v])[:, None] - np.abs(r - y[0][v] - np.array(y[1])[:, None])
        log_densities.append(np.logaddexp.reduce(terms, axis=0) - np.log(table[v].sum()))
    assert values[0, 0] == pytest.approx(np.abs(np.subtract(*log_densities)).max(), abs=1e-10)


def test_lattice_is_found_within_rounding_only() -> None:
    found = find_lattice((0.1, 0.2, 0.1 + 0.2))
    assert found is not None
    assert found.multiples == (1, 2, 3)
    assert found.error < 1e-15
    assert find_lattice((1.0, 1.0 + 1e-9)) is None
    assert find_lattice((0.0, 0.0)).range == 0  # type: ignore[union-attr]
    assert find_lattice((4.0, 6.0)).step == 2.0  # type: ignore[union-attr]


def test_names_the_culprit() -> None:
    with pytest.raises(InstanceError, match=r"\(0, 1\).*probability 0"):
        all_adversaries(np.array([[0.5, 0.0], [0.0, 0.5]]), [[0, 1], [0, 1]], 1.0, (0, 1))
    with pytest.raises(TableError, match=r"\(2, 3\)"):
        all_adversaries(np.full((2, 3), 1 / 6), [[0, 1], [0, 1, 2]], 1.0, (0, 0))


def test_numpy_settings_return_even_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    size, errors = np.getbufsize(), np.geterr()
    table, instance = random_case(4, seed=0)
    all_adversaries(table, [[0, 1]] * 4, 1.0, instance)
    assert (np.getbufsize(), np.geterr()) == (size, errors)

    def fail(*_: Any) -> None:
        assert np.getbufsize() != size
        raise RuntimeError("interrupted")

    monkeypatch.setattr(grouped, "all_on_lattice", fail)
    with pytest.raises(RuntimeError, match="interrupted"):
        all_adversaries(table, [[0, 1]] * 4, 1.0, instance)
    assert (np.getbufsize(), np.geterr()) == (size, errors)


def test_results_are_the_same_every_time_and_in_every_thread() -> None:
    cases = [(*random_case(n, seed=n, zeros=0.3), n) for n in (5, 9, 11, 12)]
    expected = [all_adversaries(table, [[0, 1]] * n, 1.0, instance)[0] for table, instance, n in cases]
    wrong: list[int] = []

    def work() -> None:
        for _ in range(5):
            for (table, instance, n), known in zip(cases, expected, strict=True):
                if not np.array_equal(all_adversaries(table, [[0, 1]] * n, 1.0, instance)[0], known):
                    wrong.append(n)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_results_are_not_overwritten_by_the_next_call() -> None:
    table, instance = random_case(6, seed=2)
    first, _ = all_adversaries(table, [[0, 1]] * 6, 1.0, instance)
    before = first.copy()
    all_adversaries(table, [[0, 1]] * 6, 0.1, instance)
    np.testing.assert_array_equal(first, before)


def test_the_input_is_left_alone() -> None:
    table, instance = random_case(8, seed=4)
    table.flags.writeable = False
    before = table.copy()
    all_adversaries(table, [[0, 1]] * 8, 1.0, instance)
    np.testing.assert_array_equal(table, before)


def test_working_arrays_are_bounded() -> None:
    kept = Workspace()
    kept.take("small", 10, 10)
    assert sum(array.nbytes for array in kept._kept.values()) == 800
    kept.take("large", 8_000_000)
    assert sum(array.nbytes for array in kept._kept.values()) == 800


@pytest.mark.parametrize("n", range(1, 22))
def test_groups_cover_every_tuple_once(n: int) -> None:
    parts = groups(n)
    assert [j for g in parts for j in range(g.first, g.first + g.size)] == list(range(n))
    assert all(1 <= g.size <= 5 for g in parts)
    for g in parts:
        assert (*g.low, *g.high) == g.others


@pytest.mark.parametrize("unit", [5e-324, 1e-323, 1e-320, 2.3e-308, 1e-300, 1e300])
def test_a_lattice_is_found_in_any_unit(unit):
    lattice = find_lattice((unit, 3 * unit, 2 * unit))
    assert lattice is not None
    assert lattice.multiples == (1, 3, 2)
    assert lattice.step == unit
