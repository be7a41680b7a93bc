"""The plan of a simulation: checked arguments and the seed of every game."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    model_file,
    policy_of,
)
from agemonia_env.rulesets import identity
from agemonia_env.rulesets.arguments import CORE_SEEDS, Arguments, Compiled, check_number
from agemonia_env.rulesets.doors import DEFAULT
from agemonia_env.rulesets.identity import IDENTITY, identity_of
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of

from .games import game_seeds

ALL = "all"  # the name of all scenarios of a pack
RANDOM = "random"  # the name of scenarios drawn from a seed
FREE = "free"  # enemy_will that a policy decides
STREAM = 0x6A3E5  # keeps game seeds apart from other uses of a seed
CHUNKS = 100  # of a run, within the sizes below
SMALLEST, LARGEST = 250, 10_000  # games of a chunk
MOST_GAMES = 10**10  # of a run: weeks of play, 300 GB
MOST_CHUNKS = MOST_GAMES // LARGEST  # each is a file until the run ends
CACHED = 1024  # compiled scenarios per process, 0.1 MB each; holds all test scenarios


@dataclass(frozen=True)
class Kind:
    """A kind of game to play, JSON-able and hashable.

    party: `heroes` of the environment, as JSON. ruleset: fingerprint of the compiled content, or of
    the pack's files if scenarios are drawn from a seed. The rest are arguments of `env`, None where
    it has no such argument.
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
            opponent=self.enemy_policy if compiled else None,
            side="both" if self.enemy_policy and not compiled else None,
        )
        return rules.check_arguments(**given)


@lru_cache(CACHED)
def compile_planned(kind: Kind, scenario_seed: int | None) -> Compiled:
    """Compile the scenario of a game. ValueError if it differs from the planned one."""
    compiled = kind.arguments().compile(scenario_seed or 0)
    if scenario_seed is None and kind.ruleset not in ("", compiled.fingerprint):
        raise ValueError(
            f"{kind.scenario}: planned with ruleset {kind.ruleset}, but here it is "
            f"{compiled.fingerprint}"
        )
    return compiled


def load_policy(env: str, name: str) -> Policy:
    """Load a policy by name. Raises ValueError for an unknown name."""
    if isinstance(name, OwnPolicy):  # another one may have the same name
        return policy_of(ruleset_of(env), name)
    return load_named(env, name)


@lru_cache(16)
def load_named(env: str, name: str) -> Policy:
    """Load a policy of the package or a model, once."""
    return policy_of(ruleset_of(env), name)


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
        self._check_saved()
        record: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        rules = ruleset_of(self.env)
        for kind in record["kinds"]:
            kind["pack"] = rules.load_pack(kind["pack"]).name  # without its path
            del kind["env"]  # implied by the version of the rules
        versions = {"rules": rules.version, IDENTITY: identity_of(self.env)}
        return {**versions, **record, **self.models()}

    def _check_saved(self) -> None:
        for name in (self.policy, *(kind.enemy_policy for kind in self.kinds)):
            if isinstance(name, OwnPolicy) and not name.is_saved:
                raise ValueError(f"policy {name}: define its class in a file to save its games")

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
    chunk: int | None = None,
) -> Plan:
    """Check the arguments of `simulate`. Raises ContentError with every mistake.

    policy, enemy_policy: names, or objects of one's own.
    """
    rules, wrong = ruleset_of(env), Mistakes()
    pack = str(rules.check_arguments().pack if pack is None else pack)
    scenarios: list[str] = []
    with wrong.gathered():
        scenarios = scenarios_of(rules, pack, scenario)
    several_of = {"heroes": parties(heroes)}
    several_of |= {"level": several(level), "difficulty": several(difficulty)}
    one_of = {"enemy_will": enemy_will, "ties": ties, "max_decisions": max_decisions}
    sound = sound_of(rules, several_of | {key: [value] for key, value in one_of.items()}, wrong)
    with wrong.gathered():
        policy, enemy_policy = as_own(policy), as_own(enemy_policy)
        check_policies(rules, policy, enemy_policy, enemy_will)
    with wrong.gathered():
        games = check_number("games", games, 1, MOST_GAMES)
    with wrong.gathered():
        seed = check_number("seed", seed, 0, CORE_SEEDS - 1)
    with wrong.gathered():
        chunk = None if chunk is None else check_number("chunk", chunk, 1)
    compile_planned.cache_clear()  # a pack may have been edited since
    kinds = []
    with wrong.gathered():
        for name, *values in itertools.product(scenarios, *sound.values()):
            drawn = scenario_seed if name == RANDOM or RANDOM not in scenarios else None
            own = {"pack": pack, "scenario_seed": drawn, **dict(zip(sound, values, strict=True))}
            checked = rules.check_arguments(**rules.chosen_arguments(scenario=name, **own))
            kinds.append(_kind(rules, checked, enemy_policy))
        check_each_once(kinds)
    wrong.tell()
    size = chunk_size(games, chunk, load_policy(env, policy).batch)
    return Plan(tuple(kinds), policy, games, seed, chunk=size)


def chunk_size(games: int, chunk: int | None, batch: int) -> int:
    """Games of a chunk: as given, or for a policy of this batch. ValueError if too small."""
    if chunk is None:
        return min(max(-(-games // CHUNKS), min(SMALLEST, batch)), LARGEST)
    least = -(-games // MOST_CHUNKS)
    if chunk < least:
        most = f"a run has at most {MOST_CHUNKS:,} chunks"
        raise ValueError(f"chunk={chunk}: must be {least:,} or more for {games:,} games; {most}")
    return chunk


def sound_of(
    rules: Ruleset, choices: Mapping[str, Sequence[Any]], wrong: Mistakes
) -> dict[str, list[Any]]:
    """The values of each argument that are valid by themselves; [None] if there are none."""
    sound: dict[str, list[Any]] = {key: [] for key in choices}
    for key, values in choices.items():
        for value in values:
            with wrong.gathered():
                rules.check_arguments(**rules.chosen_arguments(**{key: value}))
                sound[key].append(value)
    return {key: values or [None] for key, values in sound.items()}


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
    load_named.cache_clear()  # a model may have been trained since
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


def key_of(record: Mapping[str, Any]) -> bytes:
    """The bytes of a record to hash: everything its games depend on.

    The behaviour of the rules is left out: the sources determine it, and content that is not played
    does not matter.
    """
    text = {key: value for key, value in record[IDENTITY].items() if key != identity.BEHAVIOUR}
    return json.dumps({**record, IDENTITY: text}, sort_keys=True).encode()


def differences(old: Any, new: Any, key: str = "") -> Iterator[str]:
    """Differences of two records, a line each: `kinds[0].difficulty: "hard", now "easy"`."""
    if isinstance(old, dict) and isinstance(new, dict):
        if IDENTITY in new:
            yield from identity.differences(old.get(IDENTITY), new[IDENTITY])
        for name in {**old, **new}:
            if name == IDENTITY:
                continue
            inner = f"{key}.{name}" if key else name
            yield from differences(old.get(name), new.get(name), inner)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(one, other, f"{key}[{i}]")
    elif isinstance(old, list) and isinstance(new, list):
        yield f"{key}: {len(old)} of them, now {len(new)}"
    elif old != new:
        yield f"{key}: {json.dumps(old)}, now {json.dumps(new)}"
