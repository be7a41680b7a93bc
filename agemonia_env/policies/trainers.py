"""Loads the trainers, which a checkout of the repository has beside the package."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def import_trainer(module: str) -> Any:
    """Import a module of agents/ (extra `train`). ValueError says what is missing."""
    try:
        return import_module(f"agents.{module}")
    except ModuleNotFoundError as error:
        raise ValueError(
            f"training needs {error.name}: run it in a checkout of the repository, installed with "
            "pip install --editable '.[train]' (make train installs it, too)"
        ) from None


def file_of(module: str) -> Path:
    """The source of a module of agents/. Raises ValueError if it is not there."""
    spec = find_spec(f"agents.{module}")
    if spec is None or spec.origin is None:
        raise ValueError(f"agents/{module}.py: missing; it plays this model")
    return Path(spec.origin)
