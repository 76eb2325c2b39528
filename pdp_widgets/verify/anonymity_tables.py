"""Cases on tables: strict Mondrian, and how its groups change when a record comes or goes."""

from __future__ import annotations

from typing import Any

from pdp_widgets.leakage.noiseless.syntactic_sensitivity import syntactic_sensitivity, syntactic_volumes
from pdp_widgets.mechanisms.anonymity.mondrian import mondrian
from pdp_widgets.verify.anonymity_inputs import refusing
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds

__all__ = ["KINDS"]


def _mondrian(data: Input) -> dict[str, Any]:
    groups = mondrian(data["rows"], data["k"])
    return {"classes": [list(group) for group in groups], "count": len(groups)}


def _volumes(data: Input) -> dict[str, Any]:
    return {"s": syntactic_volumes(data["volume"], data["neighbours"])}


def _sensitivity(data: Input) -> dict[str, Any]:
    found = syntactic_sensitivity(data["rows"], data["k"], data["volume"], data["additions"])
    return {
        "s": found.largest,
        "per_removal": found.changes.tolist(),
        "per_addition": found.added.tolist(),
    }


KINDS: Kinds = {
    ("mondrian", None): refusing(_mondrian),
    ("syntactic_volumes", None): refusing(_volumes),
    ("syntactic_sensitivity", None): refusing(_sensitivity),
}
