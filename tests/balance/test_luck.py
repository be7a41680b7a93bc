"""Taking luck out of comparisons: when, and that the result stays what it was."""

import json

import numpy as np
import polars as pl
import pytest

from agemonia_env.balance import compare, luck, study_config
from agemonia_env.balance.accumulator import FAIR, accumulate, fair
from agemonia_env.balance.study_config import COUNTING
from agemonia_env.balance.study_result import JSON
from agemonia_env.core.jit import COMPILED
from agemonia_env.packs.folders import ContentError
from agemonia_env.rulesets.identity import PACKAGE
from agemonia_env.simulation import value_fit
from agemonia_env.simulation.luck import LUCK, UNIT

SLOW = "enemies.slinger.actions.open.attack.value +1"
HARDER = {
    "Agemonia-v0": SLOW,
    "HexDungeon-v0": "monsters.kiln-rat.levels[1].normal.hit_points +1",
}
GAMES = {"games": 200, "seed": 3, "remove_luck": "always"}

plays = pytest.mark.skipif(not COMPILED, reason="plays thousands of games")


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """A value function of few games, so that tests are quick."""
    monkeypatch.setattr(study_config, "BLOCK", 100)
    monkeypatch.setattr(luck, "FIT_GAMES", 500)
    monkeypatch.setattr(luck, "FIT_CHUNK", 250)


def won(report):
    """The row of games won."""
    return next(row for row in report.rows if row["metric"] == "won")


@plays
@pytest.mark.parametrize("env", HARDER)
def test_the_result_without_luck_agrees_with_the_plain_one(env):
    given = {"env": env, "b": HARDER[env]}
    plain, removed = (
        won(compare(**given | GAMES | {"remove_luck": mode, "games": 400}))
        for mode in ("never", "always")
    )
    assert plain["luck"] is None
    assert removed["luck"] > 0.8
    width = plain["high"] - plain["low"]
    assert abs(plain["difference"] - removed["difference"]) < width / 2
    assert plain["a"] != removed["a"]
    assert plain["gain"] == removed["gain"]  # pairing is measured on the plain games


NAMES = {
    "Agemonia-v0": "enemies.reedling.name = Imp",
    "HexDungeon-v0": "monsters.kiln-rat.name = Mouse",
}


@plays
@pytest.mark.parametrize("env", HARDER)
@pytest.mark.parametrize("mode", ["never", "always"])
def test_nothing_changed_is_exactly_zero_and_swapping_is_exactly_the_negative(env, mode):
    given, change = {"env": env, **GAMES, "remove_luck": mode}, HARDER[env]
    for same in (), NAMES[env]:
        row = won(compare(b=same, **given))
        assert (row["difference"], row["low"], row["high"]) == (0, 0, 0)
    there, back = won(compare(b=change, **given)), won(compare(a=change, **given))
    assert (there["luck"] is not None) == (mode == "always")
    assert there["difference"] == -back["difference"] != 0
    assert (there["low"], there["high"]) == (-back["high"], -back["low"])


@plays
def test_the_same_bytes_on_any_number_of_threads_and_after_a_stop(tmp_path, monkeypatch):
    compare(b=SLOW, **GAMES, out=tmp_path / "one")
    compare(b=SLOW, **GAMES, out=tmp_path / "two", threads=2)
    text = (tmp_path / "one" / JSON).read_bytes()
    assert text == (tmp_path / "two" / JSON).read_bytes()
    (tmp_path / "one" / JSON).unlink()
    monkeypatch.setattr(luck, "value_of", None)  # read from the folder, not fitted again
    compare(b=SLOW, **GAMES, out=tmp_path / "one")
    assert text == (tmp_path / "one" / JSON).read_bytes()
    (record,) = json.loads(text)["luck"]
    assert record["removed"]
    assert record["pilot_pairs"] == 50


@plays
def test_a_damaged_choice_is_made_again(tmp_path):
    compare(b=SLOW, **GAMES, out=tmp_path)
    text, (kept,) = (tmp_path / JSON).read_bytes(), (tmp_path / "luck").iterdir()
    kept.write_bytes(kept.read_bytes()[:200])
    compare(b=SLOW, **GAMES, out=tmp_path)
    assert text == (tmp_path / JSON).read_bytes()


@plays
@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"remove_luck": "never"}, "asked to be left in"),
        ({"remove_luck": "auto"}, "times as long as to play"),
        (
            {"remove_luck": "auto", "policy": "planner:1", "games": 100},
            "sooner than a value function",
        ),
    ],
)
def test_luck_is_left_in_with_the_reason(given, why):
    report = compare(b=SLOW, **GAMES | given)
    assert why in report.record()["luck"][0]["why"]
    assert won(report)["luck"] is None
    assert why in str(report.page().sections[1].text)


def test_a_game_that_is_always_won_has_no_value_function():
    for lost in (0, 1):  # one is too few to learn from
        seen, ended = np.eye(40, dtype=np.float32), np.arange(40) >= lost
        for outcome in (ended, ~ended):
            with pytest.raises(value_fit.NoValue, match="wins all games or none"):
                value_fit.fit_value(seen, outcome)


def test_luck_that_cannot_be_taken_out_names_the_key(monkeypatch):
    def no_value(*given):
        raise value_fit.NoValue("greedy play wins all games or none")

    monkeypatch.setattr(luck, "value_of", no_value)
    with pytest.raises(ContentError, match=r"remove_luck: always: greedy play.*; use auto"):
        compare(b=SLOW, **GAMES | {"remove_luck": "always"})


def test_blocks_are_played_again_after_a_change_of_how_luck_is_measured():
    """A folder resumes only a study of the same sources; those that luck depends on count."""
    assert {f"{name}/luck.py" for name in ("balance", "simulation")} < set(COUNTING)
    assert {"simulation/value_fit.py", "review/rollouts.py"} < set(COUNTING)
    for name in COUNTING:
        assert (PACKAGE / name).is_file()


def test_a_mode_that_does_not_exist_is_refused():
    with pytest.raises(ContentError, match="remove_luck"):
        compare(b=SLOW, games=100, remove_luck="perhaps")


def test_the_weight_leaves_the_least_variance():
    random = np.random.default_rng(0)
    luck_in, rest = random.normal(0, 1, (2, 4000))
    weight, saved = value_fit.weigh(0.5 * luck_in + rest, luck_in)
    assert weight == pytest.approx(0.5, abs=0.05)
    assert saved == pytest.approx(1.25, abs=0.05)
    assert value_fit.weigh(-luck_in, luck_in) == (0.0, 1.0)
    assert value_fit.weigh(luck_in, np.zeros(4000)) == (0.0, 1.0)


def test_sums_without_luck_are_whole_numbers_of_a_small_unit():
    a = pl.DataFrame({"won": [True, False], LUCK: [UNIT // 4, -UNIT // 2]})
    b = pl.DataFrame({"won": [True, True], LUCK: [0, UNIT // 4]})
    sums = accumulate(a, b, {FAIR: fair(1.0)})
    found = sums.difference(FAIR)
    assert (found.a, found.b, found.difference) == (0.625, 0.875, 0.25)
    assert found.variance == pytest.approx(0 + 2 / 2)
    assert accumulate(a, b, {FAIR: fair(None)}).difference(FAIR).difference == 0.5
