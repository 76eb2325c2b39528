"""Print what the widgets declare of their inputs, for pages without a kernel.

python scripts/inputs.py > js/src/compute/inputs.json
"""

from __future__ import annotations

import json

import pdp_widgets as pdp
from pdp_widgets.widgets.gaussian_explorer import GaussianExplorer

WIDGETS = (
    pdp.PriorExplorer,
    GaussianExplorer,
    pdp.DependenceExplorer,
    pdp.LocalExplorer,
    pdp.AnonymityExplorer,
    pdp.AttackExplorer,
    pdp.NetworkExplorer,
    pdp.WHGGraph,
)


def exported() -> str:
    """Return the inputs that a hand sets, by widget and by their names in views and requests."""
    widgets = []
    for one in WIDGETS:
        pages = [(each.wire, each.page) for each in one.declared.values() if each.page is not None]
        rows = ",\n".join(f'    "{wire}": {json.dumps(page)}' for wire, page in pages)
        widgets.append(f'  "{one._module}": {{\n{rows}\n  }}')
    return "{\n" + ",\n".join(widgets) + "\n}\n"


if __name__ == "__main__":
    print(exported(), end="")
