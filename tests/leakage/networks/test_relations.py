"""What holds between the numbers of random networks: against enumeration, and against each other."""

import math
import pickle
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery
from pdp_widgets.leakage.networks import laws, worst
from pdp_widgets.leakage.networks.laws import Lattice
from pdp_widgets.leakage.networks.worst import worst_cases
from pdp_widgets.leakage.sequence.temporal_leakage import carried_leakage
from pdp_widgets.models.networks import elimination
from pdp_widgets.networks import (
    BayesianNetwork,
    GeometricMechanism,
    MarkovNetwork,
    NetworkAnalysis,
    approximate_quilts,
    associative_limit,
    markov_quilt_influence,
    markov_quilts,
    wasserstein_mechanism,
)
from tests.leakage.networks_reference import bayesian, enumerated, models, query_of

SCALES = (0.3, 1.0, 4.0)


def close(found, wanted):
    return found == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_elimination_is_enumeration(seed):
    rng = np.random.default_rng(seed)
    for network in models(seed):
        query, scale = query_of(rng, network), float(rng.choice(SCALES))
        analysis = NetworkAnalysis(network, LaplaceMechanism(query, scale))
        wanted = enumerated(network, query, scale)
        for i in range(network.n_tuples):
            others = [j for j in range(network.n_tuples) if j != i]
            for size in range(len(others) + 1):
                for known in combinations(others, size):
                    assert close(analysis.node(i, known).value, wanted.node(i, known).value)
        assert close(
            [one.value for one in analysis.nodes()], [float(wanted.node(i)) for i in range(network.n_tuples)]
        )


@pytest.mark.parametrize("seed", range(3))
def test_the_worst_is_that_of_all_adversaries(seed):
    rng = np.random.default_rng(seed + 10)
    for network in models(seed + 10):
        query, scale = query_of(rng, network), float(rng.choice(SCALES))
        analysis = NetworkAnalysis(network, LaplaceMechanism(query, scale))
        wanted = enumerated(network, query, scale).exact.max(axis=1)
        found = analysis.worst_cases()
        assert {one.status for one in found} == {"exact"}
        assert close([one.value for one in found], wanted.tolist())
        for i, one in enumerate(found):
            # The adversary it belongs to learns it: he knows all tuples that he is not said not to know.
            hidden = {one.about.target, *one.about.unknown}
            known = dict(one.about.known)
            row = network.some_row(network.as_known(known))
            known |= {n: network.domains[j][row[j]] for j, n in enumerate(network.names) if n not in hidden}
            assert close(analysis.node(i, known).value, one.value)
        for i, one in enumerate(found):
            assert analysis.upper_bound(i).value >= one.value - 1e-9
            if network.is_tree:
                lower, upper = (bound.value for bound in analysis.bounds(i))
                assert lower <= one.value + 1e-9
                assert one.value <= upper + 1e-9


@pytest.mark.parametrize("seed", range(2))
def test_known_values_of_a_row_and_climbing_stay_below(seed):
    rng = np.random.default_rng(seed + 20)
    for network in models(seed + 20, 4):
        query = query_of(rng, network)
        analysis = NetworkAnalysis(network, LaplaceMechanism(query, 1.0))
        row = network.some_row({})
        labels = [domain[p] for domain, p in zip(network.domains, row, strict=True)]
        wanted = enumerated(network, query, 1.0)
        known = type(wanted)(network.joint(), wanted.mechanism, labels).exact.max(axis=1)
        of_row = [one.value for one in analysis.worst_cases(instance=labels)]
        assert close(of_row, known.tolist())
        search = worst.Search(network, Lattice.of(query), 1.0, network.possible, None, worst.Progress(None))
        for i, one in enumerate(analysis.worst_cases()):
            assert of_row[i] <= one.value + 1e-9
            between = search.between(i, math.inf)
            assert between.lower <= one.value + 1e-9
            assert one.value <= between.upper + 1e-9


def test_none_anyone_and_the_group_are_in_order():
    for network in models(30):
        analysis = NetworkAnalysis(network, LaplaceMechanism(LinearQuery.sum(network), 0.7))
        reach = analysis.mechanism.query.local_sensitivities
        for i, (none, anyone) in enumerate(zip(analysis.nodes(), analysis.worst_cases(), strict=True)):
            members = next(one for one in network.components if i in one)
            assert none.value <= anyone.value + 1e-9
            assert anyone.value <= reach[list(members)].sum() / 0.7 + 1e-9
            if all((table > 0).all() for _, table in network.factors):
                assert anyone.value >= reach[i] / 0.7 - 1e-9


def test_noise_of_whole_numbers_and_cut_off_leaks_the_same():
    for network in models(40, 2):
        query = LinearQuery.sum(network)
        both = [
            NetworkAnalysis(network, kind(query, 0.8)).nodes()
            for kind in (LaplaceMechanism, GeometricMechanism)
        ]
        assert both[0] == both[1]
    release = GeometricMechanism(LinearQuery([[0, 1]]), 2.0)
    assert release.density(np.arange(-200, 200), 0.0).sum() == pytest.approx(1.0)
    joint = JointDistribution([0.5, 0.5])
    drawn = np.array([release.release(joint, [1], rng=np.random.default_rng(k)) for k in range(2000)])
    assert (drawn == np.rint(drawn)).all()
    assert np.abs(drawn - 1).mean() == pytest.approx(1 / math.sinh(0.5), rel=0.1)


def test_what_carries_nothing_changes_nothing():
    rng = np.random.default_rng(5)
    net = bayesian(rng, 4, most_parents=1)
    leaf = {**dict(zip(net.names, net.tables, strict=True)), "leaf": [[0.3, 0.7], [0.9, 0.1]]}
    more = BayesianNetwork([*net.edges(), ("t1", "leaf")], leaf | {"t1": net.table("t1")})
    if net.shape[1] == 2:
        query = [np.arange(size) for size in net.shape]
        one = NetworkAnalysis(net, LaplaceMechanism(LinearQuery(query), 1.0)).nodes()
        two = NetworkAnalysis(more, LaplaceMechanism(LinearQuery([*query, [0, 0]]), 1.0)).nodes(net.names)
        assert close([a.value for a in one], [b.value for b in two])


@pytest.mark.parametrize("seed", range(3))
def test_scales_keep_what_they_promise_for_who_knows_nothing(seed):
    for network in models(seed + 50, 3):
        query = LinearQuery.sum(network)
        distances = wasserstein_mechanism(network, query, 1.0).distances
        quilts = markov_quilts(network, query, 2.0).quilts
        reach = query.local_sensitivities
        for scale in SCALES:
            for i, none in enumerate(NetworkAnalysis(network, LaplaceMechanism(query, scale)).nodes()):
                members = next(one for one in network.components if i in one)
                assert none.value <= distances[i] / scale + 1e-9
                assert distances[i] <= reach[list(members)].sum() + 1e-9
                assert none.value <= quilts[i].influence + quilts[i].reach / scale + 1e-9


def test_influences_are_those_of_the_joint_table():
    for network in models(60, 4):
        joint = network.joint().table
        n = network.n_tuples
        for i in range(n):
            others = [j for j in range(n) if j != i]
            for quilt in (q for size in (1, 2) for q in combinations(others, size)):
                gone = tuple(j for j in others if j not in quilt)
                table = np.moveaxis(joint.sum(axis=gone), sorted((i, *quilt)).index(i), 0).reshape(
                    joint.shape[i], -1
                )
                table = table[table.sum(axis=1) > 0]
                table = table / table.sum(axis=1, keepdims=True)
                wanted = 0.0
                for s, t in product(range(len(table)), repeat=2):
                    for a, b in zip(table[s], table[t], strict=True):
                        if a > 0:
                            wanted = max(wanted, math.log(a / b) if b > 0 else math.inf)
                assert markov_quilt_influence(network, i, quilt)[0].value == pytest.approx(
                    wanted, rel=1e-8, abs=1e-9
                )


def test_a_chain_read_backwards_has_the_same_numbers_in_reverse():
    rng = np.random.default_rng(8)
    for _ in range(4):
        moves = rng.dirichlet([1, 1, 1], size=3) * 0.9 + 0.1 / 3
        net = BayesianNetwork.chain(moves, 6, start=rng.dirichlet([1, 1, 1]))
        n = net.n_tuples
        tables = {net.names[n - 1]: net.marginal(n - 1)}
        for j in reversed(range(n - 1)):
            both = net.posterior([j + 1, j]).table
            tables[net.names[j]] = both / both.sum(axis=1, keepdims=True)
        order = {name: tables[name] for name in reversed(net.names)}
        back = BayesianNetwork([(net.names[j + 1], net.names[j]) for j in range(n - 1)], order)
        one, two = (NetworkAnalysis(m, LaplaceMechanism(LinearQuery.sum(m), 1.0)) for m in (net, back))
        assert close([a.value for a in one.nodes()], [b.value for b in reversed(two.nodes())])
        assert close([a.value for a in one.worst_cases()], [b.value for b in reversed(two.worst_cases())])
        quilts = [markov_quilts(m, LinearQuery.sum(m), 1.5).quilts for m in (net, back)]
        assert close([q.scale for q in quilts[0]], [q.scale for q in reversed(quilts[1])])


def test_influence_steps_ahead_is_what_a_leakage_carries():
    for moves, equal in (([[0.8, 0.2], [0.3, 0.7]], True), ([[0.2, 0.8], [0.6, 0.4]], False)):
        net = BayesianNetwork.chain(moves, 6)
        carried = math.inf
        for b in range(1, 5):
            carried = carried_leakage(moves, carried)
            found = markov_quilt_influence(net, 0, [b])[0].value
            assert found <= carried + 1e-12
            assert not equal or found == pytest.approx(carried)


@pytest.mark.parametrize("stay", [0.2, 0.6, 0.9, 0.99])
@pytest.mark.parametrize("epsilon", [0.3, 1.5, 6.0])
def test_quilts_of_lines_are_the_best_of_all(stay, epsilon):
    net = BayesianNetwork.chain([[stay, 1 - stay], [0.3, 0.7]], 7)
    reach = LinearQuery([[0, w] for w in (1, 2, 0, 1, 5, 1, 1)])
    found = markov_quilts(net, reach, epsilon).quilts
    for i in range(7):
        sides = product([None, *range(i)], [None, *range(i + 1, 7)])
        family = [[k for k in pair if k is not None] for pair in sides]
        every = [[f for f in family if f] if j == i else [] for j in range(7)]
        assert close(found[i].scale, markov_quilts(net, reach, epsilon, every).quilts[i].scale)


@pytest.mark.parametrize("sizes", [(2, 3, 2), (1, 2, 4, 3), (3, 1, 2)])
def test_quilts_of_lines_whose_tuples_have_different_labels_are_the_best_of_all(sizes):
    rng, n = np.random.default_rng(len(sizes)), len(sizes)
    names = [f"x{j}" for j in range(n)]
    tables = {
        name: rng.dirichlet(np.ones(d), sizes[j - 1] if j else None)
        for j, (name, d) in enumerate(zip(names, sizes, strict=True))
    }
    net = BayesianNetwork(list(pairwise(names)), tables)
    query = LinearQuery([rng.integers(0, 4, d) for d in sizes])
    every = [
        [side for k in (1, 2) for side in combinations([j for j in range(n) if j != i], k)] for i in range(n)
    ]
    around = [[q for q in sets if len(q) == 1 or q[0] < i < q[1]] for i, sets in enumerate(every)]
    found, wanted = (markov_quilts(net, query, 3.0, family).quilts for family in ("intervals", around))
    assert close([one.scale for one in found], [one.scale for one in wanted])
    printed = markov_quilts(net, query, 3.0, convention="printed").quilts
    assert all(one.scale >= best.scale - 1e-9 for one, best in zip(printed, found, strict=True))


@pytest.mark.parametrize("steps", [1, 2, 7, 40])
@pytest.mark.parametrize("rate", [0.01, 0.3, 2.0])
def test_approximate_quilts_are_the_best_of_all(steps, rate):
    share = np.exp(-rate * np.arange(1, steps + 1)) / 0.2
    says = [np.log1p(s) - np.log1p(-s) if s < 1 else math.inf for s in share]
    for epsilon in (0.1, 1.0, 5.0):
        most = 0.0
        for i in range(steps):
            before = [(a, 2 * says[a - 1]) for a in range(1, i + 1)] + [(i + 1, 0.0)]
            after = [(b, says[b - 1]) for b in range(1, steps - i)] + [(steps - i, 0.0)]
            fit = [
                (a + b - 1) / (epsilon - e - f)
                for (a, e), (b, f) in product(before, after)
                if e + f < epsilon
            ]
            most = max(most, min(fit))
        assert close(approximate_quilts(None, steps, epsilon, pi_min=0.2, rate=rate).scale, most)


def test_a_million_steps_are_no_more_than_a_pass():
    found = approximate_quilts([[0.9, 0.1], [0.4, 0.6]], 1_000_000, 1.0, limit=20)
    assert close(found.scale, approximate_quilts([[0.9, 0.1], [0.4, 0.6]], 1000, 1.0).scale)


def test_independent_tuples_and_copies():
    free = BayesianNetwork([], {"a": [0.3, 0.7], "b": [0.5, 0.5], "c": [0.2, 0.8]})
    table = NetworkAnalysis(free, LaplaceMechanism(LinearQuery.sum(free), 1.0)).compare_noise(0.5)
    assert {row.name: row.scale for row in table.rows} == pytest.approx(
        dict.fromkeys((r.name for r in table.rows), 2.0)
    )
    same = BayesianNetwork.chain(np.eye(2), 5, start=[0.5, 0.5])
    analysis = NetworkAnalysis(same, LaplaceMechanism(LinearQuery.sum(same), 2.0))
    assert [one.value for one in analysis.nodes()] == pytest.approx([2.5] * 5)
    assert "*" in repr(analysis.compare_noise(1.0)).splitlines()[2]


def test_negative_links_and_the_flu_of_four():
    # With negative links the least scale is below that of plain differential privacy: no one else is covered.
    net = BayesianNetwork.chain([[0.3, 0.7], [0.7, 0.3]], 20)
    table = NetworkAnalysis(net, LaplaceMechanism(LinearQuery.sum(net), 1.0)).compare_noise(1.0)
    wanted = {
        "entry": 1.0,
        "approximate quilts": 15.572,
        "quilts": 6.724,
        "wasserstein": 1.0,
        "least": 0.7278,
    }
    assert {name: table[name].scale for name in wanted} == pytest.approx(wanted, rel=1e-4)
    assert table["least for anyone"].scale == pytest.approx(1.0)
    assert table["quilts"].none.value == pytest.approx(0.106, abs=5e-4)
    assert table["quilts"].anyone.value == pytest.approx(0.149, abs=5e-4)
    assert table["least"].anyone.value > 1.0
    names = [f"t{j}" for j in range(4)]
    counts = np.indices((2,) * 4).sum(axis=0)
    weights = np.array([0.1, 0.15, 0.5, 0.15, 0.1]) / [math.comb(4, k) for k in range(5)]
    flu = MarkovNetwork([(names, weights[counts])])
    found = NetworkAnalysis(flu, LaplaceMechanism(LinearQuery.sum(flu), 2.0))
    assert wasserstein_mechanism(flu, found.mechanism.query, 1.0).distances == pytest.approx([2.0] * 4)
    assert max(one.value for one in found.nodes()) == pytest.approx(0.5604, abs=5e-5)


@pytest.mark.parametrize("stay", [0.625, 0.75, 0.95])
def test_sums_of_long_chains_tend_to_their_limit(stay):
    net = BayesianNetwork.chain([[stay, 1 - stay], [1 - stay, stay]], 200)
    found = NetworkAnalysis(net, LaplaceMechanism(LinearQuery.sum(net), 1.0)).nodes([0, 100])
    limits = associative_limit([[stay, 1 - stay], [1 - stay, stay]], 1.0)
    assert [one.value for one in found] == pytest.approx([one.value for one in limits], abs=1e-6)


def test_digits_that_doubles_lose():
    # Sixteen tables meet at 1e-320, and a chain of small densities: both are done in logarithms.
    sixteen = [("x", [1, 1.23e-40])] * 8 + [("x", [1e-40, 1])] * 8
    net = MarkovNetwork(sixteen)
    assert net.marginal("x")[1] / net.marginal("x")[0] == pytest.approx(1.23**8, rel=1e-9)
    # Fair x_0 with many children that are hardly ever 1.
    names = [f"c{j}" for j in range(200)]
    tables = {"x": [0.5, 0.5], **{name: [[0.999, 0.001], [1.0, 0.0]] for name in names}}
    star = BayesianNetwork([("x", name) for name in names], tables)
    assert wasserstein_mechanism(star, LinearQuery.sum(star), 1.0).distances[0] == 199


def test_both_arithmetics_agree():
    for network in models(70, 3):
        lattice = Lattice.of(LinearQuery.sum(network))
        for i in range(network.n_tuples):
            one, two = (
                laws.law_of(network, lattice, i, {}, ring, exact=True)
                for ring in (elimination.NUMBERS, elimination.LOGS)
            )
            assert np.exp(two.logs) == pytest.approx(one.values, abs=1e-12)
            assert (one.reached == two.reached).all()


def test_a_search_that_is_not_settled_by_bounds(monkeypatch):
    # Alternating links: the pairs of options are gone through, also in logarithms.
    net = BayesianNetwork.chain([[0.2, 0.8], [0.7, 0.3]], 7)
    lattice, possible = Lattice.of(LinearQuery.sum(net)), net.possible
    found = [one.lower for one in worst_cases(net, lattice, 0.8, range(7), possible)]
    assert close(found, enumerated(net, LinearQuery.sum(net), 0.8).exact.max(axis=1).tolist())
    monkeypatch.setattr(worst, "in_logs_too", lambda compute: compute(elimination.LOGS))
    assert close([one.lower for one in worst_cases(net, lattice, 0.8, range(7), possible)], found)


def test_a_pool_that_overflows_gives_the_same(monkeypatch):
    net = bayesian(np.random.default_rng(3), 9, labels=3, most_parents=1)
    analysis = NetworkAnalysis(net, LaplaceMechanism(LinearQuery.sum(net), 1.0))
    wanted = analysis.worst_cases()
    monkeypatch.setattr(worst, "_MOST_KEPT", 10)
    assert close([one.value for one in analysis.worst_cases()], [one.value for one in wanted])


def test_values_are_equal_and_pickled():
    net = bayesian(np.random.default_rng(1), 5)
    analysis = NetworkAnalysis(net, LaplaceMechanism(LinearQuery.sum(net), 1.0))
    for value in (
        net,
        analysis,
        analysis.worst(0),
        analysis.law(0),
        markov_quilts(net, LinearQuery.sum(net), 1.0),
    ):
        again = pickle.loads(pickle.dumps(value))
        assert again == value
        assert hash(again) == hash(value)
