"""Experiments: two variants of a pack under the same conditions, checked before any game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from agemonia_env.packs.folders import STRICT, Mistakes, listed
from agemonia_env.packs.patches import SEPARATOR, is_file, read_patch
from agemonia_env.rulesets.pack_tools import PackTools, pack_tools_of
from agemonia_env.simulation.interval import any_look, one_look
from agemonia_env.simulation.plan import Kind, Plan, compile_planned

from .accumulator import Difference, Metrics, metrics_of
from .study_config import (
    FEWEST_GAMES,
    ChangeText,
    StudyConfig,
    condition,
    condition_text,
    made_with,
    models_of,
    pack_name,
    plans_of,
)

GAMES = 2_000  # default, of a variant per condition
MOST_GAMES = 1_000_000  # default where the width of the interval decides


class ArmConfig(BaseModel):
    """A variant: changes, or files of changes, and its name in the report."""

    model_config = STRICT

    name: Annotated[str, Field(min_length=1, max_length=80)] | None = None
    changes: Annotated[list[ChangeText], BeforeValidator(listed)] = []


Arm = Annotated[
    ArmConfig, BeforeValidator(lambda v: v if isinstance(v, dict) else {"changes": listed(v)})
]


class CompareConfig(StudyConfig):
    """A file for `agemonia balance compare`; keys as in balance.compare."""

    a: Arm = ArmConfig()
    b: Arm = ArmConfig()
    width: Annotated[float, Field(gt=0, le=100)] | None = None

    def check_own(self, base: Sequence[Plan], wrong: Mistakes) -> None:
        """Gather mistakes in the variants."""
        for key, arm in (("a", self.a), ("b", self.b)):
            with wrong.gathered(f"{key}: "):
                pack = self.tools.variant(self.pack, *arm.changes)
                if base:
                    plans_of(self, pack, FEWEST_GAMES)


@dataclass(frozen=True)
class Variant:
    """One side of a comparison. pack: its text."""

    name: str
    pack: str
    env: str

    @property
    def tools(self) -> PackTools:
        """Reads the pack."""
        return pack_tools_of(self.env)

    @property
    def changes(self) -> str:
        """The changes as text."""
        return self.pack.partition(f"{SEPARATOR} ")[2] or "nothing"

    @cached_property
    def label(self) -> str:
        """The name for readers: its changes in words if it has no name of its own."""
        return self.tools.changes_in_words(self.pack) if self.name == self.changes else self.name

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the numbers, rules and names of the pack."""
        return self.tools.fingerprint(self.tools.cards(self.pack))

    @cached_property
    def numbers(self) -> str:
        """Hash of the numbers and rules of the pack."""
        return self.tools.fingerprint(self.tools.cards(self.pack), names=False)

    def record(self) -> dict[str, str]:
        """The variant, JSON-able."""
        pack = pack_name(self.env, self.pack)
        provenance = {"fingerprint": self.fingerprint, "numbers": self.numbers}
        return {"name": self.name, "pack": pack, **provenance}


@dataclass(frozen=True)
class Condition:
    """One kind of game and policy. plans: of a and b, same seeds; alike: both play alike."""

    plans: tuple[Plan, Plan]
    alike: bool

    def __str__(self) -> str:
        """In words: `ford, 2 heroes, greedy`."""
        return condition_text(self.plans[0])

    @property
    def kind(self) -> Kind:
        """The kind of game of a; b plays the same in its variant."""
        return self.plans[0].kinds[0]

    def condition(self) -> dict[str, Any]:
        """See study_config.condition."""
        return condition(self.plans[0])


@dataclass(frozen=True)
class Experiment:
    """Two variants under a number of conditions; width: see balance.compare."""

    a: Variant
    b: Variant
    conditions: tuple[Condition, ...]
    width: float | None
    text: str = ""

    @property
    def env(self) -> str:
        """Id of the environment."""
        return self.a.env

    @cached_property
    def metrics(self) -> Metrics:
        """The metrics compared, by name."""
        return metrics_of(self.env)

    @property
    def games(self) -> int:
        """The maximum number of pairs per condition."""
        return self.conditions[0].plans[0].games

    @property
    def models(self) -> dict[str, str]:
        """A hash of the file of each model that plays, by name."""
        return models_of([condition.plans[0] for condition in self.conditions])

    @property
    def tightest(self) -> float:
        """Pairs at which the anytime interval is tuned to be narrowest: about the likely end."""
        if self.width is None:
            return self.games
        return min(self.games, (self.width / 200) ** -2)  # if differences have a variance of 0.1

    def interval(self, found: Difference, *, any_time: bool = False) -> tuple[float, float]:
        """The 95 % interval of a difference.

        any_time: make it valid before the last pair, too; always so if the width decides the end.
        """
        if any_time or self.width is not None:
            half = any_look(found.pairs, found.variance, self.tightest)
        else:
            half = one_look(found.pairs, found.variance)
        return found.difference - half, found.difference + half

    def record(self) -> dict[str, Any]:
        """The experiment, JSON-able, with versions; nothing that depends on the machine."""
        plan = self.conditions[0].plans[0]
        shared = ("enemy_will", "enemy_policy", "ties", "max_decisions", "scenario_seed")
        kinds = [
            {key: asdict(condition.kind)[key] for key in shared} for condition in self.conditions
        ]
        record = {
            **made_with(self.env),
            "env": self.env,
            "text": self.text,
            "a": self.a.record(),
            "b": self.b.record(),
            "seed": plan.seed,
            "games": self.games,
            "width": self.width,
            "models": self.models,
            "conditions": [
                {
                    **condition.condition(),
                    **kind,
                    "block": condition.plans[0].chunk,
                    "ruleset_a": condition.plans[0].kinds[0].ruleset,
                    "ruleset_b": condition.plans[1].kinds[0].ruleset,
                    "alike": condition.alike,
                }
                for condition, kind in zip(self.conditions, kinds, strict=True)
            ],
        }
        return dict(json.loads(json.dumps(record)))


def experiment_of(config: CompareConfig) -> Experiment:
    """Build the experiment of a config."""
    games = config.games or (GAMES if config.width is None else MOST_GAMES)
    sides = []
    for arm in (config.a, config.b):
        pack, name = config.tools.variant(config.pack, *arm.changes), arm.name
        if name is None and len(arm.changes) == 1 and is_file(arm.changes[0]):
            name = read_patch(Path(arm.changes[0])).name
        name = name or pack.partition(f"{SEPARATOR} ")[2] or "as it is"
        sides.append(Variant(name, pack, config.env))
    plans, (a, b) = [plans_of(config, side.pack, games) for side in sides], sides
    conditions = tuple(
        Condition((one, other), _is_alike(one.kinds[0], other.kinds[0], a.numbers == b.numbers))
        for one, other in zip(*plans, strict=True)
    )
    return Experiment(a, b, conditions, config.width, config.text)


def _is_alike(a: Kind, b: Kind, same_pack: bool) -> bool:
    """Whether games of both kinds must be the same, decision for decision."""
    if a.scenario_seed is not None or same_pack:
        return same_pack
    one, other = compile_planned(a, None), compile_planned(b, None)
    return one.content.tobytes() == other.content.tobytes()
