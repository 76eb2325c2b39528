"""Every public name, as a user finds it: at the top of the package, or in a topic."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import getattr_static, isclass, isfunction
from typing import Any

import pdp_widgets

TOPICS = ("prior", "gaussian", "local", "dependent", "streams", "anonymity", "places", "meaning", "networks")


def of_topic(topic: str) -> dict[str, Any]:
    """Return what a topic lists: it has no other names."""
    listed = vars(import_module(f"pdp_widgets.{topic}"))
    return {name: value for name, value in listed.items() if name[0] != "_"}


#: Every name once, with what it stands for.
PUBLIC: dict[str, Any] = {
    **{name: getattr(pdp_widgets, name) for name in pdp_widgets.__all__},
    **{name: value for topic in TOPICS for name, value in of_topic(topic).items()},
    **{name: getattr(pdp_widgets.errors, name) for name in pdp_widgets.errors.__all__},
}


def public_calls() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Give every public function and method of what computes, by name; widgets stand apart."""
    for name, value in PUBLIC.items():
        if isfunction(value):
            yield name, value
        elif isclass(value) and not value.__module__.startswith("pdp_widgets.widgets"):
            for method in dir(value):
                found = getattr_static(value, method)
                called = found.__func__ if isinstance(found, classmethod | staticmethod) else found
                if method[0] != "_" and isfunction(called):
                    yield f"{name}.{method}", called
