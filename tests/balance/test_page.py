"""Reports as one HTML file."""

import json
import re

import pytest

from agemonia_env.balance import analyse, compare, rank, search, sensitivity
from agemonia_env.balance.page import Page, Section, rendered
from agemonia_env.balance.plots import LONGEST, intervals, on_two_lines, tornado
from agemonia_env.rulesets.pack_tools import pack_tools_of

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


CHANGE = "heroes.orsa.actions[1].cost = 0"


def test_titles_and_rows_name_the_action():
    """Readers see names; the exact path is in the provenance or the record."""
    name = 'Orsa, action "Sweeping Oar": cost'
    path = "heroes.orsa.actions[1].cost"
    compared = compare(b=CHANGE, games=100)
    assert compared.page().title == f"{name} 1 → 0 against as it is"
    assert compared.page().provenance["B changes"] == "heroes.orsa.actions[1].cost = 0"
    assert compared.headline.startswith(f"{name} 1 → 0 against")
    moved = sensitivity("heroes.orsa.actions[1].cost", games=100)
    assert {row[0] for row in moved.page().sections[0].rows} == {name}
    assert {row["path"] for row in moved.rows} == {"heroes.orsa.actions.Sweeping Oar.cost"}
    found = search({path: [0, 1]}, [{"won": 1}], trials=2, games=100, confirm=100)
    assert name in found.page().sections[-1].heads
    assert [*found.search.config.values] == [path]
    ranked = rank(
        [f"{path} -1", {"name": "dear", "changes": f"{path} +1"}], values={path: [0, 2]}, games=100
    )
    shown = [row[0].partition(". ")[2] for row in ranked.page().sections[0].rows]
    assert any(one.startswith(f"{name} -1 (and 1 other") for one in shown)
    assert "dear (and 1 other with the same games)" in shown
    assert f"{path} -1" in {row["variant"] for row in ranked.rows}
    for text in (moved._repr_html_(), found._repr_html_(), ranked._repr_html_()):
        assert "actions[1]" not in text.replace(ranked.pack, "").replace(found.pack, "")


@pytest.mark.parametrize(
    ("env", "pack", "change", "words"),
    [
        ("Agemonia-v0", "core", f"{HIT} +1", "Mud Slinger, action open: attack value +1"),
        ("Agemonia-v0", "core", "scenarios.barrow.difficulty.hard.health = 4",
         "Barrow Night, difficulty hard: health 1 → 4"),
        ("HexDungeon-v0", "hex-core", "templates.arc.hexes[0][0] +1",
         "templates, arc: hexes [0] [0] +1"),
        ("Agemonia-v0", "core", "heroes.orsa.items + yarrow", "Orsa: items + Yarrow"),
        ("Agemonia-v0", "core", "enemies.eelmother.shield = 2",
         "The Eel Mother (enemy eelmother): shield 1 → 2"),
        ("Agemonia-v0", "core", "scenarios.ford.setup[3].amount = 2",
         "The Ford at Lowmere, setup [3] (Thornhound): amount 1 → 2"),
        ("Agemonia-v0", "core", "decks.trap.Sprung Stakes.damage +1",
         'decks trap, card "Sprung Stakes": damage +1'),
        ("HexDungeon-v0", "hex-core", "scenarios.warm-cellar.legend.a.heroes[1] = elite",
         "The Warm Cellar, legend a (Kiln Rat): party of 2 = elite"),
        ("HexDungeon-v0", "hex-core", "classes.thornarm.cards[1].top[0].attack +1",
         'Thornarm, card "Rip": top attack +1'),
    ],
)  # fmt: skip
def test_changes_in_words(env, pack, change, words):
    assert pack_tools_of(env).changes_in_words(f"{pack}; {change}") == words


def test_words_are_unique_or_the_path(tmp_path):
    words = pack_tools_of("Agemonia-v0").words("core")
    twice = "heroes.orsa.actions.Sweeping Oar.cost", "heroes.orsa.actions[1].cost"
    assert words.of_paths(twice) == {path: path for path in twice}
    many = words.changes([f"scenarios.ford.setup[{k}].amount = 2" for k in range(6)])
    assert many.endswith("; and 2 more changes")


def test_a_long_name_is_broken_and_cut():
    assert on_two_lines("short") == "short"
    assert on_two_lines("own\nlines " * 20) == "own\nlines " * 20
    lines = on_two_lines("a word " * 40).split("\n")
    assert len(lines) == 2
    assert max(map(len, lines)) <= LONGEST
    assert lines[1].endswith("…")


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
