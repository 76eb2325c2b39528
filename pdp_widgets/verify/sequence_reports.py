"""Cases on locally private reports of numbers, what the surrogate of a truncated release is made of."""

from __future__ import annotations

from typing import Any

from pdp_widgets.mechanisms.sequence.numeric_reports import (
    HybridReport,
    PiecewiseReport,
    RoundedReport,
    SquareWave,
)
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds

__all__ = ["KINDS"]


def _primitives(data: Input) -> dict[str, Any]:
    epsilon, value = data["eps"], data["v"]
    wave, rounded, pieces = SquareWave(epsilon), RoundedReport(epsilon), PiecewiseReport(epsilon)
    return {
        "sw_half_width": float(wave.half_width),
        "sw_p": float(wave.near),
        "sw_q": float(wave.far),
        "sr_value": float(rounded.value),
        "sr_prob_plus": float(rounded.chance(value)),
        "pm_bound": float(pieces.bound),
        "pm_density_high": float(pieces.high),
        "pm_interval": [float(end) for end in pieces.interval(value)],
        "hybrid_alpha": float(HybridReport(epsilon).piecewise_share),
    }


KINDS: Kinds = {("stream_ldp_primitives", None): _primitives}
