"""What all reports of a record together say about one attribute: exact, bounded, and as printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import as_flag
from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.leakage.local.joint_contraction import MOST_OUTPUTS, as_one_source, least_together, together
from pdp_widgets.leakage.local.mechanism_reading import (
    PAPER,
    SOURCE,
    Mechanisms,
    as_output,
    best_of,
    dpl_of,
    mechanisms_for,
    read_all,
)
from pdp_widgets.leakage.local.pair_leakage import delta_of, delta_tight
from pdp_widgets.leakage.local.pair_tables import as_numbers
from pdp_widgets.leakage.local.records import as_records
from pdp_widgets.leakage.local.secret_tables import SecretTables
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.value import AboutSecret, Leakage, Output, Status
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import as_domains, shown

__all__ = ["JointPrivacyLoss", "joint_loss", "joint_privacy_loss"]


@dataclass(frozen=True)
class JointPrivacyLoss(NumberTable):
    """What all reports of a record say about one attribute, with what bounds it and what is printed for it.

    Parameters
    ----------
    exact
        All reports together, that of the attribute included (TPL); None where it was not asked for. Where one
        value of the attribute counts there is nothing to learn, and it is a bound: what the own report
        promises.
    others
        The reports of the other attributes together; None likewise.
    dpl
        What the attribute's own report says, in nats.
    pairwise
        What the report of each other attribute says alone.
    lower
        The own report and the worst other one: never more than the exact value. Where the own report is a
        given matrix, both for one pair of values of the attribute.
    pairwise_sum
        The own report and the sum of the others (Eq. 6): the paper's estimate. It holds where the others are
        independent given the attribute, and can be below the exact value otherwise.
    joint_bound
        The own report, and all others as one attribute released with the sum of their budgets.
    composition
        The sum of all budgets (SPL).
    delta
        Probability with which these promises may fail: the sum of the deltas of all reports, at most 1.
    records
        How many records have all of the attributes; None where the data are probabilities.
    too_large
        Whether the exact value is missing because it is too large to compute.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> xor = [[[0.25, 0.0], [0.0, 0.25]], [[0.0, 0.25], [0.25, 0.0]]]
    >>> found = joint_privacy_loss(xor, 0, GRR(1.0))
    >>> print(found.exact)
    1.43378 nats (exact): x1, from the reports of x1, x2, x3
    >>> print(found.pairwise_sum.value, found.sum_holds)
    1.0 False
    """

    exact: Leakage | None
    others: Leakage | None
    dpl: float
    pairwise: tuple[Leakage, ...]
    lower: Leakage
    pairwise_sum: Leakage
    joint_bound: Leakage
    composition: Leakage
    delta: float = 0.0
    records: int | None = None
    too_large: bool = False

    @property
    def sum_holds(self) -> bool | None:
        """Whether Eq. 6 is an upper bound here; None where the exact value is not known."""
        if self.exact is None:
            return None
        return self.pairwise_sum.value >= self.exact.value * (1 - 1e-12)

    @property
    def safe(self) -> Leakage:
        """The least value that is certainly enough: exact, or the joint bound."""
        return self.joint_bound if self.exact is None else self.exact

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one value a row, in nats; what was not computed has none.

        Returns
        -------
        frame
            Columns ``measure``, ``leakage``, ``status``, ``reports of`` and ``delta``; the ``attrs`` say the
            ``unit``, the ``secret``, the ``output`` and the ``records``.

        Examples
        --------
        >>> from pdp_widgets import lsat6
        >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
        >>> frame = joint_privacy_loss(lsat6(), "item 1", GRR(1.0)).to_dataframe()
        >>> frame.set_index("measure")["leakage"].round(4)[["exact", "pairwise sum"]].tolist()
        [1.4931, 1.4382]
        """
        return super().to_dataframe()

    def _numbers(self) -> Numbers:
        named = [
            ("exact", self.exact),
            ("other reports", self.others),
            *(("one report", one) for one in self.pairwise),
            ("lower bound", self.lower),
            ("pairwise sum", self.pairwise_sum),
            ("joint bound", self.joint_bound),
            ("composition", self.composition),
        ]
        known = [(name, one, one.about) for name, one in named if one is not None]
        rows = [(name, one, about) for name, one, about in known if isinstance(about, AboutSecret)]
        about = self.lower.about
        assert isinstance(about, AboutSecret)
        return Numbers(
            {
                "measure": [name for name, *_ in rows],
                "leakage": [one.value for _, one, _ in rows],
                "status": [one.status for _, one, _ in rows],
                "reports of": [", ".join(about.sources) for *_, about in rows],
                "delta": [about.delta for *_, about in rows],
            },
            {
                "measure": "text",
                "leakage": "nats",
                "status": "text",
                "reports of": "names",
            },
            {
                "unit": "nats",
                "status": {},
                "secret": about.target,
                "output": about.output,
                "records": self.records,
                "source": SOURCE,
            },
            (f"what is said about {about.target}", *self._records_words),
        )

    @property
    def _records_words(self) -> tuple[str, ...]:
        return () if self.records is None else (f"{self.records:,} records have all attributes",)

    def __str__(self) -> str:
        left = "too large to compute" if self.too_large else "not computed"
        exact = f"{left} (exact)" if self.exact is None else f"{self.exact.value:.6g} ({self.exact.status})"
        lines = [
            f"{self.lower.value:.6g} <= {exact} <= {self.joint_bound.value:.6g} (joint bound) "
            f"<= {self.composition.value:.6g} (composition)",
            f"pairwise sum (Eq. 6, an estimate): {self.pairwise_sum.value:.6g}",
        ]
        if self.delta:
            lines.append(f"each but for delta {self.delta:.6g}")
        if self.records is not None:
            who = "1 record that has" if self.records == 1 else f"{self.records:,} records that have"
            lines.append(f"from {who} all of the attributes")
        return "\n".join(lines)


def joint_privacy_loss(
    joint: AttributeTable | JointDistribution | ArrayLike,
    secret: str | int,
    mechanisms: Mechanisms,
    output: Output = "raw",
    *,
    epsilon: float | None = None,
    exact: bool = True,
    most_outputs: int = MOST_OUTPUTS,
) -> JointPrivacyLoss:
    """Return what all reports of a record say about one attribute.

    Parameters
    ----------
    joint
        Records (a data frame too), the joint distribution of the attributes, or an array of probabilities or
        counts.
    secret
        Name or position of the attacked attribute.
    mechanisms
        One mechanism or its name for all attributes, one for each in a list, or a dict by attribute name.
    output
        ``"raw"`` or ``"inferred"``, as for `pair_leakage`.
    epsilon
        The budget of every attribute in nats; needed for names, and otherwise replacing their own.
    exact
        Compute the exact value; without it the bounds alone.
    most_outputs
        Refuse more combinations of outputs.

    Raises
    ------
    LimitError
        The exact value needs more combinations of outputs; ``exact=False`` gives the bounds.
    DomainError
        The secret is none of the attributes, or the mechanisms are not as many.

    Notes
    -----
    The paper's Eq. 3 to 6. Given the attribute, its own report is independent of the others, and its worst
    ratio is the same for every pair of values: TPL = DPL + joint leakage of the others. For a given channel
    the worst ratios differ, and the sum is maximised over pairs. Eq. 6 adds up what each report says alone,
    and is no upper bound unless the others are independent given the attribute.

    Examples
    --------
    >>> from pdp_widgets import lsat6
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> print(joint_privacy_loss(lsat6(), "item 1", GRR(1.0)))
    1.17608 <= 1.49311 (exact) <= 2.0495 (joint bound) <= 5 (composition)
    pairwise sum (Eq. 6, an estimate): 1.43819
    from 1,000 records that have all of the attributes
    """
    data = as_records(joint)
    if isinstance(data, AttributeTable | JointDistribution):
        names, domains = data.names, data.domains
    else:
        table, names, _ = as_numbers(data)
        domains = as_domains(None, table.shape, names)
    axis = _axis(data, secret, names)
    listed = mechanisms_for(mechanisms, epsilon, names, domains, "mechanisms")
    order = [axis, *(a for a in range(len(names)) if a != axis)]
    tables = SecretTables.of(data, order)
    return joint_loss(
        tables, [listed[a] for a in order], as_output(output), as_flag(exact, "exact"), most_outputs
    )


def joint_loss(
    tables: SecretTables,
    mechanisms: Sequence[LocalMechanism],
    output: Output,
    exact: bool | None = None,
    most_outputs: int = MOST_OUTPUTS,
) -> JointPrivacyLoss:
    """Return what several reports say about the secret of some tables."""
    readings = read_all(mechanisms, tables.sizes, output)
    own, *budgets = (dpl_of(one, k, output) for one, k in zip(mechanisms, tables.sizes, strict=True))
    told = budgets and len(tables.kept) > 1
    alone = best_of(tables.alone, readings[1:]).value.tolist() if told else [0.0] * len(budgets)
    total = others = None
    too_large = False
    if exact is not False:
        try:
            total, others = together(tables, readings, own, most_outputs)
        except LimitError:
            if exact:
                raise
            too_large = True
    target, *sources = tables.names
    deltas = [delta_of(one) for one in mechanisms]
    every = min(1.0, sum(deltas))

    def leakage(
        value: float,
        status: Status,
        source: str,
        delta: float = every,
        *,
        names: Sequence[str] = tables.names,
    ) -> Leakage:
        about = AboutSecret(target, sources=tuple(names), output=output, delta=delta)
        return Leakage(value, status, about, "sup", source=source)

    def from_one(place: int) -> Leakage:
        rows, one, value = tables.alone.source(place), mechanisms[place + 1], alone[place]
        left = delta_tight(rows, one.epsilon, deltas[place + 1], value)
        return leakage(value, "exact", SOURCE, left, names=sources[place : place + 1])

    least = least_together(tables, readings, own, alone)
    status: Status = "exact"
    if len(tables.kept) < 2:
        # Nothing can be learned; what the own report promises holds all the same.
        status, least = "bound", 0.0
    bound = own + as_one_source(tables, sum(budgets))
    return JointPrivacyLoss(
        None if total is None else leakage(total, status, f"{PAPER}, Eq. 5"),
        None
        if others is None
        else leakage(others, "exact", SOURCE, min(1.0, sum(deltas[1:])), names=sources),
        own,
        tuple(from_one(place) for place in range(len(sources))),
        leakage(least, "lower bound", "own report and the worst other one"),
        leakage(own + sum(alone), "as printed", f"{PAPER}, Eq. 6"),
        leakage(bound, "bound", "own report, and the others as one attribute with all their budgets"),
        leakage(own + sum(budgets), "bound", "sequential composition"),
        every,
        tables.records,
        too_large,
    )


def _axis(data: Any, secret: str | int, names: Sequence[str]) -> int:
    named = isinstance(data, AttributeTable | JointDistribution)
    if named and isinstance(secret, str) and secret in names:
        return list(names).index(secret)
    if isinstance(secret, str) or not is_whole(secret) or not 0 <= secret < len(names):
        listed = ", ".join(map(shown, names[:12])) + (", ..." if len(names) > 12 else "")
        raise DomainError(
            f"The secret is {shown(secret)}; give a position from 0 to {len(names) - 1}"
            f"{f', or one of {listed}' if named else ''}.",
            Where("parameter", name="secret"),
        )
    return int(secret)
