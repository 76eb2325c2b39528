"""What an attack rests on whatever is released: places, clusters, and what is known of the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.converters import as_generator
from pdp_widgets.errors import NetworkError, Where
from pdp_widgets.leakage.inference.grid import as_cells_a_side, cells_of
from pdp_widgets.leakage.inference.location_prior import (
    KnownOthers,
    PriorBelief,
    cell_counts,
    independent_priors,
    known_others,
    near_friends,
    prior_belief,
    weighted_priors,
)
from pdp_widgets.leakage.inference.posterior import (
    ExpectedMeans,
    expected_means,
    joined_clusters,
    local_sensitivity,
)
from pdp_widgets.mechanisms.applications.clustering import Clusters, k_means
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import shown
from pdp_widgets.models.social_network import SocialNetwork

#: Cells of all victims that are looked at together; up to so many, what no release changes is kept.
AT_ONCE = 1_000_000
#: Cells of all victims up to which the cluster that a candidate joins is kept: a few megabytes.
_MOST_JOINED = 1 << 22

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


#: What is kept and does not depend on who is known.
_WHOEVER = ("cells", "local", "order")


@dataclass(frozen=True, eq=False)
class AttackSetting(ReadOnlyArrays):
    """Places, clusters and known users of a network; results for all victims are kept.

    Parameters
    ----------
    network
        Users at the places of most of their check-ins.
    grid
        Cells a side.
    clusters
        The centroids before noise.
    known
        Who is known to the adversary.
    seed
        Where draws of noise and of known users begin.

    Examples
    --------
    >>> from pdp_widgets import synthetic_network
    >>> setting = attack_setting(synthetic_network(40, rng=1), 10, 3, 1.0, 0)
    >>> bool(setting.cells.max() < 100), setting.expected.means.shape
    (True, (40, 3, 2))
    """

    network: SocialNetwork
    grid: int
    clusters: Clusters
    known: KnownOthers
    seed: int
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        # What was found is found again, and is read-only then.
        return self.__dict__ | {"_kept": {}}

    def _once(self, key: Any, make: Any) -> Any:
        if key not in self._kept:
            found = make()
            if isinstance(found, np.ndarray):
                found.flags.writeable = False
            self._kept[key] = found
        return self._kept[key]

    @property
    def cells(self) -> Integers:
        """The true cell of every user (read-only)."""
        found: Integers = self._once("cells", lambda: cells_of(self.network.points, self.grid))
        return found

    @property
    def all_users(self) -> Integers:
        """Positions of all users."""
        return np.arange(self.network.n)

    @property
    def counts(self) -> Floats:
        """Known users in each cell, one row for each victim (read-only)."""
        found: Floats = self._once(
            "counts", lambda: cell_counts(self.network.points, self.grid, self.known, self.all_users)
        )
        return found

    @property
    def expected(self) -> ExpectedMeans:
        """Means of the known others, for every victim."""
        found: ExpectedMeans = self._once(
            "expected",
            lambda: expected_means(self.network.points, self.clusters, self.known, self.all_users),
        )
        return found

    @property
    def local_sensitivities(self) -> Floats:
        """By how much each user can move the centroids here, whoever is known to others (read-only)."""

        def made() -> Floats:
            # Noise is the publisher's, who knows all users.
            whole = self if int(self.known.chosen.sum()) == self.network.n - 1 else self.with_known(1.0)
            return local_sensitivity(whole.expected, self.grid)

        found: Floats = self._once("local", made)
        return found

    @property
    def order(self) -> Integers:
        """Positions of users in the order in which they become known, for a share of them (read-only)."""
        found: Integers = self._once("order", lambda: self._known_draws().permutation(self.network.n))
        return found

    def _known_draws(self) -> np.random.Generator:
        return np.random.default_rng([self.seed, 0])

    def near(self, radius: float) -> Flags:
        """Tell for every victim and cell whether a known friend is near (read-only)."""
        found: Flags = self._once(
            ("near", radius),
            lambda: near_friends(
                self.network.points, self.network.edges, self.grid, self.known, self.all_users, radius
            ),
        )
        return found

    def _are_all(self, victims: Integers) -> bool:
        """Tell whether these are all users, and few enough to keep what is found about them."""
        n = self.network.n
        return n * self.grid**2 <= AT_ONCE and np.array_equal(victims, self.all_users)

    def expected_of(self, victims: Integers) -> tuple[ExpectedMeans, NDArray[np.integer[Any]] | None]:
        """Return means of the known others, and which cluster a candidate joins where that is kept."""
        expected = self.expected.chosen(victims)
        is_part = len(victims) > 1 and bool((np.diff(victims) == 1).all())
        if not is_part or self.network.n * self.grid**2 > _MOST_JOINED:
            return expected, None

        def made() -> NDArray[np.integer[Any]]:
            middle = (np.arange(self.grid) + 0.5) / self.grid
            return joined_clusters(expected, middle).astype(np.min_scalar_type(self.clusters.k))

        # Who attacks all users asks for the same parts of them again and again.
        return expected, self._once(("joined", int(victims[0]), len(victims)), made)

    def prior_beliefs(
        self, victims: Integers, weight: float, radius: float, smoothing: float
    ) -> tuple[PriorBelief, PriorBelief]:
        """Return beliefs before the release in attack 1 and attack 2; the last ones about all users are kept.

        Parameters
        ----------
        victims
            Positions.
        weight, radius, smoothing
            As for `beliefs`.
        """

        def made() -> tuple[PriorBelief, PriorBelief]:
            counts, near = self.counts[victims], self.near(radius)[victims]
            first = independent_priors(counts, smoothing)
            return prior_belief(first), prior_belief(weighted_priors(counts, near, weight, smoothing))

        if not self._are_all(victims):
            return made()
        asked = (weight, radius, smoothing)
        last = self._kept.get("priors")
        found: tuple[PriorBelief, PriorBelief] = made() if last is None or last[0] != asked else last[1]
        self._kept["priors"] = (asked, found)
        return found

    def noise(self, draw: int) -> Floats:
        """Return Laplace noise of scale 1 for all centroids; the same number gives the same noise."""
        return np.random.default_rng([self.seed, 1, draw]).laplace(size=self.clusters.centroids.shape)

    def with_known(self, known: Any) -> AttackSetting:
        """Return the same places and clusters, and other users known."""
        chosen = known_others(self.network.n, known, self._known_draws())
        kept = {key: self._kept[key] for key in _WHOEVER if key in self._kept}
        return AttackSetting(self.network, self.grid, self.clusters, chosen, self.seed, kept)


def attack_setting(network: Any, grid: Any, clusters: Any, known: Any, rng: Any) -> AttackSetting:
    """Return what an attack rests on."""
    if not isinstance(network, SocialNetwork):
        raise NetworkError(
            f"The network is {shown(network)}; give a SocialNetwork, such as one of synthetic_network().",
            Where("parameter", name="network"),
        )
    side, generator = as_cells_a_side(grid), as_generator(rng)
    found = k_means(network.points, clusters, generator)
    seed = int(generator.integers(2**62))
    nobody = KnownOthers(np.zeros(network.n, dtype=bool))
    return AttackSetting(network, side, found, nobody, seed).with_known(known)
