"""A small pack with every key that files may have.

files = small_pack()                        # {file: its values}, to be changed at will
folder = write_pack(tmp_path, files)        # the same as a folder of YAML files
"""

import copy

import yaml

FATE = {"values": [0, 1, 2, 3, 2, 3]}
BARS = ["hR+, eR-S, hB, eB-O, hG, eG-C-h", "* hB, eB-O, hR, eR-S-s, hG, eG-C"]
INJURIES = [
    {"name": "Torn Hand", "dice": {"might": 1}},
    {"name": "Cracked Rib", "recover": 1},
]
TRAPS = [{"name": "Pit", "damage": 2, "check": {"ability": "agility", "number": 4}}]


def action(name, *effects, **more):
    """An action card; without effects it moves 1."""
    return {"name": name, "effects": list(effects) or [{"move": 1}], **more}


def hero(name, **more):
    """A Hero with three actions, and two classes of which the first is Guard."""
    card = {"name": name, "title": "Warden", "flavour": "Of the small pack.", "taunt": 1}
    card |= {"blue": 8, "items": [], "weapons": [{"name": "fist", "type": "melee", "bonus": -1}]}
    card["actions"] = [
        action("Hit", {"attack": {"type": "melee", "dice": 2}}),
        action("Leap", {"jump": {"range": 2}}, special="after"),
        action("Call", {"summon": {"figure": "sprout", "range": 1}}),
    ]
    card["growth"] = growth("Common")
    card["classes"] = [hero_class("Guard"), hero_class("Mage")]
    return card | more


def growth(name):
    """Actions of levels 2 to 5."""
    return [
        action(f"{name} 2", {"teleport": {"range": 1}}),
        action(f"{name} 3", {"lock": {"need": 2, "evade": 1}}),
        action(f"{name} 4", {"heal": {"amount": 3}}, gem=1),
        action(f"{name} 5", {"unwound": {"range": 1}}, once=True),
    ]


def hero_class(name):
    """A class with five skills, each of another kind."""
    skills = [
        {"passive": {"reactive": {"might": 1}, "h_worth": {"will": 1}, "dice": {"melee": 1}}},
        {"maneuver": [{"attack_dice": {"type": "melee"}}], "once": True},
        {"rerolls": 2, "ignore_aim": "ranged", "carry": 2, "recover": {"stamina": 1}},
        {"passive": {"reactive": {"might": 2}, "h_worth": {"will": 1}, "move": 1, "fly": True}},
        {"two_weapons": True, "tactics": True, "disarm": True},
    ]
    named = [{"name": f"{name} skill {i}", "text": "-"} | s for i, s in enumerate(skills, 1)]
    return {"name": name, "text": f"A {name}.", "actions": growth(name), "skills": named}


ITEMS = {
    "sword": {"name": "Sword", "wear": "hand", "hands": 1, "weight": 2}
    | {"weapon": {"type": "melee", "bonus": 1, "takes": ["poison", "rune"]}, "own": True},
    "spear": {"name": "Spear", "wear": "hand", "hands": 2, "weight": 3}
    | {"weapon": {"type": "melee", "range": [0, 1]}},
    "mail": {"name": "Mail", "wear": "armour", "weight": 3}
    | {"passive": {"need": 1, "reactive": {"might": 1}}},
    "hood": {"name": "Hood", "wear": "helmet", "passive": {"need": 0, "reroll_h": "will"}},
    "bag": {"name": "Bag", "wear": "backpack", "weight": 0, "carry": 4},
    "owl": {"name": "Owl Perch", "wear": "pet", "weight": 0, "pet": "owl"},
    "venom": {"name": "Venom", "rider": {"kind": "poison", "bonus": 1, "condition": "bleeding"}},
    "plank": {"name": "Plank", "boost": {"might": 3}, "boost_active": {"will": 1}},
    "horn": {"name": "Horn", "opening": {"special": "first", "cost": 3}, "kept": True},
    "hook": {"name": "Hook", "rope": True, "weight": 2},
    "drum": {"name": "Drum", "maneuver": True, "effects": [{"summon_ally": {"ally": "golem"}}]},
    "coin": {"name": "Coin", "weight": 0},
}

ALLIES = {
    "golem": {"name": "Golem", "flavour": "Of clay.", "health": 5, "size": "large"}
    | {"h_worth": {"might": 1}, "reroll_h": ["agility"], "never_hindered": True}
    | {"undying": True, "fury": 1, "h_riposte": 1}
    | {"actions": [action("Slam", {"attack": {"value": 3}}), action("Stomp", maneuver=True)]},
    "guide": {"name": "Guide", "flavour": "Knows the way.", "actions": [action("Point")]},
    "stray": {"name": "Stray", "flavour": "Somebody's dog.", "actions": [action("Bite")]},
}

FIGURES = {
    "owl": {"name": "Owl", "text": "Flies.", "pet": True, "fly": True, "harm_leaving": 1},
    "sprout": {"name": "Sprout", "text": "Grows.", "move": 2, "harm": 1},
}

ENEMIES = {
    "rat": {"health": 3, "colour": "red", "defeat": {"leave": "coin"}},
    "queen": {
        "health": {"base": 4, "per_hero": 2},
        "colour": "blue",
        "tags": ["Elite"],
        "actions": {
            "open": {
                "move": 1,
                "attack": {"type": "magic", "value": 4, "range": 2},
                "horns": {"teleport": 2, "snake": True, "pull": 1},
            }
        },
        "snake": {"attack": {"value": 1}, "spawn": {"type": "rat"}, "perform": "howl"},
        "abilities": {"howl": {"fly": True, "story_token": 1}},
        "defeat": {
            "burst": {"damage": 2, "range": 1, "condition": "slowed"},
            "spawn": {"type": "drone", "amount": 2},
            "set_trap": {"range": 0},
        },
    },
    "drone": {"health": 1, "colour": "green", "fly": True},
}

YARD = {
    "name": "The Yard",
    "text": "Clear it.",
    "map": {
        "rows": "AABB\nAABB",
        "areas": {"A": {"name": "Gate", "capacity": 6}, "B": {"name": "Well", "capacity": 4}},
    },
    "start": "A",
    "heroes": ["anna", "bert"],
    "setup": [{"type": "rat", "area": "B"}],
    "objective": {"kind": "defeat_all"},
}

KEEP = {
    "name": "The Keep",
    "text": "Bring the guide through.",
    "level": 3,
    "map": {
        "rows": "AABBCC\nAABBCC\nAABBCC",
        "areas": {
            "A": {"name": "Bridge", "capacity": 6, "teleport": {"range": 3}},
            "B": {"name": "Hall", "capacity": 4, "items": ["plank", "venom"], "story": "echo"},
            "C": {"name": "Tower", "capacity": 4, "teleport": {"active": False}},
        },
    },
    "start": "A",
    "heroes": ["anna", "bert"],
    "setup": [{"type": "queen", "area": "C"}],
    "objective": {"kind": "escort", "ally": "guide", "areas": ["C"]},
    "last_round": 8,
    "timer": {"round": 2, "target": 6},
    "stories": {"echo": "It answers."},
    "sections": {
        "lever": {
            "text": "A lever.",
            "area": "C",
            "trigger": "choice",
            "range": 1,
            "maneuver": True,
            "check": {"ability": ["might", "will"], "number": 4},
            "effects": [
                {"activate": {"area": "C"}},
                {"item": {"item": "coin", "area": "C"}},
                {"join": {"ally": "stray", "area": "B"}},
                {"cure": 2},
            ],
            "failed": [{"harm": 1}, {"affect": "slowed"}, {"trap": "B"}],
        },
        "door": {"text": "It opens.", "area": "C", "effects": [{"trap": "A"}, {"give_gem": 1}]},
    },
    "events": [
        {
            "when": "story",
            "section": "door",
            "effects": [
                {"fortify": {"type": "queen", "amount": 2}},
                {"reinforce": {"type": "rat", "area": "A", "per_hero": True}},
                {"start_timer": 4},
                {"stop_timer": True},
            ],
        },
        {"when": "defeat", "type": "queen", "number": 1, "effects": [{"succeed": True}]},
        {"when": "timer", "effects": [{"trap": "B"}]},
    ],
    "allies": [{"ally": "guide", "area": "B"}, {"ally": "stray", "joins": True}],
    "difficulty": {
        "easy": {"target": 0.8, "health": -9, "per_hero": -1, "value": -3, "gems": 2},
        "normal": {"target": 0.6},
        "hard": {"target": 0.4, "health": 2, "shield": 1, "value": 1, "rounds": -2, "timer": 1},
        "brutal": {"target": 0.2, "setup": [{"type": "rat", "area": "C"}], "inspiration": 5},
    },
}


def small_pack():
    """The values of every file by its name."""
    files = {
        "pack.yaml": {"name": "Small", "version": "1"},
        "decks/initiative.yaml": {"cards": BARS},
        "decks/fate.yaml": FATE,
        "decks/injury.yaml": {"cards": INJURIES},
        "decks/trap.yaml": {"cards": TRAPS},
        "heroes/anna.yaml": hero(
            "Anna", items=["sword", "mail", "plank", "bag"], red=[3, 4, 4, 5, 5]
        ),
        "heroes/bert.yaml": hero("Bert", taunt=3, hands=4, items=["spear", "drum", "owl"]),
        "items/gear.yaml": {"items": {k: {"text": "-"} | card for k, card in ITEMS.items()}},
        "scenarios/yard.yaml": YARD,
        "scenarios/keep.yaml": KEEP,
        "gauntlets/climb.yaml": {
            "name": "The Climb",
            "text": "Two floors.",
            "stages": [{"scenario": "yard"}, {"scenario": "keep", "level": 3, "rest": True}],
        },
    }
    files |= {f"allies/{name}.yaml": card for name, card in ALLIES.items()}
    files |= {f"figures/{name}.yaml": card for name, card in FIGURES.items()}
    for name, card in ENEMIES.items():
        files[f"enemies/{name}.yaml"] = {"name": name.title(), "flavour": "-", "card": card}
    return copy.deepcopy(files)


def write_pack(folder, files):
    """The files below `folder`, which is returned."""
    for name, values in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(values, sort_keys=False))
    return folder
