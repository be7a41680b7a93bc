"""Reports as one HTML file."""

import json
import re

import pytest

from agemonia_env.balance import analyse, compare, search, sensitivity
from agemonia_env.balance.page import Page, Section, rendered
from agemonia_env.balance.plots import intervals, tornado

HEALTH, HIT = "enemies.reedling.health.per_hero", "enemies.slinger.actions.open.attack.value"
RANGES = {HEALTH: [1, 4], HIT: [2, 4]}


@pytest.mark.parametrize(
    ("study", "given"),
    [
        (compare, {"b": {"name": "<b>", "changes": f"{HIT} +1"}, "policy": ["greedy", "random"]}),
        (sensitivity, {"of": HIT}),
        (sensitivity, {"method": "morris", "ranges": RANGES, "trajectories": 2}),
        (sensitivity, {"method": "sobol", "ranges": RANGES, "samples": 4}),
        (search, {"values": RANGES, "trials": 2, "confirm": 100}),
        (analyse, {"watched": 100}),
    ],
)  # fmt: skip
def test_a_report_is_one_file_with_all_numbers_in_it(study, given):
    found = study(**given, games=100, text="a <i>note</i>")
    page = found.html("agemonia balance this.yaml --seed 0")
    assert page.startswith("<!DOCTYPE html>")
    assert re.findall(r"""(?:src|href)=["'](?!#|data:)""", page) == []  # nothing from elsewhere
    assert "@import" not in page
    assert "agemonia balance this.yaml --seed 0" in page
    assert "a &lt;i&gt;note" in page
    assert "<b>" not in page
    carried = page.partition('id="record">')[2].partition("</script>")[0]
    assert json.loads(carried) == json.loads(json.dumps(found.record()))
    assert "<svg" in page
    assert found.html("x") == found.html("x")


def test_text_from_files_is_escaped():
    sly = "</script><script>alert(1)</script>"
    page = Page(sly, sly, [sly], {sly: sly}, [Section(sly, sly, "", (sly,), [(sly,)])])
    text = rendered(page, {"text": sly}, sly)
    assert "alert(1)</script>" not in text


def test_a_name_with_a_dollar_is_not_a_formula():
    assert intervals([r"$\frac{"], [(1.0, 0.0, 2.0)], "points").startswith("<svg")


def test_pictures_are_the_same_bytes_for_the_same_numbers():
    names, spans = ["one", "two"], [(1.0, 0.5, 1.5), (-1.0, -2.0, 0.1)]
    assert intervals(names, spans, "x") == intervals(names, spans, "x")
    assert tornado(names, [tuple(spans), tuple(spans)], "x").startswith("<svg")
