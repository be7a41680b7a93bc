"""Damaged results: files of simulations, studies and leagues, altered before resuming.

A run that goes on all the same must come to the numbers that it would have come to undisturbed.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from random import Random

from .mutating import hostile_file, hostile_json, scramble
from .runner import Attack, Content, call, tree

ROOT = Path(__file__).resolve().parents[2]
HERE = f"{__name__}:resume"
FILE = "scenario: ford\ngames: 100\nb: {changes: enemies.reedling.shield +1}\n"
BALANCE = ("balance", "compare", "study.yaml", "--quiet")
# Command; where it writes; what is compared in the end
KINDS = {
    "simulate": (("simulate", "-n", "60", "--chunk", "10", "--quiet"), "out.parquet", ""),
    "compare": (BALANCE, "out", "report.json"),
    "analyse": (("balance", "analyse", "base.yaml", "--quiet"), "out", "report.json"),
    "league": (("league", "--scenario", "ford", "-n", "40", "--quiet"), "out", "ratings.json"),
}
FILES = {
    "study.yaml": FILE,
    "base.yaml": "scenario: ford\ngames: 100\nwatched: 100\npairs: false\n",
}
# Stopped before the end: all chunks but the first are there, and not the file
STOPPED = """
import sys
from pathlib import Path
from agemonia_env.simulation import checkpoints, run
from agemonia_env.simulation.plan import make_plan
from agemonia_env.simulation.play import play_chunk
plan = make_plan("ford", 2, "greedy", 60, chunk=10)
begun = checkpoints.CheckpointStore(plan, Path(sys.argv[1]))
begun.open()
for chunk in range(1, plan.n_chunks()):
    begun.write(chunk, play_chunk(plan, chunk, lambda games, wins: None))
"""


@cache
def home() -> Path:
    """A folder with what every kind keeps, made once in processes of their own."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-stored-"))
    atexit.register(_delete, folder, os.getpid())
    for kind, (command, out, _) in KINDS.items():
        place = folder / kind
        place.mkdir()
        for name, text in FILES.items():
            (place / name).write_text(text)
        _run([sys.executable, "-m", "agemonia_env", *command, "--out", out], place)
    begun = folder / "begun"
    begun.mkdir()
    _run([sys.executable, "-c", STOPPED, "out.parquet"], begun)
    return folder


def _delete(folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # and not in a forked process
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str], place: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=place, env=environment, check=True, capture_output=True)


def resume(arguments: list[str]) -> int:
    """Run a command again; AssertionError if it ends well with other numbers than undisturbed."""
    kind, *command = arguments
    status = call("agemonia_env.cli.main:app", command)
    _, out, compared = KINDS[kind]
    if status == 0:
        found, sound = Path(out) / compared, home() / kind / out / compared
        assert found.read_bytes() == sound.read_bytes(), "silently other numbers"
    return status


def attack_on(random: Random, kind: str, begun: Path) -> Attack:
    """One or two damaged files of a run that is resumed."""
    command, out, _ = KINDS[kind]
    files: dict[str, Content] = {path.name: _copy(path) for path in begun.iterdir()}
    kept = sorted(path for path in begun.rglob("*") if path.is_file() and "yaml" not in path.name)
    for path in random.sample(kept, min(len(kept), random.choice((1, 1, 2)))):
        for name, content in damaged(random, path, kept).items():
            files[str(name.relative_to(begun))] = content
    extra = ("--force",) if random.random() < 0.1 and kind != "league" else ()
    return Attack((kind, *command, "--out", out, *extra), files, HERE)


def _copy(path: Path) -> Content:
    return tree(path) if path.is_dir() else path.read_bytes()


def damaged(random: Random, path: Path, others: list[Path]) -> dict[Path, Content]:
    """A file after damage of one kind: what lies there instead, by path."""
    content = path.read_bytes()
    other = random.choice(others)
    choice = random.randrange(8)
    if choice == 0:
        return {path: content[: random.randrange(len(content) + 1)]}
    if choice == 1:
        return {path: other.read_bytes(), other: content}  # swapped
    if choice == 2:
        return {path: content + content[random.randrange(len(content) + 1) :]}  # doubled, in part
    if choice == 3:
        return {path.with_name(random.choice(NAMES) + path.name[1:]): content}
    if choice == 4:
        return {path: hostile_file(random)}
    if choice == 5:
        return {path: huge(random)}
    if path.suffix in (".json", ".jsonl"):
        text = content.decode()
        if path.suffix == ".jsonl":
            lines = text.splitlines()
            k = random.randrange(len(lines))
            lines[k] = hostile_json(random, lines[k]).decode("utf-8", "replace")
            return {path: "\n".join(lines).encode("utf-8", "surrogatepass")}
        return {path: hostile_json(random, text)}
    return {path: scramble(random, content)}


NAMES = ("9", "z", "..", " ", "\n", "0")


def huge(random: Random) -> Content:
    """A file of 3 GB that takes no room on the disk, or one that is nested deeply."""
    if random.random() < 0.5:
        return b"[" * 200_000

    def create(path: Path) -> None:
        with path.open("wb") as file:
            file.truncate(3 * 2**30)

    return create


def begun_simulation(random: Random) -> Attack:
    """Chunks and plan of a simulation that was stopped."""
    return attack_on(random, "simulate", home() / "begun")


def finished_simulation(random: Random) -> Attack:
    """The file of a simulation that is complete."""
    return attack_on(random, "simulate", home() / "simulate")


def study(random: Random) -> Attack:
    """The folder of a comparison, or of an analysis."""
    kind = random.choice(("compare", "analyse"))
    return attack_on(random, kind, home() / kind)


def league(random: Random) -> Attack:
    """The folder of a league."""
    return attack_on(random, "league", home() / "league")
