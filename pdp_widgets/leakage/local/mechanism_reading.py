"""How a mechanism is given and read: what its outputs say about a symbol, and what they then leak."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, DomainError, Where
from pdp_widgets.leakage.local.conditionals import Best, Conditionals
from pdp_widgets.leakage.local.hull import two_level
from pdp_widgets.leakage.local.subsets import all_subsets, favoured, singletons, subsets_of_size, top_symbols
from pdp_widgets.leakage.value import Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.models.labels import shown

__all__ = [
    "SOURCE",
    "Mechanisms",
    "Reading",
    "as_mechanism",
    "as_output",
    "best_of",
    "check_mechanism",
    "dpl_of",
    "finite_channel",
    "log_extremes",
    "mechanisms_for",
    "read",
    "read_all",
    "with_epsilon",
    "worst_symbols",
]

Floats = NDArray[np.float64]


def finite_channel(rows: Floats, channel: Floats) -> tuple[float, int, int, int]:
    """Return the largest log ratio over outputs that occur, the two rows that reach it, and the output."""
    # The printed loop of Algorithm 1 takes rows of the channel where columns are due, which is harmless for
    # symmetric channels alone.
    if len(rows) < 2:
        return 0.0, 0, 0, 0
    # Only ratios within a column count, and products of the smallest floats would lose their digits.
    most = channel.max(axis=0)
    likelihoods = rows @ (channel / np.where(most > 0, most, 1.0))
    value = log_extremes(likelihoods)
    output = int(value.argmax())
    column = likelihoods[:, output]
    return float(value[output]), int(column.argmax()), int(column.argmin()), output


def log_extremes(likelihoods: Floats) -> Floats:
    """Return ln (largest / smallest) of every column: 0 where all are 0, infinity where only some are."""
    high, low = likelihoods.max(axis=0), likelihoods.min(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.log(high) - np.log(low)
    return np.where(high > 0, np.maximum(value, 0.0), 0.0)


#: Whose definition of leakage it is.
PAPER = "Jayawardana, Ulukus, Ding and Thilakarathna"
SOURCE = f"{PAPER}, Eq. 3"

Kind: TypeAlias = Literal["singletons", "all", "exactly", "matrix"]


@dataclass(frozen=True, eq=False)
class Reading:
    """The likelihoods of a mechanism's outputs, all that a leakage depends on."""

    #: A set (one symbol, any set, or ``size`` symbols) is made rho times as likely as the rest; or a channel.
    kind: Kind
    #: Infinite for a matrix, which has no such number.
    log_rho: float = np.inf
    #: For ``"exactly"``.
    size: int = 0
    #: P(output | symbol), for ``"matrix"``.
    matrix: Floats | None = None


def as_output(output: Any) -> Output:
    """Return which output is read, or raise BudgetError."""
    if isinstance(output, str) and output in ("raw", "inferred"):
        return "raw" if output == "raw" else "inferred"
    raise BudgetError(
        f"The output is {shown(output)}; it is 'raw' (what is released) or 'inferred' (what is guessed from "
        "it).",
        Where("parameter", name="output"),
    )


def check_mechanism(mechanism: Any) -> LocalMechanism:
    """Return a mechanism, or raise TypeError with what would be accepted."""
    if not isinstance(mechanism, LocalMechanism):
        raise TypeError(
            f"The mechanism is {shown(mechanism)}; give a local mechanism such as GRR(1.0), or the name of "
            "one, such as 'OUE', with epsilon=1.0."
        )
    return mechanism


def read(mechanism: LocalMechanism, k: int, output: Output = "raw") -> Reading:
    """Return how a mechanism is read for a source of k symbols."""
    if output == "inferred":
        return Reading("singletons", mechanism.inferred(k).log_ratio)
    if not mechanism.two_level:
        return Reading("matrix", matrix=mechanism.channel(k))
    family, log_rho = mechanism.family(k), mechanism.promise(k)
    if family.kind != "exactly":
        return Reading(family.kind, log_rho)
    size = family.size or 1
    if size >= k:
        return Reading("singletons", 0.0)
    return Reading("singletons", log_rho) if size == 1 else Reading("exactly", log_rho, size)


def read_all(mechanisms: Sequence[LocalMechanism], sizes: Sequence[int], output: Output) -> list[Reading]:
    """Return how every attribute's report is read; equal mechanisms of equal sizes are read once."""
    found: dict[tuple[LocalMechanism, int], Reading] = {}
    pairs = list(zip(mechanisms, sizes, strict=True))
    for mechanism, k in pairs:
        if (mechanism, k) not in found:
            found[mechanism, k] = read(mechanism, k, output)
    return [found[pair] for pair in pairs]


def dpl_of(mechanism: LocalMechanism, k: int, output: Output) -> float:
    """Return what the report of an attribute of k symbols says about itself, in nats."""
    return mechanism.promise(k) if output == "raw" else mechanism.inferred(k).log_ratio


def best_of(given: Conditionals, readings: Sequence[Reading]) -> Best:
    """Return the leakage about one secret, one reading for each source."""
    by_kind: dict[str, list[int]] = {}
    for j, reading in enumerate(readings):
        by_kind.setdefault(reading.kind, []).append(j)
    if len(by_kind) == 1:
        return _best_of_kind(given, readings)
    value, (first, second) = np.zeros(given.sources), np.zeros((2, given.sources), dtype=np.int64)
    for chosen in by_kind.values():
        found = _best_of_kind(given.take(chosen), [readings[j] for j in chosen])
        value[chosen], first[chosen], second[chosen] = found.value, found.first, found.second
    return Best(value, first, second)


def _best_of_kind(given: Conditionals, readings: Sequence[Reading]) -> Best:
    kind = readings[0].kind
    if kind in ("singletons", "all"):
        levels = np.array([reading.log_rho for reading in readings])
        return singletons(given, levels) if kind == "singletons" else all_subsets(given, levels)
    best = Best.nothing(given.sources)
    for j, reading in enumerate(readings):
        rows, kept = given.source(j), given.kept(j)
        if reading.matrix is not None:
            value, x, other, _ = finite_channel(rows, reading.matrix)
        else:
            value, x, other = subsets_of_size(rows, reading.size, reading.log_rho)
        if len(kept) > 1:
            best.value[j], best.first[j], best.second[j] = value, kept[x], kept[other]
    return best


def worst_symbols(reading: Reading, upper: Floats, lower: Floats, value: float) -> NDArray[np.bool_]:
    """Return flags of the favoured set that reaches a leakage for the worst two rows; none for a matrix."""
    chosen = np.zeros(len(upper), dtype=np.bool_)
    if value <= 0 or reading.kind == "matrix":
        return chosen
    if reading.kind == "all":
        return favoured(upper, lower, value)
    if reading.kind == "singletons":
        # Of symbols that differ by rounding alone the first.
        by_symbol = two_level(upper, lower, reading.log_rho)
        most = float(by_symbol.max())
        chosen[int((by_symbol >= (most if np.isinf(most) else most * (1 - 1e-12))).argmax())] = True
        return chosen
    chosen[top_symbols(upper, lower, reading.size, value)] = True
    return chosen


Mechanisms: TypeAlias = (
    LocalMechanism | str | Sequence["LocalMechanism | str"] | Mapping[str, "LocalMechanism | str"]
)


def mechanisms_for(
    given: Mechanisms,
    epsilon: float | None,
    names: Sequence[str],
    domains: Sequence[Sequence[Any]],
    parameter: str = "mechanism",
) -> tuple[LocalMechanism, ...]:
    """Return one mechanism for each attribute, as `LocalAnalysis` takes them, or raise DomainError."""
    found = _as_given(given, epsilon, names, parameter)
    of_each = zip(found, domains, names, strict=True)
    return tuple(one.for_labels(labels, name) for one, labels, name in of_each)


def _as_given(
    given: Mechanisms, epsilon: float | None, names: Sequence[str], parameter: str
) -> tuple[LocalMechanism, ...]:
    """Return one mechanism for each attribute, its symbols as they were named."""
    if isinstance(given, LocalMechanism | str):
        return (as_mechanism(given, epsilon),) * len(names)
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in names]
        absent = [name for name in names if name not in given]
        if unknown or absent:
            wrong = f"no attribute {shown(unknown[0])}" if unknown else f"no mechanism for {shown(absent[0])}"
            raise DomainError(
                f"There is {wrong}; give one mechanism for each attribute.",
                Where("parameter", name=parameter),
            )
        return tuple(as_mechanism(given[name], epsilon) for name in names)
    if not isinstance(given, Iterable):
        return (check_mechanism(given),)
    return _as_many(tuple(as_mechanism(one, epsilon) for one in given), len(names), parameter)


def with_epsilon(mechanisms: Sequence[LocalMechanism], epsilon: float) -> tuple[LocalMechanism, ...]:
    """Return the mechanisms with another budget; equal ones become one."""
    made = {one: one.with_epsilon(epsilon) for one in mechanisms}
    return tuple(made[one] for one in mechanisms)


def as_mechanism(
    given: LocalMechanism | str, epsilon: float | None = None, *, any_budget: bool = False
) -> LocalMechanism:
    """Return one mechanism, given by name or made; or raise an error that says what is accepted."""
    if isinstance(given, str):
        return mechanism_named(given, 1.0 if any_budget and epsilon is None else epsilon)
    made = check_mechanism(given)
    return made if epsilon is None else made.with_epsilon(epsilon)


def _as_many(given: tuple[LocalMechanism, ...], n: int, name: str) -> tuple[LocalMechanism, ...]:
    if len(given) != n:
        raise DomainError(
            f"There are {len(given)} mechanisms for {n} attributes; give one for all, or one for each.",
            Where("parameter", name=name),
        )
    return given
