"""Every command that stores results: two processes at one place, and one that is stopped."""

import itertools
import json
import re
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = {
    "compare.yaml": "b: {changes: enemies.reedling.shield +1}\ngames: 1000000\n",
    "sensitivity.yaml": "of: enemies.reedling\ngames: 1000000\n",
    "results.yaml": """
games: 1000000
seed: 1
settings: {ford: {scenario: ford, heroes: 2}}
heroes: [{name: greedy, policy: greedy}]
""",
}
AGEMONIA = (sys.executable, "-m", "agemonia_env")
TRAIN = ("--total-steps", "100000000", "--checkpoint-steps", "2000", "--n-envs", "8",
         "--n-steps", "8", "--batch-size", "64", "--net-arch", "[8]", "--threads", "1")  # fmt: skip
# Command; the name after --out; what lies there once something was kept; what is said when it is
# stopped
KINDS = {
    "simulate": (
        (*AGEMONIA, "simulate", "-n", "5000000", "--chunk", "250"),
        ("out.parquet", "out.parquet.parts/*.parquet"),
        r"agemonia: [\d,]+ of 5,000,000 games are saved in .*; the same command resumes",
    ),
    "league": (
        (*AGEMONIA, "league", "--scenario", "ford", "-n", "500000"),
        ("out", "games/*.parts/*.parquet"),
        r"agemonia: [\d,]+ of 500,000 games are saved in .*; the same command resumes",
    ),
    **{
        name: (
            (*AGEMONIA, "balance", name, f"{name}.yaml"),
            ("out", "blocks.jsonl" if name == "compare" else "games/*.parquet"),
            r"agemonia: played games are saved in out; the same command resumes",
        )
        for name in ("compare", "sensitivity")  # other studies store games as sensitivity does
    },
    **{
        algorithm: (
            (*AGEMONIA, "train", "--algorithm", algorithm, *TRAIN),
            ("out", f"checkpoints/step_*.{suffix}"),
            rf"agemonia train: stopped after [\d,]+ steps; out/model.{suffix} is saved, --resume",
        )
        for algorithm, suffix in (("maskable_ppo", "safetensors"), ("ppo", "npz"))
    },
    "results": (
        (sys.executable, "-m", "agents.results", "play", "--config", "results.yaml"),
        ("out", "games/*.parts/*.parquet"),
        r"agents.results: stopped; the same command resumes \([\d,]+ of 1,000,000 games are saved",
    ),
    "evaluate": (
        (*AGEMONIA, "evaluate", "--games", "100000"),
        ("out", ".lock"),
        "agemonia evaluate: stopped; nothing is written",
    ),
}


# All commands stop by the same handler, so each is stopped by one of the two signals
@pytest.mark.parametrize(
    ("kind", "number"), zip(KINDS, itertools.cycle([signal.SIGINT, signal.SIGTERM]), strict=False)
)
def test_the_second_run_is_refused_at_once_and_the_first_can_be_stopped(tmp_path, kind, number):
    command, (name, kept), message = KINDS[kind]
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    command = [*command, "--out", name]
    before = set(tmp_path.iterdir())
    first = start(command, tmp_path)
    try:
        out = tmp_path / name
        wait_for(first, tmp_path if kind == "simulate" else out, kept)
        second = start(command, tmp_path)
        assert second.wait(60) == 2
        busy = rf"{name}: another run \(process {first.pid} on .*\) is writing here; wait for it"
        assert re.search(busy, second.stderr.read())
        first.send_signal(number)
        status, said = first.wait(60), first.stderr.read()
        assert status == 130, said
        assert re.search(message, said), said
        assert "Traceback" not in said
    finally:
        first.kill()
        first.wait()
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".partial", ".lock")]
    check(kind, tmp_path, before)


def start(command, folder):
    """Start a command in a folder, with the package of this checkout."""
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(Path.home())}
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=folder, env=environment, text=True, **pipes)


def wait_for(process, folder, pattern):
    """Wait until something of that name lies in the folder, and has content."""
    for _ in range(6000):
        if any(path.stat().st_size for path in folder.glob(pattern)):
            return
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)
    pytest.fail(f"no {pattern} after two minutes")


def check(kind, folder, before):
    """Check that the stored results are intact."""
    if kind == "evaluate":
        assert set(folder.iterdir()) == before
    elif kind == "compare":
        lines = (folder / "out" / "blocks.jsonl").read_text().splitlines()
        assert all(len(json.loads(line)[-1]) == 16 for line in lines)
    elif kind in ("maskable_ppo", "ppo"):
        from agents.model_file import read_record

        path = next((folder / "out").glob("model.[sn]*"))
        assert read_record(path)["steps"] >= 2000
        assert path.suffix != ".npz" or zipfile.ZipFile(path).testzip() is None
    else:
        import polars as pl

        paths = list(folder.rglob("*.parquet"))
        assert paths
        assert all(pl.read_parquet(path).height for path in paths)
