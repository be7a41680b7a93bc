"""docs/rulings.md lists our own readings and their places in the code."""

SCRIPT = "docs/rulings.py"


def test_the_page_is_up_to_date(load_script):
    module = load_script(SCRIPT)
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run: python docs/rulings.py"


def test_every_reading_has_its_place(load_script):
    module = load_script(SCRIPT)
    where = module.places()
    for name, _, _ in module.OWN + module.HEXDUNGEON:
        assert where[name], name
