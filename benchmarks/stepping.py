"""Measured work of this package: single and vector environments, and parts of a step.

A step is one decision with observation and mask; actions are random and legal; finished games
restart. Games side by side are at all stages: started together they would all ask the same kind of
question, and a short measurement would see nothing else.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec
from numpy.typing import NDArray

from agemonia_env.core.env_slots import Control
from agemonia_env.envs import env_class, vec_env_class, vector_env_class
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.policies.planner import Planner
from agemonia_env.rulesets.arguments import RANDOM
from agemonia_env.rulesets.ruleset import Ruleset

from .play import Play, episodes, processor, random_legal, wall

AUTO_TIES = int(Control.AUTO_TIES)
NO_CHECKS = np.zeros(0, np.int64)
MANY = 1000
LAST_LEGAL = 0.25  # share of steps that take the last legal action
Records = NDArray[Any]


def starter(rules: Ruleset) -> tuple[str, ...]:
    """The default scenario."""
    return (rules.check_arguments().scenario,)


def everything(rules: Ruleset) -> tuple[str, ...]:
    """All scenarios of the pack."""
    return tuple(rules.load_pack(rules.check_arguments().pack).scenarios)


class Vector:
    """n games of the native vector env, drawn from the given scenarios."""

    def __init__(
        self,
        rules: Ruleset,
        n: int,
        scenarios: tuple[str, ...] = (),
        heroes: int = 4,
        threads: int = 1,
        dtype: str = "float32",
        observation: str = "full",
        *,
        features: bool = False,
    ) -> None:
        """scenarios: () for all; observation: or "fitted"; features: of the legal actions."""
        played = scenarios or everything(rules)
        mix = [{"scenario": name, "heroes": heroes} for name in played]
        self.rules, self.n, self.threads = rules, n, threads
        self.features = features
        more: dict[str, Any] = {"dtype": dtype, "copy": False, "threads": threads}
        more |= {"observation": observation, "ties": "auto"}
        self.env = vector_env_class(rules.env_id)(n, mix=mix, **more)
        self.batch = self.env.batch
        self.states, self.bytes = self.batch.states, self.batch.arrays.raw
        self.actions = np.zeros(n, np.int64)
        self.env.reset(seed=0)

    @property
    def scenes(self) -> tuple[Records, Records, NDArray[np.int16]]:
        """The first arguments of every core entry: states, contents, rows of the contents."""
        return self.states, self.batch.contents.rows, self.batch.slots["which"].copy()

    def scatter(self, span: int) -> Vector:
        """Advance game i by i/n of `span` random decisions."""
        reach = np.arange(self.n) * span // self.n
        kept, slots = self.bytes.copy(), self.batch.slots.copy()
        for step in range(span):
            self.step(self.choose())
            there = reach == step
            kept[there], slots[there] = self.bytes[there], self.batch.slots[there]
        self.put(kept, slots)
        return self

    def put(self, states: Records, slots: Records) -> None:
        """Put games into the slots; their masks are written at the next step."""
        self.bytes[:], self.batch.slots[:] = states, slots
        self.batch.slots["legal_at"] = -1

    def choose(self) -> NDArray[np.int64]:
        """Random legal actions."""
        random = int(self.rules.POLICIES["random"])
        self.rules.api.choose_actions(*self.scenes, random, self.actions)
        return self.actions

    def step(self, actions: NDArray[np.int64]) -> int:
        """One step of every game -> n."""
        self.env.step(actions)
        if self.features:
            self.env.action_features()
        return self.n


@functools.cache
def scattered(
    rules: Ruleset, scenarios: tuple[str, ...], heroes: int, pool: int, span: int
) -> Vector:
    """About `pool` games at all stages, equally many per scenario."""
    n = -(-pool // len(scenarios)) * len(scenarios)
    return Vector(rules, n, scenarios, heroes).scatter(span)


def fleet(
    rules: Ruleset,
    n: int,
    scenarios: tuple[str, ...] = (),
    heroes: int = 4,
    threads: int = 1,
    dtype: str = "float32",
    observation: str = "full",
    *,
    features: bool = False,
    pool: int = 252,
    span: int = 600,
) -> Vector:
    """Make n games at all stages: copies from a pool, each with its own random streams."""
    seen = {"dtype": dtype, "observation": observation}
    vector = Vector(rules, n, scenarios, heroes, threads, **seen, features=features)
    source = scattered(rules, scenarios or everything(rules), heroes, pool, span)
    like = np.arange(n) % source.n
    vector.put(source.bytes[like], source.batch.slots[like])
    scenes = vector.scenes
    for i in range(n):
        rules.api.set_chance(*scenes, i, np.uint64(i))
    return vector


def under_way(rules: Ruleset, n: int, scenario: str, span: int) -> Vector:
    """N games of a scenario after `span` steps; drawn ones cannot be copied from a pool."""
    vector = Vector(rules, n, (scenario,), 2, dtype="int8")
    for _ in range(span):
        vector.step(vector.choose())
    return vector


# ---- measured work ---------------------------------------------------------------------------
def vector_play(vector: Vector) -> Play:
    """Steps of all games, with actions drawn from the masks."""
    vector.step(vector.choose())  # writes the masks of the new positions
    choose = functools.partial(random_legal, vector.batch.masks, np.random.default_rng(0))
    clock = wall if vector.threads > 1 else processor
    written = vector.batch.observations.shape[1] + vector.rules.N_ACTIONS
    return Play(vector.step, choose, clock, vector.n, written)


def half_batches(halves: list[Vector]) -> Play:
    """Steps of two half batches in turn, with the first legal action or, at times, the last.

    Choosing counts, since threads play meanwhile; drawing from the masks would take half a step.
    """
    random = np.random.default_rng(0)
    for half in halves:
        half.step(half.choose())  # writes the masks of the new positions

    def begin(half: Vector) -> None:
        legal = half.batch.masks.view(np.bool_)
        last = random.random() < LAST_LEGAL
        actions = legal.shape[1] - 1 - legal[:, ::-1].argmax(1) if last else legal.argmax(1)
        half.env.step_async(actions)

    def work(_: object) -> int:
        for half in halves:
            half.env.step_wait()
            begin(half)
        return sum(half.n for half in halves)

    for half in halves:
        begin(half)
    return Play(work, clock=wall)


def observations(vector: Vector) -> Play:
    """Writing observations only."""
    out = np.zeros((vector.n, vector.rules.N_OBSERVATION), np.float32)
    return repeated(lambda: vector.rules.api.write_observations(*vector.scenes, out), vector.n)


def masks(vector: Vector) -> Play:
    """Writing masks only."""
    out = np.zeros((vector.n, vector.rules.N_ACTIONS), np.uint8)
    return repeated(lambda: vector.rules.api.write_masks(*vector.scenes, out), vector.n)


def copies(vector: Vector) -> Play:
    """Copying states from one array to another."""
    target = np.empty_like(vector.bytes)
    return repeated(lambda: np.copyto(target, vector.bytes), vector.n)


def rollouts(
    rules: Ruleset,
    scenarios: tuple[str, ...],
    heroes: int,
    policy: str,
    *,
    n: int,
    limit: int,
    count_games: bool = False,
) -> Play:
    """Whole games in the compiled loop, with setup, n at a time; counts decisions or games."""
    vector, number = Vector(rules, n, scenarios, heroes), int(rules.POLICIES[policy])

    def work(_: object) -> int:
        vector.batch.reset(np.ones(n, np.bool_))
        played = rules.api.rollout(*vector.scenes, number, AUTO_TIES, limit, NO_CHECKS)
        return n if count_games else int(played)

    return Play(work)


def searches(
    rules: Ruleset, simulations: int, scenario: str, threads: int = 1, *, decisions: bool = False
) -> Play:
    """Planner simulations, or decisions, at the first decision of a scenario."""
    vector = Vector(rules, 1, (scenario,), 2)
    planner = Planner(rules, simulations, threads)
    planner.choose(*vector.scenes)  # compiles before the measurement

    def work(_: object) -> int:
        before = int(planner.done[0])
        planner.choose(*vector.scenes)
        return 1 if decisions else int(planner.done[0]) - before

    return Play(work, clock=wall if threads > 1 else processor)


def scenarios(rules: Ruleset) -> Play:
    """Scenarios drawn from seeds, a hundred at a time."""
    generator = rules.check_arguments(scenario=RANDOM).make_generator()
    return Play(lambda _: len(generator.draw_all(range(100)).plans))


def rows_of_games(rules: Ruleset, n: int, scenario: str | None = None) -> Play:
    """Greedy games as rows of a simulation, n at a time; None: of the starter scenario."""
    from agemonia_env.simulation.plan import make_plan
    from agemonia_env.simulation.play import play_chunk

    plan = make_plan(scenario, 2, "greedy", n, env=rules.env_id, chunk=n)
    return Play(lambda _: len(play_chunk(plan, 0, lambda games, wins: None)))


def alone(rules: Ruleset) -> RulesetEnv:
    """The environment without wrappers, in the starter scenario."""
    return env_class(rules.env_id)(ties="auto")


def made(rules: Ruleset) -> gymnasium.Env[Any, Any]:
    """The environment from gymnasium.make, with Gymnasium's wrappers."""
    return gymnasium.make(f"agemonia_env:{rules.env_id}", ties="auto")


class Idle(gymnasium.Env[Any, Any]):
    """An environment that does nothing, to measure the wrappers around it."""

    observation_space = action_space = gymnasium.spaces.Discrete(2)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Do nothing."""
        super().reset(seed=seed)
        return 0, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Do nothing."""
        return 0, 0.0, False, False, {}


def idle(**choices: Any) -> gymnasium.Env[Any, Any]:
    """An idle environment from gymnasium.make."""
    return gymnasium.make(EnvSpec("Idle-v0", lambda **_: Idle()), **choices)


def idle_play(env: gymnasium.Env[Any, Any]) -> Play:
    """Steps of an idle environment, many at a time: one is shorter than reading the clock."""
    env.reset(seed=0)

    def work(_: object) -> int:
        for _ in range(MANY):
            env.step(0)
        return MANY

    return Play(work)


def single_play(env: gymnasium.Env[Any, Any]) -> Play:
    """Steps of one environment."""
    return episodes(env, lambda info: info["action_mask"])


def repeated(do: Callable[[], object], n: int = 1) -> Play:
    """Repeated calls, each counting as n."""

    def work(_: object) -> int:
        do()
        return n

    return Play(work)


def clones(rules: Ruleset) -> Play:
    """Independent copies of an environment."""
    env = alone(rules)
    env.reset(seed=0)
    return repeated(lambda: env.clone(reseed=False))


def returns(rules: Ruleset) -> Play:
    """Saving and restoring a position."""
    env = alone(rules)
    env.reset(seed=0)
    return repeated(lambda: env.set_state(env.get_state()))


def sb3_play(rules: Ruleset, n: int, begin: int) -> Play:
    """The Stable-Baselines3 VecEnv in the starter scenario, with masks.

    `begin` steps are played first, so that the games are at different stages.
    """
    env = vec_env_class(rules.env_id)(n, ties="auto", seed=0)
    env.reset()
    masks, random = env.action_masks(), np.random.default_rng(0)

    def choose() -> NDArray[np.intp]:
        return random_legal(masks, random)

    def work(actions: NDArray[np.intp]) -> int:
        nonlocal masks
        env.step(actions)
        masks = env.action_masks()
        return n

    for _ in range(begin):
        work(choose())
    return Play(work, choose)
