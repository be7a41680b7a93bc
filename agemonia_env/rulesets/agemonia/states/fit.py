"""Which columns of the observation can vary in the games of a scenario.

Whatever is not listed here may vary. A column is listed only if content says that it cannot: its
slot is never used, the map or a board fixes it, or nothing in the scenario does what it tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.obs_encoding import with_scalar_type
from agemonia_env.rulesets.arguments import RANDOM
from agemonia_env.rulesets.fits import Fitting

from ..core import observe
from ..core.layout import N_ALLIES, N_ENEMIES
from ..core.obs_spec import N_HEAD, N_OBSERVATION, OBS
from ..core.terms import Condition, Decision, Kind, Objective, Op, Shape, Wear

# Of an Ally: what its board says, and what no effect changes
FIXED_OF_ALLY = (
    *("present", "hero", "ability", "taunt", "blue", "moves", "recovers", "wanted"),
    *("fly", "mirror", "revenge", "reactive"),
    *("riposte", "riposte_range", "riposte_type", "riposte_when"),
)
Content = Any  # a CONTENT record
ADDING = (Op.GAIN, Op.AFFLICT, Op.ADD_CONDITION, Op.AFFECT, Op.BURST)  # condition a
MANY = 1000  # items: as many as can be
SPAWNS = {Op.SPAWN, Op.REINFORCE, Op.REINFORCE_PER_HERO}


def varying(arguments: Any) -> NDArray[np.bool_]:
    """As Fitting.varying."""
    record = np.ones(1, with_scalar_type(OBS, np.bool_))
    if arguments.scenario == RANDOM:
        _leave_out_allies(record[0], _most_allies(arguments))
    else:
        _leave_out(record[0], arguments.compile().content[0])
    return record.view(np.bool_)


def _most_allies(arguments: Any) -> int:
    """Ally slots that a drawn scenario may use, with any setting of its knobs."""
    generator = arguments.make_generator()
    heroes = generator.heroes
    party = heroes if isinstance(heroes, int) else len(heroes)
    return min(N_ALLIES, party + len(generator.pack.allies))


def _leave_out_allies(o: Any, n: int) -> None:
    """Ally slots from n on are never used."""
    o["ally"][n:] = o["ally_now"][n:] = False


def _leave_out(o: Any, c: Content) -> None:
    """Set to False what cannot vary in a scenario."""
    types = _types_met(c)
    ops = set(_ops(c, types))
    conditions = _conditions(c, types)
    spawns = bool(ops & SPAWNS)
    n_enemies = N_ENEMIES if spawns else int(c["n_setup"])
    _leave_out_allies(o, c["n_allies"])
    for a in range(c["n_allies"]):
        _leave_out_of_ally(o["ally"][a], c, a, ops, n_enemies)
    o["enemy"][n_enemies:] = o["enemy_now"][n_enemies:] = False
    _leave_out_of_enemies(o["enemy"], c, c["type"][types], ops)
    _leave_out_of_map(o, c, ops)
    _leave_out_of_decks(o, c)
    _leave_out_of_attacks(o, c)
    for part in (o["ally"], o["enemy"]):
        part["conditions"] &= conditions
    o["strike_conditions"] &= conditions
    o["attack_conditions"] &= conditions
    o["decision"] &= _decisions(o, c, ops, conditions)
    o["enemy_now"]["option"] &= o["decision"][Decision.DOMINATED_ENEMY]
    o["enemy_now"]["share"] &= o["decision"][Decision.SHARE]
    o["scenario"] = False
    o["defeated"][c["n_types"] :] = False
    o["section"][c["n_stories"] :] = False
    o["free_will"] = False
    o["rounds_left"] &= c["last_round"] > 0
    o["spawn_left"] &= spawns
    o["event_due"] &= c["n_events"] > 0
    o["story_tokens"] &= Op.STORY_TOKEN in ops


def _types_met(c: Content) -> list[int]:
    """Enemy types that a game can meet: those at set-up, and those that these bring."""
    met = set(c["setup_type"][: c["n_setup"]].tolist())
    while True:
        rows = c["effect"][list(_rows(c, sorted(met)))]
        brought = set(rows["a"][np.isin(rows["op"], list(SPAWNS))].tolist())
        if brought <= met:
            return sorted(met)
        met |= brought


def _rows(c: Content, types: list[int]) -> Iterator[int]:
    """The effect rows that may be performed, those of enemy types only if they are met."""
    of_types = set()
    for kind, card in enumerate(c["type"][: c["n_types"]]):
        spans = [*zip(card["horns_first"], card["horns_n"], strict=True)]
        spans += [(card["snake_first"], card["snake_n"]), (card["defeat_first"], card["defeat_n"])]
        rows = {row for first, n in spans for row in range(first, first + n)}
        of_types |= rows
        if kind in types:
            yield from rows
    yield from (row for row in range(len(c["effect"])) if row not in of_types)


def _ops(c: Content, types: list[int]) -> Iterator[Op]:
    """What these rows do."""
    for op in np.unique(c["effect"]["op"][list(_rows(c, types))]):
        yield Op(int(op))


def _conditions(c: Content, types: list[int]) -> NDArray[np.bool_]:
    """Which conditions somebody may get or hold, bool (10,), by number - 1."""
    rows = c["effect"][list(_rows(c, types))]
    strikes = [*c["type"]["strike"][types].ravel(), *rows["a"][rows["op"] == Op.STRIKE]]
    strikes = [k for k in strikes if k >= 0]
    bits = 1 << int(c["fall_condition"])
    for given in (
        *(c["sheet"]["conditions"], c["attack"]["conditions"], c["trap"]["conditions"]),
        *(c["strike"]["conditions"][strikes], c["strike"]["or_else_conditions"][strikes]),
        c["item"]["rider_conditions"],
        1 << np.maximum(rows["a"][np.isin(rows["op"], ADDING)], 0).astype(np.int64),
    ):
        bits |= int(np.bitwise_or.reduce(given, axis=None, initial=0, dtype=np.int64))
    return np.array([bits >> condition & 1 for condition in Condition], np.bool_)


def _decisions(
    o: Any, c: Content, ops: set[Op], conditions: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which questions may be asked, bool (N_DECISIONS,)."""
    attacks, d = c["attack"], Decision
    has_figures = c["n_figures"] > 0
    asked = np.ones(len(d), np.bool_)
    for decisions, may_be in (
        ((d.DISARM, d.SPRING, d.TRAP_AREA), o["area"]["trap"].any()),
        ((d.CENTRE,), attacks["has_centre"].any()),
        ((d.LINE,), (attacks["shape"] == Shape.LINE).any()),
        ((d.SHARE,), (attacks["shape"] == Shape.CLEAVE).any()),
        ((d.BLESSED,), conditions[Condition.BLESSED - 1]),
        ((d.DOMINATED_ENEMY, d.DOMINATED_ALLY), conditions[Condition.DOMINATED - 1]),
        ((d.SPAWN_AREA,), ops & SPAWNS),
        ((d.JUMP,), Op.JUMP in ops),
        ((d.TELEPORT,), Op.TELEPORT in ops),
        ((d.VICTIM,), ops & {Op.PUSH, Op.PULL, Op.DRAIN, Op.DAMAGE, Op.DEFEAT, Op.DELAY}),
        ((d.AFFLICTED,), Op.AFFLICT in ops),
        ((d.TACTICS,), c["sheet"]["tactics"].any()),
        ((d.RIDER,), c["item"]["rider"].any()),
        ((d.ROPE,), o["area"]["rope"].any()),
        ((d.SUMMON_AREA,), has_figures or ops & {Op.SUMMON_ALLY, Op.PORTAL}),
        ((d.TOKEN_STEP, d.TOKEN_HARM), has_figures),
        ((d.STORY,), c["n_stories"] > 0),
        ((d.ABILITY_BONUS,), Op.ABILITY in ops),
    ):
        asked[list(decisions)] = bool(may_be)
    return asked


def _leave_out_of_ally(o: Any, c: Content, a: int, ops: set[Op], n_enemies: int) -> None:
    sheet, items = c["sheet"][a], c["item"][: c["n_items"]]
    for name in FIXED_OF_ALLY:
        o[name] = False
    o["health" if sheet["kind"] == Kind.HERO else "disk"] = False
    o["ability_bonus"] &= Op.ABILITY in ops
    o["attack_dice"] &= Op.ATTACK_DICE in ops
    o["rerolls"] &= sheet["rerolls"] > 0
    o["open_slots"] &= sheet["open_slots"] > 0
    o["collected"] &= c["objective"] == Objective.COLLECT
    injuries = c["injury"][: c["n_injuries"]]
    o["injury"] &= injuries["dice"].any(axis=0)
    o["injury_move"] &= bool(injuries["move"].any())
    o["injury_recover"] &= bool(injuries["recover"].any())
    rows = sheet["token"]
    o["slot"] &= rows >= 0
    o["once"] &= (rows >= 0) & (c["token"]["once"][rows] != 0)
    o["provoked"][n_enemies:] = False
    locks = {*c["effect"]["a"][c["effect"]["op"] == Op.LOCK], *items["passive"]}
    o["lock"][len(locks) :] = o["locked"][len(locks) :] = False
    for name in ("item", "in_use", "handled", "worn_out"):
        o[name][_most_items(c, ops) :] = False
    o["in_use"] &= bool((items["wear"] != Wear.NONE).any())


def _leave_out_of_enemies(o: Any, c: Content, cards: NDArray[Any], ops: set[Op]) -> None:
    """What no enemy type met has; an empty slot is all zero, so whatever one has may vary."""
    for name in ("mirror", "revenge", "elite", "fly", "shield", "provoke"):
        o[name] &= bool(cards[name].any())
    strikes = c["strike"][cards["strike"]]
    has = cards["strike"] >= 0
    o["move"] &= cards["move"].any(axis=0)
    o["strike"] &= (has & (strikes["value"] > 0)).any(axis=0)
    o["range"] &= (has & (strikes["range"] > 0)).any(axis=0)
    o["colour"] &= np.isin(range(3), cards["colour"])
    o["wanted"] &= c["objective"] == Objective.DEFEAT_TYPE
    o["last"] &= Op.DELAY in ops
    o["spawned"] &= bool(ops & SPAWNS)


def _leave_out_of_map(o: Any, c: Content, ops: set[Op]) -> None:
    n, areas = c["n_areas"], o["area"]
    areas[n:] = False
    for name in ("exists", "capacity", "level", "story", "goal"):
        areas[name] = False
    traps = bool(c["trap_at"].any()) or bool(ops & {Op.TRAP, Op.SET_TRAP})
    areas["trap"] &= traps
    areas["subject"] &= traps
    o["disarmed"] &= traps
    portals = bool((c["token_colour"][:n] >= 0).any()) or Op.PORTAL in ops
    for name in ("portal", "portal_active", "portal_range"):
        areas[name] &= portals
    areas["story_open"] &= bool((c["section"]["area"][: c["n_stories"]] >= 0).any())
    areas["wanted"] &= c["objective"] == Objective.COLLECT
    areas["line"] &= bool((c["attack"]["shape"] == Shape.LINE).any())
    areas["rope"] &= bool(c["rope"].any() or c["item"]["rope"][: c["n_items"]].any())
    areas["rope"] &= (c["rope"] | c["up"] | c["down"]) != 0
    areas["item"][:, _most_lying(c, ops) :] = False
    o["figure"][c["n_figures"] :] = False


def _most_lying(c: Content, ops: set[Op]) -> int:
    """Items that may lie in one area: those of the map, and those that Allies may drop."""
    carried = c["sheet"]["item"][: c["n_allies"]]
    own = (carried >= 0) & (c["item"]["own"][carried] != 0)
    return _most_items(c, ops) - int(own.sum())


def _most_items(c: Content, ops: set[Op]) -> int:
    """Pieces of items in the game: carried, on the map, and such as may still come."""
    if Op.ITEM in ops or (c["type"]["leave"][: c["n_types"]] >= 0).any():
        return MANY
    carried = c["sheet"]["item"][: c["n_allies"]]
    ropes = sum(int(areas).bit_count() for areas in c["rope"])  # R7.17: taken, they are items
    return int((carried >= 0).sum() + (c["item_at"] >= 0).sum() + ropes)


def _leave_out_of_decks(o: Any, c: Content) -> None:
    o["card_seen"][c["n_cards"] :] = False
    for name in ("timer", "timer_sum", "timer_missing"):
        o[name] &= c["timer_round"] > 0 or bool((c["effect"]["op"] == Op.START_TIMER).any())
    o["fate_left"] &= np.isin(range(4), np.minimum(c["fate"][: c["n_fate"]], 3))
    cards, bar = c["card"][: c["n_cards"]], o["bar"]
    for name in ("enemy", "bonus", "horns", "snake"):
        bar[name] &= cards[name].any(axis=0)
    for k in range(3):
        bar["colour"][:, k] &= (cards["colour"] == k).any(axis=0)
        bar["eye"][:, k] &= ((cards["eye"] == k) & (cards["enemy"] != 0)).any(axis=0)


def _leave_out_of_attacks(o: Any, c: Content) -> None:
    """What riders add to attacks, and items to checks."""
    items = c["item"][: c["n_items"]]
    for name in ("attack_bonus", "attack_dice", "attack_pierce", "attack_conditions", "ridden"):
        o[name] &= bool(items["rider"].any())
    o["boosted"] &= bool(items["boost"].any() or items["boost_active"].any())
    o["boosted"] &= o["ally"]["item"].any(axis=0)


def blocks() -> NDArray[np.int64]:
    """As Fitting.blocks."""
    at, n = observe.ALLIES_AT, observe.DECKS + 1
    found = np.full(N_OBSERVATION, n)
    for first, end in (
        (observe.DECKS_AT, observe.DECKS_END),
        (observe.BARS_AT, observe.BARS_END),
    ):
        found[first:end] = observe.DECKS
    found[N_HEAD:at] = observe.MAP
    figures = np.arange(observe.ENEMIES_AT - at) // observe.ALLY_SIZE
    found[at : observe.ENEMIES_AT] = figures
    enemies = np.arange(N_OBSERVATION - observe.ENEMIES_AT) // observe.ENEMIES_SIZE
    found[observe.ENEMIES_AT :] = N_ALLIES + enemies
    return found


FITTING = Fitting(varying, blocks)
