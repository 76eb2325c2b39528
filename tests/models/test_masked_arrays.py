"""A masked entry is no number, label or position: who gives one is told where, at every entrance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pdp_widgets as pdp
from pdp_widgets.anonymity import (
    KnownCurve,
    RecordLaw,
    SlackCurve,
    count_slack,
    slack_between,
    sum_slack,
    syntactic_sensitivity,
)
from pdp_widgets.core.chart import Series
from pdp_widgets.dependent import (
    FriendModel,
    accuracy_curve,
    affinity_graph,
    budget_curve,
    chosen_release_leakage,
    clustering_accuracy,
    correlated_sensitivity,
    degree_histogram,
    dependent_scale,
    encoded_rows,
    friend_coefficient,
    graph_sensitivity,
    k_means,
    lloyd,
    private_classifier,
    separation_curve,
    stacked_leakage,
    underestimation_curve,
)
from pdp_widgets.errors import PdpError
from pdp_widgets.gaussian import GaussianAdversary, nearest_covariance, valid_range
from pdp_widgets.local import (
    Bins,
    association,
    clipped_frequencies,
    leakage_curve,
    simplex_frequencies,
    surrogate_test,
)
from pdp_widgets.models.covariance import from_correlation
from pdp_widgets.places import CheckIns, Friendships, attack_score, great_circle_km
from pdp_widgets.prior import GivenEdges, PriorAdversary
from pdp_widgets.streams import (
    Distance,
    MemoryRelease,
    RandomisedSymbols,
    SafeTemporalResponse,
    StreamBelief,
    StreamRun,
    StreamScript,
    batch_index,
    compare_levels,
    expected_distance,
    grid_cells,
    local_level,
    log_lift,
    mismatched_prior,
    quantised,
    simulate_releases,
    transition_counts,
    two_points_curve,
)
from pdp_widgets.widgets.covariance_edits import CovarianceEdits

Given = Callable[[Any], Any]

JOINT = pdp.JointDistribution([[0.5, 0.1], [0.1, 0.3]])
MODEL = pdp.GaussianModel(None, [[1, 0.5], [0.5, 1]])
CHAIN = pdp.MarkovChain.symmetric(0.9)
SPARSE = pdp.SparseJoint([[0, 0], [1, 1]], [0.5, 0.5])
GRAPH = pdp.FriendshipGraph(3, [(0, 1), (1, 2)])
ADVERSARY = PriorAdversary(JOINT, pdp.LaplaceMechanism(pdp.LinearQuery.sum(JOINT), 1), 0)
ANONYMITY = pdp.AnonymityAnalysis(pdp.clinic(), "age", "diabetes")
NETWORK = pdp.synthetic_network(60, rng=1).city("New York")
RECORDS = [[1.0, 2.0], [2.0, 1.0], [5.0, 6.0], [6.0, 5.0]]
SPLIT = [[0.6, 0.4], [0.3, 0.7]]

#: Each gives one array, of which an entry may be masked.
ENTRANCES: dict[str, Callable[[Given], Any]] = {
    # Joint distributions
    "table": lambda m: pdp.JointDistribution(m([[0.5, 0.1], [0.1, 0.3]])),
    "counts": lambda m: pdp.JointDistribution.from_counts(m([[5, 1], [1, 3]])),
    "weights of cells": lambda m: pdp.JointDistribution.normalised(m([[5, 1], [1, 3]])),
    "marginals": lambda m: pdp.JointDistribution.independent([m([0.5, 0.5]), [0.5, 0.5]]),
    "domain": lambda m: pdp.JointDistribution([[0.5, 0.1], [0.1, 0.3]], domains=[m([0, 1]), [0, 1]]),
    "column of counted rows": lambda m: pdp.JointDistribution.from_dataframe(
        {"a": m([0, 1, 1, 0] * 9), "b": [0, 1, 0, 1] * 9}
    ),
    "row": lambda m: JOINT.probability(m([0, 1])),
    "support": lambda m: pdp.SparseJoint(m([[0, 0], [1, 1]]), [0.5, 0.5]),
    "probabilities of the support": lambda m: pdp.SparseJoint([[0, 0], [1, 1]], m([0.5, 0.5])),
    "column of a support": lambda m: pdp.SparseJoint.from_dataframe(
        {"a": m([0, 1, 1, 0] * 9), "b": [0, 1, 0, 1] * 9}
    ),
    "weights of a support": lambda m: pdp.SparseJoint.from_dataframe(
        {"a": [0, 1, 1], "b": [0, 1, 0], "w": m([1.0, 2.0, 3.0])}, weight="w"
    ),
    # Gaussian data
    "covariance": lambda m: pdp.GaussianModel(None, m([[1.0, 0.5], [0.5, 1.0]])),
    "mean": lambda m: pdp.GaussianModel(m([1.0, 2.0]), [[1, 0.5], [0.5, 1]]),
    "correlation": lambda m: pdp.GaussianModel.from_correlation(m([[1.0, 0.5], [0.5, 1.0]])),
    "standard deviations": lambda m: pdp.GaussianModel.from_correlation([[1, 0.5], [0.5, 1]], m([1.0, 2.0])),
    "deviations alone": lambda m: from_correlation([[1, 0.5], [0.5, 1]], m([1.0, 2.0])),
    "Gaussian columns": lambda m: pdp.GaussianModel.from_dataframe(
        {"a": m([1.0, 2.0, 4.0]), "b": [1.0, 0.0, 3.0]}
    ),
    "Gaussian weights": lambda m: pdp.GaussianAnalysis(MODEL, m([1.0, 2.0])),
    "weights of one leakage": lambda m: pdp.gaussian_leakage(MODEL, 0, weights=m([1.0, 2.0])),
    "weights of an adversary": lambda m: GaussianAdversary(MODEL, 0, weights=m([1.0, 2.0])),
    "values of a target": lambda m: GaussianAdversary(MODEL, 0).posterior(m([0.0, 1.0]), 1.0),
    "matrix to repair": lambda m: nearest_covariance(m([[1.0, 2.0], [2.0, 1.0]])),
    "matrix of ranges": lambda m: valid_range(m([[1.0, 0.5], [0.5, 1.0]]), 0, 1),
    # Queries and releases
    "contribution": lambda m: pdp.LinearQuery([m([0.0, 1.0]), [0, 1]]),
    "contributions": lambda m: pdp.LinearQuery(m([[0.0, 1.0], [0.0, 1.0]])),
    "weights of a query": lambda m: pdp.LinearQuery.weighted(JOINT, m([1.0, 2.0])),
    "edges of a histogram": lambda m: pdp.HistogramQuery.of_edges(JOINT, m([0.0, 1.0, 2.0])),
    "outputs": lambda m: pdp.TableQuery(m([1.0, 2.0])),
    "instance": lambda m: pdp.PriorAnalysis(
        JOINT, pdp.LaplaceMechanism(pdp.LinearQuery.sum(JOINT), 1), m([0, 1])
    ),
    "leakages of a graph": lambda m: pdp.WeightedHierarchicalGraph(
        ["a", "b"], m([[1.5, 1.0], [1.2, 1.0]]), 1.0
    ),
    "first edges": lambda m: GivenEdges(m([1.0, 1.0]), EDGES),
    "edges of tuples": lambda m: GivenEdges([1.0, 1.0], m(EDGES)),
    # Records
    "codes": lambda m: pdp.AttributeTable(m([[0, 1], [1, 0]])),
    "bins": lambda m: Bins(m([0.0, 1.0, 2.0])),
    "values of equal bins": lambda m: Bins.equal_width(m([0.0, 1.0, 2.0]), 2),
    "values of quantiles": lambda m: Bins.quantiles(m([0.0, 1.0, 2.0]), 2),
    "rows to be grouped": lambda m: pdp.mondrian(m(RECORDS), 2),
    "rows of groups": lambda m: syntactic_sensitivity(m(RECORDS), 2),
    "additions": lambda m: syntactic_sensitivity(RECORDS, 2, additions=[m([1.0, 2.0])]),
    "groups": lambda m: pdp.EquivalenceClasses({"age": [1, 2, 3, 4]}, "age", 2, [m([0, 1]), [2, 3]]),
    "values of a law": lambda m: RecordLaw(m([0.0, 1.0]), [0.5, 0.5]),
    "probabilities of a law": lambda m: RecordLaw([0, 1], m([0.5, 0.5])),
    "observed records": lambda m: RecordLaw.empirical(m([0.0, 1.0, 1.0])),
    "first law": lambda m: slack_between(m([0.5, 0.5]), [0.4, 0.6], 1.0),
    "second law": lambda m: slack_between([0.5, 0.5], m([0.4, 0.6]), 1.0),
    "budgets of a slack": lambda m: slack_between([0.5, 0.5], [0.4, 0.6], m([0.5, 1.0])),
    "budgets of a count": lambda m: count_slack(pdp.SelectedCount(10, 3, 0.5), m([0.5, 1.0])),
    "budgets of a sum": lambda m: sum_slack([({0: 0.5, 1: 0.5}, 6)], 1, m([0.5, 1.0])),
    "shares that are known": lambda m: ANONYMITY.known_curve(1.0, m([0.1, 0.2])),
    "budgets of curves": lambda m: ANONYMITY.curves(m([0.5, 1.0])),
    # Local privacy
    "table of a pair": lambda m: pdp.pair_leakage(m([[3, 1], [2, 2]]), pdp.GRR(1.0)),
    "rows of conditionals": lambda m: pdp.pair_leakage(m(SPLIT), pdp.GRR(1.0), conditional=True),
    "channel": lambda m: pdp.Channel(m(SPLIT)),
    "data of an analysis": lambda m: pdp.LocalAnalysis(m([[3, 1], [2, 2]]), "GRR", 1.0),
    "table of an association": lambda m: association(m([[3, 1], [2, 2]])),
    "budgets of a curve": lambda m: leakage_curve([[3, 1], [2, 2]], "GRR", m([0.5, 1.0])),
    "counts of a test": lambda m: surrogate_test(m([[30, 10], [20, 20]]), rng=1),
    "estimates": lambda m: clipped_frequencies(m([0.5, 0.6])),
    "estimates on the simplex": lambda m: simplex_frequencies(m([0.5, 0.6])),
    # Streams
    "transitions": lambda m: pdp.MarkovChain(m(SPLIT)),
    "start": lambda m: pdp.MarkovChain(SPLIT, m([0.5, 0.5])),
    "law of a symbol": lambda m: pdp.MarkovChain.independent(m([0.5, 0.5])),
    "states": lambda m: pdp.MarkovChain(SPLIT, states=m([0, 1])),
    "streams of a chain": lambda m: pdp.MarkovChain.from_streams([m([0, 1, 1, 0])]),
    "rectangle of streams": lambda m: pdp.MarkovChain.from_streams(m([[0, 1, 1, 0], [0, 0, 1, 1]])),
    "streams": lambda m: pdp.StreamData([m([0, 1, 1, 0])]),
    "codes of streams": lambda m: pdp.StreamData.from_codes(m([0, 1, 1, 0]), [0, 4], [0, 1]),
    "offsets of streams": lambda m: pdp.StreamData.from_codes([0, 1, 1, 0], m([0, 4]), [0, 1]),
    "users of a frame": lambda m: pdp.StreamData.from_dataframe(
        {"s": ["a", "b", "a"], "u": m([1, 1, 2])}, "s", "u"
    ),
    "counted streams": lambda m: transition_counts([m([0, 1, 1, 0])]),
    "bounds of a grid": lambda m: grid_cells([[[0.1, 0.2], [0.6, 0.7]]], m([[0, 1], [0, 1]]), 2),
    "answers of a distance": lambda m: Distance("squared", m([0.0, 1.0])),
    "belief": lambda m: log_lift(SPLIT, m([0.5, 0.5])),
    "matrix of a lift": lambda m: log_lift(m(SPLIT), [0.5, 0.5]),
    "matrix of a level": lambda m: local_level(m(SPLIT)),
    "belief of a level": lambda m: compare_levels(SPLIT, m([0.5, 0.5])),
    "designed prior": lambda m: mismatched_prior(SPLIT, m([0.5, 0.5]), [0.4, 0.6]),
    "adversary's prior": lambda m: mismatched_prior(SPLIT, [0.5, 0.5], m([0.4, 0.6])),
    "expected channel": lambda m: expected_distance(m(SPLIT), [0.5, 0.5]),
    "forward correlations": lambda m: pdp.streams.temporal_leakage(m(SPLIT), 0.5, 3),
    "backward correlations": lambda m: pdp.streams.temporal_leakage(SPLIT, 0.5, 3, m(SPLIT)),
    "transitions of a mechanism": lambda m: pdp.streams.TemporalResponse(1.0, m(SPLIT)),
    "transitions of a safe one": lambda m: SafeTemporalResponse(1.0, m(SPLIT)),
    "channel with memory": lambda m: MemoryRelease([m(SPLIT)], 1),
    "symbols of batches": lambda m: batch_index(m([0, 1, 1]), 2),
    "budgets of steps": lambda m: pdp.compose(m([0.5, 0.5])),
    "released symbols": lambda m: StreamBelief.before(CHAIN).after(m(SPLIT), 0),
    "streams that are released": lambda m: simulate_releases(
        CHAIN, RandomisedSymbols(1.0), streams=[m([0, 1, 1, 0])], rng=1
    ),
    "phis": lambda m: two_points_curve(phis=m([0.1, 0.2])),
    # Dependent tuples
    "degrees": lambda m: correlated_sensitivity(m([[1.0, 0.5], [0.5, 1.0]]), [1.0, 1.0]),
    "sensitivities": lambda m: correlated_sensitivity([[1.0, 0.5], [0.5, 1.0]], m([1.0, 1.0])),
    "sensitivities of users": lambda m: graph_sensitivity(GRAPH, 0.5, m([1.0, 1.0, 1.0])),
    "query by support": lambda m: pdp.dependent_leakage(SPARSE, m([0.0, 2.0]), 1.0),
    "blocks": lambda m: dependent_scale(SPARSE, "sum", 1.0, blocks=[m([0, 1])]),
    "chances of releases": lambda m: chosen_release_leakage(SPARSE, ["sum", "sum"], 1.0, m([0.5, 0.5])),
    "scales of releases": lambda m: stacked_leakage(SPARSE, ["sum", "sum"], m([1.0, 1.0])),
    "budgets of accuracy": lambda m: accuracy_curve({"a": 1.0}, m([0.5, 1.0])),
    "chances of accuracy": lambda m: budget_curve({"a": 1.0}, m([0.1, 0.2])),
    "budgets of queries": lambda m: separation_curve(m([0.5, 1.0])),
    "budgets of an underestimate": lambda m: underestimation_curve(SPARSE, epsilons=m([0.5, 1.0])),
    "factors": lambda m: underestimation_curve(SPARSE, epsilons=[0.5], factors=m([0.8, 0.9])),
    "values of friends": lambda m: friend_coefficient(FriendModel(), m([0.0, 1.0]), 1.0),
    # Results and pictures
    "numbers of a result": lambda m: KnownCurve(np.array([0.0, 1.0]), m([0.5, 1.0]), 1.0, "a count"),
    "epsilons of a curve": lambda m: SlackCurve(m([1.0, 2.0]), np.array([0.2, 0.1]), "exact", "all", "a sum"),
    "released numbers": lambda m: ADVERSARY.posterior(m([0.0, 1.0])),
    "determined": lambda m: pdp.WeightedHierarchicalGraph(
        ["a", "b"], [[1.5, 1.0], [1.2, 1.0]], 1.0, m([[False, False], [False, False]])
    ),
    "points of a line": lambda m: Series("a", m([0.0, 1.0]), [0, 1]),
    "heights of a line": lambda m: Series("a", [0, 1], m([0.0, 1.0])),
    "data of a stream": lambda m: StreamScript.of(CHAIN, 1.0, 3, data=m([0, 1, 1])),
    # Networks and places
    "points of a city": lambda m: NETWORK.degrees_of(m([[0.1, 0.2]])),
    "some users": lambda m: Friendships([(0, 1)]).among(m([0, 1])),
    "chosen check-ins": lambda m: NETWORK.check_ins.only(m([0, 1])),
    "edges": lambda m: pdp.FriendshipGraph(3, m([[0, 1], [1, 2]])),
    "friendships": lambda m: Friendships(m([[0, 1], [1, 2]])),
    "users of a graph": lambda m: pdp.FriendshipGraph.among(Friendships([[0, 1], [1, 2]]), m([0, 1, 2])),
    "distances": lambda m: FriendModel.from_distances(m([1.0, 2.0, 3.0, 9.0]), [1, 1, 0, 0]),
    "are friends": lambda m: FriendModel.from_distances([1.0, 2.0, 3.0, 9.0], m([1, 1, 0, 0])),
    "places of users": lambda m: FriendModel.from_network(m([[0.0, 1], [2, 3], [9, 9]]), GRAPH),
    "users of check-ins": lambda m: CheckIns.from_arrays(m([1, 2]), TIMES, PLACES, [0, 1], ["a", "b"]),
    "times of check-ins": lambda m: CheckIns.from_arrays([1, 2], m(TIMES), PLACES, [0, 1], ["a", "b"]),
    "places of check-ins": lambda m: CheckIns.from_arrays([1, 2], TIMES, m(PLACES), [0, 1], ["a", "b"]),
    "codes of check-ins": lambda m: CheckIns.from_arrays([1, 2], TIMES, PLACES, m([0, 1]), ["a", "b"]),
    "points on the earth": lambda m: great_circle_km(m([[40.0, -74.0]]), [[41.0, -74.0]]),
    "rows of an affinity": lambda m: affinity_graph(m([[1.0, 0.0], [0.9, 0.1]])),
    "edges of degrees": lambda m: degree_histogram(m([[0, 1], [1, 2]])),
    "points of clusters": lambda m: k_means(m(RECORDS), 2, rng=1),
    "first centroids": lambda m: lloyd(RECORDS, m([[1.0, 2.0], [5.0, 6.0]])),
    "clean centroids": lambda m: clustering_accuracy(m(RECORDS[:2]), RECORDS[:2], RECORDS),
    "noisy centroids": lambda m: clustering_accuracy(RECORDS[:2], m(RECORDS[:2]), RECORDS),
    "rows of a classifier": lambda m: private_classifier(m(UNIT), SIGNS, 1.0, repeats=1, rng=1),
    "labels of a classifier": lambda m: private_classifier(UNIT, m(SIGNS), 1.0, repeats=1, rng=1),
    "records to encode": lambda m: encoded_rows({"a": m([1.0, 2.0]), "b": ["x", "y"]}),
    "prior of an attack": lambda m: attack_score(m([0.5, 0.5]), [0.5, 0.5], [0.1, 0.9]),
    "posterior of an attack": lambda m: attack_score([0.5, 0.5], [0.5, 0.5], m([0.1, 0.9])),
}
TIMES = np.array(["2010-01-01T00:00:00", "2010-01-02T00:00:00"], dtype="datetime64[s]")
PLACES = [[40.0, -74.0], [41.0, -74.0]]
UNIT = [[0.1, 0.2], [0.2, 0.1], [0.5, 0.4], [0.4, 0.5]] * 2
SIGNS = [1, -1] * 4
EDGES = np.full((2, 2, 2), np.nan)
EDGES[0, 0, 1] = EDGES[1, 0, 0] = 0.5

#: Columns of data frames: a masked value is a missing one there.
COLUMNS = [
    "column of counted rows",
    "column of a support",
    "weights of a support",
    "Gaussian columns",
    "users of a frame",
    "records to encode",
]
#: Where a list says something else.
ARRAYS = ["edges of tuples", "numbers of a result", "data of a stream"]


def masked(values: Any) -> Any:
    """Return an array whose last entry is masked."""
    numbers = np.array(values)
    hidden = np.zeros(numbers.shape, dtype=bool)
    hidden.flat[-1] = True
    return np.ma.array(numbers, mask=hidden)


def listed(values: Any) -> Any:
    """Return a list that ends in the masked constant, as the entries of a masked array are."""
    found = np.array(values).tolist()
    last = found
    while isinstance(last[-1], list):
        last = last[-1]
    last[-1] = np.ma.masked
    return found


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("entrance", "hidden"),
    [
        (name, hidden)
        for name in ENTRANCES
        for hidden in (masked, listed)
        if name not in COLUMNS and not (name in ARRAYS and hidden is listed)
    ],
)
def test_a_masked_entry_is_refused_by_name(entrance: str, hidden: Given) -> None:
    with pytest.raises(PdpError, match=r"masked(?!_array)") as refused:
        ENTRANCES[entrance](hidden)
    assert len(str(refused.value)) < 200


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("hidden", [masked, listed])
@pytest.mark.parametrize("entrance", COLUMNS)
def test_a_masked_value_of_a_data_frame_is_a_missing_one(entrance: str, hidden: Given) -> None:
    with pytest.raises(
        PdpError, match=r"[Cc]olumn . has 1 missing value|[Cc]olumn ., row \d+ is missing|of a is m"
    ):
        ENTRANCES[entrance](hidden)


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_a_mask_that_hides_nothing_is_taken(entrance: str) -> None:
    ENTRANCES[entrance](lambda values: np.ma.array(values))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("hidden", [masked, listed])
@pytest.mark.parametrize("missing", [None, np.nan])
def test_where_missing_values_are_taken_masked_ones_are_the_same(hidden: Given, missing: Any) -> None:
    numbers: list[Any] = [3.0, 1.0, 0.25]
    ways: list[Callable[[Any], Any]] = [
        lambda ages: pdp.Microdata({"age": ages, "pay": [1, 2, 3]}),
        lambda series: quantised([series, [0.5, 0.75]], 0.0, 4.0, 4),
        lambda symbols: pdp.StreamData.from_dataframe({"symbol": symbols}, "symbol"),
        lambda column: pdp.AttributeTable.from_dataframe({"a": column, "b": [0, 1, 1]}, missing="category"),
    ]
    for way in ways:
        assert way(hidden(numbers)) == way([*numbers[:-1], missing])
    points = [[0.1, 0.2], [0.6, 0.7]]
    box = [(0, 1), (0, 1)]
    gone = grid_cells([[points[0], [0.6, missing]]], box, 2)
    assert grid_cells([hidden(points)], box, 2) == gone


#: Each gives one number.
NUMBERS: dict[str, Callable[[Any], Any]] = {
    "budget": pdp.GRR,
    "shift": lambda v: sum_slack([({0: 0.5, 1: 0.5}, 6)], v, 1.0),
    "records": lambda v: pdp.SelectedCount(v, 3, 0.5),
    "share": lambda v: pdp.SelectedCount(10, 3, v),
    "size of a class": lambda v: pdp.anonymise({"a": [1, 2, 3]}, "a", v),
    "probability of a value": lambda v: RecordLaw.of({0: v, 1: 0.5}),
    "promise": lambda v: pdp.DependenceAnalysis(SPARSE, "sum", v),
    "scale": lambda v: pdp.DependenceAnalysis(SPARSE, "sum", 1.0, scale=v),
    "probability to stay": pdp.MarkovChain.symmetric,
    "steps": lambda v: pdp.SequenceAnalysis(CHAIN, "crr", v, epsilon=1.0),
    "seed of a stream": lambda v: StreamRun.of(CHAIN, 1.0, "crr", 10, seed=v),
    "victim": lambda v: pdp.InferenceAttack(NETWORK, v, clusters=4),
    "known share": lambda v: pdp.InferenceAttack(NETWORK, clusters=4, known=v),
    "coordinate": lambda v: great_circle_km([v, 1.0], [2.0, 3.0]),
    "weight in the editor": lambda v: CovarianceEdits(MODEL, [v, 1]),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("entrance", NUMBERS)
def test_the_masked_constant_is_no_number(entrance: str) -> None:
    with pytest.raises(PdpError, match="masked"):
        NUMBERS[entrance](np.ma.masked)
