"""What a page asks of Python: scenarios, compiled content, texts, boards and packs.

JavaScript calls these functions with the bytes of a state and gets JSON back; the game itself is
played by the compiled rules beside it. `callRules` of JavaScript's global scope runs an entry of
them: it takes the environment, the entry's name and the arguments, and writes into the arrays.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import numpy as np

from agemonia_env.core.jit import zeros
from agemonia_env.display.svg import svg_of
from agemonia_env.packs.folders import ContentError
from agemonia_env.rulesets import doors
from agemonia_env.rulesets.agemonia.content import drawing
from agemonia_env.rulesets.arguments import Arguments, Compiled
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of

ENTRIES = {  # of the compiled rules that Python itself calls
    "Agemonia-v0": ("write_masks", "draw_scenarios"),
    "HexDungeon-v0": (*("write_masks", "draw_scenarios", "ranges", "settle", "settle_templates"),),
}


# Where the module of a ruleset's arguments has the words allowed for one
WORDS = {"level": "LEVELS", "difficulty": "DIFFICULTIES", "enemy_will": "WILLS", "side": "SIDES"}


# ---- entries of the compiled rules ----------------------------------------------------------
def called(env: str, name: str) -> Callable[..., Any]:
    """A function that runs an entry of the compiled rules: arrays are changed as there."""

    def call(*arguments: Any) -> int:
        number, changed = run(env, name, arguments)
        for array, data in zip(filter(is_array, arguments), changed, strict=True):
            array._memory[array._at : array._at + array.nbytes] = data
        return number

    return call


def run(env: str, name: str, arguments: Sequence[Any]) -> tuple[int, list[memoryview]]:
    """Run an entry -> what JavaScript answers: its number, bytes of the arrays afterwards."""
    from js import callRules  # in a page only
    from pyodide.ffi import to_js

    shipped = [
        [one.tobytes(), one.itemsize, list(one.shape)] if is_array(one) else int(one)
        for one in arguments
    ]
    answer = callRules(env, name, to_js(shipped))
    return int(answer.number), [data.to_py() for data in answer.arrays]


def is_array(argument: Any) -> bool:
    """Whether an argument is an array."""
    return isinstance(argument, np.ndarray)


def connect() -> None:
    """Let Python's own calls of entries run in the compiled rules."""
    for env in doors.RULESETS:
        api = ruleset_of(env).api
        for name in ENTRIES[env]:
            setattr(api, name, called(env, name))
    drawing.walk_all = walk_all
    drawing.blocks_of = lambda grid: None  # ways over blocks would take more of NumPy than is here


def walk_all(*arguments: Any) -> list[int]:
    """grid_lines.walk_all, by the compiled rules."""
    _, (lines,) = run(doors.DEFAULT, "walk_all", arguments)
    return lines.tolist()


def unpacked(folder: str) -> None:
    """Date all files alike, so that packs read before the copy of memory was made are not again."""
    for path in Path(folder).glob("agemonia_env/rulesets/*/content/packs/**/*"):
        os.utime(path, (0, 0))


def prepare() -> None:
    """Do once whatever a page would have to wait for."""
    connect()
    for env in doors.RULESETS:
        rules = ruleset_of(env)
        for scenario in choices_of(rules)["scenarios"]:
            PREPARED[env, f'{{"scenario":"{scenario}"}}'] = Table(env, {"scenario": scenario})


# ---- what there is to play ------------------------------------------------------------------
def choices() -> str:
    """Scenarios, heroes and settings of every environment, as JSON."""
    return json.dumps({env: choices_of(ruleset_of(env)) for env in doors.RULESETS})


def choices_of(rules: Ruleset) -> dict[str, Any]:
    """What a game of a ruleset is chosen from.

    title, about: what it is called, and in a line; defaults: of each argument; words: those
    allowed, by argument; scenarios and heroes: of its pack, by key; party: the most heroes;
    random: the name of procedural scenarios, "" = none.
    """
    module = import_module(rules.check_arguments.__module__)
    pack = rules.load_pack(rules.check_arguments().pack)
    line, _, _ = str(import_module(doors.doors_of(rules.env_id).package).__doc__).partition("\n")
    return {
        "title": rules.env_id.partition("-")[0],
        "about": line,
        "defaults": {key: one.default for key, one in parameters_of(rules).items()},
        "words": {
            name: list(getattr(module, words))
            for name, words in WORDS.items()
            if name in rules.parameters
        },
        "pack": pack.name,
        "scenarios": {key: about(one) for key, one in pack.scenarios.items()},
        "heroes": {key: one.name for key, one in heroes_of(pack).items()},
        "party": most_heroes(rules),
        "random": getattr(module, "RANDOM", ""),
    }


def parameters_of(rules: Ruleset) -> Mapping[str, Parameter]:
    """The arguments of a ruleset."""
    return signature(rules.check_arguments).parameters


def about(scenario: Any) -> dict[str, str]:
    """A scenario's name and story."""
    return {"name": scenario.name, "text": scenario.text}


def most_heroes(rules: Ruleset) -> int:
    """The largest party that the ruleset takes."""
    n = 1
    while True:
        try:
            rules.check_arguments(heroes=n + 1)
        except ValueError:
            return n
        n += 1


def heroes_of(pack: Any) -> Mapping[str, Any]:
    """What a party is chosen from, by name."""
    heroes: Mapping[str, Any] = getattr(pack, "heroes", None) or pack.classes
    return heroes


# ---- one scenario ---------------------------------------------------------------------------
class Table:
    """A scenario on the table: its rules, arguments and compiled content."""

    def __init__(self, env: str, given: dict[str, Any]) -> None:
        self.rules: Ruleset = ruleset_of(env)
        self.arguments: Arguments = self.rules.check_arguments(**given)
        seeds = self.arguments.scenario_seeds()
        self.compiled: Compiled = self.arguments.compile(seeds[0] if seeds else 0)

    def state(self, data: Any) -> np.void:
        """The record in the bytes of a state."""
        states = zeros(self.rules.STATE)
        states.view(np.uint8)[:] = np.frombuffer(data.to_bytes(), np.uint8)
        return states[0]


TABLE: Table
PREPARED: dict[tuple[str, str], Table] = {}  # by environment and arguments


def open_table(env: str, given: str) -> str:
    """Put a scenario on the table; given: arguments as JSON. Raises ValueError with the reason."""
    global TABLE
    TABLE = PREPARED.get((env, given)) or Table(env, json.loads(given))
    return json.dumps(
        {
            "env": env,
            "scenario": TABLE.compiled.names.scenario,
            "control": TABLE.arguments.control(),
            "fingerprint": TABLE.compiled.fingerprint,
            "actions": TABLE.rules.N_ACTIONS,
            "not_asked": TABLE.rules.DENIAL_TEXTS[TABLE.rules.NOT_ASKED],
        }
    )


def content() -> bytes:
    """The bytes of the compiled scenario on the table."""
    return TABLE.compiled.content.tobytes()


def show(data: Any, mask: Any, rows: Any) -> str:
    """Everything that a page shows of a position, as JSON.

    data: bytes of the state; mask: a byte for each action; rows: the event log since the last
    decision, its head included.
    """
    rules, compiled, state = TABLE.rules, TABLE.compiled, TABLE.state(data)
    log = np.frombuffer(rows.to_bytes(), np.int16).reshape(-1, 6)
    events = rules.event_texts(log, state, compiled)
    over = bool(state["ending"])
    legal = [] if over else [k for k, allowed in enumerate(mask.to_bytes()) if allowed]
    side = rules.side_asked(int(state["decision"]), int(state["asked"]))
    return json.dumps(
        {
            "question": rules.question_text(state, compiled),
            "about": rules.question_help(state),
            "side": side,
            "round": int(state["round"]),
            "over": over,
            "won": bool(state["won"]),
            "ending": rules.ending_text(state, compiled) if over else "",
            "events": events,
            "options": [option(state, action) for action in legal],
            "goal": rules.goal_page(state, compiled),
            "parts": rules.BOARD_PARTS,
            "board": svg_of(rules.draw_board(state, compiled, []), "The board", marks=True),
            "text": rules.write_board(state, compiled, [], 100),
        }
    )


def option(state: np.void, action: int) -> dict[str, Any]:
    """An action: its number, what it is, what it does, and what it names on the board."""
    rules, compiled = TABLE.rules, TABLE.compiled
    return {
        "action": action,
        "text": rules.action_text(state, compiled, action),
        "help": rules.action_help(state, compiled, action),
        "thing": rules.action_target(state, compiled, action),
    }


def refused(data: Any, denials: Any) -> str:
    """The illegal actions that would answer the question, each with the reason, as JSON."""
    rules, state = TABLE.rules, TABLE.state(data)
    passed = {0, rules.NOT_ASKED, rules.SCENARIO_ENDED}
    found: dict[str, dict[str, Any]] = {}
    for action, denial in enumerate(np.frombuffer(denials.to_bytes(), np.int16).tolist()):
        if denial not in passed:
            told = option(state, action) | {"why": rules.DENIAL_TEXTS[denial]}
            found.setdefault(f"{told['text']}: {told['why']}", told)
    return json.dumps(list(found.values()))


def denial(number: int) -> str:
    """Why an action is refused, as JSON."""
    return json.dumps(TABLE.rules.DENIAL_TEXTS[number])


def action_page(data: Any, action: int) -> str:
    """Everything about an action, as JSON: its card, its rule, what it would do."""
    return json.dumps(TABLE.rules.action_page(TABLE.state(data), TABLE.compiled, action))


def thing_page(data: Any, thing: str) -> str:
    """Everything about a thing that the board marks, as JSON."""
    return json.dumps(TABLE.rules.thing_page(TABLE.state(data), TABLE.compiled, thing))


def goal(data: Any) -> str:
    """How the scenario is won and lost, and the progress so far, as JSON."""
    return json.dumps(TABLE.rules.goal_page(TABLE.state(data), TABLE.compiled))


def pages(data: Any) -> str:
    """Everything that can be looked up, as JSON: kind, names, text."""
    found = TABLE.rules.help_pages(TABLE.state(data), TABLE.compiled)
    return json.dumps([describe_page(page) for page in found])


def describe_page(page: Any) -> dict[str, Any]:
    """A page as JSON."""
    return {"kind": page.kind, "name": page.name, "text": page.text()}


# ---- packs ----------------------------------------------------------------------------------
def mistakes(env: str, given: str) -> str:
    """What keeps a scenario from being played, as JSON: a list of lines, empty = nothing."""
    try:
        arguments = ruleset_of(env).check_arguments(**json.loads(given))
        arguments.compile()
    except ContentError as error:
        return json.dumps(error.errors)
    except ValueError as error:
        return json.dumps(str(error).splitlines())
    return "[]"
