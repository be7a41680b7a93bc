"""docs/balance.md lists every scenario; its numbers are measured, not tested."""

import re
from pathlib import Path

import pytest

from agemonia_env.rulesets.agemonia.content.compile import RANDOM
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.agemonia.content.schema import DIFFICULTIES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "balance.md"
SCENARIOS = load_pack("core").scenarios


def sections():
    """The text below each heading."""
    parts = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    return dict(part.split("\n", 1) for part in parts)


def lines(text):
    """(difficulty, aim, number of cells) of each line of numbers."""
    cells = [line.strip("|").split("|") for line in text.split("\n") if line.startswith("| ")][1:]
    return [(row[0].strip(), row[1].strip(), len(row) - 2) for row in cells]


def test_every_scenario_has_a_section_and_no_other():
    written = [heading for heading in sections() if not heading.startswith(f"{RANDOM}, ")]
    assert written == list(SCENARIOS)


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_difficulty_is_listed_for_four_parties(name):
    levels = SCENARIOS[name].difficulty
    assert lines(sections()[name]) == [
        (word, f"{100 * levels[word].target:.0f}", 4) for word in DIFFICULTIES
    ]
    assert re.search(r"Random play wins at most \d+ %\.", sections()[name])


def test_drawn_scenarios_are_listed_by_kind(load_script):
    balance = load_script("docs/balance.py")
    drawn = [heading for heading in sections() if heading.startswith(f"{RANDOM}, ")]
    assert drawn == [
        f"{RANDOM}, {kind}, level {level}"
        for kind in balance.DRAWN
        for level in balance.DRAWN_LEVELS
    ]


def test_rates_lie_within_their_intervals():
    found = re.findall(r"(\d+) \((\d+)-(\d+)\)", PAGE.read_text(encoding="utf-8"))
    assert len(found) == 4 * 4 * len(sections())
    assert all(int(low) <= int(rate) <= int(high) for rate, low, high in found)


def test_both_policies_play_the_conditions_of_a_cell(load_script):
    balance = load_script("docs/balance.py")
    for place in (balance.Place("ford", 2, "easy"), balance.places(load_pack("core"))[-1]):
        result = balance.play(place, 20)
        assert list(result) == ["greedy", "random"]
        assert result["greedy"].won > result["random"].won
        assert {row.games for row in result.values()} == {20}
