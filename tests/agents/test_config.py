"""The training configuration."""

import re
from pathlib import Path

import pytest
import yaml

from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of
from agents import memory
from agents.config import (
    CONFIGS,
    DEFAULT,
    Config,
    ConfigError,
    config_of,
    named_config,
    option,
    read_config,
)
from agents.options import GROUPS, TRAIN, UNUSED, parser_of

OUT = Path("runs/x")


def test_the_default_file_is_complete():
    others = {"imitation_steps", "action_features", "greedy_prior", "trust"}
    assert set(yaml.safe_load(DEFAULT.read_text())) == set(Config.model_fields) - others


FILES = sorted(set(DEFAULT.parent.glob("*.yaml")) - {DEFAULT.with_name("results.yaml")})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_makes_an_environment(path):
    config = read_config(path, {})
    rules = ruleset_of(config.env)
    played = rules.check_arguments(**rules.chosen_arguments(**config.env_kwargs()))
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
    for part in ("mine.yaml", "n_envs", "speed", "ties", "'auto' or 'ask'", "mine.yaml: n_envs: "):
        assert part in text


@pytest.mark.parametrize("text", ["- 1", "a: [", ""])
def test_a_file_that_is_not_a_mapping_is_refused(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"mine\.yaml: (not|is empty|line 2: is not)"):
        read_config(path, {})


def test_a_missing_file(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.yaml: cannot be read: No such file"):
        read_config(tmp_path / "none.yaml", {})


@pytest.mark.parametrize(
    ("key", "text", "pattern"),
    [
        ("learning_rate", "fast", "must be a number; it is 'fast'"),
        ("learning_rate_end", "1e6", "less than or equal to 1; it is 1000000"),
        ("n_envs", "1.5", "valid integer"),
        ("gamma", ".inf", "must be a number"),
        ("net_arch", "[1000000]", "16384"),
        ("net_arch", f"{[8] * 17}", "at most 16 entries"),
        ("mix", "[" * 100_000, r"--mix .*nested more than"),
        ("mix", f"{[{}] * 257}", "at most 256 entries"),
        ("env", "Agmonia-v0", "did you mean 'Agemonia-v0'"),
        ("heroes", "orsa,,ketch", "names with commas"),
        ("seed", "9" * 5000, "digits"),
        ("threads", "10000", "256"),
        ("batch_size", "1", "equal to 2"),
    ],
)
def test_an_error_names_the_option_that_caused_it(key, text, pattern):
    with pytest.raises(ConfigError) as caught:
        read_config(DEFAULT, {key: text})
    message = str(caught.value)
    assert message.startswith(f"--{key.replace('_', '-')}")
    assert re.search(pattern, message), message
    assert "\n" not in message
    assert len(message) < 500
    assert DEFAULT.name not in message


def test_numbers_may_be_written_as_people_do():
    words = {"learning_rate": "1e-4", "total_steps": "1e6", "heroes": "orsa,ketch"}
    words |= {"scenario": "random", "scenario_seed": "5-9"}
    config = read_config(DEFAULT, words)
    assert (config.learning_rate, config.total_steps) == (1e-4, 1_000_000)
    assert (config.heroes, config.scenario_seed) == (["orsa", "ketch"], (5, 9))


def test_a_rollout_needs_more_than_one_decision():
    with pytest.raises(ConfigError, match="n_envs times n_steps must be at least 2"):
        read_config(DEFAULT, {"n_envs": "1", "n_steps": "1"})


def test_every_number_has_both_limits():
    """Without a limit here, training fails inside torch, or never ends."""
    for name, field in Config.model_fields.items():
        if field.annotation in (int, float):
            signs = {
                s for one in field.metadata for s in ("ge", "gt", "le", "lt") if hasattr(one, s)
            }
            assert len(signs) == 2, name


def test_games_that_do_not_fit_are_refused_with_how_many_do(monkeypatch):
    monkeypatch.setattr(memory, "memory", lambda: 2**33)
    rules = ruleset_of("Agemonia-v0")
    config = read_config(DEFAULT, {"n_envs": "100000000"})
    with pytest.raises(
        ConfigError, match=r"n_envs: 100,000,000 games .* at most [\d,]+ fit"
    ) as caught:
        memory.check_memory(config, rules)
    fits = int(re.search(r"at most ([\d,]+) fit", str(caught.value))[1].replace(",", ""))
    memory.check_memory(read_config(DEFAULT, {"n_envs": str(fits)}), rules)
    with pytest.raises(ConfigError, match="n_envs"):
        memory.check_memory(read_config(DEFAULT, {"n_envs": str(fits + 1)}), rules)


# ---- the command line ---------------------------------------------------------------------------
def help_of(algorithm, capsys):
    with pytest.raises(SystemExit) as ended:
        parser_of(
            algorithm, OUT, DEFAULT, "A model." * ("from" not in UNUSED[algorithm])
        ).parse_args(["--help"])
    assert ended.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("algorithm", UNUSED)
def test_help_lists_every_option_that_is_used_with_type_range_and_default(algorithm, capsys):
    text = " ".join(help_of(algorithm, capsys).split())
    for key, field in Config.model_fields.items():
        used = key not in UNUSED[algorithm]
        assert (f" {option(key)} " in text) == used, key
        if used:
            assert field.description.removesuffix(".").split(";")[0] in text
    assert ("--from" in text) == ("from" not in UNUSED[algorithm])
    assert ("--algorithm" in text) == (algorithm in TRAIN)
    assert "VALUE" not in text.replace("KEY: VALUE", "")
    for title in GROUPS:
        assert title + ":" in text or set(GROUPS[title]) <= set(UNUSED[algorithm])


def test_every_key_is_in_one_group():
    keys = [key for group in GROUPS.values() for key in group]
    assert sorted(keys) == sorted(Config.model_fields)


@pytest.mark.parametrize(
    ("words", "pattern"),
    [
        (["--gama", "1"], "'--gama': unknown option .*did you mean '--gamma'"),
        (["--teacher", "greedy"], "--teacher: not an option of maskable_ppo, only of imitation"),
        (["--from=x"], "--from: not an option of maskable_ppo, only of ppo"),
        (["--total"], "'--total': unknown option"),
        (["--gamma"], "expected one argument"),
        (["nonsense" * 1000], "'nonsense"),
    ],
)
def test_an_unknown_option_is_one_line(words, pattern):
    with pytest.raises(ConfigError) as caught:
        parser_of("maskable_ppo", OUT, DEFAULT).parse_args(words)
    message = str(caught.value)
    assert re.search(pattern, message), message
    assert "\n" not in message
    assert len(message) < 500


def test_a_configuration_may_be_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert named_config("generalist") == CONFIGS / "generalist.yaml"
    assert named_config("generalists") == Path("generalists")
    assert named_config("runs/generalist") == Path("runs/generalist")
    Path("flat").write_text("")
    assert named_config("flat") == Path("flat")
