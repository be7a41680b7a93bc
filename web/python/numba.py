"""numba where there is none: functions stay plain Python, as with NUMBA_DISABLE_JIT=1."""

from __future__ import annotations

import sys
from types import ModuleType

__version__ = "0"


class config:
    """The settings that core/jit.py reads."""

    DISABLE_JIT = True
    BOUNDSCHECK = 0


class types:
    """Only looked at when something is compiled."""


def njit(function=None, **options):
    """The function itself."""
    return function if function is not None else lambda given: given


def from_dtype(dtype):
    """Only called when something is compiled."""
    raise NotImplementedError(dtype)


def _module(name, **names):
    module = ModuleType(name)
    module.__dict__.update(names)
    sys.modules[name] = module
    return module


_module("numba.core", cgutils=None).__path__ = []
_module("numba.extending", intrinsic=lambda function: function)
_module("llvmlite", ir=None)
