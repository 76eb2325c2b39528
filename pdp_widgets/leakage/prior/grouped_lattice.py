"""All adversaries of a binary table whose contributions lie on a lattice (section 3.3, fast form).

The query takes few values, so the table is first sorted into grades (partial sums of the query) while the
unknown tuples are summed out; only the few grades are then weighted by the noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import Progress
from pdp_widgets.leakage.prior.grouped_layout import (
    Floats,
    Group,
    Integers,
    Workspace,
    agreement,
    groups,
    ratio_extremes,
    subset_sums,
    write_leakages,
)
from pdp_widgets.leakage.threads import Team
from pdp_widgets.mechanisms.lattice import common_multiples

__all__ = ["Lattice", "all_on_lattice", "find_lattice"]

#: Longest lattice that is looked for, in steps of the largest sensitivity.
LONGEST_STEP_COUNT = 256

#: Matrix products up to this many multiplications stay on one thread in OpenBLAS.
SINGLE_THREAD_PRODUCT = 1 << 18

#: Numbers worked on at a time (0.4 MB), so that they stay in the cache of a core.
CACHED_NUMBERS = 48_000

working_arrays = Workspace()


@dataclass(frozen=True)
class Lattice:
    """Local sensitivities as multiples of one step."""

    #: In units of the query.
    step: float
    #: Local sensitivity of each tuple in steps.
    multiples: tuple[int, ...]
    #: Sum over the tuples of the distance between the sensitivity and its multiple.
    error: float

    @property
    def range(self) -> int:
        """Largest minus smallest value of the query, in steps."""
        return sum(self.multiples)


@lru_cache(maxsize=64)
def find_lattice(sensitivities: tuple[float, ...]) -> Lattice | None:
    """Find the longest step that divides all local sensitivities within rounding."""
    given = np.array(sensitivities)
    largest = max(sensitivities)
    if largest == 0.0:
        return Lattice(0.0, (0,) * len(sensitivities), 0.0)
    multiples = common_multiples([given]).counts[0]
    count = int(multiples.max())
    step = largest / count
    # Divided first: for a subnormal sensitivity the quotient counts / largest overflows.
    off = np.abs(given / largest * count - multiples).max()
    if count > LONGEST_STEP_COUNT or off > 8 * np.finfo(float).eps * count or step == 0.0:
        return None
    steps = tuple(multiples.tolist())
    error = sum(abs(s - m * step) for s, m in zip(sensitivities, steps, strict=True))
    return Lattice(step, steps, error)


@dataclass(frozen=True)
class _Span:
    """Grades that some high states occupy, and the outputs they can reach."""

    grades: slice
    outputs: slice


@dataclass(frozen=True, eq=False)
class _GroupPlan:
    group: Group
    grade_matrix: Floats
    low_grades: int
    products: tuple[slice, ...]
    grades: int
    distances: Integers
    spans: tuple[_Span, ...]
    span_of: tuple[int, ...]
    offsets: tuple[int, ...]


@lru_cache(maxsize=8)
def _plan(steps: tuple[int, ...]) -> tuple[_GroupPlan, ...]:
    """Prepare everything that depends on the contributions only, not on the table or the scale."""
    reachable = np.unique(subset_sums(np.array(steps, dtype=np.intp)))
    return tuple(_plan_group(group, steps, reachable) for group in groups(len(steps)))


def _plan_group(group: Group, steps: tuple[int, ...], reachable: Integers) -> _GroupPlan:
    inside = np.array(steps[group.first : group.first + group.size], dtype=np.intp)
    low = np.array([steps[j] for j in group.low], dtype=np.intp)
    high = np.array([steps[j] for j in group.high], dtype=np.intp)
    negative_low, positive_low = int(np.minimum(low, 0).sum()), int(np.maximum(low, 0).sum())
    low_grades = positive_low - negative_low + 1

    rows = 1 << len(low)
    graded = np.zeros((rows, low_grades, rows))
    graded[np.arange(rows), subset_sums(low) - negative_low] = agreement(len(low))
    grade_matrix = graded.reshape(rows, low_grades * rows)
    grade_matrix.flags.writeable = False

    lowest = subset_sums(np.minimum(high, 0)) + negative_low
    highest = subset_sums(np.maximum(high, 0)) + positive_low
    offsets = subset_sums(high) + negative_low - lowest[0]
    in_group = subset_sums(inside)
    grades = np.arange(lowest[0], highest[0] + 1)
    distances = np.abs(reachable[None, :, None] - in_group[:, None, None] - grades[None, None, :])
    distances.flags.writeable = False

    spans: dict[tuple[int, int], _Span] = {}
    for bottom, top in zip(lowest.tolist(), highest.tolist(), strict=True):
        first, last = np.searchsorted(reachable, (bottom + in_group.min(), top + in_group.max() + 1))
        spans[bottom, top] = _Span(
            slice(bottom - int(lowest[0]), top - int(lowest[0]) + 1), slice(int(first), int(last))
        )
    numbers = {ends: number for number, ends in enumerate(spans)}
    return _GroupPlan(
        group,
        grade_matrix,
        low_grades,
        _product_slices(len(in_group), rows, low_grades),
        len(grades),
        distances,
        tuple(spans.values()),
        tuple(numbers[ends] for ends in zip(lowest.tolist(), highest.tolist(), strict=True)),
        tuple(offsets.tolist()),
    )


def _product_slices(in_group: int, low: int, grades: int) -> tuple[slice, ...]:
    """Cut the columns of the grade matrix into products that BLAS does not hand to several threads."""
    # Handing over costs more than such a product.
    width = low * max(1, SINGLE_THREAD_PRODUCT // (in_group * low * low))
    return tuple(slice(start, start + width) for start in range(0, low * grades, width))


def all_on_lattice(
    flat: Floats,
    steps: tuple[int, ...],
    noise: float,
    values: Floats,
    determined: NDArray[np.bool_],
    progress: Progress | None = None,
    threads: int = 1,
) -> None:
    """Compute the leakage of all adversaries; contributions are multiples of one step."""
    progress = progress or Progress(None)
    plans = _plan(steps)
    progress.expect(sum(len(plan.span_of) for plan in plans))
    weights = np.exp(-noise * np.arange(sum(map(abs, steps)) + 1))
    with Team(threads) as team:
        for plan in plans:
            graded = _graded_table(flat, plan, team)
            coefficients = _coefficients(weights, plan)
            states = [
                partial(
                    _leakages_of_state,
                    plan,
                    state,
                    graded[:, state, plan.spans[number].grades],
                    coefficients[number],
                    values,
                    determined,
                )
                for state, number in enumerate(plan.span_of)
            ]
            team.run(states, progress.step)


def _coefficients(weights: Floats, plan: _GroupPlan) -> list[Floats]:
    """Return for every span the array [group][output][grade] that weights the grades by the noise."""
    # The row behind the last output is 1: it sums the table and gives the prior.
    everything = weights.take(plan.distances)
    coefficients = []
    for span in plan.spans:
        part = everything[:, span.outputs, span.grades]
        made = np.ones((len(part), part.shape[1] + 1, part.shape[2]))
        made[:, :-1] = part
        coefficients.append(made)
    return coefficients


def _graded_table(flat: Floats, plan: _GroupPlan, team: Team) -> Floats:
    """Sum out the tuples outside the group: array [group][high][grade][low]."""
    group = plan.group
    states, rows, low = len(plan.span_of), 1 << group.size, 1 << len(group.low)
    source = working_arrays.take("source", states, rows, low)
    group.arrange(flat, source)
    store = working_arrays.take("graded", rows, states, plan.grades, low)
    store.fill(0.0)

    def grade(state: int, first: int) -> None:
        graded = store[:, state, first : first + plan.low_grades].reshape(rows, -1)
        for columns in plan.products:
            np.matmul(source[state], plan.grade_matrix[:, columns], out=graded[:, columns])

    team.run([partial(grade, state, first) for state, first in enumerate(plan.offsets)])
    together = max(1, CACHED_NUMBERS // store[0].size)
    parts = [store[row : row + together] for row in range(0, rows, together)]
    team.run([partial(_sum_high, part.reshape(-1, states, plan.grades * low)) for part in parts])
    return store


def _sum_high(part: Floats) -> None:
    """Add the known half to the unknown half along every high tuple (axis 1), while both are in the cache."""
    rows, states, width = part.shape
    if states > 1 and part.size > CACHED_NUMBERS:
        half = states // 2
        _sum_high(part[:, :half])
        _sum_high(part[:, half:])
        np.add(part[:, :half], part[:, half:], out=part[:, :half])
        return
    while states > 1:
        # The last bit first: its halves lie next to each other.
        pairs = part.reshape(rows, states // 2, 2, width)
        np.add(pairs[:, :, 0], pairs[:, :, 1], out=pairs[:, :, 0])
        states, width = states // 2, width * 2


def _leakages_of_state(
    plan: _GroupPlan,
    state: int,
    block: Floats,
    coefficients: Floats,
    values: Floats,
    determined: NDArray[np.bool_],
) -> None:
    rows, outputs, _ = coefficients.shape
    low = block.shape[2]
    densities = working_arrays.take("densities", outputs, rows, low)
    np.matmul(coefficients, block, out=densities.transpose(1, 0, 2))
    place = plan.group.place(values, state)
    largest, smallest, prior = ratio_extremes(densities, plan.group.size)
    write_leakages(
        largest.reshape(place.shape),
        smallest.reshape(place.shape),
        prior.reshape(place.shape),
        place,
        plan.group.place(determined, state),
    )
