"""The observation: everything open and nothing else; updates equal rewriting."""

import numpy as np
import pytest

from agemonia_env.core.env_slots import Autoreset, Command
from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.hexdungeon.core import layout, obs_spec
from agemonia_env.rulesets.hexdungeon.core.observe import N_CACHED
from agemonia_env.rulesets.hexdungeon.core.policies import Policy
from agemonia_env.rulesets.hexdungeon.core.terms import Decision, Place, Proc, Terrain
from tests.hexdungeon.games import Games, Slots
from tests.observed import is_observed, leaves, put

SCENARIOS = ["counting-vault", "under-the-weir", "mother-furnace"]
STEPS = 300 if COMPILED else 25
HERO, MONSTER = 0, layout.FIRST_MONSTER


def test_sizes_are_pinned_and_codes_have_the_fields_of_the_observation():
    assert (obs_spec.N_OBSERVATION, obs_spec.N_HEAD) == (2440, 364)
    assert layout.STATE.itemsize % 8 == layout.STATE.fields["hero"][1] % 8 == 0  # read as words
    assert layout.HERO.itemsize % 8 == 0
    assert 4 * (layout.N_HEROES * layout.HERO.itemsize // 8 + 1) == N_CACHED
    assert {kind for _, kind in leaves(obs_spec.OBS)} == {np.dtype(np.float32)}
    assert {kind for _, kind in leaves(obs_spec.OBS_INT8)} == {np.dtype(np.int8)}
    assert [path for path, _ in leaves(obs_spec.OBS_INT8)] == [
        path for path, _ in leaves(obs_spec.OBS)
    ]
    assert obs_spec.OBS.itemsize == 4 * obs_spec.N_OBSERVATION
    assert obs_spec.SCALES.view(obs_spec.OBS)[0]["body"]["hp"][3] == obs_spec.HEALTH


@pytest.mark.parametrize("kind", ["int8", "float32", "both"])
@pytest.mark.parametrize("autoreset", list(Autoreset))
def test_updated_observations_equal_rewritten_ones(kind, autoreset):
    slots = Slots(SCENARIOS, 2, 6, kind, autoreset)
    for k in range(STEPS):
        shown = slots.observations
        if kind == "int8":
            shown = slots.obs_int8[:, : obs_spec.N_OBSERVATION] / obs_spec.SCALES
        np.testing.assert_allclose(shown, slots.rewritten(), rtol=2e-7, atol=0)
        actions = slots.chosen(Policy.RANDOM if k % 50 < 40 else Policy.GREEDY)
        begins = (slots.slots["over"] == 1) & (autoreset == Autoreset.DISABLED)
        slots.step(actions, np.where(begins, Command.BEGIN, Command.PLAY))


def test_rows_and_columns_are_those_of_the_hex_numbers():
    slots = Slots(SCENARIOS, 2, 6, "int8", Autoreset.NEXT_STEP)
    for _ in range(STEPS // 5):
        slots.step(slots.chosen(Policy.RANDOM))
    bodies = slots.obs_int8[:, : obs_spec.N_OBSERVATION].view(obs_spec.OBS_INT8)["body"][:, 0]
    at, stride = slots.states["figure"]["at"], slots.states["board"]["stride"][:, None]
    there = (slots.states["present"][:, None] >> np.arange(layout.N_FIGURES)) & 1 != 0
    two, rest = np.divmod(at, 2 * stride - 1)
    assert there.any(axis=1).all()
    assert (bodies["row"] == at % stride)[there].all()
    assert (bodies["column"] == 2 * two + (rest >= stride))[there].all()


def test_a_position_put_into_a_slot_is_seen():
    slots = Slots(SCENARIOS, 2, 2, "both")
    slots.states["figure"]["hp"][:, HERO] -= 3
    slots.states["board"]["terrain"][:, Terrain.DOOR] = 0
    slots.step(np.zeros(2, np.int64), Command.LOOK)
    np.testing.assert_array_equal(slots.observations, slots.rewritten())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_numbers_are_whole_and_small(scenario):
    """Nothing but hit points, experience and the like is ever cut off at the largest code."""
    games, seen = Games(scenario, 3, range(4)), []
    for _ in range(STEPS):
        codes = games.observations() * obs_spec.SCALES
        np.testing.assert_allclose(codes, np.round(codes), atol=1e-4)
        seen.append(np.abs(np.round(codes)).max(0))
        games.step(games.chosen(Policy.GREEDY))
    most = np.max(seen, 0).astype(np.float32).view(obs_spec.OBS)[0]
    assert max(most["body"]["hp"].max(), most["hand"]["xp"].max(), most["round"]) < 127
    assert np.max(seen) <= 127
    assert np.abs(games.observations()).max() < 8


# ---- open and hidden information ----------------------------------------------------------------
def turn_card(states):
    states["type"]["card"][0, 0] = states["type"]["pile"][0, 0, 0]


def change_rank(states):
    states["figure"]["elite"][0, MONSTER] ^= 1


def move_to_discards(states):
    deck = states["deck"][0, 1]
    deck["n_pile"] -= 1
    deck["n_discards"] += 1
    deck["discards"][0] = deck["pile"][deck["n_pile"]]


def start_bonus(states):
    active = states["active"][0, 0]
    states["n_active"][0] = 1
    active["owner"], active["card"], active["bonus"] = HERO, 3, 0


def going_on(proc, part, **fields):
    """A task on the stack, with some fields of its record."""

    def change(states):
        states["tasks"][0, states["depth"][0]] = proc
        states["depth"][0] += 1
        for name, value in fields.items():
            states[part][name][0] = value

    change.__name__ = f"{part}:{','.join(fields)}"
    return change


FORCED = {"by": HERO, "target": MONSTER}
STRUCK = {"by": HERO, "target": MONSTER, "template": -1, "orientation": -1, "aimed": -1}
VISIBLE = [
    *(put("decision", Decision.TARGET), put("asked", 1), put("subject", 5), put("phase", 2)),
    *(put("round", 7), put("rooms", 0b101), put("element", 2, 3), put("bless", 8)),
    *(put("curse_monster", 9), put("curse_hero", 9), put("turn", 1), put("half", 5)),
    *(put("row", 3), put("used_line", 1), put("lost_card", 2), put("loot", 1 << 40, 2)),
    *(put("acted", 1 << f) for f in (HERO, MONSTER)),
    *(put("figure.flying", 1, f) for f in (HERO, MONSTER)),
    *(change_rank, put("figure.fresh", 1, MONSTER)),
    *(put("figure." + name, 3, MONSTER) for name in ("hp", "shield", "round_shield", "standee")),
    *(put("figure.at", at, MONSTER) for at in (5, -1)),
    *(put("figure.initiative", 44, HERO), put("figure.second", 45, HERO)),
    *(put("figure.xp", 4, HERO), put("figure.loot", 2, HERO), put("figure.max_hp", 30, HERO)),
    *(put("figure.condition", 1, MONSTER, k) for k in range(1, layout.N_CONDITIONS)),
    *(put("figure.retaliate", 2, MONSTER, reach) for reach in (1, 2, 3, 4)),
    *(put("figure.round_retaliate", 2, MONSTER, reach) for reach in (1, 2, 3, 4)),
    *(put("hero.place", place, HERO, 4) for place in (Place.DISCARD, Place.LOST, Place.ACTIVE)),
    *(put("hero." + name, 1, HERO) for name in ("lead", "second", "resting", "used")),
    *(put("board.terrain", 1 << 20, kind, 1) for kind in Terrain),
    *(put("type.shuffle", 1, 0), put("deck.shuffle", 1, 0), put("deck.n_pile", 3, 2)),
    *(put("figure.exhausted", 1, HERO), turn_card, move_to_discards, start_bonus),
    going_on(Proc.MOVE_STEP, "move", points=3),
    going_on(Proc.MOVE_STEP, "move", mode=1),
    going_on(Proc.FORCE_STEP, "force", left=2, **FORCED),
    going_on(Proc.FORCE_STEP, "force", begun=1, **FORCED),
    going_on(Proc.HARM, "harm", amount=4, first=-1),
    going_on(Proc.HARM, "harm", first=3),
    *(
        going_on(Proc.ATTACK_NEXT, "strike", **(STRUCK | {name: value}))
        for name, value in (
            *(("value", 4), ("range", 3), ("left", 2), ("added", 1), ("pierce", 2), ("bonus", 3)),
            *(("doublings", 1), ("advantages", 1), ("template", 2), ("orientation", 3)),
            *(("placed", 1), ("waiting", 1 << MONSTER), ("done", 1 << 20), ("on_added", 1)),
            *(("dead_card", 1), ("drawn_value", 5), ("damage", 6), ("conditions", 2)),
            *(("effect", [3] + [0] * 7), ("cursor", 2), ("target", 20)),
        )
    ),
]
HIDDEN = [
    *(put("chance", 99, k) for k in range(3)),
    *(put("left", 7), put("decisions", 77), put("damage_dealt", 5), put("tasks", 3, 40)),
    put("log", (1, 2, 3, 4, 5, 6), 0),
]


def opened():
    """A game in which monsters stand on the board, the characters about to choose cards."""
    return Games("counting-vault", 2, [1])


@pytest.mark.parametrize("change", VISIBLE, ids=lambda change: change.__name__)
def test_open_changes_are_observed(change):
    assert is_observed(opened(), change)


@pytest.mark.parametrize("change", HIDDEN, ids=lambda change: change.__name__)
def test_hidden_changes_are_not_observed(change):
    assert not is_observed(opened(), change)
