"""Installs the built wheel where there is no repository, and does there what its README says.

    python tests/smoke_package.py dist                        this Python, a new environment
    python tests/smoke_package.py dist --python python3.13    another Python; may be repeated
    python tests/smoke_package.py dist --train torch==2.13.0  installs this torch, and trains
    python tests/smoke_package.py dist --compiled             the wheel brings compiled rules

`make package` runs it. Without --train, NUMBA_DISABLE_JIT=1 makes it short: nothing is compiled.
"""

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

TINY = (
    *("--n-envs", "8", "--n-steps", "8", "--batch-size", "32", "--n-epochs", "1"),
    *("--net-arch", "[8]", "--total-steps", "64", "--checkpoint-steps", "64"),
)
MODEL = "runs/ppo/model.npz"
# The command, its input, and what it prints
COMMANDS = (
    (("info",), "", "ford"),
    (("watch", "--policy", "random", "--seed", "1"), "", "lost"),
    (("play", "--seed", "1"), "help\ngoal\nquit\n", "look"),
    (("play", "--env", "HexDungeon-v0", "--seed", "1"), "goal\n", "monster"),
)
WITHOUT_TORCH = ((("train",), "", "pip install 'agemonia-env[train]'"),)
TRAINING = (
    (("train", *TINY), "", MODEL),
    (("train", "--config", "generalist", *TINY, "--out", "runs/any"), "", "model.npz"),
    (("train", "--env", "HexDungeon-v0", *TINY, "--out", "runs/hex"), "", "model.npz"),
    (("evaluate", "--model", MODEL, "--games", "4", "--out", "runs/judged"), "", "greedy"),
    (("watch", "--policy", MODEL, "--seed", "1"), "", "Round 2"),
)
# The README is in the package, too; its snippets run as they stand
README = """
import re
from importlib.metadata import metadata
page = metadata("agemonia-env").get_payload() or metadata("agemonia-env")["Description"]
snippets = re.findall(r"^```python\\n(.*?)^```$", page, flags=re.DOTALL | re.MULTILINE)
assert snippets, "the README has no snippets"
for snippet in snippets:
    exec(compile(snippet, "README.md", "exec"), {})
print(len(snippets), "snippets ran")
"""
NETWORK = """
from agemonia_env.policies import policy_of
from agemonia_env.rulesets.ruleset import ruleset_of
print("it has the network", policy_of(ruleset_of("Agemonia-v0"), "generalist").name)
"""
# With the rules in the wheel, no cache needs any
STEPS = """
import gymnasium
from agemonia_env.core.jit import CACHE_ROOT
for name in ("Agemonia-v0", "HexDungeon-v0"):
    env = gymnasium.make(f"agemonia_env:{name}")
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
compiled = [path.name for path in CACHE_ROOT.rglob("rulesets*.code")]
assert not compiled, f"compiled here: {compiled}"
print("nothing was compiled")
"""
WHERE = """
import agemonia_env, importlib.util, pathlib, sys
print(pathlib.Path(agemonia_env.__file__).parent)
assert pathlib.Path(agemonia_env.__file__).is_relative_to(sys.prefix), "not the installed package"
assert importlib.util.find_spec("agents") is None, "the repository is in reach"
"""


class Environment:
    """A virtual environment in an empty folder, with the wheel and nothing of the repository."""

    def __init__(self, folder, python, wheel, torch):
        """Create it; torch: what to install for the extra `train`, None without it."""
        self.folder, self.bin = folder, folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        self.variables = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        self.run([python, "-m", "venv", folder / "venv"])
        if torch:
            self.pip(*torch.split())
        self.pip(f"{wheel}[train]" if torch else wheel)

    def pip(self, *what):
        """Install packages."""
        self.run([self.bin / "python", "-m", "pip", "install", "--quiet", *what])

    def run(self, words, given="", status=0):
        """Run a command -> what it printed. Exits with that if its status is another."""
        done = subprocess.run(
            [str(word) for word in words],
            cwd=self.folder,
            env=self.variables,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode != status:
            sys.exit(
                f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout[-3000:]}"
            )
        return done.stdout

    def agemonia(self, words, given, expected, status=0):
        """Run a command of the package; it must print something."""
        print("  agemonia", *words, flush=True)
        printed = self.run([self.bin / "agemonia", *words], given, status)
        if expected not in printed:
            sys.exit(f"agemonia {' '.join(words)}: no {expected!r} in\n{printed[-3000:]}")


def check_files(dist):
    """The one wheel in a folder, with everything in it and in the sdist beside it."""
    (wheel,), (sdist,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in ("agemonia_env/py.typed", "agemonia_agents/train_ppo.py"):
        assert name in names, f"{wheel}: {name} is missing"
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"agemonia_env", "agemonia_agents"}, f"{wheel}: {tops}"
    with tarfile.open(sdist) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    for name in ("README.md", "Makefile", "agents/train_ppo.py", "docs/README.md", "tests/fuzz.py"):
        assert name in sources, f"{sdist}: {name} is missing"
    print(f"{wheel.name}: {len(names)} files; {sdist.name}: {len(sources)} files")
    return wheel


def try_out(python, wheel, torch, compiled):
    """Install the wheel for a Python, and use it. compiled: whether it brings the rules so."""
    with tempfile.TemporaryDirectory() as folder:
        made = Environment(Path(folder), python, wheel, torch)
        version = made.run([made.bin / "python", "--version"]).strip()
        print(version, made.run([made.bin / "python", "-c", WHERE]).strip(), flush=True)
        if compiled:
            made.variables["XDG_CACHE_HOME"] = str(made.folder / "cache")
            print(" ", made.run([made.bin / "python", "-c", STEPS]).strip(), flush=True)
        for code in (README, NETWORK) if torch else (README,):
            print(" ", made.run([made.bin / "python", "-c", code]).splitlines()[-1], flush=True)
        for words, given, expected in COMMANDS:
            made.agemonia(words, given, expected)
        for words, given, expected in TRAINING if torch else ():
            made.agemonia(words, given, expected)
        for words, given, expected in () if torch else WITHOUT_TORCH:
            made.agemonia(words, given, expected, status=2)


def main():
    """Read the command line, and try the wheel with every Python."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dist", type=Path, help="folder with one wheel and one sdist")
    parser.add_argument("--python", action="append", help="a Python to install it for")
    parser.add_argument("--train", metavar="TORCH", help="what pip shall install as torch")
    parser.add_argument("--compiled", action="store_true", help="no Python may compile the rules")
    options = parser.parse_args()
    wheel = check_files(options.dist.resolve())
    for python in options.python or [sys.executable]:
        try_out(python, wheel, options.train, options.compiled)


if __name__ == "__main__":
    main()
