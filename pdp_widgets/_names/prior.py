"""What adversaries with prior knowledge learn from a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

#: Names at the top of the package, by the module that has them.
HOMES = {
    "leakage.prior.analysis": ("PriorAnalysis",),
    "leakage.prior.calibration": ("Calibration", "calibrate"),
    "leakage.prior.chain_rule": ("ChainPath",),
    "leakage.prior.edge_weights": ("EdgeWeight",),
    "leakage.prior.exact_all": ("exact_all",),
    "leakage.prior.exact_node": ("PriorAdversary", "prior_leakage"),
    "leakage.prior.given_edges": ("GivenEdges",),
    "leakage.prior.graph": ("WeightedHierarchicalGraph",),
    "leakage.prior.group_bound": ("group_bound",),
    "leakage.prior.histogram_analysis": ("HistogramAnalysis",),
    "leakage.prior.joint_release": ("JointRelease", "joint_leakage"),
    "leakage.prior.leakage_intervals": ("LeakageIntervals", "leakage_intervals"),
    "leakage.prior.noise_comparison": ("NoiseComparison", "compare_noise"),
    "leakage.prior.path_search": ("FastSearch",),
    "leakage.prior.uncertainty": ("leakage_interval",),
    "mechanisms.histogram_query": ("HistogramQuery",),
    "mechanisms.laplace": ("VectorLaplaceMechanism",),
    "mechanisms.query_menu": ("QueryChoice", "queries_for", "query_by_key"),
    "widgets.joint_table": ("JointTable",),
    "widgets.prior_explorer": ("PriorExplorer",),
    "widgets.whg_graph": ("WHGGraph",),
}

if TYPE_CHECKING:
    from pdp_widgets.leakage.prior.analysis import PriorAnalysis as PriorAnalysis
    from pdp_widgets.leakage.prior.calibration import Calibration as Calibration
    from pdp_widgets.leakage.prior.calibration import calibrate as calibrate
    from pdp_widgets.leakage.prior.chain_rule import ChainPath as ChainPath
    from pdp_widgets.leakage.prior.edge_weights import EdgeWeight as EdgeWeight
    from pdp_widgets.leakage.prior.exact_all import exact_all as exact_all
    from pdp_widgets.leakage.prior.exact_node import PriorAdversary as PriorAdversary
    from pdp_widgets.leakage.prior.exact_node import prior_leakage as prior_leakage
    from pdp_widgets.leakage.prior.given_edges import GivenEdges as GivenEdges
    from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph as WeightedHierarchicalGraph
    from pdp_widgets.leakage.prior.group_bound import group_bound as group_bound
    from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis as HistogramAnalysis
    from pdp_widgets.leakage.prior.joint_release import JointRelease as JointRelease
    from pdp_widgets.leakage.prior.joint_release import joint_leakage as joint_leakage
    from pdp_widgets.leakage.prior.leakage_intervals import LeakageIntervals as LeakageIntervals
    from pdp_widgets.leakage.prior.leakage_intervals import leakage_intervals as leakage_intervals
    from pdp_widgets.leakage.prior.noise_comparison import NoiseComparison as NoiseComparison
    from pdp_widgets.leakage.prior.noise_comparison import compare_noise as compare_noise
    from pdp_widgets.leakage.prior.path_search import FastSearch as FastSearch
    from pdp_widgets.leakage.prior.uncertainty import leakage_interval as leakage_interval
    from pdp_widgets.mechanisms.histogram_query import HistogramQuery as HistogramQuery
    from pdp_widgets.mechanisms.laplace import VectorLaplaceMechanism as VectorLaplaceMechanism
    from pdp_widgets.mechanisms.query_menu import QueryChoice as QueryChoice
    from pdp_widgets.mechanisms.query_menu import queries_for as queries_for
    from pdp_widgets.mechanisms.query_menu import query_by_key as query_by_key
    from pdp_widgets.widgets.joint_table import JointTable as JointTable
    from pdp_widgets.widgets.prior_explorer import PriorExplorer as PriorExplorer
    from pdp_widgets.widgets.whg_graph import WHGGraph as WHGGraph
