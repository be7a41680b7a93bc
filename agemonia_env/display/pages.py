"""Pages about the things of a game, found by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .suggestions import did_you_mean

SHOWN = 200  # characters of what was typed that an error repeats
SEVERAL = 6  # names that an error lists
MOST_LISTED = 60  # names of a kind in the list of contents


class UnknownPageError(ValueError):
    """A name that no page has, or several; the message is one line."""


@dataclass(frozen=True)
class Page:
    """What can be looked at: its name, what kind of thing it is, and its text when asked for."""

    kind: str
    name: str
    text: Callable[[], str]


def find_page(pages: Sequence[Page], name: str) -> str:
    """Return the text of the page called `name`; a part of the name is enough if no other has it.

    Case does not matter, and a hyphen is a space: `eel-pie`, the key in a pack, is Eel Pie.
    Raises UnknownPageError for names that are unknown or unclear.
    """
    wanted = spelled(name)
    names = list(dict.fromkeys(page.name for page in pages))
    exact = [page.text() for page in pages if spelled(page.name) == wanted]
    if exact:
        return "\n\n".join(dict.fromkeys(exact))
    found = [one for one in names if spelled(one).startswith(wanted)]
    found = found or [one for one in names if wanted in spelled(one)]
    found = sorted(found, key=len)  # a name that begins all others, as "Rat" of "Rat 1"
    if len(found) > 1 and not all(one.startswith(found[0]) for one in found):
        more = ", ..." * (len(found) > SEVERAL)
        raise UnknownPageError(f"{name[:SHOWN]!r} is unclear: {', '.join(found[:SEVERAL])}{more}")
    if not found:
        hint = did_you_mean(name, names) or "; `look` alone lists the names"
        raise UnknownPageError(f"there is no {name[:SHOWN]!r} to look at{hint}")
    texts = dict.fromkeys(page.text() for page in pages if page.name == found[0])
    return "\n\n".join(texts)


def spelled(name: str) -> str:
    """Return `name` in lower case, its words separated by single spaces."""
    return " ".join(name.lower().replace("-", " ").split())


def contents(pages: Iterable[Page]) -> str:
    """Return the names of all pages, a line for each kind."""
    kinds: dict[str, list[str]] = {}
    for page in pages:
        kinds.setdefault(page.kind, []).append(page.name)
    return "\n".join(f"{kind}: {', '.join(dict.fromkeys(names))}" for kind, names in kinds.items())


def printed_text(printed: str, derived: str, patched: bool) -> list[str]:
    """Return a card's own text as a line; it says so where its numbers may not be those in play.

    derived: the sentences made from the numbers in play. patched: the pack has been changed.
    """
    if not printed or printed == "-":
        return []
    stale = patched or not set(re.findall(r"\d+", printed)) <= set(re.findall(r"\d+", derived))
    return [f"Printed{' (the numbers above count)' * stale}: {printed}"]
