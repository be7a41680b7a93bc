"""What is added to a wheel: the trainers, and nothing that needs the repository."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
INTERFACE = "hatchling.builders.hooks.plugin.interface"


@pytest.fixture
def hatch_build(load_script, monkeypatch):
    """The module, by its path; hatchling itself is only there while a package is built."""
    parts = INTERFACE.split(".")
    for n in range(1, len(parts) + 1):
        monkeypatch.setitem(sys.modules, ".".join(parts[:n]), ModuleType(parts[n - 1]))
    sys.modules[INTERFACE].BuildHookInterface = object
    return load_script("web/hatch_build.py")


def test_wheels_have_the_trainers_and_their_configurations(hatch_build):
    files = hatch_build.trainers(ROOT / "agents")
    places = set(files.values())
    assert {"agemonia_agents/train_ppo.py", "agemonia_agents/configs/generalist.yaml"} <= places
    assert all(Path(path).is_file() for path in files)
    assert not [place for place in places if "weights" in place or "results" in place]
    text = "".join(Path(path).read_text(encoding="utf-8") for path in files)
    assert "from .results" not in text


def test_an_editable_install_adds_nothing(hatch_build):
    hook, added = hatch_build.PackageHook(), {"force_include": {}}
    hook.initialize("editable", added)
    assert added == {"force_include": {}}
