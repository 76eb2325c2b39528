"""Laws of many equal records: from those of fewer, in steps that can be ended."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pdp_widgets.leakage.noiseless import convolutions
from pdp_widgets.leakage.noiseless.convolutions import Powers, growing_work, power_work
from pdp_widgets.leakage.noiseless.hidden_release import HiddenRelease, find_laws, unknown_others
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.leakage.noiseless.record_sum import RecordSum, sum_law


def law_of(rng, m=9):
    weights = rng.random(m) + 0.01
    return RecordLaw(np.sort(rng.choice(40, m, replace=False)) * 0.5 - 3, weights / weights.sum())


@pytest.mark.parametrize("block", [1, 2, 7])
def test_laws_of_more_and_more_records_are_those_found_alone(block):
    law = law_of(np.random.default_rng(block))
    powers = Powers()
    for count in (0, 3, 11, 12, 40, 40, 29, 75):
        found = sum_law(RecordSum.blocks(law, count, block).records, powers)
        alone = sum_law(RecordSum.blocks(law, count, block).records)
        assert (found.start, found.step, found.origin) == (alone.start, alone.step, alone.origin)
        # Every digit of the tails, not of the middle alone.
        np.testing.assert_allclose(found.probabilities, alone.probabilities, rtol=1e-12)
        assert found.probabilities.sum() == pytest.approx(1, abs=1e-12)


def test_the_law_of_a_sum_is_that_of_all_outcomes():
    law = RecordLaw([0, 1, 5], [0.5, 0.2, 0.3])
    found = sum_law([(law, 4), (RecordLaw([0, 2], [0.25, 0.75]), 1)])
    expected: dict[float, float] = {}
    for places in np.ndindex(3, 3, 3, 3, 2):
        value = law.values[list(places[:4])].sum() + (0, 2)[places[4]]
        chance = law.probabilities[list(places[:4])].prod() * (0.25, 0.75)[places[4]]
        expected[value] = expected.get(value, 0.0) + chance
    there = {value: chance for value, chance in zip(found.values, found.probabilities, strict=True) if chance}
    assert there == pytest.approx(expected)


def test_steps_are_short_and_what_they_raise_ends_the_computation(monkeypatch):
    monkeypatch.setattr(convolutions, "_AT_ONCE", 2000)
    law = law_of(np.random.default_rng(1))
    told: list[float] = []
    powers = Powers(told.append, power_work(40, 120))
    found = sum_law([(law, 120)], powers)
    np.testing.assert_allclose(found.probabilities, sum_law([(law, 120)]).probabilities, rtol=1e-12)
    assert len(told) > 100
    assert told == sorted(told)
    assert 0.2 < told[-1] <= 1

    class EndedError(Exception):
        pass

    def end(share: float) -> None:
        if share > 0.1:
            raise EndedError

    others = unknown_others(law, 121, 1)
    one = HiddenRelease("sum", law, law.range, 5, 121)
    with pytest.raises(EndedError):
        find_laws([one], end)
    assert not one.found
    find_laws([one])
    assert one.found
    assert others.law.probabilities.sum() == pytest.approx(1)


def test_forty_one_shares_cost_little_more_than_one_law(monkeypatch):
    done = []
    monkeypatch.setattr(Powers, "step", lambda self, many: done.append(many))
    law = law_of(np.random.default_rng(2), 12)
    counts = [share * 20 for share in range(41)]
    RecordSum.equal(law, counts[-1]).find(Powers())
    single = sum(done)
    done.clear()
    find_laws([HiddenRelease("sum", law, law.range, 5, count) for count in counts])
    assert single < sum(done) < 2.5 * single
    assert sum(done) == pytest.approx(growing_work(1 + round(law.range / 0.5), counts), rel=0.5)


def test_threads_that_ask_at_once_share_the_unknown_others(monkeypatch):
    # What one of them finds, the laws, is there for all: a law found on a copy was missing in a curve.
    made = RecordSum.blocks

    def slowly(*given):
        time.sleep(0.05)
        return made(*given)

    monkeypatch.setattr(RecordSum, "blocks", slowly)
    law = RecordLaw([0, 1, 7], [0.25, 0.5, 0.25])
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: unknown_others(law, 23, 3), range(4)))
    assert all(one is found[0] for one in found)
