"""What comes before the first step: importing, compiling, loading; and the memory of a game."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Entry points are compiled into an empty folder: what a new machine goes through.
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
    """What a Python process of its own prints."""
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout


def cold_compile_seconds(env: str) -> float:
    """Seconds to compile every entry point that play and training use."""
    with tempfile.TemporaryDirectory() as folder:
        return float(run(COLD, env, folder))


def cold_step_seconds(env: str) -> float:
    """Seconds from the first import to a step of a vector env where nothing is compiled."""
    with tempfile.TemporaryDirectory() as folder:
        return float(run(FIRST_STEP, env, folder))


def first_step_seconds(env: str) -> float:
    """Seconds from the first import to a step of a vector env."""
    return float(run(FIRST_STEP, env))


def import_seconds(module: str) -> float:
    """Seconds that importing a module takes in a new process."""
    return float(run(IMPORT.format(module=module)))


def kept_bytes(make: Callable[[], object]) -> float:
    """Bytes that what is made keeps in memory, less what was there from making it once before."""
    make()
    tracemalloc.start()
    try:
        made = make()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    del made
    return kept
