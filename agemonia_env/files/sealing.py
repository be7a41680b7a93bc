"""Hashes in the names of stored chunks: truncated, altered, renamed or foreign ones are found."""

from __future__ import annotations

import hashlib
from typing import BinaryIO

DIGITS = 32
BLOCK = 2**20  # bytes read at a time


def seal(metadata: bytes, content: BinaryIO) -> str:
    """DIGITS hex digits that change with a content and its metadata."""
    digest = hashlib.sha256(metadata + b"\n")
    while part := content.read(BLOCK):
        digest.update(part)
    return digest.hexdigest()[:DIGITS]
