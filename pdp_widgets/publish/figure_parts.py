"""What can be drawn of a result: its parts by name, each with the room it needs.

The modules named after a topic, such as `pdp_widgets.publish.local_parts`, say it of their results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.publish.figure_layout import Part, charts_part
from pdp_widgets.publish.line_chart import Chart

__all__ = ["Choice", "parts"]


@dataclass(frozen=True)
class Choice:
    """What is shown of a result beside its numbers.

    Parameters
    ----------
    target, known
        The chosen adversary, by name or position. Without a target the one that learns most.
    show_paper
        Whether the paper's estimate is shown, where there is one.
    threshold
        A line in nats to compare with.
    weights
        One for each tuple, shown with a matrix.
    """

    target: str | int | None = None
    known: tuple[str | int, ...] = ()
    show_paper: bool = False
    threshold: float | None = None
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if self.target is None and self.known:
            raise DomainError(
                "Name the target as well as the known tuples.", Where("parameter", name="target")
            )


@singledispatch
def parts(subject: Any, choice: Choice) -> dict[str, Part]:
    """Return what can be drawn of a result, by name; the first is what is drawn unasked.

    Parameters
    ----------
    subject
        An analysis, a graph, a distribution, Gaussian data, a comparison of noise, or charts.
    choice
        The adversary, and what is shown.

    Raises
    ------
    TypeError
        There is no picture of such a thing.

    Examples
    --------
    >>> from pdp_widgets import JointDistribution
    >>> list(parts(JointDistribution([[0.3, 0.2], [0.2, 0.3]]), Choice()))
    ['table']
    """
    if isinstance(subject, Sequence) and subject and all(isinstance(part, Chart) for part in subject):
        return {"curves": charts_part(tuple(subject))}
    raise TypeError(
        f"There is no figure of a {type(subject).__name__}; give one of {_known_kinds()}, or Charts."
    )


def _known_kinds() -> str:
    """Name what has a figure, apart from what stands for such a thing within pictures."""
    kinds = [kind for kind in parts.registry if kind.__module__.startswith("pdp_widgets")]
    return ", ".join(kind.__name__ for kind in kinds if ".publish." not in kind.__module__)


@parts.register
def _(subject: Chart, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part((subject,))}
