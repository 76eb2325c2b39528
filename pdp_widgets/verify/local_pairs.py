"""Cases on what one report says about another attribute: one pair, and all pairs of a table."""

from __future__ import annotations

from typing import Any

from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds
from pdp_widgets.verify.inputs import numbers
from pdp_widgets.verify.local_inputs import local_mechanism, output_of

__all__ = ["KINDS"]


def _cpl(data: Input) -> dict[str, Any]:
    mechanism = local_mechanism(data["mechanism"])
    table, conditional = (data["G"], True) if "G" in data else (data["joint"], False)
    found = pair_leakage(table, mechanism, output_of(data), conditional=conditional)
    return {"L": float(found), "delta_tight": found.delta_tight, "delta_paper": found.delta_paper}


def _table(data: Input) -> dict[str, Any]:
    table = AttributeTable(data["codes"], data["sizes"]).with_missing(data["missing"])
    return {name: numbers(LocalAnalysis(table, name, data["eps"]).matrix) for name in ("generic", "GRR")}


KINDS: Kinds = {("cpl", None): _cpl, ("table", None): _table}
