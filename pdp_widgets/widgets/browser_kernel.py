"""What differs where the kernel runs in a browser, as in JupyterLite: no threads, and None gets lost."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Any, Protocol

#: Where a dictionary that travels tells which of its values are None.
NONE_KEY = "__none__"


class Pending(Protocol):
    """A call that comes later, unless it is cancelled."""

    def cancel(self) -> object:
        """Keep it from coming."""


def in_browser() -> bool:
    """Whether Python runs in a browser."""
    return sys.platform == "emscripten"


def beside(run: Callable[[], object], name: str) -> None:
    """Run a function on a thread of its own; in a browser, once the cell or message at work has ended."""
    # In a browser the kernel answers nothing until the function is through.
    if in_browser():
        asyncio.get_running_loop().call_soon(run)
    else:
        threading.Thread(target=run, name=name, daemon=True).start()


def later(seconds: float, call: Callable[[], object]) -> Pending:
    """Call a function after a while."""
    if in_browser():
        return asyncio.get_running_loop().call_later(seconds, call)
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()
    return timer


def with_nones(value: Any, _widget: object = None) -> Any:
    """Return what is sent for the value of a trait: where None gets lost, dictionaries name what is None."""
    # A browser's kernel turns None into JavaScript's undefined, and JSON leaves such entries out. The page
    # puts them back (``heard`` in js/src/ui/wire.ts).
    return _marked(value) if in_browser() else value


def _marked(value: Any) -> Any:
    if isinstance(value, dict):
        marked = {key: _marked(part) for key, part in value.items()}
        nones = [key for key, part in value.items() if part is None]
        return {**marked, NONE_KEY: nones} if nones else marked
    return [_marked(part) for part in value] if isinstance(value, list | tuple) else value
