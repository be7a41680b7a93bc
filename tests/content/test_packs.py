"""The shipped packs: valid, playable by every party, and as rich as the rulebook asks."""

import numpy as np
import pytest

from agemonia_env.packs.folders import packs_in
from agemonia_env.rulesets.agemonia import content
from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.content.load import FORMAT, load_pack
from agemonia_env.rulesets.agemonia.core import layout, terms

CORE = load_pack("core")
PARTIES = [
    (name, n)
    for name, card in sorted(CORE.scenarios.items())
    for n in range(1, min(layout.N_HEROES_MAX, len(card.heroes)) + 1)
]


def reached(record, areas):
    """Areas that can be reached from the start: over borders, and by teleport token (R7.46)."""
    found = {int(record["start"][0])}
    while True:
        colours = {int(record["token_colour"][x]) for x in found} - {-1}
        more = {y for y in range(areas) if int(record["token_colour"][y]) in colours}
        more |= {y for x in found for y in range(areas) if record["range"][x, y] >= 0}
        if more <= found:
            return found
        found |= more


def test_the_packs_that_ship_have_no_mistake():
    assert packs_in(FORMAT.home) == ["core"]
    assert content.check("core") == []
    assert {"beacon", "ford", "watchtower"} <= set(content.scenarios("core"))


@pytest.mark.parametrize(("name", "n"), PARTIES)
def test_every_scenario_compiles_for_every_party(name, n):
    compiled = content.compile_scenario("core", name, n)
    assert compiled.content.shape == (1,)
    assert compiled.content.dtype == layout.CONTENT
    record = compiled.content[0]
    assert record["n_heroes"] == n
    areas, allies = int(record["n_areas"]), int(record["n_allies"])
    assert reached(record, areas) == set(range(areas)), "every area can be reached"
    assert len(compiled.names.areas) == areas == len(compiled.drawing.cells)
    used = np.zeros(areas, int)
    for k in range(record["n_setup"]):
        used[record["setup_area"][k]] += record["type"][record["setup_type"][k]]["size"]
    for slot in range(allies):
        if record["start"][slot] >= 0:
            used[record["start"][slot]] += record["sheet"][slot]["size"]
        else:
            assert record["sheet"][slot]["waiting"]
    assert (used <= record["capacity"][:areas]).all()
    assert record["n_setup"] <= layout.N_ENEMIES


@pytest.mark.parametrize(("name", "n"), PARTIES)
def test_names_fit_the_record(name, n):
    compiled = content.compile_scenario("core", name, n)
    record, names = compiled.content[0], compiled.names
    assert len(names.types) == record["n_types"]
    assert len(names.items) == record["n_items"]
    assert len(names.figures) == record["n_figures"]
    assert len(names.stories) == record["n_stories"]
    for slot, tokens in enumerate(names.tokens):
        assert len(tokens) == record["sheet"][slot]["n_tokens"]
        if slot < n:
            assert tokens[:2] == ("Focus", "Extra Maneuver")
        for token in tokens:
            assert names.texts[f"action/{names.allies[slot]}/{token}"]
    for section in names.stories:
        assert {f"story/{section}", f"section/{section}"} & set(names.texts)
    for kind, things in (("item", names.items), ("figure", names.figures), ("enemy", names.types)):
        assert all(names.texts[f"{kind}/{thing}"] for thing in things)
    assert names.area(names.areas[-1]) == len(names.areas) - 1
    with pytest.raises(ValueError, match="unknown area 'Nowhere'; allowed: "):
        names.area("Nowhere")


@pytest.mark.parametrize("name", sorted(CORE.scenarios))
def test_difficulties_differ_and_aim_lower_and_lower(name):
    card = CORE.scenarios[name]
    targets = [card.difficulty[word].target for word in schema.DIFFICULTIES if card.difficulty]
    assert targets == sorted(targets, reverse=True)
    marks = {
        content.compile_scenario("core", name, 2, difficulty=word).fingerprint
        for word in card.difficulty
    }
    assert len(marks) == len(targets)


def test_more_heroes_meet_more_enemies():
    for name, most in dict(PARTIES).items():
        records = [content.compile_scenario("core", name, n).content[0] for n in (1, most)]
        strength = [
            sum(
                int(kind["base"]) + int(kind["per_hero"]) * int(record["n_heroes"])
                for kind in record["type"][record["setup_type"][: record["n_setup"]]]
            )
            for record in records
        ]
        assert strength[0] < strength[1], name


def test_heroes_are_those_of_a1_to_a3():
    assert len(CORE.heroes) >= 4
    assert len({hero.taunt for hero in CORE.heroes.values()}) == len(CORE.heroes)
    for hero in CORE.heroes.values():
        assert 7 <= hero.blue <= 10
        assert hero.might + hero.agility + hero.will == 6
        assert len(hero.actions) >= 3


@pytest.mark.parametrize("key", sorted(CORE.heroes))
def test_every_hero_plays_at_every_level_in_both_classes(key):
    for level in range(1, 6):
        for kind in CORE.heroes[key].classes if level > 1 else [None]:
            choice = {"hero": key, "level": level} | ({"class": kind.name} if kind else {})
            compiled = content.compile_scenario("core", "ford", [choice])
            sheet = compiled.content[0]["sheet"][0]
            assert sheet["blue"] == CORE.heroes[key].blue + level - 1
            assert 0 < sheet["red"] <= sheet["blue"]
            assert sheet["slots"] <= sheet["n_tokens"] - 2


def test_enemies_are_those_of_a2():
    cards = [enemy.card for enemy in CORE.enemies.values()]
    assert len(cards) >= 6
    strikes = [
        [a.attack for a in (c.actions.staring, c.actions.open, c.actions.closed)] for c in cards
    ]
    aimed = [any(s and s.type != "melee" for s in three) for three in strikes]
    assert sum(aimed) >= 2
    assert any(card.size == "large" for card in cards)
    assert any(card.snake and card.snake.spawn for card in cards)


def test_the_initiative_deck_has_the_totals_of_a1():
    record = content.compile_scenario("core", "ford", 1).content[0]
    assert record["n_cards"] == 18
    cards = record["card"][:18]
    assert cards["shuffle"].sum() == 2
    eyes = {"RED": (10, 4, 4), "BLUE": (4, 11, 3), "GREEN": (3, 5, 10)}
    for colour, expected in eyes.items():
        mine = (cards["enemy"] == 1) & (cards["colour"] == terms.Colour[colour])
        assert mine.sum() == 18
        assert tuple(int((cards["eye"][mine] == eye).sum()) for eye in terms.Eye) == expected
        horns, snake = cards["horns"][mine], cards["snake"][mine]
        both = int((horns & snake).sum())
        assert (int(horns.sum()) - both, int(snake.sum()) - both, both) == (4, 2, 1)
        bonus = cards["bonus"][(cards["enemy"] == 0) & (cards["colour"] == terms.Colour[colour])]
        assert bonus.sum() == 4


def test_r19_6_the_fate_deck_is_that_of_q28():
    record = content.compile_scenario("core", "ford", 1).content[0]
    assert sorted(record["fate"][: record["n_fate"]]) == [0, 1, 1, 1, 2, 2, 2, 2, 3, 3]


def test_the_watchtower_uses_every_kind_of_border():
    record = content.compile_scenario("core", "watchtower", 1).content[0]
    n = record["n_areas"]
    kinds = set(record["border"][:n, :n].ravel().tolist())
    assert kinds == {kind.value for kind in terms.Border}
    assert any(bits != (1 << n) - 1 for bits in record["seen"][:n])


def test_r1_8_and_r5_8_a_card_has_every_colour_of_either_side_once():
    for card in CORE.initiative.cards:
        bars = {(bar.enemy, bar.colour) for bar in card.bars}
        assert len(bars) == len(card.bars) == 6


def test_q2_and_q30_dice_and_printed_colours():
    record = content.compile_scenario("core", "ford", 1).content[0]
    extra, symbol = layout.FACE_EXTRA, layout.FACE_SYMBOL
    assert record["action_die"].tolist() == [1, 1, 2, extra, symbol, symbol]
    assert record["reaction_die"].tolist() == [0, 0, 1, 1, 2, symbol]
    rows = record["sheet"][0]["token"][[layout.FOCUS, layout.EXTRA_MANEUVER]]
    assert record["token"][rows]["colour"].tolist() == [terms.Colour.GREEN, terms.Colour.RED]


def test_q24_injuries_and_traps_have_their_typical_sizes():
    for injury in CORE.injuries.cards:
        dice = [injury.dice.might, injury.dice.agility, injury.dice.will]
        assert sorted([*dice, injury.move, injury.recover]) == [0, 0, 0, 0, 1]
    for trap in CORE.traps.cards:
        assert trap.damage or trap.condition
        assert trap.damage <= 3
        assert trap.check is None or trap.check.number in (4, 5)


def test_r17_8_typical_armour():
    def gear(name):
        passive = CORE.items[name].passive
        worth, plus = passive.h_worth, passive.reactive
        return passive.need, (worth.might, worth.agility), (plus.might, plus.agility)

    assert gear("oilskin") == (0, (1, 0), (0, 0))  # leather
    assert gear("rim-shield") == (0, (0, 1), (0, 0))  # metal shield
    assert gear("scale-coat") == (1, (0, 0), (1, 0))  # splint mail
    assert gear("door-shield") == (1, (0, 0), (0, 1))  # large shield
    assert gear("drowned-plate") == (2, (1, 0), (1, 0))  # plate
    assert CORE.items["chapel-hood"].passive.reroll_h == ["will"]  # helmet
    boost = CORE.items["plank-shield"].boost
    assert (boost.might, boost.agility) == (3, 3)  # wooden shield
    riposte = CORE.items["pot-lid"].passive.riposte
    assert (riposte.amount, riposte.range, riposte.when) == (1, 1, "undamaged")  # buckler
