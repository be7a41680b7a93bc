"""`agemonia info`: versions, scenarios and their fingerprints, sizes, compile cache."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

from agemonia_env import __version__
from agemonia_env.rulesets.identity import cached_rules_hash
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of
from agemonia_env.warmup import cache_state

PACKAGES = ("gymnasium", "numba", "numpy")


def lines(env: str, **choices: Any) -> Iterator[str]:
    """The lines about an environment.

    choices: pack, heroes, level, difficulty; None = the environment's default. Raises ValueError.
    """
    rules = ruleset_of(env)
    given = rules.chosen_arguments(**choices)
    pack = rules.load_pack(given.get("pack", rules.check_arguments().pack))
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    yield f"versions   agemonia_env {__version__}, {versions}, python {platform.python_version()}"
    plays = cached_rules_hash(env) or "unknown until `agemonia warmup`"
    yield f"ruleset    {rules.version}, pack {pack.name}, plays as {plays}"
    for name in pack.scenarios:
        yield f"scenario   {_scenario(rules, pack.scenarios[name], {**given, 'scenario': name})}"
    heroes = getattr(pack, "heroes", None) or pack.classes
    yield f"heroes     {', '.join(heroes)}"
    yield (
        f"sizes      state {rules.STATE.itemsize:,} bytes, content {rules.CONTENT.itemsize:,} "
        f"bytes, observation {rules.N_OBSERVATION} numbers, {rules.N_ACTIONS} actions"
    )
    yield f"cache      {cache_state(env)}"


def _scenario(rules: Ruleset, card: Any, given: dict[str, Any]) -> str:
    """A scenario with these arguments, and its fingerprint."""
    if "difficulty" in rules.parameters and not card.difficulty:
        given = {**given, "difficulty": "normal"}  # the only one
    arguments: Any = rules.check_arguments(**given)
    heroes = arguments.heroes
    words = [f"level {arguments.level or card.level}"]
    words += [arguments.difficulty] if "difficulty" in rules.parameters else []
    words += [f"{heroes if isinstance(heroes, int) else len(heroes)} heroes"]
    fingerprint = arguments.compile().fingerprint
    return f"{given['scenario']}: {card.name}; {', '.join(words)}: fingerprint {fingerprint}"
