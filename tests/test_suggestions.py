"""Suggestions for misspelt words."""

import pytest

from agemonia_env.display.suggestions import closest, did_you_mean

NAMES = ("Reedling", "Mud Slinger", "per_hero")


@pytest.mark.parametrize(
    ("word", "name"),
    [("reedlin", "Reedling"), ("MUD SLINGER", "Mud Slinger"), ("per_heroes", "per_hero")],
)
def test_a_misspelt_word_finds_its_name(word, name):
    assert closest(word, NAMES) == name
    assert did_you_mean(word, NAMES) == f"; did you mean {name!r}?"


@pytest.mark.parametrize("word", ["", "zzz", "x" * 100_000])
def test_a_word_that_is_like_no_name_gets_no_suggestion(word):
    assert closest(word, NAMES) is None
    assert did_you_mean(word, NAMES) == ""
