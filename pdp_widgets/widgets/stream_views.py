"""What the browser shows of a stream simulator: chain, lanes, the last steps, and steps that it asks for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU
from pdp_widgets.leakage.sequence.stream_record import LaneRecord, StreamRecord
from pdp_widgets.leakage.sequence.stream_script import edits
from pdp_widgets.mechanisms.sequence.distances import DISTANCES, distance_matrix
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.widgets.stream_state import StreamState
from pdp_widgets.widgets.wire import LABEL_BYTES, float_bytes, label_texts

#: States of a chain of second order: a page keeps what is believed about pairs.
_MOST_PAIRED = 30
#: Probabilities of all chains: 2 MB.
_MOST_NUMBERS = 1 << 18


def stream_embedded(core: StreamState) -> dict[str, Any]:
    """Return what the view of a stream does not say; nothing where its chains are too large for a page."""
    if core.chain.order == 2 and core.chain.n > _MOST_PAIRED:
        return {}
    script = core.script
    chains: list[MarkovChain] = []
    segments = [
        {"first": each.first, "epsilon": each.epsilon, "chain": _place(chains, each.chain)}
        for each in script.segments
    ]
    # What stands in the controls can differ from what holds at the position.
    now = _place(chains, core.chain)
    if sum(chain.transitions.size for chain in chains) > _MOST_NUMBERS:
        return {}
    data = script.data
    return {
        "chains": [
            {
                "start": float_bytes(chain.start),
                "transitions": float_bytes(chain.transitions),
                "early": None if chain.early is None else float_bytes(chain.early),
            }
            for chain in chains
        ],
        "segments": segments,
        "chain": now,
        "distances": float_bytes(distance_matrix(script.distance, script.n)),
        "plain": core.distance is None or core.distance.answers is None,
        "delta": core.delta,
        "data": None if data is None else np.ascontiguousarray(data[: script.steps], "<u2").tobytes(),
    }


def _place(chains: list[MarkovChain], chain: MarkovChain) -> int:
    """Return where a chain stands in a list, which it is added to if it is not there."""
    if chain not in chains:
        chains.append(chain)
    return chains.index(chain)


#: Steps in a view, so that a saved one shows its last ones.
WINDOW = 120
#: States whose probabilities are shown one by one.
MOST_SHOWN = 12
_MOST_CHANGES = 200


def stream_view(core: StreamState) -> dict[str, Any]:
    """Return what the browser shows."""
    chain, script = core.chain, core.script
    first = max(0, core.position - WINDOW)
    ended = _by_lane(core)
    return {
        "title": stream_title(chain),
        "states": label_texts(chain.states, LABEL_BYTES),
        "source": {
            "kind": "live" if core.live else "chain" if script.data is None else "data",
            "text": core.text,
            "note": core.note,
            "steps": None if script.data is None or core.live else len(script.data),
            "waiting": core.waiting if core.live else None,
        },
        "chain": chain_state(core),
        "epsilon": core.asked_epsilon,
        "delta": core.asked_delta,
        "seed": core.seed,
        "distance": "hamming" if core.distance is None else core.distance.name,
        "distances": [{"key": key, "label": words} for key, words in distances_for(core)],
        "menu": [
            {
                "key": entry.key,
                "label": entry.label,
                "short": entry.short,
                "private": entry.private,
                "why": entry.why_not(chain),
            }
            for entry in STREAM_MENU.values()
        ],
        "lanes": ended,
        "run": core.number,
        "same": core.same,
        "position": core.position,
        "playing": core.playing,
        "speed": core.speed,
        "changes": changes(core),
        "window": window(core, first),
        "most": core.most,
        **core.wait_state,
        "current": core.current,
    }


def stream_title(chain: MarkovChain) -> str:
    """Return the stream in words."""
    numbers = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    many = numbers[chain.n] if chain.n < len(numbers) else f"{chain.n}"
    order = "first" if chain.order == 1 else "second"
    return f"{many} state{'' if chain.n == 1 else 's'}, {order} order, one release a step"


def chain_state(core: StreamState) -> dict[str, Any]:
    """Return the chain as it stands in the controls."""
    chain = core.chain
    few = chain.n <= MOST_SHOWN
    editable = few and chain.order == 1
    start = chain.start if core.asked_start is None else core.asked_start
    moves = chain.transitions if core.asked_transitions is None else core.asked_transitions
    return {
        "order": chain.order,
        "start": float_bytes(start),
        "transitions": float_bytes(moves) if few else b"",
        "loaded": float_bytes(core.loaded.transitions) if editable else b"",
        "editable": editable,
    }


def distances_for(core: StreamState) -> list[tuple[str, str]]:
    """Return the distances that the states allow, with their words."""
    numeric = all(isinstance(s, int | float) and not isinstance(s, bool) for s in core.chain.states)
    square = int(np.sqrt(core.chain.n)) ** 2 == core.chain.n
    allowed = {
        "hamming": True,
        "absolute": numeric,
        "squared": numeric,
        "euclidean": square,
        "histogram": True,
    }
    return [(key, words) for key, words in DISTANCES.items() if allowed[key]]


def _by_lane(core: StreamState) -> list[dict[str, Any]]:
    shown = core.results
    found = []
    for key in core.lanes:
        totals = shown.totals(key)
        found.append(
            {
                "key": key,
                "largest": totals.largest,
                "over": totals.over,
                "first_over": totals.first_over,
                "ended": shown.ended(key) or None,
                "line": core.lines[key],
            }
        )
    return found


def changes(core: StreamState) -> list[dict[str, Any]]:
    """Return what was edited while the stream ran, up to the position."""
    # All of them are in the record; a view shows the last.
    found = edits(core.script, core.position + 1)[-_MOST_CHANGES:]
    return [{"step": each.step, "before": each.before, "after": each.after} for each in found]


def window(core: StreamState, first: int) -> dict[str, Any]:
    """Return the steps after some up to the position, with their arrays as bytes."""
    record = core.run.record(first, core.position - first, delta=core.delta)
    names = ("symbols", "promise", "linear", "advanced")
    parts = iter(chunk_parts(record, core.chain.n))
    made: dict[str, Any] = {"run": core.number, "from": first, "count": len(record.symbols)}
    made |= {name: next(parts) for name in names}
    lane = ("released", "belief", "least", "leakage", "over", "sum", "error", "expected")
    made["lanes"] = [{name: next(parts) for name in lane} for _ in record.lanes]
    return made


def chunk_parts(record: StreamRecord, n: int) -> list[bytes]:
    """Return the arrays of some steps as bytes, in the order that the browser takes them."""
    parts = [
        _symbol_bytes(record.symbols),
        float_bytes(record.promise),
        float_bytes(record.linear),
        float_bytes(record.advanced),
    ]
    for lane in record.lanes.values():
        parts += _lane_parts(lane, record.symbols, n)
    return parts


def _lane_parts(lane: LaneRecord, symbols: NDArray[np.int64], n: int) -> list[bytes]:
    belief = lane.belief if n <= MOST_SHOWN else lane.belief[np.arange(len(symbols)), symbols]
    return [
        _symbol_bytes(lane.released),
        float_bytes(belief),
        float_bytes(lane.least),
        float_bytes(lane.leakage),
        np.ascontiguousarray(lane.over, dtype=np.uint8).tobytes(),
        float_bytes(lane.total),
        float_bytes(lane.error),
        float_bytes(lane.expected),
    ]


def _symbol_bytes(symbols: NDArray[np.int64]) -> bytes:
    # What was never released, -1, travels as 65,535.
    return np.ascontiguousarray(symbols, dtype="<i4").astype("<u2").tobytes()
