"""How long a widget lives: as long as someone holds it or a cell shows it, and no longer.

ipywidgets keeps every widget ever made, through its own register and through the callback of its comm. Here
both are weak. A cell that shows a widget holds it until the cell runs again; then its output is gone, and a
widget that no variable holds is closed. IPython's output history (``Out``, ``_``) belongs to that output:
what it remembers of the widget is dropped too.
"""

from __future__ import annotations

import gc
import weakref
from functools import partial
from typing import Any

from IPython import get_ipython
from ipywidgets import Output
from ipywidgets.widgets import widget as ipywidgets_register

from pdp_widgets.widgets.browser_kernel import later

#: Seconds after which a widget that outlived its cell is looked at again: a variable may hold it for good.
_PAUSES = (0.5, 2.0, 5.0, 10.0)

_held: dict[str, list[Any]] = {}
_released: list[weakref.ref[Any]] = []
_watched: weakref.WeakSet[Any] = weakref.WeakSet()


class _Entry:
    """Stands for a widget in the register of ipywidgets without keeping it alive."""

    def __init__(self, widget: Any) -> None:
        self._widget = weakref.ref(widget)

    def __getattr__(self, name: str) -> Any:
        widget = self._widget()
        if widget is None:
            raise ReferenceError("This widget is gone.")
        return getattr(widget, name)

    def close(self) -> None:
        # Closing one widget may end another that the register still lists.
        widget = self._widget()
        if widget is not None:
            widget.close()


def loosen(widget: Any) -> None:
    """Make the references that ipywidgets holds to an open widget weak."""
    handle = weakref.WeakMethod(widget._handle_msg)

    def deliver(message: Any) -> None:
        method = handle()
        if method is not None:
            method(message)

    widget.comm.on_msg(deliver)
    # ipykernel hands a message of the page to the thread that wrote last on the comm. While a cell changes
    # the widget that is the thread of the cell, and every edit would wait for its end. Ours may come on any.
    if hasattr(widget.comm, "_reply_subshell_for"):
        widget.comm._reply_subshell_for = _as_asked
    ipywidgets_register._instances[widget.model_id] = _Entry(widget)


def _as_asked(_data: Any, asked: str | None) -> str | None:
    """Return the thread that the page asked for."""
    return asked


def current_cell() -> str | None:
    """Return the id of the cell whose output is written now, or None where that cannot be told."""
    # What an ``Output`` widget captures stands in that widget, not in the output of the cell that runs.
    shell = get_ipython()
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return None
    try:
        parent = kernel.get_parent("shell") or {}
    except TypeError:
        # The kernel of JupyterLite has a single channel.
        parent = kernel.get_parent() or {}
    cell = (parent.get("metadata") or {}).get("cellId")
    return str(cell) if cell and not _captured(parent.get("header", {}).get("msg_id")) else None


def _captured(message: str | None) -> bool:
    """Whether an ``Output`` widget takes what this message prints and displays."""
    shown = list(ipywidgets_register._instances.values())
    return any(isinstance(widget, Output) and widget.msg_id == message for widget in shown)


def hold(widget: Any, cell: str | None) -> None:
    """Keep a widget alive while the output of a cell shows it."""
    # Where that cannot be told, the widget is kept until it is closed, as ipywidgets does. Without a kernel
    # nothing shows it, and nothing holds it.
    shell = get_ipython()
    if getattr(shell, "kernel", None) is None:
        return
    held = _held.setdefault(cell or "", [])
    if not any(other is widget for other in held):
        held.append(widget)
    if shell not in _watched:
        _watched.add(shell)
        shell.events.register("pre_run_cell", _before_cell)
        shell.events.register("post_run_cell", _after_cell)


def release(widget: Any) -> None:
    """Let go of a widget everywhere."""
    for cell in list(_held):
        _held[cell] = [other for other in _held[cell] if other is not widget]
        if not _held[cell]:
            del _held[cell]


def _before_cell(info: Any) -> None:
    # JupyterLite tells the shell no cell, only the kernel.
    cell = getattr(info, "cell_id", None) or current_cell()
    gone = _held.pop(cell, None) if cell else None
    if not gone:
        return
    for widget in gone:
        widget._cell_cleared(cell)
    _forget_outputs(get_ipython(), gone)
    _released.extend(weakref.ref(widget) for widget in gone)


def _after_cell(_result: Any) -> None:
    released = list(_released)
    _released.clear()
    _collect(released, _PAUSES)


def _collect(released: list[weakref.ref[Any]], pauses: tuple[float, ...]) -> None:
    """End what nobody holds any more; a thread that draws or answers just then holds it a while longer."""
    # A widget with parts (an explorer and its table) is a circle of references: only a collection opens it.
    if any(ref() is not None for ref in released):
        gc.collect()
    alive = [ref for ref in released if ref() is not None]
    if alive and pauses:
        later(pauses[0], partial(_collect, alive, pauses[1:]))


def _forget_outputs(shell: Any, widgets: list[Any]) -> None:
    def among(value: Any) -> bool:
        return any(value is widget for widget in widgets)

    history = shell.user_ns.get("_oh", {})
    counts = [count for count, value in history.items() if among(value)]
    for count in counts:
        del history[count]
    # IPython writes what a cell returned into both of its namespaces.
    for space in (shell.user_ns, shell.user_ns_hidden):
        for count in counts:
            space.pop(f"_{count}", None)
        for name in ("_", "__", "___"):
            if among(space.get(name)):
                space[name] = ""
    for name in ("_", "__", "___"):
        if among(getattr(shell.displayhook, name, None)):
            setattr(shell.displayhook, name, "")
