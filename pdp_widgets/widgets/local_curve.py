"""The curve of a pair by budget, where its table is too large for the browser to compute one itself."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError
from pdp_widgets.leakage.local.hull import Fronts
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.mechanism_reading import best_of, read
from pdp_widgets.leakage.progress import ProgressHook, part

__all__ = ["MOST_CELLS", "PairCurve", "curve_seconds", "has_curve", "late_curve_seconds", "pair_curve"]

Floats = NDArray[np.float64]

#: Cells of the table of a pair up to which the browser draws curves by itself.
MOST_CELLS = 10_000
#: Budgets of a curve, and of a coarse one.
_BUDGETS, _FEW = 41, 9
#: Seconds that a curve may take at once, and beside everything else before it becomes a coarse one.
_AT_ONCE, _LONGEST = 0.3, 10.0
#: Seconds for each product of labels (secret, secret, source): sorted once, or searched at one budget.
_SORTED, _SEARCHED, _OF_ONE_SIZE = 1.2e-7, 5e-9, 3e-9


@dataclass(frozen=True, eq=False)
class PairCurve:
    """What leaks of a pair, in both directions, at several budgets.

    Parameters
    ----------
    source, secret
        Positions in the analysis.
    epsilons
        The budgets.
    pair, mirror
        The leakages in nats, each exact.
    coarse
        Whether there are few budgets, since each takes long.
    """

    source: int
    secret: int
    epsilons: Floats
    pair: Floats
    mirror: Floats
    coarse: bool
    #: Points of both directions, where they decide at every budget and by every mechanism of their kind.
    fronts: tuple[Fronts, Fronts] | None = field(default=None, repr=False)


def _each(analysis: LocalAnalysis, source: int) -> tuple[str, float]:
    """Return which outputs decide, and about how many seconds a whole curve takes for each product."""
    if analysis.output == "inferred":
        return "singletons", 0.0
    kind = analysis.mechanisms[source].family(int(analysis.tables.sizes[source])).kind
    return kind, {"all": _SORTED, "exactly": _OF_ONE_SIZE * _BUDGETS}.get(kind, 0.0)


def _products(analysis: LocalAnalysis, source: int, secret: int) -> float:
    m, t = (float(analysis.tables.sizes[place]) for place in (secret, source))
    return m * t * (m + t)


def has_curve(analysis: LocalAnalysis, source: int, secret: int) -> bool:
    """Tell whether a pair needs a curve from here, and its mechanism has budgets to draw one over."""
    sizes = analysis.tables.sizes
    if sizes[source] * sizes[secret] <= MOST_CELLS:
        return False
    try:
        analysis.mechanisms[source].with_epsilon(1.0)
    except BudgetError:
        return False
    return True


def curve_seconds(analysis: LocalAnalysis, source: int, secret: int, last: PairCurve | None = None) -> float:
    """Return about how long `pair_curve` takes. Nothing is computed.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> curve_seconds(LocalAnalysis(titanic(), "OUE", 1.0), 0, 3) < 0.001
    True
    """
    kind, each = _each(analysis, source)
    if kind == "all" and _known(last, source, secret) is not None:
        return 0.0
    products = _products(analysis, source, secret)
    if each * products <= _LONGEST:
        return each * products
    return products * _FEW * (_SEARCHED if kind == "all" else _OF_ONE_SIZE)


def late_curve_seconds(analysis: LocalAnalysis, source: int, secret: int) -> float:
    """Return the same of a curve that takes longer than a moment, and 0 for all others."""
    seconds = curve_seconds(analysis, source, secret) if has_curve(analysis, source, secret) else 0.0
    return seconds if seconds > _AT_ONCE else 0.0


def pair_curve(
    analysis: LocalAnalysis,
    source: int,
    secret: int,
    progress: ProgressHook | None = None,
    last: PairCurve | None = None,
) -> PairCurve:
    """Return the leakages of a pair by budget.

    Parameters
    ----------
    analysis
        Whose mechanism of the source has budgets.
    source, secret
        Positions.
    progress
        Called with the share done. What it raises cancels.
    last
        An earlier curve of the same tables: what was sorted for the same pair is used again.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> analysis = LocalAnalysis(titanic(), "OUE", 1.0)
    >>> found = pair_curve(analysis, 0, 3)
    >>> place = found.epsilons.tolist().index(1.0)
    >>> round(float(found.pair[place]), 6) == round(float(analysis.matrix[0, 3]), 6)
    True
    """
    kind, each = _each(analysis, source)
    fronts = _known(last, source, secret)
    coarse = each * _products(analysis, source, secret) > _LONGEST and (kind != "all" or fronts is None)
    epsilon = analysis.mechanisms[source].epsilon
    end = max(4.0, 1.5 * epsilon) if np.isfinite(epsilon) else 10.0
    levels = np.linspace(0.0, end, _FEW if coarse else _BUDGETS)
    ways = ((source, secret, part(progress, 0.0, 0.5)), (secret, source, part(progress, 0.5, 1.0)))
    if kind == "all" and not coarse:
        if fronts is None:
            one, other = (
                Fronts.all_subsets([analysis.tables.pair(j, k, analysis.min_count).given.source(0)], hook)
                for j, k, hook in ways
            )
            fronts = one, other
        values = [front.values(levels) for front in fronts]
    else:
        values = [_searched(analysis, j, k, levels, hook) for j, k, hook in ways]
    return PairCurve(source, secret, levels, values[0], values[1], coarse, fronts)


def _known(last: PairCurve | None, source: int, secret: int) -> tuple[Fronts, Fronts] | None:
    return last.fronts if last is not None and (last.source, last.secret) == (source, secret) else None


def _searched(
    analysis: LocalAnalysis, source: int, secret: int, levels: Floats, progress: ProgressHook | None
) -> Floats:
    """Return the leakages at each budget, found by itself."""
    pair, mechanism = analysis.tables.pair(source, secret, analysis.min_count), analysis.mechanisms[source]
    found = np.zeros(len(levels))
    for place, level in enumerate(levels.tolist()):
        reading = read(mechanism.with_epsilon(level), pair.k, analysis.output)
        found[place] = best_of(pair.given, [reading]).value[0]
        if progress is not None:
            progress((place + 1) / len(levels))
    return found
