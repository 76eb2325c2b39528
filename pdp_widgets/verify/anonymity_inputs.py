"""Laws of records as the input of a case on k-anonymity describes them, and slacks as it expects them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.leakage.noiseless.record_sum import RecordSum
from pdp_widgets.leakage.noiseless.slack import Slack
from pdp_widgets.verify.documents import Input, VectorError

__all__ = ["law_of", "or_none", "refusing", "slack_of", "sum_of"]


def law_of(described: Any) -> RecordLaw:
    """Return the law of a record: an object of probabilities by value, a whole number written as text.

    Examples
    --------
    >>> law_of({"0": 0.5, "5": 0.5})
    RecordLaw([0.0, 5.0], [0.5, 0.5])
    """
    if not isinstance(described, Mapping):
        raise VectorError("a law is an object of probabilities by value")
    try:
        values = [int(value) for value in described]
    except (TypeError, ValueError):
        raise VectorError("the values of a law are whole numbers, written as text") from None
    return RecordLaw(values, list(described.values()))


def sum_of(described: Any) -> RecordSum:
    """Return the sum of the records of a case: a list of objects with a law and a count.

    Examples
    --------
    >>> sum_of([{"law": {"0": 0.5, "1": 0.5}, "count": 100}]).size
    100
    """
    if not isinstance(described, list) or not all(isinstance(part, Mapping) for part in described):
        raise VectorError("records are a list of objects with law and count")
    return RecordSum(tuple((law_of(part["law"]), part["count"]) for part in described))


def or_none(value: float) -> float | None:
    """Return a number, or None where there is none."""
    return None if math.isnan(value) else value


def slack_of(found: Slack) -> dict[str, Any]:
    """Return a slack and what becomes of it."""
    return {"delta": or_none(found.delta), "status": found.state}


def refusing(run: Callable[[Input], dict[str, Any]]) -> Callable[[Input], dict[str, Any]]:
    """Return a kind whose cases may expect that the call is refused, with a message."""

    def checked(data: Input) -> dict[str, Any]:
        try:
            return run(data)
        except PdpError as fault:
            return {"raises": "ValueError"} if str(fault) else {"raises": "an error without a message"}

    return checked
