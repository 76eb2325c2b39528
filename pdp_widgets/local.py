"""What the reports of people who randomise their own attributes leak about their other attributes.

**Data.** `AttributeTable`, with `Bins` for numbers; `titanic`, `anes96` and `read_adult` are such tables.
A `PairCounter` adds up what comes in batches.

**Release.** The mechanisms `GRR`, `DeltaGRR`, `SS`, `EXP`, `SUE`, `OUE`, `RAPPOR`, `BLH`, `OLH`, `SHE` or
any matrix, `Channel` (all are a `LocalMechanism`, `AnyMechanism`); `mechanism_named` finds one by its name.
`simplex_frequencies` and `clipped_frequencies` estimate how frequent values are from reports.

**One report about another attribute.** `pair_leakage` (`PairLeakage`), `leakage_curve` over budgets
(`LeakageCurve`), `comparison_plane` (`ComparisonPlane`); `statistical_leakage` of any matrix of conditional
frequencies, and `simulated_leakage` by drawing reports (`SimulatedLeakage`).

**All reports of a person.** `all_reports` (`AllReports`), `joint_privacy_loss` (`JointPrivacyLoss`);
`AboutSecret` says what a leakage is about.

**How much budget.** `calibrate_budget` (`BudgetCalibration`); `printed_calibration` is the paper's
algorithm. `compare_utility` says what accuracy it costs (`UtilityComparison`).

**Is it more than chance.** `association` (`Association`), `surrogate_test` (`SurrogateTest`),
`pair_interval`.

`LocalAnalysis` has every question in one place. Looked at in `LocalExplorer`, which `pdp_widgets` itself
has.
"""

from pdp_widgets.leakage.local.all_reports import AllReports as AllReports
from pdp_widgets.leakage.local.all_reports import all_reports as all_reports
from pdp_widgets.leakage.local.association import Association as Association
from pdp_widgets.leakage.local.association import association as association
from pdp_widgets.leakage.local.budget_calibration import BudgetCalibration as BudgetCalibration
from pdp_widgets.leakage.local.budget_calibration import calibrate_budget as calibrate_budget
from pdp_widgets.leakage.local.comparison_plane import ComparisonPlane as ComparisonPlane
from pdp_widgets.leakage.local.comparison_plane import comparison_plane as comparison_plane
from pdp_widgets.leakage.local.joint_privacy_loss import JointPrivacyLoss as JointPrivacyLoss
from pdp_widgets.leakage.local.joint_privacy_loss import joint_privacy_loss as joint_privacy_loss
from pdp_widgets.leakage.local.leakage_curve import LeakageCurve as LeakageCurve
from pdp_widgets.leakage.local.leakage_curve import leakage_curve as leakage_curve
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis as LocalAnalysis
from pdp_widgets.leakage.local.pair_leakage import PairLeakage as PairLeakage
from pdp_widgets.leakage.local.pair_leakage import pair_leakage as pair_leakage
from pdp_widgets.leakage.local.printed_algorithm import printed_calibration as printed_calibration
from pdp_widgets.leakage.local.statistical import SimulatedLeakage as SimulatedLeakage
from pdp_widgets.leakage.local.statistical import simulated_leakage as simulated_leakage
from pdp_widgets.leakage.local.statistical import statistical_leakage as statistical_leakage
from pdp_widgets.leakage.local.surrogate_test import SurrogateTest as SurrogateTest
from pdp_widgets.leakage.local.surrogate_test import pair_interval as pair_interval
from pdp_widgets.leakage.local.surrogate_test import surrogate_test as surrogate_test
from pdp_widgets.leakage.local.utility import UtilityComparison as UtilityComparison
from pdp_widgets.leakage.local.utility import compare_utility as compare_utility
from pdp_widgets.leakage.value import AboutSecret as AboutSecret
from pdp_widgets.mechanisms.local.finite_channel import AnyMechanism as AnyMechanism
from pdp_widgets.mechanisms.local.finite_channel import Channel as Channel
from pdp_widgets.mechanisms.local.frequency_estimation import clipped_frequencies as clipped_frequencies
from pdp_widgets.mechanisms.local.frequency_estimation import simplex_frequencies as simplex_frequencies
from pdp_widgets.mechanisms.local.histogram_encoding import SHE as SHE
from pdp_widgets.mechanisms.local.local_hashing import BLH as BLH
from pdp_widgets.mechanisms.local.local_hashing import OLH as OLH
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism as LocalMechanism
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named as mechanism_named
from pdp_widgets.mechanisms.local.randomised_response import EXP as EXP
from pdp_widgets.mechanisms.local.randomised_response import GRR as GRR
from pdp_widgets.mechanisms.local.randomised_response import SS as SS
from pdp_widgets.mechanisms.local.randomised_response import DeltaGRR as DeltaGRR
from pdp_widgets.mechanisms.local.unary_encoding import OUE as OUE
from pdp_widgets.mechanisms.local.unary_encoding import RAPPOR as RAPPOR
from pdp_widgets.mechanisms.local.unary_encoding import SUE as SUE
from pdp_widgets.models.adult import read_adult as read_adult
from pdp_widgets.models.attribute_table import AttributeTable as AttributeTable
from pdp_widgets.models.binning import Bins as Bins
from pdp_widgets.models.counters import PairCounter as PairCounter
from pdp_widgets.models.counts import titanic as titanic
from pdp_widgets.models.surveys import anes96 as anes96
