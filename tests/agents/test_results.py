"""The page of results on a small budget, and published models after a changed rule."""

import json
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agemonia_env.packs.folders import read_yaml
from agemonia_env.policies.network import Layer, Network
from agemonia_env.rulesets.identity import identity_of, rules_hash
from agemonia_env.simulation import result_cache
from agents import results
from agents.results import CONFIG, DATA, PAGE, Work, is_as_published, main
from tests.agents.published import wins_as_published

ROOT = Path(__file__).resolve().parents[2]
# A trainer of plain arrays that learns nothing; like the others it keeps what it has learned
TRAINER = """
import argparse, sys
from pathlib import Path
import numpy as np
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.rulesets.identity import identity_of
from agemonia_env.policies.network import Layer, Network

parser = argparse.ArgumentParser()
parser.add_argument("--scenario"), parser.add_argument("--heroes", type=int)
parser.add_argument("--scenario-seed"), parser.add_argument("--seed", type=int)
parser.add_argument("--out", type=Path), parser.add_argument("--steps", type=int, default=100)
parser.add_argument("--resume", action="store_true")
args = parser.parse_args()
if args.seed == 13:
    sys.exit("bad luck")
rules, random = ruleset_of("Agemonia-v0"), np.random.default_rng(args.seed)
layer = lambda inputs, outputs: Layer(
    random.normal(size=(inputs, outputs)).astype(np.float32), np.zeros(outputs, np.float32)
)
played = {"scenario": args.scenario, "heroes": args.heroes, "scenario_seed": args.scenario_seed}
played = {key: value for key, value in played.items() if value is not None}
record = {
    "env_id": rules.env_id, "steps": args.steps * (1 + args.resume), "config": {"total_steps": 100},
    "fingerprint": rules.check_arguments(**played).reference().fingerprint,
    "env_kwargs": played, "identity": identity_of(rules.env_id),
}
columns = np.arange(50, dtype=np.int32)
Network(columns, [layer(50, 8)], layer(8, rules.N_ACTIONS), layer(8, 1), record).save(
    args.out / "model.npz"
)
"""
YAML = """
games: 60
seed: 5
settings:
  ford: {{scenario: ford, heroes: 2}}
  drawn: {{scenario: random, scenario_seed: test, heroes: 2}}
models:
  arrays:
    train: python {trainer} {{play}} --seed {{seed}} --out {{out}}/arrays/{{setting}}/{{seed}}
    settings: [ford, drawn]
    seeds: [1, 2]
  ppo:
    train: >-
      python -m agents.train_ppo {{play}} --total-steps 128 --checkpoint-steps 128 --n-envs 8
      --n-steps 8 --batch-size 32 --n-epochs 1 --net-arch [8] --threads 1 --seed {{seed}}
      --out {{out}}/ppo/{{setting}}/{{seed}}
    file: ./model.npz
    settings: [ford]
    seeds: [1]
  foe:
    train: python {trainer} {{play}} --seed {{seed}} --out {{out}}/foe/{{setting}}/{{seed}}
    settings: [ford]
    seeds: [7]
published:
  arrays-ford.npz: arrays/ford/2
heroes:
  - {{name: random, policy: random}}
  - {{name: greedy, policy: greedy, games: 400}}
  - {{name: arrays, policy: "{{out}}/arrays/{{setting}}/{{seed}}/model.npz", seeds: [1, 2]}}
  - {{name: lean PPO, policy: "{{out}}/ppo/{{setting}}/{{seed}}/model.npz", games: 100,
      settings: [ford], seeds: [1]}}
enemies:
  - {{name: greedy, policy: greedy, settings: [ford]}}
  - {{name: greedy / greedy, policy: greedy, enemies: greedy, settings: [ford]}}
  - {{name: greedy / foe, policy: greedy, enemies: "{{out}}/foe/ford/{{seed}}/model.npz",
      settings: [ford], seeds: [7], games: 100}}
"""


def written(folder, text=YAML):
    """A configuration in a folder, with its trainer and a page."""
    (folder / "trainer.py").write_text(TRAINER)
    (folder / "results.yaml").write_text(text.format(trainer=folder / "trainer.py"))
    shutil.copy(ROOT / "docs" / PAGE, folder / PAGE)


def run(folder, *words, config=None):
    """Run the command with documents, weights and results in a folder -> its status."""
    config = folder / "results.yaml" if config is None else config
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(results, "DOCS", folder)
        patch.setattr(results, "WEIGHTS", folder / "weights")
        return main([*words, "--config", str(config), "--out", str(folder / "runs")])


def work_of(folder):
    return Work(read_yaml(folder / "results.yaml"), folder / "runs")


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A folder in which everything was made once."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "weights").mkdir()
    written(folder)
    assert run(folder) == 0
    return folder


def facts(folder):
    return json.loads((folder / DATA).read_text())


# ---- the page -----------------------------------------------------------------------------------
def test_the_page_has_the_numbers_of_the_data():
    page = (ROOT / "docs" / PAGE).read_text(encoding="utf-8")
    assert results.filled(page, facts(ROOT / "docs")) == page


def test_every_row_is_there_with_all_its_seeds(done):
    found = {(r["table"], r["setting"], r["name"]): r for r in facts(done)["rows"]}
    assert len(found) == 4 + 3 + 3
    greedy = found["heroes", "ford", "greedy"]
    assert greedy["games"] == 400
    assert 0.6 < greedy["low"] < greedy["won"] < greedy["high"] < 0.8
    arrays = found["heroes", "drawn", "arrays"]
    assert [list(cell["models"]) for cell in arrays["cells"]] == [
        ["arrays/drawn/1"],
        ["arrays/drawn/2"],
    ]
    assert arrays["games"] == 120
    foe = found["enemies", "ford", "greedy / foe"]
    assert list(foe["cells"][0]["models"]) == ["foe/ford/7"]
    assert {cell["rules"] for row in found.values() for cell in row["cells"]} == {
        rules_hash(identity_of("Agemonia-v0"))
    }


def test_models_are_tested_on_scenarios_they_were_not_trained_on(done):
    command = facts(done)["models"]["arrays/drawn/1"]["command"]
    assert "--scenario random --scenario-seed train" in command
    drawn = [row for row in facts(done)["rows"] if row["setting"] == "drawn"]
    assert all("--scenario-seed test" in row["cells"][0]["command"] for row in drawn)


def test_the_page_has_win_rates_and_training_costs(done):
    page = (done / PAGE).read_text()
    greedy = next(r for r in facts(done)["rows"] if r["name"] == "greedy")
    assert re.search(rf"\| greedy \| 400 \| .* \| {100 * greedy['won']:.1f} \(", page)
    assert re.search(r"\| `ppo` \| 1 \| 128 \| \d+\.\d \| `python -m agents.train_ppo ", page)
    assert re.search(r"\| `arrays` \| 4 \| 100 \| ", page)
    assert "| lean PPO | 100 |" in page


def test_every_number_has_a_command_that_reproduces_it(done):
    from typer.testing import CliRunner

    from agemonia_env.cli.main import app

    row = next(r for r in facts(done)["rows"] if r["name"] == "greedy / greedy")
    result = CliRunner().invoke(app, row["cells"][0]["command"].split()[1:])
    assert result.exit_code == 0
    assert f"{100 * row['won']:.1f} %" in result.stdout


def test_published_weights_play_as_they_did(done):
    ((name, entry),) = facts(done)["weights"].items()
    assert (name, entry["model"]) == ("arrays-ford.npz", "arrays/ford/2")
    own = work_of(done).file("arrays/ford/2")
    assert (done / "weights" / name).read_bytes() == own.read_bytes()
    assert wins_as_published(entry, 200, own)
    assert not wins_as_published(entry | {"low": 0.5, "high": 0.6}, 200, own)


def test_nothing_is_trained_or_played_twice(done, monkeypatch):
    def never(*arguments):
        raise AssertionError(f"done again: {arguments}")

    before = (done / PAGE).read_bytes()
    monkeypatch.setattr(results, "run_trainer", never)
    monkeypatch.setattr(result_cache, "rows_of", never)
    assert run(done) == 0
    assert (done / PAGE).read_bytes() == before


def test_only_a_changed_model_is_played_again(done, monkeypatch):
    file = work_of(done).file("arrays/ford/1")
    before, network = file.read_bytes(), Network.load(file)
    other = Layer(-network.policy.weights, network.policy.bias)
    played, real = [], result_cache.rows_of

    def counted(plan, *more):
        played.append(plan.policy)
        return real(plan, *more)

    monkeypatch.setattr(result_cache, "rows_of", counted)
    try:
        replace(network, policy=other).save(file)
        assert run(done, "play") == 0
        assert played == [str(file)]
    finally:
        file.write_bytes(before)
        assert run(done, "play") == 0


def test_missing_rows_are_left_out(tmp_path, capsys):
    written(tmp_path)
    assert run(tmp_path, "write") == 2
    assert "nothing is known with these rules" in capsys.readouterr().err
    assert not (tmp_path / DATA).exists()
    assert run(tmp_path, "play", "--only", "^heroes/ford/(greedy|arrays)") == 0
    assert "heroes/ford/arrays/1: no model yet; `train` makes it" in capsys.readouterr().out
    assert run(tmp_path, "write") == 0
    assert [row["name"] for row in facts(tmp_path)["rows"]] == ["greedy"]
    assert "not played yet, and left out: heroes/ford/random, " in capsys.readouterr().out


# ---- published numbers --------------------------------------------------------------------------
@pytest.fixture
def elsewhere(done, tmp_path):
    """The page, without the models and games that it was made of."""
    before = {path: path.read_bytes() for path in done.glob("*.*")}
    (done / "runs").rename(tmp_path / "runs")
    try:
        yield done
    finally:
        shutil.rmtree(done / "runs", ignore_errors=True)
        (tmp_path / "runs").rename(done / "runs")
        for path, content in before.items():
            path.write_bytes(content)


def test_a_page_keeps_the_numbers_of_another_machine(elsewhere):
    before = facts(elsewhere)
    assert run(elsewhere, "write") == 0
    assert facts(elsewhere) == before
    more = "heroes:\n  - {{name: more, policy: random}}\n"
    written(elsewhere, YAML.replace("heroes:\n", more))
    assert run(elsewhere, "play", "--only", "/more") == 0
    assert run(elsewhere, "write") == 0
    rows = facts(elsewhere)["rows"]
    assert [row for row in rows if row["name"] != "more"] == before["rows"]
    assert [row["setting"] for row in rows if row["name"] == "more"] == ["ford", "drawn"]


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("games: 400", "games: 401", "heroes/ford/greedy, heroes/drawn/greedy\n"),
        ("seed: 5", "seed: 6", "heroes/ford/random, "),
        ("foe:\n    train: python {trainer}", "foe:\n    train: python -B {trainer}", "foe/7\n"),
    ],
)
def test_numbers_of_other_games_or_models_are_left_out(elsewhere, capsys, old, new, lost):
    assert old in YAML
    written(elsewhere, YAML.replace(old, new))
    kept = run(elsewhere, "write")
    assert kept == (2 if old == "seed: 5" else 0)
    assert kept or lost in capsys.readouterr().out


def test_numbers_of_other_rules_or_of_a_retrained_model_are_left_out(elsewhere, capsys):
    path, mark = elsewhere / DATA, rules_hash(identity_of("Agemonia-v0"))
    text = path.read_text()
    path.write_text(text.replace(mark, "0123456789ab", 1))
    assert run(elsewhere, "write") == 0
    assert "left out: heroes/ford/random\n" in capsys.readouterr().out
    (foe,) = re.findall(r'"foe/ford/7": "(\w+)"', text)
    path.write_text(text.replace(foe, "0" * 16))
    assert run(elsewhere, "train", "--only", "^foe/") == 0
    assert run(elsewhere, "write") == 0
    assert "left out: enemies/ford/greedy / foe/7\n" in capsys.readouterr().out


# ---- training -----------------------------------------------------------------------------------
def test_a_failed_command_is_reported_and_run_again(tmp_path, capsys):
    written(tmp_path, YAML.replace("seeds: [7]\npublished", "seeds: [13]\npublished"))
    for _ in range(2):
        assert run(tmp_path, "train", "--only", "foe") == 2
        printed = capsys.readouterr().err
        assert "foe/ford/13: status 1" in printed
        assert "bad luck" in printed


def test_a_model_with_too_few_steps_is_trained_further(tmp_path):
    short = YAML.replace("{{out}}/foe/{{setting}}/{{seed}}\n", "{{out}}/foe/ford/7 --steps 50\n")
    written(tmp_path, short)
    assert run(tmp_path, "train", "--only", "foe") == 2
    assert run(tmp_path, "train", "--only", "foe") == 0
    assert Network.load(work_of(tmp_path).file("foe/ford/7")).record["steps"] == 100


def test_a_model_of_another_command_or_of_other_rules_is_refused(done, tmp_path, capsys):
    longer = "{{out}}/foe/ford/7 --steps 200\n"
    written(tmp_path, YAML.replace("{{out}}/foe/{{setting}}/{{seed}}\n", longer))
    assert run(done, "train", "--only", "foe", config=tmp_path / "results.yaml") == 2
    assert "trained with other rules, or by another command" in capsys.readouterr().err
    file = work_of(done).file("foe/ford/7")
    before, network = file.read_bytes(), Network.load(file)
    try:
        other = other_rules(network.record["identity"])
        replace(network, record={**network.record, "identity": other}).save(file)
        assert run(done, "train") == 2
        assert f"{file.parent}: trained with other rules" in capsys.readouterr().err
    finally:
        file.write_bytes(before)


def test_python_in_a_command_is_this_one(tmp_path):
    train = f"train: python -c 'import sys; print(sys.executable)' {tmp_path}/{{{{seed}}}}"
    written(tmp_path, re.sub(r"train: .*/foe/.*", train, YAML))
    assert run(tmp_path, "train", "--only", "foe") == 2  # it leaves no model
    assert sys.executable in (tmp_path / "runs/models/foe/ford/7/training.log").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [(["--only", "nomatch"], "matches no model and no cell"), (["--only", "("], "unterminated")],
)
def test_a_wrong_choice_is_reported(tmp_path, capsys, words, message):
    written(tmp_path)
    assert run(tmp_path, "play", *words) == 2
    assert message in capsys.readouterr().err


def test_the_configuration_of_the_project_is_what_the_page_shows(tmp_path):
    work, data = Work(read_yaml(CONFIG), Path("runs/results")), facts(ROOT / "docs")
    assert work.config.keys() == {
        *("games", "seed", "settings", "models", "published", "heroes", "enemies")
    }
    known = {"train", "settings", "seeds", "file"}
    assert all(known >= set(kind) for kind in work.config["models"].values())
    known = {"name", "policy", "enemies", "games", "settings", "seeds"}
    rows = [*work.config["heroes"], *work.config["enemies"]]
    assert all(known >= set(row) for row in rows)
    shown = {cell["cell"]: cell for row in data["rows"] for cell in row["cells"]}
    assert [str(cell) for cell in work.cells()] == list(shown)
    for cell in work.cells():
        assert set(work.models_of(cell)) == set(shown[str(cell)]["models"])
        assert bool(cell.seed) == bool(work.models_of(cell))
    assert work.models() == list(data["models"])
    assert all(work.command(model)[0] == "python" for model in work.models())
    assert set(work.config["published"]) == set(data["weights"])


# ---- changed rules ------------------------------------------------------------------------------
NAME, ENV, GAMES = "ppo-ford.npz", "Agemonia-v0", 60


def other_rules(identity):
    """An identity of rules that play differently in one scenario."""
    ford = identity["behaviour"]["ford"] | {"games": "0123456789abcdef"}
    return {**identity, "sources": "before", "behaviour": {**identity["behaviour"], "ford": ford}}


@pytest.fixture
def published(tmp_path):
    """A folder with a page, and with a model that was made for other rules."""
    data = facts(ROOT / "docs")
    entry = data["weights"][NAME] | {"games": GAMES}
    (tmp_path / DATA).write_text(json.dumps(data | {"weights": {NAME: entry}}))
    shutil.copy(ROOT / "docs" / PAGE, tmp_path / PAGE)
    network = Network.load(ROOT / "agents" / "weights" / NAME)
    record = {**network.record, "identity": other_rules(identity_of(ENV)), "stamps": []}
    replace(network, record=record).save(tmp_path / NAME)
    return tmp_path


def stamp(folder, name=NAME):
    return run(folder, "restamp", str(folder / name), config=CONFIG)


def test_a_model_that_wins_as_often_is_stamped(published, capsys):
    before = Network.load(published / NAME)
    assert stamp(published) == 0
    printed = capsys.readouterr().out
    assert "play differently in 1 of 13 scenarios: ford; playing 60 games" in printed
    assert "stamped" in printed
    after, here = Network.load(published / NAME), rules_hash(identity_of(ENV))
    assert after.record["identity"] == identity_of(ENV)
    assert (after.policy.weights == before.policy.weights).all()
    (entry,) = after.record["stamps"]
    assert entry["from"] == rules_hash(before.record["identity"])
    assert (entry["to"], entry["games"]) == (here, GAMES)
    fact = facts(published)["weights"][NAME]
    assert (fact["rules"], fact["games"], fact["wins"]) == (here, GAMES, entry["wins"])
    assert f"| {100 * fact['won']:.1f} (" in (published / PAGE).read_text()


def test_it_is_stamped_once(published, monkeypatch, capsys):
    assert stamp(published) == 0
    monkeypatch.setattr(results, "played_again", lambda *_, **__: pytest.fail("played again"))
    before = (published / NAME).read_bytes()
    assert stamp(published) == 0
    assert "matches the current rules" in capsys.readouterr().out
    assert (published / NAME).read_bytes() == before


def test_a_model_that_wins_more_or_less_often_is_left_alone(published, capsys):
    data = facts(published)
    data["weights"][NAME] |= {"won": 0.5, "low": 0.45, "high": 0.55}
    (published / DATA).write_text(json.dumps(data))
    before = (published / NAME).read_bytes()
    assert stamp(published) == 1
    assert "not stamped; train it again" in capsys.readouterr().out
    assert (published / NAME).read_bytes() == before
    fact = facts(published)["weights"][NAME]
    assert (fact["won"], fact["games"]) == (0.5, GAMES)


def test_a_model_of_another_layout_cannot_be_stamped(published, capsys):
    network = Network.load(published / NAME)
    other = {**network.record["identity"], "observation": "0123456789abcdef"}
    replace(network, record={**network.record, "identity": other}).save(published / NAME)
    assert stamp(published) == 2
    assert "observations have another layout" in capsys.readouterr().err


def test_unpublished_models_are_refused(published, capsys):
    shutil.copy(published / NAME, published / "mine.npz")
    assert stamp(published, "mine.npz") == 2
    assert f"not a published model; there are {NAME}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("new", "old", "meet"),
    [((0.4, 0.5), (0.5, 0.6), True), ((0.4, 0.5), (0.51, 0.6), False), ((0, 1), (0.3, 0.4), True)],
)
def test_intervals_meet_or_do_not(new, old, meet):
    both = [dict(zip(("low", "high"), interval, strict=True)) for interval in (new, old)]
    assert is_as_published(*both) == meet
    assert is_as_published(*reversed(both)) == meet
