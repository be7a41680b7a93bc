"""What a content file may say: one model per thing, unknown keys refused.

Sheets, Enemy cards, attacks and maps use the keys and defaults of the rule cases, so that cases and
packs go through the same compiler. Rule numbers are those of the rulebook.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from ..reading import STRICT, listed

AbilityName = Literal["might", "agility", "will"]
ColourName = Literal["red", "blue", "green"]
EyeName = Literal["staring", "open", "closed"]
AttackTypeName = Literal["melee", "ranged", "magic"]
ShapeName = Literal["single", "multi", "cleave", "area", "line"]
SizeName = Literal["normal", "large", "huge"]
BorderName = Literal["single", "double", "barrier"]
SpecialName = Literal["first", "last", "after"]
WearName = Literal["none", "hand", "helmet", "armour", "backpack", "pet"]
RiderName = Literal["poison", "arrow", "rune"]
DifficultyName = Literal["easy", "normal", "hard", "brutal"]
RiposteName = Literal["always", "damaged", "undamaged"]
ConditionName = Literal[
    "invisible",
    "blessed",
    "bleeding",
    "slowed",
    "weakened",
    "held",
    "cursed",
    "confused",
    "stunned",
    "dominated",
]
EnemyConditionName = Literal[
    "bleeding", "slowed", "weakened", "held", "confused", "stunned", "dominated"
]
Count = Annotated[int, Field(ge=0, le=99)]
Positive = Annotated[int, Field(ge=1, le=99)]
Name = Annotated[str, Field(min_length=1, max_length=40)]
Text = Annotated[str, Field(min_length=1, max_length=600)]


def _no_nulls(value: Any) -> Any:
    """`a:` without a value is an area with all defaults."""
    return (
        {k: {} if v is None else v for k, v in value.items()} if isinstance(value, dict) else value
    )


def _keyed(key: str) -> BeforeValidator:
    """A bare value stands for the mapping {key: value}."""
    return BeforeValidator(lambda v: v if isinstance(v, dict | BaseModel) else {key: v})


Conditions = Annotated[list[ConditionName], BeforeValidator(listed)]
AbilityNames = Annotated[list[AbilityName], BeforeValidator(listed), Field(min_length=1)]
AttackTypes = Annotated[list[AttackTypeName], BeforeValidator(listed), Field(min_length=1)]
AbilityBits = Annotated[list[AbilityName], BeforeValidator(listed)]
Specials = Annotated[list[SpecialName], BeforeValidator(listed)]
Band = Annotated[list[Count], Field(min_length=2, max_length=2)]


class Strict(BaseModel):
    """No unknown keys, no silent conversion of values, never changed after reading."""

    model_config = STRICT


# ---- maps of cases --------------------------------------------------------------------------
class Story(Strict):
    """A section read when a figure enters (ruling Q56)."""

    section: Name
    by: Literal["allies", "any"] = "allies"


class TeleportToken(Strict):
    """R7.45."""

    colour: Name = "blue"
    active: bool = True
    range: Count | None = None


class AreaSheet(Strict):
    """An area of any map."""

    capacity: Count = 9  # white dots (R7.2); 0 = none (Q52)
    level: Annotated[int, Field(ge=-9, le=9)] = 0
    trap: bool = False
    story: Annotated[Story, _keyed("section")] | None = None
    teleport: TeleportToken | None = None
    items: list[Name] = []


class AreaCard(AreaSheet):
    """An area of a rule case's map."""


class BorderCard(Strict):
    """What lies between two areas; in a file the list [x, y], [x, y, kind] or [.., height]."""

    between: Annotated[list[str], Field(min_length=2, max_length=2)]
    kind: BorderName = "single"
    height: bool = False

    @model_validator(mode="before")
    @classmethod
    def _from_list(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        if not 2 <= len(value) <= 4 or (len(value) == 4 and value[3] != "height"):
            raise ValueError("a border is [x, y], [x, y, kind] or [x, y, kind, height]")
        card: dict[str, Any] = {"between": value[:2], "height": len(value) == 4}
        return card | ({"kind": value[2]} if len(value) > 2 else {})


class MapCard(Strict):
    """A map as rule cases give it."""

    areas: Annotated[dict[str, AreaCard], BeforeValidator(_no_nulls)] = {"a": AreaCard()}
    borders: list[BorderCard] = []
    ropes: list[Annotated[list[str], Field(min_length=2, max_length=2)]] = []
    sight: list[Annotated[list[str], Field(min_length=2)]] | None = None


# ---- sheets ---------------------------------------------------------------------------------
class Move(Strict):
    """R6.5: the two printed versions of a move maneuver."""

    free: Count = 2
    paid: Count = 3
    cost: Count = 1


class Recover(Strict):
    """R6.7."""

    stamina: Count = 3
    damage: Count = 2


class Weapon(Strict):
    """An active weapon: its modifier and range band (R17.7)."""

    name: Name = "weapon"
    type: AttackTypeName = "melee"
    bonus: Annotated[int, Field(ge=-9, le=9)] = 0
    range: Band | None = None  # none: melee reach of R9.13, ranged [1, 3], magic [0, 3]


class Abilities(Strict):
    """Levels of the three abilities."""

    might: Count = 2
    agility: Count = 2
    will: Count = 2


class Levels(Strict):
    """A number per ability, 0 where not said."""

    might: Count = 0
    agility: Count = 0
    will: Count = 0


class HeroSheet(Abilities):
    """A Hero board for its level."""

    blue: Positive = 8
    red: Positive | None = None  # none: ceil(blue / 2), ruling Q3
    taunt: Count = 1
    move: Move = Move()
    recover: Recover = Recover()
    evade: Count = 0
    fly: bool = False
    weapons: list[Weapon] | None = None  # none: a plain weapon of each type


class CompanionSheet(Abilities):
    """The card of a Non-Hero Ally (R18.1)."""

    health: Positive = 6
    taunt: Count = 1
    move: Count = 2
    recover: Count = 2
    colour: ColourName = "green"
    size: SizeName = "normal"
    evade: Count = 0
    fly: bool = False
    h_worth: Levels = Levels()  # R18.5: H faces that shield
    reroll_h: AbilityBits = []  # R18.5
    never_hindered: bool = False  # R18.5
    undying: bool = False  # R18.5: damage leaves it 1 health
    fury: Count = 0  # R18.5: damage added to its attacks at half health or less
    h_riposte: Count = 0  # R18.5: damage of each H face to an attacker within range 1


# ---- attacks and actions of Allies ----------------------------------------------------------
class Attack(Strict):
    """An attack of an Ally (section 9)."""

    type: AttackTypes = ["melee"]
    dice: Count = 2
    bonus: Annotated[int, Field(ge=-9, le=9)] = 0
    value: Count = 2  # fixed damage of a Non-Hero Ally (R9.9)
    range: Band | None = None  # none: the weapon's band
    shape: ShapeName = "single"
    targets: Annotated[int, Field(ge=1, le=16)] = 1
    radius: Count = 0
    length: Annotated[int, Field(ge=1, le=5)] = 3
    pierce: Count = 0
    double: bool = False
    condition: Conditions = []
    push: Count = 0
    pull: Count = 0
    drain: bool = False
    non_elite: bool = False
    ignore_aim: bool = False
    effect_only: bool = False


class Riposte(Strict):
    """R11.10."""

    amount: Count = 0
    range: Count | None = None
    type: AttackTypeName | None = None
    when: RiposteName = "always"


class TypeLevels(Strict):
    """A number per attack type, 0 where not said."""

    melee: Count = 0
    ranged: Count = 0
    magic: Count = 0


class Passive(Strict):
    """What works while stamina is locked on it (section 14)."""

    name: Name = "lock"
    need: Count = 1  # chips; 0 = works without (gear in use, skills)
    reactive: Levels = Levels()
    h_worth: Levels = Levels()
    reroll_h: AbilityBits = []
    evade: Count = 0
    move: Count = 0  # movement points added to move maneuvers
    dice: TypeLevels = TypeLevels()  # Action dice added to attacks
    mirror: bool = False
    revenge: bool = False
    fly: bool = False
    riposte: Riposte = Riposte()
    ends: bool = False  # once its Mirror, Revenge or Riposte has worked (R14.12)


class Help(Strict):
    """An amount for an Ally within range."""

    amount: Positive
    range: Count = 0


class Give(Strict):
    """A condition for an Ally within range."""

    condition: ConditionName
    range: Count = 0


class Afflict(Strict):
    """A condition for an Enemy within range."""

    condition: EnemyConditionName
    range: Count = 0


class Reach(Strict):
    """Somebody within range."""

    range: Count = 0


class Shove(Strict):
    """R7.49, R7.51: an Enemy within range is moved so many areas."""

    amount: Positive
    range: Count | None = None  # none: 1 for a push, its own distance for a pull (R7.50)


class Summon(Strict):
    """R18.7: a token of figures/ in an area within range."""

    figure: Name
    range: Count = 0


class Command(Strict):
    """A token on the map moves so many areas, then harms an Enemy beside it."""

    figure: Name
    move: Count = 0


class SummonAlly(Strict):
    """R18.6: a Non-Hero Ally of allies/ in an area within range."""

    ally: Name
    range: Count = 0


class Portal(Strict):
    """R7.45: a purple teleport token within range; reach = range of those who use it."""

    range: Count = 0
    reach: Count | None = None


class AttackDice(Strict):
    """R6.4, R18.5: more dice, or damage of a Non-Hero Ally, on attacks of a type this turn."""

    type: AttackTypeName
    amount: Positive = 1


class AbilityBonus(Strict):
    """A.4: levels added until the end of the round; `any`: the player picks one."""

    ability: Literal["might", "agility", "will", "any", "all"]
    amount: Positive = 1


class OneKey(Strict):
    """A mapping that names exactly one thing to do."""

    @model_validator(mode="after")
    def _one(self) -> OneKey:
        if len(self.model_fields_set) != 1:
            allowed = ", ".join(f.alias or n for n, f in type(self).model_fields.items())
            raise ValueError(f"exactly one key; allowed: {allowed}")
        return self


class Effect(OneKey):
    """One thing that an action does; the key names it (terms.Op)."""

    attack: Attack | None = None
    heal: Help | None = None
    restore: Help | None = None
    mixed: Help | None = None
    roll_heal: Help | None = None
    roll_restore: Help | None = None
    gain: Give | None = None
    afflict: Afflict | None = None
    move: Positive | None = None
    evade: Positive | None = None
    set_trap: Reach | None = None  # R19.9
    lock: Passive | None = None
    discard_one: Reach | None = None
    discard_all: Reach | None = None  # R12.19
    gem: Positive | None = None  # Achievement gems
    inspire: Positive | None = None  # Inspiration gems
    jump: Reach | None = None  # R7.30
    teleport: Reach | None = None  # R7.38
    push: Shove | None = None
    pull: Shove | None = None
    drain: Help | None = None  # R9.31
    damage: Help | None = None  # R2.13: to an Enemy, no attack
    defeat: Reach | None = None  # R10.42: not an Elite one
    delay: Reach | None = None  # R15.10
    summon: Summon | None = None
    command: Command | None = None
    summon_ally: SummonAlly | None = None
    portal: Portal | None = None
    maneuver: Positive | None = None  # R6.3
    unwound: Reach | None = None  # R13.7
    revive: Reach | None = None  # R13.9
    attack_dice: AttackDice | None = None
    ability: AbilityBonus | None = None


class ActionCard(Strict):
    """An action token of a Hero, or an action of a Non-Hero Ally."""

    name: Name
    text: Text = "-"
    colour: ColourName = "green"
    cost: Count = 0  # stamina (R9.6)
    gem: Count = 0  # Inspiration gems (R16.2)
    special: Specials = []
    maneuver: bool = False  # done as a maneuver, beside the action (R6.4, R18.5)
    once: bool = False  # once in a scenario
    effects: list[Effect] = []


# ---- Enemies --------------------------------------------------------------------------------
class OrElse(Strict):
    """R10.34: an active check of each affected Ally; on failure it suffers the rest."""

    ability: AbilityNames  # several: the player picks one (R3.10)
    number: Positive
    condition: Conditions = []
    damage: Count = 0


class Strike(Strict):
    """An attack of an Enemy (section 10)."""

    type: AttackTypeName = "melee"
    value: Count | None = None  # none: the attack causes no damage
    ability: AbilityName = "might"
    loss: bool = False
    range: Count | None = None
    area: Count | None = None
    target: Annotated[int, Field(ge=1, le=6)] = 1
    condition: Conditions = []
    push: Count = 0
    pull: Count = 0
    drain: bool = False
    or_else: OrElse | None = None


class Spawn(Strict):
    """R10.47: figures of a type in the spawner's own area."""

    type: Name
    amount: Positive = 1


class Heal(Strict):
    """Health regained: a number, or all of it."""

    amount: Positive | Literal["full"] = 1


class Horns(Strict):
    """R10.7, R10.37: additions to the action in use."""

    move: Count = 0
    value: Count = 0
    range: Count = 0
    area: Count = 0
    condition: Conditions = []
    drain: bool = False
    push: Count = 0
    pull: Count = 0
    target: Count = 0
    fly: bool = False
    heal: Annotated[Heal, _keyed("amount")] | None = None
    self_damage: Count = Field(default=0, alias="self")
    spawn: Spawn | None = None
    set_trap: Reach | None = None  # R10.38
    teleport: Count = 0  # R10.37: areas, before the action
    snake: bool = False  # R10.37: its snake ability as well
    story_token: Count = 0  # R10.37: tokens put on the Story card
    perform: Name | None = None  # R10.37: what the card says under this name as well


class Snake(Horns):
    """R10.6: as horns, and an attack made first from where the Enemy stands."""

    attack: Strike | None = None


class EnemyAction(Strict):
    """What an Enemy does under one eye symbol (R10.4)."""

    move: Count = 0
    attack: Strike | None = None
    horns: Horns | None = None


PLAIN = EnemyAction(move=2, attack=Strike(type="melee", value=3, ability="might"))


class EnemyActions(Strict):
    """The three actions of an Enemy card."""

    staring: EnemyAction = PLAIN
    open: EnemyAction = PLAIN
    closed: EnemyAction = PLAIN


class Health(Strict):
    """R10.1."""

    base: Count = 0
    per_hero: Count = 0


class Burst(Strict):
    """Harm to every Ally within range of a fallen Enemy, without a check (R2.13)."""

    damage: Count = 0
    range: Count = 0
    condition: ConditionName | None = None


class Defeat(Strict):
    """R10.40, R10.41: an item or token left, and what else happens."""

    leave: Name | None = None
    burst: Burst | None = None
    spawn: Spawn | None = None
    set_trap: Reach | None = None


class EnemySheet(Strict):
    """An Enemy card (R1.7)."""

    colour: ColourName = "red"
    health: Annotated[Health, _keyed("base")] = Health(base=5)
    shield: Count = 0
    provoke: Count = 0
    provoke_range: Count = 0
    provoke_loss: bool = False
    size: SizeName = "normal"
    tags: list[Name] = []
    fly: bool = False
    mirror: bool = False
    revenge: bool = False
    actions: EnemyActions = EnemyActions()
    snake: Snake | None = None
    abilities: dict[Name, Horns] = {}  # R10.37: what horns and snake may name
    defeat: Defeat | None = None
    supply: Annotated[int, Field(ge=1, le=16)] = 6  # printed figures (ruling Q18)

    def additions(self, part: Horns | None) -> list[Horns]:
        """R10.37 - horns or snake, and the ability that they name."""
        named = part and part.perform
        return [x for x in (part, self.abilities.get(named) if named else None) if x]


class EnemyCard(EnemySheet):
    """The Enemy card of a rule case, which names its type."""

    type: Name = "rat"


# ---- decks ----------------------------------------------------------------------------------
BAR = re.compile(
    r"(?:h(?P<hero>[RBG])(?P<bonus>\+?)|e(?P<enemy>[RBG])-(?P<eye>[SOC])(?:-(?P<s>[sh]+))?)"
)
COLOUR_LETTERS: dict[str, ColourName] = {"R": "red", "B": "blue", "G": "green"}
EYE_LETTERS: dict[str, EyeName] = {"S": "staring", "O": "open", "C": "closed"}
BAR_HELP = "a bar is such as hR, hR+ (bonus maneuver), eG-C, eG-C-h, eG-C-s or eG-C-sh"


class Bar(Strict):
    """A bar of an Initiative card (R5.9, R5.10); in a file such as hR+ or eG-C-sh."""

    enemy: bool
    colour: ColourName
    bonus: bool = False
    eye: EyeName = "open"
    horns: bool = False
    snake: bool = False

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        match = BAR.fullmatch(value.strip())
        if match is None or len(set(match["s"] or "")) != len(match["s"] or ""):
            raise ValueError(f"{value!r} is not a bar; {BAR_HELP}")
        if match["hero"]:
            colour = COLOUR_LETTERS[match["hero"]]
            return {"enemy": False, "colour": colour, "bonus": bool(match["bonus"])}
        suffix = match["s"] or ""
        return {
            "enemy": True,
            "colour": COLOUR_LETTERS[match["enemy"]],
            "eye": EYE_LETTERS[match["eye"]],
            "horns": "h" in suffix,
            "snake": "s" in suffix,
        }


class InitiativeCard(Strict):
    """Six bars (R5.8); in a file a list, or text with commas; `*` at either end = Shuffle."""

    bars: Annotated[list[Bar], Field(min_length=6, max_length=6)]
    shuffle: bool = False

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        if isinstance(value, list):
            return {"bars": value}
        if not isinstance(value, str):
            return value
        return {"bars": value.strip(" *").split(","), "shuffle": "*" in value}

    @model_validator(mode="after")
    def _each_once(self) -> InitiativeCard:
        if len({(bar.enemy, bar.colour) for bar in self.bars}) != 6:
            raise ValueError("each of hR hB hG eR eB eG stands once on a card")
        return self


class InitiativeDeck(Strict):
    """R5.12."""

    cards: Annotated[list[InitiativeCard], Field(min_length=1, max_length=20)]


class FateDeck(Strict):
    """R19.6, ruling Q28."""

    values: Annotated[list[Count], Field(min_length=1, max_length=20)]


class InjuryCard(Strict):
    """R13.14, ruling Q24."""

    name: Name
    text: Text = "-"
    dice: Levels = Levels()
    move: Count = 0
    recover: Count = 0


class InjuryDeck(Strict):
    """R13.14."""

    cards: Annotated[list[InjuryCard], Field(min_length=1, max_length=12)]


class Check(Strict):
    """An active check (R3.9)."""

    ability: AbilityNames  # several: the player picks one (R3.10)
    number: Positive


class TrapCard(Strict):
    """R19.8, rulings Q24 and Q45."""

    name: Name = "trap"
    text: Text = "-"
    damage: Count = 0
    condition: Conditions = []
    check: Check | None = None


class TrapDeck(Strict):
    """R19.8."""

    cards: Annotated[list[TrapCard], Field(min_length=1, max_length=12)]


# ---- packs ----------------------------------------------------------------------------------
class Rulings(Strict):
    """Numbers of the ruleset that rulings settle; the defaults are those of the rulebook."""

    action_die: Annotated[list[Literal[0, 1, 2, "X", "S"]], Field(min_length=6, max_length=6)] = [
        *(1, 1, 2),
        *("X", "S", "S"),
    ]
    reaction_die: Annotated[list[Literal[0, 1, 2, "H"]], Field(min_length=6, max_length=6)] = [
        *(0, 0, 1),
        *(1, 2, "H"),
    ]
    disarm: Positive = 6
    climb: Positive = 4
    rope: Positive = 5
    fall_value: Count = 4
    fall_damage_enemy: Count = 2
    fall_ability: AbilityName = "agility"
    fall_condition: ConditionName = "slowed"
    dominated_damage: Count = 2
    dominated_range: Count = 2
    bad_rest: Count = 2
    focus_colour: ColourName = "green"  # Q30
    extra_maneuver_colour: ColourName = "red"


class PackCard(Strict):
    """pack.yaml."""

    name: Name
    version: Name
    text: Text = "-"
    rulings: Rulings = Rulings()


class MoreRecover(Strict):
    """Added to the recover maneuver (R6.7)."""

    stamina: Count = 0
    damage: Count = 0


class Skill(Strict):
    """A class skill (R20.3): what always works, and what a maneuver buys."""

    name: Name
    text: Text
    passive: Passive | None = None  # its need is 0
    rerolls: Count = 0  # rolls made again as a whole, per scenario (R3.8)
    ignore_aim: Annotated[list[AttackTypeName], BeforeValidator(listed)] = []  # R9.22
    two_weapons: bool = False  # R17.9
    tactics: bool = False  # R5.6
    disarm: bool = False  # R19.7
    carry: Count = 0  # R17.3
    recover: MoreRecover = MoreRecover()
    maneuver: list[Effect] = []  # R6.4
    once: bool = False  # of the maneuver: once in a scenario


class HeroClass(Strict):
    """R20.3: an action for each level from 2 to 5, and five skills."""

    name: Name
    text: Text
    actions: Annotated[list[ActionCard], Field(min_length=4, max_length=4)]
    skills: Annotated[list[Skill], Field(min_length=5, max_length=5)]


class Hero(HeroSheet):
    """A file of heroes/: the board at level 1, and what grows (R20)."""

    name: Name
    title: Name
    flavour: Text
    red: Positive | Annotated[list[Positive], Field(min_length=5, max_length=5)] | None = None  # type: ignore[assignment]
    hands: Literal[2, 4] = 2  # R17.1
    weapons: list[Weapon] = []  # natural ones; the others are items
    items: list[Name] = []  # taken along by default (R4.6)
    actions: Annotated[list[ActionCard], Field(min_length=1, max_length=6)]  # level 1
    growth: Annotated[list[ActionCard], Field(min_length=4, max_length=4)]  # common, levels 2 to 5
    classes: Annotated[list[HeroClass], Field(min_length=2, max_length=2)]


class AllyCard(CompanionSheet):
    """A file of allies/: a Non-Hero Ally (R18.1); actions, those `maneuver: true` on the right."""

    name: Name
    flavour: Text
    actions: Annotated[list[ActionCard], Field(min_length=1, max_length=6)]


class FigureCard(Strict):
    """A file of figures/: a summoned token (R18.7) or a pet (R18.8)."""

    name: Name
    text: Text
    pet: bool = False
    fly: bool = False
    move: Count = 0
    harm: Count = 0  # to an Enemy beside it, when commanded
    harm_leaving: Count = 0  # to Enemies that leave its area (R18.8)


class ItemWeapon(Strict):
    """What an item is as a weapon (R17.6, R17.7)."""

    type: AttackTypeName
    bonus: Annotated[int, Field(ge=-9, le=9)] = 0
    range: Band | None = None
    takes: Annotated[list[RiderName], BeforeValidator(listed)] = []


class ItemRider(Strict):
    """What serves one attack, named before its roll (R17.6)."""

    kind: RiderName
    dice: Count = 0
    bonus: Count = 0
    pierce: Count = 0
    condition: Annotated[list[EnemyConditionName], BeforeValidator(listed)] = []


class Opening(Strict):
    """R15.9: at the start of phase 3 it gives a special initiative."""

    special: SpecialName = "first"
    cost: Count = 0


class ItemCard(Strict):
    """An item (section 17). `effects` work when it is used; it is discarded unless `kept`."""

    name: Name
    text: Text
    wear: WearName = "none"
    hands: Literal[0, 1, 2] = 0
    weight: Count = 1
    carry: Count = 0
    weapon: ItemWeapon | None = None
    rider: ItemRider | None = None
    passive: Passive | None = None
    boost: Levels = Levels()  # on a reactive check, for discarding it
    boost_active: Levels = Levels()  # on an active check
    opening: Opening | None = None
    effects: list[Effect] = []
    maneuver: bool = False
    kept: bool = False  # works once a scenario and stays
    own: bool = False  # Hero-specific
    rope: bool = False  # Hook & Rope
    armour_rune: bool = False  # works only with armour that has a slot for it (R17.6)
    rune_slot: bool = False  # armour with such a slot
    pet: Name | None = None  # of figures/


class ItemCards(Strict):
    """A file of items/: cards by the names under which heroes and scenarios know them."""

    items: dict[Name, ItemCard]


class Enemy(Strict):
    """A file of enemies/: the Enemy card and what people read."""

    name: Name
    flavour: Text
    card: EnemySheet


class DrawnArea(AreaSheet):
    """An area of a drawn map, by its letter."""

    name: Name


class DrawnMap(Strict):
    """A map drawn as text: each letter a cell of its area, `.` outside."""

    rows: Annotated[
        list[str], BeforeValidator(lambda v: v.split("\n") if isinstance(v, str) else v)
    ]
    areas: dict[Annotated[str, Field(min_length=1, max_length=1)], DrawnArea]
    borders: list[BorderCard] = []  # single where nothing is said
    ropes: list[Annotated[list[str], Field(min_length=2, max_length=2)]] = []


class Placement(Strict):
    """Enemies placed at set-up if the party is large enough."""

    type: Name
    area: Name
    amount: Positive = 1
    min_heroes: Annotated[int, Field(ge=1, le=4)] = 1
    max_heroes: Annotated[int, Field(ge=1, le=4)] = 4


class Goal(Strict):
    """R19.12."""

    kind: Literal[
        "defeat_all", "defeat_type", "hold", "reach", "collect", "escort", "disarm", "advance"
    ]
    type: Name | None = None
    item: Name | None = None
    ally: Name | None = None
    number: Count = 0
    areas: list[Name] = []

    @model_validator(mode="after")
    def _complete(self) -> Goal:
        needs = {
            "defeat_type": "type number",
            "hold": "number",
            "reach": "areas",
            "collect": "item number",
            "escort": "ally areas",
            "disarm": "number",
            "advance": "number",
        }
        missing = [key for key in needs.get(self.kind, "").split() if not getattr(self, key)]
        if missing:
            raise ValueError(f"objective {self.kind} needs {' and '.join(missing)}")
        return self


class Timer(Strict):
    """R19.1 to R19.4."""

    round: Positive = 1
    target: Positive
    repeats: bool = False


class Reinforce(Strict):
    """Enemies that arrive."""

    type: Name
    area: Name
    amount: Positive = 1
    per_hero: bool = False


class Placed(Strict):
    """An item that comes to lie in an area."""

    item: Name
    area: Name


class Turned(Strict):
    """A teleport token turned to its active or inactive side (R7.45)."""

    area: Name
    active: bool = True


class Joins(Strict):
    """A Non-Hero Ally of the scenario that appears in an area."""

    ally: Name
    area: Name


class Fortify(Strict):
    """Every standing Enemy of a type heals."""

    type: Name
    amount: Positive


class Consequence(OneKey):
    """What an event or story section does; the key names it (terms.Op)."""

    reinforce: Reinforce | None = None
    trap: Name | None = None
    item: Placed | None = None
    activate: Turned | None = None
    start_timer: Positive | None = None
    stop_timer: Literal[True] | None = None
    advance: Positive | None = None
    give_gem: Positive | None = None
    harm: Positive | None = None  # the Ally that set the section off
    cure: Positive | None = None
    affect: ConditionName | None = None
    join: Joins | None = None
    fortify: Fortify | None = None
    fail: Literal[True] | None = None
    succeed: Literal[True] | None = None


class Section(Strict):
    """R19.11: a story section at its story point.

    entry: an Ally enters; sight: an Ally is within range with sight, compulsory; choice: a Hero
    within range with sight may use it in its turn.
    """

    text: Text
    area: Name
    trigger: Literal["entry", "sight", "choice"] = "entry"
    range: Count | None = None  # none = infinite
    repeats: bool = False
    maneuver: bool = False
    check: Check | None = None
    effects: list[Consequence] = []
    failed: list[Consequence] = []

    @model_validator(mode="after")
    def _fits_trigger(self) -> Section:
        if self.trigger == "sight" and self.repeats:
            raise ValueError("a section on sight is read once: repeats is for entry and choice")
        if self.trigger != "choice" and self.maneuver:
            raise ValueError(f"a section on {self.trigger} costs no maneuver; choice may")
        if self.failed and self.check is None:
            raise ValueError("failed without a check never happens")
        return self


class EventCard(Strict):
    """A scenario event: `number` = the round, how many of `type` are defeated, or tokens."""

    when: Literal["round", "timer", "defeat", "story", "tokens"]
    text: Text = "-"
    number: Count = 0
    type: Name | None = None
    section: Name | None = None
    effects: Annotated[list[Consequence], Field(min_length=1)]

    @model_validator(mode="after")
    def _complete(self) -> EventCard:
        if self.when in ("round", "defeat", "tokens") and not self.number:
            raise ValueError(f"an event when: {self.when} needs number")
        if self.when == "defeat" and not self.type:
            raise ValueError("an event when: defeat needs type")
        if self.when == "story" and not self.section:
            raise ValueError("an event when: story needs section")
        return self


class Companion(Strict):
    """A Non-Hero Ally of the scenario; `joins`: an event or section brings it."""

    ally: Name
    area: Name | None = None
    joins: bool = False


class Difficulty(Strict):
    """What a difficulty level changes, and the win rate it aims at for a sensible party.

    Numbers are added: health to every Enemy, per_hero to its health per Hero, value to every attack
    that has one, rounds to the last round, timer to the timer's sum, gems (Achievement) to every
    Hero; `setup` places more Enemies.
    """

    target: Annotated[float, Field(ge=0.0, le=1.0)]
    health: Annotated[int, Field(ge=-9, le=9)] = 0
    per_hero: Annotated[int, Field(ge=-5, le=5)] = 0
    value: Annotated[int, Field(ge=-3, le=3)] = 0
    shield: Annotated[int, Field(ge=-1, le=1)] = 0
    rounds: Annotated[int, Field(ge=-9, le=9)] = 0
    timer: Annotated[int, Field(ge=-9, le=9)] = 0
    gems: Count = 0
    inspiration: Count = 0
    setup: list[Placement] = []


DIFFICULTIES: tuple[DifficultyName, ...] = ("easy", "normal", "hard", "brutal")


class Scenario(Strict):
    """A file of scenarios/."""

    name: Name
    text: Text
    map: DrawnMap
    start: Name
    apart: dict[Name, Name] = {}  # R4.2: Heroes that start in another area
    heroes: Annotated[list[Name], Field(min_length=1)]
    setup: Annotated[list[Placement], Field(min_length=1)]
    objective: Goal
    last_round: Count = 0
    timer: Timer | None = None
    events: list[EventCard] = []
    health: dict[str, Health] = {}  # R10.3: other health here than on the Enemy's card
    bad_rest: bool = False
    stories: dict[str, Text] = {}  # sections of areas that only tell something
    sections: dict[str, Section] = {}
    allies: list[Companion] = []
    difficulty: dict[DifficultyName, Difficulty] = {}  # none: normal alone
    level: Annotated[int, Field(ge=1, le=5)] = 1  # of the Heroes it is made for


class Stage(Strict):
    """One scenario of a gauntlet; `rest` heals the party before it (R19.12)."""

    scenario: Name
    level: Annotated[int, Field(ge=1, le=5)] = 1
    rest: bool = False


class Gauntlet(Strict):
    """A file of gauntlets/: scenarios that one party plays one after another (R4.7)."""

    name: Name
    text: Text
    stages: Annotated[list[Stage], Field(min_length=1, max_length=12)]
