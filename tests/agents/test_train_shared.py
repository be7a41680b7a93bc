"""One network for all heroes: it learns from PettingZoo's observations; and a small run."""

import json

import numpy as np
import pytest

pytest.importorskip(
    "pettingzoo", reason="one network for all heroes needs the extra marl, which make test installs"
)

import pettingzoo

from agemonia_env.envs import vec_env_class
from agemonia_env.rulesets.ruleset import ruleset_of
from agents.model_file import read_record
from agents.train_shared import SharedAgents, main, play, scripted

GAMES = [
    ("Agemonia-v0", {"heroes": 3, "reward": "shaped"}),
    ("Agemonia-v0", {"scenario": "random", "heroes": 2, "ties": "auto", "max_decisions": 40}),
    ("HexDungeon-v0", {"heroes": 2}),
]
SMALL = ("--total-steps", "64", "--n-envs", "4", "--n-steps", "8", "--batch-size", "16")
SMALL += ("--n-epochs", "1", "--net-arch", "[8]", "--games", "3")


@pytest.mark.parametrize(("env_id", "keys"), GAMES)
def test_it_is_the_pettingzoo_environment_many_times_over(env_id, keys):
    n, seed = 3, 8
    shared = SharedAgents(vec_env_class(env_id)(n, seed=seed, **keys))
    tables = [pettingzoo.make("aec", env_id, **keys) for _ in range(n)]
    for i, table in enumerate(tables):
        table.reset(seed=seed + i)
    random, ends = np.random.default_rng(0), 0
    observations = shared.reset()
    for _ in range(300):
        masks = shared.env_method("action_masks")
        for row, mask, table in zip(observations, masks, tables, strict=True):
            seen = table.observe(table.agent_selection)
            assert np.array_equal(row, seen["observation"])
            assert np.array_equal(mask, seen["action_mask"])
        actions = np.array([random.choice(np.flatnonzero(mask)) for mask in masks])
        observations, rewards, dones, infos = shared.step(actions)
        for i, table in enumerate(tables):
            agent = table.agent_selection
            table.step(int(actions[i]))
            assert table.rewards["hero_0"] == pytest.approx(rewards[i], abs=1e-6)
            assert dones[i] == (table.asked is None)
            if dones[i]:
                ends += 1
                final = infos[i]["terminal_observation"]
                assert np.array_equal(final, table.observe(agent)["observation"])
                assert infos[i]["is_success"] == table.infos[agent]["is_success"]
                table.reset()
    shared.close()
    assert ends > n


def test_scripted_play_through_pettingzoo_is_that_of_the_compiled_loop():
    from agemonia_env.policies import policy_of
    from agents.evaluate import FIRST_SEED
    from agents.play import play_games

    rules = ruleset_of("Agemonia-v0")
    seeds = np.arange(FIRST_SEED, FIRST_SEED + 70, dtype=np.uint64)  # more than are side by side
    greedy = int(rules.POLICIES["greedy"])
    ours = play(lambda: pettingzoo.make("aec", "Agemonia-v0", ties="auto"), seeds, scripted(greedy))
    content = rules.check_arguments().compile().content
    theirs = play_games(rules, content, seeds, policy_of(rules, "greedy"))
    for name, values in vars(ours).items():
        assert np.array_equal(values, getattr(theirs, name)), name


@pytest.mark.parametrize(("env_id", "heroes"), [("Agemonia-v0", 3), ("HexDungeon-v0", 2)])
def test_a_small_run_learns_and_is_judged(tmp_path, capsys, env_id, heroes):
    out = ["--out", str(tmp_path), "--checkpoint-steps", "32"]
    assert main(["--env", env_id, "--heroes", str(heroes), *SMALL, *out]) == 0
    record = read_record(tmp_path / "model.safetensors")
    assert record["steps"] == 64
    assert record["env_id"] == env_id
    rows = json.loads((tmp_path / "evaluation.json").read_text())
    assert [(row["policy"], row["games"]) for row in rows] == [
        ("random", 3),
        ("greedy", 3),
        ("trained", 3),
    ]
    assert [point["steps"] for point in json.loads((tmp_path / "curve.json").read_text())] == [
        32,
        64,
    ]
    assert len(list(tmp_path.glob("checkpoints/*.safetensors"))) == 2
    assert f"hero_{heroes - 1}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--side", "enemy"), "--side"),
        (("--scenario", "nowhere"), "nowhere"),
        (("--games", "0"), "--games"),
        (("--env", "Chess-v0"), "allowed: Agemonia-v0, HexDungeon-v0"),
    ],
)
def test_bad_input_is_one_line(tmp_path, capsys, words, said):
    assert main(["--out", str(tmp_path), *SMALL, *words]) == 2
    err = capsys.readouterr().err
    assert err.startswith("train_shared: ")
    assert said in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())
