"""The leaderboard is made of rows that verify, and pages show the examples as they are."""

import json
import re
from pathlib import Path

import pytest

from agemonia_env.challenge import verify as verification
from agemonia_env.challenge.row import GameRow, RowError, hash_of, read_row
from agemonia_env.challenge.settings import SALT
from agemonia_env.challenge.verify import check_claims, check_game, check_setting

ROOT = Path(__file__).resolve().parents[2]
ROWS = ROOT / "docs" / "leaderboard"


def changed(path, change):
    """Write the row of random play, changed, with its hash."""
    content = json.loads((ROWS / "random.json").read_text())
    change(content)
    path.write_text(json.dumps(content | {"hash": hash_of(content)}))
    return path


@pytest.fixture(scope="module")
def board(load_script):
    return load_script("docs/leaderboard.py")


def test_the_page_is_what_the_rows_say(board):
    assert board.PAGE.read_text(encoding="utf-8") == board.page(board.rows_in(ROWS, read_row))


def test_our_rows_are_there_and_whole(board):
    files = {path.stem for path in ROWS.glob("*.json")}
    assert {file for file, _, _ in board.OWN} <= files
    assert sum(path.stat().st_size for path in ROWS.glob("*.json")) < 2**20


def test_the_games_of_our_rows_go_as_they_say(board):
    """Some games of every setting; `agemonia challenge --verify` plays them all."""
    for row in board.rows_in(ROWS, read_row):
        for one, setting in zip(row.settings, row.known_settings(), strict=True):
            check_setting(one, setting, row.played.games)
            check_game(setting.make(), setting, SALT, one.games[-1])


def test_a_row_of_other_games_is_refused(board, tmp_path):
    for change, message in (
        (lambda row: row.update(salt="mine"), "with the published salt"),
        (lambda row: row.update(set="short"), "must be of the set 'standard'"),
        (lambda row: row["settings"].pop(), "must be all of ford, weir"),
    ):
        changed(tmp_path / "row.json", change)
        with pytest.raises(RowError, match=message):
            board.rows_in(tmp_path, read_row)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda games: games[0].update(won=not games[0]["won"]), "is .*; its games give"),
        (lambda games: [game.update(won=True) for game in games], "is .*; its games give"),
        (lambda games: games.pop(), "39"),
        (lambda games: games.__setitem__(1, games[0]), "is .*; its games give|game 1 is missing"),
    ],
)
def test_the_page_has_only_rows_that_were_played_again(board, tmp_path, change, message):
    changed(tmp_path / "row.json", lambda row: change(row["settings"][0]["games"]))
    with pytest.raises(RowError, match=message):
        board.rows_in(tmp_path)


def test_every_game_of_a_row_is_played_again_before_the_page_is_written(board, monkeypatch):
    played = []
    monkeypatch.setattr(verification, "check_game", lambda *about: played.append(about[-1].game))
    rows = board.rows_in(ROWS)
    assert len(played) == sum(len(one.games) for row in rows for one in row.settings)


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ({"forfeit": "illegal"}, "it was lost by 3 refused answers, but has 0"),
        ({"forfeit": "illegal", "refused": 24}, "24 answers were refused; 11 decisions allow 23"),
        ({"refused": 21}, "21 answers were refused; 10 decisions allow 20"),
        ({"forfeit": "time", "refused": 0}, "it was late, but no decision took 1000 ms"),
        ({"forfeit": "crash", "ms": 2000, "most_ms": 2000}, "yet it was not late"),
        ({"ms": 300, "most_ms": 20}, "10 decisions took 300 ms, none more than 20"),
        ({"ms": 10, "most_ms": 20}, "a decision took 20 ms, all together 10"),
    ],
)
def test_claims_that_contradict_themselves_are_refused(claims, message):
    game = {"game": 0, "won": False, "decisions": 10, "moves": "", "end": "0" * 16}
    row = GameRow(**{**game, "ms": 50, "most_ms": 20, **claims})
    with pytest.raises(ValueError, match=message):
        check_claims(row, 1000)


@pytest.mark.parametrize("name", ["", "  "])
def test_an_entry_has_a_name(tmp_path, name):
    path = changed(tmp_path / "row.json", lambda row: row["entry"].update(name=name))
    with pytest.raises(RowError, match=r"entry\.name: must not be empty"):
        read_row(path)


def test_names_and_commands_are_no_markdown(board):
    assert board.literal("a|b <img> [x](y) *z*") == r"a\|b \<img\> \[x\](y) \*z\*"
    assert board.literal("planner:50 of agemonia_env") == "planner:50 of agemonia_env"
    assert board.code("python a.py | tee") == r"`python a.py \| tee`"
    assert board.code("a `b`") == r"a \`b\`"


def test_the_page_has_the_example_as_it_is():
    page = (ROOT / "docs" / "challenge.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.S | re.M)
    assert block == (ROOT / "examples" / "challenge_entry.py").read_text(encoding="utf-8")
    assert f"`{SALT}`" in page
