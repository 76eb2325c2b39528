"""Where a number is due, text, time and integers without end are refused in words, at every entrance."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pdp_widgets as pdp
from pdp_widgets.core.converters import as_generator, plain_number, plain_numbers
from pdp_widgets.errors import PdpError
from pdp_widgets.models.covariance import from_correlation
from pdp_widgets.widgets.covariance_edits import CovarianceEdits

JOINT = pdp.JointDistribution([[0.5, 0.1], [0.1, 0.3]])
COUNTS = pdp.JointDistribution.from_counts([[5, 1], [1, 3]])
MODEL = pdp.GaussianModel(None, [[1, 0.5], [0.5, 1]])
QUERY = pdp.LinearQuery.sum(JOINT)
RELEASE = pdp.LaplaceMechanism(QUERY, scale=1)
ANALYSIS = pdp.PriorAnalysis(COUNTS, RELEASE)
GAUSSIAN = pdp.GaussianAnalysis(MODEL)

NO_NUMBERS: list[Any] = [
    True,
    np.True_,
    np.array(True),
    "1",
    b"1",
    np.str_("1"),
    np.array("1"),
    np.timedelta64(1, "s"),
    np.datetime64(1, "s"),
    datetime.timedelta(1),
    datetime.date(2000, 1, 1),
    10**400,
    -(10**400),
    1j,
    np.complex128(1),
    [[1]],
    {1},
    object(),
]

#: Each takes one number.
ENTRANCES: dict[str, Any] = {
    "scale": lambda v: pdp.LaplaceMechanism(QUERY, scale=v),
    "weight": lambda v: pdp.LinearQuery.weighted(JOINT, [v, 1]),
    "contribution": lambda v: pdp.LinearQuery([[v, 1], [0, 1]]),
    "contributions": lambda v: pdp.LinearQuery([np.array([v, v]), [0, 1]]),
    "probability": lambda v: pdp.JointDistribution([[v, 0], [0, 0]]),
    "probabilities": lambda v: pdp.JointDistribution(np.array([[v, v], [v, v]])),
    "count": lambda v: pdp.JointDistribution.from_counts([[v, 1], [1, 1]]),
    "variance": lambda v: pdp.GaussianModel(None, [[v, 0], [0, 1]]),
    "mean": lambda v: pdp.GaussianModel([v, 0], [[1, 0], [0, 1]]),
    "means": lambda v: pdp.GaussianModel(np.array([v, v]), [[1, 0], [0, 1]]),
    "standard deviation": lambda v: from_correlation([[1, 0.5], [0.5, 1]], [v, 1]),
    "Gaussian scale": lambda v: pdp.GaussianAnalysis(MODEL, scale=v),
    "Gaussian weight": lambda v: pdp.GaussianAnalysis(MODEL, [v, 1]),
    "Gaussian weights": lambda v: pdp.GaussianAnalysis(MODEL, np.array([v, v])),
    "change": lambda v: pdp.GaussianAnalysis(MODEL, max_change=v),
    "level": GAUSSIAN.scale_for,
    "target leakage": lambda v: ANALYSIS.calibrate(v),
    "known value": lambda v: MODEL.condition({"x1": v}),
    "released number": lambda v: pdp.gaussian.GaussianAdversary(MODEL, 0).posterior([0.0], v),
    "cell": lambda v: CovarianceEdits(MODEL).set_cell(0, 1, v),
    "correlation": lambda v: CovarianceEdits(MODEL).set_correlation(0, 1, v),
    "mean in the editor": lambda v: CovarianceEdits(MODEL).set_mean(0, v),
    "weight in the editor": lambda v: CovarianceEdits(MODEL, [v, 1]),
    "draws": lambda v: ANALYSIS.interval(0, draws=v),
    "level of an interval": lambda v: ANALYSIS.interval(0, level=v, draws=10),
    "size": MODEL.sample,
}


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_what_is_no_number_is_refused_in_words(entrance: str) -> None:
    for value in NO_NUMBERS:
        said = "it was taken"
        try:
            ENTRANCES[entrance](value)
        except PdpError as refused:
            said = str(refused)
        # What is counted and what is not may be said with True and False.
        if entrance.startswith("contribution") and np.asarray(value).dtype == bool:
            assert said == "it was taken", said
            continue
        # The message says what would be accepted, and is no page of digits.
        assert len(said) < 400, said
        assert said[0].isupper() or "rng" in said, (repr(value)[:40], said)


def test_a_ragged_list_is_refused_where_whole_numbers_are_due() -> None:
    for ragged in ([[1], [1, 2]], [[0], [0, 1]]):
        with pytest.raises(PdpError, match="rows of one length"):
            pdp.places.Friendships([(0, 1)]).among(ragged)


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_numbers_of_every_kind_are_taken(entrance: str) -> None:
    whole = {"draws": 10, "size": 2, "level of an interval": 0.5, "correlation": 1}.get(entrance, 1)
    for made in (
        (whole, np.float64(whole), np.array(whole)) if entrance not in ("draws", "size") else (whole,)
    ):
        try:
            ENTRANCES[entrance](made)
        except PdpError as fault:
            # Only for what the number says, such as probabilities that sum to more than 1.
            refused = str(fault)
        else:
            refused = ""
        assert refused == "" or "sum to" in refused or "no number" not in refused


SEEDS = st.one_of(
    st.none(),
    st.integers(0, 2**200),
    st.integers(0, 2**62).map(np.int64),
    st.lists(st.integers(0, 9), min_size=1, max_size=3),
    st.integers(0, 9).map(np.random.default_rng),
    st.integers(0, 9).map(np.random.SeedSequence),
)
NO_SEEDS = st.one_of(
    st.integers(max_value=-1),
    st.floats(),
    st.text(),
    st.booleans(),
    st.just([]),
    st.lists(st.integers(max_value=-1), min_size=1, max_size=3),
    st.just(np.int64(-1)),
    st.builds(object),
)
DRAW = {
    "release": lambda rng: RELEASE.release(JOINT, [0, 0], rng=rng),
    "sample": lambda rng: MODEL.sample(1, rng=rng),
    "interval": lambda rng: ANALYSIS.interval(0, draws=2, rng=rng),
    "tables": lambda rng: pdp.prior.drawn_tables(COUNTS, draws=2, rng=rng),
}


@pytest.mark.parametrize("way", DRAW)
@given(seed=SEEDS)
def test_every_seed_draws(way: str, seed: Any) -> None:
    DRAW[way](seed)


@pytest.mark.parametrize("way", DRAW)
@given(seed=NO_SEEDS)
def test_what_is_no_seed_is_refused_in_words(way: str, seed: Any) -> None:
    with pytest.raises(PdpError, match=r"^rng is .*; give a seed \(a whole number, 0 or more\)"):
        DRAW[way](seed)


@given(st.one_of(st.floats(), st.integers(-(2**60), 2**60)))
def test_a_number_is_itself(value: Any) -> None:
    for given_as in (value, np.float64(value), np.array(value), np.array(value, dtype=object)):
        assert np.array_equal(plain_number(given_as), float(value), equal_nan=True)
    assert np.array_equal(plain_numbers([[value]]), [[float(value)]], equal_nan=True)


def test_an_array_is_a_copy_and_a_generator_goes_on() -> None:
    numbers = np.ones(3)
    plain_numbers(numbers)[0] = 5
    assert numbers[0] == 1
    generator = np.random.default_rng(1)
    assert as_generator(generator) is generator
