"""The worst of all mechanisms with a budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size, as_delta
from pdp_widgets.mechanisms.local.subset_family import SubsetFamily

__all__ = ["AnyMechanism"]


@dataclass(frozen=True)
class AnyMechanism(LocalMechanism):
    """Any mechanism with the budget epsilon, the one that leaks most about another attribute.

    Parameters
    ----------
    epsilon
        The budget in nats, 0 to infinity.
    delta
        Probability with which the budget may fail; at least 0, below 1.

    Notes
    -----
    OUE, SUE, BLH, OLH and SHE leak exactly this much. It has no reports of its own.

    Examples
    --------
    >>> AnyMechanism(1.0).family(3)
    SubsetFamily(kind='all', size=None)
    """

    name: ClassVar[str] = "generic"
    title: ClassVar[str] = "any mechanism with this budget"

    delta: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "delta", as_delta(self.delta))

    def _log_ratio(self, k: int) -> float:
        return self.epsilon

    def family(self, k: int) -> SubsetFamily:
        """Return all sets."""
        as_alphabet_size(k)
        return SubsetFamily("all")

    def _refuse(self, what: str) -> NoReturn:
        raise BudgetError(
            f"'generic' stands for every mechanism with this budget and has no {what}; "
            "name one, for example OUE.",
            Where("parameter", name="mechanism"),
        )

    def channel(self, k: int) -> NoReturn:
        """Refuse: there is no one matrix."""
        self._refuse("matrix of its own")

    def inferred(self, k: int) -> NoReturn:
        """Refuse: there is no one attack."""
        self._refuse("guess of its own")

    def support(self, k: int) -> NoReturn:
        """Refuse: there is no one estimator."""
        self._refuse("estimator of its own")

    def _release(self, codes: NDArray[np.int64], k: int, rng: np.random.Generator) -> NoReturn:
        self._refuse("reports of its own")
