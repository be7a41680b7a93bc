"""Imports point one way, and importing the package loads nothing heavy."""

import ast
import graphlib
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

NAMES = ("agemonia", "hexdungeon")
# The floor plan, from bottom to top. A module may import from its own room and from floors below;
# a ruleset's folders are floors of their own. The longest prefix of a module's name is its room
FLOORS = (
    ("core", "display"),
    ("files", "rulesets.doors", "rulesets.policy"),
    tuple(f"rulesets.{name}" for name in NAMES),
    ("packs",),
    ("rulesets",),
    *(
        tuple(f"rulesets.{name}.{part}" for name in NAMES for part in line)
        for line in (("core",), ("content",), ("arguments", "view"), ("states",), ("coverage",))
    ),
    ("rulesets.hexdungeon.tools.odds", "rulesets.agemonia.tools"),
    tuple(f"rulesets.{name}.cases" for name in NAMES),
    ("rulesets.hexdungeon.tools",),
    tuple(f"rulesets.{name}.ruleset" for name in NAMES),
    ("gpu", "policies"),
    ("envs",),
    tuple(f"rulesets.{name}.envs" for name in NAMES),
    ("simulation",),
    ("forecasting", "warmup"),
    ("",),
    ("balance", "challenge", "coverage", "league", "review"),
    ("cli", "language"),
    ("__main__",),
)
RANK = {f"agemonia_env.{room}".rstrip("."): n for n, floor in enumerate(FLOORS) for room in floor}
RANK |= {"agents": len(FLOORS), "benchmarks": len(FLOORS) + 1}
# Where rulesets are, found without importing one
DOORS_OF_RULESETS = {
    *("agemonia_env.rulesets.doors", "agemonia_env.rulesets.policy"),
    *(f"agemonia_env.rulesets.{name}" for name in NAMES),
}
MOST_FLOORS = 10
TRAINERS = {"torch", "stable_baselines3", "sb3_contrib", "matplotlib", "scipy", "pandas"}
# The one door to Stable-Baselines3, which nothing else in the package imports
SB3_DOOR = "agemonia_env.envs.sb3"
# The modules that need a framework of games, by the extra's package
FRAMEWORK_DOORS = {
    "pettingzoo": {"agemonia_env.envs.pettingzoo"},
    "pyspiel": {"agemonia_env.envs.openspiel"},
}
# What draws and reckons with packages that other extras bring, too
DOORS = {
    SB3_DOOR: {"stable_baselines3"},
    "agemonia_env.display.plotting": {"matplotlib"},
    "agemonia_env.balance.plots": {"matplotlib"},
    "agemonia_env.balance.one_at_a_time": {"scipy"},
    "agemonia_env.gpu.driver": {"torch"},
    "agemonia_env.gpu.games": {"torch"},
}


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    module_name(path): path
    for folder in ("agemonia_env", "agents", "benchmarks")
    for path in sorted((ROOT / folder).rglob("*.py"))
}


def room(name):
    """The room of a module of the project; None for any other."""
    parts = name.split(".")
    prefixes = (".".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next((prefix for prefix in prefixes if prefix in RANK), None)


def imported(module, path):
    """Full names of everything `module` imports, at its top or inside a function."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = ".".join(parts[: len(parts) - node.level + 1]) if node.level else ""
            base = ".".join(part for part in (base, node.module) if part)
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield full if full in MODULES else base


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_one_way(module):
    own = room(module)
    assert own is not None, f"{module} has no place in the plan"
    for target in imported(module, MODULES[module]):
        other = room(target)
        if other not in (None, own):
            assert RANK[other] < RANK[own], f"{module} imports {target}, which is not below it"


def test_the_longest_chain_of_rooms_is_short():
    def of(module):  # a ruleset is one room, but for its envs
        parts = module.split(".")
        if len(parts) > 3 and parts[2] in NAMES:
            return "envs" if parts[3] == "envs" else parts[2]
        return "doors" if room(module) in DOORS_OF_RULESETS else parts[1]

    below = defaultdict(set)
    for module, path in MODULES.items():
        if room(module) not in ("agemonia_env", "agents", "benchmarks"):
            targets = {name for name in imported(module, path) if room(name)} - {"agemonia_env"}
            below[of(module)] |= {of(name) for name in targets} - {of(module)}
    chains = {}
    for name in graphlib.TopologicalSorter(below).static_order():
        chains[name] = max((chains[one] for one in below[name]), default=0) + 1
    assert max(chains.values()) <= MOST_FLOORS, chains


def test_no_module_imports_itself_by_way_of_others():
    graph = {
        module: {name for name in imported(module, path) if name in MODULES} - {module}
        for module, path in MODULES.items()
    }
    graphlib.TopologicalSorter(graph).prepare()  # CycleError names the circle


@pytest.mark.parametrize("name", NAMES)
def test_a_ruleset_knows_no_other(name):
    others = tuple(f"agemonia_env.rulesets.{other}" for other in NAMES if other != name)
    for module in MODULES:
        if module.startswith(f"agemonia_env.rulesets.{name}."):
            targets = imported(module, MODULES[module])
            assert not [target for target in targets if target.startswith(others)], module


def test_rulesets_have_the_same_doors():
    doors = [
        {
            path.name.removesuffix(".py")
            for path in (ROOT / "agemonia_env/rulesets" / name).iterdir()
        }
        for name in NAMES
    ]
    assert doors[0] == doors[1]


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("agemonia_env")])
def test_the_package_imports_no_trainers(module):
    targets = {target.split(".")[0] for target in imported(module, MODULES[module])}
    assert not (targets & TRAINERS) - DOORS.get(module, set())


@pytest.mark.parametrize("package", FRAMEWORK_DOORS)
def test_only_listed_modules_need_a_framework(package):
    needs = {
        module
        for module, path in MODULES.items()
        if module.startswith("agemonia_env")
        and any(target.split(".")[0] == package for target in imported(module, path))
    }
    assert needs == FRAMEWORK_DOORS[package]


def test_no_module_has_a_catch_all_name():
    vague = {"utils", "helpers", "common", "misc", "manager"}
    assert not [path for path in MODULES.values() if path.stem in vague]


def loaded_by(statement):
    code = f"{statement}; import sys; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {name.split(".")[0] for name in done.stdout.split()}


def test_importing_the_package_is_light():
    heavy = TRAINERS | {"numba", "PIL", "polars", "pydantic", "ray", "rich", "typer", "yaml"}
    assert not loaded_by("import agemonia_env") & (heavy | set(FRAMEWORK_DOORS))


def test_importing_the_command_line_compiles_and_trains_nothing():
    heavy = TRAINERS | {"numba", "PIL", "polars", "pydantic", "ray"}
    assert not loaded_by("import agemonia_env.cli.main") & heavy
