"""Train both sides, each against the present and past networks of the other.

    python -m agents.self_play                              configs/self_play.yaml
    python -m agents.self_play --total-steps 1000000        any key as an option
    python -m agents.self_play --resume                     continue after the last generation

First each side imitates a teacher, as agents/train_imitation.py does: untrained heroes win no game
against any enemies, so neither side would see what winning takes. After that, in a generation the
heroes learn for `checkpoint_steps` decisions while the enemies stay fixed, then the enemies for as
many. Each rollout draws its opponent: mostly the other side's newest network, otherwise a past one
from its pool, uniformly. Without past opponents a side forgets how to beat them, and the two chase
each other in a circle (O. Vinyals et al., Nature 575, 2019).

Writes under --out, in hero/ and enemy/, model.npz, the pool as checkpoints/ and a learning curve
(as train_ppo does); and curve.json, the share of games that each side wins after every generation
against the other's newest network, its whole pool, and greedy and random play.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray
from rich.box import SIMPLE
from rich.table import Table

from agemonia_env.envs.batch import mix_entries
from agemonia_env.files.stopping import Interrupted, uninterrupted
from agemonia_env.files.writing import write_json
from agemonia_env.policies import Policy, policy_of
from agemonia_env.policies.named import load_network, network_policy
from agemonia_env.policies.network import SUFFIX, Network
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of
from agemonia_env.simulation.games import Records

from .config import CONFIGS, Config
from .play import FIRST_SEED, contents_of, play_games
from .run import OVERRIDE_HINT, Job, Report, Trainer, read_curve, record_of
from .train_imitation import Imitation
from .train_ppo import PPO, make_env, played_in, start_learner
from .train_ppo import run as run_one_side

CONFIG = CONFIGS / "self_play.yaml"
OUT = Path("runs/self_play")
HERO, ENEMY = SIDES = ("hero", "enemy")
SCRIPTED = ("greedy", "random")
LATEST = 0.8  # share of rollouts against the newest network
GAMES = 400  # per comparison, after every generation

IMITATION = "imitation"  # folder of the imitation run, below that of the side
BEGINNING = f"step_{0:010d}"  # name of the checkpoint that a side started from

Point = dict[str, Any]


class Pool:
    """The networks of a side as an opponent: usually the newest, sometimes a past one."""

    name, batch = "pool", 1024

    def __init__(self, rules: Ruleset, seed: int, latest: float = LATEST) -> None:
        """Start with random play. latest: probability that `draw` picks the newest member."""
        self.rules, self.latest = rules, latest
        self.random = np.random.default_rng(seed)
        self.current = policy_of(rules, "random")
        self.members: list[Policy] = [self.current]

    def add(self, network: Network) -> None:
        """Add a network as the newest member."""
        name = f"generation {len(self.members)}"
        self.members.append(network_policy(self.rules, name, network))

    def draw(self) -> None:
        """Draw the member that plays from now on."""
        newest = len(self.members) - 1
        past = newest > 0 and self.random.random() >= self.latest
        self.current = self.members[self.random.integers(newest) if past else newest]

    def choose(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """See Policy.choose."""
        return self.current.choose(states, contents, which)


class Side:
    """One side: its learner and the pool of its networks."""

    def __init__(self, job: Job, side: str, pools: Mapping[str, Pool]) -> None:
        """Start, or if the job resumes continue after this side's last generation.

        A model that a side starts from is the first of its pool, as generation 0.
        """
        self.config = job.config.model_copy(update={"side": side})
        self.out, self.console = job.out / side, job.console
        self.pool, self.opponent = pools[side], pools[ENEMY if side == HERO else HERO]
        kept = sorted(self.out.glob(f"checkpoints/step_*{SUFFIX}")) if job.resume else []
        self.generation = sum(path.stem != BEGINNING for path in kept)
        for path in kept:
            earlier = load_network(
                path, pools[side].rules, None, force=job.force, override_hint=OVERRIDE_HINT
            )
            self.pool.add(earlier)
        resume = kept[-1] if kept else None
        own = replace(job, config=self.config, out=self.out, resume=resume)
        warm = None if kept else beginning(own)
        own = replace(own, warm=warm)
        self.env = make_env(self.config, opponent=self.opponent)
        fingerprints = [one.reference().fingerprint for one in played_in(self.env)]
        self.learner = start_learner(PPO, own, self.env, fingerprints[0])
        self.record = record_of(own, fingerprints[0])
        self.record["fingerprints"] = fingerprints
        if warm is not None:
            self.save(self.out / "checkpoints" / f"{BEGINNING}{SUFFIX}")
            self.pool.add(self.learner.network.network(self.record))

    def learn(self) -> None:
        """Learn for a generation, and add the network to the pool."""
        report = Report(self.config, self.out, self.console, SUFFIX, self.save)
        end = self.learner.steps + self.config.checkpoint_steps
        report.start(self.learner.steps)
        try:
            while self.learner.steps < end:
                self.opponent.draw()
                statistics = self.learner.iterate(report)
                report.note(self.learner.steps, statistics)  # the last one saves the checkpoint
        finally:
            report.stop()
        self.pool.add(self.learner.network.network(self.record))
        self.generation += 1

    def save(self, path: Path) -> None:
        """Write the current network."""
        self.learner.save(path, self.record)


def beginning(job: Job) -> Path | None:
    """The model that a side starts from: from --from, or trained now by imitating the teacher.

    None without either.
    """
    config = job.config
    if job.warm:
        return job.warm / str(config.side) / f"model{SUFFIX}"
    if not config.imitation_steps:
        return None
    job.console.print(f"The {config.side} side imitates {config.teacher} play")
    only = config.model_copy(update={"total_steps": config.imitation_steps})
    try:
        return run_one_side(replace(job, config=only, out=job.out / IMITATION), kind=Imitation)
    except KeyboardInterrupt:
        message = f"stopped while the {config.side} side imitated {config.teacher} play"
        raise Interrupted(f"{message}; the same command starts again") from None


# ---- evaluation ----------------------------------------------------------------------------------
class Arena:
    """Compares the two sides, on the same games every time."""

    def __init__(self, config: Config) -> None:
        """Compile what `config` plays, with decisions of both sides."""
        self.rules = ruleset_of(config.env)
        chosen = self.rules.chosen_arguments(**config.env_kwargs() | {"side": "both"})
        arguments = self.rules.check_arguments(**chosen)
        shared = mix_entries(self.rules, arguments, config.mix)
        self.contents = contents_of([share.arguments for share in shared])
        self.control = arguments.control()

    def won(self, heroes: Policy, *enemies: Policy) -> float:
        """The share of games that the heroes win, equally many against each enemy policy."""
        return self._shared([(heroes, one) for one in enemies])

    def lost(self, enemies: Policy, *heroes: Policy) -> float:
        """The share of games that the enemies win, equally many against each hero policy."""
        return 1 - self._shared([(one, enemies) for one in heroes])

    def _shared(self, pairings: list[tuple[Policy, Policy]]) -> float:
        """The share that the heroes win of GAMES games, split evenly among the pairings."""
        won, games = [], max(1, GAMES // len(pairings))
        seeds = np.arange(FIRST_SEED, FIRST_SEED + games, dtype=np.uint64)
        for heroes, enemies in pairings:
            table = self.rules, self.contents, seeds, heroes
            won.append(play_games(*table, enemy_policy=enemies, control=self.control).won.mean())
        return float(np.mean(won))

    def compare(self, heroes: Pool, enemies: Pool) -> dict[str, dict[str, float]]:
        """The share of games that each side's newest network wins, by opponent."""
        (*past, hero), (*others, enemy) = heroes.members, enemies.members
        return {
            HERO: {
                "latest": self.won(hero, enemy),
                "pool": self.won(hero, *others[1:], enemy),
                **{name: self.won(hero, self._scripted(name, ENEMY)) for name in SCRIPTED},
            },
            ENEMY: {
                "latest": self.lost(enemy, hero),
                "pool": self.lost(enemy, *past[1:], hero),
                **{name: self.lost(enemy, self._scripted(name, HERO)) for name in SCRIPTED},
            },
        }

    def _scripted(self, name: str, side: str) -> Policy:
        return policy_of(self.rules, name, side=side)


def table(curve: list[Point]) -> Table:
    """The curve for the terminal."""
    against = ("latest", "pool", *SCRIPTED)
    title = f"Games won after each generation, by opponent ({GAMES} games each)"
    shown = Table(title=title, title_justify="left", box=SIMPLE, padding=0)
    shown.add_column("#", justify="right")
    for side, name in product(("heroes", "enemies"), against):
        shown.add_column(f"{side}\n{name}", justify="right")
    for point in curve:
        rates = [point[side][name] for side, name in product(SIDES, against)]
        shown.add_row(str(point["generation"]), *(f"{rate:.1%}" for rate in rates))
    return shown


# ---- a run ---------------------------------------------------------------------------------------
def run(job: Job) -> Path:
    """Run the job; returns the folder with both models."""
    config = job.config
    th.set_num_threads(config.threads)
    arena = Arena(config)
    pools = {side: Pool(arena.rules, config.seed) for side in SIDES}
    sides = [Side(job, side, pools) for side in SIDES]
    curve: list[Point] = read_curve(job.out) if job.resume else []

    def compare(generation: int) -> None:
        steps = {f"{side.config.side}_steps": side.learner.steps for side in sides}
        curve.append({"generation": generation, **steps, **arena.compare(*pools.values())})
        write_json(job.out / "curve.json", curve)

    try:
        both = sides[-1].generation  # the enemies learn last
        if both > (curve[-1]["generation"] if curve else 0):  # stopped before this comparison
            compare(both)
        while sides[-1].learner.steps < config.total_steps:
            generation = sides[-1].generation + 1
            for side in sides:
                if side.generation < generation:  # a stopped run may have done only one side
                    side.learn()
            compare(generation)
    except KeyboardInterrupt:
        save(sides)
        message = f"stopped; {job.out} holds both models"
        raise Interrupted(f"{message}; --resume continues after the last generation") from None
    finally:
        for side in sides:
            side.env.close()
    save(sides)
    job.console.print(table(curve))
    return job.out


def save(sides: Sequence[Side]) -> None:
    """Save the current networks of both sides."""
    with uninterrupted():
        for side in sides:
            side.save(side.out / f"model{SUFFIX}")


FOLDER = "Folder with hero/ and enemy/, whose models both sides start from."
main = Trainer("self_play", CONFIG, SUFFIX, OUT, run, models=HERO, warm=FOLDER).main

if __name__ == "__main__":
    sys.exit(main())
