"""Draw docs/board.png: the starter scenario some decisions into a game of the greedy policy.

python docs/board.py
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the package need not be installed

from agemonia_env import terminal  # noqa: E402
from agemonia_env.envs.single import AgemoniaEnv  # noqa: E402

PICTURE = ROOT / "docs" / "board.png"
SEED, DECISIONS = 4, 34


def draw() -> None:
    """Play the game up to the picture and write it."""
    env = AgemoniaEnv("ford", 2, ties="auto", render_mode="rgb_array")
    choose = terminal.scripted("greedy")
    observation, _ = env.reset(seed=SEED)
    for _ in range(DECISIONS):
        observation, _, terminated, _, _ = env.step(choose(env, observation))
        assert not terminated
    terminal.write_picture([env.render()], PICTURE, 0.0)


if __name__ == "__main__":
    draw()
