"""A student answers in JupyterLab and hands the notebook in: answers are in the copy, and come back later."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from pdp_widgets import Question
from pdp_widgets.publish.page_state import VIEW_TYPE
from tests.lab.conftest import Lab

CELLS = (
    "import pdp_widgets as pdp\n\nask = pdp.Question.read('lesson-0', answers='answers.json')",
    "ask['odds']",
)


def test_answers_are_saved_with_the_notebook_and_come_back(desk: Lab) -> None:
    file = desk.write_notebook("copy.ipynb", *CELLS)
    desk.show("copy.ipynb")
    desk.run_all()
    question = desk.panel.locator(".pdp")
    field = question.get_by_role("textbox", name="Your answer")
    field.fill("0.713")
    field.press("Enter")
    expect(question.locator(".qw-feedback")).to_contain_text("Right. 393 / 551")
    # The picture in the output follows a second after the last change.
    held = "panel => JSON.stringify(panel.context.model.toJSON().cells[1].outputs)"
    desk.page.wait_for_function(
        f"() => ({held})(window.jupyterapp.shell.currentWidget).includes('393 / 551')"
    )
    desk.save()
    outputs = json.loads(file.read_text())["cells"][1]["outputs"]
    (view,) = (one["data"][VIEW_TYPE]["traits"]["_view"] for one in outputs if VIEW_TYPE in one["data"])
    assert (view["answer"], view["attempts"]) == (0.713, 1)
    for handed_in in (file, file.with_name("answers.json")):
        graded = Question.grade("lesson-0", handed_in).set_index("question")
        assert graded["right"]["odds"]
        assert graded["points"].sum() == 1
    desk.overlook_replaced_models()
    # The objects are new ones: they know what was answered from the file alone.
    desk.run_all()
    expect(question.last.get_by_role("textbox", name="Your answer")).to_have_value("0.713")
    expect(question.last.locator(".qw-feedback")).to_contain_text("Right.")
