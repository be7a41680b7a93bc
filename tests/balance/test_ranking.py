"""Rankings of variants: who takes part, who is left, what is stored."""

import polars as pl
import pytest

from agemonia_env.balance import rank
from agemonia_env.balance.rank_result import surely_worse
from agemonia_env.balance.study_result import REPORTS
from agemonia_env.packs.folders import ContentError

HEALTH, HIT = "enemies.reedling.health.per_hero", "enemies.slinger.actions.open.attack.value"
SMALL = {
    "variants": [f"{HEALTH} = 6", {"name": "hard", "changes": [f"{HEALTH} = 4", f"{HIT} = 5"]}],
    "values": {HIT: [1, 3]},
    "games": 400,
    "seed": 2,
}


@pytest.fixture(scope="module")
def ranking(tmp_path_factory):
    return rank(**SMALL, goal="highest", out=tmp_path_factory.mktemp("rank") / "out")


def test_every_variant_has_a_place(ranking):
    names = [row["variant"] for row in ranking.rows]
    assert names[0] == f"{HIT} = 1"
    assert set(names) == {"as it is", f"{HEALTH} = 6", "hard", *(f"{HIT} = {k}" for k in (1, 2))}
    (base,) = (row for row in ranking.rows if row["variant"] == "as it is")
    assert base["alike"] == [f"{HIT} = 3"]  # the pack's own value
    assert [row["rank"] for row in ranking.rows] == [1, 2, 3, 4, 5]
    assert ranking.pack.endswith("= 1")


def test_what_is_surely_worse_stops_playing(ranking):
    by_name = {row["variant"]: row for row in ranking.rows}
    assert by_name["hard"]["dropped"]
    assert by_name["hard"]["games"] < by_name[f"{HIT} = 1"]["games"]
    assert 1 <= by_name["hard"]["than"] < by_name["hard"]["rank"]
    assert ranking.played == sum(row["games"] for row in ranking.rows)
    assert ranking.played < ranking.equal == 5 * ranking.rows[0]["games"]
    for row in ranking.rows:
        assert row["low"] <= row["won"] <= row["high"]


def test_one_is_and_several_are_surely_worse():
    assert [surely_worse(number) for number in (0, 1, 2)] == [
        "None is surely worse.",
        "1 is surely worse.",
        "2 are surely worse.",
    ]


def test_a_target_turns_the_order_around(ranking):
    near = rank(**SMALL, goal=0)
    assert near.rows[0]["variant"] in ("hard", f"{HEALTH} = 6")
    assert near.rows[-1]["variant"] in (f"{HIT} = 1", f"{HIT} = 2")
    assert near.rows[-1]["dropped"]
    assert near.headline.startswith("Nearest to 0 %: ")
    words = "Mud Slinger, action open: attack value = 1"  # names, for readers
    assert ranking.headline.startswith(f"Highest win rate: {words} (")


def test_repeated_and_resumed_rankings_are_the_same(ranking, tmp_path):
    for threads in (1, 2):
        again = rank(**SMALL, goal="highest", threads=threads, out=tmp_path / "out")
        assert again.record() == ranking.record()
    assert {path.name for path in (tmp_path / "out").iterdir() if path.is_file()} <= {
        *REPORTS,
        "plan.json",
    }
    looks = pl.read_parquet(tmp_path / "out" / "looks.parquet")
    assert looks["games"].to_list() == [games for games, _, _ in ranking.race.looks]
    assert "1. Mud Slinger, action open: attack value = 1" in ranking.html()


def test_several_conditions_count_together():
    found = rank(f"{HEALTH} = 6", heroes=[2, 4], games=200)
    assert found.rows[0]["variant"] == "as it is"
    assert found.played == 2 * sum(row["games"] for row in found.rows)


def test_what_the_pack_does_not_allow_is_listed():
    place = "scenarios.ford.setup[0].amount"
    found = rank(values={place: [2, 9]}, games=100)
    assert f"{place} = 9" in found.study.refused
    assert f"{place} = 9" not in [row["variant"] for row in found.rows]
    assert "Not allowed by the pack" in found.html()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({}, "0 variants; they must be 1 to 1000"),
        ({"variants": "enemies.reedling.heath = 1"}, r"variants.0.: .*there is no 'heath'"),
        ({"values": {HIT: [1, 2000]}}, "2000 variants; they must be 1 to 1000"),
        ({"variants": f"{HIT} = 1", "goal": 120}, "goal"),
        ({"variants": f"{HIT} = 3"}, "nothing to rank: none of the changes affects"),
        (
            {"variants": [{"name": "x", "changes": f"{HIT} = {k}"} for k in (1, 2)]},
            r"variants.1.: name 'x': .*has this name",
        ),
        (
            {"variants": {"name": "as it is", "changes": f"{HIT} = 1"}},
            r"variants.0.: name 'as it is': .*has this name",
        ),
    ],
)
def test_mistakes_are_reported_before_a_game_is_played(wrong, message):
    with pytest.raises(ContentError, match=message):
        rank(**wrong)
