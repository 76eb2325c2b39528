"""Texts of a column as numbers or labels: which of both they are, and what is remarked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.labels import as_domain, short, shown
from pdp_widgets.models.table import Column, OrderedTexts
from pdp_widgets.models.text_records import TextColumn

__all__ = ["BORDER", "MISSING", "CellRules", "checked_missing", "checked_types", "found_decimal", "is_number"]

#: What stands for a value that is not there: an empty cell, the list of pandas, and the question mark of
#: older files.
MISSING = (
    *("", "?", "NA", "N/A", "n/a", "<NA>", "#NA", "#N/A", "#N/A N/A", "NaN", "nan", "-NaN", "-nan"),
    *("NULL", "null", "None", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
)
#: Those of them that may be meant as a label.
_WORDS = ("NULL", "null", "None")

_NUMBER = {
    ".": re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"),
    ",": re.compile(r"[+-]?(?:[0-9]+,?[0-9]*|,[0-9]+)(?:[eE][+-]?[0-9]+)?"),
}
_WHOLE = re.compile(r"[+-]?[0-9]+")
#: A code, such as that of a place: as a number it would lose its zeros.
_LEADING_ZEROS = re.compile(r"[+-]?0[0-9].*")
#: 1,234 may be a thousand or a bit more than one.
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+")
#: Numbers that are written otherwise: 1 234,5 or 12 % or $5.
_WRITTEN = re.compile(
    r"[+-]?[$€£]?\s?[0-9]{1,3}(?:[,.'\s][0-9]{3})+(?:[.,][0-9]+)?\s?[%$€£]?"
    r"|[+-]?[$€£]\s?[0-9]+(?:[.,][0-9]+)?|[+-]?[0-9]+(?:[.,][0-9]+)?\s?[%$€£]|[+-]?[0-9]+[.,][0-9]+"
)
#: Texts of a column by which the decimal mark is found.
_LOOKED_AT = 1000

#: Lines of a file, in numbers that have both: file number * BORDER + line.
BORDER = 1 << 40


def is_number(text: str, decimal: str = ".") -> bool:
    """Tell whether a text is a finite number."""
    if not _NUMBER[decimal].fullmatch(text):
        return False
    # Few digits and no exponent are no number without end.
    return (len(text) < 300 and "e" not in text.lower()) or isfinite(float(text.replace(",", ".")))


def checked_missing(missing: Any, usual: Sequence[str] = MISSING) -> frozenset[str]:
    """Return what stands for missing values, with what always does, or raise DomainError."""
    if missing is None:
        return frozenset(usual[:1])
    listed = [missing] if isinstance(missing, str) or not isinstance(missing, Iterable) else list(missing)
    if not all(isinstance(one, str) for one in listed):
        raise DomainError(
            f"The missing values are {shown(missing)}; give a list of texts, or None for empty cells alone.",
            Where("parameter", name="missing"),
        )
    return frozenset([*usual, *(one.strip() for one in listed)])


def checked_types(types: Any, names: Sequence[str]) -> dict[str, str | tuple[str, ...]]:
    """Return types by column, or raise DomainError."""
    where = Where("parameter", name="types")
    if types is not None and not isinstance(types, Mapping):
        raise DomainError(f'The types are {shown(types)}; give them by column, {{"age": "number"}}.', where)
    found: dict[str, str | tuple[str, ...]] = {}
    for name, kind in (types or {}).items():
        if str(name) not in names:
            listing = ", ".join(short(one) for one in names[:12])
            raise DomainError(
                f"There is no column {short(name)}, for which a type is given; the columns are {listing}.",
                where,
            )
        if isinstance(kind, list | tuple):
            found[str(name)] = tuple(map(str, as_domain(kind, names.index(str(name)), str(name))))
        elif kind in ("number", "text", "order"):
            found[str(name)] = kind
        else:
            raise DomainError(
                f"The type of {short(name)} is {shown(kind)}; it is 'number', 'text', 'order' (texts in the "
                "order of their numbers and letters), or a list of labels in their order.",
                where,
            )
    return found


def found_decimal(columns: Iterable[TextColumn], gone: frozenset[str]) -> str:
    """Return the decimal mark that numbers have; the point unless only the comma can be meant."""
    commas = False
    for column in columns:
        texts = [text for text in column.texts[:_LOOKED_AT] if text not in gone]
        pointed = [text for text in texts if "." in text and is_number(text)]
        if 2 * len(pointed) > len(texts):
            return "."
        numbers = [text for text in texts if is_number(text, ",")]
        # 0,5 and 12,25 are no thousands.
        clear = any("," in text and not _THOUSANDS.fullmatch(text) for text in numbers)
        commas = commas or (clear and 2 * len(numbers) >= len(texts))
    return "," if commas else "."


@dataclass(frozen=True, eq=False)
class CellRules:
    """How the texts of columns are read: parameters as for `read_table`."""

    source: str
    missing: frozenset[str]
    #: None where it is still to be found.
    decimal: str | None
    #: Where each row stands; None where rows have no lines.
    lines: NDArray[np.int64] | None = None
    #: How many records each row stands for; None for one.
    records: NDArray[np.int64] | None = None
    #: The files that rows come from, where there are several: a line is one of a file then.
    files: Sequence[str] = ()
    noun: str = "line"

    @classmethod
    def of_values(cls, source: str, missing: Any, **how: Any) -> CellRules:
        """Return the rules for a file that has values, and no texts alone."""
        # What is missing is marked as such there, and only markers that are given are added.
        return cls(source, checked_missing(missing, ()), ".", **how)

    def column(self, given: TextColumn, kind: str | tuple[str, ...] | None) -> tuple[Column, list[str]]:
        """Return a column as numbers or labels, and remarks."""
        there = [code for code, text in enumerate(given.texts) if text not in self.missing]
        if kind is None or kind == "number":
            wrong = [code for code in there if not is_number(given.texts[code], self.decimal or ".")]
            remark = None if kind else self._why_text(given, there, wrong)
            if kind and wrong:
                raise TableError(
                    f"{self.source}: {self._no_numbers(given, there, wrong)} missing= takes them as missing.",
                    Where("parameter", name=given.name),
                )
            if not wrong and remark is None:
                return self._numbers(given, there), []
            return self._texts(given, there), self._remarks(given, remark)
        if kind == "text":
            return self._texts(given, there), []
        labels = [given.texts[code] for code in there]
        if kind == "order":
            return OrderedTexts(self._texts(given, there), sorted(labels, key=_natural)), []
        for code in there:
            if given.texts[code] not in kind:
                raise DomainError(
                    f"{self.source}, {self._row(given, code)}, column {short(given.name)}: "
                    f"{short(given.texts[code])} is not one of the labels in the given order.",
                    Where("parameter", name="types"),
                )
        return OrderedTexts(self._texts(given, there), kind), []

    def _numbers(self, given: TextColumn, there: list[int]) -> NDArray[Any]:
        texts = [given.texts[code].replace(",", ".") for code in there]
        if len(there) == len(given.texts) and all(map(_WHOLE.fullmatch, texts)) and given.codes.min() >= 0:
            whole = list(map(int, texts))
            if max(map(abs, whole)) < 1 << 63:
                return np.array(whole, dtype=np.int64)[given.codes]
        table = np.full(len(given.texts) + 1, np.nan)
        table[there] = list(map(float, texts))
        return table[given.codes]

    def _texts(self, given: TextColumn, there: list[int]) -> list[str | None]:
        table = np.full(len(given.texts) + 1, None, dtype=object)
        table[there] = [given.texts[code] for code in there]
        return table[given.codes].tolist()  # type: ignore[no-any-return]

    def _why_text(self, given: TextColumn, there: list[int], wrong: list[int]) -> str | None:
        """Say why a column that looks like numbers is none; None where nothing is to be said."""
        name, texts = short(given.name), given.texts
        agree = f'types={{"{name}": "text"}} confirms it.'
        counted = self._counted(given)
        if wrong and 2 * counted[wrong].sum() < counted[there].sum():
            return (
                f"{self._no_numbers(given, there, wrong)} All are taken as labels: missing= takes such cells "
                f"as missing, {agree}"
            )
        if wrong:
            if not all(_WRITTEN.fullmatch(texts[code]) for code in wrong):
                return None
            odd, what = wrong[0], "looks like numbers that are written otherwise"
            commas = self.decimal != "," and all(is_number(texts[code], ",") for code in there)
            way = "decimal=',' reads decimal commas" if commas else "numbers are written as in 1234.5"
            agree = f"{way}, {agree}"
        elif zeros := [code for code in there if _LEADING_ZEROS.fullmatch(texts[code])]:
            odd, what = zeros[0], "has leading zeros"
            agree = f'types={{"{name}": "number"}} makes numbers of them, {agree}'
        elif large := [code for code in there if _is_inexact(texts[code])]:
            odd, what = large[0], "has more digits than a number keeps"
        else:
            return None
        return f"column {name} {what}, such as {self._cell(given, odd)}, and is taken as labels: {agree}"

    def _remarks(self, given: TextColumn, remark: str | None) -> list[str]:
        found = [] if remark is None else [f"{self.source}: {remark}"]
        word = next((one for one in _WORDS if one in self.missing and one in given.texts), None)
        if word is not None:
            where = self._cell(given, given.texts.index(word))
            found.append(
                f"{self.source}: column {short(given.name)} has {where}, which is taken as missing: "
                "missing=None takes empty cells alone."
            )
        high = next((code for code, text in enumerate(given.texts) if "\n" in text), None)
        if high is not None:
            found.append(
                f"{self.source}: column {short(given.name)} has a cell of several lines, "
                f"{self._cell(given, high)}. If it is not meant, a quotation mark is missing near it."
            )
        return found

    def _no_numbers(self, given: TextColumn, there: list[int], wrong: list[int]) -> str:
        counted = self._counted(given)
        many, all_of = int(counted[wrong].sum()), int(counted[there].sum())
        firsts = ", ".join(self._cell(given, code) for code in wrong[:3])
        more = ", ..." if len(wrong) > 3 else ""
        # 100 in two digits is 1e+02.
        share = f"{100 * many / all_of:{'.2g' if 100 * many < 99 * all_of else '.4g'}}"
        are = "is no number" if many == 1 else "are no numbers"
        return f"column {short(given.name)}: {many:,} of {all_of:,} cells ({share} %) {are}: {firsts}{more}."

    def _counted(self, given: TextColumn) -> NDArray[Any]:
        there = given.codes >= 0
        records = None if self.records is None else self.records[there]
        return np.bincount(given.codes[there], records, len(given.texts))

    def _cell(self, given: TextColumn, code: int) -> str:
        return f"{shown(given.texts[code])} ({self._row(given, code)})"

    def _row(self, given: TextColumn, code: int) -> str:
        row = int(np.argmax(given.codes == code))
        return self.place(row)

    def place(self, row: int) -> str:
        """Return where a row stands."""
        if self.lines is None:
            return f"row {row:,}"
        file, line = divmod(int(self.lines[row]), BORDER)
        where = f"{self.noun} {line:,}"
        return where if len(self.files) < 2 else f"{self.files[file]}, {where}"


def _is_inexact(text: str) -> bool:
    """Tell whether a whole number would be another one as a float."""
    return len(text) > 15 and _WHOLE.fullmatch(text) is not None and int(text) != float(text)


def _natural(text: str) -> list[tuple[int, float, str]]:
    """Return a key by which texts stand in the order of their numbers, then of their letters."""
    parts = re.split(r"((?:^-)?[0-9]+(?:\.[0-9]+)?)", text)
    return [(0, float(part), "") if place % 2 else (1, 0.0, part) for place, part in enumerate(parts) if part]
