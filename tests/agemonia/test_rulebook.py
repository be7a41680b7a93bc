"""docs/rulebook.md has no gap: every rule is played by something, and every rule is tested."""

import pytest

SCRIPT = "docs/generate.py"


@pytest.fixture(scope="module")
def script(load_script):
    return load_script(SCRIPT)


@pytest.fixture(scope="module")
def book(script):
    return [*script.rules_of_book(), *script.rulings_of_book()]


def test_the_rulebook_is_read_whole(script):
    rules = script.rules_of_book()
    assert {rule.split(".")[0] for rule in rules} == {f"R{n}" for n in range(1, 21)}
    assert len(rules) == len(set(rules)) > 350
    assert script.rulings_of_book() == [f"Q{n}" for n in range(1, 67)]


def test_every_id_in_the_code_is_in_the_rulebook(script, book):
    wrong = {str(place): sorted(place.ids - set(book)) for place in script.places()}
    assert not {place: ids for place, ids in wrong.items() if ids}


def test_every_id_in_tests_and_cases_is_in_the_rulebook(script, book):
    assert sorted((script.tests().keys() | script.cases().keys()) - set(book)) == []


def test_every_rule_is_played_or_says_why_not(script, book):
    played = script.where()
    assert [rule for rule in book if rule not in played and rule not in script.NOT_PLAYED] == []


def test_every_rule_is_tested_or_says_why_not(script, book):
    tested = script.tests().keys() | script.cases().keys()
    assert [rule for rule in book if rule not in tested and rule not in script.NOT_TESTED] == []


def test_nothing_is_excused_that_is_played_or_tested(script, book):
    tested = script.tests().keys() | script.cases().keys()
    assert not script.NOT_PLAYED.keys() & script.where().keys()
    assert not script.NOT_TESTED.keys() & tested
    assert script.NOT_PLAYED.keys() | script.NOT_TESTED.keys() <= set(book)


def test_every_edge_case_of_appendix_b_is_read(script):
    assert len(script.edges()) == 141
    assert script.ids_of_edge("b019a-one-lock-or-both") == {"R14.7", "R14.9"}
    assert script.ids_of_edge("test_b133_the_new_one") == {"R12.0c", "Q20"}
    assert script.ids_of_edge("both-locks") == set()


def test_ranges_of_ids_are_read(script):
    assert script.ids_in("R2.4, R2.5 - and R2.7 to R2.9 [Q1]") == {
        *("R2.4", "R2.5", "R2.7", "R2.8", "R2.9"),
        "Q1",
    }
    assert script.ids_in("R12.0") == {f"R12.0{letter}" for letter in "abcdef"}
    assert script.ids_in("R10.12 to R10.19b").issuperset({"R10.19", "R10.19a", "R10.19b"})
