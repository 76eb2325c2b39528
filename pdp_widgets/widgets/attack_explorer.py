"""Where one user of a network is, inferred from noisy cluster centres, with and without friends."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from traitlets import Float, Instance, Int

from pdp_widgets.core.amounts import BUDGET, KNOWN, POSITIVE
from pdp_widgets.errors import DomainError
from pdp_widgets.leakage.inference.attack_curves import AttackCurves
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.models.social_network import SocialNetwork
from pdp_widgets.widgets.attack_state import AttackState, AttackTask
from pdp_widgets.widgets.attack_views import MECHANISMS, SENSITIVITIES, attack_embedded
from pdp_widgets.widgets.base import LOCK
from pdp_widgets.widgets.computed_beside import Awaited, ComputedBeside
from pdp_widgets.widgets.inputs import Choice, Number
from pdp_widgets.widgets.running import Work

__all__ = ["AttackExplorer"]


class AttackExplorer(ComputedBeside):
    """Maps of what an adversary believes about one user's place, before and after noisy cluster centres.

    Parameters
    ----------
    value
        A `SocialNetwork` of one city, of at most 20,000 users; without it a simulated New York.
    victim
        The user who is looked for, as in the file. Without it the one with most friends of those who can be
        found, since somebody else is known in their cell, and whom a friend nearby gives away; of the
        simulated city one who was picked because the two attacks differ.
    mechanism
        ``"lpm"``, ``"dpm"`` or ``"baseline"``.
    epsilon
        The budget in nats, above 0.
    sensitivity
        ``"unit"``, ``"local"``, ``"fixed_bound"`` or ``"worst_case"``; only the last can make the budget
        a guarantee: with all others known or with ``"baseline"``.
    weight
        How often a cell near a friend counts in attack 2.
    known
        Share of the other users whose places the adversary knows, 0 to 1.
    grid, clusters
        Cells a side, and number of centres that are released.
    rng
        Seed of clusters, of known users and of noise.
    radius
        Distance from a friend in the unit square up to which a cell is near.
    draw
        Which noise, 1, 2, ...
    smoothing
        Added to how many known users are in each cell; without it a cell without any is never inferred, and
        the explorer says so where the victim is in one.
    disabled, layout
        As for every widget.

    Attributes
    ----------
    value, victim, mechanism, epsilon, sensitivity, weight, known, grid, clusters, radius, draw, smoothing
        The last inputs that made sense; assign to change them. Wrong ones raise and change nothing.
    current
        Whether all results belong to what stands in the controls.

    Raises
    ------
    PdpError
        An input is wrong; the message names it and says what is accepted.

    Notes
    -----
    Liu, Chakraborty and Mittal, "Dependence Makes You Vulnerable" (NDSS 2016); see `InferenceAttack`. Beliefs
    about the victim come at once. Means over all users and over 400 draws of the noise take longer: they are
    computed beside the kernel's own work, and ``busy`` is True meanwhile; ``wait()`` returns when they are
    there, and ``cancel()`` ends them.
    """

    _module = "attack_explorer"
    _panels: ClassVar = {
        "maps": "Maps",
        "score": "Score",
        "mass": "Mass on the true cell",
        "leaked": "Leaked information",
        "error": "Inference error",
    }
    _picture_name = "inferred-place.svg"

    _core: AttackState
    value = Instance(SocialNetwork)
    victim = Int()
    mechanism = Choice(MECHANISMS, error=DomainError)
    epsilon = Number(BUDGET)
    sensitivity = Choice(SENSITIVITIES, error=DomainError)
    weight = Number(POSITIVE)
    known = Number(KNOWN)
    grid = Int(20)
    clusters = Int(8)
    radius = Float(0.1)
    draw = Int(1)
    smoothing = Float(0.0)

    def __init__(
        self,
        value: SocialNetwork | None = None,
        victim: int | None = None,
        mechanism: str = "lpm",
        epsilon: float = 40.0,
        sensitivity: str = "local",
        weight: float = 10.0,
        known: float = 1.0,
        grid: int = 20,
        clusters: int = 8,
        rng: Any = 0,
        *,
        radius: float = 0.1,
        draw: int = 1,
        smoothing: float = 0.0,
        disabled: bool = False,
        layout: Any = None,
    ) -> None:
        self._core = AttackState(
            self.declared,
            value,
            victim=victim,
            mechanism=mechanism,
            epsilon=epsilon,
            sensitivity=sensitivity,
            weight=weight,
            known=known,
            grid=grid,
            clusters=clusters,
            radius=radius,
            rng=rng,
            draw=draw,
            smoothing=smoothing,
        )
        super().__init__(disabled=disabled, layout=layout)
        with LOCK:
            self._taken()

    def _work(self, now: Awaited[AttackTask]) -> Work:
        return partial(now.inputs.run, self._core.solved)

    def _subject(self) -> Any:
        core = self._core
        return core.solved.inputs.setting, core.listed

    def _shown(self) -> dict[str, Any]:
        return self._core.state()

    def _embedded(self) -> dict[str, Any]:
        return attack_embedded(self._core.attack, self._core.solved.inputs)

    def _sentence(self, core: AttackState) -> str:
        return f"{core.attack!r}."

    @property
    def results(self) -> InferenceAttack:
        """Both attacks on the victim, for the last inputs that made sense."""
        return self._core.attack

    @property
    def curves(self) -> AttackCurves | None:
        """Means over all users by budget; None while they are not there, see `wait`."""
        return self._core.solved.curves

    def _reported(self, core: AttackState) -> tuple[Any, dict[str, Any]]:
        return core.attack, {}

    def to_dataframe(self) -> Any:
        """Return one row for each attack, see `InferenceAttack.to_dataframe`."""
        return self._state().attack.to_dataframe()

    def to_latex(self, *arguments: Any, **named: Any) -> str:
        """Return a table for LaTeX, see `InferenceAttack.to_latex`."""
        return str(self._state().attack.to_latex(*arguments, **named))

    def to_networkx(self) -> Any:
        """Return the friendships as a ``networkx.Graph``, see `Friendships.to_networkx`."""
        return self._state().network.friendships.to_networkx()

    def plot(self, attack: int = 2) -> Any:
        """Return a bqplot figure: the belief after the release on the map.

        Parameters
        ----------
        attack
            1 or 2.
        """
        return self._state().attack.plot(attack)
