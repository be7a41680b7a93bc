"""What rows of features say about actions of Agemonia, against the content and the dice."""

import itertools

import numpy as np
import pytest

from agemonia_env.core.env_slots import Control
from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.rulesets.agemonia.core import action_features
from agemonia_env.rulesets.agemonia.core.action_spec import ACTION_INT8, PLACE_OF_OP
from agemonia_env.rulesets.agemonia.core.actions import STARTS, Block, Turn
from agemonia_env.rulesets.agemonia.core.layout import CONTENT, FACE_EXTRA, FACE_SYMBOL, N_AREAS
from agemonia_env.rulesets.agemonia.core.obs_spec import HEALTH, OBS, POINTS, SMALL
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.core.terms import Decision, Kind, Op
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from tests.games import Games

STEPS = 200


def played(scenario, heroes=3, n=8, **more):
    """Masks and rows, with (game, action) of each row, of questions in random play."""
    games = Games(AGEMONIA, scenario, heroes, range(n), **more)
    for _ in range(STEPS):
        masks = games.masks()
        rows = games.features(masks).view(ACTION_INT8)[:, 0]
        running = games.running[masks.nonzero()[0]]
        which, actions = (index[running] for index in masks.nonzero())
        yield games, which, actions, rows[running]
        games.step(games.chosen())


@pytest.mark.parametrize("scenario", ["ford", "tithe", "snares"])
def test_tokens_are_described_as_their_cards_say(scenario):
    described = set()
    for games, which, actions, rows in played(scenario):
        content = games.contents[0]
        for game, action, row in zip(which, actions, rows, strict=True):
            state = games.states[game]
            if state["decision"] != Decision.SELECT_ACTION:
                continue
            card = content["sheet"][state["asked"]]["token"][action - STARTS[Block.TOKEN]]
            token, does = content["token"][card], row["does"]
            effects = content["effect"][token["first"] : token["first"] + token["n"]]
            assert does["colour"].argmax() == token["colour"]
            assert does["cost"] == token["cost"]
            named = {op for op in Op if PLACE_OF_OP[op] >= 0 and does["ops"][PLACE_OF_OP[op]]}
            assert named == {Op(op) for op in effects["op"]} - {Op.NONE}
            attacks = content["attack"][effects["a"][effects["op"] == Op.ATTACK]]
            assert does["shape"].sum() == len(set(attacks["shape"].tolist()))
            described.add(int(card))
    assert len(described) > 10


def test_an_ally_that_an_action_helps_gets_what_the_action_gives():
    seen = set()
    for games, which, actions, rows in played("tithe"):
        for game, action, row in zip(which, actions, rows, strict=True):
            state = games.states[game]
            if state["decision"] == Decision.RECIPIENT and action >= STARTS[Block.ALLY]:
                effect = games.contents[0]["effect"][state["act"]["row"] - 1]
                heals = effect["op"] in (Op.HEAL, Op.RESTORE, Op.MIXED)
                assert row["healing"] <= heals * POINTS * effect["amount"]
                seen.add((int(effect["op"]), bool(row["healing"])))
    assert {op for op, some in seen if some}
    assert {op for op, some in seen if not some}


def test_areas_and_figures_are_those_on_the_map():
    steps = targets = 0
    for games, which, actions, rows in played("beacon"):
        for game, action, row in zip(which, actions, rows, strict=True):
            state, content = games.states[game], games.contents[0]
            if state["decision"] == Decision.STEP and row["kind"][Block.AREA]:
                area = action - STARTS[Block.AREA]
                here = state["ally"][state["move"]["ally"]]["area"]
                assert row["area"]["other"]
                assert row["area"]["range"] == content["range"][here, area]
                assert row["area"]["enemies"] == state["enemies_in"][area]
                steps += 1
            if row["kind"][Block.ENEMY]:
                enemy = state["enemy"][action - STARTS[Block.ENEMY]]
                assert row["figure"]["enemy"]
                assert row["figure"]["health"] == enemy["health"]
                assert row["area"]["exists"]
                targets += 1
    assert steps > 100
    assert targets > 10


def due_at(state, content, area):
    """Enemies whose attack is still to come this round and could reach an area, and its values."""
    if state["card"] < 0:
        return 0, 0
    card, attackers, values = content["card"][state["card"]], 0, 0
    for enemy in state["enemy"][state["enemy"]["type"] >= 0]:
        kind = content["type"][enemy["type"]]
        (bars,) = (card["enemy"].astype(bool) & (card["colour"] == kind["colour"])).nonzero()
        eye = card["eye"][bars[0]]
        is_over = enemy["acted"] or (state["bar"] > bars[0] + 1 and not enemy["last"])
        if enemy["area"] < 0 or enemy["spawned"] or is_over or kind["strike"][eye] < 0:
            continue
        strike = content["strike"][kind["strike"][eye]]
        reach = kind["move"][eye] + max(0, strike["range"])
        if 0 <= content["range"][enemy["area"], area] <= reach:
            attackers += 1
            values += max(0, strike["value"])
    return attackers, values


def test_attacks_that_are_still_to_come_are_those_of_the_rounds_card():
    seen = set()
    for games, which, actions, rows in played("beacon"):
        for game, action, row in zip(which, actions, rows, strict=True):
            state, content = games.states[game], games.contents[0]
            if state["decision"] == Decision.STEP and row["kind"][Block.AREA]:
                part, area = row["area"], action - STARTS[Block.AREA]
                attackers, values = due_at(state, content, area)
                assert (part["due_attackers"], part["due_exposure"]) == (attackers, values)
                assert attackers <= part["attackers"]
                seen.add(attackers)
    assert len(seen) > 2


def test_threats_in_observations_are_those_of_the_rounds_card():
    seen, games = set(), Games(AGEMONIA, "beacon", 3, range(4))
    for _ in range(STEPS):
        rows = np.empty((4, AGEMONIA.N_OBSERVATION), np.float32)
        AGEMONIA.api.write_observations(*games.records, rows)
        for i in np.flatnonzero(games.running):
            state, content, shown = games.states[i], games.contents[0], rows[i].view(OBS)[0]
            allies = state["ally"]
            on_map = (allies["kind"] != Kind.NOBODY) & (allies["area"] >= 0)
            for a in np.flatnonzero(on_map & (allies["exhausted"] == 0)):
                attackers, values = due_at(state, content, state["ally"][a]["area"])
                now = shown["ally_now"][a]
                assert now["threats"] * SMALL == attackers
                assert now["threat"] * HEALTH == pytest.approx(values)
                assert now["attackers"] >= now["threats"]
                seen.add(attackers)
            if state["decision"] == Decision.TURN:
                acts = int(state["active_ally"])
                here = allies[acts]["area"]
                for e in np.flatnonzero(shown["enemy"]["present"]):
                    now, there = shown["enemy_now"][e], state["enemy"][e]["area"]
                    away = content["range"][here, there]
                    assert now["away"] * POINTS == pytest.approx(away if away >= 0 else N_AREAS)
                    assert now["seen"] == bool(content["seen"][here] >> there & 1)
                reach = shown["enemy_now"]["reaches_actor"].sum()
                assert reach == shown["ally_now"][acts]["threats"] * SMALL
                assert shown["enemy_now"]["attacks_actor"].sum() == (
                    shown["ally_now"][acts]["attackers"] * SMALL
                )
        games.step(games.chosen())
    assert len(seen) > 2


def test_a_certain_hit_defeats():
    """Shares of a Cleave and stamina paid on a roll: no dice are left, so 0 or 100 %."""
    seen = set()
    for games, which, _, rows in played("watchtower", n=40):
        asked = games.states["decision"][which]
        certain = rows[(asked == Decision.SHARE) | (asked == Decision.PAY)]
        seen |= set(certain["defeat"].tolist())
    assert seen == {0, 100}


def test_the_enemy_side_sees_what_its_greedy_play_takes():
    played = {"side": "both", "enemy_will": "free"}
    control = AGEMONIA.check_arguments(scenario="ford", **played).control()
    games = Games(AGEMONIA, "ford", 2, range(6), auto_ties=control, **played)
    theirs = 0
    for _ in range(STEPS):
        masks = games.masks()
        rows = games.features(masks).view(ACTION_INT8)[:, 0]
        _, actions = masks.nonzero()
        marked = rows["greedy_choice"] == 1
        chosen = games.chosen(Policy.RIVAL)
        assert (actions[marked] == chosen[games.running]).all()
        for i in np.flatnonzero(games.running):
            state = games.states[i]
            theirs += AGEMONIA.side_asked(int(state["decision"]), int(state["asked"])) == "enemy"
        games.step(games.chosen())
    assert theirs > 20
    assert control & Control.ENEMIES_ASKED


def test_turn_choices_name_their_cost():
    seen = 0
    for games, which, actions, rows in played("ford"):
        for game, action, row in zip(which, actions, rows, strict=True):
            if action == STARTS[Block.TURN] + Turn.MOVE_PAID:
                sheet = games.contents[0]["sheet"][games.states[game]["active_ally"]]
                assert row["turn"][Turn.MOVE_PAID]
                assert row["cost"] == sheet["move_cost"]
                assert row["amount"] == sheet["move_paid"]
                seen += 1
    assert seen > 10


# ---- odds ---------------------------------------------------------------------------------------
@pytest.mark.skipif(COMPILED, reason="a kernel is called by itself, which only plain Python can")
@pytest.mark.parametrize("dice", [0, 1, 3])
def test_the_chance_of_successes_is_that_of_all_faces(dice):
    content = zeros(CONTENT)[0]
    content.action_die[:] = [0, 1, 2, 1, FACE_SYMBOL, 0]
    worth = [0, 1, 2, 1, 1, 0]
    rolls = [sum(roll) for roll in itertools.product(worth, repeat=dice)]
    for number in range(8):
        expected = np.mean([roll >= number for roll in rolls])
        chance = action_features.chance_of(content, dice, number, np.zeros((2, 32)))
        assert chance == pytest.approx(expected, abs=1e-12)


@pytest.mark.skipif(COMPILED, reason="a kernel is called by itself, which only plain Python can")
def test_a_face_that_adds_a_die_goes_on():
    content = zeros(CONTENT)[0]
    content.action_die[:] = [0, 0, 0, 0, 0, FACE_EXTRA]
    for number in range(5):
        chance = action_features.chance_of(content, 1, number, np.zeros((2, 32)))
        assert chance == pytest.approx((1 / 6) ** number)
