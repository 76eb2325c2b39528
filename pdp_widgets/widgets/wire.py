"""What travels to the browser and back: JSON without NaN, arrays as little-endian bytes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import PdpError, TableError, Where
from pdp_widgets.models.labels import shown

#: Characters of one label, name or title on the wire.
LONGEST_TEXT = 300
#: Bytes of all labels of a table on the wire.
LABEL_BYTES = 24_000
_SHORTEST = 12
#: The largest integer that a browser counts exactly.
_LARGEST_STAMP = 2**53

_WORDS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def json_safe(value: Any) -> Any:
    """Return a value that is valid JSON once its bytes are taken out."""
    # NaN and infinities become the words ``"NaN"``, ``"Infinity"``, ``"-Infinity"``; numpy scalars and
    # numbers of a class of their own, such as an `Amount`, become plain ones, because encoders differ in
    # what they make of such a class; tuples become lists; half of a surrogate pair becomes U+FFFD. Bytes
    # stay.
    if value is None or isinstance(value, bytes | bool):
        return value
    if isinstance(value, str):
        return _text_safe(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        if math.isfinite(value):
            return float(value)
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {_text_safe(str(k)): json_safe(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(v) for v in value]
    raise TypeError(f"{type(value).__name__} cannot be sent to the browser")


def _text_safe(text: str) -> str:
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def number(value: Any) -> float:
    """Return the number that JSON or one of its three words stands for; NaN for anything else."""
    if isinstance(value, str):
        return _WORDS.get(value, math.nan)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def float_bytes(values: NDArray[np.float64]) -> bytes:
    """Return float64 numbers in C order as little-endian bytes."""
    return np.ascontiguousarray(values, dtype="<f8").tobytes()


def flag_bytes(values: NDArray[Any]) -> bytes:
    """Return flags in C order, one byte each: 1 for true."""
    return np.ascontiguousarray(values, dtype=np.bool_).tobytes()


def _checked_bytes(data: Any, size: int, width: int) -> Any:
    """Return bytes as they came, or raise TableError; nothing is copied before their length is known."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TableError(
            f"The browser sent no numbers for the {size} cells; reload the page.", Where("table")
        )
    sent = data.nbytes if isinstance(data, memoryview) else len(data)
    if sent != size * width:
        raise TableError(
            f"The table has {size} cells and {sent / width:.12g} numbers came; reload the page.",
            Where("table"),
        )
    return data


def floats(data: Any, size: int) -> NDArray[np.float64]:
    """Return ``size`` numbers of little-endian float64 bytes, as an array of its own."""
    return np.frombuffer(bytes(_checked_bytes(data, size, 8)), dtype="<f8").astype(np.float64)


def flags(data: Any, size: int) -> NDArray[np.bool_]:
    """Return ``size`` flags of a string of bytes, as an array of its own."""
    return np.frombuffer(bytes(_checked_bytes(data, size, 1)), dtype=np.uint8) != 0


def _strange(name: str) -> TableError:
    return TableError(
        f"The browser sent something for {name!r} that is not understood; reload the page.", Where("table")
    )


def is_stamp(value: Any) -> bool:
    """Tell whether a value counts something: a plain integer that a browser can count to."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_STAMP


def sent_positions(request: Mapping[str, Any], name: str, n: int, now: Sequence[int]) -> list[int]:
    """Return a list of at most n integers of a request, or what stands now; TableError for anything else."""
    if name not in request:
        return list(now)
    sent = request[name]
    if not isinstance(sent, list | tuple) or len(sent) > n:
        raise _strange(name)
    for position in sent:
        if isinstance(position, bool) or not isinstance(position, int):
            raise _strange(name)
    return list(sent)


def sent_position(request: Mapping[str, Any], name: str, now: int) -> int:
    """Return an integer of a request, or what stands now; TableError for anything else."""
    return sent_positions({name: [request[name]]}, name, 1, [now])[0] if name in request else now


def sent_flag(request: Mapping[str, Any], name: str, now: bool) -> bool:
    """Return a flag of a request, or what stands now; TableError for anything else."""
    sent = request.get(name, now)
    if not isinstance(sent, bool):
        raise _strange(name)
    return sent


def sent_text(request: Mapping[str, Any], name: str, now: str) -> str:
    """Return a short text of a request, or what stands now; TableError for anything else."""
    sent = request.get(name, now)
    if not isinstance(sent, str) or len(sent) > LONGEST_TEXT:
        raise _strange(name)
    return sent


def sent_choice(request: Mapping[str, Any], name: str, now: str, choices: Sequence[str]) -> str:
    """Return one of some words of a request, or what stands now; TableError for anything else."""
    sent = sent_text(request, name, now)
    if sent not in choices:
        raise _strange(name)
    return sent


def sent_numbers(request: Mapping[str, Any], name: str, n: int, now: Sequence[float]) -> list[float]:
    """Return n numbers of a request, or what stands now; TableError for another count or kind."""
    # A number that JSON cannot write comes as a word, see `number`.
    sent = request.get(name, now)
    if not isinstance(sent, list | tuple) or len(sent) != n:
        raise _strange(name)
    return [number(value) for value in sent]


def label_texts(labels: Iterable[Any], budget: int = LABEL_BYTES, count: int | None = None) -> list[str]:
    """Return labels or names as text for the browser; long ones end in "…", since positions identify them."""
    listed = list(labels)
    most = max(_SHORTEST, budget // max(1, len(listed) if count is None else count))
    return [_cut(label if isinstance(label, str) else _plain(label), most) for label in listed]


def _plain(label: Any) -> str:
    # Python refuses to write integers of thousands of digits.
    return shown(label) if isinstance(label, int) and label.bit_length() > 3000 else str(label)


def _size(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False).encode())


def _cut(text: str, most: int) -> str:
    if len(text) <= LONGEST_TEXT and _size(text) <= most:
        return text
    kept = text[: min(LONGEST_TEXT, most) - 1]
    while kept and _size(kept) + 3 > most:
        kept = kept[: -max(1, (_size(kept) + 3 - most) // 8)]
    return kept + "…"


def fault(text: str, where: Where | None = None) -> dict[str, Any]:
    """Return a fault as the browser expects it."""
    place = None
    if where is not None:
        place = {"kind": where.kind, "index": where.index, "axis": where.axis, "name": where.name}
        place = {k: v for k, v in place.items() if v is not None}
    return {"text": text, "where": place}


def fault_of(error: PdpError | None) -> dict[str, Any] | None:
    """Return the fault of an error about input, or None."""
    return None if error is None else fault(plainly(error), error.where)


def plainly(error: Exception) -> str:
    """Return what is wrong in the words of a screen: what only a call in Python can do is left out."""
    return error.plain if isinstance(error, PdpError) else str(error)
