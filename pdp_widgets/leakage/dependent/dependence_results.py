"""One release about dependent tuples to one kind of adversary, with all mechanisms beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import ProgressHook, part
from pdp_widgets.leakage.dependent.coefficients import Coefficient
from pdp_widgets.leakage.dependent.conditional_outputs import equal_outputs
from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis
from pdp_widgets.leakage.dependent.dependent_scale import Mechanism, dependent_scale, guaranteed
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage, largest_leakage, most_known
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.joint_query import JointQuery
from pdp_widgets.models.amount import at_most
from pdp_widgets.models.sparse_joint import SparseJoint

Floats = NDArray[np.float64]

#: In the order of the table of mechanisms.
COMPARED: tuple[Mechanism, ...] = ("lpm", "dpm_exact", "calibrated", "dpm_mean", "dpm_eq18", "baseline")
#: Sets of known tuples times rows times tuples: of so few a moment is enough.
FEW_SETS = 30_000
_TIE = 1e-9
_KINDS: tuple[Coefficient, ...] = ("exact", "mean", "eq18")


@dataclass(frozen=True)
class DependenceInputs:
    """A release about dependent tuples, and who receives it."""

    joint: SparseJoint
    query: JointQuery
    #: The promise in nats.
    epsilon: float
    #: Its key, see `dependent_scale`.
    mechanism: Mechanism
    #: ``"nobody"``, ``"chosen"`` or ``"worst"``.
    knowing: str = "nobody"
    #: Positions of the tuples that the adversary knows, when chosen.
    known: tuple[int, ...] = ()

    @property
    def sets(self) -> int:
        """Work of going through all sets of known tuples."""
        return (1 << min(self.joint.n, 62)) * len(self.joint.codes) * self.joint.n

    @property
    def seen(self) -> tuple[int, ...]:
        """The known tuples, if it is they that count."""
        return self.known if self.knowing == "chosen" else ()


@dataclass(frozen=True, eq=False)
class DependenceResults:
    """The numbers for one set of inputs."""

    inputs: DependenceInputs
    analysis: DependenceAnalysis
    #: What leaks about every tuple to the adversary shown.
    per_tuple: tuple[Leakage, ...]
    #: The same to the adversary who learns most about it; None where there are too many sets.
    worst: tuple[Leakage, ...] | None
    #: By mechanism, in the order of ``COMPARED``, as ``largest``.
    scales: tuple[float, ...]
    largest: tuple[float, ...]

    @property
    def enough(self) -> float:
        """The least scale that keeps the promise to an adversary who knows no tuple, at least that of LPM."""
        return self.scales[COMPARED.index("calibrated")]

    @property
    def most(self) -> int:
        """Position of the tuple that leaks most; of those that differ by rounding alone the first."""
        leaks = np.array([float(one) for one in self.per_tuple])
        return int(np.argmax(leaks >= leaks.max() * (1 - _TIE)))

    @cached_property
    def groups(self) -> Floats:
        """What whole blocks leak at most, by tuple: the sum of sensitivities of its block over the scale."""
        changes, scale = self.analysis.sensitivities, self.analysis.scale
        found = np.zeros(self.inputs.joint.n)
        for block in self.analysis.blocks:
            found[list(block)] = changes[list(block)].sum() / scale if scale else 0.0
        return found

    def coefficients(self, kind: Coefficient) -> Floats:
        """Return those of all pairs, shape (n, n): 0 between blocks, which the mechanisms do not add up."""
        together = np.zeros((self.inputs.joint.n,) * 2, dtype=bool)
        for block in self.analysis.blocks:
            together[np.ix_(block, block)] = True
        return np.where(together, self.analysis.coefficients(kind), 0.0)

    def law_of_outputs(self, tuple_: int) -> tuple[Floats, Floats, Floats] | None:
        """Return the outputs before noise, their chances given each value of a tuple, and the values' own."""
        # Known tuples have the values where most is learned about it. None where there are several outputs.
        joint = self.inputs.joint
        outputs = self.inputs.query.outputs(joint)
        if outputs.shape[1] != 1:
            return None
        fits = np.ones(len(joint.codes), dtype=bool)
        where: Any = self.per_tuple[tuple_].attained
        for name, value in () if where is None else where.known:
            k = joint.axis(name)
            fits &= joint.codes[:, k] == joint.domains[k].index(value)
        points, index = equal_outputs(outputs[fits, 0])
        weights = np.zeros((len(joint.domains[tuple_]), len(points)))
        np.add.at(weights, (joint.codes[fits, tuple_], index), joint.probabilities[fits])
        sums = weights.sum(axis=1, keepdims=True)
        np.divide(weights, sums, out=weights, where=sums > 0)
        return points, weights, sums[:, 0] / sums.sum()

    def to_networkx(self) -> Any:
        """Return a ``networkx.DiGraph`` of the tuples, with edges between those of a block."""
        # An edge from a to b has the coefficients of b given a.
        import networkx

        graph = networkx.DiGraph()
        names = self.inputs.joint.tuples
        tables = {kind: self.coefficients(kind) for kind in _KINDS}
        for place, block in enumerate(self.analysis.blocks):
            for j in block:
                graph.add_node(names[j], leakage=float(self.per_tuple[j]), block=place)
            graph.add_edges_from(
                (names[a], names[b], {kind: float(table[a, b]) for kind, table in tables.items()})
                for a in block
                for b in block
                if a != b
            )
        return graph

    def holds(self, place: int) -> str:
        """Return ``"always"``, ``"here"`` or ``"no"``: whether a promise is kept, as shown."""
        key, known = COMPARED[place], self.inputs.knowing == "worst" or bool(self.inputs.seen)
        if guaranteed(key, self.inputs.query, self.analysis.blocks, some_known=known):
            return "always"
        return "here" if self.largest[place] <= at_most(self.inputs.epsilon) else "no"


def dependence_results(inputs: DependenceInputs, progress: ProgressHook | None = None) -> DependenceResults:
    """Return what a release leaks about every tuple, and what each mechanism would."""
    joint, query, epsilon = inputs.joint, inputs.query, inputs.epsilon
    analysis = DependenceAnalysis(
        joint, query, epsilon, inputs.mechanism, inputs.seen, worst=inputs.knowing == "worst"
    )
    blocks = analysis.blocks

    def leaks(scale: float, told: ProgressHook | None) -> float:
        if inputs.knowing == "worst":
            return most_known(joint, query, scale, told)
        return float(largest_leakage(dependent_leakage(joint, query, scale, inputs.seen)))

    if inputs.knowing == "worst" and analysis.scale:
        analysis.compute_known_sets(part(progress, 0.0, 0.2), limit=math.inf)
    per_tuple = analysis.per_tuple
    _tell(progress, 0.2)
    worst: tuple[Leakage, ...] | None = None
    if inputs.knowing == "worst":
        worst = per_tuple
    elif inputs.sets <= FEW_SETS and analysis.scale:
        worst = analysis.compute_known_sets(limit=math.inf).worst_of_each
    scales, largest = [], []
    for place, key in enumerate(COMPARED):
        low, middle, high = (0.2 + 0.8 * (place + done) / len(COMPARED) for done in (0.0, 0.5, 1.0))
        scale = analysis.scale
        if key != inputs.mechanism:
            told = part(progress, low, middle)
            scale = dependent_scale(joint, query, epsilon, key, blocks, limit=math.inf, progress=told)
        scales.append(scale)
        same = scale == analysis.scale
        largest.append(float(analysis.largest) if same else leaks(scale, part(progress, middle, high)))
        _tell(progress, high)
    return DependenceResults(inputs, analysis, per_tuple, worst, tuple(scales), tuple(largest))


def _tell(progress: ProgressHook | None, share: float) -> None:
    if progress is not None:
        progress(share)
