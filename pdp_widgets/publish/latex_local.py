"""Leakages of local reports as LaTeX tables for papers; they need the package booktabs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pdp_widgets.publish.formatting import leakage
from pdp_widgets.publish.latex_numbers import chosen_columns, with_notes
from pdp_widgets.publish.latex_text import Span, as_count, escape, maths, tabular

if TYPE_CHECKING:
    from pdp_widgets.leakage.local.local_analysis import LocalAnalysis

__all__ = ["local_latex"]

#: More attributes than this are listed pair by pair.
_ACROSS = 12
_COLUMNS = ("source", "secret", "leakage", "mirror", "worst pair", "worst report")


def local_latex(
    analysis: LocalAnalysis,
    columns: Sequence[str] | None = None,
    *,
    most: int | None = None,
    caption: str | None = None,
    label: str | None = None,
) -> str:
    r"""Return all leakages as a table of sources by secrets, or the largest ones as a list.

    Below it stand mechanism and budget, what is seen, and whether that is exact.

    Parameters
    ----------
    analysis
        Leakages of all pairs.
    columns
        For the list: some of ``"source"``, ``"secret"``, ``"leakage"``, ``"mirror"``, ``"worst pair"`` and
        ``"worst report"``.
    most
        List so many of the largest leakages in place of the table; beyond 12 attributes 20 are listed.
    caption, label
        Make it a floating table. The caption is LaTeX and goes in as it is.

    Raises
    ------
    DomainError
        A column does not exist, or ``most`` is no number of rows.

    Examples
    --------
    >>> from pdp_widgets import LocalAnalysis, titanic
    >>> print(local_latex(LocalAnalysis(titanic().marginal(["sex", "survived"]), "GRR", 1.0)))
    % \usepackage{booktabs}
    \begin{tabular}{lrr}
    \toprule
     & \multicolumn{2}{c}{about the secret, nats} \\
    \cmidrule(lr){2-3}
    report of & sex & survived \\
    \midrule
    sex & -- & 0.469 \\
    survived & 0.504 & -- \\
    \bottomrule
    \multicolumn{3}{l}{\footnotesize GRR, $\varepsilon$ = 1.00} \\
    \multicolumn{3}{l}{\footnotesize raw reports, exact} \\
    \end{tabular}
    <BLANKLINE>
    """
    n = len(analysis.names)
    if columns is not None or most is not None or n > _ACROSS:
        return _largest(analysis, columns, 20 if most is None else as_count(most), caption, label)
    names = [escape(name) for name in analysis.names]
    rows = [
        [name, *("--" if j == k else maths(leakage(float(value))) for k, value in enumerate(row))]
        for j, (name, row) in enumerate(zip(names, analysis.matrix, strict=True))
    ]
    what = "report of" if analysis.output == "raw" else "guess of"
    made = tabular(
        "l" + "r" * n,
        [what, *names],
        [rows],
        spans=[Span("about the secret, nats", 2, n + 1)],
        caption=caption,
        label=label,
    )
    return _with_conditions(made, analysis, n + 1)


def _with_conditions(made: str, analysis: LocalAnalysis, columns: int) -> str:
    """Say below the rows what the numbers hold for."""
    from pdp_widgets.publish.figure_local import conditions

    return with_notes(made, columns, conditions(analysis))


def _largest(
    analysis: LocalAnalysis,
    columns: Sequence[str] | None,
    most: int,
    caption: str | None,
    label: str | None,
) -> str:
    chosen = chosen_columns(_COLUMNS, columns)
    n = len(analysis.names)
    pairs = sorted(
        ((j, k) for j in range(n) for k in range(n) if j != k), key=lambda p: -float(analysis.matrix[p])
    )[:most]
    rows = []
    for j, k in pairs:
        found = analysis.pair(j, k)
        told = "" if found.pair is None else f"{escape(found.pair[0])} from {escape(found.pair[1])}"
        cells = {
            "source": escape(analysis.names[j]),
            "secret": escape(analysis.names[k]),
            "leakage": maths(leakage(float(analysis.matrix[j, k]))),
            "mirror": maths(leakage(float(analysis.matrix[k, j]))),
            "worst pair": told,
            "worst report": ", ".join(escape(symbol) for symbol in found.symbols),
        }
        rows.append([cells[name] for name in chosen])
    heads = {"leakage": "leaks (nats)", "mirror": "mirror (nats)"}
    kinds = "".join("r" if name in heads else "l" for name in chosen)
    named = [heads.get(name, name) for name in chosen]
    return _with_conditions(
        tabular(kinds, named, [rows], caption=caption, label=label), analysis, len(chosen)
    )
