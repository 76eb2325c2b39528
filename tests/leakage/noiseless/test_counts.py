"""Theorem 1: the exact slack of a count, what is proved of it, and where the printed formulas fail."""

from math import comb, exp, factorial, inf, log, log1p, nextafter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betainc

from pdp_widgets import SelectedCount
from pdp_widgets.anonymity import (
    count_bound,
    count_bound_epsilon,
    count_epsilon,
    count_printed,
    count_printed_epsilon,
    count_slack,
    sampled_groups_slack,
    set_release_slack,
)
from pdp_widgets.errors import BudgetError, DomainError
from pdp_widgets.mechanisms.anonymity.selected_count import binomial_law
from tests.leakage.noiseless.enumerated import law_of_outputs, positive_part, subsets

EPSILONS = [0.1, 0.25, 0.5, 1.0, 1.5]
#: Section 5.7: printed, corrected, Chernoff, count, suppressed, literal.
TABLES = {
    (100, 30, 0.5): [
        (0.92142, 0.92142, 0.92140, 0.041133, 0.041133, 0.041135),
        (0.51267, 0.51267, 0.51190, 0.011495, 0.011495, 0.011499),
        (0.059775, 0.059775, 0.058178, 5.6986e-4, 5.6986e-4, 5.8030e-4),
        (2.9518e-5, 2.9518e-5, 1.9850e-5, 8.0026e-8, 8.0026e-8, 2.3171e-5),
        (2.1894e-9, 2.1894e-9, 4.4318e-10, 1.3885e-12, 1.3885e-12, 2.3171e-5),
    ],
    (1000, 50, 0.1): [
        (0.86615, 0.86615, 0.67737, 0.010952, 0.010952, 0.010952),
        (0.43385, 0.43936, 0.087341, 5.9519e-4, 5.9519e-4, 5.9519e-4),
        (0.061137, 0.066643, 1.9515e-4, 5.9031e-7, 5.9031e-7, 5.9212e-7),
        (1.1176e-15, 6.3198e-4, 5.1667e-12, 8.7260e-15, 4.594e-36, 3.2085e-9),
        (2.22e-47, 1.0271e-5, 4.5089e-20, 7.1169e-23, 2.37e-91, 3.2085e-9),
    ],
}


@pytest.mark.parametrize("case", TABLES)
def test_the_table_of_deltas(case):
    n, k, p = case
    columns = [
        count_printed(n, k, p, EPSILONS).delta,
        count_bound(n, p, EPSILONS, "hoeffding").delta,
        count_bound(n, p, EPSILONS).delta,
        *(
            count_slack(SelectedCount(n, k, p, release=r), EPSILONS).delta
            for r in ("count", "suppress", "literal")
        ),
    ]
    for found, row in zip(np.transpose(columns), TABLES[case], strict=True):
        for got, printed in zip(found, row, strict=True):
            digits = 3 if printed in (2.22e-47, 2.37e-91) else 4 if printed == 4.594e-36 else 5
            assert got == pytest.approx(printed, rel=0.6 * 10 ** (1 - digits))
    if case == (100, 30, 0.5):
        assert set_release_slack(n, k, p, EPSILONS).delta == pytest.approx(0.5, abs=1e-5)


@pytest.mark.parametrize(
    ("delta", "row"),
    [
        (1e-3, (0.751961, 0.824906, 0.950295, 0.226871)),
        (1e-4, (0.767627, 0.840609, 1.20884, 0.323278)),
        (1e-5, (0.769329, 0.842318, 1.50373, 0.406424)),
    ],
)
def test_the_table_of_epsilons(delta, row):
    n, k, p = 1000, 50, 0.1
    found = (
        count_printed_epsilon(n, k, p, delta),
        count_printed_epsilon(n, k, p, delta, factor2=True),
        count_bound_epsilon(n, p, delta),
        count_epsilon(SelectedCount(n, k, p), delta),
    )
    assert [float(part) for part in found] == pytest.approx(row, rel=1e-5)
    assert [part.status for part in found] == ["as printed", "as printed", "bound", "exact"]
    assert f"{found[0].domain_minimum:.4e}" == "3.2085e-09"


def output(kind, k, count):
    return count if kind == "count" or count >= k else "nothing"


@pytest.mark.parametrize("neighbour", ["shift", "remove", "add"])
@pytest.mark.parametrize("kind", ["count", "suppress", "conditional"])
@pytest.mark.parametrize(("n", "k", "p"), [(1, 1, 0.3), (5, 2, 0.5), (7, 7, 0.9), (6, 1, 0.05)])
def test_counts_by_listing_every_selection(n, k, p, kind, neighbour):
    if kind == "conditional" and neighbour == "remove" and k == n:
        with pytest.raises(BudgetError, match="never"):
            SelectedCount(n, k, p, neighbour, kind)
        return
    other = {"shift": n, "remove": n - 1, "add": n + 1}[neighbour]
    moved = 1 if neighbour == "shift" else 0
    laws = []
    for size, extra in ((n, 0), (other, moved)):
        law = law_of_outputs((output(kind, k, sum(chosen) + extra), w) for chosen, w in subsets(size, p))
        if kind == "conditional":
            law.pop("nothing", None)
            whole = sum(law.values())
            law = {count: w / whole for count, w in law.items()}
        laws.append(law)
    release = SelectedCount(n, k, p, neighbour, kind)
    for epsilon in (0.0, 0.2, 1.0, 3.0):
        expected = positive_part(*laws, epsilon)
        assert count_slack(release, epsilon).delta == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert len(release.outcomes) == len(release.laws()[0])


@pytest.mark.parametrize(("n", "k", "p"), [(4, 1, 0.3), (5, 3, 0.5), (3, 3, 0.9), (1, 1, 0.2), (9, 3, 0.3)])
def test_published_records_by_listing_every_selection(n, k, p):
    def published(size):
        return law_of_outputs(
            (str(chosen + (0,) * (n - size)) if sum(chosen) >= k else "nothing", w)
            for chosen, w in subsets(size, p)
        )

    for epsilon in (0.0, 0.1, -log1p(-p), 2.0):
        expected = positive_part(published(n), published(n - 1), epsilon)
        assert set_release_slack(n, k, p, epsilon).delta == pytest.approx(expected, rel=1e-12)


def test_published_records_do_not_hide_at_any_epsilon():
    found = set_release_slack(100, 30, 0.5, [1.0, 5.0, 800.0, inf])
    assert found.delta == pytest.approx(0.4999954355997631, rel=1e-12)
    assert count_printed(100, 30, 0.5, 1.0).delta < 3e-5


@given(st.integers(1, 300), st.floats(0.002, 0.998), st.floats(0, 8), st.data())
def test_bounds_are_never_below_the_truth(n, p, epsilon, data):
    k = data.draw(st.integers(1, n))
    exact = count_slack(SelectedCount(n, k, p, release="count"), epsilon).delta
    held = count_slack(SelectedCount(n, k, p), epsilon).delta
    chernoff, hoeffding = (count_bound(n, p, epsilon, form).delta for form in ("kl", "hoeffding"))
    # Withholding is done to the count: it cannot tell more.
    assert held <= exact * (1 + 1e-12) + 1e-300
    assert exact <= chernoff * (1 + 1e-9)
    assert chernoff <= hoeffding * (1 + 1e-9)


@given(st.integers(1, 300), st.floats(0.002, 0.998), st.floats(1e-9, 0.99))
def test_bounds_on_epsilon_are_never_below_the_truth(n, p, delta):
    bound = count_bound_epsilon(n, p, delta).epsilon
    assert count_epsilon(SelectedCount(n, 1, p, release="count"), delta).epsilon <= max(bound, 0) + 1e-9


@given(st.integers(2, 60), st.floats(0.05, 0.95), st.data())
def test_the_slack_falls_with_epsilon(n, p, data):
    release = SelectedCount(
        n,
        data.draw(st.integers(1, n - 1)),
        p,
        data.draw(st.sampled_from(["shift", "remove", "add"])),
        data.draw(st.sampled_from(["count", "suppress", "conditional"])),
    )
    curve = count_slack(release, np.linspace(0, 4, 9)).delta
    assert (np.diff(curve) <= 1e-15).all()
    limit = count_slack(release, inf).delta
    assert (curve >= limit - 1e-15).all()


@pytest.mark.parametrize(
    ("n", "k", "p", "epsilon", "reading", "printed", "release", "exact"),
    [
        (50, 2, 0.05, 1.0, "proof", -0.00346, "suppress", 0.0703),
        (100, 1, 0.02, 3.0, "statement", 0.00741, "suppress", 0.1326),
        (100, 45, 0.5, 2.0, "statement", 3.05e-13, "literal", 0.0561),
        (1000, 95, 0.1, 3.0, "statement", 2.4e-303, "literal", 0.0522),
    ],
)
def test_printed_deltas_below_the_truth(n, k, p, epsilon, reading, printed, release, exact):
    found = count_printed(n, k, p, epsilon, reading)
    assert found.delta == pytest.approx(printed, rel=0.01)
    truth = count_slack(SelectedCount(n, k, p, release=release), epsilon)
    assert truth.delta == pytest.approx(exact, abs=6e-5)
    assert found.delta < truth.delta


@pytest.mark.parametrize(
    ("n", "k", "p", "delta", "release", "printed", "exact"),
    [
        (1000, 1, 0.005, 0.041, "suppress", 0.5055, 0.0587),
        (1100, 1, 0.0045, 0.042, "suppress", 0.3301, 0.0929),
        (10, 9, 0.95, 0.3152, "suppress", 4.224, 0.5987),
        (50, 9, 0.2, 0.136424, "literal", 0.1564, 0.1969),
    ],
)
def test_printed_epsilons_below_the_truth(n, k, p, delta, release, printed, exact):
    found = count_printed_epsilon(n, k, p, delta)
    assert found.epsilon == pytest.approx(printed, rel=2e-4)
    assert found.delta_in_domain
    assert found.fits_below
    assert found.fits_above
    truth = count_slack(SelectedCount(n, k, p, release=release), found.epsilon).delta
    assert truth == pytest.approx(exact, abs=6e-5)
    assert truth > delta


def test_readings_differ():
    found = [count_printed_epsilon(50, 9, 0.2, 0.136424, r).epsilon for r in ("proof", "max", "power", "eq8")]
    assert found == pytest.approx([0.0928, 0.1564, 0.3698, 0.4097], abs=6e-5)
    deltas = [count_printed(50, 9, 0.2, 0.5, r).delta for r in ("statement", "proof", "final", "garbled")]
    assert len(set(deltas)) >= 3
    low = count_printed_epsilon(200, 40, 0.4, 7.92e-10, "proof").epsilon
    assert low == pytest.approx(0.8396, abs=6e-5)
    assert count_slack(SelectedCount(200, 40, 0.4), low).delta == pytest.approx(2.35e-9, rel=0.01)


def test_counts_cut_first_have_a_floor():
    law = binomial_law(100, 0.5)
    floor = law[45] / law[45:].sum()
    found = count_slack(SelectedCount(100, 45, 0.5, release="literal"), [2.0, 50.0, 900.0, inf]).delta
    assert found == pytest.approx(floor, rel=1e-12)


@pytest.mark.parametrize(("n", "p"), [(1, 0.5), (30, 0.1), (1000, 0.003), (10_000, 0.7)])
def test_binomial_laws(n, p):
    law = binomial_law(n, p)
    assert law.sum() == pytest.approx(1.0, abs=1e-12)
    for a in {0, 1, n // 3, int(n * p), n}:
        expected = comb(n, a) * p**a * (1 - p) ** (n - a) if n <= 1000 else None
        if expected:
            assert law[a] == pytest.approx(expected, rel=1e-11)
    least = int(n * p) // 2
    assert binomial_law(n, p, least) == pytest.approx(law[least:] / law[least:].sum(), rel=1e-11, abs=1e-300)


def test_a_law_can_be_conditioned_on_what_never_happens():
    found = SelectedCount(10_000, 9_999, 0.001, release="conditional").laws()[0]
    # Two counts are left; the higher one is p / (n q) times as likely.
    assert found[1] / found[0] == pytest.approx(0.001 / 0.999 / 10_000, rel=1e-11)


@pytest.mark.parametrize(
    ("k", "beta", "expected"), [(5, 0.1, 1.765e-4), (10, 0.2, 4.605e-5), (20, 0.2, 6.033e-9)]
)
def test_sampled_groups(k, beta, expected):
    found = sampled_groups_slack(k, beta, 1.0)
    assert found.delta == pytest.approx(expected, rel=5e-4)
    assert found.status == "bound"
    for n in (k, k + 3, found.worst_size, 4 * found.worst_size):
        exact = count_slack(SelectedCount(n, k, beta, "remove"), 1.0).delta
        assert exact <= found.delta * (1 + 1e-9)


def test_sampled_groups_look_far_enough():
    for k, beta, epsilon in ((1, 0.5, 0.7), (3, 0.3, 0.4), (7, 0.05, 2.0), (12, 0.6, 0.93)):
        gamma = (exp(epsilon) - 1 + beta) / exp(epsilon)
        tails = {}
        for n in range(1, 40 * k + 400):
            least = max(k, int(gamma * n * (1 + 1e-12)) + 1)
            tails[n] = binomial_law(n, beta)[least:].sum() if least <= n else 0.0
        found = sampled_groups_slack(k, beta, epsilon)
        assert found.delta == pytest.approx(max(tails.values()), rel=1e-10)
        assert tails[found.worst_size] == pytest.approx(found.delta, rel=1e-10)


def test_sampled_groups_where_the_search_begins_at_a_whole_number():
    """With gamma = 1/2 and k = 2 a group of 3 is worst: one of 4 = k/gamma needs another record already."""
    epsilon = log(1.6)
    found = sampled_groups_slack(2, 0.2, epsilon)
    assert (found.delta, found.worst_size) == (pytest.approx(3 * 0.2**2 * 0.8 + 0.2**3), 3)
    assert found.delta > max(binomial_law(n, 0.2)[n // 2 + 1 :].sum() for n in range(4, 60))


@given(st.integers(1, 12), st.floats(1e-5, 0.9), st.floats(0, 3))
def test_sampled_groups_far_out_are_never_worse(k, beta, more):
    """The tail is worst just below a size that needs another record: all such sizes up to many times k."""
    epsilon = -log1p(-beta) + more
    gamma = 1 - (1 - beta) * exp(-epsilon)
    needed = np.arange(k, 20 * k + 60)
    sizes = np.maximum(np.ceil(needed / gamma) - 1, needed)
    found = sampled_groups_slack(k, beta, epsilon).delta
    valid = np.floor(gamma * sizes * (1 + 1e-12)) + 1 <= needed
    tails = betainc(needed, sizes - needed + 1, beta)[valid]
    assert found >= tails.max(initial=0.0) * (1 - 1e-9)
    levels = [epsilon, epsilon + 0.5, inf]
    curve = sampled_groups_slack(k, beta, levels)
    assert curve.delta.tolist() == [sampled_groups_slack(k, beta, level).delta for level in levels]


def test_sampled_groups_at_the_edges():
    least = -log1p(-0.25)
    assert sampled_groups_slack(3, 0.25, least).delta > 0
    with pytest.raises(BudgetError, match="at least -ln"):
        sampled_groups_slack(3, 0.25, nextafter(least, 0))
    assert sampled_groups_slack(3, 0.25, inf).delta == 0
    assert sampled_groups_slack(3, 0.25, inf).worst_size == 1


@pytest.mark.parametrize("k", [2, 7])
@pytest.mark.parametrize("beta", [1e-9, 1e-11, 1e-14, 1e-16, 1e-19, 1e-25, 1e-300, 5e-324])
def test_rarely_kept_records_are_poisson_ones(k, beta):
    # At three times the least epsilon k / 4 of the worst group are expected to be kept, and their number is a
    # Poisson one, however large that group is.
    limit = 1 - sum(exp(-k / 4) * (k / 4) ** j / factorial(j) for j in range(k))
    assert sampled_groups_slack(k, beta, 3 * beta).delta == pytest.approx(limit, rel=1e-7)


@pytest.mark.parametrize(
    ("n", "k", "p", "message"),
    [
        (0, 1, 0.5, "n is 0"),
        (10.0, 1, 0.5, "n is 10.0"),
        (10, 0, 0.5, "k is 0"),
        (10, 11, 0.5, "k is at most n"),
        (10, 3, 0.0, "p is 0"),
        (10, 3, 1.0, "p is 1"),
        (10, 3, float("nan"), "p is nan"),
        (10, 3, "half", "p is 'half'"),
        (10**13, 3, 0.5, "n is 10000000000000"),
    ],
)
def test_releases_that_are_none_are_refused(n, k, p, message):
    for call in (
        lambda: SelectedCount(n, k, p),
        lambda: count_printed(n, k, p, 1.0),
        lambda: count_printed_epsilon(n, k, p, 0.1),
        lambda: set_release_slack(n, k, p, 1.0),
    ):
        with pytest.raises(BudgetError, match=message):
            call()


def test_words_and_slacks_that_are_none_are_refused():
    for call, message in (
        (lambda: SelectedCount(10, 3, 0.5, "swap"), "'shift', 'remove' or 'add'"),
        (lambda: SelectedCount(10, 3, 0.5, release="all"), "release is 'all'"),
        (lambda: SelectedCount(10, 3, 0.5, "add", "literal"), "shifts one law"),
        (lambda: count_printed(10, 3, 0.5, 1.0, "max"), "reading is 'max'"),
        (lambda: count_printed_epsilon(10, 3, 0.5, 0.1, "statement"), "reading is 'statement'"),
        (lambda: count_bound(10, 0.5, 1.0, "tight"), "form is 'tight'"),
        (lambda: count_bound(10, 0.5, -1.0), "epsilon is -1"),
        (lambda: count_bound_epsilon(10, 0.5, 0.0), "delta is 0"),
        (lambda: count_bound_epsilon(10, 0.5, 1.0), "delta is 1"),
        (lambda: count_epsilon(SelectedCount(10, 3, 0.5), 1.5), "delta is 1.5"),
        (lambda: count_slack("count", 1.0), "SelectedCount"),
        (lambda: sampled_groups_slack(0, 0.5, 1.0), "k is 0"),
        (lambda: sampled_groups_slack(3, 0.0, 1.0), "beta is 0"),
    ):
        with pytest.raises(BudgetError, match=message):
            call()
    with pytest.raises(DomainError, match="factor2 is 'yes'; give True or False"):
        count_printed_epsilon(10, 3, 0.5, 0.1, factor2="yes")


def test_edges_of_the_printed_and_the_proved_epsilon():
    # delta + e_k above 1: no mu.
    found = count_printed_epsilon(100, 50, 0.5, 0.5)
    assert (found.state, found.mu) == ("undefined", None)
    assert count_printed_epsilon(100, 50, 0.5, 0.5, factor2=True).state == "undefined"
    assert count_bound_epsilon(50, 0.1, 1e-6).state == "vacuous"
    assert count_printed_epsilon(50, 1, 0.9, 1e-6).state == "vacuous"
    assert count_bound(100, 0.5, 0.01).delta == 1
    # Exactly at the limit of the curve, or below it, no epsilon keeps the slack.
    release = SelectedCount(4, 1, 0.5, release="count")
    assert count_epsilon(release, 0.0624).state == "vacuous"
    assert count_epsilon(release, 0.0626).state == "ok"
    assert count_epsilon(release, 0.99).epsilon == 0
    assert count_bound(100, 0.5, [800.0, inf]).delta == pytest.approx(0.5**100, rel=1e-9)
    for reading in ("statement", "proof", "final", "garbled"):
        assert np.isfinite(count_printed(100, 30, 0.5, [0.0, 800.0, inf], reading).delta).all()


def test_slacks_that_are_kept_are_those_of_the_logs():
    n, p = 2000, 0.05
    found = count_slack(SelectedCount(n, 1, p, release="count"), 2.5).delta
    law = binomial_law(n, p)
    shifted = np.concatenate([[0.0], law])
    gaps = np.append(law, 0.0) - exp(2.5) * shifted
    back = shifted - exp(2.5) * np.append(law, 0.0)
    assert found == pytest.approx(max(gaps[gaps > 0].sum(), back[back > 0].sum()), rel=1e-12)
    assert log(found) < -75
