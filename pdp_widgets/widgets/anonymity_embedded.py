"""What a page of a k-anonymous table needs to compute without a kernel, and its view does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pdp_widgets.widgets.anonymity_state import AnonymityState

__all__ = ["anonymity_embedded"]

_NAMES = (
    *("quasi", "secret", "k", "release", "neighbour", "group_change", "shift", "level", "known"),
    *("neighbours", "epsilon", "events", "slack", "printed", "reading", "n"),
)


def anonymity_embedded(core: AnonymityState) -> dict[str, Any]:
    """Return the inputs that the results belong to, where other ones stand in the controls.

    Examples
    --------
    >>> from pdp_widgets import AnonymityExplorer
    >>> explorer = AnonymityExplorer()
    >>> anonymity_embedded(explorer._core)
    {}
    >>> explorer._core.ask({"k": 500})
    >>> anonymity_embedded(explorer._core)["sound"]["k"]
    5
    """
    sound = {name: getattr(core.inputs, name) for name in _NAMES}
    if all(core.asked[name] == sound[name] for name in _NAMES):
        return {}
    return {"sound": {**sound, "quasi": list(sound["quasi"])}}
