"""See exactly, and live, what an adversary learns from released data when the data are correlated.

The names below are imported when first used, so that ``import pdp_widgets`` is quick and free of any
notebook.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "errors": (
        "AdversaryError",
        "DomainError",
        "InstanceError",
        "LimitError",
        "PdpError",
        "QueryError",
        "ScaleError",
        "TableError",
        "Where",
    ),
    "models.joint_distribution": ("JointDistribution",),
    "models.counts": ("lsat6", "read_counts", "titanic"),
    "mechanisms.linear_query": ("LinearQuery",),
    "mechanisms.laplace": ("LaplaceMechanism",),
    "leakage.value": ("About", "Attained", "Leakage"),
    "leakage.adversary": ("Adversary",),
    "leakage.prior.exact_node": ("PriorAdversary", "prior_leakage"),
    "leakage.prior.exact_all": ("exact_all",),
    "leakage.prior.group_bound": ("group_bound",),
    "leakage.prior.graph": ("WeightedHierarchicalGraph",),
    "leakage.prior.analysis": ("PriorAnalysis",),
    "widgets.joint_table": ("JointTable",),
    "widgets.whg_graph": ("WHGGraph",),
    "widgets.prior_explorer": ("PriorExplorer",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME_OF, "__version__"])

if TYPE_CHECKING:
    from pdp_widgets.errors import (
        AdversaryError as AdversaryError,
    )
    from pdp_widgets.errors import (
        DomainError as DomainError,
    )
    from pdp_widgets.errors import (
        InstanceError as InstanceError,
    )
    from pdp_widgets.errors import (
        LimitError as LimitError,
    )
    from pdp_widgets.errors import (
        PdpError as PdpError,
    )
    from pdp_widgets.errors import (
        QueryError as QueryError,
    )
    from pdp_widgets.errors import (
        ScaleError as ScaleError,
    )
    from pdp_widgets.errors import (
        TableError as TableError,
    )
    from pdp_widgets.errors import (
        Where as Where,
    )
    from pdp_widgets.leakage.adversary import Adversary as Adversary
    from pdp_widgets.leakage.prior.analysis import PriorAnalysis as PriorAnalysis
    from pdp_widgets.leakage.prior.exact_all import exact_all as exact_all
    from pdp_widgets.leakage.prior.exact_node import PriorAdversary as PriorAdversary
    from pdp_widgets.leakage.prior.exact_node import prior_leakage as prior_leakage
    from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph as WeightedHierarchicalGraph
    from pdp_widgets.leakage.prior.group_bound import group_bound as group_bound
    from pdp_widgets.leakage.value import About as About
    from pdp_widgets.leakage.value import Attained as Attained
    from pdp_widgets.leakage.value import Leakage as Leakage
    from pdp_widgets.mechanisms.laplace import LaplaceMechanism as LaplaceMechanism
    from pdp_widgets.mechanisms.linear_query import LinearQuery as LinearQuery
    from pdp_widgets.models.counts import lsat6 as lsat6
    from pdp_widgets.models.counts import read_counts as read_counts
    from pdp_widgets.models.counts import titanic as titanic
    from pdp_widgets.models.joint_distribution import JointDistribution as JointDistribution


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'pdp_widgets' has no attribute {name!r}")
    value = getattr(import_module(f"pdp_widgets.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
