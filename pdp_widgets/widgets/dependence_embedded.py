"""What a page of dependent tuples needs to compute without a kernel, and its view does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pdp_widgets.errors import DomainError, PdpError
from pdp_widgets.mechanisms.identity_query import IdentityQuery
from pdp_widgets.mechanisms.joint_query import JointQuery, LinearRows, as_joint_query
from pdp_widgets.models.labels import shown
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.models.support_rows import points_of
from pdp_widgets.widgets.dependence_menu import EXAMPLES, noun_of, queries_of, subject_of
from pdp_widgets.widgets.dependence_views import model_state, sent_rows
from pdp_widgets.widgets.wire import float_bytes, label_texts

if TYPE_CHECKING:
    from pdp_widgets.widgets.dependence_state import DependenceState

__all__ = ["SAID", "dependence_embedded"]

#: Up to so many tuples a wrong row is named by its values.
SAID = 4
#: Numbers of one query of a table.
_NUMBERS = 20_000


def dependence_embedded(core: DependenceState) -> dict[str, Any]:
    """Return what js/src/compute/dependence-answer.ts reads; nothing where the rows do not travel.

    Examples
    --------
    >>> from pdp_widgets.widgets.dependence_state import DependenceState
    >>> opened = DependenceState(
    ...     None, "sum", 1.0, "dpm", None, "nobody", (), None, None, 3.0, "person", True
    ... )
    >>> made = dependence_embedded(opened)
    >>> [query["key"] for query in made["table"]["queries"]], made["sound"]["mechanism"]
    (['sum', 'mean', 'identity', 'count:0', 'count:1'], 'dpm_exact')
    """
    if not sent_rows(core.given):
        return {}
    given, noun = core.query_given, core.noun_given
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
        "table": _whole(own.given, "", _kept(own.given, own.query), core.noun_given),
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
