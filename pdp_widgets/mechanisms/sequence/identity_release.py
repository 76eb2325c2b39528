"""Publishing the stream as it is."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.mechanisms.sequence.common_part import Values
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism

__all__ = ["IdentityRelease"]


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
