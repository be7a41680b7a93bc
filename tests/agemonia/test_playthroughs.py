"""Recorded games replay line by line as in their files; compiled and as plain Python."""

from pathlib import Path

import pytest

SCRIPT = "tests/agemonia/playthroughs.py"
FILES = sorted(Path(__file__).with_name("playthroughs").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_goes_as_written(load_script, path):
    module = load_script(SCRIPT)
    arguments, text = module.read(path)
    again = module.transcript(*arguments).splitlines()
    for number, (found, written) in enumerate(zip(again, text.splitlines(), strict=False), 1):
        assert found == written, f"{path.name}:{number}"
    assert "\n".join(again) + "\n" == text
    assert len(arguments[-1]) <= module.LONGEST
    assert len(text.encode()) <= module.SIZE


def test_every_scenario_has_one(load_script):
    expected = sorted(path for path, _ in load_script(SCRIPT).games())
    assert expected == FILES


def test_some_are_won_some_are_lost():
    ends = [path.read_text(encoding="utf-8").splitlines()[-1] for path in FILES]
    assert any(end.startswith("Won") for end in ends)
    assert any(end.startswith("Lost") for end in ends)
