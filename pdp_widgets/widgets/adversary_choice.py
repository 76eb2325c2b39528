"""The adversary who is looked at, and the levels that leakages are compared with: inputs of two explorers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import AdversaryError, Where
from pdp_widgets.leakage.adversary import known_of
from pdp_widgets.widgets.computed_beside import Awaited, Awaiting, InputsT
from pdp_widgets.widgets.graph_search import Search, asked_search
from pdp_widgets.widgets.inputs import Controls
from pdp_widgets.widgets.wire import sent_position, sent_positions

#: Attacked tuple and known tuples, by position.
Choice: TypeAlias = tuple[int, tuple[int, ...]]
#: Finds an adversary by names or positions, or raises AdversaryError.
Finder: TypeAlias = Callable[[Any, Any], Any]


def opening_choice(
    find: Finder,
    target: str | int | None,
    known: Iterable[str | int] | None,
    largest: Choice,
    exact: NDArray[np.float64],
) -> Choice:
    """Return the adversary to begin with: the one asked for, else who learns most, all or of that tuple."""
    if target is None:
        if known is not None:
            raise AdversaryError(
                "The known tuples come without a target; name the attacked tuple too.",
                Where("parameter", name="target"),
            )
        return largest
    found = find(target, () if known is None else known)
    if known is not None:
        return found.target, found.known
    return found.target, known_of(len(exact), found.target, int(np.argmax(exact[found.target])))


def given_choice(patch: Mapping[str, Any], find: Finder, now: Choice) -> Choice:
    """Return the adversary after a step from Python."""
    if "target" not in patch and "known" not in patch:
        return now
    target = find(patch.get("target", now[0]), ()).target
    # A tuple that becomes the attacked one is no longer among the known ones.
    known = patch["known"] if "known" in patch else [k for k in now[1] if k != target]
    found = find(target, known)
    return found.target, found.known


def asked_choice(request: Mapping[str, Any], now: Choice, n: int) -> Choice:
    """Return the adversary after a request; a target that does not exist is ignored."""
    asked = sent_position(request, "target", now[0])
    listed = sent_positions(request, "known", n, now[1])
    if not 0 <= asked < n:
        return now
    return asked, tuple(sorted({k for k in listed if 0 <= k < n} - {asked}))


class AdversaryState(Controls, Awaiting[InputsT]):
    """Results about all adversaries, one of whom is looked at."""

    target: int
    known: tuple[int, ...]
    search: Search
    #: Says which values the results belong to, where others are asked for: "scale 2.00".
    _kept: Callable[..., str]

    def _open_levels(self, promise: float) -> None:
        """Take what was promised when the explorer was opened, which a goal of None stands for."""
        self._opening_promise = promise if promise > 0 else 1.0
        self._settle_goal()

    def _settle_goal(self) -> None:
        if self.asked["goal"] is None:
            self._set(goal=self._opening_promise)

    @property
    def choice(self) -> Choice:
        """Attacked and known tuples of the adversary who is looked at."""
        return self.target, self.known

    def _choose(self, choice: Choice) -> None:
        self.target, self.known = choice

    def _ask_adversary(self, request: Mapping[str, Any], n: int) -> None:
        self._choose(asked_choice(request, self.choice, n))
        self.search = asked_search(request, self.search, n)

    def _leave(self, now: Awaited[InputsT], reason: str, cost: str = "") -> None:
        kept = self._kept(now.inputs)
        text = f"{reason} The results belong to the values as last computed ({kept})."
        self.awaited = Awaited(now.number, now.inputs, text, kept, cost)

    @property
    def wait_state(self) -> dict[str, Any]:
        """What a browser is told of what is awaited, or was given up, and which values the results keep."""
        return {**super().wait_state, "kept": "" if self.awaited is None else self.awaited.kept}
