"""Tables of classes of at least k records, and numbers published without noise beside them.

**Data.** `Microdata` of `MicrodataColumn`; `read_microdata` reads a file, `anes96_records` and `clinic` are
such tables.

**Release.** `mondrian` and `anonymise` make `EquivalenceClasses`, and `classes_as_given` reads those that a
table has already (`as_given` for analyses); a `SelectedCount` or a sum (`RecordSum`,
`RecordLaw`) is published beside them.

**What a class gives away.** `l_diversity` (`LDiversity`), `t_closeness` (`TCloseness`), and how far one
record moves the classes, `syntactic_sensitivity` (`SyntacticSensitivity`).

**A count.** `count_slack` is exact (`Slack`, and `SlackCurve` over budgets), `count_epsilon` its inverse
(`LeastEpsilon`); `count_bound`, `count_bound_epsilon`. As printed: `count_printed`, `count_printed_epsilon`
(`PrintedCountEpsilon`, `PrintedSlack`).

**A sum.** `sum_slack`, `sum_epsilon`, `presence_slack`, `presence_epsilon`, `slack_between`; `sum_bound`,
`sum_recipe` (`SlackRecipe`), `sum_printed`, `sum_printed_aggregate`; `normal_distance` (`NormalDistance`),
`gaussian_epsilon`, `printed_gaussian_epsilon` and `step_multiplier` (`StepMultiplier`).

**Records that depend on each other.** `EqualBlocks`, `WindowChain`, `dependent_bound`, `dependent_printed`;
groups of users, `sampled_groups_slack` and `set_release_slack` (`SampledSlack`).

`AnonymityAnalysis` has every question in one place, also by what is known (`KnownCurve`). Looked at in
`AnonymityExplorer`, which `pdp_widgets` itself has.
"""

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
from pdp_widgets.leakage.noiseless.gaussian_step import printed_gaussian_epsilon as printed_gaussian_epsilon
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
from pdp_widgets.leakage.noiseless.syntactic_sensitivity import SyntacticSensitivity as SyntacticSensitivity
from pdp_widgets.leakage.noiseless.syntactic_sensitivity import syntactic_sensitivity as syntactic_sensitivity
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses as EquivalenceClasses
from pdp_widgets.mechanisms.anonymity.equivalence_classes import anonymise as anonymise
from pdp_widgets.mechanisms.anonymity.equivalence_classes import classes_as_given as classes_as_given
from pdp_widgets.mechanisms.anonymity.mondrian import as_given as as_given
from pdp_widgets.mechanisms.anonymity.mondrian import mondrian as mondrian
from pdp_widgets.mechanisms.anonymity.selected_count import SelectedCount as SelectedCount
from pdp_widgets.models.microdata import Microdata as Microdata
from pdp_widgets.models.microdata import read_microdata as read_microdata
from pdp_widgets.models.microdata_columns import MicrodataColumn as MicrodataColumn
from pdp_widgets.models.surveys import anes96_records as anes96_records
from pdp_widgets.models.surveys import clinic as clinic
