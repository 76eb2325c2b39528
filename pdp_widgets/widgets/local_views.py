"""What the browser shows of a local explorer: the table, all pairs, one pair, all reports together."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError
from pdp_widgets.leakage.local.all_reports import ReportsCurve
from pdp_widgets.leakage.local.curve_points import CurvePoints
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.mechanism_reading import Reading, best_of
from pdp_widgets.leakage.local.pair_leakage import PairLeakage, worst_report_chances
from pdp_widgets.leakage.local.pair_tables import PairTables
from pdp_widgets.leakage.local.utility import UtilityComparison
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.widgets.local_late import (
    MOST_CELLS,
    CalibratedBudget,
    LateNumbers,
    PairCurve,
    has_curve,
    late_curve_seconds,
    pair_curve,
)
from pdp_widgets.widgets.local_release import parameters_of
from pdp_widgets.widgets.local_results import LocalResults, LocalValue, is_counted
from pdp_widgets.widgets.wire import LABEL_BYTES, LONGEST_TEXT, float_bytes, label_texts

Floats = NDArray[np.float64]

#: Points of all pairs that a view has room for.
_MOST_POINTS = 6000
#: What a page computes with: attributes, labels, and cells of the joint table; tests/data/page-limits.json.
_PAGE_ATTRIBUTES, _PAGE_SYMBOLS, _PAGE_CELLS = 12, 200, 20_000


def label_counts(value: LocalValue) -> list[Floats]:
    """Return how often each label of each attribute occurs: records, or probabilities without any."""
    if isinstance(value, AttributeTable):
        return [value.counts(place).astype(np.float64) for place in range(value.n_attributes)]
    numbers = value.table if value.counts is None else value.counts
    axes = range(numbers.ndim)
    return [numbers.sum(axis=tuple(b for b in axes if b != a)).astype(np.float64) for a in axes]


def local_inputs_state(value: LocalValue, attributes: tuple[int, ...], noun: str) -> dict[str, Any]:
    """Return the table as the browser shows it."""
    records: int | None
    if isinstance(value, AttributeTable):
        records, missing = value.n_records, int(value.missing.sum())
    else:
        records, missing = None if value.counts is None else int(value.counts.sum()), 0
    names = label_texts(value.names, LABEL_BYTES)
    symbols = sum(len(domain) for domain in value.domains)
    return {
        "title": value.title[:LONGEST_TEXT],
        "noun": noun,
        "records": records,
        "unit": "nats",
        "attributes": [
            {
                "name": name,
                "labels": label_texts(domain, LABEL_BYTES, symbols),
                "counts": float_bytes(counts),
                "chosen": place in attributes,
            }
            for place, (name, domain, counts) in enumerate(
                zip(names, value.domains, label_counts(value), strict=True)
            )
        ],
        "missing": {
            "rule": "left out pair by pair" if missing else "none",
            "count": missing,
        },
    }


def local_results_state(
    results: LocalResults, pair: tuple[int, int] | None, reports: ReportsCurve | None = None
) -> dict[str, Any]:
    """Return all results as the browser shows them."""
    inputs, analysis, late = results.inputs, results.analysis, results.late
    mechanism, sizes = inputs.mechanism, analysis.tables.sizes.tolist()
    keep, other = guess_rates(analysis)
    nmi, correlation = results.associations
    chosen = inputs.attributes
    return {
        "names": chosen,
        "epsilon": mechanism.epsilon,
        "mechanism": mechanism.name,
        "parameters": parameters_of(mechanism, inputs.only),
        "output": analysis.output,
        "min_count": analysis.min_count,
        "promise": max(one.promise(k) for one, k in zip(analysis.mechanisms, sizes, strict=True)),
        "matrix": float_bytes(analysis.matrix),
        "own": float_bytes(analysis.dpl),
        "kept": float_bytes(keep),
        "other": float_bytes(other),
        "points": _points(analysis, results.points),
        "totals": None if late is None else _totals(late),
        "pair": None if pair is None else _kept_pair(results, chosen.index(pair[0]), chosen.index(pair[1])),
        "reports": None if reports is None or pair is None else _reports_state(reports, pair[1]),
        "association": {
            "nmi": float_bytes(nmi),
            "pcc": float_bytes(correlation),
            "normalisation": "joint",
        },
        "compared": None if late is None else _compared(late.comparison),
        "calibration": None if late is None else _calibration(late),
    }


def guess_rates(analysis: LocalAnalysis) -> tuple[Floats, Floats]:
    """Return how probable a right guess is, and one of a given wrong symbol; NaN where none is defined."""
    sizes = analysis.tables.sizes.tolist()
    keep, other = np.full((2, len(sizes)), np.nan)
    for place, (mechanism, k) in enumerate(zip(analysis.mechanisms, sizes, strict=True)):
        try:
            guess = mechanism.inferred(k)
        except BudgetError:
            continue
        keep[place], other[place] = guess.keep, guess.other
    return keep, other


def _points(analysis: LocalAnalysis, points: CurvePoints | None) -> dict[str, Any] | None:
    if points is None or points.a.size > _MOST_POINTS:
        return None
    singletons = all(reading.kind == "singletons" for reading in analysis.readings)
    return {
        "family": "singletons" if singletons else "subsets",
        "starts": np.ascontiguousarray(points.starts, dtype="<i4").tobytes(),
        "a": float_bytes(points.a),
        "b": float_bytes(points.b),
    }


def _totals(late: LateNumbers) -> dict[str, Any]:
    totals = late.totals
    exact = totals.exact_only
    return {
        "exact": None if np.isnan(exact).all() else float_bytes(exact),
        "constant": list(totals.constant),
        "sum": float_bytes(totals.pairwise_sum),
        "bound": float_bytes(totals.bound),
        "composition": totals.composition,
        "why": late.why,
        "records": totals.records,
    }


def _kept_pair(results: LocalResults, source: int, secret: int) -> dict[str, Any]:
    """Return one pair in full; all but a curve that comes later is the same for all views of the results."""
    if (source, secret) not in results.pairs:
        results.pairs.clear()
        results.pairs[source, secret] = _pair(results, source, secret)
    found, late = results.pairs[source, secret], results.late
    if late is None or late.curve is None or late.inputs.curve != (source, secret):
        return found
    return {**found, "curve": _curve_state(late.curve)}


def _pair(results: LocalResults, source: int, secret: int) -> dict[str, Any]:
    """Return one pair in full."""
    analysis, inputs = results.analysis, results.inputs
    found = analysis.pair(source, secret)
    tables = analysis.tables
    table = tables.table(secret, source)
    pair = tables.pair(source, secret, analysis.min_count)
    generic = best_of(pair.given, [Reading("all", analysis.mechanisms[source].epsilon)]).value[0]
    mirror = analysis.pair(secret, source)
    limit = found.saturation
    return {
        "source": inputs.attributes[source],
        "secret": inputs.attributes[secret],
        "leakage": found.value,
        "mirror": mirror.value,
        "worst": _worst(found, tables, source, secret),
        "rows": None if found.rows is None else float_bytes(np.array(found.rows)),
        "supports": found.supports,
        "left_out": len(found.left_out),
        "generic": float(generic),
        "limit": limit,
        "mirror_limit": mirror.saturation,
        "saturates": limit is not None and bool(np.isfinite(limit)),
        "delta": None if not found.delta_paper else {"tight": found.delta_tight, "paper": found.delta_paper},
        "table": float_bytes(table.astype(np.float64)) if table.size <= MOST_CELLS else None,
        "curve": _curve(analysis, source, secret),
    }


def _worst(found: PairLeakage, tables: PairTables, source: int, secret: int) -> dict[str, Any] | None:
    if found.pair is None:
        return None
    labels, symbols = list(tables.domains[secret]), list(tables.domains[source])
    return {
        "secret": [labels.index(label) for label in found.pair],
        "symbols": [symbols.index(symbol) for symbol in found.symbols],
        "mass": found.masses,
        "output": found.reported,
        "probability": worst_report_chances(found, len(symbols)),
    }


def _curve(analysis: LocalAnalysis, source: int, secret: int) -> dict[str, Any] | None:
    """Return both directions by budget, where the browser cannot compute them and it takes a moment here."""
    if not has_curve(analysis, source, secret) or late_curve_seconds(analysis, source, secret) > 0:
        return None
    return _curve_state(pair_curve(analysis, source, secret))


def _curve_state(curve: PairCurve) -> dict[str, Any]:
    return {
        "epsilon": float_bytes(curve.epsilons),
        "pair": float_bytes(curve.pair),
        "mirror": float_bytes(curve.mirror),
        "coarse": curve.coarse,
    }


def _reports_state(reports: ReportsCurve, secret: int) -> dict[str, Any]:
    return {
        "secret": secret,
        "epsilon": float_bytes(reports.epsilons),
        "values": float_bytes(reports.values),
        "exact": reports.exact,
    }


def _compared(comparison: UtilityComparison | None) -> list[dict[str, Any]] | None:
    if comparison is None:
        return None
    found: dict[str, dict[str, Any]] = {}
    for point in comparison.points:
        entry = found.setdefault(
            point.mechanism.name,
            {"key": point.mechanism.name, "raw": None, "inferred": None, "error": _or_none(point.error01)},
        )
        entry[point.output] = _or_none(point.normalised)
        entry["frequency"] = _or_none(point.frequency_nmse)
    return list(found.values())


def _or_none(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _calibration(late: LateNumbers) -> dict[str, Any] | None:
    wanted = late.inputs
    if wanted.budget is None:
        return None

    def method(one: CalibratedBudget) -> dict[str, Any]:
        return {
            "key": one.key,
            "epsilon": one.epsilon,
            "leak": one.leak,
            "exact": one.exact,
            "safe": one.safe,
            "error": _or_none(one.error),
        }

    return {
        "goal": wanted.budget,
        "mechanism": wanted.inputs.mechanism.name,
        "methods": [method(one) for one in late.calibration],
        "why": late.refused,
    }


def local_embedded(value: LocalValue) -> dict[str, Any]:
    """Return what a page without a kernel needs to answer for any pair, and for all reports together."""
    symbols = sum(len(domain) for domain in value.domains)
    if len(value.names) > _PAGE_ATTRIBUTES or symbols > _PAGE_SYMBOLS:
        return {"blocks": None, "joint": None, "gaps": None, "counted": is_counted(value)}
    blocks = PairTables.of(value).blocks.astype(np.float64)
    return {
        "blocks": float_bytes(blocks),
        "joint": _joint(value),
        "gaps": _gaps(value),
        "counted": is_counted(value),
    }


def _gaps(value: LocalValue) -> dict[str, Any] | None:
    """Return the table of all records with one more position where a value is missing; None without any."""
    # Which records are complete depends on the attributes that are chosen: this table tells for all choices.
    if not isinstance(value, AttributeTable) or not value.missing.any():
        return None
    shape = [size + bool(lost) for size, lost in zip(value.sizes, value.missing.tolist(), strict=True)]
    if prod(shape) > _PAGE_CELLS:
        return None
    codes = [
        np.where(column < 0, size, column) for column, size in zip(value.codes.T, value.sizes, strict=True)
    ]
    flat = np.ravel_multi_index(tuple(code.astype(np.int64) for code in codes), shape)
    cells = np.bincount(flat, minlength=prod(shape)).astype(np.float64)
    return {"shape": shape, "cells": float_bytes(cells)}


def _joint(value: LocalValue) -> dict[str, Any] | None:
    shape = [len(domain) for domain in value.domains]
    if prod(shape) > _PAGE_CELLS:
        return None
    if isinstance(value, AttributeTable):
        # Without some attributes other records would be complete: `_gaps` tells which.
        if value.missing.any():
            return None
        value = value.marginal(range(len(shape)))
    numbers = value.table if value.counts is None else value.counts
    return {"shape": shape, "cells": float_bytes(np.asarray(numbers, dtype=np.float64))}
