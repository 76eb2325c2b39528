"""What a person looks for among the adversaries of a large graph, and the columns that fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.adversary import column
from pdp_widgets.widgets.wire import sent_choice, sent_flag, sent_position, sent_positions

#: Adversaries on one page of the table.
PAGE = 10
#: What the table is sorted by: leakage, size of the paper's error, attacked tuple, number of known tuples.
SORTS = ("value", "difference", "about", "known")
#: Filters by the paper's estimate.
ESTIMATES = ("all", "low", "high")


@dataclass(frozen=True)
class Search:
    """Order, page and filters of the table of adversaries."""

    by: str = "value"
    down: bool = True
    first: int = 0
    about: int | None = None
    unknown: int | None = None
    knows: tuple[int, ...] = ()
    lacks: tuple[int, ...] = ()
    above: bool = False
    only: str = "all"

    def columns(
        self, n: int, target: int, known_counts: NDArray[np.uint8] | None = None
    ) -> NDArray[np.bool_] | None:
        """Return which columns of one attacked tuple fit by what is known, or None when none can."""
        if target in self.knows or self.about not in (None, target):
            return None
        wanted = column(n, target, self.knows)
        barred = column(n, target, (k for k in self.lacks if k != target))
        numbers = np.arange(1 << (n - 1), dtype=np.uint32)
        fits = (numbers & np.uint32(wanted | barred)) == np.uint32(wanted)
        if self.unknown is not None:
            counts = np.bitwise_count(numbers) if known_counts is None else known_counts
            fits &= counts == n - self.unknown
        return fits

    @property
    def by_known(self) -> bool:
        """Whether what is known restricts the columns."""
        return bool(self.knows or self.lacks) or self.unknown is not None

    def state(self) -> dict[str, Any]:
        """Return the search as the browser sends and shows it."""
        return {
            "by": self.by,
            "down": self.down,
            "first": self.first,
            "about": self.about,
            "unknown": self.unknown,
            "knows": self.knows,
            "lacks": self.lacks,
            "above": self.above,
            "only": self.only,
        }


def asked_search(request: Mapping[str, Any], now: Search, n: int) -> Search:
    """Return the search of a request, or the one that stands; what names no tuple is left out."""
    if "search" not in request:
        return now
    sent = request["search"]
    # What is no mapping is refused for its first part.
    asked: Mapping[str, Any] = sent if isinstance(sent, Mapping) else {"by": None}

    def place(name: str, low: int, high: int) -> int | None:
        if asked.get(name) is None:
            return None
        found = sent_position(asked, name, low)
        return found if low <= found <= high else None

    knows = {k for k in sent_positions(asked, "knows", n, ()) if 0 <= k < n}
    lacks = {k for k in sent_positions(asked, "lacks", n, ()) if 0 <= k < n} - knows
    return Search(
        by=sent_choice(asked, "by", "value", SORTS),
        down=sent_flag(asked, "down", True),
        first=max(0, sent_position(asked, "first", 0)),
        about=place("about", 0, n - 1),
        unknown=place("unknown", 1, n),
        knows=tuple(sorted(knows)),
        lacks=tuple(sorted(lacks)),
        above=sent_flag(asked, "above", False),
        only=sent_choice(asked, "only", "all", ESTIMATES),
    )
