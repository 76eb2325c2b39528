"""Several dependent tuples and one noisy release: what was promised about each, and what leaks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from concurrent.futures import Executor
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import Axis, Chart, Colour, Level, Series, Shape, number
from pdp_widgets.core.converters import as_flag
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.core.results import Figures, Reported, Result
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.dependent.coefficients import Coefficient
from pdp_widgets.leakage.dependent.dependent_release import DependentRelease
from pdp_widgets.leakage.dependent.dependent_scale import Mechanism, guaranteed
from pdp_widgets.leakage.dependent.known_tuples import SOURCE, known_tuples, tuple_leakage
from pdp_widgets.leakage.dependent.promise_report import PromiseReport, promise_report
from pdp_widgets.leakage.dependent.tuple_leakage import (
    KnownSets,
    check_known_sets,
    dependent_leakage,
    every_known_set,
    largest_leakage,
)
from pdp_widgets.leakage.meaning.meaning import Meaning
from pdp_widgets.leakage.meaning.sources import row_cases
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.leakage.sweeps import as_executor
from pdp_widgets.leakage.value import About, Leakage, Status
from pdp_widgets.mechanisms.joint_query import JointQuery, TableQuery
from pdp_widgets.mechanisms.noise import LaplaceNoise, Noise, NoNoise
from pdp_widgets.models.amount import at_most
from pdp_widgets.models.dependence import as_blocks
from pdp_widgets.models.labels import short
from pdp_widgets.models.sparse_joint import SparseJoint

#: Tuples that have room for a row; of more those are drawn that leak most.
_MOST = 24
#: Known tuples that are named; more are counted.
_NAMED = 2


def dependence_numbers(analysis: DependenceAnalysis) -> Numbers:
    """Return a row for every tuple: promised, exact, the paper's estimate and the bound."""
    block_of = {j: k for k, block in enumerate(analysis.blocks) for j in block}
    pairs: list[Any] = [None if one.attained is None else one.attained.pair for one in analysis.per_tuple]
    adversary = f"known: {', '.join(map(short, analysis.known))}" if analysis.known else "no tuple is known"
    if analysis.worst:
        adversary = "known: for each tuple the others that tell most about it"
    unproved = analysis.unproved
    return Numbers(
        {
            "tuple": list(analysis.joint.tuples),
            "block": [block_of[j] + 1 for j in range(analysis.joint.n)],
            "sensitivity": analysis.sensitivities,
            "promised": analysis.epsilon,
            **({"known": [_known(one) for one in analysis.per_tuple]} if analysis.worst else {}),
            "leakage": [float(one) for one in analysis.per_tuple],
            "over": [float(one) > at_most(analysis.epsilon) for one in analysis.per_tuple],
            "DP loss": analysis.dp_losses,
            "paper's estimate": [float(one) for one in analysis.paper_estimates],
            "mean bound": [float(one) for one in analysis.mean_bounds],
            "more likely": [None if pair is None else pair[0] for pair in pairs],
            "less likely": [None if pair is None else pair[1] for pair in pairs],
        },
        {
            "tuple": "text",
            "block": "count",
            "promised": "parameter",
            **({"known": "text"} if analysis.worst else {}),
            "leakage": "nats",
            "DP loss": "nats",
            "paper's estimate": "nats",
            "mean bound": "bound",
        },
        {
            "unit": "nats",
            "source": SOURCE,
            "status": {
                "leakage": "exact",
                "DP loss": "exact",
                "paper's estimate": "as printed",
                "mean bound": "estimate" if unproved else "bound",
            },
            "scale": analysis.scale,
            "mechanism": analysis.mechanism if analysis.given_scale is None else "scale",
            "known": "worst" if analysis.worst else list(analysis.known),
            "guaranteed": analysis.guaranteed,
        },
        (
            epsilon_words(analysis.epsilon),
            f"scale {number(analysis.scale)}: {analysis.mechanism_label}",
            adversary,
            *((f"means of distances: {unproved}",) if unproved else ()),
        ),
    )


def _known(leakage: Leakage) -> str:
    """Return what is known of other tuples, with the values where most is learned."""
    where: Any = leakage.attained
    told = () if where is None else where.known
    return ", ".join(f"{short(name)} = {short(value)}" for name, value in told) or "none"


def dependence_chart(analysis: DependenceAnalysis) -> Chart:
    """Return the exact leakage about every tuple beside the promise, the paper's estimate and the bound."""
    exact = np.array([float(one) for one in analysis.per_tuple])
    drawn = np.sort(np.argsort(-exact, kind="stable")[:_MOST])
    at = np.arange(len(drawn), dtype=np.float64)
    over = exact[drawn] > at_most(analysis.epsilon)

    def of(leakages: tuple[Leakage, ...]) -> NDArray[np.float64]:
        return np.array([float(leakages[k]) for k in drawn])

    means = f"an estimate: {analysis.unproved}" if analysis.unproved else "a bound"
    series = [
        Series(
            "paper's estimate, as printed",
            of(analysis.paper_estimates),
            at,
            "dots",
            colour="paper",
            shape="diamond",
        ),
        Series(f"mean distances, {means}", of(analysis.mean_bounds), at, "dots", colour="ink2", shape="ring"),
    ]
    kinds: tuple[tuple[str, NDArray[np.bool_], Colour, Shape], ...] = (
        ("exact", ~over, "a", "disc"),
        ("exact, above the promise", over, "over", "triangle"),
    )
    for name, chosen, colour, shape in kinds:
        if chosen.any():
            leaks = exact[drawn][chosen]
            said = [number(value, 4) for value in leaks.tolist()]
            series.append(Series(name, leaks, at[chosen], "dots", labels=said, colour=colour, shape=shape))
    names = tuple(str(analysis.joint.tuples[k]) for k in drawn)
    return Chart(
        f"What leaks about each tuple: {analysis.mechanism_label}",
        series,
        Axis("leakage, nats", low=0.0),
        Axis("", names=names),
        [Level("promise", analysis.epsilon, "x")],
        note=_about(analysis, drawn.tolist()),
    )


def _about(analysis: DependenceAnalysis, drawn: list[int]) -> str:
    """Say what the numbers of a chart hold for."""
    known = ", ".join(analysis.known) or "no tuple"
    whom = f"to an adversary who knows {known}"
    if analysis.worst:
        whom = "to an adversary who knows the most telling others of each tuple"
    noise = f"Laplace noise of scale {number(analysis.scale)}"
    said = f"Leakage of a noisy {analysis.query.name} with {noise}, {whom}."
    if analysis.worst:
        alike: dict[str, list[str]] = {}
        for k in drawn:
            names = [name for name, _ in analysis.per_tuple[k].about.known]
            many = f"{len(names):,} others" if len(names) > _NAMED else " and ".join(names)
            alike.setdefault(many or "nobody", []).append(analysis.joint.tuples[k])
        listed = [
            f"about {', '.join(about)} by an adversary who knows {known}" for known, about in alike.items()
        ]
        said += f" Most is learned {'; '.join(listed)}."
    left_out = analysis.joint.n - len(drawn)
    return said + (f" {left_out:,} tuples that leak no more are left out." if left_out else "")


class DependenceAnalysis(DependentRelease, Result, NumberTable, Reported):
    """What a release with Laplace noise promises about each of several dependent tuples, and what it leaks.

    Parameters
    ----------
    joint
        A `SparseJoint` or a `JointDistribution`: how the tuples depend on each other.
    query
        ``"sum"``, ``"mean"``, ``"identity"``, ``"count:VALUE"``, one weight for each tuple, or a query.
    epsilon
        The promise in nats; positive and finite.
    mechanism
        How noise is chosen: ``"lpm"``, ``"baseline"``, ``"dpm_exact"``, ``"dpm_mean"``, ``"dpm_eq18"`` or
        ``"calibrated"``, see `dependent_scale`.
    known
        Tuples that the adversary knows beside the law; without it none.
    blocks
        Lists of tuples that are independent of each other; without it those of the table. Where the table
        refutes them, they guarantee nothing.
    scale
        A noise scale of one's own, in place of the mechanism's.
    worst
        For every tuple whoever learns most about it, over all sets of known others; then ``known`` is empty.

    Notes
    -----
    Liu, Chakraborty and Mittal, "Dependence Makes You Vulnerable" (NDSS 2016). Every leakage is that of the
    release itself; what the paper's sums of coefficients say is in ``paper_estimates``. No mechanism looks at
    who is assumed: ``guaranteed`` says whether its scale was made for this adversary too.

    Its figure, ``"tuples"``, has promised against exact for every tuple.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import covered_shift
    >>> found = DependenceAnalysis(covered_shift(), "sum", 1.0)
    >>> print(round(found.scale, 6), found.largest, sep="; ")
    1.189395; 1.12675 nats (exact): Ann, knowing none
    >>> found.keeps_promise, found.guaranteed
    (False, False)
    >>> DependenceAnalysis(covered_shift(), "sum", 1.0, "dpm_mean").keeps_promise
    True
    >>> print(DependenceAnalysis(covered_shift(), "sum", 1.0, worst=True).largest)
    1.59532 nats (exact): Ben, knowing Cy
    """

    __slots__ = ("_known", "_worst")

    _known: tuple[int, ...]
    _worst: bool

    def __init__(
        self,
        joint: Any,
        query: Any = "sum",
        epsilon: float = 1.0,
        mechanism: Mechanism = "dpm_exact",
        known: Iterable[str | int] = (),
        blocks: Any = None,
        *,
        scale: float | None = None,
        worst: bool = False,
    ) -> None:
        super().__init__(joint, query, epsilon, mechanism, blocks, scale)
        object.__setattr__(self, "_known", known_tuples(self._joint, known))
        object.__setattr__(self, "_worst", _as_worst(worst, self._joint, self._known))

    @property
    def known(self) -> tuple[str, ...]:
        """Names of the tuples that the adversary knows."""
        return tuple(self._joint.tuples[k] for k in self._known)

    @property
    def worst(self) -> bool:
        """Whether the adversary is, for every tuple, whoever learns most about it."""
        return self._worst

    @cached_property
    def per_tuple(self) -> tuple[Leakage, ...]:
        """What the release leaks about every tuple to this adversary, exact.

        Examples
        --------
        >>> from pdp_widgets.models.joint_examples import xor_bits
        >>> print(DependenceAnalysis(xor_bits(), known=["x2"], scale=1.0).per_tuple[0])
        2 nats (exact): x1, knowing x2
        """
        if not self.scale:
            known = [(name, None) for name in self.known]
            return tuple(
                tuple_leakage(0.0, name, [one for one in known if one[0] != name])
                for name in self._joint.tuples
            )
        if self._worst:
            return self.known_sets.worst_of_each
        return dependent_leakage(self._joint, self._query, self.scale, self._known)

    @property
    def largest(self) -> Leakage:
        """The largest leakage about any tuple."""
        return largest_leakage(self.per_tuple)

    def meaning(self, target: str | int, *, noise: Noise | None = None) -> Meaning:
        """Return what the release says about one tuple to this adversary, in every measure.

        Parameters
        ----------
        target
            Name or position of the tuple; the others of ``known`` are known.
        noise
            Noise of another kind on the same query, see `noise_named`; without it that of this release.

        Raises
        ------
        DomainError
            Several numbers are published, for which slacks are not computed; or the adversary is the worst of
            all, who differs from measure to measure.

        Examples
        --------
        >>> from pdp_widgets.models.joint_examples import xor_bits
        >>> print(DependenceAnalysis(xor_bits(), known=["x2"], scale=1.0).meaning("x1").measure("advantage"))
        advantage 0.632121 chance (exact): x1, knowing x2
        """
        place, outputs = self._joint.axis(target), self._query.outputs(self._joint)
        if outputs.shape[1] > 1:
            raise DomainError(
                f"{outputs.shape[1]} numbers are published; measures beyond the leakage are about one.",
                Where("parameter", name="query"),
            )
        if self._worst:
            raise DomainError(
                "Who learns most differs from measure to measure; name the known tuples.",
                Where("parameter", name="worst"),
            )
        known = [k for k in self._known if k != place]
        used = noise or (LaplaceNoise(self.scale) if self.scale else NoNoise())
        cases = row_cases(self._joint, outputs[:, 0], used, place, known)
        names = self._joint.tuples
        about = About(names[place], tuple((names[k], None) for k in known))
        return Meaning(cases, about, "sup", self._epsilon if noise is None else None)

    def measure(
        self,
        name: str,
        *,
        epsilon: float | None = None,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> NDArray[np.float64]:
        """Return one measure of every tuple to this adversary, shape (n,).

        Parameters
        ----------
        name
            A name, see `Meaning.measure`.
        epsilon
            Where ``"delta"`` is taken, in nats.
        limit
            Seconds: end what takes longer.
        progress
            Called now and then with the share done. What it raises cancels.

        Raises
        ------
        DomainError
            As for `meaning`, or there is no such measure.
        LimitError
            It takes longer than the limit.

        Examples
        --------
        >>> from pdp_widgets.models.joint_examples import xor_bits
        >>> analysis = DependenceAnalysis(xor_bits(), known=["x2"], scale=1.0)
        >>> analysis.measure("delta", epsilon=0.5).round(4).tolist()
        [0.5276, 0.2212, 0.5276]
        """
        n = self._joint.n
        told = timed(progress, limit, f"The {name} of all {n} tuples", "Take fewer tuples.")
        given: dict[str, Any] = {} if epsilon is None else {"epsilon": epsilon}
        steps = Progress(told, n)
        found = np.empty(n)
        for place in range(n):
            found[place] = float(self.meaning(place).measure(name, **given))
            steps.step()
        steps.finish()
        return found

    @property
    def keeps_promise(self) -> bool:
        """Whether no tuple leaks more than was promised, to this adversary."""
        return float(self.largest) <= float(at_most(self._epsilon))

    @property
    def guaranteed(self) -> bool:
        """Whether the mechanism keeps its promise by construction, to this adversary."""
        if self._given is not None:
            return False
        some = self._worst or bool(self._known)
        return guaranteed(self._mechanism, self._query, self._blocks, self._refuted, some)

    @property
    def paper_estimates(self) -> tuple[Leakage, ...]:
        """What the paper's sum of exact coefficients says of every tuple, right or wrong: DS_i / scale.

        Examples
        --------
        >>> from pdp_widgets.models.joint_examples import covered_shift
        >>> print(DependenceAnalysis(covered_shift()).paper_estimates[0])
        0.840764 nats (as printed): Ann, knowing none
        """
        return self._estimates("exact")

    @property
    def mean_bounds(self) -> tuple[Leakage, ...]:
        """The bound with mean distances: an estimate where it is not proved.

        It holds for blocks of any size that the table does not refute, with linear queries and the identity,
        if nobody is known.
        """
        return self._estimates("mean")

    @property
    def unproved(self) -> str:
        """Why some of them are no bounds, in a few words; empty where all are proved.

        Examples
        --------
        >>> from pdp_widgets.models.joint_examples import xor_bits
        >>> DependenceAnalysis(xor_bits(), blocks=[[0], [1], [2]]).unproved
        'no bound for blocks that depend on each other'
        """
        if all(one.status == "bound" for one in self.mean_bounds):
            return ""
        if isinstance(self._query, TableQuery):
            return "no bound for this query"
        if self._refuted:
            return "no bound for blocks that depend on each other"
        return "a bound only if nobody is known"

    def _estimates(self, kind: Coefficient) -> tuple[Leakage, ...]:
        values = self.dependent_sensitivities(kind) / self.scale if self.scale else np.zeros(self._joint.n)
        names = self._joint.tuples
        if kind == "exact":
            source = "Liu, Chakraborty and Mittal, Eq. 23 and 24"
            return tuple(
                tuple_leakage(value, name, status="as printed", source=source)
                for value, name in zip(values.tolist(), names, strict=True)
            )
        proved, found = not isinstance(self._query, TableQuery) and not self._refuted, []
        for value, leak in zip(values.tolist(), self.per_tuple, strict=True):
            name, others = leak.about.target, leak.about.known
            status: Status = "bound" if proved and not others else "estimate"
            found.append(tuple_leakage(value, name, others, status=status, source="means of distances"))
        return tuple(found)

    @cached_property
    def known_sets(self) -> KnownSets:
        """What adversaries who know any set of the others learn about every tuple.

        Raises
        ------
        LimitError
            There are too many sets, or they take more than a minute; see `compute_known_sets`.
        """
        return self._known_sets()

    def _known_sets(self, **how: Any) -> KnownSets:
        # Where no tuple changes the output, nobody learns anything at any scale.
        return every_known_set(self._joint, self._query, self.scale or 1.0, **how)

    def compute_known_sets(
        self,
        progress: ProgressHook | None = None,
        *,
        limit: float = 60.0,
        executor: Executor | None = None,
    ) -> KnownSets:
        """Compute `known_sets`, unless they are there already, with parameters as for `every_known_set`.

        Examples
        --------
        >>> from pdp_widgets.models.joint_examples import covered_shift
        >>> analysis = DependenceAnalysis(covered_shift())
        >>> analysis.compute_known_sets(limit=10.0) is analysis.known_sets
        True
        """
        hook, workers = timed(progress, limit, "All known sets"), as_executor(executor)
        if "known_sets" not in self.__dict__:
            found = self._known_sets(limit=math.inf, progress=hook, executor=workers)
            self.__dict__["known_sets"] = found
        elif hook is not None:
            hook(1.0)
        return self.known_sets

    @property
    def worst_adversary(self) -> Leakage:
        """The largest leakage about any tuple over all sets of known others.

        Examples
        --------
        >>> from pdp_widgets.models.joint_examples import covered_shift
        >>> print(DependenceAnalysis(covered_shift()).worst_adversary)
        1.59532 nats (exact): Ben, knowing Cy
        """
        return self.known_sets.worst

    @cached_property
    def mechanisms(self) -> PromiseReport:
        """All mechanisms with this promise: their scales, and what each leaks."""
        return promise_report(self._joint, self._query, self._epsilon, blocks=self._blocks)

    def _numbers(self) -> Numbers:
        return dependence_numbers(self)

    def _figures(self) -> Figures:
        return {"tuples": lambda: dependence_chart(self)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DependenceAnalysis):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return (
            self._joint,
            self._query,
            self._epsilon,
            self._mechanism,
            self._known,
            self._blocks,
            self._given,
            self._worst,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, self._key()

    def __repr__(self) -> str:
        how = f"scale={self._given!r}" if self._given is not None else f"mechanism={self._mechanism!r}"
        known = f", known={list(self.known)!r}" if self._known else ", worst=True" if self._worst else ""
        named = f"query={self._query.name!r}, epsilon={self._epsilon!r}"
        given = self._blocks != tuple(as_blocks(self._joint, None))
        blocks = f", blocks={[list(block) for block in self._blocks]!r}" if given else ""
        return f"DependenceAnalysis({self._joint!r}, {named}, {how}{known}{blocks})"


def _restore(
    joint: SparseJoint,
    query: JointQuery,
    epsilon: float,
    mechanism: Mechanism,
    known: tuple[int, ...],
    blocks: tuple[tuple[int, ...], ...],
    scale: float | None,
    worst: bool,
) -> DependenceAnalysis:
    return DependenceAnalysis(joint, query, epsilon, mechanism, known, blocks, scale=scale, worst=worst)


def _as_worst(worst: Any, joint: SparseJoint, known: tuple[int, ...]) -> bool:
    where = Where("parameter", name="worst")
    flag = as_flag(worst, "worst")
    if flag and known:
        raise DomainError(
            "The worst adversary is looked for among all sets of known tuples, so no known tuples are given.",
            where,
            call="Give known tuples or worst=True.",
        )
    if flag:
        check_known_sets(joint)
    return flag
