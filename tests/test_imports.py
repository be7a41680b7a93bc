"""Imports point one way, and importing the package loads nothing heavy."""

import ast
import graphlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# What a ruleset is made of, from bottom to top; the core of its own in the order of its files
CORE = (
    ("terms", "hexset"),
    ("layout",),
    ("actions", "obs_spec", "action_spec"),
    ("chance", "sides"),
    ("rules", "effects"),
    ("flow", "heuristics.attack_value", "heuristics.threats"),
    ("masks", "observe", "invariants", "heuristics.hero_value", "heuristics.enemy_value"),
    ("heuristics.attack_odds", "heuristics.exposure"),
    ("commands", "heuristics.objective_routes"),
    ("policies", "heuristics.potential"),
    ("action_features", "hidden"),
    ("api",),
)
PARTS = (
    *(tuple(f"core.{name}" for name in line) for line in CORE),
    ("content",),
    ("arguments", "view"),
    ("states",),
    ("coverage",),
    ("cases", "tools"),
    ("ruleset",),
)
NAMES = ("agemonia", "hexdungeon")
# A module may import those of its own line and of the lines above it. The longest prefix counts.
ORDER = (
    ("display", "core"),
    ("files",),
    ("rulesets.doors", "rulesets.policy", *(f"rulesets.{name}" for name in NAMES)),
    ("packs",),
    ("rulesets",),
    *(tuple(f"rulesets.{name}.{part}" for name in NAMES for part in line) for line in PARTS),
    ("rulesets.behaviour",),
    ("rulesets.identity",),
    ("rulesets.recorded_game",),
    ("gpu",),
    ("policies",),
    ("envs",),
    tuple(f"rulesets.{name}.envs" for name in NAMES),
    ("simulation",),
    ("warmup",),
    ("forecasting",),
    ("warmup",),
    ("",),
    ("review",),
    ("balance", "challenge", "coverage", "league"),
    ("language",),
    ("cli", "__main__"),
)
RANK = {
    f"agemonia_env.{prefix}".rstrip("."): rank for rank, line in enumerate(ORDER) for prefix in line
}
RANK |= {"agents": len(ORDER), "benchmarks": len(ORDER)}
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


def rank(name):
    """Rank of a module of the project; None for any other."""
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        if ".".join(parts[:n]) in RANK:
            return RANK[".".join(parts[:n])]
    return None


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
    assert rank(module) is not None, f"{module} has no place in the order"
    for target in imported(module, MODULES[module]):
        if rank(target) is not None:
            assert rank(target) <= rank(module), f"{module} imports {target}, which stands above it"


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


def test_the_layers_distinguish_modules():
    core = "agemonia_env.rulesets.agemonia.core"
    assert rank(f"{core}.rules.stamina") < rank(f"{core}.flow") < rank(f"{core}.api")
    assert rank(f"{core}.api") < rank("agemonia_env.rulesets.agemonia.envs.single")
    assert rank("numpy") is None


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
