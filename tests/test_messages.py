"""Values in messages: on one line, short, whatever they are."""

import time

import numpy as np
import pytest

from agemonia_env.display import messages
from agemonia_env.display.messages import (
    FEW,
    MOST_MISTAKES,
    MOST_SHOWN,
    first_of,
    listing,
    number_of,
    shown,
    unknown,
)


class Unwritten:
    def __repr__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    "value",
    [10**5000, "x" * 10**6, "a\nb", np.zeros((50, 50)), Unwritten(), [[]] * 10_000],
    ids=["number", "text", "lines", "array", "unwritten", "list"],
)
def test_a_value_is_shown_on_one_short_line(value):
    text = shown(value)
    assert len(text) < MOST_SHOWN + 20
    assert "\n" not in text
    assert text


def test_of_very_many_names_the_nearest_few_are_listed():
    names = [f"item-{k:05}" for k in range(20_000)]
    began = time.process_time()
    text = unknown("item", "item-1234", names)
    assert time.process_time() - began < 2
    assert len(text) < 500
    assert text.startswith("unknown item 'item-1234'; did you mean 'item-")
    assert text.endswith(f" and {20_000 - FEW:,} more")
    assert "item-123" in text


def test_names_that_fit_a_line_are_all_listed():
    names = [f"item-{k}" for k in range(100)]
    assert unknown("item", "thing", names).endswith("; allowed: " + ", ".join(names))
    assert listing("x", []) == ""


@pytest.mark.parametrize("number", [0, 1, 100, 101])
def test_a_hundred_mistakes_are_described(number):
    assert first_of(f"{k}" for k in range(number)) == [f"{k}" for k in range(number)]


def test_further_mistakes_are_counted_without_the_names_that_are_allowed(monkeypatch):
    made = []
    monkeypatch.setattr(messages, "listing", lambda *about: made.append(about) or "all")
    found = first_of(unknown("item", k, ["a"]) for k in range(3000))
    assert len(made) == MOST_MISTAKES
    assert len(found) == MOST_MISTAKES + 1
    assert found[-1] == "2,900 more mistakes are not shown"
    assert first_of(found) == found
    assert [number_of(some) for some in (found, found[:7], [])] == [3000, 7, 0]
    assert unknown("item", 5, ["a"]).endswith("all")
