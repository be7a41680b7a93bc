"""The layout of states: every field with its type and place, and a hash that identifies it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np


def fields(dtype: np.dtype[Any], start: int = 0) -> Iterator[tuple[str, np.dtype[Any], int]]:
    """Every scalar in a record: its name, such as `ally[2].area`, its type, and its offset."""
    for name, (item, offset, *_) in (dtype.fields or {}).items():
        base = item.base
        for k, place in enumerate(np.ndindex(item.shape)):
            inner = f"{name}[{', '.join(map(str, place))}]" if place else name
            at = start + offset + k * base.itemsize
            if base.names is None:
                yield inner, base, at
            else:
                for rest, kind, there in fields(base, at):
                    yield f"{inner}.{rest}", kind, there


def layout_hash(env_id: str, state: np.dtype[Any]) -> bytes:
    """8 bytes that identify an environment and the layout of its states."""
    lines = [env_id, *(f"{name} {kind.str} {offset}" for name, kind, offset in fields(state))]
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=8).digest()
