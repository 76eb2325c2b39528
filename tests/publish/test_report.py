"""Reports: the numbers of the result, a cell that makes it again, two pages of paper, hostile names."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

import pdp_widgets as pdp
from pdp_widgets.core.chart import nats
from pdp_widgets.errors import AdversaryError, DomainError
from pdp_widgets.publish import report as publishing
from pdp_widgets.publish.formatting import leakage
from tests.browser import on_path
from tests.every_widget import SETUP
from tests.publish.figure_subjects import HOSTILE, hostile
from tests.ui.axe import source


@cache
def made() -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(SETUP, names)
    return names


def of(text: str) -> Callable[[], Any]:
    return lambda: eval(text, made())


def histogram() -> Any:
    joint = pdp.lsat6().marginal(["item 1", "item 2"])
    bins = pdp.HistogramQuery.of_labels(joint)
    return pdp.prior.HistogramAnalysis(joint, pdp.prior.VectorLaplaceMechanism(bins, 1.0))


def long_names() -> Any:
    names = [f"{k} {'a long name ' * 20}" for k in range(12)]
    return pdp.GaussianAnalysis(pdp.GaussianModel.equicorrelated(12, 0.3, names=names))


#: What a report is made of, what is chosen, and what it says of the largest leakage.
REPORTED: dict[str, tuple[Callable[[], Any], dict[str, Any], Callable[[Any], str]]] = {
    "table": (
        of("of_joint(1.0)"),
        {"target": "item 2", "known": ["item 1"]},
        lambda a: nats(a.largest.value, 4),
    ),
    "histogram": (histogram, {}, lambda a: nats(a.largest.value, 4)),
    "Gaussian": (of("of_model(1.0)"), {"target": "x1"}, lambda a: nats(a.largest.value, 4)),
    "long names": (
        long_names,
        {"target": 0, "known": list(range(1, 12))},
        lambda a: nats(a.largest.value, 4),
    ),
    "local": (
        of("of_people(1.0)"),
        {"secret": "age", "source": "class"},
        lambda a: nats(a.joint("sex").exact.value, 4),
    ),
    "dependence": (of("of_shift(1.0)"), {"target": "Ben"}, lambda a: nats(a.largest.value, 4)),
    "attack": (of("of_city(40.0)"), {}, lambda a: f"{a.attack_2.error_km:.3g} km"),
    "anonymity": (of("of_clinic(0.5)"), {}, lambda a: f"{a.slack(1.0).delta:.3g}"),
    "sequence": (of("of_stream()"), {"step": 3}, lambda a: nats(a.sequence.value, 4)),
    "prior explorer": (of("pdp.PriorExplorer(joint)"), {}, lambda e: leakage(e.results.largest.value)),
    "Gaussian explorer": (of("pdp.GaussianExplorer(model)"), {}, lambda e: leakage(e.results.largest.value)),
    "local explorer": (of("pdp.LocalExplorer(pdp.titanic(), 'GRR', 1.0)"), {}, lambda e: "2.079 nats"),
    "dependence explorer": (of("pdp.DependenceExplorer()"), {}, lambda e: leakage(e.results.largest.value)),
    "attack explorer": (of("pdp.AttackExplorer(city, clusters=4)"), {}, lambda e: "2.37 km"),
    "anonymity explorer": (of("pdp.AnonymityExplorer(pdp.clinic())"), {}, lambda e: "slack δ of 0.018"),
    "stream simulator": (of("pdp.StreamSimulator(chain, 0.5, steps=12, rng=1)"), {}, lambda e: "0.5 nats"),
}


@cache
def page(name: str, folder: Path) -> tuple[str, str]:
    """Return what a report has to say, and its page."""
    make, choice, expected = REPORTED[name]
    subject = make()
    made_file = subject.report(folder / f"{name}.html", **choice)
    return expected(subject), made_file.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reports")


def cell_of(text: str) -> str:
    found = re.search(r"<pre[^>]*>(.*?)</pre>", text, re.DOTALL)
    assert found is not None
    return unescape(found[1])


@pytest.mark.parametrize("name", REPORTED)
def test_a_report_says_the_numbers_and_its_cell_makes_it_again(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    expected, text = page(name, folder)
    said = unescape(re.sub(r"<(style|pre).*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL))
    assert expected in said
    assert "exact" in said
    assert not re.search("NaN|None", said)
    # Nobody can say by how much noise an attack is kept from guessing.
    assert ("Not computed" in said) == name.startswith("attack")
    assert text.count("<img ") == (0 if name == "histogram" else 2)
    if "explorer" in name and name != "anonymity explorer":
        # That documents give explorers back is tested where they are.
        return
    monkeypatch.chdir(tmp_path)
    exec(cell_of(text), {})
    assert Path("release.html").read_text(encoding="utf-8") == text


def test_reports_are_two_pages_and_axe_finds_nothing(chromium: Browser, folder: Path) -> None:
    with chromium.new_context(color_scheme="dark", viewport={"width": 390, "height": 800}) as context:
        tab = context.new_page()
        for name in REPORTED:
            page(name, folder)
            tab.goto((folder / f"{name}.html").as_uri())
            # Letter is the lower of the two, and A4 the narrower.
            assert [pages(tab.pdf(format=paper)) for paper in ("A4", "Letter")] == [2, 2], name
            assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), name
            if name in ("table", "anonymity explorer", "stream simulator"):
                tab.evaluate(source())
                found = tab.evaluate("async () => (await axe.run()).violations.map((one) => one.id)")
                assert found == [], name


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b", pdf))


def test_a_pdf_has_two_pages_and_the_same_bytes(
    tmp_path: Path, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The browser of the tests, which need not be on the path.
    monkeypatch.setenv("PDP_CHROMIUM", on_path() or chromium.browser_type.executable_path)
    analysis = made()["of_model"](1.0)
    first, second = (analysis.report(tmp_path / f"{k}.pdf", paper="letter").read_bytes() for k in "ab")
    assert first == second
    assert pages(first) == 2
    assert b"/MediaBox [0 0 612 792]" in first


def test_hostile_names_are_text(tmp_path: Path) -> None:
    analysis = hostile()
    text = analysis.report(tmp_path / "hostile.html", target=HOSTILE[0]).read_text(encoding="utf-8")
    outside = re.sub(r"<(style|pre).*?</\1>|src=\"data:[^\"]*\"", "", text, flags=re.DOTALL)
    assert "<script" not in outside
    assert "foreignObject>" not in outside.replace("foreignObject&gt;", "")
    assert "\u202e" not in outside
    assert "\x00" not in outside
    assert "&lt;script&gt;alert(1)" in outside
    spread = pdp.JointDistribution(np.full((2, 2), 0.25), names=["a", '</pre><script>"'])
    local = pdp.LocalAnalysis(spread, "GRR", 1.0).report(tmp_path / "pre.html").read_text(encoding="utf-8")
    assert "<script" not in local
    assert '</pre><script>"' in cell_of(local).replace("\\", "")


#: Where there is little to say, and what is said then.
BARE: dict[str, tuple[Callable[[], Any], str]] = {
    "no step": (of("pdp.StreamSimulator(chain, 0.5, steps=0)"), "one symbol at each of 0 steps"),
    "several numbers": (
        of("pdp.DependenceAnalysis(pdp.examples.agreeing_bits(0.9), 'identity', 1.0, 'lpm')"),
        "Not computed: 2 numbers are published",
    ),
    "the worst of all": (
        of("pdp.DependenceAnalysis(pdp.examples.agreeing_bits(0.9), 'sum', 1.0, 'lpm', worst=True)"),
        "Who learns most differs from measure to measure",
    ),
    "a query that never moves": (
        of("pdp.PriorAnalysis(joint, pdp.LaplaceMechanism(pdp.LinearQuery.weighted(joint, [0] * 3), 1.0))"),
        "None is needed: the query is the same for all rows",
    ),
    "a generator of its own": (
        of("pdp.InferenceAttack(city, epsilon=40.0, clusters=4, rng=5)"),
        "The cell cannot be written",
    ),
}


@pytest.mark.parametrize("name", BARE)
def test_a_report_says_what_there_is_not(name: str, tmp_path: Path) -> None:
    make, words = BARE[name]
    assert words in unescape(make().report(tmp_path / "bare.html").read_text(encoding="utf-8"))


WRONG: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "ending": ({"path": "report.docx"}, DomainError, r"ends in \.html or \.pdf"),
    "no path": ({"path": 3}, DomainError, r"ends in \.html or \.pdf"),
    "paper": ({"paper": "A3"}, DomainError, "'A4'"),
    "choice": ({"secret": "item 1"}, DomainError, "there is target=, known= to choose"),
    "adversary": ({"target": "item 9"}, AdversaryError, "item 9"),
    "folder": ({"path": "nowhere/report.html"}, FileNotFoundError, "no directory"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_reported_is_refused_in_words(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong, error, words = WRONG[name]
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=words):
        made()["of_joint"](1.0).report(**{"path": "report.html", **wrong})
    assert not list(tmp_path.iterdir())


def test_a_pdf_without_a_browser_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing.shutil, "which", lambda name: None)
    with pytest.raises(ImportError, match="apt install chromium"):
        made()["of_joint"](1.0).report(tmp_path / "report.pdf")
