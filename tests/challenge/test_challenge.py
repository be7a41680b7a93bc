"""Entries of every kind play, wrong ones lose games by clear rules, and a row can be verified."""

import base64
import json
import re

import pytest
from typer.testing import CliRunner

from agemonia_env.challenge import referee
from agemonia_env.challenge.decision import WANTS
from agemonia_env.challenge.entries import Entry
from agemonia_env.challenge.messages import EntryError
from agemonia_env.challenge.row import (
    GameRow,
    Result,
    RowError,
    hash_of,
    pack_moves,
    read_row,
    unpack_moves,
)
from agemonia_env.challenge.settings import SETS, STANDARD, game_seed
from agemonia_env.challenge.verify import verify
from agemonia_env.cli import main
from agemonia_env.files.stopping import Interrupted
from tests.challenge.conftest import FIRST


def games_of(row):
    return [game for setting in row.settings for game in setting.games]


def forfeits(row):
    return [game.forfeit for game in games_of(row)]


# ---- what is played -----------------------------------------------------------------------------
def test_seeds_follow_from_salt_setting_and_number():
    seeds = {game_seed(salt, name, k) for salt in "ab" for name in "cd" for k in range(5)}
    assert len(seeds) == 20
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_the_standard_set_has_both_rulesets_both_sides_and_drawn_scenarios():
    assert {one.env_id for one in STANDARD} == {"Agemonia-v0", "HexDungeon-v0"}
    assert {one.side for one in STANDARD} == {"hero", "enemy"}
    assert any(one.choices["scenario"] == "random" for one in STANDARD)
    names = [one.name for one in STANDARD]
    assert len(set(names)) == len(names)
    for one in STANDARD:
        assert one.checked().side == one.side
    assert all(one in STANDARD for one in SETS["trial"].settings)


# ---- entries ------------------------------------------------------------------------------------
def test_a_command_plays_and_its_row_is_verified(script, challenge, tmp_path):
    row = challenge(script()).play()
    assert (row.entry.name, row.missing(), forfeits(row)) == ("script", 0, [""] * 4)
    assert verify(tmp_path / "row.json") == row
    assert all(game.decisions == 4 for game in games_of(row))


def test_object_and_command_that_choose_alike_play_alike(script, python, challenge, tmp_path):
    moves = []
    for entry in (script(), python()):
        moves.append([game.moves for game in games_of(challenge(entry).play())])
        (tmp_path / "row.json").unlink()
    assert moves[0] == moves[1]


def test_an_object_sees_what_it_wants(python, challenge):
    body = "assert all((decision.position, decision.numbers, decision.features)); "
    body += "assert self.start.rules and self.start.goal; return decision.options[-1].action"
    row = challenge(python(body, WANTS)).play()
    assert forfeits(row) == [""] * 4


def test_a_policy_by_name_plays_both_sides(challenge, tmp_path):
    for name in ("random", "greedy"):
        row = challenge(Entry("policy", name)).play()
        assert verify(tmp_path / "row.json") == row
        (tmp_path / "row.json").unlink()
    with pytest.raises(EntryError, match=r"policy='gredy'.*did you mean"):
        challenge(Entry("policy", "gredy")).play()


def test_several_threads_play_the_same_games(script, challenge, tmp_path):
    rows = []
    for workers in (1, 2):
        rows.append(challenge(script(), workers=workers).play())
        (tmp_path / "row.json").unlink()
    games = [[(game.moves, game.end) for game in games_of(row)] for row in rows]
    assert games[0] == games[1]


# ---- wrong entries ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("answer", "refused"),
    [
        ('print("Attack!", flush=True)', 3),
        ('print(json.dumps({"action": 9999}), flush=True)', 3),
        ('print(json.dumps({"move": first}), flush=True)', 3),
        (
            'print(json.dumps({"action": first if message.get("again") else 9999}), flush=True)',
            None,
        ),
    ],
    ids=["garbage", "unknown action", "no action", "second thoughts"],
)
def test_a_wrong_answer_is_refused_with_the_reason(script, challenge, answer, refused, tmp_path):
    row = challenge(script(answer)).play()
    if refused is None:
        assert [(game.forfeit, game.refused) for game in games_of(row)] == [("", 4)] * 4
    else:
        assert forfeits(row) == ["illegal"] * 4
        for game in games_of(row):
            assert re.match("decision 0: .", game.why)
            assert (game.refused, game.decisions, game.won) == (3, 0, False)
    assert verify(tmp_path / "row.json") == row


def test_a_crash_loses_the_game_and_the_next_one_begins_afresh(script, challenge, tmp_path):
    row = challenge(script(f"sys.exit(1) if decisions == 6 else {FIRST}")).play()
    assert forfeits(row) == ["", "crash", "", "crash"]
    assert [bool(game.why) for game in games_of(row)] == [False, True, False, True]
    assert row.settings[0].games[1].decisions == 1
    assert verify(tmp_path / "row.json") == row


def test_a_slow_command_is_killed_and_loses_the_game(script, challenge, tmp_path):
    slow = f"time.sleep(60 if decisions == 3 else 0); {FIRST}"
    row = challenge(script(slow), budget_ms=600).play()
    assert forfeits(row) == ["time"] * 4
    assert all("it took" in game.why for game in games_of(row))
    assert verify(tmp_path / "row.json") == row


def test_an_exception_or_a_slow_object_loses_the_game(python, challenge, tmp_path, capfd):
    row = challenge(python("raise RuntimeError('no idea')")).play()
    assert forfeits(row) == ["crash"] * 4
    assert "no idea" in capfd.readouterr().err
    (tmp_path / "row.json").unlink()
    slow = "import time; time.sleep(0.03); return decision.options[0].action"
    assert forfeits(challenge(python(slow), budget_ms=10).play()) == ["time"] * 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("print('hello', flush=True); input()", "the first line must be .*, not 'hello'"),
        ('print(\'{{"type": "ready", "protocol": 7}}\', flush=True)', "speaks protocol 7, not 1"),
        ("", "but it ended"),
        (
            'print(\'{{"type": "ready", "protocol": 1, "wants": ["pictures"]}}\', flush=True)',
            "must be a list of words, numbers",
        ),
        (
            'print(\'{{"type": "ready", "protocol": 1, "name": "a\\\\nb"}}\', flush=True)',
            "must be a text of at most 60 printable characters",
        ),
    ],
)
def test_an_entry_that_does_not_speak_the_protocol_cannot_play(script, challenge, text, message):
    with pytest.raises(EntryError, match=message):
        challenge(script(text=text)).play()


def test_what_cannot_be_entered_is_named(challenge, python):
    for entry, message in (
        (Entry("command", "no-such-program-here"), "cannot be started: No such file"),
        (Entry("command", ""), "there is no command"),
        (Entry("object", "nowhere"), "must be module:Class or file.py:Class"),
        (Entry("object", "nowhere.py:Mine"), "no such file"),
        (Entry("object", "json:Mine"), "json has no Mine"),
        (Entry("object", "collections:Counter"), "has no method act"),
        (python(wants=("pictures",)), "must be a list of words, numbers"),
    ):
        with pytest.raises(EntryError, match=message):
            challenge(entry).play()


# ---- rows ---------------------------------------------------------------------------------------
def change(path, edit, *, sign=True):
    """Change a row on disk, and make its hash right if `sign`."""
    content = json.loads(path.read_text())
    edit(content)
    if sign:
        content["hash"] = hash_of(content)
    path.write_text(json.dumps(content))


def first_game(row):
    return row["settings"][0]["games"][0]


def longer(moves):
    """Moves with something after their end."""
    return base64.b64encode(base64.b64decode(moves) + b"more").decode()


@pytest.fixture
def played(row_text, tmp_path):
    """The file of a row."""
    (tmp_path / "row.json").write_text(row_text)
    return tmp_path / "row.json"


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda row: first_game(row).update(won=True), "says won; its moves give lost"),
        (lambda row: first_game(row).update(end="0" * 16), "ends in another position"),
        (lambda row: first_game(row).update(forfeit="crash"), "it was forfeited, but is over"),
        (
            lambda row: first_game(row).update(moves=pack_moves([0]), decisions=1),
            "it stops before its end",
        ),
        (
            lambda row: first_game(row).update(moves=pack_moves([0, 99, 0, 0])),
            "decision 1: there are .* legal actions, not 100",
        ),
        (lambda row: first_game(row).update(moves="%"), "its moves are damaged"),
        (
            lambda row: first_game(row).update(moves=longer(first_game(row)["moves"])),
            "its moves are damaged",
        ),
        (lambda row: first_game(row).update(ms=70_000, most_ms=70_000), "took 70000 ms of 60000"),
        (lambda row: first_game(row).update(most_ms=50_000), "took 50000 ms, all together"),
        (lambda row: row.update(budget_ms=10**6), "budget_ms=1000000: must be a whole number"),
        (lambda row: row.update(protocol=9), "its protocol is 9, here 1"),
        (lambda row: row["settings"].pop(), "settings one: must be all of one, two, or all of"),
        (lambda row: row["settings"].clear(), "must be all of one, two"),
        (lambda row: row["settings"].reverse(), "settings two, one: must be all of one, two"),
        (lambda row: row["entry"].update(name="\x1b[2J"), "entry.name: must print on one line"),
        (lambda row: row["settings"][0]["games"].pop(), "game 1 is missing"),
        (lambda row: row["settings"][0]["arguments"].update(heroes=4), "arguments is"),
        (lambda row: row["settings"][0].update(rules="agemonia 1"), "rules is 'agemonia 1', here"),
        (lambda row: row["settings"][0]["result"].update(rate=0.5), "its games give 0.0"),
        (lambda row: row.update(salt="another"), "game 0: "),
        (lambda row: row.update(set="huge"), "set='huge': must be one of"),
    ],
)
def test_a_changed_row_is_refused_and_says_what_differs(played, edit, message):
    def agreed(row):
        """Keep results in line with games, so that the games themselves are compared."""
        edit(row)
        for one in row["settings"] if "its games give" not in message else ():
            games = [GameRow.model_validate(game) for game in one["games"]]
            one["result"] = Result.of(games).model_dump()

    change(played, agreed)
    with pytest.raises(RowError, match=message):
        verify(played)


def test_a_row_that_was_changed_without_its_hash_is_refused(played):
    change(played, lambda row: row["entry"].update(name="better"), sign=False)
    with pytest.raises(RowError, match="was changed: its hash is"):
        read_row(played)


def test_what_is_no_row_is_refused(tmp_path):
    path = tmp_path / "row.json"
    for text, message in (("{", "row.json"), ("[]", "its format is None"), ('{"a": 1}', "None")):
        path.write_text(text)
        with pytest.raises(RowError, match=message):
            read_row(path)


def test_moves_are_packed_and_unpacked():
    moves = [0, 3, 255, 256, 40_000] * 9
    assert unpack_moves(pack_moves(moves), 45) == moves
    with pytest.raises(ValueError, match="has 45 moves, not 44"):
        unpack_moves(pack_moves(moves), 44)


# ---- stopping and going on ----------------------------------------------------------------------
def test_a_stopped_challenge_keeps_its_games_and_goes_on(python, challenge, tmp_path, monkeypatch):
    whole = challenge(python()).play()
    (tmp_path / "row.json").unlink()
    real, count = referee.Referee.play, []

    def stopped(self, game, stop=None):
        count.append(game)
        if len(count) == 3:
            raise KeyboardInterrupt
        return real(self, game, stop)

    monkeypatch.setattr(referee.Referee, "play", stopped)
    stopping = challenge(python())
    with pytest.raises(Interrupted, match=r"2 of 4 games are in .*; the same command goes on"):
        stopping.play()
    part = read_row(tmp_path / "row.json")
    assert part.missing() == 2
    with pytest.raises(RowError, match="two: game 0 is missing"):
        verify(tmp_path / "row.json")
    row = stopping.play()
    assert len(count) == 5
    assert verify(tmp_path / "row.json") == row
    assert [game.end for game in games_of(row)] == [game.end for game in games_of(whole)]


def test_another_challenge_is_not_mixed_in(python, challenge, script):
    challenge(python()).play()
    with pytest.raises(RowError, match=r"entry is '.* \(object .*\)', now '.* \(command "):
        challenge(script()).play()
    with pytest.raises(RowError, match="salt is"):
        challenge(python(), salt="mine").play()


def test_bad_choices_are_named(python, challenge):
    for choices, message in (
        ({"budget_ms": 60_001}, "budget_ms=60001: must be a whole number, 1 to 60000"),
        ({"env_id": "Chess-v0"}, "env='Chess-v0': must be one of Agemonia-v0"),
        ({"workers": 0}, "workers=0"),
        ({"salt": ""}, "salt=''"),
        ({"salt": "\udcff"}, r"salt='\\udcff': must have 1 to 200 characters"),
        ({"name": "x" * 300}, "name='xxx.*must be a text of at most 60"),
    ):
        with pytest.raises(ValueError, match=message):
            challenge(python(), **choices)
    for text in ("\udcff", "x" * 1001):
        with pytest.raises(ValueError, match=r"^--command .*: must be one line of at most 1000"):
            Entry("command", text)


# ---- the command --------------------------------------------------------------------------------
def run(*words):
    return CliRunner().invoke(main.app, ["challenge", *map(str, words)])


def test_the_command_plays_and_verifies(python, tmp_path):
    out = tmp_path / "cli.json"
    done = run("--object", python().text, "--set", "small", "--out", out, "--name", "mine")
    assert done.exit_code == 0, done.output
    assert "mine: small" in done.output
    done = run("--verify", out)
    assert done.exit_code == 0, done.output
    assert "verified (small, 4 games, hash" in done.output
    change(out, lambda row: first_game(row).update(ms=99_999), sign=False)
    done = run("--verify", out)
    assert (done.exit_code, "was changed" in done.output) == (2, True)


def test_the_command_wants_one_entry():
    for words in ((), ("--policy", "random", "--command", "true")):
        done = run(*words)
        assert done.exit_code == 2
        assert "give exactly one of --command, --object, --policy" in done.output
