"""Files of questions and of answers, and what was handed in judged by them."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pdp_widgets.core.checks import shown
from pdp_widgets.errors import PdpError, QuestionError, Where
from pdp_widgets.models.pandas_frames import pandas_frame
from pdp_widgets.models.text_files import file_bytes, write_lines
from pdp_widgets.publish.notebook import saved_states
from pdp_widgets.publish.questions import SealedQuestion, Verdict, as_answer, judge

__all__ = ["Answers", "grades", "read_questions", "write_questions"]

_SHEETS = Path(__file__).resolve().parent.parent / "data" / "course"
_SHEET, _ANSWERS = "pdp-questions/1", "pdp-answers/1"


def _content(path: Path, kind: str, part: str, otherwise: str) -> Any:
    """Return a part of a file of ours."""
    try:
        held = json.loads(file_bytes(path, QuestionError))
    except ValueError as error:
        if isinstance(error, PdpError):
            raise
        held = None
    if not isinstance(held, dict) or held.get("format") != kind or part not in held:
        raise QuestionError(
            f"{path.name} is no file of {part}. {otherwise}", Where("parameter", name="source")
        )
    return held[part]


def write_questions(questions: Iterable[SealedQuestion], path: str | os.PathLike[str]) -> Path:
    """Write a file of sealed questions, see `pdp_widgets.Question.write`."""
    listed = list(questions)
    names = [one.name for one in listed]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise QuestionError(
            f"Two questions are called {shown(twice[0])}; give each a name of its own.",
            Where("parameter", name="questions"),
        )
    held = {"format": _SHEET, "questions": [one.to_json() for one in listed]}
    return write_lines(path, json.dumps(held, ensure_ascii=False, indent=1).splitlines())


def read_questions(source: str | os.PathLike[str]) -> dict[str, SealedQuestion]:
    """Read the questions of a file, or of a lesson of the course, by their names."""
    path = Path(source)
    if isinstance(source, str) and not path.suffix:
        lessons = sorted(one.stem for one in _SHEETS.glob("*.json"))
        if source not in lessons:
            raise QuestionError(
                f"There is no lesson {shown(source)}; give one of {', '.join(lessons)}, or the path of a "
                "file that Question.write(...) has written (.json).",
                Where("parameter", name="source"),
            )
        path = _SHEETS / f"{source}.json"
    listed = _content(path, _SHEET, "questions", "Write one with Question.write(...).")
    return {one.name: one for one in map(SealedQuestion.from_json, listed)}


class Answers:
    """A file of answers beside a notebook: they are there again when the notebook runs again.

    Parameters
    ----------
    path
        The file; it is made with the first answer.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def __repr__(self) -> str:
        return f"Answers({str(self.path)!r})"

    def _held(self) -> dict[str, Any]:
        if not self.path.exists():
            return {}
        held = _content(self.path, _ANSWERS, "answers", "Rename it, or name another one as answers.")
        return held if isinstance(held, dict) else {}

    def of(self, name: str) -> dict[str, Any]:
        """Return what is kept of a question."""
        held = self._held().get(name)
        return held if isinstance(held, dict) else {}

    def keep(self, name: str, state: Mapping[str, Any]) -> None:
        """Keep what was answered, beside the answers to other questions."""
        held = self._held()
        if held.get(name) == state:
            return
        text = json.dumps({"format": _ANSWERS, "answers": {**held, name: dict(state)}}, indent=1)
        # Never half a file, whatever happens meanwhile.
        beside = self.path.with_name(f".{self.path.name}.new")
        write_lines(beside, text.splitlines())
        beside.replace(self.path)


def grades(source: str | os.PathLike[str], *handed_in: str | os.PathLike[str]) -> Any:
    """Judge the answers in saved notebooks or files of answers, see `pdp_widgets.Question.grade`."""
    questions = read_questions(source)
    rows = []
    for path in map(Path, handed_in):
        given = _saved_answers(path)
        for name, question in questions.items():
            held = given.get(name, {})
            try:
                answer = as_answer(question, held.get("answer"))
            except QuestionError:
                answer = None
            verdict = Verdict(False, "") if answer is None else judge(question, answer)
            rows.append(
                {
                    "file": path.name,
                    "question": name,
                    "kind": question.kind,
                    "answer": answer,
                    "right": verdict.right,
                    "points": math.nan if verdict.right is None else question.points * verdict.right,
                    "of": question.points,
                    "attempts": held.get("attempts", 0),
                    "hints": held.get("hints", 0),
                }
            )
    return pandas_frame(rows)


def _saved_answers(path: Path) -> dict[str, dict[str, Any]]:
    if path.suffix != ".ipynb":
        return Answers(path)._held()
    found = {}
    for state in saved_states(path):
        if state["module"] == "question":
            view = state["traits"]["_view"]
            part = {
                "answer": view.get("answer"),
                "attempts": view.get("attempts"),
                "hints": len(view.get("hints", ())),
            }
            found[view["question"]["name"]] = part
    return found
