"""An event loop of a test's own, also where a browser test has left one running."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def no_loop() -> Iterator[None]:
    """Without a running event loop, also where a browser test has left one."""
    running_already = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(running_already)


def run(main: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine to its end, within a minute."""
    with no_loop():
        return asyncio.run(asyncio.wait_for(main, 60))
