"""The release an attack on places sees: how much noise it has, and what the adversary knows beside it."""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import log
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import BUDGET, NOT_NEGATIVE, POSITIVE, as_size
from pdp_widgets.errors import BudgetError, DomainError, Where
from pdp_widgets.leakage.dependent.friend_scale import FriendCells
from pdp_widgets.leakage.inference.attack_setting import AttackSetting
from pdp_widgets.leakage.inference.location_prior import are_listed, as_smoothing
from pdp_widgets.leakage.inference.posterior import (
    Sensitivity,
    as_sensitivity,
    fixed_bound,
    worst_case,
)
from pdp_widgets.leakage.value import About, Leakage
from pdp_widgets.mechanisms.applications.clustering import Clusters
from pdp_widgets.models.immutable import ReadOnlyAgain
from pdp_widgets.models.labels import as_choice, how_many
from pdp_widgets.models.social_network import SocialNetwork

FriendCoefficient: TypeAlias = Literal["exact", "eq18", "mean"]


def friend_factor(grid: int, friends: int, epsilon: float, kind: FriendCoefficient = "eq18") -> float:
    """Return the factor on the noise that the friend model asks for: kappa, from 1 to 1 + friends."""
    # It is no guarantee: the sum of `friend_kappa` runs over friends, not over all whom friendships connect.
    return _factor(grid, int(friends), BUDGET.take(epsilon, "epsilon"), as_friend_coefficient(kind))


#: A hand that drags the budget asks for many.
@lru_cache(maxsize=1024)
def _factor(grid: int, friends: int, epsilon: float, kind: FriendCoefficient) -> float:
    return FriendCells.on(grid).kappa(friends, epsilon, kind)


def as_friend_coefficient(value: Any) -> FriendCoefficient:
    """Return the name of a coefficient, or raise DomainError."""
    names: tuple[FriendCoefficient, ...] = get_args(FriendCoefficient)
    return as_choice(value, "coefficient", names)


Floats = NDArray[np.float64]
#: Noise beyond it would add up to more than floats hold.
_WIDEST = 1e300
AttackMechanism: TypeAlias = Literal["lpm", "dpm", "baseline"]


class AttackRelease(ReadOnlyAgain):
    """Noisy cluster centres of a network, one victim, and what the adversary knows: see `InferenceAttack`."""

    _setting: AttackSetting
    _victim: int
    _given: dict[str, Any]

    def _keep(self, setting: AttackSetting, **given: Any) -> None:
        self._setting = setting
        victim = given["victim"]
        degrees = setting.network.degrees
        self._victim = int(degrees.argmax()) if victim is None else setting.network.position(victim)
        self._given = given | {
            "mechanism": as_attack_mechanism(given["mechanism"]),
            "victim": int(setting.network.users[self._victim]),
            "epsilon": BUDGET.take(given["epsilon"], "epsilon"),
            "weight": POSITIVE.take(given["weight"], "weight"),
            "radius": NOT_NEGATIVE.take(given["radius"], "radius"),
            "sensitivity": as_sensitivity(given["sensitivity"]),
            "smoothing": as_smoothing(given["smoothing"]),
            "coefficient": as_friend_coefficient(given["coefficient"]),
            "draw": as_size(given["draw"], "draw", 1, error=DomainError),
        }

    @property
    def setting(self) -> AttackSetting:
        """What does not depend on victim, budget and noise."""
        return self._setting

    @property
    def network(self) -> SocialNetwork:
        """The users with their places and friends."""
        return self._setting.network

    @property
    def victim(self) -> int:
        """The user who is looked for."""
        return int(self._given["victim"])

    @property
    def position(self) -> int:
        """Position of the victim among the users."""
        return self._victim

    @property
    def mechanism(self) -> AttackMechanism:
        """The mechanism by its key."""
        found: AttackMechanism = self._given["mechanism"]
        return found

    @property
    def epsilon(self) -> float:
        """The budget in nats."""
        return float(self._given["epsilon"])

    @property
    def epsilon_bits(self) -> float:
        """The budget in bits: what leaked information is measured against."""
        return self.epsilon / log(2)

    @property
    def grid(self) -> int:
        """Cells a side."""
        return self._setting.grid

    @property
    def clusters(self) -> Clusters:
        """The clusters before noise."""
        return self._setting.clusters

    @property
    def draw(self) -> int:
        """Which noise."""
        return int(self._given["draw"])

    @property
    def weight(self) -> float:
        """How often a cell near a friend counts in attack 2."""
        return float(self._given["weight"])

    @property
    def radius(self) -> float:
        """How near is near, in the unit square."""
        return float(self._given["radius"])

    @property
    def known(self) -> NDArray[np.int64]:
        """Users whose places the adversary knows."""
        return self.network.users[self._setting.known.of(self._victim)]

    @property
    def friends(self) -> NDArray[np.int64]:
        """The victim's friends."""
        return self.network.users[self.network.friends(self._victim)]

    @property
    def known_friends(self) -> NDArray[np.int64]:
        """The victim's friends whose places the adversary knows, ascending."""
        return self.friends[np.isin(self.friends, self.known)]

    @property
    def smoothing(self) -> float:
        """What is added to how many known users are in each cell."""
        return float(self._given["smoothing"])

    @property
    def sensitivity(self) -> Sensitivity:
        """The reading of the sensitivity by its key."""
        found: Sensitivity = self._given["sensitivity"]
        return found

    @cached_property
    def delta_q(self) -> float:
        """By how much one user moves the centroids at most, in the reading asked for (L1, unit square)."""
        if self.sensitivity == "unit":
            return 1.0
        if self.sensitivity == "local":
            return float(self._setting.local_sensitivities.max())
        if self.sensitivity == "fixed_bound":
            return fixed_bound(self.clusters.sizes)
        return worst_case(self.clusters.k)

    @cached_property
    def factor(self) -> float:
        """How many times the noise for independent users is added.

        1 for ``"lpm"``. For ``"baseline"`` the users of the largest connected component. For ``"dpm"`` the
        root kappa of kappa = 1 + d rho(kappa): d is the largest number of friends, and rho the coefficient of
        two friends' cells in the friend model.
        """
        if self.mechanism == "lpm":
            return 1.0
        if self.mechanism == "baseline":
            return float(self.network.largest_component)
        most = int(self.network.degrees.max())
        return friend_factor(self.grid, most, self.epsilon, self._given["coefficient"])

    @property
    def scale(self) -> float:
        """Scale of the Laplace noise of every coordinate, in the unit square.

        Raises
        ------
        BudgetError
            The budget is so small that the scale is no number to compute with.
        """
        found = self.delta_q / self.epsilon
        if found <= _WIDEST:
            found *= self.factor
        if found > _WIDEST:
            raise BudgetError(
                f"epsilon is {self.epsilon:.6g}; noise of scale {found:.3g} cannot be computed with. Give a "
                "larger budget.",
                Where("parameter", name="epsilon"),
            )
        return found

    @property
    def formal(self) -> bool:
        """Whether the promise holds for every data set, against an adversary who knows these others.

        Only with ``"worst_case"``, where the frame of the map is no secret, and only if all other users are
        known or the mechanism is ``"baseline"``: an adversary who knows fewer learns from dependent users
        too, and friends are not all on whom a user depends. With ``"baseline"`` users may depend on
        others of their connected component, and on nobody else.
        """
        proved = self.mechanism == "baseline" or len(self.known) == self.network.n - 1
        return self.sensitivity == "worst_case" and proved

    @cached_property
    def centroids(self) -> Floats:
        """The released centroids: to the north, to the east, in the unit square (read-only)."""
        found = self.clusters.centroids + self.scale * self._setting.noise(self.draw)
        found.flags.writeable = False
        return found

    @property
    def promise(self) -> Leakage:
        """The budget as what it promises: about the victim, for an adversary who knows these others.

        A bound where the release is `formal`; else as the paper prints it, and no promise.
        """
        known = ((how_many(len(self.known), "other user"), None),) if len(self.known) else ()
        return Leakage(
            self.epsilon,
            "bound" if self.formal else "as printed",
            About(f"user {self.victim}", known),
            "sup",
            source="Theorem 2, in nats",
        )

    @property
    def _weights(self) -> dict[str, float]:
        return {name: self._given[name] for name in ("weight", "radius", "smoothing")}

    @property
    def cells(self) -> NDArray[np.int64]:
        """The true cell of every user (read-only)."""
        return self._setting.cells

    @property
    def true_cell(self) -> int:
        """The cell in which the victim is."""
        return int(self._setting.cells[self._victim])

    def __repr__(self) -> str:
        n = self.network.n
        return (
            f"InferenceAttack({how_many(n, 'user')}, user {self.victim}, {self.mechanism}, "
            f"epsilon={self.epsilon:.6g})"
        )


def as_attack_mechanism(mechanism: Any) -> AttackMechanism:
    """Return the key of a mechanism, or raise DomainError."""
    keys: tuple[AttackMechanism, ...] = get_args(AttackMechanism)
    return as_choice(mechanism, "mechanism", keys)


def users_as_positions(network: SocialNetwork, known: Any) -> Any:
    """Return a list of users as positions; a share stays one."""
    if are_listed(known):
        return [network.position(user) for user in known]
    return known
