"""Adversaries and releases at the edge of what a network allows: what they learn, or why they are refused."""

import math

import numpy as np
import pytest

from pdp_widgets import LaplaceMechanism, LinearQuery
from pdp_widgets.errors import (
    AdversaryError,
    BudgetError,
    ChainError,
    DomainError,
    InstanceError,
    LimitError,
    QueryError,
    ScaleError,
    TableError,
)
from pdp_widgets.networks import (
    BayesianNetwork,
    GeometricMechanism,
    MarkovNetwork,
    NetworkAnalysis,
    approximate_quilts,
    associative_limit,
    markov_quilt_influence,
    markov_quilts,
    wasserstein_infinity,
    wasserstein_mechanism,
)

CHAIN = BayesianNetwork.chain([[0.8, 0.2], [0.2, 0.8]], 5)
SUM = LinearQuery.sum(CHAIN)
CHAIN_SUM = NetworkAnalysis(CHAIN, LaplaceMechanism(SUM, 1.0))
ONE_WAY = BayesianNetwork.chain([[0.5, 0.5], [0, 1]], 4, start=[0.5, 0.5])
WORDS = BayesianNetwork([], {"a": [0.5, 0.5]}, {"a": ["no", "yes"]})


def of(network, contributions=None, scale=1.0):
    query = LinearQuery.sum(network) if contributions is None else LinearQuery(contributions)
    return NetworkAnalysis(network, LaplaceMechanism(query, scale))


REFUSED = {
    "the target is known": (lambda: CHAIN_SUM.node(2, {2: 0}), AdversaryError, "attacked and known"),
    "known twice": (lambda: CHAIN_SUM.node(2, {1: 0, "step 2": 0}), AdversaryError, "twice"),
    "an unknown label": (lambda: CHAIN_SUM.node(2, {1: 7}), InstanceError, "7 is not a label"),
    "an unknown tuple": (lambda: CHAIN_SUM.node("z"), AdversaryError, "no tuple named z"),
    "a position out of range": (lambda: CHAIN_SUM.node(5), AdversaryError, "0 to 4"),
    "impossible values": (lambda: of(ONE_WAY).node(3, {0: 1, 2: 0}), InstanceError, "have probability 0"),
    "an impossible row": (
        lambda: of(ONE_WAY).worst(0, instance=[0, 0, 1, 0]),
        InstanceError,
        "probability 0",
    ),
    "a row that is too short": (lambda: CHAIN_SUM.worst(0, instance=[0]), InstanceError, "5 labels"),
    "tuples without values": (
        lambda: CHAIN_SUM.node(2, [1], convention="instance"),
        AdversaryError,
        "without",
    ),
    "values of all": (
        lambda: CHAIN_SUM.node(2, {1: 0}, convention="sup"),
        AdversaryError,
        "come with values",
    ),
    "another convention": (lambda: CHAIN_SUM.node(2, convention="all"), AdversaryError, "convention"),
    "labels that are words": (lambda: LinearQuery.sum(WORDS), QueryError, "is text"),
    "a label that nobody has": (lambda: LinearQuery.count(WORDS, "maybe"), QueryError, "not a label"),
    "contributions of others": (lambda: NetworkAnalysis(WORDS, CHAIN_SUM.mechanism), QueryError, "5 tuples"),
    "no scale": (lambda: LaplaceMechanism(SUM, 0), ScaleError, "positive"),
    "halves with whole noise": (
        lambda: GeometricMechanism(LinearQuery([[0, 0.5]]), 1),
        QueryError,
        "whole numbers",
    ),
    "no mechanism": (lambda: NetworkAnalysis(CHAIN, SUM), TypeError, "LaplaceMechanism"),
    "no network": (lambda: NetworkAnalysis([1], CHAIN_SUM.mechanism), TypeError, "BayesianNetwork"),
    "steps without end": (
        lambda: of(BayesianNetwork([], {"a": [0.5, 0.5], "b": [0.5, 0.5]}), [[0, 1], [0, 1e-5]]),
        LimitError,
        "100,001 steps",
    ),
    "too many values": (
        lambda: of(BayesianNetwork.chain([[0.5, 0.5]] * 2, 16)).node(0, range(1, 16)),
        LimitError,
        "32,768 combinations",
    ),
    "no epsilon": (lambda: CHAIN_SUM.compare_noise(0), BudgetError, "positive"),
    "infinite epsilon": (lambda: markov_quilts(CHAIN, SUM, math.inf), BudgetError, "finite"),
    "another family": (lambda: markov_quilts(CHAIN, SUM, 1.0, "stars"), DomainError, "family"),
    "intervals in a circle": (
        lambda: markov_quilts(circle(), LinearQuery.sum(circle()), 1.0, "intervals"),
        DomainError,
        "no line",
    ),
    "a printed circle": (
        lambda: markov_quilts(circle(), LinearQuery.sum(circle()), 1.0, convention="printed"),
        DomainError,
        "printed",
    ),
    "a tuple in its quilt": (lambda: markov_quilt_influence(CHAIN, 0, [0]), DomainError, "its own quilt"),
    "a family of two": (lambda: markov_quilts(CHAIN, SUM, 1.0, [[[0]], [[0]]]), DomainError, "2 lists"),
    "networks of two kinds": (
        lambda: wasserstein_mechanism([CHAIN, ONE_WAY], SUM, 1.0),
        TableError,
        "of a class",
    ),
    "an influence of many": (
        lambda: markov_quilt_influence(circle(21), 0, range(1, 21)),
        LimitError,
        "2,097,152 entries",
    ),
    "a periodic chain": (lambda: approximate_quilts([[0, 1], [1, 0]], 10, 1.0), ChainError, "periodic"),
    "a chain in parts": (lambda: approximate_quilts(np.eye(2), 10, 1.0), ChainError, ""),
    "a state that is left": (
        lambda: approximate_quilts([[1, 0], [0.5, 0.5]], 10, 1.0),
        ChainError,
        "long run",
    ),
    "no chain": (lambda: approximate_quilts(None, 10, 1.0), ChainError, "pi_min"),
    "three states": (lambda: associative_limit(np.full((3, 3), 1 / 3), 1.0), ChainError, "two states"),
    "no law": (lambda: wasserstein_infinity([(0, 0.5)], [(0, 1)]), TableError, "sum 1"),
    "bounds of a circle": (lambda: of(circle()).bounds(0), LimitError, "trees"),
    "other adversaries": (lambda: CHAIN_SUM.least_scale(1.0, "some"), DomainError, "'none' or 'all'"),
    "no time": (lambda: of(BayesianNetwork.chain(CHAIN.tables[1], 200)).nodes(limit=0), LimitError, "limit"),
}


def circle(n=4):
    names = [f"t{j}" for j in range(n)]
    table = [[2.0, 1.0], [1.0, 2.0]]
    return MarkovNetwork([([names[j], names[(j + 1) % n]], table) for j in range(n)])


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_the_culprit(name):
    call, kind, words = REFUSED[name]
    with pytest.raises(kind) as fault:
        call()
    assert words in str(fault.value)
    assert str(fault.value)


def test_who_has_nothing_to_learn():
    alone = BayesianNetwork([], {"a": [1.0]}, {"a": [7]})
    found = of(alone).node("a")
    assert (found.value, found.determined) == (0.0, True)
    assert of(alone).worst("a").value == 0.0
    assert of(ONE_WAY).node(3, {0: 1}).determined
    # Determined for one value of the known tuple, not for the other.
    assert not of(ONE_WAY).node(3, [0]).determined


def test_one_tuple_and_no_weights():
    one = BayesianNetwork.chain(CHAIN.tables[1], 1)
    assert of(one).worst(0).value == 1.0
    assert markov_quilts(one, LinearQuery.sum(one), 2.0).scale == 0.5
    nothing = of(CHAIN, [[0, 0]] * 5)
    table = nothing.compare_noise(1.0)
    assert {row.scale for row in table.rows} == {0.0}
    assert {row.none.value for row in table.rows} == {0.0}
    assert nothing.worst(2).value == 0.0


def test_components_are_noise_to_each_other():
    tables = {"a": [0.5, 0.5], "b": [[0.9, 0.1], [0.1, 0.9]], "c": [0.5, 0.5], "d": [0.25, 0.75]}
    apart = BayesianNetwork([("a", "b")], tables)
    pair = BayesianNetwork([("a", "b")], {name: tables[name] for name in "ab"})
    assert of(apart).node("a").value <= of(pair).node("a").value
    halves = LinearQuery([[0, 0], [0, 1], [0, 0.5], [0, 0]])
    alone = NetworkAnalysis(pair, LaplaceMechanism(LinearQuery([[0, 0], [0, 1]]), 1.0))
    assert NetworkAnalysis(apart, LaplaceMechanism(halves, 1.0)).node("a").value <= alone.node("a").value
    assert of(apart).node("a", {"c": 0, "d": 1}).value == pytest.approx(of(pair).node("a").value)
    assert of(apart).compare_noise(1.0)["group"].scale == 2.0


def test_labels_of_different_numbers_and_words():
    mixed = BayesianNetwork(
        [("a", "b")], {"a": [0.5, 0.5], "b": [[0.2, 0.3, 0.5], [0.6, 0.2, 0.2]]}, {"b": ["x", "y", "z"]}
    )
    query = LinearQuery.count(mixed, {"b": ["x", "y"]})
    analysis = NetworkAnalysis(mixed, LaplaceMechanism(query, 0.5))
    assert analysis.law("a").values.tolist() == [0.0, 1.0]
    assert analysis.worst("b").value == pytest.approx(2.0)
    assert "a" in str(analysis.worst("a"))


def test_progress_is_told_and_cancels():
    shares = []
    CHAIN_SUM.compare_noise(1.0, progress=shares.append)
    assert shares[-1] == 1.0
    assert shares == sorted(shares)

    def stop(share):
        raise KeyboardInterrupt

    big = of(BayesianNetwork.chain(CHAIN.tables[1], 60))
    for call in (big.nodes, big.worst_cases, lambda progress: big.node(3, [1, 2], progress=progress)):
        with pytest.raises(KeyboardInterrupt):
            call(progress=stop)


def test_every_question_keeps_its_time_and_can_be_cancelled():
    long = BayesianNetwork.chain(CHAIN.tables[1], 300)
    big, query = of(long), LinearQuery.sum(long)
    calls = {
        "law": lambda **how: big.law(150, **how),
        "bounds": lambda **how: of(BayesianNetwork.chain(CHAIN.tables[1], 60)).bounds(30, **how),
        "upper bound": lambda **how: big.upper_bound(150, **how),
        "upper bounds": big.upper_bounds,
        "quilts": lambda **how: markov_quilts(long, query, 1.0, **how),
        "approximate quilts": lambda **how: approximate_quilts(CHAIN.tables[1], 300, 1.0, **how),
    }
    for name, call in calls.items():
        shares = []
        call(progress=shares.append)
        assert shares[-1] == 1.0, name
        assert shares == sorted(shares), name
        with pytest.raises(LimitError, match="limit"):
            call(limit=-1)


def test_bounds_of_all_are_those_of_each():
    tree = BayesianNetwork(
        [("a", "b"), ("a", "c"), ("c", "d")],
        {"a": [0.3, 0.7], "b": [[0.9, 0.1], [0, 1]], "c": [[0.2, 0.8], [0.7, 0.3]], "d": [[1, 0], [1, 0]]},
    )
    for network in (tree, circle(), BayesianNetwork.chain(CHAIN.tables[1], 400)):
        analysis = of(network)
        found = analysis.upper_bounds()
        some = range(0, network.n_tuples, 97)
        assert [found[j] for j in some] == [analysis.upper_bound(j) for j in some]


def test_sets_of_a_tree_are_counted_however_many():
    names = [f"leaf {j}" for j in range(40)]
    tables = {"hub": [0.5, 0.5], **dict.fromkeys(names, CHAIN.tables[1])}
    star = BayesianNetwork([("hub", name) for name in names], tables)
    assert of(star).adversaries_that_matter()[0] == 2**40
    assert (
        of(MarkovNetwork([(["hub", *names[:22]], np.ones((2,) * 23))])).adversaries_that_matter()[0] is None
    )


def test_what_a_paper_prints_stands_beside_what_holds():
    begun = BayesianNetwork.chain([[0.9, 0.1], [0.4, 0.6]], 60, start=[1, 0])
    table = of(begun).compare_noise(1.0, anyone=False)
    assert table["quilts"].scale < table["quilts as printed"].scale == pytest.approx(13.0219, abs=1e-4)
    with pytest.raises(KeyError):
        of(CHAIN).compare_noise(1.0, anyone=False)["quilts as printed"]


def test_results_are_printed_and_tabled():
    table = CHAIN_SUM.compare_noise(1.0)
    assert table.to_dataframe()["scale"].tolist() == [row.scale for row in table.rows]
    assert "least" in table.to_latex()
    with pytest.raises(KeyError, match="no row"):
        table["best"]
    quilts = markov_quilts(CHAIN, SUM, 2.0)
    assert "quilt" in quilts.to_latex()
    assert len(quilts.stacked([1.0, 2.0])) == 5
    assert quilts.beyond("step 3").value == 2.0 + quilts.quilts[2].influence
    assert "distance" in wasserstein_mechanism(CHAIN, SUM, 1.0).to_latex()
    frame = CHAIN_SUM.to_dataframe()
    assert (frame["exact"] <= frame["bound"] + 1e-9).all()


def test_a_figure_has_the_tuples_about_which_most_is_learned():
    analysis = of(BayesianNetwork.chain([[0.8, 0.2], [0.2, 0.8]], 60), scale=0.5)
    chart = analysis._figures()["tuples"]()
    bound, *exact = chart.series
    learned = np.sort([one.value for one in analysis.nodes()])
    assert np.sort(np.concatenate([one.x for one in exact])).tolist() == learned[-40:].tolist()
    assert (bound.x[np.argsort(bound.y)] >= learned[-40]).all()
    assert chart.levels[0].at == 2.0
    assert "40 of 60" in chart.note
    assert "40 of" not in CHAIN_SUM._figures()["tuples"]().note


def test_what_knowledge_does_to_promises():
    # A switch says whether two bits agree: the Wasserstein and quilt scales keep 1 nat for who knows nothing.
    switch = BayesianNetwork(
        [("a", "c"), ("b", "c")],
        {"a": [0.5, 0.5], "b": [0.5, 0.5], "c": [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]},
    )
    analysis = of(switch, [[0, 0], [0, 1], [0, 1]])
    family = [[["b"], ["c"], ["b", "c"]], [["a"], ["c"], ["a", "c"]], [["a"], ["b"], ["a", "b"]]]
    assert wasserstein_mechanism(switch, analysis.mechanism.query, 1.0).scale == 1.0
    assert markov_quilts(switch, analysis.mechanism.query, 1.0, family).scale == 1.0
    assert analysis.node("b").value == pytest.approx(1.0)
    found = analysis.worst("b")
    assert found.value == 2.0
    assert dict(found.about.known).keys() == {"a"}


def test_an_option_that_is_too_large_is_left_out_and_named():
    names = [f"t{j}" for j in range(22)]
    star = MarkovNetwork(
        [(["hub", *names[k : k + 2]], np.arange(1, 9).reshape(2, 2, 2)) for k in range(0, 22, 2)]
    )
    found = markov_quilts(star, LinearQuery.sum(star), 50.0)
    assert len(found.left_out) == 23
    assert "hub and its quilt of 22 tuples would have 8,388,608 entries" in found.left_out[0]
    assert found.scale == 23 / 50
