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

# Files that take a minute or more. They come first: one of them begun last would keep one worker
# busy while the others have nothing left to do (make test: --no-loadscope-reorder)
SLOW = (
    "test_doc_commands.py",
    "test_two_runs.py",
    "identity/test_edits.py",
    "core/test_jit.py",
    "test_tutorials.py",
    "web/test_play_page.py",
    "web/test_edit_page.py",
    "agents/test_results.py",
    "agents/test_evaluate.py",
    "balance/test_compare.py",
    "test_warmup.py",
    "test_terminal.py",
    "test_site.py",
)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Whatever a shell starts in the background ignores Ctrl-C, and so would all that tests start
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    """Slow files first."""
    order = {ROOT / "tests" / name: k for k, name in enumerate(SLOW)}
    items.sort(key=lambda item: order.get(item.path, len(SLOW)))


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
