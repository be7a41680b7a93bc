"""Texts of cards: generated from the numbers in play, complete, and without peeking."""

import re

import numpy as np
import pytest

from agemonia_env.display.pages import Page, UnknownPageError, contents, find_page, printed_text
from agemonia_env.rulesets.agemonia import content
from agemonia_env.rulesets.agemonia.content.compile import compile_scenario
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.agemonia.core import terms
from agemonia_env.rulesets.agemonia.core.actions import STARTS, Block
from agemonia_env.rulesets.agemonia.core.layout import FOCUS
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.view import card_text, labels
from agemonia_env.rulesets.agemonia.view import help as hints
from agemonia_env.rulesets.hexdungeon import content as hex_content
from agemonia_env.rulesets.hexdungeon.core import terms as hex_terms
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv
from agemonia_env.rulesets.hexdungeon.view import help as hex_hints
from tests.games import random_steps

STALE = "the numbers above count"
ENVS = [
    *((AgemoniaEnv, name) for name in content.scenarios("core")),
    *((HexDungeonEnv, name) for name in hex_content.scenarios()),
]


def parties():
    """Every Hero of the core pack at level 5, in either class."""
    for name, hero in load_pack("core").heroes.items():
        for kind in hero.classes:
            yield [{"hero": name, "class": kind.name, "level": 5}]


def test_an_area_with_one_place_is_said_so():
    env = AgemoniaEnv("snares")
    env.reset(seed=1)
    areas = np.flatnonzero(env.compiled.content[0]["capacity"] == 1)
    texts = [hints.area_help(env.states[0], env.compiled, int(area)) for area in areas]
    assert any(text.startswith("empty, 1 place,") for text in texts)


# ---- nothing is left out ------------------------------------------------------------------------
def test_every_question_op_condition_and_ground_has_its_words():
    for words, kinds in (
        (labels.DENIALS, terms.Denial),
        (labels.QUESTIONS, terms.Decision),
        (labels.ENDINGS, terms.Ending),
        (hints.QUESTION_HELP, terms.Decision),
        (hints.CONDITIONS, terms.Condition),
        (card_text.EFFECTS, terms.Op),
        (card_text.WEARS, terms.Wear),
        (card_text.RIPOSTES, terms.RiposteWhen),
        (hex_hints.QUESTION_HELP, hex_terms.Decision),
        (hex_hints.GROUNDS, hex_terms.Terrain),
    ):
        assert set(words) == set(kinds), {*kinds} ^ {*words}
    assert set(hex_hints.CONDITIONS) == {
        effect for effect in hex_terms.Effect if 0 < effect <= hex_terms.Effect.STRENGTHEN
    }


def test_the_words_of_a_card_say_all_numbers_that_are_printed_on_it():
    """The hand-written texts are another author's words for the same numbers."""
    seen = 0
    for party in parties():
        compiled = compile_scenario("core", "ford", party)
        for slot, name in enumerate(compiled.names.tokens[0]):
            page = hints.token_page(AgemoniaEnv("ford", party).states[0], compiled, 0, slot)
            assert STALE not in page, (name, page)
            seen += 1
    assert seen > 100
    for scenario in content.scenarios("core"):
        compiled = compile_scenario("core", scenario, 4)
        for item in range(int(compiled.content[0]["n_items"])):
            assert STALE not in hints.item_page(compiled, item), compiled.names.items[item]


@pytest.mark.parametrize(("env_class", "scenario"), ENVS)
def test_every_page_can_be_read_in_every_scenario(env_class, scenario):
    env = env_class(scenario, 4, ties="auto")
    env.reset(seed=1)
    for step, _ in enumerate(random_steps(env, 90)):
        if step % 30 == 0:
            pages = env.ruleset.help_pages(env.states[0], env.compiled)
            for page in pages:
                text = page.text()
                assert text.strip(), page.name
                assert "  ." not in text
                assert " ," not in text
                assert env.look(page.name)
            assert contents(pages).count("\n") > 5
    assert env.ruleset.goal_page(env.states[0], env.compiled)


# ---- the numbers in play ------------------------------------------------------------------------
def test_a_changed_cost_changes_the_words_and_flags_the_printed_text():
    plain = AgemoniaEnv("ford", ["orsa"])
    changed = AgemoniaEnv("ford", ["orsa"], pack="core; heroes.orsa.actions.Sweeping Oar.cost = 0")
    for env in (plain, changed):
        env.reset(seed=1)
    assert "Cost 1 stamina. Melee attack, 3 dice" in plain.look("Sweeping Oar")
    assert STALE not in plain.look("Sweeping Oar")
    page = changed.look("Sweeping Oar")
    assert "Blue. Melee attack, 3 dice" in page
    assert f"Printed ({STALE}): Cost 1." in page


def test_a_changed_enemy_shows_its_new_numbers():
    env = AgemoniaEnv("ford", 2, pack="core; enemies.slinger.actions.open.attack.value +1")
    env.reset(seed=1)
    assert "ranged attack 4 against Agility, range 2" in env.look("mud slinger")


def test_a_changed_class_of_hexdungeon_shows_its_new_numbers():
    pack = "hex-core; classes.wallwright.cards.Mortar Fist.top[0].attack = 7"
    env = HexDungeonEnv(heroes=["wallwright"], pack=pack)
    env.reset(seed=1)
    assert "top     Attack 7" in env.look("mortar fist")


def test_a_printed_text_with_outdated_numbers_is_flagged():
    assert printed_text("Cost 1. 3 dice.", "Cost 1 stamina. 3 dice.", False) == [
        "Printed: Cost 1. 3 dice."
    ]
    assert STALE in printed_text("Cost 1. 3 dice.", "3 dice.", False)[0]
    assert STALE in printed_text("Cost 1.", "Cost 1.", True)[0]
    assert printed_text("-", "", False) == []


# ---- what an action would do --------------------------------------------------------------------
@pytest.mark.parametrize("env_class", [AgemoniaEnv, HexDungeonEnv])
def test_describing_changes_nothing_and_reveals_nothing_hidden(env_class):
    env = env_class(ties="auto")
    random = np.random.default_rng(1)
    env.reset(seed=1)
    certain = 0
    for step in range(120):
        action = int(random.choice(env.legal_actions()))
        if step % 3 == 0:
            before = env.get_state()
            text = env.describe(action)
            assert env.get_state() == before
            other = env.clone(reseed=step)  # the same to the eye, with other dice and decks
            assert other.describe(action) == text
            certain += "Then: " in text
        _, _, terminated, _, _ = env.step(action)
        if terminated:
            break
    assert certain > 5


@pytest.mark.parametrize("env_class", [AgemoniaEnv, HexDungeonEnv])
def test_previews_come_true(env_class):
    env = env_class(ties="auto", log=True)
    random = np.random.default_rng(2)
    env.reset(seed=2)
    for _ in range(60):
        action = int(random.choice(env.legal_actions()))
        text = env.describe(action)
        _, _, terminated, _, _ = env.step(action)
        if terminated:
            break
        if "Then: " in text:
            assert f"Then: {env.question()}" in text
            assert all(event in text for event in env.happened())


@pytest.mark.parametrize("env_class", [AgemoniaEnv, HexDungeonEnv])
def test_every_action_can_be_described_legal_or_not(env_class):
    env = env_class(ties="auto")
    env.reset(seed=3)
    for _ in range(6):
        for action in range(env.ruleset.N_ACTIONS):
            page = env.ruleset.action_page(env.states[0], env.compiled, action)
            assert page.startswith(env.action_meaning(action))
            env.ruleset.action_help(env.states[0], env.compiled, action)
        illegal = int(np.flatnonzero(~env.action_masks())[0])
        assert "Illegal now: " in env.describe(illegal)
        if any(terminated for _, _, terminated, *_ in random_steps(env, 9)):
            return


# Options whose name says everything
PLAIN = {
    AgemoniaEnv: r"keep the (gem|roll)|keep Blessed|nobody|no further|nothing more|the natural|end "
    r"the line|do not|let it stay|harm nobody|end no lock|pick up what an exhausted|keep the own",
    HexDungeonEnv: r"(top|bottom) of|do not|no further|nobody|without|rest:|take|(go|"
    r"push it|pull it) (up|down|low)|leave|hex |end the turn",
}


@pytest.mark.parametrize(
    ("env_class", "scenarios"),
    [(AgemoniaEnv, ("snares", "bell", "toll")), (HexDungeonEnv, ("under-the-weir", "bell-loft"))],
)
def test_every_option_says_what_it_does(env_class, scenarios):
    plain = re.compile(PLAIN[env_class])
    for scenario in scenarios:
        env = env_class(scenario, 3, ties="auto")
        env.reset(seed=5)
        for _, _, over, *_ in random_steps(env, 200, seed=5):
            if over:
                break
            for action in env.legal_actions().tolist():
                about = env.ruleset.action_help(env.states[0], env.compiled, action)
                assert about or plain.match(env.action_meaning(action)), env.action_meaning(action)
                assert "\n" not in about


def test_an_answer_to_yes_or_no_says_what_follows():
    env = AgemoniaEnv("snares", 2)
    env.reset(seed=1)
    state = env.states[0]
    state["asked"], state["decision"] = 0, terms.Decision.DISARM
    no, yes = (hints.action_help(state, env.compiled, STARTS[b]) for b in (Block.NO, Block.YES))
    assert re.fullmatch(r"A Trap card is drawn: 0 to 3 damage, .* or \w+\.", no)
    assert yes == "An Agility check; on a failure the trap goes off."
    state["decision"], state["subject"] = terms.Decision.EVADE, 0
    kind = env.compiled.content[0]["type"][int(state["enemy"][0]["type"])]
    left = hints.action_help(state, env.compiled, STARTS[Block.AMOUNT])
    assert left == f"{int(kind['provoke'])} damage suffered"
    state["decision"], state["roll"]["use"] = terms.Decision.PAY, terms.Roll.ACTIVE
    state["roll"]["successes"], state["check"]["number"], state["check"]["modifier"] = 1, 6, 2
    paid = hints.action_help(state, env.compiled, STARTS[Block.AMOUNT] + 1)
    assert paid == "2 successes so far, 4 needed"
    state["enemies_in"][state["ally"][0]["area"]] = 4  # R3.13: hindered, one success less counts
    paid = hints.action_help(state, env.compiled, STARTS[Block.AMOUNT] + 1)
    assert paid == "2 successes so far, 5 needed"


def test_an_ability_says_the_dice_of_a_check():
    env = AgemoniaEnv("snares", 2)
    env.reset(seed=1)
    state, content = env.states[0], env.compiled.content[0]
    state["asked"], figure = 0, state["ally"][0]
    level = int(content["sheet"][0]["ability"][0])
    figure["token"] = 2
    start, about = STARTS[Block.ABILITY], env.compiled
    assert hints.action_help(state, about, start).startswith(f"level {level}: {level} di")
    figure["token"], figure["flipped"] = FOCUS, 0  # R3.20, R3.21
    assert hints.action_help(state, about, start).startswith(f"level {level}: {level + 1} di")
    (card, *_) = np.flatnonzero(content["injury"]["dice"][:, 0] == 1)
    figure["injury"][card] = 2  # R13.14
    assert hints.action_help(state, about, start).startswith(f"level {level}: {level - 1} di")


def test_damage_to_be_suffered_says_what_is_left():
    env = HexDungeonEnv("slag-market", 2)
    env.reset(seed=1)
    state = env.states[0]
    state["decision"], state["harm"]["to"] = hex_terms.Decision.LOSE, 0
    state["figure"][0]["hp"] = 5
    texts = []
    for amount in (2, 5):
        state["harm"]["amount"] = amount
        texts.append(env.ruleset.action_help(state, env.compiled, 0))
    assert texts == ["5 hit points now, 3 then.", "Exhausted by it."]


def test_the_orientations_of_a_template_have_distinct_texts():
    env = HexDungeonEnv("slag-market", 4, ties="auto")
    random = np.random.default_rng(4)
    seen = 0
    for seed in range(20):
        env.reset(seed=seed)
        for _ in range(300):
            legal = env.legal_actions()
            decision = int(env.states[0]["decision"])
            if decision in (hex_terms.Decision.ORIENTATION, hex_terms.Decision.CELL):
                texts = {
                    env.ruleset.action_help(env.states[0], env.compiled, int(a)) for a in legal
                }
                assert len(texts) == len(legal)
                assert "" not in texts or len(legal) == 1
                seen += 1
            if env.step(int(random.choice(legal)))[2]:
                break
        if seen > 10:
            return
    raise AssertionError(f"only {seen} templates were laid")


# ---- names --------------------------------------------------------------------------------------
PAGES = [
    Page("Enemies", name, lambda name=name: f"the page of {name}")
    for name in ("Reedling", "Reedling 1", "Mud Slinger", "Mud Puppet")
]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("reedling", "Reedling"),
        ("reed", "Reedling"),
        ("REEDLING  1", "Reedling 1"),
        ("pup", "Mud P"),
        ("mud-puppet", "Mud P"),  # as a file of the pack spells it
    ],
)
def test_a_part_of_a_name_is_enough(name, found):
    assert found in find_page(PAGES, name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mud", "'mud' is ambiguous: Mud Puppet, Mud Slinger"),
        ("redling", "there is no 'redling' to look at; did you mean 'Reedling'?"),
        ("x" * 9999, "there is no 'xxx"),
    ],
)
def test_an_unknown_name_is_one_line(name, said):
    with pytest.raises(UnknownPageError) as error:
        find_page(PAGES, name)
    assert said in str(error.value)
    assert len(str(error.value)) < 400
