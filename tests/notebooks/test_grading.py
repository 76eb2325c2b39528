"""nbgrader grades questions: what a student answered by hand is judged again where the notebook is graded."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import nbformat
import pytest

from pdp_widgets import Question
from tests.environments import beside, python_of

ROOT = Path(__file__).resolve().parents[2]
SCORES = """
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    found = book.assignment_submissions("week1")
    print(*sorted(f"{one.student.id} {one.score:g} of {one.max_score:g}" for one in found), sep="; ")
"""


@pytest.fixture(scope="module")
def grader() -> Path:
    """Return a Python with nbgrader: no part of .venv, where every JupyterLab would load its panels."""
    return python_of(beside("grading"))


def cell(name: str, source: str, points: int | None = None) -> nbformat.NotebookNode:
    """Return a cell that students leave as it is; one with points is graded."""
    made = nbformat.v4.new_code_cell(source, id=name)
    made.metadata["nbgrader"] = {
        "schema_version": 3,
        "grade_id": name,
        "locked": True,
        "solution": False,
        "task": False,
        "grade": points is not None,
        **({} if points is None else {"points": points}),
    }
    return made


def lesson() -> nbformat.NotebookNode:
    """Return the notebook of the guide: questions, and a graded cell for each."""
    made = nbformat.v4.new_notebook()
    made.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made.cells = [
        cell(
            "read",
            "import pdp_widgets as pdp\n\nask = pdp.Question.read('week1.json', answers='answers.json')",
        ),
        cell("ask-odds", "ask['odds']"),
        cell("odds", "assert ask['odds'].right, ask['odds'].feedback", 2),
        cell("ask-unit", "ask['unit']"),
        cell("unit", "assert ask['unit'].right, ask['unit'].feedback", 1),
    ]
    return made


def test_a_solved_and_an_unsolved_copy_are_graded(grader: Path, tmp_path: Path) -> None:
    def run(*command: str) -> str:
        done = subprocess.run(
            [grader, *command],
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "PATH": f"{grader.parent}{os.pathsep}{os.environ['PATH']}",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    source = tmp_path / "source" / "week1"
    source.mkdir(parents=True)
    questions = [
        Question.number("odds", "What is ln 3?", 1.0986, tolerance=0.001, unit="nats"),
        Question.choice("unit", "Which unit is it?", ["nats", "bits"], "nats"),
    ]
    Question.write(questions, source / "week1.json")
    nbformat.write(lesson(), source / "lesson.ipynb")
    run("-m", "nbgrader", "generate_assignment", "week1", "--IncludeHeaderFooter.header=''")
    answers = {"ann": {"odds": 1.099, "unit": "nats"}, "ben": {"odds": 3}}
    for student, given in answers.items():
        copy = tmp_path / "submitted" / student / "week1"
        copy.mkdir(parents=True)
        for file in (tmp_path / "release" / "week1").iterdir():
            (copy / file.name).write_bytes(file.read_bytes())
        asked = Question.read(copy / "week1.json", answers=copy / "answers.json")
        for name, answer in given.items():
            asked[name].answer = answer
    run("-m", "nbgrader", "autograde", "week1")
    assert run("-c", SCORES).splitlines()[-1] == "ann 3 of 3; ben 0 of 3"
