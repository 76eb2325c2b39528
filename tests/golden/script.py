"""What a hand does at each widget: two hundred requests, drawn by the widget's name and by nothing else.

``edits.json`` says what the parts of a request may be. The edits under a name with a plus set several parts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

LENGTH = 200
Wish = dict[str, Any]
#: In place of anything.
NONSENSE = [None, "x", -1, -0.5, 1e300, 10**30, [], ["a"], [[0]], [7, 7], {}, True, "NaN", "Infinity", b"\0"]
#: How often each kind comes; what cannot be done then becomes a valid edit. ``again`` is the same once more,
#: ``stale`` one on a view with other rows, ``late`` one that another has overtaken, ``disabled`` one while
#: nothing may be edited.
KINDS = {"valid": 43, "wrong": 10, "undo": 12, "redo": 25, "again": 2, "stale": 3, "late": 3, "disabled": 2}


@dataclass(frozen=True)
class Request:
    """A message of a page: of which kind, what it sets, and who sends it."""

    kind: str
    wish: Wish
    origin: str = "page"


def _bytes(sent: Any) -> Any:
    """Return what JSON says, numbers of cells as the bytes that travel."""
    if isinstance(sent, dict) and "floats" in sent:
        return np.array([float(x) for x in sent["floats"]], dtype="<f8").tobytes()
    return bytes(sent["flags"]) if isinstance(sent, dict) and "flags" in sent else sent


def edits(module: str) -> list[list[Wish]]:
    """Return the edits of each part of a widget."""
    parts = json.loads((Path(__file__).parent / "edits.json").read_text(encoding="utf-8"))[module]
    listed = [
        [one if name.startswith("+") else {name: one} for one in values] for name, values in parts.items()
    ]
    return [[{name: _bytes(part) for name, part in wish.items()} for wish in wishes] for wishes in listed]


@dataclass
class _Hand:
    """What was set by hand, for undo and redo."""

    stands: Wish = field(default_factory=dict)
    wrong: str = ""
    past: list[tuple[Wish, Wish]] = field(default_factory=list)
    future: list[tuple[Wish, Wish]] = field(default_factory=list)

    def set(self, wish: Wish) -> Wish:
        """Remember an edit and what stood there before, where that is known."""
        before = {name: self.stands[name] for name in wish if name in self.stands}
        if len(before) == len(wish):
            self.past.append((before, wish))
        self.future.clear()
        self.stands |= wish
        return wish

    def turn(self, kind: str) -> Wish:
        """Return what undo or redo sends."""
        away, towards = (self.past, self.future) if kind == "undo" else (self.future, self.past)
        step = away.pop()
        towards.append(step)
        self.stands |= step[kind == "redo"]
        return step[kind == "redo"]


def script(module: str) -> Iterator[Request]:
    """Return what is asked of a widget, always the same."""
    # A seed of text is hashed in the same way in every process.
    rng, parts, hand = Random(f"golden {module}"), edits(module), _Hand()
    # Each part once, so that there is something to go back to.
    for wishes in parts:
        yield Request("valid", hand.set(rng.choice(wishes)))
    wish: Wish = {}
    for _ in range(LENGTH - len(parts)):
        (kind,) = rng.choices(list(KINDS), list(KINDS.values()))
        if hand.wrong and rng.random() < 0.8:
            # A wrong entry is taken back before long: else all states would be faults.
            kind, wish, hand.wrong = "undo", {hand.wrong: hand.stands[hand.wrong]}, ""
        elif kind == "wrong":
            hand.wrong = rng.choice(sorted(hand.stands))
            wish = {hand.wrong: rng.choice(NONSENSE)}
        elif (kind == "undo" and hand.past) or (kind == "redo" and hand.future):
            wish = hand.turn(kind)
        elif kind != "again":
            kind = "valid" if kind in ("undo", "redo") else kind
            wish = {}
            for wishes in rng.sample(parts, rng.choice([1, 1, 1, 2])):
                wish |= rng.choice(wishes)
            if kind == "valid":
                hand.set(wish)
        yield Request(kind, wish, "page" if kind == "late" else rng.choice(["page", "page", "page", "phone"]))
