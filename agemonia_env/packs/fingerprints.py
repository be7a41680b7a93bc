"""Fingerprints of whole packs: hashes of the numbers and rules in their files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Set
from typing import Any

from pydantic import BaseModel

from .patches import Cards, path_text

TEXTS = frozenset({"text", "flavour", "title", "version", "stories"})  # no rule reads these fields


def cards_fingerprint(version: str, cards: Cards, left_out: Set[str] = TEXTS) -> str:
    """16 hex digits that change with any value in these files, except in the fields `left_out`.

    version: of the rules.
    """
    values = {path_text(place): _values(card, left_out) for place, card in cards.items()}
    content = json.dumps(values).encode()  # unsorted: areas are numbered in the order of their keys
    return hashlib.sha256(version.encode() + content).hexdigest()[:16]


def _values(value: Any, left_out: Set[str]) -> Any:
    """Plain values of a card, defaults included, without some fields of its models."""
    if isinstance(value, BaseModel):
        fields = sorted(type(value).model_fields.keys() - left_out)
        return {name: _values(getattr(value, name), left_out) for name in fields}
    if isinstance(value, list):
        return [_values(part, left_out) for part in value]
    if isinstance(value, dict):
        return {key: _values(part, left_out) for key, part in value.items()}
    return value
