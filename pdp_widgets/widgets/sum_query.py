"""The query of a Gaussian explorer: a sum, a mean, or one weight for each tuple."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pdp_widgets.errors import QueryError, Where
from pdp_widgets.models.labels import is_text, shown
from pdp_widgets.widgets.covariance_edits import as_weights
from pdp_widgets.widgets.wire import sent_choice

__all__ = ["QUERIES", "chosen_query", "key_of", "named_weights", "sent_query"]

#: Keys of the menu, with what is released in words.
QUERIES = {"sum": "sum", "mean": "mean", "weights": "weighted sum"}


def named_weights(key: str, n: int) -> tuple[float, ...]:
    """Return the weights of a query with a name of its own; a weighted sum starts as the sum.

    Examples
    --------
    >>> named_weights("mean", 4)
    (0.25, 0.25, 0.25, 0.25)
    """
    return (1 / n if key == "mean" else 1.0,) * n


def key_of(weights: Sequence[float]) -> str:
    """Return what weights are called.

    Examples
    --------
    >>> key_of([1, 1]), key_of([0.5, 0.5]), key_of([1, -1])
    ('sum', 'mean', 'weights')
    """
    given = tuple(weights)
    return next((key for key in ("sum", "mean") if named_weights(key, len(given)) == given), "weights")


def chosen_query(query: Any, weights: Any, n: int) -> tuple[str, tuple[float, ...]]:
    """Return key and weights of a query given in Python; both, either or neither may be None.

    Raises
    ------
    QueryError
        There is no such query, the weights do not fit the tuples, or the two contradict each other.

    Examples
    --------
    >>> chosen_query(None, None, 2), chosen_query(None, [1, -1], 2)
    (('sum', (1.0, 1.0)), ('weights', (1.0, -1.0)))
    """
    if query is not None and not (is_text(query) and query in QUERIES):
        raise QueryError(
            f"The query is {shown(query)}; give 'sum', 'mean', or 'weights' with one weight for each tuple.",
            Where("parameter", name="query"),
        )
    given = as_weights(weights, n)
    if given is None:
        key = "sum" if query is None else str(query)
        return key, named_weights(key, n)
    numbers = tuple(given.tolist())
    if query is None:
        return key_of(numbers), numbers
    if query != "weights" and named_weights(query, n) != numbers:
        raise QueryError(
            f"The query is {shown(query)} and there are other weights; give one of the two.",
            Where("parameter", name="query"),
        )
    return str(query), numbers


def sent_query(request: Mapping[str, Any], key: str, weights: Sequence[float], edited: bool) -> str:
    """Return the key after a request of the browser.

    Parameters
    ----------
    request
        Its ``query`` counts, unless it contradicts weights that came with it.
    key
        What stands.
    weights
        What stands in the row of weights now.
    edited
        Whether the request changed them.
    """
    asked = sent_choice(request, "query", key, tuple(QUERIES))
    if not edited:
        return asked
    named = "query" in request and asked != "weights" and named_weights(asked, len(weights)) == tuple(weights)
    return asked if named else "weights"
