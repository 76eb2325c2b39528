"""One k-anonymous table and a release beside it: what the classes show, and how well the others hide one."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from pdp_widgets.core.results import Figures, Result
from pdp_widgets.errors import BudgetError
from pdp_widgets.leakage.meaning.laws import ChannelLaws
from pdp_widgets.leakage.meaning.meaning import Meaning
from pdp_widgets.leakage.noiseless.anonymity_figures import analysis_figures
from pdp_widgets.leakage.noiseless.anonymity_slacks import AnonymitySlacks
from pdp_widgets.leakage.noiseless.slack import PAPER
from pdp_widgets.leakage.noiseless.syntactic_measures import (
    DIVERSITY_KINDS,
    DiversityKind,
    LDiversity,
    TCloseness,
    is_known,
    l_diversity,
    t_closeness,
)
from pdp_widgets.leakage.noiseless.syntactic_sensitivity import (
    SyntacticSensitivity,
    Volume,
    syntactic_sensitivity,
)
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.leakage.value import AboutAll
from pdp_widgets.models.labels import as_choice


class AnonymityAnalysis(AnonymitySlacks, Result, NumberTable):
    """A table made k-anonymous, and how well unknown records hide one where a count or a sum is published.

    Parameters
    ----------
    data
        The records, as `Microdata.of` takes them.
    quasi
        Names of the quasi-identifiers.
    secret
        Name of the secret; without it only sums are published, and nothing is said about classes.
    k
        Least size of a class.
    release
        ``"count:LABEL"`` of a value of the secret, ``"suppressed:LABEL"``, the count if it is k or more,
        ``"records:LABEL"``, the records that have it, k or more, or ``"sum:COLUMN"``. Known records count
        towards k: as many of them as can have the value, which is the worst case. Without it the count of
        the rarest value; without a secret the sum of the first quasi-identifier of numbers.
    n
        How many records the release is of, k or more: to ask about a larger or smaller release of the same
        law. Without it those of the table that are published; of a sum those that have a value.
    neighbour
        What is compared: ``"value"``, the target's value from one extreme to the other; ``"presence"``, the
        target's record is there or not.
    level
        What the adversary knows: ``"I"`` the size of classes, ``"II"`` that records depend, ``"III"`` values
        of records, ``"IV"`` both. Without it what `known` and `neighbours` say.
    known
        Share of the records whose values are known, 0 to 1, at levels III and IV; at others nothing is known.
    neighbours
        Records that are equal, the target counted, at levels II and IV; at others records are independent.
    shift
        By how much the target's value changes what is published, in its units; without it by the range of the
        values of all records that move together. Of no meaning for ``"presence"``.
    group_change
        The syntactic sensitivity s in theorems as printed, in records.
    anonymiser
        Any function (rows, k) -> groups of rows.

    Raises
    ------
    DomainError
        A column or a release does not exist, or the secret is a quasi-identifier too.
    TableError
        There are fewer than k complete records, or the anonymiser makes no classes of at least k.
    BudgetError
        A number is outside its range, or a word is none.

    Notes
    -----
    Zhao, Jiang, Wang and Huang, "Non-asymptotic bound on the performance of k-anonymity against inference
    attacks". The records are random to the adversary: each has the law of all records of the table, its value
    drawn from them. The exact slack, proved bounds and the theorems as printed are told apart.

    Figures: ``"curves"``, the slack by epsilon; ``"map"``, all classes; ``"table"``, two classes with their
    records; ``"known"``, the slack at epsilon = 1 nat by what is known.

    Examples
    --------
    >>> from pdp_widgets.models.surveys import clinic
    >>> found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes", level="III", known=0.3)
    >>> found.achieved, len(found.classes), found.diversity.single, found.unknown
    (5, 14, 8, 69)
    >>> print(found.slack(1.0))
    delta = 0.00979634 at epsilon = 1 nat (exact, any event): count of diabetes = yes, 69 unknown others
    >>> round(found.bound(1.0).delta, 3), round(found.bound(1.0, "all").delta, 3)
    (0.493, 0.173)
    >>> round(found.printed(1.0).delta, 3), found.printed(1.0, "t4:sum_of_powers").state
    (0.133, 'vacuous')
    """

    __slots__ = ()

    def sensitivity(
        self,
        volume: Volume = "record",
        additions: Any = (),
        *,
        sample: int | None = None,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> SyntacticSensitivity:
        """Return how the classes change without each published record; see `syntactic_sensitivity`.

        Parameters
        ----------
        volume, additions, sample, limit, progress
            As there.

        Returns
        -------
        SyntacticSensitivity
            With one change for every record of the table, NaN for suppressed ones.

        Examples
        --------
        >>> from pdp_widgets.models.surveys import clinic
        >>> print(AnonymityAnalysis(clinic(), ["age", "weight"]).sensitivity().largest)
        8.0
        """
        rows = np.flatnonzero(self._classes.number >= 0)
        found = syntactic_sensitivity(
            self.data.values(self.quasi)[rows],
            self.k,
            volume,
            additions,
            self._anonymiser,
            sample=sample,
            limit=limit,
            progress=progress,
        )
        changes = np.full(self.data.records, math.nan)
        changes[rows] = found.changes
        return SyntacticSensitivity(found.k, found.volume, changes, found.added, len(rows))

    @cached_property
    def diversity(self) -> LDiversity | None:
        """Distinct l-diversity of the secret; None without one, or where no published record has a value."""
        return self.diversity_of("distinct")

    def diversity_of(self, kind: DiversityKind) -> LDiversity | None:
        """Return ``"distinct"`` or ``"entropy"`` l-diversity of the secret; None as for `diversity`."""
        chosen = as_choice(kind, "kind", DIVERSITY_KINDS, BudgetError)
        if self._secret is None or not is_known(self._classes, self._secret):
            return None
        return l_diversity(self._classes, self._secret, chosen)

    @cached_property
    def closeness(self) -> TCloseness | None:
        """t-closeness of the secret; None without one, or where no published record has a value."""
        if self._secret is None or not is_known(self._classes, self._secret):
            return None
        return t_closeness(self._classes, self._secret)

    def meaning(self, prior: Sequence[float] | None = None) -> Meaning:
        """Return what the published number says about the state of the hidden record, in every measure.

        Parameters
        ----------
        prior
            How likely both states are: the record changed (or there), and as it is (or not there). Without it
            only what does not depend on that is computed.

        Raises
        ------
        PdpError
            Nothing exact is computed for this release; the message says why.

        Examples
        --------
        >>> from pdp_widgets import AnonymityAnalysis, anes96_records
        >>> hidden = AnonymityAnalysis(
        ...     anes96_records(), ["age", "education"], "vote", k=5, level="III", known=0.9
        ... )
        >>> print(hidden.meaning().measure("advantage"))
        advantage 0.0834536 chance (exact): count of vote = Dole, 93 unknown others, from all releases
        """
        changed, same = self.hidden.laws
        return Meaning(ChannelLaws([changed, same], prior, ("changed", "as it is")), AboutAll(self.about))

    def to_dataframe(self) -> Any:
        """Return the classes as a pandas data frame: letter, size, published ranges, diversity, closeness.

        Examples
        --------
        >>> from pdp_widgets.models.surveys import clinic
        >>> frame = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes").to_dataframe()
        >>> print(frame.head(2).round(3))
          class  records    age weight  distinct secrets  distance
        0     A        9  18–42  46–59                 1       0.1
        1     B       13  21–46  70–80                 1       0.1
        """
        return super().to_dataframe()

    def _figures(self) -> Figures:
        return analysis_figures(self)

    def _numbers(self) -> Numbers:
        classes = self.classes
        columns: dict[str, Any] = {"class": list(classes.letters), "records": classes.sizes}
        written: dict[str, Any] = {"class": "text", "records": "count"}
        for j, name in enumerate(classes.quasi):
            one = _free(name, columns)
            columns[one], written[one] = [ranges[j] for ranges in classes.ranges], "text"
        status = {"records": "exact"}
        if self.diversity is not None and self.closeness is not None:
            distinct = self.diversity.by_class
            whole = not np.isnan(distinct).any()
            for name, values, how in (
                ("distinct secrets", distinct.astype(np.int64) if whole else distinct, "count"),
                ("distance", self.closeness.by_class, "probability"),
            ):
                one = _free(name, columns)
                columns[one], written[one], status[one] = values, how, "exact"
        return Numbers(
            columns,
            written,
            {"unit": "records", "source": PAPER, "status": status, "k": self.k, "secret": self.secret},
            (f"k = {self.k:,}, {len(classes.suppressed):,} records suppressed",),
        )


def _free(name: str, taken: Container[str]) -> str:
    """Return a name of a column that no other has."""
    while name in taken:
        name += "_"
    return name
