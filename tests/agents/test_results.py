"""The page of results on a small budget: trained, played and written once."""

import json
import re
import shutil
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from agemonia_env.packs.folders import ContentError
from agemonia_env.policies.network import Layer, Network
from agemonia_env.simulation import result_cache
from agents.results import picture, playing, training
from agents.results.__main__ import main
from agents.results.known import cell_fact
from agents.results.page import beside, chain, harder, planner_and_trained
from agents.results.page_config import Work, read_page_config
from agents.results.picture import CurvesOfBoth, curve
from tests.agents.published import wins_as_published

SMALL = (
    "--total-steps 128 --checkpoint-steps 128 --n-envs 8 --n-steps 8 --batch-size 32 --n-epochs 1 "
    "--net-arch [8] --threads 1"
)
# A trainer of plain arrays that learns nothing, but writes all files of a trainer at once
TRAINER = """
import argparse, json, sys
from pathlib import Path
import numpy as np
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.rulesets.identity import identity_of
from agemonia_env.policies.network import Layer, Network

parser = argparse.ArgumentParser()
parser.add_argument("--scenario"), parser.add_argument("--heroes", type=int)
parser.add_argument("--scenario-seed"), parser.add_argument("--seed", type=int)
parser.add_argument("--out", type=Path), parser.add_argument("--steps", type=int, default=100)
args = parser.parse_args()
if args.seed == 13:
    sys.exit("bad luck")
rules, random = ruleset_of("Agemonia-v0"), np.random.default_rng(args.seed)
layer = lambda inputs, outputs: Layer(
    random.normal(size=(inputs, outputs)).astype(np.float32), np.zeros(outputs, np.float32)
)
columns = np.arange(50, dtype=np.int32)
played = {"scenario": args.scenario, "heroes": args.heroes, "scenario_seed": args.scenario_seed}
played = {key: value for key, value in played.items() if value is not None}
record = {
    "env_id": rules.env_id, "steps": args.steps, "config": {"total_steps": 100},
    "fingerprint": rules.check_arguments(**played).reference().fingerprint,
    "env_kwargs": played, "minutes": 0.5, "identity": identity_of(rules.env_id),
}
Network(columns, [layer(50, 8)], layer(8, rules.N_ACTIONS), layer(8, 1), record).save(
    args.out / "model.npz"
)
points = [{"steps": k, "won": k / 100, "games": 4} for k in range(100)]
(args.out / "curve.json").write_text(json.dumps(points))
"""
YAML = """
games: 60
seed: 5
seeds: [1, 2]
settings:
  ford: {{scenario: ford, heroes: 2}}
  drawn: {{scenario: random, scenario_seed: test, heroes: 2}}
models:
  arrays:
    train: python {trainer} {{play}} --seed {{seed}} --out {{out}}
    weights: 2
  ppo:
    train: python -m agents.train_ppo {{play}} {small} --seed {{seed}} --out {{out}}
    file: ./model.npz
    seeds: [1]
    settings: [ford]
  foe:
    train: python {trainer} {{play}} --seed {{seed}} --out {{out}}
    trained_on: ford
    seeds: [7]
heroes:
  - {{name: random, policy: random}}
  - {{name: greedy, policy: greedy, games: 400}}
  - {{name: arrays, policy: "{{arrays}}"}}
  - {{name: lean PPO, policy: "{{ppo}}", games: 100}}
enemies:
  - {{name: greedy, policy: greedy, settings: [ford]}}
  - {{name: greedy / greedy, policy: greedy, enemies: greedy, settings: [ford]}}
  - {{name: greedy / foe, policy: greedy, enemies: "{{foe}}", settings: [ford], games: 100}}
"""


def written(folder, text=YAML):
    """A configuration in a folder, with its trainer."""
    (folder / "trainer.py").write_text(TRAINER)
    path = folder / "results.yaml"
    path.write_text(text.format(trainer=folder / "trainer.py", small=SMALL))
    return path


def arguments(folder, *words):
    options = {"--config": folder / "results.yaml", "--out": folder / "runs", "--docs": folder}
    options |= {"--weights": folder / "weights"}
    return [*words, *(str(word) for pair in options.items() for word in pair)]


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A folder in which everything was made once."""
    folder = tmp_path_factory.mktemp("results")
    written(folder)
    assert main(arguments(folder)) == 0
    return folder


def facts(folder):
    return json.loads((folder / "results.json").read_text())


def test_every_row_is_there_with_all_its_seeds(done):
    found = {(r["table"], r["setting"], r["name"]): r for r in facts(done)["rows"]}
    assert len(found) == 4 + 3 + 3
    greedy = found["heroes", "ford", "greedy"]
    assert greedy["games"] == 400
    assert 0.6 < greedy["low"] < greedy["won"] < greedy["high"] < 0.8
    arrays = found["heroes", "drawn", "arrays"]
    assert [cell["seed"] for cell in arrays["cells"]] == [1, 2]
    assert arrays["games"] == 120
    assert arrays["cells"][0]["models"] == ["arrays/drawn/1"]
    assert found["enemies", "ford", "greedy / foe"]["cells"][0]["models"] == ["foe/ford/7"]


def test_models_are_tested_on_scenarios_they_were_not_trained_on(done):
    command = facts(done)["models"]["arrays/drawn/1"]["command"]
    assert "--scenario-seed train" in command
    assert "--scenario random" in command


def test_the_page_has_numbers_commands_and_training_costs(done):
    page = (done / "results.md").read_text()
    greedy = next(r for r in facts(done)["rows"] if r["name"] == "greedy")
    line = next(line for line in page.splitlines() if line.startswith("| greedy | "))
    assert f"{100 * greedy['won']:.1f}" in line
    for text in (
        "`python -m agents.results play --only '^heroes/ford/'`",
        "trainer.py --scenario ford",
    ):
        assert text in page
    assert re.search(r"\| lean PPO \| .* \| 128 \|", page)
    assert re.search(r"\| arrays \| .*, .* \| 100 \| 0\.5 \|", page)
    for name in re.findall(r"\]\((results[^)]+)\)", page):
        assert (done / name).is_file(), name


def test_every_number_has_a_command_that_reproduces_it(done):
    from typer.testing import CliRunner

    from agemonia_env.cli.main import app

    row = next(r for r in facts(done)["rows"] if r["name"] == "greedy / greedy")
    words = row["cells"][0]["command"].split()[1:]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0
    assert f"{100 * row['won']:.1f} %" in result.stdout


def test_published_weights_play_as_they_did(done):
    weights = facts(done)["weights"]
    assert set(weights) == {"arrays-ford.npz", "arrays-drawn.npz"}
    entry = weights["arrays-ford.npz"]
    assert entry["model"] == "arrays/ford/2"
    own = done / "runs" / "models" / "arrays" / "ford" / "2" / "model.npz"
    assert Path(entry["policy"]).read_bytes() == own.read_bytes()
    assert wins_as_published(entry, 200, Path(entry["policy"]))
    assert not wins_as_published(entry | {"policy": "greedy"}, 200, own)


def test_nothing_is_trained_or_played_twice(done, monkeypatch):
    def never(*arguments):
        raise AssertionError(f"done again: {arguments}")

    before = (done / "results.md").read_bytes()
    monkeypatch.setattr(training, "started", never)
    monkeypatch.setattr(result_cache, "rows_of", never)
    assert main(arguments(done)) == 0
    assert (done / "results.md").read_bytes() == before


def test_only_a_changed_model_is_played_again(done, monkeypatch):
    work = Work(read_page_config(done / "results.yaml"), done / "runs")
    cell = next(cell for cell in work.cells() if str(cell) == "heroes/ford/arrays/1")
    file = work.file(work.models_of(cell)[0])
    before, old = file.read_bytes(), playing.games_of(work, cell).path
    network = Network.load(file)
    other = Layer(-network.policy.weights, network.policy.bias)
    played, real = [], result_cache.rows_of

    def counted(plan, *more):
        played.append(plan.policy)
        return real(plan, *more)

    monkeypatch.setattr(result_cache, "rows_of", counted)
    try:
        Network(network.columns, network.trunk, other, network.value, network.record).save(file)
        assert cell_fact(work, cell) is None
        assert main(arguments(done, "play")) == 0
        assert played == [str(file)]
        assert not old.exists()
    finally:
        file.write_bytes(before)
        assert main(arguments(done, "play")) == 0


def test_missing_rows_are_left_out(tmp_path, capsys):
    written(tmp_path)
    assert main(arguments(tmp_path, "play", "--only", "^heroes/ford/(greedy|arrays)")) == 0
    assert (
        "no model yet for 2 cells (stage train makes them): heroes/ford/arrays/1"
        in capsys.readouterr().out
    )
    assert main(arguments(tmp_path, "write")) == 2  # an existing page is unchanged
    assert "cells are not played yet (heroes/ford/random" in capsys.readouterr().err
    assert not (tmp_path / "docs").exists()
    assert main(arguments(tmp_path, "write", "--partial")) == 0
    assert [row["name"] for row in facts(tmp_path)["rows"]] == ["greedy"]
    assert "not played yet, and left out: heroes/ford/random" in capsys.readouterr().out


@pytest.fixture
def elsewhere(done, tmp_path):
    """The page, without the models and games that it was made of."""
    before = {path: path.read_bytes() for path in [*done.glob("*.*"), *done.glob("*/*.png")]}
    (done / "runs").rename(tmp_path / "runs")
    try:
        yield done
    finally:
        shutil.rmtree(done / "runs", ignore_errors=True)
        (tmp_path / "runs").rename(done / "runs")
        for path, content in before.items():
            path.write_bytes(content)


def test_a_page_reuses_the_numbers_of_another_machine(elsewhere):
    before, curves = facts(elsewhere), (elsewhere / "results/curves.png").read_bytes()
    assert main(arguments(elsewhere, "write")) == 2
    assert main(arguments(elsewhere, "write", "--keep")) == 0
    assert facts(elsewhere) == before
    assert (elsewhere / "results/curves.png").read_bytes() == curves  # cannot be redrawn here
    written(
        elsewhere,
        YAML.replace("heroes:\n  - ", "heroes:\n  - {{name: more, policy: random}}\n  - "),
    )
    assert main(arguments(elsewhere, "play", "--only", "/more")) == 0
    assert main(arguments(elsewhere, "write", "--keep")) == 0
    rows = facts(elsewhere)["rows"]
    assert [row for row in rows if row["name"] != "more"] == before["rows"]
    assert [row["setting"] for row in rows if row["name"] == "more"] == ["ford", "drawn"]
    assert not (elsewhere / "results/curves-later.png").exists()
    assert main(arguments(elsewhere, "train", "--only", "^arrays/ford/")) == 0  # the same again
    assert main(arguments(elsewhere, "write", "--keep")) == 0
    assert (elsewhere / "results/curves.png").read_bytes() == curves
    assert (elsewhere / "results/curves-later.png").is_file()
    assert "(results/curves-later.png)" in (elsewhere / "results.md").read_text()
    for name in before["weights"]:
        assert (elsewhere / "weights" / name).is_file()


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("games: 400", "games: 401", "heroes/ford/greedy"),
        ("seed: 5", "seed: 6", "heroes/ford/random"),
        ("train: python {trainer} {{play}} --seed", "train: python {trainer} --seed", "arrays/1"),
    ],
)
def test_numbers_of_other_games_or_models_are_dropped(elsewhere, capsys, old, new, lost):
    assert old in YAML
    written(elsewhere, YAML.replace(old, new))
    assert main(arguments(elsewhere, "write", "--keep")) == 2
    assert lost in capsys.readouterr().err


def test_numbers_of_other_rules_or_of_a_retrained_model_are_dropped(elsewhere, capsys):
    path = elsewhere / "results.json"
    text = path.read_text()
    path.write_text(text.replace("agemonia 2, ", "agemonia 1, ", 1))
    assert main(arguments(elsewhere, "write", "--keep")) == 2
    assert "1 cells are not played yet (heroes/ford/random)" in capsys.readouterr().err
    path.write_text(re.sub(r'"sha256": "\w+"', '"sha256": "0123456789abcdef"', text))
    assert main(arguments(elsewhere, "train", "--only", "^foe/")) == 0
    assert main(arguments(elsewhere, "write", "--keep")) == 2
    assert "1 cells are not played yet (enemies/ford/greedy / foe/7)" in capsys.readouterr().err


def test_without_a_page_there_is_nothing_to_reuse(tmp_path, capsys):
    written(tmp_path)
    assert main(arguments(tmp_path, "write", "--keep")) == 2
    assert "results.json cannot be read" in capsys.readouterr().err


def test_a_command_that_trains_both_sides_has_a_model_for_each(tmp_path):
    both = YAML.replace("trained_on: ford", "trained_on: ford\n    enemy_file: enemy/model.npz")
    row = "heroes:\n  - {{name: foe, policy: '{{foe}}', enemies: '{{foe}}'}}\n"
    work = Work(read_page_config(written(tmp_path, both.replace("heroes:\n", row))), tmp_path)
    cell = next(cell for cell in work.cells() if cell.row.name == "foe")
    folder = tmp_path / "models/foe/ford/7"
    assert work.players(cell) == (str(folder / "model.npz"), str(folder / "enemy/model.npz"))


def test_an_unknown_name_is_reported(tmp_path, capsys):
    written(tmp_path)
    assert main(arguments(tmp_path, "play", "--only", "nomatch")) == 2
    assert "matches no model and no cell of the page" in capsys.readouterr().err


def test_training_that_starts_from_another_run_counts_it_too():
    first = {"steps": 10, "minutes": 0.5, "begins_with": None}
    facts = {"models": {"one": first, "two": {**first, "steps": 5, "begins_with": "one"}}}
    found = list(chain(facts, {"steps": 2, "minutes": 1.0, "begins_with": "two"}))
    assert [model["steps"] for model in found] == [2, 5, 10]


def test_a_planner_is_better_only_if_it_beats_every_seed():
    planner = {"low": 0.9, "high": 0.95}
    seeds = [{"low": 0.5, "high": 0.6}, {"low": 0.8, "high": 0.88}]
    assert beside(planner, {"cells": seeds}) == "above"
    assert beside(planner, {"cells": [*seeds, {"low": 0.88, "high": 0.91}]}) == "level"
    assert beside({"low": 0.2, "high": 0.4}, {"cells": seeds}) == "below"


def test_a_failed_command_is_reported_and_run_again(tmp_path, capsys):
    written(tmp_path, YAML.replace("seeds: [7]", "seeds: [13]"))
    assert main(arguments(tmp_path, "train", "--only", "foe")) == 2
    assert "foe/ford/13: status 1" in (printed := capsys.readouterr().err)
    assert "bad luck" in printed
    assert main(arguments(tmp_path, "train", "--only", "foe")) == 2


def test_a_model_with_too_few_steps_is_trained_further(tmp_path, monkeypatch):
    changed = YAML.replace(
        "--out {{out}}\n    trained_on: ford",
        "--out {{out}} --steps 50\n    resume: python {trainer} --scenario ford --seed 7 "
        "--out {{out}}\n    trained_on: ford",
    )
    written(tmp_path, changed)
    assert main(arguments(tmp_path, "train", "--only", "foe")) == 2
    assert main(arguments(tmp_path, "train", "--only", "foe")) == 0
    known = json.loads((tmp_path / "runs/models/foe/ford/7/training.json").read_text())
    assert known["complete"]
    assert known["command"][-2:] == ["--steps", "50"]


def test_a_model_of_another_command_is_refused(done, tmp_path, capsys):
    path = written(
        tmp_path,
        YAML.replace("--out {{out}}\n    trained_on", "--out {{out}} --steps 200\n    trained_on"),
    )
    words = ["train", "--only", "foe", "--config", str(path), "--out", str(done / "runs")]
    assert main(words) == 2
    assert "was trained by another command" in capsys.readouterr().err


def test_a_model_of_other_rules_is_refused(done, capsys):
    work = Work(read_page_config(done / "results.yaml"), done / "runs")
    file = work.file(work.models()[0])
    before, network = file.read_bytes(), Network.load(file)
    older = network.record | {"fingerprint": "0123456789abcdef"}
    try:
        replace(network, record=older).save(file)
        assert main(arguments(done, "train")) == 2
        assert "was trained with other rules" in capsys.readouterr().err
    finally:
        file.write_bytes(before)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("games: 60", "games: 0", "games: must be greater than 0"),
        ('"{{arrays}}"', '"{{array}}"', "{array} is not a model; allowed: arrays, ppo, foe"),
        ("trained_on: ford", "trained_on: fort", "'fort' is not a setting; allowed: ford, drawn"),
        ("file: ./model.npz", "files: model.npz", "models.ppo.files: unknown key"),
        ("settings: [ford], games", "settings: [weir], games", "'weir' is not a setting"),
    ],
)
def test_a_wrong_entry_is_reported_with_its_place(tmp_path, old, new, message):
    assert old in YAML
    path = written(tmp_path, YAML.replace(old, new))
    with pytest.raises(ContentError) as caught:
        read_page_config(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_the_configuration_of_the_project_is_valid():
    work = Work(read_page_config(Path("agents/configs/results.yaml")), Path("runs"))
    cells = [str(cell) for cell in work.cells()]
    assert len(set(cells)) == len(cells)
    assert {"ford", "procedural"} < set(work.config.settings)
    for model in work.models():
        words = work.command(model, work.config.models[model.name].train)
        assert words[0] == "python"


def test_harder_is_the_difference_to_the_cards():
    far = {"table": "heroes", "setting": "ford", "policy": "greedy", "enemies": "cards", "won": 0.8}
    near = far | {"table": "enemies", "won": 0.7}
    free = near | {"enemies": "greedy", "won": 0.55}
    assert harder({"rows": [far, near, free]}, free) == "-15.0"
    assert harder({"rows": [far, free]}, free) == "-25.0"
    assert harder({"rows": [far, near, free]}, near) == "-"
    assert harder({"rows": [free]}, free) == "-"


def test_the_best_planner_stands_beside_the_best_trained_row():
    def row(name, policy, won, models=()):
        keys = {"table": "heroes", "setting": "ford", "name": name, "policy": policy, "won": won}
        ends = {"low": won - 0.02, "high": won + 0.02}
        return keys | ends | {"cells": [{"models": models, **ends}]}

    weak, strong = row("few", "planner:5", 0.7), row("many", "planner:50", 0.9)
    worse, better = row("old", "{old}", 0.6, ["old"]), row("new", "{new}", 0.8, ["new"])
    facts = {"settings": {"ford": {}, "bell": {}}, "rows": [weak, strong, worse, better]}
    table = planner_and_trained(facts)[1]
    assert "| ford | many | 90.0 | 88.0 to 92.0 | new | 80.0 | 78.0 to 82.0 | above |" in table
    assert "bell" not in table
    assert planner_and_trained(facts | {"rows": [row("greedy", "greedy", 0.6), strong]}) == []
    assert beside(better, strong) == "below"
    assert beside(better, better) == "level"


def test_a_curve_takes_neighbouring_rollouts_together(tmp_path):
    path = tmp_path / "curve.json"
    points = [{"steps": k, "won": float(k % 2), "games": 1} for k in range(1, 121)]
    path.write_text(json.dumps([{"steps": 0, "won": float("nan"), "games": 0}, *points]))
    steps, won = curve(path)
    assert len(steps) == 60
    np.testing.assert_allclose(won, 0.5)
    assert curve(tmp_path / "none.json")[0].size == 0


def test_both_learning_sides_have_a_line_for_each_opponent(tmp_path):
    text = YAML.replace("trained_on: ford", "trained_on: ford\n    enemy_file: enemy/model.npz")
    work = Work(read_page_config(written(tmp_path, text)), tmp_path)
    (model,) = [model for model in work.models() if model.name == "foe"]
    curves = CurvesOfBoth(work, [model])
    assert curves.here() == []
    rates = {"latest": 0.4, "greedy": 0.7}
    points = [{"hero_steps": 5e6 * k, "hero": rates, "enemy": rates} for k in (1, 2)]
    curves.path(model).parent.mkdir(parents=True)
    curves.path(model).write_text(json.dumps(points))
    assert curves.here() == [model]
    place = Figure().subplots()
    curves({}, "drawn", place)
    assert not place.lines
    curves({}, "ford", place)
    assert [list(line.get_ydata()) for line in place.lines] == [[40, 40], [70, 70], [70, 70]]
    assert list(place.lines[0].get_xdata()) == [5, 10]


def test_labels_of_many_rows_do_not_touch(monkeypatch, tmp_path):
    """In panels of 3 to 15 rows, with names of up to three lines."""
    drawn = []
    monkeypatch.setattr(picture, "write_figure", lambda path, figure, dpi: drawn.append(figure))
    settings = {f"scenario {k}": 3 + 4 * (k % 4) for k in range(7)}
    rows = [
        {"table": "heroes", "setting": name, "won": 0.9, "low": 0.88, "high": 0.92, "cells": []}
        | {"name": f"planner {k}, {'with a long name ' * (k % 3)}"}
        for name, n in settings.items()
        for k in range(n)
    ]
    facts = {"rows": rows}
    picture.panels(facts, list(settings), picture.rates, tmp_path / "w", picture.rates_height)
    (figure,) = drawn
    figure.draw_without_rendering()
    labels = [
        (text.get_text(), text.get_window_extent())
        for place in figure.axes
        if place.axison
        for text in (*place.get_yticklabels(), *place.get_xticklabels(), *place.texts, place.title)
    ]
    assert len(labels) > 2 * len(rows)
    pairs = combinations(labels, 2)
    assert not [(one, two) for (one, a), (two, b) in pairs if a.overlaps(b)]
    inside = figure.bbox
    assert all(inside.x0 <= b.x0 and b.x1 <= inside.x1 for _, b in labels)


def test_python_in_a_command_is_this_one(tmp_path):
    assert (
        training.started(["python", "-c", "import sys; print(sys.executable)"], tmp_path / "log")
        == 0
    )
    assert (tmp_path / "log").read_text().strip() == sys.executable
