"""What a difficulty level changes: Enemy cards, ends of the scenario, gems, more Enemies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from agemonia_env.display.messages import unknown

from . import schema
from .pack import Pack

PLAIN = schema.Difficulty(target=0.5)  # nothing is changed
LEVELS: dict[schema.DifficultyName, schema.Difficulty] = {
    "easy": schema.Difficulty(target=0.85, health=-2, rounds=2, gems=2),
    "normal": schema.Difficulty(target=0.6),
    "hard": schema.Difficulty(target=0.4, per_hero=1, rounds=-1),
    "brutal": schema.Difficulty(target=0.2, health=1, per_hero=1, value=1, rounds=-2),
}
"""Of drawn scenarios; the core's generator leaves time for the fewest rounds."""
TOUGHER = 1  # health per Hero of every Enemy for each level of the Heroes above the first


def difficulty_of(card: schema.Scenario, name: str) -> schema.Difficulty:
    """The changes of a difficulty level. ValueError lists the known ones."""
    allowed = schema.DIFFICULTIES if card.difficulty else ("normal",)
    if name not in allowed:
        raise ValueError(unknown("difficulty", name, allowed))
    return next((change for key, change in card.difficulty.items() if key == name), PLAIN)


def changed_enemy(card: schema.EnemySheet, change: schema.Difficulty) -> schema.EnemySheet:
    """An Enemy card at a difficulty level: health, shield, and the value of every attack."""
    base = max(0, card.health.base + change.health)
    per_hero = max(0, card.health.per_hero + change.per_hero)
    updates: dict[str, Any] = {
        "health": schema.Health(base=base if base or per_hero else 1, per_hero=per_hero),
        "shield": max(0, card.shield + change.shield),
    }
    if change.value:
        actions: dict[str, Any] = {}
        for eye in get_args(schema.EyeName):
            action: schema.EnemyAction = getattr(card.actions, eye)
            actions[eye] = action.model_copy(update={"attack": _changed(action.attack, change)})
        updates["actions"] = schema.EnemyActions(**actions)
    if change.value and card.snake is not None:
        attack = _changed(card.snake.attack, change)
        updates["snake"] = card.snake.model_copy(update={"attack": attack})
    return card.model_copy(update=updates)


def _changed(attack: schema.Strike | None, change: schema.Difficulty) -> schema.Strike | None:
    if attack is None or attack.value is None:
        return attack
    return attack.model_copy(update={"value": max(0, attack.value + change.value)})


def toughened(pack: Pack, name: str, level: int) -> schema.Health:
    """R10.3 - health of an Enemy of a drawn scenario against Heroes of a level."""
    health = pack.enemies[name].card.health
    return health.model_copy(update={"per_hero": health.per_hero + TOUGHER * (level - 1)})


def changed_ends(card: schema.Scenario, change: schema.Difficulty) -> Mapping[str, int]:
    """Last round and timer's sum at a difficulty level; 0 = none."""
    target = card.timer.target if card.timer else 0
    return {
        "last_round": max(1, card.last_round + change.rounds) if card.last_round else 0,
        "timer": max(1, target + change.timer) if target else 0,
    }
