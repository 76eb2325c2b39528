"""The classes of a k-anonymous table as columns: sizes, published ranges, and what their secrets show."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import numpy as np

from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.leakage.noiseless.slack import PAPER
from pdp_widgets.leakage.number_table import Numbers

__all__ = ["class_numbers"]


def class_numbers(analysis: AnonymityAnalysis) -> Numbers:
    """Return one row a class; NaN stands where no member has a secret.

    Examples
    --------
    >>> from pdp_widgets.models.clinic import clinic
    >>> list(class_numbers(AnonymityAnalysis(clinic(), "age", "diabetes")).columns)
    ['class', 'records', 'age', 'distinct secrets', 'distance']
    """
    classes = analysis.classes
    columns: dict[str, Any] = {"class": list(classes.letters), "records": classes.sizes}
    written: dict[str, Any] = {"class": "text", "records": "count"}
    for j, name in enumerate(classes.quasi):
        one = _free(name, columns)
        columns[one], written[one] = [ranges[j] for ranges in classes.ranges], "text"
    status = {"records": "exact"}
    if analysis.diversity is not None and analysis.closeness is not None:
        distinct = analysis.diversity.by_class
        whole = not np.isnan(distinct).any()
        for name, values, how in (
            ("distinct secrets", distinct.astype(np.int64) if whole else distinct, "count"),
            ("distance", analysis.closeness.by_class, "probability"),
        ):
            one = _free(name, columns)
            columns[one], written[one], status[one] = values, how, "exact"
    return Numbers(
        columns,
        written,
        {"unit": "records", "source": PAPER, "status": status, "k": analysis.k, "secret": analysis.secret},
        (f"k = {analysis.k:,}, {len(classes.suppressed):,} records suppressed",),
    )


def _free(name: str, taken: Container[str]) -> str:
    """Return a name of a column that no other has."""
    while name in taken:
        name += "_"
    return name
