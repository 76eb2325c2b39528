"""What an adversary with prior knowledge learns from a noisy query: prior differential privacy.

**Data.** `JointDistribution` says how tuples are correlated; `read_counts` reads one from a file, `lsat6`
is one. `read_table` reads a `Table` of any file; `count_table` counts files of any size, `read_batches`
reads them in parts, and a `CellCounter` adds up parts from anywhere.

**Release.** `LinearQuery` (a sum or a count) or `HistogramQuery`, answered by `LaplaceMechanism` or
`VectorLaplaceMechanism`; `queries_for` and `query_by_key` list the queries that suit a table
(`QueryChoice`).

**One adversary.** `prior_leakage` is exact; `PriorAdversary` does it again and again. `group_bound` holds
for any table. A `Leakage` says of whom (`About`, `Adversary`) and where it is attained (`Attained`).

**All adversaries.** `exact_all`; `PriorAnalysis` with every question in one place, and `HistogramAnalysis`
of all counts. `WeightedHierarchicalGraph` holds them with their edges (`EdgeWeight`), `GivenEdges` and
`FastSearch` the paper's search for the largest, `ChainPath` its chain rule.

**Several releases.** `joint_leakage` (`JointRelease`).

**How much noise.** `calibrate` (`Calibration`), and `compare_noise` with other rules (`NoiseComparison`).

**Tables from samples.** `leakage_interval`, `leakage_intervals` (`LeakageIntervals`), and `drawn_tables`.

Looked at in `PriorExplorer`, `JointTable` and `WHGGraph`, which `pdp_widgets` itself has.
"""

from pdp_widgets.leakage.adversary import Adversary as Adversary
from pdp_widgets.leakage.drawn_tables import drawn_tables as drawn_tables
from pdp_widgets.leakage.prior.analysis import PriorAnalysis as PriorAnalysis
from pdp_widgets.leakage.prior.calibration import Calibration as Calibration
from pdp_widgets.leakage.prior.calibration import calibrate as calibrate
from pdp_widgets.leakage.prior.chain_rule import ChainPath as ChainPath
from pdp_widgets.leakage.prior.edge_graph import GivenEdges as GivenEdges
from pdp_widgets.leakage.prior.edge_weights import EdgeWeight as EdgeWeight
from pdp_widgets.leakage.prior.exact_all import exact_all as exact_all
from pdp_widgets.leakage.prior.exact_node import PriorAdversary as PriorAdversary
from pdp_widgets.leakage.prior.exact_node import prior_leakage as prior_leakage
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
from pdp_widgets.leakage.value import About as About
from pdp_widgets.leakage.value import Attained as Attained
from pdp_widgets.leakage.value import Leakage as Leakage
from pdp_widgets.mechanisms.histogram_query import HistogramQuery as HistogramQuery
from pdp_widgets.mechanisms.laplace import LaplaceMechanism as LaplaceMechanism
from pdp_widgets.mechanisms.laplace import VectorLaplaceMechanism as VectorLaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery as LinearQuery
from pdp_widgets.mechanisms.query_menu import QueryChoice as QueryChoice
from pdp_widgets.mechanisms.query_menu import queries_for as queries_for
from pdp_widgets.mechanisms.query_menu import query_by_key as query_by_key
from pdp_widgets.models.counters import CellCounter as CellCounter
from pdp_widgets.models.counts import lsat6 as lsat6
from pdp_widgets.models.counts import read_counts as read_counts
from pdp_widgets.models.file_counts import count_table as count_table
from pdp_widgets.models.file_counts import read_batches as read_batches
from pdp_widgets.models.joint_distribution import JointDistribution as JointDistribution
from pdp_widgets.models.read_table import read_table as read_table
from pdp_widgets.models.table import Table as Table
