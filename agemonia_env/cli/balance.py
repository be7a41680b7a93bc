"""The command line `agemonia balance`.

Every command imports what it needs by itself, so that --help is quick.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from agemonia_env.simulation import required

from .output import plain_errors, print_table

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
        from agemonia_env.balance.show import shown

        print_table(shown(pack, patches))


File = Annotated[Path, typer.Argument(help="What to study: docs/balance-lab.md.")]
Games = Annotated[int | None, typer.Option(help="Of each variant in each setting.")]
Seed = Annotated[int | None, typer.Option(help="Fixes all chance.")]
Threads = Annotated[int, typer.Option(help="They do not change a digit.")]
Ray = Annotated[
    str | None, typer.Option(help="Play on the Ray cluster at this address; local starts one.")
]
Out = Annotated[
    Path | None,
    typer.Option(help="Folder for report.html, .json and .parquet; the same command resumes."),
]
Force = Annotated[bool, typer.Option("--force", help="Begin anew, whatever was played there.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")]


@app.command()
def compare(
    file: File,
    games: Games = None,
    width: Annotated[
        float | None,
        typer.Option(help="Play until the win rate's interval is so many points wide."),
    ] = None,
    seed: Seed = None,
    threads: Threads = 1,
    ray: Ray = None,
    out: Out = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Play two variants of a pack with the same seeds, and say how they differ, and how sure it is.

    Ctrl-C keeps what has been played if there is a folder for it (status 130).
    """
    given = {"games": games, "width": width, "seed": seed}
    how = {"threads": threads, "ray": ray, "out": out, "force": force, "progress": not quiet}
    _study("compare", file, given, how)


def _add(name: str, told: str) -> None:
    """Add the command of a study that takes a file and nothing of its own; told: its help."""

    def play(
        file: File,
        games: Games = None,
        seed: Seed = None,
        threads: Threads = 1,
        ray: Ray = None,
        out: Out = None,
        force: Force = False,
        quiet: Quiet = False,
    ) -> None:
        how = {"threads": threads, "ray": ray, "out": out, "force": force, "progress": not quiet}
        _study(name, file, {"games": games, "seed": seed}, how)

    kept = "Ctrl-C keeps what has been played if there is a folder for it (status 130)."
    app.command(name, help=f"{told}\n\n{kept}")(play)


_add("sensitivity", "Say which numbers matter: one step each, or many at once by Morris or Sobol.")
_add("search", "Find values that bring the win rate to a target, and confirm them on fresh seeds.")
_add(
    "analyse",
    "Say what is played and what it is worth: actions, items, Heroes, pairs; how games end.",
)


def _study(name: str, file: Path, given: dict[str, Any], how: dict[str, Any]) -> None:
    """Run a study of a file, and print what came out; `given` takes the place of what it says."""
    with plain_errors():
        required("polars", "balance")
        from agemonia_env.balance import run
        from agemonia_env.balance.analysis import AnalysisCard
        from agemonia_env.balance.experiment import ExperimentCard
        from agemonia_env.balance.one_at_a_time import SensitivityCard
        from agemonia_env.balance.study_config import in_file, read_card, unknown_policies
        from agemonia_env.balance.study_result import HTML
        from agemonia_env.balance.value_search import SearchCard
        from agemonia_env.rulesets.doors import DEFAULT
        from agemonia_env.warmup import compile_if_cold

        kinds: dict[str, Any] = {
            "compare": (ExperimentCard, run.compare_of),
            "sensitivity": (SensitivityCard, run.sensitivity_of),
            "search": (SearchCard, run.search_of),
            "analyse": (AnalysisCard, run.analysis_of),
        }
        model, play = kinds[name]
        card = read_card(model, file, **given)
        if how["progress"] and not unknown_policies(card):  # else that is told at once
            compile_if_cold(lambda line: typer.echo(line, err=True), DEFAULT, *card.policy)
        with in_file(file):
            found = play(card, run.How(**how, command=command(name, file, given)))
        if how["progress"]:
            print_table(found)
            if how["out"] is not None:
                typer.echo(f"Written: {how['out'] / HTML}")


def command(name: str, file: Path, given: dict[str, Any]) -> str:
    """The command line of a study, without what changes no number."""
    words = ["agemonia", "balance", name, str(file)]
    for key, value in given.items():
        words += [f"--{key}", str(value)] if value is not None else []
    return shlex.join(words)
