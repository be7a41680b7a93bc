"""Run the benchmarks: `python -m benchmarks`, one line per case, each measured in several rounds.

`--compare` compares with the stored baseline, `--compare OLD.json` with a file of `--json`: rates
and times as multiples of a fixed piece of work measured in the same run, so that another machine's
file will do. `--fail-below 0.8` is for CI. `--peers` compares with other libraries.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from agemonia_env.rulesets.doors import DEFAULT, RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.warmup import compile_if_cold

from . import baseline, machine, peer_runs, plot, table, yardstick
from .cases import FULL, Scale, cases
from .table import Case, Column, Figures

ONLY = "run only cases whose name matches this regular expression"
COMPARE = "also print ratios to a file of --json; without a name, to the stored baseline"
FAIL = "exit with status 1 if a case is worse than this ratio to --compare, beyond the spread"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    add = parser.add_argument
    add("--only", metavar="PATTERN", type=re.compile, default=re.compile(""), help=ONLY)
    add("--env", choices=[*RULESETS], default=DEFAULT, help="the environment (%(default)s)")
    add("--quick", action="store_true", help="0.2 seconds, 3 rounds, no cold compile, no training")
    add("--seconds", type=float, help="seconds per measurement (1)")
    add("--repeats", type=int, help="rounds over all cases (5)")
    add("--json", type=Path, metavar="FILE", help="also write all measurements to this file")
    add("--compare", type=Path, nargs="?", const=Path(), metavar="OLD.json", help=COMPARE)
    add("--fail-below", type=float, metavar="RATIO", help=FAIL)
    add("--plot", type=Path, metavar="FILE.png", help="also plot steps/s against N and threads")
    add("--peers", action="store_true", help="compare with other libraries instead, on one core")
    add(
        "--peers-python",
        metavar="PYTHON",
        default=sys.executable,
        help="the Python that has the other libraries",
    )
    options = parser.parse_args(arguments)
    options.seconds = options.seconds or (0.2 if options.quick else 1.0)
    options.repeats = options.repeats or (3 if options.quick else 5)
    if options.compare == Path():
        options.compare = baseline.stored(options.env)
    if options.fail_below is not None:
        if not 0 < options.fail_below <= 1:
            parser.error(f"--fail-below {options.fail_below:g}: must be above 0 and at most 1")
        if not options.compare:
            parser.error("--fail-below: needs --compare")
        if options.repeats < 2:
            parser.error("--fail-below: needs --repeats 2 or more, to know the spread")
    return options


def earlier(options: argparse.Namespace) -> tuple[Figures, dict[str, Any]]:
    """The run to compare with -> (figures, facts). Exits with status 2 if it cannot be used."""
    try:
        return baseline.load(options.compare, options.env)
    except (OSError, ValueError) as error:
        reason = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else error
        print(f"python -m benchmarks: error: --compare {reason}", file=sys.stderr)
        raise SystemExit(2) from None


def about(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Machine and versions, sizes, and settings of the run."""
    rules = ruleset_of(options.env)
    return {
        "machine": machine.describe(),
        "run": {
            "env": options.env,
            "command": shlex.join(["python", "-m", "benchmarks", *sys.argv[1:]]),
            "date": date.today().isoformat(),
            "repeats": options.repeats,
            "seconds": options.seconds,
        },
        "sizes": {
            "state, bytes": rules.STATE.itemsize,
            "content, bytes": rules.CONTENT.itemsize,
            "observation, numbers": rules.N_OBSERVATION,
            "actions": rules.N_ACTIONS,
        },
    }


def chosen(options: argparse.Namespace, scale: Scale) -> list[Case]:
    """The cases that the command line selects."""
    there = [case for case in cases(scale) if not (options.quick and (case.once or case.long))]
    return [case for case in there if options.only.search(case.name)]


def measure(wanted: Sequence[Case], options: argparse.Namespace) -> Figures:
    """Run the cases, with a progress bar."""
    if not wanted:
        raise SystemExit(f"--only {options.only.pattern}: matches no case")
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(wanted) * options.repeats)

        def tell(name: str) -> None:
            progress.update(task, description=name, advance=1)

        return table.run(wanted, options.repeats, options.seconds, tell, yardstick.beside)


def beside_peers(
    options: argparse.Namespace, installed: dict[str, str]
) -> tuple[Figures, list[Column]]:
    """Run peers and our cases on one core -> (figures, columns with ratios)."""
    with peer_runs.Processes(options.peers_python, installed) as running, machine.one_core():
        ours = peer_runs.OURS
        there = running.cases()
        wanted = [case for case in there if case.name in ours or options.only.search(case.name)]
        figures = measure(wanted, options)
        running.add_sizes(figures)
    return figures, peer_runs.beside(figures)


def show(figures: Figures, known: dict[str, Any], columns: Sequence[Column]) -> None:
    """Print the measurements, and machine and versions."""
    width = None if sys.stdout.isatty() else 260
    console = Console(width=width, markup=False, highlight=False)
    for facts in known.values():
        pairs = [f"{name} {fact}" for name, fact in facts.items()]
        console.print("  ".join(pairs), soft_wrap=True)
    console.print(table.lines(figures, (*table.PLAIN, *columns)))


def main(arguments: Sequence[str] | None = None, scale: Scale = FULL) -> None:
    """Run the command line; see the module docstring."""
    options = parse(sys.argv[1:] if arguments is None else arguments)
    old, about_old = earlier(options) if options.compare else ({}, {})
    compile_if_cold(print, options.env)
    known = about(options)
    if options.peers:
        known["peers"] = peer_runs.versions(options.peers_python)
        figures, columns = beside_peers(options, known["peers"])
    else:
        figures, columns = measure(chosen(options, replace(scale, env=options.env)), options), []
    known["yardstick"] = yardstick.facts(figures)
    scaled = baseline.yardstick_of(about_old) is not None
    if options.compare:
        columns += table.compared(old, scaled=scaled)
        known["compared"] = baseline.differences(options.compare, known, about_old)
    show(figures, known, columns)
    if options.json:
        table.write(figures, known, options.json)
    if options.plot:
        plot.draw(figures, known["machine"]["cpu"], options.plot)
    if options.fail_below is not None:
        check(figures, old, options, scaled=scaled)


def check(new: Figures, old: Figures, options: argparse.Namespace, *, scaled: bool) -> None:
    """Exit with status 1 if a case is worse than --fail-below, 2 if no case can be compared."""
    floor, path = options.fail_below, baseline.shown(options.compare)
    if not any(table.compare(new[name], old[name], scaled=scaled) for name in new if name in old):
        print(f"--fail-below: {path} has none of the cases measured", file=sys.stderr)
        raise SystemExit(2)
    found = list(baseline.worse(new, old, floor, scaled=scaled))
    if found:
        heading = f"worse than {floor:g} times {path}, beyond the spread (new / old):"
        print(heading, *found, sep="\n  ", file=sys.stderr)
        raise SystemExit(1)


if __name__ == "__main__":
    main()
