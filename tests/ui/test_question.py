"""Questions under a person's hands: live, and in a published page without a kernel."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from pdp_widgets import PriorExplorer, Question
from tests.publish.notebooks import code, notebook, shown
from tests.ui.axe import violations
from tests.ui.bridge import Bridge
from tests.ui.hands import three
from tests.ui.test_page import Opened, opened  # noqa: F401 -- a fixture
from tests.ui.test_themes import SCHEMES, faint_in


def number() -> Question:
    return Question.number(
        "log odds",
        "The odds of a right answer are 3 to 1. What are the log odds?",
        1.0986,
        tolerance=0.005,
        unit="nats",
        explain="ln 3 = 1.099 nats.",
        wrong={3: "Those are the odds."},
        hints=["Take a logarithm.", "Take the natural one."],
    )


def choice() -> Question:
    options = {"nats": "Of odds.", "bits": "Two to the power of them.", "per cent": "Of what?"}
    return Question.choice("unit", "In which unit are leakages stated?", options, "nats", hints=["Natural."])


def text() -> Question:
    return Question.text("why", "Why is noise added?", "So that no record shows.", least=3)


def scale() -> tuple[PriorExplorer, Question]:
    explorer = PriorExplorer(three())
    wanted = {"scale": (1.9, 2.1), "results.largest.value": (0, 1)}
    return explorer, Question.explorer(
        "noise", "Bring the largest leakage to at most 1 nat.", explorer, wanted
    )


def said(root: Locator) -> Locator:
    return root.locator(".qw-feedback")


def test_a_number_is_answered_by_the_keyboard(bridge: Bridge) -> None:
    question = number()
    view = bridge.show(question)
    field = view.root.get_by_role("textbox", name="Your answer, nats")
    field.focus()
    bridge.page.keyboard.type("3")
    bridge.page.keyboard.press("Enter")
    expect(said(view.root)).to_have_text("Those are the odds.")
    expect(view.root.locator(".qw-state")).to_have_text("Not right, 1 attempt")
    bridge.page.keyboard.press("Tab")
    bridge.page.keyboard.press("Tab")
    bridge.page.keyboard.press("Space")
    expect(view.root.get_by_role("listitem")).to_have_text("Take a logarithm.")
    expect(view.root.get_by_role("button", name="Hint 2 of 2")).to_be_visible()
    field.fill("1,1")
    expect(said(view.root)).to_be_visible()
    view.root.get_by_role("button", name="Check").click()
    expect(said(view.root)).to_have_text("Right. ln 3 = 1.099 nats.")
    bridge.settle()
    assert (question.answer, question.attempts, question.hints, question.right) == (1.1, 2, 1, True)
    # What was said goes with the answer that it was said to.
    field.fill("2")
    field.blur()
    expect(said(view.root)).to_be_hidden()
    field.fill("two")
    field.press("Enter")
    expect(view.root.get_by_role("alert")).to_contain_text("is not a number")
    bridge.settle()
    assert (question.answer, question.attempts) == (2.0, 2)


def test_an_answer_from_python_stands_in_the_view(bridge: Bridge) -> None:
    question = number()
    view = bridge.show(question)
    view.root.get_by_role("button", name="Check").click()
    expect(view.root.locator(".line")).to_have_text("There is no answer yet.")
    question.answer = 1.099
    expect(view.root.get_by_role("textbox")).to_have_value("1.099")
    assert question.check()
    expect(said(view.root)).to_contain_text("Right.")
    expect(view.root.locator(".line")).to_be_hidden()
    question.value = choice().value
    expect(view.root.get_by_role("radio")).to_have_count(3)
    expect(said(view.root)).to_be_hidden()


def test_options_are_chosen_by_arrow_keys(bridge: Bridge) -> None:
    question = choice()
    view = bridge.show(question)
    check = view.root.get_by_role("button", name="Check")
    expect(check).to_be_disabled()
    view.root.get_by_role("radio", name="nats").focus()
    bridge.page.keyboard.press("ArrowDown")
    check.click()
    expect(said(view.root)).to_have_text("Two to the power of them.")
    view.root.get_by_role("radio", name="nats").check()
    check.click()
    expect(said(view.root)).to_have_text("Right. Of odds.")
    bridge.settle()
    assert question.right


def test_a_text_is_compared_with_a_model_answer(bridge: Bridge) -> None:
    question = text()
    view = bridge.show(question)
    area = view.root.get_by_role("textbox", name="Your answer")
    compare = view.root.get_by_role("button", name="Compare")
    area.fill("Noise.")
    compare.click()
    expect(view.root.locator(".line")).to_contain_text("at least 3 words")
    area.press_sequentially(" It hides people.")
    compare.click()
    expect(said(view.root)).to_have_text("A model answer: So that no record shows.")
    bridge.settle()
    assert question.answer == "Noise. It hides people."
    assert question.right is None
    # One writes on with the model answer beside it.
    area.press_sequentially(" All of them.")
    area.blur()
    bridge.settle()
    expect(said(view.root)).to_be_visible()
    assert question.answer.endswith("All of them.")


def test_an_explorer_is_judged_as_it_stands(bridge: Bridge) -> None:
    explorer, question = scale()
    view = bridge.show(question)
    view.root.get_by_role("button", name="Check the explorer").click()
    expect(said(view.root)).to_have_text("Not right yet.")
    explorer.scale = 2
    view.root.get_by_role("button", name="Check the explorer").click()
    expect(said(view.root)).to_have_text("Right.")
    assert question.answer["scale"] == 2


STATES: dict[str, Callable[[], Question]] = {
    "number": number,
    "choice": choice,
    "text": text,
    "explorer": lambda: scale()[1],
}


@pytest.mark.parametrize("kind", STATES)
def test_axe_finds_nothing_and_all_is_legible(bridge: Bridge, kind: str) -> None:
    question = STATES[kind]()
    bridge.show(question)
    assert violations(bridge) == []
    if kind != "explorer":
        question.answer = {"number": 3, "choice": "nats", "text": "So it is here."}[kind]
    question.check()
    question.hints = len(question.value.hints)
    bridge.settle()
    assert violations(bridge) == []
    assert faint_in(bridge, SCHEMES, least=3) == []


def test_a_page_judges_without_a_kernel(opened: Callable[..., Opened]) -> None:  # noqa: F811
    explorer, about = scale()
    cells = [
        code(str(k), *shown(one)) for k, one in enumerate((number(), choice(), text(), explorer, about), 1)
    ]
    page = opened(notebook(*cells))
    for secret in ("ln 3", "Take a logarithm", "Of odds", "no record shows"):
        assert secret not in page.page.content()
    numbers, options, words, _, state = (page.root(k) for k in range(5))
    field = numbers.get_by_role("textbox")
    field.fill("3")
    field.press("Enter")
    expect(said(numbers)).to_have_text("Those are the odds.")
    numbers.get_by_role("button", name="Hint 1 of 2").click()
    expect(numbers.get_by_role("listitem")).to_have_text("Take a logarithm.")
    field.fill("1.099")
    field.press("Enter")
    expect(said(numbers)).to_have_text("Right. ln 3 = 1.099 nats.")
    expect(numbers.locator(".qw-state")).to_have_text("Right, 2 attempts")
    options.get_by_role("radio", name="per cent").check()
    options.get_by_role("button", name="Check").click()
    expect(said(options)).to_have_text("Of what?")
    compare = words.get_by_role("button", name="Compare")
    compare.click()
    expect(words.locator(".line")).to_have_text("There is no answer yet.")
    words.get_by_role("textbox").fill("So it is.")
    compare.click()
    expect(said(words)).to_contain_text("no record shows")
    check = state.get_by_role("button", name="Check the explorer")
    check.click()
    expect(said(state)).to_have_text("Not right yet.")
    noise = page.root(3).get_by_label("Scale λ as a number")
    noise.fill("2")
    noise.press("Enter")
    expect(page.root(3)).to_contain_text(re.compile("1.000"))
    expect.soft(page.root(3).locator(".px-lead")).to_contain_text("2.00")
    check.click()
    expect(said(state)).to_have_text("Right.")


def test_a_page_without_the_explorer_says_so(opened: Callable[..., Opened]) -> None:  # noqa: F811
    page = opened(scale()[1])
    page.root().get_by_role("button", name="Check the explorer").click()
    expect(page.root().locator(".line")).to_contain_text("no explorer above this question")
