"""Choose attributes, a local mechanism and a budget, and see what each report says about the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, ClassVar

from traitlets import Any as AnyValue
from traitlets import Float, Tuple, Unicode

from pdp_widgets.core.amounts import EPSILON, MIN_COUNT
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.mechanism_reading import as_output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.widgets.base import LOCK
from pdp_widgets.widgets.computed_beside import Awaited, ComputedBeside
from pdp_widgets.widgets.inputs import Choice, Noun, Number
from pdp_widgets.widgets.local_late import LateInputs, late_for
from pdp_widgets.widgets.local_results import as_local_value
from pdp_widgets.widgets.local_state import LocalState
from pdp_widgets.widgets.local_views import local_embedded
from pdp_widgets.widgets.running import Work

__all__ = ["LocalExplorer"]


class LocalExplorer(ComputedBeside):
    """Attributes, a local mechanism, what the report of each says about the others, and one pair in full.

    Parameters
    ----------
    value
        Records (`AttributeTable`), a `JointDistribution`, or a data frame: at most 40 attributes and 1,000
        labels together.
    mechanism
        How every attribute is released: ``"GRR"``, ``"EXP"``, ``"OUE"``, ``"SUE"``, ``"RAPPOR"``,
        ``"LOSUE"``, ``"BLH"``, ``"OLH"``, ``"SHE"``, ``"THE"``, ``"SS"``, ``"generic"`` (the worst of all),
        or such a mechanism. A `Channel` is one of your own: a row of probabilities for each label.
        ``{attribute: Channel(...)}`` releases that attribute by it, and the others by the mechanism that it
        names for them, or that stood there before. ``"channel"`` is the one that was given last.
    epsilon
        The budget of every report in nats, 0 to infinity; without it that of the mechanism, or 1.
    output
        ``"raw"``: what is released. ``"inferred"``: the symbol guessed from it, one attack and a lower bound.
    source, secret
        The chosen pair: whose report is seen and which attribute is wanted, by name or position; without
        them the pair that leaks most.
    attributes
        Which attributes are released, by name or position; without it all.
    min_count
        Secret values with fewer records are left out: rare ones decide a maximum.
    budget
        A goal in nats for what all reports together say about any attribute; the budget of each report that
        reaches it is computed.
    noun
        What one record is called in sentences, such as "person".
    disabled, layout
        As for every widget.

    Attributes
    ----------
    value, mechanism, epsilon, output, source, secret, attributes, min_count, budget, noun
        The last inputs that made sense; assign to change them. Wrong ones raise and change nothing. The
        mechanism is given back whole, with its budget and parameters, also where it was given by name; a
        name keeps the budget. A mechanism without a guess sets the output to ``"raw"``.
    current
        Whether all results belong to what stands in the controls.

    Raises
    ------
    PdpError
        An input is wrong; the message names it and says what is accepted.

    Notes
    -----
    Jayawardana, Ulukus, Ding and Thilakarathna; see `LocalAnalysis`. Leakages of pairs come at once. What all
    reports together say, a goal, and the curve of a pair of several hundred labels can take longer: they are
    then computed beside the kernel's own work, and ``busy`` is True meanwhile. The next edit takes their
    place, and ``cancel()`` ends them.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> explorer = LocalExplorer(titanic(), "GRR", 1.0, source="class", secret="survived")
    >>> print(explorer.results.pair(explorer.source, explorer.secret))
    0.267539 nats (exact): survived, from the report of class
    >>> explorer.mechanism = "OUE"
    >>> explorer.mechanism
    OUE(epsilon=1.0)
    >>> round(explorer.results.matrix[0, 3], 3)
    np.float64(0.287)

    A channel of one's own for one attribute, and what its report says about the survival:

    >>> from pdp_widgets.local import Channel
    >>> explorer.mechanism = {"sex": Channel([[0.9, 0.1], [0.2, 0.8]])}
    >>> print(explorer.results.pair("sex", "survived"))
    1.01364 nats (exact): survived, from the report of sex
    """

    _module = "local_explorer"
    _panels: ClassVar = {
        "matrix": "What leaks",
        "rows": "The two labels that are told apart best",
        "curves": "Leakage against the budget",
    }
    _picture_name = "local-privacy.svg"

    _core: LocalState
    value = AnyValue()
    mechanism = AnyValue()
    epsilon = Float(1.0)
    output = Choice(("raw", "inferred"), read=as_output)
    source = Unicode(None, allow_none=True)
    secret = Unicode(None, allow_none=True)
    attributes = Tuple()
    min_count = Number(MIN_COUNT)
    budget = Number(EPSILON, optional=True)
    noun = Noun()

    def __init__(
        self,
        value: AttributeTable | JointDistribution | Any,
        mechanism: str | LocalMechanism | Mapping[str, str | LocalMechanism] = "GRR",
        epsilon: float | None = None,
        output: str = "raw",
        source: str | int | None = None,
        secret: str | int | None = None,
        attributes: Iterable[str | int] | None = None,
        min_count: float = 0,
        budget: float | None = None,
        *,
        noun: str = "record",
        disabled: bool = False,
        layout: Any = None,
    ) -> None:
        self._core = LocalState(
            self.declared,
            as_local_value(value),
            mechanism=mechanism,
            epsilon=epsilon,
            output=output,
            source=source,
            secret=secret,
            attributes=attributes,
            min_count=min_count,
            budget=budget,
            noun=noun,
        )
        super().__init__(disabled=disabled, layout=layout)
        with LOCK:
            self._taken()

    def _work(self, now: Awaited[LateInputs]) -> Work:
        return partial(late_for, self._core.solved, now.inputs, self._core.last_late)

    def _subject(self) -> Any:
        core = self._core
        return core.example, core.value.names, core.value.domains

    def _shown(self) -> dict[str, Any]:
        return self._core.state()

    def _embedded(self) -> dict[str, Any]:
        return local_embedded(self._core.value)

    @property
    def results(self) -> LocalAnalysis:
        """What every report says about every other attribute, for the last inputs that made sense."""
        return self._core.results

    def _reported(self, core: Any) -> tuple[Any, dict[str, Any]]:
        source, secret = core.pair
        return core.results, {"secret": secret, "source": source}

    def to_dataframe(self) -> Any:
        """Return one row for each ordered pair, see `LocalAnalysis.to_dataframe`."""
        return self._state().results.to_dataframe()

    def to_networkx(self) -> Any:
        """Return a ``networkx.DiGraph`` with an edge from every source to every secret."""
        return self._state().results.to_networkx()

    def plot(self) -> Any:
        """Return a bqplot figure: the heat map of all pairs."""
        return self._state().results.plot()
