"""Exact leakage in large structured models, and the mechanisms of the Pufferfish family beside it.

**Data.** `BayesianNetwork` says what each tuple depends on: tables, a BIF file, a chain, records (Chow-Liu
tree), or an object of networkx, pgmpy or pyAgrum. `MarkovNetwork` is any product of tables.

**Release.** `LinearQuery` (a sum or a count) with `LaplaceMechanism` or, for whole numbers,
`GeometricMechanism`.

**What leaks.** `NetworkAnalysis` has every question in one place: one adversary, those who know nothing, the
worst of all (`AboutNetwork`, `DominatingAdversary`), the law of the query (`QueryLaw`), and intervals for
learned networks.

**How much noise.** `NetworkAnalysis.compare_noise` (`NoiseTable`, `NoiseRow`); `markov_quilts`
(`MarkovQuiltMechanism`, `MarkovQuilt`), `markov_quilt_influence`, `approximate_quilts`
(`ApproximateQuilts`); `wasserstein_mechanism` (`WassersteinMechanism`), `wasserstein_infinity`.
`associative_limit` says what sums of a long chain leak at least.
"""

from pdp_widgets.leakage.networks.analysis import NetworkAnalysis as NetworkAnalysis
from pdp_widgets.leakage.networks.influence import markov_quilt_influence as markov_quilt_influence
from pdp_widgets.leakage.networks.noise import NoiseRow as NoiseRow
from pdp_widgets.leakage.networks.noise import NoiseTable as NoiseTable
from pdp_widgets.leakage.networks.quilts import ApproximateQuilts as ApproximateQuilts
from pdp_widgets.leakage.networks.quilts import MarkovQuilt as MarkovQuilt
from pdp_widgets.leakage.networks.quilts import MarkovQuiltMechanism as MarkovQuiltMechanism
from pdp_widgets.leakage.networks.quilts import approximate_quilts as approximate_quilts
from pdp_widgets.leakage.networks.quilts import markov_quilts as markov_quilts
from pdp_widgets.leakage.networks.scales import associative_limit as associative_limit
from pdp_widgets.leakage.networks.values import AboutNetwork as AboutNetwork
from pdp_widgets.leakage.networks.values import DominatingAdversary as DominatingAdversary
from pdp_widgets.leakage.networks.values import QueryLaw as QueryLaw
from pdp_widgets.leakage.networks.wasserstein import WassersteinMechanism as WassersteinMechanism
from pdp_widgets.leakage.networks.wasserstein import wasserstein_infinity as wasserstein_infinity
from pdp_widgets.leakage.networks.wasserstein import wasserstein_mechanism as wasserstein_mechanism
from pdp_widgets.mechanisms.laplace import GeometricMechanism as GeometricMechanism
from pdp_widgets.mechanisms.laplace import LaplaceMechanism as LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery as LinearQuery
from pdp_widgets.models.networks.bayesian_network import BayesianNetwork as BayesianNetwork
from pdp_widgets.models.networks.markov_network import MarkovNetwork as MarkovNetwork
