"""The command line `agemonia`.

Commands import what they need when they run, so that --help is quick.
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
from .output import fail, plain_errors, print_status, print_table

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
HEROES = typer.Option(help="Number of heroes, 1 to 4, or their names, such as orsa,tamsin.")
PACK = typer.Option(help="Content pack: name or folder, with changes: 'core; CHANGE; CHANGE'.")
DIFFICULTY = typer.Option(help="easy, normal, hard or brutal.")
Scenario = Annotated[str, SCENARIO]
Heroes = Annotated[str, HEROES]
Pack = Annotated[str, PACK]
Difficulty = Annotated[str, DIFFICULTY]
# Without a value the environment chosen by --env applies its own default
Env = Annotated[str, typer.Option(help=f"Environment: {', '.join(RULESETS)}.")]
AnyScenario = Annotated[str | None, SCENARIO]
AnyHeroes = Annotated[str | None, HEROES]
AnyPack = Annotated[str | None, PACK]
AnyDifficulty = Annotated[str | None, DIFFICULTY]
Gauntlet = Annotated[
    str | None, typer.Option(help="A gauntlet of the pack, instead of a scenario.")
]
Level = Annotated[
    int | None, typer.Option(help="Level of the heroes, 1 to 5 (default: the scenario's).")
]
Seed = Annotated[int | None, typer.Option(help="Seed of all randomness (default: drawn).")]
AutoTies = Annotated[
    bool, typer.Option("--auto-ties", help="Settle ties of the enemies automatically.")
]
POLICY = "random, greedy, planner:SIMULATIONS, or a model file."
ALGORITHMS = ("ppo", "maskable_ppo", "imitation", "attention")  # of `train`
# Options are parsed by the module that does the work
FORWARDED = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def seed_or_random(seed: int | None) -> int:
    """The given seed, or a random one that can be shown and used again."""
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
    """Play a scenario in the terminal. Ctrl-C quits (status 130)."""
    with plain_errors():
        from . import terminal

        ties = "auto" if auto_ties else "ask"
        game = make_env(env, gauntlet, scenario, heroes, pack, level, difficulty, ties)
        number = seed_or_random(seed)
        with stop_message(f"--seed {number} starts the same game again"):
            terminal.play(game, terminal.console(), number, terminal.prompt())


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
    gif: Annotated[Path | None, typer.Option(help="Save the game as an animated GIF.")] = None,
    png: Annotated[Path | None, typer.Option(help="Save the last board as a picture.")] = None,
    frame_ms: Annotated[
        int, typer.Option(min=20, max=60_000, help="Milliseconds per picture of --gif.")
    ] = 1000,
    force: Annotated[
        bool, typer.Option("--force", help="Accept a model made for another ruleset.")
    ] = False,
    gauntlet: Gauntlet = None,
    env: Env = DEFAULT,
) -> None:
    """Watch a policy play, with every event. Ctrl-C quits (status 130)."""
    with plain_errors():
        from agemonia_env.files.writing import check_out_file
        from agemonia_env.policies import policy_of

        from . import terminal

        for path, suffix in ((gif, ".gif"), (png, ".png")):
            if path is not None:
                check_out_file(path, suffix, option=f"--{suffix[1:]}")
        if gif and gauntlet is not None:
            raise ValueError("--gif: not with --gauntlet, whose boards differ in size; use --png")
        game = make_env(env, gauntlet, scenario, heroes, pack, level, difficulty, "auto")
        fingerprint = game.compiled.fingerprint
        chosen = policy_of(game.ruleset, policy, fingerprint=fingerprint, force=force)
        number = seed_or_random(seed)
        with stop_message(f"--seed {number} shows the same game again"):
            terminal.watch(
                game, terminal.console(), number, chosen, delay, gif, png, frame_ms / 1000
            )


def make_env(
    env: str,
    gauntlet: str | None,
    scenario: str | None,
    heroes: str | None,
    pack: str | None,
    level: int | None,
    difficulty: str | None,
    ties: str,
) -> RulesetEnv:
    """The environment to play or watch: a gauntlet if one is named, otherwise a scenario."""
    from agemonia_env.rulesets.ruleset import ruleset_of

    rules = ruleset_of(env)
    fixed: dict[str, Any] = {"illegal": "raise", "render_mode": "ansi"}
    chosen = None if heroes is None else party(heroes)
    what = {"heroes": chosen, "pack": pack, "difficulty": difficulty, "ties": ties}
    if gauntlet is None:
        given = rules.chosen_arguments(scenario=scenario, level=level, **what)
        return env_class(rules.env_id)(**given, **fixed)
    if level is not None:
        raise ValueError("--level: not with --gauntlet, whose stages set it")
    made: RulesetEnv = RULESETS[env].open("gauntlet")(
        gauntlet, **rules.chosen_arguments(**what), **fixed
    )
    return made


@app.command(context_settings=FORWARDED)
def train(
    context: typer.Context,
    algorithm: Annotated[
        str, typer.Option(help="ppo, maskable_ppo, imitation or attention.")
    ] = "maskable_ppo",
) -> None:
    """Train a policy; --algorithm NAME --help lists the options of an algorithm."""
    if algorithm not in ALGORITHMS:
        fail(f"--algorithm: {not_allowed(algorithm, ALGORITHMS)}")
    run_trainer(f"train_{algorithm}", context.args)


@app.command(context_settings=FORWARDED)
def evaluate(context: typer.Context) -> None:
    """Compare random, greedy and trained play on the same games; --help lists the options."""
    run_trainer("evaluate", context.args)


def run_trainer(module: str, arguments: list[str]) -> None:
    """Run the command line of a module of agents/ and exit with its status."""
    with plain_errors():
        from agemonia_env.policies.trainers import import_trainer

        raise typer.Exit(import_trainer(module).main(arguments))


@app.command()
def cases(
    files: Annotated[list[Path], typer.Argument(help="Case files: YAML, or JSON for HexDungeon.")],
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
    """Play a game of Agemonia and write it as rule cases. Status 1 if one fails."""
    with plain_errors():
        from agemonia_env.rulesets.case_files import run_files

        write = doors_of(env).open("trace")
        what = {"pack": pack, "heroes": party(heroes), "level": level, "difficulty": difficulty}
        typer.echo(write(out, scenario, seed_or_random(seed), policy, **what))
    raise typer.Exit(run_files([out]))


@app.command()
def coverage(
    games: Annotated[int, typer.Option("-n", "--games", min=1, help="Number of games.")] = 20_000,
    pack: Pack = "core",
    out: Annotated[Path | None, typer.Option(help="Write the counts as JSON.")] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Games played as plain Python, to count rule functions; each takes seconds "
            "(default: games / 2000, at least 20; up to 5 times as many if one is never called).",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all randomness.")] = 0,
    brief: Annotated[bool, typer.Option("--brief", help="Print only what never happened.")] = False,
    env: Env = DEFAULT,
) -> None:
    """Count what happens in random and greedy games of Agemonia, and list what never does."""
    with plain_errors():
        doors_of(env).open("coverage")(pack, games, seed, sample, out, brief)


Scenarios = Annotated[
    list[str] | None, typer.Option(help="A scenario of the pack, random, or all; repeatable.")
]
Parties = Annotated[
    list[str] | None,
    typer.Option(help="Number of heroes, or their names, such as orsa,ketch; repeatable."),
]
Difficulties = Annotated[
    list[str] | None, typer.Option(help="easy, normal, hard or brutal; repeatable.")
]
Levels = Annotated[
    list[int] | None,
    typer.Option(help="Level of the heroes, 1 to 5 (default: the scenario's); repeatable."),
]
ScenarioSeed = Annotated[
    str | None,
    typer.Option(help="For the scenario random: a seed, FIRST-LAST, train (default) or test."),
]
FixedSeed = Annotated[int, typer.Option(help="Seed of all randomness.")]
Threads = Annotated[int, typer.Option(help="Number of threads; it does not change the results.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")]


@app.command()
def simulate(
    games: Annotated[int, typer.Option("-n", "--games", help="Games in total.")] = 10_000,
    scenario: Scenarios = None,
    heroes: Parties = None,
    difficulty: Difficulties = None,
    level: Levels = None,
    pack: AnyPack = None,
    scenario_seed: ScenarioSeed = None,
    policy: Annotated[str, typer.Option(help=f"Policy of the heroes: {POLICY}")] = "greedy",
    enemy_will: Annotated[
        str | None, typer.Option(help="What moves the enemies: card (default), or free: a policy.")
    ] = None,
    enemy_policy: Annotated[
        str | None, typer.Option(help="Policy of free enemies: greedy (default) or random.")
    ] = None,
    ties: Annotated[
        str, typer.Option(help="The players' ties: auto, or ask: the policy settles them.")
    ] = "auto",
    max_decisions: Annotated[
        int | None, typer.Option(help="Stop a game after this many decisions (5000).")
    ] = None,
    seed: FixedSeed = 0,
    threads: Threads = 1,
    ray: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play on this Ray cluster; local starts one here."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Parquet file with one row per game; the same command resumes it."),
    ] = None,
    chunk: Annotated[
        int | None, typer.Option(help="Games that are played and written at a time.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    quiet: Quiet = False,
    env: Env = DEFAULT,
) -> None:
    """Play many games in the compiled loop, and report how often they are won.

    docs/games.md explains the columns of the file. Ctrl-C keeps what was played (status 130).
    """
    kinds: dict[str, Any] = {"env": env, "pack": pack, "level": level, "difficulty": difficulty}
    kinds |= {"enemy_will": enemy_will, "enemy_policy": enemy_policy, "ties": ties}
    kinds |= {"max_decisions": max_decisions, "seed": seed, "chunk": chunk}
    with plain_errors():
        required("polars", "simulation")
        from rich.console import Console

        from agemonia_env.simulation import run
        from agemonia_env.simulation.plan import make_plan
        from agemonia_env.simulation.progress import summary
        from agemonia_env.warmup import compile_if_cold

        parties = [party(words) for words in heroes] if heroes else None
        seeds = seeds_of(scenario_seed)
        plan = make_plan(scenario, parties, policy, games, scenario_seed=seeds, **kinds)
        console = None if quiet else Console(stderr=True)
        if not quiet:
            compile_if_cold(print_status, env, policy, enemy_policy)
        rows = run.rows_of(plan, threads, out, ray, force, console)
        if not quiet:
            print_table(summary(rows))


@app.command()
def league(
    policy: Annotated[
        list[str] | None, typer.Option(help=f"Policy of the heroes: {POLICY} Repeatable.")
    ] = None,
    scenario: Scenarios = None,
    enemy_policy: Annotated[
        list[str] | None,
        typer.Option(help="A policy that moves the enemies, too, with free will; repeatable."),
    ] = None,
    heroes: Parties = None,
    difficulty: Difficulties = None,
    level: Levels = None,
    games: Annotated[
        list[str] | None,
        typer.Option("-n", "--games", help="Games per pairing (400); POLICY=N for a slow one."),
    ] = None,
    pack: AnyPack = None,
    scenario_seed: ScenarioSeed = None,
    seed: FixedSeed = 0,
    orders: Annotated[
        int, typer.Option(help="The ratings are the mean over this many orders of the games.")
    ] = 20,
    threads: Threads = 1,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for games, ratings.json and ratings.png; resumes if it exists."),
    ] = None,
    quiet: Quiet = False,
    env: Env = DEFAULT,
) -> None:
    """Rate policies and scenarios on one scale, from games of each against each.

    docs/league.md explains the numbers. Ctrl-C keeps what was played in --out (status 130).
    """
    how: dict[str, Any] = {"env": env, "pack": pack, "level": level, "difficulty": difficulty}
    how |= {"seed": seed, "orders": orders, "threads": threads, "out": out, "progress": not quiet}
    with plain_errors():
        from agemonia_env.league import play as play_league

        if not quiet:
            from agemonia_env.warmup import compile_if_cold

            compile_if_cold(print_status, env)
        report = play_league(
            policy or ("random", "greedy"),
            scenario or "all",
            [party(words) for words in heroes] if heroes else 2,
            match_games(games or []),
            enemy_policy=enemy_policy or (),
            scenario_seed=seeds_of(scenario_seed),
            **how,
        )
        if not quiet:
            print_table(report)


def match_games(words: list[str]) -> dict[str, int]:
    """Parse games per pairing: N for all policies, POLICY=N for one."""
    from agemonia_env.league import GAMES

    games = {"": GAMES}
    for text in words:
        name, _, count = text.rpartition("=")
        if not (count.isascii() and count.isdigit()):
            raise ValueError(f"--games {text}: must be NUMBER or POLICY=NUMBER")
        games[name] = int(count)
    return games


@content_app.command("new")
def new(
    folder: Annotated[Path, typer.Argument(help="The folder to create.")], env: Env = DEFAULT
) -> None:
    """Create a small working content pack to start from; docs/tutorial-pack.md explains it."""
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
    pack: Annotated[str, typer.Argument(help="Pack: name or folder, with changes if any.")],
    env: Annotated[
        str | None,
        typer.Option(help=f"Environment of the pack (default: detected): {', '.join(RULESETS)}."),
    ] = None,
) -> None:
    """Check a content pack; prints every mistake with file, key and allowed values."""
    with plain_errors():
        from agemonia_env.display.messages import counted, in_line
        from agemonia_env.packs.checking import mistakes_of

        mistakes = mistakes_of(pack, env)
        for mistake in mistakes:
            typer.echo(mistake)
        total = counted(len(mistakes), "mistake") if mistakes else "no mistakes"
        typer.echo(f"{in_line(pack)}: {total}")
        raise typer.Exit(2 if mistakes else 0)


@app.command()
def warmup(
    env: Annotated[
        str | None, typer.Option(help=f"Environment (default: all): {', '.join(RULESETS)}.")
    ] = None,
) -> None:
    """Compile ahead of time everything that commands use, and delete old caches."""
    with plain_errors():
        from agemonia_env.warmup import cache_state, delete_old_caches, warm_up_all

        freed = delete_old_caches()
        if freed:
            typer.echo(f"Deleted caches of older versions ({freed / 2**20:.1f} MiB).")
        typer.echo("Compiling what is not cached yet; the first time takes several minutes.")
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
    """Show versions, scenarios, sizes and the state of the compile cache."""
    with plain_errors():
        from .info import lines

        chosen = None if heroes is None else party(heroes)
        for line in lines(env, pack=pack, heroes=chosen, level=level, difficulty=difficulty):
            typer.echo(line)


if __name__ == "__main__":
    app()
