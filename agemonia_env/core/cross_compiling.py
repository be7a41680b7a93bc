"""Compile kernels for another machine than this one: a browser, a GPU.

numba types and lowers the same functions as for this machine, but its code generator is given
another target. What comes out is one LLVM module that holds everything the entries reach. This
uses numba's internals, as compiling.py does; import it late, in a process of its own.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils, codegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.runtime import nrtdynmod, rtsys

from . import compiling

Signatures = Mapping[str, tuple[types.Type, ...]]  # argument types of entries, by name


@contextmanager
def targeting(machine: llvm.TargetMachine) -> Iterator[Any]:
    """Have numba generate code for `machine` -> its code generator. For a process of its own."""
    njit(lambda n: np.zeros(n).sum())(1)  # numba's own helpers are compiled for this machine
    context = cpu_target.target_context
    generator = context.codegen()
    generator._tm, generator._data_layout = machine, str(machine.target_data)

    def empty_module(self: Any, name: str) -> ir.Module:
        module = ir.Module(cgutils.normalize_ir_text(name))
        module.triple, module.data_layout = machine.triple, self._data_layout
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
    functions: Mapping[str, Callable[..., Any]],
    signatures: Signatures,
    generator: Any,
    *,
    allocate: bool = True,
) -> tuple[llvm.ModuleRef, dict[str, str]]:
    """One module with all entries and what they reach -> it, and the symbol of each entry.

    allocate: entries make arrays of their own, and count references.
    """
    roots, symbols = [], {}
    for name, arguments in signatures.items():
        dispatcher = njit(
            nogil=True,
            _nrt=allocate,
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


def with_plain_names(module: llvm.ModuleRef, symbols: Mapping[str, str]) -> llvm.ModuleRef:
    """The module with the names of its entries in place of their symbols."""
    text = str(module).replace(" common ", " internal ")  # environments, which nothing reads
    for name, symbol in symbols.items():
        text = text.replace(f'@"{symbol}"', f"@{name}").replace(f"@{symbol}(", f"@{name}(")
    return llvm.parse_assembly(text)


def optimise(module: llvm.ModuleRef, public: Iterable[str], machine: llvm.TargetMachine) -> None:
    """Optimise the module, with everything private but the functions of these names.

    machine: whose costs decide what is inlined.
    """
    names = frozenset(public)
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in names else "internal"
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
