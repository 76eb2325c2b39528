"""Calls that can take long keep their limit while they work, tell how far they are, and can be cancelled."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.references import every_set_at_every_step
from pdp_widgets import (
    AnonymityAnalysis,
    BalancedResponse,
    ConditionalResponse,
    DependenceAnalysis,
    GaussianAnalysis,
    GaussianModel,
    HistogramQuery,
    InferenceAttack,
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    LocalAnalysis,
    MarkovChain,
    OptimalResponse,
    PriorAnalysis,
    SequenceAnalysis,
    calibrate,
    compare_noise,
    lsat6,
    prior_leakage,
    sequence_leakage,
    synthetic_network,
    titanic,
)
from pdp_widgets.anonymity import clinic, syntactic_sensitivity
from pdp_widgets.core.progress import Progress, part, refuse_beyond, timed
from pdp_widgets.dependent import (
    accuracy_curve,
    budget_curve,
    dependent_scale,
    every_known_set,
    least_scale,
    promise_report,
    repeated_leakage,
    small_delta,
    underestimated,
    underestimation_curve,
    worst_adversary,
)
from pdp_widgets.errors import LimitError
from pdp_widgets.gaussian import gaussian_exact_all
from pdp_widgets.leakage.sequence import many_users
from pdp_widgets.local import all_reports, calibrate_budget, compare_utility, pair_interval, surrogate_test
from pdp_widgets.meaning import LaplaceNoise, calibrate_noise, measure_all
from pdp_widgets.models.joint_examples import covered_shift
from pdp_widgets.networks import (
    BayesianNetwork,
    NetworkAnalysis,
    approximate_quilts,
    markov_quilts,
    wasserstein_mechanism,
)
from pdp_widgets.prior import (
    count_table,
    drawn_tables,
    exact_all,
    joint_leakage,
    leakage_interval,
    leakage_intervals,
)
from pdp_widgets.streams import (
    StreamRun,
    batch_errors,
    expected_errors,
    look_back_releases,
    pointwise_leakages,
    pointwise_tail,
    sequence_mutual_information,
    simulate_releases,
    simulated_violation_share,
    temporal_budgets,
    temporal_leakage,
    temporal_limit,
    violation_share,
)
from tests.names import public_calls

Call = Callable[..., Any]

JOINT = lsat6()
SUM = LinearQuery.sum(JOINT)
RELEASE = LaplaceMechanism(SUM, 1.0)
FEW = JOINT.marginal(["item 1", "item 2", "item 5"])
CHAIN = MarkovChain.symmetric(0.8, 3)
CRR, BALANCED = ConditionalResponse(1.0), BalancedResponse(1.0)
ANALYSIS = PriorAnalysis(JOINT, RELEASE)
RUN = StreamRun.of(CHAIN, 0.5, ["crr"], 500, seed=1)


LINE = BayesianNetwork.chain(MarkovChain.symmetric(0.8), 12)
TOTAL = LinearQuery.sum(LINE)
NETWORK = NetworkAnalysis(LINE, LaplaceMechanism(TOTAL, 1.0))
HOUSE = GaussianAnalysis(GaussianModel(None, np.eye(6) + 0.1))


def _records() -> Path:
    path = Path(tempfile.mkdtemp()) / "records.csv"
    path.write_text("a,b\n" + "0,1\n1,0\n" * 400_000)
    return path


def _counted_network() -> NetworkAnalysis:
    rows = np.random.default_rng(1).integers(0, 2, (200, 4))
    learned = BayesianNetwork.chow_liu({f"q{k}": rows[:, k].tolist() for k in range(4)})
    return NetworkAnalysis(learned, LaplaceMechanism(LinearQuery.sum(learned), 1.0))


def _paper(**how: Any) -> Any:
    return PriorAnalysis(JOINT, RELEASE).compute_paper(**how)


def _city() -> InferenceAttack:
    return InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)


def _attack(**how: Any) -> Any:
    return _city().by_epsilon([0.1, 10.0], 2, **how)


CALLS: dict[str, Call] = {
    "exact_all": lambda **how: exact_all(JOINT, RELEASE, **how),
    "exact_all, sup": lambda **how: exact_all(
        FEW, LaplaceMechanism(LinearQuery.sum(FEW), 1), None, "sup", **how
    ),
    "PriorAnalysis": lambda **how: PriorAnalysis(JOINT, RELEASE, **how),
    "PriorAnalysis.compute_paper": _paper,
    "calibrate": lambda **how: calibrate(JOINT, SUM, 1.0, **how),
    "compare_noise": lambda **how: compare_noise(JOINT, SUM, 1.0, **how),
    "PriorAnalysis.calibrate": lambda **how: ANALYSIS.calibrate(1.0, **how),
    "PriorAnalysis.compare_noise": lambda **how: ANALYSIS.compare_noise(1.0, **how),
    "leakage_interval": lambda **how: leakage_interval(JOINT, RELEASE, "item 1", rng=1, **how),
    "PriorAnalysis.interval": lambda **how: ANALYSIS.interval("item 1", rng=1, **how),
    "leakage_intervals": lambda **how: leakage_intervals(JOINT, RELEASE, draws=50, rng=1, **how),
    "PriorAnalysis.intervals": lambda **how: ANALYSIS.intervals(draws=50, rng=1, **how),
    "joint_leakage": lambda **how: joint_leakage(
        JOINT, HistogramQuery.of_labels(JOINT), 1.0, 0, [1], convention="sup", **how
    ),
    "PriorAnalysis.joint_leakage": lambda **how: ANALYSIS.joint_leakage(
        HistogramQuery.of_labels(JOINT), 0, **how
    ),
    "gaussian_exact_all": lambda **how: gaussian_exact_all(GaussianModel(None, np.eye(14) + 0.1), **how),
    "temporal_leakage": lambda **how: temporal_leakage(CHAIN, 0.5, 10, **how),
    "temporal_limit": lambda **how: temporal_limit(CHAIN, 0.5, **how),
    "simulate_releases, closed form": lambda **how: simulate_releases(CHAIN, CRR, 20, 10, rng=1, **how),
    "simulate_releases": lambda **how: simulate_releases(CHAIN, BALANCED, 20, 10, rng=1, **how),
    "simulate_releases, program": lambda **how: simulate_releases(
        CHAIN, OptimalResponse(0.5), 5, 4, rng=1, **how
    ),
    "sequence_leakage": lambda **how: sequence_leakage(CHAIN, CRR, 5, **how),
    "sequence_leakage, enumeration": lambda **how: sequence_leakage(CHAIN, CRR, 3, "enumeration", **how),
    "SequenceAnalysis.compute": lambda **how: SequenceAnalysis(CHAIN, CRR, 5).compute(**how),
    "pointwise_leakages": lambda **how: pointwise_leakages(CHAIN, CRR, 3, **how),
    "pointwise_tail": lambda **how: pointwise_tail(CHAIN, CRR, 3, 1.0, **how),
    "violation_share": lambda **how: violation_share(CHAIN, 1.0, 5, **how),
    "simulated_violation_share": lambda **how: simulated_violation_share(CHAIN, 1.0, 5, 10, 1, **how),
    "expected_errors": lambda **how: expected_errors(CHAIN, CRR, 5, **how),
    "sequence_mutual_information": lambda **how: sequence_mutual_information(CHAIN, CRR, 5, **how),
    "batch_errors": lambda **how: batch_errors(CHAIN, 1.0, [1, 2], steps=10, rng=1, **how),
    "underestimation_curve": lambda **how: underestimation_curve(covered_shift(), "sum", [1.0, 2.0], **how),
    "underestimated": lambda **how: underestimated(covered_shift(), "sum", **how),
    "small_delta": lambda **how: small_delta(covered_shift(), "sum", **how),
    "repeated_leakage": lambda **how: repeated_leakage(covered_shift(), "sum", 1.0, 2, **how),
    "every_known_set": lambda **how: every_known_set(covered_shift(), "sum", 1.0, **how),
    "worst_adversary": lambda **how: worst_adversary(covered_shift(), "sum", 1.0, **how),
    "dependent_scale": lambda **how: dependent_scale(covered_shift(), "sum", 1.0, **how),
    "dependent_scale, calibrated": lambda **how: dependent_scale(
        covered_shift(), "sum", 1.0, "calibrated", **how
    ),
    "least_scale": lambda **how: least_scale(covered_shift(), "sum", 1.0, **how),
    "promise_report": lambda **how: promise_report(covered_shift(), "sum", 1.0, **how),
    "accuracy_curve": lambda **how: accuracy_curve({"lpm": 1.0}, [1.0, 2.0], **how),
    "budget_curve": lambda **how: budget_curve({"lpm": 1.0}, [0.1, 0.2], **how),
    "DependenceAnalysis.accuracy_curve": lambda **how: DependenceAnalysis(
        covered_shift(), "sum", 1.0
    ).accuracy_curve(1.0, [1.0, 2.0], **how),
    "look_back_releases": lambda **how: look_back_releases(CHAIN, CRR, 20, 10, 1, **how),
    "StreamRun.extended": lambda **how: StreamRun.of(CHAIN, 0.5, ["crr"], 0, seed=1).extended(500, **how),
    "StreamRun.with_lanes": lambda **how: RUN.with_lanes(
        {"again": RUN.mechanisms["crr"], "too": RUN.mechanisms["crr"]}, **how
    ),
    "all_reports": lambda **how: all_reports(LocalAnalysis(titanic(), "GRR", 1.0), **how),
    "calibrate_budget": lambda **how: calibrate_budget(titanic(), 1.0, "GRR", **how),
    "surrogate_test": lambda **how: surrogate_test([[9, 3], [4, 8]], rng=1, **how),
    "pair_interval": lambda **how: pair_interval([[9, 3], [4, 8]], "GRR", epsilon=1.0, rng=1, **how),
    "syntactic_sensitivity": lambda **how: syntactic_sensitivity(np.arange(40.0)[:, None], 3, **how),
    "AnonymityAnalysis.sensitivity": lambda **how: AnonymityAnalysis(clinic(), ["age", "weight"]).sensitivity(
        **how
    ),
    "InferenceAttack.by_epsilon": _attack,
    "InferenceAttack.by_draw": lambda **how: _city().by_draw(30, **how),
    "InferenceAttack.all_users": lambda **how: _city().all_users(**how),
    "StreamRun.of": lambda **how: StreamRun.of(CHAIN, 0.5, ["crr"], 500, seed=1, **how),
    "LocalAnalysis.calibrate": lambda **how: LocalAnalysis(titanic(), "GRR", 1.0).calibrate(1.0, **how),
    "DependenceAnalysis.compute_known_sets": lambda **how: DependenceAnalysis(
        covered_shift(), scale=2.0
    ).compute_known_sets(**how),
    "prior_leakage": lambda **how: prior_leakage(JOINT, RELEASE, 0, range(1, 5), convention="sup", **how),
    "compare_utility": lambda **how: compare_utility(titanic(), 1.0, **how),
    "drawn_tables": lambda **how: drawn_tables(FEW, draws=300_000, rng=1, **how),
    "measure_all": lambda **how: measure_all(FEW, LinearQuery.sum(FEW), LaplaceNoise(1.0), "kl", **how),
    "PriorAnalysis.measure": lambda **how: ANALYSIS.measure("kl", **how),
    "PriorAnalysis.graph": lambda **how: ANALYSIS.graph(measure="advantage", **how),
    "DependenceAnalysis.measure": lambda **how: DependenceAnalysis(covered_shift(), scale=2.0).measure(
        "advantage", **how
    ),
    "GaussianAnalysis.measure": lambda **how: HOUSE.measure("kl", **how),
    "SequenceAnalysis.meaning": lambda **how: SequenceAnalysis(CHAIN, CRR, 5).meaning(2, **how),
    "calibrate_noise": lambda **how: calibrate_noise(FEW, LinearQuery.sum(FEW), "laplace", 1.0, 1e-3, **how),
    "temporal_budgets": lambda **how: temporal_budgets(CHAIN.transitions, 1.0, 10, **how),
    "count_table": lambda **how: count_table(_records(), **how),
    "approximate_quilts": lambda **how: approximate_quilts(CHAIN, 200, 1.0, **how),
    "markov_quilts": lambda **how: markov_quilts(LINE, TOTAL, 1.0, **how),
    "wasserstein_mechanism": lambda **how: wasserstein_mechanism(LINE, TOTAL, 1.0, **how),
    "NetworkAnalysis.bounds": lambda **how: NETWORK.bounds(3, **how),
    "NetworkAnalysis.compare_noise": lambda **how: NETWORK.compare_noise(1.0, **how),
    "NetworkAnalysis.interval": lambda **how: _counted_network().interval(0, draws=20, rng=1, **how),
    "NetworkAnalysis.law": lambda **how: NETWORK.law(3, **how),
    "NetworkAnalysis.least_scale": lambda **how: NETWORK.least_scale(1.0, **how),
    "NetworkAnalysis.node": lambda **how: NETWORK.node(3, **how),
    "NetworkAnalysis.nodes": lambda **how: NETWORK.nodes(**how),
    "NetworkAnalysis.upper_bound": lambda **how: NETWORK.upper_bound(3, **how),
    "NetworkAnalysis.upper_bounds": lambda **how: NETWORK.upper_bounds(**how),
    "NetworkAnalysis.worst": lambda **how: NETWORK.worst(3, **how),
    "NetworkAnalysis.worst_cases": lambda **how: NETWORK.worst_cases(**how),
}
#: Those that refuse at once, whatever is asked, belong to others that are tried, or wait for their caller.
NOT_TRIED = {"HistogramAnalysis.compute_paper", "read_batches"}


def test_every_call_with_a_limit_is_tried_and_has_the_same_one() -> None:
    calls = {name: signature(call).parameters for name, call in public_calls()}
    limited = {name: found for name, found in calls.items() if "limit" in found}
    assert set(limited) - NOT_TRIED <= {name.split(",")[0] for name in CALLS}
    others = [name for name, found in limited.items() if found["limit"].default != 60.0]
    # What is done with a batch takes the caller's time.
    assert others == ["read_batches"]
    assert [name for name, found in calls.items() if ("progress" in found) != ("limit" in found)] == []


class Cancelled(Exception):
    """Raised by whoever cancels."""


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A clock that is ten seconds further at every look."""
    now = [0.0]

    def look() -> float:
        now[0] += 10.0
        return now[0]

    with monkeypatch.context() as patched:
        patched.setattr(time, "monotonic", look)
        yield


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_tells_how_far_it_is(call: Call, hasty: None) -> None:
    told: list[float] = []
    call(limit=math.inf, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) > 1


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_is_cancelled_by_what_the_hook_raises(call: Call, hasty: None) -> None:
    def cancel(share: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        call(limit=math.inf, progress=cancel)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_ends_at_its_limit_while_it_works(call: Call, hasty: None) -> None:
    with pytest.raises(LimitError, match=r"the limit"):
        call(limit=15.0)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("limit", [-1.0, math.nan, "soon"])
def test_refuses_a_limit_that_is_no_number_of_seconds(call: Call, limit: Any) -> None:
    with pytest.raises(LimitError, match="give a number of seconds"):
        call(limit=limit)


def test_the_error_says_what_was_asked_how_long_it_takes_and_what_to_do(monkeypatch: Any) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    told: list[float] = []
    hook = timed(told.append, 60.0, "The curve", "Take fewer budgets.")
    assert hook is not None
    now[0] = 59.0
    hook(0.25)
    now[0] = 75.0
    with pytest.raises(LimitError) as error:
        hook(0.5)
    assert error.value.plain == (
        "The curve was ended at the limit of 60 s, with 50% done, of about 150 s in all. Take fewer budgets."
    )
    assert error.value.cost == "about 150 s"
    with pytest.raises(LimitError, match=r"with 0% done\. Take fewer budgets"):
        hook(0.0)
    with pytest.raises(LimitError, match="less than 1% done"):
        hook(0.001)
    # What is done is not thrown away.
    hook(1.0)
    assert told == [0.25, 0.5, 0.0, 0.001, 1.0]


def test_an_estimate_is_refused_in_the_same_words() -> None:
    refuse_beyond(60.0, 60.0, "The curve")
    refuse_beyond(math.inf, 1e9, "The curve")
    with pytest.raises(LimitError, match=r"The curve takes about 1,200 s\. The limit is 60 s\.") as error:
        refuse_beyond(60.0, 1200.0, "The curve")
    assert error.value.cost == "about 1,200 s"


def test_a_part_keeps_the_limit_of_the_whole(hasty: None) -> None:
    hook = part(timed(None, 5.0, "The curve"), 0.0, 0.5)
    assert hook is not None
    with pytest.raises(LimitError, match="with 25% done"):
        hook(0.5)


def test_long_steps_are_told_although_the_share_hardly_grows(monkeypatch: Any) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    told: list[float] = []
    progress = Progress(told.append, 10_000)
    progress.step()
    progress.wait()
    assert told == []
    now[0] = 1.0
    progress.wait()
    progress.step()
    assert told == [0.0]
    now[0] = 2.0
    progress.step()
    assert told == [0.0, 3 / 10_000]
    # More steps than expected are told as no more than there were.
    progress.step(20_000)
    now[0] = 3.0
    progress.step()
    progress.finish()
    assert told == [0.0, 3 / 10_000, 3 / 10_000, 1.0]


def test_a_long_chain_is_refused_before_it_begins() -> None:
    chain = np.full((400, 400), 1 / 400)
    with pytest.raises(LimitError, match=r"400 symbols over 10,000 steps takes about [\d,]+ s"):
        temporal_leakage(chain, 1.0, 10_000)
    with pytest.raises(LimitError, match=r"400 symbols takes about"):
        temporal_limit(chain, 1.0, limit=1.0)


def test_many_programs_are_refused_before_they_are_solved(monkeypatch: Any) -> None:
    monkeypatch.setattr(OptimalResponse, "expected_seconds", lambda self, n: 2.0)
    assert many_users._seconds_of_programs(CHAIN, OptimalResponse(0.5, "absolute"), 11, 10) == 202.0
    assert many_users._seconds_of_programs(CHAIN, OptimalResponse(0.0), 11, 10) == 0
    assert many_users._seconds_of_programs(CHAIN, CRR, 11, 10) == 0
    monkeypatch.setattr(many_users, "_seconds_of_programs", lambda *_: 140.0)
    with pytest.raises(LimitError, match=r"Optimum for 2 users and 15 steps takes about 140 s"):
        simulate_releases(CHAIN, OptimalResponse(0.5), 15, 2)


def test_a_comparison_of_noise_leaves_the_chain_rule_out_where_time_is_short(monkeypatch: Any) -> None:
    whole = compare_noise(JOINT, SUM, 1.0)
    monkeypatch.setattr(
        "pdp_widgets.leakage.prior.noise_comparison.seconds_for_one_row", lambda shape: 10.0 * len(shape)
    )
    short = compare_noise(JOINT, SUM, 1.0)
    assert [row.name for row in short.rows] == ["plain DP", "group DP", "exact"]
    assert short.rows == tuple(row for row in whole.rows if row.name != "chain rule")
    (left_out,) = short.left_out
    assert left_out.startswith(
        "chain rule: left out. Its estimates for the values of one row of 5 tuples at about 60 scales take "
        "about 3,000 s, and the other rules leave "
    )
    assert left_out.endswith(" s of the limit of 60 s. Pass a larger limit.")
    assert compare_noise(JOINT, SUM, 1.0, limit=math.inf) == whole


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 30.0, 800.0])
@pytest.mark.parametrize("concentration", [0.05, 1.0, 20.0])
def test_temporal_leakage_is_that_of_all_sets_at_every_step(epsilon: float, concentration: float) -> None:
    rng = np.random.default_rng(7)
    for n in (2, 3, 6):
        rows = rng.dirichlet(np.full(n, concentration), n)
        sparse = np.where(rows < 0.1, 0.0, rows)
        sparse /= sparse.sum(axis=1, keepdims=True)
        equal = np.tile(rows[0], (n, 1))
        for ahead, back in ((rows, None), (rows, sparse), (equal, None)):
            found = temporal_leakage(ahead, epsilon, 12, back)
            past, future = every_set_at_every_step(ahead, epsilon, 12, back)
            assert found.backward == pytest.approx(past, rel=1e-12, abs=1e-12)
            assert found.forward == pytest.approx(future, rel=1e-12, abs=1e-12)


def test_a_curve_of_coefficients_is_that_of_single_releases() -> None:
    joint = JointDistribution(np.random.default_rng(2).dirichlet(np.ones(24)).reshape(2, 3, 4))
    curve = underestimation_curve(joint, "sum", [0.5, 2.0], [0.7, 1.0])
    for f, factor in enumerate(curve.factors):
        for k, epsilon in enumerate(curve.epsilons):
            one = underestimated(joint, "sum", float(epsilon), float(factor))
            assert curve.scales[f, k] == one.scale_under
            assert curve.leakages[f, k] == float(one.largest)


def test_slow_releases_are_the_same_in_parts(monkeypatch: Any) -> None:
    whole = simulate_releases(CHAIN, OptimalResponse(0.7), 10, 20, rng=3)
    monkeypatch.setattr("pdp_widgets.leakage.sequence.following._APART", 0.0)
    parts = simulate_releases(CHAIN, OptimalResponse(0.7), 10, 20, rng=3)
    assert np.array_equal(whole.released, parts.released)
    assert np.array_equal(whole.leakage, parts.leakage)
    assert np.array_equal(whole.log_probability, parts.log_probability)
