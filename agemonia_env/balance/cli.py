"""The command line `agemonia balance`.

Every command imports what it needs by itself, so that --help is quick.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..output import plain_errors, print_table
from ..simulation import required

app = typer.Typer(help="What a changed number does to a game.", no_args_is_help=True)


@app.command()
def show(
    patches: Annotated[
        list[str],
        typer.Argument(help="Changes, such as 'enemies.reedling.shield +1', or files of them."),
    ],
    pack: Annotated[str, typer.Option(help="Name or folder of a content pack.")] = "core",
) -> None:
    """Show what changes do to a pack: old values, new values, fingerprints.

    docs/balance-lab.md explains how changes are written. Nothing on the disk is changed.
    """
    with plain_errors():
        from .show import shown

        print_table(shown(pack, patches))


@app.command()
def compare(
    file: Annotated[Path, typer.Argument(help="What to compare: docs/balance-lab.md.")],
    games: Annotated[
        int | None, typer.Option(help="Of each variant in each setting, in place of the file's.")
    ] = None,
    width: Annotated[
        float | None,
        typer.Option(help="Play until the win rate's interval is so many points wide."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Fixes all chance.")] = None,
    threads: Annotated[int, typer.Option(help="They do not change a digit.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for report.json and report.parquet; the same command resumes."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Begin anew, whatever was played there.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")] = False,
) -> None:
    """Play two variants of a pack with the same seeds, and say how they differ, and how sure it is.

    Ctrl-C keeps what has been played if there is a folder for it (status 130).
    """
    with plain_errors():
        required("polars", "simulation")
        from ..envs.ruleset import DEFAULT
        from ..simulation.run import Interrupted
        from ..warmup import compile_if_cold
        from .experiment import read_experiment
        from .run import compare_to

        experiment = read_experiment(file, games=games, width=width, seed=seed)
        if not quiet:
            played = {cell.plans[0].policy for cell in experiment.cells}
            compile_if_cold(lambda line: typer.echo(line, err=True), DEFAULT, *played)
        try:
            report = compare_to(experiment, threads, out, force=force, progress=not quiet)
        except Interrupted as stopped:
            typer.echo(f"agemonia: {stopped}", err=True)
            raise typer.Exit(130) from None
        if not quiet:
            print_table(report)
