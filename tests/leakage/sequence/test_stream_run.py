"""A run is what its script says, however it came about: longer, cut, changed, with other lanes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from pdp_widgets.errors import BudgetError, ChainError, DomainError, LimitError, StreamError
from pdp_widgets.leakage.sequence.belief import StreamBelief
from pdp_widgets.leakage.sequence.composition import best_bounds
from pdp_widgets.leakage.sequence.lanes import NOTHING
from pdp_widgets.leakage.sequence.run_frame import sums_chart
from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.leakage.sequence.stream_script import BLOCK, MOST_STEPS, StreamScript
from pdp_widgets.mechanisms.sequence.balanced_response import BalancedResponse
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
from pdp_widgets.mechanisms.sequence.optimal_response import BinaryOptimum
from pdp_widgets.mechanisms.sequence.randomised_symbols import RandomisedSymbols
from pdp_widgets.mechanisms.sequence.temporal_response import SafeTemporalResponse, TemporalResponse
from pdp_widgets.models.markov_chain import MarkovChain

CRR = {"crr": lambda epsilon, chain: ConditionalResponse(epsilon)}
BOTH = CRR | {"optimum": lambda epsilon, chain: BinaryOptimum(epsilon)}
THREE = MarkovChain([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]])
SECOND = MarkovChain([[[0.9, 0.1], [0.4, 0.6]], [[0.7, 0.3], [0.2, 0.8]]])


def same(one: StreamRun, other: StreamRun) -> bool:
    mine, theirs = one.record(), other.record()
    lanes = all(
        np.array_equal(getattr(mine.lanes[key], name), getattr(theirs.lanes[key], name), equal_nan=True)
        for key in one.mechanisms
        for name in ("released", "belief", "least", "leakage", "over", "total", "error", "expected")
    )
    flat = all(np.array_equal(getattr(mine, n), getattr(theirs, n)) for n in ("symbols", "promise", "linear"))
    return lanes and flat and list(one.mechanisms) == list(other.mechanisms)


def test_the_stream_of_the_sketch() -> None:
    script = StreamScript.of(MarkovChain.symmetric(0.6), 0.5, seed=10)
    run = StreamRun(script, BOTH).extended(44)
    run = run.changed(script.changed(44, chain=MarkovChain.symmetric(0.9))).extended(50)
    crr, optimum = run.totals("crr"), run.totals("optimum")
    assert (crr.over, crr.first_over) == (6, 45)
    assert round(crr.largest, 3) == 0.954
    assert round(crr.leakage, 1) == 27.0
    assert optimum.over == 0
    assert optimum.largest == pytest.approx(0.5)
    record = run.record()
    assert record.linear[-1] == pytest.approx(25.0)
    assert round(record.advanced[-1], 1) == 23.1


@pytest.mark.parametrize("chain", [MarkovChain.symmetric(0.8), THREE, SECOND], ids=["two", "three", "second"])
@pytest.mark.parametrize("at", [0, 7, BLOCK, BLOCK + 1])
def test_a_change_after_a_cut_is_the_run_of_the_whole_script(chain: MarkovChain, at: int) -> None:
    lanes = CRR | {"balanced": lambda epsilon, chain: BalancedResponse(epsilon)}
    moves = np.roll(np.asarray(chain.transitions), 1, axis=-1)
    other = MarkovChain(moves, chain.start, chain.states, chain.early)
    script = StreamScript.of(chain, 1.0, seed=5)
    ahead = StreamRun(script, lanes).extended(3 * BLOCK)
    later = script.changed(at, chain=other, epsilon=0.4)
    assert same(ahead.cut(at).changed(later).extended(150), StreamRun(later, lanes).extended(150))
    assert same(ahead.cut(at), StreamRun(script, lanes).extended(at))


def test_steps_taken_one_by_one_are_the_steps_taken_at_once_and_few_blocks() -> None:
    script = StreamScript.of(THREE, 1.0, seed=1)
    slow = StreamRun(script, CRR)
    for step in range(1, 2 * BLOCK + 4):
        slow = slow.extended(step)
    assert same(slow, StreamRun(script, CRR).extended(2 * BLOCK + 3))
    assert len(slow._symbols) == 3


def test_lanes_see_the_same_symbols_and_random_numbers() -> None:
    script = StreamScript.of(THREE, 1.0, seed=4)
    more = CRR | {
        "again": lambda epsilon, chain: ConditionalResponse(epsilon),
        "grr": lambda epsilon, chain: RandomisedSymbols(epsilon),
    }
    run = StreamRun(script, CRR).extended(200).with_lanes(more)
    assert same(run, StreamRun(script, more).extended(200))
    lanes = run.record().lanes
    assert np.array_equal(lanes["again"].released, lanes["crr"].released)
    assert not np.array_equal(lanes["grr"].released, lanes["crr"].released)
    assert list(run.with_lanes({"grr": more["grr"]}).mechanisms) == ["grr"]


def test_the_record_of_some_steps_is_a_part_of_the_record_of_all() -> None:
    run = StreamRun(StreamScript.of(THREE, 1.0, seed=4), BOTH | CRR).with_lanes(CRR).extended(150)
    whole = run.record()
    for first, count in ((0, 0), (0, 150), (60, 10), (63, 2), (64, 64), (149, 1), (150, 0)):
        part = run.record(first, count)
        assert np.array_equal(part.symbols, whole.symbols[first : first + count])
        assert np.array_equal(part.lanes["crr"].belief, whole.lanes["crr"].belief[first : first + count])
        assert np.array_equal(part.advanced, whole.advanced[first : first + count])


def test_errors_and_leakages_add_up() -> None:
    run = StreamRun(StreamScript.of(THREE, 1.0, seed=4), CRR).extended(100)
    record, totals = run.record(), run.totals("crr")
    lane = record.lanes["crr"]
    assert totals.error == np.count_nonzero(lane.released != record.symbols)
    assert lane.error[-1] == pytest.approx(totals.error / 100)
    assert lane.total[-1] == pytest.approx(lane.leakage.sum())
    assert float(run.largest("crr")) == lane.leakage.max()
    assert float(run.so_far("crr")) == pytest.approx(totals.leakage)
    # Each step leaks what the formula of a conditional response says of the smallest belief.
    formula = np.maximum(1.0, np.log(np.exp(-1.0) - np.expm1(-1.0) / lane.least))
    np.testing.assert_allclose(lane.leakage, formula, rtol=1e-12)


def test_a_symbol_that_the_model_excludes_ends_the_lane_and_not_the_run() -> None:
    # The data do what the chain cannot: after the release of the impossible symbol nothing is defined.
    chain = MarkovChain([[1.0, 0.0], [0.0, 1.0]], [0.5, 0.5])
    data = np.array([0, 1, 1, 0, 0, 1])
    lanes = {"grr": lambda epsilon, chain: RandomisedSymbols(epsilon)}
    run = StreamRun(StreamScript.of(chain, np.inf, seed=0, data=data), lanes).extended(6)
    lane = run.record().lanes["grr"]
    assert "probability 0" in run.ended("grr")
    assert lane.released[-1] == NOTHING
    assert np.isnan(lane.leakage[-1])
    assert run.steps == 6
    frame = run.to_dataframe()
    assert frame["released"].iloc[-1] is None
    assert len(frame) == 6


@pytest.mark.parametrize("chain", [MarkovChain.symmetric(0.8), THREE, MarkovChain.symmetric(0.5)])
@pytest.mark.parametrize("key", ["crr", "optimum", "grr"])
def test_the_sum_is_a_bound_on_what_the_releases_say_and_is_not_called_leakage(
    chain: MarkovChain, key: str
) -> None:
    run = StreamRun.of(chain, 1.0, key, 5, seed=4)
    frame = run.to_dataframe()
    status = frame.attrs["status"]
    assert status["sum_so_far"] == "bound"
    assert not [name for name, kind in status.items() if kind == "bound" and "leak" in name]
    np.testing.assert_allclose(frame["sum_so_far"], frame["leakage"].cumsum(), rtol=1e-12)
    # The same releases, all true sequences: log Pr(releases | sequence) less log Pr(releases).
    released, belief, logs = run.record().lanes[key].released, StreamBelief.before(chain), [{(): 0.0}]
    for k, symbol in enumerate(released):
        channel = STREAM_MENU[key].make(1.0, chain).channel(belief.predictive)
        step = np.log(channel.matrix[:, symbol] / (belief.predictive @ channel.matrix)[symbol])
        logs.append({(*past, x): logs[-1][past] + step[x] for past in logs[-1] for x in range(chain.n)})
        exact = max(map(abs, logs[-1].values()))
        assert exact <= frame["sum_so_far"][k] + 1e-12
        belief = belief.after(channel, int(symbol))


def test_a_response_among_reachable_symbols_knows_the_release_before() -> None:
    chain = MarkovChain([[0.8, 0.2, 0.0], [0.1, 0.8, 0.1], [0.0, 0.2, 0.8]])
    lanes = {"temporal": lambda epsilon, chain: SafeTemporalResponse(epsilon, chain.transitions)}
    released = StreamRun(StreamScript.of(chain, 0.5, seed=2), lanes).extended(300).record().lanes["temporal"]
    moves = set(zip(released.released[:-1].tolist(), released.released[1:].tolist(), strict=True))
    assert (0, 2) not in moves
    assert (2, 0) not in moves
    assert released.leakage.max() <= 0.5 + 1e-9


@pytest.mark.parametrize("chain", [MarkovChain.symmetric(0.8), THREE, SECOND], ids=["two", "three", "second"])
@pytest.mark.parametrize("key", ["crr", "optimum", "crr_balanced", "crr_trimmed", "grr2", "temporal_safe"])
def test_a_lane_is_what_checked_channels_and_beliefs_say(chain: MarkovChain, key: str) -> None:
    if key == "temporal_safe" and chain.order == 2:
        return
    later = StreamScript.of(chain, 1.0, seed=3, distance="absolute").changed(70, epsilon=0.3)
    run = StreamRun(later, {key: STREAM_MENU[key].make}).extended(100)
    record = run.record()
    lane = record.lanes[key]
    belief, total, last = StreamBelief.before(chain), 0.0, None
    for k in range(100):
        epsilon = 1.0 if k < 70 else 0.3
        mechanism = STREAM_MENU[key].make(epsilon, chain)
        given = {"previous": last} if key == "temporal_safe" else {}
        channel = mechanism.channel(belief.predictive, "absolute", **given)
        total += channel.leakage
        np.testing.assert_allclose(lane.belief[k], belief.predictive, rtol=1e-12)
        assert lane.leakage[k] == pytest.approx(channel.leakage, rel=1e-9, abs=1e-12)
        assert lane.over[k] == (not channel.valid)
        assert lane.total[k] == pytest.approx(total, rel=1e-9)
        assert record.promise[k] == epsilon
        last = int(lane.released[k])
        belief = belief.after(channel, last)


def test_bounds_of_a_run_are_those_of_composition() -> None:
    script = StreamScript.of(THREE, 1.0, seed=3).changed(20, epsilon=0.0).changed(50, epsilon=0.25)
    run = StreamRun(script, CRR).extended(90)
    levels = [1.0] * 20 + [0.0] * 30 + [0.25] * 40
    for delta in (1e-5, 0.3, 0.0):
        record, bounds = run.record(delta=delta), best_bounds(levels, delta)
        np.testing.assert_allclose(record.linear, bounds["linear"], rtol=1e-12)
        np.testing.assert_allclose(record.advanced, bounds["advanced"], rtol=1e-12)
    assert run.promises().tolist() == levels


def test_a_run_of_many_states_has_fewer_steps() -> None:
    wide = MarkovChain(np.full((100, 100), 0.01))
    script = StreamScript.of(wide, 1.0, seed=0)
    assert script.steps == 40_000
    with pytest.raises(LimitError, match="100 states has at most 40,000"):
        script.symbols(39_999, 2, (0, 0))


def test_edge_cases() -> None:
    script = StreamScript.of(MarkovChain([[1.0]]), 1.0, seed=0)
    run = StreamRun(script, CRR).extended(3)
    assert run.record().lanes["crr"].leakage.tolist() == [0.0, 0.0, 0.0]
    assert float(StreamRun(script, CRR).largest("crr")) == 0
    for epsilon, largest in ((0.0, 0.0), (np.inf, np.inf)):
        run = StreamRun(StreamScript.of(THREE, epsilon, seed=0), CRR).extended(5)
        assert run.totals("crr").largest == pytest.approx(largest, abs=1e-12)
    with pytest.raises(LimitError, match="1 state has at most 100,000 steps"):
        StreamRun(script, {}).changed(script).extended(MOST_STEPS + 1)
    short = StreamScript.of(THREE, 1.0, seed=0, data=np.array([0, 1]))
    with pytest.raises(StreamError, match="the data have 2 steps"):
        StreamRun(short, CRR).extended(3)
    with pytest.raises(DomainError, match="no lane 'grr'"):
        run.totals("grr")
    with pytest.raises(ChainError, match="keeps its states"):
        script.changed(2, chain=THREE)


def test_what_is_set_back_is_no_change() -> None:
    chain = MarkovChain.symmetric(0.9)
    script = StreamScript.of(chain, 1.0, seed=0)
    there = script.changed(5, epsilon=2.0)
    assert len(there.segments) == 2
    assert len(there.changed(5, epsilon=1.0).segments) == 1
    assert len(there.changed(9, chain=MarkovChain.symmetric(0.9)).segments) == 2


def test_a_lane_that_no_mechanism_fits_is_refused() -> None:
    script = StreamScript.of(THREE, 1.0, seed=0)
    with pytest.raises(DomainError, match="for 2 symbols, and the belief has 3"):
        StreamRun(script, {"two": lambda epsilon, chain: BinaryOptimum(epsilon)}).extended(1)
    moves = MarkovChain.symmetric(0.9).transitions
    with pytest.raises(DomainError, match="must agree"):
        StreamRun(script, {"t": lambda epsilon, chain: SafeTemporalResponse(epsilon, moves)}).extended(1)
    with pytest.raises(BudgetError, match="released by 7; give a SequenceMechanism"):
        StreamRun(script, {"no": lambda epsilon, chain: 7}).extended(1)  # type: ignore[dict-item, return-value]
    # What looks at the true symbol before is another kind of release.
    lanes = {"t": lambda epsilon, chain: TemporalResponse(epsilon, chain.transitions)}
    with pytest.raises(BudgetError, match="depends on the current symbol"):
        StreamRun(script, lanes).extended(1)


def test_a_short_way_to_a_run() -> None:
    run = StreamRun.of(THREE, 0.5, ["crr", "grr"], 30, seed=4, distance="absolute")
    made = {key: STREAM_MENU[key].make for key in ("crr", "grr")}
    assert same(run, StreamRun(StreamScript.of(THREE, 0.5, 4, "absolute"), made).extended(30))
    assert list(StreamRun.of(THREE, 0.5, steps=0, seed=4).mechanisms) == ["crr", "crr_balanced"]
    with pytest.raises(BudgetError, match="two states alone"):
        StreamRun.of(THREE, 0.5, "mip", seed=4)


def test_a_run_is_a_value():
    chain = MarkovChain.symmetric(0.9)
    run = StreamRun.of(chain, 0.5, ["crr", "optimum"], 100, seed=10)
    again = pickle.loads(pickle.dumps(run))
    assert again == run
    assert hash(again) == hash(run)
    # It goes on as the one it was made from.
    assert again.extended(150) == run.extended(150)
    np.testing.assert_array_equal(again.extended(150).record().symbols, run.extended(150).record().symbols)
    others = [
        run.extended(101),
        run.cut(99),
        run.changed(run.script.changed(100, epsilon=0.4)),
        StreamRun.of(chain, 0.5, ["crr", "optimum"], 100, seed=11),
        StreamRun.of(chain, 0.5, ["optimum", "crr"], 100, seed=10),
        StreamRun.of(chain, 0.5, ["crr", "optimum"], 100, seed=10, distance=[[0, 1], [2, 0]]),
        StreamRun.of(MarkovChain.symmetric(0.8), 0.5, ["crr", "optimum"], 100, seed=10),
    ]
    assert [other == run for other in others] == [False] * len(others)
    assert StreamRun(run.script, {"crr": ConditionalResponse}) == StreamRun.of(chain, 0.5, "crr", 0, seed=10)


@pytest.mark.parametrize("name", ["script", "mechanisms", "steps", "_symbols", "_blocks", "note"])
def test_a_run_cannot_be_changed(name):
    run = StreamRun.of(MarkovChain.symmetric(0.9), 0.5, "crr", 10, seed=10)
    with pytest.raises(AttributeError, match=f"{name} is read-only"):
        setattr(run, name, None)
    with pytest.raises(TypeError):
        run.mechanisms["grr"] = None
    for kept in (run, pickle.loads(pickle.dumps(run))):
        block = kept._blocks["crr"][0]
        assert not any(array.flags.writeable for array in (*kept._symbols, *block.arrays, block.end.belief))


def test_lanes_show_every_step_beside_its_promise() -> None:
    chain = MarkovChain.symmetric(0.9, ["dry", "wet"])
    script = StreamScript.of(chain, 0.5, seed=10).changed(44, epsilon=0.6)
    run = StreamRun(script, BOTH).extended(50)
    figures, record = run._figures(), run.record()
    printed, kept = figures["lanes"]()
    assert (
        printed.title
        == "Conditional randomised response, as printed: over its promise at 46 steps, first at step 2"
    )
    assert kept.title == "Optimum: within its promise"
    for chart, lane in zip((printed, kept), record.lanes.values(), strict=True):
        named = {one.name: one for one in chart.series}
        for name, chosen in (("leakage, exact", ~lane.over), ("over the promise, exact", lane.over)):
            # Every step once.
            assert (name in named) == chosen.any()
            if chosen.any():
                assert np.array_equal(named[name].x, np.flatnonzero(chosen) + 1)
                assert np.array_equal(named[name].y, lane.leakage[chosen])
        assert np.array_equal(named["promise"].y, record.promise)
        wrong = np.flatnonzero(lane.released != record.symbols) + 1
        assert named["wrong release"].x.tolist() == wrong.tolist()
        # It is no leakage of 0.
        assert np.isnan(named["wrong release"].told.y).all()
        assert [(one.name, one.at) for one in chart.levels] == [("ε 0.6", 44.5)]
    assert not printed.note
    assert "50 steps: CRR as printed, Optimum; budget 0.5, 0.6 per step; seed 10; for the" in kept.note
    table = figures["table"]()
    assert (table.rows, table.values[0].tolist()) == (("dry", "wet"), pytest.approx([0.9, 0.1]))
    assert table.note == "First symbol: P(dry) = 0.5, P(wet) = 0.5."


def test_lanes_of_a_long_run_of_one_that_ends_and_of_nothing() -> None:
    (long,) = StreamRun.of(THREE, 0.5, "grr", 1001, seed=3)._figures()["lanes"]()
    assert long.series[0].x[[0, -1]].tolist() == [752.0, 1001.0]
    assert long.note.endswith("The last 250 steps are drawn.")
    chain, data = MarkovChain([[1.0, 0.0], [0.0, 1.0]], [0.5, 0.5]), np.array([0, 1, 1, 0])
    made = {"mine": lambda epsilon, chain: RandomisedSymbols(epsilon)}
    run = StreamRun(StreamScript.of(chain, np.inf, seed=0, data=data), made).extended(4)
    (ended,) = run._figures()["lanes"]()
    assert ended.title == "mine: ended after step 2"
    assert ended.note.startswith(run.ended("mine"))
    # What was not released leaks nothing.
    assert ended.series[0].y.tolist() == pytest.approx([np.inf, 0.0, np.nan, np.nan], nan_ok=True)
    nothing = StreamRun.of(THREE, 0.5, "crr", 0, seed=3)._figures()
    for part in ("lanes", "curves"):
        with pytest.raises(DomainError, match="no step to draw"):
            nothing[part]()
    assert nothing["table"]().values.shape == (3, 3)
    assert StreamRun.of(SECOND, 0.5, "crr", 5, seed=3)._figures()["table"]().rows[1] == "0, 1"


def test_the_sums_are_those_of_the_run() -> None:
    run = StreamRun.of(THREE, 0.5, ["crr", "crr_balanced", "grr2"], 80, seed=3)
    record, chart = run.record(delta=0.01), sums_chart(run, 0.01)
    names = ["CRR as printed", "Balanced", "Randomised 2ε", "linear composition"]
    assert [one.name for one in chart.series] == [*names, "advanced composition, δ = 0.01"]
    drawn = [*(lane.total for lane in record.lanes.values()), record.linear, record.advanced]
    assert np.array_equal([one.y for one in chart.series], drawn)
    # A mechanism keeps its line when others come and go.
    later = sums_chart(run, lines={"crr": 2, "crr_balanced": 0, "grr2": 1}).series
    looks = [(one.colour, one.dashes) for one in chart.series[:3]]
    assert [(one.colour, one.dashes) for one in later[:3]] == [looks[2], looks[0], looks[1]]
    # A long run is drawn by every so many steps, the last among them.
    (line, *_) = sums_chart(StreamRun.of(THREE, 0.5, "grr", 2001, seed=3)).series
    assert len(line.x) <= 1000
    assert line.x[-1] == 2001


def test_a_table_has_a_row_for_each_mechanism() -> None:
    chain = MarkovChain(THREE.transitions, states=["a_b", "50 %", r"\input{x}"])
    run = StreamRun.of(chain, 0.5, ["crr", "crr_balanced", "grr2"], 80, seed=3)
    made = run.to_latex()
    rows = [line for line in made.splitlines() if line.count("&") == 6]
    assert len(rows) == 4
    crr = rows[1].split(" & ")
    assert crr[0] == "CRR as printed"
    assert crr[2] == str(run.totals("crr").over)
    assert rows[2].split(" & ")[3] == "never"
    assert "80 steps promise 40.00 nats in all" in made
    assert r"\label{tab:x}" in run.to_latex(["mechanism", "sum"], caption="Sums", label="tab:x")
    assert run.to_latex("sum").count("&") == 0
    with pytest.raises(DomainError, match="no column 'total'; there are mechanism"):
        run.to_latex(["total"])
