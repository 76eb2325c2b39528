"""Leakages read off counts, simulated collections, the test for any leakage, and intervals."""

import math
from itertools import product

import numpy as np
import pytest

from pdp_widgets.errors import BudgetError, DomainError, ReplicatedRecordsWarning, TableError
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.leakage.local.statistical import log_ratio_of_counts, simulated_leakage, statistical_leakage
from pdp_widgets.leakage.local.surrogate_test import pair_interval, surrogate_test
from pdp_widgets.mechanisms.local.finite_channel import AnyMechanism
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.mechanisms.local.randomised_response import GRR, SS
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.counts import titanic
from pdp_widgets.models.joint_distribution import JointDistribution


def hypergeometric(table):
    """Probability of every 2 x 2 table with the same margins, with its largest log ratio."""
    (a, b), (c, d) = table
    rows, columns = (a + b, c + d), (a + c, b + d)
    for x in range(max(0, columns[0] - rows[1]), min(rows[0], columns[0]) + 1):
        one = [[x, rows[0] - x], [columns[0] - x, rows[1] - columns[0] + x]]
        weight = math.comb(rows[0], x) * math.comb(rows[1], columns[0] - x) / math.comb(sum(rows), columns[0])
        yield weight, float(statistical_leakage(one))


def test_counts_by_hand():
    assert float(statistical_leakage([[30, 50, 20], [60, 25, 15]])) == pytest.approx(math.log(2), abs=1e-14)
    assert float(statistical_leakage([[30, 50, 0], [60, 25, 15]])) == math.inf
    half = np.array([[30.5, 50.5, 0.5], [60.5, 25.5, 15.5]])
    half /= half.sum(axis=1, keepdims=True)
    wanted = np.log(half.max(axis=0) / half.min(axis=0)).max()
    for alpha in (0.5, "auto"):
        assert float(statistical_leakage([[30, 50, 0], [60, 25, 15]], alpha)) == pytest.approx(
            wanted, abs=1e-14
        )
    assert float(statistical_leakage([[30, 50, 20], [60, 25, 15]], "auto")) == pytest.approx(math.log(2))


def test_empty_rows_and_columns_are_left_out_first():
    wanted = float(statistical_leakage([[30, 50], [60, 25]], 0.5))
    assert float(statistical_leakage([[30, 50, 0], [0, 0, 0], [60, 25, 0]], 0.5)) == wanted
    assert float(statistical_leakage([[30, 50], [0, 0]])) == 0
    found = statistical_leakage(JointDistribution.from_counts([[3, 5], [6, 2]], names=["vote", "party"]))
    assert str(found).endswith("(estimate): vote, from party itself")


def test_many_tables_at_once_are_each_alone():
    rng = np.random.default_rng(1)
    tables = rng.integers(1, 9, (50, 3, 4))
    tables[7, 1, 2] = 0
    for alpha in (0.0, 0.5, "auto"):
        together = log_ratio_of_counts(tables, alpha)
        assert together.tolist() == [float(statistical_leakage(table, alpha)) for table in tables]


@pytest.mark.parametrize("name", ["GRR", "OUE", "SS", "SHE"])
def test_repeats_lead_to_the_closed_form(name):
    counts = np.random.default_rng(2).integers(20, 90, (2, 4))
    mechanism = mechanism_named(name, 1.5)
    found = simulated_leakage(counts, mechanism, repeats=20_000, rng=3)
    assert float(found) == pytest.approx(float(found.closed_form), abs=0.01)
    assert found.closed_form.value == pair_leakage(counts, mechanism, "inferred").value
    assert found.counts.sum(axis=1).tolist() == (20_000 * counts.sum(axis=1)).tolist()
    assert simulated_leakage(counts, mechanism, rng=4).counts.sum() == counts.sum()
    assert "closed form" in str(found)


def test_one_collection_looks_as_if_more_leaked():
    counts = np.full((2, 3), 50)
    values = [float(simulated_leakage(counts, GRR(1.0), rng=seed)) for seed in range(200)]
    assert np.mean(values) == pytest.approx(0.195, abs=0.03)
    assert pair_leakage(counts, GRR(1.0), "inferred").value == 0


def test_a_table_of_four_against_all_tables_with_its_margins():
    table = [[9, 3], [4, 8]]
    observed = float(statistical_leakage(table))
    exact = sum(weight for weight, value in hypergeometric(table) if value >= observed * (1 - 1e-12))
    found = surrogate_test(table, surrogates=40_000, rng=1)
    assert found.leakage.value == pytest.approx(0.9808292530117262, abs=1e-12)
    assert exact == pytest.approx(0.09953271926619658, abs=1e-12)
    assert found.p_value == pytest.approx(exact, abs=0.006)
    assert len(found.surrogates) == 40_000
    assert found.unit == "record"


def test_surrogates_of_a_mechanism_have_its_leakage():
    table = np.array([[9, 3, 2], [4, 8, 5]])
    for mechanism in (GRR(1.0), AnyMechanism(1.0), SS(1.0, omega=2)):
        found = surrogate_test(table, mechanism, surrogates=300, rng=1)
        wanted = pair_leakage(table, mechanism).value
        assert found.leakage.value == wanted
        assert found.leakage.status == "exact"
        assert 0 < found.expected < 0.5
        assert found.surrogates.max() <= mechanism.epsilon
        again = surrogate_test(table, mechanism, surrogates=300, rng=1)
        assert again.p_value == found.p_value


def test_surrogates_keep_unseen_symbols_for_subset_selection():
    table = np.array([[9, 0, 3], [4, 0, 8]])
    found = surrogate_test(table, SS(1.0, omega=2), surrogates=200, rng=1)
    assert found.leakage.value > 0
    assert found.surrogates.max() > 0


def test_the_size_of_the_test():
    """Under independence it rejects as often as it says, and the paper's test far more often."""
    rng = np.random.default_rng(5)
    rejected = replicated = 0
    for _ in range(120):
        table = rng.multinomial(300, np.full(6, 1 / 6)).reshape(2, 3)
        rejected += surrogate_test(table, GRR(1.0), surrogates=199, rng=rng).p_value <= 0.05
        with pytest.warns(ReplicatedRecordsWarning, match="not independent: with 50"):
            replicated += (
                surrogate_test(table, GRR(1.0), surrogates=199, unit="replicate", rng=rng).p_value <= 0.05
            )
    assert rejected <= 16
    assert replicated >= 55


def test_infinite_values_count_as_reached():
    found = surrogate_test([[5, 0], [0, 5]], surrogates=500, rng=1)
    assert found.leakage.value == math.inf
    exact = sum(weight for weight, value in hypergeometric([[5, 0], [0, 5]]) if value == math.inf)
    assert found.p_value == pytest.approx(exact, abs=0.02)


def test_nothing_to_test():
    found = surrogate_test([[5, 7], [0, 0]], GRR(1.0), surrogates=20, rng=1)
    assert (found.leakage.value, found.p_value) == (0, 1)


def test_strong_leakage_is_found():
    found = surrogate_test(titanic().marginal(["survived", "sex"]), GRR(1.0), surrogates=999, rng=1)
    assert found.p_value == 1 / 1000
    assert str(found).endswith("p = 0.001 (999 surrogates of records)")


@pytest.mark.parametrize("method", ["dirichlet", "bootstrap"])
@pytest.mark.parametrize("output", ["raw", "inferred"])
def test_intervals_narrow_with_records(method, output):
    widths = []
    for times in (1, 100):
        table = JointDistribution.from_counts(times * np.array([[30, 20, 10], [10, 20, 30]]))
        found = pair_interval(table, mechanism_named("OUE", 1.0), output, method=method, rng=1, draws=400)
        low, high = found.interval
        assert found.status == "estimate"
        assert low < high
        widths.append(high - low)
        if times == 100:
            assert low < found.value < high
    assert 5 < widths[0] / widths[1] < 20


def test_an_interval_draws_what_single_tables_leak():
    from pdp_widgets.leakage.drawn_tables import drawn_tables

    table = JointDistribution.from_counts([[9, 3, 2], [4, 8, 5], [0, 0, 0]])
    for mechanism, output in product((GRR(1.0), AnyMechanism(1.0), SS(1.0, omega=2)), ("raw",)):
        found = pair_interval(table, mechanism, output, draws=50, level=0.9, rng=2, zeros="structural")
        tables = drawn_tables(table, draws=50, rng=2, zeros="structural")
        values = [pair_leakage(one, mechanism, output).value for one in tables]
        assert found.interval == pytest.approx(tuple(np.quantile(values, [0.05, 0.95])), rel=1e-12)
        assert "90 % interval from 50 tables" in found.source


def test_wrong_input_is_named():
    counts = [[3, 4], [5, 6]]
    with pytest.raises(TableError, match=r"Entry \(0, 1\) of the table is 0.5"):
        simulated_leakage([[3, 0.5], [1, 2]], GRR(1.0))
    with pytest.raises(TableError, match="give counts of records"):
        simulated_leakage(JointDistribution([[0.5, 0.5], [0, 0]]), GRR(1.0))
    with pytest.raises(TableError, match="repeats is 0"):
        simulated_leakage(counts, GRR(1.0), repeats=0)
    with pytest.raises(BudgetError, match="guess"):
        simulated_leakage(counts, AnyMechanism(1.0))
    for alpha in (-1, math.nan, "half", True):
        with pytest.raises(TableError, match="alpha is"):
            statistical_leakage(counts, alpha)
    with pytest.raises(TableError, match="surrogates is 0"):
        surrogate_test(counts, surrogates=0)
    with pytest.raises(TableError, match="unit is 'person'"):
        surrogate_test(counts, unit="person")
    with pytest.raises(BudgetError, match="name the mechanism"):
        surrogate_test(counts, unit="replicate")
    with pytest.raises(TableError, match=r"Entry \(0, 0\) of the table is 0.5; counts are whole"):
        pair_interval([[0.5, 0.5], [0, 0]], GRR(1.0))
    with pytest.raises(TableError, match="does not come from counts"):
        pair_interval(JointDistribution([[0.5, 0.5], [0, 0]]), GRR(1.0))
    with pytest.raises(DomainError, match="have 4 attributes"):
        pair_interval(titanic(), GRR(1.0))


@pytest.mark.parametrize("make", [titanic, lambda: AttributeTable.from_counts(titanic())])
def test_two_names_choose_the_secret_and_the_source_of_records(make):
    counts = titanic().marginal(["survived", "class"])
    data, names = make(), ["survived", "class"]
    assert statistical_leakage(data, names=names) == statistical_leakage(counts)
    for mechanism in (None, GRR(1.0)):
        got = surrogate_test(data, mechanism, names=names, surrogates=50, rng=1)
        wanted = surrogate_test(counts, mechanism, surrogates=50, rng=1)
        assert got.leakage == wanted.leakage
        assert got.p_value == wanted.p_value
    two = data.marginal(["class", "survived"])
    assert statistical_leakage(two, names=names) == statistical_leakage(counts)


@pytest.mark.parametrize("ask", [statistical_leakage, surrogate_test])
@pytest.mark.parametrize("make", [titanic, lambda: AttributeTable.from_counts(titanic())])
def test_more_than_two_attributes_need_two_names(ask, make):
    wanted = r"choose two of 'class', 'sex', 'age', 'survived'. Give .*names=\[secret, source\]"
    for names in (None, ["class", "deck"]):
        with pytest.raises(DomainError, match=wanted):
            ask(make(), names=names)
    for names in (["class", "class"], 5, ["class"]):
        with pytest.raises(DomainError):
            ask(make(), names=names)
