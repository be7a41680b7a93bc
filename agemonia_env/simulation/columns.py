"""What a row says about its game: every column once, with its type and its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..agemonia.layout import N_ALLIES
from ..content.compile import Compiled
from ..envs.agemonia.wording import ENDING_NAMES
from .games import Records
from .plan import Kind

TEXT, FLAG, SMALL, COUNT, NUMBER = pl.String(), pl.Boolean(), pl.Int16(), pl.Int32(), pl.Int64()
TEXTS, FLAGS, NUMBERS = pl.List(TEXT), pl.List(FLAG), pl.List(SMALL)


class Column(NamedTuple):
    """A column of the rows."""

    name: str
    dtype: pl.DataType
    meaning: str


COLUMNS = tuple(
    Column(*column)
    for column in (
        ("game", NUMBER, "number of the game in its run, from 0"),
        ("seed", NUMBER, 'fixes all chance: `env.reset(options={"core_seed": seed})`'),
        ("pack", TEXT, "name of the content pack"),
        ("scenario", TEXT, "name of the scenario"),
        ("scenario_seed", NUMBER, "that it was drawn from; null if it was not"),
        ("party", TEXT, "`heroes` of the environment, as JSON"),
        ("level", SMALL, "of Heroes whose party does not say theirs, 1 to 5"),
        ("difficulty", TEXT, "easy, normal, hard or brutal"),
        ("enemy_will", TEXT, "card or free"),
        ("ties", TEXT, "ask: the policy settles those of the players; auto: the first is taken"),
        ("policy", TEXT, "of the Heroes"),
        ("enemy_policy", TEXT, "of the Enemies; null where their cards move them"),
        ("ruleset", TEXT, "fingerprint of rules and content"),
        ("won", FLAG, "by the Heroes"),
        ("ending", TEXT, f"{', '.join(ENDING_NAMES[1:])}; none: given up, too long"),
        ("rounds", SMALL, "begun"),
        ("decisions", COUNT, "of both sides, forced ones counted"),
        ("exhausted", SMALL, "times that a Hero was exhausted"),
        ("damage_dealt", SMALL, "to Enemies, health points"),
        ("damage_taken", SMALL, "by Heroes, chips, lost stamina included"),
        ("progress", SMALL, "steps towards the objective"),
        ("heroes", TEXTS, "names of the Heroes"),
        ("hero_dealt", NUMBERS, "damage dealt to Enemies, by Hero"),
        ("hero_taken", NUMBERS, "damage taken, lost stamina included, by Hero"),
        ("hero_disk", NUMBERS, "chips left on the disk, by Hero"),
        ("hero_spent", NUMBERS, "chips spent, by Hero"),
        ("hero_locked", NUMBERS, "chips locked, by Hero"),
        ("hero_wounds", NUMBERS, "chips turned red, by Hero"),
        ("hero_exhausted", FLAGS, "out of action at the end, by Hero"),
        ("companions", TEXTS, "names of the Non-Hero Allies, those not summoned yet included"),
        ("companion_dealt", NUMBERS, "damage dealt to Enemies, by Non-Hero Ally"),
        ("companion_taken", NUMBERS, "damage taken, by Non-Hero Ally"),
        ("companion_health", NUMBERS, "health left, by Non-Hero Ally"),
        ("enemies", TEXTS, "names of the Enemy types that can appear"),
        ("enemy_dealt", NUMBERS, "damage dealt to Allies, by Enemy type"),
        ("enemy_taken", NUMBERS, "damage taken, by Enemy type"),
        ("enemy_defeated", NUMBERS, "figures defeated, by Enemy type"),
        ("enemy_left", NUMBERS, "figures left on the map, by Enemy type"),
        ("enemy_health", NUMBERS, "health left to those, by Enemy type"),
    )
)
SCHEMA = {column.name: column.dtype for column in COLUMNS}

Values = Mapping[str, NDArray[Any]]  # by column, (n,) or (n, figures)


def outcome(states: Records, compiled: Compiled) -> Values:
    """What became of n games of one scenario."""
    return {
        "won": states["won"].astype(np.bool_),
        "ending": states["ending"].copy(),
        "rounds": states["round"].copy(),
        "decisions": states["decisions"].copy(),
        "exhausted": states["n_exhausted"].copy(),
        "damage_dealt": states["damage_dealt"].copy(),
        "damage_taken": states["damage_taken"].copy(),
        "progress": states["progress"].copy(),
        **_of_allies(states, int(compiled.content["n_heroes"][0]), len(compiled.names.allies)),
        **_of_enemies(states, len(compiled.names.types)),
    }


def _of_allies(states: Records, heroes: int, allies: int) -> Values:
    """Heroes have the first slots, Non-Hero Allies those after them."""
    ally, dealt, taken = states["ally"], states["dealt"], states["taken"]
    party, others = slice(heroes), slice(heroes, allies)
    return {
        "hero_dealt": dealt[:, party].copy(),
        "hero_taken": taken[:, party].copy(),
        "hero_disk": ally["disk"][:, party].copy(),
        "hero_spent": ally["spent"][:, party].copy(),
        "hero_locked": ally["lock_chips"][:, party].sum(axis=2, dtype=np.int16),
        "hero_wounds": ally["wounds"][:, party].copy(),
        "hero_exhausted": ally["exhausted"][:, party].astype(np.bool_),
        "companion_dealt": dealt[:, others].copy(),
        "companion_taken": taken[:, others].copy(),
        "companion_health": ally["health"][:, others].copy(),
    }


def _of_enemies(states: Records, types: int) -> Values:
    """Enemies stand in slots of their own; what is asked is told by type."""
    health, kinds = states["enemy"]["health"], states["enemy"]["type"]
    here = (kinds[:, None, :] == np.arange(types)[:, None]) & (health[:, None, :] > 0)
    sides = slice(N_ALLIES, N_ALLIES + types)
    return {
        "enemy_dealt": states["dealt"][:, sides].copy(),
        "enemy_taken": states["taken"][:, sides].copy(),
        "enemy_defeated": states["defeated"][:, :types].copy(),
        "enemy_left": here.sum(axis=2, dtype=np.int16),
        "enemy_health": (here * health[:, None, :]).sum(axis=2, dtype=np.int16),
    }


def rows(
    kind: Kind, scenario_seed: int | None, policy: str, compiled: Compiled, values: Values
) -> pl.DataFrame:
    """Rows of n games of one scenario.

    values: those of `outcome`, with `game` and `seed`.
    """
    names, heroes = compiled.names, int(compiled.content["n_heroes"][0])
    same: dict[str, Any] = {
        "pack": names.pack,
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
        "heroes": list(names.allies[:heroes]),
        "companions": list(names.allies[heroes:]),
        "enemies": list(names.types),
    }
    told = {name: pl.Series(name, array) for name, array in values.items()}
    told["ending"] = pl.Series(ENDING_NAMES).gather(values["ending"])
    alike = (pl.lit(value, SCHEMA[name]).alias(name) for name, value in same.items())
    frame = pl.DataFrame(told).with_columns(alike)
    return frame.select(pl.col(name).cast(dtype) for name, dtype in SCHEMA.items())
