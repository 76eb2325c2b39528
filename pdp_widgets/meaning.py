"""What a leakage means: error rates, chances of guessing, curves of slack, information.

**From an analysis.** ``analysis.meaning(...)`` returns a `Meaning`: slacks, tests (`BestTest`), guesses
(`Vulnerability`, `Gain`), bounds, several releases, and every measure by its name, as a `Measure` or a
`MeasureCurve`. `PriorAnalysis` and `GaussianAnalysis` measure all adversaries at once; `measure_all` does
that for noise of any kind.

**Noise.** `LaplaceNoise`, `GaussianNoise`, `DiscreteLaplaceNoise`, `DiscreteGaussianNoise`, `NoNoise`;
`noise_named`. `calibrate_noise` (`NoiseCalibration`) finds the least that keeps a slack.

**Laws of one's own.** `Meaning` of `noisy_laws` (a mixture), `channel_laws`, `table_laws`, `gaussian_laws`,
`report_laws`, `stream_laws` or `sum_laws`.

**From the leakage alone.** `leakage_bounds` (`LeakageBounds`). **Capacity.** `shannon_capacity`.

**Several releases.** `Composition`; normal noise on Gaussian data: `gaussian_composition`
(`GaussianComposition`).
"""

from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis as GaussianAnalysis
from pdp_widgets.leakage.meaning.all_adversaries import measure_all as measure_all
from pdp_widgets.leakage.meaning.calibration import NoiseCalibration as NoiseCalibration
from pdp_widgets.leakage.meaning.calibration import calibrate_noise as calibrate_noise
from pdp_widgets.leakage.meaning.composition import Composition as Composition
from pdp_widgets.leakage.meaning.composition import GaussianComposition as GaussianComposition
from pdp_widgets.leakage.meaning.composition import gaussian_composition as gaussian_composition
from pdp_widgets.leakage.meaning.guessing import Gain as Gain
from pdp_widgets.leakage.meaning.guessing import Vulnerability as Vulnerability
from pdp_widgets.leakage.meaning.information import LeakageBounds as LeakageBounds
from pdp_widgets.leakage.meaning.information import leakage_bounds as leakage_bounds
from pdp_widgets.leakage.meaning.information import shannon_capacity as shannon_capacity
from pdp_widgets.leakage.meaning.laws import BestTest as BestTest
from pdp_widgets.leakage.meaning.laws import channel_laws as channel_laws
from pdp_widgets.leakage.meaning.meaning import Meaning as Meaning
from pdp_widgets.leakage.meaning.meaning import Measure as Measure
from pdp_widgets.leakage.meaning.meaning import MeasureCurve as MeasureCurve
from pdp_widgets.leakage.meaning.mixtures import noisy_laws as noisy_laws
from pdp_widgets.leakage.meaning.sources import gaussian_laws as gaussian_laws
from pdp_widgets.leakage.meaning.sources import report_laws as report_laws
from pdp_widgets.leakage.meaning.sources import stream_laws as stream_laws
from pdp_widgets.leakage.meaning.sources import sum_laws as sum_laws
from pdp_widgets.leakage.meaning.sources import table_laws as table_laws
from pdp_widgets.leakage.prior.analysis import PriorAnalysis as PriorAnalysis
from pdp_widgets.mechanisms.noise import DiscreteGaussianNoise as DiscreteGaussianNoise
from pdp_widgets.mechanisms.noise import DiscreteLaplaceNoise as DiscreteLaplaceNoise
from pdp_widgets.mechanisms.noise import GaussianNoise as GaussianNoise
from pdp_widgets.mechanisms.noise import LaplaceNoise as LaplaceNoise
from pdp_widgets.mechanisms.noise import NoNoise as NoNoise
from pdp_widgets.mechanisms.noise import noise_named as noise_named
