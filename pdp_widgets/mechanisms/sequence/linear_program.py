"""The least expected distance that a budget allows for one release: a linear program, and its repair."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import nats
from pdp_widgets.errors import LimitError, Where
from pdp_widgets.mechanisms.sequence.log_lift import Values, kept, lift_of, shared, with_common_part
from pdp_widgets.mechanisms.sequence.sequence_mechanism import within

__all__ = ["MOST_PAIRS", "expected_seconds", "solve"]

#: Pairs of a symbol and an output; more are refused. It is 128 symbols with all outputs.
MOST_PAIRS = 128 * 128
#: Seconds after which a solution is given up. It cannot be interrupted otherwise.
TIME_LIMIT = 60.0
# Larger caps on z / p scale the program badly and save less than a billionth; a millionth with the second.
_CAPS = (1e9, 1e6)
_CUTS = (0.0, 1e-10, 1e-8, 1e-6)


def expected_seconds(symbols: int, outputs: int) -> float:
    """Return about how long a solution takes at most, on one core."""
    return 0.005 + 3.0 * (symbols * outputs / MOST_PAIRS) ** 2


def solve(
    belief: Values, distances: Values, epsilon: float, robust: bool = True, outputs: int | None = None
) -> Values:
    """Return the matrix that costs least at a belief, shape (n, n)."""
    # The matrix is exp(-epsilon) 1 p + (1 - exp(-epsilon)) z, where z has the output law p and
    # z[x, y] <= (1 + exp(epsilon)) p[y]; so the program is about z and p, with few entries. Distances are
    # from true to released symbols. If robust, rows of impossible symbols obey the same bounds, as near to
    # the symbol as they allow; otherwise they are draws from the output law.
    n = len(belief)
    published = _published(belief, outputs)
    pairs = np.count_nonzero(belief) * len(published)
    if pairs > MOST_PAIRS:
        raise LimitError(
            f"The optimum for {n:,} symbols with {len(published):,} outputs takes about "
            f"{expected_seconds(n, len(published)):,.0f} s, and at most {MOST_PAIRS:,} pairs of both are "
            "solved. Take fewer outputs, or the balanced response.",
            Where("parameter", name="outputs"),
            call=f"Give outputs={max(1, min(32, MOST_PAIRS // n))}.",
        )
    # Rounded, so that beliefs that differ by rounding alone share a solution; the repair is for the belief.
    rounded = np.round(belief, 12)
    some = np.flatnonzero(rounded)
    near = np.ascontiguousarray(distances[np.ix_(some, published)])
    weights = rounded[some] / rounded[some].sum()
    solution = _solution(weights.tobytes(), near.tobytes(), len(some), len(published), epsilon)
    channel = np.zeros((n, n))
    channel[np.ix_(some, published)] = solution
    known = np.zeros(n, dtype=bool)
    known[some] = True
    law = np.where(known, belief, 0.0) @ np.maximum(channel, 0.0)
    # Solutions leave outputs of probability 1e-12 whose ratios are noise: these are dropped. Most
    # cuts drop the same outputs, and one repair does for them.
    drops = {(law > cut).tobytes(): law > cut for cut in _CUTS}
    found = [_repaired(channel, known, belief, distances, epsilon, robust, left) for left in drops.values()]
    kept_bounds = [matrix for matrix in found if matrix is not None]
    if not kept_bounds:
        raise ArithmeticError(
            f"The program for {n} symbols was solved too coarsely to keep {nats(epsilon)}; "
            "the balanced response has a closed form."
        )
    return min(kept_bounds, key=lambda matrix: float(belief @ np.sum(matrix * distances, axis=1)))


def _published(belief: Values, outputs: int | None) -> NDArray[np.int64]:
    if outputs is None or outputs >= len(belief):
        return np.arange(len(belief))
    return np.sort(np.argsort(-belief, kind="stable")[:outputs])


def _repaired(
    solution: Values,
    known: NDArray[np.bool_],
    belief: Values,
    distances: Values,
    epsilon: float,
    robust: bool,
    left: NDArray[np.bool_],
) -> Values | None:
    """Return a matrix that keeps the bounds, made of the outputs that are left; None if a row is empty."""
    cap = 1 + exp(min(epsilon, 700.0))
    weights = np.where(known, belief, 0.0)
    channel = np.where(left, np.maximum(solution, 0.0), 0.0)
    sums = channel.sum(axis=1)
    if (sums[known] <= 0).any():
        return None
    channel[known] /= sums[known, None]
    law = (weights / weights.sum()) @ channel
    # Symbols whose rounded belief is 0 were not in the program.
    for symbol in np.flatnonzero(~known):
        channel[symbol] = _nearest(law, distances[symbol], cap) if robust or belief[symbol] > 0 else law
    law = belief @ channel
    bounded = channel if robust else channel[belief > 0]
    ratio = float(np.max(np.where(law > 0, bounded / np.where(law > 0, law, 1.0), 0.0)))
    share = (ratio - cap) / (ratio - 1) if ratio > cap else 0.0
    channel = (1 - share) * channel + share * law
    if not robust:
        channel[belief == 0] = law
    matrix = with_common_part(law, channel, epsilon)
    leakage = float(lift_of(matrix, belief)[0])
    return matrix if within(leakage, epsilon) else None


def _nearest(law: Values, distances: Values, cap: float) -> Values:
    """Return the row nearest to a symbol whose entries are at most ``cap`` times the output law."""
    order = np.lexsort((-law, distances))
    room = np.cumsum(cap * law[order])
    filled = np.diff(np.minimum(room, 1.0), prepend=0.0)
    row = np.empty_like(law)
    row[order] = filled / filled.sum()
    return row


@lru_cache(maxsize=64)
def _solution(belief: bytes, distances: bytes, n: int, m: int, epsilon: float) -> Values:
    """Return z of the solver, shape (n, m), for n possible symbols and m outputs."""
    solution = _program(
        np.frombuffer(belief, dtype=np.float64),
        np.frombuffer(distances, dtype=np.float64).reshape(n, m),
        epsilon,
    )
    solution.setflags(write=False)
    return solution


def _program(belief: Values, distances: Values, epsilon: float) -> Values:
    n, m = distances.shape
    scale = float(distances.max()) or 1.0
    near = kept(epsilon) * belief[:, None] * distances
    cost = np.concatenate([near.ravel(), shared(epsilon) * (belief @ distances)]) / scale
    cap = 1 + exp(min(epsilon, 700.0))
    first = _method(belief, m, epsilon)
    second = "highs-ipm" if first == "highs-ds" else "highs-ds"
    message = ""
    # With a large cap a method fails now and then; another one, or a smaller cap, costs next to nothing.
    for method, most in product((first, second), _CAPS):
        result = _run(method, cost, _constraints(belief, m, min(cap, most)), n, m)
        if result.status == 1:
            raise LimitError(
                f"The optimum for {n} symbols with {m} outputs was not found in {TIME_LIMIT:g} s; "
                "give fewer outputs, or take the balanced response.",
                Where("parameter", name="outputs"),
            )
        if result.status == 0:
            return np.array(result.x[: n * m], dtype=np.float64).reshape(n, m)
        message = str(result.message)
    raise ArithmeticError(f"The program for {n} symbols with {m} outputs was not solved: {message}")


def _run(method: str, cost: Values, matrix: Any, n: int, m: int) -> Any:
    """Solve with one method. `milp` takes the dual simplex, and prepares a small program in half the time."""
    # scipy takes longer to import than the rest of the package.
    from scipy.optimize import LinearConstraint, linprog, milp

    options, pairs = {"time_limit": TIME_LIMIT}, n * m
    most = np.concatenate([np.zeros(pairs), np.ones(n), np.zeros(m)])
    if method == "highs-ds":
        least = np.concatenate([np.full(pairs, -np.inf), most[pairs:]])
        return milp(cost, constraints=LinearConstraint(matrix, least, most), options=options)
    return linprog(
        cost,
        A_ub=matrix[:pairs],
        b_ub=most[:pairs],
        A_eq=matrix[pairs:],
        b_eq=most[pairs:],
        method=method,
        options=options,
    )


def _constraints(belief: Values, m: int, cap: float) -> Any:
    """Return the sparse matrix of the inequalities z <= cap p, and of the sums of rows and columns."""
    from scipy.sparse import csc_array

    n = len(belief)
    pairs = n * m
    place, rows, starts = _entries(n, m)
    entries = [np.ones(pairs), np.full(pairs, -cap), np.ones(pairs), np.repeat(belief, m), -np.ones(m)]
    shape = (pairs + n + m, pairs + m)
    return csc_array((np.concatenate(entries)[place], rows, starts), shape=shape)


@lru_cache(maxsize=4)
def _entries(n: int, m: int) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Return where the entries of the constraints stand: it is the same for all beliefs."""
    from scipy.sparse import csc_array

    pairs = n * m
    each, row = np.arange(pairs), np.repeat(np.arange(n), m)
    column, output = np.tile(np.arange(m), n), np.arange(m)
    rows = np.concatenate([each, each, pairs + row, pairs + n + column, pairs + n + output])
    columns = np.concatenate([each, pairs + column, each, each, pairs + output])
    numbered = csc_array((np.arange(1.0, len(rows) + 1), (rows, columns)), shape=(pairs + n + m, pairs + m))
    place = numbered.data.astype(np.int64) - 1
    for part in (place, numbered.indices, numbered.indptr):
        part.setflags(write=False)
    return place, numbered.indices, numbered.indptr


def _method(belief: Values, outputs: int, epsilon: float) -> str:
    """Return the faster method: the interior one for large programs with a flat belief and a small budget."""
    large = len(belief) * outputs >= 100 * 100
    spread = float(belief.max())
    flat = (epsilon < 1.5 and spread < 0.3) or (epsilon < 4 and spread * len(belief) < 4)
    return "highs-ipm" if large and flat else "highs-ds"
