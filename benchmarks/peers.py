"""Other libraries, a small function each: random legal play, with observation and mask each step.

`python -m benchmarks.peers NAME` measures one of them, or a case of ours: for each line of standard
input, a number of seconds, it prints a line with steps per second; for the line `sizes`, JSON (see
`sizes_of`). That process imports only what the peer needs, so peers can be installed in another
Python than this package. Without NAME it prints those installed.

To install all: pip install gymnasium pettingzoo pygame-ce open-spiel pgx envpool minispire
"fastcatan<2", and without dependencies, because it pins another Gymnasium: --no-deps catanatron-gym
catanatron networkx. fastcatan needs Python 3.12 or newer.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from .play import Play, chooser, episodes, random_legal, single, wall

SIZES = "sizes"
MEMORY = Path("/proc/self/statm")  # of Linux
GROWN, PATIENCE = 2**24, 10.0  # bytes or seconds after which no further games are made


@dataclass(frozen=True)
class Peer:
    """A library: its name on PyPI, the game, what else to pass to pip, and versions that fit."""

    package: str
    make: Callable[[], Play]
    needs: str = ""
    versions: str = ""

    @property
    def pip(self) -> str:
        """The command that installs it."""
        wanted = f'"{self.package}{self.versions}"' if self.versions else self.package
        return f"pip install {self.needs} {wanted}".replace("  ", " ")


def cartpole() -> Play:
    """Gymnasium's CartPole from gymnasium.make; it has no mask."""
    return episodes(import_module("gymnasium").make("CartPole-v1"))


def cartpole_vector(n: int) -> Play:
    """Gymnasium's vectorised CartPole in NumPy, n games."""
    gymnasium = import_module("gymnasium")
    env = gymnasium.make_vec("CartPole-v1", n, vectorization_mode="vector_entry_point")
    observations, _ = env.reset(seed=0)

    def work(actions: Any) -> int:
        env.step(actions)
        return n

    return Play(work, env.action_space.sample, games=n, numbers=observations.shape[1])


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
    random, seen = chooser(), env.last()[0]
    mask = seen["action_mask"]

    def work(action: int) -> int:
        nonlocal mask
        env.step(action)
        if env.terminations[env.agent_selection]:
            env.reset()
        mask = env.last()[0]["action_mask"]
        return 1

    numbers = seen["observation"].size + mask.size
    return Play(work, lambda: int(random.choice(np.flatnonzero(mask))), numbers=numbers)


def open_spiel() -> Play:
    """Backgammon, both sides."""
    game = import_module("pyspiel").load_game("backgammon")
    random = chooser()
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
    numbers = game.observation_tensor_size() + len(mask)
    return Play(work, lambda: int(random.choice(np.flatnonzero(mask))), numbers=numbers)


@cache
def pgx_calls(n: int) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Compiled calls that begin and step n games."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    jax = import_module("jax")
    env = import_module("pgx").make("backgammon")
    auto_reset = import_module("pgx.experimental").auto_reset
    many_steps = jax.vmap(auto_reset(env.step, env.init))

    def step(state: Any, actions: Any, key: Any) -> tuple[Any, Any]:
        keys = jax.random.split(key, n + 1)
        return many_steps(state, actions, keys[1:]), keys[0]

    return jax.jit(jax.vmap(env.init)), jax.jit(step)


def pgx(n: int) -> Play:
    """Backgammon, both sides, n games in one compiled JAX call."""
    init, compiled = pgx_calls(n)
    jax, random = import_module("jax"), np.random.default_rng(0)
    key = jax.random.PRNGKey(0)
    state = init(jax.random.split(key, n))

    def work(actions: Any) -> int:
        nonlocal state, key
        state, key = jax.block_until_ready(compiled(state, actions, key))
        return n

    def choose() -> Any:
        return random_legal(np.asarray(state.legal_action_mask), random)

    numbers = (state.observation.size + state.legal_action_mask.size) // n
    return Play(work, choose, games=n, numbers=numbers)


def envpool(n: int) -> Play:
    """Backgammon, both sides, n games on one thread of C++."""
    make = import_module("envpool").make_gymnasium
    env = make("Backgammon-v1", num_envs=n, num_threads=1, seed=0)
    random = np.random.default_rng(0)
    observations, info = env.reset()
    masks = info["legal_action_mask"]

    def work(actions: Any) -> int:
        nonlocal masks
        masks = env.step(actions)[4]["legal_action_mask"]
        return n

    def choose() -> Any:
        return random_legal(masks, random).astype(np.int32)

    return Play(work, choose, games=n, numbers=(observations.size + masks.size) // n)


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
    return Play(work, choose, games=n, numbers=library.OBS_SIZE + library.NUM_ACTIONS)


def minispire() -> Play:
    """Combats of a deck-building game, one at a time in C++."""
    env = import_module("minispire").MinispireEnv()
    return episodes(env, lambda _: env.action_masks())


PEERS = {
    "Gymnasium CartPole": Peer("gymnasium", cartpole),
    "Gymnasium CartPoleVectorEnv, N = 1,024": Peer("gymnasium", partial(cartpole_vector, 1024)),
    "minispire": Peer("minispire", minispire),
    "fastcatan, N = 1,024": Peer("fastcatan", partial(fastcatan, 1024), versions="<2"),
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


def case_of_ours(name: str) -> Callable[[], Play]:
    """What makes the play of a case of this package's benchmarks."""
    cases: Any = import_module("benchmarks.cases")
    found: Callable[[], Play] = {case.name: case.play for case in cases.cases(cases.FULL)}[name]
    return found


def sizes_of(play: Play, make: Callable[[], Play]) -> dict[str, float]:
    """Numbers written at each step of a game, observation and mask, and bytes per game.

    The latter is how much resident memory grows while more games are made and stepped; left out
    where the system does not say.
    """
    sizes: dict[str, float] = {"numbers": play.numbers}
    if MEMORY.exists():
        before, until, more = resident_bytes(), wall() + PATIENCE, list[Play]()
        while (grown := resident_bytes() - before) < GROWN and wall() < until:
            more.append(make())
            more[-1].work(more[-1].choose())
        sizes["bytes"] = grown / max(1, sum(one.games for one in more))
    return sizes


def resident_bytes() -> int:
    """Memory of this process."""
    gc.collect()
    return int(MEMORY.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def serve(make: Callable[[], Play], questions: TextIO, answers: TextIO) -> None:
    """Answer each number of seconds with the steps per second, and SIZES with them."""
    play = make()
    for line in questions:
        if line.strip() == SIZES:
            answer = json.dumps(sizes_of(play, make))
        else:
            answer = str(play.per_second(float(line)))
        print(answer, file=answers, flush=True)


def main() -> None:
    """Run the command line; see the module docstring."""
    if len(sys.argv) < 2:
        print(json.dumps(installed()))
        return
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # keeps output of the libraries out of the answers
    name = sys.argv[1]
    serve(PEERS[name].make if name in PEERS else case_of_ours(name), sys.stdin, answers)


if __name__ == "__main__":
    main()
