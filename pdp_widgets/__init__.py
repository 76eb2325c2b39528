"""See exactly, and live, what an adversary learns from released data when the data are correlated.

The names are imported when first used, so that ``import pdp_widgets`` is quick and free of any notebook. They
are listed in `pdp_widgets._names`, a table for each topic.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pdp_widgets._names import MODULES
from pdp_widgets.version import __version__ as __version__

if TYPE_CHECKING:
    from pdp_widgets import examples as examples
    from pdp_widgets._names.anonymity import *
    from pdp_widgets._names.common import *
    from pdp_widgets._names.dependent import *
    from pdp_widgets._names.gaussian import *
    from pdp_widgets._names.local import *
    from pdp_widgets._names.places import *
    from pdp_widgets._names.prior import *
    from pdp_widgets._names.streams import *
else:
    # Type checkers take what is imported above, and know that there is nothing else.
    __all__ = sorted([*MODULES, "__version__"])

    def __getattr__(name: str) -> Any:
        if name == "examples":
            return import_module("pdp_widgets.examples")
        if name not in MODULES:
            raise AttributeError(f"module 'pdp_widgets' has no attribute {name!r}")
        value = getattr(import_module(f"pdp_widgets.{MODULES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return [*__all__, "examples"]
