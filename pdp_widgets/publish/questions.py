"""Questions whose answers are sealed: asked in a notebook, judged without their answers in plain text.

A reply to an answer is encrypted with a key that is made of that answer. Whoever has the right answer can
open the reply to it, and so can a page without a kernel, by ``js/src/compute/seal.ts``. Hints and model
answers can be opened by anybody who looks at the code: they are veiled, so that nobody reads them by
accident.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pdp_widgets.core.checks import number_or_nan, shown
from pdp_widgets.errors import QuestionError, Where
from pdp_widgets.models.labels import is_text

__all__ = [
    "Reply",
    "SealedQuestion",
    "Verdict",
    "as_answer",
    "choice_question",
    "explorer_question",
    "judge",
    "number_question",
    "text_question",
    "told",
    "view_parts",
]

#: Rounds of the key: a few milliseconds for one answer, hours for all numbers with six digits.
ROUNDS = 2000
_TAG, _BLOCK = 8, 32
_LONGEST = 20_000
#: A page refuses more (js/src/page/limits.ts): each reply takes it time, and each part twice as much.
_MOST_REPLIES, _MOST_HINTS, _MOST_PARTS = 100, 20, 8
#: How far beyond its ends a range still counts, in its own widths: what was computed is rounded.
_ROUNDING = 1e-6
#: How many times as large as its width the numbers of a range may be.
_FINEST = 1e5
_OTHERWISE = "Not right yet."


@dataclass(frozen=True)
class Reply:
    """What is said to one answer, or to each of a range of them.

    Parameters
    ----------
    sealed
        The reply, encrypted.
    cells
        For each part of the answer that is a number, where the cells of a grid begin, in widths from 0, and
        how wide they are: all numbers of one cell are the same answer.
    """

    sealed: str
    cells: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right, None where a person has to read it, and what is said to it."""

    right: bool | None
    text: str


@dataclass(frozen=True)
class SealedQuestion:
    """A question as it is stored and shown; made by `number_question` and its like."""

    name: str
    #: ``"number"``, ``"choice"``, ``"text"`` or ``"explorer"``.
    kind: str
    prompt: str
    salt: str
    replies: tuple[Reply, ...] = ()
    #: What is said to an answer that no reply is for.
    otherwise: str = _OTHERWISE
    #: Veiled.
    hints: tuple[str, ...] = ()
    model: str = ""
    points: float = 1.0
    unit: str = ""
    options: tuple[str, ...] = ()
    #: Words that a text has at least before it is compared.
    least: int = 0
    #: Of a question about an explorer: its front end's module, and the names that count in its view.
    module: str = ""
    parts: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the question as it stands in a file."""
        return asdict(self)

    @classmethod
    def from_json(cls, held: Any) -> SealedQuestion:
        """Read a question from a file; QuestionError for what is none."""
        try:
            replies = tuple(
                Reply(
                    str(one["sealed"]), {str(k): (float(a), float(b)) for k, (a, b) in one["cells"].items()}
                )
                for one in held["replies"]
            )
            lists = {name: tuple(map(str, held[name])) for name in ("hints", "options", "parts")}
            return cls(**{**held, "replies": replies, **lists})
        except (AttributeError, KeyError, TypeError, ValueError):
            raise QuestionError(
                "The file holds something that is no question. Write it again with Question.write(...)."
            ) from None


# The seal


def _key(salt: str, answer: str, rounds: int) -> bytes:
    """Return the first block of PBKDF2 with HMAC-SHA256 (RFC 8018)."""
    # By hand: hashlib has it only with OpenSSL, which a Python in the browser lacks.
    begun = hmac.new(answer.encode(), digestmod=hashlib.sha256)

    def digest(message: bytes) -> bytes:
        one = begun.copy()
        one.update(message)
        return one.digest()

    last = digest(salt.encode() + b"\0\0\0\1")
    key = int.from_bytes(last)
    for _ in range(rounds - 1):
        last = digest(last)
        key ^= int.from_bytes(last)
    return key.to_bytes(len(last))


def _stream(key: bytes, size: int) -> bytes:
    blocks = range(-(-size // _BLOCK))
    return b"".join(hmac.digest(key, b"stream%d" % k, "sha256") for k in blocks)[:size]


def _tag(key: bytes, hidden: bytes) -> bytes:
    return hmac.digest(key, b"tag" + hidden, "sha256")[:_TAG]


def _seal(key: bytes, text: str) -> str:
    plain = text.encode()
    hidden = bytes(a ^ b for a, b in zip(plain, _stream(key, len(plain)), strict=True))
    return b64encode(_tag(key, hidden) + hidden).decode()


def _open(key: bytes, sealed: str) -> str | None:
    """Return what was sealed with this key, or None where it was another one."""
    data = b64decode(sealed)
    hidden = data[_TAG:]
    if not hmac.compare_digest(data[:_TAG], _tag(key, hidden)):
        return None
    return bytes(a ^ b for a, b in zip(hidden, _stream(key, len(hidden)), strict=True)).decode()


def _veil(salt: str) -> bytes:
    return _key(salt, "", 1)


def told(question: SealedQuestion, opened: int) -> list[str]:
    """Return the first hints of a question."""
    return [_open(_veil(question.salt), one) or "" for one in question.hints[:opened]]


def _plain(value: Any) -> Any:
    """Return a value as a browser writes it: there 2.0 is 2."""
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _spelled(parts: Mapping[str, Any], cells: Mapping[str, tuple[float, float]]) -> list[str]:
    """Spell an answer as its key is made of it: a number as its cell, at an edge as either of two."""
    spelled = [""]
    for name, value in parts.items():
        if name in cells:
            number, (begin, width) = number_or_nan(value), cells[name]
            if not math.isfinite(number):
                return []
            place = number / width - begin
            written = sorted({str(math.floor(place + room)) for room in (_ROUNDING, -_ROUNDING)})
        else:
            written = [json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))]
        spelled = [f"{before}{name}={text}\n" for before in spelled for text in written]
    return spelled


def _reply(salt: str, parts: Mapping[str, Any], cells: Mapping[str, Any], verdict: Verdict) -> Reply:
    said = json.dumps({"right": verdict.right, "text": verdict.text}, ensure_ascii=False)
    return Reply(_seal(_key(salt, _spelled(parts, cells)[0], ROUNDS), said), cells)


def judge(question: SealedQuestion, answer: Any) -> Verdict:
    """Say whether an answer is right, and why.

    Parameters
    ----------
    question
        The question.
    answer
        What `as_answer` takes, not None.

    Examples
    --------
    >>> two = number_question("two", "What is ln 2?", 0.6931, tolerance=0.001, explain="e^0.693 = 2.")
    >>> judge(two, 0.693)
    Verdict(right=True, text='e^0.693 = 2.')
    >>> judge(two, 0.7).right
    False
    """
    if question.kind == "text":
        return Verdict(None, _open(_veil(question.salt), question.model) or "")
    parts = answer if question.kind == "explorer" else {"answer": answer}
    for reply in question.replies:
        for spelled in _spelled(parts, reply.cells):
            said = _open(_key(question.salt, spelled, ROUNDS), reply.sealed)
            if said is not None:
                return Verdict(**json.loads(said))
    return Verdict(False, question.otherwise)


# Making questions


def _fault(name: str, text: str) -> QuestionError:
    return QuestionError(text, Where("parameter", name=name))


def _words(name: str, value: Any, *, empty: bool = False) -> str:
    if not is_text(value) or len(value) > _LONGEST or not (empty or value.strip()):
        raise _fault(name, f"{name} is {shown(value)}; give text of at most {_LONGEST:,} characters.")
    return str(value)


def _check_many(name: str, many: int, most: int) -> None:
    if many > most:
        raise _fault(name, f"{name} has {many} entries; give at most {most}.")


def _begun(
    kind: str, name: Any, prompt: Any, hints: Iterable[str], points: Any, otherwise: Any, **more: Any
) -> dict[str, Any]:
    """Return what every question has, checked."""
    name, prompt = _words("name", name), _words("prompt", prompt)
    worth = number_or_nan(points)
    if not 0 <= worth < math.inf:
        raise _fault("points", f"points is {shown(points)}; give a finite number, 0 or more.")
    # The same question has the same salt, so that a file of questions changes only where a question does.
    salt = hashlib.sha256(f"{name}\n{prompt}".encode()).hexdigest()[:16]
    if isinstance(hints, str):
        raise _fault("hints", "hints is a text; give a list of texts, the gentlest first.")
    veiled = tuple(_seal(_veil(salt), _words("hints", one)) for one in hints)
    _check_many("hints", len(veiled), _MOST_HINTS)
    said = {"otherwise": _words("otherwise", otherwise), "hints": veiled, "points": worth}
    return {"name": name, "kind": kind, "prompt": prompt, "salt": salt, **said, **more}


def _range(name: str, low: float, high: float) -> tuple[float, float]:
    """Return a grid of which one cell is a range with both of its ends."""
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise _fault(name, f"{name} is {low:g} to {high:g}; give two finite numbers, the smaller one first.")
    if max(abs(low), abs(high)) > _FINEST * (high - low):
        raise _fault(
            name, f"{name} is {low:g} to {high:g}; that is too narrow to be told apart from rounding."
        )
    # In few digits: more of them would tell which of its steps is meant. They say how the range lies between
    # two steps of the grid, and no more.
    width = float(f"{high - low:.12g}")
    return round(low / width % 1, 7), width


def number_question(
    name: str,
    prompt: str,
    answer: float,
    *,
    tolerance: float,
    unit: str = "",
    explain: str = "",
    wrong: Mapping[float, str] | None = None,
    hints: Iterable[str] = (),
    points: float = 1.0,
    otherwise: str = _OTHERWISE,
) -> SealedQuestion:
    """Seal a question for a number, see `pdp_widgets.Question.number`."""
    begun = _begun("number", name, prompt, hints, points, otherwise, unit=_words("unit", unit, empty=True))
    width = number_or_nan(tolerance)
    if not 0 < width < math.inf:
        raise _fault("tolerance", f"tolerance is {shown(tolerance)}; give a finite number above 0.")
    _check_many("wrong", len(wrong or ()), _MOST_REPLIES - 1)
    replies = []
    said = {answer: Verdict(True, _words("explain", explain, empty=True))}
    said |= {number: Verdict(False, _words("wrong", text)) for number, text in (wrong or {}).items()}
    for number, verdict in said.items():
        if not math.isfinite(number_or_nan(number)):
            raise _fault(
                "answer", f"An answer is {shown(number)}; give a finite number, or ask for a choice."
            )
        cells = {"answer": _range("tolerance", number - width, number + width)}
        replies.append(_reply(begun["salt"], {"answer": number}, cells, verdict))
    # In an order that does not say which is which.
    return SealedQuestion(replies=tuple(sorted(replies, key=lambda one: one.sealed)), **begun)


def choice_question(
    name: str,
    prompt: str,
    options: Mapping[str, str] | Sequence[str],
    answer: str,
    *,
    explain: str = "",
    hints: Iterable[str] = (),
    points: float = 1.0,
    otherwise: str = _OTHERWISE,
) -> SealedQuestion:
    """Seal a question for one of some options, see `pdp_widgets.Question.choice`."""
    begun = _begun("choice", name, prompt, hints, points, otherwise)
    said = options if isinstance(options, Mapping) else dict.fromkeys(options, "")
    listed = tuple(_words("options", one) for one in said)
    _check_many("options", len(listed), _MOST_REPLIES)
    if len(listed) < 2 or answer not in listed:
        raise _fault(
            "answer", f"answer is {shown(answer)}; give one of the options, of which there are two or more."
        )
    replies = tuple(
        _reply(
            begun["salt"],
            {"answer": one},
            {},
            Verdict(
                one == answer,
                text or (_words("explain", explain, empty=True) if one == answer else otherwise),
            ),
        )
        for one, text in said.items()
    )
    return SealedQuestion(options=listed, replies=replies, **begun)


def text_question(
    name: str,
    prompt: str,
    model: str,
    *,
    least: int = 5,
    hints: Iterable[str] = (),
    points: float = 1.0,
) -> SealedQuestion:
    """Veil a question for a few sentences, see `pdp_widgets.Question.text`."""
    begun = _begun("text", name, prompt, hints, points, _OTHERWISE)
    if isinstance(least, bool) or not isinstance(least, int) or least < 1:
        raise _fault("least", f"least is {shown(least)}; give a number of words, 1 or more.")
    veiled = _seal(_veil(begun["salt"]), _words("model", model))
    return SealedQuestion(model=veiled, least=least, **begun)


def explorer_question(
    name: str,
    prompt: str,
    module: str,
    wanted: Mapping[str, Any],
    *,
    explain: str = "",
    hints: Iterable[str] = (),
    points: float = 1.0,
    otherwise: str = _OTHERWISE,
) -> SealedQuestion:
    """Seal a question for the state of an explorer, see `pdp_widgets.Question.explorer`."""
    if not isinstance(wanted, Mapping) or not wanted:
        raise _fault(
            "wanted", "wanted names nothing; give names of the explorer's view with what they are to be."
        )
    _check_many("wanted", len(wanted), _MOST_PARTS)
    begun = _begun("explorer", name, prompt, hints, points, otherwise, module=module, parts=tuple(wanted))
    cells = {
        part: _range(part, number_or_nan(one[0]), number_or_nan(one[1]))
        for part, one in wanted.items()
        if isinstance(one, tuple) and len(one) == 2
    }
    for part, one in wanted.items():
        if part not in cells and isinstance(_plain(one), float):
            raise _fault(
                part, f"{part} is {one:g}; give a pair (least, most): numbers on a screen are rounded."
            )
    parts = {part: sum(one) / 2 if part in cells else one for part, one in wanted.items()}
    right = Verdict(True, _words("explain", explain, empty=True))
    return SealedQuestion(replies=(_reply(begun["salt"], parts, cells, right),), **begun)


def view_parts(view: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return what stands under some names in the view of an explorer: ``"results.largest.value"``."""
    found = {}
    for name in names:
        held: Any = view
        for key in name.split("."):
            held = held.get(key) if isinstance(held, Mapping) else None
        found[name] = None if isinstance(held, Mapping | bytes | memoryview) else held
    return found


def as_answer(question: SealedQuestion, value: Any) -> Any:
    """Return an answer as it is kept, None for none; QuestionError for what cannot be one."""
    if value is None:
        return None
    where = Where("parameter", name="answer")
    if question.kind == "number":
        number = number_or_nan(value)
        if not math.isfinite(number):
            raise QuestionError(f"The answer is {shown(value)}; give a finite number.", where)
        return number
    if question.kind == "choice":
        if not isinstance(value, str) or value not in question.options:
            listed = ", ".join(map(repr, question.options))
            raise QuestionError(f"The answer is {shown(value)}; give one of {listed}.", where)
        return value
    if question.kind == "text":
        if not is_text(value) or len(value) > _LONGEST:
            raise QuestionError(
                f"The answer is {shown(value)}; give text of at most {_LONGEST:,} characters.", where
            )
        return str(value) or None
    if not isinstance(value, Mapping) or set(value) != set(question.parts):
        raise QuestionError(
            f"The answer is {shown(value)}; it has the parts {', '.join(question.parts)} of an explorer.",
            where,
        )
    return {name: value[name] for name in question.parts}
