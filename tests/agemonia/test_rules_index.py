"""Every rule named in the code is one of the rulebook, and every rule is named by some code."""

import re

import pytest

SCRIPT = "docs/generate.py"

# Rules that no function can name, each with the reason.
DESCRIPTIVE = {
    "R1.8a": "where things lie on the table",
    "R1.9": "a list of decks; each deck has its rules",
    "R2.11": "what does not happen",
    "R3.14": "when texts ask for checks; each text has its rule",
    "R3.18": "Enemies have no function that rolls",
    "R5.17": "points to section 15",
    "R6.16": "nothing ends a lock at the end of a turn",
    "R7.25": "what does not block sight: the test of R7.24 has no such clause",
    "R7.27": "figures are no argument of the table of sight",
    "R7.28": "a property: test_properties.py",
    "R8.13": "typical numbers",
    "R12.19": "discarding all goes through every number",
    "R13.6": "a number of the Hero's board (content)",
    "R13.13": "a second hit goes the same way",
    "R13.15": "the state ends with the scenario",
    "R14.3": "a lock is in force while its slot is filled",
}
# Rules and sections that a later step of the project builds.
LATER = {
    "R5.6": "class skills",
    "R14.12": "passive actions that end by themselves",
}
LATER_SECTIONS = ("R7.30", "R11", "R15", "R16", "R17", "R18", "R20")
"""Whole sections; R7.30 stands for jump, teleport, pull and push, R7.30 to R7.60."""


@pytest.fixture(scope="module")
def book(load_script):
    return load_script(SCRIPT).rules_of_book()


@pytest.fixture(scope="module")
def named(load_script):
    return set().union(*(place.ids for place in load_script(SCRIPT).places()))


def is_later(rule):
    section, number = re.match(r"(R\d+)\.(\d+)", rule).groups()
    return section in LATER_SECTIONS or (section == "R7" and int(number) >= 30)


def test_the_rulebook_is_read_whole(book, load_script):
    sections = {rule.split(".")[0] for rule in book}
    assert sections == {f"R{n}" for n in range(1, 21)}
    assert len(book) == len(set(book)) > 350
    assert load_script(SCRIPT).rulings_of_book() == [f"Q{n}" for n in range(1, 67)]


def test_every_id_in_the_code_is_in_the_rulebook(book, load_script):
    module = load_script(SCRIPT)
    known = {*book, *module.rulings_of_book()}
    wrong = {str(place): sorted(place.ids - known) for place in module.places()}
    assert not {place: ids for place, ids in wrong.items() if ids}


def test_every_id_in_a_case_is_in_the_rulebook(book, load_script):
    module = load_script(SCRIPT)
    assert not set(module.cases()) - {*book, *module.rulings_of_book()}


def test_every_rule_is_named_by_code_or_listed_here(book, named):
    missing = [rule for rule in book if rule not in named and not is_later(rule)]
    assert sorted(missing) == sorted({*DESCRIPTIVE, *LATER} & set(missing))


def test_nothing_is_listed_here_that_code_names(book, named):
    assert not ({*DESCRIPTIVE, *LATER} & named)
    assert not ({*DESCRIPTIVE, *LATER} - set(book))


def test_ranges_of_ids_are_read(load_script):
    ids_in = load_script(SCRIPT).ids_in
    assert ids_in("R2.4, R2.5 - and R2.7 to R2.9 [Q1]") == {
        *("R2.4", "R2.5", "R2.7", "R2.8", "R2.9"),
        "Q1",
    }
    assert ids_in("R12.0") == {f"R12.0{letter}" for letter in "abcdef"}
    assert ids_in("R10.12 to R10.19b").issuperset({"R10.19", "R10.19a", "R10.19b"})
