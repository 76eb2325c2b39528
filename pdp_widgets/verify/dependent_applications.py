"""Cases on networks of friends: their files, a simulated one, and uses of a private release."""

from __future__ import annotations

from typing import Any

from pdp_widgets.mechanisms.applications.affinity_graph import affinity_graph, similarities
from pdp_widgets.mechanisms.applications.private_classifier import classifier_scale, expected_noise
from pdp_widgets.mechanisms.applications.private_clustering import clustering_accuracy
from pdp_widgets.mechanisms.applications.private_degrees import degree_histogram, degree_scale
from pdp_widgets.models.adult_records import parse_adult_records
from pdp_widgets.models.check_in_files import parse_check_ins
from pdp_widgets.models.friendships import parse_friendships
from pdp_widgets.models.labels import shown
from pdp_widgets.models.synthetic_network import synthetic_network
from pdp_widgets.verify.compare import InBand
from pdp_widgets.verify.documents import Input, VectorError
from pdp_widgets.verify.formats import Kinds

__all__ = ["KINDS"]

#: Any seed has statistics inside the bands; these are drawn.
_SEEDS = range(3)


def _load(data: Input) -> dict[str, Any]:
    lines = data["text"].splitlines(keepends=True)
    if data["format"] == "checkins":
        visits = parse_check_ins(lines)
        return {"rows": [list(row) for row in visits], "dropped": visits.dropped}
    if data["format"] == "edges":
        friends = parse_friendships(lines)
        return {"rows": friends.edges.tolist(), "dropped": friends.dropped}
    if data["format"] == "adult":
        records = parse_adult_records(lines)
        return {"rows": [list(row) for row in records.rows], "dropped": records.dropped}
    raise VectorError(f"the format is {shown(data['format'])}; it is checkins, edges or adult")


def _affinity(data: Input) -> dict[str, Any]:
    rows, threshold = data["rows"], data["threshold"]
    found: dict[str, Any] = {}
    for kind in ("cosine", "printed"):
        found[kind] = similarities(rows, kind).tolist()
        found[f"edges_{kind}"] = affinity_graph(rows, threshold, kind).edges.tolist()
    return found


def _degrees(data: Input) -> dict[str, Any]:
    histogram = degree_histogram(data["edges"], data["n"], data.get("max_degree"))
    sigma = degree_scale(data["epsilon"], data["kappa"])
    return {
        "histogram": histogram.tolist(),
        "sigma": sigma,
        "expected_l1_error": len(histogram) * sigma,
    }


def _classifier(data: Input) -> dict[str, Any]:
    scale = classifier_scale(data["n"], data["reg"], data["epsilon"], data["kappa"])
    return {"scale": scale, "expected_norm": expected_noise(data["dim"], scale)}


def _clustering(data: Input) -> dict[str, Any]:
    return {"accuracy": clustering_accuracy(data["clean"], data["noisy"], data["test"])}


def _statistics(data: Input) -> dict[str, Any]:
    made = [synthetic_network(data["n_users"], data["mean_degree"], rng=seed).statistics for seed in _SEEDS]
    return {"bands": {name: InBand(tuple(one[name] for one in made)) for name in made[0]}}


KINDS: Kinds = {
    ("load", None): _load,
    ("affinity", None): _affinity,
    ("degree_histogram", None): _degrees,
    ("svm_scale", None): _classifier,
    ("clustering_accuracy", None): _clustering,
    ("synthetic_statistics", None): _statistics,
}
