"""The trainers are found in a clone and in a wheel, and say what is missing."""

import sys

import pytest

from agemonia_env.policies import trainers


def test_a_clone_has_them_beside_the_package_and_a_wheel_under_their_own_name():
    assert trainers.PACKAGE == "agents"
    assert trainers.INSTALLED == "agemonia_agents"
    assert trainers.file_of("config").name == "config.py"


def test_a_missing_package_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    monkeypatch.delitem(sys.modules, "agents.model_file", raising=False)
    said = r"^training needs sb3_contrib: pip install 'agemonia-env\[train\]'"
    with pytest.raises(ValueError, match=said):
        trainers.import_trainer("model_file")


def test_a_missing_file_is_named(monkeypatch):
    monkeypatch.setattr(trainers, "PACKAGE", "agents")
    with pytest.raises(ValueError, match=r"^agents/harp\.py: missing; it plays this model$"):
        trainers.file_of("harp")
