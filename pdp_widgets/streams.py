"""What a stream of releases leaks when its symbols are correlated: sequence information privacy.

**Data.** `MarkovChain`, `HistorySource` of a higher order, `StreamData` of users; `read_click_streams` and
`seattle_weather`; `transition_counts` (`TransitionCounts`) estimates a chain, and a `TransitionCounter` does
of batches; `StreamFacts` says what is in the data. `grid_cells`, `grid_centres` and `quantised` make symbols
of places and numbers.

**Release, step by step.** `ConditionalResponse` with `ShrunkResponse`, `TrimmedResponse` and
`BalancedResponse`; the optimum, `OptimalResponse` and `BinaryOptimum`, for a `Distance`; `TemporalResponse`
and `SafeTemporalResponse`; `RandomisedSymbols`, `RandomisedSymbolsTwice`, `IdentityRelease`,
`MutualInformationChannel`, `TruncatedReports`, or any `StepChannel`. All are a `SequenceMechanism`;
`sequence_mechanism_named` finds one by its name. `crr_valid_threshold` says from which budget the paper's
response holds, `expected_distance` and `log_lift` are measures of a step.

**Release in batches.** `BatchRelease` and `MemoryRelease` over a `BatchPartition` (`batch_partition`,
`batch_index`, `batch_patterns`); `batch_errors` (`BatchErrors`).

**What leaks.** `sequence_leakage` (`SequenceLeakage`, about `AboutSteps`), each step (`StepLeakages`), what
an adversary believes (`StreamBelief`, `LogStreamBelief`, `BatchBelief`). `pointwise_leakages`
(`PointwiseLeakages`), `pointwise_tail` (`Tail`), `violation_share` and `simulated_violation_share`
(`ViolationShare`); `sequence_mutual_information` (`SequenceInformation`); `look_back_releases`.
`temporal_leakage` (`TemporalLeakage`) and `temporal_limit` for adversaries who know a chain,
`temporal_budgets` (`TemporalBudgets`) that keep a target, `carried_leakage` from one step to the next;
`two_state_leakage` and `laplace_stream_leakage` (`ExactTemporalLeakage`) where more than a bound is known.

**Promises.** `compose` (`Composition`); `local_level` and `compare_levels` (`LocalLevels`);
`mismatched_prior` (`MismatchedPrior`); `two_points_curve` and `noise_bound` (`TwoPoints`, `TwoPointsCurve`,
`NoiseBound`); `expected_errors`.

**Runs.** `StreamRun` goes step by step, `StreamScript` keeps what was set when; `simulate_releases` for
many users (`SimulatedReleases`).

`SequenceAnalysis` has every question in one place. Looked at in `StreamSimulator`, which `pdp_widgets`
itself has.
"""

from pdp_widgets.leakage.sequence.batch_belief import BatchBelief as BatchBelief
from pdp_widgets.leakage.sequence.batch_belief import BatchErrors as BatchErrors
from pdp_widgets.leakage.sequence.batch_belief import batch_errors as batch_errors
from pdp_widgets.leakage.sequence.belief import LogStreamBelief as LogStreamBelief
from pdp_widgets.leakage.sequence.belief import StreamBelief as StreamBelief
from pdp_widgets.leakage.sequence.composition import Composition as Composition
from pdp_widgets.leakage.sequence.composition import compose as compose
from pdp_widgets.leakage.sequence.local_level import LocalLevels as LocalLevels
from pdp_widgets.leakage.sequence.local_level import MismatchedPrior as MismatchedPrior
from pdp_widgets.leakage.sequence.local_level import compare_levels as compare_levels
from pdp_widgets.leakage.sequence.local_level import crr_valid_threshold as crr_valid_threshold
from pdp_widgets.leakage.sequence.local_level import local_level as local_level
from pdp_widgets.leakage.sequence.local_level import mismatched_prior as mismatched_prior
from pdp_widgets.leakage.sequence.look_back import look_back_releases as look_back_releases
from pdp_widgets.leakage.sequence.many_users import SimulatedReleases as SimulatedReleases
from pdp_widgets.leakage.sequence.many_users import simulate_releases as simulate_releases
from pdp_widgets.leakage.sequence.pointwise import PointwiseLeakages as PointwiseLeakages
from pdp_widgets.leakage.sequence.pointwise import Tail as Tail
from pdp_widgets.leakage.sequence.pointwise import ViolationShare as ViolationShare
from pdp_widgets.leakage.sequence.pointwise import pointwise_leakages as pointwise_leakages
from pdp_widgets.leakage.sequence.pointwise import pointwise_tail as pointwise_tail
from pdp_widgets.leakage.sequence.pointwise import simulated_violation_share as simulated_violation_share
from pdp_widgets.leakage.sequence.pointwise import violation_share as violation_share
from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis as SequenceAnalysis
from pdp_widgets.leakage.sequence.sequence_leakage import SequenceLeakage as SequenceLeakage
from pdp_widgets.leakage.sequence.sequence_leakage import sequence_leakage as sequence_leakage
from pdp_widgets.leakage.sequence.step_leakage import AboutSteps as AboutSteps
from pdp_widgets.leakage.sequence.step_leakages import SequenceInformation as SequenceInformation
from pdp_widgets.leakage.sequence.step_leakages import StepLeakages as StepLeakages
from pdp_widgets.leakage.sequence.step_leakages import expected_errors as expected_errors
from pdp_widgets.leakage.sequence.step_leakages import (
    sequence_mutual_information as sequence_mutual_information,
)
from pdp_widgets.leakage.sequence.stream_run import StreamRun as StreamRun
from pdp_widgets.leakage.sequence.stream_script import StreamScript as StreamScript
from pdp_widgets.leakage.sequence.temporal_budgets import TemporalBudgets as TemporalBudgets
from pdp_widgets.leakage.sequence.temporal_budgets import temporal_budgets as temporal_budgets
from pdp_widgets.leakage.sequence.temporal_exact import ExactTemporalLeakage as ExactTemporalLeakage
from pdp_widgets.leakage.sequence.temporal_exact import laplace_stream_leakage as laplace_stream_leakage
from pdp_widgets.leakage.sequence.temporal_exact import two_state_leakage as two_state_leakage
from pdp_widgets.leakage.sequence.temporal_leakage import TemporalLeakage as TemporalLeakage
from pdp_widgets.leakage.sequence.temporal_leakage import carried_leakage as carried_leakage
from pdp_widgets.leakage.sequence.temporal_leakage import temporal_leakage as temporal_leakage
from pdp_widgets.leakage.sequence.temporal_leakage import temporal_limit as temporal_limit
from pdp_widgets.leakage.sequence.two_points import NoiseBound as NoiseBound
from pdp_widgets.leakage.sequence.two_points import TwoPoints as TwoPoints
from pdp_widgets.leakage.sequence.two_points import TwoPointsCurve as TwoPointsCurve
from pdp_widgets.leakage.sequence.two_points import noise_bound as noise_bound
from pdp_widgets.leakage.sequence.two_points import two_points_curve as two_points_curve
from pdp_widgets.mechanisms.sequence.balanced_response import BalancedResponse as BalancedResponse
from pdp_widgets.mechanisms.sequence.batch_release import BatchRelease as BatchRelease
from pdp_widgets.mechanisms.sequence.batch_release import MemoryRelease as MemoryRelease
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse as ConditionalResponse
from pdp_widgets.mechanisms.sequence.conditional_response import ShrunkResponse as ShrunkResponse
from pdp_widgets.mechanisms.sequence.conditional_response import TrimmedResponse as TrimmedResponse
from pdp_widgets.mechanisms.sequence.distances import Distance as Distance
from pdp_widgets.mechanisms.sequence.distances import expected_distance as expected_distance
from pdp_widgets.mechanisms.sequence.log_lift import log_lift as log_lift
from pdp_widgets.mechanisms.sequence.numeric_reports import TruncatedReports as TruncatedReports
from pdp_widgets.mechanisms.sequence.optimal_response import BinaryOptimum as BinaryOptimum
from pdp_widgets.mechanisms.sequence.optimal_response import (
    MutualInformationChannel as MutualInformationChannel,
)
from pdp_widgets.mechanisms.sequence.optimal_response import OptimalResponse as OptimalResponse
from pdp_widgets.mechanisms.sequence.randomised_symbols import RandomisedSymbols as RandomisedSymbols
from pdp_widgets.mechanisms.sequence.randomised_symbols import (
    RandomisedSymbolsTwice as RandomisedSymbolsTwice,
)
from pdp_widgets.mechanisms.sequence.sequence_by_name import IdentityRelease as IdentityRelease
from pdp_widgets.mechanisms.sequence.sequence_by_name import (
    sequence_mechanism_named as sequence_mechanism_named,
)
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism as SequenceMechanism
from pdp_widgets.mechanisms.sequence.sequence_mechanism import StepChannel as StepChannel
from pdp_widgets.mechanisms.sequence.temporal_response import SafeTemporalResponse as SafeTemporalResponse
from pdp_widgets.mechanisms.sequence.temporal_response import TemporalResponse as TemporalResponse
from pdp_widgets.models.batches import BatchPartition as BatchPartition
from pdp_widgets.models.batches import batch_index as batch_index
from pdp_widgets.models.batches import batch_partition as batch_partition
from pdp_widgets.models.batches import batch_patterns as batch_patterns
from pdp_widgets.models.counters import TransitionCounter as TransitionCounter
from pdp_widgets.models.history_source import HistorySource as HistorySource
from pdp_widgets.models.markov_chain import MarkovChain as MarkovChain
from pdp_widgets.models.public_grid import grid_cells as grid_cells
from pdp_widgets.models.public_grid import grid_centres as grid_centres
from pdp_widgets.models.public_grid import quantised as quantised
from pdp_widgets.models.stream_data import StreamData as StreamData
from pdp_widgets.models.stream_facts import StreamFacts as StreamFacts
from pdp_widgets.models.stream_files import read_click_streams as read_click_streams
from pdp_widgets.models.stream_files import seattle_weather as seattle_weather
from pdp_widgets.models.transition_counts import TransitionCounts as TransitionCounts
from pdp_widgets.models.transition_counts import transition_counts as transition_counts
