"""What was edited while a stream ran, and the stream itself, in few words."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from pdp_widgets.leakage.sequence.stream_script import Segment, StreamScript
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.publish.stream_wording import ChangeWords

__all__ = ["change_words", "edits", "stream_title"]


def stream_title(chain: MarkovChain) -> str:
    """Return the stream in words.

    Examples
    --------
    >>> stream_title(MarkovChain.symmetric(0.9))
    'two states, first order, one release a step'
    """
    numbers = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    many = numbers[chain.n] if chain.n < len(numbers) else f"{chain.n}"
    order = "first" if chain.order == 1 else "second"
    return f"{many} state{'' if chain.n == 1 else 's'}, {order} order, one release a step"


def edits(script: StreamScript, last: int) -> list[ChangeWords]:
    """Return what was edited while the stream ran, up to a step, in order."""
    segments = [each for each in script.segments if each.first <= last]
    return [ChangeWords(after.first, *change_words(before, after)) for before, after in pairwise(segments)]


def change_words(before: Segment, after: Segment) -> tuple[str, str]:
    """Return what is another one from one segment to the next, in few words.

    Examples
    --------
    >>> steady, moody = MarkovChain.symmetric(0.9), MarkovChain.symmetric(0.6)
    >>> change_words(Segment(1, moody, 0.5), Segment(45, steady, 0.5))
    ('stay 0.6', 'stay 0.9')
    """
    was, now = [], []
    if before.chain != after.chain:
        one, two = _chain_words(before.chain, after.chain)
        was.append(one)
        now.append(two)
    if before.epsilon != after.epsilon:
        was.append(_budget(before.epsilon))
        now.append(_budget(after.epsilon))
    return ", ".join(was), ", ".join(now)


def _chain_words(before: MarkovChain, after: MarkovChain) -> tuple[str, str]:
    if before.order == 2 or before.n > 2:
        changed = int(np.any(before.transitions != after.transitions, axis=-1).sum())
        return "the old chain", f"a chain with {changed or 'no'} other row{'' if changed == 1 else 's'}"
    old, new = np.diag(before.transitions), np.diag(after.transitions)
    if old[0] == old[1] and new[0] == new[1]:
        # A browser reads the numbers: "rose from 0.60 to 0.90".
        return f"stay {old[0]:.4g}", f"stay {new[0]:.4g}"
    moved = [k for k in (0, 1) if old[k] != new[k]]
    names = [_stay_at(str(before.states[k])) for k in moved]
    return tuple(  # type: ignore[return-value]
        ", ".join(f"{name} {values[k]:.4g}" for name, k in zip(names, moved, strict=True))
        for values in (old, new)
    )


def _stay_at(state: str) -> str:
    # "Stay at 0 0.7" would be two numbers side by side.
    return f"stay at state {state}:" if state[-1:] in tuple("0123456789") else f"stay at {state}"


def _budget(epsilon: float) -> str:
    return "ε ∞" if epsilon == math.inf else f"ε {epsilon:.4g}"
