"""Evaluation: the interval, the pairing of games, and the files."""

import json

import numpy as np
import pytest

from agemonia_env.policies import policy_of
from agemonia_env.rulesets.agemonia.content.compile import compile_scenario
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agents.evaluate import PolicyRow, main, verdict
from agents.play import FIRST_SEED, play_games, scenarios_of
from agents.reviews import leave_reviews

GREEDY = policy_of(AGEMONIA, "greedy")


class FirstLegal:
    """The legal action with the lowest number, asked from outside the compiled loop."""

    name, batch = "first legal", 16

    def choose(self, states, contents, which):
        masks = np.zeros((len(states), AGEMONIA.N_ACTIONS), np.uint8)
        AGEMONIA.api.write_masks(states, contents, which, masks)
        return masks.argmax(axis=1).astype(np.int64)


@pytest.fixture(scope="module")
def content():
    return compile_scenario("core", "ford", 2).content


def test_the_same_seeds_give_the_same_games(content):
    seeds = np.arange(40, dtype=np.uint64)
    one, two = (play_games(AGEMONIA, content, seeds, GREEDY) for _ in range(2))
    assert np.array_equal(one.won, two.won)
    assert np.array_equal(one.decisions, two.decisions)


def test_a_game_does_not_depend_on_its_batch(content):
    seeds = np.arange(24, dtype=np.uint64)
    whole, policy = play_games(AGEMONIA, content, seeds, FirstLegal()), FirstLegal()
    policy.batch = 5
    parts = play_games(AGEMONIA, content, seeds, policy)
    assert np.array_equal(whole.decisions, parts.decisions)
    assert np.array_equal(whole.damage_taken, parts.damage_taken)


def test_every_game_is_played_to_its_end(content):
    outcomes = play_games(AGEMONIA, content, np.arange(8, dtype=np.uint64), FirstLegal())
    assert len(outcomes.won) == 8
    assert (outcomes.rounds >= 1).all()
    assert (outcomes.decisions > 0).all()


def row(policy, low, high):
    return PolicyRow(policy, 100, (low + high) / 2, low, high, 1, 1, 1, 1, 1, 1)


def test_the_verdict_looks_at_the_intervals():
    greedy = row("greedy", 0.4, 0.5)
    assert "is above greedy" in verdict([greedy, row("trained", 0.6, 0.7)])
    assert "cannot be told apart" in verdict([greedy, row("trained", 0.45, 0.55)])
    assert "is below greedy" in verdict([greedy, row("trained", 0.1, 0.2)])


def test_review_files_are_of_the_last_games(tmp_path, capsys):
    """And of the same games: the last policy's, on the same seeds."""
    words = ["--policy", "random", "--games", "5", "--reviews", "2", "--out", str(tmp_path)]
    assert main(words) == 0
    assert "2 games of greedy" in capsys.readouterr().out
    files = sorted((tmp_path / "reviews").iterdir())
    assert [path.name for path in files] == ["game-3.html", "game-4.html"]
    played = AGEMONIA.check_arguments("ford", ties="auto")
    seeds = np.arange(FIRST_SEED, FIRST_SEED + 5, dtype=np.uint64)
    outcomes = play_games(AGEMONIA, played.compile().content, seeds, GREEDY)
    for k, path in zip((3, 4), files, strict=True):
        state = AgemoniaEnv.from_review(path).states[0]
        assert bool(state["won"]) == outcomes.won[k]
        assert state["round"] == outcomes.rounds[k]
        assert state["decisions"] == outcomes.decisions[k]


def test_review_files_of_drawn_scenarios_are_of_those_played(tmp_path):
    played = AGEMONIA.check_arguments("random", scenario_seed="test", ties="auto")
    (path,) = leave_reviews(AGEMONIA, played, GREEDY, [2], tmp_path)
    content = scenarios_of(played, played.test_seeds()[:4])
    seeds = np.arange(FIRST_SEED, FIRST_SEED + 3, dtype=np.uint64)
    outcomes = play_games(AGEMONIA, content, seeds, GREEDY)
    state = AgemoniaEnv.from_review(path).states[0]
    assert state["decisions"] == outcomes.decisions[2]
    assert state["damage_taken"] == outcomes.damage_taken[2]


def test_it_writes_table_json_and_plot(tmp_path, capsys):
    assert main(["--games", "20", "--out", str(tmp_path)]) == 0
    report = json.loads((tmp_path / "evaluation.json").read_text())
    assert [one["policy"] for one in report["rows"]] == ["random", "greedy"]
    assert all(one["games"] == 20 for one in report["rows"])
    assert report["fingerprint"]
    assert (tmp_path / "evaluation.png").read_bytes().startswith(b"\x89PNG")
    printed = capsys.readouterr().out
    assert "greedy" in printed
    assert "Fewer than 400 games" in printed


def test_simulations_of_a_planner_are_counted_and_printed(tmp_path, capsys):
    assert main(["--policy", "planner:3", "--games", "2", "--out", str(tmp_path)]) == 0
    *others, planner = json.loads((tmp_path / "evaluation.json").read_text())["rows"]
    assert [one["simulations"] for one in others] == [0, 0]
    assert 1 < planner["simulations"] / planner["games"] < 3 * planner["decisions"]
    printed = capsys.readouterr().out
    assert f"planner:3: {planner['simulations']:,} simulations, " in printed
    assert "/s on one thread" in printed
    assert "greedy: 0 simulations" not in printed


def test_drawn_scenarios_are_tested_on_unseen_ones_and_the_gap_is_printed(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr("agents.play.SCENARIOS", 3)
    assert main(["--scenario", "random", "--games", "6", "--out", str(tmp_path)]) == 0
    report = json.loads((tmp_path / "evaluation.json").read_text())
    assert [one["policy"] for one in report["rows_seen"]] == ["random", "greedy"]
    assert report["rows_seen"][1]["decisions"] != report["rows"][1]["decisions"]
    printed = " ".join(capsys.readouterr().out.split())
    assert "greedy: " in printed.split("generalisation gap")[1]


def test_games_take_the_scenarios_in_turn(content):
    other = compile_scenario("core", "watchtower", 2).content
    both = np.concatenate([content, other])
    both = both.view(type(content))
    seeds = np.arange(6, dtype=np.uint64)
    mixed = play_games(AGEMONIA, both, seeds, FirstLegal()).decisions
    alone = [play_games(AGEMONIA, one, seeds, FirstLegal()).decisions for one in (content, other)]
    assert mixed.tolist() == [alone[i % 2][i] for i in range(6)]


def test_scenarios_of_a_range_are_its_first(monkeypatch):
    monkeypatch.setattr("agents.play.SCENARIOS", 2)
    arguments = AgemoniaEnv("random", scenario_seed=[4, 9]).arguments
    drawn = scenarios_of(arguments, arguments.scenario_seeds())
    assert len(drawn) == 2
    for content, seed in zip(drawn, (4, 5), strict=True):
        assert content.tobytes() == arguments.compile(seed).content.tobytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--scenario", "nowhere"], "nowhere"),
        (["--games", "0"], "--games"),
        (["--seed", str(2**64)], "--seed"),
        (["--threads", "0"], "--threads"),
        (["--policy", "planner:0"], "simulations"),
        (["--model", "none.safetensors"], "none"),
    ],
)
def test_bad_input_is_one_line(tmp_path, capsys, words, said):
    assert main(["--out", str(tmp_path), *words]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
