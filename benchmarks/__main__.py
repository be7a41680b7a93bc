"""Run the benchmarks: `python -m benchmarks [--json FILE] [--seconds S] [--quick]`."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from agemonia_env.agemonia.actions import N_ACTIONS
from agemonia_env.agemonia.layout import CONTENT, N_OBSERVATION, STATE

from . import machine, starting, stepping


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    parser.add_argument("--seconds", type=float, default=3.0, help="per case (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="leave out the cold compile")
    return parser.parse_args()


def measure(seconds: float, quick: bool) -> dict[str, float]:
    """Every case -> its number; each is printed as soon as it is known."""
    cases: dict[str, Callable[[], float]] = {
        "single env, steps/s": partial(stepping.single, seconds),
        "batch of 1024, steps/s": partial(stepping.batch, seconds, 1024, False),
        "... with observation and mask, steps/s": partial(stepping.batch, seconds, 1024, True),
        "... on two threads, steps/s": partial(stepping.two_threads, seconds, 1024, True),
        "random games in the compiled loop, decisions/s": partial(stepping.rollouts, seconds, 1024),
        "warm start to the first step, s": starting.warm_start_seconds,
    }
    if not quick:
        cases["cold compile, s"] = starting.cold_compile_seconds
    found = {}
    for name, case in cases.items():
        found[name] = case()
        digits = 2 if name.endswith(", s") else 0
        print(f"{name:<48} {found[name]:>14,.{digits}f}", flush=True)
    return found


def main() -> None:
    """Print machine, sizes and results; write them as JSON if asked to."""
    options = parse()
    here = machine.describe()
    sizes = {
        "state, bytes": STATE.itemsize,
        "content, bytes": CONTENT.itemsize,
        "observation, numbers": N_OBSERVATION,
        "actions": N_ACTIONS,
    }
    print("  ".join(f"{name} {value}" for name, value in here.items()))
    print("  ".join(f"{name} {value:,}" for name, value in sizes.items()), flush=True)
    results = measure(options.seconds, options.quick)
    if options.json:
        unfinished = options.json.with_name(options.json.name + ".partial")
        report = {"machine": here, "sizes": sizes, "results": results}
        unfinished.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
        os.replace(unfinished, options.json)


if __name__ == "__main__":
    main()
