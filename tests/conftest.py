"""Fixtures for all tests: batches of Agemonia games, and scripts of the repository."""

import functools
import importlib.util
import signal
import sys
from pathlib import Path

import pytest

from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from tests.games import Games

ROOT = Path(__file__).resolve().parents[1]

# `make check` alone runs these files and folders, slow ones first: one of them begun last would
# keep one worker busy while the others idle (--no-loadscope-reorder). What is left to
# `make test` takes a third of the time, and finds nearly all that a change of the code breaks
CHECK = (
    *("test_doc_commands.py", "test_two_runs.py", "identity/test_edits.py", "core/test_jit.py"),
    *("test_tutorials.py", "web", "agents", "test_warmup.py", "test_terminal.py", "test_site.py"),
    *("review/test_recording.py", "review/test_replay.py", "review/test_browser.py"),
    *("review/test_analysis.py", "review/test_cli.py", "hexdungeon/test_action_features.py"),
    *("hexdungeon/test_piles.py", "hexdungeon/test_early_removal.py"),
    *("envs/test_render.py", "envs/test_hexdungeon_pictures.py"),
    *("envs/test_scenes.py", "envs/test_board_marks.py"),
    *("envs/test_sb3_wrappers.py", "envs/test_card_text.py", "identity/test_stored.py"),
    *("policies/test_weights.py", "test_pack_extremes.py"),
    *("test_coverage.py", "simulation/test_checkpoints.py", "simulation/test_cluster.py"),
    *("balance/test_study.py", "balance/test_sensitivity.py"),
    *("balance/test_search.py", "test_frameworks.py"),
    *("cases/test_traces.py", "league/test_rating.py", "challenge/test_leaderboard.py"),
    *("test_stopping.py", "test_pages.py", "benchmarks", "hostile", "gpu"),
)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Whatever a shell starts in the background ignores Ctrl-C, and so would all that tests start
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    """Mark what only `make check` runs, and put it first."""
    order = {ROOT / "tests" / name: k for k, name in enumerate(CHECK)}

    def place(item):
        return min(order.get(path, len(CHECK)) for path in (item.path, *item.path.parents))

    for item in items:
        if place(item) < len(CHECK):
            item.add_marker(pytest.mark.check)
    items.sort(key=place)


@pytest.fixture(scope="session")
def table():
    """Games of Agemonia: a function of scenario, heroes, seeds and auto_ties."""
    return functools.partial(Games, AGEMONIA)


@pytest.fixture(scope="session")
def load_script():
    """A function that imports a script of the repository by its path."""

    @functools.cache
    def load(path):
        name = "script_" + path.replace("/", "_").removesuffix(".py").replace("-", "_")
        spec = importlib.util.spec_from_file_location(name, ROOT / path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    return load
