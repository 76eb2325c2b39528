"""What an anonymity explorer is given in Python: records with room on a screen, and columns by name."""

from __future__ import annotations

from typing import Any

from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.models.labels import short, shown
from pdp_widgets.models.microdata import Microdata

__all__ = ["MOST_COLUMNS", "MOST_RECORDS", "as_columns", "as_records", "as_secret"]

#: What a screen has room for, and what can be put into classes while somebody waits.
MOST_RECORDS, MOST_COLUMNS = 200_000, 60


def as_records(data: Any) -> Microdata:
    """Return the records given in Python: Microdata, a data frame, a dict of lists.

    Raises
    ------
    DomainError
        It is none of these.
    LimitError
        There are too many records or columns.

    Examples
    --------
    >>> as_records({"age": [31, 45]})
    Microdata(2 records, age: numbers)
    """
    found = Microdata.of(data)
    if found.records > MOST_RECORDS:
        raise LimitError(
            f"There are {found.records:,} records; the explorer takes at most {MOST_RECORDS:,}. Take some of "
            "them with data.take(rows), or compute with AnonymityAnalysis.",
            Where("parameter", name="data"),
        )
    if len(found.names) > MOST_COLUMNS:
        raise LimitError(
            f"There are {len(found.names):,} columns; the explorer shows at most {MOST_COLUMNS}. Choose the "
            "quasi-identifiers and the secret with Microdata(frame, columns=[...]).",
            Where("parameter", name="data"),
        )
    return found


def as_secret(data: Microdata, secret: Any) -> int | None:
    """Return the position of the secret, or None for none.

    Examples
    --------
    >>> as_secret(Microdata({"age": [31], "ill": ["no"]}), "ill")
    1
    """
    return None if secret is None else data.place(secret, "secret")


def as_columns(data: Microdata, quasi: Any, secret: int | None) -> tuple[int, ...]:
    """Return the positions of the quasi-identifiers; without a list all columns but the secret.

    Raises
    ------
    DomainError
        A column does not exist, is named twice or is the secret, or there is none.

    Examples
    --------
    >>> as_columns(Microdata({"age": [31], "ill": ["no"]}), None, 1)
    (0,)
    """
    if quasi is None:
        found = tuple(place for place in range(len(data.names)) if place != secret)
        if not found:
            raise DomainError(
                f"The secret {shown(data.names[secret or 0])} is the only column; add a column that others "
                "may know, or leave the secret out.",
                Where("parameter", name="quasi"),
            )
        return found
    found = data.places(quasi, "quasi")
    if secret in found:
        raise DomainError(
            f"Column {short(data.names[secret or 0])} is the secret and a quasi-identifier; it can be one of "
            "the two.",
            Where("parameter", name="quasi"),
        )
    return found
