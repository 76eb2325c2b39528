"""Numbers nobody means: each is computed without a warning, or refused by an error of this package."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import pdp_widgets as p
from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.noiseless.dependent_bounds import dependent_distance, dependent_printed_epsilon
from pdp_widgets.leakage.noiseless.gaussian_step import gaussian_delta
from tests.conftest import few

FAIR = {0: 0.5, 1: 0.5}
STRANGE = [
    *(0, 1, -1, 2, 7, 10**6, 10**18, 10**400, -(10**400), 0.5, -0.0, 1e-320, 1e-300, 1e-17, 1 - 1e-16),
    *(1e17, 1e160, 1e308, math.inf, -math.inf, math.nan, None, True, np.bool_(True), "1", b"1", "", []),
    *([1], [[1]], {}, object(), np.float32(0.5), np.int64(3), np.array(2), np.array([0.5]), 1j),
    np.datetime64(1, "D"),
]


def two(value):
    """Zero or a value, both alike."""
    return p.anonymity.RecordLaw([0, value], [0.5, 0.5])


CALLS = {
    "count": lambda a, b, c: p.anonymity.count_slack(p.SelectedCount(a, b, c), 1.0).delta,
    "count epsilon": lambda a, b, c: p.anonymity.count_epsilon(p.SelectedCount(20, 3, a, b, c), 0.1).epsilon,
    "count levels": lambda a, b, c: p.anonymity.count_slack(p.SelectedCount(20, 3, 0.5), a, b).delta,
    "count bound": lambda a, b, c: p.anonymity.count_bound(a, b, c).delta,
    "count bound epsilon": lambda a, b, c: p.anonymity.count_bound_epsilon(a, b, c).epsilon,
    "count printed": lambda a, b, c: p.anonymity.count_printed(a, 3, b, c).delta,
    "count printed readings": lambda a, b, c: [
        p.anonymity.count_printed_epsilon(20, 3, b, a, r).epsilon for r in ("max", "proof", "power", "eq8")
    ],
    "set release": lambda a, b, c: p.anonymity.set_release_slack(a, 2, b, c).delta,
    "sampled": lambda a, b, c: p.anonymity.sampled_groups_slack(a, b, c).delta,
    "law": lambda a, b, c: p.anonymity.RecordLaw([a, b], [0.5, 0.5]).central(4),
    "probabilities": lambda a, b, c: p.anonymity.RecordLaw([1, 2], [a, b]).mean,
    "empirical": lambda a, b, c: p.anonymity.RecordLaw.empirical([a, b]).absolute_third,
    "scaled": lambda a, b, c: p.anonymity.RecordLaw.of(FAIR).scaled(a).variance,
    "sum": lambda a, b, c: p.anonymity.sum_slack([(FAIR, a)], b, c).delta,
    "sum of strange": lambda a, b, c: p.anonymity.sum_slack([(two(a), 3)], b, c).delta,
    "presence": lambda a, b, c: (
        p.anonymity.presence_slack([(FAIR, 5)], p.anonymity.RecordLaw([a, b], [0.5, 0.5]), c).delta
    ),
    "sum bound": lambda a, b, c: p.anonymity.sum_bound([(two(a), 9)], b, c).delta,
    "recipe": lambda a, b, c: p.anonymity.sum_recipe([(two(a), 9)], b, c).slack.delta,
    "distance": lambda a, b, c: p.anonymity.normal_distance([(two(a), 3)], b).printed,
    "printed": lambda a, b, c: p.anonymity.sum_printed([(two(a), 9)], b, c, 0.1).delta,
    "aggregate": lambda a, b, c: p.anonymity.sum_printed_aggregate(a, b, c, 1, None, None, 10).delta,
    "aggregate s": lambda a, b, c: p.anonymity.sum_printed_aggregate(1, 1, 1, a, b, None, c).delta,
    "multiplier": lambda a, b, c: p.anonymity.step_multiplier(a, b, c, 0.5).value,
    "multiplier B": lambda a, b, c: p.anonymity.step_multiplier(a, 1, b, None, c).value,
    "gaussian": lambda a, b, c: p.anonymity.gaussian_epsilon(a, b, c).epsilon,
    "gaussian printed": lambda a, b, c: p.anonymity.printed_gaussian_epsilon(a, b, c).epsilon,
    "gaussian slack": lambda a, b, c: gaussian_delta(np.array([0.0, 1.0, 800.0, np.inf]), a, b),
    "dependent": lambda a, b, c: p.anonymity.dependent_bound(a, b, 1, c, 1, 0.5).delta,
    "dependent shift": lambda a, b, c: p.anonymity.dependent_bound(2, 1, a, 1, b, c).delta,
    "dependent distance": lambda a, b, c: dependent_distance(a, b, c, 0.5),
    "dependent printed": lambda a, b, c: [
        p.anonymity.dependent_printed(a, b, 1, c, 10, 0.5, r, 0.5).delta
        for r in ("T5-proof", "T5-statement", "T7-mixed")
    ],
    "dependent share": lambda a, b, c: (
        p.anonymity.dependent_printed(1, 1, a, 1, b, 0.5, "T7-statement", c).delta
    ),
    "dependent epsilon": lambda a, b, c: dependent_printed_epsilon(a, b, c),
    "chain": lambda a, b, c: p.anonymity.WindowChain(a, b, c).slack(0.5).delta,
    "chain target": lambda a, b, c: p.anonymity.WindowChain(9, 1, 0.5, "or", a).slack(b, model=c).delta,
    "blocks": lambda a, b, c: p.anonymity.EqualBlocks(FAIR, a, b).slack(c).delta,
    "blocks bound": lambda a, b, c: p.anonymity.EqualBlocks(FAIR, a, b).bound(0.5, c).delta,
    "between": lambda a, b, c: p.anonymity.slack_between([a, b], [0.5, 0.5], c).delta,
    "curve": lambda a, b, c: (
        p.anonymity.SlackCurve(np.array([0.0]), np.array([0.1]), "exact", "all", "x").at(0).delta
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_one_strange_number_among_good_ones(name):
    for strange in STRANGE:
        for place in range(3):
            given = [3, 1, 0.5]
            given[place] = strange
            _judge(name, given)
            given = [0.5, 1, 1]
            given[place] = strange
            _judge(name, given)


@pytest.mark.parametrize("name", CALLS)
@given(st.lists(st.sampled_from(STRANGE), min_size=3, max_size=3))
@example([1e308, 1e308, 0])
@example([1, 1e-320, 1e-320])
@few()
def test_only_strange_numbers(name, given):
    _judge(name, given)


def _judge(name, given):
    message, found = "", None
    try:
        found = CALLS[name](*given)
    except PdpError as fault:
        message = str(fault) or "nothing is said"
    assert len(message) < 500
    assert message != "nothing is said"
    assert found is None or np.asarray(found).dtype.kind in "fi"


@pytest.mark.parametrize("beta", [1e-4, 1e-7, 1e-10, 1e-13])
def test_groups_sampled_rarely_are_bounded_as_precisely(beta):
    # Of k / share records one more may be needed; counts of rare ones are nearly those of Poisson.
    found = p.anonymity.sampled_groups_slack(1, beta, 1.5 * beta)
    assert found.worst_size == pytest.approx(1 / (2.5 * beta), rel=2e-3)
    share = found.worst_size * beta
    assert found.delta == pytest.approx(1 - np.exp(-share), rel=1e-3)
