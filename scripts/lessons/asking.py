"""How lessons ask: the kinds of questions under short names, each with its answer for a lecturer's sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pdp_widgets.publish.questions import (
    SealedQuestion,
    choice_question,
    explorer_question,
    number_question,
    text_question,
)

__all__ = ["Asked", "Questions", "choice", "explorer", "nats", "number", "text"]


@dataclass(frozen=True)
class Asked:
    """A sealed question, and what the seal hides: an answer that is right, and why."""

    question: SealedQuestion
    answer: Any
    explain: str

    @property
    def solution(self) -> str:
        """Return the answer with its reason, as Markdown."""
        if self.question.kind == "text":
            return self.explain
        if isinstance(self.answer, Mapping):
            right = ", ".join(f"{part} {_spoken(value)}" for part, value in self.answer.items())
        else:
            right = f"{_spoken(self.answer)} {self.question.unit}".rstrip()
        return f"**{right}**\n\n{self.explain}"


Questions = list[Asked]


def _spoken(value: Any) -> str:
    """Return a value, or the two ends of a range, as a person writes it."""
    if isinstance(value, tuple):
        return f"from {value[0]:.4g} to {value[1]:.4g}"
    return f"{value:.5g}" if isinstance(value, float | int) else str(value)


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
) -> Asked:
    """Ask for a number."""
    question = number_question(
        name, prompt, answer, tolerance=tolerance, explain=explain, wrong=wrong, hints=hints, unit=unit
    )
    return Asked(question, answer, explain)


def nats(
    name: str,
    prompt: str,
    answer: float,
    explain: str,
    *,
    tolerance: float = 0.006,
    wrong: Mapping[float, str] | None = None,
    hints: Iterable[str] = (),
) -> Asked:
    """Ask for a number of nats."""
    return number(name, prompt, answer, tolerance, explain, wrong=wrong, hints=hints, unit="nats")


def choice(name: str, prompt: str, options: Mapping[str, str], right: str, **more: Any) -> Asked:
    """Ask for one of some options, each with its reply."""
    return Asked(choice_question(name, prompt, options, right, **more), right, options[right])


def explorer(
    name: str, prompt: str, kind: str, wanted: Mapping[str, Any], *, explain: str, **more: Any
) -> Asked:
    """Ask for an explorer that is set in some way."""
    question = explorer_question(name, prompt, kind, wanted, explain=explain, **more)
    return Asked(question, wanted, explain)


def text(name: str, prompt: str, model: str, **more: Any) -> Asked:
    """Ask for a few sentences, to be compared with a model answer."""
    return Asked(text_question(name, prompt, model, **more), None, model)
