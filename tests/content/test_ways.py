"""Areas that no hero can reach."""

import pytest

from agemonia_env.rulesets.agemonia import content

YARD = "scenarios/yard.yaml"


@pytest.mark.parametrize(
    ("rows", "borders", "mistake"),
    [
        ("A.B", [], "no areas that touch lead from A, where the Heroes start, to B; draw B beside"),
        ("AB", [{"between": ["A", "B"], "kind": "barrier"}], "barriers cut B off from A, where"),
    ],
)
def test_what_cuts_a_needed_area_off_is_named(files, build, rows, borders, mistake):
    drawn = files[YARD]["map"]
    files[YARD]["map"] = drawn | {"rows": rows, "borders": borders, "ropes": []}
    files[YARD]["objective"] = {"kind": "reach", "areas": ["B"]}
    assert any(f"{YARD}: " in text and mistake in text for text in content.check(build()))
