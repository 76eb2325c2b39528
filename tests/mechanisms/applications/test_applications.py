"""Uses of a private release: clusters, a classifier, degrees and affinity, and Lloyd's rounds."""

import json
import pickle
from importlib.resources import files
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import BudgetError, DomainError, LimitError, ScaleError, TableError
from pdp_widgets.dependent import (
    affinity_graph,
    classifier_scale,
    clustering_accuracy,
    degree_histogram,
    encoded_rows,
    k_means,
    lloyd,
    private_classifier,
    private_clustering,
    private_degrees,
)
from pdp_widgets.errors import NetworkError
from pdp_widgets.mechanisms.applications import clustering
from pdp_widgets.mechanisms.applications.clustering import similarities, starting_points
from pdp_widgets.mechanisms.applications.private_classifier import (
    expected_noise,
    linear_classifier,
    unit_noise,
)
from pdp_widgets.mechanisms.applications.private_degrees import degree_scale, degree_sensitivity
from pdp_widgets.places import Friendships
from pdp_widgets.verify import verify
from tests.conftest import few


@given(st.integers(0, 2**31))
@few()
def test_clusters_are_those_of_scikit_learn(seed):
    from sklearn.cluster import KMeans

    rng = np.random.default_rng(seed)
    points = np.concatenate([rng.normal(at, 1.0, (15, 2)) for at in rng.uniform(-6, 6, (3, 2))])
    init = starting_points(points, 3, rng)
    found = lloyd(points, init)
    due = KMeans(3, init=init, n_init=1, tol=0.0, max_iter=100, algorithm="lloyd").fit(points)
    assert found.centroids == pytest.approx(due.cluster_centers_, abs=1e-9)
    assert found.assign.tolist() == due.labels_.tolist()
    assert found.inertia == pytest.approx(due.inertia_)


@given(st.integers(0, 2**31), st.integers(1, 5))
def test_clusters_have_come_to_rest(seed, k):
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 4, (12, 2)).astype(float)
    found = k_means(points, k, rng)
    for j in range(k):
        members = points[found.assign == j]
        if len(members):
            assert found.centroids[j] == pytest.approx(members.mean(axis=0))
    squares = ((points[:, None] - found.centroids) ** 2).sum(axis=2)
    assert found.inertia == pytest.approx(squares.min(axis=1).sum())
    assert (found.assign == squares.argmin(axis=1)).all()
    assert pickle.loads(pickle.dumps(found)) == found


def test_clusters_at_the_edge():
    same = k_means([[1.0, 1.0]] * 4, 3, rng=1)
    assert same.centroids.tolist() == [[1, 1]] * 3
    assert same.sizes.tolist() == [4, 0, 0]
    assert lloyd([[0.0], [2.0]], [[1.0], [1.0]]).assign.tolist() == [0, 0]
    for points, k, fault in (
        ([[0, 0]], 2, DomainError),
        ([[0, 0]], 0, DomainError),
        ([[0, 0]], 1.0, DomainError),
        ([[float("nan")]], 1, TableError),
        ([1.0], 1, TableError),
        ([], 1, TableError),
        ([["a"]], 1, TableError),
    ):
        with pytest.raises(fault):
            k_means(points, k, rng=0)
    with pytest.raises(TableError, match="3 coordinates and a point 2"):
        lloyd([[0, 0]], [[0, 0, 0]])


def test_far_points_are_likelier_to_start_with():
    points = np.array([[0.0], [1.0], [3.0]])
    second = np.zeros(3)
    for seed in range(600):
        first, other = starting_points(points, 2, seed).ravel()
        if first == 0:
            second[points.ravel().tolist().index(other)] += 1
    # Squares of distances 1 and 9.
    assert second[0] == 0
    assert second[2] / second.sum() == pytest.approx(0.9, abs=0.06)


def test_noise_costs_clusters():
    rng = np.random.default_rng(3)
    points = np.concatenate([rng.normal(at, 0.05, (60, 2)) for at in ((0.2, 0.2), (0.8, 0.3), (0.5, 0.9))])
    found = [private_clustering(points, 3, scale, rng=1) for scale in (0.0, 0.05, 0.5, 50.0)]
    means = [one.accuracy for one in found]
    assert means[0] == 1
    assert means == sorted(means, reverse=True)
    assert found[-1].accuracy < 0.7
    assert 1 / 3 <= found[0].chance < 0.6
    assert found[1].standard_error < 0.05
    assert found[1] == private_clustering(points, 3, 0.05, rng=1) == pickle.loads(pickle.dumps(found[1]))
    assert np.isnan(private_clustering(points, 3, 0.1, repeats=1, rng=1).standard_error)
    for call, fault in (
        (lambda: private_clustering(points[:4], 2, 1.0), TableError),
        (lambda: private_clustering(points, 500, 1.0), DomainError),
        (lambda: private_clustering(points, 2, -1.0), ScaleError),
        (lambda: private_clustering(points, 2, 1.0, repeats=0), BudgetError),
        (lambda: clustering_accuracy([[0.0]], [[0.0], [1.0]], [[0.0]]), TableError),
    ):
        with pytest.raises(fault):
            call()


def test_a_histogram_changes_by_what_is_stated():
    """All graphs of four users: one edge more, or all edges of one user changed."""
    pairs = list(combinations(range(4), 2))
    graphs = {
        chosen: [p for p, on in zip(pairs, chosen, strict=True) if on] for chosen in product((0, 1), repeat=6)
    }
    counts = {chosen: degree_histogram(edges, 4, 3) for chosen, edges in graphs.items()}
    edge = user = 0
    for one, other in combinations(counts, 2):
        apart = int(np.abs(counts[one] - counts[other]).sum())
        differ = [pair for pair, a, b in zip(pairs, one, other, strict=True) if a != b]
        if len(differ) == 1:
            edge = max(edge, apart)
        if set.intersection(*map(set, differ)):
            user = max(user, apart)
    assert (edge, user) == (degree_sensitivity(), degree_sensitivity("user", 4)) == (4, 8)


def test_degrees_are_those_of_the_graph():
    graph = nx.gnp_random_graph(30, 0.15, seed=1)
    due = nx.degree_histogram(graph)
    assert degree_histogram(graph).tolist() == due
    assert degree_histogram(Friendships.from_networkx(graph), 30).tolist() == due
    assert degree_histogram(list(graph.edges), 30, 2).tolist() == [*due[:2], sum(due[2:])]
    assert degree_histogram(nx.empty_graph(3)).tolist() == [3]
    assert degree_histogram(nx.relabel_nodes(nx.path_graph(3), str)).tolist() == [0, 2, 1]
    found = private_degrees(graph, degree_scale(2.0, 3.0), max_degree=9, rng=5)
    assert (found.scale, found.expected_error, found.public_size) == (6, 60, True)
    assert found.error == pytest.approx(np.abs(found.noisy - found.histogram).sum())
    errors = [private_degrees(graph, 6.0, max_degree=9, rng=seed).error for seed in range(200)]
    assert np.mean(errors) == pytest.approx(60, rel=0.1)
    assert pickle.loads(pickle.dumps(found)) == found != private_degrees(graph, 6.0, rng=5)


def test_degrees_that_cannot_be():
    for call, fault in (
        (lambda: degree_histogram([(0, 5)], 3), NetworkError),
        (lambda: degree_histogram([(-1, 2)], 3), NetworkError),
        (lambda: degree_histogram([(0, 1)], 2, -1), BudgetError),
        (lambda: degree_histogram([], 0), BudgetError),
        (lambda: degree_sensitivity("graph"), DomainError),
        (lambda: degree_sensitivity("user"), DomainError),
        (lambda: degree_scale(0.0), BudgetError),
        (lambda: degree_scale(1.0, 0.0), BudgetError),
        (lambda: private_degrees([(0, 1)], -1.0), ScaleError),
    ):
        with pytest.raises(fault):
            call()


def test_affinity(monkeypatch):
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(12, 3))
    cosine, printed = similarities(rows), similarities(rows, "printed")
    for i, j in combinations(range(12), 2):
        product_ = abs(rows[i] @ rows[j])
        assert cosine[i, j] == pytest.approx(product_ / np.linalg.norm(rows[i]) / np.linalg.norm(rows[j]))
        assert printed[i, j] == pytest.approx(product_ / np.abs(rows[i]).sum() / np.abs(rows[j]).sum())
        assert ((i, j) in affinity_graph(rows)) == (cosine[i, j] > 0.8)
    # At the threshold there is no edge, and huge numbers do not overflow.
    assert len(affinity_graph([[1.0, 0.0], [1.0, 0.0]], 1.0)) == 0
    assert similarities([[1e300, 0], [1e300, 1e300]])[0, 1] == pytest.approx(0.5**0.5)
    assert not similarities([[0.0, 0.0]]).any()
    with pytest.raises(DomainError, match="'cosine' or 'printed'"):
        similarities(rows, "L1")
    monkeypatch.setattr(clustering, "_MOST", 3)
    with pytest.raises(LimitError, match="12 records"):
        similarities(rows)


def test_a_classifier_is_the_only_optimum():
    from sklearn.svm import LinearSVC

    rng = np.random.default_rng(4)
    rows = encoded_rows({f"x{k}": rng.random(300).tolist() for k in range(4)}) - 0.25
    labels = np.where(rows[:, 0] + 0.1 * rng.normal(size=300) > 0, 1, -1)
    weights = linear_classifier(rows, labels, 0.01)
    right = (np.where(rows @ weights >= 0, 1, -1) == labels).mean()
    other = LinearSVC(C=1 / (0.01 * 300), loss="hinge", fit_intercept=False, max_iter=100_000, dual=True)
    assert right == pytest.approx(other.fit(rows, labels).score(rows, labels), abs=0.02)
    # No step in any direction is better.
    margins = 1 - labels * (rows @ weights)

    def loss(given):
        margin = 1 - labels * (rows @ given)
        bent = np.where(margin > 0.5, margin, np.where(margin < -0.5, 0, (margin + 0.5) ** 2 / 2))
        return bent.mean() + 0.005 * given @ given

    assert (margins > 0.5).any()
    for step in rng.normal(size=(50, 4)) * 1e-3:
        assert loss(weights) < loss(weights + step)


def test_noise_costs_a_classifier():
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(400, 3))
    rows /= np.maximum(1, np.linalg.norm(rows, axis=1))[:, None]
    labels = np.where(rows[:, 1] > 0, 1, -1)
    found = [private_classifier(rows, labels, scale, rng=1, repeats=400) for scale in (0.0, 1.0, 100.0)]
    means = [one.mean_accuracy for one in found]
    assert means[0] == pytest.approx(found[0].accuracy)
    assert means[0] > 0.9
    assert means[0] > means[1] > means[2]
    assert means[2] == pytest.approx(0.5, abs=0.06)
    noise = unit_noise(4000, 3, rng=1)
    lengths = np.linalg.norm(noise, axis=1)
    assert lengths.mean() == pytest.approx(expected_noise(3, 1.0), rel=0.05)
    assert lengths.var() == pytest.approx(3, rel=0.1)
    assert np.abs((noise / lengths[:, None]).mean(axis=0)).max() < 0.04
    assert found[1] == private_classifier(rows, labels, 1.0, rng=1, repeats=400)
    assert pickle.loads(pickle.dumps(found[1])) == found[1] != found[2]
    for call, fault in (
        (lambda: private_classifier(rows * 9, labels, 1.0), TableError),
        (lambda: private_classifier(rows[:4], labels[:4], 1.0), TableError),
        (lambda: private_classifier(rows, labels * 2, 1.0), DomainError),
        (lambda: private_classifier(rows, labels[:-1], 1.0), DomainError),
        (lambda: private_classifier(rows, labels, -1.0), ScaleError),
        (lambda: classifier_scale(0, 1.0, 1.0), BudgetError),
        (lambda: classifier_scale(10, 0.0, 1.0), BudgetError),
        (lambda: classifier_scale(10, 1.0, float("inf")), BudgetError),
        (lambda: expected_noise(0, 1.0), BudgetError),
        (lambda: linear_classifier(rows, labels, -1.0), BudgetError),
        (lambda: encoded_rows({"a": []}), TableError),
        (lambda: encoded_rows({"a": [1], "b": [1, 2]}), TableError),
    ):
        with pytest.raises(fault):
            call()


def test_records_are_encoded():
    rows = encoded_rows({"x": [1, 3, 2], "kind": ["a", "b", "a"], "yes": [True, False, True]})
    assert rows.shape == (3, 5)
    assert (np.linalg.norm(rows, axis=1) <= 1 + 1e-12).all()
    assert (rows[1] > 0).tolist() == [True, False, True, True, False]


KINDS = (
    "load",
    "affinity",
    "degree_histogram",
    "svm_scale",
    "clustering_accuracy",
    "attack",
    "dist",
    "lloyd",
)


@pytest.mark.parametrize("kind", [*KINDS, "location_pattern", "minmax", "entropy"])
def test_a_wrong_number_fails(kind):
    def wrong(value):
        if isinstance(value, dict):
            return {key: wrong(part) for key, part in value.items()}
        if isinstance(value, list):
            return [wrong(part) for part in value] or [[0, 0]]
        return value + 1 if isinstance(value, int | float) else f"{value}!"

    text = files("pdp_widgets").joinpath("data/vectors/ddp.json").read_text(encoding="utf-8")
    document = json.loads(text)
    cases = [case for case in document["cases"] if case["kind"] == kind]
    assert str(verify([document | {"cases": cases}])) == f"{len(cases)} of {len(cases)} cases pass"
    for case in cases:
        for key, value in case["expected"].items():
            changed = case | {"expected": case["expected"] | {key: wrong(value)}}
            assert len(verify([document | {"cases": [changed]}]).failures) == 1, (case["id"], key)


@pytest.mark.parametrize("kind", [np.array(["cosine", "printed"]), None, 1, ["cosine"]])
def test_a_similarity_is_named(kind):
    with pytest.raises(DomainError, match=r"The similarity is .*; it is 'cosine' or 'printed'"):
        affinity_graph([[1, 2], [2, 1]], 0.8, kind)
