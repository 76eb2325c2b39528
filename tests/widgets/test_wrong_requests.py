"""What a browser or a program may send that makes no sense: never an exception, never half a step."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pdp_widgets import (
    AdversaryError,
    DomainError,
    JointDistribution,
    JointTable,
    LaplaceMechanism,
    LimitError,
    LinearQuery,
    PdpError,
    PriorAnalysis,
    PriorExplorer,
    QueryError,
    TableError,
    WHGGraph,
    errors,
)
from pdp_widgets.widgets.wire import label_texts, plainly

Make = Callable[[JointDistribution], Any]


def graph(joint: JointDistribution) -> WHGGraph:
    return WHGGraph(PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0)))


WIDGETS = [JointTable, PriorExplorer, graph]
NONSENSE: list[Any] = [
    None,
    "x",
    1.5,
    -1,
    10**30,
    [],
    ["a"],
    [[0]],
    {},
    True,
    math.nan,
    math.inf,
    b"",
    b"\0" * 7,
]


def send(widget: Any, request: Any) -> None:
    widget.set_state({"_request": request})


def state(widget: Any) -> tuple[Any, ...]:
    names = ("value", "scale", "instance", "target", "known", "threshold", "show_paper", "keep_sum")
    return tuple(getattr(widget, name, None) for name in names)


@pytest.mark.parametrize("make", WIDGETS)
def test_what_is_no_request_is_ignored(joint: JointDistribution, make: Make) -> None:
    widget = make(joint)
    before, revision = state(widget), widget._view["revision"]
    for request in (*NONSENSE, {"seq": 1}, {"origin": "o"}, {1: 2}):
        send(widget, request)
        assert (state(widget), widget._view["revision"], widget.error) == (before, revision, None), request
    # Nor does one without a proper stamp.
    for part in ("origin", "seq", "base"):
        for value in (*(v for v in NONSENSE if v != "x"), "x" * 65):
            send(widget, {"origin": "o", "seq": 1, "base": revision, part: value})
            assert (widget._view["revision"], widget._newest) == (revision, {}), (part, value)


@pytest.mark.parametrize(
    "part", ["entries", "locks", "keep_sum", "rows", "columns", "scale", "instance", "target", "known"]
)
def test_parts_of_another_kind_are_faults_in_plain_words(joint: JointDistribution, part: str) -> None:
    explorer = PriorExplorer(joint)
    for seq, value in enumerate(NONSENSE):
        results, stamp = explorer.results, {"origin": "o", "seq": 2 * seq + 1}
        send(explorer, {**stamp, part: value})
        assert explorer._view["ack"] == stamp, value
        assert "Something went wrong" not in (explorer.error or ""), value
        if part not in ("target", "known", "scale", "keep_sum"):
            assert explorer.results == results, value
        send(explorer, {"origin": "o", "seq": 2 * seq + 2, "scale": 2 + seq})
        assert (explorer.error, explorer.scale) == (None, 2 + seq), value


@pytest.mark.parametrize("part", ["known", "instance", "rows"])
def test_lists_are_no_longer_than_the_tuples(joint: JointDistribution, part: str) -> None:
    explorer = PriorExplorer(joint)
    send(explorer, {"origin": "o", "seq": 1, part: [0] * 4, "scale": 3})
    assert f"sent something for '{part}'" in explorer.error
    assert explorer.scale == 1


def test_a_count_of_cells_is_not_taken_for_cells(joint: JointDistribution) -> None:
    table = JointTable(joint)
    for number, sent in enumerate((64, 20_000_000_000, memoryview(bytes(63)), memoryview(bytes(80_000)))):
        send(table, {"origin": "o", "seq": number, "entries": sent})
        assert "8 cells" in table.error
        assert table.value == joint


def test_the_view_that_asked_last_is_forgotten_last(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint)
    send(explorer, {"origin": "first", "seq": 5, "scale": 2})
    for k in range(200):
        send(explorer, {"origin": f"view {k}", "seq": 1})
        send(explorer, {"origin": "first", "seq": 6 + k})
    send(explorer, {"origin": "first", "seq": 4, "scale": 9})
    assert explorer.scale == 2
    assert len(explorer._newest) == 64


class TestFromPython:
    @pytest.mark.parametrize("name", ["show_paper", "disabled"])
    @pytest.mark.parametrize("value", ["no", 1, None])
    def test_flags(self, joint: JointDistribution, name: str, value: Any) -> None:
        explorer = PriorExplorer(joint)
        with pytest.raises(DomainError, match=f"{name} is .*; give True or False"):
            setattr(explorer, name, value)
        with pytest.raises(DomainError, match=f"{name} is .*; give True or False"):
            PriorExplorer(joint, **{name: value})
        assert getattr(explorer, name) is False

    @pytest.mark.parametrize("value", ["1", True, 10**400, math.nan, []])
    def test_threshold(self, joint: JointDistribution, value: Any) -> None:
        with pytest.raises(AdversaryError, match="The threshold is"):
            PriorExplorer(joint).threshold = value

    @pytest.mark.parametrize("p", ["0.1", True, 10**400, None])
    def test_probability(self, joint: JointDistribution, p: Any) -> None:
        with pytest.raises(TableError, match="The probability is"):
            JointTable(joint).set_cell([0, 0, 0], p)

    def test_a_tuple_named_twice_in_a_cell(self, joint: JointDistribution) -> None:
        with pytest.raises(PdpError, match="Ann is named twice"):
            JointTable(joint).set_cell({"Ann": 0, 0: 1, "Bob": 0, "Cy": 0}, 0.1)

    @pytest.mark.parametrize("query", [5, True, "median"])
    def test_query(self, joint: JointDistribution, query: Any) -> None:
        with pytest.raises(QueryError, match="give 'sum', a list of weights or a LinearQuery"):
            PriorExplorer(joint, query)

    def test_slips_of_the_pen(self, joint: JointDistribution) -> None:
        explorer = PriorExplorer(joint)
        with pytest.raises(AttributeError, match="no attribute 'sclae'; did you mean 'scale'"):
            explorer.sclae = 2

    @pytest.mark.parametrize("noun", ["\ud800", None, 5, ""])
    def test_noun(self, joint: JointDistribution, noun: Any) -> None:
        with pytest.raises(QueryError, match="The noun is"):
            PriorExplorer(joint, noun=noun)


def size(widget: Any) -> int:
    """Bytes of a view: its JSON as hosts send it, and its arrays."""
    arrays: list[bytes] = []
    text = json.dumps(widget._view, default=lambda data: arrays.append(data) or "", ensure_ascii=False)
    return len(text.encode()) + sum(map(len, arrays))


def random_table(*shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(1).dirichlet(np.ones(math.prod(shape))).reshape(shape)


class TestSize:
    """Design: what is shared with a browser stays under 200 kB, whatever the labels are."""

    @pytest.mark.parametrize("text", ["x", "é", "🙂", '"', "\n"])
    def test_2048_long_labels(self, text: str) -> None:
        labels = [f"{text * 10_000}{k}" for k in range(2048)]
        assert size(JointTable(JointDistribution(random_table(2048), [labels]))) < 200_000
        few = JointDistribution(random_table(1024), [labels[:1024]])
        query = LinearQuery([[2**0.5 * k for k in range(1024)]])
        assert size(PriorExplorer(few, query, show_paper=True)) < 200_000

    @pytest.mark.parametrize("text", ["x", "é", "🙂"])
    def test_ten_tuples_of_long_labels(self, text: str) -> None:
        names = [f"{text * 10_000}{k}" for k in range(10)]
        joint = JointDistribution(random_table(*[2] * 10), [[n, "b"] for n in names], names, title=names[0])
        query = LinearQuery([[0, 2**0.5 * (k + 1) ** 1.7] for k in range(10)], name=names[1])
        explorer = PriorExplorer(joint, query, show_paper=True)
        for widget in (explorer, explorer.table, explorer.graph):
            assert size(widget) < 200_000
        assert all(
            len(name) <= 300 and name.endswith("…") for name in explorer._view["table"]["spec"]["names"]
        )
        assert explorer.value.names == tuple(names)

    def test_an_explorer_has_a_limit_of_its_own(self) -> None:
        with pytest.raises(LimitError, match=r"1,042 labels together; an explorer shows at most 1,040"):
            PriorExplorer(JointDistribution(random_table(2, 1040)))

    def test_ordinary_labels_travel_whole(self) -> None:
        assert label_texts(["1st", 2, 0.5, True, "x" * 300]) == ["1st", "2", "0.5", "True", "x" * 300]
        assert label_texts([10**5000]) == ["an integer of about 5001 digits"]


def test_what_only_a_call_can_do_stands_apart_in_every_error() -> None:
    """A screen shows the words before ``call``: they name no argument of Python with its value."""
    kinds = {kind.__name__: kind for kind in vars(errors).values() if isinstance(kind, type)}
    kinds = {name: kind for name, kind in kinds.items() if issubclass(kind, errors.PdpError)}
    for kind in kinds.values():
        refused = kind("It is none.", call="Give n=1.")
        assert (plainly(refused), str(refused)) == ("It is none.", "It is none. Give n=1.")
    told = []
    for path in sorted(Path(errors.__file__).parent.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in kinds and call.args:
                words = "".join(
                    ast.unparse(part) for part in ast.walk(call.args[0]) if isinstance(part, ast.Constant)
                )
                if re.search(r"\b[a-z]\w*=[\w\['{]", words):
                    told.append(f"{path.name}:{call.lineno}: {words}")
    assert told == []
