"""Arguments and seeds that envs of every ruleset take, and their checks."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
from gymnasium import logger
from numpy.typing import NDArray

from agemonia_env.core.env_slots import Control
from agemonia_env.display.messages import MOST_SHOWN, shown
from agemonia_env.display.suggestions import did_you_mean
from agemonia_env.packs.folders import path_text

from .policy import Policy

TIES = ("ask", "auto")
ILLEGAL = ("noop", "raise", "terminate")
REWARDS = ("sparse", "shaped")
CORE_SEED = "core_seed"  # an option of `reset`
RESET_MASK = "reset_mask"  # another, of vector environments
SCENARIO_SEED, GENERATOR = "scenario_seed", "generator"  # and of those that draw scenarios
OPTIONS = (CORE_SEED, RESET_MASK, SCENARIO_SEED, GENERATOR)
MAX_THREADS = 1024
CORE_SEEDS = 2**63  # seeds of games, all of them equally likely
RANDOM = "random"  # the name of scenarios that are drawn
SEED_RANGES = {"train": range(100_000), "test": range(1_000_000, 1_001_000)}
"""Seeds to train on, and seeds never to train on: a policy may memorise their maps."""
LAST_SEED = 2**62  # of a scenario; there are fewer than 2**63 in any range
# Observations are scaled to about [-1, 1]; the bound leaves room for content with large numbers.
OBSERVATION_BOUND = 100.0


class Names(Protocol):
    """The names of a scenario, in every ruleset."""

    @property
    def scenario(self) -> str:
        """The display name."""

    @property
    def pack(self) -> str:
        """Name of the content pack."""


class Compiled(Protocol):
    """A scenario ready to play, from a ruleset's compiler."""

    @property
    def names(self) -> Names:
        """Names for the numbers in the content."""

    @property
    def content(self) -> NDArray[Any]:
        """CONTENT records (1,)."""

    @property
    def fingerprint(self) -> str:
        """At least 16 hexadecimal digits that change with rules and content."""


@dataclass(frozen=True, kw_only=True)
class Arguments(ABC):
    """Checked arguments. All except a policy are JSON-able, so that a spec can be stored.

    scenario, pack: names; heroes: a number, or a list; ties, illegal, reward: one of the allowed
    words; gamma: discount of the shaping, 0 to 1; max_decisions: calls of `step` until an episode
    is truncated; side: whose decisions are asked, "hero", "enemy" or "both"; action_features:
    whether infos have them; observation: one of OBSERVATIONS (see fits.py); scenario_seed: of drawn
    scenarios, one seed, a range or its name, None for a fixed scenario; generator: settings of its
    knobs. A ruleset adds its own; every argument of its `check_arguments` is a field.
    """

    OPPONENTS: ClassVar[Mapping[str, int]] = {}  # compiled policies that play the other side

    scenario: str
    heroes: Any
    pack: str
    ties: str
    illegal: str
    reward: str
    gamma: float
    max_decisions: int
    side: str = "hero"
    opponent: str | Policy | None = None  # plays the other side
    action_features: bool = False
    observation: str = "full"
    scenario_seed: int | str | tuple[int, int] | None = None
    generator: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sign(self) -> int:
        """1 if the rewards are the heroes', -1 if they are the enemy side's."""
        return -1 if self.side == "enemy" else 1

    def control(self) -> int:
        """Who answers which questions: bits of Control. The opponent plays the other side."""
        bits = int(Control.AUTO_TIES) if self.ties == "auto" else 0
        if self.side != "hero":
            bits |= Control.ENEMIES_ASKED
        if not self.opposed:
            return bits
        number = self.OPPONENTS.get(self.opponent) if isinstance(self.opponent, str) else None
        if number is None:  # the opponent is asked as well
            return bits | Control.ENEMIES_ASKED
        played = Control.HEROES_PLAYED if self.side == "enemy" else Control.ENEMIES_PLAYED
        return bits | played | number * Control.POLICY

    @property
    def opposed(self) -> bool:
        """Whether an opponent plays, because the other side has decisions."""
        return False

    def scenario_seeds(self) -> range | None:
        """Seeds of drawn scenarios, one for each game; None for a fixed scenario."""
        return seeds_of(self.scenario_seed)

    def test_seeds(self) -> range | None:
        """Held-out seeds of drawn scenarios, for testing; None for a single scenario."""
        seeds = self.scenario_seeds()
        return SEED_RANGES["test"] if seeds is not None and len(seeds) > 1 else None

    def settled(self) -> Self:
        """A copy with the scenario's defaults filled in."""
        return self

    def reference(self) -> Compiled:
        """The compiled scenario; of procedural ones that of seed 0, as a representative."""
        seeds = self.scenario_seeds()
        return self.compile(seeds[0] if seeds is not None and len(seeds) == 1 else 0)

    def make_generator(self) -> Any:
        """A generators.Generator for these arguments; only rulesets with `scenario_seed` need it.

        Raises ValueError for a pack that it cannot draw from.
        """
        raise TypeError(f"{type(self).__name__} has a scenario_seed, but no generator")

    @abstractmethod
    def compile(self, scenario_seed: int = 0) -> Compiled:
        """Compile the scenario for these heroes; a procedural one is drawn from the seed.

        Raises ValueError for an unknown name, listing the known ones.
        """


COMMON = (
    *("scenario", "pack", "ties", "illegal", "reward", "side"),
    *("gamma", "max_decisions", "action_features", "observation"),
)
OBSERVATIONS = "full", "fitted"


def common_arguments(sides: Sequence[str], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Check those of the arguments that all rulesets have -> them. ValueError says which is wrong.

    sides: allowed ones; arguments: what a ruleset's `check_arguments` was called with.
    """
    given = {name: arguments[name] for name in COMMON}
    given["pack"] = path_text(given["pack"])
    check_names(scenario=given["scenario"], pack=given["pack"])
    check_flags(action_features=given["action_features"])
    words = {"ties": TIES, "illegal": ILLEGAL, "reward": REWARDS, "side": sides}
    words["observation"] = OBSERVATIONS
    check_words(**{name: (given[name], allowed) for name, allowed in words.items()})
    given["gamma"] = fraction("gamma", given["gamma"])
    given["max_decisions"] = positive("max_decisions", given["max_decisions"])
    return given | {"action_features": bool(given["action_features"])}


class Party(NamedTuple):
    """The words of a ruleset for a party. one: of its members; example: a member as a mapping."""

    most: int
    members: str
    names: str
    one: str
    example: Mapping[str, str]


def check_party(heroes: Any, read: Callable[[Any], Any], words: Party) -> int | tuple[Any, ...]:
    """A number of heroes, or different ones by name or as a mapping. ValueError otherwise.

    read: one of them, with its name as `hero`; raises ValueError.
    """
    number = whole_number(heroes)
    several = isinstance(heroes, list | tuple)
    if number is None and not (several and all(isinstance(one, str | Mapping) for one in heroes)):
        text = f"a number, or a list of {words.names} and mappings such as {words.example}"
        raise ValueError(f"heroes={shown(heroes)}: must be {text}")
    if not 1 <= (len(heroes) if number is None else number) <= words.most:
        wanted = f"a party has 1 to {words.most} {words.members}"
        raise ValueError(f"heroes={shown(heroes)}: {wanted}")
    if number is not None:
        return number
    named = set()
    for choice in heroes:
        try:
            named.add(read(choice).hero)
        except ValueError as error:
            reason = "; ".join(str(error).splitlines())
            raise ValueError(f"heroes: {shown(choice)}: {reason}") from None
    if len(named) < len(heroes):
        raise ValueError(f"heroes={shown(heroes)}: {words.one} can be in the party only once")
    return tuple(choice if isinstance(choice, str) else dict(choice) for choice in heroes)


# ---- one argument at a time -----------------------------------------------------------------
class UnexpectedArgumentError(TypeError, ValueError):
    """An argument that does not exist: Python's TypeError, and a ValueError as all wrong arguments.

    Libraries read Python's words in the message to try again without the argument.
    """


def check_choices(
    choices: Mapping[str, Any], kind: Callable[..., Any], known: Iterable[str]
) -> None:
    """Raise UnexpectedArgumentError for an argument that does not exist, with a suggestion.

    kind: the class or function that takes them; known: arguments that it passes on.
    """
    own = [
        name
        for name, parameter in signature(kind).parameters.items()
        if parameter.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    ]
    names = list(dict.fromkeys([*own, *known]))
    for name in choices:
        if name not in names:
            meant = did_you_mean(name, names) or f"; there are {', '.join(names)}"
            said = f"{kind.__name__}() got an unexpected keyword argument {name!r}{meant}"
            raise UnexpectedArgumentError(said)


def check_flags(**flags: Any) -> None:
    """Raise ValueError unless each is True or False: the text "false" would count as true."""
    for name, value in flags.items():
        if not isinstance(value, bool | np.bool_):
            raise ValueError(f"{name}={shown(value)}: must be True or False")


def check_options(options: Any, *known: str, warns: bool = True) -> Mapping[str, Any]:
    """The options of `reset`, {} for None. ValueError for a misspelt name or no mapping.

    Other names may be meant for a wrapper: they are dropped, with a warning if `warns`.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        allowed = ", ".join(map(repr, known))
        raise ValueError(f"options={shown(options)}: must be a mapping with {allowed}, or None")
    for name in options:
        if name not in known:
            meant = "" if name in OPTIONS else did_you_mean(str(name), known)
            if meant or name in OPTIONS:
                there = meant or f" here; there is {', '.join(map(repr, known)) or 'none'}"
                raise ValueError(f"options: {shown(name)}: no such option{there}")
            if warns:
                allowed = ", ".join(map(repr, known))
                logger.warn(f"reset: option {shown(name)} is not used; there is {allowed}")
    return {name: options[name] for name in known if name in options}


def check_names(**names: Any) -> None:
    """Raise ValueError unless each is text. A pack may be long: it can include changes."""
    for name, value in names.items():
        if not isinstance(value, str) or (len(value) > MOST_SHOWN and name != "pack"):
            raise ValueError(f"{name}={shown(value)}: must be a name, such as {name}='core'")


def check_words(**words: tuple[Any, Sequence[str | None]]) -> None:
    """Raise ValueError for a word that is not allowed; each argument is (word, allowed words)."""
    for name, (word, allowed) in words.items():
        if not (word is None or isinstance(word, str)) or word not in allowed:
            known = [one for one in allowed if one is not None]
            meant = did_you_mean(word, known) if isinstance(word, str) else ""
            listed = ", ".join(map(repr, allowed))
            raise ValueError(f"{name}={shown(word)}: must be one of {listed}{meant}")


def fraction(name: str, value: Any) -> float:
    """The value as float, 0 to 1; ValueError otherwise."""
    number = isinstance(value, int | float | np.integer | np.floating)
    if isinstance(value, bool) or not number or not 0 <= value <= 1:
        raise ValueError(f"{name}={shown(value)}: must be a number from 0 to 1")
    return float(value)


def positive(name: str, value: Any, most: int = 2**31 - 1) -> int:
    """A whole number from 1 to `most`; ValueError otherwise."""
    number = whole_number(value)
    if number is None or not 1 <= number <= most:
        raise ValueError(f"{name}={shown(value)}: must be a whole number, 1 to {most}")
    return number


def whole_number(value: Any) -> int | None:
    """The value as Python int if it is an integer of any kind (not bool), else None.

    An array or tensor with a shape is none, nor is a tensor of bool, though torch has an index for
    both.
    """
    if isinstance(value, np.integer) or type(value) is int:  # 2 us less for what steps are given
        return int(value)
    kind = str(getattr(value, "dtype", ""))
    if isinstance(value, bool) or getattr(value, "shape", ()) != () or kind.endswith("bool"):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def check_number(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number from `least` to `most`; ValueError otherwise."""
    whole = whole_number(value)
    if whole is None or whole < least or (most is not None and whole > most):
        allowed = f"at least {least}" if most is None else f"{least} to {most}"
        raise ValueError(f"{name}={shown(value)}: must be a whole number, {allowed}")
    return whole


# ---- seeds ----------------------------------------------------------------------------------
def check_seed(seed: Any) -> int | None:
    """The seed as Python int, or None; ValueError for anything but an integer >= 0."""
    if seed is None:
        return None
    number = whole_number(seed)
    if number is None or number < 0:
        raise ValueError(f"seed={shown(seed)}: must be a whole number, at least 0, or None")
    return number


def check_reseed(reseed: Any) -> int | None:
    """The seed for a clone, None if True or False; ValueError for anything but an integer >= 0."""
    if isinstance(reseed, bool):
        return None
    number = whole_number(reseed)
    if number is None or number < 0:
        raise ValueError(f"reseed={shown(reseed)}: must be True, False or a whole number from 0 on")
    return number


def check_scenario_seed(scenario: str, seed: Any) -> int | str | tuple[int, int] | None:
    """A seed, the name of a range, or its first and last seed; None for a fixed scenario."""
    if scenario != RANDOM:
        if seed is not None:
            drawn = f"only scenario={RANDOM!r} is drawn from one"
            raise ValueError(f"scenario_seed={shown(seed)}: {drawn}")
        return None
    if seed is None:
        return "train"
    if isinstance(seed, str) and seed in SEED_RANGES:
        return seed
    number = whole_number(seed)
    if number is not None and 0 <= number <= LAST_SEED:
        return number
    if isinstance(seed, list | tuple) and len(seed) == 2:
        first, last = (whole_number(end) for end in seed)
        if first is not None and last is not None and 0 <= first <= last <= LAST_SEED:
            return first, last
    allowed = ", ".join(map(repr, SEED_RANGES))
    raise ValueError(f"scenario_seed={shown(seed)}: must be {allowed}, a seed, or [first, last]")


def seeds_of(scenario_seed: int | str | tuple[int, int] | None) -> range | None:
    """The seeds that a checked `scenario_seed` stands for."""
    match scenario_seed:
        case None:
            return None
        case str(name):
            return SEED_RANGES[name]
        case (first, last):
            return range(first, last + 1)
        case seed:
            return range(seed, seed + 1)


def check_core_seed(seed: Any) -> int:
    """The seed of a game as Python int; ValueError if it is out of range."""
    number = whole_number(seed)
    if number is None or not 0 <= number < CORE_SEEDS:
        raise ValueError(f"{CORE_SEED}={shown(seed)}: must be a whole number, 0 to 2**63 - 1")
    return number


def draw_core_seed(random: np.random.Generator) -> int:
    """The seed of the next game, 0 to 2**63 - 1; the same in every env and batch size."""
    return int(random.integers(CORE_SEEDS))
