"""The names at the top of the package, a table for each topic: what `pdp_widgets` offers, and where it is.

A table lists each name twice: under its module, for Python, and as an import, for type checkers and editors,
which Python does not run. A test holds them against each other.
"""

from __future__ import annotations

from pdp_widgets._names import anonymity, common, dependent, gaussian, local, places, prior, streams

__all__ = ["MODULES"]

_TOPICS = (common, prior, gaussian, local, streams, dependent, places, anonymity)

#: The module of every name, below `pdp_widgets`.
MODULES = {name: module for topic in _TOPICS for module, names in topic.HOMES.items() for name in names}
