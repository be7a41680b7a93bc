"""Appendix B of the rulebook: every edge case is a test with its number in the name.

Most are executable cases; tests/agemonia/test_appendix_b.py has what the format cannot say.
"""

import re
from pathlib import Path

import pytest

from agemonia_env.rulesets.agemonia.cases.case import Case
from agemonia_env.rulesets.agemonia.cases.runner import Trial
from agemonia_env.rulesets.case_files import read
from agemonia_env.rulesets.case_runner import attempt
from agemonia_env.rulesets.case_schema import load

HERE = Path(__file__).parent
FILES = sorted((HERE / "appendix-b").glob("*.yaml"))
RULEBOOK = HERE.parents[1] / "docs" / "agemonia-rules.md"
TESTS = HERE.parent / "agemonia" / "test_appendix_b.py"


def all_cases():
    """The cases of all files."""
    for path in FILES:
        cases, wrong = load(read(path), Case)
        assert not wrong, [str(problem) for problem in wrong]
        yield from cases


def listed():
    """{number: rules} of the numbered list, '1' to '140' and '19a'."""
    book = RULEBOOK.read_text(encoding="utf-8")
    appendix = book.split("\n## Appendix B.")[1].split("\n## Appendix C.")[0]
    lines = re.findall(r"^(\d+a?)\. (.*)$", appendix, re.MULTILINE)
    return {number: set(re.findall(r"R\d+\.\d+[a-z]?", line)) for number, line in lines}


def number_of(name):
    """'19a' of 'b019a-one-lock-or-both' or of 'test_b019a_one_lock_or_both'."""
    found = re.match(r"(?:test_)?b(\d{3}a?)[-_]", name)
    assert found, f"{name} bears no number of appendix B"
    return found[1].lstrip("0")


def names_of_tests():
    """Names of the tests that are no executable cases."""
    return re.findall(r"^def (test_\w+)\(", TESTS.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in all_cases()])
def test_case(case):
    assert attempt(case, Trial) == []


def test_the_list_of_the_rulebook_is_read_whole():
    assert list(listed()) == [*map(str, range(1, 20)), "19a", *map(str, range(20, 141))]


def test_every_edge_case_is_a_test():
    tested = {number_of(name) for name in [case.id for case in all_cases()] + names_of_tests()}
    assert tested == set(listed())


def test_every_case_names_the_rules_that_the_appendix_names():
    rules = listed()
    wrong = {case.id for case in all_cases() if not set(case.rules) >= rules[number_of(case.id)]}
    assert wrong == set()
