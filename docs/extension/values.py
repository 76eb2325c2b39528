"""Numbers that sentences of the pages name, computed when the site is built."""

from __future__ import annotations

import numpy as np

import pdp_widgets as pdp
from extension.computed import COMPUTED
from pdp_widgets import examples
from pdp_widgets.widgets.local_release import LOCAL_MENU

__all__ = ["substitutions"]


def substitutions() -> dict[str, str]:
    """Return the numbers of the story of five answers, as the pages write them: ``{{ largest }}``."""
    joint = pdp.lsat6()
    query = pdp.LinearQuery.sum(joint)
    analysis = pdp.PriorAnalysis(joint, pdp.LaplaceMechanism(query, scale=1))
    independent = pdp.JointDistribution.independent(joint.marginals())
    alone = pdp.PriorAnalysis(independent, pdp.LaplaceMechanism(query, scale=1))
    noise = {row.name: row.scale for row in analysis.compare_noise(1.0).rows}
    largest = float(analysis.largest)
    return {
        "promise": f"{analysis.promise:.3f}",
        "largest": f"{largest:.3f}",
        "excess": f"{100 * (largest / analysis.promise - 1):.0f} %",
        "adversaries": f"{analysis.exact.size}",
        "above": f"{analysis.above_promise}",
        "too_low": f"{analysis.too_low}",
        "too_high": f"{analysis.too_high}",
        "paper_largest": f"{float(analysis.paper.max()):.3f}",
        "group": f"{float(analysis.group_bounds.max()):.3f}",
        "independent": f"{float(np.max(alone.exact)):.3f}",
        # A scale that must be enough is rounded up.
        "enough": f"{np.ceil(noise['exact'] * 1000) / 1000:.3f}",
        "enough_group": f"{noise['group DP']:.0f}",
        "records": f"{joint.records:,}",
        **_local(),
        **_streams(),
        **_dependent(),
        **_anonymity(),
    }


def _local() -> dict[str, str]:
    """Return the numbers of the pages on local privacy."""
    aboard = pdp.LocalAnalysis(pdp.titanic(), "GRR", 1.0)
    loss = aboard.joint("survived")
    assert loss.exact is not None
    there, back = aboard.pair("class", "survived"), aboard.pair("survived", "class")
    return {
        # Any mechanism is none by itself.
        "local_mechanisms": str(sum(one.compared for one in LOCAL_MENU)),
        "local_pair": f"{float(there):.3f}",
        "local_mirror": f"{float(back):.3f}",
        "local_exact": f"{float(loss.exact):.3f}",
        "local_sum": f"{float(loss.pairwise_sum):.3f}",
    }


def _streams() -> dict[str, str]:
    """Return the numbers of the pages on streams."""
    chain = pdp.MarkovChain.symmetric(0.9)
    printed = pdp.SequenceAnalysis(chain, "crr", 10, epsilon=1.0)
    best = pdp.SequenceAnalysis(chain, "binary_optimum", 10, epsilon=1.0)
    assert best.keeps_promise
    assert not printed.keeps_promise
    skewed = pdp.SequenceAnalysis(pdp.MarkovChain.symmetric(0.9, start=[0.05, 0.95]), "crr", 4, epsilon=1.0)
    return {
        "stream_worst": f"{printed.steps.worst.max():.3f}",
        "stream_share": f"{100 * printed.steps.broken.mean():.0f} %",
        "stream_sequence": f"{float(skewed.sequence):.3f}",
        "stream_printed_error": f"{printed.steps.error.mean():.3f}",
        "stream_best_error": f"{best.steps.error.mean():.3f}",
        "stream_threshold": f"{pdp.streams.crr_valid_threshold(0.9):.3f}",
        "stream_greedy": f"{COMPUTED['two-steps-greedy']():.3f}",
        "stream_planned": f"{COMPUTED['two-steps-planned']():.3f}",
    }


def _anonymity() -> dict[str, str]:
    """Return the numbers of the page on k-anonymity."""
    clinic = pdp.clinic()
    some = pdp.AnonymityAnalysis(clinic, ["age", "weight"], "diabetes", 5, level="III", known=0.3)
    nobody = pdp.AnonymityAnalysis(clinic, ["age", "weight"], "diabetes", 5)
    selected = pdp.SelectedCount(100, 30, 0.5)
    values = (some.classes.secret_counts("diabetes") > 0).sum(axis=1)
    return {
        "anonymity_clinic": f"{float(some.slack(1.0)):.4f}",
        "anonymity_nobody": f"{float(nobody.slack(1.0)):.4f}",
        "anonymity_classes": str(len(some.classes)),
        "anonymity_single": str(int((values == 1).sum())),
        "anonymity_count": f"{float(pdp.anonymity.count_slack(selected, 1.0)):.1e}".replace("-", "−"),
        "anonymity_records": f"{float(pdp.anonymity.set_release_slack(100, 30, 0.5, 1.0)):.4f}",
    }


def _dependent() -> dict[str, str]:
    """Return the numbers of the page on dependent tuples."""
    pair = pdp.DependenceAnalysis(examples.agreeing_bits(0.9), "sum", 1.0, "lpm")
    xor = pdp.DependenceAnalysis(examples.xor_bits(), "sum", 1.0, "lpm")
    covered = pdp.DependenceAnalysis(examples.covered_shift(), "sum", 1.0, "dpm_exact")
    assert not covered.keeps_promise
    return {
        "dependent_pair": f"{float(pair.largest):.3f}",
        "dependent_xor": f"{float(xor.largest):.3f}",
        "dependent_xor_known": f"{float(xor.worst_adversary):.3f}",
        "dependent_covered": f"{float(covered.largest):.3f}",
    }
