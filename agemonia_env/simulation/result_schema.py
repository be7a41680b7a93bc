"""The columns of result rows, each with type and meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agemonia_env.rulesets.arguments import Compiled
from agemonia_env.rulesets.generators import Figures
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


class Played:
    """What rows say of games of one kind, in one scenario or several.

    seeds: of each scenario, None if it is not drawn; rulesets: their fingerprints; figures: names
    of their figures, by column.
    """

    def __init__(
        self,
        kind: Kind,
        policy: str,
        seeds: Sequence[int | None],
        rulesets: Sequence[str],
        figures: Mapping[str, Figures],
    ) -> None:
        self.kind, self.policy, self.seeds = kind, policy, seeds
        self.rules, self.schema = kind.rules(), schema_of(kind.env)
        self.rulesets, self.figures = rulesets, figures
        self.most = {name: one.numbers.shape[1] for name, one in figures.items()}

    def statistics(self, states: Records) -> Values:
        """Statistics of n ended games, by column."""
        return {
            "won": states["won"].astype(np.bool_),
            "ending": states["ending"].copy(),
            "rounds": states["round"].copy(),
            "decisions": states["decisions"].copy(),
            "exhausted": states["n_exhausted"].copy(),
            "damage_dealt": states["damage_dealt"].copy(),
            "damage_taken": states["damage_taken"].copy(),
            **self.rules.statistics(states, self.most),
        }

    def rows(self, values: Values, which: NDArray[np.int16]) -> pl.DataFrame:
        """Rows of n games. values: of `statistics`, with `game` and `seed`; which: scenarios."""
        kind, schema = self.kind, self.schema
        columns = {name: pl.Series(name, array) for name, array in values.items()}
        columns["ending"] = pl.Series(self.rules.ENDINGS).gather(values["ending"])
        columns["scenario_seed"] = pl.Series(self.seeds, dtype=pl.Int64).gather(which)
        columns["ruleset"] = pl.Series(self.rulesets).gather(which)
        columns |= {name: _lists(one, which) for name, one in self.figures.items()}
        same: dict[str, Any] = {
            "pack": self.rules.load_pack(kind.pack).name,
            "scenario": kind.scenario,
            "party": kind.party,
            "level": kind.level,
            "difficulty": kind.difficulty,
            "enemy_will": kind.enemy_will,
            "ties": kind.ties,
            "policy": self.policy,
            "enemy_policy": kind.enemy_policy,
        }
        alike = (pl.lit(value, schema[name]).alias(name) for name, value in same.items())
        frame = pl.DataFrame(columns).with_columns(*alike, *self._cut())
        return frame.select(pl.col(name).cast(dtype) for name, dtype in schema.items())

    def _cut(self) -> Iterator[pl.Expr]:
        """Lists by figure, each as long as its scenario has figures.

        They follow the texts that name the figures: see Ruleset.RESULT_COLUMNS.
        """
        named = ""
        for name, kind, _ in self.rules.RESULT_COLUMNS:
            named = name if kind == "texts" else named
            if kind in ("numbers", "flags"):
                yield pl.col(name).arr.to_list().list.head(pl.col(named).list.len())


def _lists(figures: Figures, which: NDArray[np.int16]) -> pl.Series:
    """Names of figures, a list for each game."""
    numbers = figures.numbers[which]
    if not numbers.size:
        return pl.Series([[]] * len(which), dtype=pl.List(pl.String))
    names = pl.Series(figures.names).gather(numbers.ravel()).reshape(numbers.shape)
    lists = pl.DataFrame({"names": names, "n": figures.n[which]})
    return lists.select(pl.col("names").arr.to_list().list.head("n"))["names"]


def figures_of(rules: Ruleset, compiled: Compiled) -> dict[str, Figures]:
    """Names of the figures of one scenario, by column."""
    found = rules.figure_names(compiled).items()
    return {
        name: Figures(names, np.arange(len(names))[None], np.array([len(names)]))
        for name, names in found
    }
