"""Training on a small budget: its files, resuming and stopping."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agemonia_env.policies.network import Network
from agents import evaluate, run, train_imitation, train_maskable_ppo, train_ppo
from agents.config import CONFIGS, named_config, read_config
from agents.model_file import read_record
from agents.train_maskable_ppo import main
from tests.agents.short_runs import arguments


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    out = tmp_path_factory.mktemp("run")
    assert main(arguments(out)) == 0
    return out


def test_it_writes_model_record_curve_and_checkpoints(trained):
    record = read_record(trained / "model.safetensors")
    assert record["steps"] == 256
    assert record["env_kwargs"]["scenario"] == "ford"
    assert record["config"]["n_envs"] == 8
    curve = json.loads((trained / "curve.json").read_text())
    assert [point["steps"] for point in curve] == [64, 128, 192, 256]
    checkpoints = sorted(path.name for path in trained.glob("checkpoints/*.safetensors"))
    assert checkpoints == ["step_0000000128.safetensors", "step_0000000256.safetensors"]


def test_without_a_terminal_progress_is_a_line_now_and_then(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(run, "PAUSE", 0.0)
    assert main(arguments(tmp_path)) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.endswith("min left")]
    assert [line.partition(" steps, won ")[0] for line in lines] == [
        f"{steps} of 256" for steps in (64, 128, 192, 256)
    ]


def test_a_model_for_drawn_scenarios_meets_others(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("agents.play.SCENARIOS", 3)
    assert main(arguments(tmp_path, scenario="random", scenario_seed="[0, 4]")) == 0
    model = tmp_path / "model.safetensors"
    assert read_record(model)["env_kwargs"]["scenario_seed"] == [0, 4]
    words = ["--model", str(model), "--games", "6", "--out", str(tmp_path / "played")]
    assert evaluate.main(words) == 0
    report = json.loads((tmp_path / "played" / "evaluation.json").read_text())
    for rows in ("rows", "rows_seen"):
        assert [row["policy"] for row in report[rows]] == ["random", "greedy", "trained"]
    assert "trained: " in capsys.readouterr().out


def test_another_ruleset_learns_by_the_configuration_of_its_own(tmp_path, capsys):
    assert main(arguments(tmp_path, env="HexDungeon-v0")) == 0
    model = tmp_path / "model.safetensors"
    record = read_record(model)
    assert (record["env_id"], record["env_kwargs"]["scenario"]) == ("HexDungeon-v0", "bell-loft")
    assert evaluate.main(["--model", str(model), "--games", "6", "--out", str(tmp_path)]) == 0
    report = json.loads((tmp_path / "evaluation.json").read_text())
    assert [row["policy"] for row in report["rows"]] == ["random", "greedy", "trained"]
    assert "greedy" in capsys.readouterr().out


def test_tensorboard_files_are_written_if_asked_for(tmp_path):
    assert main(arguments(tmp_path, total_steps=64, tensorboard="true")) == 0
    assert list((tmp_path / "tensorboard").glob("events*"))


def test_the_same_command_line_with_resume_continues(tmp_path, capsys):
    words = arguments(tmp_path, total_steps=64, gamma=0.9, config=CONFIGS / "flat.yaml")
    assert main(words) == 0
    assert main([*words, "--resume"]) == 0
    assert "All 64 steps are done" in capsys.readouterr().out
    assert main([*words, "--resume", "--ent-coef", "0.3"]) == 2
    assert "ent_coef: 0.01, now 0.3;" in capsys.readouterr().err


def test_help_names_the_defaults_that_there_are(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "its options (default ppo)" in text
    names = text.partition("that comes with the trainers: ")[2].partition(" (")[0].split(", ")
    assert {"enemy", "flat", "generalist", "random"} < set(names)
    assert "results" not in names
    for word in names:
        assert read_config(named_config(word), {})


def test_a_new_run_does_not_leave_checkpoints_of_an_old_one(tmp_path):
    assert main(arguments(tmp_path, total_steps=256)) == 0
    assert main(arguments(tmp_path, total_steps=128)) == 0
    left = sorted(path.name for path in (tmp_path / "checkpoints").iterdir())
    assert left == ["step_0000000128.json", "step_0000000128.safetensors"]


def test_every_earlier_model_is_kept_and_its_place_is_named(tmp_path, capsys):
    models, mine = [], tmp_path / "checkpoints" / "step_by_step.txt"
    mine.parent.mkdir()
    mine.touch()
    for steps in (64, 128, 192):
        assert main(arguments(tmp_path, total_steps=steps)) == 0
        models.append((tmp_path / "model.safetensors").read_bytes())
    said = capsys.readouterr().out
    for name, model in zip(("earlier", "earlier-2"), models, strict=False):
        assert (tmp_path / name / "model.safetensors").read_bytes() == model
        assert f"is now in {tmp_path / name}\n" in said
    assert mine.exists()


def test_a_killed_run_is_resumed_instead_of_an_older_one(tmp_path, monkeypatch):
    assert main(arguments(tmp_path, total_steps=256)) == 0
    earlier = (tmp_path / "model.safetensors").read_bytes()

    def killed(*_):
        raise OSError("killed")

    monkeypatch.setattr(train_maskable_ppo.Report, "stop", killed)  # before the model is saved
    assert main(arguments(tmp_path, total_steps=128, seed=7)) == 2
    monkeypatch.undo()
    assert main(["--out", str(tmp_path), "--resume", "--total-steps", "192"]) == 0
    record = read_record(tmp_path / "model.safetensors")
    assert (record["seed"], record["steps"]) == (7, 192)
    assert (tmp_path / "earlier" / "model.safetensors").read_bytes() == earlier  # nothing is lost


def test_another_algorithm_does_not_go_on(tmp_path, capsys):
    small = arguments(tmp_path, total_steps=64, checkpoint_steps=64)
    assert train_ppo.main(small) == 0
    assert train_imitation.main(["--out", str(tmp_path), "--resume", "--total-steps", "128"]) == 2
    assert "a run of ppo, which imitation cannot resume" in capsys.readouterr().err


def test_a_model_that_says_too_little_to_be_resumed(tmp_path, capsys):
    network = Network.load(next(Path("agents/weights").glob("*.npz")))
    for key in ("steps", "config"):
        less = {name: value for name, value in network.record.items() if name != key}
        replace(network, record=less).save(tmp_path / "model.npz")
        assert train_ppo.main(["--out", str(tmp_path), "--resume"]) == 2
        assert f"its record has no '{key}'" in capsys.readouterr().err


def test_an_unusable_folder_is_refused_before_training(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(train_maskable_ppo, "run", None)
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        assert main(arguments(out)) == 2
        assert "file" in capsys.readouterr().err


def test_ctrl_c_before_anything_is_learned(tmp_path, capsys, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "compile_if_cold", stopped)
    assert main(arguments(tmp_path)) == 130
    assert capsys.readouterr().err == "agemonia train: stopped before anything was learned\n"


def test_ctrl_c_saves_a_valid_model(tmp_path, monkeypatch):
    def interrupted(self):
        if self.num_timesteps >= 128:
            raise KeyboardInterrupt
        return True

    monkeypatch.setattr(train_maskable_ppo.Reporting, "_on_step", interrupted)
    assert main(arguments(tmp_path)) == 130
    assert read_record(tmp_path / "model.safetensors")["steps"] == 128
    monkeypatch.undo()
    assert main(["--out", str(tmp_path), "--resume", "--total-steps", "256"]) == 0
    record = read_record(tmp_path / "model.safetensors")
    assert record["steps"] == 256
    assert record["resumed_from"].endswith(".safetensors")
    curve = json.loads((tmp_path / "curve.json").read_text())
    assert [point["steps"] for point in curve] == [64, 192, 256]  # 128 was stopped


def test_a_truncated_checkpoint_is_one_line(tmp_path, trained, capsys):
    checkpoint = tmp_path / "checkpoints" / "step_0000000128.safetensors"
    checkpoint.parent.mkdir()
    source = next(trained.glob("checkpoints/*.safetensors"))
    checkpoint.write_bytes(source.read_bytes()[:5000])
    checkpoint.with_suffix(".json").write_text(source.with_suffix(".json").read_text())
    assert main(["--out", str(tmp_path), "--resume", "--total-steps", "256"]) == 2
    err = capsys.readouterr().err
    assert "damaged, or not a file of tensors" in err
    assert err.count("\n") == 1
