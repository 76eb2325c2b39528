"""See exactly, and live, what an adversary learns from released data when the data are correlated.

The names below are imported when first used, so that ``import pdp_widgets`` is quick and free of any
notebook.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pdp_widgets.version import __version__

if TYPE_CHECKING:
    from pdp_widgets import examples as examples
    from pdp_widgets.errors import (
        AdversaryError,
        BudgetError,
        ChainError,
        DomainError,
        FewRecordsWarning,
        InstanceError,
        LimitError,
        ModelMismatch,
        NetworkError,
        PdpError,
        QueryError,
        ReplicatedRecordsWarning,
        ScaleError,
        SortedStreamsWarning,
        StreamError,
        TableError,
        Where,
    )
    from pdp_widgets.leakage.adversary import Adversary
    from pdp_widgets.leakage.dependent.accuracy import (
        AccuracyCurve,
        LaplaceAccuracy,
        accuracy_curve,
        laplace_accuracy,
    )
    from pdp_widgets.leakage.dependent.coefficients import dependence_coefficients
    from pdp_widgets.leakage.dependent.correlated_sensitivity import (
        CorrelatedSensitivity,
        correlated_sensitivity,
        pearson_degrees,
    )
    from pdp_widgets.leakage.dependent.counterexamples import (
        Counterexample,
        Counterexamples,
        counterexample,
        counterexamples,
    )
    from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis
    from pdp_widgets.leakage.dependent.dependent_scale import dependent_scale, dependent_sensitivities
    from pdp_widgets.leakage.dependent.friend_scale import (
        FriendScale,
        GraphSensitivity,
        friend_coefficient,
        friend_kappa,
        friend_scale,
        graph_sensitivity,
    )
    from pdp_widgets.leakage.dependent.known_sets import KnownSets, every_known_set, worst_adversary
    from pdp_widgets.leakage.dependent.least_scale import LeastScale, least_scale
    from pdp_widgets.leakage.dependent.mutual_information import TupleInformation, tuple_information
    from pdp_widgets.leakage.dependent.promise_report import PromiseReport, promise_report
    from pdp_widgets.leakage.dependent.separation import SeparationCurve, separation, separation_curve
    from pdp_widgets.leakage.dependent.small_delta import SmallDelta, small_delta
    from pdp_widgets.leakage.dependent.stacked_releases import (
        StackedReleases,
        chosen_release_leakage,
        repeated_leakage,
        stacked_leakage,
    )
    from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage
    from pdp_widgets.leakage.dependent.underestimated import (
        Underestimation,
        UnderestimationCurve,
        underestimated,
        underestimation_curve,
    )
    from pdp_widgets.leakage.drawn_tables import drawn_tables
    from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
    from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
    from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary, gaussian_leakage
    from pdp_widgets.leakage.inference.all_attacks import AllAttacks
    from pdp_widgets.leakage.inference.attack_curves import AttackCurves
    from pdp_widgets.leakage.inference.attack_result import AttackResult
    from pdp_widgets.leakage.inference.attack_score import AttackScore, attack_score
    from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
    from pdp_widgets.leakage.local.all_reports import AllReports, all_reports
    from pdp_widgets.leakage.local.association import Association, association
    from pdp_widgets.leakage.local.budget_calibration import BudgetCalibration, calibrate_budget
    from pdp_widgets.leakage.local.comparison_plane import ComparisonPlane, comparison_plane
    from pdp_widgets.leakage.local.joint_privacy_loss import JointPrivacyLoss, joint_privacy_loss
    from pdp_widgets.leakage.local.leakage_curve import LeakageCurve, leakage_curve
    from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
    from pdp_widgets.leakage.local.pair_interval import pair_interval
    from pdp_widgets.leakage.local.pair_leakage import PairLeakage, pair_leakage
    from pdp_widgets.leakage.local.printed_algorithm import printed_calibration
    from pdp_widgets.leakage.local.statistical import SimulatedLeakage, simulated_leakage, statistical_leakage
    from pdp_widgets.leakage.local.surrogate_test import SurrogateTest, surrogate_test
    from pdp_widgets.leakage.local.utility import UtilityComparison, compare_utility
    from pdp_widgets.leakage.prior.analysis import PriorAnalysis
    from pdp_widgets.leakage.prior.calibration import Calibration, calibrate
    from pdp_widgets.leakage.prior.chain_rule import ChainPath
    from pdp_widgets.leakage.prior.edge_weights import EdgeWeight
    from pdp_widgets.leakage.prior.exact_all import exact_all
    from pdp_widgets.leakage.prior.exact_node import PriorAdversary, prior_leakage
    from pdp_widgets.leakage.prior.fast_search import FastSearch
    from pdp_widgets.leakage.prior.given_edges import GivenEdges
    from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
    from pdp_widgets.leakage.prior.group_bound import group_bound
    from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis
    from pdp_widgets.leakage.prior.joint_release import JointRelease, joint_leakage
    from pdp_widgets.leakage.prior.leakage_intervals import LeakageIntervals, leakage_intervals
    from pdp_widgets.leakage.prior.noise_comparison import NoiseComparison, compare_noise
    from pdp_widgets.leakage.prior.uncertainty import leakage_interval
    from pdp_widgets.leakage.sequence.about import AboutSteps
    from pdp_widgets.leakage.sequence.batch_belief import BatchBelief
    from pdp_widgets.leakage.sequence.batch_errors import BatchErrors, batch_errors
    from pdp_widgets.leakage.sequence.belief import StreamBelief
    from pdp_widgets.leakage.sequence.composition import Composition, compose
    from pdp_widgets.leakage.sequence.local_level import LocalLevels, compare_levels, local_level
    from pdp_widgets.leakage.sequence.log_belief import LogStreamBelief
    from pdp_widgets.leakage.sequence.look_back import look_back_releases
    from pdp_widgets.leakage.sequence.many_users import SimulatedReleases, simulate_releases
    from pdp_widgets.leakage.sequence.mismatched_prior import MismatchedPrior, mismatched_prior
    from pdp_widgets.leakage.sequence.mutual_information import (
        SequenceInformation,
        sequence_mutual_information,
    )
    from pdp_widgets.leakage.sequence.noise_bound import NoiseBound, noise_bound
    from pdp_widgets.leakage.sequence.pointwise import PointwiseLeakages, pointwise_leakages
    from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis
    from pdp_widgets.leakage.sequence.sequence_leakage import SequenceLeakage, sequence_leakage
    from pdp_widgets.leakage.sequence.step_leakages import StepLeakages
    from pdp_widgets.leakage.sequence.stream_errors import expected_errors
    from pdp_widgets.leakage.sequence.stream_run import StreamRun
    from pdp_widgets.leakage.sequence.stream_script import StreamScript
    from pdp_widgets.leakage.sequence.tails import Tail, pointwise_tail
    from pdp_widgets.leakage.sequence.temporal_leakage import TemporalLeakage, temporal_leakage
    from pdp_widgets.leakage.sequence.thresholds import crr_valid_threshold
    from pdp_widgets.leakage.sequence.two_points import TwoPoints, TwoPointsCurve, two_points_curve
    from pdp_widgets.leakage.sequence.violation_share import (
        ViolationShare,
        simulated_violation_share,
        violation_share,
    )
    from pdp_widgets.leakage.value import About, AboutSecret, Attained, Leakage
    from pdp_widgets.mechanisms.applications.affinity_graph import affinity_graph
    from pdp_widgets.mechanisms.applications.lloyd import Clusters, k_means, lloyd
    from pdp_widgets.mechanisms.applications.private_classifier import (
        PrivateClassifier,
        classifier_scale,
        encoded_rows,
        private_classifier,
    )
    from pdp_widgets.mechanisms.applications.private_clustering import (
        PrivateClustering,
        clustering_accuracy,
        private_clustering,
    )
    from pdp_widgets.mechanisms.applications.private_degrees import (
        PrivateDegrees,
        degree_histogram,
        private_degrees,
    )
    from pdp_widgets.mechanisms.histogram_query import HistogramQuery
    from pdp_widgets.mechanisms.identity_query import IdentityQuery
    from pdp_widgets.mechanisms.laplace import LaplaceMechanism
    from pdp_widgets.mechanisms.linear_query import LinearQuery
    from pdp_widgets.mechanisms.local.any_mechanism import AnyMechanism
    from pdp_widgets.mechanisms.local.finite_channel import Channel
    from pdp_widgets.mechanisms.local.frequency_estimation import clipped_frequencies, simplex_frequencies
    from pdp_widgets.mechanisms.local.histogram_encoding import SHE
    from pdp_widgets.mechanisms.local.local_hashing import BLH, OLH
    from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
    from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
    from pdp_widgets.mechanisms.local.randomised_response import EXP, GRR, DeltaGRR
    from pdp_widgets.mechanisms.local.subset_selection import SS
    from pdp_widgets.mechanisms.local.unary_encoding import OUE, RAPPOR, SUE
    from pdp_widgets.mechanisms.query_menu import QueryChoice, queries_for, query_by_key
    from pdp_widgets.mechanisms.sequence.balanced_response import BalancedResponse
    from pdp_widgets.mechanisms.sequence.batch_release import BatchRelease
    from pdp_widgets.mechanisms.sequence.binary_optimum import BinaryOptimum
    from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse, ShrunkResponse
    from pdp_widgets.mechanisms.sequence.distances import Distance, expected_distance
    from pdp_widgets.mechanisms.sequence.identity_release import IdentityRelease
    from pdp_widgets.mechanisms.sequence.log_lift import log_lift
    from pdp_widgets.mechanisms.sequence.memory_release import MemoryRelease
    from pdp_widgets.mechanisms.sequence.mutual_information_channel import MutualInformationChannel
    from pdp_widgets.mechanisms.sequence.optimal_response import OptimalResponse
    from pdp_widgets.mechanisms.sequence.randomised_symbols import RandomisedSymbols, RandomisedSymbolsTwice
    from pdp_widgets.mechanisms.sequence.sequence_by_name import sequence_mechanism_named
    from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
    from pdp_widgets.mechanisms.sequence.step_channel import StepChannel
    from pdp_widgets.mechanisms.sequence.temporal_response import SafeTemporalResponse, TemporalResponse
    from pdp_widgets.mechanisms.sequence.trimmed_response import TrimmedResponse
    from pdp_widgets.mechanisms.sequence.truncated_reports import TruncatedReports
    from pdp_widgets.mechanisms.table_query import TableQuery
    from pdp_widgets.mechanisms.vector_laplace import VectorLaplaceMechanism
    from pdp_widgets.models.adult import read_adult
    from pdp_widgets.models.adult_records import AdultRecords, read_adult_records
    from pdp_widgets.models.anes96 import anes96
    from pdp_widgets.models.attribute_table import AttributeTable
    from pdp_widgets.models.batches import BatchPartition, batch_index, batch_partition, batch_patterns
    from pdp_widgets.models.binning import Bins
    from pdp_widgets.models.check_ins import CheckIns, read_check_ins
    from pdp_widgets.models.click_streams import read_click_streams
    from pdp_widgets.models.counts import lsat6, read_counts, titanic
    from pdp_widgets.models.covariance import valid_range
    from pdp_widgets.models.friend_model import FriendModel
    from pdp_widgets.models.friendship_graph import FriendshipGraph
    from pdp_widgets.models.friendships import Friendships, read_friendships
    from pdp_widgets.models.gaussian_model import GaussianModel
    from pdp_widgets.models.great_circle import great_circle_km
    from pdp_widgets.models.history_source import HistorySource
    from pdp_widgets.models.independent_blocks import independent_blocks
    from pdp_widgets.models.joint_distribution import JointDistribution
    from pdp_widgets.models.location_patterns import LocationPatterns, location_patterns
    from pdp_widgets.models.markov_chain import MarkovChain
    from pdp_widgets.models.nearest_covariance import nearest_covariance
    from pdp_widgets.models.public_grid import grid_cells, grid_centres, quantised
    from pdp_widgets.models.social_network import SocialNetwork
    from pdp_widgets.models.sparse_joint import SparseJoint
    from pdp_widgets.models.stream_data import StreamData
    from pdp_widgets.models.stream_facts import StreamFacts
    from pdp_widgets.models.synthetic_network import synthetic_network
    from pdp_widgets.models.transition_counts import TransitionCounts, transition_counts
    from pdp_widgets.models.weather import seattle_weather
    from pdp_widgets.widgets.covariance_editor import CovarianceEditor
    from pdp_widgets.widgets.gaussian_explorer import GaussianExplorer
    from pdp_widgets.widgets.joint_table import JointTable
    from pdp_widgets.widgets.local_explorer import LocalExplorer
    from pdp_widgets.widgets.prior_explorer import PriorExplorer
    from pdp_widgets.widgets.stream_simulator import StreamSimulator
    from pdp_widgets.widgets.whg_graph import WHGGraph

__all__ = [
    "BLH",
    "EXP",
    "GRR",
    "OLH",
    "OUE",
    "RAPPOR",
    "SHE",
    "SS",
    "SUE",
    "About",
    "AboutSecret",
    "AboutSteps",
    "AccuracyCurve",
    "AdultRecords",
    "Adversary",
    "AdversaryError",
    "AllAttacks",
    "AllReports",
    "AnyMechanism",
    "Association",
    "AttackCurves",
    "AttackResult",
    "AttackScore",
    "Attained",
    "AttributeTable",
    "BalancedResponse",
    "BatchBelief",
    "BatchErrors",
    "BatchPartition",
    "BatchRelease",
    "BinaryOptimum",
    "Bins",
    "BudgetCalibration",
    "BudgetError",
    "Calibration",
    "ChainError",
    "ChainPath",
    "Channel",
    "CheckIns",
    "Clusters",
    "ComparisonPlane",
    "Composition",
    "ConditionalResponse",
    "CorrelatedSensitivity",
    "Counterexample",
    "Counterexamples",
    "CovarianceEditor",
    "DeltaGRR",
    "DependenceAnalysis",
    "Distance",
    "DomainError",
    "EdgeWeight",
    "FastSearch",
    "FewRecordsWarning",
    "FriendModel",
    "FriendScale",
    "FriendshipGraph",
    "Friendships",
    "GaussianAdversary",
    "GaussianAnalysis",
    "GaussianExplorer",
    "GaussianModel",
    "GivenEdges",
    "GraphSensitivity",
    "HistogramAnalysis",
    "HistogramQuery",
    "HistorySource",
    "IdentityQuery",
    "IdentityRelease",
    "InferenceAttack",
    "InstanceError",
    "JointDistribution",
    "JointPrivacyLoss",
    "JointRelease",
    "JointTable",
    "KnownSets",
    "LaplaceAccuracy",
    "LaplaceMechanism",
    "Leakage",
    "LeakageCurve",
    "LeakageIntervals",
    "LeastScale",
    "LimitError",
    "LinearQuery",
    "LocalAnalysis",
    "LocalExplorer",
    "LocalLevels",
    "LocalMechanism",
    "LocationPatterns",
    "LogStreamBelief",
    "MarkovChain",
    "MemoryRelease",
    "MismatchedPrior",
    "ModelMismatch",
    "MutualInformationChannel",
    "NetworkError",
    "NoiseBound",
    "NoiseComparison",
    "OptimalResponse",
    "PairLeakage",
    "PdpError",
    "PointwiseLeakages",
    "PriorAdversary",
    "PriorAnalysis",
    "PriorExplorer",
    "PrivateClassifier",
    "PrivateClustering",
    "PrivateDegrees",
    "PromiseReport",
    "QueryChoice",
    "QueryError",
    "RandomisedSymbols",
    "RandomisedSymbolsTwice",
    "ReplicatedRecordsWarning",
    "SafeTemporalResponse",
    "ScaleError",
    "SeparationCurve",
    "SequenceAnalysis",
    "SequenceInformation",
    "SequenceLeakage",
    "SequenceMechanism",
    "ShrunkResponse",
    "SimulatedLeakage",
    "SimulatedReleases",
    "SmallDelta",
    "SocialNetwork",
    "SortedStreamsWarning",
    "SparseJoint",
    "StackedReleases",
    "StepChannel",
    "StepLeakages",
    "StreamBelief",
    "StreamData",
    "StreamError",
    "StreamFacts",
    "StreamRun",
    "StreamScript",
    "StreamSimulator",
    "SurrogateTest",
    "TableError",
    "TableQuery",
    "Tail",
    "TemporalLeakage",
    "TemporalResponse",
    "TransitionCounts",
    "TrimmedResponse",
    "TruncatedReports",
    "TupleInformation",
    "TwoPoints",
    "TwoPointsCurve",
    "Underestimation",
    "UnderestimationCurve",
    "UtilityComparison",
    "VectorLaplaceMechanism",
    "ViolationShare",
    "WHGGraph",
    "WeightedHierarchicalGraph",
    "Where",
    "__version__",
    "accuracy_curve",
    "affinity_graph",
    "all_reports",
    "anes96",
    "association",
    "attack_score",
    "batch_errors",
    "batch_index",
    "batch_partition",
    "batch_patterns",
    "calibrate",
    "calibrate_budget",
    "chosen_release_leakage",
    "classifier_scale",
    "clipped_frequencies",
    "clustering_accuracy",
    "compare_levels",
    "compare_noise",
    "compare_utility",
    "comparison_plane",
    "compose",
    "correlated_sensitivity",
    "counterexample",
    "counterexamples",
    "crr_valid_threshold",
    "degree_histogram",
    "dependence_coefficients",
    "dependent_leakage",
    "dependent_scale",
    "dependent_sensitivities",
    "drawn_tables",
    "encoded_rows",
    "every_known_set",
    "exact_all",
    "expected_distance",
    "expected_errors",
    "friend_coefficient",
    "friend_kappa",
    "friend_scale",
    "gaussian_exact_all",
    "gaussian_leakage",
    "graph_sensitivity",
    "great_circle_km",
    "grid_cells",
    "grid_centres",
    "group_bound",
    "independent_blocks",
    "joint_leakage",
    "joint_privacy_loss",
    "k_means",
    "laplace_accuracy",
    "leakage_curve",
    "leakage_interval",
    "leakage_intervals",
    "least_scale",
    "lloyd",
    "local_level",
    "location_patterns",
    "log_lift",
    "look_back_releases",
    "lsat6",
    "mechanism_named",
    "mismatched_prior",
    "nearest_covariance",
    "noise_bound",
    "pair_interval",
    "pair_leakage",
    "pearson_degrees",
    "pointwise_leakages",
    "pointwise_tail",
    "printed_calibration",
    "prior_leakage",
    "private_classifier",
    "private_clustering",
    "private_degrees",
    "promise_report",
    "quantised",
    "queries_for",
    "query_by_key",
    "read_adult",
    "read_adult_records",
    "read_check_ins",
    "read_click_streams",
    "read_counts",
    "read_friendships",
    "repeated_leakage",
    "seattle_weather",
    "separation",
    "separation_curve",
    "sequence_leakage",
    "sequence_mechanism_named",
    "sequence_mutual_information",
    "simplex_frequencies",
    "simulate_releases",
    "simulated_leakage",
    "simulated_violation_share",
    "small_delta",
    "stacked_leakage",
    "statistical_leakage",
    "surrogate_test",
    "synthetic_network",
    "temporal_leakage",
    "titanic",
    "transition_counts",
    "tuple_information",
    "two_points_curve",
    "underestimated",
    "underestimation_curve",
    "valid_range",
    "violation_share",
    "worst_adversary",
]

_HOMES = {
    "About": "leakage.value",
    "AboutSecret": "leakage.value",
    "AboutSteps": "leakage.sequence.about",
    "AccuracyCurve": "leakage.dependent.accuracy",
    "AdultRecords": "models.adult_records",
    "Adversary": "leakage.adversary",
    "AllAttacks": "leakage.inference.all_attacks",
    "AllReports": "leakage.local.all_reports",
    "AnyMechanism": "mechanisms.local.any_mechanism",
    "Association": "leakage.local.association",
    "AttackCurves": "leakage.inference.attack_curves",
    "AttackResult": "leakage.inference.attack_result",
    "AttackScore": "leakage.inference.attack_score",
    "Attained": "leakage.value",
    "AttributeTable": "models.attribute_table",
    "BLH": "mechanisms.local.local_hashing",
    "BalancedResponse": "mechanisms.sequence.balanced_response",
    "BatchBelief": "leakage.sequence.batch_belief",
    "BatchErrors": "leakage.sequence.batch_errors",
    "BatchPartition": "models.batches",
    "BatchRelease": "mechanisms.sequence.batch_release",
    "BinaryOptimum": "mechanisms.sequence.binary_optimum",
    "Bins": "models.binning",
    "BudgetCalibration": "leakage.local.budget_calibration",
    "Calibration": "leakage.prior.calibration",
    "ChainPath": "leakage.prior.chain_rule",
    "Channel": "mechanisms.local.finite_channel",
    "CheckIns": "models.check_ins",
    "Clusters": "mechanisms.applications.lloyd",
    "ComparisonPlane": "leakage.local.comparison_plane",
    "Composition": "leakage.sequence.composition",
    "ConditionalResponse": "mechanisms.sequence.conditional_response",
    "CorrelatedSensitivity": "leakage.dependent.correlated_sensitivity",
    "Counterexample": "leakage.dependent.counterexamples",
    "Counterexamples": "leakage.dependent.counterexamples",
    "CovarianceEditor": "widgets.covariance_editor",
    "DeltaGRR": "mechanisms.local.randomised_response",
    "DependenceAnalysis": "leakage.dependent.dependence_analysis",
    "Distance": "mechanisms.sequence.distances",
    "EXP": "mechanisms.local.randomised_response",
    "EdgeWeight": "leakage.prior.edge_weights",
    "FastSearch": "leakage.prior.fast_search",
    "FriendModel": "models.friend_model",
    "FriendScale": "leakage.dependent.friend_scale",
    "FriendshipGraph": "models.friendship_graph",
    "Friendships": "models.friendships",
    "GRR": "mechanisms.local.randomised_response",
    "GaussianAdversary": "leakage.gaussian.exact_node",
    "GaussianAnalysis": "leakage.gaussian.analysis",
    "GaussianExplorer": "widgets.gaussian_explorer",
    "GaussianModel": "models.gaussian_model",
    "GivenEdges": "leakage.prior.given_edges",
    "GraphSensitivity": "leakage.dependent.friend_scale",
    "HistogramAnalysis": "leakage.prior.histogram_analysis",
    "HistogramQuery": "mechanisms.histogram_query",
    "HistorySource": "models.history_source",
    "IdentityQuery": "mechanisms.identity_query",
    "IdentityRelease": "mechanisms.sequence.identity_release",
    "InferenceAttack": "leakage.inference.inference_attack",
    "JointDistribution": "models.joint_distribution",
    "JointPrivacyLoss": "leakage.local.joint_privacy_loss",
    "JointRelease": "leakage.prior.joint_release",
    "JointTable": "widgets.joint_table",
    "KnownSets": "leakage.dependent.known_sets",
    "LaplaceAccuracy": "leakage.dependent.accuracy",
    "LaplaceMechanism": "mechanisms.laplace",
    "Leakage": "leakage.value",
    "LeakageCurve": "leakage.local.leakage_curve",
    "LeakageIntervals": "leakage.prior.leakage_intervals",
    "LeastScale": "leakage.dependent.least_scale",
    "LinearQuery": "mechanisms.linear_query",
    "LocalAnalysis": "leakage.local.local_analysis",
    "LocalExplorer": "widgets.local_explorer",
    "LocalLevels": "leakage.sequence.local_level",
    "LocalMechanism": "mechanisms.local.local_mechanism",
    "LocationPatterns": "models.location_patterns",
    "LogStreamBelief": "leakage.sequence.log_belief",
    "MarkovChain": "models.markov_chain",
    "MemoryRelease": "mechanisms.sequence.memory_release",
    "MismatchedPrior": "leakage.sequence.mismatched_prior",
    "MutualInformationChannel": "mechanisms.sequence.mutual_information_channel",
    "NoiseBound": "leakage.sequence.noise_bound",
    "NoiseComparison": "leakage.prior.noise_comparison",
    "OLH": "mechanisms.local.local_hashing",
    "OUE": "mechanisms.local.unary_encoding",
    "OptimalResponse": "mechanisms.sequence.optimal_response",
    "PairLeakage": "leakage.local.pair_leakage",
    "PointwiseLeakages": "leakage.sequence.pointwise",
    "PriorAdversary": "leakage.prior.exact_node",
    "PriorAnalysis": "leakage.prior.analysis",
    "PriorExplorer": "widgets.prior_explorer",
    "PrivateClassifier": "mechanisms.applications.private_classifier",
    "PrivateClustering": "mechanisms.applications.private_clustering",
    "PrivateDegrees": "mechanisms.applications.private_degrees",
    "PromiseReport": "leakage.dependent.promise_report",
    "QueryChoice": "mechanisms.query_menu",
    "RAPPOR": "mechanisms.local.unary_encoding",
    "RandomisedSymbols": "mechanisms.sequence.randomised_symbols",
    "RandomisedSymbolsTwice": "mechanisms.sequence.randomised_symbols",
    "SHE": "mechanisms.local.histogram_encoding",
    "SS": "mechanisms.local.subset_selection",
    "SUE": "mechanisms.local.unary_encoding",
    "SafeTemporalResponse": "mechanisms.sequence.temporal_response",
    "SeparationCurve": "leakage.dependent.separation",
    "SequenceAnalysis": "leakage.sequence.sequence_analysis",
    "SequenceInformation": "leakage.sequence.mutual_information",
    "SequenceLeakage": "leakage.sequence.sequence_leakage",
    "SequenceMechanism": "mechanisms.sequence.sequence_mechanism",
    "ShrunkResponse": "mechanisms.sequence.conditional_response",
    "SimulatedLeakage": "leakage.local.statistical",
    "SimulatedReleases": "leakage.sequence.many_users",
    "SmallDelta": "leakage.dependent.small_delta",
    "SocialNetwork": "models.social_network",
    "SparseJoint": "models.sparse_joint",
    "StackedReleases": "leakage.dependent.stacked_releases",
    "StepChannel": "mechanisms.sequence.step_channel",
    "StepLeakages": "leakage.sequence.step_leakages",
    "StreamBelief": "leakage.sequence.belief",
    "StreamData": "models.stream_data",
    "StreamFacts": "models.stream_facts",
    "StreamRun": "leakage.sequence.stream_run",
    "StreamScript": "leakage.sequence.stream_script",
    "StreamSimulator": "widgets.stream_simulator",
    "SurrogateTest": "leakage.local.surrogate_test",
    "TableQuery": "mechanisms.table_query",
    "Tail": "leakage.sequence.tails",
    "TemporalLeakage": "leakage.sequence.temporal_leakage",
    "TemporalResponse": "mechanisms.sequence.temporal_response",
    "TransitionCounts": "models.transition_counts",
    "TrimmedResponse": "mechanisms.sequence.trimmed_response",
    "TruncatedReports": "mechanisms.sequence.truncated_reports",
    "TupleInformation": "leakage.dependent.mutual_information",
    "TwoPoints": "leakage.sequence.two_points",
    "TwoPointsCurve": "leakage.sequence.two_points",
    "Underestimation": "leakage.dependent.underestimated",
    "UnderestimationCurve": "leakage.dependent.underestimated",
    "UtilityComparison": "leakage.local.utility",
    "VectorLaplaceMechanism": "mechanisms.vector_laplace",
    "ViolationShare": "leakage.sequence.violation_share",
    "WHGGraph": "widgets.whg_graph",
    "WeightedHierarchicalGraph": "leakage.prior.graph",
    "accuracy_curve": "leakage.dependent.accuracy",
    "affinity_graph": "mechanisms.applications.affinity_graph",
    "all_reports": "leakage.local.all_reports",
    "anes96": "models.anes96",
    "association": "leakage.local.association",
    "attack_score": "leakage.inference.attack_score",
    "batch_errors": "leakage.sequence.batch_errors",
    "batch_index": "models.batches",
    "batch_partition": "models.batches",
    "batch_patterns": "models.batches",
    "calibrate": "leakage.prior.calibration",
    "calibrate_budget": "leakage.local.budget_calibration",
    "chosen_release_leakage": "leakage.dependent.stacked_releases",
    "classifier_scale": "mechanisms.applications.private_classifier",
    "clipped_frequencies": "mechanisms.local.frequency_estimation",
    "clustering_accuracy": "mechanisms.applications.private_clustering",
    "compare_levels": "leakage.sequence.local_level",
    "compare_noise": "leakage.prior.noise_comparison",
    "compare_utility": "leakage.local.utility",
    "comparison_plane": "leakage.local.comparison_plane",
    "compose": "leakage.sequence.composition",
    "correlated_sensitivity": "leakage.dependent.correlated_sensitivity",
    "counterexample": "leakage.dependent.counterexamples",
    "counterexamples": "leakage.dependent.counterexamples",
    "crr_valid_threshold": "leakage.sequence.thresholds",
    "degree_histogram": "mechanisms.applications.private_degrees",
    "dependence_coefficients": "leakage.dependent.coefficients",
    "dependent_leakage": "leakage.dependent.tuple_leakage",
    "dependent_scale": "leakage.dependent.dependent_scale",
    "dependent_sensitivities": "leakage.dependent.dependent_scale",
    "drawn_tables": "leakage.drawn_tables",
    "encoded_rows": "mechanisms.applications.private_classifier",
    "every_known_set": "leakage.dependent.known_sets",
    "exact_all": "leakage.prior.exact_all",
    "expected_distance": "mechanisms.sequence.distances",
    "expected_errors": "leakage.sequence.stream_errors",
    "friend_coefficient": "leakage.dependent.friend_scale",
    "friend_kappa": "leakage.dependent.friend_scale",
    "friend_scale": "leakage.dependent.friend_scale",
    "gaussian_exact_all": "leakage.gaussian.exact_all",
    "gaussian_leakage": "leakage.gaussian.exact_node",
    "graph_sensitivity": "leakage.dependent.friend_scale",
    "great_circle_km": "models.great_circle",
    "grid_cells": "models.public_grid",
    "grid_centres": "models.public_grid",
    "group_bound": "leakage.prior.group_bound",
    "independent_blocks": "models.independent_blocks",
    "joint_leakage": "leakage.prior.joint_release",
    "joint_privacy_loss": "leakage.local.joint_privacy_loss",
    "k_means": "mechanisms.applications.lloyd",
    "laplace_accuracy": "leakage.dependent.accuracy",
    "leakage_curve": "leakage.local.leakage_curve",
    "leakage_interval": "leakage.prior.uncertainty",
    "leakage_intervals": "leakage.prior.leakage_intervals",
    "least_scale": "leakage.dependent.least_scale",
    "lloyd": "mechanisms.applications.lloyd",
    "local_level": "leakage.sequence.local_level",
    "location_patterns": "models.location_patterns",
    "log_lift": "mechanisms.sequence.log_lift",
    "look_back_releases": "leakage.sequence.look_back",
    "lsat6": "models.counts",
    "mechanism_named": "mechanisms.local.mechanism_by_name",
    "mismatched_prior": "leakage.sequence.mismatched_prior",
    "nearest_covariance": "models.nearest_covariance",
    "noise_bound": "leakage.sequence.noise_bound",
    "pair_interval": "leakage.local.pair_interval",
    "pair_leakage": "leakage.local.pair_leakage",
    "pearson_degrees": "leakage.dependent.correlated_sensitivity",
    "pointwise_leakages": "leakage.sequence.pointwise",
    "pointwise_tail": "leakage.sequence.tails",
    "printed_calibration": "leakage.local.printed_algorithm",
    "prior_leakage": "leakage.prior.exact_node",
    "private_classifier": "mechanisms.applications.private_classifier",
    "private_clustering": "mechanisms.applications.private_clustering",
    "private_degrees": "mechanisms.applications.private_degrees",
    "promise_report": "leakage.dependent.promise_report",
    "quantised": "models.public_grid",
    "queries_for": "mechanisms.query_menu",
    "query_by_key": "mechanisms.query_menu",
    "read_adult": "models.adult",
    "read_adult_records": "models.adult_records",
    "read_check_ins": "models.check_ins",
    "read_click_streams": "models.click_streams",
    "read_counts": "models.counts",
    "read_friendships": "models.friendships",
    "repeated_leakage": "leakage.dependent.stacked_releases",
    "seattle_weather": "models.weather",
    "separation": "leakage.dependent.separation",
    "separation_curve": "leakage.dependent.separation",
    "sequence_leakage": "leakage.sequence.sequence_leakage",
    "sequence_mechanism_named": "mechanisms.sequence.sequence_by_name",
    "sequence_mutual_information": "leakage.sequence.mutual_information",
    "simplex_frequencies": "mechanisms.local.frequency_estimation",
    "simulate_releases": "leakage.sequence.many_users",
    "simulated_leakage": "leakage.local.statistical",
    "simulated_violation_share": "leakage.sequence.violation_share",
    "small_delta": "leakage.dependent.small_delta",
    "stacked_leakage": "leakage.dependent.stacked_releases",
    "statistical_leakage": "leakage.local.statistical",
    "surrogate_test": "leakage.local.surrogate_test",
    "synthetic_network": "models.synthetic_network",
    "temporal_leakage": "leakage.sequence.temporal_leakage",
    "titanic": "models.counts",
    "transition_counts": "models.transition_counts",
    "tuple_information": "leakage.dependent.mutual_information",
    "two_points_curve": "leakage.sequence.two_points",
    "underestimated": "leakage.dependent.underestimated",
    "underestimation_curve": "leakage.dependent.underestimated",
    "valid_range": "models.covariance",
    "violation_share": "leakage.sequence.violation_share",
    "worst_adversary": "leakage.dependent.known_sets",
}


def __getattr__(name: str) -> Any:
    if name == "examples":
        return import_module("pdp_widgets.examples")
    if name not in __all__:
        raise AttributeError(f"module 'pdp_widgets' has no attribute {name!r}")
    value = getattr(import_module(f"pdp_widgets.{_HOMES.get(name, 'errors')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "examples"])
