"""How much noise different rules ask for, and what adversaries learn at each of these scales."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import Axis, Chart, nats, number, parted
from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.core.results import Figures, Result, drawer
from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior.calibration import NoiseErrors, calibrate_chosen, missing, without_noise
from pdp_widgets.leakage.prior.chain_rule import NARROW, chain_all, lasting_scale, least_scale
from pdp_widgets.leakage.prior.chosen_adversaries import Adversaries, ChosenAdversaries
from pdp_widgets.leakage.prior.edge_bounds import seconds_for_all_known_values, seconds_for_one_row
from pdp_widgets.leakage.prior.group_bound import node_bounds
from pdp_widgets.leakage.target_leakage import as_target, rounded_up, scale_for
from pdp_widgets.leakage.value import Convention, Leakage
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["NoiseComparison", "NoiseRow", "compare_noise", "holds"]

Floats = NDArray[np.float64]

_HOLDS = 1e-9
#: Tuples whose values are listed in words.
_NAMED = 12
# Measured for 3 to 10 tuples: 45 to 70 scales until the scale of the chain rule is found.
_SCALES_TRIED = 60
_OTHER_CONVENTION = "Ask for convention 'instance', or pass a larger limit."


@dataclass(frozen=True)
class NoiseRow(NoiseErrors):
    """One rule: the scale it asks for and what that scale does.

    Parameters
    ----------
    name
        The rule.
    scale
        Laplace scale in units of the query; 0 when the rule asks for no noise.
    leakage
        Exact leakage at this scale, that of the adversary who learns most; infinite without noise where some
        value of the query rules out a label.
    guarantee
        What the rule promises, in words.
    holds
        Whether the exact leakage is at most the target (within 1e-9 of it).
    """

    name: str
    scale: float
    leakage: Leakage
    guarantee: str
    holds: bool


@dataclass(frozen=True, repr=False)
class NoiseComparison(Result):
    """The noise that several rules ask for, for one target leakage; prints as a table.

    Parameters
    ----------
    target_leakage
        What the adversaries may learn at most, in nats.
    adversaries
        Who they are, in words.
    convention
        ``"instance"`` or ``"sup"``.
    rows
        One row a rule.
    left_out
        Why a rule has no row, in words; one text a rule.
    given
        The row whose values the adversaries know, as pairs of tuple and label; empty in the worst case, and
        where the adversaries come with values of their own.

    Examples
    --------
    >>> from pdp_widgets import LinearQuery
    >>> joint = JointDistribution([[0.5, 0], [0, 0.5]])
    >>> table = compare_noise(joint, LinearQuery.sum(joint), 1.0)
    >>> table["exact"].scale, table["plain DP"].holds
    (2.0, False)
    """

    target_leakage: float
    adversaries: str
    convention: Convention
    rows: tuple[NoiseRow, ...]
    left_out: tuple[str, ...] = ()
    given: tuple[tuple[str, Any], ...] = ()

    def __getitem__(self, name: str) -> NoiseRow:
        """Return the row of one rule."""
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(
            f"There is no rule {name!r}; the rules are {', '.join(row.name for row in self.rows)}."
        )

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one rule a row.

        Columns: ``rule``, ``scale``, ``expected_absolute_error``, ``expected_squared_error`` (units of the
        query), ``leakage`` (exact, in nats), ``attained_by``, ``holds``, ``guarantee``.
        The ``attrs`` say the ``unit``, the ``source`` and the ``status``.
        """
        from pdp_widgets.leakage.result_frames import as_dataframe

        return as_dataframe(
            {
                "rule": [row.name for row in self.rows],
                "scale": [row.scale for row in self.rows],
                "expected_absolute_error": [row.expected_absolute_error for row in self.rows],
                "expected_squared_error": [row.expected_squared_error for row in self.rows],
                "leakage": [row.leakage.value for row in self.rows],
                "attained_by": [str(row.leakage.about) for row in self.rows],
                "holds": [row.holds for row in self.rows],
                "guarantee": [row.guarantee for row in self.rows],
            },
            {
                "unit": "nats",
                "source": "Li, Ren, Yang and Yang, Eq. 2, 16 and Algorithm 1",
                "status": {"leakage": "exact"},
                "target_leakage": self.target_leakage,
                "convention": self.convention,
            },
        )

    def to_latex(self, *, unit: str = "", caption: str | None = None, label: str | None = None) -> str:
        """Return the comparison as a LaTeX table for the package booktabs.

        Parameters
        ----------
        unit
            Unit of the query, for the heading of its errors.
        caption, label
            Make it a floating table. The caption is LaTeX and goes in as it is.
        """
        return str(drawer("latex").table(self, unit=unit, caption=caption, label=label))

    @property
    def given_words(self) -> str:
        """For which known values it holds, to follow the adversaries.

        Examples
        --------
        >>> NoiseComparison(1.0, "all", "instance", (), (), (("smoker", "no"),)).given_words
        ', given the row smoker no'
        >>> NoiseComparison(1.0, "all", "sup", ()).given_words
        ', worst case over all known values'
        """
        if self.convention == "sup":
            return ", worst case over all known values"
        if not self.given:
            return ""
        pairs = [f"{name} {label}" for name, label in self.given]
        more = f" and {len(pairs) - _NAMED} more" if len(pairs) > _NAMED else ""
        return f", given the row {', '.join(pairs[:_NAMED])}{more}"

    def _figures(self) -> Figures:
        return {"noise": self._chart}

    def _chart(self) -> Chart:
        """Return the scale that each rule asks for, with what leaks at it."""
        who = f"{self.adversaries}{self.given_words}"
        return Chart(
            f"Noise for at most {nats(self.target_leakage)}",
            parted(
                [row.scale for row in self.rows],
                np.arange(len(self.rows)),
                [not row.holds for row in self.rows],
                ("holds", "leaks more than the target"),
                [f"{_up(row.scale)}, leaks {self._shown(row)}" for row in self.rows],
            ),
            Axis("scale of the Laplace noise", low=0.0),
            Axis("", names=tuple(row.name for row in self.rows)),
            note=" ".join([f"{who[:1].upper()}{who[1:]}; leakage in nats.", *self.left_out]),
        )

    def _shown(self, row: NoiseRow) -> str:
        """Return a row's leakage; what is above the target must not read as equal to it."""
        value = row.leakage.value
        plain = row.holds or float(f"{value:.4g}") > self.target_leakage
        return number(value, 4) if plain else _up(value)

    def __repr__(self) -> str:
        head = ("rule", "scale = mean |error|", "leaks, nats", "holds", "guarantee")
        body = [
            (
                row.name,
                rounded_up(row.scale, 4),
                self._shown(row),
                "yes" if row.holds else "no",
                row.guarantee,
            )
            for row in self.rows
        ]
        widths = [max(len(line[k]) for line in (head, *body)) for k in range(len(head))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in (head, *body)
        ]
        title = (
            f"Noise for a leakage of at most {nats(self.target_leakage)}: {self.adversaries} "
            f"(convention {self.convention})"
        )
        return "\n".join([title, *lines, *self.left_out])


def _up(value: float) -> str:
    """Return a number rounded up in its fourth digit, a large one to the unit."""
    digits = max(4, len(f"{value:.0f}")) if value < 1e15 else 4
    return number(float(rounded_up(value, digits)), 4)


def compare_noise(
    distribution: JointDistribution,
    query: LinearQuery,
    target_leakage: float,
    *,
    adversaries: Adversaries = "all",
    instance: Sequence[Any] | None = None,
    convention: Convention = "instance",
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> NoiseComparison:
    """Compare the noise that plain and group differential privacy, the paper and exact leakage ask for.

    Parameters
    ----------
    distribution, query, target_leakage, adversaries, instance, convention
        As for `calibrate`.
    limit
        Seconds for all rules together, as for `calibrate`.
    progress
        As for `calibrate`.

    Returns
    -------
    comparison
        The rows ``"plain DP"``: GS / target, which says nothing about correlated tuples; ``"group DP"``: the
        sensitivities of all tuples an adversary does not know / target (Eq. 16), enough for every table;
        ``"chain rule"``: the least scale at which the paper's estimate (Algorithm 1) is at most the target,
        as printed; ``"exact"``: the least scale that is enough, see `calibrate`. Each comes with the exact
        leakage at its scale. The chain rule is left out, with the reason in ``left_out``, where its edges
        would take more than 0.8 GB, or its scale longer to find than the other rules leave of ``limit``.

    Raises
    ------
    ScaleError, AdversaryError, InstanceError, LimitError, QueryError
        As for `calibrate`.

    Notes
    -----
    Li, Ren, Yang and Yang, Eq. 2, 16, Theorem 5 and Algorithm 1. The estimate need not fall as the scale
    grows. As a function of 1 / scale it changes at most as fast as the group bound, so the search steps from
    small scales to large ones without passing over a place where the estimate is at most the target, unless
    the place is narrower than 0.02 % of the scale (more where the estimate stays close to the target).
    Where larger scales exceed the target again, the row says up to which one.

    Examples
    --------
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    >>> table = compare_noise(joint, LinearQuery.sum(joint), 1.0)
    >>> [(row.name, round(row.scale, 4), round(float(row.leakage), 4), row.holds) for row in table.rows]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('plain DP', 1.0, 1.1854, False), ('group DP', 2.0, 0.598, True),
     ('chain rule', 1.1894, 1.0, True), ('exact', 1.1894, 1.0, True)]
    """
    target = as_target(target_leakage)
    chosen = ChosenAdversaries(
        distribution,
        query,
        adversaries,
        instance=instance,
        convention=convention,
        limit=limit,
        progress=progress,
    )
    given = chosen.given
    # First, since no other rule is worth waiting for without it; the clock runs on for all of them.
    found = calibrate_chosen(chosen, target, missing(target))
    rows = [
        _row(
            chosen,
            target,
            "plain DP",
            scale_for(query.global_sensitivity, target),
            "promise for one tuple, void for correlated ones",
        ),
        _row(
            chosen,
            target,
            "group DP",
            scale_for(chosen.reach, target),
            "bound: enough for every table",
        ),
    ]
    left_out: tuple[str, ...] = ()
    try:
        rows.append(_chain_row(chosen, target))
    except LimitError as fault:
        left_out = (f"chain rule: left out. {fault}",)
    rows.append(
        NoiseRow(
            "exact",
            found.scale,
            found.leakage,
            f"exact: {found.status}",
            True,
        )
    )
    chosen.progress.finish()
    return NoiseComparison(target, chosen.words, chosen.convention, tuple(rows), left_out, given)


def _row(chosen: ChosenAdversaries, target: float, name: str, scale: float, guarantee: str) -> NoiseRow:
    leakage, _ = chosen.leakage(scale) if scale > 0 else without_noise(chosen, target)
    return NoiseRow(name, scale, leakage, guarantee, holds(leakage.value, target))


def holds(leakage: float, target: float) -> bool:
    """Whether a leakage is at most the target, within 1e-9 of it."""
    return leakage <= target * (1 + _HOLDS) if math.isfinite(target) else True


def _chain_row(chosen: ChosenAdversaries, target: float) -> NoiseRow:
    words = "as printed: the paper's estimate"
    if chosen.reach == 0 or math.isinf(target):
        return _row(chosen, target, "chain rule", 0.0, words)
    _refuse_long_search(chosen)
    estimates, reaches = (_worst_estimates if chosen.convention == "sup" else _estimates)(chosen)
    enough, most = 1.0 / scale_for(chosen.reach, target), 1.0 / chosen.noiseless_scale(target)
    scale = least_scale(estimates, reaches, target, enough, most)
    lasting = lasting_scale(estimates, reaches, target, enough, 1.0 / scale if scale else most)
    if lasting > scale * (1 + 4 * NARROW):
        words += f"; above the target again for some scales up to {rounded_up(lasting, 4)}"
    return _row(chosen, target, "chain rule", scale, words)


def _refuse_long_search(chosen: ChosenAdversaries) -> None:
    """Raise LimitError where the estimates take longer than what is left of the limit."""
    shape = chosen.distribution.shape
    if chosen.convention == "sup":
        each, whose = seconds_for_all_known_values(shape), "for all known values"
    else:
        parts = [] if chosen.nodes is None else [shape]
        for one in chosen.listed:
            parts.append(tuple(size for j, size in enumerate(shape) if j not in one.adversary.known))
        each, whose = sum(map(seconds_for_one_row, parts)), "for the values of one row"
    seconds = _SCALES_TRIED * each
    left = chosen.seconds_left
    if seconds > left:
        raise LimitError(
            f"Its estimates {whose} of {chosen.distribution.n_tuples} tuples at about {_SCALES_TRIED} scales "
            f"take about {seconds:,.0f} s, and the other rules leave {max(0.0, left):,.0f} s of the limit of "
            f"{chosen.limit:g} s.",
            Where("parameter", name="limit"),
            call="Pass a larger limit." if chosen.convention == "instance" else _OTHER_CONVENTION,
        )


def _worst_estimates(chosen: ChosenAdversaries) -> tuple[Callable[[float], Floats], Floats]:
    """Return what `_estimates` returns, for convention ``"sup"``: an edge has all known values."""
    bounds = node_bounds(chosen.mechanism(1.0))
    nodes = np.zeros(bounds.shape, dtype=bool) if chosen.nodes is None else chosen.nodes.copy()
    n = chosen.distribution.n_tuples
    for one in chosen.listed:
        nodes[one.adversary.target, column(n, one.adversary.target, one.adversary.known)] = True
    table, contributions = chosen.distribution.table, chosen.query.contributions

    def estimates(inverse: float) -> Floats:
        found = chain_all(table, contributions, 1.0 / inverse, None, "sup", progress=chosen.within)
        chosen.count()
        return found.values[nodes]

    return estimates, bounds[nodes]


def _estimates(chosen: ChosenAdversaries) -> tuple[Callable[[float], Floats], Floats]:
    """Return the estimates of the chosen adversaries as a function of 1 / scale, and their group bounds."""
    # The bounds are those at scale 1: no estimate changes faster with 1 / scale.
    table, contributions = chosen.distribution.table, chosen.query.contributions
    bounds = node_bounds(chosen.mechanism(1.0))
    row = chosen.instance_positions if chosen.nodes is not None else None
    # An adversary alone needs the tuples it does not know only: the others are fixed.
    parts: list[tuple[Floats, list[Floats], list[int], int]] = []
    reaches = [] if chosen.nodes is None else [bounds[chosen.nodes]]
    for one in chosen.listed:
        where = chosen.row_with(one)
        known = one.adversary.known
        rest = [j for j in range(table.ndim) if j not in known]
        index = tuple(where[j] if j in known else slice(None) for j in range(table.ndim))
        parts.append(
            (
                table[index],
                [contributions[j] for j in rest],
                [where[j] for j in rest],
                rest.index(one.adversary.target),
            )
        )
        reaches.append(np.array([sum(float(np.ptp(contributions[j])) for j in rest)]))

    def estimates(inverse: float) -> Floats:
        found = [
            np.array([chain_all(part, y, 1.0 / inverse, at, progress=chosen.within).values[target, 0]])
            for part, y, at, target in parts
        ]
        if row is not None:
            whole = chain_all(table, contributions, 1.0 / inverse, row, progress=chosen.within)
            found.insert(0, whole.values[chosen.nodes])
        chosen.count()
        return np.concatenate(found)

    return estimates, np.concatenate(reaches)
