"""Which columns of the observation can vary in the games of a scenario.

Whatever is not listed here may vary. A column is listed only if content says that it cannot: its
slot is never used, the map or a card fixes it, or nothing in the scenario does what it tells.
Positions built by hand do not count: only there does a figure lose flight (G12.8), or double the
value of an attack before the cards (G7.3).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.obs_encoding import with_scalar_type
from agemonia_env.rulesets.arguments import RANDOM
from agemonia_env.rulesets.fits import Fitting

from ..core import observe
from ..core.layout import (
    ACTIVES,
    FIRST_MONSTER,
    FIRST_SUMMON,
    GROUND,
    HANDS,
    N_ACTIVE,
    N_DECKS,
    N_FIGURES,
    N_HAND,
    N_HEROES,
    N_MONSTERS,
    N_SUMMONS,
    PILES,
    TYPES,
)
from ..core.obs_spec import N_HEAD, N_OBSERVATION, OBS
from ..core.terms import Decision, Effect, Goal, Mode, Op, Place, Serve, Source, Terrain, Trigger

Content = Any  # a CONTENT record
Records = NDArray[Any]
CONDITIONS = slice(Effect.POISON, Effect.STRENGTHEN + 1)
ELEMENTS = slice(Effect.FIRE, Effect.DARK + 1)
KEPT = (Op.BONUS, Op.SUMMON)  # a card with such a line may come into the active area
# Effects of an attack that its player may decline (G7.9)
OPTIONAL = (*range(Effect.POISON, Effect.STRENGTHEN + 1), Effect.CURSE, Effect.BLESS)


class _Figures(NamedTuple):
    """Characters, summons or monsters of a game.

    n: at most, at a time; rows: lines that they can perform; stats: their stat cards.
    """

    n: int
    rows: Records
    stats: Records


def varying(arguments: Any) -> NDArray[np.bool_]:
    """As Fitting.varying."""
    record = np.ones(1, with_scalar_type(OBS, np.bool_))
    if arguments.scenario == RANDOM:
        _leave_out_of_drawn(record[0], arguments.make_generator())
    else:
        _leave_out_of_scenario(record[0], arguments.compile().content[0])
    return record.view(np.bool_)


def _leave_out_of_scenario(o: Any, c: Content) -> None:
    """Set to False what cannot vary in a scenario."""
    spawns = c["spawn"][: c["n_spawns"]]
    kinds = np.unique(spawns["kind"])
    cards = c["kind"]["card"][kinds]
    stats = c["kind"]["stats"][spawns["kind"], spawns["elite"]]
    monsters = _Figures(min(N_MONSTERS, len(spawns)), _rows(c, cards), stats)
    _leave_out(o, c, monsters)
    o["body"]["elite"] &= _any(spawns["elite"])
    o["type"][np.setdiff1d(range(len(o["type"])), kinds)] = False
    o["type"]["shuffle"][kinds] &= cards["shuffle"].any(axis=1)
    o["decision"][Decision.NEXT_TYPE] &= len(kinds) > 1
    o["goal"] = False
    o["goal_left"] &= c["goal"] in (Goal.SURVIVE, Goal.LOOT)
    o["rounds_left"] &= c["last_round"] > 0
    _leave_out_of_map(o, c, flying=_any(o["body"]["flying"]))


def _leave_out_of_drawn(o: Any, generator: Any) -> None:
    """Set to False what cannot vary in scenarios drawn for a party, with any setting of knobs."""
    library = generator.drawing[0]["library"]
    parts = library["monster"][: library["n_monsters"]]
    rows = np.concatenate([part["row"][: part["n_rows"]] for part in parts])
    monsters = _Figures(N_MONSTERS, rows, parts["kind"]["stats"].ravel())
    _leave_out(o, generator.parts[0], monsters)
    o["type"][len(parts) :] = False


def _leave_out(o: Any, c: Content, monsters: _Figures) -> None:
    """Set to False what cannot vary with this party, of which c is read, and these monsters."""
    active = _active_cards(c)
    heroes, summons = _heroes(c), _summons(c, active)
    _leave_out_of_question(o, c, heroes, summons, monsters)
    _leave_out_of_attacks(o, c, heroes, summons, monsters)
    _leave_out_of_figures(o, c, heroes, summons, monsters)
    _leave_out_of_cards(o, c, active)
    o["room"][0] = False  # always open
    o["trap_conditions"] &= c["trap"]["conditions"] != 0


# ---- who plays, and what they can do -------------------------------------------------------------
def _rows(c: Content, cards: Records) -> Records:
    """The lines of cards, or of halves of cards."""
    spans = zip(cards["first"].ravel(), cards["n_rows"].ravel(), strict=True)
    rows: Records = c["row"][[row for first, n in spans for row in range(first, first + n)]]
    return rows


def _heroes(c: Content) -> _Figures:
    """The characters; they have no stat cards."""
    basic = c["row"][[c["basic_attack"], c["basic_move"]]]
    rows = np.concatenate([basic, _rows(c, c["hero"]["card"]["half"])])
    return _Figures(int(c["n_heroes"]), rows, c["kind"]["stats"][:0, 0])


def _active_cards(c: Content) -> NDArray[np.bool_]:
    """Which cards of the characters may come into the active area, (N_HEROES, N_HAND)."""
    halves = c["hero"]["card"]["half"].reshape(N_HEROES * N_HAND, -1)
    active = [np.isin(_rows(c, card)["op"], KEPT).any() for card in halves]
    return np.array(active).reshape(N_HEROES, N_HAND)


def _summons(c: Content, active: NDArray[np.bool_]) -> _Figures:
    """The summons; each needs a card of its own, unless the active area is full (G11.18)."""
    rows = _rows(c, c["hero"]["card"]["half"])
    rows = rows[rows["op"] == Op.SUMMON]
    kinds = c["kind"][np.unique(rows["kind"])]
    n = min(N_SUMMONS, len(rows))
    if active.sum() > N_ACTIVE and n > 0:
        n = N_SUMMONS
    return _Figures(n, _rows(c, kinds["card"]), kinds["stats"][:, 0])


def _is_for_enemies(rows: Records) -> NDArray[np.bool_]:
    """Which lines are for enemies of the figure that performs them."""
    serves = np.isin(rows["serves"], (Serve.ENEMIES, Serve.ENEMY))
    return np.asarray(serves | (rows["op"] == Op.ATTACK))


def _is_for_one(rows: Records) -> bool:
    """Whether a line is for one figure that is chosen, and is no attack."""
    return _any(np.isin(rows["serves"], (Serve.ALLY, Serve.ENEMY)))


def _effects(c: Content, rows: Records) -> NDArray[np.bool_]:
    """Which effects lines and modifier cards have, bool, by terms.Effect."""
    return np.isin(range(len(Effect)), [*rows["effect"].ravel(), *c["deck"]["effect"].ravel()])


def _any(*values: Any) -> bool:
    """Whether any of some numbers, or of arrays of them, is not 0."""
    return any(np.any(some) for some in values)


def _of_bits(*bits: Records) -> NDArray[np.bool_]:
    """Effects given as bits of terms.Effect, bool, by terms.Effect."""
    every = np.bitwise_or.reduce(np.concatenate([some.ravel() for some in bits]))
    return np.array([every >> effect & 1 for effect in Effect], np.bool_)


def _gains(c: Content, own: Records, others: Records, bits: Iterable[Records]) -> NDArray[np.bool_]:
    """Which effects the figures of a side may gain, bool, by terms.Effect.

    own: lines of that side; others: lines of its enemies; bits: what else its enemies' attacks do.
    """
    rows = np.concatenate([own[~_is_for_enemies(own)], others[_is_for_enemies(others)]])
    return _effects(c, rows) | _of_bits(c["trap"]["conditions"], *bits)


# ---- the question, and what is going on ----------------------------------------------------------
def _leave_out_of_question(
    o: Any, c: Content, heroes: _Figures, summons: _Figures, monsters: _Figures
) -> None:
    rows = np.concatenate([heroes.rows, summons.rows, monsters.rows])
    effects, strikes = _effects(c, rows), heroes.rows[heroes.rows["op"] == Op.ATTACK]
    forces = np.isin(rows["op"], (Op.PUSH, Op.PULL))
    forced = _any(forces, effects[Effect.PUSH], effects[Effect.PULL])
    optional = _effects(c, strikes) | _of_bits(c["bonus"]["conditions"])
    templates = _any(heroes.rows["template"] >= 0)
    for decision, may_be in (
        (Decision.NONE, False),
        (Decision.LANDING, False),  # no card ends flight
        (Decision.AIM, templates),
        (Decision.ORIENTATION, templates),
        (Decision.CELL, templates),
        (Decision.EFFECT, _any(optional[list(OPTIONAL)])),
        (Decision.FORCE, forced),
        (Decision.RECIPIENT, _is_for_one(heroes.rows)),
        (Decision.SUMMON, summons.n > 0),
        (Decision.RECOVER, Op.RECOVER in heroes.rows["op"]),
        (Decision.MONSTER_CHOICE, _is_for_one(np.concatenate([summons.rows, monsters.rows]))),
    ):
        o["decision"][decision] &= may_be
    o["asked"][heroes.n :] = False
    o["element"] &= effects[ELEMENTS]
    o["op"] &= np.isin(range(len(o["op"])), rows["op"])
    o["move_mode"] &= np.isin(range(len(Mode)), heroes.rows["mode"])
    o["force_left"] &= forced
    o["force_begun"] &= forced
    retaliate = _any(monsters.stats["retaliate"], monsters.rows["op"] == Op.RETALIATE)
    o["harm_source"][Source.RETALIATE] &= retaliate  # only characters are asked


def _leave_out_of_attacks(
    o: Any, c: Content, heroes: _Figures, summons: _Figures, monsters: _Figures
) -> None:
    rows = np.concatenate([heroes.rows, summons.rows, monsters.rows])
    rows, stats = rows[rows["op"] == Op.ATTACK], np.concatenate([summons.stats, monsters.stats])
    bonuses = c["bonus"][c["bonus"]["trigger"] == Trigger.ATTACK_ACTION]
    drawn = _effects(c, rows[:0])
    added = _any(heroes.rows["extra_targets"], drawn[Effect.ADD_TARGET])
    odds = _any(rows["advantages"], stats["advantages"], bonuses["advantages"])
    odds |= _any(rows["disadvantages"], bonuses["disadvantages"])
    o["strike_range"] &= _any(rows["range"], stats["range"])
    o["strike_added"] &= added
    o["strike_on_added"] &= added
    o["strike_pierce"] &= _any(rows["pierce"], stats["pierce"], bonuses["pierce"])
    o["strike_bonus"] &= _any(bonuses["attack"])
    o["strike_odds"] &= odds
    o["strike_doublings"] = False
    o["strike_template"] &= _any(rows["template"] >= 0)
    o["strike_orientation"] &= _any(heroes.rows["template"] >= 0)
    o["strike_effect"] &= np.isin(range(len(Effect)), rows["effect"])
    o["strike_effect"][Effect.NONE] = False
    o["strike_drawn_effect"] &= drawn
    o["strike_drawn_effect"][Effect.NONE] = False
    o["strike_condition"] &= _of_bits(stats["conditions"], c["bonus"]["conditions"])[CONDITIONS]


# ---- figures -------------------------------------------------------------------------------------
def _leave_out_of_figures(
    o: Any, c: Content, heroes: _Figures, summons: _Figures, monsters: _Figures
) -> None:
    """Figures on the board, and the conditions, blesses and curses that they may gain."""
    party = np.concatenate([heroes.rows, summons.rows])
    gains = _gains(c, party, monsters.rows, [monsters.stats["conditions"]])
    bits = summons.stats["conditions"], c["bonus"]["conditions"]
    monster_gains = _gains(c, monsters.rows, party, bits)
    o["bless"] &= gains[Effect.BLESS] or monster_gains[Effect.BLESS]
    o["curse_hero"] &= gains[Effect.CURSE]
    o["curse_monster"] &= monster_gains[Effect.CURSE]
    o["harm_source"][Source.WOUND] &= gains[Effect.WOUND]  # only characters are asked
    for name, effect in (("bless", Effect.BLESS), ("curse", Effect.CURSE)):
        o["pile"][name][0] &= monster_gains[effect]
        o["pile"][name][1:] &= gains[effect]
    part, body = o["part"], o["body"]
    for first, end, figures, rows, gained in (
        (0, FIRST_SUMMON, heroes, party, gains),
        (FIRST_SUMMON, FIRST_MONSTER, summons, party, gains),
        (FIRST_MONSTER, N_FIGURES, monsters, monsters.rows, monster_gains),
    ):
        part[first + figures.n : end] = body[first + figures.n : end] = False
        _leave_out_of_bodies(body[first:end], figures.stats, rows, gained)
    for name in ("kind", "elite", "fresh", "standee"):
        body[name][:FIRST_SUMMON] = False
    body["elite"][:FIRST_MONSTER] = False
    body["initiative"][FIRST_SUMMON:FIRST_MONSTER] = False
    body["fresh"][FIRST_MONSTER:] = False
    part["option"][FIRST_MONSTER:] &= summons.n > 0  # only summons focus on them


def _leave_out_of_bodies(
    body: Any, stats: Records, rows: Records, gains: NDArray[np.bool_]
) -> None:
    """Figures with these stat cards. rows: lines of their side; gains: as of _gains."""
    for name in ("flying", "move", "attack", "range", "shield"):
        body[name] &= _any(stats[name])
    body["round_shield"] &= Op.SHIELD in rows["op"]
    body["round_retaliate"] &= Op.RETALIATE in rows["op"]
    reaches = [0, *np.maximum(1, rows["range"][rows["op"] == Op.RETALIATE])]
    reaches += [*np.maximum(1, stats["retaliate_range"][stats["retaliate"] > 0])]
    body["retaliate"][:, max(reaches) :] = False
    body["condition"] &= gains[CONDITIONS]


# ---- cards ---------------------------------------------------------------------------------------
def _leave_out_of_cards(o: Any, c: Content, active: NDArray[np.bool_]) -> None:
    """Hands, active areas and modifier decks. active: as of _active_cards."""
    n, bonuses = int(c["n_heroes"]), c["bonus"]
    hand, place = o["hand"], o["hand"]["place"]
    hand[n:] = False
    hand["hero_class"] = False
    place &= (np.arange(N_HAND) < c["hero"]["n_cards"][:, None])[:, None]
    place[:, Place.ACTIVE - Place.HAND] &= active
    ops = _rows(c, c["hero"]["card"]["half"])["op"]
    o["active"][active.sum() :] = False
    o["active"]["bonus"] &= Op.BONUS in ops
    o["active"]["token"] &= _any(bonuses["spaces"])
    o["active"]["summon"] &= Op.SUMMON in ops
    o["pile"][1 + n :] = False
    o["pile"]["rolling"] &= _any(c["deck"]["rolling"])
    o["pile"]["effects"] &= _any(c["deck"]["effect"])


# ---- the map -------------------------------------------------------------------------------------
def _leave_out_of_map(o: Any, c: Content, flying: bool) -> None:
    """Hexes, rooms, traps and loot. flying: whether a figure may end its turn on an obstacle."""
    terrain = {kind: _in_set(c["board"]["terrain"][kind]) for kind in Terrain}
    loot = _in_set(c["loot"])
    o["ground"] &= terrain[Terrain.DOOR] | terrain[Terrain.TRAP]
    ends = _in_set(c["board"]["hexes"]) & ~terrain[Terrain.WALL]
    if not flying:
        ends &= ~terrain[Terrain.OBSTACLE]
    o["mark"] &= ends | loot
    o["hand"]["loot"] &= _any(loot)
    o["room"][c["n_rooms"] :] = False
    o["trap"] &= c["trap"]["damage"] != 0
    o["harm_source"][Source.TRAP] &= c["n_traps"] > 0
    o["harm_source"][Source.HAZARD] &= _any(terrain[Terrain.HAZARD])


def _in_set(words: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which hexes are in a set of CONTENT, bool (MAX_HEXES,)."""
    return np.unpackbits(words.view(np.uint8), bitorder="little").astype(np.bool_)


def blocks() -> NDArray[np.int64]:
    """As Fitting.blocks."""
    found = np.full(N_OBSERVATION, HANDS + N_HEROES)
    for first, size, n, bit in (
        (observe.PILE_AT, observe.PILE_SIZE, N_DECKS, PILES),
        (observe.HAND_AT, observe.HAND_SIZE, N_HEROES, HANDS),
        (observe.BODY_AT, observe.BODY_SIZE, N_FIGURES, 0),
    ):
        found[first : first + size * n] = bit + np.arange(size * n) // size
    found[N_HEAD : observe.ACTIVE_AT] = GROUND
    found[observe.ACTIVE_AT : observe.TYPE_AT] = ACTIVES
    found[observe.TYPE_AT : observe.PILE_AT] = TYPES
    return found


FITTING = Fitting(varying, blocks)
