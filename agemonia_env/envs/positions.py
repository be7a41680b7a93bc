"""Positions as bytes: the state record, and behind it what says whose it is.

Bytes may come from a file or another machine, so everything in them is checked before the core
sees it: a number out of range would be an index far outside the arrays of compiled code.
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
    """A position that this process wrote: it is set again without a check of its fields."""

    def __reduce__(self) -> tuple[type[bytes], tuple[bytes]]:
        """What is read from a file is bytes like any others."""
        return bytes, (bytes(self),)


class Trailer(NamedTuple):
    """What stands behind the state record, but for whose position it is."""

    core_seed: int
    steps: int
    disqualified: bool
    scenario_seed: int  # NOT_DRAWN if the scenario is not drawn from one


def write(rules: Ruleset, states: NDArray[Any], fingerprint: str, trailer: Trailer) -> Position:
    """states[0] with its trailer."""
    told = TRAILER.pack(MAGIC, rules.state_layout, fingerprint.encode(), *trailer)
    return Position(states.tobytes() + told)


def read(rules: Ruleset, position: Any) -> tuple[Trailer, str]:
    """The trailer of a position of this ruleset, and the fingerprint of its scenario.

    Raises ValueError for what is no position, or that of another environment or version.
    """
    if not isinstance(position, bytes) or len(position) < TRAILER.size:
        raise ValueError(f"not a position: get_state() of {rules.env_id} gives bytes")
    magic, layout, fingerprint, *told = TRAILER.unpack(position[-TRAILER.size :])
    if magic != MAGIC:
        raise ValueError(f"not a position: get_state() of {rules.env_id} gives one")
    if layout != rules.state_layout:
        raise ValueError(f"the position is not of this {rules.env_id}, or of another version of it")
    if len(position) != rules.STATE.itemsize + TRAILER.size:
        raise ValueError(f"the position has {len(position)} bytes: some are missing, or too many")
    trailer = Trailer(*told)
    if trailer.core_seed >= CORE_SEEDS * 2 or trailer.steps > 2**62 or trailer.scenario_seed < -1:
        raise ValueError(f"the position is damaged: {trailer}")
    return trailer, fingerprint.rstrip(b"\0").decode("ascii", "replace")


# ---- what may be in a state ----------------------------------------------------------------------
class Checker:
    """Checks states of one compiled scenario, field by field and then what must agree."""

    def __init__(self, rules: Ruleset, content: NDArray[Any]) -> None:
        """content: CONTENT (1,)."""
        self.rules, self.content = rules, content
        self.ranges = Ranges(rules.STATE, rules.ranges(content[0]))
        self.consistency = rules.consistency(content)

    def check(self, states: NDArray[Any]) -> None:
        """Raise ValueError saying what is wrong with states[0], STATE (1,), and what is allowed."""
        self.ranges.check(states)
        wrong = self.consistency.contradiction(states) or self._broken(states)
        if wrong:
            raise ValueError(wrong)

    def _broken(self, states: NDArray[Any]) -> str | None:
        """Which invariants of the rules do not hold."""
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


CHECKERS = 64  # scenarios that are known
_known: dict[tuple[str, str], Checker] = {}


def checker(rules: Ruleset, compiled: Compiled) -> Checker:
    """The checker of a scenario; making one takes milliseconds, so the last ones are kept."""
    key = rules.env_id, compiled.fingerprint
    found = _known.pop(key, None)
    if found is None:
        found = Checker(rules, compiled.content)
    _known[key] = found  # the newest stands last
    if len(_known) > CHECKERS:
        _known.pop(next(iter(_known)))
    return found


def states_in(rules: Ruleset, position: bytes) -> NDArray[Any]:
    """The state record at the beginning of a position, STATE (1,)."""
    states = zeros(rules.STATE)
    states.view(np.uint8)[:] = np.frombuffer(position, np.uint8, rules.STATE.itemsize)
    return states
