"""A table made k-anonymous, what its classes give away, and what a release beside it still hides."""

from __future__ import annotations

from typing import Any, ClassVar

from traitlets import Instance, Tuple, Unicode

from pdp_widgets.core.amounts import COUNT, DELTA1, EPSILON, NEIGHBOURS, POSITIVE, SHARE, SHIFT
from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.results import Figures
from pdp_widgets.leakage.noiseless.anonymity_inputs import LEVELS, NEIGHBOUR_KINDS
from pdp_widgets.leakage.noiseless.anonymity_results import AnonymityResults
from pdp_widgets.leakage.noiseless.slack import EVENTS
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.widgets.anonymity_solved import AnonymityTask
from pdp_widgets.widgets.anonymity_state import AnonymityState
from pdp_widgets.widgets.anonymity_views import anonymity_embedded
from pdp_widgets.widgets.base import LOCK
from pdp_widgets.widgets.computed_beside import Awaited, ComputedBeside
from pdp_widgets.widgets.inputs import Choice, Flag, Noun, Number
from pdp_widgets.widgets.running import Work

__all__ = ["AnonymityExplorer"]


class AnonymityExplorer(ComputedBeside):
    """A table in classes of at least k, and how far a count or a sum beside it hides one record.

    Parameters
    ----------
    value
        Records: `Microdata`, a data frame or a dict of lists; without them a made-up clinic.
    quasi
        Names of the columns that an adversary may know of a person; without it all but the secret.
    secret
        The column that nobody should learn, or None.
    k
        Least size of a class.
    release
        What is published beside the classes: ``"count:LABEL"``, ``"suppressed:LABEL"`` (withheld below k) or
        ``"records:LABEL"`` of a value of the secret, or ``"sum:COLUMN"``. Without it the count of the rarest
        value of the secret, or the sum of the first column of numbers.
    n
        How many records the release is of, k or more; without it those of the table.
    level
        What the adversary knows: ``"I"`` no record, ``"II"`` who depends on whom, ``"III"`` a share of the
        records, ``"IV"`` both; without it ``"III"``, and ``"IV"`` where `neighbours` are given.
    known
        Share of the records known, 0 to 1 (levels III and IV).
    neighbours
        Largest number of records that move together (levels II and IV).
    epsilon
        Nats, 0 to infinity.
    events
        Which events the bounds hold for: ``"halfline"`` (threshold tests), ``"interval"`` or ``"all"``.
    delta1
        That of the normal step, δ₁, which the paper chooses first: it gives an ε and a δ that hold together
        (``results.recipe``). Without it the paper's, one over the root of the number of unknown records.
    group_change
        Change in group size, for the theorems as printed.
    shift
        Change in what is released when one record changes; without it the range of the column.
    neighbour
        ``"value"``: one record changes its value; ``"presence"``: it is there or not.
    show_paper, reading
        Whether the theorems as printed are shown beside what is true, and in which reading.
    noun
        What one record is called in sentences; without it "patient" in the clinic, else "record".
    disabled, layout
        As for every widget.

    Attributes
    ----------
    value, quasi, secret, k, release, n, level, known, neighbours, epsilon, events, delta1, group_change
        The last inputs that made sense; assign to change them. Wrong ones raise and change nothing.
    shift, neighbour, show_paper, reading, noun
        As above.
    current
        Whether all results belong to what stands in the controls.

    Raises
    ------
    PdpError
        An input is wrong; the message names it and says what is accepted.

    Notes
    -----
    Zhao, Jiang, Wang and Huang, "Non-Asymptotic Bound on the Performance of k-Anonymity against Inference
    Attacks"; see `AnonymityAnalysis`. What changes without each record takes longer in large tables, and so
    does the exact law of a sum of many values: they are computed beside the kernel's own work, and ``busy``
    is True meanwhile; ``wait()`` returns when they are there, and ``cancel()`` ends it.

    Examples
    --------
    >>> from pdp_widgets import AnonymityExplorer
    >>> explorer = AnonymityExplorer()
    >>> explorer.wait()
    >>> explorer.results.single, explorer.results.classes_in_all, int(explorer.results.removals.largest)
    (8, 14, 8)
    >>> explorer.k = 10
    >>> explorer.results.classes_in_all < 14
    True
    """

    _module = "anonymity_explorer"
    _panels: ClassVar = {
        "curves": "What leaks",
        "map": "Table",
        "changes": "Sensitivity",
        "known": "Slack by the share known",
    }
    _picture_name = "anonymity.svg"

    _core: AnonymityState
    value = Instance(Microdata)
    quasi = Tuple()
    secret = Unicode(None, allow_none=True)
    k = Number(COUNT)
    release = Unicode()
    n = Number(COUNT, optional=True)
    level = Choice(LEVELS)
    known = Number(SHARE)
    neighbours = Number(NEIGHBOURS)
    epsilon = Number(EPSILON)
    events = Choice(EVENTS)
    delta1 = Number(DELTA1)
    group_change = Number(POSITIVE)
    shift = Number(SHIFT)
    neighbour = Choice(NEIGHBOUR_KINDS)
    show_paper = Flag("printed")
    reading = Unicode()
    noun = Noun(optional=True)

    def __init__(
        self,
        value: Any = None,
        quasi: Any = None,
        secret: str | int | None = None,
        k: int = 5,
        release: str | None = None,
        level: str | None = None,
        known: float = 0.3,
        *,
        n: int | None = None,
        neighbours: int = 1,
        epsilon: float = 1.0,
        events: str = "halfline",
        delta1: float | None = None,
        group_change: float = 1,
        shift: float | None = None,
        neighbour: str = "value",
        show_paper: bool = False,
        reading: str | None = None,
        noun: str | None = None,
        disabled: bool = False,
        layout: Any = None,
    ) -> None:
        self._core = AnonymityState(
            self.declared,
            value,
            quasi=quasi,
            secret=secret,
            k=k,
            release=release,
            n=n,
            level=_level(neighbours) if level is None else level,
            known=known,
            neighbours=neighbours,
            epsilon=epsilon,
            events=events,
            delta1=delta1,
            group_change=group_change,
            shift=shift,
            neighbour=neighbour,
            show_paper=show_paper,
            reading=reading,
            noun=noun,
        )
        super().__init__(disabled=disabled, layout=layout)
        with LOCK:
            self._taken()

    def _work(self, now: Awaited[AnonymityTask]) -> Work:
        return now.inputs.run

    def _subject(self) -> Any:
        return self._core.data

    def _shown(self) -> dict[str, Any]:
        return self._core.state()

    def _embedded(self) -> dict[str, Any]:
        return anonymity_embedded(self._core)

    def _figures(self, core: Any) -> Figures:
        found = core.results.analysis._figures()
        return {name: made for name, made in found.items() if name not in self._panels}

    @property
    def results(self) -> AnonymityResults:
        """Classes, curves and removals for the last inputs that made sense."""
        return self._core.results

    @property
    def analysis(self) -> Any:
        """The `AnonymityAnalysis` of the last inputs that made sense."""
        return self._state().results.analysis

    def _reported(self, core: Any) -> tuple[Any, dict[str, Any]]:
        return core.results.analysis, {}

    def to_dataframe(self) -> Any:
        """Return one row for each class, see `AnonymityAnalysis.to_dataframe`.

        The table as it is published is ``explorer.analysis.classes.to_dataframe()``.
        """
        return self.analysis.to_dataframe()

    def to_latex(self, *arguments: Any, **named: Any) -> str:
        """Return a table for LaTeX, one row for each class; see `AnonymityAnalysis.to_latex`."""
        return str(self.analysis.to_latex(*arguments, **named))

    def plot(self) -> Any:
        """Return a bqplot figure: the slack by epsilon, exact, bounded and as printed."""
        return self._state().results.plot()


def _level(neighbours: Any) -> str:
    """Return the level of an adversary who knows some records, and which depend on each other if said."""
    return "IV" if is_whole(neighbours) and neighbours > 1 else "III"
