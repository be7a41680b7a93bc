"""Words and pictures of a ruleset that has none of its own: names, numbers and fields, as they are.

Every function takes the ruleset first, then what ruleset.Ruleset says of the member of its name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.event_log import LogRow, sentences
from agemonia_env.display.canvas import INK, PAPER, Canvas
from agemonia_env.display.messages import shown

from .arguments import Arguments, common_arguments
from .doors import doors_of
from .fits import Fitting
from .obs_arrays import Structure, blocks_of

Ruleset = Any  # ruleset.py imports this module
LINE, MARGIN, WIDTH = 18, 24, 900  # pixels
HIDDEN = {"chance", "log", "n_log", "logging"}  # fields of a state
# What functions that a ruleset leaves out return, where that is the same for every ruleset
SAME: dict[str, Any] = {
    **dict.fromkeys(("action_target", "action_help", "question_help", "named_page"), ""),
    **{"side_asked": "hero", "help_pages": (), "statistics": {}, "figure_names": {}},
}


def complete(rules: Ruleset) -> None:
    """Give a ruleset the members that it leaves out."""
    for member in fields(rules):
        if getattr(rules, member.name) is None:
            name = member.name.lower()
            made = partial(same, SAME[name]) if name in SAME else partial(globals()[name], rules)
            object.__setattr__(rules, member.name, made() if member.name in DIRECT else made)


def same(answer: Any, *_: Any) -> Any:
    """Return `answer`, whatever the arguments."""
    return answer


# ---- scenarios ----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Names:
    """What people read: names of pack, scenario, heroes, and all figures by slot."""

    pack: str
    scenario: str
    heroes: tuple[str, ...]
    figures: tuple[str, ...]


@dataclass(frozen=True)
class Compiled:
    """A scenario ready to play; version: of the rules."""

    version: str
    content: NDArray[Any]
    names: Names

    @property
    def fingerprint(self) -> str:
        """16 hex digits that change with rules, names and content."""
        told = repr((self.version, self.names.scenario, self.names.figures)).encode()
        return hashlib.sha256(told + self.content.tobytes()).hexdigest()[:16]


@dataclass(frozen=True, kw_only=True)
class PlainArguments(Arguments):
    """Arguments of a ruleset with none of its own: see `arguments`."""

    env_id: ClassVar[str]
    compiler: ClassVar[Callable[..., Any]]
    is_opposed: ClassVar[bool] = False

    def __reduce__(self) -> Any:
        """Check the same arguments again: the class is made at run time."""
        names = doors_of(self.env_id).open("ruleset").parameters
        return checked, (self.env_id, {name: getattr(self, name) for name in names})

    @property
    def opposed(self) -> bool:
        """As Arguments.opposed."""
        return self.is_opposed and self.side != "both"

    def compile(self, scenario_seed: int = 0) -> Any:
        """As Arguments.compile."""
        return type(self).compiler(self.pack, self.scenario, self.heroes)


def checked(env_id: str, given: Mapping[str, Any]) -> Any:
    """Arguments of the ruleset with this id."""
    return doors_of(env_id).open("ruleset").check_arguments(**given)


def arguments(
    env_id: str,
    compile_scenario: Callable[[str, str, Any], Any],
    start: Mapping[str, Any],
    most_heroes: int,
    opponents: Mapping[str, int] | None = None,
) -> Callable[..., Arguments]:
    """A `check_arguments` of the arguments that every ruleset has.

    compile_scenario: takes pack, scenario and heroes, a number or names; start: their defaults;
    opponents: compiled policies of the enemy side, if it is asked.
    """
    sides = ("hero", "enemy", "both") if opponents else ("hero",)
    body = {
        "env_id": env_id,
        "compiler": staticmethod(compile_scenario),
        "is_opposed": bool(opponents),
    }
    kind = type("Arguments", (PlainArguments,), body | {"OPPONENTS": opponents or {}})

    def check_arguments(
        scenario: str = start["scenario"],
        heroes: int | Sequence[str] = start["heroes"],
        pack: str | Path = start["pack"],
        ties: str = "ask",
        illegal: str = "noop",
        reward: str = "sparse",
        gamma: float = 0.99,
        max_decisions: int = 5000,
        side: str = "hero",
        opponent: Any = "greedy" if opponents else None,
        action_features: bool = False,
        observation: str = "full",
    ) -> Arguments:
        """Check the arguments. ValueError says which is wrong and what is allowed."""
        common = common_arguments(sides, locals())
        n = heroes if isinstance(heroes, int) else len(heroes)
        if isinstance(heroes, bool | str) or not 1 <= n <= most_heroes:
            allowed = f"1 to {most_heroes}, or a list of as many names"
            raise ValueError(f"heroes={shown(heroes)}: must be {allowed}")
        party = heroes if isinstance(heroes, int) else tuple(heroes)
        made: Arguments = kind(**common, heroes=party, opponent=opponent)
        return made

    return check_arguments


DIRECT = {"structure", "fitting", "DENIAL_TEXTS"}  # no functions


def structure(rules: Ruleset) -> Structure:
    """The fields of the observation; nothing of the scenario."""
    none = np.zeros(0, np.float32)
    return Structure(blocks_of(rules.OBS), (), lambda c: np.zeros((len(c), 0), np.int8), none)


def fitting(rules: Ruleset) -> Fitting:
    """All columns may vary; of a fit that has them all the core needs no blocks."""
    n = rules.N_OBSERVATION
    return Fitting(lambda _: np.ones(n, np.bool_), lambda: np.zeros(n, np.int64))


def denial_texts(rules: Ruleset) -> tuple[str, ...]:
    """The names of denials as sentences."""
    _, *names = rules.DENIALS
    return ("legal", *(f"{name.replace('_', ' ').capitalize()}." for name in names))


def behaviour_games(rules: Ruleset, pack: Any, tables: int = 1) -> list[Mapping[str, Any]]:
    """Every scenario, `tables` times."""
    return [{"scenario": scenario} for scenario in pack.scenarios for _ in range(tables)]


# ---- texts --------------------------------------------------------------------------------------
def block_of(rules: Ruleset, action: int) -> tuple[int, int]:
    """The block of an action, and its index there."""
    for block, (_, size, _) in enumerate(rules.BLOCKS):
        if action < size:
            return block, action
        action -= size
    raise IndexError(action)


def action_text(rules: Ruleset, state: np.void, compiled: Any, action: int) -> str:
    """Block and index."""
    block, k = block_of(rules, action)
    name, size, words = rules.BLOCKS[block]
    index = words[k].partition("=")[0] if words else k
    return name.lower() if size == 1 else f"{name} {index}".lower()


def question_text(rules: Ruleset, state: np.void, compiled: Any) -> str:
    """The decision, or the ending."""
    if state["ending"]:
        return f"{'Won' if state['won'] else 'Lost'}: {rules.ENDINGS[state['ending']]}."
    return f"{rules.DECISIONS[state['decision']]}, {state['asked']}?".replace("_", " ")


def event_texts(
    rules: Ruleset, rows: NDArray[np.int16], state: np.void, compiled: Any
) -> list[str]:
    """Name and numbers of every event."""
    events = list(rules.api.CORE.terms.Event)

    def texts(found: list[LogRow]) -> list[str]:
        return [
            " ".join([events[row.event].name.lower(), *(str(n) for n in row[1:] if n >= 0)])
            for row in found
        ]

    return sentences(rows, texts)


def action_page(rules: Ruleset, state: np.void, compiled: Any, action: int) -> str:
    """Its text, the page about what it names or else its help, and what the answer means."""
    about = rules.named_page(state, compiled, action) or rules.action_help(state, compiled, action)
    lines = [rules.action_text(state, compiled, action), about, rules.question_help(state)]
    return "\n".join(line for line in lines if line)


def thing_page(rules: Ruleset, state: np.void, compiled: Any, thing: str) -> str:
    """Its name."""
    return thing


def goal_page(rules: Ruleset, state: np.void, compiled: Any) -> str:
    """The name of the scenario."""
    return str(compiled.names.scenario)


def ending_text(rules: Ruleset, state: np.void, compiled: Any) -> str:
    """The ending."""
    return str(rules.question_text(state, compiled))


# ---- boards -------------------------------------------------------------------------------------
def write_board(
    rules: Ruleset, state: np.void, compiled: Any, events: Sequence[str] = (), width: int = 0
) -> str:
    """Every field of the state, then the events."""
    names = [name for name in rules.STATE.names or () if name not in HIDDEN]
    lines = [rules.goal_page(state, compiled), rules.question_text(state, compiled)]
    return "\n".join([*lines, *(f"{name}: {state[name]}" for name in names), *events])


def write_brief(
    rules: Ruleset, state: np.void, compiled: Any, events: Sequence[str] = (), width: int = 0
) -> str:
    """The board."""
    return str(rules.write_board(state, compiled, events, width))


def draw_board(rules: Ruleset, state: np.void, compiled: Any, events: Sequence[str] = ()) -> Canvas:
    """The board's text."""
    lines = rules.write_board(state, compiled, events).splitlines()
    canvas = Canvas(WIDTH, LINE * len(lines) + 2 * MARGIN, PAPER)
    for k, line in enumerate(lines):
        canvas.text((MARGIN, MARGIN + LINE * k), line, 13, INK)
    return canvas


# ---- statistics ---------------------------------------------------------------------------------
def exhausted_heroes(rules: Ruleset, states: NDArray[Any]) -> NDArray[np.bool_]:
    """Nobody."""
    return np.zeros((len(states), 1), np.bool_)


def figure_names(rules: Ruleset, compiled: Any) -> Mapping[str, list[str]]:
    """None."""
    return {}
