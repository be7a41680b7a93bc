"""Pages of environments, in Gymnasium's form: spaces, rewards, ends, arguments and versions."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import Any

import gymnasium

from agemonia_env.rulesets.doors import RULESETS
from docs.rulebook import MADE

# What an environment's page leads to: names of actions and numbers, rules, content
READ_ON = {
    "agemonia": (
        "[actions](actions.md), `docs/layout.md` (observation), "
        "[scenarios and heroes](scenarios.md), [rulebook](agemonia-rules.md)"
    ),
    "hexdungeon": (
        "[actions](hexdungeon-actions.md), `docs/hexdungeon-layout.md` (observation), "
        "[scenarios and classes](hexdungeon.md), [rulebook](hex-rules.md)"
    ),
}


# Words of the docstrings that link to a page; {} is its prefix for the ruleset
LINKS = {
    "the page of actions": "[the page of actions]({}actions.md)",
    "The page of the layout": "`docs/{}layout.md`, which `python docs/generate.py` writes,",
    "`ACTION` in the layout": "`ACTION` in `docs/{}layout.md`",
    "fingerprint": "[fingerprint](identity.md)",
}
PREFIXES = {"agemonia": "", "hexdungeon": "hexdungeon-"}


def card_pages() -> dict[str, str]:
    """Name of the page -> environment, for every environment that the package registers."""
    ids = [env_id for doors in RULESETS.values() for env_id in (doors.env_id, *doors.more_envs)]
    return {f"env-{env_id.rpartition('-v')[0].lower()}.md": env_id for env_id in ids}


def env_of(env_id: str) -> type[gymnasium.Env[Any, Any]]:
    """The class of an environment."""
    module, _, name = str(gymnasium.spec(env_id).entry_point).partition(":")
    env: type[gymnasium.Env[Any, Any]] = getattr(import_module(module), name)
    return env


def card(env_id: str) -> str:
    """The page of an environment: its spaces as a table, then the docstring of its class."""
    env, spec = env_of(env_id), gymnasium.spec(env_id)
    ruleset: Any = env.ruleset  # type: ignore[attr-defined]
    made = gymnasium.make(env_id).unwrapped
    rows = {
        "action space": f"`{made.action_space}`",
        "observation space": f"`{made.observation_space}`",
        "make": f'`gymnasium.make("agemonia_env:{env_id}")`',
        "many games": f'`gymnasium.make_vec("agemonia_env:{env_id}", num_envs=64)`',
        "class": f"`{spec.entry_point}`",
        "render modes": ", ".join(f"`{mode}`" for mode in env.metadata["render_modes"]),
        "read on": READ_ON[ruleset.name],
    }
    if spec.vector_entry_point is None:
        del rows["many games"]
    table = "\n".join(f"| {name} | {value} |" for name, value in rows.items())
    about = joined_rows(inspect.cleandoc(str(env.__doc__)))
    about = about.replace("N_ACTIONS", str(ruleset.N_ACTIONS))
    about = about.replace("N_OBSERVATION", str(ruleset.N_OBSERVATION))
    for words, link in LINKS.items():
        about = about.replace(words, link.format(PREFIXES[ruleset.name]))
    summary, _, rest = about.partition("\n\n")
    return f"""\
# {env_id}

{summary} {MADE}

| | |
|---|---|
{table}

{spaced(rest)}

[What a version promises](versions.md)
"""


def joined_rows(text: str) -> str:
    """Join rows of a table that go on in the next line, `| | | more |`, to one."""
    return re.sub(r" \|\n\| \| \| ", " ", text)


def spaced(text: str) -> str:
    """A docstring with an empty line below every heading."""
    return re.sub(r"^(## .*)\n(?!\n)", r"\1\n\n", text, flags=re.MULTILINE)
