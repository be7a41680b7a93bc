"""Saved positions: the bytes of a state record, and a trailer that identifies the game.

The bytes may come from a file or another machine, so everything is checked before the core uses
it: a number out of range would index outside the arrays of compiled code.
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.arguments import CORE_SEEDS, Compiled
from agemonia_env.rulesets.ruleset import Ruleset
from agemonia_env.rulesets.state_ranges import Ranges

NOT_DRAWN = -1  # in place of the scenario seed
MAGIC = b"position"
# magic, layout, fingerprint, core seed, calls of step, ended by `illegal`, scenario seed
TRAILER = struct.Struct("<8s8s16sQQ?q")


class Position(bytes):
    """A position that this process wrote: restored without checking its fields."""

    def __reduce__(self) -> tuple[type[bytes], tuple[bytes]]:
        """Unpickle as plain bytes, which are checked."""
        return bytes, (bytes(self),)


class Trailer(NamedTuple):
    """What the trailer says besides the ruleset and the scenario."""

    core_seed: int
    steps: int
    disqualified: bool
    scenario_seed: int  # NOT_DRAWN if the scenario is not drawn


def write(rules: Ruleset, states: NDArray[Any], fingerprint: str, trailer: Trailer) -> Position:
    """The bytes of states[0] with its trailer."""
    packed = TRAILER.pack(MAGIC, rules.state_layout, fingerprint.encode(), *trailer)
    return Position(states.tobytes() + packed)


def is_position(data: bytes) -> bool:
    """Whether bytes look like a position of any environment."""
    return MAGIC in data[-TRAILER.size :][: len(MAGIC)]


def read(rules: Ruleset, position: Any) -> tuple[Trailer, str]:
    """The trailer of a position, and the fingerprint of its scenario.

    Raises ValueError for anything but a position of this environment and version.
    """
    if not isinstance(position, bytes) or len(position) < TRAILER.size:
        raise ValueError(f"not a position: must be bytes from get_state() of {rules.env_id}")
    magic, layout, fingerprint, *fields = TRAILER.unpack(position[-TRAILER.size :])
    if magic != MAGIC:
        raise ValueError(f"not a position: must come from get_state() of {rules.env_id}")
    if layout != rules.state_layout:
        raise ValueError(
            f"the position is of another environment, or another version of {rules.env_id}"
        )
    if len(position) != rules.STATE.itemsize + TRAILER.size:
        raise ValueError(f"the position is damaged: it has {len(position)} bytes")
    trailer = Trailer(*fields)
    if trailer.core_seed >= CORE_SEEDS * 2 or trailer.steps > 2**62 or trailer.scenario_seed < -1:
        raise ValueError(f"the position is damaged: {trailer}")
    return trailer, fingerprint.rstrip(b"\0").decode("ascii", "replace")


# ---- validating states ----------------------------------------------------------------------
class Checker:
    """Validates states of one compiled scenario: each field, then how fields fit together."""

    def __init__(self, rules: Ruleset, content: NDArray[Any]) -> None:
        """content: CONTENT (1,)."""
        self.rules, self.content = rules, content
        self.ranges = Ranges(rules.STATE, rules.ranges(content[0]))
        self.consistency = rules.consistency(content)

    def check(self, states: NDArray[Any]) -> None:
        """Raise ValueError that says what is wrong with states[0], STATE (1,)."""
        self.ranges.check(states)
        wrong = self.consistency.contradiction(states) or self._broken(states)
        if wrong:
            raise ValueError(wrong)

    def _broken(self, states: NDArray[Any]) -> str | None:
        """Name the invariants that do not hold; None if all do."""
        api, which = self.rules.api, np.zeros(1, np.int16)
        found, mask = np.zeros(1, np.int64), np.zeros((1, self.rules.N_ACTIONS), np.uint8)
        api.status(states, self.content, which, found)
        if found[0]:
            broken = self.rules.broken_invariants(int(found[0]))
            return f"the position breaks the rules: {', '.join(broken)}"
        api.write_masks(states, self.content, which, mask)
        if not mask.any():
            return f"decision={states['decision'][0]}: the question asked has no legal answer"
        return None


MAX_CHECKERS = 64
_checkers: dict[tuple[str, str], Checker] = {}


def checker(rules: Ruleset, compiled: Compiled) -> Checker:
    """The checker of a scenario. Building one takes milliseconds, so recent ones are cached."""
    key = rules.env_id, compiled.fingerprint
    known = _checkers.pop(key, None) or Checker(rules, compiled.content)
    _checkers[key] = known  # newest last
    if len(_checkers) > MAX_CHECKERS:
        _checkers.pop(next(iter(_checkers)))
    return known


def states_in(rules: Ruleset, position: bytes) -> NDArray[Any]:
    """The state record of a position, STATE (1,)."""
    states = zeros(rules.STATE)
    states.view(np.uint8)[:] = np.frombuffer(position, np.uint8, rules.STATE.itemsize)
    return states
