"""The leaderboard is made of rows that verify, and pages show the examples as they are."""

import json
import re
from pathlib import Path

import pytest

from agemonia_env.challenge.row import RowError, hash_of
from agemonia_env.challenge.settings import SALT
from agemonia_env.challenge.verify import check_game, check_setting

ROOT = Path(__file__).resolve().parents[2]
ROWS = ROOT / "docs" / "leaderboard"


@pytest.fixture(scope="module")
def board(load_script):
    return load_script("docs/leaderboard.py")


def test_the_page_is_what_the_rows_say(board):
    assert board.PAGE.read_text(encoding="utf-8") == board.page(board.rows_in(ROWS))


def test_our_rows_are_there_and_whole(board):
    files = {path.stem for path in ROWS.glob("*.json")}
    assert {file for file, _, _ in board.OWN} <= files
    assert sum(path.stat().st_size for path in ROWS.glob("*.json")) < 2**20


def test_the_games_of_our_rows_go_as_they_say(board):
    """Some games of every setting; `agemonia challenge --verify` plays them all."""
    for row in board.rows_in(ROWS):
        for one, setting in zip(row.settings, row.known_settings(), strict=True):
            check_setting(one, setting, row.played.games)
            check_game(setting.make(), setting, SALT, one.games[-1])


def test_a_row_of_other_games_is_refused(board, tmp_path):
    content = json.loads((ROWS / "random.json").read_text())
    for key, value, message in (
        ("salt", "mine", "with the published salt"),
        ("set", "short", "must be of the set 'standard'"),
        ("settings", content["settings"][:-1], "must be all of ford, weir"),  # one was left out
    ):
        changed = {**content, key: value}
        changed["hash"] = hash_of(changed)
        (tmp_path / "row.json").write_text(json.dumps(changed))
        with pytest.raises(RowError, match=message):
            board.rows_in(tmp_path)


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
