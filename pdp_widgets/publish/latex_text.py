r"""Text, numbers and the layout of tables in LaTeX: labels stay text, whatever they contain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pdp_widgets.core.amounts import as_size
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.publish.labels import clean

__all__ = ["Span", "as_count", "chosen_columns", "escape", "maths", "tabular"]

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # Active in the settings of some languages.
    '"': r"\char34{}",
    "`": r"\textasciigrave{}",
    # After a line's end these would be read as its options.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "\u00a0": "~",
    "…": r"\ldots{}",
    "–": "--",
    "—": "---",
    "’": "'",
    "‘": r"\textquoteleft{}",
    "“": "``",
    "”": "''",
    "€": r"\texteuro{}",
    "\ufffd": "?",
}
#: What stands in mathematics, also in a label.
_MATHS = {
    "−": "-",
    "±": r"\pm",
    "×": r"\times",
    "·": r"\cdot",
    "≤": r"\leq",
    "≥": r"\geq",
    "≠": r"\neq",
    "≈": r"\approx",
    "→": r"\rightarrow",
    "←": r"\leftarrow",
    "∞": r"\infty",
    "²": "^{2}",
    "³": "^{3}",
    "°": r"^{\circ}",
    "√": r"\surd",
    "∈": r"\in",
    "∧": r"\wedge",
    "∨": r"\vee",
    "¬": r"\neg",
}
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "µ": "mu", "ν": "nu", "ξ": "xi",
    "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega",
    "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma",
    "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
_MATHS |= {letter: f"\\{name}" for letter, name in _GREEK.items()}
#: Two of these in a row would become one sign.
_JOINING = "-,'"


def escape(text: object) -> str:
    """Return a label as LaTeX text."""
    # What LaTeX reads as commands is spelled out, mathematical signs and Greek letters go into mathematics.
    # Other letters stay: beyond Latin they need XeLaTeX or LuaLaTeX with a font that has them.
    parts: list[str] = []
    previous = ""
    for ch in clean(text):
        if ch in _MATHS:
            parts.append(f"${_MATHS[ch]}$")
        elif ch in _JOINING and ch == previous:
            parts.append("{}" + ch)
        else:
            parts.append(_SPECIAL.get(ch, ch))
        previous = ch
    return "".join(parts)


def maths(number: str) -> str:
    r"""Return a number as `pdp_widgets.publish.formatting` writes it in LaTeX."""
    plain = number.replace("−", "-").replace("∞", r"\infty").replace(",", "{,}")
    mantissa, power, exponent = plain.partition("e")
    if power and exponent.lstrip("+-").isdigit():
        return rf"${mantissa} \times 10^{{{int(exponent)}}}$"
    return plain if plain == number else f"${plain}$"


@dataclass(frozen=True)
class Span:
    """A heading over several columns."""

    text: str
    first: int
    last: int


def tabular(
    columns: str,
    head: Sequence[str],
    groups: Sequence[Sequence[Sequence[str]]],
    *,
    spans: Sequence[Span] = (),
    caption: Any = None,
    label: Any = None,
    notes: Sequence[str] = (),
    below: Sequence[str] = (),
) -> str:
    r"""Return a table for the package booktabs."""
    caption, label = _as_caption(caption), _as_key(label)
    lines = [r"% \usepackage{booktabs}", *(f"% {clean(note)}" for note in notes)]
    floats = caption is not None or label is not None
    if floats:
        lines += [r"\begin{table}", r"\centering"]
        lines += [] if caption is None else [rf"\caption{{{caption}}}"]
        lines += [] if label is None else [rf"\label{{{label}}}"]
    lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
    if spans:
        lines.append(_spanned(spans, len(columns)))
        lines.append(" ".join(rf"\cmidrule(lr){{{s.first}-{s.last}}}" for s in spans))
    lines.append(_row(head))
    for group in groups:
        lines.append(r"\midrule")
        lines += [_row(row) for row in group]
    lines.append(r"\bottomrule")
    lines += [rf"\multicolumn{{{len(columns)}}}{{l}}{{\footnotesize {escape(line)}}} \\" for line in below]
    lines.append(r"\end{tabular}")
    if floats:
        lines.append(r"\end{table}")
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells).rstrip() + r" \\"


def _spanned(spans: Sequence[Span], columns: int) -> str:
    cells: list[str] = []
    at = 1
    for span in spans:
        cells += [""] * (span.first - at)
        cells.append(rf"\multicolumn{{{span.last - span.first + 1}}}{{c}}{{{span.text}}}")
        at = span.last + 1
    cells += [""] * (columns + 1 - at)
    return _row(cells)


def as_count(most: Any) -> int:
    """Return a number of rows, or raise DomainError."""
    return as_size(most, "most", 1, error=DomainError)


def chosen_columns(there: Sequence[str], columns: Any, name: str = "columns") -> list[str]:
    """Return the columns asked for, without any all that there are, or raise DomainError."""
    where = Where("parameter", name=name)
    try:
        chosen = list(there if columns is None else [columns] if isinstance(columns, str) else columns)
    except TypeError:
        raise DomainError(f"The columns are {shown(columns)}; give a list of their names.", where) from None
    for column in chosen:
        if not isinstance(column, str) or column not in there:
            raise DomainError(f"There is no column {shown(column)}; there are {', '.join(there)}.", where)
    if not chosen:
        raise DomainError("Name at least one column.", where)
    return chosen


def _as_caption(caption: Any) -> str | None:
    if caption is None or isinstance(caption, str):
        return caption
    raise DomainError(f"The caption is {shown(caption)}; it is text.", Where("parameter", name="caption"))


def _as_key(label: Any) -> str | None:
    if label is None:
        return None
    if isinstance(label, str) and label and not set(label) & set("\\{}$&#%^~ \t\n,"):
        return label
    raise DomainError(
        f"The label is {shown(label)}; it is a key such as 'tab:leakage', letters, digits and : - _ . /",
        Where("parameter", name="label"),
    )
