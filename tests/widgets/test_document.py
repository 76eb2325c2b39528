"""Leakage documents: explorers come back to the last digit, and what is wrong is told with its place."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pdp_widgets as pdp
from pdp_widgets.publish.document import DocumentError, fault_at, literal, parsed, restored, written
from pdp_widgets.publish.page_state import checked_state
from pdp_widgets.widgets import document
from pdp_widgets.widgets.document import document_text, explorers, opened, python_text
from scripts import documents
from tests.every_widget import CELLS, setup

#: Of one computation, not of what stands in a document.
PASSING = {"revision", "since", "ack", "run", "same", "late", "number", "running"}


def _edited_prior() -> Any:
    explorer = pdp.PriorExplorer(
        pdp.lsat6(),
        "mean",
        2.5,
        target="item 3",
        known=["item 1"],
        convention="sup",
        show_paper=True,
        threshold=0.5,
        goal=0.7,
        noun="answer",
    )
    explorer.table.lock([1, 1, 1, 1, 1])
    explorer.table.set_cell([0, 0, 0, 0, 0], 1 / 30)
    return explorer


def _wrong_prior() -> Any:
    # What makes no sense in a control is kept, and is wrong again.
    explorer = pdp.PriorExplorer(pdp.lsat6())
    explorer._step(lambda: explorer._answer({"scale": "NaN"}), browser=True)
    return explorer


def _edited_stream() -> Any:
    stream = pdp.StreamSimulator(pdp.MarkovChain.symmetric(0.6), 0.5, rng=10, steps=12)
    stream.epsilon, stream.position = 0.7, 20
    stream.value, stream.position = pdp.MarkovChain.symmetric(0.8), 30
    stream.seed = 4
    return stream


def _own_query() -> Any:
    return pdp.LinearQuery([[0, 1], [0, 2], [0, 1 / 3], [0, 1e-7], [0, -1]], name="odd sum")


def _gaps() -> Any:
    people = pdp.Microdata({"age": [31.5, None, 45, 45], "ill": ["no", "yes", None, "no"]})
    return pdp.AnonymityExplorer(people, secret="ill", k=2, noun="patient")


_COLUMN = {"name": "a", "labels": None, "ordered": True, "values": [1]}


def _counted() -> Any:
    people = {"age": [31, 45, 52], "ill": ["no", "yes", "no"], "n": [30_000_000, 3, 4]}
    return pdp.AnonymityExplorer(pdp.Microdata(people, weight="n"), secret="ill", k=2)


MADE: dict[str, Callable[[], Any]] = {
    **{
        module: (lambda source=cell.source: eval(source, setup()))
        for module, cell in CELLS.items()
        if module in {one["module"] for one in explorers().values()}
    },
    "prior: edited": _edited_prior,
    "prior: wrong": _wrong_prior,
    "prior: own query": lambda: pdp.PriorExplorer(pdp.lsat6(), _own_query()),
    "prior: histogram": lambda: pdp.PriorExplorer(pdp.lsat6(), pdp.HistogramQuery.of_labels(pdp.lsat6())),
    "gaussian: weights": lambda: pdp.GaussianExplorer(
        pdp.GaussianModel([5, 4], [[1.4, 0.6], [0.6, 1]], unit="kWh"), [1, 1 / 3], 2.0, show_correlation=True
    ),
    "local: pair": lambda: pdp.LocalExplorer(
        pdp.titanic(), "OUE", 0.7, source="sex", secret="class", attributes=["sex", "class"], budget=1.2
    ),
    "local: records": lambda: pdp.LocalExplorer(
        pdp.AttributeTable([[0, 1], [0, 1], [1, -1]], None, ["a", "b"], domains=[[True, False], ["x", "y"]])
    ),
    "dependence: known": lambda: pdp.DependenceExplorer(
        pdp.examples.agreeing_bits(0.9), epsilon=0.5, mechanism="lpm", known=["x2"]
    ),
    "attack: large seed": lambda: pdp.AttackExplorer(
        setup()["city"], clusters=4, rng=np.random.default_rng(1)
    ),
    "anonymity: gaps": _gaps,
    "anonymity: counted": _counted,
    "stream: edited": _edited_stream,
    "stream: data": lambda: pdp.StreamSimulator(pdp.seattle_weather(), 1.0, steps=30),
}


def shown(explorer: Any) -> Any:
    """Return all that a view says, to the last digit."""

    def kept(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: kept(one) for key, one in value.items() if key not in PASSING}
        return [kept(one) for one in value] if isinstance(value, list | tuple) else value

    return kept(explorer._view)


@pytest.fixture(scope="module")
def saved() -> dict[str, tuple[Any, str]]:
    """Return every explorer as it is shown, with its document."""
    found = {}
    for name, make in MADE.items():
        explorer = make()
        explorer.wait()
        found[name] = shown(explorer), document_text(explorer)
    return found


def test_lines_are_those_of_the_front_end_for_any_signs_and_numbers() -> None:
    lines = (Path(__file__).parents[2] / "js" / "test" / "lab" / "lines.json").read_text(encoding="utf-8")
    value = json.loads(lines)
    assert literal(value) + "\n" == lines
    # Labels of such signs are made, written and packed too.
    labels = [
        one for one in value["signs"] if len(one) < 20 and one.encode("utf-8", "replace").decode() == one
    ]
    assert len(labels) > 5
    joint = pdp.JointDistribution(np.full(len(labels), 1 / len(labels)), [labels], ["a"])
    text = document_text(pdp.PriorExplorer(joint))
    assert text.encode()
    assert opened(text).value.domains[0] == tuple(labels)


@pytest.mark.parametrize("name", MADE)
def test_every_explorer_comes_back_to_the_last_digit(saved, name):
    before, text = saved[name]
    after = opened(text)
    after.wait()
    assert shown(after) == before
    # Saved again, nothing but the packed page may be another line.
    again, first = json.loads(document_text(after)), json.loads(text)
    for one in (again, first):
        del one["page"]["state"]
    assert again == first


@pytest.mark.parametrize("name", MADE)
def test_its_page_is_one_that_pages_read(saved, name):
    page = json.loads(saved[name][1])["page"]
    checked_state(json.loads(gzip.decompress(base64.b64decode(page["state"]))))


def test_a_cell_of_python_gives_the_same(saved):
    explorer = _edited_prior()
    names: dict[str, Any] = {}
    exec(python_text(explorer).replace("\npdp.open", "\nfound = pdp.open"), names)
    assert shown(names["found"]) == shown(explorer)


def test_an_explorer_is_saved_by_the_ending_of_its_file(tmp_path):
    path = pdp.PriorExplorer(pdp.lsat6(), scale=2.0).save(tmp_path / "one.leakage.json")
    assert pdp.open(str(path)).scale == 2.0
    with pytest.raises(DocumentError, match="holds an explorer; this is a JointTable"):
        pdp.JointTable(pdp.lsat6()).save(tmp_path / "two.leakage.json")
    with pytest.raises(FileNotFoundError):
        pdp.open(tmp_path / "two.leakage.json")
    (tmp_path / "two.leakage.json").write_bytes(b"\xff\xfe")
    with pytest.raises(DocumentError, match="is no text in UTF-8"):
        pdp.open(tmp_path / "two.leakage.json")
    with pytest.raises(TypeError, match="give the path of a file"):
        pdp.open(3)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text[:300], r"Line \d+, column \d+: this is no JSON"),
        (lambda text: "[" * 100_000, "nested too deep"),
        (lambda text: "[]", "Line 1, the document: this is no leakage document"),
        (
            lambda text: text.replace('"version": 1', '"version": 2'),
            "Line 3, version: it is 2, of pdp_widgets",
        ),
        (lambda text: text.replace('"version": 1', '"version": true'), "Line 3, version: it is True"),
        (lambda text: text.replace('"PriorExplorer"', '"os.system"'), "Line 5, explorer: it is 'os.system'"),
        (
            lambda text: text.replace('"scale": 1', '"scale": "no"'),
            r"Line \d+, settings.scale: it is 'no'; it is a n",
        ),
        (lambda text: text.replace('"scale": 1', '"scale": NaN'), "NaN is no number of JSON"),
        (lambda text: text.replace('"scale": 1', '"scale": 1, "scale": 2'), "a name stands twice"),
        (
            lambda text: text.replace('"scale"', '"scala"'),
            "settings.scala: PriorExplorer has no such setting; it has",
        ),
        (lambda text: text.replace('"known": []', '"known": [-1]'), r"settings.known: it is \[-1\]"),
        (lambda text: text.replace("[28, 298]", "[28, -298]"), r"Line 7, model.value: .*-298"),
        (lambda text: text.replace("[28, 298]", '[28, "x"]'), "Line 7, model.value: The table of counts"),
        (
            lambda text: text.replace('"counts"', '"count"'),
            "a JointDistribution has no 'count'; it has title",
        ),
        (
            lambda text: text.replace('"JointDistribution"', '"Popen"'),
            "the type is 'Popen'; it is one of Joint",
        ),
        (lambda text: text.replace('"noun": "tuple"', '"file": "/etc/passwd"'), "PriorExplorer"),
        (lambda text: text.replace('"noun": "tuple"', '"noun": 3'), "Line .*model.noun: "),
        (
            lambda text: text.replace('"value": {', '"value": "counts.csv", "noun_": {'),
            "Line 7, model.value: it is 'counts.csv'; it is an object with a type",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(change, said):
    text = document_text(pdp.PriorExplorer(pdp.lsat6()))
    changed = change(text)
    assert changed != text
    with pytest.raises(DocumentError, match=said):
        opened(changed)


def test_the_line_is_that_of_the_place():
    text = '{\n "a": {"settings": "}{,"},\n "settings": {\n  "x": 1,\n  "y": [\n   2]\n }\n}'
    for path, line in ((("settings",), 3), (("settings", "y"), 5), (("settings", "y", 0), 6), (("b",), 1)):
        assert str(fault_at(text, path, "no.")).startswith(f"Line {line}, ")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (-2.25, "-2.25"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (5e-324, "5e-324"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
    ],
)
def test_numbers_are_written_as_javascript_writes_them(number, text):
    assert literal(number) == text
    assert float(parsed(text)) == number


@pytest.mark.parametrize("seed", range(3))
def test_values_come_back_equal(seed):
    rng = np.random.default_rng(seed)
    table = rng.dirichlet(np.ones(12)).reshape(2, 3, 2)
    for value in (
        pdp.JointDistribution(table / table.sum(), [["a", "b"], [1, 2.5, 7], ["é", "<b>"]]),
        pdp.MarkovChain(rng.dirichlet(np.ones(4), 4), rng.dirichlet(np.ones(4))),
        pdp.MarkovChain(rng.dirichlet(np.ones(2), (2, 2)), rng.dirichlet(np.ones(2))),
        pdp.SparseJoint.from_joint(pdp.JointDistribution(table / table.sum())),
        pdp.TableQuery(rng.normal(size=(4, 2))),
    ):
        assert restored(parsed(literal(written(value)))) == value


def test_what_no_document_can_hold_is_named():
    with pytest.raises(
        DocumentError,
        match="The query is a function, which a document cannot hold; it holds JointDistribution",
    ):
        written(lambda row: 0, "query")


def test_what_jupyterlab_knows_is_what_is_declared():
    for file, text in documents.exported().items():
        assert file.read_text(encoding="utf-8") == text, f"run python scripts/documents.py: {file.name}"
    for name, make in documents.FIRST.items():
        text = (documents.LAB / "new" / f"{name}.leakage.json").read_text(encoding="utf-8")
        found, fresh = opened(text), make()
        fresh.wait()
        assert type(found).__name__ == name
        kept = {part: one for part, one in json.loads(text).items() if part not in ("page", "package")}
        assert kept == {part: one for part, one in json.loads(document_text(fresh)).items() if part in kept}


def test_what_would_be_too_long_to_be_read_is_not_written(monkeypatch, tmp_path):
    monkeypatch.setattr(document, "MOST", 1000)
    with pytest.raises(DocumentError, match="at most 1,000 are read"):
        pdp.PriorExplorer(pdp.lsat6()).save(tmp_path / "x.leakage.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (
            {"type": "AttributeTable", "names": ["a"] * 40, "rows": [[8_388_608] + [0] * 40]},
            "values",
        ),
        (
            {"type": "SparseJoint", "names": ["a"], "rows": [[-1]], "probabilities": [1]},
            "position",
        ),
        ({"type": "Microdata", "columns": [], "counts": [1]}, "of one length"),
        ({"type": "Microdata", "columns": [_COLUMN], "counts": [10**13]}, "counts are whole"),
    ],
)
def test_values_that_no_constructor_checks_are_refused(model, words):
    names = {"labels": [["x", "y"]] * len(model["names"])} if "names" in model else {}
    held = json.loads(document_text(pdp.AnonymityExplorer()))
    held["model"]["value"] = {**model, **names, "title": ""}
    with pytest.raises(DocumentError, match=words):
        opened(json.dumps(held))


def test_what_is_nested_too_deep_or_belongs_to_hosts_is_refused():
    held = json.loads(document_text(pdp.PriorExplorer(pdp.lsat6())))
    deep: Any = []
    for _ in range(900):
        deep = [deep]
    for name, value in (("query", deep), ("layout", "x")):
        with pytest.raises(DocumentError):
            opened(json.dumps({**held, "model": {**held["model"], name: value}}))
