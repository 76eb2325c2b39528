"""How much noise is enough with Gaussian data: leakage is inversely proportional to the scale."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from pdp_widgets.errors import ScaleError, Where
from pdp_widgets.leakage.gaussian.analysis_base import AnalysedGaussian
from pdp_widgets.leakage.target_leakage import as_leakage, as_target, least_scale_from, scale_for

if TYPE_CHECKING:
    from pdp_widgets.leakage.prior.noise_comparison import NoiseComparison

__all__ = ["NoiseQuestions"]

_LEAST = 2.0**-1022
_NO_BOUND = (
    "group DP: left out. No scale is enough for every covariance matrix: what leaks grows with the spread of "
    "the other tuples."
)


class NoiseQuestions(AnalysedGaussian):
    """Scales that keep a level, asked about the leakage of all adversaries; see `GaussianAnalysis`."""

    def scale_for(self, level: float) -> float:
        """Return the least noise scale with which every adversary learns at most ``level`` nats.

        Leakage is inversely proportional to the scale. 0.0 where any scale will do: nothing leaks, or the
        level is ``math.inf``.

        Raises
        ------
        ScaleError
            The level is not positive, or the scale would be beyond what numbers can hold.

        Examples
        --------
        >>> from pdp_widgets import GaussianAnalysis, GaussianModel
        >>> GaussianAnalysis(GaussianModel(None, [[1, 0.5], [0.5, 1]]), scale=3).scale_for(1.0)
        1.5
        """
        return self._release.scale_for(level, float(self.exact.max()))

    def keeping_scale(self, leakage: float | None = None) -> float:
        """Return the noise scale that brings a leakage to the promise as it is now.

        Parameters
        ----------
        leakage
            In nats, of one adversary; without it the largest.

        Returns
        -------
        float
            0.0 where any scale will do: nothing leaks.

        Raises
        ------
        ScaleError
            The leakage is not a finite number, 0 or more, or something leaks although the promise is 0.

        Examples
        --------
        >>> from pdp_widgets import GaussianAnalysis, GaussianModel
        >>> GaussianAnalysis(GaussianModel(None, [[1, 0.5], [0.5, 1]]), scale=3).keeping_scale()
        4.5
        """
        value = float(self.exact.max()) if leakage is None else as_leakage(leakage)
        if not value > 0:
            return 0.0
        promise = self.promise
        try:
            return self._release.scale_for(promise, value, "promise")
        except ScaleError:
            if not promise > 0:
                raise
        # Both may be far from 1 where the scale that is asked for is not.
        scale = max(self.scale * (value / promise), _LEAST)
        if not math.isfinite(scale):
            raise ScaleError(
                f"A leakage of {value:.6g} nats asks for a scale beyond what numbers can hold.",
                Where("parameter", name="leakage"),
            )
        return least_scale_from(scale, lambda tried: value * (self.scale / tried) <= promise)

    def compare_noise(self, target_leakage: float) -> NoiseComparison:
        """Compare the noise that plain differential privacy and exact leakage ask for.

        The scale of this release does not matter.

        Parameters
        ----------
        target_leakage
            What the adversaries may learn at most, in nats; positive, ``math.inf`` for no limit.

        Returns
        -------
        comparison
            The rows ``"plain DP"``: the largest abs(weight) M / target, which says nothing about correlated
            tuples; ``"exact"``: the least scale that is enough for all, see `scale_for`. Each with the exact
            leakage at its scale and the expected error of the released number.

        Raises
        ------
        ScaleError
            The target is not positive, or a scale would be beyond what numbers can hold.

        Examples
        --------
        >>> from pdp_widgets import GaussianAnalysis, GaussianModel
        >>> analysis = GaussianAnalysis(GaussianModel(None, [[1, 0.5], [0.5, 1]]))
        >>> table = analysis.compare_noise(0.5)
        >>> [(row.name, row.expected_absolute_error, float(row.leakage), row.holds) for row in table.rows]
        [('plain DP', 2.0, 0.75, False), ('exact', 3.0, 0.5, True)]
        """
        from pdp_widgets.leakage.prior.noise_comparison import NoiseComparison, NoiseRow, holds

        target = as_target(target_leakage)
        # Leakage times scale does not depend on the scale.
        promised, exact = self.promise * self.scale, float(self.exact.max()) * self.scale

        def row(name: str, scale: float, guarantee: str) -> NoiseRow:
            value = exact / scale if scale else (math.inf if exact else 0.0)
            leakage = replace(self.largest, value=value)
            return NoiseRow(name, scale, leakage, guarantee, holds(value, target))

        enough = scale_for(exact, target)
        rows = (
            row("plain DP", scale_for(promised, target), "promise for one tuple, void for correlated ones"),
            row("exact", enough, f"exact: {'least scale' if enough else 'no noise needed'}"),
        )
        many = self.exact.size
        adversaries = f"all {many:,} adversaries" if many > 1 else "the only adversary"
        return NoiseComparison(target, adversaries, "sup", rows, (_NO_BOUND,))
