"""Networks of friends with places: files, patterns, cities, and the simulated network."""

import gzip
import json
import pathlib
import pickle
import tempfile
from datetime import UTC, datetime, timedelta, timezone
from importlib.resources import files
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import (
    LimitError,
    SocialNetwork,
    read_check_ins,
    read_friendships,
    synthetic_network,
)
from pdp_widgets.errors import NetworkError, NetworkWarning
from pdp_widgets.models import text_files
from pdp_widgets.models.adult import parse_adult_records
from pdp_widgets.models.check_ins import parse_check_ins
from pdp_widgets.models.friendships import parse_friendships
from pdp_widgets.models.great_circle import kilometres_per_degree, pattern_distance
from pdp_widgets.models.location_patterns import CITIES, City, in_city, min_max
from pdp_widgets.models.synthetic_network import _chances
from pdp_widgets.places import CheckIns, Friendships, great_circle_km, location_patterns

WHEN = "2010-10-19T23:55:27Z"
ROWS = [(5, WHEN, 40.7, -74.0, "a"), (7, WHEN, 40.8, -73.9, "b"), (9, WHEN, 40.8, -73.8, "c")]
PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25)
VISITS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6), st.integers(1, 3)), min_size=1, max_size=25)


@pytest.fixture(scope="module")
def network():
    return synthetic_network(300, rng=11)


def test_distances_on_the_earth():
    quarter = np.pi / 2 * 6371
    assert great_circle_km([0, 0], [90, 0]) == pytest.approx(quarter, abs=1e-9)
    assert great_circle_km([0, 0], [0, 180]) == pytest.approx(2 * quarter, abs=1e-9)
    assert great_circle_km([[10, 20]] * 2, [10, 20]).tolist() == [0, 0]
    north, east = kilometres_per_degree(40.0)
    assert great_circle_km([40, 5], [40.001, 5]) == pytest.approx(north / 1000, rel=1e-6)
    assert great_circle_km([40, 5], [40, 5.001]) == pytest.approx(east / 1000, rel=1e-6)
    one, other = [[0, 0], [10, 10]], [[0, 90], [10, 10]]
    assert pattern_distance(one, other) == pytest.approx(quarter / 2, abs=1e-9)


@pytest.mark.parametrize("place", [[91, 0], [0, -180.1], [float("nan"), 0], ["a", 0], [1, 2, 3], 7])
def test_places_that_are_none(place):
    with pytest.raises(NetworkError, match="places"):
        great_circle_km(place, [0, 0])


def test_patterns_of_different_lengths_have_no_distance():
    with pytest.raises(NetworkError, match="same number of places"):
        pattern_distance([[0, 0]], [[0, 0], [1, 1]])


CHECK_IN = "3\t2010-10-19T23:55:27Z\t30.25\t-97.5\tpub\n"


@pytest.mark.parametrize(
    "line",
    [
        "3\t2010-10-19T23:55:27Z\t30.25\t-97.5\n",
        "3\t2010-10-19T23:55:27Z\t30.25\t-97.5\tpub\tmore\n",
        "3\t2010-10-19T23:55:27\t30.25\t-97.5\tpub\n",
        "3\t2010-02-30T23:55:27Z\t30.25\t-97.5\tpub\n",
        "3\t2010-10-19 23:55:27Z\t30.25\t-97.5\tpub\n",
        "3\t2010-10-19T24:00:00Z\t30.25\t-97.5\tpub\n",
        "3\t2010-10-19T23:60:00Z\t30.25\t-97.5\tpub\n",
        "1_000\t2010-10-19T23:55:27Z\t30.25\t-97.5\tpub\n",
        "3.0\t2010-10-19T23:55:27Z\t30.25\t-97.5\tpub\n",
        "3\t2010-10-19T23:55:27Z\t3_0.25\t-97.5\tpub\n",
        "3\t2010-10-19T23:55:27Z\tnan\t-97.5\tpub\n",
        "3\t2010-10-19T23:55:27Z\tinf\t-97.5\tpub\n",
        "3\t2010-10-19T23:55:27Z\t90.1\t-97.5\tpub\n",
        "3\t2010-10-19T23:55:27Z\t30.25\t180.5\tpub\n",
        "3\t2010-10-19T23:55:27Z\t٣٠\t-97.5\tpub\n",
        "3 2010-10-19T23:55:27Z 30.25 -97.5 pub\n",
    ],
)
def test_lines_that_are_no_check_in_are_dropped_and_counted(line):
    found = parse_check_ins([line, CHECK_IN, "\n", "  \r\n"])
    assert (len(found), found.dropped) == (1, 1)
    assert list(found) == [(3, "2010-10-19T23:55:27Z", 30.25, -97.5, "pub")]


def test_check_ins_are_read_from_files(tmp_path):
    text = CHECK_IN.replace("\t", "\t\t", 1).replace("\n", "\r\n") + "no\n" + CHECK_IN.replace("3", "+4", 1)
    plain, packed = tmp_path / "visits.txt", tmp_path / "visits.txt.gz"
    plain.write_bytes(text.encode())
    packed.write_bytes(gzip.compress(text.encode()))
    found = read_check_ins(plain)
    assert found == read_check_ins(packed)
    assert (found.title, found.users.tolist(), found.dropped) == ("visits", [3, 4], 1)
    again = read_check_ins(found.write(tmp_path / "again.txt"), "visits")
    assert list(again) == list(found)


def test_files_that_are_none(tmp_path, monkeypatch):
    broken = tmp_path / "visits.gz"
    broken.write_bytes(gzip.compress(CHECK_IN.encode() * 100)[:-20])
    with pytest.raises(NetworkError, match="cannot be unpacked"):
        read_check_ins(broken)
    broken.write_bytes(b"no gzip")
    with pytest.raises(NetworkError, match="no sound gzip file"):
        read_friendships(broken)
    empty = tmp_path / "visits.txt"
    empty.write_text("nothing\n")
    with pytest.raises(NetworkError, match=r"no valid check-in.*1 row has"):
        read_check_ins(empty)
    with pytest.raises(FileNotFoundError):
        read_check_ins(tmp_path / "missing.txt")
    monkeypatch.setattr(text_files, "LONGEST_LINE", 20)
    empty.write_text(CHECK_IN)
    with pytest.raises(LimitError, match="line 1 is too long"):
        read_check_ins(empty)


def test_check_ins_are_a_value():
    found = CheckIns([*ROWS, (5, WHEN, float("nan"), 0, "a"), "text", (1, 2)])
    assert (len(found), found.dropped, found.locations) == (3, 3, ("a", "b", "c"))
    assert found == pickle.loads(pickle.dumps(found)) != CheckIns(ROWS)
    assert hash(found) == hash(pickle.loads(pickle.dumps(found)))
    assert found.only([0, 2]).locations == ("a", "c")
    assert found.to_dataframe()["location"].tolist() == ["a", "b", "c"]
    with pytest.raises(ValueError, match="read-only"):
        found.places[0] = 0
    with pytest.raises(AttributeError, match="read-only"):
        found.title = "x"
    for chosen in ([9], [], ["a"]):
        with pytest.raises(NetworkError):
            found.only(np.array(chosen))
    for rows in (7, "text", []):
        with pytest.raises(NetworkError):
            CheckIns(rows)


def test_rows_hold_numbers_and_times_of_all_kinds():
    east = timezone(timedelta(hours=2))
    times = [
        datetime(2010, 10, 19, 23, 55, 27),
        datetime(2010, 10, 20, 1, 55, 27, tzinfo=east),
        np.datetime64("2010-10-19T23:55:27"),
        pd.Timestamp("2010-10-19 23:55:27"),
    ]
    found = CheckIns([(np.int64(1), time, np.float64(40.5), np.float32(-74.5), 9) for time in times])
    assert list(found) == [(1, WHEN, 40.5, -74.5, "9")] * 4


def test_check_ins_from_arrays():
    rows = CheckIns(ROWS)
    parts = {
        "users": rows.users,
        "times": rows.times,
        "places": rows.places,
        "codes": rows.codes,
        "locations": rows.locations,
    }
    assert CheckIns.from_arrays(**parts) == rows
    for wrong in (
        {"users": [1]},
        {"users": [0.5, 1, 2]},
        {"times": ["now"] * 3},
        {"times": np.array(["NaT"] * 3, dtype="datetime64[s]")},
        {"places": [[91.0, 0.0]] * 3},
        {"codes": [0, 1, 3]},
        {"codes": [0, 1, -1]},
        {"locations": ("a", "a", "b")},
        {"locations": ("a", None, "b")},
        {"locations": ("a", 1.5, "b")},
    ):
        with pytest.raises(NetworkError):
            CheckIns.from_arrays(**(parts | wrong))


def test_friendships_are_read_from_lines():
    found = parse_friendships(
        ["# 0 1\n", "\n", "1\t0\r\n", "0 1\n", "2   1\n", "3 3\n", "1_0 2\n", "1\n", "1 2 3"]
    )
    assert (found.edges.tolist(), found.dropped) == ([[0, 1], [1, 2]], 3)


@given(PAIRS)
def test_friendships_are_sets_of_pairs(pairs):
    found = Friendships(pairs)
    wanted = sorted({(min(p), max(p)) for p in pairs if p[0] != p[1]})
    assert list(found) == wanted
    assert found == Friendships(found.edges[::-1, ::-1])
    assert found == pickle.loads(pickle.dumps(found))
    graph = found.to_networkx()
    assert sorted(tuple(sorted(edge)) for edge in graph.edges()) == wanted
    assert Friendships.from_networkx(graph) == found
    for user in range(10):
        assert found.of(user).tolist() == sorted(graph.neighbors(user) if user in graph else [])
    some = [1, 2, 3, 5, 8]
    assert [(some[a], some[b]) for a, b in found.among(some).tolist()] == [
        p for p in wanted if set(p) <= set(some)
    ]


def test_friendships_are_written_in_both_directions(tmp_path):
    friends = Friendships([(3, 1), (1, 2)])
    file = friends.write(tmp_path / "edges.txt")
    assert file.read_text() == "1\t2\n1\t3\n2\t1\n3\t1\n"
    assert read_friendships(file) == friends


@pytest.mark.parametrize("edges", ["ab", 3, [(1, 2, 3)], [("a", "b")], [(1.5, 2)], [(1, 2), (3,)]])
def test_friendships_that_are_none(edges):
    with pytest.raises(NetworkError):
        Friendships(edges)
    with pytest.raises(NetworkError, match="networkx"):
        Friendships.from_networkx(edges)


@given(VISITS, st.integers(1, 4))
def test_patterns_are_the_places_of_most_check_ins(visits, q):
    rows = [(user, WHEN, place, -place, place) for user, place, times in visits for _ in range(times)]
    found = location_patterns(CheckIns(rows), q, users=range(6))
    dropped = location_patterns(CheckIns(rows), 1, "drop").dropped_users
    assert dropped == ()
    short = []
    for user in range(6):
        counts = {p: sum(t for u, at, t in visits if (u, at) == (user, p)) for p in range(7)}
        ranked = [p for p in sorted(counts, key=lambda p: (-counts[p], p)) if counts[p]]
        if not ranked:
            assert user in found.dropped_users
            continue
        wanted = (ranked + ranked[:1] * q)[:q]
        at = found.users.tolist().index(user)
        assert found.places[at].tolist() == [[p, -p] for p in wanted]
        if len(ranked) < q:
            short.append(user)
    if len(short) < len(found.users):
        left_out = location_patterns(CheckIns(rows), q, "drop").dropped_users
        assert sorted(left_out) == short
    else:
        with pytest.raises(NetworkError, match="None of the"):
            location_patterns(CheckIns(rows), q, "drop")


def test_ties_are_broken_by_number_only_where_all_ids_are_numbers():
    def top(*ids):
        return location_patterns(CheckIns([(0, WHEN, k, 0, one) for k, one in enumerate(ids)])).places[
            0, 0, 0
        ]

    assert top("10", "9") == 1
    assert top("10", "9", "x") == 0
    assert top("+10", "-9", "3") == 1


def test_the_place_of_a_location_is_that_of_its_first_check_in():
    rows = [(1, WHEN, 10, 10, "a"), (0, WHEN, 20, 20, "a")]
    assert location_patterns(CheckIns(rows), users=[0]).places.tolist() == [[[10.0, 10.0]]]


@pytest.mark.parametrize(
    "given", [{"q": 0}, {"q": True}, {"pad": "last"}, {"users": []}, {"users": "ab"}, {"users": [99]}]
)
def test_patterns_of_nothing(given):
    with pytest.raises(NetworkError):
        location_patterns(CheckIns(ROWS), **given)


def test_min_max():
    assert min_max([[1e308, 1], [-1e308, 1]]).tolist() == [[1, 0], [0, 0]]
    for rows in ([], [[float("inf")]], [["a"]], [1, 2]):
        with pytest.raises(NetworkError):
            min_max(rows)


def test_users_belong_to_the_city_of_most_check_ins():
    york, francisco = CITIES[0].centre, CITIES[1].centre
    here = [(0, WHEN, *york, "a")] * 12 + [(0, WHEN, *francisco, "b")] * 12 + [(0, WHEN, 0, 0, "c")] * 50
    few = [(1, WHEN, *york, "a")] * 9
    found = in_city(CheckIns(here + few), CITIES[0])
    # Of equal cities the first, and only what is inside.
    assert (len(found), found.distinct_users.tolist(), found.locations) == (12, [0], ("a",))
    assert in_city(CheckIns(here + few), CITIES[1]) is None
    with pytest.raises(NetworkError, match="Oslo is not one"):
        in_city(found, City("Oslo", 60, 10))


def test_a_network_is_a_value(network):
    small = SocialNetwork(CheckIns(ROWS), Friendships([(5, 9), (5, 6), (9, 9)]))
    assert (small.n, small.left_out, small.edges.tolist()) == (3, (6,), [[0, 2]])
    assert small.friends(0).tolist() == [2]
    for position in (3, -1, 999, True):
        with pytest.raises(NetworkError, match="positions run from 0 to 2"):
            small.friends(position)
    assert (small.degrees.tolist(), small.components.tolist()) == ([1, 0, 1], [0, 1, 0])
    assert small.largest_component == 2
    assert small.points.tolist() == pytest.approx(np.array([[0, 0], [1, 0.5], [1, 1]]))
    assert small == pickle.loads(pickle.dumps(small)) != network
    assert (small.position(9), small.size_km[0]) == (2, pytest.approx(11.119, abs=1e-3))
    for user in (6, "a", 1.5):
        with pytest.raises(NetworkError, match="no user"):
            small.position(user)
    with pytest.raises(NetworkError, match="New York, San Francisco"):
        small.city("Oslo")
    with pytest.raises(NetworkError, match="Nobody"):
        small.city("New York")
    for wrong in ((ROWS, Friendships([])), (CheckIns(ROWS), [(1, 2)])):
        with pytest.raises(NetworkError, match="give"):
            SocialNetwork(*wrong)


def test_users_without_friends_are_users(network):
    alone = SocialNetwork(CheckIns(ROWS), Friendships([]))
    assert (alone.n, alone.largest_component, alone.degrees.tolist()) == (3, 1, [0, 0, 0])
    one = SocialNetwork(CheckIns(ROWS[:1]), Friendships([]))
    assert (one.points.tolist(), one.size_km) == ([[0.0, 0.0]], (0.0, 0.0))


@given(PAIRS)
def test_components_are_those_of_the_graph(pairs):
    rows = [(user, WHEN, 40.0, -74.0, user) for user in range(10)]
    network = SocialNetwork(CheckIns(rows), Friendships(pairs))
    graph = nx.Graph(network.edges.tolist())
    graph.add_nodes_from(range(10))
    for component in nx.connected_components(graph):
        assert len(set(network.components[list(component)].tolist())) == 1
    assert len(set(network.components.tolist())) == nx.number_connected_components(graph)
    assert network.largest_component == max(map(len, nx.connected_components(graph)))


@pytest.mark.parametrize("seed", range(4))
def test_a_simulated_network_has_the_statistics_of_the_data(seed):
    text = files("pdp_widgets").joinpath("data/vectors/ddp.json").read_text(encoding="utf-8")
    case = next(c for c in json.loads(text)["cases"] if c["kind"] == "synthetic_statistics")
    found = synthetic_network(**case["input"], rng=seed).statistics
    for name, (low, high) in case["expected"]["bands"].items():
        assert low <= found[name] <= high, name


def test_a_seed_gives_the_same_network(network, tmp_path):
    assert network == synthetic_network(300, rng=np.random.default_rng(11))
    assert network != synthetic_network(300, rng=12)
    visits = read_check_ins(network.check_ins.write(tmp_path / "a.txt"), network.check_ins.title)
    friends = read_friendships(network.friendships.write(tmp_path / "b.txt"))
    assert SocialNetwork(visits, friends, network.title) == network


def test_friendships_have_the_expected_number():
    rng = np.random.default_rng(1)
    weight = rng.random(500) ** 3
    for wanted in (0, 1, 37.5, 250, 499, 500, 900):
        chances = _chances(weight, wanted)
        assert chances.sum() == pytest.approx(min(wanted, 500))
        assert ((chances >= 0) & (chances <= 1)).all()
        below = chances < 1
        if below.any() and wanted:
            assert np.allclose(chances[below] / weight[below], (chances[below] / weight[below])[0])


def test_extreme_networks():
    assert synthetic_network(1, 0, rng=1).n == 1
    assert len(synthetic_network(40, 0, rng=1).edges) == 0
    assert synthetic_network(12, 11, 0.5, 1, rng=1).degrees.max() <= 11
    city = synthetic_network(60, 8, 0.0, rng=2)
    assert city.statistics["within_city_edge_share"] == 1


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"n_users": 0}, NetworkError),
        ({"n_users": 2.5}, NetworkError),
        ({"n_users": 30_000}, LimitError),
        ({"n_users": 5, "mean_degree": 5}, NetworkError),
        ({"mean_degree": -1}, NetworkError),
        ({"mean_degree": "x"}, NetworkError),
        ({"long_range": 1.5}, NetworkError),
        ({"long_range": float("nan")}, NetworkError),
        ({"hotspots": 0}, NetworkError),
    ],
)
def test_networks_that_cannot_be(given, fault):
    with pytest.raises(fault, match=r"n_users|mean_degree|long_range|hotspots") as caught:
        synthetic_network(**given)
    assert caught.value.where.name in given


def test_adult_records_are_text():
    one = "39, State-gov, 77516, Bachelors, 13, Single, Adm, Not, White, Male, 1, 0, 40, Peru, <=50K"
    lines = ["|1x3 Cross validator\r\n", f"{one}\r\n", f"{one}.\n", one.replace("Peru", "?"), "a, b", "\n"]
    found = parse_adult_records(lines)
    assert (len(found), found.dropped, found.column("income")) == (2, 2, ("<=50K", "<=50K"))
    assert found.rows[0][2] == "77516"


def test_pairs_of_a_city_are_its_own(network):
    whole = {tuple(pair) for pair in network.friendships.edges.tolist()}
    cities = [network.city(city.name) for city in CITIES]
    assert sum(city.n for city in cities) == network.n
    for city in cities:
        users = city.users.tolist()
        inside = {pair for pair in whole if set(pair) <= set(users)}
        assert {tuple(users[k] for k in pair) for pair in city.edges.tolist()} == inside
    for one, other in combinations(cities, 2):
        assert not set(one.users.tolist()) & set(other.users.tolist())


NEAR = "3\t2010-10-19T23:55:27Z\t40.7\t-74.0\t22847\n"
SWAPPED = "3\t2010-10-19T23:55:27Z\t-74.0\t40.7\t22847\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (NEAR.replace("\t", " "), "looks separated by blanks; use tabs"),
        ("2010-10-19T23:55:27Z\t3\t40.7\t-74.0\t22847\n", "swapped, as time, user, latitude, longitude, loc"),
        ("22847\t40.7\t-74.0\t2010-10-19T23:55:27Z\tpub\n", "swapped, as user, latitude, longitude, time"),
        ("3\t2010-10-19T23:55:27Z\t-118.2\t34.1\t7\n", "Latitude and longitude look swapped"),
        ("Ann\t2010-10-19T23:55:27Z\t40.7\t-74.0\t7\n", "Its user is 'Ann'; users are whole numbers"),
        ("3\t2010-10-19 23:55\t40.7\t-74.0\t7\n", "Its time is '2010-10-19 23:55'; a time is as 2010-"),
        ("3\t2010-10-19T23:55:27Z\tnan\t-74.0\t7\n", "Its latitude is 'nan'; it is degrees from -90"),
        (
            "Ann\t2010-10-19 23:55\t40.7\t-74.0\t7\n",
            "Its user is 'Ann' and its time is '2010-10-19 23:55'; users are whole numbers .*, a time is as",
        ),
        ("3\t7\n", "see read_friendships"),
        ("3\tx\ty\n", "It has 3 fields"),
    ],
)
def test_check_ins_of_another_form_are_refused_with_what_they_look_like(line, said):
    with pytest.raises(NetworkError, match=said):
        parse_check_ins([line] * 3)
    # Among others they are left out, and that is said where they are many.
    with pytest.warns(NetworkWarning, match=f"5 of 9 rows are no check-in and are left out.*{said}") as told:
        assert parse_check_ins([NEAR] * 4 + [line] * 5).dropped == 5
    assert len(told) == 1
    assert parse_check_ins([NEAR] * 4 + [line] * 4).dropped == 4
    assert parse_check_ins([NEAR] * 45 + [line] * 5).dropped == 5


def test_a_data_frame_is_refused_with_how_its_rows_are_given():
    frame = parse_check_ins([NEAR] * 3).to_dataframe()
    with pytest.raises(
        NetworkError, match=r"give CheckIns\(frame.itertuples\(index=False\)\) with the columns"
    ):
        CheckIns(frame)
    assert len(CheckIns(frame.itertuples(index=False))) == 3
    with pytest.raises(NetworkError, match="1 row has something else"):
        CheckIns(frame.head(1)[["user", "time"]].itertuples(index=False))


def test_swapped_degrees_that_exist_are_told():
    with pytest.warns(NetworkWarning, match="latitude and longitude look swapped"):
        parse_check_ins([SWAPPED])
    with pytest.warns(NetworkWarning, match="latitude and longitude look swapped"):
        CheckIns([(3, WHEN, -74.0, 40.7, "7")])
    assert len(parse_check_ins([NEAR, SWAPPED, NEAR])) == 3


@pytest.mark.parametrize("mark", [",", ";", "|", "\t", "\t\t"])
def test_other_signs_separate_too(mark):
    check_ins = parse_check_ins([NEAR.replace("\t", mark)] * 2)
    assert list(check_ins) == list(parse_check_ins([NEAR] * 2))
    assert parse_friendships([f"0{mark}1", f"1{mark} 2"]) == Friendships([(0, 1), (1, 2)])


def test_an_empty_field_moves_no_other():
    near = NEAR.replace("\t", ",")
    with pytest.raises(NetworkError, match="no valid check-in"):
        parse_check_ins([near.replace(",40.7", ",,40.7")])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (NEAR, "see read_check_ins"),
        ("0 Ann\n", "A user is 'Ann'; users are whole numbers"),
        ("0 1 2\n", "It has 3 fields"),
    ],
)
def test_friendships_of_another_form_are_refused_with_what_they_look_like(line, said, tmp_path):
    file = tmp_path / "edges.txt"
    file.write_text("# a heading\n" + line * 3)
    with pytest.raises(NetworkError, match=f"There is no friendship.* 3 lines.*{said}"):
        read_friendships(file)
    with pytest.warns(NetworkWarning, match=f"5 of 6 rows are no friendship.*{said}") as told:
        assert parse_friendships(["0 1", *[line] * 5]).dropped == 5
    assert told[0].filename == __file__
    # No line at all is a network without friends.
    file.write_text("# nobody\n")
    assert len(read_friendships(file)) == 0


def test_friendships_among_nobody_are_told():
    check_ins = CheckIns(ROWS)
    for edges, many in (([(1005, 1007)], "0 of 2"), ([(5, 6), (7, 8)], "2 of 4")):
        with pytest.warns(NetworkWarning, match=f"{many} users with friends have any") as told:
            network = SocialNetwork(check_ins, Friendships(edges))
        assert (len(told), len(network.edges)) == (1, 0)
        assert "check-ins users 5, 7, 9" in str(told[0].message)
        # A copy is not told again.
        assert pickle.loads(pickle.dumps(network)) == network
    assert len(SocialNetwork(check_ins, Friendships([])).edges) == 0
    assert len(SocialNetwork(check_ins, Friendships([(5, 7), (6, 8)])).edges) == 1


def test_users_with_names_are_numbered_by_one_call():
    when = "2010-10-19T23:55:27Z"
    visits = pd.DataFrame(
        {"user": ["Cy", "Ann", "Cy"], "time": when, "north": [40.7, 40.8, 40.7], "east": -74, "place": "a"}
    )
    friends = pd.DataFrame({"one": ["Ann", "Eve"], "other": ["Cy", "Ann"]})
    numbers, names = pd.factorize(pd.concat([visits.user, friends.one, friends.other]), sort=True)
    visits["user"] = numbers[:3]
    made = SocialNetwork(
        CheckIns(visits.itertuples(index=False)), Friendships(zip(numbers[3:5], numbers[5:], strict=True))
    )
    assert names[made.users].tolist() == ["Ann", "Cy"]
    assert [names[user] for user in made.left_out] == ["Eve"]
    assert made.edges.tolist() == [[0, 1]]
    with pytest.raises(NetworkError, match=r"users are whole numbers .pandas\.factorize"):
        Friendships([("Ann", "Cy")])


NAMES = st.text(min_size=1, max_size=8)


@given(
    st.lists(
        st.tuples(
            st.integers(1 - 10**18, 10**18 - 1),
            st.datetimes(timezones=st.just(UTC)),
            st.floats(-55, 55),
            st.floats(-180, 180),
            st.one_of(NAMES, st.integers()),
        ),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from(["visits.txt", "visits.txt.gz"]),
)
def test_what_is_written_is_read_again_or_refused(rows, name):
    data = CheckIns(rows)
    assert (len(data), data.dropped) == (len(rows), 0)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, name)
        bad = [text for text in data.locations if set("\t\r\n") & set(text)]
        if bad:
            with pytest.raises(NetworkError, match="cannot be written"):
                data.write(file)
            assert not file.exists()
        else:
            assert read_check_ins(data.write(file), "") == data
        friends = Friendships(list(pairwise(data.users.tolist())))
        assert read_friendships(friends.write(file)) == friends


@pytest.mark.parametrize(
    "wrong",
    [
        {"users": [10**18]},
        {"users": np.array([2**64 - 1], dtype=np.uint64)},
        {"times": np.array(["10000-01-01"], dtype="datetime64[s]")},
        {"times": np.array(["-0001-01-01"], dtype="datetime64[s]")},
        {"locations": [""]},
    ],
)
def test_arrays_that_no_file_could_hold_are_refused(wrong):
    parts = {
        "users": [3],
        "times": np.array(["2010-10-19"], dtype="datetime64[s]"),
        "places": [[30.25, -97.5]],
        "codes": [0],
        "locations": [7],
    }
    assert list(CheckIns.from_arrays(**parts)) == [(3, "2010-10-19T00:00:00Z", 30.25, -97.5, "7")]
    with pytest.raises(NetworkError):
        CheckIns.from_arrays(**parts | wrong)
    if "users" in wrong:
        with pytest.raises(NetworkError, match="18 digits"):
            Friendships(np.array([[wrong["users"][0], 1]], dtype=np.uint64))
