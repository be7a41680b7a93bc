"""A decision as an entry sees it: position, question, legal actions and clock."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.display.messages import shown
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.rulesets.digest import digest_of

WORDS, NUMBERS, FEATURES, WHY_NOT = WANTS = ("words", "numbers", "features", "why_not")
USUAL = (WORDS, NUMBERS)  # what an entry gets that does not say what it wants
WIDTH = 100  # columns of a board in words
DIGITS = 6  # after the point, of numbers
MOST_NAME = 60  # characters of an entry's name


@dataclass(frozen=True)
class Option:
    """An action: its number and what it means now. help: its card or effect in a line, or ""."""

    action: int
    words: str
    help: str = ""


@dataclass(frozen=True)
class Refused:
    """An illegal action that would answer the question, and why it is illegal."""

    action: int
    words: str
    why: str


@dataclass(frozen=True)
class Clock:
    """Milliseconds: budget for a decision, left for this one, and used in this game so far."""

    budget_ms: int
    left_ms: int
    used_ms: int


@dataclass(frozen=True)
class Decision:
    """A question to an entry.

    number: of the decision in its game, from 0. again: why the last answer to the same question was
    refused, or "". The other fields are empty unless the entry wants them: about, position, events
    and the help of options are its words; numbers: the observation; features: a row for each
    option; why_not: illegal answers.
    """

    number: int
    question: str
    options: tuple[Option, ...]
    clock: Clock
    again: str = ""
    about: str = ""
    position: str = ""
    events: tuple[str, ...] = ()
    numbers: tuple[float, ...] = ()
    features: tuple[tuple[float, ...], ...] = ()
    why_not: tuple[Refused, ...] = ()

    def message(self) -> dict[str, Any]:
        """As JSON has it; empty fields are left out."""
        return {"type": "decision", **{k: v for k, v in asdict(self).items() if v not in ("", ())}}


@dataclass(frozen=True)
class Start:
    """A game begins. side: that the entry plays; rules: a digest; goal: how it is won."""

    game: int
    setting: str
    env: str
    arguments: dict[str, Any]
    side: str
    rules: str
    goal: str

    def message(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"type": "game", **asdict(self)}


def check_name(name: Any) -> str:
    """The name of an entry, "" for none; ValueError unless it fits into a table."""
    if not isinstance(name, str) or len(name) > MOST_NAME or not name.isprintable():
        wanted = f"must be a text of at most {MOST_NAME} printable characters"
        raise ValueError(f"name={shown(name)}: {wanted}")
    return name


def check_wants(wants: Any) -> tuple[str, ...]:
    """What an entry wants to see, some of WANTS; ValueError otherwise."""
    if not isinstance(wants, list | tuple) or not all(word in WANTS for word in wants):
        raise ValueError(f"wants={shown(wants)}: must be a list of {', '.join(WANTS)}")
    return tuple(wants)


def start_of(env: RulesetEnv, game: int, setting: str, arguments: dict[str, Any]) -> Start:
    """What an entry is told of a game that has begun."""
    rules = env.ruleset
    goal = rules.goal_page(env.states[0], env.compiled)
    side = env.arguments.side
    return Start(game, setting, rules.env_id, arguments, side, digest_of(rules.env_id), goal)


def decision_of(
    env: RulesetEnv,
    observation: NDArray[np.float32],
    number: int,
    clock: Clock,
    wants: Collection[str],
    again: str = "",
) -> Decision:
    """The question that a game asks now, with what an entry wants to know of it."""
    rules, state, compiled = env.ruleset, env.states[0], env.compiled
    words, more = WORDS in wants, dict[str, Any]()
    if words:
        more["about"] = rules.question_help(state)
        more["events"] = tuple(env.happened())
        more["position"] = rules.write_board(state, compiled, (), WIDTH)
    if NUMBERS in wants:
        more["numbers"] = plain(observation)
    if FEATURES in wants:
        more["features"] = tuple(map(plain, env.action_features()))
    if WHY_NOT in wants:
        refused = env.refused_answers().items()
        more["why_not"] = tuple(Refused(k, env.action_meaning(k), why) for k, why in refused)
    options = tuple(
        Option(
            *(action, env.action_meaning(action)),
            rules.action_help(state, compiled, action) if words else "",
        )
        for action in env.legal_actions().tolist()
    )
    return Decision(number, env.question(), options, clock, again, **more)


def plain(numbers: Any) -> tuple[float, ...]:
    """Numbers as JSON has them."""
    return tuple(np.round(numbers.astype(np.float64), DIGITS).tolist())


def is_over(env: RulesetEnv) -> bool:
    """Whether the scenario has ended."""
    return bool(env.states["ending"][0] != GOING_ON)


def is_won(env: RulesetEnv) -> bool:
    """Whether the scenario has ended as the side that is asked wishes; the other side loses."""
    heroes = env.arguments.side != "enemy"
    return is_over(env) and bool(env.states["won"][0]) == heroes
