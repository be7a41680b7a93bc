"""Adds to packages: the built site, into wheels as agemonia_env/site; the trainers to wheels."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SITES = {"wheel": "agemonia_env/site", "sdist": "build/site"}
# What `agemonia train` and `agemonia evaluate` need. Weights and the page of results stay in the
# repository. "agents" would be too common a name in an environment of somebody else.
TRAINERS, INSTALLED = ("*.py", "configs/*.yaml"), "agemonia_agents"
NEEDS_REPOSITORY = ("results.py", "configs/results.yaml")


class PackageHook(BuildHookInterface):  # type: ignore[misc]
    """Adds build/site and agents/ to what is built for others."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add them; say so if the site is missing. An editable install finds both in the clone."""
        if version == "editable":
            return
        included, site = build_data["force_include"], Path(self.root) / "build" / "site"
        if site.is_dir():
            included[str(site)] = SITES[self.target_name]
        else:
            self.app.display_warning("the site is left out: `make site` builds it")
        if self.target_name == "wheel":
            included |= trainers(Path(self.root) / "agents")


def trainers(folder: Path) -> dict[str, str]:
    """The files of the trainers, each with its place in a wheel."""
    files = sorted(path for pattern in TRAINERS for path in folder.glob(pattern))
    names = {str(path): path.relative_to(folder).as_posix() for path in files}
    return {
        path: f"{INSTALLED}/{name}" for path, name in names.items() if name not in NEEDS_REPOSITORY
    }
