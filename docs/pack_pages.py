"""Generates docs/packs.md and docs/hexdungeon-keys.md: every key of content packs."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.content.schema import basics
from agemonia_env.rulesets.agemonia.core import layout
from agemonia_env.rulesets.hexdungeon.content import schema as hex_schema
from docs import rulebook
from docs.packs import LEGEND, Kind, deed_list, files_list, key_list, kind_text, sections

CORE = "../agemonia_env/rulesets/agemonia/content/packs/core"
CONDITIONS = kind_text(basics.ConditionName)  # said once
DEEDS = (schema.Effect, schema.Consequence)

KINDS = (
    Kind("The pack", "pack.yaml", schema.PackCard),
    Kind(
        "Scenarios",
        "scenarios/NAME.yaml",
        schema.Scenario,
        f"{CORE}/scenarios/watchtower.yaml",
    ),
    Kind("Enemies", "enemies/NAME.yaml", schema.Enemy, f"{CORE}/enemies/tollking.yaml"),
    Kind("Items", "items/ANY.yaml", schema.ItemCards, f"{CORE}/items/finds.yaml"),
    Kind("Heroes", "heroes/NAME.yaml", schema.Hero),
    Kind("Allies", "allies/NAME.yaml", schema.AllyCard, f"{CORE}/allies/pilot.yaml"),
    Kind("Figures", "figures/NAME.yaml", schema.FigureCard, f"{CORE}/figures/hound.yaml"),
    Kind("The Initiative deck", "decks/initiative.yaml", schema.InitiativeDeck),
    Kind("The Fate deck", "decks/fate.yaml", schema.FateDeck),
    Kind("The Injury deck", "decks/injury.yaml", schema.InjuryDeck),
    Kind("The Trap deck", "decks/trap.yaml", schema.TrapDeck),
    Kind(
        "Gauntlets",
        "gauntlets/NAME.yaml",
        schema.Gauntlet,
        f"{CORE}/gauntlets/first-watch.yaml",
    ),
)

LIMITS = (
    ("heroes in the party", layout.N_HEROES_MAX),
    ("heroes and non-hero allies together", layout.N_ALLIES),
    ("enemy types, spawned ones included", layout.N_TYPES),
    ("enemies on the map at the same time", layout.N_ENEMIES),
    ("areas of the map", layout.N_AREAS),
    ("items in one area", layout.N_GROUND),
    ("items that one hero carries", layout.N_CARRIED),
    ("different items", layout.N_ITEM_KINDS),
    ("tokens and pets", layout.N_FIGURES),
    ("events", layout.N_EVENTS),
    ("story sections", layout.N_STORIES),
)


def packs_page() -> str:
    """docs/packs.md."""
    limits = "; ".join(f"{most} {what}" for what, most in LIMITS)
    return f"""\
# Content packs: every key

A pack is a folder of YAML files. [tutorial-pack.md](tutorial-pack.md) makes one step by step; this
page is a reference. {rulebook.MADE}

```sh
agemonia content new my-pack     # a small pack that works, to change
agemonia content check my-pack   # every mistake at once: file, key, allowed values
agemonia play --pack my-pack
```

Files:

{files_list(KINDS)}
How to read the sections below:

- **Names.** Files refer to each other by file name without `.yaml` (`type: reedling` is
  `enemies/reedling.yaml`), to items by their key in a file of `items/`, and to areas by their
  letter. `name` is what players read.
{LEGEND}- **Conditions** are {CONDITIONS}.
- **Unknown keys are refused**, and so are other YAML files, such as `enemies/owl.yml`: what is
  misspelt is an error and not silently ignored.
- **Rule numbers** (R10.37) refer to [agemonia-rules.md](agemonia-rules.md), which begins with the
  words of the game; its section 21 has the rulings (Q18), and R20 alone is section 20.
- **Examples** are files of the pack `core`, which comes with the program.
- **Required files:** `pack.yaml`, all four decks, and at least one hero, one enemy and one
  scenario.

One scenario has at most {limits}.

{sections(KINDS, agemonia_table).replace(CONDITIONS, "condition")}"""


def agemonia_table(model: type[BaseModel], described: Sequence[type[BaseModel]]) -> str:
    """The keys of a model; for an objective, also its kinds."""
    if model in DEEDS:
        return deed_list(model)
    return key_list(model, described) + (objective_table() if model is schema.Goal else "")


def objective_table() -> str:
    """The required keys and the meaning of each kind of objective."""
    rows = "\n".join(
        f"| `{kind}` | {', '.join(f'`{key}`' for key in one.needs) or 'nothing'} | {one.wins} |"
        for kind, one in schema.OBJECTIVES.items()
    )
    return f"""
| kind | needs | won when |
|---|---|---|
{rows}

An objective is refused for a party that can never meet it, or meets it before anybody has moved;
so are events that can never happen, and keys that nothing in the scenario reads.
"""


# ---- HexDungeon ---------------------------------------------------------------------------------
HEX_KINDS = (
    Kind("The pack", "pack.yaml", hex_schema.PackCard),
    Kind("Classes", "classes/NAME.yaml", hex_schema.HeroClass),
    Kind("Monsters", "monsters/NAME.yaml", hex_schema.Monster),
    Kind("Templates", "templates.yaml", hex_schema.Templates),
    Kind("Scenarios", "scenarios/NAME.yaml", hex_schema.Scenario),
)


def hexdungeon_page() -> str:
    """docs/hexdungeon-keys.md."""
    return f"""\
# HexDungeon packs: every key

A pack is a folder of YAML files. [hexdungeon-packs.md](hexdungeon-packs.md) explains it with
examples; this page is a reference. {rulebook.MADE}

- **Rule numbers** (G13.1) refer to [hex-rules.md](hex-rules.md), which also explains the words of
  the game.
- **Names.** Files refer to each other by file name without `.yaml`. `text`, and the `name` of a
  pack, class, monster, card or scenario, are what people read.
{LEGEND}- **Conditions** such as `muddle`, and `bless` and `curse`, are explained in G10 and G1.9.

Files:

{files_list(HEX_KINDS)}
{sections(HEX_KINDS, hexdungeon_table)}"""


def hexdungeon_table(model: type[BaseModel], described: Sequence[type[BaseModel]]) -> str:
    """The keys of a model; for a line, also which keys go together."""
    if not issubclass(model, hex_schema.Line):
        return key_list(model, described)
    rows = "\n".join(
        f"| `{verb}` | {', '.join(f'`{key}`' for key in model.beside(verb)) or 'nothing'} |"
        for verb in model.verbs()
    )
    head = "A line has exactly one of these keys, and otherwise only keys that go with it:"
    return f"{head}\n\n| key | goes with |\n|---|---|\n{rows}\n\n{key_list(model, described)}"
