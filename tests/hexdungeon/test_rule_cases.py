"""Rule cases in YAML: every file passes, and a case that is wrong fails and says where."""

from pathlib import Path

import pytest

from agemonia_env.rulesets.case_files import read
from agemonia_env.rulesets.hexdungeon.cases.case import is_rule_cases
from agemonia_env.rulesets.hexdungeon.cases.runner import run_cases

CASES = Path(__file__).parents[1] / "cases" / "hexdungeon"
FILES = sorted(CASES.glob("*.yaml"))
DUEL = """
- id: duel
  rules: [G7.1]
  figures:
    brute: {side: hero, at: [6, 0], hand: [trample], discard: [sweep]}
    rat:   {side: monster, hp: 5, at: [6, 1]}
  decks: {brute: ["+1", "-1"]}
  do:
    - attack: {by: brute, targets: [rat], value: 2}
  expect: {rat: {hp: 2}}
"""
ATTACK = "    - attack: {by: brute, targets: [rat], value: 2}\n"
EXPECT = "  expect: {rat: {hp: 2}}\n"


def results(path):
    """(title, differences) of every case of a file."""
    document, problems = read(path), []
    assert is_rule_cases(document.value)
    done = [(title, [*map(str, found)]) for title, found in run_cases(document, problems)]
    assert problems == []  # a mistake fails its case
    return done


@pytest.fixture
def wrong(tmp_path):
    """What is wrong with the duel, after some of its text has been changed."""

    def changed(*changes):
        text = DUEL
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "cases.yaml"
        path.write_text(text)
        return [line.removeprefix(f"{path}:") for line in results(path)[0][1]]

    return changed


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_case_passes(path):
    done = results(path)
    assert done
    assert [case for case in done if case[1]] == []


def test_the_duel_passes(wrong):
    assert wrong() == []


def test_rulesets_are_distinguished(tmp_path):
    agemonia = "- id: other\n  rules: [R2.1]\n  figures: {hero: {hero: {}}}\n"
    (tmp_path / "agemonia.yaml").write_text(agemonia)
    assert not is_rule_cases(read(tmp_path / "agemonia.yaml").value)
    for text in ("{board: {level: 2}}", "{figures: {a: {side: hero}}}", "{rules: [G1.1]}"):
        (tmp_path / "hexes.yaml").write_text(f"- {text}\n")
        assert is_rule_cases(read(tmp_path / "hexes.yaml").value)


# ---- mistakes in a file -------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("attack: {by", "assault: {by", "9: do.0.assault: unknown key"),
        ("{rat: {hp: 2}}", "{rat: {health: 2}}", "10: expect.rat.health: unknown key"),
        ("{rat: {hp: 2}}", "{ask: [{sees: [a, b], is: 1}]}", "10: expect.ask.0.sees: unknown key"),
        ("  rules:", "  tags: [x]\n  rules:", "3: tags: unknown key"),
        (
            "brute: {side: hero,",
            "board: {side: hero,",
            "5: figures.board: 'board' is a reserved name",
        ),
        ("[6, 0], hand", "[6, 9], hand", "5: figures.brute: hex [6, 9] is not on the board"),
        ("[6, 0], hand", "[6, 1], hand", "6: figures.rat: hex [6, 1] is taken (brute)"),
        ("discard: [sweep]", "discard: [trample]", "5: figures.brute: a card is given twice"),
        ("side: monster,", "side: monster, hand: [a],", "6: figures.rat: only a figure of side"),
        ("side: monster,", "side: summon, owner: a,", "6: figures.rat: owner 'a' is no character"),
        (
            "    - attack:",
            "    - draw: {deck: brute}\n      attack:",
            "9: do.0: a step names exactly",
        ),
        (
            "attack: {by: brute, targets: [rat], value: 2}",
            "heal:",
            "9: do.0: heal: needs its param",
        ),
        ("value: 2}", "value: 2, hexes: [[6, 1]]}", "9: do.0.attack: area and hexes"),
        ("{rat: {hp: 2}}", "{ask: [{shield: rat}]}", "10: expect.ask.0: one of is, has, lacks"),
        ("{rat: {hp: 2}}", "{ask: [{is: 2}]}", "10: expect.ask.0: an entry asks exactly one"),
        ("decks: {", "decks: {supply: [], ", "7: decks.supply: supplies stand under 'supply'"),
        ("discard: [sweep]", "active: [{card: a, spaces: 2}]", "5: figures.brute.active.0: spaces"),
        ('"+1", "-1"', '"+1 joy"', "set-up: '+1 joy' is no card"),
        ("{brute: [", "{monster: [], rat: [", "set-up: decks: 'rat' is no character"),
        ("targets: [rat]", "targets: [bat]", "step 1 (attack): no figure is called 'bat'"),
        (
            "{rat: {hp: 2}}",
            "{decks: {mage: {draw: 1}}}",
            "expect: no deck is called 'mage'; there are",
        ),
        ("{rat: {hp: 2}}", "{ask: [{shield: bat, is: 0}]}", "expect: no figure is called 'bat'"),
    ],
)
def test_mistakes_fail_the_case(wrong, old, new, said):
    assert wrong((old, new))[0].startswith(said)


def test_cases_beyond_the_limits_of_the_core(wrong):
    heroes = "".join(f"    h{k}: {{side: hero}}\n" for k in range(4))
    assert wrong(("    rat:", heroes + "    rat:")) == [
        "set-up: 5 figures of side hero; 4 are allowed"
    ]
    names = ", ".join(f"d{k}: []" for k in range(4))
    assert wrong(("decks: {", f"decks: {{{names}, ")) == [
        "set-up: 5 characters with decks; 4 are allowed"
    ]


# ---- expectations -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ("{rat: {at: null}}", "rat.at: expected null, found [6, 1]"),
        ("{rat: {conditions: [stun]}}", "rat.conditions: expected [stun], found []"),
        ("{brute: {hand: []}}", "brute.hand: expected [], found [trample]"),
        ("{decks: {brute: {draw: 2}}}", "decks.brute.draw: expected 2, found 1"),
        ('{decks: {brute: {draw_bag: ["+1"]}}}', "decks.brute.draw_bag: expected [+1], found [-1]"),
        ("{decks: {supply: {bless: 9}}}", "decks.supply.bless: expected 9, found 10"),
        ("{attacks: [{value: 2}]}", "attack 1.value: expected 2, found 3"),
        ('{attacks: [{drawn: ["-1"]}]}', "attack 1.drawn: expected [-1], found [+1]"),
        ("{drawn: {value: 1}}", "drawn: no draw was made"),
        ("{elements: {fire: strong}}", "elements: expected {fire: strong}, found {}"),
        ("{board: {trap: [[1, 1]]}}", "board.trap: expected [[1, 1]], found []"),
        ("{ask: [{range: [brute, rat], is: 2}]}", "ask 1 (range): expected 2, found 1"),
        (
            "{ask: [{attackable: {by: rat}, has: [rat]}]}",
            "ask 1 (attackable): expected to have rat",
        ),
        ("{ask: [{attackable: {by: rat}, lacks: [brute]}]}", "ask 1 (attackable): expected not to"),
        ("{ask: [{attackable: {by: rat}, count: 2}]}", "ask 1 (attackable): expected 2 of them"),
        (
            "{ask: [{turn_order: {}, is: [rat, brute]}]}",
            "ask 1 (turn_order): expected [rat, brute]",
        ),
    ],
)
def test_a_difference_says_what_was_expected_and_found(wrong, expected, said):
    assert [line.startswith(said) for line in wrong((EXPECT, f"  expect: {expected}\n"))] == [True]


def test_a_case_may_have_expect_and_expect_any(wrong):
    both = EXPECT + "  expect_any: [{rat: {hp: 9, dead: true}}, {rat: {hp: 8}}]\n"
    assert wrong((EXPECT, both)) == ["rat.hp: expected 8, found 2"]


# ---- refusals -----------------------------------------------------------------------------------
def test_steps_of_refused_must_be_refused(wrong):
    again = EXPECT + "  refused:\n" + ATTACK
    assert wrong((EXPECT, again)) == ["refused 1 (attack): expected refused, found allowed"]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("attack: {by: rat, targets: [rat], value: 2}", "not an enemy"),
        ("move: {by: brute, points: 1, path: [[6, 2]]}", "[6, 2] is not beside [6, 0]"),
        ("move: {by: brute, points: 3, path: [[6, 1]]}", "blocked"),
        ("heal: {by: brute, to: rat, amount: 1}", "without a range it heals only who performs it"),
        ("select: {by: rat, cards: [a, b]}", "rat is no character"),
        (
            "damage: {to: rat, amount: 1, source: trap, lose: {hand: [a]}}",
            "no damage to lose cards",
        ),
        ("rest: {by: brute, kind: long, lose: sweep}", "too few cards"),
    ],
)
def test_a_refusal_says_why(wrong, step, said):
    why = wrong((ATTACK, f"    - {step}\n"))[0]
    assert why.startswith(
        f"step 1 ({step.partition(':')[0]}): expected allowed, found refused: {said}"
    )


def test_a_refused_step_changes_nothing(wrong):
    """Its cards come back, and everything it did before it was refused is undone."""
    step = "    - attack: {by: brute, targets: [rat, brute], target_count: 2, value: 2}\n"
    state = '{rat: {hp: 5}, decks: {brute: {draw: ["+1", "-1"], discard: 0}}}'
    assert wrong((ATTACK, step + "      refused: true\n"), (EXPECT, f"  expect: {state}\n")) == []
