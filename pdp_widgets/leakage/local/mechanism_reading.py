"""How a mechanism is read: what its outputs say about a symbol of the source, and what they then leak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.local.all_subsets import all_subsets, favoured
from pdp_widgets.leakage.local.channel_leakage import finite_channel
from pdp_widgets.leakage.local.conditionals import Best, Conditionals
from pdp_widgets.leakage.local.singletons import singletons
from pdp_widgets.leakage.local.subsets_of_size import subsets_of_size, top_symbols
from pdp_widgets.leakage.local.two_level import two_level
from pdp_widgets.leakage.value import Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.labels import shown

__all__ = [
    "SOURCE",
    "Reading",
    "as_output",
    "best_of",
    "check_mechanism",
    "dpl_of",
    "read",
    "read_all",
    "worst_symbols",
]

Floats = NDArray[np.float64]

#: Whose definition of leakage it is.
SOURCE = "Jayawardana, Ulukus, Ding and Thilakarathna, Eq. 3"

Kind: TypeAlias = Literal["singletons", "all", "exactly", "matrix"]


@dataclass(frozen=True, eq=False)
class Reading:
    """The likelihoods of a mechanism's outputs, all that a leakage depends on.

    Parameters
    ----------
    kind
        ``"singletons"``, ``"all"`` and ``"exactly"``: each output makes the symbols of a set rho times as
        likely as the others, and the set is one symbol, any set, or one of ``size`` symbols. ``"matrix"``: a
        finite channel.
    log_rho
        ln rho; infinite for a matrix, which has no such number.
    size
        Number of symbols of every set, for ``"exactly"``.
    matrix
        P(output | symbol), for ``"matrix"``.
    """

    kind: Kind
    log_rho: float = np.inf
    size: int = 0
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
    """Return how a mechanism is read for a source of k symbols.

    Raises
    ------
    BudgetError
        No guess is defined for the mechanism, or its parameters do not go with k symbols.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> read(GRR(1.0), 4)
    Reading(kind='singletons', log_rho=1.0, size=0, matrix=None)
    """
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
    """Return the leakage about one secret, one reading for each source.

    Examples
    --------
    >>> rows = Conditionals.of([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]])
    >>> best_of(rows, [Reading("exactly", 1.0, 2)]).value.round(6).tolist()
    [0.244725]
    """
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
    """Return the favoured set that reaches a leakage, for the two rows of the worst pair, as flags.

    For a matrix there is none: an output has more than two levels.
    """
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
