"""What an adversary learns from a noisy sum of correlated Gaussian numbers.

**Data.** `GaussianModel`, which a `MomentCounter` makes of batches; `valid_range` says which covariances an
entry may take, `nearest_covariance` repairs a matrix that is not a covariance.

**Release.** A weighted sum with the noise of `LaplaceMechanism`; the scale is an argument of what follows.

**What leaks.** `gaussian_leakage` about one tuple, exact; `GaussianAdversary` does it again and again,
`gaussian_exact_all` for every adversary, `GaussianAnalysis` with every question in one place. Results are a
`WeightedHierarchicalGraph` of `Leakage`.

Looked at in `GaussianExplorer` and `CovarianceEditor`, which `pdp_widgets` itself has.
"""

from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis as GaussianAnalysis
from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all as gaussian_exact_all
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary as GaussianAdversary
from pdp_widgets.leakage.gaussian.exact_node import gaussian_leakage as gaussian_leakage
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph as WeightedHierarchicalGraph
from pdp_widgets.leakage.value import Leakage as Leakage
from pdp_widgets.mechanisms.laplace import LaplaceMechanism as LaplaceMechanism
from pdp_widgets.models.counters import MomentCounter as MomentCounter
from pdp_widgets.models.covariance import nearest_covariance as nearest_covariance
from pdp_widgets.models.covariance import valid_range as valid_range
from pdp_widgets.models.gaussian_model import GaussianModel as GaussianModel
