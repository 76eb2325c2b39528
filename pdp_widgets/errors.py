"""One error type per kind of fault; each message names the culprit and what would be accepted."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "AdversaryError",
    "BudgetError",
    "ChainError",
    "CountColumnWarning",
    "DataRemark",
    "DomainError",
    "FewRecordsWarning",
    "InstanceError",
    "LimitError",
    "ModelMismatch",
    "NetworkError",
    "NetworkWarning",
    "PdpError",
    "QueryError",
    "QuestionError",
    "ReplicatedRecordsWarning",
    "ScaleError",
    "SortedStreamsWarning",
    "StreamError",
    "TableError",
    "Where",
    "warn_caller",
]


@dataclass(frozen=True)
class Where:
    """The place of a fault, for a widget to mark.

    Parameters
    ----------
    kind
        What is at fault: one cell, one axis (tuple), one row of labels, a parameter or the whole table.
    index
        Label positions of the cell or row.
    axis
        Position of the tuple.
    name
        Name of the parameter.
    """

    kind: Literal["cell", "axis", "row", "parameter", "table"]
    index: tuple[int, ...] | None = None
    axis: int | None = None
    name: str | None = None


class PdpError(ValueError):
    """Base of all errors about input of this package.

    Parameters
    ----------
    message
        Plain words: the culprit first, then what would be accepted.
    where
        The place of the fault, when there is one.
    call
        What to do about it in Python; the end of the message.

    Attributes
    ----------
    plain
        The message without ``call``: what a screen says.

    Examples
    --------
    >>> error = PdpError("The table has no counts.", call="Give counts=....")
    >>> str(error), error.plain
    ('The table has no counts. Give counts=....', 'The table has no counts.')
    """

    def __init__(self, message: str, where: Where | None = None, *, call: str = "") -> None:
        super().__init__(f"{message} {call}".rstrip())
        self.plain, self.where = message, where


class DomainError(PdpError):
    """A domain is empty, has duplicate labels, or does not fit the table."""


class TableError(PdpError):
    """A table of probabilities, counts or covariances is not one: shape, sign, finiteness or sum."""


class QueryError(PdpError):
    """Contributions or weights do not fit the model."""


class ScaleError(PdpError):
    """A noise scale is not a positive finite number."""


class BudgetError(PdpError):
    """A parameter of local privacy is outside its range: epsilon, delta, a probability or a size."""


class AdversaryError(PdpError):
    """A target, a known set or known values do not describe an adversary of the model."""


class InstanceError(PdpError):
    """The row of actual values is not in the domain or has probability zero."""


class ChainError(PdpError):
    """A start law or a transition is not one of a chain: shape, sign, finiteness, or the sum of a row."""


class StreamError(PdpError):
    """A stream does not fit the model: a symbol that is unknown, a number that is missing, no data at all."""


class QuestionError(PdpError):
    """A question cannot be asked, a file holds none, or an answer is of another kind."""


class ModelMismatch(PdpError):
    """A release has probability zero under the adversary's model: no belief follows from it."""


class NetworkError(PdpError):
    """Check-ins, places or friendships are not those of a network, or a network of tuples has a circle.

    Also: the text of a network is not of its format.
    """


class NetworkWarning(UserWarning):
    """Check-ins and friendships are hardly what was meant: rows were left out, or nothing fits together."""


class SortedStreamsWarning(UserWarning):
    """No two neighbouring symbols of a file occur in both orders: its lines are sets in one fixed order."""


class FewRecordsWarning(UserWarning):
    """There are so few records, of a model or of each label, that results are theirs and not the truth's."""


class CountColumnWarning(UserWarning):
    """A column that looks like counts of rows was taken as one of the tuples."""


class DataRemark(UserWarning):
    """Something was guessed while data were read, or looks wrong: it says what decides otherwise."""


class ReplicatedRecordsWarning(UserWarning):
    """Copies of records were tested as if they were records: what such a test finds may not be there."""


class LimitError(PdpError):
    """A computation is refused because of its size; the message states memory and time.

    Parameters
    ----------
    message, where, call
        As for every error.
    cost
        What it would take, such as "about 90 s", where it can be computed all the same.

    Examples
    --------
    >>> error = LimitError("It takes about 90 s.", call="limit=math.inf goes ahead.", cost="about 90 s")
    >>> str(error), error.plain
    ('It takes about 90 s. limit=math.inf goes ahead.', 'It takes about 90 s.')
    """

    def __init__(self, message: str, where: Where | None = None, *, call: str = "", cost: str = "") -> None:
        super().__init__(message, where, call=call)
        self.cost = cost


_PACKAGE = __name__.partition(".")[0]


def warn_caller(message: str, kind: type[Warning]) -> None:
    """Warn about what the nearest caller outside the package did, however deep inside this is found."""
    # warnings.warn has skip_file_prefixes from Python 3.12 on.
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, kind, stacklevel=level)
