"""Numbers ranked: one step each, and many at once."""

import re
import shutil

import numpy as np
import pytest

from agemonia_env.balance import compare, sensitivity, study_config
from agemonia_env.balance.game_cache import PLAYED
from agemonia_env.balance.global_sensitivity import GlobalSensitivity, make_global_study
from agemonia_env.balance.one_at_a_time import SensitivityConfig, discovery_rates, two_sided
from agemonia_env.balance.study_config import make_config
from agemonia_env.balance.study_result import HTML, JSON, PARQUET
from agemonia_env.packs.folders import ContentError
from agemonia_env.simulation.run import Interrupted

FEW = {"of": ["enemies.slinger.actions.open", "heroes.orsa.growth"], "games": 200, "seed": 3}
HEALTH = "enemies.reedling.health.per_hero"
RANGES = {HEALTH: [1, 5], "heroes.orsa.growth.Haul In.cost": [0, 2]}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(study_config, "BLOCK", 100)


@pytest.fixture(scope="module")
def found():
    return sensitivity(**FEW)


def test_stronger_enemies_win_more_and_the_largest_change_comes_first(found):
    by_step = {(row["path"], row["new"] - row["old"]): row for row in found.rows}
    hit = "enemies.slinger.actions.open.attack.value"
    assert by_step[hit, 1]["difference"] < 0 < by_step[hit, -1]["difference"]
    sizes = [abs(row["difference"]) for row in found.rows]
    assert sizes == sorted(sizes, reverse=True)
    assert found.rows[0]["sure"]
    for row in found.rows:
        assert row["b"] - row["a"] == pytest.approx(row["difference"])
        assert row["low"] <= row["difference"] <= row["high"]


def test_variants_without_effect_are_not_played(found):
    idle = found.record()["idle"]
    assert idle
    assert all(path.startswith("heroes.orsa.growth") for path in idle)
    assert not any(row["path"].startswith("heroes.orsa.growth") for row in found.rows)


def test_refused_variants_are_reported():
    refused = sensitivity(of="scenarios.ford.setup[4]", games=100).record()["refused"]
    assert list(refused) == [
        f"scenarios.ford.setup[4].{key}"
        for key in ("amount = 0", "min_heroes = 0", "min_heroes = 2", "max_heroes = 0")
    ]
    assert all(
        "greater than or equal to 1" in why for path, why in refused.items() if "= 0" in path
    )


def test_numbers_that_a_file_leaves_to_their_default_are_ranked():
    found = sensitivity(of="enemies.reedling", games=100)
    assert ("enemies.reedling.shield", 0, 1) in {
        (r["path"], r["old"], r["new"]) for r in found.rows
    }


def test_results_do_not_depend_on_threads_or_interruptions(found, tmp_path):
    there, again = tmp_path / "there", tmp_path / "again"
    sensitivity(**FEW, threads=2, out=there)
    shutil.copytree(there, again)
    for path in sorted((again / PLAYED).iterdir())[::2]:
        path.unlink()
    sorted((again / PLAYED).iterdir())[0].write_bytes(b"cut short")
    sensitivity(**FEW, out=again)
    for name in (JSON, PARQUET, HTML):
        assert (there / name).read_bytes() == (again / name).read_bytes()
    assert found.record() == sensitivity(**FEW, out=there).record()


def test_another_study_is_refused_and_force_starts_over(tmp_path):
    small = {"of": "enemies.slinger.actions.open.attack.value", "games": 100, "out": tmp_path / "a"}
    sensitivity(**small)
    with pytest.raises(ValueError, match=r"holds a different study \(seed: 0, now 1\)"):
        sensitivity(**small, seed=1)
    note = tmp_path / "a" / PLAYED / "note.txt"
    note.write_text("mine")
    other = sensitivity(**small, seed=1, force=True)
    assert note.read_text() == "mine"  # only what the study wrote is deleted
    note.unlink()
    kept = {path: path.read_bytes() for path in (tmp_path / "a" / PLAYED).iterdir()}
    assert len(kept) == len(other.steps.variants) + 1  # those of the other seed are gone
    first = min(kept)
    first.write_bytes(max(kept.values(), key=len))
    sensitivity(**small, seed=1, force=True)
    assert first.read_bytes() == kept[first]  # played again


def test_a_stopped_study_says_what_is_saved(monkeypatch, tmp_path):
    def stop(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr("agemonia_env.balance.game_cache.play_chunk", stop)
    with pytest.raises(Interrupted, match=r"saved in .*resumes"):
        sensitivity(of="enemies.slinger.shield", games=100, out=tmp_path / "out")


def test_false_discoveries():
    assert two_sided(0.0, 1.0) == 1
    assert two_sided(1.96, 1.0) == pytest.approx(0.05, abs=1e-3)
    assert two_sided(0.0, 0.0) == 1
    # Benjamini and Hochberg, by hand: p * n / rank, no smaller than those of smaller ranks
    assert discovery_rates([0.01, 0.04, 0.03, 0.5]) == pytest.approx(
        [0.04, 0.16 / 3, 0.16 / 3, 0.5]
    )


# ---- many at once ---------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["morris", "sobol"])
def test_a_number_that_no_game_meets_explains_nothing(method):
    small = {"samples": 4} if method == "sobol" else {"trajectories": 3}
    found = sensitivity(method=method, ranges=RANGES, games=100, **small)
    first, last = found.rows
    assert first["path"] == "enemies.reedling.health.per_hero"
    if method == "morris":
        assert first["effect"] < -0.2
        assert [last[key] for key in ("effect", "mean_effect_size", "spread")] == [0, 0, 0]
    else:
        assert first["total"] > 0.3
        assert last["total"] == 0


HIT, LAST = "enemies.slinger.actions.open.attack.value", "scenarios.ford.last_round"


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5, 6])
def test_an_effect_is_that_of_the_whole_numbers_that_are_played(width, monkeypatch):
    # the win rate is linear in the numbers; the effects must be the slopes
    ranges = {HEALTH: [1, 1 + width], HIT: [2, 5]}
    config = make_config(SensitivityConfig, {"method": "morris", "ranges": ranges, "games": 100})
    study = make_global_study(config)
    won = 0.9 - 0.03 * study.points[:, :1] - 0.05 * study.points[:, 1:]
    effects = {row["path"]: row["effect"] for row in GlobalSensitivity(study, won).rows}
    assert effects[HEALTH] == pytest.approx(-0.03 * width)
    assert effects[HIT] == pytest.approx(-0.05 * 3)


def test_an_effect_is_what_a_comparison_finds():
    given = {"games": 200, "seed": 1}
    found = sensitivity(method="morris", ranges={HIT: [2, 3], LAST: [14, 15]}, **given)
    effect = next(row["effect"] for row in found.rows if row["path"] == HIT)
    row = compare(a=f"{HIT} = 2", b=f"{HIT} = 3", **given).rows[0]
    assert effect == pytest.approx(row["difference"], abs=0.02)  # rounds 14 and 15 hardly count


def test_invalid_combinations_of_ranges_are_reported_with_values():
    crowded = {
        "scenarios.ford.setup[0].amount": [1, 3],
        "scenarios.ford.map.areas.B.capacity": [1, 3],
    }
    with pytest.raises(ContentError, match=r"invalid together: scenarios.*amount = .*capacity = "):
        sensitivity(method="morris", ranges=crowded, games=100)


def test_points_are_whole_numbers_of_the_ranges():
    for method in ("morris", "sobol"):
        config = make_config(SensitivityConfig, {"method": method, "ranges": RANGES, "games": 100})
        points = make_global_study(config).points
        for column, (low, high) in zip(points.T, RANGES.values(), strict=True):
            assert set(column) <= set(range(low, high + 1))
            assert {low, high} <= set(column)


def test_variants_with_the_same_numbers_are_played_once():
    config = make_config(SensitivityConfig, {"method": "sobol", "ranges": RANGES, "games": 100})
    study = make_global_study(config)
    assert len({id(plans) for plans in study.plans}) == len(np.unique(study.points, axis=0))


@pytest.mark.parametrize("method", ["morris", "sobol"])
def test_any_seed_that_games_take(method):
    given = {"method": method, "ranges": RANGES, "games": 100}
    one, other = (
        make_global_study(make_config(SensitivityConfig, given | {"seed": seed}))
        for seed in (3, 3 + 2**32)
    )
    assert (one.points == other.points).all()
    assert one.base != other.base


HEALTH, TWICE = "enemies.reedling.health.per_hero", "enemies.reedling.card.health.per_hero"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"of": "nobody"}, "there is no 'nobody'"),
        ({"of": "heroes.orsa.growth"}, "none of these numbers affects"),
        ({"method": "sobol"}, "needs at least two numbers"),
        ({"method": "morris", "ranges": {"heroes.orsa.blue": [3, 2], "x": [1, 2]}}, "smaller one"),
        ({"method": "guess", "ranges": RANGES}, "method"),
        ({"ranges": RANGES}, "ranges: not a key of method steps, which has of, step, false_disc"),
        ({"samples": 64}, "samples: not a key of method steps"),
        (
            {"method": "morris", "ranges": RANGES, "of": "heroes.orsa"},
            "of: not a key of method morris",
        ),
        ({"method": "sobol", "ranges": RANGES, "samples": 5}, "samples: must be a power of two"),
        (
            {"method": "morris", "ranges": {HEALTH: [1, 3], TWICE: [1, 4]}},
            f"ranges.{TWICE}: is the same number as {HEALTH}",
        ),
        ({"of": "heroes.orsa.blue", "step": 1000}, "2 of 2 steps are invalid: heroes.orsa.bl"),
        ({"games": 10}, "games"),
        ({"scenario": "random", "scenario_seed": [1, 5]}, "say which numbers"),
    ],
)
def test_mistakes_are_reported_before_a_game_is_played(wrong, message):
    with pytest.raises(ContentError, match=re.escape(message)) as found:
        sensitivity(**wrong)
    assert sum(message in error for error in found.value.errors) == 1
