"""What an adversary believes before a release, with all that does not depend on what is released."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.inference.attack_score import entropies
from pdp_widgets.models.immutable import ReadOnlyArrays

__all__ = ["PriorBelief", "prior_belief"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PriorBelief(ReadOnlyArrays):
    """Beliefs about some victims before a release; one release after another is judged by them (read-only).

    Parameters
    ----------
    prior
        One row for each victim.
    logs
        Their logarithms.
    entropy
        In nats.
    cell
        The likeliest cell, the first of several.
    equal
        How many cells are as likely.

    Examples
    --------
    >>> found = prior_belief(np.array([[0.25, 0.25, 0.5]]))
    >>> found.cell.tolist(), found.equal.tolist(), found.entropy.round(4).tolist()
    ([2], [1], [1.0397])
    """

    prior: Floats
    logs: Floats
    entropy: Floats
    cell: Integers
    equal: Integers


def prior_belief(prior: Floats) -> PriorBelief:
    """Return beliefs before a release with what follows from them.

    Examples
    --------
    >>> prior_belief(np.array([[0.5, 0.5]])).equal.tolist()
    [2]
    """
    alike = prior == prior.max(axis=1, keepdims=True)
    # A cell with probability 0 has logarithm minus infinity.
    with np.errstate(divide="ignore"):
        logs = np.log(prior)
    return PriorBelief(prior, logs, entropies(prior), alike.argmax(axis=1), alike.sum(axis=1))
