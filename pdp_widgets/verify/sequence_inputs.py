"""Chains and mechanisms for streams as the input of a case describes them."""

from __future__ import annotations

from typing import Any

from pdp_widgets.mechanisms.sequence.sequence_by_name import sequence_mechanism_named
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.verify.documents import Input, VectorError

__all__ = ["chain_of", "sequence_mechanism"]


def chain_of(data: Input) -> MarkovChain:
    """Return the chain of a case: first order, or second order with a law of the second symbol."""
    if "M2" in data:
        return MarkovChain(data["M2"], data["P1"], early=data["M1"])
    return MarkovChain(data["M"], data["P1"])


def sequence_mechanism(described: Any) -> SequenceMechanism:
    """Return the mechanism of a case from its name and budget."""
    if not isinstance(described, dict) or not {"name", "eps"} <= described.keys():
        raise VectorError("a mechanism is an object with name and eps")
    if described["name"] == "identity":
        return sequence_mechanism_named("identity")
    return sequence_mechanism_named(described["name"], described["eps"])
