"""The command line: output, exit status, and one line for each bad input."""

import os
import shlex
import subprocess
import sys
import time

import polars as pl
import pytest
from typer.testing import CliRunner

import agemonia_env
from agemonia_env import warmup
from agemonia_env.cli import main
from agemonia_env.core.jit import RULESETS
from agemonia_env.rulesets.agemonia.core.actions import N_ACTIONS

CASE = """
- id: spending
  rules: [R2.1]
  figures: {hero: {hero: {}, disk: 3, spent: 5}}
  do:
    - spend: {who: hero, amount: 1}
  expect: {hero: {disk: %d}}
"""


def run(*words):
    return CliRunner().invoke(main.app, [str(word) for word in words])


def test_every_command_has_help():
    commands = "challenge play watch review train evaluate cases content coverage simulate warmup"
    printed = run("--help").output
    for command in (*commands.split(), "info"):
        assert command in printed
        assert run(command, "--help").exit_code == 0


def test_info_names_ruleset_scenarios_sizes_and_cache():
    printed = run("info").output
    for word in ("numba", "ford", "fingerprint", "observation", f"{N_ACTIONS} actions", "cache"):
        assert word in printed


def test_info_lists_levels_and_difficulties_separately():
    plain, level, hard = (
        run("info", *words).output for words in ((), ("--level", 5), ("--difficulty", "hard"))
    )
    assert "level 5, normal, 2 heroes: fingerprint" in level
    assert "hard, 2 heroes: fingerprint" in hard
    assert len({plain, level, hard}) == 3


# ---- cases and content --------------------------------------------------------------------------
@pytest.mark.parametrize(("disk", "status"), [(2, 0), (1, 1)])
def test_cases_end_with_a_count_and_a_status(tmp_path, capfd, disk, status):
    path = tmp_path / "case.yaml"
    path.write_text(CASE % disk)
    result = run("cases", path)
    printed = (result.output + capfd.readouterr().out).strip()
    assert result.exit_code == status
    assert printed.splitlines()[-1] == f"{1 - status} passed, {status} failed"


def test_cases_that_cannot_be_read_are_status_2(tmp_path):
    path = tmp_path / "case.yaml"
    path.write_text("- id: [")
    assert run("cases", path).exit_code == 2
    assert run("cases", tmp_path / "none.yaml").exit_code == 2


def test_content_check():
    from agemonia_env.rulesets.agemonia.content.load import FORMAT

    good = run("content", "check", FORMAT.home / "core")
    assert (good.exit_code, good.output.strip().splitlines()[-1][-11:]) == (0, "no mistakes")


def test_content_check_of_no_pack(tmp_path):
    bad = run("content", "check", tmp_path)
    assert bad.exit_code == 2
    assert "pack.yaml" in bad.output


# ---- simulation ---------------------------------------------------------------------------------
GAMES = ["simulate", "--scenario", "ford", "--heroes", 1, "--heroes", "orsa,ketch", "-n", 60]


def test_simulate_writes_the_rows_and_prints_a_table(tmp_path):
    out = tmp_path / "games.parquet"
    result = run(*GAMES, "--seed", 2, "--threads", 2, "--difficulty", "easy", "--out", out)
    assert result.exit_code == 0
    assert "60 of 60 games" in result.stderr
    for words in ("orsa, ketch", "easy", "won (95 %)"):
        assert words in result.stdout
    parties = [1, ["orsa", "ketch"]]
    same = agemonia_env.simulate("ford", parties, games=60, seed=2, difficulty="easy")
    assert pl.read_parquet(out).equals(same)
    again = run(*GAMES, "--seed", 2, "--difficulty", "easy", "--out", out)
    assert (again.exit_code, again.stdout) == (0, result.stdout)
    assert "already complete" in again.stderr


def test_simulate_takes_what_the_environment_takes(tmp_path):
    out = tmp_path / "games.parquet"
    words = ["--scenario", "random", "--scenario-seed", "3-5", "--enemy-will", "free"]
    more = ["--enemy-policy", "random", "--policy", "random", "--ties", "ask", "--level", 2]
    assert run("simulate", *words, *more, "-n", 6, "--out", out).exit_code == 0
    rows = pl.read_parquet(out)
    assert set(rows["scenario_seed"]) <= {3, 4, 5}
    columns = rows.select("enemy_policy", "policy", "ties", "enemy_will", "level").unique().row(0)
    assert columns == ("random", "random", "ask", "free", 2)


def test_simulate_quietly(tmp_path):
    result = run(*GAMES, "--quiet")
    assert (result.exit_code, result.output) == (0, "")


def test_simulate_stopped_by_hand_says_how_to_go_on(monkeypatch, tmp_path):
    def stop(parts, chunk, frame):
        raise KeyboardInterrupt

    monkeypatch.setattr("agemonia_env.simulation.checkpoints.CheckpointStore.write", stop)
    result = run(*GAMES, "--quiet", "--out", tmp_path / "games.parquet")
    assert result.exit_code == 130
    assert "0 of 60 games are saved in" in result.stderr
    assert "the same command resumes" in result.stderr
    without = run(*GAMES, "--quiet")
    assert without.exit_code == 0


@pytest.mark.parametrize(
    ("package", "words", "extra"),
    [("polars", [], "simulation"), ("ray", ["--ray", "local"], "cluster")],
)
def test_simulate_without_an_extra_says_what_to_install(monkeypatch, package, words, extra):
    monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    result = run(*GAMES, *words, "--quiet")
    assert result.exit_code == 2
    message = f"agemonia: {package} is not installed: pip install 'agemonia-env[{extra}]'\n"
    assert result.stderr == message
    with pytest.raises(ImportError, match=package):
        agemonia_env.simulate(games=1, ray="local" if package == "ray" else None)


# ---- bad input ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["play", "--scenario", "nowhere"], "nowhere"),
        (["watch", "--policy", "none.npz"], "none.npz: no such model"),
        (["train", "--algorithm", "dqn"], "allowed: ppo, maskable_ppo, imitation"),
        (["watch", "--png", "game.jpg"], "game.jpg"),
        (["play", "--heroes", "orsa,,tamsin"], "orsa,,tamsin"),
        (["info", "--pack", "none"], "none"),
        (["simulate", "-n", "0"], "games=0"),
        (["simulate", "--heroes", "orsa,nobody"], "nobody"),
        (["simulate", "--threads", "0"], "threads=0"),
        (["simulate", "--scenario", "random", "--scenario-seed", "3-x"], "3-x"),
        (["simulate", "--out", __file__ + "/games.parquet"], "test_cli.py"),
    ],
)
def test_bad_input_is_one_line_and_status_2(words, said):
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.startswith("agemonia: ")
    assert result.stderr.count("\n") == 1


def test_training_without_the_trainers_says_what_to_install(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr("agemonia_env.policies.trainers.import_module", missing)
    result = run("train")
    assert result.exit_code == 2
    assert "[train]" in result.stderr
    assert result.stderr.count("\n") == 1


# ---- the compiler's cache -----------------------------------------------------------------------
def test_a_cold_start_is_announced_once(monkeypatch):
    lines = []
    monkeypatch.setattr(warmup, "is_ready", lambda env, *parts: bool(lines))
    monkeypatch.setattr(warmup, "warm_up", lambda env, part, report: 41.2)
    warmup.compile_if_cold(lines.append)
    warmup.compile_if_cold(lines.append)
    assert len(lines) == 2
    assert "Compiling" in lines[0]
    assert "41 s" in lines[1]


def test_warmup_deletes_the_caches_of_older_sources(tmp_path, monkeypatch):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "step.nbc").write_bytes(bytes(2**20))
    then = time.time() - (warmup.KEPT_DAYS + 1) * 86_400
    os.utime(tmp_path / "old", (then, then))
    present = {warmup.cache_folder(f"agemonia_env.{name}.api").name for name in RULESETS}
    for name in present:
        (tmp_path / name).mkdir()
    monkeypatch.setattr(warmup, "CACHE_ROOT", tmp_path)
    monkeypatch.setattr(warmup, "warm_up", lambda env, part, report: 0.1)
    printed = run("warmup").output
    assert "1.0 MiB" in printed
    assert f"after {0.1 * 2 * len(warmup.PARTS):.0f} s" in printed
    assert {path.name for path in tmp_path.iterdir()} == present


# ---- as other commands do -----------------------------------------------------------------------
def shell(line, **environment):
    """Run a line in bash -> (status of the first command of its pipe, stdout, stderr)."""
    words = f"{line}; exit ${{PIPESTATUS[0]}}"
    agemonia = f"{shlex.quote(sys.executable)} -m agemonia_env"
    done = subprocess.run(
        ["bash", "-c", words.replace("agemonia ", f"{agemonia} ", 1)],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="bash")
@pytest.mark.parametrize("words", ["info", "content check core", "watch --seed 3", "simulate -n 4"])
def test_a_closed_pipe_ends_a_command_quietly(words):
    status, _, stderr = shell(f"agemonia {words} | true")
    assert status in (0, 1)
    assert "pipe" not in stderr.lower()
    assert "Traceback" not in stderr


@pytest.mark.skipif(sys.platform == "win32", reason="bash")
def test_a_terminal_of_unknown_size_prints_as_without_one():
    sizes = [{}, {"COLUMNS": "0", "LINES": "0"}]
    assert shell("agemonia watch --seed 3", **sizes[1]) == shell("agemonia watch --seed 3")
    assert "Usage" in shell("agemonia --help", **sizes[1])[1]
