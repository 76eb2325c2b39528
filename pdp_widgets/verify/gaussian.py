"""Cases on Gaussian data."""

from __future__ import annotations

from typing import Any

from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds
from pdp_widgets.verify.inputs import all_nodes, numbers

__all__ = ["KINDS"]


def _gaussian(data: Input) -> GaussianModel:
    return GaussianModel(data.get("mean"), data["cov"])


def _gaussian_adversary(data: Input) -> GaussianAdversary:
    return GaussianAdversary(
        _gaussian(data),
        data["target"],
        data["known"],
        weights=data.get("weights"),
        scale=data["lam"],
        max_change=data.get("M", 1.0),
    )


def _gaussian_node(data: Input) -> dict[str, Any]:
    adversary = _gaussian_adversary(data)
    return {
        "leakage": float(adversary.leakage),
        "determined": adversary.determined,
        "mu00": adversary.mu00,
        "mu0i": adversary.mu0i,
        "mu0k": numbers(adversary.mu0k),
        "sigma0": adversary.sigma0,
    }


def _gaussian_all(data: Input) -> dict[str, Any]:
    model = _gaussian(data)
    values, _ = gaussian_exact_all(model, data.get("weights"), data["lam"], data["M"])
    return all_nodes(values)


def _gaussian_log_ratio(data: Input) -> dict[str, Any]:
    x, other = data["pair"]
    found = _gaussian_adversary(data).log_ratio(x, other, data["r"], data["known_values"])
    return {"log_ratio": numbers(found)}


KINDS: Kinds = {
    ("gaussian_node", None): _gaussian_node,
    ("gaussian_all", None): _gaussian_all,
    ("gaussian_log_ratio", None): _gaussian_log_ratio,
}
