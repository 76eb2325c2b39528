"""Tables, records and limits as callers give them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pdp_widgets.core.checks import is_whole
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.frames import is_frame
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import as_names, shown

__all__ = ["ACCEPTED", "as_records", "as_two", "for_source"]

#: What every function of local privacy takes, for messages.
ACCEPTED = "records (AttributeTable or a data frame), a JointDistribution, or an array of numbers"


def as_records(data: Any) -> Any:
    """Return a data frame (pandas, polars, arrow, or a dict of lists) as records, anything else as it is."""
    if isinstance(data, AttributeTable | JointDistribution):
        return data
    return AttributeTable.from_dataframe(data) if is_frame(data) else data


def as_two(
    data: Any,
    names: Sequence[str] | None = None,
    secret: str | int | None = None,
    source: str | int | None = None,
) -> tuple[Any, Sequence[str] | None]:
    """Return the table of a secret (axis 0) and a source, and their names; an array of two axes as it is."""
    data = as_records(data)
    whole = isinstance(data, AttributeTable | JointDistribution)
    chosen = _chosen(names, secret, source, data.names if whole else None)
    if not whole:
        return data, chosen
    if chosen is None:
        chosen = data.names
    if len(chosen) == 2 and chosen[0] != chosen[1] and all(name in data.names for name in chosen):
        same = isinstance(data, JointDistribution) and tuple(chosen) == data.names
        return (data if same else data.marginal(list(chosen))), tuple(chosen)
    if names is not None and isinstance(data, JointDistribution) and data.n_tuples == 2:
        return data, as_names(names, 2)
    raise DomainError(
        f"The data have {len(data.names)} attributes, and a leakage is of one secret and one source; choose "
        f"two of {_listing(data.names)}.",
        Where("parameter", name="names"),
        call="Give secret=... and source=..., or names=[secret, source].",
    )


def for_source(mechanism: LocalMechanism, two: Any) -> LocalMechanism:
    """Return a mechanism for the labels of the source of a table as `as_two` returns it."""
    if isinstance(two, JointDistribution):
        return mechanism.for_labels(two.domains[1], two.names[1])
    return mechanism.for_labels(range(np.shape(two)[-1]) if np.ndim(two) else (), "the source")


def _chosen(
    names: Sequence[str] | None,
    secret: str | int | None,
    source: str | int | None,
    known: Sequence[str] | None,
) -> tuple[str, ...] | None:
    if secret is None and source is None:
        return None if names is None else as_names(names, 2)
    if names is not None or secret is None or source is None:
        raise DomainError(
            "A secret and a source belong together; choose both.",
            Where("parameter", name="secret" if secret is None or names is not None else "source"),
            call="Give both secret=... and source=..., or names=[secret, source], not a part of them.",
        )
    both: list[Any] = []
    for name, one in (("secret", secret), ("source", source)):
        if known is not None and is_whole(one) and 0 <= one < len(known):
            one = known[one]
        if known is not None and not (isinstance(one, str) and one in known):
            raise DomainError(
                f"There is no attribute {shown(one)}; the {name} is one of {_listing(known)}.",
                Where("parameter", name=name),
            )
        both.append(one)
    if all(isinstance(one, str) for one in both) and both[0] == both[1]:
        raise DomainError(
            f"Secret and source are both {shown(both[0])}; choose two attributes.",
            Where("parameter", name="source"),
        )
    return as_names(both, 2)


def _listing(names: Sequence[str]) -> str:
    return ", ".join(map(shown, names[:12])) + (", ..." if len(names) > 12 else "")
