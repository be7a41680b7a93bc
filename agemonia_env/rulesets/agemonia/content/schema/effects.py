"""What actions of Allies and items do."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from .basics import (
    AbilityBits,
    AttackTypeName,
    AttackTypes,
    Band,
    ColourName,
    ConditionName,
    Conditions,
    Count,
    EnemyConditionName,
    Levels,
    Name,
    OneKey,
    Positive,
    RiposteName,
    ShapeName,
    Signed,
    Specials,
    Strict,
    Text,
    TypeLevels,
)


# ---- attacks and locks ----------------------------------------------------------------------
class Attack(Strict):
    """An attack of an Ally (section 9)."""

    type: AttackTypes = ["melee"]
    """The kind of attack; of several the player picks one (R9.1)."""
    dice: Count = 2
    """Action dice that a Hero rolls (R9.3)."""
    bonus: Signed = 0
    """Added to the damage, whatever was rolled (R9.4)."""
    value: Count = 2
    """Damage of a Non-Hero Ally, who rolls no dice (R9.9)."""
    range: Band | None = None
    """Nearest and farthest distance, `[1, 3]`; not given: that of the weapon. A magic attack that
    is no area attack needs it (R9.13 to R9.18)."""
    shape: ShapeName = "single"
    """`single`: one Enemy; `multi`: up to `targets`; `cleave`: the damage is shared out; `area`:
    everybody within `radius` of the centre; `line`: one Enemy in each area of a line (R9.25 to
    R9.29)."""
    targets: Annotated[int, Field(ge=1, le=16)] = 1
    """The most Enemies of the shape `multi` (R9.25)."""
    radius: Count = 0
    """Reach of the shape `area` around its centre; 0: one area (R9.26)."""
    length: Annotated[int, Field(ge=1, le=5)] = 3
    """Areas of the shape `line`, the attacker's own not counted (R9.27, Q10)."""
    pierce: Count = 0
    """Shield points that are ignored (R9.30)."""
    double: bool = False
    """Whether the successes count twice (R9.38, Q55)."""
    condition: Conditions = []
    """What Enemies gain that this attack damages (R9.10)."""
    push: Count = 0
    """Areas that each target is pushed away, damaged or not (R7.51, Q58)."""
    pull: Count = 0
    """Areas that each target is pulled closer, damaged or not (R7.49, Q58)."""
    drain: bool = False
    """Whether the attacker heals by the damage that got through (R9.31, R9.33)."""
    non_elite: bool = False
    """Whether Elite Enemies are left alone (R9.37)."""
    ignore_aim: bool = False
    """Whether obstructed aim does not matter (R9.22)."""
    effect_only: bool = False
    """Whether it deals no damage: its conditions, push and pull are all it does (R9.8)."""


class Riposte(Strict):
    """Damage that an Enemy suffers for attacking (R11.10)."""

    amount: Count = 0
    """Damage; shield does not help (R11.11)."""
    range: Count | None = None
    """How near the attacker must stand; not given: anywhere (R11.10)."""
    type: AttackTypeName | None = None
    """Only against attacks of this type; not given: against all (R11.10)."""
    when: RiposteName = "always"
    """Only if the attack did (`damaged`), or did not (`undamaged`), get through (R11.12)."""


class Passive(Strict):
    """What works while stamina is locked on it, an item is in use, or always (section 14)."""

    name: Name = "lock"
    """What people read; an action or item puts its own name here."""
    need: Count = 1
    """Stamina chips to be locked; 0: works without, as skills and most items do (R14.1)."""
    reactive: Levels = Levels()
    """Successes added to reactive checks of each ability (R3.17)."""
    h_worth: Levels = Levels()
    """Successes that an H face counts in reactive checks of each ability (R3.6)."""
    reroll_h: AbilityBits = []
    """Abilities whose reactive checks roll H faces again (R3.8)."""
    evade: Count = 0
    """Evade points in every turn (R8.9)."""
    move: Count = 0
    """Movement points added to move maneuvers (R6.5)."""
    dice: TypeLevels = TypeLevels()
    """Action dice added to attacks of each type (R9.3)."""
    mirror: bool = False
    """Whether attacks hit their attacker instead (R11.1)."""
    revenge: bool = False
    """Whether an attacker suffers what it deals (R11.5)."""
    fly: bool = False
    """Whether its owner flies (R7.18)."""
    riposte: Riposte = Riposte()
    """What an attacker suffers (R11.10)."""
    ends: bool = False
    """Whether it ends once its Mirror, Revenge or Riposte has worked (R14.12)."""


# ---- parts of effects -----------------------------------------------------------------------
class Help(Strict):
    """An amount for somebody within range."""

    amount: Positive
    """How much."""
    range: Count = 0
    """How far away at most; 0: in the own area (R7.22)."""


class Give(Strict):
    """A condition for an Ally within range."""

    condition: ConditionName
    """Which one (section 12)."""
    range: Count = 0
    """How far away at most; 0: in the own area (R7.22)."""


class Afflict(Strict):
    """A condition for an Enemy within range."""

    condition: EnemyConditionName
    """Which one; Enemies cannot have the others (R12.0a)."""
    range: Count = 0
    """How far away at most; 0: in the own area (R7.22)."""


class Reach(Strict):
    """Somebody, or an area, within range."""

    range: Count = 0
    """How far away at most; 0: in the own area (R7.22)."""


class Shove(Strict):
    """An Enemy within range is moved (R7.49, R7.51)."""

    amount: Positive
    """How many areas."""
    range: Count | None = None
    """How far away the Enemy may be; not given: 1 for a push, `amount` for a pull (R7.50)."""


class Summon(Strict):
    """A token appears (R18.7)."""

    figure: Name
    """A file of `figures/` that is no pet."""
    range: Count = 0
    """How far away at most; 0: in the own area (R7.22)."""


class Command(Strict):
    """A token on the map moves and strikes."""

    figure: Name
    """A file of `figures/`."""
    move: Count = 0
    """Areas that it may move first (R18.7)."""


class SummonAlly(Strict):
    """A Non-Hero Ally appears (R18.6)."""

    ally: Name
    """A file of `allies/`; a party summons one Ally at most (R18.6)."""
    range: Count = 0
    """How far away at most; 0: in the own area (R7.22)."""


class Portal(Strict):
    """A purple teleport token appears (R7.45)."""

    range: Count = 0
    """How far away it is placed at most; 0: in the own area (R7.22)."""
    reach: Count | None = None
    """How far those who use it may go; not given: any distance (R7.47)."""


class AttackDice(Strict):
    """Stronger attacks of a type in this turn (R6.4)."""

    type: AttackTypeName
    """Which attacks."""
    amount: Positive = 1
    """Dice of a Hero, or damage of a Non-Hero Ally (R18.5)."""


class AbilityBonus(Strict):
    """Higher ability levels until the end of the round (A.4)."""

    ability: Literal["might", "agility", "will", "any", "all"]
    """Which one; `any`: the player picks one."""
    amount: Positive = 1
    """How many levels."""


class Effect(OneKey):
    """One thing that an action or an item does: a mapping with exactly one of these keys.

    The effects of a list are done in order. An Enemy must be seen as well as within range; for an
    Ally the range is enough, and oneself counts as one.
    """

    attack: Attack | None = None
    """Enemy: is attacked (section 9)."""
    heal: Help | None = None
    """Ally: heals this much damage (R2.7, R2.8)."""
    restore: Help | None = None
    """Ally: restores this much stamina (R2.6)."""
    mixed: Help | None = None
    """Ally: heals and restores this much, shared out as its player likes (R2.9)."""
    roll_heal: Help | None = None
    """Ally: heals as much as there are successes on this many Action dice."""
    roll_restore: Help | None = None
    """Ally: restores as much as there are successes on this many Action dice."""
    gain: Give | None = None
    """Ally: gains a condition (R12.0)."""
    afflict: Afflict | None = None
    """Enemy: gains a condition (R12.0a)."""
    move: Positive | None = None
    """Self: has this many movement points, which are no move maneuver (Q4)."""
    evade: Positive | None = None
    """Self: has this many Evade points in this turn (R8.9)."""
    set_trap: Reach | None = None
    """Area: gets a trap token; not in an area of another height (R19.9)."""
    lock: Passive | None = None
    """Self: locks stamina, and has the passive action while it lies there (section 14)."""
    discard_one: Reach | None = None
    """Ally: loses one condition of its choice."""
    discard_all: Reach | None = None
    """Ally: loses all conditions, good ones too (R12.19)."""
    gem: Positive | None = None
    """Self: gains this many Achievement gems (R16.4)."""
    inspire: Positive | None = None
    """Self: gains this many Inspiration gems (R16.1)."""
    jump: Reach | None = None
    """Self: jumps up to so many areas (R7.30)."""
    teleport: Reach | None = None
    """Self: teleports up to so many areas (R7.38)."""
    push: Shove | None = None
    """Enemy: is pushed away (R7.51)."""
    pull: Shove | None = None
    """Enemy: is pulled closer (R7.49)."""
    drain: Help | None = None
    """Enemy: suffers this much damage whatever its shield, and the actor heals it (R9.31)."""
    damage: Help | None = None
    """Enemy: suffers this much damage whatever its shield; this is no attack (R2.13)."""
    defeat: Reach | None = None
    """Enemy: is defeated, unless it is Elite (R10.42)."""
    delay: Reach | None = None
    """Enemy: acts last in this round, if it has not acted yet (R15.10)."""
    summon: Summon | None = None
    """Area: a token of `figures/` appears in it (R18.7)."""
    command: Command | None = None
    """Token: moves, then harms an Enemy in its area (R18.7)."""
    summon_ally: SummonAlly | None = None
    """Area: a Non-Hero Ally appears in it (R18.6)."""
    portal: Portal | None = None
    """Area: gets a purple teleport token (R7.45)."""
    maneuver: Positive | None = None
    """Self: has this many more maneuvers in this turn (R6.3)."""
    unwound: Reach | None = None
    """Ally: is no longer wounded (R13.7)."""
    revive: Reach | None = None
    """Ally: an exhausted Hero stands up (R13.9)."""
    attack_dice: AttackDice | None = None
    """Self: attacks of a type are stronger in this turn (R6.4)."""
    ability: AbilityBonus | None = None
    """Self: an ability is higher until the end of the round (A.4)."""


class ActionCard(Strict):
    """An action token of a Hero, or an action of a Non-Hero Ally."""

    name: Name
    """What people read; no two actions of a Hero have the same name."""
    text: Text = "-"
    """What the card says; keep it true to `effects`, from which it is not derived."""
    colour: ColourName = "green"
    """The Hero's initiative colour in a round in which it chooses this action (R5.2)."""
    cost: Count = 0
    """Stamina to be paid when it is performed (R9.6)."""
    gem: Count = 0
    """Inspiration gems to be paid when it is performed (R16.2)."""
    special: Specials = []
    """Special initiative: `first`, `last`, or `after` another Ally (R15.1)."""
    maneuver: bool = False
    """Whether it is done in place of a maneuver, beside the action (R6.4, R18.5)."""
    once: bool = False
    """Whether it can be done once in a scenario."""
    effects: list[Effect] = []
    """What it does, in order."""
