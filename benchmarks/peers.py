"""Other libraries, a small function each: random legal play, with observation and mask each step.

`python -m benchmarks.peers NAME` measures one of them: for each line of standard input, a number of
seconds, it prints a line with steps per second. That process imports only what the peer needs, so
peers can be installed in another Python than this package. Without NAME it prints those installed.

To install all: pip install gymnasium pettingzoo pygame-ce open-spiel pgx envpool, and without
dependencies, because it pins another Gymnasium: --no-deps catanatron-gym catanatron networkx.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TextIO

import numpy as np

from .play import Play, episodes, random_legal, single


@dataclass(frozen=True)
class Peer:
    """A library: its name on PyPI, the game, and what else to pass to pip."""

    package: str
    make: Callable[[], Play]
    needs: str = ""

    @property
    def pip(self) -> str:
        """The command that installs it."""
        return f"pip install {self.needs} {self.package}".replace("  ", " ")


def cartpole() -> Play:
    """Gymnasium's CartPole from gymnasium.make; it has no mask."""
    both = np.ones(2, np.int8)
    return episodes(import_module("gymnasium").make("CartPole-v1"), lambda _: both)


def cartpole_vector(n: int) -> Play:
    """Gymnasium's vectorised CartPole in NumPy, n games."""
    gymnasium = import_module("gymnasium")
    env = gymnasium.make_vec("CartPole-v1", n, vectorization_mode="vector_entry_point")
    env.reset(seed=0)

    def work(actions: Any) -> int:
        env.step(actions)
        return n

    return Play(work, env.action_space.sample)


def catanatron() -> Play:
    """Catan against a random opponent that plays inside the step."""
    import_module("catanatron_gym")
    env = import_module("gymnasium").make("catanatron-v1")

    def mask_of(info: dict[str, Any]) -> Any:
        mask = np.zeros(env.action_space.n, np.int8)
        mask[info["valid_actions"]] = 1
        return mask

    return single(env, mask_of)


def pettingzoo() -> Play:
    """Connect four, both sides."""
    env = import_module("pettingzoo.classic.connect_four_v3").env()
    env.reset(seed=0)
    random = np.random.default_rng(0)
    mask = env.last()[0]["action_mask"]

    def work(action: int) -> int:
        nonlocal mask
        env.step(action)
        if env.terminations[env.agent_selection]:
            env.reset()
        mask = env.last()[0]["action_mask"]
        return 1

    return Play(work, lambda: int(random.choice(np.flatnonzero(mask))))


def open_spiel() -> Play:
    """Backgammon, both sides."""
    game = import_module("pyspiel").load_game("backgammon")
    random = np.random.default_rng(0)
    state = game.new_initial_state()
    mask: list[int] = []

    def look() -> None:
        nonlocal state, mask
        while state.is_chance_node() or state.is_terminal():
            if state.is_terminal():
                state = game.new_initial_state()
            else:
                outcomes = state.chance_outcomes()  # equally likely except for doubles
                state.apply_action(outcomes[int(random.random() * len(outcomes))][0])
        state.observation_tensor(state.current_player())
        mask = state.legal_actions_mask()

    def work(action: int) -> int:
        state.apply_action(action)
        look()
        return 1

    look()
    return Play(work, lambda: int(random.choice(np.flatnonzero(mask))))


def pgx(n: int) -> Play:
    """Backgammon, both sides, n games in one compiled JAX call."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    jax = import_module("jax")
    env = import_module("pgx").make("backgammon")
    auto_reset = import_module("pgx.experimental").auto_reset
    many_steps = jax.vmap(auto_reset(env.step, env.init))
    random = np.random.default_rng(0)

    def step(state: Any, actions: Any, key: Any) -> tuple[Any, Any]:
        keys = jax.random.split(key, n + 1)
        return many_steps(state, actions, keys[1:]), keys[0]

    compiled = jax.jit(step)
    key = jax.random.PRNGKey(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, n))

    def work(actions: Any) -> int:
        nonlocal state, key
        state, key = jax.block_until_ready(compiled(state, actions, key))
        return n

    return Play(work, lambda: random_legal(np.asarray(state.legal_action_mask), random))


def envpool(n: int) -> Play:
    """Backgammon, both sides, n games on one thread of C++."""
    make = import_module("envpool").make_gymnasium
    env = make("Backgammon-v1", num_envs=n, num_threads=1, seed=0)
    random = np.random.default_rng(0)
    masks = env.reset()[1]["legal_action_mask"]

    def work(actions: Any) -> int:
        nonlocal masks
        masks = env.step(actions)[4]["legal_action_mask"]
        return n

    return Play(work, lambda: random_legal(masks, random).astype(np.int32))


def fastcatan(n: int) -> Play:
    """Catan of four players, all sides, n games on one thread of C++."""
    os.environ["OMP_NUM_THREADS"] = "1"
    library = import_module("fastcatan")
    env, random = library.BatchedEnv(n, seed=0), np.random.default_rng(0)
    words = np.zeros((n, library.MASK_WORDS), np.uint64)
    observations = np.zeros((n, library.OBS_SIZE), np.float32)
    rewards, over = np.zeros(n, np.float32), np.zeros(n, np.uint8)

    def look() -> None:
        env.write_masks(words)
        env.write_obs(observations)

    def choose() -> Any:
        masks = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
        return random_legal(masks, random).astype(np.uint32)

    def work(actions: Any) -> int:
        env.step(actions, rewards, over)
        look()
        return n

    env.reset()
    look()
    return Play(work, choose)


def minispire() -> Play:
    """Combats of a deck-building game, one at a time in C++."""
    env = import_module("minispire").MinispireEnv()
    return episodes(env, lambda _: env.action_masks())


PEERS = {
    "Gymnasium CartPole": Peer("gymnasium", cartpole),
    "Gymnasium CartPoleVectorEnv, N = 1,024": Peer("gymnasium", partial(cartpole_vector, 1024)),
    "minispire": Peer("minispire", minispire),
    "fastcatan, N = 1,024": Peer("fastcatan", partial(fastcatan, 1024)),
    "Catanatron": Peer("catanatron-gym", catanatron, "--no-deps catanatron networkx"),
    "PettingZoo connect four": Peer("pettingzoo", pettingzoo, "pygame-ce"),
    "OpenSpiel backgammon": Peer("open-spiel", open_spiel),
    "Pgx backgammon, N = 256": Peer("pgx", partial(pgx, 256)),
    "EnvPool Backgammon, N = 1,024": Peer("envpool", partial(envpool, 1024)),
}


def installed() -> dict[str, str]:
    """Versions of the libraries installed in this Python."""
    found = {}
    for peer in PEERS.values():
        try:
            found[peer.package] = version(peer.package)
        except PackageNotFoundError:
            continue
    return found


def serve(play: Play, questions: TextIO, answers: TextIO) -> None:
    """Answer each number of seconds with the steps per second."""
    for line in questions:
        print(play.per_second(float(line)), file=answers, flush=True)


def main() -> None:
    """Run the command line; see the module docstring."""
    if len(sys.argv) < 2:
        print(json.dumps(installed()))
        return
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # keeps output of the libraries out of the answers
    serve(PEERS[sys.argv[1]].make(), sys.stdin, answers)


if __name__ == "__main__":
    main()
