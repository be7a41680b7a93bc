"""Draw docs/board.png and docs/hexdungeon.png: positions of games of the greedy policy.

python docs/board.py
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the package need not be installed

from agemonia_env import terminal  # noqa: E402
from agemonia_env.envs.faces.single import RulesetEnv  # noqa: E402
from agemonia_env.envs.hexdungeon.single import HexDungeonEnv  # noqa: E402
from agemonia_env.envs.single import AgemoniaEnv  # noqa: E402

DOCS = ROOT / "docs"


def draw(env: RulesetEnv, seed: int, decisions: int, picture: Path) -> None:
    """Play the game of a seed up to the picture and write it."""
    choose = terminal.scripted("greedy")
    observation, _ = env.reset(seed=seed)
    for _ in range(decisions):
        observation, _, terminated, _, _ = env.step(choose(env, observation))
        assert not terminated
    terminal.write_picture([env.render()], picture, 0.0)


if __name__ == "__main__":
    ford = AgemoniaEnv("ford", 2, ties="auto", render_mode="rgb_array")
    draw(ford, 4, 34, DOCS / "board.png")
    market = HexDungeonEnv("slag-market", 4, ties="auto", render_mode="rgb_array")
    draw(market, 0, 113, DOCS / "hexdungeon.png")
