"""Does structure help in new scenarios? Trains three networks alike and plays both kinds.

    python -m agents.generalisation --out runs/generalisation
    python -m agents.generalisation --networks attention --seeds 2     a part; other results stay

`flat` is the network of train_ppo on the flat observation, `wide` the same plus the scenario arrays
(map, cards, objective), `attention` the network of agents/attention.py with the same input as
`wide`, so these two differ only in structure. All learn from the same number of samples, of few or
many scenarios, by cloning greedy play (--learn cloning) or by PPO from scratch (--learn ppo). Then
they play, taking their most likely actions, the training scenarios and those of TEST_SEEDS.

Every run writes a JSON file under --out; the table of all results there is printed at the end and
written as table.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch as th
from numpy.typing import NDArray
from rich.console import Console
from torch.nn import functional

from agemonia_env.cli.output import line_of
from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.envs.wrappers import ScenarioInObservation
from agemonia_env.files.locking import locked_folder
from agemonia_env.files.stopping import STATUS, stopped_by_sigterm
from agemonia_env.files.writing import check_out_folder, write_json, write_whole
from agemonia_env.rulesets.agemonia.content.procedural import TEST_SEEDS
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.agemonia.states.obs_arrays import STRUCTURE
from agemonia_env.rulesets.identity import IDENTITY, differences, identity_of
from agemonia_env.simulation.games import Records, joined, start_games
from agemonia_env.simulation.interval import wilson
from agemonia_env.warmup import compile_if_cold

from .attention import AttentionPolicy
from .columns import changing_columns
from .config import CONFIGS, Config, ConfigError, read_config
from .evaluate import MOST_GAMES
from .model_file import versions
from .networks import ActorCritic, Inputs
from .options import Parser, number
from .play import AUTO_TIES, numbers
from .run import Report
from .train_attention import QuantizedAttention
from .train_ppo import PPO, dtype_of_products, make_env

OUT = Path("runs/generalisation")
NETWORKS = ("flat", "wide", "attention")
LESSONS = ("cloning", "ppo")
UNSEEN = 128  # scenarios of TEST_SEEDS to play
FIRST_SEED = 1_000_000_000  # core seed of the first evaluation game
LONGEST = 2000  # decisions of an evaluation game; greedy play takes about a hundred
GAMES, STEPS, PART = (
    256,
    32,
    512,
)  # of cloning: games side by side, decisions at a time, minibatch size
RATE, RATE_END = 1e-3, 1e-4  # learning rate of cloning, decaying linearly
PENALTY = 1e8
ARGUMENTS = {"scenario": "random", "heroes": 2, "ties": "auto"}


class Network(Protocol):
    """Quantized columns of wide rows, int8 (n, k) -> logits and value, float32."""

    columns: NDArray[np.int32]

    def __call__(self, codes: th.Tensor) -> th.Tensor:
        """(n, N_ACTIONS + 1), the value last."""


@dataclass(frozen=True)
class Result:
    """The result of one run; shares in [0, 1], seconds: processor time of learning."""

    network: str
    lesson: str
    scenarios: int
    seed: int
    samples: int
    seconds: float
    parameters: int
    games: int
    seen_won: int
    unseen_won: int
    seen_agreed: float  # share of decisions with a choice where greedy play agrees
    unseen_agreed: float


class Choices(NamedTuple):
    """Decisions of greedy play: wide rows int8 (n, width), masks (n, N_ACTIONS), actions (n,)."""

    rows: NDArray[np.int8]
    masks: NDArray[np.uint8]
    actions: NDArray[np.int64]


# ---- games --------------------------------------------------------------------------------------
SCALES = AGEMONIA.SCALES


def scenarios(seeds: Sequence[int]) -> Records:
    """Compile the scenarios of these seeds, CONTENT (k,)."""
    arguments = [AGEMONIA.check_arguments(**ARGUMENTS, scenario_seed=seed) for seed in seeds]
    return joined([one.compile(seed).content for one, seed in zip(arguments, seeds, strict=True)])


def observe(
    states: Records, contents: Records, which: NDArray[np.int16], shown: NDArray[np.int8]
) -> Choices:
    """The decisions in running games, and the greedy action of each."""
    n, api = len(states), AGEMONIA.api
    observations = np.empty((n, AGEMONIA.N_OBSERVATION), np.float32)
    masks, actions = np.empty((n, AGEMONIA.N_ACTIONS), np.uint8), np.empty(n, np.int64)
    api.write_observations(states, contents, which, observations)
    api.write_masks(states, contents, which, masks)
    api.choose_actions(states, contents, which, int(AGEMONIA.POLICIES["greedy"]), actions)
    codes = np.rint(observations * SCALES).astype(np.int8)
    return Choices(np.concatenate([codes, shown[which]], axis=1), masks, actions)


def greedy_choices(contents: Records, seed: int) -> Iterator[Choices]:
    """Yield decisions with a choice, of STEPS steps of GAMES games at a time, endlessly."""
    random, shown = np.random.default_rng(seed), STRUCTURE.scenario_int8(contents)
    which = numbers(GAMES, contents)
    seeds = random.integers(2**62, size=GAMES, dtype=np.uint64)
    states = start_games(AGEMONIA, contents, which, seeds, control=AUTO_TIES)
    denials = np.zeros(GAMES, np.int16)
    while True:
        taken = []
        for _ in range(STEPS):
            seen = observe(states, contents, which, shown)
            choice = seen.masks.sum(axis=1) > 1
            taken.append(Choices(*(array[choice] for array in seen)))
            step = states, contents, which, seen.actions
            AGEMONIA.api.step(*step, AUTO_TIES, AGEMONIA.api.NO_ROWS, denials)
            over = np.flatnonzero(states["ending"] != GOING_ON)
            which[over] = random.integers(len(contents), size=len(over))
            seeds = random.integers(2**62, size=len(over), dtype=np.uint64)
            states[over] = start_games(AGEMONIA, contents, which[over], seeds, control=AUTO_TIES)
        yield Choices(*(np.concatenate(arrays) for arrays in zip(*taken, strict=True)))


@th.no_grad()
def likeliest(network: Network, seen: Choices) -> NDArray[np.int64]:
    """The most likely legal action of each row."""
    outputs = network(th.from_numpy(seen.rows[:, network.columns])).numpy()[:, :-1]
    actions: NDArray[np.int64] = np.where(seen.masks, outputs, -np.inf).argmax(axis=1)
    return actions


def play(network: Network, contents: Records, games: int) -> tuple[int, float]:
    """Play games -> how many were won, and the share of choices where greedy play agrees."""
    which, seeds = numbers(games, contents), np.arange(games, dtype=np.uint64) + FIRST_SEED
    shown = STRUCTURE.scenario_int8(contents)
    states = start_games(AGEMONIA, contents, which, seeds, control=AUTO_TIES)
    won = agreed = choices = 0
    for _ in range(LONGEST):
        seen = observe(states, contents, which, shown)
        actions, choice = likeliest(network, seen), seen.masks.sum(axis=1) > 1
        agreed += int((actions == seen.actions)[choice].sum())
        choices += int(choice.sum())
        step, denials = (states, contents, which, actions), np.empty(len(states), np.int16)
        AGEMONIA.api.step(*step, AUTO_TIES, AGEMONIA.api.NO_ROWS, denials)
        going = states["ending"] == GOING_ON
        won += int(states["won"][~going].sum())
        states, which = states[going], which[going]
        if not len(states):
            break
    return won, agreed / choices


# ---- learning -----------------------------------------------------------------------------------
def untrained(name: str, contents: Records, config: Config) -> Any:
    """The untrained network of this name for these scenarios."""
    dtype = dtype_of_products(config)
    if name == "attention":
        return QuantizedAttention(AttentionPolicy(**config.tokens.model_dump()), dtype)
    columns = changing_columns(AGEMONIA, contents[:UNSEEN], control=AUTO_TIES)
    if name == "wide":
        shown = STRUCTURE.scenario_int8(contents)
        differing = np.flatnonzero((shown != shown[0]).any(axis=0))
        columns += (AGEMONIA.N_OBSERVATION + differing).tolist()
    scales = np.concatenate([SCALES, STRUCTURE.scenario_scales])
    taken = np.array(columns, np.int32)
    return ActorCritic(Inputs(taken), scales, config.net_arch, AGEMONIA.N_ACTIONS, dtype)


def clone(network: Any, contents: Records, samples: int, seed: int) -> int:
    """Train the network to imitate greedy play; returns the number of samples."""
    optimiser = th.optim.Adam(network.parameters(), eps=1e-5, fused=True)
    random, seen = np.random.default_rng(seed), 0
    for choices in greedy_choices(contents, seed):
        order = random.permutation(len(choices.actions))
        for first in range(0, len(order), PART):
            part = order[first : first + PART]
            rows, masks, actions = (th.from_numpy(array[part]) for array in choices)
            outputs = network(rows[:, th.from_numpy(network.columns)])[:, :-1]
            loss: Any = functional.cross_entropy(outputs - PENALTY * (masks == 0), actions)
            optimiser.zero_grad()
            loss.backward()
            th.nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            for group in optimiser.param_groups:
                group["lr"] = RATE + seen / samples * (RATE_END - RATE)
            optimiser.step()
            seen += len(part)
            if seen >= samples:
                break
        if seen >= samples:
            break
    return seen


class PrebuiltPPO(PPO):
    """The learner of train_ppo with a given network."""

    def __init__(self, config: Config, env: Any, seed: int, network: Any) -> None:
        self._given = network
        super().__init__(config, env, seed)

    def build_network(self, begin: Any = None) -> Any:
        """The given network."""
        return self._given


def learn_by_ppo(network: Any, config: Config, out: Path, console: Console) -> int:
    """Train the network with PPO; returns the number of samples."""
    env = ScenarioInObservation(make_env(config))
    learner = PrebuiltPPO(config, env, config.seed, network)
    report = Report(config, out, console, "", lambda path: None)
    report.start(0)
    while learner.steps < config.total_steps:
        report.note(learner.steps, learner.iterate(report))
    report.stop()
    env.close()
    return learner.steps


def learn(
    name: str, count: int, seed: int, options: argparse.Namespace, console: Console
) -> Result:
    """One run: train this network on the first `count` of TRAIN_SEEDS, then evaluate it."""
    changes = {"seed": seed, "scenario_seed": [0, count - 1], "total_steps": options.samples}
    config = read_config(
        CONFIGS / "generalisation.yaml", {key: json.dumps(value) for key, value in changes.items()}
    )
    seen, unseen = scenarios(range(count)), scenarios(TEST_SEEDS[:UNSEEN])
    th.manual_seed(seed)
    network = untrained(name, seen, config)
    begun = time.process_time()
    if options.learn == "cloning":
        samples = clone(network, seen, options.samples, seed)
    else:
        samples = learn_by_ppo(network, config, options.out, console)
    seconds = time.process_time() - begun
    seen_won, seen_agreed = play(network, seen, options.games)
    unseen_won, unseen_agreed = play(network, unseen, options.games)
    parameters = sum(one.numel() for one in network.parameters())
    return Result(
        *(name, options.learn, count, seed, samples, seconds, parameters, options.games),
        *(seen_won, unseen_won, seen_agreed, unseen_agreed),
    )


# ---- the table ----------------------------------------------------------------------------------
def results(out: Path) -> list[Result]:
    """All results in a folder. ConfigError if one was made with other rules."""
    found = []
    for path in out.glob("*-*.json"):
        record = json.loads(path.read_text())
        difference = next(differences(record.get(IDENTITY), identity_of(AGEMONIA.env_id)), None)
        if difference:
            raise ConfigError(f"{path}: {difference}; delete it, or choose another --out")
        found.append(record["result"])
    order = [(LESSONS.index(x["lesson"]), x["scenarios"], NETWORKS.index(x["network"]), x["seed"])
             for x in found]  # fmt: skip
    return [Result(**found[i]) for i in sorted(range(len(found)), key=order.__getitem__)]


def share(won: int, games: int) -> str:
    """A share with its 95 % interval, in percent."""
    low, high = wilson(won, games)
    return f"{100 * won / games:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def table(rows: list[Result]) -> str:
    """The results as a Markdown table."""
    text = (
        "| learned by | scenarios | network | seed | samples | samples/s | minutes | won, train | "
        "won, test | gap | agrees with greedy, train | test |\n|" + 12 * "---|"
    )
    for row in rows:
        gap = 100 * (row.seen_won - row.unseen_won) / row.games
        text += (
            f"\n| {row.lesson} | {row.scenarios} | {row.network} | {row.seed} | {row.samples:,} | "
            f"{row.samples / row.seconds:,.0f} | {row.seconds / 60:.1f} | "
            f"{share(row.seen_won, row.games)} | {share(row.unseen_won, row.games)} | {gap:+.1f} | "
            f"{100 * row.seen_agreed:.1f} | {100 * row.unseen_agreed:.1f} |"
        )
    return text + "\n"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; see the module docstring."""
    parser = Parser(prog="python -m agents.generalisation", description="Compare networks.")
    add, count = parser.add_argument, number(1, MOST_GAMES)
    add("--networks", nargs="+", choices=NETWORKS, default=NETWORKS)
    add("--learn", choices=LESSONS, default="cloning")
    add(
        "--scenarios",
        nargs="+",
        type=count,
        default=[64, 512],
        help="numbers of training scenarios",
    )
    add(
        "--seeds",
        nargs="+",
        type=number(0, 2**32 - 1),
        default=[1],
        help="seeds of networks and games",
    )
    add("--samples", type=count, default=400_000, help="training decisions (%(default)s)")
    add("--games", type=count, default=2000, help="evaluation games of each kind (%(default)s)")
    add("--out", type=Path, default=OUT, help="folder for results (%(default)s)")
    options: argparse.Namespace = parser.parse_args(arguments)
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0 = done, 2 = bad input (one line on stderr), 130 = stopped."""
    th.set_num_threads(1)
    try:
        options, console = parse(arguments), Console()
        check_out_folder(options.out)
        with stopped_by_sigterm(), locked_folder(options.out):
            run(options, console)
    except (ConfigError, OSError, ValueError) as error:
        print(f"generalisation: {line_of(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"generalisation: stopped; {options.out} keeps the finished runs", file=sys.stderr)
        return STATUS
    return 0


def run(options: argparse.Namespace, console: Console) -> None:
    """Train and evaluate, and print the table of all results in the folder."""
    compile_if_cold(console.print, AGEMONIA.env_id)
    results(options.out)  # refuses results of other rules before any training
    facts = {IDENTITY: identity_of(AGEMONIA.env_id), "versions": versions()}
    for seed in options.seeds:
        for count in options.scenarios:
            for name in options.networks:
                result = asdict(learn(name, count, seed, options, console))
                path = options.out / f"{options.learn}-{count}-{name}-{seed}.json"
                write_json(path, {"result": result, **facts})
    text = table(results(options.out))
    write_whole(options.out / "table.md", text)
    print(text, end="")


if __name__ == "__main__":
    sys.exit(main())
