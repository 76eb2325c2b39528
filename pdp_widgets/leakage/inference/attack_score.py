"""How much an attack learns: leaked information, split into what was known and what the release added."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.given_numbers import plain_numbers, refuse_masked

__all__ = ["AttackScore", "attack_score", "entropies"]

Floats = NDArray[np.float64]
_NATS_PER_BIT = log(2)


def entropies(probabilities: Floats) -> Floats:
    """Return the entropy of every row in nats.

    Examples
    --------
    >>> entropies(np.array([[0.25, 0.25, 0.5, 0.0]])).round(4).tolist()
    [1.0397]
    """
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
