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
from agemonia_env.rulesets.agemonia.tools.cli import app as odds_app
from agemonia_env.rulesets.doors import DEFAULT, RULESETS
from agemonia_env.rulesets.hexdungeon.tools.cli import app as hexdungeon_app
from agemonia_env.simulation import required

from . import options
from .balance import app as balance_app
from .choices import generator_of, party, seeds_of
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
content_app = typer.Typer(help="Create and check content packs.", no_args_is_help=True)
app.add_typer(content_app, name="content")
app.add_typer(balance_app, name="balance")
app.add_typer(odds_app, name="odds")
app.add_typer(hexdungeon_app, name="hexdungeon")

AutoTies = Annotated[bool, typer.Option("--auto-ties", help="Settle enemy ties without asking.")]
ALGORITHMS = ("ppo", "maskable_ppo", "imitation", "expert")  # of `train`
LATER_CHECKS = (
    "Fix them and check again: names that files use of each other are checked once every file is "
    "right by itself, and every scenario is tried last."
)
# Options are parsed by the module that does the work
FORWARDED = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def seed_or_random(seed: int | None) -> int:
    """The given seed, or a random one that can be shown and used again."""
    import secrets

    return secrets.randbelow(2**31) if seed is None else seed


@app.command()
def play(
    scenario: options.AnyScenario = None,
    heroes: options.AnyHeroes = None,
    pack: options.AnyPack = None,
    level: options.Level = None,
    difficulty: options.AnyDifficulty = None,
    scenario_seed: options.ScenarioSeed = None,
    generator: options.Generator = None,
    seed: options.Seed = None,
    auto_ties: AutoTies = False,
    gauntlet: options.Gauntlet = None,
    env: options.Env = DEFAULT,
) -> None:
    """Play a scenario in the terminal; type help there. Ctrl-C quits (status 130)."""
    with plain_errors():
        from . import terminal

        ties = "auto" if auto_ties else "ask"
        chosen = scenario, heroes, pack, level, difficulty
        drawn = scenario_seed, generator
        game = make_env(env, gauntlet, *chosen, ties, drawn=drawn)
        number = seed_or_random(seed)
        with stop_message(f"--seed {number} starts the same game again"):
            terminal.play(game, terminal.console(), number, terminal.prompt())


@app.command()
def watch(
    policy: Annotated[str, typer.Option(help=options.POLICY)] = "greedy",
    scenario: options.AnyScenario = None,
    heroes: options.AnyHeroes = None,
    pack: options.AnyPack = None,
    level: options.Level = None,
    difficulty: options.AnyDifficulty = None,
    scenario_seed: options.ScenarioSeed = None,
    generator: options.Generator = None,
    seed: options.Seed = None,
    delay: Annotated[float, typer.Option(min=0.0, help="Seconds between decisions.")] = 0.0,
    gif: Annotated[Path | None, typer.Option(help="Save the game as an animated GIF.")] = None,
    png: Annotated[Path | None, typer.Option(help="Save the last board as a picture.")] = None,
    frame_ms: Annotated[
        int, typer.Option(min=20, max=60_000, help="Milliseconds per picture of --gif.")
    ] = 1000,
    force: options.Force = False,
    threads: options.Threads = 1,
    gauntlet: options.Gauntlet = None,
    env: options.Env = DEFAULT,
) -> None:
    """Watch a policy play, with every event. Ctrl-C quits (status 130)."""
    with plain_errors():
        from agemonia_env.files.writing import check_out_file
        from agemonia_env.policies import given_policy, policy_of

        from . import terminal

        for path, suffix in ((gif, ".gif"), (png, ".png")):
            if path is not None:
                check_out_file(path, suffix, option=f"--{suffix[1:]}")
        if gif and gauntlet is not None:
            raise ValueError("--gif: not with --gauntlet, whose boards differ in size; use --png")
        what = scenario, heroes, pack, level, difficulty
        drawn = scenario_seed, generator
        game = make_env(env, gauntlet, *what, "auto", drawn=drawn)
        fingerprint = game.compiled.fingerprint
        chosen = policy_of(
            *(game.ruleset, given_policy(policy)),
            fingerprint=fingerprint,
            force=force,
            threads=threads,
        )
        number = seed_or_random(seed)
        with stop_message(f"--seed {number} shows the same game again"):
            terminal.watch(
                game, terminal.console(), number, chosen, delay, gif, png, frame_ms / 1000
            )


@app.command()
def review(
    context: typer.Context,
    policy: Annotated[str, typer.Option(help=options.POLICY)] = "greedy",
    scenario: options.AnyScenario = None,
    heroes: options.AnyHeroes = None,
    pack: options.AnyPack = None,
    level: options.Level = None,
    difficulty: options.AnyDifficulty = None,
    scenario_seed: options.ScenarioSeed = None,
    generator: options.Generator = None,
    seed: options.Seed = None,
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("game.html"),
    simulations: Annotated[
        int,
        typer.Option(min=0, max=1_000_000, help="Planner's simulations per decision, 0 for none."),
    ] = 200,
    rollouts: Annotated[
        int, typer.Option(min=0, max=100_000, help="Games played on from each option, 0 for none.")
    ] = 200,
    fork: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Play on from a review file.")
    ] = None,
    step: Annotated[
        int | None, typer.Option(min=0, help="Step of --fork, as in the page (the last).")
    ] = None,
    force: options.Force = False,
    threads: options.Threads = 1,
    env: options.Env = DEFAULT,
) -> None:
    """Write a game as a page to scrub through, with win rates; or play on from one.

    docs/review.md explains the page. Ctrl-C writes what there is so far (status 130).
    """
    with plain_errors():
        check_fork(context)
        from agemonia_env.files.writing import check_out_file
        from agemonia_env.review.analysis import Effort

        from .review import play_on, review_game

        if fork is not None:
            play_on(fork, step)
            return
        check_out_file(out, ".html")
        chosen = scenario, heroes, pack, level, difficulty
        drawn = scenario_seed, generator
        game = make_env(env, None, *chosen, ties="auto", illegal="noop", drawn=drawn)
        effort = Effort(simulations, rollouts, threads)
        review_game(game, policy, seed_or_random(seed), out, effort, force)


def check_fork(context: typer.Context) -> None:
    """Raise ValueError for options of `review` beside --fork, or --step without it."""
    given = given_options(context)
    if "fork" not in given:
        if "step" in given:
            raise ValueError("--step: only with --fork")
        return
    for name in given:
        if name not in ("fork", "step"):
            raise ValueError(f"--{name}: not with --fork, whose file says what is played")


def given_options(context: typer.Context) -> list[str]:
    """Names of the options that were given."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return [name for name, source in sources.items() if source and source.name == "COMMANDLINE"]


@app.command()
def forecast(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(help="A review file (default: the start of --scenario)."),
    ] = None,
    step: Annotated[
        int | None, typer.Option(min=0, help="Step of a review file, as in its page (the last).")
    ] = None,
    round: Annotated[
        int | None, typer.Option(min=1, help="The start of this round of a review file.")
    ] = None,
    every_round: Annotated[
        bool, typer.Option("--every-round", help="Each round of a review file, one after another.")
    ] = False,
    policy: Annotated[
        list[str] | None, typer.Option(help=f"Policy of the heroes: {options.POLICY} Repeatable.")
    ] = None,
    scenario: options.AnyScenario = None,
    heroes: options.AnyHeroes = None,
    pack: options.AnyPack = None,
    level: options.Level = None,
    difficulty: options.AnyDifficulty = None,
    games: Annotated[
        int | None,
        typer.Option("-n", "--games", help="Games of each policy (1000; a million with --width)."),
    ] = None,
    width: Annotated[
        float | None,
        typer.Option(help="Play until the win rate's interval is at most this many points wide."),
    ] = None,
    seed: options.FixedSeed = 0,
    threads: options.Threads = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    env: options.Env = DEFAULT,
) -> None:
    """Forecast how a game ends: win probability, rounds, decisions and damage still to come.

    docs/forecast.md explains the numbers. Ctrl-C prints what is known so far (status 130).
    """
    with plain_errors():
        from agemonia_env.forecasting.play import Effort
        from agemonia_env.policies import given_policy

        from .forecast import show, stops_of

        chosen = scenario, heroes, pack, level, difficulty
        where = {"file": file, "step": step, "round": round, "every_round": every_round}
        make = lambda: make_env(env, None, *chosen, ties="auto")  # noqa: E731
        effort = Effort(games, width, seed, threads)
        policies = [given_policy(text) for text in policy or ["greedy"]]
        stops = stops_of(where, given_options(context), make)
        show(stops, policies, effort, as_course=every_round, as_json=as_json)


def make_env(
    env: str,
    gauntlet: str | None,
    scenario: str | None,
    heroes: str | None,
    pack: str | None,
    level: int | None,
    difficulty: str | None,
    ties: str,
    illegal: str = "raise",
    drawn: tuple[str | None, list[str] | None] = (None, None),
) -> RulesetEnv:
    """The environment to play or watch: a gauntlet if one is named, otherwise a scenario."""
    from agemonia_env.rulesets.ruleset import ruleset_of

    rules = ruleset_of(env)
    fixed: dict[str, Any] = {"illegal": illegal, "render_mode": "ansi"}
    chosen = None if heroes is None else party(heroes)
    what: dict[str, Any] = {"heroes": chosen, "pack": pack, "difficulty": difficulty}
    what["ties"] = ties
    if gauntlet is None:
        what |= {"scenario_seed": seeds_of(drawn[0]), "generator": generator_of(drawn[1])}
        given = rules.chosen_arguments(scenario=scenario, level=level, **what)
        return env_class(rules.env_id)(**given, **fixed)
    if level is not None:
        raise ValueError("--level: not with --gauntlet, whose stages set it")
    if any(drawn):
        raise ValueError("--scenario-seed, --generator: not with --gauntlet, which draws none")
    made: RulesetEnv = RULESETS[env].open("gauntlet")(
        gauntlet, **rules.chosen_arguments(**what), **fixed
    )
    return made


@app.command(context_settings=FORWARDED)
def train(
    context: typer.Context,
    algorithm: Annotated[str, typer.Option(help="ppo, maskable_ppo, imitation or expert.")] = "ppo",
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
def coverage(
    games: Annotated[int, typer.Option("-n", "--games", min=1, help="Number of games.")] = 20_000,
    pack: options.AnyPack = None,
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
    env: options.Env = DEFAULT,
) -> None:
    """Count what happens in random and greedy games, and list what never does."""
    with plain_errors():
        from agemonia_env.coverage.report import run

        run(env, pack, games, seed, sample, out, brief)


@app.command()
def simulate(
    games: Annotated[int, typer.Option("-n", "--games", help="Games in total.")] = 10_000,
    scenario: options.Scenarios = None,
    heroes: options.Parties = None,
    difficulty: options.Difficulties = None,
    level: options.Levels = None,
    pack: options.AnyPack = None,
    scenario_seed: options.ScenarioSeed = None,
    generator: options.Generator = None,
    policy: options.HeroPolicy = "greedy",
    enemy_will: options.EnemyWill = None,
    enemy_policy: options.EnemyPolicy = None,
    ties: options.Ties = "auto",
    max_decisions: options.MaxDecisions = None,
    seed: options.FixedSeed = 0,
    threads: options.Threads = 1,
    ray: options.Ray = None,
    out: options.GamesFile = None,
    chunk: options.Chunk = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    quiet: options.Quiet = False,
    env: options.Env = DEFAULT,
) -> None:
    """Play many games fast, and report how often they are won.

    docs/games.md explains the columns of the file. Ctrl-C keeps what was played (status 130).
    """
    kinds: dict[str, Any] = {"env": env, "pack": pack, "level": level, "difficulty": difficulty}
    kinds |= {"enemy_will": enemy_will, "enemy_policy": enemy_policy, "ties": ties}
    kinds |= {"max_decisions": max_decisions, "seed": seed, "chunk": chunk}
    with plain_errors():
        required("simulation")
        from rich.console import Console

        from agemonia_env.policies import given_policy
        from agemonia_env.simulation import run
        from agemonia_env.simulation.plan import make_plan
        from agemonia_env.simulation.progress import summary
        from agemonia_env.simulation.workers import Workers
        from agemonia_env.warmup import compile_if_cold

        workers = Workers(threads, ray)
        parties = [party(words) for words in heroes] if heroes else None
        kinds |= {"scenario_seed": seeds_of(scenario_seed), "generator": generator_of(generator)}
        policy = given_policy(policy)
        kinds["enemy_policy"] = enemy_policy and given_policy(enemy_policy)
        plan = make_plan(scenario, parties, policy, games, **kinds)
        console = None if quiet else Console(stderr=True)
        if not quiet:
            compile_if_cold(print_status, env)
        rows = run.rows_of(plan, workers, out, force, console)
        if not quiet:
            print_table(summary(rows))


@app.command()
def league(
    policy: Annotated[
        list[str] | None, typer.Option(help=f"Policy of the heroes: {options.POLICY} Repeatable.")
    ] = None,
    scenario: options.Scenarios = None,
    enemy_policy: Annotated[
        list[str] | None,
        typer.Option(help="Also rate this policy, with free will, for the enemies; repeatable."),
    ] = None,
    heroes: options.Parties = None,
    difficulty: options.Difficulties = None,
    level: options.Levels = None,
    games: Annotated[
        list[str] | None,
        typer.Option("-n", "--games", help="Games per pairing (400); POLICY=N for a slow one."),
    ] = None,
    pack: options.AnyPack = None,
    scenario_seed: options.ScenarioSeed = None,
    generator: options.Generator = None,
    seed: options.FixedSeed = 0,
    orders: Annotated[
        int, typer.Option(help="The ratings are the mean over this many orders of the games.")
    ] = 20,
    threads: options.Threads = 1,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for games, ratings.json and ratings.png; resumes if it exists."),
    ] = None,
    quiet: options.Quiet = False,
    env: options.Env = DEFAULT,
) -> None:
    """Rate policies and scenarios on one scale, from games of every pairing.

    docs/league.md explains the numbers. Ctrl-C keeps what was played in --out (status 130).
    """
    how: dict[str, Any] = {"env": env, "pack": pack, "level": level, "difficulty": difficulty}
    how |= {"seed": seed, "orders": orders, "threads": threads, "out": out, "progress": not quiet}
    with plain_errors():
        from agemonia_env.league import play as play_league
        from agemonia_env.policies import given_policy

        required("league")
        if not quiet:
            from agemonia_env.warmup import compile_if_cold

            compile_if_cold(print_status, env)
        names = [*(policy or ("random", "greedy")), *(enemy_policy or ())]
        given = {name: given_policy(name) for name in names}
        report = play_league(
            [given[name] for name in policy or ("random", "greedy")],
            scenario or "all",
            [party(words) for words in heroes] if heroes else 2,
            {given.get(name, name): count for name, count in match_games(games or []).items()},
            enemy_policy=[given[name] for name in enemy_policy or ()],
            scenario_seed=seeds_of(scenario_seed),
            generator=generator_of(generator),
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


@app.command()
def challenge(
    command: Annotated[
        str | None,
        typer.Option(metavar="LINE", help="Enter a command that speaks the line protocol."),
    ] = None,
    python: Annotated[
        str | None,
        typer.Option("--object", metavar="PLACE", help="Enter module:Class or file.py:Class."),
    ] = None,
    policy: Annotated[
        str | None, typer.Option(help=f"Enter a policy by name: {options.POLICY}")
    ] = None,
    verify: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Check a row by playing all its games again."),
    ] = None,
    set_name: Annotated[
        str,
        typer.Option(
            "--set", help="The games: standard, short (for slow entries), trial (to try one out)."
        ),
    ] = "standard",
    name: Annotated[str, typer.Option(help="Name of the entry in tables (default: its own).")] = "",
    out: Annotated[
        Path, typer.Option(help="The row to write; the same command resumes it.")
    ] = Path("row.json"),
    budget_ms: Annotated[
        int | None,
        typer.Option(help="Milliseconds that a decision may take (60000, which is the most)."),
    ] = None,
    salt: Annotated[
        str | None, typer.Option(help="Of the seeds (default: the published one, see the docs).")
    ] = None,
    threads: Annotated[int, typer.Option(help="Games played at a time.")] = 1,
    env: Annotated[
        str | None,
        typer.Option(help=f"Only this environment (default: all): {', '.join(RULESETS)}."),
    ] = None,
) -> None:
    """Play an entry on the games of the leaderboard and write its row; or verify a row.

    docs/challenge.md says how to enter. Ctrl-C keeps what was played (status 130).
    """
    with plain_errors():
        from agemonia_env.challenge.play import Challenge
        from agemonia_env.challenge.settings import BUDGET_MS, SALT

        from . import challenge as work

        if verify is not None:
            work.verify(verify)
            return
        entry = work.entry_of(command, python, policy)
        budget = BUDGET_MS if budget_ms is None else budget_ms
        published = SALT if salt is None else salt
        work.play(Challenge(entry, out, set_name, name, env, budget, published, threads))


@content_app.command("new")
def new(
    folder: Annotated[Path, typer.Argument(help="The folder to create.")],
    env: options.Env = DEFAULT,
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


@content_app.command("draw")
def draw(
    seed: Annotated[int, typer.Option(min=0, help="Seed of the scenario.")] = 0,
    heroes: options.AnyHeroes = None,
    level: options.Level = None,
    pack: options.AnyPack = None,
    generator: options.Generator = None,
    env: options.Env = DEFAULT,
) -> None:
    """Print a drawn scenario as a file for the folder scenarios of a pack; it plays the same."""
    with plain_errors():
        from agemonia_env.rulesets.generators import written
        from agemonia_env.rulesets.ruleset import ruleset_of

        rules = ruleset_of(env)
        what: dict[str, Any] = {"scenario": "random", "scenario_seed": seed, "pack": pack}
        what |= {"heroes": heroes and party(heroes), "level": level}
        what |= {"generator": generator_of(generator)}
        typer.echo(written(rules.check_arguments(**rules.chosen_arguments(**what)), seed), nl=False)


@content_app.command("check")
def check(
    pack: Annotated[
        str, typer.Argument(help="Pack: name, folder or zip archive, with changes if any.")
    ],
    env: Annotated[
        str | None,
        typer.Option(help=f"Environment of the pack (default: detected): {', '.join(RULESETS)}."),
    ] = None,
) -> None:
    """Check a content pack; prints the first hundred mistakes with file, key and allowed values."""
    with plain_errors():
        from agemonia_env.display.messages import counted, in_line, number_of
        from agemonia_env.packs.checking import mistakes_of

        mistakes = mistakes_of(pack, env)
        for mistake in mistakes:
            typer.echo(mistake)
        total = counted(number_of(mistakes), "mistake") if mistakes else "no mistakes"
        typer.echo(f"{in_line(pack)}: {total}")
        if mistakes:
            typer.echo(LATER_CHECKS)
        raise typer.Exit(2 if mistakes else 0)


@app.command()
def web(
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port on this machine; 0 = any free one.")
    ] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Play, review and edit in the browser: serves the site to this machine until Ctrl-C."""
    with plain_errors():
        from .web import serve

        serve(port, typer.echo, typer.launch if browser else None)


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
    pack: options.AnyPack = None,
    heroes: options.AnyHeroes = None,
    level: options.Level = None,
    difficulty: options.AnyDifficulty = None,
    env: options.Env = DEFAULT,
) -> None:
    """Show versions, scenarios, sizes and the state of the compile cache."""
    with plain_errors():
        from .info import lines

        chosen = None if heroes is None else party(heroes)
        for line in lines(env, pack=pack, heroes=chosen, level=level, difficulty=difficulty):
            typer.echo(line)


if __name__ == "__main__":
    app()
