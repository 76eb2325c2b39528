"""Inputs are declared once: Python, a browser and a page without a kernel read them from the declaration."""

from __future__ import annotations

import importlib.util
import inspect
from typing import Any

import pytest

import pdp_widgets as pdp
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.widgets.base import PdpWidget
from pdp_widgets.widgets.gaussian_explorer import GaussianExplorer
from pdp_widgets.widgets.inputs import Choice, Flag, Input, Noun, Number
from pdp_widgets.widgets.wire import json_safe
from tests.packaging.conftest import ROOT
from tests.publish.browser_numbers import answers

from .conftest import Ask

#: Nothing that an input could be.
STRANGE = [object(), [], {}, b"1", complex(1, 1), "no such word"]
#: What a request may hold: sound or not, of any type.
SENT: list[Any] = [
    0,
    1,
    2.5,
    -1,
    0.5,
    1e300,
    "NaN",
    "Infinity",
    "instance",
    "raw",
    "dpm",
    "",
    True,
    False,
    None,
    [],
    {},
]


def _made() -> list[PdpWidget]:
    joint = pdp.lsat6().marginal(["item 1", "item 2", "item 5"])
    sums = pdp.LaplaceMechanism(pdp.LinearQuery.sum(joint), 1.0)
    return [
        pdp.PriorExplorer(joint),
        GaussianExplorer(GaussianModel([0, 0], [[1, 0.5], [0.5, 1]])),
        pdp.DependenceExplorer(),
        pdp.LocalExplorer(pdp.titanic()),
        pdp.AnonymityExplorer(),
        pdp.AttackExplorer(),
        pdp.NetworkExplorer(),
        pdp.WHGGraph(pdp.PriorAnalysis(joint, sums)),
    ]


def test_the_table_of_the_front_end_is_current() -> None:
    spec = importlib.util.spec_from_file_location("inputs_script", ROOT / "scripts" / "inputs.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert (ROOT / "js/src/compute/inputs.json").read_text(encoding="utf-8") == script.exported()
    assert [one._module for one in _made()] == [one._module for one in script.WIDGETS]


def test_each_input_is_a_keyword_that_is_documented_and_can_be_set() -> None:
    for widget in _made():
        words = inspect.getdoc(type(widget)) or ""
        for name in widget.declared:
            assert name in inspect.signature(type(widget)).parameters
            assert name in words
            # As it stands it is taken, by the step and by whoever makes the widget.
            setattr(widget, name, getattr(widget, name))


def test_what_an_input_is_not_is_refused_by_its_name_and_nothing_changes(ask: Ask) -> None:
    for widget in _made():
        for name, one in widget.declared.items():
            before = getattr(widget, name)
            for strange in STRANGE:
                if isinstance(one, Noun) and isinstance(strange, str):
                    continue
                with pytest.raises(pdp.PdpError) as refused:
                    setattr(widget, name, strange)
                assert refused.value.where is not None
                assert refused.value.where.name == name, (type(widget), name, strange)
            assert getattr(widget, name) == before
            assert widget.error is None


def _sent(one: Input[Any], now: Any, value: Any) -> Any:
    try:
        return one.ask({one.wire: value}, now)
    except pdp.PdpError as fault:
        return {"refused": str(fault)}


def test_a_page_reads_a_request_as_python_does() -> None:
    asked, expected = [], []
    for widget in _made():
        for name, one in widget.declared.items():
            if one.page is None:
                continue
            now = widget._core.asked[name] if hasattr(widget._core, "asked") else getattr(widget, name)
            for value in SENT:
                asked.append([widget._module, one.wire, now, value])
                expected.append(json_safe(_sent(one, now, value)))
    assert {type(one) for widget in _made() for one in widget.declared.values()} >= {Number, Choice, Flag}
    (found,) = answers([["inputsAsked", asked]])
    wrong = [
        (ask, mine, theirs)
        for ask, mine, theirs in zip(asked, expected, found, strict=True)
        if mine != theirs
    ]
    assert wrong == []
