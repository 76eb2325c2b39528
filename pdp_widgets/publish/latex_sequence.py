"""Leakages of streams as LaTeX tables for papers; they need the package booktabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pdp_widgets.publish.formatting import bound, count, fixed, leakage, probability
from pdp_widgets.publish.latex_numbers import chosen_columns, with_notes
from pdp_widgets.publish.latex_text import as_count, escape, maths, tabular
from pdp_widgets.publish.stream_wording import delta_words

if TYPE_CHECKING:
    from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis
    from pdp_widgets.leakage.sequence.stream_run import StreamRun

__all__ = ["run_latex", "sequence_latex"]

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
    chosen = chosen_columns(list(written), columns)
    rows = min(analysis.n_steps, _ROWS if most is None else as_count(most))
    cells = [[maths(written[name][1](k)) for name in chosen] for k in range(rows)]
    heads = [written[name][0] for name in chosen]
    made = tabular("r" * len(chosen), heads, [cells] if cells else [], caption=caption, label=label)
    lines = [analysis.mechanism_label]
    if rows < analysis.n_steps:
        lines.append(f"first {rows} of {analysis.n_steps:,} steps")
    lines.append(f"{analysis.sequence.about}: {leakage(float(analysis.sequence))} nats, exact")
    return with_notes(made, len(chosen), lines)


def run_latex(
    run: StreamRun,
    columns: Sequence[str] | None = None,
    *,
    delta: float = 1e-5,
    caption: str | None = None,
    label: str | None = None,
) -> str:
    r"""Return what each mechanism of a run leaked as a table, with what composition allows below.

    Parameters
    ----------
    run
        Mechanisms on one stream.
    columns
        Some of ``"mechanism"``, ``"largest"``, ``"over"``, ``"first"``, ``"sum"``, ``"error"`` and
        ``"expected"``.
    delta
        Of the advanced composition.
    caption, label
        Make it a floating table. The caption is LaTeX and goes in as it is.

    Raises
    ------
    DomainError
        A column does not exist.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain, StreamRun
    >>> run = StreamRun.of(MarkovChain.symmetric(0.9), 0.5, ["crr", "optimum"], 50, seed=10)
    >>> print(run_latex(run, ["mechanism", "largest", "over", "sum"]))
    % \usepackage{booktabs}
    \begin{tabular}{lrrr}
    \toprule
    mechanism & largest step (nats) & steps over & sum (nats) \\
    \midrule
    CRR as printed & 0.968 & 46 & 43.16 \\
    Optimum & 0.500 & 0 & 14.00 \\
    \bottomrule
    \multicolumn{4}{l}{\footnotesize 50 steps promise 25.00 nats in all; 23.09 but for $\delta$ = 1e$-$5} \\
    \end{tabular}
    <BLANKLINE>
    """
    from pdp_widgets.publish.stream_snapshot import stream_case

    case = stream_case(run, delta)
    lanes = case.lanes
    written: dict[str, tuple[str, Callable[[int], str]]] = {
        "mechanism": ("mechanism", lambda k: lanes[k].short),
        "largest": ("largest step (nats)", lambda k: leakage(lanes[k].largest)),
        "over": ("steps over", lambda k: f"{lanes[k].over:,}"),
        "first": ("first", lambda k: "never" if lanes[k].first_over is None else f"{lanes[k].first_over:,}"),
        "sum": ("sum (nats)", lambda k: leakage(lanes[k].total)),
        "error": ("error", lambda k: fixed(lanes[k].error, 3)),
        "expected": ("expected", lambda k: fixed(lanes[k].expected, 3)),
    }
    chosen = chosen_columns(list(written), columns)
    cells = [
        [
            escape(written[name][1](k)) if name == "mechanism" else maths(written[name][1](k))
            for name in chosen
        ]
        for k in range(len(lanes))
    ]
    kinds = "".join("l" if name == "mechanism" else "r" for name in chosen)
    made = tabular(kinds, [written[name][0] for name in chosen], [cells], caption=caption, label=label)
    promised = f"{count(run.steps, 'step')} promise {bound(case.linear)} nats in all; {bound(case.advanced)} "
    promised += f"but for δ = {delta_words(delta)}"
    return with_notes(made, len(chosen), [promised])
