"""A row of the leaderboard: what was played and how, with a hash over all of it."""

from __future__ import annotations

import base64
import hashlib
import json
import platform
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import AfterValidator, BaseModel, Field, ValidationError

from agemonia_env import __version__
from agemonia_env.display.messages import shown
from agemonia_env.files.documents import DocumentError, read_json
from agemonia_env.files.writing import write_whole
from agemonia_env.packs.folders import STRICT, describe, on_one_line
from agemonia_env.simulation.interval import wilson

from .entries import MOST_TEXT, Entry
from .messages import PROTOCOL, Kind
from .settings import GameSet, Setting, set_named

FORMAT = "agemonia-challenge-1"
MOST_BYTES = 2**25  # of a row
MOST_MOVES = 2**17  # of a game; environments end one earlier
DIGITS = 4  # of a rate

Count = Annotated[int, Field(ge=0, lt=2**53)]
Rate = Annotated[float, Field(ge=0, le=1)]
Line = Annotated[str, Field(max_length=200), AfterValidator(on_one_line)]
Why = Annotated[str, Field(max_length=300), AfterValidator(on_one_line)]
Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{12,64}$")]


class RowError(ValueError):
    """A row that is damaged, or not what it says; the message says where."""


def not_blank(text: str) -> str:
    """Return a text that shows something. Raises ValueError otherwise."""
    if not text.strip():
        raise ValueError("must not be empty")
    return text


class GameRow(BaseModel):
    """A game as it was played.

    moves: by their place among the legal actions, which are ascending, as `pack_moves` writes them;
    end: hash of the last position; refused: answers; forfeit: how it was lost, or "", and why in
    words; ms, most_ms: time of all decisions and of the longest.
    """

    model_config = STRICT

    game: Count
    won: bool
    decisions: Count
    moves: str
    end: Hex
    ms: Count
    most_ms: Count
    refused: Count = 0
    forfeit: Kind | Literal[""] = ""
    why: Why = ""


class Result(BaseModel):
    """What comes of games: wins, the 95 % Wilson interval of the win rate, and times.

    ms: mean of a decision; most_ms: the longest one.
    """

    model_config = STRICT

    games: Count
    won: Count
    rate: Rate
    low: Rate
    high: Rate
    ms: Annotated[float, Field(ge=0)]
    most_ms: Count
    refused: Count
    forfeits: Count

    @classmethod
    def of(cls, games: Sequence[GameRow]) -> Self:
        """The result of games."""
        n, won = len(games), sum(game.won for game in games)
        low, high = wilson(won, n) if n else (0.0, 1.0)
        decisions = sum(game.decisions for game in games)
        return cls(
            games=n,
            won=won,
            rate=round(won / max(1, n), DIGITS),
            low=round(low, DIGITS),
            high=round(high, DIGITS),
            ms=round(sum(game.ms for game in games) / max(1, decisions), 1),
            most_ms=max((game.most_ms for game in games), default=0),
            refused=sum(game.refused for game in games),
            forfeits=sum(bool(game.forfeit) for game in games),
        )


class SettingRow(BaseModel):
    """The games of a setting. rules: version of the ruleset; fingerprint: of its content."""

    model_config = STRICT

    name: Line
    env: Line
    arguments: dict[str, Any]
    rules: Line
    fingerprint: Line
    result: Result
    games: list[GameRow]

    @classmethod
    def of(cls, setting: Setting, games: Sequence[GameRow]) -> Self:
        """The row of a setting."""
        return cls(
            name=setting.name,
            env=setting.env_id,
            arguments=setting.arguments(),
            rules=setting.rules.version,
            fingerprint=setting.fingerprint,
            result=Result.of(games),
            games=sorted(games, key=lambda game: game.game),
        )


class EntryRow(BaseModel):
    """The entry: a name for tables, and how it was given."""

    model_config = STRICT

    name: Annotated[Line, AfterValidator(not_blank)]
    kind: Literal["command", "object", "policy"]
    text: Annotated[str, Field(max_length=MOST_TEXT), AfterValidator(on_one_line)]


class Row(BaseModel):
    """All games of an entry. set: a key of SETS; salt: of the seeds; versions: what played."""

    model_config = STRICT

    format: Literal["agemonia-challenge-1"]
    protocol: Count
    entry: EntryRow
    set: Line
    salt: Line
    budget_ms: Annotated[int, Field(ge=1)]
    versions: dict[Line, Line]
    settings: list[SettingRow]
    hash: Hex

    @property
    def played(self) -> GameSet:
        """The set of games. Raises ValueError if there is none of that name."""
        return set_named(self.set)

    def known_settings(self) -> tuple[Setting, ...]:
        """Its settings: those of its set, or those of one environment.

        Raises ValueError for any others: nobody may leave out what was lost.
        """
        names = [setting.name for setting in self.settings]
        for env_id in (None, *self.played.env_ids):
            known = self.played.of(env_id)
            if names == [setting.name for setting in known]:
                return known
        allowed = ", ".join(setting.name for setting in self.played.settings)
        raise ValueError(
            f"settings {', '.join(names)}: must be all of {allowed}, or all of one environment"
        )

    def missing(self) -> int:
        """How many games of its settings are not played yet."""
        return sum(self.played.games - len(setting.games) for setting in self.settings)

    def write(self, path: Path) -> None:
        """Write the row, atomically."""
        write_whole(path, canonical(self.model_dump()) + "\n")


def make_row(
    entry: Entry,
    name: str,
    set_name: str,
    salt: str,
    budget_ms: int,
    games: Sequence[tuple[Setting, Sequence[GameRow]]],
) -> Row:
    """The row of an entry, with its hash."""
    content = {
        "format": FORMAT,
        "protocol": PROTOCOL,
        "entry": {"name": name, "kind": entry.kind, "text": entry.text},
        "set": set_name,
        "salt": salt,
        "budget_ms": budget_ms,
        "versions": {
            "agemonia_env": __version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
        },
        "settings": [SettingRow.of(*one).model_dump() for one in games],
    }
    return Row.model_validate({**content, "hash": hash_of(content)})


def hash_of(content: dict[str, Any]) -> str:
    """SHA-256 over the canonical JSON of a row without its hash."""
    rest = {key: value for key, value in content.items() if key != "hash"}
    return hashlib.sha256(canonical(rest).encode()).hexdigest()


def canonical(content: Any) -> str:
    """JSON with sorted keys, without spaces, in ASCII."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"))


def read_row(path: Path) -> Row:
    """Read a row; check its form, hash and settings. Raises RowError that names the file."""
    try:
        content = read_json(path, MOST_BYTES)
    except DocumentError as error:
        raise RowError(f"{path}: {error}") from None
    found = content.get("format") if isinstance(content, dict) else None
    if found != FORMAT:
        raise RowError(f"{path}: not a row of the challenge: its format is {shown(found)}")
    assert isinstance(content, dict)
    try:
        row = Row.model_validate(content)
    except ValidationError as error:
        raise RowError(f"{path}: damaged: {'; '.join(describe(Row, error)[:3])}") from None
    here = hash_of(content)
    if row.hash != here:
        raise RowError(
            f"{path}: was changed: its hash is {row.hash[:12]}, it should be {here[:12]}"
        )
    try:
        row.known_settings()
    except ValueError as error:
        raise RowError(f"{path}: {error}") from None
    return row


# ---- moves --------------------------------------------------------------------------------------
def pack_moves(moves: Sequence[int]) -> str:
    """Moves below 2**16 as text: two bytes each, all low ones first, deflated, in base64."""
    data = np.asarray(moves, "<u2").view(np.uint8).reshape(-1, 2).T.tobytes()
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(packer.compress(data) + packer.flush()).decode()


def unpack_moves(text: str, count: int) -> list[int]:
    """The moves of `pack_moves`. Raises ValueError unless there are so many."""
    unpacker = zlib.decompressobj(-15)
    try:
        data = unpacker.decompress(base64.b64decode(text, validate=True), 2 * MOST_MOVES)
    except (ValueError, zlib.error):
        raise ValueError("its moves are damaged") from None
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("its moves are damaged")
    if len(data) != 2 * count:
        raise ValueError(f"it has {len(data) // 2} moves, not {count}")
    pairs = np.frombuffer(data, np.uint8).reshape(2, -1).T
    return [int(move) for move in pairs[:, 0] + 256 * pairs[:, 1].astype(np.int64)]
