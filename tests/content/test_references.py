"""References between the files of a pack, and impossible cards: one mistake at a time."""

import re

import pytest

from agemonia_env.rulesets.agemonia import content

KEEP = "scenarios/keep.yaml"
ANNA = "heroes/anna.yaml"
ITEMS = "items/gear.yaml"


def put(files, place, value):
    """Set one value: `place` is a file and then keys and indices."""
    *way, last = place
    part = files
    for step in way:
        part = part[step]
    part[last] = value


IN_QUEEN, IN_LEVER = ("enemies/queen.yaml", "card"), (KEEP, "sections", "lever")
NAMES = [
    (ANNA, "items", 1),
    (ANNA, "actions", 2, "effects", 0, "summon", "figure"),
    (ITEMS, "items", "owl", "pet"),
    (ITEMS, "items", "drum", "effects", 0, "summon_ally", "ally"),
    ("enemies/rat.yaml", "card", "defeat", "leave"),
    *((*IN_QUEEN, "snake", "perform"), (*IN_QUEEN, "defeat", "spawn", "type")),
    *((*IN_LEVER, "area"), (*IN_LEVER, "effects", 1, "item", "item")),
    *((*IN_LEVER, "effects", 2, "join", name) for name in ("area", "ally")),
    *((KEEP, "map", "areas", "B", "items", 0), (KEEP, "events", 0, "section")),
    (KEEP, "events", 0, "effects", 0, "fortify", "type"),
    *((KEEP, "allies", 0, name) for name in ("ally", "area")),
    *((KEEP, "difficulty", "brutal", "setup", 0, name) for name in ("type", "area")),
    *((KEEP, "objective", "ally"), (KEEP, "heroes", 1)),
    ("gauntlets/climb.yaml", "stages", 1, "scenario"),
]


@pytest.mark.parametrize("place", NAMES, ids=str)
def test_an_unknown_name_is_refused_at_its_place_with_those_allowed(files, build, place):
    put(files, place, "zzz")
    key = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place[1:])
    named = re.compile(rf"{place[0]}: {re.escape(key[1:])}: unknown .+ 'zzz'(; allowed: |$)")
    found = content.check(build())
    assert any(map(named.match, found)), found


@pytest.mark.parametrize(
    ("place", "value", "mistake"),
    [
        # Heroes
        (
            (ANNA, "actions", 2, "effects", 0, "summon", "figure"),
            "owl",
            f"{ANNA}: actions[2].effects[0].summon.figure: owl is a pet; an item brings it (R18.8)",
        ),
        (
            (ANNA, "growth", 0, "effects"),
            [{"command": {"figure": "tree"}}],
            f"{ANNA}: growth[0].effects[0].command.figure: unknown figure 'tree'",
        ),
        (
            (ANNA, "classes", 1, "skills", 1, "maneuver"),
            [{"summon_ally": {"ally": "ghost"}}],
            f"{ANNA}: classes[1].skills[1].maneuver[0].summon_ally.ally: unknown Ally 'ghost'; ",
        ),
        (
            (ANNA, "actions", 0, "effects", 0, "attack", "type"),
            "magic",
            f"{ANNA}: actions[0].effects[0].attack.range: is missing; a magic attack has its own",
        ),
        (
            (ANNA, "actions", 0, "effects"),
            [{"lock": {"need": 0}}],
            f"{ANNA}: actions[0].effects[0].lock.need: a lock needs stamina",
        ),
        (
            (ANNA, "growth", 1, "effects"),
            [{"move": 1}],
            f"{ANNA}: growth[1].effects: an action of level 3 is passive",
        ),
        (
            (ANNA, "classes", 0, "actions", 1, "effects"),
            [{"lock": {}}, {"lock": {}}],
            f"{ANNA}: classes[0].actions[1].effects: an action of level 3 is passive",
        ),
        (
            (ANNA, "classes", 1, "actions", 2, "gem"),
            0,
            f"{ANNA}: classes[1].actions[2].gem: an action of level 4 costs a gem (R20.4)",
        ),
        (
            (ANNA, "classes", 0, "skills", 0, "passive", "need"),
            1,
            f"{ANNA}: classes[0].skills[0].passive.need: a skill works without stamina; allowed: 0",
        ),
        ((ANNA, "classes", 1, "name"), "Guard", f"{ANNA}: classes: Guard is named twice"),
        (
            (ANNA, "classes", 1, "actions", 3, "name"),
            "Hit",
            f"{ANNA}: classes[1].actions: Hit is named twice",
        ),
        (
            (ANNA, "classes", 0, "skills", 4, "name"),
            "Guard skill 1",
            f"{ANNA}: classes[0].skills: Guard skill 1 is named twice",
        ),
        (
            (ANNA, "weapons"),
            [{"type": "melee"}, {"type": "melee"}],
            f"{ANNA}: weapons: two of type melee; allowed: one active of each type",
        ),
        ((ANNA, "taunt"), 3, "heroes/bert.yaml: taunt: 3 is also that of heroes/anna.yaml"),
        ((ANNA, "name"), "Bert", "heroes/bert.yaml: name: Bert is also that of heroes/anna.yaml"),
        # abilities of Enemies
        (
            ("enemies/queen.yaml", "card", "abilities", "howl"),
            {"perform": "howl"},
            "enemies/queen.yaml: card.abilities.howl: names no further ability",
        ),
        (
            ("enemies/queen.yaml", "card", "abilities", "howl"),
            {"spawn": {"type": "cat"}},
            "enemies/queen.yaml: card.abilities.howl.spawn.type: unknown Enemy 'cat'",
        ),
        # items, Allies, figures
        (
            (ITEMS, "items", "sword", "hands"),
            0,
            f"{ITEMS}: items.sword.hands: an item with hands has `wear: hand`, and the other way",
        ),
        (
            (ITEMS, "items", "sword", "wear"),
            "none",
            f"{ITEMS}: items.sword.weapon: a weapon has `wear: hand`",
        ),
        (
            (ITEMS, "items", "mail", "wear"),
            "none",
            f"{ITEMS}: items.mail.passive: works while the item is in use; say how it is worn",
        ),
        (
            (ITEMS, "items", "hood", "carry"),
            1,
            f"{ITEMS}: items.hood.carry: only a backpack adds to what is carried (R17.3)",
        ),
        (
            (ITEMS, "items", "owl", "pet"),
            "sprout",
            f"{ITEMS}: items.owl.pet: sprout is no pet (`pet: true` in figures/sprout.yaml)",
        ),
        (
            (ITEMS, "items", "owl", "wear"),
            "helmet",
            f"{ITEMS}: items.owl.pet: a pet has `wear: pet`",
        ),
        (
            (ITEMS, "items", "coin", "name"),
            "Horn",
            f"{ITEMS}: items.coin.name: Horn is also that of items.horn",
        ),
        (
            ("allies/golem.yaml", "actions", 1, "name"),
            "Slam",
            "allies/golem.yaml: actions: Slam is named twice",
        ),
        # Enemies
        (
            ("enemies/queen.yaml", "card", "snake", "snake"),
            True,
            "enemies/queen.yaml: card.snake.snake: stands in the horns of an action only",
        ),
        # numbers in the wrong order
        (
            (ITEMS, "items", "spear", "weapon", "range"),
            [1, 0],
            f"{ITEMS}: items.spear.weapon.range: the nearest distance is first, [0, 1]; it is [1",
        ),
        (
            (ANNA, "weapons", 0, "range"),
            [3, 1],
            f"{ANNA}: weapons[0].range: the nearest distance is first, [1, 3]; it is [3, 1]",
        ),
        (
            (KEEP, "setup"),
            [{"type": "queen", "area": "C", "min_heroes": 3, "max_heroes": 2}],
            f"{KEEP}: setup[0]: min_heroes: 3 is more than max_heroes, 2: no party meets them",
        ),
        # scenarios
        (
            (KEEP, "sections", "lever", "effects", 0, "activate", "area"),
            "B",
            f"{KEEP}: sections.lever.effects[0].activate.area: no teleport token lies there",
        ),
        (
            (KEEP, "sections", "lever"),
            {"text": "A step.", "area": "C"},
            f"{KEEP}: sections.door.area: entering C sets off lever already; allowed: one section",
        ),
        (
            (KEEP, "sections", "door", "area"),
            "B",
            f"{KEEP}: sections.door.area: entering B sets off echo already",
        ),
        ((KEEP, "sections", "echo"), {"text": "-", "area": "A"}, f"{KEEP}: sections.echo: is also"),
        (
            (KEEP, "events", 0, "effects"),
            [{"harm": 1}],
            f"{KEEP}: events[0].effects[0]: an event has no Ally to harm, cure or affect",
        ),
        ((KEEP, "allies", 0, "ally"), "stray", f"{KEEP}: allies[1].ally: stray is named twice"),
        ((KEEP, "apart"), {"eve": "A"}, f"{KEEP}: apart: unknown Hero 'eve'; allowed: anna"),
        (
            (KEEP, "difficulty"),
            {"easy": {"target": 0.5}, "hard": {"target": 0.5}},
            f"{KEEP}: difficulty: normal, brutal missing; all of them, or none",
        ),
        ((KEEP, "stories"), {}, f"{KEEP}: stories: echo: is missing; an area names it"),
        (
            (KEEP, "stories", "rumour"),
            "-",
            f"{KEEP}: stories.rumour: no area names it; allowed: echo",
        ),
        (
            (KEEP, "health"),
            {"bee": {"base": 1}},
            f"{KEEP}: health.bee: unknown Enemy of this scenario 'bee'",
        ),
        ((KEEP, "heroes", 1), "anna", f"{KEEP}: heroes[1]: anna is named twice"),
    ],
)
def test_a_mistake_names_file_key_and_allowed_values(files, build, place, value, mistake):
    put(files, place, value)
    found = content.check(build())
    assert any(text.startswith(mistake) for text in found), found


def test_special_initiatives_pushes_and_pulls_are_played(files, build):
    attack = {"type": "melee", "push": 1, "pull": 1}
    card = files[ANNA]["actions"][0]
    card |= {"special": ["first", "after"], "effects": [{"attack": attack}]}
    files["enemies/rat.yaml"]["card"]["snake"] = {"push": 1}
    assert content.check(build()) == []
