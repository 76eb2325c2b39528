"""Mechanisms and tables of local privacy as the input of a case describes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pdp_widgets.mechanisms.local.finite_channel import Channel
from pdp_widgets.mechanisms.local.histogram_encoding import SHE
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.verify.documents import Input, VectorError

__all__ = ["joint_of", "local_mechanism", "output_of"]

_NAMES = {"eps": "epsilon", "P": "matrix"}


def local_mechanism(described: Mapping[str, Any]) -> LocalMechanism:
    """Return the mechanism of a case; a prior makes the guess of a noisy histogram a matrix of its own."""
    parameters = {_NAMES.get(key, key): value for key, value in described.items() if key != "name"}
    name = described["name"]
    if name == "BLH" and parameters.pop("g", 2) != 2:
        raise VectorError("BLH has two groups; g is 2")
    prior = parameters.pop("prior", None)
    made = mechanism_named(name, **parameters)
    if prior is None:
        return made
    if not isinstance(made, SHE):
        raise VectorError(f"{name} takes no prior")
    return Channel(made.attack_with_prior(prior))


def output_of(data: Input) -> Any:
    """Return which output is read; the guess with a prior is a matrix already."""
    mechanism = data["mechanism"]
    return "raw" if "prior" in mechanism else data.get("output", "raw")


def joint_of(data: Input) -> JointDistribution:
    """Return the joint distribution of a case."""
    return JointDistribution.normalised(data["joint"])
