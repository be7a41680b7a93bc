"""After a warm-up no command compiles anything; tests/test_warmup.py runs this as a process.

Prints the entries that have more compiled versions after the commands than after the warm-up.
"""

import tempfile
from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from agemonia_env.cli.main import app
from agemonia_env.core.jit import ENTRIES
from agemonia_env.envs import env_class, vector_env_class
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.hexdungeon.tools import solve
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.warmup import warm_up_all

CASES = Path(__file__).parent / "cases"
AGEMONIA, HEXDUNGEON = RULESETS
TRAIN = "--n-envs 2 --n-steps 2 --batch-size 4 --total-steps 4 --net-arch [4] --out runs"
COMMANDS = f"""
watch --policy greedy --seed 1
watch --policy planner:1 --seed 1 --env {HEXDUNGEON}
review --seed 1 --simulations 1 --rollouts 1
review --seed 1 --simulations 1 --rollouts 1 --env {HEXDUNGEON}
review --fork game.html --step 3
forecast -n 2 --policy greedy --policy likeliest:generalist
forecast game.html --every-round -n 2
forecast -n 2 --policy planner:1 --env {HEXDUNGEON}
simulate -n 2 --policy planner:1
simulate -n 8 --scenario all --enemy-will free --enemy-policy random
simulate -n 2 --enemy-will free --enemy-policy greedy --policy planner:1
simulate -n 2 --ties ask
simulate -n 2 --scenario random
simulate -n 2 --env {HEXDUNGEON}
league --policy random --scenario ford -n 2 --orders 1
balance compare compare.yaml
balance analyse analyse.yaml
cases {CASES}/edges/checks.yaml {CASES}/appendix-b/04-initiative-and-turns.yaml
cases {CASES}/hexdungeon/attack.yaml
coverage -n 2 --sample 1 --brief
coverage -n 2 --sample 1 --brief --env {HEXDUNGEON}
hexdungeon odds 3 --shield 1
train --algorithm ppo {TRAIN}
train --algorithm imitation {TRAIN}
train --algorithm ppo --env {HEXDUNGEON} {TRAIN}
evaluate --model runs/model.npz --games 2 --out runs
info
"""


def versions() -> dict[str, int]:
    """Compiled versions of each entry."""
    return {name: len(entry.overloads) for name, entry in ENTRIES.items()}


def use_environments() -> None:
    """What no command calls: single, vector and opponent play in Python."""
    for env_id in RULESETS:
        rules = ruleset_of(env_id)
        env = env_class(rules.env_id)(render_mode="ansi")
        env.reset(seed=1)
        env.explain(0)
        env.clone(reseed=True).step(int(env.legal_actions()[0]))
        env.set_state(env.get_state())
        envs = vector_env_class(rules.env_id)(4, threads=2, dtype="int8")
        _, infos = envs.reset(seed=1)
        envs.step(infos["action_mask"].argmax(axis=1))
    rules = ruleset_of(AGEMONIA)
    free = {"side": "enemy", "enemy_will": "free", "opponent": "planner:1"}
    envs = vector_env_class(rules.env_id)(2, **free)
    _, infos = envs.reset(seed=1)
    envs.step(np.asarray(infos["action_mask"]).argmax(axis=1))


def main() -> None:
    """Warm up, note what is compiled, use everything, and compare."""
    warm_up_all(str)
    before = versions()
    Path("compare.yaml").write_text("b: enemies.reedling.shield +1\ngames: 100\n")
    Path("analyse.yaml").write_text("games: 100\nscenario: ford\n")
    for line in COMMANDS.strip().splitlines():
        result = CliRunner().invoke(app, line.split())
        if result.exit_code:
            raise RuntimeError(f"{line}\n{result.output}") from result.exception
    solve.main([str(CASES / "hexdungeon" / "monster-turns.json"), "--out", "solved.json"])
    use_environments()
    after = versions()
    print(sorted(name for name, n in after.items() if n > before.get(name, 0)))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        import os

        os.chdir(folder)
        main()
