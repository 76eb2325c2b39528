"""What attacks on many users find, in bits beside nats."""

from __future__ import annotations

from math import log
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["InBits"]

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
