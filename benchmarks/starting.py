"""Measures import, compile and load times, and the memory of a game."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Compiles into an empty folder, as on a new machine.
COLD = """
import sys
from pathlib import Path
from agemonia_env.core import jit
jit.CACHE_ROOT = Path(sys.argv[2])
from agemonia_env.warmup import warm_up
print(warm_up(sys.argv[1]))
"""
FIRST_STEP = """
import sys
import time
from pathlib import Path
start = time.perf_counter()
from agemonia_env.core import jit
if len(sys.argv) > 2:
    jit.CACHE_ROOT = Path(sys.argv[2])
import gymnasium
envs = gymnasium.make_vec("agemonia_env:" + sys.argv[1], num_envs=8)
_, infos = envs.reset(seed=0)
envs.step(infos["action_mask"].argmax(axis=1))
print(time.perf_counter() - start)
"""
IMPORT = """
import time
start = time.perf_counter()
import {module}
print(time.perf_counter() - start)
"""


def run(script: str, *arguments: str) -> str:
    """Run a script in a new Python process -> its output."""
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout


def cold_compile_seconds(env: str) -> float:
    """Seconds to compile every entry point used by play and training."""
    with tempfile.TemporaryDirectory() as folder:
        return float(run(COLD, env, folder))


def cold_step_seconds(env: str) -> float:
    """Seconds from the first import to a step of a vector env, with nothing compiled."""
    with tempfile.TemporaryDirectory() as folder:
        return float(run(FIRST_STEP, env, folder))


def first_step_seconds(env: str) -> float:
    """Seconds from the first import to a step of a vector env, with everything compiled."""
    return float(run(FIRST_STEP, env))


def import_seconds(module: str) -> float:
    """Seconds to import a module in a new process."""
    return float(run(IMPORT.format(module=module)))


def kept_bytes(make: Callable[[], object]) -> float:
    """Bytes held by a new object, after making one before (which fills caches)."""
    make()
    tracemalloc.start()
    try:
        made = make()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    del made
    return kept
