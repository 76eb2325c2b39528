"""Each kind of number takes what it says, refuses everything else in its words, and so does a page."""

from __future__ import annotations

import datetime
import math
import re
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import pdp_widgets as pdp
from pdp_widgets.core.amounts import KINDS, Kind, Whole, as_size, exported
from pdp_widgets.errors import BudgetError, DomainError, PdpError, ScaleError, Where
from tests.packaging.conftest import ROOT
from tests.publish.browser_numbers import answers

LARGEST = 2**53

#: By kind: numbers that are taken, and one that is refused, with what is said of it.
TABLE: dict[str, tuple[list[Any], Any, str]] = {
    "finite": ([-1e300, -1, 0, 2.5], math.inf, "x is inf; it must be a finite number."),
    "not_negative": ([0, 1e300], -1, "x is -1; it must be a finite number, 0 or more."),
    "positive": ([5e-324, 1e300], 0, "x is 0; it must be a positive finite number."),
    "share": ([0, 0.25, 1], 1 + 2**-52, "x is 1.0000000000000002; it is a share, 0 to 1."),
    "probability": ([0, 0.25, 1], -0.5, "x is -0.5; it must be a probability, 0 to 1."),
    "inner": ([5e-324, 1 - 2**-53], 1, "x is 1; it must lie between 0 and 1, and be neither."),
    "factor": ([5e-324, 1], 0.0, "x is 0; it must be a number above 0 and at most 1."),
    "limit": ([0, math.inf], -1e-300, "x is -1e-300; it must be a number, 0 or more; infinity is allowed."),
    "count": ([1, LARGEST + 1], 2.0, "x is 2.0; it must be a whole number, 1 or more."),
    "epsilon": (
        [0, math.inf],
        math.nan,
        "x is nan; it must be a number of nats, 0 or more; infinity is allowed.",
    ),
    "budget": ([5e-324, 1e300], math.inf, "x is inf; it must be a positive, finite number of nats."),
    "delta": ([0, 1 - 2**-53], 1, "x is 1; it must be a number, at least 0 and below 1."),
    "delta1": ([None, 0.5], 0, "x is 0; it must lie between 0 and 1, and be neither; or be None."),
    "goal": (
        [None, 5e-324],
        0,
        "The goal is 0; give a number of nats above 0, or None for what was promised when "
        "the explorer was opened.",
    ),
    "threshold": ([None, 0], "1", "The threshold is '1'; give a number of nats, 0 or more, or None."),
    "measure_epsilon": (
        [None, 0],
        math.inf,
        "The epsilon of delta is inf; give a number of nats, 0 or more, or None for the promise.",
    ),
    "scale": ([5e-324, 1e300], True, "The scale is True; it must be positive and finite."),
    "max_change": ([0, 1e300], None, "The largest change is None; it must be finite, 0 or more."),
    "shift": ([None, -3], -math.inf, "x is -inf; it must be a finite number, or None."),
    "known": (
        [0, 1],
        [0],
        "x is [0]; it is the share of the other users whose places are known, 0 to 1.",
    ),
    "neighbours": ([1, LARGEST], 0, "x is 0; it must be a whole number, 1 to 9,007,199,254,740,992."),
    "min_count": ([0, 0.5], -1.5, "x is -1.5; it is a number of records, 0 or more."),
    "groups": ([2, 2**62], 1, "x is 1; it must be a whole number, 2 to 4,611,686,018,427,387,904."),
    "seed": (
        [0, LARGEST],
        10**300,
        "The seed is an integer of about 301 digits; give a whole number from 0 to 9,007,199,254,740,992.",
    ),
    "speed": ([0.1, 1000], 1000.5, "The speed is 1000.5; give 0.1 to 1,000 steps a second."),
    "seconds": (
        [0, math.inf],
        -1,
        "The limit is -1; give a number of seconds, 0 or more, or infinity for any time.",
    ),
}

#: What no kind takes, however it is read elsewhere.
STRANGE = [
    "1",
    b"1",
    True,
    np.True_,
    1j,
    [1],
    {1},
    object(),
    np.timedelta64(1, "s"),
    datetime.date(2000, 1, 1),
]

#: What a page may be sent, each as a kind may have it.
SENT: list[Any] = [
    *(sign * size for size in (0.0, 5e-324, 1e-5, 1e-4, 0.1, 0.1 + 0.2, 1.0, 2.5, 1e15, 1e16, 1e22, 1e300)
      for sign in (1, -1)),
    *(1 - 2**-53, 1 + 2**-52, 2.0, 1000.0, 1000.5, 2.0**53, 2.0**53 + 2, 2.0**62, 2.0**62 + 1024),
    *(math.inf, -math.inf, math.nan, None, True, "x"),
]  # fmt: skip


def said(kind: Kind, value: Any) -> str | None:
    """Return what is said of a value that is refused."""
    try:
        kind.maybe(value, "x")
    except PdpError as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_takes_its_numbers_and_refuses_others_in_its_words(name: str) -> None:
    kind = KINDS[name]
    taken, refused, words = TABLE[name]
    for value in taken:
        assert kind.maybe(value, "x") == value
    with pytest.raises(kind.error) as caught:
        kind.maybe(refused, "x")
    assert (str(caught.value), caught.value.where) == (words, Where("parameter", name="x"))
    for strange in STRANGE:
        assert kind.accepted in (said(kind, strange) or "")


def test_the_table_is_of_all_kinds() -> None:
    assert list(TABLE) == list(KINDS)


def test_numbers_of_every_type_are_taken_as_plain_ones() -> None:
    for value in (2, np.int8(2), np.float16(2), np.array(2), np.longdouble(2)):
        assert type(KINDS["epsilon"].take(value, "x")) is float
    assert type(KINDS["count"].take(np.int8(2), "x")) is int
    assert math.copysign(1, KINDS["epsilon"].take(-0.0, "x")) == 1


def test_the_caller_says_what_is_raised_and_of_what() -> None:
    with pytest.raises(ScaleError, match=r"^The width is 0; it must be a positive finite number\.$"):
        KINDS["positive"].take(0, "width", ScaleError, "The width")
    with pytest.raises(
        DomainError, match=r"^The number of rows is 0; it must be a whole number, 1 to 1,000\.$"
    ):
        as_size(0, "rows", 1, 1000, DomainError, "The number of rows")
    with pytest.raises(
        BudgetError, match=r"^n is np\.timedelta64\(1,'s'\); it must be a whole number, 1 or more"
    ):
        as_size(np.timedelta64(1, "s"), "n", 1)


def test_the_table_of_the_front_end_is_current() -> None:
    assert (ROOT / "js/src/compute/amounts.json").read_text(encoding="utf-8") == exported()


def test_a_page_refuses_what_python_refuses_in_the_same_words() -> None:
    asked, expected = [], []
    for name, kind in KINDS.items():
        for value in SENT:
            # A browser has one type of number: what is whole is whole.
            whole = isinstance(kind, Whole) and isinstance(value, float) and value.is_integer()
            asked.append([name, value])
            expected.append(said(kind, int(value) if whole else value))
    assert answers([["refusals", asked]])[0] == expected


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: pdp.AnonymityExplorer(epsilon=Decimal("sNaN")),
            "epsilon is Decimal('sNaN'); it must be a number",
        ),
        (lambda: pdp.AnonymityExplorer(k=Decimal("sNaN")), "k is Decimal('sNaN'); it must be a whole number"),
        (lambda: pdp.MarkovChain.symmetric(0.8, np.timedelta64(3, "s")), "not a list of labels"),
        (
            lambda: pdp.StreamSimulator(pdp.seattle_weather(), smoothing=2**53 + 1),
            "is 9007199254740993; give",
        ),
        (lambda: pdp.calibrate(pdp.lsat6(), pdp.LinearQuery.sum(pdp.lsat6()), "1"), "is '1'; it must be"),
        (lambda: pdp.anonymity.SelectedCount(10, 2, -0.0), "p is 0; it must lie"),
    ],
)
def test_what_is_odd_is_refused_in_words(call, words):
    with pytest.raises(pdp.PdpError, match=re.escape(words)):
        call()


def test_an_array_without_axes_is_a_number():
    explorer = pdp.AnonymityExplorer(epsilon=np.array(0.5))
    assert explorer.epsilon == 0.5
    plain, array = (
        pdp.local.comparison_plane(pdp.titanic(), 1.0, thresholds=one).points for one in (0.2, np.array(0.2))
    )
    assert plain == array


def test_counts_whose_sum_is_no_float_are_weights():
    frame = {"a": [0, 1, 0], "b": [1, 1, 0], "count": [1e308, 1e308, 1]}
    # Beside numbers so large the third row is nothing: they look like shares within rows, too.
    with pytest.warns(pdp.errors.DataRemark):
        found = pdp.SparseJoint.from_dataframe(frame, weight="count")
    assert sorted(found.probabilities.round(6).tolist()) == [0, 0.5, 0.5]
    with pytest.raises(pdp.PdpError) as refused:
        pdp.SparseJoint.from_dataframe(frame, weight="nope")
    assert refused.value.where.name == "weight"


def test_the_culprit_and_the_unit_are_named():
    with pytest.raises(pdp.PdpError) as refused:
        pdp.AnonymityExplorer(5)
    assert refused.value.where == Where("parameter", name="value")
    with pytest.raises(pdp.PdpError, match="a number of millimetres, more than 0"):
        pdp.seattle_weather(heavy_from=0)
    assert math.copysign(1, pdp.AnonymityExplorer(known=-0.0).known) == 1
    assert type(float(pdp.Leakage(1, "exact", pdp.prior.About("a"), "instance"))) is float
