"""How often parts are used, and what they are worth."""

from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from agemonia_env.balance import analyse, analysis
from agemonia_env.balance.accumulator import Difference
from agemonia_env.balance.analysis_study import AnalysisConfig, make_analysis_study
from agemonia_env.balance.one_at_a_time import discovery_rates, two_sided
from agemonia_env.balance.study_config import make_config
from agemonia_env.balance.study_result import REPORTS
from agemonia_env.balance.worth import contributions, flag_of, sure_flags, synergies

PAIRS = np.array([[i in pair for i in range(4)] for pair in
                  [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]], float)  # fmt: skip
HARMFUL = {"harmful", "dominated"}


@pytest.fixture(scope="module")
def found():
    return analyse(games=100, watched=100, seed=5)


def test_a_part_never_used_nor_missed_is_worth_nothing(found):
    row = next(row for row in found.rows if row["name"] == "Hold the Landing")
    assert row["uses"] == row["worth"] == 0
    assert row["flag"] == "never used"  # and so nothing is known of its worth


def test_uses_are_counted_for_usable_items(found):
    items = {row["name"]: row for row in found.rows if row["kind"] == "item"}
    assert items["Yew Bow"]["uses"] is None
    assert items["Yew Bow"]["flag"] == "dominating"
    counted = {name for _, _, name in found.conditions[0].used if name in items}
    assert counted
    assert all(items[name]["uses"] > 0 for name in counted)
    assert analysis.uses(items["Yew Bow"]) == "by itself"


@pytest.mark.parametrize("won", [True, False])
def test_nothing_is_dominated_if_all_games_end_alike(found, won):
    (result,) = found.conditions
    games = [frame.with_columns(won=won) for frame in result.games]
    alike = replace(result, games=games, used=Counter())
    assert {row["flag"] for row in alike.worth} == {"", "never used"}
    parts = [row for row in alike.worth if row["flag"] == ""]
    assert parts
    assert all(row["uses"] is None for row in parts)
    assert any("nearly every game ends alike" in line for line in analysis.lead(alike))
    assert "dominating" in {row["flag"] for row in result.worth}
    assert not any("ends alike" in line for line in analysis.lead(result))


def test_a_bow_is_worth_more_than_a_tame_heron(found):
    worth = {row["name"]: row["worth"] for row in found.rows if row["kind"] == "item"}
    assert worth["Yew Bow"] > 0.2
    assert abs(worth["Tame Heron"]) < 0.05


def test_worth_is_the_difference_of_the_same_seeds(found):
    (result,) = found.conditions
    for part, frame in zip(result.study.parts, result.games[1:], strict=False):
        row = next(r for r in result.worth if (r["hero"], r["name"]) == (part.hero, part.name))
        won = result.base["won"].cast(int) - frame["won"].cast(int)
        assert row["worth"] == pytest.approx(won.mean())


def test_every_pair_of_heroes_plays(found):
    (result,) = found.conditions
    n = len(result.heroes)
    assert len(result.pairs) == n * (n - 1) // 2
    assert sum(row["worth"] for row in result.contributions) == pytest.approx(0, abs=1e-9)
    mean = np.mean([row["won"] for row in result.pairs])
    alone = {row["hero"]: row["worth"] for row in result.contributions}
    for row in result.pairs:
        expected = mean + alone[row["hero"]] + alone[row["name"]] + row["worth"]
        assert row["won"] == pytest.approx(expected)


def test_additive_pairs_have_no_synergy():
    worth = np.array([0.1, 0.2, 0.05, -0.1])
    won = 0.4 + PAIRS @ worth
    assert synergies(PAIRS) @ won == pytest.approx(0)
    assert contributions(PAIRS) @ won == pytest.approx(worth - worth.mean())
    won[0] += 0.3  # the first two together
    left = [0.1, -0.05, -0.05, -0.05, -0.05, 0.1]  # parties without them gain as much
    assert synergies(PAIRS) @ won == pytest.approx(left)


def test_every_game_ends_somewhere(found):
    (result,) = found.conditions
    assert sum(map(sum, result.endings.values())) == 100
    assert sum(result.endings["objective"]) == result.base["won"].sum()
    assert result.lengths["5%"] <= result.lengths["50%"] <= result.lengths["95%"]


def parts(**given):
    """The parts that can be left out in one condition."""
    (study,) = make_analysis_study(make_config(AnalysisConfig, {"games": 100, **given})).conditions
    assert study.required == {}
    for plan in study.without:
        assert plan.kinds[0].ruleset != study.plan.kinds[0].ruleset
    return [str(part) for part in study.parts]


def test_parts_of_higher_levels_can_be_left_out_too():
    found = parts(scenario="toll", heroes=["orsa", "sorrel"])
    assert {"Orsa: Haul In", "Orsa: Swing Wide", "Sorrel: Midwinter"} <= set(found)
    assert len(found) == 11 + 11 + 7


def test_items_of_a_heros_file_can_be_left_out():
    own = [{"hero": "orsa", "items": ["boat-hook"]}, {"hero": "tamsin", "items": ["yew-bow"]}]
    assert {"Orsa: Boat Hook", "Tamsin: Yew Bow"} <= set(parts(heroes=own))
    assert "Orsa: Plank Shield" not in parts(heroes=own)


def test_parts_with_a_change_can_be_left_out_too():
    changed = "core; heroes.orsa.items + yarrow; heroes.orsa.actions.Sweeping Oar.cost = 0"
    assert {"Orsa: Yarrow", "Orsa: Sweeping Oar"} <= set(parts(pack=changed))


def test_required_parts_are_reported():
    bare = [{"hero": "orsa", "without": ["Sweeping Oar", "Hold the Landing"]}, "tamsin"]
    played = analyse(heroes=bare, games=100, watched=100)
    assert list(played.conditions[0].study.required) == ["Orsa: Hook and Hold"]
    assert any("cannot be left out" in part.title for part in played.page().sections)


def test_endings_and_uses_are_tables_too(found, tmp_path):
    found.write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} <= set(REPORTS)  # those that --force deletes
    endings, uses, lengths = (
        pl.read_parquet(tmp_path / f"{name}.parquet") for name in ("endings", "uses", "lengths")
    )
    assert endings["games"].sum() == 100
    won = endings.filter(pl.col("ending") == "objective")["games"].sum()
    assert won == found.conditions[0].base["won"].sum()
    assert uses["uses"].sum() == found.conditions[0].used.total()
    assert lengths["mean"][0] == pytest.approx(found.conditions[0].base["rounds"].mean())


def test_no_worth_is_certain_without_wins():
    """A handful of games, of which none can be won."""
    played = analyse(games=100, watched=100, max_decisions=1)
    for row in played.rows:
        assert row["low"] < 0 < row["high"]


def test_watched_games_are_cached_and_do_not_depend_on_threads(tmp_path, monkeypatch):
    options = {"games": 200, "watched": 145, "pairs": False}
    one = analyse(**options, out=tmp_path / "out")
    two = analyse(**options, threads=2)
    assert one.record() == two.record()
    assert sum(one.conditions[0].used.values()) > 45
    monkeypatch.setattr("agemonia_env.balance.usage.watch_game", None)  # nothing is played again
    assert analyse(**options, out=tmp_path / "out").record() == one.record()


def test_the_lead_says_what_holds_under_every_policy(found):
    (result,) = found.conditions
    lone = analysis.across_policies([result])
    assert lone == ["All of this is greedy play: another policy may use other things."]
    plan = replace(result.study.plan, policy="random")
    games = [frame.with_columns(won=result.base["won"]) for frame in result.games]
    other = replace(result, study=replace(result.study, plan=plan), games=games)
    lines = analysis.across_policies([result, other])
    assert "Under every policy (greedy, random): never used: Orsa: Hold the Landing." in lines
    assert not any("dominating" in line for line in lines)  # it is for one of them only
    lost = replace(other, games=[frame.with_columns(won=False) for frame in games])
    assert analysis.across_policies([result, lost]) == []  # nothing can be said of that one


def test_flags_are_sure_of_all_parts_together():
    config = make_config(AnalysisConfig, {})

    def sure(*worths, error=0.01):
        found = [Difference(1000, 0.6, 0.6 - x, -x, 1000 * error**2, None) for x in worths]
        rates = discovery_rates([two_sided(-x, error**2) for x in worths])
        return sure_flags(config, found, rates)

    assert sure(0.2, 0.11, 0.06, 0.0, -0.1) == [{"dominating"}, set(), set(), set(), HARMFUL]
    assert sure(0.13) == [{"dominating"}]  # the interval begins at 11 points
    assert sure(0.13, *[0.05] * 99) == [set()] * 100  # with so many, one is there by chance
    assert sure(0.0, -0.1, error=0.002) == [{"dominated"}, HARMFUL]
    assert sure(0.0, 0.2, error=0.0) == [{"dominated"}, {"dominating"}]


def test_flags_of_what_is_used_and_matters():
    config = make_config(AnalysisConfig, {})
    for sure, flag in (({"dominating"}, "dominating"), (HARMFUL, "harmful"), (set(), "")):
        assert flag_of(config, 2.0, sure, 0.6) == flag
        assert flag_of(config, None, sure, 0.6) == flag
        for won in (0.0, 0.001, 0.995, 1.0):  # if games end alike, worth cannot be measured
            assert flag_of(config, 2.0, sure, won) == ""
        for won in (0.0, 0.6, 1.0):  # what is not used shows no worth; the rest is chance
            assert flag_of(config, 0.0, sure, won) == "never used"
            assert flag_of(config, 0.005, sure, won) == "hardly used"


def test_several_conditions_and_scenarios_from_seeds():
    made = make_analysis_study(
        make_config(AnalysisConfig, {"scenario": ["ford", "toll"], "heroes": [1, 2], "games": 100})
    )
    assert [bool(study.pairs) for study in made.conditions] == [False, True, False, True]
    assert all(study.parts for study in made.conditions)
    drawn = analyse("random", scenario_seed=[1, 3], games=100, watched=100)
    assert drawn.conditions[0].worth == []
    assert drawn.page().sections
