"""No module is needed by what it needs, imports inside functions counted."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import networkx as nx

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "pdp_widgets"


def _name(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {_name(file): file for file in PACKAGE.rglob("*.py")}


def _at_run_time(node: ast.AST) -> Iterator[ast.AST]:
    """Walk through what runs: what is written for a type checker alone does not."""
    waiting = [node]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
                continue
            yield child
            waiting.append(child)


def _imported(file: Path) -> Iterator[str]:
    for node in _at_run_time(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            within = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in MODULES else node.module for name in within)


def test_no_module_imports_itself_by_others() -> None:
    graph = nx.DiGraph(
        (name, other) for name, file in MODULES.items() for other in _imported(file) if other in MODULES
    )
    assert graph.number_of_nodes() > 100
    circles = [sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1]
    assert circles == []
