"""HexDungeon in words: every event has a text, and answers have distinct texts."""

import pytest

from agemonia_env.core.event_log import empty_rows
from agemonia_env.rulesets.hexdungeon.content import scenarios
from agemonia_env.rulesets.hexdungeon.content.modifier_cards import STANDARD, deck_of
from agemonia_env.rulesets.hexdungeon.core.actions import N_ACTIONS, SIZES, Block, action_of
from agemonia_env.rulesets.hexdungeon.core.layout import FIRST_MONSTER
from agemonia_env.rulesets.hexdungeon.core.terms import (
    Decision,
    Denial,
    Draw,
    Effect,
    Ending,
    Event,
    Goal,
    Half,
    Phase,
    Source,
)
from agemonia_env.rulesets.hexdungeon.ruleset import HEXDUNGEON
from agemonia_env.rulesets.hexdungeon.view import labels
from agemonia_env.rulesets.hexdungeon.view.board_text import write_board
from agemonia_env.rulesets.hexdungeon.view.event_text import HIDDEN, event_texts
from agemonia_env.rulesets.hexdungeon.view.labels import action_text, modifier_text, question_text
from agemonia_env.rulesets.hexdungeon.view.legal_targets import offer_of
from agemonia_env.rulesets.hexdungeon.view.table import goal_text
from tests.envs.hexdungeon_games import Game, party

RAT = FIRST_MONSTER  # slot of the first Kiln Rat of the Warm Cellar
RARE = {
    Decision.NONE,
    Decision.LANDING,
    Decision.FOCUS,
    Decision.MONSTER_CHOICE,
    Decision.REST_KEEP,
}


@pytest.fixture(scope="module")
def cellar():
    return Game("warm-cellar", ["thornarm", "burrowcaller"])


@pytest.fixture(scope="module")
def reached():
    """A few positions of random games for each decision, and all their event texts."""
    positions, happened = [], set()
    seen = dict.fromkeys(Decision, 0)
    for seed in range(24):
        game = Game(scenarios()[seed % len(scenarios())], party(seed), seed)
        for state in game.play(250):
            happened.update(game.happened())
            decision = Decision(int(state["decision"]))
            seen[decision] += 1
            if seen[decision] <= 12:
                positions.append((state.copy(), game.compiled))
    return positions, happened


def test_every_denial_question_ending_and_phase_has_its_words():
    for words, kinds in (
        (labels.DENIALS, Denial),
        (labels.QUESTIONS, Decision),
        (labels.ENDINGS, Ending),
        (labels.PHASES, Phase),
    ):
        assert set(words) == set(kinds)
        assert len(set(words.values())) == len(words)
    assert all(text.endswith(".") for denial, text in labels.DENIALS.items() if denial)
    assert HEXDUNGEON.DECISIONS[Decision.REST_LOSE] == "rest_lose"
    assert HEXDUNGEON.DENIALS[Denial.CUTS_OFF] == "cuts_off"
    assert HEXDUNGEON.ENDINGS[Ending.ROUNDS] == "rounds"


def test_the_players_are_one_side():
    assert {HEXDUNGEON.side_asked(d, h) for d in Decision for h in range(-1, 4)} == {"hero"}


def test_random_games_reach_nearly_every_decision(reached):
    assert {Decision(int(state["decision"])) for state, _ in reached[0]} >= set(Decision) - RARE


def test_every_legal_answer_has_a_name_of_its_own(reached):
    for state, compiled in reached[0]:
        legal = list(offer_of(state, compiled).actions)
        texts = [action_text(state, compiled, action) for action in legal]
        assert len(set(texts)) == len(texts) > 1, texts
        for text in texts:
            assert not set("{}") & set(text), text
            assert "no card" not in text, text
            assert "nobody" not in text or Decision(int(state["decision"])) in (
                Decision.RECIPIENT,
                Decision.ORIENTATION,
                Decision.CELL,
            ), text


def test_every_action_has_a_text_in_every_decision(reached):
    seen = set()
    for state, compiled in reached[0]:
        if int(state["decision"]) not in seen:
            seen.add(int(state["decision"]))
            assert all(action_text(state, compiled, a).strip() for a in range(N_ACTIONS))


def test_every_question_names_its_player_or_subject(reached):
    for state, compiled in reached[0]:
        text = question_text(state, compiled)
        assert text[-1] in "?)", text
        assert not set("{}") & set(text), text
        names = (*compiled.names.heroes, *compiled.names.kinds, "A tie")
        assert any(name in text for name in names), text


def test_every_event_of_random_games_is_a_sentence(reached):
    for text in reached[1]:
        assert text[0].isupper() or not text[0].isalpha(), text
        assert not set("{}") & set(text), text


@pytest.mark.parametrize(
    ("decision", "block", "index", "text"),
    [
        (Decision.LEAD, Block.CARD, 1, "lead with Rip (54)"),
        (Decision.LOSE, Block.CARD, 0, "lose Bramble Swing (46) from the hand"),
        (Decision.TARGET, Block.FIGURE, RAT, "attack Kiln Rat 1"),
        (Decision.END_HEX, Block.HEX, 0, "let it end on 0,0"),
        (Decision.STEP, Block.DONE, 0, "do not move"),
        (Decision.SHORT_REST, Block.NO, 0, "do not rest"),
        (Decision.REST_KEEP, Block.YES, 0, "leave Old Grudge in play"),
    ],
)
def test_names_of_answers(cellar, decision, block, index, text):
    state = cellar.state.copy()
    state["decision"], state["asked"], state["subject"] = decision, 0, 4
    assert action_text(state, cellar.compiled, action_of(block, index)) == text


def test_halves_say_what_they_do(cellar):
    state = cellar.state.copy()
    state["decision"], state["asked"] = Decision.TURN, 0
    state["hero"][0]["lead"], state["hero"][0]["second"] = 1, 0
    texts = [
        action_text(state, cellar.compiled, action_of(Block.HALF, k))
        for k in range(SIZES[Block.HALF])
    ]
    assert texts[Half.TOP] == "top of Rip: Attack 3, wound"
    assert texts[Half.BASIC_MOVE] == "Move 2, with the bottom of Rip"
    assert texts[4 + Half.BOTTOM] == "bottom of Bramble Swing: Move 3"
    assert texts[4 + Half.BASIC_ATTACK] == "Attack 2, with the top of Bramble Swing"


def test_modifier_cards_read_as_they_are_written():
    cards = [*dict.fromkeys(STANDARD), "bless", "curse", "rolling +1 push 1", "-2 stun", "x2 fire"]
    decks = deck_of(cards)
    assert [modifier_text(decks[0]["card"][k]) for k in range(len(cards))] == cards
    assert modifier_text(deck_of(["rolling add_target"])[0]["card"][0]) == "rolling +0 add target"


# ---- the log --------------------------------------------------------------------------------
def sentences(game, *written):
    """Sentences of rows (event, figure, amount, place, other, choice)."""
    rows = empty_rows()
    for row in written:
        rows[rows[0, 0]] = (*row, *(-1,) * 6)[:6]
        rows[0, 0] += 1
    return event_texts(rows, game.state, game.compiled)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ((Event.ROUND, -1, 3), "Round 3 begins"),
        ((Event.INITIATIVE, 0, 32), "Thornarm acts at 32"),
        (
            (Event.DAMAGE, 0, 2, Source.RETALIATE, RAT),
            "Thornarm suffers 2 damage in return from Kiln Rat 1",
        ),
        ((Event.CONDITION, 0, Effect.MUDDLE), "Thornarm gains Muddle"),
        ((Event.BLESS, 0, Effect.CURSE), "The monsters' deck gains Curse"),
        ((Event.PLAY, 0, 1, -1, Half.TOP), "Thornarm plays the top of Rip: Attack 3, wound"),
        ((Event.PLAY, 0, 1, -1, 4 + Half.BASIC_MOVE), "Thornarm plays Move 2 with Rip"),
        ((Event.BONUS, 0, 4, -1, 2), "The token of Old Grudge is on space 2"),
        ((Event.BONUS, 0, 4, -1, -1), "Old Grudge leaves play"),
        ((Event.ENDING, -1, Ending.GOAL), "The scenario is won: goal reached"),
    ],
)
def test_a_row_is_a_sentence(cellar, row, sentence):
    assert sentences(cellar, row) == [sentence]


def test_the_text_of_an_attack_has_its_cards(cellar):
    pile = STANDARD.index
    attack = (Event.ATTACK, 0, Draw.ADVANTAGE, 3, RAT)
    cards = [(Event.CARD, 1, pile("+1"), -1, 1), (Event.CARD, 1, pile("null"), -1, 0)]
    assert sentences(cellar, attack, *cards, (Event.STRIKE, 0, 4, 2, RAT)) == [
        "Thornarm attacks Kiln Rat 1 for 3 with advantage: +1, [null]",
        "The attack value is 4, the damage 2",
    ]


def test_the_hexes_of_a_move_are_one_sentence(cellar):
    moves = [(Event.MOVE, f, -1, h) for f, h in ((0, 0), (0, 1), (RAT, 2))]
    assert sentences(cellar, *moves) == ["Thornarm moves to 0,0 - 0,1", "Kiln Rat 1 moves to 0,2"]


@pytest.mark.parametrize("event", sorted(set(Event) - HIDDEN))
def test_every_event_has_a_sentence(cellar, event):
    assert all(sentences(cellar, (event, 0, 0, 0, 0)))
    assert sentences(cellar, (event, 0, 0, 0, 0))


@pytest.mark.parametrize("event", sorted(HIDDEN))
def test_events_covered_by_others_have_no_sentence(cellar, event):
    assert sentences(cellar, (event, 0, 0, 0, 0)) == []


# ---- the board ------------------------------------------------------------------------------
@pytest.mark.parametrize("scenario", scenarios())
def test_a_text_board_names_everybody_and_the_question(scenario):
    game = Game(scenario, 4)
    text = write_board(game.state, game.compiled, game.happened(), width=200)
    for name in (*game.compiled.names.heroes, game.compiled.names.scenario):
        assert name in text
    assert text.endswith(question_text(game.state, game.compiled))
    assert all(f"* {sentence}." in text for sentence in game.happened())
    shown = text.split("\n\n")[1].split("\nMap:")[0]
    board = game.compiled.content[0]["board"]
    assert len(shown.split("\n")) == 1 + 2 * board["height"]
    for _ in game.play(30):
        pass
    assert write_board(game.state, game.compiled) != text


def test_a_text_board_hides_closed_rooms_and_says_how_it_ended(cellar):
    state = cellar.state.copy()
    hidden = write_board(state, cellar.compiled)
    assert "?" in hidden.split("Characters")[0]
    state["rooms"] = 0xFF
    assert "?" not in write_board(state, cellar.compiled).split("Characters")[0]
    state["ending"] = Ending.ROUNDS
    assert write_board(state, cellar.compiled).endswith("== Lost: out of time.")


def test_a_text_board_shows_conditions_cards_and_elements(cellar):
    state = cellar.state.copy()
    state["figure"][0]["condition"][Effect.STUN] = 1
    state["figure"][RAT]["shield"] = 2
    state["element"][:2] = 2, 1
    state["hero"][0]["lead"], state["hero"][0]["second"] = 0, 1
    state["active"][0]["owner"], state["active"][0]["card"] = 0, 4
    content = cellar.compiled.content[0]
    row = content["row"][content["hero"][0]["card"][4]["half"][0]["first"]]
    state["n_active"], state["active"][0]["bonus"] = 1, row["bonus"]
    state["active"][0]["token"] = 2
    state["hero"][0]["place"][4] = 4
    text = write_board(state, cellar.compiled, width=200)
    for words in (
        "hit points, Stun",
        "shield 2",
        "Elements: Fire, Ice (waning)",
        "chosen: Bramble Swing (46), Rip (54)",
        "active: Old Grudge 2/3",
        "modifier cards: 20 to draw, 0 discarded",
    ):
        assert words in text, words


@pytest.mark.parametrize("goal", Goal)
def test_every_goal_is_on_the_text_board(cellar, goal):
    content = cellar.compiled.content
    before = content["goal"].copy()
    content["goal"] = goal
    assert len(goal_text(cellar.state, cellar.compiled)) > 10
    content["goal"] = before
