"""Help pages about things in a game, found by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from .messages import shown
from .suggestions import did_you_mean

SHOWN = 200  # characters of the input repeated in an error
SEVERAL = 6  # names listed in an error


class UnknownPageError(ValueError):
    """No page has this name, or several have; the message is one line."""


@dataclass(frozen=True)
class Page:
    """A page: the kind and name of the thing, and its text, made on demand."""

    kind: str
    name: str
    text: Callable[[], str]


Thing = tuple[str, str, Callable[[], str]]  # kind, name and text of a page


def definitions(kind: str, texts: Mapping[str, str]) -> Iterator[Thing]:
    """A page for each word, with its meaning."""
    for name, text in texts.items():
        yield kind, name, partial(str, f"{name}: {text}")


def find_page(pages: Sequence[Page], name: str) -> str:
    """Return the text of the page called `name`, or the only one whose name contains it.

    Case does not matter, and a hyphen is a space: `eel-pie`, the key in a pack, is Eel Pie.
    Raises UnknownPageError for names that are unknown or ambiguous, or no text.
    """
    if not isinstance(name, str):
        raise UnknownPageError(f"{shown(name)}: must be a name, such as {pages[0].name!r}")
    wanted = spelled(name)
    names = list(dict.fromkeys(page.name for page in pages))
    exact = [page.text() for page in pages if spelled(page.name) == wanted]
    if exact:
        return "\n\n".join(dict.fromkeys(exact))
    found = [one for one in names if spelled(one).startswith(wanted)]
    found = found or [one for one in names if wanted in spelled(one)]
    found = sorted(found, key=len)  # "Rat" wins over "Rat 1"
    if len(found) > 1 and not all(one.startswith(found[0]) for one in found):
        more = ", ..." * (len(found) > SEVERAL)
        raise UnknownPageError(f"{name[:SHOWN]!r} is ambiguous: {', '.join(found[:SEVERAL])}{more}")
    if not found:
        hint = did_you_mean(name, names) or "; `look` lists all names"
        raise UnknownPageError(f"there is no {name[:SHOWN]!r} to look at{hint}")
    texts = dict.fromkeys(page.text() for page in pages if page.name == found[0])
    return "\n\n".join(texts)


def spelled(name: str) -> str:
    """Return `name` in lower case, its words separated by single spaces."""
    return " ".join(name.lower().replace("-", " ").split())


def contents(pages: Iterable[Page]) -> str:
    """List the names of all pages, one line per kind."""
    kinds: dict[str, list[str]] = {}
    for page in pages:
        kinds.setdefault(page.kind, []).append(page.name)
    return "\n".join(f"{kind}: {', '.join(dict.fromkeys(names))}" for kind, names in kinds.items())


def printed_text(printed: str, derived: str, patched: bool) -> list[str]:
    """Return a card's printed text as a line, with a warning if its numbers may be out of date.

    derived: the text generated from the numbers in play. patched: the pack has been changed.
    """
    if not printed or printed == "-":
        return []
    stale = patched or not set(re.findall(r"\d+", printed)) <= set(re.findall(r"\d+", derived))
    return [f"Printed{' (the numbers above count)' * stale}: {printed}"]
