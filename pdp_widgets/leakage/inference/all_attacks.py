"""Both attacks on all users: beliefs, scores and errors."""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.converters import as_flag
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.inference.attack_score import InBits, about_columns
from pdp_widgets.leakage.inference.attack_setting import AT_ONCE, AttackSetting
from pdp_widgets.leakage.inference.grid import cell_centres
from pdp_widgets.leakage.inference.location_prior import PriorBelief
from pdp_widgets.leakage.inference.posterior import log_likelihoods, normalised_logs
from pdp_widgets.leakage.number_table import Numbers, NumberTable, Written
from pdp_widgets.leakage.sweeps import as_executor, swept
from pdp_widgets.models.great_circle import great_circle_km
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import shown

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Logarithms of probabilities that differ by less are equal: a centroid seen far outside the map leaves whole
#: diagonals of cells alike, and which of them is largest would be up to rounding.
_EQUAL = 1e-9


@dataclass(frozen=True, eq=False)
class Belief(ReadOnlyArrays):
    """What the adversary believes of some victims in one attack, one row for each victim."""

    prior: Floats
    posterior: Floats
    before: Floats  # entropies in nats
    after: Floats
    cell_before: Integers  # likeliest cells, the first of several that are equal but for rounding
    cell: Integers
    equal_before: Integers  # how many cells are as likely as these
    equal: Integers


def beliefs(
    setting: AttackSetting,
    noisy: Floats,
    scale: float,
    victims: Integers,
    *,
    weight: float,
    radius: float,
    smoothing: float = 0.0,
) -> tuple[Belief, Belief]:
    """Return what attack 1 and attack 2 believe of some victims."""
    expected, joined = setting.expected_of(victims)
    logs = log_likelihoods(expected, noisy, scale, setting.grid, joined)
    first, second = setting.prior_beliefs(victims, weight, radius, smoothing)
    return _belief(first, logs), _belief(second, logs)


def _belief(before: PriorBelief, likelihoods: Floats) -> Belief:
    after = normalised_logs(before.logs, likelihoods)
    posterior = np.exp(after)
    # A cell with probability 0 has logarithm minus infinity, and adds nothing.
    with np.errstate(invalid="ignore"):
        terms = posterior * after
    entropy = np.maximum(0.0, -np.where(posterior > 0, terms, 0.0).sum(axis=1))
    alike = after >= after.max(axis=1, keepdims=True) - _EQUAL
    return Belief(
        before.prior,
        posterior,
        before.entropy,
        entropy,
        before.cell,
        alike.argmax(axis=1),
        before.equal,
        alike.sum(axis=1),
    )


@dataclass(frozen=True, eq=False, repr=False)
class AllAttacks(EqualByFields, InBits, ReadOnlyArrays, NumberTable):
    """Both attacks on all users; rows of arrays are attack 1 and attack 2 (read-only).

    Parameters
    ----------
    users
        Users, ascending.
    h0
        Entropy of the independent prior by user, in nats.
    before, after
        Entropies of the prior that was used and of the belief after the release, shape (2, users), in nats.
    error_before_km, error_km
        Distances of a user's place to the centre of the likeliest cell, before and after.
    mass_before, mass
        Probability of the cell a user is in, before and after.
    posteriors
        Beliefs after the release, shape (2, users, cells); None where they were not kept.

    Examples
    --------
    >>> from pdp_widgets import InferenceAttack, synthetic_network
    >>> city = synthetic_network(450, rng=1).city("New York")
    >>> found = InferenceAttack(city, epsilon=40.0).all_users()
    >>> found.leaked_bits.shape, bool(found.prior_gap[0].any()), found.to_dataframe().shape
    ((2, 156), False, (312, 10))
    """

    users: Integers
    h0: Floats
    before: Floats
    after: Floats
    error_before_km: Floats
    error_km: Floats
    mass_before: Floats
    mass: Floats
    posteriors: Floats | None = None

    @property
    def leaked(self) -> Floats:
        """The paper's leaked information (Eq. 11), shape (2, users), in nats."""
        return self.h0 - self.after

    @property
    def incremental(self) -> Floats:
        """What the release adds, shape (2, users), in nats."""
        return self.before - self.after

    @property
    def prior_gap(self) -> Floats:
        """What the adversary had before any release, shape (2, users), in nats."""
        return self.h0 - self.before

    def mean(self, name: str) -> Floats:
        """Return the means over users of attack 1 and attack 2.

        Parameters
        ----------
        name
            Of an attribute, such as ``"leaked"``, ``"incremental_bits"`` or ``"error_km"``.

        Examples
        --------
        >>> from pdp_widgets import InferenceAttack, synthetic_network
        >>> city = synthetic_network(450, rng=1).city("New York")
        >>> InferenceAttack(city, epsilon=0.01).all_users().mean("prior_gap")[0]
        np.float64(0.0)
        """
        found: Floats = self._values(name).mean(axis=1)
        return found

    def _values(self, name: str) -> Floats:
        found = getattr(self, name, None) if isinstance(name, str) and not name.startswith("_") else None
        if not isinstance(found, np.ndarray) or found.ndim != 2:
            raise DomainError(
                f"There is no number {shown(name)} of both attacks; ask for leaked, incremental, prior_gap, "
                "error_km, mass or another attribute with one row for each.",
                Where("parameter", name="name"),
            )
        return found

    def _numbers(self) -> Numbers:
        names = ("leaked", "incremental", "prior_gap")
        numbers = ("error_before_km", "error_km", "mass_before", "mass")
        columns = {
            "user": np.tile(self.users, 2),
            "attack": np.repeat([1, 2], len(self.users)),
            "h0": np.tile(self.h0, 2),
            **{name: getattr(self, name).ravel() for name in (*names, *numbers)},
        }
        printed: dict[str, Written] = {
            "user": "count",
            "attack": "count",
            **dict.fromkeys(names, "nats"),
            "error_km": "number",
        }
        return Numbers(columns, printed, about_columns(columns, "Eq. 6 to 11"))


def attack_all(
    setting: AttackSetting,
    noisy: Floats,
    scale: float,
    *,
    weight: float,
    radius: float,
    smoothing: float = 0.0,
    posteriors: bool = False,
    limit: float = math.inf,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
) -> AllAttacks:
    """Return both attacks on all users; parameters as for `beliefs` and `InferenceAttack.all_users`."""
    n, cells = setting.network.n, setting.grid**2
    workers, keeps = as_executor(executor), as_flag(posteriors, "posteriors")
    told = Progress(timed(progress, limit, f"The attacks on {n:,} users", "Take fewer cells or users."), n)
    asked = {"weight": weight, "radius": radius, "smoothing": smoothing}
    victims, step = setting.all_users, max(1, AT_ONCE // cells)
    parts = [victims[first : first + step] for first in range(0, n, step)]
    found = swept(partial(_attacked, setting, noisy, scale, asked, keeps), parts, workers, told)
    numbers = {name: np.concatenate([one[name] for one in found], axis=-1) for name in _OF_VICTIMS}
    kept = np.concatenate([one["posteriors"] for one in found], axis=1) if keeps else None
    centres = setting.network.degrees_of(cell_centres(setting.grid))
    before, after = (
        great_circle_km(setting.network.places, centres[numbers[cell]]) for cell in ("cell_before", "cell")
    )
    told.finish()
    return AllAttacks(
        setting.network.users,
        numbers["h0"],
        numbers["before"],
        numbers["after"],
        before,
        after,
        numbers["mass_before"],
        numbers["mass"],
        kept,
    )


#: What is found about each victim: the first by itself, the others in both attacks.
_OF_VICTIMS = ("h0", "before", "after", "cell_before", "cell", "mass_before", "mass")


def _attacked(
    setting: AttackSetting,
    noisy: Floats,
    scale: float,
    asked: dict[str, float],
    keeps: bool,
    victims: Integers,
    told: Progress,
) -> dict[str, Any]:
    """Return what both attacks say of some victims, arrays of shape (2, victims)."""
    both = beliefs(setting, noisy, scale, victims, **asked)
    here = np.arange(len(victims)), setting.cells[victims]
    found: dict[str, Any] = {
        name: np.stack([getattr(one, name) for one in both])
        for name in ("before", "after", "cell_before", "cell")
    }
    found["h0"] = both[0].before
    found["mass_before"] = np.stack([one.prior[here] for one in both])
    found["mass"] = np.stack([one.posterior[here] for one in both])
    if keeps:
        found["posteriors"] = np.stack([one.posterior for one in both])
    told.step(len(victims))
    return found
