"""A number that says what it is in and how far it can be trusted, and what rounding makes of it."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np

__all__ = ["NOTHING", "SHARE", "Amount", "Status", "at_most", "is_nothing"]

Status: TypeAlias = Literal["exact", "bound", "lower bound", "estimate", "as printed"]


class Amount(float):
    """A number with its unit, its status and its source; it computes as the number does.

    What is computed from it is a plain number, since its unit and its status may be others.

    Parameters
    ----------
    value
        The number.
    unit
        Such as ``"nats"``, or ``"units of the query"``.
    status
        As for `Leakage`.
    source
        Paper and equation.

    Examples
    --------
    >>> from pdp_widgets import LinearQuery, examples
    >>> from pdp_widgets.dependent import dependent_scale
    >>> scale = dependent_scale(examples.agreeing_bits(0.9), "sum", 1.0)
    >>> print(scale)
    1.79254 units of the query (exact)
    >>> round(2 * scale, 4), scale.status, scale.source
    (3.5851, 'exact', 'Liu, Chakraborty and Mittal, Eq. 25')
    """

    __slots__ = ("_source", "_status", "_unit")

    _unit: str
    _status: Status
    _source: str

    def __new__(cls, value: float, unit: str, status: Status, source: str) -> Amount:
        """Make one; nothing of it changes afterwards."""
        made = super().__new__(cls, value)
        for name, part in (("_unit", unit), ("_status", status), ("_source", source)):
            object.__setattr__(made, name, part)
        return made

    @property
    def value(self) -> float:
        """The number alone."""
        return float(self)

    @property
    def unit(self) -> str:
        """What the number is in."""
        return self._unit

    @property
    def status(self) -> Status:
        """How far it can be trusted."""
        return self._status

    @property
    def source(self) -> str:
        """Paper and equation."""
        return self._source

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"An amount does not change; {name} cannot be set.")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (float(self), self._unit, self._status, self._source)

    def __str__(self) -> str:
        return f"{float(self):.6g} {self._unit} ({self._status})"


#: What rounding makes of a leakage of 0 at most, nats. As in js/src/ui/format.ts.
NOTHING = 1e-14
#: What two ways to compute one leakage may differ by, as a share of it.
SHARE = 1e-9
#: A line is of ordinary size where what counts as nothing is a smaller share of it.
_SEEN = 1e-6


def at_most(line: Any, share: float = SHARE, precision: float = 0.0) -> Any:
    """Return the largest number that is no more than a line, rounding aside: that is a share of the line."""
    if isinstance(line, float | int):
        return line + (max(NOTHING, precision) if line == 0 else share * abs(line) + precision)
    with np.errstate(over="ignore"):
        room = np.where(np.equal(line, 0), max(NOTHING, precision), share * np.abs(line) + precision)
        return (np.asarray(line) + room)[()]


def is_nothing(size: float, line: float) -> bool:
    """Tell whether a number is what rounding makes of 0, beside a line of 0 or of ordinary size."""
    return abs(size) <= NOTHING and (line == 0 or _SEEN * abs(line) > NOTHING)
