"""What `agemonia coverage` needs from a ruleset: what rows of the event log count as.

One table of names by numbers says both what can be met and what was, so the two cannot disagree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

from agemonia_env.core.event_log import LogRow

from .doors import doors_of

Entry = tuple[str, str]  # family, name
RULE_FUNCTION = "rule function"  # the family of the functions of the core
NEVER = None  # key of names that are listed though no row has them in this scenario


def words(member: IntEnum) -> str:
    """A term as people write it."""
    return member.name.lower().replace("_", " ")


def numbered(terms: Iterable[IntEnum]) -> dict[Any, str]:
    """Terms by number, without NONE."""
    return {int(term): words(term) for term in terms if term.name != "NONE"}


class Met(NamedTuple):
    """A row of the event log (see LogRow), and the figure that it is about."""

    event: int
    figure: int
    amount: int
    place: int
    other: int
    choice: int
    side: str  # empty without a figure
    kind: int  # of figures that have one; -1


class Counted(NamedTuple):
    """What the rows of an event count as; key: fields of Met; names: by their values, one or more.

    A name that is listed and not met stays at zero.
    """

    family: str
    event: IntEnum
    key: str
    names: Mapping[Any, str | Iterable[str]]


class Fields(NamedTuple):
    """What records of the content have. flags: fields above 0 if so; terms: fields of members."""

    flags: tuple[str, ...]
    terms: Mapping[str, type[IntEnum]]

    def of(self, record: Any) -> list[str]:
        """What a record has."""
        found = [f"with {flag.replace('_', ' ')}" for flag in self.flags if record[flag] > 0]
        for field, term in self.terms.items():
            found += [f"{field} {name}" for name in numbered([term(record[field])]).values()]
        return found

    def every(self) -> list[str]:
        """What a record may have."""
        found = [f"with {flag.replace('_', ' ')}" for flag in self.flags]
        for field, terms in self.terms.items():
            found += [f"{field} {name}" for name in numbered(terms).values()]
        return found


@dataclass(frozen=True, kw_only=True)
class CoverageTools:
    """What can be met in a ruleset; the door `coverage` opens one.

    rule: matches the id of a rule, or a range of ids. figure: `side` and `kind` of Met, given a row
    and the state after the decision that caused it. counted: what events count as, given a scenario
    and its compiled form, beside what every ruleset has. excused: what may stay at zero, and why,
    by family and beginning of the name.
    """

    rule: re.Pattern[str]
    figure: Callable[[LogRow, Any], tuple[str, int]]
    counted: Callable[[str, Any], Iterable[Counted]]
    excused: Mapping[Entry, str]


def coverage_tools_of(env: str) -> CoverageTools:
    """The coverage tools for an environment. ValueError says why there are none."""
    tools: CoverageTools = doors_of(env).open("coverage")
    return tools
