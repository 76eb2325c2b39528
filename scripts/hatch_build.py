"""The build hook of pyproject.toml: no wheel or source archive without an up-to-date front end."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))
import frontend


class FrontEndHook(BuildHookInterface):
    """Builds the front end before files are collected; does nothing when it is up to date."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build for wheels, source archives and editable installs alike."""
        frontend.build()
