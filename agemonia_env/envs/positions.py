"""Saved positions: the bytes of a state record, and a trailer that identifies the game.

They are trusted as pickles are: the core indexes its arrays by their fields. The checksum detects
damage, not forgery. What comes from others is a recorded game, which is played again (replay.py).
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.env_slots import N_KNOBS
from agemonia_env.rulesets.knobs import Knobs
from agemonia_env.rulesets.ruleset import Ruleset

NOT_DRAWN = -1  # in place of the scenario seed
MAGIC = b"position"
# magic, layout, fingerprint, core seed, calls of step, ended by `illegal`, scenario seed, knobs
TRAILER = struct.Struct(f"<8s8s16sQQ?q{2 * N_KNOBS}s")
CHECKSUM = struct.Struct("<I")  # of everything before it


class Trailer(NamedTuple):
    """What the trailer says besides the layout. fingerprint: its first 16 digits."""

    fingerprint: str
    core_seed: int
    steps: int
    disqualified: bool
    scenario_seed: int  # NOT_DRAWN if the scenario is not drawn
    knobs: bytes = bytes(2 * N_KNOBS)  # of its generator


def write(rules: Ruleset, states: NDArray[Any], trailer: Trailer, more: bytes = b"") -> bytes:
    """The bytes of states[0] with its trailer. more: what an environment adds to them."""
    fingerprint, *fields = trailer
    packed = TRAILER.pack(MAGIC, rules.state_layout, fingerprint.encode(), *fields)
    data = states.tobytes() + more + packed
    return data + CHECKSUM.pack(crc32(data))


def read(rules: Ruleset, position: Any) -> tuple[Trailer, bytes]:
    """The trailer of a position, and what an environment added.

    Raises ValueError for a damaged one, or one of another environment or version.
    """
    at = len(position) - TRAILER.size - CHECKSUM.size if isinstance(position, bytes) else -1
    if at < 0 or not position.startswith(MAGIC, at):
        raise ValueError(f"not a position: must be bytes from get_state() of {rules.env_id}")
    _, layout, fingerprint, *fields = TRAILER.unpack_from(position, at)
    if position[-CHECKSUM.size :] != CHECKSUM.pack(crc32(position[: -CHECKSUM.size])):
        raise ValueError("the position is damaged: its checksum is wrong")
    if layout != rules.state_layout:
        raise ValueError(
            f"the position is of another environment, or another version of {rules.env_id}"
        )
    trailer = Trailer(fingerprint.rstrip(b"\0").decode(), *fields)
    return trailer, position[rules.STATE.itemsize : at]


def knobs_of(trailer: Trailer) -> Knobs | None:
    """The knobs of a drawn scenario; None: those of the arguments."""
    knobs = np.frombuffer(trailer.knobs, np.int16)
    return knobs if knobs.any() else None
