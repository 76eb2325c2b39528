"""What a browser shows of a large graph instead of all its values."""

from __future__ import annotations

from typing import Any

from pdp_widgets.leakage.adversary import column
from pdp_widgets.publish.rounding import bound_of
from pdp_widgets.widgets.graph_digest import GraphDigest
from pdp_widgets.widgets.graph_search import Search
from pdp_widgets.widgets.wire import label_texts

__all__ = ["digest_state"]


def digest_state(
    digest: GraphDigest,
    target: int,
    known: tuple[int, ...],
    search: Search,
    threshold: float | None,
) -> dict[str, Any]:
    """Return what a browser shows of a large graph: less than 20 kB, whatever its size.

    Parameters
    ----------
    digest
        The graph.
    target, known
        The chosen adversary.
    search
        Order, page and filters of the table.
    threshold
        In nats; None stands for the promise.
    """
    graph, n, width = digest.graph, digest.n, digest.width
    line = graph.promise if threshold is None else threshold
    page = digest.page(search, line)
    chosen = target * width + column(n, target, known)
    largest = digest.largest[0] * width + digest.largest[1]
    tops = [layer.target * width + layer.column for layer in digest.layers]
    drawn = [chosen, *digest.neighbours(target, known), largest, *tops, *page.flats]
    return {
        "names": label_texts(graph.names),
        "promise": graph.promise,
        "domain": digest.domain,
        "largest": largest,
        "group_bound": bound_of(graph),
        "apart": digest.apart,
        "layers": [
            {
                "unknown": layer.unknown,
                "count": layer.count,
                "determined": layer.determined,
                "counts": layer.counts.tolist(),
                "quartiles": layer.quartiles,
                "range": _range(layer.lows.min(), layer.highs.max()),
                "own": _range(layer.lows[target], layer.highs[target]),
                "top": top,
            }
            for layer, top in zip(digest.layers, tops, strict=True)
        ],
        "above_promise": digest.above(graph.promise),
        "threshold": threshold,
        "above": digest.above(line),
        "chosen": {"target": target, "known": known, "rank": digest.place(Search(), chosen)},
        "search": {**search.state(), "first": page.first},
        "count": page.count,
        "rows": page.flats,
        "place": digest.place(search, chosen, line),
        "values": digest.values(sorted(set(drawn))),
    }


def _range(low: float, high: float) -> tuple[float, float] | None:
    return (float(low), float(high)) if low <= high else None
