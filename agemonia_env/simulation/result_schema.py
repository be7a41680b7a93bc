"""The columns of result rows, each with type and meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agemonia_env.rulesets.arguments import Compiled
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of

from .games import Records
from .plan import Kind

TYPES: dict[str, pl.DataType] = {
    "text": pl.String(),
    "flag": pl.Boolean(),
    "small": pl.Int16(),
    "count": pl.Int32(),
    "number": pl.Int64(),
    "texts": pl.List(pl.String()),
    "flags": pl.List(pl.Boolean()),
    "numbers": pl.List(pl.Int16()),
}


class Column(NamedTuple):
    """A column of the result rows."""

    name: str
    dtype: pl.DataType
    meaning: str


# Columns of every ruleset; null where an environment has no such argument.
SHARED = (
    ("game", "number", "number of the game in its run, from 0"),
    ("seed", "number", 'fixes all chance: `env.reset(options={"core_seed": seed})`'),
    ("pack", "text", "name of the content pack, with its changes"),
    ("scenario", "text", "name of the scenario"),
    ("scenario_seed", "number", "seed of a scenario drawn from one, else null"),
    ("party", "text", "`heroes` of the environment, as JSON"),
    ("level", "small", "level of heroes for which the party gives none, 1 to 5"),
    ("difficulty", "text", "easy, normal, hard or brutal"),
    ("enemy_will", "text", "card or free"),
    ("ties", "text", "ask: the policy settles the players' ties; auto: the first choice is taken"),
    ("policy", "text", "of the heroes"),
    ("enemy_policy", "text", "of the enemies; null where cards move them"),
    ("ruleset", "text", "fingerprint of rules and content"),
    ("won", "flag", "by the heroes"),
    ("ending", "text", "{endings}; none: aborted because it took too long"),
    ("rounds", "small", "begun"),
    ("decisions", "count", "of both sides, including forced ones"),
    ("exhausted", "small", "how often a hero was exhausted"),
    ("damage_dealt", "small", "to enemies, health points"),
    ("damage_taken", "small", "by heroes, in chips, lost stamina included"),
)

SCENARIO = "which"  # beside the columns: the number of the scenario of each game

Values = Mapping[str, NDArray[Any]]  # by column, (n,) or (n, figures)


@cache
def columns_of(env: str) -> tuple[Column, ...]:
    """The columns for an environment, in order."""
    rules = ruleset_of(env)
    endings = ", ".join(rules.ENDINGS[1:])
    return tuple(
        Column(name, TYPES[kind], meaning.replace("{endings}", endings))
        for name, kind, meaning in (*SHARED, *rules.RESULT_COLUMNS)
    )


def schema_of(env: str) -> dict[str, pl.DataType]:
    """The types of these columns by name."""
    return {column.name: column.dtype for column in columns_of(env)}


def statistics(rules: Ruleset, states: Records, compiled: Compiled) -> Values:
    """Statistics of n ended games of one scenario, by column."""
    return {
        "won": states["won"].astype(np.bool_),
        "ending": states["ending"].copy(),
        "rounds": states["round"].copy(),
        "decisions": states["decisions"].copy(),
        "exhausted": states["n_exhausted"].copy(),
        "damage_dealt": states["damage_dealt"].copy(),
        "damage_taken": states["damage_taken"].copy(),
        **rules.statistics(states, compiled),
    }


def rows(
    kind: Kind,
    scenario_seeds: Sequence[int | None],
    policy: str,
    compiled: Sequence[Compiled],
    values: Values,
) -> pl.DataFrame:
    """Rows of n games of scenarios with as many figures.

    values: of `statistics`, with `game`, `seed`, and by SCENARIO which of the scenarios it is.
    """
    rules, schema = kind.rules(), schema_of(kind.env)
    own = values[SCENARIO]
    same: dict[str, Any] = {
        "pack": rules.load_pack(kind.pack).name,
        "scenario": kind.scenario,
        "party": kind.party,
        "level": kind.level,
        "difficulty": kind.difficulty,
        "enemy_will": kind.enemy_will,
        "ties": kind.ties,
        "policy": policy,
        "enemy_policy": kind.enemy_policy,
    }
    there = np.unique(own)
    by_scenario: dict[str, list[Any]] = {
        "scenario_seed": [scenario_seeds[k] for k in there],
        "ruleset": [compiled[k].fingerprint for k in there],
    }
    names = [rules.figure_names(compiled[k]) for k in there]
    by_scenario |= {name: [one[name] for one in names] for name in names[0]}
    columns = {name: pl.Series(name, array) for name, array in values.items() if name != SCENARIO}
    columns["ending"] = pl.Series(rules.ENDINGS).gather(values["ending"])
    places = np.searchsorted(there, own)
    for name, listed in by_scenario.items():
        columns[name] = pl.Series(name, listed, schema[name]).gather(places)
    alike = (pl.lit(value, schema[name]).alias(name) for name, value in same.items())
    frame = pl.DataFrame(columns).with_columns(alike)
    return frame.select(pl.col(name).cast(dtype) for name, dtype in schema.items())
