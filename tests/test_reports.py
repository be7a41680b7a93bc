"""Reports in a console and in a notebook."""

import pytest

from agemonia_env import balance, league
from agemonia_env.display.messages import MOST_SHOWN
from agemonia_env.display.reports import Readable, text_table

GAMES = {"games": 100}


@pytest.fixture(scope="module")
def reports():
    path, other = "enemies.reedling.shield", "enemies.reedling.provoke"
    ranges = {path: (0, 2), other: (1, 3)}
    return {
        "compare": balance.compare(b=f"{path} +1", **GAMES),
        "steps": balance.sensitivity([path], **GAMES),
        "morris": balance.sensitivity(method="morris", ranges=ranges, trajectories=2, **GAMES),
        "search": balance.search({path: (0, 1)}, trials=2, confirm=100, **GAMES),
        "front": balance.search(
            {path: (0, 1)}, [{"won": 50}, {"rounds": {"at_most": 6}}], confirm=100, **GAMES
        ),
        "rank": balance.rank([f"{path} +1", f"{path} +2"], **GAMES),
        "analyse": balance.analyse(scenario=["ford", "toll"], watched=100, pairs=False, **GAMES),
        "league": league.play(scenario="ford", games=50, orders=2),
    }


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("compare", "ford, 2 heroes, greedy: the heroes win "),
        ("steps", "ford, 2 heroes, greedy: "),
        ("morris", " matters most, "),
        ("search", "target is "),
        ("front", " targets are met"),
        ("rank", "Highest win rate: "),
        ("analyse", " And 1 more condition."),
        ("league", "strongest: greedy ("),
    ],
)
def test_every_report_is_a_sentence_and_tables(reports, kind, text):
    report = reports[kind]
    shown = repr(report)
    assert shown.startswith(f"<{type(report).__name__}: ")
    assert text in shown
    assert len(shown) < MOST_SHOWN + 50
    assert "\n" not in shown
    page = report._repr_html_()
    assert "<pre " in page
    assert (kind == "league") == page.startswith("<pre ")
    assert (kind == "league") == ("<svg" not in page)
    assert "greedy" in page
    assert "\x1b" not in page


def test_names_are_text_and_no_markup_of_any_kind():
    class Shown(Readable):
        headline = "x" * 1000

        def __rich__(self):
            return text_table("[/] <b>", ["name"], [["[red]x[/] <script>"]], sure=[0])

    page = Shown()._repr_html_()
    assert "[/] &lt;b&gt;" in page
    assert "[red]x[/] &lt;script&gt;" in page
    assert len(repr(Shown())) < 300
