"""Questions as values: sealed answers, what is accepted, files, and what was handed in."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import PriorExplorer, Question, lsat6
from pdp_widgets.errors import QuestionError
from pdp_widgets.publish import questions
from pdp_widgets.publish.answers import Answers, read_questions, write_questions
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
)
from tests.publish.notebooks import code, shown
from tests.publish.notebooks import notebook as saved_notebook

CASES = Path(__file__).parents[1] / "data" / "question-cases.json"

NUMBER = number_question(
    "log odds",
    "Odds of 3 to 1: what are the log odds?",
    math.log(3),
    tolerance=0.005,
    unit="nats",
    explain="ln 3 = 1.099 nats — größer als 1.",
    wrong={3: "Those are the odds.", 0.477: "That is the decimal logarithm."},
    hints=["Take a logarithm.", "Take the natural one: ∑ of nothing."],
)
CHOICE = choice_question(
    "unit",
    "Leakage is measured in:",
    {"nats": "Natural logarithms of odds.", "metres": "Lengths are.", "“°C”": "Temperatures are."},
    "nats",
)
TEXT = text_question(
    "why", "Why is noise added?", "So that no record shows in the result.", hints=["Who looks?"]
)
EXPLORER = explorer_question(
    "scale",
    "Bring the largest leakage to 1 nat with as little noise as you can.",
    "prior_explorer",
    {"scale": (2.0, 2.1), "results.largest.value": (0, 1.0), "known": [0, 1], "convention": "sup"},
    explain="Scale 2 is enough.",
)
RIGHT_STATE = {"scale": 2.0, "results.largest.value": 1.0, "known": [0, 1], "convention": "sup"}
#: Every kind with answers and what is right of them.
JUDGED: list[tuple[SealedQuestion, list[tuple[Any, bool | None]]]] = [
    (NUMBER, [(1.0986, True), (1.1, True), (1.09, False), (3, False), (0.48, False), (-1e9, False)]),
    (CHOICE, [("nats", True), ("metres", False), ("“°C”", False)]),
    (TEXT, [("So that nobody can tell.", None)]),
    (
        EXPLORER,
        [
            (RIGHT_STATE, True),
            ({**RIGHT_STATE, "known": [0.0, 1.0]}, True),
            ({**RIGHT_STATE, "scale": 2.1, "results.largest.value": 0.95}, True),
            ({**RIGHT_STATE, "scale": 2.11}, False),
            ({**RIGHT_STATE, "known": [1, 0]}, False),
            ({**RIGHT_STATE, "results.largest.value": None}, False),
        ],
    ),
]
QUESTIONS = [question for question, _ in JUDGED]


def cases() -> dict[str, Any]:
    """Return what the front end's test judges again."""
    judged = [
        {
            "question": question.to_json(),
            "answers": [[answer, vars(judge(question, answer))] for answer, _ in answers],
            "hints": told(question, 9),
        }
        for question, answers in JUDGED
    ]
    return {"digest": hashlib.sha256(b"\7" * 200).hexdigest(), "questions": judged}


@pytest.mark.parametrize(("question", "answers"), JUDGED, ids=[one.name for one in QUESTIONS])
def test_an_answer_is_judged(question: SealedQuestion, answers: list[tuple[Any, bool | None]]) -> None:
    for answer, right in answers:
        assert judge(question, as_answer(question, answer)).right is right, answer
    assert SealedQuestion.from_json(json.loads(json.dumps(question.to_json()))) == question


def test_wrong_answers_have_replies_of_their_own() -> None:
    assert judge(NUMBER, 3.0).text == "Those are the odds."
    assert judge(NUMBER, 7.0) == Verdict(False, "Not right yet.")
    assert judge(CHOICE, "metres").text == "Lengths are."


def test_the_front_end_has_the_same_cases() -> None:
    assert json.loads(CASES.read_text(encoding="utf-8")) == json.loads(json.dumps(cases())), (
        "python -m tests.publish.test_questions writes them anew"
    )


@pytest.mark.parametrize(("answer", "rounds"), [("answer=0\n", 2000), ("", 1), ("ä" * 100, 3)])
def test_the_key_is_that_of_the_standard(answer: str, rounds: int) -> None:
    known = hashlib.pbkdf2_hmac("sha256", answer.encode(), b"salt", rounds)
    assert questions._key("salt", answer, rounds) == known


def test_what_is_stored_says_no_answer() -> None:
    stored = json.dumps([one.to_json() for one in QUESTIONS], ensure_ascii=False)
    said = [
        "ln 3",
        "1.09",
        "Those are",
        "Natural logarithms",
        "So that no record",
        "Take a",
        "Scale 2 is enough",
    ]
    assert [word for word in said if word in stored] == []


@given(
    answer=st.floats(-1e4, 1e4),
    tolerance=st.floats(0.2, 1e3),
    off=st.floats(-3, 3),
)
def test_a_number_is_right_within_the_tolerance_and_nowhere_else(
    answer: float, tolerance: float, off: float
) -> None:
    question = number_question("n", "How many?", answer, tolerance=tolerance)
    if abs(abs(off) - 1) > 1e-4:
        assert judge(question, answer + off * tolerance).right is (abs(off) < 1)
    # The grid is that of infinitely many answers: a whole number of widths away it is the same.
    other = number_question("n", "How many?", answer + 2 * tolerance, tolerance=tolerance)
    (begin, width), (moved, same) = question.replies[0].cells["answer"], other.replies[0].cells["answer"]
    assert same == pytest.approx(width)
    assert min(abs(begin - moved), 1 - abs(begin - moved)) < 1e-5


@pytest.mark.parametrize("edge", [0.1, 0.3])
def test_both_ends_count_though_no_float_is_exact(edge: float) -> None:
    question = number_question("n", "How many?", 0.2, tolerance=0.1)
    assert judge(question, edge).right
    assert judge(question, 0.1 + 0.2).right


WRONG: list[tuple[Any, str]] = [
    (lambda: number_question("", "?", 1, tolerance=1), "name is ''"),
    (lambda: number_question("n", "?", math.inf, tolerance=1), "ask for a choice"),
    (lambda: number_question("n", "?", 1, tolerance=0), "tolerance is 0"),
    (lambda: number_question("n", "?", 1e9, tolerance=0.1), "too narrow"),
    (lambda: number_question("n", "?", 1, tolerance=1, hints="no"), "list of texts"),
    (lambda: number_question("n", "?", 1, tolerance=1, points=-1), "points is -1"),
    (lambda: choice_question("n", "?", ["a"], "a"), "two or more"),
    (lambda: choice_question("n", "?", ["a", "b"], "c"), "answer is 'c'"),
    (lambda: text_question("n", "?", "yes", least=0), "least is 0"),
    (lambda: explorer_question("n", "?", "m", {}), "wanted names nothing"),
    (lambda: explorer_question("n", "?", "m", dict.fromkeys("abcdefghi", 1)), "at most 8"),
    (lambda: choice_question("n", "?", [str(k) for k in range(101)], "1"), "at most 100"),
    (lambda: text_question("n", "?", "yes", hints=["more"] * 21), "at most 20"),
    (
        lambda: number_question("n", "?", 1, tolerance=0.1, wrong=dict.fromkeys(range(2, 102), "no")),
        "at most 99",
    ),
    (lambda: explorer_question("n", "?", "m", {"scale": (2, 1)}), "the smaller one first"),
    (lambda: explorer_question("n", "?", "m", {"scale": 0.5}), r"give a pair"),
    (lambda: as_answer(NUMBER, "3"), "finite number"),
    (lambda: as_answer(NUMBER, math.nan), "finite number"),
    (lambda: as_answer(CHOICE, "miles"), "'nats', 'metres'"),
    (lambda: as_answer(TEXT, 3), "give text"),
    (lambda: as_answer(EXPLORER, {"scale": 2}), "the parts scale"),
    (lambda: write_questions([NUMBER, NUMBER], "x.json"), "Two questions are called 'log odds'"),
    (lambda: read_questions("lesson-99"), "give one of"),
]


@pytest.mark.parametrize(("call", "said"), WRONG, ids=[said for _, said in WRONG])
def test_what_is_wrong_is_named(call: Any, said: str) -> None:
    with pytest.raises(QuestionError, match=said):
        call()


@pytest.mark.parametrize("text", ["", "[]", '{"format": "other/1"}', '{"format": "pdp-questions/1"}'])
def test_a_file_of_something_else_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    path.write_text(text)
    with pytest.raises(QuestionError, match=r"some\.json is no file of questions"):
        read_questions(path)
    path.write_text('{"format": "pdp-questions/1", "questions": [{"name": 1}]}')
    with pytest.raises(QuestionError, match="no question"):
        read_questions(path)


def test_answers_come_back_when_a_notebook_runs_again(tmp_path: Path) -> None:
    sheet = write_questions(QUESTIONS, tmp_path / "sheet.json")
    kept = tmp_path / "answers.json"
    first = Question.read(sheet, kept)
    assert not kept.exists(), "nothing was answered"
    first["log odds"].answer = 3
    first["log odds"].check()
    first["log odds"].hints = 1
    first["unit"].answer = "nats"
    again = Question.read(sheet, kept)
    odds = again["log odds"]
    assert (odds.answer, odds.attempts, odds.hints, odds.right) == (3.0, 1, 1, False)
    assert odds._view["verdict"] == {"right": False, "text": "Those are the odds."}
    assert again["unit"].right
    assert again["unit"]._view["verdict"] is None, "it was not checked"
    # What another question of that name was answered is left alone.
    Answers(kept).keep("log odds", {"answer": "a text", "attempts": -1, "hints": 40})
    assert Question.read(sheet, kept)["log odds"].answer is None


def test_the_questions_of_a_file_are_made_when_they_are_asked_for(tmp_path: Path) -> None:
    sheet = write_questions(QUESTIONS, tmp_path / "sheet.json")
    ask = Question.read(sheet)
    assert list(ask) == [one.name for one in QUESTIONS]
    assert ask["unit"] is ask["unit"]
    assert "unit" in ask
    assert "metre" not in ask
    with pytest.raises(KeyError, match="no question 'metre'; there are 'log odds'"):
        ask["metre"]
    other = tmp_path / "other.json"
    other.write_text("{}")
    with pytest.raises(QuestionError, match="no file of answers"):
        Question.read(sheet, answers=other)


def notebook(*questions: Question) -> dict[str, Any]:
    """Return a notebook that shows questions, as Jupyter saves it."""
    return saved_notebook(code("ask", *(shown(one)[0] for one in questions)))


def test_what_is_handed_in_is_graded_by_the_lecturers_file(tmp_path: Path) -> None:
    sheet = write_questions(QUESTIONS, tmp_path / "sheet.json")
    ask = Question.read(sheet, tmp_path / "answers.json")
    ask["log odds"].answer = 1.1
    ask["unit"].answer = "metres"
    ask["why"].answer = "So that nobody can tell."
    (tmp_path / "copy.ipynb").write_text(json.dumps(notebook(*ask.values())))
    blank = Question.read(sheet)
    (tmp_path / "blank.ipynb").write_text(json.dumps(notebook(*blank.values())))
    found = Question.grade(
        sheet, tmp_path / "copy.ipynb", tmp_path / "answers.json", tmp_path / "blank.ipynb"
    )
    assert len(found) == 3 * len(QUESTIONS)
    for name in ("copy.ipynb", "answers.json"):
        rows = found[found["file"] == name].set_index("question")
        assert rows["right"].tolist() == [True, False, None, False]
        assert rows["points"].sum() == 1.0
        assert math.isnan(rows.loc["why", "points"]), "a person reads it"
    assert not found[found["file"] == "blank.ipynb"]["right"].any()
    # A copy that brings replies of its own does not change what is right.
    forged = Question.number("log odds", "Odds of 3 to 1?", 7, tolerance=1)
    forged.answer = 7
    assert forged.check()
    (tmp_path / "forged.ipynb").write_text(json.dumps(notebook(forged)))
    assert not Question.grade(sheet, tmp_path / "forged.ipynb")["right"].iloc[0]


def test_an_explorer_question_names_what_its_view_has() -> None:
    explorer = PriorExplorer(lsat6().marginal(["item 1", "item 2"]))
    with pytest.raises(QuestionError, match=r"has no 'sigma'; it has .*scale.*results\.largest\.value"):
        Question.explorer("s", "Set it.", explorer, {"sigma": (1, 2)})


if __name__ == "__main__":
    CASES.write_text(json.dumps(cases(), indent=1) + "\n", encoding="utf-8")
