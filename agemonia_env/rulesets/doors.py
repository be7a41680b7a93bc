"""The doors of a ruleset: where its parts are, without importing any of them.

A ruleset is a folder of this package whose `__init__` has `DOORS`. The registry finds the folders:
a new ruleset is a new folder, without edits elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

from gymnasium.envs.registration import register, registry

from agemonia_env.display.messages import one_of

BASES = {  # of environment classes, by the end of their names
    "Env": "agemonia_env.envs.single:RulesetEnv",
    "VectorEnv": "agemonia_env.envs.vector:RulesetVectorEnv",
    "VecEnv": "agemonia_env.envs.sb3:RulesetVecEnv",
    "AECEnv": "agemonia_env.envs.pettingzoo:RulesetAECEnv",
    "ParallelEnv": "agemonia_env.envs.pettingzoo:RulesetParallelEnv",
}
DEFAULT = "Agemonia-v0"  # the default environment of commands and functions


@dataclass(frozen=True, kw_only=True)
class Doors:
    """The parts of a ruleset, each as "module:name" below `package`; "" = none.

    ":Env" and the like are classes without more than their ruleset, see env_class.

    pack_files: files and folders that only its packs have. starter: pack and scenario that
    `content new` copies. keys: the docs page with every key of a pack. more_envs: further
    Gymnasium ids. reads_cases: whether a case file belongs to this ruleset; the default ruleset
    gets the rest. coverage, gauntlet, analyse: the function or object behind the option or command
    of that name, or a sentence that says why there is none. pack_tools: a PackTools.
    """

    package: str
    env_id: str
    pack_files: tuple[str, ...]
    starter: tuple[str, str]
    keys: str
    coverage: str = "there is no coverage"
    gauntlet: str = "there is no gauntlet"
    analyse: str = "there is no analysis"
    ruleset: str = "ruleset:RULESET"
    single: str = ":Env"
    vector: str = ":VectorEnv"
    sb3: str = ":VecEnv"
    aec: str = ":AECEnv"
    parallel: str = ":ParallelEnv"
    check_pack: str = "content.compile:check"
    pack_tools: str = "content.pack_tools:PACK_TOOLS"
    starter_enemies: str = "content.load:starter_enemies"
    run_cases: str = "cases.runner:run_cases"
    reads_cases: str = ""
    more_envs: Mapping[str, str] = field(default_factory=dict)

    def place(self, door: str) -> str:
        """The full "module:name" of a door, given its field. Raises ValueError if there is none."""
        place: str = getattr(self, door)
        if " " in place:  # a reason
            raise ValueError(f"--env {self.env_id}: {place}")
        if place.startswith(":"):
            return f"{self.package}:{self._name}{place[1:]}"
        return f"{self.package}.{place}"

    @property
    def _name(self) -> str:
        return self.env_id.partition("-")[0]

    def open(self, door: str) -> Any:
        """Import a door. Raises ValueError if there is no such door."""
        module, _, name = self.place(door).partition(":")
        return attrgetter(name)(import_module(module))

    def env_class(self, name: str) -> Any:
        """The environment class of this name, such as SkirmishVecEnv, made of its base class.

        As `__getattr__` of the package it makes classes that can be pickled. Raises AttributeError.
        """
        kind = name.removeprefix(self._name)
        if kind not in BASES or kind == name:
            raise AttributeError(f"module {self.package!r} has no attribute {name!r}")
        module, _, base = BASES[kind].partition(":")
        body = {"ruleset": self.open("ruleset"), "__module__": self.package}
        made = type(name, (getattr(import_module(module), base),), body)
        setattr(import_module(self.package), name, made)
        return made

    @property
    def packs(self) -> Path:
        """The folder of the packs that come with the ruleset."""
        module = import_module(self.package)
        folder = Path(str(module.__file__)).parent
        inside = folder / "content" / "packs"
        return inside if inside.is_dir() else folder / "packs"

    def register(self) -> None:
        """Make its environments known to Gymnasium."""
        if self.env_id not in registry:
            single, vector = self.place("single"), self.place("vector")
            register(self.env_id, entry_point=single, vector_entry_point=vector)
        for env_id, place in self.more_envs.items():
            if env_id not in registry:
                register(env_id, entry_point=f"{self.package}.{place}")


def doors_in(packages: Iterable[str]) -> dict[str, Doors]:
    """The doors of rulesets, by environment."""
    found = (import_module(package).DOORS for package in packages)
    return {doors.env_id: doors for doors in found}


def doors_of(env_id: str) -> Doors:
    """The doors of the ruleset of an environment. ValueError lists the known ones."""
    if env_id not in RULESETS:
        raise ValueError(one_of("env", env_id, RULESETS))
    return RULESETS[env_id]


def add_ruleset(package: str) -> None:
    """Make a ruleset outside this package known: here and to Gymnasium. package: has `DOORS`."""
    RULESETS.update(doors_in([package]))
    import_module(package).DOORS.register()


HERE = Path(__file__).parent
RULESETS: dict[str, Doors] = doors_in(
    f"{__package__}.{path.parent.name}" for path in sorted(HERE.glob("*/ruleset.py"))
)
