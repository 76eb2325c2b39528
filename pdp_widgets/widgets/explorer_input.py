"""What an explorer is given in Python or sent by a browser, beside its model: adversary, threshold, words."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from pdp_widgets.errors import AdversaryError, QueryError, ScaleError, Where
from pdp_widgets.leakage.prior.exact_all import check_convention
from pdp_widgets.leakage.value import Convention
from pdp_widgets.models.labels import is_text, shown
from pdp_widgets.widgets.wire import sent_position, sent_positions

__all__ = ["as_convention", "as_goal", "as_noun", "as_threshold", "asked_adversary", "check_target_named"]

_NO_NUMBERS = (str, bytes, bool, np.bool_)


def asked_adversary(
    request: Mapping[str, Any], target: int, known: tuple[int, ...], n: int
) -> tuple[int, tuple[int, ...]]:
    """Return target and known tuples after a request; a target that does not exist is ignored."""
    asked = sent_position(request, "target", target)
    listed = sent_positions(request, "known", n, known)
    if not 0 <= asked < n:
        return target, known
    return asked, tuple(sorted({k for k in listed if 0 <= k < n} - {asked}))


def as_convention(convention: Any) -> Convention:
    """Return a convention, or raise AdversaryError."""
    check_convention(convention)
    return "sup" if convention == "sup" else "instance"


def check_target_named(target: str | int | None, known: Iterable[str | int] | None) -> None:
    """Raise AdversaryError for known tuples without a target: nobody says whom they would attack."""
    if target is None and known is not None:
        raise AdversaryError(
            "The known tuples come without a target; name the attacked tuple too.",
            Where("parameter", name="target"),
        )


def as_noun(noun: Any) -> str:
    """Return what one tuple is called."""
    wrong = not is_text(noun) or not noun.strip() or len(noun) > 40
    # Pictures are XML, which has no control characters at all, and a line break is no word.
    if wrong or any(unicodedata.category(mark) == "Cc" or mark in "\ufffe\uffff" for mark in noun):
        raise QueryError(
            f"The noun is {shown(noun)}; give a word of 1 to 40 characters that can be seen, such as "
            "'answer'.",
            Where("parameter", name="noun"),
        )
    return str(noun).strip()


def as_goal(goal: Any) -> float:
    """Return what all adversaries may learn at most, in nats."""
    level = _finite(goal)
    if not (math.isfinite(level) and level > 0):
        raise ScaleError(
            f"The goal is {shown(goal)}; give a number of nats above 0, or None for what was promised when "
            "the explorer was opened.",
            Where("parameter", name="goal"),
        )
    return level


def _finite(value: Any) -> float:
    try:
        return math.nan if isinstance(value, _NO_NUMBERS) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def as_threshold(threshold: Any) -> float | None:
    """Return a threshold in nats, or None for none."""
    if threshold is None:
        return None
    level = _finite(threshold)
    if not (math.isfinite(level) and level >= 0):
        raise AdversaryError(
            f"The threshold is {shown(threshold)}; give a number of nats, 0 or more, or None.",
            Where("parameter", name="threshold"),
        )
    return level
