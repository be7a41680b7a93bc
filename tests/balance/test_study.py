"""The files of the two studies fit their packs, and lead from the numbers before to those after."""

from pathlib import Path

import pytest
import yaml

from agemonia_env.balance.analysis_study import AnalysisConfig, make_analysis_study
from agemonia_env.balance.experiment import CompareConfig
from agemonia_env.balance.one_at_a_time import SensitivityConfig, make_step_study
from agemonia_env.balance.parameters import value_of
from agemonia_env.balance.study_config import read_config
from agemonia_env.balance.value_search import SearchConfig, make_search_study
from agemonia_env.rulesets.agemonia.content.load import load_pack, scenarios
from agemonia_env.rulesets.hexdungeon.content import load_pack as load_hex_pack
from agemonia_env.rulesets.hexdungeon.content import scenarios as hex_scenarios

ROOT = Path(__file__).resolve().parents[2]
STUDIES = ROOT / "docs" / "studies"
PAGES = ("study-ketch", "study-hexdungeon")


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # the files name each other, wherever the command runs


def test_the_search_goes_from_the_numbers_before_to_those_of_today():
    config = read_config(SearchConfig, STUDIES / "repair.yaml")
    assert all(aim is not None for aim in make_search_study(config).aims)
    for path, (low, high) in config.values.items():
        before, today = (value_of(config.tools, pack, path) for pack in (config.pack, "core"))
        assert (before, today) == (low, high)


@pytest.mark.parametrize("name", ["heroes-before", "heroes-after"])
def test_the_analyses_are_of_all_pairs_in_all_scenarios(name):
    assert read_config(AnalysisConfig, STUDIES / f"{name}.yaml").scenario == scenarios("core")
    made = make_analysis_study(
        read_config(AnalysisConfig, STUDIES / f"{name}.yaml", scenario=["ford"])
    )
    assert len(made.conditions[0].pairs) == 28


@pytest.mark.parametrize(
    ("model", "own"),
    [
        (CompareConfig, ""),
        (SensitivityConfig, ""),
        (SearchConfig, "values: {heroes.ketch.might: [1, 2]}\ntargets: 50\n"),
        (AnalysisConfig, ""),
    ],
)
def test_every_command_finds_the_changes_that_a_file_names_beside_it(model, own, tmp_path):
    folder = tmp_path / "studies"
    folder.mkdir()
    (folder / "soft.yaml").write_text("changes: heroes.ketch.blue = 7\n")
    (folder / "this.yaml").write_text(f"pack: core; soft.yaml\n{own}")
    config = read_config(model, folder / "this.yaml")
    assert load_pack(config.pack).name == "core; heroes.ketch.blue = 7"
    (tmp_path / "soft.yaml").write_text("changes: heroes.ketch.blue = 8\n")
    assert read_config(model, folder / "this.yaml") == config


def test_the_sensitivity_study_covers_ketch():
    config = read_config(SensitivityConfig, STUDIES / "numbers.yaml", scenario=["ford"])
    paths = {variant.path for variant in make_step_study(config).variants}
    moved = yaml.safe_load((STUDIES / "repair.yaml").read_text(encoding="utf-8"))["values"]
    assert set(moved) <= paths


def test_every_file_is_of_a_study():
    pages = [(ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in PAGES]
    for path in STUDIES.iterdir():
        assert any(f"studies/{path.name}" in page for page in pages), path.name


# ---- HexDungeon ---------------------------------------------------------------------------------
def test_the_repair_of_thornarm_is_one_that_the_search_may_find():
    config = read_config(SearchConfig, STUDIES / "thornarm-repair.yaml")
    study = make_search_study(config)
    assert len(study.aims) == 25
    assert all(aim is not None for aim in study.aims)
    pack = config.tools.variant("hex-core", str(STUDIES / "thornarm.yaml"))
    changed = 0
    for path, (low, high) in config.values.items():
        before, after = (value_of(config.tools, one, path) for one in ("hex-core", pack))
        assert before in (low, high)
        assert after in (low, high)
        changed += before != after
    assert changed == pack.count(";")  # and nothing else


@pytest.mark.parametrize(
    ("name", "pack"), [("classes-before", "hex-core"), ("classes-after", "hex-core; classes.")]
)
def test_the_analyses_are_of_all_pairs_of_classes_in_all_scenarios(name, pack):
    config = read_config(AnalysisConfig, STUDIES / f"{name}.yaml")
    assert config.scenario == hex_scenarios("hex-core")
    assert load_hex_pack(config.pack or "hex-core").name.startswith(pack)
    own = read_config(AnalysisConfig, STUDIES / f"{name}.yaml", scenario=["bell-loft"])
    (condition,) = make_analysis_study(own).conditions
    assert (len(condition.pairs), condition.parts) == (15, ())


def test_the_studies_of_thornarm_cover_its_cards_and_numbers():
    config = read_config(SensitivityConfig, STUDIES / "thornarm-numbers.yaml", scenario="bell-loft")
    paths = {variant.path for variant in make_step_study(config).variants}
    repair = read_config(SearchConfig, STUDIES / "thornarm-repair.yaml")
    assert set(repair.values) <= paths
    cards = read_config(AnalysisConfig, STUDIES / "thornarm-cards.yaml", scenario="bell-loft")
    (condition,) = make_analysis_study(cards).conditions
    assert sum(part.hero == "Thornarm" for part in condition.parts) == 20
