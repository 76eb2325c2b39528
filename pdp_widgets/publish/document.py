"""The text of a leakage document: lines that people and version control can read, and values in them."""

from __future__ import annotations

import base64
import gzip
import json
import math
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from inspect import signature
from typing import Any

import numpy as np

from pdp_widgets.core.checks import shown
from pdp_widgets.errors import LimitError, PdpError, Where
from pdp_widgets.mechanisms.histogram_query import HistogramQuery
from pdp_widgets.mechanisms.joint_query import TableQuery
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.mechanisms.sequence.distances import Distance
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.check_ins import CheckIns
from pdp_widgets.models.friendships import Friendships
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.models.microdata_columns import MicrodataColumn
from pdp_widgets.models.networks.bayesian_network import BayesianNetwork
from pdp_widgets.models.networks.markov_network import MarkovNetwork
from pdp_widgets.models.runs import MOST_RECORDS
from pdp_widgets.models.social_network import SocialNetwork
from pdp_widgets.models.sparse_joint import SparseJoint

__all__ = [
    "ENDING",
    "VALUES",
    "DocumentError",
    "fault_at",
    "literal",
    "packed",
    "parsed",
    "restored",
    "written",
]

#: How the name of a document ends.
ENDING = ".leakage.json"
#: Characters of a document, and of a page once it is unpacked.
MOST = 1 << 24
_WIDTH, _BESIDE = 100, 10
#: Browsers count whole numbers exactly up to here; larger ones are text.
_EXACT = 1 << 53
_HALVES = re.compile("[\ud800-\udfff]")
_SINGLE = (bool, int, float, str, type(None))
Path = tuple[str | int, ...]


class DocumentError(PdpError):
    """A leakage document cannot be read or written; the message says where the fault is."""


# Lines. js/src/lab/document.ts writes the same ones, so that saving in JupyterLab changes no other line.


def literal(value: Any, indent: str = "", *, python: bool = False) -> str:
    """Return a value of JSON as lines: JSON, or an expression of Python."""
    if isinstance(value, Mapping):
        parts = [
            f"{_one(str(key), python)}: {literal(one, indent + '  ', python=python)}"
            for key, one in value.items()
        ]
        return _lines("{", parts, "}", indent)
    if isinstance(value, list | tuple):
        if all(isinstance(one, _SINGLE) for one in value):
            each = [_one(one, python) for one in value]
            line = f"[{', '.join(each)}]"
            if len(line) <= _WIDTH:
                return line
            return _lines(
                "[", [", ".join(each[k : k + _BESIDE]) for k in range(0, len(each), _BESIDE)], "]", indent
            )
        return _lines("[", [literal(one, indent + "  ", python=python) for one in value], "]", indent)
    return _one(value, python)


def _lines(begin: str, parts: Sequence[str], end: str, indent: str) -> str:
    if not parts:
        return begin + end
    inside = f",\n{indent}  ".join(parts)
    return f"{begin}\n{indent}  {inside}\n{indent}{end}"


def _one(value: Any, python: bool) -> str:
    if isinstance(value, float):
        return _number(value)
    if python and (value is None or isinstance(value, bool)):
        return repr(value)
    text = json.dumps(value, ensure_ascii=False)
    # Halves of a sign are no text in UTF-8.
    return text if text.isascii() else _HALVES.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def _number(value: float) -> str:
    """Return a finite number as JavaScript writes it, with the fewest digits that give it back."""
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    assert isinstance(exponent, int)
    text, point = "".join(map(str, digits)), len(digits) + exponent
    if not value:
        return "0"
    if len(text) <= point <= 21:
        text = text.ljust(point, "0")
    elif 0 < point <= 21:
        text = f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        text = f"0.{'0' * -point}{text}"
    else:
        rest = f".{text[1:]}" if len(text) > 1 else ""
        text = f"{text[0]}{rest}e{point - 1:+d}"
    return f"-{text}" if sign else text


def parsed(text: str) -> Any:
    """Return what stands in the text of a document, or raise DocumentError with the line."""
    if len(text) > MOST:
        raise DocumentError(f"The document has {len(text):,} characters; at most {MOST:,} are read.")

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(found)
        if len(made) < len(found):
            raise ValueError("a name stands twice in one object")
        return made

    def refuse(word: str) -> Any:
        raise ValueError(f"{word} is no number of JSON; write it as text")

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise DocumentError(
            f"Line {error.lineno}, column {error.colno}: this is no JSON ({error.msg})."
        ) from None
    except RecursionError:
        raise DocumentError("The document is nested too deep to be read.") from None
    except ValueError as error:
        raise DocumentError(f"The document cannot be read: {error}.") from None


def fault_at(text: str | None, path: Path, words: str) -> DocumentError:
    """Return the error that something is wrong at a place, with its line where there is a text."""
    name = ".".join(map(str, path)) or "the document"
    line = "" if text is None else f"Line {text.count(chr(10), 0, _begin(text, path)) + 1}, "
    return DocumentError(f"{line}{name}: {words}", Where("parameter", name=name))


def _begin(text: str, path: Path) -> int:
    """Return where the value at a path begins in a text, or the innermost there is that holds it."""
    scan = json.JSONDecoder().raw_decode

    def after(at: int, signs: str) -> int:
        while at < len(text) and text[at] in signs:
            at += 1
        return at

    at = after(0, " \t\r\n")
    for step in path:
        inside, place = after(at + 1, " \t\r\n"), 0
        while inside < len(text) and text[inside] not in "]}":
            key: str | int = place
            if text[at] == "{":
                key, inside = scan(text, inside)
                inside = after(inside, " \t\r\n:")
            if key == step:
                break
            inside, place = after(scan(text, inside)[1], " \t\r\n,"), place + 1
        else:
            return at
        at = inside
    return at


def packed(model: Any, state: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a page needs to show a model without a kernel, in one line, and which model it is of."""
    text = json.dumps(state, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    packed_ = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
    return {"of": zlib.crc32(literal(model).encode()), "state": packed_}


# Values: how a class stands in a document, by its public constructor, and is made again.


def _floats(numbers: Any) -> list[Any]:
    """Return an array as lists; what JSON has no number for is a word."""
    if isinstance(numbers, np.ndarray):
        numbers = numbers.tolist()
    return [_floats(one) if isinstance(one, list) else _word(one) for one in numbers]


def _word(number: float) -> Any:
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def _array(numbers: Any) -> np.ndarray[Any, Any]:
    """Return lists of numbers as an array; words stand for what JSON has no number for."""
    return np.array(numbers, dtype=np.float64)


def _codes(numbers: Any) -> np.ndarray[Any, Any]:
    made = np.array(numbers)
    if made.dtype.kind == "U":
        # Some are too large for the numbers of a browser, see `_held`.
        made = made.astype(np.int64)
    if made.size and made.dtype.kind not in "iu":
        raise TypeError("positions are whole numbers")
    return made.astype(np.int64)


def _joint_parts(joint: JointDistribution) -> dict[str, Any]:
    found = {"title": joint.title, "names": joint.names, "labels": joint.domains}
    if joint.counts is not None:
        found["counts"] = joint.counts.tolist()
    # Shares that were added up are another last digit than the counts give.
    if joint.counts is None or not np.array_equal(joint.counts / joint.counts.sum(), joint.table):
        found["probabilities"] = _floats(joint.table)
    return found


def _joint(
    title: str, names: Any, labels: Any, counts: Any = None, probabilities: Any = None
) -> JointDistribution:
    if counts is None:
        return JointDistribution(_array(probabilities), labels, names, title=title)
    counted = JointDistribution.from_counts(counts, labels, names, title)
    if probabilities is None:
        return counted
    table = JointDistribution(_array(probabilities), labels, names, title=title).table
    if counted.counts is None or counted.table.shape != table.shape:
        raise TypeError("counts and probabilities are of one shape")
    return JointDistribution._build(table, labels, names, title, counted.counts.copy())


def _gaussian(title: str, names: Any, unit: str, mean: Any, cov: Any, records: Any = None) -> GaussianModel:
    if not (records is None or (type(records) is int and records > 1)):
        raise TypeError("records are a whole number of at least 2, or null")
    checked = GaussianModel(_array(mean), _array(cov), names, title=title, unit=unit)
    return GaussianModel._build(
        checked.mean, checked.cov, checked.names, checked.title, checked.unit, records
    )


def _repeated(rows: np.ndarray[Any, Any]) -> list[Any]:
    """Return rows with how many times each stands there one after the other."""
    begins: Any = np.flatnonzero(np.r_[True, (rows[1:] != rows[:-1]).any(axis=1)]) if len(rows) else []
    times = np.diff(np.r_[begins, len(rows)])
    return [[int(many), *rows[at].tolist()] for many, at in zip(times, begins, strict=True)]


def _unrolled(rows: Any) -> np.ndarray[Any, Any]:
    found = _codes(rows)
    if found.ndim != 2 or (found[:, 0] < 1).any():
        raise TypeError("a row is how many times it stands there, and the position of each label")
    # Added up as floats: so many that they have no whole number are too many as well.
    if found[:, 0].sum(dtype=np.float64) * max(1, found.shape[1] - 1) > MOST:
        raise LimitError(f"The rows have more than {MOST:,} values.", Where("parameter", name="rows"))
    return np.repeat(found[:, 1:], found[:, 0], axis=0)


def _sparse(title: str, names: Any, labels: Any, rows: Any, probabilities: Any) -> SparseJoint:
    codes = _codes(rows)
    if codes.ndim != 2 or codes.shape[1] != len(labels) or (codes < 0).any():
        raise TypeError("a row of a SparseJoint is the position of a label for each tuple")
    support = [[labels[j][code] for j, code in enumerate(row)] for row in codes.tolist()]
    return SparseJoint(support, _array(probabilities), names, title, domains=labels)


def _column_parts(column: MicrodataColumn) -> dict[str, Any]:
    return {
        "name": column.name,
        "labels": column.labels,
        "ordered": column.ordered,
        "values": [None if math.isnan(one) else one for one in column.values.tolist()],
    }


def _column(name: str, labels: Any, ordered: bool, values: Any) -> MicrodataColumn:
    numbers = np.array([math.nan if one is None else one for one in values], dtype=np.float64)
    known = numbers[~np.isnan(numbers)]
    if not isinstance(name, str) or not name or not isinstance(ordered, bool) or np.isinf(known).any():
        raise TypeError("a column has a name, true or false for ordered, and finite values")
    if labels is not None and not np.isin(known, np.arange(len(labels))).all():
        raise TypeError(f"a value of column {shown(name)} is the position of no label")
    return MicrodataColumn(name, numbers, None if labels is None else tuple(labels), ordered)


def _microdata(title: str, columns: Any, counts: Any = None) -> Microdata:
    made = tuple(_column(**column) for column in columns)
    if not made or len({len(one.values) for one in made}) > 1:
        raise TypeError("microdata have columns, all of one length")
    if counts is None:
        return Microdata._build(made, str(title))
    many = _codes(counts)
    if many.shape != made[0].values.shape or (many < 1).any() or many.sum(dtype=np.float64) > MOST_RECORDS:
        raise TypeError(f"counts are whole numbers, 1 or more for each row, {MOST_RECORDS:,} at most in all")
    return Microdata._build(made, str(title), many)


def _network_parts(network: SocialNetwork) -> dict[str, Any]:
    ins = network.check_ins
    return {
        "title": network.title,
        "users": ins.users.tolist(),
        "times": np.datetime_as_string(ins.times, unit="s").tolist(),
        "latitudes": _floats(ins.places[:, 0]),
        "longitudes": _floats(ins.places[:, 1]),
        "codes": ins.codes.tolist(),
        "locations": ins.locations,
        "friendships": network.friendships.edges.tolist(),
        "dropped": [ins.dropped, network.friendships.dropped],
        "place": ins.title,
    }


def _network(
    title: str,
    users: Any,
    times: Any,
    latitudes: Any,
    longitudes: Any,
    codes: Any,
    locations: Any,
    friendships: Any,
    dropped: Any,
    place: str,
) -> SocialNetwork:
    places = np.stack([_array(latitudes), _array(longitudes)], axis=1)
    moments = np.array(times, dtype="datetime64[s]")
    made = CheckIns.from_arrays(_codes(users), moments, places, _codes(codes), locations, place)
    lost, unread = map(int, dropped)
    ins = CheckIns._of(made.users, made.times, made.places, made.codes, made.locations, lost, made.title)
    return SocialNetwork(ins, Friendships._of(_codes(friendships).reshape(-1, 2), unread), title)


def _chain(states: Any, start: Any, transitions: Any, early: Any = None) -> MarkovChain:
    given = _array(transitions), _array(start), None if early is None else _array(early)
    checked = MarkovChain(given[0], given[1], states, **({} if early is None else {"early": given[2]}))
    kept = checked.transitions, checked.start, checked.early
    # Laws are divided by their sums: those that were so once keep their last digit.
    pairs = [(a, b) for a, b in zip(given, kept, strict=True) if a is not None and b is not None]
    if not all(np.allclose(a, b, rtol=1e-15, atol=0) for a, b in pairs):
        return checked
    made = MarkovChain.__new__(MarkovChain)
    made._keep(*given, checked.states)
    return made


def _bayesian(names: Any, labels: Any, parents: Any, tables: Any, counts: Any = None) -> BayesianNetwork:
    """Return a network as it was; its own constructor takes tables by name and the rest from them."""
    made = BayesianNetwork(
        [(names[p], names[j]) for j, above in enumerate(parents) for p in above],
        {name: _array(table) for name, table in zip(names, tables, strict=True)},
        dict(zip(names, labels, strict=True)),
    )
    if made.names != tuple(names) or made.parent_positions != tuple(map(tuple, parents)):
        raise TypeError("parents are positions of tuples, in the order of the axes of a table")
    return (
        made
        if counts is None
        else BayesianNetwork._build(
            made.names,
            made.domains,
            made.parent_positions,
            made.tables,
            counts=[_array(one) for one in counts],
        )
    )


def _factors(names: Any, labels: Any, scopes: Any, tables: Any) -> MarkovNetwork:
    pairs = [([names[j] for j in scope], _array(one)) for scope, one in zip(scopes, tables, strict=True)]
    return MarkovNetwork(pairs, dict(zip(names, labels, strict=True)))


#: Class, parts by name, and what makes it of them.
VALUES: Mapping[str, tuple[type, Callable[[Any], dict[str, Any]], Callable[..., Any]]] = {
    "JointDistribution": (JointDistribution, _joint_parts, _joint),
    "GaussianModel": (
        GaussianModel,
        lambda one: {
            "title": one.title,
            "names": one.names,
            "unit": one.unit,
            "mean": _floats(one.mean),
            "cov": _floats(one.cov),
            "records": one.records,
        },
        _gaussian,
    ),
    "SparseJoint": (
        SparseJoint,
        lambda one: {
            "title": one.title,
            "names": one.tuples,
            "labels": one.domains,
            "rows": one._codes.tolist(),
            "probabilities": _floats(one.probabilities),
        },
        _sparse,
    ),
    "AttributeTable": (
        AttributeTable,
        lambda one: {
            "title": one.title,
            "names": one.names,
            "labels": one.domains,
            "rows": _repeated(one.codes),
        },
        lambda title, names, labels, rows: AttributeTable(
            _unrolled(rows), None, names, title, domains=labels
        ),
    ),
    "Microdata": (
        Microdata,
        lambda one: {
            "title": one.title,
            "columns": [_column_parts(column) for column in one.by_row],
            "counts": None if one.runs.counts is None else one.runs.counts.tolist(),
        },
        _microdata,
    ),
    "SocialNetwork": (SocialNetwork, _network_parts, _network),
    "MarkovChain": (
        MarkovChain,
        lambda one: {
            "states": one.states,
            "start": _floats(one.start),
            "transitions": _floats(one.transitions),
            "early": None if one.early is None else _floats(one.early),
        },
        _chain,
    ),
    "BayesianNetwork": (
        BayesianNetwork,
        lambda one: {
            "names": one.names,
            "labels": one.domains,
            "parents": one.parent_positions,
            "tables": [_floats(table) for table in one.tables],
            "counts": None if one.counts is None else [_floats(each) for each in one.counts],
        },
        _bayesian,
    ),
    "MarkovNetwork": (
        MarkovNetwork,
        lambda one: {
            "names": one.names,
            "labels": one.domains,
            "scopes": [scope for scope, _ in one.factors],
            "tables": [_floats(table) for _, table in one.factors],
        },
        _factors,
    ),
    "LinearQuery": (
        LinearQuery,
        lambda one: {"name": one.name, "contributions": [_floats(each) for each in one.contributions]},
        lambda name, contributions: LinearQuery(contributions, name=name),
    ),
    "HistogramQuery": (
        HistogramQuery,
        lambda one: {"name": one.name, "bins": [written(each) for each in one]},
        lambda name, bins: HistogramQuery([restored(each) for each in bins], name=name),
    ),
    "TableQuery": (
        TableQuery,
        lambda one: {"name": one.name, "outputs": _floats(one._outputs)},
        lambda name, outputs: TableQuery(outputs, name=name),
    ),
    "Distance": (
        Distance,
        lambda one: {"name": one.name, "answers": one.answers},
        lambda name, answers: Distance(name, answers),
    ),
}


def written(value: Any, name: str = "value") -> Any:
    """Return a value as a document holds it, or raise DocumentError for one that none can hold."""
    for kind, (known, parts, _) in VALUES.items():
        if type(value) is known:
            return _held({"type": kind, **parts(value)})
    if isinstance(value, (*_SINGLE, list, tuple, dict)):
        return _held(value)
    raise DocumentError(
        f"The {name} is a {type(value).__name__}, which a document cannot hold; it holds "
        f"{', '.join(list(VALUES)[:-1])} and {list(VALUES)[-1]}.",
        Where("parameter", name=name),
    )


def _held(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _held(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_held(one) for one in value]
    if isinstance(value, _SINGLE):
        if isinstance(value, float):
            return _word(value)
        return str(value) if isinstance(value, int) and abs(value) > _EXACT else value
    return written(value)


def restored(held: Any) -> Any:
    """Return the value that stands in a document; what is wrong raises as its constructor does."""
    if isinstance(held, list):
        return [restored(one) for one in held]
    if not isinstance(held, dict):
        return held
    parts = dict(held)
    kind = parts.pop("type", None)
    if kind is None:
        return {name: restored(one) for name, one in parts.items()}
    if not isinstance(kind, str) or kind not in VALUES:
        raise DocumentError(f"the type is {shown(kind)}; it is one of {', '.join(VALUES)}.")
    make = VALUES[kind][2]
    taken = {
        name: one.default is one.empty for name, one in signature(make).parameters.items() if one.kind == 1
    }
    for name, needed in taken.items():
        if needed and name not in parts:
            raise DocumentError(f"a {kind} needs {name!r}.")
    for name in parts:
        if name not in taken:
            raise DocumentError(f"a {kind} has no {name!r}; it has {', '.join(taken)}.")
    return make(**parts)
