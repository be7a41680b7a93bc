"""Mistakes between the files of a pack: unknown names, and cards that break the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from agemonia_env.display.messages import listing, unknown
from agemonia_env.packs.folders import repeated

from . import schema
from .pack import Pack

Keyed = Iterator[tuple[str, str]]  # a key of a file and the name there


def reference_mistakes(pack: Pack) -> Iterator[str]:
    """Every mistake, as `file: key: what is wrong; allowed values`."""
    yield from _twins(pack)
    yield from _items(pack)
    for name, hero in pack.heroes.items():
        yield from (f"heroes/{name}.yaml: {text}" for text in _hero(pack, hero))
    for name, ally in pack.allies.items():
        yield from (f"allies/{name}.yaml: {text}" for text in _ally(pack, ally))
    for name, enemy in pack.enemies.items():
        yield from (f"enemies/{name}.yaml: {text}" for text in _enemy(pack, enemy.card))
    for name, card in pack.scenarios.items():
        yield from (f"scenarios/{name}.yaml: {text}" for text in _scenario(pack, card))
    for name, gauntlet in pack.gauntlets.items():
        for i, stage in enumerate(gauntlet.stages):
            key = f"gauntlets/{name}.yaml: stages[{i}].scenario"
            yield from _unknown(key, "scenario", stage.scenario, pack.scenarios)


def _unknown(key: str, what: str, name: str, allowed: Iterable[str]) -> Iterator[str]:
    if name not in allowed:
        yield f"{key}: {unknown(what, name, allowed)}"


def _twins(pack: Pack) -> Iterator[str]:
    """Cards of one kind that cannot be told apart (Q3: Taunt differs from Hero to Hero)."""
    taunts = {name: str(hero.taunt) for name, hero in pack.heroes.items()}
    for name, twin in _repeated(taunts):
        yield f"heroes/{name}.yaml: taunt: {taunts[name]} is also that of heroes/{twin}.yaml"
    for folder in ("heroes", "enemies", "figures", "allies"):
        names = {name: card.name for name, card in getattr(pack, folder).items()}
        for name, twin in _repeated(names):
            yield f"{folder}/{name}.yaml: name: {names[name]} is also that of {folder}/{twin}.yaml"
    names = {name: card.name for name, card in pack.items.items()}
    for name, twin in _repeated(names):
        yield f"{pack.sources[name]}: items.{name}.name: {names[name]} is also that of items.{twin}"


def _repeated(values: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Keys with the value of an earlier key, and that key."""
    first: dict[str, str] = {}
    for name, value in values.items():
        twin = first.setdefault(value, name)
        if twin != name:
            yield name, twin


def _same_names(key: str, cards: Sequence[schema.ActionCard | schema.Skill]) -> Iterator[str]:
    """Actions or skills of one board that cannot be told apart."""
    names = [card.name for card in cards]
    for name in repeated(names):
        yield f"{key}: {name} is named twice"


# ---- Heroes, Non-Hero Allies, items ---------------------------------------------------------
def _hero(pack: Pack, hero: schema.Hero) -> Iterator[str]:
    kinds = [weapon.type for weapon in hero.weapons]
    for kind in repeated(kinds):
        yield f"weapons: two of type {kind}; allowed: one active of each type"
    for i, item in enumerate(hero.items):
        yield from _unknown(f"items[{i}]", "item", item, pack.items)
    yield from _growth(hero)
    for key, effects in _hero_effects(hero):
        yield from _effects(pack, key, effects)
        yield from _unranged(key, effects)


def _hero_effects(hero: schema.Hero) -> Iterator[tuple[str, list[schema.Effect]]]:
    """Every list of effects of a Hero, with its key."""
    lists = {"actions": hero.actions, "growth": hero.growth}
    lists |= {f"classes[{i}].actions": kind.actions for i, kind in enumerate(hero.classes)}
    for key, actions in lists.items():
        for i, action in enumerate(actions):
            yield f"{key}[{i}].effects", action.effects
    for i, kind in enumerate(hero.classes):
        for j, skill in enumerate(kind.skills):
            yield f"classes[{i}].skills[{j}].maneuver", skill.maneuver


def _growth(hero: schema.Hero) -> Iterator[str]:
    """R20.3, R20.4 - what a Hero's actions of levels 2 to 5, its classes and skills must be."""
    names = [kind.name for kind in hero.classes]
    if names[0] == names[1]:
        yield f"classes: {names[0]} is named twice"
    lists = [("growth", hero.growth)]
    for i, kind in enumerate(hero.classes):
        lists.append((f"classes[{i}].actions", kind.actions))
        board = [*hero.actions, *hero.growth, *kind.actions]
        yield from _same_names(f"classes[{i}].actions", board)
        yield from _same_names(f"classes[{i}].skills", kind.skills)
        for j, skill in enumerate(kind.skills):
            passive = skill.passive
            if passive is not None and passive.need and "need" in passive.model_fields_set:
                key = f"classes[{i}].skills[{j}].passive.need"
                yield f"{key}: a skill works without stamina; allowed: 0"
    for key, actions in lists:
        if sum(effect.lock is not None for effect in actions[1].effects) != 1:
            yield f"{key}[1].effects: an action of level 3 is passive: one effect is a lock (R20.4)"
        if not actions[2].gem:
            yield f"{key}[2].gem: an action of level 4 costs a gem (R20.4)"


def _effects(pack: Pack, key: str, effects: Sequence[schema.Effect]) -> Iterator[str]:
    """Figures and Allies that effects name, and locks without chips."""
    for i, effect in enumerate(effects):
        place = f"{key}[{i}]"
        if effect.summon is not None:
            name = effect.summon.figure
            yield from _unknown(f"{place}.summon.figure", "figure", name, pack.figures)
            if name in pack.figures and pack.figures[name].pet:
                yield f"{place}.summon.figure: {name} is a pet; an item brings it (R18.8)"
        if effect.command is not None:
            name = effect.command.figure
            yield from _unknown(f"{place}.command.figure", "figure", name, pack.figures)
        if effect.summon_ally is not None:
            name = effect.summon_ally.ally
            yield from _unknown(f"{place}.summon_ally.ally", "Ally", name, pack.allies)
        if effect.lock is not None and not effect.lock.need:
            yield f"{place}.lock.need: a lock needs stamina; allowed: 1 and above (R14.1)"


def _unranged(key: str, effects: Sequence[schema.Effect]) -> Iterator[str]:
    """Magic attacks of heroes without a range."""
    for i, effect in enumerate(effects):
        attack = effect.attack
        if attack and "magic" in attack.type and not attack.range and attack.shape != "area":
            text = "is missing; a magic attack has its own range (R9.18)"
            yield f"{key}[{i}].attack.range: {text}"


def _ally(pack: Pack, ally: schema.AllyCard) -> Iterator[str]:
    yield from _same_names("actions", ally.actions)
    for i, action in enumerate(ally.actions):
        yield from _effects(pack, f"actions[{i}].effects", action.effects)


def _items(pack: Pack) -> Iterator[str]:
    for name, card in pack.items.items():
        start = f"{pack.sources[name]}: items.{name}"
        yield from _effects(pack, f"{start}.effects", card.effects)
        yield from _unranged(f"{start}.effects", card.effects)
        for key, text in _item(pack, card):
            yield f"{start}.{key}: {text}"


def _item(pack: Pack, card: schema.ItemCard) -> Keyed:
    """R17.1, R17.4 - parts of an item that do not go together: (key, what is wrong)."""
    if bool(card.hands) != (card.wear == "hand"):
        yield "hands", "an item with hands has `wear: hand`, and the other way round (R17.1)"
    if card.weapon is not None and card.wear != "hand":
        yield "weapon", "a weapon has `wear: hand`"
    if card.passive is not None and card.wear == "none":
        yield "passive", "works while the item is in use; say how it is worn (`wear`)"
    if card.carry and card.wear != "backpack":
        yield "carry", "only a backpack adds to what is carried (R17.3)"
    if card.pet is not None and card.wear != "pet":
        yield "pet", "a pet has `wear: pet`"
    for text in _unknown("", "figure", card.pet, pack.figures) if card.pet else ():
        yield "pet", text.removeprefix(": ")
    if card.pet in pack.figures and not pack.figures[card.pet].pet:
        yield "pet", f"{card.pet} is no pet (`pet: true` in figures/{card.pet}.yaml)"


# ---- Enemies --------------------------------------------------------------------------------
def _enemy(pack: Pack, card: schema.EnemySheet) -> Iterator[str]:
    for place, spawned in spawns(card):
        yield from _unknown(f"{place}.type", "Enemy", spawned, pack.enemies)
    if card.defeat is not None and card.defeat.leave is not None:
        yield from _unknown("card.defeat.leave", "item", card.defeat.leave, pack.items)
    if card.snake is not None and card.snake.snake:
        yield "card.snake.snake: stands in the horns of an action only"
    for key, part in additions(card).items():
        if (named := part.perform) is not None:
            yield from _unknown(f"{key}.perform", "ability of the card", named, card.abilities)
    for name, ability in card.abilities.items():
        if ability.snake or ability.perform is not None:
            yield f"card.abilities.{name}: names no further ability"


def additions(card: schema.EnemySheet) -> dict[str, schema.Horns]:
    """Horns and snake of an Enemy card, by where they stand."""
    actions = card.actions
    parts = {
        "card.actions.staring.horns": actions.staring.horns,
        "card.actions.open.horns": actions.open.horns,
        "card.actions.closed.horns": actions.closed.horns,
        "card.snake": card.snake,
    }
    return {key: part for key, part in parts.items() if part is not None}


def spawns(card: schema.EnemySheet) -> list[tuple[str, str]]:
    """Where an Enemy card spawns, and which types."""
    parts: dict[str, schema.Horns | schema.Defeat] = {**additions(card)}
    parts |= {f"card.abilities.{name}": ability for name, ability in card.abilities.items()}
    if card.defeat is not None:
        parts["card.defeat"] = card.defeat
    return [(f"{key}.spawn", x.spawn.type) for key, x in parts.items() if x.spawn]


# ---- scenarios ------------------------------------------------------------------------------
def _scenario(pack: Pack, card: schema.Scenario) -> Iterator[str]:
    """Names that a scenario uses: areas by letter, cards by file, items and sections by key."""
    for key, letter in named_areas(card):
        yield from _unknown(key, "area", letter, card.map.areas)
    for name in card.apart:
        yield from _unknown("apart", "Hero", name, pack.heroes)
    for i, name in enumerate(card.heroes):
        yield from _unknown(f"heroes[{i}]", "Hero", name, pack.heroes)
        if name in card.heroes[:i]:
            yield f"heroes[{i}]: {name} is named twice"
    for key, name in _types(card):
        yield from _unknown(key, "Enemy", name, pack.enemies)
    met = enemies_met(pack, card)
    for key, name in _types_met(card):
        yield from _unknown(key, "Enemy of this scenario", name, met)
    for key, name in _items_named(card):
        yield from _unknown(key, "item", name, pack.items)
    yield from _companions(pack, card)
    yield from _sections(card)
    missing = [name for name in schema.DIFFICULTIES if name not in card.difficulty]
    if card.difficulty and missing:
        yield f"difficulty: {', '.join(missing)} missing; all of them, or none"


def consequences(card: schema.Scenario) -> Iterator[tuple[str, schema.Consequence]]:
    """Everything that events and sections of a scenario do, each with its key."""
    lists = {f"events[{i}].effects": event.effects for i, event in enumerate(card.events)}
    for name, section in card.sections.items():
        lists[f"sections.{name}.effects"] = section.effects
        lists[f"sections.{name}.failed"] = section.failed
    for key, effects in lists.items():
        for i, effect in enumerate(effects):
            yield f"{key}[{i}]", effect


def _placements(card: schema.Scenario) -> Iterator[tuple[str, schema.Placement]]:
    """Enemies placed at set-up at any difficulty."""
    for i, placement in enumerate(card.setup):
        yield f"setup[{i}]", placement
    for name, difficulty in card.difficulty.items():
        for i, placement in enumerate(difficulty.setup):
            yield f"difficulty.{name}.setup[{i}]", placement


def named_areas(card: schema.Scenario) -> Keyed:
    """Letters of areas outside the map itself, each with its key."""
    yield "start", card.start
    yield from ((f"apart.{name}", letter) for name, letter in card.apart.items())
    for key, placement in _placements(card):
        yield f"{key}.area", placement.area
    for i, letter in enumerate(card.objective.areas):
        yield f"objective.areas[{i}]", letter
    for name, section in card.sections.items():
        yield f"sections.{name}.area", section.area
    for i, companion in enumerate(card.allies):
        if companion.area is not None:
            yield f"allies[{i}].area", companion.area
    for key, effect in consequences(card):
        if effect.trap:
            yield f"{key}.trap", effect.trap
        for part in ("reinforce", "item", "activate", "join"):
            value = getattr(effect, part)
            if value is not None:
                yield f"{key}.{part}.area", value.area


def _types(card: schema.Scenario) -> Keyed:
    """Enemies that a scenario places, each with its key."""
    for key, placement in _placements(card):
        yield f"{key}.type", placement.type
    for key, effect in consequences(card):
        if effect.reinforce:
            yield f"{key}.reinforce.type", effect.reinforce.type


def enemies_met(pack: Pack, card: schema.Scenario) -> list[str]:
    """Enemies that can appear in a scenario, spawned ones included, in order."""
    met = list(dict.fromkeys(name for _, name in _types(card) if name in pack.enemies))
    for name in met:
        met += [
            spawned
            for _, spawned in spawns(pack.enemies[name].card)
            if spawned in pack.enemies and spawned not in met
        ]
    return met


def _types_met(card: schema.Scenario) -> Keyed:
    """Enemies that a scenario names without placing them."""
    if card.objective.type is not None:
        yield "objective.type", card.objective.type
    for i, event in enumerate(card.events):
        if event.type is not None:
            yield f"events[{i}].type", event.type
    for name in card.health:
        yield f"health.{name}", name
    for key, effect in consequences(card):
        if effect.fortify:
            yield f"{key}.fortify.type", effect.fortify.type


def _items_named(card: schema.Scenario) -> Keyed:
    """Items on the map, given by events and sections, and to be collected."""
    for letter, area in card.map.areas.items():
        for i, item in enumerate(area.items):
            yield f"map.areas.{letter}.items[{i}]", item
    for key, effect in consequences(card):
        if effect.item:
            yield f"{key}.item.item", effect.item.item
    if card.objective.item is not None:
        yield "objective.item", card.objective.item


def _companions(pack: Pack, card: schema.Scenario) -> Iterator[str]:
    """Non-Hero Allies: those there are, and those that events and the objective name."""
    names = [companion.ally for companion in card.allies]
    for i, name in enumerate(names):
        yield from _unknown(f"allies[{i}].ally", "Ally", name, pack.allies)
        if name in names[:i]:
            yield f"allies[{i}].ally: {name} is named twice"
    if card.objective.ally is not None:
        yield from _unknown("objective.ally", "Ally of this scenario", card.objective.ally, names)
    joining = [companion.ally for companion in card.allies if companion.joins]
    brought = _summoned(pack)
    for key, effect in consequences(card):
        if effect.join:
            brought.add(effect.join.ally)
            what = "Ally of this scenario that joins"
            yield from _unknown(f"{key}.join.ally", what, effect.join.ally, joining)
    for i, companion in enumerate(card.allies):
        if companion.joins and (name := companion.ally) not in brought:
            yield f"allies[{i}].joins: {name} never joins; an effect `join` would bring it"


def _summoned(pack: Pack) -> set[str]:
    """R18.6 - Non-Hero Allies that effects of Heroes and items summon."""
    lists = [effects for hero in pack.heroes.values() for _, effects in _hero_effects(hero)]
    lists += [item.effects for item in pack.items.values()]
    return {one.summon_ally.ally for effects in lists for one in effects if one.summon_ally}


def _sections(card: schema.Scenario) -> Iterator[str]:
    """Story sections: each needs an area, one per story point, and events must name known ones."""
    by_area = {letter: area.story.section for letter, area in card.map.areas.items() if area.story}
    for name in sorted(set(by_area.values()) - set(card.stories)):
        yield f"stories: {name}: is missing; an area names it"
    for name in sorted(set(card.stories) - set(by_area.values())):
        allowed = listing(name, [*by_area.values()]) or "none"
        yield f"stories.{name}: no area names it; allowed: {allowed}"
    for name, section in card.sections.items():
        if name in card.stories:
            yield f"sections.{name}: is also one of stories"
        if section.trigger == "entry" and by_area.setdefault(section.area, name) != name:
            text = f"entering {section.area} sets off {by_area[section.area]} already"
            yield f"sections.{name}.area: {text}; allowed: one section on entry for each area"
    known = [*card.stories, *card.sections]
    for i, event in enumerate(card.events):
        if event.section is not None:
            yield from _unknown(f"events[{i}].section", "section", event.section, known)
    for key, effect in consequences(card):
        area = card.map.areas.get(effect.activate.area) if effect.activate else None
        if area is not None and area.teleport is None:
            yield f"{key}.activate.area: no teleport token lies there"
        if key.startswith("events") and (effect.harm or effect.cure or effect.affect):
            yield f"{key}: an event has no Ally to harm, cure or affect; a section has"
