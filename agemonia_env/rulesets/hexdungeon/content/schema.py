"""What a file of a HexDungeon pack may say: one model per thing, unknown keys refused.

A line of a card is a mapping: one key names what is done and how much of it (`attack: 3`), the
others how. Rule numbers are those of docs/hex-rules.md.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from agemonia_env.packs.folders import Strict as Strict
from agemonia_env.packs.folders import listed, on_one_line, printable

from ..core.layout import (
    MAX_CELLS,
    MAX_LINE_EFFECTS,
    MAX_LINES,
    MAX_LINES_OF_HALF,
    MAX_REACH,
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
GoalName = Literal["defeat", "survive", "reach", "loot"]
Count = Annotated[int, Field(ge=0, le=99)]
Few = Annotated[int, Field(ge=0, le=9)]
Positive = Annotated[int, Field(ge=1, le=99)]
Added = Annotated[int, Field(ge=-9, le=9)]
Reach = Annotated[int, Field(ge=1, le=MAX_REACH)]
Initiative = Annotated[int, Field(ge=1, le=99)]
Name = Annotated[str, Field(min_length=1, max_length=40), AfterValidator(on_one_line)]
Text = Annotated[str, Field(min_length=1, max_length=600), AfterValidator(printable)]
Step = Annotated[int, Field(ge=-9, le=9)]
Targets = Annotated[int, Field(ge=1, le=9)] | Literal["all"]
Harms = Annotated[list[HarmName], BeforeValidator(listed)]


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
    """`push` or `pull` with an amount (G9), a condition (G10), `curse`, or an element that is
    infused (G7.9)."""
    amount: Few = 0
    """Hexes of `push` and `pull`; nothing else has one."""

    @model_validator(mode="after")
    def _has_its_amount(self) -> AttackEffect:
        if (self.name in ("push", "pull")) != (self.amount > 0):
            raise ValueError("push and pull have an amount, {push: 1}; other effects have none")
        return self


Effects = Annotated[
    list[Annotated[AttackEffect, BeforeValidator(_named)]],
    BeforeValidator(listed),
    Field(max_length=MAX_LINE_EFFECTS),
]


class Bonus(Strict):
    """An active bonus (G11); `spaces` and `trigger` go together (G11.3)."""

    spaces: Annotated[int, Field(ge=0, le=N_SPACES)] = 0
    """How often it works before the card goes; 0: without a limit (G11.3)."""
    trigger: TriggerName = "none"
    """What uses up a space: attacks made, attacks suffered, attack actions, or sources of damage
    (G11.3)."""
    to: Literal["self", "allies", "party"] = "self"
    """Whom it is for: oneself, all allies, or both (G11)."""
    only: Literal["both", "melee", "ranged"] = "both"
    """Which attacks it is for (G11)."""
    attack: Added = 0
    """Added to the value of attacks made (G7.2)."""
    advantage: Few = 0
    """Sources of advantage for attacks made (G2)."""
    disadvantage: Few = 0
    """Sources of disadvantage for attacks made (G2)."""
    pierce: Few = 0
    """Shield points that attacks made ignore (G7.5)."""
    conditions: Harms = []
    """What attacks made add (G10)."""
    shield: Few = 0
    """Damage that attacks suffered lose (G8.1)."""
    retaliate: Few = 0
    """Damage to whoever attacks from within `range` (G8.8)."""
    range: Reach = 1
    """How near an attacker must be for `retaliate` (G8.8)."""
    negate: bool = False
    """Whether a source of damage is negated; goes with `trigger: damage` (G11.8)."""
    xp: Annotated[list[Few], Field(max_length=N_SPACES)] = []
    """Experience gained space by space (G11.6)."""

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

    heal: Positive | None = None
    """Heal: hit points regained (G8.14)."""
    affect: (
        Annotated[list[GivenName], BeforeValidator(listed), Field(max_length=MAX_LINE_EFFECTS)]
        | None
    ) = None
    """Affect: conditions, `bless` or `curse` (G10)."""
    suffer: Positive | None = None
    """Suffer: damage that is no attack's, and no shield lessens."""
    push: Positive | None = None
    """Push: one enemy away, without an attack (G9)."""
    pull: Positive | None = None
    """Pull: one enemy closer, without an attack (G9)."""
    infuse: (
        Annotated[list[ElementName], BeforeValidator(listed), Field(max_length=MAX_LINE_EFFECTS)]
        | None
    ) = None
    """Infuse: elements (G7.9)."""
    range: Annotated[int, Field(ge=0, le=9)] = 0
    """How far away; 0: melee, or oneself (G3.3, G3.5)."""
    targets: Targets | None = None
    """How many enemies are attacked; `all`: all within range (G6.1)."""
    template: Name | None = None
    """An area of `templates.yaml` that the attack covers (G5)."""
    add_target: Few = 0
    """Targets more than the template covers (G6.5)."""
    pierce: Few = 0
    """Shield points that the attack ignores (G7.5)."""
    advantage: bool = False
    """Whether the attack has advantage (G2)."""
    effects: Effects = []
    """What the attack adds (G7.8)."""
    jump: bool = False
    """Whether the move is a jump (G12.6)."""
    to: ServeName | None = None
    """Whom it is for: oneself, oneself or one ally, all allies, oneself and all allies, all
    enemies, one enemy. Not given: an ally if there is a range, else oneself; of `suffer` all
    enemies."""

    @classmethod
    def verbs(cls) -> list[str]:
        """Keys that name what is done."""
        return [verb for verb in HOW if verb in cls.model_fields]

    @classmethod
    def beside(cls, verb: str) -> list[str]:
        """Keys that a line with this verb may have as well."""
        return [key for key in (*HOW[verb], *EVERYWHERE) if key in cls.model_fields]

    @property
    def verb(self) -> str:
        """The key that names what is done."""
        return next(verb for verb in HOW if getattr(self, verb, None) is not None)

    @model_validator(mode="after")
    def _fits(self) -> Line:
        verbs = [verb for verb in self.verbs() if getattr(self, verb) is not None]
        if len(verbs) != 1:
            raise ValueError(f"does exactly one of: {', '.join(self.verbs())}")
        allowed = self.beside(verbs[0])
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

    move: Positive | None = None
    """Move: so many points (G12.1)."""
    attack: Positive | None = None
    """Attack: with this value (G7)."""
    loot: Positive | None = None
    """Loot: takes the tokens within this range (G3.6)."""
    summon: Name | None = None
    """Summon: one of the `summons` of the class (G11.18)."""
    recover: Literal[1] | None = None
    """Recover: takes back a lost card (G11.14)."""
    round: Bonus | None = None
    """Round: an active bonus until the end of the round (G11)."""
    persistent: Bonus | None = None
    """Persistent: an active bonus that lasts (G11)."""
    xp: Few = 0
    """Experience gained if the line was used."""


class MonsterLine(Line):
    """A line of a monster's card: move and attack are added to the figure's own (G3.9)."""

    move: Added | None = None
    """Move: added to the figure's own; without it the figure does not move (G13.3)."""
    attack: Added | None = None
    """Attack: added to the figure's own; without it the figure does not attack (G13.3)."""
    shield: Positive | None = None
    """Shield: until the end of the round (G8.4)."""
    retaliate: Positive | None = None
    """Retaliate: until the end of the round, with `range` (G8.4, G8.8)."""


HALF_HELP = "half is a list of lines, with `loss` or {xp: 1} among them where they apply"


class Half(Strict):
    """Half a card; in a file a list of lines, `loss`, and {xp: 1} of the whole half."""

    lines: Annotated[list[HeroLine], Field(min_length=1, max_length=MAX_LINES_OF_HALF)]
    """What is done, in order."""
    loss: bool = False
    """Whether the card is lost (G14.3); in a list the word `loss`."""
    xp: Few = 0
    """Experience for the half; in a list `{xp: 1}`."""

    @model_validator(mode="before")
    @classmethod
    def _from_list(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        xp = [part for part in value if isinstance(part, dict) and part.keys() == {"xp"}]
        if len(xp) > 1 or value.count("loss") > 1:
            raise ValueError(f"xp or loss is given twice; a {HALF_HELP}")
        lines = [part for part in value if part != "loss" and part not in xp]
        return {"lines": lines, "loss": "loss" in value, **(xp[0] if xp else {})}

    @model_validator(mode="after")
    def _one_card_in_play(self) -> Half:
        verbs = [line.verb for line in self.lines]
        if sum(verb in ("round", "persistent", "summon") for verb in verbs) > 1:
            raise ValueError("a half has one of round, persistent, summon at most")
        return self


class AbilityCard(Strict):
    """An ability card of a character (G14.1)."""

    name: Name
    """What people read; no two cards of a class have the same name."""
    initiative: Initiative
    """When its owner acts; low numbers first (G13.1)."""
    top: Half
    """The upper half (G14.2)."""
    bottom: Half
    """The lower half (G14.2)."""


class Stats(Strict):
    """A stat card: of a monster, normal or elite, or of a summon."""

    hit_points: Positive
    """Hit points of each figure."""
    move: Few = 0
    """Movement points, to which its card adds (G13.3)."""
    attack: Few = 0
    """Attack value, to which its card adds (G13.3)."""
    range: Few = 0
    """Range of its attacks; 0: melee (G3.9)."""
    targets: Targets = 1
    """How many enemies it attacks (G6.1)."""
    pierce: Few = 0
    """Shield points that its attacks ignore (G7.5)."""
    advantage: bool = False
    """Whether its attacks have advantage (G2)."""
    conditions: Harms = []
    """What its attacks add (G10)."""
    shield: Few = 0
    """Damage that attacks on it lose (G8.1)."""
    retaliate: Few = 0
    """Damage to whoever attacks it (G8.8)."""
    retaliate_range: Reach = 1
    """How near an attacker must be for that (G8.8)."""
    flying: bool = False
    """Whether it flies (G12.7)."""
    immune: Annotated[list[ConditionName], BeforeValidator(listed)] = []
    """Conditions that it cannot have (G10.14)."""


class Summon(Stats):
    """A summon of a class (G13.2)."""

    name: Name
    """What people read."""


class HeroClass(Strict):
    """A file of classes/: a character and its hand of cards."""

    name: Name
    """What people read."""
    text: Text
    """What people read about it."""
    hit_points: Positive
    """Hit points."""
    summons: dict[Name, Summon] = {}
    """Figures that lines with `summon` bring, by any name (G13.2)."""
    cards: Annotated[list[AbilityCard], Field(min_length=FEWEST_CARDS, max_length=N_HAND)]
    """The hand (G14.1)."""

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
    """The normal figure."""
    elite: Stats
    """The elite figure."""


class MonsterCard(Strict):
    """A card of a monster's ability deck (G13.3)."""

    name: Name
    """What people read."""
    initiative: Initiative
    """When all monsters of the type act; low numbers first (G13.1)."""
    shuffle: bool = False
    """Whether the deck is shuffled at the end of the round (G14.6)."""
    lines: Annotated[list[MonsterLine], Field(max_length=MAX_LINES_OF_HALF)]
    """What each figure does, in order; none: nothing."""


class Monster(Strict):
    """A file of monsters/: stat cards and an ability deck."""

    name: Name
    """What people read."""
    text: Text
    """What people read about it."""
    flying: bool = False
    """Whether it flies at every level (G12.7)."""
    immune: Annotated[list[ConditionName], BeforeValidator(listed)] = []
    """Conditions that it cannot have at any level (G10.14)."""
    levels: Annotated[list[Ranks], Field(min_length=len(LEVELS), max_length=len(LEVELS))]
    """Stat cards for the scenario levels 0 to 3."""
    cards: Annotated[
        list[MonsterCard], Field(min_length=N_MONSTER_CARDS, max_length=N_MONSTER_CARDS)
    ]
    """The ability deck; one card a round for all figures of the type (G13.1)."""


class Template(Strict):
    """An area of an attack (G5): red hexes, as steps [q, r] from the own hex or from the first."""

    origin: Literal["self", "free"]
    """`self`: steps count from the own hex, and the attack is melee; `free`: from the first red
    hex, within range (G5)."""
    hexes: Annotated[
        list[Annotated[list[Step], Field(min_length=2, max_length=2)]],
        Field(min_length=1, max_length=MAX_CELLS),
    ]
    """Red hexes as steps `[q, r]`, each -9 to 9: `[1, 0]` to the upper right, `[0, 1]` up (G5)."""

    @model_validator(mode="after")
    def _differ(self) -> Template:
        steps = [tuple(step) for step in self.hexes]
        if len(set(steps)) < len(steps):
            raise ValueError("hexes: one is given twice")
        if self.origin == "self" and (0, 0) in steps:
            raise ValueError("hexes: [0, 0] is the own hex")
        return self


class Templates(Strict):
    """templates.yaml: areas of attacks."""

    templates: dict[Name, Template]
    """Areas by the names that lines give in `template`."""


class Trap(Strict):
    """A trap of its own kind (G12.4); `level` = 2 + the scenario level."""

    damage: Count | Literal["level"] = 0
    """Damage; `level`: 2 + the scenario level (G12.4)."""
    conditions: Harms = []
    """What whoever springs it gains (G12.4)."""


class Symbol(Strict):
    """What a letter of a map stands for: a monster, or a trap."""

    monster: Name | None = None
    """A file of `monsters/`."""
    heroes: Annotated[list[RankName], Field(min_length=N_HEROES, max_length=N_HEROES)] | None = None
    """Which one comes with 1, 2, 3 and 4 characters."""
    trap: Trap | None = None
    """A trap of its own kind (G12.4)."""

    @model_validator(mode="after")
    def _one(self) -> Symbol:
        if (self.monster is None) == (self.trap is None):
            raise ValueError("is a monster or a trap: give one of these keys")
        if (self.monster is None) != (self.heroes is None):
            raise ValueError("monster and heroes go together, [none, normal, normal, elite]")
        return self


class Goal(Strict):
    """What wins a scenario (terms.Goal)."""

    kind: GoalName
    """`defeat`: all monsters; `survive`: `number` rounds; `reach`: everybody left on an exit;
    `loot`: `number` tokens."""
    number: Count = 0
    """Rounds of `survive`, tokens of `loot`."""

    @model_validator(mode="after")
    def _has_its_number(self) -> Goal:
        if (self.kind in ("survive", "loot")) != (self.number > 0):
            raise ValueError("number goes with survive (rounds) and loot (tokens), and only there")
        return self


class WallLine(Strict):
    """Edges of a hex that nothing crosses (G4.2); rows count from the bottom, from 0."""

    column: Count
    """Column of the hex, from 0."""
    row: Count
    """Row of the hex, from the bottom, from 0."""
    edges: Annotated[list[Annotated[int, Field(ge=0, le=5)]], Field(min_length=1, max_length=6)]
    """Directions 0 to 5 of its edges: 0 is to the upper right, 1 up, and so on (G4.2)."""


Letter = Annotated[str, Field(pattern="^[A-Za-z]$")]


class Scenario(Strict):
    """A file of scenarios/: a drawn map, who is on it, and how it is won."""

    name: Name
    """What people read."""
    text: Text
    """What people read when it begins."""
    map: str
    """The drawing."""
    legend: dict[Letter, Symbol] = {}
    """Letters of the drawing, and what each stands for."""
    wall_lines: Annotated[list[WallLine], Field(max_length=MAX_LINES // 6)] = []
    """Edges of hexes that nothing crosses (G4.2)."""
    goal: Goal
    """How it is won."""
    last_round: Positive
    """The scenario is lost after this round."""


class PackCard(Strict):
    """pack.yaml: what the pack is called, who plays, and which scenarios there are."""

    name: Name
    """What people read."""
    version: Name
    """Any word, in quotation marks where it looks like a number: `"1.0"`."""
    text: Text
    """What people read about it."""
    party: Annotated[list[Name], Field(min_length=1)]
    """Classes that play where only a number is said, in this order; all files of `classes/`."""
    scenarios: Annotated[list[Name], Field(min_length=1)]
    """All files of `scenarios/`, the easiest first."""
