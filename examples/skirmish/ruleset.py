"""The skirmish as a ruleset: its packs, its arguments, its words, and how they become numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from agemonia_env.core.defaults import Policy, api_of
from agemonia_env.core.jit import zeros
from agemonia_env.display.messages import unknown
from agemonia_env.packs.folders import Strict
from agemonia_env.packs.loading import PackFiles, PackFormat
from agemonia_env.rulesets.pack_tools import PackTools
from agemonia_env.rulesets.plain import Compiled, Names, arguments
from agemonia_env.rulesets.plain_cases import PlainCases
from agemonia_env.rulesets.ruleset import Ruleset

from . import rules
from .rules import CONTENT, DIE, N_FIGHTERS, N_HEROES, SIDE

ENV_ID = "Skirmish-v0"
VERSION = "skirmish 1"  # increases whenever the same content plays differently
START = {"pack": "arena", "scenario": "yard", "heroes": 2}
OPPONENTS = {"greedy": int(Policy.GREEDY), "random": int(Policy.RANDOM)}
WALL, FLOOR = "#", "."
Name = Annotated[str, Field(min_length=1, max_length=40)]


# ---- packs --------------------------------------------------------------------------------------
class PackCard(Strict):
    """pack.yaml: heroes and scenarios in their order."""

    name: Name
    text: str
    party: Annotated[list[Name], Field(min_length=1, max_length=N_HEROES)]
    scenarios: Annotated[list[Name], Field(min_length=1)]


class Fighter(Strict):
    """fighters/NAME.yaml: what a fighter can do (S2 to S4)."""

    name: Name
    health: Annotated[int, Field(ge=1, le=99)]
    armour: Annotated[int, Field(ge=1, le=DIE)]
    dice: Annotated[int, Field(ge=1, le=9)]
    range: Annotated[int, Field(ge=1, le=SIDE)]
    speed: Annotated[int, Field(ge=0, le=SIDE)]


class Scenario(Strict):
    """scenarios/NAME.yaml: a map of walls, floor, places of heroes (1 to 4) and letters of foes."""

    name: Name
    last_round: Annotated[int, Field(ge=1, le=99)]
    map: Annotated[list[Annotated[str, Field(max_length=SIDE)]], Field(max_length=SIDE)]
    foes: Annotated[dict[Annotated[str, Field(max_length=1)], Name], Field(min_length=1)]

    def places(self) -> list[tuple[str, int]]:
        """Every letter of the map, and its cell."""
        rows = enumerate(self.map)
        return [(letter, y * SIDE + x) for y, row in rows for x, letter in enumerate(row)]


@dataclass(frozen=True)
class Pack(PackFiles):
    """A pack in memory."""

    card: PackCard
    fighters: dict[str, Fighter]
    scenarios: dict[str, Scenario]


def mistakes(pack: Pack) -> Any:
    """Every mistake between files, as `file: key: what is wrong`."""
    for kind, names, there in (
        ("party", pack.card.party, pack.fighters),
        ("scenarios", pack.card.scenarios, pack.scenarios),
    ):
        yield from (
            f"pack.yaml: {kind}: {unknown(kind, n, there)}" for n in names if n not in there
        )
    for key, scenario in pack.scenarios.items():
        letters = [letter for letter, _ in scenario.places()]
        known = {WALL, FLOOR, *"1234", *scenario.foes}
        for letter in sorted({*letters} - known):
            yield f"scenarios/{key}.yaml: map: {unknown('letter', letter, known)}"
        if not 1 <= sum(letter in scenario.foes for letter in letters) <= N_FIGHTERS - N_HEROES:
            yield f"scenarios/{key}.yaml: map: must have 1 to {N_FIGHTERS - N_HEROES} foes"
        if any(letters.count(str(k)) != 1 for k in range(1, N_HEROES + 1)):
            yield f"scenarios/{key}.yaml: map: must have 1, 2, 3 and 4 once each"
        for name in scenario.foes.values():
            if name not in pack.fighters:
                yield f"scenarios/{key}.yaml: foes: {unknown('fighter', name, pack.fighters)}"


FORMAT = PackFormat(
    env=ENV_ID,
    pack=Pack,
    files={("pack",): ("card", PackCard)},
    folders={"fighters": Fighter, "scenarios": Scenario},
    needed=("fighters", "scenarios"),
    mistakes=mistakes,
)


class SkirmishPackTools(PackTools):
    """What the balance lab asks of packs."""

    version, format, names = VERSION, FORMAT, frozenset({"name"})


PACK_TOOLS = SkirmishPackTools()


def starter_enemies(pack: str, scenario: str) -> list[str]:
    """Foes that a pack of this one scenario needs."""
    return list(FORMAT.load(pack).scenarios[scenario].foes.values())


# ---- compiling ----------------------------------------------------------------------------------
def party_of(pack: Pack, heroes: int | Sequence[str]) -> list[str]:
    """The heroes: so many of the pack's party, or those named. Raises ValueError."""
    party = pack.card.party[:heroes] if isinstance(heroes, int) else list(heroes)
    for name in party:
        if name not in pack.fighters:
            raise ValueError(f"heroes: {unknown('fighter', name, pack.fighters)}")
    return party


def compile_scenario(name: str, scenario: str, heroes: int | Sequence[str]) -> Compiled:
    """Put a scenario into numbers. Raises ValueError for an unknown name."""
    pack = FORMAT.load(name)
    if scenario not in pack.scenarios:
        raise ValueError(f"scenario: {unknown('scenario', scenario, pack.scenarios)}")
    card, party = pack.scenarios[scenario], party_of(pack, heroes)
    content, fighters = zeros(CONTENT), [""] * N_FIGHTERS
    record = content[0]
    record["columns"], record["rows"] = max(map(len, card.map)), len(card.map)
    record["last_round"], record["n_heroes"] = card.last_round, len(party)
    slot = N_HEROES
    for letter, cell in card.places():
        record["wall"][cell] = letter == WALL
        if letter in card.foes:
            fighters[slot] = write_fighter(record, slot, pack.fighters[card.foes[letter]], cell)
            slot += 1
        elif letter.isdigit() and int(letter) <= len(party):
            k = int(letter) - 1
            fighters[k] = write_fighter(record, k, pack.fighters[party[k]], cell)
    names = Names(pack.name, card.name, tuple(fighters[: len(party)]), tuple(fighters))
    return Compiled(VERSION, content, names)


def write_fighter(record: Any, slot: int, card: Fighter, cell: int) -> str:
    """A fighter's numbers -> its name."""
    for field in ("health", "armour", "dice", "range", "speed"):
        record["fighter"][slot][field] = getattr(card, field)
    record["fighter"][slot]["cell"] = cell
    return card.name


# ---- words --------------------------------------------------------------------------------------
def side_asked(decision: int, asked: int) -> str:
    """Whose question it is."""
    return "enemy" if asked >= N_HEROES else "hero"


def write_board(state: Any, compiled: Compiled, events: Sequence[str] = (), width: int = 0) -> str:
    """The map, the fighters, and what has happened."""
    content = compiled.content[0]
    standing = {int(cell): f for f, cell in enumerate(state["cell"]) if cell >= 0}
    lines = [f"{compiled.names.scenario}, round {state['round']} of {content['last_round']}"]
    for row in range(content["rows"]):
        cells = range(row * SIDE, row * SIDE + int(content["columns"]))
        marks = (WALL if content["wall"][cell] else standing.get(cell, FLOOR) for cell in cells)
        lines.append(" ".join(map(str, marks)))
    for f in sorted(standing.values()):
        turn = ", to act" if f == state["turn"] else ""
        health = f"{state['health'][f]}/{content['fighter'][f]['health']}"
        lines.append(f"{f} {compiled.names.figures[f]}: {health}{turn}")
    return "\n".join([*lines, *events])


RULESET = Ruleset(
    env_id=ENV_ID,
    version=VERSION,
    api=api_of(rules),
    check_arguments=arguments(ENV_ID, compile_scenario, START, N_HEROES, OPPONENTS),
    load_pack=FORMAT.load,
    ENEMY_POLICIES=OPPONENTS,
    side_asked=side_asked,
    write_board=write_board,
)
CASES = PlainCases(RULESET)
