"""Releases of streams in decimal arithmetic of more than 60 digits, whose exponents do not end at 1e-308.

Nothing here is taken from the library: it is what the library is compared with.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from itertools import pairwise, product

ONE, ZERO = Decimal(1), Decimal(0)
_DIGITS = 80


def exact(function):
    """Compute with many digits, from numbers taken as the floats that they are."""

    def computed(*given):
        with localcontext() as context:
            context.prec = _DIGITS
            context.Emin, context.Emax = -(10**9), 10**9
            return function(*given)

    return computed


def draw(law, keep, weight):
    n = range(len(law))
    return [[weight * law[y] + (keep if x == y else ZERO) if law[x] else law[y] for y in n] for x in n]


def crr(b, lam):
    return draw(b, 1 - lam, lam)


def _keep_and_weight(least, lam):
    """Both as quotients: one less the other would be 1 for all digits."""
    if least < lam / (1 + lam):
        return least * (1 / lam - 1) / (1 - least), (1 - least / lam) / (1 - least)
    return 1 - lam, lam


def crr_shrunk(b, lam):
    return draw(b, *_keep_and_weight(min(p for p in b if p), lam))


def crr_trimmed(b, lam):
    order = sorted((x for x in range(len(b)) if b[x]), key=lambda x: (-b[x], x))
    best = None
    for k in range(1, len(order) + 1):
        mass = sum(b[x] for x in order[:k])
        keep, weight = (ZERO, ONE) if k == 1 else _keep_and_weight(b[order[k - 1]] / mass, lam)
        hit = keep * mass + weight * sum(b[x] ** 2 for x in order[:k]) / mass
        if best is None or hit > best[0] + Decimal("1e-12"):
            law = [b[x] / mass if x in order[:k] else ZERO for x in range(len(b))]
            best = (hit, law, keep, weight)
    return draw(*best[1:])


def binary_optimum(b, lam):
    rare = 1 if b[1] <= b[0] else 0
    m = b[rare]
    if m >= lam / (1 + lam) and m:
        out, into = lam * (1 - m), lam * m
    elif m > lam / 2:
        out, into = lam / (1 + lam), (lam - m) / ((1 + lam) * (1 - m))
    else:
        out, into = ONE, ZERO
    rows = {rare: {rare: 1 - out, 1 - rare: out}, 1 - rare: {rare: into, 1 - rare: 1 - into}}
    return [[rows[x][y] for y in range(2)] for x in range(2)]


def crr_balanced(b, lam):
    n, k = len(b), 1 + 1 / lam
    rare = [x for x in range(n) if b[x] and k * b[x] < 1 - Decimal("1e-9")]
    rho = sum((b[x] for x in rare), ZERO)
    z = [[ONE if x == y else ZERO for y in range(n)] for x in range(n)]
    if rare and k * rho <= 1:
        moved = (1 - k * rho) / (1 - rho)
        for x in range(n):
            for y in range(n):
                if x in rare:
                    z[x][y] = k * b[y] if y in rare else moved * b[y]
                else:
                    z[x][y] = moved * b[y] if y in rare else (1 - moved * rho if x == y else ZERO)
    elif rare:
        own, pool = _pooled({x: b[x] for x in rare}, rho, k)
        for x in rare:
            z[x] = [(own[x] if x == y else ZERO) + (1 - own[x]) * pool.get(y, ZERO) for y in range(n)]
    z = [z[x] if b[x] else b for x in range(n)]
    return [[lam * b[y] + (1 - lam) * z[x][y] for y in range(n)] for x in range(n)]


def _pooled(rare, rho, k):
    def kept(p, size):
        c = p / size
        u, q = 1 - 2 * c, (1 - 4 * c + 4 * c * k * p).sqrt()
        return 2 * (k * p - c) / (u + q) if u > 0 else (q - u) / (2 * c)

    def right(size):
        return sum(p * (1 - kept(p, size)) for p in rare.values())

    low, high, shrink = 1 / k, rho, ONE
    if right(low) < low:
        shrink = (rho - low) / sum(p * kept(p, low) for p in rare.values())
    else:
        for _ in range(240):
            middle = (low + high) / 2
            low, high = (middle, high) if right(middle) >= middle else (low, middle)
    own = {x: shrink * kept(p, low) for x, p in rare.items()}
    left = sum(p * (1 - own[x]) for x, p in rare.items())
    return own, {x: p * (1 - own[x]) / left for x, p in rare.items()}


def grr(b, lam):
    n = len(b)
    total = 1 + (n - 1) * lam
    return [[(ONE if x == y else lam) / total for y in range(n)] for x in range(n)]


def grr2(b, lam):
    return grr(b, lam**2)


CHANNELS = {
    made.__name__: made for made in (crr, crr_shrunk, crr_trimmed, crr_balanced, binary_optimum, grr, grr2)
}


@exact
def step_leakage(name, belief, epsilon):
    """What one step leaks at a belief, of floats that are taken as they are, but for their sum."""
    b = [Decimal(p) for p in belief]
    b = [p / sum(b) for p in b]
    matrix = CHANNELS[name](b, (-Decimal(epsilon)).exp())
    found = [ZERO]
    for y in range(len(b)):
        law = sum(p * row[y] for p, row in zip(b, matrix, strict=True))
        if law:
            found += [_log_size(row[y], law) for p, row in zip(b, matrix, strict=True) if p]
    return float(max(found))


@exact
def stream_leakage(name, start, transitions, epsilon, steps):
    """What all steps leak, by every data and every release sequence."""
    start = [Decimal(p) for p in start]
    moves = [[Decimal(p) for p in row] for row in transitions]
    start = [p / sum(start) for p in start]
    moves = [[p / sum(row) for p in row] for row in moves]
    n, lam = len(start), (-Decimal(epsilon)).exp()
    largest = ZERO
    for y in product(range(n), repeat=steps):
        belief, law, columns = start, ONE, []
        for released in y:
            matrix = CHANNELS[name](belief, lam)
            columns.append([row[released] for row in matrix])
            weights = [p * row[released] for p, row in zip(belief, matrix, strict=True)]
            if not sum(weights):
                break
            law *= sum(weights)
            after = [sum(w * row[k] for w, row in zip(weights, moves, strict=True)) for k in range(n)]
            belief = [p / sum(after) for p in after]
        else:
            for x in product(range(n), repeat=steps):
                if start[x[0]] and all(moves[a][b] for a, b in pairwise(x)):
                    given = ONE
                    for column, symbol in zip(columns, x, strict=True):
                        given *= column[symbol]
                    largest = max(largest, _log_size(given, law))
    return float(largest)


def _log_size(above, below):
    return abs((above / below).ln()) if above else Decimal("inf")
