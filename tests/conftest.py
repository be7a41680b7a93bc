"""Fixtures for all tests: batches of Agemonia games, and scripts of the repository."""

import functools
import importlib.util
import sys
from pathlib import Path

import pytest

from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from tests.games import Games

ROOT = Path(__file__).resolve().parents[1]


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
