"""Instructions that numba has no function for, by its public extension interface."""

import sys
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

YIELD = "SwitchToThread" if sys.platform == "win32" else "sched_yield"  # of the C library


@intrinsic
def trailing_zeros(typing: Any, number: Any) -> Any:
    """Count the zeros below the lowest 1 of an integer; its width if there is no 1."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return number(number), generate


@intrinsic
def add_atomically(typing: Any, numbers: Any, k: Any, amount: Any) -> Any:
    """Add to numbers[k], int64 (n,), one thread at a time -> the value before."""
    if numbers.ndim != 1 or numbers.layout != "C":
        return None  # numba reports the call

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(numbers)(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        return builder.atomic_rmw("add", place, arguments[2], "seq_cst")

    return types.int64(numbers, types.int64, types.int64), generate


@intrinsic
def yield_core(typing: Any) -> Any:
    """Let another thread run that waits for this core, if there is one."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [])
        function = cgutils.get_or_insert_function(builder.module, kind, YIELD)
        builder.call(function, [])
        return context.get_dummy_value()

    return types.none(), generate


@intrinsic
def prefetch_line(typing: Any, rows: Any, i: Any, offset: Any) -> Any:
    """Ask for the cache line at a byte of row i, (n, m), which will be read and written soon."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(rows)(context, builder, arguments[0])
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        stride = builder.extract_value(array.strides, 0)
        place = builder.add(builder.mul(arguments[1], stride), arguments[2])
        place = builder.gep(builder.bitcast(array.data, byte), [place])
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", (byte,), kind)
        reading, keeping, data = number(0), number(3), number(1)
        builder.call(prefetch, [place, reading, keeping, data])
        return context.get_dummy_value()

    return types.none(rows, types.int64, types.int64), generate
