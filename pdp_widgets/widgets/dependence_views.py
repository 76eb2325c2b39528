"""What a dependence explorer tells the browser; see js/src/dependence/protocol.ts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, PdpError
from pdp_widgets.leakage.dependent.dependence_results import COMPARED, DependenceResults
from pdp_widgets.leakage.graph_measure import GraphMeasure
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.joint_query import (
    IdentityQuery,
    JointQuery,
    LinearRows,
    TableQuery,
    as_joint_query,
)
from pdp_widgets.models.amount import at_most
from pdp_widgets.models.labels import shown
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.models.support_rows import points_of
from pdp_widgets.widgets.dependence_menu import COEFFICIENTS, EXAMPLES, MENU, noun_of, queries_of, subject_of
from pdp_widgets.widgets.wire import float_bytes, label_texts

if TYPE_CHECKING:
    from pdp_widgets.widgets.dependence_state import DependenceState


#: Up to so many tuples a wrong row is named by its values.
SAID = 4
#: Numbers of one query of a table.
_NUMBERS = 20_000


def dependence_embedded(core: DependenceState) -> dict[str, Any]:
    """Return what js/src/compute/dependence-answer.ts reads; nothing where the rows do not travel."""
    if not sent_rows(core.given):
        return {}
    given, noun = core.query_given, core.asked["noun"]
    return {
        "table": _table(core.given, _kept(core.given, given), noun),
        "sound": _sound(core),
        "examples": {key: _example(one.made(), one.note, given, noun) for key, one in EXAMPLES.items()},
        "own": _own(core),
    }


def _sound(core: DependenceState) -> dict[str, Any] | None:
    """Return the inputs of the results that stand; None where they belong to another table."""
    inputs = core.solved.inputs
    if not core.shown:
        return None
    return {
        "probabilities": float_bytes(inputs.joint.probabilities),
        "query": _key_of(core, inputs.query),
        "epsilon": inputs.epsilon,
        "mechanism": inputs.mechanism,
        "knowing": inputs.knowing,
        "known": inputs.known,
    }


def _key_of(core: DependenceState, query: JointQuery) -> str:
    """Return the key of the query that the results belong to: another one may be awaited."""
    for key in [core.query_key, *(key for key, _ in core.queries)]:
        try:
            if key != "given" and as_joint_query(key, core.joint) == query:
                return key
        except PdpError:
            continue
    return core.query_key


def _own(core: DependenceState) -> dict[str, Any] | None:
    own = core.own
    if own is None or not sent_rows(own.given):
        return None
    return {
        "table": _whole(own.given, "", _kept(own.given, own.query), core.asked["noun"]),
        "entries": float_bytes(own.entries),
        "query": own.query if isinstance(own.query, str) else "given",
    }


def _kept(joint: SparseJoint, given: Any) -> tuple[str, Any] | None:
    """Return a query that stands beside those of the menu; None where it is one of them."""
    key = given if isinstance(given, str) else "given"
    return None if key in [listed for listed, _ in queries_of(joint)] else (key, given)


def _example(joint: SparseJoint, note: str, given: Any, noun: str | None) -> dict[str, Any]:
    """Return an example, with the query that stands where it can be asked of it."""
    kept = _kept(joint, given)
    if kept is not None:
        try:
            query = as_joint_query(given, joint)
            query.outputs(joint)
            query.sensitivities(joint)
        except PdpError:
            kept = None
    return _whole(joint, note, kept, noun)


def _whole(joint: SparseJoint, note: str, kept: tuple[str, Any] | None, noun: str | None) -> dict[str, Any]:
    return {**_table(joint, kept, noun), **model_state(joint), "note": note}


def _table(joint: SparseJoint, kept: tuple[str, Any] | None, noun: str | None) -> dict[str, Any]:
    queries = [_query(joint, key, label, as_joint_query(key, joint)) for key, label in queries_of(joint)]
    if kept is not None:
        key, given = kept
        query = as_joint_query(given, joint)
        queries.append(_query(joint, key, query.name, query, listed=False))
    return {
        "title": label_texts([joint.title])[0],
        "noun": noun or noun_of(joint),
        "points": [_points(joint, axis) for axis in range(joint.n)],
        "said": [[shown(value) for value in domain] for domain in joint.domains] if joint.n <= SAID else None,
        "queries": [query for query in queries if query is not None],
    }


def _points(joint: SparseJoint, axis: int) -> bytes | None:
    try:
        return float_bytes(points_of(joint.domains[axis], axis, joint.tuples[axis]))
    except DomainError:
        # Text.
        return None


def _query(
    joint: SparseJoint, key: str, label: str, query: JointQuery, *, listed: bool = True
) -> dict[str, Any] | None:
    made: dict[str, Any] = {
        "key": key,
        "label": label_texts([label])[0],
        "subject": subject_of(key, query.name),
        "listed": listed,
        "width": int(query.outputs(joint).shape[1]),
        "numbers": None,
        "sensitivities": None,
    }
    if isinstance(query, LinearRows):
        numbers = np.concatenate([np.asarray(values) for values in query.query.contributions])
        return made | {"kind": "linear", "numbers": float_bytes(numbers)}
    if isinstance(query, IdentityQuery):
        return made | {"kind": "identity"}
    outputs = query.outputs(joint)
    if outputs.size > _NUMBERS:
        return None
    changes = float_bytes(np.asarray(query.sensitivities(joint)))
    return made | {"kind": "table", "numbers": float_bytes(outputs), "sensitivities": changes}


#: Bytes of rows that travel, and rows that can be edited.
_SENT = 48_000
_EDITABLE = 512
#: Bytes of names, and of the texts of values.
_NAMES, _VALUES = 8_000, 20_000
#: Distinct outputs that are drawn as bars, and bars in all.
_OUTPUTS, _BARS = 60, 1200
_LABELS = {
    "lpm": "LPM",
    "dpm_exact": "DPM, this σ",
    "calibrated": "calibrated",
    "dpm_mean": "DPM, any σ",
    "dpm_eq18": "DPM, paper’s ρ",
    "baseline": "baseline",
}
_WHY = {
    "baseline": "for every table, query and adversary",
    "dpm_exact": "proved for blocks of two and linear queries",
    "dpm_mean": "for blocks of any size and linear queries, if nobody is known",
    "dpm_eq18": "for blocks of any size and linear queries, if nobody is known (ρ by Eq. 18 of the paper)",
    "calibrated": "made for this table and query, once, if nobody is known",
    "lpm": "where tuples are independent, or all others are known",
}


def dependence_state(core: DependenceState) -> dict[str, Any]:
    """Return the view, without what every widget adds."""
    joint, shown = core.value, core.shown
    return {
        **core.controls,
        "title": label_texts([joint.title])[0],
        "noun": core.noun,
        "subject": core.subject,
        "model": _model(core),
        "example": core.example,
        "examples": [{"key": key, "label": one.label} for key, one in EXAMPLES.items()],
        "query": core.query_key,
        "queries": [{"key": key, "label": label} for key, label in core.queries],
        "mechanism": core.chosen.mechanism,
        "mechanisms": [
            {"key": key, "label": label, "short": short, "coefficient": key == "dpm", "why": None}
            for key, (label, short) in MENU.items()
        ],
        "coefficient": core.chosen.coefficient,
        "known": core.known,
        "tuple": core.target if shown else 0,
        "other": core.other if shown else (None if joint.n == 1 else 1),
        **core.wait_state,
        "results": results_state(core.solved, core.target, core.measured) if shown else None,
    }


def sent_rows(joint: SparseJoint) -> bool:
    """Return whether the rows of a table travel to the browser."""
    rows, n = joint.codes.shape
    return rows * (4 * n + 16) <= _SENT


def model_state(joint: SparseJoint) -> dict[str, Any]:
    """Return a table as the browser reads it: names and values, and its rows where they travel."""
    sent = sent_rows(joint)
    count = sum(len(domain) for domain in joint.domains)
    return {
        "tuples": [
            {"name": name, "labels": label_texts([_text(one) for one in domain], _VALUES, count)}
            for name, domain in zip(label_texts(joint.tuples, _NAMES), joint.domains, strict=True)
        ],
        "support": joint.codes.astype("<i4").tobytes() if sent else b"",
        "probabilities": float_bytes(joint.probabilities) if sent else b"",
    }


def _model(core: DependenceState) -> dict[str, Any]:
    joint = core.given
    rows, n = joint.codes.shape
    block_of = np.zeros(n, dtype=int)
    for place, block in enumerate(core.results.blocks if core.shown else ()):
        block_of[list(block)] = place
    found = model_state(joint)
    sent = sent_rows(joint)
    return {
        **found,
        "probabilities": float_bytes(core.entries) if sent else b"",
        "loaded": found["probabilities"],
        "editable": sent and rows <= _EDITABLE,
        "blocks": block_of.tolist(),
        "note": _note(core),
    }


def _note(core: DependenceState) -> str:
    blocks = core.results.blocks
    if core.example and core.shown and core.value is core.given:
        return EXAMPLES[core.example].note
    if len(blocks) == 1:
        return "One block: no part of the tuples is independent of the rest." if core.joint.n > 1 else ""
    return f"{len(blocks)} blocks, independent of each other by this table."


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(f"{one:g}" for one in value) + ")"
    return str(value)


@dataclass(frozen=True, eq=False)
class Measured:
    """What the graph shows of some results instead of leakages."""

    of: DependenceResults
    measure: GraphMeasure
    #: Of every tuple.
    values: NDArray[np.float64]

    @classmethod
    def made(cls, solved: DependenceResults, measure: GraphMeasure, limit: float) -> Measured:
        """Compute a measure of every tuple."""
        values = solved.analysis.measure(measure.name, epsilon=measure.epsilon, limit=limit)
        if measure.epsilon is not None:
            # Up to its leakage delta is 0, which two sums may miss by rounding.
            exact = np.array([float(one) for one in solved.per_tuple])
            values = np.where(exact <= at_most(measure.epsilon), 0.0, values)
        return cls(solved, measure, values)

    def state(self) -> dict[str, Any]:
        """Return it as the browser draws it, with what the promise allows."""
        measure = self.measure
        return {
            "measure": {"name": measure.name, "epsilon": measure.epsilon},
            "values": float_bytes(self.values),
            "promise": measure.allowed(self.of.inputs.epsilon),
        }


def results_state(solved: DependenceResults, chosen: int, measured: Measured | None = None) -> dict[str, Any]:
    """Return the results as the browser shows them, with one tuple told in full."""
    found, inputs = solved.analysis, solved.inputs
    proved = not isinstance(inputs.query, TableQuery)
    means = np.array([float(one) for one in found.mean_bounds])
    return {
        "epsilon": inputs.epsilon,
        "scale": found.scale,
        "scalar": found.outputs == 1,
        "outputs": found.outputs,
        "sensitivity": float(found.sensitivities.max()),
        "dependent": found.dependent_sensitivity,
        "enough": solved.enough,
        "exact": float_bytes(np.array([float(one) for one in solved.per_tuple])),
        **({} if measured is None else {"measured": measured.state()}),
        "paper": float_bytes(np.array([float(one) for one in found.paper_estimates])),
        "mean": float_bytes(means if proved else np.full(len(means), np.nan)),
        "plain": float_bytes(found.dp_losses),
        "coefficients": {kind: float_bytes(solved.coefficients(kind)) for kind in COEFFICIENTS},
        "chosen": _chosen(solved, chosen, float(means[chosen]) if proved else None),
        "mechanisms": [
            {
                "key": key,
                "label": _LABELS[key],
                "scale": solved.scales[place],
                "largest": solved.largest[place],
                "holds": solved.holds(place),
                "why": _WHY[key],
            }
            for place, key in enumerate(COMPARED)
        ],
        "bounds": {"mean": float(means.max()) if proved else None, "group": float(solved.groups.max())},
    }


def _chosen(solved: DependenceResults, at: int, mean: float | None) -> dict[str, Any]:
    found, joint = solved.analysis, solved.inputs.joint
    leak = solved.per_tuple[at]
    known, values = _known(leak, joint)
    return {
        "tuple": at,
        "leakage": float(leak),
        "paper": float(found.paper_estimates[at]),
        "mean": mean,
        "plain": float(found.dp_losses[at]),
        "group": float(solved.groups[at]),
        "worst": None if solved.worst is None else _worst(solved.worst[at], joint),
        "known": known,
        "values": values,
        "attained": _attained(leak, joint, at),
        "outputs": _outputs(solved, at),
    }


def _worst(leak: Leakage, joint: SparseJoint) -> dict[str, Any]:
    known, values = _known(leak, joint)
    return {"leakage": float(leak), "known": known, "values": values}


def _known(leak: Leakage, joint: SparseJoint) -> tuple[list[int], list[int]]:
    """Return positions of what is known, and of the values where most is learned."""
    known = [joint.axis(name) for name, _ in leak.about.known]
    told: Any = () if leak.attained is None else getattr(leak.attained, "known", ())
    values = {joint.axis(name): joint.domains[joint.axis(name)].index(value) for name, value in told}
    return known, [values.get(k, 0) for k in known]


def _attained(leak: Leakage, joint: SparseJoint, at: int) -> dict[str, Any] | None:
    where: Any = leak.attained
    if where is None:
        return None
    domain = joint.domains[at]
    return {
        "pair": [domain.index(where.pair[0]), domain.index(where.pair[1])],
        "output": list(where.output),
        "side": where.side,
    }


def _outputs(solved: DependenceResults, at: int) -> dict[str, Any] | None:
    """Return the law of the output before noise for every value of a tuple; None where there are too many."""
    found = solved.law_of_outputs(at)
    if found is None or len(found[0]) > _OUTPUTS or found[1].size > _BARS:
        return None
    return dict(zip(("points", "weights", "prior"), map(float_bytes, found), strict=True))
