"""Policies of one's own: objects everywhere, files from command lines, names in files nowhere."""

import inspect
import json
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

import agemonia_env
from agemonia_env import balance, league
from agemonia_env.challenge.entries import Entry
from agemonia_env.challenge.row import read_row
from agemonia_env.cli.main import app
from agemonia_env.envs.opponent import external_opponent
from agemonia_env.policies import OwnPolicy, given_policy, policy_of
from agemonia_env.policies.network import Network
from agemonia_env.policies.own import UNKNOWN
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.simulation.plan import make_plan

RULES = ruleset_of("Agemonia-v0")
PLACE = "my_file.py:Mine"
START = SimpleNamespace(setting="ford")  # of a game of the challenge


class Mine:
    """Takes the first legal action."""

    name, batch = "first", 32

    def choose(self, states, contents, which):
        masks = np.zeros((len(states), RULES.N_ACTIONS), np.uint8)
        RULES.api.write_masks(states, contents, which, masks)
        return masks.argmax(axis=1)


SOURCE = f"""
import numpy as np
from agemonia_env.rulesets.ruleset import ruleset_of

RULES = ruleset_of("Agemonia-v0")


{inspect.getsource(Mine)}"""


class Illegal(Mine):
    def choose(self, states, contents, which):
        return np.full(len(states), RULES.N_ACTIONS - 1)


class Outside(Mine):
    def choose(self, states, contents, which):
        return np.full(len(states), RULES.N_ACTIONS)


class Half(Mine):
    def choose(self, states, contents, which):
        return super().choose(states, contents, which) / 2


class Short(Mine):
    def choose(self, states, contents, which):
        return super().choose(states, contents, which)[1:]


class Broken(Mine):
    def choose(self, states, contents, which):
        raise KeyError("lantern")


class Meddling(Mine):
    def choose(self, states, contents, which):
        states["won"] = 1
        return super().choose(states, contents, which)


@pytest.fixture
def file(tmp_path, monkeypatch):
    """my_file.py in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "my_file.py"
    path.write_text(SOURCE)
    return path


def simulate(policy, **more):
    return agemonia_env.simulate("ford", 2, policy, 40, **more)


def run(*words):
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"
    return result.output


# ---- everywhere ---------------------------------------------------------------------------------
def test_an_object_is_simulated_and_named_with_the_hash_of_its_file(file):
    rows, again = simulate(Mine()), simulate(given_policy(PLACE), threads=2, chunk=7)
    assert rows["policy"][0].startswith("first#")
    assert again["policy"][0].startswith("my_file.py:Mine#")
    assert rows.drop("policy").equals(again.drop("policy"))


def test_an_object_plays_the_enemies():
    rows = simulate("greedy", enemy_will="free", enemy_policy=Mine())
    assert rows["enemy_policy"][0].startswith("first#")
    assert rows["won"].to_list() != simulate("greedy", enemy_will="free")["won"].to_list()


def test_objects_play_leagues_studies_and_forecasts():
    report = league.play(["random", Mine()], "ford", games={"": 4})
    assert any(match.policy.name.startswith("first#") for match in report.matches)
    found = balance.compare(
        b="enemies.reedling.health.per_hero +1", scenario="ford", heroes=2, policy=Mine(), games=100
    )
    assert "first#" in json.dumps(found.record())
    forecast = agemonia_env.forecast(AgemoniaEnv(ties="auto"), policy=[Mine(), "greedy"], games=4)
    assert forecast.rows[0].policy.startswith("first#")


def test_two_objects_of_one_name_do_not_change_places():
    plans = [make_plan("ford", 2, policy, 4) for policy in (Mine(), Illegal())]
    assert plans[0].policy == plans[1].policy  # both are defined here
    agemonia_env.simulate("ford", 2, plans[0].policy, 4)
    with pytest.raises(ValueError, match="illegal"):
        agemonia_env.simulate("ford", 2, plans[1].policy, 4)


def test_commands_import_a_class_from_a_file(file):
    (file.parent / "study.yaml").write_text("b: enemies.reedling.health.per_hero +1\n")
    named = OwnPolicy.from_file(PLACE)
    run("simulate", "-n", 20, "--policy", PLACE, "--out", "games.parquet")
    run("simulate", "-n", 20, "--enemy-will", "free", "--enemy-policy", PLACE)
    few = "--scenario", "ford", "--orders", 2, "-n", 4, "-n", f"{PLACE}=2"
    assert named in run("league", "--policy", PLACE, "--policy", "random", *few)
    run("balance", "compare", "study.yaml", "--policy", PLACE, "--games", 100, "--out", "study")
    assert named in (file.parent / "study" / "report.json").read_text()
    assert named in run("forecast", "--policy", PLACE, "-n", 4)
    run("review", "--policy", PLACE, "--simulations", 0, "--rollouts", 0, "--out", "game.html")
    assert named in (file.parent / "game.html").read_text()
    run("watch", "--policy", PLACE, "--seed", 1)
    run("challenge", "--policy", PLACE, "--set", "trial", "--env", "Agemonia-v0")
    assert read_row(file.parent / "row.json").entry.text == named


def test_evaluate_compares_it_and_takes_it_as_opponent(file):
    pytest.importorskip("torch")
    run("evaluate", "--policy", PLACE, "--games", 4)
    run("evaluate", "--enemy-will", "free", "--opponent", PLACE, "--games", 4)
    rows = json.loads((file.parent / "runs/evaluation/evaluation.json").read_text())
    assert rows["opponent"] == OwnPolicy.from_file(PLACE)


def test_a_network_is_trained_against_it(file):
    pytest.importorskip("torch")
    from agents.train_ppo import main

    small = "--n-envs 2 --n-steps 8 --batch-size 16 --n-epochs 1 --net-arch [8] --total-steps 16"
    words = [*small.split(), "--out", "run", "--enemy-will", "free", "--opponent", PLACE]
    assert main(words) == 0
    record = Network.load(file.parent / "run" / "model.npz").record
    assert record["config"]["opponent"] == OwnPolicy.from_file(PLACE)
    assert main([*words, "--resume", "--total-steps", "32"]) == 0
    assert main([*words[:-2], "--resume", "--total-steps", "48"]) == 2  # a record brings no code


def play_elsewhere(policy):
    return agemonia_env.simulate("ford", 2, policy, 8).drop("policy")


@pytest.mark.parametrize("make", [Mine, lambda: given_policy(PLACE)])
def test_another_process_imports_it(file, make):
    plan = make_plan("ford", 2, make(), 8)
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawned) as pool:
        assert pool.submit(play_elsewhere, plan.policy).result().equals(play_elsewhere(Mine()))


# ---- identity -----------------------------------------------------------------------------------
def test_games_of_another_version_of_the_file_are_not_resumed(file):
    simulate(given_policy(PLACE), out="games.parquet")
    simulate(given_policy(PLACE), out="games.parquet")
    file.write_text(SOURCE + "# changed\n")
    with pytest.raises(ValueError, match="policy"):
        simulate(given_policy(PLACE), out="games.parquet")


def test_another_process_refuses_another_version_of_the_file(file):
    pickled = pickle.dumps(given_policy(PLACE))
    file.write_text(SOURCE + "# changed\n")
    with pytest.raises(ValueError, match=r"my_file.py:Mine#\w+: its file is another one here"):
        pickle.loads(pickled)


def test_a_class_that_no_file_defines_plays_but_is_not_saved(tmp_path):
    space = {"__name__": "nowhere"}
    exec(SOURCE, space)
    assert simulate(space["Mine"]())["policy"][0] == f"first#{UNKNOWN}"
    with pytest.raises(ValueError, match="define its class in a file to save its games"):
        simulate(space["Mine"](), out=tmp_path / "games.parquet")


# ---- only a command line or an object brings code -----------------------------------------------
@pytest.mark.parametrize("name", [PLACE, f"{PLACE}#0123456789ab", "folder/other.py:Mine"])
def test_a_name_alone_is_refused_and_nothing_is_imported(file, name):
    file.write_text("raise SystemExit('imported')")
    arguments = RULES.check_arguments(opponent=name)
    refused = (
        lambda: policy_of(RULES, name),
        lambda: simulate(name),
        lambda: simulate("greedy", enemy_will="free", enemy_policy=name),
        lambda: league.play([name]),
        lambda: balance.compare(b="enemies.reedling.health.per_hero +1", policy=name),
        lambda: agemonia_env.forecast(AgemoniaEnv(ties="auto"), policy=name),
        lambda: external_opponent(RULES, arguments),
        lambda: Entry("policy", name).player().begin(START, AgemoniaEnv()),
    )
    for call in refused:
        with pytest.raises(ValueError, match="code comes from an option of a command"):
            call()


def test_a_study_cannot_bring_code(file):
    file.write_text("raise SystemExit('imported')")
    (file.parent / "study.yaml").write_text(f"b: decks.fate - 3\npolicy: {PLACE}\n")
    result = CliRunner().invoke(app, ["balance", "compare", "study.yaml"])
    assert result.exit_code == 2
    assert "code comes from an option of a command" in result.output


# ---- mistakes -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (Illegal, r"policy first#\w+: action \d+ is illegal: \w+"),
        (Outside, "must be from 0 to"),
        (Half, r"must choose integers \(\d+,\), not float64"),
        (Short, r"must choose integers \(\d+,\), not int64"),
        (Broken, r"policy first#\w+: KeyError: 'lantern' \(test_own.py, line \d+\)"),
        (Meddling, "changes the states it is shown"),
    ],
)
def test_a_wrong_answer_is_told(policy, message):
    with pytest.raises(ValueError, match=message):
        simulate(policy())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "planner:50"}, "without ':' and '#'"),
        ({"name": ""}, "1 to 60 printable characters"),
        ({"name": "a\nb"}, "1 to 60 printable characters"),
        ({"batch": 0}, "batch=0: must be a whole number, 1 to"),
        ({"batch": 1.5}, "batch=1.5: must be a whole number, 1 to"),
    ],
)
def test_an_incomplete_policy_is_told(changes, message):
    policy = Mine()
    vars(policy).update(changes)
    with pytest.raises(ValueError, match=message):
        simulate(policy)


def test_a_class_or_a_policy_of_the_package_is_told():
    with pytest.raises(ValueError, match="must be an object with name, batch and choose"):
        simulate(Mine)
    with pytest.raises(ValueError, match="policy='greedy': give its name, not the object"):
        simulate(policy_of(RULES, "greedy"))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "my_file.py:Mine: the file has no Mine"),
        ("class Mine: pass", "must be an object with name, batch and choose"),
        ("import lantern", "my_file.py: ModuleNotFoundError: No module named 'lantern'"),
        ("def f(:", "my_file.py: SyntaxError"),
        ("class Mine:\n    def __init__(self): 1 / 0", "division by zero (my_file.py, line 2)"),
        ("raise SystemExit(3)", "my_file.py: SystemExit: 3"),
    ],
)  # fmt: skip
def test_a_file_without_the_policy_is_told(file, source, message):
    file.write_text(source)
    result = CliRunner().invoke(app, ["simulate", "--policy", PLACE])
    assert result.exit_code == 2
    assert message in result.output


def test_a_missing_file_is_told(file):
    result = CliRunner().invoke(app, ["simulate", "--policy", "other.py:Mine"])
    assert (result.exit_code, result.output) == (2, "agemonia: other.py: no such file\n")
