"""How many different secrets the members of each class have: l-diversity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.noiseless.secret_pairs import secret_pairs
from pdp_widgets.leakage.noiseless.syntactic_measure import SyntacticMeasure
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses
from pdp_widgets.mechanisms.anonymity.parameters import as_choice
from pdp_widgets.models.labels import short

__all__ = ["DIVERSITY_KINDS", "DiversityKind", "LDiversity", "l_diversity"]

Floats = NDArray[np.float64]

DiversityKind: TypeAlias = Literal["distinct", "entropy"]
DIVERSITY_KINDS: tuple[DiversityKind, ...] = ("distinct", "entropy")


@dataclass(frozen=True, eq=False, repr=False)
class LDiversity(SyntacticMeasure):
    """The diversity of the secret in every class, and the least of them.

    Parameters
    ----------
    secret
        Name of the column.
    kind
        ``"distinct"``, the number of different values; ``"entropy"``, the exponential of their entropy.
    by_class
        Diversity of every class, a number of values, shape (classes,); NaN where no member has a value.
    letters
        Names of the classes.

    Examples
    --------
    >>> data = {"age": [1, 2, 3, 4], "ill": ["no", "yes", "no", "no"]}
    >>> classes = EquivalenceClasses(data, "age", 2, [[0, 1], [2, 3]])
    >>> print(l_diversity(classes, "ill"))
    l = 1 value (exact): distinct values of ill in a class
    >>> l_diversity(classes, "ill", "entropy").by_class.round(6).tolist()
    [2.0, 1.0]
    """

    _letter = "l"
    _heading = "diversity"
    _written = "number"
    _unit = "values"
    _source = "Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam, l-diversity, Definitions 4 and 5"

    secret: str
    kind: DiversityKind
    by_class: Floats
    letters: tuple[str, ...]

    @property
    def least(self) -> float:
        """The diversity of the least diverse class of those with a value, in values."""
        return float(np.nanmin(self.by_class))

    @property
    def single(self) -> int:
        """In how many classes all known secrets are the same; a missing one may be another."""
        return int((self.by_class == 1).sum())

    @property
    def _worst(self) -> float:
        return self.least

    @property
    def _about(self) -> str:
        what = "distinct values" if self.kind == "distinct" else "exponential of the entropy of the values"
        return f"{what} of {short(self.secret)} in a class"

    @property
    def _further(self) -> dict[str, Any]:
        return {"kind": self.kind}


def l_diversity(
    classes: EquivalenceClasses, secret: str | int, kind: DiversityKind = "distinct"
) -> LDiversity:
    """Return how diverse the secret is in every class.

    Parameters
    ----------
    classes
        The classes, see `anonymise`.
    secret
        A column; missing values are not counted.
    kind
        ``"distinct"`` or ``"entropy"``.

    Raises
    ------
    DomainError
        There is no such column.
    TableError
        No published record has a value.
    BudgetError
        The kind is none.

    Notes
    -----
    Machanavajjhala et al., "l-Diversity: Privacy beyond k-Anonymity" (TKDD 2007). A table has entropy
    l-diversity if the entropy of the secret is at least ln l in every class; the largest such l is given.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.anonymity.anonymised import anonymise
    >>> from pdp_widgets.models.clinic import clinic
    >>> found = l_diversity(anonymise(clinic(), ["age", "weight"], 5), "diabetes")
    >>> found.least, found.single
    (1.0, 8)
    """
    chosen = as_choice(kind, "kind", DIVERSITY_KINDS)
    pairs = secret_pairs(classes, secret)
    if chosen == "distinct":
        found = np.bincount(pairs.class_, minlength=pairs.classes).astype(np.float64)
    else:
        shares = pairs.count / pairs.known[pairs.class_]
        found = np.exp(np.bincount(pairs.class_, -shares * np.log(shares), pairs.classes))
    found[pairs.known == 0] = np.nan
    name = classes.data.names[classes.data.place(secret)]
    return LDiversity(name, chosen, found, classes.letters)  # type: ignore[arg-type]
