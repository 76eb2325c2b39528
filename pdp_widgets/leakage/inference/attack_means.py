"""Means of both attacks over all users and some draws of the noise, at one budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.progress import Progress, ProgressHook
from pdp_widgets.leakage.inference.attack_score import InBits, about_columns
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays

if TYPE_CHECKING:
    from pdp_widgets.leakage.inference.inference_attack import InferenceAttack


Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class AttackMeans(EqualByFields, InBits, ReadOnlyArrays, NumberTable):
    """Means over all users and the first draws of the noise; arrays are attack 1 and attack 2."""

    epsilon: float
    leaked: Floats  # the paper's leaked information, in nats
    incremental: Floats  # what of it the release adds
    prior_gap: Floats  # what of it was known before
    #: Half an interval of 95 % of ``incremental`` over draws of the noise: the users are these, and share
    #: each draw. Student's t over the means of each draw; NaN for one draw.
    half_width: Floats
    error_before_km: Floats  # distance of the guess to the truth, before the release
    error_km: Floats
    users: int
    draws: int

    def _numbers(self) -> Numbers:
        names = ("leaked", "incremental", "prior_gap", "half_width", "error_before_km", "error_km")
        columns = {"attack": [1, 2], **{name: getattr(self, name) for name in names}}
        over_draws = ("leaked", "incremental", "half_width", "error_km")
        return Numbers(
            columns,
            {
                "attack": "count",
                "leaked": "nats",
                "incremental": "nats",
                "prior_gap": "nats",
                "error_km": "number",
            },
            about_columns(
                columns,
                "Eq. 6 to 11",
                dict.fromkeys(over_draws, "estimate"),
                users=self.users,
                draws=self.draws,
            ),
            (epsilon_words(self.epsilon), f"means over {self.users:,} users and {self.draws} draws of noise"),
        )


def half_over_draws(means: Floats) -> Floats:
    """Return half an interval of 95 % of what is meant over draws of the noise; NaN for one draw."""
    # Here, since pictures are drawn without scipy.
    from scipy.special import stdtrit

    draws = means.shape[1]
    if draws < 2:
        return np.full(len(means), np.nan)
    half: Floats = stdtrit(draws - 1, 0.975) * means.std(axis=1, ddof=1) / np.sqrt(draws)
    return half


def attack_means(
    attack: InferenceAttack, draws: Any = 4, progress: ProgressHook | None = None
) -> AttackMeans:
    """Return means over all users for the first draws of the noise, see `InferenceAttack.by_epsilon`."""
    many = as_size(draws, "draws", 1)
    told = Progress(progress, many)
    n = attack.network.n
    added, errors, by_draw = np.zeros((2, n)), np.zeros((2, n)), np.empty((2, many))
    for draw in range(1, many + 1):
        found = attack.at(draw=draw).all_users()
        added += found.incremental / many
        errors += found.error_km / many
        by_draw[:, draw - 1] = found.mean("incremental")
        told.step()
    told.finish()
    gap = found.mean("prior_gap")
    mean = added.mean(axis=1)
    return AttackMeans(
        attack.epsilon,
        gap + mean,
        mean,
        gap,
        half_over_draws(by_draw),
        found.mean("error_before_km"),
        errors.mean(axis=1),
        n,
        many,
    )
