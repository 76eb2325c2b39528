"""Widgets without a browser: a module that draws nothing, and comms that remember what was sent."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import comm
import numpy as np
import pytest
from comm.base_comm import BaseComm
from ipywidgets import Widget

from pdp_widgets import JointDistribution
from pdp_widgets.publish.page_state import MODULES
from pdp_widgets.widgets import base
from pdp_widgets.widgets.wire import flag_bytes, float_bytes


class RecordingComm(BaseComm):
    """The kernel's end of a comm; what is sent must be JSON beside its bytes."""

    opened: list[RecordingComm]

    def __init__(self, **kwargs: Any) -> None:
        self.messages: list[dict[str, Any]] = []
        RecordingComm.opened.append(self)
        super().__init__(**kwargs)

    def publish_msg(
        self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **_: Any
    ) -> None:
        text = json.dumps(data or {}, allow_nan=False)
        size = len(text) + sum(memoryview(b).nbytes for b in buffers or ())
        self.messages.append({"kind": msg_type, "data": json.loads(text), "size": size})

    @property
    def views(self) -> list[dict[str, Any]]:
        """The views sent since the comm was opened, without their bytes."""
        updates = [m["data"]["state"] for m in self.messages if m["data"].get("method") == "update"]
        return [state["_view"] for state in updates if "_view" in state]


@pytest.fixture(scope="session")
def front_end(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of modules that draw nothing. No test writes there: two thousand share it."""
    folder = tmp_path_factory.mktemp("static")
    for module in MODULES:
        (folder / f"{module}.js").write_text("export default { render() {} };")
    return folder


@pytest.fixture(autouse=True)
def comms(monkeypatch: pytest.MonkeyPatch, front_end: Path) -> Iterator[list[RecordingComm]]:
    """All comms that the test opens."""
    monkeypatch.setattr(base, "_STATIC", front_end)
    RecordingComm.opened = []
    monkeypatch.setattr(comm, "create_comm", lambda *_, **kwargs: RecordingComm(**kwargs))
    yield RecordingComm.opened
    Widget.close_all()


@pytest.fixture
def joint() -> JointDistribution:
    """Three tuples, every row possible."""
    table = np.array([4, 1, 2, 3, 1, 2, 3, 8], dtype=float).reshape(2, 2, 2) / 24
    return JointDistribution(table, names=["Ann", "Bob", "Cy"], title="Three")


Ask = Callable[..., None]


@pytest.fixture
def ask() -> Ask:
    """Send what a browser would: the parts that a hand set, on the view it saw."""
    numbers = iter(range(1, 1_000_000))

    def send(
        widget: Any, *, origin: str = "page", seq: int | None = None, base: int | None = None, **changes: Any
    ) -> None:
        wish: dict[str, Any] = {"origin": origin, "seq": next(numbers) if seq is None else seq}
        wish["base"] = widget._view["revision"] if base is None else base
        for name, value in changes.items():
            if name == "entries":
                wish[name] = memoryview(float_bytes(np.asarray(value, dtype=float)))
            elif name == "locks":
                wish[name] = memoryview(flag_bytes(np.asarray(value)))
            else:
                wish[name] = value
        message = {"method": "update", "state": {"_request": wish}}
        widget.comm.handle_msg({"content": {"data": message}, "buffers": []})

    return send


def picture_sent(widget: Any) -> dict[str, Any]:
    """Return the answer to the one view that asked for the picture: it is drawn beside."""
    for _ in range(600):
        answers = [m["data"].get("content", {}) for m in widget.comm.messages]
        if found := [content["picture"] for content in answers if "picture" in content]:
            return found[0]
        time.sleep(0.05)
    raise AssertionError("no picture came")
