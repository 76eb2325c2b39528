"""A bare page in Chromium, connected to the real Python widget: no notebook, no server."""

from __future__ import annotations

import base64
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import greenlet
from comm.base_comm import BaseComm
from playwright.sync_api import Browser, Locator

HERE = Path(__file__).parent
# A page of this machine counts as secure, so the clipboard works. Nothing listens there: it is handed over.
URL = "http://localhost:9/"
# Two more frames, so that what has arrived is drawn.
SETTLED = """async (limit) => {
    const frame = () => new Promise(requestAnimationFrame);
    const end = performance.now() + limit;
    while (!host.idle()) {
        if (performance.now() > end) return `after ${limit} ms messages are still under way`;
        await frame();
    }
    await frame();
    await frame();
    return null;
}"""


class BridgeComm(BaseComm):
    """The kernel's end of a comm whose other end is the page."""

    def __init__(self, bridge: Bridge, **kwargs: Any) -> None:
        self._bridge = bridge
        super().__init__(**kwargs)

    def publish_msg(
        self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **_: Any
    ) -> None:
        # What the kernel would send must be JSON: NaN is refused here as a browser would refuse it.
        text = json.dumps(data or {}, allow_nan=False)
        self._bridge.post(
            {
                "model": self.comm_id,
                "kind": msg_type,
                "data": json.loads(text),
                "buffers": [base64.b64encode(bytes(b)).decode() for b in buffers or ()],
                "bytes": len(text) + sum(memoryview(b).nbytes for b in buffers or ()),
            }
        )


class View:
    """One view of a widget in the page."""

    def __init__(self, bridge: Bridge, view_id: str) -> None:
        self._bridge = bridge
        self.id = view_id

    @property
    def el(self) -> Locator:
        """The element that the host gave to the module."""
        return self._bridge.page.locator(f'[data-view="{self.id}"]')

    @property
    def root(self) -> Locator:
        """The root that the module drew."""
        return self.el.locator(".pdp").first

    def remove(self) -> None:
        """Remove the view, as a notebook does when its output goes."""
        self._bridge.page.evaluate("id => host.remove(id)", self.id)


class Bridge:
    """The page, and the comms of the widgets made while it is there.

    Errors of the page (console, uncaught, requests that would leave it) and of Python (exceptions in
    callbacks) are collected; the fixture fails the test on any that was not taken with `take_errors`.
    """

    def __init__(self, browser: Browser, **context: Any) -> None:
        options = {"viewport": {"width": 1100, "height": 900}, "permissions": [], **context}
        self.context = browser.new_context(**options)
        self._viewport = options["viewport"]
        self.page = self.context.new_page()
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.errors.append(f"page: {error}"))
        self.page.route("**/*", self._on_request)
        self.page.expose_function("__pdp_message", self._on_message)
        self._forget()
        self.page.goto(URL)

    def _forget(self) -> None:
        self.errors: list[str] = []
        self.messages: list[dict[str, Any]] = []
        self._comms: dict[str, BridgeComm] = {}
        self._replies: list[dict[str, Any]] | None = None
        self._later: list[dict[str, Any]] = []
        self._home = greenlet.getcurrent()
        self._shown: list[Any] = []
        self._views = 0
        self._open = True

    def begin(self) -> None:
        """Load the page again, as a new one: nothing is left of what was shown, pressed, set or reported."""
        self.page.mouse.up()
        self.page.mouse.move(0, 0)
        self.page.set_viewport_size(self._viewport)
        self.page.emulate_media(
            media="null", color_scheme="light", forced_colors="none", reduced_motion="no-preference"
        )
        self.page.goto(URL)
        self.page.evaluate("() => localStorage.clear()")
        self._forget()

    # What the page says

    def _on_request(self, route: Any) -> None:
        if route.request.url == URL:
            page = (HERE / "host.html").read_text(encoding="utf-8")
            script = (HERE / "host.js").read_text(encoding="utf-8")
            route.fulfill(content_type="text/html", body=page.replace("/* host */", script))
            return
        if not route.request.url.endswith("/favicon.ico"):
            self.errors.append(f"request: {route.request.url}")
        route.abort()

    def _on_console(self, message: Any) -> None:
        if message.type == "error" and "favicon.ico" not in message.text:
            self.errors.append(f"console: {message.text}")

    def _on_message(self, payload: str) -> str:
        message = json.loads(payload)
        comm = self._comms.get(message["model"])
        if comm is None:
            return "[]"
        buffers = [memoryview(base64.b64decode(b)) for b in message["buffers"]]
        outer, self._replies = self._replies, []
        try:
            comm.handle_msg({"content": {"data": message["data"]}, "buffers": buffers})
            replies = self._replies
        except Exception as error:
            self.errors.append(f"python: {type(error).__name__}: {error}")
            replies = self._replies
        finally:
            self._replies = outer
        return json.dumps(replies)

    def post(self, message: dict[str, Any]) -> None:
        """Send a message of a comm to the page."""
        self.messages.append(message)
        if not self._open:
            return
        if self._replies is not None:
            self._replies.append(message)
        elif greenlet.getcurrent() is not self._home:
            # Another thread, or a collection inside playwright: `settle` sends what is written there.
            self._later.append(message)
        else:
            self.flush()
            self.page.evaluate("message => host.receive(message)", message)

    def flush(self) -> None:
        """Send what other threads wrote."""
        later, self._later = self._later, []
        for message in later:
            self.page.evaluate("message => host.receive(message)", message)

    def create_comm(self, *_: Any, **kwargs: Any) -> BridgeComm:
        """Stand in for ``comm.create_comm``."""
        comm = BridgeComm(self, **kwargs)
        self._comms[comm.comm_id] = comm
        return comm

    # What a test does

    def show(self, widget: Any, parent: str | None = None) -> View:
        """Draw a view of a widget, at the end of the page or in the element of a CSS selector."""
        # As in a notebook, what is shown stays alive.
        self._shown.append(widget)
        self._views += 1
        view = View(self, f"view-{self._views}")
        self.page.evaluate(
            "([model, view, parent]) => host.show(model, view, { parent })",
            [widget.model_id, view.id, parent],
        )
        return view

    def container(self, style: str) -> str:
        """Add a box with a style (hidden, narrow) and return its selector for `show`."""
        name = self.page.evaluate(
            """style => {
                const box = document.createElement("div");
                box.id = `box-${document.querySelectorAll("[id^=box-]").length + 1}`;
                box.setAttribute("style", style);
                document.querySelector("#page").append(box);
                return box.id;
            }""",
            style,
        )
        return f"#{name}"

    def restyle(self, selector: str, style: str) -> None:
        """Change the style of a box, for example to show a hidden one."""
        self.page.locator(selector).evaluate("(box, style) => box.setAttribute('style', style)", style)

    def theme(self, *, dark: bool = False, forced_colors: bool = False, reduced_motion: bool = False) -> None:
        """Set JupyterLab's theme and what the system asks for."""
        self.page.emulate_media(
            color_scheme="dark" if dark else "light",
            forced_colors="active" if forced_colors else "none",
            reduced_motion="reduce" if reduced_motion else "no-preference",
        )
        self.page.evaluate("light => { document.body.dataset.jpThemeLight = String(light) }", not dark)

    def latency(self, milliseconds: float) -> None:
        """Let every message take this long, each way."""
        self.page.evaluate("ms => { host.latency = ms }", milliseconds)

    @contextmanager
    def held(self) -> Iterator[Self]:
        """Let no message reach Python, as while a cell runs."""
        self.page.evaluate("() => host.hold()")
        try:
            yield self
        finally:
            self.page.evaluate("() => host.release()")

    def kill(self, widget: Any) -> None:
        """Let the comm die, as when a kernel does."""
        self.page.evaluate("id => host.models.get(id).setLive(false)", widget.model_id)

    def revive(self, widget: Any) -> None:
        """Bring the comm back."""
        self.page.evaluate("id => host.models.get(id).setLive(true)", widget.model_id)

    def settle(self, timeout: float = 5000) -> None:
        """Wait until nothing is under way between page and Python."""
        self.flush()
        # One question to the page in place of several: it is asked thousands of times.
        left = self.page.evaluate(SETTLED, timeout)
        assert left is None, left

    def listeners(self, model_id: str) -> int:
        """Return how many listeners the page has on a model, or was left with when the model was closed."""
        count = "id => host.models.get(id)?.listeners.length ?? host.left.get(id)"
        return int(self.page.evaluate(count, model_id))

    def sent(self, widget: Any) -> int:
        """Return how many messages the page has sent for a widget."""
        return int(self.page.evaluate("id => host.sent.filter(m => m.model === id).length", widget.model_id))

    def received(self, widget: Any) -> list[dict[str, Any]]:
        """Return the messages Python has sent for a widget."""
        return [m for m in self.messages if m["model"] == widget.model_id]

    def live_comms(self) -> int:
        """Return how many comms are open at Python's end."""
        return sum(not comm._closed for comm in self._comms.values())

    def take_errors(self, pattern: str) -> list[str]:
        """Return the errors that a test provoked and that match; they no longer fail it."""
        found = [error for error in self.errors if re.search(pattern, error)]
        assert found, f"No error matches {pattern!r}; there are: {self.errors}"
        self.errors[:] = [error for error in self.errors if error not in found]
        return found

    def close(self) -> None:
        """Close the page."""
        self._open = False
        self.context.close()


class ErrorLog(logging.Handler):
    """Collects exceptions that widgets report to the log."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._errors = errors

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None or record.levelno >= logging.ERROR:
            self._errors.append(
                f"python: {record.getMessage()} {type(error).__name__ if error else ''}: {error}"
            )
