"""How much an attack leaks, in nats and bits, and the columns in which results say it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import TableError, Where

Floats = NDArray[np.float64]


class _InNats(Protocol):
    @property
    def leaked(self) -> Floats: ...
    @property
    def incremental(self) -> Floats: ...
    @property
    def prior_gap(self) -> Floats: ...


class InBits:
    """Gives results with arrays ``leaked``, ``incremental`` and ``prior_gap`` in nats the same in bits."""

    __slots__ = ()

    @property
    def leaked_bits(self: _InNats) -> Floats:
        """The paper's leaked information in bits."""
        return self.leaked / log(2)

    @property
    def incremental_bits(self: _InNats) -> Floats:
        """What the release adds, in bits."""
        return self.incremental / log(2)

    @property
    def prior_gap_bits(self: _InNats) -> Floats:
        """What the adversaries had before any release, in bits."""
        return self.prior_gap / log(2)


_NATS_PER_BIT = log(2)


def entropies(probabilities: Floats) -> Floats:
    """Return the entropy of every row in nats."""
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = probabilities * np.log(probabilities)
    found: Floats = np.maximum(0.0, -np.where(probabilities > 0, terms, 0.0).sum(axis=-1))
    return found


@dataclass(frozen=True)
class AttackScore:
    """Leaked information of one attack on one victim, in nats; the same in bits ends in ``_bits``.

    Parameters
    ----------
    h0
        Entropy of the independent prior.
    before, after
        Entropies of the prior that was used and of the belief after the release.

    Notes
    -----
    The paper's leaked information (Eq. 11) is ``leaked``. It is the sum of ``prior_gap``, which the adversary
    had before anything was released, and ``incremental``, which the release adds. Both can be negative. They
    measure certainty, not correctness: look at the error beside them.

    Examples
    --------
    >>> score = attack_score([0.25] * 4, [0.5, 0.25, 0.25, 0], [0.9, 0.1, 0, 0])
    >>> round(score.leaked_bits, 4), round(score.prior_gap_bits, 4), round(score.incremental_bits, 4)
    (1.531, 0.5, 1.031)
    """

    h0: float
    before: float
    after: float

    @property
    def leaked(self) -> float:
        """Entropy of the independent prior less that of the belief after the release, in nats (Eq. 11)."""
        return self.h0 - self.after

    @property
    def incremental(self) -> float:
        """What the release adds: the entropy before less that after it, in nats."""
        return self.before - self.after

    @property
    def prior_gap(self) -> float:
        """What the adversary had before any release: the entropy that the own prior lacks, in nats."""
        return self.h0 - self.before

    @property
    def h0_bits(self) -> float:
        """Entropy of the independent prior in bits."""
        return self.h0 / _NATS_PER_BIT

    @property
    def before_bits(self) -> float:
        """Entropy of the prior that was used, in bits."""
        return self.before / _NATS_PER_BIT

    @property
    def after_bits(self) -> float:
        """Entropy after the release in bits."""
        return self.after / _NATS_PER_BIT

    @property
    def leaked_bits(self) -> float:
        """Leaked information in bits."""
        return self.leaked / _NATS_PER_BIT

    @property
    def incremental_bits(self) -> float:
        """What the release adds, in bits."""
        return self.incremental / _NATS_PER_BIT

    @property
    def prior_gap_bits(self) -> float:
        """What the adversary had before any release, in bits."""
        return self.prior_gap / _NATS_PER_BIT


def attack_score(prior0: Any, prior: Any, posterior: Any) -> AttackScore:
    """Return the leaked information of an attack from its three beliefs.

    Parameters
    ----------
    prior0
        The independent prior.
    prior
        The prior that was used.
    posterior
        The belief after the release.

    Raises
    ------
    TableError
        One is no list of probabilities that sum to 1.

    Examples
    --------
    >>> attack_score([0.5, 0.5], [0.5, 0.5], [1.0, 0.0]).leaked_bits
    1.0
    """
    beliefs = {"prior0": prior0, "prior": prior, "posterior": posterior}
    h0, before, after = (float(entropies(_belief(b, name))) for name, b in beliefs.items())
    return AttackScore(h0, before, after)


def _belief(belief: Any, name: str) -> Floats:
    where = Where("parameter", name=name)
    refuse_masked(belief, name)
    try:
        found = plain_numbers(belief)
    except (TypeError, ValueError, OverflowError):
        raise TableError(f"{name} holds something that is no number.", where) from None
    if found.ndim != 1 or not len(found) or not ((found >= 0) & (found <= 1)).all():
        raise TableError(f"{name} is no list of probabilities from 0 to 1.", where)
    if abs(found.sum() - 1) > 1e-9:
        raise TableError(f"{name} sums to {found.sum():.12g}; probabilities sum to 1.", where)
    return found


_PAPER = "Liu, Chakraborty and Mittal, NDSS 2016"
_UNITS = {
    **dict.fromkeys(
        (
            "epsilon",
            "h0",
            "entropy_before",
            "entropy",
            "leaked",
            "incremental",
            "prior_gap",
            "half_width",
        ),
        "nats",
    ),
    **dict.fromkeys(("prior", "posterior", "mass_before", "mass"), "probability"),
    "scale": "side of the map",
}
_ENDINGS = {"_bits": "bits", "_km": "km"}


def about_columns(
    columns: Iterable[str], equations: str, status: str | Mapping[str, str] = "exact", **more: Any
) -> dict[str, Any]:
    """Return what a data frame says of itself: ``unit`` and ``status`` by column, and ``source``."""
    units = {name: unit for name in columns if (unit := _unit(name)) is not None}
    found = [name for name in units if name not in ("epsilon", "scale")]
    named = dict.fromkeys(found, status) if isinstance(status, str) else status
    return {
        "unit": units,
        "source": f"{_PAPER}, {equations}",
        "status": {name: named.get(name, "exact") for name in found},
        **more,
    }


def _unit(name: str) -> str | None:
    for ending, unit in _ENDINGS.items():
        if name.endswith(ending):
            return unit
    return _UNITS.get(name)
