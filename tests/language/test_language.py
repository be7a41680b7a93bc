"""Chat models play from words alone, are told why an answer is refused, and can be recorded."""

import re
import time

import pytest

from agemonia_env.challenge import settings
from agemonia_env.challenge.decision import Clock, Decision, Option, Refused, Start
from agemonia_env.challenge.entries import ObjectPlayer
from agemonia_env.challenge.referee import Referee
from agemonia_env.challenge.row import unpack_moves
from agemonia_env.challenge.settings import AGEMONIA, HEXDUNGEON, Setting
from agemonia_env.language.answers import answer_in
from agemonia_env.language.chat import ChatPlayer, Recorded, Recorder
from agemonia_env.language.prompts import ROLES, question_prompt, system_prompt
from agemonia_env.language.text_env import TextEnv
from agemonia_env.rulesets.digest import digest_of
from agemonia_env.rulesets.doors import RULESETS

SHORT = Setting("short", AGEMONIA, {"scenario": "ford", "heroes": ["orsa"], "max_decisions": 3})
DECISION = Decision(
    number=4,
    question="Orsa: which action this round?",
    about="Its colour says when she acts.",
    options=(Option(24, "choose Focus", "Green."), Option(26, "choose Hook and Hold")),
    clock=Clock(1000, 1000, 0),
    position="Round 2 of 15",
    events=("Round 2 begins.",),
    why_not=(Refused(28, "choose Hold the Landing", "It is locked."),),
)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("26", 26),
        (" 26.\n", 26),
        ("Round 2 of 15, so [24]? No: [26]", 26),
        (r"The best is \boxed{26}.", 26),
        ("I choose 26 because 24 is weak", None),
        ("", None),
        ("[Focus]", None),
        (None, None),
        ({"action": 26}, None),
    ],
)
def test_the_last_number_in_brackets_is_the_answer(text, answer):
    assert answer_in(text) == answer


def test_a_question_has_position_options_and_what_is_not_possible():
    assert question_prompt(DECISION).split("\n\n") == [
        "Since your last decision:\n* Round 2 begins.",
        "Round 2 of 15",
        "Orsa: which action this round? Its colour says when she acts.",
        "Options:\n[24] choose Focus - Green.\n[26] choose Hook and Hold",
        "Not possible now:\n- choose Hold the Landing: It is locked.",
        "End your answer with the number of one option in square brackets, such as [NUMBER].",
    ]


@pytest.mark.parametrize("side", ["hero", "enemy"])
def test_rules_goal_and_side_come_first(side):
    start = Start(0, "ford", AGEMONIA, {}, side, digest_of(AGEMONIA), "Defeat all Enemies.")
    text = system_prompt(start)
    assert text.startswith("# The rules of Agemonia in short")
    assert "Defeat all Enemies." in text
    assert ("you win if the heroes lose" in text) == (side == "enemy")


@pytest.mark.parametrize("env_id", RULESETS)
def test_every_ruleset_has_a_short_digest(env_id):
    words = digest_of(env_id).split()
    assert 200 < len(words) < 700


def first_option(messages):
    """A chat model that takes the first option."""
    return messages[-1]["content"].split("\n[", 1)[1].split("]")[0]


class Muddled:
    """A chat model that names an action only when asked again."""

    def __call__(self, messages):
        if "refused" not in messages[-1]["content"]:
            return "I attack the rat with great courage."
        return (
            "Sorry: ["
            + messages[-1]["content"].split("Options: ")[1].split(",")[0].strip(". ")
            + "]"
        )


@pytest.fixture
def played():
    """A function that lets a chat model play a short game."""

    def play(model):
        player = ObjectPlayer(ChatPlayer(model, "chat"), "chat")
        return Referee(SHORT, player, settings.SALT, 60_000).play(0)

    return play


def test_a_chat_model_plays_and_its_recording_plays_the_same(played, tmp_path):
    recorder = Recorder(first_option)
    game = played(recorder)
    assert (unpack_moves(game.moves, 3), game.refused, game.forfeit) == ([0, 0, 0], 0, "")
    path = tmp_path / "chat.json"
    recorder.write(path)
    assert played(Recorded.read(path)).end == game.end
    roles = [message["role"] for message in recorder.exchanges[0]["messages"]]
    assert roles == ["system", "user"]


def test_a_refused_answer_is_asked_again_in_the_same_chat(played):
    recorder = Recorder(Muddled())
    game = played(recorder)
    assert (game.decisions, game.refused, game.forfeit) == (3, 3, "")
    chat = recorder.exchanges[1]["messages"]
    assert [message["role"] for message in chat] == ["system", "user", "assistant", "user"]
    assert "great courage.': names no option" in chat[-1]["content"]


class Silent:
    """A chat model without content, until it is asked again."""

    def __call__(self, messages):
        named = re.search(r"refused: .*\nOptions: (\d+)", messages[-1]["content"])
        return None if named is None else f"[{named[1]}]"


def test_no_content_is_a_refused_answer(played, tmp_path):
    recorder = Recorder(Silent())
    game = played(recorder)
    assert (game.decisions, game.refused, game.forfeit) == (3, 3, "")
    assert "'': names no option" in recorder.exchanges[1]["messages"][-1]["content"]
    assert recorder.exchanges[0]["answer"] == ""
    recorder.write(tmp_path / "chat.json")
    assert played(Recorded.read(tmp_path / "chat.json")).end == game.end


def form_of(text):
    """The text with the number that it gives as an example replaced by a legal one."""
    return re.search(r"such as (\S+?)\.?$", text)[1]


def test_what_a_refusal_advises_is_accepted():
    env = TextEnv(scenario="ford", heroes=2)
    _, info = env.reset(seed=7)
    legal = info["legal_actions"][0]
    for wrong in (f"<answer>{legal}</answer>", f'{{"action": {legal}}}', None, 26.5, "[9999]"):
        text, *_ = env.step(wrong)
        assert "such as {" not in text
        _, reward, terminated, _, info = env.step(form_of(text).replace("NUMBER", str(legal)))
        assert (reward, terminated, "refused" in info) == (0.0, False, False)
        legal = info["legal_actions"][0]


@pytest.mark.parametrize("env_id", [AGEMONIA, HEXDUNGEON])
def test_every_side_there_is_can_play_by_texts(env_id):
    sides = ("hero", "enemy", "both") if env_id == AGEMONIA else ("hero",)
    for side in sides:
        env = TextEnv(env_id, **({} if side == "hero" else {"side": side}))
        text, _ = env.reset(seed=1)
        assert ROLES[side] in text


def test_long_blanks_take_no_time():
    start = time.perf_counter()
    n = 200_000
    for text in (" " * n, "5" + " " * n + "x", "[" * n, "[" + " " * n, "[ " * n, ". " * n):
        assert answer_in(text) is None
    assert time.perf_counter() - start < 2


def test_a_model_that_never_names_an_action_forfeits(played):
    game = played(lambda messages: "pass")
    assert (game.decisions, game.refused, game.forfeit) == (0, 3, "illegal")


def test_a_recording_of_something_else_is_refused(tmp_path):
    model = Recorded([{"messages": [], "answer": "1"}])
    with pytest.raises(ValueError, match="was recorded for other messages"):
        model([{"role": "user", "content": "?"}])
    assert model([]) == "1"
    with pytest.raises(ValueError, match="ends after 1 answers"):
        model([])
    path = tmp_path / "chat.json"
    for text in ('[{"messages": []}]', '[{"answer": "1"}]', "{}", "[[]]"):
        path.write_text(text)
        with pytest.raises(ValueError, match="not a recording of a chat model"):
            Recorded.read(path)


# ---- the text environment -----------------------------------------------------------------------
@pytest.mark.parametrize("env_id", [AGEMONIA, HEXDUNGEON])
def test_a_text_environment_plays_by_texts(env_id):
    env = TextEnv(env_id, heroes=1, max_decisions=5)
    text, info = env.reset(seed=3)
    assert text.startswith(digest_of(env_id)[:20])
    assert all(f"\n[{action}] " in text for action in info["legal_actions"])
    again, _ = env.reset(seed=3)
    assert again == text
    for k in range(5):
        text, reward, terminated, truncated, info = env.step(f"I take [{info['legal_actions'][0]}]")
        assert (reward, terminated, truncated) == (0.0, False, k == 4)
    assert (info["is_success"], info["legal_actions"]) == (False, [])
    with pytest.raises(ValueError, match="the game is over or"):
        env.step("[1]")


def test_a_text_environment_says_why_and_ends_after_three_refusals():
    env = TextEnv(scenario="ford", heroes=1)
    with pytest.raises(ValueError, match=r"call reset\(\) first"):
        env.step("[0]")
    _, info = env.reset(seed=1)
    assert int(env.sample_random_action()[1:-1]) in info["legal_actions"]
    text, reward, terminated, _, info = env.step("[0]")
    assert text.startswith("Your answer was refused: action 0")
    assert (reward, terminated) == (0.0, False)
    assert "refused" in info
    env.step(f"[{info['legal_actions'][0]}]")
    for k in range(3):
        text, reward, terminated, truncated, info = env.step("I do not know")
        assert (reward, terminated, truncated) == (
            (-1.0, True, False) if k == 2 else (0.0, False, False)
        )
    assert info["is_success"] is False
    assert text.startswith("Your answer was refused: 'I do not know': names no option")
    assert text.endswith("The game was stopped after 1 decision.")
