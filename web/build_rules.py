"""Compile the entries of the core to WebAssembly, from api.py alone.

    python web/build_rules.py --out build/rules       agemonia.wasm, agemonia.json, hexdungeon. ...

The same kernels that numba compiles for this machine are compiled for wasm32: the code generator is
given another target, and wasm-ld links the object file with runtime.c. Symbols that nothing defines
fail the build, and the module imports nothing. The JSON file holds the layouts of state and content
and the signatures of the entries, from which rules.mjs calls them with numba's own calling
convention.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from numba import config, types

from agemonia_env.core import mcts
from agemonia_env.core.cross_compiling import (
    Signatures,
    linked,
    optimise,
    targeting,
    with_plain_names,
)
from agemonia_env.core.grid_lines import walk_all
from agemonia_env.core.intrinsics import YIELD
from agemonia_env.core.jit import COMPILED, TYPED
from agemonia_env.files.writing import write_json, write_whole
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of

HERE = Path(__file__).resolve().parent
TRIPLE = "wasm32-unknown-unknown"
FEATURES = ("bulk-memory", "sign-ext", "nontrapping-fptoint", "mutable-globals")
STACK = 1 << 19  # bytes; the planner's recursion and scratch
# Constants of core/mcts.py
SEARCH = ("TURN", "LIMIT", "NOT_READY", "LANDED", "MOST_LAG", "PER_LAG")
# What pages and workers call
CALLED = (
    *("reset", "step", "advance", "write_masks", "write_denials", "write_observations"),
    *("write_action_features", "choose_actions", "draw_random", "write_sides", "plan", "rollout"),
    *("set_chance", "status", "ranges", "settle", "settle_templates", "draw_scenarios"),
)
CELLS, PAIRS = types.int64[:, ::1], types.boolean[:, ::1]
LINES = CELLS, PAIRS, CELLS, types.int64, types.int64
BESIDE = {"agemonia": {"walk_all": (walk_all, LINES)}}  # not of the api, by ruleset, with types
GIVE_WAY = "give_way"  # of runtime.c, where the core calls the C library


class BuildError(RuntimeError):
    """The module would not run in a browser; the message names what is missing."""


# ---- what to compile ----------------------------------------------------------------------------
def signatures(env_id: str) -> Signatures:
    """The argument types of each entry that pages call."""
    rules = ruleset_of(env_id)
    typed = TYPED[rules.api.__name__]
    found = {name: typed[name][1] for name in CALLED if name in typed}
    return found | {name: kinds for name, (_, kinds) in BESIDE.get(rules.name, {}).items()}


def entries(rules: Ruleset) -> dict[str, FunctionType]:
    """The functions of a ruleset that pages call, as Python has them, by name."""
    typed = TYPED[rules.api.__name__]
    found = {name: typed[name][0] for name in CALLED if name in typed}
    found |= {name: function for name, (function, _) in BESIDE.get(rules.name, {}).items()}
    return {name: function.py_func for name, function in found.items()}


def object_code(env_id: str, called: Signatures) -> bytes:
    """The object file of a ruleset's entries. Raises BuildError for what runtime.c lacks."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    features = ",".join(f"+{feature}" for feature in FEATURES)
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(opt=3, features=features)
    with targeting(machine) as generator:
        module, symbols = linked(entries(ruleset_of(env_id)), called, generator)
        module = with_plain_names(module, symbols | {GIVE_WAY: YIELD})
        optimise(module, called, machine)
        return bytes(machine.emit_object(module))


# ---- object file -> module ----------------------------------------------------------------------
def link(code: bytes, names: Iterable[str], out: Path) -> None:
    """Link with runtime.c into the module `out`. Raises BuildError if a symbol is undefined."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rules, module = folder / "rules.o", folder / "rules.wasm"
        rules.write_bytes(code)
        target = ["-target", "wasm32-wasi", "-O2", "-mbulk-memory"]
        alone = ["-mexec-model=reactor", "-Wl,--gc-sections", "-Wl,--strip-all"]
        stack = [f"-Wl,-z,stack-size={STACK}"]
        exports = [f"-Wl,--export={entry}" for entry in names]
        zig("cc", *target, *alone, *stack, *exports, HERE / "runtime.c", rules, "-o", module)
        built = module.read_bytes()
        if IMPORTS in sections(built):
            raise BuildError(f"{out.name}: imports functions, which no page could supply")
        write_whole(out, built)


IMPORTS = 2  # number of a module's section


def sections(module: bytes) -> list[int]:
    """The numbers of the sections of a WebAssembly module (WebAssembly specification 2.0, 5.5)."""
    at, found = 8, []
    while at < len(module):
        found.append(module[at])
        size = shift = 0
        at += 1
        while True:
            byte, at = module[at], at + 1
            size |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        at += size
    return found


def zig(*words: str | Path) -> None:
    """Run a tool of the ziglang package, which has a C compiler and wasm-ld for every platform.

    Raises BuildError with the end of what it said if it fails.
    """
    command = [sys.executable, "-m", "ziglang", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"{words[-1]}: {done.stderr.strip()[-2000:]}")


# ---- what the page has to know ------------------------------------------------------------------
def layout(dtype: np.dtype[Any]) -> Any:
    """A dtype as JSON: "i2" for numbers, {of, shape} for arrays, {size, fields} for records."""
    if dtype.subdtype is not None:
        item, shape = dtype.subdtype
        return {"of": layout(item), "shape": list(shape)}
    if dtype.fields is None:
        return dtype.str.lstrip("<|=")
    fields = {
        name: [dtype.fields[name][1], layout(dtype.fields[name][0])] for name in dtype.names or ()
    }
    return {"size": dtype.itemsize, "fields": fields}


def argument(kind: types.Type) -> Any:
    """An argument's type as JSON: "i", "f", {array: dimensions}, or a list of such for a tuple."""
    if isinstance(kind, types.Array):
        return {"array": kind.ndim}
    if isinstance(kind, types.BaseTuple):
        return [argument(part) for part in kind.types]
    if isinstance(kind, types.Float):
        return "f"
    return "i"


def description(rules: Ruleset, called: Signatures) -> dict[str, Any]:
    """Everything that calling the module takes."""
    dtypes = {"STATE": rules.STATE, "CONTENT": rules.CONTENT}
    dtypes |= {name: getattr(mcts, name) for name in ("NODE", "EDGE", "FLIGHT")}
    sizes = ("N_ACTIONS", "N_OBSERVATION", "N_ACTION_FEATURES")
    return {
        "env": rules.env_id,
        "entries": {name: [argument(kind) for kind in kinds] for name, kinds in called.items()},
        "layouts": {name: layout(dtype) for name, dtype in dtypes.items()},
        "sizes": {name: getattr(rules, name) for name in sizes},
        "policies": {name: int(number) for name, number in rules.POLICIES.items()},
        "search": {name: getattr(mcts, name) for name in SEARCH},
    }


def build(env_id: str, out: Path) -> Path:
    """Write NAME.wasm and NAME.json of a ruleset -> the module."""
    rules, called = ruleset_of(env_id), signatures(env_id)
    path = out / f"{rules.name}.wasm"
    link(object_code(env_id, called), called, path)
    write_json(path.with_suffix(".json"), description(rules, called), indent=1)
    return path


def main() -> int:
    """Build all rulesets, each in a process of its own; 1 = failed, with the reason."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("build/rules"))
    parser.add_argument("--env", choices=list(RULESETS), help="one ruleset, in this process")
    options = parser.parse_args()
    if not COMPILED or config.BOUNDSCHECK:
        parser.error("unset NUMBA_DISABLE_JIT and NUMBA_BOUNDSCHECK: pages play at full speed")
    if find_spec("ziglang") is None:  # before minutes of compiling
        parser.error("ziglang is missing: pip install --editable '.[web]'")
    if options.env:
        try:
            path = build(options.env, options.out)
        except BuildError as error:
            print(f"build_rules: {options.env}: {error}", file=sys.stderr)
            return 1
        print(f"{path}: {path.stat().st_size:,} bytes")
        return 0
    command = [sys.executable, __file__, "--out", str(options.out), "--env"]
    builders = {env: subprocess.Popen([*command, env]) for env in RULESETS}
    failed = [env for env, builder in builders.items() if builder.wait()]  # below 0: killed
    if failed:
        print(f"build_rules: not built: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
