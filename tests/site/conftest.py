"""The script that builds the site can be imported."""

from __future__ import annotations

import sys
from pathlib import Path

# Last, so that a script never stands in for a module of the same name.
sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
