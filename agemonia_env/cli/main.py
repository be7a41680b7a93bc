"""The command line `agemonia`.

Every command imports what it needs by itself, so that --help is quick.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agemonia_env.display.messages import not_allowed
from agemonia_env.envs import env_class
from agemonia_env.files.stopping import stop_message
from agemonia_env.rulesets.doors import DEFAULT, RULESETS, doors_of
from agemonia_env.rulesets.hexdungeon.tools.cli import app as hexdungeon_app
from agemonia_env.simulation import required

from .balance import app as balance_app
from .choices import party, seeds_of
from .output import fail, plain_errors, print_table

if TYPE_CHECKING:
    from agemonia_env.envs.single import RulesetEnv

app = typer.Typer(
    name="agemonia",
    help="A cooperative tactics game: play it, watch it, train policies for it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
content_app = typer.Typer(help="Content packs.", no_args_is_help=True)
app.add_typer(content_app, name="content")
app.add_typer(balance_app, name="balance")
app.add_typer(hexdungeon_app, name="hexdungeon")

SCENARIO = typer.Option(help="A scenario of the pack, or random.")
HEROES = typer.Option(help="How many Heroes, 1 to 4, or their names, as orsa,tamsin.")
PACK = typer.Option(help="Name or folder of a content pack; 'core; CHANGE; CHANGE' changes it.")
DIFFICULTY = typer.Option(help="easy, normal, hard or brutal.")
Scenario = Annotated[str, SCENARIO]
Heroes = Annotated[str, HEROES]
Pack = Annotated[str, PACK]
Difficulty = Annotated[str, DIFFICULTY]
# Where any environment can be played, its own default holds for what is not said
Env = Annotated[str, typer.Option(help=f"Which environment: {', '.join(RULESETS)}.")]
AnyScenario = Annotated[str | None, SCENARIO]
AnyHeroes = Annotated[str | None, HEROES]
AnyPack = Annotated[str | None, PACK]
AnyDifficulty = Annotated[str | None, DIFFICULTY]
Gauntlet = Annotated[
    str | None, typer.Option(help="A gauntlet of the pack, in place of a scenario.")
]
Level = Annotated[
    int | None, typer.Option(help="Level of the Heroes, 1 to 5; without one that of the scenario.")
]
Seed = Annotated[int | None, typer.Option(help="Fixes all chance; without one it is random.")]
AutoTies = Annotated[
    bool, typer.Option("--auto-ties", help="Ties of the Enemies settle themselves.")
]
POLICY = "random, greedy, planner:SIMULATIONS, or a model's file."
ALGORITHMS = ("ppo", "maskable_ppo", "imitation", "attention")  # of `train`
# Options are those of the module that does the work
PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def drawn_seed(seed: int | None) -> int:
    """The seed given, or one drawn now, so that the game can be played again."""
    import secrets

    return secrets.randbelow(2**31) if seed is None else seed


@app.command()
def play(
    scenario: AnyScenario = None,
    heroes: AnyHeroes = None,
    pack: AnyPack = None,
    level: Level = None,
    difficulty: AnyDifficulty = None,
    seed: Seed = None,
    auto_ties: AutoTies = False,
    gauntlet: Gauntlet = None,
    env: Env = DEFAULT,
) -> None:
    """Play a scenario in the terminal. Ctrl-C leaves, with status 130."""
    with plain_errors():
        from . import terminal

        ties = "auto" if auto_ties else "ask"
        shown = shown_env(env, gauntlet, scenario, heroes, pack, level, difficulty, ties)
        number = drawn_seed(seed)
        with stop_message(f"--seed {number} begins the same game again"):
            terminal.play(shown, terminal.console(), number, terminal.prompt())


@app.command()
def watch(
    policy: Annotated[str, typer.Option(help=POLICY)] = "greedy",
    scenario: AnyScenario = None,
    heroes: AnyHeroes = None,
    pack: AnyPack = None,
    level: Level = None,
    difficulty: AnyDifficulty = None,
    seed: Seed = None,
    delay: Annotated[float, typer.Option(min=0.0, help="Seconds between decisions.")] = 0.0,
    gif: Annotated[Path | None, typer.Option(help="Write the game as an animation.")] = None,
    png: Annotated[Path | None, typer.Option(help="Write the last board as a picture.")] = None,
    frame_ms: Annotated[
        int, typer.Option(min=20, max=60_000, help="Milliseconds of each picture of --gif.")
    ] = 1000,
    force: Annotated[
        bool, typer.Option("--force", help="Accept a model of another ruleset.")
    ] = False,
    gauntlet: Gauntlet = None,
    env: Env = DEFAULT,
) -> None:
    """Watch a policy play, with everything that happens. Ctrl-C ends it, with status 130."""
    with plain_errors():
        from agemonia_env.files.writing import check_out_file
        from agemonia_env.policies import policy_of

        from . import terminal

        for path, suffix in ((gif, ".gif"), (png, ".png")):
            if path is not None:
                check_out_file(path, suffix, option=f"--{suffix[1:]}")
        if gif and gauntlet is not None:
            raise ValueError("--gif: the boards of a gauntlet differ in size; --png shows the last")
        shown = shown_env(env, gauntlet, scenario, heroes, pack, level, difficulty, "auto")
        known = shown.compiled.fingerprint
        chosen = policy_of(shown.ruleset, policy, fingerprint=known, force=force)
        number = drawn_seed(seed)
        with stop_message(f"--seed {number} shows the same game again"):
            terminal.watch(
                shown, terminal.console(), number, chosen, delay, gif, png, frame_ms / 1000
            )


def shown_env(
    env: str,
    gauntlet: str | None,
    scenario: str | None,
    heroes: str | None,
    pack: str | None,
    level: int | None,
    difficulty: str | None,
    ties: str,
) -> RulesetEnv:
    """What is played or watched: a scenario, or a gauntlet if one is named."""
    from agemonia_env.rulesets.ruleset import ruleset_of

    rules = ruleset_of(env)
    shown: dict[str, Any] = {"illegal": "raise", "render_mode": "ansi"}
    chosen = None if heroes is None else party(heroes)
    what = {"heroes": chosen, "pack": pack, "difficulty": difficulty, "ties": ties}
    if gauntlet is None:
        given = rules.chosen_arguments(scenario=scenario, level=level, **what)
        return env_class(rules.env_id)(**given, **shown)
    if level is not None:
        raise ValueError("--level: the stages of a gauntlet say it")
    played: RulesetEnv = RULESETS[env].open("gauntlet")(
        gauntlet, **rules.chosen_arguments(**what), **shown
    )
    return played


@app.command(context_settings=PASSED_ON)
def train(
    context: typer.Context,
    algorithm: Annotated[
        str, typer.Option(help="ppo, maskable_ppo, imitation or attention.")
    ] = "maskable_ppo",
) -> None:
    """Train a policy; --algorithm NAME --help lists every option of an algorithm."""
    if algorithm not in ALGORITHMS:
        fail(f"--algorithm: {not_allowed(algorithm, ALGORITHMS)}")
    passed_on(f"train_{algorithm}", context.args)


@app.command(context_settings=PASSED_ON)
def evaluate(context: typer.Context) -> None:
    """Compare random, greedy and trained play on the same games; --help lists every option."""
    passed_on("evaluate", context.args)


def passed_on(module: str, arguments: list[str]) -> None:
    """Run the command line of a module of agents/ and end with its status."""
    with plain_errors():
        from agemonia_env.policies.trainers import import_trainer

        raise typer.Exit(import_trainer(module).main(arguments))


@app.command()
def cases(
    files: Annotated[list[Path], typer.Argument(help="Case files: YAML, or JSON of HexDungeon.")],
) -> None:
    """Run executable rule cases. Status 1 if one fails, 2 if a file cannot be read."""
    from agemonia_env.rulesets.case_files import run_files

    raise typer.Exit(run_files(files))


@app.command()
def trace(
    out: Annotated[Path, typer.Option(help="The case file to write.")],
    scenario: Scenario = "ford",
    heroes: Heroes = "2",
    pack: Pack = "core",
    level: Level = None,
    difficulty: Difficulty = "normal",
    seed: Seed = None,
    policy: Annotated[str, typer.Option(help="random or greedy.")] = "greedy",
    env: Env = DEFAULT,
) -> None:
    """Play a game of Agemonia and write it as executable rule cases. Status 1 if one fails."""
    with plain_errors():
        from agemonia_env.rulesets.case_files import run_files

        write = doors_of(env).open("trace")
        what = {"pack": pack, "heroes": party(heroes), "level": level, "difficulty": difficulty}
        typer.echo(write(out, scenario, drawn_seed(seed), policy, **what))
    raise typer.Exit(run_files([out]))


@app.command()
def coverage(
    games: Annotated[int, typer.Option("-n", "--games", min=1, help="How many games.")] = 20_000,
    pack: Pack = "core",
    out: Annotated[Path | None, typer.Option(help="Write the counts as JSON.")] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Games played as plain Python, some seconds each, to count rule functions; "
            "without it games / 2000 or 20, and up to 5 times as many while one was never called.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Fixes all chance.")] = 0,
    brief: Annotated[bool, typer.Option("--brief", help="Only what stayed at zero.")] = False,
    env: Env = DEFAULT,
) -> None:
    """Count what happens in random and greedy games of Agemonia, and what never does."""
    with plain_errors():
        doors_of(env).open("coverage")(pack, games, seed, sample, out, brief)


@app.command()
def simulate(
    games: Annotated[int, typer.Option("-n", "--games", help="How many, of all kinds.")] = 10_000,
    scenario: Annotated[
        list[str] | None,
        typer.Option(help="A scenario of the pack, random, or all; several times for several."),
    ] = None,
    heroes: Annotated[
        list[str] | None,
        typer.Option(help="How many Heroes, or their names, as orsa,ketch; several times, too."),
    ] = None,
    difficulty: Annotated[
        list[str] | None, typer.Option(help="easy, normal, hard or brutal; several times, too.")
    ] = None,
    level: Annotated[
        list[int] | None,
        typer.Option(help="Of the Heroes, 1 to 5; without one that of the scenario."),
    ] = None,
    pack: AnyPack = None,
    scenario_seed: Annotated[
        str | None,
        typer.Option(help="Of the scenario random: a seed, FIRST-LAST, train (default) or test."),
    ] = None,
    policy: Annotated[str, typer.Option(help="Of the Heroes: " + POLICY)] = "greedy",
    enemy_will: Annotated[
        str | None,
        typer.Option(help="card (default); or free, and the Enemies are played by a policy."),
    ] = None,
    enemy_policy: Annotated[
        str | None, typer.Option(help="Of Enemies with free will: greedy (default) or random.")
    ] = None,
    ties: Annotated[
        str, typer.Option(help="auto; or ask, and the policy settles the ties of the players.")
    ] = "auto",
    max_decisions: Annotated[
        int | None, typer.Option(help="A longer game is given up (5000).")
    ] = None,
    seed: Annotated[int, typer.Option(help="Fixes all chance.")] = 0,
    threads: Annotated[int, typer.Option(help="They do not change the rows.")] = 1,
    ray: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play on this Ray cluster; local starts one here."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Parquet file, a row for each game; the same command resumes it."),
    ] = None,
    chunk: Annotated[
        int | None, typer.Option(help="Games that are played, and written, at a time.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Begin anew, whatever lies there.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")] = False,
    env: Env = DEFAULT,
) -> None:
    """Play many games inside the compiled loop, and say how often they are won.

    docs/games.md explains the columns of the file. Ctrl-C keeps what has been played (status 130).
    """
    with plain_errors():
        required("polars", "simulation")
        from rich.console import Console

        from agemonia_env.simulation import run
        from agemonia_env.simulation.plan import make_plan
        from agemonia_env.simulation.progress import summary
        from agemonia_env.warmup import compile_if_cold

        console = None if quiet else Console(stderr=True)
        plan = make_plan(
            scenario,
            [party(words) for words in heroes] if heroes else None,
            policy,
            games,
            env=env,
            seed=seed,
            pack=pack,
            level=level,
            difficulty=difficulty,
            enemy_will=enemy_will,
            enemy_policy=enemy_policy,
            ties=ties,
            max_decisions=max_decisions,
            scenario_seed=seeds_of(scenario_seed),
            chunk=chunk,
        )
        if not quiet:
            compile_if_cold(lambda line: typer.echo(line, err=True), env, policy, enemy_policy)
        rows = run.rows_of(plan, threads, out, ray, force, console)
        if not quiet:
            print_table(summary(rows))


@app.command()
def league(
    policy: Annotated[
        list[str] | None,
        typer.Option(help="Of the Heroes: random, greedy, planner:N or a model; several times."),
    ] = None,
    scenario: Annotated[
        list[str] | None, typer.Option(help="A scenario, random, or all (default); several times.")
    ] = None,
    enemy_policy: Annotated[
        list[str] | None,
        typer.Option(
            help="Also moves the Enemies of each scenario, with free will; several times."
        ),
    ] = None,
    heroes: Annotated[
        list[str] | None,
        typer.Option(
            help="How many Heroes (2), or their names, as orsa,ketch; several times, too."
        ),
    ] = None,
    difficulty: Annotated[
        list[str] | None, typer.Option(help="easy, normal, hard or brutal; several times, too.")
    ] = None,
    level: Annotated[
        list[int] | None,
        typer.Option(help="Of the Heroes, 1 to 5; without one that of the scenario."),
    ] = None,
    games: Annotated[
        list[str] | None,
        typer.Option("-n", "--games", help="Of a pairing (400); POLICY=N for one that is slow."),
    ] = None,
    pack: AnyPack = None,
    scenario_seed: Annotated[
        str | None,
        typer.Option(help="Of the scenario random: a seed, FIRST-LAST, train (default) or test."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Fixes all chance.")] = 0,
    orders: Annotated[
        int, typer.Option(help="So many orders of the games are rated, for their mean.")
    ] = 20,
    threads: Annotated[int, typer.Option(help="They do not change a digit.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for games, ratings.json and ratings.png; taken up again."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")] = False,
    env: Env = DEFAULT,
) -> None:
    """Rate policies and scenarios on one scale, by games of each against each.

    docs/league.md explains the numbers. Ctrl-C keeps what was played if there is a folder for it.
    """
    with plain_errors():
        from agemonia_env.league import play as play_league

        if not quiet:
            from agemonia_env.warmup import compile_if_cold

            compile_if_cold(lambda line: typer.echo(line, err=True), env)
        report = play_league(
            policy or ("random", "greedy"),
            scenario or "all",
            [party(words) for words in heroes] if heroes else 2,
            match_games(games or []),
            enemy_policy=enemy_policy or (),
            scenario_seed=seeds_of(scenario_seed),
            seed=seed,
            orders=orders,
            threads=threads,
            out=out,
            progress=not quiet,
            env=env,
            pack=pack,
            level=level,
            difficulty=difficulty,
        )
        if not quiet:
            print_table(report)


def match_games(words: list[str]) -> dict[str, int]:
    """Games of a pairing as the command line says them: N for all, POLICY=N for one of them."""
    from agemonia_env.league import GAMES

    found = {"": GAMES}
    for text in words:
        name, _, count = text.rpartition("=")
        if not (count.isascii() and count.isdigit()):
            raise ValueError(f"--games {text}: must be a number, or POLICY=NUMBER")
        found[name] = int(count)
    return found


@content_app.command("new")
def new(
    folder: Annotated[Path, typer.Argument(help="The folder to be made.")], env: Env = DEFAULT
) -> None:
    """Make a small content pack that works, to be changed; docs/tutorial-pack.md goes on."""
    with plain_errors():
        from agemonia_env.packs.starting_pack import write_pack

        n = write_pack(folder, env)
        _, scenario = RULESETS[env].starter
        option = "" if env == DEFAULT else f" --env {env}"
        typer.echo(f"{folder}: {n} files, with the scenario {scenario}. Try:")
        typer.echo(f"  agemonia content check {folder}")
        typer.echo(f"  agemonia play --pack {folder} --scenario {scenario}{option}")


@content_app.command("check")
def check(
    pack: Annotated[str, typer.Argument(help="Name or folder of a pack, with changes if any.")],
    env: Annotated[
        str | None,
        typer.Option(help=f"Of which environment: {', '.join(RULESETS)}; the pack says it itself."),
    ] = None,
) -> None:
    """Validate a content pack; every error is printed, with file, key and what is allowed."""
    with plain_errors():
        from agemonia_env.display.messages import counted, in_line
        from agemonia_env.packs.checking import mistakes_of

        mistakes = mistakes_of(pack, env)
        for mistake in mistakes:
            typer.echo(mistake)
        told = counted(len(mistakes), "mistake") if mistakes else "no mistakes"
        typer.echo(f"{in_line(pack)}: {told}")
        raise typer.Exit(2 if mistakes else 0)


@app.command()
def warmup(
    env: Annotated[
        str | None, typer.Option(help=f"Only this one: {', '.join(RULESETS)}. Default: all.")
    ] = None,
) -> None:
    """Compile ahead of time everything that any command uses; delete old caches."""
    with plain_errors():
        from agemonia_env.warmup import cache_state, delete_old_caches, warm_up_all

        freed = delete_old_caches()
        if freed:
            typer.echo(f"Deleted the caches of older sources ({freed / 2**20:.1f} MiB).")
        typer.echo("Compiling what is not compiled yet; the first time takes some minutes.")
        envs = list(RULESETS) if env is None else [env]
        typer.echo(f"Everything is ready after {warm_up_all(typer.echo, envs):.0f} s.")
        for one in envs:
            typer.echo(f"Cache of {one}: {cache_state(one)}")


@app.command()
def info(
    pack: AnyPack = None,
    heroes: AnyHeroes = None,
    level: Level = None,
    difficulty: AnyDifficulty = None,
    env: Env = DEFAULT,
) -> None:
    """Versions, scenarios, sizes, and the state of the compiler's cache."""
    with plain_errors():
        from .info import lines

        chosen = None if heroes is None else party(heroes)
        for line in lines(env, pack=pack, heroes=chosen, level=level, difficulty=difficulty):
            typer.echo(line)


if __name__ == "__main__":
    app()
