"""The Bayesian interchange format (BIF): a network as text.

The grammar, in short; ``//`` and ``/* */`` are comments, ``property ...;`` is skipped:

    network NAME { }
    variable NAME { type discrete [ 2 ] { no, yes }; }
    probability ( NAME ) { table 0.9, 0.1; }
    probability ( NAME | PARENT, PARENT ) { (yes, no) 0.9, 0.1; default 0.5, 0.5; }

A ``table`` with parents lists the first label for all combinations of theirs, the last parent fastest, then
the second label, and so on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError, NetworkError, Where
from pdp_widgets.models.labels import Domain, as_domain, as_names, short
from pdp_widgets.models.table_checks import MOST_CELLS, check_cells
from pdp_widgets.models.text_files import file_bytes

__all__ = ["Parts", "read_bif", "written_bif"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
#: Names, labels, positions of parents, and tables with a tuple's own labels last.
Parts = tuple[tuple[str, ...], tuple[Domain, ...], list[tuple[int, ...]], list[Floats]]

_MOST_BYTES = 50_000_000
_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)|"(?P<quoted>[^"\n]*)"|(?P<mark>[{}()\[\]|,;])|"""
    r"""(?P<word>(?:(?!//|/\*)[^\s{}()\[\]|,;"])+)|(?P<wrong>.)""",
    re.DOTALL,
)
_PLAIN = re.compile(r"[A-Za-z0-9_.+\-<>=%]+")


@dataclass
class _Block:
    """What is said of one tuple: labels, parents, rows, and where."""

    line: int
    name: str
    parents: list[str] = field(default_factory=list)
    rows: list[tuple[int, list[str], list[float]]] = field(default_factory=list)
    whole: tuple[int, list[float]] | None = None
    default: tuple[int, list[float]] | None = None


class _Reader:
    """The tokens of a text, one after the other, with their lines."""

    def __init__(self, text: str) -> None:
        self.line = 1
        self._matches = _TOKEN.finditer(text)
        self.token, self.is_word = "", False
        self._next_line = 1
        self.step()

    def fail(self, message: str) -> NoReturn:
        raise NetworkError(f"Line {self.line}: {message}", Where("parameter", name="source"))

    def step(self) -> str:
        """Return the token at hand and go to the next; at the end it is empty."""
        taken = self.token
        for match in self._matches:
            self.line = self._next_line
            self._next_line += match[0].count("\n")
            if match["skip"] is not None:
                continue
            if match["wrong"] is not None:
                self.fail(f"{match['wrong']!r} opens a quotation or comment that is not closed.")
            self.is_word = match["mark"] is None
            self.token = match["quoted"] if match["quoted"] is not None else match[0]
            return taken
        self.line, self.token, self.is_word = self._next_line, "", False
        return taken

    def take(self, mark: str) -> None:
        if self.is_word or self.token != mark:
            self.fail(f"{mark!r} is due here, and {self.seen} stands there.")
        self.step()

    def at(self, mark: str) -> bool:
        return not self.is_word and self.token == mark

    @property
    def seen(self) -> str:
        return repr(self.token[:40]) if self.token or self.is_word else "the end of the text"

    def word(self, what: str) -> str:
        if not self.is_word:
            self.fail(f"{what} is due here, and {self.seen} stands there.")
        return self.step()

    def words(self, what: str, end: str) -> list[str]:
        """Return words parted by commas or blanks, up to a mark that is taken too."""
        found: list[str] = []
        while not self.at(end):
            if found and self.at(","):
                self.step()
            found.append(self.word(what))
        self.step()
        return found

    def numbers(self) -> list[float]:
        line, words = self.line, self.words("A number", ";")
        try:
            return [float(one) for one in words]
        except ValueError:
            wrong = next(one for one in words if not _is_number(one))
            self.line = line
            self.fail(f"{wrong[:40]!r} is no number.")

    def skip(self) -> None:
        """Go behind the next semicolon."""
        while not self.at(";"):
            if not self.token and not self.is_word:
                self.fail("';' is due before the end of the text.")
            self.step()
        self.step()


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def read_bif(source: str | os.PathLike[str]) -> tuple[Parts, list[Integers]]:
    """Return the parts of the network in a file, or in a text that contains a brace, unchecked.

    Beside them, for every table, the line of each row.
    """
    if isinstance(source, str) and "{" in source:
        text = source
        if len(text) > _MOST_BYTES:
            raise LimitError(
                f"The text has more than {_MOST_BYTES:,} characters.", Where("parameter", name="source")
            )
    else:
        data = file_bytes(source, NetworkError, _MOST_BYTES)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as fault:
            raise NetworkError(
                f"The file is no text in UTF-8: byte {fault.start:,} cannot be read.",
                Where("parameter", name="source"),
            ) from None
    reader = _Reader(text)
    domains: dict[str, tuple[int, list[str]]] = {}
    blocks: dict[str, _Block] = {}
    while reader.token or reader.is_word:
        kind = reader.word("network, variable or probability")
        if kind == "network":
            if reader.is_word:
                reader.step()
            reader.take("{")
            while not reader.at("}"):
                reader.skip()
            reader.step()
        elif kind == "variable":
            _read_variable(reader, domains)
        elif kind == "probability":
            block = _read_probability(reader)
            if block.name in blocks:
                reader.fail(f"{short(block.name)} has two blocks of probabilities.")
            blocks[block.name] = block
        else:
            reader.fail(f"{kind[:40]!r} is no block; blocks are network, variable and probability.")
    if not domains:
        reader.fail("there is no variable.")
    return _parts(reader, domains, blocks)


def _read_variable(reader: _Reader, domains: dict[str, tuple[int, list[str]]]) -> None:
    line, name = reader.line, reader.word("The name of a variable")
    if name in domains:
        reader.fail(f"{short(name)} is declared twice.")
    reader.take("{")
    labels: list[str] | None = None
    while not reader.at("}"):
        if reader.word("type or property") == "property":
            reader.skip()
            continue
        if reader.word("discrete") != "discrete":
            reader.fail(f"{short(name)} is not discrete; only discrete variables are read.")
        reader.take("[")
        many = reader.word("The number of labels")
        reader.take("]")
        reader.take("{")
        labels = reader.words("A label", "}")
        reader.take(";")
        if many != str(len(labels)):
            reader.fail(f"{short(name)} is said to have {many[:20]} labels, and {len(labels)} are listed.")
    reader.step()
    if not labels:
        reader.fail(f"{short(name)} has no labels.")
    domains[name] = line, labels


def _read_probability(reader: _Reader) -> _Block:
    reader.take("(")
    block = _Block(reader.line, reader.word("The name of a variable"))
    if reader.at("|"):
        reader.step()
        block.parents = reader.words("The name of a parent", ")")
    else:
        reader.take(")")
    reader.take("{")
    while not reader.at("}"):
        line = reader.line
        if reader.at("("):
            reader.step()
            combination = reader.words("A label", ")")
            block.rows.append((line, combination, reader.numbers()))
            continue
        kind = reader.word("table, default, property or a combination of labels")
        if kind == "property":
            reader.skip()
        elif kind == "table":
            _refuse_second(reader, block, line, kind, block.whole)
            block.whole = line, reader.numbers()
        elif kind == "default":
            _refuse_second(reader, block, line, kind, block.default)
            block.default = line, reader.numbers()
        else:
            reader.fail(f"{kind[:40]!r} is due to be table, default, property or '('.")
    reader.step()
    if block.whole is not None and (block.rows or block.default):
        at = block.rows[0][0] if block.rows else block.whole[0]
        reader.line = max(block.whole[0], at)
        reader.fail(f"{short(block.name)} has a table, and rows or a default beside it; give one of both.")
    return block


def _refuse_second(reader: _Reader, block: _Block, line: int, kind: str, first: Any) -> None:
    if first is not None:
        reader.line = line
        reader.fail(f"{short(block.name)} has two statements {kind!r}; give one.")


def _parts(
    reader: _Reader, domains: dict[str, tuple[int, list[str]]], blocks: dict[str, _Block]
) -> tuple[Parts, list[Integers]]:
    names = as_names(domains, len(domains))
    place = {name: j for j, name in enumerate(names)}
    labels = tuple(as_domain(found, j, names[j]) for j, (_, found) in enumerate(domains.values()))
    parents, tables, lines = [], [], []
    for name in names:
        if name not in blocks:
            reader.line = domains[name][0]
            reader.fail(f"{short(name)} has no block of probabilities.")
    for name, block in blocks.items():
        for one in (name, *block.parents):
            if one not in place:
                reader.line = block.line
                reader.fail(f"{short(one)} is no variable.")
    for name in names:
        block = blocks[name]
        above = tuple(place[one] for one in block.parents)
        reader.line = block.line
        if len(set(above)) < len(above) or place[name] in above:
            reader.fail(f"the parents of {short(name)} are {', '.join(block.parents)}; each stands once.")
        parents.append(above)
        table, at = _table(reader, block, [labels[p] for p in above], labels[place[name]])
        tables.append(table)
        lines.append(at)
    return (names, labels, parents, tables), lines


def _table(reader: _Reader, block: _Block, above: Sequence[Domain], own: Domain) -> tuple[Floats, Integers]:
    """Return the table of one tuple, with its own labels last, and the line of each row."""
    name, sizes, k = short(block.name), [len(domain) for domain in above], len(own)
    check_cells([*sizes, k], f"The table of {name}", MOST_CELLS)
    if block.whole is not None:
        reader.line, numbers = block.whole
        if len(numbers) != prod(sizes) * k:
            reader.fail(f"the table of {name} has {len(numbers)} numbers; {prod(sizes) * k} are due.")
        table = np.ascontiguousarray(np.moveaxis(np.array(numbers).reshape(k, *sizes), 0, -1))
        return table, np.full(sizes, reader.line)
    table, lines = np.empty((*sizes, k)), np.zeros(sizes, dtype=np.int64)
    if block.default is not None:
        reader.line, numbers = block.default
        if len(numbers) != k:
            reader.fail(f"the default of {name} has {len(numbers)} numbers for {k} labels.")
        table[...], lines[...] = numbers, reader.line
    seen: set[tuple[int, ...]] = set()
    for line, combination, numbers in block.rows:
        reader.line = line
        if len(combination) != len(above) or len(numbers) != k:
            reader.fail(
                f"a row of {name} has {len(combination)} labels of parents and {len(numbers)} numbers; "
                f"{len(above)} and {k} are due."
            )
        for label, domain, parent in zip(combination, above, block.parents, strict=True):
            if label not in domain:
                reader.fail(f"{short(label)} is no label of {short(parent)}.")
        index = tuple(domain.index(label) for label, domain in zip(combination, above, strict=True))
        if index in seen:
            reader.fail(f"the row ({', '.join(combination)}) of {name} is given twice.")
        seen.add(index)
        table[index], lines[index] = numbers, line
    if not lines.all():
        reader.line = block.line
        index = tuple(np.argwhere(lines == 0)[0].tolist())
        named = ", ".join(short(domain[p]) for domain, p in zip(above, index, strict=True))
        reader.fail(f"{name} has no row for ({named}), and no default." if above else f"{name} has no table.")
    return table, lines


def written_bif(
    names: Sequence[str],
    domains: Sequence[Domain],
    parents: Sequence[tuple[int, ...]],
    tables: Sequence[Floats],
) -> str:
    """Return a network as text in the format, numbers with all their digits."""
    lines = ["network unknown {", "}"]
    words = [[_word(str(label)) for label in domain] for domain in domains]
    for name, labels in zip(names, words, strict=True):
        listed = ", ".join(labels)
        lines.append(f"variable {_word(name)} {{\n  type discrete [ {len(labels)} ] {{ {listed} }};\n}}")
    for j, (above, table) in enumerate(zip(parents, tables, strict=True)):
        given = f" | {', '.join(_word(names[p]) for p in above)}" if above else ""
        lines.append(f"probability ( {_word(names[j])}{given} ) {{")
        for index in np.ndindex(table.shape[:-1]):
            row = ", ".join(map(repr, table[index].tolist()))
            of = ", ".join(words[p][k] for p, k in zip(above, index, strict=True))
            lines.append(f"  ({of}) {row};" if above else f"  table {row};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def _word(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    if '"' in text or "\n" in text:
        raise NetworkError(
            f"{short(text)} has a quotation mark or a new line, which the format cannot hold; rename it.",
            Where("parameter", name="names"),
        )
    return f'"{text}"'
