"""The mechanisms of a local explorer: the menu, the parameters of each, and making one from what is set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.models.labels import shown

__all__ = ["LOCAL_MENU", "MenuEntry", "entry_of", "made", "parameters_of"]


@dataclass(frozen=True)
class MenuEntry:
    """One mechanism of the menu.

    Parameters
    ----------
    key
        Its short name, as in `mechanism_named`.
    label
        The name in words.
    inferred
        Whether a guess of the symbol is defined.
    epsilon
        Whether it has a budget to set.
    parameters
        Its other parameters as they stand at first; None where the mechanism chooses.
    """

    key: str
    label: str
    inferred: bool = True
    epsilon: bool = True
    parameters: tuple[tuple[str, float | None], ...] = ()

    def state(self) -> dict[str, Any]:
        """Return what the browser's menu needs."""
        return {"key": self.key, "label": self.label, "inferred": self.inferred, "epsilon": self.epsilon}


#: In the order of the menu.
LOCAL_MENU = (
    MenuEntry("GRR", "Randomised (GRR)"),
    MenuEntry("EXP", "Exponential (EXP)"),
    MenuEntry("OUE", "Unary, optimised (OUE)"),
    MenuEntry("SUE", "Unary, symmetric (SUE)"),
    MenuEntry(
        "RAPPOR", "RAPPOR, one report", epsilon=False, parameters=(("f", 0.5), ("p", 0.5), ("q", 0.75))
    ),
    MenuEntry("BLH", "Hashing, binary (BLH)"),
    MenuEntry("OLH", "Hashing, optimised (OLH)", parameters=(("g", None),)),
    MenuEntry("SHE", "Histogram (SHE)"),
    MenuEntry("SS", "Subset selection (SS)", parameters=(("omega", None),)),
    MenuEntry("generic", "Any mechanism", inferred=False, parameters=(("delta", 0.0),)),
)


def entry_of(name: Any) -> MenuEntry:
    """Return the entry of a mechanism given by its short name, whatever its capitals, or raise BudgetError.

    Examples
    --------
    >>> entry_of("oue").label
    'Unary, optimised (OUE)'
    """
    for entry in LOCAL_MENU:
        if isinstance(name, str) and entry.key.lower() == name.lower():
            return entry
    raise BudgetError(
        f"The mechanism is {shown(name)}; give one of {', '.join(entry.key for entry in LOCAL_MENU)}.",
        Where("parameter", name="mechanism"),
    )


def parameters_of(mechanism: LocalMechanism) -> dict[str, float | None]:
    """Return the parameters of a mechanism beside its budget, by name.

    Examples
    --------
    >>> parameters_of(mechanism_named("SS", 1.0, omega=2))
    {'omega': 2}
    """
    return {name: getattr(mechanism, name) for name, _ in entry_of(mechanism.name).parameters}


def made(entry: MenuEntry, epsilon: float, parameters: Mapping[str, float | None]) -> LocalMechanism:
    """Return a mechanism, or raise BudgetError with the name of the wrong parameter.

    Examples
    --------
    >>> made(entry_of("OLH"), 1.0, {"g": None})
    OLH(epsilon=1.0, g=None)
    """
    given = {name: value for name, value in parameters.items() if value is not None}
    return mechanism_named(entry.key, epsilon if entry.epsilon else None, **given)
