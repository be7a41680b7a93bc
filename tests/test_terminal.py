"""Playing and watching in a terminal: output, input, and endings."""

import builtins
import contextlib
import io
import os
import pty
import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image
from rich.console import Console
from typer.testing import CliRunner

from agemonia_env import warmup
from agemonia_env.cli import main, terminal
from agemonia_env.policies import policy_of
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv

OPTION = re.compile(r"^  [ \d]{2}\d  \S", re.MULTILINE)
ENVS = {"Agemonia-v0": AgemoniaEnv, "HexDungeon-v0": HexDungeonEnv}


def run(*words, typed=(), monkeypatch=None):
    lines = iter(typed)

    def read(prompt=""):
        line = next(lines, None)
        if line is None:
            raise EOFError
        if isinstance(line, BaseException):
            raise line
        return line

    if monkeypatch is not None:
        monkeypatch.setattr(builtins, "input", read)
    return CliRunner().invoke(main.app, [str(word) for word in words])


@pytest.fixture
def play(monkeypatch):
    """Play seed 1 with this input -> the output after the first board."""
    warmup.compile_if_cold(str)  # the first run of a fresh checkout says so, which is not the board

    def played(*typed, options=()):
        words = ("play", "--seed", 1, *options)
        first = run(*words, typed=[], monkeypatch=monkeypatch).output.rstrip("\n")
        result = run(*words, typed=typed, monkeypatch=monkeypatch)
        assert result.exit_code == 0, result.output
        assert result.output.startswith(first)
        return result.output.removeprefix(first)

    def in_one_line(*typed, options=()):
        return " ".join(played(*typed, options=options).split())

    played.in_one_line = in_one_line

    return played


def options_in(output):
    """The numbers of the options printed last."""
    board = output[output.rindex(">> ") :]
    return [int(line.split()[0]) for line in OPTION.findall(board)]


def table(env, width=100, height=None):
    """A table whose screen is a text; with a height it is a terminal."""
    screen = io.StringIO()
    terminal_like = height is not None
    console = Console(file=screen, width=width, height=height, force_terminal=terminal_like)
    made = terminal.TerminalGame(env, console, 1)
    made.start()
    return made, screen


def taken(screen):
    """The output since the last call, without colours."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue())
    screen.seek(0)
    screen.truncate()
    return text


# ---- output -------------------------------------------------------------------------------------
def test_play_says_what_every_card_does(play):
    printed = run("play", "--seed", 1).output
    assert "26  choose Hook and Hold\n       Red. Melee attack, 2 dice" in printed
    hexes = run("play", "--seed", 1, "--env", "HexDungeon-v0").output
    assert "Top: Attack 2, push 2. Bottom: Move 2; This round: Shield 1, self." in hexes


def test_the_objective_is_seen_from_the_start(play):
    printed = run("play", "--seed", 1).output
    assert "To win: Defeat all Enemies." in printed
    assert "Lost when: all Heroes are exhausted, or round 15 ends" in printed
    assert "Something has come up the river" in play("goal")


@pytest.mark.parametrize("env", ENVS)
@pytest.mark.parametrize("width", [60, 100])
def test_nothing_is_wider_than_the_terminal(env, width):
    made, screen = table(ENVS[env](), width)
    random = np.random.default_rng(0)
    for _ in range(60):
        action = int(random.choice(made.env.legal_actions()))
        for typed in (f"look {action}", f"why {action}", "look", "goal", "log", str(action)):
            made.obey(typed)
        if made.over:
            break
    wide = [line for line in taken(screen).split("\n") if len(line) > width]
    assert not wide


def test_a_short_terminal_shows_a_brief_board_that_fits():
    for env in ENVS.values():
        made, screen = table(env(), 100, 30)
        assert "Map" in taken(screen)
        made.obey(str(made.env.legal_actions()[0]))
        brief = taken(screen)
        assert brief.count("\n") <= 30
        assert made.env.question() in brief
        made.obey("")
        assert "Map" in taken(screen)


def test_play_lists_legal_actions_and_obeys_numbers(play):
    env = AgemoniaEnv()
    env.reset(seed=1)
    printed = run("play", "--seed", 1).output
    assert options_in(printed) == env.legal_actions().tolist()
    assert "Orsa chooses Focus" in play("24", "quit")


def test_undo_shows_the_very_same_board_again(play, monkeypatch):
    first = run("play", "--seed", 1, typed=[], monkeypatch=monkeypatch).output
    board = first[first.index("\nThe Ford at Lowmere   Round 1") : first.index("\nType the number")]
    assert board in play("24", "undo")
    assert "nothing to undo" in play("undo")


def test_again_begins_the_same_game(play, monkeypatch):
    first = run("play", "--seed", 1, typed=[], monkeypatch=monkeypatch).output.strip()
    assert play("24", "24", "again").rstrip().endswith(first)


# ---- input --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("999", "There is no action 999; legal: 24 to 28"),
        ("0", "This does not answer what is asked now. legal: 24 to 28"),
        ("lok orsa", "'lok orsa' is not a command; did you mean 'look'?"),
        ("hook and", "to choose Hook and Hold, type 26"),
        ("look reedlnig", "there is no 'reedlnig' to look at; did you mean 'Reedling'?"),
        ("look xyzzy", "`look` lists all names"),
        ("26 27", "'26 27' is not a command"),
        ("26" * 3000, "That line has 6000 characters; at most 200 are allowed."),
        ("why why", "'why why' is not a command; did you mean 'why'?"),
    ],
)
def test_invalid_input_gets_one_line(play, typed, said):
    answer = play(typed)
    assert said in answer
    assert answer.strip().count("\n") == 0
    assert len(answer) < 400


@pytest.mark.parametrize(
    "typed",
    ["", "   ", " 26 ", "HELP", "Look Orsa", "ß", "\x00", "🂡", "-1", "1e3", "'", "look [/]"],
)
def test_nothing_that_is_typed_ends_in_a_traceback(play, typed):
    assert "Traceback" not in play(typed)


def test_a_line_in_another_encoding_is_answered(play):
    wrong = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
    assert "encoding" in play(wrong, "goal")


def test_look_shows_cards_heroes_enemies_places_and_words(play):
    hook = play("look 26")
    assert "Hook and Hold, an action of Orsa" in hook
    assert "Then: Tamsin: which action this round?" in hook
    for name, said in (
        ("orsa", "Plank Shield (in use): Held in 1 hand. Discard it when hit: +3 on Might"),
        ("reedling", "staring move 2, then melee attack 3 against Might (horns: move +1)"),
        ("mill path", "Ways out: Stepping Stones, Mill Yard."),
        ("boat hook", "Printed: One hand. Melee weapon, +1. Takes runes."),
        ("held", "no move and no jump"),
        ("taunt", "highest"),
    ):
        assert said in play.in_one_line(f"look {name}"), name
    listed = play("look")
    for word in ("Allies: Orsa, Tamsin", "Conditions: Invisible", "Keywords:"):
        assert word in listed


def test_look_shows_the_cards_of_hexdungeon(play):
    env = ("--env", "HexDungeon-v0")
    for name, said in (
        ("7", "x are its red hexes"),
        ("brace", "initiative 20, in hand"),
        ("wallwright", "Keystone (10): top Lasting: negate"),
        ("kiln rat", "Gnaw (32): Move +0; Attack +0"),
        ("5,3", "Kiln Rat 2"),
        ("poison", "+1"),
    ):
        assert said in play.in_one_line(f"look {name}", options=env), name


def test_why_describes_a_legal_action(play):
    answer = play("why 26")
    assert "legal: choose Hook and Hold" in answer
    assert "Melee attack, 2 dice; those damaged become Slowed" in answer


def test_why_alone_lists_what_is_illegal(play):
    assert "29  choose no action: There is no such action to choose now." in play("why")


# ---- endings ------------------------------------------------------------------------------------
@pytest.mark.parametrize("env", ENVS)
def test_a_whole_game_says_why_it_ended_and_can_be_taken_back(env):
    made, screen = table(ENVS[env](ties="auto"))
    random = np.random.default_rng(0)
    while not made.over:
        made.obey(str(random.choice(made.env.legal_actions())))
    printed = taken(screen)
    ended = printed[printed.rindex("The scenario is ") :]
    assert re.match(r"The scenario is (won|lost) after \d+ rounds? and \d+ decisions: ", ended)
    assert "Objective: " in ended or "Goal: " in ended
    for word in ("undo", "again", "quit", "--seed 1"):
        assert word in ended
    made.obey("5")
    assert "The game is over: undo, again, or quit." in taken(screen)
    made.obey("why")
    assert ended.splitlines()[0] in taken(screen)
    made.obey("undo")
    assert not made.over
    assert made.env.question() in taken(screen)


def test_a_verdict_names_what_was_missing():
    env = AgemoniaEnv("ford", 2)
    env.reset(seed=1)
    state = env.states
    state["ending"], state["round"] = 3, 15
    text = env.ruleset.ending_text(state[0], env.compiled)
    assert "is lost after 15 rounds" in text
    assert "out of time" in text
    assert "8 stand: Reedling 1" in text


@pytest.mark.parametrize(
    ("typed", "status"), [((), 0), (("quit",), 0), ((KeyboardInterrupt(),), 130)]
)
def test_exit_status_of_leaving(monkeypatch, typed, status):
    result = run("play", "--seed", 1, typed=typed, monkeypatch=monkeypatch)
    assert result.exit_code == status
    assert ("--seed 1 starts the same game again" in result.output) == (status == 130)
    assert "Traceback" not in result.output


def test_ctrl_c_in_a_real_terminal_is_status_130():
    owner, tty = pty.openpty()
    words = [sys.executable, "-m", "agemonia_env", "play", "--seed", "1"]
    game = subprocess.Popen(words, stdin=tty, stdout=tty, stderr=tty, start_new_session=True)
    os.close(tty)
    shown = b""
    while b"\n> " not in shown:
        shown += os.read(owner, 4096)
    # A signal between the prompt and the wait for a key is kept until the next one, so press again.
    for _ in range(6):
        os.killpg(game.pid, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            game.wait(10)
            break
    assert game.returncode == 130
    assert b"Traceback" not in shown


@pytest.mark.parametrize("env", ENVS)
def test_heroes_are_named_as_simulate_names_them(env):
    names = {"Agemonia-v0": "ketch,wenna", "HexDungeon-v0": "thornarm,fenrunner"}[env]
    for command in (["play"], ["watch", "--policy", "random"]):
        result = run(*command, "--seed", 1, "--env", env, "--heroes", names)
        assert result.exit_code == 0, result.output
        for name in names.split(","):
            assert name.capitalize() in result.output


# ---- watching -----------------------------------------------------------------------------------
@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_watch_prints_a_whole_game(policy):
    printed = run("watch", "--policy", policy, "--seed", 5).output
    assert "\nThe scenario is" in printed
    assert "\nObjective: " in printed


def test_watch_is_repeatable():
    assert run("watch", "--seed", 5).output == run("watch", "--seed", 5).output


def test_watch_writes_both_pictures_at_the_pace_that_is_asked_for(tmp_path):
    gif, png = tmp_path / "game.gif", tmp_path / "game.png"
    result = run("watch", "--policy", "random", "--seed", 5, "--gif", gif, "--png", png)
    assert result.exit_code == 0
    assert f"Written: {gif}" in result.output
    assert f"Written: {png}" in result.output
    assert sorted(one.name for one in tmp_path.iterdir()) == ["game.gif", "game.png"]
    assert Image.open(png).format == "PNG"
    with Image.open(gif) as shown:
        assert shown.info["duration"] >= 1000  # slow enough to be read
    run("watch", "--policy", "random", "--seed", 5, "--gif", gif, "--frame-ms", 200)
    with Image.open(gif) as shown:
        assert shown.info["duration"] == 200


def test_a_stopped_game_leaves_its_pictures(tmp_path):
    class Stopping:
        name = "random"

        def __init__(self, policy):
            self.policy, self.left = policy, 5

        def choose(self, states, contents, which):
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt
            return self.policy.choose(states, contents, which)

    env = AgemoniaEnv(ties="auto", render_mode="ansi")
    policy = Stopping(policy_of(env.ruleset, "random"))
    gif, png = tmp_path / "game.gif", tmp_path / "game.png"
    console = Console(file=io.StringIO(), width=100)
    with pytest.raises(KeyboardInterrupt):
        terminal.watch(env, console, 1, policy, 0.0, gif, png)
    assert Image.open(gif).n_frames > 1
    assert Image.open(png).size == (1000, 760)


def test_the_pictures_of_the_documentation_are_drawn_again(load_script, tmp_path):
    load_script("docs/board.py").main(tmp_path)
    assert Image.open(tmp_path / "board.png").size == (1000, 760)
    assert Image.open(tmp_path / "hexdungeon.png").size == (1280, 800)


def test_ranges():
    assert terminal.ranges([4, 5, 6, 9, 11, 12]) == "4 to 6, 9, 11 to 12"


def test_a_question_is_explained_when_it_is_asked_for_the_first_time(play):
    about = "The action's colour says on which bar of the Initiative card the Hero acts"
    first = " ".join(run("play", "--seed", 1).output.split())
    assert first.count(about) == 1
    assert about not in play.in_one_line("24")  # the same question, of the next Hero
    assert "Two Enemy types share this bar" in play.in_one_line("24", "24")
