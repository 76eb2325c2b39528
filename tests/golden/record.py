"""What widgets say and send, as text that stays the same: ``python -m tests.golden.record [WIDGET ...]``.

Of each widget, in the folder of its name: ``views`` (what every request changed in the view that is sent to
the browser, and the whole view now and then), ``sentences`` (all that is said in these states, on the screen
too), ``pictures`` (the static picture as text) and ``tables`` (results as data frames).
Numbers have ten digits, and no more than thirteen decimals: differences of large numbers have no others that
all machines agree on.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any
from unittest.mock import patch

import comm
import numpy as np
from comm.base_comm import BaseComm

from pdp_widgets.errors import PdpError
from pdp_widgets.publish import snapshot
from pdp_widgets.publish.page_state import VIEW_TYPE
from pdp_widgets.publish.render import picture
from pdp_widgets.widgets import running
from tests.every_widget import CELLS, setup
from tests.golden.script import LENGTH, Request, script

HERE = Path(__file__).parent
#: Every so many requests the whole view and all that is drawn are kept.
EVERY = 20
#: The test goes as far as this; what comes later stands below this line.
TESTED = 60
BELOW = f"# After {TESTED} requests"
_DIGITS, _DECIMALS = 10, 13
#: Numbers of states and runs: whether they changed is kept, which they are is not.
_COUNTED = {"since", "run", "same", "number", "of", "late.enough", "late.sample"}
#: Widgets that show the same value as an explorer.
_LINKED = ("table", "editor", "graph")
#: What no user sees: how many views there were before.
_LEFT_OUT = {"revision", "ack"}
_LONGEST = 40


def rounded(value: float) -> Any:
    """Return a number on which machines agree; what is no number as a word."""
    if not math.isfinite(value):
        return str(value)
    # Zero has no sign here.
    return round(float(f"{value:.{_DIGITS - 1}e}"), _DECIMALS) or 0.0


def numbers(data: Any) -> Any:
    """Return bytes as the numbers that they are: flags, floats, or else whatever they are."""
    data = bytes(data)
    if set(data) <= {0, 1}:
        return f"flags {''.join(map(str, data))}"
    if len(data) % 8 == 0:
        found = np.frombuffer(data, dtype="<f8")
        size = np.abs(found[np.isfinite(found) & (found != 0)])
        if not size.size or (size.min() > 1e-290 and size.max() < 1e290):
            return [rounded(float(x)) for x in found]
    return f"bytes {data.hex()}"


class Normal:
    """Brings the views of a widget, one after another, into a form that depends on what is shown alone."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}

    def __call__(self, value: Any, path: str = "") -> Any:
        """Return a view, or a part of one, as JSON of rounded numbers."""
        if isinstance(value, Mapping):
            # The parts of a view have no order.
            kept = {key: value[key] for key in sorted(value) if path or key not in _LEFT_OUT}
            return {key: self(part, f"{path}.{key}".lstrip(".")) for key, part in kept.items()}
        if isinstance(value, list | tuple):
            return [self(part, path) for part in value]
        if isinstance(value, bytes | bytearray | memoryview):
            return numbers(value)
        counted = isinstance(value, int) and not isinstance(value, bool)
        if counted and not _COUNTED.isdisjoint({path, path.rpartition(".")[2]}):
            before, self._last[path] = self._last.get(path), value
            return "as before" if value == before else "new"
        return rounded(value) if isinstance(value, float) else value


class Wire(BaseComm):
    """The kernel's end of a comm: keeps what is sent, until it is taken."""

    def __init__(self, **kwargs: Any) -> None:
        self.sent: list[tuple[dict[str, Any], Any]] = []
        super().__init__(**kwargs)

    def publish_msg(
        self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **_: Any
    ) -> None:
        self.sent.append((data or {}, buffers or ()))

    def take(self) -> list[tuple[dict[str, Any], Any]]:
        """Return what was sent since this was called last."""
        taken, self.sent = self.sent, []
        return taken

    def hear(self, data: dict[str, Any]) -> None:
        """Take a message of the page."""
        self.handle_msg({"content": {"data": data}, "buffers": []})


def text(value: Any) -> str:
    """Return JSON in one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def short(value: Any) -> str:
    """Return a value as it is, or if it is long its beginning and a digest."""
    written = text(value)
    if len(written) <= _LONGEST:
        return written
    return f"{written[:12]}… #{hashlib.sha256(written.encode()).hexdigest()[:8]}"


def flat(value: Any, path: str = "", depth: int = 2) -> dict[str, Any]:
    """Return the parts of a view by their paths."""
    if isinstance(value, dict) and depth:
        found: dict[str, Any] = {}
        for key, part in value.items():
            found |= flat(part, f"{path}.{key}".lstrip("."), depth - 1)
        return found
    return {path: value}


def whole(value: Any, indent: str = "  ") -> Iterator[str]:
    """Return a view line by line: lists of numbers stay in one, cut where they are long."""
    for path, listed in flat(value, depth=4).items():
        if isinstance(listed, list) and listed and isinstance(listed[0], dict):
            for k, one in enumerate(listed):
                yield f"{indent}{path}[{k}] {text({key: _cut(held) for key, held in one.items()})}"
        else:
            yield f"{indent}{path} {text(_cut(listed))}"


def _cut(value: Any) -> Any:
    """Return a value as it is, or if it is long its beginning and a digest."""
    written = text(value)
    return value if len(written) <= 400 else f"{written[:200]}… {short(value)}"


def sentences(value: Any) -> Iterator[str]:
    """Return all that a view says in words."""
    if isinstance(value, str):
        yield from [value] if re.search(r"[^\W\d_]{2}.*[ -].*[^\W\d_]{2}", value) else []
    elif isinstance(value, Mapping | list | tuple):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from sentences(part)


def drawn(state: Mapping[str, Any]) -> Iterator[str]:
    """Return all that the front end says of a state, but labels and numbers of drawings."""
    made = picture(state)
    lines = [made.title, *made.lead.splitlines(), *made.foot.splitlines()]
    for panel in made.panels:
        lines += [panel.title, *panel.words, *(f"{name}: {said}" for name, said in panel.facts)]
        lines += [drawing.title for drawing in panel.drawings]
    # A text of several lines is one line of the record.
    return (line.replace("\n", " ") for line in lines if line)


def words(page: str) -> list[str]:
    """Return what a page says without its styles."""
    found = re.findall(r">([^<>]+)<", re.sub(r"<style\b.*?</style>", "", page, flags=re.DOTALL))
    return [line for part in found if (line := " ".join(unescape(part).split()))]


def send(widget: Any, request: Request, seq: int) -> None:
    """Send a request as a page does, and wait for what it asks for."""
    base = 0 if request.kind == "stale" else widget._view["revision"]
    held = {key: memoryview(part) if isinstance(part, bytes) else part for key, part in request.wish.items()}
    wish = {**held, "origin": request.origin, "seq": seq, "base": base}
    if widget.disabled != (request.kind == "disabled"):
        widget.disabled = not widget.disabled
        widget.comm.take()
    widget.comm.hear({"method": "update", "state": {"_request": wish}})
    try:
        getattr(widget, "wait", lambda: None)()
    except PdpError:
        # The widget says so itself.
        assert widget.error


def frames(widget: Any) -> Iterator[str]:
    """Return the results as tables of text."""
    for name in ("value", "results", ""):
        held = getattr(widget, name, None) if name else widget
        if hasattr(held, "to_dataframe"):
            frame = held.to_dataframe()
            for column in frame.select_dtypes("float"):
                frame[column] = [rounded(float(x)) for x in frame[column]]
            yield f"## {name or 'widget'}: {len(frame)} rows"
            yield from frame.to_csv(index=False).splitlines()


def forget() -> None:
    """Let the package remember nothing: some numbers are shown only where they are there already."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pdp_widgets"):
            for held in vars(module).values():
                getattr(held, "cache_clear", lambda: None)()


def beside(run: Any, name: str) -> None:
    """Stand in for threads: late numbers come at once, and the rest is computed where it is waited for."""
    if name.endswith("late"):
        run()


def asked(widget: Any, normal: Normal) -> Iterator[str]:
    """Ask for what a page asks for beside its requests, and return the answers."""
    view = widget._view
    if "run" in view:
        here = {"run": view["run"], "position": view["position"] + 2}
        steps = {"run": view["run"], "from": view["position"], "count": 4}
        asks = [{"steps": steps}, {"at": here}]
    else:
        asks = [{"late": True}] if widget.has_trait("_late") else []
    for ask in asks:
        widget.comm.take()
        widget.comm.hear({"method": "custom", "content": ask})
        for data, buffers in widget.comm.take():
            said = data.get("content") or data["state"].get("_late")
            yield f"  asked for {next(iter(ask))}: {text(normal(said, 'asked'))} {short(normal(buffers))}"


def changed(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Return in one line which parts of a view changed, and into what."""
    new = (path for path, part in after.items() if before.get(path) != part and part != "as before")
    gone = (f"-{path}" for path in before if path not in after)
    return " ".join([*(f"{path}={short(after[path])}" for path in new), *gone])


@patch.object(comm, "create_comm", lambda *_, **kwargs: Wire(**kwargs))
@patch.object(running, "beside", beside)
@patch.object(snapshot, "computed_on", lambda day: "Computed on some day.")
def record(module: str, length: int = LENGTH) -> dict[str, list[str]]:
    """Return the lines of each file of a widget."""
    forget()
    widget = eval(CELLS[module].source, setup())
    linked = {name: getattr(widget, name) for name in _LINKED if hasattr(widget, name)}
    normal, before = Normal(), {}
    lines: dict[str, list[str]] = {"views": [], "sentences": [], "pictures": [], "tables": []}
    known: set[str] = set()
    said: set[str] = set()
    for k, request in enumerate([None, *script(module)][: length + 1]):
        head = "opening"
        if request is not None:
            widget.comm.take()
            send(widget, request, 0 if request.kind == "late" else k)
            answered = any("_view" in data.get("state", ()) for data, _ in widget.comm.take())
            head = f"{request.kind} {request.origin} {short(normal(request.wish))}"
            head += "" if answered else " (no answer)"
        view = normal(widget._view)
        after = flat(view)
        lines["views"].append(f"{k:03} {head} -> {changed(before, after)}")
        before = after
        said.update(sentences(view))
        if k % EVERY == 0:
            out = widget.saved_outputs()
            lines["views"] += whole(view)
            for name, other in linked.items():
                lines["views"].append(f"  linked {name}: {changed({}, flat(Normal()(other._view)))}")
            lines["views"] += asked(widget, normal)
            lines["pictures"] += [f"## {k:03}", *out["text/plain"].splitlines()]
            lines["pictures"] += words(out["text/html"]) if k == 0 else []
            said.update(drawn(out[VIEW_TYPE]))
        if k % TESTED == 0:
            lines["tables"] += [f"## {k:03}", *frames(widget)]
        if k in (TESTED, length):
            lines["sentences"] += sorted(said - known)
            known |= said
        if k == TESTED:
            for listed in lines.values():
                listed.append(BELOW)
    for each in (*linked.values(), widget):
        each.close()
    return lines


def main(modules: list[str]) -> None:
    """Write the files anew."""
    for module in modules or CELLS:
        folder = HERE / module
        folder.mkdir(exist_ok=True)
        for name, lines in record(module).items():
            (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
