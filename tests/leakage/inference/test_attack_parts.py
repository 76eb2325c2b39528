"""Parts of the attack on places against the same in words: priors, centroids, likelihoods, sensitivities."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import AdversaryError, BudgetError, DomainError, TableError
from pdp_widgets.dependent import lloyd
from pdp_widgets.errors import NetworkError
from pdp_widgets.leakage.dependent.friend_scale import FriendCells, FriendPairs, friend_kappa
from pdp_widgets.leakage.inference.attack_release import friend_factor
from pdp_widgets.leakage.inference.attack_score import attack_score, entropies
from pdp_widgets.leakage.inference.grid import cell_centres, cells_of
from pdp_widgets.leakage.inference.location_prior import (
    KnownOthers,
    cell_counts,
    independent_priors,
    known_others,
    near_friends,
    weighted_priors,
)
from pdp_widgets.leakage.inference.posterior import (
    as_sensitivity,
    expected_means,
    fixed_bound,
    joined_clusters,
    local_sensitivity,
    log_likelihoods,
    log_posteriors,
    worst_case,
)
from pdp_widgets.models.friend_model import FriendModel
from tests.leakage.inference import attack_reference as reference

SEEDS = st.integers(0, 2**31)


class Problem:
    """A small attack at random."""

    def __init__(self, seed, grid=4, users=9, clusters=3):
        rng = np.random.default_rng(seed)
        self.grid, self.users = int(rng.integers(1, grid + 1)), users
        self.points = rng.random((users, 2)).round(3)
        edges = [(a, b) for a in range(users) for b in range(a) if rng.random() < 0.3]
        self.edges = np.array(edges, dtype=np.int64).reshape(-1, 2)
        self.clusters = lloyd(self.points, self.points[rng.choice(users, clusters, replace=False)])
        self.noisy = self.clusters.centroids + rng.laplace(size=(clusters, 2)) * 0.1
        self.sigma = float(np.exp(rng.uniform(-4, 1)))
        self.weight, self.radius = float(rng.uniform(0.5, 20)), float(rng.uniform(0, 0.5))
        self.known = known_others(users, float(rng.choice([0.0, 0.3, 0.7, 1.0])), rng)
        self.victims = np.arange(users)

    def friends(self, victim):
        return [int(b if a == victim else a) for a, b in self.edges if victim in (a, b)]

    def expected(self):
        return expected_means(self.points, self.clusters, self.known, self.victims)


def test_cells_of_the_unit_square():
    points = [[0, 0], [0.249, 0.25], [1, 0.99], [0.5, 1]]
    assert cells_of(points, 4).tolist() == [0, 1, 15, 11]
    assert cells_of(points, 4, [0, 1, 1, 0]).tolist() == [0, 17, 31, 11]
    assert cells_of(points, 1).tolist() == [0] * 4
    assert cells_of(cell_centres(7), 7).tolist() == list(range(49))
    for points in ([[0, 1.1]], [[float("nan"), 0]], [[0]], "ab"):
        with pytest.raises(NetworkError):
            cells_of(points, 4)
    for grid in (0, 101, 2.0, True):
        with pytest.raises(DomainError, match=r"grid is .*; it must be a whole number, 1 to 100"):
            cell_centres(grid)


@given(st.integers(1, 8), st.floats(0, 1), SEEDS)
def test_as_many_others_are_known_as_asked_for(n, share, seed):
    known = known_others(n, share, seed)
    for victim in range(n):
        assert victim not in known.of(victim)
        assert len(known.of(victim)) == round(share * (n - 1))
    assert known_others(n, 1.0, seed).full
    assert known_others(n, list(range(n)), seed).of(0).tolist() == list(range(1, n))


@pytest.mark.parametrize("known", [-0.1, 1.1, float("nan"), "all", True, [9], [-1], [0.5]])
def test_known_users_that_cannot_be(known):
    with pytest.raises(AdversaryError):
        known_others(5, known, 0)


@given(SEEDS)
def test_beliefs_are_those_in_words(seed):
    found = Problem(seed)
    smoothing = seed % 3 / 2
    counts = cell_counts(found.points, found.grid, found.known, found.victims)
    near = near_friends(found.points, found.edges, found.grid, found.known, found.victims, found.radius)
    first = independent_priors(counts, smoothing)
    second = weighted_priors(counts, near, found.weight, smoothing)
    logs = log_likelihoods(found.expected(), found.noisy, found.sigma, found.grid)
    for victim in range(found.users):
        others = found.known.of(victim).tolist()
        wanted = reference.priors(
            found.points.tolist(),
            victim,
            found.friends(victim),
            others,
            found.grid,
            found.weight,
            found.radius,
            smoothing,
        )
        for prior, due in zip((first, second), wanted, strict=True):
            assert prior[victim] == pytest.approx(due, abs=1e-12)
            after = np.exp(log_posteriors(prior, logs))[victim]
            assert after == pytest.approx(
                reference.posterior(
                    due,
                    found.points.tolist(),
                    found.clusters.assign.tolist(),
                    found.clusters.centroids.tolist(),
                    others,
                    found.noisy.tolist(),
                    found.sigma,
                    found.grid,
                ),
                abs=1e-10,
            )
            assert entropies(after[None])[0] == pytest.approx(reference.entropy(after.tolist()), abs=1e-12)


@given(SEEDS)
def test_local_sensitivity_is_the_largest_change(seed):
    found = Problem(seed)
    local = local_sensitivity(found.expected(), found.grid)
    for victim in range(found.users):
        all_means = [
            reference.estimated(
                found.points.tolist(),
                found.clusters.assign.tolist(),
                found.clusters.centroids.tolist(),
                found.known.of(victim).tolist(),
                cell,
                found.grid,
            )
            for cell in range(found.grid**2)
        ]
        due = max(reference.distance(a, b) for a in all_means for b in all_means)
        assert local[victim] == pytest.approx(due, abs=1e-12)
    assert local.max() <= worst_case(found.clusters.k)


@given(SEEDS, st.floats(0.05, 20))
def test_no_output_says_more_than_the_budget_of_the_local_sensitivity(seed, epsilon):
    found = Problem(seed)
    local = local_sensitivity(found.expected(), found.grid).max()
    logs = log_likelihoods(found.expected(), found.noisy, local / epsilon, found.grid)
    assert (logs.max(axis=1) - logs.min(axis=1)).max() <= epsilon + 1e-9


def test_a_victim_in_a_small_cluster_moves_more_than_the_fixed_bound():
    # One user in a cluster of her own: without her it keeps its centroid, and any candidate becomes it.
    points = np.array([[0.0, 0.0], *[[1.0, 1.0]] * 10])
    clusters = lloyd(points, [[0, 0], [1, 1]])
    known = KnownOthers(np.ones(11, dtype=bool))
    local = local_sensitivity(expected_means(points, clusters, known, [0]), 20)[0]
    assert fixed_bound(clusters.sizes) == pytest.approx(2 * (1 / 2 + 1 / 11))
    assert local > 1.7 > fixed_bound(clusters.sizes)
    assert fixed_bound([4]) == pytest.approx(0.4)
    assert (fixed_bound([3, 4], q=6), worst_case(8, q=6)) == (pytest.approx(5.4), 96)


def test_an_empty_cluster_keeps_its_centroid_and_ties_go_to_the_first():
    points = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 0.9]])
    clusters = lloyd(points, [[0, 0], [1, 1]])
    expected = expected_means(points, clusters, KnownOthers(np.ones(3, dtype=bool)), [0])
    assert expected.means[0, 0].tolist() == [0, 0]
    assert expected.sizes[0].tolist() == [0, 2]
    mirrored = expected_means(
        np.array([[0, 0], [1, 1.0]]),
        lloyd([[0, 0], [1, 1]], [[0, 0], [1, 1]]),
        KnownOthers(np.ones(2, dtype=bool)),
        [0],
    )
    assert joined_clusters(mirrored, np.array([0.25, 0.75])).tolist() == [[0, 0, 0, 1]]


def test_extreme_scales():
    found = Problem(5, users=12)
    counts = cell_counts(found.points, found.grid, found.known, found.victims)
    prior = independent_priors(counts, 1e-9)
    for sigma in (1e-300, 1e-3, 1e12):
        after = np.exp(
            log_posteriors(prior, log_likelihoods(found.expected(), found.noisy, sigma, found.grid))
        )
        assert np.allclose(after.sum(axis=1), 1)
    assert np.allclose(after, prior, atol=1e-9)
    assert not log_likelihoods(found.expected(), found.noisy, 0.0, found.grid).any()
    with pytest.raises(DomainError, match="is due"):
        log_likelihoods(found.expected(), found.noisy[:1], 1.0, found.grid)
    with pytest.raises(BudgetError):
        log_likelihoods(found.expected(), found.noisy, -1.0, found.grid)
    for call in (
        lambda: weighted_priors(counts, counts > 0, 0.0),
        lambda: independent_priors(counts, -1.0),
        lambda: near_friends(found.points, found.edges, 4, found.known, [0], float("nan")),
        lambda: as_sensitivity("none"),
    ):
        with pytest.raises((BudgetError, DomainError)):
            call()


def test_leaked_information_is_a_gap_and_an_increment():
    score = attack_score([0.25] * 4, [0.5, 0.5, 0, 0], [0.25] * 4)
    assert (score.leaked, score.incremental, score.prior_gap) == pytest.approx((0, -math.log(2), math.log(2)))
    assert (score.h0_bits, score.before_bits, score.after_bits) == pytest.approx((2, 1, 2))
    for wrong in ([], [0.5, 0.4], [1.5, -0.5], ["a"], [[1.0]], [float("nan"), 1]):
        with pytest.raises(TableError, match="prior"):
            attack_score([1.0], wrong, [1.0])


def _direct(grid, scale, kind):
    """The coefficient of two friends' cells by sums over all pairs of cells."""
    centres = cell_centres(grid)
    law = FriendModel().conditional(centres)
    far = np.abs(centres[:, None] - centres).sum(axis=2)
    if kind == "mean":
        return (law @ far).max() / far.max()
    if kind == "eq18":
        return scale * np.log((law @ np.exp(far / scale)).max()) / far.max()
    logs = np.log(law @ np.exp(-far / scale))
    return scale * (logs.max(axis=0) - logs.min(axis=0)).max() / far.max()


@pytest.mark.parametrize("kind", ["exact", "eq18", "mean"])
def test_the_factor_of_friends_is_the_root(kind):
    for grid, scale in ((2, 0.3), (5, 0.1), (6, 20.0)):
        found = FriendCells.on(grid).coefficient(scale, kind)
        assert found == pytest.approx(_direct(grid, scale, kind), rel=1e-10)
        # Summed up axis by axis or as any places.
        any_places = FriendPairs.of(FriendModel(), cell_centres(grid).tolist())
        assert found == pytest.approx(any_places.coefficient(scale, kind), rel=1e-9)
    for grid, friends, epsilon in ((5, 1, 1.0), (6, 19, 100.0), (4, 7, 1e-3), (4, 7, 5e3)):
        factor = friend_factor(grid, friends, epsilon, kind)
        diameter = 2 * (1 - 1 / grid)
        rho = FriendCells.on(grid).coefficient(factor * diameter / epsilon, kind)
        assert factor == pytest.approx(1 + friends * rho, rel=1e-9)
        assert 1 <= factor <= 1 + friends
    assert friend_factor(5, 0, 1.0, kind) == friend_factor(1, 9, 1.0, kind) == 1


@pytest.mark.parametrize("kind", ["exact", "eq18", "mean"])
def test_the_factor_of_friends_is_that_of_any_places(kind):
    for grid, friends, epsilon in ((2, 3, 0.5), (3, 8, 4.0), (4, 2, 1.0)):
        due = friend_kappa(FriendModel(), cell_centres(grid).tolist(), friends, epsilon, kind)
        assert friend_factor(grid, friends, epsilon, kind) == pytest.approx(due, rel=1e-9)


def test_factors_are_those_of_the_specification():
    # Cell centres of 10 by 10 in the unit square, largest degrees 15 and 19.
    found = [friend_factor(10, friends, epsilon) for epsilon in (1.0, 100.0) for friends in (15, 19)]
    assert found == pytest.approx([10.3, 12.8, 12.7, 15.4], abs=0.05)
    for epsilon in (0, -1, float("nan"), float("inf")):
        with pytest.raises(BudgetError):
            friend_factor(5, 3, epsilon)
    with pytest.raises(DomainError, match="'exact', 'eq18' or 'mean'"):
        friend_factor(5, 3, 1.0, "best")
