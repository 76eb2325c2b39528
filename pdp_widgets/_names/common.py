"""What all topics share: errors, leakages, joint distributions, releases of one number."""

from __future__ import annotations

from typing import TYPE_CHECKING

#: Names at the top of the package, by the module that has them.
HOMES = {
    "errors": (
        "AdversaryError",
        "BudgetError",
        "ChainError",
        "CountColumnWarning",
        "DomainError",
        "FewRecordsWarning",
        "InstanceError",
        "LimitError",
        "ModelMismatch",
        "NetworkError",
        "NetworkWarning",
        "PdpError",
        "QueryError",
        "ReplicatedRecordsWarning",
        "ScaleError",
        "SortedStreamsWarning",
        "StreamError",
        "TableError",
        "Where",
    ),
    "leakage.adversary": ("Adversary",),
    "leakage.drawn_tables": ("drawn_tables",),
    "leakage.value": ("About", "AboutSecret", "Attained", "Leakage"),
    "mechanisms.laplace": ("LaplaceMechanism",),
    "mechanisms.linear_query": ("LinearQuery",),
    "models.amount": ("Amount",),
    "models.counts": ("lsat6", "read_counts", "titanic"),
    "models.joint_distribution": ("JointDistribution",),
}

if TYPE_CHECKING:
    from pdp_widgets.errors import AdversaryError as AdversaryError
    from pdp_widgets.errors import BudgetError as BudgetError
    from pdp_widgets.errors import ChainError as ChainError
    from pdp_widgets.errors import CountColumnWarning as CountColumnWarning
    from pdp_widgets.errors import DomainError as DomainError
    from pdp_widgets.errors import FewRecordsWarning as FewRecordsWarning
    from pdp_widgets.errors import InstanceError as InstanceError
    from pdp_widgets.errors import LimitError as LimitError
    from pdp_widgets.errors import ModelMismatch as ModelMismatch
    from pdp_widgets.errors import NetworkError as NetworkError
    from pdp_widgets.errors import NetworkWarning as NetworkWarning
    from pdp_widgets.errors import PdpError as PdpError
    from pdp_widgets.errors import QueryError as QueryError
    from pdp_widgets.errors import ReplicatedRecordsWarning as ReplicatedRecordsWarning
    from pdp_widgets.errors import ScaleError as ScaleError
    from pdp_widgets.errors import SortedStreamsWarning as SortedStreamsWarning
    from pdp_widgets.errors import StreamError as StreamError
    from pdp_widgets.errors import TableError as TableError
    from pdp_widgets.errors import Where as Where
    from pdp_widgets.leakage.adversary import Adversary as Adversary
    from pdp_widgets.leakage.drawn_tables import drawn_tables as drawn_tables
    from pdp_widgets.leakage.value import About as About
    from pdp_widgets.leakage.value import AboutSecret as AboutSecret
    from pdp_widgets.leakage.value import Attained as Attained
    from pdp_widgets.leakage.value import Leakage as Leakage
    from pdp_widgets.mechanisms.laplace import LaplaceMechanism as LaplaceMechanism
    from pdp_widgets.mechanisms.linear_query import LinearQuery as LinearQuery
    from pdp_widgets.models.amount import Amount as Amount
    from pdp_widgets.models.counts import lsat6 as lsat6
    from pdp_widgets.models.counts import read_counts as read_counts
    from pdp_widgets.models.counts import titanic as titanic
    from pdp_widgets.models.joint_distribution import JointDistribution as JointDistribution
