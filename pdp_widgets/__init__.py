"""See exactly, and live, what an adversary learns from released data when the data are correlated.

The names below are imported when first used, so that ``import pdp_widgets`` is quick and free of any
notebook.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pdp_widgets.version import __version__

if TYPE_CHECKING:
    from pdp_widgets.errors import (
        AdversaryError,
        BudgetError,
        DomainError,
        FewRecordsWarning,
        InstanceError,
        LimitError,
        PdpError,
        QueryError,
        ScaleError,
        TableError,
        Where,
    )
    from pdp_widgets.leakage.adversary import Adversary
    from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
    from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
    from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary, gaussian_leakage
    from pdp_widgets.leakage.prior.analysis import PriorAnalysis
    from pdp_widgets.leakage.prior.calibration import Calibration, calibrate
    from pdp_widgets.leakage.prior.chain_rule import ChainPath
    from pdp_widgets.leakage.prior.drawn_tables import drawn_tables
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
    from pdp_widgets.leakage.value import About, Attained, Leakage
    from pdp_widgets.mechanisms.histogram_query import HistogramQuery
    from pdp_widgets.mechanisms.laplace import LaplaceMechanism
    from pdp_widgets.mechanisms.linear_query import LinearQuery
    from pdp_widgets.mechanisms.query_menu import QueryChoice, queries_for, query_by_key
    from pdp_widgets.mechanisms.vector_laplace import VectorLaplaceMechanism
    from pdp_widgets.models.counts import lsat6, read_counts, titanic
    from pdp_widgets.models.covariance import valid_range
    from pdp_widgets.models.gaussian_model import GaussianModel
    from pdp_widgets.models.joint_distribution import JointDistribution
    from pdp_widgets.models.nearest_covariance import nearest_covariance
    from pdp_widgets.widgets.covariance_editor import CovarianceEditor
    from pdp_widgets.widgets.gaussian_explorer import GaussianExplorer
    from pdp_widgets.widgets.joint_table import JointTable
    from pdp_widgets.widgets.prior_explorer import PriorExplorer
    from pdp_widgets.widgets.whg_graph import WHGGraph

__all__ = [
    "About",
    "Adversary",
    "AdversaryError",
    "Attained",
    "BudgetError",
    "Calibration",
    "ChainPath",
    "CovarianceEditor",
    "DomainError",
    "EdgeWeight",
    "FastSearch",
    "FewRecordsWarning",
    "GaussianAdversary",
    "GaussianAnalysis",
    "GaussianExplorer",
    "GaussianModel",
    "GivenEdges",
    "HistogramAnalysis",
    "HistogramQuery",
    "InstanceError",
    "JointDistribution",
    "JointRelease",
    "JointTable",
    "LaplaceMechanism",
    "Leakage",
    "LeakageIntervals",
    "LimitError",
    "LinearQuery",
    "NoiseComparison",
    "PdpError",
    "PriorAdversary",
    "PriorAnalysis",
    "PriorExplorer",
    "QueryChoice",
    "QueryError",
    "ScaleError",
    "TableError",
    "VectorLaplaceMechanism",
    "WHGGraph",
    "WeightedHierarchicalGraph",
    "Where",
    "__version__",
    "calibrate",
    "compare_noise",
    "drawn_tables",
    "exact_all",
    "gaussian_exact_all",
    "gaussian_leakage",
    "group_bound",
    "joint_leakage",
    "leakage_interval",
    "leakage_intervals",
    "lsat6",
    "nearest_covariance",
    "prior_leakage",
    "queries_for",
    "query_by_key",
    "read_counts",
    "titanic",
    "valid_range",
]

_HOMES = {
    "About": "leakage.value",
    "Adversary": "leakage.adversary",
    "Attained": "leakage.value",
    "Calibration": "leakage.prior.calibration",
    "ChainPath": "leakage.prior.chain_rule",
    "CovarianceEditor": "widgets.covariance_editor",
    "EdgeWeight": "leakage.prior.edge_weights",
    "FastSearch": "leakage.prior.fast_search",
    "GaussianAdversary": "leakage.gaussian.exact_node",
    "GaussianAnalysis": "leakage.gaussian.analysis",
    "GaussianExplorer": "widgets.gaussian_explorer",
    "GaussianModel": "models.gaussian_model",
    "GivenEdges": "leakage.prior.given_edges",
    "HistogramAnalysis": "leakage.prior.histogram_analysis",
    "HistogramQuery": "mechanisms.histogram_query",
    "JointDistribution": "models.joint_distribution",
    "JointRelease": "leakage.prior.joint_release",
    "JointTable": "widgets.joint_table",
    "LaplaceMechanism": "mechanisms.laplace",
    "Leakage": "leakage.value",
    "LeakageIntervals": "leakage.prior.leakage_intervals",
    "LinearQuery": "mechanisms.linear_query",
    "NoiseComparison": "leakage.prior.noise_comparison",
    "PriorAdversary": "leakage.prior.exact_node",
    "PriorAnalysis": "leakage.prior.analysis",
    "PriorExplorer": "widgets.prior_explorer",
    "QueryChoice": "mechanisms.query_menu",
    "VectorLaplaceMechanism": "mechanisms.vector_laplace",
    "WHGGraph": "widgets.whg_graph",
    "WeightedHierarchicalGraph": "leakage.prior.graph",
    "calibrate": "leakage.prior.calibration",
    "compare_noise": "leakage.prior.noise_comparison",
    "drawn_tables": "leakage.prior.drawn_tables",
    "exact_all": "leakage.prior.exact_all",
    "gaussian_exact_all": "leakage.gaussian.exact_all",
    "gaussian_leakage": "leakage.gaussian.exact_node",
    "group_bound": "leakage.prior.group_bound",
    "joint_leakage": "leakage.prior.joint_release",
    "leakage_interval": "leakage.prior.uncertainty",
    "leakage_intervals": "leakage.prior.leakage_intervals",
    "lsat6": "models.counts",
    "nearest_covariance": "models.nearest_covariance",
    "prior_leakage": "leakage.prior.exact_node",
    "queries_for": "mechanisms.query_menu",
    "query_by_key": "mechanisms.query_menu",
    "read_counts": "models.counts",
    "titanic": "models.counts",
    "valid_range": "models.covariance",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'pdp_widgets' has no attribute {name!r}")
    value = getattr(import_module(f"pdp_widgets.{_HOMES.get(name, 'errors')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
