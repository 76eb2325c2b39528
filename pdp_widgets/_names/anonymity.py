"""Records hidden in groups, and how private a release without noise is."""

from __future__ import annotations

from typing import TYPE_CHECKING

#: Names at the top of the package, by the module that has them.
HOMES = {
    "leakage.noiseless.anonymity_analysis": ("AnonymityAnalysis",),
    "leakage.noiseless.count_slack": (
        "PrintedCountEpsilon",
        "count_bound",
        "count_bound_epsilon",
        "count_epsilon",
        "count_printed",
        "count_printed_epsilon",
        "count_slack",
    ),
    "leakage.noiseless.dependent_bounds": (
        "dependent_bound",
        "dependent_printed",
    ),
    "leakage.noiseless.dependent_slack": (
        "EqualBlocks",
        "WindowChain",
    ),
    "leakage.noiseless.events": ("slack_between",),
    "leakage.noiseless.gaussian_step": (
        "StepMultiplier",
        "gaussian_epsilon",
        "printed_gaussian_epsilon",
        "step_multiplier",
    ),
    "leakage.noiseless.known_curve": ("KnownCurve",),
    "leakage.noiseless.record_law": ("RecordLaw",),
    "leakage.noiseless.record_sum": ("RecordSum",),
    "leakage.noiseless.sampled_groups": (
        "SampledSlack",
        "sampled_groups_slack",
        "set_release_slack",
    ),
    "leakage.noiseless.slack": (
        "LeastEpsilon",
        "Slack",
        "SlackCurve",
    ),
    "leakage.noiseless.sum_bounds": (
        "NormalDistance",
        "PrintedSlack",
        "SlackRecipe",
        "normal_distance",
        "sum_bound",
        "sum_printed",
        "sum_printed_aggregate",
        "sum_recipe",
    ),
    "leakage.noiseless.sum_slack": (
        "presence_epsilon",
        "presence_slack",
        "sum_epsilon",
        "sum_slack",
    ),
    "leakage.noiseless.syntactic_measures": (
        "LDiversity",
        "TCloseness",
        "l_diversity",
        "t_closeness",
    ),
    "leakage.noiseless.syntactic_sensitivity": (
        "SyntacticSensitivity",
        "syntactic_sensitivity",
    ),
    "mechanisms.anonymity.equivalence_classes": (
        "EquivalenceClasses",
        "anonymise",
    ),
    "mechanisms.anonymity.mondrian": ("mondrian",),
    "mechanisms.anonymity.selected_count": ("SelectedCount",),
    "models.microdata": (
        "Microdata",
        "read_microdata",
    ),
    "models.microdata_columns": ("MicrodataColumn",),
    "models.surveys": (
        "anes96_records",
        "clinic",
    ),
    "widgets.anonymity_explorer": ("AnonymityExplorer",),
}

if TYPE_CHECKING:
    from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis as AnonymityAnalysis
    from pdp_widgets.leakage.noiseless.count_slack import PrintedCountEpsilon as PrintedCountEpsilon
    from pdp_widgets.leakage.noiseless.count_slack import count_bound as count_bound
    from pdp_widgets.leakage.noiseless.count_slack import count_bound_epsilon as count_bound_epsilon
    from pdp_widgets.leakage.noiseless.count_slack import count_epsilon as count_epsilon
    from pdp_widgets.leakage.noiseless.count_slack import count_printed as count_printed
    from pdp_widgets.leakage.noiseless.count_slack import count_printed_epsilon as count_printed_epsilon
    from pdp_widgets.leakage.noiseless.count_slack import count_slack as count_slack
    from pdp_widgets.leakage.noiseless.dependent_bounds import dependent_bound as dependent_bound
    from pdp_widgets.leakage.noiseless.dependent_bounds import dependent_printed as dependent_printed
    from pdp_widgets.leakage.noiseless.dependent_slack import EqualBlocks as EqualBlocks
    from pdp_widgets.leakage.noiseless.dependent_slack import WindowChain as WindowChain
    from pdp_widgets.leakage.noiseless.events import slack_between as slack_between
    from pdp_widgets.leakage.noiseless.gaussian_step import StepMultiplier as StepMultiplier
    from pdp_widgets.leakage.noiseless.gaussian_step import gaussian_epsilon as gaussian_epsilon
    from pdp_widgets.leakage.noiseless.gaussian_step import (
        printed_gaussian_epsilon as printed_gaussian_epsilon,
    )
    from pdp_widgets.leakage.noiseless.gaussian_step import step_multiplier as step_multiplier
    from pdp_widgets.leakage.noiseless.known_curve import KnownCurve as KnownCurve
    from pdp_widgets.leakage.noiseless.record_law import RecordLaw as RecordLaw
    from pdp_widgets.leakage.noiseless.record_sum import RecordSum as RecordSum
    from pdp_widgets.leakage.noiseless.sampled_groups import SampledSlack as SampledSlack
    from pdp_widgets.leakage.noiseless.sampled_groups import sampled_groups_slack as sampled_groups_slack
    from pdp_widgets.leakage.noiseless.sampled_groups import set_release_slack as set_release_slack
    from pdp_widgets.leakage.noiseless.slack import LeastEpsilon as LeastEpsilon
    from pdp_widgets.leakage.noiseless.slack import Slack as Slack
    from pdp_widgets.leakage.noiseless.slack import SlackCurve as SlackCurve
    from pdp_widgets.leakage.noiseless.sum_bounds import NormalDistance as NormalDistance
    from pdp_widgets.leakage.noiseless.sum_bounds import PrintedSlack as PrintedSlack
    from pdp_widgets.leakage.noiseless.sum_bounds import SlackRecipe as SlackRecipe
    from pdp_widgets.leakage.noiseless.sum_bounds import normal_distance as normal_distance
    from pdp_widgets.leakage.noiseless.sum_bounds import sum_bound as sum_bound
    from pdp_widgets.leakage.noiseless.sum_bounds import sum_printed as sum_printed
    from pdp_widgets.leakage.noiseless.sum_bounds import sum_printed_aggregate as sum_printed_aggregate
    from pdp_widgets.leakage.noiseless.sum_bounds import sum_recipe as sum_recipe
    from pdp_widgets.leakage.noiseless.sum_slack import presence_epsilon as presence_epsilon
    from pdp_widgets.leakage.noiseless.sum_slack import presence_slack as presence_slack
    from pdp_widgets.leakage.noiseless.sum_slack import sum_epsilon as sum_epsilon
    from pdp_widgets.leakage.noiseless.sum_slack import sum_slack as sum_slack
    from pdp_widgets.leakage.noiseless.syntactic_measures import LDiversity as LDiversity
    from pdp_widgets.leakage.noiseless.syntactic_measures import TCloseness as TCloseness
    from pdp_widgets.leakage.noiseless.syntactic_measures import l_diversity as l_diversity
    from pdp_widgets.leakage.noiseless.syntactic_measures import t_closeness as t_closeness
    from pdp_widgets.leakage.noiseless.syntactic_sensitivity import (
        SyntacticSensitivity as SyntacticSensitivity,
    )
    from pdp_widgets.leakage.noiseless.syntactic_sensitivity import (
        syntactic_sensitivity as syntactic_sensitivity,
    )
    from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses as EquivalenceClasses
    from pdp_widgets.mechanisms.anonymity.equivalence_classes import anonymise as anonymise
    from pdp_widgets.mechanisms.anonymity.mondrian import mondrian as mondrian
    from pdp_widgets.mechanisms.anonymity.selected_count import SelectedCount as SelectedCount
    from pdp_widgets.models.microdata import Microdata as Microdata
    from pdp_widgets.models.microdata import read_microdata as read_microdata
    from pdp_widgets.models.microdata_columns import MicrodataColumn as MicrodataColumn
    from pdp_widgets.models.surveys import anes96_records as anes96_records
    from pdp_widgets.models.surveys import clinic as clinic
    from pdp_widgets.widgets.anonymity_explorer import AnonymityExplorer as AnonymityExplorer
