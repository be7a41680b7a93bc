"""The shipped packs: every scenario for every party and level, and every card effect."""

from itertools import pairwise

import numpy as np
import pytest

from agemonia_env.packs.folders import packs_in
from agemonia_env.rulesets.hexdungeon import content
from agemonia_env.rulesets.hexdungeon.content.load import FORMAT, load_pack
from agemonia_env.rulesets.hexdungeon.content.schema import FEWEST_CARDS, LEVELS
from agemonia_env.rulesets.hexdungeon.core import layout
from agemonia_env.rulesets.hexdungeon.core.terms import (
    Effect,
    Goal,
    Mode,
    Only,
    Op,
    Serve,
    Terrain,
    Trigger,
)

CORE = load_pack("hex-core")
NAMES = content.scenarios(CORE)
CONDITIONS = range(Effect.POISON, Effect.STRENGTHEN + 1)
ELEMENTS = range(Effect.FIRE, Effect.DARK + 1)


def numbers(words):
    """Hexes of a set kept in a field of a record."""
    return {64 * w + k for w, word in enumerate(words) for k in range(64) if int(word) >> k & 1}


def reached(record):
    """Hexes to which one can walk from the first start, all doors open."""
    board = record["board"]
    stride = int(board["stride"])
    steps = (stride, 1, 1 - stride, -stride, -1, stride - 1)
    terrain = {kind: numbers(board["terrain"][kind]) for kind in Terrain}
    free = numbers(board["hexes"]) - terrain[Terrain.WALL] - terrain[Terrain.OBSTACLE]
    linked = [numbers(board["linked"][direction]) for direction in range(6)]
    found = todo = {int(record["hero"][0]["start"])}
    while todo:
        near = {h + steps[d] for d in range(6) for h in todo & linked[d]}
        todo = (near & free) - found
        found = found | todo
    return found, free


def test_the_packs_that_ship_have_no_mistake():
    assert packs_in(FORMAT.home) == ["hex-core"]
    assert content.check("hex-core") == []
    assert len(CORE.classes) == 6
    assert len(CORE.monsters) == 12
    assert len(NAMES) == 8


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n", range(1, layout.N_HEROES + 1))
@pytest.mark.parametrize("name", NAMES)
def test_every_scenario_compiles_for_every_party_and_level(name, n, level):
    compiled = content.compile_scenario(CORE, name, n, level=level)
    record = compiled.content[0]
    assert compiled.content.shape == (1,)
    assert compiled.content.dtype.itemsize == layout.CONTENT.itemsize
    assert (record["n_heroes"], record["level"]) == (n, level)
    found, free = reached(record)
    assert found == free, "every hex can be reached"
    starts = [int(sheet["start"]) for sheet in record["hero"][:n]]
    spawns = record["spawn"][: record["n_spawns"]]
    stand = starts + [int(at) for at in spawns["at"]]
    assert set(stand) <= free, "nobody stands on a wall or an obstacle"
    assert len(set(stand)) == len(stand)
    assert 0 < len(spawns) <= layout.N_MONSTERS
    traps = [int(at) for at in record["trap"]["at"][: record["n_traps"]]]
    assert set(traps) == numbers(record["board"]["terrain"][Terrain.TRAP])
    doors = [int(door) for door in record["door"][: record["n_doors"]]]
    assert set(doors) == numbers(record["board"]["terrain"][Terrain.DOOR])
    opened = {int(room) for room in record["door_room"][: record["n_doors"]]}
    assert opened == set(range(1, record["n_rooms"]))
    assert set(spawns["room"]) <= set(range(record["n_rooms"]))
    assert numbers(record["exit"]) | numbers(record["loot"]) <= free


@pytest.mark.parametrize("name", NAMES)
def test_more_characters_meet_more_monsters(name):
    def hit_points(n):
        record = content.compile_scenario(CORE, name, n).content[0]
        spawns = record["spawn"][: record["n_spawns"]]
        return sum(record["kind"][s["kind"]]["stats"][s["elite"]]["hp"] for s in spawns)

    assert all(fewer < more for fewer, more in pairwise(hit_points(n) for n in range(1, 5)))


def test_the_same_type_is_stronger_at_a_higher_level():
    for monster in CORE.monsters.values():
        for lower, higher in pairwise(monster.levels):
            assert lower.normal.hit_points <= higher.normal.hit_points
            assert lower.elite.hit_points <= higher.elite.hit_points
        assert all(ranks.normal.hit_points < ranks.elite.hit_points for ranks in monster.levels)


@pytest.mark.parametrize("name", CORE.card.party)
def test_hands(name):
    record = content.compile_scenario(CORE, NAMES[0], [name]).content[0]
    sheet = record["hero"][0]
    assert FEWEST_CARDS <= sheet["n_cards"] <= 12
    assert 6 <= sheet["hp"] <= 10
    initiatives = sheet["initiative"][: sheet["n_cards"]]
    assert len(set(initiatives)) == sheet["n_cards"]
    assert (initiatives == sheet["card"]["initiative"][: sheet["n_cards"]]).all()


@pytest.mark.parametrize("name", CORE.monsters)
def test_ability_decks(name):
    cards = CORE.monsters[name].cards
    assert len(cards) == layout.N_MONSTER_CARDS
    assert any(card.shuffle for card in cards)
    assert len({card.initiative for card in cards}) == len(cards)


def rows_of(records):
    """Lines of the cards of all records."""
    return np.concatenate([r["row"][r["row"]["op"] != Op.NONE] for r in records])


def used(rows, op):
    """Effects on lines of a kind."""
    return set(rows["effect"][rows["op"] == op].ravel()) - {Effect.NONE}


@pytest.fixture(scope="module")
def parties():
    """Records in which every class takes part."""
    party = CORE.card.party
    return [content.compile_scenario(CORE, NAMES[-1], p).content[0] for p in (party[:3], party[3:])]


def test_cards_of_characters_use_everything(parties):
    hero_rows = []
    for record in parties:
        for sheet in record["hero"][: record["n_heroes"]]:
            for half in sheet["card"][: sheet["n_cards"]]["half"].ravel():
                hero_rows.append(record["row"][half["first"] : half["first"] + half["n_rows"]])
    rows = np.concatenate(hero_rows)
    attacks = rows[rows["op"] == Op.ATTACK]
    assert set(rows["op"]) == set(Op) - {Op.NONE, Op.SHIELD, Op.RETALIATE}
    forced = {Effect.CURSE, Effect.PUSH, Effect.PULL}
    harms = set(CONDITIONS) - {Effect.INVISIBLE, Effect.STRENGTHEN}
    assert used(rows, Op.ATTACK) == harms | set(ELEMENTS) | forced
    given = {Effect.INVISIBLE, Effect.STRENGTHEN, Effect.BLESS, Effect.CURSE, Effect.MUDDLE}
    assert used(rows, Op.AFFECT) >= given
    assert used(rows, Op.INFUSE)
    assert set(rows["serves"]) == set(Serve)
    assert {Mode.WALK, Mode.JUMP} == set(rows["mode"])
    assert set(attacks["targets"]) >= {0, 2, 3, layout.ALL_TARGETS}
    for field in ("range", "extra_targets", "pierce", "advantages"):
        assert (attacks[field] > 0).any(), field
    assert (rows["xp"] > 0).any()


def test_templates_and_active_bonuses_of_characters_use_everything(parties):
    halves = np.concatenate([r["hero"]["card"]["half"].ravel() for r in parties])
    assert halves["loss"].any()
    assert (halves["xp"] > 0).any()
    templates = np.concatenate([r["template"][r["template"]["n_cells"] > 0] for r in parties])
    assert set(templates["grey"]) == {0, 1}
    assert (templates["n_orientations"] > 0).all()
    bonuses = np.concatenate([r["bonus"] for r in parties])
    bonuses = bonuses[bonuses["retaliate_range"] > 0]
    assert set(bonuses["round"]) == {0, 1}
    assert set(bonuses["trigger"]) == set(Trigger)
    assert set(bonuses["only"]) == set(Only)
    assert set(bonuses["serves"]) == {Serve.SELF, Serve.ALLIES, Serve.PARTY}
    plain = ("negate", "spaces", "attack", "advantages", "disadvantages", "pierce", "conditions")
    for field in (*plain, "shield", "retaliate"):
        assert (bonuses[field] > 0).any(), field
    assert (bonuses["xp"] > 0).any()
    assert ((bonuses["round"] == 0) & (bonuses["spaces"] == 0)).any()
    summons = [r["kind"][r["n_types"] :]["stats"][:, 0] for r in parties]
    stats = np.concatenate(summons)
    stats = stats[stats["hp"] > 0]
    assert len(stats) == 3
    assert stats["flying"].any()
    assert (stats["range"] > 0).any()


def test_monsters_use_everything():
    records = [content.compile_scenario(CORE, name, 4).content[0] for name in NAMES]
    kinds = np.concatenate([r["kind"][: r["n_types"]] for r in records])
    assert {name for r in NAMES for name in types(r)} == set(CORE.monsters)
    monster_rows = []
    for record in records:
        for card in record["kind"][: record["n_types"]]["card"].ravel():
            monster_rows.append(record["row"][card["first"] : card["first"] + card["n_rows"]])
    rows = np.concatenate(monster_rows)
    heroes_alone = {Op.LOOT, Op.SUMMON, Op.RECOVER, Op.BONUS}
    assert set(rows["op"]) == set(Op) - {Op.NONE} - heroes_alone
    assert used(rows, Op.ATTACK) >= {Effect.PUSH, Effect.PULL, Effect.CURSE, Effect.STUN}
    assert used(rows, Op.AFFECT) >= {Effect.BLESS, Effect.CURSE, Effect.STRENGTHEN}
    attacks = rows[rows["op"] == Op.ATTACK]
    for field in ("range", "targets", "extra_targets", "pierce"):
        assert (attacks[field] > 0).any(), field
    assert (attacks["template"] >= 0).any()
    assert kinds["card"]["shuffle"].any(axis=1).all()
    for field in ("range", "shield", "retaliate", "conditions", "immune", "flying"):
        assert (kinds["stats"][field] > 0).any(), field


def types(name):
    """Monster types of a scenario."""
    return {symbol.monster for symbol in CORE.scenarios[name].legend.values()} - {None}


def test_scenarios_use_every_goal_and_terrain():
    records = [content.compile_scenario(CORE, name).content[0] for name in NAMES]
    assert {int(record["goal"]) for record in records} == set(Goal)
    for kind in Terrain:
        assert any(numbers(record["board"]["terrain"][kind]) for record in records), kind
    assert any(record["loot"].any() for record in records)
    assert any(record["board"]["n_lines"] for record in records)
    assert any(record["trap"]["conditions"].any() for record in records)
    assert any(record["n_doors"] > 1 for record in records)
