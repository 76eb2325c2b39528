"""Labels that a column of a data frame declares in an order of its own, those that do not occur included."""

from __future__ import annotations

from typing import Any

__all__ = ["declared_categories"]


def declared_categories(column: Any) -> list[Any] | None:
    """Return the ordered categories of a column, or None where it declares no order.

    An ordered categorical of pandas, an ``Enum`` of polars and an ordered dictionary of arrow declare one. An
    unordered categorical does not: its categories stand in the order in which they were found.

    Examples
    --------
    >>> import pandas as pd
    >>> sizes = pd.Categorical(["big", "small"], ["small", "middle", "big"], ordered=True)
    >>> declared_categories(pd.Series(sizes))
    ['small', 'middle', 'big']
    >>> declared_categories(pd.Series(["big", "small"])) is None
    True
    """
    kind = getattr(column, "dtype", None)
    categories = getattr(kind, "categories", None)
    if categories is not None:
        # polars' Categorical has categories too, which it shares with other columns.
        declares = type(kind).__name__ == "Enum" or getattr(kind, "ordered", False) is True
        return (
            list(categories.tolist() if hasattr(categories, "tolist") else categories) if declares else None
        )
    kind = getattr(column, "type", None)
    if getattr(kind, "ordered", False) is not True:
        return None
    # Chunks of one column may have their own dictionaries.
    whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    if hasattr(whole, "chunks"):
        whole = column.unify_dictionaries().chunk(0) if column.num_chunks else None
    found = getattr(whole, "dictionary", None)
    return None if found is None else list(found.to_pylist())
