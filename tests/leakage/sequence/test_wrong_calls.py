"""What is wrong in a call about a stream is said by its name: no endless work, and no error of numpy."""

import numpy as np
import pytest

from pdp_widgets import (
    ConditionalResponse,
    MarkovChain,
    StreamScript,
    batch_errors,
    expected_errors,
    pointwise_leakages,
    sequence_leakage,
    sequence_mutual_information,
    simulated_violation_share,
    temporal_leakage,
    violation_share,
)
from pdp_widgets.errors import BudgetError, ChainError, LimitError

CHAIN = MarkovChain.symmetric(0.8)
ONE = ConditionalResponse(1.0)


@pytest.mark.parametrize("steps", [10**7, 10**30, 10**400], ids=["1e7", "1e30", "1e400"])
@pytest.mark.parametrize(
    "of",
    [
        lambda steps: expected_errors(CHAIN, ONE, steps),
        lambda steps: pointwise_leakages(CHAIN, ONE, steps),
        lambda steps: sequence_mutual_information(CHAIN, ONE, steps),
        lambda steps: temporal_leakage(CHAIN.transitions, 1.0, steps),
        lambda steps: violation_share(CHAIN, 1.0, steps),
    ],
    ids=["errors", "pointwise", "information", "temporal", "share"],
)
def test_more_steps_than_are_taken_are_refused_at_once(of, steps):
    with pytest.raises(LimitError, match="at most 1,000,000 steps"):
        of(steps)


@pytest.mark.parametrize("chain", [[[0.9, 0.1], [0.1, 0.9]], None, "chain", np.eye(2)])
def test_batches_need_a_chain(chain):
    with pytest.raises(ChainError, match="give a MarkovChain"):
        batch_errors(chain, 1.0, [1, 2], steps=6, rng=1)


@pytest.mark.parametrize("most", [0, -1, -np.inf, 0.5, np.zeros(2), "many"])
def test_how_many_are_allowed_is_a_whole_number(most):
    with pytest.raises(BudgetError, match=r"most_pairs is .*whole number, 1 or more"):
        pointwise_leakages(CHAIN, ONE, 3, most_pairs=most)
    with pytest.raises(BudgetError, match=r"most is .*whole number, 1 or more"):
        sequence_leakage(CHAIN, ONE, 3, most=most)


def test_more_people_than_fit_are_refused_before_room_is_made():
    with pytest.raises(BudgetError, match=r"users is 10000000000; .* 1 to 67,108,864"):
        simulated_violation_share(CHAIN, 1.0, 10, users=10**10)


@pytest.mark.parametrize("chain", [None, [[0.9, 0.1], [0.1, 0.9]], "chain"])
def test_a_script_needs_a_chain(chain):
    with pytest.raises(ChainError, match="give a MarkovChain"):
        StreamScript.of(chain, 1.0, 1)
