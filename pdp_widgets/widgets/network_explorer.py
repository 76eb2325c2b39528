"""A network of dependent tuples, an adversary chosen on it, and the noise that suffices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, ClassVar

from traitlets import Dict, Instance, Tuple, Unicode

from pdp_widgets.core.amounts import BUDGET, NEIGHBOURS, SCALE
from pdp_widgets.leakage.networks.analysis import NetworkAnalysis
from pdp_widgets.leakage.networks.noise import NoiseTable
from pdp_widgets.leakage.networks.quilts import MarkovQuiltMechanism
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.networks.network import Network
from pdp_widgets.widgets.computed_beside import Awaited, ComputedBeside
from pdp_widgets.widgets.inputs import Choice, Noun, Number
from pdp_widgets.widgets.network_results import ADVERSARIES, SHOWS, NetworkInputs, results_for
from pdp_widgets.widgets.network_state import NetworkState
from pdp_widgets.widgets.running import Work

__all__ = ["NetworkExplorer"]


class NetworkExplorer(ComputedBeside):
    """A network drawn: click a tuple to attack it, click with Shift to know it, and see what leaks.

    Parameters
    ----------
    value
        A `BayesianNetwork` or `MarkovNetwork` of at most 300 tuples, or a `MarkovChain`, of which 24 steps
        are taken; without it a chain of two labels that stays with probability 0.9.
    query
        A `LinearQuery`, ``"sum"`` or ``"count:LABEL"``; without it the sum where labels are numbers, else the
        count of the most frequent label.
    scale
        Scale of the Laplace noise, in units of the query.
    target
        The attacked tuple, by name or position; without it the one about which most is learned.
    known
        Labels of the tuples that the adversary knows, by tuple.
    adversary
        Whom the colours are about: ``"none"``, who knows nothing but the model, ``"mine"``, who knows what
        `known` says, or ``"worst"``, the worst of all for each tuple.
    show
        ``"network"``, ``"quilts"``, the Markov quilts of the target, or ``"temporal"``, where the tuples are
        the steps of a stream and each is released by itself.
    epsilon
        The promise in nats that the table of noise and the quilts are for.
    budgets
        One for each step of a stream, in nats, or one number; without them a tenth of `epsilon` each.
    goal
        What all releases of a stream may say about one step, in nats.
    radius
        Distance of the quilt that is looked at; without it the best one.
    noun
        What one tuple is called in sentences, such as "hour".
    disabled, layout
        As for every widget.

    Attributes
    ----------
    value, query, scale, target, known, adversary, show, epsilon, budgets, goal, radius, noun
        The last inputs that made sense; assign to change them. Wrong ones raise and change nothing.
    current
        Whether all results belong to what stands in the controls.

    Raises
    ------
    PdpError
        An input is wrong; the message names it and says what is accepted.

    Notes
    -----
    See `NetworkAnalysis`; Song, Wang and Chaudhuri (2017) for quilts, Cao, Yoshikawa, Xiao and Xiong (2017)
    for streams. What takes long, such as the worst adversaries of a large network, is computed beside the
    kernel's own work, and ``busy`` is True meanwhile; ``wait()`` returns when it is there.

    Examples
    --------
    >>> from pdp_widgets import NetworkExplorer
    >>> explorer = NetworkExplorer()
    >>> print(explorer.leakage)
    4.49938 nats (exact): step 12, knowing none
    >>> explorer.adversary = "worst"
    >>> explorer.wait()
    >>> round(explorer.leakage.value, 4), [name for name, _ in explorer.leakage.about.known]
    (5.2207, ['step 6', 'step 18'])
    """

    _module = "network_explorer"
    _panels: ClassVar = {
        "network": "Network",
        "law": "Law of the query",
        "quilts": "Quilts",
        "steps": "Steps",
    }
    _picture_name = "network.svg"

    _core: NetworkState
    value = Instance(Network)
    query = Unicode()
    scale = Number(SCALE)
    target = Unicode()
    known = Dict()
    adversary = Choice(ADVERSARIES)
    show = Choice(SHOWS)
    epsilon = Number(BUDGET)
    budgets = Tuple()
    goal = Number(BUDGET)
    radius = Number(NEIGHBOURS, optional=True)
    noun = Noun()

    def __init__(
        self,
        value: Any = None,
        query: LinearQuery | str | None = None,
        scale: float = 1.0,
        target: str | int | None = None,
        known: Mapping[Any, Any] | None = None,
        *,
        adversary: str = "none",
        show: str = "network",
        epsilon: float = 1.0,
        budgets: float | Iterable[float] | None = None,
        goal: float = 1.0,
        radius: int | None = None,
        noun: str = "tuple",
        disabled: bool = False,
        layout: Any = None,
    ) -> None:
        self._core = NetworkState(
            self.declared,
            value,
            query=query,
            scale=scale,
            target=target,
            known=known,
            adversary=adversary,
            show=show,
            epsilon=epsilon,
            budgets=budgets,
            goal=goal,
            radius=radius,
            noun=noun,
        )
        super().__init__(disabled=disabled, layout=layout)

    def _work(self, now: Awaited[NetworkInputs]) -> Work:
        return partial(results_for, now.inputs, self._core.results)

    def _subject(self) -> Any:
        return self._core.network.names, self._core.network.domains

    def _shown(self) -> dict[str, Any]:
        return self._core.state()

    def _embedded(self) -> dict[str, Any]:
        return self._core.embedded()

    def _sentence(self, core: NetworkState) -> str:
        return f"{core.results.inputs.analysis!r}."

    @property
    def results(self) -> NetworkAnalysis:
        """The `NetworkAnalysis` of the last inputs that made sense."""
        return self._state().results.inputs.analysis

    @property
    def leakage(self) -> Leakage:
        """What is learned about the target: by whom, `adversary` says."""
        found = self._state().results
        if found.inputs.adversary == "mine":
            one: Leakage = found["mine"]
        else:
            one = found["worst" if found.inputs.adversary == "worst" else "none"][found.inputs.target]
        return one

    @property
    def noise(self) -> NoiseTable | None:
        """The table of noise for `epsilon`; None where steps of a stream are shown."""
        found: NoiseTable | None = self._state().results["noise"]
        return found

    @property
    def quilts(self) -> MarkovQuiltMechanism | None:
        """The best quilt of every tuple; None unless quilts are shown."""
        found: MarkovQuiltMechanism | None = self._state().results["quilts"]
        return found

    def to_dataframe(self) -> Any:
        """Return one row for each tuple, see `NetworkAnalysis.to_dataframe`."""
        return self.results.to_dataframe()

    def to_latex(self, *arguments: Any, **named: Any) -> str:
        """Return a table for LaTeX, one row for each tuple; see `NetworkAnalysis.to_latex`."""
        return str(self.results.to_latex(*arguments, **named))

    def to_networkx(self) -> Any:
        """Return the network as a graph of networkx: `BayesianNetwork.to_networkx`, else neighbours alone."""
        network: Any = self._state().network
        if hasattr(network, "to_networkx"):
            return network.to_networkx()
        import networkx as nx

        graph: Any = nx.Graph()
        graph.add_nodes_from(network.names)
        graph.add_edges_from(
            (network.names[j], network.names[k]) for j, around in enumerate(network.graph) for k in around
        )
        return graph
