"""What an anonymity explorer tells the browser; see js/src/anonymity/protocol.ts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.noiseless.anonymity_curves import outcomes_apart
from pdp_widgets.leakage.noiseless.anonymity_figures import drawn_columns
from pdp_widgets.leakage.noiseless.anonymity_results import AnonymityResults
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.widgets.anonymity_menu import reading_choices
from pdp_widgets.widgets.wire import float_bytes, label_texts

if TYPE_CHECKING:
    from pdp_widgets.widgets.anonymity_state import AnonymityState


#: Different values of one column, and of all together: what a page carries is small.
_COLUMN, _TOGETHER = 4096, 8192


def anonymity_embedded(core: AnonymityState) -> dict[str, Any]:
    """Return the inputs that results belong to where others stand in the controls, and laws of records."""
    # Laws are there where not all records travel: how often every value occurs among the published records,
    # by column. All that k, quasi-identifiers and the secret leave as it is follows from them.
    made: dict[str, Any] = {}
    stands = core.controls
    sound = {name: getattr(core.inputs, name) for name in stands}
    if stands != sound:
        made["sound"] = {**sound, "quasi": list(sound["quasi"])}
    if sent_rows(core.data, core.results) is not None and all(
        stands[name] == sound[name] for name in ("quasi", "secret", "k")
    ):
        made["laws"] = _laws(core)
    return made


def _laws(core: AnonymityState) -> dict[str, Any]:
    """Return the occurrences of values, those of columns with few of them first as far as there is room."""
    classes, secret = core.results.analysis.classes, core.inputs.secret
    found: list[dict[str, bytes] | None] = [None] * len(core.data.names)
    counted = []
    for place, column in enumerate(core.data.by_row):
        if column.labels is None or place == secret:
            there = (classes.row_number >= 0) & ~column.missing
            known, index = np.unique(column.values[there] + 0.0, return_inverse=True)
            counted.append((len(known), place, known, core.data.runs.sums(index, len(known), there)))
    left = _TOGETHER
    for size, place, known, counts in sorted(counted, key=lambda one: one[:2]):
        if size <= min(left, _COLUMN):
            left -= size
            found[place] = {"values": float_bytes(known), "counts": float_bytes(counts.astype(np.float64))}
    return {"published": classes.published, "columns": found}


#: Records whose values travel at most; bytes of what grows with records, columns and classes.
MOST_SENT, _BYTES = 2000, 170_000
#: Bytes of one class, of one published range, and of one position, in text.
_CLASS, _RANGE, _PLACE = 60, 13, 5
#: Of records of which not all travel so many are an even sample; the others are named by classes.
_EVEN = 0.5
#: Bytes of names, of labels, of published ranges and of what is shared.
_NAMES, _LABELS, _RANGES, _SHARED = 8_000, 16_000, 24_000, 8_000


def anonymity_state(core: AnonymityState) -> dict[str, Any]:
    """Return the view, without what every widget adds."""
    data, asked = core.data, core.asked
    sent = sent_rows(data, core.results)
    names = label_texts(data.names, _NAMES)
    return {
        "title": label_texts([data.title])[0],
        "noun": core.noun,
        "records": data.records,
        "sampled": None if sent is None else sent.tolist(),
        "columns": _columns(data, names, sent),
        **core.controls,
        "drawn": list(drawn_columns(asked["quasi"], None)),
        "releases": [{"key": key, "label": label_texts([label])[0]} for key, label in core.releases],
        "readings": reading_choices(asked["release"], asked["level"]),
        **core.wait_state,
        "current": core.present,
        "results": results_state(core.results),
    }


def sent_rows(data: Microdata, results: AnonymityResults) -> NDArray[np.int64] | None:
    """Return the positions of the records whose values travel; None where those of all do."""
    left = _BYTES - 8 * min(data.records, MOST_SENT)
    for one in results.classes:
        left -= _CLASS + _RANGE * len(one.ranges) + _PLACE * len(one.rows)
    record = 8 * len(data.names)
    if data.records <= MOST_SENT and record * data.records <= left:
        return None
    most = min(MOST_SENT, max(100, left // (record + _PLACE)))
    kept = set(np.linspace(0, data.records - 1, min(data.records, int(most * _EVEN))).astype(int).tolist())
    # Any class can be opened: all are sent some of their records, not the first ones all.
    for turn in range(max((len(one.rows) for one in results.classes), default=0)):
        for one in results.classes:
            if turn < len(one.rows) and len(kept) < most:
                kept.add(int(one.rows[turn]))
    return np.array(sorted(kept), dtype=np.int64)


def _columns(data: Microdata, names: list[str], sent: NDArray[np.int64] | None) -> list[dict[str, Any]]:
    count = sum(len(one.labels) for one in data.by_row if one.labels is not None)
    rows = data.runs.of(np.arange(data.records) if sent is None else sent)
    found = []
    for one, name in zip(data.by_row, names, strict=True):
        labels = None
        if one.labels is not None:
            labels = label_texts([str(label) for label in one.labels], _LABELS, count)
        values = float_bytes(one.values[rows])
        found.append({"name": name, "labels": labels, "ordered": bool(one.ordered), "values": values})
    return found


def results_state(results: AnonymityResults) -> dict[str, Any]:
    """Return the results as the browser shows them."""
    return {
        "k": results.k,
        "epsilon": results.epsilon,
        "achieved": results.achieved,
        "sizes": list(results.sizes),
        "classes": _classes(results),
        "classes_in_all": results.classes_in_all,
        "suppressed": results.suppressed,
        "single": results.single,
        "diversity": results.diversity,
        "closeness": results.closeness,
        "unknown": results.unknown,
        "share": results.share,
        "shift": results.shift,
        "nothing_known": results.nothing_known,
        "spread": results.spread,
        "ratio": results.ratio,
        "axis": float_bytes(np.asarray(results.axis)),
        "curves": [_curve(one) for one in results.curves],
        "printed": [
            {
                "key": one.key,
                "label": one.label,
                "delta": one.delta,
                "status": one.status,
                "holds": one.holds,
            }
            for one in results.printed
        ],
        "known": {
            "share": float_bytes(np.asarray(results.known.share)),
            "delta": float_bytes(np.asarray(results.known.delta)),
        },
        "recipe": _recipe(results),
        "laws": _apart(results),
        "removals": _removals(results),
    }


def _apart(results: AnonymityResults) -> dict[str, bytes] | None:
    laws = outcomes_apart(results.analysis.hidden) if results.curves[0].why is None else None
    return laws and {"changed": float_bytes(laws[0]), "same": float_bytes(laws[1])}


def _recipe(results: AnonymityResults) -> dict[str, Any] | None:
    found = results.recipe
    if found is None:
        return None
    one = found.slack
    return {"delta1": found.delta1, "epsilon": one.epsilon, "delta": one.delta, "status": one.state}


def _classes(results: AnonymityResults) -> list[dict[str, Any]]:
    listed = results.classes
    texts = label_texts([text for one in listed for text in one.ranges], _RANGES)
    shared = label_texts([one.shared for one in listed], _SHARED)
    found, at = [], 0
    for one, words in zip(listed, shared, strict=True):
        ranges = texts[at : at + len(one.ranges)]
        at += len(one.ranges)
        found.append(
            {
                "letter": one.letter,
                "rows": [int(row) for row in one.rows],
                "colour": one.colour,
                "ranges": ranges,
                "size": one.size,
                "box": None if one.box is None else [float(edge) for edge in one.box],
                "shared": words,
                "one": one.one,
            }
        )
    return found


def _curve(one: Any) -> dict[str, Any]:
    return {
        "key": one.key,
        "label": label_texts([one.label])[0],
        "kind": one.kind,
        "events": one.events,
        "delta": float_bytes(np.asarray(one.delta)),
        "drawn": float_bytes(np.asarray(one.drawn)),
        "at": one.at,
        "status": one.status,
        "violated": [list(pair) for pair in one.violated],
        "why": one.why,
    }


def _removals(results: AnonymityResults) -> dict[str, Any] | None:
    found = results.removals
    if found is None:
        return None
    # Of many records few were left out: only those travel.
    changes = found.changes if found.sampled is None else found.found.left[1]
    return {
        "changes": float_bytes(changes),
        "largest": found.largest,
        "worst": found.worst,
        "sampled": found.sampled,
    }
