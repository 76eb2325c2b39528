"""Noise for tuples that depend on each other: what dependent differential privacy promises, and what leaks.

**Data.** `SparseJoint` (any table of rows with probabilities), `independent_blocks`, `FriendModel` and
`FriendshipGraph`; `read_adult_records` reads `AdultRecords`.

**Release.** `TableQuery` or `IdentityQuery`, answered with the noise of one of these rules.
`dependence_coefficients` (`DependenceCoefficients`); `dependent_scale` and `dependent_sensitivities`;
`least_scale` (`LeastScale`); `friend_scale` (`FriendScale`) with `friend_coefficient` and `friend_kappa`;
`correlated_sensitivity` and `graph_sensitivity` (`CorrelatedSensitivity`, `GraphSensitivity`) with
`pearson_degrees`. An `Amount` is a number that knows its unit, status and source.

**What leaks.** `dependent_leakage` for one adversary, `worst_adversary` for all, who know sets of
`KnownSets` such as `every_known_set`; `promise_report` (`PromiseReport`) holds promise and truth side by
side, `underestimated` and `underestimation_curve` say by how much (`Underestimation`,
`UnderestimationCurve`). `counterexamples` and `counterexample` break the printed rules (`Counterexamples`,
`Counterexample`).

**Many releases and small failures.** `stacked_leakage`, `repeated_leakage`, `chosen_release_leakage`
(`StackedReleases`), `small_delta` (`SmallDelta`); `tuple_information` (`TupleInformation`).

**Accuracy.** `laplace_accuracy` (`LaplaceAccuracy`), `accuracy_curve` and `budget_curve` (`AccuracyCurve`,
`BudgetCurve`), `separation` and `separation_curve` (`SeparationCurve`).

**Applications.** `private_clustering` (`PrivateClustering`, `Clusters`) with `k_means`, `lloyd`,
`affinity_graph` and `clustering_accuracy`; `private_classifier` (`PrivateClassifier`) with
`classifier_scale` and `encoded_rows`; `private_degrees` (`PrivateDegrees`) with `degree_histogram`.

`DependenceAnalysis` has every question in one place. Looked at in `DependenceExplorer`, which `pdp_widgets`
itself has.
"""

from pdp_widgets.leakage.dependent.accuracy import AccuracyCurve as AccuracyCurve
from pdp_widgets.leakage.dependent.accuracy import BudgetCurve as BudgetCurve
from pdp_widgets.leakage.dependent.accuracy import LaplaceAccuracy as LaplaceAccuracy
from pdp_widgets.leakage.dependent.accuracy import accuracy_curve as accuracy_curve
from pdp_widgets.leakage.dependent.accuracy import budget_curve as budget_curve
from pdp_widgets.leakage.dependent.accuracy import laplace_accuracy as laplace_accuracy
from pdp_widgets.leakage.dependent.coefficients import DependenceCoefficients as DependenceCoefficients
from pdp_widgets.leakage.dependent.coefficients import dependence_coefficients as dependence_coefficients
from pdp_widgets.leakage.dependent.correlated_sensitivity import (
    CorrelatedSensitivity as CorrelatedSensitivity,
)
from pdp_widgets.leakage.dependent.correlated_sensitivity import GraphSensitivity as GraphSensitivity
from pdp_widgets.leakage.dependent.correlated_sensitivity import (
    correlated_sensitivity as correlated_sensitivity,
)
from pdp_widgets.leakage.dependent.correlated_sensitivity import graph_sensitivity as graph_sensitivity
from pdp_widgets.leakage.dependent.correlated_sensitivity import pearson_degrees as pearson_degrees
from pdp_widgets.leakage.dependent.counterexamples import Counterexample as Counterexample
from pdp_widgets.leakage.dependent.counterexamples import Counterexamples as Counterexamples
from pdp_widgets.leakage.dependent.counterexamples import counterexample as counterexample
from pdp_widgets.leakage.dependent.counterexamples import counterexamples as counterexamples
from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis as DependenceAnalysis
from pdp_widgets.leakage.dependent.dependent_scale import LeastScale as LeastScale
from pdp_widgets.leakage.dependent.dependent_scale import dependent_scale as dependent_scale
from pdp_widgets.leakage.dependent.dependent_scale import dependent_sensitivities as dependent_sensitivities
from pdp_widgets.leakage.dependent.dependent_scale import least_scale as least_scale
from pdp_widgets.leakage.dependent.friend_scale import FriendScale as FriendScale
from pdp_widgets.leakage.dependent.friend_scale import friend_coefficient as friend_coefficient
from pdp_widgets.leakage.dependent.friend_scale import friend_kappa as friend_kappa
from pdp_widgets.leakage.dependent.friend_scale import friend_scale as friend_scale
from pdp_widgets.leakage.dependent.mutual_information import TupleInformation as TupleInformation
from pdp_widgets.leakage.dependent.mutual_information import tuple_information as tuple_information
from pdp_widgets.leakage.dependent.promise_report import PromiseReport as PromiseReport
from pdp_widgets.leakage.dependent.promise_report import promise_report as promise_report
from pdp_widgets.leakage.dependent.separation import SeparationCurve as SeparationCurve
from pdp_widgets.leakage.dependent.separation import separation as separation
from pdp_widgets.leakage.dependent.separation import separation_curve as separation_curve
from pdp_widgets.leakage.dependent.small_delta import SmallDelta as SmallDelta
from pdp_widgets.leakage.dependent.small_delta import small_delta as small_delta
from pdp_widgets.leakage.dependent.stacked_releases import StackedReleases as StackedReleases
from pdp_widgets.leakage.dependent.stacked_releases import chosen_release_leakage as chosen_release_leakage
from pdp_widgets.leakage.dependent.stacked_releases import repeated_leakage as repeated_leakage
from pdp_widgets.leakage.dependent.stacked_releases import stacked_leakage as stacked_leakage
from pdp_widgets.leakage.dependent.tuple_leakage import KnownSets as KnownSets
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage as dependent_leakage
from pdp_widgets.leakage.dependent.tuple_leakage import every_known_set as every_known_set
from pdp_widgets.leakage.dependent.tuple_leakage import worst_adversary as worst_adversary
from pdp_widgets.leakage.dependent.underestimated import Underestimation as Underestimation
from pdp_widgets.leakage.dependent.underestimated import UnderestimationCurve as UnderestimationCurve
from pdp_widgets.leakage.dependent.underestimated import underestimated as underestimated
from pdp_widgets.leakage.dependent.underestimated import underestimation_curve as underestimation_curve
from pdp_widgets.mechanisms.applications.clustering import Clusters as Clusters
from pdp_widgets.mechanisms.applications.clustering import PrivateClustering as PrivateClustering
from pdp_widgets.mechanisms.applications.clustering import affinity_graph as affinity_graph
from pdp_widgets.mechanisms.applications.clustering import clustering_accuracy as clustering_accuracy
from pdp_widgets.mechanisms.applications.clustering import k_means as k_means
from pdp_widgets.mechanisms.applications.clustering import lloyd as lloyd
from pdp_widgets.mechanisms.applications.clustering import private_clustering as private_clustering
from pdp_widgets.mechanisms.applications.private_classifier import PrivateClassifier as PrivateClassifier
from pdp_widgets.mechanisms.applications.private_classifier import classifier_scale as classifier_scale
from pdp_widgets.mechanisms.applications.private_classifier import encoded_rows as encoded_rows
from pdp_widgets.mechanisms.applications.private_classifier import private_classifier as private_classifier
from pdp_widgets.mechanisms.applications.private_degrees import PrivateDegrees as PrivateDegrees
from pdp_widgets.mechanisms.applications.private_degrees import degree_histogram as degree_histogram
from pdp_widgets.mechanisms.applications.private_degrees import private_degrees as private_degrees
from pdp_widgets.mechanisms.joint_query import IdentityQuery as IdentityQuery
from pdp_widgets.mechanisms.joint_query import TableQuery as TableQuery
from pdp_widgets.models.adult import AdultRecords as AdultRecords
from pdp_widgets.models.adult import read_adult_records as read_adult_records
from pdp_widgets.models.amount import Amount as Amount
from pdp_widgets.models.dependence import independent_blocks as independent_blocks
from pdp_widgets.models.friend_model import FriendModel as FriendModel
from pdp_widgets.models.friendship_graph import FriendshipGraph as FriendshipGraph
from pdp_widgets.models.sparse_joint import SparseJoint as SparseJoint
