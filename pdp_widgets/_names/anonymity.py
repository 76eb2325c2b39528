"""Records hidden in groups, and how private a release without noise is."""

from __future__ import annotations

from typing import TYPE_CHECKING

#: Names at the top of the package, by the module that has them.
HOMES = {
    "leakage.noiseless.count_slack": ("count_epsilon", "count_slack"),
    "leakage.noiseless.events": ("slack_between",),
    "leakage.noiseless.record_law": ("RecordLaw",),
    "leakage.noiseless.record_sum": ("RecordSum",),
    "leakage.noiseless.slack": ("LeastEpsilon", "Slack", "SlackCurve"),
    "leakage.noiseless.sum_slack": ("presence_epsilon", "presence_slack", "sum_epsilon", "sum_slack"),
    "mechanisms.anonymity.selected_count": ("SelectedCount",),
}

if TYPE_CHECKING:
    from pdp_widgets.leakage.noiseless.count_slack import count_epsilon as count_epsilon
    from pdp_widgets.leakage.noiseless.count_slack import count_slack as count_slack
    from pdp_widgets.leakage.noiseless.events import slack_between as slack_between
    from pdp_widgets.leakage.noiseless.record_law import RecordLaw as RecordLaw
    from pdp_widgets.leakage.noiseless.record_sum import RecordSum as RecordSum
    from pdp_widgets.leakage.noiseless.slack import LeastEpsilon as LeastEpsilon
    from pdp_widgets.leakage.noiseless.slack import Slack as Slack
    from pdp_widgets.leakage.noiseless.slack import SlackCurve as SlackCurve
    from pdp_widgets.leakage.noiseless.sum_slack import presence_epsilon as presence_epsilon
    from pdp_widgets.leakage.noiseless.sum_slack import presence_slack as presence_slack
    from pdp_widgets.leakage.noiseless.sum_slack import sum_epsilon as sum_epsilon
    from pdp_widgets.leakage.noiseless.sum_slack import sum_slack as sum_slack
    from pdp_widgets.mechanisms.anonymity.selected_count import SelectedCount as SelectedCount
