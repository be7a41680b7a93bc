"""Puts the built site into the packages: into wheels as agemonia_env/site."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {"wheel": "agemonia_env/site", "sdist": "build/site"}


class SiteHook(BuildHookInterface):  # type: ignore[misc]
    """Adds build/site to whatever is built for others."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the site; say so if it is missing. An editable install finds it in the checkout."""
        if version == "editable":
            return
        site = Path(self.root) / "build" / "site"
        if site.is_dir():
            build_data["force_include"][str(site)] = PLACES[self.target_name]
        else:
            self.app.display_warning("the site is left out: `make site` builds it")
