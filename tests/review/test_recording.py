"""What a recording notes, and the file that it becomes."""

import re

import numpy as np
import pytest

from agemonia_env.display.svg import svg_of
from agemonia_env.envs import env_class
from agemonia_env.files.embedded import extract
from agemonia_env.review.page import Made, write_page
from agemonia_env.review.recording import Boards, ChangedGameError, Recording
from tests.review.games import recorded

MOST_BYTES = 10**6  # of the file of a normal game


def boards_of(boards):
    """The boards of a record, as the page rebuilds them."""
    last, lines = [], boards["lines"]
    for start, end, *middle in boards["steps"]:
        last = last[:start] + middle + last[len(last) - end :]
        yield "\n".join(lines[line] for line in last) + "\n"


def test_boards_are_kept_to_the_letter(played, tmp_path):
    recording, _ = played
    path = tmp_path / "game.html"
    write_page(path, recording, Made())
    rules, happened = recording.env.ruleset, [[]]
    happened += [decision.events for decision in recording.decisions]
    boards = list(boards_of(extract(path)["boards"]))
    assert len(boards) == recording.steps + 1
    for state, events, board in zip(recording.states, happened, boards, strict=True):
        assert board == svg_of(rules.draw_board(state[0], recording.compiled, events))


def test_boards_survive_repeated_and_removed_lines():
    texts = ["a\nb\nb\nc", "a\nb\nc", "a\nb\nb\nb\nc", "", "c", "a\nb\nc\nb\na", "a"]
    boards = Boards()
    for text in texts:
        boards.add(text)
    record = {"lines": boards.lines.listed(), "steps": boards.steps}
    assert [board.removesuffix("\n") for board in boards_of(record)] == texts


def test_decisions_have_the_words_of_the_game(played):
    recording, _ = played
    for decision in recording.decisions:
        assert decision.options == sorted(decision.options)
        assert decision.action in decision.options
        assert decision.text == decision.texts[decision.options.index(decision.action)]
        assert decision.question
        assert decision.side in ("hero", "enemy")
    assert any(decision.events for decision in recording.decisions)
    sides = {decision.side for decision in recording.decisions}
    named = {decision.who for decision in recording.decisions} & set(recording.heroes)
    assert bool(named) == ("hero" in sides)


def test_a_game_changed_between_two_steps_is_noticed():
    recording = recorded("Agemonia-v0", "greedy", 3)
    env = recording.env
    env.step(int(env.legal_actions()[0]))
    with pytest.raises(ChangedGameError):
        recording.before(int(env.legal_actions()[0]))
    assert recording.steps == 3


@pytest.mark.parametrize(
    ("env_id", "scenario", "policy"),
    [("Agemonia-v0", "weir", "greedy"), ("HexDungeon-v0", "mother-furnace", "greedy")],
)
def test_the_file_of_a_long_game_is_small(review, env_id, scenario, policy):
    """Four heroes in the longest scenarios; an analysis of more effort has as many numbers."""
    reviewed, path = review(env_id, scenario, policy, heroes=4, simulations=2, rollouts=2)
    assert reviewed.recording.steps > 200
    assert path.stat().st_size < MOST_BYTES / 2


def test_the_file_loads_nothing(review):
    _, path = review("Agemonia-v0", "ford", "greedy")
    page = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//[a-z]+\.|@import|<link|<img|<iframe|src=|url\(", page)


def test_the_same_game_gives_the_same_file(tmp_path):
    files = [tmp_path / "one.html", tmp_path / "other.html"]
    for file in files:
        write_page(file, recorded("Agemonia-v0", "random", 10), Made("random"))
    assert files[0].read_bytes() == files[1].read_bytes()


def test_texts_cannot_leave_the_record(tmp_path):
    path, made = tmp_path / "game.html", Made("</script><script>alert(1)</script>")
    write_page(path, recorded("Agemonia-v0", "greedy", 2), made)
    assert path.read_text().count("</script>") == 2
    assert "<script>alert" not in path.read_text()


def test_the_record_says_how_it_was_made(review):
    reviewed, path = review("Agemonia-v0", "ford", "greedy")
    found = extract(path)
    assert found["title"] == "The Ford at Lowmere, greedy, seed 7"
    assert found["made"]["policy"] == "greedy"
    assert found["made"]["seed"] == 7
    assert found["game"]["fingerprint"] == reviewed.recording.compiled.fingerprint
    assert {"agemonia_env", "rules", "numba", "numpy"} <= set(found["made"])
    assert found["effort"]["simulations"] == 24


def test_recording_does_not_change_the_game():
    plain, watched = (env_class("Agemonia-v0")() for _ in range(2))
    for env in (plain, watched):
        env.reset(seed=5)
    recording = Recording(watched)
    for _ in range(40):
        action = int(np.random.default_rng(len(recording.decisions)).choice(plain.legal_actions()))
        recording.before(action)
        results = [env.step(action) for env in (plain, watched)]
        recording.after(over=results[1][2])
        assert plain.get_state() == watched.get_state()
        assert results[0][1] == results[1][1]
        if recording.over:
            break
