"""Cases on streams before anything is released, and on beliefs: estimates, files, grids, batches, filters."""

from __future__ import annotations

from typing import Any

from pdp_widgets.leakage.sequence.batch_belief import BatchBelief
from pdp_widgets.leakage.sequence.belief import StreamBelief
from pdp_widgets.models.batches import batch_partition
from pdp_widgets.models.click_streams import parse_click_streams
from pdp_widgets.models.public_grid import grid_cells, grid_centres
from pdp_widgets.models.stream_data import StreamData
from pdp_widgets.models.transition_counts import transition_counts
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds
from pdp_widgets.verify.inputs import numbers
from pdp_widgets.verify.sequence_inputs import chain_of, sequence_mechanism

__all__ = ["KINDS"]


def _belief_filter(data: Input) -> dict[str, Any]:
    mechanism = sequence_mechanism(data["mechanism"])
    belief = StreamBelief.before(chain_of(data))
    predictive, posterior = [numbers(belief.predictive)], []
    for released in data["y"]:
        belief = belief.after(mechanism.channel(belief.predictive), released)
        predictive.append(numbers(belief.predictive))
        posterior.append(numbers(belief.posterior))
    return {"predictive": predictive, "posterior": posterior, "log_prob_y": belief.log_probability}


def _batch_belief(data: Input) -> dict[str, Any]:
    mechanism = sequence_mechanism(data["mechanism"])
    belief = BatchBelief.before(chain_of(data), data["w"])
    for released in data["released"]:
        belief = belief.after(mechanism.channel(belief.predictive), released)
    return {"belief": numbers(belief.predictive)}


def _estimate(data: Input) -> dict[str, Any]:
    streams = StreamData(data["streams"], states=range(data["n"]))
    smoothing = float(data["alpha"])
    first = transition_counts(streams).chain(smoothing)
    found = {"P1": numbers(first.start), "M": numbers(first.transitions)}
    if data["order"] == 2:
        found["M2"] = numbers(transition_counts(streams, order=2).chain(smoothing).transitions)
    return found


def _clicks(data: Input) -> dict[str, Any]:
    streams = parse_click_streams(data["text"].splitlines())
    facts = streams.facts
    return {
        "streams": [list(streams.labels(user)) for user in range(len(streams))],
        "n_streams": facts.streams,
        "n_events": facts.events,
        "n_symbols": facts.symbols,
        "min_len": facts.shortest,
        "max_len": facts.longest,
        "malformed_lines": facts.malformed,
        "streams_with_repeats": facts.with_repeats,
        "pairs_seen_in_both_orders": facts.pairs_in_both_orders,
    }


def _grid(data: Input) -> dict[str, Any]:
    cells = grid_cells(data["xy"], (data["low"], data["high"]), data["G"])[0]
    return {"cell": numbers(cells), "centre": numbers(grid_centres(data["G"])[cells])}


def _partition(data: Input) -> dict[str, Any]:
    found = batch_partition(data["T"], data["w"], data["eps_per_step"])
    return {"sizes": list(found.sizes), "budgets": list(found.budgets), "total": found.total}


KINDS: Kinds = {
    ("belief_filter", None): _belief_filter,
    ("belief_filter_order2", None): _belief_filter,
    ("batch_belief", None): _batch_belief,
    ("estimate_transitions", None): _estimate,
    ("parse_clickstream", None): _clicks,
    ("grid_quantise", None): _grid,
    ("batch_partition", None): _partition,
}
