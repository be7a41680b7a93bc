"""Records embedded in HTML pages: JSON, compressed, in one element, with a checksum.

A page reads its record with `DecompressionStream`, Python with `extract`.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import json
import re
import zlib
from pathlib import Path
from typing import Any

from .documents import DocumentError, Plain, decoded, in_bytes, parse_json, read_bytes

MOST_BYTES = 2**25  # of a page
MOST_UNPACKED = 2**26  # of its record
START, END = '<script type="application/gzip" id="record">', "</script>"
ELEMENT = re.compile(re.escape(START) + r"([A-Za-z0-9+/=\s]*)" + re.escape(END))
GZIP = 31  # zlib's number for this format, with its header and checksum


def embedded(record: Any) -> str:
    """The element that carries a JSON-able record; the same record gives the same text."""
    text = json.dumps(record, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    packed = base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode("ascii")
    return f"{START}{packed}{END}"


def extract(path: Path) -> Plain:
    """The record of a page. Raises DocumentError, without the file's name."""
    found = ELEMENT.search(decoded(read_bytes(path, MOST_BYTES)))
    if found is None:
        raise DocumentError(None, "has no record in it")
    try:
        unpack = zlib.decompressobj(GZIP)
        data = unpack.decompress(base64.b64decode(found[1], validate=False), MOST_UNPACKED)
    except (binascii.Error, zlib.error):
        raise DocumentError(None, "is damaged: its record cannot be unpacked") from None
    if unpack.unconsumed_tail:
        raise DocumentError(None, f"its record is larger than {in_bytes(MOST_UNPACKED)}")
    if not unpack.eof:
        raise DocumentError(None, "is damaged: its record is cut off")
    return parse_json(decoded(data))
