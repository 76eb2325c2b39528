"""What counts as a chain where one is due."""

from __future__ import annotations

from typing import Any

from pdp_widgets.errors import ChainError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.models.stream_readers import with_reader

__all__ = ["as_chain"]


def as_chain(value: Any) -> MarkovChain:
    """Return a chain as it is, or raise ChainError.

    Examples
    --------
    >>> as_chain(MarkovChain.symmetric(0.9)).n
    2
    """
    if not isinstance(value, MarkovChain):
        raise ChainError(
            with_reader(f"The chain is {shown(value)}; give a MarkovChain.", value),
            Where("parameter", name="chain"),
        )
    return value
