"""The tutorials, followed as by a reader: every file, every command, and its output."""

import importlib

import pytest

tutorial = importlib.import_module("docs.tutorial")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", tutorial.PAGES, ids=lambda path: path.name)
def test_every_step_prints_the_output_on_the_page(path, folder):
    page = path.read_text(encoding="utf-8")
    steps = list(tutorial.outputs(page))
    assert len(steps) >= 3
    for block, printed in steps:
        assert tutorial.agrees(block.text, printed), f"run: python docs/tutorial.py\n{printed}"


def test_an_ellipsis_matches_any_lines_and_the_rest_must_agree():
    assert tutorial.agrees("a\n...\nd\n", "a\nb\nc\nd\n")
    assert tutorial.agrees("...\nd\n", "d\n")
    assert not tutorial.agrees("a\n...\nd\n", "a\nb\nc\n")
    assert not tutorial.agrees("a\n", "a\nb\n")
