"""Enemy cards."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from .basics import (
    AbilityName,
    AbilityNames,
    AttackTypeName,
    ColourName,
    ConditionName,
    Conditions,
    Count,
    Name,
    Positive,
    SizeName,
    Strict,
    Text,
    keyed,
)
from .effects import Reach


class OrElse(Strict):
    """An active check of each Ally that an attack affects; whoever fails suffers (R10.34)."""

    ability: AbilityNames
    """The ability that is rolled; of several the player picks one (R3.10)."""
    number: Positive
    """How many successes are needed (R3.11)."""
    condition: Conditions = []
    """What an Ally gains that fails (R10.34)."""
    damage: Count = 0
    """What an Ally suffers that fails; no reactive check (R10.34)."""


class Strike(Strict):
    """An attack of an Enemy (section 10)."""

    type: AttackTypeName = "melee"
    """Melee reaches the own area and full ones beside it; the others need sight (R10.20, R10.23).
    """
    value: Count | None = None
    """Damage before the Ally's check; not given: no damage, its conditions come without a check
    (R10.29, R10.33)."""
    ability: AbilityName = "might"
    """The ability with which Allies check against it (R10.30)."""
    loss: bool = False
    """Whether Heroes lose stamina instead of suffering damage (R10.31)."""
    range: Count | None = None
    """How far it reaches; not given: a plain melee attack, or the own area (R10.22, R10.23)."""
    area: Count | None = None
    """Makes it an area attack that hits every Ally within this distance of its centre (R10.28)."""
    target: Annotated[int, Field(ge=1, le=6)] = 1
    """How many different Allies it attacks if it can (R10.27)."""
    condition: Conditions = []
    """What an Ally gains if anything gets through (R10.32)."""
    push: Count = 0
    """Areas that each attacked Ally is pushed away (R10.39)."""
    pull: Count = 0
    """Areas that each attacked Ally is pulled closer (R10.39)."""
    drain: bool = False
    """Whether the Enemy heals by the damage that it dealt (R10.37)."""
    or_else: OrElse | None = None
    """A check that affected Allies must pass, or else (R10.34)."""


class Spawn(Strict):
    """New figures in the spawner's own area, or the nearest one with room (R10.46, R10.47)."""

    type: Name
    """A file of `enemies/`."""
    amount: Positive = 1
    """How many figures."""


class Heal(Strict):
    """Health regained; the number alone is enough."""

    amount: Positive | Literal["full"] = 1
    """How much; `full`: all of it (R2.8)."""


class Horns(Strict):
    """What is added to an action where its bar shows horns (R10.7, R10.37)."""

    move: Count = 0
    """Movement points added."""
    value: Count = 0
    """Damage, or stamina loss, added to an attack that has a value."""
    range: Count = 0
    """Range added to an attack that has one."""
    area: Count = 0
    """Reach added to an area attack."""
    condition: Conditions = []
    """Conditions added to the attack (R10.32)."""
    drain: bool = False
    """Whether the Enemy heals by the damage that its attack deals."""
    push: Count = 0
    """Areas that each attacked Ally is pushed away, added (R10.39)."""
    pull: Count = 0
    """Areas that each attacked Ally is pulled closer, added (R10.39)."""
    target: Count = 0
    """Allies attacked, added (R10.27)."""
    fly: bool = False
    """Whether it flies in this turn (R7.18)."""
    heal: Annotated[Heal, keyed("amount")] | None = None
    """Health that it regains (R2.8)."""
    self_damage: Count = Field(default=0, alias="self")
    """Damage that it does to itself; shield does not help (R10.36)."""
    spawn: Spawn | None = None
    """Figures that it brings (R10.44, R10.47)."""
    set_trap: Reach | None = None
    """A trap token, as near to an Ally as possible (R10.38)."""
    teleport: Count = 0
    """Areas that it teleports before the action, to where it can attack (R10.37)."""
    snake: bool = False
    """Whether its `snake` happens as well; only under `horns` of an action."""
    story_token: Count = 0
    """Tokens put on the Story card; see the event `tokens`."""
    perform: Name | None = None
    """A key of the card's `abilities` that happens as well."""


class Snake(Horns):
    """What happens where the bar shows the snake: before the action, or added to it (R10.6)."""

    attack: Strike | None = None
    """An attack made first, from where the Enemy stands."""


class EnemyAction(Strict):
    """What an Enemy does under one eye symbol: its whole move, then its attack (R10.4)."""

    move: Count = 0
    """Movement points (R10.13)."""
    attack: Strike | None = None
    """Its attack; not given: it moves as for a melee attack and does nothing (R10.18)."""
    horns: Horns | None = None
    """What is added where the bar shows horns (R10.7)."""


PLAIN = EnemyAction(move=2, attack=Strike(type="melee", value=3, ability="might"))


class EnemyActions(Strict):
    """The three actions of an Enemy card; the Initiative card says which eye counts (R5.9)."""

    staring: EnemyAction = PLAIN
    """Under the staring eye."""
    open: EnemyAction = PLAIN
    """Under the open eye."""
    closed: EnemyAction = PLAIN
    """Under the closed eye."""


class Health(Strict):
    """Starting health: base + per_hero x number of Heroes; `health: 5` means `base` (R10.1)."""

    base: Count = 0
    """Whatever the size of the party."""
    per_hero: Count = 0
    """For each Hero of the party (R10.2)."""

    @model_validator(mode="after")
    def _is_alive(self) -> Health:
        if self.base + self.per_hero == 0:
            raise ValueError("base or per_hero must be at least 1")
        return self


class Burst(Strict):
    """Harm to every Ally within range of a fallen Enemy, without a check (R2.13)."""

    damage: Count = 0
    """Damage to each."""
    range: Count = 0
    """How far away at most; 0: in its area (R7.22)."""
    condition: ConditionName | None = None
    """What each gains."""


class Defeat(Strict):
    """The defeat box: what happens when a figure falls (R10.40)."""

    leave: Name | None = None
    """An item left in its area; a key of `items/` (R10.41)."""
    burst: Burst | None = None
    """Harm to Allies nearby (R2.13)."""
    spawn: Spawn | None = None
    """Figures that appear in its place (R10.46)."""
    set_trap: Reach | None = None
    """A trap token, as near to an Ally as possible (R10.38)."""


class EnemySheet(Strict):
    """An Enemy card (R1.7)."""

    colour: ColourName = "red"
    """Its initiative colour: red acts early, blue in the middle, green late (R1.8)."""
    health: Annotated[Health, keyed("base")] = Health(base=5)
    """Starting health of each figure (R10.1)."""
    shield: Count = 0
    """Damage that each attack loses against it (R10.35)."""
    provoke: Count = 0
    """Damage to an Ally that walks out of its area; 0: none (R8.1)."""
    provoke_range: Count = 0
    """From how far away, with sight, walking out of an area provokes as well (R8.2)."""
    provoke_loss: bool = False
    """Whether Provoke costs stamina instead of health (R8.4)."""
    size: SizeName = "normal"
    """Room that a figure takes: 1, 2 or 3; large and huge ones are not pushed (R7.3, R7.55)."""
    tags: list[Name] = []
    """Words on the card; `elite` alone has a meaning in the rules (R9.37)."""
    fly: bool = False
    """Whether it flies (R7.18)."""
    mirror: bool = False
    """Whether attacks hit their attacker instead (R11.1)."""
    revenge: bool = False
    """Whether an attacker suffers what it deals (R11.5)."""
    actions: EnemyActions = EnemyActions()
    """What it does under each eye (R10.4)."""
    snake: Snake | None = None
    """What it does where the bar shows the snake (R10.6)."""
    abilities: dict[Name, Horns] = {}
    """Abilities by name, for `perform` of horns and snake (R10.37)."""
    defeat: Defeat | None = None
    """What happens when it falls (R10.40)."""
    supply: Annotated[int, Field(ge=1, le=16)] = 6
    """The most figures of this type on the map at one time (Q18)."""

    def additions(self, part: Horns | None) -> list[Horns]:
        """R10.37 - horns or snake, and the ability that they name."""
        named = part and part.perform
        return [x for x in (part, self.abilities.get(named) if named else None) if x]


class EnemyCard(EnemySheet):
    """The Enemy card of a rule case, which names its type."""

    type: Name = "rat"


class Enemy(Strict):
    """A file of enemies/: the Enemy card, and what people read.

    Scenarios name it by its file, `type: reedling`.
    """

    name: Name
    """What people read; no two Enemies of a pack have the same name."""
    flavour: Text
    """What people read about it."""
    card: EnemySheet
    """The Enemy card (R1.7)."""
