"""Streams by listing every data and every release sequence, with beliefs over whole histories.

Nothing here is taken from the library: it is what the library is compared with.
"""

from __future__ import annotations

import math
from itertools import product


def first_order(start, transitions):
    """The law of the next symbol after a history."""
    return lambda past: list(start) if not past else list(transitions[past[-1]])


def second_order(start, early, transitions):
    def law(past):
        if not past:
            return list(start)
        return list(early[past[0]]) if len(past) == 1 else list(transitions[past[-2]][past[-1]])

    return law


def chances(law, n, steps):
    """Probability of every data sequence of positive probability."""
    found = {(): 1.0}
    for _ in range(steps):
        found = {
            (*past, x): p * law(past)[x] for past, p in found.items() for x in range(n) if law(past)[x] > 0
        }
    return found


def histories_after(law, n, mechanism, released):
    """Posterior law of whole data histories after releases (Eq. 3 and 4)."""
    belief = {(): 1.0}
    for y in released:
        grown = {(*past, x): p * law(past)[x] for past, p in belief.items() for x in range(n)}
        matrix = mechanism(symbol_law(grown, n))
        belief = {past: p * matrix[past[-1]][y] for past, p in grown.items()}
        total = math.fsum(belief.values())
        if total == 0:
            return None
        belief = {past: p / total for past, p in belief.items()}
    return belief


def symbol_law(histories, n):
    return [math.fsum(p for past, p in histories.items() if past[-1] == x) for x in range(n)]


def channel_after(law, n, mechanism, released):
    """Belief in the next symbol and the channel, or None after releases that cannot occur."""
    before = histories_after(law, n, mechanism, released)
    if before is None:
        return None
    grown = {(*past, x): p * law(past)[x] for past, p in before.items() for x in range(n)}
    belief = symbol_law(grown, n)
    return belief, mechanism(belief)


class EverySequence:
    """All pairs: ``given[x][y]``, ``released[y]`` and ``data[x]``, and what each step leaks after a past."""

    def __init__(self, law, n, mechanism, steps):
        self.data = chances(law, n, steps)
        self.after = {}
        for length in range(steps):
            for past in product(range(n), repeat=length):
                self.after[past] = channel_after(law, n, mechanism, past)
        self.given = {x: {} for x in self.data}
        for x in self.data:
            for y in product(range(n), repeat=steps):
                chance = 1.0
                for k in range(steps):
                    found = self.after[y[:k]]
                    chance *= 0.0 if found is None else found[1][x[k]][y[k]]
                    if chance == 0:
                        break
                self.given[x][y] = chance
        self.released = {
            y: math.fsum(self.data[x] * self.given[x][y] for x in self.data)
            for y in product(range(n), repeat=steps)
        }
        self.n, self.steps = n, steps

    def log_ratio(self, x, y):
        given = self.given[x][y]
        return math.log(given / self.released[y]) if given > 0 else -math.inf

    def pairs(self):
        return ((x, y) for x in self.data for y, p in self.released.items() if p > 0)

    @property
    def leakage(self):
        return max(abs(self.log_ratio(x, y)) for x, y in self.pairs())

    @property
    def upper(self):
        return max(self.log_ratio(x, y) for x, y in self.pairs())

    @property
    def lower(self):
        return max(-self.log_ratio(x, y) for x, y in self.pairs())

    def step_leakage(self, past):
        belief, matrix = self.after[past]
        law = [math.fsum(belief[x] * matrix[x][y] for x in range(self.n)) for y in range(self.n)]
        return max(
            abs(math.log(matrix[x][y] / law[y])) if matrix[x][y] > 0 else math.inf
            for x in range(self.n)
            if belief[x] > 0
            for y in range(self.n)
            if law[y] > 0
        )

    @property
    def per_step(self):
        """The largest leakage of each step, over releases of positive probability before it."""
        possible = {y[:k] for y, p in self.released.items() if p > 0 for k in range(self.steps)}
        return [
            max(self.step_leakage(past) for past in possible if len(past) == k) for k in range(self.steps)
        ]

    @property
    def composed(self):
        return max(
            math.fsum(self.step_leakage(y[:k]) for k in range(self.steps))
            for y, p in self.released.items()
            if p > 0
        )

    @property
    def mutual_information(self):
        return math.fsum(
            self.data[x] * self.given[x][y] * self.log_ratio(x, y)
            for x, y in self.pairs()
            if self.given[x][y] > 0
        )

    @property
    def local_level(self):
        return max(
            max(self.log_ratio(x, y) for x in self.data) - min(self.log_ratio(x, y) for x in self.data)
            for y, p in self.released.items()
            if p > 0
        )

    def tail(self, threshold):
        """Joint two-sided, worst data one-sided, worst data two-sided."""
        one, two = {}, {}
        for x in self.data:
            ratios = {y: self.log_ratio(x, y) for y, p in self.released.items() if p > 0}
            one[x] = math.fsum(self.given[x][y] for y, v in ratios.items() if v > threshold + 1e-12)
            two[x] = math.fsum(self.given[x][y] for y, v in ratios.items() if abs(v) > threshold + 1e-12)
        joint = math.fsum(self.data[x] * two[x] for x in self.data)
        return joint, max(one.values()), max(two.values())

    def expected_error(self, step):
        return math.fsum(
            self.data[x] * self.given[x][y] for x in self.data for y in self.released if x[step] != y[step]
        )
