"""Both attacks on all users: beliefs, scores and errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.converters import as_flag
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.inference.attack_score import InBits, about_columns
from pdp_widgets.leakage.inference.attack_setting import AT_ONCE, AttackSetting
from pdp_widgets.leakage.inference.grid import cell_centres
from pdp_widgets.leakage.inference.location_prior import PriorBelief
from pdp_widgets.leakage.inference.posterior import log_likelihoods, normalised_logs
from pdp_widgets.leakage.number_table import Numbers, NumberTable, Written
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
) -> AllAttacks:
    """Return both attacks on all users; parameters as for `beliefs`, and whether beliefs are kept."""
    n, cells = setting.network.n, setting.grid**2
    numbers = {name: np.empty((2, n)) for name in ("before", "after", "mass_before", "mass")}
    guesses = {name: np.empty((2, n), dtype=np.int64) for name in ("cell_before", "cell")}
    kept = np.empty((2, n, cells)) if as_flag(posteriors, "posteriors") else None
    h0 = np.empty(n)
    for part in _parts(n, cells):
        found = beliefs(setting, noisy, scale, part, weight=weight, radius=radius, smoothing=smoothing)
        here, row = setting.cells[part], np.arange(len(part))
        h0[part] = found[0].before
        for attack, belief in enumerate(found):
            for name in ("before", "after"):
                numbers[name][attack, part] = getattr(belief, name)
            numbers["mass_before"][attack, part] = belief.prior[row, here]
            numbers["mass"][attack, part] = belief.posterior[row, here]
            for name, cell in guesses.items():
                cell[attack, part] = getattr(belief, name)
            if kept is not None:
                kept[attack, part] = belief.posterior
    centres = setting.network.degrees_of(cell_centres(setting.grid))
    errors = {
        name: great_circle_km(setting.network.places, centres[guesses[cell]])
        for name, cell in (("error_before_km", "cell_before"), ("error_km", "cell"))
    }
    return AllAttacks(
        setting.network.users,
        h0,
        numbers["before"],
        numbers["after"],
        errors["error_before_km"],
        errors["error_km"],
        numbers["mass_before"],
        numbers["mass"],
        kept,
    )


def _parts(n: int, cells: int) -> Iterator[Integers]:
    step = max(1, AT_ONCE // cells)
    return (np.arange(begin, min(n, begin + step)) for begin in range(0, n, step))
