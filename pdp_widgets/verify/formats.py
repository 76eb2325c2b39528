"""Which modules compute the cases of which format.

A format belongs to one paper. To offer its cases, write a module with a dictionary ``KINDS`` and name it
here: a key is a kind with a convention, or with None where cases of that kind have none; a value takes the
input of a case and returns all that may be expected of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

from pdp_widgets.verify.documents import Input

__all__ = ["FORMATS", "Kind", "Kinds", "floats_of", "kinds_of"]

Kind: TypeAlias = tuple[str, str | None]
Kinds: TypeAlias = Mapping[Kind, Callable[[Input], dict[str, Any]]]

#: Modules of every format. Without any, cases are read, counted and named as not run.
FORMATS: Mapping[str, tuple[str, ...]] = {
    "pdp-vectors/1": ("prior", "search", "gaussian"),
    "cpl-vectors/1": ("local_pairs", "local_mechanisms", "local_joint", "local_statistics"),
    "sip-vectors/1": (
        "sequence_streams",
        "sequence_releases",
        "sequence_optima",
        "sequence_reports",
        "sequence_leakages",
    ),
    "ddp-vectors/1": (
        "dependent_leakages",
        "dependent_promises",
        "dependent_attack",
        "dependent_applications",
        "dependent_edges",
    ),
    "kanon-vectors/1": ("anonymity_counts", "anonymity_sums", "anonymity_tables"),
}

# Texts that stand for floats without a JSON number: everywhere, and in some formats.
_FLOATS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_MORE_FLOATS = {
    "cpl-vectors/1": {"inf": math.inf},
    "sip-vectors/1": {"inf": math.inf, "-inf": -math.inf},
    "ddp-vectors/1": {"nan": math.nan},
    "kanon-vectors/1": {"inf": math.inf},
}


def floats_of(name: str) -> Mapping[str, float]:
    """Return the texts of a format that stand for floats.

    Examples
    --------
    >>> floats_of("cpl-vectors/1")["inf"]
    inf
    """
    return _FLOATS | _MORE_FLOATS.get(name, {})


@cache
def kinds_of(name: str) -> Kinds:
    """Return what is offered of a format; its modules are imported by now.

    Examples
    --------
    >>> ("exact_all", "sup") in kinds_of("pdp-vectors/1")
    True
    """
    kinds: dict[Kind, Callable[[Input], dict[str, Any]]] = {}
    for module in FORMATS[name]:
        kinds |= import_module(f"pdp_widgets.verify.{module}").KINDS
    return kinds
