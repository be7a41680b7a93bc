"""A recorded game: what it takes to play it again, and to refuse where it would go another way.

A game is a function of its arguments, its core seed and its actions. Policies draw from a random
stream of their own in the state, so its draws between two steps are recorded, too. A hash of every
position shows that the game was played again to the byte. The file holds no states: whoever changes
it gets another game of legal actions, or none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field, ValidationError

from agemonia_env.display.messages import in_line, shown
from agemonia_env.files.documents import DocumentError
from agemonia_env.files.embedded import extract
from agemonia_env.packs.folders import STRICT, describe

from .identity import ACTIONS, identity_of, layout_differences, rules_difference
from .ruleset import Ruleset

FORMAT = "agemonia-review-1"
WRONG = "not a review of a game"

Word = Annotated[str, Field(max_length=200)]
Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{1,16}$")]
Counters = dict[Annotated[str, Field(pattern=r"^[0-9]{1,3}$")], Hex]


class ReviewError(ValueError):
    """A review file that cannot be used; the message says why."""


class RecordedGame(BaseModel):
    """A game of n steps; numbers that may need 64 bits are hexadecimal texts.

    arguments: of the ruleset's check_arguments. streams: the policies' random counter by its number
    where it changed before a step, (n,). positions: `position_hash` before each step and at the
    end, (n + 1,).
    """

    model_config = STRICT

    env_id: Word
    arguments: dict[str, Any]
    fingerprint: Word
    identity: dict[str, Any]
    state_layout: Hex
    core_seed: Hex
    actions: list[Annotated[int, Field(ge=0, lt=2**31)]]
    streams: list[Counters]
    positions: list[Hex] = Field(min_length=1)

    @property
    def steps(self) -> int:
        """How many steps were made."""
        return len(self.actions)


def position_hash(states: NDArray[Any]) -> str:
    """16 hex digits that change with any byte of states[0]."""
    return hashlib.sha256(states.tobytes()).hexdigest()[:16]


# ---- reading --------------------------------------------------------------------------------
def read_game(path: str | Path, rules: Ruleset) -> RecordedGame:
    """The game of a review file. Raises ReviewError unless it plays alike under these rules."""
    game = load_game(path)
    try:
        check_game(game, rules)
    except ReviewError as error:
        raise ReviewError(f"{path}: {error}") from None
    return game


def load_game(path: str | Path) -> RecordedGame:
    """The game of a review file, of any environment. Raises ReviewError if it is none."""
    try:
        return parse_game(extract(Path(path)))
    except (DocumentError, ReviewError) as error:
        raise ReviewError(f"{path}: {error}") from None


def parse_game(record: Any) -> RecordedGame:
    """The game in the record of a page. Raises ReviewError."""
    found = record.get("format") if isinstance(record, Mapping) else None
    if found != FORMAT:
        raise ReviewError(f"{WRONG}: its format is {shown(found)}, not {FORMAT!r}")
    try:
        game = RecordedGame.model_validate(record.get("game"))
    except ValidationError as error:
        mistakes = "; ".join(describe(RecordedGame, error)[:3])
        raise ReviewError(f"damaged: {mistakes}") from None
    if len(game.streams) != game.steps or len(game.positions) != game.steps + 1:
        raise ReviewError(f"damaged: its lists do not fit {game.steps} steps")
    return game


def check_game(game: RecordedGame, rules: Ruleset) -> None:
    """Raise ReviewError, with what differs, unless the game plays alike under these rules."""
    if game.env_id != rules.env_id:
        raise ReviewError(f"a game of {in_line(game.env_id)}, not of {rules.env_id}")
    here = identity_of(rules.env_id)
    wrong = layout_differences(game.identity, here, (ACTIONS,))
    if game.state_layout != rules.state_layout.hex():
        wrong.append("states have another layout")
    wrong += [rules_difference(game.identity, here) or ""]
    if any(wrong):
        differences = " and ".join(filter(None, wrong))
        raise ReviewError(f"cannot be played on here: {differences}; it still opens in a browser")
    unknown = [name for name in game.arguments if name not in rules.parameters]
    if unknown:
        raise ReviewError(f"damaged: {rules.env_id} has no argument {shown(unknown[0])}")
    if any(action >= rules.N_ACTIONS for action in game.actions):
        raise ReviewError(f"damaged: actions must be below {rules.N_ACTIONS}")
    if {number for counters in game.streams for number in counters} - {str(rules.POLICY_STREAM)}:
        raise ReviewError(f"damaged: streams: policies draw from {rules.POLICY_STREAM} alone")


def check_step(game: RecordedGame, step: int | None) -> int:
    """The step as a number, None for the last. Raises ReviewError if the game has no such step."""
    if step is None:
        return game.steps
    if isinstance(step, bool) or not isinstance(step, int | np.integer):
        raise ReviewError(f"step={shown(step)}: must be a whole number, or None")
    if not 0 <= step <= game.steps:
        raise ReviewError(f"step {step}: the game has steps 0 to {game.steps}")
    return int(step)
