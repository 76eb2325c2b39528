"""Tables whose numbers come from the reference cases, after the library has passed those cases.

A table is a TOML file beside its page. Text between braces is replaced: ``{s-over3-exact nodes 0}`` is the
value that the case expects for the node (0, {}), ``{s-ex2-b-weak leakage:.2f}`` one number in a format, and
``{= name}`` what the function of that name in `computed` returns. The last column names the cases of the row,
so that none is claimed that is not used.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from extension.computed import COMPUTED
from pdp_widgets.verify import verify

__all__ = ["CheckedTable", "Row", "fill", "read_table", "reference_cases", "value_in"]

_TOKEN = re.compile(r"\{(=\s*)?([A-Za-z][\w.-]*)((?: [\w.,]+)*)(?::([^}]+))?\}")
#: Lists of rows that are found by their key, all but the last entry.
_KEYED = ("nodes",)


#: What a correction changes, from the heaviest to the lightest, and how the table says it.
WEIGHTS = {
    "guarantee": "A guarantee or bound that does not hold: more can leak than is promised",
    "conclusion": "A conclusion that does not follow, or turns round",
    "formula": "A formula, number or condition that has to be replaced before it is used",
    "print": "Print and proofs: nothing else changes",
}


@dataclass(frozen=True)
class Row:
    """One row: its cells as text with tokens, and cases that show it beside those in the tokens."""

    id: str
    cells: tuple[str, ...]
    also: tuple[str, ...] = ()
    #: What it changes, one of `WEIGHTS`; a table without weights keeps the order of its file.
    weight: str = ""

    @property
    def cases(self) -> list[str]:
        """The cases of the row, in the order in which they are named."""
        named = [m[2] for cell in self.cells for m in _TOKEN.finditer(cell) if not m[1]]
        return list(dict.fromkeys([*named, *self.also]))


def read_table(file: Path) -> tuple[str, list[str], list[Row]]:
    """Return the name of the vector file, the column heads and the rows of a table."""
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    rows = [
        Row(row["id"], tuple(row["cells"]), tuple(row.get("also", ())), row.get("weight", ""))
        for row in content["rows"]
    ]
    order = ["", *WEIGHTS]
    rows.sort(key=lambda row: order.index(row.weight))
    heads = content["columns"]
    for row in rows:
        if len(row.cells) != len(heads):
            raise ValueError(f"{file.name}: row {row.id} has {len(row.cells)} cells for {len(heads)} columns")
    return content["vectors"], heads, rows


def reference_cases(vectors: str) -> tuple[str, dict[str, Any]]:
    """Return format and cases of a vector file of the package, cases by id."""
    text = files("pdp_widgets").joinpath("data", "vectors", f"{vectors}.json").read_text(encoding="utf-8")
    document = json.loads(text)
    return document["format"], {case["id"]: case for case in document["cases"]}


def value_in(expected: Any, path: Iterable[str]) -> float:
    """Return one number of what a case expects.

    Examples
    --------
    >>> value_in({"nodes": [[0, [1, 2], 5.0]], "ir": [0.5]}, ["nodes", "0", "1,2"])
    5.0
    >>> value_in({"ir": [0.5]}, ["ir", "0"])
    0.5
    >>> value_in({"sigma": {"lpm": 2}}, ["sigma", "lpm"])
    2.0
    """
    head, *rest = path
    if head in _KEYED and rest:
        target, known = int(rest[0]), [int(k) for k in rest[1].split(",")] if len(rest) > 1 else []
        (value,) = (row[-1] for row in expected[head] if row[:2] == [target, known])
        return float(value)
    found = expected[head]
    for step in rest:
        found = found[step] if isinstance(found, dict) else found[int(step)]
    return float(found)


def fill(text: str, cases: dict[str, Any]) -> str:
    """Replace the tokens of a cell; a number without a format has at most four decimals.

    Raises
    ------
    KeyError
        A token names a case, a value or a function that does not exist.
    """

    def number(match: re.Match[str]) -> str:
        computed, name, path, form = match.groups()
        value = COMPUTED[name]() if computed else value_in(cases[name]["expected"], path.split())
        said = format(value, form) if form else f"{value:.4f}".rstrip("0").rstrip(".")
        return said.replace("-", "−")

    return _TOKEN.sub(number, text)


class CheckedTable(SphinxDirective):
    """A table from a TOML file beside the page; the build fails when the library fails one of its cases."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """Check the cases, fill in the numbers and build the table."""
        relative, absolute = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(relative)
        vectors, heads, rows = read_table(Path(absolute))
        form, cases = reference_cases(vectors)
        missing = sorted({name for row in rows for name in row.cases} - cases.keys())
        if missing:
            raise self.error(f"{relative}: no such case: {', '.join(missing)}")
        used = {name for row in rows for name in row.cases}
        report = verify([{"format": form, "cases": [cases[name] for name in sorted(used)]}])
        if report.failures or report.not_run:
            raise self.error(f"{relative}: {report}: {'; '.join(report.failures)}")
        table = self._table([*heads, "Case"])
        body = nodes.tbody()
        weight = ""
        for row in rows:
            if row.weight != weight:
                weight = row.weight
                said = nodes.entry("", nodes.paragraph("", "", nodes.strong(text=WEIGHTS[weight])))
                said["morecols"] = len(heads)
                body += nodes.row("", said, classes=["pdp-weight"])
            texts = [fill(cell, cases) for cell in row.cells]
            body += self._row(row.id, [*texts, ", ".join(f"`{name}`{{l=text}}" for name in row.cases)], row)
        table[0] += body
        return [table]

    def _table(self, heads: list[str]) -> nodes.table:
        group = nodes.tgroup(cols=len(heads))
        for _ in heads:
            group += nodes.colspec(colwidth=1)
        top = nodes.row()
        for head in heads:
            top += nodes.entry("", nodes.paragraph(head, head))
        group += nodes.thead("", top)
        table = nodes.table("", group, classes=["pdp-checked", f"pdp-columns-{len(heads)}"])
        self.set_source_info(table)
        return table

    def _row(self, id_: str, texts: list[str], row: Row) -> nodes.row:
        made = nodes.row(ids=[nodes.make_id(id_)])
        for k, text in enumerate(texts):
            entry = nodes.entry()
            if k == len(texts) - 1:
                paragraph = nodes.paragraph()
                for name in row.cases:
                    paragraph += [nodes.literal(name, name), nodes.Text(" ")]
                entry += paragraph
            else:
                entry += self.parse_text_to_nodes(text)
            made += entry
        return made


def setup(app: Sphinx) -> None:
    """Add ``{checked-table}``."""
    app.add_directive("checked-table", CheckedTable)
