"""Rows with counts: all that is told of them is what is told of the records one by one."""

import math
import pickle
import tracemalloc
from dataclasses import fields, is_dataclass

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, DomainError, LimitError, PdpError, TableError
from pdp_widgets.leakage.noiseless import anonymity_inputs, anonymity_results
from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.leakage.noiseless.syntactic_measures import l_diversity, t_closeness
from pdp_widgets.leakage.noiseless.syntactic_sensitivity import VOLUMES, syntactic_sensitivity
from pdp_widgets.mechanisms.anonymity.equivalence_classes import (
    EquivalenceClasses,
    anonymise,
    classes_as_given,
)
from pdp_widgets.mechanisms.anonymity.mondrian import as_given, mondrian
from pdp_widgets.models.microdata import Microdata

ORDERS = {"town": ["Ulm", "Bonn", "Kiel"]}


def thirds(rows, k):
    """Put records into groups in turn, so that equal ones part."""
    groups = max(1, min(3, len(rows) // k))
    return [list(range(start, len(rows), groups)) for start in range(groups)]


ANONYMISERS = (mondrian, as_given, thirds)


@st.composite
def counted_tables(draw):
    """Two tables of the same records, counted and listed, and a k."""
    many = draw(st.integers(1, 9))

    def column(values):
        return draw(st.lists(st.sampled_from(values), min_size=many, max_size=many))

    frame = {
        "age": column([20, 30, 30, 45, 60, None]),
        "town": column(["Ulm", "Bonn", "Kiel"]),
        "ill": column(["no", "no", "yes", None]),
        "visits": column([0, 1, 5]),
    }
    frame["age"][0], frame["ill"][0] = 30, "no"
    counts = draw(st.lists(st.integers(0, 4), min_size=many, max_size=many))
    counts[0] = max(1, counts[0])
    counted = Microdata({**frame, "n": counts}, orders=ORDERS, weight="n")
    rows = np.repeat(np.arange(many), counts)
    listed = Microdata(frame, orders=ORDERS).take(rows)
    published = int((~listed.column("age").missing).sum())
    # With a large k all are in one class, whatever changes.
    return counted, listed, draw(st.integers(1, min(published, draw(st.sampled_from([2, 4, 99])))))


#: What says something of rows, of which there are others where records are listed.
OF_ROWS = frozenset(("by_row", "runs", "row_number", "by_run", "lengths", "data", "analysis"))


def told(value, depth=4):
    """Return a value in words that are the same for equal ones."""
    if isinstance(value, np.ndarray):
        return repr(value.tolist())
    if isinstance(value, pd.DataFrame):
        return value.to_csv()
    if isinstance(value, Microdata):
        return "Microdata", told(value.to_dataframe())
    if isinstance(value, list | tuple):
        return [told(part, depth) for part in value]
    if is_dataclass(value) and depth:
        names = [field.name for field in fields(value) if field.name not in OF_ROWS]
        return type(value).__name__, [(name, told(getattr(value, name), depth - 1)) for name in names]
    return repr(value)


def answers(value, *calls):
    """Return all public properties, figures and tables of a value, and what some calls return or raise."""
    kind = type(value)
    found = {}
    for name in dir(kind):
        member = getattr(kind, name)
        if not name.startswith("_") and name not in OF_ROWS and not callable(member):
            calls = (*calls, (name, lambda one, name=name: getattr(one, name)))
    for name, call in (*calls, ("repr", repr), ("str", str)):
        try:
            found[name] = told(call(value))
        except PdpError as fault:
            found[name] = f"{type(fault).__name__}: {fault}"
    for name, figure in value._figures().items() if hasattr(value, "_figures") else ():
        found[f"figure {name}"] = told(figure())
    return found


def forgotten():
    """Forget what is kept: tables of the same records are equal, and one would answer for the other."""
    for kept in (
        anonymity_inputs._classes,
        anonymity_inputs.release_law,
        anonymity_results._of_classes,
    ):
        kept.cache_clear()


def alike(make, one, other, *calls):
    """Assert that what is made of two tables is equal, and answers alike."""
    forgotten()
    first = answers(made := make(one), *calls)
    forgotten()
    second = answers(again := make(other), *calls)
    assert first == second
    assert made == again
    assert hash(made) == hash(again)
    assert pickle.loads(pickle.dumps(made)) == again
    return made


@given(counted_tables())
def test_counted_records_are_the_listed_ones(tables):
    counted, listed, _ = tables
    n = listed.records
    alike(
        lambda data: data,
        counted,
        listed,
        ("frame", lambda data: data.to_dataframe()),
        ("columns", lambda data: [(one.values, one.labels, one.missing) for one in data.columns]),
        ("column", lambda data: data.column("town").values),
        ("values", lambda data: data.values(["visits", "age"])),
        ("take", lambda data: [data.take([n - 1, 0]), data.take(np.arange(n) % 2 == 0), data.take([n])]),
        ("without", lambda data: [data.without(row) for row in range(n) if n > 1]),
        ("none left", lambda data: data.without(0) if n == 1 else None),
        ("no record", lambda data: data.without(n)),
    )
    assert all(counted.without(row) == listed.without(row) for row in range(n) if n > 1)
    assert counted.listed() == listed
    assert counted != listed.take([*range(n), 0])


@given(counted_tables(), st.sampled_from(ANONYMISERS))
def test_classes_of_counted_records_are_those_of_the_listed_ones(tables, anonymiser):
    counted, listed, k = tables

    def members(classes):
        return [
            [classes.members(place), classes.members(place, 2), classes.ranges_of(place)]
            for place in range(len(classes))
        ]

    def made(data):
        try:
            return anonymise(data, ["age", "town"], k, anonymiser)
        except TableError:
            return classes_as_given(data, ["age", "town"])

    classes = alike(
        made,
        counted,
        listed,
        ("members", members),
        ("of", lambda classes: [classes.of(row) for row in range(listed.records)]),
        ("nobody", lambda classes: classes.of(listed.records)),
        ("below", lambda classes: [classes.below(size) for size in (1, 2, 3, 9)]),
        ("secrets", lambda classes: [classes.secret_values(name) for name in ("ill", "visits")]),
        ("counts", lambda classes: [classes.secret_counts(name) for name in ("ill", "visits")]),
        ("frame", lambda classes: classes.to_dataframe()),
        ("latex", lambda classes: classes.to_latex()),
        ("len", len),
    )
    again = EquivalenceClasses(counted, ["age", "town"], classes.k, classes.groups)
    assert again == classes
    assert hash(again) == hash(classes)
    for secret in ("ill", "visits", "town"):
        for measure in (
            lambda data, secret=secret: l_diversity(made(data), secret),
            lambda data, secret=secret: l_diversity(made(data), secret, "entropy"),
            lambda data, secret=secret: t_closeness(made(data), secret),
        ):
            alike(measure, counted, listed, ("frame", lambda found: found.to_dataframe()))


@given(
    counted_tables(),
    st.sampled_from(ANONYMISERS),
    st.sampled_from(VOLUMES),
    st.one_of(st.none(), st.integers(1, 12)),
    st.lists(st.tuples(st.sampled_from([20, 30, 99]), st.integers(0, 2)), max_size=2),
)
@settings(deadline=None)
def test_one_record_of_many_changes_the_classes_alike(tables, anonymiser, volume, sample, more):
    counted, listed, k = tables

    def left_out(data):
        analysis = AnonymityAnalysis(data, ["age", "town"], k=k, anonymiser=anonymiser, release="sum:visits")
        return analysis.sensitivity(volume, more, sample=sample)

    def fault(data):
        forgotten()
        try:
            left_out(data)
        except TableError as wrong:
            return str(wrong)
        return None

    wrong = fault(listed)
    assert fault(counted) == wrong
    if wrong is not None:
        return
    found = alike(left_out, counted, listed, ("frame", lambda found: found.to_dataframe()))
    rows = np.flatnonzero(~np.isnan(counted.row_values("age")).any(axis=1))
    values = counted.row_values(["age", "town"])[rows]
    counts = counted.runs.take(rows).counts
    alone = syntactic_sensitivity(values, k, volume, more, anonymiser, counts=counts, sample=sample)
    there = ~np.isnan(listed.column("age").values)
    assert np.array_equal(alone.changes, found.changes[there], equal_nan=True)


@given(st.integers(0, 2**32), st.sampled_from(VOLUMES), st.sampled_from([None, 2, 5, 20]), st.integers(1, 9))
@settings(deadline=None)
def test_counted_rows_are_left_out_as_an_anonymiser_leaves_out_each_record(seed, volume, sample, k):
    draw = np.random.default_rng(seed)
    rows, counts = draw.integers(0, 12, (16, 2)), draw.integers(1, 4, 16)
    more = draw.integers(0, 12, (1, 2))
    listed = np.repeat(rows, counts, axis=0)
    found = syntactic_sensitivity(rows, k, volume, more, counts=counts, sample=sample)
    assert found == syntactic_sensitivity(listed, k, volume, more, sample=sample)
    whole, there = syntactic_sensitivity(rows, k, volume, more, counts=counts), ~np.isnan(found.changes)
    assert found.changes[there].tolist() == whole.changes[there].tolist()
    # One of one's own is asked anew without each record.
    assert found == syntactic_sensitivity(
        listed, k, volume, more, lambda *table: mondrian(*table), sample=sample
    )


@given(
    counted_tables(),
    st.sampled_from(ANONYMISERS),
    st.sampled_from(["count:no", "suppressed:no", "records:no", "sum:visits", "sum:age", None]),
    st.sampled_from(["value", "presence"]),
    st.sampled_from([0.0, 0.4, 1.0]),
    st.integers(1, 3),
)
@settings(deadline=None)
def test_slacks_and_tables_of_counted_records_are_those_of_the_listed_ones(
    tables, anonymiser, release, neighbour, known, neighbours
):
    counted, listed, k = tables

    def analysis(data):
        try:
            made = {"anonymiser": anonymiser} if anonymiser is not as_given else {}
            return AnonymityAnalysis(
                *(data, ["age", "town"], "ill", k),
                **{"release": release, "neighbour": neighbour, "known": known, "neighbours": neighbours},
                **made,
            )
        except DomainError:
            return AnonymityAnalysis(data, ["age", "town"], k=k, release="sum:visits")

    alike(
        analysis,
        counted,
        listed,
        *[(name, lambda one, name=name: getattr(one, name)([0.0, 0.5, 2.0])) for name in ("slack", "bound")],
        ("all", lambda one: one.bound([0.0, 0.5, 2.0], "all")),
        ("recipe", lambda one: one.recipe()),
        ("printed", lambda one: one.printed([0.0, 0.5, 2.0])),
        ("epsilon", lambda one: one.epsilon(0.1)),
        ("known", lambda one: one.known_curve(0.5, [0.0, 0.5, 1.0])),
        ("frame", lambda one: one.to_dataframe()),
    )


@given(counted_tables(), st.booleans())
@settings(deadline=None)
def test_an_explorer_is_given_the_same(tables, counts):
    counted, listed, k = tables
    release = "count:no" if counts else "sum:visits"
    found = []
    for data in (counted, listed):
        forgotten()
        inputs = AnonymityInputs(data, (0, 1), 2, k, release, level="III", known=0.3, printed=True)
        results = anonymity_results.anonymity_results(inputs)
        removals = anonymity_results.anonymity_removals(inputs)
        listing = None if removals is None else [removals.changes, removals.largest, removals.worst]
        found.append(
            {field.name: told(getattr(results, field.name)) for field in fields(results)}
            | {"inputs": "", "analysis": "", "removals": told(listing)}
        )
    assert found[0] == found[1]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(1, 5)), min_size=1, max_size=12))
def test_groups_of_counted_rows_are_those_of_the_rows_listed(rows):
    table, counts = np.array(rows)[:, :2], np.array(rows)[:, 2]
    of = np.repeat(np.arange(len(table)), counts)
    for k in range(1, len(of) + 1):
        groups = mondrian(table, k, counts)
        assert {tuple(sorted(set(of[list(group)].tolist()))) for group in mondrian(table[of], k)} == set(
            groups
        )
    assert RecordLaw.empirical(table[:, 0], counts) == RecordLaw.empirical(table[of, 0])


def test_counts_that_are_none_are_named():
    for counts, culprit in (
        ([1, 0], "counts holds 0"),
        ([1.5, 1], "give whole numbers"),
        ([1], "counts have the shape"),
        ([10**12, 1], "add up to 1,000,000,000,001 records"),
    ):
        for call in (
            lambda counts=counts: mondrian([[1], [2]], 1, counts),
            lambda counts=counts: syntactic_sensitivity([[1], [2]], 1, counts=counts),
            lambda counts=counts: RecordLaw.empirical([1, 2], counts),
        ):
            with pytest.raises(PdpError, match=culprit):
                call()


@pytest.mark.parametrize(
    ("weights", "error", "culprit"),
    [
        ([1.5, 2], TableError, "row 0: the weight is 1.5.*whole records. A class is a number of people"),
        ([2, 2.0**60], TableError, r"row 1: the weight is 1\.15.*only whole records"),
        ([2, -1], TableError, "row 1: the count is -1"),
        ([2, None], TableError, "row 1 is missing"),
        ([0, 0], TableError, "no records"),
        ([1, 2, 3], PdpError, "n has 3"),
        ([10**12, 1], LimitError, "add up to 1,000,000,000,001 records"),
    ],
)
def test_weights_that_are_no_counts_of_people_are_refused(weights, error, culprit):
    with pytest.raises(error, match=culprit):
        Microdata({"age": [20, 30], "n": weights}, weight="n")


def test_a_hundred_million_records_are_never_listed_unless_asked_for():
    draw = np.random.default_rng(1)
    size = 3000
    frame = {"age": draw.integers(0, 90, size), "visits": draw.integers(0, 30, size)}
    frame |= {"ill": draw.choice(["no", "yes"], size, p=[0.9, 0.1]), "n": draw.integers(1, 80_000, size)}
    tracemalloc.start()
    data = Microdata(frame, weight="n")
    assert data.records > 100_000_000
    classes = anonymise(data, ["age", "visits"], 1_000_000)
    assert classes.achieved >= 1_000_000
    assert (classes.lost, classes.published) == (0, data.records)
    assert 1 <= l_diversity(classes, "ill").least <= 2
    assert 0 < t_closeness(classes, "ill").largest < 1
    assert len(classes.members(0, 12)) == 12
    analysis = AnonymityAnalysis(data, ["age", "visits"], "ill", 1_000_000, level="III", known=0.3)
    assert analysis.bound(1.0).delta < 0.01
    assert len(analysis.to_dataframe()) == len(classes)
    found = analysis.sensitivity(sample=3, limit=math.inf)
    assert (found.tested, found.status, len(found.to_dataframe())) == (3, "lower bound", 3)
    for name in ("map", "table", "curves"):
        analysis._figures()[name]()
    for listing in (
        lambda: classes.number,
        lambda: classes.rows,
        lambda: data.column("age"),
        lambda: data.to_dataframe(),
        lambda: found.changes,
        lambda: anonymise(data, "age", 5, thirds),
        lambda: syntactic_sensitivity(data.row_values("age"), 5, counts=frame["n"], sample=10**7),
    ):
        with pytest.raises(LimitError, match=r"lists 1\d\d,\d{3},\d{3} records|at most 2,\d{3},\d{3}"):
            listing()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100_000_000


def test_the_same_records_are_equal_however_their_rows_are_cut():
    tables = [
        Microdata({"age": ages, "n": counts}, weight="n")
        for ages, counts in (([20, 30], [5 * 10**8, 7]), ([20, 20, 30], [10**8, 4 * 10**8, 7]))
    ]
    forgotten()
    one, other = (anonymise(table, "age", 3) for table in tables)
    assert tables[0] == tables[1]
    assert one == other
    assert hash(one) == hash(other)
    assert one != anonymise(Microdata({"age": [20, 30], "n": [5 * 10**8, 8]}, weight="n"), "age", 3)


def test_equal_records_that_an_anonymiser_parts_stay_apart():
    data = Microdata({"age": [20, 30], "ill": ["no", "yes"], "n": [4, 2]}, weight="n")
    classes = anonymise(data, "age", 3, lambda rows, k: [[0, 1, 4], [2, 3, 5]])
    assert classes.groups == ((0, 1, 4), (2, 3, 5))
    assert classes.secret_counts("ill").tolist() == [[2, 1], [2, 1]]
    with pytest.raises(BudgetError, match="k is 0"):
        classes.below(0)
