"""Mechanisms as callers give them: one for all attributes, a list, a dict, by name or made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.local.mechanism_reading import check_mechanism
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.models.labels import shown

__all__ = ["Mechanisms", "as_mechanism", "mechanisms_for", "with_epsilon"]

Mechanisms: TypeAlias = (
    LocalMechanism | str | Sequence["LocalMechanism | str"] | Mapping[str, "LocalMechanism | str"]
)


def mechanisms_for(
    given: Mechanisms, epsilon: float | None, names: Sequence[str], parameter: str = "mechanism"
) -> tuple[LocalMechanism, ...]:
    """Return one mechanism for each attribute, as `LocalAnalysis` takes them, or raise DomainError.

    Examples
    --------
    >>> from pdp_widgets import OUE
    >>> mechanisms_for({"age": "GRR", "sex": OUE(2.0)}, 1.0, ["sex", "age"])
    (OUE(epsilon=1.0), GRR(epsilon=1.0))
    """
    if isinstance(given, LocalMechanism | str):
        return (as_mechanism(given, epsilon),) * len(names)
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in names]
        absent = [name for name in names if name not in given]
        if unknown or absent:
            wrong = f"no attribute {shown(unknown[0])}" if unknown else f"no mechanism for {shown(absent[0])}"
            raise DomainError(
                f"There is {wrong}; give one mechanism for each attribute.",
                Where("parameter", name=parameter),
            )
        return tuple(as_mechanism(given[name], epsilon) for name in names)
    if not isinstance(given, Iterable):
        return (check_mechanism(given),)
    return _as_many(tuple(as_mechanism(one, epsilon) for one in given), len(names), parameter)


def with_epsilon(mechanisms: Sequence[LocalMechanism], epsilon: float) -> tuple[LocalMechanism, ...]:
    """Return the mechanisms with another budget; equal ones become one."""
    made = {one: one.with_epsilon(epsilon) for one in mechanisms}
    return tuple(made[one] for one in mechanisms)


def as_mechanism(
    given: LocalMechanism | str, epsilon: float | None = None, *, any_budget: bool = False
) -> LocalMechanism:
    """Return one mechanism, given by name or made; or raise an error that says what is accepted.

    Parameters
    ----------
    given
        The mechanism or its name.
    epsilon
        The budget, needed for a name; for a mechanism that is made it replaces its own.
    any_budget
        The budget does not matter: a name needs none.

    Raises
    ------
    TypeError
        It is no mechanism and no name.
    BudgetError
        There is none of this name, or it has no budget.

    Examples
    --------
    >>> as_mechanism("oue", 1.0)
    OUE(epsilon=1.0)
    """
    if isinstance(given, str):
        return mechanism_named(given, 1.0 if any_budget and epsilon is None else epsilon)
    made = check_mechanism(given)
    return made if epsilon is None else made.with_epsilon(epsilon)


def _as_many(given: tuple[LocalMechanism, ...], n: int, name: str) -> tuple[LocalMechanism, ...]:
    if len(given) != n:
        raise DomainError(
            f"There are {len(given)} mechanisms for {n} attributes; give one for all, or one for each.",
            Where("parameter", name=name),
        )
    return given
