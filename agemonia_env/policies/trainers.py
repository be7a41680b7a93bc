"""The trainers, which stand beside the package in a checkout of the repository."""

from importlib import import_module
from typing import Any


def trainer(module: str) -> Any:
    """A module of agents/, which needs the extra `train`. ValueError says what is missing."""
    try:
        return import_module(f"agents.{module}")
    except ModuleNotFoundError as error:
        raise ValueError(
            f"training needs {error.name}: run it in a checkout of the repository, installed with "
            "pip install --editable '.[train]' (make train does both)"
        ) from None
