"""The plan of a simulation: checked arguments and the seed of every game."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.display.messages import one_of, shown
from agemonia_env.envs.scenario_cache import ScenarioCache
from agemonia_env.packs.folders import Mistakes
from agemonia_env.policies import (
    OwnPolicy,
    Policy,
    as_own,
    check_policy,
    code_of,
    forget_policies,
    load_policy,
    model_file,
)
from agemonia_env.rulesets.arguments import CORE_SEEDS, RANDOM, Arguments, Compiled, check_number
from agemonia_env.rulesets.doors import DEFAULT
from agemonia_env.rulesets.identity import IDENTITY, identity_of
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of

from .games import game_seeds

ALL = "all"  # the name of all scenarios of a pack
FREE = "free"  # enemy_will that a policy decides
STREAM = 0x6A3E5  # keeps game seeds apart from other uses of a seed
CHUNKS = 100  # of a run, within the sizes below
SMALLEST, LARGEST = 250, 10_000  # games of a chunk
MOST_GAMES = 10**10  # of a run: weeks of play, 300 GB
MOST_CHUNKS = MOST_GAMES // LARGEST  # each is a file until the run ends
CACHED = 64  # kinds of games per process, each with its scenario or its generator, 4 MB


@dataclass(frozen=True)
class Kind:
    """A kind of game to play, JSON-able and hashable.

    party, generator: `heroes` and knobs of the environment, as JSON. ruleset: fingerprint of the
    compiled content, or of the pack's files if scenarios are drawn from a seed. The rest are
    arguments of `env`, None where it has no such argument.
    """

    scenario: str
    party: str
    pack: str
    level: int | None
    difficulty: str | None
    enemy_will: str | None
    enemy_policy: str | None
    ties: str
    max_decisions: int
    scenario_seed: int | str | tuple[int, int] | None
    generator: str = "{}"
    ruleset: str = ""
    env: str = DEFAULT

    def rules(self) -> Ruleset:
        """The ruleset of its environment."""
        return ruleset_of(self.env)

    def load_enemy_policy(self) -> Policy | None:
        """The policy of the enemies, unless the compiled core plays them itself."""
        if self.enemy_policy is None or self.enemy_policy in self.rules().ENEMY_POLICIES:
            return None
        return load_policy(self.env, self.enemy_policy)

    def arguments(self) -> Arguments:
        """The arguments of the environment. Raises ValueError naming a mistake."""
        rules = self.rules()
        compiled = self.enemy_policy in rules.ENEMY_POLICIES
        given = rules.chosen_arguments(
            scenario=self.scenario,
            heroes=json.loads(self.party),
            pack=self.pack,
            level=self.level,
            difficulty=self.difficulty,
            enemy_will=self.enemy_will,
            ties=self.ties,
            max_decisions=self.max_decisions,
            scenario_seed=self.scenario_seed,
            generator=json.loads(self.generator) or None,
            opponent=self.enemy_policy if compiled else None,
            side="both" if self.enemy_policy and not compiled else None,
        )
        return rules.check_arguments(**given)


def compile_planned(kind: Kind, scenario_seed: int | None) -> Compiled:
    """The scenario of a game. ValueError if it differs from the planned one."""
    compiled = scenario_cache(kind).acquire(scenario_seed)
    if scenario_seed is None and kind.ruleset not in ("", compiled.fingerprint):
        raise ValueError(
            f"{kind.scenario}: planned with ruleset {kind.ruleset}, but here it is "
            f"{compiled.fingerprint}"
        )
    return compiled


@lru_cache(CACHED)
def scenario_cache(kind: Kind) -> ScenarioCache:
    """The scenario cache of a kind, which draws scenarios as environments do."""
    return ScenarioCache(kind.arguments())


@dataclass(frozen=True)
class Plan:
    """A simulation: game k of `games` plays kind k % len(kinds), in chunks of `chunk` games."""

    kinds: tuple[Kind, ...]
    policy: str
    games: int
    seed: int
    chunk: int

    @property
    def env(self) -> str:
        """Id of the environment, shared by all kinds."""
        return self.kinds[0].env

    def n_chunks(self) -> int:
        """The number of chunks; the last may be smaller."""
        return -(-self.games // self.chunk)

    def numbers(self, chunk: int) -> range:
        """Numbers of the games of a chunk."""
        return range(chunk * self.chunk, min((chunk + 1) * self.chunk, self.games))

    def seeds(self, games: range) -> NDArray[np.uint64]:
        """Seeds of games: see games.game_seeds."""
        return game_seeds(self.seed, STREAM, games)

    def record(self) -> dict[str, Any]:
        """The plan, JSON-able, with the identity of the rules, independent of the machine.

        Raises ValueError if its results could not be told from those of another policy.
        """
        for name in (self.policy, *(kind.enemy_policy for kind in self.kinds)):
            if isinstance(name, OwnPolicy) and not name.is_saved:
                raise ValueError(f"policy {name}: define its class in a file to save its games")
        record: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        rules = ruleset_of(self.env)
        for kind in record["kinds"]:
            kind["pack"] = rules.load_pack(kind["pack"]).name  # without its path
            del kind["env"]  # implied by the version of the rules
        versions = {"rules": rules.version, IDENTITY: identity_of(self.env)}
        return {**versions, **record, **self.models()}

    def models(self) -> dict[str, str]:
        """A hash for each model that plays, 16 hex digits by name.

        It covers the model's file, and the trainer's code if that plays it.
        """
        names = {self.policy, *(kind.enemy_policy for kind in self.kinds)} - {None}
        found = {name: model_file(name) for name in sorted(filter(None, names))}
        return {
            name: hash_of_files([path, *code_of(path)])
            for name, path in found.items()
            if path is not None
        }


def make_plan(
    scenario: str | Sequence[str] | None,
    heroes: Any,
    policy: Any,
    games: int,
    *,
    env: str = DEFAULT,
    seed: int = 0,
    pack: str | Path | None = None,
    level: int | Sequence[int | None] | None = None,
    difficulty: str | Sequence[str] | None = None,
    enemy_will: str | None = None,
    enemy_policy: Any = None,
    ties: str = "auto",
    max_decisions: int | None = None,
    scenario_seed: int | str | Sequence[int] | None = None,
    generator: str | Mapping[str, Any] | None = None,
    chunk: int | None = None,
) -> Plan:
    """Check the arguments of `simulate`. Raises ContentError with every mistake.

    policy, enemy_policy: names, or objects of one's own.
    """
    several_of = {"heroes": parties(heroes), "level": several(level)}
    several_of |= {"difficulty": several(difficulty), "enemy_will": [enemy_will]}
    several_of |= {"ties": [ties], "max_decisions": [max_decisions]}
    rules, wrong = ruleset_of(env), Mistakes()
    pack = str(rules.check_arguments().pack if pack is None else pack)
    scenarios: list[str] = []
    with wrong.gathered():
        scenarios = scenarios_of(rules, pack, scenario)
    sound: dict[str, list[Any]] = {key: [] for key in several_of}  # valid by themselves
    for key, values in several_of.items():
        for value in values:
            with wrong.gathered():
                rules.check_arguments(**rules.chosen_arguments(**{key: value}))
                sound[key].append(value)
    with wrong.gathered():
        policy, enemy_policy = as_own(policy), as_own(enemy_policy)
        check_policies(rules, policy, enemy_policy, enemy_will)
    with wrong.gathered():
        games = check_number("games", games, 1, MOST_GAMES)
    with wrong.gathered():
        seed = check_number("seed", seed, 0, CORE_SEEDS - 1)
    with wrong.gathered():
        chunk = None if chunk is None else check_number("chunk", chunk, 1)
    scenario_cache.cache_clear()  # a pack may have been edited since
    kinds = []
    with wrong.gathered():
        for name, *values in itertools.product(
            scenarios, *(own or [None] for own in sound.values())
        ):
            drawn = (scenario_seed, generator) if name == RANDOM or RANDOM not in scenarios else ()
            own = {"pack": pack, **dict(zip(("scenario_seed", "generator"), drawn, strict=False))}
            own |= dict(zip(sound, values, strict=True))
            checked = rules.check_arguments(**rules.chosen_arguments(scenario=name, **own))
            kinds.append(_kind(rules, checked, enemy_policy))
        check_each_once(kinds)
    wrong.tell()
    least, batch = -(-games // MOST_CHUNKS), load_policy(env, policy).batch
    if chunk is None:
        chunk = min(max(-(-games // CHUNKS), min(SMALLEST, batch)), LARGEST)
    elif chunk < least:
        most = f"a run has at most {MOST_CHUNKS:,} chunks"
        raise ValueError(f"chunk={chunk}: must be {least:,} or more for {games:,} games; {most}")
    return Plan(tuple(kinds), policy, games, seed, chunk)


def check_each_once(kinds: Sequence[Kind]) -> None:
    """ValueError if two kinds of game are the same, though written differently."""
    twice = [kind for kind, times in Counter(kinds).items() if times > 1]
    if twice:
        kind = twice[0]
        text = f"scenario={shown(kind.scenario)}, heroes={kind.party}, level={kind.level}"
        text += "" if kind.difficulty is None else f", difficulty={shown(kind.difficulty)}"
        raise ValueError(f"{text}: given twice; each at most once")


def check_policies(
    rules: Ruleset, policy: str, enemy_policy: str | None, enemy_will: str | None
) -> None:
    """ValueError for an unknown policy, or one with nothing to decide."""
    forget_policies()
    load_policy(rules.env_id, policy)
    if enemy_policy is not None and enemy_will != FREE:
        raise ValueError(
            f"enemy_policy={shown(enemy_policy)}: cards move the enemies unless enemy_will={FREE!r}"
        )
    if enemy_policy is not None and enemy_policy not in rules.ENEMY_POLICIES:
        check_policy(enemy_policy, rules.ENEMY_POLICIES, what="enemy_policy")
        load_policy(rules.env_id, enemy_policy)


def _kind(rules: Ruleset, checked: Arguments, enemy_policy: str | None) -> Kind:
    """The kind of game of checked arguments."""
    chosen = checked.heroes if isinstance(checked.heroes, int) else list(checked.heroes)
    settled = checked.settled()
    optional: dict[str, Any] = {
        name: getattr(settled, name, None)
        for name in ("level", "difficulty", "enemy_will", "scenario_seed")
    }
    free = optional["enemy_will"] == FREE
    kind = Kind(
        scenario=checked.scenario,
        party=json.dumps(chosen, sort_keys=True),
        pack=checked.pack,
        enemy_policy=(enemy_policy or "greedy") if free else None,
        ties=checked.ties,
        generator=json.dumps(checked.generator, sort_keys=True),
        max_decisions=checked.max_decisions,
        env=rules.env_id,
        **optional,
    )
    ruleset = checked.reference().fingerprint  # compile now, to report mistakes now
    if kind.scenario_seed is not None:
        loaded = rules.load_pack(checked.pack)
        ruleset = pack_hash(loaded.folder, loaded.name)
    return replace(kind, ruleset=ruleset)


def pack_hash(folder: Path, name: str) -> str:
    """16 hex digits that change with any file of a pack and with the changes in its name."""
    digest = hashlib.sha256(name.removeprefix(folder.name).encode())
    for path in sorted(folder.rglob("*.yaml")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def hash_of_files(paths: Iterable[Path]) -> str:
    """16 hex digits that change with the content of any of these files."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def scenarios_of(rules: Ruleset, pack: str, scenario: str | Sequence[str] | None) -> list[str]:
    """Names of the scenarios to play, each once; None: the environment's default."""
    known = rules.load_pack(pack).scenarios
    drawn = (RANDOM,) if "scenario_seed" in rules.parameters else ()
    names = several(rules.check_arguments().scenario if scenario is None else scenario)
    if names == [ALL]:
        names = list(known)
    for name in names:
        if name not in (*known, *drawn):
            if name == ALL:
                raise ValueError(f"scenario={ALL!r}: must stand alone: it is every scenario")
            raise ValueError(one_of("scenario", name, (*known, *drawn, ALL)))
    if len(set(names)) < len(names):
        raise ValueError(f"scenario={shown(names)}: each at most once")
    return names


def parties(heroes: Any) -> list[Any]:
    """The parties to play: one, or a list of numbers or of lists of heroes."""
    found = several(heroes)
    return [heroes] if any(isinstance(party, str | Mapping) for party in found) else found


def several(value: Any) -> list[Any]:
    """One or several values as a list."""
    if isinstance(value, Sequence) and not isinstance(value, str) and value:
        return list(value)
    return [value]
