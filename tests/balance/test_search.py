"""Values found for a win rate, and confirmed on other seeds."""

import re

import polars as pl
import pytest

from agemonia_env.balance import search
from agemonia_env.balance.measures import WON, Estimate, Games
from agemonia_env.balance.parameters import numbers, value_of
from agemonia_env.balance.pareto import front
from agemonia_env.balance.search_result import SearchResult
from agemonia_env.balance.study_config import make_config
from agemonia_env.balance.study_result import REPORTS
from agemonia_env.balance.targets import Aim
from agemonia_env.balance.trials import SearchConfig, Trial, miss, rank, steps_off
from agemonia_env.balance.value_search import make_search_study
from agemonia_env.packs.folders import ContentError
from agemonia_env.rulesets.pack_tools import pack_tools_of

AGEMONIA = pack_tools_of("Agemonia-v0")
HEALTH, HIT = "enemies.reedling.health.per_hero", "enemies.slinger.actions.open.attack.value"
VALUES = {HEALTH: [1, 5], HIT: [1, 4]}
SMALL = {"values": VALUES, "trials": 8, "games": 200, "confirm": 400, "seed": 2}


def met(low, high, target):
    return Aim(WON, target, (0,)).met(low, high)


def won_trial(values, wins, games, made):
    """A trial in one condition with these wins."""
    rows = Games("", (), pl.DataFrame({"won": [True] * wins + [False] * (games - wins)}))
    found = [aim.measure.estimate([rows], aim.target) for aim in made.aims]
    return Trial(values, (wins,), games, found=tuple(found))


@pytest.fixture(scope="module")
def found():
    return search(**SMALL, targets=[30, 50])


def test_it_comes_nearer_to_the_target_and_says_so_of_fresh_seeds(found):
    (row,) = found.rows
    assert row["before"] > 0.6
    assert 0.2 < row["after"] < 0.6
    assert row["met"] == met(row["low"], row["high"], (0.3, 0.5))
    assert found.changes
    assert row["games"] == 400
    tried = {tuple(trial.values.items()): trial for trial in found.tried}
    assert tuple(found.after.values.items()) in tried
    # fresh seeds: not the first of those that it was chosen by
    chosen = tried[tuple(found.after.values.items())]
    assert found.after.wins[0] / 400 != chosen.wins[0] / 200


def test_every_trial_is_a_row_of_a_table(found, tmp_path):
    found.write(tmp_path)
    trials = pl.read_parquet(tmp_path / "trials.parquet")
    assert trials[HEALTH].to_list() == [trial.values[HEALTH] for trial in found.tried]
    won = trials["won: ford, 2 heroes, greedy"].to_list()
    assert won == [trial.won()[0] for trial in found.tried]


def test_the_report_names_the_deciding_policy(found, tmp_path):
    found.write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} <= set(REPORTS)  # those that --force deletes
    finalists = pl.read_parquet(tmp_path / "finalists.parquet")
    assert finalists["games"].unique().to_list() == [800]
    assert finalists[HEALTH].to_list() == [trial.values[HEALTH] for trial in found.again]
    assert found.again[0].values == found.after.values
    assert found.record()["finalists"][0]["values"] == found.after.values
    assert [rank(found.search, one) for one in found.again] == sorted(
        rank(found.search, one) for one in found.again
    )


def test_few_values_are_all_tried_and_none_twice():
    few = {HEALTH: [1, 2], HIT: [2, 4]}
    found = search(few, 30, trials=60, games=100, confirm=100)
    assert sorted(tuple(trial.values.values()) for trial in found.tried) == [
        (health, hit) for health in (1, 2) for hit in (2, 3, 4)
    ]
    assert found.tried[0].values == {HEALTH: 2, HIT: 3}
    several = search(few, 30, trials=5, games=100, confirm=100).tried
    assert len({tuple(trial.values.values()) for trial in several}) == len(several) == 5


def test_found_values_can_be_played_with_a_changed_pack():
    pack = f"core; {HEALTH} -1; decks.fate - 3"
    fate = "decks.fate[7]"
    found = search({HEALTH: [2, 3], fate: [0, 1]}, 10, pack=pack, games=100, confirm=100)
    assert value_of(AGEMONIA, found.pack, HEALTH) == found.after.values[HEALTH]
    assert value_of(AGEMONIA, found.pack, fate) == found.after.values[fate]
    assert len(numbers(AGEMONIA, found.pack, ["decks.fate"])) == 9
    assert found.pack in found.html()


def test_values_that_are_all_refused():
    crowd = {"scenarios.ford.setup[0].amount": [8, 9]}
    with pytest.raises(ContentError, match=r"values: all 2 trials are invalid: .*setup"):
        search(crowd, games=100, confirm=100)


def test_few_games_do_not_say_that_a_target_is_met():
    assert met(0.60, 0.64, (0.62, 0.62)) == "yes"
    assert met(0.54, 0.73, (0.62, 0.62)) == "not sure"
    assert met(0.63, 0.64, (0.62, 0.62)) == met(0.50, 0.61, (0.62, 0.9)) == "no"


def test_the_unchanged_pack_is_tried_first_and_wins_if_good_enough():
    found = search(**SMALL, targets=[50, 90])
    assert found.tried[0].values == {HEALTH: 2, HIT: 3}
    assert found.changes == []
    assert found.headline.startswith("No values beat the unchanged pack. The target may be met;")
    assert re.search(r"as [\d,]+ games \(confirm\) are too few\.", found.headline)
    assert "Next" not in found.headline


def test_a_target_that_is_missed_says_by_how_much():
    least = {HEALTH: [2, 3]}
    found = search(least, 99, games=100, confirm=1000)
    off = f"{99 - 100 * found.after.won()[0]:.1f} points below 99 %"
    values = f"Reedling: health per hero = {found.again[1].values[HEALTH]}"
    next_off = f"{100 * miss(found.search, found.again[1]):.1f} points off the targets."
    assert found.headline == (
        "No values beat the unchanged pack. The target is not met; ford, 2 heroes, greedy is "
        f"{off}. Next comes {values}, {next_off}"
    )
    high = search(least, [1, 2], games=100, confirm=1000)
    off = f"{100 * high.after.won()[0] - 2:.1f} points above 1 to 2 %"
    assert high.headline.endswith(f" is {off}; nearest is Reedling: health per hero = 3.")


def test_repeated_and_resumed_searches_are_the_same(found, tmp_path):
    for _ in range(2):
        assert search(**SMALL, targets=[30, 50], threads=2, out=tmp_path / "out").record() == (
            found.record()
        )


def test_refused_trials_miss_every_target():
    made = make_search_study(make_config(SearchConfig, SMALL | {"targets": 50}))
    refused = Trial({HEALTH: 1, HIT: 1}, refused="why")
    won = won_trial({HEALTH: 2, HIT: 3}, 100, 200, made)
    assert miss(made, refused) == 1
    assert miss(made, won) == 0
    assert rank(made, won) < rank(made, refused)


def test_noise_is_subtracted_from_a_miss_and_small_changes_are_preferred():
    made = make_search_study(make_config(SearchConfig, SMALL | {"targets": 50}))
    near, far = (won_trial({HEALTH: 2, HIT: 3}, wins, 200, made) for wins in (103, 140))
    assert miss(made, near) == 0  # 1.5 points of 200 games are noise
    assert miss(made, far) == pytest.approx((0.2**2 - 0.7 * 0.3 / 200) ** 0.5)
    moved = won_trial({HEALTH: 5, HIT: 3}, 100, 200, made)
    assert rank(made, near) < rank(made, moved)


def test_each_condition_has_its_own_target():
    config = {"heroes": [2, 4], "targets": [{"won": 40}, {"won": [20, 30], "heroes": 4}]}
    made = make_search_study(make_config(SearchConfig, SMALL | config))
    assert [aim.target for aim in made.aims] == [(0.4, 0.4), (0.2, 0.3)]
    pairs = [["ivo", "orsa"], ["orsa", "tamsin"]]
    config = {
        "heroes": pairs,
        "targets": [{"won": 40, "heroes": 2}, {"won": 50, "heroes": pairs[0]}],
    }
    made = make_search_study(make_config(SearchConfig, SMALL | config))
    assert [aim.target for aim in made.aims] == [(0.5, 0.5), (0.4, 0.4)]
    grown = ["ivo", {"hero": "orsa", "level": 2}]
    config = {"heroes": [2, grown], "targets": {"won": 40, "heroes": grown}}
    (aim,) = make_search_study(make_config(SearchConfig, SMALL | config)).aims
    assert (aim.conditions, aim.target) == ((1,), (0.4, 0.4))


def test_any_seed_that_games_take(tmp_path):
    few = {"values": VALUES, "trials": 2, "games": 100, "confirm": 100}
    one, other = (search(**few, seed=seed) for seed in (3, 3 + 2**32))
    assert [trial.values for trial in one.tried] == [trial.values for trial in other.tried]
    assert one.before.wins != other.before.wins
    most = 2**63 - 2
    assert search(**few, seed=most).search.config.seed == most
    with pytest.raises(ContentError, match=f"at most {most}, as the confirmation uses seed"):
        search(**few, seed=most + 1, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"values": {}}, "values"),
        ({"values": {HEALTH: [4, 4]}}, "smaller one"),
        ({"values": {"enemies.reedling.heath": [1, 4]}}, "there is no 'heath'"),
        (
            {"values": VALUES | {"enemies.reedling.card.health.per_hero": [1, 2]}},
            f"values.enemies.reedling.card.health.per_hero: is the same number as {HEALTH}",
        ),
        ({"seed": 2**63}, "seed=9223372036854775808"),
        ({"targets": 500}, "percentages"),
        ({"targets": [{"won": 40, "heroes": 3}]}, "no game of this study matches"),
        ({"targets": [{"won": 40, "win": 40}]}, "win: unknown key"),
        ({"targets": [{"heroes": 2}]}, "needs one of won, rounds, spread, exhausted"),
        ({"targets": [{"won": 40, "rounds": 5}]}, "it has 2 of them"),
        ({"targets": [{"rounds": {}}]}, "needs at_least, at_most or both"),
        ({"targets": [{"rounds": {"at_least": 6, "at_most": 5}}]}, "the smaller first"),
        ({"targets": [{"rounds": {"at_most": 5, "quantile": 99}}]}, "quantile"),
        ({"targets": [{"won": [40, 50, 60]}]}, "a number, .from, to., or at_least and at_most"),
        ({"targets": [{"spread": {"at_most": 5}}]}, "needs two parties"),
    ],
)
def test_mistakes_are_reported_before_a_game_is_played(wrong, message):
    with pytest.raises(ContentError, match=message) as found:
        search(**({"values": VALUES} | wrong))
    assert len(found.value.errors) == 1


SEVERAL = {
    "values": {HEALTH: [1, 3], HIT: [2, 4]},
    "heroes": [2, 4],
    "targets": [
        {"won": {"at_least": 60}},
        {"rounds": {"quantile": 90, "at_most": 6}},
        {"rounds": {"at_least": 3}, "heroes": 2},
        {"spread": {"at_most": 10}},
        {"exhausted": {"at_most": 30}},
    ],
    "trials": 6,
    "games": 100,
    "confirm": 200,
    "seed": 5,
}


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    return search(**SEVERAL, out=tmp_path_factory.mktemp("several") / "out")


def test_targets_of_several_kinds_give_a_front(several):
    assert [measure.label for measure in several.search.measures] == [
        "games won",
        "rounds, 90 % quantile",
        "rounds, mean",
        "spread of parties",
        "hero most often exhausted",
    ]
    assert several.front
    assert several.front[0] is several.after
    assert {trial.games for trial in several.front} == {200}
    off = [steps_off(several.search, trial) for trial in several.again]
    kept = [tuple(trial.values.values()) for trial in several.front]
    best = [off[k] for k, one in enumerate(several.again) if tuple(one.values.values()) in kept]
    assert len(best) == len(several.front)
    for one in best:  # none of the finalists is better in everything
        assert not any(
            other != one and all(a <= b for a, b in zip(other, one, strict=True)) for other in off
        )


def test_every_target_is_a_row_with_its_interval(several):
    rows = several.rows
    assert [row["measure"] for row in rows].count("games won") == 2
    assert len(rows) == len(several.search.aims) == 8
    for row in rows:
        assert row["low"] <= row["after"] <= row["high"]
        assert row["met"] in ("yes", "no", "not sure")
    (spread,) = (row for row in rows if row["measure"] == "spread of parties")
    assert spread["party"] is None
    assert " above " in spread["who"]
    won = [row["after"] for row in rows if row["measure"] == "games won"]
    assert spread["after"] == pytest.approx(abs(won[0] - won[1]))
    exhausted = [row for row in rows if row["measure"] == "hero most often exhausted"]
    assert {row["who"] for row in exhausted} <= {
        "Orsa",
        "Ivo",
        "Tamsin",
        "Wenna",
        "Sorrel",
        "Alder",
    }


def test_a_mean_length_out_of_reach_is_said_in_rounds():
    few = {"values": {HEALTH: [1, 2]}, "games": 100, "confirm": 100}
    found = search(**few, targets=[{"rounds": {"at_least": 30}}])
    won, rounds = found.rows
    assert (won["measure"], won["met"]) == ("games won", None)
    assert (rounds["games"], rounds["met"]) == (100, "no")
    assert "rounds, mean, is " in found.headline
    assert "rounds below at least 30" in found.headline
    assert not found.front


def test_the_front_is_in_every_report(several, tmp_path):
    several.write(tmp_path)
    front = pl.read_parquet(tmp_path / "front.parquet")
    assert front[HEALTH].to_list() == [trial.values[HEALTH] for trial in several.front]
    record = several.record()
    assert [one["values"] for one in record["front"]] == [one.values for one in several.front]
    assert (
        value_of(AGEMONIA, record["front"][-1]["pack"], HEALTH)
        == (several.front[-1].values[HEALTH])
    )
    assert "What can be traded" in several.html()


def test_a_pack_that_is_behind_on_fresh_seeds_trades_nothing():
    config = make_config(SearchConfig, SMALL | {"targets": [{"won": 100}, {"rounds": 5}]})
    study = make_search_study(config)

    def trial(*off):
        found = tuple(Estimate(0.0, 0.0, 0.0, apart, 0.0) for apart in off)
        return Trial(dict.fromkeys(config.values, 1), (0,), 900, found=found)

    winner, behind, ahead, other = map(trial, (0.2, 0.3, 0.1, 0.1), (1, 1.5, 0.5, 2))
    found = (winner, behind, ahead, winner, other)
    result = SearchResult(study, found, found, winner, winner, found)
    assert [result._trades(one) for one in found[1:]] == [False, False, False, True]


def test_a_front_is_what_nothing_dominates():
    points = [(2, 2), (1, 3), (2, 2), (3, 1), (3, 3), (0, 9)]
    assert front(points) == [0, 1, 3, 5]
    assert front([(0, 0), (1, 1), (0, 0)]) == [0]


def test_the_last_target_of_a_kind_counts():
    config = {"heroes": [2, 4], "targets": [
        {"rounds": {"at_most": 9}}, {"rounds": {"at_most": 7}, "heroes": 4},
        {"rounds": {"at_most": 8, "quantile": 50}, "heroes": 4}]}  # fmt: skip
    aims = make_search_study(make_config(SearchConfig, SMALL | config)).aims
    found = [(aim.measure.label, aim.conditions, aim.target[1]) for aim in aims]
    assert found == [
        ("rounds, mean", (0,), 9),
        ("rounds, mean", (1,), 7),
        ("rounds, 50 % quantile", (1,), 8),
    ]
