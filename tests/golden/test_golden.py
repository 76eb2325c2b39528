"""What widgets say and send is what it was: ``python -m tests.golden.record`` writes down what it is now."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

import pytest

from tests.every_widget import CELLS
from tests.golden.record import BELOW, HERE, TESTED, record

MOST = 60
AGAIN = (
    "If this is meant, run `python -m tests.golden.record {}` and say in the commit why these lines changed."
)


def changes(name: str, was: list[str], now: list[str]) -> Iterator[str]:
    """Return what differs, as a patch; of much the first lines."""
    found = list(difflib.unified_diff(was, now, f"{name}, recorded", f"{name}, now", n=0, lineterm=""))
    yield from (line if len(line) <= 400 else f"{line[:400]}…" for line in found[:MOST])
    if len(found) > MOST:
        yield f"... and {len(found) - MOST} more lines"


@pytest.mark.parametrize("module", CELLS)
def test_what_a_widget_says_and_sends(module: str) -> None:
    found: list[str] = []
    for name, now in record(module, TESTED).items():
        was = (HERE / module / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        found += changes(f"{module}/{name}.txt", was[: was.index(BELOW) + 1], now)
    if found:
        pytest.fail("\n".join([AGAIN.format(module), *found]), pytrace=False)
