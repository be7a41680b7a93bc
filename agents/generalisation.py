"""Does structure help in scenarios never seen? Three networks learn alike, and play both kinds.

    python -m agents.generalisation --out runs/generalisation
    python -m agents.generalisation --networks attention --seeds 2     a part of it; the rest stays

`flat` is the network of train_ppo on the flat observation, `wide` the same with the numbers of the
scenario (map, cards, objective), `attention` that of agents/attention.py, which has these as well:
between the last two only structure differs. They learn from the same number of samples of a few
scenarios or of many, by cloning greedy play (--learn cloning) or by PPO from nothing (--learn ppo),
and then play, by their likeliest actions, games of those scenarios and of TEST_SEEDS.

Every run writes a JSON file under --out; the table of all that lie there is printed at the end,
and written as table.md.
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
from .options import Parser, number
from .play import AUTO_TIES, numbers
from .run import Report
from .train_attention import QuantizedAttention
from .train_ppo import PPO, ActorCritic, make_env

OUT = Path("runs/generalisation")
NETWORKS = ("flat", "wide", "attention")
LESSONS = ("cloning", "ppo")
UNSEEN = 128  # scenarios of TEST_SEEDS that are played
FIRST_SEED = 1_000_000_000  # of the games that are played to see what was learnt
LONGEST = 2000  # decisions of such a game; one of greedy play has a hundred
GAMES, STEPS, PART = 256, 32, 512  # of cloning: side by side, decisions at a time, in a minibatch
RATE, RATE_END = 1e-3, 1e-4  # of cloning, falling in a line
PENALTY = 1e8
ARGUMENTS = {"scenario": "random", "heroes": 2, "ties": "auto"}


class Network(Protocol):
    """Whole numbers of columns of wide rows, int8 (n, k) -> logits and value, float32."""

    columns: NDArray[np.int32]

    def __call__(self, codes: th.Tensor) -> th.Tensor:
        """(n, N_ACTIONS + 1), the value last."""


@dataclass(frozen=True)
class Result:
    """What came of one run; shares in [0, 1], seconds of processor time of learning."""

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
    seen_agreed: float  # decisions with a choice in which greedy play chooses the same
    unseen_agreed: float


class Choices(NamedTuple):
    """Decisions of greedy play: wide rows int8 (n, width), masks (n, N_ACTIONS), actions (n,)."""

    rows: NDArray[np.int8]
    masks: NDArray[np.uint8]
    actions: NDArray[np.int64]


# ---- games --------------------------------------------------------------------------------------
SCALES = AGEMONIA.SCALES


def scenarios(seeds: Sequence[int]) -> Records:
    """The scenarios of these seeds, CONTENT (k,)."""
    arguments = [AGEMONIA.check_arguments(**ARGUMENTS, scenario_seed=seed) for seed in seeds]
    return joined([one.compile(seed).content for one, seed in zip(arguments, seeds, strict=True)])


def observe(
    states: Records, contents: Records, which: NDArray[np.int16], shown: NDArray[np.int8]
) -> Choices:
    """What there is to choose in games that go on, and what greedy play would."""
    n, api = len(states), AGEMONIA.api
    observations = np.empty((n, AGEMONIA.N_OBSERVATION), np.float32)
    masks, actions = np.empty((n, AGEMONIA.N_ACTIONS), np.uint8), np.empty(n, np.int64)
    api.write_observations(states, contents, which, observations)
    api.write_masks(states, contents, which, masks)
    api.choose_actions(states, contents, which, int(AGEMONIA.POLICIES["greedy"]), actions)
    codes = np.rint(observations * SCALES).astype(np.int8)
    return Choices(np.concatenate([codes, shown[which]], axis=1), masks, actions)


def greedy_choices(contents: Records, seed: int) -> Iterator[Choices]:
    """Decisions with a choice, of STEPS steps of GAMES games at a time, without end."""
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
            told = states, contents, which, seen.actions
            AGEMONIA.api.step(*told, AUTO_TIES, AGEMONIA.api.NO_ROWS, denials)
            over = np.flatnonzero(states["ending"] != GOING_ON)
            which[over] = random.integers(len(contents), size=len(over))
            anew = random.integers(2**62, size=len(over), dtype=np.uint64)
            states[over] = start_games(AGEMONIA, contents, which[over], anew, control=AUTO_TIES)
        yield Choices(*(np.concatenate(arrays) for arrays in zip(*taken, strict=True)))


@th.no_grad()
def likeliest(network: Network, seen: Choices) -> NDArray[np.int64]:
    """The likeliest legal actions."""
    outputs = network(th.from_numpy(seen.rows[:, network.columns])).numpy()[:, :-1]
    actions: NDArray[np.int64] = np.where(seen.masks, outputs, -np.inf).argmax(axis=1)
    return actions


def play(network: Network, contents: Records, games: int) -> tuple[int, float]:
    """Games won of so many, and the share of choices in which greedy play chooses the same."""
    which, seeds = numbers(games, contents), np.arange(games, dtype=np.uint64) + FIRST_SEED
    shown = STRUCTURE.scenario_int8(contents)
    states = start_games(AGEMONIA, contents, which, seeds, control=AUTO_TIES)
    won = agreed = choices = 0
    for _ in range(LONGEST):
        seen = observe(states, contents, which, shown)
        actions, choice = likeliest(network, seen), seen.masks.sum(axis=1) > 1
        agreed += int((actions == seen.actions)[choice].sum())
        choices += int(choice.sum())
        told, denials = (states, contents, which, actions), np.empty(len(states), np.int16)
        AGEMONIA.api.step(*told, AUTO_TIES, AGEMONIA.api.NO_ROWS, denials)
        going = states["ending"] == GOING_ON
        won += int(states["won"][~going].sum())
        states, which = states[going], which[going]
        if not len(states):
            break
    return won, agreed / choices


# ---- learning -----------------------------------------------------------------------------------
def untrained(name: str, contents: Records, config: Config) -> Any:
    """The network of that name, for these scenarios."""
    dtype = th.bfloat16 if config.bfloat16 else th.float32
    if name == "attention":
        return QuantizedAttention(AttentionPolicy(**config.tokens.model_dump()), dtype)
    columns = changing_columns(AGEMONIA, contents[:UNSEEN], control=AUTO_TIES)
    if name == "wide":
        shown = STRUCTURE.scenario_int8(contents)
        differing = np.flatnonzero((shown != shown[0]).any(axis=0))
        columns += (AGEMONIA.N_OBSERVATION + differing).tolist()
    scales = np.concatenate([SCALES, STRUCTURE.scenario_scales])
    taken = np.array(columns, np.int32)
    return ActorCritic(taken, scales, config.net_arch, AGEMONIA.N_ACTIONS, dtype)


def clone(network: Any, contents: Records, samples: int, seed: int) -> int:
    """Let the network choose as greedy play does; returns how many samples it has seen."""
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
    """The learner of train_ppo, with a network made before."""

    def __init__(self, config: Config, env: Any, seed: int, network: Any) -> None:
        self._given = network
        super().__init__(config, env, seed)

    def made(self, begin: Any = None) -> Any:
        """The network given."""
        return self._given


def learn_by_ppo(network: Any, config: Config, out: Path, console: Console) -> int:
    """Let the network learn by PPO; returns how many samples it has seen."""
    env = ScenarioInObservation(make_env(config))
    learner = PrebuiltPPO(config, env, config.seed, network)
    report = Report(config, out, console, "", lambda path: None)
    report.start(0)
    while learner.steps < config.total_steps:
        report.note(learner.steps, learner.iterate(report))
    report.stop()
    env.close()
    return learner.steps


def learn(name: str, count: int, seed: int, told: argparse.Namespace, console: Console) -> Result:
    """One run: a network of that name learns in the first `count` of TRAIN_SEEDS, and plays."""
    changes = {"seed": seed, "scenario_seed": [0, count - 1], "total_steps": told.samples}
    config = read_config(
        CONFIGS / "generalisation.yaml", {key: json.dumps(value) for key, value in changes.items()}
    )
    seen, unseen = scenarios(range(count)), scenarios(TEST_SEEDS[:UNSEEN])
    th.manual_seed(seed)
    network = untrained(name, seen, config)
    begun = time.process_time()
    if told.learn == "cloning":
        samples = clone(network, seen, told.samples, seed)
    else:
        samples = learn_by_ppo(network, config, told.out, console)
    seconds = time.process_time() - begun
    seen_won, seen_agreed = play(network, seen, told.games)
    unseen_won, unseen_agreed = play(network, unseen, told.games)
    parameters = sum(one.numel() for one in network.parameters())
    return Result(
        *(name, told.learn, count, seed, samples, seconds, parameters, told.games),
        *(seen_won, unseen_won, seen_agreed, unseen_agreed),
    )


# ---- the table ----------------------------------------------------------------------------------
def results(out: Path) -> list[Result]:
    """All that lie in a folder. ConfigError if one of them was made with other rules."""
    found = []
    for path in out.glob("*-*.json"):
        told = json.loads(path.read_text())
        difference = next(differences(told.get(IDENTITY), identity_of(AGEMONIA.env_id)), None)
        if difference:
            raise ConfigError(f"{path}: {difference}; delete it, or choose another --out")
        found.append(told["result"])
    order = [(LESSONS.index(x["lesson"]), x["scenarios"], NETWORKS.index(x["network"]), x["seed"])
             for x in found]  # fmt: skip
    return [Result(**found[i]) for i in sorted(range(len(found)), key=order.__getitem__)]


def share(won: int, games: int) -> str:
    """A share with its 95 % interval, in percent."""
    low, high = wilson(won, games)
    return f"{100 * won / games:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def table(rows: list[Result]) -> str:
    """The results as a table of Markdown."""
    text = (
        "| learnt by | scenarios | network | seed | samples | samples/s | minutes | won, seen | "
        "won, unseen | gap | as greedy, seen | unseen |\n|" + 12 * "---|"
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
    """The command line; see the head of this file."""
    parser = Parser(prog="python -m agents.generalisation", description="Compare networks.")
    add, count = parser.add_argument, number(1, MOST_GAMES)
    add("--networks", nargs="+", choices=NETWORKS, default=NETWORKS)
    add("--learn", choices=LESSONS, default="cloning")
    add("--scenarios", nargs="+", type=count, default=[64, 512], help="how many to learn from")
    add("--seeds", nargs="+", type=number(0, 2**32 - 1), default=[1], help="of networks and games")
    add("--samples", type=count, default=400_000, help="decisions to learn from (%(default)s)")
    add("--games", type=count, default=2000, help="to play afterwards, of each kind (%(default)s)")
    add("--out", type=Path, default=OUT, help="folder for results (%(default)s)")
    options: argparse.Namespace = parser.parse_args(arguments)
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0 = done, 2 = bad input, told in one line on stderr."""
    th.set_num_threads(1)
    try:
        told, console = parse(arguments), Console()
        check_out_folder(told.out)
        with stopped_by_sigterm(), locked_folder(told.out):
            run(told, console)
    except (ConfigError, OSError, ValueError) as error:
        print(f"generalisation: {line_of(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"generalisation: stopped; {told.out} has what is done", file=sys.stderr)
        return STATUS
    return 0


def run(told: argparse.Namespace, console: Console) -> None:
    """Learn what is asked for, and print the table of all that lies in the folder."""
    compile_if_cold(console.print, AGEMONIA.env_id)
    results(told.out)  # what is there must go into one table with what is to come
    made = {IDENTITY: identity_of(AGEMONIA.env_id), "versions": versions()}
    for seed in told.seeds:
        for count in told.scenarios:
            for name in told.networks:
                result = asdict(learn(name, count, seed, told, console))
                path = told.out / f"{told.learn}-{count}-{name}-{seed}.json"
                write_json(path, {"result": result, **made})
    text = table(results(told.out))
    write_whole(told.out / "table.md", text)
    print(text, end="")


if __name__ == "__main__":
    sys.exit(main())
