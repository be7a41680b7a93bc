"""Instructions that numba has no function for, by its public extension interface."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


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
