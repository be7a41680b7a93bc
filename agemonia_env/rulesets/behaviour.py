"""How the rules play, measured by playing: two hashes for every scenario of the shipped pack.

A version number that somebody must remember to raise cannot guarantee that a model meets the rules
it was trained on. So a fixed set of games is played with random legal actions, and everything a
player sees and may do is hashed: who is asked what, the legal actions, the one taken, the quantized
observation, and the result. State bytes are left out: a new internal field is not a new rule. The
actions depend only on the game's number, the decision's number and how many actions are legal.
Plain Python and compiled code give the same hashes.

Rules that these games never reach, such as one used only by a private pack, are not covered.
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

MOST_DECISIONS = 400  # of a game, which then stops
STREAM = 0xBE4A71  # keeps these draws apart from other uses of a seed
CONTENT, GAMES = "content", "games"  # the two hashes
RESULTS = ("ending", "won", "round", "n_exhausted", "damage_dealt", "damage_taken", "decisions")

Behaviour = dict[str, dict[str, str]]


@dataclass(frozen=True)
class PinnedGame:
    """One game to play; draws: uint64 (1 + MOST_DECISIONS,), its seed and one per decision."""

    arguments: Arguments
    compiled: Compiled
    draws: NDArray[np.uint64]


def behaviour_of(rules: Ruleset, trials: Iterable[Mapping[str, Any]] | None = None) -> Behaviour:
    """By scenario, 16 hex digits of its content (`content`) and of the games (`games`).

    trials: arguments of the games; None takes the ruleset's own with its own pack.
    """
    if trials is None:
        trials = rules.behaviour_games(rules.load_pack(rules.check_arguments().pack))
    games: dict[str, list[PinnedGame]] = defaultdict(list)
    for chosen in trials:
        own = games[chosen["scenario"]]
        own.append(make_game(rules, chosen, len(own)))
    every = [game for own in games.values() for game in own]
    digests = iter(play_all(rules, every))
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


def make_game(rules: Ruleset, chosen: Mapping[str, Any], number: int) -> PinnedGame:
    """Game `number` of its scenario, with these arguments."""
    arguments = rules.check_arguments(**chosen)
    key = np.array([STREAM + number, zlib.crc32(arguments.scenario.encode())], np.uint64)
    draws = np.random.Philox(key=key).random_raw(1 + MOST_DECISIONS)
    return PinnedGame(arguments, arguments.compile(chosen.get("scenario_seed") or 0), draws)


def content_bytes(rules: Ruleset, compiled: Compiled) -> bytes:
    """The bytes of a compiled scenario, without the fields derived from others."""
    fields = [name for name in rules.CONTENT.names or () if name not in rules.DERIVED]
    return b"".join(np.ascontiguousarray(compiled.content[name]).tobytes() for name in fields)


# ---- playing --------------------------------------------------------------------------------
def play_all(rules: Ruleset, games: list[PinnedGame]) -> list[bytes]:
    """Play games, those with the same control side by side -> a digest of each."""
    by_control: dict[int, list[int]] = defaultdict(list)
    for i, game in enumerate(games):
        by_control[game.arguments.control()].append(i)
    digests = [b""] * len(games)
    for control, places in by_control.items():
        own = play_batch(rules, [games[i] for i in places], control)
        for i, digest in zip(places, own, strict=True):
            digests[i] = digest
    return digests


def play_batch(rules: Ruleset, games: list[PinnedGame], control: int) -> list[bytes]:
    """Play games to their end, one decision in each at a time -> a digest of each."""
    n, api = len(games), rules.api
    states, contents = zeros(rules.STATE, n), zeros(rules.CONTENT, n)
    which = np.arange(n, dtype=np.int16)
    raw = contents.view(np.uint8).reshape(n, -1)
    for i, game in enumerate(games):
        raw[i] = game.compiled.content.view(np.uint8)
    draws = np.stack([game.draws for game in games])
    api.reset(states, contents, which, draws[:, 0] >> 1, np.ones(n, np.uint8), control, api.NO_ROWS)
    raw = states.view(np.uint8).reshape(n, -1)
    hashes = [hashlib.sha256() for _ in games]
    for row in draws[:, 1:].T:
        going = np.flatnonzero(states["ending"] == GOING_ON)
        if not len(going):
            break
        part = raw[going].view(states.dtype).reshape(-1)
        views, masks = player_views(rules, part, contents, which[going])
        actions = legal_choices(masks, row[going])
        for i, view, action in zip(going.tolist(), views, actions.tolist(), strict=True):
            hashes[i].update(view.tobytes() + action.to_bytes(2, "little"))
        denials = np.zeros(len(part), np.int16)
        api.step(part, contents, which[going], actions, control, api.NO_ROWS, denials)
        raw[going] = part.view(np.uint8).reshape(len(part), -1)
    results = np.stack([states[name].astype("<i8") for name in RESULTS], axis=1)
    for one, result in zip(hashes, results, strict=True):
        one.update(result.tobytes())
    return [one.digest() for one in hashes]


def player_views(
    rules: Ruleset, states: NDArray[Any], contents: NDArray[Any], which: NDArray[np.int16]
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """What n players see, uint8 (n, bytes), and the legal actions, bool (n, N_ACTIONS)."""
    n = len(states)
    masks = np.empty((n, rules.N_ACTIONS), np.uint8)
    rules.api.write_masks(states, contents, which, masks)
    observations = np.empty((n, rules.N_OBSERVATION), np.float32)
    rules.api.write_observations(states, contents, which, observations)
    codes = np.rint(observations * rules.SCALES).astype(np.int8)
    asked = np.stack([states["decision"], states["asked"]], axis=1).astype("<i2")
    parts = codes.view(np.uint8), np.packbits(masks, axis=1), asked.view(np.uint8)
    return np.concatenate(parts, axis=1), masks.view(np.bool_)


def legal_choices(masks: NDArray[np.bool_], draws: NDArray[np.uint64]) -> NDArray[np.int64]:
    """One legal action per row, int64 (n,); draws: 64 random bits for each."""
    chosen = draws % masks.sum(axis=1).astype(np.uint64)
    reached = masks.cumsum(axis=1) > chosen.astype(np.int64)[:, None]
    return np.asarray(reached.argmax(axis=1), np.int64)
