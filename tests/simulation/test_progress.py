"""Progress while games are played, and the summary."""

import io

import pytest
from rich.console import Console

import agemonia_env
from agemonia_env.simulation import progress as shown
from agemonia_env.simulation.progress import Progress, share, summary


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test moves forward."""
    now = [100.0]
    monkeypatch.setattr(shown.time, "monotonic", lambda: now[0])
    return now


def test_speed_and_win_rate(clock):
    progress = Progress(1000, None)
    progress.resume(500, 100)
    assert progress.line() == "500 of 1,000 games, 0 games/s, won 20.0 % (16.7 - 23.7)"
    clock[0] += 2.0
    progress.add(200, 100)
    assert progress.line() == "700 of 1,000 games, 100 games/s, won 28.6 % (25.3 - 32.0)"


def test_no_games_yet_have_no_win_rate(clock):
    assert Progress(10, None).line() == "0 of 10 games, 0 games/s"


def test_slow_games_have_a_speed_too(clock):
    progress = Progress(24, None)
    clock[0] += 80
    progress.add(20, 20)
    assert progress.line().startswith("20 of 24 games, 0.25 games/s")


def test_without_a_terminal_lines_are_printed_at_intervals(clock):
    printed = io.StringIO()
    with Progress(100, Console(file=printed)) as progress:
        for _ in range(8):
            clock[0] += 4.0
            progress.add(10, 5)
    lines = printed.getvalue().splitlines()
    assert [line.split(",")[0] for line in lines] == [
        "30 of 100 games",
        "60 of 100 games",
        "80 of 100 games",
    ]


def test_a_terminal_shows_a_bar_with_speed_rate_and_time_left():
    printed = io.StringIO()
    console = Console(file=printed, force_terminal=True, width=120)
    with Progress(100, console) as progress:
        progress.add(100, 50)
    for word in ("━", "100/100", "games/s", "won 50.0 % (40.4 - 59.6)", "0:00:00"):
        assert word in printed.getvalue()


def test_a_share_with_its_interval():
    assert share(81, 263) == "30.8 % (25.5 - 36.6)"


def test_the_table_has_a_line_for_each_kind():
    rows = agemonia_env.simulate(["ford", "toll"], [1, ["orsa", "ketch"]], games=40, seed=1)
    printed = io.StringIO()
    Console(file=printed, width=140).print(summary(rows.lazy()))
    lines = [line.split() for line in printed.getvalue().splitlines() if "normal" in line]
    assert [line[:1] for line in lines] == [["ford"], ["ford"], ["toll"], ["toll"]]
    assert lines[1][1:6] == ["orsa,", "ketch", "1", "normal", "10"]
    ford = rows.filter((rows["scenario"] == "ford") & (rows["party"] == "1"))
    for column in ("rounds", "decisions", "damage_dealt", "damage_taken", "exhausted"):
        assert f"{ford[column].mean():.2f}" in lines[0]
    assert f"{100 * ford['won'].mean():.1f}" in lines[0]
