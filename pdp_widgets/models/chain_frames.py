"""Laws of a chain whose rows and columns carry names, such as data frames: brought into one order."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from pdp_widgets.errors import ChainError, DomainError, Where
from pdp_widgets.models.labels import Domain, as_domain, shown

__all__ = ["law_in_order", "moves_in_order"]


def moves_in_order(transitions: Any, states: Iterable[Any] | None) -> tuple[Any, Domain | None]:
    """Return transitions whose rows and columns have one order, and their labels.

    Parameters
    ----------
    transitions
        As for `MarkovChain`; a pandas data frame has its states as index and as columns. Anything else is
        returned as it is.
    states
        As for `MarkovChain`.

    Returns
    -------
    tuple
        The transitions, and the labels of the states: those that are given, else those of the frame, else
        None.

    Raises
    ------
    ChainError
        Rows and columns of the frame are not named alike.
    DomainError
        The states are no list of distinct labels.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame([[0.1, 0.9], [0.7, 0.3]], index=["dry", "wet"], columns=["wet", "dry"])
    >>> moves, named = moves_in_order(frame, None)
    >>> moves.to_numpy().tolist(), named
    ([[0.9, 0.1], [0.3, 0.7]], ('dry', 'wet'))
    """
    named = None if states is None else as_domain(states, 0, "the chain")
    rows, columns = (_names(transitions, "DataFrame", axis) for axis in ("index", "columns"))
    if rows is None or columns is None or len(rows) != len(columns):
        return transitions, named
    alike = {_key(one) for one in rows} == {_key(one) for one in columns}
    # A side that is only numbered is in the order of the other.
    if not alike and _are_numbered(rows):
        transitions, rows, alike = transitions.set_axis(columns), columns, True
    elif not alike and _are_numbered(columns):
        transitions, alike = transitions.set_axis(rows, axis=1), True
    if not alike or len({_key(one) for one in rows}) < len(rows):
        raise ChainError(
            f"The rows of the transitions are named {shown(rows)} and the columns {shown(columns)}; name "
            "both by the states, each once, or give frame.to_numpy() with states=[...].",
            Where("parameter", name="transitions"),
        )
    order = rows
    if named is not None:
        # Other labels rename the states, which says nothing about an order: rows and columns must have one.
        same = {_key(one) for one in named} == {_key(one) for one in rows}
        order = _as_in(rows, named) if same else rows
    found = transitions.loc[order, order]
    if named is None:
        named = None if _are_numbered(rows) else as_domain(order, 0, "the chain")
    return found, named


def law_in_order(law: Any, states: Domain, name: str) -> Any:
    """Return a law in the order of the states; a pandas series has them as index.

    Parameters
    ----------
    law
        As for `MarkovChain`; what is no series, or is numbered 0, 1, 2, ..., is returned as it is.
    states
        Labels of the chain.
    name
        Name of the parameter.

    Raises
    ------
    ChainError
        The series is named by other labels.

    Examples
    --------
    >>> import pandas as pd
    >>> law_in_order(pd.Series({"wet": 0.3, "dry": 0.7}), ("dry", "wet"), "start").tolist()
    [0.7, 0.3]
    """
    rows = _names(law, "Series", "index")
    if rows is None or len(rows) != len(states):
        return law
    keys = {_key(one) for one in rows}
    if keys == {_key(one) for one in states}:
        return law.loc[_as_in(rows, states)]
    if _are_numbered(rows):
        return law
    raise ChainError(
        f"The {name} law is named by {shown(rows)}; the states are {shown(list(states))}. Name it by "
        "them, or give its numbers in their order.",
        Where("parameter", name=name),
    )


def _names(given: Any, kind: str, axis: str) -> list[Any] | None:
    """Return the names along an axis of a data frame or series of pandas, which alone take rows by name."""
    # Who gives a frame has imported pandas.
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(given, getattr(pandas, kind)):
        return None
    return list(getattr(given, axis))


def _are_numbered(names: list[Any]) -> bool:
    return [_key(one) for one in names] == [_key(k) for k in range(len(names))]


def _as_in(names: list[Any], states: Domain) -> list[Any]:
    """Return the names of an axis in the order of equal states."""
    place = {_key(one): one for one in names}
    return [place[_key(one)] for one in states]


def _key(label: Any) -> Any:
    """Return what makes two labels the same one: of numpy or not, but True is not 1."""
    try:
        plain = as_domain([label], 0, "the chain")[0]
    except DomainError:
        return repr(label)
    return isinstance(plain, bool), plain
