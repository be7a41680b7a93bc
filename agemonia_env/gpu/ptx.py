"""Compile the rules for an NVIDIA GPU, to PTX: machine code of no particular card.

    python -m agemonia_env.gpu.ptx --env Agemonia-v0 --out agemonia.ptx

The kernels are those of the CPU, lowered by numba with another target (core/cross_compiling.py).
A GPU kernel here is a loop around one function of core/gpu_slots.py: thread t plays slots
t, t + threads, ... No GPU is needed to compile.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import llvmlite.binding as llvm
import numpy as np
from numba import config, typeof, types

from agemonia_env.core.cross_compiling import (
    Signatures,
    linked,
    optimise,
    targeting,
    with_plain_names,
)
from agemonia_env.core.gpu_slots import gpu_entries
from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.files.writing import write_whole
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of

from .kernels import Array, Tree, kernel_name, leaves, parameters

TRIPLE = "nvptx64-nvidia-cuda"
PROCESSOR = "sm_80"  # the oldest card that is supported; newer ones run its PTX, too
FEATURES = "+ptx80"


class BuildError(RuntimeError):
    """The code would not run on a GPU; the message names what is missing."""


# ---- arguments --------------------------------------------------------------------------------
def numba_type(tree: Tree) -> types.Type:
    """The type of an argument."""
    if tree is None:
        return types.int64
    if not isinstance(tree, Array):
        return types.BaseTuple.from_types(tuple(map(numba_type, tree)))
    dtype = np.dtype(tree.dtype)
    one = np.zeros((1,) * (1 + len(tree.row)), dtype) if dtype.names is None else zeros(dtype)
    return typeof(one)


# ---- kernels around the functions -----------------------------------------------------------
KERNEL = """
declare i32 @{name}({declared})
define ptx_kernel void @{kernel}({parameters}) {{
entry:
  %ret = alloca i64
  %exception = alloca ptr
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %before = mul i32 %block, %width
  %number = add i32 %before, %thread
  %all = mul i32 %blocks, %width
  %t = zext i32 %number to i64
  %step = zext i32 %all to i64
  %in_order = icmp eq ptr %order, null
{products}
  br label %check
check:
  %k = phi i64 [ %t, %entry ], [ %next, %play ]
  %more = icmp slt i64 %k, %n
  br i1 %more, label %find, label %end
find:
  br i1 %in_order, label %play, label %look_up
look_up:
  %place = getelementptr i64, ptr %order, i64 %k
  %looked_up = load i64, ptr %place
  br label %play
play:
  %i = phi i64 [ %k, %find ], [ %looked_up, %look_up ]
  %status = call i32 @{name}({given})
  %next = add i64 %k, %step
  br label %check
end:
  ret void
}}
"""
REGISTERS = ("tid", "ctaid", "ntid", "nctaid")


def kernel_around(name: str, arguments: Mapping[str, Tree], declared: Sequence[str]) -> str:
    """LLVM IR of the kernel around a function.

    A kernel takes how many slots there are, their numbers in the order of play (null: all), and
    for each array its address and length; strides are constants. declared: the LLVM types of the
    function's arguments, in numba's calling convention: where to put the result and an exception,
    then the arguments, arrays as seven numbers and more.
    """
    taken, products = ["i64 %n", "ptr %order"], []
    given = ["ptr %ret", "ptr %exception", "i64 %i", "i64 %t"]
    for k, leaf in enumerate(leaves(tuple(arguments.values()))):
        if leaf is None:
            taken.append(f"i64 %a{k}")
            given.append(f"i64 %a{k}")
            continue
        taken += [f"ptr %a{k}", f"i64 %l{k}"]
        size, row = np.dtype(leaf.dtype).itemsize, int(np.prod(leaf.row, dtype=np.int64))
        products.append(f"  %c{k} = mul i64 %l{k}, {row}")
        given += ["ptr null", "ptr null", f"i64 %c{k}", f"i64 {size}", f"ptr %a{k}", f"i64 %l{k}"]
        given += [f"i64 {length}" for length in leaf.row]
        given += [f"i64 {size * row}", *(f"i64 {size}" for _ in leaf.row)]
    if [one.split()[0] for one in given] != list(declared):
        raise BuildError(f"{name}: is compiled with other arguments: {', '.join(declared)}")
    return KERNEL.format(
        name=name,
        kernel=kernel_name(name),
        declared=", ".join(declared),
        parameters=", ".join(taken),
        given=", ".join(given),
        products="\n".join(products),
    )


# ---- PTX --------------------------------------------------------------------------------------
def signatures(rules: Ruleset) -> Signatures:
    """The argument types of the functions."""
    index = (types.int64, types.int64)
    return {
        name: index + tuple(map(numba_type, arguments.values()))
        for name, arguments in parameters(rules).items()
    }


def compile_ptx(env_id: str) -> str:
    """The PTX of a ruleset. For a process of its own; raises BuildError for what no GPU has."""
    rules = ruleset_of(env_id)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    here = llvm.Target.from_default_triple().create_target_machine(opt=3)
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(cpu=PROCESSOR, features=FEATURES, opt=3)
    wanted = parameters(rules)
    with targeting(machine) as generator:
        module, symbols = linked(
            gpu_entries(rules.api.CORE),  # type: ignore[no-untyped-call]
            signatures(rules),
            generator,
            allocate=False,
        )
        module = with_plain_names(module, symbols)
        module.link_in(llvm.parse_assembly(kernels(module, wanted, machine)))
        # With the costs of a GPU LLVM would inline all into one function
        optimise(module, map(kernel_name, wanted), here)
    missing = [one.name for one in module.functions if one.is_declaration]
    missing = [name for name in missing if not name.startswith("llvm.")]
    if missing:
        raise BuildError(f"{env_id}: no GPU has {', '.join(missing)}")
    ptx: str = machine.emit_assembly(module)
    return ptx


def kernels(
    module: llvm.ModuleRef, wanted: Mapping[str, Mapping[str, Tree]], machine: llvm.TargetMachine
) -> str:
    """LLVM IR of a module with all kernels."""
    lines = [f'target triple = "{TRIPLE}"', f'target datalayout = "{machine.target_data}"']
    lines += [f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}.x()" for name in REGISTERS]
    for name, arguments in wanted.items():
        declared = [str(one.type) for one in module.get_function(name).arguments]
        lines.append(kernel_around(name, arguments, declared))
    return "\n".join(lines)


def main() -> int:
    """Write the PTX of a ruleset; 1 = failed, with the reason."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--env", choices=list(RULESETS), required=True)
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    options = parser.parse_args()
    if not COMPILED or config.BOUNDSCHECK:
        parser.error("unset NUMBA_DISABLE_JIT and NUMBA_BOUNDSCHECK")
    try:
        ptx = compile_ptx(options.env)
    except BuildError as error:
        print(f"ptx: {error}", file=sys.stderr)
        return 1
    write_whole(options.out, ptx.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
