"""See exactly, and live, what an adversary learns from released data when the data are correlated.

What a first week needs is here: models, mechanisms, analyses, widgets, readers, data sets, errors. The rest
is in packages by topic, each with a map of it: `prior`, `gaussian`, `local`, `dependent`, `streams`,
`anonymity`, `places`, `networks`, and `meaning` for all of them; `examples` holds small tables, `errors`
what can be wrong with an input.

Everything is imported when first used, so that ``import pdp_widgets`` is quick and free of any notebook.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pdp_widgets.version import __version__ as __version__

#: Where the names at the top are, below `pdp_widgets`. What type checkers read stands below it.
_HOMES = {
    "errors": (
        "AdversaryError",
        "BudgetError",
        "ChainError",
        "DomainError",
        "InstanceError",
        "LimitError",
        "PdpError",
        "QueryError",
        "ScaleError",
        "StreamError",
        "TableError",
    ),
    "leakage.adversary": ("Adversary",),
    "leakage.dependent.dependence_analysis": ("DependenceAnalysis",),
    "leakage.dependent.tuple_leakage": ("dependent_leakage",),
    "leakage.gaussian.analysis": ("GaussianAnalysis",),
    "leakage.gaussian.exact_node": ("gaussian_leakage",),
    "leakage.inference.inference_attack": ("InferenceAttack",),
    "leakage.local.local_analysis": ("LocalAnalysis",),
    "leakage.local.pair_leakage": ("pair_leakage",),
    "leakage.noiseless.anonymity_analysis": ("AnonymityAnalysis",),
    "leakage.prior.analysis": ("PriorAnalysis",),
    "leakage.prior.calibration": ("calibrate",),
    "leakage.prior.exact_all": ("exact_all",),
    "leakage.prior.exact_node": ("prior_leakage",),
    "leakage.prior.graph": ("WeightedHierarchicalGraph",),
    "leakage.prior.noise_comparison": ("compare_noise",),
    "leakage.sequence.composition": ("compose",),
    "leakage.sequence.sequence_analysis": ("SequenceAnalysis",),
    "leakage.sequence.sequence_leakage": ("sequence_leakage",),
    "leakage.value": ("Leakage",),
    "mechanisms.anonymity.equivalence_classes": ("EquivalenceClasses", "anonymise"),
    "mechanisms.anonymity.mondrian": ("mondrian",),
    "mechanisms.anonymity.selected_count": ("SelectedCount",),
    "mechanisms.histogram_query": ("HistogramQuery",),
    "mechanisms.joint_query": ("TableQuery",),
    "mechanisms.laplace": ("LaplaceMechanism", "VectorLaplaceMechanism"),
    "mechanisms.linear_query": ("LinearQuery",),
    "mechanisms.local.finite_channel": ("Channel",),
    "mechanisms.local.histogram_encoding": ("SHE",),
    "mechanisms.local.local_hashing": ("BLH", "OLH"),
    "mechanisms.local.randomised_response": ("EXP", "GRR", "SS"),
    "mechanisms.local.unary_encoding": ("OUE", "RAPPOR", "SUE"),
    "mechanisms.sequence.balanced_response": ("BalancedResponse",),
    "mechanisms.sequence.conditional_response": ("ConditionalResponse",),
    "mechanisms.sequence.optimal_response": ("OptimalResponse",),
    "models.adult": ("read_adult",),
    "models.attribute_table": ("AttributeTable",),
    "models.check_ins": ("read_check_ins",),
    "models.counts": ("lsat6", "read_counts", "titanic"),
    "models.friendship_graph": ("FriendshipGraph",),
    "models.friendships": ("read_friendships",),
    "models.gaussian_model": ("GaussianModel",),
    "models.joint_distribution": ("JointDistribution",),
    "models.markov_chain": ("MarkovChain",),
    "models.microdata": ("Microdata", "read_microdata"),
    "models.read_table": ("read_table",),
    "models.social_network": ("SocialNetwork",),
    "models.sparse_joint": ("SparseJoint",),
    "models.stream_data": ("StreamData",),
    "models.stream_files": ("read_click_streams", "seattle_weather"),
    "models.surveys": ("anes96", "anes96_records", "clinic"),
    "models.synthetic_network": ("synthetic_network",),
    "widgets.anonymity_explorer": ("AnonymityExplorer",),
    "widgets.attack_explorer": ("AttackExplorer",),
    "widgets.covariance_editor": ("CovarianceEditor",),
    "widgets.dependence_explorer": ("DependenceExplorer",),
    "widgets.document": ("open",),
    "widgets.gaussian_explorer": ("GaussianExplorer",),
    "widgets.joint_table": ("JointTable",),
    "widgets.local_explorer": ("LocalExplorer",),
    "widgets.network_explorer": ("NetworkExplorer",),
    "widgets.prior_explorer": ("PriorExplorer",),
    "widgets.question": ("Question",),
    "widgets.stream_simulator": ("StreamSimulator",),
    "widgets.whg_graph": ("WHGGraph",),
}
_TOPICS = (
    "anonymity",
    "dependent",
    "errors",
    "examples",
    "gaussian",
    "local",
    "meaning",
    "networks",
    "places",
    "prior",
    "streams",
)

if TYPE_CHECKING:
    from pdp_widgets import anonymity as anonymity
    from pdp_widgets import dependent as dependent
    from pdp_widgets import errors as errors
    from pdp_widgets import examples as examples
    from pdp_widgets import gaussian as gaussian
    from pdp_widgets import local as local
    from pdp_widgets import meaning as meaning
    from pdp_widgets import networks as networks
    from pdp_widgets import places as places
    from pdp_widgets import prior as prior
    from pdp_widgets import streams as streams
    from pdp_widgets.errors import AdversaryError as AdversaryError
    from pdp_widgets.errors import BudgetError as BudgetError
    from pdp_widgets.errors import ChainError as ChainError
    from pdp_widgets.errors import DomainError as DomainError
    from pdp_widgets.errors import InstanceError as InstanceError
    from pdp_widgets.errors import LimitError as LimitError
    from pdp_widgets.errors import PdpError as PdpError
    from pdp_widgets.errors import QueryError as QueryError
    from pdp_widgets.errors import ScaleError as ScaleError
    from pdp_widgets.errors import StreamError as StreamError
    from pdp_widgets.errors import TableError as TableError
    from pdp_widgets.leakage.adversary import Adversary as Adversary
    from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis as DependenceAnalysis
    from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage as dependent_leakage
    from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis as GaussianAnalysis
    from pdp_widgets.leakage.gaussian.exact_node import gaussian_leakage as gaussian_leakage
    from pdp_widgets.leakage.inference.inference_attack import InferenceAttack as InferenceAttack
    from pdp_widgets.leakage.local.local_analysis import LocalAnalysis as LocalAnalysis
    from pdp_widgets.leakage.local.pair_leakage import pair_leakage as pair_leakage
    from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis as AnonymityAnalysis
    from pdp_widgets.leakage.prior.analysis import PriorAnalysis as PriorAnalysis
    from pdp_widgets.leakage.prior.calibration import calibrate as calibrate
    from pdp_widgets.leakage.prior.exact_all import exact_all as exact_all
    from pdp_widgets.leakage.prior.exact_node import prior_leakage as prior_leakage
    from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph as WeightedHierarchicalGraph
    from pdp_widgets.leakage.prior.noise_comparison import compare_noise as compare_noise
    from pdp_widgets.leakage.sequence.composition import compose as compose
    from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis as SequenceAnalysis
    from pdp_widgets.leakage.sequence.sequence_leakage import sequence_leakage as sequence_leakage
    from pdp_widgets.leakage.value import Leakage as Leakage
    from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses as EquivalenceClasses
    from pdp_widgets.mechanisms.anonymity.equivalence_classes import anonymise as anonymise
    from pdp_widgets.mechanisms.anonymity.mondrian import mondrian as mondrian
    from pdp_widgets.mechanisms.anonymity.selected_count import SelectedCount as SelectedCount
    from pdp_widgets.mechanisms.histogram_query import HistogramQuery as HistogramQuery
    from pdp_widgets.mechanisms.joint_query import TableQuery as TableQuery
    from pdp_widgets.mechanisms.laplace import LaplaceMechanism as LaplaceMechanism
    from pdp_widgets.mechanisms.laplace import VectorLaplaceMechanism as VectorLaplaceMechanism
    from pdp_widgets.mechanisms.linear_query import LinearQuery as LinearQuery
    from pdp_widgets.mechanisms.local.finite_channel import Channel as Channel
    from pdp_widgets.mechanisms.local.histogram_encoding import SHE as SHE
    from pdp_widgets.mechanisms.local.local_hashing import BLH as BLH
    from pdp_widgets.mechanisms.local.local_hashing import OLH as OLH
    from pdp_widgets.mechanisms.local.randomised_response import EXP as EXP
    from pdp_widgets.mechanisms.local.randomised_response import GRR as GRR
    from pdp_widgets.mechanisms.local.randomised_response import SS as SS
    from pdp_widgets.mechanisms.local.unary_encoding import OUE as OUE
    from pdp_widgets.mechanisms.local.unary_encoding import RAPPOR as RAPPOR
    from pdp_widgets.mechanisms.local.unary_encoding import SUE as SUE
    from pdp_widgets.mechanisms.sequence.balanced_response import BalancedResponse as BalancedResponse
    from pdp_widgets.mechanisms.sequence.conditional_response import (
        ConditionalResponse as ConditionalResponse,
    )
    from pdp_widgets.mechanisms.sequence.optimal_response import OptimalResponse as OptimalResponse
    from pdp_widgets.models.adult import read_adult as read_adult
    from pdp_widgets.models.attribute_table import AttributeTable as AttributeTable
    from pdp_widgets.models.check_ins import read_check_ins as read_check_ins
    from pdp_widgets.models.counts import lsat6 as lsat6
    from pdp_widgets.models.counts import read_counts as read_counts
    from pdp_widgets.models.counts import titanic as titanic
    from pdp_widgets.models.friendship_graph import FriendshipGraph as FriendshipGraph
    from pdp_widgets.models.friendships import read_friendships as read_friendships
    from pdp_widgets.models.gaussian_model import GaussianModel as GaussianModel
    from pdp_widgets.models.joint_distribution import JointDistribution as JointDistribution
    from pdp_widgets.models.markov_chain import MarkovChain as MarkovChain
    from pdp_widgets.models.microdata import Microdata as Microdata
    from pdp_widgets.models.microdata import read_microdata as read_microdata
    from pdp_widgets.models.read_table import read_table as read_table
    from pdp_widgets.models.social_network import SocialNetwork as SocialNetwork
    from pdp_widgets.models.sparse_joint import SparseJoint as SparseJoint
    from pdp_widgets.models.stream_data import StreamData as StreamData
    from pdp_widgets.models.stream_files import read_click_streams as read_click_streams
    from pdp_widgets.models.stream_files import seattle_weather as seattle_weather
    from pdp_widgets.models.surveys import anes96 as anes96
    from pdp_widgets.models.surveys import anes96_records as anes96_records
    from pdp_widgets.models.surveys import clinic as clinic
    from pdp_widgets.models.synthetic_network import synthetic_network as synthetic_network
    from pdp_widgets.widgets.anonymity_explorer import AnonymityExplorer as AnonymityExplorer
    from pdp_widgets.widgets.attack_explorer import AttackExplorer as AttackExplorer
    from pdp_widgets.widgets.covariance_editor import CovarianceEditor as CovarianceEditor
    from pdp_widgets.widgets.dependence_explorer import DependenceExplorer as DependenceExplorer
    from pdp_widgets.widgets.document import open as open
    from pdp_widgets.widgets.gaussian_explorer import GaussianExplorer as GaussianExplorer
    from pdp_widgets.widgets.joint_table import JointTable as JointTable
    from pdp_widgets.widgets.local_explorer import LocalExplorer as LocalExplorer
    from pdp_widgets.widgets.network_explorer import NetworkExplorer as NetworkExplorer
    from pdp_widgets.widgets.prior_explorer import PriorExplorer as PriorExplorer
    from pdp_widgets.widgets.question import Question as Question
    from pdp_widgets.widgets.stream_simulator import StreamSimulator as StreamSimulator
    from pdp_widgets.widgets.whg_graph import WHGGraph as WHGGraph
else:
    # Type checkers take what is imported above, and know that there is nothing else.
    _MODULES = {name: module for module, names in _HOMES.items() for name in names}
    # With a star nobody wants Python's own `open` replaced.
    __all__ = sorted({*_MODULES, "__version__"} - {"open"})

    def __getattr__(name: str) -> Any:
        if name in _TOPICS:
            return import_module(f"pdp_widgets.{name}")
        if name not in _MODULES:
            raise AttributeError(f"module 'pdp_widgets' has no attribute {name!r}")
        value = getattr(import_module(f"pdp_widgets.{_MODULES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted([*__all__, *_TOPICS, "open"])
