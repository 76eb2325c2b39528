"""A widget that a collection closes, whenever that comes, takes nothing with it."""

import gc
import sys
from contextvars import ContextVar
from types import FrameType
from typing import Any

import pytest

from pdp_widgets import (
    AnonymityExplorer,
    AttackExplorer,
    CovarianceEditor,
    DependenceExplorer,
    GaussianExplorer,
    GaussianModel,
    JointDistribution,
    JointTable,
    LaplaceMechanism,
    LinearQuery,
    LocalExplorer,
    NetworkExplorer,
    PriorAnalysis,
    PriorExplorer,
    WHGGraph,
)

JOINT = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
MODEL = GaussianModel(None, [[1, 0.5], [0.5, 1]])


def linked(explorer: Any, *parts: str) -> Any:
    for part in parts:
        getattr(explorer, part)
    return explorer


MADE = {
    "JointTable": lambda: JointTable(JOINT),
    "CovarianceEditor": lambda: CovarianceEditor(MODEL),
    "WHGGraph": lambda: WHGGraph(PriorAnalysis(JOINT, LaplaceMechanism(LinearQuery.sum(JOINT), 1))),
    "PriorExplorer": lambda: linked(PriorExplorer(JOINT), "table", "graph"),
    "GaussianExplorer": lambda: linked(GaussianExplorer(MODEL), "editor", "graph"),
    "LocalExplorer": lambda: LocalExplorer(JOINT),
    "AnonymityExplorer": AnonymityExplorer,
    "AttackExplorer": lambda: AttackExplorer(),
    "DependenceExplorer": lambda: DependenceExplorer(JOINT),
    "NetworkExplorer": NetworkExplorer,
}


@pytest.mark.parametrize("name", MADE)
def test_closing_sets_no_context_variable(name: str) -> None:
    # Python 3.11 collects in the middle of setting a context variable. When a widget that goes then sets
    # another, the first goes on in memory that was given back: the whole kernel ends.
    made = MADE[name]()
    made.observe(lambda change: None)
    made.__dict__["itself"] = made
    closed: list[str] = []
    changed: list[str] = []
    dispose = type(made)._dispose

    def watch(frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and isinstance(getattr(called, "__self__", None), ContextVar):
            if called.__name__ in ("set", "reset"):
                changed.append(f"{frame.f_code.co_qualname}: {called.__self__.name}.{called.__name__}")
        elif event == "call" and frame.f_code is dispose.__code__:
            closed.append(name)

    gc.collect()
    del made
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        gc.collect()
    finally:
        sys.setprofile(before)
    assert closed == [name]
    assert changed == []
