"""The table of local mechanisms, and each of them by its short name.

The explorer's menu, the comparison of mechanisms and pages without a kernel read the table; they have it as
``js/src/compute/local-mechanisms.json``, which this module prints:

    python -m pdp_widgets.mechanisms.local.mechanism_by_name > js/src/compute/local-mechanisms.json
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from pdp_widgets.core.amounts import COUNT, DELTA, GROUPS, KINDS, PROBABILITY, Kind
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.mechanisms.local.finite_channel import AnyMechanism, Channel
from pdp_widgets.mechanisms.local.histogram_encoding import SHE
from pdp_widgets.mechanisms.local.local_hashing import BLH, OLH
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.randomised_response import EXP, GRR, SS, DeltaGRR
from pdp_widgets.mechanisms.local.unary_encoding import OUE, RAPPOR, SUE
from pdp_widgets.models.labels import shown

__all__ = ["BY_KEY", "LOCAL_MECHANISMS", "Listed", "Parameter", "exported", "mechanism_named"]


@dataclass(frozen=True)
class Parameter:
    """A number beside the budget that the explorer keeps; it has a field there if it has a label."""

    name: str
    kind: Kind
    #: None where the mechanism then chooses.
    default: float | None
    label: str = ""
    title: str = ""


@dataclass(frozen=True)
class Listed:
    """One row of the table; a mechanism without a label is in no menu, and no page knows it."""

    mechanism: type[LocalMechanism]
    label: str = ""
    parameters: tuple[Parameter, ...] = ()
    #: Whether it has a budget of its own, which does not follow from its parameters.
    epsilon: bool = True
    #: Whether a guess is defined.
    inferred: bool = True
    #: Whether it stands beside others where mechanisms are compared.
    compared: bool = True
    #: How it is read where a larger budget can leak less.
    jumps: tuple[Literal["raw", "inferred"], ...] = ()

    @property
    def key(self) -> str:
        """The short name."""
        return self.mechanism.name

    @property
    def first(self) -> dict[str, float | None]:
        """The parameters before somebody sets them."""
        return {one.name: one.default for one in self.parameters}

    def made(self, epsilon: float, parameters: Mapping[str, float | None] | None = None) -> LocalMechanism:
        """Return the mechanism with a budget, if it has one of its own; what is wrong raises BudgetError."""
        asked = self.first if parameters is None else parameters
        given = {name: value for name, value in asked.items() if value is not None}
        return mechanism_named(self.key, epsilon if self.epsilon else None, **given)


#: Every mechanism, in the order of menus and tables.
LOCAL_MECHANISMS = (
    Listed(GRR, "Randomised (GRR)"),
    Listed(EXP, "Exponential (EXP)"),
    Listed(OUE, "Unary, optimised (OUE)"),
    Listed(SUE, "Unary, symmetric (SUE)"),
    Listed(
        RAPPOR,
        "RAPPOR, one report",
        (
            Parameter("f", PROBABILITY, 0.5, "f", "A memoised bit is drawn anew with this probability"),
            Parameter("p", PROBABILITY, 0.5, "p", "Probability of reporting 1 for a memoised 0"),
            Parameter("q", PROBABILITY, 0.75, "q", "Probability of reporting 1 for a memoised 1"),
        ),
        epsilon=False,
    ),
    Listed(BLH, "Hashing, binary (BLH)"),
    Listed(
        OLH,
        "Hashing, optimised (OLH)",
        (
            Parameter(
                "g",
                GROUPS,
                None,
                "groups g",
                "Number of groups; auto takes the rounded exponential of ε, plus 1",
            ),
        ),
        jumps=("inferred",),
    ),
    Listed(SHE, "Histogram (SHE)"),
    Listed(
        SS,
        "Subset selection (SS)",
        (
            Parameter(
                "omega",
                COUNT,
                None,
                "set size ω",
                "Labels in a reported set; auto takes k over (exp ε + 1), rounded down",
            ),
        ),
        jumps=("raw", "inferred"),
    ),
    Listed(AnyMechanism, "Any mechanism", (Parameter("delta", DELTA, 0.0),), inferred=False, compared=False),
    Listed(DeltaGRR, compared=False),
    Listed(Channel, "Your own channel", epsilon=False, inferred=False, compared=False),
)

#: The rows by their short names.
BY_KEY = {one.key: one for one in LOCAL_MECHANISMS}


def mechanism_named(name: str, epsilon: float | None = None, **parameters: Any) -> LocalMechanism:
    """Return a mechanism by its short name.

    Parameters
    ----------
    name
        ``"generic"``, ``"GRR"``, ``"EXP"``, ``"OUE"``, ``"SUE"``, ``"RAPPOR"``, ``"BLH"``, ``"OLH"``,
        ``"SHE"``, ``"SS"``, ``"DGRR"`` or ``"channel"``; capitals do not matter.
    epsilon
        The budget in nats; not for RAPPOR and a channel, whose budget follows from their parameters.
    **parameters
        ``delta``, ``g``, ``omega``, ``f``, ``p``, ``q`` or ``matrix``, for the mechanisms that have them.

    Raises
    ------
    BudgetError
        There is no such mechanism, or a parameter is missing, unknown or outside its range.

    Examples
    --------
    >>> mechanism_named("SS", epsilon=1.0, omega=2)
    SS(epsilon=1.0, omega=2)
    """
    kinds = {key.lower(): one.mechanism for key, one in BY_KEY.items()}
    kind = kinds.get(name.lower()) if isinstance(name, str) else None
    if kind is None:
        # The one that stands for all others comes first.
        names = ", ".join(sorted(BY_KEY, key=lambda key: key != AnyMechanism.name))
        raise BudgetError(
            f"There is no mechanism {shown(name)}; give one of {names}.", Where("parameter", name="name")
        )
    given = dict(parameters) if epsilon is None else {"epsilon": epsilon, **parameters}
    accepted = {field.name: field for field in fields(kind) if field.init}
    listed = " and ".join(", ".join(accepted).rsplit(", ", 1))
    for parameter in given:
        if parameter not in accepted:
            hint = ""
            if parameter == "epsilon":
                hint = ", from which its budget follows"
            raise BudgetError(
                f"{kind.name} has no parameter {parameter!r}; it takes {listed}{hint}.",
                Where("parameter", name=parameter),
            )
    for parameter, field in accepted.items():
        if parameter not in given and field.default is not None and not isinstance(field.default, float):
            raise BudgetError(
                f"{kind.name} needs {parameter}; it takes {listed}.", Where("parameter", name=parameter)
            )
    return kind(**given)


def exported() -> str:
    """Return what pages need of the table as JSON; what is as usual is left out."""
    names = {kind: name for name, kind in KINDS.items()}
    rows = []
    for one in LOCAL_MECHANISMS:
        if not one.label:
            continue
        parts = [f'"{part}": false' for part in ("epsilon", "compared") if not getattr(one, part)]
        if one.jumps:
            parts.append(f'"jumps": {json.dumps(one.jumps)}')
        if one.parameters:
            inner = []
            for each in one.parameters:
                row = {"kind": names[each.kind], "default": each.default}
                row |= {"label": each.label, "title": each.title} if each.label else {}
                inner.append(f'    "{each.name}": {json.dumps(row, ensure_ascii=False)}')
            parts.append('"parameters": {\n' + ",\n".join(inner) + "\n  }")
        rows.append(f'  "{one.key}": {{' + ", ".join(parts) + "}")
    return "{\n" + ",\n".join(rows) + "\n}\n"


if __name__ == "__main__":
    print(exported(), end="")
