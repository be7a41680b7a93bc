"""What a file of a HexDungeon pack may say: one model per thing, unknown keys refused.

A line of a card is a mapping: one key names what is done and how much of it (`attack: 3`), the
others how. Rule numbers are those of docs/hex-rules.md.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from ...reading import STRICT, listed
from ..layout import (
    MOST_CELLS,
    MOST_LINE_EFFECTS,
    MOST_LINES,
    MOST_LINES_OF_HALF,
    MOST_REACH,
    N_HAND,
    N_HEROES,
    N_MONSTER_CARDS,
    N_SPACES,
)

LEVELS = (0, 1, 2, 3)  # of a scenario
FEWEST_CARDS = 9  # of a hand

HarmName = Literal["poison", "wound", "immobilize", "disarm", "stun", "muddle"]
ConditionName = Literal[HarmName, "invisible", "strengthen"]
ElementName = Literal["fire", "ice", "air", "earth", "light", "dark"]
GivenName = Literal[ConditionName, "bless", "curse"]
WordName = Literal[HarmName, ElementName, "curse"]
ServeName = Literal["self", "ally", "allies", "party", "enemies", "enemy"]
TriggerName = Literal["none", "attacks", "attacked", "attack_action", "damage"]
RankName = Literal["none", "normal", "elite"]
Count = Annotated[int, Field(ge=0, le=99)]
Few = Annotated[int, Field(ge=0, le=9)]
Positive = Annotated[int, Field(ge=1, le=99)]
Added = Annotated[int, Field(ge=-9, le=9)]
Reach = Annotated[int, Field(ge=1, le=MOST_REACH)]
Initiative = Annotated[int, Field(ge=1, le=99)]
Name = Annotated[str, Field(min_length=1, max_length=40)]
Text = Annotated[str, Field(min_length=1, max_length=600)]
Step = Annotated[int, Field(ge=-9, le=9)]
Targets = Annotated[int, Field(ge=1, le=9)] | Literal["all"]
Harms = Annotated[list[HarmName], BeforeValidator(listed)]


class Strict(BaseModel):
    """No unknown keys, no silent conversion of values, never changed after reading."""

    model_config = STRICT


def _named(value: Any) -> Any:
    """`poison` stands for {name: poison}, `push: 2` for {name: push, amount: 2}."""
    if isinstance(value, str):
        return {"name": value}
    if isinstance(value, dict) and len(value) == 1 and set(value) <= {"push", "pull"}:
        ((name, amount),) = value.items()
        return {"name": name, "amount": amount}
    return value


class AttackEffect(Strict):
    """What an attack does to its target beside damage (G7.8); in a file a word, or {push: 2}."""

    name: WordName | Literal["push", "pull"]
    amount: Few = 0

    @model_validator(mode="after")
    def _has_its_amount(self) -> AttackEffect:
        if (self.name in ("push", "pull")) != (self.amount > 0):
            raise ValueError("push and pull have an amount, {push: 1}; other effects have none")
        return self


Effects = Annotated[
    list[Annotated[AttackEffect, BeforeValidator(_named)]],
    BeforeValidator(listed),
    Field(max_length=MOST_LINE_EFFECTS),
]


class Bonus(Strict):
    """An active bonus (G11); `spaces` and `trigger` go together (G11.3)."""

    spaces: Annotated[int, Field(ge=0, le=N_SPACES)] = 0
    trigger: TriggerName = "none"
    to: Literal["self", "allies", "party"] = "self"
    only: Literal["both", "melee", "ranged"] = "both"
    attack: Added = 0
    advantage: Few = 0
    disadvantage: Few = 0
    pierce: Few = 0
    conditions: Harms = []
    shield: Few = 0
    retaliate: Few = 0
    range: Reach = 1  # of retaliate
    negate: bool = False  # the source of damage (G11.8)
    xp: Annotated[list[Few], Field(max_length=N_SPACES)] = []  # of each space (G11.6)

    @model_validator(mode="after")
    def _fits(self) -> Bonus:
        if (self.spaces > 0) != (self.trigger != "none"):
            raise ValueError("spaces and trigger go together: both, or neither")
        if self.xp and len(self.xp) != self.spaces:
            raise ValueError(f"xp: {len(self.xp)} numbers for {self.spaces} spaces")
        if self.negate != (self.trigger == "damage"):
            raise ValueError("negate and trigger: damage go together: both, or neither")
        given = self.model_fields_set - {"spaces", "trigger", "to", "only", "range", "xp"}
        if not given:
            raise ValueError("does nothing; give it attack, shield, retaliate, negate, ...")
        if "range" in self.model_fields_set and not self.retaliate:
            raise ValueError("range goes with retaliate")
        return self


# Which other keys a line may have, by the key that names what is done
HOW = {
    "move": ("jump",),
    "attack": ["range", "targets", "template", "add_target", "pierce", "advantage", "effects"],
    "heal": ("range", "to"),
    "shield": (),
    "retaliate": ("range",),
    "affect": ("range", "to"),
    "suffer": ("range", "to"),
    "push": ("range",),
    "pull": ("range",),
    "loot": (),
    "summon": (),
    "infuse": (),
    "recover": (),
    "round": (),
    "persistent": (),
}
EVERYWHERE = ("xp",)


class Line(Strict):
    """What the lines of characters' and monsters' cards have in common."""

    heal: Positive | None = None  # G8.14
    affect: Annotated[list[GivenName], BeforeValidator(listed)] | None = None  # G10
    suffer: Positive | None = None  # damage that is no attack's
    push: Positive | None = None  # without an attack (G9)
    pull: Positive | None = None
    infuse: Annotated[list[ElementName], BeforeValidator(listed)] | None = None  # G7.9
    # how
    range: Annotated[int, Field(ge=0, le=9)] = 0  # 0 = melee, or oneself
    targets: Targets | None = None  # G6.1
    template: Name | None = None  # of templates.yaml (G5)
    add_target: Few = 0  # G6.5
    pierce: Few = 0
    advantage: bool = False
    effects: Effects = []
    jump: bool = False  # G12.6
    to: ServeName | None = None

    @classmethod
    def verbs(cls) -> list[str]:
        """Keys that name what is done."""
        return [verb for verb in HOW if verb in cls.model_fields]

    @property
    def verb(self) -> str:
        """The key that names what is done."""
        return next(verb for verb in self.verbs() if getattr(self, verb) is not None)

    @model_validator(mode="after")
    def _fits(self) -> Line:
        verbs = [verb for verb in self.verbs() if getattr(self, verb) is not None]
        if len(verbs) != 1:
            raise ValueError(f"does exactly one of: {', '.join(self.verbs())}")
        allowed = [key for key in (*HOW[verbs[0]], *EVERYWHERE) if key in type(self).model_fields]
        for key in sorted(self.model_fields_set - {verbs[0], *allowed}):
            raise ValueError(
                f"{key} does not go with {verbs[0]}; allowed: {', '.join(allowed) or 'nothing'}"
            )
        if self.template is not None and self.targets is not None:
            raise ValueError("targets does not go with a template; add_target does")
        if self.template is None and self.add_target:
            raise ValueError("add_target goes with a template; without one give targets")
        return self._serves(verbs[0])

    def _serves(self, verb: str) -> Line:
        """Whom it is for."""
        allowed = {
            "heal": ("self", "ally", "allies", "party"),
            "affect": ("self", "ally", "allies", "party", "enemies", "enemy"),
            "suffer": ("enemies", "enemy"),
        }.get(verb, ())
        if self.to is not None and self.to not in allowed:
            raise ValueError(f"to: {self.to} not with {verb}; allowed: {', '.join(allowed)}")
        if self.served == "self" and self.range:
            raise ValueError("to: self has no range")
        if verb in ("heal", "affect", "suffer") and self.served != "self" and not self.range:
            raise ValueError(f"to: {self.served} needs a range")
        return self

    @property
    def served(self) -> ServeName | None:
        """Whom it is for: said by `to`, or by the range."""
        if self.to is not None:
            return self.to
        if self.verb == "suffer":
            return "enemies"
        if self.verb in ("heal", "affect"):
            return "ally" if self.range else "self"
        return "enemy" if self.verb in ("push", "pull") else None


class HeroLine(Line):
    """A line of a character's card."""

    move: Positive | None = None  # G12.1
    attack: Positive | None = None
    loot: Positive | None = None  # the range (G3.6)
    summon: Name | None = None  # of the class (G11.18)
    recover: Literal[1] | None = None  # a lost card (G11.14)
    round: Bonus | None = None  # an active bonus until the end of the round
    persistent: Bonus | None = None
    xp: Few = 0  # if the line was used


class MonsterLine(Line):
    """A line of a monster's card: move and attack are added to the figure's own (G3.9)."""

    move: Added | None = None
    attack: Added | None = None
    shield: Positive | None = None  # until the end of the round (G8.4)
    retaliate: Positive | None = None


HALF_HELP = "half is a list of lines, with `loss` or {xp: 1} among them where they apply"


class Half(Strict):
    """Half a card; in a file a list of lines, `loss`, and {xp: 1} of the whole half."""

    lines: Annotated[list[HeroLine], Field(min_length=1, max_length=MOST_LINES_OF_HALF)]
    loss: bool = False  # G14.3
    xp: Few = 0

    @model_validator(mode="before")
    @classmethod
    def _from_list(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        half: dict[str, Any] = {"lines": [], "loss": "loss" in value}
        for part in value:
            if isinstance(part, dict) and set(part) == {"xp"}:
                half["xp"] = half.get("xp", 0) + part["xp"]
            elif part != "loss":
                half["lines"].append(part)
        return half

    @model_validator(mode="after")
    def _one_card_in_play(self) -> Half:
        verbs = [line.verb for line in self.lines]
        if sum(verb in ("round", "persistent", "summon") for verb in verbs) > 1:
            raise ValueError("a half has one of round, persistent, summon at most")
        return self


class AbilityCard(Strict):
    """An ability card of a character (G14.1)."""

    name: Name
    initiative: Initiative
    top: Half
    bottom: Half


class Stats(Strict):
    """A stat card: of a monster, normal or elite, or of a summon."""

    hit_points: Positive
    move: Few = 0
    attack: Few = 0
    range: Few = 0  # 0 = melee
    targets: Targets = 1
    pierce: Few = 0
    advantage: bool = False
    conditions: Harms = []  # of every attack
    shield: Few = 0
    retaliate: Few = 0
    retaliate_range: Reach = 1
    flying: bool = False
    immune: Annotated[list[ConditionName], BeforeValidator(listed)] = []  # G10.14


class Summon(Stats):
    """A summon of a class (G13.2)."""

    name: Name


class HeroClass(Strict):
    """A file of classes/: a character of the first level and its hand."""

    name: Name
    text: Text
    hit_points: Positive
    summons: dict[Name, Summon] = {}
    cards: Annotated[list[AbilityCard], Field(min_length=FEWEST_CARDS, max_length=N_HAND)]

    @model_validator(mode="after")
    def _cards_differ(self) -> HeroClass:
        names = [card.name for card in self.cards]
        twins = sorted({name for name in names if names.count(name) > 1})
        if twins:
            raise ValueError(f"cards: two cards are called {', '.join(twins)}")
        return self


class Ranks(Strict):
    """Stat cards of one scenario level."""

    normal: Stats
    elite: Stats


class MonsterCard(Strict):
    """A card of a monster's ability deck (G13.3)."""

    name: Name
    initiative: Initiative
    shuffle: bool = False  # the deck is shuffled at the end of the round
    lines: Annotated[list[MonsterLine], Field(max_length=MOST_LINES_OF_HALF)]


class Monster(Strict):
    """A file of monsters/."""

    name: Name
    text: Text
    flying: bool = False
    immune: Annotated[list[ConditionName], BeforeValidator(listed)] = []
    levels: Annotated[list[Ranks], Field(min_length=len(LEVELS), max_length=len(LEVELS))]
    cards: Annotated[
        list[MonsterCard], Field(min_length=N_MONSTER_CARDS, max_length=N_MONSTER_CARDS)
    ]


class Template(Strict):
    """An area of an attack (G5): red hexes, as steps [q, r] from the own hex or from the first."""

    origin: Literal["self", "free"]
    hexes: Annotated[
        list[Annotated[list[Step], Field(min_length=2, max_length=2)]],
        Field(min_length=1, max_length=MOST_CELLS),
    ]

    @model_validator(mode="after")
    def _differ(self) -> Template:
        steps = [tuple(step) for step in self.hexes]
        if len(set(steps)) < len(steps):
            raise ValueError("hexes: one is given twice")
        if self.origin == "self" and (0, 0) in steps:
            raise ValueError("hexes: [0, 0] is the own hex")
        return self


class Templates(Strict):
    """templates.yaml."""

    templates: dict[Name, Template]


class Trap(Strict):
    """A trap of its own kind (G12.4); `level` = 2 + the scenario level."""

    damage: Count | Literal["level"] = 0
    conditions: Harms = []


class Symbol(Strict):
    """What a letter of a map stands for: a monster, or a trap."""

    monster: Name | None = None
    heroes: Annotated[list[RankName], Field(min_length=N_HEROES, max_length=N_HEROES)] | None = (
        None  # which one comes with 1, 2, 3, 4 characters
    )
    trap: Trap | None = None

    @model_validator(mode="after")
    def _one(self) -> Symbol:
        if (self.monster is None) == (self.trap is None):
            raise ValueError("is a monster or a trap: give one of these keys")
        if (self.monster is None) != (self.heroes is None):
            raise ValueError("monster and heroes go together, [none, normal, normal, elite]")
        return self


class Goal(Strict):
    """What wins a scenario (terms.Goal)."""

    kind: Literal["defeat", "survive", "reach", "loot"]
    number: Count = 0  # of rounds, or of loot tokens

    @model_validator(mode="after")
    def _has_its_number(self) -> Goal:
        if (self.kind in ("survive", "loot")) != (self.number > 0):
            raise ValueError("number goes with survive (rounds) and loot (tokens), and only there")
        return self


class WallLine(Strict):
    """Edges of a hex that nothing crosses (G4.2); rows count from the bottom, from 0."""

    column: Count
    row: Count
    edges: Annotated[list[Annotated[int, Field(ge=0, le=5)]], Field(min_length=1, max_length=6)]


Letter = Annotated[str, Field(pattern="^[A-Za-z]$")]


class Scenario(Strict):
    """A file of scenarios/; docs/hexdungeon-packs.md says how its map is drawn."""

    name: Name
    text: Text
    map: str
    legend: dict[Letter, Symbol] = {}
    wall_lines: Annotated[list[WallLine], Field(max_length=MOST_LINES // 6)] = []
    goal: Goal
    last_round: Positive  # the scenario is lost after it


class PackCard(Strict):
    """pack.yaml."""

    name: Name
    version: Name
    text: Text
    party: Annotated[list[Name], Field(min_length=1)]  # classes: those who play if none are named
    scenarios: Annotated[list[Name], Field(min_length=1)]  # the easiest first
