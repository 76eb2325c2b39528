"""The lessons of the course: what a lecturer who adopts them may rely on."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import nbformat
import pytest

from pdp_widgets.publish.answers import read_questions
from pdp_widgets.publish.questions import SealedQuestion, judge
from scripts import course, slides
from scripts.lessons import bank
from scripts.lessons.asking import Asked
from tests.notebooks.test_notebooks import LESSONS
from tests.publish.notebooks import run

LINES, WORDS, BIGGEST = 15, 600, 350_000
NAMES = [path.stem[: len("lesson-0")] for path in LESSONS]
EACH = pytest.mark.parametrize("path", LESSONS, ids=NAMES)


def cells(path: Any) -> list[Any]:
    return list(nbformat.read(path, as_version=4).cells)


def test_every_lesson_has_its_questions() -> None:
    assert list(course.LESSONS) == NAMES


@EACH
def test_a_lesson_is_short_between_two_things_to_do_and_complete(path: Any) -> None:
    words = 0
    for cell in cells(path):
        assert cell.source.strip(), "an empty cell"
        if cell.cell_type == "markdown":
            words += len(cell.source.split())
            assert words <= WORDS, cell.source[:60]
            continue
        words = 0
        assert cell.source.count("\n") < LINES, cell.source
        assert not re.search(r"pdp_widgets\.(?!publish import)|\b_\w+\(", cell.source), (
            "a name that is not public"
        )
    notebook = nbformat.read(path, as_version=4)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    for part in (
        "**Goals.**",
        "**You need**",
        "**Time:**",
        "## Mini-project",
        "## What to remember",
        "doi.org",
    ):
        assert part in text, part
    assert set(notebook.metadata.kernelspec) == {"display_name", "language", "name"}
    assert {"name", "version", "file_extension", "mimetype"} <= set(notebook.metadata.language_info)
    assert path.stat().st_size < BIGGEST


@EACH
def test_the_slides_of_a_lesson_leave_out_nothing_to_see_and_show_no_solution(path: Any) -> None:
    notebook = nbformat.read(path, as_version=4)
    made = slides.slides_of(notebook).cells
    kinds = [cell.metadata.slideshow["slide_type"] for cell in made]
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert kinds.count("slide") == len(re.findall(r"^##? ", text, re.MULTILINE)) - 1, "all but the sources"
    shown = [cell for cell, kind in zip(made, kinds, strict=True) if kind != "skip"]
    assert [cell.source for cell in shown if cell.cell_type == "code"] == [
        cell.source for cell in notebook.cells if cell.get("outputs")
    ]
    asked = [cell for cell in shown if cell.source.startswith("ask[")]
    assert asked
    assert all("slide-without-code" in cell.metadata.tags for cell in asked)


def test_slides_are_a_page_with_a_section_for_each() -> None:
    notebook = nbformat.read(LESSONS[1], as_version=4)
    page = slides.page_of(notebook)
    kinds = [cell.metadata.slideshow["slide_type"] for cell in slides.slides_of(notebook).cells]
    assert page.count("<section") == len(kinds) - kinds.count("skip") + kinds.count("slide")
    assert "Two votes in one household" in page
    assert "source_hidden" not in page


@EACH
def test_a_lesson_asks_all_of_its_questions_in_their_order(path: Any) -> None:
    code = "\n".join(cell.source for cell in cells(path) if cell.cell_type == "code")
    asked = re.findall(r'^ask\["([^"]+)"\]', code, re.MULTILINE)
    assert asked == list(read_questions(path.stem[: len("lesson-0")]))


#: The question about the explorer of each lesson, its input, a value that answers it, and two that do not.
SET = {
    "lesson-0": ("set the noise", "scale", 4.0, (3.5, 5.0)),
    "lesson-1": ("enough noise", "scale", 1.59, (1.58, 2.0)),
    "lesson-2": ("set the scale", "scale", 2.4, (2.38, 3.0)),
    "lesson-3": ("set the scale", "scale", 2.13, (2.12, 2.5)),
    "lesson-4": ("set the budget", "epsilon", 0.375, (0.36, 0.38)),
    "lesson-5": ("a safe budget", "epsilon", 2.1, (2.07, 2.3)),
    "lesson-6": ("enough for the house", "mechanism", "calibrated", ("dpm_exact", "baseline")),
    "lesson-7": ("raise k", "k", 8, (7, 12)),
    "lesson-8": ("how much may be known", "known", 0.83, (0.82, 0.84)),
}


@EACH
def test_the_task_at_the_explorer_of_a_lesson_can_be_solved(
    path: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, trait, right, wrong = SET[path.stem[: len("lesson-0")]]
    _, variables = run(f"course/{path.stem}")
    question, explorer = variables["ask"][name], variables["explorer"]
    for value, outcome in ((wrong[0], False), (right, True), (wrong[1], False)):
        setattr(explorer, trait, value)
        explorer.wait()
        assert question.check() is outcome, value
    assert (tmp_path / f"{path.stem[: len('lesson-0')]}-answers.json").exists()


@cache
def asked_in(name: str) -> list[Asked]:
    return course.LESSONS[name]()


def questions_of(name: str) -> list[SealedQuestion]:
    return [asked.question for asked in asked_in(name)]


@pytest.mark.parametrize("name", NAMES)
def test_the_answers_for_a_lecturer_are_judged_right(name: str) -> None:
    sheet = course.answer_sheet(name, asked_in(name))
    for asked in asked_in(name):
        assert f"## {asked.question.name}\n\n{asked.question.prompt}\n\n{asked.solution}\n" in sheet
        answer = asked.answer
        if asked.question.kind == "explorer":
            answer = {part: sum(one) / 2 if isinstance(one, tuple) else one for part, one in answer.items()}
        if answer is not None:
            assert judge(asked.question, answer).right, asked.question.name


def test_every_question_of_the_bank_has_an_answer() -> None:
    page = (course.ROOT / "docs" / "teaching" / "assess.md").read_text(encoding="utf-8")
    assert [int(found) for found in re.findall(r"^(\d+)\. \[", page, re.MULTILINE)] == list(bank.answers())


@pytest.mark.parametrize("name", NAMES)
def test_the_sealed_questions_are_those_of_the_script(name: str) -> None:
    made = {one.name: json.loads(json.dumps(one.to_json())) for one in questions_of(name)}
    sealed = {key: json.loads(json.dumps(one.to_json())) for key, one in read_questions(name).items()}
    assert made == sealed, "python scripts/course.py writes them anew"


@pytest.mark.parametrize("name", NAMES)
def test_no_answer_to_a_lesson_stands_in_the_package(name: str) -> None:
    stored = (course.PLACE / f"{name}.json").read_text(encoding="utf-8")
    assert not re.search(r'"(answer|explain|right)":\s*["\d]', stored)
    for question in questions_of(name):
        if question.kind == "choice":
            verdicts = [judge(question, option) for option in question.options]
            assert sum(bool(one.right) for one in verdicts) == 1, question.name
            assert all(one.text not in stored for one in verdicts if one.right), question.name
