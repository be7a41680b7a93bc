"""The command line `agemonia balance`.

Commands import what they need when they run, so that --help is quick.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from agemonia_env.rulesets.doors import DEFAULT
from agemonia_env.simulation import required

from .options import POLICY, Quiet, Ray, Threads
from .output import plain_errors, print_status, print_table

app = typer.Typer(help="Find out what changed numbers do to a game.", no_args_is_help=True)


@app.command()
def show(
    patches: Annotated[
        list[str],
        typer.Argument(help="Changes such as 'enemies.reedling.shield +1', or files of changes."),
    ],
    pack: Annotated[str | None, typer.Option(help="Name or folder of a content pack.")] = None,
    env: Annotated[str, typer.Option(help="Environment that the pack is of.")] = DEFAULT,
) -> None:
    """Show what changes do to a pack: old values, new values, fingerprints.

    docs/balance-lab.md explains the syntax. Files are not modified.
    """
    with plain_errors():
        from agemonia_env.balance.show import changes_table

        print_table(changes_table(env, pack, patches))


File = Annotated[Path, typer.Argument(help="YAML file of the study; see docs/balance-lab.md.")]
Games = Annotated[int | None, typer.Option(help="Games of each variant in each condition.")]
Policies = Annotated[
    list[str] | None,
    typer.Option("--policy", help=f"Instead of the study's policies; repeatable. {POLICY}"),
]
Seed = Annotated[int | None, typer.Option(help="Seed of all randomness.")]
Out = Annotated[
    Path | None,
    typer.Option(help="Folder for report.html, .json and .parquet; the same command resumes."),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the study in --out.")]
OVERRIDING = ("policy", "games", "width", "seed")  # options that stand for keys of the file


@app.command()
def compare(
    file: File,
    policy: Policies = None,
    games: Games = None,
    width: Annotated[
        float | None,
        typer.Option(help="Play until the win rate's interval is at most this many points wide."),
    ] = None,
    seed: Seed = None,
    threads: Threads = 1,
    ray: Ray = None,
    out: Out = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Compare two variants of a pack on the same seeds, with confidence intervals.

    Ctrl-C keeps what was played in --out (status 130).
    """
    _study("compare", locals())


def _add(name: str, summary: str) -> None:
    """Add the command of a study that has no options of its own; summary: its help."""

    def play(
        file: File,
        policy: Policies = None,
        games: Games = None,
        seed: Seed = None,
        threads: Threads = 1,
        ray: Ray = None,
        out: Out = None,
        force: Force = False,
        quiet: Quiet = False,
    ) -> None:
        _study(name, locals())

    stopping = "Ctrl-C keeps what was played in --out (status 130)."
    app.command(name, help=f"{summary}\n\n{stopping}")(play)


_add("sensitivity", "Find the numbers that matter: one at a time, or globally by Morris or Sobol.")
_add("search", "Find values that meet targets, and confirm them on new seeds.")
_add("rank", "Rank many variants; those that are surely not the best stop playing.")
_add(
    "analyse",
    "Show what is played and how it relates to winning: actions, items, heroes, pairs, endings.",
)


def _study(name: str, chosen: dict[str, Any]) -> None:
    """Run the study of a file and print the result. chosen: arguments of the command."""
    with plain_errors():
        required("balance")
        from agemonia_env.balance.run import STUDIES, RunOptions
        from agemonia_env.balance.study_config import in_file, read_config, unknown_policies
        from agemonia_env.balance.study_result import HTML
        from agemonia_env.policies import given_policy
        from agemonia_env.warmup import compile_if_cold

        (model, play), (file, out) = STUDIES[name], (chosen["file"], chosen["out"])
        given = {key: chosen.get(key) for key in OVERRIDING}
        own = [given_policy(text) for text in given["policy"] or ()] or None
        config = read_config(model, file, **given | {"policy": own})
        shows = not chosen["quiet"]
        if shows and not unknown_policies(config):  # which are reported at once
            compile_if_cold(print_status, config.env)
        with in_file(file):
            options = {key: chosen[key] for key in ("threads", "ray", "out", "force")}
            line = command(name, file, given | {"out": out})
            result = play(config, RunOptions(**options, progress=shows, command=line))
        if shows:
            print_table(result)
            if out is not None:
                typer.echo(f"Written: {out / HTML}")


def command(name: str, file: Path, given: dict[str, Any]) -> str:
    """The command line of a study, without options that do not affect its results."""
    words = ["agemonia", "balance", name, str(file)]
    for key, value in given.items():
        for one in value if isinstance(value, list) else [value]:
            words += [f"--{key}", str(one)] if one is not None else []
    return shlex.join(words)
