"""Read packs of HexDungeon, reporting all mistakes of all files at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from agemonia_env.display.messages import unknown
from agemonia_env.packs.folders import repeated
from agemonia_env.packs.loading import PackFiles, PackFormat

from ..core.layout import N_HEROES, N_MONSTERS, N_TYPES
from . import schema
from .board import read_map


@dataclass(frozen=True)
class Pack(PackFiles):
    """The files of a pack, by their names."""

    card: schema.PackCard
    template_file: schema.Templates
    classes: dict[str, schema.HeroClass]
    monsters: dict[str, schema.Monster]
    scenarios: dict[str, schema.Scenario]

    @property
    def templates(self) -> dict[str, schema.Template]:
        """Templates of areas, by name."""
        return self.template_file.templates


def load_pack(name_or_path: str | Path) -> Pack:
    """A pack by name or folder, perhaps with changes: see PackFormat.load."""
    return FORMAT.load(name_or_path)


def scenarios(pack: str | Path | Pack = "hex-core") -> list[str]:
    """Names of the scenarios of a pack, the easiest first."""
    return list((pack if isinstance(pack, Pack) else load_pack(pack)).card.scenarios)


# ---- mistakes between files -----------------------------------------------------------------
def mistakes(pack: Pack) -> Iterator[str]:
    """Every mistake, as `file: key: what is wrong; allowed values`."""
    for key, what, names, there in (
        ("party", "class", pack.card.party, pack.classes),
        ("scenarios", "scenario", pack.card.scenarios, pack.scenarios),
    ):
        for i, name in enumerate(names):
            yield from _unknown(f"pack.yaml: {key}[{i}]", what, name, there)
        for name in sorted({*there} - {*names}):
            yield f"pack.yaml: {key}: {name} is missing"
        for name in repeated(names):
            yield f"pack.yaml: {key}: {name} is given twice"
    for name, card in pack.classes.items():
        yield from (f"classes/{name}.yaml: {text}" for text in _class_mistakes(pack, card))
    for name, monster in pack.monsters.items():
        for i, deck_card in enumerate(monster.cards):
            for text in _line_mistakes(pack, deck_card.lines):
                yield f"monsters/{name}.yaml: cards[{i}].{text}"
    for name, scenario in pack.scenarios.items():
        yield from (f"scenarios/{name}.yaml: {text}" for text in _scenario_mistakes(pack, scenario))


def _unknown(key: str, what: str, name: str, allowed: Collection[str]) -> Iterator[str]:
    if name not in allowed:
        yield f"{key}: {unknown(what, name, allowed)}"


def _class_mistakes(pack: Pack, card: schema.HeroClass) -> Iterator[str]:
    """Unknown templates and summons."""
    for i, ability_card in enumerate(card.cards):
        for side in ("top", "bottom"):
            half: schema.Half = getattr(ability_card, side)
            yield from (f"cards[{i}].{side}.{text}" for text in _line_mistakes(pack, half.lines))
            for k, line in enumerate(half.lines):
                if line.summon is not None:
                    key = f"cards[{i}].{side}.lines[{k}].summon"
                    yield from _unknown(key, "summon", line.summon, card.summons)


def _line_mistakes(pack: Pack, lines: Collection[schema.Line]) -> Iterator[str]:
    """Unknown templates, and templates that do not fit their range."""
    for i, line in enumerate(lines):
        if line.template is None:
            continue
        key = f"lines[{i}].template"
        yield from _unknown(key, "template", line.template, pack.templates)
        template = pack.templates.get(line.template)
        if template is None:
            continue
        if template.origin == "self" and line.range:
            yield f"{key}: {line.template} has the own hex: it is melee, without a range (G5.1)"
        if template.origin == "free" and not line.range and isinstance(line, schema.HeroLine):
            yield f"{key}: {line.template} has no own hex: it needs a range (G5.1)"


def _scenario_mistakes(pack: Pack, card: schema.Scenario) -> Iterator[str]:
    """Mistakes in the map, unknown monsters, and too many monsters."""
    try:
        read_map(card)
    except ValueError as error:
        yield from str(error).split("\n")
    for letter, symbol in card.legend.items():
        if symbol.monster is not None:
            key = f"legend.{letter}.monster"
            yield from _unknown(key, "monster", symbol.monster, pack.monsters)
    if len(types_of(card)) > N_TYPES:
        yield f"legend: {len(types_of(card))} types of monsters; at most {N_TYPES}"
    for n in range(1, N_HEROES + 1):
        coming = sum(rank != "none" for _, _, rank in monsters_of(card, n))
        if not 0 < coming <= N_MONSTERS:
            yield f"legend: {coming} monsters with {n} characters; from 1 to {N_MONSTERS}"


def types_of(card: schema.Scenario) -> list[str]:
    """Monster types of a scenario, in the order of its legend."""
    return list(dict.fromkeys(s.monster for s in card.legend.values() if s.monster is not None))


def monsters_of(card: schema.Scenario, n: int) -> Iterator[tuple[str, str, schema.RankName]]:
    """Letter, type and rank of each monster of the legend, for n characters."""
    for letter, symbol in card.legend.items():
        if symbol.monster is not None and symbol.heroes is not None:
            yield letter, symbol.monster, symbol.heroes[n - 1]


def starter_enemies(pack: str, scenario: str) -> list[str]:
    """Monsters that a pack of this one scenario needs."""
    legend = load_pack(pack).scenarios[scenario].legend.values()
    return [symbol.monster for symbol in legend if symbol.monster]


FORMAT = PackFormat(
    env="HexDungeon-v0",
    pack=Pack,
    files={
        ("pack",): ("card", schema.PackCard),
        ("templates",): ("template_file", schema.Templates),
    },
    folders={
        "classes": schema.HeroClass,
        "monsters": schema.Monster,
        "scenarios": schema.Scenario,
    },
    needed=("classes", "monsters", "scenarios"),
    mistakes=mistakes,
    shortcuts={schema.Templates: "templates", schema.Half: "lines"},
)
