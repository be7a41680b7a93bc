"""Every command and snippet of the pages for users runs, on a small budget, one after another.

A line that is new and fits no row of BUDGETS or LEFT_OUT fails: say how it runs quickly, or why it
is not run.
"""

import importlib
import re
import runpy
import shlex
import shutil
import sys
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from agemonia_env.cli import main

ROOT = Path(__file__).resolve().parents[1]
# Pages whose commands run here
PAGES = (
    *("docs/balance-lab.md", "docs/challenge.md", "docs/command-line.md", "docs/forecast.md"),
    *("docs/drawn-scenarios.md", "docs/hexdungeon.md", "docs/language-models.md"),
    *("docs/league.md", "docs/learning.md"),
    *("docs/policies.md", "docs/review.md", "docs/self-play.md", "docs/simulation.md"),
    *("docs/start.md", "docs/coverage.md", "docs/study-hexdungeon.md", "docs/study-ketch.md"),
)
# Pages of which every line fits LEFT_OUT
OTHERS = ("README.md", "docs/agemonia-cases.md", "docs/browser.md", "docs/frameworks.md")
ELSEWHERE = {
    "docs/tutorial-pack.md": "test_tutorials.py runs them",
    "docs/tutorial-hexdungeon.md": "test_tutorials.py runs them",
    "docs/identity.md": "they rewrite published files; agents/test_results.py runs restamp",
    "docs/packs.md": "generated; the tutorial runs them",
    "docs/results.md": "generated; they train for hours; agents/test_results.py runs its verbs",
}
SNIPPETS = (
    *("docs/balance-lab.md", "docs/drawn-scenarios.md", "docs/forecast.md", "docs/hexdungeon.md"),
    *("docs/language-models.md", "docs/league.md", "docs/policies.md", "docs/python.md"),
    *("docs/review.md", "docs/self-play.md", "docs/simulation.md", "docs/start.md"),
    "docs/vector-env.md",
)
OTHER_SNIPPETS = {
    "README.md": "test_readme.py runs it",
    "docs/challenge.md": "its commands run it",
    "docs/frameworks.md": "test_frameworks.py runs them",
    "docs/hexdungeon-packs.md": "it names a pack of the reader's own",
}
LEARNER = "--n-envs 8 --n-steps 8 --batch-size 32 --n-epochs 1 --net-arch [8]"
TINY = f"{LEARNER} --total-steps 64 --checkpoint-steps 64"
# What makes a command short, by how it begins; later options take the place of earlier ones
BUDGETS = {
    "agemonia simulate": "-n 24 --threads 1 --force",
    "agemonia league --policy my_policy.py": "--scenario ford -n 4 --orders 2",
    "agemonia league": "--scenario ford -n 4 -n planner:100=1 --orders 2",
    "agemonia challenge --verify": "",
    "agemonia challenge": "--set trial --env Agemonia-v0",
    "agemonia coverage": "-n 4 --sample 1",
    "agemonia evaluate": "--games 4 --out runs/judged",
    "agemonia balance show": "",
    "agemonia balance": "--games 100 --threads 1",
    "python docs/studies/picture.py": "",
    "agemonia train --algorithm": TINY,
    "agemonia train": TINY,
    "agemonia play": "",
    "agemonia forecast": "-n 4",
    "agemonia review --fork": "",
    "agemonia review": "--simulations 2 --rollouts 2",
    "agemonia watch": "--seed 1",
    "agemonia cases": "",
    "agemonia content": "",
    "agemonia hexdungeon": "",
    "agemonia odds": "",
    "agemonia info": "",
    "python -m agents.train": TINY,
    "python -m agents.self_play --resume": "--total-steps 128",
    "python -m agents.self_play --from": f"{TINY} --out runs/again",
    "python -m agents.self_play": f"{TINY} --imitation-steps 64",
    "python -m agemonia_env.rulesets.hexdungeon.tools.solve": "--out solved.json",
}
LEFT_OUT = {
    "make": "sets up a virtual environment",
    "agemonia web": "it serves until it is stopped; tests/web/test_serving.py starts it",
    "python -m pip": "installs",
    "source": "a virtual environment",
    "python3 -m venv": "installs",
    "rllib-venv": "another virtual environment; test_frameworks.py runs it where there is one",
    "AGEMONIA_RLLIB_PYTHON": "another virtual environment",
    "python -m agents.train_shared": "test_train_shared.py runs it",
    "pip install": "installs",
    "python -m tests.agemonia": "tests of their own run these on a small budget",
}
# A word that stands for something of the reader's own, by the command in which it stands
STANDS_FOR = {
    "turns.json": "tests/cases/hexdungeon/monster-turns.json",
    "tests/cases/edges/*.yaml": "tests/cases/edges/checks.yaml",
    "tests/cases/hexdungeon/*.yaml": "tests/cases/hexdungeon/attack.yaml",
    "planner:100=40": "planner:100=1",
    "python challenge_entry.py": f'"{sys.executable}" -S examples/challenge_entry.py',
}
FEW = {"trials": 2, "confirm": 100, "watched": 100}  # in place of a study's own numbers
STUDIES = {
    "compare": "b: enemies.reedling.health.per_hero +1\n",
    "sensitivity": "of: enemies.reedling\n",
    "search": "values: {enemies.reedling.health.per_hero: [1, 3]}\n"
    "targets: [{won: 60}]\nconfirm: 100\n",
    "rank": "variants: [enemies.reedling.health.per_hero +1, decks.fate - 3]\n",
    "analyse": "scenario: ford\n",
}


def page_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def blocks_of(page):
    """The blocks of a page with their languages: ("sh", text)."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", page, flags=re.DOTALL | re.MULTILINE)


def lines_of(block):
    """Each command of a block."""
    return list(filter(None, map(str.strip, block.splitlines())))


def begins(line, table):
    """The row of a table with the longest beginning of the line; None = there is none."""
    fitting = [start for start in table if f"{line} ".startswith(start)]
    return max(fitting, key=len, default=None)


def run(line):
    """Run a command of a page on its budget. Raises AssertionError with its output."""
    words = [STANDS_FOR.get(word, word) for word in shlex.split(line, comments=True)]
    if "FILE" in words:
        study = words[words.index("FILE") - 1]
        Path("study.yaml").write_text(STUDIES[study])
        words[words.index("FILE")] = "study.yaml"
    words += shlex.split(BUDGETS[begins(line, BUDGETS)])
    if words[1].endswith(".py"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", words[1:])
            runpy.run_path(words[1], run_name="__main__")
        return
    if words[0] == "agemonia":
        result = CliRunner().invoke(main.app, words[1:])
        status, printed = result.exit_code, f"{result.output}\n{result.exception!r}"
    else:
        assert words[:2] == ["python", "-m"], line
        status, printed = importlib.import_module(words[2]).main(words[3:]), ""
    assert status == 0, f"{line}: status {status}\n{printed}"


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A folder with the files that commands name, as in a checkout; output stays in it."""
    for name in ("agents", "examples", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "docs" / "studies", tmp_path / "docs" / "studies")
    for path in (tmp_path / "docs" / "studies").glob("*.yaml"):
        path.write_text(yaml.dump(shortened(yaml.safe_load(path.read_text()))))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("agents.self_play.GAMES", 6)
    return tmp_path


def shortened(study):
    """A study of one scenario, with few trials."""
    scenario = study.get("scenario", [None])[0]
    targets = [one for one in study.get("targets", ()) if one.get("scenario") == scenario]
    short = {"scenario": [scenario], "targets": targets} | FEW
    return study | {key: value for key, value in short.items() if key in study}


def write_files(page):
    """The files that a page names in the first line of a block."""
    named = r"^```(?:yaml|python)\n# (\S+\.(?:yaml|py))\n(.*?)^```$"
    for name, text in re.findall(named, page, re.S | re.M):
        Path(name).write_text(text)


@pytest.mark.parametrize("name", sorted({*PAGES, *SNIPPETS}))
def test_every_block_of_a_page_runs(name, checkout):
    """From top to bottom, as a reader would: commands use the files that snippets write."""
    page = page_of(name)
    write_files(page)
    Path("FOLDER").mkdir()
    shared, seen = {}, set()
    for number, (language, block) in enumerate(blocks_of(page), 1):
        if language == "python" and name in SNIPPETS:
            exec(compile(block, f"{name}, block {number}", "exec"), shared)
            seen.add(language)
        elif language == "sh" and name in PAGES:
            seen |= {language for line in lines_of(block) if runs(name, line)}
    wanted = {"sh": name in PAGES, "python": name in SNIPPETS}
    assert seen == {language for language, is_run in wanted.items() if is_run}


def runs(name, line):
    """Run a line of a page; whether it is run at all."""
    if begins(line, LEFT_OUT):
        return False
    assert begins(line, BUDGETS), f"{name}: how does this run quickly? {line}"
    if " --from FOLDER" in line:
        shutil.copytree("runs/self_play", "FOLDER", dirs_exist_ok=True)
    elif "--out FOLDER" in line:
        shutil.rmtree("FOLDER")
    run(line)
    return True


@pytest.mark.parametrize("name", OTHERS)
def test_a_page_shows_no_command_that_nothing_runs(name):
    blocks = [block for language, block in blocks_of(page_of(name)) if language == "sh"]
    lines = [line for block in blocks for line in lines_of(block)]
    rest = [line for line in lines if not begins(line, LEFT_OUT)]
    assert rest == []


@pytest.mark.parametrize(
    ("language", "known"),
    [("sh", {*PAGES, *OTHERS, *ELSEWHERE}), ("python", {*SNIPPETS, *OTHER_SNIPPETS})],
)
def test_no_page_is_forgotten(language, known):
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    block = f"```{language}\n"
    found = [path for path in pages if block in path.read_text(encoding="utf-8")]
    assert {path.relative_to(ROOT).as_posix() for path in found} == known


@pytest.mark.parametrize("name", sorted({*SNIPPETS, *OTHER_SNIPPETS}))
def test_a_snippet_that_trains_gives_torch_one_thread(name):
    """By default torch takes every core; where they are shared that is many times slower."""
    for block in re.findall(r"^```python\n(.*?)^```$", page_of(name), flags=re.S | re.M):
        assert ".learn(" not in block or "torch.set_num_threads(1)" in block
