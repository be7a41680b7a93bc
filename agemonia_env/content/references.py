"""Mistakes between the files of a pack: names that are not there, cards that promise too much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from . import schema

if TYPE_CHECKING:
    from .load import Pack

# Keys that cases know and games do not play yet: R7.49 to R7.60; `special: after` is R15.4
UNPLAYED = ("push", "pull")


def mistakes(pack: Pack) -> list[str]:
    """Every mistake, as `file: key: what is wrong; allowed values`."""
    found = [*_twins(pack), *_heroes(pack), *_enemies(pack)]
    for name, card in pack.scenarios.items():
        found += [f"scenarios/{name}.yaml: {text}" for text in _scenario(pack, card)]
    return found


def _twins(pack: Pack) -> Iterator[str]:
    """Heroes or Enemies that cannot be told apart (Q3: Taunt differs from Hero to Hero)."""
    columns = (
        ("heroes", "taunt", {name: str(hero.taunt) for name, hero in pack.heroes.items()}),
        ("heroes", "name", {name: hero.name for name, hero in pack.heroes.items()}),
        ("enemies", "name", {name: enemy.name for name, enemy in pack.enemies.items()}),
    )
    for folder, key, values in columns:
        first: dict[str, str] = {}
        for name, value in values.items():
            twin = first.setdefault(value, name)
            if twin != name:
                yield f"{folder}/{name}.yaml: {key}: {value} is also that of {twin}"


def _heroes(pack: Pack) -> Iterator[str]:
    for name, hero in pack.heroes.items():
        file = f"heroes/{name}.yaml"
        for place in _places(hero.model_dump(by_alias=True), ""):
            yield f"{file}: {place}: is not played yet; leave it out"
        kinds = [weapon.type for weapon in hero.weapons]
        for kind in sorted(set(kinds)):
            if kinds.count(kind) > 1:
                yield f"{file}: weapons: two of type {kind}; allowed: one active of each type"
        for i, action in enumerate(hero.actions):
            for j, effect in enumerate(action.effects):
                attack = effect.attack
                if attack is None or attack.range or attack.shape == "area":
                    continue
                if "magic" in attack.type:
                    yield (
                        f"{file}: actions[{i}].effects[{j}].attack.range: is missing; "
                        "a magic attack has its own range (R9.18)"
                    )


def _enemies(pack: Pack) -> Iterator[str]:
    for name, enemy in pack.enemies.items():
        file = f"enemies/{name}.yaml"
        for place in _places(enemy.model_dump(by_alias=True), ""):
            yield f"{file}: {place}: is not played yet; leave it out"
        for place, spawned in spawns(enemy.card):
            yield from _unknown(f"{file}: {place}.type", "Enemy", spawned, pack.enemies)


def spawns(card: schema.EnemySheet) -> list[tuple[str, str]]:
    """Where an Enemy card spawns, and which types."""
    actions = card.actions
    additions = {
        "card.actions.staring.horns": actions.staring.horns,
        "card.actions.open.horns": actions.open.horns,
        "card.actions.closed.horns": actions.closed.horns,
        "card.snake": card.snake,
    }
    return [(f"{key}.spawn", x.spawn.type) for key, x in additions.items() if x and x.spawn]


def _places(value: Any, place: str) -> list[str]:
    """Where in a file UNPLAYED keys have a value."""
    if isinstance(value, list):
        return [p for i, part in enumerate(value) for p in _places(part, f"{place}[{i}]")]
    if not isinstance(value, dict):
        return []
    found: list[str] = []
    for key, part in value.items():
        inner = f"{place}.{key}" if place else str(key)
        unplayed = (key in UNPLAYED and part) or (key == "special" and "after" in part)
        found += [inner] if unplayed else _places(part, inner)
    return found


def _unknown(key: str, what: str, name: str, allowed: Iterable[str]) -> Iterator[str]:
    if name not in allowed:
        yield f"{key}: unknown {what} {name!r}; allowed: {', '.join(allowed)}"


def _scenario(pack: Pack, card: schema.Scenario) -> Iterator[str]:
    """Names that a scenario uses: areas by letter, Heroes and Enemies by file, stories."""
    for key, letter in _areas(card):
        yield from _unknown(key, "area", letter, card.map.areas)
    for i, name in enumerate(card.heroes):
        yield from _unknown(f"heroes[{i}]", "Hero", name, pack.heroes)
        if name in card.heroes[:i]:
            yield f"heroes[{i}]: {name} is named twice"
    for key, name in _types(card):
        yield from _unknown(key, "Enemy", name, pack.enemies)
    met = _met(pack, card)
    wanted = [("objective.type", card.objective.type)]
    wanted += [(f"events[{i}].type", event.type) for i, event in enumerate(card.events)]
    wanted += [(f"health.{name}", name) for name in card.health]
    for key, kind in wanted:
        if kind is not None:
            yield from _unknown(key, "Enemy of this scenario", kind, met)
    used = [area.story.section for area in card.map.areas.values() if area.story]
    for section in sorted(set(used) - set(card.stories)):
        yield f"stories: {section}: is missing; an area tells it"
    for section in sorted(set(card.stories) - set(used)):
        yield f"stories.{section}: stands in no area; allowed: {', '.join(used) or 'none'}"


def _areas(card: schema.Scenario) -> Iterator[tuple[str, str]]:
    """Letters of areas outside the map itself, each with its key."""
    yield "start", card.start
    for i, placement in enumerate(card.setup):
        yield f"setup[{i}].area", placement.area
    for i, letter in enumerate(card.objective.areas):
        yield f"objective.areas[{i}]", letter
    for i, event in enumerate(card.events):
        for j, effect in enumerate(event.effects):
            key = f"events[{i}].effects[{j}]"
            if effect.reinforce:
                yield f"{key}.reinforce.area", effect.reinforce.area
            if effect.trap:
                yield f"{key}.trap", effect.trap


def _types(card: schema.Scenario) -> Iterator[tuple[str, str]]:
    """Enemies that a scenario brings, each with its key."""
    for i, placement in enumerate(card.setup):
        yield f"setup[{i}].type", placement.type
    for i, event in enumerate(card.events):
        for j, effect in enumerate(event.effects):
            if effect.reinforce:
                yield f"events[{i}].effects[{j}].reinforce.type", effect.reinforce.type


def _met(pack: Pack, card: schema.Scenario) -> list[str]:
    """Enemies that can appear in a scenario, spawned ones included, in order."""
    met = list(dict.fromkeys(name for _, name in _types(card) if name in pack.enemies))
    for name in met:
        met += [
            spawned
            for _, spawned in spawns(pack.enemies[name].card)
            if spawned in pack.enemies and spawned not in met
        ]
    return met
