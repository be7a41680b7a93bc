"""Compile the entries of the core to WebAssembly, from api.py alone.

    python web/build_rules.py --out build/rules       agemonia.wasm, agemonia.json, hexdungeon. ...

The same kernels that numba compiles for this machine are compiled for wasm32: their types are those
of calls in plain Python, the code generator is given another target, and wasm-ld links the object
file with runtime.c. Symbols that nothing defines fail the build, and the module imports nothing.
The JSON file holds the layouts of state and content and the signatures of the entries, from which
rules.mjs calls them with numba's own calling convention.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import config, njit, typeof, types
from numba.core import cgutils, codegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.runtime import nrtdynmod, rtsys

from agemonia_env.core import compiling, mcts
from agemonia_env.core.grid_lines import walk_all
from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.files.writing import write_json, write_whole
from agemonia_env.policies.named import PLANNER
from agemonia_env.rulesets.action_features import features_of
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of
from agemonia_env.warmup import warm_up

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
    *("set_chance", "status", "ranges", "settle", "settle_templates"),
)
BESIDE = {"agemonia": {"walk_all": walk_all}}  # not of the api, by ruleset

Signatures = dict[str, tuple[types.Type, ...]]  # argument types of entries, by name


class BuildError(RuntimeError):
    """The module would not run in a browser; the message names what is missing."""


# ---- what to compile ----------------------------------------------------------------------------
def signatures(env_id: str) -> Signatures:
    """The argument types of each entry of a ruleset's api, from a process that calls them all.

    There the rules run as plain Python, which takes seconds; compiling them would take minutes.
    """
    context = multiprocessing.get_context("spawn")
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # read by the other process when it starts
    try:
        with ProcessPoolExecutor(1, context) as pool:
            found: Signatures = pickle.loads(pool.submit(called_types, env_id).result())
    finally:
        del os.environ["NUMBA_DISABLE_JIT"]
    return found


def called_types(env_id: str) -> bytes:
    """Call every entry with minimal work -> the argument types of those in CALLED, pickled.

    Raises BuildError if one is not called.
    """
    rules = ruleset_of(env_id)
    names = {function.__code__: name for name, function in entries(rules).items()}
    found = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        name = names.get(frame.f_code) if event == "call" else None
        if name is not None and name not in found:
            arguments = frame.f_code.co_varnames[: frame.f_code.co_argcount]
            found[name] = tuple(in_rows(typeof(frame.f_locals[each])) for each in arguments)

    sys.setprofile(note)
    try:
        call_entries(rules)
    finally:
        sys.setprofile(None)
    if missing := set(names.values()) - set(found):
        raise BuildError(f"never called: {', '.join(sorted(missing))}")
    return pickle.dumps({name: found[name] for name in names.values()})


def call_entries(rules: Ruleset) -> None:
    """Call what warming up does, and the rest: features of actions, and ranges for pictures."""
    for part in ("play", PLANNER, "tools"):
        warm_up(rules.env_id, part)
    states, content = zeros(rules.STATE), rules.check_arguments().compile().content
    masks = np.zeros((1, rules.N_ACTIONS), np.uint8)
    features_of(rules, states, content, np.zeros(1, np.int16), masks)
    if hasattr(rules.api, "ranges"):
        rules.api.ranges(states["board"], 0, 0, np.zeros(1, np.int16))


def in_rows(kind: types.Type) -> types.Type:
    """The type of an argument; arrays as pages hold them, row after row."""
    return kind.copy(layout="C") if isinstance(kind, types.Array) else kind


def entries(rules: Ruleset) -> dict[str, FunctionType]:
    """The functions of a ruleset that pages call, as Python has them, by name."""
    found: dict[str, Any] = {name: getattr(rules.api, name, None) for name in CALLED}
    home = rules.api.__name__  # an api may also import a kernel by one of these names
    own = {name: one for name, one in found.items() if getattr(one, "__module__", "") == home}
    both = own | BESIDE.get(rules.name, {})
    return {name: getattr(function, "py_func", function) for name, function in both.items()}


# ---- numba, for another target ------------------------------------------------------------------
@contextmanager
def targeting(machine: llvm.TargetMachine) -> Iterator[Any]:
    """Have numba generate code for `machine` -> its code generator. For a process of its own."""
    njit(lambda n: np.zeros(n).sum())(1)  # numba's own helpers are compiled for this machine
    context = cpu_target.target_context
    generator = context.codegen()
    generator._tm, generator._data_layout = machine, str(machine.target_data)

    def empty_module(self: Any, name: str) -> ir.Module:
        module = ir.Module(cgutils.normalize_ir_text(name))
        module.triple, module.data_layout = TRIPLE, self._data_layout
        return module

    codegen.CPUCodegen._create_empty_module = empty_module
    codegen.JITCPUCodegen._add_module = lambda self, module: None
    codegen.JITCPUCodegen.set_env = lambda self, name, environment: None
    codegen.JITCodeLibrary._finalize_specific = lambda self: None
    codegen.JITCodeLibrary.get_pointer_to_function = lambda self, name: 0
    codegen.CPUCodeLibrary._optimize_final_module = lambda self: None
    with global_compiler_lock:
        rtsys._library = nrtdynmod.compile_nrt_functions(context)
    gc.disable()
    try:
        yield generator
    finally:
        gc.enable()


def linked(
    rules: Ruleset, called: Signatures, generator: Any
) -> tuple[llvm.ModuleRef, dict[str, str]]:
    """One module with all entries and what they reach -> it, and the symbol of each entry."""
    roots, symbols = [], {}
    functions = entries(rules)
    for name, arguments in called.items():
        dispatcher = njit(
            nogil=True,
            no_cpython_wrapper=True,
            no_cfunc_wrapper=True,
            pipeline_class=compiling.KernelPipeline,
        )(functions[name])
        dispatcher.compile(arguments)
        result = dispatcher.overloads[arguments]
        result.library._ensure_finalized()
        roots.append(result.library)
        symbols[name] = result.fndesc.llvm_func_name
    module = llvm.parse_assembly(str(generator._create_empty_module("rules")))
    for library in roots:  # before anything shares them, so that their names stay external
        module.link_in(library._final_module, preserve=True)
    for library in reached_from(roots):
        module.link_in(library._get_module_for_linking(), preserve=True)
    return module, symbols


def reached_from(roots: Iterable[Any]) -> list[Any]:
    """The libraries that these call, directly or not, without themselves."""
    known = {id(library) for library in roots}
    waiting, reached = list(roots), []
    while waiting:
        for library in waiting.pop()._linking_libraries:
            if id(library) not in known:
                known.add(id(library))
                reached.append(library)
                waiting.append(library)
    return reached


def optimised(
    module: llvm.ModuleRef, symbols: dict[str, str], machine: llvm.TargetMachine
) -> llvm.ModuleRef:
    """The module with plain names for its entries, all else private, optimised."""
    text = str(module).replace(" common ", " internal ")  # environments, which nothing reads
    text = text.replace("@sched_yield(", "@give_way(")  # of libc it would be an import
    for name, symbol in symbols.items():
        text = text.replace(f'@"{symbol}"', f"@{name}").replace(f"@{symbol}(", f"@{name}(")
    module = llvm.parse_assembly(text)
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in symbols else "internal"
    for level in (0, 3):  # as numba does: references are pruned before and after
        options = llvm.create_pipeline_tuning_options(speed_level=level)
        options.loop_vectorization = options.slp_vectorization = False
        builder = llvm.create_pass_builder(machine, options)
        passes = builder.getModulePassManager()
        if level == 0:
            passes.add_loop_rotate_pass()
            passes.add_instruction_combine_pass()
            passes.add_jump_threading_pass()
        passes.add_refprune_pass()
        passes.run(module, builder)
    module.verify()
    return module


def object_code(env_id: str, called: Signatures) -> bytes:
    """The object file of a ruleset's entries. Raises BuildError for what runtime.c lacks."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    features = ",".join(f"+{feature}" for feature in FEATURES)
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(opt=3, features=features)
    with targeting(machine) as generator:
        module, symbols = linked(ruleset_of(env_id), called, generator)
        return bytes(machine.emit_object(optimised(module, symbols, machine)))


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
