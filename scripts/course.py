"""The questions of the course with their answers: `python scripts/course.py` seals them for the package.

Every number is computed in scripts/lessons, and nowhere typed in. The notebooks in notebooks/course read
sealed questions by their names. `python scripts/course.py --answers [LESSON]` prints
the sheet for a lecturer.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pdp_widgets.publish.answers import write_questions
from scripts.lessons import (
    bank,
    lesson_0,
    lesson_1,
    lesson_2,
    lesson_3,
    lesson_4,
    lesson_5,
    lesson_6,
    lesson_7,
    lesson_8,
)
from scripts.lessons.asking import Questions

PLACE = ROOT / "pdp_widgets" / "data" / "course"
LESSONS = {
    "lesson-0": lesson_0.questions,
    "lesson-1": lesson_1.questions,
    "lesson-2": lesson_2.questions,
    "lesson-3": lesson_3.questions,
    "lesson-4": lesson_4.questions,
    "lesson-5": lesson_5.questions,
    "lesson-6": lesson_6.questions,
    "lesson-7": lesson_7.questions,
    "lesson-8": lesson_8.questions,
}


def answer_sheet(lesson: str, questions: Questions) -> str:
    """Return the questions of a lesson with their answers, as Markdown."""
    parts = [f"# Answers to {lesson.replace('-', ' ')}"]
    for asked in questions:
        parts += [f"## {asked.question.name}", asked.question.prompt, asked.solution]
    return "\n\n".join(parts) + "\n"


def main(arguments: list[str]) -> int:
    """Write the sealed questions of every lesson, or print the answers."""
    if arguments == ["--answers", "bank"]:
        print("\n".join(f"{number}. {words}" for number, words in bank.answers().items()))
        return 0
    if arguments[:1] == ["--answers"] and set(arguments[1:]) <= set(LESSONS):
        for name in arguments[1:] or LESSONS:
            print(answer_sheet(name, LESSONS[name]()))
        return 0
    if arguments:
        print(f"{__doc__}\nLessons: {', '.join(LESSONS)}; and bank.", file=sys.stderr)
        return 2
    PLACE.mkdir(exist_ok=True)
    for name, questions in LESSONS.items():
        sealed = [asked.question for asked in questions()]
        print(write_questions(sealed, PLACE / f"{name}.json").relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
