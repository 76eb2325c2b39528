"""Where a user is, inferred from released cluster centres: with and without the places of friends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.core.results import Figures, Reported, Result, plotted
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.inference.all_attacks import AllAttacks, Belief, attack_all, beliefs
from pdp_widgets.leakage.inference.attack_curves import AttackCurves, attack_curves, attack_map, drawn_attacks
from pdp_widgets.leakage.inference.attack_release import (
    AttackMechanism,
    AttackRelease,
    FriendCoefficient,
    users_as_positions,
)
from pdp_widgets.leakage.inference.attack_result import AttackResult, DrawnAttacks
from pdp_widgets.leakage.inference.attack_score import AttackScore, about_columns
from pdp_widgets.leakage.inference.attack_setting import attack_setting
from pdp_widgets.leakage.inference.grid import cell_centres
from pdp_widgets.leakage.inference.posterior import Sensitivity
from pdp_widgets.leakage.number_table import Numbers, NumberTable, Written, epsilon_words
from pdp_widgets.models.great_circle import great_circle_km
from pdp_widgets.models.labels import shown
from pdp_widgets.models.social_network import SocialNetwork


class InferenceAttack(AttackRelease, Result, NumberTable, Reported):
    """An adversary who sees noisy cluster centres, knows others' places, and looks for one user.

    Attack 1 believes beforehand that the victim is where the other users are; attack 2 counts cells near the
    victim's friends more often. Both see the same release.

    Parameters
    ----------
    network
        Users at the places of most of their check-ins: one city.
    victim
        The user, as in the file; without it the one with most friends.
    mechanism
        How much noise: ``"lpm"`` for independent users; ``"baseline"`` as many times that as users are
        connected by friendships; ``"dpm"`` as the friend model asks for, see ``factor``.
    epsilon
        The budget in nats, above 0.
    grid
        Cells a side.
    clusters
        Number of centroids that are released.
    weight
        How often a cell near a friend counts in attack 2; the paper leaves it open.
    radius
        Distance from a friend in the unit square up to which a cell is near.
    known
        Share of the other users whose places the adversary knows, 0 to 1, or a list of users. With 0 all
        cells are alike before the release, and the guess then is the first of them, in the south-west.
    sensitivity
        By how much one user can move the centroids: ``"unit"`` as the paper's Eq. 6 has it, ``"local"`` and
        ``"fixed_bound"`` from these data, ``"worst_case"`` for every data set. Only the last can be a
        guarantee: with all others known or with ``"baseline"``.
    rng
        Generator or seed: of clusters, of known users and of noise.
    smoothing
        Added to how many known users are in a cell: without it a cell without any is never inferred, even
        where the victim is there, see `AttackResult.impossible`.
    coefficient
        Of the friend model, for ``"dpm"``: ``"eq18"``, ``"mean"`` or ``"exact"``.
    draw
        Which noise, 1, 2, ...; the same number is the same noise at another scale.

    Raises
    ------
    NetworkError
        The network or the victim is none.
    DomainError
        There are more clusters than users, or a name is unknown.
    BudgetError
        A number is outside its range.

    Notes
    -----
    Liu, Chakraborty and Mittal, Eq. 6 to 11. Users are in the unit square of the city. The paper gives no
    sensitivity of centroids and no weight of friends, and its leaked information counts what the adversary
    knew before anything was released: ``prior_gap`` and ``incremental`` take it apart.

    Its figure is ``"maps"``: what both attacks believe after the release. ``save(..., attack=2)`` draws one.

    Examples
    --------
    >>> from pdp_widgets import InferenceAttack, synthetic_network
    >>> city = synthetic_network(450, rng=1).city("New York")
    >>> attack = InferenceAttack(city, epsilon=0.01)
    >>> attack
    InferenceAttack(156 users, user 406, lpm, epsilon=0.01)
    >>> attack.attack_2.leaked_bits > 0.4, abs(attack.attack_2.incremental_bits) < 0.01
    (True, True)
    >>> attack.at(epsilon=100.0).attack_2.incremental_bits > 0.5
    True
    """

    def __init__(
        self,
        network: SocialNetwork,
        victim: int | None = None,
        mechanism: AttackMechanism = "lpm",
        epsilon: float = 1.0,
        grid: int = 20,
        clusters: int = 8,
        weight: float = 10.0,
        radius: float = 0.1,
        known: float | Iterable[int] = 1.0,
        sensitivity: Sensitivity = "local",
        rng: np.random.Generator | int | None = 0,
        *,
        smoothing: float = 0.0,
        coefficient: FriendCoefficient = "eq18",
        draw: int = 1,
    ) -> None:
        setting = attack_setting(network, grid, clusters, 1.0, rng)
        if not isinstance(known, float) or known != 1.0:
            setting = setting.with_known(users_as_positions(network, known))
        self._keep(
            setting,
            victim=victim,
            mechanism=mechanism,
            epsilon=epsilon,
            weight=weight,
            radius=radius,
            known=known,
            sensitivity=sensitivity,
            smoothing=smoothing,
            coefficient=coefficient,
            draw=draw,
        )

    def at(self, **changes: Any) -> InferenceAttack:
        """Return the attack with some parameters changed; what does not depend on them is not made again.

        Parameters
        ----------
        **changes
            ``victim``, ``mechanism``, ``epsilon``, ``weight``, ``radius``, ``known``, ``sensitivity``,
            ``smoothing``, ``coefficient`` or ``draw``.

        Examples
        --------
        >>> from pdp_widgets import InferenceAttack, synthetic_network
        >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
        >>> attack.at(epsilon=5.0, draw=2)
        InferenceAttack(19 users, user 19, lpm, epsilon=5)
        """
        for name in changes:
            if name not in self._given:
                raise DomainError(
                    f"There is no parameter {shown(name)} to change; there are {', '.join(self._given)}.",
                    Where("parameter", name=name),
                )
        setting = self._setting
        if "known" in changes:
            setting = setting.with_known(users_as_positions(self.network, changes["known"]))
        made = InferenceAttack.__new__(type(self))
        made._keep(setting, **(self._given | changes))
        return made

    @cached_property
    def _beliefs(self) -> tuple[Belief, Belief]:
        return beliefs(self._setting, self.centroids, self.scale, np.array([self._victim]), **self._weights)

    def _beliefs_of_draws(self, draws: Sequence[int]) -> tuple[Belief, Belief]:
        """Return what both attacks believe of the victim, one row for each draw of the noise."""
        noise = np.stack([self._setting.noise(draw) for draw in draws])
        noisy, alone = self.clusters.centroids + self.scale * noise, np.full(len(draws), self._victim)
        return beliefs(self._setting, noisy, self.scale, alone, **self._weights)

    @cached_property
    def attack_1(self) -> AttackResult:
        """The attack that counts all known users alike (Eq. 8)."""
        return self._result(0)

    @cached_property
    def attack_2(self) -> AttackResult:
        """The attack that counts cells near known friends more (Eq. 9)."""
        return self._result(1)

    def _result(self, attack: int) -> AttackResult:
        belief, network = self._beliefs[attack], self.network
        cells = (int(belief.cell_before[0]), int(belief.cell[0]))
        centres = network.degrees_of(cell_centres(self.grid)[list(cells)])
        errors = great_circle_km(network.places[self._victim], centres).tolist()
        here = self.true_cell
        return AttackResult(
            prior=belief.prior[0],
            posterior=belief.posterior[0],
            cell_before=cells[0],
            cell=cells[1],
            error_before_km=errors[0],
            error_km=errors[1],
            mass_before=float(belief.prior[0, here]),
            mass=float(belief.posterior[0, here]),
            guess=(float(centres[1, 0]), float(centres[1, 1])),
            score=AttackScore(
                float(self._beliefs[0].before[0]), float(belief.before[0]), float(belief.after[0])
            ),
            equal_before=int(belief.equal_before[0]),
            equal=int(belief.equal[0]),
        )

    def all_users(
        self,
        posteriors: bool = False,
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
        executor: Executor | None = None,
    ) -> AllAttacks:
        """Return both attacks on every user in turn, for the same release.

        Parameters
        ----------
        posteriors
            Keep all beliefs after the release.
        limit, progress
            As for `by_epsilon`.
        executor
            Whose workers attack users, a million cells of all their maps at a time; as for
            `pdp_widgets.prior.leakage_intervals`.

        Raises
        ------
        LimitError
            It takes longer than the limit.

        Examples
        --------
        >>> from pdp_widgets import InferenceAttack, synthetic_network
        >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
        >>> attack.all_users(posteriors=True).posteriors.shape
        (2, 19, 400)
        """
        return attack_all(
            self._setting,
            self.centroids,
            self.scale,
            **self._weights,
            posteriors=posteriors,
            limit=limit,
            progress=progress,
            executor=executor,
        )

    def by_epsilon(
        self,
        epsilons: ArrayLike | None = None,
        draws: int = 4,
        progress: ProgressHook | None = None,
        *,
        limit: float = 60.0,
        executor: Executor | None = None,
    ) -> AttackCurves:
        """Return means over all users by budget, for the same draws of noise at every budget.

        Parameters
        ----------
        epsilons
            Budgets in nats; without them 18 from 0.1 to 400.
        draws
            How many draws of noise are averaged, from the first.
        progress
            Told the share done; what it raises cancels.
        limit
            Seconds, after which it is ended; ``math.inf`` for no limit.
        executor
            Whose workers attack under some budgets and draws, as for `pdp_widgets.prior.leakage_intervals`.

        Raises
        ------
        BudgetError
            A budget is none.
        LimitError
            There are too many budgets and draws, or they take longer than the limit.

        Examples
        --------
        >>> from pdp_widgets import InferenceAttack, synthetic_network
        >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
        >>> found = attack.by_epsilon([0.1, 100.0], draws=2)
        >>> bool(found.incremental[0, 1] > found.incremental[0, 0])
        True
        """
        return attack_curves(self, epsilons, draws, progress, limit, executor)

    def by_draw(
        self,
        draws: int = 100,
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
        executor: Executor | None = None,
    ) -> DrawnAttacks:
        """Return both attacks on the victim for many draws of the noise, from the first.

        Parameters
        ----------
        draws
            How many, up to 10,000.
        limit, progress, executor
            As for `by_epsilon`.

        Raises
        ------
        LimitError
            It takes longer than the limit.

        Examples
        --------
        >>> from pdp_widgets import InferenceAttack, synthetic_network
        >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
        >>> attack.by_draw(20).mean_error_km.shape
        (2,)
        """
        return drawn_attacks(self, draws, progress, limit, executor)

    def _numbers(self) -> Numbers:
        both = (self.attack_1, self.attack_2)
        names = ("leaked", "incremental", "prior_gap")
        bits = tuple(f"{name}_bits" for name in names)
        numbers = ("error_before_km", "error_km", "mass_before", "mass")
        every = ("entropy_before", "entropy", *names, *bits, *numbers)
        columns = {"attack": [1, 2], "victim": self.victim, "epsilon": self.epsilon} | {
            name: [getattr(attack, name) for attack in both] for name in every
        }
        printed: dict[str, Written] = {
            "attack": "count",
            "prior_gap": "nats",
            "incremental": "nats",
            "leaked": "nats",
            "error_before_km": "number",
            "error_km": "number",
        }
        about = about_columns(columns, "Eq. 6 to 11")
        return Numbers(columns, printed, about, (epsilon_words(self.epsilon),))

    def plot(self, attack: int = 2) -> Any:
        """Return a bqplot figure: the belief in every cell after the release, the truth and the friends.

        Parameters
        ----------
        attack
            1 or 2.
        """
        return plotted(attack_map(self, _as_attack(attack)))

    def _figures(self, attack: int | None = None) -> Figures:
        chosen = (1, 2) if attack is None else (_as_attack(attack),)
        return {"maps": lambda: [attack_map(self, which) for which in chosen]}


def _as_attack(attack: Any) -> int:
    if attack in (1, 2) and not isinstance(attack, bool):
        return int(attack)
    raise DomainError(f"The attack is {shown(attack)}; it is 1 or 2.", Where("parameter", name="attack"))
