"""A sweep is the same whoever computes it; a lost worker, a hook and a limit end it in words."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

import pdp_widgets as pdp
from pdp_widgets.anonymity import as_given, syntactic_sensitivity
from pdp_widgets.leakage.progress import Progress
from pdp_widgets.leakage.sweeps import parted, swept
from pdp_widgets.prior import leakage_intervals


def _intervals(executor: Executor | None, **more: Any) -> Any:
    joint = pdp.lsat6().marginal(["item 1", "item 2", "item 5"])
    release = pdp.LaplaceMechanism(pdp.LinearQuery.sum(joint), 1.0)
    return leakage_intervals(joint, release, rng=1, draws=50, executor=executor, **more)


def _removals(executor: Executor | None, **more: Any) -> Any:
    rows = np.random.default_rng(3).integers(0, 9, (60, 2))
    return syntactic_sensitivity(rows, 3, executor=executor, **more)


def _own(executor: Executor | None, **more: Any) -> Any:
    rows = np.repeat(np.arange(12.0), 4).reshape(-1, 1)
    return syntactic_sensitivity(rows, 3, anonymiser=as_given, executor=executor, **more)


SWEEPS = [_intervals, _removals, _own]


@pytest.fixture(scope="module")
def processes() -> Any:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize("sweep", SWEEPS)
def test_workers_find_the_same_to_the_last_bit(sweep: Callable[..., Any], processes: Executor) -> None:
    alone = sweep(None)
    with ThreadPoolExecutor(3) as threads:
        assert sweep(threads) == alone
    told: list[float] = []
    assert sweep(processes, progress=told.append) == alone
    assert told[-1] == 1.0
    assert told == sorted(told)


def _lost(numbers: Any) -> int:
    if 7 in numbers:
        os._exit(1)
    return sum(numbers)


def test_a_lost_worker_is_an_error_that_says_what_was_done() -> None:
    words = r"A worker was lost when \d+ of 40 were computed"
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool,
        pytest.raises(pdp.PdpError, match=words),
    ):
        swept(_lost, parted(list(range(40)), pool), pool, Progress(None))


def _cancelled(share: float) -> None:
    if share > 0.2:
        raise KeyboardInterrupt


@pytest.mark.parametrize("sweep", SWEEPS)
def test_it_is_cancelled_and_keeps_its_limit(sweep: Callable[..., Any]) -> None:
    with ThreadPoolExecutor(2) as threads:
        with pytest.raises(KeyboardInterrupt):
            sweep(threads, progress=_cancelled)
        with pytest.raises(pdp.errors.LimitError):
            sweep(threads, limit=0)


def test_what_is_no_executor_is_refused() -> None:
    for wrong in (2, "processes", ThreadPoolExecutor):
        for sweep in map(partial, SWEEPS):
            with pytest.raises(pdp.PdpError, match="The executor is"):
                sweep(wrong)
