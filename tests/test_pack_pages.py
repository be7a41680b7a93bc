"""docs/packs.md and docs/hexdungeon-keys.md: every key has a sentence, a range and a default."""

from __future__ import annotations

import importlib
import re
from typing import Annotated

import pytest
from pydantic import BaseModel, Field

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.hexdungeon.content import schema as hex_schema

packs = importlib.import_module("docs.packs")
pack_pages = importlib.import_module("docs.pack_pages")
PAGES = (
    (pack_pages.packs_page, pack_pages.KINDS),
    (pack_pages.hexdungeon_page, pack_pages.HEX_KINDS),
)


class Described(BaseModel):
    """A model whose keys are documented."""

    size: Annotated[int, Field(ge=1, le=9)] = 2
    """How large it is."""


class Undescribed(BaseModel):
    size: Annotated[int, Field(ge=1, le=9)] = 2


class Endless(BaseModel):
    size: int = 2
    """How large it is."""


def models_of(model, found):
    if model not in found:
        found.add(model)
        for part in packs.parts_of(model):
            models_of(part, found)
    return found


@pytest.mark.parametrize(("page", "kinds"), PAGES)
def test_every_key_of_every_file_is_in_the_page_with_all_that_belongs_to_it(page, kinds):
    lines = page().split("\n")
    models = set().union(*(models_of(kind.model, set()) for kind in kinds))
    assert len(models) > 12
    for model in models:
        for key in packs.keys_of(model):
            start = rf"- `{key.name}` \(\S"
            rows = [line for line in lines if re.match(start, line)]
            said = [row for row in rows if key.text in row or key.text.partition(": ")[2] in row]
            assert said, f"{model.__name__}.{key.name}"


def test_a_key_without_a_sentence_or_a_range_is_refused():
    (key,) = packs.keys_of(Described)
    assert key == packs.Key("size", "1-9", "`2`", "How large it is.")
    with pytest.raises(ValueError, match=r"Undescribed\.size: no sentence"):
        list(packs.keys_of(Undescribed))
    with pytest.raises(ValueError, match=r"Endless\.size: no range"):
        list(packs.keys_of(Endless))


def test_every_effect_names_its_targets():
    allowed = {"Enemy", "Enemies", "Ally", "Self", "Area", "Token", "Heroes", "Reader", "Scenario"}
    for model in pack_pages.DEEDS:
        assert {key.text.partition(": ")[0] for key in packs.keys_of(model)} <= allowed
    with pytest.raises(ValueError, match="must start with its target"):
        packs.deed_list(Described)


def test_every_objective_is_explained():
    kinds = schema.Goal.model_fields["kind"].annotation.__args__
    assert set(kinds) == set(schema.OBJECTIVES)
    page = pack_pages.packs_page()
    for kind, one in schema.OBJECTIVES.items():
        assert f"| `{kind}` | " in page
        assert one.wins in page


def test_required_keys_and_limits_are_documented():
    page = pack_pages.packs_page()
    row = next(line for line in page.split("\n") if line.startswith("- `heroes` ("))
    assert "**required**" in row
    assert "limits that number" in row
    assert " 8 enemy types, spawned ones included;" in page


def test_every_link_within_a_page_leads_to_a_heading():
    for page, _ in PAGES:
        text = page()
        headings = [line.lstrip("# ") for line in text.split("\n") if line.startswith("#")]
        anchors = {heading.lower().replace(" ", "-") for heading in headings}
        assert len(headings) == len(anchors | {headings[0]} - {headings[0]})
        links = {part.split(")")[0] for part in text.split("](#")[1:]}
        assert links <= anchors


def test_lines_of_hexdungeon_say_what_goes_together():
    page = pack_pages.hexdungeon_page()
    assert "| `retaliate` | `range` |" in page
    assert hex_schema.HeroLine.beside("move") == ["jump", "xp"]
