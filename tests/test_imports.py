"""Imports point one way, and importing the package loads nothing heavy."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# A module may import those of its own line and of the lines above it. The longest prefix counts.
ORDER = (
    (
        "agemonia_env.files.documents",
        "agemonia_env.core",
        "agemonia_env.display.messages",
        "agemonia_env.packs.folders",
        "agemonia_env.files.stopping",
        "agemonia_env.display.suggestions",
        "agemonia_env.cli.choices",
        "agemonia_env.files.writing",
        "agemonia_env.display.plotting",
    ),
    ("agemonia_env.files.locking",),
    ("agemonia_env.packs.patches",),
    ("agemonia_env.rulesets.agemonia.core.terms",),
    ("agemonia_env.rulesets.agemonia.core.layout",),
    ("agemonia_env.rulesets.agemonia.core.actions", "agemonia_env.rulesets.agemonia.core.obs_spec"),
    ("agemonia_env.rulesets.agemonia.core.chance", "agemonia_env.rulesets.agemonia.core.sides"),
    ("agemonia_env.rulesets.agemonia.core.rules",),
    ("agemonia_env.rulesets.agemonia.core.effects", "agemonia_env.rulesets.agemonia.core.flow"),
    (
        "agemonia_env.rulesets.agemonia.core.masks",
        "agemonia_env.rulesets.agemonia.core.observe",
        "agemonia_env.rulesets.agemonia.core.invariants",
        "agemonia_env.rulesets.agemonia.core.heuristics.hero_value",
        "agemonia_env.rulesets.agemonia.core.heuristics.enemy_value",
        "agemonia_env.rulesets.agemonia.core.commands",
    ),
    ("agemonia_env.rulesets.agemonia.core.heuristics.objective_routes",),
    ("agemonia_env.rulesets.agemonia.core.policies",),
    ("agemonia_env.rulesets.agemonia.core.control",),
    (
        "agemonia_env.rulesets.agemonia.core.env_slots",
        "agemonia_env.rulesets.agemonia.core.planner",
    ),
    ("agemonia_env.rulesets.agemonia",),
    ("agemonia_env.rulesets.hexdungeon.core.terms", "agemonia_env.rulesets.hexdungeon.core.hexset"),
    ("agemonia_env.rulesets.hexdungeon.core.layout",),
    (
        "agemonia_env.rulesets.hexdungeon.core.actions",
        "agemonia_env.rulesets.hexdungeon.core.obs_spec",
    ),
    ("agemonia_env.rulesets.hexdungeon.core.rules",),
    ("agemonia_env.rulesets.hexdungeon.core.flow",),
    (
        "agemonia_env.rulesets.hexdungeon.core.masks",
        "agemonia_env.rulesets.hexdungeon.core.observe",
        "agemonia_env.rulesets.hexdungeon.core.invariants",
        "agemonia_env.rulesets.hexdungeon.core.commands",
        "agemonia_env.rulesets.hexdungeon.core.heuristics.hero_value",
    ),
    ("agemonia_env.rulesets.hexdungeon.core.policies",),
    ("agemonia_env.rulesets.hexdungeon.core.control",),
    (
        "agemonia_env.rulesets.hexdungeon.core.env_slots",
        "agemonia_env.rulesets.hexdungeon.core.planner",
    ),
    ("agemonia_env.rulesets.hexdungeon",),
    ("agemonia_env.rulesets.agemonia.content",),
    (
        "agemonia_env.envs",
        "agemonia_env.rulesets.agemonia.cases",
        "agemonia_env.behaviour",
        "agemonia_env.identity",
        "agemonia_env.policies",
    ),
    ("agemonia_env.simulation",),
    ("agemonia_env.cli.output",),
    ("agemonia_env", "agemonia_env.balance", "agemonia_env.league"),
    ("agents", "benchmarks"),
)
READING = ("documents", "messages", "patching", "reading")
RANK = {prefix: rank for rank, line in enumerate(ORDER) for prefix in line}
TRAINERS = {"torch", "stable_baselines3", "sb3_contrib", "matplotlib", "scipy", "pandas"}
# The one door to Stable-Baselines3, which nothing else in the package imports
SB3_DOOR = "agemonia_env.envs.sb3"
PETTINGZOO_DOORS = {
    "agemonia_env.envs.pettingzoo",
    "agemonia_env.rulesets.agemonia.envs.pettingzoo",
}
# What draws and reckons with packages that other extras bring, too
DOORS = {
    SB3_DOOR: {"stable_baselines3"},
    "agemonia_env.display.plotting": {"matplotlib"},
    "agemonia_env.balance.plots": {"matplotlib"},
    "agemonia_env.balance.one_at_a_time": {"scipy"},
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


@pytest.mark.parametrize(
    "ruleset", ["agemonia_env.rulesets.agemonia", "agemonia_env.rulesets.hexdungeon"]
)
def test_a_ruleset_stands_on_the_kernel_and_the_reading_of_files_alone(ruleset):
    allowed = (ruleset, *(f"agemonia_env.{name}" for name in ("kernel", *READING, "writing")))
    for module in MODULES:
        if module.startswith(ruleset):
            targets = [name for name in imported(module, MODULES[module]) if name in MODULES]
            assert not [name for name in targets if not name.startswith(allowed)], module


def test_the_order_tells_modules_apart():
    assert rank("agemonia_env.rulesets.agemonia.core.rules.stamina") < rank(
        "agemonia_env.rulesets.agemonia.core.flow"
    )
    assert rank("agemonia_env.rulesets.agemonia.core.api") < rank(
        "agemonia_env.rulesets.agemonia.envs.single"
    )
    assert rank("numpy") is None


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("agemonia_env")])
def test_the_package_imports_no_trainers(module):
    targets = {target.split(".")[0] for target in imported(module, MODULES[module])}
    assert not (targets & TRAINERS) - DOORS.get(module, set())


def test_few_modules_need_pettingzoo():
    needs = {
        module
        for module, path in MODULES.items()
        if module.startswith("agemonia_env")
        and any(target.split(".")[0] == "pettingzoo" for target in imported(module, path))
    }
    assert needs == PETTINGZOO_DOORS


def test_no_drawers_without_a_name_on_them():
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
    assert not loaded_by("import agemonia_env") & (heavy | {"pettingzoo"})


def test_importing_the_command_line_compiles_and_trains_nothing():
    heavy = TRAINERS | {"numba", "PIL", "polars", "pydantic", "ray"}
    assert not loaded_by("import agemonia_env.cli.main") & heavy
