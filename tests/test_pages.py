"""The generated pages of docs/ match the sources."""

import pytest

SCRIPT = "docs/generate.py"


PAGES = (
    *("layout.md", "actions.md", "games.md", "rulebook.md", "packs.md"),
    *("hexdungeon-layout.md", "hexdungeon-actions.md", "hexdungeon-rulebook.md"),
    *("hexdungeon-keys.md", "env-agemonia.md", "env-agemoniagauntlet.md", "env-hexdungeon.md"),
)


@pytest.mark.parametrize("page", PAGES)
def test_the_page_is_up_to_date(load_script, page):
    pages = load_script(SCRIPT).PAGES
    path = next(path for path in pages if path.name == page)
    assert path.read_text(encoding="utf-8") == pages[path](), f"run: python {SCRIPT}"
