"""Mechanisms for streams by their name, the one that releases the truth among them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.mechanisms.sequence.balanced_response import BalancedResponse
from pdp_widgets.mechanisms.sequence.conditional_response import (
    ConditionalResponse,
    ShrunkResponse,
    TrimmedResponse,
)
from pdp_widgets.mechanisms.sequence.log_lift import Values
from pdp_widgets.mechanisms.sequence.optimal_response import (
    BinaryOptimum,
    MutualInformationChannel,
    OptimalResponse,
)
from pdp_widgets.mechanisms.sequence.randomised_symbols import RandomisedSymbols, RandomisedSymbolsTwice
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.mechanisms.sequence.temporal_response import SafeTemporalResponse, TemporalResponse
from pdp_widgets.models.labels import shown

__all__ = ["SEQUENCE_MECHANISMS", "IdentityRelease", "sequence_mechanism_named"]


@dataclass(frozen=True)
class IdentityRelease(SequenceMechanism):
    """Publish every symbol as it is: no error and no bound.

    Parameters
    ----------
    epsilon
        The budget it is judged by; infinite unless given.

    Examples
    --------
    >>> step = IdentityRelease().channel([0.3, 0.7])
    >>> step.leakage, step.cost
    (inf, 0.0)
    >>> IdentityRelease().channel([1.0, 0.0]).leakage
    0.0
    """

    name: ClassVar[str] = "identity"
    label: ClassVar[str] = "The data themselves"
    private: ClassVar[bool] = False

    epsilon: float = inf

    def _matrices(self, beliefs: Values) -> Values:
        users, n = beliefs.shape
        return np.broadcast_to(np.eye(n), (users, n, n)).copy()

    def _rows(self, symbols: NDArray[np.int64], beliefs: Values) -> Values:
        return np.eye(beliefs.shape[1])[symbols]

    def _release(self, symbols: NDArray[np.int64], beliefs: Values, uniforms: Values) -> NDArray[np.int64]:
        return symbols.copy()

    def _likelihoods(self, released: NDArray[np.int64], beliefs: Values) -> Values:
        return np.eye(beliefs.shape[1])[released]

    def _lifts(self, beliefs: Values) -> Values:
        return np.where(np.count_nonzero(beliefs, axis=1) == 1, 0.0, inf)


#: Every mechanism, in the order of menus and tables: private ones first.
SEQUENCE_MECHANISMS: tuple[type[SequenceMechanism], ...] = (
    BalancedResponse,
    BinaryOptimum,
    OptimalResponse,
    TrimmedResponse,
    ShrunkResponse,
    RandomisedSymbols,
    SafeTemporalResponse,
    ConditionalResponse,
    RandomisedSymbolsTwice,
    TemporalResponse,
    MutualInformationChannel,
    IdentityRelease,
)


def sequence_mechanism_named(key: str, epsilon: float | None = None, **parameters: Any) -> SequenceMechanism:
    """Return a mechanism for streams by its key.

    Parameters
    ----------
    key
        ``"crr_balanced"``, ``"binary_optimum"``, ``"optimum"``, ``"crr_trimmed"``, ``"crr_shrunk"``,
        ``"grr"``, ``"temporal_safe"``, ``"crr"``, ``"grr2"``, ``"temporal"``, ``"mip"`` or ``"identity"``;
        capitals do not matter.
    epsilon
        The budget of one step in nats; only the data themselves need none.
    **parameters
        What else the mechanism takes: ``transitions``, ``distance``, ``robust`` or ``outputs``.

    Raises
    ------
    BudgetError
        There is no such mechanism, or a parameter is missing, unknown or outside its range.

    Examples
    --------
    >>> sequence_mechanism_named("crr_balanced", 1.0)
    BalancedResponse(epsilon=1.0)
    """
    kinds = {kind.name: kind for kind in SEQUENCE_MECHANISMS}
    kind = kinds.get(key.lower()) if isinstance(key, str) else None
    if kind is None:
        raise BudgetError(
            f"There is no mechanism {shown(key)} for streams; give one of {', '.join(kinds)}.",
            Where("parameter", name="key"),
        )
    accepted = [field.name for field in fields(kind)]
    given = dict(parameters) if epsilon is None else {"epsilon": epsilon, **parameters}
    for parameter in given:
        if parameter not in accepted:
            raise BudgetError(
                f"{kind.label} has no parameter {parameter!r}; it takes {', '.join(accepted)}.",
                Where("parameter", name=parameter),
            )
    needed = ["epsilon"] if kind is not IdentityRelease else []
    needed += ["transitions"] if issubclass(kind, TemporalResponse) else []
    for parameter in needed:
        if parameter not in given:
            raise BudgetError(
                f"{kind.label} needs {parameter}; it takes {', '.join(accepted)}.",
                Where("parameter", name=parameter),
            )
    return kind(**given)
