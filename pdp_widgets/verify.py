"""Run files of reference cases against the installed library.

``python -m pdp_widgets.verify [FILE ...]`` prints one line for each failure and ``N of M cases pass`` at the
end; the exit status is 1 on any failure and 2 for a file that cannot be used. Without one it runs the cases
that come with the package. Input and expectation are read from the file and everything is computed through
the public interface. A case whose kind, or convention of that kind, is not offered is *not run* and named at
the end; it never counts as passed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from pdp_widgets.errors import LimitError, PdpError
from pdp_widgets.leakage.adversary import column, known_of
from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.leakage.prior.chain_rule import chain_all, chain_path
from pdp_widgets.leakage.prior.complete_paths import complete_path_minimum
from pdp_widgets.leakage.prior.edge_weights import edge
from pdp_widgets.leakage.prior.exact_all import exact_all, instance_positions
from pdp_widgets.leakage.prior.exact_node import PriorAdversary, prior_leakage
from pdp_widgets.leakage.prior.fast_search import fast_search
from pdp_widgets.leakage.prior.given_edges import GivenEdges
from pdp_widgets.leakage.prior.graph import counts
from pdp_widgets.leakage.prior.group_bound import group_bound
from pdp_widgets.leakage.prior.joint_release import joint_leakage
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import shown
from pdp_widgets.verify_compare import decoded, difference

__all__ = ["Report", "VectorError", "main", "verify"]

Input: TypeAlias = Mapping[str, Any]
Kind: TypeAlias = tuple[str, str | None]

# A graph of 1,000 tuples has a number of nodes of 300 digits.
_MOST_TUPLES = 1000


class VectorError(ValueError):
    """A document or a case is not of the vector format."""


def _distribution(data: Input) -> JointDistribution:
    domains = data["domains"]
    if "counts" in data:
        return JointDistribution.from_counts(data["counts"], domains)
    if "row_weight_by_sum" in data:
        ones = np.indices([2] * len(domains)).sum(axis=0)
        return JointDistribution.normalised(np.asarray(data["row_weight_by_sum"], dtype=float)[ones], domains)
    return JointDistribution(data["table"], domains)


def _mechanism(data: Input, distribution: JointDistribution) -> LaplaceMechanism:
    if "contrib" in data:
        query = LinearQuery(data["contrib"])
    elif "weights" in data:
        query = LinearQuery.weighted(distribution, data["weights"])
    else:
        query = LinearQuery.sum(distribution)
    return LaplaceMechanism(query, data["lam"])


def _known(data: Input) -> dict[int, Any]:
    return dict(zip(data["known"], data["known_values"], strict=True))


def _adversary(data: Input) -> PriorAdversary:
    distribution = _distribution(data)
    known = data["known"]
    if len(set(known)) != len(known):
        # A dict of known values cannot hold a tuple twice: let the library see the list as it is.
        prior_leakage(distribution, _mechanism(data, distribution), data["target"], known, convention="sup")
    return PriorAdversary(distribution, _mechanism(data, distribution), data["target"], _known(data))


def _numbers(values: Any) -> Any:
    return np.asarray(values).tolist()


def _exact_node(data: Input) -> dict[str, Any]:
    if data["convention"] == "sup":
        distribution = _distribution(data)
        mechanism = _mechanism(data, distribution)
        found = prior_leakage(distribution, mechanism, data["target"], data["known"], convention="sup")
    else:
        found = _adversary(data).leakage
    return {"leakage": float(found), "determined": found.determined}


def _layer_max(values: Any, n: int) -> list[float]:
    by_layer: dict[int, float] = {}
    for c in range(values.shape[1]):
        layer = n - c.bit_count()
        by_layer[layer] = max(by_layer.get(layer, 0.0), float(values[:, c].max()))
    return [by_layer[layer] for layer in range(1, n + 1)]


def _nodes(values: Any, n: int) -> list[list[Any]]:
    return [
        [i, list(known_of(n, i, c)), float(values[i, c])] for i in range(n) for c in range(values.shape[1])
    ]


def _exact_all(data: Input) -> dict[str, Any]:
    distribution = _distribution(data)
    values, _ = exact_all(distribution, _mechanism(data, distribution), data["instance"], data["convention"])
    n = distribution.n_tuples
    return {
        "nodes": _nodes(values, n),
        "layer_max": _layer_max(values, n),
        "leakage": float(values.max()),
    }


def _exact_nodes(data: Input) -> dict[str, Any]:
    distribution = _distribution(data)
    values, _ = exact_all(distribution, _mechanism(data, distribution), data["instance"], data["convention"])
    n = distribution.n_tuples
    return {"nodes": [[i, known, float(values[i, column(n, i, known)])] for i, known in data["nodes"]]}


def _log_ratio(data: Input) -> dict[str, Any]:
    adversary = _adversary(data)
    a, b = data["pair"]
    low, high = adversary.ends(a, b)
    return {"log_ratio": _numbers(adversary.log_ratio(a, b, data["r"])), "minus_inf": low, "plus_inf": high}


def _density(data: Input) -> dict[str, Any]:
    return {"density": _numbers(_adversary(data).density(data["value"], data["r"]))}


def _posterior(data: Input) -> dict[str, Any]:
    adversary = _adversary(data)
    a, b = data["pair"]
    return {
        "prior": _numbers(adversary.prior),
        "posterior": _numbers(adversary.posterior(data["r"])),
        "gain": _numbers(adversary.gain(a, b, data["r"])),
    }


def _edge(data: Input) -> dict[str, Any]:
    distribution = _distribution(data)
    found = edge(distribution, _mechanism(data, distribution), data["target"], data["removed"], _known(data))
    return {"gamma": [list(row) for row in found.gamma], "ir": list(found.ir), "rho": found.rho}


def _chain_problem(data: Input) -> tuple[Any, Any, float, tuple[int, ...] | None, str]:
    """Return the arguments that all estimates of the paper share: the first four and the convention."""
    distribution = _distribution(data)
    mechanism = _mechanism(data, distribution)
    mechanism.query.check_fits(distribution)
    convention = data["convention"]
    row = None if convention == "sup" else instance_positions(distribution, data["instance"])
    return distribution.table, mechanism.query.contributions, mechanism.scale, row, convention


def _chain_path(data: Input) -> dict[str, Any]:
    table, contributions, scale, row, convention = _chain_problem(data)
    found = chain_path(table, contributions, scale, row, data["target"], data["order"], convention)
    return {"values": list(found.values), "edge_values": list(found.edge_values)}


def _chain_all(data: Input) -> dict[str, Any]:
    found = chain_all(*_chain_problem(data))
    values, increments = found.values, found.increments
    n = len(values)
    edges = []
    for i in range(n):
        for c in range(values.shape[1]):
            known = known_of(n, i, c)
            for j in range(n):
                if j != i and j not in known:
                    value = float(increments[i, c, j])
                    edges.append([i, j, list(known), None if np.isnan(value) else value])
    return {
        "nodes": _nodes(values, n),
        "edges": edges,
        "layer_max": _layer_max(values, n),
        "leakage": float(values.max()),
    }


def _chain_full_paths(data: Input) -> dict[str, Any]:
    table, contributions, scale, row, convention = _chain_problem(data)
    found = complete_path_minimum(table, contributions, scale, row, data["target"], data["known"], convention)
    return {"value": found}


def _fast(data: Input) -> dict[str, Any]:
    found = fast_search(*_chain_problem(data))
    return {
        "layer_max": list(found.layer_max),
        "leakage": found.leakage,
        "kept": [[[i, list(known), value] for i, known, value in nodes] for nodes in found.kept],
    }


def _whg_given(data: Input) -> dict[str, Any]:
    graph = GivenEdges(data["first"], data["edges"])
    values, fast, n = graph.chain(), graph.fast(), graph.n_tuples
    return {
        "nodes": _nodes(values, n),
        "layer_max": _layer_max(values, n),
        "leakage": float(values.max()),
        "fast_layer_max": list(fast.layer_max),
        "fast_leakage": fast.leakage,
        "full_path_min_top": [[i, [], graph.complete_path_minimum(i)] for i in range(n)],
    }


def _group_bound(data: Input) -> dict[str, Any]:
    distribution = _distribution(data)
    mechanism = _mechanism(data, distribution)
    return {
        "ls": _numbers(mechanism.query.local_sensitivities),
        "gs": mechanism.query.global_sensitivity,
        "bound": float(group_bound(mechanism, data["target"], data["known"])),
        "loose_bound": float(group_bound(mechanism, data["target"], data["known"], loose=True)),
    }


def _exact_vector(data: Input) -> dict[str, Any]:
    queries = [LinearQuery(contributions) for contributions in data["contribs"]]
    found = joint_leakage(_distribution(data), queries, data["lam"], data["target"], _known(data))
    return {"leakage": float(found), "per_coordinate": [float(one) for one in found.per_coordinate]}


def _gaussian(data: Input) -> GaussianModel:
    return GaussianModel(data.get("mean"), data["cov"])


def _gaussian_adversary(data: Input) -> GaussianAdversary:
    return GaussianAdversary(
        _gaussian(data),
        data["target"],
        data["known"],
        weights=data.get("weights"),
        scale=data["lam"],
        max_change=data.get("M", 1.0),
    )


def _gaussian_node(data: Input) -> dict[str, Any]:
    adversary = _gaussian_adversary(data)
    return {
        "leakage": float(adversary.leakage),
        "determined": adversary.determined,
        "mu00": adversary.mu00,
        "mu0i": adversary.mu0i,
        "mu0k": _numbers(adversary.mu0k),
        "sigma0": adversary.sigma0,
    }


def _gaussian_all(data: Input) -> dict[str, Any]:
    model = _gaussian(data)
    values, _ = gaussian_exact_all(model, data.get("weights"), data["lam"], data["M"])
    n = model.n_tuples
    return {
        "nodes": _nodes(values, n),
        "layer_max": _layer_max(values, n),
        "leakage": float(values.max()),
    }


def _gaussian_log_ratio(data: Input) -> dict[str, Any]:
    x, other = data["pair"]
    found = _gaussian_adversary(data).log_ratio(x, other, data["r"], data["known_values"])
    return {"log_ratio": _numbers(found)}


def _counts(data: Input) -> dict[str, Any]:
    n = data["n"]
    if isinstance(n, int) and n > _MOST_TUPLES:
        raise LimitError(f"The number of tuples is {shown(n)}; cases have at most {_MOST_TUPLES:,}.")
    size = counts(n)
    return {"nodes": size.nodes, "edges": size.edges, "layer_sizes": list(size.layer_sizes)}


_KINDS: dict[Kind, Callable[[Input], dict[str, Any]]] = {
    ("exact_node", "instance"): _exact_node,
    ("exact_node", "sup"): _exact_node,
    ("exact_all", "instance"): _exact_all,
    ("exact_all", "sup"): _exact_all,
    ("exact_nodes", "instance"): _exact_nodes,
    ("exact_nodes", "sup"): _exact_nodes,
    ("log_ratio", None): _log_ratio,
    ("density", None): _density,
    ("posterior", None): _posterior,
    ("edge", None): _edge,
    ("chain_path", "instance"): _chain_path,
    ("chain_path", "sup"): _chain_path,
    ("chain_all", "instance"): _chain_all,
    ("chain_all", "sup"): _chain_all,
    ("chain_full_paths", "instance"): _chain_full_paths,
    ("chain_full_paths", "sup"): _chain_full_paths,
    ("fast", "instance"): _fast,
    ("fast", "sup"): _fast,
    ("whg_given", None): _whg_given,
    ("group_bound", None): _group_bound,
    ("exact_vector", None): _exact_vector,
    ("gaussian_node", None): _gaussian_node,
    ("gaussian_all", None): _gaussian_all,
    ("gaussian_log_ratio", None): _gaussian_log_ratio,
    ("counts", None): _counts,
}
_FORMATS = {"pdp-vectors/1": _KINDS}
# Cases of the other papers: read, and named as not run.
_OTHER_FORMATS = tuple(f"{paper}-vectors/1" for paper in ("cpl", "sip", "ddp", "kanon"))


@dataclass
class Report:
    """Outcome of a run.

    Parameters
    ----------
    passed
        Number of cases that pass.
    failures
        One line for each case that fails.
    not_run
        Cases whose kind is not offered, counted by name.
    """

    passed: int = 0
    failures: list[str] = field(default_factory=list)
    not_run: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """Number of cases read."""
        return self.passed + len(self.failures) + self.not_run.total()

    def __str__(self) -> str:
        line = f"{self.passed} of {self.total} cases pass"
        if self.not_run:
            line += f", {self.not_run.total()} not run: {', '.join(sorted(self.not_run))}"
        return line


def _name(kind: str, data: Input, kinds: Mapping[Kind, Any]) -> str:
    """Name what is not offered: the kind, or the convention where the kind itself is offered."""
    partly = any(kind == offered for offered, _ in kinds)
    return f"{kind} ({data.get('convention')})" if partly else kind


def _tolerance(case: Input) -> float:
    tol = case.get("tol")
    if isinstance(tol, bool) or not isinstance(tol, int | float) or not 0 <= tol < float("inf"):
        raise VectorError(f"the tolerance is {shown(tol)}; it is a finite number, 0 or more")
    return float(tol)


def _check_case(case: Any) -> None:
    """Raise VectorError unless a case has the parts that every case has."""
    if not isinstance(case, dict):
        raise VectorError(f"a case is {shown(case)}; it is an object with id, kind, input and expected")
    if not isinstance(case.get("kind"), str):
        raise VectorError(f"the kind is {shown(case.get('kind'))}; it is text")
    if not isinstance(case.get("input"), dict):
        raise VectorError("it has no input; an input is an object")


def _parts(case: Input) -> tuple[str, Input]:
    """Return what a case calls, and with which arguments."""
    data = decoded(case["input"])
    if case["kind"] != "error":
        return case["kind"], data
    if not isinstance(data.get("call"), str) or not isinstance(data.get("args"), dict):
        raise VectorError("the input of an error case has a call (text) and its args (an object)")
    return data["call"], data["args"]


def _run_case(case: Any, kinds: Mapping[Kind, Callable[[Input], dict[str, Any]]], report: Report) -> None:
    label = str(case.get("id", "a case without id")) if isinstance(case, dict) else "a case"
    try:
        _check_case(case)
        called, args = _parts(case)
        convention = args.get("convention")
        if convention is not None and not isinstance(convention, str):
            raise VectorError(f"the convention is {shown(convention)}; it is text")
    except VectorError as fault:
        report.failures.append(f"{label}: {fault}")
        return
    wants_error = case["kind"] == "error"
    run = kinds.get((called, convention))
    if run is None:
        name = _name(called, args, kinds)
        report.not_run[f"error ({name})" if wants_error else name] += 1
        return
    try:
        expected = decoded(case.get("expected"))
        if not isinstance(expected, dict) or not expected:
            raise VectorError("nothing is expected; a case names at least one result")
        tol = 0.0 if wants_error else _tolerance(case)
        got = run(args)
        found = f"no error where one is due: {shown(expected.get('error'))}"
        if not wants_error:
            found = difference(got, expected, tol, "") or ""
    except VectorError as fault:
        found = str(fault)
    except PdpError as fault:
        found = "" if wants_error and str(fault) else f"{type(fault).__name__}: {fault}"
    except Exception as fault:
        # A crash of one case is a failure of that case, not of the run.
        found = f"unexpected {type(fault).__name__}: {fault}"
    if found:
        report.failures.append(f"{label}: {found}")
    else:
        report.passed += 1


def _checked_document(document: Any) -> tuple[str, list[Any]]:
    """Return format and cases of a vector file, or raise VectorError."""
    if not isinstance(document, Mapping) or not {"format", "cases"} <= document.keys():
        raise VectorError("it has no format and cases")
    name, cases = document["format"], document["cases"]
    known = (*_FORMATS, *_OTHER_FORMATS)
    if name not in known:
        raise VectorError(f"the format is {shown(name)}; known are {', '.join(known)}")
    if not isinstance(cases, list) or not cases:
        raise VectorError("it has no cases; cases are a list with at least one")
    return name, cases


def verify(documents: Iterable[Any]) -> Report:
    """Run the cases of parsed vector files.

    Parameters
    ----------
    documents
        Contents of vector files: ``{"format": ..., "cases": [...]}``.

    Raises
    ------
    VectorError
        A document has no format or no cases.

    Examples
    --------
    >>> case = {"id": "three", "kind": "counts", "input": {"n": 3}, "tol": 0,
    ...         "expected": {"nodes": 12, "edges": 12, "layer_sizes": [3, 6, 3]}}
    >>> print(verify([{"format": "pdp-vectors/1", "cases": [case]}]))
    1 of 1 cases pass
    """
    report = Report()
    for document in documents:
        name, cases = _checked_document(document)
        kinds = _FORMATS.get(name)
        for case in cases:
            if kinds is None:
                kind = case.get("kind") if isinstance(case, dict) else None
                report.not_run[f"{kind if isinstance(kind, str) else 'a case'} of {name}"] += 1
            else:
                _run_case(case, kinds, report)
    return report


def _packaged() -> list[Any]:
    folder = files("pdp_widgets").joinpath("data", "vectors")
    return [
        json.loads(entry.read_text(encoding="utf-8"))
        for entry in sorted(folder.iterdir(), key=lambda e: e.name)
        if entry.name.endswith(".json")
    ]


def main(arguments: Sequence[str]) -> int:
    """Run vector files by path, print the outcome and return the exit status.

    Returns
    -------
    int
        0: every case that was run passes; 1: one fails; 2: a file cannot be used.
    """
    parser = argparse.ArgumentParser(
        prog="python -m pdp_widgets.verify",
        description="Run files of reference cases against the installed library. Exit status 0: every case "
        "that was run passes; 1: one fails; 2: a file cannot be used.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="vector files; without one those shipped")
    paths = parser.parse_args(arguments).files
    documents: list[Any] = [] if paths else _packaged()
    for path in paths:
        try:
            # Written by an editor on Windows, a file may begin with a byte order mark.
            document = json.loads(Path(path).read_text(encoding="utf-8-sig"))
            _checked_document(document)
        except (OSError, ValueError, RecursionError) as fault:
            print(f"{path}: cannot be read as a vector file: {fault}", file=sys.stderr)
            return 2
        documents.append(document)
    report = verify(documents)
    for line in report.failures:
        print(line)
    print(report)
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
