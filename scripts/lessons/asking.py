"""How lessons ask: the kinds of questions under short names, and one for answers in nats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pdp_widgets.publish.questions import SealedQuestion, number_question
from pdp_widgets.publish.questions import choice_question as choice
from pdp_widgets.publish.questions import explorer_question as explorer
from pdp_widgets.publish.questions import text_question as text

__all__ = ["Questions", "choice", "explorer", "nats", "number", "text"]

Questions = list[SealedQuestion]


def number(
    name: str,
    prompt: str,
    answer: float,
    tolerance: float,
    explain: str,
    *,
    wrong: Mapping[float, str] | None = None,
    hints: Iterable[str] = (),
    unit: str = "",
) -> SealedQuestion:
    """Ask for a number."""
    return number_question(
        name, prompt, answer, tolerance=tolerance, explain=explain, wrong=wrong, hints=hints, unit=unit
    )


def nats(
    name: str,
    prompt: str,
    answer: float,
    explain: str,
    *,
    tolerance: float = 0.006,
    wrong: Mapping[float, str] | None = None,
    hints: Iterable[str] = (),
) -> SealedQuestion:
    """Ask for a number of nats."""
    return number(name, prompt, answer, tolerance, explain, wrong=wrong, hints=hints, unit="nats")
