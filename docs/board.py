"""Draw docs/board.png and docs/hexdungeon.png: positions of games of the greedy policy.

python docs/board.py
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the package need not be installed

from agemonia_env.cli import terminal  # noqa: E402
from agemonia_env.envs.single import RulesetEnv  # noqa: E402
from agemonia_env.policies import policy_of  # noqa: E402
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv  # noqa: E402
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv  # noqa: E402

DOCS = ROOT / "docs"


def draw(env: RulesetEnv, seed: int, decisions: int, picture: Path) -> None:
    """Play this many decisions of a seed's game and write the board as a picture."""
    greedy = policy_of(env.ruleset, "greedy")
    env.reset(seed=seed)
    for _ in range(decisions):
        _, _, terminated, _, _ = env.step(env.choose(greedy))
        assert not terminated
    terminal.write_png(terminal.drawing(env), picture)


def main(folder: Path = DOCS) -> None:
    """Draw both pictures into a folder."""
    ford = AgemoniaEnv("ford", 2, ties="auto", render_mode="rgb_array")
    draw(ford, 4, 34, folder / "board.png")
    market = HexDungeonEnv("slag-market", 4, ties="auto", render_mode="rgb_array")
    draw(market, 1, 119, folder / "hexdungeon.png")


if __name__ == "__main__":
    main()
