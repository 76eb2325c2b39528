"""Threads share the work on large tables: the numbers are the same, and whatever ends one ends all."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import pdp_widgets as pdp
from pdp_widgets.errors import LimitError
from pdp_widgets.leakage.prior.exact_all import exact_all
from pdp_widgets.leakage.threads import MOST_THREADS, Team, as_threads


@pytest.fixture(scope="module")
def large() -> pdp.JointDistribution:
    table = np.random.default_rng(14).random((2,) * 14)
    return pdp.JointDistribution(table / table.sum())


def _release(joint: pdp.JointDistribution, weights: Any = None) -> pdp.LaplaceMechanism:
    query = pdp.LinearQuery.sum(joint) if weights is None else pdp.LinearQuery.weighted(joint, weights)
    return pdp.LaplaceMechanism(query, 1.0)


@pytest.mark.parametrize("weights", [None, np.r_[np.ones(8), 1.1, 2.3, 17, 19, 21, 23]])
def test_the_numbers_are_the_same_to_the_last_bit(large: pdp.JointDistribution, weights: Any) -> None:
    release = _release(large, weights)
    one = exact_all(large, release, threads=1)
    for threads in (2, 3, None):
        values, determined = exact_all(large, release, threads=threads)
        assert values.tobytes() == one[0].tobytes()
        assert determined.tobytes() == one[1].tobytes()


def test_a_hook_hears_of_it_on_its_own_thread_and_ends_all(large: pdp.JointDistribution) -> None:
    told: list[float] = []
    where = set()

    def hook(share: float) -> None:
        told.append(share)
        where.add(threading.current_thread())
        if share > 0.3:
            raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        exact_all(large, _release(large), progress=hook, threads=2)
    assert where == {threading.current_thread()}
    assert told == sorted(told)
    assert threading.active_count() == before
    told.clear()
    assert pdp.PriorAnalysis(large, _release(large), threads=2, progress=told.append).exact.shape == (
        14,
        8192,
    )
    assert told[-1] == 1.0


def test_what_a_step_raises_is_raised_and_the_rest_is_left() -> None:
    done: list[int] = []

    def step(k: int) -> None:
        if k == 3:
            raise ValueError("three")
        done.append(k)

    for threads in (1, 2):
        done.clear()
        with pytest.raises(ValueError, match="three"), Team(threads) as team:
            team.run([lambda k=k: step(k) for k in range(2000)])  # type: ignore[misc]
        assert 3 not in done
        assert len(done) < 2000


def test_how_many_threads_there_are() -> None:
    assert 1 <= as_threads(None) <= MOST_THREADS
    assert as_threads(np.int64(3)) == 3
    for wrong in (0, -1, 1.5, "2", True, 10**6):
        with pytest.raises(LimitError, match="threads is"):
            as_threads(wrong)  # type: ignore[arg-type]
