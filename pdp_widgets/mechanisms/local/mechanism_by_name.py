"""Local mechanisms by their short names."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.mechanisms.local.finite_channel import AnyMechanism, Channel
from pdp_widgets.mechanisms.local.histogram_encoding import SHE
from pdp_widgets.mechanisms.local.local_hashing import BLH, OLH
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.randomised_response import EXP, GRR, SS, DeltaGRR
from pdp_widgets.mechanisms.local.unary_encoding import OUE, RAPPOR, SUE
from pdp_widgets.models.labels import shown

__all__ = ["LOCAL_MECHANISMS", "mechanism_named"]

#: Every mechanism, in the order of menus and tables.
LOCAL_MECHANISMS: tuple[type[LocalMechanism], ...] = (
    AnyMechanism,
    GRR,
    EXP,
    OUE,
    SUE,
    RAPPOR,
    BLH,
    OLH,
    SHE,
    SS,
    DeltaGRR,
    Channel,
)


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
    kinds = {kind.name.lower(): kind for kind in LOCAL_MECHANISMS}
    kind = kinds.get(name.lower()) if isinstance(name, str) else None
    if kind is None:
        names = ", ".join(kind.name for kind in LOCAL_MECHANISMS)
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
