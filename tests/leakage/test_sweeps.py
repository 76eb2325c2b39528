"""A sweep is the same whoever computes it; a lost worker, a hook and a limit end it in words."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import fields, is_dataclass
from functools import cache
from inspect import signature
from multiprocessing import get_context
from typing import Any

import dask
import numpy as np
import pytest
from distributed import Client, LocalCluster

import pdp_widgets as pdp
from pdp_widgets import dependent, streams
from pdp_widgets.anonymity import as_given, syntactic_sensitivity
from pdp_widgets.core.progress import Progress
from pdp_widgets.leakage import drawn_tables
from pdp_widgets.leakage.inference import all_attacks, attack_curves
from pdp_widgets.leakage.local import surrogate_test as surrogates
from pdp_widgets.leakage.prior import uncertainty
from pdp_widgets.leakage.sequence import many_users
from pdp_widgets.leakage.sweeps import in_parts, swept
from pdp_widgets.local import all_reports, compare_utility, pair_interval, surrogate_test
from pdp_widgets.prior import leakage_interval, leakage_intervals
from tests.names import public_calls

COUNTS = [[30, 10, 4], [12, 25, 9]]


def _three() -> tuple[pdp.JointDistribution, pdp.LaplaceMechanism]:
    joint = pdp.lsat6().marginal(["item 1", "item 2", "item 5"])
    return joint, pdp.LaplaceMechanism(pdp.LinearQuery.sum(joint), 1.0)


def _wide() -> tuple[pdp.JointDistribution, pdp.LaplaceMechanism]:
    """A table of so many cells that joined ones are drawn."""
    counts = np.random.default_rng(5).integers(1, 9, (11, 11, 11))
    joint = pdp.JointDistribution.from_counts(counts)
    return joint, pdp.LaplaceMechanism(pdp.LinearQuery.sum(joint), 1.0)


def _removals(**more: Any) -> Any:
    return syntactic_sensitivity(np.random.default_rng(3).integers(0, 9, (60, 2)), 3, **more)


def _own(**more: Any) -> Any:
    return syntactic_sensitivity(np.repeat(np.arange(12.0), 4).reshape(-1, 1), 3, anonymiser=as_given, **more)


def _clinic(**more: Any) -> Any:
    return pdp.AnonymityAnalysis(pdp.clinic(), ["age", "weight"]).sensitivity(**more)


@cache
def _attack() -> pdp.InferenceAttack:
    network = pdp.synthetic_network(60, rng=1).city("New York")
    return pdp.InferenceAttack(network, epsilon=30.0, grid=6, clusters=4)


@cache
def _rows() -> Any:
    table = np.random.default_rng(2).dirichlet(np.ones(24)).reshape(2, 3, 2, 2)
    return dependent.SparseJoint.from_joint(pdp.JointDistribution(table))


def _own_scale(epsilon: float) -> float:
    return 1.5 / epsilon


CHAIN = pdp.MarkovChain([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.1, 0.1, 0.8]])

#: Every public call with an executor, with few numbers.
SWEEPS: dict[str, Callable[..., Any]] = {
    "leakage_intervals": lambda **m: leakage_intervals(*_three(), rng=1, draws=50, **m),
    "PriorAnalysis.intervals": lambda **m: pdp.PriorAnalysis(*_three()).intervals(rng=1, draws=50, **m),
    "leakage_interval": lambda **m: leakage_interval(*_three(), 0, rng=1, draws=2000, **m),
    "leakage_interval, joined": lambda **m: leakage_interval(*_wide(), 0, rng=1, draws=400, **m),
    "PriorAnalysis.interval": lambda **m: pdp.PriorAnalysis(*_three()).interval(0, rng=1, draws=500, **m),
    "pair_interval": lambda **m: pair_interval(COUNTS, pdp.GRR(1.0), draws=2000, rng=1, **m),
    "surrogate_test": lambda **m: surrogate_test(COUNTS, surrogates=2000, rng=1, **m),
    "surrogate_test, randomised": lambda **m: surrogate_test(
        COUNTS, pdp.SS(1.0), surrogates=2000, rng=1, **m
    ),
    "syntactic_sensitivity": _removals,
    "syntactic_sensitivity, own": _own,
    "AnonymityAnalysis.sensitivity": _clinic,
    "InferenceAttack.all_users": lambda **m: _attack().all_users(posteriors=True, **m),
    "InferenceAttack.by_epsilon": lambda **m: _attack().by_epsilon([1.0, 30.0], draws=3, **m),
    "InferenceAttack.by_draw": lambda **m: _attack().by_draw(70, **m),
    "underestimation_curve": lambda **m: dependent.underestimation_curve(
        _rows(), "sum", [0.5, 1.0, 2.0], **m
    ),
    "promise_report": lambda **m: dependent.promise_report(_rows(), "sum", 1.0, **m),
    "small_delta": lambda **m: dependent.small_delta(_rows(), "sum", 1.0, 0.5, **m),
    "every_known_set": lambda **m: dependent.every_known_set(_rows(), "sum", 1.0, **m),
    "DependenceAnalysis.compute_known_sets": lambda **m: pdp.DependenceAnalysis(
        _rows(), "sum", scale=1.0
    ).compute_known_sets(**m),
    "worst_adversary": lambda **m: dependent.worst_adversary(_rows(), "sum", 1.0, **m),
    "simulate_releases": lambda **m: streams.simulate_releases(
        CHAIN, pdp.BalancedResponse(1.0), 5, 3000, rng=1, **m
    ),
    "simulate_releases, closed": lambda **m: streams.simulate_releases(
        CHAIN, pdp.ConditionalResponse(1.0), 5, 3000, rng=1, keep_beliefs=True, **m
    ),
    "all_reports": lambda **m: all_reports(pdp.LocalAnalysis(pdp.titanic(), "OUE", 1.0), **m),
    "compare_utility": lambda **m: compare_utility(pdp.titanic(), 1.0, **m),
    "accuracy_curve": lambda **m: dependent.accuracy_curve({"lpm": 1.0, "own": _own_scale}, **m),
    "budget_curve": lambda **m: dependent.budget_curve({"lpm": 1.0, "own": _own_scale}, **m),
    "DependenceAnalysis.accuracy_curve": lambda **m: pdp.DependenceAnalysis(_rows(), "sum").accuracy_curve(
        1.0, [0.5, 1.0], **m
    ),
    "batch_errors": lambda **m: streams.batch_errors(CHAIN, 1.0, [1, 2], steps=12, rng=1, **m),
}


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make several parts of what would be one."""
    for module in (drawn_tables, many_users, surrogates, uncertainty):
        monkeypatch.setattr(module, "_BLOCK", 1 << 11)
    for module in (all_attacks, attack_curves):
        monkeypatch.setattr(module, "AT_ONCE", 360)


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.fixture(scope="module")
def cluster() -> Iterator[Client]:
    # A task whose worker dies is not tried again.
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as workers,
        Client(workers) as client,
    ):
        yield client


def _same(one: Any, other: Any) -> bool:
    """Tell whether two results are the same to the last bit."""
    if isinstance(one, np.ndarray):
        return bool(
            one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
        )
    if is_dataclass(one):
        return all(_same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other) or one != one


@pytest.mark.parametrize("name", SWEEPS)
def test_workers_find_the_same_to_the_last_bit(name: str, processes: Executor, cluster: Client) -> None:
    sweep = SWEEPS[name]
    alone = sweep()
    counted = _Counted(2)
    with counted:
        assert _same(sweep(executor=counted), alone)
    assert counted.parts > 1
    for executor in (processes, cluster.get_executor()):
        told: list[float] = []
        assert _same(sweep(executor=executor, progress=told.append), alone)
        assert told[-1] == 1.0
        assert told == sorted(told)


class _Counted(ThreadPoolExecutor):
    """Threads that count what they are given."""

    parts = 0

    def submit(self, *given: Any, **more: Any) -> Any:
        self.parts += 1
        return super().submit(*given, **more)


def test_every_call_with_an_executor_is_tried() -> None:
    found = {name for name, call in public_calls() if "executor" in signature(call).parameters}
    assert found == {name.split(",")[0] for name in SWEEPS}


def _lost(numbers: Any, told: Progress) -> int:
    if 7 in numbers:
        os._exit(1)
    return sum(numbers)


@pytest.mark.parametrize("kind", ["processes", "dask"])
def test_a_lost_worker_is_an_error_that_says_what_was_done(kind: str, cluster: Client) -> None:
    words = r"A worker was lost when \d+ of 40 were computed.* if __name__ == '__main__'"
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        executor = pool if kind == "processes" else cluster.get_executor()
        with pytest.raises(pdp.PdpError, match=words):
            swept(_lost, in_parts(list(range(40)), executor), executor, Progress(None, 40))


class _Sent(ThreadPoolExecutor):
    """A thread that is sent its work as a process would be, and counts the bytes of the largest part."""

    most = 0

    def submit(self, *given: Any, **more: Any) -> Any:
        sent = pickle.dumps(given)
        self.most = max(self.most, len(sent))
        return super().submit(*pickle.loads(sent), **more)


def test_a_part_carries_no_drawn_tables() -> None:
    joint, release = _three()
    alone = leakage_intervals(joint, release, draws=5000, rng=np.random.default_rng(4))
    rng = np.random.default_rng(4)
    with _Sent(2) as sent:
        assert leakage_intervals(joint, release, draws=5000, rng=rng, executor=sent) == alone
    # The tables have 320,000 bytes.
    assert sent.most < 20_000
    expected = np.random.default_rng(4)
    leakage_intervals(joint, release, draws=5000, rng=expected)
    assert rng.random() == expected.random()


def test_what_cannot_be_sent_is_refused_in_words() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for call in (
            lambda: swept(lambda part, told: part, [[1]], pool, Progress(None, 1)),
            lambda: syntactic_sensitivity(
                np.repeat(np.arange(12.0), 4).reshape(-1, 1),
                3,
                anonymiser=lambda *given: as_given(*given),
                executor=pool,
            ),
        ):
            with pytest.raises(pdp.PdpError, match=r"cannot be sent to a worker: .*at the top of a module"):
                call()


class _Held(ThreadPoolExecutor):
    """A thread that counts how many parts wait for it at most."""

    most = 0

    def submit(self, *given: Any, **more: Any) -> Any:
        done = super().submit(*given, **more)
        self.most = max(self.most, self._work_queue.qsize())
        return done


def test_parts_are_made_when_there_is_room_for_them() -> None:
    made = 0

    def parts() -> Iterator[list[int]]:
        nonlocal made
        for number in range(200):
            made += 1
            yield [number]

    with _Held(1) as held:
        found = swept(lambda part, told: part[0], parts(), held, Progress(None, 200))
    assert found == list(range(200))
    assert made == 200
    assert held.most <= 32


def _cancelled(share: float) -> None:
    if share > 0.2:
        raise KeyboardInterrupt


@pytest.mark.parametrize("name", SWEEPS)
def test_it_is_cancelled_and_keeps_its_limit(name: str) -> None:
    for executor in (None, ThreadPoolExecutor(2)):
        with pytest.raises(KeyboardInterrupt):
            SWEEPS[name](executor=executor, progress=_cancelled)
        with pytest.raises(pdp.errors.LimitError):
            SWEEPS[name](executor=executor, limit=0)


@pytest.mark.parametrize("name", SWEEPS)
def test_what_is_no_executor_is_refused(name: str) -> None:
    for wrong in (2, "processes", ThreadPoolExecutor):
        with pytest.raises(pdp.PdpError, match="The executor is"):
            SWEEPS[name](executor=wrong)
