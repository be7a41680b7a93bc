"""The hash of the sources covers everything that shapes a result."""

import subprocess
import sys
from pathlib import Path

import pytest

from agemonia_env.rulesets import identity
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of

ROOT = Path(__file__).resolve().parents[2]
PLAY = """
import sys
import agemonia_env
agemonia_env.simulate(games=4, env=sys.argv[1], policy=sys.argv[2])
print(*(module for module in sys.modules if module.startswith("agemonia_env")))
"""
MODELS = {"Agemonia-v0": "agents/weights/ppo-ford.npz", "HexDungeon-v0": "planner:2"}
# Modules that a simulation loads though no number depends on them: display, checks, storage
SHOWS = (
    *("agemonia_env.display.", "agemonia_env.files.", "agemonia_env.cli."),
    *(
        f"agemonia_env.rulesets.{name}"
        for name in ("doors", "event_log", "fits", "masks", "state_layout")
    ),
    *(f"agemonia_env.envs.{name}" for name in ("guard", "positions")),
    *(
        f"agemonia_env.simulation.{name}"
        for name in ("checkpoints", "choices", "extras", "interval", "jobs", "progress", "run")
    ),
    *(f"agemonia_env.simulation.{name}" for name in ("result_file", "workers")),
)
DOORS = {  # packages that say where things are
    *("agemonia_env", "agemonia_env.envs", "agemonia_env.simulation", "agemonia_env.rulesets"),
    "agemonia_env.forecasting",
    *(f"agemonia_env.rulesets.{name}" for name in ("agemonia", "hexdungeon", "policy")),
}


def files(env):
    """All files that the hash covers."""
    found = []
    real, identity.hash_of_files = identity.hash_of_files, lambda paths: found.extend(paths) or ""
    try:
        identity.sources_of.__wrapped__(env)
    finally:
        identity.hash_of_files = real
    return set(found)


@pytest.mark.parametrize("env", RULESETS)
def test_every_module_a_simulation_loads_is_covered_or_listed(env):
    done = subprocess.run(
        [sys.executable, "-c", PLAY, env, MODELS[env]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    covered, own = files(env), f"agemonia_env.rulesets.{ruleset_of(env).name}."
    missing = []
    for module in done.stdout.split():
        place = ROOT / module.replace(".", "/")
        path = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        empty = path.name == "__init__.py" and "import" not in path.read_text(encoding="utf-8")
        shows = module.startswith(SHOWS) or module.removeprefix(own).startswith("view.")
        if path not in covered and module not in DOORS and not shows and not empty:
            missing.append(module)
    assert not missing


@pytest.mark.parametrize("env", RULESETS)
def test_every_file_named_is_there_and_counted_once(env):
    covered = files(env)
    assert all(path.is_file() for path in covered)
    assert {path.name for path in covered} >= {"actions.py", "network.py", "play.py", "jit.py"}


def test_rulesets_have_sources_of_their_own():
    one, other = (files(env) for env in RULESETS)
    assert any("hexdungeon" in path.parts for path in other)
    assert not any("hexdungeon" in path.parts for path in one)
    assert any(path.match("rulesets/agemonia/core/generator/plan.py") for path in one)
    assert identity.sources_of("Agemonia-v0") != identity.sources_of("HexDungeon-v0")


def test_they_change_with_any_byte_and_with_names(tmp_path, monkeypatch):
    monkeypatch.setattr(identity, "PACKAGE", tmp_path)
    path, seen = tmp_path / "one.py", set()
    for name, text in (("one.py", "1"), ("one.py", "1  # one"), ("two.py", "1")):
        path = path.rename(tmp_path / name) if path.exists() else tmp_path / name
        path.write_text(text)
        seen.add(identity.hash_of_files([path]))
    assert len(seen) == 3
