"""Means of both attacks over all users by budget."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.inference.attack_columns import about_columns
from pdp_widgets.leakage.inference.in_bits import InBits
from pdp_widgets.leakage.number_table import Numbers, NumberTable, Written
from pdp_widgets.leakage.progress import Progress, ProgressHook
from pdp_widgets.mechanisms.local.parameters import as_size
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.figure_file import FigureFile
from pdp_widgets.models.given_numbers import plain_numbers, refuse_masked
from pdp_widgets.models.immutable import ReadOnlyArrays

if TYPE_CHECKING:
    from pdp_widgets.leakage.inference.inference_attack import InferenceAttack

__all__ = ["AttackCurves", "attack_curves"]

Floats = NDArray[np.float64]
_SHOWN = (0.1, 0.2, 0.4, 0.7, 1, 2, 3, 4, 6, 10, 16, 25, 40, 63, 100, 160, 250, 400)


@dataclass(frozen=True, eq=False, repr=False)
class AttackCurves(EqualByFields, InBits, ReadOnlyArrays, NumberTable, FigureFile):
    """Means over users and draws of noise by budget; rows of arrays are attack 1 and attack 2 (read-only).

    Parameters
    ----------
    epsilons
        Budgets in nats, ascending.
    scales
        Of the noise.
    leaked, incremental
        The paper's leaked information and what of it the release adds, shape (2, budgets), in nats.
    prior_gap
        What the adversaries had before any release, shape (2,), in nats.
    error_km
        Distance of the guess to the truth, shape (2, budgets).
    error_before_km
        The same before any release, shape (2,).
    users, draws
        What the means are over.
    mechanism
        Key of the mechanism.

    Examples
    --------
    >>> from pdp_widgets import InferenceAttack, synthetic_network
    >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
    >>> found = attack.by_epsilon([0.1, 100.0], draws=2)
    >>> found.leaked_bits.shape, found.users, bool(abs(found.leaked[1, 0] - found.prior_gap[1]) < 1e-3)
    ((2, 2), 19, True)
    """

    epsilons: Floats
    scales: Floats
    leaked: Floats
    incremental: Floats
    prior_gap: Floats
    error_km: Floats
    error_before_km: Floats
    users: int
    draws: int
    mechanism: str

    @property
    def bound_bits(self) -> Floats:
        """The budgets in bits."""
        return self.epsilons / log(2)

    def _numbers(self) -> Numbers:
        m = len(self.epsilons)
        columns = {
            "epsilon": np.tile(self.epsilons, 2),
            "attack": np.repeat([1, 2], m),
            "scale": np.tile(self.scales, 2),
            "leaked": self.leaked.ravel(),
            "incremental": self.incremental.ravel(),
            "prior_gap": np.repeat(self.prior_gap, m),
            "error_km": self.error_km.ravel(),
        }
        printed: dict[str, Written] = {
            "epsilon": "parameter",
            "attack": "count",
            "scale": "number",
            "leaked": "nats",
            "incremental": "nats",
            "prior_gap": "nats",
            "error_km": "number",
        }
        over_draws = dict.fromkeys(("leaked", "incremental", "error_km"), "estimate")
        about = about_columns(columns, "Eq. 6 to 11", over_draws, users=self.users, draws=self.draws)
        many = f"means over {self.users:,} users and {self.draws} draws of noise"
        return Numbers(columns, printed, about, (many,))

    def plot(self, value: str = "leaked") -> Any:
        """Return a bqplot figure by budget.

        Parameters
        ----------
        value
            ``"leaked"``: leaked information with what was known beforehand and what is promised, in bits.
            ``"error"``: the distance of the guess in kilometres.
        """
        from pdp_widgets.widgets.attack_figures import plot_attack_curves

        return plot_attack_curves(self, value)


def attack_curves(
    attack: InferenceAttack, epsilons: Any = None, draws: Any = 4, progress: ProgressHook | None = None
) -> AttackCurves:
    """Return what `InferenceAttack.by_epsilon` does."""
    where = Where("parameter", name="epsilons")
    refuse_masked(epsilons, "epsilons")
    try:
        levels = np.sort(np.atleast_1d(plain_numbers(_SHOWN if epsilons is None else epsilons)))
    except (TypeError, ValueError, OverflowError):
        raise BudgetError("epsilons holds something that is no number.", where) from None
    if levels.ndim != 1 or not len(levels) or not ((levels > 0) & np.isfinite(levels)).all():
        raise BudgetError("epsilons must be a list of positive finite budgets, one or more.", where)
    many = as_size(draws, "draws", 1)
    told = Progress(progress, len(levels) * many)
    sums = {name: np.zeros((2, len(levels))) for name in ("leaked", "incremental", "error_km")}
    scales = np.empty(len(levels))
    for place, level in enumerate(levels):
        for draw in range(1, many + 1):
            one = attack.at(epsilon=float(level), draw=draw)
            found = one.all_users()
            for name, total in sums.items():
                total[:, place] += found.mean(name) / many
            told.step()
        scales[place] = one.scale
    told.finish()
    return AttackCurves(
        levels,
        scales,
        sums["leaked"],
        sums["incremental"],
        found.mean("prior_gap"),
        sums["error_km"],
        found.mean("error_before_km"),
        attack.network.n,
        many,
        attack.mechanism,
    )
