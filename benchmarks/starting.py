"""How long until the first step: compiled from nothing, and with a warm cache."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time

# Entry points are compiled into an empty folder: what a new machine goes through.
COLD = """
import sys
from pathlib import Path
from agemonia_env.kernel import jit
jit.CACHE_FOLDER = Path(sys.argv[1])
from agemonia_env.warmup import warm_up
print(warm_up())
"""
WARM = """
from agemonia_env.envs.single import AgemoniaEnv
env = AgemoniaEnv()
env.reset(seed=0)
env.step(env.legal_actions()[0])
"""


def cold_compile_seconds() -> float:
    """Seconds to compile every entry point that play and training use."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", COLD, folder], capture_output=True, text=True, check=True
        )
    return float(done.stdout)


def warm_start_seconds(repeats: int = 3) -> float:
    """Seconds from starting a process to its first step done, imports included; the best."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", WARM], check=True)
        best = min(best, time.perf_counter() - start)
    return best
