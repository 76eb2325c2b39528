"""What a browser or a hand asks of the anonymity explorer: entries taken, refused and named."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from pdp_widgets import PdpError
from pdp_widgets.models.surveys import clinic
from pdp_widgets.widgets.anonymity_explorer import AnonymityExplorer
from tests.widgets.anonymity_asked import ask, curve


def test_every_input_is_a_trait_and_a_wrong_one_changes_nothing():
    explorer = AnonymityExplorer()
    explorer.level = "IV"
    explorer.neighbours = 3
    explorer.known = 0.5
    explorer.epsilon = 0.5
    explorer.release = "sum:weight"
    assert explorer.reading == "t7:statement"
    explorer.reading = "t7:proof"
    explorer.neighbour = "presence"
    explorer.events = "interval"
    explorer.delta1 = 0.1
    explorer.shift = 3
    explorer.group_change = 2
    explorer.show_paper = False
    wrong = {
        "value": 5,
        "quasi": ["height"],
        "secret": "height",
        "k": 0,
        "release": "count:maybe",
        "level": "V",
        "known": 1.5,
        "neighbours": 0,
        "epsilon": -1,
        "events": "some",
        "delta1": 1,
        "group_change": 0,
        "shift": math.nan,
        "neighbour": "both",
        "show_paper": "no",
        "reading": "t1:statement",
    }
    before = {name: getattr(explorer, name) for name in wrong}
    results = explorer.results
    for name, value in wrong.items():
        with pytest.raises((PdpError, TypeError)):
            setattr(explorer, name, value)
        assert {one: getattr(explorer, one) for one in wrong} == before, name
    assert (explorer.results, explorer.error) == (results, None)
    with pytest.raises(PdpError):
        explorer.k = 101
    with pytest.raises(TypeError, match="no keyword 'budget'"):
        AnonymityExplorer(budget=1)
    with pytest.raises(AttributeError, match="did you mean 'epsilon'"):
        explorer.epsilom = 1
    for bad in (
        {"k": "5"},
        {"k": 1000},
        {"epsilon": math.nan},
        {"quasi": []},
        {"secret": "age", "quasi": ["age"]},
    ):
        with pytest.raises(PdpError):
            AnonymityExplorer(clinic(), **bad)


@pytest.mark.parametrize(
    ("parts", "said", "kept"),
    [
        ({"k": 500}, "k = 500", {"k": 5}),
        ({"k": 2.5}, "2.5", {"k": 5}),
        ({"k": "NaN"}, "nan", {"k": 5}),
        ({"epsilon": -1}, "-1", {"epsilon": 1.0}),
        ({"epsilon": "-Infinity"}, "inf", {"epsilon": 1.0}),
        ({"known": 1.5}, "1.5", {"known": 0.3}),
        ({"neighbours": 0, "level": "II"}, "0", {"neighbours": 1}),
        ({"delta1": 1}, "1", {"delta1": None}),
        ({"group_change": 0}, "0", {"group_change": 1.0}),
        ({"shift": "Infinity"}, "inf", {"shift": None}),
    ],
)
def test_a_refused_entry_stays_as_typed_and_the_results_stay(parts, said, kept):
    explorer = AnonymityExplorer()
    before = explorer.results
    view = ask(explorer, **parts)
    assert said in view["fault"]["text"]
    assert said in explorer.error
    assert (view["current"], explorer.current) == (False, False)
    name = next(iter(kept))
    assert view[name] == parts[name]
    assert {one: getattr(explorer, one) for one in kept} == kept
    if "level" not in parts:
        assert explorer.results == before
    # A wrong entry stands in the way of nothing else.
    view = ask(explorer, **({"known": 0.6} if name != "known" else {"epsilon": 2}))
    assert said in view["fault"]["text"]
    assert explorer.known == 0.6 or explorer.epsilon == 2
    view = ask(explorer, **kept)
    assert (view["fault"], view["current"]) == (None, True)


@pytest.mark.parametrize(
    "parts",
    [
        {"quasi": "age"},
        {"quasi": [True]},
        {"quasi": [0] * 99},
        {"secret": "diabetes"},
        {"level": "V"},
        {"level": ["I"]},
        {"neighbour": "__class__"},
        {"events": 3},
        {"release": 7},
        {"release": "x" * 400},
        {"printed": 1},
        {"reading": None},
    ],
)
def test_what_no_browser_sends_is_refused_with_a_sentence(parts):
    explorer = AnonymityExplorer()
    before = explorer.results
    view = ask(explorer, **parts)
    assert view["fault"]["text"]
    assert explorer.results == before
    assert ask(explorer, epsilon=1.0)["fault"] is None


@pytest.mark.parametrize(
    "parts",
    [
        {"quasi": [7]},
        {"quasi": [-1, 0]},
        {"quasi": [0, 0]},
        {"quasi": []},
        {"secret": 99},
        {"secret": -1},
        {"secret": 1},
        {"release": "count:maybe"},
        {"reading": "t9:proof"},
    ],
)
def test_what_does_not_exist_names_nothing(parts):
    explorer = AnonymityExplorer()
    before = {name: explorer._view[name] for name in ("quasi", "secret", "release", "reading")}
    view = ask(explorer, **parts)
    assert {name: view[name] for name in before} == before
    assert view["fault"] is None


NONSENSE = [None, "x", 1.5, -1, 10**30, [], ["a"], [[0]], {}, True, math.nan, math.inf, b"", b"\0" * 7, 2**63]


PARTS = (
    *("quasi", "secret", "k", "release", "neighbour", "group_change", "shift", "level", "known"),
    *("neighbours", "epsilon", "events", "delta1", "printed", "reading"),
)


@pytest.mark.parametrize("part", PARTS)
def test_parts_of_another_kind_are_faults_in_plain_words(part):
    explorer = AnonymityExplorer()
    good = explorer._view[part]
    for value in NONSENSE:
        view = ask(explorer, **{part: value})
        assert view["ack"]["origin"] == "a"
        assert "Something went wrong" not in (explorer.error or ""), value
        assert view["results"] is not None
        view = ask(explorer, **{part: good})
        assert view["fault"] is None, value
    ask(explorer, secret=2, release="count:yes", reading="t1:statement")
    assert curve(explorer._view, "exact")["at"] == pytest.approx(0.0097963, abs=5e-7)


def test_numbers_of_any_kind_are_taken_as_plain_ones():
    explorer = AnonymityExplorer(
        k=np.int64(6), known=Fraction(1, 4), epsilon=Decimal("0.5"), shift=np.float32(2)
    )
    found = (explorer.k, explorer.known, explorer.epsilon, explorer.shift)
    assert found == (6, 0.25, 0.5, 2.0)
    assert [type(one) for one in found] == [int, float, float, float]
    explorer.delta1 = Fraction(1, 8)
    assert (explorer.delta1, explorer._view["delta1"]) == (0.125, 0.125)
    for wrong in ("0.3", True, b"1", [0.3], 10**400, 1j):
        with pytest.raises(PdpError, match="known is"):
            explorer.known = wrong
        with pytest.raises(PdpError, match="known is"):
            AnonymityExplorer(known=wrong)


@pytest.mark.parametrize("name", ["k", "known", "neighbours", "epsilon", "delta1", "group_change", "shift"])
@pytest.mark.parametrize(
    "wrong",
    [np.array([1, 2]), (0,), [0.5], {}, object(), pd.NA, 1j, Decimal("NaN")],
    ids=lambda wrong: type(wrong).__name__,
)
def test_what_is_no_single_number_is_named_and_changes_nothing(name, wrong):
    explorer = AnonymityExplorer()
    before = explorer.results
    with pytest.raises(PdpError, match=f"{name} is "):
        setattr(explorer, name, wrong)
    assert (explorer.results, explorer.error) == (before, None)
    with pytest.raises(PdpError, match=f"{name} is "):
        AnonymityExplorer(**{name: wrong})


def test_groups_larger_than_floats_count_are_refused():
    explorer = AnonymityExplorer(level="II", neighbours=2**53)
    assert explorer.results.unknown == 0
    with pytest.raises(PdpError, match=r"1 to 9,007,199,254,740,992"):
        explorer.neighbours = 10**400
    explorer.neighbours = 2
    view = ask(explorer, neighbours=1e300)
    assert "1 to 9,007,199,254,740,992" in view["fault"]["text"]
    assert explorer.neighbours == 2
