"""The mechanisms of a stream simulator: their words, what makes them, and where each can be used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.sequence.lanes import MadeOf, Make
from pdp_widgets.mechanisms.sequence.balanced_response import BalancedResponse
from pdp_widgets.mechanisms.sequence.conditional_response import (
    ConditionalResponse,
    ShrunkResponse,
    TrimmedResponse,
)
from pdp_widgets.mechanisms.sequence.optimal_response import MutualInformationChannel, OptimalResponse
from pdp_widgets.mechanisms.sequence.randomised_symbols import RandomisedSymbols, RandomisedSymbolsTwice
from pdp_widgets.mechanisms.sequence.temporal_response import SafeTemporalResponse
from pdp_widgets.models.labels import shown
from pdp_widgets.models.markov_chain import MarkovChain

#: Mechanisms side by side.
MOST_LANES = 4
#: States up to which a linear program is solved at every step; beyond, a step takes tenths of a second.
_MOST_SOLVED = 20


@dataclass(frozen=True)
class StreamMechanism:
    """One mechanism of the menu, by its key in `sequence_mechanism_named`."""

    key: str
    label: str
    short: str  # few words without a comma: it stands in sentences
    make: Make
    private: bool = True  # whether it keeps its promise for every belief
    seconds: tuple[float, float] = (5e-5, 1e-4)  # about what one step takes, with few states and with more

    def why_not(self, chain: MarkovChain) -> str | None:
        """Return why it cannot release a stream of this chain, or None where it can."""
        if self.key == "mip" and chain.n > 2:
            return "It is known for two states alone."
        if self.key == "optimum" and chain.n > _MOST_SOLVED:
            return f"It solves a linear program at every step, which is offered up to {_MOST_SOLVED} states."
        if self.key == "temporal_safe" and chain.order == 2:
            return "It is made for chains of first order."
        return None

    def cost(self, n: int) -> float:
        """Return about how many seconds one step takes."""
        few, more = self.seconds
        return few if n <= 2 else more * max(1.0, n / 10) ** 2


_ENTRIES = (
    StreamMechanism(
        "crr",
        "Conditional randomised response, as printed",
        "CRR as printed",
        MadeOf(ConditionalResponse),
        private=False,
    ),
    StreamMechanism("optimum", "Optimum", "Optimum", MadeOf(OptimalResponse), seconds=(7e-5, 6e-3)),
    StreamMechanism(
        "crr_balanced",
        "Conditional randomised response, balanced",
        "Balanced",
        MadeOf(BalancedResponse),
        seconds=(1e-4, 8e-4),
    ),
    StreamMechanism(
        "crr_trimmed",
        "Conditional randomised response, trimmed",
        "Trimmed",
        MadeOf(TrimmedResponse),
    ),
    StreamMechanism(
        "crr_shrunk",
        "Conditional randomised response, shrunk",
        "Shrunk",
        MadeOf(ShrunkResponse),
    ),
    StreamMechanism("grr", "Randomised response", "Randomised", MadeOf(RandomisedSymbols)),
    StreamMechanism(
        "grr2",
        "Randomised response with twice the budget",
        "Randomised 2ε",
        MadeOf(RandomisedSymbolsTwice),
        private=False,
    ),
    StreamMechanism(
        "temporal_safe",
        "Randomised response among what can follow",
        "Temporal",
        MadeOf(SafeTemporalResponse, needs_chain=True),
    ),
    StreamMechanism(
        "mip",
        "Least error for a mutual information",
        "Information",
        MadeOf(MutualInformationChannel),
        private=False,
        seconds=(1.5e-3, 1.5e-3),
    ),
)

#: By key, in the order of the menu.
STREAM_MENU = {entry.key: entry for entry in _ENTRIES}


def lane_names(key: str) -> tuple[str, str]:
    """Return the name of a mechanism in words and in few; one that is not in the menu is named by its key."""
    entry = STREAM_MENU.get(key)
    return (key, key) if entry is None else (entry.label, entry.short)


def default_lanes(chain: MarkovChain) -> tuple[str, ...]:
    """Return the mechanisms an explorer opens with: the printed one beside one that keeps its promise."""
    return ("crr", "optimum" if chain.n <= 2 else "crr_balanced")


def as_lanes(lanes: Any, chain: MarkovChain) -> tuple[str, ...]:
    """Return keys of one to four different mechanisms that this chain allows, or raise BudgetError."""
    listed = [lanes] if isinstance(lanes, str) else lanes
    one = isinstance(listed, bytes | dict) or (isinstance(listed, np.ndarray) and not listed.ndim)
    if one or not isinstance(listed, Iterable):
        listed = [lanes]
    where = Where("parameter", name="lanes")
    keys = []
    for key in listed:
        if not isinstance(key, str) or key.lower() not in STREAM_MENU:
            raise BudgetError(f"The lanes hold {shown(key)}; give some of {', '.join(STREAM_MENU)}.", where)
        keys.append(key.lower())
        if len(keys) > MOST_LANES:
            break
    if not keys:
        raise BudgetError(f"There is no lane; give one to {MOST_LANES} mechanisms.", where)
    if len(keys) > MOST_LANES:
        raise BudgetError(f"There are more than {MOST_LANES} lanes; give one to {MOST_LANES}.", where)
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise BudgetError(f"The lane {shown(twice)} is there twice; every mechanism releases once.", where)
    for key in keys:
        why = STREAM_MENU[key].why_not(chain)
        if why is not None:
            raise BudgetError(f"{STREAM_MENU[key].label} cannot be a lane here. {why}", where)
    return tuple(keys)
