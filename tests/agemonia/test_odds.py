"""R3, R9 - exact odds: by hand, against all faces, and as the core rolls."""

import itertools
import re
from collections import Counter
from fractions import Fraction

import gymnasium
import pytest
from scipy.stats import chisquare
from typer.testing import CliRunner

from agemonia_env.cli.main import app
from agemonia_env.core.jit import COMPILED
from agemonia_env.policies import policy_of
from agemonia_env.rulesets.agemonia.tools import odds
from agemonia_env.rulesets.agemonia.tools.odds import MOST, Dice, action_dice, reaction_dice

SIXTH = Fraction(1, 6)


def test_one_action_die():
    rolls = action_dice(1).rolls()  # 1 1 2 X S S: X is one success and another die
    assert rolls[1, 0] == 2 * SIXTH
    assert rolls[2, 0] == SIXTH + SIXTH * 2 * SIXTH
    assert rolls[0, 1] == 2 * SIXTH
    assert rolls[1, 1] == SIXTH * 2 * SIXTH
    assert sum(rolls.values()) == 1
    assert rolls[MOST, 0] < 1e-20


def test_reaction_dice_against_all_faces():
    faces = {0: 2 * SIXTH, 1: 2 * SIXTH, 2: SIXTH, "H": SIXTH}
    counts = Counter()
    for rolled in itertools.product(faces, repeat=3):
        share = faces[rolled[0]] * faces[rolled[1]] * faces[rolled[2]]
        total = sum(2 if face == "H" else face for face in rolled)
        counts[max(0, 4 - total - 1)] += share
    assert odds.hit(reaction_dice(3), 4, bonus=1, h_worth=2) == dict(sorted(counts.items()))


def test_r3_3_stamina_goes_on_s_symbols():
    one = action_dice(1)
    assert odds.check(one)[0] == 2 * SIXTH
    assert 0 not in odds.check(one, stamina=2)
    assert odds.check(one, stamina=1)[1] == 4 * SIXTH
    assert odds.check(one, stamina=9) == odds.check(one, stamina=2)
    hindered = odds.check(one, hindered=True, modifier=3)
    assert hindered == {n + 2: share for n, share in odds.check(one).items()}


def test_shield_and_aim_take_from_damage():
    plain, less = odds.attack(action_dice(2), bonus=1), odds.attack(action_dice(2), shield=1)
    assert less[0] == plain[1] + plain[2]
    assert odds.attack(action_dice(2), obstructed=True) == less
    assert odds.at_least(less, 0) == 1
    assert odds.at_least(less, 1) == 1 - less[0]
    assert odds.mean({1: Fraction(1, 2), 4: Fraction(1, 2)}) == Fraction(5, 2)


def test_no_dice():
    assert odds.attack(action_dice(0), bonus=2)[2] == 1
    assert Dice((1, 1), 3).rolls()[3, 0] == 1


@pytest.mark.skipif(not COMPILED, reason="two thousand copies of a game")
def test_a_reactive_check_as_the_core_rolls_it():
    env = gymnasium.make("agemonia_env:Agemonia-v0", scenario="ford", heroes=2).unwrapped
    env.reset(seed=1)
    greedy = policy_of(env.ruleset, "greedy")
    while not env.action_meaning(action := env.choose(greedy)).endswith("take the hit"):
        env.step(action)
    left = Counter()
    for seed in range(2000):
        copy = env.clone(reseed=seed)
        copy.keep_log()
        copy.step(action)
        off, value = re.search(r"keeps off (\d+) of (\d+)", "; ".join(copy.happened())).groups()
        left[int(value) - int(off)] += 1
    fits = []
    for n in range(5):
        odds_of_n = odds.hit(reaction_dice(n), int(value))
        expected = [2000 * float(share) for share in odds_of_n.values()]
        if set(left) <= set(odds_of_n):
            fits.append(chisquare([left[each] for each in odds_of_n], expected).pvalue)
    assert max(fits) > 1e-3
    assert sorted(fits)[-2] < 1e-6  # no other number of dice fits


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("attack 13", "agemonia odds attack: 13 dice; 0 to 12 are allowed"),
        ("check 2 --pack none-such", "agemonia odds check: unknown pack 'none-such'"),
        ("hit -- -1 4", "agemonia odds hit: -1 dice; 0 to 12 are allowed"),
    ],
)
def test_mistakes_are_named(line, says):
    done = CliRunner().invoke(app, ["odds", *line.split()])
    assert done.exit_code == 2
    assert says in done.output


def test_tables():
    done = CliRunner().invoke(app, ["odds", "hit", "1", "2", "--fractions"])
    assert done.exit_code == 0
    rows = [line.split() for line in done.output.splitlines()]
    assert rows[1:4] == [["0", "1/6", "1"], ["1", "1/3", "5/6"], ["2", "1/2", "1/2"]]
    assert rows[-1] == ["mean", "1.333"]
    done = CliRunner().invoke(app, ["odds", "attack", "1"])
    assert "33.33 %" in done.output
    assert f"{MOST}" not in done.output
