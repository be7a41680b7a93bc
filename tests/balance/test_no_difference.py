"""A change that no game reaches is said to be one."""

import pytest
from rich.console import Console

from agemonia_env import balance


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("scenarios.ford.last_round +15", "no game reached what was changed"),
        ("enemies.hag.health.base +1", "A and B have the same numbers here"),
        ("enemies.reedling.health.per_hero +1", ""),
    ],
)
def test_no_difference_has_a_reason(change, said):
    found = balance.compare(b=change, scenario="ford", heroes=2, games=100)
    console = Console(width=140, record=True, quiet=False)
    with console.capture() as captured:
        console.print(found)
    printed = captured.get()
    assert said in printed
    if not said:
        assert "no game reached" not in printed
        assert "same numbers" not in printed
