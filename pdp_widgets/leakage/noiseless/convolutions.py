"""Laws on whole numbers, added by direct convolutions: in steps, so that somebody may end them.

A convolution by Fourier transform is off by about 1e-16 everywhere, which is more than the tails that decide
here; terms of a direct one are all positive, so that every probability is right to many digits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.mechanisms.anonymity.selected_count import binomial_law

Floats = NDArray[np.float64]
#: Position of the first probability, and probabilities at neighbouring positions.
Placed: TypeAlias = tuple[int, Floats]
#: Told how many multiplications are done; what it raises ends the computation.
Step: TypeAlias = Callable[[float], None]

#: End entries below this are dropped: numbers near the smallest float are slow.
_DROPPED = 1e-280
#: The product of two smaller probabilities is dropped; raised by the factor, that with any other is no
# denormal.
_END, _RAISED = 1e-140, 2.0**400
#: A law with fewer positive entries than one in so many is added shifted, entry by entry.
_SPARSE = 32
#: Multiplications at once, about a twentieth of a second.
_AT_ONCE = 3e7


def _alone(done: float) -> None:
    """Tell nobody."""


class Powers:
    """Laws of sums of equal records; that of more records begins with that of fewer."""

    def __init__(self, progress: ProgressHook | None = None, work: float = 1.0) -> None:
        self._progress, self._work, self._done = progress, max(work, 1.0), 0.0
        self._last: dict[bytes, tuple[int, Placed]] = {}
        self._differences: dict[tuple[bytes, int], Placed] = {}

    def step(self, done: float) -> None:
        """Count multiplications that are done."""
        self._done += done
        if self._progress is not None:
            self._progress(min(1.0, self._done / self._work))

    def of(self, one: Floats, count: int) -> Placed:
        """Return the law of the sum of so many records; ``one`` begins and ends with a positive number."""
        if len(one) == 2:
            return _binomial(one, count)
        key = one.tobytes()
        fewer, law = self._last.get(key, (0, None))
        if law is None or fewer > count:
            made = _power((0, one), count, self.step)
        elif fewer == count:
            return law
        else:
            more = key, count - fewer
            if more not in self._differences:
                self._differences[more] = _power((0, one), count - fewer, self.step)
            made = added(law, self._differences[more], self.step)
        self._last[key] = count, made
        return made


def power_work(points: int, count: int) -> float:
    """Return about how many multiplications the law of a sum takes."""
    if points == 2:
        return float(count)
    wide = float((points - 1) * count)
    # The last of the squares is the largest.
    return wide**2 / 4 * 1.4 + wide * points


def growing_work(points: int, counts: list[int]) -> float:
    """Return about how many multiplications the laws of sums of more and more records take together."""
    found, last = 0.0, 0
    for count in sorted(set(counts)):
        if points == 2 or not last:
            found += power_work(points, count)
        else:
            found += power_work(points, count - last) + float(points - 1) ** 2 * last * (count - last)
        last = count
    return found


def stretched(law: Placed, factor: int) -> Placed:
    """Return the law of a multiple."""
    if factor == 1 or len(law[1]) == 1:
        return law[0] * factor, law[1]
    made = np.zeros((len(law[1]) - 1) * factor + 1)
    made[::factor] = law[1]
    return law[0] * factor, made


def _binomial(one: Floats, count: int) -> Placed:
    low, high = (float(share) for share in one)
    total = low + high
    return _without_ends(0, binomial_law(count, high / total, q=low / total)) if count > 1 else (0, one)


def _power(law: Placed, count: int, step: Step) -> Placed:
    """Return the law of a sum of equal records, by repeated squaring."""
    found: Placed | None = None
    while True:
        if count & 1:
            found = law if found is None else added(found, law, step)
        count >>= 1
        if not count:
            assert found is not None
            return found
        law = added(law, law, step)


def added(first: Placed, second: Placed, step: Step = _alone) -> Placed:
    """Return the law of a sum of two, without the ends that are next to nothing."""
    (start, long), (other, short) = sorted((first, second), key=lambda law: -len(law[1]))
    places = np.flatnonzero(short)
    if len(places) * _SPARSE < len(short):
        made = np.zeros(len(long) + len(short) - 1)
        for place in places:
            made[place : place + len(long)] += short[place] * long
        step(float(len(places) * len(long)))
    else:
        made = _convolved(long, short, step)
    return _without_ends(start + other, made)


def _convolved(first: Floats, second: Floats, step: Step) -> Floats:
    """Return a convolution without products near the smallest float, which are slow."""
    # The ends of each law are multiplied up before they meet the middle of the other; what two ends make is
    # below what is dropped anyway.
    (low, high), (start, stop) = _middle(first), _middle(second)
    made = np.zeros(len(first) + len(second) - 1)
    made[low + start : high + stop - 1] = _direct(first[low:high], second[start:stop], step)
    for (law, ends), (other, begin, end) in (
        ((first, ((0, low), (high, len(first)))), (second, start, stop)),
        ((second, ((0, start), (stop, len(second)))), (first, low, high)),
    ):
        for left, right in ends:
            if right > left:
                part = _direct(law[left:right] * _RAISED, other[begin:end], step)
                made[left + begin : right + end - 1] += part / _RAISED
    return made


def _direct(first: Floats, second: Floats, step: Step) -> Floats:
    long, short = (first, second) if len(first) >= len(second) else (second, first)
    many = max(1, int(_AT_ONCE / len(long)))
    if len(short) <= many:
        found: Floats = np.convolve(long, short)
        step(float(len(long) * len(short)))
        return found
    made = np.zeros(len(long) + len(short) - 1)
    for at in range(0, len(short), many):
        part = short[at : at + many]
        made[at : at + len(long) + len(part) - 1] += np.convolve(long, part)
        step(float(len(long) * len(part)))
    return made


def _middle(law: Floats) -> tuple[int, int]:
    """Return the ends of the stretch outside which all probabilities are next to nothing."""
    kept = np.flatnonzero(law >= _END)
    return int(kept[0]), int(kept[-1]) + 1


def _without_ends(start: int, made: Floats) -> Placed:
    kept = np.flatnonzero(made >= _DROPPED)
    low, high = (int(kept[0]), int(kept[-1]) + 1) if len(kept) else (0, len(made))
    return start + low, made[low:high]
