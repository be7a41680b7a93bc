"""Hostile changes, studies, cases, boards and command lines: sound ones after some damage."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import yaml

from .mutating import VALUES, hostile_json, hostile_yaml, scramble, typo
from .runner import Attack

CASES = Path(__file__).resolve().parents[1] / "cases"
SOLVE = "agemonia_env.rulesets.hexdungeon.tools.solve:main"
RUN = (0, 1, 2)  # a case that fails, too
CHANGES = (
    "enemies.reedling.health.per_hero +1",
    "enemies.slinger.actions.open.attack.value +1",
    "heroes.orsa.actions.Sweeping Oar.cost = 0",
    "scenarios.ford.name = The Ford",
    "decks.fate + 1",
)
HEX_CHANGES = (
    "monsters.kiln-rat.levels[0].normal.hit_points +1",
    "scenarios.warm-cellar.name = Cellar",
)
STUDY = "scenario: ford\nheroes: 2\nlevel: 1\npolicy: greedy\ngames: 100\nseed: 1\n"
STUDIES = {
    "compare": STUDY + "a: {changes: []}\nb: {changes: [enemies.reedling.shield +1]}\n",
    "sensitivity": STUDY + "of: [enemies.reedling.shield]\n",
    "search": STUDY + "values: {enemies.reedling.shield: [0, 1]}\ntargets: [40, 60]\ntrials: 2\n",
    "analyse": STUDY + "watched: 100\npairs: false\n",
}
LINES = (
    "watch --scenario ford --heroes 2 --seed 1 --policy greedy",
    "watch --env HexDungeon-v0 --scenario warm-cellar --heroes 1 --level 1 --seed 1",
    "simulate --scenario ford --heroes orsa,tamsin --level 1 --difficulty hard -n 4 --quiet",
    "simulate --env HexDungeon-v0 --scenario warm-cellar --heroes 2 -n 4 --seed 3 --quiet",
    "league --policy random --scenario ford -n 4 --quiet",
    "info --pack core --env Agemonia-v0",
    "content check core",
    "balance show enemies.reedling.health.per_hero=2",
    "odds attack 4 --bonus 1 --stamina 2 --shield 1 --pack core",
    "odds hit 3 4 --h-worth 1 --fractions",
)
ODDS = "hexdungeon odds 3 --shield 1 --pierce 1 --mode advantage --curse 2 --bless 1"


def word(random: Random) -> str:
    """A value that hardly any option allows; Click echoes words as they are, so printable."""
    value = random.choice((*VALUES, "-", "--", "--help me", "../..", "/dev/null", "core; x"))
    return "".join(filter(str.isprintable, value))[:500]


def damaged_line(random: Random, line: str) -> tuple[str, ...]:
    """Words of a command after one to three changes."""
    words = line.split()
    for _ in range(random.choice((1, 1, 2, 3))):
        i = random.randrange(1, len(words))
        change = random.randrange(5)
        if change == 0:
            del words[i]
        elif change == 1:
            words.insert(i, words[i])
        elif change == 2:
            words[i] = typo(random, words[i])
        else:
            words[i] = word(random)
        if len(words) < 2:
            break
    return tuple(words)


def command_line(random: Random) -> Attack:
    """A command with damaged words."""
    return Attack(damaged_line(random, random.choice(LINES)))


def odds(random: Random) -> Attack:
    """The odds of an attack that hardly makes sense."""
    return Attack(damaged_line(random, ODDS))


def change(random: Random) -> Attack:
    """Changes to a pack, damaged, as words and as a file."""
    hexes = random.random() < 0.4
    words = random.choice(HEX_CHANGES if hexes else CHANGES)
    damaged = (
        typo(random, words) if random.random() < 0.5 else f"{words.split()[0]} = {word(random)}"
    )
    if random.random() < 0.3:
        damaged = scramble(random, words.encode()).decode(errors="replace").replace("\0", "")
    pack, env = ("hex-core", "HexDungeon-v0") if hexes else ("core", "Agemonia-v0")
    if random.random() < 0.3 and not hexes:
        text = yaml.safe_dump({"changes": [*CHANGES]})
        file = {"patch.yaml": hostile_yaml(random, text)}
        return Attack(("balance", "show", "patch.yaml"), file)
    return Attack(("info", "--env", env, "--pack", f"{pack}; {damaged}"))


def study(random: Random) -> Attack:
    """A damaged file of a study, with few games."""
    kind = random.choice(list(STUDIES))
    command = ("balance", kind, "study.yaml", "--quiet", "--games", "100")
    return Attack(command, {"study.yaml": hostile_yaml(random, STUDIES[kind])})


def undamaged() -> Iterator[Attack]:
    """The undamaged inputs of the generators: all of them must be accepted."""
    yield from (Attack(tuple(line.split())) for line in (*LINES, ODDS))
    yield from (Attack(("info", "--pack", f"core; {words}")) for words in CHANGES)
    for words in HEX_CHANGES:
        yield Attack(("info", "--env", "HexDungeon-v0", "--pack", f"hex-core; {words}"))
    for kind, text in STUDIES.items():
        command = ("balance", kind, "study.yaml", "--quiet")
        yield Attack(command, {"study.yaml": text.encode()})


@cache
def documents(pattern: str) -> list[str]:
    """Texts of the case files of a pattern."""
    return [path.read_text(encoding="utf-8") for path in sorted(CASES.glob(pattern))]


def case(random: Random) -> Attack:
    """A few cases of either ruleset, damaged."""
    pattern = random.choice(("edges/*.yaml", "agemonia/*.yaml", "hexdungeon/*.yaml"))
    cases = yaml.safe_load(random.choice(documents(pattern)))
    some = random.sample(cases, min(len(cases), random.randint(1, 3)))
    text = yaml.safe_dump(some, sort_keys=False)
    return Attack(("cases", "case.yaml"), {"case.yaml": hostile_yaml(random, text)}, allowed=RUN)


def board(random: Random) -> Attack:
    """Monster turns, lines of sight or modifiers in JSON, damaged, run or solved."""
    text = random.choice(documents("hexdungeon/*.json"))
    whole = json.loads(text)
    whole["cases"] = random.sample(whole["cases"], min(3, len(whole["cases"])))
    file = {"board.json": hostile_json(random, json.dumps(whole))}
    if random.random() < 0.5:
        return Attack(("board.json",), file, entry=SOLVE, allowed=RUN)
    return Attack(("cases", "board.json"), file, allowed=RUN)
