"""Loads the trainers: `agents` beside the package in a clone, `agemonia_agents` in a wheel."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

INSTALLED = "agemonia_agents"
CLONE = Path(__file__).resolve().parents[2]
PACKAGE = "agents" if (CLONE / "agents" / "train_ppo.py").is_file() else INSTALLED


def import_trainer(module: str) -> Any:
    """Import a trainer's module (extra `train`). ValueError says what is missing."""
    try:
        return import_module(f"{PACKAGE}.{module}")
    except ModuleNotFoundError as error:
        raise ValueError(
            f"training needs {error.name}: pip install 'agemonia-env[train]', or in a clone of the "
            "repository pip install --editable '.[train]' (make train installs it, too)"
        ) from None


def file_of(module: str) -> Path:
    """The source of a trainer's module. Raises ValueError if it is not there."""
    spec = find_spec(f"{PACKAGE}.{module}")
    if spec is None or spec.origin is None:
        raise ValueError(f"{PACKAGE}/{module}.py: missing; it plays this model")
    return Path(spec.origin)
