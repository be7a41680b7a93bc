"""The features of the legal actions: true, in range, and blind to what is hidden."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.hexdungeon.content.load import scenarios
from agemonia_env.rulesets.hexdungeon.core import action_spec, api, layout
from agemonia_env.rulesets.hexdungeon.core.action_spec import ACTION, ACTION_INT8, N_ACTION_FEATURES
from agemonia_env.rulesets.hexdungeon.core.actions import N_ACTIONS, SIZES, STARTS, Block
from agemonia_env.rulesets.hexdungeon.core.policies import Policy
from agemonia_env.rulesets.hexdungeon.core.terms import (
    Decision,
    Effect,
    Goal,
    Half,
    Op,
    Proc,
    Terrain,
)
from tests.hexdungeon.games import Games
from tests.hexdungeon.table import RAT, Content, Table

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = scenarios()
N, LIMIT, STEPS = (6, 4_000, 150) if COMPILED else (1, 12, 8)  # games, steps of whole ones, of some
PARTIES = [("wallwright", "fenrunner", "thornarm"), ("burrowcaller", "bellkeeper", "cinderhand")]
M = layout.FIRST_MONSTER
BLOCK = np.repeat(np.arange(len(SIZES)), SIZES)  # of each action
EACH = action_spec.QUARTERS // 10


def features(states, contents, which, filled=0):
    """(mask, first row of each env, rows), the rows having been filled with a number before."""
    n = len(states)
    masks = np.zeros((n, N_ACTIONS), np.uint8)
    api.write_masks(states, contents, which, masks)
    firsts = np.concatenate([[0], np.cumsum(masks.sum(1, dtype=np.int64))])
    rows = np.full((int(firsts[-1]), N_ACTION_FEATURES), filled, np.int8)
    api.write_action_features(states, contents, which, masks, firsts[:-1], rows)
    return masks, firsts, rows.view(ACTION_INT8)[:, 0]


def played(scenario, policy, seeds, steps, heroes=2):
    """Games of a scenario, ties left to the players, at each step of them."""
    games = Games(scenario, heroes, seeds, auto_ties=0)
    for _ in range(steps):
        yield games
        if not games.running.any():
            return
        games.step(games.chosen(policy))


# ---- any position --------------------------------------------------------------------------------
def test_sizes_are_pinned():
    assert N_ACTION_FEATURES == 129
    assert ACTION_INT8.itemsize == N_ACTION_FEATURES
    assert ACTION.itemsize == 4 * N_ACTION_FEATURES
    assert action_spec.ACTION_SCALES.view(ACTION)[0]["target"]["hp"] == 20


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("policy", [Policy.RANDOM, Policy.GREEDY])
@pytest.mark.parametrize("party", PARTIES, ids=lambda party: party[0])
def test_rows_of_whole_games(scenario, policy, party):
    for games in played(scenario, policy, range(N), LIMIT, party):
        before = games.states.tobytes()
        masks, firsts, rows = features(*games.records, filled=77)
        again = features(*games.records, filled=-3)[2]
        assert rows.tobytes() == again.tobytes()  # every field is written
        assert games.states.tobytes() == before
        assert rows.view(np.int8).min() >= -127
        greedy = games.chosen(Policy.GREEDY)
        for i in range(games.n):
            own, actions = rows[firsts[i] : firsts[i + 1]], np.flatnonzero(masks[i])
            if not games.running[i]:
                assert not own.view(np.int8).any()
                continue
            np.testing.assert_array_equal(own["kind"], np.eye(len(SIZES))[BLOCK[actions]])
            halves = np.eye(len(Half))[(actions - STARTS[Block.HALF]) % 4]
            halves[BLOCK[actions] != Block.HALF] = 0
            np.testing.assert_array_equal(own["half"], halves)
            assert actions[own["greedy_choice"] == 1].tolist() == [greedy[i]]
    assert not (COMPILED and games.running.any())


def digests():
    """A hash of the rows at the steps of some short games."""
    return [
        hashlib.sha256(features(*games.records)[2].tobytes()).hexdigest()
        for scenario in ("warm-cellar", "counting-vault", "under-the-weir")
        for games in played(scenario, Policy.GREEDY, [3], 25)
    ]


@pytest.mark.skipif(not COMPILED, reason="compares compiled code with plain Python")
def test_plain_python_writes_the_same():
    code = f"from {__name__} import digests; print(*digests())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == digests()


# ---- by hand -------------------------------------------------------------------------------------
DECK = ("+0", "+1", "-1", "+2", "x2", "null")


def begun(content, *halves):
    """A turn of a character with cards 0 and 1, in which some halves are used."""
    t = Table(content)
    t.in_decks(*DECK)
    t.select(0, 1)
    for half in halves:
        t.answer(Block.HALF, half)
    return t


def rows_of(t):
    """The rows of a table, by (block, index)."""
    masks, _, rows = features(t.states, t.content.records, np.zeros(1, np.int16))
    actions = np.flatnonzero(masks[0])
    keys = [(Block(BLOCK[a]), int(a - STARTS[BLOCK[a]])) for a in actions]
    return dict(zip(keys, rows, strict=True))


def beside_a_rat(**stats):
    content = Content()
    content.stats(RAT, **stats)
    content.monster_card(RAT, 99)
    content.spawn(RAT, (1, 0))
    return content


def test_damage_and_defeat_of_an_attack():
    """Attack 3 on 4 hit points behind Shield 1: the six cards deal 2, 3, 1, 4, 5, 0."""
    t = begun(beside_a_rat(shield=1, retaliate=2, retaliate_range=1), Half.TOP)
    assert t.decision == Decision.TARGET
    row = rows_of(t)[Block.FIGURE, M]
    assert (row["damage"], row["defeat"]) == (EACH * 15 // 6, 33)
    assert (row["suffers"], row["targets"]) == (EACH * 2, 1)
    target = row["target"]
    assert [target[name] for name in ("monster", "hp", "shield", "retaliate", "away")] == [
        *(1, 4, 1, 2, 1)
    ]
    t.afflict(0, Effect.STRENGTHEN)  # the better of two: 55/15, and 9 of 15 pairs defeat
    row = rows_of(t)[Block.FIGURE, M]
    assert (row["damage"], row["defeat"]) == (round(EACH * 55 / 15), 60)
    t.afflict(0, Effect.STRENGTHEN, 0)
    t.afflict(0, Effect.MUDDLE)  # the worse: 20/15, and 1 of 15 defeats
    row = rows_of(t)[Block.FIGURE, M]
    assert (row["damage"], row["defeat"]) == (round(EACH * 20 / 15), 7)


def test_conditions_of_an_attack_leave_out_those_to_which_the_target_is_immune():
    content = beside_a_rat(immune=1 << Effect.WOUND)
    effects = [Effect.POISON, Effect.WOUND, Effect.CURSE, *[0] * 5]
    content.half(0, 0, 0, (Op.ATTACK, {"amount": 2, "effect": effects}))
    row = rows_of(begun(content, Half.TOP))[Block.FIGURE, M]
    assert row["gives"].tolist() == [1, *[0] * 7]
    assert row["curse"] == 1


def test_a_half_shows_what_it_does():
    content = beside_a_rat()
    content.half(
        *(0, 0, 0),
        (Op.MOVE, {"amount": 2, "mode": 1}),
        (Op.ATTACK, {"amount": 4, "range": 3, "targets": 2, "pierce": 1}),
        loss=1,
    )
    rows = rows_of(begun(content))
    row = rows[Block.HALF, Half.TOP]
    names = ("attack", "range", "targets", "pierce", "in_reach", "move", "jump", "loss")
    assert [row["top"][name] for name in names] == [4, 3, 2, 1, 1, 2, 1, 1]
    assert (row["loses"], row["initiative"]) == (1, 10)
    assert row["damage"] > 0
    assert not row["bottom"].tobytes().strip(b"\0")
    basic = rows[Block.HALF, Half.BASIC_ATTACK]
    assert (basic["top"]["attack"], basic["loses"]) == (2, 0)
    assert rows[Block.HALF, 4 + Half.BASIC_MOVE]["bottom"]["move"] == 2


def test_a_step_shows_where_it_leads():
    content = Content(hazard=[(0, 1)], trap=[(1, 0)])
    content.c["goal"] = Goal.REACH
    content.monster_card(RAT, 99)
    content.spawn(RAT, (4, 0))
    content.c["exit"] = content.c["board"]["terrain"][Terrain.TRAP]
    content.c["trap"][0]["at"], content.c["trap"][0]["damage"] = content.case.number((1, 0)), 3
    content.c["trap"][0]["conditions"] = 1 << Effect.POISON
    content.c["n_traps"] = 1
    t = begun(content, Half.BOTTOM)
    assert t.decision == Decision.STEP
    rows = rows_of(t)
    east, stay = rows[Block.DIRECTION, 0], rows[Block.DONE, 0]
    place = east["hex"]
    names = ("objective_before", "objective_after", "enemy_before", "enemy_after", "trap", "exit")
    assert [place[name] for name in names] == [2, 1, 5, 4, 1, 1]
    assert (place["threats"], place["threat_damage"]) == (1, 2)  # Move 2 and Attack 2
    assert (east["suffers"], east["cost"], east["gives"][0]) == (EACH * 3, 1, 1)
    assert (stay["suffers"], stay["hex"]["threats"], stay["hex"]["objective_after"]) == (0, 0, 2)
    assert rows[Block.DIRECTION, 1]["hex"]["hazard"] == 1
    assert rows[Block.DIRECTION, 1]["suffers"] == EACH * 1  # (2 + level) // 2


def test_damage_may_be_refused_for_a_card():
    t = begun(beside_a_rat())
    s = t.s
    s["harm"]["to"], s["harm"]["amount"], s["harm"]["first"] = 0, 12, -1
    t.s["decision"] = Decision.NONE
    t.push(Proc.HARM)
    assert t.decision == Decision.LOSE
    rows = rows_of(t)
    assert (rows[Block.NO, 0]["suffers"], rows[Block.NO, 0]["defeat"]) == (EACH * 12, 100)
    card = rows[Block.CARD, 2]
    assert (card["loses"], card["suffers"], card["initiative"], card["amount"]) == (1, 0, 30, 12)
    assert (card["top"]["attack"], card["bottom"]["move"]) == (3, 3)


def test_a_summon_and_a_landing_show_their_hexes():
    content = Content(obstacle=[(4, 0)])
    content.half(0, 0, 0, (Op.SUMMON, {"kind": 2}))
    content.monster_card(RAT, 99)
    content.spawn(RAT, (3, 0))
    t = begun(content, Half.TOP)
    assert t.decision == Decision.SUMMON
    row = rows_of(t)[Block.DIRECTION, 0]
    assert (row["hex"]["enemy_before"], row["hex"]["enemy_after"], row["hex"]["threats"]) == (
        4,
        3,
        1,
    )
    t = Table(content, begin=False)
    t.hero(0, (4, 0))
    t.s["actor"] = 0
    t.push(Proc.LANDING)
    assert t.decision == Decision.LANDING
    rows = rows_of(t)
    assert set(rows) == {(Block.HEX, content.case.number(h)) for h in around(4, 0)}
    assert all(row["target"]["hero"] == 1 and row["hex"]["obstacle"] == 0 for row in rows.values())


def around(q, r):
    steps = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    return [(q + dq, r + dr) for dq, dr in steps]
