"""Crafted games: reviews to be forecast or played on, and rows to be verified.

Who crafts a file can compute its hashes again, so most reviews get those of their own positions, as
far as the game goes, and every row gets its hash.
"""

from __future__ import annotations

import base64
import json
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from agemonia_env.challenge.entries import Entry
from agemonia_env.challenge.play import Challenge
from agemonia_env.challenge.row import (
    GameRow,
    Result,
    canonical,
    hash_of,
    pack_moves,
    unpack_moves,
)
from agemonia_env.core.rng import FORCED
from agemonia_env.envs import env_class
from agemonia_env.files.embedded import embedded, extract
from agemonia_env.policies import policy_of
from agemonia_env.review.page import NOT_ANALYSED, Made, record_of
from agemonia_env.review.play import record
from agemonia_env.review.recording import Recording
from agemonia_env.rulesets.arguments import CORE_SEED
from agemonia_env.rulesets.recorded_game import position_hash

from .mutating import change_one, hostile_file, hostile_json, places, scramble, within
from .runner import CLI, Attack, call
from .texts import word

HERE = f"{__name__}:forged"
FILE = "game.html"
STEPS = 40  # of a recorded game
RECORDED: tuple[tuple[str, str, dict[str, Any]], ...] = (  # environment, policy, arguments
    ("Agemonia-v0", "random", {"scenario": "ford"}),
    ("Agemonia-v0", "greedy", {"enemy_will": "free", "opponent": "random"}),
    ("Agemonia-v0", "random", {"scenario": "random", "scenario_seed": 3, "side": "both"}),
    ("HexDungeon-v0", "random", {"scenario": "warm-cellar", "heroes": 3}),
)
NUMBERS = (-1, 0, 1, 7, 217, 218, 10**4, 2**31 - 1, 2**31, 2**63, 1.0, 0.5, True, None, "1", [1])
COUNTERS = (0, 1, int(FORCED), 2**63, 2**64 - 1)
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "scenario": ("ford", "tithe", "random", "warm-cellar", "../ford"),
    "heroes": (0, 1, 4, 5, ["orsa"], ["orsa", "orsa"], [{"hero": "orsa", "wounds": 9}], {}),
    "pack": ("core; enemies.reedling.shield +1", "hex-core", "/etc", "/dev/zero", ".", "\x1b[31m"),
    "opponent": ("greedy", "planner:2", "generalist", "game.html", "game.npz", "evil.py:Mine"),
    "side": ("hero", "enemy", "both"),
    "illegal": ("noop", "raise", "terminate"),
    "scenario_seed": (0, 9, "train", "test", [0, 9], 2**70),
    "generator": ("varied", {"traps": 100}, {"traps": 101}, "wild"),
    "max_decisions": (1, 12, 10**6),
}

CLAIMS: tuple[dict[str, Any], ...] = (
    *({"won": True}, {"won": False}, {"end": "0" * 16}, {"game": 1}, {"refused": 2**40}),
    *({"decisions": 0, "moves": pack_moves([]), "forfeit": "crash"}, {"forfeit": "time"}),
    *({"ms": 0, "most_ms": 0}, {"ms": 2**52, "most_ms": 2**52}),
)


# ---- reviews ------------------------------------------------------------------------------------
@cache
def recorded(k: int) -> str:
    """The record of a sound review, as JSON."""
    env_id, policy, arguments = RECORDED[k]
    env = env_class(env_id)(**arguments)
    env.reset(seed=k)
    recording = Recording(env, k)
    record(recording, policy_of(env.ruleset, policy), STEPS)
    found = record_of(recording, Made(policy), (), NOT_ANALYSED)
    unread = ("goal", "cards", "boards", "steps")  # the page's
    return json.dumps(found | dict.fromkeys(unread, ""))


def change_action(random: Random, game: dict[str, Any]) -> None:
    """An action that becomes another one, or changes its place."""
    actions = game["actions"]
    i, j = (random.randrange(len(actions)) for _ in "ij")
    if random.random() < 0.3:
        actions[i], actions[j] = actions[j], actions[i]
    else:
        actions[i] = random.choice((random.randrange(800), random.choice(NUMBERS), actions[j]))


def change_length(random: Random, game: dict[str, Any]) -> None:
    """Steps left out, doubled or added, in one of the lists or in all."""
    i = random.randrange(len(game["actions"]))
    times, every = random.choice((0, 2, 30, 400)), random.random() < 0.8
    for key in ("actions", "streams", "positions"):
        if every or random.random() < 0.5:
            game[key][i : i + 1] = game[key][i : i + 1] * times


def change_stream(random: Random, game: dict[str, Any]) -> None:
    """Random counters of policies, of dice and decks, and of nothing."""
    value = random.choice((*COUNTERS, random.getrandbits(64)))
    number = random.choice((0, 1, 2, 7, 9, 30, 999, -1))
    game["streams"][random.randrange(len(game["streams"]))] = {str(number): f"{value:x}"}


def change_argument(random: Random, game: dict[str, Any]) -> None:
    """An argument of the environment."""
    name = random.choice(list(ARGUMENTS))
    allowed = random.random() < 0.8
    game["arguments"][name] = random.choice(ARGUMENTS[name]) if allowed else word(random)


def change_head(random: Random, game: dict[str, Any]) -> None:
    """Seed, environment, fingerprint, layout or identity."""
    key = random.choice(("core_seed", "env_id", "fingerprint", "state_layout", "identity"))
    other = json.loads(recorded(random.randrange(len(RECORDED))))["game"][key]
    game[key] = random.choice((other, f"{random.getrandbits(60):x}", word(random), "\x1b[31m", {}))


def change_any(random: Random, game: dict[str, Any]) -> None:
    """Anything, to what hardly anything allows."""
    *around, key = random.choice([place for place in places(game) if place])
    change_one(random, within(game, tuple(around)), key, [])


CHANGES = (change_action, change_length, change_stream, change_argument, change_head, change_any)


def review(random: Random) -> Attack:
    """A review with a changed game, or damaged as a whole."""
    step = ("--step", str(random.randrange(STEPS + 2)))
    command, entry = ("forecast", FILE, "-n", "2", "--policy", "random"), CLI
    command += random.choice((step, (), ("--every-round",), ("--round", "2")))
    if random.random() < 0.4:
        command = ("review", "--fork", FILE, *step)
    text, stdin = recorded(random.randrange(len(RECORDED))), b"why\n0\n5\nundo\nlook\nquit\n"
    kind = random.random()
    if kind < 0.1:
        content: Any = hostile_file(random)
    elif kind < 0.2:
        content = scramble(random, embedded(json.loads(text)).encode())
    elif kind < 0.3:
        content = page_with(hostile_json(random, text))
    else:
        found = json.loads(text)
        for _ in range(random.choice((1, 1, 2))):
            with suppress(Exception):  # the first change left no place for another
                random.choice(CHANGES)(random, found["game"])
        content = embedded(found).encode()
        entry = HERE if random.random() < 0.7 else CLI
    return Attack(command, {FILE: content}, entry, stdin)


def page_with(record: bytes) -> bytes:
    """A page with this record, which need not be JSON."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = base64.b64encode(packer.compress(record) + packer.flush()).decode()
    start, _, end = embedded({}).rpartition("</")
    return f"{start[: start.index('>') + 1]}{packed}</{end}".encode()


def forged(arguments: list[str]) -> int:
    """Give the game the hashes of its own positions, then run the command."""
    path = Path(tempfile.mkdtemp()) / FILE
    try:
        found: Any = extract(Path(FILE))
        forge(found["game"])
        path.write_text(embedded(found), encoding="utf-8")
    except Exception:  # there is nothing to forge
        return call(CLI, arguments)
    return call(CLI, [str(path) if one == FILE else one for one in arguments])


def forge(game: dict[str, Any]) -> None:
    """Write the hashes of a game's own positions, as far as it goes."""
    hashes: list[str] = []
    with suppress(Exception):
        for one in positions_of(game):
            hashes.append(one)
    game["positions"][: len(hashes)] = hashes


def positions_of(game: dict[str, Any]) -> Iterator[str]:
    """The hash of every position, whatever is legal."""
    env = env_class(game["env_id"])(**game["arguments"])
    env.reset(options={CORE_SEED: int(game["core_seed"], 16)})
    game["fingerprint"] = env.compiled.fingerprint
    yield position_hash(env.states)
    for action, streams in zip(game["actions"], game["streams"], strict=True):
        env.set_streams({int(number): int(value, 16) for number, value in streams.items()})
        env.step(action)
        yield position_hash(env.states)


def undamaged() -> Iterator[Attack]:
    """The games of the generators as they are: all of them must be accepted."""
    for k in range(len(RECORDED)):
        content = embedded(json.loads(recorded(k))).encode()
        yield Attack(("forecast", FILE, "--every-round", "-n", "2"), {FILE: content})
        yield Attack(("review", "--fork", FILE), {FILE: content}, stdin=b"quit\n")
    yield Attack(("challenge", "--verify", "row.json"), {"row.json": played().encode()})


# ---- rows ---------------------------------------------------------------------------------------
@cache
def played() -> str:
    """A sound row, as JSON: three games of random play."""
    path = Path(tempfile.mkdtemp()) / "row.json"
    Challenge(Entry("policy", "random"), path, "trial").play()
    return path.read_text(encoding="utf-8")


def row(random: Random) -> Attack:
    """A row with changed moves or claims, and a hash that fits."""
    found = json.loads(played())
    kind = random.random()
    if kind < 0.1:
        content: Any = hostile_file(random)
    elif kind < 0.2:
        content = hostile_json(random, played())
    else:
        for _ in range(random.choice((1, 1, 2))):
            with suppress(Exception):
                change_row(random, found)
        found["hash"] = hash_of(found)
        content = canonical(found).encode()
    return Attack(("challenge", "--verify", "row.json"), {"row.json": content})


def change_row(random: Random, found: dict[str, Any]) -> None:
    """Change moves, or anything else."""
    setting = random.choice(found["settings"])
    game, kind = random.choice(setting["games"]), random.randrange(5)
    if kind <= 1:
        moves = unpack_moves(game["moves"], game["decisions"])
        i = random.randrange(len(moves))
        moves[i : i + 1] = [random.choice((0, 1, 2, 9, 300, 2**16 - 1))] * random.choice((0, 1, 30))
        game["moves"], game["decisions"] = pack_moves(moves), len(moves)
    elif kind == 2:
        game["moves"] = random.choice((pack_moves([0] * 10**6), word(random), "AAAA", ""))
    elif kind == 3:
        game |= random.choice(CLAIMS)
        setting["result"] = Result.of([GameRow.model_validate(game)]).model_dump()
    else:
        *around, key = random.choice([place for place in places(found) if place])
        change_one(random, within(found, tuple(around)), key, [])
