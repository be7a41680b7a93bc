"""What a row says about its game: every column once, with its type and its meaning."""

from __future__ import annotations

from collections.abc import Mapping
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
    """A column of the rows."""

    name: str
    dtype: pl.DataType
    meaning: str


# Those of every ruleset; what an environment has no argument for is null.
SHARED = (
    ("game", "number", "number of the game in its run, from 0"),
    ("seed", "number", 'fixes all chance: `env.reset(options={"core_seed": seed})`'),
    ("pack", "text", "name of the content pack, with its changes"),
    ("scenario", "text", "name of the scenario"),
    ("scenario_seed", "number", "that it was drawn from; null if it was not"),
    ("party", "text", "`heroes` of the environment, as JSON"),
    ("level", "small", "of Heroes whose party does not say theirs, 1 to 5"),
    ("difficulty", "text", "easy, normal, hard or brutal"),
    ("enemy_will", "text", "card or free"),
    ("ties", "text", "ask: the policy settles those of the players; auto: the first is taken"),
    ("policy", "text", "of the Heroes"),
    ("enemy_policy", "text", "of the Enemies; null where their cards move them"),
    ("ruleset", "text", "fingerprint of rules and content"),
    ("won", "flag", "by the Heroes"),
    ("ending", "text", "{endings}; none: given up, too long"),
    ("rounds", "small", "begun"),
    ("decisions", "count", "of both sides, forced ones counted"),
    ("exhausted", "small", "times that a Hero was exhausted"),
    ("damage_dealt", "small", "to Enemies, health points"),
    ("damage_taken", "small", "by Heroes, chips, lost stamina included"),
)

Values = Mapping[str, NDArray[Any]]  # by column, (n,) or (n, figures)


@cache
def columns_of(env: str) -> tuple[Column, ...]:
    """The columns of the games of an environment, in order."""
    rules = ruleset_of(env)
    endings = ", ".join(rules.ENDINGS[1:])
    return tuple(
        Column(name, TYPES[kind], meaning.replace("{endings}", endings))
        for name, kind, meaning in (*SHARED, *rules.RESULT_COLUMNS)
    )


def schema_of(env: str) -> dict[str, pl.DataType]:
    """Their types by name."""
    return {column.name: column.dtype for column in columns_of(env)}


def outcome(rules: Ruleset, states: Records, compiled: Compiled) -> Values:
    """What became of n games of one scenario."""
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
    kind: Kind, scenario_seed: int | None, policy: str, compiled: Compiled, values: Values
) -> pl.DataFrame:
    """Rows of n games of one scenario.

    values: those of `outcome`, with `game` and `seed`.
    """
    rules, schema = kind.rules(), schema_of(kind.env)
    same: dict[str, Any] = {
        "pack": compiled.names.pack,
        "scenario": kind.scenario,
        "scenario_seed": scenario_seed,
        "party": kind.party,
        "level": kind.level,
        "difficulty": kind.difficulty,
        "enemy_will": kind.enemy_will,
        "ties": kind.ties,
        "policy": policy,
        "enemy_policy": kind.enemy_policy,
        "ruleset": compiled.fingerprint,
        **rules.figure_names(compiled),
    }
    told = {name: pl.Series(name, array) for name, array in values.items()}
    told["ending"] = pl.Series(rules.ENDINGS).gather(values["ending"])
    alike = (pl.lit(value, schema[name]).alias(name) for name, value in same.items())
    frame = pl.DataFrame(told).with_columns(alike)
    return frame.select(pl.col(name).cast(dtype) for name, dtype in schema.items())
