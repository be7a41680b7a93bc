"""Values in messages: on one line, short, whatever they are."""

import numpy as np
import pytest

from agemonia_env.display.messages import MOST_SHOWN, shown


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
