"""The files of docs/study-ketch.md fit the pack, and lead from the old numbers to today's."""

from pathlib import Path

import pytest
import yaml

from agemonia_env.balance.analysis import AnalysisConfig, make_analysis_study
from agemonia_env.balance.experiment import CompareConfig
from agemonia_env.balance.one_at_a_time import SensitivityConfig, make_step_study
from agemonia_env.balance.parameters import value_of
from agemonia_env.balance.study_config import read_config
from agemonia_env.balance.value_search import SearchConfig, make_search_study
from agemonia_env.rulesets.agemonia.content.load import load_pack, scenarios

ROOT = Path(__file__).resolve().parents[2]
STUDIES = ROOT / "docs" / "studies"


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
    page = (ROOT / "docs" / "study-ketch.md").read_text(encoding="utf-8")
    moved = yaml.safe_load((STUDIES / "repair.yaml").read_text(encoding="utf-8"))["values"]
    assert set(moved) <= paths
    assert all(
        f"studies/{path.name}" in page or path.name == "ketch.png" for path in STUDIES.iterdir()
    )
