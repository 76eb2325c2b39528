"""A million rows of data frames into a joint table, beside what their own library takes to count them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.timing import Row, measure
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["frame_rows"]

_ROWS, _COLUMNS = 1_000_000, 15


def frame_rows(largest: int) -> Iterator[Row]:
    """Measure joint tables of frames of three libraries, half of the columns numbers, half text."""
    if largest < _COLUMNS:
        return
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    rng = np.random.default_rng(1)
    columns: dict[str, Any] = {}
    for j in range(_COLUMNS):
        codes = rng.integers(0, 2 + (j % 5 == 0), _ROWS)
        columns[f"x{j + 1}"] = codes if j % 2 else np.array(["no", "yes", "perhaps"])[codes]
    names = list(columns)
    pandas = pd.DataFrame(columns)
    arrow = pa.Table.from_pandas(pandas)
    polars = pl.from_arrow(arrow)
    counted: list[tuple[str, Any, Callable[[], Any], str]] = [
        ("pandas", pandas, partial(pandas.value_counts, sort=False), "value_counts"),
        ("polars", polars, lambda: polars.group_by(names).len(), "group_by"),
        ("arrow", arrow, lambda: arrow.group_by(names).aggregate([([], "count_all")]), "group_by"),
        ("polars, lazy", polars.lazy(), lambda: polars.group_by(names).len(), "group_by"),
    ]
    for library, frame, own, name in counted:
        _, reference = measure(own)
        first, warm = measure(partial(JointDistribution.from_dataframe, frame))
        what = f"joint table of {_ROWS:,} rows, {library}"
        yield Row(what, f"n = {_COLUMNS}", warm, first, reference, f"its own {name}", most=0.5)
        yield Row("", "", warm, None, reference, f"its own {name}", most=2 * reference)
