"""Adds to packages: the built site, into wheels as agemonia_env/site; the trainers to wheels.

And the rules compiled by `make package`, which makes a wheel of this platform and of one numba.
"""

import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SITES = {"wheel": "agemonia_env/site", "sdist": "build/site"}
# What `agemonia train` and `agemonia evaluate` need. Weights and the page of results stay in the
# repository. "agents" would be too common a name in an environment of somebody else.
TRAINERS, INSTALLED = ("*.py", "configs/*.yaml"), "agemonia_agents"
COMPILED = Path("build", "compiled")
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
            code = compiled(Path(self.root) / COMPILED)
            if code:
                included |= code
                platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
                build_data["pure_python"], build_data["tag"] = False, f"py3-none-{platform}"
                numba = (Path(self.root) / COMPILED / "numba.txt").read_text(encoding="utf-8")
                build_data["dependencies"].append(f"numba=={numba.strip()}")


def compiled(folder: Path) -> dict[str, str]:
    """The modules of finished machine code, each with its place in a wheel."""
    files = sorted(folder.glob("agemonia_env/*/*.code"))
    return {str(path): f"agemonia_env/compiled/{path.parent.name}/{path.name}" for path in files}


def trainers(folder: Path) -> dict[str, str]:
    """The files of the trainers, each with its place in a wheel."""
    files = sorted(path for pattern in TRAINERS for path in folder.glob(pattern))
    names = {str(path): path.relative_to(folder).as_posix() for path in files}
    return {
        path: f"{INSTALLED}/{name}" for path, name in names.items() if name not in NEEDS_REPOSITORY
    }
