"""The pages of the rulebooks have no gap: every rule has code and a test."""

import importlib

import pytest

rulebook = importlib.import_module("docs.rulebook")
BOOKS = pytest.mark.parametrize("book", rulebook.BOOKS, ids=lambda book: book.file)


def test_the_rulebooks_are_read_whole():
    rules = rulebook.AGEMONIA.rules
    assert {rule.split(".")[0] for rule in rules} == {f"R{n}" for n in range(1, 21)}
    assert len(rules) == len(set(rules)) > 350
    assert rulebook.AGEMONIA.rulings == [f"Q{n}" for n in range(1, 67)]
    rules = rulebook.HEXDUNGEON.rules
    assert {rule.split(".")[0] for rule in rules} == {f"G{n}" for n in range(1, 15)}
    assert len(rules) == len(set(rules)) > 150


@BOOKS
def test_every_id_in_the_code_is_in_the_rulebook(book):
    wrong = {str(place): sorted(place.ids - set(book.ids)) for place in book.places}
    assert not {place: ids for place, ids in wrong.items() if ids}


@BOOKS
def test_every_id_in_tests_and_cases_is_in_the_rulebook(book):
    assert sorted((book.tests.keys() | book.cases.keys()) - set(book.ids)) == []


@BOOKS
def test_every_rule_is_played_or_says_why_not(book):
    assert [rule for rule in book.ids if rule not in {*book.where, *book.not_played}] == []


@BOOKS
def test_every_rule_is_tested_or_says_why_not(book):
    tested = {*book.tests, *book.cases, *book.not_tested}
    assert [rule for rule in book.ids if rule not in tested] == []


@BOOKS
def test_nothing_is_excused_that_is_played_or_tested(book):
    assert not book.not_played.keys() & book.where.keys()
    assert not book.not_tested.keys() & (book.tests.keys() | book.cases.keys())
    assert book.not_played.keys() | book.not_tested.keys() <= set(book.ids)


def test_every_edge_case_is_read():
    book = rulebook.AGEMONIA
    assert len(book.edges) == 141
    assert book.ids_of_edge("b019a-one-lock-or-both") == {"R14.7", "R14.9"}
    assert book.ids_of_edge("test_b133_the_new_one") == {"R12.0c", "Q20"}
    assert book.ids_of_edge("both-locks") == set()
    assert len(rulebook.HEXDUNGEON.edges) == 69
    assert rulebook.HEXDUNGEON.edges["5"] == {"G1.10"}


def test_ranges_of_ids_are_read():
    book = rulebook.AGEMONIA
    assert book.ids_in("R2.4, R2.5 - and R2.7 to R2.9 [Q1]") == {
        *("R2.4", "R2.5", "R2.7", "R2.8", "R2.9"),
        "Q1",
    }
    assert book.ids_in("R12.0") == {f"R12.0{letter}" for letter in "abcdef"}
    assert book.ids_in("R10.12 to R10.19b").issuperset({"R10.19", "R10.19a", "R10.19b"})
    assert rulebook.HEXDUNGEON.ids_in("G2.4 to G2.6, R2.4") == {"G2.4", "G2.5", "G2.6"}
