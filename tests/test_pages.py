"""The generated pages of docs/ match the sources; those that git ignores have no gap."""

import re

import pytest

SCRIPT = "docs/generate.py"


PAGES = (
    *("actions.md", "games.md", "packs.md", "hexdungeon-actions.md", "hexdungeon-keys.md"),
    *("env-agemonia.md", "env-agemoniagauntlet.md", "env-hexdungeon.md"),
)


@pytest.mark.parametrize("page", PAGES)
def test_the_page_is_up_to_date(load_script, page):
    pages = load_script(SCRIPT).PAGES
    path = next(path for path in pages if path.name == page)
    assert path.read_text(encoding="utf-8") == pages[path](), f"run: python {SCRIPT}"


@pytest.mark.parametrize("page", ["layout.md", "hexdungeon-layout.md"])
def test_a_page_of_layouts_has_every_record(load_script, page):
    built = load_script(SCRIPT).BUILT
    text = next(write for path, write in built.items() if path.name == page)()
    for record in ("CONTENT", "STATE", "OBS", "ACTION", "SCENARIO"):
        assert f"\n### {record}\n" in text


@pytest.mark.parametrize("page", ["rulebook.md", "hexdungeon-rulebook.md"])
def test_a_page_of_rules_has_a_row_for_every_rule(load_script, page):
    (book,) = (book for book in load_script("docs/rulebook.py").BOOKS if book.page == page)
    rows = re.findall(r"^\| ([RGQ]\d+\S*) \| .+ \|$", book.write(), re.MULTILINE)
    assert rows == book.ids
