"""Theorems 5 and 7: chains and blocks exactly, what is proved of them, and the printed formulas."""

from itertools import product
from math import exp, inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import SelectedCount
from pdp_widgets.anonymity import (
    EqualBlocks,
    RecordLaw,
    RecordSum,
    WindowChain,
    count_slack,
    dependent_bound,
    dependent_printed,
    gaussian_epsilon,
    step_multiplier,
    sum_slack,
)
from pdp_widgets.errors import AdversaryError, BudgetError, LimitError, TableError
from pdp_widgets.leakage.noiseless.dependent_bounds import dependent_distance, dependent_printed_epsilon
from tests.leakage.noiseless.enumerated import aligned, largest_gap, law_of_outputs

FAIR = {0: 0.5, 1: 0.5}
EVENTS = ("halfline", "interval", "all")
T5 = ("T5-statement", "T5-proof")
RULES = {"and": all, "or": any, "xor": lambda bits: sum(bits) % 2}


def every_row(n, m, q, rule):
    """Every row of records with its probability."""
    for bits in product((0, 1), repeat=n + m):
        row = [int(RULES[rule](bits[i : i + m + 1])) for i in range(n)]
        yield row, q ** sum(bits) * (1 - q) ** (n + m - sum(bits))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("n", "m", "q", "target"),
    [(1, 0, 0.3, 0), (6, 1, 0.5, 2), (5, 2, 0.3, 0), (4, 3, 0.7, 3), (3, 5, 0.5, 1)],
)
def test_chains_by_listing_every_row(n, m, q, target, rule):
    chain = WindowChain(n, m, q, rule, target)
    rows = list(every_row(n, m, q, rule))
    sums = law_of_outputs((sum(row), w) for row, w in rows)
    assert chain.law == pytest.approx([sums.get(s, 0.0) for s in range(n + 1)], abs=1e-14)
    assert chain.mean == pytest.approx(sum(s * w for s, w in sums.items()))
    assert chain.variance == pytest.approx(sum((s - chain.mean) ** 2 * w for s, w in sums.items()))
    given_value = []
    for value in (1, 0):
        law = law_of_outputs((sum(row), w) for row, w in rows if row[target] == value)
        total = sum(law.values())
        given_value.append({s: w / total for s, w in law.items()})
        assert chain.given(value) == pytest.approx(
            [given_value[-1].get(s, 0.0) for s in range(n + 1)], abs=1e-14
        )
    shifted = {s + 1: w for s, w in sums.items()}
    for events in EVENTS:
        for epsilon in (0.0, 0.3, 1.5):
            record = largest_gap(*aligned(*given_value), epsilon, events)
            assert chain.slack(epsilon, events).delta == pytest.approx(record, abs=1e-13)
            shift = largest_gap(*aligned(sums, shifted), epsilon, events)
            assert chain.slack(epsilon, events, "shift").delta == pytest.approx(shift, abs=1e-13)


@pytest.mark.parametrize(("n", "m"), [(1, 3), (5, 1), (5, 2), (5, 4), (4, 9), (30, 3)])
def test_the_largest_neighbourhood(n, m):
    counted = max(sum(abs(i - j) <= m for j in range(n)) for i in range(n))
    assert WindowChain(n, m, 0.5).neighbours == counted <= 2 * m + 1


@pytest.mark.parametrize(
    ("epsilon", "record", "shift"),
    [(0.2, 0.123113, 0.0532495), (0.5, 0.0573764, 0.0156827), (1.0, 0.0142844, 0.00236090)],
)
def test_the_table_of_the_chain(epsilon, record, shift):
    chain = WindowChain(40, 1, 0.5, "and", 20)
    found = chain.slack(epsilon).delta, chain.slack(epsilon, model="shift").delta
    assert found == pytest.approx((record, shift), rel=6e-6)


@pytest.mark.parametrize("m", [0, 1, 3])
def test_parities_of_fair_bits_are_independent(m):
    levels = [0.0, 0.1, 0.5, 2.0, inf]
    expected = count_slack(SelectedCount(39, 1, 0.5, release="count"), levels).delta
    found = WindowChain(40, m, 0.5, "xor", 20).slack(levels).delta
    assert found == pytest.approx(expected, rel=1e-11)


def test_a_record_of_a_chain_is_hidden_less_than_a_shift_by_itself():
    """What moves with the record is not in the paper's comparison; given the bits around, it is bounded."""
    for rule in ("and", "or"):
        chain = WindowChain(8, 1, 0.5, rule, 4)
        for epsilon in (0.0, 0.2, 0.5, 1.0):
            record, shift = chain.slack(epsilon).delta, chain.slack(epsilon, model="shift").delta
            assert record > shift
            assert record <= conditioned_shift(chain, epsilon) + 1e-12


def conditioned_shift(chain, epsilon):
    """The largest slack of a shift by up to a neighbourhood, given the bits outside the target's window."""
    n, m, q, target = chain.n, chain.m, chain.q, chain.target
    window = set(range(target, target + m + 1))
    near = [i for i in range(n) if abs(i - target) <= m]
    feeding = sorted({b for i in near for b in range(i, i + m + 1)} - window)
    worst = 0.0
    for fixed in product((0, 1), repeat=len(feeding)):
        law = {}
        for bits in product((0, 1), repeat=n + m):
            if all(bits[b] == v for b, v in zip(feeding, fixed, strict=True)) and all(
                bits[b] == 0 for b in window
            ):
                outside = [i for i in range(n) if i not in near]
                total = sum(int(RULES[chain.rule](bits[i : i + m + 1])) for i in outside)
                free = [bits[b] for b in range(n + m) if b not in window and b not in feeding]
                law[total] = law.get(total, 0.0) + q ** sum(free) * (1 - q) ** (len(free) - sum(free))
        for shift in range(len(near) + 1):
            moved = {value + shift: chance for value, chance in law.items()}
            worst = max(worst, largest_gap(*aligned(law, moved), epsilon, "all"))
    return worst


def test_values_that_never_occur_are_refused():
    chain = WindowChain(5, 1, 1e-200, "and", 2)
    assert chain.given(0)[0] == pytest.approx(1)
    with pytest.raises(AdversaryError, match="Record 2 is never 1 under the rule 'and'"):
        chain.slack(1.0)
    with pytest.raises(BudgetError, match="value is 2"):
        chain.given(2)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ((0, 1, 0.5), BudgetError, "n is 0"),
        ((5, -1, 0.5), BudgetError, "m is -1"),
        ((5, 1, 0.0), BudgetError, "q is 0"),
        ((5, 1, 1.0), BudgetError, "q is 1"),
        ((5, 1, 0.5, "nand"), BudgetError, "'and', 'or' or 'xor'"),
        ((5, 1, 0.5, "and", 5), BudgetError, "target is 5"),
        ((100_000, 1, 0.5), LimitError, "A chain of 100,000 records"),
        ((1000, 20, 0.5), LimitError, "windows of 21 bits"),
    ],
)
def test_chains_that_are_none_are_refused(arguments, kind, message):
    with pytest.raises(kind, match=message):
        WindowChain(*arguments)


def test_unknown_models_are_refused():
    with pytest.raises(BudgetError, match="'record' or 'shift'"):
        WindowChain(5, 1, 0.5).slack(1.0, model="both")


@given(st.integers(0, 30), st.integers(1, 8), st.floats(0, 2))
def test_blocks_are_sums_of_fewer_larger_records(size, block, epsilon):
    blocks = EqualBlocks(FAIR, size, block)
    whole, left = divmod(size, block)
    law = {0: 1.0}
    for width in [block] * whole + ([left] if left else []):
        law = law_of_outputs((s + move, w / 2) for s, w in law.items() for move in (0, width))
    moved = {s + block: w for s, w in law.items()}
    p, q = aligned(law, moved)
    expected = sum(max(a - exp(epsilon) * b, 0) for a, b in zip(p, q, strict=True))
    back = sum(max(b - exp(epsilon) * a, 0) for a, b in zip(p, q, strict=True))
    assert blocks.slack(epsilon).delta == pytest.approx(max(expected, back), abs=1e-12)
    assert blocks.others.mean == pytest.approx(size / 2)
    for events in EVENTS[:2]:
        bound = blocks.bound(epsilon, events=events).delta
        assert blocks.slack(epsilon, events=events).delta <= bound + 1e-12


def test_blocks_of_one_are_independent_records():
    levels = np.linspace(0, 3, 7)
    one = EqualBlocks(RecordLaw([0, 2, 5], [0.5, 0.3, 0.2]), 40)
    expected = sum_slack(RecordSum.equal(one.record, 40), 5, levels).delta
    assert one.slack(levels).delta.tolist() == expected.tolist()
    assert one.epsilon(0.1).epsilon > one.epsilon(0.2).epsilon
    assert one.presence(1.0).delta <= max(sum_slack(one.others, x, 1.0).delta for x in (0, 2, 5))
    assert EqualBlocks(FAIR, 0, 3).slack(2.0).delta == 1


def test_blocks_say_what_they_are_about():
    blocks = EqualBlocks(FAIR, 7, 3)
    hidden = "sum of 7 unknown records in 3 blocks"
    for found in (blocks.slack(0.1), blocks.slack([0.1]), blocks.epsilon(0.5), blocks.bound(0.1)):
        assert found.about == f"{hidden}, against the sum 3 higher"
    assert blocks.slack(0.1, -2).about == f"{hidden}, against the sum 2 higher"
    assert blocks.presence(0.1).about == f"{hidden} with the target's block, against that without it"


def test_printed_slacks_of_blocks_are_below_the_truth():
    """Ten blocks of ten equal records, and a hundred: the share of dependence says little of it."""
    signs = {-1: 0.5, 1: 0.5}
    for n, share, statement, proof, exact in (
        (100, 0.1, 0.1137, 0.2108, 0.2250),
        (1000, 0.01, 0.0319, 0.0425, 0.0697),
    ):
        blocks = EqualBlocks(signs, n, 10)
        sigma = sqrt(blocks.others.variance)
        assert sigma == pytest.approx(10 * sqrt(n / 10))
        epsilon = dependent_printed_epsilon(1, sigma, n)
        found = [
            dependent_printed(share, 0, sqrt(n), sigma, n, epsilon, reading).delta
            for reading in ("T5-statement", "T5-proof")
        ]
        assert found == pytest.approx([statement, proof], abs=6e-5)
        truth = blocks.slack(epsilon, 1, "halfline").delta
        assert truth == pytest.approx(exact, abs=6e-5)
        assert truth > max(found)
        assert blocks.bound(epsilon, 1).delta > truth


@pytest.mark.parametrize(
    ("lambda1", "statement", "proof"),
    [
        (0.1, 0.0130013, 0.0328111),
        (0.3, 0.0248404, 0.0622047),
        (0.5, 0.0415966, 0.0867845),
        (0.7, 0.0621002, 0.109043),
        (0.9, 0.0857602, 0.129812),
    ],
)
def test_figure_2a(lambda1, statement, proof):
    found = [dependent_printed(lambda1, 5, 1, 50, 10_000, 0.1, reading).delta for reading in T5]
    assert found == pytest.approx([statement, proof], rel=6e-6)


@pytest.mark.parametrize(
    ("size", "distance", "halfline", "interval"),
    [
        (1, 0.0313803, 0.0660608, 0.132122),
        (2, 0.0531282, 0.111844, 0.223688),
        (5, 0.107007, 0.225269, 0.450537),
        (20, 0.313030, 0.658981, 1.31796),
    ],
)
def test_figure_2a_corrected(size, distance, halfline, interval):
    found = (
        dependent_distance(size, 5, 1, 50),
        dependent_bound(size, 5, 1, 50, 1, 0.1).delta,
        dependent_bound(size, 5, 1, 50, 1, 0.1, "interval").delta,
    )
    assert found == pytest.approx((distance, halfline, interval), rel=6e-6)


@pytest.mark.parametrize(
    ("epsilon", "statement", "proof", "halfline"),
    [
        (0.05, 0.0180854, 0.0474655, 0.0644105),
        (0.2, 0.0183888, 0.0505728, 0.0697082),
        (1.0, 0.0206936, 0.0779126, 0.116681),
    ],
)
def test_figure_2b(epsilon, statement, proof, halfline):
    found = [dependent_printed(0.2, 5, 1, 50, 10_000, epsilon, reading).delta for reading in T5]
    found.append(dependent_bound(1, 5, 1, 50, 1, epsilon).delta)
    assert found == pytest.approx([statement, proof, halfline], rel=6e-6)


@pytest.mark.parametrize(
    ("share", "row"),
    [
        (0.1, (0.255234, 0.183747, 0.0285588, 0.0983006, 0.109971, 0.0791035, 0.239056, 0.467571)),
        (0.3, (0.144923, 0.195776, 0.0364226, 0.0943573, 0.108418, 0.0880599, 0.241706, 0.471459)),
        (0.5, (0.109697, 0.213098, 0.0458332, 0.0949603, 0.111899, 0.101581, 0.245793, 0.477444)),
        (0.9, (0.0722286, 0.318514, 0.0769281, 0.110824, 0.149494, 0.198611, 0.277890, 0.524158)),
    ],
)
def test_figure_4(share, row):
    sigma, n = sqrt(1000 * share), 1e4 * (1 - share)
    epsilon = dependent_printed_epsilon(1, sigma, n, 20, 0.1)
    printed = [
        dependent_printed(0.1, 5 * share, 5 * share, sigma, n, epsilon, reading, share).delta
        for reading in ("T7-statement", "T7-mixed", "T7-proof")
    ]
    fewer = 2000 * (1 - share)
    few = dependent_printed(
        0.1,
        5 * share,
        5 * share,
        sigma,
        fewer,
        dependent_printed_epsilon(1, sigma, fewer, 20, 0.1),
        "T7-proof",
    ).delta
    x = 1 - share
    step = gaussian_epsilon(n**-0.5, 1, sqrt(1000 * x)).epsilon
    distance = dependent_distance(1, 5 * x, (5 * x) ** 2, sqrt(1000 * x))
    corrected = [kappa * (1 + exp(step)) * distance + n**-0.5 for kappa in (1, 2)]
    assert (epsilon, *printed, few, step, *corrected) == pytest.approx(row, rel=6e-6)


def test_the_chain_of_the_paper_needs_very_many_records():
    """The 1-dependent chain of ANDs has variance and moments in closed form; D = 3."""
    for n, expected in ((10**4, 0.846), (10**5, 0.476), (10**6, 0.268)):
        variance = 3 / 16 * n + 2 * (n - 1) * (1 / 8 - 1 / 16)
        third, fourth = (n * (0.75 * 0.25**p + 0.25 * 0.75**p) for p in (3, 4))
        found = dependent_bound(3, third, fourth, sqrt(variance), 1, 0.1).delta
        assert found == pytest.approx(expected, abs=1e-3)
    chain = WindowChain(200, 1, 0.5)
    assert chain.variance == pytest.approx(3 / 16 * 200 + 2 * 199 / 16)


def test_edges_of_dependent_sums():
    assert dependent_distance(3, 0, 0, 0) is None
    assert dependent_bound(3, 0, 0, 0, 1, [0.5, inf]).delta.tolist() == [1.0, 1.0]
    assert dependent_bound(3, 0, 0, 0, 0, 0.5).delta == 0
    assert dependent_bound(3, 5, 1, 50, 0, 0.5).delta == 0
    assert dependent_bound(3, 5, 1, 50, 1, inf).state == "vacuous"
    smaller = dependent_bound(3, 5, 1, 50, 1, 0.5, constant=26)
    assert smaller.delta < dependent_bound(3, 5, 1, 50, 1, 0.5).delta
    for reading in ("T5-statement", "T5-proof", "T7-proof"):
        assert dependent_printed(0.1, 5, 1, 0, 100, 0.5, reading).state == "undefined"
        assert dependent_printed(1, -90, 0.0, 3, 100, 0.3, reading).state == "undefined"
        # Up to the largest floats nothing is raised.
        assert dependent_printed(0.1, 5, 1, 50, 100, [800.0, inf], reading).states == ("vacuous", "vacuous")
    assert dependent_printed_epsilon(1, 0, 100) == inf
    assert dependent_printed_epsilon(1, 10, 100) == pytest.approx(step_multiplier(100).first / 10)


def test_units_matter_to_the_printed_theorem_only():
    """Adding 10 to fair bits changes nothing but the raw moments."""
    found = []
    for added in (0, 10):
        law = RecordLaw([added, added + 1], [0.5, 0.5])
        third, fourth = 100 * law.raw(3), sqrt(100 * law.raw(4))
        found.append(dependent_printed(1, third, fourth, 5, 100, 0.3).delta)
    assert found == pytest.approx([4.72, 136.8], rel=2e-3)
    skewed = RecordLaw([-1, 0], [0.9, 0.1])
    third, fourth = 100 * skewed.raw(3), sqrt(100 * skewed.raw(4))
    assert dependent_printed(1, third, fourth, 3, 100, 0.3).state == "undefined"


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: dependent_bound(0, 5, 1, 50, 1, 0.1), BudgetError, "D is 0"),
        (lambda: dependent_bound(0.1, 5, 1, 50, 1, 0.1), BudgetError, "D is 0.1"),
        (lambda: dependent_bound(1, -5, 1, 50, 1, 0.1), BudgetError, "abs3 is -5"),
        (lambda: dependent_bound(1, 5, -1, 50, 1, 0.1), BudgetError, "m4 is -1"),
        (lambda: dependent_bound(1, 5, 1, -50, 1, 0.1), BudgetError, "sigma is -50"),
        (lambda: dependent_bound(1, 5, 1, 50, 1, -0.1), BudgetError, "epsilon is -0.1"),
        (lambda: dependent_bound(1, 5, 1, 50, 1, 0.1, "all"), BudgetError, "events are 'all'"),
        (lambda: dependent_bound(1, 5, 1, 50, 1, 0.1, constant=27), BudgetError, "28 or 26"),
        (lambda: dependent_printed(0.1, 5, 1, 50, 0, 0.1), BudgetError, "n_eff is 0"),
        (lambda: dependent_printed(0.1, 5, 1, -1, 5, 0.1), BudgetError, "sigma is -1"),
        (lambda: dependent_printed(0.1, 5, 1, 50, 5, 0.1, "T6"), BudgetError, "reading is 'T6'"),
        (lambda: dependent_printed(0.1, 5, 1, 50, 5, 0.1, "T7-mixed"), BudgetError, "lambda2 is missing"),
        (lambda: dependent_printed(float("nan"), 5, 1, 50, 5, 0.1), BudgetError, "lambda1 is nan"),
        (lambda: EqualBlocks(FAIR, -1), BudgetError, "size is -1"),
        (lambda: EqualBlocks(FAIR, 5, 0), BudgetError, "neighbours is 0"),
        (lambda: EqualBlocks([1, 2], 5), TableError, "probabilities by value"),
    ],
)
def test_what_is_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call()
