"""Results as one self-contained HTML file with text, tables and pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
import numpy as np

from agemonia_env import __version__

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Section:
    """A section of a page: heading, text, picture and table.

    picture: SVG. rows: texts of the table; those whose index is in `sure` are bold.
    """

    title: str
    text: str = ""
    picture: str = ""
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    sure: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Page:
    """The contents of a page.

    lead: the main results, a sentence each. provenance: names and fingerprints. libraries: those
    besides numba and NumPy that its numbers depend on.
    """

    title: str
    text: str
    lead: Sequence[str]
    provenance: Mapping[str, str]
    sections: Sequence[Section] = field(default_factory=tuple)
    libraries: Sequence[str] = ()


@cache
def template() -> Any:
    """The template of all pages."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader = FileSystemLoader(TEMPLATES)
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html")


def rendered(page: Page, record: Mapping[str, Any], command: str) -> str:
    """The page as HTML. record: all numbers, embedded as JSON."""
    versions = {
        "agemonia_env": __version__,
        "rules": str(record.get("rules", "")),
        "numba": numba.__version__,
        "numpy": np.__version__,
        **{name: version(name) for name in page.libraries},
    }
    carried = json.dumps(record).replace("<", "\\u003c")
    text: str = template().render(page=page, versions=versions, command=command, carried=carried)
    return text
