"""`agemonia content new`: its pack works, and it never overwrites anything."""

import pytest
from typer.testing import CliRunner

from agemonia_env.cli import main
from agemonia_env.envs import env_class
from agemonia_env.packs.starting_pack import write_pack
from agemonia_env.rulesets.agemonia.content.compile import check
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.doors import RULESETS


@pytest.mark.parametrize("env", RULESETS)
def test_a_starting_pack_can_be_played_at_once(env, tmp_path):
    write_pack(tmp_path / "my-pack", env)
    game = env_class(env)(
        pack=str(tmp_path / "my-pack"), scenario=RULESETS[env].starter[1], heroes=2
    )
    _, info = game.reset(seed=1)
    assert info["action_mask"].any()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["my-pack"]


def test_it_has_no_mistakes_and_only_what_its_scenario_needs(tmp_path):
    write_pack(tmp_path / "p")
    assert check(tmp_path / "p") == []
    enemies = {path.stem for path in (tmp_path / "p" / "enemies").iterdir()}
    assert enemies == {"nestkeeper", "reedling", "slinger", "thornhound", "toadback", "wisp"}
    assert [path.stem for path in (tmp_path / "p" / "scenarios").iterdir()] == ["ford"]


def test_scenarios_are_drawn_from_its_few_cards(tmp_path):
    """It has no elite enemy, no ally and few items: goals that need one are not drawn."""
    write_pack(tmp_path / "p")
    for seed in range(150):
        compiled = AGEMONIA.check_arguments(
            "random", pack=str(tmp_path / "p"), scenario_seed=seed
        ).compile(seed)
        assert compiled.names.scenario


def test_what_no_scenario_can_be_drawn_from_is_said(tmp_path):
    write_pack(tmp_path / "p")
    for path in (tmp_path / "p" / "enemies").iterdir():
        lines = [line for line in path.read_text().splitlines() if "tags:" not in line]
        lines.insert(lines.index("card:") + 1, "  tags: [boss]")
        path.write_text("\n".join(lines))
    with pytest.raises(ValueError, match="drawn from enemies without the tag boss"):
        AGEMONIA.check_arguments("random", pack=str(tmp_path / "p")).compile(0)


@pytest.mark.parametrize("name", ["it's: a [pack]", 'quo"ted', "back\\slash", "x" * 60, "#1"])
def test_any_name_of_a_folder_makes_a_pack_that_can_be_read(name, tmp_path):
    write_pack(tmp_path / name)
    assert check(tmp_path / name) == []


def test_a_folder_that_is_there_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("kept")
    result = CliRunner().invoke(main.app, ["content", "new", str(tmp_path)])
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "already exists" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_another_environment_is_refused_by_name(tmp_path):
    with pytest.raises(ValueError, match="Agemonia-v0, HexDungeon-v0"):
        write_pack(tmp_path / "p", "Chess-v0")
    assert not list(tmp_path.iterdir())
