"""Write what JupyterLab knows of leakage documents, from what the widgets declare.

python scripts/documents.py

``js/src/lab/settings.json`` says where settings stand in views, ``js/src/lab/kinds.json`` what they may be,
``js/src/lab/new`` holds the document of each explorer on the example it opens on, and
``leakage-document.schema.json`` in pdp_widgets/data is the published schema.
"""

from __future__ import annotations

from pathlib import Path

import pdp_widgets as pdp
from pdp_widgets.publish.document import ENDING, literal
from pdp_widgets.widgets.document import document_text, explorers, kinds, schema

ROOT = Path(__file__).resolve().parent.parent
LAB = ROOT / "js" / "src" / "lab"
SCHEMA = ROOT / "pdp_widgets" / "data" / "leakage-document.schema.json"

#: The explorers as new documents open on them.
FIRST = {
    "PriorExplorer": lambda: pdp.PriorExplorer(pdp.lsat6()),
    "GaussianExplorer": lambda: pdp.GaussianExplorer(
        pdp.GaussianModel(
            [5.0, 4.0, 4.5],
            [[1.44, 0.6, 0.3], [0.6, 1.0, 0.4], [0.3, 0.4, 1.0]],
            names=["flat A", "flat B", "flat C"],
            title="Three flats",
            unit="kWh",
        ),
        noun="flat",
    ),
    "LocalExplorer": lambda: pdp.LocalExplorer(pdp.titanic()),
    "DependenceExplorer": lambda: pdp.DependenceExplorer(),
    "AttackExplorer": lambda: pdp.AttackExplorer(),
    "AnonymityExplorer": lambda: pdp.AnonymityExplorer(),
    "NetworkExplorer": lambda: pdp.NetworkExplorer(noun="hour"),
    "StreamSimulator": lambda: pdp.StreamSimulator(pdp.MarkovChain.symmetric(0.9), 1.0, rng=1),
}


def first(name: str) -> str:
    """Return the document of an explorer as a new one."""
    explorer = FIRST[name]()
    explorer.wait()
    return document_text(explorer)


def exported() -> dict[Path, str]:
    """Return the texts that do not depend on the machine, by file."""
    found = {LAB / "settings.json": explorers(), LAB / "kinds.json": kinds(), SCHEMA: schema()}
    return {file: literal(value) + "\n" for file, value in found.items()}


if __name__ == "__main__":
    for file, text in {
        **exported(),
        **{LAB / "new" / f"{name}{ENDING}": first(name) for name in FIRST},
    }.items():
        file.write_text(text, encoding="utf-8")
