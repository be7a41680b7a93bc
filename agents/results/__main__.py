"""Train what is missing, play what has changed, and write docs/results.md.

    python -m agents.results                         all of it
    python -m agents.results train --jobs 2          missing models
    python -m agents.results play --only '^heroes/'  missing games
    python -m agents.results write                   the page, from existing games and models
    python -m agents.results write --keep            ... and otherwise from the published page

agents/configs/results.yaml says what to train and play. Every stage resumes where it stopped.
Models and games are under --out; games are played again only if the rules, the model or the row
changed. --only: a regular expression for models (NAME/SETTING/SEED) or cells of the page
(TABLE/SETTING/ROW, and /SEED of a trained row). --keep: cells not played on this machine keep their
published numbers if command, rules and models are the same, so that a row can be added without
playing all others again, which takes days.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from agemonia_env.cli.output import line_of
from agemonia_env.files.locking import locked_folder
from agemonia_env.files.stopping import STATUS, stopped_by_sigterm
from agemonia_env.files.writing import check_out_folder, write_json, write_whole

from .facts import facts_of, publish
from .known import Known
from .page import page
from .page_config import PAGE_CONFIG, Work, read_page_config
from .picture import draw
from .playing import play
from .training import train

OUT = Path("runs") / "results"
DOCS, WEIGHTS = Path("docs"), Path("agents") / "weights"
DATA = "results.json"  # in the folder of the page
STAGES = ("train", "play", "write")
ALL = "all"
THREADS = 2


def write(known: Known, docs: Path, weights: Path, console: Console, *, partial: bool) -> None:
    """Write the page, its data, its pictures and the published weights.

    partial: even if cells are missing; otherwise that is a ValueError.
    """
    work = known.work
    missing = [str(cell) for cell in work.cells() if known.cell(cell) is None]
    if missing and not partial:
        first = f"{', '.join(missing[:3])}{', ...' if len(missing) > 3 else ''}"
        raise ValueError(
            f"{len(missing)} cells are not played yet ({first}); --partial leaves them out"
        )
    if missing:
        console.print(f"not played yet, and left out: {', '.join(missing)}")
    facts = facts_of(known, weights)
    drawn = draw(work, facts, docs / "results")
    publish(work, facts["weights"], weights)
    write_json(docs / DATA, facts, indent=1)
    write_whole(docs / "results.md", page(facts, drawn))
    console.print(f"Written: {docs / 'results.md'}")


def published(docs: Path) -> Any:
    """The data of the published page. Raises ValueError if it cannot be read."""
    try:
        return json.loads((docs / DATA).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"--keep: {docs / DATA} cannot be read: {error}") from None


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; see the module docstring."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.results",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("stage", nargs="?", choices=(*STAGES, ALL), default=ALL, help="(default: %(default)s)")
    add("--config", type=Path, default=PAGE_CONFIG, help="YAML file (%(default)s)")
    add("--out", type=Path, default=OUT, help="folder of models and games (%(default)s)")
    add("--docs", type=Path, default=DOCS, help="folder of the page (%(default)s)")
    add("--weights", type=Path, default=WEIGHTS, help="folder of published models (%(default)s)")
    add("--only", default="", metavar="REGEX", help="train or play only these")
    add("--partial", action="store_true", help="write the page even if cells are missing")
    add("--keep", action="store_true", help="keep published numbers of cells not played here")
    add("--jobs", type=int, default=1, help="models trained at a time (%(default)s)")
    add("--threads", type=int, default=THREADS, help="threads for games (%(default)s)")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace, console: Console) -> None:
    """Run the chosen stages, in order."""
    work = Work(read_page_config(options.config), options.out)
    try:
        chosen = re.compile(options.only)
    except re.error as error:
        raise ValueError(f"--only {options.only}: not a regular expression: {error}") from None
    stages = STAGES if options.stage == ALL else (options.stage,)
    models = [model for model in work.models() if chosen.search(str(model))]
    cells = [cell for cell in work.cells() if chosen.search(str(cell))]
    if not models and not cells:
        raise ValueError(f"--only {options.only}: matches no model and no cell of the page")
    if "train" in stages:
        train(work, models, options.jobs, console)
    if "play" in stages:
        play(work, cells, options.threads, console)
    if "write" in stages:
        known = Known(work, published(options.docs) if options.keep else {})
        write(known, options.docs, options.weights, console, partial=options.partial)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0 = done, 2 = bad input or a failed command, 130 = stopped."""
    options, console = parse(arguments), Console(soft_wrap=True, highlight=False)
    try:
        check_out_folder(options.out)
        with stopped_by_sigterm(), locked_folder(options.out):
            run(options, console)
    except (ValueError, OSError) as error:
        print(f"agents.results: {line_of(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as stopped:
        print(f"agents.results: stopped; the same command resumes ({stopped})", file=sys.stderr)
        return STATUS
    return 0


if __name__ == "__main__":
    sys.exit(main())
