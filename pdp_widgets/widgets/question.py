"""A question in a notebook: answered by hand, judged at once, kept with the notebook."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from traitlets import Any as AnyValue
from traitlets import Instance, Int

from pdp_widgets.core.checks import is_whole, shown
from pdp_widgets.core.results import Figures
from pdp_widgets.errors import DomainError, PdpError, QuestionError, Where
from pdp_widgets.publish.answers import Answers, grades, read_questions, write_questions
from pdp_widgets.publish.questions import (
    SealedQuestion,
    Verdict,
    as_answer,
    choice_question,
    explorer_question,
    judge,
    number_question,
    text_question,
    told,
    view_parts,
)
from pdp_widgets.widgets.base import LOCK, PdpWidget
from pdp_widgets.widgets.wire import is_stamp, json_safe

__all__ = ["Question"]

#: Attempts that are counted.
_MOST_ATTEMPTS = 9999
_NOT_RIGHT = "Not right yet."


@dataclass
class QuestionState:
    """A question, what was answered, and how far its help is open."""

    question: SealedQuestion
    answer: Any = None
    attempts: int = 0
    hints: int = 0
    #: What was judged last, and what was said to it.
    judged: Any = None
    verdict: Verdict | None = None
    fault: PdpError | None = None

    def standing(self) -> Verdict | None:
        """Return what was said to the answer that stands; a model answer stays open while one writes on."""
        same = self.judged == self.answer or self.question.kind == "text"
        return self.verdict if same and self.answer is not None else None

    def check(self) -> None:
        """Judge the answer that stands; QuestionError where there is none yet."""
        if self.answer is None:
            raise QuestionError("There is no answer yet.", Where("parameter", name="answer"))
        if self.question.kind == "text" and len(self.answer.split()) < self.question.least:
            raise QuestionError(
                f"Write at least {self.question.least} words of your own before you compare.",
                Where("parameter", name="answer"),
            )
        self.verdict, self.judged = judge(self.question, self.answer), self.answer
        self.attempts = min(self.attempts + 1, _MOST_ATTEMPTS)

    def kept(self) -> dict[str, Any]:
        """Return what a file of answers keeps."""
        return {"answer": json_safe(self.answer), "attempts": self.attempts, "hints": self.hints}


def _count(value: Any, name: str, most: int) -> int:
    if not is_whole(value) or not 0 <= value <= most:
        raise QuestionError(
            f"{name} is {shown(value)}; give a whole number from 0 to {most:,}.",
            Where("parameter", name=name),
        )
    return int(value)


class Question(PdpWidget):
    """A question with hints and feedback, judged while somebody reads the notebook, or in a published page.

    Make one with `number`, `choice`, `text` or `explorer`, or `read` those of a file. The answers are sealed:
    neither the notebook nor a page of it holds them in plain text.

    Parameters
    ----------
    value
        The sealed question.
    disabled, layout
        As for every widget.

    Attributes
    ----------
    value
        The sealed question.
    answer
        What stands as the answer: a number, an option, a text, or the parts of an explorer's view; None
        where there is none. Assign to answer from Python.
    attempts
        How often it was checked.
    hints
        How many hints are open.

    Raises
    ------
    QuestionError
        An answer is of another kind than the question.

    Notes
    -----
    A reply is encrypted with a key that is made of the answer it is for (PBKDF2 with HMAC-SHA256). A
    number is replaced by its place on a grid as wide as what is accepted, so that every number in the range
    makes the same key. This keeps answers from being read. It does not keep somebody from trying all of them:
    four options are four tries. Count ``attempts`` where that matters, and set examinations elsewhere.

    Examples
    --------
    >>> from pdp_widgets import Question
    >>> half = Question.number("doubling", "Odds double. By how many nats do the log odds rise?", 0.6931,
    ...     tolerance=0.001, unit="nats", explain="ln 2 = 0.693 nats.", wrong={2: "That is the factor."})
    >>> half.answer = 2
    >>> half.check(), half.feedback
    (False, 'That is the factor.')
    >>> half.answer = 0.693
    >>> half.check(), half.feedback
    (True, 'ln 2 = 0.693 nats.')
    """

    _module = "question"

    _core: QuestionState
    value = Instance(SealedQuestion)
    answer = AnyValue(None, allow_none=True)
    attempts = Int(0)
    hints = Int(0)

    def __init__(self, value: SealedQuestion, *, disabled: bool = False, layout: Any = None) -> None:
        self._core = QuestionState(_as_question(value))
        self._answers: Answers | None = None
        self._explorer: PdpWidget | None = None
        super().__init__(disabled=disabled, layout=layout)

    # Making questions

    @classmethod
    def number(
        cls,
        name: str,
        prompt: str,
        answer: float,
        *,
        tolerance: float,
        unit: str = "",
        explain: str = "",
        wrong: Mapping[float, str] | None = None,
        hints: Iterable[str] = (),
        points: float = 1.0,
        otherwise: str = _NOT_RIGHT,
    ) -> Question:
        """Ask for a number.

        Parameters
        ----------
        name
            What the question is called: in its heading, in files and in grades.
        prompt
            The question, as plain text.
        answer
            The right number.
        tolerance
            How far from it a number still counts as right, in the same unit; both ends count.
        unit
            Stands beside the field: ``"nats"``.
        explain
            Why the answer is right; shown with it.
        wrong
            What to say to wrong numbers, each with the same tolerance.
        hints
            Opened one by one, the gentlest first.
        points
            What the right answer is worth.
        otherwise
            What to say to any other number.

        Raises
        ------
        QuestionError
            One of these is wrong; or the tolerance is finer than a part in 100,000 of the answer.

        Examples
        --------
        >>> from pdp_widgets import Question
        >>> Question.number("sum", "What is 1.5 + 1 nats?", 2.5, tolerance=0.01, unit="nats").value.unit
        'nats'
        """
        texts = {"unit": unit, "explain": explain, "otherwise": otherwise}
        given = {"tolerance": tolerance, "wrong": wrong, "hints": hints, "points": points}
        return cls(number_question(name, prompt, answer, **given, **texts))  # type: ignore[arg-type]

    @classmethod
    def choice(
        cls,
        name: str,
        prompt: str,
        options: Mapping[str, str] | Sequence[str],
        answer: str,
        *,
        explain: str = "",
        hints: Iterable[str] = (),
        points: float = 1.0,
        otherwise: str = _NOT_RIGHT,
    ) -> Question:
        """Ask for one of some options.

        Parameters
        ----------
        name, prompt, hints, points
            As for `number`.
        options
            Two texts or more; as a mapping each with what to say to it.
        answer
            The right one.
        explain, otherwise
            What to say to the right option, and to another one, where ``options`` says nothing.

        Examples
        --------
        >>> from pdp_widgets import Question
        >>> units = {"nats": "", "metres": "Lengths are."}
        >>> ask = Question.choice("unit", "Leakage is measured in:", units, "nats")
        >>> ask.answer = "metres"
        >>> ask.check(), ask.feedback
        (False, 'Lengths are.')
        """
        texts = {"explain": explain, "otherwise": otherwise}
        return cls(choice_question(name, prompt, options, answer, hints=hints, points=points, **texts))

    @classmethod
    def text(
        cls,
        name: str,
        prompt: str,
        model: str,
        *,
        least: int = 5,
        hints: Iterable[str] = (),
        points: float = 1.0,
    ) -> Question:
        """Ask for a few sentences, which are then compared with a model answer; nothing judges them.

        Parameters
        ----------
        name, prompt, hints, points
            As for `number`.
        model
            The model answer, shown once something was written.
        least
            How many words that takes.

        Examples
        --------
        >>> from pdp_widgets import Question
        >>> why = Question.text("why", "Why is noise added?", "So that no record shows.", least=2)
        >>> why.answer = "To hide records."
        >>> why.check(), why.feedback
        (None, 'So that no record shows.')
        """
        return cls(text_question(name, prompt, model, least=least, hints=hints, points=points))

    @classmethod
    def explorer(
        cls,
        name: str,
        prompt: str,
        explorer: PdpWidget,
        wanted: Mapping[str, Any],
        *,
        explain: str = "",
        hints: Iterable[str] = (),
        points: float = 1.0,
        otherwise: str = _NOT_RIGHT,
    ) -> Question:
        """Ask to set an explorer in some way, and judge its state.

        Parameters
        ----------
        name, prompt, explain, hints, points, otherwise
            As for `number`.
        explorer
            The explorer that is to be set. In a published page it is the nearest one of its kind above.
        wanted
            What has to stand in its view, by name: a pair (least, most) for a number, both ends included, or
            any other value. Names are those of the saved state, such as ``"scale"`` or
            ``"results.largest.value"``; tuples and labels stand there by position.

        Raises
        ------
        QuestionError
            A name is none of the view; the message lists those that are.

        Examples
        --------
        >>> from pdp_widgets import PriorExplorer, Question, lsat6
        >>> score = PriorExplorer(lsat6().marginal(["item 1", "item 2"]))
        >>> ask = Question.explorer("less", "Set a scale of 2.", score, {"scale": (1.99, 2.01)})
        >>> score.scale = 2
        >>> ask.check()
        True
        """
        if not isinstance(explorer, PdpWidget) or isinstance(explorer, Question):
            raise QuestionError(
                f"explorer is {shown(explorer)}; give a widget, such as PriorExplorer(joint)."
            )
        view = explorer._view
        missing = [
            one for one, held in view_parts(view, wanted).items() if held is None and wanted[one] is not None
        ]
        if missing:
            raise QuestionError(
                f"The view of this {type(explorer).__name__} has no {missing[0]!r}; it has "
                f"{', '.join(_names(view))}.",
                Where("parameter", name="wanted"),
            )
        texts = {"explain": explain, "otherwise": otherwise}
        sealed = explorer_question(
            name, prompt, explorer._module, wanted, hints=hints, points=points, **texts
        )
        return cls(sealed).watch(explorer)

    def watch(self, explorer: PdpWidget) -> Question:
        """Judge this explorer from now on, where the question is about one that a file cannot hold.

        Parameters
        ----------
        explorer
            An explorer of the kind that the question was made with.

        Returns
        -------
        Question
            This question.
        """
        if self._core.question.module != getattr(explorer, "_module", None):
            raise QuestionError(
                f"The question {self._core.question.name!r} cannot judge {shown(explorer)}; it is about "
                f"{self._core.question.module or 'no explorer'}.",
                Where("parameter", name="explorer"),
            )
        self._explorer = explorer
        self._show()
        return self

    # Files

    @classmethod
    def write(cls, questions: Iterable[Question], path: str | os.PathLike[str]) -> Path:
        """Write questions to a file that may be given to those who answer them.

        Parameters
        ----------
        questions
            The questions, each with a name of its own.
        path
            Where to; JSON. A file that is there is replaced.

        Returns
        -------
        Path
            The file.
        """
        return write_questions([_as_question(one) for one in questions], path)

    @classmethod
    def read(
        cls, source: str | os.PathLike[str], answers: str | os.PathLike[str] | None = None
    ) -> Mapping[str, Question]:
        """Read questions, with what was answered before.

        Parameters
        ----------
        source
            A file that `write` has written; or a lesson of the course that comes with the package, such as
            ``"lesson-0"``.
        answers
            A file beside the notebook in which answers are kept. It is written at every answer, and read
            here: when the notebook runs again they are there again. Hand it in with the notebook. Without it
            only the saved outputs of the notebook hold answers.

        Returns
        -------
        Mapping
            The questions by name, each made when it is asked for.

        Raises
        ------
        QuestionError
            A file holds no questions, or no answers.

        Examples
        --------
        >>> from pdp_widgets import Question
        >>> ask = Question.read("lesson-0")
        >>> ask["odds"].value.kind
        'number'
        """
        return _Asked(cls, read_questions(source), None if answers is None else Answers(answers))

    @staticmethod
    def grade(source: str | os.PathLike[str], *handed_in: str | os.PathLike[str]) -> Any:
        """Judge what was handed in, without running any of it.

        Parameters
        ----------
        source
            The questions, as for `read`: the own file, not one that came back with the answers.
        *handed_in
            Saved notebooks (.ipynb), or files of answers.

        Returns
        -------
        pandas.DataFrame
            One row for each file and question: the answer, whether it is right, and its points; of a text
            neither, since a person has to read it.
        """
        return grades(source, *handed_in)

    def _keep_in(self, file: Answers) -> None:
        held = file.of(self._core.question.name)
        self._answers = file
        try:
            answer = as_answer(self._core.question, held.get("answer"))
            core = replace(
                self._core,
                answer=answer,
                attempts=_count(held.get("attempts", 0), "attempts", _MOST_ATTEMPTS),
                hints=_count(held.get("hints", 0), "hints", len(self._core.question.hints)),
            )
        except QuestionError:
            # An answer to an older question of this name.
            return
        if core.attempts and answer is not None:
            core.judged, core.verdict = answer, judge(core.question, answer)
        self._show(lambda: self.__dict__.update(_core=core))

    def _displayed(self) -> None:
        super()._displayed()
        if self._answers is not None and self._core.kept() != QuestionState(self._core.question).kept():
            try:
                self._answers.keep(self._core.question.name, self._core.kept())
            except (OSError, PdpError) as error:
                self._report(error, "the file of answers")

    # Answering

    def check(self) -> bool | None:
        """Judge the answer that stands, as the button does.

        Returns
        -------
        bool or None
            Whether it is right; None where a person has to read it.

        Raises
        ------
        QuestionError
            There is no answer yet, or too short a text.
        """

        def change() -> None:
            core = replace(self._core, fault=None)
            if core.question.kind == "explorer":
                core.answer = self._seen()
            core.check()
            self._core = core

        self._step(change)
        return self.right

    def _verdict(self) -> Verdict | None:
        with LOCK:
            core = self._core
        standing = core.standing()
        return standing if standing or core.answer is None else judge(core.question, core.answer)

    @property
    def right(self) -> bool | None:
        """Whether the answer that stands is right, checked or not; None where a person has to read it."""
        verdict = self._verdict()
        return False if verdict is None else verdict.right

    @property
    def feedback(self) -> str:
        """What is said to the answer that stands."""
        verdict = self._verdict()
        return "There is no answer yet." if verdict is None else verdict.text

    def _seen(self) -> dict[str, Any] | None:
        """Return what counts in the view of the explorer, as it stands."""
        if self._explorer is None:
            if self._core.answer is not None:
                return dict(self._core.answer)
            raise QuestionError(
                "The question has no explorer to judge.",
                call="Name it: question.watch(explorer).",
            )
        # What Python has set and is computed beside is waited for.
        self._explorer._state()
        return view_parts(self._explorer._view, self._core.question.parts)

    # One step

    def _accept(self, patch: Mapping[str, Any]) -> None:
        core = replace(self._core, fault=None)
        if "value" in patch:
            core, self._explorer = QuestionState(_as_question(patch["value"])), None
        if "answer" in patch:
            core.answer = as_answer(core.question, patch["answer"])
        if "attempts" in patch:
            core.attempts = _count(patch["attempts"], "attempts", _MOST_ATTEMPTS)
        if "hints" in patch:
            core.hints = _count(patch["hints"], "hints", len(core.question.hints))
        self._core = core

    def _answer(self, request: Mapping[str, Any]) -> None:
        core = replace(self._core, fault=None)
        checks = request.get("checks", core.attempts)
        if not is_stamp(checks):
            raise QuestionError("The browser sent something that is not understood; reload the page.")
        if "answer" in request and core.question.kind != "explorer":
            core.answer = as_answer(core.question, request["answer"])
        if "hints" in request:
            core.hints = _count(request["hints"], "hints", len(core.question.hints))
        if checks > core.attempts:
            try:
                if core.question.kind == "explorer":
                    core.answer = self._seen()
                core.check()
            except QuestionError as fault:
                # What was typed stays.
                core.fault = fault
        self._core = core

    def _subject(self) -> Any:
        return self._core.question

    def _values(self) -> dict[str, Any]:
        core = self._core
        return {"value": core.question, "answer": core.answer, "attempts": core.attempts, "hints": core.hints}

    def _shown(self) -> dict[str, Any]:
        core, verdict = self._core, self._core.standing()
        return {
            "question": core.question.to_json(),
            "answer": core.answer,
            "attempts": core.attempts,
            "hints": told(core.question, core.hints),
            "verdict": None if verdict is None else {"right": verdict.right, "text": verdict.text},
        }

    def _input_fault(self) -> PdpError | None:
        return self._core.fault

    def _figures(self, core: Any) -> Figures:
        raise DomainError(
            "A question has no figure for a paper: it is words. Its picture is .snapshot().",
            Where("parameter", name="part"),
        )

    def _sentence(self, core: QuestionState) -> str:
        answer = "" if core.answer is None else f" Answer: {core.answer}."
        return f"{core.question.name}: {core.question.prompt}{answer}"

    def __repr__(self) -> str:
        return f"<Question {self._core.question.name!r}>"


class _Asked(Mapping[str, Question]):
    """Questions by name, each made when it is asked for: each is a model in the page."""

    def __init__(
        self, kind: type[Question], sealed: Mapping[str, SealedQuestion], file: Answers | None
    ) -> None:
        self._kind, self._sealed, self._file = kind, sealed, file
        self._made: dict[str, Question] = {}
        if file is not None:
            # A file of something else is told now, and not in the middle of a lesson.
            file.of("")

    def __getitem__(self, name: str) -> Question:
        if name not in self._sealed:
            raise KeyError(f"There is no question {name!r}; there are {', '.join(map(repr, self))}.")
        if name not in self._made:
            made = self._made[name] = self._kind(self._sealed[name])
            if self._file is not None:
                made._keep_in(self._file)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._sealed

    def __iter__(self) -> Iterator[str]:
        return iter(self._sealed)

    def __len__(self) -> int:
        return len(self._sealed)

    def __repr__(self) -> str:
        return f"<{len(self)} questions: {', '.join(map(repr, self))}>"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


def _as_question(value: Any) -> SealedQuestion:
    if isinstance(value, Question):
        return value._core.question
    if isinstance(value, SealedQuestion):
        return value
    raise TypeError(
        f"The value is a {type(value).__name__}; make a question with Question.number, .choice, .text or "
        ".explorer, or read some with Question.read."
    )


def _names(view: Mapping[str, Any], above: str = "") -> list[str]:
    """Return the names of what an explorer question may ask for."""
    found: list[str] = []
    for key, held in view.items():
        name = f"{above}{key}"
        if isinstance(held, Mapping) and name.count(".") < 2:
            found += _names(held, f"{name}.")
        elif isinstance(held, str | int | float | bool | list) and key not in ("revision", "since"):
            found.append(name)
    return found
