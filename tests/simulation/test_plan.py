"""Plans: kinds of games, seeds, and errors in the arguments."""

import json
from shutil import copytree

import numpy as np
import pytest

from agemonia_env.packs.folders import ContentError
from agemonia_env.rulesets.agemonia.content.load import FORMAT
from agemonia_env.rulesets.identity import differences
from agemonia_env.simulation.plan import Plan, make_plan


def test_the_seed_of_a_game_depends_on_the_run_and_its_number_alone():
    plan = Plan(kinds=(), policy="greedy", games=100, seed=5, chunk=7)
    whole = plan.seeds(range(100))
    assert len(np.unique(whole)) == 100
    assert whole.max() < 2**63
    for chunk in range(plan.n_chunks()):
        numbers = plan.numbers(chunk)
        assert np.array_equal(plan.seeds(numbers), whole[numbers.start : numbers.stop])
    other = Plan(kinds=(), policy="greedy", games=100, seed=6, chunk=7)
    assert not np.isin(other.seeds(range(100)), whole).any()


def test_seeds_of_known_games():
    """They must not change: old files can be played again."""
    plan = Plan(kinds=(), policy="greedy", games=3, seed=1, chunk=3)
    assert plan.seeds(range(3)).tolist() == [
        5242993665459558481,
        6807611070144386071,
        1214944945167744737,
    ]


@pytest.mark.parametrize(("games", "chunk"), [(10**10, 1), (10**10, 9_999), (10**7, 9)])
def test_a_run_has_a_bounded_number_of_chunks(games, chunk):
    with pytest.raises(ValueError, match=rf"chunk={chunk}: must be [\d,]+ or more for {games:,}"):
        make_plan("ford", 2, "greedy", games, chunk=chunk)
    least = -(-games // 10**6)
    assert make_plan("ford", 2, "greedy", games, chunk=least).n_chunks() == 10**6


def test_chunks_are_all_of_the_games_once():
    plan = make_plan("ford", 2, "greedy", 1001, chunk=250)
    numbers = [game for chunk in range(plan.n_chunks()) for game in plan.numbers(chunk)]
    assert numbers == list(range(1001))


def test_kinds_are_all_combinations_in_order():
    plan = make_plan(["ford", "toll"], [1, ["orsa", "ketch"]], "greedy", 8, difficulty=["easy"])
    found = [(kind.scenario, json.loads(kind.party), kind.level) for kind in plan.kinds]
    assert found == [
        ("ford", 1, 1),
        ("ford", ["orsa", "ketch"], 1),
        ("toll", 1, 5),
        ("toll", ["orsa", "ketch"], 5),
    ]


def test_all_scenarios_of_the_pack():
    for every in ("all", ["all"]):  # the latter is what the command line says
        names = [kind.scenario for kind in make_plan(every, 2, "greedy", 1).kinds]
        assert len(set(names)) == len(names) == 12


def test_a_list_of_names_is_one_party():
    (kind,) = make_plan("ford", ["orsa", {"hero": "ketch", "level": 2}], "greedy", 1).kinds
    assert json.loads(kind.party) == ["orsa", {"hero": "ketch", "level": 2}]
    assert kind.arguments().compile().fingerprint == kind.ruleset


def test_the_record_does_not_depend_on_the_machine(tmp_path):
    elsewhere = copytree(FORMAT.home / "core", tmp_path / "core")
    here, there = (make_plan("ford", 2, "greedy", 9, pack=str(p)) for p in ("core", elsewhere))
    assert here.record() == there.record()
    assert str(tmp_path) not in json.dumps(there.record())
    assert here.record()["kinds"][0]["ruleset"] == here.kinds[0].ruleset


def test_an_edited_pack_is_another_ruleset(tmp_path):
    pack = copytree(FORMAT.home / "core", tmp_path / "core")
    before = make_plan(["ford", "random"], 2, "greedy", 9, pack=str(pack))
    path = pack / "enemies" / "reedling.yaml"
    text = path.read_text()
    assert "health" in text
    path.write_text(text + "\n# looked at again\n")
    same, drawn = make_plan(["ford", "random"], 2, "greedy", 9, pack=str(pack)).kinds
    assert same.ruleset == before.kinds[0].ruleset
    assert drawn.ruleset != before.kinds[1].ruleset  # any file may matter there


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"games": 0}, "games=0: must be a whole number, 1 to 10000000000"),
        ({"seed": -1}, "seed=-1"),
        ({"chunk": 0}, "chunk=0"),
        ({"policy": "clever"}, "policy='clever': must be one of 'greedy', 'random'"),
        ({"scenario": "nowhere"}, "scenario='nowhere': must be one of"),
        ({"scenario": ["ford", "ford"]}, "each at most once"),
        ({"scenario": ["all", "ford"]}, "scenario='all': must stand alone"),
        ({"scenario": []}, "scenario=[]: must be one of"),
        (
            {"heroes": [2, 2]},
            "scenario='ford', heroes=2, level=1, difficulty='normal': given twice",
        ),
        ({"level": [None, 1]}, "level=1, difficulty='normal': given twice"),
        ({"env": "HexDungeon-v0", "scenario": None, "level": [None, 1]}, "level=1: given twice"),
        ({"heroes": 5}, "heroes=5"),
        ({"heroes": []}, "heroes"),
        ({"heroes": "orsa"}, "heroes='orsa'"),
        ({"heroes": ["nobody"]}, "nobody"),
        ({"level": 6}, "level=6"),
        ({"pack": "nothing"}, "nothing"),
        ({"enemy_policy": "greedy"}, "unless enemy_will='free'"),
        ({"enemy_policy": "x", "enemy_will": "free"}, "enemy_policy='x': must be one of"),
        ({"scenario_seed": 3}, "scenario_seed=3"),
        ({"max_decisions": 0}, "max_decisions=0"),
    ],
)
def test_wrong_values_are_named(wrong, message):
    right = {"scenario": "ford", "heroes": 2, "policy": "greedy", "games": 10}
    with pytest.raises(ContentError) as found:
        make_plan(**(right | wrong))
    (error,) = found.value.errors
    assert message in error


def test_all_wrong_arguments_are_reported_at_once():
    wrong = {"heroes": [9, 2], "level": [7, 1], "difficulty": "deadly", "ties": "never", "seed": -1}
    with pytest.raises(ContentError) as found:
        make_plan("fort", policy="greed", games=0, max_decisions=0, **wrong)
    names = [error.partition("=")[0] for error in found.value.errors]
    assert sorted(names) == sorted([*wrong, "scenario", "policy", "games", "max_decisions"])


def test_valid_arguments_are_still_checked_together():
    with pytest.raises(ContentError) as found:
        make_plan("ford", [["nobody"], ["orsa"], 9], "greedy", 1, level=9)
    assert [error.partition(";")[0] for error in found.value.errors] == [
        "heroes=9: a party has 1 to 4 Heroes",
        "level=9: must be 1 to 5, or None for that of the scenario",
        "scenarios/ford.yaml: heroes: unknown Hero 'nobody'",
    ]


def test_none_is_the_default():
    assert make_plan(None, 2, "greedy", 1, pack=None) == make_plan("ford", 2, "greedy", 1)


def test_differences_are_named_by_their_place():
    old = {"games": 5, "kinds": [{"level": 1}, {"level": 2}], "gone": 1}
    new = {"games": 6, "kinds": [{"level": 1}, {"level": 3}], "gone": 1}
    assert list(differences(old, new)) == ["games: 5, now 6", "kinds[1].level: 2, now 3"]
    assert list(differences(old, old)) == []
    fewer = list(differences(old, {**old, "kinds": [{"level": 1}]}))
    assert fewer == ["kinds: 2 of them, now 1"]


@pytest.mark.parametrize("will", [None, "card", "free"])
@pytest.mark.parametrize("name", ["nowhere.npz", "broken.npz"])
def test_a_policy_of_the_enemies_that_cannot_be_had_is_refused_before_a_game(tmp_path, will, name):
    (tmp_path / "broken.npz").write_bytes(b"PK")
    model = str(tmp_path / name)
    with pytest.raises(ValueError, match=r"no such model|damaged|unless enemy_will='free'"):
        make_plan("ford", 2, "greedy", 10, enemy_will=will, enemy_policy=model)
