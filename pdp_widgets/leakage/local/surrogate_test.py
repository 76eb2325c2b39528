"""Whether records show any leakage at all, and how uncertain one is that was computed from them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.converters import as_generator
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import (
    BudgetError,
    LimitError,
    ReplicatedRecordsWarning,
    TableError,
    Where,
    warn_caller,
)
from pdp_widgets.leakage.drawn_tables import BOUNDED, Method, blocks, sampling
from pdp_widgets.leakage.local.conditionals import Conditionals
from pdp_widgets.leakage.local.mechanism_reading import Reading, as_mechanism, as_output, best_of, read
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.leakage.local.records import as_two, for_source
from pdp_widgets.leakage.local.statistical import (
    Alpha,
    as_alpha,
    as_repeats,
    as_whole_counts,
    guessed_counts,
    log_ratio_of_counts,
    statistical_leakage,
)
from pdp_widgets.leakage.sweeps import as_executor, swept
from pdp_widgets.leakage.value import Leakage, Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import as_choice, shown

__all__ = ["SurrogateTest", "pair_interval", "surrogate_test"]

Floats = NDArray[np.float64]

# Mirrored tables have the same value but for rounding.
_SAME = 1e-12
_BLOCK = 1 << 20
_MOST_SURROGATES = 10_000_000
# Tables are drawn with 32-bit numbers, which wrap around beyond.
_MOST_RECORDS = 1 << 30


@dataclass(frozen=True, eq=False)
class SurrogateTest(ReadOnlyArrays):
    """How a leakage compares with that of tables in which secret and source are independent.

    Parameters
    ----------
    leakage
        The observed value.
    p_value
        Share of surrogate tables, the observed one included, that leak as much or more.
    surrogates
        Leakages of the surrogate tables, read-only.
    unit
        What was permuted: ``"record"``, or ``"replicate"`` as in the paper.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> print(surrogate_test([[30, 10], [10, 30]], GRR(1.0), rng=1))
    0.470615 nats (exact): secret, from the report of source; p = 0.0001 (10,000 surrogates of records)
    """

    leakage: Leakage
    p_value: float
    surrogates: Floats
    unit: Literal["record", "replicate"]

    @property
    def expected(self) -> float:
        """Mean leakage of the surrogate tables: what few records alone look like."""
        return float(self.surrogates.mean())

    def __str__(self) -> str:
        return f"{self.leakage}; p = {self.p_value:.3g} ({len(self.surrogates):,} surrogates of {self.unit}s)"


def surrogate_test(
    counts: AttributeTable | JointDistribution | ArrayLike,
    mechanism: LocalMechanism | str | None = None,
    *,
    epsilon: float | None = None,
    output: Output = "raw",
    surrogates: int = 10_000,
    alpha: Alpha = 0.0,
    unit: Literal["record", "replicate"] = "record",
    repeats: int = 50,
    rng: np.random.Generator | int | None = None,
    names: Sequence[str] | None = None,
    secret: str | int | None = None,
    source: str | int | None = None,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
) -> SurrogateTest:
    """Test whether a leakage is larger than that of records whose secret and source were shuffled.

    Parameters
    ----------
    counts
        Records of every secret value (axis 0) and source symbol (axis 1); or records (a data frame too) or a
        joint distribution with both attributes.
    mechanism
        How the source is released, a mechanism or the name of one: the statistic is the leakage under a
        table. Without it the statistic is the largest log ratio of the counts themselves, of a source that is
        not randomised, see `statistical_leakage`.
    epsilon
        The budget in nats; needed for a name, and otherwise replacing the mechanism's own.
    output
        ``"raw"`` or ``"inferred"``, with a mechanism.
    surrogates
        How many shuffled tables.
    alpha
        Added to every cell, without a mechanism.
    unit
        ``"record"``: original records are shuffled. ``"replicate"``: the paper's test on records perturbed
        ``repeats`` times each, which takes replicates for independent records: under independence it rejects
        two times in three at a nominal 5 %, and a warning says so.
    repeats
        For ``"replicate"``.
    rng
        Generator or seed.
    names
        Names of secret and source: they choose two attributes of records or of a joint distribution.
    secret, source
        The same one by one, instead of ``names``; of records positions too.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.
    executor
        Whose workers look at the tables, which are drawn here, as for `pdp_widgets.prior.leakage_intervals`.

    Raises
    ------
    DomainError
        There are more than two attributes, and the names do not choose two of them.
    TableError
        The table has no counts of records, or a number is not one.
    LimitError
        There are more than 2^30 records (with repeats, for replicates), or more than 10,000,000 surrogates,
        or they take longer than the limit.
    BudgetError
        ``unit="replicate"`` without a mechanism, an output that is neither, or a name without a budget.

    Warns
    -----
    ReplicatedRecordsWarning
        With ``unit="replicate"``.

    Notes
    -----
    Shuffling one column of the records is drawing a table with the same margins, without a pass over the
    records. p = (1 + number of surrogates with at least the observed value) / (1 + surrogates).

    Examples
    --------
    >>> found = surrogate_test([[9, 3], [4, 8]], rng=1)
    >>> round(found.leakage.value, 6), abs(found.p_value - 0.0995) < 0.02
    (0.980829, True)
    """
    two, names = as_two(counts, names, secret, source)
    table = as_whole_counts(two, "counts")
    kind = as_output(output)
    chosen = None if mechanism is None else for_source(as_mechanism(mechanism, epsilon), two)
    many = _number(surrogates)
    generator, times = as_generator(rng), as_repeats(repeats)
    added, workers = as_alpha(alpha), as_executor(executor)
    as_choice(unit, "unit", ("record", "replicate"), TableError)
    if unit == "replicate":
        if chosen is None:
            raise BudgetError(
                "The paper's test perturbs every record several times; name the mechanism.",
                Where("parameter", name="mechanism"),
            )
        warn_caller(
            f"Replicates of one record are not independent: with {times} of each the test "
            "finds leakage where there is none. Use unit='record'.",
            ReplicatedRecordsWarning,
        )
        table = guessed_counts(table, chosen, times, generator)
        observed = statistical_leakage(table, added, output="inferred", names=names)
        reading = None
    elif chosen is None:
        observed, reading = statistical_leakage(table, added, names=names), None
    else:
        observed = pair_leakage(table, chosen, kind, names=names).leakage
        reading = read(chosen, table.shape[1], kind)
    _check_records(table, unit)
    hook = timed(progress, limit, f"The test with {many:,} surrogates", "Draw fewer of them.")
    found = _surrogates(table, reading, added, many, generator, workers, Progress(hook, many))
    found.setflags(write=False)
    reached = found >= observed.value * (1 - _SAME)
    return SurrogateTest(observed, float(1 + reached.sum()) / (1 + many), found, unit)


def _number(surrogates: Any) -> int:
    many = as_size(surrogates, "surrogates", 1, error=TableError, subject="The number of surrogates")
    if many > _MOST_SURROGATES:
        raise LimitError(
            f"The number of surrogates is {shown(many)}; at most {_MOST_SURROGATES:,} are drawn.",
            Where("parameter", name="surrogates"),
        )
    return many


def _check_records(table: NDArray[np.int64], unit: str) -> None:
    records = int(table.sum())
    if records > _MOST_RECORDS:
        less = "take fewer repeats" if unit == "replicate" else "draw a sample of the records"
        raise LimitError(
            f"The counts have {records:,} records{' with their repeats' if unit == 'replicate' else ''}, and "
            f"tables are shuffled for at most {_MOST_RECORDS:,}; {less}.",
            Where("parameter", name="counts" if unit == "record" else "repeats"),
        )


def _surrogates(
    table: NDArray[np.int64],
    reading: Reading | None,
    alpha: Alpha,
    many: int,
    rng: np.random.Generator,
    workers: Executor | None,
    told: Progress,
) -> Floats:
    """Return the statistic of tables drawn with the margins of a table."""
    from scipy.stats import random_table

    rows, columns = table.sum(axis=1), table.sum(axis=0)
    kept_rows, kept_columns = np.flatnonzero(rows), np.flatnonzero(columns)
    if len(kept_rows) < 2 or len(kept_columns) < 2:
        return np.zeros(many)
    law = random_table(rows[kept_rows], columns[kept_columns])
    step = max(1, _BLOCK // table.size)
    sizes = (min(step, many - start) for start in range(0, many, step))
    # A table is no number, but one of them comes without its axis.
    shape = len(kept_rows), len(kept_columns)
    drawn = (np.asarray(law.rvs(size=size, random_state=rng)).reshape(size, *shape) for size in sizes)
    found = partial(_statistics, reading, alpha, table.shape[1], kept_columns)
    parts = swept(found, drawn, workers, told)
    told.finish()
    return np.concatenate(parts)


def _statistics(
    reading: Reading | None, alpha: Alpha, symbols: int, kept: NDArray[np.intp], drawn: Floats, told: Progress
) -> Floats:
    """Return the statistic of shuffled tables of the symbols that are ``kept``, since they have records."""
    if reading is None:
        found = log_ratio_of_counts(drawn, alpha)
    else:
        # Symbols without records stay where they are: subset selection fills its sets with them.
        whole = np.zeros((*drawn.shape[:2], symbols))
        whole[:, :, kept] = drawn
        found = leakages_of_tables(whole, reading)
    told.step(len(drawn))
    return found


def leakages_of_tables(tables: Floats, reading: Reading) -> Floats:
    """Return the leakage under each of many tables of one shape, read in the same way."""
    many, m, t = tables.shape
    side_by_side = tables.transpose(1, 0, 2).reshape(m, many * t)
    return best_of(Conditionals.from_counts(side_by_side, [t] * many), [reading] * many).value


def _leakages(reading: Reading, tables: Floats, told: Progress) -> Floats:
    """Return the leakage under each of many tables, counted."""
    found = leakages_of_tables(tables, reading)
    told.step(len(tables))
    return found


#: Leakages that are kept until their quantiles are known: 80 MB.
_MOST_DRAWS = 10_000_000


def pair_interval(
    table: AttributeTable | JointDistribution | ArrayLike,
    mechanism: LocalMechanism | str,
    output: Output = "raw",
    *,
    epsilon: float | None = None,
    names: Sequence[str] | None = None,
    secret: str | int | None = None,
    source: str | int | None = None,
    method: Method = "dirichlet",
    level: float = 0.95,
    draws: int = 1000,
    prior: str | float = BOUNDED,
    zeros: Literal["possible", "structural"] = "possible",
    rng: np.random.Generator | int | None = None,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
) -> Leakage:
    """Return a leakage with an interval from tables that the records make plausible.

    Parameters
    ----------
    table
        Counts of two attributes, the secret first; or records (a data frame too) or a joint distribution of
        more, and which two of them.
    mechanism, output, epsilon, names, secret, source
        As for `pair_leakage`.
    method, draws, prior, zeros, rng
        As for `drawn_tables`.
    level
        Share of the drawn leakages inside the interval; as many lie below it as above.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.
    executor
        Whose workers look at the tables, which are drawn here, as for `pdp_widgets.prior.leakage_intervals`.

    Returns
    -------
    leakage
        Status ``"estimate"``: the value under the table itself, with the interval. A leakage is a maximum and
        looks larger with few records, so that the interval may lie above the value; ``source`` then says so.

    Raises
    ------
    TableError
        The table has no counts, or a parameter is not offered.
    DomainError
        There are not two attributes, and none are chosen.
    LimitError
        There are more than 10,000,000 draws, or they take longer than the limit.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> found = pair_interval(titanic(), GRR(1.0), secret="survived", source="class", rng=1)
    >>> found.status, round(found.value, 3), [round(end, 2) for end in found.interval]
    ('estimate', 0.268, [0.22, 0.31])
    """
    two, named = as_two(table, names, secret, source)
    if not isinstance(two, JointDistribution):
        two = JointDistribution.from_counts(as_whole_counts(two), None, named or ("secret", "source"))
    how, workers = sampling(two, method, level, draws, prior, zeros), as_executor(executor)
    if how.draws > _MOST_DRAWS:
        raise LimitError(
            f"The number of draws is {how.draws:,}; at most {_MOST_DRAWS:,} tables are drawn.",
            Where("parameter", name="draws"),
        )
    kind, chosen = as_output(output), for_source(as_mechanism(mechanism, epsilon), two)
    exact = pair_leakage(two, chosen, kind, names=named).leakage
    reading = read(chosen, two.shape[1], kind)
    hook = timed(progress, limit, f"The interval from {how.draws:,} tables", "Ask for fewer draws.")
    told = Progress(hook, how.draws)
    found = np.concatenate(swept(partial(_leakages, reading), blocks(two, how, rng), workers, told))
    told.finish()
    tail = (1 - how.level) / 2
    if np.isfinite(found).all():
        low, high = (float(end) for end in np.quantile(found, [tail, (1 + how.level) / 2]))
    else:
        # Drawn values rather than points between them: between a number and infinity there is none.
        low = float(np.quantile(found, tail, method="lower"))
        high = float(np.quantile(found, (1 + how.level) / 2, method="higher"))
    return replace(
        exact,
        status="estimate",
        interval=(low, high),
        source=f"{exact.source}; {how.in_words(0.0, exact.value, low, high)}",
    )
