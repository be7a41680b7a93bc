"""A path is taken wherever the name of a file or folder is."""

from pathlib import Path

import gymnasium
import pytest

import agemonia_env
from agemonia_env import balance, league
from agemonia_env.packs.starting_pack import write_pack
from agemonia_env.policies import policy_of, record_of
from agemonia_env.policies.named import SHIPPED
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of

MODEL = SHIPPED["generalist"]


@pytest.mark.parametrize("env_id", RULESETS)
def test_a_pack(tmp_path, env_id):
    folder = tmp_path / "my-pack"
    write_pack(folder, env_id)
    _, scenario = RULESETS[env_id].starter
    env = gymnasium.make(f"agemonia_env:{env_id}", pack=folder, scenario=scenario).unwrapped
    assert env.arguments.pack == str(folder)  # text, as in records and specs
    assert record_of(env)["env_kwargs"]["pack"] == str(folder)
    assert len(agemonia_env.simulate(scenario, 2, games=2, env=env_id, pack=folder)) == 2


def test_the_pack_of_a_gauntlet():
    folder = ruleset_of("Agemonia-v0").load_pack("core").folder
    gymnasium.make("agemonia_env:AgemoniaGauntlet-v0", pack=folder).reset(seed=1)


def test_a_model():
    rules = ruleset_of("Agemonia-v0")
    assert policy_of(rules, MODEL).name == str(MODEL)
    assert agemonia_env.simulate("ford", 2, MODEL, 2)["policy"][0] == str(MODEL)
    assert league.play([MODEL], "ford", games={"": 2}, orders=1).matches[0].policy.name == str(
        MODEL
    )
    env = gymnasium.make("agemonia_env:Agemonia-v0", side="enemy", opponent=MODEL, ties="auto")
    env.reset(seed=1)
    found = agemonia_env.forecast(gymnasium.make("agemonia_env:Agemonia-v0"), Path(MODEL), 2)
    assert found.rows[0].policy == str(MODEL)
    change = "enemies.reedling.health.per_hero +1"
    assert balance.compare(b=change, scenario="ford", policy=[MODEL], games=100)
