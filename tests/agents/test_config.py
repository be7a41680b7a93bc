"""The training configuration."""

import pytest
import yaml

from agemonia_env.envs.ruleset import RULESETS, ruleset_of
from agents.config import DEFAULT, Config, ConfigError, config_of, read_config


def test_the_default_file_is_complete():
    others = {"tokens", "imitation_steps"}  # of the attention policy and of self-play alone
    assert set(yaml.safe_load(DEFAULT.read_text())) == set(Config.model_fields) - others


FILES = sorted(set(DEFAULT.parent.glob("*.yaml")) - {DEFAULT.with_name("results.yaml")})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_makes_an_environment(path):
    config = read_config(path, {})
    rules = ruleset_of(config.env)
    played = rules.check_arguments(**rules.given(**config.env_kwargs()))
    assert played.side == (config.side or "hero")
    assert (played.scenario_seeds() is not None) == (config.scenario == "random")


@pytest.mark.parametrize("env", RULESETS)
def test_every_environment_has_its_file(env):
    assert read_config(config_of(env), {}).env == env


def test_the_command_line_comes_last():
    config = read_config(DEFAULT, {"total_steps": "123", "net_arch": "[8, 8]", "heroes": "3"})
    assert (config.total_steps, config.net_arch, config.heroes) == (123, [8, 8], 3)
    assert config.env_kwargs()["heroes"] == 3


def test_every_error_at_once_with_file_and_key(tmp_path):
    path = tmp_path / "mine.yaml"
    content = yaml.safe_load(DEFAULT.read_text())
    path.write_text(yaml.safe_dump(content | {"n_envs": 0, "speed": 1, "ties": "maybe"}))
    with pytest.raises(ConfigError) as caught:
        read_config(path, {})
    text = str(caught.value)
    assert "\n" not in text
    for part in ("mine.yaml", "n_envs", "speed", "ties", "'auto' or 'ask'"):
        assert part in text


@pytest.mark.parametrize("text", ["- 1", "a: [", ""])
def test_a_file_that_is_no_mapping(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"mine\.yaml: not"):
        read_config(path, {})


def test_a_missing_file(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.yaml: No such file"):
        read_config(tmp_path / "none.yaml", {})
