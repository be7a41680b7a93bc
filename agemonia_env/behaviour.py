"""How the rules play, found out by playing: two hashes for every scenario of the shipped pack.

A number that somebody has to raise cannot promise that a model meets the rules it was trained on.
So a fixed set of games is played by random legal answers, and all that a player sees and may do is
hashed: who is asked what, the legal answers, the one given, the quantized observation, and how the
game ended. State bytes are left out: a new internal field is no new rule. The answers drawn depend
on the number of the game, the number of the decision and how many answers are legal, on nothing
else. Plain Python and compiled code give the same hashes.

What these games never reach, such as a rule that only items of a private pack use, they cannot
tell apart.
"""

from __future__ import annotations

import hashlib
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.arguments import Arguments, Compiled
from agemonia_env.rulesets.ruleset import Ruleset

MOST_DECISIONS = 400  # of a game; it is then given up
STREAM = 0xBE4A71  # keeps these draws apart from all other uses of a seed
CONTENT, GAMES = "content", "games"  # the two hashes
RESULTS = ("ending", "won", "round", "n_exhausted", "damage_dealt", "damage_taken", "decisions")

Behaviour = dict[str, dict[str, str]]


@dataclass(frozen=True)
class Game:
    """One game to be played; luck: uint64 (1 + MOST_DECISIONS,), its seed and its draws."""

    arguments: Arguments
    compiled: Compiled
    luck: NDArray[np.uint64]


def behaviour_of(rules: Ruleset, trials: Iterable[Mapping[str, Any]] | None = None) -> Behaviour:
    """By scenario: 16 hex digits of what was played (`content`), and of how it went (`games`).

    trials: arguments of the games; None stands for those of the ruleset with its own pack.
    """
    if trials is None:
        trials = rules.behaviour_games(rules.load_pack(rules.check_arguments().pack))
    games: dict[str, list[Game]] = defaultdict(list)
    for told in trials:
        own = games[told["scenario"]]
        own.append(game_of(rules, told, len(own)))
    every = [game for own in games.values() for game in own]
    digests = iter(played(rules, every))
    return {
        scenario: {
            CONTENT: digest_of(content_bytes(rules, game.compiled) for game in own),
            GAMES: digest_of(next(digests) for _ in own),
        }
        for scenario, own in games.items()
    }


def digest_of(parts: Iterable[bytes]) -> str:
    """16 hex digits that change with any of the parts."""
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def game_of(rules: Ruleset, told: Mapping[str, Any], number: int) -> Game:
    """The game of these arguments, one of those of its scenario."""
    arguments = rules.check_arguments(**told)
    key = np.array([STREAM + number, zlib.crc32(arguments.scenario.encode())], np.uint64)
    luck = np.random.Philox(key=key).random_raw(1 + MOST_DECISIONS)
    return Game(arguments, arguments.compile(told.get("scenario_seed") or 0), luck)


def content_bytes(rules: Ruleset, compiled: Compiled) -> bytes:
    """The numbers of a compiled scenario, but for names and fields that follow from others."""
    fields = [name for name in rules.CONTENT.names or () if name not in rules.DERIVED]
    return b"".join(np.ascontiguousarray(compiled.content[name]).tobytes() for name in fields)


# ---- playing --------------------------------------------------------------------------------
def played(rules: Ruleset, games: list[Game]) -> list[bytes]:
    """Play games, those side by side that are seated alike -> a digest of each."""
    seated: dict[int, list[int]] = defaultdict(list)
    for i, game in enumerate(games):
        seated[game.arguments.control()].append(i)
    digests = [b""] * len(games)
    for control, places in seated.items():
        told = played_together(rules, [games[i] for i in places], control)
        for i, digest in zip(places, told, strict=True):
            digests[i] = digest
    return digests


def played_together(rules: Ruleset, games: list[Game], control: int) -> list[bytes]:
    """Play games to their end, in each a decision at a time -> a digest of each."""
    n, api = len(games), rules.api
    states, contents = zeros(rules.STATE, n), zeros(rules.CONTENT, n)
    which = np.arange(n, dtype=np.int16)
    raw = contents.view(np.uint8).reshape(n, -1)
    for i, game in enumerate(games):
        raw[i] = game.compiled.content.view(np.uint8)
    luck = np.stack([game.luck for game in games])
    api.reset(states, contents, which, luck[:, 0] >> 1, np.ones(n, np.uint8), control, api.NO_ROWS)
    raw = states.view(np.uint8).reshape(n, -1)
    hashes = [hashlib.sha256() for _ in games]
    for draws in luck[:, 1:].T:
        going = np.flatnonzero(states["ending"] == GOING_ON)
        if not len(going):
            break
        part = raw[going].view(states.dtype).reshape(-1)
        shown, masks = seen(rules, part, contents, which[going])
        actions = drawn(masks, draws[going])
        for i, row, action in zip(going.tolist(), shown, actions.tolist(), strict=True):
            hashes[i].update(row.tobytes() + action.to_bytes(2, "little"))
        denials = np.zeros(len(part), np.int16)
        api.step(part, contents, which[going], actions, control, api.NO_ROWS, denials)
        raw[going] = part.view(np.uint8).reshape(len(part), -1)
    results = np.stack([states[name].astype("<i8") for name in RESULTS], axis=1)
    for one, result in zip(hashes, results, strict=True):
        one.update(result.tobytes())
    return [one.digest() for one in hashes]


def seen(
    rules: Ruleset, states: NDArray[Any], contents: NDArray[Any], which: NDArray[np.int16]
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """What n players see, uint8 (n, bytes), and which answers are legal, bool (n, N_ACTIONS)."""
    n = len(states)
    masks = np.empty((n, rules.N_ACTIONS), np.uint8)
    rules.api.write_masks(states, contents, which, masks)
    observations = np.empty((n, rules.N_OBSERVATION), np.float32)
    rules.api.write_observations(states, contents, which, observations)
    codes = np.rint(observations * rules.SCALES).astype(np.int8)
    asked = np.stack([states["decision"], states["asked"]], axis=1).astype("<i2")
    parts = codes.view(np.uint8), np.packbits(masks, axis=1), asked.view(np.uint8)
    return np.concatenate(parts, axis=1), masks.view(np.bool_)


def drawn(masks: NDArray[np.bool_], luck: NDArray[np.uint64]) -> NDArray[np.int64]:
    """A legal answer of each row, int64 (n,); luck: a draw of 64 bits for each."""
    chosen = luck % masks.sum(axis=1).astype(np.uint64)
    reached = masks.cumsum(axis=1) > chosen.astype(np.int64)[:, None]
    return np.asarray(reached.argmax(axis=1), np.int64)
