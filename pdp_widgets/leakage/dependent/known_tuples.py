"""Tuples that an adversary knows, given by name or position."""

from __future__ import annotations

from typing import Any

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.sparse_joint import SparseJoint

__all__ = ["known_tuples"]


def known_tuples(joint: SparseJoint, known: Any) -> tuple[int, ...]:
    """Return the positions of known tuples in ascending order; none for None or an empty list.

    Parameters
    ----------
    joint
        The distribution.
    known
        Names or positions; one alone is one tuple.

    Raises
    ------
    DomainError
        A tuple does not exist or is named twice.

    Examples
    --------
    >>> joint = SparseJoint([[0, 0], [1, 1]], [0.5, 0.5], ["Ann", "Bob"])
    >>> known_tuples(joint, ["Bob", 0]), known_tuples(joint, "Bob"), known_tuples(joint, None)
    ((0, 1), (1,), ())
    """
    if known is None or (isinstance(known, list | tuple) and not known):
        return ()
    try:
        return tuple(sorted(joint.axes(known)))
    except DomainError as error:
        raise DomainError(str(error), Where("parameter", name="known")) from None
