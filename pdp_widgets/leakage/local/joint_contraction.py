"""What the reports of several attributes together say about a secret: one contraction for each report.

Given the secret, a report depends on its own attribute alone: the likelihood of all reports together is the
table P(sources | secret) summed over every source with the likelihoods of its report. An output matters only
by the direction of its likelihoods, so that every set of symbols (or column of a matrix) stands for itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import Kind
from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.leakage.local.conditionals import Conditionals
from pdp_widgets.leakage.local.mechanism_reading import Reading
from pdp_widgets.leakage.local.secret_tables import MOST_CELLS, SecretTables
from pdp_widgets.leakage.local.subsets import all_subsets

__all__ = [
    "MOST_OUTPUTS",
    "as_one_source",
    "joint_log_ratios",
    "joint_outputs",
    "largest_joint_log_ratio",
    "least_together",
    "together",
]

Floats = NDArray[np.float64]

#: Combinations of outputs looked at; more are refused.
MOST_OUTPUTS = 5_000_000
# Products of likelihoods up to exp(600) are numbers; beyond, their logarithms are added.
_LARGEST = 600.0
_COMBINATIONS = Kind(
    "it must be a number of combinations, 0 or more; infinity is allowed", 0, infinite=True, error=DomainError
)
_BLOCK = 1 << 22


def joint_log_ratios(table: Floats, readings: Sequence[Reading], most_outputs: int = MOST_OUTPUTS) -> Floats:
    """Return the largest log ratio over all outputs for every ordered pair of secret values, shape (m, m)."""
    m = len(table)
    ratios = np.zeros((m, m))
    if m < 2:
        return ratios
    table, readings = _within(table, readings, most_outputs)
    if not readings:
        return ratios
    blocks = _log_blocks(table, readings) if _in_logs(readings) else _excess_blocks(table, readings)
    for found in blocks:
        logs = found if _in_logs(readings) else np.log1p(found)
        for x in range(m):
            with np.errstate(invalid="ignore"):
                difference = logs[x] - logs
            # What neither secret value leads to says nothing.
            difference[np.isnan(difference)] = 0.0
            np.maximum(ratios[x], difference.max(axis=1), out=ratios[x])
    np.fill_diagonal(ratios, 0.0)
    return ratios


def largest_joint_log_ratio(
    table: Floats, readings: Sequence[Reading], most_outputs: int = MOST_OUTPUTS
) -> float:
    """Return the largest entry of `joint_log_ratios`, which takes less time than all of them."""
    if len(table) < 2:
        return 0.0
    if any(r.kind == "matrix" for r in readings) or _in_logs(readings):
        return float(joint_log_ratios(table, readings, most_outputs).max(initial=0.0))
    table, readings = _within(table, readings, most_outputs)
    if not readings:
        return 0.0
    best = 0.0
    for excess in _excess_blocks(table, readings):
        least, most = excess.min(axis=0), excess.max(axis=0)
        best = max(best, float(((most - least) / (1 + least)).max()))
    return float(np.log1p(best))


def joint_outputs(table: Floats, readings: Sequence[Reading]) -> int:
    """Return how many combinations of outputs are to be looked at."""
    table, kept = _telling(table, readings)
    return prod(_directions(reading, t) for reading, t in zip(kept, table.shape[1:], strict=True))


def _within(table: Floats, readings: Sequence[Reading], most_outputs: int) -> tuple[Floats, list[Reading]]:
    """Return the sources that tell something, or raise LimitError for too many combinations."""
    most = _COMBINATIONS.take(most_outputs, "most_outputs")
    table, kept = _telling(table, readings)
    sizes = [_directions(reading, t) for reading, t in zip(kept, table.shape[1:], strict=True)]
    outputs = prod(sizes)
    if outputs > most:
        raise LimitError(
            f"{outputs:,} combinations of outputs would have to be looked at (limit {most:,.12g}); take "
            "fewer attributes or symbols, or the bounds without the exact value.",
            Where("parameter", name="most_outputs"),
        )
    # The report with the most outputs comes last: its outputs are taken in blocks.
    order = np.argsort(sizes, kind="stable").tolist()
    return table.transpose(0, *(axis + 1 for axis in order)), [kept[axis] for axis in order]


def _in_logs(readings: Sequence[Reading]) -> bool:
    return any(r.kind == "matrix" for r in readings) or sum(r.log_rho for r in readings) > _LARGEST


def _telling(table: Floats, readings: Sequence[Reading]) -> tuple[Floats, list[Reading]]:
    """Sum out sources that tell nothing, and leave out symbols that never occur where they cannot matter."""
    kept = []
    for axis in reversed(range(1, table.ndim)):
        reading = readings[axis - 1]
        others = tuple(a for a in range(table.ndim) if a != axis)
        seen = table.sum(axis=others) > 0
        if reading.log_rho == 0 or seen.sum() < 2:
            table = table.sum(axis=axis)
            continue
        if reading.kind in ("singletons", "all"):
            table = np.compress(seen, table, axis=axis)
        kept.append(reading)
    return table, kept[::-1]


def _directions(reading: Reading, t: int) -> int:
    """Return how many different likelihoods a report has."""
    if reading.matrix is not None:
        return int(reading.matrix.shape[1])
    if reading.kind == "singletons":
        return t
    return comb(t, reading.size) if reading.kind == "exactly" else 2**t - 2


def _sets(reading: Reading, t: int) -> NDArray[np.bool_]:
    """Return the favoured sets of a report as flags, shape (t, sets)."""
    if reading.kind == "singletons":
        return np.eye(t, dtype=np.bool_)
    if reading.kind == "all":
        numbers = np.arange(1, 2**t - 1)
        return np.asarray((numbers >> np.arange(t)[:, None]) & 1, dtype=np.bool_)
    chosen = np.array(list(combinations(range(t), reading.size)))
    found = np.zeros((t, len(chosen)), dtype=np.bool_)
    found[chosen.T, np.arange(len(chosen))] = True
    return found


def _excess_blocks(table: Floats, readings: Sequence[Reading]) -> Iterator[Floats]:
    """Yield the excess of likelihoods over their least possible value, 1, in blocks of outputs."""
    # The excess is kept by itself, so that tiny budgets lose no digits.
    plain = table[:, None]
    excess = np.zeros_like(plain)
    for reading in readings[:-1]:
        gain = np.expm1(reading.log_rho)
        if reading.kind == "singletons":
            favoured = gain * np.moveaxis(plain + excess, 2, -1)
        else:
            favoured = np.tensordot(plain + excess, gain * _sets(reading, plain.shape[2]), axes=([2], [0]))
        excess = excess.sum(axis=2)[..., None] + favoured
        # The new outputs join the ones before them: (m, outputs, t, ...).
        excess = np.moveaxis(excess, -1, 2)
        excess = excess.reshape(excess.shape[0], -1, *excess.shape[3:])
        plain = plain.sum(axis=2)
    last = readings[-1]
    rest, both = excess.sum(axis=2)[..., None], plain + excess
    if last.kind == "singletons":
        yield (rest + np.expm1(last.log_rho) * both).reshape(len(table), -1)
        return
    weights = np.expm1(last.log_rho) * _sets(last, plain.shape[2])
    step = max(1, _BLOCK // max(1, excess.shape[0] * excess.shape[1]))
    for start in range(0, weights.shape[1], step):
        yield (rest + both @ weights[:, start : start + step]).reshape(len(table), -1)


def _log_blocks(table: Floats, readings: Sequence[Reading]) -> Iterator[Floats]:
    """Yield logarithms of likelihoods, each divided by the largest of its report, in blocks of outputs."""
    with np.errstate(divide="ignore"):
        logs = np.log(table[:, None])
    for reading in readings[:-1]:
        logs = _log_contract(logs, _log_weights(reading, logs.shape[2]))
    weights = _log_weights(readings[-1], logs.shape[2])
    step = max(1, _BLOCK // max(1, logs.shape[0] * logs.shape[1]))
    for start in range(0, weights.shape[1], step):
        yield _log_contract(logs, weights[:, start : start + step])


def _log_weights(reading: Reading, t: int) -> Floats:
    if reading.matrix is not None:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(reading.matrix))
    return np.where(_sets(reading, t), 0.0, -reading.log_rho)


def _log_contract(logs: Floats, weights: Floats) -> Floats:
    """Return ln sum_u exp(logs[:, :, u] + weights[u]), with the new outputs behind the ones before."""
    m, before, t = logs.shape[:3]
    rest = logs.shape[3:]
    found = np.full((m, before, weights.shape[1], *rest), -np.inf)
    for u in range(t):
        # Logarithms below those of the least float are those of 0.
        with np.errstate(over="ignore"):
            term = logs[:, :, u, None] + weights[u].reshape(-1, *(1,) * len(rest))
        np.logaddexp(found, term, out=found)
    return found.reshape(m, -1, *rest)


def together(
    tables: SecretTables, readings: Sequence[Reading], own: float, most_outputs: int = MOST_OUTPUTS
) -> tuple[float, float]:
    """Return what all reports say about the secret, and what those of the sources say, exactly."""
    # Given the secret, its own report is independent of the others. Its worst ratio is the same for every
    # pair of values, so that both add up; for a given matrix it is not, and the sum is maximised over pairs.
    if tables.dense is None:
        raise LimitError(
            f"The joint table of {len(tables.sizes)} attributes has {float(prod(tables.sizes)):.3g} cells "
            f"(limit {MOST_CELLS:,}); take fewer of them as sources.",
            call="exact=False gives the bounds.",
        )
    matrix = readings[0].matrix
    if matrix is None or len(tables.kept) < 2:
        others = largest_joint_log_ratio(tables.dense, readings[1:], most_outputs)
        return own + others, others
    ratios = joint_log_ratios(tables.dense, readings[1:], most_outputs)
    return _with_channel(ratios, matrix[tables.kept]), float(ratios.max(initial=0.0))


def least_together(
    tables: SecretTables, readings: Sequence[Reading], own: float, alone: Sequence[float]
) -> float:
    """Return what the own report and the worst other one say: never more than all together."""
    matrix = readings[0].matrix
    if matrix is None or len(tables.kept) < 2:
        return own + max(alone, default=0.0)
    # The worst pair of the own report need not be the worst of another one.
    kept = matrix[tables.kept]
    found = [_with_channel(np.zeros((len(kept), len(kept))), kept), *alone]
    for place, reading in enumerate(readings[1:]):
        try:
            ratios = joint_log_ratios(tables.alone.source(place), [reading])
        except LimitError:
            continue
        found.append(_with_channel(ratios, kept))
    return max(found)


def as_one_source(tables: SecretTables, budget: float) -> float:
    """Return the bound for all sources together: one symbol for each combination that occurs."""
    if len(tables.kept) < 2:
        return 0.0
    return float(all_subsets(Conditionals.of(tables.observed), budget).value[0])


def _with_channel(ratios: Floats, matrix: Floats) -> float:
    """Return the total for a secret released by a matrix: both reports favour one pair at a time."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(matrix)
        own = logs[:, None] - logs[None]
    own[np.isnan(own)] = -np.inf
    total = own.max(axis=2) + ratios
    np.fill_diagonal(total, 0.0)
    return float(total.max())
