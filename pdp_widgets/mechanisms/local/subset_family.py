"""Which sets of symbols an output of a local mechanism can favour."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Literal

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.models.given_numbers import is_whole
from pdp_widgets.models.labels import shown

__all__ = ["SubsetFamily"]

_KINDS = ("all", "singletons", "exactly")


@dataclass(frozen=True)
class SubsetFamily:
    """The sets S of a mechanism whose likelihoods have two levels: rho on S and 1 elsewhere.

    Parameters
    ----------
    kind
        ``"all"`` for every set, ``"singletons"`` for sets of one symbol, ``"exactly"`` for sets of ``size``.
    size
        Number of symbols of every set; only for ``"exactly"``.

    Raises
    ------
    BudgetError
        There is no such kind, or the size does not go with it.

    Notes
    -----
    An output matters only by the direction of its likelihoods over the symbols of the source: what it leaks
    about another attribute is a maximum over these sets.

    Examples
    --------
    >>> SubsetFamily("exactly", 2).count(4)
    6
    >>> SubsetFamily("all").count(4)
    14
    """

    kind: Literal["all", "singletons", "exactly"]
    size: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in _KINDS:
            raise BudgetError(
                f"The kind of sets is {shown(self.kind)}; give 'all', 'singletons' or 'exactly'.",
                Where("parameter", name="kind"),
            )
        if self.kind != "exactly":
            if self.size is not None:
                raise BudgetError(
                    f"Sets of kind {self.kind!r} have no size of their own, but {shown(self.size)} is given.",
                    Where("parameter", name="size"),
                )
        elif self.size is None or not is_whole(self.size) or self.size < 1:
            raise BudgetError(
                f"The size of the sets is {shown(self.size)}; it must be a whole number, 1 or more.",
                Where("parameter", name="size"),
            )

    def count(self, k: int) -> int:
        """Return how many sets of k symbols tell something: neither none of the symbols nor all of them."""
        if self.kind == "all":
            return max((1 << k) - 2, 0)
        size = 1 if self.size is None else self.size
        return comb(k, size) if size < k else 0
