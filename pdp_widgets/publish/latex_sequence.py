"""Leakages of streams as LaTeX tables for papers; they need the package booktabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.publish.formatting import fixed, leakage, probability
from pdp_widgets.publish.latex_text import as_count, escape, maths, tabular

if TYPE_CHECKING:
    from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis

__all__ = ["sequence_latex"]

#: More steps than this are not all listed unless asked for.
_ROWS = 20


def sequence_latex(
    analysis: SequenceAnalysis,
    columns: Sequence[str] | None = None,
    *,
    most: int | None = None,
    caption: str | None = None,
    label: str | None = None,
) -> str:
    r"""Return what each step and all steps so far leak as a table, with what it holds for below.

    Parameters
    ----------
    analysis
        Leakages of a stream.
    columns
        Some of ``"step"``, ``"promised"``, ``"leakage"``, ``"expected"``, ``"broken"``, ``"so far"``,
        ``"composed"`` and ``"error"``.
    most
        List so many of the first steps; without it 20.
    caption, label
        Make it a floating table. The caption is LaTeX and goes in as it is.

    Raises
    ------
    DomainError
        A column does not exist, or ``most`` is no number of rows.

    Examples
    --------
    >>> from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis
    >>> chain = ([0.05, 0.95], [[0.9, 0.1], [0.1, 0.9]])
    >>> made = sequence_latex(SequenceAnalysis(chain, "crr", 2, epsilon=1.0), ["step", "promised", "leakage"])
    >>> print(made)
    % \usepackage{booktabs}
    \begin{tabular}{rrr}
    \toprule
    step & budget (nats) & leaks at most (nats) \\
    \midrule
    1 & 1.000 & 2.566 \\
    2 & 1.000 & 1.771 \\
    \bottomrule
    \multicolumn{3}{l}{\footnotesize Conditional response, as printed, $\varepsilon$ = 1} \\
    \multicolumn{3}{l}{\footnotesize all 2 steps: 3.275 nats, exact} \\
    \end{tabular}
    <BLANKLINE>
    """
    steps, result = analysis.steps, analysis.result
    written: dict[str, tuple[str, Callable[[int], str]]] = {
        "step": ("step", lambda k: f"{k + 1}"),
        "promised": ("budget (nats)", lambda k: leakage(float(steps.promised[k]))),
        "leakage": ("leaks at most (nats)", lambda k: leakage(float(steps.worst[k]))),
        "expected": ("on average (nats)", lambda k: leakage(float(steps.expected[k]))),
        "broken": ("chance above budget", lambda k: probability(float(steps.broken[k]))),
        "so far": ("all so far (nats)", lambda k: leakage(float(result.so_far[k]))),
        "composed": ("sum so far (nats)", lambda k: leakage(float(result.composed_so_far[k]))),
        "error": ("error", lambda k: fixed(float(steps.error[k]), 3)),
    }
    chosen = list(written if columns is None else [columns] if isinstance(columns, str) else columns)
    for name in chosen:
        if name not in written:
            raise DomainError(
                f"There is no column {shown(name)}; there are {', '.join(written)}.",
                Where("parameter", name="columns"),
            )
    rows = min(analysis.n_steps, _ROWS if most is None else as_count(most))
    cells = [[maths(written[name][1](k)) for name in chosen] for k in range(rows)]
    heads = [written[name][0] for name in chosen]
    made = tabular("r" * len(chosen), heads, [cells] if cells else [], caption=caption, label=label)
    lines = [analysis.mechanism_label]
    if rows < analysis.n_steps:
        lines.append(f"first {rows} of {analysis.n_steps:,} steps")
    lines.append(f"{analysis.sequence.about}: {leakage(float(analysis.sequence))} nats, exact")
    notes = "\n".join(
        rf"\multicolumn{{{len(chosen)}}}{{l}}{{\footnotesize {escape(line)}}} \\" for line in lines
    )
    end = "\\bottomrule\n"
    return made.replace(end, f"{end}{notes}\n")
