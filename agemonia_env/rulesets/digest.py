"""The rules of a ruleset in short, for readers such as language models."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from .doors import doors_of

FILE = "digest.md"  # in the folder of the ruleset


@cache
def digest_of(env_id: str) -> str:
    """The digest of a ruleset's rules as Markdown; "" if it has none."""
    package = import_module(doors_of(env_id).package)
    path = Path(str(package.__file__)).with_name(FILE)
    return path.read_text(encoding="utf-8") if path.is_file() else ""
