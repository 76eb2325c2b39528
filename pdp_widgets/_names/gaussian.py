"""The same for Gaussian data."""

from __future__ import annotations

from typing import TYPE_CHECKING

#: Names at the top of the package, by the module that has them.
HOMES = {
    "leakage.gaussian.analysis": ("GaussianAnalysis",),
    "leakage.gaussian.exact_all": ("gaussian_exact_all",),
    "leakage.gaussian.exact_node": ("GaussianAdversary", "gaussian_leakage"),
    "models.covariance": ("nearest_covariance", "valid_range"),
    "models.gaussian_model": ("GaussianModel",),
    "widgets.covariance_editor": ("CovarianceEditor",),
    "widgets.gaussian_explorer": ("GaussianExplorer",),
}

if TYPE_CHECKING:
    from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis as GaussianAnalysis
    from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all as gaussian_exact_all
    from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary as GaussianAdversary
    from pdp_widgets.leakage.gaussian.exact_node import gaussian_leakage as gaussian_leakage
    from pdp_widgets.models.covariance import nearest_covariance as nearest_covariance
    from pdp_widgets.models.covariance import valid_range as valid_range
    from pdp_widgets.models.gaussian_model import GaussianModel as GaussianModel
    from pdp_widgets.widgets.covariance_editor import CovarianceEditor as CovarianceEditor
    from pdp_widgets.widgets.gaussian_explorer import GaussianExplorer as GaussianExplorer
