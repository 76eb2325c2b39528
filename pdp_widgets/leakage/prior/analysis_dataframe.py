"""All adversaries of one analysis as a pandas data frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pdp_widgets.leakage.adversary import known_of, layers

if TYPE_CHECKING:
    from pdp_widgets.leakage.prior.analysis import PriorAnalysis

__all__ = ["to_dataframe"]


def to_dataframe(analysis: PriorAnalysis, with_paper: bool) -> Any:
    """Return one adversary a row, see `PriorAnalysis.to_dataframe`."""
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("A data frame needs pandas: pip install pandas.") from None
    n, names = analysis.distribution.n_tuples, analysis.distribution.names
    width = analysis.exact.shape[1]
    columns: dict[str, Any] = {
        "target": [names[i] for i in range(n) for _ in range(width)],
        "known": [", ".join(names[k] for k in known_of(n, i, c)) for i in range(n) for c in range(width)],
        "layer": np.tile(layers(n), n),
        "exact": analysis.exact.ravel(),
        "determined": analysis.determined.ravel(),
        "group_bound": analysis.group_bounds.ravel(),
        "convention": analysis.convention,
    }
    if with_paper:
        columns["paper"] = analysis.paper.ravel()
    return pd.DataFrame(columns)
